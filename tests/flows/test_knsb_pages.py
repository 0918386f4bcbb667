"""What pages and the API say of KNSB ratings: expected changes, the steps of a list, the method and its calculator.

The figures are those of tests/flows/test_knsb.py, by hand: on the list of 1 March Aalbers 1600 has +15.9207662800 and
−1.7103831400, so 1614.2103831400; Bos 1700 has −15.9207662800; Claes 1500, a youth player, +5.4732260480.
"""

import re

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from ratings.office.selectors.expected import expected_changes
from reporting.models import Player, Report
from reporting.register.services.merge_players import merge_players
from reporting.web.http_cache import PAGES
from tests.flows.test_knsb import (  # noqa: F401 (fixture)
    LEAGUE,
    PART_1,
    PART_2,
    REGISTER,
    _knsb_opened,
    import_part,
    import_report,
    line,
    officer,
    run,
)
from tests.formats.report_files import read_submission
from tests.pages.access.test_bad_queries import NASTY
from tests.rules.test_report_knsb import TODAY
from tests.visitor import Visitor

pytestmark = pytest.mark.django_db(transaction=True)

HEADER = "round,date,white_id,white_name,black_id,black_name,result\n"


def expected(lines, more="", assumed=None):
    """The expected changes of a report by KNSB number; players without one by name."""
    submission = read_submission(
        content=(HEADER + "".join(lines)).encode(), sidecar=(LEAGUE + more).encode(), today=TODAY
    )
    known = {player.numbers["knsb"]: player for player in Player.objects.filter(numbers__has_key="knsb")}
    players = {one.number: known.get(one.fmjd_id) for one in submission.read.players}
    names = {one.number: one.fmjd_id or one.name for one in submission.read.players}
    assumed = {number: assumed[name] for number, name in names.items() if name in (assumed or {})}
    found = expected_changes(submission.details, submission.read, players, assumed)
    return found.pool.code, {
        names[number]: (one.own, one.rating, one.games, one.change, one.after)
        for number, one in found.players.items()
    }


@pytest.fixture
def march(knsb_opened, tmp_path):
    import_part(tmp_path, 1, PART_1)
    run("knsb-klassiek", "2026-03-01")


def test_the_changes_of_a_report_before_it_is_accepted(knsb_opened):
    """Those that the list of March makes of it: the games of Fok wait, and Gans has no opponent with a rating."""
    games = [line(*game) for game in PART_1]
    assert expected(games, "part = 1\nrounds = [2026-01-15, 2026-01-29, 2026-02-05]\n") == (
        "knsb-klassiek",
        {
            8000001: (1600, 1600, 2, 14, 1614),
            8000002: (1700, 1700, 1, -16, 1684),
            8000003: (1500, 1500, 1, 5, 1505),
        },
    )
    # Essen has FIDE 1840 alone; a guest without number is no opponent in klassiek. Of 1500 and 1840 We is 0.117023…:
    # Gans (N_v 80, k 25) loses 25 × 0.117 = 2.9.
    guest = '1,2026-01-15,,"Gast, Gerrit",8000007,"Gans, Guus",1-0\n'
    pool, found = expected([guest, line(2, "2026-01-29", 7, 5, "0-1")], "part = 1\n")
    assert (pool, found[8000007]) == ("knsb-klassiek", (1500, 1500, 1, -3, 1497))
    assert "Gast, Gerrit" not in found
    # With a rating that is assumed, 1700 and N_v 100, the guest counts: 25 × (1 − 0.758) = +6.05, Gans −6.05.
    _, found = expected([guest], "part = 1\n", {"Gast, Gerrit": 1700})
    assert found == {8000007: (1500, 1500, 1, -6, 1494), "Gast, Gerrit": (1700, 1700, 1, 6, 1706)}


def test_the_rating_of_a_held_player_is_not_expected_of_a_report(knsb_opened, tmp_path):
    """Who uploads a report with Bos would else read what only the office sees (R84b)."""
    (tmp_path / "clubs.csv").write_text(
        "id,club,member_from,member_until\n8000001,020032,2019-09-01,\n8000002,020032,2019-09-01,2025-06-30\n"
    )
    call_command("import_memberships", str(tmp_path / "clubs.csv"), "--register", "knsb")
    import_part(tmp_path, 1, PART_1)
    run("knsb-klassiek", "2026-03-01")
    _, found = expected([line(1, "2026-03-15", 1, 2, "1-0")], "part = 2\n")
    assert set(found) == {8000001}
    # Nor of the record that Bos is merged into.
    bos, essen = (Player.objects.get(numbers__knsb=number) for number in (8000002, 8000005))
    merge_players(duplicate=bos, surviving=essen, reason="One person", by=officer())
    _, found = expected([line(1, "2026-03-15", 1, 5, "1-0")], "part = 2\n")
    assert set(found) == {8000001}


def test_a_list_unfolds_to_its_start_its_games_and_what_is_added(march):
    visitor = Visitor()
    visitor.open("/players/knsb-8000001/?pool=knsb-klassiek&list=2026-03-01")
    section = ".//section[@id='explanation']"
    results = visitor.texts(f"{section}/ol/li/*[@class='explanation__result']")
    assert results[:2] == ["1600", "+14.2103831400"]
    assert results[-1] == "1614"
    games = visitor.texts(f"{section}//details[@class='explanation explanation--game']/summary")
    assert len(games) == 2
    read = visitor.texts(f"{section}//a[@href='/lists/knsb-klassiek/2026-01-01/r1/']")
    assert len(read) == 5  # R_i, and both ratings of each game
    assert "1600 +14.2103831400 = 1614.21038314" in visitor.text
    answer = Client().get("/api/v1/players/knsb-8000001/changes/knsb-klassiek/2026-03-01/").json()
    assert [step["code"] for step in (*answer["steps"], answer["total"])] == [
        "r_i", "sum", "lpr", "new_rating",
    ]  # fmt: skip
    assert [step["code"] for step in answer["changes"][1]["steps"]] == [
        "calculation_day", "own", "opponent", "n_v", "k", "expected", "change",
    ]  # fmt: skip
    assert answer["changes"][1]["steps"][4]["working"] == "25 / 2"
    visitor.open("/players/knsb-8000007/?pool=knsb-klassiek&list=2026-03-01")  # Fok had no rating
    assert "not counted, no change on this list" in visitor.text
    assert (
        "The opponent has no rating that counts, or another list counts the game (Rekenregels art. 6.1"
        in visitor.text
    )
    call_command("check_invariants")


def test_a_list_without_games_says_that_n_v_fell(transactional_db, tmp_path):
    """R84: Dijk, last game 10 Feb 2021, has N_v 40 on 1 January and 30 on 1 March, after the fifth anniversary."""
    (tmp_path / "register.csv").write_text(REGISTER)
    (tmp_path / "list.csv").write_text("id,rating,games,last_game,n_v\n8000004,1742,40,2021-02-10,\n")
    call_command("import_register", str(tmp_path / "register.csv"), "--register", "knsb")
    pool = ("--pool", "knsb-klassiek", "--in-force", "2026-01-01")
    call_command("import_list", str(tmp_path / "list.csv"), *pool)
    run("knsb-klassiek", "2026-03-01", "2026-04-01")
    visitor = Visitor()
    visitor.open("/players/knsb-8000004/?pool=knsb-klassiek&list=2026-03-01")
    section = ".//section[@id='explanation']"
    assert visitor.texts(f"{section}//h2") == ["Why 1742 is unchanged"]
    (fallen,) = (text for text in visitor.texts(f"{section}//li") if "R84" in text)
    assert (
        "40 → 30; 10 less on each anniversary of the last game from 5 years on, to no less than 9" in fallen
    )
    assert fallen.endswith("art. 10; R84")
    visitor.open("/players/knsb-8000004/?pool=knsb-klassiek&list=2026-04-01")
    assert visitor.texts(f"{section}//li") == []


def test_many_games_of_a_list_are_on_pages_of_their_tournaments(knsb_opened, tmp_path):
    """25 games of one tournament and one of another: folded into links, 20 games a page, none left out."""
    turns = range(1, 26)
    games = "".join(line(turn, "2026-02-14", 1, (2, 3, 4, 7)[turn % 4], "1/2-1/2") for turn in turns)
    import_report(tmp_path, "Marathon", HEADER + games, "2026-02-14")
    import_report(tmp_path, "Match", HEADER + line(1, "2026-02-15", 1, 2, "1-0"), "2026-02-15")
    run("knsb-klassiek", "2026-03-01")
    page = "/players/knsb-8000001/games/knsb-klassiek/2026-03-01/"
    visitor = Visitor()
    visitor.open("/players/knsb-8000001/")
    links = visitor.page.findall(".//section[@id='explanation']//a[@hx-get]")
    assert [link.attrib["href"] for link in links] == [f"{page}2026-marathon/", f"{page}2026-match/"]
    assert all(link.attrib["hx-get"] == link.attrib["href"] for link in links)
    game = ".//div[@class='unfolded-games']/details"
    assert visitor.texts(f"{game}//li") == []
    answer = Client().get("/api/v1/players/knsb-8000001/changes/knsb-klassiek/2026-03-01/").json()
    in_answer = [change["steps"][-1]["result"] for change in answer["changes"]]
    shown = []
    for part in ("2026-marathon/", "2026-marathon/?page=2", "2026-match/"):
        visitor.open(page + part)
        shown += visitor.texts(f"{game}//li[last()]/*[@class='explanation__result']")
    assert (len(shown), shown) == (26, in_answer)
    client = Client()
    for wrong in ("2026-marathon/?page=3", "2026-nothing/"):
        assert client.get(page + wrong).status_code == 404
    for pool in ("knsb-rapid/2026-03-01", "knsb-klassiek/2026-01-01"):
        assert client.get(f"/players/knsb-8000001/games/{pool}/2026-match/").status_code == 404
    for value in NASTY:
        status = client.get(f"{page}2026-match/?page={value}&unknown={value}").status_code
        assert status in {200, 400, 404}, value[:80]
    costs = set()
    for part in ("2026-marathon/", "2026-match/"):  # 20 games and one
        PAGES.clear()
        with CaptureQueriesContext(connection) as queries:
            client.get(page + part)
        costs.add(len(queries))
    assert len(costs) == 1, costs
    first = client.get(f"{page}2026-match/")
    assert client.get(f"{page}2026-match/", headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_a_reason_for_admission_is_kept_though_nothing_is_late(knsb_opened, tmp_path):
    """R84f: a rating officer admits games at any age."""
    import_part(tmp_path, 1, PART_1, 'admit = "the results were lost"\n')
    import_part(tmp_path, 2, PART_2)
    reasons = Report.objects.order_by("result_set__part").values_list("admitted_reason", flat=True)
    assert list(reasons) == ["the results were lost", ""]


def test_a_waiting_game_says_until_when(march):
    """Fok lost three games, of 15 and 29 January and of 5 February: klassiek games wait 24 months (art. 5.2, R81b)."""
    visitor = Visitor()
    visitor.open("/players/knsb-8000006/")
    assert visitor.texts(".//section[@aria-labelledby='waiting']//tbody//td[last()]") == [
        "15 Jan 2028", "29 Jan 2028", "5 Feb 2028",
    ]  # fmt: skip
    assert "(Rekenregels art. 5.2; R81b)" in visitor.text


def test_games_wait_of_a_player_on_no_list_of_fide_and_only_against_the_rated(knsb_opened, tmp_path):
    """Hoek has a number of FIDE that is on no list, and Iep no rating: only the game against Gans counts (6.1 a)."""
    more = "8000008,Hoek,Hans,NED,M,1980,,1000008\n8000009,Iep,Ilse,NED,W,1980,,\n"
    (tmp_path / "more.csv").write_text(REGISTER.splitlines(keepends=True)[0] + more)
    call_command("import_register", str(tmp_path / "more.csv"), "--register", "knsb")
    games = (
        '1,2026-02-14,8000008,"Hoek, Hans",8000007,"Gans, Guus",1-0\n'
        '2,2026-02-14,8000009,"Iep, Ilse",8000008,"Hoek, Hans",1-0\n'
    )
    import_report(tmp_path, "Match", HEADER + games, "2026-02-14")
    run("knsb-klassiek", "2026-03-01")
    visitor = Visitor()
    visitor.open("/players/knsb-8000008/")
    row = ".//section[@aria-labelledby='waiting']//tbody/tr"
    assert visitor.texts(f"{row}/td[2]") == ["Gans, Guus"]
    assert visitor.texts(f"{row}/td[last()]") == ["14 Feb 2028"]
    visitor.open("/players/knsb-8000009/")
    assert visitor.texts(row) == []


def test_games_wait_in_one_pool_of_a_player_who_is_on_the_list_of_another(march, tmp_path):
    games = "".join(line(turn, "2026-02-14", 6, 1 + turn % 3, "1/2-1/2") for turn in range(1, 7))
    import_report(tmp_path, "Rapid", HEADER + games, "2026-02-14", "15+10")
    run("knsb-rapid", "2026-03-01")
    visitor = Visitor()
    visitor.open("/players/knsb-8000006/")
    assert "KNSB rapid" in visitor.text
    assert visitor.texts(".//section[@aria-labelledby='waiting']//tbody//td[last()]") == [
        "15 Jan 2028", "29 Jan 2028", "5 Feb 2028",
    ]  # fmt: skip


@pytest.mark.django_db(transaction=False)
def test_the_method_page_calculates_its_examples_and_leads_to_the_calculator():
    """The examples of rulings R82, R81b and R82a."""
    client = Client()
    page = client.get("/method/knsb/")
    links = re.findall(r'href="(/method/knsb/calculator/\?[^"]*)"', page.text)
    found = [client.get(link.replace("&amp;", "&")).context["calculated"].rating for link in links]
    assert found == [1613, 1445, 1786]
    assert client.get("/method/knsb/calculator/?rating=1600&rating-1=1700&result-1=2").status_code == 400
    tables = client.get("/method/knsb/tables/?difference=-100")
    assert [figure for _, figure in tables.context["found"]] == ["0.3631693488", "0.6368306512"]
    (table,) = tables.context["tables"]
    assert (len(table.parts), {len(rows) for _, rows in table.parts}) == (15, {50})
