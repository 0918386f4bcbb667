"""What the tests in a real browser share: a reader's window, and what axe is asked for."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

expect.set_options(timeout=20_000)

AXE = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
    "preload": False,
}


def examine(page: Any, what: str = "", *, script: bool = True) -> None:
    """Nothing scrolls sideways and axe, itself a script, finds no barrier.

    A click ends when the browser has turned to the next page, before anything of that page need be there.
    """
    page.wait_for_load_state()
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= page.viewport_size["width"], (page.url, what, wide)
    if script:
        results = Axe().run(page, options=AXE)
        assert results.violations_count == 0, f"{page.url} {what}: {results.generate_report()}"


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
