"""Near misses of a search: what exactly one requirement prevents, and nothing else gives (art. 3 and 4).

The usual group has Rm 2220, category XI: an MI norm asks 53 % of 18 points, 9.54, so 10; an MF norm 8. A GMI norm
lacks the GMI met and the points, so it is never near. Six games are one requirement unmet of every title and norm by
place; by result the points are lacking too, all games are lost.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.annex10 import OPPONENTS, case_of, columns
from titles.federations.fmjd.inputs import NormInput
from titles.federations.fmjd.rules.parameters import ANNEX_10_2024_04 as PARAMETERS
from titles.federations.fmjd.search import find_norms
from titles.federations.fmjd.title_rules import Annex10
from titles.models import Norm

NINE_POINTS = "2 1 1 1 1 1 1 1 0"
SIX_LOST = {"opponents": OPPONENTS[:6], "results": "0 0 0 0 0 0"}
WORLD = {"competition": "world-championship"}
BLACK = {"referee": "national"}


def near_misses(example: dict[str, Any]) -> list[str]:
    """The near misses of the player, the higher title first: title, kind, colour, and what is not met."""
    given = columns(case_of(example))
    read = NormInput(given, np.arange(len(given.participations)), np.arange(len(given.games)), {})
    return [
        " ".join([norm.title, norm.kind, *filter(None, [norm.colour]), *unmet])
        for norm in find_norms(Annex10(PARAMETERS), PARAMETERS, read).found
        if norm.participation == 0 and norm.origin == Norm.Origin.NEAR_MISS
        for unmet in [[each.asks.code for each in norm.requirements if not each.met]]
    ]


@pytest.mark.parametrize(
    ("example", "expected"),
    [
        # One point is missing for MI; MF is achieved, and red.
        ({"results": NINE_POINTS}, ["MI result black points"]),
        # Place 7 of a World Championship is an MI norm (3.1.3): the missing point prevents nothing, be it black or red.
        ({"tournament": WORLD | BLACK, "player": "NED - 2200 @7", "results": NINE_POINTS},
         ["MF result red red_referee"]),
        ({"tournament": WORLD, "player": "NED - 2200 @7", "results": NINE_POINTS}, []),
        # Black by result: the referee alone prevents the red norm (4.4.1.5). So too where the place gives a black one.
        ({"tournament": BLACK}, ["MI result red red_referee", "MF result red red_referee"]),
        ({"tournament": WORLD | BLACK, "player": "NED - 2200 @7"},
         ["MI result red red_referee", "MF result red red_referee"]),
        # R33a: a woman's open norm is her norm of that level in women's titles.
        # 9 points: no open MI norm, so the sex decides on the MIF norm, which asks fewer points (table X-2). The MF
        # norm is achieved: as a woman she would have the MFF norm by it.
        ({"player": "NED - 2200 ?", "results": NINE_POINTS}, ["MI result black points", "MIF result black woman"]),
        # 10 points: the MI norm, red or black, is the MIF norm of a woman.
        ({"player": "NED - 2200 ?"}, []),
        ({"tournament": BLACK, "player": "NED - 2200 ?"},
         ["MI result red red_referee", "MF result red red_referee"]),
        # Of a woman too only the open norm is near to red.
        ({"tournament": BLACK, "player": "NED - 2200 W"},
         ["MI result red red_referee", "MF result red red_referee"]),
    ],
)  # fmt: skip
def test_a_near_miss_by_result_is_given_by_nothing_else(example: dict[str, Any], expected: list[str]) -> None:
    assert near_misses(example) == expected


@pytest.mark.parametrize(
    ("player", "women_only", "expected"),
    [
        # 3.1.2: MI and a GMI norm; 3.11.3.a: CMF, for taking part. What is held already, or below it, is not listed.
        ("NED - 2200 @4", False, ["GMI place red games", "MI title games", "CMF title games"]),
        ("NED CMF 2200 @4", False, ["GMI place red games", "MI title games"]),
        ("NED MF 2200 @4", False, ["GMI place red games", "MI title games"]),
        ("NED MI 2260 @4", False, ["GMI place red games"]),
        ("NED GMI 2310 @4", False, ["GMI place red games"]),
        # A women's title is below the open one of its level (R37d), not the other way round.
        ("NED MIF 2100 W @4", False, ["GMI place red games", "MI title games", "CMF title games"]),
        ("NED MI 2260 W @4", True, ["GMIF place red games"]),
        ("NED MIF 2100 W @4", True, ["GMIF place red games"]),
        ("NED MF+CMFF 2180 W @4", True, ["GMIF place red games", "MIF title games"]),
        ("NED CMFF 2000 W @10", True, ["MFF place red games"]),
    ],
)
def test_a_title_by_place_is_near_above_the_one_held(
    player: str, women_only: bool, expected: list[str]
) -> None:
    tournament = WORLD | {"women_only": women_only}
    assert near_misses({"tournament": tournament, "player": player, **SIX_LOST}) == expected


@pytest.mark.parametrize(
    ("details", "expected"),
    [
        # A national referee: the norm is black (4.4.1.5).
        (BLACK, ["GMI place black games", "MI title games", "CMF title games"]),
        # Six rounds too: two requirements are unmet.
        ({"rounds": 6, "round_days": [1, 2, 3, 4, 5, 6]}, []),
    ],
)
def test_a_near_miss_by_place_has_the_colour_of_the_group_and_one_requirement_unmet(
    details: dict[str, Any], expected: list[str]
) -> None:
    assert near_misses({"tournament": WORLD | details, "player": "NED - 2200 @4", **SIX_LOST}) == expected


# 12 of 18 points are 65 % (11.7) and give the MF norm of 4.7.1 in a round robin, in a Swiss to the champion only; the
# system is not known. The opponents of 2100 without titles give no norm by result.
NATIONAL = {"championship": "final", "system": "unknown"}
TWELVE_POINTS = [f"NED - 2100 {points}" for points in "222111111"]


@pytest.mark.parametrize(
    ("tournament", "expected"),
    [
        (NATIONAL, ["MF place black champion"]),
        # Place 10 of a European championship is an MF norm, black in a national championship.
        (NATIONAL | {"competition": "european-championship"}, []),
    ],
)
def test_a_norm_that_another_article_gives_is_no_near_miss(
    tournament: dict[str, Any], expected: list[str]
) -> None:
    example = {"tournament": tournament, "player": "NED - 2200 @10", "opponents": TWELVE_POINTS}
    assert near_misses(example) == expected
