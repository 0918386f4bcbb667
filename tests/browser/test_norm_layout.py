"""The title commission's pages, and norms on public pages, in a real browser."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.urls import reverse

from reporting.models import Role
from tests.browser.conftest import check_page
from tests.people import create_user
from titles.models import Norm

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season_with_draft"),
]

DRAFT = ("fmjd-100", date(2027, 1, 1))


def test_pages_of_norms_have_no_barrier_and_fit(window: Callable[..., Any]) -> None:
    council = create_user("ada@example.org", "Ada", "long-enough-for-all", roles=[Role.TITLE_COUNCIL])
    norm = Norm.objects.filter(list__state="ready", kind="result", origin="found").earliest("pk")
    public = Norm.objects.filter(list__state="published", kind="result", decisions__is_confirmed=True).latest(
        "pk"
    )
    page = window(council)
    for path in (
        reverse("norm-drafts"),
        reverse("norms-of-draft", args=DRAFT) + "?show=all",
        reverse("norm", args=[norm.pk]),
        reverse("norm-claim", args=DRAFT),
        reverse("player", args=[public.player.address]),
        reverse("tournament", args=[public.tournament.code]),
    ):
        page.goto(path)
        check_page(page, path, opened=True)
    assert page.console_errors == []
