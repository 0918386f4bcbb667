"""How figures, dates and titles are printed, in the language of the page: true minus, dates with the month's name."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from ratings.federations.declared import Declaration, Kind
from ratings.federations.facet import AnomalyText, Edition, RatingSystem, RuleText
from ratings.federations.registry import rating_systems, system_of_games
from ratings.federations.scaled_figures import decimals, signed
from ratings.models import Anomaly, Change, Pool, RatingList
from ratings.office.selectors.expected import ExpectedChanges
from reporting.models import Player, User
from reporting.models.register import ERASED_NAME
from reporting.register.selectors import MembershipSpan
from reporting.rules.details.time_control import minutes_text
from reporting.rules.details.tournament_details import detail_label
from reporting.rules.points import points_text
from reporting.rules.register.registers import first_register
from reporting.rules.register.titles import all_titles
from reporting.rules.report import PointsScale
from reporting.rules.rulings import Ruling
from reporting.templatetags.dates import day

register = template.Library()
register.filter(detail_label)

MINUS = "−"
KILOBYTE = 1000


@register.filter
def change(value: int | None) -> SafeString:
    """A rating's change with its sign and tone; `new` for a player without an earlier list."""
    if value is None:
        return format_html('<span class="change change--new">{}</span>', gettext("new"))
    return toned(value, signed_number(value))


@register.filter
def change_e4(value: int) -> SafeString:
    """The same for a figure in ten-thousandths: `+7.4150`."""
    return toned(value, signed(value))


@register.filter
def exact_change(value: int) -> SafeString:
    """The same, rounded; the switch of the page (exact.css) shows the exact figure."""
    rounded = _rounded(value)
    return toned(rounded, _exact(signed_number(rounded), signed(value)))


@register.filter
def exact_figure(value: int | None) -> str:
    """A figure in ten-thousandths, rounded, as `exact_change`; nothing where there is none."""
    return "" if value is None else _exact(str(_rounded(value)), decimals(value))


def _rounded(value_e4: int) -> int:
    """The nearest whole number; halves away from 0, as rounding is written on paper."""
    return (abs(value_e4) + 5_000) // 10_000 * (-1 if value_e4 < 0 else 1)


def _exact(short: str, full: str) -> SafeString:
    return format_html(
        '<data class="exact" value="{}"><span class="exact__short">{}</span><span class="exact__full">{}</span></data>',
        full.replace(MINUS, "-"),
        short,
        full,
    )


def toned(value: int, text: str) -> SafeString:
    tone = " change--up" if value > 0 else " change--down" if value < 0 else ""
    return format_html('<span class="change{}">{}</span>', tone, text)


@register.filter
def four_decimals(value: int | None) -> str:
    """A figure with its four decimals and a true minus: `63.6842`; nothing where there is none."""
    return "" if value is None else decimals(value)


@register.filter
def title_mark(code: str) -> SafeString | str:
    """A player's title before the name; its full name is the tooltip."""
    if not code:
        return ""
    title = all_titles().get(code)
    name = gettext(title.label) if title else code
    return format_html('<abbr class="tag tag--title" title="{}">{}</abbr>', name, code)


@register.filter
def title_label(code: str) -> str:
    """A title in words, with its letters: `International master (MI)`."""
    title = all_titles().get(code)
    return f"{gettext(title.label)} ({code})" if title else code


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


def rule_texts(system: RatingSystem, rules: Edition, code: str, **values: object) -> list[RuleText]:
    """The text that a system has for a code, with the numbers of an edition; none where it has none."""
    found = system.explanation.texts.get(code)
    return [replace(found, text=gettext(found.text) % {**rules.numbers, **values})] if found else []


@register.filter
def rule_text(rating_list: RatingList, code: str) -> SafeString:
    """What the system of a list says of its rules, by a code (`Explanation.texts`); nothing where it says nothing."""
    return _sentences(rating_list.system, rule_texts(rating_list.rating_system, rating_list.rules, code))


@register.filter
def weight_text(rating_list: RatingList, seconds: int | None) -> SafeString:
    """What the system of a list says of a time control, by its seconds for 60 moves; None without a clock."""
    system, rules = rating_list.rating_system, rating_list.rules
    percentage = rules.weight_percentage(seconds)
    return _sentences(system.code, rule_texts(system, rules, "weight", percentage=percentage))


def _anomaly_text(anomaly: Anomaly) -> AnomalyText:
    assert anomaly.player is not None  # noqa: S101 (templates ask only then)
    name = first_name_first(anomaly.player.printed_name)
    return anomaly.list.rating_system.explanation.anomaly_text(anomaly.kind, name, anomaly.data)


@register.filter
def anomaly_title(anomaly: Anomaly) -> str:
    """The title that the system of a list gives to an anomaly of a player."""
    return _anomaly_text(anomaly).title


@register.filter
def anomaly_notes(anomaly: Anomaly) -> SafeString:
    """What the system of a list says of an anomaly of a player."""
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
    return gettext("%(regulations)s art. %(article)s") % {
        "regulations": system.explanation.regulations,
        "article": ruling.article,
    }


@register.filter
def figure_texts(change: Change | None, declaration: Declaration) -> list[str]:
    """The figures of a change that the page of a tournament shows; without a change as many empty texts."""
    texts = []
    for shown in declaration.change_page:
        value = None if change is None else getattr(change, shown.name)
        match declaration.change_column(shown.name).kind:
            case Kind.SCALED:
                texts.append(exact_figure(value))
            case Kind.HALVES:
                texts.append(in_scale(value, PointsScale.HALVES))
            case _:
                texts.append("" if value is None else str(value).replace("-", MINUS))
    return texts


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


@register.filter
def percentage(permille: int | None) -> str:
    """Tenths of a percent as people read them: `62.5 %`; a dash where there is none."""
    return "–" if permille is None else f"{permille // 10}.{permille % 10} %"


@register.filter
def doubled(number: int) -> int:
    """The points of this many games in halves: two a game."""
    return 2 * number


@register.filter
def in_scale(halves: int | None, scale: str) -> str:
    """Points, given in halves, by the scale of their tournament: `3`, or `1½`; empty for None."""
    return "" if halves is None else points_text(halves, scale)


@register.simple_tag
def game_in_words(cell: Any, scale: str, numbers: Mapping[int, int] | None = None) -> str:
    """A game in a cell of a crosstable as it is read aloud: `white against 44, draw`.

    The cell has points in halves, `played`, `white`, and `against`: the number of the opponent, 0 in a pause. With
    `numbers` it has the `opponent`, or None, whose number they give. A plus or minus draw has its `sign`.
    """
    opponent = cell.against if numbers is None else cell.opponent and numbers[cell.opponent.pk]
    points = points_text(cell.points, scale)
    if not opponent:
        return gettext("pause, points: %(points)s") % {"points": points}
    result = {2: gettext("win"), 1: gettext("draw"), 0: gettext("loss")}.get(cell.points, points)
    if cell.sign:
        result = gettext("plus draw") if cell.sign == "+" else gettext("minus draw")
    if not cell.played:
        result = gettext("%(result)s without a game") % {"result": result}
    if cell.white:
        return gettext("white against %(number)s, %(result)s") % {"number": opponent, "result": result}
    return gettext("black against %(number)s, %(result)s") % {"number": opponent, "result": result}


@register.filter
def first_name_first(name: str) -> str:
    """`Verkade, Annelies` in spoken order: `Annelies Verkade`."""
    last, comma, first = name.partition(", ")
    return f"{first} {last}" if comma else name


@register.filter
def short_hash(digest: str) -> str:
    """The ends of a SHA-256, enough to compare by eye: `4f9c21ab…7e10`."""
    return f"{digest[:8]}…{digest[-4:]}" if digest else ""


@register.filter
def size(count: int) -> str:
    """Bytes as people read them: `812 bytes`, `38 KB`, `1.4 MB`."""
    if count < KILOBYTE:
        return ngettext("%(count)s byte", "%(count)s bytes", count) % {"count": count}
    if count < KILOBYTE**2:
        return f"{count / KILOBYTE:.0f} KB"
    return f"{count / KILOBYTE**2:.1f} MB"


@register.filter
def file_kind(name: str) -> str:
    """What a reader calls a file: `list.csv` is `CSV`, `list.txt` is `Text`."""
    ending = name.rpartition(".")[2]
    return gettext("Text") if ending == "txt" else ending.upper()


@register.filter
def minutes(seconds: int | None) -> str:
    """The time for 60 moves: `110 min`; empty without a clock."""
    return "" if seconds is None else minutes_text(seconds)


BROWSERS = {"Edg": "Edge", "OPR": "Opera", "Firefox": "Firefox", "Chrome": "Chrome", "Safari": "Safari"}
DEVICES = {
    "iPhone": "iPhone", "iPad": "iPad", "Android": "Android", "Windows": "Windows", "Mac OS": "Mac", "Linux": "Linux",
}  # fmt: skip


@register.filter
def browser(user_agent: str) -> str:
    """A browser by its user agent: `Firefox on Windows`. The first match counts: browsers name others too."""
    name = next((label for mark, label in BROWSERS.items() if mark in user_agent), gettext("Unknown browser"))
    device = next((label for mark, label in DEVICES.items() if mark in user_agent), "")
    if not device:
        return name
    return gettext("%(browser)s on %(device)s") % {"browser": name, "device": device}


@register.filter
def group_by_four(text: str) -> str:
    """A key or code in groups of four, easy to copy: `1234 5678`."""
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


@register.filter
def signed_number(value: int) -> str:
    """A sum with its sign, a true minus: `+14`, `−3`, `0`."""
    return f"{'+' if value > 0 else MINUS if value < 0 else ''}{abs(value)}"


@register.filter
def get_item(mapping: Mapping[Any, Any], key: Any) -> Any:
    """The value of a key that is itself a variable; empty where there is none."""
    return mapping.get(key, "")


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
def pool_short(pool: Pool) -> str:
    """A pool in a narrow heading: `100`, `100 rapid`."""
    if pool.tempo != "rapid-blitz":
        return pool.discipline or pool.name
    return gettext("%(discipline)s rapid") % {"discipline": pool.discipline}


@register.simple_tag
def number_label(lists: RatingList | Iterable[RatingList] = ()) -> str:
    """What the numbers are called that these lists print; without a list those of the first register."""
    shown = [lists] if isinstance(lists, RatingList) else lists
    labels = {rating_list.report_rules.register.number_label for rating_list in shown}
    if len(labels) > 1:
        return gettext("player number")
    return gettext(labels.pop() if labels else first_register().number_label)


@register.filter
def number_in(player: Player, rating_list: RatingList) -> int | None:
    """A player's number in the register of a list."""
    return player.number_in(rating_list.report_rules.register)


@register.filter
def address_on(number: int, rating_list: RatingList) -> str:
    """The player with a number that a list prints, in addresses."""
    return rating_list.report_rules.register.address(number)


@register.filter
def is_erased(name: str) -> bool:
    """Whether a list prints this in place of an erased name: such a player has no page (decision 0073)."""
    return name == ERASED_NAME


@register.simple_tag
def error_address(figure: str, rating_list: RatingList, code: str = "", number: int | str = "") -> str:
    """Where to report an error in a figure of a list: of a tournament by its code, of a player by the number."""
    about = (figure, rating_list.pool.code, rating_list.in_force.isoformat(), str(rating_list.revision))
    return f"{reverse('request-new')}?about={':'.join(filter(None, (*about, code, str(number))))}"


@register.simple_tag
def messages_link_label(user: User) -> SafeString | str:
    """The link to one's messages, with the number of the unread ones; a screen reader says "Messages, 3 unread"."""
    if not user.unread_messages:
        return gettext("Messages")
    unread = ngettext("%(count)s unread", "%(count)s unread", user.unread_messages)
    return format_html(
        '{} <span class="masthead__count" aria-hidden="true">{}</span><span class="visually-hidden">, {}</span>',
        gettext("Messages"),
        user.unread_messages,
        unread % {"count": user.unread_messages},
    )


@register.simple_tag(takes_context=True)
def masthead_link(context: template.Context, name: str, label: str, *beneath: str) -> SafeString:
    """A link of the masthead; it is marked on its own page and on the pages below its address.

    `beneath` are the names of other links whose addresses begin with this one's: there they are marked instead.
    """
    address = reverse(name)
    request = context.get("request")
    here = request.path if request else ""
    current = (
        ' aria-current="page"'
        if here == address
        else ' aria-current="true"'
        if here.startswith(address) and not any(here.startswith(reverse(other)) for other in beneath)
        else ""
    )
    return format_html('<a class="masthead__link" href="{}"{}>{}</a>', address, SafeString(current), label)
