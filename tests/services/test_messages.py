"""Who gets which message, by which act, once: a row of the outbox in the act's own transaction (R11, guards.md F20)."""

from datetime import date, timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from ratings.models import Pool
from ratings.production.correct_list import correct_list
from ratings.production.periods.freeze_period import ensure_period, freeze_period
from reporting.log.audit import Actor
from reporting.messages.notifications import create_message
from reporting.models import LogEntry, Message, Report, Role, User
from reporting.refusals.domain_error import DomainError
from reporting.reports.services.review import (
    Remark,
    accept_report,
    reject_report,
    return_report,
    undo_acceptance,
)
from reporting.reports.services.submit import submit_report
from tests.people import create_federation, create_user
from tests.services.report_helpers import OPENING, refusal

APRIL = date(2026, 4, 1)
PLAYERS, GAME = [11, 12], ["1 1 2 2-0"]
LATE = {"received": "2026-02-16"}  # the 8th day after 8 February

pytestmark = pytest.mark.usefixtures("three_players_shared")
quick = pytest.mark.django_db
whole = pytest.mark.django_db(transaction=True)  # a calculation is a transaction of its own


def messages_sent(kind=None):
    messages = Message.objects.filter(**({"kind": kind} if kind else {})).order_by("pk")
    return list(messages.values_list("recipient__name", "kind", "about", "title"))


def late_message(office, about="/x/", title="x", text="x"):
    create_message(kind="report_late", recipient=office.referee.user, about=about, title=title, text=text)


def freeze(office, pool="fmjd-100", in_force=APRIL):
    period = ensure_period(pool=Pool.objects.get(code=pool), in_force=in_force, by=office.officer)
    return freeze_period(period=period, reason="a test", by=office.officer)


# --- accepted


@quick
def test_the_submitter_gets_a_message_about_the_acceptance_and_of_the_list_it_counts_in(office):
    report = office.accept("Gouda Open", PLAYERS, GAME)
    act = LogEntry.objects.get(action="report.accept")
    about = f"/reports/{report.pk}/#act-{act.pk}"  # it may be accepted again, after it was undone
    assert messages_sent() == [("Referee", "report_accepted", about, "Accepted: Gouda Open")]
    message = Message.objects.get()
    assert message.text == (
        "Your report of Gouda Open (last round 8 Feb 2026) is accepted. It counts in the list of 1 Apr 2026"
        " (100 squares, classical). You need to do nothing more."
    )
    assert (message.attempts, message.sent_at) == (0, None)


@quick
@pytest.mark.parametrize(
    ("last_round", "in_force"),
    [("2026-03-15", "1 Apr 2026"), ("2026-03-16", "1 Jul 2026"), ("2026-09-16", "1 Jan 2027")],
)
def test_the_closing_date_decides_the_list(office, last_round, in_force):
    ends = date.fromisoformat(last_round)
    office.accept("Open", PLAYERS, GAME, played_from=ends, played_to=ends)
    assert f"the list of {in_force} " in Message.objects.get(kind="report_accepted").text


@quick
@pytest.mark.parametrize("pool", ["fmjd-100", "fmjd-64"])
def test_what_is_accepted_after_the_freeze_counts_in_the_next_list_of_its_pool(office, pool):
    office.opening(OPENING, pool="fmjd-64")
    freeze(office, pool)
    office.accept("Open", PLAYERS, GAME)
    in_force = "1 Jul 2026 (100 squares" if pool == "fmjd-100" else "1 Apr 2026 (100 squares"
    assert f"the list of {in_force}, classical)" in Message.objects.get().text


# --- returned, rejected, undone: test_review.py has their words


@quick
def test_each_act_of_the_review_sends_one_message_and_goes_the_way_of_its_transaction(office):
    report = office.submit("Open", PLAYERS, GAME)
    acts = [
        (accept_report, {}, "report_accepted"),
        (undo_acceptance, {"reason": "so"}, "acceptance_undone"),
        (accept_report, {}, "report_accepted"),
        (undo_acceptance, {"reason": "so"}, "acceptance_undone"),
        (return_report, {"remarks": [Remark("so")]}, "report_returned"),
    ]
    for number, (act, asked, kind) in enumerate(acts):
        with transaction.atomic():
            act(report=report, by=office.officer, **asked)
            transaction.set_rollback(True)
        assert len(messages_sent()) == number
        act(report=report, by=office.officer, **asked)
        assert refusal(act, report=report, by=office.officer, **asked).key == "wrong_state.report"
        assert [said for _, said, _, _ in messages_sent()][number:] == [kind]
    rejected = office.submit("Rejected", PLAYERS, GAME)
    reject_report(report=rejected, reason="so", by=office.officer)
    about = f"/reports/{rejected.pk}/#act-{LogEntry.objects.get(action='report.reject').pk}"
    assert messages_sent()[-1][1:] == ("report_rejected", about, "Rejected: Rejected")


# --- late


@quick
def test_a_late_report_says_at_once_what_that_means(office):
    report = office.submit("Gouda Open", PLAYERS, GAME, **LATE)
    assert messages_sent() == [("Referee", "report_late", f"/reports/{report.pk}/", "Late: Gouda Open")]
    text = Message.objects.get().text
    assert "came 8 days after its last round. It was due by 15 Feb 2026, 7 days after the last round" in text
    assert "only if the rating officer admits it with a written reason" in text
    assert "R11" in text
    assert "Do not send the report again" in text


@quick
def test_a_report_of_the_seventh_day_is_not_late(office):
    office.submit("Open", PLAYERS, GAME, received="2026-02-15")
    assert messages_sent() == []


@quick
@pytest.mark.parametrize(("days", "messages"), [(7, []), (8, ["report_late"])])
def test_without_a_day_in_its_details_the_day_of_submission_decides(office, days, messages):
    ends = timezone.localdate() - timedelta(days=days)
    office.submit("Open", PLAYERS, GAME, played_from=ends, played_to=ends, received=None)
    assert [kind for _, kind, _, _ in messages_sent()] == messages


@quick
def test_a_correction_is_never_called_late(office):
    """The report it corrects was in time or admitted; a correction may come at any time (Annex 9 art. 6.2a, R23)."""
    office.accept("Gouda Open", PLAYERS, GAME)
    report = office.submit("Gouda Open", PLAYERS, ["1 1 2 1-1"], corrects='"2026-gouda-open"', **LATE)
    assert report.corrects is not None
    assert [kind for _, kind, _, _ in messages_sent()] == ["report_accepted"]


@quick
def test_a_late_report_that_is_refused_gets_no_message(office):
    uploaded = office.upload("Open", PLAYERS, GAME, **LATE)
    with pytest.raises(DomainError):
        submit_report(report=uploaded.report, comments={}, by=office.referee)
    assert messages_sent() == []


@quick
def test_an_admitted_report_gets_a_message_about_its_acceptance_too(office):
    office.accept("Open", PLAYERS, GAME, admitted_reason="the server was down", **LATE)
    assert [kind for _, kind, _, _ in messages_sent()] == ["report_late", "report_accepted"]


# --- not accepted at the freeze


@quick
def test_the_freeze_tells_those_that_are_not_accepted_yet(office):
    office.accept("Accepted", PLAYERS, GAME)
    in_time = office.submit("In time", PLAYERS, GAME)
    late = office.submit("Late", PLAYERS, GAME, **LATE)
    office.upload("Draft", PLAYERS, GAME)
    office.submit("Next quarter", PLAYERS, GAME, played_from=date(2026, 3, 16), played_to=date(2026, 3, 16))
    office.submit("Last quarter", PLAYERS, GAME, played_from=date(2025, 12, 15), played_to=date(2025, 12, 15))
    office.submit("Rapid", PLAYERS, GAME, time_control='"10+5"')
    office.submit("64", PLAYERS, GAME, discipline='"64"')
    freeze(office)
    assert messages_sent("report_next_list") == [
        ("Referee", "report_next_list", f"/reports/{in_time.pk}/", "In the next list: In time"),
        ("Referee", "report_next_list", f"/reports/{late.pk}/", "In the next list: Late"),
    ]
    first, second = Message.objects.filter(kind="report_next_list").order_by("pk")
    assert first.text == (
        "The period that closed on 15 Mar 2026 was frozen before your report of In time was accepted. You sent it in"
        " time. Once the office has accepted it, it counts in the list of 1 Jul 2026 (100 squares, classical)."
        " You need not send it again."
    )
    assert "It came late. If the rating officer admits it, it counts in the list of 1 Jul 2026" in second.text


@quick
def test_a_correction_of_a_frozen_report_says_that_it_revises_that_list(office):
    """The freeze took the report accepted first; the correction is for the next revision (R23, decision 0014)."""
    office.accept("Gouda Open", PLAYERS, GAME)
    report = office.submit("Gouda Open", PLAYERS, ["1 1 2 1-1"], corrects='"2026-gouda-open"', **LATE)
    freeze(office)
    message = Message.objects.get(kind="report_next_list")
    assert (message.about, message.title) == (f"/reports/{report.pk}/", "In the next revision: Gouda Open")
    assert message.text == (
        "The period that closed on 15 Mar 2026 was frozen before your correction of Gouda Open was accepted. Its list"
        " counts the report accepted before. Once the office has accepted your correction, it counts in the next"
        " revision of the list of 1 Apr 2026 (100 squares, classical). You need not send it again."
    )


@whole
def test_a_freeze_tells_nothing_to_a_correction_of_an_earlier_list(office):
    """Its list was frozen before, and it waits for a revision of that one as it did."""
    office.accept("Gouda Open", PLAYERS, GAME)
    office.run()
    # with other days than the report that the list of April counts: days of the period of July
    days = {"played_from": date(2026, 3, 20), "played_to": date(2026, 3, 20)}
    office.submit("Gouda Open", PLAYERS, GAME, corrects='"2026-gouda-open"', **days)
    freeze(office, in_force=date(2026, 7, 1))
    assert messages_sent("report_next_list") == []


@quick
def test_the_last_days_of_the_period_are_inside_and_a_returned_report_gets_a_message_too(office):
    for day in (date(2025, 12, 16), date(2026, 3, 15)):
        office.submit(f"On {day}", PLAYERS, GAME, played_from=day, played_to=day)
    Report.objects.filter(result_set__name="On 2026-03-15").update(state="returned")
    freeze(office)
    first, second = Message.objects.filter(kind="report_next_list").order_by("pk")
    assert first.text.endswith("You need not send it again.")
    assert second.text.endswith("The office waits for your answer to its remarks.")


@quick
def test_a_refused_freeze_tells_nobody(office):
    office.submit("Open", PLAYERS, GAME)
    period = freeze(office)
    assert len(messages_sent()) == 1
    for by in (office.officer, office.referee):
        with pytest.raises(DomainError):
            freeze_period(period=period, reason="again", by=by)
    assert len(messages_sent()) == 1


# --- published


@whole
def test_a_published_list_sends_a_message_to_those_in_it_and_to_the_rating_officers(office):
    for name, roles, active in (
        ("Officer One", [Role.RATING_OFFICER], True),
        ("Officer Two", [Role.RATING_OFFICER, Role.REFEREE], True),
        ("Officer Gone", [Role.RATING_OFFICER], False),
        ("Reader", [Role.RELEASING_OFFICER], True),
    ):
        email = f"{name.replace(' ', '.')}@example.org"
        create_user(email, name, roles=roles, is_active=active)
    gone = Actor(create_user("gone@example.org", "Referee Gone", roles=[Role.REFEREE]))
    office.accept("Open", PLAYERS, GAME)
    office.accept("Second", PLAYERS, GAME)
    office.accept("Third", PLAYERS, GAME, by=gone)
    office.submit("Waiting", PLAYERS, GAME, by=office.director)
    User.objects.filter(pk=gone.user.pk).update(is_active=False)
    rating_list = office.run()
    address = "/lists/fmjd-100/2026-04-01/r1/"
    title = "Published: 100 squares, classical, 1 Apr 2026"
    told = [(name, "list_published", address, title) for name in ("Officer One", "Officer Two", "Referee")]
    assert sorted(messages_sent("list_published")) == told
    message = Message.objects.filter(kind="list_published").first()
    assert f"Tournaments: 3. Games: 3. Players: {rating_list.players}." in message.text


@whole
def test_a_published_list_tells_national_officials_the_new_ratings_of_their_players(office):
    create_federation("BEL")
    for name, federation in (("Of NED", "NED"), ("Of BEL", "BEL")):
        email = f"{federation}@example.org"
        create_user(email, name, roles=[Role.NATIONAL_OFFICIAL], federation_id=federation)
    office.accept("Open", PLAYERS, GAME)
    office.run()
    message = Message.objects.get(kind="list_published", recipient__name="Of NED")
    # Equal ratings, one game, K = 15 (art. 3.2.3): 15 × (1 - 0.5) = 7.5, and 2007.5 and 1992.5 are rounded up (R3).
    (first, last), (other_first, other_last) = office.names[11], office.names[12]
    assert message.text.endswith(
        "New ratings of players of your federation (2):\n\n"
        f"- {last}, {first}: 2008 (+8)\n- {other_last}, {other_first}: 1993 (-7)"
    )
    assert not Message.objects.filter(kind="list_published", recipient__name="Of BEL").exists()


@whole
def test_a_revision_tells_submitters_how_it_counts_their_reports_otherwise(office):
    excluded, corrected, included = (
        Actor(create_user(f"{name}@example.org", name, roles=[Role.REFEREE]))
        for name in ("Excluded", "Corrected", "Included")
    )
    office.accept("Open", PLAYERS, GAME)
    second = office.accept("Second", PLAYERS, GAME, by=excluded)
    third = office.accept("Third", PLAYERS, GAME, by=corrected)
    first = office.run()
    fourth = office.accept("Fourth", PLAYERS, GAME, by=included)
    again = office.accept("Third", PLAYERS, ["1 1 2 0-2"], corrects=f'"{third.result_set.code}"')
    correct_list(
        rating_list=first, reason="a test", later="carry", by=office.officer,
        excluded_tournaments=[second.result_set.part_code], included_reports=[fourth.pk, again.pk],
    )  # fmt: skip
    office.run()
    told = Message.objects.filter(kind="list_published", title__contains="revision 2")
    assert {message.recipient.name: message.text.split("\n\n")[1:] for message in told} == {
        "Referee": ["Revision 2 counts your report of Third."],
        "Excluded": ["Revision 2 does not count your report of Second any more."],
        "Corrected": ["Revision 2 counts another report of Third instead of yours."],
        "Included": ["Revision 2 counts your report of Fourth."],
    }


@whole
def test_a_draft_sends_no_message(office):
    office.accept("Open", PLAYERS, GAME)
    create_user("officer@example.org", "Officer", roles=[Role.RATING_OFFICER])
    office.run(publish=False)
    assert messages_sent("list_published") == []


# --- the row


@quick
def test_accounts_of_commands_and_closed_ones_get_no_message(office):
    office.accept("Open", PLAYERS, GAME, by=office.importer, admitted_reason="so", **LATE)
    User.objects.filter(pk=office.referee.user.pk).update(is_active=False)
    office.referee.user.refresh_from_db()
    late_message(office)
    assert messages_sent() == []


@quick
def test_the_same_thing_twice_is_one_row_and_the_first_texts_stay(office):
    for words in ("first", "second"):
        late_message(office, "/reports/7/", title=words, text=words)
    assert Message.objects.get().text == "first"


@quick
def test_a_title_is_one_line_whatever_a_tournament_is_called(office):
    late_message(office, title="A\r\nBcc: b@c.d " + "e" * 200)
    title = Message.objects.get().title
    assert title.startswith("A Bcc: b@c.d eee")
    assert len(title) == 160


@quick
@pytest.mark.database_role("web")
def test_the_web_hands_in_and_tells(office):
    office.register(11, 12)
    office.submit("Open", PLAYERS, GAME, **LATE)
    assert [kind for _, kind, _, _ in messages_sent()] == ["report_late"]


CHANGES = {
    "the words": "UPDATE reporting_message SET text = 'another'",
    "the recipient": "UPDATE reporting_message SET recipient_id = 1",
    "the mark": "UPDATE reporting_message SET sent_at = now()",
    "the row": "DELETE FROM reporting_message",
}


@quick
@pytest.mark.parametrize(
    ("what", "role"),
    [
        pytest.param(what, role, marks=pytest.mark.database_role(role))
        for what in CHANGES
        for role in ("web", "worker")
        if (what, role) != ("the mark", "worker")
    ],
)
def test_a_message_stays_as_it_was_written(what, role):
    with connection.cursor() as cursor, pytest.raises(DatabaseError, match="permission denied"):
        cursor.execute(CHANGES[what])


@quick
@pytest.mark.database_role("worker")
def test_twin_the_worker_marks_it(office):
    late_message(office)
    with connection.cursor() as cursor:
        cursor.execute(CHANGES["the mark"])
    assert Message.objects.get().sent_at


@quick
def test_no_message_holds_a_day_of_birth(office):
    """All kinds but the list's, which names no one."""
    born = [office.newcomer("Nova", "Kometa", born="23/11/1987"), 11]
    for name in ("Open", "Second"):
        office.submit(name, born, GAME, **LATE)
    first = Report.objects.order_by("pk").first()
    accept_report(report=first, by=office.officer, admitted_reason="so")
    freeze(office)
    kinds = {kind for _, kind, _, _ in messages_sent()}
    assert kinds == {"report_late", "report_accepted", "report_next_list"}
    for message in Message.objects.all():
        for secret in ("1987", "Kometa", "Nova"):
            assert secret not in message.title + message.text
