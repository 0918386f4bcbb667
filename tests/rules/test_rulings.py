"""Rulings are data: what the code cites exists, and what the file says is whole."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from ratings.federations.fmjd.rules.edition import RULES
from reporting.rules.rulings import Ruling, read_rulings

ROOT = Path(__file__).parents[2]
FMJD = ROOT / "ratings/federations/fmjd/rulings.toml"
CITED = re.compile(r"\bR(\d{1,2}[a-z]?)\b")


def known():
    found = set()
    for path in (
        *ROOT.glob("[a-z]*/rules/**/rulings.toml"),
        *ROOT.glob("*/federations/*/rulings.toml"),
    ):
        found |= {ruling.id for ruling in read_rulings(path)}
    return found


def docstrings(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            yield ast.get_docstring(node) or ""


def test_annex_9_has_its_rulings_in_order():
    expected = [f"R{n}" for n in range(1, 15)]
    expected.insert(5, "R5a")
    assert [ruling.id for ruling in read_rulings(FMJD)] == expected


def test_a_ruling_names_only_numbers_the_parameters_have():
    names = set(RULES[-1].numbers)
    rulings = read_rulings(FMJD)
    assert {value for ruling in rulings for value in ruling.values} <= names
    # Every number of the law belongs to some ruling, so that the method page can show it; an office's own to none.
    not_of_the_law = {"id", "source", "in_force_from", "jump_points", "jump_points_provisional"}
    assert names - not_of_the_law == {v for ruling in rulings for v in ruling.values}


def test_every_ruling_a_docstring_of_ratings_cites_exists():
    sources = [*(ROOT / "ratings").rglob("*.py"), ROOT / "reporting/rules/details/time_control.py"]
    cited = {
        (f"R{number}", path.name)
        for path in sources
        for text in docstrings(path)
        for number in CITED.findall(text)
    }
    assert {ruling for ruling, _ in cited} >= {f"R{n}" for n in range(1, 14)}
    rulings = known()
    assert not {(ruling, name) for ruling, name in cited if ruling not in rulings}


def test_a_public_function_of_the_engine_cites_its_article_or_ruling():
    without = []
    engine = ("anomalies", "calendar", "development", "engine", "explain", "listing", "tables")
    for path in (ROOT / "ratings/federations/fmjd/rules" / f"{name}.py" for name in engine):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                text = ast.get_docstring(node) or ""
                if not re.search(r"art\. |\bR\d", text):
                    without.append(f"{path.name}: {node.name}")
    assert not without


def test_a_file_of_rulings_is_read_in_its_order(tmp_path):
    path = tmp_path / "rulings.toml"
    path.write_text(
        '[[ruling]]\nid = "R7"\narticle = "3.3"\ntext = """\ntwo\nlines"""\nvalues = ["games"]\n'
        '[[ruling]]\nid = "R1"\narticle = "2.3"\ntext = "one"\n',
        encoding="utf-8",
    )
    assert read_rulings(path) == (Ruling("R7", "3.3", "two lines", ("games",)), Ruling("R1", "2.3", "one"))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('id = "R1"\narticle = "2.3"', "has no text"),
        ('id = "R1"\narticle = " "\ntext = "a"', "has no article"),
        ('id = "R1"\narticle = "2.3"\ntext = "a"\nvalue = "b"', "unknown key 'value'"),
        (
            'id = "R1"\narticle = "2"\ntext = "a"\n[[ruling]]\nid = "R1"\narticle = "3"\ntext = "b"',
            "is there twice",
        ),
    ],
)
def test_a_slip_in_a_file_of_rulings_is_refused(tmp_path, body, message):
    path = tmp_path / "rulings.toml"
    path.write_text(f"[[ruling]]\n{body}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read_rulings(path)
