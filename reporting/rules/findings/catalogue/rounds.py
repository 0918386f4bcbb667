"""Findings about the rounds and games of a report."""

from reporting.rules.findings.catalogue.code import Code
from reporting.rules.sentences import IfGiven, Plural

_BETWEEN = IfGiven(
    IfGiven("a day from {first:date} to {last:date}", "a day from {first:date} on", by="last"),
    "a day up to {last:date}",
    by="first",
)

ROUND_CODES: dict[str, Code] = {
    "self-play": Code(
        "the same player on both sides of a game",
        "White and black are the same player.",
        "two different players",
        "Correct the number of the opponent.",
        "{number} against {number}",
    ),
    "paired-twice": Code(
        "a player twice in one round",
        "Line {first_line} already has a result of this player in round {round}.",
        "each player once in a round",
        "Correct the round or the number.",
        "{number} again in round {round}",
    ),
    "paired-twice.pair": Code(
        "a pair twice in one round",
        "Line {first_line} already has a result of this pair in round {round}.",
        suggestion="Delete one of the two lines, or correct the round or the numbers.",
        found="{white} against {black} again in round {round}",
    ),
    "met-before": Code(
        "two players meet again in a Swiss",
        "These two players already met in round {first_round} (line {first_line}).",
        "each pair once in a Swiss",
        "Check rounds {first_round} and {round} against the score sheets.",
        "{white} against {black} in rounds {first_round} and {round}",
        severity="warning",
    ),
    "session-opponents": Code(
        "two opponents in one round of a session",
        "The games of round {round} are not against one opponent.",
        "the same opponent in each game of a round",
        "Check the results. The file has a round for each game, in the order of the session.",
        "number {number} against {first}, and in game {game} against {other}",
        severity="warning",
    ),
    "session-game-missing": Code(
        "a session without one of its games",
        "A game of round {round} is missing.",
        "games 1 to {last}",
        "Add the result. The file has a round for each game, in the order of the session.",
        "number {number} without game {missing} of round {round}",
        severity="warning",
    ),
    "colours-uneven": Code(
        "very uneven colours",
        "The colours of this player are very uneven.",
        "a difference of at most {max_difference}",
        "Check the colours, or explain them.",
        "white: {white}, black: {black}",
        severity="warning",
    ),
    "few-rounds": Code(
        "fewer than 7 rounds",
        Plural("The tournament has {rounds} round.", "The tournament has {rounds} rounds.", by="rounds"),
        "at least {min_rounds}",
        "Explain why, or add the missing rounds. Norms need {min_rounds} rounds.",
        Plural("{rounds} round", "{rounds} rounds", by="rounds"),
        severity="warning",
    ),
    "no-games": Code(
        "a report without games",
        "The report has no games.",
        "a result for each game",
        "Export the tournament again with its results.",
        "no result",
    ),
    "round-missing": Code(
        "a round without games",
        "Round {missing} has no result.",
        "rounds 1 to {last}",
        "Add the results of the round, or explain why it was not played. "
        "An incomplete report is calculated only if the rating officer admits it.",
        "round {next} without round {missing}",
        severity="warning",
    ),
    "game-missing": Code(
        "a player of a Swiss who leaves before the end",
        "A game of this player is missing.",
        "a game or a pause in each of the {round_count} rounds",
        "Add the result, or explain why there is none, for example absent or retired.",
        "no result in round {rounds}",
        severity="warning",
    ),
    "game-missing.opponents": Code(
        "a player of a round robin who lacks a game",
        expected="{times} against each of the other players",
        found=Plural(
            "no game against {opponents}", "fewer than {times} games against {opponents}", by="times"
        ),
        severity="warning",
    ),
    "result-missing": Code(
        "a player without game or pause in a round who has one in a later round",
        "This player has no result in a round, but one in round {last}.",
        "a game or a pause in each of the {round_count} rounds",
        "Add the result, or explain why there is none. "
        "An incomplete report is calculated only if the rating officer admits it.",
        "no result in round {rounds}",
        severity="warning",
    ),
    "round-dates-differ": Code(
        "another number of days than of rounds",
        "There is not one day for each round.",
        Plural("{rounds} day, one for each round", "{rounds} days, one for each round", by="rounds"),
        "Enter one day for each round, in order, from the first day to the last.",
        Plural("{days} day", "{days} days", by="days"),
    ),
    "round-dates-differ.outside": Code(
        "a round outside the days of the tournament",
        "The day of round {round} is outside the days of the tournament.",
        _BETWEEN,
        found="round {round}: {day:date}",
    ),
    "round-dates-differ.order": Code(
        "a round before an earlier one",
        "The day of round {round} is out of order.",
        _BETWEEN,
        found="round {round}: {day:date}",
    ),
    "game-day-differs": Code(
        "a day of a game outside the days of the tournament",
        "The day of the game is outside the days of the tournament.",
        _BETWEEN,
        "Correct the day of the game, or the days of the tournament.",
        "{day:date}",
    ),
    "game-day-differs.order": Code(
        "a game that ends before it begins",
        "The game ends before it begins.",
        _BETWEEN,
        "Correct one of the two days.",
        "{day:date}",
    ),
}

PAIRING_CODES: dict[str, Code] = {
    "pairing-file-too-large": Code(
        "a file of a pairing that is too large",
        message="The file is too large.",
        expected="at most {limit} bytes",
        suggestion="Leave out what is not a player or a game.",
    ),
    "json-unreadable": Code(
        "text that is no JSON",
        message="The file cannot be read as JSON from here on.",
        expected="JSON in UTF-8: objects, lists, texts in quotation marks, whole numbers, true, false, null",
        suggestion="Look for a comma or a bracket that is missing just before.",
    ),
    "pairing-name-unknown": Code(
        "an entry of a pairing with a name that there is not",
        message="No entry has this name.",
        expected="{allowed}",
        suggestion="Use one of these names, or leave the entry out.",
    ),
    "pairing-name-repeated": Code(
        "an entry of a pairing that is there twice",
        message="The entry is there twice.",
        expected="each entry once",
        suggestion="Delete one of the two.",
    ),
    "pairing-entry-missing": Code(
        "an entry of a pairing that is missing",
        message="An entry is missing.",
        expected="{allowed}",
        suggestion="Add the entry.",
    ),
    "pairing-value-wrong": Code(
        "a value of a pairing that does not fit",
        message="The value does not fit.",
        expected="{allowed}",
        suggestion="Write a value of this kind.",
    ),
    "pairing-number-repeated": Code(
        "a tournament number or a lot that two players have",
        message="Another player has this number.",
        expected="a number for each player alone",
        suggestion="Give each player a tournament number and a lot of their own.",
    ),
    "pairing-player-unknown": Code(
        "a tournament number that no player has",
        message="No player has this number.",
        expected="the tournament number of a player",
        suggestion="Correct the number, or add the player.",
    ),
    "pairing-player-twice": Code(
        "a player with two games in a round of a pairing",
        message="The player has another game or a pause in round {round}.",
        expected="one game or pause for each player in a round",
        suggestion="Delete one of the two, or correct the number or the round.",
    ),
    "pairing-player-absent": Code(
        "a game of a player who takes no part in the round",
        message="The player takes no part in round {round}.",
        expected="a player who has entered, is not absent and has not withdrawn",
        suggestion="Correct the entries from_round, absent or withdrawn_after, or delete the game.",
    ),
    "pairing-rating-missing": Code(
        "a player without a rating where the order is by rating",
        message="The player has no rating, and the order is by rating.",
        expected="a rating, or an estimate of the referee",
        suggestion="Enter an estimate by the referee.",
    ),
    "pairing-game-late": Code(
        "a game of the round to be paired, or of a later one",
        message="The game is not of an earlier round than round {round}, which is to be paired.",
        expected="a round from 1 to the last one before it",
        suggestion="Correct the round of the game, or the round to be paired.",
    ),
    "pairing-round-late": Code(
        "a round after the last one",
        message="The tournament has {rounds} rounds.",
        expected="a round from 1 to {rounds}",
        suggestion="Correct the round to be paired, or the number of rounds.",
    ),
    "pairing-many-rounds": Code(
        "a tournament of as many rounds as half of its players, or more",
        message="The tournament has {rounds} rounds for {players} players, so later rounds may be impossible to pair.",
        expected="fewer rounds than half of the players",
        suggestion="Plan fewer rounds, or a round robin.",
        severity="warning",
    ),
    "pairing-few-rounds": Code(
        "an official competition of fewer rounds than it must have",
        message="The tournament is an official competition.",
        expected="at least {min_rounds} rounds",
        suggestion="Plan {min_rounds} rounds or more.",
        found=Plural("{rounds} round", "{rounds} rounds", by="rounds"),
        severity="warning",
    ),
    "pairing-count-wrong": Code(
        "a number of players for which there is no table",
        message="There is no table for so many players.",
        expected="{allowed} players",
        suggestion="Add or leave out players.",
    ),
    "championship-too-large": Code(
        "a championship of 48 players",
        message="The regulations allow 48 players, but have no table of groups and games for them.",
        expected="40 players",
        suggestion="Enter 40 players, or make the groups by hand.",
    ),
    "championship-place-repeated": Code(
        "two finalists with one place of a group",
        message="Another finalist has this place of the group.",
        expected="places 1, 2 and 3 of each group once",
        suggestion="Correct the group or the place.",
    ),
}
