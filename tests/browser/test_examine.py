"""What `check_page` finds in one visit, in whichever look and width; the twin without a fault passes."""

from typing import Any

import pytest
from django.urls import URLResolver, get_resolver

from tests.addresses import WITHOUT_PAGE
from tests.browser.asked_pages import EXEMPT, PAGES
from tests.browser.conftest import check_page

PAGE = """<!doctype html><html lang="en"><head><title>A page</title><meta name="viewport" content="width=device-width">
<style>:root {{ color-scheme: light dark; background: light-dark(#fff, #000); color: light-dark(#000, #fff) }}
main {{ font-size: 1rem }} .phone {{ display: none }} {css}</style></head>
<body><main>
<h1>Heading</h1><p id="text">Some text.</p><p><span class="phone">On a phone.</span></p>{html}</main></body></html>"""
PHONE = "@media (max-width: 30rem)"
FAULTS = {
    "a name missing": ("", '<button type="button"></button>', "button-name"),
    "a name missing on a phone": (f"{PHONE} {{ b {{ display: none }} }}",
                                  '<button type="button"><b>Go</b></button>', "button-name"),
    "pale by day": ("p { color: light-dark(#bbb, #fff) }", "", "1280 px, light"),
    "pale by night": ("p { color: light-dark(#000, #444) }", "", "320 px, dark"),
    "pale on a phone by day": (PHONE + " { #text { color: light-dark(#bbb, #fff) } }", "", "390 px, light"),
    "shown pale on a phone by day": (PHONE + " { .phone { display: inline; color: light-dark(#bbb, #fff) } }", "",
                                     "390 px, light"),
    "on another ground on a phone by day": (PHONE + " { main { background: light-dark(#555, #000) } }", "",
                                            "390 px, light"),
    "small letters on a phone by day": (
        # 3.5 to 1: enough for large letters alone.
        "#text { font-size: 2rem; color: light-dark(#888, #fff) }" + PHONE + " { #text { font-size: 1rem } }", "",
        "390 px, light"),
    "pale in one row of many": (
        "tr:nth-child(30) { color: light-dark(#bbb, #fff) }",
        "<table><caption>Rows</caption>" + "<tr><td>A name</td></tr>" * 60 + "</table>", "1280 px, light"),
    "on another ground in one row of many": (
        ".marked { background: light-dark(#555, #000) }",
        "<ul>" + 9 * (row := "<li><b>A name</b></li>") + row.replace("<li", "<li class='marked'") + 9 * row + "</ul>",
        "1280 px, light"),
    "pale in a field": ("", '<label>Name <input value="1" style="color: light-dark(#bbb, #fff)"></label>',
                        "1280 px, light"),
    "a link known by its colour": (
        "p a { text-decoration: none; color: light-dark(#00f, #fff) }",
        '<p>A text with <a href="/">a link</a> in it.</p>',
        "link-in-text-block"),
    "too wide": ("p { width: 350px }", "", "320"),
    "too wide in a wider font": ("", '<p style="font: 16px monospace; white-space: nowrap">' + "m" * 31, "wider font"),
    "targets too small on a phone": (
        f"button {{ width: 40px; height: 40px }} {PHONE} {{ button {{ width: 9px; height: 9px; padding: 0 }} }}",
        '<button type="button">a</button><button type="button">b</button>', "320 px, dark"),
}  # fmt: skip


def test_a_fault_of_any_look_and_width_is_found_in_the_one_visit(page: Any, subtests: Any) -> None:
    page.set_content(PAGE.format(css="", html=""))
    check_page(page)
    for name, (css, html, found) in FAULTS.items():
        with subtests.test(name):
            page.set_content(PAGE.format(css=css, html=html))
            with pytest.raises(AssertionError) as failure:
                check_page(page)
            assert found in str(failure.value)


def test_every_page_has_a_row_or_a_reason_for_none() -> None:
    """Files, redirects and acts are no pages; the API has none."""

    def names(resolver: URLResolver) -> set[str]:
        found = set()
        for pattern in resolver.url_patterns:
            found |= names(pattern) if isinstance(pattern, URLResolver) else {str(pattern.name)}
        return found

    pages = {name for name in names(get_resolver()) - set(WITHOUT_PAGE) if not name.startswith("api-")}
    asked = frozenset().union(*PAGES.values())
    assert pages - asked == set(EXEMPT)
    assert asked <= pages
