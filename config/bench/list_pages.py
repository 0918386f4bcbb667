"""Pages of a short and of a long list: the same queries, and how many milliseconds longer the long one takes."""

import statistics
import time
from collections.abc import Iterator, Sequence
from http import HTTPStatus

from django.core.management import CommandError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from config.bench.database import scratch_database
from config.bench.season import OPENING, Scale, analyze, load_opening_list
from config.web.kept_pages import KEPT
from ratings.models import PlayerHistory, RatingList
from reporting.web.http_cache import FRAGMENTS, PAGES

LIST = f"/lists/fmjd-100/{OPENING}/r1/"


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
    """The benchmark, as the lines to print: median milliseconds and queries of each page, each time made."""
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
    yield f"{'entries':<30}" + "".join(f"{head:>12}{'queries':>9}" for head in heads) + f"{'ratio':>8}"
    for kind, measured in found.items():
        figures = "".join(f"{milliseconds:>9.1f} ms{queries:>9}" for milliseconds, queries in measured)
        yield f"{kind:<30}{figures}{measured[-1][0] / measured[0][0]:>8.1f}"


def _made(address: str, rounds: int) -> tuple[float, int]:
    """Milliseconds and queries of a page that is not kept; the first one warms up."""
    client, times = Client(headers={"host": "localhost"}), []
    for _ in range(rounds + 1):
        for kept in (KEPT, PAGES, FRAGMENTS):
            kept.clear()
        with CaptureQueriesContext(connection) as queries:
            begun = time.perf_counter()
            answer = client.get(address)
            times.append(1000 * (time.perf_counter() - begun))
        if answer.status_code != HTTPStatus.OK:
            raise CommandError(f"{address} answers {answer.status_code}: nothing was measured.")
    return statistics.median(times[1:]), len(queries)
