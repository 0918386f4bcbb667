"""R24a: an act compares what its page showed with what is there once it holds its locks (decision 0079)."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test import Client

from ratings.models import Correction, Period, PlayerHistory
from reporting.models import Player, PlayerMerge, Report, User
from tests.pages.office.office_pages import PAGE, PUBLISHED, REASON, as_shown, text_of
from tests.pages.web.test_templates import templates

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("worker")]

DIGEST = re.compile(
    r'name="(?:seen|shown|looked_at|based_on|sha256|report)"|\.sha256 \}\}|partial act_fields'
)
FORM = re.compile(r'<form\b[^>]*method="post".*?</form>|{% confirm .*?{% endconfirm %}', re.DOTALL)
# The forms without a digest, and why: nothing that they change was found or calculated for the page.
WITHOUT_DIGEST = {
    "account/": "the own account",
    "mfa/": "the own account",
    "demo/tour.html": "the demonstration",
    "office/anomaly.html": "answers one anomaly of one draft, by its number",
    "office/opening.html": "uploads a table, whose draft is shown next",
    "office/period.html": "asks for a calculation where there is none",
    "office/period_status_line.html": "sends a reminder",
    "office/sources.html": "uploads a file, whose lists or findings are shown next",
    "office/sign_off.html": "asks for another draft, which is shown next",
    "parts/masthead.html": "logs out",
    "parts/office_row.html": "logs out",
    "reporting/account": "an account and its roles",
    "reporting/announcements/announcement_actions.html": "withdraws an announcement, by its number",
    "reporting/check_file/check_file.html": "checks a file, and changes nothing",
    "reporting/review/correct_report.html": "uploads a file, whose findings are shown next",
    "reporting/review/inbox.html": "sends a reminder",
    "reporting/register/register_import.html": "uploads a table, whose plan is shown next",
    "reporting/reports/report.html": "takes the own report back or withdraws it, with all its versions",
    "reporting/reports/report_new.html": "uploads a file, whose findings are shown next",
    "reporting/reports/report_notes.html": "sends a note",
    "ratings/requests/request_followed.html": "the own request",
    "ratings/requests/request_new.html": "sends a request",
    "ratings/webhooks/": "the own webhooks",
    "reporting/register/memberships.html": "uploads a whole table, which no part of the page decides",
    "reporting/pairing/pairing.html": "calculates for the reader, and changes nothing",
    "reporting/standings/standings_of_file.html": "calculates for the reader, and changes nothing",
    "reporting/register/transfer.html": "leads to the preview",
    "titles/forecast.html": "calculates for the reader, and changes nothing",
    "titles/champions/office.html": "enters a medal, or withdraws one by its number",
    "titles/champions/title_match.html": "names the newest entry that the page showed",
    "titles/world_cup/declarations.html": "records a declaration, or withdraws one by its number",
    "titles/publications/publication.html": "signs the figures whose digest the page has, or withdraws a draft",
    "titles/publications/publications.html": "requests a draft, which is shown next",
    "titles/norm_claim.html": "makes a claim, whose requirements are shown next",
    "titles/championships/office_list.html": "records the standing of one federation, once",
}


def test_a_form_has_the_digest_of_its_page_or_a_reason_to_have_none() -> None:
    """A form that a new page brings is in neither, and fails."""
    forms = ((name, form) for name, source in templates().items() for form in FORM.findall(source))
    without = {name for name, form in forms if not DIGEST.search(form)}
    unexplained = {name for name in without if not any(name.startswith(start) for start in WITHOUT_DIGEST)}
    assert unexplained == set()
    assert {start for start in WITHOUT_DIGEST if not any(name.startswith(start) for name in without)} == set()


@contextmanager
def change_at_lock(change: Callable[[], object]) -> Iterator[None]:
    """What another person commits while an act waits for its first lock; here it ends with the refused act."""
    done: list[object] = []

    def execute(run: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        answer = run(sql, *arguments)
        if "pg_advisory_xact_lock(%s)" in sql and not done:
            done.append(change)
            change()
        return answer

    with connection.execute_wrapper(execute):
        yield
    assert done, "the act takes no lock"


def refused(client: Client, path: str, sent: dict[str, str], change: Callable[[], object]) -> None:
    with change_at_lock(change):
        answer = client.post(path, sent)
    assert answer.status_code == 409
    assert "What this page shows has changed since you opened it." in text_of(answer)
    assert REASON in text_of(answer)


def unlisted() -> QuerySet[Player]:
    """Players on no list and in no report: a forecast has nothing to say about them."""
    return Player.objects.filter(entries=None).exclude(pk__in=PlayerHistory.objects.values("player"))


def test_a_report_accepted_while_a_freeze_waits_is_shown_first(opened: Period, client: Client) -> None:
    waiting = Report.objects.filter(state="submitted").order_by("pk")[:1]
    path = f"{PAGE}freeze/"
    sent = as_shown(client, path, reason=REASON, seen="on")
    refused(client, path, sent, lambda: Report.objects.filter(pk__in=waiting).update(state="returned"))
    assert Period.objects.get(pk=opened.pk).state == "open"


def test_a_record_edited_while_a_merge_waits_is_shown_first(season: None, client: Client) -> None:
    surviving, duplicate = unlisted().order_by("pk")[:2]
    path = f"/office/players/{surviving.address}/merge/"
    chosen = {"with": duplicate.address, "surviving": surviving.address}
    sent = as_shown(client, path, reason=REASON, **chosen)
    edited = Player.objects.filter(pk=duplicate.pk)
    refused(client, path, sent, lambda: edited.update(first_name="Another"))
    assert not PlayerMerge.objects.exists()
    sent = as_shown(client, path, reason=REASON, **chosen)
    assert client.post(path, sent).status_code == 302
    merge = PlayerMerge.objects.get()
    path = f"/office/merges/{merge.pk}/undo/"
    sent = as_shown(client, path, reason=REASON)
    refused(client, path, sent, lambda: edited.update(first_name="Third"))
    merge.refresh_from_db()
    assert merge.undone_at is None


def test_a_correction_and_its_withdrawal_are_of_what_the_page_showed(opened: Period, client: Client) -> None:
    path = f"{PUBLISHED}correct/"
    sent = as_shown(client, path, reason=REASON, later="carry")
    for act, stale in ((path, sent), (f"{PUBLISHED}withdraw/", {"reason": REASON})):
        corrections = Correction.objects.filter(withdrawn_at=None).count()
        answer = client.post(act, stale | {"shown": "0123456789abcdef"})
        assert (answer.status_code, REASON in text_of(answer)) == (409, True)
        assert "What this page shows has changed since you opened it." in text_of(answer)
        assert Correction.objects.filter(withdrawn_at=None).count() == corrections
        assert client.post(act, stale | {"shown": answer.context["shown"]}).status_code == 302


def test_names_changed_while_an_erasure_waits_are_shown(season: None, client: Client, officer: User) -> None:
    player = unlisted().order_by("pk").first()
    path = f"/office/players/{player.address}/erase/"
    sent = as_shown(client, path, reason=REASON, identity="on")
    named = Player.objects.filter(pk=player.pk)
    refused(client, path, sent, lambda: named.update(first_name="Another"))
    assert not named.get().is_erased
