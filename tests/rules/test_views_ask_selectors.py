"""Views read rows through selectors: a page names no manager of a model (docs/architecture.md)."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def managers(source: str) -> Iterator[str]:
    """The managers of models that a module names."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr in {"objects", "_default_manager"}:
            yield ast.unparse(node)


@pytest.mark.parametrize(("app", "modules"), [("reporting", 40), ("ratings", 40), ("titles", 5)])
def test_views_ask_selectors(app: str, modules: int) -> None:
    paths = (ROOT / app).rglob("*.py")
    views = [path for path in paths if "views" in {path.stem, *path.relative_to(ROOT).parts}]
    assert len(views) > modules
    found = {f"{path.relative_to(ROOT)}: {name}" for path in views for name in managers(path.read_text())}
    assert found == set()


def test_a_look_up_in_a_view_is_found() -> None:
    assert list(managers("Report.objects.filter(pk=1)")) == ["Report.objects"]
