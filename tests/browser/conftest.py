"""What the tests in a real browser share: a reader's window, and every question asked of a page in one visit.

Into the browser goes what needs one: script, focus, layout. What a reader without script does is told over HTTP.
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
# By day on a desk, by night on a phone, by day on the smallest one.
LOOKS = ((1280, "light"), (390, "dark"), (320, "light"))
WIDTHS = (1280, 768, 390, 320)
SIDEWAYS = "document.documentElement.scrollWidth"
OPEN_DETAILS = "document.querySelectorAll('details').forEach(each => each.open = true)"
# Every letter a twentieth of its height further on, as with a wider font than this machine's.
WIDER_FONT = """wider => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { letter-spacing: 0.05em !important }');
    document.adoptedStyleSheets = wider ? [sheet] : [];
}"""


def examine(page: Any, what: str = "", *, opened: bool = False, axe: bool = True) -> None:
    """All questions in one visit: in each look axe finds no barrier, at no width anything scrolls sideways.

    The page is not loaded anew: window and colours change under it, and are put back. `opened`: with every detail
    unfolded. Without `axe`, itself a script: the widths alone. The console is asked at the end of a test, by
    `page.troubles`.

    A click ends when the browser has turned to the next page, before anything of that page need be there.
    """
    page.wait_for_load_state()
    window = page.viewport_size
    if opened:
        page.evaluate(OPEN_DETAILS)
    if axe:
        page.evaluate(AXE_SCRIPT)
    for width, scheme in LOOKS if axe else ():
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # colours change at once
        results = AxeResults(page.evaluate("options => axe.run(options)", AXE))
        assert results.violations_count == 0, (
            f"{page.url} {what}, {width} px, {scheme}: {results.generate_report()}"
        )
    for wider in (False, True):
        page.evaluate(WIDER_FONT, wider)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            wide = page.evaluate(SIDEWAYS)
            assert wide <= width, (page.url, what, width, wide, "wider font" if wider else "")
    page.evaluate(WIDER_FONT, False)
    page.set_viewport_size(window)
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")


def told(page: Any) -> str:
    """What a reader is told by the page a click led to."""
    page.wait_for_load_state()
    return page.locator("main").inner_text()


@pytest.fixture
def window(browser: Any, live_server: Any) -> Iterator[Callable[..., Any]]:
    """Open a window as a reader has it; what the browser complains of is collected in `page.troubles`."""
    contexts = []

    def open_window(**reader: Any) -> Any:
        context = browser.new_context(
            locale="en-GB", base_url=live_server.url, **{"viewport": {"width": 1280, "height": 900}} | reader
        )
        context.set_default_timeout(30_000)  # a machine may be busy; nothing is judged by time here
        contexts.append(context)
        page = context.new_page()
        page.troubles = []
        page.add_init_script(
            "document.addEventListener('securitypolicyviolation', each => console.error('CSP ' + each.blockedURI))"
        )
        page.on("pageerror", lambda error: page.troubles.append(str(error)))
        page.on(
            "console",
            lambda said: (
                said.type in {"error", "warning"} and page.troubles.append(f"{page.url}: {said.text}")
            ),
        )
        return page

    yield open_window
    for context in contexts:
        context.close()
