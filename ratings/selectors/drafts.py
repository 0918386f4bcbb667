"""What the office reads of its periods and drafts: whose turn it is, figures against another list, differences."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Any

import numpy as np
from django.db import connection
from django.db.models import Prefetch
from psycopg import sql

from ratings.facts import read_columns
from ratings.models import (
    Anomaly,
    AnomalyAnswer,
    CalculationRun,
    Correction,
    Period,
    PeriodReport,
    Pool,
    RatingList,
)
from ratings.rules.fmjd.columns import Integers, ListColumns
from ratings.rules.lifecycle import LIST_TURN, PERIOD_TURN
from reporting.models import Player, Role, User

PAGE_ROWS = 100
MOVERS = 12
NEWCOMERS = 12
SETTLED = (RatingList.State.PUBLISHED, RatingList.State.SUPERSEDED)

# --- whose turn it is

LIST_WORDS: Mapping[str, str] = {
    RatingList.State.CALCULATED: "Calculated",
    RatingList.State.NORMS_SEARCHED: "Norms searched",
    RatingList.State.READY: "Waiting for approval",
}


@dataclass(frozen=True)
class Standing:
    """Where a period stands: its draft and its last calculation if there are any, and its published list.

    `held_by` is an earlier period of the pool whose list is being corrected while this one waits for its calculation.
    """

    period: Period
    draft: RatingList | None = None
    run: CalculationRun | None = None
    published: RatingList | None = None
    held_by: Period | None = None

    @property
    def calculating(self) -> bool:
        """Whether a calculation was asked for and has neither a list nor an end."""
        return self.run is not None and self.run.state == CalculationRun.State.REQUESTED

    @property
    def failed(self) -> bool:
        return (
            self.run is not None
            and self.run.state == CalculationRun.State.FAILED
            and self.period.state in {Period.State.FROZEN, Period.State.CORRECTING}
        )

    @property
    def waits_for_worker(self) -> bool:
        return self.calculating or (
            self.draft is not None
            and self.draft.state in {RatingList.State.CALCULATED, RatingList.State.NORMS_SEARCHED}
        )

    @property
    def _words(self) -> tuple[str, str, str, datetime | None]:
        """The state in words, its tone, whose turn it is, and since when."""
        period, draft, run = self.period, self.draft, self.run
        turn = PERIOD_TURN[period.state]
        words: tuple[str, str, str, datetime | None]
        if period.state == Period.State.OPEN:
            words = "Open", "", turn, period.played_since
        elif period.state == Period.State.PUBLISHED:
            words = "Published", "good", turn, self.published.published_at if self.published else None
        elif run is not None and self.calculating:
            words = "Being calculated", "stamp", "the worker", run.requested_at
        elif run is not None and self.failed:
            words = "Calculation failed", "bad", "a rating officer", run.finished_at
        elif draft is None and self.held_by is not None:
            words = "Frozen", "warn", "whoever corrects the earlier list", period.frozen_at
        elif draft is None:
            words = "Frozen", "warn", "a rating officer", period.frozen_at
        elif draft.state == RatingList.State.APPROVED:
            words = "Waiting for release", "stamp", LIST_TURN[draft.state], draft.approved_at
        else:
            words = LIST_WORDS[draft.state], "stamp", LIST_TURN[draft.state], draft.calculated_at
        return words

    @property
    def state(self) -> str:
        return self._words[0]

    @property
    def tone(self) -> str:
        return self._words[1]

    @property
    def turn(self) -> str:
        return self._words[2]

    @property
    def since(self) -> datetime | None:
        return self._words[3]


def standings_of(periods: Sequence[Period]) -> list[Standing]:
    """Where each of these periods stands. 2 queries, 1 more where one is frozen and nothing of it is calculated."""
    lists = (
        RatingList.objects.filter(period__in=periods)
        .exclude(state=RatingList.State.SUPERSEDED)
        .select_related("pool", "previous", "correction__replaces", "approved_by", "released_by")
        .order_by("revision", "pk")
    )
    drafts: dict[int | None, RatingList] = {}
    published: dict[int | None, RatingList] = {}
    for each in lists:
        (published if each.state == RatingList.State.PUBLISHED else drafts)[each.period_id] = each
    runs = (
        CalculationRun.objects.filter(period__in=periods)
        .select_related("requested_by")
        .order_by("period", "-pk")
        .distinct("period")
    )
    newest = {run.period_id: run for run in runs}
    waiting = [
        each
        for each in periods
        if each.state == Period.State.FROZEN and each.pk not in drafts and each.pk not in newest
    ]
    corrected = {
        each.pool_id: each
        for each in Period.objects.filter(
            pool__in=[each.pool_id for each in waiting], state=Period.State.CORRECTING
        )
    }
    return [
        Standing(
            each,
            drafts.get(each.pk),
            newest.get(each.pk),
            published.get(each.pk),
            corrected.get(each.pool_id) if each in waiting else None,
        )
        for each in periods
    ]


@dataclass(frozen=True)
class PoolDesk:
    """A pool with the periods the office has in hand, and the last one it published."""

    pool: Pool
    in_hand: Sequence[Standing]
    last: Standing | None
    opening: RatingList | None

    @property
    def has_list(self) -> bool:
        return self.opening is not None or self.last is not None


def desks() -> list[PoolDesk]:
    """Every pool with what is to be done in it. 5 queries."""
    pools = list(Pool.objects.order_by("federation", "discipline", "tempo", "pk"))
    opened = Period.objects.exclude(state=Period.State.PUBLISHED).order_by("in_force")
    last = Period.objects.filter(state=Period.State.PUBLISHED).order_by("pool", "-in_force").distinct("pool")
    opening = RatingList.objects.filter(is_opening=True, state=RatingList.State.PUBLISHED).order_by(
        "in_force"
    )
    opening_of = {each.pool_id: each for each in opening}
    standings: dict[int, list[Standing]] = {pool.pk: [] for pool in pools}
    for standing in standings_of([*opened, *last]):
        standings[standing.period.pool_id].append(standing)
    return [
        PoolDesk(
            pool,
            [each for each in standings[pool.pk] if each.period.state != Period.State.PUBLISHED],
            next((each for each in standings[pool.pk] if each.period.state == Period.State.PUBLISHED), None),
            opening_of.get(pool.pk),
        )
        for pool in pools
    ]


def find_period(pool_code: str, in_force: date) -> Period:
    """The period of an address. 1 query. Raises `Period.DoesNotExist`."""
    return Period.objects.select_related("pool", "frozen_by").get(pool__code=pool_code, in_force=in_force)


def people_with(role: Role) -> list[User]:
    """Who holds a role and can log in, by name. 1 query."""
    return list(
        User.objects.filter(roles__contains=[role], is_active=True, acts_by_command=False).order_by(
            "name", "pk"
        )
    )


@dataclass(frozen=True)
class Question:
    """An anomaly with the words given to it, the newest first: that one holds."""

    anomaly: Anomaly
    answers: Sequence[AnomalyAnswer] = ()


def questions_of(rating_list: RatingList) -> list[Question]:
    """What a draft asks its officer: the open questions first, then in their order. 2 queries."""
    anomalies = (
        Anomaly.objects.filter(list=rating_list)
        .select_related("player", "report__tournament", "report__submitted_by")
        .prefetch_related(Prefetch("answers", AnomalyAnswer.objects.select_related("by").order_by("-pk")))
        .order_by("pk")
    )
    questions = [Question(each, list(each.answers.all())) for each in anomalies]
    return sorted(questions, key=lambda each: bool(each.answers))


def revisions_of(period: Period) -> list[RatingList]:
    """The published revisions of a period's list, newest first. 1 query."""
    return list(
        RatingList.objects.filter(period=period, state=RatingList.State.PUBLISHED)
        .select_related("approved_by", "released_by", "correction")
        .order_by("-revision")
    )


# --- figures against another list


@dataclass(frozen=True, eq=False)
class ComparedColumns:
    """The columns of a list that a comparison needs, rising by player; categories as the codes of their letters."""

    player: Integers
    rating: Integers
    category: Integers
    games: Integers

    @classmethod
    def of_columns(cls, rows: ListColumns) -> "ComparedColumns":
        order = np.argsort(rows.player)
        letters = rows.category.view(np.uint8).astype(np.int64)
        return cls(rows.player[order], rows.rating[order], letters[order], rows.period_games[order])

    @classmethod
    def of_list(cls, rating_list: RatingList) -> "ComparedColumns":
        """1 query."""
        return cls(
            *read_columns(
                sql.SQL(
                    "SELECT player_id, rating, ascii(category), period_games FROM ratings_ratinglistrow"
                    " WHERE list_id = {} ORDER BY player_id"
                ).format(sql.Literal(rating_list.pk)),
                4,
            )
        )


@dataclass(frozen=True)
class Mover:
    """A player whose rating differs, or who is new: `before` is None then."""

    player: Player
    before: int | None
    after: int
    games: int
    largest: int = 1

    @property
    def change(self) -> int:
        return self.after - (self.before or 0)

    @property
    def width(self) -> int:
        """Of the bar, at most 95 of the 100 units that each side has."""
        return max(round(95 * abs(self.change) / self.largest), 1)

    @property
    def start(self) -> int:
        """Where the bar begins: left of the middle for a loss."""
        return 100 if self.change > 0 else 100 - self.width


@dataclass(frozen=True)
class Comparison:
    """A list beside another one: what a person looks at before he signs."""

    players: int
    players_before: int
    up: int
    down: int
    unchanged: int
    new: int
    left: int
    mean_of_new: int | None
    sum_of_changes: int
    categories: Sequence[tuple[str, str, int]]
    movers: Sequence[Mover]
    newcomers: Sequence[Mover]

    @property
    def stayed(self) -> int:
        return self.up + self.down + self.unchanged

    @property
    def mean_change(self) -> str:
        """The sum of changes spread over those on both lists: `+0.03`; empty without anybody."""
        if not self.stayed:
            return ""
        return f"{self.sum_of_changes / self.stayed:+.2f}".replace("-", "−")


def compared(now: ComparedColumns, before: ComparedColumns) -> Comparison:
    """What is different between two lists, counted, with the largest changes and the best newcomers. 1 query."""
    both, place, place_before = np.intersect1d(
        now.player, before.player, assume_unique=True, return_indices=True
    )
    change = now.rating[place] - before.rating[place_before]
    largest_first = np.lexsort((both, -np.abs(change)))[:MOVERS]
    largest_first = largest_first[change[largest_first] != 0]
    movers = largest_first[np.argsort(-change[largest_first], kind="stable")]
    new = np.flatnonzero(~np.isin(now.player, before.player, assume_unique=True))
    newcomers = new[np.lexsort((now.player[new], -now.rating[new]))][:NEWCOMERS]
    people = Player.objects.in_bulk([*both[movers].tolist(), *now.player[newcomers].tolist()])
    largest = int(np.abs(change).max(initial=1))
    moved = Counter(
        (chr(old), chr(letter))
        for old, letter in zip(
            before.category[place_before].tolist(), now.category[place].tolist(), strict=True
        )
        if old != letter
    )
    return Comparison(
        players=now.player.size,
        players_before=before.player.size,
        up=int(np.count_nonzero(change > 0)),
        down=int(np.count_nonzero(change < 0)),
        unchanged=int(np.count_nonzero(change == 0)),
        new=new.size,
        left=before.player.size - both.size,
        mean_of_new=round(float(now.rating[new].mean())) if new.size else None,
        sum_of_changes=int(change.sum()),
        categories=[(old, letter, count) for (old, letter), count in sorted(moved.items())],
        movers=[
            Mover(
                people[int(both[each])],
                int(before.rating[place_before[each]]),
                int(now.rating[place[each]]),
                int(now.games[place[each]]),
                largest,
            )
            for each in movers
        ],
        newcomers=[
            Mover(people[int(now.player[each])], None, int(now.rating[each]), int(now.games[each]))
            for each in newcomers
        ],
    )


# --- the full difference, row by row

SHOWN = {
    "all": "TRUE",
    "up": "rating > rating_before",
    "down": "rating < rating_before",
    "new": "rating_before IS NULL",
    "left": "rating IS NULL",
    "category": "category <> category_before",
    "person": "(name, federation) <> (name_before, federation_before)",
}
"""The words of `?show=` and what they keep of the rows that differ."""

SORTS = {
    "change": "rating - rating_before",
    "name": "coalesce(sort_name, sort_name_before)",
    "federation": "coalesce(federation, federation_before)",
    "rating": "rating",
    "before": "rating_before",
    "games": "period_games",
}
"""The words of `?sort=`; with a minus in front, from the highest down. Who lacks the figure stands last."""

DIFFERENCES = """
SELECT *, count(*) OVER () AS total FROM (
    SELECT player_id, new.name, new.sort_name, new.federation, new.rating, new.category, new.games,
        new.period_games, coalesce(new.register_number, old.register_number) AS register_number,
        old.name AS name_before, old.sort_name AS sort_name_before, old.federation AS federation_before,
        old.rating AS rating_before, old.category AS category_before, old.games AS games_before
    FROM (SELECT * FROM ratings_ratinglistrow WHERE list_id = {new}) new
    FULL JOIN (SELECT * FROM ratings_ratinglistrow WHERE list_id = {old}) old USING (player_id)
    WHERE (new.rating, new.games, new.category, new.name, new.federation)
        IS DISTINCT FROM (old.rating, old.games, old.category, old.name, old.federation)
) differing WHERE {shown} ORDER BY {order} NULLS LAST, player_id LIMIT {rows} OFFSET {skipped}
"""


@dataclass(frozen=True)
class DifferencePage:
    """Rows of the full difference, and how many there are in all."""

    rows: Sequence[dict[str, Any]]
    total: int
    page: int

    @cached_property
    def pages(self) -> int:
        return max(-(-self.total // PAGE_ROWS), 1)


def differences(
    rating_list: RatingList, other: RatingList, *, show: str, sort: str, page: int
) -> DifferencePage:
    """A page of the players who stand differently on the two lists. 1 query.

    `show` is a word of SHOWN, `sort` one of SORTS with or without a minus. A page beyond the last has no rows and
    a total of 0.
    """
    order = SORTS[sort.removeprefix("-")] + (" DESC" if sort.startswith("-") else "")
    query = sql.SQL(DIFFERENCES).format(
        new=sql.Literal(rating_list.pk),
        old=sql.Literal(other.pk),
        shown=sql.SQL(SHOWN[show]),
        order=sql.SQL(order),
        rows=sql.Literal(PAGE_ROWS),
        skipped=sql.Literal((page - 1) * PAGE_ROWS),
    )
    with connection.cursor() as cursor:
        cursor.execute(query)
        names = [column.name for column in cursor.description]
        rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    for row in rows:
        known = row["rating"] is not None and row["rating_before"] is not None
        row["change"] = row["rating"] - row["rating_before"] if known else None
    return DifferencePage(rows, rows[0]["total"] if rows else 0, page)


# --- corrections


@dataclass(frozen=True)
class ManifestChange:
    """What a correction counts otherwise than the list it replaces."""

    left_out: Sequence[PeriodReport]
    taken_in: Sequence[PeriodReport]


def manifest_of(rating_list: RatingList) -> list[PeriodReport]:
    """The reports a list counts, by the tournaments' days. 1 query."""
    return list(
        PeriodReport.objects.filter(period=rating_list.period_id, correction=rating_list.correction_id)
        .select_related("tournament")
        .order_by("tournament__played_to", "tournament__number")
    )


def manifest_change(correction: Correction) -> ManifestChange:
    """What a correction leaves out and takes in. 2 queries."""
    replaced = correction.replaces
    lines = (
        PeriodReport.objects.filter(period=replaced.period_id, correction=correction)
        .select_related("tournament")
        .order_by("tournament__played_to", "tournament__number")
    )
    now, before = list(lines), manifest_of(replaced)
    return ManifestChange(_without(before, now), _without(now, before))


def _without(lines: Iterable[PeriodReport], others: Iterable[PeriodReport]) -> list[PeriodReport]:
    known: Collection[int] = {each.tournament_id for each in others}
    return [each for each in lines if each.tournament_id not in known]
