"""Findings about the players of a report: numbers, births, names, texts."""

from reporting.rules.findings.catalogue.code import NOTHING, Code
from reporting.rules.sentences import IfGiven, Plural

ENTRY_CODES: dict[str, Code] = {
    "number-repeated": Code(
        "a tournament number used twice",
        "Line {first_line} already has this tournament number.",
        "each number once",
        "Give each player a different number, and check the results of both players.",
    ),
    "number-unknown": Code(
        "a result of a number that no player has",
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
        "Line {first_line} already has this FMJD-ID.",
        "each FMJD-ID once",
        "Look both players up in the register.",
    ),
    "born-missing": Code(
        "no date of birth where one is required",
        "The date of birth is missing. Players without FMJD-ID need it.",
        "DD/MM/YYYY",
        "Ask the player, or enter the FMJD-ID if the player has one.",
        NOTHING,
        step="people",
    ),
    "born-missing.age-group": Code(
        "no date of birth in a youth or veterans' tournament",
        "The date of birth is missing. Youth and veterans' tournaments require it of all players.",
        step="file",
    ),
    "born-after-start": Code(
        "born after the first day of the tournament",
        "The player was born after the tournament began.",
        "a day before {played_from:date}",
        "Correct the year of birth.",
        "{born:date}",
    ),
    "born-after-start.new": Code("a new player born after the first day of the tournament", step="people"),
    "born-unlikely": Code(
        "an unlikely age",
        Plural("The player would be {age} year old.", "The player would be {age} years old.", by="age"),
        "an age from {youngest} to {oldest}",
        "Check the year of birth.",
        "{born:date}",
        severity="warning",
    ),
    "sex-missing": Code(
        "no sex where it is required",
        "The sex is missing. Players without FMJD-ID need it.",
        "W or M",
        "Enter W for a woman, M for a man, or the FMJD-ID.",
        NOTHING,
        step="people",
    ),
    "sex-missing.entrant": Code(
        "an entrant with neither rating nor sex",
        "The player has no rating, and the sex is not known.",
        "M or W: without a rating, a man counts 2100 and a woman 2000",
        "Write M or W, or a rating.",
        article="docs/how-to/forecast-norms.md",
    ),
    "name-outside-alphabet": Code(
        "a name outside the English alphabet",
        "The name has the character “{character}”, which is not in the English alphabet.",
        "letters A to Z, space, hyphen and apostrophe",
        IfGiven(
            "Write {in_english_letters}, if that is the name.",
            "Write the name in English letters.",
            by="in_english_letters",
        ),
    ),
    "name-outside-alphabet.new": Code("a name of a new player outside the English alphabet", step="people"),
    "name-too-long": Code(
        "a name over 17 letters",
        "The name has more than {max_length} letters.",
        "at most {max_length} letters; there are {length}",
        "Leave out a middle name.",
    ),
    "name-too-long.new": Code("a name of a new player over 17 letters", step="people"),
    "name-shortened": Code(
        "a shortened name",
        "The name is shortened. Initials and short forms are not allowed.",
        "each name in full, without a single letter, full stop or slash",
        "Write the whole name.",
    ),
    "name-shortened.new": Code("a shortened name of a new player", step="people"),
    "text-too-long": Code(
        "a text over its maximum length",
        Plural("The text has {length} character.", "The text has {length} characters.", by="length"),
        "at most {max_length} characters",
        "Shorten it.",
    ),
    "text-too-long.detail": Code(
        "a text over its maximum length in the file, which the details can hold",
        suggestion="Shorten it. The details can hold the full text.",
    ),
    "text-outside-alphabet": Code(
        "a text outside the English alphabet",
        "The text has the character “{character}”, which is not in the English alphabet.",
        "letters of the English alphabet",
        "Write the text in English letters.",
        severity="warning",
    ),
    "no-players": Code(
        "a report without players",
        "The report has no players.",
        "a line for each player",
        "Export the tournament again with its players.",
        "no line of a player",
    ),
    "player-details-unknown": Code(
        "the details name a number that no player has",
        "The details give an FMJD-ID for a number that no player has.",
        "tournament numbers of the report",
        "Remove the entry on the page People, or correct its number.",
        "{number} = {fmjd_id}",
        step="people",
    ),
    "new-player-unknown": Code(
        "the details name a new player who is not one",
        "The details name a new player who is not in the report, or give the player an FMJD-ID too.",
        "tournament numbers of players without FMJD-ID in the details",
        "Remove the entry on the page People, or correct its number.",
        step="people",
    ),
    "new-player-unknown.registered": Code(
        "the details name a player as new whose number in the file is in the register",
        "The details name a new player, but the register has this {label:text}: {name}.",
        "a number that the register does not have, or none",
        "Choose the registered player on the page People, or correct the number in the file.",
    ),
}
