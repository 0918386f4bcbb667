"""Which acts of the log change what is published, and what each of them changes (decision 0141).

Each app registers its own when it starts, for actions as `record` writes them (`list.publish`).
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from ratings.models import PublicChange
from reporting.models import LogEntry

FindChanges = Callable[[Sequence[LogEntry]], Iterable[PublicChange]]
"""Gives the changes of entries with one of its actions, without numbers; those of an entry in their order."""

PageNames = Callable[[Collection[str]], Mapping[str, str]]
"""Gives the names of the pages that its app published, by address, in the language in use."""

_registered: dict[FindChanges, frozenset[str]] = {}
_page_names: dict[PageNames, None] = {}


def register_page_names(names: PageNames) -> None:
    """Have feeds name what an upper app publishes; once each."""
    _page_names[names] = None


def page_names(pages: Collection[str]) -> Mapping[str, str]:
    """The names of published pages of upper apps by address. No query without pages."""
    found: dict[str, str] = {}
    for names in _page_names if pages else ():
        found |= names(pages)
    return found


def register_public_changes(actions: Iterable[str], find_changes: FindChanges) -> None:
    """Add what finds the public changes of entries with one of these actions; once each."""
    _registered[find_changes] = frozenset(actions)


def public_changes(entries: Sequence[LogEntry]) -> Iterator[PublicChange]:
    """The public changes of entries of the log, in the order of the entries."""
    found = [
        change
        for find_changes, actions in _registered.items()
        if (own := [entry for entry in entries if entry.action in actions])
        for change in find_changes(own)
    ]
    yield from sorted(found, key=lambda change: change.entry_id)


def change_of(entry: LogEntry, event: str, **values: object) -> PublicChange:
    """A change that an entry of the log made, without a number."""
    return PublicChange(entry=entry, at=entry.at, event=event, **values)
