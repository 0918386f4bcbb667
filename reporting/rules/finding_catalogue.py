"""The catalogue of findings: for each code its article, the step where it is corrected, and its sentences (R20 to R22).

A call site gives the code, the place and the values that the templates name; no sentence is written there. Codes are
stable: pages, answers and tests refer to them.
"""

from __future__ import annotations

from dataclasses import dataclass

from reporting.rules.sentences import Plural


@dataclass(frozen=True)
class Code:
    """A code of the catalogue.

    ``about`` is for the reference page. ``article`` is cited with it. ``step`` is the page of a report on which it is
    corrected; empty: the file's where it has a line, else the details'. ``message`` says what is wrong, ``found``,
    ``expected`` and ``suggestion`` what stands there, what belongs there and what to do.
    """

    about: str
    article: str
    message: str | Plural = ""
    expected: str | Plural = ""
    suggestion: str | Plural = ""
    found: str | Plural = "{found}"
    step: str = ""


_READABLE = "Annex 9 art. 4.1, 11; R22"
_FORM = "Annex 9 art. 11; R20"
_INTERPRETED = "Annex 9 art. 11; R21"
_CROSSTABLE = "Annex 9 art. 4.1; R20"

CODES: dict[str, Code] = {
    # the bytes
    "file-empty": Code("the file holds no text", _READABLE),
    "file-too-large": Code("a file over the limit", _READABLE),
    "file-too-costly": Code("a file that takes too much time or memory to read", _READABLE),
    "archive-refused": Code("an archive or a compressed file", _READABLE),
    "format-unknown": Code("no form that is read here", _READABLE),
    "workbook-refused": Code("a workbook with macros, encrypted or unpacking to too much", _READABLE),
    "workbook-unreadable": Code("a workbook that is damaged", _READABLE),
    "encoding-unknown": Code("the chosen code page is not offered", _READABLE),
    "encoding-unreadable": Code("bytes that are not text in this encoding", _READABLE),
    "line-end-unknown": Code("a carriage return without a line feed", _READABLE),
    "line-too-long": Code("a line too long to be one of a report", _READABLE),
    "character-forbidden": Code("a control, hidden or private character", _READABLE),
    "findings-cut": Code("more findings than are kept", _READABLE),
    "limit-players": Code("players over the limit", _READABLE),
    "limit-rounds": Code("rounds over the limit", _READABLE),
    "limit-games": Code("games over the limit", _READABLE),
    # the structure of art. 11
    "section-missing": Code("one of the three sections is not there", _FORM),
    "section-repeated": Code("a section that was there before", _FORM),
    "section-out-of-order": Code("sections in another order", _FORM),
    "section-not-closed": Code("a section without its end tag", _FORM),
    "section-end-unexpected": Code("an end tag without its section", _FORM),
    "tag-unknown": Code("a tag that the form does not have", _FORM),
    "text-outside-section": Code("text before, between or after the sections", _FORM),
    "line-unreadable": Code("a line of the Info section without =, or one that is not CSV", _FORM),
    "key-unknown": Code("a key that the form does not have", _FORM),
    "key-repeated": Code("a key that was there before", _FORM),
    "remark-not-closed": Code("a remark without its end tag", _FORM),
    "field-count": Code("a line with too many or too few fields", _FORM),
    # the cells of a spreadsheet
    "formula-refused": Code("a cell with a formula", _FORM),
    "cells-merged": Code("merged cells", _FORM),
    "hidden-part": Code("a hidden sheet, row or column", _INTERPRETED),
    "sheet-unknown": Code("a sheet that the form does not have", _INTERPRETED),
    "separator-unclear": Code("neither semicolons nor commas part all cells", _FORM),
    "column-repeated": Code("a heading that was there before", _FORM),
    # the values
    "type-unknown": Code("a type of competition that the form does not have", _FORM),
    "yes-or-no-unknown": Code("neither Y nor N", _FORM),
    "date-unreadable": Code("a date not written DD/MM/YYYY", _FORM),
    "date-unknown": Code("a day that is not in the calendar, or not of 1900 to 2100", _FORM),
    "country-missing": Code("no country", _FORM),
    "country-unknown": Code("a country that is not known", _FORM),
    "fmjd-id-unreadable": Code("an FMJD-ID that is not a number of up to 5 digits", _FORM),
    "number-missing": Code("a player without tournament number", _FORM),
    "number-unreadable": Code("a tournament number that is not a number from 1", _FORM),
    "place-unreadable": Code("a place that is not a number", _FORM),
    "points-missing": Code("a player without points", _FORM),
    "points-unreadable": Code("points that are not a whole number", _FORM),
    "sex-unknown": Code("neither W nor M", _FORM),
    "round-unreadable": Code("a round that is not a number from 1", _FORM),
    "result-unknown": Code("a result that the form does not have", _FORM),
    "pause-without-player": Code("a result of a pause against a pause", _FORM),
    "pause-result": Code("a pause that does not give 2 points", _FORM),
    # the crosstable
    "header-missing": Code("a crosstable without its line of column names", _CROSSTABLE),
    "column-missing": Code("a column that is needed", _CROSSTABLE),
    "column-unknown": Code("a column that is not known", "Annex 9 art. 4.1; R21"),
    "place-out-of-order": Code("a place that is not the line of the table", _CROSSTABLE),
    "name-missing": Code("a player without name", "Annex 9 art. 4.2.5, 11; R20"),
    "name-not-split": Code("a name that does not say which part is the surname", "Annex 9 art. 4.2.2; R21"),
    "title-unknown": Code("a title that FMJD does not have", "Annex 10 art. 1; R21"),
    "rating-unreadable": Code("a rating column that is not a category and a rating", "Annex 9 art. 6.3; R21"),
    "cell-unreadable": Code("a cell that is not opponent, colour and result", _CROSSTABLE),
    "opponent-unknown": Code("a cell that names a place not in the table", _CROSSTABLE),
    "cells-disagree": Code("the two cells of a game contradict each other", _CROSSTABLE),
    "forfeit-undecided": Code("regulatory results that the totals do not decide", "Annex 9 art. 11; R8, R20"),
    "pause-undecided": Code("empty cells that the total does not decide", "Annex 9 art. 11; R20"),
    # the lines of TRF16
    "columns-shifted": Code("fields that have moved to other columns", _CROSSTABLE),
    "half-point-bye": Code("a bye of half a point, which no pause gives", "Annex 9 art. 11; R20"),
    "game-not-rated": Code("a game of less than one move", "Annex 9 art. 5.3, 11; R8, R21"),
    "points-scale-differs": Code(
        "a points column that counts otherwise than the form says", "Annex 9 art. 11; R20, R25"
    ),
    "player-count-differs": Code("another number of players than the file says", "Annex 9 art. 4.1; R21"),
    # the report as a whole
    "corrects-unknown": Code("a correction of a tournament that nobody reported", "Annex 9 art. 6.2a; R23"),
    "number-repeated": Code("a tournament number used twice", _FORM),
    "number-unknown": Code("a result of a number that no player has", _FORM),
    "fmjd-id-repeated": Code("an FMJD-ID used twice", _FORM),
    "self-play": Code("a player against himself", _FORM),
    "paired-twice": Code("a player twice in one round", _FORM),
    "points-differ": Code("points that are not the sum of the results", _FORM),
    "place-repeated": Code("a place used twice", _FORM),
    "shared-places-differ": Code(
        "shared places that the players of the report do not have", "Annex 3 art. 5.11; R25, R52"
    ),
    "place-missing": Code("a player without place in a finished competition", _INTERPRETED),
    "dates-reversed": Code("the last day before the first", _FORM),
    "end-in-future": Code("a last round that is still to come", "Annex 9 art. 4.1; R20"),
    "born-missing": Code("no date of birth where one is asked", "Annex 9 art. 4.2.2.7, 11; R20"),
    "born-after-start": Code("born after the first day of the competition", _FORM),
    "born-unlikely": Code("an unlikely age", _INTERPRETED),
    "sex-missing": Code("no sex where it is asked", _FORM),
    "name-outside-alphabet": Code("a name outside the English alphabet", "Annex 9 art. 4.2.5.1, 11; R20"),
    "name-too-long": Code("a name over 17 letters", "Annex 9 art. 4.2.5.1, 11; R20"),
    "name-shortened": Code("a shortened name", "Annex 9 art. 4.2.5.2; R20"),
    "text-too-long": Code("a text over its maximum length", _FORM),
    "text-outside-alphabet": Code("a text outside the English alphabet", "Annex 9 art. 4.2.4, 11; R21"),
    "met-before": Code("two players meet again in a Swiss", "Annex 5 art. 3; R21"),
    "colours-uneven": Code("very uneven colours", "Annex 5 art. 3; R21"),
    "few-rounds": Code("fewer than 7 rounds", "Annex 2 art. 3a; R21"),
    "winner-not-first": Code("the winner is not the player in place 1", _INTERPRETED),
    "places-contradict-points": Code("more points and a lower place", _INTERPRETED),
    "no-players": Code("a report without players", _FORM),
    "no-games": Code("a report without games", _FORM),
    "round-missing": Code("a round without games", "Annex 9 art. 4.7; R21"),
    "game-missing": Code("a player who lacks a game or leaves before the end", "Annex 9 art. 4.7; R21"),
    "result-missing": Code(
        "a player without game or pause in a round who has one in a later round", "Annex 9 art. 4.7; R11, R21"
    ),
    "not-announced": Code(
        "not announced as many days before the first round as the regulations ask",
        "Annex 9 art. 1.2.1.3; R11, R21",
    ),
    "received-in-future": Code("a day of receipt that is still to come", "Annex 9 art. 4.1; R20"),
    "service-not-paid": Code("a table whose rating service is not paid", "Annex 9 art. 4.2.1b; R11, R21"),
    "late-report": Code("reported after the last day in time", "Annex 9 art. 4.1, 4.5; R11, R21"),
    "round-dates-differ": Code("days of rounds that do not fit the report", "Annex 9 art. 4.1.1; R20"),
    "player-details-unknown": Code(
        "the form names a number that no player has", "Annex 9 art. 4.1.1; R20", step="people"
    ),
    # against the register
    "fmjd-id-unknown": Code("an FMJD-ID that no player has", "Annex 9 art. 4.2.2.1, 11; R20", step="people"),
    "register-differs": Code(
        "the register says another thing of the player", "Annex 9 art. 4.2.2; R21", step="people"
    ),
    "birth-date-differs": Code(
        "a date of birth that differs from the register, said at submission",
        "Annex 9 art. 4.2.2; R21, R22a",
        step="people",
    ),
    "fmjd-id-merged": Code(
        "the number of an earlier record of a player", "Annex 9 art. 4.2.2.1; R24", step="people"
    ),
    "looks-registered": Code(
        "a player without FMJD-ID who looks like a registered one",
        "Annex 9 art. 4.2.2.1; R21, R24",
        step="people",
    ),
    "looks-reported": Code("a tournament that looks like one already reported", "Annex 9 art. 4.1; R21"),
    "same-file": Code(
        "a file that another report has too, said to the office alone", "Annex 9 art. 4.1; R21, R23"
    ),
    "player-not-identified": Code(
        "a name that is not one player of the register", "Annex 9 art. 4.2.2.1; R20", step="people"
    ),
    "player-entered-twice": Code("one person entered twice", "Annex 9 art. 11; R20"),
    # the form beside the file
    "details-unreadable": Code("facts that are not TOML", "Annex 9 art. 4.1.1; R22"),
    "detail-unknown": Code("a fact that is not asked", "Annex 9 art. 4.1.1; R22"),
    "detail-unreadable": Code(
        "a fact of the wrong kind, too long or out of range", "Annex 9 art. 4.1.1; R22"
    ),
    "detail-missing": Code("a fact that is needed", "Annex 9 art. 4.1.1; R22"),
    "details-contradict": Code("two facts that contradict each other", "Annex 9 art. 4.1.1; R22"),
    "details-differ": Code("the form says another thing than the file", "Annex 9 art. 4.1.1; R22"),
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
        ("register-differs", "birth-date-differs"),
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

PLAYER_CODES = frozenset(
    {
        "born-missing",
        "sex-missing",
        "name-not-split",
        "fmjd-id-unknown",
        "fmjd-id-merged",
        "birth-date-differs",
        "looks-registered",
        "register-differs",
        "player-not-identified",
        "player-entered-twice",
    }
)
"""Codes that are settled player by player: each is asked where the player is."""

NAME_CODES = frozenset({"name-outside-alphabet", "name-too-long", "name-shortened"})
"""Codes of R20's rules on names: errors in the form of art. 11, warnings in the exports of programs.

In an export they stay warnings for a player who is matched to the register; for one who is not,
``checks.check_new_player`` gives them as errors.
"""
