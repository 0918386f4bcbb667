"""How rating changes and what they are made of are printed: signs, tones, four decimals."""

from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from ratings.models import Change, RatingList
from ratings.rules.declared import Column, Kind
from ratings.rules.scaled_numbers import decimals, rounded, signed
from reporting.rules.report import PointsScale
from reporting.web.values import MINUS, change, in_scale, signed_number, toned

register = template.Library()
register.filter(change)


@register.filter
def change_e4(value: int) -> SafeString:
    """The same for a figure in ten-thousandths: `+7.4150`."""
    return toned(value, signed(value))


@register.filter
def exact_change(value: int) -> SafeString:
    """The same, rounded; the switch of the page (exact.css) shows the exact figure."""
    whole = rounded(value, 4, 0)
    return toned(whole, _exact(signed_number(whole), signed(value)))


@register.filter
def exact_figure(value: int | None) -> str:
    """A figure in ten-thousandths, rounded, as `exact_change`; nothing where there is none."""
    return "" if value is None else _exact(str(rounded(value, 4, 0)), decimals(value))


def _exact(short: str, full: str) -> SafeString:
    return format_html(
        '<data class="exact" value="{}"><span class="exact__short">{}</span><span class="exact__full">{}</span></data>',
        full.replace(MINUS, "-"),
        short,
        full,
    )


@register.filter
def four_decimals(value: int | None) -> str:
    """A figure with its four decimals and a true minus: `63.6842`; nothing where there is none."""
    return "" if value is None else decimals(value)


@register.filter
def named_figures(change: Change, rating_list: RatingList) -> list[tuple[str, str]]:
    """The figures that a change by game has, each with its name in the language in use, with all decimals."""
    declaration = rating_list.declaration
    named = []
    for shown in declaration.change_page:
        column, value = declaration.change_column(shown.name), getattr(change, shown.name)
        is_scaled = column.kind is Kind.SCALED and value is not None
        text = decimals(value, column.decimals) if is_scaled else figure_text(column, value)
        if text:
            named.append((gettext(shown.title or shown.label), text))
    return named


@register.filter
def figure_texts(change: Change | None, rating_list: RatingList) -> list[str]:
    """The figures of a change that the page of a tournament shows; without a change as many empty texts."""
    declaration = rating_list.declaration
    return [
        figure_text(
            declaration.change_column(shown.name), None if change is None else getattr(change, shown.name)
        )
        for shown in declaration.change_page
    ]


def figure_text(column: Column, value: Any) -> str:
    """A figure of a change; a scaled one rounded, with the exact one beside it."""
    match column.kind:
        case Kind.SCALED:
            return "" if value is None else exact_figure(rounded(value, column.decimals, 4))
        case Kind.HALVES:
            return in_scale(value, PointsScale.HALVES)
        case _:
            text = "" if value is None else str(value)
            return text.replace("-", MINUS) if column.kind.is_number else text
