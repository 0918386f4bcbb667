"""The office's review: accepted, returned, rejected, taken back; who may, when, and what stays (R23, R24)."""

import time
from datetime import date
from threading import Barrier, Event, Thread
from unittest.mock import patch

import pytest
from django.db import DatabaseError, connection, transaction

from ratings.models import PeriodReport, Pool, RatingListRow
from ratings.services.freeze_period import ensure_period, freeze_period
from reporting.errors import DomainError
from reporting.models import (
    Entry,
    Game,
    LogEntry,
    Message,
    Player,
    Report,
    ReportVersion,
    ReviewRemark,
    Role,
    Round,
    Tournament,
    User,
)
from reporting.services.audit import Actor
from reporting.services.review import Remark, accept_report, reject_report, return_report, take_back
from reporting.services.submit import submit_report
from reporting.services.upload import upload_report

APRIL = date(2026, 4, 1)
OPENING = "fmjd_id rating games\n11 2000 100\n12 2000 100\n13 2000 100"
PLAYERS, GAMES = [11, 12, 13], ["1 1 2 2-0", "1 3 0 2-0", "2 1 3 1-1", "2 0 2 0-2"]
REMARKS = [Remark("Please look again.")]

quick = pytest.mark.django_db
whole = pytest.mark.django_db(transaction=True)  # others look on from connections of their own


def refusal(call, *args, **kwargs):
    with pytest.raises(DomainError) as refused:
        call(*args, **kwargs)
    return refused.value


def person(name, *roles):
    return Actor(User.objects.create_user(f"{name.replace(' ', '.')}@example.org", name, roles=list(roles)))


def everything():
    models = (Report, ReportVersion, ReviewRemark, Tournament, Entry, Game, Round, Player, LogEntry, Message)
    return {model.__name__: list(model.objects.order_by("pk").values()) for model in models}


def results(tournament):
    """What an acceptance wrote, without the numbers of its rows."""
    return (
        list(
            tournament.entries.order_by("number").values_list(
                "number", "player", "place", "points_printed", "reported_name", "reported_federation"
            )
        ),
        list(tournament.rounds.order_by("number").values_list("number", "played_on")),
        list(
            tournament.games.order_by("pk").values_list(
                "round", "white__number", "black__number", "white_points", "black_points", "played"
            )
        ),
    )


def newest(report):
    return report.versions.order_by("-number").first()


def answers(report):
    """A word to each warning of the newest version."""
    findings = newest(report).findings
    return {place: "so it is" for place, finding in enumerate(findings) if finding["severity"] == "warning"}


def hand_in_again(office, report):
    return submit_report(report=report, answers=answers(report), by=office.referee)


# --- state × verb × who: an arrow to the new state, or the code of the refusal

SETTLED_MEND = "(unchanged)"  # the same bytes come again: nothing is stored, nothing refused

OFFICE = """
             submit       mend         accept       return       reject       take_back
draft        >submitted   >draft       wrong_state  wrong_state  wrong_state  wrong_state
submitted    wrong_state  >draft       >accepted    >returned    >rejected    wrong_state
returned     >submitted   >draft       wrong_state  wrong_state  wrong_state  wrong_state
accepted     wrong_state  (unchanged)  wrong_state  wrong_state  wrong_state  >submitted
rejected     wrong_state  (unchanged)  wrong_state  wrong_state  wrong_state  wrong_state
withdrawn    wrong_state  (unchanged)  wrong_state  wrong_state  wrong_state  wrong_state
"""
OFFICE_OF_ITS_OWN = """
             submit       mend         accept       return       reject       take_back
draft        >submitted   >draft       own_report   own_report   own_report   own_report
submitted    wrong_state  >draft       own_report   own_report   own_report   own_report
returned     >submitted   >draft       own_report   own_report   own_report   own_report
accepted     wrong_state  (unchanged)  own_report   own_report   own_report   own_report
rejected     wrong_state  (unchanged)  own_report   own_report   own_report   own_report
withdrawn    wrong_state  (unchanged)  own_report   own_report   own_report   own_report
"""
WHOSE_IT_IS = """
             submit       mend         accept       return       reject       take_back
draft        >submitted   >draft       forbidden    forbidden    forbidden    forbidden
submitted    wrong_state  >draft       forbidden    forbidden    forbidden    forbidden
returned     >submitted   >draft       forbidden    forbidden    forbidden    forbidden
accepted     wrong_state  (unchanged)  forbidden    forbidden    forbidden    forbidden
rejected     wrong_state  (unchanged)  forbidden    forbidden    forbidden    forbidden
withdrawn    wrong_state  (unchanged)  forbidden    forbidden    forbidden    forbidden
"""
ANOTHER_REPORTER = """
             submit       mend         accept       return       reject       take_back
draft        forbidden    forbidden    forbidden    forbidden    forbidden    forbidden
submitted    forbidden    forbidden    forbidden    forbidden    forbidden    forbidden
returned     forbidden    forbidden    forbidden    forbidden    forbidden    forbidden
accepted     forbidden    (unchanged)  forbidden    forbidden    forbidden    forbidden
rejected     forbidden    (unchanged)  forbidden    forbidden    forbidden    forbidden
withdrawn    forbidden    (unchanged)  forbidden    forbidden    forbidden    forbidden
"""
NO_REPORTER = """
             submit       mend         accept       return       reject       take_back
draft        forbidden    forbidden    forbidden    forbidden    forbidden    forbidden
submitted    forbidden    forbidden    forbidden    forbidden    forbidden    forbidden
returned     forbidden    forbidden    forbidden    forbidden    forbidden    forbidden
accepted     forbidden    forbidden    forbidden    forbidden    forbidden    forbidden
rejected     forbidden    forbidden    forbidden    forbidden    forbidden    forbidden
withdrawn    forbidden    forbidden    forbidden    forbidden    forbidden    forbidden
"""
WHO = {
    "rating officer": (OFFICE, Role.RATING_OFFICER),
    "tournament director": (OFFICE, Role.TOURNAMENT_DIRECTOR),
    "maker": (WHOSE_IT_IS, Role.REFEREE),
    "maker, rating officer": (OFFICE_OF_ITS_OWN, Role.RATING_OFFICER),
    "maker, tournament director": (OFFICE_OF_ITS_OWN, Role.TOURNAMENT_DIRECTOR),
    "referee": (ANOTHER_REPORTER, Role.REFEREE),
    "national official": (ANOTHER_REPORTER, Role.NATIONAL_OFFICIAL),
    "releasing officer": (NO_REPORTER, Role.RELEASING_OFFICER),
    "title council": (NO_REPORTER, Role.TITLE_COUNCIL),
    "administrator": (NO_REPORTER, Role.ADMINISTRATOR),
}


def cells(grid):
    verbs, *rows = [line.split() for line in grid.strip().splitlines()]
    return {(row[0], verb): cell for row in rows for verb, cell in zip(verbs, row[1:], strict=True)}


def test_the_tables_are_whole_and_name_every_role():
    assert {role for _, role in WHO.values()} == set(Role)
    for grid, _ in WHO.values():
        assert {state for state, _ in cells(grid)} == set(Report.State)
        assert len(cells(grid)) == 36


def in_state(office, state, maker):
    """A report of the maker's, brought into the state by the services; withdrawn has none yet."""
    if state in ("draft", "withdrawn"):
        report = office.upload("Open", PLAYERS, GAMES, by=maker).report
        Report.objects.filter(pk=report.pk).update(state=state)
        return report
    report = office.submit("Open", PLAYERS, GAMES, by=maker)
    if state == "accepted":
        accept_report(report=report, by=office.officer)
    elif state == "returned":
        return_report(report=report, remarks=REMARKS, by=office.officer)
    elif state == "rejected":
        reject_report(report=report, reason="so", by=office.officer)
    return report


def carry_out(office, verb, report, by):
    if verb == "submit":
        return submit_report(report=report, answers=answers(report), by=by)
    if verb == "mend":
        content, facts = bytes(newest(report).content), office.facts(referee='"Another"')
        return upload_report(content=content, filename="open.txt", sidecar=facts, by=by)
    if verb == "return":
        return return_report(report=report, remarks=REMARKS, by=by)
    if verb == "accept":
        return accept_report(report=report, by=by)
    return {"reject": reject_report, "take_back": take_back}[verb](report=report, reason="so", by=by)


@quick
@pytest.mark.parametrize("state", Report.State)
@pytest.mark.parametrize("who", WHO)
def test_every_verb_in_every_state_by_everybody(office, who, state):
    office.register(*PLAYERS)
    grid, role = WHO[who]
    somebody = person("Somebody", role)
    report = in_state(office, state, somebody if who.startswith("maker") else office.referee)
    before = everything()
    for (row, verb), cell in cells(grid).items():
        if row != state:
            continue
        with transaction.atomic():
            if cell.startswith(">"):
                carry_out(office, verb, report, somebody)
                assert Report.objects.get().state == cell[1:], verb
                log = LogEntry.objects.order_by("pk").last()
                assert (log.actor, log.subject) == (somebody.user, f"report {report.pk}"), verb
                assert (log.before["state"], log.after["state"]) == (state, cell[1:]), verb
            elif cell == SETTLED_MEND:
                assert carry_out(office, verb, report, somebody).already_there
                assert everything() == before
            else:
                assert refusal(carry_out, office, verb, report, somebody).code == cell, verb
                assert everything() == before
            transaction.set_rollback(True)


# --- returned


@quick
def test_remarks_are_kept_with_the_version_they_are_about_and_told_of(office):
    office.register(*PLAYERS)
    report = office.submit("Gouda Open", PLAYERS, GAMES)
    officer = person("Officer", Role.RATING_OFFICER)
    remarks = [
        Remark(" Almost. "),
        Remark("Is this pause right?", line=21),
        Remark("Which town?", field="place"),
    ]
    returned = return_report(report=report, remarks=remarks, by=officer)
    assert returned.state == "returned"
    kept = ReviewRemark.objects.order_by("pk").values_list("version", "line", "field", "text", "by")
    version, by = newest(report).pk, officer.user.pk
    assert list(kept) == [
        (version, None, "", "Almost.", by),
        (version, 21, "", "Is this pause right?", by),
        (version, None, "place", "Which town?", by),
    ]
    act = LogEntry.objects.get(action="report.return")
    assert act.after == {"state": "returned", "version": 1, "remarks": 3}
    message = Message.objects.get(kind="report_returned")
    assert (message.recipient, message.title) == (office.referee.user, "Returned: Gouda Open")
    assert message.about == f"/reports/{report.pk}/#act-{act.pk}"
    assert message.text == (
        "Your report of Gouda Open (last round 8 Feb 2026) was returned: version 1 is not accepted as it is."
        "\n\nAlmost.\n\nLine 21: Is this pause right?\n\nFact place: Which town?\n\n"
        "Mend it and hand it in again. The day on which it first came in stays."
    )


@quick
def test_a_report_returned_again_tells_again_and_each_hand_in_is_a_version(office):
    office.register(*PLAYERS)
    report = office.submit("Open", PLAYERS, GAMES)
    for words in ("first", "second"):
        return_report(report=report, remarks=[Remark(words)], by=office.officer)
        hand_in_again(office, report)
    content, facts = bytes(newest(report).content), office.facts(referee='"Another"')
    upload_report(content=content, filename="open.txt", sidecar=facts, by=office.referee)
    hand_in_again(office, report)
    return_report(report=report, remarks=[Remark("third")], by=office.officer)
    assert list(ReviewRemark.objects.order_by("pk").values_list("version__number", "text")) == [
        (1, "first"), (2, "second"), (4, "third")
    ]  # fmt: skip
    messages = Message.objects.filter(kind="report_returned").order_by("pk")
    said = [message.text.split("\n\n")[1] for message in messages]
    assert said == ["first", "second", "third"]
    versions = ReportVersion.objects.order_by("number")
    assert [each.number for each in versions] == [1, 2, 3, 4]
    assert len({each.sha256 for each in versions}) == 1  # handed in as it was, and once with other facts
    assert all(each.answers.exists() for each in versions)


@quick
@pytest.mark.parametrize(
    ("remarks", "code"),
    [
        ([], "remarks_missing"),
        ([Remark("")], "remarks_missing"),
        ([Remark("so"), Remark("  ", line=3)], "remarks_missing"),
        ([Remark("so", line=0)], "remark_unfit"),
        ([Remark("so", line=-1)], "remark_unfit"),
        ([Remark("so", line=3, field="place")], "remark_unfit"),
        ([Remark("so"), Remark("so", field="wind")], "remark_unfit"),
    ],
)
def test_without_words_or_for_no_place_nothing_is_returned(office, remarks, code):
    office.register(*PLAYERS)
    report = office.submit("Open", PLAYERS, GAMES)
    before = everything()
    assert refusal(return_report, report=report, remarks=remarks, by=office.officer).code == code
    assert everything() == before


REMARK_CHANGES = [
    "UPDATE reporting_reviewremark SET text = 'another'",
    "DELETE FROM reporting_reviewremark",
    "TRUNCATE reporting_reviewremark",
]


@quick
@pytest.mark.parametrize("change", REMARK_CHANGES)
@pytest.mark.parametrize(
    "words",
    [
        pytest.param("permission denied", marks=pytest.mark.database_role("web")),
        pytest.param("permission denied", marks=pytest.mark.database_role("worker")),
        pytest.param("append-only", marks=pytest.mark.database_role("owner")),
    ],
)
def test_a_remark_stays_as_it_was_written(office, change, words):
    office.register(*PLAYERS)
    return_report(report=office.submit("Open", PLAYERS, GAMES), remarks=REMARKS, by=office.officer)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # TRUNCATE takes no table that a check waits for
        with pytest.raises(DatabaseError, match=words):
            cursor.execute(change)


@quick
@pytest.mark.database_role("owner")
@pytest.mark.parametrize("change", REMARK_CHANGES)
def test_twin_without_its_triggers_a_remark_would_change(office, change):
    office.register(*PLAYERS)
    return_report(report=office.submit("Open", PLAYERS, GAMES), remarks=REMARKS, by=office.officer)
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE reporting_reviewremark DISABLE TRIGGER USER")
        cursor.execute(change)
    assert not ReviewRemark.objects.filter(text=REMARKS[0].text).exists()


# --- rejected


@quick
def test_a_rejection_keeps_its_reason_in_the_log_and_as_a_remark_and_tells_it(office):
    office.register(*PLAYERS)
    report = office.submit("Gouda Open", PLAYERS, GAMES)
    for missing in ("", " \n"):
        refused = refusal(reject_report, report=report, reason=missing, by=office.officer)
        assert refused.code == "reason_missing"
    rejected = reject_report(report=report, reason="A simultaneous display.", by=office.director)
    assert rejected.state == "rejected"
    act = LogEntry.objects.get(action="report.reject")
    assert (act.actor, act.reason) == (office.director.user, "A simultaneous display.")
    remark = ReviewRemark.objects.get()
    assert (remark.version, remark.text, remark.place) == (newest(report), "A simultaneous display.", "")
    message = Message.objects.get()
    assert (message.kind, message.title) == ("report_rejected", "Rejected: Gouda Open")
    assert message.about == f"/reports/{report.pk}/#act-{act.pk}"
    assert "was rejected; it is not calculated. The reason:\n\nA simultaneous display.\n\n" in message.text


# --- taken back


@quick
@pytest.mark.database_role("web")
def test_an_acceptance_taken_back_leaves_no_result_and_accepted_again_gives_the_same(office):
    office.register(*PLAYERS)
    report = office.accept("Gouda Open", PLAYERS, GAMES, rounds="[2026-02-06, 2026-02-08]")
    tournament = report.tournament
    first = results(tournament)
    assert [len(rows) for rows in first] == [3, 2, 4]
    assert refusal(take_back, report=report, reason=" ", by=office.director).code == "reason_missing"

    back = take_back(report=report, reason="Two cards were mixed up.", by=office.director)
    assert (back.state, back.accepted_version, back.tournament) == ("submitted", None, tournament)
    assert results(tournament) == ([], [], [])
    act = LogEntry.objects.get(action="report.take_back")
    assert (act.actor, act.reason) == (office.director.user, "Two cards were mixed up.")
    assert act.before == {"state": "accepted", "version": 1, "admitted_reason": ""}
    assert act.after == {"state": "submitted", "tournament": "2026-gouda-open"}
    message = Message.objects.get(kind="report_taken_back")
    assert (message.recipient, message.title) == (
        office.referee.user, "Acceptance taken back: Gouda Open"
    )  # fmt: skip
    assert "The reason:\n\nTwo cards were mixed up.\n\nNo list has counted it yet." in message.text

    again = accept_report(report=report, by=office.director)
    assert (again.state, again.accepted_version) == ("accepted", newest(report))
    assert results(tournament) == first
    # He was told of both acceptances: the first no longer held.
    assert list(Message.objects.order_by("pk").values_list("kind", flat=True)) == [
        "report_accepted", "report_taken_back", "report_accepted"
    ]  # fmt: skip


@quick
def test_after_it_a_mended_version_is_the_accepted_one(office):
    office.register(*PLAYERS)
    report = office.accept("Open", PLAYERS, GAMES)
    first = results(report.tournament)
    take_back(report=report, reason="so", by=office.officer)
    content, facts = bytes(newest(report).content), office.facts(official="true")
    upload_report(content=content, filename="open.txt", sidecar=facts, by=office.referee)
    hand_in_again(office, report)
    again = accept_report(report=report, by=office.officer)
    assert again.accepted_version.number == 2
    assert again.tournament.official is True
    assert results(again.tournament) == first
    assert Tournament.objects.count() == 1


@quick
def test_a_late_report_taken_back_is_admitted_anew_or_not_at_all(office):
    office.register(*PLAYERS)
    report = office.accept("Open", PLAYERS, GAMES, received="2026-03-01", admitted_reason="a flood")
    assert take_back(report=report, reason="so", by=office.officer).admitted_reason == ""
    assert LogEntry.objects.get(action="report.take_back").before["admitted_reason"] == "a flood"
    assert refusal(accept_report, report=report, by=office.officer).code == "needs_admission"


def freeze(office):
    period = ensure_period(pool=Pool.objects.get(code="fmjd-100"), in_force=APRIL, by=office.officer)
    return freeze_period(period=period, reason="a test", by=office.officer)


@quick
def test_what_a_list_counts_is_not_taken_back(office):
    office.opening(OPENING)
    report = office.accept("Open", PLAYERS, GAMES)
    freeze(office)
    before = everything()
    assert refusal(take_back, report=report, reason="so", by=office.officer).code == "counted_already"
    assert everything() == before


@quick
def test_twin_until_the_freeze_it_is_and_the_list_does_not_count_it(office):
    office.opening(OPENING)
    report = office.accept("Open", PLAYERS, GAMES)
    take_back(report=report, reason="so", by=office.officer)
    assert freeze(office).manifest.count() == 0
    assert Message.objects.filter(kind="report_next_list").count() == 1


@quick
def test_accepted_after_the_freeze_it_is_counted_by_no_list_yet_and_can_be_taken_back(office):
    office.opening(OPENING)
    report = office.submit("Open", PLAYERS, GAMES)
    freeze(office)
    accept_report(report=report, by=office.officer)
    assert take_back(report=report, reason="so", by=office.officer).state == "submitted"


@quick
def test_a_report_that_a_corrected_one_stands_on_is_taken_back_after_that_one(office):
    office.register(*PLAYERS)
    first = office.accept("Open", PLAYERS, GAMES)
    corrected = office.accept("Open", PLAYERS, GAMES[:3], corrects='"2026-open"')
    before = everything()
    assert refusal(take_back, report=first, reason="so", by=office.officer).code == "corrected"
    assert everything() == before
    take_back(report=corrected, reason="so", by=office.officer)
    assert first.tournament.games.count() == 4  # its own results stand
    take_back(report=first, reason="so", by=office.officer)
    refused = refusal(accept_report, report=corrected, by=office.officer)
    assert [finding.code for finding in refused.findings] == ["corrects-unknown"]


# --- newcomers keep their numbers


def version_with(office, report, players, *, games=GAMES, **facts):
    """The next version of a report that is returned for it, with other players in its file; handed in."""
    return_report(report=report, remarks=REMARKS, by=office.officer)
    old = newest(report)
    made = ReportVersion.objects.create(
        report=report, number=old.number + 1, filename=old.filename,
        content=office.report_file("Open", players, games), sha256="0" * 64,
        sidecar=office.facts(**facts), format=old.format, encoding=old.encoding, findings=[],
        created_by=office.referee.user,
    )  # fmt: skip
    if refused := first_refusal(report, office):
        assert refused.code == "findings_changed"
        hand_in_again(office, report)
    return made


def first_refusal(report, office):
    try:
        hand_in_again(office, report)
    except DomainError as refused:
        return refused
    return None


def in_the_register():
    return list(Player.objects.order_by("fmjd_id").values_list("fmjd_id", "last_name"))


@quick
def test_whom_an_acceptance_entered_is_not_entered_again(office):
    office.register(11)
    players = [office.newcomer("Zora", "Zett", sex="W"), 11, office.newcomer("Anna", "Alpha", country="BEL")]
    report = office.accept("Open", players, GAMES)
    first, entered = results(report.tournament), in_the_register()
    assert entered == [(11, "Familyal"), (12, "Zett"), (13, "Alpha")]
    for _ in range(2):
        take_back(report=report, reason="so", by=office.officer)
        assert in_the_register() == entered
        accept_report(report=report, by=office.officer)
        assert results(report.tournament) == first
        assert in_the_register() == entered
    acts = LogEntry.objects.filter(action="report.accept").order_by("pk")
    assert [act.after["newcomers"] for act in acts] == [[12, 13], [], []]


@quick
def test_people_alike_in_everything_keep_their_numbers_in_order(office):
    office.register(11)
    players = [office.newcomer("Jan", "Smit"), office.newcomer("Jan", "Smit"), 11]
    report = office.accept("Open", players, GAMES)
    first = results(report.tournament)
    take_back(report=report, reason="so", by=office.officer)
    accept_report(report=report, by=office.officer)
    assert results(report.tournament) == first


@quick
def test_a_newcomer_who_played_elsewhere_since_is_the_same_there_and_here(office):
    office.register(11)
    report = office.accept("Open", [office.newcomer("Zora", "Zett"), 11], GAMES[:1])
    zett = Player.objects.get(last_name="Zett")
    office.names[zett.fmjd_id] = ("Zora", "Zett")
    other = office.accept("Other", [zett.fmjd_id, 11], GAMES[:1])
    take_back(report=report, reason="so", by=office.officer)
    assert other.tournament.entries.filter(player=zett).exists()
    accept_report(report=report, by=office.officer)
    assert set(Entry.objects.filter(player=zett).values_list("tournament__name", flat=True)) == {
        "Open",
        "Other",
    }


@quick
def test_a_newcomer_of_another_report_is_not_taken_for_one_of_this(office):
    """Whether two of one name in two reports are one person is asked by `looks-registered`, as ever (R21)."""
    office.register(11)
    office.accept("Other", [office.newcomer("Zora", "Zett"), 11], GAMES[:1])
    office.accept("Open", [office.newcomer("Zora", "Zett"), 11], GAMES[:1])
    assert in_the_register() == [(11, "Familyal"), (12, "Zett"), (13, "Zett")]


CHANGED = {
    "name": ("Zora", "Zet", {}),
    "federation": ("Zora", "Zett", {"country": "BEL"}),
    "year of birth": ("Zora", "Zett", {"born": "01/02/2002"}),
    "sex": ("Zora", "Zett", {"sex": "W"}),
}


@quick
@pytest.mark.parametrize("what", CHANGED)
def test_where_a_newcomer_was_mended_the_office_is_asked_whether_it_is_he(office, what):
    office.register(11, 12)
    report = office.accept("Open", [office.newcomer("Zora", "Zett"), 11, 12], GAMES)
    take_back(report=report, reason="so", by=office.officer)
    first_name, last_name, told = CHANGED[what]
    mended = office.newcomer(first_name, last_name, **told)
    version_with(office, report, [mended, 11, 12])
    before = everything()
    refused = refusal(accept_report, report=report, by=office.officer)
    assert refused.code == "newcomers_unclear"
    assert "13 Zett, Zora came into the register" in refused.message
    assert f"number 1 Zora {last_name}?" in refused.message
    assert everything() == before
    with transaction.atomic():  # one way: they are others
        accept_report(report=report, by=office.officer, newcomers_are_others=True)
        assert [number for number, _ in in_the_register()] == [11, 12, 13, 14]
        assert report.tournament.entries.get(number=1).player.fmjd_id == 14
        transaction.set_rollback(True)
    # The other way: it is he, by his FMJD-ID in the facts.
    told_who = office.facts().decode() + "[players]\n1 = 13\n"
    with patch.object(type(office), "facts", lambda *_, **__: told_who.encode()):
        version_with(office, report, [mended, 11, 12])
    accept_report(report=report, by=office.officer)
    assert in_the_register() == [(11, "Familyal"), (12, "Familyam"), (13, "Zett")]
    assert report.tournament.entries.get(number=1).player.fmjd_id == 13


@quick
def test_a_newcomer_keeps_his_number_on_another_line_and_when_a_mended_version_leaves_him_out(office):
    office.register(11, 12)
    report = office.accept("Open", [office.newcomer("Zora", "Zett"), 11, 12], GAMES)
    entered = in_the_register()
    take_back(report=report, reason="so", by=office.officer)
    version_with(office, report, [11, 12, office.newcomer("Zora", "Zett")])
    accept_report(report=report, by=office.officer)
    assert report.tournament.entries.get(number=3).player.fmjd_id == 13
    take_back(report=report, reason="so", by=office.officer)
    version_with(office, report, [11, 12], games=GAMES[:1])
    accept_report(report=report, by=office.officer)
    assert report.tournament.entries.count() == 2
    assert in_the_register() == entered == [(11, "Familyal"), (12, "Familyam"), (13, "Zett")]


@whole
def test_a_newcomer_without_games_is_on_no_list(office):
    office.opening(OPENING)
    report = office.accept("Open", [office.newcomer("Zora", "Zett"), 11, 12], GAMES)
    take_back(report=report, reason="so", by=office.officer)
    version_with(office, report, [11, 12], games=GAMES[:1])
    accept_report(report=report, by=office.officer)
    printed = RatingListRow.objects.filter(list=office.run()).values_list("register_number", flat=True)
    assert set(printed) == {11, 12, 13}
    assert Player.objects.get(last_name="Zett").fmjd_id == 14


# --- at the same moment


def at_once(*acts):
    """Each act in a thread of its own, all let go at the same moment; what each returned or raised."""
    barrier, outcomes = Barrier(len(acts)), [None] * len(acts)

    def run(place, act):
        try:
            connection.ensure_connection()
            barrier.wait(30)
            outcomes[place] = act()
        except Exception as error:
            outcomes[place] = error
        finally:
            connection.close()

    threads = [Thread(target=run, args=numbered) for numbered in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return outcomes


@whole
def test_of_two_officers_who_accept_and_return_at_the_same_moment_one_does(office):
    office.register(*PLAYERS)
    first, second = person("First", Role.RATING_OFFICER), person("Second", Role.TOURNAMENT_DIRECTOR)
    for turn in range(20):
        report = office.submit(f"Open {turn}", PLAYERS, GAMES)
        outcomes = at_once(
            lambda: accept_report(report=report, by=first),  # noqa: B023
            lambda: return_report(report=report, remarks=REMARKS, by=second),  # noqa: B023
        )
        (done,) = [each for each in outcomes if isinstance(each, Report)]
        (refused,) = [each for each in outcomes if not isinstance(each, Report)]
        assert (type(refused), getattr(refused, "code", "")) == (DomainError, "wrong_state")
        report.refresh_from_db()
        assert report.state == done.state
        accepted = report.state == "accepted"
        assert accepted == (done is outcomes[0])
        assert results(report.tournament)[0] == [] if not accepted else report.tournament.games.count() == 4
        assert ReviewRemark.objects.filter(version__report=report).count() == (0 if accepted else 1)
        told = Message.objects.filter(about__startswith=f"/reports/{report.pk}/")
        assert [each.kind for each in told] == ["report_accepted" if accepted else "report_returned"]
        acts = LogEntry.objects.filter(
            subject=f"report {report.pk}", action__in=["report.accept", "report.return"]
        )
        assert acts.count() == 1


def let_go_of(*acts, holding, seconds=0.4):
    """Carry `holding` out, let the others begin beside it, and commit a while later; what those came to."""
    outcomes = [None] * len(acts)

    def run(place, act):
        try:
            outcomes[place] = act()
        except Exception as error:
            outcomes[place] = error
        finally:
            connection.close()

    threads = [Thread(target=run, args=numbered) for numbered in enumerate(acts)]
    with transaction.atomic():
        holding()
        for thread in threads:
            thread.start()
        time.sleep(seconds)
    for thread in threads:
        thread.join(60)
    return outcomes


def damaged():
    """Reports whose state, results and manifest do not say the same."""
    lines = set(PeriodReport.objects.values_list("tournament", flat=True))
    return [
        report
        for report in Report.objects.select_related("tournament")
        if (report.state == "accepted") != report.tournament.games.exists()
        or (report.tournament_id in lines and report.state != "accepted")
    ]


@whole
def test_a_freeze_waits_for_what_is_being_taken_back_and_leaves_it_out(office):
    office.opening(OPENING)
    report = office.accept("Open", PLAYERS, GAMES)
    let_go_of(
        lambda: freeze(office), holding=lambda: take_back(report=report, reason="so", by=office.officer)
    )
    assert damaged() == []
    assert PeriodReport.objects.count() == 0
    report.refresh_from_db()
    assert report.state == "submitted"


@whole
def test_what_comes_back_during_a_freeze_is_counted_by_then(office):
    office.opening(OPENING)
    report = office.accept("Open", PLAYERS, GAMES)
    (refused,) = let_go_of(
        lambda: take_back(report=report, reason="so", by=office.officer), holding=lambda: freeze(office)
    )
    assert (type(refused), getattr(refused, "code", "")) == (DomainError, "counted_already")
    assert damaged() == []
    assert PeriodReport.objects.count() == 1


@whole
def test_twin_without_the_closing_lock_a_list_counts_a_report_without_games(office):
    office.opening(OPENING)
    report = office.accept("Open", PLAYERS, GAMES)
    with patch("reporting.services.review.share_closing_lock", lambda: None):
        let_go_of(
            lambda: freeze(office), holding=lambda: take_back(report=report, reason="so", by=office.officer)
        )
    assert damaged() == [report]
    assert PeriodReport.objects.get().tournament.games.count() == 0


@whole
def test_many_are_taken_back_while_the_period_is_frozen_and_each_is_either_back_or_counted(office):
    """The first two are back before the freeze begins, the last two come after it, the others at the same moment."""
    office.opening(OPENING)
    reports = [office.accept(f"Open {number}", PLAYERS, GAMES) for number in range(16)]
    two_are_back, frozen = Barrier(3), Event()

    def back(place):
        def act():
            if place >= 14:
                frozen.wait(30)
            elif place >= 2:
                time.sleep(0.01 * place)
            done = take_back(report=reports[place], reason="so", by=office.officer)
            if place < 2:
                two_are_back.wait(30)
            return done

        return act

    def freezes():
        two_are_back.wait(30)
        freeze(office)
        frozen.set()

    outcomes = at_once(freezes, *(back(place) for place in range(16)))
    counted = [each for each in outcomes[1:] if isinstance(each, DomainError)]
    assert [type(each) for each in outcomes if not isinstance(each, Report)] == [
        type(None), *[DomainError] * len(counted)
    ]  # fmt: skip
    assert {refused.code for refused in counted} == {"counted_already"}
    assert damaged() == []
    assert PeriodReport.objects.count() == len(counted)
    assert Report.objects.filter(state="submitted").count() == len(reports) - len(counted)
    assert 2 <= len(counted) <= 14


@whole
def test_a_report_is_not_taken_back_under_a_corrected_one_that_is_being_accepted(office):
    office.register(*PLAYERS)
    first = office.accept("Open", PLAYERS, GAMES)
    corrected = office.submit("Open", PLAYERS, GAMES[:3], corrects='"2026-open"')
    (refused,) = let_go_of(
        lambda: take_back(report=first, reason="so", by=office.officer),
        holding=lambda: accept_report(report=corrected, by=office.officer),
    )
    assert (type(refused), getattr(refused, "code", "")) == (DomainError, "corrected")


@whole
def test_nor_is_a_corrected_one_accepted_on_a_report_that_is_being_taken_back(office):
    office.register(*PLAYERS)
    first = office.accept("Open", PLAYERS, GAMES)
    corrected = office.submit("Open", PLAYERS, GAMES[:3], corrects='"2026-open"')
    (refused,) = let_go_of(
        lambda: accept_report(report=corrected, by=office.officer),
        holding=lambda: take_back(report=first, reason="so", by=office.officer),
    )
    assert [finding.code for finding in refused.findings] == ["corrects-unknown"]


@whole
def test_twin_without_holding_the_tournament_a_corrected_report_stands_on_nothing(office):
    office.register(*PLAYERS)
    first = office.accept("Open", PLAYERS, GAMES)
    corrected = office.submit("Open", PLAYERS, GAMES[:3], corrects='"2026-open"')
    with patch("reporting.services.review._hold", lambda _: None):
        let_go_of(
            lambda: accept_report(report=corrected, by=office.officer),
            holding=lambda: take_back(report=first, reason="so", by=office.officer),
        )
    assert set(Report.objects.values_list("pk", "state")) == {
        (first.pk, "submitted"), (corrected.pk, "accepted")
    }  # fmt: skip
