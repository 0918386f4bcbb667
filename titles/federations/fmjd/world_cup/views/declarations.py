"""The page of declarations for the open classification: of all federations, or of that of a national official."""

from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from ratings.queries.lists import office_today
from reporting.accounts.views.step_up import confirmed_for_results, step_up
from reporting.refusals.domain_error import DomainError
from reporting.web.access import OfficeRequest, actor, refusal_message, require_access
from reporting.web.attempt import Attempt, confirm
from reporting.web.paging import rows_on_page
from titles.federations.fmjd.world_cup.declarations.forms import (
    RECORD,
    ActionForm,
    DeclarationForm,
    WithdrawalForm,
    YearForm,
)
from titles.federations.fmjd.world_cup.declarations.selectors import declarations_of_year, find_declaration
from titles.federations.fmjd.world_cup.declarations.services import record_declaration, withdraw_declaration
from titles.policies import (
    check_can_declare,
    check_can_see_declarations,
    check_can_withdraw_declaration,
    sees_all_declarations,
)


@require_access(check_can_see_declarations, "GET", "HEAD", "POST", may_post=check_can_declare)
@step_up(lambda _: gettext("record World Cup declarations"), is_confirmed=confirmed_for_results)
def declarations(request: OfficeRequest) -> HttpResponse:
    """The declarations of a year, the form that records one, and for the office that which withdraws one. 9 queries."""
    user = request.user
    year_form = YearForm(request.GET)
    if not year_form.is_valid():
        return render(
            request,
            "titles/world_cup/declarations.html",
            {"year_form": year_form},
            status=HTTPStatus.BAD_REQUEST,
        )
    year = year_form.cleaned_data["year"] or office_today().year
    form, attempt = DeclarationForm(user, year), Attempt()
    sent: dict[str, Any] = {}
    if request.method == "POST":
        action = ActionForm(request.POST)
        if not action.is_valid():
            raise DomainError("unknown_action")
        if action.cleaned_data["action"] == RECORD:
            form = DeclarationForm(user, year, request.POST)
            attempt = Attempt(form)
            if attempt.is_valid:
                with attempt:
                    done = record_declaration(
                        **{"declared_on": office_today()} | form.cleaned_data, by=actor(request)
                    )
                    return _saved(request, gettext("Declaration recorded."), done.year)
        else:
            declaration = find_declaration(action.cleaned_data["declaration"] or 0)
            if declaration is None:
                raise Http404
            withdrawal = WithdrawalForm(request.POST)
            attempt = Attempt(withdrawal)
            sent = {"withdrawn": declaration.pk, "withdrawal": withdrawal}
            if attempt.is_valid:
                with attempt:
                    done = withdraw_declaration(
                        declaration=declaration, by=actor(request), **withdrawal.cleaned_data
                    )
                    return _saved(request, gettext("Declaration withdrawn."), done.year)
    rows = rows_on_page(request, declarations_of_year(user, year))
    context = {
        "year_form": YearForm({"year": year}),
        "year": year,
        "form": None if refusal_message(check_can_declare, user) else form,
        "rows": rows,
        "withdrawal": None if refusal_message(check_can_withdraw_declaration, user) else WithdrawalForm(),
        "of_all": sees_all_declarations(user),
        "today": office_today(),
        "refusal": attempt.refusal,
    }
    return render(request, "titles/world_cup/declarations.html", context | sent, status=attempt.status)


def _saved(request: OfficeRequest, text: str, year: int) -> HttpResponse:
    confirm(request, text, "declarations")
    return redirect(f"{reverse('office-declarations')}?year={year}#declarations")
