"""Files of published tournaments are read back as the same games by our own readers."""

from dataclasses import replace

import pytest

from reporting.formats.detect import read_report
from reporting.formats.trf.trf16 import read_trf16
from reporting.formats.write_report import REPORT_FILES, NotOffered, rounds_written
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
    (file,) = (file for file in REPORT_FILES if file.name == name)
    assert file.not_offered(scale, rounds=7) is None
    return file


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
    """Columns of TRF16, line 001: number 5-8, sex 10, title 11-13, name 15-47, rating 49-52, federation 54-56,
    FIDE's number 58-68, birth 70-79, points 81-84, rank 86-89; from 92 on opponent 4, colour, result, ten columns."""
    players = (
        ReportedPlayer(
            number=1, name="van den Bigge, Gerda", first_name="Gerda", last_name="van den Bigge", sex="W",
            title="MIF", federation_code="BEL", rating_printed=2105, born_year=1990, place=1,
            other_numbers={"fide": 14101},
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
        (49, 52): "2105", (54, 56): "BEL", (58, 68): "      14101", (70, 79): "1990/00/00", (81, 84): " 2.5",
        (86, 89): "   1",
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
    assert [(file.name, file.not_offered(HALVES, rounds=7)) for file in REPORT_FILES] == [
        ("games.trf", None),
        ("report.txt", NotOffered.HALF_POINTS),
    ]


def match_of(rounds, games_a_round=1):
    """A match that number 1 wins without a loss."""
    players = tuple(
        ReportedPlayer(number, name, first_name=first, last_name=last, federation_code="NED", place=number)
        for number, name, first, last in (
            (1, "Aabel, Ann", "Ann", "Aabel"),
            (2, "Bosch, Bea", "Bea", "Bosch"),
        )
    )
    games = tuple(
        ReportedGame(turn, 1, 2, 2, 0, played=True, number=number)
        for turn in range(1, rounds + 1)
        for number in range(1, games_a_round + 1)
    )
    return ReadReport("", "", info=ReportedInfo(name="Match"), players=players, games=games)


@pytest.mark.parametrize(
    ("rounds", "games_a_round", "scale", "printed"),
    [
        (49, 1, FMJD, "98.0"), (50, 1, FMJD, " 100"), (99, 1, FMJD, " 198"), (33, 3, FMJD, " 198"),
        (99, 1, HALVES, "99.0"),
    ],
)  # fmt: skip
def test_trf16_keeps_its_columns_whatever_the_points(rounds, games_a_round, scale, printed):
    """Points have the columns 81-84, which a total of three digits fills without its decimal."""
    report = match_of(rounds, games_a_round)
    written = offered("games.trf", scale).write(report, scale)
    first, second = written.splitlines()[-2:]
    assert (first[80:84], first[84:91], first[91:99]) == (printed, "    1  ", "   2 w 1")
    assert second[80:84] == " 0.0"
    again = read_trf16(tuple(written.splitlines()), points=scale)
    assert (games_of(again), again.findings) == (games_of(replace(report, games=again.games)), ())
    assert [player.points_printed for player in again.players] == [2 * rounds * games_a_round, 0]


def test_a_file_that_no_reader_takes_is_not_offered():
    """Files have 99 rounds; 20 rounds of five games are 100."""
    report = match_of(20, 5)
    assert rounds_written(report) == 100
    assert {file.not_offered(FMJD, rounds_written(report)) for file in REPORT_FILES} == {NotOffered.ROUNDS}
