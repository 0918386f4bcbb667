"""What the officer decides for one list: all findings at once, and nothing but what the system declares."""

from datetime import date

import pytest

from ratings.models import ListValues, Pool
from ratings.production.periods.list_values import set_list_values
from reporting.log.audit import Actor
from reporting.models import LogEntry, User
from tests.services.report_helpers import refusal
from tests.toy_games.installed import league_installed

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def league(transactional_db):
    with league_installed():
        yield Pool.objects.get(code="league")


def set_values(pool, table, in_force=date(2025, 7, 1)):
    officer = Actor(User.objects.get(email="officer@office.invalid"))
    return set_list_values(pool=pool, in_force=in_force, content=table.encode(), by=officer)


def refused(pool, table):
    error = refusal(set_values, pool, table)
    return error.code, [(one.code, one.line, one.column, one.found) for one in error.findings]


def test_values_are_replaced_and_logged_and_every_error_is_found_at_once(league):
    set_values(league, "born,rating\n2010,1100\n2009,1200\n")
    assert set_values(league, "born;rating\n2010;1150\n") == ((2010, 1150),)
    assert refused(league, "born,rating\n2010,1100\n2010,1200\n1800,\n") == (
        "values_refused",
        [("value-repeated", 3, 1, "2010"), ("number-unreadable", 4, 1, "1800"), ("value-missing", 4, 2, "")],
    )
    assert refused(league, "born,points\n")[1][0][0] == "column-missing"
    assert refused(Pool.objects.get(code="fmjd-64"), "born,rating\n") == ("no_values", [])
    assert ListValues.objects.get().rows == [[2010, 1150]]
    assert set_values(league, "born,rating\n") == ()
    assert not ListValues.objects.exists()
    logged = LogEntry.objects.filter(action="list.set_values").order_by("pk").values_list("before", "after")
    assert list(logged) == [
        ({"values": ""}, {"values": "2009,1200; 2010,1100"}),
        ({"values": "2009,1200; 2010,1100"}, {"values": "2010,1150"}),
        ({"values": "2010,1150"}, {"values": ""}),
    ]


def test_values_are_of_a_day_on_which_a_list_can_be(league):
    """Lists begin in 1983; none is made more than a year ahead."""
    days = {
        date(1, 1, 1): "too_far_back",
        date(1982, 12, 31): "too_far_back",
        date(2098, 6, 1): "too_far_ahead",
    }
    for day, code in days.items():
        assert refusal(set_values, league, "born,rating\n2010,1100\n", day).code == code
    set_values(league, "born,rating\n2010,1100\n", date(1983, 1, 1))
