"""The numbers of Annexes 2 and 9 that reports ask for, as dated editions. Old editions stay."""

from datetime import date

from reporting.federations.facet import Edition

ANNEX_9_2024_04 = Edition(
    in_force_from=date(2024, 4, 1),
    report_days=7,  # Art. 4.1, R11.
    announcement_days=14,  # Art. 1.2.1.3, R11.
    # Annex 2 art. 3f; R13, R73a.
    oldest_of_youth={"juniors": 19, "cadets": 16, "mini-cadets": 13, "hopes": 10, "young-stars": 8},
    min_rounds=7,  # Annex 2 art. 3a, R21.
)
EDITIONS = (ANNEX_9_2024_04,)
"""All editions held, the oldest first."""
