"""Which mails a person gets."""

from collections.abc import Collection

from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.urls import reverse

from reporting.messages.kinds import optional_mail_kinds
from reporting.models import MailOptOut, Message, User

KEY = Signer(salt="reporting.messages.mail_choices", sep=".")


def mailed_kinds(account: User) -> list[str]:
    """The codes of the optional kinds that a person gets by mail. 1 query."""
    unwanted = set(MailOptOut.objects.filter(account=account).values_list("kind", flat=True))
    return [kind for kind in optional_mail_kinds() if kind not in unwanted]


@transaction.atomic
def choose_mails(*, account: User, kinds: Collection[str]) -> None:
    """Mail these optional kinds to a person, and no others. Messages that are not mailed yet follow the choice."""
    User.objects.select_for_update(no_key=True).get(pk=account.pk)
    unwanted = set(optional_mail_kinds()) - set(kinds)
    MailOptOut.objects.filter(account=account).exclude(kind__in=unwanted).delete()
    _add_opt_outs(account.pk, unwanted)


def stop_mails(key: str) -> str:
    """Stop the mails of a key; answers the code of their kind. Raises Message.DoesNotExist for a wrong key."""
    account, kind = read_key(key)
    _add_opt_outs(account, [kind])
    return kind


def is_mail_wanted(message: Message) -> bool:
    """Whether the recipient gets this message by mail. 1 query for an optional kind, else none."""
    return (
        message.kind not in optional_mail_kinds()
        or not MailOptOut.objects.filter(account=message.recipient_id, kind=message.kind).exists()
    )


def stop_path(message: Message) -> str:
    """The path of the page that stops the mails of this kind, without log-in; empty where they cannot be stopped."""
    if message.recipient_id is None or message.kind not in optional_mail_kinds():
        return ""
    return reverse("account-stop-mails", args=[KEY.sign(f"{message.recipient_id}-{message.kind}")])


def read_key(key: str) -> tuple[int, str]:
    """The number of the account and the kind of a key. Raises Message.DoesNotExist for a wrong one."""
    try:
        account, _, kind = KEY.unsign(key).partition("-")
    except BadSignature:
        raise Message.DoesNotExist("no mail has this key") from None
    if kind not in optional_mail_kinds():
        raise Message.DoesNotExist("mails of this kind cannot be stopped")
    return int(account), kind


def _add_opt_outs(account: int, kinds: Collection[str]) -> None:
    MailOptOut.objects.bulk_create(
        [MailOptOut(account_id=account, kind=kind) for kind in sorted(kinds)], ignore_conflicts=True
    )
