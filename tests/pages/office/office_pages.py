"""Reading the office's pages as the people of an office see them, on the list that the demonstration has open."""

import re
from datetime import date
from html import unescape
from typing import Any

from django.test import Client

from ratings.models import RatingList
from ratings.publishing.list_norms import list_norms
from reporting.log.audit import Actor
from reporting.models import Role, User
from tests.people import PASSWORD, create_user

IN_FORCE = date(2027, 1, 1)
PAGE = "/office/lists/fmjd-100/2027-01-01/"
PUBLISHED = "/office/lists/fmjd-100/2026-10-01/"
REASON = "The congress meets before the scheduler runs."


def person(name: str, *roles: Role) -> User:
    return create_user(f"{name.lower()}@example.org", name, PASSWORD, roles=list(roles))


def as_shown(client: Client, page: str, **typed: str) -> dict[str, str]:
    """What the form of a page with a preview sends: what was typed, and the digest of what the page shows."""
    return typed | {"shown": client.get(page, typed).context["shown"]}


def text_of(response: Any) -> str:
    """What a reader reads, without tags and without spaces before a mark."""
    words = unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode())))
    return re.sub(r" (?=[,.:;)])", "", words)


def answer_all_anomalies(client: Client, draft: RatingList) -> None:
    for anomaly in draft.anomalies.all():
        response = client.post(f"{PAGE}anomalies/{anomaly.pk}/", {"text": "checked with the referee"})
        assert (response.status_code, response["Location"]) == (302, f"{PAGE}#anomalies")
    # What the title council does on its own pages: tests/pages/titles/test_norm_pages.py.
    command = Actor(User.objects.get(email="officer@office.invalid"), by_command=True)
    list_norms().confirm(draft, "command.run_period", command)
    draft.refresh_from_db()


def sign(client: Client, act: str, draft: RatingList, **sent: str) -> Any:
    """Press the button of the page that asks for a signature, under the draft's digest."""
    return client.post(f"{PAGE}{act}/", {"sha256": draft.sha256} | sent)


def figures_on(page: str) -> dict[str, str]:
    """Name → value of the key figures."""
    found = re.findall(r'figures__name">(.*?)</dt>\s*<dd class="figures__value">(.*?)</dd>', page, re.DOTALL)
    return {name: re.sub(r"<[^>]+>", "", value).strip() for name, value in found}


def movers_on(page: str) -> list[str]:
    section = page[page.index('id="movers"') : page.index('id="newcomers"')]
    rows = re.findall(r"<tr>\s*<th scope=\"row\".*?</tr>", section, re.DOTALL)
    return [re.sub(r"<[^>]+>|\s+", " ", row) for row in rows]
