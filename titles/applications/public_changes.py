"""What applications change in the register of titles, for the feed of changes."""

from collections.abc import Iterator, Sequence

from ratings.models import PublicChange
from ratings.publishing.public_changes.registry import change_of
from reporting.models import LogEntry
from titles.models import TitleApplication

EVENTS = {
    "application.register": PublicChange.Event.TITLE_REGISTERED,
    "application.withdraw_title": PublicChange.Event.TITLE_WITHDRAWN,
}


def find_changes(entries: Sequence[LogEntry]) -> Iterator[PublicChange]:
    """The titles registered and withdrawn. 1 query."""
    numbers = {entry.pk: int(entry.subject.removeprefix("application ")) for entry in entries}
    applications = TitleApplication.objects.in_bulk(set(numbers.values()))
    for entry in entries:
        application = applications[numbers[entry.pk]]
        yield change_of(
            entry,
            EVENTS[entry.action],
            player_id=application.player_id,
            title=application.title,
            discipline=application.discipline,
        )
