"""No birth date and no draft on any public page or file (guards.md T15, T16)."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime
from html import unescape
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import resolve
from django.utils import timezone

from ratings.federations.fmjd.models import FmjdListRow
from ratings.models import Pool, RatingList
from ratings.production.run_period import run_period
from reporting.formats.tournament_details.sidecar import detail_values
from reporting.log.audit import Actor
from reporting.models import PersonalData, ReportVersion, ResultSet, User
from reporting.rules.details.known_details import private_details
from reporting.web.http_cache import FRAGMENTS, PAGES
from reporting.web.query_params import unknown_parameters
from tests.pages.published.published_pages import pass_closing_date
from tests.visitor import parse

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

# What the crawl must have come to, as it is linked from page to page.
EVERYWHERE = frozenset(
    {
        "accessibility", "reference-api", "reference-swagger", "changes.csv", "check-file", "embed-list",
        "champions", "champions-federations", "champions-file",
        "embed-player", "federation", "federation-feed", "federations", "figures.csv",
        "games.csv", "home", "list-earlier", "list-image", "list-newest", "list-of-day",
        "list-print", "list-ratings-file", "list-revision", "list-statistics", "list-tournaments", "list-variant",
        "list-variant-image", "list.csv", "list.json", "list.txt", "list.xlsx", "lists", "lists-compare",
        "lists-corrections-feed", "lists-feed", "lists-read.csv", "method", "method-calculator",
        "method-tables", "norms.csv", "oembed", "pair", "player", "player-feed", "player-image", "players",
        "privacy", "records", "request-new", "robots", "security-txt", "sitemap", "sitemap-part", "standings",
        "title-certificate", "title-certificates", "title-feed", "title-forecast", "title-norm",
        "title-points", "titles", "tournament", "tournament-changes", "tournament-crosstable",
        "tournament-file", "tournament-image", "tournament-methods", "tournament-norms",
        "tournament-rounds", "tournament-standings-file", "tournaments",
        "tournaments-calendar", "tournaments-calendar-file", "tournaments-waiting",
        "tournaments.csv", "what-must-i-score", "world-cup", "youth-teams-years",
    }
)  # fmt: skip
OFFICE = "https://ratings.example.org"
LINK = re.compile(rf'(?:href="|{OFFICE})(/[^"#<\s\\]*?)(?:["#<\s\\]|&quot;)')
QUERY = re.compile(rf'(?:href|hx-get)="(?:{OFFICE})?([^"?]*)\?([^"#]*)')
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def everything_linked(client: Client, of_a_kind: int = 5, most: int = 700) -> Iterator[tuple[str, str]]:
    """Pages and files that can be reached from the first one, by their links: address and text.

    Of each name of an address so many: first come those with fewest parameters.
    """
    waiting, visited = ["/", "/robots.txt", "/.well-known/security.txt", "/sitemap.xml"], Counter[str]()
    seen = {*waiting}
    while waiting and most:
        path = waiting.pop(0)
        name = name_of(path)
        if visited[name] == of_a_kind:
            continue
        response = client.get(path)
        if response.status_code != 200:
            continue
        visited[name] += 1
        most -= 1
        text = response.content.decode(errors="replace")
        yield path, text
        if "/files/" in path:
            continue
        for found in LINK.findall(text):
            address = found.replace("&amp;", "&")
            if address not in seen and not address.startswith("/static/"):
                seen.add(address)
                waiting.append(address)


def name_of(path: str) -> str:
    """The name of an address in the patterns; a file of a list has its own."""
    match = resolve(path.partition("?")[0])
    return str(match.kwargs["name"] if match.view_name == "list-file" else match.view_name)


def written(born: date) -> Iterator[str]:
    """A date as anybody might write it."""
    month = MONTHS[born.month - 1]
    yield born.isoformat()
    yield born.strftime("%Y%m%d")
    for separator in "./-":
        yield born.strftime(f"%d{separator}%m{separator}%Y")
        yield born.strftime(f"%m{separator}%d{separator}%Y")
        yield born.strftime(f"%Y{separator}%m{separator}%d")
    yield f"{born.day} {month} {born.year}"
    yield f"{month} {born.day}, {born.year}"
    yield born.strftime("%-d %B %Y")


def private_values() -> set[str]:
    """What the reports of the demonstration say for the office alone (Annex 9 art. 4.1.1 b, c, e)."""
    sidecars = ReportVersion.objects.values_list("sidecar", flat=True)
    details = [item for sidecar in sidecars for item in detail_values(bytes(sidecar)).items()]
    given = {str(value) for name, value in details if name in private_details()}
    assert len(given) > 20
    return given


def test_no_birth_date_and_no_private_detail_of_a_report_anywhere(
    client: Client, season_shared: None, settings: Any
) -> None:
    settings.OFFICE_URL = OFFICE  # so that pages have the links for other sites
    private = private_values()
    born = [day for day in PersonalData.objects.values_list("born", flat=True) if day.year < 2020]
    assert len(born) > 400
    canaries = {text for day in born for text in written(day)}
    # Every word of the page or file that looks like a date in one of these forms.
    shapes = re.compile(
        r"\d{4}[-./]\d{2}[-./]\d{2}|\d{2}[-./]\d{2}[-./]\d{4}|\d{8}"
        r"|\d{1,2} [A-Z][a-z]+ \d{4}|[A-Z][a-z]{2} \d{1,2}, \d{4}"
    )
    names = set()
    for path, text in everything_linked(client):
        names.add(name_of(path))
        # SHA-256s are hexadecimal: eight digits in a row may be in one by chance.
        plain = re.sub(r"[0-9a-f]{16,}", "", text)
        found = {word for word in shapes.findall(plain) if word in canaries}
        assert not found, f"{path}: {found}"
        assert not {day for day in private if day in text}, path
    assert names >= EVERYWHERE


def test_links_and_forms_ask_for_nothing_that_their_page_does_not_know(
    client: Client, season_shared: None, settings: Any
) -> None:
    settings.OFFICE_URL = OFFICE
    asked = set()
    for path, text in everything_linked(client, of_a_kind=2, most=160):
        found = [(address, QueryDict(unescape(query))) for address, query in QUERY.findall(text)]
        if text.startswith("<!doctype html>"):
            found += [
                (
                    form.get("action", ""),
                    [field.get("name", "") for field in form.iter() if field.get("name")],
                )
                for form in parse(text).iter("form")
                if form.get("method", "get") == "get"
            ]
        for address, names in found:
            target = urlsplit(urljoin(path, address)).path
            view = resolve(target).func
            if not getattr(view, "login_required", True):
                assert not unknown_parameters(view, names), (path, address)
                asked.add(resolve(target).view_name)
    assert asked >= {
        "list-newest", "list-revision", "list-variant", "list-print", "lists", "lists-compare", "player", "players",
        "players-compare", "player-opponents", "search", "tournament", "tournaments",
        "tournament-methods", "tournament-rounds", "tournaments-calendar", "request-new", "records",
        "tournaments-waiting", "method-calculator", "method-tables", "titles", "title-points", "title-certificates",
        "what-must-i-score", "champions", "champions-federations",
        "federation", "embed-list",
    }  # fmt: skip


def test_no_page_can_be_asked_for_a_day_of_birth(client: Client, newest: RatingList) -> None:
    """The years are enough: an age class goes by the year alone, on 31 December."""
    row = FmjdListRow.objects.filter(list_id=newest.pk, birth_year=newest.in_force.year - 19).first()
    assert row is not None
    page = client.get("/lists/fmjd-100/2026-10-01/r1/juniors/", {"q": str(row.register_number)})
    assert row.name in page.text.replace("&#x27;", "'")


@pytest.mark.database_role("worker")
def test_drafts_are_invisible(client: Client, season: None, monkeypatch: pytest.MonkeyPatch) -> None:
    # The days between the freeze and the list's own: the first page names the next closing date already.
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 12, 24, 12, tzinfo=UTC))
    before = dict(everything_linked(client, most=40))
    before.pop("/login/", None)  # a token, another each time
    commands = (User.objects.get(email=f"{name}@office.invalid") for name in ("officer", "releaser"))
    officer, releaser = (Actor(user, by_command=True) for user in commands)
    pool = Pool.objects.get(code="fmjd-100")
    pass_closing_date(pool, date(2027, 1, 1))
    draft = run_period(
        pool=pool, in_force=date(2027, 1, 1), by=officer, releaser=releaser, reason="early", publish=False
    )
    assert draft.state != RatingList.State.PUBLISHED
    assert FmjdListRow.objects.filter(list_id=draft.pk).count() > 600
    waiting = ResultSet.objects.filter(manifest_lines__period=draft.period).first()
    assert waiting is not None
    for path in (
        "/lists/fmjd-100/2027-01-01/", "/lists/fmjd-100/2027-01-01/r1/", "/lists/fmjd-100/2027-01-01/r1/full/",
        "/lists/fmjd-100/2027-01-01/r1/tournaments/", "/lists/fmjd-100/2027-01-01/r1/files/figures.csv",
        f"/tournaments/{waiting.code}/", "/api/v1/lists/fmjd-100/2027-01-01/r1/differences/",
        f"/api/v1/tournaments/{waiting.code}/entries/",
    ):  # fmt: skip
        assert client.get(path).status_code == 404
    assert client.get("/api/v1/lists/fmjd-100/compare/", {"b": "2027-01-01-r1"}).status_code == 400
    (row,) = client.get("/api/v1/tournaments/waiting/", {"q": waiting.name, "limit": 1}).json()["results"]
    assert (row["code"], row["state"]) == (waiting.code, "waiting")
    assert row["lists"] == [{"pool": "fmjd-100", "in_force": "2027-01-01"}]
    newcomer = FmjdListRow.objects.filter(list_id=draft.pk, change__isnull=True).first()
    assert newcomer is not None
    assert client.get(f"/players/{newcomer.register_number}/").status_code == 404
    for page in ("tournaments", "games", "opponents", "records"):
        assert client.get(f"/api/v1/players/{newcomer.register_number}/{page}/").status_code == 404
    assert client.get("/api/v1/players/", {"ids": newcomer.register_number}).json()["count"] == 0
    assert client.get("/api/v1/search/", {"q": newcomer.register_number}).json()["player_count"] == 0
    assert client.get("/players/", {"q": str(newcomer.register_number)}).text.count("<tr>") == 0
    PAGES.clear()
    FRAGMENTS.clear()
    after = dict(everything_linked(client, most=40))
    assert before.items() <= after.items()


def test_nothing_before_the_first_list(client: Client, db: None) -> None:
    """An empty office answers too."""
    for path in ("/", "/lists/", "/players/", "/tournaments/", "/federations/", "/method/fmjd/",
                 "/api/v1/players/", "/api/v1/search/?q=van", "/api/v1/tournaments/waiting/"):  # fmt: skip
        assert client.get(path).status_code == 200
    for path in ("/lists/fmjd-100/", "/federations/NED/", "/players/1/", "/tournaments/x/"):
        assert client.get(path).status_code == 404
