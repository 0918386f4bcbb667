"""The security log (log-ins and failed attempts with their network address), and the end of sessions."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from reporting.log.acting_person import name_person
from reporting.models import AccountSession, SecurityEvent, User

RETENTION = timedelta(days=365)


@transaction.atomic
def record_security_event(
    kind: SecurityEvent.Kind, *, address: str | None, account: User | None = None, email: str = ""
) -> SecurityEvent:
    """Append to the security log. Without `account` it is looked up by the e-mail address."""
    if account is None and email:
        account = User.objects.filter(email__iexact=email).first()
    name_person()  # a page that is only read can end a session
    return SecurityEvent.objects.create(
        kind=kind, account=account, email=(account.email if account else email)[:254], address=address
    )


def delete_old_security_events() -> int:
    """Delete events older than a year; answers the number. May run repeatedly."""
    return SecurityEvent.objects.filter(at__lt=timezone.now() - RETENTION).delete()[0]


def end_sessions(account: User, *, but: str | None = None) -> None:
    """End all sessions of an account, or all but the one whose row has this key."""
    AccountSession.objects.filter(account=account).exclude(session_key=but).delete()
