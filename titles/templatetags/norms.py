"""What pages of lists, players and tournaments show of norms."""

from typing import Any

from django import template
from django.contrib.auth.models import AnonymousUser

from ratings.models import RatingList
from reporting.models import Player, User
from reporting.web.access import refusal_message
from titles.norms import selectors
from titles.policies import check_can_see_norms

register = template.Library()


@register.filter
def can_see_norms(user: User | AnonymousUser) -> bool:
    """Whether the reader can open the norms of drafts."""
    return isinstance(user, User) and not refusal_message(check_can_see_norms, user)


@register.inclusion_tag("titles/draft_norms.html")
def draft_norms(draft: RatingList) -> dict[str, Any]:
    """How many norms of a draft wait for a decision, with the link to them; nothing without norms. 1 query."""
    return {"draft": draft, "counts": selectors.counts_of(draft)}


@register.inclusion_tag("titles/near_misses.html")
def near_misses(of: Player, *, has_ledger: bool) -> dict[str, Any]:
    """The near misses of a player, folded; below a ledger or with a heading of their own. At most 4 queries."""
    return {"near_misses": selectors.near_misses_of(of), "has_ledger": has_ledger}


@register.inclusion_tag("titles/norm_changes.html")
def norm_changes(revision: RatingList) -> dict[str, Any]:
    """The norms that a revision or its draft adds or takes away; nothing where there are none. 2 queries."""
    return {"changes": selectors.norm_changes(revision) if revision.correction else []}


@register.simple_tag
def undecided_norms() -> int:
    """How many norms of all drafts wait for the title commission. 1 query."""
    return selectors.undecided_total()
