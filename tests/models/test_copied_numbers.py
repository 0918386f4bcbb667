"""A player's numbers are rows of PlayerIdentity; each player's row has a copy that only the database writes."""

from threading import Event, Thread

import pytest
from django.db import IntegrityError, connection, transaction

from reporting.models import Player, PlayerIdentity
from tests.concurrency import wait_for_lock
from tests.models.rows import player
from tests.people import create_player

quick = pytest.mark.django_db


def numbers_of(one: Player) -> dict[str, int | str]:
    return Player.objects.get(pk=one.pk).numbers


def execute(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


@quick
def test_the_copy_follows_the_numbers():
    one = player()
    other = player()
    number = PlayerIdentity.objects.create(player=one, register="knsb", number="4711")
    PlayerIdentity.objects.create(player=one, register="national", number="NL-07")
    # Whole numbers where the register counts, text of national federations.
    assert numbers_of(one) == {**one.numbers, "knsb": 4711, "national": "NL-07"}
    number.number = "4712"
    number.save()
    assert numbers_of(one)["knsb"] == 4712
    number.player = other
    number.save()
    assert "knsb" not in numbers_of(one)
    assert numbers_of(other)["knsb"] == 4712
    number.delete()
    assert numbers_of(other) == other.numbers


@quick
def test_the_copy_cannot_be_written():
    one = player()
    known = dict(one.numbers)
    stale = Player.objects.get(pk=one.pk)
    PlayerIdentity.objects.create(player=one, register="fide", number="9")
    stale.last_name = "Other"
    stale.save()
    Player.objects.filter(pk=one.pk).update(numbers={"fmjd": 999})
    assert numbers_of(one) == {**known, "fide": 9}


@quick
def test_each_player_has_a_number_in_a_register_that_counts():
    one = player()
    refused = (
        "INSERT INTO reporting_player (last_name, first_name, sort_name, federation_id, sex)"
        " VALUES ('A', '', 'a', 'NED', '')",
        f"DELETE FROM reporting_playeridentity WHERE player_id = {one.pk}",
        # The numbers of national federations are text, and two of them may give the same one.
        f"UPDATE reporting_playeridentity SET register = 'national' WHERE player_id = {one.pk}",
    )
    for statement in refused:
        with pytest.raises(IntegrityError, match="has no number in a register"), transaction.atomic():
            execute(statement, "SET CONSTRAINTS ALL IMMEDIATE")


@quick
def test_a_player_is_found_by_a_number_and_has_an_address():
    first = player()
    knsb = create_player(4711, "knsb", last_name="Kuil", sort_name="kuil, ", federation_id="NED")
    assert (first.address, knsb.address) == (str(first.numbers["fmjd"]), "knsb-4711")
    assert (str(first.number), str(knsb.number)) == (str(first.numbers["fmjd"]), "KNSB 4711")
    for address, found in (
        (first.address, first), (f"fmjd-{first.address}", first), ("knsb-4711", knsb),
        ("4711", None), ("fide-4711", None), ("none-1", None), ("national-1", None),
    ):  # fmt: skip
        assert Player.objects.at_address(address) == found


@pytest.mark.django_db(transaction=True)
def test_of_two_numbers_given_at_once_none_is_lost():
    """The second is written while the first is not committed yet, so it waits and then copies both."""
    one = player()
    known = dict(one.numbers)
    written, go_on, waits = Event(), Event(), Event()

    def first():
        try:
            with transaction.atomic():
                PlayerIdentity.objects.create(player=one, register="knsb", number="4711")
                written.set()
                go_on.wait(30)
        finally:
            connection.close()

    def second():
        try:
            connection.ensure_connection()
            waits.set()
            PlayerIdentity.objects.create(player=one, register="fide", number="9")
        finally:
            connection.close()

    threads = [Thread(target=first), Thread(target=second)]
    threads[0].start()
    assert written.wait(30)
    threads[1].start()
    assert waits.wait(30)
    wait_for_lock()
    go_on.set()
    for thread in threads:
        thread.join(30)
    assert numbers_of(one) == {**known, "knsb": 4711, "fide": 9}
