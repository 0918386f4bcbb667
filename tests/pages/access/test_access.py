"""Every address × everybody × method: who gets what. An address without a row here fails the test (guards.md G11, M).

What is about one report, request or player of a federation has its own tables next to this one: test_*_access.py.
"""

import re
from collections.abc import Iterator
from datetime import date
from http import HTTPStatus
from typing import Any, NamedTuple

import pytest
from django.template import Template
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from ratings.models import RatingList
from reporting.models import LogEntry, Role, User
from tests.people import PASSWORD, create_user, give_roles, logged_in
from titles.models import Norm

pytestmark = [
    pytest.mark.database_role("web"), pytest.mark.usefixtures("cleared_rate_limits", "season_shared"),
]  # fmt: skip

OK, FOUND, GONE, MISSING = HTTPStatus.OK, HTTPStatus.FOUND, HTTPStatus.GONE, HTTPStatus.NOT_FOUND
FORBIDDEN, NOT_ALLOWED, CONFLICT = HTTPStatus.FORBIDDEN, HTTPStatus.METHOD_NOT_ALLOWED, HTTPStatus.CONFLICT

LOGGED_IN = frozenset(Role)
EVERYBODY = frozenset({"anonymous", *Role})
OFFICER, RELEASER, COUNCIL = (
    frozenset({role}) for role in (Role.RATING_OFFICER, Role.RELEASING_OFFICER, Role.TITLE_COUNCIL)
)
ADMINISTRATOR, OFFICIAL = frozenset({Role.ADMINISTRATOR}), frozenset({Role.NATIONAL_OFFICIAL})
DIRECTOR = frozenset({Role.TOURNAMENT_DIRECTOR})
OFFICE = OFFICER | {Role.TOURNAMENT_DIRECTOR}
REPORT = OFFICE | OFFICIAL | {Role.REFEREE}
INBOX = OFFICE | ADMINISTRATOR
OF_FEDERATIONS = INBOX | OFFICIAL
DRAFTS = INBOX | RELEASER
DECISIONS = INBOX | COUNCIL
NORMS = DRAFTS | COUNCIL
TITLES = DECISIONS | OFFICIAL
NO_ONE: frozenset[str] = frozenset()

LIST = ("fmjd-100", "2026-10-01", 1)
OPEN = ("fmjd-100", date(2027, 1, 1))
TOURNAMENT = ("2026-championship-of-italy",)
PLAYER, NONE = (13368,), (999_999,)
# A draft's row or norm: its number is known when the demonstration is loaded.
ANOMALY, NORM = ("anomaly",), ("norm",)
NO_LINK = ("MQ", "dez6jy-0123456789abcdef0123456789abcdef")


class Row(NamedTuple):
    """Who may look (GET, HEAD) and act (POST), what a look answers those who may, and what a page would send.

    `acted` is what an act answers, where it is the same for all who may; 0 where it depends on the state.
    """

    arguments: tuple[object, ...] = ()
    look: frozenset[str] = EVERYBODY
    act: frozenset[str] = NO_ONE
    answer: int = OK
    body: dict[str, str] = {}  # noqa: RUF012 (never changed)
    acted: int = 0


PUBLIC = {
    "championships": Row(), "championship": Row(("world-2030",), answer=MISSING),
    "championship-participants": Row(("world-2030", 1), answer=MISSING),
    "championship-participants-file": Row(("world-2030", 1, "figures.csv"), answer=MISSING),
    "championship-reserves": Row(("world-2030", 1), answer=MISSING),
    "championship-reserves-file": Row(("world-2030", 1, "figures.csv"), answer=MISSING),
    "ready": Row(), "robots": Row(), "security-txt": Row(),
    "sitemap": Row(), "sitemap-part": Row(("players", 1)), "home": Row(),
    "oembed": Row(answer=HTTPStatus.BAD_REQUEST),  # without the address of a page
    "changes-feed": Row(), "lists-feed": Row(), "lists-corrections-feed": Row(), "list-image": Row(LIST),
    "list-variant-image": Row((*LIST, "women")), "embed-list": Row(LIST[:1]), "embed-player": Row(PLAYER),
    "club": Row(("fmjd", "020032"), answer=MISSING),  # the FMJD knows no clubs
    "embed-club": Row(("fmjd", "020032"), answer=MISSING),
    "player-feed": Row(PLAYER), "player-image": Row(PLAYER), "tournament-image": Row(TOURNAMENT),
    "federation-feed": Row(("NED",)), "lists": Row(), "lists-compare": Row(LIST[:1]), "list-statistics": Row(LIST),
    "records": Row(), "search": Row(), "list-newest": Row(LIST[:1]), "list-of-day": Row(LIST[:2]),
    "list-revision": Row(LIST), "list-tournaments": Row(LIST),
    "list-differences": Row(LIST, answer=MISSING),  # a first revision replaces nothing
    "list-earlier": Row(LIST), "list-print": Row((*LIST, "official")), "list-file": Row((*LIST, "list.csv")),
    "list-ratings-file": Row((*LIST[:2], "csv")),
    "list-variant": Row((*LIST, "women")), "list-variant-in-force": Row((LIST[0], "women"), answer=FOUND),
    "players": Row(), "player": Row(PLAYER), "player-tournaments": Row(PLAYER), "player-opponents": Row(PLAYER),
    "player-games": Row((*PLAYER, *LIST[:2], *TOURNAMENT), answer=MISSING),  # the FMJD rates by tournament
    "player-history-file": Row(PLAYER), "player-games-file": Row(PLAYER), "players-compare": Row(),
    "tournaments": Row(), "tournaments-waiting": Row(), "tournaments-calendar": Row(),
    "tournaments-calendar-file": Row(), "tournament": Row(TOURNAMENT), "tournament-changes": Row(TOURNAMENT),
    "tournament-crosstable": Row(TOURNAMENT), "tournament-rounds": Row(TOURNAMENT),
    "tournament-norms": Row(TOURNAMENT), "tournament-standings-file": Row(TOURNAMENT),
    "tournament-file": Row((*TOURNAMENT, "games.trf")),
    "tournament-standings": Row(TOURNAMENT, answer=HTTPStatus.MOVED_PERMANENTLY),
    "tournament-card": Row((*TOURNAMENT, 1)), "tournament-methods": Row(TOURNAMENT), "federations": Row(),
    "federation": Row(("NED",)), "method-index": Row(answer=FOUND), "method": Row(),
    "method-of-system": Row(("fmjd",)), "method-calculator": Row(("fmjd",)), "method-tables": Row(("fmjd",)),
    "recompute-program": Row(("fmjd",)), "standings": Row(), "pair": Row(), "privacy": Row(), "accessibility": Row(),
    "open-data": Row(), "reference-api": Row(), "reference-swagger": Row(),
    "open-data-file": Row(("lists.csv",), answer=HTTPStatus.SERVICE_UNAVAILABLE),  # the worker has not made it yet
    "check-file-example": Row(("clean",)), "check-file-template-xlsx": Row(), "check-file-template-csv": Row(),
    "titles": Row(), "title-feed": Row(), "title-points": Row(("fmjd",)), "title-certificates": Row(),
    "title-certificate": Row(("T9-AAAAAAAA",), answer=MISSING),
    "title-certificate-file": Row(("T9-AAAAAAAA",), answer=MISSING),
    "world-cup": Row(), "world-cup-recompute": Row(),
    **dict.fromkeys(("world-cup-open", "world-cup-women"), Row(("100", "2026-12-31"), answer=MISSING)),
    **dict.fromkeys(
        ("world-cup-open-file", "world-cup-women-file"),
        Row(("100", "2026-12-31", 1, "figures.csv"), answer=MISSING),
    ),
    "world-cup-event": Row(NONE, answer=MISSING),
    "champions": Row(), "champions-file": Row(), "champions-federations": Row(), "champions-of-year": Row((2026,)),
    "championship-champions": Row(("world-100-classic",)),
    "what-must-i-score": Row(), "youth-teams": Row((2026, "classic")), "youth-teams-years": Row(),
    "youth-teams-file": Row((2026, "classic", "teams.csv")),
    "title-norm": Row(NONE, answer=MISSING), "account_reset_password_done": Row(),
}  # fmt: skip
PUBLIC_FORMS = {
    "check-file": Row(act=EVERYBODY, body={"example": "clean"}, acted=OK), "title-forecast": Row(act=EVERYBODY),
    "title-forecast-running": Row(act=EVERYBODY), "request-new": Row(act=EVERYBODY, answer=MISSING),
    "request": Row(("x",), act=EVERYBODY, answer=MISSING), "account_reset_password": Row(act=EVERYBODY),
    "mfa_authenticate": Row(act=EVERYBODY, answer=FOUND),
    "account_reset_password_from_key": Row(NO_LINK, act=EVERYBODY, answer=GONE),
    "account-invitation": Row(NO_LINK, act=EVERYBODY, answer=GONE),
    "account-stop-mails": Row(("x",), act=EVERYBODY, answer=MISSING),
}  # fmt: skip
# The pages of an account with its password: what they do is in test_account_managed.py, test_sessions.py.
PERSONAL = {
    "messages": Row(look=LOGGED_IN),
    **dict.fromkeys(
        ("account", "account-mails", "account-data", "account-close-own", "account-name", "account_email",
         "account_change_password", "account_reauthenticate", "mfa_index", "mfa_activate_totp",
         "mfa_generate_recovery_codes", "account-sessions"), Row(look=LOGGED_IN),
    ),
    "account_confirm_email": Row(("x",), LOGGED_IN, answer=GONE),
    "mfa_reauthenticate": Row((), LOGGED_IN, answer=FOUND),  # without a factor by the password
    "mfa_deactivate_totp": Row((), LOGGED_IN, answer=MISSING),
    "mfa_view_recovery_codes": Row((), LOGGED_IN, answer=MISSING),
}  # fmt: skip
# A method that the page does not take is one for all who look at drafts; others are refused.
OF_DRAFTS = {
    "office-dashboard": Row((), DRAFTS),
    "office-period": Row(OPEN, DRAFTS),
    "office-preview": Row(OPEN, DRAFTS, answer=CONFLICT),
    "office-differences": Row(OPEN, DRAFTS),
    "office-freeze": Row(OPEN, OFFICER, OFFICER, CONFLICT, {"reason": "why not", "seen": "on"}),
    "office-correct": Row(
        (LIST[0], date(2026, 10, 1)), OFFICER, OFFICER, body={"reason": "why not", "later": "carry"}
    ),
    "office-anomaly": Row((*OPEN, *ANOMALY), NO_ONE, OFFICER, body={"text": "so it is"}),
    "office-calculate": Row(OPEN, NO_ONE, OFFICER, body={"reason": "a name was corrected"}),
    "office-approve": Row(OPEN, OFFICER, OFFICER, body={"old_password": PASSWORD}),
    "office-publish": Row(OPEN, RELEASER, RELEASER, body={"old_password": PASSWORD}),
    "office-past-quarters": Row(OPEN[:1], OFFICER, OFFICER, body={"reason": "nothing was played"}),
    "office-dates": Row(
        OPEN[:1], OFFICER, OFFICER, CONFLICT, {"closing": "2027-03-15", "in_force": "2027-04-01"}
    ),
    "office-sources": Row((), DRAFTS, OFFICER | ADMINISTRATOR),
    "office-values": Row(OPEN, DRAFTS, DRAFTS, MISSING, acted=MISSING),  # of a pool without values
    "office-replay": Row(OPEN[:1], OFFICER),
    "office-opening": Row(OPEN[:1], DRAFTS, OFFICER | ADMINISTRATOR),
    "office-opening-approve": Row(OPEN[:1], OFFICER, OFFICER, FOUND),
    "office-opening-publish": Row(OPEN[:1], RELEASER, RELEASER, FOUND),
    "office-opening-discard": Row(OPEN[:1], NO_ONE, OFFICER | ADMINISTRATOR),
    "office-withdraw": Row(OPEN, NO_ONE, OFFICER, body={"reason": "why not"}),
}
OFFICES = {
    "office-compare-rules": Row((), OFFICER | RELEASER),
    "office-compare-rules-csv": Row((), OFFICER | RELEASER, answer=HTTPStatus.BAD_REQUEST),
    "account-tokens": Row((), REPORT, REPORT),
    "account-token-new": Row((), REPORT, REPORT),
    "account-webhooks": Row((), REPORT),
    "account-webhook-new": Row((), REPORT, REPORT),
    "account-webhook": Row(NONE, REPORT, REPORT, MISSING),
    "accounts": Row((), OF_FEDERATIONS),
    "account-invite": Row((), OF_FEDERATIONS, OF_FEDERATIONS),
    "account-resend-invitation": Row((1,), NO_ONE, OF_FEDERATIONS),
    "account-withdraw": Row((1,), NO_ONE, OF_FEDERATIONS),
    # Account 1 is the importer's: an account of commands has no page.
    "account-page": Row((1,), OF_FEDERATIONS, answer=MISSING),
    "account-close": Row((1,), ADMINISTRATOR, ADMINISTRATOR, MISSING),
    "account-reopen": Row((1,), ADMINISTRATOR, ADMINISTRATOR, MISSING),
    "account-roles": Row((1,), ADMINISTRATOR, ADMINISTRATOR, MISSING),
    "account-factor": Row((1,), ADMINISTRATOR, ADMINISTRATOR, MISSING),
    "account-confirm-role": Row((1, 1), NO_ONE, ADMINISTRATOR),
    "account-security": Row((), ADMINISTRATOR),
    "audit-log": Row((), DRAFTS),
    "audit-log-file": Row((), DRAFTS),
    "report-announce": Row((), REPORT, REPORT),
    "report-results-entry": Row((), REPORT, REPORT),
    "reports": Row((), REPORT),
    "report-new": Row((), REPORT, REPORT),
    "report": Row(NONE, REPORT | ADMINISTRATOR, answer=MISSING),
    "report-file": Row(NONE, REPORT | ADMINISTRATOR, REPORT, MISSING),
    "report-detail": Row(NONE, NO_ONE, REPORT),
    "report-details": Row(NONE, REPORT | ADMINISTRATOR, REPORT, MISSING),
    "report-people": Row(NONE, REPORT | ADMINISTRATOR, REPORT, MISSING),
    "report-people-look-up": Row(NONE, REPORT | ADMINISTRATOR, answer=MISSING),
    "report-preview": Row(NONE, REPORT | ADMINISTRATOR, answer=MISSING),
    "report-submit": Row(NONE, REPORT | ADMINISTRATOR, REPORT, MISSING),
    "report-delete": Row(NONE, REPORT, REPORT, MISSING),
    "report-correct": Row(NONE, NO_ONE, REPORT),
    "report-notes": Row(NONE, REPORT | ADMINISTRATOR, REPORT | ADMINISTRATOR, MISSING),
    "report-restore": Row(NONE, NO_ONE, REPORT),
    "report-take-back": Row(NONE, NO_ONE, REPORT),
    "report-withdraw": Row(NONE, NO_ONE, REPORT),
    "report-changes": Row((*NONE, 1, 1), REPORT | ADMINISTRATOR, answer=MISSING),
    "report-original": Row((*NONE, 1), REPORT | ADMINISTRATOR, answer=MISSING),
    "report-results-entry-players": Row(NONE, REPORT, REPORT, MISSING),
    "report-results-entry-round": Row((*NONE, 1), REPORT, REPORT, MISSING),
    "report-results-entry-crosstable": Row(NONE, REPORT, REPORT, MISSING),
    "report-announcement": Row(NONE, NO_ONE, REPORT),
    "report-announcement-change": Row(NONE, REPORT, REPORT, MISSING),
    "report-announcement-withdraw": Row(NONE, NO_ONE, REPORT),
    "announcement-world-cup": Row(NONE, REPORT | ADMINISTRATOR, REPORT | ADMINISTRATOR, MISSING),
    "office-reports": Row((), INBOX),
    "office-report": Row(NONE, INBOX, INBOX, MISSING),
    "office-reports-accept": Row((), OFFICE, OFFICE),
    "office-report-remind": Row(NONE, NO_ONE, INBOX),
    "office-requests": Row((), OF_FEDERATIONS),
    "office-request": Row(NONE, OF_FEDERATIONS, OF_FEDERATIONS, MISSING),
    "office-players": Row((), OF_FEDERATIONS),
    "office-players-csv": Row((), OF_FEDERATIONS),
    "office-memberships": Row((), INBOX, INBOX),
    "office-players-import": Row((), INBOX, INBOX),
    "office-players-import-check": Row(NONE, INBOX, INBOX, MISSING),
    "office-player": Row(("99999",), OF_FEDERATIONS, answer=MISSING),
    "office-player-edit": Row(("99999",), OF_FEDERATIONS, OF_FEDERATIONS, MISSING),
    "office-player-erase": Row(("99999",), OFFICER, OFFICER, MISSING),
    "office-player-transfer": Row(("99999",), OFFICE, OFFICE, MISSING),
    "office-player-merge": Row(("99999",), OFFICE, OFFICE, MISSING),
    "office-merge-undo": Row(NONE, OFFICE, OFFICE, MISSING),
    "office-decisions": Row((), DECISIONS, OFFICE | COUNCIL),
    "office-tournament": Row(TOURNAMENT, DECISIONS, OFFICE | COUNCIL),
    "office-federation": Row((), OFFICIAL),
    "norm-drafts": Row((), NORMS),
    "norms-of-draft": Row(OPEN, NORMS, COUNCIL, acted=HTTPStatus.BAD_REQUEST),
    "norm": Row(NORM, NORMS, COUNCIL, acted=HTTPStatus.BAD_REQUEST),
    "norm-claim": Row(OPEN, COUNCIL, COUNCIL, acted=HTTPStatus.BAD_REQUEST),
    "office-world-cup": Row((), NORMS),
    "office-championships": Row((), NORMS, OFFICE, acted=HTTPStatus.BAD_REQUEST),
    "office-championship-new": Row((), OFFICE, OFFICE, acted=HTTPStatus.BAD_REQUEST),
    "office-championship": Row(("world-2030",), NORMS, OFFICE, MISSING),
    "office-championship-change": Row(("world-2030",), OFFICE, OFFICE, MISSING),
    "office-publications": Row((), NORMS, DIRECTOR, acted=HTTPStatus.BAD_REQUEST),
    "office-publication": Row(NONE, NORMS, DIRECTOR | RELEASER, MISSING),
    "office-declarations": Row((), NORMS | OFFICIAL, OFFICE | OFFICIAL, acted=CONFLICT),
    "office-champions": Row((), OFFICE, OFFICE, acted=CONFLICT),
    "office-title-match": Row(("world-100-classic", 1990), OFFICE, OFFICE, MISSING),
    "title-ledgers": Row((), TITLES),
    "title-ledger": Row(("99999",), TITLES, TITLES, MISSING),
    "title-applications": Row((), TITLES),
    "title-application": Row(NONE, TITLES, TITLES, MISSING),
}
# The demonstration's mailbox and logging in and out are below; the forecast of a report is in test_forecast_pages.py.
OTHERS = {"mailbox", "account_login", "account_logout", "title-forecast-of-report"}
GUARDED = OFFICES | OF_DRAFTS
ROWS = PUBLIC | PUBLIC_FORMS | PERSONAL | GUARDED
# The links of the second row of the header.
BAND = (
    "office-dashboard", "office-federation", "office-reports", "office-requests", "office-players", "norm-drafts",
    "title-ledgers", "title-applications", "audit-log", "reports", "report-announce",
)  # fmt: skip
# Mail programs post here without a page before it (RFC 8058); what checks or forecasts has nothing to forge.
WITHOUT_TOKEN = {"account-stop-mails", "check-file", "title-forecast", "title-forecast-running"}


def names(resolver: URLResolver | None = None) -> Iterator[str]:
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            yield from names(pattern)
        else:
            assert isinstance(pattern, URLPattern)
            yield pattern.name or str(pattern.pattern)


def test_every_address_has_a_row() -> None:
    """Those of the API are in tests/api."""
    assert {name for name in names() if not name.startswith("api")} == {*ROWS, *OTHERS}


def address_of(name: str) -> str:
    draft = RatingList.objects.filter(state="ready")
    numbers = {
        "anomaly": lambda: draft.get().anomalies.earliest("pk").pk,
        "norm": lambda: Norm.objects.filter(list=draft.get(), origin="found").earliest("pk").pk,
    }
    return reverse(name, args=[numbers[each]() if each in numbers else each for each in ROWS[name].arguments])


@pytest.mark.parametrize("who", sorted(EVERYBODY))
def test_public_addresses_are_open_to(who: str, monkeypatch: pytest.MonkeyPatch, subtests: Any) -> None:
    client = logged_in(who, federation="NED")
    for name, row in (PUBLIC | PUBLIC_FORMS).items():
        with subtests.test(name):
            with monkeypatch.context() as patch:
                if who != "anonymous":
                    render_nothing(patch)
                assert client.get(address_of(name)).status_code == row.answer
            if name in PUBLIC_FORMS:
                answer = client.post(address_of(name), row.body).status_code
                assert answer == row.acted if row.acted else answer not in {FORBIDDEN, NOT_ALLOWED}


def test_public_addresses_name_the_parameters_that_they_do_not_know(client: Client, subtests: Any) -> None:
    """Before anything is read: so the answer is the same where the page is missing or gone.

    The specification of oEmbed has others ignored.
    """
    for address in ("/login/", *map(address_of, (PUBLIC | PUBLIC_FORMS).keys() - {"oembed"})):
        with subtests.test(address):
            refused = client.get(f"{address}?fbclid=x&pgae=2&q;=%00")
            assert refused.status_code == HTTPStatus.BAD_REQUEST
            assert "This page has no such parameter: “pgae”, “q;”." in refused.text
            assert "fbclid" not in refused.text


def render_nothing(patch: pytest.MonkeyPatch) -> None:
    """Views run, templates do not: test_pseudo_language.py renders every page for every role that may look.

    A public page is rendered there for a visitor and one of the roles.
    """
    patch.setattr(Template, "render", lambda *_: "")


@pytest.mark.parametrize("who", sorted(EVERYBODY))
def test_who_gets_what(
    season_with_draft: None, settings: Any, who: str, monkeypatch: pytest.MonkeyPatch, subtests: Any
) -> None:
    """Acts come last, so that looking is not spoilt by them; a body as the page would send it.

    A state that an act does not fit is a conflict, a form that says nothing a bad request. HEAD goes the way of GET:
    it is asked by a stranger, by one who may look and by one who may not.
    """
    settings.DEMO = True  # the period of the draft is still running: only the demonstration freezes it today
    client, sha256 = logged_in(who, federation="NED"), RatingList.objects.get(state="ready").sha256
    addresses, acts = {name: address_of(name) for name in PERSONAL | GUARDED}, LogEntry.objects.count()
    render_nothing(monkeypatch)
    for method in ("get", "head", "post"):
        if method == "post":
            monkeypatch.undo()
        for name, row in (GUARDED if method == "post" and who != "anonymous" else PERSONAL | GUARDED).items():
            if method == "head" and who not in {
                "anonymous",
                min(row.look, default=""),
                min(EVERYBODY - row.look),
            }:
                continue
            with subtests.test(f"{method} {name}"):
                data = {"sha256": sha256, **row.body} if method == "post" else {}
                response = getattr(client, method)(addresses[name], data)
                may = row.act if method == "post" else row.look
                if who == "anonymous":
                    expected = {FOUND}
                    assert response["Location"] == f"/login/?next={addresses[name]}"
                else:
                    assert response["Cache-Control"] == "private, no-store"
                    if who in may:
                        expected = {row.acted} if row.acted else {OK, FOUND, 400, 409, MISSING}
                        expected = expected if method == "post" else {row.answer}
                    else:
                        enters = DRAFTS if name in OF_DRAFTS else row.look | row.act
                        expected = {NOT_ALLOWED if not may and who in enters else FORBIDDEN}
                assert response.status_code in expected
                before, acts = acts, LogEntry.objects.count()
                assert (method == "post" and who in may) or acts == before


@pytest.mark.parametrize("who", [Role.RATING_OFFICER, Role.RELEASING_OFFICER, Role.ADMINISTRATOR])
def test_no_one_acts_without_the_token_of_the_form(season_with_draft: None, who: str) -> None:
    client, acts = logged_in(who, federation="NED", enforce_csrf_checks=True), LogEntry.objects.count()
    sha256 = RatingList.objects.get(state="ready").sha256
    read_only = {"messages", "account-data", "mfa_index", "mfa_view_recovery_codes"}
    for name, row in ROWS.items():
        if (row.act or name in PERSONAL.keys() - read_only) and name not in WITHOUT_TOKEN:
            address = address_of(name)
            assert client.post(address, {"sha256": sha256, **row.body}).status_code == FORBIDDEN, name
    refused = client.post("/logout/")
    assert (refused.status_code, "Nothing was changed" in refused.text) == (FORBIDDEN, True)
    assert LogEntry.objects.count() == acts
    # A stranger's check changes nothing, and gives no cookie.
    stranger = Client(enforce_csrf_checks=True)
    assert stranger.post("/check/", {"example": "clean"}).status_code == OK
    assert not stranger.cookies


def links_of_the_band(client: Client) -> set[str]:
    """The addresses of the office in the header of a page."""
    page = client.get("/method/fmjd/").text
    return {*re.findall(r'class="masthead__link" href="([^"]+)"', page)} & {*map(reverse, BAND)}


def test_the_header_links_to_what_its_reader_may_open() -> None:
    for who in EVERYBODY:
        expected = {reverse(name) for name in BAND if who in GUARDED[name].look}
        assert links_of_the_band(logged_in(who, federation="NED")) == expected, who
    without_federation = links_of_the_band(logged_in(Role.NATIONAL_OFFICIAL))
    assert without_federation == {reverse(name) for name in ("reports", "report-announce")}


def test_what_is_taken_away_is_closed_from_the_next_click(season_with_draft: None) -> None:
    client = logged_in(Role.RATING_OFFICER, federation="NED")
    address = address_of("office-period")
    assert client.get(address).status_code == OK
    account = User.objects.get(email="rating_officer.ned@example.org")
    give_roles(account, "referee")
    assert client.get(address).status_code == FORBIDDEN
    User.objects.filter(pk=account.pk).update(is_active=False)
    assert client.get(address).status_code == FOUND


@pytest.mark.parametrize("who", sorted(EVERYBODY))
@pytest.mark.parametrize("demo", [False, True])
def test_addresses_of_the_demonstration_are_nowhere_else(settings: Any, who: str, demo: bool) -> None:
    settings.DEMO = demo
    assert logged_in(who, federation="NED").get(reverse("mailbox")).status_code == (OK if demo else MISSING)


@pytest.mark.parametrize("demo", [False, True])
@pytest.mark.parametrize("address", ["/demo/", "/demo/report.txt", "/demo/comparison/"])
def test_the_tour_of_the_demonstration_has_no_address_here(
    client: Client, settings: Any, address: str, demo: bool
) -> None:
    """It changes the person without a password: its addresses exist only in a process started with DEMO=1."""
    settings.DEMO = demo
    assert client.get(address).status_code == MISSING
    assert client.post(address, {"step": "approve"}).status_code == MISSING


def test_an_address_is_closed_unless_it_says_otherwise(client: Client) -> None:
    """The twin: a view without `login_not_required` sends a stranger to the log-in."""
    from config import urls

    view = urls.ready
    view.login_required = True
    try:
        response = client.get("/ready/")
        assert (response.status_code, response["Location"]) == (302, "/login/?next=/ready/")
    finally:
        view.login_required = False


def test_logging_in_and_out(client: Client) -> None:
    create_user("Rina@example.org", "Rina Reader", PASSWORD, roles=["referee"])
    wrong = client.post("/login/", {"login": "rina@example.org", "password": "wrong"})
    assert "Wrong e-mail address or password." in wrong.text
    response = client.post("/login/", {"login": "rina@EXAMPLE.org", "password": PASSWORD})
    assert (response.status_code, response["Location"]) == (302, "/reports/")
    page = client.get("/lists/").text
    assert "Rina Reader" in page
    assert 'action="/logout/"' in page
    assert client.get("/login/").status_code == 302
    assert client.get("/logout/").status_code == 405
    assert client.post("/logout/").status_code == 302
    assert "Rina Reader" not in client.get("/lists/").text


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "\\\\evil"]
)
def test_logging_in_leads_nowhere_else(client: Client, target: str) -> None:
    create_user("rina@example.org", "Rina Reader", PASSWORD)
    data = {"login": "rina@example.org", "password": PASSWORD, "next": target}
    assert client.post("/login/", data)["Location"] == "/"


@pytest.mark.parametrize(
    "account", ["officer@office.invalid", "importer@office.invalid", "nobody@example.org"]
)
@pytest.mark.parametrize("password", ["", "!", "draughts-demo"])
def test_accounts_of_commands_cannot_log_in(client: Client, account: str, password: str) -> None:
    assert client.post("/login/", {"login": account, "password": password}).status_code == 200


@pytest.mark.parametrize(("role", "page"), [
    ("referee", "/reports/"), ("national_official", "/office/federation/"), ("tournament_director", "/office/"),
    ("rating_officer", "/office/"), ("releasing_officer", "/office/"), ("administrator", "/office/"),
    ("title_council", "/titles/norms/"),
])  # fmt: skip
def test_logging_in_leads_to_the_work(client: Client, role: str, page: str) -> None:
    create_user("rina@example.org", "Rina Reader", PASSWORD, roles=[role], federation_id="NED")
    data = {"login": "rina@example.org", "password": PASSWORD}
    assert client.post("/login/", data)["Location"] == page
    client.post("/logout/")
    assert client.post("/login/", data | {"next": "/lists/"})["Location"] == "/lists/"
