"""The memberships of clubs: upload the whole table, and look who is in which club on a day (U21)."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from reporting.policies import check_can_import_register
from reporting.register.memberships import MembershipFilters, found_members, newest_table
from reporting.register.services.import_memberships import CLUB, COLUMNS, import_memberships
from reporting.rules.names.plain_text import plain_text
from reporting.rules.register.registers import Register, register_by_code, registers_with_clubs
from reporting.web.access import TABLE_UPLOAD, OfficeRequest, actor, allow_large_body, require_access
from reporting.web.attempt import Attempt, confirm
from reporting.web.forms import TABLE_LIMITS, DayField, StyledFormMixin, set_choices
from reporting.web.paging import rows_on_page
from reporting.web.query_params import MAX_SEARCH_LENGTH

MAX_FILENAME = 200


class MembershipFileForm(StyledFormMixin, forms.Form):
    """The table and the register of its numbers."""

    file = forms.FileField(label=gettext_lazy("Table"), help_text=TABLE_LIMITS, max_length=MAX_FILENAME)
    register = forms.ChoiceField(label=gettext_lazy("Register"))

    def __init__(self, *args: Any, registers: Sequence[Register], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_choices(self, "register", [(register.code, gettext(register.label)) for register in registers])


class MembersForm(StyledFormMixin, forms.Form):
    """Whose memberships the page shows; a value that cannot be used is named and ignored."""

    register = forms.ChoiceField(label=gettext_lazy("Register"), required=False)
    day = DayField(label=gettext_lazy("Day"), required=False)
    club = forms.RegexField(
        CLUB,
        label=gettext_lazy("Club"),
        required=False,
        error_messages={"invalid": gettext_lazy("Enter the six digits of a club, for example 020032.")},
    )
    q = forms.CharField(label=gettext_lazy("Name or number"), required=False, max_length=MAX_SEARCH_LENGTH)

    def __init__(self, data: Mapping[str, str], *, registers: Sequence[Register]) -> None:
        typed = {name: plain_text(data.get(name, "")) for name in self.base_fields}
        super().__init__(typed, auto_id="asked_%s")  # the other form of the page has a register too
        set_choices(self, "register", [(register.code, gettext(register.label)) for register in registers])
        self.fields["day"].widget.attrs |= {"autocomplete": "off"}
        self.fields["club"].widget.attrs |= {"inputmode": "numeric", "maxlength": 6}
        self.full_clean()

    @property
    def chosen(self) -> Register:
        """The register asked for, else the first one."""
        first = self.fields["register"].choices[0][0]  # type: ignore[attr-defined]  # a field of choices
        return register_by_code(self.cleaned_data.get("register") or first)

    @property
    def filters(self) -> MembershipFilters:
        """What is asked for, today if no day is."""
        cleaned = self.cleaned_data
        return MembershipFilters(
            cleaned.get("day") or timezone.localdate(), cleaned.get("club", ""), cleaned.get("q", "")
        )


@allow_large_body(TABLE_UPLOAD)
@require_access(check_can_import_register, "GET", "HEAD", "POST")
def memberships(request: OfficeRequest) -> HttpResponse:
    """The table in force with its members on a day, and the upload of another one. At most 4 queries."""
    registers = registers_with_clubs()
    posted = request.method == "POST"
    form = MembershipFileForm(
        request.POST if posted else None, request.FILES if posted else None, registers=registers
    )
    attempt = Attempt(form)
    if attempt.is_valid:
        with attempt:
            file, register = form.cleaned_data["file"], register_by_code(form.cleaned_data["register"])
            done = import_memberships(
                content=file.read(), filename=file.name, register=register, by=actor(request)
            )
            sentence = (
                gettext("This table is in force already: %(lines)s memberships of %(players)s players.")
                if done.already_there
                else gettext("Table imported: %(lines)s memberships of %(players)s players.")
            )
            confirm(request, sentence % {"lines": done.lines, "players": done.players})
            return redirect(reverse("office-memberships", query={"register": register.code}))
    asked = MembersForm(request.GET, registers=registers)
    register, filters = asked.chosen, asked.filters
    table = newest_table(register)
    found = found_members(table, register, filters) if table else ()
    findings = attempt.refusal.findings if attempt.refusal else ()
    context = {
        "form": form,
        "asked": asked,
        "register": register,
        "several_registers": len(registers) > 1,
        "day": filters.day,
        "is_filtered": bool(filters.club or filters.text),
        "table": table,
        "lines": table.lines.count() if table else 0,
        "members": rows_on_page(request, found, anchor="#members"),
        "numbers": {member.pk: member.player.number_in(register) for member in found},
        "refusal": attempt.refusal,
        "findings": rows_on_page(None, findings, most=200) if findings else None,
        "columns": ",".join(COLUMNS),
    }
    return render(request, "reporting/register/memberships.html", context, status=attempt.status)
