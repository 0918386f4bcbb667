"""The board of a period: its competitions by stage, each with why it stands there and where it counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from django.utils import timezone

from reporting.models import Announcement, Report, Tournament
from reporting.regulations import report_due
from reporting.reports.selectors.inbox import Missing


class Stage(StrEnum):
    """Where a competition stands on the board; each stands in one place."""

    ANNOUNCED = "announced"
    RECEIVED = "received"
    ACCEPTED = "accepted"
    LATE = "late"
    LEFT_OUT = "left_out"


class Why(StrEnum):
    """Why a competition stands where it does."""

    NOT_RECEIVED = "not_received"
    OFFICE = "office"
    TAKEN_BACK = "taken_back"
    RETURNED = "returned"
    MENDED = "mended"
    COUNTED = "counted"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"
    AFTER_CLOSING = "after_closing"
    AFTER_FREEZE = "after_freeze"
    REPLACED = "replaced"
    CORRECTS = "corrects"


WAITS = frozenset({Why.OFFICE, Why.TAKEN_BACK, Why.RETURNED, Why.MENDED})
OVER = frozenset({Why.REJECTED, Why.WITHDRAWN})


@dataclass(frozen=True)
class Elsewhere:
    """The list in which a competition counts instead: it does already, or will once its report is accepted.

    `revision` is given where it counts by a correction of that list. Of a competition that was counted it is the
    revision which counts it no longer.
    """

    in_force: date
    counted: bool = False
    revision: int | None = None


@dataclass(frozen=True)
class BoardLine:
    """A competition on the board of a period.

    `received` is the day its report reached the office (R11); None while it has not. `since` is the last act on it
    and `by` whose it was. `elsewhere` is None for what counts here, or nowhere.
    """

    stage: Stage
    why: Why
    competition: Tournament | Announcement
    report: Report | None = None
    received: date | None = None
    since: datetime | None = None
    by: str = ""
    elsewhere: Elsewhere | None = None

    @property
    def due(self) -> date:
        """The last day on which its report is in time (R11)."""
        return report_due(self.competition.played_to)

    @property
    def days_late(self) -> int:
        """Days after the last day in time; 0 or less when it was, or still can be (R11)."""
        return ((self.received or timezone.localdate()) - self.due).days

    @property
    def days_since_last_round(self) -> int:
        """Below zero while it is still played."""
        return (timezone.localdate() - self.competition.played_to).days

    @property
    def may_be_reminded(self) -> bool:
        """Whether it is over, its report has not come, and the last reminder is long enough ago."""
        return (
            isinstance(self.competition, Announcement)
            and self.days_since_last_round > 0
            and Missing(self.competition).may_be_reminded
        )

    @property
    def days_waiting(self) -> int:
        """Whole days since the last act."""
        return (timezone.localdate() - timezone.localdate(self.since)).days if self.since else 0

    @property
    def counted(self) -> bool:
        """Whether it is in the list of this period."""
        return self.why is Why.COUNTED

    @property
    def waits(self) -> bool:
        """Whether somebody has its report in hand: the office or the referee."""
        return self.why in WAITS

    @property
    def admitted_reason(self) -> str:
        return self.report.admitted_reason if self.report and self.counted else ""

    @property
    def kind(self) -> str:
        """`women`, `youth` or nothing; an announcement does not tell."""
        if isinstance(self.competition, Announcement):
            return ""
        return "women" if self.competition.women_only else "youth" if self.competition.youth else ""


@dataclass(frozen=True)
class Board:
    """The competitions of a period by stage, within each by the day of the last round."""

    lines: Sequence[BoardLine]

    def of_stage(self, stage: Stage) -> list[BoardLine]:
        return [line for line in self.lines if line.stage is stage]

    @property
    def stages(self) -> list[tuple[Stage, list[BoardLine]]]:
        return [(stage, self.of_stage(stage)) for stage in Stage]

    @property
    def counts(self) -> dict[str, int]:
        return {stage.value: len(lines) for stage, lines in self.stages}

    @property
    def counted(self) -> list[BoardLine]:
        """What the list counts."""
        return [line for line in self.lines if line.counted]

    @property
    def waiting(self) -> list[BoardLine]:
        """Handed in and not accepted: a freeze leaves them to the next list (R11)."""
        return [line for line in self.lines if line.waits]

    @property
    def with_the_office(self) -> int:
        return sum(line.why in {Why.OFFICE, Why.TAKEN_BACK} for line in self.lines)

    @property
    def with_the_referee(self) -> int:
        return len(self.waiting) - self.with_the_office

    @property
    def overdue(self) -> int:
        """Announced, and the last day in time is over (R11)."""
        return sum(line.days_late > 0 for line in self.of_stage(Stage.ANNOUNCED))

    @property
    def admitted_late(self) -> int:
        return sum(line.counted for line in self.of_stage(Stage.LATE))

    @property
    def countries(self) -> list[str]:
        """Codes of the federations on it, in order."""
        return sorted({line.competition.country_id or "" for line in self.lines} - {""})

    def only(self, *, country: str = "", kind: str = "") -> "Board":
        """The lines of one federation and one kind (`women`, `youth`); an empty word keeps all."""
        return Board(
            [
                line
                for line in self.lines
                if country in ("", line.competition.country_id) and kind in ("", line.kind)
            ]
        )
