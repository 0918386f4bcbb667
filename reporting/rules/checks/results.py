"""Checks of the results: who met whom, the points, the colours, the rounds (R20, R21)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import combinations

from reporting.rules.checks.context import BLACK, WHITE, CheckContext, column_of
from reporting.rules.findings import MAX_FINDINGS_PER_CODE, Severity, joined
from reporting.rules.report import PAUSE, ReportedGame, ReportedPlayer
from reporting.rules.tournament_details import System

MAX_COLOUR_DIFFERENCE = 2
"""Games more with one colour than with the other that are still even. The rules give no figure: ours."""

MIN_ROUNDS = 7
"""Rounds of a competition (Annex 2 art. 3a)."""


def check_not_empty(context: CheckContext) -> None:
    """A report has players and games; what could not be read has been said already."""
    unreadable = bool(context.read.unread) and any(
        finding.severity is Severity.ERROR for finding in context.read.findings
    )
    left = context.read.unread_sections
    if not context.read.players and not unreadable and "players" not in left:
        context.findings.error(
            "no-players",
            "The report has no players.",
            line=1,
            column=1,
            found="no line of a player",
            expected="a line for each player",
            suggestion="Export the tournament again with its players.",
        )
    if not (context.read.games or context.read.undecided or unreadable or "results" in left):
        context.findings.error(
            "no-games",
            "The report has no games.",
            line=1,
            column=1,
            found="no result",
            expected="a result for each game",
            suggestion="Export the tournament again with its results.",
        )


def check_opponents(context: CheckContext) -> None:
    """Results name players of the report, two different ones, each once in a round (R20)."""
    seen: dict[tuple[int, int], ReportedGame] = {}
    strangers: defaultdict[int, list[tuple[ReportedGame, int, str]]] = defaultdict(list)
    for game in context.read.games:
        sides = ((game.white, WHITE, "white"), (game.black, BLACK, "black"))
        for number, part, field in sides:
            if number != PAUSE and number not in context.by_number:
                strangers[number].append((game, part, field))
        if game.white == game.black:
            context.findings.error(
                "self-play",
                "A player cannot play against himself.",
                line=game.line,
                column=column_of(game, BLACK),
                field="black",
                found=f"{game.white} against {game.black}",
                expected="two different players",
                suggestion="Correct the number of the opponent.",
                about=(game.white,),
            )
            context.confused.add(game.white)
            continue
        before_white = seen.get((game.round, game.white))
        if before_white is not None and before_white is seen.get((game.round, game.black)):
            _game_repeated(context, game, before_white)
            continue
        for number, part, field in sides:
            if number == PAUSE:
                continue
            before = seen.setdefault((game.round, number), game)
            if before is not game:
                context.confused.add(number)
                context.findings.error(
                    "paired-twice",
                    f"There is a result in round {game.round} on line {before.line} already.",
                    line=game.line,
                    column=column_of(game, part),
                    field=field,
                    found=f"{number} again in round {game.round}",
                    expected="each player once in a round",
                    suggestion="Correct the round or the number.",
                    about=(number,),
                )
    repeated = len(context.read.players) - len(context.by_number)
    if "players" in context.read.unread_sections or len(strangers) <= context.read.unread_players + repeated:
        return  # their lines could not be read, or have the number of others, which was told
    for number, stands in strangers.items():
        _number_unknown(context, number, stands)


def check_points(context: CheckContext) -> None:
    """Points are the sum of the results; a pause gives 2 (R20)."""
    played = {game.round for game in context.read.games}
    wrong = context.players_with_wrong_points - context.confused
    if len(wrong) > max(MAX_FINDINGS_PER_CODE, len(context.read.players) // 2):
        _most_points_differ(context, wrong)
        return
    for player in context.read.players:
        if player.number in wrong:
            summed = context.read.points_summed[player.number]
            without = sorted(played - {game.round for game in context.read.games_of.get(player.number, ())})
            missing = f" or missing: there is none in round {joined(without)}" if without else ""
            context.findings.error(
                "points-differ",
                "The points are not the sum of the results.",
                line=player.line,
                column=player.column("points"),
                field="points",
                found=f"{player.points_printed} points",
                expected=f"{summed}: {_tally(context, player)}",
                suggestion=f"Either the points are {summed}, or a result of number {player.number} is wrong{missing}.",
            )


def check_repeated_pairings(context: CheckContext) -> None:
    """In a Swiss no two players meet twice; a game not played is no meeting (Annex 5 art. 3, R21)."""
    if context.system is not System.SWISS:
        return
    met: dict[frozenset[int], ReportedGame] = {}
    for game in sorted(context.read.games, key=lambda game: game.round):
        if not game.played or game.white == game.black:
            continue
        before = met.setdefault(frozenset((game.white, game.black)), game)
        if before is not game and before.round != game.round:
            context.findings.warning(
                "met-before",
                f"These two have met in round {before.round} (line {before.line}).",
                line=game.line,
                column=column_of(game, WHITE),
                field="white",
                found=f"{game.white} against {game.black} in rounds {before.round} and {game.round}",
                expected="each pair once in a Swiss",
                suggestion=f"Check rounds {before.round} and {game.round} against the score sheets.",
                about=(game.white, game.black),
            )


def check_colours(context: CheckContext) -> None:
    """Colours of the games played, where the form says them, are about even (R21)."""
    if context.system not in (System.SWISS, System.ROUND_ROBIN):
        return
    games = [game for game in context.read.games if game.played and game.colours_known]
    whites: Counter[int] = Counter(game.white for game in games)
    blacks: Counter[int] = Counter(game.black for game in games)
    unsure = (
        context.read.undecided | context.players_with_wrong_points | context.confused | _with_holes(context)
    )
    for player in context.read.players:
        white, black = whites[player.number], blacks[player.number]
        if abs(white - black) > MAX_COLOUR_DIFFERENCE and player.number not in unsure:
            context.findings.warning(
                "colours-uneven",
                "The colours of this player are very uneven.",
                line=player.line,
                column=player.column("number"),
                field="number",
                found=f"{white} times white, {black} times black",
                expected=f"a difference of at most {MAX_COLOUR_DIFFERENCE}",
                suggestion="Check the colours, or say why they are so.",
            )


def check_rounds(context: CheckContext) -> None:
    """At least 7 rounds, and none left out (Annex 2 art. 3a, R21)."""
    games = context.read.games
    if not games or context.read.undecided:
        return  # results that could not be read may be those of the rounds that lack
    rounds = {game.round for game in games}
    last = max(games, key=lambda game: (game.round, game.line))
    if last.round < MIN_ROUNDS:
        context.findings.warning(
            "few-rounds",
            f"The competition has {last.round} rounds.",
            line=last.line,
            column=last.column,
            field="round",
            found=f"{last.round} rounds",
            expected=f"at least {MIN_ROUNDS}",
            suggestion="Say why, or add the rounds that are missing; norms need 7 rounds.",
            about=(),
        )
    for number in range(1, last.round):
        if number not in rounds:
            after = min(
                (game for game in games if game.round > number), key=lambda game: (game.round, game.line)
            )
            context.findings.warning(
                "round-missing",
                f"Round {number} has no result.",
                line=after.line,
                column=after.column,
                field="round",
                found=f"round {after.round} without round {number}",
                expected=f"rounds 1 to {last.round}",
                suggestion="Add the results of the round, or say why it was not played; "
                "an incomplete report is calculated only if the rating officer admits it.",
                about=(),
            )


def check_missing_results(context: CheckContext) -> None:
    """Swiss: each player has a game or pause in each round. Round robin: each has met each (R21).

    In a Swiss a round between others makes the report incomplete (``result-missing``, R11); of a player who
    stops, and in a round robin, a game is missing without that (``game-missing``).
    """
    if context.system is System.SWISS:
        _check_each_round(context)
    elif context.system is System.ROUND_ROBIN:
        _check_each_pair(context)


RESULT_CHECKS: tuple[Callable[[CheckContext], None], ...] = (
    check_not_empty,
    check_opponents,
    check_points,
    check_repeated_pairings,
    check_colours,
    check_rounds,
    check_missing_results,
)


def _most_points_differ(context: CheckContext, wrong: frozenset[int]) -> None:
    """Say once that hardly any points are the sum of the results: that has one cause."""
    first = next(player for player in context.read.players if player.number in wrong)
    context.findings.error(
        "points-differ",
        f"The points of {len(wrong)} of {len(context.read.players)} players are not the sum of their results.",
        line=first.line,
        column=first.column("points"),
        field="points",
        found=f"{first.points_printed} points of number {first.number}",
        expected=f"{context.read.points_summed[first.number]}: {_tally(context, first)}",
        suggestion="Look whether the points stand in another column, or results are missing.",
        about=(),
    )


def _game_repeated(context: CheckContext, game: ReportedGame, before: ReportedGame) -> None:
    context.confused.update((game.white, game.black))
    context.findings.error(
        "paired-twice",
        f"This pair has a result in round {game.round} on line {before.line} already.",
        line=game.line,
        column=column_of(game, WHITE),
        field="white",
        found=f"{game.white} against {game.black} again in round {game.round}",
        expected="each player once in a round",
        suggestion="Delete one of the two lines, or correct the round or the numbers.",
        about=tuple(number for number in (game.white, game.black) if number != PAUSE),
    )


def _number_unknown(context: CheckContext, number: int, stands: list[tuple[ReportedGame, int, str]]) -> None:
    game, part, field = stands[0]
    lines = [each.line for each, _, _ in stands]
    context.findings.error(
        "number-unknown",
        "No player of the report has this number."
        if len(lines) == 1
        else f"No player of the report has this number, which {len(lines)} results name: lines {joined(lines)}.",
        line=game.line,
        column=column_of(game, part),
        field=field,
        found=str(number),
        expected="a tournament number of the section players, or 0 for a pause",
        suggestion="Correct the number, or add the player.",
        about=(),
    )


def _with_holes(context: CheckContext) -> frozenset[int]:
    """Return the numbers that have no result in a round of a Swiss, but one in a later round."""
    rounds = {game.round for game in context.read.games} if context.system is System.SWISS else set()
    return frozenset(
        number
        for number, games in context.read.games_of.items()
        if any(turn < games[-1].round for turn in rounds - {game.round for game in games})
    )


def _check_each_round(context: CheckContext) -> None:
    rounds = {game.round for game in context.read.games}
    told = context.read.undecided | context.players_with_wrong_points
    for player in context.read.players:
        if player.number in told:
            continue
        mine = {game.round for game in context.read.games_of.get(player.number, ())}
        last = max(mine, default=0)
        missing = sorted(rounds - mine)
        holes = [number for number in missing if number < last]
        after = [number for number in missing if number > last]
        expected = f"a game or a pause in each of the {len(rounds)} rounds"
        if holes:
            context.findings.warning(
                "result-missing",
                f"This player has no result in a round, but one in round {last}.",
                line=player.line,
                column=player.column("number"),
                field="number",
                found=f"no result in round {joined(holes)}",
                expected=expected,
                suggestion="Add the result, or say why there is none; "
                "an incomplete report is calculated only if the rating officer admits it.",
            )
        if after:
            _game_missing(context, player, found=f"no result in round {joined(after)}", expected=expected)


def _check_each_pair(context: CheckContext) -> None:
    meetings: Counter[frozenset[int]] = Counter(
        frozenset((game.white, game.black))
        for game in context.read.games
        if not game.is_pause and game.white != game.black
    )
    if not meetings:
        return
    times = max(meetings.values())
    missing: defaultdict[int, list[int]] = defaultdict(list)
    numbers = sorted(context.by_number)
    if len(numbers) > 2 * context.read.rounds + 2:
        return  # more players than could have met: groups, not one round robin
    for one, other in combinations(numbers, 2):
        if meetings[frozenset((one, other))] < times:
            missing[one].append(other)
            missing[other].append(one)
    told = context.read.undecided | context.players_with_wrong_points
    for number, opponents in missing.items():
        if number not in told:
            _game_missing(
                context,
                context.by_number[number],
                found=f"no game against {joined(opponents)}"
                if times == 1
                else f"fewer than {times} games against {joined(opponents)}",
                expected=f"{times} against each of the other players",
            )


def _game_missing(context: CheckContext, player: ReportedPlayer, *, found: str, expected: str) -> None:
    context.findings.warning(
        "game-missing",
        "A game of this player is missing.",
        line=player.line,
        column=player.column("number"),
        field="number",
        found=found,
        expected=expected,
        suggestion="Add the result, or say why there is none (absent, retired).",
    )


def _tally(context: CheckContext, player: ReportedPlayer) -> str:
    """Return the sum in words: ``5 won, 4 drawn, 0 lost``, and regulatory points and pauses if any."""
    won = drawn = lost = regulatory = pauses = 0
    for game in context.read.games_of.get(player.number, ()):
        mine, his = game.white_points, game.black_points
        if game.black == player.number:
            mine, his = his, mine
        if game.is_pause:
            pauses += 1
        elif not game.played:
            regulatory += mine
        else:
            won, drawn, lost = won + (mine > his), drawn + (mine == his), lost + (mine < his)
    parts = [f"{won} won, {drawn} drawn, {lost} lost"]
    if regulatory:
        parts.append(f"{regulatory} by decision of the referee")
    if pauses:
        parts.append(f"{pauses} {'pause' if pauses == 1 else 'pauses'}")
    return ", ".join(parts)
