"""What a page may be kept by: ETags, 304, who may keep it and for how long, and files byte for byte."""

import hashlib
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from ratings.models import RatingList
from ratings.systems.fmjd.models import FmjdListRow
from tests.people import create_user

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

LIST = "/lists/fmjd-100/2026-10-01/r1/"
PAGES_KEPT = (
    "/", "/lists/", "/lists/fmjd-100/", LIST, f"{LIST}?page=2&sort=name", f"{LIST}women/", f"{LIST}tournaments/",
    f"{LIST}earlier/", "/players/?q=van", "/players/13368/", "/tournaments/",
    "/tournaments/2026-european-championship/", "/federations/", "/federations/NED/", "/method/fmjd/", "/export/",
    "/accessibility/", "/privacy/",
)  # fmt: skip


@pytest.mark.parametrize("path", PAGES_KEPT)
def test_a_page_is_not_sent_twice(
    client: Client, season_shared: None, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # At noon: a page is kept no longer than the day lasts (test_in_force.py).
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 11, 20, 12, tzinfo=UTC))
    first = client.get(path)
    again = client.get(path, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == first["ETag"]
    assert first["Cache-Control"] == again["Cache-Control"] == "public, max-age=300"
    assert {"Cookie", "HX-Request"} <= set(first["Vary"].split(", "))
    other = client.get(path, headers={"If-None-Match": '"something else"'})
    assert (other.status_code, other.content) == (200, first.content)


def test_different_questions_have_different_etags(client: Client, season_shared: None) -> None:
    paths = [LIST, f"{LIST}?page=2", f"{LIST}?sort=name", f"{LIST}full/", "/lists/fmjd-100/"]
    etags = {client.get(path)["ETag"] for path in paths}
    etags.add(client.get(LIST, headers={"HX-Request": "true", "HX-Target": "results"})["ETag"])
    assert len(etags) == len(paths) + 1


def test_who_is_logged_in_is_served_apart(client: Client, season_shared: None) -> None:
    anonymous = client.get(LIST)
    user = create_user("reader@example.org", "Rina Reader", "long-enough-for-all")
    client.force_login(user)
    own = client.get(LIST, headers={"If-None-Match": anonymous["ETag"]})
    assert own.status_code == 200
    assert own["Cache-Control"] == "private, no-store"
    assert "Rina Reader" in own.text
    assert "ETag" not in own
    assert "Rina Reader" not in Client().get(LIST).text


@pytest.mark.database_role("owner")
def test_an_erased_name_leaves_every_page(client: Client, season: None) -> None:
    row = FmjdListRow.objects.filter(list__in_force="2026-10-01", official_position=3).get()
    first = client.get(LIST)
    assert row.name in first.text
    with connection.cursor() as cursor:
        cursor.execute("select erase_player_name(%s)", [row.player_id])
        # With the name go the files that carry it; their hashes tell every page that it has changed.
        cursor.execute(
            "update ratings_publishedfile set content = 'without', sha256 = repeat('0', 64), size = 7"
            " where list_id = %s and name = 'list.csv'",
            [row.list_id],
        )
    assert row.name not in client.get(LIST).text
    assert "Erased player" in client.get(LIST).text
    assert client.get(LIST, headers={"If-None-Match": first["ETag"]}).status_code == 200
    assert client.get(f"/players/{row.register_number}/").status_code == 404
    assert row.name not in client.get("/players/", {"q": row.name.split(",")[0]}).text


@pytest.mark.parametrize("revision", ["r1"])
def test_files_come_byte_for_byte(client: Client, season_shared: None, revision: str) -> None:
    rating_list = RatingList.objects.get(in_force="2026-10-01")
    files = list(rating_list.files.all())
    assert {"figures.csv", "games.csv", "tournaments.csv"} <= {file.name for file in files}
    for file in files:
        response = client.get(f"{LIST}files/{file.name}")
        assert hashlib.sha256(response.content).hexdigest() == file.sha256
        assert response["Content-Disposition"] == f'attachment; filename="fmjd-100_2026-10-01_r1_{file.name}"'
        assert response["X-Content-Type-Options"] == "nosniff"
        assert ("immutable" in response["Cache-Control"]) is not file.has_names
        again = client.get(f"{LIST}files/{file.name}", headers={"If-None-Match": response["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
    assert hashlib.sha256(client.get(f"{LIST}files/figures.csv").content).hexdigest() == rating_list.sha256


@pytest.mark.parametrize(
    "name", ["nothing.csv", "figures.csv.gz", "..", "%2e%2e%2fsettings.py", "FIGURES.CSV", "a" * 60]
)
def test_other_files_are_not_there(client: Client, season_shared: None, name: str) -> None:
    assert client.get(f"{LIST}files/{name}").status_code == 404


def test_only_reading_is_possible(client: Client, season_shared: None) -> None:
    for path in PAGES_KEPT:
        assert client.post(path).status_code == 405
        assert client.head(path).status_code == 200
