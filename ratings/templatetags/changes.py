"""How rating changes and what they are made of are printed: signs, tones, four decimals."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from ratings.models import Change
from ratings.rules.declared import Declaration, Kind
from ratings.rules.scaled_numbers import decimals, signed
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


@register.filter
def four_decimals(value: int | None) -> str:
    """A figure with its four decimals and a true minus: `63.6842`; nothing where there is none."""
    return "" if value is None else decimals(value)


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
