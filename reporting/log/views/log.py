"""The audit log: searched, paged and downloaded."""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from reporting.formats.tables.exported_cells import exported_cell
from reporting.log.actions import action_groups, action_label, reason_label
from reporting.log.selectors import LogFilter, all_entries, log_page
from reporting.log.views.entries import Change, changes_of, hidden_value, shown_entries
from reporting.policies import can_see_all_accounts, check_can_see_log
from reporting.web.access import OfficeRequest, require_access
from reporting.web.forms import DayField, QueryForm, StyledFormMixin, set_choices

COLUMNS = ("at", "person", "e_mail", "act", "action", "subject", "changes", "reason", "by_command")
MAX_KEY = 2**63 - 1


class LogForm(StyledFormMixin, QueryForm):
    """Filters of the log. A field with an error shows it and filters nothing."""

    words = forms.CharField(label=gettext_lazy("Words"), max_length=100, required=False)
    person = forms.CharField(label=gettext_lazy("Person"), max_length=254, required=False)
    kind = forms.ChoiceField(label=gettext_lazy("Action"), required=False)
    subject = forms.CharField(label=gettext_lazy("About"), max_length=200, required=False)
    since = DayField(label=gettext_lazy("From"), required=False)
    until = DayField(label=gettext_lazy("To"), required=False)
    way = forms.ChoiceField(
        label=gettext_lazy("Origin"),
        required=False,
        choices=[
            ("", gettext_lazy("All")),
            ("hand", gettext_lazy("On a page")),
            ("command", gettext_lazy("By command line")),
        ],
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("since", "until"):
            self.fields[name].widget = forms.DateInput(attrs={"type": "date", "class": "field__input"})
            self.fields[name].validators += [
                MinValueValidator(date(2000, 1, 1), gettext_lazy("Enter a day from 1 Jan 2000.")),
                MaxValueValidator(date(2099, 12, 31), gettext_lazy("Enter a day up to 31 Dec 2099.")),
            ]
            self.fields[name].error_messages["invalid"] = gettext_lazy("Enter a day as 2026-11-20.")
        choices = [
            ("", gettext_lazy("All")),
            *(
                (
                    str(group.label),
                    [
                        (code, gettext("%(group)s: all") % {"group": group.label}),
                        *group.actions.items(),
                    ],
                )
                for code, group in action_groups().items()
            ),
        ]
        set_choices(self, "kind", choices)
        self.fields["words"].widget.attrs["type"] = "search"

    @property
    def log_filter(self) -> LogFilter:
        values = self.cleaned_data
        kind = values.get("kind", "")
        way = values.get("way", "")
        group = action_groups().get(kind)
        return LogFilter(
            words=values.get("words", ""),
            person=values.get("person", ""),
            actions=tuple(group.actions) if group else (kind,) if kind else (),
            subject=values.get("subject", ""),
            since=values.get("since"),
            until=values.get("until"),
            by_command=way == "command" if way else None,
        )


class PositionForm(forms.Form):
    """The entry next to the page asked for; a value that is no entry asks for the newest."""

    older = forms.IntegerField(required=False, min_value=0, max_value=MAX_KEY)
    newer = forms.IntegerField(required=False, min_value=0, max_value=MAX_KEY)


@require_access(check_can_see_log, "GET", "HEAD")
def log(request: OfficeRequest) -> HttpResponse:
    """The entries that match the filters, newest first, a page at a time."""
    reader = request.user
    form, position = LogForm(request.GET), PositionForm(request.GET)
    form.is_valid()
    position.is_valid()
    log_filter = replace(form.log_filter, by_address=can_see_all_accounts(reader))
    page = log_page(
        log_filter, older=position.cleaned_data.get("older"), newer=position.cleaned_data.get("newer")
    )
    typed = form.typed
    context = {
        "form": form,
        "log_entries": shown_entries(page.entries, reader),
        "is_filtered": bool(typed),
        "query": urlencode(typed, errors="replace"),
        "older": urlencode({**typed, "older": page.older}, errors="replace") if page.older else "",
        "newer": urlencode({**typed, "newer": page.newer}, errors="replace") if page.newer else "",
    }
    return render(request, "reporting/log/log.html", context)


@require_access(check_can_see_log, "GET", "HEAD")
def log_file(request: OfficeRequest) -> HttpResponseBase:
    """The entries that match the filters as CSV, sent while they are read."""
    form = LogForm(request.GET)
    if not form.is_valid():
        problems = "".join(
            f"{form.fields[name].label}: {error}\n"
            for name, errors in form.errors.items()
            for error in errors
        )
        return HttpResponse(problems, status=HTTPStatus.BAD_REQUEST, content_type="text/plain; charset=utf-8")
    log_filter = replace(form.log_filter, by_address=can_see_all_accounts(request.user))
    response = StreamingHttpResponse(_csv_lines(log_filter), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="log-{timezone.localdate()}.csv"'
    return response


def _csv_lines(log_filter: LogFilter) -> Iterator[str]:
    writer = csv.writer(_Echo())
    yield writer.writerow(COLUMNS)
    for entry in all_entries(log_filter):
        cells = (
            timezone.localtime(entry.at).isoformat(timespec="seconds"),
            entry.actor.name,
            entry.actor.email if log_filter.by_address else hidden_value(),
            action_label(entry.action),
            entry.action,
            entry.subject,
            _changes_on_one_line(changes_of(entry, addresses=log_filter.by_address)),
            reason_label(entry.reason),
            gettext("yes") if entry.by_command else gettext("no"),
        )
        yield writer.writerow([exported_cell(cell) for cell in cells])


class _Echo:
    """A file that returns each line written to it."""

    def write(self, text: str) -> str:
        return text


def _changes_on_one_line(changes: Iterable[Change]) -> str:
    return "; ".join(
        f"{change.name}: {change.old} → {change.new}" if change.old else f"{change.name}: {change.new}"
        for change in changes
    )
