"""Points are stored in halves and printed by the scale of their tournament: 2-1-0 in draughts, 1-½-0 in chess."""

import pytest

from reporting.rules.points import points_text, result_text
from reporting.rules.report import PointsScale
from reporting.rules.sentences import Plural, sentence

DRAUGHTS, CHESS = PointsScale.WHOLE, PointsScale.HALVES


@pytest.mark.parametrize(
    ("halves", "draughts", "chess", "in_file"),
    [
        (0, "0", "0", "0"), (1, "1", "½", "0.5"), (2, "2", "1", "1"), (3, "3", "1½", "1.5"),
        (11, "11", "5½", "5.5"), (20, "20", "10", "10"),
    ],
)  # fmt: skip
def test_points_are_printed_by_the_scale(halves, draughts, chess, in_file):
    assert points_text(halves, DRAUGHTS) == points_text(halves, DRAUGHTS, in_file=True) == draughts
    assert points_text(halves, CHESS) == chess
    assert points_text(halves, CHESS, in_file=True) == in_file


@pytest.mark.parametrize(
    ("white", "black", "draughts", "chess", "in_file"),
    [(2, 0, "2-0", "1-0", "1-0"), (1, 1, "1-1", "½-½", "0.5-0.5"), (0, 2, "0-2", "0-1", "0-1")],
)
def test_results_are_printed_by_the_scale(white, black, draughts, chess, in_file):
    assert result_text(white, black, DRAUGHTS) == draughts
    assert result_text(white, black, CHESS) == chess
    assert result_text(white, black, CHESS, in_file=True) == in_file
    assert result_text(white, black, CHESS, sign="x") == chess.replace("-", "x")


@pytest.mark.parametrize(
    ("points", "text"),
    [
        ("0", "0 points"), ("½", "½ point"), ("1", "1 point"), ("1½", "1½ points"), (1, "1 point"), (3, "3 points"),
    ],
)  # fmt: skip
def test_half_points_have_a_plural(points, text):
    assert sentence(Plural("{n} point", "{n} points", by="n"), {"n": points}) == text
