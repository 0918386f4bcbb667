"""Over HTTP on a live server: who acts on figures that were replaced since the page was opened is refused.

The server is the web's role in the database, the calculations are the worker's.
"""

import re
from http.client import HTTPConnection
from urllib.parse import urlencode, urlsplit

import pytest
from django.conf import settings

from ratings.models import RatingList
from ratings.production.approve_list import approve_list
from ratings.production.correct_list import correct_list
from ratings.production.periods.freeze_period import due_period, ensure_period, freeze_and_calculate
from ratings.production.publish_list import publish_list
from ratings.production.request_calculation import request_calculation
from ratings.tasks import look_for_work
from reporting.models import Role
from tests.databases import point_connections_at
from tests.people import client_of, create_user

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
        user = create_user(f"{name}@example.org", name, roles=[role])
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
