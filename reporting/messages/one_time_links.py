"""One-time links: made when a mail is sent, never stored (docs/decisions/0010-one-time-links.md)."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import base36_to_int, urlsafe_base64_encode

from reporting.messages.request_links import request_path
from reporting.models import INVITATION_LIFETIME, Invitation, Message, User

KINDS = Message.Kind


class OneTimeLink(PasswordResetTokenGenerator):
    """Django's token for one page and a time; it changes with the account's password, last log-in and address.

    `settings.PASSWORD_RESET_TIMEOUT` is the upper limit; a link may be valid for less.
    """

    def __init__(self, page: str, holds: timedelta) -> None:
        super().__init__()
        self.page = page
        self.holds = holds
        self.key_salt = f"reporting.messages.one_time_links.{page}"

    def address_of(self, message: Message) -> str:
        """The path of the link. Its time starts when the message was written, not when the mail is sent."""
        account = message.recipient
        assert account is not None  # noqa: S101 (these kinds have an account as recipient)
        number = urlsafe_base64_encode(force_bytes(account.pk))
        return reverse(self.page, args=[number, self.token_at(account, message.created_at)])

    def token_at(self, account: User, moment: datetime) -> str:
        """The token of a moment (with its zone), valid until the account changes."""
        seconds = self._num_seconds(moment.astimezone(UTC).replace(tzinfo=None))
        return self._make_token_with_timestamp(account, seconds, self.secret)

    def check_token(self, user: User | None, token: str | None) -> bool:
        """Whether the token belongs to this account, is in time and unused, and the account may use it."""
        if user is None or token is None or not super().check_token(user, token):
            return False
        age = self._num_seconds(self._now()) - base36_to_int(token.partition("-")[0])
        return age <= self.holds.total_seconds() and self.is_open_to(user)

    def is_open_to(self, account: User) -> bool:
        """Not for closed accounts and those of commands."""
        return account.is_active and not account.acts_by_command

    def _now(self) -> datetime:
        return datetime.now(UTC).replace(tzinfo=None)


class _InvitationLink(OneTimeLink):
    def is_open_to(self, account: User) -> bool:
        waiting = Invitation.objects.filter(account=account, accepted_at=None, withdrawn_at=None)
        return not account.is_active and waiting.exists()


class PasswordLink(OneTimeLink):
    """The token that allauth's password reset checks too (`ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR`)."""

    def __init__(self) -> None:
        super().__init__("account_reset_password_from_key", timedelta(hours=3))

    def address_of(self, message: Message) -> str:
        account = message.recipient
        assert account is not None  # noqa: S101 (as above)
        token = self.token_at(account, message.created_at)
        return reverse(self.page, kwargs={"uidb36": user_pk_to_url_str(account), "key": token})


INVITATION = _InvitationLink("account-invitation", INVITATION_LIFETIME)
PASSWORD = PasswordLink()


def _confirmation_of(message: Message) -> str:
    """allauth's link for a requested address; empty once it was confirmed or replaced by another one."""
    new_email = EmailAddress.objects.filter(
        user=message.recipient, email=message.address, verified=False
    ).first()
    return reverse("account_confirm_email", args=[EmailConfirmationHMAC(new_email).key]) if new_email else ""


LINKS: dict[str, Callable[[Message], str]] = {
    KINDS.INVITATION: INVITATION.address_of,
    KINDS.PASSWORD_RESET: PASSWORD.address_of,
    KINDS.EMAIL_CONFIRM: _confirmation_of,
}


def message_link(message: Message) -> str:
    """The path of the link in the mail of a message that only its recipient has; empty for a message without one."""
    if message.correction_request_id is not None:
        _, mark, entry = message.about.partition("#")  # the office's page has the same marks
        return f"{request_path(message.correction_request_id, by_mail=True)}{mark}{entry}"
    link = LINKS.get(message.kind)
    return link(message) if link else ""
