"""The engines are Python and numpy: they can be imported where there is no Django."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCKED = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in sys.argv[2].split(","):
            raise ImportError(f"{name} is blocked")

sys.meta_path.insert(0, Blocked())
__import__(sys.argv[1])
"""
SOURCES = sorted(
    path
    for pattern in ("ratings/rules", "reporting/rules", "reporting/formats", "titles/rules")
    for path in (ROOT / pattern).rglob("*.py")
)


def import_without(module, *blocked):
    return subprocess.run(
        [sys.executable, "-c", BLOCKED, module, ",".join(blocked)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def name_of(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def test_the_block_blocks():
    assert "django is blocked" in import_without("django", "django").stderr


@pytest.mark.parametrize("module", [name_of(path) for path in SOURCES])
def test_an_engine_is_imported_without_django(module):
    found = import_without(module, "django")
    assert found.returncode == 0, found.stderr


@pytest.mark.parametrize(
    "module", [name_of(path) for path in SOURCES if "fmjd" in path.parts and "ratings" in path.parts]
)
def test_the_engine_of_annex_9_needs_nothing_of_reporting(module):
    found = import_without(module, "django", "reporting", "titles", "config")
    assert found.returncode == 0, found.stderr
