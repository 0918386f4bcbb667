"""Links that open one act once: made when a mail leaves, never stored (docs/decisions/0010-one-time-links.md)."""

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
    """Django's token, which changes with the account's password, log-in and address, for one page and a time.

    `settings.PASSWORD_RESET_TIMEOUT` bounds them all; a link may hold for less.
    """

    def __init__(self, page: str, holds: timedelta) -> None:
        super().__init__()
        self.page = page
        self.holds = holds
        self.key_salt = f"reporting.messages.one_time_links.{page}"

    def address_of(self, message: Message) -> str:
        """The link's path. Its time runs from the moment the message was written, whenever the mail leaves."""
        account = message.recipient
        assert account is not None  # noqa: S101 (messages of these kinds are written to accounts)
        number = urlsafe_base64_encode(force_bytes(account.pk))
        return reverse(self.page, args=[number, self.token_at(account, message.created_at)])

    def token_at(self, account: User, moment: datetime) -> str:
        """The token of a moment (with its zone), for as long as the account stays what it is."""
        seconds = self._num_seconds(moment.astimezone(UTC).replace(tzinfo=None))
        return self._make_token_with_timestamp(account, seconds, self.secret)

    def check_token(self, user: User | None, token: str | None) -> bool:
        """Whether the token is this account's, in time, not used, and the account may still use it."""
        if user is None or token is None or not super().check_token(user, token):
            return False
        age = self._num_seconds(self._now()) - base36_to_int(token.partition("-")[0])
        return age <= self.holds.total_seconds() and self.is_open_to(user)

    def is_open_to(self, account: User) -> bool:
        """Accounts of commands and closed ones get nothing."""
        return account.is_active and not account.acts_by_command

    def _now(self) -> datetime:
        return datetime.now(UTC).replace(tzinfo=None)


class _InvitationLink(OneTimeLink):
    def is_open_to(self, account: User) -> bool:
        waiting = Invitation.objects.filter(account=account, accepted_at=None, withdrawn_at=None)
        return not account.is_active and waiting.exists()


class PasswordLink(OneTimeLink):
    """The token that allauth's reset checks too (`ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR`)."""

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
    """The link of allauth to an address that was asked for; empty once it was confirmed or another was asked for."""
    asked = EmailAddress.objects.filter(user=message.recipient, email=message.address, verified=False).first()
    return reverse("account_confirm_email", args=[EmailConfirmationHMAC(asked).key]) if asked else ""


LINKS: dict[str, Callable[[Message], str]] = {
    KINDS.INVITATION: INVITATION.address_of,
    KINDS.PASSWORD_RESET: PASSWORD.address_of,
    KINDS.EMAIL_CONFIRM: _confirmation_of,
}


def message_link(message: Message) -> str:
    """The path of the link that a message's mail carries, empty for a message without one."""
    if message.correction_request_id is not None:
        return request_path(message.correction_request_id, by_mail=True)
    link = LINKS.get(message.kind)
    return link(message) if link else ""
