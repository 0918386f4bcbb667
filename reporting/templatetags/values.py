"""Values as a template prints them: days, numbers, names, sizes."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django import template
from django.utils.translation import gettext, ngettext

from reporting.web import values

register = template.Library()
for printed in (
    values.day,
    values.day_of_year,
    values.month,
    values.days,
    values.on_day,
    values.at_minute,
    values.number,
    values.signed_number,
    values.first_name_first,
    values.title_label,
):
    register.filter(printed)


@register.filter
def place_and_country(tournament: Any) -> str:
    """Where a tournament is played, what is known of it: `Warsaw, POL`."""
    return ", ".join(filter(None, (tournament.place, tournament.country_id)))


KILOBYTE = 1000


@register.filter
def percentage(permille: int | None) -> str:
    """Tenths of a percent as people read them: `62.5 %`; a dash where there is none."""
    return "–" if permille is None else f"{permille // 10}.{permille % 10} %"


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
def group_by_four(text: str) -> str:
    """A key or code in groups of four, easy to copy: `1234 5678`."""
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


@register.filter
def get_item(mapping: Mapping[Any, Any], key: Any) -> Any:
    """The value of a key that is itself a variable; empty where there is none."""
    return mapping.get(key, "")


@register.filter
def from_iso(text: str) -> date:
    """A day that is stored as text: `2026-12-05`."""
    return date.fromisoformat(text)
