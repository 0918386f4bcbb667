"""A tournament that is reported in parts: each counts in a list of its own, and all are one tournament on its pages.

The toy league, by hand, 10 × (W − We), We by the ratings of the list before (tests/toy_games/rules.py):

    list         part and game                      21               22
    2025-01-01   opening                            1000             1200
    2025-07-01   1: 21 beats 22, We 0.3             1007 (+7)        1193 (−7)
    2026-01-01   2: a draw, d = −186, We 0.314      1009 (+1.86)     1191 (−1.86)

Corrected to a draw, part 1 gives +2: 1002 and 1198. Then part 2 has d = −196, We 0.304, +1.96: 1004 and 1196.
"""

from datetime import date
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from ratings.inputs.calculation_inputs import inputs_of_list
from ratings.models import RatingList
from ratings.queries.counted_results import reports_to_include
from ratings.queries.counting import CountingState, list_of_report
from reporting.formats.tournament_details.sidecar import detail_values
from reporting.log.audit import Actor
from reporting.models import Game, LogEntry, Report, ResultSet, Role
from reporting.refusals.domain_error import DomainError
from reporting.reports.api.reports import report_in_answer
from reporting.reports.selectors.reports import ReportLine
from reporting.reports.services.correct_report import correct_report
from reporting.reports.services.review import accept_report, reject_report, undo_acceptance
from reporting.reports.services.submit import submit_report
from tests.databases import built_on
from tests.flows.test_toy_federation import file_rows, logged_in
from tests.flows.test_toy_games import _league_opening, figures, league  # noqa: F401 (fixtures)
from tests.people import create_user
from tests.toy_games.installed import league_installed
from tests.toy_games.report_rules import LeagueReportRules
from tests.visitor import Visitor

pytestmark = pytest.mark.django_db(transaction=True)

HEADER = "round,date,white_id,white_name,black_id,black_name,result\n"
FIRST = '1,2025-02-07,21,"Familya, Givena",22,"Familyb, Givenb",{}\n'
SECOND = '2,2025-09-05,22,"Familyb, Givenb",21,"Familya, Givena",1/2-1/2\n'
DETAILS = """
rating_system = "league"
name = "League"
place = "Utrecht"
country = "NED"
referee = "Piet Fluit"
system = "other"
played_from = 2025-02-07
played_to = 2099-05-01
"""


def report(folder, filename, games, details):
    folder.mkdir(exist_ok=True)
    (folder / f"{filename}.csv").write_text(HEADER + games)
    (folder / f"{filename}.toml").write_text(DETAILS + details)
    return folder


def import_reports(folder, *options):
    call_command("import_reports", str(folder), *options)


@built_on("league_opening")
def two_lists():
    """Part 1 in the list of July, part 2 in that of January, by command."""
    with league_installed(), TemporaryDirectory() as folder:
        import_reports(report(Path(folder, "1"), "part-1", FIRST.format("1-0"), "part = 1\n"), "--accept")
        call_command("run_period", "league", "--in-force", "2025-07-01", "--closing", "2025-06-30")
        import_reports(report(Path(folder, "2"), "part-2", SECOND, "part = 2\n"), "--accept")
        call_command("run_period", "league", "--in-force", "2026-01-01", "--closing", "2025-12-31")


@pytest.fixture(name="two_lists")
def _two_lists(league):  # noqa: F811
    """A copy of the database with both lists."""


def newest(in_force):
    return RatingList.objects.filter(in_force=in_force, state="published").latest("revision")


def ratings_of(in_force):
    return [row[:3] for row in figures(newest(in_force))]


def test_each_part_counts_in_a_list_of_its_own(two_lists, capfd):
    logged = LogEntry.objects.filter(action__in=["report.submit", "report.accept"]).order_by("pk")
    assert [entry.after.get("part") for entry in logged] == [None, None, 2, 2]
    answers = [
        report_in_answer(ReportLine(one, one.accepted_version)) for one in Report.objects.order_by("pk")
    ]
    assert [(report["tournament"], report["part"]) for report in answers] == [
        ("2025-league", 1),
        ("2025-league", 2),
    ]
    with pytest.raises(CommandError, match="2025-league is reported in parts"):
        call_command("find_norms", "--tournament", "2025-league")
    assert list(ResultSet.objects.values_list("tournament__code", "part", "revision", "counting_day")) == [
        ("2025-league", 1, 0, date(2025, 2, 7)),
        ("2025-league", 2, 0, date(2025, 9, 5)),
    ]
    assert len(set(ResultSet.objects.values_list("number", flat=True))) == 1
    assert ratings_of("2025-07-01") == [(22, 1193, -7), (21, 1007, 7)]
    assert ratings_of("2026-01-01") == [(22, 1191, -2), (21, 1009, 2)]
    assert [list_of_report(one).in_force for one in Report.objects.order_by("pk")] == [
        date(2025, 7, 1),
        date(2026, 1, 1),
    ]
    capfd.readouterr()
    call_command("verify_lists", "--pool", "league", "--recalculate")
    call_command("check_invariants")
    assert "3 lists, all as they were published" in capfd.readouterr().out


@pytest.mark.usefixtures("cleared_rate_limits")
def test_part_1_is_corrected_after_part_2_was_counted(two_lists, tmp_path, capfd):
    """Also the last day of the tournament, which part 1 says: on the revisions, and on the pages of the code."""
    folder = report(
        tmp_path / "3", "corrected", FIRST.format("1/2-1/2"), 'corrects = "2025-league"\npart = 1\n'
    )
    sidecar = folder / "corrected.toml"
    sidecar.write_text(sidecar.read_text().replace("2099-05-01", "2099-04-01"))
    import_reports(folder, "--accept")
    corrected = Report.objects.latest("pk")
    assert (corrected.state, corrected.result_set.part, corrected.result_set.revision) == ("accepted", 1, 1)
    officer = logged_in("Olga", Role.RATING_OFFICER)
    officer.open("/office/lists/league/2025-07-01/correct/")
    officer.fill("Reason for the correction", "A wrong result.")
    officer.check(officer.by_id(f"take-{corrected.pk}"))
    officer.press("Calculate revision 2")
    call_command("run_period", "league", "--in-force", "2025-07-01")
    call_command("run_period", "league", "--in-force", "2026-01-01")
    assert ratings_of("2025-07-01") == [(22, 1198, -2), (21, 1002, 2)]
    assert ratings_of("2026-01-01") == [(22, 1196, -2), (21, 1004, 2)]
    manifests = [
        [(line.result_set.part, line.result_set.revision) for line in newest(day).manifest.all()]
        for day in ("2025-07-01", "2026-01-01")
    ]
    assert manifests == [[(1, 1)], [(2, 0)]]
    revised = newest("2026-01-01")
    second = ResultSet.objects.get(part=2)
    assert [inputs_of_list(one).last_days() for one in (revised.replaced, revised)] == [
        {second.pk: date(2099, 5, 1)}, {second.pk: date(2099, 4, 1)}
    ]  # fmt: skip
    page = opened_page("/tournaments/2025-league/")
    assert [
        text in page.text for text in ("1 Apr 2099", "1 Jul 2025, revision 2", "1 Jan 2026, revision 2")
    ] == [True] * 3
    page.open("/lists/league/2025-07-01/r2/differences/")
    for text in (
        "A wrong result.",
        "Later lists are revised in order",
        "1193 1198 −7 → −2",
        "1007 1002 +7 → +2",
    ):
        assert text in page.text, text
    capfd.readouterr()
    call_command("verify_lists", "--pool", "league", "--recalculate")
    call_command("check_invariants")
    assert "5 lists, all as they were published" in capfd.readouterr().out


def refused(folder, capfd):
    """Import a folder of one report that is refused: what is printed of its findings."""
    with pytest.raises(CommandError):
        import_reports(folder, "--accept")
    return capfd.readouterr().err


@pytest.mark.usefixtures("two_lists")
@pytest.mark.parametrize(
    ("details", "sentences"),
    [
        ("part = 4\n", ("part-not-preceded", "No report of part 3", "a part after part 3", "League rules art. 4")),
        ("part = 100\n", ("detail-unreadable", "a whole number from 1 to 99")),
        ("part = 2\n", ("part-reported", "Part 2 of League has been reported.", "not reported before")),
        ("part = 3\nnumber = 7\n", ("part-not-preceded", "Part 1 of this tournament has another number.")),
        ('part = 3\ncorrects = "2025-league"\n',
         ("corrects-unknown", "no report of part 3 of this tournament has been accepted")),
    ],
)  # fmt: skip
def test_a_part_out_of_its_place_is_refused(tmp_path, capfd, details, sentences):
    err = refused(report(tmp_path / "bad", "bad", SECOND.replace("2,", "3,", 1), details), capfd)
    assert all(text in err for text in sentences), err


@pytest.mark.usefixtures("two_lists")
def test_another_first_day_or_name_is_refused(tmp_path, capfd):
    third = report(tmp_path / "third", "third", SECOND.replace("2,", "3,", 1), "part = 3\n")
    sidecar = third / "third.toml"
    sidecar.write_text(sidecar.read_text().replace("2025-02-07", "2025-02-08"))
    err = refused(third, capfd)
    assert "Part 1 of this tournament begins on another day." in err
    assert ("8 Feb 2025" in err, "7 Feb 2025" in err) == (True, True)
    sidecar.write_text(sidecar.read_text().replace("2025-02-08", "2025-02-07").replace('"League"', '"Cup"'))
    assert "No report of part 2 of this tournament has been submitted." in refused(third, capfd)
    sidecar.write_text(sidecar.read_text().replace("part = 3", 'part = 2\ncorrects = "2025-league"'))
    assert "Part 1 of this tournament has another name." in refused(third, capfd)


@pytest.mark.usefixtures("two_lists")
def test_a_game_that_another_part_has_is_an_error_at_its_line(tmp_path, capfd):
    """The game of part 2 in a report of part 3, beside a new one; of a correction of part 2 it is no error."""
    again = SECOND + SECOND.replace("2,", "3,", 1)
    err = refused(report(tmp_path / "third", "third", again, "part = 3\n"), capfd)
    assert err.count("game-in-other-part") == 1
    assert "line 2" in err
    assert "Part 2 has this game already: the same round and players." in err
    import_reports(
        report(tmp_path / "again", "again", again, 'part = 2\ncorrects = "2025-league"\n'), "--accept"
    )
    assert Report.objects.latest("pk").result_set.games.count() == 2


@pytest.mark.usefixtures("league_opening")
def test_parts_are_accepted_in_the_order_of_their_numbers(tmp_path):
    import_reports(report(tmp_path / "1", "part-1", FIRST.format("1-0"), "part = 1\n"))
    import_reports(report(tmp_path / "2", "part-2", SECOND, "part = 2\n"))
    first, second = Report.objects.order_by("pk")
    officer = Actor(create_user("office@example.org", "Olga", roles=[Role.RATING_OFFICER]), by_command=True)
    with pytest.raises(DomainError) as refusal:
        accept_report(report=second, by=officer)
    assert (refusal.value.code, refusal.value.values["part"]) == ("part_not_accepted", 1)

    # Part 1 is rejected and reported again: it is another tournament, to which part 2 then belongs.
    reject_report(report=first, reason="A game is missing.", by=officer)
    with pytest.raises(DomainError, match="Errors to correct: 1"):
        accept_report(report=second, by=officer)
    import_reports(report(tmp_path / "again", "part-1", FIRST.format("0-1"), "part = 1\n"), "--accept")
    accept_report(report=second, by=officer)
    assert list(ResultSet.objects.order_by("pk").values_list("tournament__code", "part", "number")) == [
        ("2025-league", 1, 1), ("2025-league-2", 2, 2), ("2025-league-2", 1, 2)
    ]  # fmt: skip
    with pytest.raises(DomainError) as refusal:
        undo_acceptance(report=Report.objects.latest("pk"), reason="A mistake.", by=officer)
    assert (refusal.value.code, refusal.value.values["part"]) == ("part_accepted", 2)


@pytest.mark.usefixtures("league_opening")
def test_a_rejected_part_is_reported_again_in_its_place(tmp_path):
    import_reports(report(tmp_path / "1", "part-1", FIRST.format("1-0"), "part = 1\n"), "--accept")
    import_reports(report(tmp_path / "2", "part-2", SECOND, "part = 2\n"))
    officer = Actor(create_user("office@example.org", "Olga", roles=[Role.RATING_OFFICER]), by_command=True)
    reject_report(report=Report.objects.latest("pk"), reason="Another result.", by=officer)
    import_reports(
        report(tmp_path / "3", "part-2", SECOND.replace("1/2-1/2", "1-0"), "part = 2\n"), "--accept"
    )
    assert list(ResultSet.objects.order_by("pk").values_list("tournament__code", "part")) == [
        ("2025-league", 1), ("2025-league-2", 2), ("2025-league", 2)
    ]  # fmt: skip
    call_command("check_invariants")


def opened_page(address):
    visitor = Visitor()
    visitor.open(address)
    return visitor


def answer(address):
    response = Client().get(f"/api/v1/tournaments/2025-league/{address}")
    assert response.status_code == HTTPStatus.OK, response.content
    return response.json()


@pytest.mark.usefixtures("two_lists", "cleared_rate_limits")
def test_the_pages_of_the_code_show_all_parts():
    """21 has 1½ of 2, 22 has ½; part 1 counts in July, part 2 in January."""
    visitor = opened_page("/tournaments/2025-league/")
    assert "2 players, 2 games played" in visitor.text
    assert "Part 1, 1 game" in visitor.text
    assert "Part 2, 1 game" in visitor.text
    assert [link.attrib["href"] for link in visitor.links() if link.attrib["href"].endswith("/r1/")] == [
        "/lists/league/2025-07-01/r1/", "/lists/league/2026-01-01/r1/"
    ]  # fmt: skip
    visitor.open("/tournaments/2025-league/crosstable/")
    assert [row.partition(" Menu:")[0] for row in visitor.texts(".//tbody/tr")] == [
        "1 Familya, Givena 1½ 12 /1white against 2, win, part 1 ½2 /2black against 2, draw, part 2",
        "2 Familyb, Givenb ½ 01 /1black against 1, loss, part 1 ½1 /2white against 1, draw, part 2",
    ]
    assert (
        "part 1 counted in the list of 1 Jul 2025; part 2 counted in the list of 1 Jan 2026." in visitor.text
    )
    visitor.open("/tournaments/2025-league/changes/")
    assert "Rating changes by part 1" in visitor.text
    assert "Rating changes by part 2" in visitor.text
    visitor.open("/tournaments/2025-league/rounds/?round=1")
    assert "1 Familya, Givena NED 1 – 0 Familyb, Givenb NED" in visitor.text
    visitor.open("/tournaments/")
    assert "League, part 2" in visitor.text
    visitor.open("/players/league-22/tournaments/?year=2025")  # by the day that it counts by, not by 2099
    assert visitor.texts(".//*[@class='table__group']") == ["2025"]


@pytest.mark.usefixtures("two_lists", "cleared_rate_limits")
def test_a_request_about_a_figure_names_the_part():
    """A change is that of a part; of the results of 21 those of both parts can be chosen, each on its list."""
    visitor = opened_page("/tournaments/2025-league/changes/")
    (link,) = {
        link.attrib["href"] for link in visitor.links() if link.attrib["href"].endswith("2025-league:2:21")
    }
    visitor.open(link)
    assert "League, part 2" in visitor.text
    visitor.open("/requests/new/?about=results:league:2026-01-01:1:2025-league:21")
    chosen = [link.attrib["href"].partition("about=")[2] for link in visitor.links()]
    assert [about for about in chosen if about.startswith("result")] == [
        "result:league:2025-07-01:1:2025-league:21:1", "result:league:2026-01-01:1:2025-league:2:21:2"
    ]  # fmt: skip
    answered = Client().get("/requests/new/?about=change:league:2026-01-01:1:2025-league:1:21")
    assert answered.status_code == HTTPStatus.NOT_FOUND  # part 1 is on another list


@pytest.mark.usefixtures("two_lists", "cleared_rate_limits")
def test_the_api_has_all_parts_of_a_code():
    found = answer("")
    assert (found["players"], found["part"]) == (2, 2)
    assert [(part["part"], part["in_force"], part["games"]) for part in found["parts"]] == [
        (1, "2025-07-01", 1), (2, "2026-01-01", 1)
    ]  # fmt: skip
    entries = answer("entries/")["results"]
    assert [(entry["player"], entry["points"]) for entry in entries] == [("league-21", 3), ("league-22", 1)]
    assert [
        [(rating["part"], rating["rating"], rating["change"]) for rating in entry["ratings"]]
        for entry in entries
    ] == [[(1, 1000, 7.0), (2, 1007, 1.86)], [(1, 1200, -7.0), (2, 1193, -1.86)]]
    games = answer("games/")["results"]
    assert [(game["part"], game["round"], game["white"], game["black"]) for game in games] == [
        (1, 1, 1, 2), (2, 2, 2, 1)
    ]  # fmt: skip
    assert [len(line["games"]) for line in answer("crosstable/")["results"]] == [2, 2]
    assert [(row["name"], row["points"]) for row in answer("standings/")] == [
        ("Familya, Givena", 1.5), ("Familyb, Givenb", 0.5)
    ]  # fmt: skip
    every = Client().get("/api/v1/tournaments/").json()["results"]
    assert [(row["code"], row["part"], row["in_force"]) for row in every] == [
        ("2025-league", 1, "2025-07-01"), ("2025-league", 2, "2026-01-01")
    ]  # fmt: skip


@pytest.mark.usefixtures("league_opening", "cleared_rate_limits")
def test_two_parts_in_one_list_are_two_lines_and_one_can_be_excluded(tmp_path, capfd):
    """By the opening list both: +7, and a draw of 1000 with 1200: We 0.3, +2. Without part 2 it is +7 alone.

    21 has number 2 in the report of part 2, and keeps number 1; 23, who is there alone, has the next one.
    """
    import_reports(report(tmp_path / "1", "part-1", FIRST.format("1-0"), "part = 1\n"))
    both = SECOND.replace("09-05", "03-07") + '3,2025-03-08,22,"Familyb, Givenb",,Nova van Kometa,1-0\n'
    newcomer = 'part = 2\n[newcomers.3]\ncountry = "NED"\n'
    import_reports(report(tmp_path / "2", "part-2", both, newcomer))
    import_reports(tmp_path / "1", "--accept")
    import_reports(tmp_path / "2", "--accept")
    call_command("run_period", "league", "--in-force", "2025-07-01", "--closing", "2025-06-30")
    july = newest("2025-07-01")
    tournaments = file_rows(july, "tournaments.csv")
    assert [(row["code"], row["part"]) for row in tournaments] == [("2025-league", "1"), ("2025-league", "2")]
    assert "3 players, 3 games played" in opened_page("/tournaments/2025-league/").text
    assert [entry["number"] for entry in answer("entries/")["results"]] == [1, 2, 3]
    changes = file_rows(july, "changes.csv")
    assert [(row["league_id"], row["part"], row["round"]) for row in changes][:2] == [
        ("21", "1", "1"),
        ("21", "2", "2"),
    ]

    officer = logged_in("Olga", Role.RATING_OFFICER)
    officer.open("/office/lists/league/2025-07-01/correct/")
    officer.fill("Reason for the correction", "Part 2 was not played.")
    assert "League, part 1" in officer.text
    officer.check("League, part 2")
    officer.press("Calculate revision 2")
    call_command("run_period", "league", "--in-force", "2025-07-01")
    assert ratings_of("2025-07-01") == [(22, 1193, -7), (21, 1007, 7)]
    visitor = opened_page("/tournaments/2025-league/changes/")
    assert "Revision 2 excludes part 2" in visitor.text
    assert [part["excluded_by"] for part in answer("")["parts"]] == [None, 2]
    capfd.readouterr()
    call_command("verify_lists", "--pool", "league", "--recalculate")
    assert "3 lists, all as they were published" in capfd.readouterr().out


@pytest.mark.usefixtures("two_lists", "cleared_rate_limits")
def test_a_part_goes_from_upload_to_acceptance_by_page(tmp_path):
    referee, officer = logged_in("Rina", Role.REFEREE), logged_in("Olga", Role.RATING_OFFICER)
    third = SECOND.replace("2,2025-09-05", "3,2026-02-06").replace("1/2-1/2", "1-0")
    referee.open("/reports/new/")
    referee.attach("Report file", "third.csv", (HEADER + third).encode())
    referee.press("Upload report")
    referee.open_link("Details", nth=0)
    assert not referee.fields("Part")
    referee.choose("Rating system", "league")
    referee.press("Save details")
    details = {
        "name": "League", "part": "5", "place": "Utrecht", "country": "NED", "played_from": "2025-02-07",
        "played_to": "2099-06-01", "referee": "Piet Fluit",
    }  # fmt: skip
    for name, value in details.items():
        referee.fill(referee.by_id(f"id_{name}"), value)
    referee.choose(referee.by_id("id_system"), "other")
    referee.press("Save details", status=409)
    assert "No report of part 4 of this tournament has been submitted." in referee.text
    assert referee.value(referee.by_id("id_part")) == "5"
    referee.fill(referee.by_id("id_part"), "3")
    referee.press("Save details")
    referee.open_link("Submission", nth=0)
    for box in referee.textboxes():
        referee.fill(box, "As it was.")
    referee.press("Submit report")
    assert "Report submitted" in referee.text

    officer.open("/office/reports/")
    officer.open_link("League, part 3")
    officer.press("Accept report")
    assert "Report accepted" in officer.text
    stored = ResultSet.objects.get(part=3)
    # The planned last day is that of part 1, as a note says; it counts by its game.
    assert [found["code"] for found in stored.reports.get().accepted_version.findings] == ["part-last-day"]
    assert (stored.code, stored.played_to, stored.counting_day) == (
        "2025-league", date(2099, 5, 1), date(2026, 2, 6)
    )  # fmt: skip
    visitor = opened_page("/tournaments/waiting/")
    assert "League, part 3" in visitor.text


@pytest.mark.usefixtures("two_lists")
@pytest.mark.parametrize("has_rounds", [True, False])
def test_a_return_game_is_another_game_in_a_round_of_several_games(tmp_path, capfd, monkeypatch, has_rounds):
    """Round 2 again with the colours exchanged: where a round has one game of a player, it is the game of part 2."""
    monkeypatch.setattr(LeagueReportRules, "has_rounds", has_rounds)
    exchanged = '2,2025-09-06,21,"Familya, Givena",22,"Familyb, Givenb",1-0\n'
    third = report(tmp_path / "third", "third", exchanged, "part = 3\n")
    if has_rounds:
        assert "game-in-other-part" in refused(third, capfd)
    else:
        import_reports(third, "--accept")


@pytest.mark.usefixtures("league_opening")
def test_a_part_has_the_planned_days_of_all_rounds_so_far(tmp_path, capfd):
    """Round numbers continue: part 2 has a game of round 2, planned a day after it was played, and none of round 3."""
    planned = "rounds = [2025-02-07, {}2025-10-03]\n".format
    first = report(tmp_path / "1", "part-1", FIRST.format("1-0"), "part = 1\nrounds = [2025-02-07]\n")
    import_reports(first, "--accept")
    second = report(tmp_path / "2", "part-2", SECOND, "part = 2\nrounds = [2025-02-07]\n")
    err = refused(second, capfd)
    assert "round-dates-differ" in err
    assert "2 days, one for each round" in err
    report(second, "part-2", SECOND, "part = 2\n" + planned("2025-09-06, "))
    import_reports(second, "--accept")
    assert "part-2.csv  2025-league:2  accepted" in capfd.readouterr().out
    stored = Game.objects.get(result_set__part=2)
    assert stored.started_on == date(2025, 9, 5)
    assert list(stored.result_set.rounds.order_by("number").values_list("number", "played_on")) == [
        (1, date(2025, 2, 7)), (2, date(2025, 9, 6))
    ]  # fmt: skip


@pytest.mark.usefixtures("two_lists")
def test_the_correction_of_a_part_starts_with_its_own_report():
    """Each part has a draft of its own, which is found again; it starts with the last report of that part."""
    first, second = Report.objects.order_by("pk")
    person = Actor(create_user("office@example.org", "Olga", roles=[Role.RATING_OFFICER]))
    drafts = [correct_report(report=one, by=person) for one in (second, first, second)]
    assert [draft.pk for draft in drafts] == [drafts[0].pk, drafts[1].pk, drafts[0].pk]
    sidecars = [detail_values(bytes(draft.versions.get().sidecar)) for draft in drafts[:2]]
    assert [(values["corrects"], values["part"]) for values in sidecars] == [
        ("2025-league", 2), ("2025-league", 1)
    ]  # fmt: skip
    submitted = submit_report(report=drafts[0], comments={}, by=person)
    assert (submitted.result_set.part, submitted.result_set.revision) == (2, 1)
    assert list_of_report(submitted).counts == CountingState.NEXT_REVISION
    assert [one.pk for one in reports_to_include(newest("2026-01-01"))] == []
