"""Sessions that end, and the password asked again for what cannot be undone."""

import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from reporting.accounts.sessions import stored_key
from reporting.models import AccountSession, LogEntry, Report, Role, SecurityEvent, User
from reporting.tasks import clear_sessions
from tests.pages.accounts.log_ins import (
    ELSEWHERE,
    HERE,
    PASSWORD,
    asks_again,
    code_now,
    log_in,
    office_client,
    older,
    person,
)
from tests.people import client_of, create_user, give_roles

pytestmark = [
    pytest.mark.django_db, pytest.mark.database_role("web"), pytest.mark.usefixtures("cleared_rate_limits"),
]  # fmt: skip

Kind = SecurityEvent.Kind


# --- sessions


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize(("began", "seen", "holds_for_officers"), [
    (timedelta(hours=11, minutes=58), timedelta(hours=2, minutes=58), True),
    (timedelta(hours=12, minutes=1), timedelta(minutes=1), False),
    (timedelta(hours=4), timedelta(hours=3, minutes=1), False),
])  # fmt: skip
def test_a_session_of_the_office_holds_twelve_hours_and_three_without_a_click(
    role: Role, began: timedelta, seen: timedelta, holds_for_officers: bool
) -> None:
    client = client_of(person(role))
    older(client, began=began, seen=seen)
    answer = client.get("/account/")
    officer = role not in (Role.REFEREE, Role.NATIONAL_OFFICIAL)
    assert (answer.status_code == 200) is (holds_for_officers or not officer)
    if answer.status_code != 200:
        assert answer["Location"] == "/login/?next=/account/"
        assert "Your session has ended" in client.get("/login/").text
        assert SecurityEvent.objects.latest("pk").kind == Kind.SESSION_ENDED
        assert client.get("/account/").status_code == 302, "it does not come to life again"


def test_a_click_moves_the_idle_end_and_not_the_absolute_one(db: None) -> None:
    client = client_of(person(Role.RATING_OFFICER))
    older(client, began=timedelta(hours=11), seen=timedelta(hours=2))
    began, now = client.session["began"], int(time.time())
    assert client.get("/account/").status_code == 200
    assert (client.session["began"], client.session["seen"] >= now) == (began, True)


def test_sessions_are_listed_and_all_others_ended(db: None) -> None:
    rina = person(Role.REFEREE)
    here, there, stranger = (Client(HTTP_USER_AGENT=browser) for browser in (
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Version/26.0 Safari/604.1", "curl/8",
    ))  # fmt: skip
    log_in(here, rina)
    log_in(there, rina, source=ELSEWHERE)
    log_in(stranger, person(Role.REFEREE, "olga@example.org"))
    page = here.get("/account/sessions/").text
    for shown in ("Firefox on Windows", "Safari on iPhone", HERE, ELSEWHERE, "This session"):
        assert shown in page
    assert page.count("<tr>") == 3, "a head and two sessions"
    done = here.post("/account/sessions/", follow=True)
    assert "Safari on iPhone" not in done.text
    assert "You have been logged out on all other devices" in done.text
    assert (there.get("/account/").status_code, here.get("/account/").status_code) == (302, 200)
    assert stranger.get("/account/").status_code == 200
    assert "Unknown browser" in stranger.get("/account/sessions/").text


@pytest.mark.database_role("worker")
def test_sessions_that_ended_are_cleared(db: None) -> None:
    client, remaining = Client(), Client()
    rina = person(Role.REFEREE)
    log_in(client, rina)
    log_in(remaining, rina)
    session = client.session
    session.set_expiry(timedelta(seconds=-1))
    session.save()
    clear_sessions()
    assert AccountSession.objects.get().session_key == stored_key(remaining.session.session_key)


def test_under_https_cookies_are_of_this_host_alone(environment: dict[str, str], tmp_path: Path) -> None:
    """RFC 6265bis: `__Host-` is taken with Secure, for the whole path and without a domain, and from no other host."""
    shown = subprocess.run(
        [
            sys.executable, "-c",
            "import django; django.setup()\n"
            "from django.conf import settings; from django.test import Client\n"
            "print(settings.SESSION_COOKIE_NAME, settings.SESSION_COOKIE_SECURE, settings.SESSION_COOKIE_DOMAIN)\n"
            "print(Client().get('/login/', secure=True, headers={'host': 'localhost'}).cookies.output())",
        ],
        env={
            **environment, "HTTPS": "1", "DJANGO_SETTINGS_MODULE": "config.settings",
            "RATING_OFFICE_VAR": str(tmp_path),
        },
        capture_output=True, text=True, check=True, timeout=60,
    ).stdout  # fmt: skip
    session, cookie = shown.splitlines()
    assert session == "__Host-sessionid True None"
    assert cookie.startswith("Set-Cookie: __Host-csrftoken=")
    assert "Path=/;" in cookie
    assert "Secure" in cookie
    assert "Domain" not in cookie


# --- the password again


def test_an_act_of_the_office_asks_for_the_password_after_five_minutes_and_is_then_done(db: None) -> None:
    rina, client = person(Role.REFEREE), office_client()
    address = f"/accounts/{rina.pk}/close/"
    older(client, began=timedelta(minutes=5, seconds=1))
    asked = client.post(f"{address}?from=list", {"reason": "Left the federation"})
    assert asks_again(asked, address)
    wrong = client.post(asked["Location"], {"password": "wrong"})
    assert "Wrong password" in wrong.text
    rina.refresh_from_db()
    assert rina.is_active
    done = client.post(asked["Location"], {"password": PASSWORD})
    assert (done.status_code, done["Location"]) == (302, f"/accounts/{rina.pk}/")
    rina.refresh_from_db()
    assert not rina.is_active
    assert LogEntry.objects.get(action="account.close").reason == "Left the federation"
    # Within five minutes of it nothing is asked again.
    assert client.post(f"/accounts/{rina.pk}/reopen/", {"reason": "Back"}).status_code == 302
    rina.refresh_from_db()
    assert rina.is_active


def test_the_page_names_no_act_but_the_one_that_is_kept(db: None) -> None:
    rina, client = person(Role.REFEREE), office_client()
    older(client, began=timedelta(hours=1))
    client.post(f"/accounts/{rina.pk}/close/", {"reason": "Left"})
    assert "To confirm:" not in client.get(f"/account/confirm/?next=/accounts/{rina.pk}/reopen/").text
    assert "To confirm:" not in client.get("/account/confirm/").text
    set_up = client.get("/account/factor/set-up/")
    assert "To confirm: set up your authenticator app" in client.get(set_up["Location"]).text
    remaining = client.get(f"/account/confirm/?next=/accounts/{rina.pk}/close/").text
    assert f"To confirm: close the account of {rina.name}" in remaining


def test_what_is_refused_after_the_password_comes_back_filled(db: None) -> None:
    rina, client = person(Role.REFEREE), office_client()
    older(client, began=timedelta(hours=1))
    asked = client.post(f"/accounts/{rina.pk}/close/", {"reason": "x" * 2001})
    back = client.post(asked["Location"], {"password": PASSWORD})
    assert (back.status_code, "x" * 2001 in back.text) == (400, True)
    assert client.post(f"/accounts/{rina.pk}/close/", {"reason": "Left"}).status_code == 302


def test_a_code_confirms_as_well_as_the_password_and_not_twice(ruth: User, at_rest: None) -> None:
    give_roles(ruth, Role.ADMINISTRATOR)
    rina, client = person(Role.REFEREE), Client()
    client.force_login(ruth)
    older(client, began=timedelta(hours=1))
    client.post(f"/accounts/{rina.pk}/close/", {"reason": "Left"})
    address = f"/account/confirm/code/?next=/accounts/{rina.pk}/close/"
    assert client.post(address, {"code": code_now()}).status_code == 302
    assert not User.objects.get(pk=rina.pk).is_active
    thief = Client()
    log_in(thief, ruth)
    assert thief.post("/login/code/", {"code": code_now()}).status_code == 200


LIST = "the list of 1 Oct 2026 (100 squares, classical)"
OF_STEP_UP = {
    "office-freeze": "freeze the period of " + LIST,
    "office-approve": "approve " + LIST,
    "office-publish": "publish " + LIST,
    "office-correct": "correct " + LIST,
    "office-withdraw": "withdraw the correction of " + LIST,
    "office-player-merge": "merge the player records 10001 and 10002",
    "office-merge-undo": "undo merge 1 of player records",
    "office-player-erase": "erase the name of player 10001",
    "account-close-own": "close your account",
    "account-roles": "change the roles of Referee",
    "account-close": "close the account of Referee",
    "account-reopen": "reopen the account of Referee",
    "account-factor": "remove the second factor of Referee",
    "account-confirm-role": "confirm a role of Referee",
}
# Decided many times a day: they ask again after an hour (CONFIRM_RESULTS_AFTER_SECONDS).
ACTS_ON_RESULTS = {
    "accept": ("office-report", "accept report {report}"),
    "undo_acceptance": ("office-report", "undo the acceptance of report {report}"),
    "accept several": ("office-reports-accept", "accept these reports"),
    "decide one": ("office-tournament", "decide about tournament 2026-open"),
    "decide several": ("office-decisions", "decide about tournaments"),
    "norms": ("norms-of-draft", "decide about norms"),
    "norm": ("norm", "decide about norms"),
    "claim": ("norm-claim", "claim a norm"),
    "medals": ("office-champions", "enter or withdraw medals"),
    "title match": ("office-title-match", "record a title match"),
    "standing": ("office-championships", "record the standing of a federation"),
    "new championship": ("office-championship-new", "create a championship"),
    "change championship": ("office-championship-change", "change championship world-2027"),
    "championship": ("office-championship", "decide about championship world-2027"),
}


@pytest.mark.parametrize("name", OF_STEP_UP)
def test_each_act_that_cannot_be_undone_asks_again(season_shared: None, name: str) -> None:
    """A person with every role and a session of five minutes: each act leads to the password, none is done.

    The page that asks names the act, also after a wrong password and in the place of a code.
    """
    account = create_user("all@example.org", "All", PASSWORD, roles=Role.values)
    client = client_of(account)
    older(client, began=timedelta(minutes=6))
    arguments: dict[str, tuple[Any, ...]] = {
        "office-player-merge": ("10001",), "office-merge-undo": (1,), "office-player-erase": ("10001",),
        "account-close-own": (),
    }  # fmt: skip
    if name.startswith("account") and name not in arguments:
        arguments[name] = (person(Role.REFEREE).pk, 1) if "confirm" in name else (person(Role.REFEREE).pk,)
    address = reverse(name, args=arguments.get(name, ("fmjd-100", "2026-10-01")))
    before = LogEntry.objects.count()
    answer = client.post(address, {"reason": "Typed with care", "confirm": "yes", "with": "10002"})
    assert asks_again(answer, address)
    assert LogEntry.objects.count() == before
    said = f"To confirm: {OF_STEP_UP[name]}"
    assert said in client.get(answer["Location"]).text
    assert said in client.post(answer["Location"], {"password": "wrong"}).text
    done = client.post(answer["Location"], {"password": PASSWORD})
    assert done.status_code < 500
    assert not done.get("Location", "").startswith("/account/confirm/")


@pytest.mark.parametrize("act", ACTS_ON_RESULTS)
def test_each_act_on_results_asks_again_after_an_hour(season_shared: None, act: str) -> None:
    client = client_of(create_user("all@example.org", "All", PASSWORD, roles=Role.values))
    name, said = ACTS_ON_RESULTS[act]
    report = Report.objects.latest("pk").pk
    arguments = {
        "office-report": (report,), "office-tournament": ("2026-open",), "norm": (1,),
        "norms-of-draft": ("fmjd-100", "2026-10-01"), "norm-claim": ("fmjd-100", "2026-10-01"),
        "office-title-match": ("world-100-classic", 2026),
        "office-championship-change": ("world-2027",), "office-championship": ("world-2027",),
    }  # fmt: skip
    address = reverse(name, args=arguments.get(name, ()))
    form = {"action": act, "words-undo-acceptance": "Typed with care", "based_on": "1"}
    older(client, began=timedelta(minutes=59))
    before = LogEntry.objects.count()
    acted = client.post(address, form | {"based_on": "99"})
    assert not acted.get("Location", "").startswith("/account/confirm/")
    older(client, began=timedelta(minutes=61))
    answer = client.post(address, form)
    assert asks_again(answer, address)
    assert LogEntry.objects.count() == before
    assert f"To confirm: {said.format(report=report)}" in client.get(answer["Location"]).text
    done = client.post(answer["Location"], {"password": PASSWORD})
    assert not done.get("Location", "").startswith("/account/confirm/")


def test_who_may_not_is_refused_without_being_asked(db: None) -> None:
    rina, client = person(Role.REFEREE), Client()
    client.force_login(person(Role.RATING_OFFICER))
    older(client, began=timedelta(hours=1))
    assert client.post(f"/accounts/{rina.pk}/close/", {"reason": "x"}).status_code == 403
