"""What the register and the other reports say of a report: candidates, differences, the same tournament twice (R21)."""

from datetime import date, timedelta
from itertools import combinations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from reporting.models import Report, ReportVersion
from reporting.register.services.import_register import import_register
from reporting.reports.reading.validate import match_report
from reporting.reports.services.review import undo_acceptance
from reporting.reports.services.submit import submit_report, withdraw_report
from reporting.reports.services.upload import upload_report
from reporting.rules.findings.finding_list import Severity
from reporting.rules.sentences import english_day
from tests.formats.report_files import read_submission

pytestmark = pytest.mark.django_db

DIJKSTRA, BOSMA = "11,Dijkstra,Hendrik,NED,M,1990", "12,Bosma,Piet,NED,M,1980"


def registered(office, *lines):
    table = "fmjd_id,last_name,first_name,federation,sex,born\n" + "\n".join(lines)
    import_register(content=table.encode(), by=office.officer)
    for line in lines:
        number, last, first, *_ = line.split(",")
        office.names[int(number)] = (first, last)


def found(uploaded, code):
    return [finding for finding in uploaded.matching.findings if finding.code == code]


def in_numbers(matching):
    return {
        number: [
            (look_alike.player.numbers["fmjd"], tuple(map(str, look_alike.reasons))) for look_alike in several
        ]
        for number, several in matching.candidates.items()
    }


# --- who of the register it may be


def test_a_newcomer_is_given_the_candidates_of_the_register_with_their_reasons(office):
    registered(office, DIJKSTRA, "12,Nova,Kometa,NED,W,2001", "13,Bosma,Piet,NED,M,1980")
    spoiled = office.newcomer("Hendrik", "Dykstro", born="17/03/1990")
    uploaded = office.upload("Open", [spoiled, 12, office.newcomer("Pjotr", "Kuznetsov")], ["1 1 2 2-0"])
    (finding,) = found(uploaded, "looks-registered")
    assert (finding.severity, finding.line, finding.column) == (Severity.WARNING, 15, 1)
    assert finding.expected == "11 (Dijkstra, Hendrik, NED, 1990)"
    assert in_numbers(uploaded.matching) == {
        1: [(11, ("a letter differs (Dykstro, Dijkstra)", "the same year of birth", "the same federation"))]
    }


def test_an_fmjd_id_of_quite_another_name_is_a_difference_that_names_who_may_be_meant(office):
    registered(office, DIJKSTRA, BOSMA, "13,Nova,Kometa,NED,W,2001")
    office.names[12] = ("Hendrik", "Dijkstra")  # the file gives them 12
    uploaded = office.upload("Open", [12, 13], ["1 1 2 2-0"])
    (finding,) = found(uploaded, "register-differs")
    assert (finding.field, finding.found, finding.expected) == ("name", "Hendrik Dijkstra", "Bosma, Piet")
    assert "Or is it 11 (Dijkstra, Hendrik, NED, 1990)?" in finding.suggestion
    assert list(uploaded.matching.candidates) == [1]
    office.names[12] = ("Piet", "Bosmo")  # a slip: the number is right
    uploaded = office.upload("Open", [12, 13], ["1 1 2 2-0"])
    (finding,) = found(uploaded, "register-differs")
    assert "Or is it" not in finding.suggestion
    assert not uploaded.matching.candidates


def test_an_fmjd_id_that_no_one_has_is_looked_up_by_its_name(office):
    registered(office, DIJKSTRA, BOSMA)
    office.names[99] = ("Hendrik", "Dijkstra")
    uploaded = office.upload("Open", [99, 12], ["1 1 2 2-0"])
    (finding,) = found(uploaded, "fmjd-id-unknown")
    assert finding.suggestion == "Is it 11 (Dijkstra, Hendrik, NED, 1990)?"


# --- a country that an export leaves out

TOERNOOIBASE = (
    "; Open\nPl;Sno;Title;Name;Cn;FMJD;R1;Pt \n 1; 7;;Hendrik Dijkstra;;;2/2w;2\n 2; 3;;Piet Bosma;;;0/1b;0\n"
)
OF_THE_EXPORT = (
    b'name = "Open"\nplayed_from = 2026-02-06\nplayed_to = 2026-02-08\nsystem = "other"\n'
    b'place = "Utrecht"\ncountry = "NED"\nreferee = "Piet Fluit"\n'
)


def test_a_country_missing_in_an_export_is_no_error_for_whom_the_details_identify(office):
    registered(office, DIJKSTRA, BOSMA)
    export = {"content": TOERNOOIBASE.encode(), "filename": "a", "by": office.referee}
    sidecar = office.details() + OF_THE_EXPORT
    uploaded = upload_report(**export, sidecar=sidecar)
    missing = [(finding.line, finding.severity) for finding in found(uploaded, "country-missing")]
    assert missing == [(3, "error"), (4, "error")]
    assert "11 (Dijkstra, Hendrik, NED, 1990)" in found(uploaded, "player-not-identified")[0].expected

    sidecar += b"[players]\n7 = 11\n"
    half = upload_report(**export, sidecar=sidecar)
    assert [finding.line for finding in found(half, "country-missing")] == [4]
    whole = upload_report(**export, sidecar=sidecar + b"3 = 12\n")
    assert not whole.matching.has_errors
    report = submit_report(report=whole.report, comments=office.comments(whole), by=office.referee)
    assert report.state == "submitted"


def test_a_country_missing_in_an_export_is_no_error_for_whom_their_fmjd_id_identifies(office):
    registered(office, DIJKSTRA, BOSMA)
    today = TOERNOOIBASE.replace("Sno", "FMJD-id").replace("; 7;", ";11;").replace("; 3;", ";12;")
    sidecar = office.details() + OF_THE_EXPORT
    uploaded = upload_report(content=today.encode(), filename="a", sidecar=sidecar, by=office.referee)
    assert found(uploaded, "country-missing") == []
    assert not uploaded.matching.has_errors
    players = uploaded.matching.players
    assert {number: known.numbers["fmjd"] for number, known in players.items()} == {1: 11, 2: 12}


def test_the_form_of_article_11_asks_for_the_country_even_of_a_registered_player(office):
    registered(office, DIJKSTRA, BOSMA)
    content = office.report_file("Open", [11, 12], ["1 1 2 2-0"]).replace(b"Dijkstra,NED,,", b"Dijkstra,,,")
    uploaded = upload_report(content=content, filename="a", sidecar=office.details(), by=office.referee)
    assert [finding.line for finding in found(uploaded, "country-missing")] == [15]


# --- the same tournament twice

PLAYERS = [11, 12, 13, 14, 15, 16]
RESULTS = ("2-0", "1-1", "0-2")


def all_against_all(turn, players=6):
    """Each against each; another `turn`, other results in two games of three."""
    rounds, order = [], list(range(1, players + 1))
    for number in range(1, players):
        rounds += [
            (number, order[i], order[-1 - i], RESULTS[(number * i + number + turn * (i + 1)) % 3])
            for i in range(players // 2)
        ]
        order = [order[0], order[-1], *order[1:-1]]
    return rounds


def lines(games):
    return [" ".join(map(str, game)) for game in games]


def renamed(office, games, days):
    return office.upload("Memorial of the Founder", PLAYERS, lines(games), **days)


def reordered(office, games, days):
    turned = [(number, 7 - white, 7 - black, result) for number, white, black, result in reversed(games)]
    return office.upload("Another Order", PLAYERS[::-1], lines(turned), **days)


def one_result_changed(office, games, days):
    number, white, black, result = games[4]
    games = [*games[:4], (number, white, black, "0-2" if result == "2-0" else "2-0"), *games[5:]]
    return office.upload("Corrected", PLAYERS, lines(games), **days)


def a_day_later(office, games, days):
    later = {key: day + timedelta(days=1) for key, day in days.items()}
    return office.upload("Later", PLAYERS, lines(games), **later)


def in_another_form(office, games, days):
    cells = {}
    for number, white, black, result in games:
        cells[white, number] = f"{black}w{result[0]}"
        cells[black, number] = f"{white}b{result[2]}"
    table = ";Tournament table\nAs a table\nPlace;S.No.;Title;Name;Fed.;FMJD;Total;R1;R2;R3;R4;R5\n"
    for place, fmjd_id in enumerate(PLAYERS, start=1):
        mine = [cells[place, number] for number in range(1, 6)]
        first, last = office.names[fmjd_id]
        total = sum(int(cell[-1]) for cell in mine)
        table += f"{place};{place};;{last}, {first};NED;2000;{total};{';'.join(mine)}\n"
    sidecar = office.details(**days, name='"As a table"', system='"other"')
    sidecar += "".join(f"{key} = {day}\n" for key, day in days.items()).encode()
    return upload_report(content=table.encode(), filename="table.csv", sidecar=sidecar, by=office.referee)


@pytest.mark.parametrize("trick", [renamed, reordered, one_result_changed, a_day_later, in_another_form])
@pytest.mark.parametrize("turn", range(6))
def test_a_tournament_reported_twice_is_found_whatever_was_done_to_it(office, trick, turn):
    """30 pairs: half of the first reports accepted, half only submitted."""
    office.register(*PLAYERS)
    days = {"played_from": date(2026, 2, 6 + turn), "played_to": date(2026, 2, 8 + turn)}
    games = all_against_all(turn)
    first = (office.accept if turn % 2 else office.submit)("Open", PLAYERS, lines(games), **days)
    (finding,) = found(trick(office, games, days), "looks-reported")
    assert finding.severity is Severity.WARNING
    played = f"{english_day(days['played_from'])} to {english_day(days['played_to'])}"
    known = ", ".join(filter(None, [first.result_set.name, first.result_set.place, played]))
    assert finding.message == f"This looks like {known}, which has been reported."
    equal = 14 if trick is one_result_changed else 15
    assert finding.found == f"6 of 6 players and {equal} of 15 results the same"


@pytest.mark.parametrize("later", [2, 7])
@pytest.mark.parametrize("turn", [1, 2])
def test_the_club_s_next_evening_with_the_same_players_and_other_results_is_another_tournament(
    office, turn, later
):
    office.register(*PLAYERS)
    evening = date(2026, 2, 6)
    office.accept("Club One", PLAYERS, lines(all_against_all(0)), played_from=evening, played_to=evening)
    days = dict.fromkeys(("played_from", "played_to"), evening + timedelta(days=later))
    uploaded = office.upload("Club Two", PLAYERS, lines(all_against_all(turn)), **days)
    assert found(uploaded, "looks-reported") == []


def test_the_same_name_and_days_are_enough(office):
    office.register(*PLAYERS, 21, 22)
    office.submit("Utrecht Open", PLAYERS, lines(all_against_all(0)))
    (finding,) = found(office.upload("UTRECHT  OPEN", [21, 22], ["1 1 2 2-0"]), "looks-reported")
    assert (finding.line, finding.column, finding.field) == (2, 8, "name")
    assert finding.found == "0 of 2 players and 0 of 1 results the same"
    of_64 = office.upload("Utrecht Open", [21, 22], ["1 1 2 1-1"], discipline='"64"')
    assert found(of_64, "looks-reported") == []


def test_a_part_of_a_tournament_looks_like_it(office):
    office.register(*PLAYERS)
    games = all_against_all(0)
    office.accept("Open", PLAYERS, lines(games))
    some = [game for game in games if {game[1], game[2]} <= {1, 2, 3}]
    assert len(some) == len(list(combinations(range(3), 2)))
    assert len(found(office.upload("Women", PLAYERS[:3], lines(some)), "looks-reported")) == 1


def test_a_report_is_not_held_against_itself_nor_what_it_corrects_nor_what_was_withdrawn(office):
    office.register(*PLAYERS)
    games = all_against_all(0)
    report = office.accept("Open", PLAYERS, lines(games))
    version = ReportVersion.objects.get()
    content, sidecar = bytes(version.content), bytes(version.sidecar)
    submission = read_submission(content=content, sidecar=sidecar, today=date(2026, 2, 9))
    said = [finding.code for finding in match_report(submission, report).findings]
    assert "looks-reported" not in said
    assert "looks-reported" in [finding.code for finding in match_report(submission).findings]  # the twin
    sidecar += b'corrects = "2026-open"\n'
    corrected = read_submission(content=content, sidecar=sidecar, today=date(2026, 2, 9))
    assert "looks-reported" not in [finding.code for finding in match_report(corrected).findings]
    # Of a report that is stored the link speaks, not the detail: without it the report would count next to the other.
    assert "looks-reported" in [finding.code for finding in match_report(corrected, Report()).findings]
    linked = match_report(corrected, Report(corrects=report.result_set.tournament))
    assert "looks-reported" not in [finding.code for finding in linked.findings]
    undo_acceptance(report=report, reason="a test", by=office.officer)
    withdraw_report(report=report, reason="sent by mistake", by=office.referee)
    assert "looks-reported" not in [finding.code for finding in match_report(submission).findings]


def test_the_queries_do_not_grow_with_the_other_reports_or_the_newcomers(office):
    office.register(*PLAYERS)
    counted = []
    for turn in range(3):
        newcomers = [office.newcomer(f"Nova{'abc'[place]}", "Kometa") for place in range(turn)]
        players = [*PLAYERS, *newcomers, office.newcomer("Hendrik", "Dijkstra")]
        content = office.report_file("Mine", players, ["1 1 2 2-0"])
        submission = read_submission(content=content, sidecar=office.details(), today=date(2026, 2, 9))
        with CaptureQueriesContext(connection) as queries:
            match_report(submission)
        counted.append(len(queries))
        office.submit(f"Other {'abc'[turn]}", PLAYERS, lines(all_against_all(turn)))
    assert counted[-1] <= 7
    assert counted[1] == counted[2]
