"""The register of players × method × role: who sees which players, and who changes which fields."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from reporting.log.audit import Actor
from reporting.models import LogEntry, PersonalData, Player, PlayerIdentity, Role
from reporting.register.selectors.records import record_of
from reporting.register.services.merge_players import merge_players, undo_merge
from reporting.rules.names.normalize_name import sort_name
from tests.people import create_player, create_user, logged_in

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

# Who: role and federation; what a GET answers of the search, of a player of the Netherlands, and of the form.
PEOPLE: dict[str, tuple[Role | None, str | None, int, int, int]] = {
    "anonymous": (None, None, 302, 302, 302),
    "referee": (Role.REFEREE, "NED", 403, 403, 403),
    "official of NED": (Role.NATIONAL_OFFICIAL, "NED", 200, 200, 200),
    "official of SEN": (Role.NATIONAL_OFFICIAL, "SEN", 200, 404, 404),
    "official of nowhere": (Role.NATIONAL_OFFICIAL, None, 403, 403, 403),
    "releasing officer": (Role.RELEASING_OFFICER, None, 403, 403, 403),
    "title council": (Role.TITLE_COUNCIL, None, 403, 403, 403),
    "rating officer": (Role.RATING_OFFICER, None, 200, 200, 200),
    "tournament director": (Role.TOURNAMENT_DIRECTOR, None, 200, 200, 200),
    "administrator": (Role.ADMINISTRATOR, None, 200, 200, 403),
}


# The form of a transfer: for the office alone (docs/decisions/0042-titles-and-memberships-with-days.md).
TRANSFER = {
    who: 200 if role in (Role.RATING_OFFICER, Role.TOURNAMENT_DIRECTOR) else 403
    for who, (role, *_) in PEOPLE.items()
} | {"anonymous": 302}


@pytest.fixture(autouse=True)
def players() -> dict[str, Player]:
    made = {}
    for register, number, last, first, federation in (
        ("fmjd", 12345, "Vroom", "Ada", "NED"),
        ("fmjd", 12346, "Sarr", "Awa", "SEN"),
        ("knsb", 4711, "Kuil", "Ben", "NED"),
    ):
        made[last] = create_player(
            number, register, last_name=last, first_name=first, sort_name=sort_name(last, first),
            federation_id=federation, sex="W", birth_year=1990,
        )  # fmt: skip
    PersonalData.objects.create(player=made["Vroom"], born="1990-02-01")
    PlayerIdentity.objects.create(player=made["Vroom"], register="national", number="NL-7")
    return made


def client_of(who: str) -> Client:
    role, federation, *_ = PEOPLE[who]
    return logged_in(role, federation=federation)


@pytest.mark.parametrize("who", PEOPLE)
def test_who_looks(who: str) -> None:
    _, federation, search, player, form = PEOPLE[who]
    client = client_of(who)
    for address, expected in (
        (reverse("office-players"), search),
        (reverse("office-players-csv"), search),
        (reverse("office-player", args=["12345"]), player),
        (reverse("office-player-edit", args=["12345"]), form),
        (reverse("office-player-transfer", args=["12345"]), TRANSFER[who]),
    ):
        response = client.get(address)
        assert response.status_code == expected, address
        if who == "anonymous":
            assert response["Location"] == f"/login/?next={address}"
        else:
            assert response["Cache-Control"] == "private, no-store"
        assert ("Vroom" in response.text) is (expected == 200 and federation != "SEN"), address


@pytest.mark.parametrize("who", ["official of NED", "official of SEN", "rating officer"])
@pytest.mark.parametrize("query", ["", "?q=sarr", "?q=12346", "?q=1234", "?federation=SEN", "?sex=W"])
def test_an_official_finds_no_player_of_another_federation(who: str, query: str) -> None:
    client = client_of(who)
    federation = PEOPLE[who][1]
    for name in ("office-players", "office-players-csv"):
        page = client.get(reverse(name) + query).text
        if federation == "NED":
            assert "Sarr" not in page.replace("“sarr”", "").replace('value="sarr"', "")
        elif federation == "SEN":
            assert "Vroom" not in page
            assert "Kuil" not in page
        else:
            assert "Sarr" in page


@pytest.mark.parametrize("address", [
    "0", "012345", "r0", "1234567890", "-1", "x", "12345x", "r", "r12345", "knsb-", "knsb-01", "national-NL",
    "999999999", "knsb-999999999", "knsb-12345", "none-12345",
])  # fmt: skip
def test_an_invalid_address_of_a_player(address: str) -> None:
    assert client_of("rating officer").get(f"/office/players/{address}/").status_code == 404


def test_a_player_without_an_fmjd_id_has_an_address(players: dict[str, Player]) -> None:
    client = client_of("rating officer")
    address = "knsb-4711"
    assert f"/office/players/{address}/" in client.get("/office/players/").text
    assert client.get(f"/office/players/{address}/").status_code == 200
    assert client.get(f"/office/players/{address}/edit/").status_code == 200
    # A player with an FMJD-ID has only one address.
    assert client.get("/office/players/fmjd-12345/").status_code == 404


@pytest.mark.parametrize(("who", "other", "visible"), [
    ("official of NED", "SEN", False), ("official of NED", "NED", True), ("rating officer", "SEN", True),
    ("administrator", "SEN", True),
])  # fmt: skip
@pytest.mark.parametrize("side", ["duplicate", "surviving"])
def test_an_official_sees_only_the_number_of_a_merged_record_of_another_federation(
    players: dict[str, Player], who: str, other: str, visible: bool, side: str
) -> None:
    Player.objects.filter(numbers__fmjd=12346).update(federation_id=other)
    officer = Actor(create_user("o@example.org", "Olga", roles=[Role.RATING_OFFICER]))
    pair = {"duplicate": players["Sarr"], "surviving": players["Vroom"]}
    if side == "duplicate":
        pair = {"duplicate": players["Vroom"], "surviving": players["Sarr"]}
    merge = merge_players(**pair, reason="Awa Sarr has a Dutch passport.", by=officer)
    client = client_of(who)
    page = client.get("/office/players/12345/").text
    assert "Player records merged" in page
    assert (page.count("passport"), "Sarr, Awa" in page) == ((3, True) if visible else (0, False))
    assert "12346" in page
    assert "by Olga" in page
    assert ('href="/office/players/12346/"' in page) is (PEOPLE[who][1] is None)
    undo_merge(merge=merge, reason="Awa Sarr is a cousin.", by=officer)
    page = client.get("/office/players/12345/").text
    assert "Merge undone" in page
    assert ("cousin" in page, "passport" in page) == (visible, visible)


# Who sees which part of a birth: people who can edit the player see the date, other readers the year.
@pytest.mark.parametrize(("who", "day"), [
    ("official of NED", True), ("rating officer", True), ("tournament director", True),
    ("administrator", False),
])  # fmt: skip
def test_who_sees_a_day_of_birth(who: str, day: bool) -> None:
    client = client_of(who)
    page = client.get("/office/players/12345/").text
    assert ("1 Feb 1990" in page, "1990" in page) == (day, True)
    assert "1990-02-01" not in client.get("/office/players/register.csv").text
    assert "1 Feb" not in client.get("/office/players/").text


FIELDS = {
    "last_name": "Vrooman", "first_name": "Adah", "sex": "M", "birth_year": "1990", "born": "1990-05-06",
    "national": "NL-8", "federation": "SEN", "title": "MIF", "title_64": "MIF", "knsb": "71", "fide": "72",
    "iccf": "73",
}  # fmt: skip
PERSONAL = {"last_name", "first_name", "sex", "birth_year", "born", "national"}


@pytest.mark.parametrize("action", ["look", "save"])
@pytest.mark.parametrize("who", PEOPLE)
def test_who_changes_a_field(players: dict[str, Player], who: str, action: str) -> None:
    """One that an official may change and one that the office alone may; each field is in test_edit_player.py."""
    client, may_open = client_of(who), PEOPLE[who][4] == 200
    for field, may in (("last_name", may_open), ("federation", may_open and who != "official of NED")):
        before, acts = record_of(players["Vroom"]), LogEntry.objects.count()
        typed = {field: FIELDS[field], "action": action, "looked_at": before.digest, "reason": "A letter"}
        response = client.post("/office/players/12345/edit/", typed)
        is_saved = may and action == "save"
        refused = 403 if may_open else PEOPLE[who][4]
        assert response.status_code == (refused if not may else 302 if is_saved else 200), field
        assert (record_of(players["Vroom"]) != before) is is_saved, field
        assert LogEntry.objects.count() - acts == is_saved, field


@pytest.mark.parametrize(("who", "fields"), [("official of NED", PERSONAL), ("rating officer", set(FIELDS))])
def test_the_form_has_the_fields_that_its_reader_may_change(who: str, fields: set[str]) -> None:
    page = client_of(who).get("/office/players/12345/edit/").text
    asked = set(re.findall(r'name="([a-z_0-9]+)"', page)) & set(FIELDS)
    assert asked == fields
    assert ('name="decision"' in page) is ("title" in fields)


@pytest.mark.parametrize("who", [who for who, row in PEOPLE.items() if row[2] == 200])
def test_the_register_leads_those_who_import_to_the_import(who: str) -> None:
    page = client_of(who).get("/office/players/").text
    assert ('href="/office/players/import/"' in page) is ("official" not in who)
