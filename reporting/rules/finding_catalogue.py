"""The catalogue of findings: for each code its article, the step where it is corrected, and its sentences (R20 to R22).

A call site gives the code, the place and the values that the templates name; no sentence is written there. Codes are
stable: pages, answers and tests refer to them.
"""

from __future__ import annotations

from dataclasses import dataclass

from reporting.rules.sentences import IfGiven, Plural, Template

NOTHING = "nothing"
"""What is found where the place is empty."""


@dataclass(frozen=True)
class Code:
    """A code of the catalogue, or one of its cases.

    A key is a code, or a code and a case after a full stop where a code has several sentences. A case gives only the
    sentences that differ from those of its code. ``about`` is for the reference page. ``article`` is cited with it.
    ``severity`` is error or warning, unless the call site gives another one. ``step`` is the page of a report on which
    it is corrected; empty: the file's where it has a line, else the details'. ``message`` says what is wrong,
    ``expected`` and ``suggestion`` what belongs there and what to do. ``found`` is a sentence where it is not text of
    the file.
    """

    about: str
    article: str
    message: Template = ""
    expected: Template = ""
    suggestion: Template = ""
    found: Template = ""
    step: str = ""
    severity: str = "error"


_READABLE = "Annex 9 art. 4.1, 11; R22"
_FORM = "Annex 9 art. 11; R20"
_INTERPRETED = "Annex 9 art. 11; R21"
_CROSSTABLE = "Annex 9 art. 4.1; R20"
_REGISTER = "docs/decisions/0017-register.md"
_TABLE = "docs/how-to/first-quarter.md"

_DETAILS = "Annex 9 art. 4.1.1; R22"

_BETWEEN = IfGiven(
    IfGiven("a day from {first:date} to {last:date}", "a day from {first:date} on", by="last"),
    "a day up to {last:date}",
    by="first",
)

_TALLY = IfGiven(
    IfGiven(
        Plural(
            "{summed}: {won} won, {drawn} drawn, {lost} lost, {regulatory} by decision of the referee, {pauses} pause",
            "{summed}: {won} won, {drawn} drawn, {lost} lost, {regulatory} by decision of the referee, {pauses} pauses",
            by="pauses",
        ),
        "{summed}: {won} won, {drawn} drawn, {lost} lost, {regulatory} by decision of the referee",
        by="pauses",
    ),
    IfGiven(
        Plural(
            "{summed}: {won} won, {drawn} drawn, {lost} lost, {pauses} pause",
            "{summed}: {won} won, {drawn} drawn, {lost} lost, {pauses} pauses",
            by="pauses",
        ),
        "{summed}: {won} won, {drawn} drawn, {lost} lost",
        by="pauses",
    ),
    by="regulatory",
)
"""The sum of a player's results."""

_FOUND_IN_DETAILS = IfGiven(
    IfGiven(
        "line {line_found}, column {column_found}: {length:,} characters",
        "line {line_found}, column {column_found}: {text}",
        by="length",
    ),
    IfGiven("{length:,} characters", "{text}", by="length"),
    by="line_found",
)
"""A value of the details: with its place in a details file; of a private one only its length."""

CODES: dict[str, Code] = {
    # the bytes
    "file-empty": Code("the file holds no text", _READABLE),
    "file-too-large": Code("a file over the limit", _READABLE),
    "file-too-costly": Code(
        "a file that takes too much time or memory to read",
        _READABLE,
        "Reading this file took too much time or memory. No data was imported.",
        "the report of one tournament, as a tournament program or the template writes it",
        "Export the tournament again, or enter the results on the pages of the report.",
    ),
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
    "name-missing": Code(
        "a player without name",
        "Annex 9 art. 4.2.5, 11; R20",
        "First name or surname is missing.",
        "first name and surname in full",
        "Write both names as in the passport, in English letters.",
        NOTHING,
    ),
    "name-not-split": Code(
        "a name that does not say which part is the surname",
        "Annex 9 art. 4.2.2; R21",
        "It is not clear which part of the name is the surname.",
        "Last, First",
        "Write the surname first, then a comma, or choose the player on the page People.",
    ),
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
    "corrects-unknown": Code(
        "a correction of a tournament without an accepted report",
        "Annex 9 art. 6.2a; R23",
        "There is nothing to correct: no report of a tournament with this code has been accepted.",
        "the code in the address of the tournament's page",
        "Look the tournament up, or leave this field empty if this is its first report.",
    ),
    "number-repeated": Code(
        "a tournament number used twice",
        _FORM,
        "Line {first_line} already has this tournament number.",
        "each number once",
        "Give each player a different number, and check the results of both players.",
    ),
    "number-unknown": Code(
        "a result of a number that no player has",
        _FORM,
        Plural(
            "No player of the report has this number.",
            "No player of the report has this number. {count} results use it: lines {lines}.",
            by="count",
        ),
        "a tournament number of the section players, or 0 for a pause",
        "Correct the number, or add the player.",
        "{number}",
    ),
    "fmjd-id-repeated": Code(
        "an FMJD-ID used twice",
        _FORM,
        "Line {first_line} already has this FMJD-ID.",
        "each FMJD-ID once",
        "Look both players up in the register.",
    ),
    "self-play": Code(
        "the same player on both sides of a game",
        _FORM,
        "White and black are the same player.",
        "two different players",
        "Correct the number of the opponent.",
        "{number} against {number}",
    ),
    "paired-twice": Code(
        "a player twice in one round",
        _FORM,
        "Line {first_line} already has a result of this player in round {round}.",
        "each player once in a round",
        "Correct the round or the number.",
        "{number} again in round {round}",
    ),
    "paired-twice.pair": Code(
        "a pair twice in one round",
        _FORM,
        "Line {first_line} already has a result of this pair in round {round}.",
        suggestion="Delete one of the two lines, or correct the round or the numbers.",
        found="{white} against {black} again in round {round}",
    ),
    "points-differ": Code(
        "points that are not the sum of the results",
        _FORM,
        "The points are not the sum of the results.",
        _TALLY,
        IfGiven(
            "Either the points are {summed}, or a result of number {number} is wrong or missing: "
            "there is none in round {rounds}.",
            "Either the points are {summed}, or a result of number {number} is wrong.",
            by="rounds",
        ),
        Plural("{printed} point", "{printed} points", by="printed"),
    ),
    "points-differ.most": Code(
        "points of most players that are not the sum of their results",
        _FORM,
        "The points of {count} of {total} players are not the sum of their results.",
        suggestion="Check whether the points are in another column, or results are missing.",
        found=Plural(
            "{printed} point of number {number}", "{printed} points of number {number}", by="printed"
        ),
    ),
    "place-repeated": Code(
        "a place used twice",
        _FORM,
        "Line {first_line} already has this place.",
        "each place once in an individual tournament, unless the details say that it is shared",
        "Number the places 1, 2, 3, …, or enter the group under Shared places in the details.",
    ),
    "shared-places-differ": Code(
        "shared places with another number of players",
        "Annex 3 art. 5.11; R25, R52",
        "The shared places in the details do not match the players of the report.",
        Plural("{wanted} player", "{wanted} players", by="wanted"),
        "Correct Shared places in the details, or the places in the file.",
        Plural("places {places} with {count} player", "places {places} with {count} players", by="count"),
    ),
    "shared-places-differ.points": Code(
        "shared places of players with different points",
        "Annex 3 art. 5.11; R25, R52",
        expected="players with the same points",
        found="places {places} with {points} points",
    ),
    "shared-places-differ.teams": Code(
        "shared places in a team tournament",
        "Annex 3 art. 5.11; R25, R52",
        expected="an individual tournament",
        found="a team tournament",
    ),
    "place-missing": Code(
        "a player without place in a finished tournament",
        _INTERPRETED,
        "The tournament is finished, but this player has no place.",
        "a place for each player, or 0 for all",
        "Enter the place, or comment that the player is not classified.",
        severity="warning",
    ),
    "dates-reversed": Code(
        "the last day before the first",
        _FORM,
        "The last round is before the first.",
        "the first day, then the last",
        "Exchange the two days, or correct one of them.",
        "{played_from:date} to {played_to:date}",
    ),
    "end-in-future": Code(
        "a last round in the future",
        "Annex 9 art. 4.1; R20",
        "The last round is in the future.",
        "a day up to {today:date}",
        "Correct the day, or submit the report when the tournament is finished.",
        "{played_to:date}",
    ),
    "born-missing": Code(
        "no date of birth where one is required",
        "Annex 9 art. 4.2.2.7, 11; R20",
        "The date of birth is missing. Players without FMJD-ID need it.",
        "DD/MM/YYYY",
        "Ask the player, or enter the FMJD-ID if the player has one.",
        NOTHING,
    ),
    "born-missing.age-group": Code(
        "no date of birth in a youth or veterans' tournament",
        "Annex 9 art. 4.2.2.7, 11; R20",
        "The date of birth is missing. Youth and veterans' tournaments require it of all players.",
    ),
    "born-after-start": Code(
        "born after the first day of the tournament",
        _FORM,
        "The player was born after the tournament began.",
        "a day before {played_from:date}",
        "Correct the year of birth.",
        "{born:date}",
    ),
    "born-unlikely": Code(
        "an unlikely age",
        _INTERPRETED,
        Plural("The player would be {age} year old.", "The player would be {age} years old.", by="age"),
        "an age from {youngest} to {oldest}",
        "Check the year of birth.",
        "{born:date}",
        severity="warning",
    ),
    "sex-missing": Code(
        "no sex where it is required",
        _FORM,
        "The sex is missing. Players without FMJD-ID need it.",
        "W or M",
        "Enter W for a woman, M for a man, or the FMJD-ID.",
        NOTHING,
    ),
    "name-outside-alphabet": Code(
        "a name outside the English alphabet",
        "Annex 9 art. 4.2.5.1, 11; R20",
        "The name has the character “{character}”, which is not in the English alphabet.",
        "letters A to Z, space, hyphen and apostrophe",
        IfGiven(
            "Write {in_english_letters}, if that is the name.",
            "Write the name in English letters.",
            by="in_english_letters",
        ),
    ),
    "name-too-long": Code(
        "a name over 17 letters",
        "Annex 9 art. 4.2.5.1, 11; R20",
        "The name has more than {max_length} letters.",
        "at most {max_length} letters; there are {length}",
        "Leave out a middle name.",
    ),
    "name-shortened": Code(
        "a shortened name",
        "Annex 9 art. 4.2.5.2; R20",
        "The name is shortened. Initials and short forms are not allowed.",
        "each name in full, without a single letter, full stop or slash",
        "Write the whole name.",
    ),
    "text-too-long": Code(
        "a text over its maximum length",
        _FORM,
        Plural("The text has {length} character.", "The text has {length} characters.", by="length"),
        "at most {max_length} characters",
        "Shorten it.",
    ),
    "text-too-long.detail": Code(
        "a text over its maximum length in the file, which the details can hold",
        _FORM,
        suggestion="Shorten it. The details can hold the full text.",
    ),
    "text-outside-alphabet": Code(
        "a text outside the English alphabet",
        "Annex 9 art. 4.2.4, 11; R21",
        "The text has the character “{character}”, which is not in the English alphabet.",
        "letters of the English alphabet",
        "Write the text in English letters.",
        severity="warning",
    ),
    "met-before": Code(
        "two players meet again in a Swiss",
        "Annex 5 art. 3; R21",
        "These two players already met in round {first_round} (line {first_line}).",
        "each pair once in a Swiss",
        "Check rounds {first_round} and {round} against the score sheets.",
        "{white} against {black} in rounds {first_round} and {round}",
        severity="warning",
    ),
    "colours-uneven": Code(
        "very uneven colours",
        "Annex 5 art. 3; R21",
        "The colours of this player are very uneven.",
        "a difference of at most {max_difference}",
        "Check the colours, or explain them.",
        "white: {white}, black: {black}",
        severity="warning",
    ),
    "few-rounds": Code(
        "fewer than 7 rounds",
        "Annex 2 art. 3a; R21",
        Plural("The tournament has {rounds} round.", "The tournament has {rounds} rounds.", by="rounds"),
        "at least {min_rounds}",
        "Explain why, or add the missing rounds. Norms need {min_rounds} rounds.",
        Plural("{rounds} round", "{rounds} rounds", by="rounds"),
        severity="warning",
    ),
    "winner-not-first": Code(
        "the winner is not the player in place 1",
        _INTERPRETED,
        "The winner is not the player in place 1.",
        "{first_name}, place 1 on line {first_line}",
        "Correct the winner or the places, or explain the difference, for example a tie-break.",
        severity="warning",
    ),
    "places-contradict-points": Code(
        "more points and a lower place",
        _INTERPRETED,
        "The player in place {place_ahead} (line {line_ahead}) has fewer points.",
        "places in the order of the points",
        "Correct the places, or name the rule by which they were given.",
        "place {place} with {points} points, place {place_ahead} with {points_ahead}",
        severity="warning",
    ),
    "no-players": Code(
        "a report without players",
        _FORM,
        "The report has no players.",
        "a line for each player",
        "Export the tournament again with its players.",
        "no line of a player",
    ),
    "no-games": Code(
        "a report without games",
        _FORM,
        "The report has no games.",
        "a result for each game",
        "Export the tournament again with its results.",
        "no result",
    ),
    "round-missing": Code(
        "a round without games",
        "Annex 9 art. 4.7; R21",
        "Round {missing} has no result.",
        "rounds 1 to {last}",
        "Add the results of the round, or explain why it was not played. "
        "An incomplete report is calculated only if the rating officer admits it.",
        "round {next} without round {missing}",
        severity="warning",
    ),
    "game-missing": Code(
        "a player of a Swiss who leaves before the end",
        "Annex 9 art. 4.7; R21",
        "A game of this player is missing.",
        "a game or a pause in each of the {round_count} rounds",
        "Add the result, or explain why there is none, for example absent or retired.",
        "no result in round {rounds}",
        severity="warning",
    ),
    "game-missing.opponents": Code(
        "a player of a round robin who lacks a game",
        "Annex 9 art. 4.7; R21",
        expected="{times} against each of the other players",
        found=Plural(
            "no game against {opponents}", "fewer than {times} games against {opponents}", by="times"
        ),
        severity="warning",
    ),
    "result-missing": Code(
        "a player without game or pause in a round who has one in a later round",
        "Annex 9 art. 4.7; R11, R21",
        "This player has no result in a round, but one in round {last}.",
        "a game or a pause in each of the {round_count} rounds",
        "Add the result, or explain why there is none. "
        "An incomplete report is calculated only if the rating officer admits it.",
        "no result in round {rounds}",
        severity="warning",
    ),
    "not-announced": Code(
        "not announced as many days before the first round as the regulations require",
        "Annex 9 art. 1.2.1.3; R11, R21",
        "The tournament was not announced {notice} days before its first round.",
        "a day up to {latest:date}",
        "Choose its announcement on the page Details, or explain why there is none in time. "
        "The report is calculated only if the rating officer admits it.",
        IfGiven("{announced:date}", "no day of announcement", by="announced"),
        severity="warning",
    ),
    "received-in-future": Code(
        "a day of receipt in the future",
        "Annex 9 art. 4.1; R20",
        "This day is in the future.",
        "a day up to {today:date}",
        "Enter the day on which it reached the office, or nothing for today.",
        "{received:date}",
    ),
    "received-before-end": Code(
        "a day of receipt before the last round",
        _DETAILS,
        "The day of receipt is before the last round.",
        "a day from {played_to:date} on",
        "Correct the day of receipt or the day of the last round.",
        "received {received:date}, last round {played_to:date}",
    ),
    "service-not-paid": Code(
        "a table whose rating service is not paid",
        "Annex 9 art. 4.2.1b; R11, R21",
        "The rating service for a report in table form is not free.",
        "a confirmation that it is paid",
        "Confirm the payment in the details. An unpaid report is calculated only if the rating officer admits it.",
        "no confirmation",
        severity="warning",
    ),
    "late-report": Code(
        "reported after the last day in time",
        "Annex 9 art. 4.1, 4.5; R11, R21",
        Plural(
            "The report was received {days} day after the last round.",
            "The report was received {days} days after the last round.",
            by="days",
        ),
        "up to {due:date}",
        "Explain why. The report is calculated only if the rating officer admits it.",
        "{received:date}",
        severity="warning",
    ),
    "round-dates-differ": Code(
        "another number of days than of rounds",
        "Annex 9 art. 4.1.1; R20",
        "There is not one day for each round.",
        Plural("{rounds} day, one for each round", "{rounds} days, one for each round", by="rounds"),
        "Enter one day for each round, in order, from the first day to the last.",
        Plural("{days} day", "{days} days", by="days"),
    ),
    "round-dates-differ.outside": Code(
        "a round outside the days of the tournament",
        "Annex 9 art. 4.1.1; R20",
        "The day of round {round} is outside the days of the tournament.",
        _BETWEEN,
        found="round {round}: {day:date}",
    ),
    "round-dates-differ.order": Code(
        "a round before an earlier one",
        "Annex 9 art. 4.1.1; R20",
        "The day of round {round} is out of order.",
        _BETWEEN,
        found="round {round}: {day:date}",
    ),
    "player-details-unknown": Code(
        "the details name a number that no player has",
        "Annex 9 art. 4.1.1; R20",
        "The details give an FMJD-ID for a number that no player has.",
        "tournament numbers of the report",
        "Remove the entry on the page People, or correct its number in the details file.",
        "{number} = {fmjd_id}",
        step="people",
    ),
    "new-player-unknown": Code(
        "the details name a new player who is not one",
        "Annex 9 art. 4.1.1; R20",
        "The details name a new player who is not in the report, or who has an FMJD-ID.",
        "tournament numbers of players without FMJD-ID",
        "Remove the entry on the page People, or correct its number in the details file.",
        step="people",
    ),
    # against the register
    "fmjd-id-unknown": Code(
        "an FMJD-ID that no player has",
        "Annex 9 art. 4.2.2.1, 11; R20",
        "No player has this FMJD-ID.",
        "the number of a registered player, or 0 for a new one",
        IfGiven(
            "Is it {candidates}?",
            "Look {name} up in the register. A new player gets a number when the report is accepted.",
            by="candidates",
        ),
        step="people",
    ),
    "register-differs": Code(
        "the register has a different value for the player",
        "Annex 9 art. 4.2.2; R21",
        "{detail:text} differs from the register (FMJD-ID {fmjd_id}).",
        "{registered}",
        IfGiven(
            "If the FMJD-ID is right, comment which needs a correction, the register or the report. "
            "Or is it {candidates}?",
            "If the FMJD-ID is right, comment which needs a correction, the register or the report.",
            by="candidates",
        ),
        step="people",
        severity="warning",
    ),
    "birth-date-differs": Code(
        "a date of birth that differs from the register, reported at submission",
        "Annex 9 art. 4.2.2; R21, R22a",
        "The date of birth of FMJD-ID {fmjd_id} differs from the register.",
        suggestion="Check the FMJD-ID and the date of birth. If both are right, comment on it.",
        found="",
        step="people",
        severity="warning",
    ),
    "fmjd-id-merged": Code(
        "the number of a player record that was merged into another",
        "Annex 9 art. 4.2.2.1; R24",
        "FMJD-ID {duplicate} was merged into {surviving} ({name}).",
        "{surviving}",
        "The games count for {surviving}. If another person played, enter that person's FMJD-ID.",
        "{duplicate}",
        step="people",
        severity="warning",
    ),
    "looks-registered": Code(
        "a player without FMJD-ID who looks like a registered one",
        "Annex 9 art. 4.2.2.1; R21, R24",
        "The player has no FMJD-ID here, but looks like a registered player.",
        "{candidates}",
        "If it is the same person, enter the FMJD-ID. If not, comment on it.",
        "0",
        step="people",
        severity="warning",
    ),
    "looks-reported": Code(
        "a tournament that looks like one already reported",
        "Annex 9 art. 4.1; R21",
        "This looks like {name} ({code}), {played_from:date} to {played_to:date}, which has been reported.",
        "a tournament that was not reported before",
        "If it is the same tournament, withdraw this report, or enter in its details that it corrects that "
        "tournament. If not, explain the difference.",
        "{common_players} of {player_count} players and {common_results} of {result_count} results the same",
        severity="warning",
    ),
    "same-file": Code(
        "a file that another report has too, shown only to the office",
        "Annex 9 art. 4.1; R21, R23",
        "Report {report} has the same file.",
        "a file that no other report has",
        "Find out who should report this tournament, and reject the other report.",
        "report {report} ({state:text}) by {submitter}",
        severity="warning",
    ),
    "player-not-identified": Code(
        "a name that no player of the register has",
        "Annex 9 art. 4.2.2.1; R20",
        "The register has no player with this name and federation.",
        IfGiven("one player of the register: {candidates}", "one player of the register", by="candidates"),
        "Enter the FMJD-ID of number {number} on the page People, or in the details file under [players].",
        step="people",
    ),
    "player-not-identified.several": Code(
        "a name that several players of the register have",
        "Annex 9 art. 4.2.2.1; R20",
        "The register has several players with this name and federation.",
    ),
    "player-entered-twice": Code(
        "one person entered twice",
        "Annex 9 art. 11; R20",
        "Both are {registered} of the register.",
        "each player once",
        "Correct the FMJD-ID of one of the two.",
    ),
    # the tournament details
    "details-unreadable": Code(
        "a details file that is not TOML",
        _DETAILS,
        "The details file cannot be read from here on.",
        'lines like discipline = "100"',
        "Put texts between quotation marks. Write dates and numbers without them.",
        "line {line_found}, column {column_found}: {problem}",
    ),
    "details-unreadable.encoding": Code(
        "a details file that is not UTF-8",
        _DETAILS,
        "The details file is not UTF-8 from here on.",
        "UTF-8",
        "Save the file as UTF-8.",
        "line {line_found}, column {column_found}",
    ),
    "details-unreadable.size": Code(
        "a details file over the limit",
        _DETAILS,
        "The details file is too large.",
        "at most {limit:,} bytes",
        "Keep only the details of this tournament.",
        "{size:,} bytes",
    ),
    "detail-unknown": Code(
        "a detail that does not exist",
        _DETAILS,
        "There is no detail of this name.",
        "{known}",
        "Correct the name, or delete the line.",
        _FOUND_IN_DETAILS,
    ),
    "detail-unreadable": Code(
        "a detail of the wrong kind or out of range",
        _DETAILS,
        "This value cannot be used here.",
        "{wanted:text}",
        "Correct the value.",
        _FOUND_IN_DETAILS,
    ),
    "detail-unreadable.time-control": Code(
        "a time control that cannot be read",
        _DETAILS,
        "The time control cannot be read from character {character} on.",
        suggestion="Enter minutes + seconds per move, for example 80+30, or the minutes for 60 moves instead.",
    ),
    "detail-too-long": Code(
        "a detail over its maximum length",
        _DETAILS,
        "This text is too long.",
        "at most {max_length:,} characters",
        "Shorten it.",
        IfGiven(
            IfGiven(
                "line {line_found}, column {column_found}: {length:,} characters: {text}",
                "line {line_found}, column {column_found}: {length:,} characters",
                by="text",
            ),
            IfGiven("{length:,} characters: {text}", "{length:,} characters", by="text"),
            by="line_found",
        ),
    ),
    "detail-missing": Code(
        "a detail that is required",
        _DETAILS,
        "“{detail:text}” is missing.",
        IfGiven("this or “{alternative:text}”", "a value; every report needs it", by="alternative"),
        "Enter it in the details, or add it to the file.",
        NOTHING,
    ),
    "detail-missing.file": Code(
        "no details file beside the report file",
        _DETAILS,
        "The details file is missing.",
        "{filename}",
        "Write it as docs/reference/tournament-details.md describes.",
    ),
    "detail-missing.announcement": Code(
        "a value that an announcement requires",
        _DETAILS,
        suggestion="Fill it in.",
    ),
    "details-contradict": Code(
        "two details that contradict each other",
        _DETAILS,
        "The time control and the minutes for 60 moves differ.",
        "{wanted}",
        "Keep the one that is right, and delete the other.",
        IfGiven(
            "line {line_found}, column {column_found}: {minutes} minutes, but {time_control}",
            "{minutes} minutes, but {time_control}",
            by="line_found",
        ),
    ),
    "details-differ": Code(
        "the details differ from the file",
        _DETAILS,
        "The details differ from the file. The details count.",
        "{in_details} as in the details",
        "Correct one of the two, or explain the difference.",
        "{in_file} in the file",
        severity="warning",
    ),
    # the register
    "table-empty": Code(
        "a table without lines",
        _TABLE,
        "The table has no lines below its header.",
        "a line for each player",
    ),
    "id-missing": Code("a player without number", _TABLE, "The number is missing.", "a number"),
    "id-repeated": Code(
        "a number used twice", _TABLE, "An earlier line already has this number.", "each player once"
    ),
    "federation-unknown": Code(
        "an unknown federation",
        _TABLE,
        "This federation is not known.",
        "a code of countries.csv, for example NED",
    ),
    "name-forbidden": Code(
        "a character that no name has",
        _REGISTER,
        "The name has a character that is not allowed.",
        "a letter first; then letters, digits, space, hyphen, apostrophe, point, brackets",
    ),
    "birth-out-of-range": Code(
        "a day of birth before 1850 or in the future",
        _REGISTER,
        "No player of the register can have been born on this day.",
        "a day from {first:date} to {last:date}",
    ),
    "birth-out-of-range.year": Code(
        "a year of birth before 1850 or in the future",
        _REGISTER,
        "No player of the register can have been born in this year.",
        "a year from {first} to {last}",
    ),
    "born-differs": Code(
        "year and date of birth that differ",
        _REGISTER,
        "The year and the date of birth do not agree.",
        suggestion="Correct one of the two. Leave the date empty if only the year is known.",
    ),
    "identity-unreadable": Code(
        "a number that its register does not give",
        _REGISTER,
        "This is not a number of this register.",
        "a whole number from 1 to {largest:,}",
    ),
    "identity-unreadable.national": Code(
        "a number that no national federation gives",
        _REGISTER,
        "This is not a number of a national federation.",
        "letters and digits, at most {max_length}",
    ),
    "number-taken": Code(
        "a number of another player",
        _REGISTER,
        "Another player has this number: {player}.",
    ),
    "choice-unknown": Code(
        "a value that is not one of the choices",
        _REGISTER,
        "This is not one of the choices.",
        "{allowed}, or nothing",
    ),
    "reason-missing": Code(
        "a change without reason",
        _REGISTER,
        "The reason is missing.",
        suggestion="Enter the reason of the change.",
    ),
    "decision-missing": Code(
        "a change of title without decision",
        _REGISTER,
        "The decision about the title is missing.",
        suggestion="Name the body that decided, and the date or number of the decision.",
    ),
    "control-character": Code(
        "a text with a control character",
        _REGISTER,
        "The text has a control character.",
        "a text without control characters",
    ),
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
    ("R20", "a player twice in one round, or against himself", ("paired-twice", "self-play")),
    (
        "R20",
        "points that differ from the sum of the results (a pause gives 2)",
        ("points-differ", "pause-result"),
    ),
    (
        "R20",
        "dates that do not exist or are the wrong way round",
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
    ("R20", "a place used twice in an individual competition that is finished", ("place-repeated",)),
    ("R20", "an FMJD-ID that does not exist", ("fmjd-id-unknown", "player-not-identified")),
    (
        "R20",
        "no date of birth for a player without FMJD-ID or in a youth or veterans' competition",
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
