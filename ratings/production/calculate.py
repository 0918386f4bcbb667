"""Calculate a frozen period: inputs, engine, a new list with its own partition, all in one transaction."""

import logging
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.db import connection, transaction
from django.db.models.functions import Now

from ratings.inputs.calculation_inputs import inputs_of_period
from ratings.models import (
    CalculationRun,
    CarriedCorrection,
    CarriedDifference,
    Correction,
    Period,
    RatingList,
)
from ratings.production.find_anomalies import find_anomalies
from ratings.production.write_list import write_list, write_register_rows
from ratings.publishing.list_files import write_files
from ratings.publishing.list_norms import list_norms
from ratings.publishing.published_files import signed_file
from ratings.publishing.verification.verify_calculation import recomputed_differences
from ratings.rules.lifecycle import LIST_LIFECYCLE, ListMove
from ratings.rules.values import CorrectionDifference
from ratings.worker.progress import Progress
from reporting.log.audit import Actor, record
from reporting.models.locks import hold_names_lock, release
from reporting.refusals.domain_error import DomainError
from reporting.rules.lifecycle import move

logger = logging.getLogger(__name__)

RUN_LOCK = 9_091_005
# A run fails for good after so many attempts: it may be what kills the worker.
MAX_ATTEMPTS = 5


def calculate_period(*, run: CalculationRun, wait: bool = False) -> RatingList:
    """Carry out a requested run; the list of a run already done is returned.

    One transaction, REPEATABLE READ, over the frozen manifest: if it is killed, nothing of it is stored. An error is
    stored with the run, which stays requested until its attempts are used up. Only one process at a time works on a
    run: with `wait` this one waits for the other to end and returns its list, else it raises DomainError `busy`. An
    erasure of a name waits for the end, and so erases it on this list too.
    Raises DomainError `calculation_failed` for a run that failed for good. Must not be called inside a transaction.
    """
    with _exclusive(run, wait=wait), hold_names_lock():
        if not _begin_attempt(run):
            raise DomainError("calculation_failed", attempts=MAX_ATTEMPTS)
        try:
            with transaction.atomic(durable=True):
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                return _calculate(CalculationRun.objects.select_related("period__pool").get(pk=run.pk))
        except Exception as error:
            _store_error(run, error)
            raise


@transaction.atomic
def _begin_attempt(run: CalculationRun) -> bool:
    """Count the attempt before the work, so that a run that kills its worker counts too."""
    run = CalculationRun.objects.select_for_update(of=("self",)).select_related("period__pool").get(pk=run.pk)
    if run.state == CalculationRun.State.REQUESTED:
        if run.attempts >= MAX_ATTEMPTS:
            _fail(run)
        else:
            run.attempts += 1
            run.save(update_fields=["attempts"])
    return run.state != CalculationRun.State.FAILED


def _store_error(run: CalculationRun, error: Exception) -> None:
    """After the rollback, in its own transaction. A refusal is final: a retry would not help."""
    try:
        if not connection.is_usable():
            connection.close()
        with transaction.atomic():
            run = (
                CalculationRun.objects.select_for_update(of=("self",))
                .select_related("period__pool")
                .get(pk=run.pk)
            )
            if isinstance(error, DomainError):
                run.error, run.refusal = "", {"key": error.key, "values": error.values}
            else:
                run.error, run.refusal = f"{type(error).__name__}: {error}"[:2000], {}
            run.save(update_fields=["error", "refusal"])
            if run.attempts >= MAX_ATTEMPTS or isinstance(error, DomainError):
                _fail(run)
    except Exception:
        logger.exception("the error of a calculation was not stored", extra={"run": run.pk})


def _fail(run: CalculationRun) -> None:
    run.state = CalculationRun.State.FAILED
    run.finished_at = Now()
    run.save(update_fields=["state", "finished_at"])
    record(
        by=Actor(run.requested_by, by_command=run.by_command),
        action="calculation.fail",
        subject=f"period {run.period.pool} {run.period.in_force}",
        before={"state": CalculationRun.State.REQUESTED},
        after={"state": run.state, "run": run.pk, "attempts": run.attempts},
        reason=run.error or run.refusal.get("key") or "worker.stopped",
    )
    logger.error("calculation failed", extra={"run": run.pk, "attempts": run.attempts})


@contextmanager
def _exclusive(run: CalculationRun, *, wait: bool) -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [RUN_LOCK, run.pk])
        (alone,) = cursor.fetchone()
        if not alone and wait:
            # Outside any transaction, so that the next snapshot sees the work of the other process.
            cursor.execute("SET lock_timeout = 0")
            cursor.execute("SELECT pg_advisory_lock(%s, %s)", [RUN_LOCK, run.pk])
            cursor.execute("RESET lock_timeout")
            alone = True
    if not alone:
        raise DomainError("busy.calculation")
    try:
        yield
    finally:
        release("SELECT pg_advisory_unlock(%s, %s)", RUN_LOCK, run.pk)


def _calculate(run: CalculationRun) -> RatingList:
    if run.list is not None:
        return run.list
    period, correction = run.period, run.correction
    if period.state != (Period.State.CORRECTING if correction else Period.State.FROZEN):
        raise DomainError("wrong_state.calculate")
    progress = Progress(run)
    progress.begin("read")
    inputs = inputs_of_period(period, correction)
    engine_input = period.pool.rating_system.read_input(inputs)
    progress.end(engine_input.player_count + engine_input.game_count)
    progress.begin("calculate", of=engine_input.player_count)
    calculation = engine_input.calculate()
    progress.end(engine_input.player_count)
    _supersede_draft(period)
    rating_list = RatingList.objects.create(
        pool=period.pool,
        system=period.pool.system,
        period=period,
        in_force=period.in_force,
        closing=period.closing,
        revision=correction.replaces.revision + 1 if correction else 1,
        correction=correction,
        input_lists=[used.pk for used in inputs.lists],
        other_lists=[used.pk for used in inputs.other_lists],
        source_lists=[used.pk for used in inputs.sources],
        membership_table=inputs.memberships,
        merges=[merge.pk for merge in inputs.merges],
        decisions=list(inputs.decisions or ()),
        edition=engine_input.rules.id,
        tournaments=engine_input.tournament_count,
        games=engine_input.played_game_count,
        previous=inputs.previous,
        previous_sha256=inputs.previous.sha256,
        by_command=run.by_command,
    )
    write_register_rows(rating_list, inputs)
    write_list(rating_list, calculation, progress=progress, input_digest=lambda: inputs.digest(engine_input))
    _write_carried(rating_list, inputs.carried, engine_input.differences)
    find_anomalies(rating_list, calculation)
    progress.begin("norms")
    norms = list_norms().search(rating_list, inputs)
    progress.end(norms)
    if norms:
        _seal_norms(rating_list)
    progress.begin("files")
    progress.end(write_files(rating_list))
    progress.begin("check", of=len(calculation.rows))
    _refuse_other_figures(rating_list)
    progress.end(len(calculation.rows))
    progress.finish()
    run.list = rating_list
    run.state = CalculationRun.State.DONE
    run.stages = progress.stages
    run.error, run.refusal = "", {}
    run.finished_at = Now()
    run.save()
    record(
        by=Actor(run.requested_by, by_command=run.by_command),
        action="list.calculate",
        subject=f"list {rating_list.address}",
        after={"run": run.pk, "sha256": rating_list.sha256, "input_sha256": rating_list.input_sha256},
    )
    return rating_list


def _refuse_other_figures(rating_list: RatingList) -> None:
    """No draft is made whose files tell the program for readers anything else (decision 0093).

    Raises DomainError `recalculation_differs`; the technical log has all differences.
    """
    differences = recomputed_differences(rating_list)
    if differences:
        logger.error("recalculation differs", extra={"list": rating_list.address, "differences": differences})
        raise DomainError("recalculation_differs", count=len(differences), first=differences[0])


def _seal_norms(rating_list: RatingList) -> None:
    """A draft with norms waits for the worker in a state of its own; decisions copied to it are in its digest."""
    content = list_norms().file(rating_list)
    if content:
        rating_list.sha256 = signed_file(rating_list, content).sha256
        rating_list.save(update_fields=["sha256"])
    rating_list.state = move(LIST_LIFECYCLE, rating_list.state, ListMove.SEARCH_NORMS)
    rating_list.save(update_fields=["state"])


def _write_carried(
    rating_list: RatingList, corrections: Sequence[Correction], differences: Sequence[CorrectionDifference]
) -> None:
    CarriedCorrection.objects.bulk_create(
        CarriedCorrection(list=rating_list, correction=correction) for correction in corrections
    )
    sums: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0])
    for difference in differences:
        sums[difference.player][0] += difference.rating
        sums[difference.player][1] += difference.games
    CarriedDifference.objects.bulk_create(
        CarriedDifference(list=rating_list, player_id=player, rating=rating, games=games)
        for player, (rating, games) in sorted(sums.items())
    )


def _supersede_draft(period: Period) -> None:
    """Supersede the previous draft, if any: it is never changed or emptied, and dropped at night."""
    drafts = RatingList.objects.select_for_update().filter(period=period)
    for draft in drafts.exclude(state__in=[RatingList.State.PUBLISHED, RatingList.State.SUPERSEDED]):
        draft.state = move(LIST_LIFECYCLE, draft.state, ListMove.SUPERSEDE)
        draft.save(update_fields=["state"])
