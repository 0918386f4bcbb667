"""What pages of lists, players and tournaments show of norms."""

from collections.abc import Sequence
from typing import Any

from django import template
from django.contrib.auth.models import AnonymousUser
from django.template.context import Context

from ratings.models import RatingList
from ratings.policies import check_can_run_period
from reporting.models import ResultSet, User
from reporting.policies import check_can_see_decisions
from reporting.reports.decisions.views import waiting_items
from reporting.web.access import refusal_message
from titles.federations.registry import awarding_systems
from titles.norms import selectors
from titles.policies import check_can_see_norms

register = template.Library()


@register.filter
def can_see_norms(user: User | AnonymousUser) -> bool:
    """Whether the reader can open the norms of drafts."""
    return isinstance(user, User) and not refusal_message(check_can_see_norms, user)


@register.filter
def brings_norms(system: str) -> bool:
    """Whether tournaments of a rating system bring norms or titles."""
    return system in awarding_systems()


@register.simple_tag
def any_titles() -> bool:
    """Whether a federation of the installation awards titles."""
    return bool(awarding_systems())


@register.inclusion_tag("titles/draft_norms.html")
def draft_norms(draft: RatingList) -> dict[str, Any]:
    """How many norms of a draft wait for a decision, with the link to them; nothing without norms. 1 query."""
    return {"draft": draft, "counts": selectors.counts_of(draft)}


@register.inclusion_tag("titles/near_misses.html")
def near_misses(records: Sequence[int], *, has_ledger: bool) -> dict[str, Any]:
    """The near misses of a player, folded; below a ledger or with a heading of their own. At most 3 queries."""
    return {"near_misses": selectors.near_misses_of(records), "has_ledger": has_ledger}


@register.inclusion_tag("titles/norm_changes.html")
def norm_changes(revision: RatingList) -> dict[str, Any]:
    """The norms that a revision or its draft adds or takes away; nothing where there are none. 2 queries."""
    return {"changes": selectors.norm_changes(revision) if revision.correction else []}


@register.simple_tag
def undecided_norms() -> int:
    """How many norms of all drafts wait for the title council. 1 query."""
    return selectors.undecided_total()


@register.inclusion_tag("titles/norms_by_decision.html", takes_context=True)
def decided_norms(
    context: Context, rating_list: RatingList, tournament: ResultSet | None = None
) -> dict[str, Any]:
    """The norms that a correction of a published list would change by decisions since, of one tournament or all."""
    found = (
        selectors.norms_of_correction(rating_list) if rating_list.state == RatingList.State.PUBLISHED else []
    )
    changes = [one for one in found if tournament is None or one.found.tournament.code == tournament.code]
    may_correct = not refusal_message(check_can_run_period, context["user"])
    return {"changes": changes, "list": rating_list, "may_correct": may_correct and tournament is not None}


@register.simple_tag(takes_context=True)
def waiting_decisions(context: Context) -> int:
    """How many decisions on tournaments wait for the reader. At most 8 queries."""
    return len(waiting_items(context["user"]))


@register.filter
def can_see_decisions(user: User | AnonymousUser) -> bool:
    """Whether the reader can open the decisions on tournaments."""
    return isinstance(user, User) and not refusal_message(check_can_see_decisions, user)
