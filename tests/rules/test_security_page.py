"""docs/security.md has every requirement once, and names only tests and places that are there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/security.md").read_text(encoding="utf-8")
TEST = re.compile(r"`([\w/]+\.py)::(test_\w+)`")
ROW = re.compile(
    r"^\| (\d+\.\d+\.\d+) \| ([12]) \| [^|]+ \| (shown|built|in part|not met|n/a) \| ([^|]+) \|$",
    re.MULTILINE,
)
# ASVS 5.0.0: the last requirement of each section whose levels are 1 and 2; those of level 3 follow them.
LAST = {
    "2.1": 3, "2.2": 3, "2.3": 4, "2.4": 1, "5.1": 1, "5.2": 3, "5.3": 2, "5.4": 3, "6.1": 3, "6.2": 12, "6.3": 4,
    "6.4": 4, "6.5": 5, "6.6": 3, "6.8": 4, "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5, "7.5": 2, "7.6": 2, "8.1": 2,
    "8.2": 3, "8.3": 1, "8.4": 1, "14.1": 2, "14.2": 4, "14.3": 3, "15.1": 3, "15.2": 3, "15.3": 7, "16.1": 1,
    "16.2": 5, "16.3": 4, "16.4": 3, "16.5": 3,
}  # fmt: skip


def test_every_requirement_of_the_two_levels_has_one_row() -> None:
    asked = [f"{section}.{number}" for section, last in LAST.items() for number in range(1, last + 1)]
    assert [row[0] for row in ROW.findall(PAGE)] == asked


def test_what_is_shown_names_its_test() -> None:
    for number, _, state, words in ROW.findall(PAGE):
        assert (state != "shown") or TEST.search(words), number


def test_every_test_that_is_named_is_there() -> None:
    named = set(TEST.findall(PAGE))
    assert len(named) > 80
    for path, name in named:
        found = ROOT / "tests" / path
        assert found.is_file(), path
        assert re.search(rf"^def {name}\(", found.read_text(encoding="utf-8"), re.MULTILINE), (
            f"{path}::{name}"
        )
    assert PAGE.count("::test_") == len(TEST.findall(PAGE))
