"""The columns of a list and of its changes by Annex 9: a new one is declared here."""

from typing import Final

from ratings.systems.declared import Column, Declaration, Kind, ShownFigure
from ratings.systems.derived_lists import gettext_noop
from ratings.systems.fmjd.columns import METHODS

ROWS: Final = (
    Column(name="position"),
    Column(name="official_position", given="official_position"),
    Column(name="player_id", array="player"),
    Column(name="register_number"),
    Column(name="rating"),
    Column(name="change", given="previous"),
    Column(name="period_games"),
    Column(name="games"),
    Column(name="games_3_years"),
    Column(name="last_game", array="last_game_day", kind=Kind.DAY),
    Column(name="reached_2300", kind=Kind.FLAG),
    Column(name="category", kind=Kind.LETTER),
    Column(name="rank"),
    Column(name="official_rank", given="official_rank"),
)

CHANGES: Final = (
    Column(name="player_id", array="player"),
    Column(name="sequence"),
    Column(name="tournament_id", array="tournament"),
    Column(name="basis_list_id", array="basis"),
    Column(name="method", kind=Kind.WORD, words=METHODS),
    Column(name="own_e4", kind=Kind.SCALED, given="own_e4", whole_unless="own_is_running"),
    Column(name="own_is_running", kind=Kind.FLAG),
    Column(name="before_e4", kind=Kind.SCALED, given="before_e4"),
    Column(name="games_before"),
    Column(name="games"),
    Column(name="unrated_games"),
    Column(name="opponents_sum"),
    Column(name="average_e4", kind=Kind.SCALED),
    Column(name="points"),
    # These five belong to ΔR: `method` is 0 for a provisional performance.
    Column(name="expected_percentage_e4", kind=Kind.SCALED, given="method"),
    Column(name="expected_score_e4", kind=Kind.SCALED, given="method"),
    Column(name="k", given="method"),
    Column(name="development", given="method"),
    Column(name="delta_e4", kind=Kind.SCALED, given="method"),
    Column(name="performance_e4", kind=Kind.SCALED),
    Column(name="performance_limited", kind=Kind.FLAG),
    Column(name="after_e4", kind=Kind.SCALED),
    Column(name="first_game", array="first_day", kind=Kind.DAY),
    Column(name="last_game", array="last_day", kind=Kind.DAY),
)

DECLARATION: Final = Declaration(
    rows=ROWS,
    changes=CHANGES,
    figures=(
        "register_number", "rating", "change", "period_games", "games", "category", "rank", "reached_2300",
        "games_3_years", "last_game",
    ),
    list_file=(
        "rank", "register_number", "name", "title", "federation", "sex", "birth_year", "rating", "change",
        "period_games", "games", "category",
    ),
    text_file=(
        "rank", "register_number", "name", "title", "federation", "rating", "change", "games", "category",
    ),
    change_file=(
        "method", "own_e4", "average_e4", "games", "points", "expected_percentage_e4", "expected_score_e4", "k",
        "development", "delta_e4", "performance_e4", "after_e4",
    ),
    change_page=(
        ShownFigure(
            name="average_e4",
            label=gettext_noop("Opponents"),
            title=gettext_noop("Average rating of the opponents"),
        ),
        ShownFigure(name="performance_e4", label=gettext_noop("Performance")),
    ),
    compared=(
        "rating", "change", "period_games", "games", "category", "reached_2300", "games_3_years", "last_game",
    ),
    sorts={
        "rating": "position",
        "name": "name_position",
        "federation": "federation",
        "born": "birth_year",
        "change": "change",
        "games": "period_games",
        "total": "games",
        "category": "category",
    },
    headers={
        "register_number": "fmjd_id",
        "own_e4": "own",
        "average_e4": "average",
        "expected_percentage_e4": "pe",
        "expected_score_e4": "we",
        "delta_e4": "delta",
        "performance_e4": "performance",
        "after_e4": "after",
    },
)  # fmt: skip
