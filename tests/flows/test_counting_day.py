"""In which list a report counts is the answer of its rating system: the toy's by registration or last game."""

from datetime import date

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from ratings.models import Period, RatingList
from ratings.office.selectors.period_status import period_status_of
from ratings.queries.counting import list_of_report
from reporting.federations.facet import Edition
from reporting.models import Message, Report, ResultSet, Role, Tournament, User
from reporting.reports.services.reminders import send_report_reminders
from tests.flows.test_toy_federation import (  # noqa: F401 (fixtures)
    DETAILS,
    _toy_opening,
    figures,
    logged_in,
    toy,
    write_report,
)
from tests.toy_federation.details import ToyDetails
from tests.toy_federation.report_rules import ToyReportRules

pytestmark = pytest.mark.django_db(transaction=True)

LEAGUE = """Info;
Name;League
Played from;2025-02-07
Played to;2099-05-01
Type;OTHER
Name of referee;Piet Fluit
Place;Utrecht
Country;NED

Players;;;;;
No.;FMJD-ID;Last name;First name;Country;Points
1;21;Familya;Givena;NED;3
2;22;Familyb;Givenb;NED;1

Results;;;;;
Round;White;Black;Result;Started;Finished
1;1;2;2-0;;2025-02-07
2;2;1;1-1;;2025-06-05
"""


@pytest.mark.usefixtures("toy_opening", "cleared_rate_limits")
def test_a_report_counts_in_the_list_that_its_system_names(tmp_path, capfd):
    """The league goes on, but was reported after its game of 5 June 2025; Spring was registered on 2 July.

    So the list of 1 July counts the league alone: 1000 + 5 + 0 and 1200 − 5 + 0; that of 1 January 2026 the win of 21
    in Spring too: 1005 + 5 and 1195 − 5.
    """
    reports = tmp_path / "reports"
    day = date(2025, 2, 8)
    write_report(
        reports, "Spring", day, day, players=[(21, "a", ""), (22, "b", "")], games=["1,1,2,2-0"],
        details='registered = 2025-07-02\ndifferent_tournament = "a cup"\n',
    )  # fmt: skip
    (reports / "league.csv").write_text(LEAGUE)
    (reports / "league.toml").write_text(DETAILS.format(announced="2024-12-01", received="2025-06-06"))
    call_command("import_reports", str(reports), "--accept")
    assert dict(ResultSet.objects.values_list("name", "counting_day")) == {
        "Spring": date(2025, 7, 2),
        "League": date(2025, 6, 5),
    }
    spring = Report.objects.get(result_set__name="Spring")
    assert list_of_report(spring).in_force == date(2026, 1, 1)

    call_command("run_period", "toy", "--in-force", "2025-07-01")
    of_july = period_status_of(Period.objects.get(in_force="2025-07-01"))
    assert [line.tournament.name for line in of_july.lines if line.is_counted] == ["League"]
    assert figures(RatingList.objects.get(in_force="2025-07-01")) == [
        (22, 1195, -5, 11, 0),
        (21, 1005, 5, 32, 1),
    ]
    officer = logged_in("Ada", Role.RATING_OFFICER)
    officer.open("/")
    assert (
        "Reports whose last game or registration is by the closing date belong to the list." in officer.text
    )
    officer.open(reverse("office-period", args=["toy", "2025-07-01"]))
    assert "It counts by 2 Jul 2025, after the closing date." in officer.text
    call_command("run_period", "toy", "--in-force", "2026-01-01")
    assert figures(RatingList.objects.get(in_force="2026-01-01")) == [
        (22, 1190, -5, 12, 0),
        (21, 1010, 5, 33, 1),
    ]
    capfd.readouterr()
    call_command("verify_lists", "--pool", "toy", "--recalculate")
    call_command("check_invariants")
    assert "2 rows recalculated, 2 changes recalculated: no differences" in capfd.readouterr().out


@pytest.mark.usefixtures("toy_opening")
def test_a_correction_counts_by_the_receipt_of_the_first_report(tmp_path, monkeypatch):
    """A system may count by the day of receipt; a report is corrected today, which is no reason to move its list."""
    monkeypatch.setattr(ToyDetails, "counting_day", lambda _details, received, _read=None: received)
    day = date(2025, 2, 7)
    write_report(
        tmp_path / "reports", "Spring", day, day, players=[(21, "a", ""), (22, "b", "")], games=["1,1,2,2-0"]
    )
    call_command("import_reports", str(tmp_path / "reports"), "--accept")
    corrected = write_report(
        tmp_path / "corrected", "Spring", day, day, players=[(21, "a", ""), (22, "b", "")], games=["1,1,2,1-1"],
    )  # fmt: skip
    corrected.with_suffix(".toml").write_text('rating_system = "toy"\ncorrects = "2025-spring"\n')
    call_command("import_reports", str(tmp_path / "corrected"))
    submitted = Report.objects.latest("pk")
    assert (submitted.received, submitted.result_set.revision) == (timezone.localdate(), 1)
    days = ResultSet.objects.order_by("revision").values_list("counting_day", flat=True)
    # The first came on the day after the last round.
    assert list(days) == [date(2025, 2, 8), date(2025, 2, 8)]


@pytest.mark.usefixtures("toy_opening")
def test_a_game_after_today_is_in_the_future(tmp_path, capfd):
    """The planned last round may come; a game that is reported may not."""
    (tmp_path / "league.csv").write_text(LEAGUE.replace("2025-06-05", "2099-04-30"))
    (tmp_path / "league.toml").write_text(DETAILS.format(announced="2024-12-01", received="2025-06-06"))
    with pytest.raises(CommandError, match="cannot be submitted"):
        call_command("check_report", str(tmp_path / "league.csv"))
    assert "end-in-future" in capfd.readouterr().err


@pytest.mark.usefixtures("toy_opening", "cleared_rate_limits")
def test_regulations_without_days_to_report_and_announce_ask_for_none(tmp_path, monkeypatch):
    no_days = Edition(in_force_from=date(2024, 1, 1), report_days=None, announcement_days=None)
    monkeypatch.setattr(ToyReportRules, "editions", (no_days,))
    day = date(2025, 2, 7)
    path = write_report(
        tmp_path / "reports", "Spring", day, day, players=[(21, "a", ""), (22, "b", "")], games=["1,1,2,2-0"]
    )
    details = path.with_suffix(".toml")
    # Received a year later, and announced by no one.
    details.write_text('rating_system = "toy"\nreceived = 2026-02-01\n')
    call_command("import_reports", str(tmp_path / "reports"))
    report = Report.objects.get()
    assert (report.due, report.days_late) == (None, 0)
    codes = {found["code"] for version in report.versions.all() for found in version.findings}
    assert codes & {"late-report", "not-announced"} == set()

    officer = logged_in("Ada", Role.RATING_OFFICER)
    today = timezone.localdate()
    announced = Tournament.objects.create(
        name="Autumn", played_from=date(2025, 9, 6), played_to=date(2025, 9, 7), rating_system="toy",
        system="other", announced_on=today, announced_by=User.objects.get(name="Ada"), country_id="NED",
    )  # fmt: skip
    assert (announced.is_in_time, announced.required_notice_days) == (True, None)
    assert send_report_reminders() == 0
    assert not Message.objects.exists()
    pages = [
        reverse("office-reports"), reverse("office-report", args=[report.pk]),
        reverse("report-details", args=[report.pk]), reverse("reports"), reverse("report-announce"), "/",
    ]  # fmt: skip
    for address in pages:
        officer.open(address)
        assert "None" not in officer.text, address
        notes = [
            text
            for kind in ("note", "tag tag--good", "tag tag--warn")
            for text in officer.texts(f".//*[@class='{kind}']")
        ]
        assert [note for note in notes if note in {"in time", "late"} or "due" in note] == [], address
        assert [
            word for word in ("day late", "days late", "is due", "days are required") if word in officer.text
        ] == []
    call_command("import_reports", str(tmp_path / "reports"), "--accept")
    assert Report.objects.get().state == Report.State.ACCEPTED
