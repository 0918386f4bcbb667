"""The columns of ICCF lists and changes, in the order of contract U23."""

from __future__ import annotations

from typing import Final

from ratings.federations.iccf.rules.columns import FROM, METHODS, STATUSES, SUBSTITUTES
from ratings.rules.declared import Column, Declaration, Filter, Kind, ShownFigure, Sort, Tone, Unit
from ratings.rules.derived_lists import gettext_noop

ROWS: Final = (
    Column(name="position"),
    Column(name="player_id", array="player"),
    Column(
        name="register_number",
        header="iccf_id",
        text_header="id",
        meaning="Number at the ICCF.",
        label=gettext_noop("Number"),
        wide=True,
        tone=Tone.SOFT,
        sort=Sort(
            key="number",
            rising=gettext_noop("by number"),
            falling=gettext_noop("by number, highest first"),
        ),
    ),
    Column(
        name="rating",
        meaning="Rating on the list.",
        label=gettext_noop("Rating"),
        tone=Tone.STRONG,
        sort=Sort(
            key="rating",
            rising=gettext_noop("by rating, lowest first"),
            falling=gettext_noop("by rating"),
            falls_first=True,
            position="position",
        ),
    ),
    Column(
        name="change",
        meaning="Rating less that on the list before; empty for a new player.",
        kind=Kind.DIFFERENCE,
        given="previous",
        label=gettext_noop("Change"),
        sort=Sort(
            key="change",
            rising=gettext_noop("by change, largest loss first"),
            falling=gettext_noop("by change, largest gain first"),
            falls_first=True,
        ),
    ),
    Column(
        name="period_games",
        meaning="Games counted on the list.",
        label=gettext_noop("New games"),
        full_label=gettext_noop("Games counted in this period"),
        wide=True,
        sort=Sort(
            key="games",
            rising=gettext_noop("by games of the period, fewest first"),
            falling=gettext_noop("by games of the period"),
            falls_first=True,
        ),
    ),
    Column(
        name="games",
        meaning="Counted games in all, after the list.",
        label=gettext_noop("Games"),
        full_label=gettext_noop("Counted games in all"),
        sort=Sort(
            key="total",
            rising=gettext_noop("by total games, fewest first"),
            falling=gettext_noop("by total games"),
            falls_first=True,
        ),
    ),
    Column(
        name="method",
        kind=Kind.WORD,
        words=METHODS,
        meaning="5-all (items 14, 15), 5-period (item 16) or 6; empty without games in the period.",
    ),
    Column(
        name="k_e6",
        kind=Kind.SCALED,
        decimals=6,
        given="k_e6",
        header="k",
        meaning="k, the development coefficient; empty but for 6 and 5-period.",
    ),
    Column(
        name="status",
        kind=Kind.WORD,
        words=STATUSES,
        meaning="fixed if the rating rests on enough games (items 15, 16), else not fixed.",
        label=gettext_noop("Status"),
        wide=True,
        tone=Tone.SOFT,
        filter=Filter(
            values=STATUSES,
            every=gettext_noop("Fixed or not"),
            in_use=gettext_noop("Status %(value)s"),
            unknown=gettext_noop("%(value)s is not a status."),
        ),
    ),
    Column(
        name="formula_games",
        given="formula_games",
        meaning="Games of formula 5: all ever, or those of the period; empty else.",
    ),
    Column(
        name="opponents_sum",
        given="formula_games",
        meaning="Sum of the opponents' limited ratings in formula 5; empty else.",
    ),
    Column(
        name="points_sum",
        kind=Kind.HALVES,
        given="formula_games",
        meaning="Points in formula 5; empty else.",
    ),
    Column(
        name="last_game",
        array="last_game_day",
        kind=Kind.DAY,
        meaning="Day of the latest result; empty where none is known.",
    ),
    Column(name="rank", meaning="1 + the number of higher ratings."),
)

CHANGES: Final = (
    Column(name="player_id", array="player"),
    Column(name="sequence"),
    Column(name="result_set_id", array="tournament"),
    Column(name="game_id", array="game"),
    Column(name="games"),
    Column(name="first_game", array="first_day", kind=Kind.DAY, header="date", meaning="Day the game began."),
    Column(name="last_game", array="last_day", kind=Kind.DAY),
    Column(name="colour", array="black", kind=Kind.WORD, words=("w", "b"), meaning="w or b."),
    Column(
        name="opponent_id",
        array="opponent",
        kind=Kind.PLAYER,
        meaning="Number of the opponent whom the game counts against (item 18 b); empty for a player without one.",
    ),
    Column(
        name="own_rating",
        array="own",
        header="own",
        meaning="Rating of the player on the day the game began.",
    ),
    Column(
        name="own_from",
        kind=Kind.WORD,
        words=FROM,
        meaning="list, or assumed for a player on none (items 8, 11).",
    ),
    Column(name="own_list", kind=Kind.WORD, words_from="lists"),
    Column(name="opponent_rating", meaning="Rating of that opponent on the day the game began."),
    Column(
        name="opponent_from",
        kind=Kind.WORD,
        words=FROM,
        meaning="list, or assumed for a player on none (items 8, 11).",
    ),
    Column(name="opponent_list", kind=Kind.WORD, words_from="lists"),
    Column(
        name="k_e6",
        kind=Kind.SCALED,
        decimals=6,
        given="k_e6",
        header="k",
        meaning="k, the development coefficient; method 6 alone.",
    ),
    Column(
        name="expected_e2",
        kind=Kind.SCALED,
        decimals=2,
        given="k_e6",
        header="we",
        meaning="We, the expected result; method 6 alone.",
    ),
    Column(name="points", kind=Kind.HALVES, header="w", meaning="W: 1, 0.5 or 0."),
    Column(
        name="added_e8",
        kind=Kind.SCALED,
        decimals=8,
        file_decimals=4,
        given="k_e6",
        header="change",
        meaning="k × (W − We), rounded from eight decimals; method 6 alone.",
    ),
    Column(
        name="method",
        kind=Kind.WORD,
        words=METHODS,
        meaning="That of the new rating: 5-all (items 14, 15), 5-period (item 16) or 6.",
    ),
    Column(
        name="substitute",
        kind=Kind.WORD,
        words=SUBSTITUTES,
        meaning="substitute or replaced, where the game of a substitute counts for this player (item 18 a).",
    ),
)

DECLARATION: Final = Declaration(
    rows=ROWS,
    changes=CHANGES,
    figures=(
        "register_number", "rating", "change", "period_games", "games", "method", "k_e6", "formula_games",
        "opponents_sum", "points_sum", "rank", "last_game",
    ),
    list_file=(
        "rank", "register_number", "name", "title", "federation", "rating", "change", "period_games", "games", "method",
        "k_e6", "last_game",
    ),
    text_file=("rank", "register_number", "name", "title", "federation", "rating", "change", "period_games", "games"),
    list_page=("register_number", "federation", "title", "rating", "change", "period_games", "games", "status"),
    change_file=(
        "first_game", "colour", "opponent_id", "own_rating", "own_from", "opponent_rating", "opponent_from", "k_e6",
        "expected_e2", "points", "added_e8", "method", "substitute",
    ),
    change_page=(
        ShownFigure(name="own_rating", label=gettext_noop("Own rating")),
        ShownFigure(name="k_e6", label=gettext_noop("k"), title=gettext_noop("Development coefficient, k")),
        ShownFigure(name="expected_e2", label=gettext_noop("We"), title=gettext_noop("Expected result, We")),
    ),
    compared=(
        "rating", "change", "period_games", "games", "method", "k_e6", "formula_games", "opponents_sum", "points_sum",
        "last_game",
    ),
    unit=Unit.GAME,
)  # fmt: skip
