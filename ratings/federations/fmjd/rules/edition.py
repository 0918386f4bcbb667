"""Annex 9 as the rest of the application asks for it: editions, calendar and a calculated list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import date, timedelta
from typing import Any

import numpy as np

from ratings.federations.fmjd.rules import calendar
from ratings.federations.fmjd.rules.anomalies import few_games, jumps
from ratings.federations.fmjd.rules.columns import (
    RatedColumns,
    StoredChangeColumns,
)
from ratings.federations.fmjd.rules.development import development_percentage, tempo
from ratings.federations.fmjd.rules.engine import FmjdListColumns, arrange
from ratings.federations.fmjd.rules.parameters import EDITIONS, Parameters, edition_in_force
from ratings.federations.fmjd.rules.tables import E4, round_half_away
from ratings.rules.columns import NO_DAY, Integers
from ratings.rules.days import CalendarPeriod, day_number
from ratings.rules.derived_lists import DerivedList, FederationColumns
from ratings.rules.values import FoundAnomaly, OpeningLine
from reporting.rules.regulations.editions import edition_on


@dataclass(frozen=True, slots=True)
class FmjdRules:
    """One edition of Annex 9."""

    parameters: Parameters

    @property
    def id(self) -> str:
        return self.parameters.id

    @property
    def source(self) -> str:
        return self.parameters.source

    @property
    def in_force_from(self) -> date:
        return self.parameters.in_force_from

    @property
    def numbers(self) -> dict[str, object]:
        """Those of the lists, with the days of reports beside the days to the freeze (R11)."""
        reports = edition_on(self.in_force_from, rating_system="fmjd")
        days = {
            "report_days": reports.report_days,
            "freeze_days": self.freeze_days,
            "announcement_days": reports.announcement_days,
        }
        return {
            name: value
            for field in fields(self.parameters)
            for name, value in (
                days.items() if field.name in days else [(field.name, getattr(self.parameters, field.name))]
            )
        }

    @property
    def freeze_days(self) -> int:
        return self.parameters.freeze_days

    @property
    def derived_lists(self) -> Sequence[DerivedList]:
        return self.parameters.derived_lists

    @property
    def rating_goal(self) -> int:
        return self.parameters.k_reached_rating

    @property
    def federation_ranking_size(self) -> int:
        return self.parameters.federation_ranking_size

    def tempo(self, seconds: int | None) -> str:
        """Classical or rapid-blitz, by the seconds for the first 60 moves (art. 1.2.2.2, R6)."""
        return tempo(self.parameters, _of_the_clock(seconds))

    def weight_percentage(self, seconds: int | None) -> int:
        """The development percentage, which multiplies K (art. 1.2.2, 3.2.3; R6)."""
        return int(development_percentage(self.parameters, _of_the_clock(seconds)))

    def basis_of(self, lists_in_force: Sequence[date], first_round: date) -> int:
        """The list in force on the day of the first round (art. 5.2, R8)."""
        return calendar.basis_of(lists_in_force, first_round)

    def rank_federations(self, federation: Integers, rating: Integers) -> FederationColumns:
        """Federations by the mean of their best players (Annex 12 art. 4e, Annex 17 art. 4f; R13)."""
        return federation_ranking(self.parameters, federation, rating)


RULES = tuple(FmjdRules(edition) for edition in EDITIONS)
"""All editions held, the oldest first."""


class FmjdCalendar:
    """The four closing dates of the year, by the edition in force (art. 4.4, 6.2; R10)."""

    def period_of(self, day: date) -> CalendarPeriod:
        return calendar.period_of(edition_in_force(day), day)

    def next_period(self, period: CalendarPeriod) -> CalendarPeriod:
        return calendar.next_period(edition_in_force(period.in_force), period)

    def previous_period(self, period: CalendarPeriod) -> CalendarPeriod:
        return calendar.previous_period(edition_in_force(period.in_force), period)


@dataclass(frozen=True, eq=False)
class FmjdCalculation:
    """A list calculated by Annex 9."""

    parameters: Parameters
    changes: StoredChangeColumns
    rows: FmjdListColumns
    held: None = None

    def anomalies(self) -> Iterator[FoundAnomaly]:
        """Large jumps, then players from 2351 on with few games (art. 6a, R13)."""
        # A session has a change for each time control (R25): the first one is enough to count tournaments.
        player, tournament = self.changes.player, self.changes.tournament
        begins = (np.diff(player, prepend=0) != 0) | (np.diff(tournament, prepend=0) != 0)
        jumped = jumps(self.parameters, self.changes.rows(np.flatnonzero(begins)), self.rows)
        few = few_games(self.parameters, self.rows)
        for player, before, after, games, tournaments in zip(
            jumped.player.tolist(), jumped.before.tolist(), jumped.after.tolist(), jumped.games.tolist(),
            jumped.tournaments.tolist(), strict=True,
        ):  # fmt: skip
            figures = {"before": before, "after": after, "games": games, "tournaments": tournaments}
            yield FoundAnomaly("jump", player, figures)
        for player, rating, games in zip(
            few.player.tolist(), few.rating.tolist(), few.games_3_years.tolist(), strict=True
        ):
            figures = {"rating": rating, "games_3_years": games, "asked": self.parameters.active_games}
            yield FoundAnomaly("few_games", player, figures)


def federation_ranking(parameters: Parameters, federation: Integers, rating: Integers) -> FederationColumns:
    """Federations by the mean of their ten best (Annex 12 art. 4e, Annex 17 art. 4f; R13).

    One number and rating a player of the official list, in any order; for the women's ranking the women
    of it only. ``federation`` is any whole number that means a federation.

    No formula is printed, so the number of players is a parameter. A federation with fewer players on the
    official list has no rank, since the mean of its best few would set it above full teams; it is
    after those with one. Equal means share a rank. Order: rank, then mean falling, then number.
    """
    size = parameters.federation_ranking_size
    order = np.lexsort((-rating, federation))
    federation, rating = federation[order], rating[order].astype(np.int64)
    starts = np.flatnonzero(np.diff(federation, prepend=federation[:1] - 1))
    if not starts.size:
        return FederationColumns.joined([])
    lengths = np.diff(starts, append=federation.size)
    best = np.arange(federation.size) - np.repeat(starts, lengths) < size
    players = np.minimum(lengths, size)
    total = np.add.reduceat(np.where(best, rating, 0), starts)
    mean = round_half_away(total * E4, players)
    full = players == size
    order = np.lexsort((federation[starts], -mean, ~full))
    falling = -np.where(full, total, 0)[order]
    rank = np.where(full[order], np.searchsorted(falling[: full.sum()], falling, side="left") + 1, 0)
    return FederationColumns(
        rank=rank,
        federation=federation[starts][order],
        players=players[order],
        total=total[order],
        mean_e4=mean[order],
    )


def opening_list(rules: FmjdRules, in_force: date, lines: Sequence[OpeningLine]) -> FmjdCalculation:
    """Where the file has none, `games_3_years` is `games`, and `reached_2300` follows from the rating (U4)."""
    limit = rules.parameters.k_reached_rating
    recent = [line.more["games_3_years"] for line in lines]
    ratings = _column(line.rating for line in lines)
    rated = RatedColumns(
        player=_column(line.player for line in lines),
        rating=ratings,
        previous=np.zeros_like(ratings),
        change=np.zeros_like(ratings),
        period_games=np.zeros_like(ratings),
        games=_column(line.games for line in lines),
        games_3_years=_column(
            line.games if games is None else games for line, games in zip(lines, recent, strict=True)
        ),
        last_game_day=_column(day_number(line.last_game) for line in lines),
        reached_2300=np.array(
            [bool(line.more["reached_2300"]) or line.rating >= limit for line in lines], dtype=bool
        ),
    )
    numbers = _column(line.register_number for line in lines)
    closing = in_force - timedelta(days=1)
    rows = arrange(rules.parameters, day_number(closing), rated, numbers)
    return FmjdCalculation(rules.parameters, StoredChangeColumns.joined([]), rows)


def arranged(rules: FmjdRules, closing: date, rows: Sequence[Any]) -> FmjdListColumns:
    """Stored rows in the order of the list again."""
    zeros = np.zeros(len(rows), dtype=np.int64)
    rated = RatedColumns(
        player=_column(row.player_id for row in rows),
        rating=_column(row.rating for row in rows),
        previous=zeros,
        change=zeros,
        period_games=_column(row.period_games for row in rows),
        games=_column(row.games for row in rows),
        games_3_years=_column(row.games_3_years for row in rows),
        last_game_day=_column(day_number(row.last_game) if row.last_game else NO_DAY for row in rows),
        reached_2300=np.array([row.reached_2300 for row in rows], dtype=bool),
    )
    numbers = _column(row.register_number for row in rows)
    return arrange(rules.parameters, day_number(closing), rated, numbers)


def _of_the_clock(seconds: int | None) -> int:
    """The seconds of a tournament's time control, which reports of the FMJD must have (art. 4.1.1d)."""
    assert seconds is not None  # noqa: S101 (the checks of a report ask for it)
    return seconds


def _column(values: Any) -> Integers:
    return np.fromiter(values, dtype=np.int64)
