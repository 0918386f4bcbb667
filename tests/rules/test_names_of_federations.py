"""Generic code names no federation: rules, words and articles are in <app>/federations/<code>."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
GENERIC = ("config", "reporting", "ratings", "titles", "templates", "docs/how-to")
OWN = re.compile(r"[a-z]+/federations/[a-z0-9]+/|config/(demo|bench|web/npm)/")
"""The folders of a federation; demonstration and benchmark show one."""
SOURCES = {".py", ".html", ".sql", ".toml", ".md"}

NAMES = re.compile(r"fmjd|\bknsb\b|\biccf\b|\bannex(es)?\b", re.IGNORECASE)

STAYS = re.compile(r"fmjd[_-]id(s\b)?|\b(fmjd|knsb)[- ](100|64|[1-9][0-9]{3,4})\b", re.IGNORECASE)
"""In reports and how-tos: the field and the codes of findings that are called after the first register, which stay, and
examples of lists and players."""

# A template cites no ruling: the system of the list or of the discipline gives its sources.
RULINGS = re.compile(r"\bR[0-9]{1,2}\b")

ALLOWED = {
    # The apps of federations that are installed.
    "config/settings.py": 8,
    # Examples of a pool and of a player in the description of the API.
    "config/web/openapi.py": 2,
    # A format is called after the federation that prescribes it.
    "reporting/formats/": 7,
    "reporting/rules/findings/catalogue/structure.py": 2,
    # A tie-break is called after the text that defines it.
    "reporting/reports/standings/labels.py": 7,
    "reporting/rules/findings/catalogue/details.py": 1,
    "reporting/rules/standings/": 17,
    # Annex 5 is what is carried out, for every system that declares itself to it.
    "reporting/rules/pairing/": 5,
    "reporting/rules/regulations/championship_of_40.py": 1,
    # Registers without a rating system, and where codes of countries come from.
    "reporting/rules/findings/catalogue/crosstable.py": 2,
    "reporting/rules/findings/catalogue/values.py": 1,
    "reporting/rules/register/countries.py": 3,
    # An example of a value.
    "reporting/rules/details/shared_details.py": 1,
    # The code of a finding, a column of a file and a key of an answer, which stay.
    "ratings/production/imports/import_list.py": 1,
    "titles/forecasts/read_entrants.py": 1,
    "titles/norms/explain.py": 1,
    # Examples of what is typed and stored.
    "reporting/migrations/sql/numbers_in_registers.sql": 1,
    "templates/reporting/log/log.html": 1,
    # The field of a report that has a player's number in the register of the tournament's system.
    "templates/reporting/check_file/check_file_result.html": 1,
    "templates/reporting/people/report_people.html": 2,
    "templates/reporting/people/report_person.html": 3,
    # How the demonstration's federation works, and how its folders are an example.
    "docs/how-to/": 6,
}
"""Path, or the beginning of paths → the number of lines with a name in each file."""


def named_lines() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for folder in GENERIC:
        for path in sorted((ROOT / folder).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if OWN.match(name) or path.suffix not in SOURCES:
                continue
            examples = name.startswith(("reporting/", "docs/"))
            lines = [
                line.strip()
                for line in path.read_text().splitlines()
                if NAMES.search(STAYS.sub("", line) if examples else line)
                or (path.suffix == ".html" and RULINGS.search(line))
            ]
            if lines:
                found[name] = lines
    return found


def test_generic_code_names_no_federation():
    def allowed(name: str) -> int:
        return next((number for path, number in ALLOWED.items() if name.startswith(path)), 0)

    found = named_lines()
    too_many = {name: lines for name, lines in found.items() if len(lines) > allowed(name)}
    assert too_many == {}
    # What is allowed is needed: a name that went away leaves the list.
    assert {path for path in ALLOWED if not any(name.startswith(path) for name in found)} == set()


def test_no_file_of_the_application_knows_the_federations_of_the_tests():
    """They are added by their folders and INSTALLED_APPS alone; only the linter has a line for each."""
    code = re.compile(r"toy_federation|toy_games|toy_listrow|league_listrow|[\"']toy[\"']|[\"']league[\"']")
    product = [
        path for folder in GENERIC[:-1] for path in (ROOT / folder).rglob("*") if path.suffix in SOURCES
    ]
    files = [*product, *(path for path in ROOT.iterdir() if path.is_file())]
    found = [path.relative_to(ROOT).as_posix() for path in files if code.search(path.read_text())]
    assert found == ["pyproject.toml"]


def test_the_search_finds_names_and_numbers_of_registers():
    named = "fmjd_listrow, FmjdSystem, FMJD rating list, Annex 9 art. 3, fmjd-100, player.fmjd_id, FMJD-IDs"
    assert all(map(NAMES.search, named.split(", ")))
    assert not any(map(NAMES.search, ("annexed", "register_number")))
    assert not any(NAMES.search(STAYS.sub("", text)) for text in ("fmjd-id-unknown", "fmjd-100", "knsb-4711"))
    assert all(NAMES.search(STAYS.sub("", text)) for text in ("fmjd.checks", "FMJD-format", "Annex 9"))
    assert all(map(RULINGS.search, ('<a href="#R11">', "(R5)")))
    assert not any(map(RULINGS.search, ("R2D2", "Rp", "FOR11")))
