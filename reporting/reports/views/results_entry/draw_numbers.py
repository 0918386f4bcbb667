"""The numbers of a round robin by lot, for the players of a new report."""

import secrets
from collections.abc import Sequence

from django.utils.translation import gettext, ngettext

from reporting.reports.views.results_entry.file import Row
from reporting.rules.pairing.matching import TooCostlyError, limited_time
from reporting.rules.pairing.round_robin import draw_round_robin
from reporting.rules.regulations.berger import MAX_PLAYERS, MIN_PLAYERS

SECONDS_TO_DRAW = 5
"""CPU time of a lot. Forty players of many federations take some seconds, up to twenty none."""


def draw_numbers(rows: Sequence[Row]) -> str:
    """Draw the numbers of a round robin, so that players of one federation meet early; return what was drawn.

    The players change their rows. The command round_robin draws the same numbers with the seed that is named.
    """
    filled = [row for row in rows if not row.empty]
    if not MIN_PLAYERS <= len(filled) <= MAX_PLAYERS:
        return gettext("Numbers are drawn for %(least)s to %(most)s players.") % {
            "least": MIN_PLAYERS,
            "most": MAX_PLAYERS,
        }
    seed = secrets.randbelow(10_000)
    federations = {place: row.entered["country"].upper() for place, row in enumerate(filled, start=1)}
    try:
        with limited_time(SECONDS_TO_DRAW):
            drawn = draw_round_robin(federations, seed)
    except TooCostlyError:
        return gettext("This lot takes too long for the page. The command round_robin has more time.")
    players = [(row.entered, row.notes) for row in filled]
    for row, place in zip(filled, drawn.numbers.values(), strict=True):
        texts, row.notes = players[place - 1]
        row.fill_in(texts)
    return ngettext(
        "Numbers drawn by lot %(seed)s. %(late)s game between players of one federation is after the first half.",
        "Numbers drawn by lot %(seed)s. %(late)s games between players of one federation are after the first half.",
        len(drawn.late),
    ) % {"seed": seed, "late": len(drawn.late)}
