"""The rulings and the catalogue of findings: every ruling cited exists, every code is used and tested."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from reporting.federations.fmjd.articles import ARTICLES
from reporting.federations.registry import article_of, report_rules
from reporting.rules.details.decided_items import known_items
from reporting.rules.details.tournament_details import known_details
from reporting.rules.findings.catalogue import CODES, NAME_CODES, RULING_CODES
from reporting.rules.findings.finding_list import finding

ROOT = Path(__file__).parents[2]
RULINGS = ROOT / "reporting/federations/fmjd/rulings.toml"
SOURCES = [
    *(ROOT / "reporting/rules").rglob("*.py"),
    *(ROOT / "reporting/formats").rglob("*.py"),
    *(ROOT / "reporting/federations").rglob("*.py"),
]
CALL_SITES = [
    *SOURCES,
    *(ROOT / "reporting/reports").rglob("*.py"),
    *(ROOT / "reporting/register").rglob("*.py"),
    ROOT / "ratings/production/import_list.py",
]
TESTS = [
    *(ROOT / "tests/formats").glob("test_*.py"),
    *(ROOT / "tests/rules").glob("test_report_*.py"),
    ROOT / "tests/rules/test_tournament_details.py",
    *(ROOT / "tests/services").glob("test_*.py"),
    *(ROOT / "tests/pages").rglob("test_*.py"),
]


def rulings():
    return {ruling["id"]: ruling for ruling in tomllib.loads(RULINGS.read_text(encoding="utf-8"))["ruling"]}


def test_the_report_has_its_rulings_in_order():
    assert list(rulings()) == [
        "R11a",
        "R20",
        "R21",
        "R22",
        "R22a",
        "R23",
        "R24",
        "R24a",
        "R24b",
        "R25",
        "R26",
        "R27",
        "R28",
        "R50",
        "R50a",
        "R51",
        "R51a",
        "R52",
        "R52a",
        "R53",
        "R54",
        "R56",
        "R60",
        "R60a",
        "R60b",
        "R60c",
        "R60d",
        "R60e",
        "R60f",
    ]
    assert all(ruling["article"] and len(ruling["text"].split()) > 20 for ruling in rulings().values())


def test_every_ruling_that_is_cited_exists():
    known = set()
    for path in (
        *ROOT.glob("[a-z]*/rules/**/rulings.toml"),
        *ROOT.glob("*/federations/*/rulings.toml"),
    ):
        known |= {ruling["id"] for ruling in tomllib.loads(path.read_text(encoding="utf-8"))["ruling"]}
    cited = {
        number
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for number in re.findall(r"\bR([1-9][0-9]?[a-z]?)\b", node.value)
        if int(number.rstrip("abcdef")) >= 5  # R1 to R3 are also names of columns
    }
    assert {f"R{number}" for number in cited} - known == set()


def plain(keys):
    """The codes of keys of the catalogue, without their cases."""
    return {key.partition(".")[0] for key in keys}


ONLY_STORED = {"line-end-unknown"}
"""Codes that no reader reports any more; stored findings have them."""


def test_every_code_is_used_and_every_code_used_is_listed():
    texts = {path: path.read_text(encoding="utf-8") for path in CALL_SITES}
    assert set(CODES) >= plain(CODES)
    assert set(CODES) >= NAME_CODES
    for code in plain(CODES) - ONLY_STORED:
        uses = sum(len(re.findall(rf'"{code}[".{{]', text)) for text in texts.values())
        uses -= sum(key.startswith(f"{code}.") for key in CODES)
        listed = 1 + sum(code in codes for _, _, codes in RULING_CODES)
        assert uses > listed, f"{code} is listed and never used"


def test_every_code_has_a_test():
    tests = "".join(path.read_text(encoding="utf-8") for path in TESTS)
    assert [code for code in sorted(plain(CODES) - ONLY_STORED) if f'"{code}"' not in tests] == []


def test_each_phrase_of_errors_and_warnings_has_its_codes():
    for ruling in ("R20", "R21"):
        _, _, listed = " ".join(rulings()[ruling]["text"].split()).partition(": ")
        phrases = [phrase for cited, phrase, _ in RULING_CODES if cited == ruling]
        assert listed.rstrip(".").split("; ") == phrases
    for ruling, phrase, codes in RULING_CODES:
        assert codes, phrase
        for code in codes:
            assert re.search(r"\b(R20|R21)\b", ARTICLES[code]), f"{code} carries out {ruling}"


def test_each_code_of_a_phrase_has_a_case_of_its_own():
    """A test names the code in its cases or in an assertion; the catalogue alone is no test."""
    cases = {
        node.value
        for path in TESTS
        if path != Path(__file__)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and node.value in CODES
    }
    assert {code for _, _, codes in RULING_CODES for code in codes} <= cases


def test_codes_are_words_separated_by_hyphens():
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)?", key) for key in CODES)


def test_every_code_cites_an_article():
    cited = ("Annex ", "docs/how-to/", "docs/decisions/", "docs/reference/pages/")
    articles = {key: entry.article or article_of(report_rules("fmjd"), key) for key, entry in CODES.items()}
    assert all(articles[key].startswith(cited) and entry.about for key, entry in CODES.items())
    others = {f"detail.{name}" for name in known_details()} | {f"decision.{item}" for item in known_items()}
    assert set(ARTICLES) - set(CODES) == {"report-due", "report-late"} | others


def test_a_code_outside_the_catalogue_is_a_bug():
    with pytest.raises(KeyError):
        finding("no-such-code")


def test_readers_and_rules_work_without_django():
    modules = [
        "reporting.formats.detect",
        "reporting.rules.checks",
        "reporting.formats.tournament_details_file",
        "reporting.rules.lifecycle",
        "reporting.rules.details.merge_tournament_details",
    ]
    program = (
        "import sys\n"
        "class Block:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        assert name.partition('.')[0] not in {'django', 'ratings', 'titles'}, name\n"
        "sys.meta_path.insert(0, Block())\n" + "".join(f"import {module}\n" for module in modules)
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT)
