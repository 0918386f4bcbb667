"""World Cup, reserve list, places and youth teams by command, from accepted reports (Annexes 12, 13, 17, 18)."""

import json
from datetime import date, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from reporting.models import Federation, PersonalData, Player, ResultSet
from reporting.register.services.dated_changes import transfers_on
from reporting.reports.services.review import accept_report
from reporting.reports.services.submit import submit_report
from reporting.reports.services.upload import upload_report
from titles.federations.fmjd.world_cup.inputs import tempo_of

pytestmark = pytest.mark.django_db

CUP = {"competition": '"world-cup"', "world_cup_stars": "5", "world_cup_groups": '"one"'}
GAMES = ["1 1 2 2-0", "1 3 4 1-1", "2 1 3 2-0", "2 2 4 2-0", "3 4 1 0-2", "3 3 2 0x2"]
"""Numbers 1 to 4: 6 points and 3 wins, 4 and 2 (one by forfeit), 1 and 0, 1 and 0."""


def answer_of(*arguments):
    out = StringIO()
    call_command(*map(str, arguments), "--json", stdout=out)
    return json.loads(out.getvalue())


def accept(
    office, name, players, *, places=(1, 2, 3, 4), games=GAMES, year=2026, month=3, first_day=None,
    born="", **details
):  # fmt: skip
    """An accepted report of these players, with their final places, in three days of a month."""
    first_day = first_day or date(year, month, 6)
    days = {"played_from": first_day, "played_to": first_day + timedelta(days=2)}
    lines = office.report_file(name, players, games, **days).decode().splitlines(keepends=True)
    first = next(at for at, line in enumerate(lines) if line.startswith("<section players>")) + 1
    for at, place in enumerate(places, start=first):
        lines[at] = lines[at].replace(",,0,", f",,{place},", 1).replace(",NED,,", f",NED,{born},")
    file = {"content": "".join(lines).encode(), "filename": f"{name}.txt"}
    uploaded = upload_report(**file, sidecar=office.details(**days, **details), by=office.referee)
    report = submit_report(report=uploaded.report, comments=office.comments(uploaded), by=office.referee)
    different = "another tournament of the same players"
    return accept_report(report=report, by=office.officer, different_because=different)


def of_rows(answer, *names):
    return [tuple(row[name] for name in names) for row in answer["rows"]]


@pytest.fixture
def cup(office):
    """A World Cup tournament of five stars with one group: 11 M, 12 W, 13 M absent from the closing ceremony, 14 M."""
    office.opening(
        "fmjd_id rating games last_game games_3_years\n11 2300 90 2024-12-01 60\n15 2250 90 2024-12-01 49\n"
        "16 2250 90 2024-12-01 60\n17 2240 90 2024-12-01 50",
        in_force=date(2025, 1, 1),
    )
    office.register(13, 14)
    office.register(12, sex="W")
    return accept(office, "Cup", [11, 12, 13, 14], absent_from_closing="[3]", **CUP)


def test_the_world_cup_is_classified_from_accepted_reports(cup):
    # Open places are counted among men: 11 is first, 13 second, 14 third. 100 + 5 * 6 = 130, 50 + 5 * 1 = 55; the
    # result of 13 is 0 and the player is not listed. 12 is first of the women: 100 + 5 * 4 = 120, one win by forfeit.
    answer = answer_of("world_cup", "--on", "2026-12-31")
    assert {key: value for key, value in answer.items() if key != "rows"} == {
        "on": "2026-12-31", "classification": "open", "section": "100",
    }  # fmt: skip
    assert of_rows(answer, "rank", "fmjd_id", "points", "first", "third", "last_result", "wins", "equal") == [
        (1, 11, 130, 1, 0, 130, 3, False), (2, 14, 55, 0, 1, 55, 0, False),
    ]  # fmt: skip
    assert answer["rows"][0]["results"] == [
        {
            "tournament": "2026-cup", "last_round": "2026-03-08", "stars": 5, "place": 1, "bonus_place": 1, "tp": 6,
            "factor": 5, "bonus": 100, "points": 130, "wins": 3, "counts": True, "absent": False,
        }
    ]  # fmt: skip
    women = answer_of("world_cup", "--on", "2026-12-31", "--women")
    assert of_rows(women, "rank", "fmjd_id", "points", "second", "wins") == [(1, 12, 120, 0, 2)]
    assert answer_of("world_cup", "--on", "2026-03-07")["rows"] == []
    assert answer_of("world_cup", "--on", "2028-03-08")["rows"] == []
    assert answer_of("world_cup", "--on", "2026-12-31", "--section", "64")["rows"] == []


def test_the_federation_in_a_classification_is_that_of_its_day(cup):
    Federation.objects.create(code="ITA", name="Italy")
    with transaction.atomic(), transfers_on(date(2026, 4, 1)):
        Player.objects.filter(numbers__fmjd=11).update(federation_id="ITA")
    for day, federation in (("2026-03-31", "NED"), ("2026-04-01", "ITA")):
        assert of_rows(answer_of("world_cup", "--on", day), "fmjd_id", "federation")[0] == (11, federation)


def test_the_stars_that_the_office_decides_count_before_those_of_the_report(cup):
    decision = ("--world-cup-stars", "7", "--reason", "By the contract.")
    call_command("decide_tournament", "2026-cup", *decision, stdout=StringIO())
    # 100 + 10 * 6 = 160.
    assert answer_of("world_cup", "--on", "2026-12-31")["rows"][0]["points"] == 160


def test_a_tournament_without_what_is_needed_is_named_and_not_counted(office):
    office.register(11, 12, 13, 14)
    accept(office, "Half", [11, 12, 13, 14], competition='"world-cup"')
    accept(office, "Places", [11, 12, 13, 14], places=(0, 0, 0, 0), month=5, **CUP)
    accept(office, "One", [11, 12, 13, 14], places=(1, 2, 0, 3), month=6, **CUP)
    out, errors = StringIO(), StringIO()
    call_command("world_cup", "--on", "2026-12-31", stdout=out, stderr=errors)
    assert [line.split()[1] for line in out.getvalue().splitlines()] == ["fmjd_id", "11", "12", "14"]
    assert errors.getvalue().splitlines() == [
        "2026-half: not counted without world_cup_stars.",
        "2026-half: not counted without world_cup_groups.",
        "2026-places: not counted without places.",
        "2026-one (13): not counted without place.",
    ]


def test_the_reserve_list_takes_world_cup_and_ratings_in_turn(cup):
    # World Cup 11, 14; ratings with 50 games 11, 16, 17 (15 has 49): 11, 16, 14, 17.
    answer = answer_of("reserve_list", "2027")
    assert of_rows(answer, "position", "source", "rank", "fmjd_id", "federation") == [
        (1, "world-cup", 1, 11, "NED"), (2, "rating", 2, 16, "NED"), (3, "world-cup", 2, 14, "NED"),
        (4, "rating", 3, 17, "NED"),
    ]  # fmt: skip
    assert len(answer_of("reserve_list", "2027", "--length", "2")["rows"]) == 2
    assert of_rows(answer_of("reserve_list", "2027", "--women"), "source", "fmjd_id") == [("world-cup", 12)]


FILE = """championship = "world-20"
year = 2027
champion = 11
match_played = false
refused = [12]
previous = "2026-cup"
[named]
3 = [14]
7 = [11, 16, 17]
"""


def test_the_places_of_a_championship_are_filled_from_file_lists_and_reports(office, cup, tmp_path):
    for year in (2025, 2026):
        accept(
            office, f"Final {year}", [11, 12, 13, 14], year=year, month=10, national_championship='"final"',
            country='"NED"',
        )  # fmt: skip
    file = tmp_path / "world.toml"
    file.write_text(FILE)
    answer = answer_of("qualification", file)
    assert answer["group_a"] == ["NED"]
    places = [(place["item"], place["fmjd_id"], place["source"]) for place in answer["places"]]
    # 2: 11 is champion, 12 refused (reserve), 13 is next. 3: 14. 7: 11 is qualified, 16 and 17 are two of group A.
    # 8: number 1 is 11, qualified: two places of item 9, and the World Cup has no player left: reserve.
    assert places == [
        (1, 11, "champion"), (2, None, "reserve"), (2, 13, "final-classification"), (3, 14, "named"), (3, None, "open"),
        *[(4, None, "open")] * 4, *[(5, None, "open")] * 2, *[(6, None, "open")] * 2,
        (7, 16, "named"), (7, 17, "named"),
        *[(7, None, "open")] * 3, *[(9, None, "reserve")] * 2,
    ]  # fmt: skip
    assert answer["findings"] == [{"code": "already-qualified", "item": 7, "fmjd_id": 11}]
    assert answer["reserves"] == []
    file.write_text(FILE.replace("7 = [11, 16, 17]", ""))
    answer = answer_of("qualification", file)
    # No name is given: the reserves are 16 and 17, and fill the places of items 2 and 9.
    assert [place["fmjd_id"] for place in answer["places"] if place["source"] == "reserve"] == [16, 17, None]


def refused_file(file, text):
    """What is said about a file that cannot be used."""
    file.write_text(text)
    errors = StringIO()
    with pytest.raises(CommandError, match="cannot be used"):
        call_command("qualification", str(file), stderr=errors)
    return errors.getvalue().splitlines()


def test_everything_that_is_wrong_in_a_file_is_named_with_its_line(cup, tmp_path):
    file = tmp_path / "world.toml"
    said = refused_file(
        file,
        'championship = "world-30"\nyear = 1900\nchampion = "Ann"\nmatch_played = 1\nrefused = 3\nopponnent = 4\n',
    )
    assert [line.split(":")[0] for line in said] == [
        "Line 1, championship", "Line 2, year", "Line 3, champion", "Line 4, match_played", "Line 5, refused",
        "Line 6, opponnent",
    ]  # fmt: skip
    assert refused_file(
        file,
        'championship = "women-20"\nyear = 2027\nchampion = 12\nmatch_played = true\nprevious = "2020-none"\n[named]\n'
        "3 = [\n  99,\n  11,\n]\n",
    ) == [
        "Line 4, match_played: found true. Expected: the opponent, where the match was played.",
        "Line 5, previous: found 2020-none. Expected: "
        "an accepted women’s tournament of classical draughts with 100 squares.",
        "Line 8, 3: found 99. Expected: a player of the register.",
        "Line 9, 3: found 11. Expected: a woman.",
    ]
    named = "[named]\n3 = [\n  11,\n  12,\n  11,\n]\n4 = [\n  12,\n]\n"
    assert refused_file(file, f'championship = "world-20"\nyear = 2027\n{named}') == [
        "Line 5, 3: found 11. Expected: each player once.",
        "Line 10, 4: found 12. Expected: a player of the continent.",
    ]
    (line,) = refused_file(file, 'championship = ["women-20"]\nyear = 2027\n')
    assert line.startswith("Line 1, championship: found ['women-20'].")
    errors = StringIO()
    file.write_text("championship = \n")
    with pytest.raises(CommandError):
        call_command("qualification", str(file), stderr=errors)
    assert "line 1" in errors.getvalue()


def test_federations_are_classified_by_their_best_three_youth_players_in_each_group(office):
    office.register(11, 12, 13, 14)
    Player.objects.update(birth_year=2010)
    PersonalData.objects.update(born=date(2010, 2, 1))
    youth = {"competition": '"world-championship"', "youth": '"juniors"', "born": "01/02/2010"}
    accept(office, "Boys", [11, 12, 13, 14], **youth)
    accept(office, "Rapid", [11, 12, 13, 14], month=5, time_control='"20+5"', **youth)
    # No groups (Annex 13 art. 4.1): teams, whose members share a place, and under 23.
    shared = {"places": (1, 1, 2, 2), "system": '"teams"'}
    accept(office, "Teams", [11, 12, 13, 14], month=6, **youth | shared)
    accept(office, "Older", [11, 12, 13, 14], month=7, **youth | {"youth": '"under-23"'})
    # Three rounds: 6 of 6 points 100 %, 4 of 6 67 %, 1 of 6 17 %. Best three: 100 + 100, 70 + 67, 50 + 17 = 404.
    answer = answer_of("youth_teams", "2026", "--tempo", "classic")
    classified = of_rows(answer, "rank", "federation", "points", "first", "second", "third")
    assert classified == [(1, "NED", 404, 1, 1, 1)]
    assert answer["rows"][0]["results"][1] == {
        "tournament": "2026-boys", "fmjd_id": 12, "place": 2, "tp": 4, "percent": 67, "bonus": 70, "points": 137,
    }  # fmt: skip
    assert [len(row["results"]) for row in answer["rows"]] == [3]
    # 20 minutes and 60 times 5 seconds are 25 minutes: rapid. Of a session the longest game counts, as for medals.
    session = ResultSet(played_to=date(2026, 5, 8), session=["15+5", "60+30"])
    assert (tempo_of(session), tempo_of(ResultSet(played_to=date(2026, 5, 8)))) == ("classic", "")
    rapid = answer_of("youth_teams", "2026", "--tempo", "rapid")
    assert rapid["rows"][0]["results"][0]["tournament"] == "2026-rapid"
    assert answer_of("youth_teams", "2026", "--tempo", "blitz") == {"rows": []}


@pytest.mark.parametrize(
    ("groups", "women_only", "named"),
    [("one", "false", [12]), ("separate", "false", [12]), ("separate", "true", [])],
)
def test_a_report_names_the_players_whose_sex_is_not_known(office, groups, women_only, named):
    """The sex of 11 is known, that of 12 is neither by the register nor by the report.

    A woman in the open tournament of two has a result of the women's classification (R70c); in the women's tournament
    all are women.
    """
    office.register(11, sex="W" if women_only == "true" else "M")
    office.register(12, sex="")
    details = {**CUP, "world_cup_groups": f'"{groups}"', "women_only": women_only}
    report = office.submit("Cup", [11, 12], ["1 1 2 2-0", "2 2 1 1-1", "3 1 2 2-0"], **details)
    found = [one for one in report.versions.latest("number").findings if one["code"] == "sex-needed"]
    assert [(one["values"]["name"], one["severity"]) for one in found] == [
        (" ".join(office.names[number]), "warning") for number in named
    ]
