"""No one accepts results that they submitted or changed, nor approves a list that counts them (contracts, U14)."""

import pytest
from django.db import IntegrityError, connection
from django.db.transaction import atomic

from ratings.models import Pool
from ratings.production.run_period import run_period
from reporting.models import Announcement, Message, Report, ReportStep, Role
from reporting.reports.services.edit_report import replace_report_file
from reporting.reports.services.review import accept_report, return_report, undo_acceptance
from reporting.reports.services.save_comments import save_comments
from reporting.reports.services.submit import submit_report
from reporting.rules.lifecycle import ReportState
from tests.services.report_helpers import (
    APRIL,
    GAMES,
    OPENING,
    PLAYERS,
    REMARKS,
    comments,
    newest,
    person,
    quick,
    refusal,
)

pytestmark = quick
OTHER_GAMES = ["1 1 2 0-2", *GAMES[1:]]


@pytest.fixture
def submitted(office):
    office.register(*PLAYERS)
    office.opening(OPENING)
    return office.submit("Spring Open", PLAYERS, GAMES)


def changed_by(by, office, report):
    """The first result is turned round and the report submitted again."""
    content = office.report_file("Spring Open", PLAYERS, OTHER_GAMES)
    replace_report_file(
        report=report, based_on=newest(report).number, content=content, filename="report.txt", by=by
    )
    report.refresh_from_db()
    return submit_report(report=report, comments=comments(report), by=by)


def test_an_officer_does_not_accept_results_that_they_changed(office, submitted):
    other = person("Second Officer", Role.RATING_OFFICER)
    return_report(report=submitted, remarks=REMARKS, by=office.officer)
    report = changed_by(office.officer, office, submitted)
    assert refusal(accept_report, report=report, by=office.officer).code == "own_version"
    assert accept_report(report=report, by=other).state == ReportState.ACCEPTED


def test_after_another_person_accepted_it_the_version_is_theirs_no_more(office, submitted):
    """Accepted by the second officer, undone, and accepted by the first: no version was made since."""
    other = person("Second Officer", Role.RATING_OFFICER)
    return_report(report=submitted, remarks=REMARKS, by=office.officer)
    report = accept_report(report=changed_by(office.officer, office, submitted), by=other)
    report = undo_acceptance(report=report, reason="A doubt", by=other)
    assert accept_report(report=report, by=office.officer).state == ReportState.ACCEPTED


def test_the_referee_gets_a_message_about_a_version_made_by_others_with_its_differences(office, submitted):
    return_report(report=submitted, remarks=REMARKS, by=office.officer)
    changed_by(office.officer, office, submitted)
    (message,) = Message.objects.filter(kind=Message.Kind.REPORT_CHANGED)
    assert message.recipient == submitted.submitted_by
    assert message.about == f"/reports/{submitted.pk}/changes/1-2/"
    assert office.officer.user.name in message.text
    lines = message.text.splitlines()
    assert "- 1,1,2,2-0" in lines
    assert "+ 1,1,2,0-2" in lines


def test_the_referees_own_versions_send_no_message(office, submitted):
    return_report(report=submitted, remarks=REMARKS, by=office.officer)
    changed_by(office.referee, office, submitted)
    assert not Message.objects.filter(kind=Message.Kind.REPORT_CHANGED).exists()


@pytest.mark.django_db(transaction=True)
def test_an_officer_does_not_approve_a_list_whose_results_they_changed(office, submitted):
    other = person("Second Officer", Role.RATING_OFFICER)
    return_report(report=submitted, remarks=REMARKS, by=office.officer)
    accept_report(report=changed_by(office.officer, office, submitted), by=other)
    run = {
        "pool": Pool.objects.get(code="fmjd-100"),
        "in_force": APRIL,
        "releaser": office.releaser,
        "reason": "x",
    }
    refused = refusal(run_period, by=office.officer, **run)
    assert refused.code == "own_results"
    assert "Spring Open" in refused.message
    assert run_period(by=other, **run).approved_by == other.user


@pytest.mark.django_db(transaction=True)
def test_an_officer_does_not_approve_a_list_whose_results_they_submitted(office):
    office.register(*PLAYERS)
    office.opening(OPENING)
    submitted = office.submit("Spring Open", PLAYERS, GAMES, by=office.officer)
    other = person("Second Officer", Role.RATING_OFFICER)
    accept_report(report=submitted, by=other)
    run = {
        "pool": Pool.objects.get(code="fmjd-100"),
        "in_force": APRIL,
        "releaser": office.releaser,
        "reason": "x",
    }
    assert refusal(run_period, by=office.officer, **run).code == "own_results"
    assert run_period(by=other, **run).approved_by == other.user


def test_an_officer_who_submits_the_draft_of_a_referee_does_not_accept_it_and_the_referee_hears_of_it(office):
    """The comments on the warnings and the submission are the officer's: the referee never saw them."""
    office.register(*PLAYERS)
    draft = office.upload("Spring Open", PLAYERS, GAMES).report
    submit_report(report=draft, comments=comments(draft), by=office.officer)
    steps = ReportStep.objects.values_list("version__report", "version__number", "move", "by")
    assert list(steps) == [(draft.pk, 1, "submit", office.officer.user.pk)]
    message = Message.objects.get(kind=Message.Kind.REPORT_SUBMITTED)
    assert (message.recipient, office.officer.user.name in message.text) == (draft.submitted_by, True)
    assert refusal(accept_report, report=draft, by=office.officer).code == "own_version"
    assert accept_report(report=draft, by=office.director).state == ReportState.ACCEPTED


def test_comments_that_an_officer_saved_count_also_where_the_referee_submits_them(office):
    office.register(*PLAYERS)
    draft = office.upload("Spring Open", PLAYERS, GAMES).report
    save_comments(report=draft, version=1, comments={}, of_kinds={"few-rounds": "so"}, by=office.officer)
    submit_report(report=draft, comments=comments(draft), by=office.referee)
    assert not Message.objects.filter(kind=Message.Kind.REPORT_SUBMITTED).exists()
    assert refusal(accept_report, report=draft, by=office.officer).code == "own_version"
    assert accept_report(report=draft, by=office.director).state == ReportState.ACCEPTED


def test_an_officer_does_not_accept_the_report_of_a_tournament_that_they_announced(office, submitted):
    first, last = submitted.tournament.played_from, submitted.tournament.played_to
    submitted.announcement = Announcement.objects.create(
        name="Spring Open",
        discipline="100",
        country=submitted.tournament.country,
        played_from=first,
        played_to=last,
        announced_on=first,
        announced_by=office.officer.user,
    )
    submitted.save()
    assert refusal(accept_report, report=submitted, by=office.officer).code == "own_version"
    assert accept_report(report=submitted, by=office.director).state == ReportState.ACCEPTED


def test_the_database_refuses_the_acceptance_of_a_person_who_acted_and_one_without_a_step(office, submitted):
    """Past the services; the twin is a person who had no part in it."""
    version, other = newest(submitted), person("Second Officer", Role.RATING_OFFICER)
    accepted = {"version": version, "move": "accept"}
    with pytest.raises(IntegrityError, match="does not accept it"), atomic():
        ReportStep.objects.create(by=office.referee.user, **accepted)

    def exchange_the_state():
        Report.objects.filter(pk=submitted.pk).update(state="accepted", accepted_version=version)
        connection.check_constraints()

    with pytest.raises(IntegrityError, match="no step that accepted it"), atomic():
        exchange_the_state()
    ReportStep.objects.create(by=other.user, **accepted)
    exchange_the_state()
