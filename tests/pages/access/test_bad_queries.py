"""Whatever is in a query string or an address, no page breaks (guards.md T24, T25)."""

from contextlib import suppress

import pytest
from django.test import Client, RequestFactory
from django.urls import Resolver404, resolve

pytestmark = [pytest.mark.database_role("web"), pytest.mark.usefixtures("season_shared")]

LIST = "/lists/fmjd-100/2026-10-01/r1/"

# As they come over the wire, percent-encoded.
NASTY = (
    "", "%20", "0", "-1", "1", "01", "%2B1", "1.5", "1e3", "1e400", "NaN", "inf", "-0", "99", "1000000",
    "2147483647", "2147483648", "9223372036854775808", "1" + "0" * 40, "9" * 400, "1_0", "%D9%A1%D9%A2", "%C2%B2",
    "12%0A", "%00", "a%00b", "%01", "%7F", "%0D%0A", "%ED%A0%80", "%FF", "%C3", "%F4%90%80%80", "%E2%80%AE",
    "%EF%BF%BF", "%F0%9F%98%80", "%E2%80%8B", "a%CC%81", "%27", "%22", "%5C", "%25", "%25%25", "_", "%5F%25",
    "%27%20OR%20%271%27=%271", "1;drop%20table%20reporting_player", "name;--", "name%2C(select%201)",
    "%3Cscript%3Ealert(1)%3C/script%3E", "%7B%7B7*7%7D%7D", "${7*7}", "../../etc/passwd", "null", "None", "true",
    "[]", "%7B%7D", "list_id", "-pk", "--rating", "-", "rating__gt", "sort_name", "2026-13-45", "2026-10-01T00",
    "0000-00-00", "9999-12-31", "x" * 5000, "%CE%A9" * 90, "a%20" * 300,
)  # fmt: skip

PARAMETERS = {
    LIST: ("q", "federation", "players", "age", "title", "activity", "category", "sort", "page", "unknown"),
    f"{LIST}full/": ("q", "sort", "page"),
    f"{LIST}women/": ("q", "age", "players", "page"),
    "/lists/fmjd-100/": ("q", "sort", "page"),
    "/players/": ("q", "page"),
    "/players/13368/": ("pool", "list", "from", "to", "pools"),
    "/embed/lists/fmjd-100/": ("top", "variant", "federation"),
    "/players/13368/tournaments/": ("pool", "year", "page"),
    "/players/13368/opponents/": ("sort", "page"),
    "/players/compare/": ("first", "second", "pool"),
    "/tournaments/": ("q", "year", "country", "discipline", "tempo", "players", "sort", "page"),
    "/tournaments/waiting/": ("q", "year", "country", "sort", "page"),
    "/tournaments/calendar/": ("q", "year", "country", "sort", "page"),
    "/tournaments/calendar.ics": ("q", "year", "country", "tempo"),
    "/tournaments/2026-european-championship/rounds/": ("round", "page"),
    "/tournaments/2026-european-championship/standings.csv": ("tie_break_1", "round"),
    "/federations/": ("pool",),
    "/lists/": ("pool", "year"),
    "/lists/fmjd-100/compare/": ("a", "b", "part", "page"),
    "/records/": ("pool", "year"),
    "/search/": ("q",),
    "/federations/NED/": ("pool",),
    "/login/": ("next",),
    "/": ("q",),
    "/method/fmjd/": ("edition",),
    "/method/fmjd/tables/": ("difference",),
    "/method/fmjd/calculator/": (
        "rating", "games", "time_control", "reached", "pool", "q", "pasted", "action", "name-1", "rating-1",
        "result-1",
    ),
    "/titles/points/fmjd/": ("title", "games", "ratings"),
    "/privacy/": ("page",),
    "/accessibility/": ("page",),
}  # fmt: skip
# Pages whose parameters are read by the same form, which LIST has with every value, or by fields of the same kinds:
# those of a group share the values between them.
GROUPS = (
    (f"{LIST}full/", f"{LIST}women/", "/lists/fmjd-100/"),
    ("/players/13368/", "/players/13368/tournaments/", "/players/13368/opponents/", "/players/compare/"),
    ("/federations/", "/federations/NED/", "/method/fmjd/"),
    ("/lists/", "/lists/fmjd-100/compare/", "/records/", "/search/"),
    (
        "/tournaments/", "/tournaments/waiting/", "/tournaments/calendar/", "/tournaments/calendar.ics",
        "/tournaments/2026-european-championship/rounds/",
        "/tournaments/2026-european-championship/standings.csv",
    ),
    ("/method/fmjd/calculator/", "/method/fmjd/tables/", "/titles/points/fmjd/"),
    ("/", "/players/", "/login/", "/privacy/", "/accessibility/"),
)  # fmt: skip


@pytest.mark.parametrize("path", PARAMETERS)
def test_nasty_values(client: Client, path: str) -> None:
    """All parameters of a page at once: each is read by itself, and only an impossible page ends the reading.

    All pages read their number by one field: they share its values.
    """
    others = [name for name in PARAMETERS[path] if name != "page"]
    paged = [each for each, names in PARAMETERS.items() if "page" in names]
    group = next((group for group in GROUPS if path in group), (path,))
    asked = [(others, value) for value in NASTY[group.index(path) :: len(group)] if others]
    if path in paged:
        asked += [(["page"], value) for value in NASTY[paged.index(path) :: len(paged)]]
    for names, value in asked:
        response = client.get(f"{path}?{'&'.join(f'{name}={value}' for name in names)}")
        assert response.status_code in {200, 400, 404}, value[:80]
        assert b"<script>alert" not in response.content


def test_nasty_names_and_repetitions(client: Client) -> None:
    for value in NASTY:
        query = f"{value}=1&q={value}&q=1&sort=name&sort={value}"
        assert client.get(f"{LIST}?{query}").status_code in {200, 400, 404}, query[:80]


@pytest.mark.parametrize("name", ["", "%00", "&&&", "=", "q", "q=%", "q=%zz", "a=1&" * 400, "?" * 50])
def test_nasty_query_strings(client: Client, name: str) -> None:
    """Django reads them before any page does: one page of each group is asked."""
    grouped = {path for group in GROUPS for path in group[1:]}
    for path in PARAMETERS.keys() - grouped:
        assert client.get(f"{path}?{name}").status_code in {200, 400, 404}


ADDRESSES = (
    "/{}", "/lists/{}/", "/lists/fmjd-100/{}/", "/lists/fmjd-100/2026-10-01/{}/", "/lists/fmjd-100/2026-10-01/r{}/",
    "/lists/fmjd-100/2026-10-01/r1/{}/", "/lists/fmjd-100/2026-10-01/r1/files/{}", "/players/{}/",
    "/tournaments/{}/", "/federations/{}/", "/method/{}/",
)  # fmt: skip


@pytest.mark.parametrize("address", ADDRESSES)
def test_nasty_addresses(client: Client, address: str) -> None:
    """What no pattern takes is Django's 404 at each address: it is asked for at the first."""
    for value in NASTY:
        path = address.format(value)
        if address == ADDRESSES[0] or is_taken(path):
            assert client.get(path).status_code in {200, 301, 302, 400, 404}, path[:80]


def is_taken(path: str) -> bool:
    """Whether a pattern takes this address; without its last stroke it may be led to one that does."""
    with suppress(Resolver404):
        resolve(RequestFactory().get(f"{path.removesuffix('/')}/").path_info)
        return True
    return False


@pytest.mark.parametrize(("address", "problem"), [
    (f"{LIST}?federation=XXX", "Filter ignored: “XXX” is not a federation on this list."),
    (f"{LIST}women/?age=XXX", "Filter ignored: “XXX” is not an age class."),
    ("/lists/fmjd-100/?sort=XXX", "Order ignored: “XXX” is not a column to sort by."),
    (f"{LIST}print/full/?activity=XXX", "Filter ignored: “XXX” is not a kind of activity."),
    ("/players/?q=%25%25", "Search ignored: it contains no letter or number."),
    ("/players/13368/?pool=XXX", "This player is on no list “XXX”."),
    ("/players/13368/?list=2026-13-45", "This player is on no list of “2026-13-45”."),
    ("/players/compare/?first=13368&second=13555&pool=XXX", "These players are not both on a list “XXX”."),
    ("/players/compare/?first=13368&second=13555&pool=%25", ">There is no such list."),
    ("/federations/?pool=XXX", "There is no list “XXX”."),
    ("/federations/NED/?pool=XXX", "There is no list “XXX”."),
    ("/titles/?year=XXX", "The filter “Registered in” was ignored"),
    ("/titles/?q=%25%25", "Search ignored: it contains no letter or number."),
])  # fmt: skip
def test_a_value_that_cannot_be_used_is_refused_and_named(client: Client, address: str, problem: str) -> None:
    for _ in range(2):  # made, and kept
        response = client.get(address)
        assert (response.status_code, problem in response.text) == (400, True)


@pytest.mark.parametrize("target", ["results", "listing", "", "%00", "x" * 3000, "<script>"])
def test_nasty_htmx_targets(client: Client, target: str) -> None:
    response = client.get(LIST, headers={"HX-Request": "true", "HX-Target": target})
    assert response.status_code == 200


@pytest.mark.parametrize("page", ["0", "-1", "abc", "1.0", "1" + "0" * 30, "%00", "%D9%A1", "<b>"])
@pytest.mark.parametrize("path", [LIST, "/players/13368/tournaments/", "/players/13368/opponents/"])
def test_what_is_no_page_number_is_named_and_shows_a_way_on(client: Client, path: str, page: str) -> None:
    response = client.get(f"{path}?page={page}")
    assert response.status_code == 400
    assert "The number of a page is a whole number from 1: “page” is “" in response.text
    assert "<b>" not in response.text
    assert 'action="/search/"' in response.text
