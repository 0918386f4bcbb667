"""What public pages say in words, in the language of the page: a published figure, a merged record, a tournament."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext

from ratings.models import Pool
from ratings.published.selectors.unlisted_players import may_be_unlisted
from ratings.queries.addresses import published_players
from ratings.queries.counted_results import published_in
from ratings.queries.merges import MergeNote
from reporting.log.views.log_links import log_links
from reporting.models import CorrectionRequest, Player, ResultSet
from reporting.rules.findings.finding_list import Finding
from reporting.rules.register.titles import all_titles
from reporting.web.values import day, first_name_first, signed_number

register = template.Library()

Figure = CorrectionRequest.Figure
SYSTEMS = dict(ResultSet._meta.get_field("system").flatchoices)


@register.simple_tag(takes_context=True)
def tournament_address(context: Context, finding: Finding) -> str:
    """The page of the tournament that a finding names: the office's, else the public one; empty where there is none.

    2 queries, none for other findings.
    """
    code = dict(finding.values).get("code") if finding.code == "looks-reported" else None
    if code is None:
        return ""
    subject = f"tournament {code}"
    office = log_links([subject], context["user"])[subject].href
    return office or (reverse("tournament", args=[code]) if published_in([str(code)]) else "")


@register.simple_tag
def other_record(merge: MergeNote) -> str:
    """The other record of a merge, name and number; a link where it has a page.

    The page of a merged record leads to the surviving one; its figures stay on the pages about them.
    """
    named = f"{first_name_first(merge.other.printed_name)}, {merge.other.number}"
    if not merge.is_listed:
        return named
    page = "player" if merge.until or merge.is_duplicate else "player-tournaments"
    return format_html('<a href="{}">{}</a>', reverse(page, args=[merge.other.address]), named)


@register.filter
def has_page(player: Player) -> bool:
    """Whether a player of a counted tournament has a public page. 1 query, or none for one who needs no list."""
    return not player.is_erased and (may_be_unlisted(player) or bool(published_players([player.pk])))


@register.filter
def figure_value(asked: CorrectionRequest) -> str:
    """The figure of a request as it was published: `2430, change +1, 78 games in total, category A`."""
    if asked.figure == Figure.CHANGE:
        system = Pool.objects.get(code=asked.pool).rating_system
        return system.explanation.change_sentence(asked.published_values)
    return _SENTENCES[Figure(asked.figure)](asked.published_values)


def _person(values: Mapping[str, Any]) -> str:
    title, year = values["title"], values["birth_year"]
    known = all_titles().get(title)
    return "; ".join(
        (
            values["name"],
            f"{values['country']} ({values['federation']})",
            gettext(known.label) if known else title or gettext("no title"),
            gettext("born %(year)s") % {"year": year} if year else gettext("no year of birth"),
        )
    )


def _rating(values: Mapping[str, Any]) -> str:
    change = values["change"]
    sentence = (
        ngettext(
            "%(rating)s, %(change)s, %(games)s game in total, category %(category)s",
            "%(rating)s, %(change)s, %(games)s games in total, category %(category)s",
            values["games"],
        )
        if "category" in values
        else ngettext(
            "%(rating)s, %(change)s, %(games)s game in total",
            "%(rating)s, %(change)s, %(games)s games in total",
            values["games"],
        )
    )
    return sentence % {
        **values,
        "change": gettext("new on the list")
        if change is None
        else gettext("change %(change)s") % {"change": signed_number(change)},
    }


def _tournament(values: Mapping[str, Any]) -> str:
    parts = [
        values["name"],
        ", ".join(filter(None, (values["place"], values["country"]))) or gettext("no place"),
        gettext("%(first)s to %(last)s")
        % {
            "first": day(date.fromisoformat(values["played_from"])),
            "last": day(date.fromisoformat(values["played_to"])),
        },
        str(SYSTEMS.get(values["system"], values["system"])),
    ]
    if values["time_control"]:
        parts.append(values["time_control"])
    if values["referee"]:
        parts.append(gettext("referee %(name)s") % {"name": values["referee"]})
    return "; ".join(parts)


def _result(values: Mapping[str, Any]) -> str:
    no_opponent = gettext("no opponent")
    games = "; ".join(
        f"{game['white'] or no_opponent} – {game['black'] or no_opponent} {game['result']}"
        for game in values["games"]
    )
    return gettext("Round %(round)s, White first: %(games)s") % {"round": values["round"], "games": games}


_SENTENCES: Mapping[CorrectionRequest.Figure, Callable[[Mapping[str, Any]], str]] = {
    Figure.PERSON: _person,
    Figure.RATING: _rating,
    Figure.TOURNAMENT: _tournament,
    Figure.RESULT: _result,
}
