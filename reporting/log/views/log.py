"""The audit log: who did what, when and why, searched and taken along as a file."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import urlencode

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone

from reporting.accounts.views.accounts import StyledFormMixin
from reporting.formats.exported_cells import exported_cell
from reporting.log.selectors import (
    ACTION_GROUPS,
    NOT_SHOWN,
    Change,
    LogFilter,
    action_label,
    all_entries,
    changes_of,
    log_page,
)
from reporting.log.views.log_links import LogLink, log_links
from reporting.models import LogEntry, User
from reporting.policies import can_see_all_accounts, check_can_see_log
from reporting.web.access import require_access

COLUMNS = ("at", "person", "e_mail", "act", "action", "subject", "changes", "reason", "by_command")
MAX_KEY = 2**63 - 1


@dataclass(frozen=True)
class ShownEntry:
    """An entry of the log as it is read."""

    entry: LogEntry
    words: str
    thing: LogLink
    changes: Sequence[Change]

    @property
    def has_before(self) -> bool:
        return any(change.old for change in self.changes)


def shown_entries(entries: Sequence[LogEntry], reader: User) -> list[ShownEntry]:
    """Entries in words, with the pages of what they are about. A query or two for each kind of thing."""
    things = log_links({entry.subject for entry in entries}, reader)
    addresses = can_see_all_accounts(reader)
    return [
        ShownEntry(
            entry,
            action_label(entry.action),
            things[entry.subject],
            changes_of(entry, addresses=addresses),
        )
        for entry in entries
    ]


class LogForm(StyledFormMixin, forms.Form):
    """What is asked of the log. A field that can't be read says so and asks for nothing."""

    words = forms.CharField(label="Words", max_length=100, required=False)
    person = forms.CharField(label="Who did it", max_length=254, required=False)
    kind = forms.ChoiceField(label="What", required=False)
    subject = forms.CharField(label="About", max_length=200, required=False)
    since = forms.DateField(label="From", required=False)
    until = forms.DateField(label="To", required=False)
    way = forms.ChoiceField(
        label="How",
        required=False,
        choices=[("", "All"), ("hand", "By hand"), ("command", "By command")],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("since", "until"):
            self.fields[name].widget = forms.DateInput(attrs={"type": "date", "class": "field__input"})
            self.fields[name].validators += [
                MinValueValidator(date(2000, 1, 1), "A day from 1 Jan 2000 on."),
                MaxValueValidator(date(2099, 12, 31), "A day until 31 Dec 2099."),
            ]
            self.fields[name].error_messages["invalid"] = "A day, as 2026-11-20."
        kind = cast(forms.ChoiceField, self.fields["kind"])
        kind.choices = [
            ("", "Everything"),
            *((name, [(name, f"{name}: all"), *acts.items()]) for name, acts in ACTION_GROUPS.items()),
        ]
        self.fields["words"].widget.attrs["type"] = "search"

    @property
    def asked(self) -> LogFilter:
        told: Mapping[str, Any] = self.cleaned_data
        kind = told.get("kind", "")
        way = told.get("way", "")
        return LogFilter(
            words=told.get("words", ""),
            person=told.get("person", ""),
            actions=tuple(ACTION_GROUPS.get(kind, (kind,))) if kind else (),
            subject=told.get("subject", ""),
            since=told.get("since"),
            until=told.get("until"),
            by_command=way == "command" if way else None,
        )


@require_access(check_can_see_log, "GET", "HEAD")
def log(request: HttpRequest) -> HttpResponse:
    """The log, newest first, as far as it was asked for."""
    reader = cast(User, request.user)
    form = LogForm(request.GET)
    form.is_valid()
    asked = replace(form.asked, by_address=can_see_all_accounts(reader))
    page = log_page(asked, older=_key(request, "older"), newer=_key(request, "newer"))
    typed = {name: text for name in form.fields if (text := request.GET.get(name, ""))}
    context = {
        "form": form,
        "log_entries": shown_entries(page.entries, reader),
        "filtered": bool(typed),
        "query": urlencode(typed, errors="replace"),
        "older": urlencode({**typed, "older": page.older}, errors="replace") if page.older else "",
        "newer": urlencode({**typed, "newer": page.newer}, errors="replace") if page.newer else "",
    }
    return render(request, "reporting/log.html", context)


@require_access(check_can_see_log, "GET", "HEAD")
def log_file(request: HttpRequest) -> HttpResponseBase:
    """What was asked for as CSV, written as it is read."""
    form = LogForm(request.GET)
    if not form.is_valid():
        told = "\n".join(
            f"{form.fields[name].label}: {error}" for name, errors in form.errors.items() for error in errors
        )
        return HttpResponse(
            f"{told}\n", status=HTTPStatus.BAD_REQUEST, content_type="text/plain; charset=utf-8"
        )
    asked = replace(form.asked, by_address=can_see_all_accounts(cast(User, request.user)))
    response = StreamingHttpResponse(_csv_lines(asked), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="log-{timezone.localdate()}.csv"'
    return response


def _csv_lines(asked: LogFilter) -> Iterator[str]:
    writer = csv.writer(_Passing())
    yield writer.writerow(COLUMNS)
    for entry in all_entries(asked):
        cells = (
            timezone.localtime(entry.at).isoformat(timespec="seconds"),
            entry.actor.name,
            entry.actor.email if asked.by_address else NOT_SHOWN,
            action_label(entry.action),
            entry.action,
            entry.subject,
            _changes_in_a_line(changes_of(entry, addresses=asked.by_address)),
            entry.reason,
            "yes" if entry.by_command else "no",
        )
        yield writer.writerow([exported_cell(cell) for cell in cells])


class _Passing:
    """A file that hands on what is written to it."""

    def write(self, text: str) -> str:
        return text


def _changes_in_a_line(changes: Iterable[Change]) -> str:
    return "; ".join(
        f"{each.name}: {each.old} → {each.new}" if each.old else f"{each.name}: {each.new}"
        for each in changes
    )


def _key(request: HttpRequest, name: str) -> int | None:
    text = request.GET.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) < len(str(MAX_KEY))):
        return None
    return int(text)
