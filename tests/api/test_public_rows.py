"""The rows that the API has of titles, federations, players, lists and certificates: those of the pages and files."""

import csv
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from ratings.models import RatingList
from reporting.models import Federation, PlayerTitle
from titles.models import Norm

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season_shared"),
]

LIST = ("fmjd-100", "2026-10-01", 1)
ENTRIES = "/api/v1/lists/fmjd-100/2026-10-01/r1/entries/"
TOURNAMENT = "2026-european-championship"


def test_titles_and_norms_are_those_of_the_pages(client: Client) -> None:
    held = PlayerTitle.objects.held_on(timezone.localdate()).filter(title="GMI", discipline="100")
    rows = client.get("/api/v1/titles/", {"title": "GMI", "discipline": "100", "limit": 500}).json()
    assert sorted(row["player"] for row in rows["results"]) == sorted(one.player.address for one in held)
    assert client.get(rows["results"][0]["certificate"]).status_code == 200
    norms = client.get("/api/v1/norms/", {"limit": 500}).json()
    assert norms["count"] == len(norms["results"]) > 0
    one = client.get(norms["results"][0]["url"]).json()
    assert {name: one[name] for name in norms["results"][0]} == norms["results"][0]
    assert all(row["article"] and row["asks"]["code"] for row in one["requirements"])
    ledger = client.get(f"/api/v1/players/{one['player']}/titles/").json()
    assert one["id"] in {norm["id"] for of_discipline in ledger for norm in of_discipline["norms"]}
    of_tournament = client.get("/api/v1/norms/", {"tournament": one["tournament"]}).json()
    assert {norm["tournament"] for norm in of_tournament["results"]} == {one["tournament"]}
    of_player = client.get("/api/v1/norms/", {"player": one["player"]}).json()
    assert one in [row | {"requirements": one["requirements"]} for row in of_player["results"]]
    assert {norm["player"] for norm in of_player["results"]} == {one["player"]}
    # A near miss is public by its number; what is decided on a draft is not.
    hidden = Norm.objects.exclude(list__state="published").first()
    assert hidden is None or client.get(f"/api/v1/norms/{hidden.pk}/").status_code == 404
    assert client.get("/api/v1/norms/999999/").status_code == 404


def test_crosstable_and_federations_are_those_of_the_pages(client: Client) -> None:
    table = client.get(f"/api/v1/tournaments/{TOURNAMENT}/crosstable/", {"limit": 500}).json()["results"]
    by_number = {row["number"]: row for row in table}
    for row in table:
        assert row["points"] == sum(game["points"] for game in row["games"])
        for game in row["games"]:
            other = by_number.get(game["opponent"])
            against = (
                [each["opponent"] for each in other["games"] if each["round"] == game["round"]]
                if other
                else []
            )
            assert other is None or row["number"] in against
    every = client.get("/api/v1/federations/", {"limit": 500}).json()
    assert every["count"] == Federation.objects.count()
    dutch = client.get("/api/v1/federations/NED/").json()
    ranking = client.get(f"{dutch['rankings'][0]['list']['url']}federations/").json()
    (own,) = (row for row in ranking["all_players"] if row["code"] == "NED")
    assert (own["rank"], own["mean"]) == (dutch["rankings"][0]["rank"], dutch["rankings"][0]["mean"])
    assert client.get("/api/v1/federations/QQQ/").status_code == 404


def rows_of(client: Client, address: str, **query: Any) -> list[dict[str, Any]]:
    answer = client.get(address, {"limit": 500, **query}).json()
    assert answer["count"] == len(answer["results"])
    rows: list[dict[str, Any]] = answer["results"]
    return rows


def test_the_games_of_a_player_are_those_of_the_file_and_add_up(client: Client) -> None:
    games = rows_of(client, "/api/v1/players/13368/games/")
    printed = csv.DictReader(client.get("/players/13368/games.csv").text.splitlines())
    assert [
        (game["tournament"], game["list"]["pool"], game["opponent_name"] or "", game["counted"])
        for game in games
    ] == [(row["tournament"], row["pool"], row["opponent_name"], row["counted"] == "1") for row in printed]
    played = rows_of(client, "/api/v1/players/13368/tournaments/")
    assert sum(one["games"] for one in played) == len(games)
    assert sum(one["points"] for one in played) == sum(game["points"] for game in games)
    first = played[0]
    shown = rows_of(client, f"{first['url']}entries/")
    (own,) = (entry for entry in shown if entry["player"] == "13368")
    assert (own["number"], own["place"], own["points"]) == (
        first["number"], first["final_place"], first["points"],
    )  # fmt: skip
    assert first["change"] in [rating["change"] for rating in own["ratings"]]
    # By result and colour, from the games alone.
    met: dict[str, list[int]] = {}
    for game in games:
        if game["played"] and game["opponent_name"]:
            met.setdefault(game["opponent_name"], []).append(game["points"])
    opponents = rows_of(client, "/api/v1/players/13368/opponents/")
    assert {row["name"]: (row["won"], row["drawn"], row["lost"]) for row in opponents} == {
        name: (points.count(2), points.count(1), points.count(0)) for name, points in met.items()
    }
    assert [row["games"] for row in opponents] == sorted((len(own) for own in met.values()), reverse=True)
    one_year = rows_of(client, "/api/v1/players/13368/tournaments/", year=2026, pool="fmjd-100")
    assert one_year == [
        one for one in played if one["played_to"].startswith("2026") and one["list"]["pool"] == "fmjd-100"
    ]


def test_the_records_of_a_player_are_those_of_the_history_and_the_games(client: Client) -> None:
    records = client.get("/api/v1/players/13368/records/").json()
    history = client.get("/api/v1/players/13368/history/").json()
    for pool in records["pools"]:
        own = [entry for entry in history if entry["pool"] == pool["pool"]]
        assert pool["highest"] == max(entry["rating"] for entry in own)
        (official,) = (rank for rank in pool["ranks"] if rank["ranking"] == "official")
        assert official["best"] == min(entry["official_rank"] for entry in own if entry["official_rank"])
    games = rows_of(client, "/api/v1/players/13368/games/")
    won = [game for game in games if game["counted"] and game["points"] == 2]
    assert records["best_win"]["opponent_rating"] == max(game["opponent_rating"] for game in won)
    of_white = [game["points"] for game in games if game["played"] and game["colour"] == "white"]
    assert records["score_white"] == {
        "games": len(of_white), "won": of_white.count(2), "drawn": of_white.count(1), "lost": of_white.count(0),
    }  # fmt: skip
    played = rows_of(client, "/api/v1/players/13368/tournaments/")
    changes = [one["change"] for one in played if one["change"] is not None]
    assert records["largest_gain"]["change"] == max(changes)


def test_players_are_found_by_ids_federation_rating_and_title(client: Client) -> None:
    rows = RatingList.objects.get(pool__code="fmjd-100", in_force=LIST[1]).rows
    strong = rows.filter(federation="NED", rating__range=(2200, 2300))
    query = {"pool": "fmjd-100", "federation": "NED", "min_rating": 2200, "max_rating": 2300}
    found = rows_of(client, "/api/v1/players/", **query)
    assert [row["name"] for row in found] == [*strong.order_by("sort_name").values_list("name", flat=True)]
    ids = {row["player"] for row in rows_of(client, "/api/v1/players/", ids="18641,13368,99999999,knsb-1")}
    assert ids == {"18641", "13368"}
    holders = PlayerTitle.objects.held_on(timezone.localdate()).filter(title="GMI")
    titled = rows_of(client, "/api/v1/players/", title="GMI")
    assert titled
    assert {row["player"] for row in titled} <= {one.player.address for one in holders}
    refused = client.get(
        "/api/v1/players/", {"ids": "13368,", "title": "king", "federation": "ned", "min_rating": -1}
    )
    assert {finding["field"] for finding in refused.json()["findings"]} == {
        "ids", "title", "federation", "min_rating",
    }  # fmt: skip


def test_the_filters_of_one_reader_are_not_those_of_the_next(client: Client) -> None:
    """The filter set of a list is made once for all readers."""
    every = client.get(ENTRIES, {"limit": 500}).json()
    dutch = client.get(ENTRIES, {"limit": 500, "federation": "NED", "sort": "name"}).json()
    assert {row["federation"] for row in dutch["results"]} == {"NED"}
    assert dutch["count"] < every["count"]
    refused = client.get(ENTRIES, {"federation": "ned", "title": "king", "variant": "unknown"})
    assert {finding["field"] for finding in refused.json()["findings"]} == {"federation", "title", "variant"}
    assert client.get(ENTRIES, {"limit": 499}).json()["results"] == every["results"][:499]
    women = client.get(ENTRIES, {"limit": 500, "variant": "women"}).json()["results"]
    assert {row["sex"] for row in women} == {"W"}


@pytest.mark.parametrize("variant", ["official", "full"])
@pytest.mark.parametrize("sort", ["-rating", "rating", "name", "-name"])
def test_rows_at_places_are_those_of_the_whole_order(client: Client, variant: str, sort: str) -> None:
    """Ranges of positions, in both directions, and an order without one, beside the rows sorted by hand."""
    rows = RatingList.objects.get(pool__code=LIST[0], in_force=LIST[1]).rows
    if variant == "official":
        rows = rows.filter(official_position__isnull=False)
    order = {"-rating": "position", "rating": "-position", "name": "name_position", "-name": "-name_position"}
    numbers = list(rows.order_by(order[sort]).values_list("register_number", flat=True))
    for first in (0, 7, len(numbers) - 3, len(numbers)):
        query = {"variant": variant, "sort": sort, "offset": first, "limit": 5}
        answer = client.get(ENTRIES, query).json()
        assert [row["fmjd_id"] for row in answer["results"]] == numbers[first : first + 5]
        assert answer["count"] == len(numbers)


def test_the_search_finds_each_kind(client: Client) -> None:
    found = client.get("/api/v1/search/", {"q": "netherlands"}).json()
    assert [row["code"] for row in found["federations"]] == ["NED"]
    assert found["tournament_count"] >= len(found["tournaments"]) > 0
    (first, *_) = found["tournaments"]
    assert client.get(first["url"]).json()["country"] == first["country"] == "NED"
    by_number = client.get("/api/v1/search/", {"q": "13368", "limit": 1}).json()
    assert [row["player"] for row in by_number["players"]] == ["13368"]
    assert (by_number["player_count"], by_number["tournaments"], by_number["federations"]) == (1, [], [])
    assert client.get("/api/v1/search/").json()["player_count"] == 0


def test_two_lists_are_compared_row_by_row(client: Client) -> None:
    before, after = (
        dict(
            RatingList.objects.get(pool__code="fmjd-100", in_force=day).rows.values_list(
                "register_number", "rating"
            )
        )
        for day in ("2026-07-01", "2026-10-01")
    )
    compare = "/api/v1/lists/fmjd-100/compare/"
    answer = client.get(compare, {"a": "2026-07-01-r1", "b": "2026-10-01-r1", "limit": 500}).json()
    assert (answer["before"]["in_force"], answer["after"]["in_force"]) == ("2026-07-01", "2026-10-01")
    gains = {
        number: after[number] - before[number] for number in after if after[number] > before.get(number, 9999)
    }
    assert answer["gains"] == answer["count"] == len(gains)
    read = {row["fmjd_id"]: row["rating_after"] - row["rating_before"] for row in answer["results"]}
    assert read == gains
    assert [*read.values()] == sorted(read.values(), reverse=True)
    assert answer["new"] == len(after.keys() - before.keys())
    gone = client.get(
        compare, {"a": "2026-10-01-r1", "b": "2026-07-01-r1", "part": "gone", "limit": 1}
    ).json()
    assert gone["count"] == answer["new"]
    assert (gone["results"][0]["rating_after"], gone["results"][0]["player"] is None) == (None, False)
    second = client.get(gone["next"]).json()["results"]
    assert second != gone["results"]
    by_default = client.get(compare, {"limit": 1}).json()
    assert "a=2026-07-01-r1&b=2026-10-01-r1" in by_default["next"], "also once there is a newer list"


def test_a_certificate_is_verified_by_its_code(client: Client) -> None:
    title = client.get("/api/v1/titles/", {"title": "GMI", "limit": 1}).json()["results"][0]
    code = title["certificate"].split("/")[-2]
    answer = client.get(f"/api/v1/certificates/{code}/").json()
    assert (answer["code"], answer["validity"], answer["name"]) == (code, "valid", title["name"])
    assert (answer["title"], answer["discipline"], answer["day"], answer["page"]) == (
        title["title"], title["discipline"], title["registered_on"], title["certificate"],
    )  # fmt: skip
