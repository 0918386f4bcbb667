"""Pages of a short and of a long list: the same queries, and how many milliseconds longer the long one takes.

And what it saves that pages and parts of them are kept, and that requests have one chunk of memory for their calls.
"""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from http import HTTPStatus
from typing import Any

from django.core.management import CommandError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from config.bench.database import scratch_database
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
        "players, last page": f"/players/?page={last_of_all}",
        "players, a name": f"/players/?q={word}",
        "suggestions": f"/search/?q={word}",
        "sitemap": "/sitemap.xml",
        "sitemap, a part": "/sitemaps/players-1.xml",
    }


def measure_list_pages(sizes: Sequence[int], rounds: int) -> Iterator[str]:
    """The benchmark, as the lines to print: median milliseconds and queries of each page, each time made; then those of
    the first list by what is kept, and made without one chunk."""
    kept_lines: list[str] = []
    found: dict[str, list[tuple[float, int]]] = {}
    heads = []
    for players in sizes:
        with scratch_database() as owner:
            load_opening_list(owner, Scale(players, 60))
            analyze(owner)
            opening = RatingList.objects.get(is_opening=True)
            heads.append(f"{opening.players:,}")
            for kind, address in addresses(opening).items():
                found.setdefault(kind, []).append(_made(address, rounds))
                if len(heads) == 1:
                    kept = "".join(f"{milliseconds:>12.1f}" for milliseconds in _kept(address, rounds))
                    kept_lines.append(f"{kind:<30}{kept}")
    yield f"{'entries':<30}" + "".join(f"{head:>12}{'queries':>9}" for head in heads) + f"{'ratio':>8}"
    for kind, measured in found.items():
        figures = "".join(f"{milliseconds:>9.1f} ms{queries:>9}" for milliseconds, queries in measured)
        yield f"{kind:<30}{figures}{measured[-1][0] / measured[0][0]:>8.1f}"
    yield ""
    yield f"{'milliseconds':<30}" + "".join(f"{name:>12}" for name in (*CLEARED, "no chunk"))
    yield from kept_lines


def _kept(address: str, rounds: int) -> list[float]:
    """Milliseconds of a page by what is kept, in one chunk as a web process answers, then made without it; in turns."""
    get = Client(headers={"host": "localhost"}).get
    ways: list[tuple[tuple[ProcessCache, ...], Callable[..., Any]]] = [
        *((caches, in_one_chunk(get)) for caches in CLEARED.values()),
        (CLEARED["made"], get),
    ]
    times: list[list[float]] = [[] for _ in ways]
    for _ in range(rounds + 1):
        for (caches, way), measured in zip(ways, times, strict=True):
            for cache in caches:
                cache.clear()
            begun = time.perf_counter()
            way(address)
            measured.append(1000 * (time.perf_counter() - begun))
    return [statistics.median(measured[1:]) for measured in times]


def _made(address: str, rounds: int) -> tuple[float, int]:
    """Milliseconds and queries of a page that is not kept; the first one warms up."""
    client, times = Client(headers={"host": "localhost"}), []
    for _ in range(rounds + 1):
        for cache in CLEARED["made"]:
            cache.clear()
        with CaptureQueriesContext(connection) as queries:
            begun = time.perf_counter()
            answer = client.get(address)
            times.append(1000 * (time.perf_counter() - begun))
        if answer.status_code != HTTPStatus.OK:
            raise CommandError(f"{address} answers {answer.status_code}: nothing was measured.")
    return statistics.median(times[1:]), len(queries)
