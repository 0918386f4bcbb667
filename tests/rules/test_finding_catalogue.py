"""The catalogue of findings and the places that report one: each key has sentences, an article and a test."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path
from string import Formatter

import pytest

from reporting.federations.fmjd.articles import ARTICLES
from reporting.federations.fmjd.details import FmjdDetails
from reporting.federations.registry import all_report_rules, article_of, report_rules
from reporting.rules.details.decided_items import known_items
from reporting.rules.details.known_details import details_of
from reporting.rules.findings.catalogue import CODES, NAME_CODES, RULING_CODES, UNREAD
from reporting.rules.findings.finding_list import Finding, FindingList, Severity, finding
from reporting.rules.regulations.rulings import read_rulings
from reporting.rules.sentences import IfGiven, Plural, joined

ROOT = Path(__file__).parents[2]
CALL_SITES = [
    *(
        path
        for folder in ("rules", "formats", "federations", "reports", "register")
        for path in (ROOT / "reporting" / folder).rglob("*.py")
    ),
    ROOT / "ratings/production/imports/import_list.py",
    ROOT / "ratings/production/periods/list_values.py",
    *(ROOT / "ratings/formats/sources").glob("*.py"),
]
TESTS = [
    *(ROOT / "tests/formats").glob("test_*.py"),
    *(ROOT / "tests/rules").glob("test_report_*.py"),
    ROOT / "tests/rules/test_tournament_details.py",
    *(ROOT / "tests/services").glob("test_*.py"),
    *(ROOT / "tests/pages").rglob("test_*.py"),
    ROOT / "tests/flows/test_parts.py",
]
PARTS = ("message", "found", "expected", "suggestion")


def reported():
    """File, line, keys, names of the values and whether all are known, of every finding by its key."""
    for app in ("reporting", "ratings"):
        for path in sorted((ROOT / app).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and _reports_finding(node.func) and node.args:
                    keys = [key for key in _keys(node.args[0]) if key in CODES]
                    values = {keyword.arg for keyword in node.keywords}
                    values |= {"found"} if "at" in values else set()  # see ReaderFindings.add
                    values |= {"limit", "count"} if ast.unparse(node.func).endswith("exceeds") else set()
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", keys, values


def _reports_finding(called):
    if isinstance(called, ast.Name):
        return called.id == "finding"
    named = ast.unparse(called)
    return named.endswith(("findings.add", "exceeds"))


def _keys(first):
    if isinstance(first, ast.JoinedStr):  # one case of several, by a value
        begins = first.values[0].value
        return [key for key in CODES if key.startswith(begins)]
    return [node.value for node in ast.walk(first) if isinstance(node, ast.Constant)]


def template(key, part):
    code = key.partition(".")[0]
    return getattr(CODES[key], part) or getattr(CODES[code], part)


def names_in(template):
    if isinstance(template, IfGiven):
        return names_in(template.missing) | (names_in(template.given) - {template.by})
    parts = (
        (template.one, template.many, f"{{{template.by}}}") if isinstance(template, Plural) else (template,)
    )
    return {name for part in parts for _, name, _, _ in Formatter().parse(part) if name}


def test_each_place_gives_the_values_of_its_sentences():
    wrong = []
    for place, keys, values in reported():
        for key in keys:
            for part in PARTS:
                missing = (
                    set() if part == "found" and part in values else names_in(template(key, part)) - values
                )
                if missing and None not in values:
                    wrong.append((place, key, part, missing))
    assert wrong == []


def test_each_key_is_in_one_subject():
    texts = [path.read_text() for path in (ROOT / "reporting/rules/findings/catalogue").glob("*.py")]
    keys = [key for text in texts for key in re.findall(r'^    "([^"]+)": Code\(', text, re.MULTILINE)]
    own = {key for rules in all_report_rules() for key in rules.finding_codes}
    assert sorted(keys) == sorted(set(CODES) - own)


def test_each_severity_of_the_catalogue_exists():
    assert {known.severity for known in CODES.values()} <= set(Severity)


def test_a_case_has_the_code_of_its_finding_and_sentences_of_its_own():
    one = finding("section-missing.table", line=3, column=1, field="info", table="Info")
    assert (one.code, one.case, one.key) == ("section-missing", "table", "section-missing.table")
    assert one.to_json()["code"] == "section-missing"
    assert one.message == "The table Info is missing."
    assert Finding.from_json(one.to_stored()) == one


def test_a_key_outside_the_catalogue_is_a_fault_of_the_program():
    with pytest.raises(KeyError):
        finding("section-missing.no-such-case")
    with pytest.raises(KeyError):
        FindingList().add("no-such-code")


def test_each_reason_of_unread_text_is_used():
    texts = "".join(path.read_text() for path in (ROOT / "reporting/formats").rglob("*.py"))
    unused = {key for key in UNREAD if f'"{key}"' not in texts}
    assert unused == {"second-sex", "second-rating", "second-born"}  # by the name of the field


def test_only_the_players_of_a_finding_are_named_before_its_message():
    counted = finding("player-count-differs", line=1, column=1, field="players", found="9", players=12)
    assert counted.message == CODES["player-count-differs"].message
    named = counted.with_values(about="4 (Ann Aabel), 6 (Bea Bosch)", about_count=2)
    assert named.message == f"Numbers 4 (Ann Aabel), 6 (Bea Bosch): {counted.message}"


def test_names_that_a_sentence_lists_are_stored_as_values_and_joined_when_it_is_shown():
    """Eight names, and how many more there are; nothing of the sentence is stored."""
    rounds = joined(range(1, 11))
    missing = finding("game-missing", line=3, column=1, field="number", rounds=rounds, round_count=12)
    stored = json.loads(json.dumps(missing.to_stored()))
    assert stored["values"]["rounds"] == {"names": ["1", "2", "3", "4", "5", "6", "7", "8"], "more": 2}
    assert Finding.from_json(stored) == missing
    assert str(rounds) == "1, 2, 3, 4, 5, 6, 7, 8 and 2 more"
    assert str(joined([4, 5])) == "4, 5"
    assert missing.place == "line 3, column 1"


def plain(keys):
    """The codes of keys of the catalogue, without their cases."""
    return {key.partition(".")[0] for key in keys}


ONLY_STORED = {"line-end-unknown"}
"""Codes that no reader reports any more; stored findings have them."""


def test_every_code_is_used_and_every_code_used_is_listed():
    texts = {path: path.read_text(encoding="utf-8") for path in CALL_SITES}
    assert set(CODES) >= plain(CODES) | NAME_CODES
    for code in plain(CODES) - ONLY_STORED:
        uses = sum(len(re.findall(rf'"{code}[".{{]', text)) for text in texts.values())
        uses -= sum(key.startswith(f"{code}.") for key in CODES)
        listed = 1 + sum(code in codes for _, _, codes in RULING_CODES)
        assert uses > listed, f"{code} is listed and never used"


def test_every_code_has_a_test():
    tests = "".join(path.read_text(encoding="utf-8") for path in TESTS)
    assert [code for code in sorted(plain(CODES) - ONLY_STORED) if f'"{code}"' not in tests] == []


def test_each_phrase_of_errors_and_warnings_has_its_codes():
    texts = {
        ruling.id: ruling.text for ruling in read_rulings(ROOT / "reporting/federations/fmjd/rulings.toml")
    }
    for ruling in ("R20", "R21"):
        _, _, listed = texts[ruling].partition(": ")
        phrases = [phrase for cited, phrase, _ in RULING_CODES if cited == ruling]
        assert listed.rstrip(".").split("; ") == phrases
    for ruling, phrase, codes in RULING_CODES:
        assert codes, phrase
        for code in codes:
            assert re.search(r"\b(R20|R21)\b", ARTICLES[code]), f"{code} carries out {ruling}"


def test_codes_are_words_separated_by_hyphens():
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)?", key) for key in CODES)


def test_every_code_cites_an_article():
    cited = ("Annex ", "docs/how-to/", "docs/decisions/", "docs/reference/pages/")
    own = {key: article_of(rules, key) for rules in all_report_rules() for key in rules.finding_codes}
    articles = {
        key: entry.article or article_of(report_rules("fmjd"), key)
        for key, entry in CODES.items()
        if key not in own
    }
    assert all(article.startswith(cited) for article in articles.values())
    assert all(own.values())
    assert all(entry.about for entry in CODES.values())
    others = {f"detail.{name}" for name in details_of(FmjdDetails)} | {
        f"decision.{item}" for item in known_items()
    }
    assert set(ARTICLES) - set(CODES) == {"report-due", "report-late"} | others


def test_a_finding_without_an_article_of_its_own_cites_the_report_and_the_ruling_on_its_severity():
    assert ARTICLES["columns-shifted"] == "Annex 9 art. 4.1; R20"
    assert ARTICLES["column-unknown"] == "Annex 9 art. 4.1; R21"


def test_readers_and_rules_work_without_django():
    modules = [
        "reporting.formats.detect", "reporting.rules.checks", "reporting.formats.tournament_details.sidecar",
        "reporting.rules.lifecycle", "reporting.rules.details.merge_tournament_details",
    ]  # fmt: skip
    program = (
        "import sys\n"
        "class Block:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        assert name.partition('.')[0] not in {'django', 'ratings', 'titles'}, name\n"
        "sys.meta_path.insert(0, Block())\n" + "".join(f"import {module}\n" for module in modules)
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT)
