"""Rulings, regulations and code belong together: what is cited exists, and what the files say is whole."""

import ast
import importlib
import re
import tomllib
from dataclasses import fields, replace
from datetime import date
from pathlib import Path

import pytest

from ratings.federations.fmjd.rules.edition import RULES
from ratings.federations.iccf.rules.parameters import EDITIONS as ICCF_EDITIONS
from ratings.federations.knsb.rules.parameters import EDITIONS as KNSB_EDITIONS
from reporting.rules.regulations.rulings import Ruling, read_rulings
from titles.federations.fmjd.rules.parameters import ANNEX_10_2024_04, EDITIONS, Parameters, edition_in_force
from titles.federations.fmjd.rules.world_cup import parameters as world_cup

ROOT = Path(__file__).parents[2]
ANNEX_9, ANNEX_10, REPORTS = (ROOT / app / "federations/fmjd" for app in ("ratings", "titles", "reporting"))
WORLD_CUP = ANNEX_10 / "rules/world_cup"
KNSB, KNSB_REPORTS = (ROOT / app / "federations/knsb" for app in ("ratings", "reporting"))
ICCF, ICCF_REPORTS = (ROOT / app / "federations/iccf" for app in ("ratings", "reporting"))
CASES = [
    tomllib.loads(path.read_text()) for path in sorted((ROOT / "tests/cases/annex-10").glob("art-*.toml"))
]
ORDER = {
    ANNEX_9: "R1 R2 R3 R4 R5 R5a R6 R7 R8 R9 R10 R11 R12 R13 R14",
    ANNEX_10: "R30 R30a R30b R30c R30d R31 R32 R33 R33a R34 R35 R35a R36 R37 R37a R37b R37c R37d R38 R39 R40 R41 R42"
    " R73a R77a R78",
    WORLD_CUP: "R70 R70a R70b R70c R70d R70e R71 R71a R71b R71c R72 R72a R72b R73 R74 R74a R74b R74c R74d R75",
    REPORTS: "R11a R20 R21 R22 R22a R23 R24 R24a R24b R25 R26 R27 R28 R50 R50a R51 R51a R52 R52a R53 R54 R56 R60"
    " R60a R60b R60c R60d R60e R60f R61 R61a R61b R61c R61d R61e "
    "R61f R62 R62a R63 R63a R64 R65 R66 R67 R67a R68 R69 R69a "
    "R69b R69c R69d R70f",
    KNSB: "R80 R80a R80b R80c R80d R80e R80f R81 R81a R81b R81c R81d R81e R81f R81g R81h R82 R82a R82b R82c"
    " R83 R83a R83b R84 R84a R84b R84c R84d R84f",
    KNSB_REPORTS: "R80g R84e",
    ICCF: "R90 R91 R92 R92a R92b R92c R93 R93c R94",
    ICCF_REPORTS: "R91a R93a R93b",
}


def rulings_of(folder):
    return read_rulings(folder / "rulings.toml")


def cited_in(*sources):
    """The rulings that texts and comments cite; R1 to R3 are also names of columns."""
    texts = [path.read_text() for source in sources for path in ROOT.glob(source)]
    return {number for text in texts for number in re.findall(r"\bR[1-9]\d?[a-z]?\b", text)}


@pytest.mark.parametrize("folder", ORDER)
def test_a_part_of_the_regulations_has_its_rulings_in_order(folder):
    assert " ".join(ruling.id for ruling in rulings_of(folder)) == ORDER[folder]
    assert all(folder != REPORTS or len(ruling.text.split()) > 20 for ruling in rulings_of(folder))


# Every number of the law belongs to some ruling, so that the method page can show it; an office's own to none.
@pytest.mark.parametrize(
    ("folder", "numbers"),
    [
        (ANNEX_9, set(RULES[-1].numbers) - {"jump_points", "jump_points_provisional"}),
        (ANNEX_10, {field.name for field in fields(Parameters)}),
        (WORLD_CUP, {field.name for field in fields(world_cup.Parameters)}),
        (
            KNSB,
            {*KNSB_EDITIONS[-1].numbers}
            - {"jump_points", "first_rating", "performances_a_report", "fide_list_days"}
            - {"freeze_days", "derived_lists"},
        ),
        (ICCF, {*ICCF_EDITIONS[-1].numbers} - {"jump_points", "first_rating", "derived_lists"}),
    ],
)
def test_a_ruling_names_the_numbers_of_the_parameters(folder, numbers):
    named = {value for ruling in rulings_of(folder) for value in ruling.values}
    assert named == numbers - {"id", "source", "in_force_from"}


def test_every_ruling_that_is_cited_exists():
    known = {
        ruling.id
        for source in ("[a-z]*/rules/**/rulings.toml", "*/federations/**/rulings.toml")
        for path in ROOT.glob(source)
        for ruling in read_rulings(path)
    }
    cited = cited_in("ratings/**/*.py", "reporting/**/*.py", "titles/**/*.py")
    assert cited - known == set()
    assert cited >= {f"R{number}" for number in (*range(1, 14), *range(30, 40))}
    annex_10 = cited_in("titles/federations/fmjd/rules/*.py", "titles/federations/fmjd/rules/tables/x1.toml")
    assert annex_10 - {"R8", "R11", "R52"} <= set(ORDER[ANNEX_10].split())


ENGINE = ("anomalies", "calendar", "development", "engine", "explain", "tables")


@pytest.mark.parametrize(
    ("modules", "citation"),
    [
        ([ANNEX_9 / "rules" / f"{name}.py" for name in ENGINE], r"art\. |\bR\d"),
        (sorted(WORLD_CUP.glob("*.py")), r"\bR\d"),
        (sorted((ANNEX_10 / "rules").glob("*.py")), r"art\.\s|\bR\d|X-\d|preamble"),
    ],
)
def test_a_public_function_of_the_rules_cites_its_article_or_ruling(modules, citation):
    without = {
        f"{path.name}: {node.name}"
        for path in modules
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef)
        and not node.name.startswith("_")
        and not re.search(citation, ast.get_docstring(node) or "")
    }
    assert without <= {"parameters.py: edition_in_force"}


def test_a_file_of_rulings_is_read_in_its_order(tmp_path):
    path = tmp_path / "rulings.toml"
    path.write_text(
        '[[ruling]]\nid = "R7"\narticle = "3.3"\ntext = """\ntwo\nlines"""\nvalues = ["games"]\n'
        '[[ruling]]\nid = "R1"\narticle = "2.3"\ntext = "one"\n'
    )
    assert read_rulings(path) == (Ruling("R7", "3.3", "two lines", ("games",)), Ruling("R1", "2.3", "one"))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('id = "R1"\narticle = "2.3"', "has no text"),
        ('id = "R1"\narticle = " "\ntext = "a"', "has no article"),
        ('id = "R1"\narticle = "2.3"\ntext = "a"\nvalue = "b"', "unknown key 'value'"),
        ('id = "R1"\narticle = "2"\ntext = "a"\n[[ruling]]\nid = "R1"\narticle = "3"\ntext = "b"',
         "is there twice"),
    ],
)  # fmt: skip
def test_a_slip_in_a_file_of_rulings_is_refused(tmp_path, body, message):
    path = tmp_path / "rulings.toml"
    path.write_text(f"[[ruling]]\n{body}\n")
    with pytest.raises(ValueError, match=message):
        read_rulings(path)


def test_every_article_that_annex_10_s_rules_cite_has_a_case_and_every_case_a_function():
    """Articles of requirements and of table X-1: each is in the `article` of a case file."""
    for case in CASES:
        module, function = case["function"].split(".")
        assert hasattr(importlib.import_module(f"titles.federations.fmjd.rules.{module}"), function), case[
            "title"
        ]
    used = {
        article
        for name in ("conditions.py", "places.py", "tables/x1.toml")
        for text in re.findall(
            r'"((?:\d+\.\d[\d.a-z]*|X-\d)(?:, [\dX][\d.\-a-z]*)*)"', (ANNEX_10 / "rules" / name).read_text()
        )
        for article in text.split(", ")
    }
    assert used >= {"1.2", "4.2.1", "4.5.4", "3.11.5", "3.4.1", "X-1", "X-3"}
    assert used <= {article for case in CASES for article in case["article"].split(", ")}


def test_the_edition_of_a_day_is_the_newest_begun():
    assert ANNEX_10_2024_04.in_force_from == date(2024, 4, 1)
    assert edition_in_force(date(2026, 7, 1)) is ANNEX_10_2024_04
    assert edition_in_force(date(2020, 1, 1)) is EDITIONS[0]
    later = replace(ANNEX_10_2024_04, id="later", in_force_from=date(2027, 1, 1))
    both = (ANNEX_10_2024_04, later)
    assert edition_in_force(date(2026, 12, 31), both) is ANNEX_10_2024_04
    assert edition_in_force(date(2027, 1, 1), both) is later
