"""A World Cup event before its report: states, due days, prizes and conditions (Annex 18 with Appendix A; R70f)."""

from __future__ import annotations

import calendar
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import StrEnum
from itertools import zip_longest
from typing import Any

from reporting.federations.fmjd.details import RefereeLevel
from reporting.federations.fmjd.editions import CupPrizes, FmjdEdition
from reporting.rules.details.shared_details import System
from reporting.rules.lifecycle import Lifecycle, StateRow


class EventState(StrEnum):
    """The state of a proposal for a World Cup event."""

    PROPOSED = "proposed"
    APPROVED = "approved"
    RETURNED = "returned"
    REPLACED = "replaced"


class EventMove(StrEnum):
    """What happens to a proposal."""

    APPROVE = "approve"
    RETURN = "return"
    REPLACE = "replace"


class EventTurn(StrEnum):
    """Who acts next."""

    PROPOSER = "national official"
    DIRECTOR = "tournament director"
    NONE = "none"


EVENT_LIFECYCLE: Lifecycle[EventState, EventMove, EventTurn] = {
    EventState.PROPOSED: StateRow(
        "proposed by the national official or the office; a tournament director who did not propose it decides",
        EventTurn.DIRECTOR,
        {
            EventMove.APPROVE: EventState.APPROVED,
            EventMove.RETURN: EventState.RETURNED,
            EventMove.REPLACE: EventState.REPLACED,
        },
    ),
    EventState.APPROVED: StateRow(
        "in force: the calendar shows it and the report takes stars and groups from it",
        EventTurn.NONE,
        {EventMove.REPLACE: EventState.REPLACED},
    ),
    EventState.RETURNED: StateRow(
        "returned with a reason; the next proposal is a new one", EventTurn.PROPOSER
    ),
    EventState.REPLACED: StateRow("replaced by a later proposal, or by its approval", EventTurn.NONE),
}
"""The lifecycle of a proposal. A change of an approved event is a proposal of its own; until then the first counts."""


@dataclass(frozen=True, kw_only=True)
class EventConditions:
    """What is proposed for an event; money in whole euros, the prizes first place first, the fee with cents.

    ``rounds`` are the planned ones. ``tie_breaks`` are keys in order; ``regulations_on`` is the day on which the
    regulations were delivered, None while they were not.
    """

    stars: int
    groups: str
    prizes_open: Sequence[int]
    prizes_women: Sequence[int]
    system: str
    rounds: int
    tie_breaks: Sequence[str]
    referee_level: str
    entry_fee: Decimal
    regulations_on: date | None

    @property
    def prize_money(self) -> int:
        """The sum of all prizes in euros."""
        return sum(self.prizes_open) + sum(self.prizes_women)


@dataclass(frozen=True)
class EventDueDays:
    """The last days, each included, on which something can be done for an event (Annex 18 conditions 5, 11, 19)."""

    other_system: date
    regulations: date
    more_stars: date


def event_due_days(edition: FmjdEdition, first_day: date) -> EventDueDays:
    """The due days of an event that begins on a day."""
    return EventDueDays(
        other_system=months_before(first_day, edition.world_cup_other_system_months),
        regulations=months_before(first_day, edition.world_cup_regulations_months),
        more_stars=months_before(first_day, edition.world_cup_more_stars_months),
    )


def months_before(day: date, months: int) -> date:
    """The same day of the month so many months earlier, or the last one of a shorter month (as R71)."""
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


@dataclass(frozen=True)
class Prize:
    """A prize against the printed one, in euros; ``least`` and ``proposed`` are 0 where there is none."""

    least: int
    proposed: int

    @property
    def short_by(self) -> int:
        """What the proposed prize lacks."""
        return max(0, self.least - self.proposed)


@dataclass(frozen=True)
class PrizesOfPlace:
    """The prizes of a place in both categories."""

    place: int
    open: Prize
    women: Prize

    @property
    def categories(self) -> tuple[Prize, Prize]:
        """The prizes, open first."""
        return self.open, self.women


def compare_prizes(edition: FmjdEdition, conditions: EventConditions) -> list[PrizesOfPlace]:
    """The proposed prizes place by place against the printed minima of these stars (Annex 18 Appendix A)."""
    least = edition.world_cup_prizes.get(conditions.stars, CupPrizes((), ()))
    rows = zip_longest(least.open, conditions.prizes_open, least.women, conditions.prizes_women, fillvalue=0)
    return [
        PrizesOfPlace(place, Prize(least_open, open_), Prize(least_women, women))
        for place, (least_open, open_, least_women, women) in enumerate(rows, 1)
    ]


class Condition(StrEnum):
    """A condition of Annex 18 that a proposal may not meet; the proposer and the approver are warned (R70f)."""

    TIE_BREAKS = "tie-breaks"
    SYSTEM = "system"
    OTHER_SYSTEM_LATE = "other-system-late"
    REFEREE = "referee"
    FEE = "fee"
    REGULATIONS = "regulations"
    REGULATIONS_LATE = "regulations-late"
    PRIZES = "prizes"


@dataclass(frozen=True)
class UnmetCondition:
    """A warning: the condition, and the values of its sentence."""

    condition: Condition
    values: Mapping[str, Any] = field(default_factory=dict)


def unmet_conditions(
    edition: FmjdEdition, conditions: EventConditions, first_day: date, proposed_on: date, today: date
) -> Iterator[UnmetCondition]:
    """What of Annex 18 a proposal does not meet, in the order of its conditions (R70f).

    From the stars on that allow other systems, one is announced by the day of the proposal, and tie-breaks are free.
    """
    due = event_due_days(edition, first_day)
    is_standard = conditions.stars < edition.world_cup_other_systems_from
    other_tie_breaks = (
        conditions.system == System.SWISS and tuple(conditions.tie_breaks) != edition.world_cup_tie_breaks
    )
    other_system = not _is_system_of_table(edition, conditions)
    if is_standard and other_tie_breaks:
        yield UnmetCondition(Condition.TIE_BREAKS, {"expected": edition.world_cup_tie_breaks})
    if is_standard and other_system:
        yield UnmetCondition(Condition.SYSTEM)
    if not is_standard and (other_system or other_tie_breaks) and proposed_on > due.other_system:
        yield UnmetCondition(Condition.OTHER_SYSTEM_LATE, {"due": due.other_system})
    if conditions.referee_level not in (RefereeLevel.FMJD, RefereeLevel.INTERNATIONAL):
        yield UnmetCondition(Condition.REFEREE)
    if conditions.entry_fee > edition.world_cup_fee:
        yield UnmetCondition(Condition.FEE, {"most": edition.world_cup_fee})
    if conditions.regulations_on is None and today > due.regulations:
        yield UnmetCondition(Condition.REGULATIONS, {"due": due.regulations})
    if conditions.regulations_on is not None and conditions.regulations_on > due.regulations:
        yield UnmetCondition(Condition.REGULATIONS_LATE, {"due": due.regulations})
    short_by = sum(row.open.short_by + row.women.short_by for row in compare_prizes(edition, conditions))
    if short_by:
        yield UnmetCondition(Condition.PRIZES, {"short_by": short_by})


def _is_system_of_table(edition: FmjdEdition, conditions: EventConditions) -> bool:
    """Whether the table has this system with so many rounds for some number of players (condition 3)."""
    return any(
        one.system == conditions.system and conditions.rounds in one.rounds_with(players)
        for one in edition.world_cup_systems
        for players in range(one.least_players, (one.most_players or one.least_players) + 1)
    )
