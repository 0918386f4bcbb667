"""An empty installation shows the first steps and their state on its home page and on the dashboard."""

import io
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ratings.federations.fmjd.rules.calendar import period_of, previous_period
from ratings.federations.fmjd.rules.parameters import edition_in_force
from ratings.models import PastQuarters, Period
from ratings.office.selectors.first_steps import first_steps
from ratings.production.periods.freeze_period import freeze_due_periods
from ratings.worker import heartbeat
from reporting.accounts.services.accounts import invite
from reporting.log.audit import Actor
from reporting.models import LogEntry, Role, User
from reporting.reports.services.announce import announce_tournament
from tests.pages.office.office_pages import as_shown
from tests.people import client_of, create_user

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

TODAY = timezone.localdate()
RUNNING = period_of(edition_in_force(TODAY), TODAY)
LAST = previous_period(edition_in_force(TODAY), RUNNING)
BEFORE = previous_period(edition_in_force(TODAY), LAST)
EARLIER = previous_period(edition_in_force(TODAY), BEFORE)

KEYS = ["administrator", "settings", "worker", "people", "register", "opening", "period", "announced"]
REGISTER = (
    "fmjd_id,last_name,first_name,federation,sex,born\n11,Aman,Joel,CIV,M,1990\n12,Beugre,Ama,CIV,W,1988\n"
)
OPENING = "fmjd_id,rating,games\n11,2000,40\n12,2100,40\n"


ANNOUNCED = {
    "name": "Harbour Open", "place": "Gouda", "country": "NED", "discipline": "100", "time_control": "80+30",
    "system": "swiss", "played_from": str(TODAY + timedelta(days=30)), "played_to": str(TODAY + timedelta(days=32)),
}  # fmt: skip


@pytest.fixture(autouse=True)
def worker_seen() -> Iterator[None]:
    heartbeat.record_heartbeat()
    yield
    cache.delete(heartbeat.KEY)


def two_administrators() -> None:
    for name in ("ada", "bo"):
        create_user(f"{name}@example.org", name.title(), "x", roles=[Role.ADMINISTRATOR])


def person(role: Role, **fields: Any) -> User:
    return create_user(f"{role}@example.org", role.label, "x", roles=[role], **fields)


def states() -> list[str]:
    steps = first_steps()
    assert [step.key for step in steps] == KEYS
    return [step.state for step in steps]


def shown(client: Client, path: str = "/") -> list[str]:
    """The state of each step as a page shows it."""
    page = client.get(path).text
    return re.findall(r'<li class="first-step first-step--(\w+)">', page)


@pytest.fixture
def with_mail(settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.OFFICE_URL = "https://ratings.example.org"


@pytest.fixture
def tables(tmp_path: Any) -> Any:
    (tmp_path / "register.csv").write_text(REGISTER)
    (tmp_path / "opening.csv").write_text(OPENING)
    return tmp_path


@pytest.mark.database_role("worker")
def test_steps_become_done_and_the_first_of_the_others_is_next(with_mail: None, tables: Any) -> None:
    client = Client()
    assert shown(client) == states() == ["next", "done", "done", "later", "later", "later", "later", "later"]
    person(Role.ADMINISTRATOR)
    assert states()[0] == "next", "one gives roles, another confirms them"
    create_user("bo@example.org", "Bo Second", "x", roles=[Role.ADMINISTRATOR])
    assert shown(client) == states() == ["done", "done", "done", "next", "later", "later", "later", "later"]
    call_command("import_register", str(tables / "register.csv"), stdout=io.StringIO())
    assert states() == ["done", "done", "done", "next", "done", "later", "later", "later"]
    person(Role.RATING_OFFICER)
    assert states()[3] == "next", "one person signs no list"
    releaser = person(Role.RELEASING_OFFICER, is_active=False)
    assert states()[3] == "next", "a closed account signs nothing"
    User.objects.filter(pk=releaser.pk).update(is_active=True)
    assert states() == [*["done"] * 5, "next", "later", "later"]
    assert 'href="/office/pools/fmjd-100/opening/"' in client.get("/").text
    officer = client_of(User.objects.get(email="rating_officer@example.org"))
    form = officer.get("/office/pools/fmjd-100/opening/").text
    example = re.search(r'name="in_force" value="([0-9-]+)"', form)
    assert example is not None
    assert example[1] == str(LAST.in_force), "the list before the current quarter"
    call_command("import_list", str(tables / "opening.csv"), "--in-force", example[1], stdout=io.StringIO())
    assert states() == [*["done"] * 6, "next", "later"]
    assert shown(client) == [], "the public has a list to look at"
    client.force_login(releaser)
    assert shown(client, "/office/") == [*["done"] * 6, "next", "later"]
    freeze_due_periods()
    assert states() == [*["done"] * 7, "next"]
    announce_tournament(values=ANNOUNCED, by=Actor(User.objects.get(email="rating_officer@example.org")))
    assert states() == ["done"] * 8
    assert shown(client, "/office/") == []


@pytest.mark.database_role("worker")
def test_past_quarters_wait_for_an_officer_who_confirms_those_on_the_page(tables: Any) -> None:
    """An opening list two quarters back: nothing is opened, the pages say so, and the officer confirms both."""
    call_command("import_register", str(tables / "register.csv"), stdout=io.StringIO())
    day = str(EARLIER.in_force)
    call_command("import_list", str(tables / "opening.csv"), "--in-force", day, stdout=io.StringIO())
    freeze_due_periods()
    assert not Period.objects.exists()
    client, path = Client(), "/office/pools/fmjd-100/past-quarters/"
    client.force_login(person(Role.RELEASING_OFFICER))
    assert "2 past quarters are not calculated" in client.get("/office/").text
    assert f'href="{path}"' not in client.get("/office/").text.split("past quarters are not calculated")[1]
    assert client.get(path).status_code == client.post(path, {"reason": "x"}).status_code == 403
    client.force_login(person(Role.RATING_OFFICER))
    assert f'href="{path}"' in client.get("/office/").text
    page = client.get(path).text
    quarters = [str(BEFORE.in_force), str(LAST.in_force)]
    assert re.findall(r'name="in_force" value="([0-9-]+)"', page) == quarters
    assert page.count("no tournaments: no rating changes") == 2
    seen = {"in_force": quarters}
    for sent, status, words in (
        (seen, 400, "Fill this in."),
        (seen | {"reason": "  "}, 400, "Fill this in."),
        ({"in_force": [str(BEFORE.in_force)], "reason": "Nothing was played."}, 409, "Check them again."),
        ({"in_force": ["soon"], "reason": "Nothing was played."}, 409, "Check them again."),
        ({"reason": "Nothing was played."}, 409, "Check them again."),
    ):
        refused = client.post(path, sent)
        assert refused.status_code == status
        assert words in refused.text
        assert sent.get("reason", "").strip() in refused.text
        assert not PastQuarters.objects.exists()
    stale = client.post(path, seen | {"reason": "Nothing was played.", "shown": "0123456789abcdef"})
    assert (stale.status_code, PastQuarters.objects.count()) == (409, 0)
    assert "What this page shows has changed since you opened it." in stale.text
    sent = as_shown(client, path, reason="Nothing was played.")
    done = client.post(path, seen | sent, follow=True)
    assert "Confirmed. The scheduler opens these quarters one after another." in done.text
    assert "not calculated" not in done.text
    assert "The scheduler has not frozen" not in done.text
    freeze_due_periods()
    assert Period.objects.get().in_force == BEFORE.in_force
    entry = LogEntry.objects.get(action="period.confirm_past")
    assert (entry.reason, entry.actor.email) == ("Nothing was played.", "rating_officer@example.org")
    assert "No past quarters to confirm." in client.get(path).text
    assert client.get("/office/pools/fmjd-64/past-quarters/").status_code == 409
    assert client.get("/office/pools/nothing/past-quarters/").status_code == 404


def test_only_invited_signatories_are_counted() -> None:
    by = Actor(person(Role.ADMINISTRATOR))
    for role in (Role.RATING_OFFICER, Role.TOURNAMENT_DIRECTOR):
        invite(email=f"p.{role}@example.org", name="P", role=role, federation="", by=by)
    step = first_steps()[3]
    assert (step.is_found, step.count, step.invited) == (True, 0, 1)
    assert "0 with an account, 1 invited" in Client().get("/").text


def test_one_person_with_both_roles_is_not_two() -> None:
    create_user("r@example.org", "R", "x", roles=[Role.RATING_OFFICER, Role.RELEASING_OFFICER])
    assert states()[3] == "later"
    person(Role.RATING_OFFICER)
    assert states()[3] == "done"


@pytest.mark.parametrize(("backend", "address", "demo", "state"), [
    ("dummy", "https://ratings.example.org", False, "next"),
    ("smtp", "", False, "next"),
    ("smtp", "https://ratings.example.org", False, "done"),
    ("dummy", "", True, "done"),
])  # fmt: skip
def test_mail_is_set_up_with_a_server_and_an_address_and_needs_neither_in_the_demonstration(
    settings: Any, backend: str, address: str, demo: bool, state: str
) -> None:
    two_administrators()
    settings.EMAIL_BACKEND = f"django.core.mail.backends.{backend}.EmailBackend"
    settings.OFFICE_URL, settings.DEMO = address, demo
    assert states()[1] == state


def test_the_time_zone_is_shown_with_a_hint_where_it_is_the_default(settings: Any) -> None:
    assert "If the federation uses another time zone" in Client().get("/").text
    settings.OFFICE_TIME_ZONE = "Europe/Amsterdam"
    page = Client().get("/").text
    assert "here Europe/Amsterdam" in page
    assert "If the federation uses another time zone" not in page


def test_a_working_installation_has_no_extra_queries(season_shared: None) -> None:
    client = client_of(person(Role.ADMINISTRATOR))
    asks = "'administrator', 'rating_officer', 'releasing_officer'"
    for path in ("/", "/office/"):
        with CaptureQueriesContext(connection) as queries:
            assert shown(client, path) == []
        # Nothing but the steps asks who has one of several roles.
        assert [query["sql"] for query in queries if asks in query["sql"]] == []
    with CaptureQueriesContext(connection) as queries:
        first_steps()
    assert [query["sql"] for query in queries if asks in query["sql"]] != []


# --- the command


def create(*arguments: str) -> str:
    out = io.StringIO()
    call_command("create_administrator", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.database_role("worker")
def test_the_command_prints_the_link_and_what_comes_next(with_mail: None) -> None:
    said = create("ada@example.org", "Ada Minister", "bo@example.org", "Bo Second")
    assert "Ada Minister is invited as administrator." in said
    assert "It is also sent to ada@example.org." in said
    assert "docs/how-to/start.md" in said
    link = re.search(r"https://ratings\.example\.org(/account/invitation/\S+/)", said)
    assert link is not None
    guest = Client()
    page = guest.get(link[1], follow=True)
    assert "Welcome, Ada Minister." in page.text
    password = "a-board-of-ten-by-ten"  # noqa: S105
    done = guest.post(page.redirect_chain[-1][0], {"new_password1": password, "new_password2": password})
    assert done["Location"] == "/login/"
    assert guest.post("/login/", {"login": "ada@example.org", "password": password}).status_code == 302
    assert "Invite person" in guest.get("/accounts/").text
    entry = LogEntry.objects.earliest("pk")
    assert (entry.action, entry.by_command) == ("account.invite", True)
    with pytest.raises(CommandError, match=r"two_administrators: Ada Minister is .* Nothing was changed."):
        create("cleo@example.org", "Cleo", "dora@example.org", "Dora")
    with pytest.raises(CommandError, match="a name for each"):
        create("cleo@example.org")


@pytest.mark.database_role("worker")
def test_without_mail_or_address_the_command_says_so() -> None:
    said = create("ada@example.org", "Ada Minister", "bo@example.org", "Bo Second")
    assert "OFFICE_URL is not set" in said
    links = re.findall(r"^    http://127\.0\.0\.1:8000(/account/invitation/\S+/)$", said, re.MULTILINE)
    assert [Client().get(link, follow=True).status_code for link in links] == [200, 200]


def test_the_worker_is_a_step_until_it_is_seen() -> None:
    cache.delete(heartbeat.KEY)
    two_administrators()
    assert states()[2] == "later"
    assert "No sign of it yet." in Client().get("/").text
    heartbeat.record_heartbeat()
    assert states()[2] == "done"
    assert "last seen" in Client().get("/").text
