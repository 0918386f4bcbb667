"""The reserve list, the places of a championship and its title match (Annexes 12 and 17; R72, R74, R75)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import Self

from titles.federations.fmjd.rules.world_cup.lots import Lot, draw_lots
from titles.federations.fmjd.rules.world_cup.parameters import Parameters, PlacesOfItem


class Kind(StrEnum):
    """The kinds of places, as ``places.csv`` names them, and those of extra places (R74d)."""

    CHAMPION = "champion"
    TITLE_MATCH = "title-match"
    ORGANISER_SPONSOR = "organiser-sponsor"
    CONTINENT = "continent"
    RATING_LEADER = "rating-leader"
    WORLD_CUP = "world-cup"
    EXTRA_ORGANISER = "extra-organiser"
    EXTRA_FEDERATION = "extra-federation"
    EXTRA_RESERVE = "extra-reserve"


NAMED_KINDS = (Kind.ORGANISER_SPONSOR, Kind.CONTINENT, Kind.EXTRA_ORGANISER, Kind.EXTRA_FEDERATION)
"""The kinds whose players are named: by organiser, sponsor, confederation or federation."""


class Source(StrEnum):
    """From which rule a place comes."""

    CHAMPION = "champion"
    OPPONENT = "opponent"
    FINAL_CLASSIFICATION = "final-classification"
    NAMED = "named"
    RATING = "rating"
    WORLD_CUP = "world-cup"
    RESERVE = "reserve"
    OPEN = "open"


class Refused(StrEnum):
    """Why a name takes no place (R74b, R74d)."""

    ALREADY_QUALIFIED = "already-qualified"
    FEDERATION_LIMIT = "federation-limit"
    TOO_MANY = "too-many"
    NO_CHAMPIONSHIP = "no-championship"
    REPRESENTED = "represented"


@dataclass(frozen=True)
class RatedPlayer:
    """A player of the rating list in force on 1 January; ``games`` are the counted games of the last three years."""

    player: int
    rating: int
    games: int


@dataclass(frozen=True)
class Reserve:
    """A row of the reserve list. ``rank`` is the position in its source, from 1, those already qualified counted too.

    ``by_lot`` marks a player whose order in the source is open until lots are drawn (R72a).
    """

    position: int
    source: Source
    rank: int
    player: int
    by_lot: bool = False


@dataclass(frozen=True)
class Place:
    """A place of a championship: of which item and kind, whose, and from which rule. ``player`` is None while open."""

    item: int
    kind: str
    player: int | None
    source: Source


@dataclass(frozen=True)
class NameFinding:
    """A name that takes no place, of which item, and why (R74b)."""

    code: Refused
    item: int
    player: int


@dataclass(frozen=True, kw_only=True)
class Claims:
    """What the places of a championship depend on.

    ``final_classification`` and ``world_cup`` are players in their order, ``leaders`` those of the official list of
    1 January in its order; ``named`` has the names of an item in the order given. ``federations`` has the code of
    each player; ``group_a`` the codes of group A (R74a).
    """

    champion: int | None
    opponent: int | None = None
    match_played: bool = False
    refused: Collection[int] = ()
    final_classification: Sequence[int] = ()
    named: Mapping[int, Sequence[int]] = field(default_factory=dict)
    leaders: Sequence[int] = ()
    world_cup: Sequence[int] = ()
    federations: Mapping[int, str] = field(default_factory=dict)
    group_a: Collection[str] = ()


@dataclass(frozen=True)
class Qualification:
    """The places of a championship in order of its items, and the names that take none."""

    places: tuple[Place, ...]
    findings: tuple[NameFinding, ...]


@dataclass(frozen=True)
class Withdrawal:
    """A player who cannot participate, and the day on which the federation was informed."""

    player: int
    day: date


def rating_order(
    parameters: Parameters, rated: Sequence[RatedPlayer], lots: Collection[Lot] = ()
) -> list[tuple[int, bool]]:
    """The players with enough games, renumbered, each with whether a lot decides its place (Annex 17 App. C 1; R72).

    Of equal ratings the one with more games in three years is first; of those equal in that too, the lot (R72a).
    """
    return order_by_rating((player for player in rated if player.games >= parameters.reserve_games), lots)


def order_by_rating(rated: Iterable[RatedPlayer], lots: Collection[Lot] = ()) -> list[tuple[int, bool]]:
    """Players of a rating list in order, each with whether a lot decides its place (R72a)."""
    ordered = sorted(rated, key=lambda player: (-player.rating, -player.games, player.player))
    return draw_lots(((player.player, (player.rating, player.games)) for player in ordered), lots)


def reserve_list(
    world_cup: Sequence[tuple[int, bool]],
    ratings: Sequence[tuple[int, bool]],
    qualified: Collection[int] = (),
) -> Iterator[Reserve]:
    """The global reserve list, without end until both sources are used up (Annex 17 App. C; R72).

    A source has its players in order, each with whether a lot decides its place. The World Cup is first.
    """
    taken = set(qualified)
    sources = [(Source.WORLD_CUP, enumerate(world_cup, 1)), (Source.RATING, enumerate(ratings, 1))]
    position = 0
    while sources:
        for source in tuple(sources):
            name, players = source
            best = next(((rank, who, lot) for rank, (who, lot) in players if who not in taken), None)
            if best is None:
                sources.remove(source)
                continue
            rank, player, by_lot = best
            taken.add(player)
            position += 1
            yield Reserve(position, name, rank, player, by_lot)


def qualify(items: Sequence[PlacesOfItem], claims: Claims) -> Qualification:
    """The places of a championship in order of its items (Annexes 12 and 17 App. A, B; R74, R74a, R74b).

    A place with source ``reserve`` has no player yet: it takes the first of the reserve list.
    """
    filling = _Filling(claims)
    for item in items:
        match item.kind:
            case Kind.CHAMPION:
                filling.champion(item)
            case Kind.TITLE_MATCH:
                filling.title_match(item)
            case Kind.RATING_LEADER:
                filling.rating_leaders(item)
            case Kind.WORLD_CUP:
                filling.world_cup(item)
            case _:
                filling.named(item)
    return Qualification(tuple(filling.places), tuple(filling.findings))


def take_reserves(
    places: Sequence[Place], reserves: Sequence[Reserve]
) -> tuple[tuple[Place, ...], tuple[Reserve, ...]]:
    """The empty places of the reserve list with its first players, and the list without them, from 1 (R72, R74)."""
    rest = iter(reserves)
    filled = []
    for place in places:
        is_empty = place.source == Source.RESERVE and place.player is None
        reserve = next(rest, None) if is_empty else None
        filled.append(replace(place, player=reserve.player) if reserve else place)
    left = tuple(replace(reserve, position=position) for position, reserve in enumerate(rest, 1))
    return tuple(filled), left


def replace_withdrawn(  # noqa: PLR0917
    items: Sequence[PlacesOfItem],
    claims: Claims,
    places: Sequence[Place],
    reserves: Sequence[Reserve],
    withdrawals: Sequence[Withdrawal],
    council_day: date,
) -> tuple[tuple[Place, ...], tuple[Reserve, ...]]:
    """The places after withdrawals, by their days, and the rest of the reserve list (Annexes 12, 17 art. 7; R74c).

    ``places`` and ``reserves`` are as ``take_reserves`` leaves them. Before the Council's day the next one by the rule
    of the place follows, from that day on the first of the reserve list. The others keep their places; a withdrawn
    player has none and is on no list.
    """
    withdrawn: set[int] = set()
    for withdrawal in sorted(withdrawals, key=lambda one: one.day):
        withdrawn.add(withdrawal.player)
        changed = []
        for place in places:
            if place.player != withdrawal.player:
                changed.append(place)
            elif withdrawal.day < council_day:
                others = [other for other in places if other is not place]
                changed.append(_Filling.of(claims, others, withdrawn).successor(items, place))
            else:
                changed.append(replace(place, player=None, source=Source.RESERVE))
        taken = withdrawn | {place.player for place in changed}
        free = [reserve for reserve in reserves if reserve.player not in taken]
        places, reserves = take_reserves(changed, free)
    return tuple(places), tuple(reserves)


def extra_places(
    items: Sequence[PlacesOfItem],
    extra: int,
    places: Sequence[Place],
    claims: Claims,
    championships: Collection[str],
) -> Qualification:
    """The extra places of a championship (Annex 12 Option 24, Annex 17 Option 48; R74d), for ``take_reserves``.

    The organiser's names first, as far as the option allows; in Option 24 then a player of each federation with a
    championship that has no player yet; the rest goes to the reserve list. ``items`` are those of the extra places,
    ``championships`` the federations with a national championship for women.
    """
    taken = {place.player for place in places}
    represented = {claims.federations.get(player, "") for player in taken if player is not None}
    found: list[Place] = []
    findings: list[NameFinding] = []
    for item in items:
        for player in claims.named.get(item.item, ()):
            federation = claims.federations.get(player, "")
            of_federation = item.kind == Kind.EXTRA_FEDERATION
            if player in taken:
                refused = Refused.ALREADY_QUALIFIED
            elif of_federation and federation not in championships:
                refused = Refused.NO_CHAMPIONSHIP
            elif of_federation and federation in represented:
                refused = Refused.REPRESENTED
            elif len(found) == item.places:
                refused = Refused.TOO_MANY
            else:
                found.append(Place(item.item, item.kind, player, Source.NAMED))
                taken.add(player)
                represented.add(federation)
                continue
            findings.append(NameFinding(refused, item.item, player))
    if items:
        found += [Place(items[-1].item, items[-1].kind, None, Source.RESERVE)] * (extra - len(found))
    return Qualification(tuple(found), tuple(findings))


def title_match(
    parameters: Parameters,
    champion: int,
    former_champion: int | None,
    medallists: Sequence[int],
    refused: Collection[int] = (),
    *,
    previous_match_played: bool = True,
) -> tuple[int, int] | None:
    """The two players with the right to the title match; None without two (Annexes 12 art. 10, 17 art. 11; R75).

    The new champion plays the former one, or the second if the champion stays; numbers 1 and 2 of the championship
    where the previous match was not played. Who refuses is replaced by the next medallist of that championship.
    """
    in_order = [player for player in medallists[: parameters.medallists] if player != champion]
    former_plays = previous_match_played and former_champion is not None and former_champion != champion
    rightful = [champion, former_champion] if former_plays else [champion, *in_order[:1]]
    pair = [player for player in rightful if player is not None and player not in refused]
    for player in in_order:
        if len(pair) < 2 and player not in rightful and player not in refused:
            pair.append(player)
    return (pair[0], pair[1]) if len(pair) == 2 else None


class _Filling:
    """The places filled so far, item by item."""

    def __init__(self, claims: Claims) -> None:
        self.claims = claims
        self.places: list[Place] = []
        self.findings: list[NameFinding] = []
        self.qualified: set[int] = set()
        self.continental: Counter[str] = Counter()  # places of each federation (R74a)
        self.of_cup: Counter[str] = Counter()
        self.handed_on = 0  # places of rating leaders who are qualified already

    @classmethod
    def of(cls, claims: Claims, places: Sequence[Place], withdrawn: Collection[int]) -> Self:
        """The state with these places filled, where withdrawn players can have none."""
        filling = cls(claims)
        filling.places = list(places)
        filling.qualified = {*withdrawn, *(place.player for place in places if place.player is not None)}
        for place in places:
            if place.player is not None and place.source == Source.WORLD_CUP:
                filling._count(filling.of_cup, place.player)
            elif place.player is not None and (place.kind, place.source) == (Kind.CONTINENT, Source.NAMED):
                filling._count(filling.continental, place.player)
        return filling

    def successor(self, items: Sequence[PlacesOfItem], place: Place) -> Place:
        """The place of a withdrawn player with the next one by its rule; a place of the reserve list without one."""
        cup = next((item for item in items if item.kind == Kind.WORLD_CUP), None)
        own = next((item for item in items if item.item == place.item), None)
        by_cup = (Kind.CHAMPION, Kind.RATING_LEADER, Kind.WORLD_CUP)
        if place.source != Source.RESERVE and own is not None:
            if own.kind == Kind.TITLE_MATCH:
                return self._next_of_match(place)
            if own.kind in NAMED_KINDS:
                return self._next_of(
                    own, self.claims.named.get(own.item, ()), place, Source.NAMED, Source.OPEN
                )
            if own.kind in by_cup and cup is not None:
                return self._next_of(cup, self.claims.world_cup, place, Source.WORLD_CUP, Source.RESERVE)
        return replace(place, player=None, source=Source.RESERVE)

    def _next_of(
        self, item: PlacesOfItem, order: Sequence[int], place: Place, source: Source, otherwise: Source
    ) -> Place:
        free = (one for one in order if one not in self.qualified and self._within_limit(item, one))
        player = next(free, None)
        return replace(place, player=player, source=otherwise if player is None else source)

    def _next_of_match(self, place: Place) -> Place:
        champion = self.claims.champion
        refusers = [one for one, _ in self._match_order() if one in self.claims.refused and one != champion]
        # A refuser whose place has gone to the reserve list gives no second one.
        settled = sum(other.item == place.item and other.source == Source.RESERVE for other in self.places)
        passed = {champion, *self.qualified, *refusers[:settled]}
        for player, source in self._match_order():
            if player not in passed:
                is_refused = player in self.claims.refused
                return replace(
                    place,
                    player=None if is_refused else player,
                    source=Source.RESERVE if is_refused else source,
                )
        return replace(place, player=None, source=Source.OPEN)

    def _match_order(self) -> list[tuple[int, Source]]:
        order = [(player, Source.FINAL_CLASSIFICATION) for player in self.claims.final_classification]
        opponent = self.claims.opponent
        if not self.claims.match_played or opponent is None:
            return order
        return [(opponent, Source.OPPONENT), *(one for one in order if one[0] != opponent)]

    def champion(self, item: PlacesOfItem) -> None:
        champion = self.claims.champion
        if champion is None:
            self._take(item, None, Source.OPEN)
        elif champion in self.claims.refused:
            self._take(item, None, Source.RESERVE)
        else:
            self._take(item, champion, Source.CHAMPION)

    def title_match(self, item: PlacesOfItem) -> None:
        # The place of a champion who refused has gone to the reserve list as item 1.
        passed = self.qualified | {self.claims.champion}
        for player, source in self._match_order():
            if self._left(item) and player not in passed:
                passed.add(player)
                is_refused = player in self.claims.refused
                self._take(item, None if is_refused else player, Source.RESERVE if is_refused else source)
        self._fill(item, Source.OPEN)

    def named(self, item: PlacesOfItem) -> None:
        for player in self.claims.named.get(item.item, ()):
            if player in self.qualified:
                self._refuse(Refused.ALREADY_QUALIFIED, item, player)
            elif not self._within_limit(item, player):
                self._refuse(Refused.FEDERATION_LIMIT, item, player)
            elif not self._left(item):
                self._refuse(Refused.TOO_MANY, item, player)
            else:
                self._take(item, player, Source.NAMED)
                if item.kind == Kind.CONTINENT:
                    self._count(self.continental, player)
        self._fill(item, Source.OPEN)

    def rating_leaders(self, item: PlacesOfItem) -> None:
        for player in self.claims.leaders[: item.places]:
            if player in self.qualified:
                self.handed_on += 1
            else:
                self._take(item, player, Source.RATING)
        self.handed_on += item.places - len(self.claims.leaders[: item.places])

    def world_cup(self, item: PlacesOfItem) -> None:
        for player in self.claims.world_cup:
            is_free = player not in self.qualified and self._within_limit(item, player)
            if is_free and self._left(item, self.handed_on):
                self._take(item, player, Source.WORLD_CUP)
                self._count(self.of_cup, player)
        self._fill(item, Source.RESERVE, self.handed_on)

    def _take(self, item: PlacesOfItem, player: int | None, source: Source) -> None:
        self.places.append(Place(item.item, item.kind, player, source))
        if player is not None:
            self.qualified.add(player)

    def _left(self, item: PlacesOfItem, more: int = 0) -> int:
        return item.places + more - sum(place.item == item.item for place in self.places)

    def _fill(self, item: PlacesOfItem, source: Source, more: int = 0) -> None:
        for _ in range(self._left(item, more)):
            self._take(item, None, source)

    def _within_limit(self, item: PlacesOfItem, player: int) -> bool:
        federation = self.claims.federations.get(player, "")
        limit = item.limits[federation not in self.claims.group_a]
        taken = self.continental[federation] + (item.kind == Kind.WORLD_CUP) * self.of_cup[federation]
        return limit is None or taken < limit

    def _count(self, counter: Counter[str], player: int) -> None:
        counter[self.claims.federations.get(player, "")] += 1

    def _refuse(self, code: Refused, item: PlacesOfItem, player: int) -> None:
        self.findings.append(NameFinding(code, item.item, player))
