"""Findings about single values: dates, countries, numbers, points, results."""

from reporting.rules.findings.catalogue.code import TABLE, Code

_DIGITS = "Use the digits 0 to 9 only, without signs, dots or spaces."

_DIGITS_OR_ZERO = "Use the digits 0 to 9 only, without signs, dots or spaces. Write 0 if there is none."

_SUM_OF_RESULTS = "the sum of the results: 2 for a win or a pause, 1 for a draw"

VALUE_CODES: dict[str, Code] = {
    "type-unknown": Code(
        "a type of tournament that the format does not have",
        message="The format does not have this type of tournament.",
        expected="SWISS, ROUND, TEAMS, OTHER",
        suggestion="Write one of these words; OTHER if none fits.",
    ),
    "yes-or-no-unknown": Code(
        "neither Y nor N",
        message="The value is neither Y nor N.",
        expected="Y or N",
        suggestion="Write Y for yes or N for no.",
    ),
    "value-unknown": Code(
        "a value that is not one of a list",
        message="The value is not one of the allowed values.",
        expected="{allowed} or empty",
        suggestion="Write one of these values.",
        article=TABLE,
    ),
    "date-unreadable": Code(
        "a date in no form that is known",
        message="The date cannot be read.",
        expected="DD/MM/YYYY, for example 26/11/2026",
        suggestion="Write day, month and year in digits, the year with four.",
    ),
    "date-unreadable.day-number": Code(
        "a date that a spreadsheet program has written as a day number",
        message="A spreadsheet program has written this date as a day number.",
        suggestion="Counted from 30 December 1899 the number gives the proposed day. Check it.",
    ),
    "date-unreadable.program": Code(
        "a date that is in none of the forms of programs",
        message="The date is in an unknown form.",
        expected="a date, for example 1971/03/02; 1971/00/00 if only the year is known",
        suggestion="Write day, month and year in digits, the year with four.",
    ),
    "date-unreadable.games": Code(
        "a date of a table of games in no form that is known",
        expected="YYYY-MM-DD, for example 2026-11-06",
    ),
    "date-unreadable.trf16": Code(
        "a date that is not in the form of TRF16",
        message="The date cannot be read. It was not used.",
        expected="YYYY/MM/DD, for example 2026/11/06",
        suggestion="Write the date in this form, or enter it in the tournament details.",
        severity="warning",
    ),
    "date-unreadable.rounds": Code(
        "dates of rounds that are not in the form of TRF16",
        message="The dates of the rounds are not in the form of TRF16. None was used.",
        expected="YY/MM/DD from column 92 on, every ten columns",
        suggestion="Write the dates in this form, or enter them in the tournament details.",
        severity="warning",
    ),
    "date-unreadable.csv": Code(
        "a cell of a table that is not a date",
        message="The value is not a date.",
        expected="a date, for example 02/03/1971 or 1971-03-02",
        suggestion="Write day, month and year in digits, the year with four.",
        article=TABLE,
    ),
    "date-unknown": Code(
        "a date that does not exist",
        message="This date does not exist.",
        expected="a date from {first} to {last}",
        suggestion="Check the day and write the date again.",
    ),
    "date-unknown.swapped": Code(
        "a date that exists with day and month swapped",
        suggestion="If day and month are swapped, write {swapped}.",
    ),
    "date-unknown.year": Code(
        "a date not from 1900 to 2100",
        message="No tournament and no birth can be in this year.",
        suggestion="Check the year and write the date again.",
    ),
    "date-unknown.program": Code(
        "a date of a program that does not exist or is not from 1900 to 2100",
        message="This date does not exist, or no tournament and no birth can be in this year.",
        suggestion="Check the date and write it again.",
    ),
    "country-missing": Code(
        "no country",
        message="The country is missing.",
        found="nothing",
        expected="a country: its code or its name in English",
        suggestion="Write the code of the federation, for example NED.",
    ),
    "country-missing.new": Code("no country of a new player", step="people"),
    "country-unknown": Code(
        "a country that is not known by code or name",
        message="This country is unknown.",
        expected="a code of ISO 3166, of the Olympic Committee or of FMJD, or the name",
        suggestion="Look up the code; it has two or three letters, for example nl, NLD or NED.",
    ),
    "fmjd-id-unreadable": Code(
        "an FMJD-ID that is not a number of up to 5 digits",
        message="The FMJD-ID is not a number.",
        expected="a number from 0 to 99999",
        suggestion=_DIGITS_OR_ZERO,
    ),
    "fmjd-id-unreadable.missing": Code("no FMJD-ID", message="The FMJD-ID is missing."),
    "fmjd-id-unreadable.export": Code(
        "an FMJD-ID in the export of a program that is not a number",
        expected="a number from 1 to 99999, or nothing",
        suggestion=_DIGITS,
    ),
    "fmjd-id-unreadable.table-form": Code(
        "an FMJD-ID in the table form that is not a number",
        expected="a number from 1 to 99999, or 0 for a player without FMJD-ID",
        suggestion=_DIGITS,
    ),
    "fmjd-id-unreadable.games": Code(
        "a number of a player in a table of games that is not a whole number",
        message="The number of the player is not a whole number.",
        expected="a number from 1 to {limit:,}, or nothing for a player without number",
        suggestion=_DIGITS,
    ),
    "number-missing": Code(
        "a player without tournament number",
        message="The player has no tournament number.",
        found="nothing",
        expected="a number from 1",
        suggestion="Write the number that the results use for this player.",
    ),
    "number-missing.trf16": Code(
        "a player in TRF16 without tournament number",
        expected="a number from 1 in columns 5 to 8",
    ),
    "number-unreadable": Code(
        "a tournament number that is not a number from 1",
        message="The tournament number is not a number from 1.",
        expected="a number from 1 to 9999",
        suggestion=_DIGITS,
    ),
    "number-unreadable.trf16": Code(
        "a tournament number in TRF16 that is not a number from 1",
        expected="a number from 1 in columns 5 to 8",
    ),
    "number-unreadable.opponent": Code(
        "a tournament number in a result that is not a number",
        message="The tournament number is not a number.",
        expected="a tournament number of the section players, or 0 for a pause",
    ),
    "number-unreadable.csv": Code(
        "a cell of a table that is not a number",
        message="The value is not a number from {least} to {most}.",
        expected="a whole number, {least} to {most}",
        article=TABLE,
    ),
    "place-unreadable": Code(
        "a place that is not a number",
        message="The place is not a number.",
        expected="a number from 0 to 9999",
        suggestion=_DIGITS_OR_ZERO,
    ),
    "place-unreadable.missing": Code("no place", message="The place is missing."),
    "place-unreadable.table": Code(
        "a place in a crosstable that is not a number", expected="{place}", suggestion=_DIGITS
    ),
    "place-unreadable.trf16": Code(
        "a place in TRF16 that is not a number",
        expected="a number from 1, or nothing",
        suggestion=_DIGITS,
    ),
    "points-missing": Code(
        "a player without points",
        message="The player has no points.",
        found="nothing",
        expected=_SUM_OF_RESULTS,
        suggestion="Points are required, also 0. They are the control of the results.",
    ),
    "points-missing.total": Code(
        "a player of a table without total",
        message="The player has no total.",
        suggestion="The total is required. It is the control of the results.",
    ),
    "points-missing.trf16": Code(
        "a player in TRF16 without points",
        expected="a number such as 11.0, the sum of the results",
        suggestion="Points are required, also 0.0. They are the control of the results.",
    ),
    "points-unreadable": Code(
        "points that are not a whole number",
        message="The points are not a whole number.",
        expected=_SUM_OF_RESULTS,
        suggestion="Points are required, also 0. They are the control of the results.",
    ),
    "points-unreadable.total": Code(
        "a total that is not a whole number",
        message="The total is not a whole number.",
        suggestion="The total is required. It is the control of the results.",
    ),
    "points-unreadable.trf16": Code(
        "points in TRF16 that are not a number",
        message="The points cannot be read.",
        expected="a number such as 11.0, the sum of the results",
        suggestion="Points are required, also 0.0. They are the control of the results.",
    ),
    "sex-unknown": Code(
        "neither W, F nor M",
        message="The sex is neither {woman} nor {man}.",
        expected="{woman} for a woman, {man} for a man, or nothing if there is an FMJD-ID",
        suggestion="Write {woman} or {man}.",
    ),
    "sex-unknown.trf16": Code(
        "neither w, f nor m in TRF16",
        expected="{woman} for a woman, {man} for a man, or a space",
    ),
    "round-unreadable": Code(
        "a round that is not a number from 1",
        message="The round is not a number from 1.",
        expected="a number from 1 to {limit}",
        suggestion=_DIGITS,
    ),
    "result-unknown": Code(
        "a result that the format does not have",
        message="The format does not have this result.",
        expected="2-0 1-1 0-2 2x0 0x2 1x1 0x0",
        suggestion="Write 2 for a win and 1 for a draw; x instead of - for a decision of the referee.",
    ),
    "result-unknown.games": Code(
        "a result that a table of games does not have",
        expected="{results}",
        suggestion="Write + for the player who wins without a game, - for the other one, and a colon between them.",
    ),
    "result-unknown.date": Code(
        "a result that a spreadsheet program has changed into a date",
        suggestion="The program has changed a result into a date: format the column as text and type the result "
        "again, 1-1 for a draw.",
    ),
    "pause-without-player": Code(
        "a pause against a pause",
        message="Both numbers are 0, so no player has this pause.",
        found="0 against 0",
        expected="the number of the player who has the pause, and 0",
        suggestion="Write the number of the player, or delete the line.",
    ),
    "pause-result": Code(
        "a pause that does not give 2 points",
        message="A pause gives 2 points.",
        expected="{result}",
        suggestion="Correct the result. Leave out a round in which the player was absent.",
    ),
}
