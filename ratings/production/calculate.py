"""Calculate a frozen period: facts, engine, a new list with its own partition, all in one transaction."""

import logging
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.db import DatabaseError, connection, transaction
from django.db.models.functions import Now

from ratings.inputs.calculation_inputs import CorrectionDifference, inputs_of_period
from ratings.inputs.engine_input import calculate_ratings, read_engine_input
from ratings.models import (
    CalculationRun,
    CarriedCorrection,
    CarriedDifference,
    Correction,
    Period,
    RatingList,
)
from ratings.production.find_anomalies import find_anomalies
from ratings.production.write_list import write_list
from ratings.rules.lifecycle import LIST_LIFECYCLE, ListMove, move
from ratings.worker.progress import Progress
from reporting.errors import DomainError
from reporting.log.audit import Actor, record

logger = logging.getLogger(__name__)

RUN_LOCK = 9_091_005
# A run tried so often without an end is given up: it may be what kills the worker.
MAX_ATTEMPTS = 5


def calculate_period(*, run: CalculationRun, wait: bool = False) -> RatingList:
    """Carry a requested run out; the list of a run already done is returned.

    One transaction, REPEATABLE READ, over the frozen manifest: killed anywhere, nothing of it is there. What goes
    wrong is noted on the run, which stays requested until its attempts are used up. Only one process at a time
    works on a run: with `wait` this one waits for the other to end and returns its list, else it raises DomainError
    `busy`. Raises DomainError `calculation_failed` for a run that was given up. Must not be called inside a
    transaction.
    """
    with _alone_with(run, wait=wait):
        if not _counted_attempt(run):
            raise DomainError("calculation_failed", attempts=MAX_ATTEMPTS)
        try:
            with transaction.atomic(durable=True):
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                return _calculate(
                    CalculationRun.objects.select_related("period__pool", "correction__replaces", "list").get(
                        pk=run.pk
                    )
                )
        except Exception as error:
            _note_error(run, error)
            raise


@transaction.atomic
def _counted_attempt(run: CalculationRun) -> bool:
    """Counted before the work, so that a run that kills its worker is seen to have been tried."""
    run = CalculationRun.objects.select_for_update(of=("self",)).select_related("period__pool").get(pk=run.pk)
    if run.state == CalculationRun.State.REQUESTED:
        if run.attempts >= MAX_ATTEMPTS:
            _give_up(run)
        else:
            run.attempts += 1
            run.save(update_fields=["attempts"])
    return run.state != CalculationRun.State.FAILED


def _note_error(run: CalculationRun, error: Exception) -> None:
    """After the rollback, in a transaction of its own. A refusal is final: trying again would not help."""
    try:
        if not connection.is_usable():
            connection.close()
        with transaction.atomic():
            run = (
                CalculationRun.objects.select_for_update(of=("self",))
                .select_related("period__pool")
                .get(pk=run.pk)
            )
            run.error = f"{type(error).__name__}: {error}"[:2000]
            run.save(update_fields=["error"])
            if run.attempts >= MAX_ATTEMPTS or isinstance(error, DomainError):
                _give_up(run)
    except Exception:
        logger.exception("the error of a calculation was not noted", extra={"run": run.pk})


def _give_up(run: CalculationRun) -> None:
    last_words = run.error or "it ended each time without a word, as a killed worker does."
    run.state = CalculationRun.State.FAILED
    run.error = f"Given up after {run.attempts} attempts: {last_words}"
    run.finished_at = Now()
    run.save(update_fields=["state", "error", "finished_at"])
    record(
        by=Actor(run.requested_by, by_command=run.by_command),
        action="calculation.fail",
        subject=f"period {run.period.pool} {run.period.in_force}",
        before={"state": CalculationRun.State.REQUESTED},
        after={"state": run.state, "run": run.pk, "attempts": run.attempts},
        reason=run.error,
    )
    logger.error("calculation given up", extra={"run": run.pk, "attempts": run.attempts})


@contextmanager
def _alone_with(run: CalculationRun, *, wait: bool) -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [RUN_LOCK, run.pk])
        (alone,) = cursor.fetchone()
        if not alone and wait:
            # Outside any transaction: the snapshot of the one to come is younger than the other's work.
            cursor.execute("SET lock_timeout = 0")
            cursor.execute("SELECT pg_advisory_lock(%s, %s)", [RUN_LOCK, run.pk])
            cursor.execute("RESET lock_timeout")
            alone = True
    if not alone:
        raise DomainError("busy.calculation")
    try:
        yield
    finally:
        # The lock belongs to the session: where it can't be given back, the end of the connection frees it.
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [RUN_LOCK, run.pk])
        except DatabaseError:
            connection.close()


def _calculate(run: CalculationRun) -> RatingList:
    if run.list is not None:
        return run.list
    period, correction = run.period, run.correction
    if period.state != (Period.State.CORRECTING if correction else Period.State.FROZEN):
        raise DomainError("wrong_state.calculate")
    progress = Progress(run)
    progress.begin("read")
    sources = inputs_of_period(period, correction)
    facts = read_engine_input(sources)
    input_digest = facts.digest()
    progress.add_rows(len(facts.players) + len(facts.games))
    progress.end()
    progress.begin("calculate", of=len(facts.players))
    changes, rows = calculate_ratings(facts)
    progress.add_rows(len(facts.players))
    progress.end()
    _supersede_draft(period)
    rating_list = RatingList.objects.create(
        pool=period.pool,
        period=period,
        in_force=period.in_force,
        closing=period.closing,
        revision=correction.replaces.revision + 1 if correction else 1,
        correction=correction,
        input_lists=[each.pk for each in sources.lists],
        merges=[each.pk for each in sources.merges],
        edition=facts.parameters.id,
        tournaments=len(facts.events),
        games=int(facts.games.played.sum()),
        input_sha256=input_digest,
        previous=sources.previous,
        previous_sha256=sources.previous.sha256,
        by_command=run.by_command,
    )
    write_list(
        rating_list,
        rows,
        changes,
        facts.events.tournament[changes.event],
        facts.events.basis[changes.event],
        progress=progress,
    )
    _write_carried(rating_list, sources.carried, facts.differences)
    find_anomalies(rating_list, facts.parameters, changes, rows)
    run.list = rating_list
    run.state = CalculationRun.State.DONE
    run.stages = progress.stages
    run.error = ""
    run.finished_at = Now()
    run.save()
    record(
        by=Actor(run.requested_by, by_command=run.by_command),
        action="list.calculate",
        subject=f"list {rating_list.address}",
        after={"run": run.pk, "sha256": rating_list.sha256, "input_sha256": input_digest},
    )
    return rating_list


def _write_carried(
    rating_list: RatingList, corrections: Sequence[Correction], differences: Sequence[CorrectionDifference]
) -> None:
    CarriedCorrection.objects.bulk_create(
        CarriedCorrection(list=rating_list, correction=correction) for correction in corrections
    )
    sums: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0])
    for each in differences:
        sums[each.player][0] += each.rating
        sums[each.player][1] += each.games
    CarriedDifference.objects.bulk_create(
        CarriedDifference(list=rating_list, player_id=player, rating=rating, games=games)
        for player, (rating, games) in sorted(sums.items())
    )


def _supersede_draft(period: Period) -> None:
    """The draft before, if there is one, gives way: never changed, never emptied, dropped at night."""
    drafts = RatingList.objects.select_for_update().filter(period=period)
    for draft in drafts.exclude(state__in=[RatingList.State.PUBLISHED, RatingList.State.SUPERSEDED]):
        draft.state = move(LIST_LIFECYCLE, draft.state, ListMove.SUPERSEDE)
        draft.save(update_fields=["state"])
