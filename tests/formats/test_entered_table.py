"""A crosstable as people type it: what a cell says, which cells follow others, which contradict each other."""

import pytest

from reporting.formats.crosstables.entered_table import (
    CellProblem,
    cells_of_games,
    read_cell,
    read_entered_table,
)
from reporting.rules.regulations.berger import berger_rounds
from reporting.rules.report import PAUSE, PointsScale, ReportedGame

FMJD, HALVES = PointsScale.WHOLE, PointsScale.HALVES
GAMES = [
    ReportedGame(1, 1, 2, 2, 0, played=True),
    ReportedGame(1, 4, 3, 1, 1, played=True),
    ReportedGame(2, 2, 3, 0, 0, played=False),
    ReportedGame(2, 1, PAUSE, 2, 0, played=False),
]


def entered(cells, *, games=GAMES, scale=FMJD, pairs=()):
    """The results of round, White, Black, and the problems."""
    table = read_entered_table(games, cells, numbers=range(1, 5), scale=scale, pairs=pairs)
    found = {place: problem.kind for place, problem in table.problems.items()}
    return [(game.round, game.white, game.black, game.result) for game in table.games], found


STORED = [(1, 1, 2, "2-0"), (1, 4, 3, "1-1"), (2, 2, 3, "0x0"), (2, 1, 0, "2-0")]


@pytest.mark.parametrize(
    ("text", "scale", "says"),
    [
        ("44w2", FMJD, (44, True, 2, True)), ("w44 2", FMJD, (44, True, 2, True)),
        ("44 B 0", FMJD, (44, False, 0, True)), ("2/44w", FMJD, (44, True, 2, True)),
        ("44w2x", FMJD, (44, True, 2, False)), ("44w", FMJD, (44, True, None, True)),
        ("w442", FMJD, (442, True, None, True)),  # a number of three digits, not 44 and a win
        ("44w-", FMJD, (44, True, None, True)), ("44w1", HALVES, (44, True, 2, True)),
        ("b44 ½", HALVES, (44, False, 1, True)), ("44b0.5x", HALVES, (44, False, 1, False)),
        ("0,5/44b", HALVES, (44, False, 1, True)), ("pause", HALVES, (PAUSE, True, 2, False)),
    ],
)  # fmt: skip
def test_a_cell_has_opponent_colour_and_points(text, scale, says):
    (half,) = read_cell(text, scale)
    assert (half.opponent, half.is_white, half.points, half.played) == says


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("44w0,5w1", [(44, 0), (5, 2)]),
        ("44w0, 5 w1", [(44, 0), (5, 2)]),
        ("44w0,5, 5w1", [(44, 1), (5, 2)]),
        ("0,5/44w,1/10b", [(44, 1), (10, 2)]),
    ],
)
def test_a_comma_is_between_games_or_in_half_a_point(text, games):
    assert [(half.opponent, half.points) for half in read_cell(text, HALVES)] == games


@pytest.mark.parametrize(
    "text", ["44", "w", "44w3", "44r2", "0w2", "12345w2", "44w2 7", "١w2", "2-0", "44w½"]
)
def test_other_texts_are_not_read(text):
    assert read_cell(text, FMJD) is None


def test_cells_of_games_read_back_as_the_same_games():
    cells = cells_of_games(GAMES, FMJD)
    assert cells == {
        (1, 1): "2w2", (2, 1): "1b0", (4, 1): "3w1", (3, 1): "4b1",
        (2, 2): "3w0x", (3, 2): "2b0x", (1, 2): "pause",
    }  # fmt: skip
    assert entered(cells) == (STORED, {})
    for scale in PointsScale:
        again = read_entered_table((), cells_of_games(GAMES, scale), numbers=range(1, 5), scale=scale).games
        assert sorted(map(str, again)) == sorted(map(str, GAMES))


@pytest.mark.parametrize(
    ("cells", "games"),
    [
        # One side is typed, the other follows: a new game, another result, another colour, a game taken away.
        ({(1, 3): "2b1"}, [*STORED, (3, 2, 1, "1-1")]),
        ({(2, 1): "1b2"}, [(1, 1, 2, "0-2"), *STORED[1:]]),
        ({(2, 1): "1w0"}, [(1, 2, 1, "0-2"), *STORED[1:]]),
        ({(2, 1): ""}, STORED[1:]),
        # Both sides; a pair and a result on the other side; a loss without a game on one side is a win on the other.
        ({(1, 3): "2w", (2, 3): "1b0"}, [*STORED, (3, 1, 2, "2-0")]),
        ({(1, 3): "2w0x"}, [*STORED, (3, 1, 2, "0x2")]),
        ({(1, 3): "2w0x", (2, 3): "1b0x"}, [*STORED, (3, 1, 2, "0x0")]),
        ({(1, 3): "pause", (4, 3): "-"}, [*STORED, (3, 1, 0, "2-0")]),
        # 1 and 4 change their opponents: the cells of 2 and 3 follow.
        ({(1, 1): "3w2", (4, 1): "2w1"}, [(1, 1, 3, "2-0"), (1, 4, 2, "1-1"), *STORED[2:]]),
    ],
)
def test_the_other_side_follows(cells, games):
    assert entered(cells) == (games, {})


@pytest.mark.parametrize(
    ("cells", "problems"),
    [
        ({(1, 3): "2w2", (2, 3): "1b1"}, {(1, 3): CellProblem.RESULTS, (2, 3): CellProblem.RESULTS}),
        ({(1, 3): "2w2", (2, 3): "1w0"}, {(1, 3): CellProblem.SAME_COLOUR, (2, 3): CellProblem.SAME_COLOUR}),
        ({(1, 3): "2w2", (2, 3): "3b0"}, {(1, 3): CellProblem.OTHER_OPPONENT, (2, 3): CellProblem.OTHER_OPPONENT}),
        ({(1, 1): "4w2"}, {(1, 1): CellProblem.OTHER_GAME, (4, 1): CellProblem.OTHER_GAME}),
        ({(1, 3): "2w2", (2, 3): "x"}, {(2, 3): CellProblem.UNREADABLE}),
        ({(1, 3): "9w2"}, {(1, 3): CellProblem.UNKNOWN_NUMBER}),
        ({(1, 3): "1w2"}, {(1, 3): CellProblem.OWN_NUMBER}),
        ({(1, 3): "2w"}, {(1, 3): CellProblem.NO_RESULT}),
    ],
)  # fmt: skip
def test_a_contradiction_is_found_at_both_cells(cells, problems):
    assert entered(cells)[1] == problems


def test_a_pair_of_the_table_waits_for_its_result():
    assert entered({(1, 3): "2w", (2, 3): "1b"}, pairs={(3, 1, 2)}) == (STORED, {})


def test_games_that_no_cell_can_hold_stay():
    """A number that no player has, and a game against oneself: the check of the report has its findings."""
    odd = [ReportedGame(1, 1, 9, 2, 0, played=True), ReportedGame(1, 2, 2, 1, 1, played=True)]
    cells = cells_of_games(odd, FMJD)
    assert cells[2, 1] == "2w1, 2b1"
    assert entered(cells | {(3, 1): "4w2"}, games=odd) == (
        [(1, 1, 9, "2-0"), (1, 2, 2, "1-1"), (1, 3, 4, "2-0")],
        {},
    )


def test_the_berger_table_of_six():
    """FIDE Handbook C.05, Annex 1: the table of 5 or 6 players."""
    table = ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"]
    printed = [[tuple(map(int, pair.split("-"))) for pair in pairs.split()] for pairs in table]
    assert berger_rounds(range(1, 7)) == printed
    # Five players: who meets number 6 is free.
    assert berger_rounds(range(1, 6)) == [[pair for pair in pairs if 6 not in pair] for pairs in printed]
    assert berger_rounds(range(1, 7), double=True)[5:] == [[(b, w) for w, b in pairs] for pairs in printed]
    assert berger_rounds([11, 12, 15, 20]) == [
        [(11, 20), (12, 15)], [(20, 15), (11, 12)], [(12, 20), (15, 11)],
    ]  # fmt: skip
