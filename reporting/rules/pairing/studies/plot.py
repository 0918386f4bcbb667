"""A plot of a table: a bar for each cell with its standard error, as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape

BAR, GAP, LEFT, WIDTH, TOP = 9, 8, 130, 560, 40
COLOURS: Final = ("#1f6f8b", "#b5523b", "#5f7f3a", "#7a5a9a", "#a8842c")


def plotted(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float]],
    errors: Sequence[Sequence[float]],
) -> str:
    """Return the SVG of horizontal bars, a group for each row; at most as many columns as `COLOURS`."""
    largest = max((value for own in values for value in own), default=0) or 1
    scale = WIDTH / largest
    height = TOP + len(rows) * (len(columns) * BAR + GAP) + GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 70} {height}" font-family="sans-serif" '
        'font-size="11">'
    ]
    for column, name in enumerate(columns):
        at = LEFT + 110 * column
        parts.append(f'<rect x="{at}" y="12" width="10" height="10" fill="{COLOURS[column]}"/>')
        parts.append(f'<text x="{at + 14}" y="21">{escape(name)}</text>')
    y = TOP
    for name, own, own_errors in zip(rows, values, errors, strict=True):
        middle = y + len(columns) * BAR / 2 + 4
        parts.append(f'<text x="{LEFT - 8}" y="{middle:.1f}" text-anchor="end">{escape(name)}</text>')
        for column, (value, error) in enumerate(zip(own, own_errors, strict=True)):
            end, half = LEFT + value * scale, error * scale
            line = y + (BAR - 1) / 2
            parts.append(
                f'<rect x="{LEFT}" y="{y}" width="{value * scale:.1f}" height="{BAR - 1}" fill="{COLOURS[column]}"/>'
                f'<path d="M{end - half:.1f} {line}H{end + half:.1f}" stroke="#000"/>'
                f'<text x="{end + half + 4:.1f}" y="{y + BAR - 1}" font-size="8">{value:.3f}</text>'
            )
            y += BAR
        y += GAP
    return "\n".join([*parts, "</svg>"]) + "\n"
