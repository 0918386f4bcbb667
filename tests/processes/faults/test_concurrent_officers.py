"""Two officers press at the same moment: one act is done, the other is refused."""

import time
from collections import Counter
from functools import partial
from types import SimpleNamespace
from unittest.mock import patch

import pytest
from django.db import IntegrityError
from django.db.models import QuerySet
from fault_tools import rounds

from ratings.models import CalculationRun, Pool, RatingList
from ratings.production.answer_anomaly import answer_anomaly
from ratings.production.approve_list import approve_list, open_for_approval
from ratings.production.calculate import calculate_period
from ratings.production.periods.freeze_period import due_period, ensure_period, freeze_period
from ratings.production.publish_list import publish_list
from ratings.production.request_calculation import request_calculation
from reporting.log.audit import Actor
from reporting.models import LogEntry, Role
from reporting.refusals.domain_error import DomainError
from reporting.rules import lifecycle
from tests.concurrency import run_concurrently
from tests.people import create_user

PAIRS = rounds(6, 300)
OPENING = "fmjd_id rating games\n11 2000 100\n12 2000 100"

pytestmark = pytest.mark.django_db(transaction=True)


def person(name, role):
    return Actor(create_user(f"{name}@example.org", name, roles=[role]))


def ready_list(office, turn):
    """A list that waits for its signatures, in a pool of its own: a released period never comes back."""
    code = f"pair-{turn}"
    pool = Pool.objects.create(code=code, system="fmjd", discipline="100", tempo=f"p{turn}", name=code)
    office.opening(OPENING, pool=code)
    period = ensure_period(pool=pool, in_force=due_period(pool).in_force, by=office.officer)
    period = freeze_period(period=period, reason="a test", by=office.officer)
    draft = calculate_period(run=request_calculation(period=period, by=office.officer, wake_worker=False))
    return open_for_approval(rating_list=draft, by=office.officer)


def answer_to(outcome):
    """The answer to a person: `done`, the code of a refusal, or the name of an unexpected error."""
    if isinstance(outcome, RatingList):
        return "done"
    return outcome.code if isinstance(outcome, DomainError) else type(outcome).__name__


def slow_move(*arguments):
    """Thinking time between looking and writing, so that two always overlap."""
    after = lifecycle.move(*arguments)
    time.sleep(0.003)
    return after


def pressed(office, pairs):
    """The two answers, at each approval and at each publication."""
    approving = [person(f"officer-{n}", Role.RATING_OFFICER) for n in (1, 2)]
    releasing = [person(f"releaser-{n}", Role.RELEASING_OFFICER) for n in (1, 2)]
    approvals, releases = Counter(), Counter()
    for turn in range(pairs):
        draft = ready_list(office, turn)
        for verb, people, outcomes in (
            (approve_list, approving, approvals),
            (publish_list, releasing, releases),
        ):
            both = [
                partial(verb, rating_list=RatingList.objects.get(pk=draft.pk), sha256=draft.sha256, by=by)
                for by in people
            ]
            outcomes[tuple(sorted(map(answer_to, run_concurrently(*both))))] += 1
    return approvals, releases


@pytest.fixture(autouse=True)
def _time_to_think():
    with (
        patch("ratings.production.approve_list.move", slow_move),
        patch("ratings.production.publish_list.move", slow_move),
    ):
        yield


def entries_by_list(action):
    """How many audit rows each quarter's list has of an act."""
    entries = LogEntry.objects.filter(action=action, subject__endswith="/2026-04-01")
    return Counter(entries.values_list("subject", flat=True))


def test_of_two_signatures_at_once_one_is_made_and_the_other_refused(office):
    approvals, releases = pressed(office, PAIRS)
    assert approvals == releases == {("done", "wrong_state"): PAIRS}
    for action in ("list.approve", "list.publish"):
        assert set(entries_by_list(action).values()) == {1}
        assert len(entries_by_list(action)) == PAIRS
    assert RatingList.objects.filter(state="published", is_opening=False).count() == PAIRS
    print(f"\n{PAIRS} approvals and {PAIRS} releases pressed twice: one effect and one audit row each")  # noqa: T201


def test_twin_without_the_row_lock_both_sign_and_the_second_release_crashes(office):
    """Looking, then writing: the second approval writes over the first. Of a release the database still takes one."""
    with patch.object(QuerySet, "select_for_update", lambda rows, **_: rows):
        approvals, releases = pressed(office, 5)
    doubled = approvals[("done", "done")]
    assert doubled
    assert max(entries_by_list("list.approve").values()) == 2
    assert set(entries_by_list("list.publish").values()) == {1}
    assert releases[(IntegrityError.__name__, "done")]
    print(f"\nwithout the lock: {doubled} of 5 approved twice")  # noqa: T201


def answered_during_a_calculation(office, turns):
    """The outcome of each answer, and whether the newest draft has it."""
    office.opening("fmjd_id rating games\n11 2000 26\n12 2000 100\n13 2000 100\n14 2000 100\n15 2000 100")
    office.accept("Open", [11, 12, 13, 14, 15], [f"{turn} 1 {turn + 1} 2-0" for turn in range(1, 5)])
    pool = Pool.objects.get(code="fmjd-100")
    period = ensure_period(pool=pool, in_force=due_period(pool).in_force, by=office.officer)
    period = freeze_period(period=period, reason="a test", by=office.officer)

    def calculate():
        time.sleep(0.01)
        return calculate_period(run=request_calculation(period=period, by=office.officer, wake_worker=False))

    draft, outcomes = calculate(), Counter()
    for turn in range(turns):
        jump = draft.anomalies.get(kind="jump")

        def answer(jump=jump, turn=turn):
            time.sleep(0.002 * (turn % 10))
            return answer_anomaly(anomaly=jump, text=f"answer {turn}", by=office.officer)

        draft, outcome = run_concurrently(calculate, answer)
        assert isinstance(draft, RatingList), draft
        stored = draft.anomalies.filter(answers__text=f"answer {turn}").exists()
        outcomes[outcome.code if isinstance(outcome, DomainError) else type(outcome).__name__, stored] += 1
    return outcomes


def test_an_answer_given_while_a_calculation_is_asked_for_is_on_the_new_draft_or_refused(office):
    outcomes = answered_during_a_calculation(office, rounds(10, 100))
    assert set(outcomes) == {("AnomalyAnswer", True), ("wrong_state", False)}
    print(f"\n{dict(outcomes)}")  # noqa: T201


def test_twin_without_asking_for_runs_answers_are_left_behind(office):
    no_runs = SimpleNamespace(
        State=CalculationRun.State,
        objects=SimpleNamespace(filter=lambda **_: CalculationRun.objects.none()),
    )
    with patch("ratings.production.answer_anomaly.CalculationRun", no_runs):
        assert answered_during_a_calculation(office, 20)["AnomalyAnswer", False]
