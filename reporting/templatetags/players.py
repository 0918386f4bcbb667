"""What pages say of a player: title, federations, an erased name."""

from collections.abc import Sequence

from django import template
from django.utils.translation import gettext

from reporting.models.register import ERASED_NAME
from reporting.register.selectors.records import MembershipSpan
from reporting.web import values
from reporting.web.values import day

register = template.Library()


register.filter(values.title_mark)


@register.filter
def federations_text(memberships: Sequence[MembershipSpan]) -> str:
    """The federations of a player in order: `NED until 3 Mar 2026, then BEL`."""
    *earlier, now = memberships
    spans = []
    for place, span in enumerate(earlier):
        sentence = gettext("then %(code)s until %(day)s") if place else gettext("%(code)s until %(day)s")
        spans.append(sentence % {"code": span.federation, "day": day(span.until)})
    return ", ".join([*spans, gettext("then %(code)s") % {"code": now.federation}])


@register.filter
def is_erased(name: str) -> bool:
    """Whether a list prints this in place of an erased name: such a player has no page (decision 0073)."""
    return name == ERASED_NAME
