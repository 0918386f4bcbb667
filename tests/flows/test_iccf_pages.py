"""What pages and the API say of ICCF ratings: steps of games and lists, expected changes, method and calculator.

The figures are those of tests/flows/test_iccf.py, by hand.
"""

import re
from datetime import date, timedelta

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from ratings.federations.registry import rating_system
from ratings.models import Period
from ratings.office.selectors.expected import expected_changes
from ratings.office.selectors.period_status import period_status_of
from ratings.office.selectors.periods_in_work import (
    ExclusionReason,
    PeriodStatus,
    TournamentStage,
    TournamentStatus,
)
from reporting.models import Player, Report, Role, Tournament
from tests.flows.test_iccf import (  # noqa: F401 (fixtures)
    FRIENDLY,
    HEADER,
    PART_1,
    PART_2,
    REGISTER,
    TEAM,
    import_part,
    line,
    newest,
    open_pool,
    opened,
    run,
    tournament,
)
from tests.flows.test_knsb import file_rows
from tests.flows.test_toy_federation import logged_in
from tests.formats.report_files import read_submission
from tests.rules.test_report_iccf import TODAY
from tests.visitor import Visitor

pytestmark = pytest.mark.django_db(transaction=True)

SECTION = ".//section[@id='explanation']"


def expected(games, assumed=None, more="", guests=""):
    """The expected changes of a report by the last digit of the ICCF number; players without one by name."""
    submission = read_submission(
        content=(HEADER + "".join(line(*game) for game in games) + guests).encode(),
        sidecar=f"{TEAM}part = 1\nreceived = 2026-02-20\n{more}".encode(),
        today=TODAY,
    )
    known = {player.numbers["iccf"]: player for player in Player.objects.filter(numbers__has_key="iccf")}
    players = {one.number: known.get(one.fmjd_id) for one in submission.read.players}
    names = {one.number: one.fmjd_id % 10 if one.fmjd_id else one.name for one in submission.read.players}
    numbers = {name: number for number, name in names.items()}
    assumed = {numbers[name]: rating for name, rating in (assumed or {}).items()}
    found = expected_changes(submission.details, submission.read, players, assumed)
    return found.pool.code, {
        names[number]: (one.own, one.rating, one.games, one.change, one.after, one.provisional)
        for number, one in found.players.items()
    }


def test_the_changes_of_a_report_before_it_is_accepted(opened):  # noqa: F811
    """Those that the list of April makes of it."""
    assert expected(PART_1) == (
        "iccf",
        {
            1: (2200, 2200, 2, 9, 2209, False), 2: (2300, 2300, 2, -5, 2295, False),
            3: (2100, 2100, 2, -2, 2098, False), 4: (1875, 1875, 1, 29, 1904, True),
            6: (None, None, 1, None, 1537, True), 7: (1875, 1875, 2, 7, 1882, False),
        },
    )  # fmt: skip


def test_a_report_after_lists_counts_the_games_of_these(tournament):  # noqa: F811
    """Lund has 14 games, Rc (13 × 1875 + 1882)/14, w 7½; a loss to Moe, 1883, begun with the list of October, by 1904.

    Rc = (26257 + 1883)/15 = 1876; p = 7.5/15: D(0.5) = 0: 1876. Moe, 1883 on 85 games: k 20, difference 21: We 0.47:
    + 10.6: 1894 (1893.6).
    """
    _, found = expected([(4, "2026-10-02", 7, 4, "1-0")])
    assert found == {4: (1904, 1904, 1, -28, 1876, True), 7: (1883, 1883, 1, 11, 1894, False)}


def test_players_without_a_number_have_no_change_but_by_an_assumed_rating(opened):  # noqa: F811
    """A guest is assumed at 2200; Sund, 2300, k 12.5, wins: difference 100: We 0.64: 4.5: 2305 (2304.5).

    With an assumed 2300: We 0.5: 6.25: 2306, and the guest, k (70 − 57.5) × 1: − 6.25: 2294 (2293.75).
    """
    guest = '1,2026-01-05,910002,"Sund, Leo",,"Gast, Gert",1-0,,,\n'
    _, found = expected([], guests=guest)
    assert found == {2: (2300, 2300, 1, 5, 2305, False)}
    _, found = expected([], {"Gast, Gert": 2300}, guests=guest)
    assert found == {2: (2300, 2300, 1, 6, 2306, False), "Gast, Gert": (2300, 2300, 1, -6, 2294, False)}


def steps_of_games(visitor):
    return visitor.texts(
        f"{SECTION}//details[@class='explanation explanation--game']//*[@class='explanation__result']"
    )


@pytest.mark.usefixtures("tournament")
def test_a_list_by_formula_6_unfolds_to_its_games_and_the_factors_of_k():
    visitor = Visitor()
    visitor.open("/players/iccf-910001/?pool=iccf&list=2026-04-01")
    results = visitor.texts(f"{SECTION}/ol/li/*[@class='explanation__result']")
    assert results == ["2200", "50", "15", "1.15", "17.25", "46.37", "+8.625", "2209"]
    assert steps_of_games(visitor) == [
        "5 Jan 2026", "2200", "2300", "−100", "0.36", "17.25", "+11.04",
        "5 Jan 2026", "2200", "2100", "+100", "0.64", "17.25", "−2.415",
    ]  # fmt: skip
    read = visitor.texts(f"{SECTION}//a[@href='/lists/iccf/2026-01-01/r1/']")
    assert len(read) == 6  # R0, its games, and both ratings of each game
    assert "2200 + 8.625 = 2208.625" in visitor.text
    assert {text.split()[0] for text in visitor.texts(".//*[@class='explanation__law']")} == {"item"}
    where, *_ = visitor.texts(f"{SECTION}//*[@class='explanation__meta']")
    assert where.startswith("15 Sep 2025")  # no place, no comma
    visitor.open_link("Try other results in the calculator")
    calculated = visitor.response.context["calculated"]
    assert (calculated.rating, calculated.summary) == (2209, "+8.6250: 1.5 of 2 points in 2 games")


@pytest.mark.usefixtures("tournament")
def test_a_rating_over_all_games_links_those_of_earlier_lists():
    """Lund, July: a draw with Moe, 1882; in April a win over 1875; 12 games of the opening rating."""
    answer = Client().get("/api/v1/players/iccf-910004/changes/iccf/2026-07-01/").json()
    assert [
        (step["code"], step["working"] or "", step["result"], step["list"] or "")
        for step in (*answer["steps"], answer["total"])
    ] == [
        ("games_before", "", "13", "iccf/2026-04-01/r1"),
        ("earlier", "1875", "1 / 1", "iccf/2026-04-01/r1"),
        ("opening", "12 × 1875", "6 / 12", ""),
        ("mean", "26257 / 14", "1875.5", ""),
        ("percentage", "7.5 / 14", "0.536", ""),
        ("rating_difference", "", "+29", ""),
        ("correction", "−2p² + 2p + 0.5 = 391 / 392", "0.997", ""),
        ("new_rating", "26257 / 14 + 29 × 391 / 392 = 1904.426", "1904", ""),
    ]
    visitor = Visitor()
    visitor.open("/players/iccf-910004/?pool=iccf&list=2026-07-01")
    assert "12 × 1875" in visitor.text
    assert not visitor.links("Try other results in the calculator")  # games of earlier lists cannot be typed


@pytest.mark.usefixtures("tournament")
def test_substitutes_and_assumed_ratings_say_what_they_are():
    visitor = Visitor()
    visitor.open("/players/iccf-910003/?pool=iccf&list=2026-04-01")
    assert "counts for the player replaced, because the substitute does not gain by it" in visitor.text
    visitor.open("/players/iccf-910005/?pool=iccf&list=2026-07-01")
    assert "counts for the substitute, who gains by it" in visitor.text
    visitor.open("/players/iccf-910002/?pool=iccf&list=2026-04-01")
    assert "the higher rated of substitute and player replaced" in visitor.text
    # Aas, assumed 2200, loses to Moe, 1875: 325 below.
    visitor.open("/players/iccf-910006/?pool=iccf&list=2026-04-01")
    assert "assumed, Master class" in visitor.text
    assert steps_of_games(visitor) == ["7 Jan 2026", "2200", "1875", "0", "1875"]
    assert "1875 / 1 − 677 × 1 / 2 = 1536.5" in visitor.text


def test_standings_count_the_games_of_all_parts_in_one_round(opened, tmp_path):  # noqa: F811
    """In round 1 Berg has 1½ of 2 in part 1, and 1½ of 2 in part 2: against Sund for the second time, and Moe."""
    import_part(tmp_path, 1, PART_1[:2], "2026-02-20")
    import_part(tmp_path, 2, ((1, "", 2, 1, "1/2-1/2"), (1, "", 1, 7, "1-0")), "2026-02-21")
    run("2026-04-01")
    visitor = Visitor()
    visitor.open("/tournaments/2025-team/")
    assert (
        "1 Berg, Ada NOR NOR 3 2 Sund, Leo DEN DEN ½ 2 Holm, Eva SWE SWE ½ 4 Moe, Liv DEN DEN 0"
        in visitor.text
    )


@pytest.mark.django_db(transaction=False)
def test_the_method_page_calculates_its_examples_and_leads_to_the_calculator():
    """The examples of rulings R91, R90, R92a and R92: 1900 · 33 draws with 1950 give 1950."""
    client = Client()
    page = client.get("/method/iccf/")
    links = re.findall(r'href="(/method/iccf/calculator/\?[^"]*)"', page.text)
    found = [client.get(link.replace("&amp;", "&")).context["calculated"].rating for link in links]
    assert found == [2209, 2019, 1904, 1950]
    for query in ("rating=1900&rating-1=1700&result-1=2", "games=30&rating-1=1700&result-1=2"):
        assert client.get(f"/method/iccf/calculator/?{query}").status_code == 400
    assumed = client.get("/method/iccf/calculator/?level=2200&rating-1=2400&result-1=0").context["calculated"]
    assert assumed.rating == 2062  # R90: 2400 − 677 × ½ = 2061.5


@pytest.mark.django_db(transaction=False)
def test_the_tables_of_the_working_rules_are_printed_and_looked_up():
    client = Client()
    tables = client.get("/method/iccf/tables/?difference=-100&percentage=25&rating=2001&games=31")
    assert [figure for _, figure in tables.context["found"]] == ["0.36", "0.64", "−193", "24.868875", "32"]
    of_scores, of_differences = tables.context["tables"]
    rows = [row for _, part in of_scores.parts for row in part]
    assert (len(rows), rows[0], rows[25], rows[100]) == (
        101, ("100 %", "677"), ("75 %", "193"), ("0 %", "−677"),
    )  # fmt: skip
    assert [heading for heading, _ in of_scores.parts][::10] == ["100 % – 91 %", "0 %"]
    rows = [row for _, part in of_differences.parts for row in part]
    assert (len(rows), rows[0], rows[49]) == (50, ("0 to 3", "0.50", "0.50"), ("from 620", "0.99", "0.01"))  # fmt: skip
    assert client.get("/method/iccf/tables/?rating=2001").status_code == 400


@pytest.mark.usefixtures("opened", "cleared_rate_limits")
def test_a_period_names_the_reports_that_wait_for_registration(tmp_path):
    """Registered on 18 March, the day of the freeze of April: it counts in July (R93a)."""
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "friendly.csv").write_text(HEADER + line(1, "2026-01-12", 5, 7, "1-0"))
    (tmp_path / "reports" / "friendly.toml").write_text(FRIENDLY)
    call_command("import_reports", str(tmp_path / "reports"), "--accept")
    call_command("run_period", "iccf", "--in-force", "2026-04-01", "--draft")
    officer = logged_in("Olga", Role.RATING_OFFICER)
    officer.open("/office/lists/iccf/2026-04-01/")
    (row,) = officer.texts(".//section[@aria-labelledby='unregistered']//tbody/tr")
    assert row.startswith("Friendly reported 20 Feb 2026")
    assert "18 Mar 2026 Registration by 17 Mar 2026: it came later. no, in that of 1 Jul 2026" in row
    assert "counts by 1 Mar 2026" in officer.text
    assert "Last round" not in officer.text


@pytest.mark.usefixtures("opened", "cleared_rate_limits")
def test_results_registered_after_the_freeze_say_why_they_count_later(tmp_path):
    """Reported on 20 February, registered on 18 March, and submitted when April was published (items 12, 13; R93a)."""
    call_command("run_period", "iccf", "--in-force", "2026-04-01")
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "friendly.csv").write_text(HEADER + line(1, "2026-01-12", 5, 7, "1-0"))
    (tmp_path / "reports" / "friendly.toml").write_text(FRIENDLY)
    call_command("import_reports", str(tmp_path / "reports"), "--accept")
    officer = logged_in("Olga", Role.RATING_OFFICER)
    officer.open("/office/lists/iccf/2026-04-01/")
    (row,) = officer.texts(".//section[@aria-labelledby='unregistered']//tbody/tr")
    assert "18 Mar 2026 Registration by 17 Mar 2026: it came later. no, in that of 1 Jul 2026" in row
    for address in ("/office/reports/", "/reports/"):
        officer.open(f"{address}{Report.objects.get().pk}/")
        assert "1 Jul 2026" in officer.text
        assert (
            "– reported on 20 Feb 2026, registered on 18 Mar 2026. The results were registered too late for the list"
            " of the day of the report"
        ) in officer.text
        assert "That is the day of the report" not in officer.text


@pytest.mark.usefixtures("opened", "cleared_rate_limits")
def test_results_submitted_after_two_freezes_are_with_the_list_of_each_of_their_days(tmp_path):
    """Reported in time for April, registered in time for July, submitted when both were published (R93a)."""
    for in_force in ("2026-04-01", "2026-07-01"):
        call_command("run_period", "iccf", "--in-force", in_force)
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "friendly.csv").write_text(HEADER + line(1, "2026-01-12", 5, 7, "1-0"))
    (tmp_path / "reports" / "friendly.toml").write_text(FRIENDLY)
    call_command("import_reports", str(tmp_path / "reports"), "--accept")
    for period in Period.objects.filter(pool__code="iccf", in_force__in=["2026-04-01", "2026-07-01"]):
        (late,) = (found for found in period_status_of(period).lines if found.report)
        assert (late.reason, late.other_list.in_force) == (ExclusionReason.AFTER_FREEZE, date(2026, 10, 1))


@pytest.mark.usefixtures("demonstration", "cleared_rate_limits")
def test_a_draft_of_its_closing_date_names_what_waits_for_registration(tmp_path):
    """The demonstration freezes a period early: the day of the freeze becomes the closing date."""
    calendar, today = rating_system("iccf").calendar, timezone.localdate()
    period = calendar.period_of(today)
    open_pool(tmp_path, in_force=calendar.previous_period(period).in_force)
    waiting = f"""
rating_system = "iccf"
name = "Cup"
played_from = {today - timedelta(days=30)}
kind = "cup-final"
delivery = "post"
received = {today}
"""
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports" / "cup.csv").write_text(HEADER + line(1, "", 5, 7, "1-0"))
    (tmp_path / "reports" / "cup.toml").write_text(waiting)
    call_command("import_reports", str(tmp_path / "reports"))
    call_command("run_period", "iccf", "--in-force", str(period.in_force), "--draft")
    officer = logged_in("Olga", Role.RATING_OFFICER)
    officer.open(f"/office/lists/iccf/{period.in_force}/")
    (row,) = officer.texts(".//section[@aria-labelledby='unregistered']//tbody/tr")
    assert row.startswith("Cup ")
    assert "Acceptance by the office." in row


@pytest.mark.usefixtures("opened", "cleared_rate_limits")
def test_a_correction_keeps_the_day_of_the_report_and_shows_what_it_changes(tmp_path):
    """Berg has several games in the only round: in a correction of one result the others are not changed."""
    games = tuple((1, *game[1:]) for game in PART_1)
    import_part(tmp_path, 1, games, "2026-02-20")
    officer = logged_in("Olga", Role.RATING_OFFICER)
    officer.open(f"/office/reports/{Report.objects.get().pk}/")
    officer.press("Correct report")
    officer.open_link("File", nth=0)
    assert "1 detail missing" not in officer.text
    changed = (*games[:3], (*games[3][:4], "1/2-1/2"), games[4])
    officer.attach(
        officer.by_id("again"), "team.csv", (HEADER + "".join(line(*game) for game in changed)).encode()
    )
    officer.press("Upload file")
    officer.open_link("Submission", nth=0)
    officer.press("Submit report")
    officer.open(f"/office/reports/{Report.objects.latest('pk').pk}/")
    changes = officer.texts(".//section[@aria-labelledby='register']//details//tbody/tr")
    assert changes == ["1: 5–6 1-0 ½-½"]


@pytest.mark.usefixtures("opened")
def test_games_of_one_round_are_one_table(tmp_path):
    """The games of a player in a round are no session: Berg, Sund and Holm have two each in round 1."""
    import_part(tmp_path, 1, PART_1, "2026-02-20")
    run("2026-04-01")
    visitor = Visitor()
    visitor.open("/tournaments/2025-team/rounds/?round=1")
    assert len(visitor.texts(".//table")) == 1
    assert sorted(visitor.texts(".//tbody/tr")) == [
        "1 Berg, Ada NOR 1 – 0 Sund, Leo DEN",
        "2 Lund, Ole NOR 1 – 0 Moe, Liv DEN",
        "3 Holm, Eva SWE ½ – ½ Berg, Ada NOR",
        "4 Sund, Leo DEN 1 – 0 Vik, Siv SWE for Holm, Eva",
    ]
    visitor.open("/lists/iccf/2026-04-01/r1/")
    assert "New games are the counted games of the period, games those in all." in visitor.text


def test_what_waits_for_registration():
    """List of 1 April: reported by 28 February, frozen on 18 March."""

    def status(reason, received=date(2026, 2, 20), registered=date(2026, 3, 17)):
        return TournamentStatus(
            TournamentStage.EXCLUDED, reason, Tournament(), received=received, registered=registered
        )

    waiting = [
        status(ExclusionReason.OFFICE),
        status(ExclusionReason.RETURNED),
        status(ExclusionReason.AFTER_FREEZE),
        status(ExclusionReason.AFTER_CLOSING, registered=date(2026, 3, 18)),
    ]
    others = [
        status(ExclusionReason.OFFICE, registered=None),  # on the server
        status(ExclusionReason.OFFICE, received=date(2026, 3, 1)),  # for the next list
        status(ExclusionReason.COUNTED),
        status(ExclusionReason.REJECTED, registered=date(2026, 3, 18)),
    ]
    status_of_period = PeriodStatus([*waiting, *others])
    assert status_of_period.waiting_for_registration(date(2026, 2, 28), date(2026, 3, 18)) == waiting


@pytest.mark.usefixtures("opened")
def test_a_list_prints_the_titles_of_its_closing_date_sorted_by_rank(tmp_path):
    """Sund's title counts from the day after the closing date of April, 28 February."""
    import_part(tmp_path, 1, PART_1, "2026-02-20")
    header, *players = REGISTER.splitlines()
    for day, given in (("2026-02-28", {0: "IM"}), ("2026-03-01", {1: "SIM", 2: "LGM"})):
        rows = [f"{players[place]},{title}" for place, title in given.items()]
        (tmp_path / "titles.csv").write_text("\n".join([f"{header},iccf_title", *rows]))
        call_command("import_register", str(tmp_path / "titles.csv"), "--register", "iccf", "--on", day)
    run("2026-04-01", "2026-07-01")
    titles = {
        in_force: {row["iccf_id"][-1]: row["title"] for row in file_rows(newest(in_force), "list.csv")}
        for in_force in ("2026-04-01", "2026-07-01")
    }
    assert titles["2026-04-01"] == dict.fromkeys("234567", "") | {"1": "IM"}
    assert titles["2026-07-01"] == dict.fromkeys("4567", "") | {"1": "IM", "2": "SIM", "3": "LGM"}
    visitor = Visitor()
    numbers = ".//table/tbody/tr/td[2]"
    visitor.open("/lists/iccf/2026-07-01/r1/?sort=title")
    without_title = [*"5476"]  # by rating
    assert [number[-1] for number in visitor.texts(numbers)[:7]] == [*"213", *without_title]
    visitor.open("/lists/iccf/2026-07-01/r1/?sort=-title")
    assert [number[-1] for number in visitor.texts(numbers)[:7]] == [*"312", *without_title]
    visitor.open("/lists/iccf/2026-07-01/r1/?title=SIM")
    assert [text for text in visitor.texts(".//tbody/tr/th") if ", " in text] == ["SIM Sund, Leo DEN"]
    visitor.open("/players/iccf-910002/")
    assert "Senior international correspondence chess master (SIM)" in visitor.text
    visitor.open("/titles/")
    assert "Ladies correspondence chess grandmaster (LGM) ICCF 1 1" in visitor.text
