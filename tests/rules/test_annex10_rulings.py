"""Rulings, parameters and cases of Annex 10 belong together."""

from __future__ import annotations

import ast
import importlib
import re
import tomllib
from dataclasses import fields, replace
from datetime import date
from pathlib import Path

from reporting.rules.rulings import read_rulings
from titles.federations.fmjd.rules.parameters import ANNEX_10_2024_04, EDITIONS, Parameters, edition_in_force

ROOT = Path(__file__).parents[2]
RULES = ROOT / "titles/federations/fmjd/rules"
RULINGS = read_rulings(RULES.parent / "rulings.toml")
CASES = sorted((ROOT / "tests/cases/annex-10").glob("art-*.toml"))


def test_annex_10_has_its_rulings_in_order():
    assert [ruling.id for ruling in RULINGS] == [
        "R30", "R30a", "R30b", "R30c", "R30d", "R31", "R32", "R33", "R33a", "R34", "R35", "R35a", "R36",
        "R37", "R37a", "R37b", "R37c", "R37d", "R38", "R39", "R40", "R41", "R42", "R73a", "R77a", "R78",
    ]  # fmt: skip


def test_every_number_belongs_to_a_ruling():
    named = {value for ruling in RULINGS for value in ruling.values}
    assert {field.name for field in fields(Parameters)} - {"id", "source", "in_force_from"} == named


def test_every_public_function_names_its_article_or_ruling():
    without = []
    for path in RULES.glob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                text = ast.get_docstring(node) or ""
                if not re.search(r"art\.\s|\bR\d|X-\d|preamble", text):
                    without.append(f"{path.name}: {node.name}")
    assert without == ["parameters.py: edition_in_force"]


def test_every_ruling_that_is_cited_exists():
    known = {ruling.id for ruling in RULINGS} | {"R8", "R11", "R52"}
    cited = {
        number
        for path in (*RULES.glob("*.py"), RULES / "tables/x1.toml")
        for number in re.findall(r"\bR\d+[a-z]?\b", path.read_text(encoding="utf-8"))
    }
    assert cited <= known
    assert cited >= {"R30", "R31", "R32", "R33", "R34", "R35", "R36", "R37", "R38", "R39"}


def test_every_case_names_a_function_that_is_there():
    for path in CASES:
        case = tomllib.loads(path.read_text(encoding="utf-8"))
        module, function = case["function"].split(".")
        assert hasattr(importlib.import_module(f"titles.federations.fmjd.rules.{module}"), function), (
            path.name
        )


def test_every_article_that_the_rules_cite_has_a_case():
    """Articles of requirements and of table X-1: each is in the `article` of a case file."""
    cases = {
        article
        for path in CASES
        for article in tomllib.loads(path.read_text(encoding="utf-8"))["article"].split(", ")
    }
    used = {
        article
        for path in (RULES / "conditions.py", RULES / "places.py", RULES / "tables/x1.toml")
        for text in re.findall(r'"((?:\d+\.\d[\d.a-z]*|X-\d)(?:, [\dX][\d.\-a-z]*)*)"', path.read_text())
        for article in text.split(", ")
    }
    assert used >= {"1.2", "4.2.1", "4.5.4", "3.11.5", "3.4.1", "X-1", "X-3"}
    assert used <= cases


def test_the_edition_of_a_day_is_the_newest_begun():
    assert ANNEX_10_2024_04.in_force_from == date(2024, 4, 1)
    assert edition_in_force(date(2026, 7, 1)) is ANNEX_10_2024_04
    assert edition_in_force(date(2020, 1, 1)) is EDITIONS[0]
    later = replace(ANNEX_10_2024_04, id="later", in_force_from=date(2027, 1, 1))
    both = (ANNEX_10_2024_04, later)
    assert edition_in_force(date(2026, 12, 31), both) is ANNEX_10_2024_04
    assert edition_in_force(date(2027, 1, 1), both) is later
