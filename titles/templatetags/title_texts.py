"""Template filters of ledgers, applications and titles."""

from django import template
from django.contrib.auth.models import AnonymousUser
from django.db.models import TextChoices
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reporting.models import User
from reporting.rules.register.titles import discipline_of_titles
from reporting.rules.sentences import Value, sentence
from reporting.web.access import refusal_message
from titles import labels
from titles.applications.selectors import waiting_application_count
from titles.certificates.codes import norm_code_of
from titles.federations.registry import awarding_systems, rules_of_titles
from titles.models import Norm
from titles.policies import check_can_see_applications
from titles.rules.requirement import Requirement

register = template.Library()


@register.filter
def asks_text(requirement: Requirement) -> str:
    """What an article asks."""
    return labels.asks_text(requirement)


@register.filter
def found_text(requirement: Requirement) -> str:
    """What was found."""
    return labels.found_text(requirement)


@register.simple_tag
def title_text(system: str, code: str, **values: Value) -> str:
    """What the rules of titles of a system say on pages, by a code of `TitleTexts.pages`; empty for nothing."""
    text = rules_of_titles(system).texts.pages.get(code)
    return sentence(text, values) if text else ""


@register.simple_tag
def title_texts_of_all(code: str) -> str:
    """The same of all systems, for pages that belong to none."""
    return " ".join(filter(None, (title_text(system, code) for system in awarding_systems())))


@register.filter
def colour_note(requirement: Requirement) -> str:
    """Of which norms a requirement is asked; empty for all."""
    return labels.colour_text("colour_asked", requirement.colour)


@register.filter
def colour_label(colour: str) -> str:
    """The colour of a norm in words; empty for none."""
    return labels.colour_text("colour", colour)


@register.filter
def colour_or_automatic(norm: Norm) -> str:
    """The colour of a norm in words, or `automatic` of a title; empty for a norm without a colour."""
    return gettext("automatic") if norm.kind == Norm.Kind.TITLE else colour_label(norm.colour)


@register.simple_tag
def colour_text(code: str, colour: str, **values: Value) -> str:
    """What the rules of titles say of a colour, by a code of `TitleTexts.words`; empty for nothing."""
    return labels.colour_text(code, colour, **values)


@register.filter
def discipline_label(discipline: str) -> str:
    """A discipline of titles in words: `100 squares`."""
    return gettext(discipline_of_titles(discipline))


@register.filter
def can_see_applications(user: User | AnonymousUser) -> bool:
    """Whether the reader can open ledgers and applications."""
    return isinstance(user, User) and not refusal_message(check_can_see_applications, user)


@register.simple_tag
def applications_link_label(user: User) -> str:
    """The link to the applications, with the number of those that wait for the reader. 1 query."""
    waiting = waiting_application_count(user)
    return gettext("Applications (%(count)s)") % {"count": waiting} if waiting else gettext("Applications")


@register.filter
def norm_code(norm: Norm) -> str:
    """The code of a norm's certificate."""
    return norm_code_of(norm)


class TurnLabel(TextChoices):
    """Who acts next on an application."""

    OFFICE = "office", _("office")
    COUNCIL = "council", _("title council")
    ASSEMBLY = "general_assembly", _("administrator, for the General Assembly")
    NONE = "none", _("nothing more to do")


@register.filter
def turn_label(turn: str) -> str:
    """Who acts next on an application, in words."""
    return str(TurnLabel(turn).label)


TURN_EXPLANATIONS = {
    "general_assembly": _(
        "An administrator records what the General Assembly decides, with its date and the number of the minutes."
    ),
    "council": _("A member of the title council records the approval of the Council, or the refusal."),
}


@register.filter
def turn_explanation(turn: str) -> str:
    """Who records what a body of the federation decides on an application; empty where the label says it."""
    return str(TURN_EXPLANATIONS.get(turn, ""))


@register.filter
def unlocalized(value: float) -> str:
    """A number as drawings and years need it, without separators of a language."""
    return str(value)
