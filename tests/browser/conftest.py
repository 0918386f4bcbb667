"""What the tests in a real browser share: a reader's window, and every question asked of a page in one visit.

Into the browser goes what needs one: script, focus, layout. What a reader without script does is tested over HTTP.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.base import AxeResults
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

expect.set_options(timeout=20_000)

AXE = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
    "preload": False,
}
AXE_SCRIPT = Axe().axe_script
# The width, and what axe is asked there: in light colours on a desktop and in dark colours on the smallest phone all
# of its rules, because a width decides what is shown. On a phone in light colours nothing else is shown than on the
# smallest one, so only this is left: room and light colours.
WIDTHS: tuple[tuple[int, str, str], ...] = (
    (1280, "light", "everything"),
    (768, "light", ""),
    (390, "light", "room and colours"),
    (320, "dark", "everything"),
)
# The two rules that measure boxes.
ROOM = {**AXE, "runOnly": ["target-size", "scrollable-region-focusable"]}
# The two rules that read colours: the answer changes with an element's colours, its size of letters or whether it is
# shown. What looks as on the desktop was asked there.
COLOURS = {**AXE, "runOnly": ["color-contrast", "link-in-text-block"]}
OPEN_DETAILS = "document.querySelectorAll('details').forEach(each => each.open = true)"
ASK_AXE = """options => axe.run(options).then(({violations, url}) => ({violations, url}))"""
REMEMBER_LOOKS = """() => {
    window.looks = () => new Map([...document.body.querySelectorAll('*')].map(each => {
        const style = getComputedStyle(each);
        return [each, [each.checkVisibility(), style.color, style.backgroundColor, style.backgroundImage, style.opacity,
                       style.fontSize, style.fontWeight, style.textDecorationLine].join()];
    }));
    window.before = window.looks();
}"""
ASK_AXE_WHERE_LOOKS_CHANGED = """async options => {
    const shown = [...window.looks()].filter(
        ([each, look]) => each.checkVisibility() && look !== window.before.get(each));
    if (!shown.length) return {violations: [], url: location.href};
    const {violations, url} = await axe.run({include: shown.map(([each]) => each)}, options);
    return {violations, url};
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

    def ask(script: str, options: dict[str, Any]) -> None:
        results = AxeResults(page.evaluate(script, options))
        assert results.violations_count == 0, (
            f"{page.url} {what}, {width} px, {scheme}: {results.generate_report()}"
        )

    page.wait_for_load_state()
    window = page.viewport_size
    if opened:
        page.evaluate(OPEN_DETAILS)
    if axe:
        page.evaluate(AXE_SCRIPT)
    for width, scheme, asked in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        if axe:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # colours change at once
        fits, fits_wider = page.evaluate(SCROLL_WIDTH)
        assert fits <= width, (page.url, what, width, fits)
        assert fits_wider <= width, (page.url, what, width, fits_wider, "wider font")
        if axe and asked == "everything":
            ask(ASK_AXE, AXE)
        elif axe and asked:
            ask(ASK_AXE, ROOM)
            ask(ASK_AXE_WHERE_LOOKS_CHANGED, COLOURS)
        if axe and width == WIDTHS[0][0]:
            page.evaluate(REMEMBER_LOOKS)
    page.set_viewport_size(window)
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")


def main_text(page: Any) -> str:
    """The text of the page that a click led to."""
    page.wait_for_load_state()
    return page.locator("main").inner_text()


@pytest.fixture
def window(browser: Any, live_server: Any) -> Iterator[Callable[..., Any]]:
    """Open a window as a reader has it; what the browser complains of is collected in `page.console_errors`."""
    contexts = []

    def open_window(**reader: Any) -> Any:
        context = browser.new_context(
            locale="en-GB", base_url=live_server.url, **{"viewport": {"width": 1280, "height": 900}} | reader
        )
        context.set_default_timeout(30_000)  # a machine may be busy; nothing is judged by time here
        contexts.append(context)
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
