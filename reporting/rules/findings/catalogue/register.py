"""Findings about changes and tables of the register, and about lists of sources."""

from reporting.rules.findings.catalogue.code import TABLE, Code
from reporting.rules.sentences import Plural

_REGISTER = "docs/reference/pages/register.md"
_MEMBERSHIPS = "docs/how-to/memberships.md"

_SOURCE = "docs/how-to/sources.md"

_DOWNLOAD = "Download the list again and upload it unchanged."

REGISTER_CODES: dict[str, Code] = {
    "table-empty": Code(
        "a table without lines",
        "The table has no lines below its header.",
        "a line for each player",
        article=TABLE,
    ),
    "table-empty.memberships": Code(
        "a table of memberships without lines",
        expected="a line for each membership; the table replaces all memberships of the register",
        article=_MEMBERSHIPS,
    ),
    "club-unreadable": Code(
        "a club's number that is not six digits",
        "This is not the number of a club.",
        "six digits, for example 020032",
        "Write the zeros in front. A spreadsheet keeps them in a column of text.",
        article=_MEMBERSHIPS,
    ),
    "membership-day-missing": Code(
        "a membership without its first day",
        "The first day is missing.",
        "a date, for example 2024-09-01",
        article=_MEMBERSHIPS,
    ),
    "membership-day-outside": Code(
        "a membership of a day before 1900 or after 2100",
        "No membership begins or ends on this day.",
        "a day from {first:date} to {last:date}",
        article=_MEMBERSHIPS,
    ),
    "membership-reversed": Code(
        "a membership that ends before it begins",
        "The membership ends before it begins.",
        "a day from {member_from:date} on, or nothing",
        article=_MEMBERSHIPS,
    ),
    "membership-overlaps": Code(
        "two memberships of a player on one day",
        "The player is also in club {club} on some of these days: line {first_line}.",
        "one club a day",
        "Correct the days of one of the two lines.",
        article=_MEMBERSHIPS,
    ),
    "value-missing": Code("an empty cell", "The value is missing.", "a number", article=TABLE),
    "date-too-late": Code(
        "a last game after the list",
        "The last game is after the list.",
        "a day before {in_force:date}",
        article=TABLE,
    ),
    "number-too-large": Code(
        "more games in three years than in total",
        "The number of games in three years is larger than the total.",
        "at most {games}",
        article=TABLE,
    ),
    "name-missing.register": Code(
        "a player of the register without surname", "The surname is missing.", "a surname", article=_REGISTER
    ),
    "id-missing": Code("a player without number", "The number is missing.", "a number", article=TABLE),
    "id-repeated": Code(
        "a number used twice", "An earlier line already has this number.", "each player once", article=TABLE
    ),
    "federation-unknown": Code(
        "an unknown federation",
        "This federation is unknown.",
        "a code of countries.csv, for example NED",
        article=TABLE,
    ),
    "federation-unknown.choice": Code(
        "a federation that is not one of the list", expected="a country of the list", article=_REGISTER
    ),
    "name-forbidden": Code(
        "a character that no name has",
        "The name has a character that is not allowed.",
        "a letter first; then letters, digits, space, hyphen, apostrophe, point, brackets",
        article=_REGISTER,
    ),
    "born-unlikely.register": Code(
        "a day of birth before 1850 or in the future",
        "No player of the register can have been born on this day.",
        "a day from {first:date} to {last:date}",
        found="a day outside this range",
        article=_REGISTER,
    ),
    "born-unlikely.register-year": Code(
        "a year of birth before 1850 or in the future",
        "No player of the register can have been born in this year.",
        "a year from {first} to {last}",
        article=_REGISTER,
    ),
    "born-differs": Code(
        "year and date of birth that differ",
        "The year and the date of birth do not agree.",
        suggestion="Correct one of the two. Leave the date empty if only the year is known.",
        article=_REGISTER,
    ),
    "number-unreadable.identity": Code(
        "a number that its register does not give",
        "This is not a number of this register.",
        "a whole number from 1 to {largest:,}",
        article=_REGISTER,
    ),
    "number-unreadable.national": Code(
        "a number that no national federation gives",
        "This is not a number of a national federation.",
        "letters and digits, at most {max_length}",
        article=_REGISTER,
    ),
    "number-kept": Code(
        "another number of a register that has a rating system",
        "The player already has the number {number} in this register. Lists print it.",
        "{number}, or nothing",
        "Correct the number.",
        article=_REGISTER,
    ),
    "number-last": Code(
        "the last number of a player is removed",
        "The player has no other number that identifies them.",
        "a number in a register",
        article=_REGISTER,
    ),
    "number-taken": Code(
        "a number of another player",
        "Another player has this number: {player}.",
        article=_REGISTER,
    ),
    "value-unknown.choice": Code(
        "a value that is not one of the choices",
        "This is not one of the choices.",
        "{allowed}, or nothing",
        article=_REGISTER,
    ),
    "reason-missing": Code(
        "a change without reason",
        "The reason is missing.",
        suggestion="Enter the reason of the change.",
        article=_REGISTER,
    ),
    "decision-missing": Code(
        "a change of title without decision",
        "The decision about the title is missing.",
        suggestion="Name the body that decided, and the date or number of the decision.",
        article=_REGISTER,
    ),
    "title-day-outside": Code(
        "a title that counts from a day before 1900 or in the future",
        "The title cannot count from this day.",
        "a day from {first} to {last}",
        found="a day outside this range",
        article=_REGISTER,
    ),
    "character-forbidden.register": Code(
        "a text with a control character",
        "The text has a control character.",
        "a text without control characters",
        "Delete the character.",
        "a control character",
        article=_REGISTER,
    ),
    "value-repeated": Code(
        "a value of a list for the same twice",
        "An earlier line already has this value.",
        "each value once",
        article=_SOURCE,
    ),
    "source-layout-unknown": Code(
        "a list of a source in no known layout",
        "The list is in no layout that is known.",
        "{heading}, or nothing more",
        _DOWNLOAD,
        article=_SOURCE,
    ),
    "source-kind-missing": Code(
        "a list of one kind of ratings that is not named",
        "The list has ratings of one kind and does not say of which.",
        "{kinds}",
        "Name the kind.",
        "no kind",
        article=_SOURCE,
    ),
    "source-kind-given": Code(
        "a kind named for a list of all kinds",
        "The list has ratings of all kinds.",
        "no kind",
        "Leave the kind out.",
        article=_SOURCE,
    ),
    "source-archive-files": Code(
        "an archive with no file or several",
        "The archive does not have one file.",
        "one file",
        "Upload an archive with the list alone, or the list itself.",
        Plural("{count} file", "{count} files", "count"),
        article=_SOURCE,
    ),
    "source-archive-unreadable": Code(
        "a damaged archive",
        "The archive cannot be read to its end.",
        "a ZIP archive",
        _DOWNLOAD,
        article=_SOURCE,
    ),
    "source-too-large": Code(
        "a list of a source over the limit",
        "The list is too large.",
        "at most {limit:,} bytes",
        found="more bytes",
        article=_SOURCE,
    ),
    "source-line-length": Code(
        "a line of a source that is longer or shorter than its columns",
        "The line does not end where its columns end.",
        "{least} to {most} characters",
        _DOWNLOAD,
        article=_SOURCE,
    ),
    "source-columns-moved": Code(
        "text of a source between two columns",
        "There is no blank before or after the column: the columns have moved.",
        "a blank before and after the column",
        _DOWNLOAD,
        article=_SOURCE,
    ),
    "source-titles": Code(
        "more titles than there are",
        "The list has more different titles than can be.",
        "at most {most} titles",
        _DOWNLOAD,
        article=_SOURCE,
    ),
    "source-xml-unreadable": Code(
        "XML of a source that is not well-formed",
        "The XML is not well-formed.",
        "an element that is closed, and text without < and &",
        _DOWNLOAD,
        article=_SOURCE,
    ),
    "source-xml-refused": Code(
        "XML of a source with a document type or an entity",
        "The XML declares a document type or an entity.",
        "elements and text alone",
        _DOWNLOAD,
        "a declaration",
        article=_SOURCE,
    ),
    "source-element-missing": Code(
        "a player of a source without an element",
        "An element of the player is missing.",
        "a number",
        _DOWNLOAD,
        "nothing",
        article=_SOURCE,
    ),
}
