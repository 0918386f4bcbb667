"""A title from the ledger to the list that prints it, each person through the rendered pages (art. 15, R40)."""

import re
from datetime import date

import pytest
from django.test import Client

from ratings.models import Pool, RatingList
from ratings.production.run_period import run_period
from ratings.systems.fmjd.models import FmjdListRow
from reporting.models import Player, PlayerTitle, Role
from tests.databases import point_connections_at
from tests.norms import give_norms
from tests.pages.published_pages import OFFICER, RELEASER, actor
from tests.people import create_user
from tests.visitor import Visitor

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database_role("web")]


def person(name: str, role: Role, **values: str) -> Visitor:
    user = create_user(f"{name}@titles.example", name.title(), "long-enough-for-all", roles=[role], **values)
    return Visitor(user)


@pytest.fixture
def player(season: None) -> Player:
    """A man of NED on the newest list, without a title, with three MF norms of 21 games."""
    newest = RatingList.objects.filter(pool__code="fmjd-100", state="published").latest("in_force")
    row = FmjdListRow.objects.filter(list=newest, federation="NED", sex="M", title="").earliest("position")
    player = Player.objects.get(pk=row.player_id)
    council = create_user("commission@titles.example", "Commission", roles=[Role.TITLE_COUNCIL])
    give_norms(player, "MF black 7", "MF red 7", "MF black 7", by=council)
    return player


def test_a_title_from_the_ledger_to_the_list(player: Player, settings) -> None:
    settings.DEMO = True
    visitor = Visitor()
    visitor.open(f"/players/{player.address}/")
    assert "Norms and titles: 100 squares" in visitor.text
    assert "Apply for" not in visitor.text

    official = person("official", Role.NATIONAL_OFFICIAL, federation_id="NED")
    official.open("/")
    official.open_link("Ledgers", exact=True)
    official.open_link(player.printed_name)
    official.press("Apply for MF")
    assert "Application submitted." in official.text
    application = official.address
    code = decided(player, application)

    visitor.open("/titles/?q=" + player.last_name)
    assert player.printed_name in visitor.text
    feed = Client().get("/titles/feed.atom")
    assert feed["Content-Type"].startswith("application/atom+xml")
    assert player.printed_name in feed.text
    verified(player, code)

    official.open("/messages/")
    assert "Title registered" in official.text
    official.open(application)
    assert len(official.texts(".//tr[th][@id]")) == 5

    # The running quarter closes after today, so that its list prints the title; the worker calculates it.
    point_connections_at(USER=settings.DATABASE_USERS["worker"])
    draft = run_period(
        pool=Pool.objects.get(code="fmjd-100"),
        in_force=date(2027, 1, 1),
        by=actor(OFFICER),
        releaser=actor(RELEASER),
        reason="The title counts.",
        publish=False,
    )
    assert draft.closing >= PlayerTitle.objects.get(player=player).registered_on
    assert draft.rows.get(player=player).title == "MF"


def decided(player: Player, application: str) -> str:
    """The fee, the Council, the General Assembly and the registration; the code of the certificate."""
    office = person("office", Role.TOURNAMENT_DIRECTOR)
    office.open("/office/")
    office.open_link("Applications (1)", exact=True)
    assert "waits for you" in office.text
    office.open_link(player.printed_name)
    office.fill("Number of the payment", "2026/17")
    office.press("Mark fee as paid")

    council = person("council", Role.TITLE_COUNCIL)
    council.open("/")
    council.open_link("Applications (1)", exact=True)
    assert "waits for you" in council.text
    council.open_link(player.printed_name)
    assert council.buttons("Mark fee") == []
    council.press("Approve application")

    administrator = person("administrator", Role.ADMINISTRATOR)
    administrator.open(application)
    administrator.fill("Number of the minutes: Confirmation", "GA 2026, 7")
    administrator.press("Record confirmation")

    visitor = Visitor()
    visitor.open("/titles/")
    assert player.printed_name not in visitor.text
    office.open(application)
    office.press("Register title")
    assert "Title counts from" in office.text
    return re.search(r"T[0-9]+-[A-Z2-7]{8}", office.text)[0]


def verified(player: Player, code: str) -> None:
    """What a visitor with the printed certificate does."""
    visitor = Visitor()
    visitor.open("/titles/certificates/")
    visitor.fill("Code of the certificate", code)
    visitor.press("Verify certificate")
    assert visitor.address.endswith(f"/titles/certificates/{code}/")
    assert "Valid." in visitor.text
    assert player.printed_name in visitor.text
    pdf = Client().get(f"/titles/certificates/{code}/certificate.pdf")
    assert (pdf["Content-Type"], pdf.content[:5]) == ("application/pdf", b"%PDF-")
