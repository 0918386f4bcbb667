"""What the office's pages say that public ones don't."""

from datetime import date

from django import template
from django.contrib.auth.models import AnonymousUser

from ratings.policies import may_see_drafts
from reporting.errors import DomainError
from reporting.models import User
from reporting.policies import may_see_inbox, may_upload
from reporting.selectors.inbox import number_waiting

register = template.Library()


@register.filter
def sees_drafts(user: User | AnonymousUser) -> bool:
    """Whether the reader may come to the office's pages."""
    if not isinstance(user, User):
        return False
    try:
        may_see_drafts(user)
    except DomainError:
        return False
    return True


@register.filter
def sends_reports(user: User | AnonymousUser) -> bool:
    """Whether the reader may hand reports in."""
    if not isinstance(user, User):
        return False
    try:
        may_upload(user)
    except DomainError:
        return False
    return True


@register.filter
def sees_inbox(user: User | AnonymousUser) -> bool:
    """Whether the reader may look into the inbox of reports."""
    if not isinstance(user, User):
        return False
    try:
        may_see_inbox(user)
    except DomainError:
        return False
    return True


@register.simple_tag
def inbox_link_words() -> str:
    """The inbox with the number of reports that wait for the office. 1 query."""
    waiting = number_waiting()
    return f"Inbox ({waiting})" if waiting else "Inbox"


@register.filter
def from_iso(text: str) -> date:
    """A day that was kept as text: `2026-12-05`."""
    return date.fromisoformat(text)


@register.filter
def apart(number: int, other: int) -> int:
    """How far two numbers are apart."""
    return abs(number - other)


@register.filter
def signed_number(number: int) -> str:
    """A sum with its sign, a true minus: `+14`, `−3`, `0`."""
    return f"{'+' if number > 0 else '−' if number < 0 else ''}{abs(number)}"
