"""Who the players of a report are: by their numbers, by names in an export, and what the register says differently."""

from datetime import date

import pytest

from reporting.models import Player
from reporting.register.services.import_register import import_register
from reporting.register.services.transfer_player import transfer_player
from reporting.reports.reading.validate import match_report
from reporting.reports.services.upload import upload_report
from reporting.rules.findings.finding_list import Severity
from tests.formats.report_files import read_submission
from tests.services.report_helpers import GAMES, codes

pytestmark = pytest.mark.django_db


def numbers_of(uploaded):
    return {number: player.numbers["fmjd"] for number, player in uploaded.matching.players.items()}


def test_players_are_known_by_their_fmjd_id(office):
    office.register(11, 12, 13)
    assert numbers_of(office.upload("Open", [13, 11, 12], GAMES)) == {1: 13, 2: 11, 3: 12}


def test_an_fmjd_id_that_does_not_exist_is_an_error_with_its_line_and_column(office):
    office.register(11, 12)
    uploaded = office.upload("Open", [11, 12, 99], GAMES)
    (finding,) = [finding for finding in uploaded.matching.findings if finding.code == "fmjd-id-unknown"]
    # 13 lines up to <section players>, then number 1, 2 and 3.
    assert (finding.severity, finding.line, finding.column, finding.found) == (Severity.ERROR, 17, 1, "99")
    assert uploaded.matching.players[3] is None


@pytest.mark.parametrize(
    ("player", "field"),
    [
        ("11,1,,0,2,Wrong,Familyal,NED,,", "name"),
        ("11,1,,0,2,Givenal,Familyal,BEL,,", "country"),
        ("11,1,,0,2,Givenal,Familyal,NED,,W", "sex"),
        ("11,1,,0,2,Givenal,Familyal,NED,01/02/1991,", "born"),
    ],
)
def test_what_the_register_says_differently_is_a_warning(office, player, field):
    office.register(11, 12)  # 11 is Givenal Familyal of NED, a man born in 1990
    assert office.names[11] == ("Givenal", "Familyal")
    right = "11,1,,0,2,Givenal,Familyal,NED,,"
    content = office.report_file("Open", [11, 12], ["1 1 2 2-0"])
    assert right.encode() in content
    file = {"filename": "a", "sidecar": office.details(), "by": office.referee}
    assert "register-differs" not in codes(upload_report(content=content, **file))  # the twin
    uploaded = upload_report(content=content.replace(right.encode(), player.encode()), **file)
    (finding,) = [finding for finding in uploaded.matching.findings if finding.code == "register-differs"]
    assert (finding.severity, finding.field, finding.line) == (Severity.WARNING, field, 15)
    assert uploaded.matching.players[1].numbers["fmjd"] == 11  # the number decides


def test_the_country_of_a_report_is_the_federation_on_the_first_day_of_its_tournament(office):
    """The Open is played from 6 Feb 2026; 11 goes to Belgium on its first day, 12 on the day after."""
    office.register(11, 12)
    for number, on in ((11, date(2026, 2, 6)), (12, date(2026, 2, 7))):
        player = Player.objects.get(numbers__fmjd=number)
        transfer_player(player=player, federation="BEL", on=on, reason="A letter", by=office.officer)
    content = office.report_file("Open", [11, 12], ["1 1 2 2-0"])
    uploaded = upload_report(content=content, filename="a", sidecar=office.details(), by=office.referee)
    (finding,) = [finding for finding in uploaded.matching.findings if finding.code == "register-differs"]
    assert (finding.field, finding.found, finding.line) == ("country", "NED", 15)
    assert "BEL" in finding.expected


def test_a_newcomer_who_looks_like_a_registered_player_is_a_warning_that_names_him(office):
    office.register(11, 12)
    namesake = office.newcomer("GIVENAL", "Familyal", country="BEL")
    uploaded = office.upload("Open", [namesake, office.newcomer("Nova", "Kometa"), 12], GAMES)
    (finding,) = [finding for finding in uploaded.matching.findings if finding.code == "looks-registered"]
    assert (finding.severity, finding.line) == (Severity.WARNING, 15)
    assert "11 (Familyal, Givenal, NED, 1990)" in finding.expected
    assert uploaded.matching.players == {1: None, 2: None, 3: Player.objects.get(numbers__fmjd=12)}


def test_one_person_entered_twice_is_an_error(office):
    office.register(11, 12)
    uploaded = office.upload("Open", [11, 12, 11], GAMES)
    (finding,) = [finding for finding in uploaded.matching.findings if finding.code == "player-entered-twice"]
    assert (finding.severity, finding.line) == (Severity.ERROR, 17)


CROSSTABLE = (
    ";Tournament table\nOpen\nPlace;S.No.;Title;Name;Fed.;FMJD;Total;R1\n"
    "1;1;;{first};{federation};2000;2;2w2\n2;2;;Familyam, Givenam;NED;2000;0;1b0\n"
)

DETAILS_OF_THE_CROSSTABLE = (
    b'name = "Open"\nplayed_from = 2026-02-06\nplayed_to = 2026-02-08\nsystem = "other"\n'
)


def crosstable(office, first, federation="NED"):
    content = CROSSTABLE.format(first=first, federation=federation).encode()
    sidecar = office.details() + DETAILS_OF_THE_CROSSTABLE
    return upload_report(content=content, filename="open.csv", sidecar=sidecar, by=office.referee)


@pytest.mark.parametrize("written", ["Familyal, Givenal", "FAMILYAL, givenal", "Familyál, Givenal"])
def test_in_a_program_s_export_a_name_of_one_player_of_that_federation_is_that_player(office, written):
    office.register(11, 12)
    uploaded = crosstable(office, written)
    assert numbers_of(uploaded) == {1: 11, 2: 12}
    assert not codes(uploaded, Severity.ERROR)


@pytest.mark.parametrize(
    ("written", "federation"), [("Familyxx, Givenal", "NED"), ("Familyal, Givenal", "BEL")]
)
def test_a_name_that_is_not_found_under_that_federation_is_asked_for_not_guessed(office, written, federation):
    office.register(11, 12)
    uploaded = crosstable(office, written, federation)
    assert uploaded.matching.players[1] is None
    assert "player-not-identified" in codes(uploaded, Severity.ERROR)


def test_two_players_of_one_name_and_federation_are_asked_for_and_the_details_decide(office):
    office.register(11, 12)
    table = "fmjd_id,last_name,first_name,federation,sex,born\n71,Familyal,Givenal,NED,M,2001\n"
    import_register(content=table.encode(), by=office.officer)
    uploaded = crosstable(office, "Familyal, Givenal")
    findings = uploaded.matching.findings
    (finding,) = [finding for finding in findings if finding.code == "player-not-identified"]
    assert "11 (Familyal, Givenal" in finding.expected
    assert "71 (Familyal, Givenal" in finding.expected
    assert uploaded.matching.players[1] is None
    content = CROSSTABLE.format(first="Familyal, Givenal", federation="NED").encode()
    sidecar = office.details() + DETAILS_OF_THE_CROSSTABLE + b"[players]\n1 = 71\n"
    submission = read_submission(content=content, sidecar=sidecar, today=date(2026, 2, 9))
    assert match_report(submission).players[1].numbers["fmjd"] == 71


def trf(*lines):
    head = "012 Open\n042 2026/02/06\n052 2026/02/08\n162  W 2.0    D 1.0    L 0.0"
    return "\n".join([head, *lines]).encode()


def line_of(number, name, fide, game, points):
    """A line 001 with one game."""
    return f"001 {number:>4} m    {name:<33}      NED {fide:>11}            {points:>4} {number:>4}  {game}"


def test_numbers_of_other_registers_match_and_a_national_one_counts_before_that_of_fide(office):
    """Numbers 1 and 3 have FIDE's 9001; a record of NED gives 3 the KNSB's 4712, that of 12. No one has FIDE's 9009."""
    table = (
        b"fmjd_id,last_name,first_name,federation,sex,born,fide_id,knsb_id\n"
        b"11,Kuil,Ben,NED,M,1990,9001,\n12,Aap,Noot,NED,M,1990,9002,4712\n13,Wim,Zus,NED,M,1990,,\n"
    )
    import_register(content=table, register="fmjd", by=office.officer)
    lines = [
        line_of(1, "Kuil, B", "9001", "   2 w 1", "2.0"),
        line_of(2, "Wim, Zus", "9009", "   1 w 0", "0.0"),
        line_of(3, "Aap, N", "9001", "   4 w =", "1.0"),
        line_of(4, "Boom, Els", "9009", "   3 w =", "1.0"),
    ]
    record = f"NED    3 m    {'Aap, N':<33} 1850 GRO {'4712':>11}"
    read = {"sidecar": b'discipline = "100"', "today": date(2026, 3, 1)}
    matching = match_report(read_submission(content=trf(*lines, record), **read))
    assert {number: player and player.numbers["fmjd"] for number, player in matching.players.items()} == {
        1: 11, 2: 13, 3: 12, 4: None
    }  # fmt: skip
    named = [(found.code, found.line) for found in matching.findings if found.field == "name"]
    assert ("register-differs", 5) in named  # the number decides, and the other name is a warning
    assert ("player-not-identified", 8) in named
    # Without the record number 3 is the player of number 1.
    submission = read_submission(content=trf(*lines), **read)
    assert submission.read.format == "trf26"
    assert match_report(submission).players[3].numbers["fmjd"] == 11
