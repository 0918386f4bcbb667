"""A player whose only number is another register's, from the import to a list of the FMJD."""

import pytest
from django.test import Client

from ratings.publishing.verification.verify_lists import verify_list
from reporting.models import LogEntry, Player, PlayerIdentity
from reporting.register.selectors.records import register_origin
from reporting.register.selectors.search import find_players
from reporting.register.services.import_register import import_register
from reporting.reports.services.review import accept_report
from reporting.rules.register.registers import Register, register_by_code, registers
from tests.services.report_helpers import quick, refusal, whole

REGISTER = b"id,last_name,first_name,federation,sex,born\n4711,Kuil,Ben,NED,M,1990\n"
NAMED = {"players.2": '"knsb-4711"'}  # number 2 of the report, in its details
GAMES = ["1 1 2 2-0", "2 2 1 1-1"]


@pytest.fixture
def ben(office):
    """Ben Kuil, number 4711 of the KNSB; 11 and 12 are on the opening list of the FMJD."""
    office.opening("fmjd_id rating games\n11 2000 100\n12 2000 100")
    import_register(content=REGISTER, register="knsb", by=office.officer)
    return Player.objects.get(last_name="Kuil")


def kuil(office, **details):
    return office.newcomer("Ben", "Kuil", born="03/04/1990", **details)


@quick
def test_the_player_is_found_by_the_number_and_by_the_name(office, ben):
    assert ben.address == "knsb-4711"
    for typed in ("4711", "471", "kuil"):
        assert list(find_players(Player.objects.all(), typed)) == [ben.pk]


@quick
def test_an_import_knows_the_player_again_by_the_number(office, ben):
    table = REGISTER.replace(b"Kuil", b"Kuyl").replace(b"id,", b"knsb_id,")
    done = import_register(content=table, register="knsb", by=office.officer)
    assert done.updated == {4711: {"last_name": ("Kuil", "Kuyl")}}
    assert LogEntry.objects.filter(subject="player knsb 4711", action="player.update").exists()
    with pytest.raises(LookupError):
        import_register(content=REGISTER, register="none", by=office.officer)


@quick
def test_a_report_that_names_no_number_warns_of_the_player(office, ben):
    uploaded = office.upload("Open", [11, kuil(office)], GAMES)
    (warning,) = [found for found in uploaded.matching.findings if found.code == "looks-registered"]
    assert warning.message.endswith("The player has no FMJD-ID here, but looks like a registered player.")
    assert "KNSB 4711 (Kuil, Ben, NED, 1990)" in warning.expected


@whole
def test_the_player_gets_the_next_number_of_the_system_that_rates_the_tournament(office, ben):
    """By hand: 12 is the largest FMJD-ID, so Kuil gets 13, before the new player of line 3, who gets 14."""
    players = [11, kuil(office), office.newcomer("Nova", "Kometa", sex="W")]
    office.accept("Open", players, [*GAMES, "2 3 0 2-0"], **NAMED)
    ben = Player.objects.get(last_name="Kuil")
    assert ben.numbers == {"knsb": 4711, "fmjd": 13}
    nova = Player.objects.get(last_name="Kometa")
    assert nova.numbers == {"fmjd": 14}
    assert Player.objects.count() == 4
    # Only one of them came with the report.
    assert register_origin(ben).report is None
    assert register_origin(nova).entry is not None

    published = office.run()
    assert office.row(published, 13).name == "Kuil, Ben"
    assert verify_list(published, recalculate=True).differences == []
    client = Client()
    assert client.get("/players/13/").status_code == 200
    # The address that the player had before leads to the page.
    moved = client.get("/players/knsb-4711/")
    assert (moved.status_code, moved["Location"]) == (301, "/players/13/")
    assert client.get("/players/knsb-4712/").status_code == 404


@quick
def test_a_register_gives_no_number_above_its_largest(office, ben):
    office.register(99_999)
    report = office.submit("Open", [11, kuil(office)], GAMES, **NAMED)
    refused = refusal(accept_report, report=report, by=office.officer)
    assert (refused.code, str(refused)) == ("no_numbers_left", "No FMJD-ID is left: the largest is 99999.")
    numbers = PlayerIdentity.objects.filter(player=ben).values_list("register", "number")
    assert list(numbers) == [("knsb", "4711")]


def test_registers_of_rating_systems_come_first_and_know_the_form_of_their_numbers():
    codes = [register.code for register in registers()]
    assert codes == ["fmjd", "knsb", "iccf", "national", "fide", "office"]
    fmjd = register_by_code("fmjd")
    details = {"largest": 99_999, "name_letters": 17, "asks_birth_and_sex": True}
    assert fmjd == Register("fmjd", "FMJD", "FMJD-ID", **details)
    numbers = ("1", "99999", "100000", "0", "01", "1a", "", "1\n")
    assert [number for number in numbers if fmjd.has_form(number)] == ["1", "99999"]
    national, numbers = register_by_code("national"), ("NL-7", "07", "-7", "", "x" * 21)
    assert [number for number in numbers if national.has_form(number)] == ["NL-7", "07"]
