"""The newest lists of a pool by the rules of another pool: the command, its formats, and what it refuses."""

import csv
import io
import json
from datetime import date

import pytest
from django.core.management import CommandError, call_command

from ratings.models import Pool, RatingList
from ratings.office.selectors.forecast import read_only_snapshot
from ratings.office.selectors.recalculated.compare_rules import comparable_pools, compare_rules
from reporting.models import LogEntry

COLUMNS = ["id", "name", "federation", "games", "rating", "other", "difference"]


def compared(pool, other, periods):
    pools = {one.code: one for one in Pool.objects.all()}
    with read_only_snapshot():
        return compare_rules(pools[pool], pools[other], periods)


def run(*arguments):
    out = io.StringIO()
    call_command("compare_rules", *arguments, stdout=out)
    return out.getvalue()


def test_a_pool_by_its_own_rules_differs_in_nothing(season):
    """On all lists of the demonstration, at all their time controls; another discipline has the same rules."""
    entries = LogEntry.objects.count()
    newest = RatingList.objects.filter(pool__code="fmjd-100", state="published").latest(
        "in_force", "revision"
    )
    for other in ("fmjd-100", "fmjd-64"):
        found = compared("fmjd-100", other, 3)
        assert (found.players, found.changed, found.without_rating) == (newest.players, 0, 0)
        assert (found.mean, found.standard_deviation, found.assumptions) == (0, 0, ())
    assert LogEntry.objects.count() == entries


@pytest.mark.parametrize("other", ["knsb-klassiek", "knsb-rapid", "knsb-blitz", "iccf", "fmjd-100-rapid"])
def test_zz(season, other):
    print([(p.code, p.tempo, p.system, p.discipline) for p in comparable_pools()])
    print(run("--pool", "fmjd-100", "--periods", "3", "--with", other))
