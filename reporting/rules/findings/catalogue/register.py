"""Findings about changes and tables of the register."""

from reporting.rules.findings.catalogue.code import TABLE, Code

_REGISTER = "docs/reference/pages/register.md"

REGISTER_CODES: dict[str, Code] = {
    "table-empty": Code(
        "a table without lines",
        TABLE,
        "The table has no lines below its header.",
        "a line for each player",
    ),
    "value-missing": Code("an empty cell", TABLE, "The value is missing.", "a number"),
    "date-too-late": Code(
        "a last game after the list",
        TABLE,
        "The last game is after the list.",
        "a day before {in_force:date}",
    ),
    "number-too-large": Code(
        "more games in three years than in total",
        TABLE,
        "The number of games in three years is larger than the total.",
        "at most {games}",
    ),
    "name-missing.register": Code(
        "a player of the register without surname", _REGISTER, "The surname is missing.", "a surname"
    ),
    "id-missing": Code("a player without number", TABLE, "The number is missing.", "a number"),
    "id-repeated": Code(
        "a number used twice", TABLE, "An earlier line already has this number.", "each player once"
    ),
    "federation-unknown": Code(
        "an unknown federation",
        TABLE,
        "This federation is unknown.",
        "a code of countries.csv, for example NED",
    ),
    "federation-unknown.choice": Code(
        "a federation that is not one of the list", _REGISTER, expected="a country of the list"
    ),
    "name-forbidden": Code(
        "a character that no name has",
        _REGISTER,
        "The name has a character that is not allowed.",
        "a letter first; then letters, digits, space, hyphen, apostrophe, point, brackets",
    ),
    "born-unlikely.register": Code(
        "a day of birth before 1850 or in the future",
        _REGISTER,
        "No player of the register can have been born on this day.",
        "a day from {first:date} to {last:date}",
        found="a day outside this range",
    ),
    "born-unlikely.register-year": Code(
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
    "number-unreadable.identity": Code(
        "a number that its register does not give",
        _REGISTER,
        "This is not a number of this register.",
        "a whole number from 1 to {largest:,}",
    ),
    "number-unreadable.national": Code(
        "a number that no national federation gives",
        _REGISTER,
        "This is not a number of a national federation.",
        "letters and digits, at most {max_length}",
    ),
    "number-kept": Code(
        "another number of a register that has a rating system",
        _REGISTER,
        "The player already has the number {number} in this register. Lists print it.",
        "{number}, or nothing",
        "Correct the number.",
    ),
    "number-last": Code(
        "the last number of a player is removed",
        _REGISTER,
        "The player has no other number that identifies them.",
        "a number in a register",
    ),
    "number-taken": Code(
        "a number of another player",
        _REGISTER,
        "Another player has this number: {player}.",
    ),
    "value-unknown.choice": Code(
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
    "title-day-outside": Code(
        "a title that counts from a day before 1900 or in the future",
        _REGISTER,
        "The title cannot count from this day.",
        "a day from {first} to {last}",
        found="a day outside this range",
    ),
    "character-forbidden.register": Code(
        "a text with a control character",
        _REGISTER,
        "The text has a control character.",
        "a text without control characters",
        "Delete the character.",
        "a control character",
    ),
}
