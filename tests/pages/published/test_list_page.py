"""The page of a list shows the rows of a simple calculation in the test: players, order and ranks."""

import itertools
import random
import re
from bisect import bisect_left
from dataclasses import replace
from datetime import date
from html import unescape

import pytest
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.utils.html import conditional_escape

from ratings.federations.fmjd.models import FmjdListRow
from ratings.models import PlayerHistory, RatingList
from ratings.published.views.list_query import heading, read_list_query
from ratings.published.views.lists.cells import printer
from ratings.queries.list_rows import (
    OFFICIAL,
    PAGE_ROWS,
    NoSuchPageError,
    federations_on,
    list_page,
    list_variants,
)
from ratings.rules.declared import Column, Kind, Sort
from reporting.web.sorting import sort_headings
from tests.pages.published.published_pages import TAG, revised, shown_rows
from tests.visitor import name_of, parse, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

FORMS = ("", "full", "women", "juniors", "cadets", "mini-cadets", "hopes", "young-stars", "veterans")
OLDEST = {"juniors": 19, "cadets": 16, "mini-cadets": 13, "hopes": 10, "young-stars": 8}


def address(rating_list: RatingList, form: str = "") -> str:
    base = f"/lists/{rating_list.pool.code}/{rating_list.in_force}/r{rating_list.revision}/"
    return f"{base}{form}/" if form else base


def of_age(row: FmjdListRow, age: str, year: int) -> bool:
    if row.birth_year is None:
        return False
    return row.birth_year <= year - 60 if age == "veterans" else row.birth_year >= year - OLDEST[age]


def in_form(row: FmjdListRow, form: str, year: int) -> bool:
    if form == "":
        return row.official_position is not None
    if form in {"full", "women"}:
        return form == "full" or row.sex == "W"
    return of_age(row, form, year)


def fits(row: FmjdListRow, query: dict[str, str], year: int) -> bool:
    words = query.get("q", "").lower().split()
    return (
        all(word in row.sort_name for word in words)
        and query.get("federation", row.federation) == row.federation
        and query.get("players", "") in {"", {"W": "women", "M": "men"}.get(row.sex)}
        and query.get("title", row.title) == row.title
        and is_active(row, query.get("activity", ""))
        and ("age" not in query or of_age(row, query["age"], year))
        and query.get("category", row.category) == row.category
    )


def is_active(row: FmjdListRow, activity: str) -> bool:
    """R12: a year is counted back from the closing date, 15 September 2026; the day a year earlier is outside."""
    if activity == "year":
        return row.last_game is not None and row.last_game > date(2025, 9, 15)
    return activity != "period" or row.period_games > 0


TITLES = ["GMI", "MI", "MF", "CMF", "GMIF", "MIF", "MFF", "CMFF"]


def naive(rows: list[FmjdListRow], form: str, query: dict[str, str], year: int) -> list[tuple[int, int]]:
    """Rank within the form and register number of every row, in the order asked for."""
    members = [row for row in rows if in_form(row, form, year)]
    higher = sorted(-row.rating for row in members)
    rank = {row.pk: 1 + bisect_left(higher, -row.rating) for row in members}  # 1 + those rated higher
    sort = query.get("sort") or ("name" if form == "full" else "-rating")
    falling, key = sort.startswith("-"), sort.removeprefix("-")
    found = sorted((row for row in members if fits(row, query, year)), key=lambda row: row.position)
    if key == "rating":
        found = found if falling else found[::-1]
    elif key == "name":
        found.sort(key=lambda row: row.name_position, reverse=falling)
    elif key == "title":
        known = [row for row in found if row.title]
        known.sort(key=lambda row: TITLES.index(row.title), reverse=falling)
        found = known + [row for row in found if not row.title]
    else:
        value = {"born": "birth_year", "games": "period_games", "total": "games"}.get(key, key)
        known = [row for row in found if getattr(row, value) is not None]
        known.sort(key=lambda row: getattr(row, value), reverse=falling)
        found = known + [row for row in found if getattr(row, value) is None]
    return [(rank[row.pk], row.register_number) for row in found]


def check_page(
    client: Client, rows: list[FmjdListRow], rating_list: RatingList, form: str, query: dict[str, str]
) -> None:
    """The first page, the last one, and none after it."""
    expected = naive(rows, form, query, rating_list.in_force.year)
    pages = max(-(-len(expected) // PAGE_ROWS), 1)
    for page in {1, pages}:
        asked = {**query, "page": str(page)} if page > 1 else query
        response = client.get(address(rating_list, form), asked)
        assert response.status_code == 200
        found = [(row.rank, row.number) for row in shown_rows(response.text)]
        assert found == expected[(page - 1) * PAGE_ROWS : page * PAGE_ROWS], (form, asked)
    assert client.get(address(rating_list, form), {**query, "page": pages + 1}).status_code == 404


def check_rows(rows: list[FmjdListRow], rating_list: RatingList, form: str, query: dict[str, str]) -> int:
    """Every page of what the query string asks for, as the view reads it for its template. How many rows."""
    expected = naive(rows, form, query, rating_list.in_force.year)
    pages = max(-(-len(expected) // PAGE_ROWS), 1)
    for page in range(1, pages + 1):
        found = page_rows(rating_list, form, {**query, "page": str(page)})
        assert found == expected[(page - 1) * PAGE_ROWS : page * PAGE_ROWS], (form, query, page)
    with pytest.raises(NoSuchPageError):
        page_rows(rating_list, form, {**query, "page": str(pages + 1)})
    return len(expected)


def page_rows(rating_list: RatingList, form: str, query: dict[str, str]) -> list[tuple[int, int]]:
    (variant,) = (each for each in list_variants(rating_list.rules) if each.name == (form or OFFICIAL))
    request = RequestFactory().get(address(rating_list, form), query)
    asked = read_list_query(request, rating_list, variant, federations_on(rating_list))
    assert not asked.problems
    page = list_page(rating_list, variant, asked.matching, asked.sort, page=asked.page)
    return [(row["variant_rank"], row["register_number"]) for row in page.rows]


def test_every_variant_in_every_order(client: Client, newest: RatingList) -> None:
    """Rows of every variant in every order; each variant and each order as a page, in turn."""
    rows = list(FmjdListRow.objects.filter(list_id=newest.pk))
    sizes = {}
    orders = [f"{way}{key}" for key in newest.rating_system.declaration.sorts for way in ("", "-")]
    for form, sort in itertools.product(FORMS, orders):
        sizes[form] = check_rows(rows, newest, form, {"sort": sort})
    for place, sort in enumerate(orders):
        for form in FORMS[place % len(FORMS) :: len(FORMS) // 2]:
            check_page(client, rows, newest, form, {"sort": sort})
    assert sizes["full"] > sizes[""] > sizes["women"] > PAGE_ROWS
    assert min(sizes.values()) > 0


def test_filters_alone_and_together(client: Client, newest: RatingList) -> None:
    rows = list(FmjdListRow.objects.filter(list_id=newest.pk))
    choices = {
        "q": ["van", "ra", "a n", "verkade", "zzz", "roelvink mat"],
        "federation": ["NED", "SEN", "CUW"],
        "players": ["women", "men"],
        "title": ["GMI", "MF", "CMFF"],
        "activity": ["period", "year"],
        "age": ["juniors", "veterans", "hopes"],
        "category": ["A", "B", "C"],
        "sort": ["name", "-name", "-change", "born", "-total", "rating"],
    }
    draw = random.Random(20261120)  # noqa: S311 (the same draw every time)
    empty = 0
    for turn in range(150):
        names = draw.sample(sorted(choices), draw.randint(1, 4))
        query = {name: draw.choice(choices[name]) for name in names}
        form = draw.choice(FORMS)
        if form not in {"", "full"} and "age" in query and form != "women":
            del query["age"]
        empty += check_rows(rows, newest, form, query) == 0
        if turn % 10 == 0:
            check_page(client, rows, newest, form, query)
    assert 20 < empty < 120


def test_a_number_finds_the_player_who_has_it(client: Client, newest: RatingList) -> None:
    row = FmjdListRow.objects.filter(list_id=newest.pk, official_position=17).get()
    (found,) = shown_rows(client.get(address(newest), {"q": str(row.register_number)}).text)
    assert (found.number, found.rank) == (row.register_number, row.official_rank)
    assert "No players match these filters." in client.get(address(newest), {"q": "99999999999"}).text


def test_figures_are_printed_as_they_are_stored(client: Client, newest: RatingList) -> None:
    rows = FmjdListRow.objects.filter(list_id=newest.pk, official_position__lte=PAGE_ROWS)
    page = client.get(address(newest)).text
    head = page[page.index("<thead>") : page.index("</thead>")]
    head = re.sub(r'<abbr class="phone-only".*?</abbr>', "", head, flags=re.DOTALL)
    headings = [TAG.sub("", heading).strip() for heading in re.findall(r"<th .*?</th>", head, re.DOTALL)]
    headings.remove("Player")
    lines = iter(re.findall(r'class="spark" [^>]*aria-label="(-?\d+) to (-?\d+) in (\d) lists"', page))
    for row, shown in zip(rows.order_by("position"), shown_rows(page), strict=True):
        change = "new" if row.change is None else f"{row.change:+}".replace("-", "−").replace("+0", "0")
        assert shown.name == row.name
        # Each figure is under its heading, whichever columns there are.
        figures = {
            "#": str(row.official_rank), "Fed.": row.federation, "Born": str(row.birth_year or ""),
            "Rating": str(row.rating), "Change": change, "Games": str(row.period_games), "Total games": str(row.games),
            "Cat.": row.category,
        }  # fmt: skip
        assert dict(zip(headings, shown.cells, strict=True)).items() >= figures.items()
        of_player = PlayerHistory.objects.filter(player=row.player_id, list__pool=newest.pool_id)
        earlier = of_player.filter(in_force__lt=newest.in_force).order_by("-in_force")[:7]
        if earlier:
            first = list(earlier)[-1].rating
            assert next(lines) == (str(first), str(row.rating), str(len(earlier) + 1))
    assert next(lines, None) is None


@pytest.mark.parametrize(("kind", "value", "shown"), [
    (Kind.WHOLE, 12, "12"),
    (Kind.WHOLE, None, ""),
    (Kind.DIFFERENCE, -3, '<span class="change change--down">−3</span>'),
    (Kind.DIFFERENCE, None, '<span class="change change--new">new</span>'),
    (Kind.SCALED, 636_842, "63.6842"),
    (Kind.DAY, date(2026, 10, 1), '<time datetime="2026-10-01">1 Oct 2026</time>'),
    (Kind.DAY, None, ""),
    (Kind.FLAG, True, "yes"),
    (Kind.FLAG, False, ""),
    (Kind.LETTER, "B", "B"),
    (Kind.TEXT, "A & B", "A &amp; B"),
])  # fmt: skip
def test_a_column_is_printed_by_its_kind(newest: RatingList, kind: Kind, value: object, shown: str) -> None:
    assert conditional_escape(printer(Column(name="figure", kind=kind), newest)(value)) == shown


def test_an_opening_list_has_no_changes(client: Client, newest: RatingList) -> None:
    opening = RatingList.objects.get(is_opening=True)
    assert {row.cells[4] for row in shown_rows(client.get(address(opening)).text)} == {""}


def test_a_declared_column_is_a_heading_and_sorts_only_where_it_says_so() -> None:
    sort = Sort(key="k", rising="by K", falling="by K, highest first")
    plain = Column(name="k", label="K", full_label="Factor K", wide=True)
    headings = [heading(replace(plain, sort=sort)), heading(plain)]
    with_link, without = sort_headings(headings, "-rating", lambda sort: f"?sort={sort}")
    assert (with_link.href, without.href) == ("?sort=k", "")
    shown = render_to_string("parts/sort_heading.html", {"heading": without})
    assert '<th scope="col" class="table__num table__wide">' in shown
    assert '<abbr title="Factor K">K</abbr>' in shown
    assert "<a" not in shown.replace("<abbr", "")
    assert 'href="?sort=k"' in render_to_string("parts/sort_heading.html", {"heading": with_link})


def test_equal_ratings_share_a_rank(client: Client, newest: RatingList) -> None:
    shown = shown_rows(client.get(address(newest)).text)
    ranks = [row.rank for row in shown]
    assert len(set(ranks)) < len(ranks)
    assert all(rank <= place for place, rank in enumerate(ranks, 1))


def test_the_official_list_has_one_address(client: Client, newest: RatingList) -> None:
    response = client.get(address(newest, "official"), {"sort": "name"})
    assert (response.status_code, response["Location"]) == (301, f"{address(newest)}?sort=name")


def test_the_newest_list_has_addresses_of_its_pool_and_day(client: Client, newest: RatingList) -> None:
    permanent = client.get(address(newest)).text
    for path, shown in (
        (f"/lists/{newest.pool.code}/", "the list in force"),
        (f"/lists/{newest.pool.code}/{newest.in_force}/", "the newest revision"),
    ):
        page = client.get(path).text
        assert shown_rows(page) == shown_rows(permanent)
        assert f'<a href="{address(newest)}">' in page
        assert f"The address of this page always shows {shown}." in page
    assert "The address of this page always shows" not in permanent


def test_every_page_of_a_list_has_one_head_with_derived_lists_as_tabs(
    client: Client, newest: RatingList
) -> None:
    def tabs(path: str) -> tuple[list[str], list[str]]:
        navs = parse(client.get(path).text).iterfind(".//nav[@class]")
        (nav,) = (one for one in navs if "tabs" in one.get("class"))
        links = list(nav.iterfind("a"))
        current = [link for link in links if link.get("aria-current")]
        return [*map(name_of, links)], [*map(name_of, current)]

    names, current = tabs(address(newest))
    assert names == [
        "Official", "Full", "Women", "Juniors", "Cadets", "Mini cadets", "Hopes", "Young stars", "Veterans",
        "Tournaments", "Statistics", "All lists",
    ]  # fmt: skip
    assert current == ["Official"]
    for part, name in (("juniors", "Juniors"), ("tournaments", "Tournaments"), ("earlier", "All lists")):
        assert tabs(f"{address(newest)}{part}/") == (names, [name])
    facts = text_of(parse(client.get(address(newest)).text).find(".//summary"))
    assert facts == (
        f"In force from 1 Oct 2026 revision 1 {newest.players} players on the full list"
        f" {newest.tournaments} tournaments {newest.games} games Signatures, files"
    )
    assert "Juniors (up to 19)" in text_of(parse(client.get(f"{address(newest)}juniors/").text))


def test_who_signed_and_that_it_was_by_command(client: Client, newest: RatingList) -> None:
    page = client.get(address(newest)).text
    assert newest.sha256 in page
    assert newest.previous_sha256 in page
    assert "Approved by <b>Rating officer by command</b>" in page
    assert page.count("by command line") == 1
    for file in newest.files.all():
        assert file.sha256 in page


def test_unknown_values_are_named_and_ignored(client: Client, newest: RatingList) -> None:
    response = client.get(address(newest), {"sort": "shoe size", "federation": "XXX", "category": "D"})
    page = response.text
    assert response.status_code == 400
    for problem in (
        "Order ignored: “shoe size” is not a column to sort by.",
        "Filter ignored: “XXX” is not a federation on this list.", "Filter ignored: “D” is not a category.",
    ):  # fmt: skip
        assert problem in page
    assert len(shown_rows(page)) == PAGE_ROWS


def test_active_filters_can_be_removed(client: Client, newest: RatingList) -> None:
    page = client.get(address(newest), {"federation": "NED", "players": "women", "sort": "name"}).text
    assert f'href="{address(newest)}?federation=NED&amp;sort=name"' in page
    assert f'href="{address(newest)}?players=women&amp;sort=name"' in page


def test_an_empty_result_says_what_to_do(client: Client, newest: RatingList) -> None:
    page = client.get(address(newest), {"q": "nobody at all"}).text
    assert "No players match these filters." in page
    assert f'href="{address(newest, "full")}?q=nobody%20at%20all"' in page


def test_htmx_gets_the_results_alone_and_a_short_address(client: Client, newest: RatingList) -> None:
    htmx = {"HX-Request": "true", "HX-Target": "results"}
    query = {"q": "", "federation": "ned", "sort": "", "players": ""}
    response = client.get(address(newest), query, headers=htmx)
    assert response["HX-Push-Url"] == f"{address(newest)}?federation=NED"
    assert "<html" not in response.text
    assert {row.cells[1] for row in shown_rows(response.text)} == {"NED"}
    restored = client.get(address(newest), headers={**htmx, "HX-History-Restore-Request": "true"})
    assert "<html" in restored.text


@pytest.mark.database_role("worker")
def test_a_replaced_revision_stays_and_names_its_successor(client: Client, season: None) -> None:
    first = RatingList.objects.filter(state="published").select_related("pool").latest("in_force")
    before = client.get(address(first)).text
    second = revised(first)
    page = client.get(address(first)).text
    assert "This revision was replaced." in page
    assert "Show revision 2" in page
    assert shown_rows(page) == shown_rows(before)
    assert "A result was corrected." in client.get(address(second)).text
    by_day = client.get(f"/lists/{first.pool.code}/{first.in_force}/").text
    assert f'<a href="{address(second)}">' in by_day
    assert "was replaced" not in by_day


def test_the_whole_list_is_printed_in_the_order_and_with_the_filters_of_its_page(
    client: Client, newest: RatingList, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = list(FmjdListRow.objects.filter(list_id=newest.pk))
    names = {row.register_number: row.name for row in rows}
    for form, query in (("", {}), ("full", {}), ("women", {"federation": "NED", "sort": "name"})):
        link = re.search(r'href="([^"]+/print/[^"]+)"', client.get(address(newest, form), query).text)
        assert link is not None
        page = client.get(unescape(link[1]))
        row = r'<tr><td class="table__num">(\d+)</td>\s+<th scope="row">.*? ?([^<>]+)</th>'
        found = re.findall(row, page.text)
        assert [(int(rank), unescape(name).strip()) for rank, name in found] == [
            (rank, names[number]) for rank, number in naive(rows, form, query, newest.in_force.year)
        ]
        back = address(newest, form) + "?federation=NED&amp;sort=name" * bool(query)
        assert f'<a href="{back}">Back to the list</a>' in page.text
        assert f"http://testserver{unescape(link[1])}" in unescape(page.text)
        assert f"revision {newest.revision}. SHA-256 of the figures: {newest.sha256}" in page.text
        assert client.get(unescape(link[1]), headers={"If-None-Match": page["ETag"]}).status_code == 304
    monkeypatch.setattr("ratings.published.views.lists.page.PRINTED_ROWS", 500)
    page = client.get(f"{address(newest)}print/full/").text
    assert "More than 500 players match" in page
    assert "<tbody>" not in page
