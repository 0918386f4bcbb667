"""The reserve list, the places of a championship and its title match (Annexes 12 and 17; R72, R74, R75)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from titles.federations.fmjd.rules.world_cup.parameters import Parameters, PlacesOfItem


class Kind(StrEnum):
    """The kinds of places, as ``places.csv`` names them."""

    CHAMPION = "champion"
    TITLE_MATCH = "title-match"
    ORGANISER_SPONSOR = "organiser-sponsor"
    CONTINENT = "continent"
    RATING_LEADER = "rating-leader"
    WORLD_CUP = "world-cup"


NAMED_KINDS = (Kind.ORGANISER_SPONSOR, Kind.CONTINENT)
"""The kinds whose players are named: by organiser, sponsor or confederation."""


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
    """Why a name takes no place (R74b)."""

    ALREADY_QUALIFIED = "already-qualified"
    FEDERATION_LIMIT = "federation-limit"
    TOO_MANY = "too-many"


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


def rating_order(parameters: Parameters, rated: Sequence[RatedPlayer]) -> list[tuple[RatedPlayer, bool]]:
    """The players with enough games, renumbered, each with whether a lot decides its place (Annex 17 App. C 1; R72).

    Of equal ratings the one with more games in three years is first; of those equal in that too, the lower number until
    lots are drawn (R72a).
    """
    enough = [player for player in rated if player.games >= parameters.reserve_games]
    equal = Counter((player.rating, player.games) for player in enough)
    ordered = sorted(enough, key=lambda player: (-player.rating, -player.games, player.player))
    return [(player, equal[player.rating, player.games] > 1) for player in ordered]


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
    """The places of the reserve list with its first players, and the list without them, numbered from 1 (R72, R74)."""
    rest = iter(reserves)
    filled = []
    for place in places:
        reserve = next(rest, None) if place.source == Source.RESERVE else None
        filled.append(Place(place.item, place.kind, reserve.player, place.source) if reserve else place)
    left = tuple(
        Reserve(position, reserve.source, reserve.rank, reserve.player, reserve.by_lot)
        for position, reserve in enumerate(rest, 1)
    )
    return tuple(filled), left


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
        self.of_federation: Counter[str] = Counter()  # places of continents and of the World Cup (R74a)
        self.handed_on = 0  # places of rating leaders who are qualified already

    def champion(self, item: PlacesOfItem) -> None:
        champion = self.claims.champion
        if champion is None:
            self._take(item, None, Source.OPEN)
        elif champion in self.claims.refused:
            self._take(item, None, Source.RESERVE)
        else:
            self._take(item, champion, Source.CHAMPION)

    def title_match(self, item: PlacesOfItem) -> None:
        order = [(player, Source.FINAL_CLASSIFICATION) for player in self.claims.final_classification]
        if self.claims.match_played and self.claims.opponent is not None:
            order.insert(0, (self.claims.opponent, Source.OPPONENT))
        # The place of a champion who refused has gone to the reserve list as item 1.
        passed = self.qualified | {self.claims.champion}
        for player, source in order:
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
                    self._count(player)
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
                self._count(player)
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
        return limit is None or self.of_federation[federation] < limit

    def _count(self, player: int) -> None:
        self.of_federation[self.claims.federations.get(player, "")] += 1

    def _refuse(self, code: Refused, item: PlacesOfItem, player: int) -> None:
        self.findings.append(NameFinding(code, item.item, player))
