"""The KNSB by commands: opening lists in three pools, lists of FIDE, memberships, a league in parts, a rapid event.

By hand, by articles 3, 7 and 9; opening ratings rest on 80 games or more, 1500 of Claes (16 years old) on 99. From
Φ(100) = 0.6368306512 the other side has 0.3631693488.

    klassiek     games                                           k         changes
    2026-03-01   Aalbers 1600 beats Bos 1700                     25        + 15.9207662800 and − 15.9207662800
                 Aalbers draws with Claes 1500, a youth player   12.5, 40  − 1.7103831400 and + 5.4732260480
                 Fok, without a rating, loses to Gans 1500 three times: they wait, and are none for Gans (6.1.a)
                 Aalbers 1614 (1614.21), Bos 1684 (1684.08), Claes 1505 (1505.47), Dijk 1742, Gans 1500
    2026-04-01   Fok beats Gans three times: R_s = 1500, k 216   3 × − 108 and 3 × + 108, LPR 1500: 1500
                 Dijk, 14 years old, has a bonus of 10           1750, not 1752
    2026-05-01   Fok draws with Gans                             88.181631, 25: no change
    2026-06-01   no games

Corrected, Aalbers draws with Bos: 25 × (0.5 − 0.3631693488) = 3.42076628, less 1.71038314: 1602 (1601.71), and Bos 1697
(1696.58), on all four lists.
"""

import csv
import io
import json
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.core.management import call_command

from ratings.models import Correction, RatingList
from ratings.production.correct_list import correct_list
from reporting.log.audit import Actor
from reporting.log.invariants.registry import broken_invariants, invariants
from reporting.models import Player, Report, Role
from reporting.register.services.merge_players import merge_players, undo_merge
from reporting.register.services.transfer_player import transfer_player
from tests.databases import built_on
from tests.formats.source_files import source_text
from tests.people import create_user
from tests.services.test_players_of_reports import line_of

pytestmark = pytest.mark.django_db(transaction=True)  # a calculation is a transaction of its own

REGISTER = """knsb_id,last_name,first_name,federation,sex,born,title,fide
8000001,Aalbers,Anna,NED,W,1990,,1000001
8000002,Bos,Bram,NED,M,1985,,
8000003,Claes,Cas,NED,M,2010,,
8000004,Dijk,Daan,NED,M,2012,,
8000005,Essen,Eva,GER,W,1991,,4600005
8000006,Fok,Finn,NED,M,1970,,
8000007,Gans,Guus,NED,M,1980,,
"""
KLASSIEK = """id,rating,games,last_game,n_v
8000001,1600,80,2025-12-01,
8000002,1700,120,2025-12-01,
8000003,1500,99,2025-12-01,
8000004,1742,40,2025-12-01,
8000007,1500,7,2025-12-01,80
"""
RAPID = "id,rating,games\n8000001,1600,80\n8000002,1700,80\n"
ESSEN = {
    "ID Number": 4600005, "Name": "Essen, Eva", "Fed": "GER", "Sex": "F", "Tit": "WGM", "WTit": "WGM",
    "SRtng": 1850, "SGm": 0, "SK": 20, "RRtng": 1790, "RGm": 0, "Rk": 20, "BRtng": 0, "BGm": 0, "BK": 0, "B-day": 1991,
}  # fmt: skip
AALBERS = ESSEN | {"ID Number": 1000001, "Fed": "NED", "Tit": "WFM", "WTit": "WFM", "SRtng": 1650, "RRtng": 0}
HEADER = "round,date,white_id,white_name,black_id,black_name,result\n"
NAMES = {
    number: f'"{last}, {first}"'
    for number, last, first in (line.split(",")[:3] for line in REGISTER.splitlines()[1:])
}
LEAGUE = """
rating_system = "knsb"
name = "League"
played_from = 2026-01-15
played_to = 2026-05-31
time_control = "90+30"
"""
PART_1 = (
    (1, "2026-01-15", 1, 2, "1-0"), (1, "2026-01-15", 7, 6, "1-0"), (2, "2026-01-29", 7, 6, "1-0"),
    (3, "2026-02-05", 3, 1, "1/2-1/2"), (3, "2026-02-05", 7, 6, "1-0"),
)  # fmt: skip
PART_2 = ((4, "2026-03-05", 6, 7, "1-0"), (5, "2026-03-12", 6, 7, "1-0"), (6, "2026-03-19", 6, 7, "1-0"))  # fmt: skip
PART_3 = ((7, "2026-04-09", 6, 7, "1/2-1/2"),)


def line(round_number, day, white, black, result):
    numbers = [f"800000{number}" for number in (white, black)]
    players = ",".join(f"{number},{NAMES[number]}" for number in numbers)
    return f"{round_number},{day},{players},{result}\n"


def import_part(folder, part, games, more=""):
    folder = folder / f"part-{part}{'-corrected' * bool(more)}"
    folder.mkdir()
    rounds = {game[0]: game[1] for game in PART_1 + PART_2 + PART_3}
    days = ", ".join(day for number, day in sorted(rounds.items()) if number <= games[-1][0])
    (folder / "league.csv").write_text(HEADER + "".join(line(*game) for game in games))
    (folder / "league.toml").write_text(f"{LEAGUE}part = {part}\nrounds = [{days}]\n{more}")
    call_command("import_reports", str(folder), "--accept")


def import_report(folder, name, content, day, time_control="90+30"):
    """A tournament of one day."""
    folder = folder / name
    folder.mkdir()
    (folder / ("report.csv" if content.startswith("round") else "report.trf")).write_text(content)
    (folder / "report.toml").write_text(
        f'rating_system = "knsb"\nname = "{name}"\nplayed_from = {day}\nplayed_to = {day}\n'
        f'time_control = "{time_control}"\n'
    )
    call_command("import_reports", str(folder), "--accept")


def officer():
    return Actor(create_user("o@example.org", "Olga Office", roles=[Role.RATING_OFFICER]))


def run(pool, *days):
    for day in days:
        call_command("run_period", pool, "--in-force", day)


def newest(pool, in_force):
    return RatingList.objects.filter(pool__code=pool, in_force=in_force, state="published").latest("revision")


def ratings(rating_list):
    return {row.register_number % 10: row.rating for row in rating_list.rows.all()}


def file_rows(rating_list, name):
    content = bytes(rating_list.files.get(name=name).content).decode()
    return list(csv.DictReader(io.StringIO(content)))


def verify(capfd, lists):
    """Neither the recalculation nor the invariants find anything."""
    capfd.readouterr()
    call_command("verify_lists", "--recalculate")
    assert f"{lists} lists, all as they were published" in capfd.readouterr().out
    assert list(broken_invariants(invariants())) == []


def by_its_own_rules(pool, periods, capfd):
    """How many players of the newest list are compared, and how many of them have another rating or none."""
    capfd.readouterr()
    call_command(
        "compare_rules", "--pool", pool, "--with", pool, "--periods", str(periods), "--format", "json"
    )
    found = json.loads(capfd.readouterr().out)
    return len(found["lists"]), found["players"], found["changed"], found["assumptions"]


@built_on("empty")
def knsb_opened():
    """Opening lists of 1 January in three pools, and two lists of FIDE."""
    with TemporaryDirectory() as folder:

        def file(name, content):
            Path(folder, name).write_bytes(content if isinstance(content, bytes) else content.encode())
            return str(Path(folder, name))

        call_command("import_register", file("register.csv", REGISTER), "--register", "knsb")
        for tempo, table in (("klassiek", KLASSIEK), ("rapid", RAPID), ("blitz", RAPID)):
            pool = ("--pool", f"knsb-{tempo}", "--in-force", "2026-01-01")
            call_command("import_list", file(f"{tempo}.csv", table), *pool)
        for day, rating in (("2025-12-01", 1840), ("2026-02-01", 1850)):
            fide = file("fide.txt", source_text(AALBERS, ESSEN | {"SRtng": rating}))
            call_command("import_source", "fide", fide, "--in-force", day)
        bonus = ("--in-force", "2026-04-01", "--file", file("bonus.csv", "age,points\n14,10\n"))
        call_command("set_list_values", "knsb-klassiek", *bonus)


@built_on("knsb_opened")
def knsb_league():
    """The lists of March to June too, each with its part."""
    with TemporaryDirectory() as folder:
        for part, games, day in ((1, PART_1, "03"), (2, PART_2, "04"), (3, PART_3, "05")):
            import_part(Path(folder), part, games)
            run("knsb-klassiek", f"2026-{day}-01")
    run("knsb-klassiek", "2026-06-01")


@pytest.fixture(name="knsb_opened")
def _knsb_opened(transactional_db, _database_of_its_own):
    """A copy of the database with the opening lists."""


@pytest.fixture(name="knsb_league")
def _knsb_league(transactional_db, _database_of_its_own):
    """A copy with the lists of the league."""


def test_a_league_in_parts_counts_game_by_game_and_games_wait(knsb_league, capfd):
    march, april, may = (newest("knsb-klassiek", f"2026-{month}-01") for month in ("03", "04", "05"))
    assert ratings(march) == {1: 1614, 2: 1684, 3: 1505, 4: 1742, 7: 1500}
    assert ratings(april) == {1: 1614, 2: 1684, 3: 1505, 4: 1750, 6: 1500, 7: 1500}
    assert ratings(may) == ratings(april)
    first, second, *_ = file_rows(march, "changes.csv")
    assert ",".join(first) == (
        "knsb_id,tournament,part,round,date,calculation_date,colour,opponent_id,own,own_from,own_list,opponent_rating,"
        "opponent_from,opponent_list,n_v,k,we,w,change,waited"
    )
    assert ",".join(second.values()) == (
        "8000001,2026-league,1,3,2026-02-05,2026-02-05,b,8000003,1600,knsb-klassiek,knsb-klassiek/2026-01-01/r1,1500,"
        "knsb-klassiek,knsb-klassiek/2026-01-01/r1,80.0000,12.500000,0.6368306512,0.5,-1.7104,0"
    )
    aalbers = next(row for row in file_rows(march, "list.csv") if row["knsb_id"] == "8000001")
    assert ",".join(aalbers) == (
        "rank,knsb_id,name,title,federation,rating,change,period_games,games,n_v,r_i,r_i_from,sum,bonus,lpr,limit,"
        "last_game"
    )
    assert (aalbers["title"], aalbers["sum"], aalbers["n_v"]) == ("WFM", "14.2104", "82")
    waited = [(row["change"], row["waited"], row["n_v"]) for row in file_rows(april, "changes.csv")]
    assert waited == [("-108.0000", "1", "1.0000")] * 3 + [("108.0000", "0", "1.0000")] * 3
    fok, dijk = (next(row for row in april.rows if row.register_number % 10 == one) for one in (6, 4))
    assert (fok.r_i, fok.r_i_from, fok.lpr_e3, fok.n_v, fok.limited_by) == (1500, "5.1b", 1_500_000, 6, "")
    assert (dijk.bonus_e4, dijk.limited_by, dijk.sum_e10) == (80_000, "9.1", None)
    kinds = {one.kind for one in april.anomalies.all()}
    assert kinds == {"fide_old", "no_members"}
    verify(capfd, 7)
    assert by_its_own_rules("knsb-klassiek", 4, capfd) == (4, 6, 0, [])


@pytest.mark.usefixtures("knsb_league")
def test_a_list_three_lists_back_is_corrected_and_all_later_ones_are_revised(tmp_path, capfd):
    drawn = ((*PART_1[0][:-1], "1/2-1/2"), *PART_1[1:])
    import_part(tmp_path, 1, drawn, 'corrects = "2026-league"\n')
    correct_list(
        rating_list=newest("knsb-klassiek", "2026-03-01"), reason="A wrong result.", later=Correction.Later.REVISE,
        included_reports=[Report.objects.latest("pk").pk], by=officer(),
    )  # fmt: skip
    days = [f"2026-{month}-01" for month in ("03", "04", "05", "06")]
    run("knsb-klassiek", *days)
    revised = [newest("knsb-klassiek", day) for day in days]
    assert [one.revision for one in revised] == [2, 2, 2, 2]
    assert [(ratings(one)[1], ratings(one)[2], ratings(one)[7]) for one in revised] == [
        (1602, 1697, 1500)
    ] * 4
    verify(capfd, 11)
    assert by_its_own_rules("knsb-klassiek", 4, capfd) == (4, 6, 0, [])


@pytest.mark.usefixtures("knsb_opened")
def test_a_rapid_report_by_fide_numbers_reads_klassiek_and_fide_lists(tmp_path, capfd):
    """Essen has FIDE's klassiek rating alone: 1850 on the day, and on the list before too. We of 250 less is 0.191:
    25 × (0.5 − 0.191) = 7.7.
    """
    lines = [
        "012 Rapid", "042 2026/03/14", "052 2026/03/14",
        line_of(1, "Aalbers, Anna", "1000001", "   2 w =", "0.5"),
        line_of(2, "Essen, Eva", "4600005", "   1 b =", "0.5").replace("NED", "GER"),
    ]  # fmt: skip
    import_report(tmp_path, "Rapid", "\n".join(lines) + "\n", "2026-03-14", "15+10")
    run("knsb-rapid", "2026-04-01")
    rating_list = newest("knsb-rapid", "2026-04-01")
    assert ratings(rating_list) == {1: 1608, 2: 1700}  # Essen has fewer than six games
    (change,) = file_rows(rating_list, "changes.csv")
    assert (change["own_from"], change["own_list"]) == ("knsb-rapid", "knsb-rapid/2026-01-01/r1")
    assert (change["opponent_rating"], change["opponent_from"]) == ("1850", "fide-klassiek")
    assert (change["opponent_list"], change["change"][:3], change["w"]) == ("fide/2026-02-01", "7.7", "0.5")
    assert not newest("knsb-klassiek", "2026-01-01").changes.exists()
    verify(capfd, 4)
    assert by_its_own_rules("knsb-rapid", 1, capfd) == (1, 2, 0, [])


@pytest.mark.usefixtures("knsb_opened")
def test_a_player_who_is_no_member_is_held_and_stays_a_rating(tmp_path, capfd):
    """Bos left before 1 October 2025, Dijk and Gans are in no club: neither has a row, all three have their rating."""
    (tmp_path / "clubs.csv").write_text(
        "id,club,member_from,member_until\n8000001,020032,2019-09-01,\n8000003,020041,2019-09-01,\n"
        "8000002,020032,2019-09-01,2025-06-30\n"
    )
    call_command("import_memberships", str(tmp_path / "clubs.csv"), "--register", "knsb")
    import_part(tmp_path, 1, PART_1)
    run("knsb-klassiek", "2026-03-01")
    march = newest("knsb-klassiek", "2026-03-01")
    assert {row.register_number % 10: (row.rating, row.club) for row in march.rows} == {
        1: (1614, "020032"), 3: (1505, "020041")
    }  # fmt: skip
    held = {one.player.numbers["knsb"] % 10: one.values for one in march.held_rows.select_related("player")}
    assert {number: (row["rating"], row["n_v"]) for number, row in held.items()} == {
        2: (1684, 100), 4: (1742, 40), 7: (1500, 80)
    }  # fmt: skip
    assert "no_members" not in {one.kind for one in march.anomalies.all()}
    verify(capfd, 4)
    assert by_its_own_rules("knsb-klassiek", 1, capfd) == (1, 2, 0, [])


@pytest.mark.usefixtures("knsb_opened")
def test_a_held_rating_that_went_into_a_merge_comes_back_when_it_is_undone(tmp_path, capfd):
    """Gans is held with 1500, 7 games and N_v 80. As one with Haas, a member, who draws with Aalbers, 1614, in April:
    Φ(114) = 0.6550532, 25 × 0.1550532 = 3.88: 1504, 8 games, N_v 81. Two again, Haas keeps 1504, one game and N_v 1.

    The other way round the row of Haas counts for Gans; two again, Gans has the held one again, and in August a row.
    """
    clubs = "id,club,member_from,member_until\n8000001,020032,2019-09-01,\n8000003,020041,2019-09-01,\n"
    clubs += "8000009,020041,2019-09-01,\n"
    (tmp_path / "clubs.csv").write_text(clubs)
    (tmp_path / "more.csv").write_text(REGISTER.partition("\n")[0] + "\n8000009,Haas,Hugo,NED,M,1980,,\n")
    call_command("import_register", str(tmp_path / "more.csv"), "--register", "knsb")
    call_command("import_memberships", str(tmp_path / "clubs.csv"), "--register", "knsb")
    import_part(tmp_path, 1, PART_1)
    run("knsb-klassiek", "2026-03-01")
    gans, haas = (Player.objects.get(numbers__knsb=number) for number in (8000007, 8000009))
    held = newest("knsb-klassiek", "2026-03-01").held_rows.get(player=gans).values
    assert (held["rating"], held["games"], held["n_v"]) == (1500, 7, 80)
    names = f'8000009,"Haas, Hugo",8000001,{NAMES["8000001"]}'
    import_report(tmp_path, "Open", f"{HEADER}1,2026-03-07,{names},1/2-1/2\n", "2026-03-07")
    by = officer()
    merge = merge_players(duplicate=gans, surviving=haas, reason="One person", by=by)
    run("knsb-klassiek", "2026-04-01")
    april = newest("knsb-klassiek", "2026-04-01")
    row = april.rows.get(player=haas)
    assert (row.rating, row.change, row.games, row.n_v) == (1504, None, 8, 81)
    undo_merge(merge=merge, reason="Two persons", by=by)
    run("knsb-klassiek", "2026-05-01")
    other_way = merge_players(duplicate=haas, surviving=gans, reason="One person", by=by)
    run("knsb-klassiek", "2026-06-01")
    row = newest("knsb-klassiek", "2026-06-01").rows.get(player=gans)
    assert (row.rating, row.games, row.n_v) == (1504, 1, 1)
    undo_merge(merge=other_way, reason="Two persons", by=by)
    run("knsb-klassiek", "2026-07-01")
    for day in ("2026-05-01", "2026-07-01"):
        rating_list = newest("knsb-klassiek", day)
        row = rating_list.rows.get(player=haas)
        assert (row.rating, row.games, row.n_v) == (1504, 1, 1)
        assert rating_list.held_rows.get(player=gans).values == held
    (line,) = file_rows(newest("knsb-klassiek", "2026-05-01"), "merged.csv")
    assert (line["state"], line["rating"], line["games"], line["list"]) == ("undone", "", "", "")
    (tmp_path / "later.csv").write_text(clubs + "8000007,020041,2026-07-10,\n")
    call_command("import_memberships", str(tmp_path / "later.csv"), "--register", "knsb")
    run("knsb-klassiek", "2026-08-01")
    row = newest("knsb-klassiek", "2026-08-01").rows.get(player=gans)
    assert (row.rating, row.change, row.games, row.n_v) == (1500, None, 7, 80)
    verify(capfd, 9)
    assert by_its_own_rules("knsb-klassiek", 6, capfd) == (6, 4, 0, [])


@pytest.mark.usefixtures("knsb_opened")
def test_what_the_register_says_later_counts_from_the_next_list(tmp_path, capfd):
    """Fokker beats Gans three times without a number and loses three times with one: 1500 in April, as Fok in the
    league. Claes, no youth player by the corrected year, would have 25 × 0.1368306512 in March: 1503, not 1505. Dijk,
    13 years old, has no bonus in April. Gans had changed the federation in February. The revision of March differs by
    its result alone.
    """
    guest = "".join(f'1,2026-02-07,,"Fokker, Finn",8000007,{NAMES["8000007"]},1-0\n' for _ in range(3))
    import_part(tmp_path, 1, PART_1)
    import_report(tmp_path, "Open", HEADER + guest, "2026-02-07")
    run("knsb-klassiek", "2026-03-01")
    office = Player.objects.get(last_name="Fokker").numbers["office"]
    (tmp_path / "numbers.csv").write_text(f"knsb_id,office\n8000009,{office}\n")
    call_command("import_register", str(tmp_path / "numbers.csv"), "--register", "knsb")
    corrected = REGISTER.replace("M,2010", "M,1985").replace("M,2012", "M,2013")
    (tmp_path / "corrected.csv").write_text(corrected)
    call_command("import_register", str(tmp_path / "corrected.csv"), "--register", "knsb")
    gans, by = Player.objects.get(numbers__knsb=8000007), officer()
    transfer_player(player=gans, federation="BEL", on=date(2026, 2, 15), reason="Moved", by=by)
    verify(capfd, 4)
    lost = guest.replace("2026-02-07,", "2026-03-07,8000009").replace("1-0", "0-1")
    import_report(tmp_path, "Second", HEADER + lost, "2026-03-07")
    run("knsb-klassiek", "2026-04-01")
    april = newest("knsb-klassiek", "2026-04-01")
    assert ratings(april) == {1: 1614, 2: 1684, 3: 1505, 4: 1742, 7: 1500, 9: 1500}
    assert april.rows.get(register_number=8000007).federation == "BEL"
    import_part(tmp_path, 1, ((*PART_1[0][:-1], "1/2-1/2"), *PART_1[1:]), 'corrects = "2026-league"\n')
    correct_list(
        rating_list=newest("knsb-klassiek", "2026-03-01"), reason="A wrong result.", later=Correction.Later.REVISE,
        included_reports=[Report.objects.latest("pk").pk], by=by,
    )  # fmt: skip
    run("knsb-klassiek", "2026-03-01", "2026-04-01")
    march, april = (newest("knsb-klassiek", f"2026-{month}-01") for month in ("03", "04"))
    assert ratings(march) == {1: 1602, 2: 1697, 3: 1505, 4: 1742, 7: 1500}
    assert march.rows.get(register_number=8000007).federation == "NED"
    assert ratings(april) == {1: 1602, 2: 1697, 3: 1505, 4: 1742, 7: 1500, 9: 1500}
    verify(capfd, 7)


@pytest.mark.usefixtures("knsb_opened")
def test_games_of_merged_records_wait_together_and_count_once_though_the_merge_is_undone(tmp_path, capfd):
    """Fok lost three games and a guest without a number won three, all against 1500: as one they start at 1500.

    Two again, Fok keeps rating and games; the guest, who has a number by now, has three further games and no others.
    """
    guest = "".join(f'1,2026-02-07,,"Fokker, Finn",8000007,{NAMES["8000007"]},1-0\n' for _ in range(3))
    import_part(tmp_path, 1, PART_1)
    import_report(tmp_path, "Open", HEADER + guest, "2026-02-07")
    run("knsb-klassiek", "2026-03-01")
    assert 6 not in ratings(newest("knsb-klassiek", "2026-03-01"))
    by, record = officer(), Player.objects.get(last_name__startswith="Fokker")
    fok = Player.objects.get(numbers__knsb=8000006)
    merge = merge_players(duplicate=record, surviving=fok, reason="One person", by=by)
    run("knsb-klassiek", "2026-04-01")
    april = newest("knsb-klassiek", "2026-04-01")
    assert ratings(april)[6] == 1500
    assert [change.waited for change in april.changes] == [True] * 6
    undo_merge(merge=merge, reason="Two persons", by=by)
    run("knsb-klassiek", "2026-05-01")
    verify(capfd, 6)
    (tmp_path / "numbers.csv").write_text(f"knsb_id,office\n8000009,{record.numbers['office']}\n")
    call_command("import_register", str(tmp_path / "numbers.csv"), "--register", "knsb")
    more = guest.replace("2026-02-07,", "2026-05-04,8000009")
    import_report(tmp_path, "Second", HEADER + more, "2026-05-04")
    run("knsb-klassiek", "2026-06-01")
    for day in ("2026-05-01", "2026-06-01"):
        rating_list = newest("knsb-klassiek", day)
        assert {one: rating for one, rating in ratings(rating_list).items() if one in (6, 9)} == {6: 1500}
        (row,) = rating_list.rows.filter(register_number=8000006)
        assert (row.games, row.n_v, row.period_games) == (6, 6, 0)
