"""What pages say of a correction: which revision replaces which and why, what it changed, and what rests on it."""

import csv
import io
import re
from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from config.web.kept_pages import KEPT
from ratings.federations.fmjd.models import FmjdChange, FmjdListRow
from ratings.models import PeriodReport, RatingList
from ratings.production.correct_list import correct_list
from ratings.published.selectors.players import find_player
from ratings.published.selectors.rating_explanation import rating_explanation
from reporting.models import Report, ResultSet
from reporting.web.http_cache import FRAGMENTS, PAGES
from tests.databases import built_on
from tests.pages.published.published_pages import (
    OFFICER,
    actor,
    correct_tournament_details,
    next_list,
    revised,
    shown_rows,
    text_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("worker")]

APRIL, JULY, OCTOBER, JANUARY = (
    "/lists/fmjd-100/2026-04-01/r1/", "/lists/fmjd-100/2026-07-01/", "/lists/fmjd-100/2026-10-01/r1/",
    "/lists/fmjd-100/2027-01-01/r1/",
)  # fmt: skip
LEFT_OUT, CORRECTED = "2026-hangzhou-lake-tournament", "2026-utrecht-spring-open"
REASON = "<b>Two</b> reports were wrong."


@pytest.fixture
def july(season: None) -> RatingList:
    """The list of July as it was published first."""
    return RatingList.objects.select_related("pool").get(in_force="2026-07-01", revision=1)


def corrected_report() -> Report:
    """It says that the tournament was rapid: 30 minutes, 20 % instead of 100 %."""
    return correct_tournament_details(
        ResultSet.objects.get(tournament__code=CORRECTED), time_control='"30+0"'
    )


def correct(july: RatingList) -> RatingList:
    """One tournament excluded, one corrected by its report."""
    report = corrected_report()
    return revised(july, reason=REASON, excluded_tournaments=[LEFT_OUT], included_reports=[report.pk])


@built_on("season")
def season_with_revision() -> None:
    correct(RatingList.objects.select_related("pool").get(in_force="2026-07-01"))


@pytest.fixture(name="season_with_revision")
def _season_with_revision(transactional_db: None, _database_of_its_own: None) -> None:
    """A copy of the demonstration with the list of July corrected."""


@pytest.fixture
def revision(season_with_revision: None) -> RatingList:
    return RatingList.objects.select_related("pool").get(in_force="2026-07-01", revision=2)


def test_the_old_revision_stays_and_says_what_replaced_it_and_why(client: Client, july: RatingList) -> None:
    before = client.get(f"{JULY}r1/")
    of_pool = client.get(f"{APRIL}earlier/")
    ledger = client.get("/api/v1/players/13368/titles/")  # norms and highest ratings of the lists
    files = {file.name: client.get(f"{JULY}r1/files/{file.name}").content for file in july.files.all()}
    correct(july)
    after = client.get(f"{JULY}r1/", headers={"If-None-Match": before["ETag"]})
    assert after.status_code == 200
    assert f'"{JULY}r2/"' not in of_pool.text
    lists_now = client.get(f"{APRIL}earlier/", headers={"If-None-Match": of_pool["ETag"]})
    assert (lists_now.status_code, f'"{JULY}r2/"' in lists_now.text) == (200, True)
    ledger_now = client.get("/api/v1/players/13368/titles/", headers={"If-None-Match": ledger["ETag"]})
    assert (ledger.status_code, ledger_now.status_code) == (200, 200)
    feed = client.get("/lists/corrections.atom").text
    assert (feed.count("<entry>"), feed.count(f"<id>http://localhost{JULY}r2/</id>")) == (1, 1)
    assert "&amp;lt;b&amp;gt;Two&amp;lt;/b&amp;gt; reports were wrong." in feed  # text in HTML in XML
    assert shown_rows(after.text) == shown_rows(before.text)
    replaced = f"This revision was replaced. Show revision 2 Reason for revision 2: {REASON}"
    assert f"{replaced} Changes in revision 2" in text_of(after.text)
    assert f'href="{JULY}r2/differences/"' in after.text
    assert REASON not in after.text  # escaped
    assert {name: client.get(f"{JULY}r1/files/{name}").content for name in files} == files
    newer = text_of(client.get(f"{JULY}r2/").text)
    assert "Replaces revision 1" in newer
    reason = f"Reason for this revision {REASON} Changes in this revision"
    assert f"{reason} Requested by Rating officer by command" in newer
    assert "was replaced" not in newer
    assert client.get(JULY).text.count(f"{JULY}r2/differences/") > 0


def test_differences_are_those_of_the_file_side_by_side(client: Client, revision: RatingList) -> None:
    page = client.get(f"{JULY}r2/differences/")
    text = text_of(page.text)
    for words in (
        REASON, "Replaces Revision 1 , published", "Requested by Rating officer by command",
        "Published by Releasing officer by command", "the difference is carried into the next list calculated",
    ):  # fmt: skip
        assert words in text
    file = client.get(f"{JULY}r2/files/differences.csv").text
    lines = {row["fmjd_id"]: row for row in csv.DictReader(io.StringIO(file))}
    shown = {}
    for match in re.finditer(r'<a href="/players/(\d+)/">.*?</th>(.*?)</tr>', page.text, re.DOTALL):
        cells = [text_of(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", match[2], re.DOTALL)]
        shown[match[1]] = cells
    assert set(shown) == set(lines)
    assert len(lines) > 30
    came = gone = 0
    for number, line in lines.items():
        rating_before, rating_after, change, games, *_ = shown[number]
        came += not line["rating_before"]
        gone += not line["rating_after"]
        assert rating_before == (line["rating_before"] or "not listed")
        assert rating_after == (line["rating_after"] or "not listed")
        if line["rating_before"] and line["rating_after"]:
            changes = [f"{int(line[f'change_{when}']):+}" for when in ("before", "after")]
            words = [change.replace("-", "−").replace("+0", "0") for change in changes]
            assert change == (words[0] if words[0] == words[1] else " → ".join(words))
            counted = [line[f"period_games_{when}"] for when in ("before", "after")]
            assert games == (counted[0] if counted[0] == counted[1] else " → ".join(counted))
    assert came == gone == 0  # newcomers of the corrected report are the people they were (R24)
    old, new = PeriodReport.objects.filter(result_set__tournament__code=CORRECTED).order_by("-correction")
    for sentence in (f"Utrecht Spring Open {old.version.sha256[:8]}", "excluded", "corrected"):
        assert sentence in text, sentence
    assert new.version_id != old.version_id
    assert client.get(f"{JULY}r2/differences/?page=2").status_code == 404
    assert client.get(f"{JULY}r1/differences/").status_code == 404
    answer = client.get(f"/api/v1{JULY}r2/differences/?limit=500").json()
    assert {
        row["player"]: (row["before"]["rating"], row["after"]["rating"]) for row in answer["results"]
    } == {number: (int(line["rating_before"]), int(line["rating_after"])) for number, line in lines.items()}
    assert (answer["replaces"]["revision"], answer["reason"]) == (1, REASON)
    files = {row["tournament"]: (row["before"], row["after"]) for row in answer["tournaments"]}
    assert files[CORRECTED] == (old.version.sha256, new.version.sha256)
    assert files[LEFT_OUT][1] is None
    none = client.get(f"/api/v1{JULY}r1/differences/").json()
    assert (none["replaces"], none["reason"], none["tournaments"], none["count"]) == (None, None, [], 0)


def test_a_revision_that_changes_nothing_says_so(client: Client, july: RatingList) -> None:
    assert revised(july, reason="Looked at again.").revision == 2
    text = text_of(client.get(f"{JULY}r2/differences/").text)
    assert "No player has other figures than in revision 1." in text
    assert "The same tournaments and reports as revision 1." in text


def test_what_is_based_on_the_old_revision_is_marked_until_the_difference_is_carried(
    client: Client, july: RatingList
) -> None:
    unmarked = client.get(OCTOBER)
    correct(july)
    marked = client.get(OCTOBER, headers={"If-None-Match": unmarked["ETag"]})
    mark = "Based on revision 1 of the list of 1 Jul 2026 , corrected since ( revision 2 )."
    assert f"{mark} The difference will be carried into the next list." in text_of(marked.text)
    assert shown_rows(marked.text) == shown_rows(unmarked.text)
    for path in (f"{JULY}r2/", "/lists/fmjd-100/2026-04-01/r1/"):
        assert "Based on revision" not in client.get(path).text
    next_list(date(2027, 1, 1))
    carried = client.get(OCTOBER, headers={"If-None-Match": marked["ETag"]})
    assert f"{mark} The difference is carried into the list of 1 Jan 2027 ." in text_of(carried.text)
    january = client.get(JANUARY).text
    assert "Based on revision" not in january
    assert (
        "Carried into this list The differences made by corrections of earlier lists:"
        " revision 2 of the list of 1 Jul 2026 ( carried.csv )" in text_of(january)
    )


def test_a_page_is_rendered_again_for_a_correction_alone(client: Client, july: RatingList) -> None:
    """A correction under way changes no page; a published one changes the pages it touches."""
    changed = (
        "/lists/", "/tournaments/", f"{JULY}r1/", OCTOBER, f"/tournaments/{LEFT_OUT}/", f"/tournaments/{CORRECTED}/",
        "/players/10245/", "/",
    )  # fmt: skip
    same_pages = (
        "/lists/fmjd-100/2026-04-01/r1/", "/lists/fmjd-100/2026-01-01/r1/full/",
        "/tournaments/2026-european-championship/",
    )  # fmt: skip
    etags = {path: client.get(path)["ETag"] for path in (*changed, *same_pages)}

    def unchanged(paths: tuple[str, ...]) -> list[int]:
        return [client.get(path, headers={"If-None-Match": etags[path]}).status_code for path in paths]

    report = corrected_report()
    correct_list(
        rating_list=july, reason=REASON, later="carry", by=actor(OFFICER), excluded_tournaments=[LEFT_OUT],
        included_reports=[report.pk],
    )  # fmt: skip
    assert set(unchanged((*changed, *same_pages))) == {304}
    next_list(july.in_force)
    assert set(unchanged(changed)) == {200}
    assert set(unchanged(same_pages)) == {304}


def test_an_excluded_tournament_keeps_its_page_and_says_so(client: Client, revision: RatingList) -> None:
    said = "Counted in revision 1 of the list of 1 Jul 2026 , excluded by revision 2 "
    assert said in text_of(client.get(f"/tournaments/{LEFT_OUT}/").text)
    page = client.get(f"/tournaments/{LEFT_OUT}/changes/")
    assert page.status_code == 200
    text = text_of(page.text)
    assert said in text
    for number in (1, 2):
        assert f'<a href="{JULY}r{number}/">revision {number}' in page.text
    assert "Revision 2 excludes this tournament This page shows it as counted in revision 1." in text
    assert f"Revision 2 of the list of 1 Jul 2026 : excluded – {REASON} Changes in this revision" in text
    api = client.get(f"/api/v1/tournaments/{LEFT_OUT}/").json()
    assert (api["in_force"], api["excluded_by"]) == ("2026-07-01", 2)
    tournaments = client.get("/api/v1/tournaments/?limit=100").json()["results"]
    (listed,) = (row for row in tournaments if row["code"] == LEFT_OUT)
    assert listed["excluded_by"] == 2
    assert client.get(f"/api/v1/tournaments/{CORRECTED}/").json()["excluded_by"] is None


def test_the_search_finds_a_tournament_that_was_excluded_and_says_by_which_revision(
    client: Client, revision: RatingList
) -> None:
    """It said of a tournament with a public page that no published list had calculated it."""
    page = client.get("/tournaments/", {"q": "Hangzhou"})
    assert "No tournaments match" not in page.text
    assert f'href="/tournaments/{LEFT_OUT}/"' in page.text
    assert f'excluded by <a href="{JULY}r2/">revision 2</a>' in page.text
    everything = client.get("/tournaments/").text
    assert everything.count("excluded by <a") == 1
    assert everything.count(f'href="/tournaments/{CORRECTED}/"') == 1


def test_a_tournament_says_which_revision_counts_which_report(client: Client, revision: RatingList) -> None:
    text = text_of(client.get(f"/tournaments/{CORRECTED}/changes/").text)
    assert "The list was corrected for this tournament Revision 1 of the list of 1 Jul 2026 : report" in text
    assert f"with other tournament details – {REASON}" in text
    assert "development percentage 20 %" in text
    assert "corrected for this tournament" not in client.get("/tournaments/2026-polish-league/changes/").text


def test_a_report_of_a_correction_under_way_is_shown_nowhere(client: Client, july: RatingList) -> None:
    report = corrected_report()
    correct_list(
        rating_list=july, reason=REASON, later="carry", by=actor(OFFICER), included_reports=[report.pk]
    )
    assert "development percentage 60 %" in client.get(f"/tournaments/{CORRECTED}/").text


def test_a_player_s_sum_shows_the_points_carried_and_leads_to_the_correction(
    client: Client, revision: RatingList
) -> None:
    january = next_list(date(2027, 1, 1))
    played = set(FmjdChange.objects.filter(list_id=january.pk).values_list("player_id", flat=True))
    without = 0
    for carried in january.carried_differences.select_related("player"):
        row = FmjdListRow.objects.filter(list_id=january.pk, player=carried.player).first()
        if row is None or row.change is None or not carried.rating:
            continue
        player = find_player(carried.player.address)
        figures = player.pools["fmjd-100"].on(january.in_force)
        assert figures is not None
        shown = rating_explanation(player, figures)
        before = row.rating - row.change
        sign = "+" if carried.rating > 0 else "−"
        assert shown.total is not None
        assert shown.total.working.startswith(f"{before} {sign} {abs(carried.rating)}")
        assert sum(difference.rating for difference in shown.carried) == carried.rating
        if carried.player_id in played:
            continue
        without += 1
        assert shown.total.working == f"{before} {sign} {abs(carried.rating)} = {row.rating}"
        if without == 1:
            page = client.get(f"/players/{carried.player.address}/?list={january.in_force}").text
            correction = f"Carried from the correction of an earlier list: rating {sign}{abs(carried.rating)}"
            assert correction in text_of(page)
            assert "revision 2 of the list of 1 Jul 2026" in text_of(page)
            assert f'href="{JULY}r2/differences/"' in page
            older = text_of(client.get(f"/players/{carried.player.address}/?list=2026-10-01").text)
            based_on = "is the rating on revision 1 of the list of 1 Jul 2026 , which was corrected since."
            assert based_on in older
            changes = f"/api/v1/players/{carried.player.address}/changes/fmjd-100"
            answer = client.get(f"{changes}/{january.in_force}/").json()
            (added,) = answer["carried"]
            assert (added["list"]["in_force"], added["list"]["revision"]) == ("2026-07-01", 2)
            assert answer["previous"] + added["rating"] == answer["rating"]
            assert answer["total"]["result"] == str(answer["rating"])
            replaced = client.get(f"{changes}/2026-10-01/").json()["based_on"]
            assert (replaced["in_force"], replaced["revision"]) == ("2026-07-01", 1)
    assert without > 5


def test_the_archive_shows_the_newest_revision_and_all_lists_show_every_one(
    client: Client, revision: RatingList
) -> None:
    archive = client.get("/lists/").text
    assert f'href="{JULY}r2/"' in archive
    assert f'href="{JULY}r1/"' not in archive
    assert f'href="{JULY}r2/differences/"' in archive
    every = client.get(f"{OCTOBER}earlier/").text.split("<table")[1]
    assert every.index(f'href="{JULY}r2/"') < every.index(f'href="{JULY}r1/"')
    assert every.count("Replaced") == 1
    compared = client.get("/lists/fmjd-100/compare/?a=2026-07-01-r1&b=2026-07-01-r2").text
    assert "Gains (" in compared
    for number in (1, 2):  # both are of one day
        assert len(re.findall(rf"2026</time>, revision {number}\s*</a>", compared)) == 1
        assert len(re.findall(rf"2026</time>, revision {number}\s*</th>", compared)) == 1
    assert "Choose two different lists." not in compared
    news = text_of(client.get("/").text)
    assert "Correction of the list of 1 Jul 2026, 100 squares, classical: revision 2" in news


# first reader, second reader; what a page tells of corrections is read once and kept with the list
BUDGETS = {
    f"{JULY}r1/": (6, 1),
    f"{JULY}r2/": (5, 1),
    f"{JULY}r2/differences/": (9, 1),  # the norms of both revisions, keys first
    OCTOBER: (14, 1),
    f"/tournaments/{LEFT_OUT}/": (16, 5),  # names of all tournaments for other years, World Cup points
    "/players/10245/": (24, 7),  # memberships, titles, norms, ledger, World Cup, medals
}


def test_queries(client: Client, revision: RatingList) -> None:
    for path, budgets in BUDGETS.items():
        PAGES.clear()
        FRAGMENTS.clear()
        for reader, budget in zip(("first", "second"), budgets, strict=True):
            KEPT.clear()  # which would answer the second reader
            with CaptureQueriesContext(connection) as queries:
                assert client.get(path).status_code == 200
                asked = [query["sql"][:200] for query in queries if "pg_current_snapshot" not in query["sql"]]
            assert len(asked) == budget, f"{reader} reader of {path}:\n" + "\n".join(asked)
