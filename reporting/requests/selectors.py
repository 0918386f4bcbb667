"""Requests from the public: whose turn it is with each, and what was said to it."""

from datetime import timedelta

from django.db.models import Case, F, Q, QuerySet, When
from django.utils import timezone

from reporting.models import CorrectionRequest, Federation, RequestEntry, Role, User
from reporting.models.correction_request import REOPEN_PERIOD
from reporting.policies import OFFICE_ROLES
from reporting.rules.lifecycle import REQUEST_LIFECYCLE, RequestState, Turn
from reporting.rules.normalize_name import normalize_name

MAX_NUMBER = 2_147_483_647

WAITING_FOR_OFFICE = Q(
    state__in=[state for state, row in REQUEST_LIFECYCLE.items() if row.turn is Turn.OFFICE]
)
WAITING_FOR_VISITOR = Q(
    state__in=[state for state, row in REQUEST_LIFECYCLE.items() if row.turn is Turn.VISITOR]
)
OPEN = WAITING_FOR_OFFICE | WAITING_FOR_VISITOR


def closed_requests(*, for_as_long_as: timedelta = timedelta(0)) -> Q:
    """Requests whose answer is the last word, and has been for so long."""
    moment = timezone.now() - for_as_long_as
    return Q(state=RequestState.ANSWERED) & (
        Q(reopened_at__isnull=False, answered_at__lte=moment)
        | Q(reopened_at__isnull=True, answered_at__lte=moment - REOPEN_PERIOD)
    )


def reopenable_requests() -> Q:
    """Answered requests that can still be reopened."""
    return Q(state=RequestState.ANSWERED) & ~closed_requests()


def visible_requests(user: User) -> QuerySet[CorrectionRequest]:
    """All for the office and administrators; of a federation's players and tournaments for its national official."""
    found = CorrectionRequest.objects.select_related("player", "tournament", "taken_by")
    if user.has_role(*OFFICE_ROLES, Role.ADMINISTRATOR):
        return found
    if user.has_role(Role.NATIONAL_OFFICIAL) and user.federation_id:
        return found.filter(
            Q(player__federation=user.federation_id) | Q(tournament__country=user.federation_id)
        )
    return found.none()


def waiting_request_count(user: User) -> int:
    """How many requests that a person sees wait for the office. 1 query."""
    return visible_requests(user).filter(WAITING_FOR_OFFICE).count()


def matching_requests(words: str) -> Q:
    """Requests with all of these words in a name, in what was written or in a tournament; or of this number."""
    if words.isascii() and words.isdigit():
        number = min(int(words[:10]), MAX_NUMBER)
        return Q(pk=number) | Q(player__fmjd_id=number)
    found = Q()
    for word in words.split():
        found &= (
            Q(player__sort_name__contains=normalize_name(word) or word)
            | Q(tournament__name__icontains=word)
            | Q(tournament__code__icontains=word)
            | Q(wrong__icontains=word)
            | Q(should_be__icontains=word)
        )
    return found


def federations_of(requests: QuerySet[CorrectionRequest]) -> list[Federation]:
    """The federations of the players and competitions that these requests are about, by their codes. 1 query."""
    keys = requests.order_by().values
    about = Q(pk__in=keys("player__federation")) | Q(pk__in=keys("tournament__country"))
    return list(Federation.objects.filter(about).order_by("pk"))


def ordered_by_turn(requests: QuerySet[CorrectionRequest]) -> QuerySet[CorrectionRequest]:
    """The office's turn first, then the visitor's, the longest waiting first; then what is answered, newest first."""
    turns = Case(When(WAITING_FOR_OFFICE, then=0), When(WAITING_FOR_VISITOR, then=1), default=2)
    return requests.order_by(turns, F("answered_at").desc(), "waiting_since", "pk")


def entries_of(found: CorrectionRequest) -> list[RequestEntry]:
    """What office and sender said to each other, in order. 1 query."""
    return list(found.entries.select_related("by").order_by("pk"))
