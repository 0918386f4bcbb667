"""Every address of the office × every method × everybody, written by hand; a draft's figures stay with the office."""

from collections.abc import Iterator
from datetime import date
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from ratings.federations.fmjd.models import FmjdListRow
from ratings.models import Period, Pool, RatingList
from ratings.production.periods.freeze_period import ensure_period
from reporting.log.audit import Actor
from reporting.models import LogEntry, Role, User
from tests.people import create_user, give_roles

pytestmark = pytest.mark.django_db(transaction=True)

OPEN = ("fmjd-100", date(2027, 1, 1))
PUBLISHED = ("fmjd-100", date(2026, 10, 1))
OFFICER, RELEASER, DIRECTOR, ADMINISTRATOR = (
    Role.RATING_OFFICER, Role.RELEASING_OFFICER, Role.TOURNAMENT_DIRECTOR, Role.ADMINISTRATOR,
)  # fmt: skip
LOOK = {OFFICER, RELEASER, DIRECTOR, ADMINISTRATOR}
ACT = {OFFICER}
EVERYBODY = ["anonymous", *Role.values]
PASSWORD = "long-enough-for-all"  # noqa: S105
METHODS = ("get", "head", "post", "put", "patch", "delete")

# name → arguments; who may look (GET, HEAD), None where no one can; who may act (POST), None where no one can.
ADDRESSES: dict[str, tuple[tuple[object, ...], set[Role] | None, set[Role] | None]] = {
    "office-dashboard": ((), LOOK, None),
    "office-period": (OPEN, LOOK, None),
    "office-preview": (OPEN, LOOK, None),
    "office-differences": (OPEN, LOOK, None),
    "office-freeze": (OPEN, ACT, ACT),
    "office-correct": (PUBLISHED, ACT, ACT),
    "office-anomaly": ((*OPEN, 1), None, ACT),
    "office-calculate": (OPEN, None, ACT),
    "office-approve": (OPEN, ACT, ACT),
    "office-publish": (OPEN, {RELEASER}, {RELEASER}),
    "office-past-quarters": (OPEN[:1], ACT, ACT),
    "office-dates": (OPEN[:1], ACT, ACT),
    "office-replay": (OPEN[:1], ACT, None),
    "office-opening": (OPEN[:1], LOOK, {OFFICER, ADMINISTRATOR}),
    "office-opening-approve": (OPEN[:1], ACT, ACT),
    "office-opening-publish": (OPEN[:1], {RELEASER}, {RELEASER}),
    "office-opening-discard": (OPEN[:1], None, {OFFICER, ADMINISTRATOR}),
    "office-withdraw": (OPEN, None, ACT),
}


def names() -> Iterator[str]:
    return (name for name in get_resolver().reverse_dict if isinstance(name, str))


def test_every_address_of_the_office_has_a_row() -> None:
    """Those of reports, requests, the register and federations have tables of their own next to this one."""
    elsewhere = (
        "office-report",
        "office-request",
        "office-player",
        "office-merge",
        "office-federation",
        "office-decisions",
        "office-tournament",
    )
    of_lists = {name for name in names() if name.startswith("office") and not name.startswith(elsewhere)}
    assert of_lists == set(ADDRESSES)


@pytest.fixture(autouse=True)
def demonstration(settings: Any) -> None:
    """Its period is still running: only the demonstration freezes it today."""
    settings.DEMO = True


@pytest.fixture
def draft(season_with_draft: None) -> RatingList:
    """A draft ready to be approved."""
    return RatingList.objects.get(period__in_force=OPEN[1], state="ready")


def client_of(who: str) -> Client:
    client = Client()
    if who != "anonymous":
        client.force_login(create_user(f"{who}@example.org", who.title(), PASSWORD, roles=[who]))
    return client


def expected(who: str, method: str, name: str) -> set[int]:
    """What this person is answered. A body that says nothing is 400, a state that does not fit 409."""
    _, may_look, may_act = ADDRESSES[name]
    if method not in {"get", "head", "post"}:
        return {HTTPStatus.METHOD_NOT_ALLOWED}  # of everybody, before it is asked who it is
    if who == "anonymous":
        return {HTTPStatus.FOUND}
    if who not in LOOK:
        return {HTTPStatus.FORBIDDEN}
    may = may_look if method in {"get", "head"} else may_act if method == "post" else None
    if may is None:
        return {HTTPStatus.METHOD_NOT_ALLOWED}
    if who not in may:
        return {HTTPStatus.FORBIDDEN}
    return {HTTPStatus.OK, HTTPStatus.FOUND, HTTPStatus.BAD_REQUEST, HTTPStatus.CONFLICT}


BODIES: dict[str, dict[str, str]] = {
    "office-freeze": {"reason": "why not", "seen": "on"},
    "office-correct": {"reason": "why not", "later": "carry"},
    "office-anomaly": {"text": "so it is"},
    "office-approve": {"old_password": PASSWORD},
    "office-publish": {"old_password": PASSWORD},
    "office-past-quarters": {"reason": "nothing was played"},
    "office-dates": {"closing": "2027-03-15", "in_force": "2027-04-01"},
    "office-calculate": {"reason": "a name was corrected"},
    "office-withdraw": {"reason": "why not"},
}


def arguments_of(name: str, draft: RatingList) -> tuple[object, ...]:
    return (*OPEN, draft.anomalies.first().pk) if name == "office-anomaly" else ADDRESSES[name][0]


@pytest.mark.parametrize("who", EVERYBODY)
def test_who_gets_what(draft: RatingList, who: str) -> None:
    """Acts come last, so that no one's looking is spoilt by them; a body as the page would send it."""
    client = client_of(who)
    for method in METHODS:
        for name in ADDRESSES:
            if name == "office-preview" and method in {"get", "head"}:
                continue  # of an open period: below
            address = reverse(name, args=arguments_of(name, draft))
            data = {"sha256": draft.sha256} | BODIES.get(name, {}) if method == "post" else {}
            log = LogEntry.objects.count()
            response = getattr(client, method)(address, data)
            failure = f"{who} {method} {name}: {response.status_code}"
            assert response.status_code in expected(who, method, name), failure
            if method not in {"get", "head", "post"}:
                pass
            elif who == "anonymous":
                assert response["Location"] == f"/login/?next={address}", failure
            else:
                assert response["Cache-Control"] == "private, no-store", failure
            if response.status_code != HTTPStatus.FOUND or who == "anonymous":
                assert LogEntry.objects.count() == log, f"{failure} left a trace in the log"


@pytest.mark.parametrize("who", EVERYBODY)
def test_who_sees_the_preview_of_an_open_period(season: None, who: str) -> None:
    by = Actor(create_user("first@example.org", "First Officer", roles=[OFFICER]))
    ensure_period(pool=Pool.objects.get(code="fmjd-100"), in_force=OPEN[1], by=by)
    response = client_of(who).get(reverse("office-preview", args=OPEN))
    seen = HTTPStatus.FOUND if who == "anonymous" else HTTPStatus.OK if who in LOOK else HTTPStatus.FORBIDDEN
    assert response.status_code == seen


@pytest.mark.parametrize("who", [who for who in EVERYBODY if who not in LOOK])
def test_a_draft_is_shown_to_no_one_else(draft: RatingList, who: str) -> None:
    """Neither its digest nor a changed rating; the twin: an officer is shown both on the same pages."""
    moved = FmjdListRow.objects.filter(list=draft).exclude(change=0).order_by("-change").first()
    secrets = [draft.sha256, f">{moved.rating}</td>", "Biggest movers"]
    pages = [reverse(f"office-{name}", args=OPEN) for name in ("period", "differences", "approve")]
    officer = client_of("rating_officer")
    shown = "".join(officer.get(page).content.decode() for page in pages)
    assert all(secret in shown for secret in secrets)
    client = client_of(who)
    for page in (*pages, reverse("office-dashboard"), "/lists/", f"/players/{moved.register_number}/"):
        assert draft.sha256 not in client.get(page).content.decode()
    for page in pages:
        content = client.get(page).content.decode()
        assert not any(secret in content for secret in secrets)


def test_only_the_office_has_the_way_to_its_desk(season: None) -> None:
    for who in EVERYBODY:
        assert (b'href="/office/"' in client_of(who).get("/lists/").content) is (who in LOOK), who


def test_an_account_that_was_closed_sees_nothing_from_then_on(draft: RatingList) -> None:
    client = client_of("rating_officer")
    address = reverse("office-period", args=OPEN)
    assert client.get(address).status_code == HTTPStatus.OK
    give_roles(User.objects.get(email="rating_officer@example.org"), "referee")
    assert client.get(address).status_code == HTTPStatus.FORBIDDEN
    User.objects.filter(email="rating_officer@example.org").update(is_active=False)
    assert client.get(address).status_code == HTTPStatus.FOUND


def test_without_the_token_of_the_page_nothing_is_done(draft: RatingList) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(create_user("o@example.org", "O", roles=[OFFICER]))
    before = LogEntry.objects.count()
    for name, (_, _, may_act) in ADDRESSES.items():
        if may_act is not None:
            address = reverse(name, args=arguments_of(name, draft))
            data = {"sha256": draft.sha256} | BODIES.get(name, {})
            assert client.post(address, data).status_code == HTTPStatus.FORBIDDEN, name
    assert LogEntry.objects.count() == before
    assert Period.objects.get(pk=draft.period_id).state == "frozen"


def test_addresses_of_nothing_are_not_found(season: None) -> None:
    client = client_of("rating_officer")
    for path in (
        "fmjd-100/2027-02-01/",
        "fmjd-999/2027-01-01/",
        "fmjd-100/2027-13-01/",
        "fmjd-100/2026-10-01/anomalies/99999/",
    ):
        method = client.post if "anomalies" in path else client.get
        assert method(f"/office/lists/{path}").status_code == HTTPStatus.NOT_FOUND, path
