"""The API over the demonstration: what it answers, what it refuses, what may be kept."""

import csv
import re
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils.http import http_date

from ratings.models import RatingList
from ratings.published.api.tournaments import standings
from reporting.models import PersonalData, Player
from reporting.reports.views.check_file import example_file
from reporting.web.access import UPLOAD
from reporting.web.api import throttling

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
    "api-index": (), "api-pools": (), "api-lists": (), "api-list-in-force": LIST[:1], "api-list": LIST[:2],
    "api-list-revision": LIST, "api-entries": LIST, "api-ranking": LIST, "api-differences": LIST,
    "api-lists-compare": LIST[:1], "api-players": (), "api-player": (13368,), "api-player-history": (13368,),
    "api-player-changes": (13368, *LIST[:2]), "api-player-tournaments": (13368,), "api-player-games": (13368,),
    "api-player-opponents": (13368,), "api-player-records": (13368,), "api-search": (), "api-sources": (),
    "api-youth-championships": (), "api-youth-teams": (2026, "classic"), "api-tournaments": (), "api-waiting": (),
    "api-tournament": (TOURNAMENT,), "api-tournament-entries": (TOURNAMENT,), "api-tournament-games": (TOURNAMENT,),
    "api-tournament-standings": (TOURNAMENT,), "api-tournament-crosstable": (TOURNAMENT,), "api-calendar": (),
    "api-changes": (), "api-federations": (), "api-federation": ("NED",), "api-titles": (), "api-norms": (),
    "api-champions": (), "api-world-cup": (), "api-championships": (), "api-player-titles": (13368,),
    "api-findings": (), "api-refusals": (), "api-rulings": (), "api-parameters": (),
}  # fmt: skip


def addresses() -> list[str]:
    return [reverse(name, args=arguments) for name, arguments in ARGUMENTS.items()]


def test_every_endpoint_is_asked() -> None:
    known = {str(name) for name in get_resolver().reverse_dict if str(name).startswith("api-")}
    # test_reports_by_token.py, test_prediction.py, test_decisions_by_token.py, test_tokens.py
    by_token = ("api-report", "api-check", "api-predict", "api-announcement", "api-decisions", "api-webhook")
    public = {name for name in known if not name.startswith(by_token)}
    # test_published_world_cup.py
    of_publications = ("api-classification", "api-participants", "api-reserves")
    others = {"api-schema", "api-not-found", "api-norm", "api-certificate"}
    assert {name for name in public - others if not name.startswith(of_publications)} == set(ARGUMENTS)


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


def test_standings_that_a_program_has_are_kept(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"/api/v1/tournaments/{TOURNAMENT}/standings/"
    first = client.get(address)
    monkeypatch.delattr(standings, "classified")
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
        ("limit=501", ["limit"]), ("limit=0&offset=-1", ["limit", "offset"]),
        ("offset=99999999999999999999999999", ["offset"]), ("limit=1.0&offset=%2B0", ["limit", "offset"]),
        ("limit=5&limit=6", ["limit"]), ("limit=&category=", ["limit", "category"]), ("page=2", ["page"]),
        ("federation=ned&sort=shoe-size", ["federation", "sort"]),
        ("variant=giants&age=old&players=all&category=Z", ["variant", "players", "age", "category"]),
        ("title=XX&activity=ever", ["title", "activity"]),
        ("q=%00", ["q"]),
        ("q=%ED%A0%80", ["q"]),
        (f"q={'a' * 81}", ["q"]),
    ],
)  # fmt: skip
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
        ("/api/v1/players/13368/opponents/?sort=fame",
         "This must be one of name, -name, games, -games, score, -score, last, -last."),
        (f"/api/v1/tournaments/{TOURNAMENT}/standings/?edition=1", "This must be one of 2023, 2026-03."),
        ("/api/v1/tournaments/?players=all", "This must be one of women, youth."),
        ("/api/v1/tournaments/?country=XX", "This value is not known here."),
        (f"/api/v1/tournaments/{TOURNAMENT}/games/?cursor=1",
         "This is no cursor: follow `next` of the page before."),
        ("/api/v1/titles/?former=yes", "This must be one of on."),
        *(
            (f"/api/v1/{path}/?pool=fmjd-10", "There is no such pool. /api/v1/pools/ has them all.")
            for path in ("lists", "players", "norms", "players/13368/tournaments", "players/13368/games")
        ),
        ("/api/v1/norms/?tournament=2026-x", "No published list counts a tournament with this code."),
        ("/api/v1/norms/?player=99999999", "There is no such player on a published list."),
    ],
)  # fmt: skip
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
        ("lists/fmjd-100/2026-10-01/r9/entries/", "There is no such published list. /api/v1/lists/ has them all."),
        ("players/99999999/", "There is no such player on a published list."),
        ("players/99999999/titles/", "There is no such player on a published list."),
        ("players/13368/changes/fmjd-64/2026-07-01/",
         "There is no such player on a published list of this pool and day."),
        ("tournaments/nope/games/", "No published list counts a tournament with this code."),
        (f"tournaments/{TOURNAMENT}/standings/?round=50", "The tournament has 9 rounds."),
        ("federations/QQQ/", "There is no such federation in the register."),
        ("norms/999999/", "There is no such norm of a published list."),
        ("players/99999999/games/", "There is no such player on a published list."),
        ("lists/fmjd-11/compare/", "There is no such published list. /api/v1/lists/ has them all."),
        ("certificates/T1-AAAAAAAA/", "There is no certificate with this code."),
    ],
)  # fmt: skip
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
    monkeypatch.setattr(throttling, "MAX_REQUESTS", 2)
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
