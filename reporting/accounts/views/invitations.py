"""Accounts of a federation or of all: who has one, who is invited, and inviting."""

from collections.abc import Callable
from typing import Any, cast
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from reporting.accounts.selectors import (
    STATES,
    AccountFilter,
    account_page,
    roles_to_confirm,
    visible_accounts,
)
from reporting.accounts.services.accounts import invite, resend_invitation, withdraw_invitation
from reporting.accounts.views.accounts import StyledFormMixin
from reporting.accounts.views.step_up import confirm_identity
from reporting.errors import DomainError
from reporting.models import NEED_A_SECOND_PERSON, Invitation, Role, User
from reporting.policies import (
    FEDERATION_ROLES,
    can_invite_everywhere,
    check_can_see_accounts,
    invitable_roles,
)
from reporting.rules.countries import all_countries
from reporting.web.access import actor, require_access


class InviteForm(StyledFormMixin, forms.Form):
    """Whom to invite; a national official is asked neither for the role nor for the federation: they are given."""

    email = forms.EmailField(
        label="E-mail address",
        max_length=254,
        help_text="The invitation is sent there; it is also what the person logs in with.",
    )
    name = forms.CharField(label="Name", max_length=120)
    role = forms.ChoiceField(label="Role")
    federation = forms.ChoiceField(
        label="Federation", required=False, help_text="Needed for referees and national officials."
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.fields["role"].choices = [(role.value, role.label) for role in invitable_roles(user)]  # type: ignore[attr-defined]
        self.fields["federation"].choices = federation_choices("None")  # type: ignore[attr-defined]
        if not can_invite_everywhere(user):
            del self.fields["role"], self.fields["federation"]

    @property
    def role_given(self) -> Role:
        return Role(self.cleaned_data.get("role", Role.REFEREE))

    @property
    def federation_given(self) -> str:
        return str(self.cleaned_data.get("federation", self.user.federation_id))


class AccountFilterForm(StyledFormMixin, forms.Form):
    """What is asked of the list of accounts. A field that can't be read says so and asks for nothing."""

    words = forms.CharField(label="Name or e-mail address", max_length=100, required=False)
    role = forms.ChoiceField(label="Role", choices=[("", "All"), *Role.choices], required=False)
    federation = forms.ChoiceField(label="Federation", required=False)
    state = forms.ChoiceField(
        label="State", choices=[("", "All"), *((state, state) for state in STATES)], required=False
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["words"].widget.attrs["type"] = "search"
        self.fields["federation"].choices = federation_choices("All")  # type: ignore[attr-defined]
        if not can_invite_everywhere(user):
            del self.fields["federation"]


def federation_choices(none: str) -> list[tuple[str, str]]:
    """Every federation by its name, after the word for none."""
    everywhere = sorted(all_countries(), key=lambda country: country.name)
    return [("", none), *((country.code, f"{country.name} ({country.code})") for country in everywhere)]


@require_access(check_can_see_accounts, "GET", "HEAD")
def account_list(request: HttpRequest) -> HttpResponse:
    """The accounts one may know, with their state."""
    user = cast(User, request.user)
    form = AccountFilterForm(user, request.GET)
    form.is_valid()
    page, lines = account_page(user, AccountFilter(**form.cleaned_data), request.GET.get("page", "1"))
    typed = {name: text for name in form.fields if (text := request.GET.get(name, ""))}
    context = {
        "form": form,
        "page": page,
        "lines": lines,
        "everywhere": can_invite_everywhere(user),
        "administrator": user.has_role(Role.ADMINISTRATOR),
        "to_confirm": list(roles_to_confirm(user)) if user.has_role(Role.ADMINISTRATOR) else [],
        "filtered": bool(typed),
        "query": urlencode(typed, errors="replace"),
    }
    return render(request, "reporting/accounts.html", context)


@require_access(check_can_see_accounts, "GET", "HEAD", "POST")
def account_invite(request: HttpRequest) -> HttpResponse:
    """Invite; for a role of the office by `confirm_identity`: the invitation gives the role."""
    form = InviteForm(cast(User, request.user), request.POST or None)
    if form.is_valid():
        if form.role_given not in FEDERATION_ROLES:
            confirm_identity(
                request, lambda: f"invite {form.cleaned_data['name']} as {form.role_given.label}"
            )
        told = form.cleaned_data
        try:
            invite(
                email=told["email"],
                name=told["name"],
                role=form.role_given,
                federation=form.federation_given,
                by=actor(request),
            )
        except DomainError as refusal:
            if refusal.code == "forbidden":
                raise
            field = "email" if refusal.code == "account_exists" else "federation"
            form.add_error(field if field in form.fields else None, refusal.message)
        else:
            waits = " The role holds once another administrator confirms it."
            messages.success(
                request,
                f"{told['name']} is invited: a link goes to {told['email']}."
                f"{waits if form.role_given in NEED_A_SECOND_PERSON else ''}",
            )
            return redirect("accounts")
    return render(request, "reporting/account_invite.html", {"form": form})


@require_access(check_can_see_accounts, "POST")
def account_invite_again(request: HttpRequest, number: int) -> HttpResponse:
    return _act(request, number, resend_invitation, "The invitation is sent again to {}.")


@require_access(check_can_see_accounts, "POST")
def account_withdraw(request: HttpRequest, number: int) -> HttpResponse:
    return _act(request, number, withdraw_invitation, "The invitation of {} is withdrawn.")


def _act(request: HttpRequest, number: int, service: Callable[..., Invitation], done: str) -> HttpResponse:
    seen = visible_accounts(cast(User, request.user))
    invitation = get_object_or_404(
        Invitation.objects.select_related("account"), account__in=seen, account_id=number
    )
    try:
        service(invitation=invitation, by=actor(request))
    except DomainError as refusal:
        if refusal.code == "forbidden":
            raise
        messages.error(request, refusal.message)
    else:
        messages.success(request, done.format(invitation.account.name))
    return redirect("account-page", number)
