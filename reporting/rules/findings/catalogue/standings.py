"""Findings about points, places and tie-breaks."""

from reporting.rules.findings.catalogue.code import Code
from reporting.rules.sentences import IfGiven, Plural

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

STANDINGS_CODES: dict[str, Code] = {
    "points-differ": Code(
        "points that are not the sum of the results",
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
        "The points of {count} of {total} players are not the sum of their results.",
        suggestion="Check whether the points are in another column, or results are missing.",
        found=Plural(
            "{printed} point of number {number}", "{printed} points of number {number}", by="printed"
        ),
    ),
    "place-repeated": Code(
        "a place used twice",
        "Line {first_line} already has this place.",
        "each place once in an individual tournament, unless the details say that it is shared",
        "Number the places 1, 2, 3, …, or enter the group under Shared places in the details.",
    ),
    "shared-places-differ": Code(
        "shared places with another number of players",
        "The shared places in the details do not match the players of the report.",
        Plural("{wanted} player", "{wanted} players", by="wanted"),
        "Correct Shared places in the details, or the places in the file.",
        Plural("places {places} with {count} player", "places {places} with {count} players", by="count"),
    ),
    "shared-places-differ.points": Code(
        "shared places of players with different points",
        expected="players with the same points",
        found="places {places} with {points} points",
    ),
    "shared-places-differ.teams": Code(
        "shared places in a team tournament",
        expected="an individual tournament",
        found="a team tournament",
    ),
    "round-scores-differ": Code(
        "points of a round for another number of games than a round has",
        "The points of a round in the details do not fit the games of a round.",
        Plural("{games} pair of points for a win", "{games} pairs of points for a win", by="games"),
        "Give the points of winner and loser for each game of a round, in order.",
        "points {points}",
    ),
    "plus-draw-differs": Code(
        "a plus draw that is no draw of the report",
        "A plus draw in the details is no draw of the report.",
        "a drawn game of these players in this round",
        "Correct the round or the numbers under Plus draws in the details.",
        "round {round}: {plus}-{minus}",
    ),
    "decided-ties-differ": Code(
        "decided ties that do not fit the players of the report",
        "The decided ties in the details do not match the players of the report.",
        "tournament numbers of the report",
        "Correct the numbers under Decided ties in the details.",
        Plural("number {numbers}", "numbers {numbers}", by="count"),
    ),
    "decided-ties-differ.points": Code(
        "decided ties of players with different points",
        expected="players with the same points",
        found="numbers {numbers} with {points} points",
    ),
    "decided-ties-differ.teams": Code(
        "decided ties in a team tournament",
        expected="an individual tournament",
        found="a team tournament",
    ),
    "place-missing": Code(
        "a player without place in a finished tournament",
        "The tournament is finished, but this player has no place.",
        "a place for each player, or 0 for all",
        "Enter the place, or comment that the player is not classified.",
        severity="warning",
    ),
    "winner-not-first": Code(
        "the winner is not the player in place 1",
        "The winner is not the player in place 1.",
        "{first_name}, place 1 on line {first_line}",
        "Correct the winner or the places, or explain the difference, for example a tie-break.",
        severity="warning",
    ),
    "places-contradict-points": Code(
        "more points and a lower place",
        "The player in place {place_ahead} (line {line_ahead}) has fewer points.",
        "places in the order of the points",
        "Correct the places, or name the rule by which they were given.",
        "place {place} with {points} points, place {place_ahead} with {points_ahead}",
        severity="warning",
    ),
    "places-contradict-tie-breaks": Code(
        "places that contradict the tie-breaks of the details",
        IfGiven(
            "The places contradict the tie-breaks in the details. Deciding tie-break: {tie_break:text}.",
            "The places contradict the points.",
            by="tie_break",
        ),
        IfGiven("places {team_places}, in the same order", "{order}", by="team_places"),
        "Correct the places or the order of tie-breaks in the details, or explain the difference.",
        IfGiven(
            "teams in places {places}",
            Plural("place {places}", "places {places}", by="count"),
            by="team_places",
        ),
        severity="warning",
    ),
    "tie-break-to-be-played": Code(
        "players equal in all tie-breaks at a place on which a title depends",
        "The tie-break for places {first} to {last} is to be played: a title depends on the order.",
        "the result of the tie-break",
        "Add the result to the details as a decided tie. If it was not played, add the places as shared.",
        "places {first} to {last}, equal in all tie-breaks",
        severity="warning",
    ),
    "places-contradict-tie-breaks.withdrawn": Code(
        "a player who withdrew from a round robin early, ahead of others",
        "Players who withdrew from a round robin after half of the games or fewer are not classified.",
        suggestion="Place them after all others, or explain the difference.",
        severity="warning",
    ),
}
