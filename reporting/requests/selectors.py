"""Reads of requests from the public: by whom they wait for, by reader, by text."""

from datetime import timedelta

from django.db.models import Case, F, Q, QuerySet, When
from django.utils import timezone

from reporting.models import CorrectionRequest, Federation, Player, RequestEntry, Role, User
from reporting.models.correction_request import REOPEN_PERIOD
from reporting.policies import OFFICE_ROLES
from reporting.rules.lifecycle import REQUEST_LIFECYCLE, RequestState, Turn
from reporting.rules.names.normalize_name import normalize_name

MAX_NUMBER = 2_147_483_647

WAITING_FOR_OFFICE = Q(
    state__in=[state for state, row in REQUEST_LIFECYCLE.items() if row.turn is Turn.OFFICE]
)
WAITING_FOR_VISITOR = Q(
    state__in=[state for state, row in REQUEST_LIFECYCLE.items() if row.turn is Turn.VISITOR]
)
OPEN = WAITING_FOR_OFFICE | WAITING_FOR_VISITOR


def closed_requests(*, for_as_long_as: timedelta = timedelta(0)) -> Q:
    """Requests whose answer is final, and has been for this time."""
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
    found = CorrectionRequest.objects.select_related("player", "result_set", "taken_by")
    if user.has_role(*OFFICE_ROLES, Role.ADMINISTRATOR):
        return found
    if user.has_role(Role.NATIONAL_OFFICIAL) and user.federation_id:
        return found.filter(
            Q(player__federation=user.federation_id) | Q(result_set__country=user.federation_id)
        )
    return found.none()


def find_request(number: int) -> CorrectionRequest:
    """A request, for the holder of its key. 1 query. Raises `CorrectionRequest.DoesNotExist`."""
    return CorrectionRequest.objects.select_related("player", "result_set").get(pk=number)


def waiting_request_count(user: User) -> int:
    """The number of requests that a person can see and that wait for the office. 1 query."""
    return visible_requests(user).filter(WAITING_FOR_OFFICE).count()


def matching_requests(text: str) -> Q:
    """Requests with all words of the text in a name, a tournament or the request; or with this number."""
    if text.isascii() and text.isdigit():
        number = min(int(text[:10]), MAX_NUMBER)
        return Q(pk=number) | Q(player__identities__number=str(number))
    found = Q()
    for word in text.split():
        found &= (
            Q(player__sort_name__contains=normalize_name(word) or word)
            | Q(result_set__name__icontains=word)
            | Q(result_set__tournament__code__icontains=word)
            | Q(error_description__icontains=word)
            | Q(proposed_value__icontains=word)
        )
    return found


def federations_of(requests: QuerySet[CorrectionRequest]) -> list[Federation]:
    """The federations of the players and tournaments of these requests, by code. 1 query."""
    keys = requests.order_by().values
    about = Q(pk__in=keys("player__federation")) | Q(pk__in=keys("result_set__country"))
    return list(Federation.objects.filter(about).order_by("pk"))


def ordered_by_turn(requests: QuerySet[CorrectionRequest]) -> QuerySet[CorrectionRequest]:
    """Requests waiting for the office first, then for the visitor, longest first; then answered ones, newest first."""
    turns = Case(When(WAITING_FOR_OFFICE, then=0), When(WAITING_FOR_VISITOR, then=1), default=2)
    return requests.order_by(turns, F("answered_at").desc(), "waiting_since", "pk")


def open_erasure_request(player: Player) -> CorrectionRequest | None:
    """The oldest request for an answer that asks to erase the name of a player. 1 query."""
    asked = CorrectionRequest.objects.filter(OPEN, figure=CorrectionRequest.Figure.ERASURE, player=player)
    return asked.order_by("pk").first()


def entries_of(found: CorrectionRequest) -> list[RequestEntry]:
    """The messages between office and sender, in order. 1 query."""
    return list(found.entries.select_related("by").order_by("pk"))
