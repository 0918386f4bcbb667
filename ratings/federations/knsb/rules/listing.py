"""Who is on a list, the figure of a row, and the order of the rows (art. 2, 9.1, 9.2, 10, 11.2; R82, R84 to R84c)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any, Final

import numpy as np

from ratings.federations.knsb.rules.columns import LIMITS, KnsbListColumns
from ratings.federations.knsb.rules.engine_input import KnsbColumns, MembershipColumns
from ratings.federations.knsb.rules.formulas import E10
from ratings.federations.knsb.rules.parameters import KnsbRules
from ratings.federations.knsb.rules.validity import KLASSIEK
from ratings.rules.columns import NEVER, NO_DAY, Columns, Flags, Integers, places
from ratings.rules.days import day_number, day_of_number, months_before
from ratings.rules.scaled_numbers import E4
from ratings.rules.values import OpeningLine, PlayerStart, RowDifference

E3: Final = 1000
BY_LPR, BY_R_I, BY_BONUS, BY_LEAST = (1 << place for place in range(len(LIMITS)))
"""The bits of `LIMITS`."""


@dataclass(frozen=True, eq=False)
class MemberColumns(Columns):
    """One row a player: whether a member on the day of the list, whether published (11.2), whether a member on any day
    of the last season that ended before the list or since (10), and the number of the club on the day, the least of
    several, 0 for none.
    """

    is_member: Flags
    is_published: Flags
    was_member: Flags
    club: Integers


def members(
    rules: KnsbRules, in_force: int, player: Integers, memberships: MembershipColumns | None
) -> MemberColumns:
    """The memberships of players, who rise, for the list of a day (art. 10, 11.2; R84a, R84b).

    Without a table every player is a member.
    """
    yes = np.ones(player.size, dtype=bool)
    if memberships is None:
        return MemberColumns(yes, yes, yes, np.zeros(player.size, dtype=np.int64))
    rows = memberships.rows(np.isin(memberships.player, player))
    place = places(player, rows.player)
    first, last = rules.clubs
    is_club = (rows.club >= first) & (rows.club <= last)
    is_listed = is_club.copy()
    for first, last in rules.other_memberships:
        is_listed |= (rows.club >= first) & (rows.club <= last)
    day = day_of_number(in_force)
    is_now = (rows.first_day <= in_force) & (in_force <= rows.last_day)
    # Who left in the season that began on 1 October Y is published up to 1 November Y + 1.
    season = day_number(date(day.year - (day.month < rules.left_month), rules.season_month, 1))
    has_left = is_club & (rows.last_day >= season) & (rows.last_day < in_force)
    last_season = day_number(date(day.year - 1 - (day.month < rules.season_month), rules.season_month, 1))
    is_recent = (rows.first_day <= in_force) & (rows.last_day >= last_season)

    def of_players(flags: Flags) -> Flags:
        return np.bincount(place[flags], minlength=player.size) > 0

    club = np.full(player.size, NEVER, dtype=np.int64)
    np.minimum.at(club, place[is_now], rows.club[is_now])
    return MemberColumns(
        of_players(is_now),
        of_players((is_now & is_listed) | has_left),
        of_players(is_recent),
        np.where(club == NEVER, 0, club),
    )


def lapsed(
    rules: KnsbRules, columns: KnsbColumns, member: MemberColumns, last_game: Integers, is_youth: Flags
) -> Flags:
    """Whose rating lapses: foreigners by 10, youth players in rapid and blitz by 10.1 (R84a).

    A foreigner who became a member after the last season is a member, and does not lapse. `last_game` is the last
    counted game, this list's included, `is_youth` that of the year of the list.
    """
    lapse: Flags = columns.players.is_foreign & ~member.was_member
    if columns.tempo != KLASSIEK:
        oldest = day_number(months_before(day_of_number(columns.in_force), rules.lapse_months))
        lapse |= is_youth & ~member.is_member & (last_game < oldest)
    return lapse


def fallen_n_v(
    rules: KnsbRules, n_v: Integers, last_game: Integers, previous_day: int, in_force: int
) -> Integers:
    """N_v less 10, to no less than 9, for each anniversary of the last game from the fifth on that lies after the
    previous list and up to the new one (art. 10, R84).
    """
    least = rules.inactive_years - 1
    passed = np.maximum(_years_since(last_game, in_force), least) - np.maximum(
        _years_since(last_game, previous_day), least
    )
    lowered = np.maximum(n_v - rules.inactive_games * passed, rules.least_inactive_n_v)
    return np.where(passed > 0, np.minimum(n_v, lowered), n_v)


def _years_since(days: Integers, day: int) -> Integers:
    """The whole years from days to a day; 0 from no day. Of 29 February the anniversary may be the 28th."""
    until = day_of_number(day)
    known = np.where(days == NO_DAY, day, days).astype("datetime64[D]")
    months = known.astype("datetime64[M]")
    month_and_day = months.astype(np.int64) % 12 * 32 + (known - months.astype("datetime64[D]")).astype(
        np.int64
    )
    today = (until.month - 1) * 32 + until.day - 1
    if until.month == 2 and (date(until.year, 3, 1) - until).days == 1:
        today = (until.month - 1) * 32 + 31
    years = until.year - 1970 - known.astype("datetime64[Y]").astype(np.int64)
    return np.asarray(np.maximum(years - (month_and_day > today), 0), dtype=np.int64)


def limited_figures(
    rules: KnsbRules, r_i: Integers, sum_e10: Integers, lpr_e3: Integers
) -> tuple[Integers, Integers]:
    """R_i + R_tt times 10¹⁰ within the limits of 9.2.1 and 9.2.2, and the bits of those that changed it (R82, R82a)."""
    free = r_i * E10 + sum_e10
    lpr, start, span = lpr_e3 * (E10 // E3), r_i * E10, rules.limit_points * E10
    figure = np.where((sum_e10 > 0) & (start < lpr), np.minimum(free, lpr + span), free)
    figure = np.where((sum_e10 < 0) & (start > lpr), np.maximum(figure, lpr - span), figure)
    near_start = np.clip(free, start - span, start + span)
    figure = np.where((sum_e10 != 0) & (start == lpr), near_start, figure)
    by_lpr = np.where(figure != free, BY_LPR, 0)
    against = ((sum_e10 > 0) & (start > lpr)) | ((sum_e10 < 0) & (start < lpr))
    figure = np.where(against, near_start, figure)
    return figure, by_lpr + np.where(against & (near_start != free), BY_R_I, 0)


def published(figure_e10: Integers) -> Integers:
    """The whole rating, half up (R82)."""
    return np.asarray((figure_e10 + E10 // 2) // E10, dtype=np.int64)


def in_order(rows: KnsbListColumns) -> KnsbListColumns:
    """The rows by rating, falling, equal ratings by number, with their positions and ranks."""
    sorted_rows = rows.rows(np.lexsort((rows.register_number, -rows.rating)))
    falling = -sorted_rows.rating
    return replace(
        sorted_rows,
        position=np.arange(1, len(rows) + 1),
        rank=np.searchsorted(falling, falling, side="left") + 1,
    )


def opening_rows(rules: KnsbRules, lines: Sequence[OpeningLine]) -> KnsbListColumns:
    """The rows of the list that a pool starts from; N_v is the number of games, at most 100, where the file has none
    (U20).
    """
    n_v = [line.more["n_v"] for line in lines]
    return in_order(
        _rows(
            player=[line.player for line in lines],
            register_number=[line.register_number for line in lines],
            rating=[line.rating for line in lines],
            games=[line.games for line in lines],
            last_game_day=[day_number(line.last_game) for line in lines],
            n_v=[
                min(line.games, rules.largest_n_v) if number is None else number
                for line, number in zip(lines, n_v, strict=True)
            ],
        )
    )


def arranged(rules: KnsbRules, closing: date, rows: Sequence[Any]) -> KnsbListColumns:  # noqa: ARG001
    """Stored rows in the order of the list again: positions and ranks; what they do not follow from is 0."""
    return in_order(
        _rows(
            player=[row.player_id for row in rows],
            register_number=[row.register_number for row in rows],
            rating=[row.rating for row in rows],
            period_games=[row.period_games for row in rows],
            games=[row.games for row in rows],
            last_game_day=[NO_DAY if row.last_game is None else day_number(row.last_game) for row in rows],
            n_v=[row.n_v for row in rows],
        )
    )


def _rows(**given: list[int]) -> KnsbListColumns:
    columns: dict[str, Any] = {name: np.array(values, dtype=np.int64) for name, values in given.items()}
    nothing = np.zeros(len(given["player"]), dtype=np.int64)
    arrays = [field.name for field in fields(KnsbListColumns) if field.name != "lists"]
    return KnsbListColumns(**{name: columns.get(name, nothing) for name in arrays}, lists=("",))


def check_rows(
    rules: KnsbRules,
    before: Mapping[int, PlayerStart],
    rows: Sequence[Any],
    changes: Mapping[int, Sequence[Any]],
) -> Iterator[RowDifference]:
    """What does not follow of stored rows: games, R_tt and the rating from R_i, R_tt, LPR, bonus and minimum (art. 9).

    Who has a row depends on memberships, which rows do not show.
    """
    bits = {article: 1 << place for place, article in enumerate(LIMITS)}
    for row in rows:
        start, own = before.get(row.player_id, PlayerStart()), changes.get(row.player_id, ())
        games, added = sum(change.games for change in own), sum(change.added_e10 for change in own)
        r_i, lpr = (row.r_i, row.lpr_e3) if own else (start.rating, 0)
        figure, limit = (
            int(found[0])
            for found in limited_figures(rules, *(np.array([number]) for number in (r_i, added, lpr or 0)))
        )
        if row.bonus_e4:
            figure, limit = figure + row.bonus_e4 * (E10 // E4), limit + BY_BONUS
            if abs(figure - rules.bonus_rating * E10) < E10 // E4:  # the points were cut, and rounded
                figure = rules.bonus_rating * E10
        rating = int(published(np.array(figure)))
        least = (rules.least_rating, rules.least_youth_rapid_rating)
        if figure < max(least) * E10 and row.rating in least and row.rating * E10 > figure:
            rating, limit = row.rating, limit + BY_LEAST
        for column, found, expected in (
            ("period_games", row.period_games, games),
            ("games", row.games, start.games + games),
            ("r_i", row.r_i, r_i),
            ("sum_e10", row.sum_e10, added if own else None),
            ("rating", row.rating, rating),
            ("limited_by", row.limited_by, " ".join(name for name, bit in bits.items() if limit & bit)),
        ):
            if found != expected:
                yield RowDifference(row.player_id, column, found, expected)
