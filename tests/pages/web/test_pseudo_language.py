"""Every page in a language made from English: what people read goes through gettext, or is data; links stay in it.

A text is data when it is stored in the database or in a file of the regulations. Symbols of units and names of formats
are the same in every language.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone, translation

from ratings.federations.fmjd.system import FmjdSystem
from ratings.models import PublicChange, RatingList, Webhook, WebhookDelivery
from ratings.rules.declared import ListValue, SourceUse
from ratings.tasks import look_for_work
from reporting.accounts.services.accounts import invite, request_email_change, request_password_reset
from reporting.accounts.services.tokens import create_token
from reporting.log.audit import Actor
from reporting.messages.one_time_links import message_link
from reporting.models import Message, Player, Role, Scope, User
from reporting.register.services.merge_players import merge_players
from tests.addresses import WITHOUT_PAGE
from tests.editions import K_20
from tests.pages.access.test_access import ROWS
from tests.pages.published.published_pages import pass_closing_date, revised
from tests.pages.register.test_merge_pages import people
from tests.pages.web.page_texts import Data, Texts
from tests.pages.web.shown_things import LIST, OPEN_PERIOD, REFERENCE, Things, shown_things
from tests.people import PASSWORD, create_user
from tests.pseudo_language import CODE, pseudo_language

pytestmark = pytest.mark.django_db(transaction=True)

COMPARED = ((2, "knsb-klassiek"), (1, "iccf"), (1, "fmjd-100"), (1, "fmjd-100-rapidblitz"), (7, "fmjd-100"))
SHELL = "the masthead and the footer"

# Pages of states that the first test does not have: an open period, a revision, one-time links, a second factor.
IN_OTHER_STATES = frozenset(
    {
        "account-webhook", "club", "embed-club", "player-games",
        "account-invitation", "account_confirm_email", "account_reset_password_from_key", "list-differences",
        "mfa_authenticate", "mfa_deactivate_totp", "mfa_reauthenticate", "mfa_view_recovery_codes",
        "office-dates", "office-freeze", "office-merge-undo", "office-players-import-check", "office-preview",
        "office-values",
    }
)  # fmt: skip

FIGURE = f"?about={REFERENCE}"
SECRET = "JBSWY3DPEHPK3PXP"  # noqa: S105


@pytest.fixture
def things(season_with_draft: None, settings: Any) -> Things:
    assert get_resolver().url_patterns  # read before: the tour of the demonstration has its own tests
    settings.DEMO = True
    return shown_things()


def uploaded(table: bytes) -> dict[str, Any]:
    """The form of a table."""
    return {"file": SimpleUploadedFile("open.txt", table), "register": "fmjd", "in_force": "2026-10-01"}


def names(resolver: URLResolver | None = None) -> Iterator[str]:
    for pattern in (resolver or get_resolver()).url_patterns:
        if isinstance(pattern, URLResolver):
            yield from names(pattern)
        else:
            assert isinstance(pattern, URLPattern)
            name = pattern.name or str(pattern.pattern)
            if not name.startswith("api-"):  # codes and values, in the one language of the API
                yield name


def readers_of(things: Things) -> list[tuple[str, Client]]:
    """A visitor, and an account of each role."""
    readers = [("visitor", Client())]
    for role in Role:
        client = Client()
        if role == Role.REFEREE:
            client.force_login(things.referee)
        else:
            client.force_login(
                create_user(f"{role}@example.org", "Ada Lane", roles=[role], federation_id="NED")
            )
        readers.append((str(role), client))
    return readers


def pages(
    language: str, things: Things, readers: Sequence[tuple[str, Client]]
) -> Iterator[tuple[str, str, HttpResponse]]:
    """Every address of the resolver for each reader who may look: its name, who asks, the answer.

    What a visitor may see is the same page for all roles, with the band of the office: one of them is enough.
    """
    for name in names():
        with translation.override(language):
            address = reverse(name, args=things.arguments(name))
        query = FIGURE if name == "request-new" else ""
        if name != "ready":
            visitor, client = readers[0]
            answer: HttpResponse = client.get(f"{address}{query}")  # type: ignore[assignment]
            yield name, visitor, answer
            is_public = answer.status_code == HTTPStatus.OK
            for who, client in readers[1:]:
                may_look = name not in ROWS or who in ROWS[name].look
                if may_look and (not is_public or who == Role.RATING_OFFICER):
                    yield name, who, client.get(f"{address}{query}")  # type: ignore[misc]


class Found:
    """What pages say outside the language, and where they lead out of it."""

    def __init__(self) -> None:
        self.data = Data()
        self.seen: set[str] = set()
        self.texts: dict[str, dict[str, str]] = {}
        self.raw: dict[str, set[str]] = {}
        self.links: dict[str, set[str]] = {}

    def read(self, name: str, who: str, response: HttpResponse) -> None:
        """Read an answer, if it is a page of this program's sentences."""
        if name.startswith("reference-"):
            return
        if response.status_code != HTTPStatus.OK or not response.get("Content-Type", "").startswith(
            "text/html"
        ):
            return
        self.seen.add(name)
        assert "manage.py" not in response.text, f"{name} prints a command ({who})"
        found = Texts(response.text)
        # Files and their details, compared as they are stored; symbols of regulations, such as R_o.
        if found.raw and name not in ("report-changes", "player-games"):
            self.raw.setdefault(name, set()).update(found.raw)
        for place, in_page in ((name, True), (SHELL, False)):
            for text in found.outside[in_page]:
                if not self.data.holds(text):
                    self.texts.setdefault(place, {}).setdefault(text, who)
        for address in found.addresses:
            if re.match(r"/(?!io/|static/|ready/)", address):
                self.links.setdefault(name, set()).add(address)

    def assert_clean(self) -> None:
        left = [
            f"{name}: {text!r} ({who})" for name, texts in self.texts.items() for text, who in texts.items()
        ]
        assert left == [], "\n".join(left)
        assert self.raw == {}
        assert self.links == {}


def test_every_text_is_translated_or_data_and_links_stay_in_the_language(
    things: Things, settings: Any
) -> None:
    """In an office that is not in UTC: a moment in that zone has a word that is no data here."""
    settings.OFFICE_TIME_ZONE = settings.TIME_ZONE = "America/Bogota"
    with pseudo_language():
        readers = readers_of(things)
        found = Found()
        for name, who, response in pages(CODE, things, readers):
            found.read(name, who, response)
    found.assert_clean()
    # Of two names of one address both are seen.
    assert set(names()) - found.seen == set(WITHOUT_PAGE) - {"method-of-system"} | IN_OTHER_STATES


def read_declared(found: Found, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pages of a system that reads sources and has values of a list."""
    values = (ListValue(name="games", label="Games", least=1, most=9),)
    sources = (SourceUse(source="fide", kinds=("standard",), years=1),)
    declaration = replace(FmjdSystem.declaration, values=values, sources=sources)
    with monkeypatch.context() as declared:
        declared.setattr(FmjdSystem, "declaration", declaration)
        for name, arguments in (("office-values", OPEN_PERIOD), ("office-sources", ())):
            found.read(name, "officer", client.get(reverse(name, args=arguments)))


def read_club(found: Found, reader: Client, folder: Path) -> None:
    """The pages of a club and of a member's games, in a federation that knows clubs and rates by game."""
    for command, table, options in (
        (
            "import_register",
            "knsb_id,last_name,first_name,federation,sex,born,title,fide\n8359087,Fluit,Piet,NED,M,1990,,\n"
            "8359088,Orgel,Jan,NED,M,1990,,\n",
            ("--register", "knsb"),
        ),
        (
            "import_memberships",
            "id,club,member_from,member_until\n8359087,020032,2020-01-01,\n",
            ("--register", "knsb"),
        ),
        (
            "import_list",
            "id,rating,games,last_game\n8359087,1800,40,2026-08-01\n8359088,1700,40,2026-08-01\n",
            ("--pool", "knsb-klassiek", "--in-force", "2026-09-01"),
        ),
    ):
        (folder / "table.csv").write_text(table)
        call_command(command, str(folder / "table.csv"), *options)
    (folder / "report").mkdir()
    (folder / "report" / "match.csv").write_text(
        "round,date,white_id,white_name,black_id,black_name,result\n"
        '1,2026-09-05,8359087,"Fluit, Piet",8359088,"Orgel, Jan",1-0\n'
    )
    (folder / "report" / "match.toml").write_text(
        'rating_system = "knsb"\nname = "Match"\nplayed_from = 2026-09-05\nplayed_to = 2026-09-05\n'
        'time_control = "90+30"\n'
    )
    call_command("import_reports", str(folder / "report"), "--accept")
    call_command("run_period", "knsb-klassiek", "--in-force", "2026-10-01")
    found.data = Data()  # with these players
    for name in ("club", "embed-club"):
        found.read(name, "visitor", reader.get(reverse(name, args=["knsb", "020032"])))
    games = reverse("player-games", args=["knsb-8359087", "knsb-klassiek", "2026-10-01", "2026-match"])
    found.read("player-games", "visitor", reader.get(games))


def read_imports(found: Found, client: Client, player: Player) -> None:
    """The pages of imports: with a form, with findings, with what a table gives."""
    opening = reverse("office-opening", args=["fmjd-64"])
    found.read("office-opening", "officer", client.get(opening))
    found.read("office-opening", "officer", client.post(opening, uploaded(b"fmjd_id,rating\n")))
    table = f"fmjd_id,rating,games\n{player.number},2000,40\n".encode()
    for _ in (client.post(opening, uploaded(table)), look_for_work()):
        found.read("office-opening", "officer", client.get(opening))
    memberships = reverse("office-memberships")
    found.read("office-memberships", "officer", client.get(memberships))
    found.read("office-memberships", "officer", client.post(memberships, uploaded(b"id,club\n")))
    imports = reverse("office-players-import")
    found.read("office-players-import", "officer", client.post(imports, uploaded(b"fmjd_id\n")))
    head = "fmjd_id,last_name,first_name,federation,sex,born\n"
    row = f"{player.number},{player.last_name},{player.first_name},{player.federation_id}"
    new = f"99998,{player.last_name},{player.first_name},{player.federation_id},M,1990-02-01"
    checked = client.post(imports, uploaded(f"{head}{row},M,1990-02-01\n{new}\n".encode()), follow=True)
    found.read("office-players-import-check", "officer", checked)
    found.read("office-players-import", "officer", client.get(imports))


def read_webhooks(found: Found, client: Client, owner: User) -> None:
    """The pages of webhooks with one that works and one that has ended."""
    token = create_token(name="Mirror", scopes=[Scope.WEBHOOKS], days=30, by=Actor(owner)).token
    new, now = reverse("account-webhook-new"), timezone.now()
    urls = ("https://8.8.8.8/one", "https://8.8.8.8/two")
    registered = [client.post(new, {"url": url, "token": token.pk}) for url in urls]
    found.data = Data()  # with these addresses
    for response in registered:
        found.read("account-webhook-new", "officer", response)
    one, two = Webhook.objects.order_by("pk")
    for webhook in (one, two):
        for values in (
            {"change": PublicChange.objects.first(), "status": 204, "delivered_at": now, "next_at": None},
            {"problem": "too_slow"},
            {"problem": "private_address", "next_at": None},
        ):  # fmt: skip
            WebhookDelivery.objects.create(webhook=webhook, tried_at=now, **values)
    Webhook.objects.filter(pk=two.pk).update(ended_at=now)
    for name, arguments in (
        ("account-webhooks", ()), ("account-webhook", (one.pk,)), ("account-webhook", (two.pk,)),
    ):  # fmt: skip
        found.read(name, "officer", client.get(reverse(name, args=arguments)))


def read_recalculated(found: Found, client: Client) -> None:
    """Replays and comparisons, with their errors."""
    replay, compared = reverse("office-replay", args=LIST[:1]), reverse("office-compare-rules")
    for query in ("", f"?rules={K_20.id}", "?rules=none-1"):
        found.read("office-replay", "officer", client.get(f"{replay}{query}"))
    for query in ("", *(f"?pool=fmjd-100&lists={number}&with={one}" for number, one in COMPARED)):
        found.read("office-compare-rules", "officer", client.get(f"{compared}{query}"))


def test_pages_of_revisions_open_periods_links_of_mails_and_second_factors_too(
    season: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(FmjdSystem, "editions", (*FmjdSystem.editions, K_20))
    newest = RatingList.objects.select_related("pool").get(in_force="2026-10-01", revision=1)
    excluded = newest.period.manifest.get(result_set__tournament__code="2026-campinas-winter-open")
    revised(newest, reason="It was not announced.", excluded_tournaments=[excluded.result_set.code])
    pass_closing_date(newest.pool, OPEN_PERIOD[1])
    officer = create_user("olga@example.org", "Olga Lane", roles=[Role.RATING_OFFICER])
    administrator = create_user("ada@example.org", "Ada Lane", roles=[Role.ADMINISTRATOR])
    duplicate, surviving = people(2)
    merge = merge_players(
        duplicate=duplicate, surviving=surviving, reason="They wrote that both are theirs.", by=Actor(officer)
    )
    invite(
        email="p@example.org", name="Piet Fluit", role=Role.REFEREE, federation="NED", by=Actor(administrator)
    )
    request_password_reset(email=officer.email)
    request_email_change(email="ruth@example.org", by=Actor(administrator))
    TOTP.activate(officer, SECRET)
    RecoveryCodes.activate(officer)
    codes = Authenticator.objects.get(user=officer, type="recovery_codes").wrap()
    recovery_code = codes.get_unused_codes()[0]
    lists = (("list-of-day", 2), ("list-revision", 3), ("list-differences", 3), ("list-variant", 3))
    with pseudo_language(), translation.override(CODE):
        found = Found()
        reader, client = Client(), Client()
        client.force_login(officer)
        for name, parts in lists:
            for revision in (1, 2):
                arguments: list[Any] = ["fmjd-100", "2026-10-01", revision][:parts]
                address = reverse(name, args=[*arguments, "women"] if name == "list-variant" else arguments)
                found.read(name, "visitor", reader.get(address))
        found.read(
            "tournament", "visitor", reader.get(reverse("tournament", args=[excluded.result_set.code]))
        )
        office_period = reverse("office-period", args=["fmjd-100", newest.period.in_force])
        found.read("office-period", "officer", client.get(office_period))
        for name in ("office-period", "office-freeze", "office-preview"):
            found.read(name, "officer", client.get(reverse(name, args=OPEN_PERIOD)))
        with monkeypatch.context() as without_calendar:
            without_calendar.setattr(FmjdSystem, "calendar", None)
            for name, arguments in (
                ("office-dates", LIST[:1]), ("office-dashboard", ()), ("office-period", OPEN_PERIOD), ("home", ()),
            ):  # fmt: skip
                found.read(name, "officer", client.get(reverse(name, args=arguments)))
        read_declared(found, client, monkeypatch)
        read_imports(found, client, surviving)
        read_recalculated(found, client)
        found.read("office-player", "officer", client.get(reverse("office-player", args=[duplicate.address])))
        found.read("player", "visitor", reader.get(reverse("player", args=[surviving.address])))
        found.read("audit-log", "officer", client.get(reverse("audit-log")))
        read_club(found, reader, tmp_path)
        undo = reverse("office-merge-undo", args=[merge.pk])
        found.read("office-merge-undo", "officer", client.get(undo))

        # One-time links of mails; the address of a form that follows has no token in it.
        for kind, name in (
            (Message.Kind.INVITATION, "account-invitation"),
            (Message.Kind.PASSWORD_RESET, "account_reset_password_from_key"),
            (Message.Kind.EMAIL_CONFIRM, "account_confirm_email"),
        ):
            link = message_link(Message.objects.filter(kind=kind).latest("pk"))
            found.read(name, "visitor", Client().get(link, follow=True))

        # Webhooks: registered, with deliveries of each outcome, ended.
        read_webhooks(found, client, officer)

        # The second factor: asked for at the log-in, shown, removed.
        person = Client()
        asked = person.post(
            reverse("account_login"), {"login": officer.email, "password": PASSWORD}, follow=True
        )
        found.read("mfa_authenticate", "officer", asked)
        person.post(reverse("mfa_authenticate"), {"code": recovery_code})
        for name in ("mfa_index", "mfa_view_recovery_codes", "mfa_deactivate_totp", "mfa_reauthenticate"):
            found.read(name, "officer", person.get(reverse(name)))
    found.assert_clean()
    assert found.seen >= IN_OTHER_STATES
