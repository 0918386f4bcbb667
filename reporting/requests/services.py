"""Requests from the public, "this is wrong": sent by a visitor, taken, asked back, answered, reopened, forgotten.

The visitor has no account: he acts by the address of his request's page, which nothing but the mail and his own
browser knows (docs/decisions/0016-requests.md).
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models.functions import Lower
from django.utils import timezone

from reporting.errors import DomainError
from reporting.locks import take_sender_lock
from reporting.log.audit import Actor, record
from reporting.messages.notifications import format_day
from reporting.models import CorrectionRequest, Message, RequestEntry, User
from reporting.policies import check_can_answer_request
from reporting.requests.selectors import closed_requests
from reporting.rules.lifecycle import REQUEST_LIFECYCLE, RequestMove, RequestState

VISITOR, CLOCK = "visitor@office.invalid", "officer@office.invalid"
MAX_REQUESTS_PER_ADDRESS = 10  # requests in a day
FIRST_MAIL_INTERVAL = timedelta(hours=1)  # to an address that nobody has shown to be his
MAX_FIRST_MAILS = 60  # in an hour, to all such addresses together
RETENTION_AFTER_CLOSING = timedelta(days=2 * 365)

Kind, Outcome = RequestEntry.Kind, RequestEntry.Outcome


@transaction.atomic
def send_request(
    *,
    doubted: CorrectionRequest,
    error_description: str,
    proposed_value: str,
    evidence: str,
    name: str,
    email: str,
) -> CorrectionRequest:
    """Keep a visitor's request about a figure, as it was published, and mail its link.

    No mail leaves to an address that was written to within the hour and that nobody has confirmed; the request is
    kept all the same. Raises DomainError `too_many_requests`.
    """
    folded = email.lower()
    take_sender_lock(folded)
    now = timezone.now()
    of_address = CorrectionRequest.objects.annotate(folded=Lower("email")).filter(folded=folded)
    if of_address.filter(created_at__gt=now - timedelta(days=1)).count() >= MAX_REQUESTS_PER_ADDRESS:
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
        # Nothing that the visitor typed is in this mail: the address may be somebody else's.
        _tell(
            asked,
            Message.Kind.REQUEST_RECEIVED,
            "sent",
            f"Request {asked.pk}: received",
            f"Somebody, probably you, told the rating office that a published figure is wrong, and gave this"
            f" e-mail address.\n\n{asked.about}\n{asked.published_in}\n\nThe link below opens the page of the"
            " request. Confirm there that it is yours; there you also read what the office says, and answer it.\n\n"
            "If it was not you, do nothing.",
        )
    return asked


@transaction.atomic
def confirm_sender(*, asked: CorrectionRequest) -> CorrectionRequest:
    """Whoever came by the link in the mail says that the request is his; again changes nothing."""
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
    """Say that one looks into it oneself, also in another's place.

    `looked_at` is, here and in the other acts of the office, `waiting_since` of the request as it was looked at. Raises
    DomainError `already_taken`, `wrong_state`, `request_changed`, `forbidden`.
    """
    asked, before, after = _of_the_office(asked, RequestMove.TAKE, by, looked_at)
    if asked.taken_by_id == by.user.pk:
        raise DomainError("already_taken")
    had = asked.taken_by.name if asked.taken_by else ""
    asked.taken_by = by.user
    _move(asked, after)
    record(
        by=by,
        action="request.take",
        subject=subject_of(asked),
        before={"state": before, "taken_by": had},
        after={"state": after, "taken_by": by.user.name},
    )
    return asked


@transaction.atomic
def ask_visitor(
    *, asked: CorrectionRequest, question: str, by: Actor, looked_at: datetime | None
) -> RequestEntry:
    """Ask the visitor something, by mail and on the page of his request; then it is his turn.

    Raises DomainError `text_missing`, `wrong_state`, `request_changed`, `forbidden`.
    """
    asked, before, after = _of_the_office(asked, RequestMove.ASK, by, looked_at)
    entry = _say(asked, Kind.QUESTION, question, by=by.user)
    asked.taken_by = by.user
    _move(asked, after)
    record(
        by=by,
        action="request.ask",
        subject=subject_of(asked),
        before={"state": before},
        after={"state": after},
    )
    _tell(
        asked,
        Message.Kind.REQUEST_QUESTION,
        f"entry-{entry.pk}",
        f"Request {asked.pk}: a question",
        f"The rating office asks you about your request {asked.pk} ({asked.about}):\n\n{entry.text}\n\n"
        "Answer on the page of the request: the link below opens it.",
    )
    return entry


@transaction.atomic
def answer_request(
    *, asked: CorrectionRequest, outcome: str, basis: str, text: str, by: Actor, looked_at: datetime | None
) -> RequestEntry:
    """Give the office's answer, by mail and on the page of the request.

    `basis` names what changed, the list with which it will, or the article by which it stays; only what is not about
    ratings needs none. Raises DomainError `outcome_unknown`, `basis_missing`, `text_missing`, `wrong_state`,
    `request_changed`, `forbidden`.
    """
    asked, before, after = _of_the_office(asked, RequestMove.ANSWER, by, looked_at)
    if outcome not in Outcome.values:
        raise DomainError("outcome_unknown")
    basis = basis.strip()
    if not basis and outcome != Outcome.NOT_ABOUT_RATINGS:
        raise DomainError(f"basis_missing.{outcome}")
    entry = _say(asked, Kind.ANSWER, text, by=by.user, outcome=outcome, basis=basis)
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
    closes = asked.closes_at
    assert closes is not None  # noqa: S101 (it has just been answered)
    last = timezone.localdate(closes) - timedelta(days=1)
    _tell(
        asked,
        Message.Kind.REQUEST_ANSWERED,
        f"entry-{entry.pk}",
        f"Request {asked.pk}: {entry.get_outcome_display().lower()}",
        f"The rating office answers your request {asked.pk} ({asked.about}).\n\n{entry.get_outcome_display()}"
        f"{f': {basis}' if basis else ''}\n\n{entry.text}\n\n"
        + (
            "With this second answer the request is closed. The link below opens its page."
            if asked.reopened_at
            else f"If something speaks against it, you can reopen the request once, until {format_day(last)}, on its"
            " page: the link below opens it."
        ),
    )
    return entry


BASIS_MISSING = {
    Outcome.CORRECTED: "Name what changed: the list and its revision, or what in the register.",
    Outcome.WILL_BE_CORRECTED: "Name the list or the correction with which it changes.",
    Outcome.UNCHANGED: "Name the article or ruling by which it stays.",
}


@transaction.atomic
def reply_to_question(*, asked: CorrectionRequest, text: str) -> RequestEntry:
    """The visitor's reply to a question; then it is the turn of whoever asked.

    Raises DomainError `text_missing`, `wrong_state`.
    """
    asked, before, after = _of_the_visitor(asked, RequestMove.REPLY)
    entry = _say(asked, Kind.REPLY, text)
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
    """The visitor is not content with the answer, once and within 30 days; anybody of the office may take it.

    Raises DomainError `text_missing`, `wrong_state`, `closed_requests`.
    """
    asked, before, after = _of_the_visitor(asked, RequestMove.REOPEN)
    if asked.is_closed:
        raise DomainError("closed")
    entry = _say(asked, Kind.REOPENING, text)
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
    """Empty name and address of whoever sent a request that has been closed for two years; answers how many.

    May run any number of times. The requests stay, with what was said.
    """
    clock = Actor(User.objects.get(email=CLOCK), by_command=True)
    due = CorrectionRequest.objects.filter(
        closed_requests(for_as_long_as=RETENTION_AFTER_CLOSING), erased_at=None
    )
    found = list(due.select_for_update(of=("self",), no_key=True, skip_locked=True))
    for asked in found:
        asked.name, asked.email, asked.erased_at = "", "", timezone.now()
        asked.save(update_fields=["name", "email", "erased_at"])
        record(
            by=clock,
            action="request.erase_sender",
            subject=subject_of(asked),
            after={"sender": "erased"},
            reason="the clock: two years after closing",
        )
    return len(found)


def visitor_actor() -> Actor:
    """Whoever has no account."""
    return Actor(User.objects.get(email=VISITOR))


def subject_of(asked: CorrectionRequest) -> str:
    return f"request {asked.pk}"


def _locked(asked: CorrectionRequest) -> CorrectionRequest:
    return (
        CorrectionRequest.objects.select_for_update(of=("self",), no_key=True)
        .select_related("player", "tournament")
        .get(pk=asked.pk)
    )


def _of_the_office(
    asked: CorrectionRequest, move: RequestMove, by: Actor, looked_at: datetime | None
) -> tuple[CorrectionRequest, str, RequestState]:
    """The request under its lock, with its state and the one that the move leads to."""
    asked = _locked(asked)
    check_can_answer_request(by.user, asked)
    before, after = _state_after(asked, move)
    if asked.waiting_since != looked_at:
        raise DomainError("request_changed")
    return asked, before, after


def _of_the_visitor(
    asked: CorrectionRequest, move: RequestMove
) -> tuple[CorrectionRequest, str, RequestState]:
    asked = _locked(asked)
    return asked, *_state_after(asked, move)


def _state_after(asked: CorrectionRequest, move: RequestMove) -> tuple[str, RequestState]:
    before = RequestState(asked.state)
    after = REQUEST_LIFECYCLE[before].moves.get(move)
    if after is None:
        raise DomainError("wrong_state.request")
    return before, after


def _move(asked: CorrectionRequest, after: RequestState) -> None:
    asked.state, asked.waiting_since = after, timezone.now()
    asked.save(update_fields=["state", "waiting_since", "taken_by", "answered_at", "reopened_at"])


def _say(
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


def _tell(asked: CorrectionRequest, kind: Message.Kind, place: str, title: str, text: str) -> None:
    """Mail to the sender; its link is made when it leaves."""
    Message.objects.create(
        kind=kind,
        correction_request=asked,
        about=f"/office/requests/{asked.pk}/#{place}",
        title=title,
        text=text,
    )
