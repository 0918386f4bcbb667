"""The KNSB by commands: opening lists in three pools, lists of FIDE, memberships, a league in parts, a rapid event.

By hand, by articles 3, 7 and 9; all opening ratings rest on 80 games or more, 1500 of Claes (16 years old) on 99. From
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
"""

import csv
import io

import pytest
from django.core.management import call_command

from ratings.models import RatingList
from reporting.log.invariants.registry import broken_invariants, invariants
from tests.formats.source_files import source_text

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
PART_2 = (
    (4, "2026-03-05", 6, 7, "1-0"), (5, "2026-03-12", 6, 7, "1-0"), (6, "2026-03-19", 6, 7, "1-0"),
)  # fmt: skip
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
    (folder / "league.csv").write_text(
        "round,date,white_id,white_name,black_id,black_name,result\n" + "".join(line(*game) for game in games)
    )
    (folder / "league.toml").write_text(f"{LEAGUE}part = {part}\nrounds = [{days}]\n{more}")
    call_command("import_reports", str(folder), "--accept")


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


@pytest.fixture
def opened(transactional_db, tmp_path):
    """Opening lists of 1 January in three pools, and two lists of FIDE."""

    def file(name, text):
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    call_command("import_register", file("register.csv", REGISTER), "--register", "knsb")
    for tempo, table in (("klassiek", KLASSIEK), ("rapid", RAPID), ("blitz", RAPID)):
        pool = ("--pool", f"knsb-{tempo}", "--in-force", "2026-01-01")
        call_command("import_list", file(f"{tempo}.csv", table), *pool)
    for day, rating in (("2025-12-01", 1840), ("2026-02-01", 1850)):
        (tmp_path / "fide.txt").write_bytes(source_text(ESSEN | {"SRtng": rating}))
        call_command("import_source", "fide", str(tmp_path / "fide.txt"), "--in-force", day)
    (tmp_path / "bonus.csv").write_text("age,points\n14,10\n")
    bonus = ("--in-force", "2026-04-01", "--file", str(tmp_path / "bonus.csv"))
    call_command("set_list_values", "knsb-klassiek", *bonus)


@pytest.fixture
def league(opened, tmp_path):
    """The lists of March to June, each with its part."""
    for part, games, day in ((1, PART_1, "03"), (2, PART_2, "04"), (3, PART_3, "05")):
        import_part(tmp_path, part, games)
        run("knsb-klassiek", f"2026-{day}-01")
    run("knsb-klassiek", "2026-06-01")


def test_a_league_in_parts_counts_game_by_game_and_games_wait(league, capfd):
    march, april, may = (newest("knsb-klassiek", f"2026-{month}-01") for month in ("03", "04", "05"))
    assert ratings(march) == {1: 1614, 2: 1684, 3: 1505, 4: 1742, 7: 1500}
    assert ratings(april) == {1: 1614, 2: 1684, 3: 1505, 4: 1750, 6: 1500, 7: 1500}
    assert ratings(may) == ratings(april)
    verify(capfd, 7)
