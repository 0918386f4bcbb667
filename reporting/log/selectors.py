"""The audit log, filtered and paged."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone

from reporting.log.actions import registered_actions, registered_reasons
from reporting.models import LogEntry, PlayerIdentity, Report, ResultSet, Tournament, User

ENTRIES_PER_PAGE = 50
EXPORT_BATCH_SIZE = 2000  # entries read at once for the CSV file


@dataclass(frozen=True)
class LogFilter:
    """Filters of the log; empty and None match every entry. Days are of the office's zone, both inclusive.

    Without `by_address` no person is found by e-mail address.
    """

    words: str = ""
    person: str = ""
    actions: Sequence[str] = ()
    subject: str = ""
    since: date | None = None
    until: date | None = None
    by_command: bool | None = None
    by_address: bool = True


@dataclass(frozen=True)
class LogPage:
    """A page of the log, newest first; the next pages start at the entries `newer` and `older`, None at the ends."""

    entries: Sequence[LogEntry] = field(default_factory=list)
    newer: int | None = None
    older: int | None = None


def filtered_entries(log_filter: LogFilter) -> QuerySet[LogEntry]:
    """The entries that match, in no order. 1 query for each word and for the person."""
    found = LogEntry.objects.select_related("actor")
    for word in log_filter.words.split():
        labels = registered_actions().items()
        codes = [code for code, label in labels if word.casefold() in str(label).casefold()]
        given = registered_reasons().items()
        reasons = [code for code, label in given if word.casefold() in str(label).casefold()]
        found = found.filter(
            Q(subject__icontains=word)
            | Q(reason__icontains=word)
            | Q(reason__in=reasons)
            | Q(action__icontains=word)
            | Q(action__in=codes)
            | Q(actor__in=_people(word, by_address=log_filter.by_address))
        )
    if log_filter.person:
        found = found.filter(actor__in=_people(log_filter.person, by_address=log_filter.by_address))
    if log_filter.actions:
        found = found.filter(action__in=log_filter.actions)
    if log_filter.subject:
        # "report 1" does not match "report 12"; "list fmjd-100" matches all lists of the pool.
        parts = Q(subject__startswith=f"{log_filter.subject} ") | Q(
            subject__startswith=f"{log_filter.subject}/"
        )
        found = found.filter(Q(subject=log_filter.subject) | parts)
    if log_filter.since:
        found = found.filter(at__gte=_midnight(log_filter.since))
    if log_filter.until:
        found = found.filter(at__lt=_midnight(log_filter.until + timedelta(days=1)))
    if log_filter.by_command is not None:
        found = found.filter(by_command=log_filter.by_command)
    return found


def log_page(log_filter: LogFilter, *, older: int | None = None, newer: int | None = None) -> LogPage:
    """Entries newest first: those before the entry `older`, or those after the entry `newer`.

    2 queries and those of `filtered_entries`; as fast at the millionth entry as at the first. The number of an unknown
    entry is ignored.
    """
    found = filtered_entries(log_filter)
    mark = LogEntry.objects.filter(pk=newer or older or 0).values_list("at", "pk").first()
    if mark and newer:
        at, key = mark
        after = found.filter(Q(at__gt=at) | Q(pk__gt=key), at__gte=at).order_by("at", "pk")
        rows = list(after[: ENTRIES_PER_PAGE + 1])
        if rows:
            more = len(rows) > ENTRIES_PER_PAGE
            rows = rows[:ENTRIES_PER_PAGE][::-1]
            return LogPage(rows, rows[0].pk if more else None, rows[-1].pk)
    elif mark:
        found = _before(found, *mark)
    rows = list(found.order_by("-at", "-pk")[: ENTRIES_PER_PAGE + 1])
    more = len(rows) > ENTRIES_PER_PAGE
    rows = rows[:ENTRIES_PER_PAGE]
    return LogPage(rows, rows[0].pk if mark and rows else None, rows[-1].pk if more else None)


def all_entries(log_filter: LogFilter) -> Iterator[LogEntry]:
    """All entries that match, newest first, read in batches: a million need no more memory. 1 query for 2,000 entries,
    and those of `filtered_entries`."""
    found = filtered_entries(log_filter).order_by("-at", "-pk")
    rows = list(found[:EXPORT_BATCH_SIZE])
    while rows:
        yield from rows
        rows = list(_before(found, rows[-1].at, rows[-1].pk)[:EXPORT_BATCH_SIZE])


def latest_entries_by(account: User, limit: int) -> list[LogEntry]:
    """The latest actions of an account, newest first. 1 query."""
    return list(LogEntry.objects.filter(actor=account).select_related("actor").order_by("-at", "-pk")[:limit])


def reports_of_log(numbers: Collection[int]) -> QuerySet[Report]:
    """The reports that entries are about. 1 query."""
    return Report.objects.filter(pk__in=numbers).select_related("result_set")


def accounts_of_log(numbers: Collection[int]) -> QuerySet[User]:
    """The accounts that entries are about, never those of commands. 1 query."""
    return User.objects.filter(pk__in=numbers, acts_by_command=False)


def identities_of_log(texts: Collection[str]) -> list[PlayerIdentity]:
    """The numbers of players that entries are about, each given as `fmjd 12345`, with their players. 1 query."""
    by_register: dict[str, list[str]] = {}
    for text in texts:
        code, _, number = text.partition(" ")
        by_register.setdefault(code, []).append(number)
    named = Q()
    for code, numbers in by_register.items():
        named |= Q(register=code, number__in=numbers)
    return list(PlayerIdentity.objects.filter(named).select_related("player"))


def announcements_of_log(numbers: Collection[int]) -> QuerySet[Tournament]:
    """The announced tournaments that entries are about. 1 query."""
    return Tournament.objects.announced().filter(pk__in=numbers)


def result_sets_of_log(codes: Collection[str]) -> QuerySet[ResultSet]:
    """The result sets of the tournaments that entries are about, the newest last. 1 query."""
    return ResultSet.objects.filter(tournament__code__in=codes).order_by("revision")


def _before(found: QuerySet[LogEntry], at: datetime, key: int) -> QuerySet[LogEntry]:
    """The entries older than this one. The plain bound on the instant lets PostgreSQL use the index."""
    return found.filter(Q(at__lt=at) | Q(pk__lt=key), at__lte=at)


def _people(words: str, *, by_address: bool) -> list[int]:
    """The accounts with this address, else those whose name or address contains it."""
    if not by_address:
        return list(User.objects.filter(name__icontains=words).values_list("pk", flat=True))
    matches = Q(name__icontains=words) | Q(email__icontains=words)
    found = dict(User.objects.filter(matches).values_list("pk", "email"))
    return [key for key, email in found.items() if email.casefold() == words.casefold()] or list(found)


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
