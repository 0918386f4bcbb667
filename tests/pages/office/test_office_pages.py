"""The office's pages: what they show in each state, what an act answers, what a refusal leaves as it was."""

import re
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ratings.federations.fmjd.models import FmjdListRow
from ratings.models import CalculationRun, Correction, Period, PeriodReport, RatingList
from ratings.production.periods.freeze_period import freeze_and_calculate, freeze_due_periods
from ratings.tasks import look_for_work
from ratings.worker.progress import Progress
from reporting.log.audit import Actor
from reporting.models import LogEntry, User
from reporting.refusals.domain_error import DomainError
from reporting.reports.services.announce import announce_tournament
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
from tests.people import client_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_dashboard_says_what_to_do_where_there_is_no_list(client: Client) -> None:
    page = text_of(client.get("/office/"))
    assert page.count("No list yet.") == 7
    assert page.count("Upload opening list") == 7
    assert "No period is open." in page
    freeze_due_periods()
    page = text_of(client.get("/office/"))
    assert "No period is open." not in page
    assert "Closing date 15 Dec 2026" in page
    assert "Referees and the office, until the freeze" in page


def test_the_page_of_the_freeze_warns_before_the_closing_date(opened: Period, client: Client) -> None:
    today = timezone.localdate()
    Period.objects.filter(pk=opened.pk).update(closing=today + timedelta(days=3))
    assert "The closing date is in 3 days" in text_of(client.get(f"{PAGE}freeze/"))
    Period.objects.filter(pk=opened.pk).update(closing=today - timedelta(days=1))
    page = text_of(client.get(f"{PAGE}freeze/"))
    assert "The closing date" not in page
    assert "A freeze cannot be undone." in page
    assert "has passed" in text_of(client.get(PAGE))


def test_outside_the_demonstration_the_page_says_from_when_it_freezes(
    opened: Period, client: Client, settings: Any
) -> None:
    today = timezone.localdate()
    later = timezone.now() + timedelta(hours=1)
    Period.objects.filter(pk=opened.pk).update(closing=today, played_before=later)
    sent = as_shown(client, f"{PAGE}freeze/", reason=REASON, seen="on")
    page = client.get(f"{PAGE}freeze/")
    assert "Only the demonstration freezes a period before its closing date" in text_of(page)
    settings.DEMO = False
    page = client.get(f"{PAGE}freeze/")
    assert "You can freeze the period from" in text_of(page)
    assert re.search(r"<button[^>]* disabled>Freeze period</button>", page.content.decode())
    refused = client.post(f"{PAGE}freeze/", sent)
    assert refused.status_code == 409
    assert f"The closing date is {today.day} {today:%b %Y}." in text_of(refused)
    assert REASON in text_of(refused)
    assert Period.objects.get(pk=opened.pk).state == "open"


def test_a_freeze_names_the_announced_tournaments_whose_report_is_overdue(
    opened: Period, client: Client, officer: User
) -> None:
    today = timezone.localdate()
    for name, last in (("Quiet Cup", today - timedelta(days=20)), ("Fresh Cup", today - timedelta(days=1))):
        announce_tournament(
            values={
                "name": name, "place": "Gouda", "country": "NED", "discipline": "100", "time_control": "80+30",
                "system": "swiss", "played_from": str(last), "played_to": str(last),
                "announced": str(last - timedelta(days=30)),
            },
            by=Actor(officer),
        )  # fmt: skip
    page = text_of(client.get(f"{PAGE}freeze/"))
    overdue = page[page.index("Announced, report overdue") :]
    assert "Quiet Cup" in overdue
    assert "Fresh Cup" not in overdue


def test_a_freeze_needs_a_reason_and_a_look_at_the_excluded_reports(opened: Period, client: Client) -> None:
    for sent, message in (
        ({"reason": "  ", "seen": "on"}, "Fill this in."),
        ({"reason": REASON}, "Tick this box."),
        ({"reason": "x" * 2001, "seen": "on"}, "at most 2000 characters"),
    ):
        response = client.post(f"{PAGE}freeze/", sent)
        assert response.status_code == 400
        assert message in text_of(response)
        assert sent["reason"].strip() in response.content.decode()
    assert Period.objects.get(pk=opened.pk).state == "open"


def test_a_freeze_while_a_report_is_stored_asks_for_patience(opened: Period, client: Client) -> None:
    """The closing lock held by another session: 503 with Retry-After, and what was typed is still there."""
    parameters = connection.get_connection_params() | {"dbname": connection.settings_dict["NAME"]}
    parameters.pop("cursor_factory", None)
    parameters.pop("context", None)
    with psycopg.connect(**parameters) as other, connection.cursor() as cursor:
        other.execute("SELECT pg_advisory_xact_lock_shared(9091004)")
        cursor.execute("SET lock_timeout = '100ms'")
        response = client.post(f"{PAGE}freeze/", as_shown(client, f"{PAGE}freeze/", reason=REASON, seen="on"))
        cursor.execute("RESET lock_timeout")
    assert (response.status_code, response["Retry-After"]) == (503, "5")
    assert REASON in text_of(response)
    assert "A report is being stored. Please try again." in text_of(response)
    answer = client.post(f"{PAGE}freeze/", as_shown(client, f"{PAGE}freeze/", reason=REASON, seen="on"))
    assert answer.status_code == 302


def test_a_frozen_period_is_not_frozen_again_nor_previewed(draft: RatingList, client: Client) -> None:
    for response in (
        client.get(f"{PAGE}freeze/"),
        client.post(f"{PAGE}freeze/", {"reason": REASON, "seen": "on"}),
        client.get(f"{PAGE}preview/"),
    ):
        assert response.status_code == 409
        assert "This period is already frozen." in text_of(response)


# --- the preview


def test_the_preview_shows_the_figures_of_the_freeze(opened: Period, officer: User, client: Client) -> None:
    before = {model: model.objects.count() for model in (RatingList, FmjdListRow, PeriodReport, LogEntry)}
    shown = client.get(f"{PAGE}preview/").content.decode()
    assert {model: model.objects.count() for model in before} == before, "nothing is written"
    for words in ("It is not stored and not signed", "from 2 accepted reports", "Lviv Women Cup"):
        assert words in shown, words
    freeze_and_calculate(period=opened, reason=REASON, by=Actor(officer))
    look_for_work()
    page = client.get(PAGE).content.decode()
    same = ("Players", "New players", "Tournaments", "Games counted", "Sum of changes")
    assert {name: figures_on(shown)[name] for name in same} == {name: figures_on(page)[name] for name in same}
    assert movers_on(shown) == movers_on(page) != []
    draft = RatingList.objects.get(period=opened, state="ready")
    asked = draft.anomalies.filter(player__isnull=False)
    assert int(figures_on(shown)["Anomalies"]) == asked.count()
    assert "plus admitted, corrected, similar and excluded reports" in shown
    assert "Large jump: 30 points or more since the previous list" in shown
    for anomaly in asked:
        assert anomaly.player.last_name in shown


def test_the_preview_reads_in_one_snapshot_and_could_not_write(opened: Period, client: Client) -> None:
    with CaptureQueriesContext(connection) as queries:
        client.get(f"{PAGE}preview/")
    said = [query["sql"] for query in queries]
    begin = said.index("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
    assert said[begin - 1] == "BEGIN"
    reads = [place for place, query in enumerate(said) if "ratings_" in query]
    assert reads
    assert all(begin < place < said.index("COMMIT", begin) for place in reads)


# --- progress


def test_progress_is_polled_until_it_ends(opened: Period, officer: User, client: Client) -> None:
    freeze_and_calculate(period=opened, reason=REASON, by=Actor(officer))
    page = client.get(PAGE).content.decode()
    assert '<noscript><meta http-equiv="refresh" content="2"></noscript>' in page
    assert 'hx-trigger="every 1s"' in page
    asked = {"HX-Request": "true", "HX-Target": "progress"}
    answer = client.get(PAGE, headers=asked)
    assert answer.content.decode().lstrip().startswith("<section")
    assert "HX-Reselect" not in answer
    with CaptureQueriesContext(connection) as queries:
        client.get(PAGE, headers=asked)
    assert len(queries) == 5  # session, account, period, lists, run
    look_for_work()
    answer = client.get(PAGE, headers=asked)
    retargeted = answer["HX-Retarget"], answer["HX-Reselect"], answer["HX-Reswap"]
    assert retargeted == ("#main", "#main", "outerHTML")
    assert "hx-trigger" not in answer.content.decode()
    ended = 'id="status" role="status" hx-swap-oob="innerHTML">The calculation is finished.</p>'
    assert ended in answer.content.decode()


def test_stages_are_shown_with_their_rows(opened: Period, officer: User, client: Client) -> None:
    """Told as the worker tells them, through its own Progress."""
    run = freeze_and_calculate(period=opened, reason=REASON, by=Actor(officer))
    progress = Progress(run)
    progress.begin("read")
    progress.add_rows(4321)
    progress.end()
    progress.begin("calculate", of=640)
    progress.add_rows(160)
    page = text_of(client.get(PAGE))
    assert "4321 rows" in page
    assert "160 of 640 rows" in page
    assert 'max="640" value="160"' in client.get(PAGE).content.decode()


def test_a_refused_calculation_shows_the_refusal(opened: Period, officer: User, client: Client) -> None:
    """The run stores key and values; a worker that stopped has stored nothing."""
    requested = freeze_and_calculate(period=opened, reason=REASON, by=Actor(officer))
    run = CalculationRun.objects.filter(pk=requested.pk)
    refusal = {"key": "carry_impossible.later_list", "values": {"players": 2, "in_force": "2026-07-01"}}
    run.update(state="failed", attempts=1, refusal=refusal)
    page = text_of(client.get(PAGE))
    assert "Failed after 1 attempt:" in page
    assert DomainError("carry_impossible.later_list", players=2, in_force="2026-07-01").message in page
    run.update(attempts=5, refusal={})
    stopped = "Failed after 5 attempts: The worker stopped without an error message."
    assert stopped in text_of(client.get(PAGE))


def test_a_failed_calculation_shows_the_error_and_can_be_requested_again(
    opened: Period, officer: User, client: Client
) -> None:
    run = freeze_and_calculate(period=opened, reason=REASON, by=Actor(officer))
    failed = {"state": "failed", "attempts": 5, "error": "MemoryError: <no room>"}
    CalculationRun.objects.filter(pk=run.pk).update(**failed)
    page = text_of(client.get(PAGE))
    assert "Failed after 5 attempts: MemoryError: <no room>" in page
    assert "Calculation failed" in page
    assert client.post(f"{PAGE}calculate/").status_code == 302
    assert look_for_work() == 1
    assert "Biggest movers" in text_of(client.get(PAGE))


# --- corrections


def test_a_correction_that_excludes_a_tournament_names_it_on_the_draft(client: Client) -> None:
    newest = RatingList.objects.get(in_force="2026-10-01")
    line = PeriodReport.objects.filter(period=newest.period).select_related("result_set").first()
    sent = as_shown(
        client, f"{PUBLISHED}correct/", reason="It was played under other rules.", later="carry",
        excluded_tournaments=line.result_set.code,
    )  # fmt: skip
    response = client.post(f"{PUBLISHED}correct/", sent)
    assert (response.status_code, response["Location"]) == (302, PUBLISHED)
    correction = Correction.objects.get(replaces=newest)
    assert correction.manifest.count() == newest.tournaments - 1
    look_for_work()
    page = text_of(client.get(PUBLISHED))
    assert "It was played under other rules." in page
    assert re.search(rf"Excluded {re.escape(line.result_set.name)} Included none", page)
    assert client.get(f"{PUBLISHED}differences/").context["against"] == "replaced"
    assert client.get(f"{PUBLISHED}differences/?against=last").status_code == 200


def test_a_correction_that_can_not_be_read_changes_nothing_and_what_was_ticked_stays(client: Client) -> None:
    for sent in (
        {"later": "carry"},
        {"reason": "why", "later": "perhaps"},
        {"reason": "why"},
        {"reason": "why", "later": "carry", "excluded_tournaments": "no-such-tournament"},
        {"reason": "why", "later": "carry", "included_reports": "999999"},
        {"reason": "why", "later": "carry", "included_reports": "one"},
    ):
        response = client.post(f"{PUBLISHED}correct/", sent)
        assert response.status_code == 400
        assert sent.get("reason", "") in response.text
    assert not Correction.objects.exists()
    newest = RatingList.objects.get(in_force="2026-10-01")
    line = PeriodReport.objects.filter(period=newest.period).select_related("result_set").first()
    sent = {"later": "revise", "excluded_tournaments": line.result_set.code}
    page = client.post(f"{PUBLISHED}correct/", sent).content.decode()
    assert re.search(rf'value="{line.result_set.code}" id="leave-\d+"\s+checked', page)
    assert re.search(r'value="revise" id="later-revise" required\s+aria-describedby="[a-z-]+" checked', page)


def test_only_a_correction_that_is_under_way_is_withdrawn(client: Client) -> None:
    response = client.post(f"{PUBLISHED}withdraw/", {"reason": "never mind"})
    assert response.status_code == 409
    assert "This list is not being corrected." in text_of(response)
    client.post(f"{PUBLISHED}correct/", as_shown(client, f"{PUBLISHED}correct/", reason="why", later="carry"))
    response = client.post(f"{PUBLISHED}withdraw/", {"reason": ""})
    assert response.status_code == 400
    assert Period.objects.get(in_force="2026-10-01").state == "correcting"


def test_a_period_frozen_next_to_a_correction_says_what_it_waits_for(
    opened: Period, officer: User, client: Client
) -> None:
    client.post(f"{PUBLISHED}correct/", as_shown(client, f"{PUBLISHED}correct/", reason="why", later="carry"))
    response = client.post(f"{PAGE}freeze/", as_shown(client, f"{PAGE}freeze/", reason=REASON, seen="on"))
    assert response.status_code == 302
    page = text_of(client.get(PAGE))
    assert "Waiting for the correction of an earlier list" in page
    assert "The correction of an earlier list" in text_of(client.get("/office/"))
    assert client.post(f"{PAGE}calculate/").status_code == 409
    look_for_work()
    withdrawal = {"reason": "never mind", "shown": client.get(PUBLISHED).context["shown"]}
    assert client.post(f"{PUBLISHED}withdraw/", withdrawal).status_code == 302
    look_for_work()
    assert "Biggest movers" in text_of(client.get(PAGE))


# --- costs


def cost(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path).status_code == 200
    return len(queries)


def test_queries_of_an_open_period(opened: Period, client: Client) -> None:
    """Session and account are 2 of each, the numbers of the inbox, the requests and the applications 1 each."""
    assert (
        {path: cost(client, path) for path in ("/office/", PAGE, f"{PAGE}freeze/", f"{PAGE}preview/")}
        == {
            "/office/": 30,  # 3 each for decisions on tournaments and for signs, 1 for reports left, 1 for chosen dates
            PAGE: 13,
            f"{PAGE}freeze/": 11,
            f"{PAGE}preview/": 18,  # and the columns, read past Django: one query a table
        }
    )


def test_queries_of_a_draft(draft: RatingList, client: Client, releaser: User) -> None:
    """As many for a draft with questions as without, and for six hundred players as for two."""
    assert cost(client, PAGE) == 28
    assert cost(client, f"{PAGE}differences/") == 10
    answer_all_anomalies(client, draft)
    client.get(PAGE)  # the messages are shown
    # Whether it rests on lists that are still the newest, and is asked for again.
    assert cost(client, PAGE) == 39
    sign(client, "approve", draft)
    assert cost(client_of(releaser), PAGE) == 34  # who has no inbox


def test_queries_of_a_published_list(client: Client) -> None:
    assert cost(client, PUBLISHED) == 16
    assert cost(client, f"{PUBLISHED}correct/") == 16  # four for the norms that decisions would change
