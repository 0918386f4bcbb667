"""The sentences of requirements: what an article asks, what was found and what is missing, by the codes of the rules.

Each federation registers those of its own. The templates go through gettext when they are filled
(`reporting.rules.sentences`).
"""

from collections.abc import Mapping
from typing import TypeVar

from reporting.rules.sentences import Template, Value, sentence
from titles.federations.facet import TitleTexts
from titles.rules.requirement import MISSING, Requirement, Statement

Key = TypeVar("Key")
Text = TypeVar("Text")

_asks: dict[str, Template] = {}
_found: dict[str, Template] = {}
_lacks: dict[str, Template] = {}
_counts: dict[str, Template] = {}
_words: dict[str, dict[Value, str]] = {}


def register_texts(texts: TitleTexts) -> None:
    """Add the texts of a federation. Raises ValueError for a code or value that has another text."""
    _add(_asks, texts.asks)
    _add(_found, texts.found)
    _add(_lacks, texts.lacks)
    _add(_counts, texts.counts)
    for name, words in texts.words.items():
        _add(_words.setdefault(name, {}), words)


def _add(known: dict[Key, Text], texts: Mapping[Key, Text]) -> None:
    for code, text in texts.items():
        if known.setdefault(code, text) != text:
            raise ValueError(f"{code!r} has another text")


def asks_text(requirement: Requirement) -> str:
    """What the article asks, in the language in use."""
    return sentence(_asks[requirement.asks.code], _shown(requirement.asks))


def found_text(requirement: Requirement) -> str:
    """What was found, in the language in use; where a detail is missing, which one."""
    found = requirement.found
    code = found.code
    if code == MISSING and f"{MISSING}.{found.values['detail']}" in _found:
        code = f"{MISSING}.{found.values['detail']}"
    return sentence(_found[code], {"met": _words["met"][requirement.met], **_shown(found)})


def lacks_text(requirement: Requirement) -> str:
    """What is missing of a requirement of a ledger that is not met, in the language in use: `1 red norm`."""
    asked, found = requirement.asks.values, requirement.found.values
    if requirement.asks.code in _counts:
        rest = {name: int(value) - int(found[name]) for name, value in asked.items()}
        return sentence(_counts[requirement.asks.code], rest)
    return sentence(_lacks[requirement.asks.code], asked)


def colour_text(code: str, colour: str, **values: Value) -> str:
    """A word of `TitleTexts` for a colour of norms, in the language in use; empty for none."""
    return sentence(_words.get(code, {}).get(colour, ""), values)


def _shown(statement: Statement) -> dict[str, Value]:
    return {
        name: _words[name].get(value, value) if name in _words else value
        for name, value in statement.values.items()
    }
