"""The details' digest: the same details give the same, however they are numbered or ordered; others another."""

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from ratings.federations.fmjd.engine_input import EngineInput
from ratings.federations.fmjd.rules.columns import BasisColumns, EventColumns, GameColumns, PlayerColumns
from ratings.federations.fmjd.rules.parameters import edition_in_force

IN_FORCE = date(2026, 4, 1)


def engine_input() -> EngineInput:
    array = np.array
    return EngineInput(
        parameters=edition_in_force(IN_FORCE), closing_day=20527, in_force=IN_FORCE,
        events=EventColumns(
            tournament=array([3, 8]), first_day=array([20500, 20510]), last_day=array([20505, 20512]),
            number=array([1, 2]), seconds_for_60_moves=array([7200, 6600]), basis=array([1, 2]),
        ),
        codes=("zutphen-2026", "abidjan-2026"),
        games=GameColumns(
            event=array([0, 0, 1, 1]), white=array([11, 12, 13, 0]), black=array([12, 13, 11, 12]),
            white_points=array([2, 1, 0, 0]), black_points=array([0, 1, 2, 2]),
            played=array([True, True, True, False]), day=array([20501, 20502, 20510, 20512]),
        ),
        basis=BasisColumns(  # 99 has nothing to do with the period
            basis=array([1, 1, 2, 2]), player=array([11, 12, 11, 99]), rating=array([2100, 1950, 2112, 2000]),
        ),
        players=PlayerColumns(
            player=array([11, 12, 13]), rating=array([2112, 1950, 0]), games=array([120, 24, 0]),
            first_2300_day=array([2**31 - 1] * 3), last_game_day=array([20400, 20300, -(2**31)]),
            games_3_years=array([60, 24, 0]), carried=array([0, 0, 0]),
        ),
        register_numbers=array([10500, 10400, 10900]),
    )  # fmt: skip


def numbered_and_ordered_otherwise() -> EngineInput:
    """The same details in an office that met the players, events and lists in another order."""
    one = engine_input()
    players = {11: 700, 12: 400, 13: 650, 99: 3, 0: 0}
    lists = {1: 21, 2: 35}

    def other(ids: np.ndarray, names: dict[int, int]) -> np.ndarray:
        return np.array([names[number] for number in ids.tolist()])

    events = replace(one.events, tournament=np.array([50, 60]), basis=other(one.events.basis, lists))
    colours = {"white": other(one.games.white, players), "black": other(one.games.black, players)}
    games = replace(one.games, event=1 - one.games.event, **colours)
    rated = other(one.basis.player, players)
    by_new_number = np.array([1, 2, 0])
    return replace(
        one,
        events=events.rows(np.array([1, 0])),
        codes=one.codes[::-1],
        games=games.rows(np.array([2, 0, 3, 1])),
        basis=replace(one.basis, basis=other(one.basis.basis, lists), player=rated).rows(
            np.array([3, 1, 0, 2])
        ),
        players=replace(one.players, player=other(one.players.player, players)).rows(by_new_number),
        register_numbers=one.register_numbers[by_new_number],
    )


def test_ids_and_orders_of_an_office_leave_no_trace() -> None:
    assert numbered_and_ordered_otherwise().digest() == engine_input().digest()


def test_many_players_far_apart_are_found_as_well() -> None:
    one = engine_input()
    far = {11: 11, 12: 1_000_000_012, 13: 2_000_000_013, 99: 99, 0: 0}

    def moved(ids: np.ndarray) -> np.ndarray:
        return np.array([far[number] for number in ids.tolist()])

    other = replace(
        one,
        games=replace(one.games, white=moved(one.games.white), black=moved(one.games.black)),
        basis=replace(one.basis, player=moved(one.basis.player)),
        players=replace(one.players, player=moved(one.players.player)),
    )
    assert other.digest() == one.digest()


CHANGED = [
    *(("players", column) for column in ("rating", "games", "first_2300_day", "last_game_day", "games_3_years")),
    ("players", "carried"),
    *(("events", column) for column in ("first_day", "last_day", "number", "seconds_for_60_moves")),
    *(("games", column) for column in ("white_points", "black_points", "day")),
    ("basis", "rating"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "column"), CHANGED)
def test_one_figure_more_or_less_gives_another_digest(table: str, column: str) -> None:
    one = engine_input()
    columns = getattr(one, table)
    figures = getattr(columns, column).copy()
    figures[0] -= 1
    assert replace(one, **{table: replace(columns, **{column: figures})}).digest() != one.digest()


def test_colours_codes_lists_and_what_was_played_count() -> None:
    one = engine_input()
    others = {
        "colours": replace(one, games=replace(one.games, white=one.games.black, black=one.games.white)),
        "played": replace(one, games=replace(one.games, played=~one.games.played)),
        "a code": replace(one, codes=("zutphen-2026", "abidjan-2025")),
        "the codes": replace(one, codes=one.codes[::-1]),
        "the list": replace(one, events=replace(one.events, basis=np.array([2, 2]))),
        "closing": replace(one, closing_day=20528),
        "FMJD-IDs": replace(one, register_numbers=np.array([10500, 10401, 10900])),
        "a game": replace(one, games=one.games.rows(slice(0, 3))),
    }
    digests = {name: other.digest() for name, other in others.items()} | {"itself": one.digest()}
    assert len(set(digests.values())) == len(digests)


def test_where_nothing_is_carried_the_digest_is_what_it_was_before_anything_could_be() -> None:
    """Lists published before corrections could be carried keep their digest when they are calculated again."""
    assert engine_input().digest() == "0fe6bd2684ad4c34f895539c4f90db873a432e51f9bcfa8d13ed098940dc8f04"
