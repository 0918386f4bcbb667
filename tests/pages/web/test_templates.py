"""How templates are written: no text outside gettext, no ladder of comparisons, lines that fit a screen."""

import re
from pathlib import Path

from django.template import engines

from config.web import gunicorn

TEMPLATES = Path(__file__).parents[3] / "templates"
MAX_LINE = 160
# What is the same in every language: names of files and of two numbers.
NAMES = re.compile(r"FMJD-ID|SHA-256|[\w/-]*\.(?:csv|txt|md)\b")
SHOWN_ATTRIBUTES = ("alt", "aria-label", "content", "placeholder", "title")
NOT_SHOWN = (
    r"\{% comment.*?endcomment %\}", r"\{#.*?#\}", r"\{% blocktranslate\b.*?\{% endblocktranslate %\}", r"\{%.*?%\}",
    r"\{\{.*?\}\}", r"<code.*?</code>",
    r"<meta (?:name|property)=\"(?:viewport|color-scheme|robots|twitter:card|og:type)\"[^>]*>", r"&\w+;",
)  # fmt: skip


def templates() -> dict[str, str]:
    return {path.relative_to(TEMPLATES).as_posix(): path.read_text() for path in TEMPLATES.rglob("*.html")}


def untranslated(source: str) -> list[str]:
    """The texts of a template, and of attributes that are shown, that do not go through gettext."""
    for pattern in NOT_SHOWN:
        source = re.sub(pattern, " ", source, flags=re.DOTALL)
    shown = [
        value for name in SHOWN_ATTRIBUTES for value in re.findall(rf'\s{name}="([^"]*)"', source, re.DOTALL)
    ]
    texts = [*shown, *re.sub(r"<[^>]*>", "\n", source).split("\n")]
    return [text.strip() for text in texts if re.search(r"[^\W\d_]{2}", NAMES.sub("", text))]


def test_every_text_of_a_template_goes_through_gettext() -> None:
    source = '<p title="Home">{% translate "a" %} FMJD-ID <b>Open {{ it }}</b></p>'
    assert untranslated(source) == ["Home", "Open"]
    assert {name: texts for name, source in templates().items() if (texts := untranslated(source))} == {}


def test_lines_of_templates_fit_a_screen() -> None:
    lines = ((name, line) for name, source in templates().items() for line in source.splitlines())
    long = [name for name, line in lines if len(line) > MAX_LINE]
    assert long == []


def test_the_web_compiles_all_templates_before_its_processes_are_forked() -> None:
    (loader,) = engines["django"].engine.template_loaders[0].loaders
    loader.reset()
    gunicorn.when_ready(None)
    compiled = {template.origin.template_name for template in loader.get_template_cache.values()}
    assert {"base.html", "503.html", "ratings/list.html"} <= compiled
