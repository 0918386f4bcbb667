"""Words in headings stay whole on a phone; with texts 40 % longer nothing scrolls sideways at any width."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import OPEN_DETAILS, check_page
from tests.pseudo_language import pseudo_language

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database_role("web")]

PAGES = (
    "/", "/lists/fmjd-100/2026-10-01/r1/", "/players/13368/", "/tournaments/2026-european-championship/",
    "/federations/NED/", "/method/fmjd/", "/check/", "/requests/new/?about=rating:fmjd-100:2026-10-01:1:13368",
)  # fmt: skip
# The words in headings of columns and rows that stand on more than one line.
BROKEN_WORDS = r"""() => [...document.querySelectorAll('main th')].flatMap(heading => {
    const found = [], texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT), range = document.createRange();
    for (let text; (text = texts.nextNode()); ) {
        if (text.parentElement.closest('.visually-hidden, code')) continue;
        for (const word of text.data.matchAll(/\p{L}+\.?/gu)) {
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            const lines = [...range.getClientRects()].filter(line => line.width).map(line => line.top);
            if (new Set(lines).size > 1) found.push(word[0]);
        }
    }
    return found;
})"""


def test_headings_of_tables_break_only_between_words(season_read: None, window: Callable[..., Any]) -> None:
    page = window(viewport={"width": 390, "height": 900})
    for address in PAGES:
        page.goto(address)
        page.evaluate(OPEN_DETAILS)
        assert page.evaluate(BROKEN_WORDS) == [], address


def test_no_page_scrolls_sideways_in_a_longer_language(season_read: None, window: Callable[..., Any]) -> None:
    with pseudo_language() as prefix:
        page = window()
        for address in PAGES:
            page.goto(prefix + address)
            check_page(page, opened=True, axe=False)
