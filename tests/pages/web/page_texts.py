"""What a page says outside the marks of the pseudo-language, and what of it is data: stored, or in a file of rules."""

import re
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings as django_settings
from django.db import models

from ratings.federations.fmjd.rules.parameters import EDITIONS
from reporting.federations.fmjd.articles import ARTICLES
from reporting.rules.register.titles import all_titles
from tests.pages.small_report import small_report
from tests.pseudo_language import CLOSE, OPEN
from titles.federations.fmjd.rules.world_cup.parameters import EDITIONS as WORLD_CUP_EDITIONS

ROOT = Path(__file__).parents[3]
REPORT = small_report("Lakeside Open", ("06/11/2026", "08/11/2026"))
DETAILS = b'discipline = "100"\ntime_control = "120+0"\nannounced = 2026-10-01\nreceived = 2026-11-09\n'

WORD = re.compile(r"[^\W\d_]+")
# What is no word of a language: codes and numbers, addresses, file names, digests, formulas, one letter.
NO_WORD = re.compile(
    r"https?://[\w./?=&%:-]*"
    r"|[a-z]+(?::[\w-]+){4,}|[0-9a-f]{8}…[0-9a-f]{4}|[\w.+-]+@[\w.-]+|(?<!\w)/[\w./?=&%-]*|[\w-]+\.(?:csv|json|txt|toml|trf|xlsx|ods)\b"
    r"|[\w-]*\d[\w-]*|\b[^\W\d_]\b"
)
SYMBOLS = frozenset(
    {
        "SHA", "FIDE", "FMJD", "KNSB", "ID", "CSV", "JSON", "XLSX", "TOML", "TRF", "fmjd", "min", "KB", "MB", "ms",
        "ΔR", "Rating Office",
    }
)  # fmt: skip


def words(text: str) -> tuple[str, ...]:
    return tuple(WORD.findall(NO_WORD.sub(" ", text)))


def stored_texts() -> Iterator[str]:
    """Every text of the database, without choices."""
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            column = model._meta.default_manager.values_list(field.name, flat=True).distinct()
            if isinstance(field, models.JSONField):
                for value in column:
                    yield from strings_in(value)
            elif isinstance(field, models.CharField | models.TextField):
                if not field.choices:
                    for value in filter(None, column.order_by()):
                        yield from (value, *value.splitlines())
                elif field.max_length and field.max_length <= len("CMFF"):
                    yield from (str(value) for value, _ in field.flatchoices)


def texts_of_files() -> Iterator[str]:
    """The countries, the regulations, the lines and fields of the report."""
    yield from re.split(r"[\n,]", (ROOT / "reporting/rules/register/countries.csv").read_text())
    for name in ("ratings/federations/fmjd", "reporting/federations/fmjd", "titles/federations/fmjd"):
        for ruling in tomllib.loads((ROOT / name / "rulings.toml").read_text())["ruling"]:
            yield from (ruling["article"], f"Annex 10 art. {ruling['article']}")
            yield from re.split("[`*]", ruling["text"])
    for line in (REPORT + DETAILS).decode().splitlines():
        yield from (line, *line.split(","), *line.split(" = "))
    yield from (edition.source for edition in (*EDITIONS, *WORLD_CUP_EDITIONS))
    yield from ARTICLES.values()
    for title in all_titles():
        yield from (title, f"{title},")
    yield django_settings.OFFICE_TIME_ZONE


def strings_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from strings_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from strings_in(part)


class Data:
    """The texts that are data, by their words. One word in small letters is a code, which no page shows as it is."""

    def __init__(self) -> None:
        known = {words(text) for text in stored_texts() if text}
        self.known = {found for found in known if found and not (len(found) == 1 and found[0].islower())}
        self.known |= {words(text) for text in (*SYMBOLS, *texts_of_files())} - {()}
        self.longest: dict[str, int] = {}
        for found in self.known:
            self.longest[found[0]] = max(self.longest.get(found[0], 0), len(found))

    def holds(self, text: str) -> bool:
        """Whether the words of a text are those of stored texts, one after another."""
        said = words(text)
        reachable = {0}
        for start in range(len(said)):
            if start in reachable:
                most = min(self.longest.get(said[start], 0), len(said) - start)
                reachable |= {start + n for n in range(1, most + 1) if said[start : start + n] in self.known}
        return len(said) in reachable


NOT_READ = {"script", "style", "code", "pre", "var", "sub", "textarea", "template"}
BLOCKS = {
    "title", "p", "div", "section", "li", "dt", "dd", "td", "th", "caption", "h1", "h2", "h3", "h4", "label", "legend",
    "button", "option", "summary", "form", "nav", "header", "footer", "main", "aside", "text", "desc",
}  # fmt: skip
ATTRIBUTES = ("title", "aria-label", "placeholder", "alt", "aria-description")
ADDRESS_ATTRIBUTES = ("href", "action", "formaction", "hx-get", "hx-post")
MARKS = re.compile(f"([{OPEN}{CLOSE}])")
# A day in figures and a key of the program, outside names of files, addresses and references of figures: people read
# "1 Oct 2026" and words.
RAW = re.compile(r"(?<![\w/.:-])(?:\d{4}-\d{2}-\d{2}(?![\w/.-])|[^\W\d_]+(?:_[^\W\d_]+)+(?![\w/.@]))")


class Texts(HTMLParser):
    """The texts of a page outside the marks of the pseudo-language, and the addresses it links to."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.outside: dict[bool, list[str]] = {True: [], False: []}
        self.raw: set[str] = set()
        self.addresses: list[str] = []
        self.depth = 0
        self.skipped = 0
        self.in_page = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.in_page |= tag in {"main", "title"}
        if tag in BLOCKS:
            self.depth = 0
        if tag in NOT_READ:
            self.skipped += 1
        for name in ATTRIBUTES:
            self.keep(attributes.get(name, ""), 0)
        if tag == "input" and attributes.get("type") in {"submit", "button"}:
            self.keep(attributes.get("value", ""), 0)
        self.addresses += [
            attributes[name] for name in ADDRESS_ATTRIBUTES if name in attributes and self.in_page
        ]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in NOT_READ:
            self.skipped -= 1
        if tag in BLOCKS:
            self.depth = 0
        if tag in {"main", "title"}:
            self.in_page = False

    def handle_data(self, data: str) -> None:
        if not self.skipped:
            self.depth = self.keep(data, self.depth)

    def keep(self, text: str, depth: int) -> int:
        """Note what of a text is outside the marks; returns how deep inside them it ends."""
        self.raw.update(RAW.findall(text))
        outside = []
        for part in MARKS.split(text):
            if part in (OPEN, CLOSE):
                depth = depth + 1 if part == OPEN else max(depth - 1, 0)
                outside.append(" ")
            elif depth == 0:
                outside.append(part)
        left = " ".join("".join(outside).split())
        if left:
            self.outside[self.in_page].append(left.removesuffix("– Rating Office"))
        return depth
