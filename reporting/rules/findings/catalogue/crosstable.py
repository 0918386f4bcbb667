"""Findings about a crosstable: its headings, names and cells."""

from reporting.rules.findings.catalogue.code import NOTHING, TABLE, Code
from reporting.rules.sentences import Plural

_RESULT_AGAIN = "Write the result of this round again."

CROSSTABLE_CODES: dict[str, Code] = {
    "header-missing": Code(
        "a crosstable without its line of column names",
        message="The line with the names of the columns is missing.",
        found="no line {begins}…",
        expected="{header}",
        suggestion="Export the table again, with the line of column names above the first player.",
    ),
    "header-missing.table": Code(
        "a table of a spreadsheet without its headings",
        message="The table {table} does not begin with its headings.",
        expected="{headings}",
        suggestion="Write the headings of the template above the first row.",
    ),
    "header-missing.games": Code(
        "a table of games with its columns in another order",
        message="The columns of the table are out of order.",
        expected="{headings}",
        suggestion="Write the columns in this order. Other columns come after them.",
    ),
    "column-missing": Code(
        "a column that is needed",
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
        message="The column {heading} is missing.",
        found="no such heading",
        expected="{headings}",
        suggestion="Add the column with its heading, or use a new template.",
    ),
    "column-missing.games": Code(
        "a column of a table of games that is needed",
        message="The column {heading} is missing.",
        found="no such column",
        expected="{headings}",
        suggestion="Add the column.",
    ),
    "column-missing.csv": Code(
        "a column of a table for the register or of an opening list that is needed",
        message="The column {heading} is missing.",
        found="no such column",
        expected="columns: {headings}",
        suggestion="Add the column.",
        article=TABLE,
    ),
    "column-unknown": Code(
        "a column that is not known",
        message="This column is unknown. It was not used.",
        expected="{headings}, tie-breaks",
        suggestion="Ignore this if the report does not need the column.",
        severity="warning",
    ),
    "column-unknown.repeated": Code(
        "a column of a crosstable that is there twice",
        message="This column is there twice. Only the first one was used.",
        severity="warning",
    ),
    "column-unknown.rounds": Code(
        "columns of rounds in another order",
        message="The rounds are not in order. From here on they were not used.",
        expected="R{round}",
        suggestion="Export the table again with the rounds R1, R2, … in order.",
    ),
    "column-unknown.table": Code(
        "a column that the spreadsheet does not have",
        message="The format does not have this column. It was not read.",
        expected="{headings}",
        suggestion="Ignore this if the column does not belong to the report; otherwise correct its heading.",
        severity="warning",
    ),
    "column-unknown.games": Code(
        "a column that a table of games does not have",
        message="This column is unknown.",
        expected="{headings}",
        suggestion="Correct the heading, or delete the column.",
    ),
    "column-unknown.csv": Code(
        "a column that a table for the register or of an opening list does not have",
        message="This column is unknown.",
        expected="columns: {headings}",
        suggestion="Correct the heading, or delete the column.",
        article=TABLE,
    ),
    "place-out-of-order": Code(
        "a place that is not the line of the table",
        message="The place is out of order, so it is unclear which player the cells mean.",
        expected="{place}",
        suggestion="Add the missing lines and number the lines 1, 2, 3, … "
        "Enter shared places as Shared places in the tournament details.",
    ),
    "place-out-of-order.gap": Code(
        "places that are missing",
        message=Plural(
            "Place {place} is missing above this line.",
            "The places {place} to {last} are missing above this line.",
            "count",
        ),
    ),
    "name-missing": Code(
        "a player without name",
        "The surname is missing, or a name has no letter.",
        "surname and first name in full; a player with one name has it as surname",
        "Write the names as in the passport, in English letters.",
        NOTHING,
    ),
    "name-not-split": Code(
        "a name that does not say which part is the surname",
        "It is not clear which part of the name is the surname.",
        "Last, First",
        "Write the surname first, then a comma, or choose the player on the page People.",
        step="people",
    ),
    "name-missing.table": Code(
        "a line of a table without name",
        message="The player has no name.",
        found="nothing",
        expected="Last, First",
        suggestion="Write first name and surname in full.",
    ),
    "name-not-split.table": Code(
        "a name of a table without its one comma",
        message="It is unclear which part of the name is the surname. The name was not split.",
        expected="Last, First",
        suggestion="Choose the player in the step People.",
        step="file",
        severity="warning",
    ),
    "title-unknown": Code(
        "a title that FMJD does not have",
        message="FMJD does not have this title. It was not used.",
        expected="GMI MI MF CMF GMIF MIF MFF CMFF, or nothing",
        suggestion="Nothing to do: the title is taken from the register.",
        severity="note",
    ),
    "rating-unreadable": Code(
        "a rating column that is not a category and a rating",
        message="The rating was not used.",
        expected="category and rating, for example A 2339",
        suggestion="Nothing to do: the rating is taken from the list in force.",
        severity="note",
    ),
    "rating-unreadable.trf16": Code(
        "a rating in TRF16 that is not a number",
        expected="a number of up to four digits",
        severity="note",
    ),
    "cell-unreadable": Code(
        "a cell that is not opponent, colour and result",
        message="The cell is not opponent, colour and result.",
        suggestion="Write the cell again, or leave it empty for a round without a game.",
    ),
    "cell-unreadable.draughts-arbiter": Code(
        "a cell of Draughts Arbiter",
        expected="the opponent's place, w or b, and 2, 1, 0 or -; for example 68b2",
    ),
    "cell-unreadable.toernooibase": Code(
        "a cell of toernooibase",
        expected="2, 1, 0 or -, a slash, the opponent's place and w or b; for example 2/8w",
    ),
    "cell-unreadable.table-form": Code(
        "a cell of the table form",
        expected="2, 1, 0 or -, a slash and the number of the opponent's line; for example 2/27",
    ),
    "cell-unreadable.trf16-opponent": Code(
        "a round in TRF16 whose opponent is not a number",
        message="The opponent is not a number.",
        expected="a tournament number, or 0000 for no opponent",
        suggestion=_RESULT_AGAIN,
    ),
    "cell-unreadable.trf16-colour": Code(
        "a round in TRF16 with an unknown colour",
        message="The colour is unknown.",
        expected="w or b, or - for a round without a game",
        suggestion=_RESULT_AGAIN,
    ),
    "cell-unreadable.trf16-result": Code(
        "a result that TRF16 does not have",
        message="TRF16 does not have this result.",
        expected="one of 1 = 0 + - W D L H F U Z",
        suggestion=_RESULT_AGAIN,
    ),
    "cell-unreadable.trf16-only-colour": Code(
        "a colour in TRF16 without an opponent",
        message="There is a colour without an opponent.",
        expected="- for a round without a game",
        suggestion=_RESULT_AGAIN,
    ),
    "cell-unreadable.trf16-only-result": Code(
        "a result in TRF16 without an opponent",
        message="There is a result without an opponent.",
        expected="F U H or Z without an opponent",
        suggestion=_RESULT_AGAIN,
    ),
    "cell-unreadable.trf16-bye": Code(
        "a bye in TRF16 with an opponent",
        message="There is a bye with an opponent.",
        expected="one of 1 = 0 + - W D L against an opponent",
        suggestion=_RESULT_AGAIN,
    ),
    "cell-unreadable.trf16-no-result": Code(
        "a game in TRF16 without a result",
        message="The game has no result.",
        expected="one of 1 = 0 + - W D L against an opponent",
        suggestion=_RESULT_AGAIN,
    ),
    "opponent-unknown": Code(
        "a cell that names a place not in the table",
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
        message="The two cells of this game contradict each other. "
        "The other cell is on line {other_line}, column {other_column}.",
        found="{cell} here, {other} there",
        expected="{needed} there",
        suggestion="Check the game on the score sheet and correct one of the two cells.",
    ),
    "cells-disagree.empty": Code(
        "the other cell of a game is empty",
        found="{cell} here, an empty cell there",
    ),
    "cells-disagree.sum": Code(
        "the two results of a game do not add up",
        expected="two results with a sum of 2 points",
    ),
    "cells-disagree.line": Code(
        "the cells of a player contradict those of several opponents",
        message="The line contradicts those of the opponents in {count} rounds, so its cells may have moved.",
        found="contradictions in rounds {rounds}",
        expected="each game in the cells of both players, in the same round",
        suggestion="Check whether a cell of the line is missing or is there twice.",
    ),
    "cells-disagree.table": Code(
        "the lines of a table contradict each other",
        message="{lines} lines contradict those of the opponents, so lines are missing or have moved.",
        found="{players} lines of players",
        expected="a line for each opponent that the cells name, in its place",
        suggestion="Look for a line that is missing, there twice or in a wrong place. "
        "Export the table again if you can.",
    ),
    "cells-disagree.table-unknown": Code(
        "the lines of a table contradict each other and name opponents that are not in the table",
        message="{lines} lines contradict those of the opponents, so lines are missing or have moved.",
        found="{players} lines of players; the cells also name {unknown}",
        expected="a line for each opponent that the cells name, in its place",
        suggestion="Look for a line that is missing, there twice or in a wrong place. "
        "Export the table again if you can.",
    ),
    "forfeit-undecided": Code(
        "regulatory results that the totals do not decide",
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
        message="The printed total does not say whether this is a pause or a round not played.",
        found=Plural(
            "{cell}, printed total {total}", "rounds {rounds}: {cell}, printed total {total}", "count"
        ),
        expected="{pause} for a pause, {not_played} for a round not played",
        suggestion="Write one of the two into the cell, or correct the total.",
    ),
    "pause-undecided.empty": Code(
        "empty cells that the total does not decide",
        found=Plural(
            "an empty cell, printed total {total}",
            "rounds {rounds}: an empty cell, printed total {total}",
            "count",
        ),
    ),
}
