"""The API over the demonstration: what it answers, what it refuses, what may be kept."""

import csv
import re
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone
from django.utils.http import http_date

from ratings.models import RatingList
from ratings.published.api import tournaments
from reporting.models import Federation, PersonalData, Player, PlayerTitle
from reporting.reports.views.check_file import example_file
from reporting.web import api
from reporting.web.access import UPLOAD
from titles.models import Norm

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season_shared"),
]

LIST = ("fmjd-100", "2026-10-01", 1)
ENTRIES = "/api/v1/lists/fmjd-100/2026-10-01/r1/entries/"
TOURNAMENT = "2026-european-championship"
E_MAIL = re.compile(r"[\w.]@\w+\.\w")
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "api-index": (),
    "api-pools": (),
    "api-lists": (),
    "api-list-in-force": LIST[:1],
    "api-list": LIST[:2],
    "api-list-revision": LIST,
    "api-entries": LIST,
    "api-ranking": LIST,
    "api-differences": LIST,
    "api-lists-compare": LIST[:1],
    "api-players": (),
    "api-player": (13368,),
    "api-player-history": (13368,),
    "api-player-changes": (13368, *LIST[:2]),
    "api-player-tournaments": (13368,),
    "api-player-games": (13368,),
    "api-player-opponents": (13368,),
    "api-player-records": (13368,),
    "api-search": (),
    "api-sources": (),
    "api-tournaments": (),
    "api-waiting": (),
    "api-tournament": (TOURNAMENT,),
    "api-tournament-entries": (TOURNAMENT,),
    "api-tournament-games": (TOURNAMENT,),
    "api-tournament-standings": (TOURNAMENT,),
    "api-tournament-crosstable": (TOURNAMENT,),
    "api-calendar": (),
    "api-changes": (),
    "api-federations": (),
    "api-federation": ("NED",),
    "api-titles": (),
    "api-norms": (),
    "api-player-titles": (13368,),
    "api-findings": (),
    "api-refusals": (),
    "api-rulings": (),
    "api-parameters": (),
}


def addresses() -> list[str]:
    return [reverse(name, args=arguments) for name, arguments in ARGUMENTS.items()]


def test_every_endpoint_is_asked() -> None:
    known = {str(name) for name in get_resolver().reverse_dict if str(name).startswith("api-")}
    # test_reports_by_token.py, test_prediction.py, test_decisions_by_token.py, test_tokens.py
    by_token = ("api-report", "api-check", "api-predict", "api-announcement", "api-decisions", "api-webhook")
    public = {name for name in known if not name.startswith(by_token)}
    assert public - {"api-schema", "api-not-found", "api-norm", "api-certificate"} == set(ARGUMENTS)


def test_an_answer_is_the_same_for_all_and_is_kept(client: Client) -> None:
    for address in addresses():
        first = client.get(address)
        assert first.status_code == 200, address
        assert first["Content-Type"] == "application/json"
        assert first["Access-Control-Allow-Origin"] == "*"
        assert first["Cache-Control"].startswith("public, max-age=")
        assert "Cookie" not in first.get("Vary", "")
        assert not first.cookies
        assert '""' not in first.text, "null for nothing"
        again = client.get(address, headers={"If-None-Match": first["ETag"]})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
        client.cookies["sessionid"] = "of-another-browser"
        assert client.get(address).content == first.content
        client.cookies.clear()


def test_entries_are_those_of_the_page_in_its_order(client: Client) -> None:
    rows = RatingList.objects.get(pool__code="fmjd-100", in_force=LIST[1]).rows
    dutch = rows.filter(official_position__isnull=False, federation="NED").order_by("official_position")
    expected = list(dutch.values_list("register_number", "rating", "name"))
    answer = client.get(ENTRIES, {"federation": "NED", "limit": 500}).json()
    assert [(row["fmjd_id"], row["rating"], row["name"]) for row in answer["results"]] == expected
    assert (answer["count"], answer["next"], answer["previous"]) == (len(expected), None, None)
    women = client.get(ENTRIES, {"variant": "women", "sort": "name", "limit": 500}).json()
    names = rows.filter(sex="W").order_by("name_position").values_list("name", flat=True)
    assert [row["name"] for row in women["results"]] == list(names)


def test_pages_of_rows_follow_one_another(client: Client) -> None:
    whole = client.get(ENTRIES, {"variant": "full", "limit": 500}).json()
    numbers = [row["fmjd_id"] for row in whole["results"]]
    address, found, before = f"{ENTRIES}?variant=full&limit=90", [], None
    while address:
        answer = client.get(address).json()
        assert answer["previous"] == before
        found += [row["fmjd_id"] for row in answer["results"]]
        before = f"http://testserver{ENTRIES}?variant=full&limit=90&offset={max(len(found) - 90, 0)}"
        address = answer["next"]
    assert len(found) == whole["count"] == len(set(found))
    assert found[:500] == numbers
    past = client.get(ENTRIES, {"offset": 100_000}).json()
    assert (past["results"], past["next"], past["count"]) == ([], None, 567)


def test_games_come_by_a_cursor_each_once(client: Client) -> None:
    address, games = f"/api/v1/tournaments/{TOURNAMENT}/games/?limit=50", []
    while address:
        answer = client.get(address).json()
        assert len(answer["results"]) <= 50
        games += answer["results"]
        address = answer["next"]
    rounds = [game["round"] for game in games]
    assert rounds == sorted(rounds)
    entries = client.get(f"/api/v1/tournaments/{TOURNAMENT}/entries/", {"limit": 500}).json()["results"]
    points = {entry["number"]: 0 for entry in entries}
    for game in games:
        for side in ("white", "black"):
            if game[side] is not None:
                points[game[side]] += game[f"{side}_points"]
    assert points == {entry["number"]: entry["points"] for entry in entries}


def test_standings_have_the_values_behind_the_places(client: Client) -> None:
    address = f"/api/v1/tournaments/{TOURNAMENT}/standings/"
    rows = client.get(address, {"tie_breaks": "solkoff,wins"}).json()
    order = [(-row["points"], -row["tie_breaks"]["solkoff"], -row["tie_breaks"]["wins"]) for row in rows]
    assert order == sorted(order)
    assert [row["place"] for row in rows] == [1 + sum(other < own for other in order) for own in order]
    after = client.get(address, {"tie_breaks": "wins", "round": 1}).json()
    assert max(row["points"] for row in after) == 2
    unknown = client.get(address, {"tie_breaks": "elo"})
    assert unknown.status_code == 400
    assert "solkoff, median, short" in unknown.json()["findings"][0]["message"]
    refused = client.get(address, {"tie_breaks": "plus", "unplayed": "virtual"})
    assert (refused.status_code, refused.json()["code"]) == (409, "tie_break_not_defined")
    refused = client.get(address, {"tie_breaks": "boards"})
    assert (refused.status_code, refused.json()["code"]) == (409, "tie_break_of_teams")


def test_standings_that_a_program_has_are_not_calculated_again(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"/api/v1/tournaments/{TOURNAMENT}/standings/"
    first = client.get(address)
    monkeypatch.delattr(tournaments, "classified")
    assert client.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 304


@pytest.mark.parametrize(
    "address", ["/api/v1/players/", "/api/v1/titles/", "/api/v1/tournaments/", "/api/v1/search/"]
)
@pytest.mark.parametrize("typed", ["a" * 81, "\0", "---"])
def test_a_search_that_cannot_be_used_is_one_finding(client: Client, address: str, typed: str) -> None:
    refused = client.get(address, {"q": typed})
    assert refused.status_code == 400
    assert [finding["field"] for finding in refused.json()["findings"]] == ["q"]


@pytest.mark.parametrize(
    ("address", "name", "number"),
    [
        (f"/api/v1/tournaments/{TOURNAMENT}/games/", "limit", "5"),
        (f"/api/v1/tournaments/{TOURNAMENT}/standings/", "round", "5"),
        ("/api/v1/titles/", "year", "2026"),
    ],
)
def test_a_number_is_written_with_digits_alone(client: Client, address: str, name: str, number: str) -> None:
    assert client.get(address, {name: number}).status_code == 200
    for written in (f"{number}.0", f"+{number}"):
        refused = client.get(address, {name: written})
        assert refused.status_code == 400, written
        assert [finding["field"] for finding in refused.json()["findings"]] == [name]


def test_the_changes_of_a_player_carry_their_articles(client: Client) -> None:
    answer = client.get("/api/v1/players/13368/changes/fmjd-100/2026-10-01/").json()
    assert (answer["rating"], answer["previous"]) == (2430, 2429)
    steps = answer["changes"][0]["steps"]
    assert steps[0] == {
        "code": "own", "symbol": "Ro", "working": None, "result": "2429", "article": "5.2", "rulings": ["R8"],
        "list": None, "notes": [],
    }  # fmt: skip
    assert all(step["article"] or step["rulings"] for step in steps)
    assert (answer["total"]["code"], answer["total"]["result"]) == ("new_rating", "2430")
    assert (answer["based_on"], answer["carried"]) == (None, [])


@pytest.mark.parametrize("number", [13368, 16376, 18641])
def test_the_figures_of_a_change_are_those_of_the_published_file(client: Client, number: int) -> None:
    table = client.get("/lists/fmjd-100/2026-10-01/r1/files/changes.csv").text
    printed = [row for row in csv.DictReader(table.splitlines()) if row["fmjd_id"] == str(number)]
    changes = client.get(f"/api/v1/players/{number}/changes/fmjd-100/2026-10-01/").json()["changes"]
    is_scaled = re.compile(r"[−-]?[0-9]+\.[0-9]{4}").fullmatch
    printed = [
        {name: float(value.replace("−", "-")) if is_scaled(value) else value for name, value in row.items()}
        for row in printed
    ]
    read = [
        {"fmjd_id": str(number), "tournament": change["tournament"]}
        | {
            name: "" if value is None else value if isinstance(value, float) else str(value)
            for name, value in change["figures"].items()
        }
        for change in changes
        if change["figures"]
    ]
    assert read == printed != []


def test_a_remark_next_to_a_calculation_is_said_by_its_code(client: Client) -> None:
    table = client.get("/lists/fmjd-100/2026-10-01/r1/files/changes.csv").text
    assert {"code": "first_result", "values": {}} in (
        note
        for row in csv.DictReader(table.splitlines())
        if row["method"] == "provisional"
        for change in client.get(f"/api/v1/players/{row['fmjd_id']}/changes/{LIST[0]}/{LIST[1]}/").json()[
            "changes"
        ]
        for step in change["steps"]
        for note in step["notes"]
    )


def test_the_numbers_of_the_regulations_are_numbers(client: Client) -> None:
    """Annex 9 art. 3.2.3 (K), 1.2.2 (development percentages), 6.1 (closing dates)."""
    edition = client.get("/api/v1/parameters/").json()[0]
    numbers = edition["parameters"]
    assert (numbers["k_new"], numbers["k_standard"], numbers["k_reached"]) == (25, 15, 10)
    assert numbers["classical_development"] == [[7200, 100], [5400, 60], [3600, 40], [1800, 20]]
    assert numbers["closing_days"][0] == [[3, 15], [4, 1]]
    assert [one["name"] for one in numbers["derived_lists"]][:2] == ["women", "juniors"]


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ("limit=501", ["limit"]),
        ("limit=0&offset=-1", ["limit", "offset"]),
        ("offset=99999999999999999999999999", ["offset"]),
        ("limit=1.0&offset=%2B0", ["limit", "offset"]),
        ("limit=5&limit=6", ["limit"]),
        ("limit=&category=", ["limit", "category"]),
        ("page=2", ["page"]),
        ("federation=ned&sort=shoe-size", ["federation", "sort"]),
        ("variant=giants&age=old&players=all&category=Z", ["variant", "players", "age", "category"]),
        ("title=XX&activity=ever", ["title", "activity"]),
        ("q=%00", ["q"]),
        ("q=%ED%A0%80", ["q"]),
        (f"q={'a' * 81}", ["q"]),
    ],
)
def test_parameters_that_cannot_be_used_are_named(client: Client, query: str, fields: list[str]) -> None:
    response = client.get(f"{ENTRIES}?{query}")
    answer = response.json()
    assert (response.status_code, answer["code"]) == (400, "bad_request")
    assert sorted(finding["field"] for finding in answer["findings"]) == sorted(fields)
    assert all(name in answer["message"] for name in fields)
    assert response["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("/api/v1/lists/fmjd-100/compare/?a=2026-10-01-r9", "This pool has no such list."),
        ("/api/v1/players/?federation=Ned", "This must be like ^[A-Z]{3}$."),
        (
            "/api/v1/players/13368/opponents/?sort=fame",
            "This must be one of name, -name, games, -games, score, -score, last, -last.",
        ),
        (f"/api/v1/tournaments/{TOURNAMENT}/standings/?edition=1", "This must be one of 2023, 2026-03."),
        ("/api/v1/tournaments/?players=all", "This must be one of women, youth."),
        ("/api/v1/tournaments/?country=XX", "This value is not known here."),
        (
            f"/api/v1/tournaments/{TOURNAMENT}/games/?cursor=1",
            "This is no cursor: follow `next` of the page before.",
        ),
        ("/api/v1/titles/?former=yes", "This must be one of on."),
        *(
            (f"/api/v1/{path}/?pool=fmjd-10", "There is no such pool. /api/v1/pools/ has them all.")
            for path in ("lists", "players", "norms", "players/13368/tournaments", "players/13368/games")
        ),
        ("/api/v1/norms/?tournament=2026-x", "No published list counts a tournament with this code."),
        ("/api/v1/norms/?player=99999999", "There is no such player on a published list."),
    ],
)
def test_what_a_parameter_can_be_is_said(client: Client, query: str, message: str) -> None:
    answer = client.get(query)
    assert (answer.status_code, [one["message"] for one in answer.json()["findings"]]) == (400, [message])


@pytest.mark.parametrize(
    ("method", "address", "accept", "status", "code"),
    [
        ("GET", "/api/v1/nothing/", "*/*", 404, "not_found"),
        ("GET", "/api/", "*/*", 404, "not_found"),
        ("GET", "/api/v2/lists/", "*/*", 404, "not_found"),
        ("GET", "/api/v1/players/99999999/", "*/*", 404, "not_found"),
        ("GET", "/api/v1/lists/fmjd-100/2026-10-02/", "*/*", 404, "not_found"),
        ("GET", "/api/v1/lists/fmjd-100/2026-02-30/", "*/*", 404, "not_found"),
        ("POST", "/api/v1/pools/", "*/*", 405, "method_not_allowed"),
        ("DELETE", "/api/v1/pools/", "*/*", 405, "method_not_allowed"),
        ("GET", "/api/v1/pools/", "text/html", 406, "not_acceptable"),
    ],
)
def test_every_error_has_one_form(  # noqa: PLR0917
    client: Client, method: str, address: str, accept: str, status: int, code: str
) -> None:
    response = client.generic(method, address, headers={"Accept": accept})
    assert response.status_code == status
    answer = response.json()
    assert (answer["code"], answer["findings"]) == (code, [])
    assert answer["message"]
    assert set(answer) == {"code", "message", "findings"}


def test_an_error_before_an_endpoint_is_asked_has_that_form_too(client: Client) -> None:
    answer = client.get("/api/v1/pools/", headers={"Host": "other.example"})
    assert (answer.status_code, answer.json()["code"], answer.json()["findings"]) == (400, "bad_request", [])


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("nothing/", "There is no such address. /reference/api/ has them all."),
        ("lists/fmjd-11/", "There is no such published list. /api/v1/lists/ has them all."),
        (
            "lists/fmjd-100/2026-10-01/r9/entries/",
            "There is no such published list. /api/v1/lists/ has them all.",
        ),
        ("players/99999999/", "There is no such player on a published list."),
        ("players/99999999/titles/", "There is no such player on a published list."),
        (
            "players/13368/changes/fmjd-64/2026-07-01/",
            "There is no such player on a published list of this pool and day.",
        ),
        ("tournaments/nope/games/", "No published list counts a tournament with this code."),
        (f"tournaments/{TOURNAMENT}/standings/?round=50", "The tournament has 9 rounds."),
        ("federations/QQQ/", "There is no such federation in the register."),
        ("norms/999999/", "There is no such norm of a published list."),
        ("players/99999999/games/", "There is no such player on a published list."),
        ("lists/fmjd-11/compare/", "There is no such published list. /api/v1/lists/ has them all."),
        ("certificates/T1-AAAAAAAA/", "There is no certificate with this code."),
    ],
)
def test_a_404_says_what_there_is_not(client: Client, address: str, message: str) -> None:
    answer = client.get(f"/api/v1/{address}")
    assert (answer.status_code, answer.json()["message"]) == (404, message)


def test_answers_about_a_list_have_the_instant_of_its_publication(client: Client) -> None:
    rating_list = RatingList.objects.get(pool__code="fmjd-100", in_force=LIST[1])
    assert rating_list.published_at is not None
    for address in (
        "lists/fmjd-100/", "lists/fmjd-100/2026-10-01/r1/", "lists/fmjd-100/2026-10-01/r1/entries/",
        "lists/fmjd-100/2026-10-01/r1/federations/", "players/13368/changes/fmjd-100/2026-10-01/",
    ):  # fmt: skip
        answer = client.get(f"/api/v1/{address}")
        assert answer["Last-Modified"] == http_date(rating_list.published_at.timestamp()), address


def test_a_script_of_another_site_may_send_an_etag(client: Client) -> None:
    asked = {"Origin": "https://club.example", "Access-Control-Request-Method": "GET"}
    headers = asked | {"Access-Control-Request-Headers": "if-none-match"}
    answer = client.options("/api/v1/pools/", headers=headers)
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "If-None-Match" in answer["Access-Control-Allow-Headers"]
    assert "POST" not in answer["Access-Control-Allow-Methods"]
    assert "Access-Control-Allow-Credentials" not in answer
    assert client.options("/api/v1/pools/").status_code == 405
    check = client.options("/api/v1/check/", headers={**asked, "Access-Control-Request-Method": "POST"})
    assert (check.status_code, check["Access-Control-Allow-Methods"]) == (204, "POST")
    assert "RateLimit-Remaining" not in check, "a preflight is not counted"
    checked = client.post("/api/v1/check/", {"file": SimpleUploadedFile("open.txt", example_file("clean"))})
    assert (checked.status_code, checked["Access-Control-Allow-Origin"]) == (200, "*")
    assert "Access-Control-Allow-Credentials" not in checked
    too_large = client.post("/api/v1/check/", b"x" * (UPLOAD + 1), content_type="multipart/form-data")
    assert (too_large.status_code, too_large["Access-Control-Allow-Origin"]) == (413, "*")
    assert client.get("/api/v1/check/")["Allow"] == "POST"
    # Writing is for programs, not for the scripts of other sites.
    assert "Access-Control-Allow-Origin" not in client.options("/api/v1/reports/", headers=headers)


def test_a_source_has_so_many_requests(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(api, "MAX_REQUESTS", 2)
    left = [client.get("/api/v1/pools/")["RateLimit-Remaining"] for _ in range(2)]
    assert left == ["1", "0"]
    refused = client.get("/api/v1/pools/")
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")
    assert (refused["RateLimit-Limit"], refused["RateLimit-Remaining"]) == ("2", "0")
    assert 0 < int(refused["RateLimit-Reset"]) == int(refused["Retry-After"]) <= 900
    other = client.get("/api/v1/pools/", REMOTE_ADDR="192.0.2.7")
    assert other.status_code == 200
    cache.clear()


def test_no_answer_has_a_date_of_birth_or_an_address_for_mail(client: Client) -> None:
    player = Player.objects.at_address("13368")
    assert player is not None
    PersonalData.objects.update_or_create(player=player, defaults={"born": f"{player.birth_year}-02-17"})
    for address in addresses():
        text = client.get(address).text
        assert "-02-17" not in text, address
        assert not E_MAIL.search(text), address


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
        first["number"],
        first["final_place"],
        first["points"],
    )
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
