"""No one accepts results that they submitted or changed, nor approves a list that counts them (contracts, U14)."""

from datetime import date

import pytest
from django.conf import settings
from django.db import IntegrityError, connection
from django.db.models import Q
from django.db.transaction import atomic
from django.test import Client, override_settings

from ratings.models import Pool
from ratings.office.selectors.drafts import first_reports_of, own_merges_of
from ratings.production.approve_list import approve_list, open_for_approval
from ratings.production.publish_list import publish_list
from ratings.production.run_period import run_period
from reporting.accounts.services.roles import set_roles
from reporting.log.audit import Actor, record
from reporting.models import Message, Report, ReportStep, Role, Tournament, TournamentDecision, User
from reporting.policies import check_can_accept
from reporting.register.services.merge_players import merge_players, undo_merge
from reporting.reports.decisions.selectors import reported_by
from reporting.reports.decisions.services import decide_tournaments
from reporting.reports.reading.clean_reports import clean_lines
from reporting.reports.selectors.inbox import inbox_lines, left_to_others_count, submitted_reports
from reporting.reports.services.acceptance.accept_several import accept_several
from reporting.reports.services.edit_report import replace_report_file
from reporting.reports.services.review import accept_report, return_report, undo_acceptance
from reporting.reports.services.save_comments import save_comments
from reporting.reports.services.submit import submit_report
from reporting.rules.lifecycle import ReportState
from tests.people import client_of, give_roles
from tests.services.report_helpers import (
    APRIL,
    GAMES,
    OPENING,
    PLAYERS,
    REMARKS,
    comments,
    invited_by,
    newest,
    person,
    quick,
    refusal,
)
from tests.services.test_merge_players import player

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


def april_of(office):
    """What the run of the list of April is told."""
    pool = Pool.objects.get(code="fmjd-100")
    return {"pool": pool, "in_force": APRIL, "releaser": office.releaser, "reason": "x"}


@pytest.mark.django_db(transaction=True)
def test_an_officer_does_not_approve_a_list_whose_results_they_changed(office, submitted):
    other = person("Second Officer", Role.RATING_OFFICER)
    return_report(report=submitted, remarks=REMARKS, by=office.officer)
    accept_report(report=changed_by(office.officer, office, submitted), by=other)
    refused = refusal(run_period, by=office.officer, **april_of(office))
    assert refused.code == "own_results"
    assert "Spring Open" in refused.message
    assert run_period(by=other, **april_of(office)).approved_by == other.user


@pytest.mark.django_db(transaction=True)
def test_an_officer_does_not_approve_a_list_whose_results_they_submitted(office):
    office.register(*PLAYERS)
    office.opening(OPENING)
    submitted = office.submit("Spring Open", PLAYERS, GAMES, by=office.officer)
    other = person("Second Officer", Role.RATING_OFFICER)
    accept_report(report=submitted, by=other)
    assert refusal(run_period, by=office.officer, **april_of(office)).code == "own_results"
    assert run_period(by=other, **april_of(office)).approved_by == other.user


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
    played = submitted.result_set
    days = {"played_from": played.played_from, "played_to": played.played_to}
    announced = {"announced_on": played.played_from, "announced_by": office.officer.user}
    submitted.announcement = Tournament.objects.create(
        name="Spring Open", discipline="100", country=played.country, **days, **announced
    )
    submitted.save()
    assert refusal(accept_report, report=submitted, by=office.officer).code == "own_version"
    assert accept_report(report=submitted, by=office.director).state == ReportState.ACCEPTED


def test_nor_of_one_whose_announcement_they_changed_also_after_an_acceptance_of_others(office, submitted):
    """An earlier day or a mark takes the need of an admission away (R11): it is another person's word."""
    other, first = person("olga", Role.RATING_OFFICER), date(2026, 2, 1)
    submitted.announcement = Tournament.objects.create(
        name="Spring Open", country_id="NED", played_from=first, played_to=first, discipline="100",
        time_control="80+30", announced_on=first, announced_by=office.referee.user,
    )  # fmt: skip
    submitted.save()
    record(
        by=office.officer, action="announcement.change", subject=f"announcement {submitted.announcement_id}",
        after={"announced": "2026-01-01"},
    )  # fmt: skip
    assert refusal(accept_report, report=submitted, by=office.officer).code == "own_version"
    accepted = accept_report(report=submitted, by=other)
    undo_acceptance(report=accepted, reason="a wrong table", by=other)
    submitted.refresh_from_db()
    assert refusal(accept_report, report=submitted, by=office.officer).code == "own_version"


@pytest.fixture
def officer(office):
    """A rating officer with an account of the pages."""
    office.register(*PLAYERS)
    return person("Ruth Officer", Role.RATING_OFFICER)


def test_an_officer_leaves_the_first_reports_of_a_person_they_invited_to_others(office, officer):
    """One mailbox more is no second person: three reports of the account are accepted by others first."""
    puppet, other = invited_by(officer), person("Second Officer", Role.RATING_OFFICER)
    for number in range(settings.FIRST_REPORTS):
        report = office.submit(
            f"Open {number}", PLAYERS, GAMES, by=puppet, played_to=date(2026, 2, 8 + number)
        )
        refused = refusal(accept_report, report=report, by=officer)
        assert refused.code == "brought_in"
        # Who may do it instead is named: people of the office, neither the inviter nor an account of commands.
        assert "New Referee" in refused.message
        assert refused.message.endswith(": Director, Second Officer.")
        different = "Another week-end" if number else ""
        assert accept_report(report=report, by=other, different_because=different).state == "accepted"
    fourth = office.submit("Open 4", PLAYERS, GAMES, by=puppet, played_to=date(2026, 2, 14))
    assert accept_report(report=fourth, by=officer, different_because="Another week-end").state == "accepted"


def test_a_refusal_asks_of_all_people_of_the_office_at_once(office, officer, django_assert_num_queries):
    """Of who may accept instead: one query for all, not two for each. Who had a part in it is not named."""
    report = office.submit("Open", PLAYERS, GAMES, by=invited_by(officer))
    submitter = person("Second Submitter", Role.RATING_OFFICER)
    ReportStep.objects.create(version=newest(report), move="submit", by=submitter.user)
    for name in ("Third Officer", "Fourth Officer", "Fifth Officer"):
        person(name, Role.RATING_OFFICER)
    roles = officer.user.roles
    assert roles == [Role.RATING_OFFICER]
    with django_assert_num_queries(7):  # 3 for the parts of the officer
        refused = refusal(check_can_accept, officer.user, report)
    others = refused.values["others"].names
    assert others == ("Director", "Fifth Officer", "Fourth Officer", "Third Officer")


def test_reports_that_an_account_submitted_are_its_own_also_where_others_sent_them(office, officer):
    """Submitted alone, without a version: as many accepted by others end its first reports (decision 0098)."""
    puppet = invited_by(officer, "National Official", Role.NATIONAL_OFFICIAL)
    other = person("Second", Role.RATING_OFFICER)
    User.objects.filter(pk=office.referee.user.pk).update(federation="NED")
    for number in range(settings.FIRST_REPORTS + 1):
        draft = office.upload(f"Open {number}", PLAYERS, GAMES, played_to=date(2026, 2, 8 + number)).report
        draft.refresh_from_db()
        submit_report(report=draft, comments=comments(draft), by=puppet)
        different = "Another week-end" if number else ""
        if number < settings.FIRST_REPORTS:
            assert refusal(accept_report, report=draft, by=officer).code == "brought_in"
            accept_report(report=draft, by=other, different_because=different)
    assert accept_report(report=draft, by=officer, different_because="Another").state == "accepted"


def test_a_person_invited_by_a_person_whom_an_officer_invited_is_theirs_too(office, officer):
    """A national official between them hides no one; a role given to a known account counts as an invitation."""
    official = invited_by(officer, "National Official", Role.NATIONAL_OFFICIAL)
    puppet = invited_by(official)
    report = office.submit("Spring Open", PLAYERS, GAMES, by=puppet)
    give_roles(office.director.user)
    refused = refusal(accept_report, report=report, by=officer)
    assert (refused.code, refused.key) == ("brought_in", "brought_in.no_one_else")
    assert left_to_others_count(officer.user) == 1
    administrator = person("Old Administrator", Role.ADMINISTRATOR)
    set_roles(office.referee.user, [Role.REFEREE, Role.NATIONAL_OFFICIAL], administrator)
    give_roles(administrator.user, Role.TOURNAMENT_DIRECTOR)
    mine = office.submit("Autumn Open", [11, 12], GAMES[:1])
    director = Actor(User.objects.get(pk=administrator.user.pk))
    assert refusal(accept_report, report=mine, by=director).code == "brought_in"
    assert accept_report(report=mine, by=officer).state == "accepted"  # the twin: gave no role


def test_results_that_an_invited_account_changed_are_left_to_others_too(office, officer):
    """A puppet that is a national official rewrites the draft of a referee whom no one of the office invited."""
    puppet = invited_by(officer, "National Official", Role.NATIONAL_OFFICIAL)
    draft = office.upload("Spring Open", PLAYERS, GAMES).report
    User.objects.filter(pk=office.referee.user.pk).update(federation="NED")
    draft.refresh_from_db()
    changed_by(puppet, office, draft)
    assert refusal(accept_report, report=draft, by=officer).code == "brought_in"
    assert accept_report(report=draft, by=office.director).state == "accepted"


def test_an_inviter_decides_nothing_of_a_tournament_and_sql_does_not_either(office, officer):
    """R78, and the same in the database, also of those who reported; the twin is a person without a part."""
    report = office.submit("Spring Open", PLAYERS, GAMES, by=invited_by(officer), official="true")
    tournament, other = report.result_set, person("Second Officer", Role.RATING_OFFICER)
    chosen = [(tournament.code, "official", "yes")]
    assert refusal(decide_tournaments, chosen=chosen, reason="", by=officer).code == "brought_in"
    assert reported_by(officer.user, [tournament]) == {tournament.code}
    own = office.submit("Own Open", [11, 12], GAMES[:1], by=office.director, official="true").result_set
    decided = {"item": "official", "value": "yes"}
    for who, of in ((officer, tournament), (office.director, own), (report.submitted_by, tournament)):
        with pytest.raises(IntegrityError, match="does not decide about it"), atomic():
            TournamentDecision.objects.create(tournament_id=of.code, by=getattr(who, "user", who), **decided)
    for of in (tournament, own):
        TournamentDecision.objects.create(tournament_id=of.code, by=other.user, **decided)


def test_the_database_refuses_the_acceptance_of_an_inviter_and_knows_the_number_of_the_setting(
    office, officer
):
    report = office.submit("Spring Open", PLAYERS, GAMES, by=invited_by(officer))
    accepted = {"version": newest(report), "move": "accept"}
    with pytest.raises(IntegrityError, match="does not accept its first reports"), atomic():
        ReportStep.objects.create(by=officer.user, **accepted)
    with connection.cursor() as cursor:
        assert cursor.execute("SELECT first_reports()").fetchone() == (settings.FIRST_REPORTS,)
    ReportStep.objects.create(by=person("Second Officer", Role.RATING_OFFICER).user, **accepted)


@pytest.mark.django_db(transaction=True)
def test_the_page_that_approves_a_list_names_first_reports_and_who_brought_them_in(office, officer):
    office.opening(OPENING)
    puppet, old_hand = invited_by(officer), invited_by(officer, "Old Hand")
    report = office.submit("Spring Open", PLAYERS, GAMES, by=puppet)
    accept_report(report=report, by=office.director)
    draft = office.run(publish=False)
    (line,) = first_reports_of(draft)
    assert (line.report, line.account) == (report.pk, "New Referee")
    assert (line.brought_in_by, line.accepted_by) == ("Ruth Officer", "Director")
    client = client_of(person("Second Officer", Role.RATING_OFFICER).user)
    page = " ".join(client.get(f"/office/lists/{draft.pool.code}/{draft.in_force}/approve/").text.split())
    section = page.partition('id="first-reports"')[2].partition("</section>")[0]
    names = ("Spring Open", "New Referee", "Ruth Officer", "Director")
    assert [section.count(name) for name in names] == [1] * 4
    assert old_hand.user.name not in section
    inbox = office.submit("Autumn Open", [11, 12], GAMES[:1], by=old_hand)
    assert f"/office/reports/{inbox.pk}/" in client.get("/office/reports/").text
    assert "another person of the office" not in client.get("/office/reports/").text
    client.force_login(officer.user)
    assert "another person of the office" in client.get("/office/reports/").text
    assert "1 for another person of the office" in client.get("/office/").text
    # It is of the person who submitted it too, whether they sent it or not.
    ReportStep.objects.create(version=newest(report), move="submit", by=old_hand.user)
    assert [line.account for line in first_reports_of(draft)] == ["New Referee", "Old Hand"]
    # With as many accepted reports outside the list as are the first ones, none of an account is named.
    with override_settings(FIRST_REPORTS=0):
        assert first_reports_of(draft) == []


@pytest.mark.django_db(transaction=True)
def test_both_pages_of_signatures_name_the_merges_of_the_person_who_approves(office, officer):
    """An office with one rating officer is not locked: the person who publishes looks at these alone."""
    register = [officer, person("Second Officer", Role.RATING_OFFICER)]
    office.opening(f"{OPENING}\n21 2000 40\n22 2000 40")
    merges = [
        merge_players(
            duplicate=player(number), surviving=player(number - 10), reason=f"Same as {number}.", by=by
        )
        for number, by in zip((21, 22), register, strict=True)
    ]
    office.accept("Spring Open", PLAYERS, GAMES)
    draft = open_for_approval(rating_list=office.run(publish=False), by=officer)
    assert [own_merges_of(draft, by.user) for by in register] == [[merges[0]], [merges[1]]]
    address = f"/office/lists/{draft.pool.code}/{draft.in_force}"

    def shown(client, act):
        page = " ".join(client.get(f"{address}/{act}/").text.split())
        return page.partition('id="own-merges"')[2].partition("</section>")[0]

    approving, publishing = Client(), Client()
    approving.force_login(officer.user)
    publishing.force_login(person("Releasing", Role.RELEASING_OFFICER).user)
    section = shown(approving, "approve")
    assert [text in section for text in ("Same as 21.", "Same as 22.")] == [True, False]
    approve_list(rating_list=draft, sha256=draft.sha256, by=officer)
    assert shown(publishing, "publish") == section
    # Published: the next list counts the merge no longer for the first time, but that it was undone.
    publish_list(rating_list=draft, sha256=draft.sha256, by=office.releaser)
    undo_merge(merge=merges[1], reason="A father and a son.", by=officer)
    following = office.run(date(2026, 7, 1), publish=False)
    assert own_merges_of(following, officer.user) == [merges[1]]
    assert own_merges_of(following, register[1].user) == []
    address = f"/office/lists/{following.pool.code}/{following.in_force}"
    assert "Undone: A father and a son." in shown(approving, "approve")


def test_clean_reports_of_an_invited_account_are_not_accepted_with_others(office, officer):
    report = office.submit("Spring Open", PLAYERS, GAMES, by=invited_by(officer))
    lines = inbox_lines(submitted_reports(Q(pk=report.pk)))
    other = person("Second Officer", Role.RATING_OFFICER)
    assert [line.report for line in clean_lines(lines, other.user)] == [report]
    assert clean_lines(lines, officer.user) == []
    outcome = accept_several(reports=[(report, 1)], by=officer)
    assert [(left.pk, why.code) for left, why in outcome.left_out] == [(report.pk, "brought_in")]


def test_the_database_refuses_the_acceptance_of_a_person_who_acted_and_one_without_a_step(office, submitted):
    """Past the services; the twin is a person who had no part in it."""
    version, other = newest(submitted), person("Second Officer", Role.RATING_OFFICER)
    accepted = {"version": version, "move": "accept"}
    with pytest.raises(IntegrityError, match="does not accept it"), atomic():
        ReportStep.objects.create(by=office.referee.user, **accepted)

    def exchange_the_state():
        submitted.result_set.entries.update(player=player(11))
        Report.objects.filter(pk=submitted.pk).update(state="accepted", accepted_version=version)
        connection.check_constraints()

    with pytest.raises(IntegrityError, match="no step that accepted it"), atomic():
        exchange_the_state()
    ReportStep.objects.create(by=other.user, **accepted)
    exchange_the_state()
