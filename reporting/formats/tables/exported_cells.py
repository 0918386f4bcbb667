"""Cells of exported tables: text that no spreadsheet program reads as a formula."""

import re
from collections.abc import Sequence
from typing import Any

_APOSTROPHE = "'"
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "\0", "＝", "＋", "－", "＠")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?\Z", re.ASCII)
_MAY_CHANGE = re.compile("(?:\\A|\1)[" + re.escape("".join(FORMULA_SIGNS)) + "]|\r")


def exported_cell(value: Any) -> Any:
    """The value for a CSV or XLSX cell: text that begins like a formula gets an apostrophe, a number does not.

    A carriage return becomes a space: not every reader keeps it inside quotes.
    """
    if not isinstance(value, str):
        return value
    escape = _APOSTROPHE if value.startswith(FORMULA_SIGNS) and not _NUMBER.match(value) else ""
    return escape + value.replace("\r", " ")


def exported_column(cells: Sequence[Any]) -> Sequence[Any]:
    """The cells of a column as `exported_cell` gives them. All its texts are looked at together: few need a change."""
    texts = "\1".join([cell for cell in cells if isinstance(cell, str)])
    return [exported_cell(cell) for cell in cells] if _MAY_CHANGE.search(texts) else cells


def original_text(cell: str) -> str:
    """The text of an exported cell, for a format in which nothing is a formula."""
    text = cell.removeprefix(_APOSTROPHE)
    return text if text.startswith(FORMULA_SIGNS) else cell
