"""What a draft asks before it is approved, one by one: jumps, few games, reports late or excluded."""

from collections import Counter
from datetime import date

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from ratings.models import AnomalyAnswer, Pool, RatingList
from ratings.production.answer_anomaly import answer_anomaly
from ratings.production.approve_list import approve_list, open_for_approval
from ratings.production.calculate import RUN_LOCK, calculate_period
from ratings.production.periods.freeze_period import ensure_period, freeze_period
from ratings.production.publish_list import publish_list
from ratings.production.request_calculation import request_calculation
from ratings.tasks import look_for_work
from reporting.models import LogEntry, Player, Report, Role
from reporting.reports.services.review import accept_report
from tests.databases import built_on
from tests.services.conftest import small_office
from tests.services.correction_helpers import correct
from tests.services.report_helpers import person, refusal

APRIL, JULY = date(2026, 4, 1), date(2026, 7, 1)
OPENING = """fmjd_id rating games last_game games_3_years
11 2000 26 2025-12-01 26
12 2000 100 2025-12-01 90
13 2000 100 2025-12-01 90
14 2000 100 2025-12-01 90
15 2000 100 2025-12-01 90
21 2400 200 2025-12-01 10
22 2400 200 2025-12-01 29
23 2400 200 2025-12-01 5"""
# 11 beats the four of their own rating: Pe = 50, We = 50 × 2 × 4 / 100 = 4, W = 8; K = 25 (26 games, R5), 100 %:
# ΔR = 0.5 × 25 × (8 − 4) = 50, so 2000 → 2050 with 26 games before: a jump. Each of the others loses 7.5.
JUMP = [11, 12, 13, 14, 15], ["1 1 2 2-0", "2 3 1 0-2", "3 1 4 2-0", "4 5 1 0-2"]
ASKED_OF_11 = {"before": 2000, "after": 2050, "games": 4, "tournaments": 1}
# Two of 2400 draw: ΔR = 0. 21 has 10 + 1 games in three years, under 30; 22 has 29 + 1, just enough.
FEW = [21, 22], ["1 1 2 1-1"]
QUIET = [12, 13], ["1 1 2 1-1"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("players_to_ask_about")]


@built_on("empty")
def players_to_ask_about():
    small_office().opening(OPENING)


@pytest.fixture(name="players_to_ask_about")
def _players_to_ask_about(transactional_db, _database_of_its_own):
    """A copy of the database with that opening list."""


def frozen(office, in_force=APRIL, pool="fmjd-100"):
    period = ensure_period(pool=Pool.objects.get(code=pool), in_force=in_force, by=office.officer)
    return freeze_period(period=period, reason="a test", by=office.officer)


def calculated(office, period):
    return calculate_period(run=request_calculation(period=period, by=office.officer, wake_worker=False))


def questions(rating_list):
    """(kind, FMJD-ID or name of the tournament) → figures."""
    anomalies = rating_list.anomalies.select_related("player", "report__result_set")
    return {
        (one.kind, one.player.numbers["fmjd"] if one.player else one.report.result_set.name): one.data
        for one in anomalies
    }


def answered(rating_list):
    answers = AnomalyAnswer.objects.filter(anomaly__list=rating_list).order_by("pk")
    return list(answers.values_list("text", "by", "at"))


# --- what is asked


def test_a_jump_and_few_games_are_asked_with_their_figures(office):
    office.accept("Jump", *JUMP)
    office.accept("Few", *FEW)
    assert questions(calculated(office, frozen(office))) == {
        ("jump", 11): ASKED_OF_11,
        ("few_games", 21): {"rating": 2400, "games_3_years": 11, "asked": 30},  # 23 did not play: nothing new
    }


def test_a_quiet_quarter_asks_nothing(office):
    office.accept("Quiet", *QUIET)
    draft = calculated(office, frozen(office))
    assert questions(draft) == {}
    draft = open_for_approval(rating_list=draft, by=office.officer)
    assert approve_list(rating_list=draft, sha256=draft.sha256, by=office.officer).state == "approved"


def test_each_report_that_was_admitted_is_asked_about_with_what_it_needed(office):
    """Last round 8 February: due by the 15th, the 7th day; the 16th is late. In time there is nothing to admit."""
    office.accept("In time", *QUIET, received="2026-02-15")
    late = {"received": "2026-02-16", "admitted_reason": "the post was on strike"}
    office.accept("Late", [14, 15], ["1 1 2 1-1"], **late)
    office.accept("Unannounced", [12, 15], ["1 1 2 1-1"], announced=None, admitted_reason="a friendly match")
    assert questions(calculated(office, frozen(office))) == {
        ("late", "Late"): {
            "received": "2026-02-16", "due": "2026-02-15", "days": 8, "findings": ["late-report"],
            "admitted_reason": "the post was on strike", "players": 2,
        },
        ("late", "Unannounced"): {
            "received": "2026-02-09", "due": "2026-02-15", "days": 1, "findings": ["not-announced"],
            "admitted_reason": "a friendly match", "players": 2,
        },
    }  # fmt: skip


def test_each_report_left_out_is_asked_about_also_returned_or_accepted_after_the_freeze(office):
    office.accept("Counted", *QUIET)
    office.submit("Submitted", *QUIET)
    returned = office.submit("Returned", [12, 14], ["1 1 2 1-1"])
    Report.objects.filter(pk=returned.pk).update(state="returned")
    after = office.submit("After the freeze", [12, 15], ["1 1 2 1-1"])
    # Of the next quarter, and of another pool: not excluded from this one.
    office.submit("Next", [13, 14], ["1 1 2 1-1"], played_from=date(2026, 3, 14), played_to=date(2026, 3, 16))
    office.submit("Blitz", [13, 15], ["1 1 2 1-1"], time_control='"5+0"')
    period = frozen(office)
    accept_report(report=after, by=office.officer)
    receipt = {"received": "2026-02-09", "due": "2026-02-15", "days": 1}
    assert questions(calculated(office, period)) == {
        ("excluded", "Submitted"): receipt | {"state": "submitted"},
        ("excluded", "Returned"): receipt | {"state": "returned"},
        ("excluded", "After the freeze"): receipt | {"state": "accepted"},
    }


def test_a_report_left_out_of_one_list_is_counted_in_the_next_and_not_asked_about_again(office):
    report = office.submit("Slow", *QUIET)
    assert set(questions(office.run())) == {("excluded", "Slow")}
    accept_report(report=report, by=office.officer)
    july = office.run(JULY)
    assert (july.tournaments, questions(july)) == (1, {})


def test_many_questions_take_no_more_queries_than_one(office):
    """Of each kind several, and few: the statements of the two calculations are as many."""
    office.opening(OPENING, pool="fmjd-64")
    for name in ("One", "Another"):  # similar to each other
        office.accept(
            name, *JUMP, received="2026-02-20", admitted_reason="the post was on strike", one_person=False
        )
    office.submit("Left out too", *QUIET)
    for turn in range(4):
        unknown = [office.newcomer(f"Nova{word}", f"Kometa{word}") for word in ("a", "b")]
        office.accept(
            f"Many {turn}", [*JUMP[0], *unknown], [*JUMP[1], "5 6 7 1-1"],
            discipline='"64"', received="2026-02-20", admitted_reason="the post was on strike",
            one_person=False,
        )  # fmt: skip
    office.submit("Left out", *QUIET, discipline='"64"')
    counts, found = [], []
    for pool in ("fmjd-100", "fmjd-64"):
        run = request_calculation(period=frozen(office, pool=pool), by=office.officer, wake_worker=False)
        with CaptureQueriesContext(connection) as queries:
            draft = calculate_period(run=run)
        found.append(Counter(draft.anomalies.values_list("kind", flat=True)))
        counts.append(len(queries))
    assert found[0] == {"jump": 1, "late": 2, "look_alike": 1, "excluded": 1}
    # Four times the same results move all five players; the first of the four is similar to those of 100 squares.
    assert found[1] == {"jump": 5, "late": 4, "look_alike": 4, "excluded": 1}
    assert counts[0] == counts[1]


# --- answering


@pytest.fixture
def draft(office):
    """A draft that asks about a jump and about few games."""
    office.accept("Jump", *JUMP)
    office.accept("Few", *FEW)
    return open_for_approval(rating_list=calculated(office, frozen(office)), by=office.officer)


def test_a_draft_is_approved_once_each_question_has_an_answer(office, draft):
    approve = {"rating_list": draft, "sha256": draft.sha256, "by": office.officer}
    jump, few = draft.anomalies.order_by("kind").reverse()
    assert refusal(approve_list, **approve).code == "anomalies_open"
    answer_anomaly(anomaly=jump, text="four wins, checked with the referee", by=office.officer)
    assert refusal(approve_list, **approve).code == "anomalies_open"
    answer_anomaly(anomaly=few, text="back after an illness", by=office.officer)
    assert approve_list(**approve).state == "approved"


def test_an_answer_is_kept_and_logged_with_the_one_before(office, draft):
    officer = person("anna", Role.RATING_OFFICER)
    jump = draft.anomalies.get(kind="jump")
    first = answer_anomaly(anomaly=jump, text="  four wins ", by=office.officer)
    second = answer_anomaly(anomaly=jump, text="four wins, cards seen", by=officer)
    assert list(jump.answers.order_by("pk")) == [first, second]
    assert (first.text, first.by, second.by) == ("four wins", office.officer.user, officer.user)
    entries = LogEntry.objects.filter(action="list.answer_anomaly").order_by("pk")
    subject = {
        "anomaly": jump.pk, "kind": "jump", "player": Player.objects.get(numbers__fmjd=11).pk, "report": None,
    }  # fmt: skip
    assert [(entry.actor, entry.subject, entry.before, entry.after, entry.by_command) for entry in entries] == [
        (office.officer.user, "list fmjd-100/2026-04-01", {}, subject | {"text": "four wins"}, True),
        (
            officer.user, "list fmjd-100/2026-04-01", {"text": "four wins"},
            subject | {"text": "four wins, cards seen"}, False,
        ),
    ]  # fmt: skip


def test_what_is_no_answer_or_not_their_to_give_is_refused_and_leaves_nothing(office, draft):
    jump = draft.anomalies.get(kind="jump")
    for nothing in ("", " \n "):
        assert refusal(answer_anomaly, anomaly=jump, text=nothing, by=office.officer).code == "answer_missing"
    for somebody in (office.referee, office.director, office.releaser):
        assert refusal(answer_anomaly, anomaly=jump, text="all right", by=somebody).code == "forbidden"
    assert not AnomalyAnswer.objects.exists()
    assert not LogEntry.objects.filter(action="list.answer_anomaly").exists()


def test_nothing_is_answered_once_the_draft_is_signed(office, draft):
    for anomaly in draft.anomalies.all():
        answer_anomaly(anomaly=anomaly, text="seen", by=office.officer)
    approve_list(rating_list=draft, sha256=draft.sha256, by=office.officer)
    assert refusal(answer_anomaly, anomaly=anomaly, text="later", by=office.officer).code == "wrong_state"
    with pytest.raises(IntegrityError, match="this draft is signed"), transaction.atomic():
        AnomalyAnswer.objects.create(anomaly=anomaly, text="later", by=office.officer.user)


def test_no_answer_falls_between_two_drafts(office, draft):
    """Asked for again, the old draft takes no answer that the new one would not have."""
    jump = draft.anomalies.get(kind="jump")
    run = request_calculation(period=draft.period, by=office.officer, wake_worker=False)
    assert refusal(answer_anomaly, anomaly=jump, text="too late", by=office.officer).code == "wrong_state"
    again = calculate_period(run=run)
    assert refusal(answer_anomaly, anomaly=jump, text="too late", by=office.officer).code == "wrong_state"
    answer_anomaly(anomaly=again.anomalies.get(kind="jump"), text="in time", by=office.officer)  # the twin


# --- calculating again


def test_a_new_draft_keeps_the_answers_with_author_and_time(office, draft):
    officer = person("anna", Role.RATING_OFFICER)
    jump = draft.anomalies.get(kind="jump")
    answer_anomaly(anomaly=jump, text="four wins", by=office.officer)
    answer_anomaly(anomaly=jump, text="four wins, cards seen", by=officer)
    before = answered(draft)
    for _ in range(3):  # each draft takes them from those before, once
        again = calculated(office, draft.period)
        assert questions(again) == questions(draft)
        assert answered(again) == before
        assert set(again.anomalies.filter(answers=None).values_list("kind", flat=True)) == {"few_games"}
    assert answered(draft) == before


def test_a_question_with_other_figures_is_asked_again(office):
    report = office.submit("Slow", *QUIET)
    period = frozen(office)
    first = calculated(office, period)
    answer_anomaly(anomaly=first.anomalies.get(), text="the referee is asked", by=office.officer)
    Report.objects.filter(pk=report.pk).update(state="returned")
    second = calculated(office, period)
    assert questions(second)["excluded", "Slow"]["state"] == "returned"
    assert answered(second) == []
    # As it was on the first draft: so is the answer, though the draft between had none.
    Report.objects.filter(pk=report.pk).update(state="submitted")
    assert answered(calculated(office, period)) == answered(first)


def test_a_revision_asks_only_what_the_list_before_it_did_not(office):
    """Without the quiet tournament the jump is the same and few games are; a late report taken in is new."""
    office.accept("Jump", *JUMP)
    office.accept("Few", *FEW)
    office.accept("Quiet", *QUIET)
    april = office.run()
    assert set(questions(april)) == {("jump", 11), ("few_games", 21)}
    late = office.accept("Late", [14, 15], ["1 1 2 1-1"], received="2026-04-20", admitted_reason="lost mail")
    office.submit("Left out", [13, 15], ["1 1 2 1-1"])
    correct(office, april, excluded_tournaments=["2026-quiet"], included_reports=[late.pk])
    revision = calculated(office, april.period)
    assert list(questions(revision)) == [("late", "Late")]
    answer_anomaly(anomaly=revision.anomalies.get(), text="admitted", by=office.officer)
    second = office.run()
    assert (second.revision, list(questions(second))) == (2, [("late", "Late")])
    # A third one knows of both: of the jump from the first, of the late report from the second.
    correct(office, second, excluded_tournaments=["2026-few"])
    assert questions(calculated(office, april.period)) == {}


def test_a_revision_asks_again_where_the_figures_are_others(office):
    """April: 2050 as ever, then a draw with 12 of their own rating, which moves nothing: 5 games in 2 tournaments.

    The revision leaves the draw out: the same rating, 4 games in 1.
    """
    office.accept("Jump", *JUMP)
    office.accept("Draw", [11, 12], ["1 1 2 1-1"])
    april = office.run()
    assert questions(april) == {("jump", 11): ASKED_OF_11 | {"games": 5, "tournaments": 2}}
    correct(office, april, excluded_tournaments=["2026-draw"])
    assert questions(calculated(office, april.period)) == {("jump", 11): ASKED_OF_11}


# --- the worker and the command


def opened(rating_list):
    entries = LogEntry.objects.filter(action="list.open_for_approval", subject=f"list {rating_list.address}")
    return list(entries.values_list("actor__email", "by_command"))


def test_the_worker_opens_what_it_has_calculated(office):
    office.accept("Jump", *JUMP)
    anna = person("anna", Role.RATING_OFFICER)
    run = request_calculation(period=frozen(office), by=anna, wake_worker=False)
    assert look_for_work() == 1
    draft = RatingList.objects.get(run=run)
    assert (draft.state, opened(draft)) == ("ready", [("officer@office.invalid", True)])
    assert look_for_work() == 0
    assert len(opened(draft)) == 1


def test_a_draft_whose_worker_was_killed_before_opening_it_is_opened_by_the_next(office):
    office.accept("Jump", *JUMP)
    draft = calculated(office, frozen(office))  # and here its worker ends
    assert (draft.state, opened(draft)) == ("calculated", [])
    assert look_for_work() == 0
    draft.refresh_from_db()
    assert (draft.state, len(opened(draft))) == ("ready", 1)


def test_a_draft_about_to_be_calculated_again_is_left_to_the_worker_that_is_on_it(office):
    """Opened at that moment, the draft's row would end the other's transaction and cost the run an attempt."""
    office.accept("Jump", *JUMP)
    period = frozen(office)
    draft = calculated(office, period)
    run = request_calculation(period=period, by=person("anna", Role.RATING_OFFICER), wake_worker=False)
    other = connection.copy()
    with other.cursor() as theirs:
        theirs.execute("SELECT pg_advisory_lock(%s, %s)", [RUN_LOCK, run.pk])
        assert look_for_work() == 0
        # The server lets go of a closed connection's locks a moment later.
        theirs.execute("SELECT pg_advisory_unlock(%s, %s)", [RUN_LOCK, run.pk])
    other.close()
    draft.refresh_from_db()
    assert (draft.state, opened(draft)) == ("calculated", [])
    assert look_for_work() == 1
    run.refresh_from_db()
    assert (run.attempts, run.list.state) == (1, "ready")


def tables_locked(act, **arguments):
    """In their order, by the rows an act locks."""
    with CaptureQueriesContext(connection) as asked:
        act(**arguments)
    locking = [query["sql"] for query in asked if " FOR " in query["sql"] and "UPDATE" in query["sql"]]
    return [sql.split('FROM "')[1].split('"')[0] for sql in locking if sql.startswith("SELECT")]


def test_whatever_changes_a_draft_locks_its_period_first(office):
    """No calculation is requested meanwhile: its snapshot would have the draft as it was, and the run end in an error.
    And in the order of a publication: of two who each hold what the other waits for the database ends one."""
    office.accept("Jump", *JUMP)
    draft = calculated(office, frozen(office))
    order = ["ratings_period", "ratings_ratinglist"]
    assert tables_locked(open_for_approval, rating_list=draft, by=office.officer) == order
    (jump,) = draft.anomalies.all()
    answer = {"anomaly": jump, "text": "four wins", "by": office.officer}
    assert tables_locked(answer_anomaly, **answer) == order
    approval = {"rating_list": draft, "sha256": draft.sha256, "by": office.officer}
    assert tables_locked(approve_list, **approval) == order
    release = {"rating_list": draft, "sha256": draft.sha256, "by": office.releaser}
    assert tables_locked(publish_list, **release) == ["ratings_pool", *order]


def test_a_draft_that_the_worker_opened_first_is_opened_as_it_is(office, draft):
    again = open_for_approval(rating_list=draft, by=office.officer)
    assert (again, again.state, len(opened(draft))) == (draft, "ready", 1)
    superseded = draft
    calculated(office, draft.period)
    assert refusal(open_for_approval, rating_list=superseded, by=office.officer).code == "wrong_state"


def test_the_command_says_in_each_open_question_that_it_published(office):
    office.accept("Jump", *JUMP)
    office.accept("Few", *FEW)
    first = office.run(publish=False)
    assert first.anomalies.count() == first.anomalies.filter(answers=None).count() == 2
    answer_anomaly(anomaly=first.anomalies.get(kind="jump"), text="cards seen", by=office.officer)
    published = office.run()
    assert published.state == "published"
    assert set(
        AnomalyAnswer.objects.filter(anomaly__list=published).values_list("anomaly__kind", "text")
    ) == {("jump", "cards seen"), ("few_games", "published by command as officer@office.invalid")}
