"""What the search of Annex 10 is given, read from the database as columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import connection
from psycopg import sql

from ratings.federations.facet import RatingSystem
from ratings.federations.registry import edition_in_force
from ratings.inputs.read_columns import numbers, read_columns
from ratings.models import RatingList
from ratings.rules.columns import Integers
from ratings.rules.days import day_number
from reporting.models import Federation, Report, ResultSet, TournamentDecision
from reporting.reports.decisions.selectors import by_code, decided_values, over_age
from titles.federations.fmjd.rules.columns import (
    AGES,
    CHAMPIONSHIPS,
    COMPETITIONS,
    REFEREES,
    SEXES,
    SYSTEMS,
    UNKNOWN,
    GameColumns,
    ParticipationColumns,
    RoundColumns,
    TournamentColumns,
    code_of,
)
from titles.federations.fmjd.rules.norms import Input
from titles.queries.held_levels import levels_held

PLAYER_BITS = 31  # the number of a player fits 32 bits, as in every column here

# The federation of the day of the first round (R33, R40), and the sex, as places in arrays.
ENTRIES = """
SELECT entry.id, entry.result_set_id, player.id, coalesce(entry.place, 0),
    array_position({federations}::text[], coalesce(member.federation_id, player.federation_id)::text),
    array_position({sexes}::text[], player.sex::text) - 1
FROM reporting_entry entry
JOIN reporting_resultset tournament ON tournament.id = entry.result_set_id
LEFT JOIN unnest({duplicates}::bigint[], {surviving}::bigint[]) AS merged (duplicate, surviving)
    ON merged.duplicate = entry.player_id
JOIN reporting_player player ON player.id = coalesce(merged.surviving, entry.player_id)
LEFT JOIN reporting_federationmembership member ON member.player_id = player.id
    AND member.until > tournament.played_from AND coalesce(member.since <= tournament.played_from, true)
WHERE entry.result_set_id = ANY({of})
"""


@dataclass(frozen=True)
class NormInput:
    """The engine's input, and what its rows are in the database.

    `tournaments`, `entries` (of the participations) and `games` are rows of the database in the order of the columns;
    `federations` has the codes by the numbers in the columns.
    """

    given: Input
    tournaments: Sequence[ResultSet]
    entries: Integers
    games: Integers
    federations: Mapping[int, str]


def read_norm_input(
    *,
    tournaments: Sequence[int],
    lists: Sequence[RatingList],
    system: RatingSystem,
    tempo: str,
    persons: Mapping[int, int],
    decisions: Sequence[TournamentDecision],
) -> NormInput:
    """Accepted tournaments (by id) with their rounds, entries and games. 9 queries, 1 more with youth tournaments.

    Of a tournament with a session only the games of this tempo count (R25).

    `lists` are those whose ratings count, the oldest first: a tournament uses the one in force on the day of its first
    round (R8, R33). `persons` are merged records, duplicate to surviving (R24): a rating, a title and a norm are the
    surviving record's. `decisions` say what counts of a tournament: what its report proposes does not (R78).
    """
    federations = dict(enumerate(Federation.objects.order_by("code").values_list("code", flat=True), start=1))
    number_of = {code: number for number, code in federations.items()}
    found = list(ResultSet.objects.filter(pk__in=tournaments).order_by("pk"))
    clocks = _clocks(found, system, tempo)
    columns = _tournaments(found, system, clocks, number_of, decisions)
    of = numbers(columns.tournament.tolist())
    entries, participations = _participations(columns, found, lists, system, persons, number_of, decisions)
    games, rows = _games(
        of, entries, sorted({second for times in clocks.values() for second in times if second is not None})
    )
    return NormInput(
        given=Input(
            tournaments=columns,
            rounds=_rounds(columns, of),
            participations=participations,
            games=rows,
        ),
        tournaments=found,
        entries=entries,
        games=games,
        federations=federations,
    )


def _clocks(found: Sequence[ResultSet], system: RatingSystem, tempo: str) -> dict[int, list[int | None]]:
    """The times for 60 moves of this tempo, by tournament, the longest first; None without a clock."""
    return {
        tournament.pk: [
            seconds
            for seconds in tournament.seconds_of_games
            if edition_in_force(system, tournament.played_from).tempo(seconds) == tempo
        ]
        for tournament in found
    }


def _tournaments(
    found: Sequence[ResultSet],
    system: RatingSystem,
    clocks: Mapping[int, Sequence[int | None]],
    number_of: Mapping[str, int],
    decisions: Sequence[TournamentDecision],
) -> TournamentColumns:
    """An accepted report was announced and reported in time, or a rating officer admitted it (R11, R30d)."""
    rounds = _round_counts([tournament.pk for tournament in found])
    reports = {
        report.result_set_id: report
        for report in Report.objects.filter(result_set__in=found, state=Report.State.ACCEPTED).only(
            "result_set", "corrects", "first_submitted_at", "received_on", "admitted_reason"
        )
    }
    decided_of = by_code(decisions)
    rows = []
    for tournament in found:
        report = reports.get(tournament.pk)
        if report is not None:
            report.result_set = tournament
        in_time = report is not None and (report.days_late <= 0 or report.admitted_reason != "")
        rules = edition_in_force(system, tournament.played_from)
        decided = decided_values(tournament, decided_of.get(tournament.code, ()))
        rows.append(
            (
                tournament.pk,
                int(tournament.discipline),
                number_of.get(tournament.country_id or "", 0),
                day_number(tournament.played_from),
                day_number(tournament.played_to),
                rounds.get(tournament.pk, UNKNOWN),
                rules.weight_percentage(clocks[tournament.pk][0]) if clocks[tournament.pk] else 0,
                code_of(SYSTEMS, tournament.system),
                code_of(COMPETITIONS, decided.competition),
                code_of(CHAMPIONSHIPS, tournament.national_championship),
                code_of(AGES, tournament.youth),
                code_of(REFEREES, decided.referee_level),
                decided.official,
                tournament.women_only,
                tournament.veterans,
                report is not None,
                in_time,
                decided.council_approved,
            )
        )
    return TournamentColumns(*_columns(rows, 18))


def _columns(rows: Sequence[tuple[int, ...]], count: int) -> list[Any]:
    return [np.array([row[place] for row in rows]) for place in range(count)]


def _round_counts(tournaments: Sequence[int]) -> dict[int, int]:
    """The number of the last round: of the report's rounds, or of its games."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT result_set_id, max(number) FROM ("
            " SELECT result_set_id, number FROM reporting_round WHERE result_set_id = ANY(%(of)s)"
            " UNION ALL SELECT result_set_id, round FROM reporting_game WHERE result_set_id = ANY(%(of)s)"
            ") rounds GROUP BY result_set_id",
            {"of": list(tournaments)},
        )
        return dict(cursor.fetchall())


def _rounds(columns: TournamentColumns, of: sql.Composable) -> RoundColumns:
    tournament, number, day = read_columns(
        sql.SQL(
            "SELECT result_set_id, number, played_on - date '1970-01-01' FROM reporting_round"
            " WHERE result_set_id = ANY({}) AND played_on IS NOT NULL"
        ).format(of),
        3,
        rising=2,
    )
    return RoundColumns(np.searchsorted(columns.tournament, tournament), number, day)


def _participations(  # noqa: PLR0917
    columns: TournamentColumns,
    found: Sequence[ResultSet],
    lists: Sequence[RatingList],
    system: RatingSystem,
    persons: Mapping[int, int],
    number_of: Mapping[str, int],
    decisions: Sequence[TournamentDecision],
) -> tuple[Integers, ParticipationColumns]:
    """Federation and titles are those of the day of the first round; the rating is that of the list in force then."""
    entry, tournament, player, place, federation, sex = read_columns(
        sql.SQL(ENTRIES).format(
            federations=sql.Literal(list(number_of)),
            sexes=sql.Literal(list(SEXES)),
            duplicates=sql.Literal(list(persons)),
            surviving=sql.Literal(list(persons.values())),
            of=numbers(columns.tournament.tolist()),
        ),
        6,
        rising=1,
    )
    at = np.searchsorted(columns.tournament, tournament)
    sections, section = np.unique([tournament.discipline for tournament in found], return_inverse=True)
    open_level, women_level = levels_held(
        system.code, sections.tolist(), section[at], columns.first_day[at], player
    )
    return entry, ParticipationColumns(
        tournament=at,
        player=player,
        federation=federation,
        sex=sex,
        title=open_level,
        women_title=women_level,
        rating=_ratings(found, lists, at, player, persons),
        place=place,
        over_age=np.isin(entry, _entries_over_age(found, decisions)),
    )


def _entries_over_age(found: Sequence[ResultSet], decisions: Sequence[TournamentDecision]) -> list[int]:
    """The entries of players over the age whom the office has not admitted (R73a). 1 query with youth tournaments."""
    decided_of, beyond = by_code(decisions), over_age(found)
    return [
        entry.pk
        for tournament in found
        if tournament.pk in beyond
        for admitted in [decided_values(tournament, decided_of.get(tournament.code, ())).admitted]
        for entry in beyond[tournament.pk]
        if entry.player_id not in admitted
    ]


def _ratings(
    found: Sequence[ResultSet],
    lists: Sequence[RatingList],
    at: Integers,
    player: Integers,
    persons: Mapping[int, int],
) -> Integers:
    """The rating of each participation on the list that its tournament uses; 0 without one."""
    if not lists or not found:
        return np.zeros(at.size, dtype=np.int64)
    in_force = [rating_list.in_force for rating_list in lists]
    rules = lists[-1].rules
    basis = np.array([lists[rules.basis_of(in_force, one.played_from)].pk for one in found])
    listed, rated, rating = read_columns(
        sql.SQL("SELECT list_id, player_id, rating FROM {} WHERE list_id = ANY({})").format(
            sql.Identifier(lists[-1].rating_system.row_model._meta.db_table),
            numbers(sorted(set(basis.tolist()))),
        ),
        3,
    )
    # The surviving record's own rating counts before that of a record merged into it.
    merged = np.isin(rated, list(persons))
    for duplicate, surviving in persons.items():
        rated[rated == duplicate] = surviving
    order = np.lexsort((merged, rated, listed))
    key = (listed << PLAYER_BITS | rated)[order]
    wanted = basis[at] << PLAYER_BITS | player
    if not key.size:
        return np.zeros(at.size, dtype=np.int64)
    place = np.minimum(np.searchsorted(key, wanted), key.size - 1)
    return np.where(key[place] == wanted, rating[order][place], 0)


def _games(of: sql.Composable, entries: Integers, clocks: Sequence[int]) -> tuple[Integers, GameColumns]:
    game, turn, white, black, white_points, black_points, played = read_columns(
        sql.SQL(
            "SELECT id, round, coalesce(white_id, 0), coalesce(black_id, 0), white_points, black_points, played::int"
            " FROM reporting_game WHERE result_set_id = ANY({})"
            " AND (seconds_for_60_moves IS NULL OR seconds_for_60_moves = ANY({}))"
        ).format(of, numbers(clocks)),
        7,
        rising=1,
    )
    return game, GameColumns(
        round=turn,
        white=_row_of(entries, white),
        black=_row_of(entries, black),
        white_points=white_points,
        black_points=black_points,
        played=played.astype(bool),
    )


def _row_of(entries: Integers, wanted: Integers) -> Integers:
    """The participation of an entry; -1 for the empty place of a pause."""
    return np.where(wanted == 0, -1, np.searchsorted(entries, wanted))
