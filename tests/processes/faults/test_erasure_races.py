"""A name is erased while a list with it is calculated, imported or published: it must not come back with that list.

The erasure waits for the list and erases the name on it too. By the twin, without the lock, the name stays in the draft
or in the files.
"""

from contextlib import contextmanager, nullcontext
from threading import Thread
from unittest.mock import patch

import pytest
from django.db import connection, transaction
from fault_tools import wait_until

from ratings.federations.fmjd.models import FmjdListRow
from ratings.models import Pool, PublishedFile, RatingList
from ratings.production import calculate, write_list
from ratings.production.calculate import calculate_period
from ratings.production.imports import import_list
from ratings.production.periods.freeze_period import due_period, ensure_period, freeze_period
from ratings.production.request_calculation import request_calculation
from ratings.production.run_period import sign_draft
from ratings.publishing import list_files
from ratings.publishing.list_files import fill_emptied_files
from reporting.models import LogEntry, Player
from reporting.models.locks import NAMES, hold_names_lock
from reporting.models.register import ERASED_NAME
from reporting.refusals.domain_error import DomainError
from reporting.register.services.erase_name import erase_name

OPENING = "fmjd_id rating games\n11 2000 100\n12 2050 100\n13 2100 20"
NUMBER, NAME = 11, "Familyal, Givenal"

# Web and worker at once: the one erases, the other calculates.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database_role("owner")]
guard_on_and_off = pytest.mark.parametrize("has_guard", [True, False])


def erase(office):
    return erase_name(
        player=Player.objects.get(numbers__fmjd=NUMBER), reason="Asked for it.", by=office.officer
    )


def is_waiting_for_the_lock():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = %s"
            # Other tests have their databases on the same server.
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
            [NAMES],
        )
        return cursor.fetchone() != (0,)


class Elsewhere(Thread):
    """An act on another connection, to its end or until it waits for the lock."""

    def __init__(self, act):
        super().__init__()
        self.act, self.error = act, None

    def run(self):
        try:
            self.act()
        except Exception as error:  # a thread's error must not pass unseen
            self.error = error
        finally:
            connection.close()

    def begin(self):
        self.start()
        assert wait_until(lambda: not self.is_alive() or is_waiting_for_the_lock())

    def end(self):
        self.join(60)
        assert not self.is_alive()
        if self.error:
            raise self.error


@contextmanager
def erased_after(module, name, office, *, has_guard):
    """The name is erased once a function has done its work, before the transaction that called it ends."""
    act, erasure = getattr(module, name), Elsewhere(lambda: erase(office))

    def interrupted(*given, **arguments):
        outcome = act(*given, **arguments)
        if erasure.ident is None:
            erasure.begin()
            assert erasure.is_alive() == has_guard
        return outcome

    with (
        patch.object(module, name, interrupted),
        nullcontext() if has_guard else patch.object(calculate, "hold_names_lock", nullcontext),
        nullcontext() if has_guard else patch.object(list_files, "share_names_lock", lambda: None),
        nullcontext() if has_guard else patch.object(import_list, "share_names_lock", lambda: None),
    ):
        yield
    erasure.end()
    assert LogEntry.objects.filter(action="player.erase_name").count() == 1
    assert Player.objects.get(numbers__fmjd=NUMBER).last_name == ERASED_NAME


def names(rating_list):
    """What the list and its files call the player."""
    fill_emptied_files()
    files = PublishedFile.objects.filter(
        list=rating_list, has_names=True, name__in=["list.csv", "list.json", "list.txt"]
    )
    found = {FmjdListRow.objects.get(list=rating_list, register_number=NUMBER).name}
    for file in files:
        found |= {name for name in (NAME, ERASED_NAME) if name in bytes(file.content).decode()}
    return found


@pytest.fixture
def run(office):
    """The requested calculation of a quarter."""
    office.opening(OPENING)
    office.accept("Open", [11, 12, 13], ["1 1 2 2-0", "2 3 1 1-1"])
    pool = Pool.objects.get(code="fmjd-100")
    period = ensure_period(pool=pool, in_force=due_period(pool).in_force, by=office.officer)
    period = freeze_period(period=period, reason="a test", by=office.officer)
    return request_calculation(period=period, by=office.officer, wake_worker=False)


@guard_on_and_off
@pytest.mark.parametrize(
    ("module", "step"),
    [(calculate, "inputs_of_period"), (write_list, "_write_rows")],
    ids=["read", "written"],
)
def test_a_draft_keeps_no_name_that_is_erased_during_its_calculation(run, office, module, step, has_guard):
    with erased_after(module, step, office, has_guard=has_guard):
        draft = calculate_period(run=run)
    assert names(draft) == {ERASED_NAME if has_guard else NAME}
    published = sign_draft(rating_list=draft, by=office.officer, releaser=office.releaser)
    assert names(published) == {ERASED_NAME if has_guard else NAME}


@guard_on_and_off
def test_files_do_not_keep_a_name_that_is_erased_while_they_are_written_again(run, office, has_guard):
    draft = calculate_period(run=run)
    with connection.cursor() as cursor:
        cursor.execute("SELECT drop_draft_files(%s)", [draft.pk])
    with erased_after(list_files, "published_files", office, has_guard=has_guard):
        published = sign_draft(rating_list=draft, by=office.officer, releaser=office.releaser)
    assert names(published) == ({ERASED_NAME} if has_guard else {ERASED_NAME, NAME})


@guard_on_and_off
def test_an_opening_list_does_not_keep_a_name_that_is_erased_during_its_import(office, has_guard):
    office.register(11, 12, 13)
    with erased_after(write_list, "_write_rows", office, has_guard=has_guard):
        opening = office.opening(OPENING)
    assert names(opening) == {ERASED_NAME if has_guard else NAME}


def test_a_calculation_that_begins_during_the_erasure_reads_what_it_leaves(run, office):
    calculation = Elsewhere(lambda: calculate_period(run=run))
    with transaction.atomic():
        erase(office)
        calculation.begin()
        assert calculation.is_alive()
    calculation.end()
    run.refresh_from_db()
    assert names(run.list) == {ERASED_NAME}


def test_an_erasure_that_waits_too_long_is_refused_and_changes_nothing(run, office):
    def impatient():
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '100ms'")
        erase(office)

    erasure = Elsewhere(impatient)
    with hold_names_lock():
        erasure.start()
        with pytest.raises(DomainError) as refused:
            erasure.end()
    assert refused.value.key == "busy.listing"
    assert names(RatingList.objects.get()) == {NAME}
    assert not LogEntry.objects.filter(action="player.erase_name").exists()
