"""What World Cup, places and youth teams are calculated from: accepted reports in their newest correction, and lists.

Players are named by their FMJD-ID, merged records by that of the surviving one (R24).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from typing import Any, Protocol, TypeVar

import numpy as np
from django.db.models import Count, Max, Q, QuerySet

from ratings.federations.fmjd.models import FmjdListRow
from ratings.models import RatingList
from ratings.queries.counted_results import published_result_sets
from ratings.rules.columns import Columns
from ratings.rules.days import day_number
from reporting.federations.facet import edition_in_force
from reporting.federations.fmjd.details import Competition, FmjdDetails, WorldCupGroups
from reporting.federations.fmjd.editions import EDITIONS
from reporting.models import (
    Entry,
    FederationMembership,
    Game,
    Player,
    PlayerMerge,
    Report,
    ResultSet,
    Round,
    Sex,
)
from reporting.models.result_set import own_relations
from reporting.reports.decisions.selectors import by_code, decisions_in_force
from reporting.rules.details.shared_details import NationalChampionship, System
from reporting.rules.lifecycle import ReportState
from reporting.rules.standings.cross_table import DRAW, WIN
from titles.federations.fmjd.models import WorldCupDeclaration
from titles.federations.fmjd.rules.world_cup.parameters import Parameters
from titles.federations.fmjd.rules.world_cup.results import (
    CupParticipationColumns,
    CupTournamentColumns,
    DeclarationColumns,
)

REGISTER = "fmjd"
FIRST_YEAR, LAST_YEAR = 1984, 2099
"""The years that a person can name."""
PlayedRound = tuple[int, int, int | None, bool]
"""A game of a player: round, points, points of the opponent (None for a pause), whether it was played."""
CupTournament = tuple[ResultSet, FmjdDetails, int]
"""A World Cup tournament: what its report says, the details, its stars."""


Table = TypeVar("Table", bound=Columns)


@dataclass(frozen=True)
class Score:
    """A player of a tournament with the points of the final table in 2-1-0 and the games played, won and paired."""

    number: int
    player: Player
    place: int | None
    points: int
    games: int
    wins: int
    paired: int

    @property
    def fmjd_id(self) -> int:
        return int(self.player.numbers[REGISTER])


@dataclass(frozen=True)
class Problem:
    """What a tournament, or one of its players, needs to be counted: a detail, `places`; of a player `place`, `sex`."""

    code: str
    missing: str
    fmjd_id: int | None = None


class NamedTournament(Protocol):
    """What a result says of its tournament."""

    @property
    def code(self) -> str: ...

    @property
    def played_to(self) -> date: ...


@dataclass(frozen=True)
class CupInput:
    """The World Cup of one section: columns, the result sets of the tournaments in their order, players."""

    tournaments: CupTournamentColumns
    participations: CupParticipationColumns
    declarations: DeclarationColumns
    result_sets: Sequence[NamedTournament]
    players: Mapping[int, Player]
    problems: Sequence[Problem]


def columns_from(kind: type[Table], rows: Sequence[Sequence[int | bool]]) -> Table:
    """A table of columns from its rows."""
    return kind(*(np.array([row[at] for row in rows]) for at in range(len(fields(kind)))))


def rows_of(table: Columns) -> list[tuple[Any, ...]]:
    """The rows of a table of columns."""
    return list(zip(*(getattr(table, field.name).tolist() for field in fields(table)), strict=True))


def accepted_results(of: Q, *, published: bool = False) -> list[ResultSet]:
    """The newest accepted report of each FMJD tournament that fits, in order of last rounds (R5, R70a). 1 query.

    `published` are the ones that published lists count, for pages that all can read.
    """
    accepted: QuerySet[Any] = (
        published_result_sets().filter(excluded_by=None).values("pk")
        if published
        else Report.objects.filter(state=ReportState.ACCEPTED).values("result_set")
    )
    newest = (
        ResultSet.objects.filter(pk__in=accepted, rating_system__in=["", REGISTER])
        .order_by("tournament_id", "part", "-revision")
        .distinct("tournament_id", "part")
        .values("pk")
    )
    found = ResultSet.objects.filter(of, pk__in=newest).select_related(*own_relations())
    return [one for one in found.order_by("played_to", "number") if isinstance(one.details, FmjdDetails)]


def surviving_players() -> Mapping[int, Player]:
    """The surviving record of each merged one, by the key of the duplicate (R24). 1 query."""
    merges = PlayerMerge.objects.filter(undone_at=None).select_related("surviving")
    return {merge.duplicate_id: merge.surviving for merge in merges}


def surviving_numbers() -> Mapping[str, str]:
    """The FMJD-ID of the surviving record of each merged one, by the ID of the duplicate (R24). 1 query."""
    merges = PlayerMerge.objects.filter(undone_at=None).select_related("duplicate", "surviving")
    pairs = ((merge.duplicate.numbers, merge.surviving.numbers) for merge in merges)
    return {old[REGISTER]: new[REGISTER] for old, new in pairs if REGISTER in old and REGISTER in new}


def scores(result_sets: Sequence[ResultSet]) -> Mapping[int, list[Score]]:
    """The players of tournaments by result set, in order of place (R70b, R71a). 3 queries."""
    surviving = surviving_players()
    of_entry: dict[int, list[PlayedRound]] = defaultdict(list)
    games = Game.objects.filter(result_set__in=result_sets).order_by("round", "number")
    for round_, white, black, white_points, black_points, played in games.values_list(
        "round", "white", "black", "white_points", "black_points", "played"
    ):
        for own, other, points, against in (
            (white, black, white_points, black_points),
            (black, white, black_points, white_points),
        ):
            if own is not None:
                of_entry[own].append((round_, points, None if other is None else against, played))
    has_round_points = {one.pk: bool(one.round_scores) for one in result_sets}
    found: dict[int, list[Score]] = {one.pk: [] for one in result_sets}
    entries = Entry.objects.filter(result_set__in=result_sets).select_related("player")
    for entry in entries.order_by("place", "number"):
        own_games = of_entry[entry.pk]
        if has_round_points[entry.result_set_id]:
            points, wins = _by_rounds(own_games)
        else:
            points = sum(game[1] for game in own_games)
            points = points if entry.points_printed is None else entry.points_printed
            wins = sum(gained == WIN and against is not None for _, gained, against, _ in own_games)
        found[entry.result_set_id].append(
            Score(
                number=entry.number,
                player=surviving.get(entry.player.pk, entry.player),
                place=entry.place,
                points=points,
                games=sum(game[-1] for game in own_games),
                wins=wins,
                paired=sum(game[2] is not None for game in own_games),
            )
        )
    return found


def cup_tournaments(section: str, *, published: bool = False) -> tuple[list[CupTournament], list[Problem]]:
    """The World Cup tournaments of a section that count, and what the others need (R70a, R70c). 2 queries."""
    candidates = accepted_results(
        Q(discipline=section, youth_only=False, veterans=False) & ~Q(system=System.TEAMS),
        published=published,
    )
    decided = by_code(decisions_in_force([one.pk for one in candidates]))
    tournaments: list[CupTournament] = []
    problems: list[Problem] = []
    for found in candidates:
        details = found.details
        assert isinstance(details, FmjdDetails)  # noqa: S101 (accepted_results)
        values = {one.item: one.value for one in decided.get(found.code, ()) if one.is_about(found)}
        if values.get("competition", details.competition) != Competition.WORLD_CUP:
            continue
        stars = values.get("world_cup_stars") or details.world_cup_stars
        lacks = [
            name
            for name, given in (("world_cup_stars", stars), ("world_cup_groups", details.world_cup_groups))
            if not given
        ]
        problems += [Problem(found.code, name) for name in lacks]
        if not lacks:
            tournaments.append((found, details, int(str(stars))))
    return tournaments, problems


def declared_players() -> DeclarationColumns:
    """The declarations in force, by the surviving record of a player; of several for a year the first. 2 queries."""
    surviving = surviving_players()
    declarations = WorldCupDeclaration.objects.filter(withdrawn_at=None).select_related("player")
    first: dict[tuple[int, int], int] = {}
    for declaration in declarations.order_by("-declared_on"):
        player = surviving.get(declaration.player_id, declaration.player)
        first[int(player.numbers[REGISTER]), declaration.year] = day_number(declaration.declared_on)
    return columns_from(DeclarationColumns, [(*of, day) for of, day in first.items()])


def cup_input(section: str, *, published: bool = False) -> CupInput:
    """What the World Cup of a section is calculated from, and what else it needs (R70a, R70c, R71b). 8 queries."""
    tournaments, problems = cup_tournaments(section, published=published)
    of_result_set = scores([found for found, _, _ in tournaments])
    rows: list[tuple[int | bool, ...]] = []
    participations: list[tuple[int | bool, ...]] = []
    players: dict[int, Player] = {}
    for row, (found, details, stars) in enumerate(tournaments):
        is_separate = details.world_cup_groups == WorldCupGroups.SEPARATE
        days = day_number(found.played_from), day_number(found.played_to)
        rows.append((found.number, *days, stars, is_separate, found.women_only))
        has_places = any(score.place for score in of_result_set[found.pk])
        if not has_places:
            problems.append(Problem(found.code, "places"))
        for score in of_result_set[found.pk]:
            if has_places and score.games and not score.place:
                problems.append(Problem(found.code, "place", score.fmjd_id))
            if not score.player.sex and not found.women_only:
                problems.append(Problem(found.code, "sex", score.fmjd_id))
                continue
            players[score.fmjd_id] = score.player
            is_woman = found.women_only or score.player.sex == Sex.WOMAN
            participations.append(
                (
                    row, score.fmjd_id, is_woman, score.place or 0, score.points, score.games, score.wins,
                    score.number in details.absent_from_closing,
                )
            )  # fmt: skip
    return CupInput(
        tournaments=columns_from(CupTournamentColumns, rows),
        participations=columns_from(CupParticipationColumns, participations),
        declarations=declared_players(),
        result_sets=[found for found, _, _ in tournaments],
        players=players,
        problems=problems,
    )


def list_of_1_january(year: int, *, women: bool) -> Sequence[FmjdListRow]:
    """The rows of the classical list of 100 squares in force on 1 January, in order; none without a list. 3 queries.

    A person has one row, with the number of the surviving record: its own, else the first of a merged one (R24).
    """
    published = RatingList.objects.filter(
        pool__code="fmjd-100", state=RatingList.State.PUBLISHED, in_force__lte=date(year, 1, 1)
    )
    newest = published.order_by("-in_force", "-revision").first()
    of_list = FmjdListRow.objects.filter(list=newest).order_by("position")
    rows = list(of_list.filter(sex=Sex.WOMAN) if women else of_list)
    surviving, listed = surviving_players(), {row.player_id for row in rows}
    of_persons = []
    for row in rows:
        person = surviving.get(row.player_id)
        if person is not None:
            if person.pk in listed:
                continue
            listed.add(person.pk)
            row.player_id, row.register_number = person.pk, int(person.numbers[REGISTER])
        of_persons.append(row)
    return of_persons


def previous_championship(code: str, *, women: bool) -> list[ResultSet]:
    """The accepted reports of a tournament whose final classification item 2 can follow (R74). 1 query.

    None where it is of another section or tempo, of youth, veterans or teams, or not of women as the championship is.
    """
    found = accepted_results(
        Q(tournament=code, discipline="100", women_only=women, youth_only=False, veterans=False)
        & ~Q(system=System.TEAMS)
    )
    return [one for one in found if tempo_of(one) == "classic"]


def federations_with_finals(
    parameters: Parameters, year: int, *, women: bool
) -> dict[str, dict[int, ResultSet]]:
    """The accepted finals of national championships in the years before, by federation and year (R74a). 1 query."""
    years = range(year - parameters.group_a_years, year)
    of_women = women and parameters.women_need_a_womens_championship
    finals = accepted_results(
        Q(
            national_championship=NationalChampionship.FINAL,
            played_to__year__in=years,
            discipline="100",
            women_only=of_women,
            youth_only=False,
            veterans=False,
        )
    )
    held: dict[str, dict[int, ResultSet]] = defaultdict(dict)
    for final in finals:
        if final.country_id is not None:
            held[final.country_id][final.played_to.year] = final
    return dict(sorted(held.items()))


def youth_championships(year: int, tempo: str, section: str, *, published: bool = False) -> list[ResultSet]:
    """The groups of the world youth championships of a year and tempo (Annex 13 art. 8; R73). 2 queries."""
    found = world_youth_championships(Q(played_to__year=year, discipline=section), published=published)
    return [one for one in found if tempo_of(one) == tempo]


def world_youth_championships(of: Q, *, published: bool = False) -> list[ResultSet]:
    """The groups of world youth championships that fit, in order of last rounds. 2 queries.

    A group is an individual tournament of an age of Annex 13 art. 4: no team championship, no under 23.
    """
    accepted = accepted_results(of & Q(youth_only=True) & ~Q(system=System.TEAMS), published=published)
    found = [
        one
        for one in accepted
        if getattr(one.details, "youth", "") in edition_in_force(EDITIONS, one.played_to).oldest_of_youth
    ]
    decided = by_code(decisions_in_force([one.pk for one in found]))
    return [
        one
        for one in found
        if {item.item: item.value for item in decided.get(one.code, ()) if item.is_about(one)}.get(
            "competition", getattr(one.details, "competition", "")
        )
        == Competition.WORLD_CHAMPIONSHIP
    ]


def tempo_of(found: ResultSet) -> str:
    """Classic, rapid or blitz, by the time for 60 moves of the longest game; empty where none is named (R73)."""
    edition = edition_in_force(EDITIONS, found.played_to)
    seconds = found.seconds_of_games[0]
    if seconds is None:
        return ""
    if seconds >= edition.classic_seconds:
        return "classic"
    return "rapid" if seconds >= edition.rapid_seconds else "blitz"


def rounds_of(groups: Sequence[ResultSet], of_group: Mapping[int, Sequence[Score]]) -> Mapping[int, int]:
    """The rounds of youth groups by result set; in a round robin the games of a full table (R73). 2 queries."""
    rounds = Round.objects.filter(result_set__in=groups).values_list("result_set").annotate(Count("pk"))
    games = Game.objects.filter(result_set__in=groups).values_list("result_set").annotate(Max("round"))
    full_table = {
        group.pk: max((score.paired for score in of_group[group.pk]), default=0)
        for group in groups
        if group.system == System.ROUND_ROBIN
    }
    return dict(games.order_by()) | dict(rounds.order_by()) | full_table


class Federations:
    """The federations of players (by key) on any day. 1 query for all."""

    def __init__(self, players: Collection[int]) -> None:
        self.former: dict[int, list[FederationMembership]] = defaultdict(list)
        for membership in FederationMembership.objects.filter(player__in=players, until__isnull=False):
            self.former[membership.player_id].append(membership)

    def on(self, player: Player, day: date) -> str:
        """The code of the federation of a player on a day. No query."""
        for membership in self.former[player.pk]:
            assert membership.until is not None  # noqa: S101 (the filter)
            if (membership.since is None or membership.since <= day) and day < membership.until:
                return membership.federation_id
        return player.federation_id


def players_by_id(numbers: Collection[int]) -> Mapping[int, Player]:
    """Players by their FMJD-ID. 1 query."""
    of_register = Player.objects.filter(
        identities__register=REGISTER, identities__number__in=map(str, numbers)
    )
    return {int(player.numbers[REGISTER]): player for player in of_register}


def _by_rounds(games: Sequence[PlayedRound]) -> tuple[int, int]:
    """Points and wins of rounds with points of their own: 2 for the winner, 1 each without one (R70b)."""
    of_round: dict[int, list[tuple[int, int | None]]] = defaultdict(list)
    for round_, gained, against, _ in games:
        of_round[round_].append((gained, against))
    points = wins = 0
    for results in of_round.values():
        gained, against = next((one for one in results if one[0] != one[1]), results[0])
        is_won = against is not None and gained > against
        wins += is_won
        if against is None or is_won:
            points += min(gained, WIN)
        elif gained == against:
            points += DRAW if gained else 0
    return points, wins
