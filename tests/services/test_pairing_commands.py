"""`manage.py pair`, `check_pairing`, `simulate_tournament`: their JSON by the contract, their status."""

import csv
import io
import json
from hashlib import sha256

import pytest
from django.core.management import CommandError, call_command

from tests.conftest import SAMPLES

PAIR = """{"system":"rating","rounds":3,"players":[{"number":1,"rating":2300},{"number":2,"rating":2200},
{"number":3,"rating":2100},{"number":4,"rating":2000},{"number":5,"rating":1900},{"number":6,"rating":1800}],
"games":[{"round":1,"white":1,"black":4,"result":"2-0"},{"round":1,"white":5,"black":2,"result":"0-2"},
{"round":1,"white":3,"black":6,"result":"2-0"}]}"""


def run(command, *arguments):
    out, err = io.StringIO(), io.StringIO()
    status = 0
    try:
        call_command(command, *map(str, arguments), stdout=out, stderr=err)
    except CommandError as error:
        status = error.returncode
    return out.getvalue(), status


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "pairing.json"
    path.write_text(PAIR)
    return path


def test_a_line_a_file_with_reasons_and_criteria(file):
    """1 2 3 have 2 points, 4 5 6 have 0: 3 floats to 4, then 1-2 and 5-6. Colours (R68): 1 and 3 had White, 2 Black."""
    out, status = run("pair", file, file, "--json")
    first, second = map(json.loads, out.splitlines())
    assert (first, status) == (second, 0)
    assert first.keys() == {"round", "pairs", "pause", "why_pause", "objective"}
    assert (first["round"], first["pause"]) == (2, None)
    assert [(pair["board"], pair["white"], pair["black"]) for pair in first["pairs"]] == [
        (1, 2, 1),
        (2, 4, 3),
        (3, 6, 5),
    ]
    assert first["objective"] == {
        "crossings": [1],
        "distances": 1,
        "repeated_floats": 0,
        "colour_faults": 0,
    }
    (why,) = first["pairs"][1]["why"]
    assert (why["code"], why["player"], why["other"], why["article"]) == ("odd_group", 3, None, "3.5")
    assert why["text"] == "The score group is odd, so 3 floats to the next one."


def test_warnings_before_round_1_stand_beside_the_json(tmp_path):
    """Art. 4.4 and Annex 2 art. 3a: on the error output, so that a line of JSON stays a line a file."""
    path = tmp_path / "first.json"
    path.write_text(
        PAIR.split(',\n"games"', maxsplit=1)[0].replace('"rounds"', '"official":true,"rounds"') + "}"
    )
    out, err = io.StringIO(), io.StringIO()
    call_command("pair", str(path), "--json", stdout=out, stderr=err)
    assert len(json.loads(out.getvalue())["pairs"]) == 3
    assert [line.split()[:2] for line in err.getvalue().splitlines() if line.startswith("warning")] == [
        ["warning", "pairing-few-rounds"],
        ["warning", "pairing-many-rounds"],
    ]


def test_people_read_the_same(file):
    out, _ = run("pair", file)
    assert out.splitlines()[:3] == [
        "Round 2",
        "  1     2 – 1",
        "  2     4 – 3     The score group is odd, so 3 floats to the next one.",
    ]


def test_a_wrong_file_and_an_impossible_round_have_status_2_after_all_files(file, tmp_path):
    wrong, impossible = tmp_path / "wrong.json", tmp_path / "impossible.json"
    wrong.write_text(PAIR.replace('"white":3', '"white":9'))
    impossible.write_text(
        '{"system":"rating","rounds":3,"players":[{"number":1,"rating":1},{"number":2,"rating":1}],'
        '"games":[{"round":1,"white":1,"black":2,"result":"1-1"}]}'
    )
    out, status = run("pair", wrong, impossible, file, "--json")
    invalid, blocked, paired = map(json.loads, out.splitlines())
    assert status == 2
    assert invalid["error"] == "invalid"
    assert [(each["code"], each["line"], each["column"]) for each in invalid["findings"]] == [
        ("pairing-player-unknown", 4, 20)
    ]
    assert (blocked["error"], blocked["blocked_by"]) == ("impossible", ["second_meeting"])
    assert blocked["text"] == "Round 2 cannot be paired. Rules in the way: no two players meet twice."
    assert len(paired["pairs"]) == 3


def test_check_pairing_names_hard_rules_and_pairs_that_differ(file, tmp_path):
    """Round 2: 1-4 again, 2-3 and 5-6. The best is 2-1, 4-3, 6-5 with one crossing, as this one has."""
    played = tmp_path / "played.json"
    more = '{"round":2,"white":4,"black":1,"result":"1-1"},{"round":2,"white":2,"black":3,"result":""},'
    more += '{"round":2,"white":6,"black":5,"result":""}'
    played.write_text(PAIR.removesuffix("]}") + "," + more + "]}")
    out, status = run("check_pairing", played, "--json")
    first, second = map(json.loads, out.splitlines())
    assert (first["round"], first["same"], first["hard"], first["differences"], status) == (
        1,
        True,
        [],
        [],
        0,
    )
    assert not second["same"]
    assert second["hard"] == [
        {"code": "second_meeting", "players": [4, 1], "text": "4 and 1 have met before."}
    ]
    assert second["objective"] == second["best"]
    assert second["differences"] == [[4, 1], [2, 3]]
    assert json.loads(run("check_pairing", played, "--json", "--round", "2")[0]) == second
    # 4-1 and 2-3 against 1-2 and 3-4: one pair of 2 and 0 points each, one of equal points.
    own = "boundaries crossed 1; distances 1; repeated floats 0; colour faults 0"
    assert f"({own}; the best one: {own})" in run("check_pairing", played, "--round", "2")[0]


def test_a_report_that_the_official_program_paired_is_judged():
    path = SAMPLES / "draughts-arbiter-2022-ouagadougou.csv"
    if not path.exists():
        pytest.skip("the sample files of the federation are not here")
    out, _ = run("check_pairing", path, "--system", "solkoff", "--first-round", "rating", "--json")
    judged = list(map(json.loads, out.splitlines()))
    # Only in round 5: a game of round 4 was then still open, which the final table does not say (17 pairs).
    assert [len(each["differences"]) for each in judged] == [0, 0, 0, 0, 17, 0, 0, 0, 0]
    assert run("check_pairing", path, "--system", "rating")[1] == 2  # two players without a rating


@pytest.mark.parametrize("ending", ["json", "trf"])
def test_a_simulated_tournament_is_the_same_again_and_paired_by_the_rules(tmp_path, ending):
    digests = set()
    for name in ("one", "two"):
        path = tmp_path / f"{name}.{ending}"
        arguments = ["--system", "kndb", "--players", 21, "--rounds", 6, "--seed", 4, "--absences", 0.05]
        arguments += ["--late", 0.1, "--withdrawals", 0.1, "--forfeits", 0.05, "--out", path]
        assert run("simulate_tournament", *arguments)[1] == 0
        digests.add(sha256(path.read_bytes()).hexdigest())
    assert len(digests) == 1
    out, _ = run("check_pairing", path, "--system", "kndb", "--json")
    assert [each["same"] for each in map(json.loads, out.splitlines())] == [True] * 6


def test_a_pairing_that_takes_too_long_stops_and_says_what_to_do(file, monkeypatch):
    for command in ("pair", "check_pairing", "round_robin"):
        monkeypatch.setattr(f"reporting.management.commands.{command}.SECONDS_OF_A_COMMAND", 0)
    out, status = run("pair", file, "--json")
    answer = json.loads(out)
    assert (answer["round"], answer["error"], status) == (2, "too_costly", 2)
    assert "Fix some pairs by hand" in run("pair", file)[0]
    assert run("check_pairing", file)[1] == 2


def test_a_round_robin_has_its_numbers_rounds_and_late_games(tmp_path):
    """Three of one federation: the table of 4 has 1-4 2-3 in round 1, so two of their three games are late."""
    path = tmp_path / "players.json"
    rows = ",".join(f'{{"number":{number},"federation":"NED"}}' for number in (7, 8, 9))
    path.write_text(f'{{"players":[{rows},{{"number":10}}]}}')
    out, status = run("round_robin", path, "--json")
    answer = json.loads(out)
    assert (status, answer["late"], len(answer["late_games"])) == (0, 2, 2)
    assert sorted(answer["numbers"].values()) == [7, 8, 9, 10]
    assert answer["rounds"] == [[[1, 4], [2, 3]], [[4, 3], [1, 2]], [[2, 4], [3, 1]]]
    assert len(json.loads(run("round_robin", path, "--json", "--double")[0])["rounds"]) == 6
    assert "2 games of one federation after the first half" in run("round_robin", path)[0]


def test_the_championship_has_groups_and_a_final(tmp_path):
    path = tmp_path / "players.json"
    rows = [{"number": number, "rating": 2500 - number} for number in range(1, 41)]
    path.write_text(json.dumps({"players": rows}))
    groups = json.loads(run("championship_groups", path, "--json")[0])["groups"]
    assert groups["B"] == [2, 7, 10, 15, 18, 23, 26, 31, 34, 39]
    path.write_text(
        json.dumps(
            {
                "finalists": [
                    {"number": 10 * place + index, "group": group, "place": place, "country": "NED"}
                    for index, group in enumerate("ABCD")
                    for place in (1, 2, 3)
                ]
            }
        )
    )
    final = json.loads(run("championship_groups", path, "--json")[0])
    assert sorted(final["numbers"][number] for number in ("4", "5", "6")) == [11, 21, 31]
    assert (len(final["rounds"]), sum(map(len, final["rounds"]))) == (9, 54)
    assert run("championship_groups", path)[0].splitlines()[12].startswith("Round 1: 1–4  2–5")


@pytest.mark.parametrize(
    ("command", "text", "found"),
    [
        ("round_robin", '{"players":[]}', [("pairing-count-wrong", 12)]),
        (
            "round_robin",
            '{"players":[{"number":1},{"number":1},{"number":2,"federation":3}]}',
            [("pairing-number-repeated", 36), ("pairing-value-wrong", 64)],
        ),
        (
            "championship_groups",
            '{"players":[' + ",".join(["{}"] * 48) + "]}",
            [("championship-too-large", 12)],
        ),
        ("championship_groups", '{"players":[]}', [("pairing-count-wrong", 12)]),
        (
            "championship_groups",
            '{"finalists":['
            + ",".join(f'{{"number":{each},"group":"A","place":1}}' for each in range(11, 23))
            + "]}",
            [("championship-place-repeated", 48 + 36 * each) for each in range(1, 12)],
        ),
        (
            "championship_groups",  # the second row is none; the third has the place of the first again
            '{"finalists":[{"number":1,"group":"A","place":1},5,{"number":2,"group":"A","place":1}]}',
            [("pairing-count-wrong", 14), ("pairing-value-wrong", 50), ("championship-place-repeated", 84)],
        ),
    ],
)
def test_files_of_players_have_their_findings(tmp_path, command, text, found):
    path = tmp_path / "players.json"
    path.write_text(text)
    out, status = run(command, path, "--json")
    answer = json.loads(out)
    assert (answer["error"], status) == ("invalid", 2)
    assert [(finding["code"], finding["column"]) for finding in answer["findings"]] == found


def test_a_study_has_the_same_bytes_for_any_workers_and_goes_on_where_it_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr("reporting.management.commands.study_tiebreaks.BLOCK", 2)
    sizes = ["--players", 8, "--rounds", 3, "--seed", 5, "--out"]
    run("study_tiebreaks", *sizes, tmp_path / "whole", "--tournaments", 4)
    run("study_tiebreaks", *sizes, tmp_path / "parts", "--tournaments", 3, "--workers", 2)
    out, status = run("study_tiebreaks", *sizes, tmp_path / "parts", "--tournaments", 4, "--workers", 2)
    assert (status, out.splitlines()[0]) == (0, "8 players, 3 rounds, 4 tournaments, seed 5")
    for name in ("tables.txt", "tables.csv", "plot.svg", "blocks/0000002.json"):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "parts" / name).read_bytes()
    other = ["--players", 8, "--rounds", 3, "--seed", 6, "--out", tmp_path / "parts"]
    assert run("study_tiebreaks", *other, "--tournaments", 4)[1] == 1
    assert run("study_tiebreaks", "--forfeits", 0.1, "--out", tmp_path / "none")[1] == 1


def test_a_study_that_cannot_be_paired_and_numbers_out_of_range_are_refused(tmp_path):
    """Eight players have seven opponents each, so no eighth round."""
    sizes = ["--players", 8, "--tournaments", 1, "--out", tmp_path / "out"]
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(CommandError, match="8 rounds of 8 players cannot be paired"):
        call_command("study_tiebreaks", *map(str, sizes), "--rounds", "8", stdout=out, stderr=err)
    for wrong in (["--tournaments", 0], ["--rounds", 1], ["--players", 2001], ["--workers", "x"]):
        with pytest.raises(CommandError, match=r"is not a whole number from \d+ to \d+"):
            call_command("study_tiebreaks", *map(str, wrong), stdout=out, stderr=err)
    assert run("pair", "--round", 51, tmp_path / "none.json")[1] == 1


def test_a_study_plays_with_the_ratings_of_a_file(tmp_path):
    """Eight equal players: the average rating of opponents decides nothing, so its rows are the middle of all ties."""
    ratings = tmp_path / "ratings.txt"
    ratings.write_text("2000\n" * 8)
    sizes = [
        "--players",
        8,
        "--rounds",
        3,
        "--tournaments",
        2,
        "--out",
        tmp_path / "out",
        "--ratings",
        ratings,
    ]
    assert run("study_tiebreaks", *sizes)[1] == 0
    cells = list(csv.DictReader((tmp_path / "out/tables.csv").read_text().splitlines()))
    means = {(cell["players"], cell["row"], cell["criterion"]): cell["mean"] for cell in cells}
    assert means["all", "ARO", "ABSELO"] == means["all", "AROC", "ABSELO"] != means["all", "BH", "ABSELO"]
    ratings.write_text("2000\n" * 7)
    assert run("study_tiebreaks", *sizes)[1] == 1


def test_a_study_of_unplayed_games_has_methods_as_rows(tmp_path):
    out, _ = run(
        "study_tiebreaks", "--unplayed", "--players", 8, "--rounds", 3, "--tournaments", 1, "--out", tmp_path
    )
    assert [line.split()[:2] for line in out.splitlines() if "FaceVal" in line] == [
        ["FaceVal", name] for name in ("BH", "BHC1", "BHM1", "SB")
    ] * 2
