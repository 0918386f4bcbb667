"""The adapters of allauth: counted attempts, no mail but the outbox, the office's sentences, the security log."""

from typing import Any, cast

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.signals import authentication_step_completed, password_changed
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa import signals
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.dispatch import receiver
from django.forms import ValidationError
from django.http import HttpRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext, gettext_lazy

from reporting.accounts.encryption import FACTOR, cipher
from reporting.accounts.services import accounts
from reporting.accounts.sessions import stored_key
from reporting.accounts.views.step_up import recently_confirmed
from reporting.log.security_log import end_sessions, record_security_event
from reporting.models import Role, SecurityEvent, User
from reporting.policies import OFFICE_ROLES, needs_second_factor
from reporting.web.access import OfficeRequest
from reporting.web.rate_limit import (
    MAX_ACCOUNTS_PER_SOURCE,
    MAX_ATTEMPTS_PER_ACCOUNT,
    client_address,
    register_attempt,
    reset_attempts,
    too_many_attempts,
)

KINDS = SecurityEvent.Kind
FACTOR_REQUIRED = gettext_lazy(
    "Your role requires a second factor. If you lost it, an administrator can remove it."
)
# allauth names its messages by their templates; the others are not shown.
ALLAUTH_MESSAGES: dict[str, Promise] = {
    "account/messages/password_changed.txt": gettext_lazy(
        "Password changed. You have been logged out on all other devices."
    ),
    "mfa/messages/totp_activated.txt": gettext_lazy(
        "Second factor set up. You have been logged out on all other devices."
    ),
    "mfa/messages/totp_deactivated.txt": gettext_lazy("Second factor removed."),
}


def count_attempt(
    request: HttpRequest,
    act: str,
    key: str,
    *,
    account: User | None = None,
    email: str = "",
    most_accounts: int = MAX_ACCOUNTS_PER_SOURCE,
) -> None:
    """Count an attempt by address and account. Raises ValidationError `too_many`, and marks the request for 429."""
    number = register_attempt(request, act, key, most_accounts)
    if number <= MAX_ATTEMPTS_PER_ACCOUNT:
        return
    if number == MAX_ATTEMPTS_PER_ACCOUNT + 1:
        record_security_event(KINDS.TOO_MANY, account=account, email=email, address=client_address(request))
    request.too_many_attempts = True  # type: ignore[attr-defined]
    raise ValidationError(too_many_attempts(), code="too_many")


FIRST_PAGES = (
    ((*OFFICE_ROLES, Role.RELEASING_OFFICER, Role.ADMINISTRATOR), "office-dashboard"),
    ((Role.TITLE_COUNCIL,), "norm-drafts"),
    ((Role.NATIONAL_OFFICIAL,), "office-federation"),
    ((Role.REFEREE,), "reports"),
)
"""The page after log-in, by the names of addresses: that of the first line with a role of the person."""


class AccountAdapter(DefaultAccountAdapter):
    error_messages = {  # noqa: RUF012 (allauth's own protocol)
        **DefaultAccountAdapter.error_messages,
        "email_password_mismatch": gettext_lazy(
            "Wrong e-mail address or password. Passwords are case-sensitive."
        ),
        "enter_current_password": gettext_lazy("Wrong password."),
        "incorrect_password": gettext_lazy("Wrong password."),
    }

    # --- passwords

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        email = credentials.get("email", "")
        count_attempt(request, "log in", email, email=email)

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        account = cast(User | None, super().authenticate(request, **credentials))
        if account is not None:
            reset_attempts(request, "log in", credentials.get("email", ""))
            accounts.renew_hash(account=account, password=credentials["password"])
        return account

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        record_security_event(
            KINDS.PASSWORD_REFUSED, email=credentials.get("email", ""), address=client_address(request)
        )

    def set_password(self, user: User, password: str) -> None:
        accounts.set_password(account=user, password=password)

    # --- sessions

    def get_login_redirect_url(self, request: OfficeRequest) -> str:
        """Where the person's work is, unless the log-in was asked for by another page."""
        user = request.user
        for roles, page in FIRST_PAGES:
            if user.has_role(*roles):
                return reverse(page)
        return reverse("home")

    def login(self, request: HttpRequest, user: User) -> None:
        if not user.is_active:  # closed between the password and the code
            raise ImmediateHttpResponse(redirect("account_login"))
        super().login(request, user)
        record_security_event(KINDS.LOGGED_IN, account=user, address=client_address(request))

    def logout(self, request: OfficeRequest) -> None:
        record_security_event(KINDS.LOGGED_OUT, account=request.user, address=client_address(request))
        super().logout(request)

    def is_reauthentication_required(self, *, app: str, **named: Any) -> bool:
        return super().is_reauthentication_required(app=app, **named) and not recently_confirmed(
            context.request
        )

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        labels = {
            "reauthenticate": gettext("Use your password"),
            "mfa_reauthenticate": gettext("Use a code of your authenticator app"),
        }
        methods = super().get_reauthentication_methods(user)
        return [method | {"description": labels[method["id"]]} for method in methods]

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request) or "0.0.0.0"  # noqa: S104 (no address is known)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        raise NotImplementedError(f"{template_prefix}: mail is sent only by the outbox")

    # --- answers

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002
        return False

    def is_ajax(self, request: HttpRequest) -> bool:  # noqa: ARG002
        return False  # every answer is a page

    def is_safe_url(self, url: str) -> bool:
        return url_has_allowed_host_and_scheme(url, allowed_hosts=None)

    def add_message(  # noqa: PLR0917 (allauth's own protocol)
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        message_context: dict[str, Any] | None = None,  # noqa: ARG002
        extra_tags: str = "",
        message: str | None = None,
    ) -> None:
        text = message or ALLAUTH_MESSAGES.get(message_template or "")
        if text:
            # In the section of the account page; the other pages of allauth have none, and show it first.
            messages.add_message(request, level, str(text), extra_tags=extra_tags or "account")

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:  # noqa: ARG002
        return "/account/#account"


class SecondFactorAdapter(DefaultMFAAdapter):
    error_messages = {  # noqa: RUF012 (allauth's own protocol)
        **DefaultMFAAdapter.error_messages,
        "incorrect_code": gettext_lazy("Wrong code. A code works once; wait for the next one."),
        "cannot_delete_authenticator": FACTOR_REQUIRED,
        "cannot_generate_recovery_codes": gettext_lazy("Set up the second factor first."),
    }

    def encrypt(self, text: str) -> str:
        return cipher(FACTOR).encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return cipher(FACTOR).decrypt(encrypted_text).decode()

    def can_delete_authenticator(self, authenticator: Authenticator) -> bool:
        return not needs_second_factor(cast(User, authenticator.user))

    def build_totp_svg(self, url: str) -> str:
        """The image as a part of the page: without its XML declaration."""
        return str(super().build_totp_svg(url)).partition("?>")[2]


# --- what is logged


@receiver(authentication_step_completed)
def log_confirmation(request: HttpRequest, user: User, reauthenticated: bool = False, **_: Any) -> None:
    if reauthenticated:
        record_security_event(KINDS.CONFIRMED, account=user, address=client_address(request))


@receiver(password_changed)
def log_new_password(request: HttpRequest, user: User, **_: Any) -> None:
    record_security_event(KINDS.PASSWORD_CHANGED, account=user, address=client_address(request))


@receiver(signals.authentication_failed)
def log_failed_code(request: HttpRequest, user: User, **_: Any) -> None:
    record_security_event(KINDS.CODE_REFUSED, account=user, address=client_address(request))


@receiver(signals.authenticator_added)
def factor_added(request: HttpRequest, user: User, authenticator: Authenticator, **_: Any) -> None:
    """Sessions that began without the factor end."""
    if authenticator.type == Authenticator.Type.TOTP:
        end_sessions(user, but=stored_key(request.session.session_key or ""))
        accounts.record_factor_change(account=user, added=True)
        record_security_event(KINDS.FACTOR_ADDED, account=user, address=client_address(request))


@receiver(signals.authenticator_removed)
def factor_removed(request: HttpRequest, user: User, authenticator: Authenticator, **_: Any) -> None:
    if authenticator.type == Authenticator.Type.TOTP:
        accounts.record_factor_change(account=user, added=False)
        record_security_event(KINDS.FACTOR_REMOVED, account=user, address=client_address(request))


@receiver(signals.authenticator_reset)
def codes_made(request: HttpRequest, user: User, **_: Any) -> None:
    record_security_event(KINDS.CODES_GENERATED, account=user, address=client_address(request))
