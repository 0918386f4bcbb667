"""Import an opening list: the ratings a pool starts from, from a table."""

from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
from django.db import transaction
from django.utils import timezone

from ratings.models import Pool, RatingList
from ratings.policies import check_can_import_list, check_can_publish
from ratings.production.approve_list import approve_list, open_for_approval
from ratings.production.publish_list import publish_list
from ratings.production.write_list import write_list
from ratings.systems.days import day_number
from ratings.systems.fmjd.columns import ChangeColumns, RatedColumns
from ratings.systems.fmjd.engine import arrange
from ratings.systems.fmjd.parameters import edition_in_force
from ratings.worker.progress import Progress
from reporting.errors import DomainError
from reporting.formats.csv_table import WHOLE_NUMBER, TableFindings, TableRow, read_table
from reporting.log.audit import Actor, record
from reporting.models import Player
from reporting.register.services.import_register import MAX_FMJD_ID

REQUIRED = ("fmjd_id", "rating", "games")
OPTIONAL = ("reached_2300", "last_game", "games_3_years")
ALIASES = {"id": "fmjd_id"}
NO_DIGEST = "0" * 64
FARTHEST = timedelta(days=366)


@dataclass(frozen=True)
class _Line:
    fmjd_id: int
    rating: int
    games: int
    reached_2300: bool
    last_game: date
    games_3_years: int


def import_list(*, content: bytes, pool: Pool, in_force: date, by: Actor, releaser: Actor) -> RatingList:
    """Publish the opening list of a pool that has none, approved by `by` and published by `releaser`.

    Where empty, `last_game` is the day before `in_force` and `games_3_years` is `games`; `reached_2300` follows
    from the rating. Raises DomainError `list_refused` with all findings, `pool_has_lists`, `too_far_ahead`,
    `same_person`, `forbidden`. All or nothing.
    """
    with transaction.atomic():
        rating_list = _make_opening_list(content, pool, in_force, by)
        rating_list = open_for_approval(rating_list=rating_list, by=by)
        rating_list = approve_list(rating_list=rating_list, sha256=rating_list.sha256, by=by)
        check_can_publish(releaser.user, rating_list)
        return publish_list(rating_list=rating_list, sha256=rating_list.sha256, by=releaser)


def _make_opening_list(content: bytes, pool: Pool, in_force: date, by: Actor) -> RatingList:
    check_can_import_list(by.user)
    if in_force > timezone.localdate() + FARTHEST:
        raise DomainError("too_far_ahead", in_force=in_force)
    pool = Pool.objects.select_for_update().get(pk=pool.pk)
    if RatingList.objects.filter(pool=pool).exclude(state=RatingList.State.SUPERSEDED).exists():
        raise DomainError("pool_has_lists", pool=str(pool))
    rows, findings = read_table(content, required=REQUIRED, optional=OPTIONAL, aliases=ALIASES)
    lines = [line for row in rows if (line := _read_line(row, in_force, findings)) is not None]
    numbers = {
        row.line: int(row.values["fmjd_id"]) for row in rows if WHOLE_NUMBER.match(row.values["fmjd_id"])
    }
    players = dict(Player.objects.filter(fmjd_id__in=numbers.values()).values_list("fmjd_id", "pk"))
    seen: set[int] = set()
    for place, number in numbers.items():
        if number not in players:
            findings.add("fmjd-id-unknown.list", line=place, field="fmjd_id", found=str(number))
        if number in seen:
            findings.add("id-repeated", line=place, field="fmjd_id", found=str(number))
        seen.add(number)
    if not rows and not findings.findings:
        findings.add("table-empty", line=1)
    if findings.findings:
        raise DomainError("list_refused", findings.in_order())

    lines.sort(key=lambda line: players[line.fmjd_id])
    parameters = edition_in_force(in_force)
    closing = in_force - timedelta(days=1)

    def column(values: list[int]) -> np.ndarray:
        return np.array(values, dtype=np.int64)

    ratings = column([line.rating for line in lines])
    rated = RatedColumns(
        player=column([players[line.fmjd_id] for line in lines]),
        rating=ratings,
        previous=np.zeros_like(ratings),
        change=np.zeros_like(ratings),
        period_games=np.zeros_like(ratings),
        games=column([line.games for line in lines]),
        games_3_years=column([line.games_3_years for line in lines]),
        last_game_day=column([day_number(line.last_game) for line in lines]),
        reached_2300=np.array([line.reached_2300 for line in lines], dtype=bool),
    )
    rating_list = RatingList.objects.create(
        pool=pool,
        in_force=in_force,
        closing=closing,
        revision=1,
        is_opening=True,
        edition=parameters.id,
        input_sha256=NO_DIGEST,
        by_command=by.by_command,
    )
    listed = arrange(parameters, day_number(closing), rated, column([line.fmjd_id for line in lines]))
    nothing = np.empty(0, dtype=np.int64)
    write_list(rating_list, listed, ChangeColumns.joined([]), nothing, nothing, progress=Progress(None))
    record(
        by=by,
        action="list.import_opening",
        subject=f"list {rating_list.address}",
        after={"players": len(lines), "sha256": rating_list.sha256},
    )
    return rating_list


def _read_line(row: TableRow, in_force: date, findings: TableFindings) -> _Line | None:
    for name in REQUIRED:
        if not row.values[name]:
            findings.add("value-missing", line=row.line, field=name)
    fmjd_id = findings.whole_number(row, "fmjd_id", 1, MAX_FMJD_ID)
    rating = findings.whole_number(row, "rating", 1, 4000)
    games = findings.whole_number(row, "games", 0, 100_000)
    games_3_years = findings.whole_number(row, "games_3_years", 0, 100_000)
    reached = row.values.get("reached_2300", "").lower()
    if reached not in ("", "0", "1", "yes", "no", "y", "n", "true", "false"):
        findings.add("value-unknown", line=row.line, field="reached_2300", found=reached, allowed="1, 0")
    last_game = findings.day(row, "last_game")
    if last_game is not None and last_game >= in_force:
        findings.add(
            "date-too-late",
            line=row.line,
            field="last_game",
            found=last_game.isoformat(),
            in_force=in_force.isoformat(),
        )
    if games_3_years is not None and games is not None and games_3_years > games:
        findings.add(
            "number-too-large",
            line=row.line,
            field="games_3_years",
            found=str(games_3_years),
            games=games,
        )
    if fmjd_id is None or rating is None or games is None:
        return None
    return _Line(
        fmjd_id,
        rating,
        games,
        reached in ("1", "yes", "y", "true") or rating >= edition_in_force(in_force).k_reached_rating,
        last_game or in_force - timedelta(days=1),
        games if games_3_years is None else games_3_years,
    )
