"""What acceptances change: which tournaments wait for their list. Corrected reports are told with their revision."""

from collections.abc import Iterator, Sequence

from ratings.models import PublicChange
from ratings.publishing.public_changes.registry import change_of
from reporting.models import LogEntry, Report

Event = PublicChange.Event
EVENTS = {
    "report.accept": Event.TOURNAMENT_ACCEPTED,
    "report.undo_acceptance": Event.TOURNAMENT_ACCEPTANCE_UNDONE,
}


def find_changes(entries: Sequence[LogEntry]) -> Iterator[PublicChange]:
    """The accepted tournaments, and those no longer accepted. 1 query."""
    reports = {int(entry.subject.removeprefix("report ")) for entry in entries}
    corrected = set(
        Report.objects.filter(pk__in=reports, corrects__isnull=False).values_list("pk", flat=True)
    )
    for entry in entries:
        if int(entry.subject.removeprefix("report ")) not in corrected:
            yield change_of(entry, EVENTS[entry.action], tournament_id=entry.after["tournament"])
