"""The page of an account, and the forms of administrators: close, reopen, change roles and federation."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from reporting.accounts.notifications import role_labels
from reporting.accounts.selectors import (
    AccountLine,
    has_second_factor,
    is_only_administrator,
    role_assignment,
    roles_of_account,
    visible_account,
)
from reporting.accounts.services import manage_accounts as services
from reporting.accounts.services.roles import confirm_role
from reporting.accounts.views.invitations import federation_choices
from reporting.accounts.views.step_up import step_up
from reporting.log.selectors import latest_entries_by
from reporting.log.views.entries import shown_entries
from reporting.models import AccountState, Role, User
from reporting.policies import (
    check_can_manage_account,
    check_can_manage_accounts,
    check_can_see_accounts,
    check_can_see_log,
    may_confirm_role,
)
from reporting.web.access import OfficeRequest, actor, refusal_message, require_access
from reporting.web.attempt import Attempt, confirm
from reporting.web.forms import StyledFormMixin, set_choices, text_area

MAX_HISTORY_LINES = 10
READ_BY_PERSON = gettext_lazy("The person reads it. The log keeps it with your name.")
ROLE_DESCRIPTIONS = {
    Role.REFEREE: gettext_lazy("announces tournaments and submits their reports"),
    Role.NATIONAL_OFFICIAL: gettext_lazy(
        "sees and submits the reports of the federation, invites its referees"
    ),
    Role.RATING_OFFICER: gettext_lazy("reviews reports, freezes periods, approves lists"),
    Role.RELEASING_OFFICER: gettext_lazy("publishes lists that another person approved"),
    Role.TITLE_COUNCIL: gettext_lazy("decides on titles"),
    Role.TOURNAMENT_DIRECTOR: gettext_lazy("reviews reports, maintains the register"),
    Role.ADMINISTRATOR: gettext_lazy("manages accounts and sees everything; signs nothing"),
}


class ReasonForm(StyledFormMixin, forms.Form):
    reason = text_area(help_text=READ_BY_PERSON)


class RolesForm(StyledFormMixin, forms.Form):
    """Roles and federation, with their state when the page was opened."""

    roles = forms.MultipleChoiceField(
        label=gettext_lazy("Roles"),
        choices=Role.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    federation = forms.ChoiceField(
        label=gettext_lazy("Federation"),
        required=False,
        help_text=gettext_lazy("Needed for referees and national officials."),
    )
    reason = text_area(help_text=READ_BY_PERSON)
    looked_at = forms.CharField(max_length=300, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        set_choices(self, "federation", federation_choices(gettext("None")))
        del self.fields["roles"].widget.attrs["class"]

    @property
    def boxes(self) -> list[tuple[Any, str]]:
        """The checkboxes of the roles, each with its description."""
        return list(zip(self["roles"], map(str, ROLE_DESCRIPTIONS.values()), strict=True))


# --- the page


@require_access(check_can_see_accounts, "GET", "HEAD")
def account_page(request: OfficeRequest, number: int) -> HttpResponse:
    """The person, the roles, the invitation and the latest actions."""
    reader = request.user
    line = account_or_404(reader, number)
    can_see_log = not refusal_message(check_can_see_log, reader)
    assignments = roles_of_account(line.account)
    context = {
        "line": line,
        "account": line.account,
        "can_change_roles": line.state != AccountState.WITHDRAWN
        and not refusal_message(check_can_manage_account, reader, line.account),
        "has_factor": has_second_factor(line.account),
        "is_own": line.account == reader,
        "assignments": [
            (assignment, assignment.is_pending and not refusal_message(may_confirm_role, reader, assignment))
            for assignment in assignments
        ],
        "only_administrator": any(assignment.is_pending for assignment in assignments)
        and is_only_administrator(reader),
        "is_administrator": not refusal_message(check_can_manage_accounts, reader),
        "can_see_log": can_see_log,
        "log_entries": shown_entries(latest_entries_by(line.account, MAX_HISTORY_LINES), reader)
        if can_see_log
        else [],
    }
    return render(request, "reporting/accounts/account_page.html", context)


def account_or_404(reader: User, number: int) -> AccountLine:
    try:
        return visible_account(reader, number)
    except User.DoesNotExist:
        raise Http404 from None


# --- what administrators do


def of_account(template: str | Promise) -> Callable[..., str]:
    """An action on an account for the page that asks to confirm it; `template` has a place for the `name`."""
    return lambda request, number, **_: str(template) % {"name": managed_or_404(request, number).account.name}


@require_access(check_can_manage_accounts, "GET", "HEAD", "POST")
@step_up(of_account(gettext_lazy("close the account of %(name)s")))
def account_close(request: OfficeRequest, number: int) -> HttpResponse:
    done = gettext("Account of %(name)s closed and logged out on all devices.")
    return _with_reason(
        request, number, services.close_account, done, "reporting/accounts/account_close.html"
    )


@require_access(check_can_manage_accounts, "GET", "HEAD", "POST")
@step_up(of_account(gettext_lazy("reopen the account of %(name)s")))
def account_reopen(request: OfficeRequest, number: int) -> HttpResponse:
    done = gettext("Account of %(name)s reopened. Its owner sets a new password.")
    return _with_reason(
        request, number, services.reopen_account, done, "reporting/accounts/account_reopen.html"
    )


@require_access(check_can_manage_accounts, "GET", "HEAD", "POST")
@step_up(of_account(gettext_lazy("remove the second factor of %(name)s")))
def account_factor(request: OfficeRequest, number: int) -> HttpResponse:
    done = gettext("Second factor of %(name)s removed.")
    return _with_reason(
        request, number, services.remove_second_factor, done, "reporting/accounts/account_factor.html"
    )


@require_access(check_can_manage_accounts, "GET", "HEAD", "POST")
@step_up(of_account(gettext_lazy("change the roles of %(name)s")))
def account_roles(request: OfficeRequest, number: int) -> HttpResponse:
    line = managed_or_404(request, number)
    present = {
        "roles": line.account.roles_given,
        "federation": line.account.federation_id or "",
        "looked_at": services.rights_summary(line.account),
    }
    form = RolesForm(request.POST if request.method == "POST" else None, initial=present)

    def change() -> str:
        values = form.cleaned_data
        services.change_roles(
            account=line.account,
            roles=[Role(role) for role in values["roles"]],
            federation=values["federation"],
            reason=values["reason"],
            looked_at=values["looked_at"],
            by=actor(request),
        )
        line.account.forget_roles()
        if line.account.roles_waiting:
            return gettext(
                "Roles changed. Another administrator has to confirm: %(roles)s. Until then these give no rights."
            ) % {"roles": role_labels(line.account.roles_waiting)}
        return gettext("Roles of %(name)s changed.") % {"name": line.account.name}

    return _answer(request, line, form, change, "reporting/accounts/account_roles.html")


@require_access(check_can_manage_accounts, "POST")
@step_up(of_account(gettext_lazy("confirm a role of %(name)s")))
def account_confirm_role(request: OfficeRequest, number: int, assignment: int) -> HttpResponse:
    """The second of two administrators confirms the role that the first one assigned."""
    line = managed_or_404(request, number)
    waiting = role_assignment(line.account, assignment)
    if waiting is None:
        raise Http404
    attempt = Attempt()
    with attempt:
        confirm_role(assignment=waiting, by=actor(request))
        values = {"role": Role(waiting.role).label, "name": line.account.name}
        confirm(request, gettext("Role of %(name)s confirmed: %(role)s.") % values, "roles")
    if attempt.refusal:
        messages.error(request, attempt.refusal.message, extra_tags="roles")
    return redirect(f"{reverse('account-page', args=[number])}#roles")


def managed_or_404(request: OfficeRequest, number: int) -> AccountLine:
    """The account of another person. Raises DomainError as `check_can_manage_account`."""
    reader = request.user
    line = account_or_404(reader, number)
    check_can_manage_account(reader, line.account)
    return line


def _with_reason(
    request: OfficeRequest, number: int, service: Callable[..., User], done: str, template: str
) -> HttpResponse:
    """The page of an act on an account that needs a reason and nothing else."""
    line = managed_or_404(request, number)
    form = ReasonForm(request.POST if request.method == "POST" else None)

    def act() -> str:
        service(account=line.account, reason=form.cleaned_data["reason"], by=actor(request))
        return done % {"name": line.account.name}

    return _answer(request, line, form, act, template)


def _answer(
    request: OfficeRequest, line: AccountLine, form: forms.Form, act: Callable[[], str], template: str
) -> HttpResponse:
    """Act and go to the account's page, or show the form again with the refusal and the entered values."""
    attempt = Attempt(form)
    if attempt.is_valid:
        with attempt:
            messages.success(request, act())
            return redirect("account-page", line.account.pk)
    context = {
        "line": line,
        "account": line.account,
        "form": form,
        "refusal": attempt.refusal,
        "only_administrator": partial(is_only_administrator, request.user),  # where it is shown
    }
    return render(request, template, context, status=attempt.status)
