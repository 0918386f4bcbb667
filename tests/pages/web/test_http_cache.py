"""What a page may be kept by: ETags, 304, who may keep it and for how long, and files byte for byte."""

import gzip
import hashlib
from collections.abc import Callable, Mapping
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import brotli
import pytest
from django.apps import apps
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django_htmx.middleware import HtmxDetails

from config.web.kept_pages import KEPT, keep_public_pages
from config.web.middleware import show_direction_of_writing
from ratings.models import RatingList
from reporting.models import Player, RegisterChange
from reporting.web.http_cache import PAGES, ProcessCache, public_page, release_digest
from tests.pages.access.test_access import PUBLIC
from tests.people import client_of, create_user

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

LIST = "/lists/fmjd-100/2026-10-01/r1/"
TOURNAMENT = "2026-european-championship"
PAGES_KEPT = (
    "/", "/lists/", "/lists/fmjd-100/", LIST, f"{LIST}?page=2&sort=name", f"{LIST}women/", f"{LIST}tournaments/",
    f"{LIST}earlier/", "/players/?q=van", "/players/13368/", "/tournaments/",
    "/tournaments/2026-european-championship/", "/federations/", "/federations/NED/", "/method/fmjd/", "/export/",
    "/accessibility/", "/privacy/",
)  # fmt: skip


# Public addresses whose answer is not for all: a form with a token, a state of the moment.
NOT_FOR_ALL = {
    "ready", "standings", "pair", "check-file-example", "check-file-template-xlsx",
    "check-file-template-csv", "account_reset_password_done", "title-certificates",
}  # fmt: skip
FILES = {
    "list-file", "list-ratings-file", "player-history-file", "player-games-file", "recompute-program", "open-data-file",
    "champions-file",
    "tournament-file", "tournament-standings-file", "tournaments-calendar-file", "youth-teams-file",
    "world-cup-recompute",
}  # fmt: skip
NOT_KEPT = {"list-print", "sitemap", "sitemap-part"}
"""Megabytes of a long list, and what only search engines read."""
FOR_FRAMES = {"embed-list", "embed-player"}


def is_kept(client: Client, path: str, headers: Mapping[str, str] | None = None) -> bool:
    """Whether a page is answered by the one query for the snapshot.

    The snapshot is that of the cluster: a commit of another process's tests, between two requests, makes it again.
    """
    for _ in range(100):
        with CaptureQueriesContext(connection) as queries:
            client.get(path, headers=headers)
            asked = [query["sql"] for query in queries]
        if ["pg_current_snapshot" in sql for sql in asked] == [True]:
            return True
    return False


def test_who_is_not_logged_in_gets_what_everybody_gets(client: Client, season: None) -> None:
    """At every public address: no cookie, an ETag, 304 by one query; the page itself by one query the second time."""
    reader = client_of(create_user("reader@example.org", "Rina Reader"))
    for name, row in PUBLIC.items():
        path = reverse(name, args=row.arguments)
        first = client.get(path)
        assert not first.cookies, name
        if first.status_code != 200 or name in NOT_FOR_ALL:
            continue
        assert "Cookie" not in first.get("Vary", ""), name
        known = client.get(path, headers={"If-None-Match": first["ETag"]})
        assert (known.status_code, known.content, known["ETag"]) == (304, b"", first["ETag"]), name
        if name in FILES:
            continue
        assert first["Cache-Control"] == known["Cache-Control"] == "public, max-age=0, s-maxage=1", name
        assert {"HX-Request", "HX-Target"} <= set(first["Vary"].split(", ")), name
        other = client.get(path, headers={"If-None-Match": '"something else"'})
        assert (other.status_code, other.content, other["ETag"]) == (200, first.content, first["ETag"]), name
        if name not in NOT_KEPT:
            assert is_kept(client, path), name
            assert is_kept(client, path, {"If-None-Match": first["ETag"]}), name
        if name in FOR_FRAMES:  # the same also for who is logged in
            continue
        own = reader.get(path, headers={"If-None-Match": first["ETag"]})
        assert (own.status_code, own["Cache-Control"], "ETag" in own) == (200, "private, no-store", False), (
            name
        )
    assert ("Rina Reader" in reader.get(LIST).text, "Rina Reader" in client.get(LIST).text) == (True, False)


def decompressed(answer: Any) -> bytes:
    decompress = {"br": brotli.decompress, "gzip": gzip.decompress, "": bytes}
    return decompress[answer.get("Content-Encoding", "")](answer.content)


@pytest.mark.parametrize("path", [LIST, f"/api/v1{LIST}entries/"])
def test_what_is_kept_is_compressed_as_accepted(client: Client, season_read: None, path: str) -> None:
    """Made or kept, whole or 304: one ETag, a weak one; a reader who names no encoding gets the bytes as they are."""
    plain = client.get(path)
    assert "Content-Encoding" not in plain
    assert plain["ETag"].startswith('W/"')
    for accepted, encoding in (
        ("gzip, deflate, br, zstd", "br"), ("gzip", "gzip"), ("GZIP;q=0.5", "gzip"), ("br;q=0, gzip;q=1.0", "gzip"),
        ("br; q=0.000", ""), ("identity", ""), ("*", ""), ("x-gzip", ""), ("br;q=high", ""), (",,;q=", ""),
    ):  # fmt: skip
        for is_kept_already in (False, True):
            if not is_kept_already:
                KEPT.clear()
                PAGES.clear()
            answer = client.get(path, headers={"Accept-Encoding": accepted})
            assert answer.get("Content-Encoding", "") == encoding, accepted
            assert decompressed(answer) == plain.content
            assert answer["Content-Length"] == str(len(answer.content))
            assert answer["Content-Type"] == plain["Content-Type"]
            assert answer["ETag"] == plain["ETag"]
            assert "Accept-Encoding" in answer["Vary"].split(", ")
            known = client.get(path, headers={"Accept-Encoding": accepted, "If-None-Match": answer["ETag"]})
            assert (known.status_code, known.content, known["ETag"]) == (304, b"", plain["ETag"])
            assert "Accept-Encoding" in known["Vary"].split(", ")
            assert "Content-Encoding" not in known


def test_no_answer_is_compressed_that_could_hold_a_secret(client: Client, season_read: None) -> None:
    """Its length would tell of the secret to who can choose a part of it (BREACH)."""
    accepted = {"Accept-Encoding": "gzip, br"}
    assert client.get(LIST, headers=accepted)["Content-Encoding"] == "br"
    assert "Content-Encoding" not in Client().get("/login/", headers=accepted)  # its form has a token
    client.cookies["csrftoken"] = "of-this-browser"
    assert "Content-Encoding" not in client.get(LIST, headers=accepted)
    client.cookies["sessionid"] = "of-a-person"
    assert "Content-Encoding" not in client.get(LIST, headers=accepted)


@pytest.mark.django_db(transaction=True)
def test_a_page_is_kept_as_it_is_sent(rf: RequestFactory) -> None:
    """Characters that turn the direction of writing are shown on its way out (decision 0097)."""

    def view(request: HttpRequest) -> HttpResponse:
        request.htmx = HtmxDetails(request)  # type: ignore[attr-defined]
        answer = public_page(request, ("direction",), lambda: "before \u202e after")
        assert isinstance(answer, HttpResponse)
        return answer

    answered = keep_public_pages(show_direction_of_writing(view))
    answers = [answered(rf.get("/")) for _ in range(5)]
    assert {(answer.getvalue(), answer["Content-Length"]) for answer in answers} == {
        (b"before &lt;U+202E&gt; after", "27")
    }


@pytest.mark.django_db(transaction=True)
def test_an_answer_that_depends_on_more_is_not_kept(rf: RequestFactory) -> None:
    def is_kept(change: Callable[[HttpResponseBase], object] = bool, **headers: str) -> bool:
        """Whether a second reader is answered without the view, at least once: other processes commit meanwhile."""
        calls = []

        def view(request: HttpRequest) -> HttpResponseBase:
            calls.append(request)
            request.htmx = HtmxDetails(request)  # type: ignore[attr-defined]
            response = public_page(request, ("stamp",), lambda: "page")
            change(response)
            return response

        for _ in range(100):
            KEPT.clear()
            calls.clear()
            answers = [keep_public_pages(view)(rf.get("/", headers=headers)) for _ in range(2)]
            assert [answer.getvalue() for answer in answers] == [b"page", b"page"]
            if len(calls) == 1:
                return True
        return False

    assert is_kept()
    assert is_kept(lambda page: patch_vary_headers(page, ["Cookie"]))  # by what Django supposes of templates
    assert not is_kept(lambda page: patch_vary_headers(page, ["Accept"]))
    assert not is_kept(lambda page: page.set_cookie("any", "value"))
    assert not is_kept(lambda page: page.headers.__setitem__("Cache-Control", "private"))
    assert not is_kept(lambda page: delattr(page, "is_public_page"))  # what another function made
    assert not is_kept(cookie="any=value")
    assert not is_kept(authorization="Bearer any")
    with transaction.atomic():
        assert not is_kept()


def test_a_release_that_changes_a_file_changes_every_etag(
    settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sentences and figures are in the program too: rulings, findings, parameters."""
    folders = [tmp_path / name for name in ("ratings", "templates", "static", "uplot")]
    settings.DEBUG, settings.BASE_DIR = True, tmp_path  # read at each request
    settings.TEMPLATES = [{**settings.TEMPLATES[0], "DIRS": [folders[1]]}]
    settings.STATICFILES_DIRS = [folders[2], ("uplot", folders[3])]
    monkeypatch.setattr(apps, "get_app_configs", lambda: [SimpleNamespace(path=str(folders[0]))])
    digests = {release_digest()}
    for number, folder in enumerate(folders, start=2):
        (folder / "rules").mkdir(parents=True)
        (folder / "rules/rulings.py").write_text("R1 = 'text'")
        digests.add(release_digest())
        assert len(digests) == number, folder


def test_what_trackers_add_to_an_address_changes_nothing(client: Client, season_shared: None) -> None:
    shared = client.get(f"{LIST}?utm_source=news&page=2&fbclid=x&mail=2026-10-01")
    assert shared.status_code == 200
    assert shared["ETag"] == client.get(f"{LIST}?page=2")["ETag"]
    assert "utm_source" not in shared.text
    # A program has none to add.
    assert client.get("/api/v1/lists/?utm_source=news").status_code == 400


def test_different_questions_have_different_etags(client: Client, season_shared: None) -> None:
    paths = [LIST, f"{LIST}?page=2", f"{LIST}?sort=name", f"{LIST}full/", "/lists/fmjd-100/"]
    etags = {client.get(path)["ETag"] for path in paths}
    etags.add(client.get(LIST, headers={"HX-Request": "true", "HX-Target": "results"})["ETag"])
    assert len(etags) == len(paths) + 1


OF_THE_REGISTER = (
    f"/tournaments/{TOURNAMENT}/", f"/tournaments/{TOURNAMENT}/crosstable/", f"/tournaments/{TOURNAMENT}/changes/",
    "/players/17294/", "/players/17294/opponents/", "/players/17294/games.csv",
    f"/api/v1/tournaments/{TOURNAMENT}/crosstable/",
    "/api/v1/players/17294/changes/fmjd-100/2026-10-01/",
    "/records/",
)  # fmt: skip
"""Pages and answers that name player 18541, an opponent of 17294 and one of the best, as the register does."""


@pytest.mark.parametrize("path", OF_THE_REGISTER)
def test_a_name_corrected_in_the_register_is_seen(client: Client, season_shared: None, path: str) -> None:
    player = Player.objects.get(numbers__fmjd=18541)
    before = client.get(path)
    assert player.last_name in unescape(before.text)
    Player.objects.filter(pk=player.pk).update(last_name="Corrected", sort_name="corrected")
    after = client.get(path, headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    assert "Corrected" in after.text
    assert player.last_name not in unescape(after.text)


@pytest.mark.database_role("owner")
def test_an_act_of_the_register_that_commits_late_changes_titles(client: Client, season_shared: None) -> None:
    """Its row has a lower key than that of an act that committed before."""
    late = RegisterChange.objects.create().pk + 1
    RegisterChange.objects.create(pk=late + 1)
    before = client.get("/titles/")
    RegisterChange.objects.create(pk=late)
    assert client.get("/titles/", headers={"If-None-Match": before["ETag"]}).status_code == 200


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
        assert (client.post(path).status_code, client.head(path).status_code) == (405, 200)


def test_a_cache_of_the_process_has_a_limit_of_bytes_and_leaves_out_what_was_used_least() -> None:
    cache = ProcessCache("limited", entries=100, most_bytes=10_000)
    for number in range(20):
        cache.set(str(number), bytes(1_000))
        assert cache.get("0") is not None
        assert cache.size <= 10_000
    assert [number for number in range(20) if cache.get(str(number))] == [0, *range(12, 20)]
    cache.set("too-large", bytes(20_000))
    assert cache.get("too-large") is None
    cache.set("20", bytes(1_000))
    assert cache.get("20") is not None
    # Replaced, taken out, and left out for their number: the size is still that of what is there.
    cache.set("20", bytes(2_000))
    cache.delete("19")
    assert cache.size == sum(map(len, cache._cache.values())) > 2_000
    for number in range(200):
        cache.set(f"many-{number}", b"small")
    assert cache.size == sum(map(len, cache._cache.values())) < 3_000
