"""The office's review: accepted, returned, rejected, undone; who may, when, and what stays (R23, R24)."""

import pytest
from django.db import IntegrityError, transaction

from reporting.log.acting_person import acting_as
from reporting.models import Entry, LogEntry, Message, Report, ReportVersion, ResultSet, ReviewRemark, Role
from reporting.reports.services.edit_report import edit_tournament_details
from reporting.reports.services.review import (
    Remark,
    accept_report,
    reject_report,
    return_report,
    undo_acceptance,
)
from reporting.reports.services.submit import submit_report, take_back_report
from reporting.reports.services.upload import upload_report
from reporting.reports.services.write_note import MOST_KILOBYTES_OF_TEXTS
from tests.services.report_helpers import (
    GAMES,
    OPENING,
    PLAYERS,
    REMARKS,
    comments,
    database_state,
    freeze,
    invited_by,
    newest,
    person,
    quick,
    refusal,
    resubmit,
    results,
)

# --- state × verb × who: an arrow to the new state, or the code of the refusal

OFFICE = """
             submit       edit         take_back    accept       return       reject       undo_acceptance
draft        >submitted   >draft       wrong_state  wrong_state  wrong_state  wrong_state  wrong_state
submitted    wrong_state  wrong_state  >draft       >accepted    >returned    >rejected    wrong_state
returned     >submitted   >draft       wrong_state  wrong_state  wrong_state  wrong_state  wrong_state
accepted     wrong_state  wrong_state  wrong_state  wrong_state  wrong_state  wrong_state  >submitted
rejected     wrong_state  wrong_state  wrong_state  wrong_state  wrong_state  wrong_state  wrong_state
withdrawn    wrong_state  wrong_state  wrong_state  wrong_state  wrong_state  wrong_state  wrong_state
"""
INVITER = OFFICE.replace(">draft       >accepted", ">draft       brought_in")
WHOSE_IT_IS = """
             submit       edit         take_back    accept       return       reject       undo_acceptance
draft        >submitted   >draft       wrong_state  forbidden    forbidden    forbidden    forbidden
submitted    wrong_state  wrong_state  >draft       forbidden    forbidden    forbidden    forbidden
returned     >submitted   >draft       wrong_state  forbidden    forbidden    forbidden    forbidden
accepted     wrong_state  wrong_state  wrong_state  forbidden    forbidden    forbidden    forbidden
rejected     wrong_state  wrong_state  wrong_state  forbidden    forbidden    forbidden    forbidden
withdrawn    wrong_state  wrong_state  wrong_state  forbidden    forbidden    forbidden    forbidden
"""
OFFICE_OF_ITS_OWN = WHOSE_IT_IS.replace("forbidden", "own_report")
NO_ONE_S = "\n".join(
    [OFFICE.strip().splitlines()[0], *(f"{state} {'forbidden ' * 7}" for state in Report.State)]
)
WHO = {
    "rating officer": (OFFICE, Role.RATING_OFFICER),
    "tournament director": (OFFICE, Role.TOURNAMENT_DIRECTOR),
    "inviter, rating officer": (INVITER, Role.RATING_OFFICER),
    "inviter, tournament director": (INVITER, Role.TOURNAMENT_DIRECTOR),
    "maker": (WHOSE_IT_IS, Role.REFEREE),
    "maker, rating officer": (OFFICE_OF_ITS_OWN, Role.RATING_OFFICER),
    "maker, tournament director": (OFFICE_OF_ITS_OWN, Role.TOURNAMENT_DIRECTOR),
    "referee": (NO_ONE_S, Role.REFEREE),
    "national official": (NO_ONE_S, Role.NATIONAL_OFFICIAL),
    "releasing officer": (NO_ONE_S, Role.RELEASING_OFFICER),
    "title council": (NO_ONE_S, Role.TITLE_COUNCIL),
    "administrator": (NO_ONE_S, Role.ADMINISTRATOR),
}


def cells(grid):
    verbs, *rows = [line.split() for line in grid.strip().splitlines()]
    return {(row[0], verb): cell for row in rows for verb, cell in zip(verbs, row[1:], strict=True)}


def test_the_tables_are_whole_and_name_every_role():
    assert {role for _, role in WHO.values()} == set(Role)
    for grid, _ in WHO.values():
        assert {state for state, _ in cells(grid)} == set(Report.State)
        assert len(cells(grid)) == 42


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
        return submit_report(report=report, comments=comments(report), by=by)
    if verb == "edit":
        values = {"referee": "Another"}
        return edit_tournament_details(report=report, based_on=newest(report).number, values=values, by=by)
    if verb == "take_back":
        return take_back_report(report=report, by=by)
    if verb == "return":
        return return_report(report=report, remarks=REMARKS, by=by)
    if verb == "accept":
        return accept_report(report=report, by=by)
    act = {"reject": reject_report, "undo_acceptance": undo_acceptance}[verb]
    return act(report=report, reason="so", by=by)


@quick
@pytest.mark.parametrize("state", Report.State)
def test_every_verb_in_every_state_by_everybody(office, state):
    """A report of the referee for all who did not make it, one for each who did; what each does is rolled back."""
    office.register(*PLAYERS)
    people = {who: person(f"Somebody {who}", role) for who, (_, role) in WHO.items()}
    makers = [who for who in WHO if who.startswith("maker")]
    inviters = [who for who in WHO if who.startswith("inviter")]
    others = [who for who in WHO if who not in (*makers, *inviters)]
    invited = [(invited_by(people[who]), [who]) for who in inviters]
    of_their_own = ((people[who], [who]) for who in makers)
    for maker, everybody in ((office.referee, others), *invited, *of_their_own):
        with transaction.atomic():
            report = in_state(office, state, maker)
            report.refresh_from_db()
            before = database_state()
            for who in everybody:
                for (row, verb), cell in cells(WHO[who][0]).items():
                    if row == state:
                        check_verb(office, report, verb, cell, by=people[who], before=before)
            transaction.set_rollback(True)


def check_verb(office, report, verb, cell, *, by, before):
    """What the cell of a table says happens; then it is rolled back."""
    with transaction.atomic():
        if cell.startswith(">"):
            state = report.state
            carry_out(office, verb, report, by)
            assert Report.objects.get().state == cell[1:], (by.user.name, verb)
            log = LogEntry.objects.order_by("pk").last()
            assert (log.actor, log.subject) == (by.user, f"report {report.pk}"), (by.user.name, verb)
            assert (log.before["state"], log.after["state"]) == (state, cell[1:]), (by.user.name, verb)
        else:
            assert refusal(carry_out, office, verb, report, by).code == cell, (by.user.name, verb)
            assert database_state() == before, (by.user.name, verb)
        transaction.set_rollback(True)
    report.refresh_from_db()


# --- returned


@quick
def test_remarks_are_kept_with_the_version_they_are_about_with_a_message(office):
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
    stored_remarks = ReviewRemark.objects.order_by("pk").values_list("version", "line", "field", "text", "by")
    version, by = newest(report).pk, officer.user.pk
    assert list(stored_remarks) == [
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
        "Your report of Gouda Open (last round 8 Feb 2026) is returned. Version 1 has to be corrected."
        "\n\nAlmost.\n\nLine 21: Is this pause right?\n\nDetail Town: Which town?\n\n"
        "Correct the report and submit it again. The date of its first submission stays."
    )


@quick
def test_a_report_returned_again_tells_again_and_each_hand_in_is_a_version(office):
    office.register(*PLAYERS)
    report = office.submit("Open", PLAYERS, GAMES)
    for words in ("first", "second"):
        return_report(report=report, remarks=[Remark(words)], by=office.officer)
        resubmit(office, report)
    content, details = bytes(newest(report).content), office.details(referee='"Another"')
    take_back_report(report=report, by=office.referee)
    upload_report(content=content, filename="open.txt", sidecar=details, by=office.referee)
    resubmit(office, report)
    return_report(report=report, remarks=[Remark("third")], by=office.officer)
    assert list(ReviewRemark.objects.order_by("pk").values_list("version__number", "text")) == [
        (1, "first"), (2, "second"), (4, "third")
    ]  # fmt: skip
    messages = Message.objects.filter(kind="report_returned").order_by("pk")
    said = [message.text.split("\n\n")[1] for message in messages]
    assert said == ["first", "second", "third"]
    versions = ReportVersion.objects.order_by("number")
    assert [version.number for version in versions] == [1, 2, 3, 4]
    # Submitted as it was, and once with other details.
    assert len({version.sha256 for version in versions}) == 1
    assert all(version.comments.exists() for version in versions)


@quick
@pytest.mark.parametrize(
    ("remarks", "code"),
    [
        ([], "remarks_missing"),
        ([Remark("")], "remarks_missing"),
        ([Remark("so"), Remark("  ", line=3)], "remarks_missing"),
        ([Remark("so", line=0)], "remark_invalid"),
        ([Remark("so", line=-1)], "remark_invalid"),
        ([Remark("so", line=3, field="place")], "remark_invalid"),
        ([Remark("so"), Remark("so", field="wind")], "remark_invalid"),
    ],
)
def test_without_words_or_for_no_place_nothing_is_returned(office, remarks, code):
    office.register(*PLAYERS)
    report = office.submit("Open", PLAYERS, GAMES)
    before = database_state()
    assert refusal(return_report, report=report, remarks=remarks, by=office.officer).code == code
    assert database_state() == before


def test_remarks_of_a_person_on_a_report_have_a_limit_of_bytes(office):
    """50,000 letters of two bytes are 100 KB. A longer text is refused, and another person of the office writes."""
    office.register(*PLAYERS)
    report = office.submit("Open", PLAYERS, GAMES)
    officer, before = person("Officer", Role.RATING_OFFICER), database_state()
    too_long = [Remark("é" * 50_000), Remark("e", line=3)]
    for act in ({"remarks": too_long}, {"remarks": [Remark("é" * 50_001)]}):
        refused = refusal(return_report, report=report, by=officer, **act)
        assert (refused.key, refused.values["most"]) == ("too_much_text.remarks", MOST_KILOBYTES_OF_TEXTS)
    said = "With these your remarks on this report have 101 KB. The limit is 100 KB."
    assert refused.message.startswith(said)
    refused = refusal(reject_report, report=report, reason="é" * 50_001, by=officer)
    assert refused.key == "too_much_text.remarks"
    assert database_state() == before
    return_report(report=report, remarks=too_long[:1], by=officer)
    submit_report(report=report, comments=comments(report), by=office.referee)
    assert refusal(return_report, report=report, remarks=REMARKS, by=officer).key == "too_much_text.remarks"
    assert return_report(report=report, remarks=REMARKS, by=office.director).state == "returned"


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
    assert "is rejected. It is not rated.\n\nReason: A simultaneous display.\n\n" in message.text


# --- undone


@quick
@pytest.mark.database_role("web")
def test_another_refusal_of_the_database_is_not_called_counted(office):
    """The change of the state is refused to a referee by the same code as that of a report which a list counts."""
    office.register(*PLAYERS)
    report = office.accept("Open", PLAYERS, GAMES)
    with (
        acting_as(office.referee.user),
        pytest.raises(IntegrityError, match="accepted and admitted by the office"),
        transaction.atomic(),
    ):
        undo_acceptance(report=report, reason="A doubt", by=office.director)


@pytest.mark.database_role("web")
def test_an_acceptance_undone_leaves_no_player_a_result_and_accepted_again_gives_the_same(office):
    office.register(*PLAYERS)
    report = office.accept("Gouda Open", PLAYERS, GAMES, rounds="[2026-02-06, 2026-02-08]")
    tournament = report.result_set
    first = results(tournament)
    assert [len(rows) for rows in first] == [3, 2, 4]
    assert refusal(undo_acceptance, report=report, reason=" ", by=office.director).code == "reason_missing"

    back = undo_acceptance(report=report, reason="Two cards were mixed up.", by=office.director)
    assert (back.state, back.accepted_version, back.result_set) == ("submitted", None, tournament)
    assert set(tournament.entries.values_list("player", flat=True)) == {None}
    assert results(tournament)[1:] == first[1:]
    act = LogEntry.objects.get(action="report.undo_acceptance")
    assert (act.actor, act.reason) == (office.director.user, "Two cards were mixed up.")
    assert act.before == {"state": "accepted", "version": 1, "admitted_reason": ""}
    assert act.after == {"state": "submitted", "tournament": "2026-gouda-open"}
    message = Message.objects.get(kind="acceptance_undone")
    assert (message.recipient, message.title) == (
        office.referee.user, "Acceptance undone: Gouda Open"
    )  # fmt: skip
    assert "Reason: Two cards were mixed up.\n\nNo list has counted the report yet." in message.text

    again = accept_report(report=report, by=office.director)
    assert (again.state, again.accepted_version) == ("accepted", newest(report))
    assert results(tournament) == first
    # The referee got a message about both acceptances: the first no longer held.
    assert list(Message.objects.order_by("pk").values_list("kind", flat=True)) == [
        "report_accepted", "acceptance_undone", "report_accepted"
    ]  # fmt: skip


@quick
def test_results_are_stored_at_submission_and_written_again_with_the_next_one(office):
    """Who the players are is said by the acceptance; until then no page of a player has them."""
    office.register(*PLAYERS)
    report = office.submit("Open", PLAYERS, GAMES)
    submitted = results(report.result_set)
    assert [len(rows) for rows in submitted] == [3, 2, 4]
    assert not Entry.objects.exclude(player=None).exists()
    take_back_report(report=report, by=office.referee)
    assert resubmit(office, report).result_set == report.result_set
    assert results(report.result_set) == submitted
    accept_report(report=report, by=office.officer)
    assert not Entry.objects.filter(player=None).exists()
    assert results(report.result_set)[1:] == submitted[1:]


@quick
def test_after_it_a_edited_version_is_the_accepted_one(office):
    office.register(*PLAYERS)
    report = office.accept("Open", PLAYERS, GAMES)
    first = results(report.result_set)
    undo_acceptance(report=report, reason="so", by=office.officer)
    take_back_report(report=report, by=office.referee)
    content, details = bytes(newest(report).content), office.details(official="true")
    upload_report(content=content, filename="open.txt", sidecar=details, by=office.referee)
    resubmit(office, report)
    again = accept_report(report=report, by=office.officer)
    assert again.accepted_version.number == 2
    assert again.result_set.official is True
    assert results(again.result_set) == first
    assert ResultSet.objects.count() == 1


@quick
def test_a_late_report_undone_is_admitted_again_or_not_at_all(office):
    office.register(*PLAYERS)
    report = office.accept("Open", PLAYERS, GAMES, received="2026-03-01", admitted_reason="a flood")
    assert undo_acceptance(report=report, reason="so", by=office.officer).admitted_reason == ""
    assert LogEntry.objects.get(action="report.undo_acceptance").before["admitted_reason"] == "a flood"
    assert refusal(accept_report, report=report, by=office.officer).code == "needs_admission"


@quick
def test_what_a_list_counts_is_not_undone(office):
    office.opening(OPENING)
    report = office.accept("Open", PLAYERS, GAMES)
    freeze(office)
    before = database_state()
    assert refusal(undo_acceptance, report=report, reason="so", by=office.officer).code == "already_counted"
    assert database_state() == before


@quick
def test_twin_until_the_freeze_it_is_and_the_list_does_not_count_it(office):
    office.opening(OPENING)
    report = office.accept("Open", PLAYERS, GAMES)
    undo_acceptance(report=report, reason="so", by=office.officer)
    assert freeze(office).manifest.count() == 0
    assert Message.objects.filter(kind="report_next_list").count() == 1


@quick
def test_accepted_after_the_freeze_it_is_counted_by_no_list_yet_and_can_be_undone(office):
    office.opening(OPENING)
    report = office.submit("Open", PLAYERS, GAMES)
    freeze(office)
    accept_report(report=report, by=office.officer)
    assert undo_acceptance(report=report, reason="so", by=office.officer).state == "submitted"


@quick
def test_a_report_that_a_corrected_one_stands_on_is_undone_after_that_one(office):
    office.register(*PLAYERS)
    first = office.accept("Open", PLAYERS, GAMES)
    corrected = office.accept("Open", PLAYERS, GAMES[:3], corrects='"2026-open"')
    before = database_state()
    assert refusal(undo_acceptance, report=first, reason="so", by=office.officer).code == "corrected"
    assert database_state() == before
    undo_acceptance(report=corrected, reason="so", by=office.officer)
    assert first.result_set.games.count() == 4  # its own results stand
    undo_acceptance(report=first, reason="so", by=office.officer)
    refused = refusal(accept_report, report=corrected, by=office.officer)
    assert [finding.code for finding in refused.findings] == ["corrects-unknown"]
