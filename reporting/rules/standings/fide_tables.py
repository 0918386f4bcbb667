"""FIDE's conversion tables (FIDE Rating Regulations B.02, art. 8.1)."""

from __future__ import annotations

from typing import Final

import numpy as np

from reporting.rules.standings.cross_table import Integers

DIFFERENCE_BY_PERCENTAGE: Final = (
    *(
        0,
        7,
        14,
        21,
        29,
        36,
        43,
        50,
        57,
        65,
        72,
        80,
        87,
        95,
        102,
        110,
        117,
        125,
        133,
        141,
        149,
        158,
        166,
        175,
        184,
        193,
    ),
    *(
        202,
        211,
        220,
        230,
        240,
        251,
        262,
        273,
        284,
        296,
        309,
        322,
        336,
        351,
        366,
        383,
        401,
        422,
        444,
        470,
        501,
        538,
    ),
    *(589, 677, 800),
)
"""Table 8.1.1 (8.1a): the rating difference for 50 % to 100 %."""

FIRST_DIFFERENCES: Final = (
    *(
        0,
        4,
        11,
        18,
        26,
        33,
        40,
        47,
        54,
        62,
        69,
        77,
        84,
        92,
        99,
        107,
        114,
        122,
        130,
        138,
        146,
        154,
        163,
        171,
        180,
        189,
    ),
    *(
        198,
        207,
        216,
        226,
        236,
        246,
        257,
        268,
        279,
        291,
        303,
        316,
        329,
        345,
        358,
        375,
        392,
        412,
        433,
        457,
        485,
        518,
        560,
    ),
    *(620, 736),
)
"""Table 8.1.2 (8.1b): the first rating difference of 0.50, 0.51, … 1.00 for the higher rated player."""

_HIGHER_E2 = 50 + np.searchsorted(FIRST_DIFFERENCES, np.arange(FIRST_DIFFERENCES[-1] + 1), side="right") - 1


def expected_score_e2(difference: Integers) -> Integers:
    """Return the expected score in hundredths of a win for a difference of ratings (table 8.1.2)."""
    higher = _HIGHER_E2[np.minimum(np.abs(difference), FIRST_DIFFERENCES[-1])]
    return np.where(difference >= 0, higher, 100 - higher)


def rating_difference(percentage: Integers) -> Integers:
    """Return the rating difference for a whole percentage from 0 to 100 (table 8.1.1)."""
    differences = np.array(DIFFERENCE_BY_PERCENTAGE)
    return np.where(
        percentage >= 50, differences[np.abs(percentage - 50)], -differences[np.abs(percentage - 50)]
    )
