"""The medals of official championships: from the final places of reports, and those that the office entered.

What is a championship the office decides (R78). A place that players share is a medal for each of them (R52a). In a
championship of teams an equal place is one team; its medal is of the federation (R52a). A year is that of the last
round.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db import connection
from django.db.models import Q

from reporting.federations.fmjd.details import FmjdDetails
from reporting.models import Entry, FederationMembership, Player, PlayerMerge, ResultSet, TournamentDecision
from reporting.register.selectors.register import register_changes
from reporting.rules.details.shared_details import System
from titles.federations.fmjd.models import EnteredMedal
from titles.federations.fmjd.rules.championship_kinds import OF_COMPETITION, ChampionshipKind
from titles.federations.fmjd.world_cup.inputs import Federations, accepted_results, tempo_of

LAST_MEDAL = 3
WRITTEN = """
    SELECT (SELECT (count(*), max(id), max(published_at))::text FROM ratings_ratinglist WHERE state = 'published'),
        (SELECT (count(*), max(id))::text FROM reporting_tournamentdecision),
        (SELECT (count(*), max(id))::text FROM fmjd_titles_enteredmedal),
        (SELECT count(*) FROM fmjd_titles_medalwithdrawal),
        (SELECT (count(*), max(id))::text FROM fmjd_titles_titlematchstep)
"""
"""What was published and written once, by the number of rows and the newest one."""
Key = tuple[ChampionshipKind, int]
"""A championship of one year."""


@dataclass(frozen=True)
class Medal:
    """A medal: of players of the register or of a printed name, and of their federation (a code, empty for none).

    A team has its players where a report names them. `entered` is the entry of the office; None for a reported one.
    """

    place: int
    players: tuple[Player, ...]
    name: str
    federation: str
    entered: EnteredMedal | None = None

    @property
    def player(self) -> Player | None:
        """The person; None for a team, and for who is not in the register."""
        return self.players[0] if len(self.players) == 1 else None


@dataclass(frozen=True)
class Podium:
    """The medals of a championship of one year, by place; `tournament` is None where the office entered them."""

    kind: ChampionshipKind
    year: int
    medals: Sequence[Medal]
    tournament: ResultSet | None = None

    @property
    def by_place(self) -> list[list[Medal]]:
        """The medals of places 1, 2 and 3."""
        return [
            [medal for medal in self.medals if medal.place == place] for place in range(1, LAST_MEDAL + 1)
        ]

    @property
    def sources(self) -> list[str]:
        """The sources of what was entered, each once."""
        return list(dict.fromkeys(medal.entered.source for medal in self.medals if medal.entered))


class ProblemCode(StrEnum):
    """Why a reported championship brings no medals, or is named to the office."""

    SEVERAL_REPORTS = "several-reports"
    NO_TIME_CONTROL = "no-time-control"
    NO_PLACES = "no-places"
    ENTERED_TOO = "entered-too"


@dataclass(frozen=True)
class MedalProblem:
    """A problem of tournaments (codes), with the championship and year where they are known."""

    code: ProblemCode
    tournaments: Sequence[str]
    championship: Key | None = None


@dataclass(frozen=True)
class Podiums:
    """All championships, the newest first, and what the office must look at."""

    podiums: Sequence[Podium]
    problems: Sequence[MedalProblem]

    def at(self, kind: ChampionshipKind, year: int) -> Podium | None:
        return next((one for one in self.podiums if (one.kind, one.year) == (kind, year)), None)


@dataclass(frozen=True)
class MedalCount:
    """The medals of a federation."""

    federation: str
    places: tuple[int, int, int]

    @property
    def total(self) -> int:
        return sum(self.places)


def champions_stamp() -> tuple[Hashable, ...]:
    """What pages of champions depend on: `medals_stamp`, names, federations. 3 queries."""
    return (*medals_stamp(), register_changes(), FederationMembership.objects.count())


def medals_stamp() -> tuple[Hashable, ...]:
    """What medals depend on: published lists, decisions, entries of the office. 1 query."""
    with connection.cursor() as cursor:
        cursor.execute(WRITTEN)
        return ("champions", *cursor.fetchone())


def all_podiums(*, published: bool) -> Podiums:
    """Every championship with its medals. `published` are those that published lists count, as all may see them.

    What is reported comes before what was entered of the same championship. 6 queries.
    """
    reported, problems = _reported(published=published)
    entered = _entered()
    found = []
    for key, medals in entered.items():
        if key not in reported:
            found.append(Podium(*key, medals))
        else:
            problems.append(MedalProblem(ProblemCode.ENTERED_TOO, [reported[key].code], key))
    medals_of = _medals_of(list(reported.values()))
    for key, result_set in reported.items():
        if medals_of[result_set.pk]:
            found.append(Podium(*key, medals_of[result_set.pk], result_set))
        else:
            problems.append(MedalProblem(ProblemCode.NO_PLACES, [result_set.code], key))
    found.sort(key=lambda podium: (-podium.year, podium.kind.order))
    return Podiums(found, problems)


def reported_championship(kind: ChampionshipKind, year: int) -> str:
    """The code of the accepted tournament of a championship and year; empty without one. 2 queries."""
    reported, problems = _reported(published=False)
    several = [problem for problem in problems if problem.championship == (kind, year)]
    found = reported.get((kind, year))
    return found.code if found else several[0].tournaments[0] if several else ""


def medals_of_player(player: Player) -> list[tuple[Podium, Medal]]:
    """The published medals of a player and of records merged into it, the newest first.

    1 query, and those of `all_podiums` where the player may have one.
    """
    merges = PlayerMerge.objects.filter(surviving=player, undone_at=None)
    own = Q(player=player) | Q(player__in=merges.values("duplicate"))
    decided = {"result_set__tournament__decisions__value__in": list(OF_COMPETITION)}
    in_reports = Entry.objects.filter(own, place__lte=LAST_MEDAL, **decided).values("pk")
    if not in_reports.union(EnteredMedal.objects.filter(own).values("pk")).exists():
        return []
    return [
        (podium, medal)
        for podium in all_podiums(published=True).podiums
        for medal in podium.medals
        if player in medal.players
    ]


def medals_of_federations(podiums: Iterable[Podium]) -> list[MedalCount]:
    """The medals of each federation that has one: most first places first, then second, then third. No query."""
    counted: dict[str, Counter[int]] = defaultdict(Counter)
    for podium in podiums:
        for medal in podium.medals:
            if medal.federation:
                counted[medal.federation][medal.place] += 1
    found = [MedalCount(code, (of[1], of[2], of[3])) for code, of in counted.items()]
    return sorted(found, key=lambda one: (*(-number for number in one.places), one.federation))


def entered_medals() -> list[EnteredMedal]:
    """What the office entered, the newest first, withdrawn ones too. 1 query."""
    found = EnteredMedal.objects.select_related("player", "federation", "by", "withdrawal", "withdrawal__by")
    return list(found.order_by("-pk"))


def find_entered_medal(number: int) -> EnteredMedal | None:
    """What the office entered under a number. 1 query."""
    return EnteredMedal.objects.filter(pk=number).first()


def surviving_players(players: Collection[int]) -> Mapping[int, Player]:
    """The surviving record of each duplicate (R24). 1 query."""
    merges = PlayerMerge.objects.filter(undone_at=None, duplicate__in=players).select_related("surviving")
    return {merge.duplicate_id: merge.surviving for merge in merges}


def _reported(*, published: bool) -> tuple[dict[Key, ResultSet], list[MedalProblem]]:
    """The tournament of each championship and year, and those that are not clear. 2 queries."""
    newest = (
        TournamentDecision.objects.filter(item="competition")
        .order_by("tournament_id", "-pk")
        .distinct("tournament_id")
    )
    areas = {
        decision.tournament_id: OF_COMPETITION[decision.value]
        for decision in newest
        if decision.value in OF_COMPETITION
    }
    of_key: dict[Key, list[ResultSet]] = defaultdict(list)
    problems = []
    for result_set in accepted_results(Q(tournament__in=list(areas)), published=published):
        kind = _kind_of(result_set, areas[result_set.code])
        if kind is None:
            problems.append(MedalProblem(ProblemCode.NO_TIME_CONTROL, [result_set.code]))
        else:
            of_key[kind, result_set.played_to.year].append(result_set)
    problems += [
        MedalProblem(ProblemCode.SEVERAL_REPORTS, [one.code for one in found], key)
        for key, found in of_key.items()
        if len(found) > 1
    ]
    return {key: found[0] for key, found in of_key.items() if len(found) == 1}, problems


def _kind_of(result_set: ResultSet, area: str) -> ChampionshipKind | None:
    """The kind of a championship; None without a time control. No query."""
    details = result_set.details
    assert isinstance(details, FmjdDetails)  # noqa: S101 (accepted_results)
    tempo = tempo_of(result_set)
    if not tempo:
        return None
    group = "veterans" if result_set.veterans else str(details.youth)
    teams = result_set.system == System.TEAMS
    return ChampionshipKind(area, result_set.discipline, tempo, group, result_set.women_only, teams)


def _medals_of(result_sets: Sequence[ResultSet]) -> dict[int, list[Medal]]:
    """The medals of tournaments by result set. 3 queries."""
    entries = list(
        Entry.objects.filter(result_set__in=result_sets, place__range=(1, LAST_MEDAL))
        .select_related("player")
        .order_by("place", "number")
    )
    surviving = surviving_players({entry.player.pk for entry in entries})
    players = {entry.pk: surviving.get(entry.player.pk, entry.player) for entry in entries}
    federation_of = Federations({player.pk for player in players.values()})
    result_set_of = {result_set.pk: result_set for result_set in result_sets}
    found: dict[int, list[Medal]] = {result_set.pk: [] for result_set in result_sets}
    teams: dict[tuple[int, int, str], list[Player]] = defaultdict(list)
    for entry in entries:
        assert entry.place is not None  # noqa: S101 (the filter)
        result_set, player = result_set_of[entry.result_set_id], players[entry.pk]
        federation = federation_of.on(player, result_set.played_to)
        if result_set.system == System.TEAMS:
            teams[result_set.pk, entry.place, federation].append(player)
        else:
            found[result_set.pk].append(Medal(entry.place, (player,), "", federation))
    for (key, place, federation), members in teams.items():
        found[key].append(Medal(place, tuple(members), "", federation))
    return found


def _entered() -> dict[Key, list[Medal]]:
    """The medals that the office entered and did not withdraw, by championship and year. 2 queries."""
    entries = list(
        EnteredMedal.objects.filter(withdrawal=None).select_related("player").order_by("place", "pk")
    )
    surviving = surviving_players({entry.player_id for entry in entries if entry.player_id})
    found: dict[Key, list[Medal]] = defaultdict(list)
    for entry in entries:
        player = surviving.get(entry.player_id or 0, entry.player)
        players = (player,) if player else ()
        found[ChampionshipKind.of(entry.championship), entry.year].append(
            Medal(entry.place, players, entry.name, entry.federation_id or "", entry)
        )
    return found
