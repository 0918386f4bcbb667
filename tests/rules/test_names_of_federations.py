"""Generic code names no federation: rules, words and articles are in ratings/federations/<code>."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
GENERIC = (
    "ratings", "templates/ratings", "templates/office", "templates/reporting", "templates/parts", "config/management",
)  # fmt: skip
SOURCES = {".py", ".html", ".sql", ".toml"}

NAMES = re.compile(r"fmjd|\bknsb\b|\biccf\b|\bannex(es)?\b", re.IGNORECASE)

CODES = re.compile(r"""["'](fmjd|knsb|iccf)["']""")
"""The code of a rating system as a value."""

# A template cites no ruling: the system of the list or of the discipline gives its sources.
RULINGS = re.compile(r"\bR[0-9]{1,2}\b")

ALLOWED = {
    # Help texts are in migrations.
    "ratings/migrations/0001_initial.py": 1,
    "ratings/models/lists.py": 1,
    "ratings/models/period.py": 1,
    # The code of a finding, which stays.
    "ratings/production/import_list.py": 1,
    # Examples of what is typed.
    "templates/reporting/log/log.html": 1,
    # What is said about a file in the format that is called after the federation that prescribes it.
    "templates/reporting/results_entry/results_entry_notes.html": 1,
    # The field of a report that has a player's number in the register of the tournament's system.
    "templates/reporting/check_file/check_file_result.html": 1,
    "templates/reporting/people/report_people.html": 2,
    "templates/reporting/people/report_person.html": 3,
}
"""Path → the number of lines with a name."""


def named_lines() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for folder in GENERIC:
        for path in sorted((ROOT / folder).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            own = name.startswith("ratings/federations/") and name.count("/") > 2
            if own or path.suffix not in SOURCES:
                continue
            lines = [
                line.strip()
                for line in path.read_text().splitlines()
                if NAMES.search(line) or (path.suffix == ".html" and RULINGS.search(line))
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


def test_titles_name_a_federation_only_in_its_folder():
    """The rules of titles are in `titles/federations/<code>`; the rest asks `titles/federations/registry.py`."""
    assert {
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "titles").rglob("*.py"))
        if ROOT / "titles/federations" not in path.parents[1:] and CODES.search(path.read_text())
    } == set()


def test_the_search_finds_names_and_numbers_of_registers():
    assert all(
        map(
            NAMES.search,
            (
                "fmjd_listrow",
                "FmjdSystem",
                "FMJD rating list",
                "Annex 9 art. 3",
                "fmjd-100",
                "player.fmjd_id",
                "FMJD-IDs",
            ),
        )
    )
    assert not any(map(NAMES.search, ("annexed", "register_number")))
    assert all(map(RULINGS.search, ('<a href="#R11">', "(R5)")))
    assert not any(map(RULINGS.search, ("R2D2", "Rp", "FOR11")))
