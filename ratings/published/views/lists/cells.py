"""The cells of a published list: a figure by the kind of its column, the line of the last ratings."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from ratings.models import RatingList
from ratings.published.views.list_query import SPARK_STYLE, cell_style, variant_address
from ratings.published.views.statistics.charts import sparkline
from ratings.queries.list_rows import ListPage
from ratings.rules.declared import Column, Kind
from ratings.rules.scaled_numbers import decimals
from reporting.rules.report import PointsScale
from reporting.web.values import change, in_scale, on_day, title_mark

SPARK_SIZE = (72, 18)


def shown_rows(rating_list: RatingList, page: ListPage) -> Iterator[dict[str, Any]]:
    """The rows of a page, each with its `cells`: those of the columns that the list's system declares, and after the
    change a line of the last ratings where they were read.

    Values of a column repeat: each is formatted once. By the template, cell by cell, they would take most of the time.
    """
    declaration = rating_list.declaration
    columns = [declaration.column(name) for name in declaration.list_page]
    cells = [(column.name, cell(column, rating_list)) for column in columns]
    for row in page.rows:
        shown = {name: printed(row[name]) for name, printed in cells}
        if "earlier_ratings" in row:
            shown["change"] += spark_cell([*reversed(row["earlier_ratings"]), row["rating"]])
        yield {**row, "cells": SafeString("\n      ".join(shown.values()))}


def spark_cell(ratings: Sequence[int]) -> SafeString:
    """A cell with the line of a player's last ratings; empty for the first one."""
    path = sparkline(ratings, *SPARK_SIZE)
    if not path:
        return mark_safe(f'<td class="{SPARK_STYLE}"></td>')  # noqa: S308
    x, y = path.rpartition("L")[2].split()
    label = gettext("%(first)s to %(last)s in %(lists)s lists") % {
        "first": ratings[0],
        "last": ratings[-1],
        "lists": len(ratings),
    }
    return format_html(
        '<td class="{}"><svg class="spark" viewBox="0 0 {} {}" role="img" aria-label="{}">'
        '<path class="spark__line" d="{}"/><circle class="spark__end" cx="{}" cy="{}" r="2"/></svg></td>',
        SPARK_STYLE,
        *SPARK_SIZE,
        label,
        path,
        x,
        y,
    )


def cell(column: Column, rating_list: RatingList) -> Callable[[Any], SafeString]:
    """How a page shows a value of a column in a cell of its own."""
    style = cell_style(column, column.tone)
    printed = title_mark if column.name == "title" else printer(column, rating_list)
    if column.name in rating_list.declaration.divided_by:

        def divided(value: str) -> SafeString:
            """The value as a link to its derived list."""
            if not value:
                return format_html('<td class="{}"></td>', style)
            address = variant_address(rating_list, f"{column.name}:{value}")
            return format_html('<td class="{}"><a href="{}">{}</a></td>', style, address, printed(value))

        return cache(divided)
    return cache(lambda value: format_html('<td class="{}">{}</td>', style, printed(value)))


def printer(column: Column, rating_list: RatingList) -> Callable[[Any], object]:
    """How a page prints a value of a column. An opening list has no list before it, so no differences."""
    match column.kind:
        case Kind.DIFFERENCE:
            return (lambda _: "") if rating_list.is_opening else change
        case Kind.SCALED:
            return lambda value: "" if value is None else decimals(value, column.decimals)
        case Kind.HALVES:
            return lambda value: in_scale(value, PointsScale.HALVES)
        case Kind.DAY:
            return on_day
        case Kind.FLAG:
            return lambda value: gettext("yes") if value else ""
        case _:
            return lambda value: "" if value is None else value
