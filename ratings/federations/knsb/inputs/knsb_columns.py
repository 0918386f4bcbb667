"""What a KNSB list is calculated from, read as columns: reports, lists by date, memberships, the register."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from psycopg import sql

from ratings.federations.knsb.declaration import TITLES
from ratings.federations.knsb.inputs.lists import (
    Rows,
    lists_of_days,
    merged_rows,
    read_ratings,
    read_rows,
    resumed_rows,
)
from ratings.federations.knsb.inputs.results import (
    Known,
    Reported,
    counted_for_players,
    games_elsewhere,
    of_persons,
    read_events,
    read_games,
    waiting_games,
)
from ratings.federations.knsb.rules.columns import KINDS
from ratings.federations.knsb.rules.engine_input import KnsbColumns, MembershipColumns, PlayerColumns
from ratings.federations.knsb.rules.parameters import KnsbRules
from ratings.inputs.calculation_inputs import CalculationInputs
from ratings.inputs.read_columns import read_columns
from ratings.inputs.register import register_of
from ratings.inputs.source_lists import source_figures
from ratings.models import RatingList, SourceList
from ratings.rules.columns import NEVER, NO_DAY, Integers, looked_up
from ratings.rules.days import day_number, months_before

KINDS_OF_POOLS: Final = ((0, 3), (0, 1, 3, 4), (0, 2, 3, 5))
"""The kinds of lists that klassiek, rapid and blitz read ratings from (article 4)."""


def read_knsb_columns(inputs: CalculationInputs, rules: KnsbRules) -> KnsbColumns:
    """Read the inputs. 14 queries whatever the number of players, 3 for each list of FIDE whose ratings are used and 2
    for each of the newest day, up to 10 for each other pool, and those of `starting_ratings`.

    Raises ValueError when the pool has no list yet.
    """
    period, lists = inputs.period, inputs.lists
    if not lists:
        raise ValueError(f"pool {period.pool_id} has no list")
    in_force, tempo = day_number(period.in_force), KINDS.index(period.pool.code)
    since = day_number(months_before(period.in_force, rules.publication_months))
    persons = {merge.duplicate_id: merge.surviving_id for merge in inputs.merges}

    waiting = waiting_games(inputs, lists, inputs.tournaments, since)
    tournaments = np.array(inputs.tournaments, dtype=np.int64)
    own = Reported(tournaments, np.full_like(tournaments, in_force))
    events = read_events(Reported.joined([waiting.earlier, own]), Reported.joined([waiting.reported, own]))
    games = read_games(events, counted_for_players(lists, waiting.earlier), persons)

    days = [events.first_day, games.day, games.planned_day[games.planned_day != NO_DAY]]
    known = waiting.known.rows(np.isin(waiting.known.player, np.concatenate([games.white, games.black])))
    read = lists_of_days(
        inputs,
        KINDS_OF_POOLS[tempo],
        np.concatenate([*days, [in_force - 1, day_number(inputs.previous.in_force)]]),
        known.list,
    )
    rows = read_rows([one.pk for _, one in read if isinstance(one, RatingList)])
    shown = rows.rows((rows.list == inputs.previous.pk) & (rows.held == 0))
    rows = merged_rows(resumed_rows(rows, inputs, rules.largest_n_v), persons, rules.largest_n_v)
    player = np.unique(
        np.concatenate([rows.player[rows.list == inputs.previous.pk], games.white, games.black])
    )
    players = players_of(player, inputs, rows, known, [one for _, one in read])
    players = replace(players, previous=looked_up(shown.player, shown.rating, player, 0))
    elsewhere = games_elsewhere(inputs, rules, players, waiting.players, persons)
    return KnsbColumns(
        tempo=tempo,
        in_force=in_force,
        previous_day=day_number(inputs.previous.in_force),
        players=replace(players, games_elsewhere=elsewhere),
        memberships=_memberships(inputs, player, persons),
        lists=tuple(one for one, _ in read),
        ratings=read_ratings(read, rows, players),
        events=events,
        games=games,
        bonus=tuple((age, points) for age, points in inputs.values),
    )


def players_of(
    player: Integers,
    inputs: CalculationInputs,
    rows: Rows,
    known: Known,
    read: Sequence[RatingList | SourceList],
) -> PlayerColumns:
    """These players, as the register and the lists have them; without `games_elsewhere`. 1 query, and 2 for each list
    of FIDE of the newest day.

    A surviving record without a number of FIDE or a year of birth has that of a merged one.
    """
    merged = {merge.duplicate_id: merge.surviving_id for merge in inputs.merges}
    key, number, fide_number, birth_year, is_foreign = read_columns(
        sql.SQL(PLAYERS).format(register=register_of(inputs, [*player.tolist(), *merged])),
        5,
        rising=1,
    )
    for duplicate, surviving in merged.items():
        one, other = (np.flatnonzero(key == record) for record in (surviving, duplicate))
        for column in (fide_number, birth_year) if one.size and other.size else ():
            column[one] = np.where(column[one] == 0, column[other], column[one])
    here = np.searchsorted(key, player)
    keys = [one.pk if isinstance(one, RatingList) else 0 for one in read]
    place_of = {pk: place for place, pk in enumerate(keys)}
    previous = rows.rows(rows.list == inputs.previous.pk)
    previous = previous.rows(np.argsort(previous.player))
    listed = previous.rows(previous.held == 0)
    rating = looked_up(previous.player, previous.rating, player, 0)
    last_list = np.array([place_of[pk] for pk in known.list.tolist()], dtype=np.int64)
    return PlayerColumns(
        player=player,
        register_number=number[here],
        fide_number=fide_number[here],
        birth_year=birth_year[here],
        is_foreign=is_foreign[here] > 0,
        was_published=np.isin(player, known.player) | (rating > 0),
        previous=looked_up(listed.player, listed.rating, player, 0),
        last_known_list=np.where(
            rating > 0, place_of[inputs.previous.pk], looked_up(known.player, last_list, player, -1)
        ),
        last_known_rating=np.where(rating > 0, rating, looked_up(known.player, known.rating, player, 0)),
        games_elsewhere=np.zeros_like(player),
        title=_titles(inputs.sources, fide_number[here]),
    )


def _titles(sources: Sequence[SourceList], fide_numbers: Integers) -> Integers:
    """The titles on the lists of FIDE of the newest day, as places in `TITLES`. 2 queries for each of these lists.

    FIDE prints other titles too, of trainers and arbiters; a list has none of them.
    """
    titles = np.zeros_like(fide_numbers)
    newest = max((source.in_force for source in sources), default=None)
    for source in (one for one in sources if one.in_force == newest):
        places = [TITLES.index(word) if word in TITLES else 0 for word in source.title_words]
        (title,) = source_figures(source, fide_numbers, "title")
        titles = np.maximum(titles, np.array(places)[title])
    return titles


def _memberships(
    inputs: CalculationInputs, players: Integers, persons: Mapping[int, int]
) -> MembershipColumns | None:
    """The memberships of these players; those of a merged record are the surviving one's. 1 query, none without."""
    if inputs.memberships is None:
        return None
    player, club, first_day, last_day = read_columns(
        sql.SQL(MEMBERSHIPS).format(table=sql.Literal(inputs.memberships.pk), never=sql.Literal(NEVER)),
        4,
    )
    memberships = MembershipColumns(of_persons(player, persons), club, first_day, last_day)
    memberships = memberships.rows(np.isin(memberships.player, players))
    return memberships.rows(np.lexsort((memberships.first_day, memberships.player)))


PLAYERS = """
SELECT id, coalesce((numbers->>'knsb')::int, 0), coalesce((numbers->>'fide')::int, 0), coalesce(birth_year, 0),
    (federation <> 'NED')::int
FROM {register} record
"""

MEMBERSHIPS = """
SELECT player_id, club::int, member_from - date '1970-01-01', coalesce(member_until - date '1970-01-01', {never})
FROM reporting_clubmembership WHERE table_id = {table}
"""
