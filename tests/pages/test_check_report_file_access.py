"""Every address of announcements, of the check page and of the results entry × everybody."""

from datetime import timedelta
from http import HTTPStatus

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone

from reporting.models import Announcement, Report, Role, User
from reporting.register.services.import_register import ensure_federations
from reporting.reports.views.check_file import example_file
from tests.people import create_user

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

EVERYBODY = ("anonymous", *Role.values)
MAY_REPORT = frozenset({"referee", "national_official", "rating_officer", "tournament_director"})
OFFICE = frozenset({"rating_officer", "tournament_director"})

PUBLIC = {
    "check-file": (),
    "check-file-example": ("clean",),
    "check-file-template-xlsx": (),
    "check-file-template-csv": (),
}
OF_REPORTERS = {"report-announce": (), "report-results-entry": ()}
# Of one report or announcement of a referee: no one else's but the office's.
OF_ONE = (
    "report-results-entry-players", "report-results-entry-round", "report-results-entry-crosstable",
    "report-announcement-change",
)  # fmt: skip
BY_POST = ("report-announcement", "report-announcement-withdraw")


def client_of(who: str) -> Client:
    cache.clear()
    client = Client()
    if who != "anonymous":
        user = create_user(f"{who}@example.org", who, roles=[who])
        client.force_login(user)
    return client


@pytest.fixture
def report() -> Report:
    owner = Client()
    referee = create_user("owner@example.org", "Owner", roles=["referee"])
    owner.force_login(referee)
    owner.post("/reports/new/", {"file": SimpleUploadedFile("a.txt", example_file("clean"))})
    ensure_federations(["BEL"])
    day = timezone.localdate() + timedelta(days=20)
    Announcement.objects.create(
        name="Open", country_id="BEL", played_from=day, played_to=day, discipline="100", time_control="80+30",
        announced_by=referee, announced_on=timezone.localdate(),
    )  # fmt: skip
    return Report.objects.get()


def test_every_address_has_a_row() -> None:
    ours = ("check-file", "report-announce", "report-results-entry")
    known = {name for name in get_resolver().reverse_dict if isinstance(name, str) and name.startswith(ours)}
    assert known == {*PUBLIC, *OF_REPORTERS, *OF_ONE, *BY_POST}


@pytest.mark.parametrize("who", EVERYBODY)
def test_the_check_page_is_open_to_everybody(who: str) -> None:
    client = client_of(who)
    for name, arguments in PUBLIC.items():
        assert client.get(reverse(name, args=arguments)).status_code == HTTPStatus.OK, name
    assert client.post("/check/", {"example": "clean"}).status_code == HTTPStatus.OK
    assert client.put("/check/").status_code == HTTPStatus.METHOD_NOT_ALLOWED


@pytest.mark.parametrize("who", EVERYBODY)
def test_who_announces_and_types(who: str) -> None:
    client = client_of(who)
    for name, arguments in OF_REPORTERS.items():
        address = reverse(name, args=arguments)
        for response in (client.get(address), client.post(address, {"save": "1"})):
            if who == "anonymous":
                assert (response.status_code, response["Location"]) == (302, f"/login/?next={address}")
            elif who not in MAY_REPORT:
                assert response.status_code == HTTPStatus.FORBIDDEN
            else:
                assert response.status_code != HTTPStatus.FORBIDDEN
                assert response["Cache-Control"] == "private, no-store"
    assert Announcement.objects.count() == 0


@pytest.mark.parametrize("who", EVERYBODY)
def test_who_comes_to_the_report_of_a_referee(report: Report, who: str) -> None:
    client = client_of(who)
    addresses = {
        reverse("report-results-entry-players", args=[report.pk]): "get",
        reverse("report-results-entry-round", args=[report.pk, 1]): "get",
        reverse("report-results-entry-crosstable", args=[report.pk]): "get",
        reverse("report-announcement-change", args=[Announcement.objects.get().pk]): "get",
        reverse("report-announcement", args=[report.pk]): "post",
        reverse("report-announcement-withdraw", args=[Announcement.objects.get().pk]): "post",
    }
    for address, method in addresses.items():
        response = getattr(client, method)(address)
        if who == "anonymous":
            assert (response.status_code, response["Location"]) == (302, f"/login/?next={address}")
        elif who not in MAY_REPORT:
            assert response.status_code == HTTPStatus.FORBIDDEN, address
        elif who not in OFFICE:
            assert response.status_code == HTTPStatus.NOT_FOUND, address
        else:  # nothing was sent: the page, or word that it does not say on what it was filled in
            expected = HTTPStatus.OK if method == "get" else HTTPStatus.CONFLICT
            assert response.status_code == expected, address
    assert Announcement.objects.get().withdrawn_at is None


def test_no_act_without_the_token_of_the_form(report: Report) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.get(email="owner@example.org"))
    for address in (
        "/reports/announce/",
        "/reports/new/results/",
        f"/reports/{report.pk}/results/",
        f"/reports/{report.pk}/results/1/",
        f"/reports/{report.pk}/results/crosstable/",
        f"/reports/{report.pk}/announcement/",
        f"/reports/announcements/{Announcement.objects.get().pk}/",
        f"/reports/announcements/{Announcement.objects.get().pk}/withdraw/",
    ):
        assert client.post(address).status_code == HTTPStatus.FORBIDDEN, address
    # The check page changes nothing, so there is nothing to forge; and a stranger is given no cookie.
    stranger = Client(enforce_csrf_checks=True)
    assert stranger.post("/check/", {"example": "clean"}).status_code == HTTPStatus.OK
    assert not stranger.cookies
