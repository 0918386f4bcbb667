"""The places of a championship from lists and accepted reports (Annexes 12 and 17; R72, R74 to R74d)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from reporting.models import Player, ResultSet
from titles.federations.fmjd.rules.world_cup.championship import (
    ChampionshipInput,
    HeldPlace,
    fill_championship,
)
from titles.federations.fmjd.rules.world_cup.lots import Lot
from titles.federations.fmjd.rules.world_cup.parameters import Parameters, PlacesOfItem, edition_in_force
from titles.federations.fmjd.rules.world_cup.qualification import (
    Claims,
    NameFinding,
    RatedPlayer,
    Reserve,
    Withdrawal,
)
from titles.federations.fmjd.world_cup.inputs import (
    federations_with_finals,
    list_of_1_january,
    players_by_id,
    previous_championship,
    scores,
)
from titles.federations.fmjd.world_cup.standings import world_cup_standing

WOMEN: Final = "women-20"


@dataclass(frozen=True, kw_only=True)
class GivenChampionship:
    """What is known of a championship besides lists and reports; players by FMJD-ID, `named` by item in their order.

    `previous` is the code of the previous championship's tournament, `lots` are those drawn, by source. Withdrawals
    before the `council_day` follow the rule of the place (R74c).
    """

    championship: str
    year: int
    champion: int | None = None
    opponent: int | None = None
    match_played: bool = False
    refused: tuple[int, ...] = ()
    previous: str = ""
    named: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    withdrawals: tuple[Withdrawal, ...] = ()
    council_day: date = date.max
    lots: Mapping[str, Sequence[Lot]] = field(default_factory=dict)
    extra: int = 0

    @property
    def women(self) -> bool:
        return self.championship == WOMEN

    @property
    def parameters(self) -> Parameters:
        """The edition of its year."""
        return edition_in_force(date(self.year, 1, 1))

    @property
    def items(self) -> Sequence[PlacesOfItem]:
        """The items of its system, and those of its extra places."""
        more = self.parameters.extra_items(self.championship, self.extra)
        return (*self.parameters.places[self.championship], *more)

    @property
    def players(self) -> set[int]:
        """Everyone who is given."""
        of_match = (self.champion, self.opponent, *self.refused)
        return {*filter(None, of_match), *(player for names in self.named.values() for player in names)}


@dataclass(frozen=True)
class ChampionshipPlaces:
    """The places in order of the items, names that take none, the reserve list without those who have a place.

    `finals` are the national championships of the years before, by federation and year; those of `group_a` have one in
    each (R74a). `players` has everyone on a list, by FMJD-ID; `given` is what the places follow from.
    """

    places: Sequence[HeldPlace]
    findings: Sequence[NameFinding]
    reserves: Sequence[Reserve]
    group_a: Collection[str]
    finals: Mapping[str, Mapping[int, ResultSet]]
    players: Mapping[int, Player]
    given: ChampionshipInput


def calculate_places(given: GivenChampionship) -> ChampionshipPlaces:
    """The places of a championship as they are now, and the rest of the reserve list. 19 queries at most."""
    previous = previous_championship(given.previous, women=given.women) if given.previous else []
    classified = [score.fmjd_id for found in scores(previous).values() for score in found if score.place]
    rows = list_of_1_january(given.year, women=given.women)
    cup = world_cup_standing(date(given.year - 1, 12, 31), "100", women=given.women).ranked
    finals = federations_with_finals(given.parameters, given.year, women=given.women)
    group_a = [code for code, of in finals.items() if len(of) == given.parameters.group_a_years]
    ratings = [RatedPlayer(row.register_number, row.rating, row.games_3_years) for row in rows]
    everyone = {*given.players, *classified, *(player for player, _ in cup), *(row.player for row in ratings)}
    players = players_by_id(everyone)
    from_all = ChampionshipInput(
        championship=given.championship,
        council_day=given.council_day,
        claims=Claims(
            champion=given.champion,
            opponent=given.opponent,
            match_played=given.match_played,
            refused=given.refused,
            final_classification=classified,
            named=given.named,
            federations={number: player.federation_id for number, player in players.items()},
            group_a=group_a,
        ),
        world_cup=cup,
        ratings=ratings,
        official=[row.register_number for row in rows if row.official_position is not None],
        withdrawals=given.withdrawals,
        lots=given.lots,
        extra=given.extra,
        championships=sorted(finals),
    )
    found = fill_championship(given.parameters, from_all)
    return ChampionshipPlaces(
        found.places, found.findings, found.reserves, group_a, finals, players, from_all
    )
