"""Championships as services and pages ask for them: what is given, the places with their states, equal players."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Q, Sum

from reporting.models import Player
from reporting.refusals.domain_error import DomainError
from titles.federations.fmjd.championships.calculate_places import (
    ChampionshipPlaces,
    GivenChampionship,
    calculate_places,
)
from titles.federations.fmjd.models import Championship, PlaceStep, StandingDecision
from titles.federations.fmjd.rules.world_cup.due_days import DueDays, due_days
from titles.federations.fmjd.rules.world_cup.lots import equal_groups
from titles.federations.fmjd.rules.world_cup.parameters import PlacesOfItem, edition_in_force
from titles.federations.fmjd.rules.world_cup.qualification import (
    NameFinding,
    Place,
    Reserve,
    Source,
    Withdrawal,
    reserve_list,
)
from titles.federations.fmjd.world_cup.inputs import list_of_1_january, players_by_id, surviving_players
from titles.federations.fmjd.world_cup.standings import rated_players, reserve_sources, world_cup_standing
from titles.rules.lifecycle import PlaceMove, PlaceState

Answers = Mapping[int, PlaceStep]
"""The newest step of each player who confirmed or withdrew, by FMJD-ID."""


@dataclass(frozen=True)
class Holder:
    """A player of a place: the state, and the answer that made it; None before the player has answered."""

    player: Player
    state: PlaceState
    step: PlaceStep | None
    in_good_standing: bool = True


@dataclass(frozen=True)
class PlaceRow:
    """A place of a list of participants: its item, its state, who has it and who withdrew from it."""

    number: int
    place: Place
    item: PlacesOfItem
    state: PlaceState
    holder: Holder | None
    withdrawn: Sequence[Holder]
    by_lot: bool


@dataclass(frozen=True)
class FindingRow:
    """A name that takes no place, or a player who confirmed a place that is another one's now (`finding` None)."""

    player: Player
    finding: NameFinding | None


@dataclass(frozen=True)
class ReserveRow:
    """A row of the reserve list with its player."""

    reserve: Reserve
    player: Player
    in_good_standing: bool


@dataclass(frozen=True)
class ChampionshipPage:
    """A championship if it were published now."""

    championship: Championship
    given: GivenChampionship
    places: Sequence[PlaceRow]
    findings: Sequence[FindingRow]
    reserves: Sequence[ReserveRow]
    found: ChampionshipPlaces

    @property
    def due(self) -> DueDays:
        return due_days(self.given.parameters, self.championship.first_day)


def championships() -> list[Championship]:
    """All championships, the newest first. 1 query."""
    return list(Championship.objects.order_by("-first_day", "code"))


def championships_stamp() -> tuple[object, ...]:
    """What pages of championships depend on besides what is published: it changes with each act. 1 query."""
    return tuple(Championship.objects.aggregate(Count("pk"), Sum("version")).values())


def find_championship(code: str) -> Championship:
    """A championship with what its pages name. 1 query. Raises `Championship.DoesNotExist`."""
    return Championship.objects.select_related("champion", "opponent", "previous").get(code=code)


def given_championship(championship: Championship) -> tuple[GivenChampionship, Answers]:
    """What is known of a championship besides lists and reports, and what its players answered. 6 queries at most.

    Merged players are named by the surviving record (R24).
    """
    surviving = surviving_players()

    def number_of(player: Player) -> int:
        return int(surviving.get(player.pk, player).numbers["fmjd"])

    steps = list(championship.steps.select_related("player", "by").order_by("pk"))
    named: dict[int, list[int]] = defaultdict(list)
    for name in names_in_force(steps):
        named[name.item or 0].append(number_of(name.player))
    answers: dict[int, PlaceStep] = {}
    for step in steps:
        number = number_of(step.player)
        if step.item is None:
            answers.pop(number, None)  # so withdrawals of one day are in the order given
        if step.move in {PlaceMove.CONFIRM, PlaceMove.DECLINE}:
            answers[number] = step
    lots: dict[str, list[list[int]]] = defaultdict(list)
    drawn = list(championship.lots.order_by("pk"))
    written = {*championship.refused, *(number for lot in drawn for number in lot.players)}
    now = {number: number_of(player) for number, player in players_by_id(written).items()}
    for lot in drawn:
        lots[lot.source].append([now.get(number, number) for number in lot.players])
    given = GivenChampionship(
        championship=championship.kind,
        year=championship.year,
        champion=number_of(championship.champion) if championship.champion else None,
        opponent=number_of(championship.opponent) if championship.opponent else None,
        match_played=championship.match_played,
        refused=tuple(now.get(number, number) for number in championship.refused),
        previous=str(championship.previous_id or ""),
        named={item: tuple(dict.fromkeys(names)) for item, names in named.items()},
        withdrawals=tuple(
            Withdrawal(number, step.on) for number, step in answers.items() if step.move == PlaceMove.DECLINE
        ),
        council_day=championship.council_day,
        lots=lots,
        extra=championship.extra_places,
    )
    return given, answers


def names_in_force(steps: Iterable[PlaceStep]) -> list[PlaceStep]:
    """The steps that name a record for an item, without those removed, of all steps in order. No query."""
    names: dict[tuple[int | None, int], PlaceStep] = {}
    for step in steps:
        if step.move == PlaceMove.NAME:
            names.setdefault((step.item, step.player_id), step)
        elif step.move == PlaceMove.REMOVE:
            names.pop((step.item, step.player_id), None)
    return list(names.values())


def state_of(answer: PlaceStep | None, *, replaced: bool = False) -> PlaceState:
    """The state of a player by the newest answer; `replaced` where another player has the place. No query."""
    if answer is None:
        return PlaceState.NAMED
    if answer.move == PlaceMove.CONFIRM:
        return PlaceState.CONFIRMED
    return PlaceState.REPLACED if replaced else PlaceState.DECLINED


def championship_page(championship: Championship) -> ChampionshipPage:
    """A championship with its places and its reserve list, if published now. 29 queries at most."""
    given, answers = given_championship(championship)
    found = calculate_places(given)
    not_in_good_standing = federations_not_in_good_standing(championship.year)
    of_item = {item.item: item for item in given.items}

    def holder(number: int, *, replaced: bool = False) -> Holder:
        player = found.players[number]
        return Holder(
            player,
            state_of(answers.get(number), replaced=replaced),
            answers.get(number),
            player.federation_id not in not_in_good_standing,
        )

    rows = []
    for count, held in enumerate(found.places, start=1):
        number = held.place.player
        has_it = None if number is None else holder(number)
        withdrawn = [holder(one, replaced=number is not None) for one in held.withdrawn]
        state = has_it.state if has_it else withdrawn[-1].state if withdrawn else PlaceState.OPEN
        item = of_item[held.place.item]
        rows.append(PlaceRow(count, held.place, item, state, has_it, withdrawn, held.by_lot))
    holders = {held.place.player for held in found.places}
    without_place = [
        FindingRow(found.players.get(number, step.player), None)
        for number, step in answers.items()
        if step.move == PlaceMove.CONFIRM and number not in holders
    ]
    findings = [FindingRow(found.players[one.player], one) for one in found.findings]
    return ChampionshipPage(
        championship=championship,
        given=given,
        places=rows,
        findings=[*findings, *without_place],
        reserves=[
            ReserveRow(
                reserve,
                found.players[reserve.player],
                found.players[reserve.player].federation_id not in not_in_good_standing,
            )
            for reserve in found.reserves
        ],
        found=found,
    )


def player_by_id(number: int) -> Player:
    """The player with an FMJD-ID. 1 query. Raises DomainError `name_unknown`."""
    player = players_by_id([number]).get(number)
    if player is None:
        raise DomainError("name_unknown", players=str(number))
    return player


def equal_players(championship: Championship, source: str) -> list[set[int]]:
    """The players of a source of the reserve list who are equal with each other (R72a). 8 queries at most."""
    women, year = championship.women, championship.year
    if source == Source.WORLD_CUP:
        return equal_groups(world_cup_standing(date(year - 1, 12, 31), "100", women=women).ranked)
    rated = rated_players(list_of_1_january(year, women=women))
    return equal_groups((player.player, (player.rating, player.games)) for player in rated)


def championship_of_year(year: int, *, women: bool) -> Championship | None:
    """The championship of a year, for women or open; None where the office has not created it. 1 query."""
    women_only = Q(kind=Championship.Kind.WOMEN_20)
    of_year = Championship.objects.filter(women_only if women else ~women_only, year=year)
    return of_year.select_related("champion", "opponent").first()


def reserves_of_year(year: int, *, women: bool) -> Iterable[Reserve]:
    """The reserve list of a year; who has a place in its championship is not on it (R72). 27 queries at most."""
    championship = championship_of_year(year, women=women)
    if championship is None:
        return reserve_list(*reserve_sources(edition_in_force(date(year, 1, 1)), year, women=women))
    return calculate_places(given_championship(championship)[0]).reserves


def standing_decisions(years: Collection[int]) -> Mapping[tuple[str, int], StandingDecision]:
    """The decisions in force on the standing of federations, by federation and year. 1 query."""
    decisions = StandingDecision.objects.filter(year__in=years).select_related("federation", "by")
    return {(one.federation_id, one.year): one for one in decisions.order_by("number")}


def federations_not_in_good_standing(year: int) -> set[str]:
    """The federations that are not in good standing in a year. 1 query."""
    return {code for (code, _), one in standing_decisions([year]).items() if not one.is_good}
