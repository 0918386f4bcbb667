"""From a line of the calendar to a tournament played: who enters, when, with what result."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from random import Random

from config.demo.calendar import Quarter, round_dates
from config.demo.pairings import PAUSE, play_league, play_round_robin, play_swiss, points_of
from config.demo.people import Federation, NameGiver, newcomer
from config.demo.records import Game, Person

EVENTS_FILE = Path(__file__).with_name("events.toml")
OLDEST_IN_YOUTH = {"juniors": 19, "cadets": 16, "mini-cadets": 13, "hopes": 10, "young-stars": 8}
YOUNGEST_VETERAN = 60
WAITING_REPORTS = 4
DAYS_TO_REPORT = 3  # a waiting tournament ended at least so long ago
ANOTHER_REGION = 0.15  # how likely a player comes from another continent, compared with a neighbour


@dataclass(frozen=True)
class Event:
    """One tournament of events.toml; the keys are explained there."""

    quarter: str
    name: str
    place: str
    country: str
    system: str
    rounds: int
    time_control: str
    rhythm: str
    ends: int
    level: int
    spread: int
    home: int
    players: int = 0
    teams: tuple[str, ...] = ()
    boards: int = 0
    reserves: int = 0
    newcomers: int = 0
    region_only: bool = False
    women_only: bool = False
    youth: str = ""
    veterans: bool = False
    official: bool = False
    national_championship: str = "no"
    competition: str = ""
    world_cup_stars: int = 0
    world_cup_groups: str = "one"
    absent_from_closing: tuple[int, ...] = ()
    council_approved: bool = False
    referee_level: str = "national"
    unfinished: bool = False
    local_ids: bool = False
    waiting: bool = False
    discipline: str = "100"

    @property
    def entrants(self) -> int:
        """How many players take part."""
        return self.players or len(self.teams) * (self.boards + self.reserves)

    @property
    def requires_birth_dates(self) -> bool:
        """Annex 9 art. 11: the birth date is obligatory in youth and veterans' tournaments."""
        return bool(self.youth) or self.veterans


@dataclass
class Tournament:
    """A tournament played: entrants by number, games, points and places."""

    event: Event
    dates: list[date]
    entrants: list[Person]
    games: list[Game]
    points: list[int]
    places: list[int]
    winner: str
    referee: str
    announced: date
    received: date
    births_given: bool
    short_countries: bool
    federations: dict[str, Federation] = field(repr=False)


def read_events() -> list[Event]:
    """The calendar of events.toml."""
    with EVENTS_FILE.open("rb") as file:
        entries = tomllib.load(file)["event"]
    return [Event(**{**entry, "teams": tuple(entry.get("teams", ()))}) for entry in entries]


class Organiser:
    """Holds the tournaments of the federation; no player plays at two places on one day."""

    def __init__(
        self,
        rng: Random,
        federations: dict[str, Federation],
        people: list[Person],
        names: NameGiver,
        today: date,
    ) -> None:
        self._rng = rng
        self._federations = federations
        self._people = people
        self._names = names
        self._today = today
        self._events = read_events()

    def quarter(self, quarter: Quarter, name: str = "") -> list[Tournament]:
        """Every tournament of a quarter, named after its closing month or otherwise, in the order of the last day."""
        length = (quarter.closing - quarter.previous_closing).days
        held = []
        for event in self._events:
            if event.quarter == (name or quarter.name):
                last = quarter.previous_closing + timedelta(days=min(event.ends, length))
                held.append(self.hold(event, round_dates(event.rhythm, event.rounds, last)))
        return sorted(held, key=lambda tournament: (tournament.dates[-1], tournament.event.name))

    def waiting(self, quarter: Quarter) -> list[Tournament]:
        """The tournaments of the running quarter that were just reported."""
        first = quarter.previous_closing + timedelta(days=1)
        last = min(quarter.closing, self._today - timedelta(days=DAYS_TO_REPORT))
        events = [event for event in self._events if event.waiting and event.quarter == quarter.name]
        events.sort(key=lambda event: event.ends)
        held = []
        for number, event in enumerate(events[:WAITING_REPORTS], start=1):
            end = first + timedelta(days=(last - first).days * number // WAITING_REPORTS)
            held.append(self.hold(event, round_dates(event.rhythm, event.rounds, end)))
        return held

    def single(self, name: str, last: date) -> Tournament:
        """The one tournament of a story, with its last round on this day."""
        (event,) = (event for event in self._events if event.quarter == name)
        return self.hold(event, round_dates(event.rhythm, event.rounds, last))

    def hold(self, event: Event, dates: list[date]) -> Tournament:
        """Invite, play, classify and write the tournament details."""
        entrants = self._invite(event, dates)
        for person in entrants:
            person.busy.update(dates)
        strengths = [person.strength for person in entrants]
        if event.system == "swiss":
            games = play_swiss(self._rng, strengths, event.rounds)
        elif event.system == "teams":
            games = play_league(self._rng, strengths, len(event.teams), event.boards, event.rounds)
        else:
            games = play_round_robin(self._rng, strengths)
        points = points_of(games, len(entrants))
        places, winner = self._classify(event, entrants, games, points)
        home = self._federations[event.country]
        return Tournament(
            event=event,
            dates=dates,
            entrants=entrants,
            games=games,
            points=points,
            places=places,
            winner=winner,
            referee=" ".join(self._names.give(home, self._rng.choice("MMW"))),
            announced=dates[0] - timedelta(days=self._rng.randint(16, 75)),
            received=min(dates[-1] + timedelta(days=self._rng.randint(0, 6)), self._today),
            births_given=event.requires_birth_dates or self._rng.random() < 0.6,
            short_countries=self._rng.random() < 0.35,
            federations=self._federations,
        )

    def _invite(self, event: Event, dates: list[date]) -> list[Person]:
        """Registered players near the level of the event, many of them from home, and the newcomers."""
        candidates = [person for person in self._people if self._may_enter(person, event, dates)]
        wanted = event.entrants - event.newcomers
        at_home = [person for person in candidates if person.federation == event.country]
        chosen = self._draw(event, at_home, round(wanted * event.home / 100))
        if event.home < 100:
            abroad = [person for person in candidates if person.federation != event.country]
            chosen += self._draw(event, abroad, wanted - len(chosen))
        if len(chosen) < wanted:
            taken = {person.fmjd_id for person in chosen}
            rest = [person for person in at_home if person.fmjd_id not in taken]
            chosen += self._draw(event, rest, wanted - len(chosen))
        chosen += [self._newcomer(event, dates[0].year) for _ in range(event.entrants - len(chosen))]
        chosen.sort(key=lambda person: (-person.seed_rating, person.name))
        return self._teams(chosen, len(event.teams)) if event.teams else chosen

    def _may_enter(self, person: Person, event: Event, dates: list[date]) -> bool:
        age = dates[0].year - person.birthday.year
        home = self._federations[event.country]
        return not (
            (event.women_only and person.sex != "W")
            or (event.youth and age > OLDEST_IN_YOUTH[event.youth])
            or (event.veterans and age < YOUNGEST_VETERAN)
            or (event.national_championship != "no" and person.federation != event.country)
            or (event.region_only and self._federations[person.federation].region != home.region)
            or (event.official and not event.youth and person.rating is None)
            or not person.busy.isdisjoint(dates)
        )

    def _draw(self, event: Event, candidates: list[Person], count: int) -> list[Person]:
        """Without putting back, by weight (the order of random ** (1 / weight), taken in logarithms)."""
        home = self._federations[event.country]
        drawn = []
        for person in candidates:
            distance = ((person.rating or person.strength) - event.level) / event.spread
            near = 1.0 if self._federations[person.federation].region == home.region else ANOTHER_REGION
            weight = max(person.activity * near * math.exp(-(distance**2)), 1e-9)
            drawn.append((math.log(1 - self._rng.random()) / weight, person))
        drawn.sort(key=lambda entry: -entry[0])
        return [person for _, person in drawn[:count]]

    def _newcomer(self, event: Event, year: int) -> Person:
        ages = (15, 48)
        if event.youth:
            oldest = OLDEST_IN_YOUTH[event.youth]
            ages = (oldest - 4, oldest)
        elif event.veterans:
            ages = (YOUNGEST_VETERAN, 72)
        sex = "W" if event.women_only or self._rng.random() < 0.15 else "M"
        return newcomer(
            self._rng, self._federations[event.country], self._names, sex=sex, ages=ages, year=year
        )

    @staticmethod
    def _teams(chosen: list[Person], teams: int) -> list[Person]:
        """Teams of like strength: dealt out from the strongest, back and forth."""
        dealt: list[list[Person]] = [[] for _ in range(teams)]
        for position, person in enumerate(chosen):
            turn, seat = divmod(position, teams)
            dealt[seat if turn % 2 == 0 else teams - 1 - seat].append(person)
        return [person for team in dealt for person in team]

    @staticmethod
    def _classify(
        event: Event, entrants: list[Person], games: list[Game], points: list[int]
    ) -> tuple[list[int], str]:
        """The places and the winner; in an unfinished tournament place 0 and no winner (art. 11)."""
        if event.unfinished:
            return [0] * len(entrants), ""
        if event.teams:
            return _classify_teams(event, len(entrants), games)
        opponents_points, wins = _tie_breaks(games, points)
        tie_breaks = opponents_points if event.system == "swiss" else wins
        order = sorted(range(len(entrants)), key=lambda index: (-points[index], -tie_breaks[index], index))
        places = [0] * len(entrants)
        for place, index in enumerate(order, start=1):
            places[index] = place
        return places, entrants[order[0]].name


def _tie_breaks(games: list[Game], points: list[int]) -> tuple[list[int], list[int]]:
    """The sum of the opponents' points (Swiss) and the number of wins (round robin) of every player."""
    sums, wins = [0] * len(points), [0] * len(points)
    for game in games:
        if game.black == PAUSE:
            continue
        sums[game.white - 1] += points[game.black - 1]
        sums[game.black - 1] += points[game.white - 1]
        wins[game.white - 1] += game.result.startswith("2")
        wins[game.black - 1] += game.result.endswith("2")
    return sums, wins


def _classify_teams(event: Event, players: int, games: list[Game]) -> tuple[list[int], str]:
    """Teams by match points, then by the points of their players; a player has the place of the team."""
    squad = players // len(event.teams)
    match_scores: dict[tuple[int, int, int], int] = {}
    for game in games:
        white_team, black_team = (game.white - 1) // squad, (game.black - 1) // squad
        for own, team, other in (
            (game.result[0], white_team, black_team),
            (game.result[2], black_team, white_team),
        ):
            key = (game.round, team, other)
            match_scores[key] = match_scores.get(key, 0) + int(own)
    match_points, board_points = [0] * len(event.teams), [0] * len(event.teams)
    for (round_number, team, other), score in match_scores.items():
        against = match_scores[round_number, other, team]
        match_points[team] += 2 if score > against else int(score == against)
        board_points[team] += score
    order = sorted(range(len(event.teams)), key=lambda team: (-match_points[team], -board_points[team], team))
    places = [order.index(number // squad) + 1 for number in range(players)]
    return places, event.teams[order[0]]
