"""Edit a player's record: the form, the effects on the next list, and only then the saving."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_post_parameters

from reporting.models import Player, Sex, User
from reporting.policies import can_change_field, check_can_edit_player, check_can_see_register
from reporting.refusals.domain_error import DomainError
from reporting.register.selectors.records import PlayerRecord, record_of
from reporting.register.services.edit_player import (
    MAX_NUMBER_LENGTH,
    MAX_REASON_LENGTH,
    edit_player,
    plan_edit,
)
from reporting.register.views.register import field_label, player_or_404, value_label
from reporting.rules.findings.finding_list import Finding
from reporting.rules.names.plain_text import plain_text
from reporting.rules.register.countries import all_countries
from reporting.rules.register.registers import MAX_NAME_LENGTH
from reporting.rules.register.titles import discipline_titles
from reporting.web.access import OfficeRequest, actor, require_access
from reporting.web.attempt import Attempt, confirm
from reporting.web.forms import DayField, StyledFormMixin, TextField, set_choices
from reporting.web.panels import panels_at

HINTS = {
    "federation": _("Another federation counts from today. For another day, use “Transfer player”."),
    "titles_on": _("The day of registration or withdrawal, for example 6 Nov 2026. If empty: today."),
    "last_name": _("As in the passport, in English letters, at most 17"),
    "born": _("For example 02/03/1971. Never published; lists show the year."),
    "birth_year": _("If empty, the year of the date of birth is used."),
    "decision": _("Who decided, with date or number. Required if a title changes."),
    "reason": _("Stored in the history. All people who can see the register can read it."),
}


def form_groups(known: PlayerRecord) -> Sequence[tuple[Promise, Sequence[str]]]:
    """The fields of the form by group; the titles of a discipline have one."""
    return (
        (_("Name"), ("last_name", "first_name")),
        (_("Person"), ("federation", "sex", "birth_year", "born")),
        (_("Titles"), (*discipline_titles(), "titles_on", "decision")),
        (_("Numbers in other registers"), tuple(known.numbers)),
        (_("Reason"), ("reason",)),
    )


class RecordForm(StyledFormMixin, forms.Form):
    """A player's record as entered; the service checks the values."""

    last_name = forms.CharField(required=False, max_length=10 * MAX_NAME_LENGTH)
    first_name = forms.CharField(required=False, max_length=10 * MAX_NAME_LENGTH)
    federation = forms.ChoiceField(required=False)
    sex = forms.ChoiceField(required=False, choices=[("", _("Unknown")), *Sex.choices])
    birth_year = forms.IntegerField(required=False, min_value=0, max_value=9999)
    born = DayField(required=False)
    titles_on = DayField(required=False)
    decision = forms.CharField(required=False, max_length=MAX_REASON_LENGTH)
    reason = TextField(required=False, max_length=MAX_REASON_LENGTH, widget=forms.Textarea(attrs={"rows": 3}))

    def __init__(self, data: Any, known: PlayerRecord) -> None:
        self.known = known
        super().__init__(data, initial=known.values)
        for code in known.numbers:
            self.fields[code] = forms.CharField(
                required=False,
                max_length=5 * MAX_NUMBER_LENGTH,
                widget=forms.TextInput(attrs={"class": "field__input"}),
            )
        countries = sorted(all_countries(), key=lambda country: country.name)
        choices = {
            "federation": [(country.code, f"{country.name} ({country.code})") for country in countries],
        }
        for name, of_discipline in discipline_titles().items():
            self.fields[name] = forms.ChoiceField(required=False)
            self.fields[name].widget.attrs["class"] = "field__input"
            titles = (
                (title.code, f"{title.code}, {gettext(title.label)}")
                for title in of_discipline.titles.values()
            )
            choices[name] = [("", gettext("None")), *titles]
        for name, field in self.fields.items():
            field.label = field_label(name)
            field.help_text = HINTS.get(name, "")
            if name in choices:
                set_choices(self, name, choices[name])
            if name in ("birth_year", "born", "titles_on"):
                field.widget = forms.TextInput(attrs={"class": "field__input", "autocomplete": "off"})
            if isinstance(field.widget, forms.Textarea):
                field.widget.attrs["class"] = "field__input field__input--text"

    @property
    def sent(self) -> list[tuple[str, str]]:
        """The fields that were sent, as typed. A field that the person may not change is not among them."""
        values = ((name, self[name].value()) for name in self.fields)
        return [(name, value) for name, value in values if value is not None]

    @property
    def wanted(self) -> PlayerRecord:
        """The record as entered; a field that the form does not have keeps its value. After `is_valid`."""
        sent = dict(self.sent)
        typed = {name: self.cleaned_data[name] for name in self.known.values if name in sent}
        for name, text in typed.items():
            if isinstance(text, str):
                typed[name] = plain_text(text)
        if typed.get("born") and "birth_year" in typed and typed["birth_year"] is None:
            typed["birth_year"] = typed["born"].year
        return self.known.with_values(typed)


class StepForm(forms.Form):
    """The pressed button, and what the person saw: the digest of the record, or its federation before a transfer."""

    action = forms.ChoiceField(required=False, choices=[("look", ""), ("save", ""), ("change", "")])
    looked_at = forms.CharField(required=False)

    @property
    def digest(self) -> str:
        return str(self["looked_at"].value() or "")


@dataclass(frozen=True)
class RecordField:
    """A field of the form, and the current value where a simultaneous edit changed it."""

    field: forms.BoundField
    now: str


def error_of(finding: Finding) -> str:
    """What a field says of its finding: what is wrong, what is expected, what to do."""
    expected = gettext("Expected: %(expected)s.") % {"expected": finding.expected} if finding.expected else ""
    return " ".join(filter(None, (finding.message, expected, finding.suggestion)))


@sensitive_post_parameters("born")
@require_access(check_can_see_register, "GET", "HEAD", "POST")
def edit(request: OfficeRequest, address: str) -> HttpResponse:
    """Enter, check the effects, save: only the last step writes."""
    user = request.user
    player = player_or_404(user, address)
    check_can_edit_player(user, player)
    known = record_of(player)
    posted = request.method == "POST"
    form = RecordForm(request.POST if posted else None, known)
    step = StepForm(request.POST)
    attempt = Attempt()
    if posted and step["action"].value() != "change":
        with attempt:
            return perform_action(request, player, form, step)
        known = record_of(player)
    problem = attempt.refusal
    if problem is not None and problem.code == "forbidden":
        raise problem
    for finding in problem.findings if problem else ():
        if finding.field in form.fields:
            form.add_error(finding.field, error_of(finding))
    shows_current_record = not posted or (problem is not None and problem.code == "record_changed")
    context = {
        "player": player,
        # The input is based on the record that the person saw; a newer stamp would overwrite changes since then.
        "stamp": known.digest if shows_current_record else step.digest,
        "form": form,
        "groups": list(field_groups(user, player, form, problem, known)),
        "problem": None if form.errors else problem,
    }
    about_input = problem is not None and problem.code in ("unreadable", "edit_refused")
    status = HTTPStatus.BAD_REQUEST if about_input else attempt.status
    return render(request, "reporting/register/register_edit.html", context, status=status)


def perform_action(request: OfficeRequest, player: Player, form: RecordForm, step: StepForm) -> HttpResponse:
    """Save, or show the effects of saving. Raises what `edit_player` raises, and `unreadable`."""
    if not form.is_valid():
        raise DomainError("unreadable.answers")
    edit_of_player: dict[str, Any] = {
        "player": player,
        "wanted": form.wanted,
        "looked_at": step.digest,
        "reason": form.cleaned_data["reason"],
        "decision": form.cleaned_data["decision"],
        "titles_on": form.cleaned_data["titles_on"],
        "by": actor(request),
    }
    if step["action"].value() == "save":
        edit_player(**edit_of_player)
        player.refresh_from_db()  # a number that the federation gave is the new address
        confirm(
            request,
            gettext("Changes saved. The next calculated list prints them; published lists stay as they are."),
            "history",
        )
        return redirect(f"{reverse('office-player', args=[player.address])}#history")
    changes = plan_edit(**edit_of_player)
    context = {
        "player": player,
        "changes": [
            (
                field_label(change.field),
                value_label(change.field, change.before),
                value_label(change.field, change.after),
            )
            for change in changes
        ],
        "panels": panels_at("office-player-edit", (player, changes, form.wanted)),
        "reason": form.cleaned_data["reason"],
        "decision": form.cleaned_data["decision"]
        if any(change.field in discipline_titles() for change in changes)
        else "",
        "typed": form.sent,
        "looked_at": edit_of_player["looked_at"],
    }
    return render(request, "reporting/register/register_confirm.html", context)


def field_groups(
    user: User, player: Player, form: RecordForm, problem: DomainError | None, known: PlayerRecord
) -> Iterator[tuple[Promise, list[RecordField]]]:
    """The fields that a person may change, by group."""
    has_conflict = problem is not None and problem.code == "record_changed"
    for heading, names in form_groups(known):
        record_fields = [
            RecordField(
                form[name],
                value_label(name, known.values[name])
                if has_conflict and name in known.values and known.values[name] != form.wanted.values[name]
                else "",
            )
            for name in names
            if name == "reason" or can_change_field(user, player, name)
        ]
        if record_fields:
            yield heading, record_fields
