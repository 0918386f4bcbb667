"""The columns of KNSB lists and changes, and what a list is read from besides its reports and its pool."""

from __future__ import annotations

from typing import Final

from ratings.federations.knsb.rules.columns import LIMITS, SOURCES
from ratings.rules.declared import (
    Column,
    Declaration,
    Kind,
    ListValue,
    ShownFigure,
    Sort,
    SourceUse,
    Tone,
    Unit,
)
from ratings.rules.derived_lists import gettext_noop

FIDE_KINDS: Final = ("standard", "rapid", "blitz")
"""FIDE's words for the kinds of its lists, in the order of `KINDS`."""

TITLES: Final = ("", "GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")
"""The titles that a row may print, those of FIDE."""

LIMITED_BY: Final = tuple(
    " ".join(article for bit, article in enumerate(LIMITS) if articles >> bit & 1)
    for articles in range(2 ** len(LIMITS))
)
"""The articles of each sum of bits of `LIMITS`."""

ROWS: Final = (
    Column(name="position"),
    Column(name="player_id", array="player"),
    Column(
        name="register_number", header="knsb_id", text_header="id", meaning="Relation number at the KNSB."
    ),
    Column(
        name="title", kind=Kind.WORD, words=TITLES, meaning="Title of FIDE, on the newest FIDE list read."
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
        label=gettext_noop("Games"),
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
        label=gettext_noop("Total games"),
        wide=True,
        tone=Tone.SOFT,
        sort=Sort(
            key="total",
            rising=gettext_noop("by total games, fewest first"),
            falling=gettext_noop("by total games"),
            falls_first=True,
        ),
    ),
    Column(
        name="n_v",
        opening_range=(1, 100),
        meaning="N_v, the games that the rating rests on: 1 to 100, fewer after years without a game.",
        label=gettext_noop("N_v"),
        full_label=gettext_noop("Games that the rating rests on"),
        wide=True,
        tone=Tone.SOFT,
    ),
    Column(
        name="r_i",
        given="r_i",
        meaning="R_i, the rating that the changes are added to; empty on an opening list.",
    ),
    Column(
        name="r_i_from",
        kind=Kind.WORD,
        words=SOURCES,
        meaning="What gives R_i: a kind of list, or 5.1b for a start rating.",
    ),
    Column(name="r_i_list", kind=Kind.WORD, words_from="lists"),
    Column(
        name="sum_e10",
        kind=Kind.SCALED,
        decimals=10,
        file_decimals=4,
        given="period_games",
        header="sum",
        meaning="R_tt, the sum of the changes, rounded from ten decimals; empty without games.",
    ),
    Column(name="bonus_e4", kind=Kind.SCALED, header="bonus", meaning="Points added by article 9.1."),
    Column(
        name="lpr_e3",
        kind=Kind.SCALED,
        decimals=3,
        given="period_games",
        header="lpr",
        meaning="LPR, the performance on the list; empty without games.",
    ),
    Column(
        name="limited_by",
        array="limit",
        kind=Kind.WORD,
        words=LIMITED_BY,
        header="limit",
        meaning="The articles that changed the figure, in their order; empty for none.",
    ),
    Column(
        name="last_game",
        array="last_game_day",
        kind=Kind.DAY,
        meaning="Day of the latest counted game; empty where none is known.",
    ),
    Column(name="rank", meaning="1 + the number of higher ratings."),
    Column(
        name="club",
        kind=Kind.CLUB,
        meaning="Number of the club on the day of the list; empty for none.",
        label=gettext_noop("Club"),
        wide=True,
    ),
)

CHANGES: Final = (
    Column(name="player_id", array="player"),
    Column(name="sequence"),
    Column(name="result_set_id", array="tournament"),
    Column(name="game_id", array="game"),
    Column(name="games"),
    Column(name="first_game", array="first_day", kind=Kind.DAY),
    Column(name="last_game", array="last_day", kind=Kind.DAY, header="date", meaning="Day of the game."),
    Column(
        name="calculation_day",
        kind=Kind.DAY,
        header="calculation_date",
        meaning="Day whose lists give both ratings (article 4.1).",
    ),
    Column(name="colour", array="black", kind=Kind.WORD, words=("w", "b"), meaning="w or b."),
    Column(
        name="opponent_id",
        array="opponent",
        kind=Kind.PLAYER,
        meaning="Relation number of the opponent; empty for a player without one.",
    ),
    Column(name="own_rating", array="own", header="own", meaning="R_o, the rating of the player."),
    Column(
        name="own_from",
        kind=Kind.WORD,
        words=SOURCES,
        meaning="What gives R_o: a kind of list, or 5.1a or 5.1b for a start rating.",
    ),
    Column(
        name="own_list",
        kind=Kind.WORD,
        words_from="lists",
        meaning="The list that has R_o; empty for a start rating by 5.1b.",
    ),
    Column(name="opponent_rating", meaning="R_c, the rating of the opponent."),
    Column(
        name="opponent_from",
        kind=Kind.WORD,
        words=SOURCES,
        meaning="What gives R_c: a kind of list, 6.1b for the last known rating, 6.3 for the TLPR.",
    ),
    Column(
        name="opponent_list",
        kind=Kind.WORD,
        words_from="lists",
        meaning="The list that has R_c; empty for a TLPR.",
    ),
    Column(name="n_v_e4", kind=Kind.SCALED, header="n_v", meaning="N_v of R_o."),
    Column(name="k_e6", kind=Kind.SCALED, decimals=6, header="k", meaning="k, the factor."),
    Column(
        name="expected_e10", kind=Kind.SCALED, decimals=10, header="we", meaning="W_e, the expected score."
    ),
    Column(name="points", kind=Kind.HALVES, header="w", meaning="W: 1, 0.5 or 0."),
    Column(
        name="added_e10",
        kind=Kind.SCALED,
        decimals=10,
        file_decimals=4,
        header="change",
        meaning="(W − W_e) × k, rounded from ten decimals.",
    ),
    Column(
        name="waited",
        kind=Kind.FLAG,
        meaning="1 for a game of a report of an earlier list (article 5.2), else 0.",
    ),
)

DECLARATION: Final = Declaration(
    rows=ROWS,
    changes=CHANGES,
    held=(
        Column(name="player_id", array="player"),
        Column(name="register_number", label=gettext_noop("Number")),
        Column(name="rating", label=gettext_noop("Rating")),
        Column(name="games", label=gettext_noop("Total games")),
        Column(name="last_game", array="last_game_day", kind=Kind.DAY, label=gettext_noop("Last game")),
        Column(name="n_v", label=gettext_noop("N_v")),
    ),
    figures=(
        "register_number", "rating", "change", "period_games", "games", "n_v", "r_i", "r_i_from", "sum_e10",
        "bonus_e4", "lpr_e3", "limited_by", "rank", "last_game",
    ),
    list_file=(
        "rank", "register_number", "name", "title", "federation", "rating", "change", "period_games", "games", "n_v",
        "r_i", "r_i_from", "sum_e10", "bonus_e4", "lpr_e3", "limited_by", "last_game",
    ),
    text_file=("rank", "register_number", "name", "title", "federation", "rating", "change", "period_games", "n_v"),
    list_page=("federation", "club", "birth_year", "rating", "change", "period_games", "games", "n_v"),
    opening_file=("n_v",),
    change_file=(
        "last_game", "calculation_day", "colour", "opponent_id", "own_rating", "own_from", "own_list",
        "opponent_rating", "opponent_from", "opponent_list", "n_v_e4", "k_e6", "expected_e10", "points", "added_e10",
        "waited",
    ),
    change_page=(
        ShownFigure(name="own_rating", label=gettext_noop("R_o"), title=gettext_noop("Rating of the player, R_o")),
        ShownFigure(name="k_e6", label=gettext_noop("k"), title=gettext_noop("Factor, k")),
        ShownFigure(name="expected_e10", label=gettext_noop("W_e"), title=gettext_noop("Expected score, W_e")),
    ),
    compared=(
        "rating", "change", "period_games", "games", "n_v", "r_i", "r_i_from", "sum_e10", "bonus_e4", "lpr_e3",
        "limited_by", "last_game",
    ),
    unit=Unit.GAME,
    sources=(SourceUse(source="fide", kinds=FIDE_KINDS, years=3),),
    reads_pools=True,
    reads_memberships=True,
    divided_by=("club",),
    values=(
        ListValue(
            name="age",
            label=gettext_noop("Age"),
            least=0,
            most=18,
            meaning="Age on 31 December of the year of the list.",
        ),
        ListValue(
            name="points",
            label=gettext_noop("Points"),
            least=0,
            most=200,
            meaning="Points added to the rating of such youth players (article 9.1).",
        ),
    ),
)  # fmt: skip
