"""Views read rows through selectors: a page names no manager of a model (docs/architecture.md)."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]


def managers(source: str) -> Iterator[str]:
    """The managers of models that a module names."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr in {"objects", "_default_manager"}:
            yield ast.unparse(node)


def test_views_of_reports_ask_selectors() -> None:
    app = ROOT / "reporting"
    views = [path for path in app.rglob("*.py") if "views" in {path.stem, *path.relative_to(app).parts}]
    assert len(views) > 40
    found = {f"{path.relative_to(ROOT)}: {name}" for path in views for name in managers(path.read_text())}
    assert found == set()


def test_a_look_up_in_a_view_is_found() -> None:
    assert list(managers("Report.objects.filter(pk=1)")) == ["Report.objects"]
