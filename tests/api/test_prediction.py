"""What a tournament would bring: changes by the engine, norms by the rules, all faults at once, nothing stored."""

from typing import Any

import pytest
from django.apps import apps
from django.test import Client

from ratings.models import PlayerHistory, RatingList
from reporting.models import Game, Player, ResultSet
from reporting.rules.findings.finding_list import MAX_FINDINGS
from titles.forecasts.api import sent_tournament
from titles.models import Norm

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season_shared", "cleared_rate_limits"),
]

DETAILS = {"discipline": "100", "time_control": "80+60", "rounds": 1, "country": "NED"}


def ask(client: Client, sent: Any) -> Any:
    return client.post("/api/v1/predict/", sent, content_type="application/json")


def game(white: int, black: int, points: int, turn: int = 1, **more: Any) -> dict[str, Any]:
    return {
        "round": turn, "white": white, "black": black, "white_points": points, "black_points": 2 - points, **more,
    }  # fmt: skip


def test_players_with_ratings_change_as_the_article_says(client: Client) -> None:
    """Own 2000 against 2000: Pe 50 %, one game, We 1. Won: K 15, 0.5 x 15 x (2 - 1) = 7.5, so 2007.5 -> 2008; lost
    the same down, 1992.5 -> 1993 (half upwards, R9). A forfeit of 3 and 4 counts nothing (R8). 5 has no rating: a win
    against 2000 makes Rp 2000 + 935, limited to 2400 (R4, R7), and changes nothing for 6.
    """
    players = [{"number": number, "rating": 2000} for number in (1, 2, 3, 4, 6)]
    sent = {
        "details": DETAILS,
        "players": [*players, {"number": 5, "name": "Nova", "sex": "W", "federation": "BEL"}],
        "games": [game(1, 2, 2), game(3, 4, 2, played=False), game(5, 6, 2)],
    }
    answer = ask(client, sent)
    assert (answer.status_code, answer["Cache-Control"]) == (200, "private, no-store"), answer.text
    predicted = answer.json()
    assert (predicted["pool"], predicted["weight_percentage"], predicted["rounds_left"]) == (
        "fmjd-100", 100, 0,
    )  # fmt: skip
    by_number = {player["number"]: player for player in predicted["players"]}
    shown = ("own_rating", "rating", "games", "change", "new_rating", "provisional")
    assert {number: [player[name] for name in shown] for number, player in by_number.items()} == {
        1: [2000, 2000, 1, 8, 2008, False], 2: [2000, 2000, 1, -7, 1993, False], 3: [None] * 6, 4: [None] * 6,
        5: [None, None, 1, None, 2400, True], 6: [None] * 6,
    }  # fmt: skip
    assert (by_number[5]["name"], by_number[5]["player"]) == ("Nova", None)
    # One round brings no norm (art. 4.2).
    assert {norm["made"] for player in predicted["players"] for norm in player["norms"]} <= {False}


def sent_as_played(tournament: ResultSet) -> dict[str, Any]:
    """A tournament of the season as a program would send it."""
    entries = list(tournament.entries.select_related("player").order_by("number"))
    numbers = {entry.pk: entry.number for entry in entries}
    games = Game.objects.filter(result_set=tournament, white__isnull=False, black__isnull=False)
    return {
        "details": {
            "discipline": tournament.discipline, "time_control": tournament.time_control,
            "rounds": tournament.rounds.count(), "country": tournament.country_id, "system": tournament.system,
            "played_from": str(tournament.played_from), "played_to": str(tournament.played_to),
        },
        "players": [{"number": entry.number, "player": entry.player.address} for entry in entries],
        "games": [
            {
                "round": one.round, "white": numbers[one.white_id], "black": numbers[one.black_id],
                "white_points": one.white_points, "black_points": one.black_points, "played": one.played,
            }
            for one in games.order_by("round", "pk")
        ],
    }  # fmt: skip


def test_a_tournament_of_the_season_brings_the_norms_that_its_list_has(client: Client) -> None:
    tournament = ResultSet.objects.get(tournament__code="2026-european-championship")
    answer = ask(client, sent_as_played(tournament))
    assert answer.status_code == 200, answer.text
    predicted = answer.json()
    newest = RatingList.objects.filter(pool__code="fmjd-100", in_force__lte=tournament.played_from)
    assert predicted["list"]["in_force"] == str(newest.latest("in_force").in_force)
    made = {
        (player["player"], norm["title"])
        for player in predicted["players"]
        for norm in player["norms"]
        if norm["made"]
    }
    published = {
        (norm.player.address, norm.title)
        for norm in Norm.objects.filter(
            result_set=tournament, kind=Norm.Kind.RESULT, origin=Norm.Origin.FOUND
        )
    }
    assert published
    assert made == published
    changes = RatingList.objects.get(pool__code="fmjd-100", in_force="2026-10-01").changes.filter(
        result_set=tournament
    )
    stored = {
        change.player.address: change.performance_e4 / 10_000 for change in changes.select_related("player")
    }
    assert len(stored) > 50
    assert {player["player"]: player["performance"] for player in predicted["players"]} == stored


def test_a_running_tournament_says_what_is_still_needed(client: Client) -> None:
    tournament = ResultSet.objects.get(tournament__code="2026-european-championship")
    sent = sent_as_played(tournament)
    whole = ask(client, sent).json()
    last = sent["details"]["rounds"]
    sent["games"] = [one for one in sent["games"] if one["round"] < last]
    running = ask(client, sent).json()
    assert (whole["rounds_left"], running["rounds_left"]) == (0, 1)
    norms = [norm for player in running["players"] for norm in player["norms"]]
    assert {norm["made"] for norm in norms} == {False}
    assert {norm["points_needed"] for norm in norms} <= {None, 0, 1, 2}


def test_one_federation_by_two_codes_is_one() -> None:
    """NLD is how ISO 3166 writes NED: norms ask for opponents of other federations."""
    players = [{"number": 1, "federation": "NLD"}, {"number": 2, "federation": "NED"}]
    tournament = sent_tournament({"details": DETAILS, "players": players, "games": [game(1, 2, 2)]})
    assert [entrant.federation for entrant in tournament.entrants] == ["NED", "NED"]


def test_all_that_does_not_fit_is_said_at_once(client: Client) -> None:
    listed = PlayerHistory.objects.values("player")
    hidden = Player.objects.exclude(pk__in=listed).filter(numbers__has_key="fmjd", merges=None).first()
    assert hidden is not None
    sent = {
        "details": DETAILS | {"country": "Atlantis", "time_control": "fast"},
        "players": [
            {"number": 1, "player": "13368", "rating": 2000},
            {"number": 1, "player": "13368"},
            {"number": 2, "player": hidden.address, "title": "GMI", "federation": "NED", "name": "Known"},
            {"number": 3, "federation": "ZZZ"},
            {"number": 4, "player": "fmjd-18641"},
            {"number": 5, "player": "18641"},
        ],
        "games": [game(1, 1, 2), game(1, 9, 1, turn=2), {**game(1, 2, 2), "black_points": 2}],
    }  # fmt: skip
    answer = ask(client, sent)
    assert (answer.status_code, answer.json()["code"]) == (422, "unfit_values")
    fields = [finding["field"] for finding in answer.json()["findings"]]
    assert sorted(set(fields)) == [
        "details.country", "details.time_control", "games.0.black", "games.0.white",
        "games.1.black", "games.1.round", "games.2.white", "games.2.white_points", "players.0.number",
        "players.0.player", "players.0.rating",
        "players.1.number", "players.1.player", "players.2.federation", "players.2.player", "players.2.title",
        "players.3.federation", "players.4.player", "players.5.player",
    ]  # fmt: skip
    # One player by two addresses.
    twice = [
        finding["message"] for finding in answer.json()["findings"] if finding["found"].endswith("18641")
    ]
    assert twice == ["This is there more than once."] * 2
    days = {"played_from": "2026-11-14", "played_to": "2026-11-13"}
    reversed_days = ask(client, sent | {"details": DETAILS | days}).json()["findings"]
    assert [finding["field"] for finding in reversed_days][:1] == ["details.played_to"]
    no_last_day = ask(client, sent | {"details": DETAILS | {"played_from": "0001-01-01"}}).json()["findings"]
    days = [finding for finding in no_last_day if "played" in finding["field"]]
    assert [(day["field"], day["expected"]) for day in days] == [
        ("details.played_from", "a day from 1 Jan 1900 to 31 Dec 2100, for example 14 Nov 2026"),
    ]  # fmt: skip
    few = ask(client, {"details": DETAILS, "players": [], "games": []})
    assert [finding["field"] for finding in few.json()["findings"]] == ["players"]


def test_values_of_another_form_are_named_too(client: Client) -> None:
    sent = {
        "details": {"discipline": 100, "rounds": 0, "sponsors": "x"},
        "players": [{"number": 1, "rating": 9000}, {"rating": 2000}] * 101,
        "games": {},
    }
    answer = ask(client, sent)
    assert (answer.status_code, answer["Access-Control-Allow-Origin"]) == (400, "*")
    assert {finding["field"] for finding in answer.json()["findings"]} >= {
        "details.discipline", "details.rounds", "details.sponsors", "details.country", "details.time_control",
        "players", "players.0.rating", "players.1.number", "games",
    }  # fmt: skip
    sent = {
        "details": DETAILS,
        "players": [{"number": 1, "player": "x"}, {"number": 2, "name": "\0"}],
        "games": [],
    }
    assert [finding["message"] for finding in ask(client, sent).json()["findings"]] == [
        "This must be like ^([a-z]{2,8}-)?[1-9][0-9]{0,9}$.", "This must have no null characters.",
    ]  # fmt: skip
    many = ask(client, {"details": DETAILS, "players": [], "games": [1] * 100_000})
    assert (many.status_code, len(many.json()["findings"])) == (400, MAX_FINDINGS)
    names = [f'"{number}": 1' for number in range(MAX_FINDINGS + 1)]
    for members in (names, names * 2):  # unknown, and each of them twice
        refused = ask(client, f"{{{', '.join(members)}}}")
        assert (refused.status_code, 900 < len(refused.json()["findings"]) <= MAX_FINDINGS) == (400, True)
    assert ask(client, b"no json").status_code == 400
    assert client.get("/api/v1/predict/")["Allow"] == "POST"


def test_nothing_is_stored_and_scripts_of_other_sites_may_ask(client: Client) -> None:
    def rows() -> dict[str, int]:
        return {model._meta.label: model._base_manager.count() for model in apps.get_models()}

    before = rows()
    players = [{"number": 1, "player": "13368"}, {"number": 2, "rating": 2100}]
    answer = ask(client, {"details": DETAILS, "players": players, "games": [game(1, 2, 1)]})
    assert (answer.status_code, answer["RateLimit-Limit"], answer["Access-Control-Allow-Origin"]) == (
        200, "60", "*",
    )  # fmt: skip
    assert rows() == before
    asked = {"Origin": "https://club.example", "Access-Control-Request-Method": "POST"}
    preflight = client.options(
        "/api/v1/predict/", headers=asked | {"Access-Control-Request-Headers": "content-type"}
    )
    assert (preflight.status_code, preflight["Access-Control-Allow-Headers"]) == (204, "Content-Type")
