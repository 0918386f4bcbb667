"""The board of a period: its competitions by stage, each with why it stands there and where it counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from django.utils import timezone

from reporting.models import Announcement, Report, Tournament
from reporting.regulations import report_due
from reporting.reports.selectors.inbox import MissingReport


class TournamentStage(StrEnum):
    """Where a competition stands on the board; each stands in one place."""

    ANNOUNCED = "announced"
    RECEIVED = "received"
    ACCEPTED = "accepted"
    LATE = "late"
    EXCLUDED = "excluded"


class ExclusionReason(StrEnum):
    """ExclusionReason a competition stands where it does."""

    NOT_RECEIVED = "not_received"
    OFFICE = "office"
    TAKEN_BACK = "taken_back"
    RETURNED = "returned"
    BEING_EDITED = "being_edited"
    COUNTED = "counted"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"
    AFTER_CLOSING = "after_closing"
    AFTER_FREEZE = "after_freeze"
    REPLACED = "replaced"
    CORRECTS = "corrects"


PENDING = frozenset(
    {
        ExclusionReason.OFFICE,
        ExclusionReason.TAKEN_BACK,
        ExclusionReason.RETURNED,
        ExclusionReason.BEING_EDITED,
    }
)
CLOSED = frozenset({ExclusionReason.REJECTED, ExclusionReason.WITHDRAWN})


@dataclass(frozen=True)
class OtherList:
    """The list in which a competition counts instead: it does already, or will once its report is accepted.

    `revision` is given where it counts by a correction of that list. Of a competition that was counted it is the
    revision which counts it no longer.
    """

    in_force: date
    counted: bool = False
    revision: int | None = None


@dataclass(frozen=True)
class TournamentStatus:
    """A competition on the board of a period.

    `received` is the day its report reached the office (R11); None while it has not. `since` is the last act on it
    and `by` whose it was. `other_list` is None for what counts here, or nowhere.
    """

    stage: TournamentStage
    reason: ExclusionReason
    tournament: Tournament | Announcement
    report: Report | None = None
    received: date | None = None
    since: datetime | None = None
    by: str = ""
    other_list: OtherList | None = None

    @property
    def due(self) -> date:
        """The last day on which its report is in time (R11)."""
        return report_due(self.tournament.played_to)

    @property
    def days_late(self) -> int:
        """Days after the last day in time; 0 or less when it was, or still can be (R11)."""
        return ((self.received or timezone.localdate()) - self.due).days

    @property
    def days_since_last_round(self) -> int:
        """Below zero while it is still played."""
        return (timezone.localdate() - self.tournament.played_to).days

    @property
    def can_be_reminded(self) -> bool:
        """Whether it is over, its report has not come, and the last reminder is long enough ago."""
        return (
            isinstance(self.tournament, Announcement)
            and self.days_since_last_round > 0
            and MissingReport(self.tournament).can_be_reminded
        )

    @property
    def days_waiting(self) -> int:
        """Whole days since the last act."""
        return (timezone.localdate() - timezone.localdate(self.since)).days if self.since else 0

    @property
    def is_counted(self) -> bool:
        """Whether it is in the list of this period."""
        return self.reason is ExclusionReason.COUNTED

    @property
    def is_pending(self) -> bool:
        """Whether somebody has its report in hand: the office or the referee."""
        return self.reason in PENDING

    @property
    def admitted_reason(self) -> str:
        return self.report.admitted_reason if self.report and self.is_counted else ""

    @property
    def kind(self) -> str:
        """`women`, `youth` or nothing; an announcement does not tell."""
        if isinstance(self.tournament, Announcement):
            return ""
        return "women" if self.tournament.women_only else "youth" if self.tournament.youth else ""


@dataclass(frozen=True)
class PeriodStatus:
    """The competitions of a period by stage, within each by the day of the last round."""

    lines: Sequence[TournamentStatus]

    def in_stage(self, stage: TournamentStage) -> list[TournamentStatus]:
        return [line for line in self.lines if line.stage is stage]

    @property
    def stages(self) -> list[tuple[TournamentStage, list[TournamentStatus]]]:
        return [(stage, self.in_stage(stage)) for stage in TournamentStage]

    @property
    def counts(self) -> dict[str, int]:
        return {stage.value: len(lines) for stage, lines in self.stages}

    @property
    def counted(self) -> list[TournamentStatus]:
        """What the list counts."""
        return [line for line in self.lines if line.is_counted]

    @property
    def waiting(self) -> list[TournamentStatus]:
        """Handed in and not accepted: a freeze leaves them to the next list (R11)."""
        return [line for line in self.lines if line.is_pending]

    @property
    def with_the_office(self) -> int:
        return sum(line.reason in {ExclusionReason.OFFICE, ExclusionReason.TAKEN_BACK} for line in self.lines)

    @property
    def with_the_referee(self) -> int:
        return len(self.waiting) - self.with_the_office

    @property
    def overdue(self) -> int:
        """Announced, and the last day in time is over (R11)."""
        return sum(line.days_late > 0 for line in self.in_stage(TournamentStage.ANNOUNCED))

    @property
    def late_admitted(self) -> int:
        return sum(line.is_counted for line in self.in_stage(TournamentStage.LATE))

    @property
    def countries(self) -> list[str]:
        """Codes of the federations on it, in order."""
        return sorted({line.tournament.country_id or "" for line in self.lines} - {""})

    def filtered(self, *, country: str = "", kind: str = "") -> "PeriodStatus":
        """The lines of one federation and one kind (`women`, `youth`); an empty word keeps all."""
        return PeriodStatus(
            [
                line
                for line in self.lines
                if country in ("", line.tournament.country_id) and kind in ("", line.kind)
            ]
        )
