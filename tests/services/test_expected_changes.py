"""What a report alone would do to ratings, before anybody accepts it."""

import re

import pytest

from ratings.office.selectors.expected import expected_changes
from reporting.reports.reading.open_report import open_report
from reporting.reports.services.review import accept_report
from tests.services.test_merge_players import merge

pytestmark = pytest.mark.django_db(transaction=True)


def expectation(report):
    opened = open_report(report.pk)
    read = {"details": opened.submission.details, "read": opened.submission.read}
    return expected_changes(**read, players=opened.matching.players)


def test_the_expected_change_is_that_of_the_article(office):
    """Own 2000 against 2000: Pe 50 %, one game, We 1. Won: K 15, 0,5 x 15 x (2 - 1) = 7,5, so 2007,5 -> 2008; lost
    the same down, 1992,5 -> 1993 (half upwards, R9). 120 minutes are 100 % (R6)."""
    office.opening("fmjd_id rating games\n11 2000 100\n12 2000 100\n13 2000 100")
    report = office.upload("Open", [11, 12], ["1 1 2 2-0"]).report
    found = expectation(report)
    assert (found.pool.code, found.weight_percentage) == ("fmjd-100", 100)
    assert found.basis.in_force.isoformat() == "2026-01-01"
    assert (found.players[1].change, found.players[1].after) == (8, 2008)
    assert (found.players[2].change, found.players[2].after) == (-7, 1993)


def test_a_newcomer_gets_the_performance_and_gives_nothing(office):
    """Two wins against 2000: 100 % is Rc + 935 by table, limited to 2400 (R4); their opponents count nothing (R8)."""
    office.opening("fmjd_id rating games\n11 2000 100\n12 2000 100")
    newcomer = office.newcomer("Nova", "Tara")
    report = office.upload("Open", [11, 12, newcomer], ["1 3 1 2-0", "2 3 2 2-0"]).report
    found = expectation(report)
    assert set(found.players) == {3}
    newcomer = found.players[3]
    assert (newcomer.change, newcomer.after, newcomer.provisional) == (None, 2400, True)


def test_what_is_expected_is_what_the_list_gives_when_nothing_else_counts(office):
    office.opening("fmjd_id rating games\n11 2317 100\n12 2104 40\n13 1980 12\n14 2222 70")
    games = ["1 1 2 2-0", "1 3 4 1-1", "2 1 3 1-1", "2 2 4 0-2", "3 4 1 2-0", "3 3 2 2-0"]
    report = office.submit("Open", [11, 12, 13, 14], games)
    found = expectation(report)
    accept_report(report=report, by=office.officer)
    published = office.run(publish=False)
    for number, fmjd_id in enumerate((11, 12, 13, 14), 1):
        row = office.row(published, fmjd_id)
        assert (found.players[number].after, found.players[number].change) == (row.rating, row.change)


def test_so_is_it_of_merged_records(office):
    """22 with their rating is 31, who has none; 23, once over 2300, is 11, whose K is 10 by it (R5, R24)."""
    opening = "fmjd_id rating games reached_2300\n11 2217 60 0\n13 1980 12 0\n22 2104 40 0\n23 2190 50 1"
    office.opening(opening)
    office.register(31)
    merge(office, duplicate=22, surviving=31)
    merge(office, duplicate=23, surviving=11)
    report = office.submit("Open", [11, 31, 13], ["1 1 2 2-0", "2 2 3 1-1", "3 3 1 0-2"])
    found = expectation(report)
    accept_report(report=report, by=office.officer)
    draft = office.run(publish=False)
    assert office.changes(draft, 11)[0].k == 10
    for number, fmjd_id in enumerate((11, 31, 13), 1):
        row = office.row(draft, fmjd_id)
        assert (found.players[number].after, found.players[number].change) == (row.rating, row.change)


def test_the_preview_shows_the_ratings_of_the_list_in_force_on_the_first_day(office, client):
    """11 has 2000 in January and wins once: 2008 in April. A draw with 2000 in February is on 2000, no change (R8)."""
    office.opening("fmjd_id rating games\n11 2000 100\n12 2000 100\n13 2000 100")
    office.accept("Open", [11, 12], ["1 1 2 2-0"])
    assert office.row(office.run(), 11).rating == 2008
    report = office.upload("Cup", [11, 13], ["1 1 2 1-1"]).report
    client.force_login(office.referee.user)
    page = client.get(f"/reports/{report.pk}/preview/")
    assert re.search(r"Ratings of the list of <a [^>]+>1 Jan 2026</a>", page.text)
    standings = page.text.partition('id="standings"')[2].partition("</table>")[0]
    assert re.findall(r"<td[^>]*>\s*(2\d{3}|new)\s*</td>", standings) == ["2000", "2000"]


def test_without_a_list_or_days_nothing_is_expected(office):
    office.register(11, 12)
    assert expectation(office.upload("Open", [11, 12], ["1 1 2 2-0"]).report).players == {}
