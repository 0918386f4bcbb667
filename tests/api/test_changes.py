"""The feed of changes, by the API and as an Atom feed: all changes once, in their order, and no erased name."""

import pytest
from django.test import Client
from jsonschema import Draft202012Validator

from ratings.models import PublicChange
from ratings.published.api.serializers.reference import PublicChangeSerializer
from ratings.publishing.public_changes.number_changes import number_changes
from reporting.models import Player
from reporting.register.services.erase_name import erase_name
from tests.services.conftest import small_office

CHANGES = "/api/v1/changes/"
ALL_KEYS = {
    "number", "at", "event", "list", "player", "merged_into", "tournament", "title", "discipline", "changed", "page",
    "url",
}  # fmt: skip


@pytest.mark.django_db
@pytest.mark.database_role("web")
@pytest.mark.usefixtures("season_shared")
def test_a_mirror_that_follows_the_cursor_reads_every_change_once(client: Client) -> None:
    address, numbers, events = f"{CHANGES}?limit=7", [], set()
    while address:
        answer = client.get(address).json()
        assert {*answer} == {"newest", "next", "results"}
        for row in answer["results"]:
            assert {*row} == ALL_KEYS == {*PublicChangeSerializer().fields}
            numbers.append(row["number"])
            events.add(row["event"])
            if row["event"] != "tournament.accepted":
                assert client.get(row["url"]).status_code == 200, row
        address = answer["next"]
    assert numbers == [*range(1, answer["newest"] + 1)]
    assert events == {"list.published", "tournament.accepted", "tournament.calculated"}
    last = client.get(CHANGES, {"since": answer["newest"]})
    assert last.json() == {"newest": answer["newest"], "next": None, "results": []}
    again = client.get(CHANGES, {"since": answer["newest"]}, headers={"If-None-Match": last["ETag"]})
    assert again.status_code == 304


@pytest.mark.django_db
@pytest.mark.database_role("web")
def test_an_office_without_changes_says_so(client: Client) -> None:
    assert client.get(CHANGES).json() == {"newest": 0, "next": None, "results": []}
    feed = client.get("/changes.atom")
    assert feed.status_code == 200
    assert "<entry>" not in feed.text


@pytest.mark.django_db
@pytest.mark.database_role("web")
@pytest.mark.parametrize(
    "query", ["since=-1", "since=x", "since=", "since=9223372036854775808", "since=1", "limit=501", "after=3"]
)
def test_a_parameter_that_cannot_be_used_is_named(client: Client, query: str) -> None:
    answer = client.get(f"{CHANGES}?{query}")
    assert answer.status_code == 400
    assert [finding["field"] for finding in answer.json()["findings"]] == [query.partition("=")[0]]


@pytest.mark.django_db(transaction=True)
@pytest.mark.database_role("owner")
def test_a_new_change_has_another_etag_and_an_erased_name_is_gone_from_both(client: Client) -> None:
    own = small_office()
    own.opening("fmjd_id rating games\n11 2000 100\n12 2000 100")
    number_changes()
    before = client.get(CHANGES)
    own.register(13)
    PublicChange.objects.create(
        number=2, entry=PublicChange.objects.get().entry, at="2026-01-02T12:00Z", event="player.changed",
        player=Player.objects.get(numbers__fmjd=11), changed=["name", "sex"],
    )  # fmt: skip
    answer = client.get(CHANGES, headers={"If-None-Match": before["ETag"]})
    assert answer.status_code == 200
    assert answer.json()["results"][1] == {
        "number": 2, "at": "2026-01-02T12:00:00Z", "event": "player.changed", "list": None, "player": "11",
        "merged_into": None, "tournament": None, "title": None, "discipline": None, "changed": ["name", "sex"],
        "page": None,
        "url": "/api/v1/players/11/",
    }  # fmt: skip
    name = own.names[11][1]
    feed = client.get("/changes.atom").text
    assert f"Player changed: {own.names[11][0]} {name} (11)" in feed
    assert "Name, Sex" in feed
    assert name not in answer.text
    erase_name(player=Player.objects.get(numbers__fmjd=11), reason="Asked for it.", by=own.officer)
    number_changes()
    feed = client.get("/changes.atom").text
    assert name not in feed
    assert "Name erased: Erased player (11)" in feed
    newest = client.get(CHANGES, {"since": 2}).json()["results"]
    assert [(row["event"], row["player"]) for row in newest] == [("player.erased", "11")]


@pytest.mark.django_db
@pytest.mark.database_role("web")
@pytest.mark.usefixtures("season_shared")
def test_changes_are_as_the_openapi_file_describes_them(client: Client) -> None:
    described = client.get("/api/v1/openapi.json").json()
    operation = described["paths"][CHANGES]["get"]
    assert operation["operationId"] == "listChanges"
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    answer = client.get(CHANGES, {"limit": 500}).json()
    Draft202012Validator({**schema, "components": described["components"]}).validate(answer)
