"""What the tests in a real browser share: a reader's window, and what axe is asked for."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

expect.set_options(timeout=20_000)

AXE = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "resultTypes": ["violations"],
    "preload": False,
}


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
