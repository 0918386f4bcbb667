"""Endpoints of announced tournaments: list, announce, withdraw, by the services of the pages (R11)."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, ClassVar

from django import forms
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.response import Response

from reporting.federations.facet import ApprovedEvent
from reporting.federations.registry import approved_events
from reporting.models import Scope
from reporting.reports.api import bodies
from reporting.reports.api.serializers import AnnouncedSerializer, AnnouncementSerializer
from reporting.reports.api.token_api import KEY_PARAMETER, TEST_PARAMETER, TestForm, TokenRequest, TokenView
from reporting.reports.selectors import reports as selectors
from reporting.reports.selectors.reports import AnnouncementState
from reporting.reports.services.announce import (
    ANNOUNCED_FIELDS,
    REQUIRED_FIELDS,
    Question,
    announce_tournament,
    withdraw_announcement,
)
from reporting.rules.details.known_details import DETAILS
from reporting.web.api.fields import row_pages
from reporting.web.api.parameters import RowsForm

JSON = "application/json"
ANNOUNCEMENT_SCHEMA = bodies.object_of(
    {name: bodies.detail_schema(DETAILS[name]) for name in ANNOUNCED_FIELDS}
    | {
        "confirmed": {
            **bodies.list_of({"type": "string", "enum": [question.value for question in Question]}),
            "description": "Codes of the findings of announcement_questions that the person answered with yes.",
        }
    },
    *REQUIRED_FIELDS,
)
WITHDRAWAL_SCHEMA = bodies.object_of({"reason": bodies.text(2_000)}, "reason")


def announcements_in_answer(announcements: Sequence[Any], request: TokenRequest) -> list[dict[str, Any]]:
    """Announced tournaments as an answer has them. 1 query."""
    events = approved_events([announcement.pk for announcement in announcements])
    return [
        announcement_in_answer(announcement, events.get(announcement.pk), request)
        for announcement in announcements
    ]


def announcement_in_answer(
    announcement: Any, event: ApprovedEvent | None, request: TokenRequest
) -> dict[str, Any]:
    return {name: getattr(announcement, name) for name in ANNOUNCED_FIELDS} | {
        "number": announcement.pk,
        "state": announcement.state,
        "country": announcement.country_id,
        "announced_on": announcement.announced_on,
        "in_time": announcement.is_in_time,
        "required_notice_days": announcement.required_notice_days,
        "own": announcement.announced_by_id == request.user.pk,
        "tournament": announcement.code,
        "stars": event.stars if event else None,
        "prize_money": event.prize_money if event else None,
        "url": reverse("api-announcement", args=[announcement.pk]),
    }


class AnnouncementsForm(RowsForm):
    """Which announced tournaments."""

    state = forms.ChoiceField(
        required=False,
        choices=[(state.value, state.value) for state in AnnouncementState],
        help_text="Only announced tournaments in this state.",
    )


class AnnouncementView(TokenView):
    """An endpoint of announced tournaments."""

    nothing_found = gettext_lazy("There is no such announcement, or it is not yours.")


class AnnouncementsView(AnnouncementView):
    """Announced tournaments, and new ones."""

    scopes: ClassVar[Mapping[str, Scope]] = {"GET": Scope.READ, "POST": Scope.SUBMIT}
    parameters = AnnouncementsForm

    @extend_schema(operation_id="listAnnouncements", responses=row_pages(AnnouncementSerializer))
    def get(self, request: TokenRequest) -> Response:
        """Announced tournaments of yours and your federation; an upload names one by its number.

        Order: the latest first.
        """
        form = self.read(request)
        state = form.cleaned_data["state"]
        states = [AnnouncementState(state)] if state else []
        found = selectors.followed_announcements(request.user, *states)
        rows = announcements_in_answer(list(found[form.rows]), request)
        answer = AnnouncementSerializer(rows, many=True).data
        return Response(self.rows(request, form, found.count(), answer))

    @extend_schema(
        operation_id="announceTournament",
        parameters=[KEY_PARAMETER, TEST_PARAMETER],
        request={JSON: ANNOUNCEMENT_SCHEMA},
        responses={
            200: OpenApiResponse(
                AnnouncedSerializer, "A test, or you have announced it already. Nothing was changed."
            ),
            201: OpenApiResponse(AnnouncedSerializer, "A new announcement."),
        },
    )
    def post(self, request: TokenRequest) -> Response:
        """Announce a tournament. The day of the announcement is today.

        A long or far tournament, or one like another announced one, is refused with `announcement_questions`; send it
        again with the codes of these findings in `confirmed`. What spares a report its admission (an earlier day, an
        official tournament, a national championship) is said on the page only, after a password.
        """
        is_test = self.read(request, TestForm).is_test
        sent = bodies.validated(request.data, ANNOUNCEMENT_SCHEMA)

        def act() -> tuple[HTTPStatus, Any]:
            announced = announce_tournament(
                values={name: sent.get(name) or "" for name in ANNOUNCED_FIELDS},
                by=self.actor(request),
                confirmed=sent.get("confirmed", ()),
            )
            found = selectors.followed_announcements(request.user).get(pk=announced.pk)
            (answer,) = announcements_in_answer([found], request)
            answer |= {"already_there": announced.already_there, "test": is_test}
            status = HTTPStatus.OK if announced.already_there else HTTPStatus.CREATED
            return status, AnnouncedSerializer(answer).data

        status, answer = self.once(request, sent, act, is_test=is_test)
        return Response(answer, status, headers={} if is_test else {"Location": answer["url"]})


class OneAnnouncementView(AnnouncementView):
    """One announced tournament."""

    scopes: ClassVar[Mapping[str, Scope]] = {"GET": Scope.READ}

    @extend_schema(operation_id="retrieveAnnouncement", responses=AnnouncementSerializer)
    def get(self, request: TokenRequest, number: int) -> Response:
        """An announced tournament of yours or your federation."""
        self.read(request)
        found = selectors.followed_announcements(request.user).filter(pk=number).first()
        if found is None:
            raise Http404
        (answer,) = announcements_in_answer([found], request)
        return Response(AnnouncementSerializer(answer).data)


class WithdrawalView(AnnouncementView):
    """The withdrawal of an announcement."""

    scopes: ClassVar[Mapping[str, Scope]] = {"POST": Scope.SUBMIT}

    @extend_schema(
        operation_id="withdrawAnnouncement",
        parameters=[KEY_PARAMETER],
        request={JSON: WITHDRAWAL_SCHEMA},
        responses=AnnouncementSerializer,
    )
    def post(self, request: TokenRequest, number: int) -> Response:
        """Withdraw an announcement of yours, of a tournament that will not be played. It stays listed."""
        self.read(request)
        sent = bodies.validated(request.data, WITHDRAWAL_SCHEMA)
        followed = selectors.followed_announcements(request.user)
        found = followed.filter(pk=number, announced_by=request.user).first()
        if found is None:
            raise Http404

        def act() -> tuple[HTTPStatus, Any]:
            withdraw_announcement(announcement=found, reason=sent["reason"], by=self.actor(request))
            (answer,) = announcements_in_answer([followed.get(pk=number)], request)
            return HTTPStatus.OK, AnnouncementSerializer(answer).data

        status, answer = self.once(request, sent, act)
        return Response(answer, status)
