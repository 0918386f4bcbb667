"""What the office's pages say that public ones don't."""

from collections.abc import Collection

from django import template
from django.contrib.auth.models import AnonymousUser

from ratings.policies import check_can_see_drafts
from reporting.models import User
from reporting.policies import (
    check_can_see_inbox,
    check_can_see_log,
    check_can_see_register,
    check_can_see_requests,
    check_can_upload,
)
from reporting.reports.selectors.inbox import waiting_report_count
from reporting.reports.services.review import ADMISSION_CODES
from reporting.requests.selectors import waiting_request_count
from reporting.web.access import refusal_message

register = template.Library()


@register.filter
def can_see_drafts(user: User | AnonymousUser) -> bool:
    """Whether the reader may come to the office's pages."""
    return isinstance(user, User) and not refusal_message(check_can_see_drafts, user)


@register.filter
def can_submit_reports(user: User | AnonymousUser) -> bool:
    """Whether the reader may hand reports in."""
    return isinstance(user, User) and not refusal_message(check_can_upload, user)


@register.filter
def can_see_inbox(user: User | AnonymousUser) -> bool:
    """Whether the reader may look into the inbox of reports."""
    return isinstance(user, User) and not refusal_message(check_can_see_inbox, user)


@register.filter
def can_see_register(user: User | AnonymousUser) -> bool:
    """Whether the reader may look into the register of players."""
    return isinstance(user, User) and not refusal_message(check_can_see_register, user)


@register.filter
def can_see_log(user: User | AnonymousUser) -> bool:
    """Whether the reader may read the audit log."""
    return isinstance(user, User) and not refusal_message(check_can_see_log, user)


@register.filter
def can_see_requests(user: User | AnonymousUser) -> bool:
    """Whether the reader may look at requests from the public."""
    return isinstance(user, User) and not refusal_message(check_can_see_requests, user)


@register.simple_tag
def requests_link_label(user: User) -> str:
    """Requests from the public, with the number of those that wait for the office. 1 query."""
    waiting = waiting_request_count(user)
    return f"Requests ({waiting})" if waiting else "Requests"


@register.simple_tag
def inbox_link_label() -> str:
    """The inbox with the number of reports that wait for the office. 1 query."""
    waiting = waiting_report_count()
    return f"Inbox ({waiting})" if waiting else "Inbox"


@register.filter
def admission_reasons(codes: Collection[str]) -> list[str]:
    """Why a report asks for admission, by the codes of its findings, each reason once, in the order of R11."""
    return list(dict.fromkeys(reason for code, reason in ADMISSION_CODES.items() if code in codes))


@register.filter
def distance_to(number: int, other: int) -> int:
    """How far two numbers are apart."""
    return abs(number - other)
