"""How rating changes and what they are made of are printed: signs, tones, four decimals."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from ratings.models import Change, RatingList
from ratings.rules.declared import Kind
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
    """The same figures of a change by game, each with its name, in the language in use."""
    names = [gettext(shown.title or shown.label) for shown in rating_list.declaration.change_page]
    return list(zip(names, figure_texts(change, rating_list), strict=True))


@register.filter
def figure_texts(change: Change | None, rating_list: RatingList) -> list[str]:
    """The figures of a change that pages show; without a change as many empty texts."""
    declaration = rating_list.declaration
    texts = []
    for shown in declaration.change_page:
        value = None if change is None else getattr(change, shown.name)
        column = declaration.change_column(shown.name)
        match column.kind:
            case Kind.SCALED:
                texts.append("" if value is None else exact_figure(rounded(value, column.decimals, 4)))
            case Kind.HALVES:
                texts.append(in_scale(value, PointsScale.HALVES))
            case _:
                texts.append("" if value is None else str(value).replace("-", MINUS))
    return texts
