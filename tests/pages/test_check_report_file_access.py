"""Announcement and results entry of a referee's report × everybody; test_access.py has every address."""

from datetime import timedelta
from http import HTTPStatus

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from reporting.models import Announcement, Report, Role
from reporting.register.services.import_register import ensure_federations
from reporting.reports.views.check_file import example_file
from tests.people import create_user

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

EVERYBODY = ("anonymous", *Role.values)
MAY_REPORT = frozenset({"referee", "national_official", "rating_officer", "tournament_director"})
OFFICE = frozenset({"rating_officer", "tournament_director"})


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
