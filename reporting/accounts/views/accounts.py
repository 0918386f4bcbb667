"""One's own account, and the forms and pages of allauth with the sentences and styles of the office."""

from functools import wraps
from http import HTTPStatus
from typing import Any, cast

from allauth.account import forms as allauth_forms
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailConfirmationHMAC
from allauth.account.views import PasswordResetFromKeyView, ReauthenticateView
from allauth.core import context
from allauth.mfa.adapter import get_adapter as get_mfa_adapter
from allauth.mfa.base import forms as factor_forms
from allauth.mfa.base.views import AuthenticateView
from allauth.mfa.base.views import ReauthenticateView as ReauthenticateByCodeView
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.utils import encrypt
from django import forms
from django.contrib import messages
from django.contrib.auth import logout, views
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import SetPasswordForm
from django.contrib.auth.views import INTERNAL_RESET_SESSION_TOKEN
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext, gettext_lazy
from redis.exceptions import RedisError

from reporting.accounts.own_data import own_data
from reporting.accounts.selectors import (
    has_second_factor,
    is_named_official,
    open_sessions,
    unconfirmed_address,
)
from reporting.accounts.services import accounts
from reporting.accounts.services.manage_accounts import close_own_account
from reporting.accounts.sessions import stored_key
from reporting.accounts.views.allauth_adapters import count_attempt
from reporting.accounts.views.step_up import act_to_confirm, step_up
from reporting.log.acting_person import acting_as
from reporting.log.security_log import end_sessions, record_security_event
from reporting.messages.one_time_links import INVITATION
from reporting.models import Role, SecurityEvent, User
from reporting.policies import REPORTING_ROLES, can_be_named, check_can_be_named, invitable_roles
from reporting.refusals.domain_error import DomainError
from reporting.web.access import OfficeRequest, View, actor, require_access
from reporting.web.attempt import Attempt, confirm
from reporting.web.forms import StyledFormMixin
from reporting.web.query_params import declare_parameters
from reporting.web.rate_limit import MAX_MAILS_PER_SOURCE, client_address, reset_attempts

# --- forms that allauth's pages use (ACCOUNT_FORMS, MFA_FORMS)


class LogInForm(StyledFormMixin, allauth_forms.LoginForm):
    """E-mail address and password; an error does not say which of them is wrong."""

    labels = {"login": gettext_lazy("E-mail address"), "password": gettext_lazy("Password")}  # noqa: RUF012

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = ""


class ConfirmPasswordForm(StyledFormMixin, allauth_forms.ReauthenticateForm):
    labels = {"password": gettext_lazy("Password")}  # noqa: RUF012

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = ""


class ChangePasswordForm(StyledFormMixin, allauth_forms.ChangePasswordForm):
    labels = {  # noqa: RUF012
        "oldpassword": gettext_lazy("Current password"),
        "password1": gettext_lazy("New password"),
        "password2": gettext_lazy("New password again"),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["oldpassword"].help_text = ""

    def clean_oldpassword(self) -> str:
        """Attempts count like those at the log-in: an open session does not allow guessing."""
        password = str(self.cleaned_data["oldpassword"])
        if not get_adapter().reauthenticate(self.user, password):
            raise get_adapter().validation_error("enter_current_password")
        return password


class ForgottenPasswordForm(StyledFormMixin, allauth_forms.ResetPasswordForm):
    """The same answer for every address; the mail is a message of the office."""

    labels = {"email": gettext_lazy("E-mail address")}  # noqa: RUF012

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"])
        count_attempt(context.request, "forgotten", email, email=email, most_accounts=MAX_MAILS_PER_SOURCE)
        return email

    def save(self, request: HttpRequest, **_: Any) -> str:  # noqa: ARG002
        accounts.request_password_reset(email=self.cleaned_data["email"])
        return str(self.cleaned_data["email"])


class ResetPasswordForm(StyledFormMixin, allauth_forms.ResetPasswordKeyForm):
    labels = {  # noqa: RUF012
        "password1": gettext_lazy("New password"),
        "password2": gettext_lazy("New password again"),
    }

    def save(self) -> None:
        accounts.reset_password(
            account=self.user, token=self.temp_key, password=self.cleaned_data["password1"]
        )


class OneTimeCode(StyledFormMixin):
    """A code of the authenticator app or a recovery code; attempts are limited."""

    labels = {"code": gettext_lazy("Code")}  # noqa: RUF012
    user: User

    def clean_code(self) -> str:
        account = str(self.user.pk)
        count_attempt(context.request, "code", account, account=self.user)
        try:
            with acting_as(self.user):  # a recovery code is marked as used before the log-in is complete
                code = str(super().clean_code())  # type: ignore[misc]
        except RedisError:  # without its list of used codes a code would work twice
            raise forms.ValidationError(
                gettext("Codes of the app cannot be checked at the moment. Use a recovery code."),
                code="unavailable",
            ) from None
        reset_attempts(context.request, "code", account)
        return code


class CodeForm(OneTimeCode, factor_forms.AuthenticateForm):
    pass


class ConfirmCodeForm(OneTimeCode, factor_forms.ReauthenticateForm):
    pass


class FirstCodeForm(ActivateTOTPForm):
    """The code that shows that the app has the secret; it counts as used, so it opens nothing else."""

    def clean_code(self) -> str:
        code = str(super().clean_code())
        factor = Authenticator(
            user=self.user, type=Authenticator.Type.TOTP, data={"secret": encrypt(self.secret)}
        )
        if not factor.wrap().validate_code(code):
            raise get_mfa_adapter().validation_error("incorrect_code")
        return code


class SetUpFactorForm(OneTimeCode, FirstCodeForm):
    labels = {"code": gettext_lazy("Code shown by the app")}  # noqa: RUF012


# --- forms of our own pages


class NewPasswordForm(StyledFormMixin, SetPasswordForm):  # type: ignore[type-arg]  # generic in the stubs only
    """A password, twice."""

    labels = {  # noqa: RUF012
        "new_password1": gettext_lazy("New password"),
        "new_password2": gettext_lazy("New password again"),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["new_password2"].help_text = ""


class EmailForm(StyledFormMixin, forms.Form):
    email = forms.EmailField(
        label=gettext_lazy("New e-mail address"),
        max_length=254,
        help_text=gettext_lazy("You receive a link there to confirm the change."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class NameForm(StyledFormMixin, forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=120,
        help_text=gettext_lazy("Others see it next to your actions."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )


class PublicNameForm(forms.Form):
    """The button that shows the name on the public page of the federation, or removes it."""

    action = forms.ChoiceField(choices=[("show-name", ""), ("hide-name", "")])


# --- pages


def anyone(user: User) -> None:
    """No role is needed; a middleware has checked the log-in."""


def allauth_page(view: View, *methods: str) -> View:
    """A page of allauth with only these methods, never cached; 429 after too many attempts."""

    @declare_parameters("next", lasting=None)
    @wraps(view)
    def limited(request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
        response = view(request, *args, **named)
        if getattr(request, "too_many_attempts", False):
            response.status_code = HTTPStatus.TOO_MANY_REQUESTS
        return response

    return require_access(anyone, *methods)(limited)


@method_decorator(login_not_required, name="dispatch")
class SecondFactor(AuthenticateView):
    """The code after the password. A POST without a code is a wrong code: allauth would expect a security key."""

    def dispatch(self, request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
        if request.method == "POST" and "code" not in request.POST:
            request.POST = QueryDict("code=")
        return cast(HttpResponseBase, super().dispatch(request, *args, **named))


class ActToConfirmMixin:
    """Shows what is done once the identity is confirmed."""

    request: HttpRequest

    def get_context_data(self, **named: Any) -> dict[str, Any]:
        values: dict[str, Any] = super().get_context_data(**named)  # type: ignore[misc]
        return values | {"act": act_to_confirm(self.request)}


class ConfirmByPassword(ActToConfirmMixin, ReauthenticateView):
    pass


class ConfirmByCode(ActToConfirmMixin, ReauthenticateByCodeView):
    pass


class ResetPassword(PasswordResetFromKeyView):
    """A new password by a link that works once. For a link no longer valid the page says what to do."""

    success_url = reverse_lazy("account_login")

    def form_valid(self, form: ResetPasswordForm) -> HttpResponse:
        try:
            form.save()
        except DomainError:  # used since the page was opened
            return self.render_to_response(self.get_context_data(token_fail=True))
        with acting_as(self.reset_user):
            record_security_event(
                SecurityEvent.Kind.PASSWORD_CHANGED,
                account=self.reset_user,
                address=client_address(self.request),
            )
        messages.success(self.request, gettext("Password set. Log in with it."))
        return redirect(self.success_url)

    def render_to_response(self, context: dict[str, Any], **named: Any) -> HttpResponse:
        if context.get("token_fail"):
            named["status"] = HTTPStatus.GONE
        return cast(HttpResponse, super().render_to_response(context, **named))


class AcceptInvitation(views.PasswordResetConfirmView):
    """The first password by a link that works once. For a link no longer valid the page says what to do."""

    template_name = "reporting/accounts/account_invitation.html"
    form_class = NewPasswordForm
    token_generator = INVITATION

    def form_valid(self, form: "SetPasswordForm[User]") -> HttpResponse:
        token = self.request.session.pop(INTERNAL_RESET_SESSION_TOKEN)
        try:
            accounts.accept_invitation(
                account=form.user, token=token, password=form.cleaned_data["new_password1"]
            )
        except DomainError:  # used since the page was opened
            self.validlink = False
            return self.render_to_response(self.get_context_data())
        messages.success(
            self.request,
            gettext("Your account is open. Log in with your e-mail address and your new password."),
        )
        return redirect("account_login")

    def render_to_response(self, context: dict[str, Any], **named: Any) -> HttpResponse:
        named.setdefault("status", HTTPStatus.OK if self.validlink else HTTPStatus.GONE)
        return super().render_to_response(context, **named)


@require_access(anyone, "GET", "HEAD", "POST", may_post=check_can_be_named)
def account(request: OfficeRequest) -> HttpResponse:
    """One's own account, with links to change it; a POST shows or removes the name on the federation's page."""
    user = request.user
    form = PublicNameForm(request.POST) if request.method == "POST" else None
    attempt = Attempt(form)
    if form is not None and attempt.is_valid:
        shown = form.cleaned_data["action"] == "show-name"
        accounts.choose_public_name(shown=shown, by=actor(request))
        done = gettext("Your name is shown.") if shown else gettext("Your name is no longer shown.")
        confirm(request, done, "public-name")
        return redirect(f"{reverse('account')}#public-name")
    context = {
        "can_be_named": can_be_named(user),
        "is_named": can_be_named(user) and is_named_official(user),
        "roles": [Role(role).label for role in user.roles],
        "invites": bool(invitable_roles(user)),
        "sends_reports": user.has_role(*REPORTING_ROLES),
        "new_email": unconfirmed_address(user),
        "has_factor": has_second_factor(user),
    }
    return render(request, "reporting/accounts/account.html", context, status=attempt.status)


@require_access(anyone, "GET", "HEAD", "POST")
def account_sessions(request: OfficeRequest) -> HttpResponse:
    """The browsers in which one is logged in; a POST ends all sessions but this one."""
    user, this = request.user, stored_key(request.session.session_key or "")
    if request.method == "POST":
        end_sessions(user, but=this)
        confirm(request, gettext("You have been logged out on all other devices."))
        return redirect("account-sessions")
    context = {"sessions": open_sessions(user), "this": this}
    return render(request, "reporting/accounts/account_sessions.html", context)


@require_access(anyone, "GET", "HEAD")
def account_data(request: OfficeRequest) -> HttpResponse:
    """Everything stored about one's own account, as a file."""
    response = JsonResponse(own_data(request.user), json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = 'attachment; filename="own-data.json"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


@require_access(anyone, "GET", "HEAD", "POST")
@step_up(lambda _: gettext("close your account"))
def account_close_own(request: OfficeRequest) -> HttpResponse:
    """Close one's own account, after a page that says what stays."""
    attempt = Attempt()
    if request.method == "POST":
        with attempt:
            close_own_account(by=actor(request))
            logout(request)
            messages.success(request, gettext("Your account is closed."))
            return redirect("home")
    context = {"refusal": attempt.refusal}
    return render(request, "reporting/accounts/account_close_own.html", context, status=attempt.status)


@require_access(anyone, "GET", "HEAD", "POST")
def account_name(request: OfficeRequest) -> HttpResponse:
    form = NameForm(request.POST or None, initial={"name": request.user.name})
    if form.is_valid():
        accounts.change_name(name=form.cleaned_data["name"], by=actor(request))
        confirm(request, gettext("Name changed."), "account")
        return redirect(f"{reverse('account')}#account")
    return render_form(request, form, gettext("Your name"), gettext("Change name"))


@require_access(anyone, "GET", "HEAD", "POST")
@step_up(lambda _: gettext("change your e-mail address"))
def account_email(request: OfficeRequest) -> HttpResponse:
    """Request a new address; why not with allauth's own page: docs/decisions/0028-log-in-by-allauth.md."""
    form = EmailForm(request.POST or None)
    attempt = Attempt(form)
    if attempt.is_valid:
        account = request.user
        try:
            count_attempt(request, "new address", str(account.pk), account=account)
        except forms.ValidationError as too_many:
            form.add_error("email", too_many)
            attempt.status = HTTPStatus.TOO_MANY_REQUESTS
        else:
            with attempt:
                accounts.request_email_change(email=form.cleaned_data["email"], by=actor(request))
                return redirect("account")  # it shows the address that is not confirmed yet
    if attempt.refusal:
        form.add_error("email", attempt.refusal.message)
    return render_form(request, form, gettext("New e-mail address"), gettext("Send link"), attempt.status)


@require_access(anyone, "GET", "HEAD", "POST")
def account_confirm_email(request: OfficeRequest, key: str) -> HttpResponse:
    """The link sent to a new address, opened by its owner; a POST confirms it, opening it changes nothing."""
    user = request.user
    confirmation = EmailConfirmationHMAC.from_key(key)
    new_email = confirmation.email_address if confirmation else None
    if new_email is None or new_email.user_id != user.pk:
        return render(request, "reporting/accounts/account_email_confirm.html", status=HTTPStatus.GONE)
    attempt = Attempt()
    if request.method == "POST":
        with attempt:
            accounts.confirm_email(new_email=new_email, by=actor(request))
            confirm(
                request, gettext("E-mail address changed. Log in with the new one from now on."), "account"
            )
            return redirect(f"{reverse('account')}#account")
    context = {"new_email": new_email, "refusal": attempt.refusal}
    return render(request, "reporting/accounts/account_email_confirm.html", context, status=attempt.status)


def render_form(
    request: HttpRequest, form: forms.BaseForm, title: str, button: str, status: int = HTTPStatus.OK
) -> HttpResponse:
    context = {"form": form, "title": title, "button": button}
    return render(request, "reporting/accounts/account_form.html", context, status=status)
