"""What the tests in a real browser share: a reader's window, and every question asked of a page in one visit.

Into the browser goes what needs one: script, focus, layout. What a reader without script does is tested over HTTP.
"""

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.urls import Resolver404, resolve
from playwright.sync_api import expect

from reporting.models import User
from tests.browser.asked_pages import ASKED, PAGES
from tests.people import client_of

expect.set_options(timeout=20_000)

AXE = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
    "preload": False,
}
AXE_SCRIPT = f"{Axe().axe_script}; true"
# The width, and what axe is asked there. A width decides what is shown, so all rules are asked on a desktop and on the
# smallest phone; where that shows the same elements, only those that read colours and sizes. Between those two, on a
# phone in light colours, boxes are wider than on the smallest one and no more is shown: what only phones show is read
# in light colours too, where a page has such texts.
ONLY_COLORS = {**AXE, "runOnly": ["color-contrast", "link-in-text-block"]}
COLORS_AND_SIZES = [*ONLY_COLORS["runOnly"], "target-size", "scrollable-region-focusable"]
WIDTHS: tuple[tuple[int, str, dict[str, Any] | None], ...] = (
    (1280, "light", AXE),
    (768, "light", None),
    (390, "light", ONLY_COLORS),
    (320, "dark", AXE),
)
OPEN_DETAILS = "document.querySelectorAll('details').forEach(each => each.open = true)"
# Contrast takes four fifths of axe's time, and is the same for elements of one kind in one place that look alike: the
# cells of a table, the masthead of all pages. A look is the place (tags and classes up to the body), every ground under
# the text, its colour and its letters, as a number. Of each look that was not asked before, at whichever width and on
# whichever page of this process, the first and the last element are asked.
ASKED_LOOKS: set[int] = set()
ASK_AXE = """async ([options, asked, onlyNewLooks, shownBefore, colorsAndSizes]) => {
    const number = text => {  // cyrb53: 53 bits of a text
        let high = 0xdeadbeef, low = 0x41c6ce57;
        for (let place = 0; place < text.length; place++) {
            const letter = text.charCodeAt(place);
            high = Math.imul(high ^ letter, 2654435761);
            low = Math.imul(low ^ letter, 1597334677);
        }
        high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
        low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
        return 4294967296 * (2097151 & low) + (high >>> 0);
    };
    const night = matchMedia('(prefers-color-scheme: dark)').matches, grounds = new Map(), looks = new Map();
    const known = new Set(asked), everything = [...document.body.querySelectorAll('*')];
    const visible = everything.map(each => each.checkVisibility({visibilityProperty: true}));
    const shown = number(visible.map(Number).join(''));
    for (const [place, each] of everything.entries()) {
        const style = getComputedStyle(each);
        grounds.set(each, number([grounds.get(each.parentElement), each.localName, each.getAttribute('class'),
            each.disabled, style.backgroundColor, style.backgroundImage, style.opacity, style.filter,
            style.position].join()));
        each.removeAttribute('data-ask-contrast');
        const hasText = each.matches('input, select, textarea')
            || [...each.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
        if (!hasText || !visible[place]) continue;
        const look = number(
            [night, grounds.get(each), style.color, style.fontSize, style.fontWeight, style.textShadow].join());
        if (!known.has(look)) looks.set(look, [...(looks.get(look) ?? []).slice(0, 1), each]);
    }
    for (const elements of looks.values()) elements.forEach(each => each.setAttribute('data-ask-contrast', ''));
    if (looks.size === 0 && onlyNewLooks) return {violations: [], url: location.href, looks: [], shown};
    axe.configure({rules: [{id: 'color-contrast', selector: '[data-ask-contrast]'}]});
    if (shown === shownBefore && !onlyNewLooks) options = {...options, runOnly: colorsAndSizes};
    const {violations, url} = await axe.run(options);
    return {violations, url, looks: [...looks.keys()], shown};
}"""
# How wide it is with this machine's font, and with every letter a twentieth of its height further on, as with a wider
# one.
SCROLL_WIDTH = """() => {
    const root = document.documentElement, sheet = new CSSStyleSheet(), wide = [root.scrollWidth];
    sheet.replaceSync('* { letter-spacing: 0.05em !important }');
    document.adoptedStyleSheets = [sheet];
    wide.push(root.scrollWidth);
    document.adoptedStyleSheets = [];
    return wide;
}"""


def check_page(page: Any, what: str = "", *, opened: bool = False, axe: bool = True) -> None:
    """All questions in one visit: in each look axe finds no barrier, at no width anything scrolls sideways.

    The page is not loaded again: window and colours change under it, once for each width, and are put back. `opened`:
    with every detail unfolded. Without `axe`, itself a script: the widths alone. The console is asked at the end of a
    test, by `page.console_errors`.

    A click ends when the browser has turned to the next page, before anything of that page need be there.
    """

    page.wait_for_load_state()
    window = page.viewport_size
    if opened:
        page.evaluate(OPEN_DETAILS)
    if axe:
        page.evaluate(AXE_SCRIPT)
    shown_in, shown = "", None
    for width, scheme, options in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        if axe and scheme != shown_in:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # colours change at once
            shown_in = scheme
        fits, fits_wider = page.evaluate(SCROLL_WIDTH)
        assert fits <= width, (page.url, what, width, fits)
        assert fits_wider <= width, (page.url, what, width, fits_wider, "wider font")
        if axe and options:
            asked = page.evaluate(
                ASK_AXE, [options, list(ASKED_LOOKS), options is ONLY_COLORS, shown, COLORS_AND_SIZES]
            )
            looks, seen = asked.pop("looks"), asked.pop("shown")
            if options is AXE:
                shown = seen
            results = AxeResults(asked)
            assert results.violations_count == 0, (
                f"{page.url} {what}, {width} px, {scheme}: {results.generate_report()}"
            )
            ASKED_LOOKS.update(looks)
    if axe:
        ASKED.add(page_name(page.url))
    page.set_viewport_size(window)
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")


def page_name(address: str) -> str:
    """The name of an address; empty for a page that is not there."""
    try:
        return resolve(urlsplit(address).path).url_name or ""
    except Resolver404:
        return ""


@pytest.fixture(autouse=True, scope="module")
def _every_page_of_the_module(request: pytest.FixtureRequest) -> Iterator[None]:
    """A module that ran as a whole has asked the pages that tests/browser/asked_pages.py says."""
    ASKED.clear()
    yield
    options = request.config.option
    in_part = options.keyword or options.markexpr or any("::" in argument for argument in request.config.args)
    if not in_part and not request.session.testsfailed:
        assert PAGES.get(request.module.__name__.rpartition(".")[2], frozenset()) <= ASKED


def main_text(page: Any) -> str:
    """The text of the page that a click led to."""
    page.wait_for_load_state()
    return page.locator("main").inner_text()


@pytest.fixture
def window(browser: Any, live_server: Any) -> Iterator[Callable[..., Any]]:
    """Open a window, for a person already logged in; `page.console_errors` has what the browser complains of."""
    contexts = []

    def open_window(person: User | None = None, **reader: Any) -> Any:
        context = browser.new_context(
            locale="en-GB", base_url=live_server.url, **{"viewport": {"width": 1280, "height": 900}} | reader
        )
        context.set_default_timeout(30_000)  # a machine may be busy; nothing is judged by time here
        contexts.append(context)
        if person:
            client = client_of(person)
            name = settings.SESSION_COOKIE_NAME
            cookie = {"name": name, "value": client.cookies[name].value, "url": live_server.url}
            context.add_cookies([cookie])
        page = context.new_page()
        page.console_errors = []
        page.add_init_script(
            "document.addEventListener('securitypolicyviolation', each => console.error('CSP ' + each.blockedURI))"
        )
        page.on("pageerror", lambda error: page.console_errors.append(str(error)))
        page.on(
            "console",
            lambda said: (
                said.type in {"error", "warning"} and page.console_errors.append(f"{page.url}: {said.text}")
            ),
        )
        return page

    yield open_window
    for context in contexts:
        context.close()
