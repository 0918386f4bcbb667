"""Players without a number of a federation that gives numbers itself (U22): the toy league of tests/toy_games."""

import pytest
from django.urls import reverse

from reporting.log.audit import Actor
from reporting.models import Entry, Player, Role
from reporting.register.selectors.records import record_of
from reporting.register.services.edit_player import edit_player
from reporting.register.services.import_register import import_register
from reporting.register.services.merge_players import merge_players
from reporting.reports.reading.open_report import open_report
from reporting.reports.reading.players.newcomers import same_person_questions
from reporting.reports.services.review import accept_report
from reporting.reports.services.submit import submit_report
from reporting.reports.services.upload import upload_report
from tests.people import client_of, create_user
from tests.services.report_helpers import refusal
from tests.toy_games.installed import league_installed

# The app of the league is installed in the test's database.
pytestmark = pytest.mark.django_db(transaction=True)

HEADER = "round,date,white_id,white_name,black_id,black_name,result"
FIRST = (
    '1,2025-02-07,21,"Familya, Givena",,Nova van Kometa,1-0',
    '1,2025-02-08,,nova van Kométa,21,"Familya, Givena",1/2-1/2',
    "1,2025-02-08,,Rigel,,Nova van Kometa,0-1",
)
SECOND = ('1,2025-05-07,21,"Familya, Givena",,Nova van Kometa,0-1',)


@pytest.fixture
def referee(transactional_db):
    with league_installed():
        officer = create_user("o@example.org", "Olga Office", roles=[Role.RATING_OFFICER])
        table = b"league_id,last_name,first_name,federation,sex,born\n21,Familya,Givena,NED,M,1990\n"
        import_register(content=table, register="league", by=Actor(officer))
        yield create_user("r@example.org", "Rik Referee", roles=[Role.REFEREE])


@pytest.fixture
def officer(referee):
    return Actor(type(referee).objects.get(email="o@example.org"))


def uploaded(referee, name, rows, more="", *, first="2025-02-07", last="2025-02-09"):
    sidecar = (
        f'rating_system = "league"\nname = "{name}"\nplace = "Gent"\ncountry = "BEL"\nreferee = "Piet Fluit"\n'
        f'system = "other"\nplayed_from = {first}\nplayed_to = {last}\n{more}'
    )
    content = "\n".join([HEADER, *rows, ""]).encode()
    return upload_report(content=content, filename="games.csv", sidecar=sidecar.encode(), by=Actor(referee))


def submitted(referee, *args, **kwargs):
    upload = uploaded(referee, *args, **kwargs)
    findings = upload.version.findings
    comments = {index: "seen" for index, found in enumerate(findings) if found["severity"] == "warning"}
    return submit_report(report=upload.report, comments=comments, by=Actor(referee))


def second(referee, more=""):
    return submitted(referee, "Second", SECOND, more, first="2025-05-07", last="2025-05-09")


def numbers_of(report):
    entries = Entry.objects.filter(result_set=report.result_set).select_related("player").order_by("number")
    return [(entry.reported_name, entry.player.address) for entry in entries]


def test_an_acceptance_gives_a_number_of_the_office_and_asks_for_nothing(referee, officer):
    upload = uploaded(referee, "First", FIRST)
    assert [found["code"] for found in upload.version.findings] == []
    report = submit_report(report=upload.report, comments={}, by=Actor(referee))
    report = accept_report(report=report, by=officer)
    assert numbers_of(report) == [
        ("Familya, Givena", "league-21"),
        ("Nova van Kometa", "office-1"),
        ("Rigel", "office-2"),
    ]
    nova = Player.objects.at_address("office-1")
    assert (nova.printed_name, nova.federation_id) == ("Nova van Kometa", "BEL")  # the tournament's
    assert (nova.sex, nova.birth_year) == ("", None)


def test_a_look_alike_of_another_tournament_is_chosen_by_the_referee_or_the_officer(referee, officer):
    accept_report(report=submitted(referee, "First", FIRST), by=officer)

    report = second(referee)
    assert refusal(accept_report, report=report, by=officer).code == "people_undecided"
    (question,) = questions_of(report)
    assert (question.reported.name, question.player.address) == ("Nova van Kometa", "office-1")
    report = accept_report(report=report, by=officer, same_person={question.key: False})
    assert numbers_of(report)[1] == ("Nova van Kometa", "office-3")

    again = [SECOND[0].replace("05-07", "06-07")]
    days = {"first": "2025-06-07", "last": "2025-06-08"}
    third = uploaded(referee, "Third", again, '[players]\n2 = "office-1"\n', **days)
    assert third.version.findings == []
    report = submit_report(report=third.report, comments={}, by=Actor(referee))
    assert numbers_of(accept_report(report=report, by=officer))[1] == ("Nova van Kometa", "office-1")


def test_two_of_a_round_in_which_players_have_several_games_can_be_one_person_unless_they_meet(
    referee, officer
):
    """Both lines of Givena Familya play in round 1, not each other; so do Sirius and Nova, and Rigel meets Nova."""
    rows = [*FIRST, "1,2025-02-08,,Sirius,,Rigel,1-0", '1,2025-02-08,,"Familya, Givena",,Sirius,1-0']
    report = submitted(referee, "First", rows, '[newcomers.5]\ncountry = "NED"\n')
    (question,) = questions_of(report)
    assert (question.other.number, question.rounds) == (1, [])
    report = accept_report(report=report, by=officer, same_person={question.key: True})
    assert numbers_of(report)[4] == ("Familya, Givena", "league-21")

    nova, rigel, sirius = (Player.objects.at_address(f"office-{number}") for number in (1, 2, 3))
    refused = refusal(merge_players, duplicate=rigel, surviving=nova, reason="One person.", by=officer)
    assert (refused.code, refused.values["rounds"]) == ("played_together", "1")
    merge_players(duplicate=sirius, surviving=nova, reason="One person.", by=officer)


def questions_of(report):
    opened = open_report(report.pk)
    return same_person_questions(opened.submission, opened.players, opened.candidates)


def test_one_name_is_one_player_in_all_parts_of_a_tournament(referee, officer):
    first = submitted(referee, "League", FIRST, "part = 1\n", last="2025-05-09")
    accept_report(report=first, by=officer)
    games = [SECOND[0].replace("1,", "2,", 1)]
    upload = uploaded(referee, "League", games, "part = 2\n", last="2025-05-09")
    assert [found["code"] for found in upload.version.findings] == []  # no look-alike is asked between parts
    report = submit_report(report=upload.report, comments={}, by=Actor(referee))
    assert report.result_set.code == first.result_set.code
    numbers = numbers_of(accept_report(report=report, by=officer))
    assert numbers == [("Familya, Givena", "league-21"), ("Nova van Kometa", "office-1")]
    assert Player.objects.filter(numbers__has_key="office").count() == 2


TABLE = "league_id,last_name,first_name,federation,sex,born,office\n"


def test_an_import_gives_a_number_and_the_record_keeps_its_games(referee, officer):
    report = accept_report(report=submitted(referee, "First", FIRST), by=officer)
    content = (TABLE + "30,Kometa,Nova,BEL,W,2001,1\n31,Vega,Ada,NED,W,2002,\n").encode()
    done = import_register(content=content, register="league", by=officer)
    assert (done.created, [*done.updated]) == ((31,), ["office-1"])
    assert numbers_of(report)[1] == ("Nova van Kometa", "league-30")
    nova = Player.objects.at_address("office-1")  # the old address stays
    assert (nova.printed_name, nova.numbers) == ("Kometa, Nova", {"office": 1, "league": 30})
    assert import_register(content=content, register="league", by=officer).unchanged == 2
    # Once more in a report, by the number or, in this tournament, by the name.
    games, days = [SECOND[0].replace(",Nova", "30,Nova")], {"first": "2025-05-07", "last": "2025-05-09"}
    by_number = submitted(referee, "Third", games, **days)
    assert numbers_of(accept_report(report=by_number, by=officer))[1] == ("Nova van Kometa", "league-30")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("30,Kometa,Nova,BEL,W,2001,9", "fmjd-id-unknown.register"),
        ("21,Kometa,Nova,BEL,W,2001,1", "number-taken"),
        ("30,Kometa,Nova,BEL,W,2001,1\n30,Vega,Ada,NED,W,2002,", "id-repeated"),
        ("30,Kometa,Nova,BEL,W,2001,1\n31,Kometa,Nova,BEL,W,2001,1", "id-repeated"),
        (",Kometa,Nova,BEL,W,2001,-", "id-missing"),
        ("30,Kometa,Nova,BEL,W,2001,nova", "number-unreadable.identity"),
    ],
)
def test_a_number_that_cannot_be_given_is_a_finding(referee, officer, line, code):
    accept_report(report=submitted(referee, "First", FIRST), by=officer)
    content = (TABLE + line + "\n").encode()
    refused = refusal(import_register, content=content, register="league", by=officer)
    assert [found.key for found in refused.findings] == [code]
    assert not Player.objects.with_numbers(Player.objects.at_address("league-21").number.register, [30])


def test_the_page_of_the_record_gives_a_number_and_a_merge_too(referee, officer):
    accept_report(report=submitted(referee, "First", FIRST), by=officer)
    other = second(referee)
    accept_report(report=other, by=officer, same_person=dict.fromkeys(["2-p1", "2-p2"], False))
    nova, again = (Player.objects.at_address(address) for address in ("office-1", "office-3"))
    known = record_of(nova)
    assert known.numbers["league"] == ""
    browser = client_of(officer.user)
    form = browser.get(reverse("office-player-edit", args=["office-1"])).content.decode()
    assert "League number" in form
    given = {"wanted": known.with_values({"league": "30"}), "reason": "mail of 3 March", "by": officer}
    edit_player(player=nova, looked_at=known.digest, **given)
    nova.refresh_from_db()
    assert nova.address == "league-30"
    assert "league" not in record_of(nova).numbers  # lists print it: it stays
    merge_players(duplicate=again, surviving=nova, reason="one person", by=officer)
    assert numbers_of(other)[1] == ("Nova van Kometa", "office-3")  # the games stay those of the record


def test_the_page_of_the_people_asks_neither_birth_nor_sex(referee, officer):
    accept_report(report=submitted(referee, "First", FIRST), by=officer)
    upload = uploaded(referee, "Second", SECOND, first="2025-05-07", last="2025-05-09")
    page = client_of(referee).get(reverse("report-people", args=[upload.report.pk])).content.decode()
    assert "office-1" in page
    assert "Same person" in page
    for word in ("Date of birth", "Sex", "value to fill in", "Paste from a spreadsheet"):
        assert word not in page
