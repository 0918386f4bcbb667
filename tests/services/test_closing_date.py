"""A period is frozen from the day after its closing date on; before it in the demonstration alone, and truly dated.

Days here hang on the real one: the database's own clock decides.
"""

from datetime import date, timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db.models import Value
from django.db.models.functions import Now
from django.utils import timezone

from ratings.federations.fmjd.recompute import recompute
from ratings.federations.fmjd.rules.calendar import next_period, period_of, previous_period
from ratings.federations.fmjd.rules.parameters import edition_in_force
from ratings.models import Period, Pool, PublishedFile, RatingList
from ratings.production.periods.freeze_period import ensure_period, freeze_period
from ratings.published.views.home import running_quarters
from ratings.queries.periods import ClosedList, due_period
from reporting.models import LogEntry, Message
from tests.services.correction_helpers import published_files_by_list
from tests.services.report_helpers import refusal

OPENING = "fmjd_id rating games\n11 2000 100\n12 2000 100"
GAME = ["1 1 2 2-0"]
EDITION = edition_in_force(timezone.localdate())
RUNNING = period_of(EDITION, timezone.localdate())
LAST = previous_period(EDITION, RUNNING)
NEXT = next_period(EDITION, RUNNING)

quick = pytest.mark.django_db
whole = pytest.mark.django_db(transaction=True)


@pytest.fixture
def running(office):
    """The period that is running today, after an opening list of the quarter before."""
    office.opening(OPENING, in_force=LAST.in_force)
    return ensure_period(pool=the_pool(), in_force=RUNNING.in_force, by=office.officer)


def the_pool():
    return Pool.objects.get(code="fmjd-100")


def freeze(office, period):
    return freeze_period(period=period, reason="a test", by=office.officer)


@quick
def test_before_the_day_after_the_closing_date_no_one_freezes(office, running):
    assert running.closing >= timezone.localdate()
    refused = refusal(freeze, office, running)
    assert refused.code == "before_closing"
    assert Period.objects.get().state == "open"
    # The database's clock decides, to the instant: a minute before it, and at it.
    Period.objects.update(played_before=Now() + Value(timedelta(minutes=1)))
    assert refusal(freeze, office, running).code == "before_closing"
    Period.objects.update(played_before=Now())
    assert freeze(office, running).state == "frozen"


@quick
def test_another_clock_of_this_machine_freezes_nothing(office, running, monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: running.freezes_at)
    assert refusal(freeze, office, running).code == "before_closing"


@quick
def test_the_command_refuses_before_the_closing_date_and_opens_nothing(office):
    office.opening(OPENING, in_force=LAST.in_force)
    before = LogEntry.objects.count()
    with pytest.raises(CommandError, match=r"before_closing: .* Nothing was changed"):
        call_command("run_period", "fmjd-100", "--in-force", str(RUNNING.in_force))
    assert not Period.objects.exists()
    assert LogEntry.objects.count() == before


@quick
def test_in_the_demonstration_the_day_of_the_freeze_becomes_the_closing_date(office, running, settings):
    settings.DEMO = True
    freeze(office, running)
    period = Period.objects.get()
    assert (period.state, period.closing) == ("frozen", timezone.localdate())
    assert timezone.localdate(period.played_before) == timezone.localdate() + timedelta(days=1)
    entry = LogEntry.objects.get(action="period.freeze")
    assert entry.before["closing"] == str(RUNNING.closing)
    assert entry.after["closing"] == str(timezone.localdate())


@quick
def test_a_period_that_has_not_begun_is_frozen_nowhere(office, settings):
    settings.DEMO = True
    office.opening(OPENING, in_force=RUNNING.in_force)
    period = ensure_period(pool=the_pool(), in_force=NEXT.in_force, by=office.officer)
    assert refusal(freeze, office, period).code == "not_begun"


@quick
def test_who_waits_at_an_early_freeze_reads_the_day_it_closed(office, running, settings):
    settings.DEMO = True
    days = {"played_from": timezone.localdate(), "played_to": timezone.localdate(), "received": None}
    office.submit("Late", [11, 12], GAME, by=office.director, **days)
    freeze(office, running)
    letter = Message.objects.get(kind="report_next_list")
    words = f"{timezone.localdate():%-d %b %Y}"
    assert f"The period that closed on {words} was frozen" in letter.text
    assert f"{NEXT.in_force.day} {NEXT.in_force:%b %Y}" in letter.text
    assert f"{RUNNING.closing:%b %Y}" not in letter.text.replace(words, "")


@whole
def test_a_list_frozen_early_prints_its_true_closing_date_and_the_next_period_begins_after_it(
    office, running, settings
):
    settings.DEMO = True
    rating_list = office.run(RUNNING.in_force)
    assert rating_list.closing == timezone.localdate()
    text = PublishedFile.objects.get(list=rating_list, name="list.txt")
    assert f"closing date {timezone.localdate()}," in bytes(text.content).decode()
    following = ensure_period(pool=the_pool(), in_force=due_period(the_pool()).in_force, by=office.officer)
    assert (following.in_force, following.closing) == (NEXT.in_force, NEXT.closing)
    assert timezone.localdate(following.played_since) == timezone.localdate() + timedelta(days=1)
    call_command("verify_lists", "--recalculate")
    recalculated = recompute(published_files_by_list())
    assert recalculated.different == []
    early = f"closing: {timezone.localdate()}, before {RUNNING.closing} (R10)"
    assert [line.split("calculation.csv ")[1] for line in recalculated.given] == [early]
    assert RatingList.objects.filter(state="published").count() == 2


@quick
def test_the_first_page_names_the_period_that_tournaments_count_in_after_an_early_freeze(
    office, running, settings, client
):
    """From the freeze on no one's tournament counts in the list of the quarter that was frozen."""
    settings.DEMO = True
    before = client.get("/").text
    assert f'datetime="{RUNNING.closing}"' in before
    freeze(office, running)
    page = client.get("/").text
    assert f'<p class="closing__date"><time datetime="{NEXT.closing}"' in page
    assert f'The list comes into force on <time datetime="{NEXT.in_force}"' in page
    assert f'datetime="{RUNNING.closing}"' not in page
    words = f"{timezone.localdate():%-d %b %Y}"
    assert f"from {words} to" in page


@quick
def test_pools_whose_next_closing_dates_differ_are_named_apart():
    """One pool was frozen early for 1 Jan 2027: its next list is that of 1 Apr 2027 (R10), not that of the others."""
    pools = {number: Pool(pk=number, name=name) for number, name in enumerate(("One", "Two", "Three"), 1)}
    closed = {
        1: ClosedList(date(2027, 1, 1), date(2026, 11, 26), "fmjd"),
        2: ClosedList(date(2026, 10, 1), date(2026, 9, 15), "fmjd"),
        3: ClosedList(date(2026, 10, 1), date(2026, 9, 15), "fmjd"),
    }
    quarters = running_quarters(date(2026, 11, 27), closed, pools)
    assert [(one.closing, one.in_force, one.pools) for one in quarters] == [
        (date(2026, 12, 15), date(2027, 1, 1), ("Two", "Three")),
        (date(2027, 3, 15), date(2027, 4, 1), ("One",)),
    ]
    assert quarters[1].since == date(2026, 11, 26)
    assert len(running_quarters(date(2026, 11, 27), {}, {})) == 1  # before the first list
