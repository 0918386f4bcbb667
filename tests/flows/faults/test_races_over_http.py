"""Two people press the same button of the office's page at the same moment, over HTTP on a live server.

One is redirected (302), the other refused (409, with the sentence); the log has one row. Who acts on figures
that were replaced is refused. The server is the web's role in the database, the calculations are the worker's.
"""

import re
import time
from collections import Counter
from functools import partial
from http.client import HTTPConnection
from unittest.mock import patch
from urllib.parse import urlencode, urlsplit

import pytest
from django.conf import settings
from django.db.models import QuerySet
from fault_tools import rounds

from ratings.models import Pool, RatingList
from ratings.production.approve_list import approve_list
from ratings.production.correct_list import correct_list
from ratings.production.periods.freeze_period import due_period, ensure_period, freeze_and_calculate
from ratings.production.publish_list import publish_list
from ratings.production.request_calculation import request_calculation
from ratings.tasks import look_for_work
from reporting.models import LogEntry, Role
from reporting.rules import lifecycle
from tests.concurrency import run_concurrently
from tests.databases import point_connections_at
from tests.people import client_of, create_user

PAIRS = rounds(2, 100)
PASSWORD = "a-board-of-ten-by-ten"  # noqa: S105
OPENING = "fmjd_id rating games\n11 2000 100\n12 2000 100"
FORM = (
    r'action="{path}{verb}/">\s*<input type="hidden" name="csrfmiddlewaretoken" value="(\w+)">'
    r'\s*<input type="hidden" name="sha256" value="(\w+)"'
)

pytestmark = pytest.mark.django_db(transaction=True)


class Window:
    """A person's browser without its engine: pages and buttons."""

    def __init__(self, server, name, role):
        self.host = urlsplit(server.url).netloc
        user = create_user(f"{name}@example.org", name, PASSWORD, roles=[role])
        client = client_of(user)
        self.session = client.cookies[settings.SESSION_COOKIE_NAME].value
        self.token = ""

    def ask(self, method, path, body=None):
        line = HTTPConnection(self.host, timeout=30)
        cookies = {settings.SESSION_COOKIE_NAME: self.session, settings.CSRF_COOKIE_NAME: self.token}
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items() if value)}
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        line.request(method, path, body, headers)
        answer = line.getresponse()
        text = answer.read().decode()
        cookie = re.search(rf"{settings.CSRF_COOKIE_NAME}=(\w+)", answer.headers.get("Set-Cookie", ""))
        self.token = cookie[1] if cookie else self.token
        line.close()
        return answer.status, text

    def look(self, path, verb):
        """Open the page that asks for the signature; what its form would send."""
        status, page = self.ask("GET", f"{path}{verb}/")
        assert status == 200
        found = re.search(FORM.format(path=path, verb=verb), page)
        assert found, f"no form to {verb}"
        return urlencode({"csrfmiddlewaretoken": found[1], "sha256": found[2]})


def as_worker():
    point_connections_at(USER=settings.DATABASE_USERS["worker"])


def as_web():
    point_connections_at(USER=settings.DATABASE_USERS["web"])


def ready_list(office, turn):
    """A list that waits for its signatures, in a pool of its own: a released period never comes back."""
    as_worker()
    code = f"pair-{turn}"
    pool = Pool.objects.create(code=code, system="fmjd", discipline="100", tempo=f"p{turn}", name=code)
    office.opening(OPENING, pool=code)
    period = ensure_period(pool=pool, in_force=due_period(pool).in_force, by=office.officer)
    freeze_and_calculate(period=period, reason="a test", by=office.officer)
    look_for_work()
    as_web()
    return f"/office/lists/{code}/{period.in_force}/"


def slow_move(*arguments):
    """Thinking time between looking and writing, so that two always overlap."""
    after = lifecycle.move(*arguments)
    time.sleep(0.01)
    return after


@pytest.fixture(autouse=True)
def _time_to_think():
    with (
        patch("ratings.production.approve_list.move", slow_move),
        patch("ratings.production.publish_list.move", slow_move),
    ):
        yield
    as_worker()


def pressed(office, server, pairs):
    """The statuses and sentences of each two who approved, and of each two who released."""
    people = {
        "approve": [Window(server, f"officer-{n}", Role.RATING_OFFICER) for n in (1, 2)],
        "publish": [Window(server, f"releaser-{n}", Role.RELEASING_OFFICER) for n in (1, 2)],
    }
    outcomes = {verb: Counter() for verb in people}
    sentences = Counter()
    for turn in range(pairs):
        path = ready_list(office, turn)
        for verb, both in people.items():
            answers = run_concurrently(
                *(
                    partial(browser.ask, "POST", f"{path}{verb}/", browser.look(path, verb))
                    for browser in both
                )
            )
            outcomes[verb][tuple(sorted(status for status, _ in answers))] += 1
            sentences.update(
                sentence
                for status, page in answers
                if status == 409
                for sentence in re.findall(r"Nothing was changed\.</strong> ([^<]*)", page)
            )
    return outcomes, sentences


def rows_by_list(action):
    entries = LogEntry.objects.filter(action=action, subject__startswith="list pair-")
    return Counter(entries.exclude(subject__endswith="2026-01-01").values_list("subject", flat=True))


def test_of_two_who_press_at_once_one_is_redirected_and_the_other_refused(office, live_server):
    outcomes, sentences = pressed(office, live_server, PAIRS)
    assert outcomes == {"approve": {(302, 409): PAIRS}, "publish": {(302, 409): PAIRS}}
    assert sum(sentences.values()) == 2 * PAIRS
    assert all("This is not possible any more." in sentence for sentence in sentences)
    for action in ("list.approve", "list.publish"):
        assert list(rows_by_list(action).values()) == [1] * PAIRS
    assert RatingList.objects.filter(state="published", is_opening=False).count() == PAIRS
    print(f"\n{PAIRS} approvals and {PAIRS} releases pressed twice over HTTP: one 302, one 409, one row each")  # noqa: T201


def test_twin_without_the_row_lock_both_are_sent_on(office, live_server):
    with patch.object(QuerySet, "select_for_update", lambda rows, **_: rows):
        outcomes, _ = pressed(office, live_server, 5)
    assert outcomes["approve"][(302, 302)]
    assert max(rows_by_list("list.approve").values()) == 2


def test_a_draft_replaced_between_looking_and_pressing_is_not_signed(office, live_server):
    """The list before is corrected while an officer looks: the signature is bound to figures that were replaced."""
    office.opening(OPENING)
    code = office.accept("Utrecht Open", [11, 12], ["1 1 2 2-0"]).result_set.code
    first = office.run()
    period = ensure_period(pool=first.pool, in_force=due_period(first.pool).in_force, by=office.officer)
    freeze_and_calculate(period=period, reason="a test", by=office.officer)
    look_for_work()
    path = f"/office/lists/fmjd-100/{period.in_force}/"
    person = Window(live_server, "olga", Role.RATING_OFFICER)
    as_web()
    seen = person.look(path, "approve")
    as_worker()

    correct_list(
        rating_list=first, reason="Not played.", later="carry", by=office.officer, excluded_tournaments=[code]
    )
    look_for_work()
    revision = RatingList.objects.get(period=first.period, state="ready")
    as_web()
    status, page = person.ask("POST", f"{path}approve/", seen)
    assert (status, "is being corrected" in page) == (409, True)
    as_worker()
    approve_list(rating_list=revision, sha256=revision.sha256, by=office.officer)
    publish_list(rating_list=revision, sha256=revision.sha256, by=office.releaser)
    as_web()
    status, page = person.ask("POST", f"{path}approve/", seen)
    assert (status, "is being recalculated" in page) == (409, True)
    as_worker()
    request_calculation(period=period, by=office.officer)
    look_for_work()
    as_web()
    status, page = person.ask("POST", f"{path}approve/", seen)
    assert status == 409
    assert "The list has changed since you opened the page. Check it again." in page
    assert RatingList.objects.filter(period=period, state="ready").count() == 1

    # The twin: who looks again signs.
    status, _ = person.ask("POST", f"{path}approve/", person.look(path, "approve"))
    assert status == 302
    assert RatingList.objects.get(period=period, state="approved").approved_by.name == "olga"
