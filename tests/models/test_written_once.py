"""A correction and what is written with a draft: written once, with its draft, and never changed."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import product

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from ratings.federations.registry import rating_systems
from ratings.models import (
    Anomaly,
    AnomalyAnswer,
    CarriedCorrection,
    CarriedDifference,
    Correction,
    HeldRow,
    ListValues,
    Period,
    RatingList,
    RegisterRow,
)
from tests.models.rows import (
    INSTANT,
    accounts,
    anomaly,
    approve,
    carried,
    correction,
    frozen,
    list_values,
    next_period,
    period,
    player,
    publish,
    published_with,
    rating_list,
    revision,
    signed,
    user,
)


@pytest.mark.django_db
@accounts
def test_a_correction_stays_as_it_was_asked_for_but_for_one_withdrawal(account):
    asked, other = correction(), correction()
    changes = {
        "reason": "another", "later": "revise", "replaces": rating_list(state="superseded"),
        "requested_by": user(), "requested_at": INSTANT, "follows": other,
    }  # fmt: skip
    for name, value in changes.items():
        values = {name: value} | ({"later": "revise"} if name == "follows" else {})
        with pytest.raises(IntegrityError, match="stays as it was asked for"), transaction.atomic():
            Correction.objects.filter(pk=asked.pk).update(**values)
    Correction.objects.filter(pk=asked.pk).update(withdrawn_at=INSTANT)  # the twin
    for value in (None, datetime(2026, 5, 1, tzinfo=UTC)):
        with pytest.raises(IntegrityError, match="stays as it was asked for"), transaction.atomic():
            Correction.objects.filter(pk=asked.pk).update(withdrawn_at=value)


@pytest.mark.django_db
@accounts
def test_the_values_of_a_list_are_fixed_with_the_freeze_of_its_period(account):
    one = list_values()
    others = ListValues.objects.filter(pk=one.pk)
    others.update(rows=[[2010, 1200]])  # the twin: before its period is there
    july = period()
    others.update(rows=[[2010, 1300]])  # and while it is open
    Period.objects.filter(pk=july.pk).update(**frozen())
    for change in (
        lambda: others.update(rows=[]),
        lambda: others.update(in_force="2026-10-01"),
        others.delete,
        lambda: list_values(in_force=next_period(**frozen() | {"state": "published"}).in_force),
    ):
        with pytest.raises(IntegrityError, match="fixed with the freeze"), transaction.atomic():
            change()


@pytest.mark.django_db
@accounts
def test_a_correction_whose_revision_is_published_is_not_withdrawn(account):
    one, first = published_with()
    asked = correction(replaces=first)
    draft = revision(period=one, in_force=one.in_force, is_opening=False, correction=asked, **signed())
    with transaction.atomic():  # the twin: while it is a draft it can
        Correction.objects.filter(pk=asked.pk).update(withdrawn_at=INSTANT)
        transaction.set_rollback(True)
    publish(draft)
    with pytest.raises(IntegrityError, match="stays as it was asked for"):
        Correction.objects.filter(pk=asked.pk).update(withdrawn_at=INSTANT)


@contextmanager
def rolled_back() -> Iterator[None]:
    """A savepoint to which the test goes back, whatever was done or refused in it."""
    with transaction.atomic():
        try:
            yield
        finally:
            transaction.set_rollback(True)


WITH_A_DRAFT = {
    "anomaly": lambda draft: anomaly(list=draft, player=player()),
    "carried correction": lambda draft: CarriedCorrection.objects.create(list=draft, correction=correction()),
    "carried difference": lambda draft: carried(draft, player()),
    "held row": lambda draft: HeldRow.objects.create(list=draft, player=player(), values={}),
    "register row": lambda draft: register_row(draft, player()),
}


def register_row(draft, person):
    return RegisterRow.objects.create(list=draft, player=person, numbers=person.numbers, federation="NED")


LATER_STATES = ["norms_searched", "ready", "approved", "published", "superseded"]


def moved_to(draft, state):
    if state in ("approved", "published"):
        approve(draft)
    if state == "published":
        publish(draft)
    elif state != "approved":
        RatingList.objects.filter(pk=draft.pk).update(state=state)


@pytest.mark.django_db
@accounts
def test_what_is_found_and_carried_is_written_with_its_draft_only(account, subtests):
    for written, state in product(WITH_A_DRAFT, LATER_STATES):
        with subtests.test(f"{written}, {state}"), rolled_back():
            draft = rating_list()
            WITH_A_DRAFT[written](draft)  # the twin
            moved_to(draft, state)
            with pytest.raises(IntegrityError, match="is written with its draft"):
                WITH_A_DRAFT[written](draft)


@pytest.mark.django_db
def test_an_anomaly_has_a_list_that_is_there():
    missing = RatingList(pk=anomaly(player=player()).list_id + 1)
    with pytest.raises(IntegrityError, match="is written with its draft"):
        anomaly(list=missing, player=player())


@pytest.mark.django_db
@accounts
def test_an_anomaly_is_answered_until_the_draft_is_signed(account, subtests):
    for state in ("calculated", *LATER_STATES):
        with subtests.test(state), rolled_back():
            one = anomaly(player=player())
            moved_to(one.list, state)
            given = {"anomaly": one, "text": "so it is", "by": user()}
            if state in ("calculated", "norms_searched", "ready"):
                AnomalyAnswer.objects.create(**given)
                AnomalyAnswer.objects.create(**given | {"text": "another word"})  # the newest holds
                continue
            with pytest.raises(IntegrityError, match="this draft is signed"):
                AnomalyAnswer.objects.create(**given)


WRITTEN_ONCE = {
    Anomaly: {"data": {"x": 1}}, AnomalyAnswer: {"text": "another"}, CarriedCorrection: {"list_id": 1},
    CarriedDifference: {"rating": 2}, Correction: {"reason": "another"}, HeldRow: {"values": {"rating": 1}},
    RegisterRow: {"birth_year": 1990},
}  # fmt: skip


def one_of_each():
    draft, person = rating_list(), player()
    found = anomaly(list=draft, player=person)
    AnomalyAnswer.objects.create(anomaly=found, text="so it is", by=user())
    asked = correction()
    CarriedCorrection.objects.create(list=draft, correction=asked)
    carried(draft, person)
    HeldRow.objects.create(list=draft, player=person, values={})
    register_row(draft, person)


def change_it(model, verb):
    if verb == "update":
        model.objects.update(**WRITTEN_ONCE[model])
        return
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table}" if verb == "delete" else f"TRUNCATE {table} CASCADE")


SYSTEM_TABLES = [
    model._meta.db_table for system in rating_systems() for model in (system.row_model, system.change_model)
]
VERBS = ("update", "delete", "truncate")


@pytest.mark.django_db
@accounts
def test_it_is_neither_changed_nor_deleted(account, subtests):
    """The accounts lack the right, except to withdraw a correction; the owner meets the triggers, in any mode."""
    one_of_each()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for mode in ("origin", "replica") if account == "owner" else ("origin",):
            if account == "owner":
                cursor.execute(f"SET LOCAL session_replication_role = {mode}")
            for model, verb in product(WRITTEN_ONCE, VERBS):
                with (
                    subtests.test(f"{model.__name__}, {verb}, {mode}"),
                    rolled_back(),
                    pytest.raises(DatabaseError, match=r"refused|permission denied"),
                ):
                    change_it(model, verb)


@pytest.mark.django_db
@pytest.mark.database_role("owner")
def test_twin_without_its_triggers_it_would_be(subtests):
    one_of_each()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for other in WRITTEN_ONCE:
            cursor.execute(f"ALTER TABLE {other._meta.db_table} DISABLE TRIGGER ALL")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        # What a TRUNCATE of a correction reaches: the lists it made, and all that hangs on lists.
        for holder in ("ratings_calculationrun", "ratings_periodreport", "ratings_ratinglist",
                       "ratings_publishedfile", "ratings_playerhistory", *SYSTEM_TABLES, "titles_norm",
                       "titles_normlayout", "titles_normdecision", "ratings_signedstatement",
                       "ratings_publicchange"):  # fmt: skip
            cursor.execute(f"ALTER TABLE {holder} DISABLE TRIGGER ALL")
    for model, verb in product(WRITTEN_ONCE, VERBS):
        with subtests.test(f"{model.__name__}, {verb}"), rolled_back():
            change_it(model, verb)
            if verb == "update":
                assert model.objects.filter(**WRITTEN_ONCE[model]).exists()
            else:
                assert not model.objects.exists()
    transaction.set_rollback(True)
