"""Every address × everybody: who gets what. An address without a row here fails the test (guards.md G11, M)."""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from reporting.models import Role, User
from tests.people import create_user

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

EVERYBODY = frozenset({"anonymous", *Role.values})
LIST = ("fmjd-100", "2026-10-01", 1)

# name → arguments, and who gets the page; others are sent to log in (anonymous) or refused.
PUBLIC = {
    "health": (),
    "robots": (),
    "sitemap": (),
    "sitemap-part": ("players", 1),
    "home": (),
    "lists-feed": (),
    "lists-corrections-feed": (),
    "list-image": LIST,
    "list-variant-image": (*LIST, "women"),
    "embed-list": LIST[:1],
    "embed-player": (13368,),
    "player-feed": (13368,),
    "player-image": (13368,),
    "tournament-image": ("2026-championship-of-italy",),
    "federation-feed": ("NED",),
    "lists": (),
    "lists-compare": LIST[:1],
    "list-statistics": LIST,
    "records": (),
    "search": (),
    "list-newest": LIST[:1],
    "list-of-day": LIST[:2],
    "list-revision": LIST,
    "list-tournaments": LIST,
    "list-differences": LIST,
    "list-earlier": LIST,
    "list-print": (*LIST, "official"),
    "list-file": (*LIST, "list.csv"),
    "list-variant": (*LIST, "women"),
    "list-variant-in-force": (LIST[0], "women"),
    "players": (),
    "player": (13368,),
    "player-tournaments": (13368,),
    "player-opponents": (13368,),
    "player-history-file": (13368,),
    "player-games-file": (13368,),
    "players-compare": (),
    "tournaments": (),
    "tournaments-waiting": (),
    "tournaments-calendar": (),
    "tournaments-calendar-file": (),
    "tournament": ("2026-championship-of-italy",),
    "tournament-changes": ("2026-championship-of-italy",),
    "tournament-crosstable": ("2026-championship-of-italy",),
    "tournament-rounds": ("2026-championship-of-italy",),
    "tournament-norms": ("2026-championship-of-italy",),
    "tournament-standings-file": ("2026-championship-of-italy",),
    "tournament-file": ("2026-championship-of-italy", "games.trf"),
    "tournament-standings": ("2026-championship-of-italy",),
    "tournament-card": ("2026-championship-of-italy", 1),
    "tournament-methods": ("2026-championship-of-italy",),
    "federations": (),
    "federation": ("NED",),
    "method-index": (),
    "method": (),
    "method-of-system": ("fmjd",),
    "method-calculator": ("fmjd",),
    "method-tables": ("fmjd",),
    "recompute-program": ("fmjd",),
    "standings": (),
    "privacy": (),
    "accessibility": (),
    "open-data": (),
    "reference-api": (),
    "reference-swagger": (),
    "open-data-file": ("lists.csv",),
}

# For everybody who is logged in; others are sent to log in.
PERSONAL = {"messages": ()}
# Open to everybody in the demonstration; elsewhere no one finds them.
DEMONSTRATION = {"mailbox": ()}

# What an address answers instead of 200 to those who may come.
ANSWERS = {
    "method-index": {HTTPStatus.FOUND},
    "open-data-file": {HTTPStatus.NOT_FOUND},  # the worker has not made it yet
    "tournament-standings": {HTTPStatus.MOVED_PERMANENTLY},
    "list-variant-in-force": {HTTPStatus.FOUND},
    "list-differences": {HTTPStatus.NOT_FOUND},  # a first revision replaces nothing
}

# Addresses of the office and of referees have their own matrix next to their own tests: these prefixes of names.
ELSEWHERE = (
    "account",
    "mfa",
    "report",
    "request",
    "office",
    "title",
    "norm",
    "api",
    "check-file",
    "audit",
)


def names(resolver: URLResolver | None = None) -> Iterator[str]:
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            yield from names(pattern)
        else:
            assert isinstance(pattern, URLPattern)
            yield pattern.name or str(pattern.pattern)


def test_every_address_has_a_row() -> None:
    known = {name for name in names() if not name.startswith(ELSEWHERE)}
    assert known == {*PUBLIC, *PERSONAL, *DEMONSTRATION}


def client_of(who: str) -> Client:
    client = Client()
    if who != "anonymous":
        user = create_user(f"{who}@example.org", who, "long-enough-for-all", roles=[who])
        client.force_login(user)
    return client


@pytest.mark.parametrize("who", sorted(EVERYBODY))
def test_public_addresses_are_open_to(season_shared: None, who: str) -> None:
    client = client_of(who)
    for name, arguments in PUBLIC.items():
        response = client.get(reverse(name, args=arguments))
        assert response.status_code in ANSWERS.get(name, {HTTPStatus.OK}), (name, response.status_code)


@pytest.mark.parametrize("who", sorted(EVERYBODY))
def test_personal_addresses_are_open_to_who_is_logged_in(season_shared: None, who: str) -> None:
    client = client_of(who)
    for name, arguments in PERSONAL.items():
        address = reverse(name, args=arguments)
        response = client.get(address)
        if who == "anonymous":
            assert (response.status_code, response["Location"]) == (302, f"/login/?next={address}")
        else:
            assert response.status_code == HTTPStatus.OK
            assert response["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("who", sorted(EVERYBODY))
@pytest.mark.parametrize("demo", [False, True])
def test_addresses_of_the_demonstration_are_nowhere_else(
    season_shared: None, settings: Any, who: str, demo: bool
) -> None:
    settings.DEMO = demo
    client = client_of(who)
    for name, arguments in DEMONSTRATION.items():
        response = client.get(reverse(name, args=arguments))
        assert response.status_code == (HTTPStatus.OK if demo else HTTPStatus.NOT_FOUND)


@pytest.mark.parametrize("demo", [False, True])
@pytest.mark.parametrize("address", ["/demo/", "/demo/report.txt"])
def test_the_tour_of_the_demonstration_has_no_address_here(
    client: Client, season_shared: None, settings: Any, address: str, demo: bool
) -> None:
    """It changes the person without a password: its addresses exist only in a process started with DEMO=1."""
    settings.DEMO = demo
    assert client.get(address).status_code == HTTPStatus.NOT_FOUND
    assert client.post(address, {"step": "approve"}).status_code == HTTPStatus.NOT_FOUND


def test_an_address_is_closed_unless_it_says_otherwise(client: Client, season_shared: None) -> None:
    """The twin: a view without `login_not_required` sends a stranger to the log-in."""
    from config import urls

    view = urls.health
    view.login_required = True
    try:
        response = client.get("/health/")
        assert (response.status_code, response["Location"]) == (302, "/login/?next=/health/")
    finally:
        view.login_required = False


def test_logging_in_and_out(client: Client, season_shared: None) -> None:
    create_user("Rina@example.org", "Rina Reader", "long-enough-for-all", roles=["referee"])
    wrong = client.post("/login/", {"login": "rina@example.org", "password": "wrong"})
    assert "Wrong e-mail address or password." in wrong.text
    response = client.post("/login/", {"login": "rina@EXAMPLE.org", "password": "long-enough-for-all"})
    assert (response.status_code, response["Location"]) == (302, "/reports/")
    assert "Rina Reader" in client.get("/lists/").text
    assert client.get("/logout/").status_code == 405
    assert client.post("/logout/").status_code == 302
    assert "Rina Reader" not in client.get("/lists/").text


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "\\\\evil"]
)
def test_logging_in_leads_nowhere_else(client: Client, season_shared: None, target: str) -> None:
    create_user("rina@example.org", "Rina Reader", "long-enough-for-all")
    data = {"login": "rina@example.org", "password": "long-enough-for-all", "next": target}
    assert client.post("/login/", data)["Location"] == "/"


@pytest.mark.parametrize(
    "account", ["officer@office.invalid", "importer@office.invalid", "nobody@example.org"]
)
@pytest.mark.parametrize("password", ["", "!", "draughts-demo"])
def test_accounts_of_commands_cannot_log_in(
    client: Client, season_shared: None, account: str, password: str
) -> None:
    assert client.post("/login/", {"login": account, "password": password}).status_code == 200


def test_a_closed_account_cannot_log_in(client: Client, season_shared: None) -> None:
    user = create_user("rina@example.org", "Rina Reader", "long-enough-for-all", roles=["referee"])
    client.force_login(user)
    assert "Rina Reader" in client.get("/lists/").text
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert "Rina Reader" not in client.get("/lists/").text
    data = {"login": "rina@example.org", "password": "long-enough-for-all"}
    assert client.post("/login/", data).status_code == 200


@pytest.mark.parametrize(
    ("role", "page"),
    [
        ("referee", "/reports/"),
        ("national_official", "/office/federation/"),
        ("tournament_director", "/office/"),
        ("rating_officer", "/office/"),
        ("releasing_officer", "/office/"),
        ("administrator", "/office/"),
        ("title_council", "/titles/norms/"),
    ],
)
def test_logging_in_leads_to_the_work(client: Client, season_shared: None, role: str, page: str) -> None:
    create_user("rina@example.org", "Rina Reader", "long-enough-for-all", roles=[role], federation_id="NED")
    data = {"login": "rina@example.org", "password": "long-enough-for-all"}
    assert client.post("/login/", data)["Location"] == page
    client.post("/logout/")
    assert client.post("/login/", data | {"next": "/lists/"})["Location"] == "/lists/"
