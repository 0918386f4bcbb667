"""A TRF16 report in an encoding, all the way: what was chosen next to the file holds at every step."""

from datetime import date

import pytest

from reporting.models import Entry, Game, ReportVersion, Round
from reporting.reports.services.review import accept_report
from reporting.reports.services.submit import submit_report
from reporting.reports.services.upload import upload_report
from tests.formats.report_files import TRF16_FILE

pytestmark = pytest.mark.django_db


def uploaded(office, *, encoding):
    details = TRF16_FILE.with_suffix(".toml").read_text(encoding="utf-8")
    details += f'encoding = "{encoding}"\n' if encoding else ""
    ids = "".join(f"{number} = {number + 100}\n" for number in range(1, 12))
    return upload_report(
        content=TRF16_FILE.read_text(encoding="utf-8").encode("cp1250"),
        filename="lindmarsh.trf",
        sidecar=f"{details}[players]\n{ids}".encode(),
        by=office.referee,
    )


def test_the_encoding_and_the_scale_that_were_chosen_hold_from_upload_to_acceptance(office):
    office.register(*range(101, 112))
    first = uploaded(office, encoding=None)
    assert [finding.code for finding in first.matching.findings if finding.code.startswith("encoding")] == [
        "encoding-unreadable"
    ]
    second = uploaded(office, encoding="cp1250")
    assert (second.report, second.version.number) == (first.report, 2)
    assert (second.version.format, second.version.encoding) == ("trf16", "cp1250")
    report = submit_report(report=second.report, comments=office.comments(second), by=office.referee)
    accept_report(report=report, by=office.officer)

    assert ReportVersion.objects.count() == 2  # submission has read the same as the upload
    assert Entry.objects.get(number=4).reported_name == "Dąbrowa, Halina"
    assert Entry.objects.get(number=2).points_printed == 7  # 3.5 in the file
    # Eleven players in seven rounds: 35 games of two, and six of the seven byes are pauses.
    assert (Game.objects.count(), Game.objects.filter(black=None).count()) == (41, 6)
    forfeits = Game.objects.filter(played=False, black__isnull=False).order_by("round")
    assert [(game.round, game.white.number, game.result_in("2-1-0")) for game in forfeits] == [
        (3, 3, "2x0"),
        (5, 5, "0x0"),
    ]
    assert Round.objects.get(number=7).played_on == date(2026, 11, 7)
