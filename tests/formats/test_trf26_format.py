"""TRF26, FIDE's report file of 2026: what its lines say of the tournament, its points and its people."""

import pytest

from reporting.formats.detect import read_report
from reporting.rules.findings.finding_list import Severity
from reporting.rules.report import PointsScale
from tests.formats.report_files import FILES

GOOD = (FILES / "dyke-town-open-2026.trf").read_bytes().decode()
"""Eight players, seven rounds from 1 to 7 Nov 2026, 1-½-0, in TRF16."""


def with_lines(*lines, text=GOOD):
    """The file with more lines of the tournament, before its players."""
    return text.replace("102 Mara Linde\n", "\n".join(["102 Mara Linde", *lines, ""])).encode()


def codes(read):
    return [finding.code for finding in read.findings]


# 162: points


@pytest.mark.parametrize(
    "line",
    ["162  W 1.0    D 0.5    L 0.0", "162  W 1.0  D 0.5  L 0.0  P 1.0", "162  D 0.5", "162  w 1   d .5"],
)
def test_the_points_of_the_file_need_no_sums(line):
    read = read_report(with_lines(line))
    if line.endswith(".5") and "d" in line:
        assert codes(read) == ["points-system-unreadable", "points-scale-taken"]
    else:
        assert codes(read) == []
    assert (read.info.points, read.players[1].points_printed) == (PointsScale.HALVES, 9)


def test_other_points_than_those_of_draughts_are_not_compared():
    """3-1-0, as in football: number 2 has 3 wins and 3 draws, which are 9 points in 2-1-0."""
    read = read_report(with_lines("162  W 3.0    D 1.0    L 0.0"))
    (finding,) = read.findings
    assert (finding.code, finding.severity) == ("points-system-unknown", Severity.WARNING)
    assert finding.message.startswith(
        "The points column counts 3.0, 1.0 and 0.0 for a win, a draw and a loss."
    )
    assert {player.points_printed for player in read.players} == {None}
    assert (read.points_summed[2], read.info.points) == (9, None)
