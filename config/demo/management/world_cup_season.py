"""Two years of World Cup and a youth championship, small and by hand: who is equal by which criterion is known.

No random generator. The World Cup is for players of no other tournament: it changes no one else's rating.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from config.demo.calendar import round_dates
from config.demo.pairings import berger_rounds, points_of
from config.demo.people import Federation
from config.demo.records import CupSeason, DemoReport, Game, Person
from config.demo.report_file import write_report
from config.demo.tournaments import OLDEST_IN_YOUTH, Event, Tournament

OF_A_FEDERATION, PLAYERS = 2, 6
ADULT_AGE = (22, 58)
ROUNDS = 5


@dataclass(frozen=True)
class CupEvent:
    """A World Cup tournament of six, its last round so many days before the newest closing date.

    `order` is the final table: letters are men of one or two results, r1 to r3 men and w1 to w6 women, some of several.
    """

    ends: int
    name: str
    place: str
    country: str
    stars: int
    order: str
    groups: str = "one"
    women_only: bool = False
    draws: tuple[str, ...] = ()
    absent: str = ""


@dataclass(frozen=True)
class YouthEvent:
    """A tempo of the youth championship, its last round so many days before the newest closing date."""

    ends: int
    name: str
    time_control: str
    rhythm: str


# Points of places 1 to 6, with 10 8 6 4 2 0 points of the table (Annex 18): 5 stars 150 110 80 60 45 30; 7 stars
# 200 150 110 80 55 30; 9 stars 250 190 140 100 65 30. From 5 stars on any system is allowed (condition 3).
# 150: a by a first place before b by a second place. 110: c by a second place before d by a third. 80: e by a third
# place before f. 100: g by the latest result, 100 before 45, before t. 45: h by one win before k by two draws. 30: l
# and n are equal.
CUP = (
    CupEvent(560, "Dakar Lagoon Open", "Dakar", "SEN", 5, "a c e r1 h l"),
    CupEvent(490, "Riga Amber Cup", "Riga", "LAT", 7, "r1 b d f t n", "separate"),
    CupEvent(488, "Riga Amber Cup for Women", "Riga", "LAT", 7, "w2 w3 w4 w5 w6 w1", "separate", True),
    CupEvent(400, "Vilnius Oak Open", "Vilnius", "LTU", 5, "r2 r1 w1 r3 k q", draws=("r3 k", "k q")),
    CupEvent(330, "Abidjan Grand Prix", "Abidjan", "CIV", 9, "r1 r3 r2 g w1 w2"),
    CupEvent(230, "Ulaanbaatar Steppe Open", "Ulaanbaatar", "MGL", 5, "r3 w1 r1 r2 t w2"),
    CupEvent(70, "Paramaribo River Masters", "Paramaribo", "SUR", 7, "r2 r3 r1 w3 w1 w2", absent="r1"),
)
CORRECTED = "Vilnius Oak Open"
LEFT_EARLY = "r2"
"""The winner in the first report, absent from the closing ceremony in the corrected one."""
DECLARED = "w1"
REFEREE = "Piet Oudekerk"
YOUTH = (
    YouthEvent(130, "", "80+60", "daily"),
    YouthEvent(128, "Rapid ", "15+5", "one-day"),
    YouthEvent(127, "Blitz ", "5+3", "one-day"),
)
"""Of the newest quarter whose rapid and blitz list is published."""


def build_cup(federations: dict[str, Federation], people: Sequence[Person], closing: date) -> CupSeason:
    """The reports of both, one of them corrected, and who declared."""
    known = [person for person in people if person.birth_known == "day"]
    players = _choose(_free(known, closing, CUP), closing.year)
    free = _free(known, closing, YOUTH)
    groups = _choose_youth(free, closing.year)
    reports = [_cup_report(federations, one, players, closing) for one in CUP]
    for turn, championship in enumerate(YOUTH):
        for title, group in groups.items():
            event = _event(
                f"World Youth {championship.name}{title}",
                ("Tallinn", "EST"),
                time_control=championship.time_control,
                rhythm=championship.rhythm,
                youth="juniors",
                women_only=title == "Girls",
                competition="world-championship",
            )
            order = group[turn:] + group[:turn]
            reports.append(_written(federations, event, order, closing - timedelta(days=championship.ends)))
    of_corrected = next(one for one in CUP if one.name == CORRECTED)
    return CupSeason(
        reports=tuple(reports),
        corrected=_cup_report(federations, replace(of_corrected, absent=LEFT_EARLY), players, closing),
        declared=players[DECLARED].fmjd_id,
        first_year=(closing - timedelta(days=CUP[0].ends)).year,
    )


def _free(people: Sequence[Person], closing: date, events: Sequence[CupEvent | YouthEvent]) -> list[Person]:
    """The players who play elsewhere on none of the days, before all others those who play nowhere else."""
    days = {closing - timedelta(days=event.ends + back) for event in events for back in range(ROUNDS)}
    return sorted(
        (one for one in people if one.busy.isdisjoint(days)),
        key=lambda one: (bool(one.busy), -one.seed_rating, one.fmjd_id),
    )


def _choose(free: Sequence[Person], year: int) -> dict[str, Person]:
    """Players by the names of the orders, those of several results the strongest."""
    youngest, oldest = ADULT_AGE
    adults = [one for one in free if one.rating and youngest <= year - one.birthday.year <= oldest]
    names = {name for event in CUP for name in event.order.split()}
    of_sex = {sex: iter([one for one in adults if one.sex == sex]) for sex in "MW"}
    return {
        name: next(of_sex["W" if name.startswith("w") else "M"])
        for name in sorted(names, key=lambda name: (len(name) == 1, name))
    }


def _choose_youth(free: Sequence[Person], year: int) -> dict[str, list[Person]]:
    """At most two of a federation in each group, before all others those of federations with boys and girls."""
    teams: dict[str, dict[str, list[Person]]] = defaultdict(lambda: {"M": [], "W": []})
    for one in free:
        if (
            year - one.birthday.year <= OLDEST_IN_YOUTH["juniors"]
            and len(teams[one.federation][one.sex]) < OF_A_FEDERATION
        ):
            teams[one.federation][one.sex].append(one)
    full = sorted(teams.items(), key=lambda team: (-min(map(len, team[1].values())), team[0]))
    return {
        title: [one for _, team in full for one in team[sex]][:PLAYERS]
        for title, sex in (("Boys", "M"), ("Girls", "W"))
    }


def _cup_report(
    federations: dict[str, Federation], cup: CupEvent, players: Mapping[str, Person], closing: date
) -> DemoReport:
    names = cup.order.split()
    places = {name: place for place, name in enumerate(names, start=1)}
    order = [players[name] for name in names]
    entrants = _entrants(order)
    event = _event(
        cup.name,
        (cup.place, cup.country),
        women_only=cup.women_only,
        competition="world-cup",
        world_cup_stars=cup.stars,
        world_cup_groups=cup.groups,
        absent_from_closing=(entrants.index(players[cup.absent]) + 1,) if cup.absent else (),
    )
    drawn = {frozenset(places[name] for name in pair.split()) for pair in cup.draws}
    return _written(federations, event, order, closing - timedelta(days=cup.ends), drawn)


def _event(name: str, at: tuple[str, str], **values: Any) -> Event:
    place, country = at
    event = Event(
        quarter="world cup",
        name=name,
        place=place,
        country=country,
        system="round-robin",
        rounds=ROUNDS,
        time_control="80+60",
        rhythm="daily",
        ends=0,
        level=0,
        spread=0,
        home=0,
        players=PLAYERS,
        official=True,
        referee_level="fmjd",
    )
    return replace(event, **values)


def _entrants(order: Sequence[Person]) -> list[Person]:
    return sorted(order, key=lambda one: (-one.seed_rating, one.fmjd_id))


def _written(
    federations: dict[str, Federation],
    event: Event,
    order: Sequence[Person],
    last: date,
    drawn: Collection[frozenset[int]] = (),
) -> DemoReport:
    """The better place wins, but for the pairs of places that drew."""
    entrants = _entrants(order)
    places = [order.index(one) + 1 for one in entrants]
    games = []
    for round_number, pairs in enumerate(berger_rounds(len(order)), start=1):
        for first, second in pairs:
            of_white, of_black = places[first], places[second]
            result = "1-1" if {of_white, of_black} in drawn else "2-0" if of_white < of_black else "0-2"
            games.append(Game(round_number, first + 1, second + 1, result))
    dates = round_dates(event.rhythm, event.rounds, last)
    return write_report(
        Tournament(
            event=event,
            dates=dates,
            entrants=entrants,
            games=games,
            points=points_of(games, len(order)),
            places=places,
            winner=order[0].name,
            referee=REFEREE,
            announced=dates[0] - timedelta(days=60),
            received=last + timedelta(days=1),
            births_given=True,
            short_countries=False,
            federations=federations,
        )
    )
