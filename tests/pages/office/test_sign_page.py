"""Before each signature a page shows what is signed; the password or factor is asked again."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from ratings.formats import tables
from ratings.models import Period, PeriodReport, RatingList
from ratings.production.correct_list import correct_list
from ratings.tasks import look_for_work
from reporting.log.audit import Actor
from reporting.models import LogEntry, Report, User
from reporting.reports.services.announce import announce_tournament
from tests.pages.accounts.test_accounts_page import an_hour_old
from tests.pages.office.office_pages import (
    PAGE,
    PUBLISHED,
    REASON,
    answer_all_anomalies,
    as_shown,
    figures_on,
    movers_on,
    sign,
    text_of,
)
from tests.people import PASSWORD, client_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("cleared_rate_limits")]


def test_the_page_shows_what_is_signed_and_each_signature_is_made_on_it(
    opened: Period, officer: User, releaser: User
) -> None:
    client = client_of(officer)
    waiting = Report.objects.filter(state="submitted", result_set__played_to__lte=opened.closing)
    names = [report.result_set.name for report in waiting]
    assert names
    last = timezone.localdate() - timedelta(days=2)
    announce_tournament(
        values={
            "name": "Quiet Cup", "place": "Gouda", "country": "NED", "discipline": "100", "time_control": "80+30",
            "system": "swiss", "played_from": str(last), "played_to": str(last),
            "announced": str(last - timedelta(days=30)),
        },
        by=Actor(officer),
    )  # fmt: skip
    client.post(f"{PAGE}freeze/", as_shown(client, f"{PAGE}freeze/", reason=REASON, seen="on"))
    look_for_work()
    draft = RatingList.objects.get(period=opened, state="ready")
    answer_all_anomalies(client, draft)
    shown = client.get(PAGE).content.decode()
    address = re.search(rf'href="({PAGE}approve/\?sha256={draft.sha256})"', shown)
    assert address is not None, "the draft's page leads to it under its own digest"
    assert f'action="{PAGE}approve/"' not in shown, "nothing is signed from the draft's page"
    page = client.get(address[1])
    content, text = page.content.decode(), text_of(page)
    assert page.status_code == 200
    assert draft.sha256 in text
    figures = figures_on(content)
    assert (figures["Players"], figures["Tournaments"]) == (str(draft.players), str(draft.tournaments))
    assert movers_on(content) == movers_on(shown) != []
    reasons = text[text.index("Excluded tournaments and reasons") :]
    excluded, announced = reasons.split("Announced tournaments without a report")
    for name in names:
        assert name in excluded
    assert "not accepted by then" in excluded
    assert "Quiet Cup" in announced
    assert "Quiet Cup" not in excluded
    assert (figures["Excluded"], figures["Announced, no report"]) == (str(len(names)), "1")
    # The closing date of a list frozen early in the demonstration is the day of the freeze.
    assert f"Closing date {timezone.localdate().day} {timezone.localdate():%b %Y}" in text
    assert sign(client, "approve", draft)["Location"] == PAGE
    # Decisions on norms changed its digest: the worker writes the files again.
    waiting = text_of(client_of(releaser).get(f"{PAGE}publish/?sha256={draft.sha256}"))
    assert "The worker is writing the files of this list. Try again in a minute." in waiting
    assert sign(client_of(releaser), "publish", draft).status_code == 409
    look_for_work()
    page = client_of(releaser).get(f"{PAGE}publish/?sha256={draft.sha256}")
    assert page.status_code == 200
    assert "Approved by Olga" in text_of(page)
    assert sign(client_of(releaser), "publish", draft)["Location"] == PAGE
    draft.refresh_from_db()
    assert (draft.state, draft.approved_by, draft.published_by) == ("published", officer, releaser)
    page = client.get(f"{PAGE}approve/")
    assert page.status_code == 409
    assert "This list has no draft to sign." in text_of(page)


def test_a_list_too_large_for_a_sheet_says_so_before_the_signature(
    draft: RatingList, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentence = "A sheet of Excel cannot hold this list. It is published without list.xlsx."
    answer_all_anomalies(client, draft)
    assert sentence not in text_of(client.get(f"{PAGE}approve/"))
    monkeypatch.setattr(tables, "SHEET_ROWS", draft.players)
    assert sentence in text_of(client.get(f"{PAGE}approve/"))


def test_without_the_password_of_five_minutes_nothing_is_signed(draft: RatingList, client: Client) -> None:
    """The page opens; its button leads to the page that asks for the password, and the signature follows it."""
    answer_all_anomalies(client, draft)
    before = LogEntry.objects.count()
    an_hour_old(client)
    assert client.get(f"{PAGE}approve/").status_code == 200
    asked = sign(client, "approve", draft)
    assert asked.status_code == 302
    assert asked["Location"].startswith("/account/confirm/"), asked["Location"]
    refused = client.post(asked["Location"], {"password": "not mine"})
    assert refused.status_code == 200
    draft.refresh_from_db()
    assert (draft.state, draft.approved_by) == ("ready", None)
    assert LogEntry.objects.count() == before
    done = client.post(asked["Location"], {"password": PASSWORD}, follow=True)
    assert done.redirect_chain[-1][0] == PAGE
    draft.refresh_from_db()
    assert draft.state == "approved"


def test_a_draft_replaced_meanwhile_is_not_signed_under_the_old_page(
    draft: RatingList, client: Client
) -> None:
    page = client.get(f"{PAGE}approve/?sha256={'0' * 64}")
    assert page.status_code == 409
    assert "The list has changed since you opened the page." in text_of(page)
    page = client.get(f"{PAGE}approve/")
    assert "anomalies have no answer yet." in text_of(page)
    assert "Approve list" not in page.content.decode(), "the page says before why it is not possible"
    assert draft.sha256 in page.content.decode()


def test_a_revision_is_shown_first_against_the_list_that_it_replaces(opened: Period, officer: User) -> None:
    october = RatingList.objects.get(in_force="2026-10-01", pool__code="fmjd-100", state="published")
    manifest = PeriodReport.objects.filter(period=october.period_id, correction=None)
    left_out = manifest.order_by("-result_set__entries__number").first().result_set.code
    correct_list(
        rating_list=october, reason="A report was wrong.", later="carry", by=Actor(officer),
        excluded_tournaments=[left_out],
    )  # fmt: skip
    look_for_work()
    draft = RatingList.objects.get(period=october.period_id, state="ready")
    client = client_of(officer)
    content = client.get(f"{PUBLISHED}approve/?sha256={draft.sha256}").text
    for shown in (content, client.get(PUBLISHED).text):
        against = shown.index("against revision 1, which is replaced")
        assert against < shown.index("since the list of 1 Jul 2026")
        assert movers_on(shown) == movers_on(content)
    # Of each mover the rating on revision 1, then that of the draft.
    rows = (rating_list.rows.select_related("player") for rating_list in (october, draft))
    first, second = ({row.player.printed_name: row.rating for row in of_list} for of_list in rows)
    rows = [row.split() for row in movers_on(content)]
    assert rows
    for row in rows:
        (name,) = (name for name in first if {*name.replace(",", "").split()} <= {*row})
        figures = [figure for figure in row if re.fullmatch(r"\d{4}", figure)]
        assert figures[-2:] == [str(first[name]), str(second[name])]
    assert len(rows) == min(12, sum(first[name] != second.get(name, first[name]) for name in first))
    assert "changes no rating" not in content


def test_a_revision_that_changes_nothing_says_so_before_it_is_signed(opened: Period, officer: User) -> None:
    october = RatingList.objects.get(in_force="2026-10-01", pool__code="fmjd-100", state="published")
    correct_list(rating_list=october, reason="A doubt.", later="carry", by=Actor(officer))
    look_for_work()
    draft = RatingList.objects.get(period=october.period_id, state="ready")
    client = client_of(officer)
    for page in (PUBLISHED, f"{PUBLISHED}approve/?sha256={draft.sha256}"):
        assert "changes no rating and no player of revision 1." in text_of(client.get(page))
