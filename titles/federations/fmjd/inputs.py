"""What the search of Annex 10 is given, read from the database as columns."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

import numpy as np
from django.utils.timezone import get_current_timezone_name
from psycopg import sql

from ratings.federations.facet import RatingSystem
from ratings.federations.registry import edition_in_force
from ratings.inputs.listed_ratings import ListedRatings
from ratings.inputs.read_columns import numbers, read_columns
from ratings.inputs.result_columns import GameRows, ResultColumns, RoundRows
from ratings.models import RatingList
from ratings.rules.columns import NO_DAY, Integers, looked_up
from ratings.rules.days import day_number, day_of_number
from reporting.models import Federation, ResultSet, TournamentDecision, own_relations
from reporting.reports.decisions.selectors import by_code, decided_values, over_age
from reporting.rules.regulations.editions import report_due
from titles.federations.fmjd.rules.columns import (
    AGES,
    CHAMPIONSHIPS,
    COMPETITIONS,
    OPEN_LADDER,
    REFEREES,
    SEXES,
    SYSTEMS,
    UNKNOWN,
    WOMEN_LADDER,
    GameColumns,
    ParticipationColumns,
    RoundColumns,
    TournamentColumns,
)
from titles.federations.fmjd.rules.conditions import can_bring_norms
from titles.federations.fmjd.rules.norms import Input
from titles.federations.fmjd.rules.parameters import Parameters
from titles.queries.held_levels import levels_held

PLAYER_BITS = 31  # the number of a player fits 32 bits, as in every column here

# One row a tournament. What is decided counts, not what the report proposes (R78); the level of a referee is that of
# the person it was decided of (R77a).
TOURNAMENTS = """
SELECT tournament.id, tournament.discipline::int,
    coalesce(array_position({federations}::text[], tournament.country_id::text), 0),
    tournament.played_from - date '1970-01-01', tournament.played_to - date '1970-01-01',
    coalesce((SELECT max(number) FROM reporting_round WHERE result_set_id = tournament.id), {unknown}),
    coalesce(tournament.seconds_for_60_moves, 0), cardinality(tournament.session),
    coalesce(array_position({systems}::text[], tournament.system::text), 0) - 1,
    coalesce(array_position({competitions}::text[], coalesce(decided.competition, '')), 0) - 1,
    coalesce(array_position({championships}::text[], tournament.national_championship::text), 0) - 1,
    coalesce(array_position({ages}::text[], own.youth::text), 0) - 1,
    CASE WHEN decided.referee = tournament.referee
        THEN coalesce(array_position({referees}::text[], decided.referee_level), 0) - 1 ELSE {unknown} END,
    coalesce(decided.official = 'yes', false)::int, tournament.women_only::int, tournament.veterans::int,
    (report.id IS NOT NULL)::int,
    coalesce(report.corrects_code IS NOT NULL OR report.admitted_reason <> '', false)::int,
    coalesce(coalesce(report.received_on, (report.first_submitted_at AT TIME ZONE {zone})::date) - date '1970-01-01',
        {no_day}),
    coalesce(decided.council_approved = 'yes', false)::int
FROM reporting_resultset tournament
JOIN fmjd_reports_resultsetdetails own ON own.result_set_id = tournament.id
LEFT JOIN reporting_report report ON report.result_set_id = tournament.id AND report.state = 'accepted'
LEFT JOIN (
    SELECT tournament_code,
        max(value) FILTER (WHERE item = 'council_approved') AS council_approved,
        max(value) FILTER (WHERE item = 'official') AS official,
        max(value) FILTER (WHERE item = 'competition') AS competition,
        max(value) FILTER (WHERE item = 'referee_level') AS referee_level,
        max(about) FILTER (WHERE item = 'referee_level') AS referee
    FROM reporting_tournamentdecision WHERE id = ANY({decisions}) GROUP BY tournament_code
) decided ON decided.tournament_code = tournament.code
WHERE tournament.id = ANY({of})
"""

# The federation of the day of the first round (R33, R40), and the sex, as places in arrays.
ENTRIES = """
SELECT entry.id, entry.result_set_id, player.id, coalesce(entry.place, 0),
    federation.place, array_position({sexes}::text[], player.sex::text) - 1
FROM reporting_entry entry
JOIN reporting_resultset tournament ON tournament.id = entry.result_set_id
LEFT JOIN unnest({duplicates}::bigint[], {surviving}::bigint[]) AS merged (duplicate, surviving)
    ON merged.duplicate = entry.player_id
JOIN reporting_player player ON player.id = coalesce(merged.surviving, entry.player_id)
LEFT JOIN reporting_federationmembership member ON member.player_id = player.id
    AND member.until > tournament.played_from AND coalesce(member.since <= tournament.played_from, true)
JOIN unnest({federations}::text[]) WITH ORDINALITY AS federation (code, place)
    ON federation.code = coalesce(member.federation_id, player.federation_id)
WHERE entry.result_set_id = ANY({of})
"""


@dataclass(frozen=True)
class NormInput:
    """The engine's input, and what its rows are in the database.

    `entries` (of the participations) and `games` are rows of the database in the order of the columns; `federations`
    has the codes by the numbers in the columns.
    """

    given: Input
    entries: Integers
    games: Integers
    federations: Mapping[int, str]


def read_norm_input(  # noqa: PLR0917
    parameters: Parameters,
    results: ResultColumns,
    lists: Sequence[RatingList],
    ratings: ListedRatings,
    system: RatingSystem,
    tempo: str,
    persons: Mapping[int, int],
    decisions: Sequence[int],
    claimed: Collection[int] | None,
) -> NormInput:
    """Accepted tournaments with their rounds, entries and games; those where nothing can be found only if they are
    among `claimed`, or this is None. 4 queries, 1 more for ratings that were not read before, 1 more with sessions and
    3 more with youth tournaments, and those of `results`.

    Of a tournament with a session only the games of this tempo count (R25).

    `lists` are those whose ratings count, the oldest first: a tournament uses the one in force on the day of its first
    round (R8, R33). `persons` are merged records, duplicate to surviving (R24): a rating, a title and a norm are the
    surviving record's. `decisions` (ids) say what counts of a tournament: what its report proposes does not (R78).
    """
    federations = dict(enumerate(Federation.objects.order_by("code").values_list("code", flat=True), start=1))
    codes = list(federations.values())
    columns, times = _tournaments(results, system, tempo, codes, decisions)
    if claimed is not None:
        examined = can_bring_norms(parameters, columns) | np.isin(columns.tournament, list(claimed))
        columns = columns.rows(np.flatnonzero(examined))
    of = numbers(columns.tournament.tolist())
    entries, participations = _participations(columns, of, lists, ratings, system, persons, codes, decisions)
    games, rows = _games(columns, results.games, entries, times)
    return NormInput(
        given=Input(
            tournaments=columns,
            rounds=_rounds(columns, results.rounds),
            participations=participations,
            games=rows,
        ),
        entries=entries,
        games=games,
        federations=federations,
    )


def _tournaments(
    results: ResultColumns,
    system: RatingSystem,
    tempo: str,
    federations: Sequence[str],
    decisions: Sequence[int],
) -> tuple[TournamentColumns, Sequence[int]]:
    """The tournaments, and the times for 60 moves of the games of this tempo.

    An accepted report was announced and reported in time, or a rating officer admitted it (R11, R30d).
    """
    (
        tournament, discipline, federation, first_day, last_day, rounds, seconds, clocks, of_system, competition,
        championship, age, referee, official, women_only, veterans, reported, admitted, received, council_approved,
    ) = read_columns(
        sql.SQL(TOURNAMENTS).format(
            federations=sql.Literal(list(federations)),
            systems=sql.Literal(list(SYSTEMS)),
            competitions=sql.Literal(list(COMPETITIONS)),
            championships=sql.Literal(list(CHAMPIONSHIPS)),
            ages=sql.Literal(list(AGES)),
            referees=sql.Literal(list(REFEREES)),
            unknown=sql.Literal(UNKNOWN),
            no_day=sql.Literal(NO_DAY),
            zone=sql.Literal(get_current_timezone_name()),
            decisions=numbers(decisions),
            of=numbers(results.result_sets),
        ),
        20,
        rising=1,
    )  # fmt: skip
    # The last round is one of the report's rounds or of its games.
    np.maximum.at(rounds, np.searchsorted(tournament, results.games.result_set), results.games.round)
    weight, times = _weights(system, tempo, tournament, first_day, seconds, _sessions(tournament[clocks > 0]))
    in_time = received <= _due(last_day, discipline, system)
    return TournamentColumns(
        tournament, discipline, federation, first_day, last_day, rounds, weight, of_system, competition, championship,
        age, referee, official.astype(bool), women_only.astype(bool), veterans.astype(bool), reported.astype(bool),
        reported.astype(bool) & (in_time | admitted.astype(bool)), council_approved.astype(bool),
    ), times  # fmt: skip


def _sessions(tournaments: Integers) -> dict[int, tuple[int | None, ...]]:
    """The times for 60 moves of the games of these tournaments, the longest first (R25). 1 query, none for none."""
    if not tournaments.size:
        return {}
    found = ResultSet.objects.filter(pk__in=tournaments.tolist()).only("session")
    return {tournament.pk: tournament.seconds_of_games for tournament in found}


def _weights(  # noqa: PLR0917
    system: RatingSystem,
    tempo: str,
    tournament: Integers,
    first_day: Integers,
    seconds: Integers,
    sessions: Mapping[int, Sequence[int | None]],
) -> tuple[Integers, Sequence[int]]:
    """The development percentage of the games of this tempo, 0 where there are none, and their times for 60 moves."""
    edition_on = cache(lambda day: edition_in_force(system, day_of_number(day)))
    weight_of: dict[tuple[str, int | None], int | None] = {}
    weights = []
    for row, (day, time) in enumerate(zip(first_day.tolist(), seconds.tolist(), strict=True)):
        edition, weight = edition_on(day), 0
        # Of the times of a session the shortest comes first, so that the longest one of this tempo remains.
        for clock in reversed(sessions.get(int(tournament[row]), (time,))):
            key = edition.id, clock
            if key not in weight_of:
                is_of_tempo = edition.tempo(clock) == tempo
                weight_of[key] = edition.weight_percentage(clock) if is_of_tempo else None
            weight = weight_of[key] or weight
        weights.append(weight)
    times = {clock for (_, clock), weight in weight_of.items() if weight is not None and clock is not None}
    return np.array(weights, np.int64), sorted(times)


def _due(last_day: Integers, discipline: Integers, system: RatingSystem) -> Integers:
    """The last day on which each report was in time (R11)."""
    due = cache(lambda day, of: day_number(report_due(day_of_number(day), str(of), system.code) or date.max))
    return np.array(list(map(due, last_day.tolist(), discipline.tolist())), np.int64)


def _rounds(columns: TournamentColumns, rounds: RoundRows) -> RoundColumns:
    rounds = rounds.rows(np.isin(rounds.result_set, columns.tournament))
    return RoundColumns(np.searchsorted(columns.tournament, rounds.result_set), rounds.number, rounds.day)


def _participations(  # noqa: PLR0917
    columns: TournamentColumns,
    of: sql.Composable,
    lists: Sequence[RatingList],
    ratings: ListedRatings,
    system: RatingSystem,
    persons: Mapping[int, int],
    federations: Sequence[str],
    decisions: Sequence[int],
) -> tuple[Integers, ParticipationColumns]:
    """Federation and titles are those of the day of the first round; the rating is that of the list in force then."""
    entry, tournament, player, place, federation, sex = read_columns(
        sql.SQL(ENTRIES).format(
            federations=sql.Literal(list(federations)),
            sexes=sql.Literal(list(SEXES)),
            duplicates=sql.Literal(list(persons)),
            surviving=sql.Literal(list(persons.values())),
            of=of,
        ),
        6,
        rising=1,
    )
    at = np.searchsorted(columns.tournament, tournament)
    disciplines, discipline = np.unique(columns.discipline, return_inverse=True)
    levels = levels_held(
        system.code,
        [str(code) for code in disciplines.tolist()],
        discipline[at],
        columns.first_day[at],
        player,
    )
    return entry, ParticipationColumns(
        tournament=at,
        player=player,
        federation=federation,
        sex=sex,
        title=levels[OPEN_LADDER],
        women_title=levels[WOMEN_LADDER],
        rating=_ratings(columns.first_day, lists, ratings, at, player, persons),
        place=place,
        over_age=np.isin(entry, _entries_over_age(columns, decisions)),
    )


def _entries_over_age(columns: TournamentColumns, decisions: Sequence[int]) -> list[int]:
    """The entries of players over the age whom the office has not admitted (R73a). 3 queries with youth tournaments."""
    youth = columns.tournament[columns.age != AGES.index("")].tolist()
    if not youth:
        return []
    found = list(ResultSet.objects.filter(pk__in=youth).select_related(*own_relations()))
    of_youth = TournamentDecision.objects.filter(
        pk__in=decisions, tournament__in={tournament.code for tournament in found}
    )
    decided_of, beyond = by_code(of_youth), over_age(found)
    return [
        entry.pk
        for tournament in found
        if tournament.pk in beyond
        for admitted in [decided_values(tournament, decided_of.get(tournament.code, ())).admitted]
        for entry in beyond[tournament.pk]
        if entry.player_id not in admitted
    ]


def _ratings(  # noqa: PLR0917
    first_day: Integers,
    lists: Sequence[RatingList],
    ratings: ListedRatings,
    at: Integers,
    player: Integers,
    persons: Mapping[int, int],
) -> Integers:
    """The rating of each participation on the list that its tournament uses; 0 without one."""
    if not lists:
        return np.zeros(at.size, dtype=np.int64)
    in_force = [rating_list.in_force for rating_list in lists]
    rules = lists[-1].rules
    days, of_day = np.unique(first_day, return_inverse=True)
    used = [lists[rules.basis_of(in_force, day_of_number(day))].pk for day in days.tolist()]
    basis = np.array(used, np.int64)[of_day]
    rows = ratings.on(set(used))
    listed, rated, rating = rows.rating_list, rows.player, rows.rating
    # The surviving record's own rating counts before that of a record merged into it.
    merged = np.isin(rated, list(persons))
    for duplicate, surviving in persons.items():
        rated[rated == duplicate] = surviving
    order = np.lexsort((merged, rated, listed))
    key = (listed << PLAYER_BITS | rated)[order]
    searched = basis[at] << PLAYER_BITS | player
    if not key.size:
        return np.zeros(at.size, dtype=np.int64)
    place = np.minimum(np.searchsorted(key, searched), key.size - 1)
    return np.where(key[place] == searched, rating[order][place], 0)


def _games(
    columns: TournamentColumns, games: GameRows, entries: Integers, clocks: Sequence[int]
) -> tuple[Integers, GameColumns]:
    """Their rows, and the games; -1 for the empty place of a pause."""
    is_of_tempo = np.isin(games.seconds_for_60_moves, [0, *clocks])
    games = games.rows(is_of_tempo & np.isin(games.result_set, columns.tournament))
    rows = np.arange(entries.size)
    return games.game, GameColumns(
        round=games.round,
        white=looked_up(entries, rows, games.white, otherwise=-1),
        black=looked_up(entries, rows, games.black, otherwise=-1),
        white_points=games.white_points,
        black_points=games.black_points,
        played=games.played.astype(bool),
    )
