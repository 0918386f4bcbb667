"""The pages below that of a player: tournaments, opponents, two players compared, files. All from published rows."""

import csv
import io
import re
from collections import Counter
from html import unescape

import pytest
from django.db.models import Q
from django.test import Client

from ratings.federations.fmjd.models import FmjdChange, FmjdListRow
from ratings.models import PlayerHistory, RatingList
from ratings.published.selectors.player_tournaments import player_tournaments
from ratings.published.selectors.players import find_player, ranks_of
from reporting.models import Entry, Game, Player
from reporting.rules.register.registers import first_register
from reporting.web.values import first_name_first
from tests.pages.published.published_pages import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

LEADER = 13368


def some_players(newest: RatingList, number: int) -> list[int]:
    changes = FmjdChange.objects.filter(list_id=newest.pk).order_by("player_id")
    found = sorted(set(changes.values_list("player__numbers__fmjd", flat=True)))
    return found[:: max(1, len(found) // number)][:number]


def test_every_change_of_a_published_list_is_a_tournament_with_its_results(newest: RatingList) -> None:
    lists = set(RatingList.objects.filter(state="published").values_list("pk", flat=True))
    for number in some_players(newest, 15):
        player = find_player(str(number))
        found = player_tournaments(player)
        of_player = FmjdChange.objects.filter(list_id__in=lists, player_id=player.player.pk)
        changes = {(change.list_id, change.result_set_id): change for change in of_player}
        shown = {(one.rating_list.pk, one.tournament.pk): one for one in found}
        assert changes.keys() <= shown.keys()
        entries = Entry.objects.filter(player=player.player, result_set__manifest_lines__isnull=False)
        assert len(shown) == len(found) == entries.count()
        days = [one.tournament.played_to for one in found]
        assert days == sorted(days, reverse=True)
        for key, one in shown.items():
            assert one.change == changes.get(key)
            entry = Entry.objects.get(result_set=key[1], player=player.player)
            games = Game.objects.filter(Q(white=entry) | Q(black=entry))
            points = sum(
                game.white_points if game.white_id == entry.pk else game.black_points for game in games
            )
            assert (one.points, one.entry.place) == (points, entry.place)
            assert one.players == Entry.objects.filter(result_set=key[1]).count()
            counted = [game for game in one.games if game.counted]
            assert len(counted) == (one.change.games if one.change else 0)
            if one.change:
                assert sum(game.opponent_rating or 0 for game in counted) == changes[key].opponents_sum
                assert one.performance_e4 == changes[key].performance_e4


def test_the_page_of_tournaments_shows_each_with_its_figures_and_their_source(
    client: Client, newest: RatingList
) -> None:
    address = f"/players/{LEADER}/tournaments/"
    page = client.get(address)
    assert page.status_code == 200
    found = player_tournaments(find_player(str(LEADER)))
    assert len(found) > 1
    rows = re.findall(r'<tr>\s*<th scope="row".*?</tr>', page.text, re.DOTALL)
    assert len(rows) == len(found)
    for row, one in zip(rows, found, strict=True):
        assert f'href="/tournaments/{one.tournament.code}/"' in row
        assert f"?pool=fmjd-100&amp;list={one.rating_list.in_force}#explanation" in row
        assert f"{one.points} of {2 * len(one.games)}" in text_of(row)
        assert f"{one.entry.place} of {one.players}" in text_of(row)
    assert f'href="{address}" aria-current="page"' in page.text
    assert f'href="{address}"' in client.get(f"/players/{LEADER}/").text


def test_tournaments_by_year_and_list(client: Client, newest: RatingList) -> None:
    address = f"/players/{LEADER}/tournaments/"
    found = player_tournaments(find_player(str(LEADER)))
    years = Counter(one.tournament.played_to.year for one in found)
    for year in {*years, 1950}:
        page = client.get(address, {"year": str(year), "pool": "fmjd-100"})
        assert page.status_code == 200
        assert len(re.findall(r'<th scope="row"', page.text)) == years[year]
    for query, said in (
        ({"year": "last"}, "not a year"),
        ({"year": "2026.0"}, "not a year"),
        ({"pool": "x"}, "on no such list"),
    ):
        page = client.get(address, query)
        assert page.status_code == 400
        assert said in page.text


def test_opponents_and_scores_are_those_of_the_games(client: Client, newest: RatingList) -> None:
    """Counted a second time, from the games of all tournaments that a list counts."""
    player = Player.objects.at_address(str(LEADER))
    of_player = Game.objects.filter(Q(white__player=player) | Q(black__player=player), played=True)
    games = of_player.filter(result_set__manifest_lines__isnull=False).select_related(
        "white__player", "black__player"
    )
    results = Counter(
        (
            game.white.player == player,
            (game.black if game.white.player == player else game.white).player.address,
            game.white_points if game.white.player == player else game.black_points,
        )
        for game in games
    )
    page = client.get(f"/players/{LEADER}/opponents/")
    assert page.status_code == 200
    scores, table = page.text.split('id="opponents"')
    for colour, white in (("White", True), ("Black", False)):
        own = Counter[int]()
        for (is_white, _, points), number in results.items():
            own[points] += number * (is_white == white)
        line = f"{own[2]} {own[1]} {own[0]}"
        assert re.search(rf"{colour} .*? lost {own.total()} {line} \d+\.\d %", text_of(scores)), line
    met = Counter[str]()
    for (_, address, _), number in results.items():
        met[address] += number
    found = re.findall(rf"first={LEADER}&amp;second=(\d+)#games\"[^>]*>(\d+)<", table)
    assert {address: int(number) for address, number in found} == met
    assert len(found) == len(met)


def test_opponents_are_sorted_as_asked(client: Client, newest: RatingList) -> None:
    def names(sort: str) -> list[str]:
        page = client.get(f"/players/{LEADER}/opponents/", {"sort": sort} if sort else {})
        return re.findall(r'<th scope="row" class="table__name">\s*<a\s[^>]*>(.*?)</a>', page.text)

    by_name = names("name")
    assert len(by_name) > 10
    assert names("-name") == by_name[::-1] != by_name
    assert set(names("-score")) == set(names("")) == set(by_name)
    refused = client.get(f"/players/{LEADER}/opponents/", {"sort": "shoe"})
    assert (refused.status_code, "Order ignored" in refused.text) == (400, True)


def test_two_players_side_by_side(client: Client, newest: RatingList) -> None:
    leaders = Player.objects.with_numbers(first_register(), [LEADER])
    counted = Game.objects.filter(
        white__player__in=leaders, played=True, result_set__manifest_lines__isnull=False
    )
    (game, *_) = counted.select_related("black__player", "result_set")
    other = game.black.player
    page = client.get("/players/compare/", {"first": LEADER, "second": other.address})
    assert page.status_code == 200
    text = text_of(page.text)
    names = [first_name_first(find_player(str(player)).row.name) for player in (LEADER, other.address)]
    assert f"<title>{names[0]} and {names[1]}" in unescape(re.sub(r"\s+", " ", page.text)).replace("> ", ">")
    for player in (LEADER, other.address):
        history = PlayerHistory.objects.filter(player=Player.objects.at_address(str(player)))
        highest = max(row.rating for row in history if row.list.pool_id == newest.pool_id)
        assert f"highest {highest} on" in text
    name = first_name_first(find_player(str(LEADER)).row.name)
    assert f"{game.turn} {name} {game.result_in('fmjd')}" in text
    common = page.text.split('id="common"')[1]
    assert f"/tournaments/{game.result_set.code}/" in common
    desktop = page.text[page.text.index("plot__svg--desktop") :].split("</svg>")[0]
    drawn = [int(number) for number in re.findall(r"<title>[^<]*: (\d+)</title>", desktop)]
    pools = [find_player(player).pools["fmjd-100"] for player in (str(LEADER), other.address)]
    assert drawn == [row.rating for pool in pools for row in pool.entries]


def test_a_name_that_one_player_has_leads_to_the_numbers(client: Client, newest: RatingList) -> None:
    alone = client.get("/players/compare/?first=13368").text
    assert "Enter a player to compare with." in alone
    response = client.get("/players/compare/", {"first": "Brasilino Leandro", "second": ""})
    assert (response.status_code, response["Location"]) == (302, f"/players/compare/?first={LEADER}")
    page = client.get("/players/compare/", {"first": str(LEADER), "second": "van"})
    assert f'href="/players/compare/?first={LEADER}&amp;second=' in page.text
    assert "Choose the second player" in page.text
    assert re.search(r"[A-Z]{3}, FMJD-ID \d+, rating \d+<", re.sub(r"\s+", " ", page.text).replace(" <", "<"))
    for second, said, status in (
        ("99999999", "Second player</a>: No published list has a player “99999999”.", 404),
        ("zzzz", "Second player</a>: No players on the lists match “zzzz”.", 200),
        ("%%", "Second player</a>: Search ignored: it contains no letter or number.", 400),
        (str(LEADER), "Choose two different players.", 200),
    ):
        page = client.get("/players/compare/", {"first": LEADER, "second": second})
        assert (page.status_code, said in page.text) == (status, True), second
    assert client.get("/players/compare/", {"first": "x" * 81}).status_code == 400


def test_the_files_of_a_player_have_every_list_and_every_game(client: Client, newest: RatingList) -> None:
    history = client.get(f"/players/{LEADER}/history.csv")
    assert history["Content-Type"] == "text/csv; charset=utf-8"
    lines = list(csv.DictReader(io.StringIO(history.text)))
    player = find_player(str(LEADER))
    assert [(row["in_force"], int(row["rating"])) for row in lines if row["pool"] == "fmjd-100"] == [
        (entry.in_force.isoformat(), entry.rating) for entry in player.pools["fmjd-100"].entries
    ]
    for row, entry in zip(lines, player.pools["fmjd-100"].entries, strict=False):
        written = {name.removesuffix("_rank"): rank for name, rank in row.items() if name.endswith("_rank")}
        ranks = {name.replace("-", "_"): rank for name, rank in ranks_of(entry).items()}
        assert {name: int(rank) for name, rank in written.items() if rank} == ranks
    response = client.get(f"/players/{LEADER}/games.csv")
    games = list(csv.DictReader(io.StringIO(response.text)))
    changes = FmjdChange.objects.filter(player_id=player.player.pk, list__state="published")
    for change in changes.select_related("result_set"):
        own = [row for row in games if row["tournament"] == change.result_set.code and row["counted"] == "1"]
        assert len(own) == change.games
        assert sum(int(row["points"]) for row in own) == change.points
        assert sum(int(row["opponent_rating"]) for row in own) == change.opponents_sum
    etag = response["ETag"]
    assert client.get(f"/players/{LEADER}/games.csv", headers={"If-None-Match": etag}).status_code == 304


def test_ranks_are_those_of_the_lists(client: Client, newest: RatingList) -> None:
    """Counted a second time: 1 + the players with a higher rating in the same federation, class of age, list of women.

    On the list of 1 October 2026 the juniors, up to 19 in the year, are born in 2007 or later; the veterans, 60 and
    over, in 1966 or earlier.
    """
    rows = FmjdListRow.objects.filter(list_id=newest.pk)
    classes = {"women": Q(sex="W"), "juniors": Q(birth_year__gte=2007), "veterans": Q(birth_year__lte=1966)}
    seen = Counter[str]()
    for row in [*rows.filter(position__lte=30), *rows.filter(Q(sex="W") | classes["juniors"])[:20]]:
        ranks = ranks_of(PlayerHistory.objects.get(list=newest, player=row.player_id))
        better = rows.filter(rating__gt=row.rating)
        official = better.filter(official_position__isnull=False, federation=row.federation)
        expected = official.count() + 1 if row.official_position else None
        assert ranks.get("federation") == expected
        assert ranks.get("official") == row.official_rank
        for name, condition in classes.items():
            is_on_it = rows.filter(condition, player=row.player_id).exists()
            assert ranks.get(name) == (better.filter(condition).count() + 1 if is_on_it else None)
            seen[name] += is_on_it
    assert min(seen.values()) > 0
    assert len(seen) == 3


def test_the_page_shows_the_highest_rating_and_the_best_ranks(client: Client, newest: RatingList) -> None:
    women = FmjdListRow.objects.filter(list_id=newest.pk, sex="W", official_position__isnull=False)
    woman = women.earliest("position")
    page = client.get(f"/players/{woman.register_number}/").text
    history = PlayerHistory.objects.filter(player_id=woman.player_id, list__pool=newest.pool_id).order_by(
        "in_force"
    )
    shown = page[page.index('id="records"') :].split("</table>")[0]
    best = max(history, key=lambda entry: entry.rating)
    assert f"Rating {best.rating} " in text_of(shown)
    first = min(history, key=lambda entry: entry.derived_ranks["women"])
    line = re.search(r"Rank, Women (\d+) .*? (\d+) ", f"{text_of(shown)} ")
    assert line is not None
    assert int(line[1]) == first.derived_ranks["women"]
    assert f'/lists/fmjd-100/{first.in_force}/r1/women/"' in shown
