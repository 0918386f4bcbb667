"""Public pages in a real browser: with script, by keyboard, on a phone, in the dark, on paper."""

import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from ratings.federations.fmjd.models import FmjdListRow
from ratings.models import RatingList
from ratings.published.selectors.players import find_player
from reporting.web.http_cache import PAGES
from reporting.web.values import day

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season_read"),
]

LIST = "/lists/fmjd-100/2026-10-01/r1/"
# Every kind of element that the page of the European championship has, in a page a fifth as long.
SMALL_TOURNAMENT = "/tournaments/2026-championship-of-italy/"


def numbers(page: Any) -> list[int]:
    """The FMJD-IDs of the rows shown."""
    links = page.locator("#results tbody th a").evaluate_all(
        "links => links.map(each => each.getAttribute('href'))"
    )
    return [int(link.split("/")[2]) for link in links]


def rows(page: Any) -> Any:
    return page.locator("#results tbody tr")


def expected(**filters: Any) -> list[int]:
    newest = RatingList.objects.get(in_force="2026-10-01")
    found = FmjdListRow.objects.filter(list_id=newest.pk, official_position__isnull=False, **filters)
    return list(found.order_by("position").values_list("register_number", flat=True)[:100])


def test_filtering_with_script(window: Callable[..., Any]) -> None:
    page = window()
    page.goto(LIST)
    loads: list[str] = []
    page.on("load", lambda loaded: loads.append(loaded.url))
    page.get_by_label("Federation").select_option("NED")
    page.wait_for_url("**/r1/?federation=NED")
    expect(rows(page)).to_have_count(66)
    assert numbers(page) == expected(federation="NED")
    page.get_by_label("Name or FMJD-ID").press_sequentially("van ")
    page.wait_for_url("**/r1/?q=van&federation=NED")
    expect(rows(page)).to_have_count(len(expected(federation="NED", sort_name__contains="van")))
    assert numbers(page) == expected(federation="NED", sort_name__contains="van")
    assert page.evaluate("document.activeElement.id") == "q"
    assert "by rating" in page.locator("#result-status").inner_text()
    page.get_by_role("link", name="Remove filter: Netherlands").click()
    page.wait_for_url("**/r1/?q=van")
    expect(page.get_by_label("Federation")).to_have_value("")
    assert numbers(page) == expected(sort_name__contains="van")
    assert not loads, "htmx takes the answer into the page"
    page.go_back()
    page.wait_for_url("**/r1/?q=van&federation=NED")
    expect(page.get_by_label("Federation")).to_have_value("NED")
    assert numbers(page) == expected(federation="NED", sort_name__contains="van")
    assert page.console_errors == []


def test_sorting_and_paging_with_script(window: Callable[..., Any]) -> None:
    page = window()
    page.goto(LIST)
    page.get_by_role("link", name="Change", exact=True).click()
    page.wait_for_url("**/?sort=-change")
    heading = page.locator("th[aria-sort]")
    expect(heading.locator(".desk-only")).to_have_text("Change")
    assert heading.get_attribute("aria-sort") == "descending"
    assert page.evaluate("document.activeElement.id") == "sort-change"
    page.get_by_role("link", name="Change", exact=True).click()
    page.wait_for_url("**/?sort=change")
    page.get_by_role("link", name="Page 2, rows 101 to 200").click()
    page.wait_for_url("**/?sort=change&page=2")
    expect(page.locator(".pager [aria-current]")).to_have_text("2")
    expect(page.locator("#filter-rows")).to_have_text("Rows 101 to 200 of 567")
    # A filter keeps the order and starts at page 1.
    page.get_by_text("More filters").click()
    page.get_by_label("Players", exact=True).select_option("women")
    page.wait_for_url("**/?players=women&sort=change")
    assert page.console_errors == []


def test_everything_by_keyboard(window: Callable[..., Any]) -> None:
    page = window()
    page.goto(LIST)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to content"
    page.keyboard.press("Enter")
    page.wait_for_url("**#main")
    page.get_by_label("Name or FMJD-ID").focus()
    page.keyboard.type("brasilino")
    page.keyboard.press("Enter")
    page.wait_for_url("**/?q=brasilino")
    expect(rows(page)).to_have_count(len(expected(sort_name__contains="brasilino")))
    seen = []
    for _ in range(40):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.textContent.trim()"))
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none", seen[-1]
        if seen[-1].startswith("Brasilino"):
            break
    assert seen[-1].startswith("Brasilino")
    page.keyboard.press("Enter")
    page.wait_for_url("**/players/**")
    summary = page.locator("details.plot__caption summary, .plot__caption summary")
    table = page.locator(".plot__table").first
    assert table.is_visible()
    summary.focus()
    page.keyboard.press("Enter")
    assert not table.is_visible()


def test_ratings_are_read_with_the_pointer_and_dragging_zooms(window: Callable[..., Any]) -> None:
    """uPlot draws what the server has drawn, and asks it for the part that the pointer chose."""
    page = window()
    page.goto("/players/10633/")
    history = find_player("10633").pools["fmjd-100"].entries
    ratings = {day(each.in_force): str(each.rating) for each in history}
    days = list(ratings)
    assert len(days) == 4
    day_read, rating_read = (page.locator(".u-value").nth(place) for place in range(2))
    expect(day_read).to_have_text(days[3])
    expect(rating_read).to_have_text(ratings[days[3]])
    expect(page.locator(".plot__svg:visible")).to_have_count(0)

    over = page.locator(".u-over")
    over.hover(position={"x": 1, "y": 100})
    expect(day_read).to_have_text(days[0])
    expect(rating_read).to_have_text(ratings[days[0]])
    # From before the second list to after the third: dragging asks the server, as the form does.
    over.scroll_into_view_if_needed()
    box = over.bounding_box()
    for share, button in ((0.2, page.mouse.down), (0.8, page.mouse.up)):
        page.mouse.move(box["x"] + box["width"] * share, box["y"] + 100, steps=5)
        button()
    page.wait_for_url("**/players/10633/?from=2026-04-01&to=2026-07-01*")
    expect(page.get_by_label("From the list of")).to_have_value("2026-04-01")
    expect(day_read).to_have_text(days[2])
    assert page.locator(".plot__table").first.locator("tbody tr").count() == 2

    page.locator(".u-over").dblclick(position={"x": 200, "y": 100})
    expect(page.get_by_label("From the list of")).to_have_value("")
    expect(day_read).to_have_text(days[3])
    assert page.console_errors == []


def test_the_lines_of_two_players_have_the_colours_of_the_page(window: Callable[..., Any]) -> None:
    """In light and dark colours; paper and screen readers have the drawing of the server and its words."""
    page = window()
    page.goto("/players/compare/?first=13368&second=10633")
    expect(page.locator(".u-series")).to_have_count(3)  # the list and two lines
    ink = page.locator(".u-marker").nth(1).evaluate("each => each.style.background")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(
        "ink => document.querySelectorAll('.u-marker')[1].style.background !== ink", arg=ink
    )
    assert page.locator("canvas").get_attribute("aria-label").startswith("Ratings of ")
    page.emulate_media(media="print")
    expect(page.locator(".plot__svg--desktop")).to_be_visible()
    expect(page.locator(".uplot")).to_be_hidden()
    assert page.console_errors == []


def test_a_list_on_a_phone_begins_with_its_rows(window: Callable[..., Any]) -> None:
    page = window(viewport={"width": 390, "height": 844})
    page.goto(LIST)
    assert rows(page).first.bounding_box()["y"] <= 300
    desktop = window(viewport={"width": 1280, "height": 900})
    desktop.goto(LIST)
    assert rows(desktop).first.bounding_box()["y"] <= 310
    assert (
        desktop.locator(".tabs__link").evaluate_all(
            "links => new Set(links.map(link => link.getBoundingClientRect().top)).size"
        )
        == 1
    )
    federation, switch = page.get_by_label("Federation"), page.get_by_role("checkbox", name="Filters")
    assert not federation.is_visible()
    assert page.locator("#identity").get_by_text("Closing date").is_visible()
    assert page.get_by_label("Name or FMJD-ID").is_visible()
    switch.press("Space")
    federation.select_option("NED")
    page.wait_for_url("**/r1/?federation=NED")
    expect(page.locator("label[for=more-filters] .phone-only")).to_have_text("Filters (1)")
    assert page.console_errors == []


def test_the_menu_of_a_row_is_not_cut_and_escape_closes_it(window: Callable[..., Any]) -> None:
    page = window(viewport={"width": 390, "height": 844})
    offered = {"#ratings": "How the change is calculated", "#crosstable": "Player’s page"}
    for heading, first_link in offered.items():
        page.goto(f"{SMALL_TOURNAMENT}{'changes' if heading == '#ratings' else 'crosstable'}/")
        row = page.locator(f"section:has({heading}) tbody tr").last
        button = row.locator("summary")
        assert re.fullmatch("Menu: [^ ]+, [^ ]+", button.inner_text())
        button.click()
        links = row.locator(".row-menu__links a")
        assert links.all_inner_texts() == [first_link, "Report an error"]
        # Nothing lies over a link and nothing cuts it: a click in its corners would reach it.
        assert links.evaluate_all("""links => links.every(link => {
            const box = link.getBoundingClientRect();
            return [[box.left + 1, box.top + 1], [box.right - 1, box.bottom - 1]].every(
                ([x, y]) => x > 0 && link.contains(document.elementFromPoint(x, y)));
        })""")
        page.keyboard.press("Tab")
        page.keyboard.press("Escape")
        expect(page.locator(".row-menu[open]")).to_have_count(0)
        expect(button).to_be_focused()
    assert page.console_errors == []


def test_a_list_on_paper(window: Callable[..., Any]) -> None:
    page = window(color_scheme="dark", viewport={"width": 700, "height": 900})
    page.goto(LIST)
    page.emulate_media(media="print")
    for gone in (".masthead__nav", ".filter-row", ".pager", ".tabs", ".about__files"):
        assert not page.locator(gone).first.is_visible(), gone
    assert page.locator("#results tbody .table__wide").first.is_visible()
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(20, 26, 36)"
    assert page.locator("#identity").is_visible()
    page.goto(f"{LIST}print/official/")
    foot = page.locator("tfoot")
    expect(foot).to_contain_text(page.url)
    assert foot.evaluate("foot => getComputedStyle(foot).display") == "table-footer-group"
    assert page.locator("thead").evaluate("head => getComputedStyle(head).display") == "table-header-group"
    assert page.locator("tbody .table__wide").first.is_visible()
    for gone in ("Back to the list", "Archive of lists"):
        assert not page.get_by_role("link", name=gone).is_visible(), gone
    # As wide as an A4 sheet on its long side, without margins: nothing of a crosstable is cut or scrolls.
    page.set_viewport_size({"width": 1031, "height": 703})
    page.goto("/tournaments/2026-european-championship/crosstable/")
    sheet = page.locator(".crosstable-sheet")
    assert sheet.evaluate("sheet => [getComputedStyle(sheet).page, sheet.scrollWidth]") == [
        "crosstable",
        1031,
    ]
    # No sheet of another kind for the head or the foot.
    assert page.evaluate("getComputedStyle(document.body).page") == "crosstable"
    assert not page.locator(".scroller__more").is_visible()
    assert page.locator(".crosstable th").last.is_visible()
    expect(sheet.locator(".on-paper")).to_have_text(page.url)


def test_colours_are_chosen_at_the_foot_and_kept_without_a_cookie(window: Callable[..., Any]) -> None:
    day, night = "rgb(255, 255, 255)", "rgb(16, 19, 24)"  # --page in static/css/tokens.css
    ground = "getComputedStyle(document.body).backgroundColor"
    page = window(color_scheme="light")
    page.goto("/privacy/")
    choices = page.get_by_role("group", name="Colours")
    expect(choices.get_by_role("radio", name="Automatic")).to_be_checked()
    assert page.evaluate(ground) == day
    choices.get_by_role("radio", name="Automatic").focus()
    page.keyboard.press("ArrowLeft")  # round to the last
    assert page.evaluate(ground) == night
    page.goto("/accessibility/")
    expect(choices.get_by_role("radio", name="Dark")).to_be_checked()
    assert page.evaluate(ground) == night
    choices.get_by_role("radio", name="Automatic").check()
    assert page.evaluate(ground) == day
    assert page.context.cookies() == []
    assert page.console_errors == []
    without_script = window(java_script_enabled=False, color_scheme="dark")
    without_script.goto("/privacy/")
    expect(without_script.locator("#theme")).to_be_hidden()
    assert without_script.evaluate(ground) == night


def test_moments_are_in_the_reader_s_zone_and_days_are_the_office_s(window: Callable[..., Any]) -> None:
    """The office of the tests is in UTC; Kathmandu is 5 hours and 45 minutes ahead."""
    page, same = window(timezone_id="Asia/Kathmandu"), window(timezone_id="UTC")
    for reader in (page, same):
        reader.goto(LIST)
    moments = page.locator("#identity time[datetime*=T]")
    as_sent = same.locator("#identity time[datetime*=T]")
    assert as_sent.first.inner_text().endswith(" UTC")
    assert moments.first.get_attribute("title") == as_sent.first.inner_text()
    assert moments.first.inner_text().endswith(" GMT+5:45")
    sent = datetime.fromisoformat(as_sent.first.get_attribute("datetime"))
    assert f"{sent + timedelta(hours=5, minutes=45):%H:%M}" in moments.first.inner_text()
    days = "#identity time:not([datetime*=T])"
    assert page.locator(days).all_inner_texts() == same.locator(days).all_inner_texts() != []
    assert page.console_errors == same.console_errors == []


def test_the_security_policy_lets_data_for_search_engines_be(
    window: Callable[..., Any], settings: Any
) -> None:
    settings.OFFICE_URL = "https://ratings.example.org"
    PAGES.clear()  # those made without it
    page = window()
    for path, kind in (("/players/10633/", "Person"), (LIST, "Dataset")):
        page.goto(path)
        data = json.loads(page.locator('script[type="application/ld+json"]').text_content())
        assert data["@type"] == kind
    assert page.console_errors == []
    PAGES.clear()


def test_what_is_typed_comes_back_as_text(window: Callable[..., Any]) -> None:
    pages = {path: window() for path in (LIST, "/players/", "/tournaments/")}
    for page in pages.values():
        page.on("dialog", lambda dialog, page=page: page.console_errors.append(dialog.message))
    name = '<script>alert(1)</script>"><img src=x onerror=alert(1)>{{ 7 }}{% now %}'
    for path, page in pages.items():
        page.goto(path)
        page.get_by_role("searchbox").fill(name)
        page.get_by_role("searchbox").press("Enter")
        page.wait_for_url("**q=**")
    page.wait_for_timeout(600)  # what was typed is asked for once more when typing has stopped
    for page in pages.values():
        page.goto(page.url)
        assert page.get_by_role("searchbox").input_value() == name
    assert [page.console_errors for page in pages.values()] == [[], [], []]
