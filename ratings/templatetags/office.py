"""Template filters of the office's pages."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django import template
from django.contrib.auth.models import AnonymousUser
from django.db.models import TextChoices
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.inputs.calculation_inputs import values_of_list
from ratings.inputs.in_force import lists_by_id
from ratings.inputs.source_lists import source_lists_by_id
from ratings.models import RatingList
from ratings.policies import check_can_see_drafts
from reporting.log import actions
from reporting.models import User
from reporting.policies import (
    check_can_see_inbox,
    check_can_see_log,
    check_can_see_own_federation,
    check_can_see_register,
    check_can_see_requests,
    check_can_upload,
)
from reporting.refusals.domain_error import DomainError
from reporting.reports.reading.clean_reports import ADMISSION_CODES
from reporting.reports.selectors.inbox import left_to_others_count, waiting_report_count
from reporting.requests.selectors import waiting_request_count
from reporting.web.access import refusal_message

register = template.Library()


@register.filter
def can_see_drafts(user: User | AnonymousUser) -> bool:
    """Whether the reader can open the office's pages."""
    return isinstance(user, User) and not refusal_message(check_can_see_drafts, user)


@register.filter
def source_kind(kind: str) -> str:
    """A kind of ratings on lists of sources."""
    return actions.value_label("kind", kind)


@register.inclusion_tag("office/read_besides.html")
def read_besides(draft: RatingList) -> dict[str, Any]:
    """What a draft reads besides reports and lists of its pool: what both signatures are for.

    0 queries for a system that reads nothing of it, else at most 3.
    """
    return {
        "other_lists": lists_by_id(draft.other_lists) if draft.other_lists else (),
        "source_lists": source_lists_by_id(draft.source_lists),
        "value_headings": [gettext(column.label) for column in draft.rating_system.declaration.values],
        "rows": values_of_list(draft.pool, draft.in_force),
        "draft": draft,
    }


@register.filter
def can_see_own_federation(user: User | AnonymousUser) -> bool:
    """Whether the reader can open the page of their federation."""
    return isinstance(user, User) and not refusal_message(check_can_see_own_federation, user)


@register.filter
def can_submit_reports(user: User | AnonymousUser) -> bool:
    """Whether the reader can submit reports."""
    return isinstance(user, User) and not refusal_message(check_can_upload, user)


@register.filter
def can_see_inbox(user: User | AnonymousUser) -> bool:
    """Whether the reader can open the inbox of reports."""
    return isinstance(user, User) and not refusal_message(check_can_see_inbox, user)


@register.filter
def can_see_register(user: User | AnonymousUser) -> bool:
    """Whether the reader can open the register of players."""
    return isinstance(user, User) and not refusal_message(check_can_see_register, user)


@register.filter
def can_see_log(user: User | AnonymousUser) -> bool:
    """Whether the reader can read the audit log."""
    return isinstance(user, User) and not refusal_message(check_can_see_log, user)


@register.filter
def can_see_requests(user: User | AnonymousUser) -> bool:
    """Whether the reader can open public requests."""
    return isinstance(user, User) and not refusal_message(check_can_see_requests, user)


@register.simple_tag
def requests_link_label(user: User) -> str:
    """The link to public requests, with the number of those that wait for the office. 1 query."""
    waiting = waiting_request_count(user)
    return gettext("Requests (%(count)s)") % {"count": waiting} if waiting else gettext("Requests")


@register.simple_tag
def inbox_link_label() -> str:
    """The link to the inbox, with the number of reports that wait for the office. 1 query."""
    waiting = waiting_report_count()
    return gettext("Inbox (%(count)s)") % {"count": waiting} if waiting else gettext("Inbox")


@register.simple_tag
def left_to_others(user: User) -> int:
    """The number of waiting reports that another person of the office accepts. 1 query."""
    return left_to_others_count(user)


@register.filter
def reason_label(reason: str) -> str:
    """The sentence of a reason that the program gives; the text of a person as it is."""
    return actions.reason_label(reason)


@register.filter
def refusal_text(refusal: Mapping[str, Any]) -> str:
    """The sentence of a refusal that is stored by its key and values."""
    key = refusal["key"]
    return DomainError(key, **refusal["values"]).message


class AdmissionReason(TextChoices):
    """Why a report needs admission (R11)."""

    LATE = "late", _("late")
    UNANNOUNCED = "unannounced", _("not announced in time")
    INCOMPLETE = "incomplete", _("incomplete")
    UNPAID = "unpaid", _("not paid")


@register.filter
def admission_reasons(codes: Collection[str]) -> list[AdmissionReason]:
    """Why a report needs admission, by the codes of its findings, each reason once, in the order of R11."""
    reasons = dict.fromkeys(reason for code, reason in ADMISSION_CODES.items() if code in codes)
    return [AdmissionReason(reason) for reason in reasons]


class StateAtCalculation(TextChoices):
    """The state of a report that a list excludes, when the list was calculated."""

    SUBMITTED = "submitted", _("submitted")
    RETURNED = "returned", _("returned to the referee")
    DRAFT = "draft", _("being edited by the referee")
    ACCEPTED = "accepted", _("accepted after the freeze")


@register.filter
def report_state_label(state: str) -> str:
    """The label of the state of a report that a list excludes."""
    return str(StateAtCalculation(state).label)


class ClosedSince(TextChoices):
    """What became of a report after the freeze, if no list will count it."""

    REJECTED = "rejected", _("Rejected since, not counted in any list.")
    WITHDRAWN = "withdrawn", _("Withdrawn since.")


@register.filter
def closed_since(state: str) -> str:
    """The sentence for the state of a report that was closed after the freeze; empty for any other state."""
    return str(ClosedSince(state).label) if state in ClosedSince.values else ""


@register.filter
def names_of(tournaments: Iterable[Mapping[str, str]]) -> str:
    """The names of tournaments in the data of an anomaly: `Spring Open, Riverside Cup`."""
    return ", ".join(tournament["name"] for tournament in tournaments)


@register.filter
def distance_to(number: int, other: int) -> int:
    """The distance of two numbers."""
    return abs(number - other)
