"""A published list compared with its recalculation from the inputs in the database."""

from ratings.inputs.calculation_inputs import inputs_of_list
from ratings.models import RatingChange
from ratings.publishing.verified_list import CHANGES, LIST, ROWS, VerifiedList
from ratings.publishing.verify_rows import listed
from ratings.systems.days import day_of_number
from ratings.systems.fmjd.columns import CHANGE, METHODS
from ratings.systems.fmjd.inputs import calculate_ratings, read_engine_input

# The engine's columns of a row, and of a change without player and sequence.
ROW_FIGURES = (
    "position", "register_number", "rating", "change", "period_games", "games", "games_3_years", "last_game",
    "reached_2300", "category", "rank", "official_position", "official_rank",
)  # fmt: skip
CHANGE_FIGURES = (
    "tournament_id", "basis_list_id", "method", "own_e4", "own_is_running", "before_e4", "games_before", "games",
    "unrated_games", "opponents_sum", "average_e4", "points", "expected_percentage_e4", "expected_score_e4", "k",
    "development", "delta_e4", "performance_e4", "performance_limited", "after_e4", "first_game", "last_game",
)  # fmt: skip


def verify_calculation(verified: VerifiedList) -> None:
    """Read the inputs again and recalculate every figure."""
    rating_list = verified.rating_list
    engine_input = read_engine_input(inputs_of_list(rating_list))
    verified.expect(LIST, "input_sha256", rating_list.input_sha256, engine_input.digest())
    changes, arranged = calculate_ratings(engine_input)
    expected = listed(arranged)
    for row in verified.rows:
        if row.player_id not in expected:
            verified.expect(ROWS, "player_id", row.register_number, None, row.register_number)
            continue
        verified.compared["rows recalculated"] += 1
        for column in ROW_FIGURES:
            figure = expected[row.player_id][column]
            verified.expect(ROWS, column, getattr(row, column), figure, row.register_number)
    for player in expected.keys() - {row.player_id for row in verified.rows}:
        verified.expect(ROWS, "player_id", None, "a row", verified.numbers.get(player))

    tournaments = engine_input.events.tournament[changes.event].tolist()
    basis = engine_input.events.basis[changes.event].tolist()
    stored = {
        (change.player_id, change.sequence): change
        for change in RatingChange.objects.filter(list_id=rating_list.pk)
    }
    for place, (player, sequence) in enumerate(
        zip(changes.player.tolist(), changes.sequence.tolist(), strict=True)
    ):
        number, change = verified.numbers.get(player), stored.pop((player, sequence), None)
        if change is None:
            verified.expect(CHANGES, "player_id/sequence", None, sequence, number)
            continue
        verified.compared["changes recalculated"] += 1
        figure = {
            name: int(getattr(changes, name)[place]) for name in CHANGE_FIGURES if hasattr(changes, name)
        }
        is_change = figure["method"] == CHANGE
        figure |= {
            "tournament_id": tournaments[place],
            "basis_list_id": basis[place],
            "method": METHODS[figure["method"]],
            "own_e4": figure["own_e4"] or None,
            "before_e4": figure["before_e4"] or None,
            "first_game": day_of_number(int(changes.first_day[place])),
            "last_game": day_of_number(int(changes.last_day[place])),
        }
        if not is_change:
            for name in ("expected_percentage_e4", "expected_score_e4", "k", "development", "delta_e4"):
                figure[name] = None
        for column in CHANGE_FIGURES:
            verified.expect(CHANGES, column, getattr(change, column), figure[column], number)
    for player, sequence in stored:
        verified.expect(CHANGES, "player_id/sequence", sequence, None, verified.numbers.get(player))
