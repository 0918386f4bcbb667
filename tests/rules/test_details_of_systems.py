"""What a report must say depends on its rating system: the registry has what each one asks for."""

import pytest

from reporting.federations import registry
from reporting.federations.fmjd.details import FmjdDetails
from reporting.formats.tournament_details.sidecar import read_sidecar
from reporting.rules.details.decided_items import known_items, labelled_values
from reporting.rules.details.known_details import details_reference
from reporting.rules.details.merge_tournament_details import complete_details
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.findings.finding_list import finding
from reporting.rules.regulations.editions import cited
from reporting.rules.report import PointsScale, ReportedInfo
from tests.formats.report_files import FMJD_FILE, TODAY, all_findings, read_submission, spoiled
from tests.toy_federation.details import ToyDetails
from tests.toy_federation.report_rules import ToyReportRules

CHESS = 'rating_system = "chess"\n'
LEAGUE = 'rating_system = "league"\n'


class ChessDetails(FmjdDetails):
    """Those of another federation, without a clock."""

    required = frozenset()


@pytest.fixture(autouse=True)
def other_systems():
    """Chess by correspondence asks for no clock and counts 1-½-0; of a league each tournament has its own scale."""
    systems = (
        ("chess", PointsScale.HALVES, ChessDetails),
        ("league", None, TournamentDetails),
        ("club", PointsScale.HALVES, ToyDetails),
    )
    for code, scale, details in systems:
        rules = ToyReportRules()
        vars(rules).update(
            system=code, name=code.capitalize(), disciplines={"c": "Chess board"},
            details=type(f"Own{details.__name__}", (details,), {"fixed_points_scale": scale}),
            finding_codes={},
        )  # fmt: skip
        registry.register_report_rules(rules)
    yield
    del registry._rules["chess"], registry._rules["league"], registry._rules["club"]


def findings(text):
    return [(finding.code, finding.field) for finding in read_sidecar(text.encode()).findings]


def test_clock_and_discipline_are_required_where_the_system_asks_for_them():
    assert findings(CHESS) == []
    assert (
        findings('rating_system = "fmjd"')
        == findings("")
        == [("detail-missing", "discipline"), ("detail-missing", "time_control")]
    )
    # The system of a discipline is known without its name: the first one that rates it.
    assert findings('discipline = "c"') == []
    assert findings('discipline = "100"') == [("detail-missing", "time_control")]


def test_a_system_rates_its_own_disciplines():
    (finding,) = read_sidecar((CHESS + 'discipline = "100"').encode()).findings
    assert (finding.code, finding.field, finding.expected) == ("details-contradict", "discipline", "c")
    assert finding.message == "The rating system Chess does not rate this discipline."
    assert findings(CHESS + 'discipline = "c"') == []


def test_a_detail_of_one_federation_is_unknown_in_reports_to_another():
    assert findings(LEAGUE + 'referee_level = "national"') == [("detail-unknown", "referee_level")]
    assert findings(CHESS + 'referee_level = "national"') == []


def test_a_shared_detail_that_a_system_does_not_use_is_unknown_in_its_reports():
    """Known are the details that all reports have, the four that the toy's use, and its own two."""
    content = b'rating_system = "club"\nreceived = 2026-02-01\nveterans = true\n'
    (found,) = read_sidecar(content).findings
    assert (found.code, found.field) == ("detail-unknown", "veterans")
    assert found.expected == (
        "name, place, country, played_from, played_to, rating_system, system, announced, referee, received, admit,"
        " corrects, different_tournament, number, players, newcomers, rounds, standings, encoding, points, pieces,"
        " registered"
    )
    row = next(line for line in details_reference().split("\n") if line.startswith("| `veterans` "))
    assert row.split(" | ")[-1] == "FMJD, Chess, League |"


def test_what_a_file_says_beyond_the_details_of_a_system_is_not_taken():
    said = ReportedInfo(
        women_championship=True, national_championship=True, time_control="80+30", place="Utrecht"
    )
    completed, differences = complete_details(ToyDetails(), said)
    assert (completed.place, completed.women_only, completed.national_championship, completed.time_control) == (
        "Utrecht", False, "no", ""
    )  # fmt: skip
    assert differences == ()


def test_a_finding_asks_only_for_a_detail_that_the_system_uses():
    """Two players in place 2 may share it, where a report can say so; a detail itself is asked for, to be corrected."""
    content = spoiled(FMJD_FILE, {18: "14302,2,K-12,2,8,Marek,Tarnobrzeski,pl,,"})

    def asked(details):
        found = read_submission(content=content, sidecar=details.encode(), today=TODAY).findings
        return {finding.code: finding.asked_detail for finding in found}

    assert asked(LEAGUE)["place-repeated"] == "shared_places"
    assert asked('rating_system = "club"\n')["place-repeated"] == ""
    wrong = asked('rating_system = "club"\npieces = "glass"\nveterans = true\n')
    assert (wrong["detail-unreadable"], wrong["detail-unknown"], wrong["place-repeated"]) == (
        "pieces", "veterans", ""
    )  # fmt: skip


def test_a_federation_cites_its_articles_and_those_of_a_format_stay():
    late, table = cited(
        [finding("late-report"), finding("country-unknown", article="Format art. 1")], "", "league"
    )
    assert (late.article, table.article) == ("Toy rules art. 3", "Format art. 1")
    assert cited([finding("same-file")], "", "league")[0].article == ""


def test_the_federation_of_a_report_is_known_while_another_detail_cannot_be_read():
    details = b'rating_system = "club"\nreceived = "soon"'
    submission = read_submission(content=FMJD_FILE.read_bytes(), sidecar=details, today=TODAY)
    assert (submission.details, submission.regulations, submission.rules.system) == (
        None, ("club", ""), "club",
    )  # fmt: skip


def test_no_article_is_cited_before_the_federation_of_a_report_is_known():
    """TRF16 cites an article of Annex 9 of its own; a tie-break that of its definition."""
    found = [
        finding("late-report"),
        finding("country-unknown", article="Annex 9 art. 4.2.2.6; R20"),
        finding("places-contradict-tie-breaks", article="Annex 5 art. 3.1 k"),
    ]
    articles = [one.article for one in cited(found, "", "")]
    assert articles == ["", "", "Annex 5 art. 3.1 k"]
    assert [one.article for one in cited(found, "100", "")] == [one.article for one in found]
    assert [one.article for one in cited(found, "", "league")][:2] == ["Toy rules art. 3", ""]


def test_a_system_that_is_not_installed_is_a_finding():
    sidecar = read_sidecar(b'rating_system = "chequers"\ndiscipline = "c"')
    (finding,) = sidecar.findings
    assert (finding.code, finding.field) == ("detail-unreadable", "rating_system")
    assert finding.expected == "fmjd, knsb, iccf, chess, league, club"
    # Of the wrong kind: no crash.
    assert findings('rating_system = ["chess"]\ndiscipline = "c"') == [("detail-unreadable", "rating_system")]


@pytest.mark.parametrize(
    ("text", "printed", "column"),
    [
        ('discipline = "100"\ntime_control = "80+30"', "2-1-0", None),
        # The file counts otherwise, the tournament does not.
        ('discipline = "100"\ntime_control = "80+30"\npoints = "1-0.5-0"', "2-1-0", "1-0.5-0"),
        (CHESS, "1-0.5-0", None),
        (CHESS + 'points = "2-1-0"', "1-0.5-0", "2-1-0"),
        (LEAGUE, "2-1-0", None),
        (LEAGUE + 'points = "1-0.5-0"', "1-0.5-0", "1-0.5-0"),
    ],
)
def test_points_have_the_scale_of_the_system_or_of_the_tournament(text, printed, column):
    sidecar = read_sidecar(text.encode())
    assert sidecar.findings == ()
    assert (sidecar.details.points_scale, sidecar.points) == (printed, column)


@pytest.mark.parametrize(
    ("line", "draughts", "chess"),
    [
        # 1 win, 3 draws and a pause are 2 + 3 + 2 = 7 halves; the file says 6.
        ("16021,6,,9,6,Raivis,Ozolkalns,LAT,,", ("6 points", "7: 1 won, 3 drawn, 2 lost, 1 pause"),
         ("3 points", "3½: 1 won, 3 drawn, 2 lost, 1 pause")),
        # 2 wins and a draw are 5 halves, and a win by the referee's decision 2: 7; the file says 5.
        ("12999,9,,10,5,Delroy,Winterdal,SUR,14/07/1961,M",
         ("5 points", "7: 2 won, 1 drawn, 3 lost, 2 by decision of the referee"),
         ("2½ points", "3½: 2 won, 1 drawn, 3 lost, 1 by decision of the referee")),
    ],
)  # fmt: skip
def test_findings_name_points_by_the_scale(line, draughts, chess):
    content = spoiled(FMJD_FILE, {16 + int(line.split(",")[1]): line})
    for more, said in (("", draughts), (CHESS + 'discipline = "c"', chess)):
        (finding,) = [one for one in all_findings(content, more=more) if one.code == "points-differ"]
        assert (finding.found, finding.expected) == said


def test_a_clock_of_the_file_completes_details_without_one():
    details = read_sidecar(CHESS.encode()).details
    completed, differences = complete_details(details, ReportedInfo(time_control="80+30"))
    assert (completed.time_control, completed.seconds_for_60_moves, differences) == ("80+30", 6600, ())
    completed, differences = complete_details(details, ReportedInfo(points=PointsScale.HALVES))
    assert (completed.points, differences) == (PointsScale.HALVES, ())
    completed, differences = complete_details(details, ReportedInfo())
    assert (completed.seconds_for_60_moves, differences) == (None, ())


def test_no_two_values_that_can_be_decided_have_one_label():
    for item in known_items().values():
        labels = [*labelled_values(item).values()]
        assert len(labels) == len({*labels}), item.name
