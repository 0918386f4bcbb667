"""Tokens by which programs act in the API: created, revoked and ended with their owner's rights (decision 0076)."""

import re
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from reporting.accounts.notifications import notify_token_created
from reporting.accounts.services.roles import subject_of
from reporting.log.audit import Actor, record
from reporting.models import ApiAnswer, ApiToken, Scope, User
from reporting.policies import REPORTING_ROLES, check_can_upload
from reporting.refusals.domain_error import DomainError

PREFIX = "ro_"
SECRET_BYTES = 32
TOKEN = re.compile(r"ro_[A-Za-z0-9_-]{43}")
"""A token as it is sent: the prefix, and 32 random bytes in base 64."""
SHOWN_CHARACTERS = 7
MOST_TOKENS = 20
"""Tokens of a person that are not revoked."""
ANSWER_RETENTION = timedelta(days=7)


@dataclass(frozen=True)
class NewToken:
    """A stored token with its secret, which is nowhere else."""

    token: ApiToken
    secret: str


@transaction.atomic
def create_token(*, name: str, scopes: Collection[Scope], days: int, by: Actor) -> NewToken:
    """Create a token of one's own that ends after at most 365 days; its owner gets a message.

    Raises DomainError `forbidden`, `token_name_taken`, `too_many_tokens`.
    """
    account = User.objects.select_for_update(no_key=True).get(pk=by.user.pk)
    check_can_upload(account)
    if ApiToken.objects.filter(account=account, revoked_at=None).count() >= MOST_TOKENS:
        raise DomainError("too_many_tokens", most=MOST_TOKENS)
    secret = PREFIX + secrets.token_urlsafe(SECRET_BYTES)
    token = ApiToken(
        account=account,
        name=name,
        scopes=[scope.value for scope in Scope if scope in scopes],
        start=secret[:SHOWN_CHARACTERS],
        secret_sha256=_digest(secret),
        expires_at=timezone.now() + timedelta(days=days),
    )
    try:
        with transaction.atomic():
            token.save()
    except IntegrityError:
        raise DomainError("token_name_taken") from None
    record(
        by=by,
        action="account.create_token",
        subject=subject_of(account),
        after={"name": name, "scopes": token.scopes, "until": token.expires_at.isoformat()},
    )
    notify_token_created(token)
    return NewToken(token, secret)


@transaction.atomic
def revoke_token(*, number: int, by: Actor) -> ApiToken:
    """Revoke a token of one's own. Raises DomainError `wrong_state` where there is none that is not revoked."""
    token = ApiToken.objects.select_for_update().filter(pk=number, account=by.user, revoked_at=None).first()
    if token is None:
        raise DomainError("wrong_state.token")
    _revoke(token, by)
    return token


def end_tokens(account: User, by: Actor) -> None:
    """Revoke all tokens of an account that lost a right or a secret. The caller has locked the account."""
    for token in ApiToken.objects.select_for_update().filter(account=account, revoked_at=None).order_by("pk"):
        _revoke(token, by)


def find_token(secret: str) -> ApiToken | None:
    """The token with this secret, live or not, and its account with its roles. 2 queries at most."""
    if not TOKEN.fullmatch(secret):
        return None
    token = ApiToken.objects.filter(secret_sha256=_digest(secret)).first()
    if token is not None:
        token.account = User.objects.get(pk=token.account_id)
    return token


def may_act(token: ApiToken) -> bool:
    """Whether a token is neither revoked nor expired, and its owner still a person who sends reports."""
    return token.is_live and token.account.has_role(*REPORTING_ROLES)


def mark_used(token: ApiToken) -> None:
    """Note the day of use. 1 query on the first use of a day, else none."""
    today = timezone.localdate()
    if token.last_used_on != today:
        unused = Q(last_used_on=None) | Q(last_used_on__lt=today)
        ApiToken.objects.filter(unused, pk=token.pk, revoked_at=None).update(last_used_on=today)


def delete_old_answers() -> int:
    """Delete answers kept for a week for requests sent again; answers the number. May run repeatedly."""
    return ApiAnswer.objects.filter(created_at__lt=timezone.now() - ANSWER_RETENTION).delete()[0]


def _digest(secret: str) -> str:
    """Without salt: 256 random bits cannot be guessed from it, and it is found by an index."""
    return sha256(secret.encode()).hexdigest()


def _revoke(token: ApiToken, by: Actor) -> None:
    token.revoked_at, token.revoked_by = Now(), by.user
    token.save(update_fields=["revoked_at", "revoked_by"])
    record(
        by=by,
        action="account.revoke_token",
        subject=f"account {token.account_id}",
        before={"name": token.name, "scopes": token.scopes},
    )
