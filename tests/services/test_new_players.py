"""New players: their numbers when a report comes back, numbers of the file that the register lacks, their data."""

from datetime import date
from unittest.mock import patch

import pytest
from django.db import transaction

from ratings.federations.fmjd.models import FmjdListRow
from ratings.published.selectors.player_tournaments import player_tournaments
from ratings.published.selectors.players import find_player
from reporting.models import Entry, LogEntry, Player, ReportVersion
from reporting.refusals.domain_error import DomainError
from reporting.reports.reading.check_upload import check_upload
from reporting.reports.reading.open_report import open_report
from reporting.reports.reading.players.newcomers import newcomer_questions, said_of_newcomers
from reporting.reports.reading.read_file import pack_reading, read_file
from reporting.reports.services.edit_report import edit_tournament_details
from reporting.reports.services.enter_results import results_grid
from reporting.reports.services.review import (
    accept_report,
    acceptance_digest,
    people_to_decide,
    return_report,
    undo_acceptance,
)
from reporting.reports.services.submit import submit_report
from reporting.reports.services.upload import upload_report
from tests.services.conftest import said_of_people
from tests.services.report_helpers import (
    GAMES,
    OPENING,
    REMARKS,
    database_state,
    newest,
    quick,
    refusal,
    resubmit,
    results,
    whole,
)


def version_with(office, report, players, *, games=GAMES, **details):
    """The next version of a report that is returned for it, with other players in its file; submitted."""
    return_report(report=report, remarks=REMARKS, by=office.officer)
    old, content = newest(report), office.report_file("Open", players, games)
    made = ReportVersion.objects.create(
        report=report, number=old.number + 1, filename=old.filename,
        content=content, reading=pack_reading(read_file(content)), sha256="0" * 64,
        sidecar=office.details(**details), format=old.format, encoding=old.encoding, findings=[],
        created_by=office.referee.user,
    )  # fmt: skip
    if refused := first_refusal(report, office):
        assert refused.code == "findings_changed"
        resubmit(office, report)
    return made


def first_refusal(report, office):
    try:
        resubmit(office, report)
    except DomainError as refused:
        return refused
    return None


def in_the_register():
    return list(Player.objects.order_by("numbers__fmjd").values_list("numbers__fmjd", "last_name"))


@quick
def test_whom_an_acceptance_entered_is_not_entered_again(office):
    office.register(11)
    players = [office.newcomer("Zora", "Zett", sex="W"), 11, office.newcomer("Anna", "Alpha", country="BEL")]
    report = office.accept("Open", players, GAMES)
    first, entered = results(report.result_set), in_the_register()
    assert entered == [(11, "Familyal"), (12, "Zett"), (13, "Alpha")]
    for _ in range(2):
        undo_acceptance(report=report, reason="so", by=office.officer)
        assert in_the_register() == entered
        accept_report(report=report, by=office.officer)
        assert results(report.result_set) == first
        assert in_the_register() == entered
    acts = LogEntry.objects.filter(action="report.accept").order_by("pk")
    assert [act.after["newcomers"] for act in acts] == [[12, 13], [], []]


@quick
def test_people_alike_in_everything_keep_their_numbers_in_order(office):
    office.register(11)
    players = [office.newcomer("Jan", "Smit"), office.newcomer("Jan", "Smit"), 11]
    report = office.accept("Open", players, GAMES, one_person=False)
    first = results(report.result_set)
    undo_acceptance(report=report, reason="so", by=office.officer)
    accept_report(report=report, by=office.officer)
    assert results(report.result_set) == first


@quick
def test_a_newcomer_who_played_elsewhere_since_is_the_same_there_and_here(office):
    office.register(11)
    report = office.accept("Open", [office.newcomer("Zora", "Zett"), 11], GAMES[:1])
    zett = Player.objects.get(last_name="Zett")
    office.names[zett.numbers["fmjd"]] = ("Zora", "Zett")
    other = office.accept("Other", [zett.numbers["fmjd"], 11], GAMES[:1])
    undo_acceptance(report=report, reason="so", by=office.officer)
    assert other.result_set.entries.filter(player=zett).exists()
    accept_report(report=report, different_because="another day", by=office.officer)
    tournaments = Entry.objects.filter(player=zett).values_list("result_set__name", flat=True)
    assert set(tournaments) == {"Open", "Other"}


@quick
def test_a_newcomer_of_another_report_is_not_taken_for_one_of_this(office):
    """The office says of two of one name, birth and country if they are one person (R24a)."""
    office.register(11)
    office.accept("Other", [office.newcomer("Zora", "Zett"), 11], GAMES[:1])
    waiting = office.submit("Open", [office.newcomer("Zora", "Zett"), 11], GAMES[:1])
    different = {"different_because": "another day", "by": office.officer}
    assert refusal(accept_report, report=waiting, **different).code == "people_undecided"
    accept_report(report=waiting, same_person=said_of_people(waiting, False), **different)
    assert in_the_register() == [(11, "Familyal"), (12, "Zett"), (13, "Zett")]


@quick
def test_one_person_of_two_reports_gets_one_number(office):
    office.register(11)
    office.accept("Other", [office.newcomer("Zora", "Zett"), 11], GAMES[:1])
    report = office.accept("Open", [office.newcomer("Zora", "Zett"), 11], GAMES[:1], one_person=True)
    assert in_the_register() == [(11, "Familyal"), (12, "Zett")]
    zett = Player.objects.get(last_name="Zett")
    assert report.result_set.entries.get(number=1).player == zett
    act = LogEntry.objects.filter(action="report.accept").latest("pk")
    assert (act.after["one_person"], act.after["newcomers"]) == ([f"1-p{zett.pk}"], [])


@quick
def test_of_each_newcomer_it_is_asked_once_who_it_is(office):
    """Three questions about two lines and a player of the register, in five ways that do not contradict each other."""
    office.register(11)
    office.accept("Other", [office.newcomer("Zora", "Zett"), 11], GAMES[:1])
    twins = [office.newcomer("Zora", "Zett"), 11, office.newcomer("Zora", "Zett")]
    opened = open_report(office.submit("Open", twins, GAMES).pk)
    questions = people_to_decide(opened.report, opened.submission, opened.matching)
    key = f"p{Player.objects.get(last_name='Zett').pk}"
    assert [question.reported.number for question in newcomer_questions(questions)] == [1, 3]
    assert {question.key for question in questions} == {"1-3", f"1-{key}", f"3-{key}"}
    for chosen, same in (
        ({1: "", 3: ""}, set()),
        ({1: "", 3: "1-3"}, {"1-3"}),
        ({1: f"1-{key}", 3: ""}, {f"1-{key}"}),
        ({1: "", 3: f"3-{key}"}, {f"3-{key}"}),
        ({1: f"1-{key}", 3: "1-3"}, {"1-3", f"1-{key}", f"3-{key}"}),
    ):
        said = said_of_newcomers(questions, chosen)
        assert {question for question, one in said.items() if one} == same, chosen
        assert len(said) == 3
    assert said_of_newcomers(questions, {3: "2-9"}) == {}


@quick
def test_a_newcomer_cannot_be_one_person_with_two_players_of_the_register(office):
    """R24a: the office said that the two Zora Zett of the other report are two people, each with a number."""
    office.register(11)
    twins = [office.newcomer("Zora", "Zett"), 11, office.newcomer("Zora", "Zett")]
    office.accept("Other", twins, GAMES, one_person=False)
    report = office.submit("Open", [office.newcomer("Zora", "Zett"), 11], GAMES[:1])
    different = {"different_because": "another day", "by": office.officer}
    both = said_of_people(report, True)
    refused = refusal(accept_report, report=report, same_person=both, **different)
    assert (refused.code, refused.values["number"]) == ("people_contradict", 1)
    first, last = both
    accept_report(report=report, same_person={first: True, last: False}, **different)
    zett = Player.objects.filter(last_name="Zett").earliest("pk")
    assert report.result_set.entries.get(number=1).player == zett
    assert in_the_register() == [(11, "Familyal"), (12, "Zett"), (13, "Zett")]


@quick
def test_more_new_players_of_one_name_than_the_office_can_tell_apart_are_one_error(office):
    """Each pair was compared: 5,000 lines with one name were 12 million findings. Eleven are one, and ten are 45."""
    office.register(11)
    for number in (10, 11):
        players = [11, *(office.newcomer("Jan", "Smit") for _ in range(number))]
        uploaded = office.upload(f"Open {number}", players, GAMES)
        alike = [one for one in uploaded.matching.findings if one.code == "newcomers-alike"]
        assert {one.case for one in alike} == {"many" if number > 10 else "same"}
    (found,) = alike
    assert (found.severity, found.found) == ("error", "Jan Smit")
    assert found.message == "Number 12 (Jan Smit): 11 new players have this name."
    assert found.expected == "at most 10 new players of one name"
    # 5,000 new players of one name, as a visitor sends them.
    content = office.report_file("Flood", [office.newcomer("Jan", "Smit") for _ in range(5_000)], [])
    checked = check_upload(content, office.details(), published_players=set)
    assert [one.case for one in checked.findings if one.code == "newcomers-alike"] == ["many"]


@quick
@pytest.mark.parametrize(
    ("born", "country", "asked"),
    [("01/02/2001", "NED", True), ("02/02/2001", "NED", False), ("01/02/2001", "BEL", False)],
)
def test_newcomers_of_one_name_are_a_warning_and_those_alike_in_all_a_question(office, born, country, asked):
    """R24a, inside one report: same name a warning; same name, birth and country the office has to decide."""
    office.register(11)
    players = [office.newcomer("Jan", "Smit"), 11, office.newcomer("Jan", "Smit", born=born, country=country)]
    uploaded = office.upload("Open", players, GAMES)
    (found,) = [one for one in uploaded.matching.findings if one.code == "newcomers-alike"]
    assert (found.severity, found.case, dict(found.values)["first"]) == ("warning", "same" * asked, 1)
    report = submit_report(report=uploaded.report, comments=office.comments(uploaded), by=office.referee)
    if asked:
        refused = refusal(accept_report, report=report, by=office.officer)
        assert refused.code == "people_undecided"
        assert [one.code for one in refused.findings] == ["newcomers-alike"]
        same = said_of_people(report, True)
        meet = refusal(accept_report, report=report, same_person=same, by=office.officer)
        assert meet.message == (
            "Numbers 1 and 3 play in the same rounds: 1, 2. They cannot be one person: return the report."
        )
        assert in_the_register() == [(11, "Familyal")]
    accept_report(report=report, same_person=said_of_people(report, False), by=office.officer)
    assert len(in_the_register()) == 3


@quick
def test_a_newcomer_on_two_lines_without_a_common_round_is_one_player_with_two_entries(office):
    """Jan left after round 1 and came back under another number in round 2; then a corrected acceptance."""
    office.register(11, 12)
    players = [office.newcomer("Jan", "Smit"), 11, 12, office.newcomer("Jan", "Smit")]
    report = office.accept("Open", players, ["1 1 2 2-0", "2 4 3 1-1"], one_person=True)
    (jan,) = Player.objects.filter(last_name="Smit")
    assert in_the_register() == [(11, "Familyal"), (12, "Familyam"), (13, "Smit")]
    assert set(report.result_set.entries.filter(player=jan).values_list("number", flat=True)) == {1, 4}
    undo_acceptance(report=report, reason="so", by=office.officer)
    accept_report(report=report, same_person=said_of_people(report, True), by=office.officer)
    assert in_the_register() == [(11, "Familyal"), (12, "Familyam"), (13, "Smit")]


@quick
def test_a_newcomer_of_two_waiting_reports_is_a_warning_on_both_without_a_birth(office):
    """R24a, R22a: of the other report the name of its tournament is said, and nothing about the birth."""
    office.register(11, 12)
    first = office.submit("Spring Open", [office.newcomer("Zora", "Zett"), 11], GAMES[:1])
    second = office.upload("Autumn Cup", [12, office.newcomer("Zora", "Zett", born="03/04/1990")], GAMES[:1])
    (found,) = [one for one in second.matching.findings if one.code == "newcomer-waiting"]
    assert (found.severity, dict(found.values)["tournament"]) == ("warning", "Spring Open")
    assert "1990" not in str(found.values)
    assert "2001" not in str(found.values)
    submit_report(report=second.report, comments=office.comments(second), by=office.referee)
    of_first = [one.code for one in open_report(first.pk).matching.findings]
    assert "newcomer-waiting" in of_first


@quick
def test_an_acceptance_whose_findings_have_changed_is_answered_with_the_new_ones(office):
    """R24a, last sentence: the newcomer of a page got a number by another report meanwhile."""
    office.register(11, 12)
    first = office.submit("Spring Open", [office.newcomer("Zora", "Zett"), 11], GAMES[:1])
    second = office.submit("Autumn Cup", [12, office.newcomer("Zora", "Zett")], GAMES[:1])
    seen = {}
    for report in (first, second):
        opened = open_report(report.pk)
        questions = people_to_decide(opened.report, opened.submission, opened.matching)
        seen[report] = acceptance_digest(opened.report, opened.version, opened.matching, questions)
    accept_report(report=first, seen=seen[first], by=office.officer)
    refused = refusal(accept_report, report=second, seen=seen[second], by=office.officer)
    assert refused.code == "findings_changed"
    assert [one.code for one in refused.findings] == ["looks-registered"]
    assert in_the_register() == [(11, "Familyal"), (12, "Familyam"), (13, "Zett")]


CHANGED = {
    "name": ("Zora", "Zet", {}),
    "federation": ("Zora", "Zett", {"country": "BEL"}),
    "year of birth": ("Zora", "Zett", {"born": "01/02/2002"}),
    "sex": ("Zora", "Zett", {"sex": "W"}),
}


@quick
@pytest.mark.parametrize("what", CHANGED)
def test_where_a_newcomer_was_edited_the_office_is_asked_whether_it_is_he(office, what):
    office.register(11, 12)
    report = office.accept("Open", [office.newcomer("Zora", "Zett"), 11, 12], GAMES)
    undo_acceptance(report=report, reason="so", by=office.officer)
    first_name, last_name, details = CHANGED[what]
    corrected = office.newcomer(first_name, last_name, **details)
    version_with(office, report, [corrected, 11, 12])
    before = database_state()
    refused = refusal(accept_report, report=report, by=office.officer)
    assert refused.code == "newcomers_unclear"
    assert "13 Zett, Zora came into the register" in refused.message
    assert f"number 1 Zora {last_name}?" in refused.message
    assert database_state() == before
    with transaction.atomic():  # one way: they are others
        two = said_of_people(report, False)
        accept_report(report=report, by=office.officer, newcomers_are_others=True, same_person=two)
        assert [number for number, _ in in_the_register()] == [11, 12, 13, 14]
        assert report.result_set.entries.get(number=1).player.numbers["fmjd"] == 14
        transaction.set_rollback(True)
    # The other way: it is that player, by the FMJD-ID in the details.
    sidecar = office.details().decode() + "[players]\n1 = 13\n"
    with patch.object(type(office), "details", lambda *_, **__: sidecar.encode()):
        version_with(office, report, [corrected, 11, 12])
    accept_report(report=report, by=office.officer)
    assert in_the_register() == [(11, "Familyal"), (12, "Familyam"), (13, "Zett")]
    assert report.result_set.entries.get(number=1).player.numbers["fmjd"] == 13


@quick
def test_a_newcomer_keeps_their_number_on_another_line_and_when_a_edited_version_leaves_them_out(office):
    office.register(11, 12)
    report = office.accept("Open", [office.newcomer("Zora", "Zett"), 11, 12], GAMES)
    entered = in_the_register()
    undo_acceptance(report=report, reason="so", by=office.officer)
    version_with(office, report, [11, 12, office.newcomer("Zora", "Zett")])
    accept_report(report=report, by=office.officer)
    assert report.result_set.entries.get(number=3).player.numbers["fmjd"] == 13
    undo_acceptance(report=report, reason="so", by=office.officer)
    version_with(office, report, [11, 12], games=GAMES[:1])
    accept_report(report=report, by=office.officer)
    assert report.result_set.entries.count() == 2
    assert in_the_register() == entered == [(11, "Familyal"), (12, "Familyam"), (13, "Zett")]


@whole
def test_a_newcomer_without_games_is_on_no_list(office):
    office.opening(OPENING)
    report = office.accept("Open", [office.newcomer("Zora", "Zett"), 11, 12], GAMES)
    undo_acceptance(report=report, reason="so", by=office.officer)
    version_with(office, report, [11, 12], games=GAMES[:1])
    accept_report(report=report, by=office.officer)
    printed = FmjdListRow.objects.filter(list=office.run()).values_list("register_number", flat=True)
    assert set(printed) == {11, 12, 13}
    assert Player.objects.get(last_name="Zett").numbers["fmjd"] == 14


@whole
def test_the_games_of_both_lines_of_a_newcomer_are_one_result(office):
    """Two wins against 2000: Rp = 2000 + D(1.00), limited to 2400 (R4); 2 games, and the page shows both (R24a)."""
    office.opening(OPENING)
    players = [office.newcomer("Jan", "Smit"), 11, 12, office.newcomer("Jan", "Smit")]
    office.accept("Open", players, ["1 1 2 2-0", "2 4 3 2-0"], one_person=True)
    april = office.run()
    row = FmjdListRow.objects.get(list=april, player__last_name="Smit")
    assert (row.rating, row.games) == (2400, 2)
    jan = find_player(Player.objects.get(last_name="Smit").address)
    (played,) = player_tournaments(jan)
    assert [game.game.round for game in played.games] == [1, 2]


# --- a number of the file that the register does not have (R20, R24)

EXPORT = (
    "; Open\nPl;FMJD-id;Title;Name;Cn;R1;Pt\n1;19001;;Nova Kometa;be;2/2w;2\n2;19002;;Piet Bosma;nl;0/1b;0\n"
)
DETAILS = (
    b'name = "Open"\nplayed_from = 2026-02-06\nplayed_to = 2026-02-08\nsystem = "other"\n'
    b'place = "Utrecht"\ncountry = "NED"\nreferee = "Piet Fluit"\n'
)
KOMETA = b'[newcomers.1]\nlast_name = "Kometa"\nfirst_name = "Nova"\nsex = "W"\nborn = 2001-02-03\n'
BOSMA = b'[newcomers.2]\nlast_name = "Bosma"\nfirst_name = "Piet"\nsex = "M"\nborn = 1980-02-03\n'


def exported(office, details=b"", content=EXPORT):
    sidecar = office.details() + DETAILS + details
    return upload_report(content=content.encode(), filename="a.csv", sidecar=sidecar, by=office.referee)


def said(uploaded):
    return [
        (finding.code, str(finding.severity), finding.line)
        for finding in uploaded.matching.findings
        if finding.step == "people"
    ]


@quick
def test_a_number_that_the_register_lacks_is_settled_by_a_new_player_or_another_one(office):
    office.register(11)
    assert said(exported(office)) == [("fmjd-id-unknown", "error", 3), ("fmjd-id-unknown", "error", 4)]
    # This one is new; the other one is a player of the register.
    uploaded = exported(office, b"[players]\n2 = 11\n" + KOMETA, EXPORT.replace("nl", "NED"))
    assert [one for one in said(uploaded) if one[2] == 3] == [("fmjd-id-unknown", "note", 3)]
    assert not uploaded.matching.has_errors
    assert uploaded.matching.players[1] is None
    assert uploaded.matching.players[2].numbers["fmjd"] == 11
    # Without sex and birth the page People asks for them, and for nothing else.
    incomplete = exported(office, KOMETA.split(b"sex")[0] + BOSMA, EXPORT.replace("nl", "NLD"))
    errors = [one for one in said(incomplete) if one[1] == "error"]
    assert errors == [("born-missing", "error", 3), ("sex-missing", "error", 3)]


@quick
def test_all_can_be_new_and_the_number_stays_what_the_report_says(office):
    office.register(11)
    uploaded = exported(office, KOMETA + BOSMA)
    (first, second) = [finding for finding in uploaded.matching.findings if finding.severity == "note"]
    assert {finding.key for finding in (first, second)} == {"fmjd-id-unknown.new"}
    assert (first.found, second.found) == ("19001", "19002")
    report = submit_report(report=uploaded.report, comments=office.comments(uploaded), by=office.referee)
    accept_report(report=report, by=office.officer)
    assert in_the_register() == [(11, "Familyal"), (12, "Kometa"), (13, "Bosma")]
    stored = [finding for finding in newest(report).findings if finding["severity"] == "note"]
    assert [finding["values"]["found"] for finding in stored] == ["19001", "19002"]


@quick
def test_a_number_of_the_register_is_not_overruled_by_a_new_player(office):
    office.register(11)
    uploaded = exported(office, KOMETA + BOSMA, EXPORT.replace("19001", "11"))
    (error,) = [finding for finding in uploaded.matching.findings if finding.severity == "error"]
    assert (error.key, error.step, error.line) == ("new-player-unknown.registered", "people", 3)
    assert uploaded.matching.players[1].numbers["fmjd"] == 11


@quick
def test_a_new_player_of_a_file_of_article_11_can_have_a_number_too(office):
    office.register(11)
    office.names[19001] = ("Nova", "Kometa")
    uploaded = office.upload("Open", [11, 19001], GAMES[:1])
    assert said(uploaded) == [("fmjd-id-unknown", "error", 16)]
    sex = {"newcomers": {"2": {"sex": "W"}}}
    saved = edit_tournament_details(report=uploaded.report, based_on=1, values=sex, by=office.referee)
    assert said(saved) == [("fmjd-id-unknown", "note", 16), ("born-missing", "error", 16)]
    born = {"newcomers": {"2": {"sex": "W", "born": date(2001, 2, 3)}}}
    saved = edit_tournament_details(report=uploaded.report, based_on=2, values=born, by=office.referee)
    assert not saved.matching.has_errors
    # Results entry writes the number, so the player stays new by the details.
    grid = results_grid(open_report(uploaded.report.pk))
    assert (grid.players[1].fmjd_id, sorted(grid.details["newcomers"])) == (19001, ["2"])


# --- nothing that belongs on the page People is an error of the file


@quick
def test_all_that_a_new_player_of_a_template_lacks_is_asked_on_the_page_people(office):
    office.register(11)
    new = ("Иван", "Иванов"), ("P.", "Kuznetsovpetrovskaya")
    players = [11, *(office.newcomer(*names, born="", sex="", country="") for names in new)]
    uploaded = office.upload("Open", players, GAMES[:1])
    errors = [finding for finding in uploaded.matching.findings if finding.severity == "error"]
    assert {finding.code for finding in errors if finding.line == 16} == {
        "name-outside-alphabet", "country-missing", "born-missing", "sex-missing",
    }  # fmt: skip
    assert {finding.code for finding in errors if finding.line == 17} == {
        "name-too-long", "name-shortened", "country-missing", "born-missing", "sex-missing",
    }  # fmt: skip
    assert {finding.step for finding in errors} == {"people"}
    whole = {"country": "UKR", "sex": "M", "born": date(1990, 2, 3)}
    newcomers = {
        "2": {"last_name": "Ivanov", "first_name": "Ivan", **whole},
        "3": {"last_name": "Kuznetsov", "first_name": "Petro", **whole},
    }
    values = {"newcomers": newcomers}
    saved = edit_tournament_details(report=uploaded.report, based_on=1, values=values, by=office.referee)
    assert not saved.matching.has_errors


@quick
def test_a_country_that_cannot_be_read_is_a_warning_once_the_details_give_it(office):
    office.register(11)
    stranger = office.newcomer("Nova", "Kometa", country="XX")
    uploaded = office.upload("Open", [11, stranger], GAMES[:1])

    def severities(read):
        return [str(found.severity) for found in read.matching.findings if found.field == "country"]

    assert severities(uploaded) == ["error"]
    values = {"newcomers": {"2": {"country": "BEL"}}}
    saved = edit_tournament_details(report=uploaded.report, based_on=1, values=values, by=office.referee)
    assert severities(saved) == ["warning"]
