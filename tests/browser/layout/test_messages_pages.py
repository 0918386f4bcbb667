"""Messages and the demonstration's mailbox in a real browser: without barrier, on a phone, in the dark."""

from collections.abc import Callable
from typing import Any

import pytest

from reporting.messages.notifications import create_message
from reporting.models import User
from tests.browser.conftest import check_page
from tests.people import create_user

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season"),
]

LONG = "Championnat-International-de-la-Ville-de-Ouagadougou-et-de-sa-Région-2026-Open-A"
LETTERS = (
    (
        "report_late",
        "/reports/7/",
        f"Late: {LONG}",
        "Your report came 8 days after its last round. It was due by 15 Feb 2026, 7 days after it (Annex 9 art. 4.1,"
        " 4.5; R11).\n\nIt is kept as you sent it, but it is calculated only if the rating officer admits it with a"
        " written reason.",
    ),
    (
        "report_next_list",
        "/reports/8/",
        "In the next list: Gouda Open",
        "The period that closed on 15 Mar 2026 was frozen before your report of Gouda Open was accepted; you sent it"
        " in time. Once the office has accepted it, it counts in the list of 1 Jul 2026 (100 squares, classical).",
    ),
    (
        "report_accepted",
        "/reports/8/",
        "Accepted: Gouda Open",
        "Your report of Gouda Open (last round 8 Feb 2026) was accepted. It counts in the list of 1 Jul 2026 (100"
        " squares, classical). Nothing more is asked of you.",
    ),
    ("list_published", "/lists/fmjd-100/2026-10-01/r1/", "Published: 100 squares, classical, 1 Oct 2026",
     "The list is published: 7 tournaments, 1021 games, 603 players. It will not change any more."),
)  # fmt: skip


@pytest.fixture
def rina(settings: Any) -> User:
    settings.DEMO = True
    return create_user(
        "rosalind.ferrer@a-federation-with-a-long-name.example",
        "Rosalind Ferrer",
        roles=["referee"],
    )


def tell(person: User) -> None:
    for kind, about, title, text in LETTERS:
        create_message(kind=kind, recipient=person, about=about, title=title, text=text)


def test_messages_have_no_barrier_and_fit(window: Callable[..., Any], rina: User) -> None:
    page = window(rina)
    page.goto("/lists/fmjd-100/2026-10-01/r1/")  # a public page of a person who is logged in
    assert page.get_by_text(rina.name).is_visible()
    check_page(page)
    for filled in (False, True):
        if filled:
            tell(rina)
        for path in ("/messages/", "/mailbox/"):
            page.goto(path)
            assert page.locator(".message").count() == (len(LETTERS) if filled else 0)
            check_page(page)
    assert page.console_errors == []
