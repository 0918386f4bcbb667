"""Names of tournaments: found by words in any spelling, and recognised as the same tournament in other years."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from reporting.rules.names.name_search import MAX_SEARCH_LENGTH, MAX_WORDS, Grade, NameSearch
from reporting.rules.names.normalize_name import normalize_name

_AS_TYPED = frozenset({Grade.SAME, Grade.BEGINS, Grade.WITHIN})
_SPELT_ALIKE = frozenset({Grade.SPELT_ALIKE, Grade.BEGINS_ALIKE})

_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_ORDINAL = re.compile(r"[0-9]{1,3}(?:st|nd|rd|th|e|er|re|ste|de|a|o)?")
_ROMAN = re.compile(r"(?!(?:i|l|li)$)(?=.)(?:xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
"""Up to 89; a single I, L and the name Li are words."""
_NO_NAME = frozenset({"edition", "editie", "ed"})


def series_name(name: str) -> str:
    """What the names of one tournament have in common from year to year: normalized, without year and ordinal.

    `37th Harbour Open 2026`, `XXXVII Harbour Open` and `Harbour Open, 38th edition` become `harbour open`. Empty where
    nothing else is left.
    """
    return " ".join(
        word
        for word in normalize_name(name).split()
        if not (
            _YEAR.fullmatch(word) or _ORDINAL.fullmatch(word) or _ROMAN.fullmatch(word) or word in _NO_NAME
        )
    )


class TextSearch:
    """An index of texts, for any number of searches by words."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._holders: defaultdict[str, set[int]] = defaultdict(set)
        for place, text in enumerate(texts):
            for word in normalize_name(text).split():
                self._holders[word].add(place)
        self._vocabulary = sorted(self._holders)
        self._words = NameSearch(self._vocabulary)

    def find(self, typed: str) -> tuple[set[int], bool]:
        """The places of the texts that have every typed word, and whether the words are only similar.

        Words match as they are typed, as a beginning or within a word; only where no text has all of them in that way,
        in another spelling, and then with one or two wrong letters. A word with a digit is never similar. An empty
        search finds nothing.
        """
        words = normalize_name(typed).split()[:MAX_WORDS] if len(typed) <= MAX_SEARCH_LENGTH else []
        if not words:
            return set(), False
        graded = {word: self._words.find(word) for word in set(words)}
        for grades in (_AS_TYPED, _AS_TYPED | _SPELT_ALIKE, frozenset(Grade)):
            holders: list[set[int]] = []
            for word, found in graded.items():
                allowed = _AS_TYPED if any(character.isdigit() for character in word) else grades
                of_word: set[int] = set()
                for match in found:
                    if match.grade in allowed:
                        of_word |= self._holders[self._vocabulary[match.place]]
                holders.append(of_word)
            if common := set.intersection(*holders):
                return common, grades is not _AS_TYPED
        return set(), False
