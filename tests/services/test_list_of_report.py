"""In which list a report counts, at every stage of its life (R10, R11)."""

from datetime import date

import pytest
from django.urls import reverse

from ratings.queries.counting import CountingState, list_of_report
from reporting.models import Message, Role
from tests.people import client_of, create_user
from tests.services.correction_helpers import (
    APRIL,
    JULY,
    MAY,
    ONE_EACH,
    SPRING,
    TWO_WINS,
    again,
    correct,
    opened,
)
from tests.services.report_helpers import quick, whole


def counts(report):
    found = list_of_report(report)
    revisions = [shown and shown.revision for shown in (found.rating_list, found.since)]
    return (found.counts, found.in_force, *revisions)


def words(client, page, report):
    """What the page says of where the report counts, and the links in it."""
    response = client.get(reverse(page, args=[report.pk]))
    assert response.status_code == 200
    return response.text


@pytest.fixture
def clients(office):
    officer = create_user("o@example.org", "Olga", roles=[Role.RATING_OFFICER])
    return client_of(officer), client_of(office.referee.user)


@quick
def test_before_the_freeze_it_is_the_next_list_and_before_the_submission_none(office):
    opened(office)
    draft = office.upload("Spring", [11, 12], TWO_WINS, **SPRING).report
    assert list_of_report(draft) is None
    accepted = office.accept("May", [13, 14], TWO_WINS, **MAY)
    assert counts(accepted) == (CountingState.NEXT_LIST, JULY, None, None)


@quick
def test_a_report_replaced_before_a_list_counts_it_names_its_correction(office, clients):
    opened(office)
    first = office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    second = again(office, "2025-spring", "Spring", [11, 12], ONE_EACH, **SPRING)
    assert counts(first) == (CountingState.CORRECTED, APRIL, None, None)
    assert counts(second)[0] is CountingState.NEXT_LIST
    shown = " ".join(words(clients[1], "report", first).split())
    assert f'Replaced by its correction, <a href="/reports/{second.pk}/">report {second.pk}</a>' in shown
    assert "Counts in" not in shown


@whole
def test_a_counted_report_names_its_published_list_on_both_pages(office, april_list, clients):
    april, spring = april_list
    assert counts(spring) == (CountingState.PUBLISHED, APRIL, 1, None)
    link = '<a href="/lists/fmjd-100/2025-04-01/r1/"><time datetime="2025-04-01">1 Apr 2025</time></a>'
    for client, page in zip(clients, ("office-report", "report"), strict=True):
        shown = words(client, page, spring)
        assert "Counted in" in shown
        assert link in shown
        assert "1 Jul 2025" not in shown
    # A late one, accepted when April is published, counts in July.
    details = {"received": "2025-04-03", "admitted_reason": "the post was on strike"}
    late = office.accept("Winter", [13, 14], TWO_WINS, **details, **SPRING)
    assert counts(late) == (CountingState.NEXT_LIST, JULY, None, None)
    assert april.in_force == date(2025, 4, 1)


@whole
def test_a_corrected_report_waits_for_a_revision_and_then_replaces_the_first(office, april_list, clients):
    april, spring = april_list
    corrected = again(office, "2025-spring", "Spring", [11, 12], ONE_EACH, **SPRING)
    assert counts(corrected) == (CountingState.NEXT_REVISION, APRIL, 1, None)
    assert "the next revision of" in words(clients[0], "office-report", corrected)
    message = Message.objects.get(kind="report_accepted", about__startswith=f"/reports/{corrected.pk}/")
    counted = "It counts in the next revision of the list of 1 Apr 2025 (100 squares, classical)."
    assert counted in message.text
    correct(office, april, included_reports=[corrected.pk])
    assert counts(corrected) == (CountingState.IN_DRAFT, APRIL, None, None)
    office.run(APRIL)
    assert counts(corrected) == (CountingState.PUBLISHED, APRIL, 2, None)
    assert counts(spring) == (CountingState.REPLACED, APRIL, 1, 2)


@whole
def test_a_report_that_a_revision_excludes_says_which(office, april_list, clients):
    april, spring = april_list
    correct(office, april, excluded_tournaments=["2025-spring"])
    assert counts(spring) == (CountingState.PUBLISHED, APRIL, 1, None)
    office.run(APRIL)
    assert counts(spring) == (CountingState.EXCLUDED, APRIL, 1, 2)
    for client, page in zip(clients, ("office-report", "report"), strict=True):
        shown = words(client, page, spring)
        assert "Was counted in" in shown
        assert '<a href="/lists/fmjd-100/2025-04-01/r2/">revision 2</a> excludes it' in shown
