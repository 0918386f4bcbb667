"""How dates and numbers are printed, in the language of the page: days with the month's name."""

from datetime import date, datetime

from django import template
from django.conf import settings
from django.utils import formats, timezone
from django.utils.html import format_html

register = template.Library()


@register.filter
def day(value: date | datetime | None) -> str:
    """A date that means one day everywhere: `1 Oct 2026`; an instant is its day in the office's zone."""
    return "" if value is None else formats.date_format(in_office_zone(value), "j M Y")


@register.filter
def day_of_year(value: date) -> str:
    """A date without its year: `1 Oct`."""
    return formats.date_format(value, "j M")


@register.filter
def month(value: date) -> str:
    """A month with its year: `Oct 2026`."""
    return formats.date_format(value, "M Y")


@register.filter
def days(first: date, last: date) -> str:
    """A range of days without repeating what is the same: `6–14 Nov 2026`, `28 Oct – 3 Nov 2026`."""
    if first == last:
        return day(first)
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{day(last)}"
    if first.year == last.year:
        return f"{day_of_year(first)} – {day(last)}"
    return f"{day(first)} – {day(last)}"


@register.filter
def on_day(value: date | datetime | None) -> str:
    """The same as an element that machines read too."""
    if value is None:
        return ""
    return format_html(
        '<time datetime="{}">{}</time>', in_office_zone(value).strftime("%Y-%m-%d"), day(value)
    )


@register.filter
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


@register.filter
def from_iso(text: str) -> date:
    """A day that is stored as text: `2026-12-05`."""
    return date.fromisoformat(text)


@register.filter
def number(value: int) -> str:
    """A whole number with separators between thousands: `5,000`."""
    return formats.number_format(value, force_grouping=True)
