"""A player asks to erase the own name, a rating officer does it: at once no public page and no file has it."""

from http import HTTPStatus
from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.test import Client
from django.utils import timezone

from ratings.models import PublishedFile, RatingList
from ratings.published.views.requests import OPENED_AT_SIGNER
from reporting.log.acting_person import acting_as
from reporting.log.audit import Actor
from reporting.models import LogEntry, Message, PersonalData, Player, Role, User
from reporting.models.register import ERASED_NAME
from reporting.refusals.domain_error import DomainError
from reporting.register.services.erase_name import erase_name
from reporting.register.services.import_register import import_register
from tests.people import create_user
from tests.visitor import Visitor

pytestmark = [
    pytest.mark.database_role("web"), pytest.mark.usefixtures("season_shared", "cleared_rate_limits"),
]  # fmt: skip

LIST = "/lists/fmjd-100/2026-10-01/r1/"
NUMBER = 13368  # Leandro Brasilino of the demonstration, first of the list of 1 October 2026
OPPONENT = 16376
API = "/api/v1/tournaments/2026-campinas-winter-open/"
PUBLIC = (
    "/", LIST, f"{LIST}full/", f"{LIST}?q=brasilino", f"{LIST}print/official/", "/lists/fmjd-100/2026-07-01/",
    "/players/?q=brasilino", "/federations/BRA/", "/tournaments/2026-campinas-winter-open/",
    "/tournaments/2026-campinas-winter-open/changes/", "/tournaments/2026-campinas-winter-open/crosstable/",
    "/tournaments/2026-campinas-winter-open/norms/", f"{LIST}statistics/", "/embed/lists/fmjd-100/", "/titles/",
    f"/requests/new/?about=rating:fmjd-100:2026-10-01:1:{NUMBER}", "/api/v1/players/?q=brasilino",
    f"/api/v1{LIST}entries/", f"/api/v1/players/{OPPONENT}/changes/fmjd-100/2026-10-01/",
    f"{API}entries/", f"{API}crosstable/", f"{API}standings/", "/api/v1/titles/?q=brasilino",
    f"/api/v1/norms/?player={NUMBER}", f"{LIST}files/list.csv",
    f"{LIST}files/list.json", f"{LIST}files/list.txt", f"/players/{OPPONENT}/", f"/players/{OPPONENT}/opponents/",
)  # fmt: skip


@pytest.fixture
def officer(settings: Any) -> User:
    settings.DEMO = True
    return create_user("rina@example.org", "Rina Officer", roles=[Role.RATING_OFFICER])


def has_name(text: str, player: Player) -> bool:
    return f"{player.first_name} {player.last_name}" in text or player.printed_name in text


def ask_for_erasure(visitor: Visitor) -> None:
    visitor.open(f"/players/{NUMBER}/")
    visitor.open_link("Ask to erase my name")
    assert "The office first checks that you are this player." in visitor.text
    visitor.fill("How the office can check that you are this player", "Ask my federation.")
    visitor.fill("Your name", "Leandro")
    visitor.fill("Your e-mail address", "leandro@example.org")
    opened = next(each for each in visitor.page.iter("input") if each.get("name") == "opened")
    opened.set("value", OPENED_AT_SIGNER.sign(str(int(timezone.now().timestamp()) - 3)))
    visitor.press("Send request")


def answer_erased(office: Visitor, status: int = HTTPStatus.OK) -> None:
    office.check("Erased")
    office.fill("Text of the answer", "The name is gone.")
    office.press("Send answer", status=status)


def test_a_name_is_erased_on_request_everywhere_at_once(officer: User) -> None:
    player = Player.objects.at_address(str(NUMBER))
    assert player is not None
    assert PersonalData.objects.filter(player=player).exists()
    visitor, office, reader = Visitor(), Visitor(), Client()
    before = {path: reader.get(path) for path in PUBLIC}
    named = {path for path, page in before.items() if has_name(page.text, player)}
    assert {LIST, "/", "/players/?q=brasilino", f"{LIST}files/list.csv"} <= named
    # All norms of the player are for titles below the one held (R41): the API names none.
    assert {path for path in PUBLIC if path.startswith("/api/") and "/norms/" not in path} <= named
    digests = set(RatingList.objects.values_list("sha256", flat=True))

    ask_for_erasure(visitor)
    assert "asked the rating office to erase a name" in Message.objects.get(kind="request_received").text
    assert "Identity" in visitor.texts(".//h3")
    office.log_in(officer.email, then="/office/requests/")
    office.open_link(f"Erasure of a name: {player.printed_name}")
    answer_erased(office, status=HTTPStatus.CONFLICT)  # before it is true
    assert "The name is not erased yet." in office.text
    office.open(office.address)
    office.open_link("Erase name")
    assert "This cannot be undone." in office.text
    office.fill("Reason", "Asked for it; the federation confirmed who asks.")
    office.check("I have checked that the player asks for it.")
    office.press("Erase name")
    assert "Name erased. Now answer the request." in office.text
    assert office.text.count("The name is erased.") == 2  # with the hint of the outcome
    answer_erased(office)

    for path in PUBLIC:
        tag = before[path].get("ETag")
        page = reader.get(path, headers={"If-None-Match": tag} if tag else {})
        assert path not in named or page.status_code != 304, path
        assert not has_name(page.text, player), path
        assert f"/players/{NUMBER}/" not in page.text, path  # there is no such page any more
        # Nor an error to report in the figures of one; the API has the number, which stays.
        assert path.startswith("/api/") or f":{NUMBER}" not in page.text, path
    assert reader.get(f"/players/{NUMBER}/").status_code == 410
    for entries in (f"{API}entries/", f"{API}crosstable/", f"/api/v1{LIST}entries/"):
        rows = reader.get(entries, {"limit": 500}).json()["results"]
        assert [row["player"] for row in rows if row["name"] == ERASED_NAME] == [None], entries
    assert reader.get(f"/office/players/{NUMBER}/").status_code == 302
    assert ERASED_NAME in reader.get(LIST).text
    assert reader.get(f"{LIST}files/list.xlsx").status_code == 503
    visitor.open(visitor.address)
    assert player.last_name not in visitor.text
    assert "The name is gone." in visitor.text
    # What is signed and counted stays: digests, and every file without names, byte for byte.
    assert set(RatingList.objects.values_list("sha256", flat=True)) == digests
    assert not PublishedFile.objects.filter(has_names=False, size=0).exists()
    assert not PersonalData.objects.filter(player=player).exists()
    entry = LogEntry.objects.get(action="player.erase_name")
    assert (entry.actor, entry.subject) == (officer, f"player fmjd {NUMBER}")
    assert entry.reason[:13] == "Asked for it;"
    assert player.last_name not in str((entry.before, entry.after))


def test_a_table_of_the_register_does_not_bring_it_back(officer: User) -> None:
    player = Player.objects.get(numbers__fmjd=NUMBER)
    table = f"fmjd_id,last_name,first_name,federation,sex,born\n{NUMBER},Brasilino,Leandro,BRA,M,1990-02-01\n"
    with acting_as(officer):
        erase_name(player=player, reason="Asked for it.", by=Actor(officer))
        import_register(content=table.encode(), by=Actor(officer))
        assert Player.objects.get(pk=player.pk).last_name == ERASED_NAME
        assert not PersonalData.objects.filter(player=player).exists()
        with pytest.raises(DomainError, match="already erased"):
            erase_name(player=player, reason="Again.", by=Actor(officer))


def test_sql_of_the_web_erases_no_name_without_a_rating_officer_who_acts() -> None:
    with pytest.raises(IntegrityError, match="only a rating officer"), connection.cursor() as cursor:
        cursor.execute("SELECT erase_player_name(1)")
