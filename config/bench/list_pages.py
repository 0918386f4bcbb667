"""Pages of a short and of a long list: the same queries, and how many milliseconds longer the long one takes.

And what it saves that pages and parts of them are kept, and that requests have one chunk of memory for their calls.
"""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from http import HTTPStatus
from typing import Any

from django.core.management import CommandError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from config.bench.database import scratch_database, work_in
from config.bench.season import OPENING, Scale, analyze, load_opening_list
from config.web.data_stack import in_one_chunk
from config.web.kept_pages import KEPT
from ratings.models import PlayerHistory, RatingList
from reporting.web.http_cache import FRAGMENTS, PAGES, ProcessCache

LIST = f"/lists/fmjd-100/{OPENING}/r1/"
CLEARED: dict[str, tuple[ProcessCache, ...]] = {
    "kept": (),
    "known": (KEPT,),
    "parts": (KEPT, PAGES),
    "made": (KEPT, PAGES, FRAGMENTS),
}
"""What is left of a page that was asked for before: all of it; the page under what it depends on, after any other
transaction; parts of it, as for readers with a session; nothing."""


def addresses(opening: RatingList) -> dict[str, str]:
    """What people open of a list; its last page, too, which is the furthest from any index's beginning."""
    last, last_of_all = -(-opening.official_players // 100), -(-opening.players // 100)
    player = PlayerHistory.objects.select_related("player").earliest("player_id").player
    word = player.sort_name[:5]
    return {
        "home": "/",
        "list": LIST,
        "list, middle page": f"{LIST}?page={last // 2}",
        "list, last page": f"{LIST}?page={last}",
        "list, by name": f"{LIST}?sort=name&page={last // 2}",
        "list, a federation": f"{LIST}?federation=AAX",
        "list, women of a federation": f"{LIST}?federation=AAX&players=women",
        "list, a name": f"{LIST}?q={word}",
        "women's list": f"{LIST}women/",
        "whole list, last page": f"{LIST}full/?page={last_of_all}",
        "list as data": f"/api/v1{LIST}entries/?variant=full&limit=100&offset={opening.players - 100}",
        "player": f"/players/{player.numbers['fmjd']}/",
        "player as data": f"/api/v1/players/{player.numbers['fmjd']}/",
        "players, last page": f"/players/?page={last_of_all}",
        "players, a name": f"/players/?q={word}",
        "suggestions": f"/search/?q={word}",
        "sitemap": "/sitemap.xml",
        "sitemap, a part": "/sitemaps/players-1.xml",
    }


def measure_list_pages(sizes: Sequence[int], rounds: int) -> Iterator[str]:
    """The benchmark, as the lines to print: median milliseconds and queries of each page, each time made, the sizes in
    turn; then those of the first list by what is kept, and made without one chunk.

    Raises CommandError where a kept page is another than the one that was made.
    """
    with ExitStack() as stack:
        owners, opened, asked = [], [], []
        for number, players in enumerate(sizes):
            owners.append(stack.enter_context(scratch_database(number)))
            load_opening_list(owners[-1], Scale(players, 60))
            analyze(owners[-1])
            opened.append(RatingList.objects.get(is_opening=True))
            asked.append(addresses(opened[-1]))
        found: dict[str, list[list[tuple[float, int]]]] = {kind: [[] for _ in sizes] for kind in asked[0]}
        for _ in range(rounds):
            for place, owner in enumerate(owners):
                work_in(owner)
                for kind, address in asked[place].items():
                    _made(address)  # the connection is new, the database has this to learn again
                    found[kind][place].append(_made(address))
        work_in(owners[0])
        kept = {kind: _kept(address, rounds) for kind, address in asked[0].items()}
        heads = [f"{opening.players:,}" for opening in opened]
    yield f"{'entries':<30}" + "".join(f"{head:>12}{'queries':>9}" for head in heads) + f"{'ratio':>8}"
    for kind, by_size in found.items():
        medians = [statistics.median(milliseconds for milliseconds, _ in times) for times in by_size]
        figures = "".join(
            f"{median:>9.1f} ms{times[-1][1]:>9}" for median, times in zip(medians, by_size, strict=True)
        )
        yield f"{kind:<30}{figures}{medians[-1] / medians[0]:>8.1f}"
    yield ""
    yield f"{'milliseconds':<30}" + "".join(f"{name:>12}" for name in (*CLEARED, "no chunk"))
    for kind, times in kept.items():
        yield f"{kind:<30}" + "".join(f"{milliseconds:>12.1f}" for milliseconds in times)


def _kept(address: str, rounds: int) -> list[float]:
    """Milliseconds of a page by what is kept, in one chunk as a web process answers, then made without it; in turns."""
    get = Client(headers={"host": "localhost"}).get
    ways: list[tuple[tuple[ProcessCache, ...], Callable[..., Any]]] = [
        *((caches, in_one_chunk(get)) for caches in CLEARED.values()),
        (CLEARED["made"], get),
    ]
    times: list[list[float]] = [[] for _ in ways]
    pages = set()
    for _ in range(rounds + 1):
        for (caches, way), measured in zip(ways, times, strict=True):
            for cache in caches:
                cache.clear()
            begun = time.perf_counter()
            answer = way(address)
            measured.append(1000 * (time.perf_counter() - begun))
            pages.add(answer.content)
    if len(pages) > 1:
        raise CommandError(f"{address}: a kept page differs from the one that is made. Nothing was measured.")
    return [statistics.median(measured[1:]) for measured in times]


def _made(address: str) -> tuple[float, int]:
    """Milliseconds and queries of a page that is not kept."""
    client = Client(headers={"host": "localhost"})
    for cache in CLEARED["made"]:
        cache.clear()
    with CaptureQueriesContext(connection) as queries:
        begun = time.perf_counter()
        answer = client.get(address)
        milliseconds = 1000 * (time.perf_counter() - begun)
    if answer.status_code != HTTPStatus.OK:
        raise CommandError(f"{address} answers {answer.status_code}: nothing was measured.")
    return milliseconds, len(queries)
