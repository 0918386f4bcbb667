"""The status of a period: its tournaments by stage, each with the reason and the list in which it counts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from hashlib import sha256

from django.db.models import TextChoices
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from reporting.models import Report, ResultSet, Tournament
from reporting.reports.selectors.inbox import MissingReport
from reporting.rules.regulations.editions import report_due


class TournamentStage(TextChoices):
    """The stage of a tournament in a period; it is in one stage only."""

    ANNOUNCED = "announced", _("Announced, not received")
    RECEIVED = "received", _("Received in time, not accepted yet")
    ACCEPTED = "accepted", _("Accepted")
    LATE = "late", _("Late: submitted after the last day in time")
    EXCLUDED = "excluded", _("Excluded")


class ExclusionReason(StrEnum):
    """Why a tournament is in its stage; templates/office/period_status_notes.html has the sentences."""

    NOT_RECEIVED = "not_received"
    OFFICE = "office"
    ACCEPTANCE_UNDONE = "acceptance_undone"
    RETURNED = "returned"
    BEING_EDITED = "being_edited"
    COUNTED = "counted"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"
    AFTER_CLOSING = "after_closing"
    AFTER_FREEZE = "after_freeze"
    REPLACED = "replaced"
    CORRECTS = "corrects"


class StatusTag(TextChoices):
    """The status of a tournament in one word, for the table of a period."""

    IN_LIST = "in_list", _("In list")
    NOT_RECEIVED = "not_received", _("Not received")
    NOT_OVER = "not_over", _("Not over yet")
    OVERDUE = "overdue", _("Overdue")
    EXPECTED = "expected", _("Expected")
    OFFICE = "office", _("Office")
    REFEREE = "referee", _("Referee")
    REJECTED = "rejected", _("Rejected")
    WITHDRAWN = "withdrawn", _("Withdrawn")
    NOT_IN_LIST = "not_in_list", _("Not in list")

    @property
    def tone(self) -> str:
        """The colour of the tag, if any."""
        tones = {
            "in_list": "good", "overdue": "bad", "office": "stamp", "referee": "warn", "rejected": "bad",
            "not_in_list": "warn",
        }  # fmt: skip
        return tones.get(self.value, "")


class TournamentKind(TextChoices):
    """What a period can be filtered by."""

    WOMEN = "women", _("Women")
    YOUTH = "youth", _("Youth")


WITH_OFFICE = frozenset({ExclusionReason.OFFICE, ExclusionReason.ACCEPTANCE_UNDONE})
PENDING = WITH_OFFICE | {ExclusionReason.RETURNED, ExclusionReason.BEING_EDITED}
SETTLED = frozenset(
    {ExclusionReason.REJECTED, ExclusionReason.WITHDRAWN, ExclusionReason.REPLACED, ExclusionReason.CORRECTS}
)
CLOSED = frozenset({ExclusionReason.REJECTED, ExclusionReason.WITHDRAWN})


@dataclass(frozen=True)
class OtherList:
    """The list in which a tournament counts instead: already, or once its report is accepted.

    No day where the office has not chosen it. `revision` is given where it counts by a correction of that list. Of a
    tournament that was counted it is the revision that no longer counts its report, and counts a corrected one
    (`counted`) or none.
    """

    in_force: date | None
    counted: bool = False
    revision: int | None = None


@dataclass(frozen=True)
class TournamentStatus:
    """A tournament in a period.

    `received` is the day its report reached the office (R11), if it has; `registered` that on which its results were
    registered, where its regulations ask for that. `since` is the time of the last act and `by`
    the name of its author. `other_list` is None for what counts here, or nowhere. `at_freeze` says that this is the
    state at the freeze.
    """

    stage: TournamentStage
    reason: ExclusionReason
    tournament: ResultSet | Tournament
    report: Report | None = None
    received: date | None = None
    registered: date | None = None
    since: datetime | None = None
    by: str = ""
    other_list: OtherList | None = None
    at_freeze: bool = False

    @property
    def tag(self) -> StatusTag:
        if self.is_counted:
            tag = StatusTag.IN_LIST
        elif self.stage is TournamentStage.ANNOUNCED:
            tag = self._announced_tag
        elif self.is_pending and self.stage is not TournamentStage.EXCLUDED:
            tag = StatusTag.OFFICE if self.reason in WITH_OFFICE else StatusTag.REFEREE
        elif self.reason in CLOSED:
            tag = StatusTag(self.reason.value)
        else:
            tag = StatusTag.NOT_IN_LIST
        return tag

    @property
    def _announced_tag(self) -> StatusTag:
        if self.at_freeze:
            return StatusTag.NOT_RECEIVED
        if self.days_since_last_round <= 0:
            return StatusTag.NOT_OVER
        return StatusTag.OVERDUE if self.days_late > 0 else StatusTag.EXPECTED

    @property
    def due(self) -> date | None:
        """The last day on which its report is in time (R11); None where its regulations set none."""
        tournament = self.tournament
        return report_due(tournament.played_to, tournament.discipline, tournament.rating_system)

    @property
    def days_late(self) -> int:
        """Days after the last day in time; 0 or less where the report was in time, or still can be (R11).

        A correction is never late (R11a), nor a report without such a day.
        """
        if self.due is None or (self.report is not None and self.report.corrects_id is not None):
            return 0
        return ((self.received or timezone.localdate()) - self.due).days

    @property
    def days_since_last_round(self) -> int:
        """Negative while it is still being played."""
        return (timezone.localdate() - self.tournament.played_to).days

    @property
    def can_be_reminded(self) -> bool:
        """Whether it is over, has no report, and the last reminder is long enough ago."""
        return (
            isinstance(self.tournament, Tournament)
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
        """Whether its report waits for the office or the referee."""
        return self.reason in PENDING

    @property
    def admitted_reason(self) -> str:
        return self.report.admitted_reason if self.report and self.is_counted else ""

    @property
    def kind(self) -> TournamentKind | None:
        """None for other tournaments, and for an announcement, which does not have it."""
        if isinstance(self.tournament, Tournament):
            return None
        if self.tournament.women_only:
            return TournamentKind.WOMEN
        return TournamentKind.YOUTH if self.tournament.youth_only else None


@dataclass(frozen=True)
class PeriodStatus:
    """The tournaments of a period by stage, then by the day of the last round."""

    lines: Sequence[TournamentStatus]

    @property
    def digest(self) -> str:
        """A digest of the reports, what becomes of each, and those overdue; the same until one changes."""
        reports = sorted((line.stage, line.reason, line.report.pk) for line in self.lines if line.report)
        overdue = sorted((line.tournament.name, line.tournament.pk) for line in self.overdue_lines)
        return sha256(repr((reports, overdue)).encode()).hexdigest()[:16]

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
        """Submitted and not accepted: they count in the next list if the period is frozen now (R11)."""
        return [line for line in self.lines if line.is_pending]

    @property
    def with_the_office(self) -> int:
        return sum(line.reason in WITH_OFFICE for line in self.lines)

    @property
    def with_the_referee(self) -> int:
        return len(self.waiting) - self.with_the_office

    def waiting_for_registration(self, closing: date, freezes_on: date) -> list[TournamentStatus]:
        """Reported by the closing date and not in the list: registered on the day of the freeze or later, or pending.

        Of results that have to be registered; a report that arrived after the freeze too.
        """
        return [
            line
            for line in self.lines
            if line.registered is not None
            and line.received is not None
            and line.received <= closing
            and (
                (line.registered >= freezes_on and line.reason not in SETTLED)
                or line.is_pending
                or line.reason is ExclusionReason.AFTER_FREEZE
            )
        ]

    @property
    def overdue_lines(self) -> list[TournamentStatus]:
        """Announced without a report after the last day in time (R11)."""
        return [line for line in self.in_stage(TournamentStage.ANNOUNCED) if line.days_late > 0]

    @property
    def overdue(self) -> int:
        return len(self.overdue_lines)

    @property
    def late_admitted(self) -> int:
        return sum(line.is_counted for line in self.in_stage(TournamentStage.LATE))

    @property
    def countries(self) -> list[str]:
        """Codes of the federations, in order."""
        return sorted({line.tournament.country_id or "" for line in self.lines} - {""})

    def filtered(self, *, country: str = "", kind: str = "") -> "PeriodStatus":
        """The lines of one federation and one kind; an empty value keeps all."""
        return PeriodStatus(
            [
                line
                for line in self.lines
                if country in ("", line.tournament.country_id) and kind in ("", line.kind)
            ]
        )
