"""The pages of docs/rules/ on titles and World Cup: articles with their functions and cases, parameters, rulings."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

from reporting.rules.regulations.rulings import Ruling, read_rulings
from titles.federations.fmjd.rules.columns import LEVELS
from titles.federations.fmjd.rules.parameters import EDITIONS
from titles.federations.fmjd.rules.world_cup.parameters import EDITIONS as WORLD_CUP_EDITIONS

TABLES = ("points_table", "place_awards", "places")
"""Parameters that are files of their own."""

HEADINGS = "| article | what holds | function | rulings | cases |\n|---|---|---|---|---|"
TITLES = (
    "# FMJD norms and titles: articles, parameters and rulings\n\n"
    "Implemented in `titles/federations/fmjd/rules/`. The cases are in `tests/cases/annex-10/`, each with its "
    "calculation by hand. Where neither annex nor ruling decides: "
    "[0046](../decisions/0046-where-annex-10-leaves-a-choice.md).\n"
)
WORLD_CUP = (
    "# FMJD World Cup, qualification and youth teams: articles, parameters and rulings\n\n"
    "Implemented in `titles/federations/fmjd/rules/world_cup/`, with the places of each championship in `places.csv`. "
    "The cases are in `tests/cases/world-cup/`, each with its calculation by hand. Where neither annex nor ruling "
    "decides: [0223](../decisions/0223-where-the-world-cup-rules-leave-a-choice.md).\n"
)


def rules_pages(print_rulings: Callable[[tuple[Ruling, ...], int], str]) -> dict[str, str]:
    """Each page by its place under docs/; ``print_rulings`` prints rulings under headings of a level."""
    root = Path(settings.BASE_DIR)
    rules = root / "titles/federations/fmjd"

    def page(heading: str, cases: Iterable[Path], editions: Sequence[Any], rulings: Path) -> str:
        text = "\n".join([heading, HEADINGS, *map(_case, cases), *_editions(editions)])
        return f"{text}\n\n## Rulings\n\n{print_rulings(read_rulings(rulings), 3)}"

    def numbers(path: Path) -> list[int]:
        return [int(part) for part in path.name.split("-")[1].split(".")]

    articles = (root / "tests/cases/annex-10").glob("art-*.toml")
    of_titles = sorted(articles, key=lambda path: (numbers(path), path.name))
    of_world_cup = sorted((root / "tests/cases/world-cup").glob("*.toml"))
    return {
        "rules/fmjd-titles.md": page(TITLES, of_titles, EDITIONS, rules / "rulings.toml"),
        "rules/fmjd-world-cup.md": page(
            WORLD_CUP, of_world_cup, WORLD_CUP_EDITIONS, rules / "rules/world_cup/rulings.toml"
        ),
    }


def _case(path: Path) -> str:
    case = tomllib.loads(path.read_text(encoding="utf-8"))
    rulings = ", ".join(case["rulings"])
    return f"| {case['article']} | {case['title']} | `{case['function']}` | {rulings} | `{path.name}` |"


def _editions(editions: Sequence[Any]) -> list[str]:
    lines = []
    for edition in editions:
        lines += [
            f"\n## Edition {edition.id}\n",
            f"{edition.source}. In force from {edition.in_force_from}.\n",
            "| parameter | value |\n|---|---|",
        ]
        lines += [
            f"| `{field.name}` | {_value(getattr(edition, field.name))} |"
            for field in fields(edition)
            if field.name not in TABLES
        ]
    return lines


def _value(value: object) -> str:
    if is_dataclass(value):
        return ", ".join(f"{field.name} {getattr(value, field.name)}" for field in fields(value))
    if not isinstance(value, tuple):
        return str(value)
    if is_dataclass(value[0]):
        return "; ".join(f"{level}: {_value(each)}" for level, each in zip(LEVELS[1:], value, strict=True))
    if isinstance(value[0], tuple):
        return ", ".join(f"{of}: {number}" for of, number in value)
    return ", ".join(map(str, value))
