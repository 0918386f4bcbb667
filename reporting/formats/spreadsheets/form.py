"""The template of a report as a spreadsheet: its tables, rows and columns, and their fields of art. 11."""

import re
from collections.abc import Mapping

from reporting.rules.report import RESULT_FIELDS

TABLES = {"info": "Info", "players": "Players", "results": "Results"}
"""The names of the tables."""

INFO_ROWS = {
    "name": "Name",
    "played_from": "Played from",
    "played_to": "Played to",
    "system": "Type",
    "national_championship": "National championship",
    "women_championship": "Women championship",
    "referee": "Name of referee",
    "place": "Place",
    "country": "Country",
    "winner": "Winner",
    "remarks": "Remarks",
}
"""The rows of the Info table in the order of the template, each with its key."""

PLAYER_COLUMNS = {
    "number": "No.",
    "fmjd_id": "FMJD-ID",
    "last_name": "Last name",
    "first_name": "First name",
    "title": "Title",
    "country": "Country",
    "sex": "Sex",
    "born": "Born",
    "place": "Place",
    "points": "Points",
    "local_id": "Local ID",
}
"""The columns of the players in the order of the template, each with its heading."""

RESULT_COLUMNS = {"round": "Round", "white": "White", "black": "Black", "result": "Result"}
"""The columns of the results in the order of the template, each with its heading."""

GAME_DAY_COLUMNS = {"started_on": "Started", "finished_on": "Finished"}
"""Columns of the results that the template does not have: the days of a game, for systems that rate by them."""

COLUMNS = {"players": PLAYER_COLUMNS, "results": RESULT_COLUMNS}
REQUIRED_COLUMNS = {
    "players": ("number", "last_name", "first_name", "country", "points"),
    "results": RESULT_FIELDS,
}
_OTHER_HEADINGS = {"surname": "last_name", "federation": "country", "birthday": "born"}
"""Words of art. 4.2.2 for the same columns."""

_NOT_IN_A_HEADING = re.compile(r"[\s._:-]+")


def comparable_text(text: str) -> str:
    """Return a heading or key in small letters without spaces and dots, for comparison."""
    return _NOT_IN_A_HEADING.sub("", text).casefold()


HEADINGS: dict[str, Mapping[str, str]] = {
    "players": {comparable_text(heading): name for name, heading in PLAYER_COLUMNS.items()} | _OTHER_HEADINGS,
    "results": {
        comparable_text(heading): name for name, heading in (RESULT_COLUMNS | GAME_DAY_COLUMNS).items()
    },
}
"""The field of each heading of a table, as `comparable_text` returns the heading."""
