"""Requests from the public about an error in a published figure: send, confirm, take, ask, reply, answer, reopen.

The visitor has no account. The address of the request's page is the key; only the mail and the visitor's browser have
it (docs/decisions/0016-requests.md).
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models.functions import Lower
from django.utils import timezone

from reporting.log.audit import Actor, acting_worker, record
from reporting.models import CorrectionRequest, Message, RequestEntry, User
from reporting.models.locks import take_sender_lock
from reporting.policies import check_can_answer_request
from reporting.refusals.domain_error import DomainError
from reporting.requests import mails
from reporting.requests.selectors import closed_requests
from reporting.rules.lifecycle import REQUEST_LIFECYCLE, RequestMove, RequestState, move

VISITOR = "visitor@office.invalid"
MAX_REQUESTS_PER_ADDRESS = 10  # requests in a day
FIRST_MAIL_INTERVAL = timedelta(hours=1)  # to an unconfirmed address
MAX_FIRST_MAILS = 60  # in an hour, to all unconfirmed addresses together
RETENTION_AFTER_CLOSING = timedelta(days=2 * 365)

Kind, Outcome = RequestEntry.Kind, RequestEntry.Outcome


@transaction.atomic
def send_request(
    *,
    doubted: CorrectionRequest,
    error_description: str,
    name: str,
    email: str,
    proposed_value: str = "",
    evidence: str = "",
) -> CorrectionRequest:
    """Save a visitor's request about a figure, as it is published now, and mail its link.

    An unconfirmed address gets at most one mail in an hour; the request is saved anyway. The same request from the same
    address on the same day is the one that there is (decision 0081). Raises DomainError `too_many_requests`.
    """
    lower_email = email.lower()
    take_sender_lock(lower_email)
    now = timezone.now()
    of_address = CorrectionRequest.objects.annotate(lower_email=Lower("email")).filter(
        lower_email=lower_email
    )
    today = of_address.filter(created_at__gt=now - timedelta(days=1))
    same = today.filter(
        figure=doubted.figure,
        reference=doubted.reference,
        player=doubted.player,
        result_set=doubted.result_set,
        error_description=error_description,
        proposed_value=proposed_value,
        evidence=evidence,
        name=name,
    ).first()
    if same is not None:
        return same
    if today.count() >= MAX_REQUESTS_PER_ADDRESS:
        raise DomainError("too_many_requests", most=MAX_REQUESTS_PER_ADDRESS)
    asked = doubted
    asked.error_description, asked.proposed_value, asked.evidence = (
        error_description,
        proposed_value,
        evidence,
    )
    asked.name, asked.email = name, email
    asked.save(force_insert=True)
    asked.refresh_from_db(fields=["created_at", "waiting_since"])
    record(
        by=visitor_actor(),
        action="request.send",
        subject=subject_of(asked),
        after={"state": asked.state, "figure": asked.figure, "reference": asked.reference},
    )
    mailed = CorrectionRequest.objects.filter(
        created_at__gt=now - FIRST_MAIL_INTERVAL, messages__kind=Message.Kind.REQUEST_RECEIVED
    )
    if of_address.filter(confirmed_at__isnull=False).exists() or not (
        of_address.filter(pk__in=mailed).exists()
        or mailed.filter(confirmed_at=None).count() >= MAX_FIRST_MAILS
    ):
        _send_mail(asked, Message.Kind.REQUEST_RECEIVED, "sent", mails.request_received(asked))
    return asked


@transaction.atomic
def confirm_sender(*, asked: CorrectionRequest) -> CorrectionRequest:
    """Confirm the sender's e-mail address, by the link in the mail; a second time changes nothing."""
    asked = _locked(asked)
    if asked.confirmed_at is None and asked.erased_at is None:
        asked.confirmed_at = timezone.now()
        asked.save(update_fields=["confirmed_at"])
        record(
            by=visitor_actor(),
            action="request.confirm",
            subject=subject_of(asked),
            before={"confirmed": False},
            after={"confirmed": True},
        )
    return asked


@transaction.atomic
def take_request(*, asked: CorrectionRequest, by: Actor, looked_at: datetime | None) -> CorrectionRequest:
    """Take a request, also from another person of the office.

    `looked_at` is, here and in the other acts of the office, `waiting_since` of the request that the person saw. Raises
    DomainError `already_taken`, `wrong_state`, `request_changed`, `forbidden`.
    """
    asked, before, after = _locked_for_office(asked, RequestMove.TAKE, by, looked_at)
    if asked.taken_by_id == by.user.pk:
        raise DomainError("already_taken")
    previous = asked.taken_by.name if asked.taken_by else ""
    asked.taken_by = by.user
    _move(asked, after)
    record(
        by=by,
        action="request.take",
        subject=subject_of(asked),
        before={"state": before, "taken_by": previous},
        after={"state": after, "taken_by": by.user.name},
    )
    return asked


@transaction.atomic
def ask_visitor(
    *, asked: CorrectionRequest, question: str, by: Actor, looked_at: datetime | None
) -> RequestEntry:
    """Ask the visitor a question, by mail and on the page of the request, which then waits for the visitor.

    Raises DomainError `text_missing`, `wrong_state`, `request_changed`, `forbidden`.
    """
    asked, before, after = _locked_for_office(asked, RequestMove.ASK, by, looked_at)
    entry = _add_entry(asked, Kind.QUESTION, question, by=by.user)
    asked.taken_by = by.user
    _move(asked, after)
    record(
        by=by,
        action="request.ask",
        subject=subject_of(asked),
        before={"state": before},
        after={"state": after},
    )
    mail = mails.question_to_visitor(asked, entry)
    _send_mail(asked, Message.Kind.REQUEST_QUESTION, f"entry-{entry.pk}", mail)
    return entry


@transaction.atomic
def answer_request(
    *, asked: CorrectionRequest, outcome: str, basis: str, text: str, by: Actor, looked_at: datetime | None
) -> RequestEntry:
    """Answer a request, by mail and on its page.

    `basis` names what changed, the list with which it will change, or the article; only a request that is not about
    ratings, and one whose name is erased, needs none. Raises DomainError `outcome_unknown`, `not_erased`,
    `basis_missing`, `text_missing`, `wrong_state`, `request_changed`, `forbidden`.
    """
    asked, before, after = _locked_for_office(asked, RequestMove.ANSWER, by, looked_at)
    if outcome not in asked.outcomes:
        raise DomainError("outcome_unknown")
    if outcome == Outcome.ERASED and not (asked.player and asked.player.is_erased):
        raise DomainError("not_erased")
    basis = basis.strip()
    if not basis and outcome not in {Outcome.NOT_ABOUT_RATINGS, Outcome.ERASED}:
        raise DomainError(f"basis_missing.{outcome}")
    entry = _add_entry(asked, Kind.ANSWER, text, by=by.user, outcome=outcome, basis=basis)
    asked.taken_by = by.user
    asked.answered_at = timezone.now()
    _move(asked, after)
    record(
        by=by,
        action="request.answer",
        subject=subject_of(asked),
        before={"state": before},
        after={"state": after, "outcome": outcome, "basis": basis, "entry": entry.pk},
    )
    mail = mails.answer_to_visitor(asked, entry)
    _send_mail(asked, Message.Kind.REQUEST_ANSWERED, f"entry-{entry.pk}", mail)
    return entry


@transaction.atomic
def reply_to_question(*, asked: CorrectionRequest, text: str) -> RequestEntry:
    """Reply to a question of the office; the request then waits for the person who asked.

    Raises DomainError `text_missing`, `wrong_state`.
    """
    asked, before, after = _locked_for_visitor(asked, RequestMove.REPLY)
    entry = _add_entry(asked, Kind.REPLY, text)
    _move(asked, after)
    record(
        by=visitor_actor(),
        action="request.reply",
        subject=subject_of(asked),
        before={"state": before},
        after={"state": after},
    )
    return entry


@transaction.atomic
def reopen_request(*, asked: CorrectionRequest, text: str) -> RequestEntry:
    """Reopen an answered request, once and within 30 days; anyone of the office can take it.

    Raises DomainError `text_missing`, `wrong_state`, `closed`.
    """
    asked, before, after = _locked_for_visitor(asked, RequestMove.REOPEN)
    if asked.is_closed:
        raise DomainError("closed")
    entry = _add_entry(asked, Kind.REOPENING, text)
    asked.taken_by, asked.answered_at, asked.reopened_at = None, None, timezone.now()
    _move(asked, after)
    record(
        by=visitor_actor(),
        action="request.reopen",
        subject=subject_of(asked),
        before={"state": before},
        after={"state": after},
    )
    return entry


@transaction.atomic
def erase_senders() -> int:
    """Erase name and address of the senders of requests that have been closed for two years; returns how many.

    Can run any number of times. The requests stay, with their messages.
    """
    scheduler = acting_worker()
    due = CorrectionRequest.objects.filter(
        closed_requests(for_as_long_as=RETENTION_AFTER_CLOSING), erased_at=None
    )
    requests = list(due.select_for_update(of=("self",), no_key=True, skip_locked=True))
    for asked in requests:
        asked.name, asked.email, asked.erased_at = "", "", timezone.now()
        asked.save(update_fields=["name", "email", "erased_at"])
        record(
            by=scheduler,
            action="request.erase_sender",
            subject=subject_of(asked),
            after={"sender": "erased"},
            reason="scheduler.erase_sender",
        )
    return len(requests)


def visitor_actor() -> Actor:
    """The account under which visitors act."""
    return Actor(User.objects.get(email=VISITOR))


def subject_of(asked: CorrectionRequest) -> str:
    """The subject of audit entries about a request."""
    return f"request {asked.pk}"


def _locked(asked: CorrectionRequest) -> CorrectionRequest:
    return (
        CorrectionRequest.objects.select_for_update(of=("self",), no_key=True)
        .select_related("player", "result_set")
        .get(pk=asked.pk)
    )


def _locked_for_office(
    asked: CorrectionRequest, made: RequestMove, by: Actor, looked_at: datetime | None
) -> tuple[CorrectionRequest, str, RequestState]:
    """The locked request with its state and the state after the move."""
    asked = _locked(asked)
    check_can_answer_request(by.user, asked)
    before, after = _state_after(asked, made)
    if asked.waiting_since != looked_at:
        raise DomainError("request_changed")
    return asked, before, after


def _locked_for_visitor(
    asked: CorrectionRequest, made: RequestMove
) -> tuple[CorrectionRequest, str, RequestState]:
    asked = _locked(asked)
    return asked, *_state_after(asked, made)


def _state_after(asked: CorrectionRequest, made: RequestMove) -> tuple[str, RequestState]:
    before = RequestState(asked.state)
    return before, move(REQUEST_LIFECYCLE, before, made, DomainError("wrong_state.request"))


def _move(asked: CorrectionRequest, after: RequestState) -> None:
    asked.state, asked.waiting_since = after, timezone.now()
    asked.save(update_fields=["state", "waiting_since", "taken_by", "answered_at", "reopened_at"])


def _add_entry(
    asked: CorrectionRequest,
    kind: RequestEntry.Kind,
    text: str,
    *,
    by: User | None = None,
    outcome: str = "",
    basis: str = "",
) -> RequestEntry:
    text = text.strip()
    if not text:
        raise DomainError("text_missing")
    return RequestEntry.objects.create(
        correction_request=asked, kind=kind, text=text, by=by, outcome=outcome, basis=basis
    )


def _send_mail(asked: CorrectionRequest, kind: Message.Kind, place: str, mail: mails.Mail) -> None:
    """Queue a mail to the sender; its link is made when it leaves."""
    Message.objects.create(
        kind=kind,
        correction_request=asked,
        about=f"/office/requests/{asked.pk}/#{place}",
        title=mail.title,
        text=mail.text,
    )
