"""The pages of docs/ are numbered, indexed and linked rightly."""

import ast
import re
from html import unescape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECORDS = sorted((ROOT / "docs/decisions").glob("[0-9]*.md"))
APPS = [ROOT / "reporting", ROOT / "ratings", ROOT / "titles"]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]


def title(record: Path) -> str:
    return record.read_text().partition("\n")[0].removeprefix("# ")


def test_decision_records_have_the_numbers_of_their_files_each_once() -> None:
    """A number of a record that became a how-to or a reference page is not given again."""
    numbers = [record.name[:4] for record in RECORDS]
    assert [title(record)[:4] for record in RECORDS] == numbers
    assert len(set(numbers)) == len(numbers)


def test_the_index_of_decisions_has_each_record_under_its_title() -> None:
    index = (ROOT / "docs/decisions/README.md").read_text()
    assert re.findall(r"- \[(\d{4} .+)\]\((\S+)\)", index) == [(title(path), path.name) for path in RECORDS]


def test_every_page_and_picture_that_is_linked_exists() -> None:
    missing = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in PAGES
        for target in re.findall(r"\]\(([\w./-]+)(?:#[\w-]+)?\)", page.read_text())
        if not (page.parent / target).exists()
    ]
    assert missing == []


def shown_text(text: str) -> str:
    """A text as pages show it, with … for each value."""
    values = re.sub(r"\{\{.*?\}\}|%\(\w+\)s|\{[\w:]+\}", "…", re.sub(r"<[^>]+>", "", unescape(text)))
    return " ".join(values.split()).strip(" .…")


def texts_of_pages() -> set[str]:
    """The texts of templates and of Python literals."""
    texts: set[str] = set()
    for template in (ROOT / "templates").rglob("*.html"):
        source = template.read_text()
        texts.update(re.findall(r"""(?:translate |_\()["'](.+?)["'](?: as \w+ )?""", source))
        for block in re.findall(
            r"\{% blocktranslate[^%]*%\}(.*?)\{% endblocktranslate %\}", source, re.DOTALL
        ):
            texts.update(re.split(r"\{% plural %\}", block))
    for module in (path for app in APPS for path in app.rglob("*.py")):
        texts.update(
            node.value
            for node in ast.walk(ast.parse(module.read_text()))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        )
    return {shown_text(text) for text in texts}


def test_every_button_and_page_that_a_how_to_names_in_italics_is_called_so() -> None:
    known = texts_of_pages()
    named = {
        (page.name, shown_text(part))
        for page in (ROOT / "docs/how-to").glob("*.md")
        for name in re.findall(
            r"(?<![*\w])\*([^*]+?)\*(?![*\w])", re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
        )
        for part in name.split(" › ")
    }
    assert len(named) > 50
    assert {(page, name) for page, name in named if name not in known} == set()


def test_every_module_that_is_named_exists() -> None:
    """Paths in backticks from the root, in the pages that explain the code; the changelog names what was there."""
    named = {
        (page.name, path)
        for page in PAGES
        if page.name != "changelog.md"
        for path in re.findall(
            r"`((?:reporting|ratings|titles|config|static|templates|tests)/[\w./-]+\.\w+)`", page.read_text()
        )
    }
    assert len(named) > 50
    assert {(page, path) for page, path in named if not (ROOT / path).exists()} == set()
