"""An account's page, and what administrators do there: close, open again, change roles and federation."""

from collections.abc import Callable
from typing import Any, cast

from allauth.mfa.models import Authenticator
from django import forms
from django.contrib import messages
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from reporting.errors import DomainError
from reporting.models import Role, RoleAssignment, User
from reporting.policies import (
    may_confirm_role,
    may_manage_account,
    may_manage_accounts,
    may_see_accounts,
    may_see_log,
)
from reporting.selectors.accounts import AccountLine, account_seen_by, roles_of_account
from reporting.selectors.log import latest_acts_of
from reporting.services import manage_accounts as services
from reporting.services.accounts import role_words
from reporting.services.roles import confirm_role
from reporting.views.accounts import InOfficeStyle
from reporting.views.guarded import actor, guarded_page, refusal_of, status_of, why_not
from reporting.views.invitations import federation_choices
from reporting.views.log import acts_of
from reporting.views.step_up import step_up

ACTS_SHOWN = 10
LONGEST_REASON = 2000
DUTIES = {
    Role.REFEREE: "announces competitions and sends their reports",
    Role.NATIONAL_OFFICIAL: "sees and sends the reports of the federation, invites its referees",
    Role.RATING_OFFICER: "decides about reports, freezes periods, approves lists",
    Role.RELEASING_OFFICER: "releases what another person has approved",
    Role.TITLE_COUNCIL: "decides about titles",
    Role.TOURNAMENT_DIRECTOR: "decides about reports, looks after the register",
    Role.ADMINISTRATOR: "manages accounts and sees everything; signs nothing",
}


def reason_field(label: str) -> forms.CharField:
    area = forms.Textarea(attrs={"rows": 3})
    hint = "The person reads it, and it is kept in the log with your name."
    return forms.CharField(label=label, help_text=hint, max_length=LONGEST_REASON, widget=area)


class CloseForm(InOfficeStyle, forms.Form):
    reason = reason_field("Why is the account closed?")


class ReopenForm(InOfficeStyle, forms.Form):
    reason = reason_field("Why is the account opened again?")


class FactorForm(InOfficeStyle, forms.Form):
    reason = reason_field("Why is the second factor removed?")


class RolesForm(InOfficeStyle, forms.Form):
    """Roles and federation, with what they were when the page was opened."""

    roles = forms.MultipleChoiceField(
        label="Roles", choices=Role.choices, required=False, widget=forms.CheckboxSelectMultiple
    )
    federation = forms.ChoiceField(
        label="Federation",
        required=False,
        help_text="Needed for referees and national officials.",
    )
    reason = reason_field("Why is it changed?")
    looked_at = forms.CharField(max_length=300, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cast(forms.ChoiceField, self.fields["federation"]).choices = federation_choices("None")
        del self.fields["roles"].widget.attrs["class"]

    @property
    def boxes(self) -> list[tuple[Any, str]]:
        """Each role's box with what the role does."""
        return list(zip(self["roles"], DUTIES.values(), strict=True))


# --- the page


@guarded_page(may_see_accounts, "GET", "HEAD")
def account_page(request: HttpRequest, number: int) -> HttpResponse:
    """Who it is, what he may do, how he came, and what he did last."""
    reader = cast(User, request.user)
    line = account_or_404(reader, number)
    sees_log = not why_not(may_see_log, reader)
    context = {
        "line": line,
        "account": line.account,
        "manages": not why_not(may_manage_account, reader, line.account),
        "has_factor": Authenticator.objects.filter(user=line.account).exists(),
        "own": line.account == reader,
        "assignments": [
            (each, bool(each.waits and not why_not(may_confirm_role, reader, each)))
            for each in roles_of_account(line.account)
        ],
        "administrator": not why_not(may_manage_accounts, reader),
        "sees_log": sees_log,
        "acts": acts_of(latest_acts_of(line.account, ACTS_SHOWN), reader) if sees_log else [],
    }
    return render(request, "reporting/account_page.html", context)


def account_or_404(reader: User, number: int) -> AccountLine:
    try:
        return account_seen_by(reader, number)
    except User.DoesNotExist:
        raise Http404("There is no such account.") from None


# --- what administrators do


def of_account(words: str) -> Callable[..., str]:
    """An act of theirs in words, with the name of whom it concerns in the place of `{}`."""
    return lambda request, number, **_: words.format(managed_or_404(request, number).account.name)


@guarded_page(may_manage_accounts, "GET", "HEAD", "POST")
@step_up(of_account("close the account of {}"))
def account_close(request: HttpRequest, number: int) -> HttpResponse:
    line = managed_or_404(request, number)
    form = CloseForm(request.POST if request.method == "POST" else None)

    def close() -> str:
        services.close_account(account=line.account, reason=form.cleaned_data["reason"], by=actor(request))
        return f"The account of {line.account.name} is closed. Wherever it was logged in, it no longer is."

    return _answer(request, line, form, close, "reporting/account_close.html")


@guarded_page(may_manage_accounts, "GET", "HEAD", "POST")
@step_up(of_account("reopen the account of {}"))
def account_reopen(request: HttpRequest, number: int) -> HttpResponse:
    line = managed_or_404(request, number)
    form = ReopenForm(request.POST if request.method == "POST" else None)

    def reopen() -> str:
        services.reopen_account(account=line.account, reason=form.cleaned_data["reason"], by=actor(request))
        return f"The account of {line.account.name} is open again; its owner sets a new password."

    return _answer(request, line, form, reopen, "reporting/account_reopen.html")


@guarded_page(may_manage_accounts, "GET", "HEAD", "POST")
@step_up(of_account("remove the second factor of {}"))
def account_factor(request: HttpRequest, number: int) -> HttpResponse:
    line = managed_or_404(request, number)
    form = FactorForm(request.POST if request.method == "POST" else None)

    def remove() -> str:
        services.remove_second_factor(
            account=line.account, reason=form.cleaned_data["reason"], by=actor(request)
        )
        return f"The second factor of {line.account.name} is removed."

    return _answer(request, line, form, remove, "reporting/account_factor.html")


@guarded_page(may_manage_accounts, "GET", "HEAD", "POST")
@step_up(of_account("change the roles of {}"))
def account_roles(request: HttpRequest, number: int) -> HttpResponse:
    line = managed_or_404(request, number)
    now = {
        "roles": line.account.roles_given,
        "federation": line.account.federation_id or "",
        "looked_at": services.rights_of(line.account),
    }
    form = RolesForm(request.POST if request.method == "POST" else None, initial=now)

    def change() -> str:
        told = form.cleaned_data
        services.change_roles(
            account=line.account,
            roles=[Role(role) for role in told["roles"]],
            federation=told["federation"],
            reason=told["reason"],
            looked_at=told["looked_at"],
            by=actor(request),
        )
        line.account.forget_roles()
        waiting = role_words(line.account.roles_waiting)
        if line.account.roles_waiting:
            return (
                f"Roles changed. Another administrator confirms: {waiting}. Until then they give no rights."
            )
        return f"{line.account.name} has these roles from now on."

    return _answer(request, line, form, change, "reporting/account_roles.html")


@guarded_page(may_manage_accounts, "POST")
@step_up(of_account("confirm a role of {}"))
def account_confirm_role(request: HttpRequest, number: int, assignment: int) -> HttpResponse:
    """The second of two administrators: what the first gave holds from now on."""
    line = managed_or_404(request, number)
    waiting = get_object_or_404(RoleAssignment.objects.filter(account=line.account), pk=assignment)
    try:
        confirm_role(assignment=waiting, by=actor(request))
    except (DomainError, OperationalError) as error:
        messages.error(request, refusal_of(error).message)
    else:
        role = Role(waiting.role).label.lower()
        messages.success(request, f"Confirmed: {line.account.name} is {role} from now on.")
    return redirect("account-page", number)


def managed_or_404(request: HttpRequest, number: int) -> AccountLine:
    """The account of somebody else. Raises what `may_manage_account` refuses."""
    reader = cast(User, request.user)
    line = account_or_404(reader, number)
    may_manage_account(reader, line.account)
    return line


def _answer(
    request: HttpRequest, line: AccountLine, form: forms.Form, act: Callable[[], str], template: str
) -> HttpResponse:
    """The form, with the act's refusal and what was typed; after the act the account's page."""
    refusal: DomainError | None = None
    status = 200
    if form.is_valid():
        try:
            messages.success(request, act())
        except (DomainError, OperationalError) as error:
            refusal = refusal_of(error)
            status = status_of(refusal)
        else:
            return redirect("account-page", line.account.pk)
    elif form.is_bound:
        status = 400
    context = {"line": line, "account": line.account, "form": form, "refusal": refusal}
    return render(request, template, context, status=status)
