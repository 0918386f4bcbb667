"""The pages of titles in Chromium: axe, a phone's width, the evidence unfolded."""

from typing import Any

import pytest
from conftest import check_page

from reporting.log.audit import Actor
from reporting.models import Player, PlayerTitle, Role
from tests.norms import give_norms
from tests.people import create_user
from titles.applications.submit_application import submit_application
from titles.certificates.codes import title_code_of

pytestmark = pytest.mark.database_role("web")


@pytest.mark.django_db(transaction=True)
def test_pages_of_titles_are_accessible_at_every_width(season: None, live_server: Any, page: Any) -> None:
    council = create_user("cleo@example.org", "Cleo", "long-enough-for-all", roles=[Role.TITLE_COUNCIL])
    official = create_user(
        "olav@example.org", "Olav", "long-enough-for-all", roles=[Role.NATIONAL_OFFICIAL], federation_id="NED"
    )
    player = (
        Player.objects.filter(titles=None, norms=None, sex="M", federation="NED")
        .exclude(history=None)
        .earliest("pk")
    )
    give_norms(player, "MF black 7", "MF red 7", "MF black 7", "MI automatic 7", by=council)
    application = submit_application(player=player, section="100", title="MF", by=Actor(official))
    code = title_code_of(PlayerTitle.objects.earliest("pk"))
    for address in (
        "/titles/?former=on", f"/titles/certificates/{code}/", "/titles/certificates/?code=x",
        f"/players/{player.address}/",
    ):  # fmt: skip
        page.goto(f"{live_server.url}{address}")
        check_page(page, address, opened=True)
    page.goto(f"{live_server.url}/login/")
    page.fill("[name=login]", official.email)
    page.fill("[name=password]", "long-enough-for-all")
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(lambda url: "/login/" not in url)
    for address in (
        "/titles/players/",
        f"/titles/players/{player.address}/",
        "/titles/applications/",
        application.address,
    ):
        page.goto(f"{live_server.url}{address}")
        check_page(page, address, opened=True)
    assert page.console_errors == []
