"""All places of a championship and its reserve list, after withdrawals (Annexes 12 and 17; R72, R74 to R74d)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from titles.federations.fmjd.rules.world_cup.lots import Lot, draw_lots
from titles.federations.fmjd.rules.world_cup.parameters import Parameters
from titles.federations.fmjd.rules.world_cup.qualification import (
    Claims,
    NameFinding,
    Place,
    RatedPlayer,
    Refused,
    Reserve,
    Source,
    Withdrawal,
    extra_places,
    order_by_rating,
    qualify,
    rating_order,
    replace_withdrawn,
    reserve_list,
    take_reserves,
)


@dataclass(frozen=True, kw_only=True)
class ChampionshipInput:
    """What the places and the reserve list of a championship follow from.

    `world_cup` has players in order with their ranks, `ratings` the rating list of 1 January in order and `official`
    the players of its official list. `claims` are without the players of World Cup and rating list. Of the `extra`
    places federations with a national championship can have some: `championships` (R74d).
    """

    championship: str
    council_day: date
    claims: Claims
    world_cup: Sequence[tuple[int, int]]
    ratings: Sequence[RatedPlayer]
    official: Collection[int]
    withdrawals: Sequence[Withdrawal]
    lots: Mapping[str, Sequence[Lot]]
    extra: int = 0
    championships: Collection[str] = ()


@dataclass(frozen=True)
class HeldPlace:
    """A place, and the players who withdrew from it, the first holder first.

    `by_lot` marks a player whose order in the source of the place is open until lots are drawn (R72a).
    """

    place: Place
    withdrawn: tuple[int, ...] = ()
    by_lot: bool = False


@dataclass(frozen=True)
class FilledChampionship:
    """The places in order of the items, names that take none, the reserve list without those who have a place."""

    places: Sequence[HeldPlace]
    findings: Sequence[NameFinding]
    reserves: Sequence[Reserve]


def fill_championship(parameters: Parameters, given: ChampionshipInput) -> FilledChampionship:
    """The places of a championship after its withdrawals, and the rest of the reserve list (R72, R74 to R74d).

    A name that takes a place later, as the next one, is no finding.
    """
    items = parameters.places[given.championship]
    by_cup, by_rating = (given.lots.get(source, ()) for source in (Source.WORLD_CUP, Source.RATING))
    cup = draw_lots(given.world_cup, by_cup)
    rated = rating_order(parameters, given.ratings, by_rating)
    leaders = order_by_rating((one for one in given.ratings if one.player in given.official), by_rating)
    claims = replace(
        given.claims,
        leaders=[player for player, _ in leaders],
        world_cup=[player for player, _ in cup],
    )
    found = qualify(items, claims)
    more = extra_places(
        parameters.extra_items(given.championship, given.extra),
        given.extra,
        found.places,
        claims,
        given.championships,
    )
    empty = (*found.places, *more.places)
    qualified = {place.player for place in empty if place.player is not None}
    listed = list(reserve_list(cup, rated, qualified))
    places, reserves = take_reserves(empty, listed)
    in_order = sorted(given.withdrawals, key=lambda one: one.day)
    after, left = places, reserves
    holders: list[list[int]] = [[] for _ in places]
    for count, withdrawal in enumerate(in_order, start=1):
        for row, place in enumerate(after):
            if place.player == withdrawal.player:
                holders[row].append(withdrawal.player)
        # From the beginning each time: so an earlier withdrawn player is on no list.
        after, left = replace_withdrawn(items, claims, places, reserves, in_order[:count], given.council_day)
    taken = {place.player for place in after}
    undrawn = {(Source.WORLD_CUP, player) for player, by_lot in cup if by_lot}
    undrawn |= {(Source.RATING, player) for player, by_lot in leaders if by_lot}
    undrawn |= {(Source.RESERVE, row.player) for row in listed if row.by_lot}
    return FilledChampionship(
        places=[
            HeldPlace(place, tuple(before), (place.source, place.player) in undrawn)
            for place, before in zip(after, holders, strict=True)
        ],
        findings=[
            finding
            for finding in (*found.findings, *more.findings)
            if finding.code is Refused.ALREADY_QUALIFIED or finding.player not in taken
        ],
        reserves=left,
    )
