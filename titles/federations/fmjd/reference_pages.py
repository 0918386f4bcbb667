"""The pages of docs/rules/ on norms and titles: articles with their functions and cases, parameters, rulings."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path

from django.conf import settings

from reporting.rules.regulations.rulings import Ruling, read_rulings
from titles.federations.fmjd.rules.columns import LEVELS
from titles.federations.fmjd.rules.parameters import EDITIONS

TABLES = ("points_table", "place_awards")
"""Parameters that are files of their own."""


def rules_pages(print_rulings: Callable[[tuple[Ruling, ...], int], str]) -> dict[str, str]:
    """Each page by its place under docs/; ``print_rulings`` prints rulings under headings of a level."""
    root = Path(settings.BASE_DIR)
    text = "\n".join([*_articles(root / "tests/cases/annex-10"), *_editions()])
    rulings = print_rulings(read_rulings(root / "titles/federations/fmjd/rulings.toml"), 3)
    return {"rules/fmjd-titles.md": f"{text}\n\n## Rulings\n\n{rulings}"}


def _articles(cases: Path) -> list[str]:
    lines = [
        "# FMJD norms and titles: articles, parameters and rulings\n",
        "Implemented in `titles/federations/fmjd/rules/`. The cases are in `tests/cases/annex-10/`, each with its "
        "calculation by hand. Where neither annex nor ruling decides: "
        "[0046](../decisions/0046-where-annex-10-leaves-a-choice.md).\n",
        "| article | what holds | function | rulings | cases |\n|---|---|---|---|---|",
    ]

    def numbers(path: Path) -> list[int]:
        return [int(part) for part in path.name.split("-")[1].split(".")]

    for path in sorted(cases.glob("art-*.toml"), key=lambda path: (numbers(path), path.name)):
        case = tomllib.loads(path.read_text(encoding="utf-8"))
        rulings = ", ".join(case["rulings"])
        lines.append(
            f"| {case['article']} | {case['title']} | `{case['function']}` | {rulings} | `{path.name}` |"
        )
    return lines


def _editions() -> list[str]:
    lines = []
    for edition in EDITIONS:
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
    return ", ".join(map(str, value))
