"""The steps of a publication: requested, calculated, approved, published by another person (R71c, U27)."""

import logging

from django.db import connection, transaction
from django.db.models import F
from django.db.models.functions import Now

from ratings.queries.lists import office_today
from ratings.worker import worker_signal
from ratings.worker.progress import Progress, Stage
from reporting.log.audit import Actor, record
from reporting.models import Player
from reporting.refusals.domain_error import DomainError
from reporting.rules import lifecycle
from titles.federations.fmjd.models import Publication, PublicationRow
from titles.federations.fmjd.world_cup.inputs import players_by_id
from titles.federations.fmjd.world_cup.publications.files import digest, figures_json
from titles.federations.fmjd.world_cup.publications.kinds import (
    PublicationKey,
    address_of,
    key_of,
    kind_of,
)
from titles.federations.fmjd.world_cup.publications.selectors import newest_published
from titles.policies import (
    check_can_approve_publication,
    check_can_prepare_publication,
    check_can_publish_publication,
    check_can_withdraw_publication,
)
from titles.rules.publication_lifecycle import PUBLICATION_LIFECYCLE, PublicationMove, PublicationState

logger = logging.getLogger(__name__)

MAX_ATTEMPTS = 5
"""After so many failed attempts the worker leaves a request alone; it may be what ends the worker."""
DRAFTS = (Publication.State.REQUESTED, Publication.State.DRAFT, Publication.State.APPROVED)


@transaction.atomic
def request_publication(
    *, key: PublicationKey, reason: str = "", by: Actor, wake_worker: bool = True
) -> Publication:
    """Request a draft; of what is published already, its next revision, with a reason. The worker calculates it.

    A draft under way is returned as it is, so that two officers make one. Raises DomainError `publication_day_ahead`
    for a day to come, `reason_missing` for a revision without a reason, `forbidden`.
    """
    check_can_prepare_publication(by.user)
    if key.day is not None and key.day > office_today():
        raise DomainError("publication_day_ahead", day=key.day)
    drafts = Publication.objects.filter(**key.columns(), state__in=DRAFTS)
    if (draft := drafts.first()) is not None:
        return draft
    # Read after the drafts: one that is published meanwhile is a draft of the first query or the newest of this one.
    newest = newest_published(key)
    if newest is not None and not reason.strip():
        raise DomainError("reason_missing")
    publication, is_new = drafts.get_or_create(
        defaults=key.columns()
        | {
            "revision": newest.revision + 1 if newest else 1,
            "reason": reason.strip() if newest else "",
            "requested_by": by.user,
        },
    )
    if is_new:
        record(
            by=by,
            action="publication.request",
            subject=f"publication {publication.pk}",
            after={"address": address_of(publication)},
            reason=publication.reason,
        )
        if wake_worker:
            transaction.on_commit(worker_signal.wake_worker)
    return publication


def progress_name(publication: Publication) -> str:
    """What the progress of its calculation is stored under."""
    return f"publication:{publication.pk}"


def calculate_requested() -> int:
    """Calculate every requested publication; returns how many. May run any number of times, and in several workers."""
    done = 0
    requested = Publication.objects.filter(state=Publication.State.REQUESTED, attempts__lt=MAX_ATTEMPTS)
    for publication in requested.order_by("pk"):
        Publication.objects.filter(pk=publication.pk).update(attempts=F("attempts") + 1)
        try:
            done += calculate_publication(publication=publication) is not None
        except Exception as error:
            logger.exception("a publication was not calculated", extra={"publication": publication.pk})
            Publication.objects.filter(pk=publication.pk).update(
                error=f"{type(error).__name__}: {error}"[:2000]
            )
    return done


def calculate_publication(*, publication: Publication) -> Publication | None:
    """Calculate a requested publication, in one snapshot; None where that is done, or under way elsewhere.

    Must not be called inside a transaction of another isolation level.
    """
    with transaction.atomic():
        if not connection.savepoint_ids:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        found = (
            Publication.objects.select_for_update(skip_locked=True)
            .filter(pk=publication.pk, state=Publication.State.REQUESTED)
            .first()
        )
        if found is None:
            return None
        key = key_of(found)
        kind = kind_of(key)
        progress = Progress(progress_name(found))
        progress.begin(Stage.READ)
        inputs = kind.read_inputs(key)
        progress.end(inputs.count("\n"))
        progress.begin(Stage.CALCULATE)
        rows = kind.calculate(key, inputs)
        progress.end(len(rows))
        progress.begin(Stage.WRITE, of=len(rows))
        players: dict[int, Player] = dict(players_by_id({row["fmjd_id"] for row in rows if row["fmjd_id"]}))
        PublicationRow.objects.bulk_create(
            PublicationRow(
                publication=found,
                position=position,
                player=players[row["fmjd_id"]] if row["fmjd_id"] else None,
                values=dict(row),
            )
            for position, row in enumerate(rows, start=1)
        )
        found.state = _state_after(found, PublicationMove.CALCULATE)
        found.edition = kind.edition(key)
        found.inputs = inputs
        found.input_sha256 = digest(inputs.encode())
        found.sha256 = digest(figures_json(found, rows))
        found.error = ""
        found.save(update_fields=["state", "edition", "inputs", "input_sha256", "sha256", "error"])
        progress.end(len(rows))
        progress.finish()
        return found


@transaction.atomic
def approve_publication(*, publication: Publication, sha256: str, by: Actor) -> Publication:
    """Approve a draft whose digest is `sha256`, the digest on the page that the director checked.

    Raises DomainError `publication_changed` for another digest, `publication_outdated` if reports, lists or
    declarations give something else now, `publication_empty` for a classification without rows,
    `own_results.publication`, `wrong_state`, `forbidden`.
    """
    publication = _locked(publication)
    tournaments = kind_of(key_of(publication)).tournaments(publication.inputs)
    check_can_approve_publication(by.user, tournaments)
    before = publication.state
    publication.state = _state_after(publication, PublicationMove.APPROVE)
    _refuse_changed(publication, sha256)
    if is_empty_classification(publication):
        raise DomainError("publication_empty")
    publication.approved_by, publication.approved_at = by.user, Now()
    publication.approved_sha256 = sha256
    publication.save(update_fields=["state", "approved_by", "approved_at", "approved_sha256"])
    return _recorded(publication, PublicationMove.APPROVE, before, by)


@transaction.atomic
def publish_publication(*, publication: Publication, sha256: str, by: Actor) -> Publication:
    """Publish an approved draft whose digest is `sha256`; it never changes from now on.

    Raises DomainError `publication_changed`, `publication_outdated`, `same_person` for its approver, `wrong_state`,
    `forbidden`.
    """
    publication = _locked(publication)
    check_can_publish_publication(by.user, approved_by=publication.approved_by_id)
    before = publication.state
    publication.state = _state_after(publication, PublicationMove.PUBLISH)
    _refuse_changed(publication, sha256)
    publication.published_by, publication.published_at = by.user, Now()
    publication.save(update_fields=["state", "published_by", "published_at"])
    return _recorded(publication, PublicationMove.PUBLISH, before, by)


@transaction.atomic
def withdraw_publication(*, publication: Publication, reason: str, by: Actor) -> Publication:
    """Withdraw a draft before its publication, with a reason.

    Raises DomainError `reason_missing`, `wrong_state`, `forbidden`.
    """
    check_can_withdraw_publication(by.user)
    if not reason.strip():
        raise DomainError("reason_missing")
    publication = _locked(publication)
    before = publication.state
    publication.state = _state_after(publication, PublicationMove.WITHDRAW)
    publication.save(update_fields=["state"])
    return _recorded(publication, PublicationMove.WITHDRAW, before, by, reason=reason.strip())


def publish_by_command(*, key: PublicationKey, reason: str, by: Actor, releaser: Actor) -> Publication:
    """Request, calculate, approve and publish in the name of two accounts.

    A draft under way that is not signed yet is taken over. Raises DomainError as each step does, and
    `wrong_state.publication` while the worker calculates it.
    """
    publication = request_publication(key=key, reason=reason, by=by, wake_worker=False)
    publication = calculate_publication(publication=publication) or publication
    publication = approve_publication(publication=publication, sha256=publication.sha256, by=by)
    return publish_publication(publication=publication, sha256=publication.sha256, by=releaser)


def is_empty_classification(publication: Publication) -> bool:
    """Whether it is a first classification without rows. 1 query.

    A list of a championship may be empty, and a revision that takes back all that was published.
    """
    is_first_classification = (
        publication.kind == Publication.Kind.CLASSIFICATION and publication.revision == 1
    )
    return is_first_classification and not publication.rows.exists()


def _locked(publication: Publication) -> Publication:
    return Publication.objects.select_for_update().get(pk=publication.pk)


def _state_after(publication: Publication, move: PublicationMove) -> PublicationState:
    return lifecycle.move(
        PUBLICATION_LIFECYCLE,
        PublicationState(publication.state),
        move,
        DomainError("wrong_state.publication"),
    )


def _refuse_changed(publication: Publication, sha256: str) -> None:
    if sha256 != publication.sha256:
        raise DomainError("publication_changed")
    key = key_of(publication)
    if digest(kind_of(key).read_inputs(key).encode()) != publication.input_sha256:
        raise DomainError("publication_outdated")


def _recorded(
    publication: Publication, move: PublicationMove, before: str, by: Actor, reason: str = ""
) -> Publication:
    publication.refresh_from_db()
    record(
        by=by,
        action=f"publication.{move}",
        subject=f"publication {publication.pk}",
        before={"state": before},
        after={"state": publication.state, "sha256": publication.sha256, "address": address_of(publication)},
        reason=reason,
    )
    return publication
