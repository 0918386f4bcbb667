"""A column that lists have from one day on: earlier lists neither store nor print it, and stay as published.

The toy federation counts draws since 2026. Its list of July 2025 is published by a declaration without them; then the
column is added to its table and declared.
"""

from dataclasses import replace
from datetime import date

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from ratings.federations import registry
from ratings.models import RatingList
from ratings.rules.declared import Declaration
from tests.databases import point_connections_at
from tests.flows.test_toy_federation import exported, import_opening, publish_july, write_report
from tests.toy_federation.installed import toy_installed
from tests.toy_federation.rules import DECLARATION

pytestmark = pytest.mark.django_db(transaction=True)  # a calculation is a transaction of its own


def without_draws(declaration: Declaration) -> Declaration:
    """The declaration before the column was added."""
    places = ("figures", "list_file", "text_file", "list_page", "compared")
    return replace(
        declaration,
        rows=tuple(column for column in declaration.rows if column.name != "draws"),
        **{place: tuple(name for name in getattr(declaration, place) if name != "draws") for place in places},
    )


@pytest.fixture
def toy(transactional_db):
    with toy_installed(declaration=without_draws(DECLARATION)):
        yield


@pytest.fixture
def published(toy):
    """The list of July 2025, published without draws."""
    import_opening()
    publish_july()
    return RatingList.objects.get(system="toy", in_force="2025-07-01")


def verified(capfdbinary):
    capfdbinary.readouterr()
    call_command("verify_lists", "--pool", "toy", "--recalculate")
    return capfdbinary.readouterr().out.decode()


def test_a_column_added_later_is_on_later_lists_alone(published, tmp_path, capfdbinary):
    first = bytes(published.files.get(name="list.csv").content)
    assert b"draws" not in first
    # The column comes while lists are published: it is taken out of the table and added again.
    point_connections_at(USER=settings.DATABASE_USERS["owner"])
    call_command("migrate", "toy", "0001", verbosity=0)
    call_command("migrate", "toy", verbosity=0)
    point_connections_at(USER=settings.DATABASE_USERS["worker"])
    system = registry.rating_system("toy")
    vars(system)["declaration"] = DECLARATION
    assert "2 lists, all as they were published" in verified(capfdbinary)

    # In October 21 and 22 draw once, and 21 beats 22: the list of January 2026 has the draws.
    write_report(
        tmp_path / "later", "Autumn", date(2025, 10, 3), date(2025, 10, 5), players=[(21, "a", ""), (22, "b", "")],
        games=["1,1,2,1-1", "2,2,1,0-2"],
    )  # fmt: skip
    call_command("import_reports", str(tmp_path / "later"), "--accept")
    call_command("run_period", "toy", "--in-force", "2026-01-01")
    assert [(row["toy_id"], row["wins"], row["draws"]) for row in exported(capfdbinary)][:2] == [
        ("22", "0", "1"), ("21", "1", "1")
    ]  # fmt: skip
    july = exported(capfdbinary, "--in-force", "2025-07-01")
    assert ["draws" in row for row in july] == [False] * len(july)
    assert set(published.rows.values_list("draws", flat=True)) == {None}
    assert "3 lists, all as they were published" in verified(capfdbinary)

    # Without the day every list would have to have the column: verification says that July does not.
    rows = tuple(replace(column, since=None) for column in DECLARATION.rows)
    vars(system)["declaration"] = replace(DECLARATION, rows=rows)
    with pytest.raises(CommandError, match="differences in 3 lists"):
        verified(capfdbinary)


def test_a_list_has_the_columns_declared_for_its_day():
    before, since = DECLARATION.on(date(2025, 12, 31)), DECLARATION.on(date(2026, 1, 1))
    assert since is DECLARATION
    assert before == without_draws(DECLARATION)


def test_pages_of_a_list_have_its_own_columns(published, client):
    vars(registry.rating_system("toy"))["declaration"] = DECLARATION
    assert RatingList.objects.get(pk=published.pk).declaration == without_draws(DECLARATION)
    page = client.get("/lists/toy/2025-07-01/r1/full/").content.decode()
    assert "Wins" in page
    assert "Draws" not in page
