"""Publications of the World Cup and of championships for programs: endpoints, feed of changes, sitemap."""

import sqlite3
from contextlib import closing
from datetime import date
from hashlib import sha256
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ratings.publishing.open_data.export import export_stamp, write_files
from ratings.publishing.public_changes.number_changes import number_changes
from reporting.log.audit import Actor
from reporting.models import Player, Role
from tests.people import create_user
from tests.services.conftest import Office, small_office
from tests.services.test_publications import draft, published
from tests.services.test_world_cup_commands import CUP, accept
from titles.federations.fmjd.championships.publication import key_of_list
from titles.federations.fmjd.championships.services.save_championship import (
    ChampionshipValues,
    create_championship,
)
from titles.federations.fmjd.models import Championship
from titles.federations.fmjd.world_cup.publications.selectors import key_of_classification

pytestmark = pytest.mark.django_db

CLASSIFICATIONS, LISTS = "/api/v1/world-cup/", "/api/v1/championships/"
FIRST = "/world-cup/100/2026-06-30/r1/"
SECOND = "/world-cup/100/2026-06-30/r2/"
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def director() -> Actor:
    return Actor(create_user("dora@example.org", "Dora", roles=[Role.TOURNAMENT_DIRECTOR]))


@pytest.fixture
def releaser() -> Actor:
    return Actor(create_user("rob@example.org", "Rob", roles=[Role.RELEASING_OFFICER]))


@pytest.fixture
def office() -> Office:
    """Five stars, one group: 11 M, 12 W, 13 M absent from the closing ceremony, 14 M, with 6, 4, 1 and 1 points."""
    own = small_office()
    own.register(11, 13, 14)
    own.register(12, sex="W")
    accept(own, "Cup", [11, 12, 13, 14], absent_from_closing="[3]", **CUP)
    return own


def revise(office: Office, director: Actor, releaser: Actor) -> None:
    """A tournament of May is reported late: 11, 14 and 13 have 220, 185 and 55 points (tests/services)."""
    accept(office, "Other", [14, 11, 13, 12], month=5, **CUP)
    published(director, releaser, reason="A tournament was reported late.")


def create_world_championship(director: Actor) -> None:
    values = ChampionshipValues(first_day=date(2027, 9, 28), council_day=date(2027, 7, 1), champion=11)
    create_championship(kind=Championship.Kind.WORLD_20, values=values, by=director)


def test_a_classification_is_read_by_program_in_all_revisions(
    office: Office, director: Actor, releaser: Actor, client: Client
) -> None:
    assert client.get(CLASSIFICATIONS).json() == {"count": 0, "next": None, "previous": None, "results": []}
    made = published(director, releaser)
    (row,) = client.get(CLASSIFICATIONS).json()["results"]
    assert row == {
        "revision": 1, "is_newest": True, "published_at": row["published_at"], "rows": 2, "sha256": made.sha256,
        "url": f"/api/v1{FIRST}", "page": FIRST, "section": "100", "classification": "open", "day": "2026-06-30",
    }  # fmt: skip
    first = client.get(row["url"])
    whole = first.json()
    assert whole["count"] == 2
    # Places 1 and 3 of the open classification: 100 + 5 * 6 = 130, 50 + 5 * 1 = 55.
    assert [(one["rank"], one["fmjd_id"], one["points"]) for one in whole["results"]] == [
        (1, 11, 130),
        (2, 14, 55),
    ]
    assert whole["results"][0]["name"] == Player.objects.get(numbers__fmjd=11).printed_name
    assert whole["results"][0]["results"] == [
        {
            "tournament": "2026-cup", "last_round": "2026-03-08", "stars": 5, "place": 1, "bonus_place": 1, "tp": 6,
            "factor": 5, "bonus": 100, "points": 130, "wins": 3, "counts": True, "absent": False,
        }
    ]  # fmt: skip
    assert (whole["edition"], whole["reason"], whole["differences"]) == ("world-cup-2024-04", None, None)
    for file in whole["files"]:
        content = client.get(file["url"]).content
        assert file["sha256"] in {None, sha256(content).hexdigest()}
    assert {file["name"] for file in whole["files"] if file["sha256"]} == {"figures.json", "results.csv"}
    again = client.get(row["url"], headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")

    revise(office, director, releaser)
    assert client.get(row["url"], headers={"If-None-Match": first["ETag"]}).status_code == 200
    rows = client.get(CLASSIFICATIONS).json()["results"]
    assert [(one["revision"], one["is_newest"]) for one in rows] == [(2, True), (1, False)]
    second = client.get(f"/api/v1{SECOND}").json()
    assert second["reason"] == "A tournament was reported late."
    assert [one["url"] for one in second["revisions"]] == [f"/api/v1{SECOND}", f"/api/v1{FIRST}"]
    assert client.get(row["url"]).json()["is_newest"] is False
    changed = client.get(second["differences"]).json()
    assert (changed["count"], changed["reason"]) == (3, second["reason"])
    sides = [(one["before"], one["after"]) for one in changed["results"]]
    assert [(after["fmjd_id"], before and before["points"], after["points"]) for before, after in sides] == [
        (11, 130, 220), (14, 55, 185), (13, None, 55),
    ]  # fmt: skip
    assert sides[0][1]["name"] == whole["results"][0]["name"]
    assert client.get(f"/api/v1{FIRST}differences/").json() == {
        "reason": None, "count": 0, "next": None, "previous": None, "results": [],
    }  # fmt: skip


def test_rows_are_paged_and_filtered(
    office: Office, director: Actor, releaser: Actor, client: Client
) -> None:
    published(director, releaser)
    published(director, releaser, key_of_classification("100", date(2026, 6, 30), women=True))
    accept(office, "Squares", [11, 12, 13, 14], year=2025, month=6, discipline='"64"', **CUP)
    published(director, releaser, key_of_classification("64", date(2025, 12, 31), women=False))

    def pages(query: str) -> list[str]:
        return [row["page"] for row in client.get(f"{CLASSIFICATIONS}?{query}").json()["results"]]

    women, other = "/world-cup/100/2026-06-30/r1/women/", "/world-cup/64/2025-12-31/r1/"
    assert pages("") == [other, women, FIRST]
    assert pages("section=64") == [other]
    assert pages("classification=women") == [women]
    assert pages("year=2026&classification=open") == [FIRST]
    assert pages("year=1999") == []
    of_women = client.get(f"/api/v1{women}").json()
    assert (of_women["classification"], [one["fmjd_id"] for one in of_women["results"]]) == ("women", [12])
    assert client.get(f"/api/v1{women}differences/").json()["count"] == 0
    one = client.get(f"/api/v1{FIRST}?limit=1&offset=1").json()
    assert [row["fmjd_id"] for row in one["results"]] == [14]
    assert one["previous"].endswith("limit=1&offset=0")


BAD = (
    *(f"{CLASSIFICATIONS}?{query}" for query in (
        "section=32", "section=", "classification=men", "year=x", "year=-1", "year=99999999999",
        "year=2026&year=2025", "limit=0", "limit=501", "offset=-1", "sort=day", "section=%00", "year=%D9%A2%D9%A0",
    )),
    *(f"{LISTS}?{query}" for query in (
        "championship=world-2031", "championship=%27", "kind=classification", "year=1", f"championship={'x' * 99}",
    )),
    f"/api/v1{FIRST}?page=2",
)  # fmt: skip
MISSING = (
    *(f"{CLASSIFICATIONS}{path}" for path in (
        "100/2026-06-30/r2/", "100/2026-06-30/r0/", "100/2026-02-30/r1/", "32/2026-06-30/r1/", "100/2026-06-30/",
        "100/2026-06-30/r99999999999/", "100/2026-06-30/r1/men/", "100/2026-06-30/r1/women/differences/",
        "100/0000-00-00/r1/", "-/2026-06-30/r1/differences/",
    )),
    *(f"{LISTS}{path}" for path in (
        "world-2031/participants/r1/", "world-2031/reserves/r1/differences/", "world-2031/shoes/r1/",
        "%00/reserves/r1/", f"{'x' * 300}/reserves/r1/",
    )),
)  # fmt: skip


def test_what_cannot_be_asked_says_so(
    office: Office, director: Actor, releaser: Actor, client: Client
) -> None:
    published(director, releaser)
    for addresses, status in ((BAD, 400), (MISSING, 404)):
        for address in addresses:
            answer = client.get(address)
            assert (answer.status_code, {*answer.json()}) == (status, {"code", "message", "findings"}), (
                address
            )


def test_a_draft_is_nowhere(office: Office, director: Actor, client: Client) -> None:
    draft(director)
    assert client.get(CLASSIFICATIONS).json()["count"] == 0
    assert client.get(f"/api/v1{FIRST}").status_code == 404
    assert FIRST not in client.get("/sitemaps/world-cup-1.xml").text
    number_changes()
    assert "publication" not in client.get("/api/v1/changes/").text


def test_the_lists_of_a_championship_are_read_by_program(
    office: Office, director: Actor, releaser: Actor, client: Client
) -> None:
    """The champion has item 1; no player is named for other items."""
    create_world_championship(director)
    published(director, releaser, key_of_list("participants", "world-2027"))
    published(director, releaser, key_of_list("reserves", "world-2027"))
    rows = client.get(LISTS).json()["results"]
    assert [(row["kind"], row["championship"], row["page"]) for row in rows] == [
        ("reserves", "world-2027", "/championships/world-2027/reserves/r1/"),
        ("participants", "world-2027", "/championships/world-2027/participants/r1/"),
    ]
    for query, kinds in (
        ("championship=world-2027&kind=reserves", ["reserves"]), ("year=2027&kind=participants", ["participants"]),
        ("year=2026", []),
    ):  # fmt: skip
        assert [row["kind"] for row in client.get(f"{LISTS}?{query}").json()["results"]] == kinds
    whole = client.get(rows[1]["url"]).json()
    first, *others = whole["results"]
    assert whole["count"] == 20  # Annex 17 App. A
    assert first == {
        "fmjd_id": 11, "federation": "NED", "number": 1, "item": 1, "kind": "champion", "source": "champion",
        "by_lot": False, "state": "named", "good_standing": True, "withdrawn": [],
        "name": Player.objects.get(numbers__fmjd=11).printed_name,
    }  # fmt: skip
    assert {(one["fmjd_id"], one["name"], one["federation"]) for one in others if one["state"] == "open"} == {
        (None, None, None)
    }
    assert {file["name"] for file in whole["files"] if file["sha256"]} == {"figures.json", "inputs.json"}
    reserves = client.get(rows[0]["url"])
    assert (reserves.status_code, reserves.json()["count"]) == (200, rows[0]["rows"])
    for row in rows:
        assert client.get(f"{row['url']}differences/").json()["count"] == 0
    listed = client.get("/sitemaps/world-cup-1.xml").text
    assert [client.get(path).status_code for path in ("/championships/world-2027/", rows[0]["page"])] == [
        200
    ] * 2
    for path in ("/championships/world-2027/", *(row["page"] for row in rows)):
        assert f"{path}</loc>" in listed


def test_publications_and_revisions_are_in_the_feed_of_changes_and_the_sitemap(
    office: Office, director: Actor, releaser: Actor, client: Client
) -> None:
    assert "world-cup" not in client.get("/sitemap.xml").text
    made = published(director, releaser)
    number_changes()
    before = client.get("/changes.atom")
    index = client.get("/sitemap.xml")
    assert made.published_at is not None
    day = made.published_at.date().isoformat()
    part = client.get("/sitemaps/world-cup-1.xml")
    assert f"{FIRST}</loc><lastmod>{day}" in "".join(part.text.split())
    revise(office, director, releaser)
    number_changes()
    changes = [
        row
        for row in client.get("/api/v1/changes/").json()["results"]
        if row["event"].startswith("publication")
    ]
    assert [(row["event"], row["page"], row["url"]) for row in changes] == [
        ("publication.published", FIRST, f"/api/v1{FIRST}"),
        ("publication.revised", SECOND, f"/api/v1{SECOND}"),
    ]
    assert {changes[0][name] for name in ("list", "player", "tournament", "title")} == {None}
    feed = client.get("/changes.atom", headers={"If-None-Match": before["ETag"]})
    entries = [
        (str(one.findtext(f"{ATOM}title")), str(one.findtext(f"{ATOM}id")).removeprefix("http://localhost"))
        for one in fromstring(feed.content).iter(f"{ATOM}entry")  # noqa: S314 (our own answer)
    ]
    name = "World Cup, 100 squares, on 30 Jun 2026"
    assert entries[0] == (f"Revision published: {name}", f"{SECOND}#change-{changes[1]['number']}")
    assert (f"Published: {name}", f"{FIRST}#change-{changes[0]['number']}") in entries
    listed = client.get("/sitemaps/world-cup-1.xml", headers={"If-None-Match": part["ETag"]}).text
    assert (f"{SECOND}</loc>" in listed, f"{FIRST}</loc>" in listed) == (True, False)
    assert client.get("/sitemap.xml", headers={"If-None-Match": index["ETag"]}).status_code == 200
    assert client.get("/sitemaps/world-cup-2.xml").status_code == 404


def test_queries(office: Office, director: Actor, releaser: Actor, client: Client) -> None:
    """The same for any number of rows."""
    published(director, releaser)
    revise(office, director, releaser)
    number_changes()
    for path, first, second in (
        (CLASSIFICATIONS, 5, 2),
        (LISTS, 5, 2),
        (f"/api/v1{FIRST}", 4, 3),
        (f"/api/v1{SECOND}differences/", 6, 3),
        ("/changes.atom", 2, 2),
        ("/sitemaps/world-cup-1.xml", 2, 2),
    ):
        for expected in (first, second):
            with CaptureQueriesContext(connection) as queries:
                assert client.get(path).status_code == 200
            assert len(queries) == expected, (path, [query["sql"][:150] for query in queries])


def test_publications_are_tables_of_the_open_data(
    office: Office, director: Actor, releaser: Actor, client: Client, tmp_path: Path
) -> None:
    """The figures files in rows, without a name."""
    before = export_stamp([], 0)
    published(director, releaser)
    assert export_stamp([], 0) != before
    revise(office, director, releaser)
    create_world_championship(director)
    for kind in ("participants", "reserves"):
        published(director, releaser, key_of_list(kind, "world-2027"))
    write_files(tmp_path, [], timezone.now())
    with closing(sqlite3.connect(tmp_path / "open-data.sqlite")) as database:
        places, listed = (
            "/championships/world-2027/participants/r1/",
            "/championships/world-2027/reserves/r1/",
        )
        assert database.execute(
            "SELECT publication, kind, classification, day, championship, revision, newest FROM fmjd_publications"
        ).fetchall() == [
            (FIRST, "classification", "open", "2026-06-30", None, 1, 0),
            (SECOND, "classification", "open", "2026-06-30", None, 2, 1),
            (places, "participants", None, None, "world-2027", 1, 1),
            (listed, "reserves", None, None, "world-2027", 1, 1),
        ]
        assert database.execute("SELECT * FROM fmjd_classifications ORDER BY publication, rank").fetchall()[:2] == [
            (FIRST, 1, 11, "NED", 130, 1, 0, 0, 130, 3, 0), (FIRST, 2, 14, "NED", 55, 0, 0, 1, 55, 0, 0),
        ]  # fmt: skip
        assert database.execute(
            "SELECT fmjd_id, tournament, last_round, bonus_place, points, counts FROM fmjd_classification_results"
            " WHERE publication = ? AND fmjd_id = 11",
            [SECOND],
        ).fetchall() == [
            (11, "2026-cup", "2026-03-08", 1, 130, 1),
            (11, "2026-other", "2026-05-08", 2, 90, 1),
        ]
        for table, number, page in (("participants", "number", places), ("reserves", "position", listed)):
            rows = client.get(f"/api/v1{page}").json()["results"]
            assert database.execute(
                f"SELECT {number}, fmjd_id, source FROM fmjd_{table} ORDER BY {number}"
            ).fetchall() == [(row[number], row["fmjd_id"], row["source"]) for row in rows]
        text = "\n".join(database.iterdump())
    assert not any(name in text for name in Player.objects.values_list("last_name", flat=True))
