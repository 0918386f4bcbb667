"""The limits of a report (U15): read just at them; a little more is a finding, in every format, and costs no more."""

from dataclasses import replace
from itertools import pairwise

import pytest

from reporting.formats.annex_9.fmjd import write_fmjd
from reporting.formats.detect import read_report
from reporting.rules.report import (
    MAX_FILE_BYTES,
    MAX_GAMES,
    MAX_PLAYERS,
    MAX_ROUNDS,
    MAX_UNREAD_LISTED,
    ReportedGame,
    ReportedInfo,
    ReportedPlayer,
)
from tests.formats.report_files import ROOT, TODAY, check_report


def test_the_limits_are_those_that_are_promised():
    assert (MAX_FILE_BYTES, MAX_PLAYERS, MAX_ROUNDS, MAX_GAMES) == (5_000_000, 5_000, 99, 35_000)
    promise = "5 MB, 5,000 players, 99 rounds, 35,000 games"
    for page in ("docs/reference/report-formats.md", "docs/how-to/report.md"):
        assert promise in " ".join((ROOT / page).read_text(encoding="utf-8").split())


# A tournament in which 1 meets 2, 3 meets 4 and so on in every round, all drawn: R points each.


def fmjd(players, rounds):
    people = [
        ReportedPlayer(
            n, "A B", n, place=n, points_printed=rounds, first_name="An", last_name="Bo", federation="NED"
        )
        for n in range(1, players + 1)
    ]
    games = [
        ReportedGame(turn, n, n + 1, 1, 1, played=True)
        for turn in range(1, rounds + 1)
        for n in range(1, players, 2)
    ]
    return write_fmjd(ReportedInfo(name="Open"), people, games).encode()


def spreadsheet(players, rounds):
    people = [f"{n};{n};Bo;An;;NED;;;{n};{rounds}" for n in range(1, players + 1)]
    games = [f"{turn};{n};{n + 1};1-1" for turn in range(1, rounds + 1) for n in range(1, players, 2)]
    heads = "No.;FMJD-ID;Last name;First name;Title;Country;Sex;Born;Place;Points", "Round;White;Black;Result"
    return "\n".join(
        ["Info", "Name;Open", "Players", heads[0], *people, "Results", heads[1], *games]
    ).encode()


def other(n):
    return n + 1 if n % 2 else n - 1


def trf16(players, rounds):
    rows = [
        f"001 {n:>4} w    {'Bo, An':<33}      NED                        {rounds:>4} {n:>4}  "
        + "  ".join([f"{other(n):>4} {'bw'[n % 2]} ="] * rounds)
        for n in range(1, players + 1)
    ]
    return "\n".join(["012 Open", *rows]).encode()


def trf26(players, rounds):
    return trf16(players, rounds).replace(b"012 Open", b"012 Open\n162  W 2.0    D 1.0    L 0.0", 1)


def arbiter(players, rounds):
    turns = ";".join(f"R{turn}" for turn in range(1, rounds + 1))
    rows = [
        f"{n};{n};;Bo, An;NED;;" + f"{other(n)}{'bw'[n % 2]}1;" * rounds + str(rounds)
        for n in range(1, players + 1)
    ]
    return "\n".join(
        [";Tournament table", "Open", f"Place;S.No.;Title;Name;Fed.;FMJD;{turns};Total", *rows]
    ).encode()


def toernooibase(players, rounds):
    turns = ";".join(f"R{turn}" for turn in range(1, rounds + 1))
    rows = [
        f"{n};{n};;An Bo;nl;" + f"1/{other(n)}{'bw'[n % 2]};" * rounds + str(rounds)
        for n in range(1, players + 1)
    ]
    return "\n".join(["Open", f"Pl;FMJD-id;Title;Name;Cn;{turns};Pt", *rows]).encode()


def table(players, rounds):
    rows = [f"{n} An Bo nl" + f" 1/{other(n)}" * rounds + f" {rounds}" for n in range(1, players + 1)]
    return "\n".join(rows).encode()


def games(players, rounds):
    rows = [
        f"{turn},2026-01-10,{n},An,{n + 1},Bo,1/2-1/2"
        for turn in range(1, rounds + 1)
        for n in range(1, players, 2)
    ]
    return "\n".join(["round,date,white_id,white_name,black_id,black_name,result", *rows]).encode()


FORMATS = {
    "fmjd": fmjd, "spreadsheet": spreadsheet, "trf16": trf16, "trf26": trf26, "draughts-arbiter": arbiter,
    "toernooibase": toernooibase, "table-form": table, "games": games,
}  # fmt: skip


def read_and_checked(content):
    read = read_report(content)
    assert len(content) <= MAX_FILE_BYTES
    checked = check_report(read, None, today=TODAY)
    return replace(read, findings=read.grouped_findings((*read.findings, *checked)))


def of_limits(read):
    return [finding.code for finding in read.findings if finding.code.startswith("limit-")]


@pytest.mark.parametrize("name", FORMATS)
def test_as_many_players_and_rounds_as_are_admitted_are_read_whole(name):
    wide = read_and_checked(FORMATS[name](4, MAX_ROUNDS))
    assert (wide.format, len(wide.players), wide.rounds, len(wide.games)) == (name, 4, 99, 198)
    assert set(wide.points_summed.values()) == {99}
    long = read_and_checked(FORMATS[name](MAX_PLAYERS, 7))
    assert (len(long.players), len(long.games)) == (5_000, 17_500)
    for read in (wide, long):
        assert of_limits(read) == []
        # Only the tournament details are missing.
        assert {finding.code for finding in read.findings} <= {
            "detail-missing", "born-missing", "sex-missing",
        }  # fmt: skip


@pytest.mark.parametrize("name", FORMATS)
def test_a_round_or_a_player_more_is_one_finding_and_blames_nobodys_points(name):
    wide = read_and_checked(FORMATS[name](4, MAX_ROUNDS + 1))
    assert of_limits(wide) == ["limit-rounds"]
    assert (wide.rounds, len(wide.games)) == (99, 198)
    # The partner of number 5,000 plays on; 5,001 meets 5,002.
    long = read_and_checked(FORMATS[name](MAX_PLAYERS + 2, 3))
    assert of_limits(long) == ["limit-players"]
    assert [each.found for each in long.findings if each.code == "limit-players"] == ["5,002 players"]
    assert len(long.players) == 5_000
    for read in (wide, long):
        assert {finding.code for finding in read.findings} <= {
            "detail-missing", "limit-rounds", "limit-players", "few-rounds", "born-missing", "sex-missing"
        }  # fmt: skip


@pytest.mark.parametrize("name", ["toernooibase", "draughts-arbiter", "table-form"])
def test_more_games_than_are_admitted_are_one_finding(monkeypatch, name):
    for module in ("crosstables.cells", "annex_9.article_11"):
        monkeypatch.setattr(f"reporting.formats.{module}.MAX_GAMES", 2_000)
    at = read_and_checked(FORMATS[name](400, 10))
    assert (of_limits(at), len(at.games)) == ([], 2_000)
    over = read_and_checked(FORMATS[name](402, 10))
    assert (of_limits(over), len(over.games)) == (["limit-games"], 2_000)
    # 402 players in 201 games of each of 10 rounds
    assert [finding.found for finding in over.findings if finding.code == "limit-games"] == ["2,010 games"]
    assert "points-differ" not in {finding.code for finding in over.findings}


@pytest.mark.parametrize("over", [0, 1])
def test_a_file_of_five_megabytes_is_read_and_one_byte_more_is_not(over):
    content = b"; Open\n" + b"#" * 70_000
    content = (content + b"\n") * (MAX_FILE_BYTES // len(content) + 1)
    read = read_report(content[: MAX_FILE_BYTES + over])
    assert [finding.code for finding in read.findings] == (["file-too-large"] if over else ["format-unknown"])


@pytest.mark.parametrize("name", ["toernooibase", "trf16", "fmjd"])
def test_a_large_report_full_of_faults_costs_its_length(name):
    """Every second line is gone: the reader looks at no cell twice as often as at those of a report without faults."""
    lines = FORMATS[name](2_000, 30).split(b"\n")
    every_second = [first for first, _ in pairwise([*lines[:20], *lines[20::2]])]
    read = read_and_checked(b"\n".join(every_second))
    assert 1 <= len(read.findings) <= 1_001


def test_pieces_not_used_are_listed_up_to_a_number_and_the_others_counted():
    """5 MB of results that are none gave 600,000 pieces: 400 MB in each web process that looked at them."""
    content = b"<section results>\n" + b"1,1,2,9\n" * 10_000
    read = read_report(content)
    assert len(read.unread) == MAX_UNREAD_LISTED + 1
    assert [piece.line for piece in read.unread[:3]] == [2, 3, 4]
    last = read.unread[-1]
    assert (last.line, last.text, last.reason) == (2_002, "8,000 more pieces", "too many to list")
