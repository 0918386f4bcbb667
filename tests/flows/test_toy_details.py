"""A detail of the toy federation, from report to published page: nothing outside its folder knows it."""

import tomllib
from datetime import date

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse

from reporting.federations.fmjd.details import FmjdDetails, Youth
from reporting.log.audit import Actor
from reporting.models import Report, ResultSet, Role, Tournament, User, own_table
from reporting.reports.services.edit_report import announced_details
from reporting.reports.services.submit import save_result_set, take_back_report
from reporting.rules.details.shared_details import NationalChampionship
from reporting.rules.report import ReadReport
from tests.flows.test_toy_federation import (  # noqa: F401 (fixtures)
    _toy_opening,
    assert_of_no_other_federation,
    logged_in,
    toy,
    write_report,
)
from tests.visitor import Visitor

pytestmark = pytest.mark.django_db(transaction=True)

PLAYERS = [(21, "a", ""), (22, "b", "")]
GAMES = ["1,1,2,2-0"]


@pytest.mark.usefixtures("toy_opening")
def test_a_report_that_is_submitted_again_to_another_federation_leaves_no_toy_detail(tmp_path):
    day = date(2025, 2, 7)
    write_report(
        tmp_path / "reports", "Spring", day, day, players=PLAYERS, games=GAMES, details='pieces = "wood"\n'
    )
    call_command("import_reports", str(tmp_path / "reports"))
    report = Report.objects.get()
    toy_details = type(report.result_set.details)
    assert own_table(toy_details).objects.get().pieces == "wood"
    take_back_report(report=report, by=Actor(report.submitted_by, by_command=True))
    other = FmjdDetails(
        name="Spring", country="NED", played_from=day, played_to=day, discipline="100", time_control="80+30",
        women_only=False, national_championship=NationalChampionship.NO, youth=Youth.HOPES,
    )  # fmt: skip
    with transaction.atomic():
        save_result_set(Report.objects.get(), other, ReadReport(format="", encoding=""))
    (stored,) = ResultSet.objects.all()
    assert (stored.rating_system, stored.youth_only, stored.details.youth) == ("fmjd", True, Youth.HOPES)
    assert not own_table(toy_details).objects.exists()


@pytest.mark.usefixtures("toy_opening", "cleared_rate_limits")
def test_a_toy_detail_goes_from_report_to_published_page(tmp_path, capsys):
    reports = tmp_path / "reports"
    day = date(2025, 2, 7)
    path = write_report(
        reports, "Spring", day, day, players=PLAYERS, games=GAMES, details='pieces = "glass"\n'
    )
    with pytest.raises(CommandError, match="cannot be submitted"):
        call_command("check_report", str(path))
    assert "Found: line 5, column 1: glass. Expected: wood, plastic." in capsys.readouterr().err
    path.with_suffix(".toml").write_text(path.with_suffix(".toml").read_text().replace("glass", "wood"))
    call_command("import_reports", str(reports))

    # The referee's form asks for it, and not for what another federation has.
    report = Report.objects.get()
    referee = logged_in("Ada", Role.TOURNAMENT_DIRECTOR)
    referee.open(reverse("report-details", args=[report.pk]))
    assert referee.value("Pieces") == "wood"
    # The first is the FMJD's, the second is shared, but not used by the toy.
    assert referee.fields("Youth") == referee.fields("Veterans") == []
    assert referee.value("Day of registration") == ""

    call_command("import_reports", str(reports), "--accept")
    (stored,) = ResultSet.objects.all()
    assert stored.details.pieces == "wood"
    with pytest.raises(IntegrityError, match="of an accepted report"), transaction.atomic():
        connection.cursor().execute("UPDATE toy_resultset SET pieces = 'plastic'")

    call_command("run_period", "toy", "--in-force", "2025-07-01")
    visitor = Visitor()
    visitor.open(f"/tournaments/{stored.code}/")
    assert "Pieces: Wood" in visitor.text
    assert_of_no_other_federation(visitor)
    assert tomllib.loads(bytes(report.versions.get().sidecar).decode())["pieces"] == "wood"


@pytest.mark.usefixtures("toy_opening")
def test_a_value_of_the_file_that_the_toy_does_not_use_stops_no_report(tmp_path, capsys):
    day = date(2025, 2, 7)
    path = write_report(tmp_path / "reports", "Spring", day, day, players=PLAYERS, games=GAMES)
    path.write_text(path.read_text().replace("national championship = N", "national championship = perhaps"))
    call_command("check_report", str(path))
    (said,) = [line for line in capsys.readouterr().err.splitlines() if "perhaps" in line]
    assert said.startswith("warning")
    # Nor does an announcement give it: the report would have an unknown detail.
    announced = Tournament(
        name="Spring", played_from=day, played_to=day, rating_system="toy", announced_on=day,
        national_championship="final", official=True,
    )  # fmt: skip
    assert announced_details(announced).keys() == {
        "name", "place", "country", "played_from", "played_to", "rating_system", "system", "announced"
    }  # fmt: skip


@pytest.mark.usefixtures("toy_opening", "cleared_rate_limits")
def test_a_result_entered_in_the_browser_is_stored_in_the_toys_own_file():
    referee = logged_in("Ada", Role.TOURNAMENT_DIRECTOR)
    tournament = {
        "name": "Spring", "place": "Utrecht", "country": "NED", "played_from": "2025-02-07", "played_to": "2025-02-07",
        "system": "other", "rating_system": "toy", "national_championship": "no", "women_only": "false",
        "referee": "Ada",
    }  # fmt: skip
    players = {"number-1": "1", "fmjd_id-1": "21", "number-2": "2", "fmjd_id-2": "22", "action": "save"}
    client = Client()
    client.force_login(User.objects.get(name="Ada"))
    client.post(reverse("report-results-entry"), tournament | players)
    report = Report.objects.get()
    game = {"white-1": "1", "black-1": "2", "result-1": "1-1", "based_on": "1", "action": "check"}
    client.post(reverse("report-results-entry-round", args=[report.pk, 1]), game)
    # The draw gives half a point each, as the toy federation prints it.
    version = report.versions.latest("number")
    assert (version.number, version.format) == (2, "toy-file")
    assert bytes(version.content).decode() == (
        "toy report|Spring|Utrecht|NED|Ada|other|2025-02-07|2025-02-07|\n"
        "player|1|21|0|0.5|||Givena|Familya|NED|\n"
        "player|2|22|0|0.5|||Givenb|Familyb|NED|\n"
        "game|1|1|2|1-1\n"
    )
    # It is read again as any upload, by a process that knows no federation but the name of this reader.
    referee.open(reverse("report-results-entry-round", args=[report.pk, 1]))
    assert [referee.value(referee.by_id(f"{side}-1")) for side in ("white", "black")] == ["1", "2"]
    assert_of_no_other_federation(referee)
    referee.open(reverse("report-file", args=[report.pk]))
    assert "toy file" in referee.text
    assert_of_no_other_federation(referee)
