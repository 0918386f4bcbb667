"""A player's record is put right: what was typed, what the next list will print of it, and only then saved."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from http import HTTPStatus
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters

from ratings.office.selectors import register as listed
from ratings.published.selectors.lists import newest_lists
from reporting.accounts.views.accounts import StyledFormMixin
from reporting.errors import DomainError
from reporting.models import Player, Sex, Title, User
from reporting.policies import can_change_field, check_can_edit_player, check_can_see_register
from reporting.register.selectors import PlayerRecord, record_of
from reporting.register.services.edit_player import (
    MAX_NUMBER_LENGTH,
    MAX_REASON_LENGTH,
    NUMBERS,
    TITLES,
    Change,
    edit_player,
    plan_edit,
)
from reporting.register.services.import_register import MAX_NAME_LENGTH
from reporting.register.views.register import FIELD_LABELS, player_or_404, value_label
from reporting.rules.countries import all_countries
from reporting.rules.findings import Finding
from reporting.web.access import actor, as_refusal, refusal_status, require_access

GROUPS = (
    ("Name", ("last_name", "first_name")),
    ("Person", ("federation", "sex", "birth_year", "born")),
    ("Titles", ("title", "title_64", "decision")),
    ("Numbers in other registers", NUMBERS),
    ("Why", ("reason",)),
)
RECORD = tuple(each.name for each in fields(PlayerRecord))
HINTS = {
    "last_name": "As in the passport, in English letters, at most 17",
    "born": "YYYY-MM-DD; never published, lists show the year",
    "birth_year": "Left empty, it is taken from the date",
    "decision": "Whose decision, its date or number. Asked when a title changes",
    "reason": "Kept in the history, read by everybody who keeps the register",
}


class RecordForm(StyledFormMixin, forms.Form):
    """A player's record as it is typed; what it means is judged by the service."""

    last_name = forms.CharField(required=False, max_length=10 * MAX_NAME_LENGTH)
    first_name = forms.CharField(required=False, max_length=10 * MAX_NAME_LENGTH)
    federation = forms.ChoiceField(required=False)
    sex = forms.ChoiceField(required=False, choices=[("", "Not known"), *Sex.choices])
    birth_year = forms.IntegerField(required=False, min_value=0, max_value=9999)
    born = forms.DateField(required=False, input_formats=["%Y-%m-%d"])
    title = forms.ChoiceField(required=False)
    title_64 = forms.ChoiceField(required=False)
    decision = forms.CharField(required=False, max_length=MAX_REASON_LENGTH)
    national = forms.CharField(required=False, max_length=5 * MAX_NUMBER_LENGTH)
    knsb = forms.CharField(required=False, max_length=5 * MAX_NUMBER_LENGTH)
    fide = forms.CharField(required=False, max_length=5 * MAX_NUMBER_LENGTH)
    iccf = forms.CharField(required=False, max_length=5 * MAX_NUMBER_LENGTH)
    reason = forms.CharField(
        required=False, max_length=MAX_REASON_LENGTH, widget=forms.Textarea(attrs={"rows": 3})
    )

    def __init__(self, data: Any, known: PlayerRecord) -> None:
        self.known = known
        super().__init__(data, initial={name: getattr(known, name) for name in RECORD})
        titles = [("", "None"), *((each.value, f"{each.value}, {each.label}") for each in Title)]
        countries = sorted(all_countries(), key=lambda country: country.name)
        choices = {
            "federation": [(each.code, f"{each.name} ({each.code})") for each in countries],
            "title": titles,
            "title_64": titles,
        }
        for name, field in self.fields.items():
            field.label = FIELD_LABELS.get(name, name.capitalize())
            field.help_text = HINTS.get(name, "")
            if name in choices:
                field.choices = choices[name]  # type: ignore[attr-defined]
            if name in ("birth_year", "born"):
                field.widget = forms.TextInput(attrs={"class": "field__input", "autocomplete": "off"})
            if isinstance(field.widget, forms.Textarea):
                field.widget.attrs["class"] = "field__input field__input--text"

    @property
    def wanted(self) -> PlayerRecord:
        """The record as it was typed; a field that was not asked stays as it is. After `is_valid`."""
        typed = {name: self.cleaned_data[name] for name in RECORD if name in self.data}
        for name, text in typed.items():
            if isinstance(text, str):
                typed[name] = " ".join(text.split())
        if typed.get("born") and "birth_year" in typed and typed["birth_year"] is None:
            typed["birth_year"] = typed["born"].year
        return replace(self.known, **typed)


@dataclass(frozen=True)
class RecordField:
    """A field of the form with what is said of it, and what the register says now where somebody was faster."""

    field: forms.BoundField
    findings: Sequence[Finding]
    now: str


@sensitive_post_parameters("born")
@require_access(check_can_see_register, "GET", "HEAD", "POST")
def edit(request: HttpRequest, address: str) -> HttpResponse:
    """Type, look at what will change, save: nothing is written before the last of the three."""
    user = cast(User, request.user)
    player = player_or_404(user, address)
    check_can_edit_player(user, player)
    known = record_of(player)
    posted = request.method == "POST"
    form = RecordForm(request.POST if posted else None, known)
    act = request.POST.get("action", "")
    problem: DomainError | None = None
    if posted and act != "change":
        try:
            return perform_action(request, player, form, act)
        except (DomainError, OperationalError) as refusal:
            problem = as_refusal(refusal)
            if problem.code == "forbidden":
                raise
            known = record_of(player)
    shows_it_now = not posted or (problem is not None and problem.code == "record_changed")
    context = {
        "player": player,
        # What was typed rests on the record that was looked at; a newer stamp would overwrite what came between.
        "stamp": known.digest if shows_it_now else request.POST.get("looked_at", ""),
        "groups": list(field_groups(user, player, form, problem, known)),
        "problem": problem,
    }
    status = HTTPStatus.OK
    if problem is not None:
        status = (
            HTTPStatus.BAD_REQUEST
            if problem.code in ("unreadable", "edit_refused")
            else refusal_status(problem)
        )
    return render(request, "reporting/register_edit.html", context, status=status)


def perform_action(request: HttpRequest, player: Player, form: RecordForm, act: str) -> HttpResponse:
    """Save, or show what saving would change. Raises what `edit_player` raises, and `unreadable`."""
    if not form.is_valid():
        raise DomainError("unreadable.answers")
    asked: dict[str, Any] = {
        "player": player,
        "wanted": form.wanted,
        "looked_at": request.POST.get("looked_at", ""),
        "reason": form.cleaned_data["reason"],
        "decision": form.cleaned_data["decision"],
        "by": actor(request),
    }
    if act == "save":
        edit_player(**asked)
        messages.success(
            request, "Saved. The next list calculated prints it; published lists stay as they are."
        )
        return redirect("office-player", player.address)
    changes = plan_edit(**asked)
    context = {
        "player": player,
        "changes": [
            (
                FIELD_LABELS[each.field],
                value_label(each.field, each.before),
                value_label(each.field, each.after),
            )
            for each in changes
        ],
        "next_list": list(next_list(player, changes, form.wanted)),
        "reason": form.cleaned_data["reason"],
        "decision": form.cleaned_data["decision"] if any(each.field in TITLES for each in changes) else "",
        "typed": [(name, form.data[name]) for name in form.fields if name in form.data],
        "looked_at": asked["looked_at"],
    }
    return render(request, "reporting/register_confirm.html", context)


def field_groups(
    user: User, player: Player, form: RecordForm, problem: DomainError | None, known: PlayerRecord
) -> Iterator[tuple[str, list[RecordField]]]:
    """The fields a person may change, by what they are about."""
    findings = problem.findings if problem else ()
    faster = problem is not None and problem.code == "record_changed"
    for words, names in GROUPS:
        asked = [
            RecordField(
                form[name],
                [each for each in findings if each.field == name],
                value_label(name, getattr(known, name))
                if faster and name in RECORD and getattr(known, name) != getattr(form.wanted, name)
                else "",
            )
            for name in names
            if name == "reason" or can_change_field(user, player, "title" if name == "decision" else name)
        ]
        if asked:
            yield words, asked


def next_list(player: Player, changes: Sequence[Change], wanted: PlayerRecord) -> Iterator[str]:
    """What the next list calculated will print otherwise than the newest one, in sentences."""
    changed = {each.field for each in changes}
    lists = newest_lists()
    rows = listed.list_rows_of_player(lists, player)
    if not rows:
        yield "The player is on none of the newest lists: this holds once a tournament with him or her counts."
    if changed & {"last_name", "first_name"}:
        yield f"The name is printed “{wanted.printed_name}”, no longer “{player.printed_name}”."
    for field, board in (("title", "100"), ("title_64", "64")):
        if field in changed:
            after, before = getattr(wanted, field) or "no title", getattr(player, field) or "no title"
            yield f"Before the name on lists of {board} squares stands {after}, no longer {before}."
    if "birth_year" in changed:
        after, before = wanted.birth_year or "no year", player.birth_year or "no year"
        yield f"As year of birth is printed {after}, no longer {before}."
    yield from derived_lists(player, wanted, listed.next_in_force(lists))
    if "federation" in changed:
        yield from federation_ranking(player, wanted, rows)
    unprinted = [FIELD_LABELS[name] for name in ("born", *NUMBERS) if name in changed]
    if unprinted:
        yield f"On no list is printed: {', '.join(unprinted)}."


def derived_lists(player: Player, wanted: PlayerRecord, in_force: date) -> Iterator[str]:
    """The lists of women, youth and veterans that the player comes onto and leaves (R13)."""
    before = listed.derived_lists(player.sex, player.birth_year, in_force)
    after = listed.derived_lists(wanted.sex, wanted.birth_year, in_force)
    for each in after:
        if each not in before:
            yield f"The player comes onto the list “{each.title}” of {in_force.year}."
    for each in before:
        if each not in after:
            yield f"The player leaves the list “{each.title}” of {in_force.year}."
    if player.sex != wanted.sex and Sex.WOMAN in (player.sex, wanted.sex):
        counts = "counts" if wanted.sex == Sex.WOMAN else "counts no longer"
        yield f"In the women’s ranking of federations the player {counts}."


def federation_ranking(
    player: Player, wanted: PlayerRecord, rows: Sequence[listed.ListedPlayer]
) -> Iterator[str]:
    """For which federation the player counts, and whether that can be felt (R13: the ten best of each)."""
    yield (
        f"In the ranking of federations the player counts for {wanted.federation}, "
        f"no longer for {player.federation_id}."
    )
    for each in rows:
        if each.federation_place is not None:
            yield (
                f"Now number {each.federation_place} of {each.row.federation} on the official list of "
                f"{each.rating_list.in_force:%-d %b %Y}, {each.rating_list.pool.name}; the ten best are counted."
            )
