"""A report put right takes the place of the first one, in the list that counts it or the one it belongs to.

Ratings by hand: all play at 120 minutes (100 % of K), with over 30 games and under 2300, so K = 15 and
ΔR = 7.5 × (W − We) (Annex 9 art. 3.2); against an equal a win is 7.5 points, and We is 1 a game.
"""

from datetime import date
from functools import partial
from threading import Barrier
from unittest.mock import patch

import pytest

from ratings.models import Pool
from ratings.production.periods.freeze_period import ensure_period
from ratings.queries.counted_results import reports_to_count, reports_to_include
from reporting.formats.detect import read_report
from reporting.formats.text.edit_lines import Edit
from reporting.formats.tournament_details.sidecar import detail_values
from reporting.models import LogEntry, LookAlikeDecision, Player
from reporting.reports.reading.open_report import open_report
from reporting.reports.reading.validate import match_report
from reporting.reports.services.correct_report import correct_report
from reporting.reports.services.edit_report import (
    edit_report_lines,
    edit_tournament_details,
    replace_report_file,
)
from reporting.reports.services.enter_results import grid_file, results_grid
from reporting.reports.services.review import accept_report, return_report, undo_acceptance
from reporting.reports.services.submit import submit_report, take_back_report
from reporting.reports.services.upload import upload_report
from tests.concurrency import run_concurrently
from tests.services.correction_helpers import (
    APRIL,
    JANUARY,
    JULY,
    MAY,
    OCTOBER,
    ONE_EACH,
    OPENING,
    SPRING,
    TWO_LOSSES,
    TWO_WINS,
    again,
    carried,
    correct,
    manifest,
    opened,
    ratings,
    rows,
)
from tests.services.report_helpers import REMARKS, quick, refusal, resubmit, whole


@whole
@pytest.mark.parametrize(
    ("corrected", "expected"),
    [
        # Another result: 7.5 × (2 − 2) = 0
        (([11, 12], ONE_EACH, {}), {11: 2000, 12: 2000, 13: 2000}),
        # Another time control: 60 minutes give 40 % of K (R6): 7.5 × 0.4 × (4 − 2) = 6
        (([11, 12], TWO_WINS, {"time_control": '"60+0"'}), {11: 2006, 12: 1994, 13: 2000}),
        # Another player
        (([11, 13], TWO_WINS, {}), {11: 2015, 12: 2000, 13: 1985}),
    ],
)
def test_a_corrected_report_takes_the_place_of_the_first(office, april_list, corrected, expected):
    april, first = april_list
    players, games, details = corrected
    report = again(office, "2025-spring", "Spring", players, games, **SPRING, **details)
    assert report.corrects == first.result_set.tournament
    assert (report.result_set.code, report.result_set.revision) == ("2025-spring", 1)
    assert report.result_set.number == first.result_set.number
    assert reports_to_include(april) == [report]
    correct(office, april, included_reports=[report.pk])
    revision = office.run(APRIL)
    assert manifest(revision) == {("2025-spring", 1)}
    assert dict(zip(expected, ratings(revision, *expected), strict=True)) == expected


@quick
def test_a_newcomer_of_the_first_report_is_the_same_person_in_the_corrected_one(office):
    """Both files print 0 for their FMJD-ID: they are entered once (R24)."""
    opened(office)
    nova = office.newcomer("Nova", "Tara")
    games = ["1 1 3 2-0", "2 2 3 2-0"]
    first = office.accept("Spring", [11, 12, nova], games, **SPRING)
    entered = first.result_set.entries.get(number=3).player
    people = Player.objects.count()
    second = again(office, "2025-spring", "Spring", [11, 12, nova], ["1 1 3 2-0", "2 2 3 1-1"], **SPRING)
    assert second.result_set.entries.get(number=3).player == entered
    assert Player.objects.count() == people


@quick
def test_a_report_with_a_player_of_one_name_is_corrected(office):
    """R28: the empty first name is no error, in results entry's file neither."""
    opened(office)
    nova = office.newcomer("", "Tungalmaa")
    games = ["1 1 3 2-0", "2 2 3 2-0"]
    first = office.accept("Spring", [11, 12, nova], games, **SPRING)
    entered = first.result_set.entries.get(number=3).player
    assert (entered.last_name, entered.first_name, entered.printed_name) == ("Tungalmaa", "", "Tungalmaa")
    grid = results_grid(open_report(first.pk))
    saved = read_report(grid_file(grid.entry_format, grid.info, grid.players, grid.games))
    assert (saved.players[2].last_name, saved.players[2].first_name, saved.findings) == ("Tungalmaa", "", ())
    second = again(office, "2025-spring", "Spring", [11, 12, nova], ["1 1 3 2-0", "2 2 3 1-1"], **SPRING)
    assert second.result_set.entries.get(number=3).player == entered


@quick
def test_a_code_that_no_one_accepted_is_a_finding_and_touches_no_other_report(office):
    opened(office)
    first = office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    uploaded = office.upload("Spring", [11, 12], TWO_WINS, corrects='"2025-sprong"', **SPRING)
    assert uploaded.report != first
    finding = next(finding for finding in uploaded.matching.findings if finding.code == "corrects-unknown")
    assert (finding.severity, finding.found, finding.field) == ("error", "2025-sprong", "corrects")
    # The same once more is already there; submitted it is not.
    assert office.upload("Spring", [11, 12], TWO_WINS, corrects='"2025-sprong"', **SPRING).already_there
    submitted = office.submit("Waiting", [11, 12], TWO_WINS, **SPRING)
    unknown = office.upload("Spring", [11, 12], ONE_EACH, corrects=f'"{submitted.result_set.code}"', **SPRING)
    assert "corrects-unknown" in [finding.code for finding in unknown.matching.findings]
    first.refresh_from_db()
    assert first.state == "accepted"


@quick
def test_a_corrected_report_can_be_undone_while_a_later_one_is_accepted_and_the_first_report_cannot(office):
    opened(office)
    first = office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    second, third = (
        again(office, "2025-spring", "Spring", [11, 12], TWO_WINS, time_control=time_control, **SPRING)
        for time_control in ('"60+0"', '"70+0"')
    )
    assert undo_acceptance(report=second, reason="so", by=office.officer).state == "submitted"
    assert refusal(undo_acceptance, report=first, reason="so", by=office.officer).code == "corrected"
    assert undo_acceptance(report=third, reason="so", by=office.officer).state == "submitted"
    assert undo_acceptance(report=first, reason="so", by=office.officer).state == "submitted"


@quick
def test_the_same_bytes_are_put_right_by_their_facts_twice(office):
    opened(office)
    first = office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    second = again(office, "2025-spring", "Spring", [11, 12], TWO_WINS, time_control='"60+0"', **SPRING)
    third = again(office, "2025-spring", "Spring", [11, 12], TWO_WINS, time_control='"70+0"', **SPRING)
    assert [report.result_set.revision for report in (first, second, third)] == [0, 1, 2]
    assert {report.corrects for report in (second, third)} == {first.result_set.tournament}
    # Each of the three, uploaded again, is the one it was.
    for report, details in (
        (first, {}),
        (second, {"corrects": '"2025-spring"', "time_control": '"60+0"'}),
        (third, {"corrects": '"2025-spring"', "time_control": '"70+0"'}),
    ):
        uploaded = office.upload("Spring", [11, 12], TWO_WINS, **SPRING, **details)
        assert (uploaded.already_there, uploaded.report) == (True, report)
    # A draft of such a correction is edited, not doubled.
    draft = office.upload("Spring", [11, 12], ONE_EACH, corrects='"2025-spring"', **SPRING)
    draft_again = {"corrects": '"2025-spring"', "place": '"Utrecht"'}
    edited = office.upload("Spring", [11, 12], ONE_EACH, **draft_again, **SPRING)
    assert (edited.report, edited.version.number) == (draft.report, 2)


@whole
def test_before_the_freeze_the_last_corrected_report_counts_and_never_both(office, opening_list):
    office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    again(office, "2025-spring", "Spring", [11, 12], ONE_EACH, **SPRING)
    again(office, "2025-spring", "Spring", [11, 12], TWO_LOSSES, **SPRING)
    april = office.run(APRIL)
    assert (manifest(april), ratings(april, 11, 12)) == ({("2025-spring", 2)}, (1985, 2015))
    assert manifest(office.run(JULY)) == set()


@whole
def test_a_corrected_report_that_is_only_submitted_leaves_the_first_one_counted(office, opening_list):
    office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    office.submit("Spring", [11, 12], ONE_EACH, corrects='"2025-spring"', **SPRING)
    april = office.run(APRIL)
    assert (manifest(april), ratings(april, 11, 12)) == ({("2025-spring", 0)}, (2015, 1985))


@whole
def test_a_report_whose_days_are_put_right_counts_in_the_period_of_those(office, opening_list):
    office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    again(office, "2025-spring", "Spring", [11, 12], TWO_WINS, **MAY)
    assert manifest(office.run(APRIL)) == set()
    assert manifest(office.run(JULY)) == {("2025-spring", 1)}


@whole
def test_a_tournament_left_out_stays_out_until_it_is_taken_in_again(office, april_list):
    april, first = april_list
    office.run(JULY)
    correct(office, april, excluded_tournaments=["2025-spring"])
    second = office.run(APRIL)
    assert manifest(second) == set()
    october = office.run(OCTOBER)
    # 11 lost 15 points, 12 won them back; and with them two games each, the only ones of theirs with a day.
    assert (manifest(october), carried(october)) == (set(), {11: (-15, -2), 12: (15, -2)})
    october_rows = [(row.rating, row.games, row.last_game) for row in rows(october, 11, 12)]
    assert october_rows == [(2000, 100, date(2024, 12, 31))] * 2
    assert reports_to_include(second) == [first]
    correct(office, second, included_reports=[first.pk])
    third = office.run(APRIL)
    assert (third.revision, manifest(third)) == (3, {("2025-spring", 0)})
    assert ratings(third, 11, 12) == (2015, 1985)
    january = office.run(JANUARY)
    assert carried(january) == {11: (15, 2), 12: (-15, 2)}
    assert [(row.rating, row.games, row.last_game) for row in rows(january, 11, 12)] == [
        (2015, 102, date(2025, 2, 9)), (1985, 102, date(2025, 2, 9))
    ]  # fmt: skip


@whole
def test_a_game_that_a_correction_brings_is_the_last_one_where_it_is_the_latest(office, opening_list):
    """July counted a late report of January's games; the Spring of February, taken in late itself, is later."""
    spring = office.submit("Spring", [11, 12], ONE_EACH, **SPRING)
    april = office.run(APRIL)
    office.accept(
        "Early", [11, 13], ONE_EACH, played_from=date(2025, 1, 3), played_to=date(2025, 1, 5),
        received="2025-05-01", admitted_reason="the post was on strike",
    )  # fmt: skip
    july = office.run(JULY)
    assert rows(july, 11)[0].last_game == date(2025, 1, 5)
    accept_report(report=spring, by=office.officer)
    correct(office, april, included_reports=[spring.pk])
    office.run(APRIL)
    october = office.run(OCTOBER)
    assert (carried(october)[11], rows(october, 11)[0].last_game) == ((0, 2), date(2025, 2, 9))


@whole
def test_a_time_control_put_right_moves_a_tournament_to_the_other_list(office, april_list):
    """Too fast for the classical list after all: excluded there, it counts in the next list of rapid and blitz."""
    april, _ = april_list
    office.opening(OPENING, in_force=date(2025, 1, 1), pool="fmjd-100-rapidblitz")
    report = again(office, "2025-spring", "Spring", [11, 12], TWO_WINS, time_control='"15+0"', **SPRING)
    pool = Pool.objects.get(code="fmjd-100-rapidblitz")
    rapid = ensure_period(pool=pool, in_force=APRIL, by=office.officer)
    assert reports_to_include(april) == reports_to_count(rapid) == []
    correct(office, april, excluded_tournaments=["2025-spring"])
    assert reports_to_count(rapid) == []  # it may be withdrawn yet
    office.run(APRIL)
    assert reports_to_count(rapid) == [report]
    assert manifest(office.run(APRIL, pool="fmjd-100-rapidblitz")) == {("2025-spring", 1)}


# --- the link is stored with each version, and at the submission


@quick
@pytest.mark.parametrize("way", ["details", "line", "file", "upload"])
def test_every_way_to_change_a_report_stores_what_it_corrects(office, way):
    opened(office)
    first = office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    report = office.upload("Spring", [11, 12], ONE_EACH, **SPRING).report
    assert report.corrects is None
    edit = {"report": report, "by": office.referee}
    edit_tournament_details(**edit, based_on=1, values={"corrects": "2025-spring", "place": "Ghent"})
    report.refresh_from_db()
    assert report.corrects == first.result_set.tournament
    match way:
        case "details":
            edit_tournament_details(**edit, based_on=2, values={"corrects": None})
        case "line":
            edit_report_lines(**edit, based_on=2, edits=[Edit(2, 1, 13, "name = Autumn")])
        case "file":
            content = office.report_file("Spring", [11, 12], TWO_LOSSES, **SPRING)
            replace_report_file(**edit, based_on=2, content=content, filename="x.txt")
        case "upload":
            content = office.report_file("Spring", [11, 12], ONE_EACH, **SPRING)
            sidecar = office.details(**SPRING, corrects='"2025-spring"', place='"Zwolle"')
            file = {"content": content, "filename": "x.txt", "sidecar": sidecar}
            assert upload_report(**file, by=office.referee).report == report
    report.refresh_from_db()
    assert report.versions.count() == 3
    assert report.corrects == (None if way == "details" else first.result_set.tournament)


@quick
@pytest.mark.parametrize("received", [None, "2025-05-01"])
def test_a_correction_is_never_late_and_keeps_the_comments_of_the_report_before(office, received):
    """R11a: the first report decides, in time or late and admitted; a director, who admits nothing, accepts it."""
    opened(office)
    late = {"received": received, "admitted_reason": "a flood"} if received else {}
    first = office.accept("Spring", [11, 12], TWO_WINS, **late, **SPRING)
    draft = correct_report(report=first, by=office.referee)
    opened_draft = open_report(draft.pk)
    findings = opened_draft.findings
    assert "late-report" not in [finding.code for finding in findings]
    warnings = [place for place, found in enumerate(findings) if found.severity == "warning"]
    assert opened_draft.carried_comments == dict.fromkeys(warnings, "so it is") != {}
    assert opened_draft.due is None
    report = submit_report(report=draft, comments=opened_draft.carried_comments, by=office.referee)
    assert report.days_late == 0
    again = accept_report(report=report, by=office.director)
    assert again.admitted_reason == ""


@quick
def test_a_draft_whose_other_details_are_wrong_is_linked_all_the_same(office):
    opened(office)
    first = office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    draft = office.upload("Spring", [11, 12], ONE_EACH, corrects='"2025-spring"', discipline='"81"', **SPRING)
    assert draft.version.errors > 0
    assert draft.report.corrects == first.result_set.tournament


@quick
@pytest.mark.parametrize("code", ['""', "7", '"2025-spring\\u0000"', '["2025-spring"]'])
def test_what_is_no_code_links_nothing_and_breaks_nothing(office, code):
    opened(office)
    office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    assert office.upload("Spring", [11, 12], ONE_EACH, corrects=code, **SPRING).report.corrects is None


@quick
def test_what_was_accepted_after_the_draft_was_stored_is_linked_at_the_submission(office):
    opened(office)
    waiting = office.submit("Spring", [11, 12], TWO_WINS, **SPRING)
    draft = office.upload("Spring", [11, 12], ONE_EACH, corrects='"2025-spring"', **SPRING)
    assert draft.report.corrects is None
    assert "corrects-unknown" in [finding.code for finding in draft.matching.findings]
    accept_report(report=waiting, by=office.officer)
    refused = refusal(submit_report, report=draft.report, comments={}, by=office.referee)
    assert refused.code == "findings_changed"
    report = resubmit(office, draft.report)
    assert report.corrects == waiting.result_set.tournament
    assert (report.result_set.code, report.result_set.revision) == ("2025-spring", 1)


@quick
def test_a_report_submitted_before_it_was_a_correction_gives_up_its_own_code(office):
    """`2025-spring-2` would count next to `2025-spring`; and the other way round a correction that is none."""
    opened(office)
    office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    report = office.submit("Spring", [11, 12], ONE_EACH, **SPRING)
    assert (report.result_set.code, report.result_set.revision) == ("2025-spring-2", 0)
    return_report(report=report, remarks=REMARKS, by=office.officer)
    edit_tournament_details(report=report, based_on=1, values={"corrects": "2025-spring"}, by=office.referee)
    report = resubmit(office, report)
    assert (report.result_set.code, report.result_set.revision) == ("2025-spring", 1)
    return_report(report=report, remarks=REMARKS, by=office.officer)
    edit_tournament_details(report=report, based_on=2, values={"corrects": None}, by=office.referee)
    report = resubmit(office, report)
    assert (report.result_set.code, report.result_set.revision) == ("2025-spring-3", 0)


# --- a report that looks like an accepted one


@quick
def test_a_look_alike_of_two_tournaments_needs_a_reason_for_the_one_it_does_not_correct(office):
    opened(office)
    office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    office.accept("Second", [11, 12], TWO_WINS, **SPRING)
    report = office.submit("Third", [11, 12], TWO_WINS, **SPRING)
    decision = {"report": report, "correction_of": "2025-spring", "by": office.officer}
    refused = refusal(accept_report, **decision)
    assert (refused.code, len(refused.findings)) == ("possible_duplicate", 2)
    report = accept_report(**decision, different_because="the women’s group")
    assert (report.result_set.code, report.result_set.revision) == ("2025-spring", 1)
    decisions = LookAlikeDecision.objects.filter(version__report=report)
    assert set(decisions.values_list("tournament__code", "is_correction", "reason", "by")) == {
        ("2025-spring", True, "", office.officer.user.pk),
        ("2025-second", False, "the women’s group", office.officer.user.pk),
    }


@quick
def test_what_looks_like_a_report_that_is_only_submitted_needs_no_decision_the_second_one_does(office):
    opened(office)
    first = office.submit("Spring", [11, 12], TWO_WINS, **SPRING)
    second = office.submit("Again", [11, 12], TWO_WINS, **SPRING)
    accept_report(report=first, by=office.officer)
    assert refusal(accept_report, report=second, by=office.officer).code == "possible_duplicate"
    undo_acceptance(report=first, reason="so", by=office.officer)
    accept_report(report=second, by=office.officer)


@quick
def test_a_decision_for_a_correction_stands_while_the_version_does_and_is_asked_again_of_the_next(office):
    opened(office)
    office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    report = office.submit("Again", [11, 12], TWO_WINS, **SPRING)
    accept_report(report=report, correction_of="2025-spring", by=office.officer)
    undo_acceptance(report=report, reason="so", by=office.officer)
    accept_report(report=report, by=office.officer)
    undo_acceptance(report=report, reason="so", by=office.officer)
    # The same bytes and details uploaded again are the report that there is.
    assert office.upload("Again", [11, 12], TWO_WINS, **SPRING).report == report
    take_back_report(report=report, by=office.referee)
    edit_tournament_details(report=report, based_on=1, values={"place": "Ghent"}, by=office.referee)
    report = resubmit(office, report)
    assert (report.corrects, report.result_set.code) == (None, "2025-again-2")
    assert refusal(accept_report, report=report, by=office.officer).code == "possible_duplicate"


def two_at_once(office):
    opened(office)
    reports = [office.submit(name, [11, 12], TWO_WINS, **SPRING) for name in ("Spring", "Again")]
    accept = partial(accept_report, by=office.officer)
    outcomes = run_concurrently(*(partial(accept, report=report) for report in reports))
    return [getattr(outcome, "code", "accepted") for outcome in outcomes]


@whole
def test_of_two_look_alikes_accepted_at_the_same_moment_one_is(office):
    assert sorted(two_at_once(office)) == ["accepted", "possible_duplicate"]


@whole
def test_twin_without_the_lock_both_are_accepted(office):
    """The match of each is let go on only when the other's is done too."""
    meet = Barrier(2)

    def met(*args):
        found = match_report(*args)
        meet.wait(10)
        return found

    with (
        patch("reporting.reports.services.review.take_accepting_lock", lambda: None),
        patch("reporting.reports.services.review.match_report", met),
    ):
        assert two_at_once(office) == ["accepted", "accepted"]


# --- corrected from the report that was accepted


@quick
def test_a_corrected_report_begins_with_the_last_accepted_version_and_not_with_how_the_first_came_in(office):
    opened(office)
    first = office.accept("Spring", [11, 12], TWO_WINS, place='"Ghent"', **SPRING)
    second = again(office, "2025-spring", "Spring", [11, 12], ONE_EACH, **SPRING)
    draft = correct_report(report=first, by=office.officer)
    version = draft.versions.get()
    assert (draft.corrects, draft.submitted_by) == (first.result_set.tournament, office.officer.user)
    assert bytes(version.content) == bytes(second.accepted_version.content)
    details = detail_values(bytes(second.accepted_version.sidecar))
    assert "received" in details
    left = {name: value for name, value in details.items() if name != "received"}
    assert detail_values(bytes(version.sidecar)) == left
    assert correct_report(report=second, by=office.officer) == draft
    entry = LogEntry.objects.filter(action="report.upload").latest("pk")
    assert entry.before == {"report": second.pk, "version": second.accepted_version.number}
    assert entry.after["corrects"] == "2025-spring"
    assert refusal(correct_report, report=draft, by=office.officer).code == "wrong_state"
