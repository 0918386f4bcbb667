"""The pages of a World Cup classification: requested, signed by two persons, read by all (R71c, U27)."""

from __future__ import annotations

import json
import re
from datetime import date
from http import HTTPStatus

import pytest
from django.conf import settings
from django.db import connection
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext

from ratings.worker.progress import Progress, Stage
from reporting.log.audit import Actor
from reporting.models import PersonalData, Player, ResultSet, Role
from tests.pages.office.office_pages import person, text_of
from tests.people import client_of
from tests.services.conftest import Office
from tests.services.test_world_cup_commands import CUP, accept
from titles.federations.fmjd.championships.publication import key_of_list
from titles.federations.fmjd.championships.services.save_championship import (
    ChampionshipValues,
    create_championship,
)
from titles.federations.fmjd.models import Championship, Publication, PublicationRow
from titles.federations.fmjd.world_cup.publications.classification import INPUT_COLUMNS, calculate
from titles.federations.fmjd.world_cup.publications.files import csv_text, digest, figures_json
from titles.federations.fmjd.world_cup.publications.kinds import key_of
from titles.federations.fmjd.world_cup.publications.outdated import compare_publications
from titles.federations.fmjd.world_cup.publications.panels import player_results
from titles.federations.fmjd.world_cup.publications.steps import (
    calculate_requested,
    progress_name,
    publish_by_command,
)
from titles.federations.fmjd.world_cup.publications.verify import verify_publications

pytestmark = pytest.mark.django_db

OFFICE = "/office/world-cup/publications/"
ASKED = {"classification": "open", "section": "100", "on": "2026-06-30"}
PAGE = "/world-cup/100/2026-06-30/"


@pytest.fixture
def director(office: Office) -> Client:
    return client_of(person("Dora", Role.TOURNAMENT_DIRECTOR))


@pytest.fixture
def releaser(office: Office) -> Client:
    return client_of(person("Rob", Role.RELEASING_OFFICER))


@pytest.fixture
def cup(office: Office) -> None:
    """Five stars, one group: 11 M, 12 W, 13 M absent from the closing ceremony, 14 M, with 6, 4, 1 and 1 points."""
    office.register(11, 13, 14)
    office.register(12, sex="W")
    accept(office, "Cup", [11, 12, 13, 14], absent_from_closing="[3]", **CUP)


def publish(director: Client, releaser: Client, **asked: str) -> Publication:
    requested = director.post(OFFICE, ASKED | asked)
    assert requested.status_code == HTTPStatus.FOUND
    page = requested["Location"]
    assert "The worker calculates it." in text_of(director.get(page))
    calculate_requested()
    made = Publication.objects.latest("pk")
    assert director.post(page, {"action": "approve", "sha256": made.sha256}).status_code == HTTPStatus.FOUND
    assert "Publish for all readers" not in text_of(director.get(page))
    assert "Publish for all readers" in text_of(releaser.get(page))
    assert releaser.post(page, {"action": "publish", "sha256": made.sha256}).status_code == HTTPStatus.FOUND
    made.refresh_from_db()
    return made


def test_a_classification_is_requested_signed_and_read(
    office: Office, cup: None, director: Client, releaser: Client, client: Client
) -> None:
    assert client.get(PAGE).status_code == HTTPStatus.NOT_FOUND
    assert "No classification is published yet." in text_of(client.get("/world-cup/"))
    made = publish(director, releaser)
    page = client.get(PAGE)
    said = text_of(page)
    assert f"{office.names[11][1]}, {office.names[11][0]}" in said
    assert "100 + 5 × 6 130 counts" in said
    assert "Approved by Dora" in said
    assert "Published by Rob" in said
    assert made.sha256 in said
    assert client.get(PAGE, headers={"if-none-match": page["ETag"]}).status_code == HTTPStatus.NOT_MODIFIED
    assert f'<link rel="canonical" href="{settings.OFFICE_URL}{PAGE}r1/">' in page.text
    assert client.get(f"{PAGE}women/").status_code == HTTPStatus.NOT_FOUND
    figures = client.get(f"{PAGE}r1/figures.json")
    assert [row["points"] for row in json.loads(figures.content)["rows"]] == [130, 55]
    assert client.get(f"{PAGE}r1/results.csv").text == made.inputs
    names = ("figures.json", "figures.csv", "results.csv")
    files = "".join(client.get(f"{PAGE}r1/{name}").text for name in names)
    assert not any(name in files for name in Player.objects.values_list("last_name", flat=True))
    shown = client.get("/world-cup/")
    feed = '<link rel="alternate" type="application/atom+xml" title="Changes" href="/changes.atom">'
    assert feed in shown.text
    assert '<a href="/changes.atom" type="application/atom+xml">Feed of changes</a>' in shown.text
    index = text_of(shown)
    assert "World Cup, 100 squares, on 30 Jun 2026" in index
    assert "Winners by year" not in index
    for missing in ("r2/", "r1/figures.txt"):
        assert client.get(PAGE + missing).status_code == HTTPStatus.NOT_FOUND


def test_a_later_report_is_said_to_the_office_and_a_revision_shows_its_reason(
    office: Office, cup: None, director: Client, releaser: Client, client: Client
) -> None:
    asked = "/office/world-cup/?on=2026-06-30"
    assert "Published as" not in text_of(director.get(asked))
    publish(director, releaser)
    compare_publications()
    assert "would" not in text_of(director.get(OFFICE))
    same = director.get(asked)
    assert re.search(r"Published as revision 1 on [0-9]+ \w+ 2026\. Nothing differs\.", text_of(same))
    assert f'<a href="{PAGE}r1/">revision 1</a>' in same.text
    assert "Published as" not in text_of(director.get("/office/world-cup/?on=2026-06-29"))
    accept(office, "Other", [14, 11, 13, 12], month=5, **CUP)
    # What was compared before the report is not said any more.
    for path in (OFFICE, "/office/"):
        assert "The worker compares them with what would be published now." in text_of(director.get(path))
    compare_publications()
    # 11, 14 and 13 differ: 220, 185 and 55 points, see tests/services/test_publications.py.
    assert "3 rows would differ now" in text_of(director.get(OFFICE))
    assert "1 would differ if published now" in text_of(director.get("/office/"))
    number = Publication.objects.latest("pk").pk
    said = text_of(director.get(f"{OFFICE}{number}/"))
    assert "If published now" in said
    assert f"{office.names[13][1]}, {office.names[13][0]} – #3: 55 points" in said
    now = text_of(director.get(asked))
    assert "Nothing differs." not in now
    assert "Differences from what is published 3 " in now
    assert f"{office.names[13][1]}, {office.names[13][0]} – #3: 55 points" in now
    refused = director.post(OFFICE, ASKED)
    assert refused.status_code == HTTPStatus.BAD_REQUEST or "Enter a reason." in text_of(refused)
    publish(director, releaser, reason="A tournament was reported late.")
    said = text_of(client.get(PAGE))
    assert "Changes in revision 2" in said
    assert "A tournament was reported late." in said
    assert "This revision was replaced." in text_of(client.get(f"{PAGE}r1/"))
    # In the office the older revision is compared with the newest one: 11, 14 and 13 differ.
    older = text_of(director.get(f"{OFFICE}{Publication.objects.earliest('pk').pk}/"))
    assert "Changes against revision 2" in older
    assert "No figure of a player differs." not in older
    compare_publications()
    assert "would" not in text_of(director.get(OFFICE))


def test_the_dashboard_names_what_waits_for_the_signature_of_its_reader(
    office: Office, cup: None, director: Client, releaser: Client
) -> None:
    page = director.post(OFFICE, ASKED)["Location"]
    assert "Publications to sign" not in text_of(director.get("/office/"))
    assert "Waiting for Worker" in text_of(director.get(page))
    # The stages are those that the worker has stored; without script the page loads itself again.
    progress = Progress(progress_name(Publication.objects.get()))
    progress.begin(Stage.READ)
    progress.end(5)
    progress.begin(Stage.CALCULATE)
    shown = director.get(page)
    said = re.sub(r"[0-9]+ ms", "0 ms", text_of(shown))
    stages = "Read reports, lists and declarations 5 rows, 0 ms Calculate rows running Write rows to come"
    assert stages in said
    assert '<noscript><meta http-equiv="refresh"' in shown.text
    progress.end(4)
    progress.begin(Stage.WRITE, of=8)
    progress.add_rows(2)
    shown = director.get(page)
    assert "Write rows 2 of 8 rows" in text_of(shown)
    assert 'max="8" value="2"' in shown.text
    calculate_requested()
    named = "Publications to sign World Cup, 100 squares, on 30 Jun 2026"
    dashboard = text_of(director.get("/office/"))
    assert f"{named} Draft" in dashboard
    # Beside the waiting items, above the state of the system and the pools.
    assert dashboard.index("Reports to review") < dashboard.index(named) < dashboard.index("System status")
    assert "Publications to sign" not in text_of(releaser.get("/office/"))
    director.post(page, {"action": "approve", "sha256": Publication.objects.get().sha256})
    assert "Publications to sign" not in text_of(director.get("/office/"))
    assert f"{named} Approved" in text_of(releaser.get("/office/"))
    assert "Waiting for Releasing officer" in text_of(director.get(page))
    both = person("Rita", Role.TOURNAMENT_DIRECTOR, Role.RELEASING_OFFICER)
    assert f"{named} Approved" in text_of(client_of(both).get("/office/"))


def test_a_draft_is_withdrawn_with_a_reason(office: Office, cup: None, director: Client) -> None:
    page = director.post(OFFICE, ASKED)["Location"]
    assert "Enter a reason." in text_of(director.post(page, {"action": "withdraw"}))
    assert director.post(page, {"action": "withdraw", "reason": "A mistake."}).status_code == HTTPStatus.FOUND
    assert "Withdrawn" in text_of(director.get(page))
    assert calculate_requested() == 0


def test_a_draft_without_rows_is_not_approved(office: Office, cup: None, director: Client) -> None:
    page = director.post(OFFICE, ASKED | {"section": "64"})["Location"]
    calculate_requested()
    shown = text_of(director.get(page))
    assert "No result counts on this day." in shown
    assert "Approve figures" not in shown
    assert "Withdraw draft" in shown
    refused = director.post(page, {"action": "approve", "sha256": Publication.objects.get().sha256})
    assert "No result counts on this day, and the classification has no row." in text_of(refused)
    assert Publication.objects.get().state == "draft"


def test_publication_makes_places_and_points_public_and_nothing_else(
    office: Office, cup: None, director: Client, releaser: Client, client: Client
) -> None:
    accept(office, "After the day", [11, 12, 13, 14], month=7, **CUP)
    code, other = ResultSet.objects.order_by("pk").values_list("tournament", flat=True)
    page = f"/tournaments/{code}/"
    assert client.get(page).status_code == HTTPStatus.NOT_FOUND
    publish(director, releaser)
    shown = client.get(page)
    said = text_of(shown)
    assert "No rating list counts this tournament yet." in said
    # 12 has not declared and is in no published classification; 13 was absent and is not listed.
    for number, line in ((11, "NED 6 100 + 5 × 6 130"), (12, "NED 4 – –"), (14, "NED 1 50 + 5 × 1 55")):
        assert f"{office.names[number][1]}, {office.names[number][0]} NED {line}" in said
    assert not any(str(born.year) in said for born in PersonalData.objects.values_list("born", flat=True))
    headings = re.findall(r'<th scope="col"[^>]*>(.*?)</th>', shown.content.decode(), re.DOTALL)
    assert [re.sub(r"<[^>]+>", "", heading).strip() for heading in headings] == [
        "#", "Player", "Federation", "Points", "Bonus + factor × points", "World Cup points",
    ]  # fmt: skip
    for path in ("crosstable/", "rounds/", "changes/", "standings.csv", "cards/1/"):
        assert client.get(page + path).status_code == HTTPStatus.NOT_FOUND
    assert client.get(f"/api/v1/tournaments/{code}/").status_code == HTTPStatus.NOT_FOUND
    assert client.get(f"/tournaments/{other}/").status_code == HTTPStatus.NOT_FOUND
    with CaptureQueriesContext(connection) as queries:
        assert client.get("/tournaments/no-such-code/").status_code == HTTPStatus.NOT_FOUND
    assert not any("titles_publication" in sql and "LIKE" in sql for sql in map(str, queries)), "a search"
    assert page in client.get(PAGE).content.decode()
    panel = player_results(Player.objects.get(identities__number="11"))
    of_player = render_to_string("titles/world_cup/player.html", {"panel": panel})
    assert "World Cup, 100 squares, on 30 Jun 2026: rank 1, 130 points." in of_player
    assert f'<a href="{page}">Cup</a>' in of_player


def test_the_ranks_of_a_player_are_plotted_from_the_second_classification_on(
    office: Office, cup: None, director: Client, releaser: Client
) -> None:
    publish(director, releaser)
    player = Player.objects.get(identities__number="11")
    [(_, _, plots)] = player_results(player)["sections"]
    assert plots == []
    publish(director, releaser, on="2026-07-31")
    [(rows, best_results, plots)] = player_results(player)["sections"]
    assert [plot.title for plot in plots] == ["World Cup rank, Jun 2026 to Jul 2026"]
    panel = {"sections": [(rows, best_results, plots)], "tournaments": {}, "name": "11"}
    said = render_to_string("titles/world_cup/player.html", {"panel": panel})
    assert said.count("<svg") == 2  # one for each width
    assert "Rank in each published classification" in said


def test_winners_are_of_31_december(
    office: Office, director: Client, releaser: Client, client: Client
) -> None:
    office.register(11, 12, 13, 14)
    accept(office, "Cup", [11, 12, 13, 14], year=2025, **CUP)
    publish(director, releaser, on="2025-12-31")
    said = text_of(client.get("/world-cup/"))
    assert "Winners by year" in said
    assert "2025 Open, 100 squares" in said


def publish_many(office: Office, players: int) -> Publication:
    """A published classification of so many players, of a file of results of one tournament: 1 star, no points."""
    office.register(*range(1001, 1001 + players))
    of = {"kind": "classification", "section": "100", "day": "2026-06-30"}
    made = Publication.objects.create(requested_by=person("Dan", Role.TOURNAMENT_DIRECTOR), **of)
    made.refresh_from_db()
    line = dict.fromkeys(INPUT_COLUMNS, 0) | {
        "tournament": "2026-large", "number": 1, "first_round": "2026-03-06", "last_round": "2026-03-08",
        "stars": 1, "federation": "NED", "games": 9, "year": 2026, "declared_on": None,
    }  # fmt: skip
    lines = [line | {"fmjd_id": 1000 + place, "place": place} for place in range(1, players + 1)]
    made.inputs = csv_text(INPUT_COLUMNS, lines)
    rows = calculate(key_of(made), made.inputs)
    keys = dict(Player.objects.values_list("numbers__fmjd", "pk"))
    PublicationRow.objects.bulk_create(
        PublicationRow(publication=made, position=position, player_id=keys[row["fmjd_id"]], values=row)
        for position, row in enumerate(rows, start=1)
    )
    made.input_sha256, made.edition = digest(made.inputs.encode()), "world-cup-2024-04"
    made.sha256 = made.approved_sha256 = digest(figures_json(made, rows))
    made.approved_by, made.approved_at = made.requested_by, made.requested_at
    made.state = "approved"
    made.save()
    made.published_by, made.published_at = person("Rob", Role.RELEASING_OFFICER), made.requested_at
    made.state = "published"
    made.save()
    return made


def test_a_classification_of_more_rows_than_a_page_has_pages(office: Office, client: Client) -> None:
    made = publish_many(office, 102)
    assert [*verify_publications()] == [(f"{PAGE}r1/", [])]
    for page in (PAGE, f"{PAGE}r1/"):
        first, second = client.get(page), client.get(page, {"page": "2"})
        # Places 1 to 10 have a bonus. The others have 0 points: 11 to 102 are equal in all, in the order of numbers.
        assert [text_of(one).count(" NED ") for one in (first, second)] == [100, 2]
        assert 'href="?page=2"' in first.content.decode()
        assert 'href="?"' in second.content.decode()
        assert all(made.sha256 in text_of(one) for one in (first, second))
    for query, status in (("page=3", 404), ("page=0", 400), ("page=x", 400), ("pgae=2", 400)):
        assert client.get(f"{PAGE}?{query}").status_code == status, query


def test_the_office_reads_all_rows_of_a_classification_with_criteria(
    office: Office, director: Client
) -> None:
    page = f"{OFFICE}{publish_many(office, 102).pk}/"
    first, second = text_of(director.get(page)), text_of(director.get(page, {"page": "2"}))
    assert "Figures 1 to 100 of 102" in first
    assert "Figures 101 to 102 of 102" in second
    # Places 11 to 102 have no bonus and no points: they share rank 11.
    name = ", ".join(reversed(office.names[1102]))
    # Rank, player, federation (twice, once for phones), points, first to third places, games won.
    assert f"11= {name} NED NED 0 0 0 0 0 Results" in second


# path → queries of the first reader, queries of the second
BUDGETS = {
    "/world-cup/": (5, 2),
    PAGE: (6, 3),
    f"{PAGE}r1/?page=2": (6, 3),
    f"{PAGE}r1/results.csv": (2, 1),
    "/championships/": (4, 3),
    "/championships/world-2027/": (13, 6),
    "/championships/world-2027/participants/r1/": (10, 5),
    "/championships/world-2027/reserves/r1/": (7, 5),
}


def test_queries(office: Office, client: Client) -> None:
    """The same for any number of rows."""
    publish_many(office, 102)
    roles = Role.TOURNAMENT_DIRECTOR, Role.RELEASING_OFFICER
    director, releaser = (Actor(person(role, role)) for role in roles)
    values = ChampionshipValues(first_day=date(2027, 9, 28), council_day=date(2027, 7, 1), champion=1001)
    create_championship(kind=Championship.Kind.WORLD_20, values=values, by=director)
    for kind in ("participants", "reserves"):
        publish_by_command(key=key_of_list(kind, "world-2027"), reason="", by=director, releaser=releaser)
    asked = {}
    for path in BUDGETS:
        counts = []
        for _reader in ("first", "second"):
            with CaptureQueriesContext(connection) as queries:
                assert client.get(path).status_code == HTTPStatus.OK
            counts.append(len(queries))
        asked[path] = tuple(counts)
    assert asked == BUDGETS


@pytest.mark.parametrize(
    "page", ["/titles/", "/tournaments/", "/tournaments/calendar/", "/tournaments/waiting/"]
)
def test_visitors_find_the_world_cup_above_the_lists(office: Office, client: Client, page: str) -> None:
    head = client.get(page).text.split('class="filter-bar"')[0].split("<main")[1]
    for path in ("/world-cup/", "/championships/", "/champions/"):
        assert f'href="{path}"' in head, path


@pytest.mark.parametrize("on", ["2099-01-01", "1900-01-01", "x"])
def test_a_day_that_cannot_be_is_an_error_of_its_field(director: Client, on: str) -> None:
    refused = director.post(OFFICE, ASKED | {"on": on})
    assert "field--bad" in refused.content.decode()
    assert not Publication.objects.exists()
