"""How values are printed, in the language of the page: days with the month's name, numbers, names, counts of findings.

Tags of templates wrap these.
"""

from datetime import date, datetime

from django.conf import settings
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext

from reporting.federations.registry import all_report_rules
from reporting.models import Report
from reporting.rules.findings.finding_list import FindingCounts
from reporting.rules.points import points_text
from reporting.rules.register.titles import all_titles

MINUS = "−"


def games_played() -> str:
    """What the players of all federations play: `draughts`, `draughts and chess`."""
    games = [gettext(game) for game in dict.fromkeys(rules.game for rules in all_report_rules())]
    first, last = ", ".join(games[:-1]), games[-1]
    return gettext("%(games)s and %(last)s") % {"games": first, "last": last} if first else last


def office_name() -> str:
    """Whose office this is: as the setting says, else after the federations: `Draughts federation`."""
    by_federations = ngettext("%(games)s federation", "%(games)s federations", len(all_report_rules()))
    return settings.OFFICE_NAME or capfirst(by_federations % {"games": games_played()})


def day(value: date | datetime | None) -> str:
    """A date that means one day everywhere: `1 Oct 2026`; an instant is its day in the office's zone."""
    return "" if value is None else formats.date_format(in_office_zone(value), "j M Y")


def day_of_year(value: date) -> str:
    """A date without its year: `1 Oct`."""
    return formats.date_format(value, "j M")


def month(value: date) -> str:
    """A month with its year: `Oct 2026`."""
    return formats.date_format(value, "M Y")


def days(first: date, last: date) -> str:
    """A range of days without repeating what is the same: `6–14 Nov 2026`, `28 Oct – 3 Nov 2026`."""
    if first == last:
        return day(first)
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{day(last)}"
    if first.year == last.year:
        return f"{day_of_year(first)} – {day(last)}"
    return f"{day(first)} – {day(last)}"


def on_day(value: date | datetime | None) -> str:
    """The same as an element that machines read too."""
    if value is None:
        return ""
    return format_html(
        '<time datetime="{}">{}</time>', in_office_zone(value).strftime("%Y-%m-%d"), day(value)
    )


def at_minute(value: datetime) -> str:
    """An instant to the minute, with the name of the office's zone: `23 Sep 2026, 14:05 UTC`."""
    local = timezone.localtime(value)
    return format_html(
        '<time datetime="{}">{}, {} {}</time>',
        local.isoformat(timespec="minutes"),
        day(value),
        local.strftime("%H:%M"),
        settings.OFFICE_TIME_ZONE,
    )


def in_office_zone(value: date | datetime) -> date:
    return timezone.localtime(value) if isinstance(value, datetime) else value


def number(value: int) -> str:
    """A whole number with separators between thousands: `5,000`."""
    return formats.number_format(value, force_grouping=True)


def signed_number(value: int) -> str:
    """A sum with its sign, a true minus: `+14`, `−3`, `0`."""
    return f"{'+' if value > 0 else MINUS if value < 0 else ''}{abs(value)}"


def change(value: int | None) -> SafeString:
    """A rating's change with its sign and tone; `new` for a player without an earlier list."""
    if value is None:
        return format_html('<span class="change change--new">{}</span>', gettext("new"))
    return toned(value, signed_number(value))


def toned(value: int, text: str) -> SafeString:
    tone = " change--up" if value > 0 else " change--down" if value < 0 else ""
    return format_html('<span class="change{}">{}</span>', tone, text)


def in_scale(halves: int | None, scale: str) -> str:
    """Points, given in halves, by the scale of their tournament: `3`, or `1½`; empty for None."""
    return "" if halves is None else points_text(halves, scale)


def first_name_first(name: str) -> str:
    """`Verkade, Annelies` in spoken order: `Annelies Verkade`."""
    last, comma, first = name.partition(", ")
    return f"{first} {last}" if comma else name


def title_label(code: str) -> str:
    """A title in words, with its letters: `International master (MI)`."""
    title = all_titles().get(code)
    return f"{gettext(title.label)} ({code})" if title else code


def title_mark(code: str) -> SafeString:
    """A player's title beside the name; its full name is the tooltip."""
    if not code:
        return SafeString("")
    title = all_titles().get(code)
    name = gettext(title.label) if title else code
    return format_html('<abbr class="tag tag--title" title="{}">{}</abbr>', name, code)


def finding_counts(counts: FindingCounts, report: Report | None = None) -> SafeString:
    """`2 errors, 68 people to identify, 5 details missing, 1 warning`; of a report with links to its steps."""
    texts = (
        ("", ngettext("%(n)s error", "%(n)s errors", counts.errors), counts.errors),
        (
            "report-people",
            ngettext("%(n)s person to identify", "%(n)s people to identify", counts.people),
            counts.people,
        ),
        (
            "report-details",
            ngettext("%(n)s detail missing", "%(n)s details missing", counts.missing),
            counts.missing,
        ),
        ("", ngettext("%(n)s warning", "%(n)s warnings", counts.warnings), counts.warnings),
    )
    parts = [
        format_html('<a href="{}">{}</a>', reverse(page, args=[report.pk]), text % {"n": number(count)})
        if page and report
        else escape(text % {"n": number(count)})
        for page, text, count in texts
        if count
    ]
    return format_html_join(
        ", ", "{}", ((part,) for part in parts or [escape(gettext("No errors, no warnings"))])
    )
