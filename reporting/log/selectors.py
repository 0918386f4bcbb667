"""The audit log as people read it: acts in words, what changed field by field, filtered and paged."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from reporting.models import LogEntry, Role, User

ENTRIES_PER_PAGE = 50
EXPORT_BATCH_SIZE = 2000  # of a file that is written as it is read

ACTION_GROUPS: Mapping[str, Mapping[str, str]] = {
    "Reports": {
        "report.upload": "Report saved",
        "report.match_players": "People looked up again",
        "report.compare_birth_dates": "Dates of birth compared",
        "report.submit": "Report handed in",
        "report.withdraw": "Report withdrawn",
        "report.accept": "Report accepted",
        "report.return": "Report returned",
        "report.reject": "Report rejected",
        "report.undo_acceptance": "Acceptance taken back",
        "announcement.create": "Competition announced",
        "announcement.withdraw": "Announcement withdrawn",
        "announcement.remind": "Reminded of a report",
    },
    "Lists and periods": {
        "period.confirm_past": "Past quarters confirmed",
        "period.open": "Period opened",
        "period.freeze": "Period frozen",
        "calculation.request": "Calculation asked for",
        "calculation.recalculate": "Draft to be calculated again",
        "calculation.fail": "Calculation failed",
        "list.calculate": "Draft calculated",
        "list.search_norms": "Norms searched",
        "list.open_for_approval": "Draft opened for approval",
        "list.answer_anomaly": "Question about a draft answered",
        "list.approve": "List approved",
        "list.publish": "List released",
        "list.supersede": "Draft superseded",
        "list.correct": "Correction begun",
        "list.withdraw_correction": "Correction withdrawn",
        "list.import_opening": "Opening list imported",
    },
    "Register": {
        "register.import": "Register imported",
        "player.update": "Player changed by an import",
        "player.edit": "Player edited",
        "player.merge": "Two records held to be one person",
        "player.undo_merge": "Two records held to be two persons again",
    },
    "Accounts": {
        "account.invite": "Invited",
        "account.resend_invitation": "Invitation sent again",
        "account.withdraw_invitation": "Invitation withdrawn",
        "account.accept_invitation": "Invitation accepted",
        "account.change_roles": "Roles changed",
        "account.confirm_role": "Role confirmed",
        "account.close": "Account closed",
        "account.reopen": "Account opened again",
        "account.change_name": "Name changed",
        "account.change_password": "Password changed",
        "account.reset_password": "Password set by a link",
        "account.add_factor": "Second factor set up",
        "account.remove_factor": "Second factor removed",
        "account.request_email_change": "New e-mail address asked for",
        "account.change_email": "E-mail address changed",
    },
    "Requests": {
        "request.send": "Request sent",
        "request.confirm": "Request confirmed by its sender",
        "request.take": "Request taken",
        "request.ask": "Visitor asked",
        "request.reply": "Visitor’s reply",
        "request.answer": "Request answered",
        "request.reopen": "Request reopened",
        "request.erase_sender": "Sender of a request erased",
    },
}
"""Every act that is written, in plain words. A test compares them with the acts in the code."""

ACTION_LABELS: Mapping[str, str] = {
    code: words for group in ACTION_GROUPS.values() for code, words in group.items()
}

FIELD_LABELS: Mapping[str, str] = {
    "active": "Open",
    "admitted_reason": "Admitted because",
    "asked_for": "Asked for",
    "email": "E-mail address",
    "input_sha256": "SHA-256 of the facts",
    "federation_id": "Federation",
    "filename": "File",
    "sha256": "SHA-256",
    "title_64": "Title on 64 squares",
}
# A name that says one of these stands for something nobody reads in a log, whoever wrote it there.
PRIVATE_FIELD_PARTS = ("password", "token", "secret", "birth", "born")
PUBLIC_FIELDS = ("birth_year",)
ADDRESS = re.compile(r"\S+@\S+")
NOT_SHOWN = "not shown"


@dataclass(frozen=True)
class Change:
    """A field of the thing before and after the act, as people read it; empty for nothing."""

    name: str
    old: str
    new: str


@dataclass(frozen=True)
class LogFilter:
    """What is asked of the log; empty and None ask for everything. Days are of the office's zone, both inclusive.

    Without `by_address` nobody is found by his e-mail address.
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
    """A page of the log, newest first; `newer` and `older` are the entries to go on from, None at the ends."""

    entries: Sequence[LogEntry] = field(default_factory=list)
    newer: int | None = None
    older: int | None = None


def action_label(action: str) -> str:
    """`Report accepted`; an act without words of its own is read from its name."""
    thing, _, verb = action.partition(".")
    return ACTION_LABELS.get(action) or f"{thing}: {verb}".replace("_", " ").capitalize()


def changes_of(entry: LogEntry, *, addresses: bool = True) -> list[Change]:
    """What an entry changed, field by field; a private field says that it changed and not into what.

    Without `addresses` each e-mail address is `not shown`.
    """
    before, after = _mapping(entry.before), _mapping(entry.after)
    names = [*before, *(name for name in after if name not in before)]
    changes = [_change(name, before.get(name), after.get(name)) for name in names]
    return changes if addresses else [_without_addresses(each) for each in changes]


def filtered_entries(asked: LogFilter) -> QuerySet[LogEntry]:
    """The entries asked for, in no order. 1 query for each word and the person asked for."""
    found = LogEntry.objects.select_related("actor")
    for word in asked.words.split():
        codes = [code for code, words in ACTION_LABELS.items() if word.casefold() in words.casefold()]
        found = found.filter(
            Q(subject__icontains=word)
            | Q(reason__icontains=word)
            | Q(action__icontains=word)
            | Q(action__in=codes)
            | Q(actor__in=_people(word, by_address=asked.by_address))
        )
    if asked.person:
        found = found.filter(actor__in=_people(asked.person, by_address=asked.by_address))
    if asked.actions:
        found = found.filter(action__in=asked.actions)
    if asked.subject:
        # "report 1" is not "report 12"; "list fmjd-100" is each of its lists.
        parts = Q(subject__startswith=f"{asked.subject} ") | Q(subject__startswith=f"{asked.subject}/")
        found = found.filter(Q(subject=asked.subject) | parts)
    if asked.since:
        found = found.filter(at__gte=_midnight(asked.since))
    if asked.until:
        found = found.filter(at__lt=_midnight(asked.until + timedelta(days=1)))
    if asked.by_command is not None:
        found = found.filter(by_command=asked.by_command)
    return found


def log_page(asked: LogFilter, *, older: int | None = None, newer: int | None = None) -> LogPage:
    """Entries newest first, from before the entry `older` or from after the entry `newer` on.

    2 queries and those of `filtered_entries`; as fast at the millionth entry as at the first. An unknown entry is
    as none.
    """
    found = filtered_entries(asked)
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


def all_entries(asked: LogFilter) -> Iterator[LogEntry]:
    """All entries asked for, newest first, read so many at once that a million need no more memory. 1 query for
    2,000 entries, and those of `filtered_entries`."""
    found = filtered_entries(asked).order_by("-at", "-pk")
    rows = list(found[:EXPORT_BATCH_SIZE])
    while rows:
        yield from rows
        rows = list(_before(found, rows[-1].at, rows[-1].pk)[:EXPORT_BATCH_SIZE])


def latest_entries_by(account: User, most: int) -> list[LogEntry]:
    """What somebody did last. 1 query."""
    return list(LogEntry.objects.filter(actor=account).select_related("actor").order_by("-at", "-pk")[:most])


def subject_parts(subject: str) -> tuple[str, str]:
    """The kind of thing and which: `report 7` is `report`, `7`."""
    kind, _, which = subject.partition(" ")
    return kind, which


def _before(found: QuerySet[LogEntry], at: datetime, key: int) -> QuerySet[LogEntry]:
    """The entries older than this one. The plain bound on the instant is what an index is read by."""
    return found.filter(Q(at__lt=at) | Q(pk__lt=key), at__lte=at)


def _people(words: str, *, by_address: bool) -> list[int]:
    """The accounts whose address this is, else those whose name or address holds it."""
    if not by_address:
        return list(User.objects.filter(name__icontains=words).values_list("pk", flat=True))
    some = Q(name__icontains=words) | Q(email__icontains=words)
    found = dict(User.objects.filter(some).values_list("pk", "email"))
    return [key for key, email in found.items() if email.casefold() == words.casefold()] or list(found)


def _mapping(stored: Any) -> Mapping[str, Any]:
    return stored if isinstance(stored, dict) else {"": stored}


def _change(name: str, old: Any, new: Any) -> Change:
    words = FIELD_LABELS.get(name) or name.replace("_", " ").capitalize()
    if name not in PUBLIC_FIELDS and any(private in name.casefold() for private in PRIVATE_FIELD_PARTS):
        return Change(words, "", "changed")
    return Change(words, _readable(name, old), _readable(name, new))


def _without_addresses(change: Change) -> Change:
    return replace(change, old=ADDRESS.sub(NOT_SHOWN, change.old), new=ADDRESS.sub(NOT_SHOWN, change.new))


def _readable(name: str, value: Any) -> str:
    """A stored value in words: roles by their names, instants in the office's zone, lists with commas."""
    if isinstance(value, list):
        return ", ".join(_readable(name, each) for each in value)
    if isinstance(value, dict):
        parts = [_change(key, None, each) for key, each in value.items()]
        return "; ".join(f"{part.name}: {part.new}" for part in parts)
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = "" if value is None else str(value)
    if name == "roles" and text in Role.values:
        return str(Role(text).label)
    return text.replace("_", " ") if name == "state" else _instant(text)


def _instant(text: str) -> str:
    """An ISO instant as `20 Nov 2026, 14:05 UTC`, anything else as it stands."""
    if "T" not in text:
        return text
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    if moment.tzinfo is None:
        return text
    local = timezone.localtime(moment)
    return f"{local.day} {local:%b %Y, %H:%M} {settings.OFFICE_TIME_ZONE}"


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
