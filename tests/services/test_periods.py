"""A quarter of the office: what is frozen into it, calculated once and again, and what is refused (R10, R11, U7)."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection, transaction

from ratings.federations.fmjd.engine_input import calculate_ratings
from ratings.federations.fmjd.inputs import read_engine_input
from ratings.federations.fmjd.models import FmjdChange, FmjdListRow
from ratings.federations.fmjd.rules.columns import GameColumns
from ratings.inputs.calculation_inputs import inputs_of_period
from ratings.models import CalculationRun, Period, PeriodReport, Pool, RatingList
from ratings.production.approve_list import approve_list, open_for_approval
from ratings.production.calculate import calculate_period
from ratings.production.correct_list import correct_list
from ratings.production.periods.freeze_period import ensure_period, freeze_period
from ratings.production.publish_list import publish_list
from ratings.production.request_calculation import request_calculation
from reporting.log.audit import Actor
from reporting.models import LogEntry, ResultSet, Role
from reporting.reports.services.review import accept_report
from tests.databases import open_results
from tests.people import create_user
from tests.services.report_helpers import OPENING, refusal

APRIL, JULY = date(2026, 4, 1), date(2026, 7, 1)
GAME = ["1 1 2 2-0"]

pytestmark = pytest.mark.usefixtures("three_players_shared")
quick = pytest.mark.django_db
whole = pytest.mark.django_db(transaction=True)  # a calculation is a transaction of its own


def the_pool(code="fmjd-100"):
    return Pool.objects.get(code=code)


def frozen(office, in_force=APRIL, pool="fmjd-100"):
    period = ensure_period(pool=the_pool(pool), in_force=in_force, by=office.officer)
    return freeze_period(period=period, reason="a test", by=office.officer)


def manifest(period):
    return set(PeriodReport.objects.filter(period=period).values_list("result_set__name", flat=True))


# --- opening and freezing


@quick
def test_a_period_has_the_instants_of_the_calendar(office):
    """Closing on 15 March, itself inside: until 16 March 00:00; frozen on the 8th day after, 23 March 00:00."""
    period = ensure_period(pool=the_pool(), in_force=APRIL, by=office.officer)
    assert (period.closing, period.in_force, period.state) == (date(2026, 3, 15), APRIL, "open")
    assert period.played_since == datetime(2025, 12, 16, tzinfo=UTC)
    assert period.played_before == datetime(2026, 3, 16, tzinfo=UTC)
    assert period.freezes_at == datetime(2026, 3, 23, tzinfo=UTC)
    assert ensure_period(pool=the_pool(), in_force=APRIL, by=office.officer) == period
    assert LogEntry.objects.filter(action="period.open").count() == 1


@quick
@pytest.mark.parametrize("day", [date(2026, 3, 31), date(2026, 4, 2), date(2026, 3, 15), date(2026, 5, 1)])
def test_a_day_on_which_no_list_comes_into_force_is_refused(office, day):
    assert refusal(ensure_period, pool=the_pool(), in_force=day, by=office.officer).code == "not_in_calendar"


@quick
def test_no_period_before_its_predecessor_or_without_a_list_or_behind_it(office):
    without_list = Pool.objects.get(code="fmjd-64")
    assert refusal(ensure_period, pool=without_list, in_force=APRIL, by=office.officer).code == "no_list"
    for in_force, code in (
        (JULY, "predecessor_unpublished"),
        (date(2027, 1, 1), "predecessor_unpublished"),
        (date(2026, 1, 1), "already_published"),
        (date(2025, 10, 1), "already_published"),
    ):
        assert refusal(ensure_period, pool=the_pool(), in_force=in_force, by=office.officer).code == code
    assert not Period.objects.exists()


@quick
def test_the_manifest_is_what_was_accepted_and_nothing_else(office):
    office.accept("Accepted", [11, 12], GAME)
    office.submit("Submitted", [11, 12], GAME)
    office.upload("Uploaded", [11, 12], GAME)
    period = frozen(office)
    assert manifest(period) == {"Accepted"}
    line = period.manifest.get()
    assert line.version.report.result_set == line.result_set
    entry = LogEntry.objects.get(action="period.freeze")
    assert (entry.actor, entry.reason) == (office.officer.user, "a test")
    assert (entry.before, entry.after) == ({"state": "open"}, {"state": "frozen", "reports": 1})
    assert (period.state, period.frozen_by, period.freeze_reason) == ("frozen", office.officer.user, "a test")
    assert period.frozen_at is not None


@quick
def test_a_last_round_on_the_closing_day_is_in_and_on_the_next_day_out(office):
    for name, ends in (("Closing day", date(2026, 3, 15)), ("Next day", date(2026, 3, 16))):
        office.accept(name, [11, 12], GAME, played_from=date(2026, 3, 13), played_to=ends)
    assert manifest(frozen(office)) == {"Closing day"}


@quick
@pytest.mark.parametrize(
    ("details", "pool"),
    [
        ({"discipline": '"100"', "minutes_for_60_moves": "30"}, "fmjd-100"),
        ({"discipline": '"100"', "minutes_for_60_moves": "29.5"}, "fmjd-100-rapidblitz"),
        ({"discipline": '"64"', "minutes_for_60_moves": "30"}, "fmjd-64"),
        ({"discipline": '"64"', "minutes_for_60_moves": "5"}, "fmjd-64-rapidblitz"),
    ],
)
def test_discipline_and_tempo_decide_the_pool(office, details, pool):
    """From 30 minutes for 60 moves on it is classical; no one chooses the pool."""
    pools = ("fmjd-100", "fmjd-100-rapidblitz", "fmjd-64", "fmjd-64-rapidblitz")
    for code in pools[1:]:
        office.opening(OPENING, pool=code)
    office.accept("Open", [11, 12], GAME, time_control=None, **details)
    manifests = {code: manifest(frozen(office, pool=code)) for code in pools}
    assert manifests == {code: {"Open"} if code == pool else set() for code in pools}


@quick
def test_a_period_is_frozen_once_and_by_a_rating_officer(office):
    period = ensure_period(pool=the_pool(), in_force=APRIL, by=office.officer)
    for somebody in (office.referee, office.director, office.releaser):
        assert refusal(freeze_period, period=period, reason="a test", by=somebody).code == "forbidden"
    assert refusal(freeze_period, period=period, reason=" ", by=office.officer).code == "reason_missing"
    freeze_period(period=period, reason="a test", by=office.officer)
    assert refusal(freeze_period, period=period, reason="a test", by=office.officer).code == "wrong_state"


@quick
def test_what_is_accepted_after_the_freeze_stays_out(office):
    report = office.submit("Slow", [11, 12], GAME)
    period = frozen(office)
    accept_report(report=report, by=office.officer)
    assert manifest(period) == set()


@whole
def test_a_late_report_admitted_after_its_list_comes_into_the_next_one(office):
    assert office.run(APRIL).tournaments == 0
    office.accept("Late", [11, 12], GAME, received="2026-05-01", admitted_reason="the post was on strike")
    july = office.run(JULY)
    assert manifest(july.period) == {"Late"}
    # Its ratings are those of the list in force on its first day, 6 February: the opening list.
    (change,) = office.changes(july, 11)
    assert change.basis_list == RatingList.objects.get(is_opening=True)
    assert office.run(date(2026, 10, 1)).tournaments == 0  # and into that one only


# --- calculating again


@whole
def test_a_second_run_gives_the_same_digests_and_supersedes_the_draft(office):
    office.accept("Open", [11, 12, office.newcomer("Nova", "Kometa")], ["1 1 2 2-0", "2 3 1 0-2"])
    first = office.run(publish=False)
    rows = list(FmjdListRow.objects.filter(list=first).order_by("position").values())
    second = office.run(publish=False)
    assert second.pk != first.pk
    assert (second.sha256, second.input_sha256) == (first.sha256, first.input_sha256)
    first.refresh_from_db()
    assert (first.state, second.state) == ("superseded", "calculated")
    # The draft itself was not touched: its rows stand until the night.
    assert list(FmjdListRow.objects.filter(list=first).order_by("position").values()) == rows
    assert FmjdListRow.objects.filter(list=second).count() == len(rows) == 4
    assert list(CalculationRun.objects.order_by("pk").values_list("state", "list", "attempts")) == [
        ("done", first.pk, 1), ("done", second.pk, 1)
    ]  # fmt: skip


@whole
@pytest.mark.parametrize("signed", ["ready", "approved"])
def test_a_draft_that_is_being_signed_is_superseded_too_and_can_no_longer_be_released(office, signed):
    draft = open_for_approval(rating_list=office.run(publish=False), by=office.officer)
    if signed == "approved":
        draft = approve_list(rating_list=draft, sha256=draft.sha256, by=office.officer)
    second = office.run(publish=False)
    release = {"rating_list": draft, "sha256": draft.sha256, "by": office.releaser}
    assert refusal(publish_list, **release).code == "wrong_state"
    draft.refresh_from_db()
    assert (draft.state, second.state) == ("superseded", "calculated")


@whole
def test_a_period_waits_for_its_predecessor_also_while_that_is_a_draft(office):
    assert refusal(office.run, JULY).code == "predecessor_unpublished"
    office.run(APRIL, publish=False)
    assert refusal(office.run, JULY).code == "predecessor_unpublished"
    office.run(APRIL)
    assert office.run(JULY).state == "published"


@whole
def test_a_run_that_waits_is_not_asked_for_twice_and_one_done_answers_with_its_list(office):
    period = frozen(office)
    run = request_calculation(period=period, by=office.officer)
    assert request_calculation(period=period, by=office.officer) == run
    done = calculate_period(run=run)
    assert calculate_period(run=run) == done
    assert RatingList.objects.filter(period=period).count() == 1


@whole
def test_a_run_that_another_worker_holds_is_left_alone(office):
    from ratings.production.calculate import RUN_LOCK

    run = request_calculation(period=frozen(office), by=office.officer)
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s, %s)", [RUN_LOCK, run.pk])
            assert refusal(calculate_period, run=run).code == "busy"
            assert not RatingList.objects.filter(is_opening=False).exists()
            cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [RUN_LOCK, run.pk])
        assert calculate_period(run=run).state == "calculated"  # the twin
    finally:
        other.close()


@quick
def test_only_a_frozen_period_is_calculated_and_only_for_a_rating_officer(office):
    period = ensure_period(pool=the_pool(), in_force=APRIL, by=office.officer)
    assert refusal(request_calculation, period=period, by=office.officer).code == "not_frozen"
    freeze_period(period=period, reason="a test", by=office.officer)
    for somebody in (office.referee, office.director, office.releaser):
        assert refusal(request_calculation, period=period, by=somebody).code == "forbidden"


# --- signing


@whole
def test_the_signatures_are_bound_to_the_digest_the_state_and_the_roles(office):
    draft = office.run(publish=False)

    def refused(act, by, sha256=draft.sha256):
        return refusal(act, rating_list=draft, sha256=sha256, by=by).code

    assert refused(approve_list, office.officer) == "wrong_state"
    draft = open_for_approval(rating_list=draft, by=office.officer)
    assert refused(approve_list, office.officer, "0" * 64) == "list_changed"
    for somebody in (office.referee, office.releaser, office.director):
        assert refused(approve_list, somebody) == "forbidden"
    assert refused(publish_list, office.releaser) == "wrong_state"
    draft = approve_list(rating_list=draft, sha256=draft.sha256, by=office.officer)
    assert refused(publish_list, office.releaser, "0" * 64) == "list_changed"
    assert refused(publish_list, office.officer) == "forbidden"
    both = Actor(create_user("both@example.org", "Both", roles=[Role.RATING_OFFICER, Role.RELEASING_OFFICER]))
    published = publish_list(rating_list=draft, sha256=draft.sha256, by=both)
    assert (published.approved_by, published.published_by) == (office.officer.user, both.user)
    assert Period.objects.get().state == "published"
    assert refused(publish_list, office.releaser) == "wrong_state"


@whole
def test_who_approved_does_not_release_even_with_both_roles(office):
    both = Actor(create_user("both@example.org", "Both", roles=[Role.RATING_OFFICER, Role.RELEASING_OFFICER]))
    draft = open_for_approval(rating_list=office.run(publish=False), by=both)
    draft = approve_list(rating_list=draft, sha256=draft.sha256, by=both)
    assert refusal(publish_list, rating_list=draft, sha256=draft.sha256, by=both).code == "same_person"
    assert publish_list(rating_list=draft, sha256=draft.sha256, by=office.releaser).state == "published"


@whole
def test_a_list_is_not_released_on_a_predecessor_that_was_revised_meanwhile(office):
    office.accept("Open", [11, 12, 13], GAME)
    april = office.run()
    draft = open_for_approval(rating_list=office.run(JULY, publish=False), by=office.officer)
    draft = approve_list(rating_list=draft, sha256=draft.sha256, by=office.officer)
    release = {"rating_list": draft, "sha256": draft.sha256, "by": office.releaser}
    correction = {"reason": "a test", "later": "carry", "by": office.officer}
    correct_list(rating_list=april, excluded_tournaments=["2026-open"], **correction)
    assert refusal(publish_list, **release).code == "correction_under_way"
    revision = office.run()
    assert refusal(publish_list, **release).code == "calculation_waiting"
    waiting = CalculationRun.objects.filter(period=draft.period, state="requested")
    waiting.update(state="failed", error="a test")
    assert refusal(publish_list, **release).code == "predecessor_changed"
    again = office.run(JULY)  # calculated again, on the revision
    assert (again.state, again.previous) == ("published", revision)


@whole
def test_each_act_of_a_quarter_is_in_the_log_with_who_and_what(office):
    opening = RatingList.objects.get()
    since = LogEntry.objects.latest("pk").pk
    published = office.run()
    entries = LogEntry.objects.filter(pk__gt=since).order_by("pk")
    officer, releaser = office.officer.user.email, office.releaser.user.email
    period, of_list = "period fmjd-100 2026-04-01", "list fmjd-100/2026-04-01"
    assert list(entries.values_list("action", "actor__email", "subject", "by_command")) == [
        ("period.open", officer, period, True),
        ("period.freeze", officer, period, True),
        ("calculation.request", officer, period, True),
        ("list.calculate", officer, of_list, True),
        ("list.open_for_approval", officer, of_list, True),
        ("list.approve", officer, of_list, True),
        ("list.publish", releaser, of_list, True),
    ]
    approve, release = entries.get(action="list.approve"), entries.get(action="list.publish")
    digest = {"sha256": published.sha256}
    assert (approve.before, approve.after) == ({"state": "ready"}, {"state": "approved"} | digest)
    assert (release.before, release.after) == ({"state": "approved"}, {"state": "published"} | digest)
    assert (published.previous, published.previous_sha256) == (opening, opening.sha256)


# --- what the figures hang on


@whole
def test_the_order_of_the_games_in_a_report_changes_no_figure(office):
    games = ["1 1 2 2-0", "2 3 1 1-1", "3 2 3 0-2"]
    report = office.submit("Open", [11, 12, 13], games)
    accept_report(report=report, by=office.officer)
    period = frozen(office)
    engine_input = read_engine_input(inputs_of_period(period, None))
    turned = GameColumns(
        *(getattr(engine_input.games, name)[::-1] for name in engine_input.games.__dataclass_fields__)
    )
    for forward, backward in zip(
        calculate_ratings(engine_input),
        calculate_ratings(type(engine_input)(**vars(engine_input) | {"games": turned})),
        strict=True,
    ):
        for name in forward.__dataclass_fields__:
            assert getattr(forward, name).tolist() == getattr(backward, name).tolist()


@whole
@pytest.mark.database_role("owner")
@pytest.mark.parametrize(
    "change",
    [
        "UPDATE reporting_game SET white_points = 1, black_points = 1",
        "UPDATE reporting_game SET played = false",
        "UPDATE reporting_resultset SET played_to = played_to - 1",
        "UPDATE reporting_resultset SET number = number + 5",
        "UPDATE reporting_resultset SET seconds_for_60_moves = 5400",
        "UPDATE reporting_round SET played_on = '2026-02-06'",
    ],
)
def test_whatever_a_figure_depends_on_is_in_the_details_digest(office, change):
    office.accept("Open", [11, 12, 13], ["1 1 2 2-0"])
    period = frozen(office)
    before = read_engine_input(inputs_of_period(period, None)).digest()
    assert read_engine_input(inputs_of_period(period, None)).digest() == before  # the twin
    with transaction.atomic(), connection.cursor() as cursor:
        open_results()
        cursor.execute(change)
        assert cursor.rowcount == 1
        assert read_engine_input(inputs_of_period(period, None)).digest() != before


@whole
@pytest.mark.database_role("owner")
def test_what_no_figure_depends_on_is_not_in_the_details_digest(office):
    """Names, places and database numbers: two installations with the same details agree."""
    office.accept("Open", [11, 12, 13], ["1 1 2 2-0"])
    period = frozen(office)
    before = read_engine_input(inputs_of_period(period, None)).digest()
    with connection.cursor() as cursor:
        open_results()
        ResultSet.objects.update(name="Another name", place="OtherList", referee="Somebody")
        cursor.execute("UPDATE reporting_player SET last_name = 'Other', birth_year = 2001")
        cursor.execute(
            "INSERT INTO reporting_playertitle (player_id, awarded_by, discipline, title, ladder)"
            " SELECT id, 'fmjd', '100', 'GMI', '' FROM reporting_player"
        )
    assert read_engine_input(inputs_of_period(period, None)).digest() == before


@whole
def test_a_list_without_reports_repeats_the_one_before(office):
    opening = "fmjd_id rating games last_game\n11 2000 40 2025-11-11\n12 2100 30 2025-12-12"
    office.opening(opening, pool="fmjd-64")
    published = office.run(pool="fmjd-64")
    columns = (
        "register_number", "rating", "change", "period_games", "games", "last_game", "category", "rank",
    )  # fmt: skip
    assert list(FmjdListRow.objects.filter(list=published).order_by("position").values_list(*columns)) == [
        (12, 2100, 0, 0, 30, date(2025, 12, 12), "A", 1),
        (11, 2000, 0, 0, 40, date(2025, 11, 11), "A", 2),
    ]
    assert not FmjdChange.objects.exists()
    # 1 January to 15 March.
    assert published.period.closing - published.previous.in_force == timedelta(days=73)
