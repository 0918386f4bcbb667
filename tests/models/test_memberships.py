"""Memberships follow the player's row, written by the database; titles and memberships stay."""

from datetime import date, timedelta

import pytest
from django.db import IntegrityError, ProgrammingError, connection, transaction
from django.utils import timezone

from reporting.models import Federation, FederationMembership, Player, PlayerTitle
from reporting.register.services.dated_changes import transfers_on
from reporting.rules.register.registers import first_register
from tests.models.rows import player, title

pytestmark = pytest.mark.django_db


def spans(one: Player) -> list[tuple[str, date | None, date | None]]:
    rows = FederationMembership.objects.filter(player=one).order_by("pk")
    return list(rows.values_list("federation", "since", "until"))


@pytest.fixture
def one() -> Player:
    Federation.objects.bulk_create(
        [Federation(code="BEL", name="Belgium"), Federation(code="FRA", name="France")]
    )
    return player()


def transfer(one: Player, federation: str, day: date) -> None:
    with transaction.atomic(), transfers_on(day):
        Player.objects.filter(pk=one.pk).update(federation_id=federation)


def test_a_new_player_is_a_member_since_ever_and_now(one: Player) -> None:
    assert spans(one) == [("NED", None, None)]
    many = Player.objects.create_with_numbers(
        first_register(),
        (
            (number, Player(last_name="Many", sort_name="many, ", federation_id=code))
            for number, code in ((71, "BEL"), (72, "FRA"))
        ),
    )
    assert [spans(new) for new in many] == [[("BEL", None, None)], [("FRA", None, None)]]


def test_another_federation_ends_one_membership_and_begins_the_next(one: Player) -> None:
    transfer(one, "BEL", date(2026, 3, 3))
    assert spans(one) == [("NED", None, date(2026, 3, 3)), ("BEL", date(2026, 3, 3), None)]


def test_without_a_day_it_is_today_and_what_is_not_changed_is_no_transfer(one: Player) -> None:
    Player.objects.filter(pk=one.pk).update(federation_id="NED", last_name="Other")
    assert spans(one) == [("NED", None, None)]
    Player.objects.filter(pk=one.pk).update(federation_id="BEL")
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_date")
        (today,) = cursor.fetchone()
    assert spans(one) == [("NED", None, today), ("BEL", today, None)]


def test_a_transfer_of_an_earlier_day_replaces_what_was_recorded_for_later_days(one: Player) -> None:
    """Replaced rows stay, with both days equal: they count on no day."""
    transfer(one, "BEL", date(2026, 3, 3))
    transfer(one, "FRA", date(2026, 6, 1))
    transfer(one, "NED", date(2026, 3, 3))  # neither transfer took place
    assert spans(one) == [
        ("NED", None, date(2026, 3, 3)), ("BEL", date(2026, 3, 3), date(2026, 3, 3)),
        ("FRA", date(2026, 6, 1), date(2026, 6, 1)), ("NED", date(2026, 3, 3), None),
    ]  # fmt: skip
    transfer(one, "BEL", date(2026, 2, 1))
    assert spans(one)[0] == ("NED", None, date(2026, 2, 1))
    assert spans(one)[-1] == ("BEL", date(2026, 2, 1), None)


def test_a_transfer_of_a_coming_day_is_refused(one: Player) -> None:
    with pytest.raises(IntegrityError, match="coming day"):
        transfer(one, "BEL", timezone.localdate() + timedelta(days=2))
    assert spans(one) == [("NED", None, None)]


@pytest.mark.database_role("web")
@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO reporting_federationmembership (player_id, federation_id, since, until)"
        " SELECT id, 'BEL', '2026-01-01', '2026-01-01' FROM reporting_player",
        "UPDATE reporting_federationmembership SET until = '2026-01-01'",
        "DELETE FROM reporting_federationmembership",
        "TRUNCATE reporting_federationmembership",
        "UPDATE reporting_playertitle SET title = 'GMI'",
        "UPDATE reporting_playertitle SET registered_on = '2026-01-01'",
        "DELETE FROM reporting_playertitle",
        "TRUNCATE reporting_playertitle",
    ],
)
def test_no_statement_of_the_web_changes_what_was(one: Player, statement: str) -> None:
    title(player=one)
    refused = pytest.raises(ProgrammingError, match="permission denied")
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert spans(one) == [("NED", None, None)]
    assert PlayerTitle.objects.get().title == "MF"


@pytest.mark.database_role("owner")
@pytest.mark.parametrize("table", ["reporting_federationmembership", "reporting_playertitle"])
def test_the_owner_truncates_neither(table: str) -> None:
    with (
        pytest.raises(IntegrityError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"TRUNCATE {table} CASCADE")


def test_a_title_is_held_from_its_registration_up_to_its_withdrawal(one: Player) -> None:
    title(player=one, registered_on=date(2026, 3, 1), withdrawn_on=date(2026, 6, 1))
    held = [
        PlayerTitle.objects.held_on(day).exists()
        for day in (date(2026, 2, 28), date(2026, 3, 1), date(2026, 5, 31), date(2026, 6, 1))
    ]
    assert held == [False, True, True, False]
