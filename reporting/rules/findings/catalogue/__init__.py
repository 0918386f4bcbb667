"""The catalogue of findings: for each code the step where it is corrected, and its sentences (R20 to R22).

A call site gives the code, the place and the values that the templates name; no sentence is written there. Codes are
stable: pages, answers and tests refer to them.
"""

from reporting.rules.findings.catalogue.code import NOTHING, Code
from reporting.rules.findings.catalogue.crosstable import CROSSTABLE_CODES
from reporting.rules.findings.catalogue.details import DETAIL_CODES
from reporting.rules.findings.catalogue.entries import ENTRY_CODES
from reporting.rules.findings.catalogue.files import EDIT_PROBLEMS, FILE_CODES, UNREAD
from reporting.rules.findings.catalogue.matching import MATCHING_CODES
from reporting.rules.findings.catalogue.register import REGISTER_CODES
from reporting.rules.findings.catalogue.rounds import PAIRING_CODES, ROUND_CODES
from reporting.rules.findings.catalogue.standings import STANDINGS_CODES
from reporting.rules.findings.catalogue.structure import STRUCTURE_CODES
from reporting.rules.findings.catalogue.trf import TRF_CODES
from reporting.rules.findings.catalogue.values import VALUE_CODES

__all__ = ["CODES", "EDIT_PROBLEMS", "NAME_CODES", "NOTHING", "RULING_CODES", "UNREAD"]

CODES: dict[str, Code] = {
    **FILE_CODES,
    **STRUCTURE_CODES,
    **VALUE_CODES,
    **CROSSTABLE_CODES,
    **TRF_CODES,
    **ENTRY_CODES,
    **ROUND_CODES,
    **STANDINGS_CODES,
    **MATCHING_CODES,
    **DETAIL_CODES,
    **REGISTER_CODES,
    **PAIRING_CODES,
}
"""The catalogue of codes. Each has a test that names its line and column."""

RULING_CODES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "R20",
        "a section missing or out of order",
        ("section-missing", "section-out-of-order", "section-repeated", "section-not-closed"),
    ),
    ("R20", "wrong number of fields", ("field-count",)),
    (
        "R20",
        "a tournament number missing, repeated or unknown in a result",
        ("number-missing", "number-unreadable", "number-repeated", "number-unknown"),
    ),
    ("R20", "a result not among 2-0 0-2 1-1 2x0 0x2 1x1 0x0", ("result-unknown",)),
    ("R20", "a player twice in one round, or as their own opponent", ("paired-twice", "self-play")),
    (
        "R20",
        "points that differ from the sum of the results (a pause gives 2)",
        ("points-differ", "pause-result"),
    ),
    (
        "R20",
        "dates that do not exist or are in the wrong order",
        ("date-unknown", "date-unreadable", "dates-reversed"),
    ),
    (
        "R20",
        "a name with characters outside the English alphabet (letters, space, hyphen, apostrophe), over 17 letters, "
        "or shortened (a single letter, a full stop, a slash)",
        ("name-outside-alphabet", "name-too-long", "name-shortened"),
    ),
    ("R20", "text over its maximum length", ("text-too-long",)),
    ("R20", "an unknown country", ("country-unknown", "country-missing")),
    ("R20", "a place used twice in an individual tournament that is finished", ("place-repeated",)),
    ("R20", "an FMJD-ID that does not exist", ("fmjd-id-unknown", "player-not-identified")),
    (
        "R20",
        "no date of birth for a player without FMJD-ID or in a youth or veterans' tournament",
        ("born-missing",),
    ),
    ("R20", "no sex for a player without FMJD-ID", ("sex-missing",)),
    (
        "R21",
        "name, country, birth or sex differs from the register",
        ("register-differs", "birth-date-differs", "birth-date-not-compared"),
    ),
    ("R21", "the same two players meet twice in a Swiss", ("met-before",)),
    ("R21", "colours very uneven", ("colours-uneven",)),
    ("R21", "fewer than 7 rounds", ("few-rounds",)),
    ("R21", "the winner is not the player in place 1", ("winner-not-first",)),
    ("R21", "place order contradicts the points", ("places-contradict-points",)),
    ("R21", "a player without ID looks like a registered one", ("looks-registered",)),
    ("R21", "the tournament looks like one already reported", ("looks-reported",)),
    ("R21", "the report is late", ("late-report",)),
    ("R21", "a round or a game is missing", ("round-missing", "game-missing", "result-missing")),
    ("R21", "not announced in time (R11)", ("not-announced",)),
)
"""Ruling, phrase and the codes that carry it out: every phrase of R20 and R21, in their words and order."""

NAME_CODES = frozenset({"name-outside-alphabet", "name-too-long", "name-shortened"})
"""Codes of R20's rules on names: errors in the form of art. 11, warnings in the exports of programs.

In an export they stay warnings for a player who is matched to the register; for one who is not,
``checks.check_new_player`` gives them as errors.
"""
