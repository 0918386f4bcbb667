"""Findings about the file of a pairing (docs/reference/pairing-file.md)."""

from reporting.rules.findings.catalogue.code import Code

_ENTRY = "Annex 5 art. 1"

PAIRING_CODES: dict[str, Code] = {
    "pairing-file-too-large": Code(
        "a file of a pairing that is too large",
        message="The file is too large.",
        expected="at most {limit} bytes",
        suggestion="Leave out what is not a player or a game.",
        article=_ENTRY,
    ),
    "json-unreadable": Code(
        "text that is no JSON",
        message="The file cannot be read as JSON from here on.",
        expected="JSON in UTF-8: objects, lists, texts in quotation marks, whole numbers, true, false, null",
        suggestion="Look for a comma or a bracket that is missing just before.",
        article=_ENTRY,
    ),
    "pairing-name-unknown": Code(
        "an entry of a pairing with a name that there is not",
        message="No entry has this name.",
        expected="{allowed}",
        suggestion="Use one of these names, or leave the entry out.",
        article=_ENTRY,
    ),
    "pairing-entry-missing": Code(
        "an entry of a pairing that is missing",
        message="An entry is missing.",
        expected="{allowed}",
        suggestion="Add the entry.",
        article=_ENTRY,
    ),
    "pairing-value-wrong": Code(
        "a value of a pairing that does not fit",
        message="The value does not fit.",
        expected="{allowed}",
        suggestion="Write a value of this kind.",
        article=_ENTRY,
    ),
    "pairing-number-repeated": Code(
        "a tournament number or a lot that two players have",
        message="Another player has this number.",
        expected="a number for each player alone",
        suggestion="Give each player a tournament number and a lot of their own.",
        article="Annex 5 art. 3.2",
    ),
    "pairing-player-unknown": Code(
        "a tournament number that nobody has",
        message="No player has this number.",
        expected="the tournament number of a player",
        suggestion="Correct the number, or add the player.",
        article=_ENTRY,
    ),
    "pairing-player-twice": Code(
        "a player with two games in a round of a pairing",
        message="The player has another game or a pause in round {round}.",
        expected="one game or pause for each player in a round",
        suggestion="Delete one of the two, or correct the number or the round.",
        article=_ENTRY,
    ),
    "pairing-player-absent": Code(
        "a game of a player who takes no part in the round",
        message="The player takes no part in round {round}.",
        expected="a player who has entered, is not absent and has not withdrawn",
        suggestion="Correct the entries from_round, absent or withdrawn_after, or delete the game.",
        article="Annex 5 art. 4.2",
    ),
    "pairing-rating-missing": Code(
        "a player without a rating where the order is by rating",
        message="The player has no rating, and the order is by rating.",
        expected="a rating, or an estimate of the referee",
        suggestion="Enter an estimate by the referee.",
        article="Annex 5 App. A a",
    ),
    "pairing-game-late": Code(
        "a game of the round to be paired, or of a later one",
        message="The game is not of an earlier round than round {round}, which is to be paired.",
        expected="a round from 1 to the last one before it",
        suggestion="Correct the round of the game, or the round to be paired.",
        article=_ENTRY,
    ),
    "pairing-round-late": Code(
        "a round after the last one",
        message="The tournament has {rounds} rounds.",
        expected="a round from 1 to {rounds}",
        suggestion="Correct the round to be paired, or the number of rounds.",
        article=_ENTRY,
    ),
}
