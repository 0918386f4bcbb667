"""Who has the right to a title match, and who holds the title (Annexes 12 art. 10 and 17 art. 11; R75)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from reporting.models import Player
from titles.federations.fmjd.champions.medals import LAST_MEDAL, Podium, surviving_players
from titles.federations.fmjd.models import TitleMatchStep
from titles.federations.fmjd.rules.championship_kinds import ChampionshipKind
from titles.federations.fmjd.rules.world_cup.parameters import edition_in_force
from titles.federations.fmjd.rules.world_cup.qualification import title_match

Move = TitleMatchStep.Move


class NoRight(StrEnum):
    """Why no two players have the right to a match."""

    CHAMPION_UNKNOWN = "champion-unknown"
    PLACES_UNCLEAR = "places-unclear"
    NOT_ENTERED = "not-entered"
    TOO_FEW = "too-few"


@dataclass(frozen=True)
class Step:
    """A step of a title match, with the surviving records of its players; withdrawn ones do not count."""

    written: TitleMatchStep
    player: Player | None
    opponent: Player | None
    is_withdrawn: bool


@dataclass(frozen=True)
class TitleMatch:
    """The title match after a championship: who won the title, who held it before, who has the right to the match now.

    `champion` is None where the report or the register does not name one person. `pair` is None where `no_right` says
    why. `ended` is the step that says that it was played or is not; `holder` has the title after it.
    """

    kind: ChampionshipKind
    year: int
    champion: Player | None
    former: Player | None
    former_since: int | None
    pair: tuple[Player, Player] | None
    no_right: NoRight | None
    steps: Sequence[Step]
    ended: Step | None
    holder: Player | None

    @property
    def refused(self) -> list[Player]:
        """Who refused, in order."""
        return [
            step.player
            for step in self.steps
            if step.written.move == Move.REFUSE and not step.is_withdrawn and step.player
        ]

    @property
    def newest(self) -> int:
        """The number of the newest step, 0 for none; what a person saw."""
        return self.steps[-1].written.pk if self.steps else 0

    @property
    def last_in_force(self) -> Step | None:
        """The only step that can be withdrawn: the newest that counts."""
        return next((step for step in reversed(self.steps) if not step.is_withdrawn), None)


def title_matches(kind: ChampionshipKind, podiums: Sequence[Podium]) -> list[TitleMatch]:
    """The title matches after the championships of a kind that gives the right, the newest first. 2 queries."""
    steps = _steps_of(kind)
    found: list[TitleMatch] = []
    holder, since, previous_played = None, None, True
    for podium in sorted((one for one in podiums if one.kind == kind), key=lambda one: one.year):
        of_year = steps.get(podium.year, [])
        match = _match(podium, of_year, holder, since, previous_played=previous_played)
        found.append(match)
        previous_played = match.ended is not None and match.ended.written.move == Move.PLAY
        since = since if match.holder is not None and match.holder == holder else podium.year
        holder = match.holder
    return found[::-1]


def _match(
    podium: Podium, steps: Sequence[Step], former: Player | None, since: int | None, *, previous_played: bool
) -> TitleMatch:
    champion, medallists, unclear = _medallists(podium)
    counting = [step for step in steps if not step.is_withdrawn]
    refused = {step.player.pk for step in counting if step.written.move == Move.REFUSE and step.player}
    ended = next((step for step in counting if step.written.move in {Move.PLAY, Move.CANCEL}), None)
    pair, no_right = None, None
    if champion is None:
        no_right = NoRight.CHAMPION_UNKNOWN
    else:
        persons = {player.pk: player for player in (champion, former, *medallists) if player}
        keys = title_match(
            edition_in_force(date(podium.year, 12, 31)),
            champion.pk,
            former.pk if former else None,
            [player.pk for player in medallists],
            refused,
            previous_match_played=previous_played,
        )
        if keys is None and unclear:
            no_right = NoRight.PLACES_UNCLEAR
        elif keys is None:
            is_complete = podium.tournament is not None or len(medallists) == LAST_MEDAL
            no_right = NoRight.TOO_FEW if is_complete else NoRight.NOT_ENTERED
        else:
            pair = persons[keys[0]], persons[keys[1]]
    is_played = ended is not None and ended.written.move == Move.PLAY
    return TitleMatch(
        kind=podium.kind,
        year=podium.year,
        champion=champion,
        former=former,
        former_since=since,
        pair=pair,
        no_right=no_right,
        steps=steps,
        ended=ended,
        holder=ended.player if ended and is_played else champion,
    )


def _medallists(podium: Podium) -> tuple[Player | None, list[Player], bool]:
    """The champion, the medallists in order, and whether one is left out whose place or record is not clear.

    From a place on that players share, or whose player is not in the register, the order is not known (decision 0216).
    """
    medallists: list[Player] = []
    for medals in podium.by_place:
        if len(medals) != 1 or medals[0].player is None:
            return (medallists[0] if medallists else None), medallists, bool(medals)
        medallists.append(medals[0].player)
    return medallists[0], medallists, False


def _steps_of(kind: ChampionshipKind) -> dict[int, list[Step]]:
    """The steps of the title matches of a kind by the year of the championship, in order. 2 queries."""
    written = list(
        TitleMatchStep.objects.filter(championship=kind.code)
        .select_related("player", "opponent", "by")
        .order_by("pk")
    )
    withdrawn = {step.withdraws_id for step in written if step.withdraws_id}
    keys = {key for step in written for key in (step.player_id, step.opponent_id) if key}
    surviving = surviving_players(keys)
    found: dict[int, list[Step]] = {}
    for step in written:
        is_withdrawn = step.pk in withdrawn or step.move == Move.WITHDRAW
        found.setdefault(step.year, []).append(
            Step(
                step,
                surviving.get(step.player_id or 0, step.player),
                surviving.get(step.opponent_id or 0, step.opponent),
                is_withdrawn,
            )
        )
    return found
