"""Requests as tests send and answer them, and a page as its reader reads it."""

from html import unescape

from django.test import Client

from ratings.queries.published_values import find_figure
from reporting.log.audit import Actor
from reporting.models import CorrectionRequest, Role, User
from reporting.requests.services import answer_request, send_request
from tests.pages.published.published_pages import TAG
from tests.people import create_user

LIST = "fmjd-100:2026-10-01:1"
CODE = "2026-campinas-winter-open"
RATING = f"/requests/new/?about=rating:{LIST}:13368"
REQUEST_FIELDS = {
    "error_description": "It is 2431.", "proposed_value": "2431", "evidence": "My own sum.", "name": "Vera Visitor",
    "email": "vera@example.org",
}  # fmt: skip


def text_of(page: str) -> str:
    words = " ".join(unescape(TAG.sub(" ", page[page.index("<main") :])).split())
    return words.replace(" ,", ",").replace(" :", ":")


def sent(reference: str, **said: str) -> CorrectionRequest:
    return send_request(doubted=find_figure(reference), **REQUEST_FIELDS | {"email": "v@example.org"} | said)


def answer(asked: CorrectionRequest) -> None:
    officer = User.objects.filter(email="answers@example.org").first()
    officer = officer or create_user("answers@example.org", "A", roles=[Role.RATING_OFFICER])
    asked.refresh_from_db()
    answer_request(
        asked=asked, outcome="unchanged", basis="R9", text="So it is.", by=Actor(officer),
        looked_at=asked.waiting_since,
    )  # fmt: skip


def log_in_officer(client: Client) -> Client:
    client.force_login(create_user("o@example.org", "Olga", roles=[Role.RATING_OFFICER]))
    return client
