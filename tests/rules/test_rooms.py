"""`ls` shows subjects: a folder of the program has at most a dozen names (decision 0039)."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
APPS = ("config", "reporting", "ratings", "titles")
MOST = 12

FRAMEWORK = {
    "__init__.py", "apps.py", "urls.py", "tasks.py", "models.py", "models", "admin.py", "management",
    "migrations", "templatetags",
}  # fmt: skip
"""Names that Django and Celery look for themselves: they do not count."""

LISTS = {"migrations", "commands"}
"""Folders that are lists by nature: one file is one entry. They have no limit, nor have the folders in them."""


def has_content(path: Path) -> bool:
    """Whether a path is more than what Python leaves behind of a folder that was moved."""
    if path.name == "__pycache__":
        return False
    return path.is_file() or any(has_content(inner) for inner in path.iterdir())


def names(folder: Path) -> list[str]:
    """What counts in a folder: modules, folders and data files."""
    return sorted(
        path.name
        for path in folder.iterdir()
        if path.name not in FRAMEWORK and not path.name.startswith(".") and has_content(path)
    )


def folders(folder: Path) -> Iterator[Path]:
    yield folder
    for path in folder.iterdir():
        if path.is_dir() and path.name not in LISTS | {"__pycache__"}:
            yield from folders(path)


def test_a_folder_has_at_most_a_dozen_names() -> None:
    walked = [folder for app in APPS for folder in folders(ROOT / app)]
    assert len(walked) > 40
    crowded = {
        folder.relative_to(ROOT).as_posix(): found for folder in walked if len(found := names(folder)) > MOST
    }
    assert crowded == {}
