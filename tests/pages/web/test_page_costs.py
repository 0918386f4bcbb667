"""A page costs a fixed number of queries, opens one list's partition, and is answered from memory the next time."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from ratings.queries.list_rows import list_page, list_variants
from ratings.queries.lists import list_stamp, read_list
from reporting.web.http_cache import PAGES

pytestmark = [pytest.mark.database_role("web"), pytest.mark.usefixtures("season_shared")]

LIST = "/lists/fmjd-100/2026-10-01/r1/"

# path → queries of the first reader, queries of the second
OFFICE = "https://ratings.example.org"
BUDGETS = {
    "/": (7, 4),  # one of them: whether a period was frozen before its closing date
    "/lists/": (2, 2),
    "/championships/": (4, 3),
    "/lists/fmjd-100/": (5, 1),
    "/lists/fmjd-100/2026-10-01/": (5, 1),
    LIST: (5, 1),
    f"{LIST}?page=3": (5, 1),
    f"{LIST}?sort=name": (5, 1),
    f"{LIST}?federation=NED&q=van&sort=-change": (6, 1),
    f"{LIST}full/": (5, 1),
    f"{LIST}women/": (6, 1),
    f"{LIST}juniors/?federation=NED": (7, 1),
    f"{LIST}print/full/": (5, 2),  # megabytes of a long list are not kept in memory
    f"{LIST}tournaments/": (4, 1),
    f"{LIST}earlier/": (4, 2),  # all lists of the pool
    f"{LIST}statistics/": (8, 1),
    "/lists/fmjd-100/compare/": (4, 2),
    "/lists/fmjd-100/compare/?part=new": (4, 2),
    "/records/": (11, 3),
    "/world-cup/": (4, 2),
    "/world-cup/what-must-i-score/": (7, 7),
    "/youth-teams/": (7, 5),
    "/youth-teams/2026/classic/": (9, 5),
    "/search/": (3, 3),  # one of them: the titles held today (R42)
    "/search/?q=van": (8, 3),
    f"{LIST}files/figures.csv": (2, 2),
    "/lists/fmjd-100/ratings/2026-11-14.csv": (5, 2),
    "/lists/fmjd-100/ratings/2026-11-14.txt": (5, 2),
    "/players/": (6, 3),
    "/players/?q=van": (6, 3),
    # What corrections put to their start; the federations with their days; norms and titles, with merged records.
    "/players/13368/": (23, 7),
    "/players/13368/?list=2026-01-01": (16, 7),
    "/players/13368/tournaments/": (12, 4),  # the files of the lists: it names the best player beaten
    "/players/13368/opponents/": (11, 4),
    "/players/13368/games.csv": (10, 4),
    "/players/compare/?first=13368&second=13555": (20, 8),
    # The publications; the filters offered, the number of rows, the rows; for the first search all names.
    "/tournaments/": (5, 1),
    "/tournaments/?q=warsaw&country=POL&sort=name": (5, 1),
    "/tournaments/waiting/": (6, 6),  # the dates of pools without a calendar
    "/tournaments/calendar/": (1, 1),
    "/tournaments/calendar.ics": (1, 1),
    "/tournaments/2026-european-championship/": (15, 5),  # the stamp; its players, games and rating changes
    # The points of all, the games of a page of players.
    "/tournaments/2026-european-championship/changes/": (14, 3),
    "/tournaments/2026-european-championship/crosstable/": (14, 3),
    "/tournaments/2026-european-championship/rounds/": (7, 3),
    "/tournaments/2026-european-championship/norms/": (8, 3),
    "/tournaments/2026-european-championship/files/games.trf": (16, 3),
    "/federations/": (4, 2),
    "/federations/NED/": (19, 5),  # seven for the medals
    "/champions/": (13, 3),
    "/champions/world-100-classic/": (11, 3),
    "/champions/federations/": (12, 3),
    # The state, the lists, the titles, the merges, what is signed, publications; the files, the key.
    "/export/": (8, 6),
    "/changes.atom": (1, 1),
    "/lists/feed.atom": (1, 1),
    "/lists/corrections.atom": (1, 1),
    "/players/13368/feed.atom": (3, 3),
    "/federations/NED/feed.atom": (5, 4),
    "/players/13368/image.png": (3, 2),
    f"{LIST}image.png": (4, 1),
    f"{LIST}women/image.png": (5, 1),
    "/tournaments/2026-european-championship/image.png": (5, 3),
    "/embed/lists/fmjd-100/?top=5&federation=NED": (6, 1),
    "/embed/players/13368/": (3, 2),
    f"/oembed/?url={OFFICE}/players/13368/": (2, 2),
    f"/oembed/?url={OFFICE}/lists/fmjd-100/%3Ffederation=NED": (4, 1),
    "/sitemap.xml": (5, 5),  # two for the publications of the World Cup and the championships
    "/sitemaps/lists-1.xml": (3, 3),
    "/sitemaps/players-1.xml": (3, 3),
    "/sitemaps/tournaments-1.xml": (3, 3),
    "/robots.txt": (0, 0),
    "/.well-known/security.txt": (0, 0),
    "/method/fmjd/": (0, 0),
    "/privacy/": (0, 0),
    "/reference/api/": (4, 2),
    "/reference/api/swagger/": (0, 0),
    "/accessibility/": (0, 0),
    "/method/fmjd/tables/?difference=137": (0, 0),
    "/method/fmjd/calculator/": (2, 2),  # the lists to search, their stamp
    "/method/fmjd/calculator/?q=van&action=search": (6, 5),  # the names, the rows found
    "/titles/points/fmjd/?title=MI&games=9": (0, 0),
    "/login/": (0, 0),
}


@pytest.mark.parametrize("path", BUDGETS)
def test_queries(client: Client, settings: Any, path: str) -> None:
    """So many, and of rows of lists and changes only the partitions that a query names."""
    settings.OFFICE_URL = OFFICE  # so that pages have the data for search engines
    for reader, budget in zip(("first", "second"), BUDGETS[path], strict=True):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(path).status_code == 200
        statements = [query["sql"] for query in queries]
        shown = "\n".join(statement[:300] for statement in statements)
        assert len(queries) == budget, f"{reader} reader of {path}:\n{shown}"
        for statement in statements:
            if "fmjd_listrow" in statement or "fmjd_change" in statement:
                assert_only_the_named_partitions_are_read(statement)


def assert_only_the_named_partitions_are_read(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"explain {statement}")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    opened = set(re.findall(r"on fmjd_(?:listrow|change)_(\d+)", plan))
    lists = re.findall(r"""list_id"? (?:= ANY\('{|= |IN \()([\d, ]+)""", statement)
    assert opened <= set(re.findall(r"\d+", " ".join(lists))), f"{statement}\n{plan}"


def test_norms_and_games_of_a_player_are_read_once_for_all_drawings(client: Client) -> None:
    shown = client.get("/players/13368/").content
    with CaptureQueriesContext(connection) as queries:
        drawn = client.get("/players/13368/", {"pools": "all"}).content
    read = [query["sql"] for query in queries if re.search("titles_norm|reporting_game", query["sql"])]
    part = re.compile(b'<section class="section" id="explanation".*?</section>', re.DOTALL)
    assert not read
    assert part.findall(shown) == part.findall(drawn) != []


def test_the_number_of_queries_does_not_grow_with_the_page(client: Client) -> None:
    counts = set()
    for page in range(1, 7):
        PAGES.clear()
        with CaptureQueriesContext(connection) as queries:
            client.get(LIST, {"page": page})
        counts.add(len(queries))
    assert len(counts) <= 2  # the first reads the federations of the list as well


@pytest.mark.parametrize("form", ["official", "full"])
@pytest.mark.parametrize("page", [1, 5])
def test_a_page_without_a_filter_is_one_range_of_a_position(form: str, page: int) -> None:
    found = read_list(list_stamp("fmjd-100")).rating_list
    shown = next(variant for variant in list_variants(found.rules) if variant.name == form)
    for sort in {"-rating", "rating", shown.default_sort}:
        with CaptureQueriesContext(connection) as queries:
            assert len(list_page(found, shown, sort=sort, page=page).rows) == 100
        (query,) = queries
        assert "OFFSET" not in query["sql"]
        assert re.search(r'"(official_|name_)?position" >= \d', query["sql"])


def test_the_second_reader_of_a_filter_reads_no_row(
    client: Client, django_assert_num_queries: Callable
) -> None:
    client.get(LIST, {"federation": "NED"})
    with django_assert_num_queries(1) as queries:
        client.get(LIST, {"federation": "NED"})
    assert not any("ratinglistrow" in query["sql"] for query in queries)
