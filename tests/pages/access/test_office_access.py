"""A draft's figures stay with the office, and addresses of nothing are not found; test_access.py has who gets what."""

from datetime import date
from http import HTTPStatus

import pytest
from django.urls import reverse

from ratings.federations.fmjd.models import FmjdListRow
from ratings.models import RatingList
from reporting.models import Role
from tests.people import logged_in

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("demonstration")]

OPEN = ("fmjd-100", date(2027, 1, 1))
LOOK = {Role.RATING_OFFICER, Role.RELEASING_OFFICER, Role.TOURNAMENT_DIRECTOR, Role.ADMINISTRATOR}


def test_a_draft_is_shown_to_no_one_else(season_with_draft: None) -> None:
    """Neither its digest nor a changed rating; the twin: an officer is shown both on the same pages."""
    draft = RatingList.objects.get(period__in_force=OPEN[1], state="ready")
    moved = FmjdListRow.objects.filter(list=draft).exclude(change=0).order_by("-change").first()
    secrets = [draft.sha256, f">{moved.rating}</td>", "Biggest movers"]
    pages = [reverse(f"office-{name}", args=OPEN) for name in ("period", "differences", "approve")]
    officer = logged_in("rating_officer")
    shown = "".join(officer.get(page).text for page in pages)
    assert all(secret in shown for secret in secrets)
    for who in ("anonymous", *set(Role) - LOOK):
        client = logged_in(who)
        for page in (reverse("office-dashboard"), "/lists/", f"/players/{moved.register_number}/"):
            assert draft.sha256 not in client.get(page).text
        for page in pages:
            content = client.get(page).text
            assert not any(secret in content for secret in secrets), who


def test_addresses_of_nothing_are_not_found(season: None) -> None:
    client = logged_in("rating_officer")
    for path in (
        "fmjd-100/2027-02-01/", "fmjd-999/2027-01-01/", "fmjd-100/2027-13-01/",
        "fmjd-100/2026-10-01/anomalies/99999/",
    ):  # fmt: skip
        method = client.post if "anomalies" in path else client.get
        assert method(f"/office/lists/{path}").status_code == HTTPStatus.NOT_FOUND, path
