"""What rating systems say of their rules: texts by code, articles, rulings, anomalies."""

import re
from collections.abc import Sequence
from datetime import date
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from ratings.federations.facet import RatingSystem
from ratings.federations.registry import rating_system, rating_systems, rule_texts, system_of_games
from ratings.models import Anomaly, RatingList
from ratings.office.selectors.expected import ExpectedChanges
from ratings.rules.values import AnomalyText, RuleText
from reporting.messages.labels import name_with_part
from reporting.rules.regulations.rulings import Ruling
from reporting.web.values import day, first_name_first

register = template.Library()


@register.filter
def symbol(sign: str) -> SafeString:
    """A symbol of the regulations as it is printed: `Pe` with a subscript e, `ΔR` with an italic R."""
    if sign.startswith("Δ"):
        return format_html("Δ<var>{}</var>", sign[1:])
    return format_html("<var>{}</var><sub>{}</sub>", sign[0], sign[1:]) if sign[1:] else var(sign)


def var(sign: str) -> SafeString:
    return format_html("<var>{}</var>", sign)


@register.filter
def ruling_links(rulings: Sequence[str], system: str = "") -> SafeString:
    """Rulings as links to where the method page of a system prints them: `R2, R3`; without one, of the first system."""
    method = reverse("method-of-system", args=[system]) if system else reverse("method")
    return format_html_join(", ", '<a href="{}#{}">{}</a>', ((method, ruling, ruling) for ruling in rulings))


@register.filter
def article_of(numbers: str, system: str) -> str:
    """Articles as the regulations of a system call them: `art. 6.3`, `item 4` (`Explanation.texts`, `article`)."""
    called = rating_system(system).explanation.texts.get("article")
    return f"{gettext(called.text) if called else gettext('art.')} {numbers}"


@register.filter
def list_link(address: str) -> SafeString | str:
    """The list that a figure comes from: `POOL/2024-03-01/r1` as a link, of a source, `fide/2024-02-01`, as text."""
    pool, in_force, *revision = address.split("/")
    text = gettext("list of %(day)s") % {"day": day(date.fromisoformat(in_force))}
    if not revision:
        return text
    href = reverse("list-revision", args=[pool, date.fromisoformat(in_force), int(revision[0][1:])])
    return format_html('<a href="{}">{}</a>', href, text)


@register.filter
def rule_text(rating_list: RatingList, code: str) -> SafeString:
    """What the system of a list says of its rules, by a code (`Explanation.texts`); nothing where it says nothing."""
    return _sentences(rating_list.system, rule_texts(rating_list.rating_system, rating_list.rules, code))


@register.filter
def system_text(system: RatingSystem, code: str) -> SafeString:
    """The same of a system by its newest edition, for pages that belong to no list yet."""
    return _sentences(system.code, rule_texts(system, system.editions[-1], code))


@register.filter
def weight_text(rating_list: RatingList, seconds: int | None) -> SafeString:
    """What the system of a list says of a time control, by its seconds for 60 moves; None without a clock."""
    system, rules = rating_list.rating_system, rating_list.rules
    percentage = rules.weight_percentage(seconds)
    return _sentences(system.code, rule_texts(system, rules, "weight", percentage=percentage))


def _anomaly_text(anomaly: Anomaly) -> AnomalyText:
    subject = ""
    if anomaly.player is not None:
        subject = first_name_first(anomaly.player.printed_name)
    elif anomaly.report is not None:
        subject = name_with_part(anomaly.report.result_set)
    return anomaly.list.rating_system.explanation.anomaly_text(anomaly.kind, subject, anomaly.data)


@register.filter
def anomaly_title(anomaly: Anomaly) -> str:
    """The title that the system of a list gives to an anomaly that its rules found."""
    return _anomaly_text(anomaly).title


@register.filter
def anomaly_notes(anomaly: Anomaly) -> SafeString:
    """What the system of a list says of an anomaly that its rules found."""
    return _sentences(anomaly.list.system, _anomaly_text(anomaly).notes)


@register.filter
def provisional_note(expectation: ExpectedChanges) -> str:
    """What the mark of a provisional rating means, without links: `provisional: fewer than 25 counted games (R7)`."""
    notes = rule_texts(expectation.pool.rating_system, expectation.rules, "provisional_rating")
    return " ".join(
        f"{note.text} ({', '.join(note.rulings)})" if note.rulings else note.text for note in notes
    )


@register.filter
def system_of(tournament: Any) -> RatingSystem:
    """The rating system of a tournament or an announcement; the first one where it is not known yet."""
    if tournament is None or not (tournament.rating_system or tournament.discipline):
        return rating_systems()[0]
    return system_of_games(tournament.rating_system, tournament.discipline)


@register.filter
def source(system: RatingSystem, subject: str) -> SafeString:
    """The articles of a system on a subject in brackets, rulings as links: ` (R11)`; nothing where it names none."""
    text = system.explanation.articles.get(subject)
    return format_html(" ({})", _with_links(system, text)) if text else SafeString()


@register.simple_tag
def sources_of_all(subject: str) -> SafeString:
    """The same of all systems, for pages that belong to no list."""
    texts = [
        (_with_links(system, text),)
        for system in rating_systems()
        if (text := system.explanation.articles.get(subject))
    ]
    return format_html(" ({})", format_html_join("; ", "{}", texts)) if texts else SafeString()


def _with_links(system: RatingSystem, text: str) -> SafeString:
    """Articles with the ids of the system's rulings as links to its method page."""
    method = reverse("method-of-system", args=[system.code])
    known = {ruling.id for ruling in system.explanation.rulings}
    words = (
        format_html('<a href="{}#{}">{}</a>', method, word, word) if word in known else word
        for word in re.split(r"(\w+)", text)
    )
    return format_html_join("", "{}", ((word,) for word in words))


def _sentences(system: str, notes: Sequence[RuleText]) -> SafeString:
    """Notes with their sources: `Equal ratings share a rank (art. 6.3; R12).`"""
    sentences = []
    for note in notes:
        sources = [(source,) for source in (note.article, ruling_links(note.rulings, system)) if source]
        ending = format_html(" ({})", format_html_join("; ", "{}", sources)) if sources else ""
        sentences.append((note.text, ending))
    return format_html_join(" ", "{}{}.", sentences)


@register.filter
def ruling_source(ruling: Ruling, system: RatingSystem) -> str:
    """The article of a ruling with the regulations it is in."""
    if not ruling.article[:1].isdigit():
        return ruling.article
    return f"{system.explanation.regulations} {article_of(ruling.article, system.code)}"


@register.filter
def ruling_text(text: str) -> SafeString:
    """A text in which `backticks` mark what is typed, and *asterisks* a stressed word."""
    parts = (
        (format_html("<code>{}</code>", part) if place % 2 else _with_stress(part),)
        for place, part in enumerate(text.split("`"))
    )
    return format_html_join("", "{}", parts)


def _with_stress(text: str) -> SafeString:
    parts = (
        (format_html("<em>{}</em>", part) if place % 2 else part,)
        for place, part in enumerate(text.split("*"))
    )
    return format_html_join("", "{}", parts)
