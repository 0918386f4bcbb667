"""Logging in and out by e-mail address, one's own account, and passwords set by a link."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash, views
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, SetPasswordForm
from django.contrib.auth.views import INTERNAL_RESET_SESSION_TOKEN
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_safe

from reporting.errors import DomainError
from reporting.models import Role, User
from reporting.policies import roles_to_invite
from reporting.services import accounts
from reporting.services.one_time_links import EMAIL, INVITATION, PASSWORD
from reporting.views.attempts import TOO_MANY, may_try, succeeded
from reporting.views.guarded import actor, guarded_page

__all__ = ["LogIn", "LogOut"]

WRONG_PASSWORD = "This is not the password of your account."  # noqa: S105 (a sentence)


class InOfficeStyle:
    """Fields in the look of the office."""

    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs["class"] = "field__input"


class LogInForm(InOfficeStyle, AuthenticationForm):
    """E-mail address and password; which of them was wrong is not told."""

    error_messages = {  # noqa: RUF012 (Django's own protocol)
        "invalid_login": "This e-mail address and password do not go together. "
        "Mind capital and small letters in the password.",
        "inactive": "This account is closed.",
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "E-mail address"

    def clean(self) -> dict[str, Any]:
        assert self.request is not None  # noqa: S101 (the view's own)
        account = self.cleaned_data.get("username", "")
        if not may_try(self.request, "log in", account):
            raise forms.ValidationError(TOO_MANY, code="too_many")
        cleaned = super().clean()
        succeeded(self.request, "log in", account)
        return cleaned


class NewPasswordForm(InOfficeStyle, SetPasswordForm):  # type: ignore[type-arg]
    """A password, twice."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_password2"].label = "The new password again"
        self.fields["new_password2"].help_text = ""


class OwnPassword(InOfficeStyle):
    """Asks for the password of whoever is logged in, so often and no more."""

    cleaned_data: dict[str, Any]

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        self.request = request
        super().__init__(*args, **kwargs)

    def clean_old_password(self) -> str:
        account, typed = cast(User, self.request.user), str(self.cleaned_data["old_password"])
        if not may_try(self.request, "own password", str(account.pk)):
            raise forms.ValidationError(TOO_MANY, code="too_many")
        if not account.check_password(typed):
            raise forms.ValidationError(WRONG_PASSWORD, code="password_incorrect")
        succeeded(self.request, "own password", str(account.pk))
        return typed


class ChangePasswordForm(OwnPassword, PasswordChangeForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["old_password"].label = "Your password of now"
        self.fields["new_password2"].label = "The new password again"
        self.fields["new_password2"].help_text = ""


class EmailForm(OwnPassword, forms.Form):
    email = forms.EmailField(
        label="New e-mail address",
        max_length=254,
        help_text="A link is sent there; it confirms the change.",
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    old_password = forms.CharField(
        label="Your password",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class NameForm(InOfficeStyle, forms.Form):
    name = forms.CharField(
        label="Name",
        max_length=120,
        help_text="As others read it beside what you do.",
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )


class ForgottenForm(InOfficeStyle, forms.Form):
    email = forms.EmailField(
        label="E-mail address", max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )


class LogIn(views.LoginView):
    """To the page that was asked for, else to the first one."""

    template_name = "reporting/login.html"
    authentication_form = LogInForm
    redirect_authenticated_user = True

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        too_many = form.has_error("__all__", "too_many")
        status = HTTPStatus.TOO_MANY_REQUESTS if too_many else HTTPStatus.OK
        return self.render_to_response(self.get_context_data(form=form), status=status)


class LogOut(views.LogoutView):
    """By POST only."""


class _SetByLink(views.PasswordResetConfirmView):
    """A password set by a link that holds once; a link that has ended says so and what to do."""

    template_name = "reporting/account_set_password.html"
    form_class = NewPasswordForm
    service: Callable[..., User]
    done: str

    def form_valid(self, form: "SetPasswordForm[User]") -> HttpResponse:
        token = self.request.session.pop(INTERNAL_RESET_SESSION_TOKEN)
        try:
            self.service(account=self.user, token=token, password=form.cleaned_data["new_password1"])
        except DomainError:  # used between the page and its answer
            self.validlink = False
            return self.render_to_response(self.get_context_data())
        messages.success(self.request, self.done)
        return redirect("login")

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        kwargs.setdefault("status", HTTPStatus.OK if self.validlink else HTTPStatus.GONE)
        return super().render_to_response(context, **kwargs)


class AcceptInvitation(_SetByLink):
    token_generator = INVITATION
    service = staticmethod(accounts.accept_invitation)
    done = "Your account is open. Log in with your e-mail address and the password you have just set."
    extra_context = {"invited": True}  # noqa: RUF012 (Django's own protocol)


class ResetPassword(_SetByLink):
    token_generator = PASSWORD
    service = staticmethod(accounts.reset_password)
    done = "Your new password is set. Log in with it."


@login_not_required
@sensitive_post_parameters()
@cache_control(private=True, no_store=True)
def forgotten(request: HttpRequest) -> HttpResponse:
    """Ask for a link to set a new password; the answer is the same whatever the address."""
    form = ForgottenForm(request.POST or None)
    status = HTTPStatus.OK
    if form.is_valid():
        if may_try(request, "forgotten"):
            accounts.ask_for_password(email=form.cleaned_data["email"])
            return redirect("account-forgotten-sent")
        form.add_error(None, TOO_MANY)
        status = HTTPStatus.TOO_MANY_REQUESTS
    return render(request, "reporting/account_forgotten.html", {"form": form}, status=status)


@login_not_required
@require_safe
def forgotten_sent(request: HttpRequest) -> HttpResponse:
    return render(request, "reporting/account_forgotten_sent.html", {"hours": PASSWORD.holds.seconds // 3600})


def whoever_has_one(user: User) -> None:
    """One's own account asks for no role."""


@guarded_page(whoever_has_one, "GET", "HEAD")
def account(request: HttpRequest) -> HttpResponse:
    """Who one is here, and the ways to change it."""
    user = cast(User, request.user)
    context = {
        "roles": [Role(role).label for role in user.roles],
        "invites": bool(roles_to_invite(user)),
    }
    return render(request, "reporting/account.html", context)


@guarded_page(whoever_has_one, "GET", "HEAD", "POST")
def account_name(request: HttpRequest) -> HttpResponse:
    form = NameForm(request.POST or None, initial={"name": cast(User, request.user).name})
    if form.is_valid():
        accounts.change_name(name=form.cleaned_data["name"], by=actor(request))
        messages.success(request, "Your name is changed.")
        return redirect("account")
    return shown_form(request, form, "Change your name", "Change the name")


@sensitive_post_parameters()
@guarded_page(whoever_has_one, "GET", "HEAD", "POST")
def account_password(request: HttpRequest) -> HttpResponse:
    form = ChangePasswordForm(request, request.user, request.POST or None)
    if form.is_valid():
        user = accounts.change_password(password=form.cleaned_data["new_password1"], by=actor(request))
        update_session_auth_hash(request, user)
        messages.success(
            request, "Your password is changed. Wherever else you were logged in, you no longer are."
        )
        return redirect("account")
    return shown_form(request, form, "Change your password", "Change the password")


@sensitive_post_parameters()
@guarded_page(whoever_has_one, "GET", "HEAD", "POST")
def account_email(request: HttpRequest) -> HttpResponse:
    form = EmailForm(request, request.POST or None)
    if form.is_valid():
        try:
            accounts.ask_for_email(email=form.cleaned_data["email"], by=actor(request))
        except DomainError as refusal:
            form.add_error("email", refusal.message)
        else:
            return redirect("account")  # which says what is waited for
    return shown_form(request, form, "Another e-mail address", "Send the link")


@guarded_page(whoever_has_one, "GET", "HEAD", "POST")
def account_email_confirm(
    request: HttpRequest,
    uidb64: str,  # noqa: ARG001 (the token is of an account by itself)
    token: str,
) -> HttpResponse:
    """The link sent to a new address, followed by whoever asked for it; opening it alone changes nothing."""
    user = cast(User, request.user)
    holds = EMAIL.check_token(user, token)
    refused = ""
    if holds and request.method == "POST":
        try:
            accounts.confirm_email(token=token, by=actor(request))
        except DomainError as refusal:
            refused = refusal.message
        else:
            messages.success(request, "Your e-mail address is changed: log in with the new one from now on.")
            return redirect("account")
    status = HTTPStatus.CONFLICT if refused else HTTPStatus.OK if holds else HTTPStatus.GONE
    context = {"holds": holds, "refused": refused}
    return render(request, "reporting/account_email_confirm.html", context, status=status)


def shown_form(request: HttpRequest, form: forms.BaseForm, title: str, button: str) -> HttpResponse:
    context = {"form": form, "title": title, "button": button}
    return render(request, "reporting/account_form.html", context)
