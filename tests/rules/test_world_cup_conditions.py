"""A World Cup event before its report: due days, prizes, conditions, by hand from Annex 18 and its Appendix A."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from reporting.federations.fmjd.editions import ANNEX_9_2024_04 as EDITION
from reporting.federations.fmjd.world_cup_events import (
    EVENT_LIFECYCLE,
    EventConditions,
    EventMove,
    EventState,
    compare_prizes,
    event_due_days,
    unmet_conditions,
)
from reporting.rules.lifecycle import move

FIRST_DAY, IN_TIME = date(2027, 6, 15), date(2026, 12, 15)
THREE_STARS = EventConditions(
    stars=3, groups="one", prizes_open=(1200, 900, 800, 600, 450, 350, 250, 150), prizes_women=(600, 400, 300),
    system="swiss", rounds=9, tie_breaks=("short", "plus", "baliakin", "full"), referee_level="fmjd",
    entry_fee=Decimal(60), regulations_on=None,
)  # fmt: skip


@pytest.mark.parametrize(
    ("first_day", "days"),
    [
        # Six, four and three months before, the same day of the month or the last one of a shorter month.
        (date(2027, 6, 15), (date(2026, 12, 15), date(2027, 2, 15), date(2027, 3, 15))),
        (date(2027, 5, 31), (date(2026, 11, 30), date(2027, 1, 31), date(2027, 2, 28))),
    ],
)
def test_due_days(first_day, days):
    due = event_due_days(EDITION, first_day)
    assert (due.other_system, due.regulations, due.more_stars) == days


# Appendix A prints the sums below its columns.
SUMS = {3: (4700, 1300), 5: (7200, 2800), 7: (13_800, 6200), 9: (20_000, 10_000)}


def test_the_least_prizes_have_the_printed_sums_and_places():
    least = EDITION.world_cup_prizes
    assert {stars: (sum(prizes.open), sum(prizes.women)) for stars, prizes in least.items()} == SUMS
    assert {stars: (len(prizes.open), len(prizes.women)) for stars, prizes in least.items()} == {
        3: (8, 3), 5: (10, 6), 7: (10, 10), 9: (12, 10),
    }  # fmt: skip


def test_prizes_are_compared_place_by_place():
    # Second open 50 short; fourth women is more than asked; a ninth open prize is free to give.
    proposed = replace(
        THREE_STARS,
        prizes_open=(1200, 850, 800, 600, 450, 350, 250, 150, 100),
        prizes_women=(600, 400, 250, 50),
    )
    rows = compare_prizes(EDITION, proposed)
    assert [(row.place, row.open.least, row.open.short_by) for row in rows[:2]] == [
        (1, 1200, 0),
        (2, 900, 50),
    ]
    assert [(row.women.least, row.women.proposed, row.women.short_by) for row in rows[2:4]] == [
        (300, 250, 50), (0, 50, 0),
    ]  # fmt: skip
    assert (len(rows), rows[8].open.least, rows[8].open.short_by) == (9, 0, 0)
    assert compare_prizes(EDITION, replace(THREE_STARS, stars=1, prizes_open=(), prizes_women=())) == []


def unmet(today=IN_TIME, proposed_on=IN_TIME, **values):
    found = unmet_conditions(EDITION, replace(THREE_STARS, **values), FIRST_DAY, proposed_on, today)
    return [one.condition.value for one in found]


FIVE = {
    "stars": 5,
    "prizes_open": EDITION.world_cup_prizes[5].open,
    "prizes_women": EDITION.world_cup_prizes[5].women,
}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({}, []),
        ({"rounds": 7}, []),  # 11 to 18 players
        ({"rounds": 8}, ["system"]),
        ({"system": "round-robin", "rounds": 7}, []),  # 7 or 8 players once
        ({"system": "round-robin", "rounds": 10}, []),  # 6 players twice
        ({"system": "round-robin", "rounds": 11}, ["system"]),
        ({"tie_breaks": ("short", "full")}, ["tie-breaks"]),
        (
            {"system": "round-robin", "rounds": 9, "tie_breaks": ()},
            [],
        ),  # the order is that of the Swiss system
        ({"referee_level": "national"}, ["referee"]),
        ({"entry_fee": Decimal("60.01")}, ["fee"]),
        ({"prizes_women": (600, 400)}, ["prizes"]),
        ({"regulations_on": date(2027, 2, 15), "today": date(2027, 3, 1)}, []),
        ({"regulations_on": date(2027, 2, 16)}, ["regulations-late"]),
        ({"today": date(2027, 2, 15)}, []),
        ({"today": date(2027, 2, 16)}, ["regulations"]),
        # From five stars on any agreed system, announced six months before.
        (FIVE | {"rounds": 8, "tie_breaks": ("full",)}, []),
        (FIVE | {"rounds": 8, "proposed_on": date(2026, 12, 16)}, ["other-system-late"]),
        (FIVE | {"proposed_on": date(2026, 12, 16)}, []),
    ],
)
def test_conditions_that_are_not_met(values, expected):
    assert unmet(**values) == expected


def test_a_proposal_is_decided_once_and_an_approved_one_is_only_replaced():
    moves = {state: {str(made) for made in row.moves} for state, row in EVENT_LIFECYCLE.items()}
    assert moves == {
        "proposed": {"approve", "return", "replace"}, "approved": {"replace"}, "returned": set(), "replaced": set(),
    }  # fmt: skip
    with pytest.raises(ValueError, match="returned does not allow"):
        move(EVENT_LIFECYCLE, EventState.RETURNED, EventMove.APPROVE)
