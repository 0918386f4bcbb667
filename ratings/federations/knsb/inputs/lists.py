"""The lists that a KNSB list reads ratings from: those of the KNSB's pools and of FIDE, by date."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from psycopg import sql

from ratings.federations.knsb.declaration import FIDE_KINDS
from ratings.federations.knsb.rules.columns import KINDS
from ratings.federations.knsb.rules.engine_input import ListRead, PlayerColumns, RatingColumns
from ratings.inputs.calculation_inputs import CalculationInputs
from ratings.inputs.read_columns import numbers, read_columns
from ratings.inputs.source_lists import source_figures
from ratings.inputs.starting_ratings import starting_ratings
from ratings.models import RatingList, SourceList
from ratings.rules.columns import NO_DAY, Columns, Integers
from ratings.rules.days import day_number


@dataclass(frozen=True, eq=False)
class Rows(Columns):
    """Rows of KNSB lists (by key), published or held."""

    list: Integers
    player: Integers
    rating: Integers
    n_v: Integers
    games: Integers
    last_game: Integers
    held: Integers


Read = tuple[ListRead, RatingList | SourceList]
"""A list that ratings are read from."""


def lists_of_days(
    inputs: CalculationInputs, kinds: Sequence[int], days: Integers, known: Integers
) -> list[Read]:
    """The lists of these kinds that are newest on one of the days, before the earliest that one (R80b); and known ones.

    By kind and day.
    """
    held: dict[int, list[Read]] = {kind: [] for kind in range(len(KINDS))}
    for one in (*inputs.lists, *inputs.other_lists):
        code = inputs.period.pool.code if one.pool_id == inputs.period.pool_id else one.pool.code
        kind, address = KINDS.index(code), f"{code}/{one.in_force}/r{one.revision}"
        held[kind].append((ListRead(kind, day_number(one.in_force), address), one))
    for source in inputs.sources:
        kind = KINDS.index("fide-klassiek") + FIDE_KINDS.index(source.kind)
        held[kind].append((ListRead(kind, day_number(source.in_force), source.address), source))
    read: list[Read] = []
    for kind in sorted(kinds):
        published = [one.day for one, _ in held[kind]]
        newest = set(np.maximum(np.searchsorted(published, days, side="right") - 1, 0).tolist())
        read += [
            one
            for place, one in enumerate(held[kind])
            if place in newest or (isinstance(one[1], RatingList) and one[1].pk in known)
        ]
    return read


def read_rows(lists: Sequence[int], players: Sequence[int] | None = None) -> Rows:
    """The rows of these lists, published or held, by list and player: of these records, or of all. 1 query."""
    only = sql.SQL("" if players is None else "AND player_id = ANY({})").format(numbers(players or ()))
    query = sql.SQL(ROWS).format(lists=numbers(lists), no_day=sql.Literal(NO_DAY), only=only)
    return Rows(*read_columns(query, 7, rising=2))


def merged_rows(rows: Rows, persons: Mapping[int, int], largest_n_v: int) -> Rows:
    """The rows read with merges (R24): duplicate → surviving record.

    A surviving record has its own rating, else that of the first record merged into it, and the games of both; N_v as
    `games`, at most the largest. A held row counts where neither record is on the list.
    """
    gone = np.zeros(len(rows), dtype=bool)
    for duplicate, surviving in persons.items():
        for at in np.flatnonzero(rows.player == duplicate).tolist():
            (own,) = np.nonzero((rows.player == surviving) & (rows.list == rows.list[at]) & ~gone)
            if own.size and rows.held[own[0]] <= rows.held[at]:
                gone[at] = True
                rows.last_game[own] = np.maximum(rows.last_game[own], rows.last_game[at])
                if not rows.held[at]:
                    rows.games[own] += rows.games[at]
                    rows.n_v[own] = np.minimum(rows.n_v[own] + rows.n_v[at], largest_n_v)
            else:
                gone[own] = True
                rows.player[at] = surviving
    return rows.rows(~gone)


def resumed_rows(rows: Rows, inputs: CalculationInputs, largest_n_v: int) -> Rows:
    """The rows, before merges are read, with what players start from after undone merges in place of their rows on the
    previous list.

    The duplicate has the N_v of the list that shows or holds it last. The surviving record loses what it had of it, but
    not that of the games that stay with it, and has that of its own held row again, if that was replaced. Queries of
    `starting_ratings`, 1 or 2 more for each undone merge; none without merges.
    """
    undone = inputs.undone_merges()
    if not undone:
        return rows
    begun, previous = starting_ratings(inputs), inputs.previous.pk
    for merge in reversed(undone):
        stood = begun.standing.get(merge.duplicate_id)
        if stood is None:
            continue
        resumed = read_rows([stood.list.pk], [merge.duplicate_id])
        resumed.rating[:], resumed.games[:] = stood.rating, stood.games
        of_survivor = (rows.list == previous) & (rows.player == merge.surviving_id)
        rating, games = begun.resumed[merge.surviving_id]
        is_apart = not rating
        if stood.counted:
            own_games = games - stood.replaced[1]
            n_v = rows.n_v[of_survivor] - resumed.n_v
            rows.n_v[of_survivor] = np.maximum(n_v, max(1, min(own_games, largest_n_v)))
            replaced = read_rows([stood.before_merge.pk], [merge.surviving_id] * bool(stood.replaced[0]))
            if own_games > 0:
                n_v = rows.n_v[of_survivor] + replaced.n_v.sum()
                rows.n_v[of_survivor] = np.minimum(n_v, largest_n_v)
            elif len(replaced):
                is_apart, resumed = True, Rows.joined([resumed, replaced])
        rows.rating[of_survivor], rows.games[of_survivor] = rating, games
        resumed.list[:] = previous
        rows = Rows.joined([rows.rows(~of_survivor) if is_apart else rows, resumed])
    return rows


def read_ratings(read: Sequence[Read], rows: Rows, players: PlayerColumns) -> RatingColumns:
    """The ratings of these players on the lists. 3 queries for each list of FIDE."""
    parts = []
    for place, (_, one) in enumerate(read):
        if isinstance(one, RatingList):
            of_list = rows.rows((rows.list == one.pk) & np.isin(rows.player, players.player))
            of_list = of_list.rows(np.argsort(of_list.player))
            figures = (
                of_list.player, of_list.rating, of_list.n_v, np.zeros_like(of_list.n_v), of_list.games,
                of_list.last_game,
            )  # fmt: skip
        else:
            rating, k_factor = source_figures(one, players.fide_number, "rating", "k_factor")
            rated = np.flatnonzero((rating > 0) & (players.fide_number > 0))
            none = np.zeros_like(rated)
            figures = (players.player[rated], rating[rated], none, k_factor[rated], none, none + NO_DAY)
        parts.append(RatingColumns(np.full_like(figures[0], place), *figures))
    return RatingColumns.joined(parts)


ROWS = """
SELECT list_id, player_id, rating, n_v, games, coalesce(last_game - date '1970-01-01', {no_day}), 0
FROM knsb_listrow WHERE list_id = ANY({lists}) {only}
UNION ALL
SELECT list_id, player_id, (values->>'rating')::int, (values->>'n_v')::int, (values->>'games')::int,
    coalesce((values->>'last_game')::date - date '1970-01-01', {no_day}), 1
FROM ratings_heldrow WHERE list_id = ANY({lists}) {only}
"""
