"""Declarations for the open World Cup classification: recorded, refused, imported, and what they change (R71b)."""

from datetime import UTC, date, datetime
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction
from django.utils import timezone

from reporting.log.audit import Actor
from reporting.models import LogEntry, Role
from reporting.refusals.domain_error import DomainError
from tests.concurrency import run_concurrently
from tests.people import create_user
from tests.services import report_helpers
from tests.services.conftest import small_office
from tests.services.test_world_cup_commands import CUP, accept, answer_of, of_rows
from titles.federations.fmjd.models import WorldCupDeclaration
from titles.federations.fmjd.world_cup.declarations.selectors import declarations_of_year
from titles.federations.fmjd.world_cup.declarations.services import record_declaration, withdraw_declaration

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def december(monkeypatch):
    """It is 14 December 2026."""
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 12, 14, 12, tzinfo=UTC))


@pytest.fixture
def cup(office):
    """11 M, 12 W, 13 M, 14 M in a World Cup tournament of five stars from 6 to 8 March 2026, with one group."""
    office.register(11, 13, 14)
    office.register(12, sex="W")
    accept(office, "Cup", [11, 12, 13, 14], **CUP)


def official(federation="NED", name="nora"):
    person = {"roles": [Role.NATIONAL_OFFICIAL], "federation_id": federation}
    return Actor(create_user(f"{name}@example.org", name.title(), **person))


def declare(by, number=12, year=2026, on=date(2026, 3, 5)):
    return record_declaration(number=number, year=year, declared_on=on, by=by)


def refusal(by, **asked):
    before = (WorldCupDeclaration.objects.count(), LogEntry.objects.count())
    error = report_helpers.refusal(declare, by, **asked)
    assert before == (WorldCupDeclaration.objects.count(), LogEntry.objects.count())
    return error


def test_a_declared_woman_is_in_the_open_classification_of_the_year(office, cup):
    # Undeclared she is first of the women, 100 + 5 * 4 = 120, and is left out of the count of open places.
    women = answer_of("world_cup", "--on", "2026-12-31", "--women")
    assert of_rows(women, "fmjd_id", "points") == [(12, 120)]
    declaration = declare(office.officer)
    # Declared she is second of the open: 70 + 5 * 4 = 90, 11 has 100 + 5 * 6 = 130; 13 and 14 are now third and
    # fourth: 50 + 5 * 1 = 55, 40 + 5 * 1 = 45.
    open_ = answer_of("world_cup", "--on", "2026-12-31")
    assert of_rows(open_, "fmjd_id", "points") == [(11, 130), (12, 90), (13, 55), (14, 45)]
    assert answer_of("world_cup", "--on", "2026-12-31", "--women")["rows"] == []
    reserves = answer_of("reserve_list", "2027")
    assert of_rows(reserves, "fmjd_id") == [(11,), (12,), (13,), (14,)]
    # In 2027 the declaration of 2026 does not make her open: women's, with the results earned in it, which are none.
    assert of_rows(answer_of("world_cup", "--on", "2027-01-31"), "fmjd_id") == [(11,), (13,), (14,)]
    entry = LogEntry.objects.latest("pk")
    assert (entry.action, entry.subject) == ("declaration.record", f"declaration {declaration.pk}")
    assert entry.after == {"player": "12", "year": 2026, "declared_on": "2026-03-05"}


@pytest.mark.parametrize(
    ("asked", "key"),
    [
        ({"number": 99}, "declaration_player_unknown"),
        ({"number": 11}, "declaration_not_a_woman"),
        ({"number": 15}, "declaration_not_a_woman.unknown"),
        ({"on": date(2026, 12, 15)}, "declaration_day.future"),
        ({"on": date(2024, 12, 31)}, "declaration_day"),
        ({"year": 2025, "on": date(2026, 1, 1)}, "declaration_day"),
        ({"on": date(2026, 3, 6)}, "declaration_late"),
        ({"on": date(2026, 3, 7)}, "declaration_late"),
    ],
)
def test_a_declaration_is_refused_with_the_reason(office, cup, asked, key):
    office.register(15, sex="")
    assert refusal(office.officer, **asked).key == key


def test_who_came_too_late_reads_when_the_tournament_began(office, cup):
    message = refusal(office.officer, on=date(2026, 3, 6)).message
    assert "in 2026 began on 6 Mar 2026. A declaration is made before." in message


def test_a_tournament_from_1_january_asks_for_a_declaration_of_the_year_before(office):
    office.register(11, 13, 14)
    office.register(12, sex="W")
    accept(office, "Cup", [11, 12, 13, 14], first_day=date(2026, 1, 1), **CUP)
    assert refusal(office.officer, on=date(2026, 1, 1)).key == "declaration_late"
    declare(office.officer, on=date(2025, 12, 31))
    assert (12, 90) in of_rows(answer_of("world_cup", "--on", "2026-12-31"), "fmjd_id", "points")


def test_each_section_asks_whether_it_came_in_time(office, cup):
    """100 squares from 6 March, 64 squares from 6 May: on 1 April it is late for 100 squares only (decision 0204)."""
    accept(office, "Other", [11, 12, 13, 14], month=5, discipline='"64"', **CUP)
    assert refusal(office.officer, on=date(2026, 5, 6)).key == "declaration_late"
    declare(office.officer, on=date(2026, 4, 1))
    assert of_rows(answer_of("world_cup", "--on", "2026-12-31", "--women"), "fmjd_id") == [(12,)]
    open_64 = answer_of("world_cup", "--on", "2026-12-31", "--section", "64")
    assert (12, 90) in of_rows(open_64, "fmjd_id", "points")
    (shown,) = declarations_of_year(office.officer.user, 2026)
    assert shown.too_late == {"100": date(2026, 3, 6)}


def test_a_national_official_declares_today_for_the_own_federation(office):
    office.register(12, sex="W")
    nora, today = official(), date(2026, 12, 14)
    assert refusal(official("ITA", "ivo"), on=today).key == "forbidden.other_federation"
    assert refusal(nora, on=date(2026, 12, 13)).key == "declaration_day.federation"
    assert refusal(office.referee, on=today).code == "forbidden"
    declaration = declare(nora, year=2027, on=today)
    assert refusal(office.officer, year=2027).key == "declaration_twice"
    with pytest.raises(DomainError):
        withdraw_declaration(declaration=declaration, reason="No", by=nora)
    assert [one.declaration for one in declarations_of_year(nora.user, 2027)] == [declaration]
    assert declarations_of_year(official("BEL", "bea").user, 2027) == []


def test_what_was_recorded_by_mistake_is_withdrawn_once_and_counts_nowhere(office, cup):
    declaration = declare(office.officer)
    with pytest.raises(DomainError, match="reason"):
        withdraw_declaration(declaration=declaration, reason=" ", by=office.officer)
    withdraw_declaration(declaration=declaration, reason="Another player", by=office.officer)
    assert of_rows(answer_of("world_cup", "--on", "2026-12-31", "--women"), "fmjd_id") == [(12,)]
    again = {"declaration": declaration, "reason": "Again", "by": office.officer}
    assert report_helpers.refusal(withdraw_declaration, **again).key == "declaration_withdrawn"
    assert declare(office.officer, on=date(2026, 3, 4)).pk != declaration.pk


def test_the_database_refuses_to_change_a_declaration(office):
    office.register(12, sex="W")
    stored = WorldCupDeclaration.objects.filter(pk=declare(office.officer).pk)
    changes = [
        lambda: stored.update(declared_on=date(2026, 3, 4)),
        lambda: stored.update(year=2025),
        stored.delete,
        lambda: stored.update(withdrawn_at=timezone.now(), withdrawn_by=office.officer.user),
    ]
    for change in changes:
        with pytest.raises(DatabaseError), transaction.atomic():
            change()


FILE = """fmjd_id,year,declared_on
12,2026,2026-03-05
99,2026,2026-03-05
11,2026,2026-03-05
12,2026,2026-03-04
16,1900,2026-02-30
16,2026,
17,2026,2026-12-15
12,2025,2026-03-05
"""


def test_a_file_names_every_problem_with_its_line_and_stores_nothing(office, cup, tmp_path):
    office.register(16, 17, sex="W")
    file = tmp_path / "declarations.csv"
    file.write_text(FILE)
    errors = StringIO()
    with pytest.raises(CommandError, match="Nothing was changed"):
        call_command("import_world_cup_declarations", str(file), stderr=errors)
    assert [line.partition(".")[0] for line in errors.getvalue().splitlines()] == [
        "Line 3, fmjd_id: found 99",
        "Line 4, fmjd_id: found 11",
        "Line 5, fmjd_id: found 12",
        "Line 6, declared_on: found 2026-02-30",
        "Line 6, year: found 1900",
        "Line 7, declared_on: found nothing",
        "Line 8, declared_on: found 2026-12-15",
        "Line 9, declared_on: found 2026-03-05",
    ]
    assert not WorldCupDeclaration.objects.exists()
    file.write_text("fmjd_id,year,declared_on\n12,2026,2026-03-05\n16,2026,2026-03-05\n")
    out = StringIO()
    call_command("import_world_cup_declarations", str(file), stdout=out)
    assert out.getvalue() == "2 declarations recorded.\n"
    assert WorldCupDeclaration.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_one_is_recorded():
    office = small_office()
    office.register(12, sex="W")
    outcomes = run_concurrently(*[lambda: declare(office.officer)] * 2)
    refused = [one.key for one in outcomes if isinstance(one, DomainError)]
    assert refused == ["declaration_twice"]
    assert WorldCupDeclaration.objects.count() == 1
