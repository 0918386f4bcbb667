"""The catalogue of findings: for each code its article, the step where it is corrected, and its sentences (R20 to R22).

A call site gives the code, the place and the values that the templates name; no sentence is written there. Codes are
stable: pages, answers and tests refer to them.
"""

from __future__ import annotations

from dataclasses import dataclass

from reporting.rules.sentences import Plural

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
    message: str | Plural = ""
    expected: str | Plural = ""
    suggestion: str | Plural = ""
    found: str | Plural = ""
    step: str = ""
    severity: str = "error"


_READABLE = "Annex 9 art. 4.1, 11; R22"
_FORM = "Annex 9 art. 11; R20"
_INTERPRETED = "Annex 9 art. 11; R21"
_CROSSTABLE = "Annex 9 art. 4.1; R20"
_TRF16_CELL = "Annex 9 art. 4.1, 11; R8, R20"
_TABLE = "docs/how-to/first-quarter.md"

_DIGITS = "Use the digits 0 to 9 only, without signs, dots or spaces."
_DIGITS_OR_ZERO = "Use the digits 0 to 9 only, without signs, dots or spaces. Write 0 if there is none."
_SUM_OF_RESULTS = "the sum of the results: 2 for a win or a pause, 1 for a draw"
_RESULT_AGAIN = "Write the result of this round again."
_INFO_ROWS = (
    "Name, Played from, Played to, Type, National championship, Women championship, Name of referee, Place, Country, "
    "Winner, Remarks, each once, with its value in the next cell"
)

CODES: dict[str, Code] = {
    # the bytes
    "file-empty": Code(
        "the file has no text",
        _READABLE,
        message="The file is empty.",
        found="no text",
        expected="a tournament report",
        suggestion="Export the tournament again and upload the new file.",
    ),
    "file-too-large": Code(
        "a file over the limit",
        _READABLE,
        message="The file is too large for a tournament report.",
        found="{size:,} bytes",
        expected="at most {limit:,} bytes",
        suggestion="Upload the report of one tournament as plain text.",
    ),
    "file-too-costly": Code("a file that takes too much time or memory to read", _READABLE),
    "archive-refused": Code(
        "an archive or a compressed file",
        _READABLE,
        message="Archives and documents are not supported.",
        found="a file of the type {type}",
        expected="the report itself, as a text file",
        suggestion="Unpack the file and upload the report, or export the report as text. "
        "Save a spreadsheet as XLSX or CSV.",
    ),
    "format-unknown": Code(
        "a format that is not supported",
        _READABLE,
        message="This report format is not supported. No data was used.",
        expected="the tournament table of Draughts Arbiter, the FMJD format (Annex 9 art. 11), the crosstable of "
        "toernooibase, the template for a spreadsheet, as XLSX or CSV, the Tournament Report File of FIDE (TRF16) "
        "or the table form (Annex 9 art. 4.2.2)",
        suggestion="Export the tournament again in one of these formats and upload the new file.",
    ),
    "workbook-refused": Code(
        "a workbook with macros, encrypted or unpacking to too much",
        _READABLE,
        message="This workbook type is not supported. No data was used.",
        suggestion="Copy the tables into a new template, without empty rows and other sheets.",
    ),
    "workbook-refused.size": Code(
        "a workbook whose parts unpack to too many bytes",
        _READABLE,
        found="parts that unpack to far more than the file",
        expected="at most {limit:,} bytes, and {ratio} times the file",
    ),
    "workbook-refused.parts": Code(
        "a workbook of too many parts",
        _READABLE,
        found="{parts:,} parts",
        expected="at most {limit:,} parts",
    ),
    "workbook-refused.cells": Code(
        "a workbook of too many cells",
        _READABLE,
        found="more cells",
        expected="at most {limit:,} cells",
    ),
    "workbook-refused.text": Code(
        "a workbook of too much text",
        _READABLE,
        found="more text",
        expected="at most {limit:,} characters",
    ),
    "workbook-refused.macros": Code(
        "a workbook with macros",
        _READABLE,
        found="macros",
        expected="a workbook without macros",
        suggestion="Save the workbook as XLSX (a workbook without macros).",
    ),
    "workbook-refused.repeated": Code(
        "a workbook with two parts of one name",
        _READABLE,
        found="a part that is there twice",
        expected="each part once",
        suggestion="Save the workbook as XLSX again.",
    ),
    "workbook-refused.encrypted": Code(
        "a workbook with a password",
        _READABLE,
        found="encrypted parts",
        expected="a workbook without a password",
        suggestion="Save the workbook without a password.",
    ),
    "workbook-refused.compression": Code(
        "a workbook compressed in an unusual way",
        _READABLE,
        found="parts with an unusual compression",
        expected="the compression of XLSX",
        suggestion="Save the workbook as XLSX again.",
    ),
    "workbook-unreadable": Code(
        "a workbook that is damaged",
        _READABLE,
        message="The workbook is damaged or is not an XLSX file. No data was used.",
        expected="an XLSX file as a spreadsheet program saves it",
        suggestion="Open the workbook in the spreadsheet program, save it as XLSX and upload the new file.",
    ),
    "encoding-unknown": Code(
        "the chosen encoding is not offered",
        _READABLE,
        message="This encoding is not available.",
        expected="{encodings}",
        suggestion="Choose an encoding from the list, or save the file as UTF-8.",
    ),
    "encoding-unreadable": Code(
        "bytes that are not text in this encoding",
        _READABLE,
        message="From here the file cannot be read as {encoding}. No data was used.",
        found="byte {byte}",
        expected="text in {encoding}",
        suggestion="Save the file as UTF-8, or choose its encoding and check the names in the preview.",
    ),
    "encoding-unreadable.chosen": Code(
        "bytes that are not text in the chosen encoding",
        _READABLE,
        suggestion="Choose another encoding and check the names in the preview.",
    ),
    "encoding-unreadable.csv": Code(
        "a table for the register or of an opening list that is not UTF-8",
        _TABLE,
        message="The file is not UTF-8.",
        expected="UTF-8",
        suggestion="Save the file as UTF-8.",
    ),
    "details-differ.encoding": Code(
        "a byte order mark that contradicts the chosen encoding",
        "Annex 9 art. 4.1.1; R22",
        message="The file begins with a byte order mark, so the chosen encoding was not used.",
        found="the byte order mark of {marked}",
        expected="{chosen}, as chosen",
        suggestion="Remove the choice of the encoding.",
        severity="warning",
    ),
    "line-end-unknown": Code(
        "a carriage return without a line feed",
        _READABLE,
        message="There is a carriage return without a line feed, so the end of the line is unclear.",
        found=Plural("U+000D, once in the line", "U+000D, {count} times in the line", "count"),
        expected="lines that end in LF or CR LF",
        suggestion="Save the file with the line ends of Windows or Unix.",
    ),
    "line-too-long": Code(
        "a line too long to be one of a report",
        _READABLE,
        message="The line is too long for a report.",
        found="{length:,} characters",
        expected="at most {limit:,} characters",
        suggestion="Check whether line ends were lost when the file was saved.",
    ),
    "line-too-long.cell": Code(
        "a text too long for a cell",
        _READABLE,
        message="The text is too long for a cell.",
        suggestion="Shorten the text.",
    ),
    "character-forbidden": Code(
        "a control, hidden or private character",
        _READABLE,
        message="There is a hidden or control character. You cannot see it, but it changes the name or number.",
        found=Plural("{character}", "{character}, and {more} more in the line", "count"),
        expected="visible letters, digits and punctuation",
        suggestion="Delete the characters around this place and type them again.",
    ),
    "character-forbidden.csv": Code(
        "a NUL character in a table for the register or of an opening list",
        _TABLE,
        message="The file has a NUL character.",
        found="NUL",
        expected="text",
        suggestion="Save the file again as CSV.",
    ),
    "findings-cut": Code("more findings than are kept", _READABLE),
    "limit-players": Code(
        "players over the limit",
        _READABLE,
        message="Limit exceeded. The players from here on were ignored.",
        found="more players",
        expected="at most {limit:,} players",
        suggestion="Report the tournament in parts.",
    ),
    "limit-rounds": Code(
        "rounds over the limit",
        _READABLE,
        message="Limit exceeded. Later rounds were ignored.",
        expected="at most {limit} rounds",
        suggestion="Correct the round, or report the tournament in parts.",
    ),
    "limit-games": Code(
        "games over the limit",
        _READABLE,
        message="Limit exceeded. The games from here on were ignored.",
        found="more games",
        expected="at most {limit:,} games",
        suggestion="Report the tournament in parts.",
    ),
    "limit-rows": Code(
        "rows of a table for the register or of an opening list over the limit",
        _TABLE,
        message="Limit exceeded. The rows from here on were ignored.",
        found="more rows",
        expected="at most {limit:,} rows",
        suggestion="Divide the table into parts.",
    ),
    # the structure of art. 11
    "section-missing": Code(
        "one of the three sections is not there",
        _FORM,
        message="The section {section} is missing.",
        found="no line {tag}",
        expected="the sections Info, players and results, in this order",
        suggestion="Export the tournament again with all three sections.",
    ),
    "section-missing.begin": Code(
        "an end tag without the tag that begins its section",
        _FORM,
        message="The section {section} has an end tag but no start tag. It was not read.",
        found="no line {tag} before line {end_line}",
        expected="{tag}",
        suggestion="Add the line {tag} above the first line of the section.",
    ),
    "section-missing.table": Code(
        "one of the three tables of a spreadsheet is not there",
        _FORM,
        message="The table {table} is missing.",
        found="no sheet and no line {table}",
        expected="the tables Info, Players and Results",
        suggestion="Use the template and fill in all three tables.",
    ),
    "section-missing.name": Code(
        "rows of a table without its name above them",
        _FORM,
        message="The line {table} is missing above the rows of this table.",
        expected="{table}",
        suggestion="Write {table} alone on a line above this row.",
    ),
    "section-repeated": Code(
        "a section that is there twice",
        _FORM,
        message="The section {section} is there twice.",
        expected="each section once",
        suggestion="Put the lines together in one section.",
    ),
    "section-repeated.table": Code(
        "a table that is there twice",
        _FORM,
        message="The table {table} is there twice. Only the first one was read.",
        expected="each table once",
        suggestion="Put the rows together in one table.",
    ),
    "section-repeated.name": Code(
        "the name of a table on two lines",
        _FORM,
        message="The line with the name of the table is there twice.",
        expected="each table once",
        suggestion="Delete one of the two lines.",
    ),
    "section-out-of-order": Code(
        "sections in another order",
        _FORM,
        message="The sections are in the wrong order.",
        found="{section} after {before}",
        expected="Info, players, results",
        suggestion="Move the section {section} to its place.",
    ),
    "section-not-closed": Code(
        "a section without its end tag",
        _FORM,
        message="The section {section} has no end tag.",
        found="no end tag up to the end of the file",
        expected="</end {section}>",
        suggestion="Add the line </end {section}> after the last line of the section.",
    ),
    "section-not-closed.before": Code(
        "a section that begins before the one above has ended",
        _FORM,
        found="no end tag before {tag}",
    ),
    "section-end-unexpected": Code(
        "an end tag of a section that is not open",
        _FORM,
        message="This end tag closes a section that is not open.",
        expected="no end tag here",
        suggestion="Look for the line <section {section}>, or delete this line.",
    ),
    "section-end-unexpected.other": Code(
        "the end tag of another section",
        _FORM,
        expected="</end {open_section}>",
    ),
    "tag-unknown": Code(
        "a tag that the format does not have",
        _FORM,
        message="The format does not have this tag.",
        expected="<section Info>, <section players>, <section results> or </end info>, </end players>, "
        "</end results>",
        suggestion="Write the tag as in Annex 9 art. 11.",
    ),
    "text-outside-section": Code(
        "text before, between or after the sections",
        _FORM,
        message=Plural(
            "This line is outside the three sections. It was not read.",
            "{count} lines from here on are outside the three sections. They were not read.",
            "count",
        ),
        expected="text only between a section tag and its end tag",
        suggestion="Move the text into its section, or delete it.",
    ),
    "text-outside-section.table": Code(
        "text above the tables of a CSV file",
        _FORM,
        message="This line is above the tables. It was not read.",
        expected="Info, Players or Results above each table",
        suggestion="Write the name of its table above the line, or delete the line.",
    ),
    "text-outside-section.rows": Code(
        "rows of the Info table over the limit",
        _FORM,
        message="Limit exceeded. The rows from here on were ignored.",
        found="more rows",
        expected="at most {limit:,} rows",
        suggestion="Delete the rows that do not belong to the report.",
    ),
    "line-unreadable": Code(
        "a line of the Info section without =",
        _FORM,
        message="A line of the Info section has a key, an equals sign and a value.",
        expected="key = value",
        suggestion="Write the line as in Annex 9 art. 11, or move it into the remarks.",
    ),
    "line-unreadable.csv": Code(
        "a line that is not CSV",
        _FORM,
        message="The line is not CSV: {problem}.",
        expected="cells with one separator, in quotation marks where they have the separator (RFC 4180)",
        suggestion="Save the table as CSV again. A text has no line end.",
    ),
    "key-unknown": Code(
        "a key that the format does not have",
        _FORM,
        message="The format does not have this key. The line was not used.",
        expected="name, played from, played to, type, national championship, women championship, name of referee, "
        "place, country, remarks, winner",
        suggestion="Correct the key, or write the text into the remarks.",
        severity="warning",
    ),
    "key-unknown.table": Code(
        "a key that the Info table does not have",
        _FORM,
        message="The format does not have this key. The row was not used.",
        expected=_INFO_ROWS,
        suggestion="Correct the row, or write the text into the remarks.",
        severity="warning",
    ),
    "key-unknown.trf16": Code(
        "a line that does not begin like a line of TRF16",
        "Annex 9 art. 4.1; R21",
        message="The line does not begin like a line of TRF16. It was not used.",
        expected="three characters such as 001 or 012, then a space",
        suggestion="If a long line was broken in two, join it again.",
        severity="warning",
    ),
    "key-repeated": Code(
        "a key that is there twice",
        _FORM,
        message="This key is already on line {first_line}. Only the first one was used.",
        expected="each key once",
        suggestion="Delete one of the two lines.",
    ),
    "key-repeated.table": Code(
        "a key that is in the Info table twice",
        _FORM,
        message="This key is there twice. Only the first one was used.",
        expected=_INFO_ROWS,
        suggestion="Delete one of the two rows.",
    ),
    "key-repeated.trf16": Code(
        "a line of TRF16 that is there twice",
        _CROSSTABLE,
        message="There is already a line {mark}, on line {first_line}. Only the first one was used.",
        expected="one line {mark}",
        suggestion="Delete one of the two lines, or report each tournament in its own file.",
    ),
    "remark-not-closed": Code(
        "a remark without its end tag",
        _FORM,
        message="The remark has no end tag.",
        found="<remark> without </end remark>",
        expected="<remark> free text </end remark>",
        suggestion="Add </end remark> after the last word of the remark.",
    ),
    "field-count": Code(
        "a line with too many or too few fields",
        _FORM,
        message="The line has the wrong number of fields.",
        found=Plural("1 comma", "{commas} commas", "commas"),
        expected="{needed} commas: {fields}",
        suggestion="Keep every comma, also of empty fields. Do not write a comma inside a name.",
    ),
    "field-count.semicolons": Code(
        "a line with semicolons in place of commas",
        _FORM,
        suggestion="Write commas instead of semicolons.",
    ),
    "field-count.columns": Code(
        "a line with more or fewer fields than the line of column names",
        _FORM,
        message="The line has another number of fields than the line of column names.",
        found=Plural("1 field", "{fields} fields", "fields"),
        expected="{columns} fields",
        suggestion="Keep every semicolon, also of empty fields. Do not write a semicolon inside a name.",
    ),
    "field-count.no-results": Code(
        "a line of the table form without results",
        "Annex 9 art. 4.2.2; R20",
        message="This line of the table has no results.",
        found="no results",
        expected="{rounds} results, as on the other lines: {example}",
        suggestion="Write the results after the country. Write # before a line that is no player.",
    ),
    "field-count.rounds": Code(
        "a line of the table form with another number of results",
        "Annex 9 art. 4.2.2; R20",
        message="The line has another number of results than most lines, so the rounds are unclear.",
        found=Plural("1 result", "{results} results", "results"),
        expected=Plural("1 result", "{rounds} results", "rounds"),
        suggestion="Write - for each round without a game, so that every line has a cell for each round.",
    ),
    "field-count.twice": Code(
        "a rating, birthday or sex that is on the line twice",
        "Annex 9 art. 4.2.2; R20",
        message="The line already has this value, in column {first_column}.",
        expected="each value once",
        suggestion="Delete one of the two.",
    ),
    "field-count.info": Code(
        "a row of the Info table with more than two cells",
        _FORM,
        message="The row has more than a key and its value.",
        expected=_INFO_ROWS,
        suggestion="Correct the row, or write the text into the remarks.",
    ),
    "field-count.headings": Code(
        "a row with more cells than there are headings",
        _FORM,
        message="The line has more cells than there are headings, so cells may have moved.",
        expected="at most {columns} cells",
        suggestion="Put a text that has the separator in quotation marks.",
    ),
    "field-count.csv": Code(
        "a line with more or fewer cells than the header",
        _TABLE,
        message="The line has another number of cells than the header.",
        found=Plural("1 cell", "{cells} cells", "cells"),
        expected="{columns} cells",
        suggestion="Keep every comma, also of empty cells.",
    ),
    # the cells of a spreadsheet
    "formula-refused": Code(
        "a cell with a formula",
        _FORM,
        message="This cell has a formula. Its result can change, so it was not read.",
        expected="the value itself",
        suggestion="Copy the cell and paste it in the same place as a value.",
    ),
    "cells-merged": Code(
        "merged cells",
        _FORM,
        message="Cells are merged, so it is unclear which of them has the value.",
        expected="each value in its own cell",
        suggestion="Unmerge the cells and write each value where it belongs.",
    ),
    "hidden-part": Code(
        "a hidden sheet",
        _INTERPRETED,
        message="Hidden cells begin here. They were read like visible cells.",
        found="hidden sheet {part}",
        expected="visible sheets, rows and columns",
        suggestion="Show the cells (clear the filter), check them, and save the file again.",
        severity="warning",
    ),
    "hidden-part.row": Code("a hidden row", _INTERPRETED, found="hidden row {part}", severity="warning"),
    "hidden-part.column": Code(
        "a hidden column", _INTERPRETED, found="hidden column {part}", severity="warning"
    ),
    "sheet-unknown": Code(
        "a sheet that the format does not have",
        _INTERPRETED,
        message="The format does not have this sheet. It was not read.",
        found="sheet {sheet}",
        expected="the sheets Info, Players and Results",
        suggestion="Delete the sheet, or give it the right name if it belongs to the report.",
        severity="warning",
    ),
    "sheet-unknown.hidden": Code(
        "a hidden sheet that the format does not have",
        _INTERPRETED,
        found="hidden sheet {sheet}",
        severity="warning",
    ),
    "separator-unclear": Code(
        "neither semicolons nor commas separate all cells",
        _FORM,
        message="It is unclear whether semicolons or commas separate the cells.",
        expected="the headings of the template, with the separator of all other lines",
        suggestion="Save the tables as CSV again, all with one separator.",
    ),
    "column-repeated": Code(
        "a heading that is there twice",
        _FORM,
        message="This heading is there twice. Only the first column was read.",
        expected="each heading once",
        suggestion="Delete the wrong column.",
    ),
    "column-repeated.csv": Code(
        "a column of a table for the register or of an opening list that is there twice",
        _TABLE,
        message="This column is there twice.",
        expected="each column once",
        suggestion="Delete one of the two columns.",
    ),
    # the values
    "type-unknown": Code(
        "a type of tournament that the format does not have",
        _FORM,
        message="The format does not have this type of tournament.",
        expected="SWISS, ROUND, TEAMS, OTHER",
        suggestion="Write one of these words; OTHER if none fits.",
    ),
    "yes-or-no-unknown": Code(
        "neither Y nor N",
        _FORM,
        message="The value is neither Y nor N.",
        expected="Y or N",
        suggestion="Write Y for yes or N for no.",
    ),
    "value-unknown": Code(
        "a value that is not one of a list",
        _TABLE,
        message="The value is not one of the allowed values.",
        expected="{allowed} or empty",
        suggestion="Write one of these values.",
    ),
    "date-unreadable": Code(
        "a date that is not in the form of the format",
        _FORM,
        message="The date is not in the form DD/MM/YYYY.",
        expected="DD/MM/YYYY, for example 06/11/2026",
        suggestion="Write day, month and year with two, two and four digits.",
    ),
    "date-unreadable.meant": Code(
        "a date in another form that has one meaning",
        _FORM,
        suggestion="Write {meant}, if you mean that day.",
    ),
    "date-unreadable.program": Code(
        "a date that is in none of the forms of programs",
        _FORM,
        message="The date is in an unknown form.",
        expected="YYYY-MM-DD or YYYY/MM/DD; YYYY/00/00 if only the year is known",
        suggestion="Write year, month and day with four, two and two digits.",
    ),
    "date-unreadable.trf16": Code(
        "a date that is not in the form of TRF16",
        "Annex 9 art. 4.1; R21",
        message="The date is not in the form YYYY/MM/DD. It was not used.",
        expected="YYYY/MM/DD, for example 2026/11/06",
        suggestion="Write the date in this form, or enter it in the tournament details.",
        severity="warning",
    ),
    "date-unreadable.rounds": Code(
        "dates of rounds that are not in the form of TRF16",
        "Annex 9 art. 4.1; R21",
        message="The dates of the rounds are not in the form of TRF16. None was used.",
        expected="YY/MM/DD from column 92 on, every ten columns",
        suggestion="Write the dates in this form, or enter them in the tournament details.",
        severity="warning",
    ),
    "date-unreadable.csv": Code(
        "a cell of a table that is not a date",
        _TABLE,
        message="The value is not a date.",
        expected="YYYY-MM-DD",
        suggestion="Write year, month and day with four, two and two digits.",
    ),
    "date-unknown": Code(
        "a date that does not exist",
        _FORM,
        message="This date does not exist.",
        expected="a date from {first} to {last}",
        suggestion="Check the day and write the date again.",
    ),
    "date-unknown.swapped": Code(
        "a date that exists with day and month swapped",
        _FORM,
        suggestion="If day and month are swapped, write {swapped}.",
    ),
    "date-unknown.year": Code(
        "a date not from 1900 to 2100",
        _FORM,
        message="No tournament and no birth can be in this year.",
        suggestion="Check the year and write the date again.",
    ),
    "date-unknown.program": Code(
        "a date of a program that does not exist or is not from 1900 to 2100",
        _FORM,
        message="This date does not exist, or no tournament and no birth can be in this year.",
        suggestion="Check the date and write it again.",
    ),
    "country-missing": Code(
        "no country",
        _FORM,
        message="The country is missing.",
        found="nothing",
        expected="a country code of two or three letters",
        suggestion="Write the code of the federation, for example NED.",
    ),
    "country-unknown": Code(
        "a country code that is not known",
        _FORM,
        message="This country code is unknown.",
        expected="a code of ISO 3166, of the Olympic Committee or of FMJD",
        suggestion="Look up the code; it has two or three letters, for example nl, NLD or NED.",
    ),
    "fmjd-id-unreadable": Code(
        "an FMJD-ID that is not a number of up to 5 digits",
        _FORM,
        message="The FMJD-ID is not a number.",
        expected="a number from 0 to 99999",
        suggestion=_DIGITS_OR_ZERO,
    ),
    "fmjd-id-unreadable.missing": Code("no FMJD-ID", _FORM, message="The FMJD-ID is missing."),
    "fmjd-id-unreadable.export": Code(
        "an FMJD-ID in the export of a program that is not a number",
        _FORM,
        expected="a number from 1 to 99999, or nothing",
        suggestion=_DIGITS,
    ),
    "fmjd-id-unreadable.table-form": Code(
        "an FMJD-ID in the table form that is not a number",
        _FORM,
        expected="a number from 1 to 99999, or 0 for a player without FMJD-ID",
        suggestion=_DIGITS,
    ),
    "number-missing": Code(
        "a player without tournament number",
        _FORM,
        message="The player has no tournament number.",
        found="nothing",
        expected="a number from 1",
        suggestion="Write the number that the results use for this player.",
    ),
    "number-missing.trf16": Code(
        "a player in TRF16 without tournament number",
        _FORM,
        expected="a number from 1 in columns 5 to 8",
    ),
    "number-unreadable": Code(
        "a tournament number that is not a number from 1",
        _FORM,
        message="The tournament number is not a number from 1.",
        expected="a number from 1 to 9999",
        suggestion=_DIGITS,
    ),
    "number-unreadable.trf16": Code(
        "a tournament number in TRF16 that is not a number from 1",
        _FORM,
        expected="a number from 1 in columns 5 to 8",
    ),
    "number-unreadable.opponent": Code(
        "a tournament number in a result that is not a number",
        _FORM,
        message="The tournament number is not a number.",
        expected="a tournament number of the section players, or 0 for a pause",
    ),
    "number-unreadable.csv": Code(
        "a cell of a table that is not a number",
        _TABLE,
        message="The value is not a number from {least} to {most}.",
        expected="a whole number, {least} to {most}",
    ),
    "place-unreadable": Code(
        "a place that is not a number",
        _FORM,
        message="The place is not a number.",
        expected="a number from 0 to 9999",
        suggestion=_DIGITS_OR_ZERO,
    ),
    "place-unreadable.missing": Code("no place", _FORM, message="The place is missing."),
    "place-unreadable.table": Code(
        "a place in a crosstable that is not a number", _FORM, expected="{place}", suggestion=_DIGITS
    ),
    "place-unreadable.trf16": Code(
        "a place in TRF16 that is not a number",
        _CROSSTABLE,
        expected="a number from 1, or nothing",
        suggestion=_DIGITS,
    ),
    "points-missing": Code(
        "a player without points",
        _FORM,
        message="The player has no points.",
        found="nothing",
        expected=_SUM_OF_RESULTS,
        suggestion="Points are required, also 0. They are the control of the results.",
    ),
    "points-missing.total": Code(
        "a player of a table without total",
        _FORM,
        message="The player has no total.",
        suggestion="The total is required. It is the control of the results.",
    ),
    "points-missing.trf16": Code(
        "a player in TRF16 without points",
        _CROSSTABLE,
        expected="a number such as 11.0, the sum of the results",
        suggestion="Points are required, also 0.0. They are the control of the results.",
    ),
    "points-unreadable": Code(
        "points that are not a whole number",
        _FORM,
        message="The points are not a whole number.",
        expected=_SUM_OF_RESULTS,
        suggestion="Points are required, also 0. They are the control of the results.",
    ),
    "points-unreadable.total": Code(
        "a total that is not a whole number",
        _FORM,
        message="The total is not a whole number.",
        suggestion="The total is required. It is the control of the results.",
    ),
    "points-unreadable.trf16": Code(
        "points in TRF16 that are not a number",
        _CROSSTABLE,
        message="The points cannot be read.",
        expected="a number such as 11.0, the sum of the results",
        suggestion="Points are required, also 0.0. They are the control of the results.",
    ),
    "sex-unknown": Code(
        "neither W nor M",
        _FORM,
        message="The sex is neither {woman} nor {man}.",
        expected="{woman} for a woman, {man} for a man, or nothing if there is an FMJD-ID",
        suggestion="Write {woman} or {man}.",
    ),
    "sex-unknown.female": Code("F for a woman", _FORM, suggestion="Write {woman}."),
    "sex-unknown.trf16": Code(
        "neither w, f nor m in TRF16",
        _CROSSTABLE,
        expected="{woman} for a woman, {man} for a man, or a space",
    ),
    "round-unreadable": Code(
        "a round that is not a number from 1",
        _FORM,
        message="The round is not a number from 1.",
        expected="a number from 1 to {limit}",
        suggestion=_DIGITS,
    ),
    "result-unknown": Code(
        "a result that the format does not have",
        _FORM,
        message="The format does not have this result.",
        expected="2-0 1-1 0-2 2x0 0x2 1x1 0x0",
        suggestion="Write 2 for a win and 1 for a draw; x instead of - for a decision of the referee.",
    ),
    "result-unknown.date": Code(
        "a result that a spreadsheet program has changed into a date",
        _FORM,
        suggestion="The program has changed a result into a date: format the column as text and type the result "
        "again, 1-1 for a draw.",
    ),
    "pause-without-player": Code(
        "a pause against a pause",
        _FORM,
        message="Both numbers are 0, so no player has this pause.",
        found="0 against 0",
        expected="the number of the player who has the pause, and 0",
        suggestion="Write the number of the player, or delete the line.",
    ),
    "pause-result": Code(
        "a pause that does not give 2 points",
        _FORM,
        message="A pause gives 2 points.",
        expected="{result}",
        suggestion="Correct the result. Leave out a round in which the player was absent.",
    ),
    # the crosstable
    "header-missing": Code(
        "a crosstable without its line of column names",
        _CROSSTABLE,
        message="The line with the names of the columns is missing.",
        found="no line {begins}…",
        expected="{header}",
        suggestion="Export the table again, with the line of column names above the first player.",
    ),
    "header-missing.table": Code(
        "a table of a spreadsheet without its headings",
        _FORM,
        message="The table {table} does not begin with its headings.",
        expected="{headings}",
        suggestion="Write the headings of the template above the first row.",
    ),
    "column-missing": Code(
        "a column that is needed",
        _CROSSTABLE,
        message=Plural(
            "The column {columns} is missing. The table cannot be read without it.",
            "The columns {columns} are missing. The table cannot be read without them.",
            "count",
        ),
        expected="{header}",
        suggestion="Export the table again with all its columns.",
    ),
    "column-missing.table": Code(
        "a column of the spreadsheet that is needed",
        _FORM,
        message="The column {heading} is missing.",
        found="no such heading",
        expected="{headings}",
        suggestion="Add the column with its heading, or use a new template.",
    ),
    "column-missing.csv": Code(
        "a column of a table for the register or of an opening list that is needed",
        _TABLE,
        message="The column {heading} is missing.",
        found="no such column",
        expected="columns: {headings}",
        suggestion="Add the column.",
    ),
    "column-unknown": Code(
        "a column that is not known",
        "Annex 9 art. 4.1; R21",
        message="This column is unknown. It was not used.",
        expected="{headings}, tie-breaks",
        suggestion="Ignore this if the report does not need the column.",
        severity="warning",
    ),
    "column-unknown.repeated": Code(
        "a column of a crosstable that is there twice",
        "Annex 9 art. 4.1; R21",
        message="This column is there twice. Only the first one was used.",
        severity="warning",
    ),
    "column-unknown.rounds": Code(
        "columns of rounds in another order",
        "Annex 9 art. 4.1; R21",
        message="The rounds are not in order. From here on they were not used.",
        expected="R{round}",
        suggestion="Export the table again with the rounds R1, R2, … in order.",
    ),
    "column-unknown.table": Code(
        "a column that the spreadsheet does not have",
        "Annex 9 art. 4.1; R21",
        message="The format does not have this column. It was not read.",
        expected="{headings}",
        suggestion="Ignore this if the column does not belong to the report; otherwise correct its heading.",
        severity="warning",
    ),
    "column-unknown.csv": Code(
        "a column that a table for the register or of an opening list does not have",
        _TABLE,
        message="This column is unknown.",
        expected="columns: {headings}",
        suggestion="Correct the heading, or delete the column.",
    ),
    "place-out-of-order": Code(
        "a place that is not the line of the table",
        _CROSSTABLE,
        message="The place is out of order, so it is unclear which player the cells mean.",
        expected="{place}",
        suggestion="Add the missing lines and number the lines 1, 2, 3, … "
        "Enter shared places as Shared places in the tournament details.",
    ),
    "place-out-of-order.gap": Code(
        "places that are missing",
        _CROSSTABLE,
        message=Plural(
            "Place {place} is missing above this line.",
            "The places {place} to {last} are missing above this line.",
            "count",
        ),
    ),
    "name-missing": Code("a player without name", "Annex 9 art. 4.2.5, 11; R20"),
    "name-not-split": Code("a name that does not say which part is the surname", "Annex 9 art. 4.2.2; R21"),
    "name-missing.table": Code(
        "a line of a table without name",
        "Annex 9 art. 4.2.5, 11; R20",
        message="The player has no name.",
        found="nothing",
        expected="Last, First",
        suggestion="Write first name and surname in full.",
    ),
    "name-missing.part": Code(
        "a line of the table form without first name or surname",
        "Annex 9 art. 4.2.5, 11; R20",
        message="First name or surname is missing.",
        expected="first name and surname in full",
        suggestion="Write both names as in the passport, in English letters.",
    ),
    "name-not-split.table": Code(
        "a name of a table without its one comma",
        "Annex 9 art. 4.2.2; R21",
        message="It is unclear which part of the name is the surname. The name was not split.",
        expected="Last, First",
        suggestion="Choose the player in the step People.",
        severity="warning",
    ),
    "title-unknown": Code(
        "a title that FMJD does not have",
        "Annex 10 art. 1; R21",
        message="FMJD does not have this title. It was not used.",
        expected="GMI MI MF CMF GMIF MIF MFF CMFF, or nothing",
        suggestion="Nothing to do: the title is taken from the register.",
        severity="warning",
    ),
    "rating-unreadable": Code(
        "a rating column that is not a category and a rating",
        "Annex 9 art. 6.3; R21",
        message="The rating was not used.",
        expected="category and rating, for example A 2339",
        suggestion="Nothing to do: the rating is taken from the list in force.",
        severity="warning",
    ),
    "rating-unreadable.trf16": Code(
        "a rating in TRF16 that is not a number",
        "Annex 9 art. 6.3; R21",
        expected="a number of up to four digits",
        severity="warning",
    ),
    "cell-unreadable": Code(
        "a cell that is not opponent, colour and result",
        _CROSSTABLE,
        message="The cell is not opponent, colour and result.",
        suggestion="Write the cell again, or leave it empty for a round without a game.",
    ),
    "cell-unreadable.draughts-arbiter": Code(
        "a cell of Draughts Arbiter",
        _CROSSTABLE,
        expected="the opponent's place, w or b, and 2, 1, 0 or -; for example 68b2",
    ),
    "cell-unreadable.toernooibase": Code(
        "a cell of toernooibase",
        _CROSSTABLE,
        expected="2, 1, 0 or -, a slash, the opponent's place and w or b; for example 2/8w",
    ),
    "cell-unreadable.table-form": Code(
        "a cell of the table form",
        "Annex 9 art. 4.2.2; R20",
        expected="2, 1, 0 or -, a slash and the number of the opponent's line; for example 2/27",
    ),
    "cell-unreadable.trf16-opponent": Code(
        "a round in TRF16 whose opponent is not a number",
        _TRF16_CELL,
        message="The opponent is not a number.",
        expected="a tournament number, or 0000 for no opponent",
        suggestion=_RESULT_AGAIN,
    ),
    "cell-unreadable.trf16-colour": Code(
        "a round in TRF16 with an unknown colour",
        _TRF16_CELL,
        message="The colour is unknown.",
        expected="w or b, or - for a round without a game",
        suggestion=_RESULT_AGAIN,
    ),
    "cell-unreadable.trf16-result": Code(
        "a result that TRF16 does not have",
        _TRF16_CELL,
        message="TRF16 does not have this result.",
        expected="one of 1 = 0 + - W D L H F U Z",
        suggestion=_RESULT_AGAIN,
    ),
    "cell-unreadable.trf16-only-colour": Code(
        "a colour in TRF16 without an opponent",
        _TRF16_CELL,
        message="There is a colour without an opponent.",
        expected="- for a round without a game",
        suggestion=_RESULT_AGAIN,
    ),
    "cell-unreadable.trf16-only-result": Code(
        "a result in TRF16 without an opponent",
        _TRF16_CELL,
        message="There is a result without an opponent.",
        expected="F U H or Z without an opponent",
        suggestion=_RESULT_AGAIN,
    ),
    "cell-unreadable.trf16-bye": Code(
        "a bye in TRF16 with an opponent",
        _TRF16_CELL,
        message="There is a bye with an opponent.",
        expected="one of 1 = 0 + - W D L against an opponent",
        suggestion=_RESULT_AGAIN,
    ),
    "cell-unreadable.trf16-no-result": Code(
        "a game in TRF16 without a result",
        _TRF16_CELL,
        message="The game has no result.",
        expected="one of 1 = 0 + - W D L against an opponent",
        suggestion=_RESULT_AGAIN,
    ),
    "opponent-unknown": Code(
        "a cell that names a place not in the table",
        _CROSSTABLE,
        message=Plural(
            "The cell names place {unknown}, which is not in the table.",
            "{cells} cells name places that are not in the table: {unknown} (line {lines}).",
            "cells",
        ),
        expected="a place from 1 to {last}, not a tournament number",
        suggestion="Correct the place, or add the line of the player.",
    ),
    "opponent-unknown.number": Code(
        "a cell that names a tournament number not in the table",
        _CROSSTABLE,
        message=Plural(
            "The cell names number {unknown}, which is not in the table.",
            "{cells} cells name numbers that are not in the table: {unknown} (line {lines}).",
            "cells",
        ),
        expected="the tournament number of a player, columns 5 to 8 of the line",
        suggestion="Correct the number, or add the line of the player.",
    ),
    "cells-disagree": Code(
        "the two cells of a game contradict each other",
        _CROSSTABLE,
        message="The two cells of this game contradict each other. "
        "The other cell is on line {other_line}, column {other_column}.",
        found="{cell} here, {other} there",
        expected="{needed} there",
        suggestion="Check the game on the score sheet and correct one of the two cells.",
    ),
    "cells-disagree.empty": Code(
        "the other cell of a game is empty",
        _CROSSTABLE,
        found="{cell} here, an empty cell there",
    ),
    "cells-disagree.sum": Code(
        "the two results of a game do not add up",
        _CROSSTABLE,
        expected="two results with a sum of 2 points",
    ),
    "cells-disagree.line": Code(
        "the cells of a player contradict those of several opponents",
        _CROSSTABLE,
        message="The line contradicts those of the opponents in {count} rounds, so its cells may have moved.",
        found="contradictions in rounds {rounds}",
        expected="each game in the cells of both players, in the same round",
        suggestion="Check whether a cell of the line is missing or is there twice.",
    ),
    "cells-disagree.table": Code(
        "the lines of a table contradict each other",
        _CROSSTABLE,
        message="{lines} lines contradict those of the opponents, so lines are missing or have moved.",
        found="{players} lines of players",
        expected="a line for each opponent that the cells name, in its place",
        suggestion="Look for a line that is missing, there twice or in a wrong place. "
        "Export the table again if you can.",
    ),
    "cells-disagree.table-unknown": Code(
        "the lines of a table contradict each other and name opponents that are not in the table",
        _CROSSTABLE,
        message="{lines} lines contradict those of the opponents, so lines are missing or have moved.",
        found="{players} lines of players; the cells also name {unknown}",
        expected="a line for each opponent that the cells name, in its place",
        suggestion="Look for a line that is missing, there twice or in a wrong place. "
        "Export the table again if you can.",
    ),
    "forfeit-undecided": Code(
        "regulatory results that the totals do not decide",
        "Annex 9 art. 11; R8, R20",
        message="The totals do not say who got the points of this regulatory result. "
        "The other cell is on line {other_line}, column {other_column}.",
        found=Plural(
            "{cell} here, {other} there, printed total {total}",
            "rounds {rounds}: {cell} here, {other} there, printed total {total}",
            "count",
        ),
        expected="one cell with the points, for example {win} against {forfeit}",
        suggestion="Write the points of one player instead of -, or correct the totals.",
    ),
    "pause-undecided": Code(
        "cells without opponent that the total does not decide",
        "Annex 9 art. 11; R20",
        message="The printed total does not say whether this is a pause or a round not played.",
        found=Plural(
            "{cell}, printed total {total}", "rounds {rounds}: {cell}, printed total {total}", "count"
        ),
        expected="{pause} for a pause, {not_played} for a round not played",
        suggestion="Write one of the two into the cell, or correct the total.",
    ),
    "pause-undecided.empty": Code(
        "empty cells that the total does not decide",
        "Annex 9 art. 11; R20",
        found=Plural(
            "an empty cell, printed total {total}",
            "rounds {rounds}: an empty cell, printed total {total}",
            "count",
        ),
    ),
    # the lines of TRF16
    "columns-shifted": Code(
        "fields that have moved to other columns",
        _CROSSTABLE,
        message="{count} fields of this line are wrong, so the fields have moved. The line was not used.",
        expected="{fields}",
        suggestion="Check whether a field is missing or is there twice.",
    ),
    "columns-shifted.trf16": Code(
        "a line of TRF16 with text in a column that is empty",
        _CROSSTABLE,
        message="There is text in a column that must be empty, so the line is shifted. It was not used.",
        expected="a space; columns are counted in characters",
        suggestion="Export the file again. In an editor use a monospaced font and no tabs.",
    ),
    "self-play.cell": Code(
        "a cell in which the opponent is the player",
        _FORM,
        message="A player cannot play against themselves.",
        expected="the number of another player",
        suggestion="Correct the number of the opponent.",
    ),
    "half-point-bye": Code(
        "a bye of half a point, which no pause gives",
        "Annex 9 art. 11; R20",
        message="A bye cannot give half a point. A pause gives 2 points, a round not played gives none.",
        expected="U or F for a pause, Z for a round not played",
        suggestion="Ask the rating officer, write one of the two and correct the points of the player.",
    ),
    "game-not-rated": Code(
        "a game of less than one move",
        "Annex 9 art. 5.3, 11; R8, R21",
        message="By its letters this game had less than one move. It counts as a decision without a game and is not "
        "rated. The other cell is on line {other_line}, column {other_column}.",
        found="{cell} here, {other} there",
        expected="1, = or 0 for a game that was played",
        suggestion="If the game was played, write 1, = or 0 in both cells. If not, write a comment.",
        severity="warning",
    ),
    "points-scale-differs": Code(
        "a points column that counts otherwise than chosen",
        "Annex 9 art. 11; R20, R25",
        message="The points column does not count {chosen} for a win, a draw and a loss. Its points were not used.",
        expected="points that are the sum of the results in {chosen}",
        suggestion='If the program counts {other}, choose points = "{other}" in the tournament details. '
        "If not, correct the points.",
    ),
    "player-count-differs": Code(
        "another number of players than the file says",
        "Annex 9 art. 4.1; R21",
        message="The file says another number of players than it has.",
        expected="{players}, the number of lines 001",
        suggestion="Check whether players were lost when the file was saved.",
        severity="warning",
    ),
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
