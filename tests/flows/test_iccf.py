"""The ICCF by commands: two quarters of a team tournament in parts, a substitute, a correction two lists back.

By hand, by items 4 to 9, 14, 15 and 18. Berg 2200 on 50 games has k 15 × 1.15 = 17.25, Sund 2300 (80) k 12.5, Holm 2100
(80) k 17.5, Vik 1950 (40) k 20 × 1.2 = 24, Moe 1875 (80) k 20; Lund 1875 rests on 12 games; Aas has no rating, assumed
2200 in a master class.

    2026-04-01  Berg beats Sund, draws with Holm   17.25 × (0.64 − 0.14) = 8.625: 2209 (2208.625)
                Sund: 12.5 × (− 0.64) = − 8, and beats Vik, who plays for Holm: 12.5 × (1 − 0.76) = 3, against 2100:
                                                   2295
                Holm: 17.5 × 0.14 = 2.45, and the game of Vik, who lost: 17.5 × (− 0.24) = − 4.2: 2098 (2098.25)
                Lund beats Moe: 7/13, F 0.99704        1875 + 29 × F = 1903.914: 1904
                Aas loses to Moe, 325 below 2200       1875 − 677 × ½ = 1536.5: 1537
                Moe: 20 × (− 0.5) + 20 × (1 − 0.13) = 7.4: 1882 (1882.4)
    2026-07-01  Vik for Holm beats Sund, begun before the first list: 24 × (1 − 0.11) = 21.36: 1971 (1971.36)
                Sund, 2300 then, against 2100: k 70 − 2295/40 = 12.625, × (− 0.76) = − 9.595: 2285 (2285.405)
                Berg draws with Holm, begun on 10 April: 2209 and 2098 have 0.65 and 0.35. k 14.775 × 1.14 = 16.8435,
                × (− 0.15) = − 2.526525: 2206 (2206.47); k 17.55 × 0.15 = 2.6325: 2101 (2100.63)
                Lund draws with Moe: 15/28, D 29, F 0.997449; Rc (13 × 1875 + 1882)/14 = 1875.5: 1904 (1904.43)
                Moe: 20 × (0.5 − 0.47) = 0.6: 1883 (1882.6)
    2026-10-01  no games

Corrected, Lund draws with Moe on the first list: 1875; Moe 17.4: 1892 (1892.4). On the second Lund has 14 draws:
(13 × 1875 + 1892)/14 = 1876.214: 1876; Moe 20 × (0.5 − 0.52) = − 0.4: 1892 (1891.6).
"""

from functools import partial

import pytest
from django.core.management import call_command

from ratings.models import Correction
from ratings.production.correct_list import correct_list
from reporting.log.audit import Actor
from reporting.models import Player, Report, Role
from reporting.refusals.domain_error import DomainError
from reporting.register.services.merge_players import merge_players, undo_merge
from reporting.reports.services.review import accept_report
from tests.flows import test_knsb
from tests.flows.test_knsb import file_rows, officer, ratings, verify
from tests.people import create_user

pytestmark = pytest.mark.django_db(transaction=True)  # a calculation is a transaction of its own

REGISTER = """iccf_id,last_name,first_name,federation,sex,born
910001,Berg,Ada,NOR,W,1990
910002,Sund,Leo,DEN,M,1985
910003,Holm,Eva,SWE,W,1970
910004,Lund,Ole,NOR,M,1982
910005,Vik,Siv,SWE,W,1991
910006,Aas,Per,NOR,M,1970
910007,Moe,Liv,DEN,W,1980
"""
OPENING = """id,rating,games,last_game
910001,2200,50,2025-12-01
910002,2300,80,2025-12-01
910003,2100,80,2025-12-01
910004,1875,12,2025-12-01
910005,1950,40,2025-12-01
910007,1875,80,2025-12-01
"""
HEADER = "round,date,white_id,white_name,black_id,black_name,result,finished,white_for_id,black_for_id\n"
NAMES = {
    number: f'"{last}, {first}"'
    for number, last, first in (line.split(",")[:3] for line in REGISTER.splitlines()[1:])
}
TEAM = """
rating_system = "iccf"
name = "Team"
played_from = 2025-09-15
kind = "master-class"
"""
PART_1 = (
    (1, "2026-01-05", 1, 2, "1-0"), (1, "2026-01-05", 3, 1, "1/2-1/2"), (1, "2026-01-06", 2, 5, "1-0", "", 3),
    (1, "2026-01-06", 4, 7, "1-0"), (2, "2026-01-07", 7, 6, "1-0"),
)  # fmt: skip
PART_2 = ((2, "", 5, 2, "1-0", 3), (3, "2026-04-10", 1, 3, "1/2-1/2"), (3, "2026-04-10", 7, 4, "1/2-1/2"))  # fmt: skip
QUARTERS = ("2026-04-01", "2026-07-01", "2026-10-01")


def line(*game):
    round_number, began, white, black, result, white_for, black_for = (*game, "", "")[:7]
    numbers = [f"91000{number}" for number in (white, black)]
    players = ",".join(f"{number},{NAMES[number]}" for number in numbers)
    replaced = ",".join(f"91000{number}" if number else "" for number in (white_for, black_for))
    return f"{round_number},{began},{players},{result},,{replaced}\n"


def import_part(folder, part, games, received, more=""):
    folder = folder / f"part-{part}{'-corrected' * bool(more)}"
    folder.mkdir()
    (folder / "team.csv").write_text(HEADER + "".join(line(*game) for game in games))
    (folder / "team.toml").write_text(f"{TEAM}part = {part}\nreceived = {received}\n{more}")
    call_command("import_reports", str(folder), "--accept")


run, newest, by_its_own_rules = (
    partial(act, "iccf") for act in (test_knsb.run, test_knsb.newest, test_knsb.by_its_own_rules)
)


def open_pool(tmp_path, register=REGISTER, opening=OPENING, in_force="2026-01-01"):
    (tmp_path / "register.csv").write_text(register)
    (tmp_path / "list.csv").write_text(opening)
    call_command("import_register", str(tmp_path / "register.csv"), "--register", "iccf")
    call_command("import_list", str(tmp_path / "list.csv"), "--pool", "iccf", "--in-force", str(in_force))


@pytest.fixture
def opened(transactional_db, tmp_path):
    """An opening list of 1 January."""
    open_pool(tmp_path)


@pytest.fixture
def tournament(opened, tmp_path):
    """The lists of April to October; the second part was reported on the last day of its period."""
    import_part(tmp_path, 1, PART_1, "2026-02-20")
    import_part(tmp_path, 2, PART_2, "2026-05-31")
    run(*QUARTERS)


@pytest.mark.usefixtures("tournament")
def test_two_quarters_of_a_tournament_in_parts_with_a_substitute(capfd):
    april, july, october = map(newest, QUARTERS)
    assert ratings(april) == {1: 2209, 2: 2295, 3: 2098, 4: 1904, 5: 1950, 6: 1537, 7: 1882}
    assert ratings(july) == {1: 2206, 2: 2285, 3: 2101, 4: 1904, 5: 1971, 6: 1537, 7: 1883}
    assert ratings(october) == ratings(july)
    berg, *_ = file_rows(april, "changes.csv")
    assert ",".join(berg) == (
        "iccf_id,tournament,part,round,date,colour,opponent_id,own,own_from,opponent_rating,opponent_from,k,we,w,change,"
        "method,substitute"
    )
    assert ",".join(berg.values()) == (
        "910001,2025-team,1,1,2026-01-05,w,910002,2200,list,2300,list,17.250000,0.36,1,11.0400,6,"
    )
    assert ",".join(file_rows(april, "list.csv")[0]) == (
        "rank,iccf_id,name,title,federation,rating,change,period_games,games,method,k,last_game"
    )
    rows = {row["iccf_id"][-1]: row for row in file_rows(april, "list.csv")}
    assert [(row["games"], row["method"], row["k"]) for _, row in sorted(rows.items())] == [
        ("52", "6", "17.250000"), ("82", "6", "12.500000"), ("82", "6", "17.500000"), ("13", "5-all", ""),
        ("40", "", ""), ("1", "5-all", ""), ("82", "6", "20.000000"),
    ]  # fmt: skip
    statuses = {row.register_number % 10: row.status for row in april.rows}
    assert statuses == dict.fromkeys((1, 2, 3, 5, 7), "fixed") | dict.fromkeys((4, 6), "not fixed")
    of_substitute = [
        (row["iccf_id"][-1], row["opponent_id"][-1], row["date"], row["own"], row["opponent_rating"],
         row["substitute"])
        for rating_list in (april, july)
        for row in file_rows(rating_list, "changes.csv")
        if row["substitute"] or (row["iccf_id"][-1], row["opponent_id"][-1]) == ("2", "3")
    ]  # fmt: skip
    assert of_substitute == [
        ("2", "3", "2026-01-06", "2300", "2100", ""), ("3", "2", "2026-01-06", "2100", "2300", "replaced"),
        ("2", "3", "2025-09-15", "2300", "2100", ""), ("5", "2", "2025-09-15", "1950", "2300", "substitute"),
    ]  # fmt: skip
    assert {(one.kind, one.player and one.player.last_name) for one in april.anomalies.all()} == set()
    verify(capfd, 4)
    assert by_its_own_rules(3, capfd) == (3, 7, 0, [])


@pytest.mark.usefixtures("tournament")
def test_a_game_of_a_player_with_12_games_two_lists_back_is_corrected(tmp_path, capfd):
    drawn = (*PART_1[:3], (*PART_1[3][:-1], "1/2-1/2"), PART_1[4])
    import_part(tmp_path, 1, drawn, "2026-02-20", 'corrects = "2025-team"\n')
    correct_list(
        rating_list=newest("2026-04-01"), reason="A wrong result.", later=Correction.Later.REVISE,
        included_reports=[Report.objects.latest("pk").pk], by=officer(),
    )  # fmt: skip
    run(*QUARTERS)
    revised = [newest(day) for day in QUARTERS]
    assert [one.revision for one in revised] == [2, 2, 2]
    assert [(ratings(one)[4], ratings(one)[7]) for one in revised] == [
        (1875, 1892), (1876, 1892), (1876, 1892),
    ]  # fmt: skip
    assert [ratings(one)[1] for one in revised] == [2209, 2206, 2206]
    verify(capfd, 7)
    assert by_its_own_rules(3, capfd) == (3, 7, 0, [])


FRIENDLY = """
rating_system = "iccf"
name = "Friendly"
country = "NOR"
played_from = 2026-01-10
played_to = 2026-12-31
kind = "friendly"
level = 2000
delivery = "email"
received = 2026-02-20
registered = 2026-03-18
"""


@pytest.mark.usefixtures("opened")
def test_a_friendly_match_by_email_that_was_registered_too_late_counts_on_the_next_list(tmp_path, capfd):
    """Vik draws with a player without a number, assumed 2000: 24 × (0.5 − 0.43) = 1.68, 1952 (1951.68). The level is
    no usual one, and the office knows the day of registration: 18 March is not before the day two weeks before April.
    """
    (tmp_path / "friendly").mkdir()
    guest = f'1,,910005,{NAMES["910005"]},,"Ny, Bo",1/2-1/2,,,\n'
    (tmp_path / "friendly" / "friendly.csv").write_text(HEADER + guest)
    (tmp_path / "friendly" / "friendly.toml").write_text(FRIENDLY)
    call_command("import_reports", str(tmp_path / "friendly"))
    director = Actor(create_user("d@example.org", "Dina Director", roles=[Role.TOURNAMENT_DIRECTOR]))
    report = Report.objects.get()
    with pytest.raises(DomainError, match="Rating officer"):
        accept_report(report=report, by=director)
    accept_report(report=report, by=officer())
    run("2026-04-01", "2026-07-01")
    assert [ratings(newest(day))[5] for day in QUARTERS[:2]] == [1950, 1952]
    july = newest("2026-07-01")
    assert {(one.kind, one.data["level"]) for one in july.anomalies.all()} == {("level", 2000)}
    (change,) = file_rows(july, "changes.csv")
    assert (change["opponent_id"], change["opponent_rating"], change["opponent_from"]) == (
        "", "2000", "assumed",
    )  # fmt: skip
    assert (change["we"], change["change"]) == ("0.43", "1.6800")
    verify(capfd, 3)
    assert by_its_own_rules(2, capfd) == (2, 6, 0, [])


def test_games_of_merged_records_add_up_and_are_separate_after_an_undone_merge(
    transactional_db, tmp_path, capfd
):
    """Lunde, 1800 on 10 games, is Lund, 1875 on 12: with the win over Moe (12 × 1875 + 10 × 1800 + 1875)/23 = 1842.391,
    12/23: D 14, F 1057/1058: 1856 (1856.378). Two again, Lund has 13 games of 24375 and draws with Moe, as without the
    merge: 1904; Moe, against 1856: 1882 + 20 × (0.5 − 0.54) = 1881.2: 1881. Lunde has 1800 on 10 games again.
    """
    lunde = ("910008,Lunde,Ole,NOR,M,1982\n", "910008,1800,10,2025-12-01\n")
    open_pool(tmp_path, REGISTER + lunde[0], OPENING + lunde[1])
    lund, lunde = (Player.objects.get(numbers__iccf=number) for number in (910004, 910008))
    import_part(tmp_path, 1, PART_1, "2026-02-20")
    by = officer()
    merge = merge_players(duplicate=lunde, surviving=lund, reason="One person", by=by)
    run("2026-04-01")
    april = newest("2026-04-01")
    assert (ratings(april)[4], april.rows.get(player=lund).games) == (1856, 23)
    undo_merge(merge=merge, reason="Two persons", by=by)
    import_part(tmp_path, 2, PART_2, "2026-05-31")
    run("2026-07-01")
    july = newest("2026-07-01")
    assert {number: ratings(july)[number] for number in (4, 7, 8)} == {4: 1904, 7: 1881, 8: 1800}
    assert {row.player_id: row.games for row in july.rows.filter(player__in=(lund, lunde))} == {
        lund.pk: 14,
        lunde.pk: 10,
    }
    verify(capfd, 3)
    assert by_its_own_rules(2, capfd) == (2, 8, 0, [])
