"""Files of published tournaments are read back as the same games by our own readers."""

from dataclasses import replace

import pytest

from reporting.formats.detect import read_report
from reporting.formats.trf.trf16 import read_trf16
from reporting.formats.write_report import report_files
from reporting.rules.report import (
    PAUSE,
    PointsScale,
    ReadReport,
    ReportedGame,
    ReportedInfo,
    ReportedPlayer,
)
from tests.formats.report_files import FMJD_FILE, TRF16_FILE

FMJD, HALVES = PointsScale


def games_of(report):
    return {
        (game.round, game.white, game.black, game.white_points, game.black_points, game.played)
        for game in report.games
    }


def offered(name, scale=FMJD):
    return next(file for file in report_files(scale) if file.name == name)


@pytest.mark.parametrize(("source", "scale"), [(FMJD_FILE, FMJD), (TRF16_FILE, HALVES)])
def test_trf16_has_the_same_games_players_and_facts(source, scale):
    if source is TRF16_FILE:
        report = read_trf16(tuple(source.read_text(encoding="utf-8").splitlines()), points=scale)
    else:
        report = read_report(source.read_bytes())
    written = offered("games.trf", scale).write(report, scale)
    again = read_trf16(tuple(written.splitlines()), points=scale)
    assert games_of(again) == games_of(report)
    assert not [finding for finding in again.findings if finding.code == "columns-shifted.trf16"]
    assert [(one.number, one.place, one.points_printed) for one in again.players] == [
        (one.number, one.place, report.points_summed[one.number]) for one in report.players
    ]
    for name in ("name", "place", "country_code", "played_from", "played_to", "system", "referee", "rounds"):
        assert getattr(again.info, name) == getattr(report.info, name), name


def test_a_line_of_trf16_by_its_columns():
    """Columns of TRF16, line 001: number 5-8, sex 10, title 11-13, name 15-47, rating 49-52, federation 54-56, birth
    70-79, points 81-84, rank 86-89; from 92 on opponent 4, colour, result, each ten columns."""
    players = (
        ReportedPlayer(
            number=1, name="van den Bigge, Gerda", first_name="Gerda", last_name="van den Bigge", sex="W",
            title="MIF", federation_code="BEL", rating_printed=2105, born_year=1990, place=1,
        ),
        ReportedPlayer(number=12, name="Li, An", first_name="An", last_name="Li", title="GMIF", place=2),
    )  # fmt: skip
    games = (
        ReportedGame(1, 1, 12, 2, 0, played=True),
        ReportedGame(2, 12, 1, 0, 2, played=False),
        ReportedGame(3, 1, PAUSE, 1, 0, played=False),
    )
    report = ReadReport(format="", encoding="", info=ReportedInfo(name="Two"), players=players, games=games)
    first, second = offered("games.trf").write(report, HALVES).splitlines()[-2:]
    fields = {
        (5, 8): "   1", (10, 10): "w", (11, 13): "MIF", (15, 47): f"{'van den Bigge, Gerda':<33}",
        (49, 52): "2105", (54, 56): "BEL", (70, 79): "1990/00/00", (81, 84): " 2.5", (86, 89): "   1",
        (92, 99): "  12 w 1", (102, 109): "  12 b +", (112, 119): "0000 - H",
    }  # fmt: skip
    for (begins, ends), text in fields.items():
        assert first[begins - 1 : ends] == text
    # The column of the title has three letters.
    assert (second[10:13], second[91:99], second[101:109]) == ("   ", "   1 b 0", "   1 w -")
    assert offered("games.trf").write(report, FMJD).splitlines()[-2][80:84] == " 5.0"


def test_the_format_of_article_11_has_the_same_games_without_commas_and_birthdays():
    report = read_report(FMJD_FILE.read_bytes())
    first, *others = report.players
    report = replace(report, players=(replace(first, last_name="Smith, Jr.", born=None), *others))
    written = offered("report.txt").write(report, FMJD)
    again = read_report(written.encode())
    assert games_of(again) == games_of(report)
    assert again.players[0].last_name == "Smith Jr."
    assert [one.points_printed for one in again.players] == [
        report.points_summed[one.number] for one in report.players
    ]
    assert "report.txt" not in [file.name for file in report_files(HALVES)]
