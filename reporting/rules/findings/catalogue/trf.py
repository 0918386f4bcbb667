"""Findings about the lines of FIDE's Tournament Report File."""

from reporting.rules.findings.catalogue.code import Code
from reporting.rules.sentences import IfGiven

TRF_CODES: dict[str, Code] = {
    "columns-shifted": Code(
        "fields that have moved to other columns",
        message="{count} fields of this line are wrong, so the fields have moved. The line was not used.",
        expected="{fields}",
        suggestion="Check whether a field is missing or is there twice.",
    ),
    "columns-shifted.trf16": Code(
        "a line of TRF16 with text in a column that is empty",
        message="There is text in a column that must be empty, so the line is shifted. It was not used.",
        expected="a space; columns are counted in characters",
        suggestion="Export the file again. In an editor use a monospaced font and no tabs.",
    ),
    "self-play.cell": Code(
        "a cell in which the opponent is the player",
        message="A player cannot play against themselves.",
        expected="the number of another player",
        suggestion="Correct the number of the opponent.",
    ),
    "half-point-bye": Code(
        "a bye of half a point, which no pause gives",
        message="A bye cannot give half a point. A pause gives 2 points, a round not played gives none.",
        expected="U or F for a pause, Z for a round not played",
        suggestion="Ask the rating officer, write one of the two and correct the points of the player.",
    ),
    "game-not-rated": Code(
        "a game of less than one move",
        message="By its letters this game had less than one move. It counts as a decision without a game and is not "
        "rated. The other cell is on line {other_line}, column {other_column}.",
        found="{cell} here, {other} there",
        expected="1, = or 0 for a game that was played",
        suggestion="If the game was played, write 1, = or 0 in both cells. If not, write a comment.",
        severity="warning",
    ),
    "points-scale-taken": Code(
        "a points column that counts 1-½-0 by all its sums",
        message="The points column counts {scale} for a win, a draw and a loss. All totals are the sums of the "
        "results.",
        expected="points that are the sum of the results",
        suggestion="Nothing to do. If the file counts otherwise, choose its scale in the tournament details.",
        severity="note",
    ),
    "points-system-unreadable": Code(
        "a line 162 of TRF26 that cannot be read",
        message="The points for results cannot be read. The points column is compared with 1-½-0 or 2-1-0.",
        expected="W, D, L, A, P, X with their points, for example W 1.0    D 0.5",
        suggestion="Correct the line, or choose the scale of the points column in the tournament details.",
        severity="warning",
    ),
    "points-system-unknown": Code(
        "a line 162 of TRF26 with another scale than 1-½-0 or 2-1-0",
        message="The points column counts {won}, {drawn} and {lost} for a win, a draw and a loss. It was not compared "
        "with the results. Ratings and standings count the results 2-1-0.",
        expected="1.0, 0.5, 0.0 or 2.0, 1.0, 0.0",
        suggestion="Check the results in the preview, and comment that the places follow other points.",
        severity="warning",
    ),
    "points-apart": Code(
        "points that line 299 of TRF26 gives apart from the results",
        message=IfGiven(
            "Line 299 gives {sign}{points} points to {numbers} in round {round}. They are in the points column. "
            "Ratings and standings count the games alone.",
            "Line 299 gives {sign}{points} points to {numbers}. They are in the points column. Ratings and "
            "standings count the games alone.",
            by="round",
        ),
        expected="a decision of the referee, named in the special cases",
        suggestion="Write who decided it, and why.",
        severity="warning",
    ),
    "points-not-read": Code(
        "points of teams in TRF26 that are not read",
        message="These points of teams are not used. Matches here give 2, 1 and 0 points by their games.",
        expected="matches that give 2, 1 and 0 points",
        suggestion="Check the places of the teams, and comment how the tournament counts.",
        severity="warning",
    ),
    "points-not-read.bye": Code(
        "points of a bye of teams",
        message="The match points and game points of a team’s bye are not used. A round without a match gives its team "
        "2 match points, and its players what their own cells say.",
        severity="warning",
    ),
    "points-not-read.match": Code(
        "other match points than 2, 1 and 0",
        message="These match points are not used. Matches here give 2, 1 and 0 points.",
        severity="warning",
    ),
    "points-not-read.program": Code(
        "a line of a pairing program that sets the points of results",
        message="This line of a pairing program sets the points of a result. It is not used: the points column is "
        "compared with 1-½-0 or 2-1-0, and ratings and standings count the results.",
        expected="line 162 of TRF26, or the points of 1-½-0",
        suggestion="Check the totals in the preview, and comment how the tournament counts.",
        severity="warning",
    ),
    "points-not-read.team-points": Code(
        "points that line 299 gives teams",
        message="Line 299 changes match points or game points of teams. They are not used: standings of teams count "
        "the games alone.",
        severity="warning",
    ),
    "bye-differs": Code(
        "a line 240 of TRF26 that contradicts the cell of a round",
        message="Line 240 gives number {number} a bye in round {round}, but the cell of this round says otherwise. The "
        "cell counts.",
        expected="{cell} in the line of the player",
        suggestion="Correct one of the two, or explain the difference.",
        severity="warning",
    ),
    "record-unreadable": Code(
        "a record of TRF26 that cannot be read",
        message="The record {mark} cannot be read. It was not used.",
        expected="the columns of TRF26",
        suggestion="Export the file again, or check the columns of the line.",
        severity="warning",
    ),
    "team-member-unknown": Code(
        "a team of TRF26 with a number that no player has",
        message="The team has numbers that no player has.",
        expected="the numbers of lines 001",
        suggestion="Check whether players were lost when the file was saved.",
        severity="warning",
    ),
    "team-rank-shared": Code(
        "teams of TRF26 that share a rank",
        message="Several teams share this rank. The place of a player is that of the team, so no place was read.",
        expected="each rank once in the lines 310",
        suggestion="Give the tied teams different ranks, in the order of the tournament.",
        severity="warning",
    ),
    "national-record-unknown": Code(
        "a national record of TRF26 whose number no player has",
        message="The national record is of a number that no player has.",
        expected="the number of a line 001",
        suggestion="Check whether players were lost when the file was saved.",
        severity="warning",
    ),
    "round-count-differs": Code(
        "another number of rounds than the file says",
        message="The file says another number of rounds than it has results of.",
        expected="{rounds}, the number of rounds with results",
        suggestion="Check whether rounds are missing.",
        severity="warning",
    ),
    "tie-breaks-unknown": Code(
        "tie-breaks of TRF26 that are not known here",
        message="These tie-breaks are not known here: {unknown}. The order of the file was not used.",
        expected="tie-breaks of the list in the tournament details",
        suggestion="Choose the order in the tournament details, if it is one of these.",
        severity="note",
    ),
    "points-scale-differs": Code(
        "a points column that counts otherwise than chosen",
        message="The points column does not count {chosen} for a win, a draw and a loss. Its points were not used.",
        expected="points that are the sum of the results in {chosen}",
        suggestion="If the program counts {other}, choose {other} as points column of the file. If not, correct the "
        "points.",
    ),
    "player-count-differs": Code(
        "another number of players than the file says",
        message="The file says another number of players than it has.",
        expected="{players}, the number of lines 001",
        suggestion="Check whether players were lost when the file was saved.",
        severity="warning",
    ),
}
