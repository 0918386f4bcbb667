"""A federation whose regulations have no calendar: the office chooses the dates of each list, by command and by page.

It is the toy federation of test_toy_federation.py without its calendar. By hand, 5 points for each half point over a
draw: 21 beats 22, 1000 + 5 and 1200 − 5.
"""

from datetime import date, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from ratings.models import Period, Pool, RatingList
from ratings.production.periods.choose_dates import choose_dates
from ratings.production.periods.freeze_period import ensure_period, freeze_due_periods
from ratings.publishing.notifications import counting_lists
from ratings.tasks import look_for_work
from reporting.log.audit import Actor
from reporting.models import ResultSet, Role, User
from reporting.refusals.domain_error import DomainError
from tests.flows.test_toy_federation import (  # noqa: F401 (fixture)
    _toy_opening,
    accept,
    answer_anomalies,
    figures,
    logged_in,
    submit,
    write_report,
)
from tests.pages.office.test_acts_on_a_shown_page import change_at_lock
from tests.toy_federation.installed import toy_installed

pytestmark = pytest.mark.django_db(transaction=True)  # a calculation is a transaction of its own

OPENING, CLOSING, IN_FORCE = date(2025, 1, 1), date(2025, 5, 20), date(2025, 6, 3)


@pytest.fixture
def toy(transactional_db, _database_of_its_own):
    with toy_installed(calendar=None):
        yield


@pytest.fixture
def pool(toy_opening):
    """The toy federation without a calendar, with an opening list."""
    return Pool.objects.get(code="toy")


def report_of(folder, name, last):
    """21 beats 22 on a day, and draws with 22 in "Later"."""
    game = "1,2,1,1-1" if name == "Later" else "1,1,2,2-0"
    return write_report(folder, name, last, last, players=[(21, "a", ""), (22, "b", "")], games=[game])


def officer():
    return Actor(User.objects.get(email="officer@office.invalid"), by_command=True)


def refusal(pool, closing, in_force):
    with pytest.raises(DomainError) as refused:
        choose_dates(pool=pool, closing=closing, in_force=in_force, by=officer())
    return refused.value.key


def test_the_command_takes_the_dates_of_the_office(pool, tmp_path, capfdbinary):
    """The list of 3 June with the closing date 20 May counts May's tournament, and not that of June."""
    report_of(tmp_path / "reports", "Spring", CLOSING)
    report_of(tmp_path / "reports", "Later", date(2025, 6, 21))
    call_command("import_reports", str(tmp_path / "reports"), "--accept")
    with pytest.raises(CommandError, match="--in-force is required"):
        call_command("run_period", "toy", "--closing", str(CLOSING))
    call_command("run_period", "toy", "--in-force", str(IN_FORCE), "--closing", str(CLOSING))
    first = RatingList.objects.get(pool=pool, in_force=IN_FORCE)
    assert (first.closing, figures(first)) == (CLOSING, [(22, 1195, -5, 10, 0), (21, 1005, 5, 31, 1)])
    # Without --closing it is the day before: 30 June.
    call_command("run_period", "toy", "--in-force", "2025-07-01")
    second = RatingList.objects.get(pool=pool, in_force="2025-07-01")
    assert (second.closing, figures(second)) == (
        date(2025, 6, 30),
        [(22, 1195, 0, 11, 0), (21, 1005, 0, 32, 0)],
    )
    with pytest.raises(CommandError, match="already_published"):
        call_command("run_period", "toy", "--in-force", "2025-07-01")
    capfdbinary.readouterr()
    call_command("verify_lists", "--pool", "toy", "--recalculate")
    assert "3 lists, all as they were published" in capfdbinary.readouterr().out.decode()


def test_dates_are_in_order_and_after_all_that_is_closed(pool):
    # An opening list of 1 January: the first day that is open is 1 January itself.
    assert refusal(pool, date(2024, 12, 31), IN_FORCE) == "dates_out_of_order.closed"
    assert refusal(pool, CLOSING, OPENING) == "dates_out_of_order.list"
    assert refusal(pool, IN_FORCE, IN_FORCE) == "dates_out_of_order"
    far = timezone.localdate() + timedelta(days=400)
    assert refusal(pool, CLOSING, far) == "too_far_ahead"
    assert refusal(Pool.objects.get(code="fmjd-100"), CLOSING, IN_FORCE) == "dates_by_calendar"
    with pytest.raises(DomainError) as refused:
        ensure_period(pool=pool, in_force=IN_FORCE, by=officer())
    assert refused.value.code == "dates_missing"
    assert not Period.objects.exists()

    call_command("run_period", "toy", "--in-force", str(IN_FORCE), "--closing", str(CLOSING))
    assert refusal(pool, CLOSING, date(2025, 7, 1)) == "dates_out_of_order.closed"
    assert refusal(pool, date(2025, 6, 30), IN_FORCE) == "dates_out_of_order.list"
    following = choose_dates(
        pool=pool, closing=CLOSING + timedelta(days=1), in_force=date(2025, 7, 1), by=officer()
    )
    assert following.played_since == Period.objects.get(in_force=IN_FORCE).played_before


def test_the_dates_of_an_open_period_can_be_changed_until_its_freeze(pool):
    closing = timezone.localdate() + timedelta(days=20)
    opened = choose_dates(pool=pool, closing=closing, in_force=closing + timedelta(days=5), by=officer())
    earlier = timezone.localdate() - timedelta(days=3)
    changed = choose_dates(pool=pool, closing=earlier, in_force=earlier + timedelta(days=5), by=officer())
    assert (changed.pk, changed.closing) == (opened.pk, earlier)
    with pytest.raises(CommandError, match="dates_chosen"):
        call_command("run_period", "toy", "--in-force", str(closing))
    # The edition freezes a period the day after its closing date.
    assert timezone.localdate(changed.freezes_at) == earlier + timedelta(days=1)
    assert freeze_due_periods() == [changed]
    assert (
        refusal(pool, earlier + timedelta(days=4), earlier + timedelta(days=9)) == "predecessor_unpublished"
    )
    # The scheduler opens no period by itself.
    assert look_for_work() == 1
    assert freeze_due_periods() == []


@pytest.mark.usefixtures("cleared_rate_limits")
def test_dates_that_another_officer_chose_are_shown_before_they_are_changed(pool):
    """R24a: from a page that shows no open period, and while the page's act waits for its locks."""
    first, second = logged_in("Olga", Role.RATING_OFFICER), logged_in("Oscar", Role.RATING_OFFICER)
    today = timezone.localdate()
    for days, page in ((2, first), (5, second)):
        page.open("/office/pools/toy/dates/")
        page.fill("Closing date", str(today + timedelta(days=days)))
        page.fill("In force from", str(today + timedelta(days=days + 1)))
    first.press("Open period")
    second.press("Open period", status=409)
    assert "What this page shows has changed since you opened it." in second.text
    assert second.value("Closing date") == str(today + timedelta(days=5))
    assert Period.objects.get().closing == today + timedelta(days=2)
    moved = Period.objects.filter(closing=today + timedelta(days=2))
    with change_at_lock(lambda: moved.update(closing=today + timedelta(days=1))):
        second.press("Change dates", status=409)
    assert second.value("In force from") == str(today + timedelta(days=6))
    second.press("Change dates")
    assert Period.objects.get().closing == today + timedelta(days=5)


@pytest.mark.usefixtures("cleared_rate_limits")
def test_an_officer_chooses_the_dates_by_the_pages(pool, tmp_path):
    yesterday = timezone.localdate() - timedelta(days=1)
    referee, page = logged_in("Rina", Role.REFEREE), logged_in("Olga", Role.RATING_OFFICER)
    submit(referee, report_of(tmp_path, "Autumn", yesterday), wins=1)
    # Before the dates are chosen, pages and messages say "the next list".
    page.open("/office/reports/")
    assert "no dates yet" in page.text
    (tournament,) = ResultSet.objects.all()
    (counting,) = counting_lists(tournament)
    assert counting.counts_in == "It counts in the next list (Toy board)."
    page.open("/")
    assert "Next closing date" not in page.text
    page.open("/office/")
    assert "The office chooses the dates of the next list." in page.text
    page.open_link("Choose dates", nth=0)
    in_force = yesterday + timedelta(days=4)
    page.fill("Closing date", str(in_force))
    page.fill("In force from", str(in_force))
    page.press("Open period", status=409)
    assert "Nothing was changed." in page.text
    page.fill("Closing date", str(yesterday + timedelta(days=2)))
    page.press("Open period")
    assert "Dates saved." in page.text
    accept(page, "Autumn")
    page.open("/")
    assert "Next closing date" in page.text
    page.open(f"/office/lists/toy/{in_force}/")
    page.open_link("Change dates")
    page.fill("Closing date", str(yesterday))
    page.press("Change dates")
    assert "Dates saved." in page.text
    assert [period.days.closing for period in freeze_due_periods()] == [yesterday]
    assert look_for_work() == 1
    answer_anomalies(page, f"/office/lists/toy/{in_force}/")
    page.open_link("Approve list")
    page.press("Approve list")
    releaser = logged_in("Rolf", Role.RELEASING_OFFICER)
    releaser.open(f"/office/lists/toy/{in_force}/")
    releaser.open_link("Publish list")
    releaser.press("Publish list")
    assert figures(RatingList.objects.get(pool=pool, in_force=in_force)) == [
        (22, 1195, -5, 10, 0), (21, 1005, 5, 31, 1)
    ]  # fmt: skip
    page.open("/office/")
    page.open_link("Choose dates", nth=0)
