"""The engines are Python and numpy: they can be imported where there is no Django."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Imports each module as if it were the first of its process; writes what went wrong with which.
ONE_BY_ONE = """
import json, sys, traceback

ours, blocked, modules = (each.split(",") for each in sys.argv[1:])

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in blocked:
            raise ImportError(f"{name} is blocked")

sys.meta_path.insert(0, Blocked())
broken = {}
for module in modules:
    for name in [name for name in sys.modules if name.split(".")[0] in ours]:
        del sys.modules[name]
    try:
        __import__(module)
    except BaseException:
        broken[module] = traceback.format_exc()
print(json.dumps(broken))
"""
OURS = ("config", "ratings", "reporting", "titles")
SOURCES = sorted(
    path
    for app in ("ratings", "reporting", "titles")
    for pattern in ("rules", "formats", "federations/*/rules", "federations/*/recompute.py")
    for found in (ROOT / app).glob(pattern)
    for path in ([found] if found.is_file() else found.rglob("*.py"))
)


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def broken_without(*blocked: str, modules: list[str]) -> dict[str, str]:
    """Which of the modules cannot be imported, each with its error; Django itself shows that the block blocks."""
    arguments = [",".join(modules_of) for modules_of in (OURS, blocked, [*modules, "django"])]
    process = subprocess.run(
        [sys.executable, "-c", ONE_BY_ONE, *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )
    broken = json.loads(process.stdout)
    assert "django is blocked" in broken.pop("django")
    return broken


def test_each_engine_is_imported_without_django() -> None:
    assert len(SOURCES) > 30
    broken = broken_without("django", modules=[name_of(path) for path in SOURCES])
    assert not broken, "\n".join(broken.values())


def test_the_engine_of_annex_9_needs_nothing_of_reporting() -> None:
    """All but the explanation, which makes sentences of stored figures as findings do, the calculator, which gives it
    figures, and titles for a registry."""
    engine = (path for path in SOURCES if "fmjd" in path.parts and "ratings" in path.parts)
    modules = [
        name_of(path) for path in engine if path.stem not in ("calculator", "explain", "edition", "titles")
    ]
    assert len(modules) > 5
    broken = broken_without("django", "reporting", "titles", "config", modules=modules)
    assert not broken, "\n".join(broken.values())
