"""The list of accounts, and invitations."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from reporting.accounts.selectors import (
    AccountFilter,
    account_page,
    is_only_administrator,
    roles_to_confirm,
    visible_invitation,
)
from reporting.accounts.services.accounts import invite, resend_invitation, withdraw_invitation
from reporting.accounts.views.step_up import confirm_identity
from reporting.models import NEED_A_SECOND_PERSON, AccountState, Invitation, Role, User
from reporting.policies import (
    FEDERATION_ROLES,
    can_invite_everywhere,
    check_can_see_accounts,
    invitable_roles,
)
from reporting.rules.register.countries import all_countries
from reporting.web.access import OfficeRequest, actor, require_access
from reporting.web.attempt import Attempt, confirm
from reporting.web.forms import QueryForm, StyledFormMixin, set_choices
from reporting.web.paging import pager_of
from reporting.web.query_params import PageForm


class InviteForm(StyledFormMixin, forms.Form):
    """An invitation; for a national official role and federation are fixed."""

    email = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        max_length=254,
        help_text=gettext_lazy("The invitation is sent there. The person also logs in with it."),
    )
    name = forms.CharField(label=gettext_lazy("Name"), max_length=120)
    role = forms.ChoiceField(label=gettext_lazy("Role"))
    federation = forms.ChoiceField(
        label=gettext_lazy("Federation"),
        required=False,
        help_text=gettext_lazy("Needed for referees and national officials."),
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        set_choices(self, "role", [(role.value, role.label) for role in invitable_roles(user)])
        set_choices(self, "federation", federation_choices(gettext("None")))
        if not can_invite_everywhere(user):
            del self.fields["role"], self.fields["federation"]

    @property
    def role_given(self) -> Role:
        return Role(self.cleaned_data.get("role", Role.REFEREE))

    @property
    def federation_given(self) -> str:
        return str(self.cleaned_data.get("federation", self.user.federation_id))


class AccountFilterForm(StyledFormMixin, QueryForm):
    """Filters of the list of accounts. A field with an error shows it and filters nothing."""

    words = forms.CharField(label=gettext_lazy("Name or e-mail address"), max_length=100, required=False)
    role = forms.ChoiceField(
        label=gettext_lazy("Role"), choices=[("", gettext_lazy("All")), *Role.choices], required=False
    )
    federation = forms.ChoiceField(label=gettext_lazy("Federation"), required=False)
    state = forms.ChoiceField(
        label=gettext_lazy("State"),
        choices=[("", gettext_lazy("All")), *AccountState.choices],
        required=False,
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["words"].widget.attrs["type"] = "search"
        set_choices(self, "federation", federation_choices(gettext("All")))
        if not can_invite_everywhere(user):
            del self.fields["federation"]


def federation_choices(none: str) -> list[tuple[str, str]]:
    """Every federation by its name, after the choice of none."""
    countries = sorted(all_countries(), key=lambda country: country.name)
    return [("", none), *((country.code, f"{country.name} ({country.code})") for country in countries)]


@require_access(check_can_see_accounts, "GET", "HEAD")
def account_list(request: OfficeRequest) -> HttpResponse:
    """The accounts that the reader may see, with their state."""
    user = request.user
    form = AccountFilterForm(user, request.GET)
    form.is_valid()
    page, lines = account_page(user, AccountFilter(**form.cleaned_data), PageForm(request.GET).number)
    context = {
        "form": form,
        "page": page,
        "lines": lines,
        "all_federations": can_invite_everywhere(user),
        "is_administrator": user.has_role(Role.ADMINISTRATOR),
        "to_confirm": list(roles_to_confirm(user)) if user.has_role(Role.ADMINISTRATOR) else [],
        "only_administrator": is_only_administrator(user),
        "is_filtered": bool(form.typed),
        "pager": pager_of(page, form.typed),
    }
    return render(request, "reporting/accounts/accounts.html", context)


@require_access(check_can_see_accounts, "GET", "HEAD", "POST")
def account_invite(request: OfficeRequest) -> HttpResponse:
    """Invite a person; for a role of the office `confirm_identity` is needed: the invitation assigns the role."""
    form = InviteForm(request.user, request.POST or None)
    attempt = Attempt(form)
    if attempt.is_valid:
        if form.role_given not in FEDERATION_ROLES:
            confirm_identity(
                request,
                lambda: (
                    gettext("invite %(name)s as %(role)s")
                    % {"name": form.cleaned_data["name"], "role": form.role_given.label}
                ),
            )
        values = form.cleaned_data
        with attempt:
            invite(
                email=values["email"],
                name=values["name"],
                role=form.role_given,
                federation=form.federation_given,
                by=actor(request),
            )
            messages.success(request, gettext("Invitation for %(name)s sent to %(email)s.") % values)
            if form.role_given in NEED_A_SECOND_PERSON:
                messages.info(request, gettext("The role applies once another administrator confirms it."))
            return redirect("accounts")
    if refusal := attempt.refusal:
        if refusal.code == "forbidden":
            raise refusal
        field = "email" if refusal.code == "account_exists" else "federation"
        form.add_error(field if field in form.fields else None, refusal.message)
    return render(request, "reporting/accounts/account_invite.html", {"form": form}, status=attempt.status)


@require_access(check_can_see_accounts, "POST")
def account_invite_again(request: OfficeRequest, number: int) -> HttpResponse:
    return _act(request, number, resend_invitation, gettext("Invitation sent again to %(name)s."))


@require_access(check_can_see_accounts, "POST")
def account_withdraw(request: OfficeRequest, number: int) -> HttpResponse:
    return _act(request, number, withdraw_invitation, gettext("Invitation of %(name)s withdrawn."))


def _act(request: OfficeRequest, number: int, service: Callable[..., Invitation], done: str) -> HttpResponse:
    invitation = visible_invitation(request.user, number)
    if invitation is None:
        raise Http404
    attempt = Attempt()
    with attempt:
        service(invitation=invitation, by=actor(request))
        confirm(request, done % {"name": invitation.account.name}, "invitation")
    if attempt.refusal and attempt.refusal.code == "forbidden":
        raise attempt.refusal
    if attempt.refusal:
        messages.error(request, attempt.refusal.message, extra_tags="invitation")
    return redirect(f"{reverse('account-page', args=[number])}#invitation")
