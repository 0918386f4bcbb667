"""Import the register: upload a table, see what it changes line by line, confirm."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy

from reporting.models.register import PlayerNumber
from reporting.policies import check_can_import_register
from reporting.refusals.domain_error import DomainError
from reporting.register.selectors.records import possible_duplicates_of_persons
from reporting.register.selectors.register import uploaded_table, visible_players, waiting_upload
from reporting.register.services.compare_register import RegisterPlan
from reporting.register.services.import_register import plan_import
from reporting.register.services.register_table import REQUIRED
from reporting.register.services.register_uploads import confirm_upload, discard_upload, upload_register
from reporting.register.views.register import field_label, value_label
from reporting.rules.names.look_alikes import Person
from reporting.rules.names.normalize_name import sort_name
from reporting.rules.register.registers import first_register, register_by_code, registers
from reporting.rules.register.titles import discipline_titles
from reporting.web.access import TABLE_UPLOAD, OfficeRequest, actor, allow_large_body, require_access
from reporting.web.attempt import Attempt
from reporting.web.forms import TABLE_LIMITS, DayField, StyledFormMixin, set_choices
from reporting.web.paging import rows_on_page

MAX_FILENAME = 200


class RegisterFileForm(StyledFormMixin, forms.Form):
    """The table, the register of its numbers, and the day of its changes."""

    file = forms.FileField(label=gettext_lazy("Table"), help_text=TABLE_LIMITS, max_length=MAX_FILENAME)
    register = forms.ChoiceField(
        label=gettext_lazy("Numbers in the first column"),
        help_text=gettext_lazy("A player with a new number is a new player."),
    )
    on = DayField(
        label=gettext_lazy("Changed federations and titles count from (optional)"),
        required=False,
        help_text=gettext_lazy("Empty means today. Those of new players count for all lists."),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_choices(
            self,
            "register",
            [(register.code, gettext(register.number_label)) for register in registers() if register.counts],
        )
        self.fields["register"].initial = first_register().code


class ConfirmForm(forms.Form):
    """What the reader does with the table, and the digest of the changes on the page."""

    action = forms.ChoiceField(choices=[("import", "import"), ("discard", "discard")])
    seen = forms.RegexField(regex=r"\A[0-9a-f]{64}\Z")


@allow_large_body(TABLE_UPLOAD)
@require_access(check_can_import_register, "GET", "HEAD", "POST")
def upload(request: OfficeRequest) -> HttpResponse:
    """The form of the table; a table with errors shows its findings, and nothing is stored."""
    posted = request.method == "POST"
    form = RegisterFileForm(request.POST if posted else None, request.FILES if posted else None)
    attempt = Attempt(form)
    if attempt.is_valid:
        with attempt:
            file = form.cleaned_data["file"]
            stored = upload_register(
                content=file.read(),
                filename=file.name,
                register=form.cleaned_data["register"],
                on=form.cleaned_data["on"],
                by=actor(request),
            )
            return redirect("office-players-import-check", stored.pk)
    return _upload_page(request, form, attempt.refusal, attempt.status)


def _upload_page(
    request: OfficeRequest, form: RegisterFileForm, refusal: DomainError | None, status: int
) -> HttpResponse:
    findings = refusal.findings if refusal else ()
    other_codes = [register.code for register in registers() if register != first_register()]
    context = {
        "form": form,
        "refusal": refusal,
        "findings": rows_on_page(None, findings, most=200) if findings else None,
        "waiting": waiting_upload(request.user),
        "columns": ",".join((first_register().header, *REQUIRED)),
        "optional": [*discipline_titles(), *other_codes],
        "numbers_only": ",".join((first_register().header, *other_codes)),
    }
    return render(request, "reporting/register/register_import.html", context, status=status)


@require_access(check_can_import_register, "GET", "HEAD", "POST")
def check(request: OfficeRequest, number: int) -> HttpResponse:
    """What an uploaded table changes; only the confirmation of exactly this writes."""
    user = request.user
    found = uploaded_table(user, number)
    if found is None:
        raise Http404(gettext("This table was imported or discarded."))
    form = ConfirmForm(request.POST if request.method == "POST" else None)
    attempt = Attempt(form)
    if attempt.is_valid:
        with attempt:
            if form.cleaned_data["action"] == "discard":
                discard_upload(upload=found, by=actor(request))
                messages.success(request, gettext("Table discarded. The register did not change."))
                return redirect("office-players-import")
            done = confirm_upload(upload=found, seen=form.cleaned_data["seen"], by=actor(request))
            figures = {
                "created": len(done.created),
                "updated": len(done.updated),
                "unchanged": done.unchanged,
            }
            messages.success(
                request,
                gettext(
                    "Register imported: %(created)s players created, %(updated)s updated, %(unchanged)s unchanged."
                )
                % figures,
            )
            return redirect("office-players")
    elif form.is_bound:
        attempt.refuse(DomainError("register_plan_changed"))
    try:
        plan = plan_import(
            content=bytes(found.content), register=found.register, on=found.changed_on, by=actor(request)
        )
    except DomainError as refusal:  # another player has one of the numbers by now
        return _upload_page(request, RegisterFileForm(), refusal, 409)
    context = {
        "upload": found,
        "register": register_by_code(found.register),
        "refusal": attempt.refusal,
        **plan_context(request, plan),
    }
    return render(request, "reporting/register/register_import_check.html", context, status=attempt.status)


def plan_context(request: OfficeRequest, plan: RegisterPlan) -> dict[str, Any]:
    """The changes of a table on pages of 100: each field before and after, and the values of new players.

    Each new player of the page has the records that look like the player.
    """
    updated = rows_on_page(request, plan.updated, "changed", anchor="#changed-players")
    created = rows_on_page(request, plan.created, "new", anchor="#new-players")
    duplicates = possible_duplicates_of_persons(
        [
            Person(
                planned.line,
                sort_name(planned.values["last_name"], planned.values.get("first_name", "")),
                planned.values["federation_id"],
                planned.values.get("birth_year"),
                planned.values.get("sex", ""),
            )
            for planned in created
        ],
        visible_players(request.user),
    )
    return {
        "plan": plan,
        "changes": bool(plan.created or plan.updated),
        "updated": updated,
        "updated_rows": [
            (
                planned,
                [
                    (field_label(name), value_label(name, before), value_label(name, after))
                    for name, (before, after) in planned.changes.items()
                ],
            )
            for planned in updated
        ],
        "created": created,
        "similar_count": sum(map(bool, duplicates.values())),
        "created_rows": [
            (
                planned,
                [
                    *(
                        value_label(name, planned.values[name])
                        for name in ("sex", *discipline_titles())
                        if planned.values.get(name)
                    ),
                    *(
                        str(PlayerNumber(register, planned.values[register.code]))
                        for register in registers()
                        if planned.values.get(register.code)
                    ),
                ],
                duplicates[planned.line],
            )
            for planned in created
        ],
    }
