"""What the calculation of a period is made from, read in a few queries, columns at once.

Array columns travel as one binary value each: fifteen thousand players and sixty thousand games arrive in some
tens of milliseconds, without a Python object per row.
"""

import hashlib
import struct
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
from django.db import connection
from psycopg import Cursor, sql

from ratings.models import Correction, Period, PeriodReport, RatingList
from ratings.rules.fmjd.columns import (
    NEVER,
    NO_DAY,
    BasisColumns,
    EventColumns,
    GameColumns,
    Integers,
    PlayerColumns,
)
from ratings.rules.fmjd.parameters import Parameters, edition_in_force
from ratings.rules.fmjd.periods import basis_of, day_number, day_of_number, years_before
from reporting.errors import DomainError

INT4_OID = 23
ARRAY_HEADER = ">5i"
HEADER_BYTES = 20
BEFORE_EVERY_LIST = date(1900, 1, 1)
LINES_AT_ONCE = 10_000
LARGEST_KEY = 2**62
CLOSE_TOGETHER = 16
ROUND_BITS = 16  # a round's number is a smallint


@dataclass(frozen=True)
class PeriodFacts:
    """Everything a period's figures hang on, and nothing else.

    `register_numbers` has one number (FMJD-ID) per row of `players`; `codes` one tournament code per event;
    `differences` are what carried corrections put to the players' starts, in whose columns they are summed already.
    """

    parameters: Parameters
    closing_day: int
    in_force: date
    events: EventColumns
    codes: tuple[str, ...]
    games: GameColumns
    basis: BasisColumns
    players: PlayerColumns
    register_numbers: Integers
    differences: tuple["Difference", ...] = ()

    def digest(self) -> str:
        """SHA-256 over the sorted canonical lines of edition, events, list rows used, players and games.

        Players go by FMJD-ID; a game names its tournament by its place among the sorted codes, which stand in the
        lines of the events. So two installations with the same facts agree.
        """
        players, events, games, basis = self.players, self.events, self.games, self.basis
        by_code = sorted(range(len(self.codes)), key=self.codes.__getitem__)
        place_of = np.empty(len(by_code), dtype=np.int64)
        place_of[by_code] = np.arange(len(by_code))
        lists = np.unique(events.basis)
        used = np.flatnonzero(np.isin(basis.player, players.player))
        carried = np.flatnonzero(players.carried)

        def number(ids: Integers) -> Integers:
            """FMJD-IDs of player ids, 0 for a pause."""
            return _looked_up(players.player, self.register_numbers, ids, otherwise=0)

        digest = hashlib.sha256()
        digest.update(f"edition,{self.parameters.id}\n".encode())
        digest.update(f"closing,{day_of_number(self.closing_day).isoformat()}\n".encode())
        for event in by_code:
            digest.update(f"code,{self.codes[event]}\n".encode())
        tables = {
            "event": (
                place_of, events.first_day, events.last_day, events.number, events.seconds_for_60_moves,
                np.searchsorted(lists, events.basis),
            ),
            "list": (np.searchsorted(lists, basis.basis[used]), number(basis.player[used]), basis.rating[used]),
            "player": (
                self.register_numbers, players.rating, players.games, players.first_2300_day,
                players.last_game_day, players.games_3_years,
            ),
            "carried": (self.register_numbers[carried], players.carried[carried]),
            "game": (
                place_of[games.event], number(games.white), number(games.black), games.white_points,
                games.black_points, games.played.astype(np.int64), games.day,
            ),
        }  # fmt: skip
        for word, columns in tables.items():
            for lines in _sorted_lines(word, columns):
                digest.update(lines)
        return digest.hexdigest()


def _sorted_lines(word: str, columns: Sequence[Integers]) -> Iterator[bytes]:
    """`word,1,2,3` for each row, in rising order of the first column, then the second …; many lines at a time."""
    line = word + ",%d" * len(columns) + "\n"
    rows = np.column_stack(columns)[_rising(columns)]
    for start in range(0, len(rows), LINES_AT_ONCE):
        block = rows[start : start + LINES_AT_ONCE]
        yield (line * len(block) % tuple(block.ravel().tolist())).encode()


def _rising(columns: Sequence[Integers]) -> Integers:
    """The order of rows by the first column, then the second …; columns are packed into as few keys as hold them."""
    keys: list[Integers] = []
    room = 0
    for column in columns:
        least = int(column.min(initial=0))
        span = int(column.max(initial=0)) - least + 1
        if span > room:
            keys.append(column - least)
            room = LARGEST_KEY // span
        else:
            keys[-1] = keys[-1] * span + (column - least)
            room //= span
    return np.argsort(keys[0]) if len(keys) == 1 else np.lexsort(keys[::-1])


FAR_FUTURE = date(9999, 12, 31)


def lists_in_force(pool_id: int, before: date = FAR_FUTURE) -> list[RatingList]:
    """The newest published revision of each list of a pool that came into force before a day, oldest first."""
    newest = (
        RatingList.objects.filter(pool_id=pool_id, state=RatingList.State.PUBLISHED, in_force__lt=before)
        .order_by("in_force", "-revision")
        .distinct("in_force")
    )
    return list(newest)


@dataclass(frozen=True)
class Sources:
    """What a list is calculated from, by name: reports, lists and corrections.

    `lists` are those that ratings and counts are read from, oldest first; the last one is the list before, which
    the ratings start from. `carried` are the corrections whose difference is put to that start.
    """

    period: Period
    tournaments: tuple[int, ...]
    lists: tuple[RatingList, ...]
    carried: tuple[Correction, ...]

    @property
    def previous(self) -> RatingList:
        return self.lists[-1]


def sources_of(period: Period, correction: Correction | None) -> Sources:
    """What the list of a frozen period, or the revision that a correction asks for, is calculated from now.

    A list takes the newest revisions of the lists before it, and carries every correction of them that its
    predecessors know nothing of. A revision whose difference is to be carried into the next list rests on the very
    lists of the one it replaces, so that it differs by the correction alone; one after which all later lists are
    revised takes the newest. 4 to 6 queries. Raises ValueError when the pool has no list yet.
    """
    tournaments = tuple(
        PeriodReport.objects.filter(period=period, correction=correction)
        .order_by("tournament_id")
        .values_list("tournament_id", flat=True)
    )
    if correction is None:
        return sources_if_frozen(period, tournaments)
    newest = tuple(lists_in_force(period.pool_id, period.in_force))
    replaced = correction.replaces
    carried = tuple(_carried_by(replaced.pk))
    if correction.later == Correction.Later.CARRY:
        return Sources(period, tournaments, lists_by_number(replaced.read_lists), carried)
    missing = {each.pk for each in not_known_to(newest)}
    return Sources(period, tournaments, newest, tuple(each for each in carried if each.pk in missing))


def sources_if_frozen(period: Period, tournaments: Sequence[int]) -> Sources:
    """What the first list of a period is calculated from if its manifest is these tournaments, rising by number.

    For a frozen period, and for one still open: what its list would be if it were frozen now. 3 queries.
    """
    newest = tuple(lists_in_force(period.pool_id, period.in_force))
    return Sources(period, tuple(tournaments), newest, not_known_to(newest))


def sources_of_list(rating_list: RatingList) -> Sources:
    """What a calculated list was made from, as it was then. 3 queries."""
    assert rating_list.period is not None  # noqa: S101 (the database holds it of every list but an opening one)
    return Sources(
        rating_list.period,
        tuple(
            PeriodReport.objects.filter(period=rating_list.period_id, correction=rating_list.correction_id)
            .order_by("tournament_id")
            .values_list("tournament_id", flat=True)
        ),
        lists_by_number(rating_list.read_lists),
        tuple(_carried_by(rating_list.pk)),
    )


def lists_by_number(numbers: Sequence[int]) -> tuple[RatingList, ...]:
    """These lists, in the order of the numbers. 1 query."""
    found = RatingList.objects.in_bulk(list(numbers))
    return tuple(found[number] for number in numbers)


def _carried_by(list_id: int) -> list[Correction]:
    return list(
        Correction.objects.filter(carried_into__list=list_id).select_related("replaces").order_by("pk")
    )


def line_of(rating_list: RatingList) -> dict[date, RatingList]:
    """The list and those it rests on, one behind the other: day they came into force → revision. 1 query."""
    every = {each.pk: each for each in RatingList.objects.filter(pool_id=rating_list.pool_id)}
    line: dict[date, RatingList] = {}
    link: RatingList | None = rating_list
    while link is not None:
        line[link.in_force] = link
        link = every.get(link.previous_id) if link.previous_id else None
    return line


def not_known_to(lists: Sequence[RatingList]) -> tuple[Correction, ...]:
    """The corrections of earlier lists that the last of these rests neither on nor has carried. 2 queries."""
    if not lists:
        return ()
    line = line_of(lists[-1])
    published = (
        Correction.objects.filter(
            replaces__pool_id=lists[-1].pool_id,
            replaces__in_force__lt=lists[-1].in_force,
            lists__state=RatingList.State.PUBLISHED,
        )
        .exclude(carried_into__list__in=[each.pk for each in line.values()])
        .select_related("replaces")
        .order_by("pk")
    )
    return tuple(
        correction
        for correction in published
        if line[correction.replaces.in_force].revision <= correction.replaces.revision
    )


def period_facts(sources: Sources) -> PeriodFacts:
    """Read what the sources name. Eight queries, whatever the number of players, one more for what is carried.

    Raises ValueError when the pool has no list yet, and DomainError `carry_impossible` for a carried correction that
    the list before can't take (`carry_conflicts`).
    """
    period, lists = sources.period, sources.lists
    if not lists:
        raise ValueError(f"pool {period.pool_id} has no list")
    parameters = edition_in_force(period.in_force)
    events, codes = _events(sources.tournaments, lists)
    return PeriodFacts(
        parameters=parameters,
        closing_day=day_number(period.closing),
        in_force=period.in_force,
        events=events,
        codes=codes,
        games=_games(events),
        basis=_basis(sorted(set(events.basis.tolist()))),
        **_players(parameters, events, sources),
    )


def _events(tournaments: Sequence[int], lists: Sequence[RatingList]) -> tuple[EventColumns, tuple[str, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id, played_from, played_to, number, seconds_for_60_moves, code"
            " FROM reporting_tournament WHERE id = ANY(%s) ORDER BY id",
            [list(tournaments)],
        )
        rows = cursor.fetchall()
    in_force = [rating_list.in_force for rating_list in lists]
    columns = [
        [row[0] for row in rows],
        [day_number(row[1]) for row in rows],
        [day_number(row[2]) for row in rows],
        [row[3] for row in rows],
        [row[4] for row in rows],
        [lists[basis_of(in_force, row[1])].pk for row in rows],
    ]
    return EventColumns(*(np.array(column, dtype=np.int64) for column in columns)), tuple(
        row[5] for row in rows
    )


def _games(events: EventColumns) -> GameColumns:
    """The games of the events, in no order of note. Entries and rounds are put to them here, not by joins."""
    of = _numbers(events.tournament.tolist())
    tournament, turn, white, black, white_points, black_points, played = read_columns(
        sql.SQL(
            "SELECT tournament_id, round, coalesce(white_id, 0), coalesce(black_id, 0), white_points, black_points,"
            " played::int FROM reporting_game WHERE tournament_id IN ({})"
        ).format(of),
        7,
    )
    entry, player = read_columns(
        sql.SQL("SELECT id, player_id FROM reporting_entry WHERE tournament_id IN ({}) ORDER BY id").format(
            of
        ),
        2,
    )
    dated, dated_turn, day = read_columns(
        sql.SQL(
            "SELECT tournament_id, number, played_on - date '1970-01-01' FROM reporting_round"
            " WHERE tournament_id IN ({}) AND played_on IS NOT NULL ORDER BY tournament_id, number"
        ).format(of),
        3,
    )
    event = np.searchsorted(events.tournament, tournament)
    day_of_round = _looked_up(
        _round_key(dated, dated_turn), day, _round_key(tournament, turn), otherwise=NO_DAY
    )
    return GameColumns(
        event,
        _looked_up(entry, player, white, otherwise=0),
        _looked_up(entry, player, black, otherwise=0),
        white_points,
        black_points,
        played.astype(bool),
        np.where(day_of_round == NO_DAY, events.last_day[event], day_of_round),
    )


def _round_key(tournament: Integers, turn: Integers) -> Integers:
    return tournament << ROUND_BITS | turn


def _looked_up(rising: Integers, values: Integers, wanted: Integers, *, otherwise: int) -> Integers:
    """The value that stands beside each wanted number among rising ones, or `otherwise` where it is not there.

    Numbers that lie close together go into one table; scattered ones are searched for.
    """
    if not rising.size:
        return np.full(wanted.shape, otherwise, dtype=np.int64)
    least = int(rising[0])
    span = int(rising[-1]) - least + 1
    if span > CLOSE_TOGETHER * rising.size:
        place = np.minimum(np.searchsorted(rising, wanted), rising.size - 1)
        searched: Integers = np.where(rising[place] == wanted, values[place], otherwise)
        return searched
    table: Integers = np.full(span + 1, otherwise, dtype=np.int64)  # the last cell: not there
    table[rising - least] = values
    found: Integers = table[np.where((wanted >= least) & (wanted < least + span), wanted - least, span)]
    return found


def _basis(lists: Sequence[int]) -> BasisColumns:
    return BasisColumns(
        *read_columns(
            sql.SQL(
                "SELECT list_id, player_id, rating FROM ratings_ratinglistrow WHERE list_id IN ({})"
                " ORDER BY list_id, player_id"
            ).format(_numbers(lists)),
            3,
        )
    )


def _players(parameters: Parameters, events: EventColumns, sources: Sources) -> dict[str, Any]:
    """Who is on the list before or has an entry, with what earlier lists know of them.

    Games of earlier lists count as played in the last three years by their own days; those of the opening list
    have none of their own and count together, on the day of its last game.
    """
    lists = sources.lists
    boundary = years_before(sources.period.closing, parameters.recent_years)
    opening = [rating_list.pk for rating_list in lists if rating_list.is_opening]
    recent = [
        rating_list.pk
        for rating_list in lists
        if not rating_list.is_opening and rating_list.closing > boundary
    ]
    # Histories show newest revisions only; of a replaced one, which the list may rest on, the rows are asked.
    replaced = list(
        RatingList.objects.filter(
            correction__replaces__in=[rating_list.pk for rating_list in lists],
            state=RatingList.State.PUBLISHED,
        ).values_list("correction__replaces", flat=True)
    )
    differences = carried_differences(sources)
    player, rating, games, first_2300, last_game, games_3_years, number = read_columns(
        sql.SQL(PLAYERS).format(
            previous=sql.Literal(lists[-1].pk),
            tournaments=_numbers(events.tournament.tolist()),
            lists=_numbers([rating_list.pk for rating_list in lists]),
            opening=_numbers(opening),
            recent=_numbers(recent),
            replaced=_numbers(replaced),
            boundary=sql.Literal(boundary),
            before_every_list=sql.Literal(BEFORE_EVERY_LIST),
            never=sql.Literal(NEVER),
            no_day=sql.Literal(NO_DAY),
            reached=sql.Literal(parameters.k_reached_rating),
            carried=_numbers([each.player for each in differences]),
        ),
        7,
    )
    carried = np.zeros_like(rating)
    for each in differences:
        place = int(np.searchsorted(player, each.player))
        carried[place] += each.rating
        games[place] += each.games
        if last_game[place] == each.last_game_before:
            last_game[place] = each.last_game
        else:
            last_game[place] = max(last_game[place], each.last_game)
    return {
        "players": PlayerColumns(player, rating, games, first_2300, last_game, games_3_years, carried),
        "register_numbers": number,
        "differences": tuple(differences),
    }


@dataclass(frozen=True)
class Difference:
    """What one correction changed for one player of the list it revised; a list without him has 0 and no day.

    `moved_since` says that the list before the one to be calculated rates him otherwise than the list replaced.
    """

    correction: int
    player: int
    rating: int
    games: int
    last_game_before: int
    last_game: int
    comes: bool
    goes: bool
    on_previous: bool
    moved_since: bool


def carry_conflicts(revision: RatingList) -> set[int]:
    """Players (ids) for whom the corrections left to carry could not be carried once a draft revision is published.

    None where all later lists are revised: nothing of it is left then.
    """
    correction = revision.correction
    assert correction is not None  # noqa: S101 (the database holds it of every revision)
    lists = [
        revision if each.in_force == revision.in_force else each for each in lists_in_force(revision.pool_id)
    ]
    left = not_known_to(lists)
    if lists[-1].pk != revision.pk:
        if correction.later == Correction.Later.REVISE:
            return set()
        left = (*left, correction)
    return _beyond_any_sum(_difference_rows(_pairs(left, revision), lists[-1]), left)


def carried_differences(sources: Sources) -> list[Difference]:
    """What each carried correction of the sources puts to each player's start. 0 queries, or 1 and 1 a correction.

    Raises DomainError `carry_impossible` for what the list before can't take (`carry_conflicts`).
    """
    if not sources.carried:
        return []
    found = _difference_rows(_pairs(sources.carried), sources.previous)
    lost = _beyond_any_sum(found, sources.carried)
    if lost:
        raise DomainError(
            "carry_impossible",
            f"Corrections of earlier lists bring or remove {len(lost)} players whom later lists rate by later games:"
            f" correct the list of {sources.carried[0].replaces.in_force} once more, revising all later lists.",
        )
    return found


def _beyond_any_sum(found: Sequence[Difference], corrections: Sequence[Correction]) -> set[int]:
    """Players whom no sum of points can carry: one came or went, and a later list or correction moves him besides.

    Several corrections of one list are one: who went by the first and comes back by the second has done neither.
    """
    day = {each.pk: each.replaces.in_force for each in corrections}
    by_list: defaultdict[int, dict[date, list[Difference]]] = defaultdict(dict)
    for each in found:
        by_list[each.player].setdefault(day[each.correction], []).append(each)
    lost = set()
    for player, lists in by_list.items():
        for chain in lists.values():
            comes = chain[0].comes and not chain[-1].goes
            goes = chain[-1].goes and not chain[0].comes
            if (comes and (chain[0].on_previous or len(lists) > 1)) or (
                goes and (chain[0].moved_since or len(lists) > 1)
            ):
                lost.add(player)
    return lost


def _pairs(corrections: Sequence[Correction], draft: RatingList | None = None) -> list[tuple[int, int, int]]:
    """Each correction with the list it replaces and its published revision, or the draft of its own. 1 query."""
    revisions = RatingList.objects.filter(
        correction__in=[each.pk for each in corrections], state=RatingList.State.PUBLISHED
    )
    new = {each.correction_id: each.pk for each in revisions}
    if draft is not None:
        new[draft.correction_id] = draft.pk
    return [(each.pk, each.replaces_id, new[each.pk]) for each in corrections]


def _difference_rows(pairs: Sequence[tuple[int, int, int]], previous: RatingList) -> list[Difference]:
    """Player by player what differs between each pair of lists (correction, list replaced, revision)."""
    with connection.cursor() as cursor:
        rows = []
        for correction, replaced, revision in pairs:
            cursor.execute(
                DIFFERENCES, {"old": replaced, "new": revision, "previous": previous.pk, "no_day": NO_DAY}
            )
            rows += [Difference(correction, *row) for row in cursor.fetchall()]
    return rows


DIFFERENCES = """
SELECT player_id, coalesce(new.rating, 0) - coalesce(old.rating, 0), coalesce(new.games, 0) - coalesce(old.games, 0),
    coalesce(old.last_game - date '1970-01-01', %(no_day)s), coalesce(new.last_game - date '1970-01-01', %(no_day)s),
    old.rating IS NULL, new.rating IS NULL, listed.rating IS NOT NULL,
    listed.rating IS NOT NULL AND (listed.rating, listed.games) IS DISTINCT FROM (old.rating, old.games)
FROM (SELECT player_id, rating, games, last_game FROM ratings_ratinglistrow WHERE list_id = %(old)s) old
FULL JOIN (SELECT player_id, rating, games, last_game FROM ratings_ratinglistrow WHERE list_id = %(new)s) new
    USING (player_id)
LEFT JOIN (SELECT player_id, rating, games FROM ratings_ratinglistrow WHERE list_id = %(previous)s) listed
    USING (player_id)
WHERE (old.rating, old.games, old.last_game) IS DISTINCT FROM (new.rating, new.games, new.last_game)
ORDER BY player_id
"""


PLAYERS = """
WITH reached AS (
    SELECT player_id, min(in_force) AS day FROM (
        SELECT player_id, in_force FROM ratings_playerhistory WHERE list_id IN ({lists}) AND rating >= {reached}
        UNION ALL
        SELECT player_id, list.in_force FROM ratings_ratinglistrow JOIN ratings_ratinglist list ON list.id = list_id
        WHERE list_id IN ({replaced}) AND rating >= {reached}
        UNION ALL
        SELECT player_id, {before_every_list}::date FROM ratings_ratinglistrow
        WHERE list_id IN ({opening}) AND reached_2300
    ) shown GROUP BY player_id
), recent AS (
    SELECT player_id, sum(games) AS games FROM (
        SELECT player_id, games_3_years AS games FROM ratings_ratinglistrow
        WHERE list_id IN ({opening}) AND last_game > {boundary}
        UNION ALL
        SELECT player_id, games FROM ratings_ratingchange
        WHERE list_id IN ({recent}) AND first_game > {boundary}
        UNION ALL
        -- Counted game by game only for the few whom the boundary cuts: a subquery, so that no planner without
        -- statistics begins with all games.
        SELECT change.player_id, (
            SELECT count(*)::int FROM reporting_entry own
            JOIN reporting_tournament t ON t.id = own.tournament_id
            JOIN reporting_game g
                ON g.tournament_id = own.tournament_id AND g.played AND own.id IN (g.white_id, g.black_id)
            JOIN reporting_entry other ON other.id = g.white_id + g.black_id - own.id
            JOIN ratings_ratinglistrow rated
                ON rated.list_id = change.basis_list_id AND rated.player_id = other.player_id
            LEFT JOIN reporting_round r ON r.tournament_id = own.tournament_id AND r.number = g.round
            WHERE own.tournament_id = change.tournament_id AND own.player_id = change.player_id
                AND coalesce(r.played_on, t.played_to) > {boundary}
        ) FROM ratings_ratingchange change
        WHERE change.list_id IN ({recent}) AND change.first_game <= {boundary} AND change.last_game > {boundary}
    ) counted GROUP BY player_id
)
SELECT p.id, coalesce(listed.rating, 0), coalesce(listed.games, 0),
    coalesce(reached.day - date '1970-01-01', {never}),
    coalesce(listed.last_game - date '1970-01-01', {no_day}),
    coalesce(recent.games, 0), coalesce(p.fmjd_id, 0)
FROM reporting_player p
LEFT JOIN ratings_ratinglistrow listed ON listed.list_id = {previous} AND listed.player_id = p.id
LEFT JOIN reached ON reached.player_id = p.id
LEFT JOIN recent ON recent.player_id = p.id
WHERE listed.player_id IS NOT NULL
    OR p.id IN (SELECT player_id FROM reporting_entry WHERE tournament_id IN ({tournaments}))
    OR p.id IN ({carried})
ORDER BY p.id
"""


def _numbers(values: Sequence[int]) -> sql.Composable:
    """Numbers as constants, so that the planner opens only their partitions; NULL stands for none at all."""
    return sql.SQL(", ").join(map(sql.Literal, values)) if values else sql.SQL("NULL")


def read_columns(query: sql.Composed, count: int) -> list[Integers]:
    """The whole-number columns of a query as int64 arrays, in its order; no NULL may be among them.

    Raises ValueError for a column that is not whole numbers without NULL.
    """
    names = [sql.Identifier(f"c{place}") for place in range(count)]
    arrays = sql.SQL(", ").join(sql.SQL("array_agg({}::int4)").format(name) for name in names)
    whole = sql.SQL("SELECT {} FROM ({}) AS q ({})").format(arrays, query, sql.SQL(", ").join(names))
    connection.ensure_connection()
    # Django's own cursor puts values into the query itself and so cannot receive binary.
    with Cursor(connection.connection) as cursor:
        cursor.execute(whole, binary=True)
        result = cursor.pgresult
        assert result is not None  # noqa: S101 - a SELECT has an answer
        return [column_of(result.get_value(0, place)) for place in range(count)]


def column_of(raw: bytes | None) -> Integers:
    """An array_agg of int4, as it came in binary. Raises ValueError for anything else, and for a NULL in it."""
    if raw is None:  # array_agg of no rows
        return np.empty(0, dtype=np.int64)
    dimensions, has_null, oid, length, _ = struct.unpack_from(ARRAY_HEADER, raw)
    cells = np.frombuffer(raw, ">i4", offset=HEADER_BYTES)
    if (dimensions, has_null, oid, cells.size) != (1, 0, INT4_OID, 2 * length):
        raise ValueError("not a column of whole numbers without NULL")
    # To int64 before any arithmetic: >i4 would overflow in a sum of three ratings times ten thousand.
    return cells[1::2].astype(np.int64)
