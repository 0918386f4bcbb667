"""Checks of the results: who met whom, the points, the colours, the rounds (R20, R21)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import date
from itertools import combinations
from typing import Any

from reporting.rules.checks.context import BLACK, ROUND, WHITE, CheckContext, column_of
from reporting.rules.details.shared_details import System
from reporting.rules.findings.finding_list import MAX_FINDINGS_PER_CODE, Severity
from reporting.rules.report import PAUSE, PointsScale, ReportedGame, ReportedPlayer
from reporting.rules.sentences import joined

MAX_COLOUR_DIFFERENCE = 2
"""Games more with one colour than with the other that are still even. The rules give no figure: ours."""


def check_not_empty(context: CheckContext) -> None:
    """A report has players and games, unless the reader has reported that they cannot be read."""
    unreadable = bool(context.read.unread) and any(
        finding.severity is Severity.ERROR for finding in context.read.findings
    )
    left = context.read.unread_sections
    if not context.read.players and not unreadable and "players" not in left:
        context.findings.add("no-players", line=1, column=1)
    if not (context.read.games or context.read.undecided or unreadable or "results" in left):
        context.findings.add("no-games", line=1, column=1)


def check_opponents(context: CheckContext) -> None:
    """Results name players of the report, two different ones, each once in a round (R20), in a session once a game."""
    seen: dict[tuple[int, int, int], ReportedGame] = {}
    unknown: defaultdict[int, list[tuple[ReportedGame, int, str]]] = defaultdict(list)
    for game in context.read.games:
        sides = ((game.white, WHITE, "white"), (game.black, BLACK, "black"))
        for number, part, field in sides:
            if number != PAUSE and number not in context.by_number:
                unknown[number].append((game, part, field))
        if game.white == game.black:
            context.findings.add(
                "self-play",
                line=game.line,
                column=column_of(game, BLACK),
                field="black",
                number=game.white,
                about=(game.white,),
            )
            context.confused.add(game.white)
            continue
        before_white = seen.get((game.round, game.number, game.white))
        if before_white is not None and before_white is seen.get((game.round, game.number, game.black)):
            _game_repeated(context, game, before_white)
            continue
        for number, part, field in sides:
            if number == PAUSE:
                continue
            before = seen.setdefault((game.round, game.number, number), game)
            if before is not game:
                context.confused.add(number)
                context.findings.add(
                    "paired-twice",
                    line=game.line,
                    column=column_of(game, part),
                    field=field,
                    number=number,
                    round=game.round,
                    first_line=before.line,
                    about=(number,),
                )
    repeated = len(context.read.players) - len(context.by_number)
    if "players" in context.read.unread_sections or len(unknown) <= context.read.unread_players + repeated:
        return  # their lines could not be read, or repeat a number: the reader or check_numbers has reported that
    for number, uses in unknown.items():
        _number_unknown(context, number, uses)


def check_sessions(context: CheckContext) -> None:
    """In a session the games of a round are against one opponent, and none between them is missing (R21, R25).

    Later games need not be played: in the Beijing system each depends on the one before.
    """
    if context.details is None or not context.details.session:
        return
    of_round: defaultdict[tuple[int, int], list[ReportedGame]] = defaultdict(list)
    for player in context.read.players:
        for game in context.read.games_of.get(player.number, ()):
            of_round[player.number, game.round].append(game)
    for (number, turn), games in of_round.items():
        if number in context.confused or number in context.read.undecided:
            continue
        opponents = [game.black if game.white == number else game.white for game in games]
        other = next((place for place, one in enumerate(opponents) if one != opponents[0]), None)
        if other is not None:
            game = games[other]
            context.findings.add(
                "session-opponents",
                line=game.line,
                column=column_of(game, WHITE),
                field="white",
                number=number,
                round=turn,
                first=opponents[0],
                game=game.number,
                other=opponents[other],
                about=(number,),
            )
        missing = sorted(set(range(1, games[-1].number)) - {game.number for game in games})
        if missing:
            context.findings.add(
                "session-game-missing",
                line=games[-1].line,
                column=column_of(games[-1], ROUND),
                field="round",
                number=number,
                round=turn,
                missing=joined(missing),
                last=games[-1].number,
                about=(number,),
            )


def check_points(context: CheckContext) -> None:
    """Points are the sum of the results; a pause gives 2 (R20), where the points of the tournament are 2-1-0."""
    if context.details is not None and context.details.points_scale is PointsScale.WHOLE:
        for game in context.read.games:
            if game.is_pause and max(game.white_points, game.black_points) == 1:
                context.findings.add(
                    "half-point-bye",
                    line=game.line,
                    column=game.column,
                    field=f"r{game.round}",
                    found=game.result,
                    about=(max(game.white, game.black),),
                )
    played = {game.round for game in context.read.games}
    differing = context.players_with_wrong_points - context.confused
    if len(differing) > max(MAX_FINDINGS_PER_CODE, len(context.read.players) // 2):
        _most_points_differ(context, differing)
        return
    for player in context.read.players:
        if player.number in differing:
            without = sorted(played - {game.round for game in context.read.games_of.get(player.number, ())})
            context.findings.add(
                "points-differ",
                line=player.line,
                column=player.column("points"),
                field="points",
                printed=context.points(player.points_printed or 0),
                number=player.number,
                rounds=joined(without),
                **_tally(context, player),
            )


def check_repeated_pairings(context: CheckContext) -> None:
    """In a Swiss no two players meet twice; a game not played is no meeting (R21)."""
    if context.system is not System.SWISS:
        return
    met: dict[frozenset[int], ReportedGame] = {}
    for game in sorted(context.read.games, key=lambda game: game.round):
        if not game.played or game.white == game.black:
            continue
        before = met.setdefault(frozenset((game.white, game.black)), game)
        if before is not game and before.round != game.round:
            context.findings.add(
                "met-before",
                line=game.line,
                column=column_of(game, WHITE),
                field="white",
                white=game.white,
                black=game.black,
                round=game.round,
                first_round=before.round,
                first_line=before.line,
                about=(game.white, game.black),
            )


def check_colours(context: CheckContext) -> None:
    """Colours of the games played, where the format has them, are about even (R21)."""
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
            context.findings.add(
                "colours-uneven",
                line=player.line,
                column=player.column("number"),
                field="number",
                white=white,
                black=black,
                max_difference=MAX_COLOUR_DIFFERENCE,
            )


def check_rounds(context: CheckContext) -> None:
    """As many rounds as the edition of the last round asks, and none missing, where tournaments have rounds (R21).

    Not of a part: the others have the remaining rounds.
    """
    games = context.read.games
    if context.details is not None and context.details.part is not None:
        return
    if not games or context.read.undecided or not context.rules.has_rounds:
        return  # results that could not be read may be those of the missing rounds
    rounds = {game.round for game in games}
    last = max(games, key=lambda game: (game.round, game.line))
    min_rounds = context.edition_on(context.played_to or context.today).min_rounds
    if last.round < min_rounds:
        context.findings.add(
            "few-rounds",
            line=last.line,
            column=last.column,
            field="round",
            rounds=last.round,
            min_rounds=min_rounds,
            about=(),
        )
    for number in range(1, last.round):
        if number not in rounds:
            after = min(
                (game for game in games if game.round > number), key=lambda game: (game.round, game.line)
            )
            context.findings.add(
                "round-missing",
                line=after.line,
                column=after.column,
                field="round",
                missing=number,
                next=after.round,
                last=last.round,
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


def check_game_days(context: CheckContext) -> None:
    """The days of a game are in order, and within the tournament (R20)."""
    begins, ends = context.played_from, context.played_to
    if begins and ends and ends < begins:
        begins = ends = None  # check_dates has reported that; which of the two is wrong is not known
    columns: dict[tuple[int, str], int] = {}
    for game in context.read.games:
        for name, day in (("started_on", game.started_on), ("finished_on", game.finished_on)):
            if day is None:
                continue
            columns = columns or {(row, field): column for row, column, field in context.read.cells}
            column = columns.get((game.line, name), game.column)
            if (begins and day < begins) or (ends and day > ends):
                _game_day_differs(
                    context, "game-day-differs", (game.line, column, name), day=day, first=begins, last=ends
                )
            elif name == "finished_on" and game.started_on and day < game.started_on:
                place = (game.line, column, name)
                _game_day_differs(
                    context, "game-day-differs.order", place, day=day, first=game.started_on, last=ends
                )


RESULT_CHECKS: tuple[Callable[[CheckContext], None], ...] = (
    check_not_empty,
    check_opponents,
    check_sessions,
    check_points,
    check_repeated_pairings,
    check_colours,
    check_rounds,
    check_missing_results,
    check_game_days,
)


def _game_day_differs(
    context: CheckContext,
    key: str,
    place: tuple[int, int, str],
    *,
    day: date,
    first: date | None,
    last: date | None,
) -> None:
    line, column, name = place
    context.findings.add(
        key,
        line=line,
        column=column,
        field=name,
        day=day.isoformat(),
        first=first.isoformat() if first else "",
        last=last.isoformat() if last else "",
    )


def _most_points_differ(context: CheckContext, differing: frozenset[int]) -> None:
    """Report once that most points are not the sum of the results: that has one cause."""
    first = next(player for player in context.read.players if player.number in differing)
    context.findings.add(
        "points-differ.most",
        line=first.line,
        column=first.column("points"),
        field="points",
        printed=context.points(first.points_printed or 0),
        number=first.number,
        count=len(differing),
        total=len(context.read.players),
        about=(),
        **_tally(context, first),
    )


def _game_repeated(context: CheckContext, game: ReportedGame, before: ReportedGame) -> None:
    context.confused.update((game.white, game.black))
    context.findings.add(
        "paired-twice.pair",
        line=game.line,
        column=column_of(game, WHITE),
        field="white",
        white=game.white,
        black=game.black,
        round=game.round,
        first_line=before.line,
        about=tuple(number for number in (game.white, game.black) if number != PAUSE),
    )


def _number_unknown(context: CheckContext, number: int, uses: list[tuple[ReportedGame, int, str]]) -> None:
    game, part, field = uses[0]
    lines = [use.line for use, _, _ in uses]
    context.findings.add(
        "number-unknown",
        line=game.line,
        column=column_of(game, part),
        field=field,
        number=number,
        count=len(lines),
        lines=joined(lines),
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
    # Once for each number, because a file can have a number on thousands of lines.
    rounds_of = {number: {game.round for game in games} for number, games in context.read.games_of.items()}
    excluded = context.read.undecided | context.players_with_wrong_points
    for player in context.read.players:
        if player.number in excluded:
            continue
        mine = rounds_of.get(player.number, set())
        last = max(mine, default=0)
        missing = sorted(rounds - mine)
        holes = [number for number in missing if number < last]
        after = [number for number in missing if number > last]
        if holes:
            context.findings.add(
                "result-missing",
                line=player.line,
                column=player.column("number"),
                field="number",
                rounds=joined(holes),
                last=last,
                round_count=len(rounds),
            )
        if after:
            _game_missing(context, player, "game-missing", rounds=joined(after), round_count=len(rounds))


def _check_each_pair(context: CheckContext) -> None:
    first_of_round: dict[
        tuple[int, frozenset[int]], int
    ] = {}  # the other games of a session need not be played
    for game in context.read.games:
        first_of_round.setdefault((game.round, frozenset((game.white, game.black))), game.number)
    meetings: Counter[frozenset[int]] = Counter(
        pair
        for game in context.read.games
        if not game.is_pause and game.white != game.black
        for pair in [frozenset((game.white, game.black))]
        if first_of_round[game.round, pair] == game.number
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
    excluded = context.read.undecided | context.players_with_wrong_points
    for number, opponents in missing.items():
        if number not in excluded:
            _game_missing(
                context,
                context.by_number[number],
                "game-missing.opponents",
                times=times,
                opponents=joined(opponents),
            )


def _game_missing(context: CheckContext, player: ReportedPlayer, key: str, **values: Any) -> None:
    context.findings.add(key, line=player.line, column=player.column("number"), field="number", **values)


def _tally(context: CheckContext, player: ReportedPlayer) -> dict[str, Any]:
    """Return the sum of the results and its parts: regulatory points and pauses only if there are any."""
    won = drawn = lost = regulatory = pauses = 0
    for game in context.read.games_of.get(player.number, ()):
        points, other_points = game.white_points, game.black_points
        if game.black == player.number:
            points, other_points = other_points, points
        if game.is_pause:
            pauses += 1
        elif not game.played:
            regulatory += points
        else:
            won, drawn, lost = (
                won + (points > other_points),
                drawn + (points == other_points),
                lost + (points < other_points),
            )
    tally: dict[str, Any] = {
        "summed": context.points(context.read.points_summed[player.number]),
        "won": won,
        "drawn": drawn,
        "lost": lost,
    }
    if regulatory:
        tally["regulatory"] = context.points(regulatory)
    return tally | ({"pauses": pauses} if pauses else {})
