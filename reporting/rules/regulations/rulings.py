"""Rulings: how an office reads an article that is silent, contradicts another or has a misprint.

A ruling is data (``rulings.toml`` next to the rules it belongs to), so that docstrings can cite it, the
method page can print it and the checks can refuse a number that does not exist.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Ruling:
    """One ruling: its number (``R5``), the article it reads, its text, and the parameters it settles."""

    id: str
    article: str
    text: str
    values: tuple[str, ...] = ()


def read_rulings(path: Path) -> tuple[Ruling, ...]:
    """The rulings of one ``rulings.toml``, in the order of the file.

    The file is a list of ``[[ruling]]`` tables with ``id``, ``article``, ``text`` and, where the ruling
    settles numbers of the regulations, ``values`` (names of fields of the federation's parameters).

    Raises ``ValueError`` when a key is missing, unknown or empty, or an id is there twice: a ruling is part
    of the published method, so a slip in its file must not pass quietly.
    """
    with path.open("rb") as file:
        tables = tomllib.load(file).get("ruling", [])
    rulings: dict[str, Ruling] = {}
    for table in tables:
        unknown = set(table) - {"id", "article", "text", "values"}
        if unknown:
            raise ValueError(f"{path.name}: unknown key {sorted(unknown)[0]!r} in ruling {table.get('id')!r}")
        for key in ("id", "article", "text"):
            if not str(table.get(key, "")).strip():
                raise ValueError(f"{path.name}: ruling {table.get('id')!r} has no {key}")
        ruling = Ruling(
            table["id"], table["article"], " ".join(table["text"].split()), tuple(table.get("values", ()))
        )
        if ruling.id in rulings:
            raise ValueError(f"{path.name}: ruling {ruling.id} is there twice")
        rulings[ruling.id] = ruling
    return tuple(rulings.values())
