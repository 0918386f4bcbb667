"""Whatever the bytes: no exception, a finding with a line for every rejection, and no waiting."""

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reporting.formats.annex_9.fmjd import write_fmjd
from reporting.formats.detect import read_report
from reporting.formats.tournament_details.sidecar import read_details
from reporting.rules.details.merge_tournament_details import complete_details
from reporting.rules.findings.finding_list import Severity
from reporting.rules.names.plain_text import plain_text
from reporting.rules.report import FIRST_DAY, LAST_DAY, ReportedGame, ReportedInfo, ReportedPlayer
from tests.call_count import counted
from tests.formats.report_files import (
    ARBITER_FILE,
    FMJD_FILE,
    TABLE_FILE,
    TODAY,
    TOERNOOIBASE_FILE,
    TRF16_FILE,
    check_report,
    details_of,
)
from tests.processes.faults.fault_tools import rounds

FILES = {
    path: path.read_bytes() for path in (FMJD_FILE, ARBITER_FILE, TRF16_FILE, TOERNOOIBASE_FILE, TABLE_FILE)
}
PIECES = [
    b"", b"\0", b"\r", b"\n", b"\t", b",", b";", b"=", b"<", b">", b"-", b"0", b"9999999", b"\xff", b"\xc3", b"x",
    "١".encode(), "\u202e".encode(), "é".encode(), b"<section results>", b"</end info>", b"<remark>", b"1,1,1,2-0",
    b" ", b"/", b"2/1", b"-/2", b"2/3w", b" bye ", b";Pt", b";R1", b"31/12/1999",
    b"001 ", b"132 ", b" " * 8, b"0000 - U", b"0000 - H", b"  12 w =", b"2026/11/31", b"0.5",
]  # fmt: skip
MUTATION = st.tuples(
    st.integers(0, 10_000), st.integers(0, 40), st.sampled_from(PIECES) | st.binary(max_size=6)
)


def mutated(content, mutations):
    for place, cut, piece in mutations:
        at = place % (len(content) + 1)
        content = content[:at] + piece + content[at + cut :]
    return content


def everything_about(content, path):
    """Read and check as the office does, and hold the promises every file is given."""
    details = details_of(path)
    read = read_report(content, encoding=details.encoding, points=details.points)
    details, differences = complete_details(details, read.info)
    checked = (*differences, *check_report(read, details, today=TODAY))
    read = replace(read, findings=read.grouped_findings((*read.findings, *checked)))
    read.to_json()
    for finding in read.findings:
        assert finding.line is None or 1 <= finding.line <= content.count(b"\n") + content.count(b"\r") + 1
        assert finding.line is not None or finding.field
        assert finding.column is None or finding.column >= 1
        assert finding.found.isprintable()
        assert finding.article
        assert finding.expected
    if not read.format:
        assert read.findings
        assert all(finding.line for finding in read.findings if finding.severity is Severity.ERROR)
    return read


@settings(max_examples=rounds(300, 1_200))
@given(st.sampled_from(list(FILES)), st.lists(MUTATION, min_size=1, max_size=6))
def test_a_mutated_report_never_breaks_the_reader(path, mutations):
    everything_about(mutated(FILES[path], mutations), path)


@settings(max_examples=rounds(200, 600))
@given(st.binary(max_size=300))
@example(b"<section players>\n<section players>")
@example(b"001    1")
@example(b"012 x\n132\n042\n001\n001 9999 x\t" + b" " * 90 + b"9999 w U")
@example(b"2/1 2/1")
@example(b"0 - 2/1 2/1 2\n1 W 1900 0/1 0/1 0")
@example(b";x\nPl;Sno;Name;Cn;R1;Pt\n1;1;a;NED;-/1w;2\n#")
@example(b";Tournament table\nx\nPlace;S.No.;Name;Fed.;R1;Total\n1;1;a, b;NED;1w2;2")
def test_random_bytes_never_break_the_reader(content):
    everything_about(content, FMJD_FILE)


@settings(max_examples=rounds(200, 600))
@given(st.data())
def test_lines_in_any_order_never_break_the_reader(data):
    path = data.draw(st.sampled_from(list(FILES)))
    lines = FILES[path].split(b"\n")
    chosen = data.draw(st.lists(st.sampled_from(lines), max_size=60))
    everything_about(b"\n".join(chosen), path)


@settings(max_examples=300)
@given(
    st.binary(max_size=200) | st.text(alphabet="[]{}=\"'#.,0123456789abx_-:T\n", max_size=120).map(str.encode)
)
def test_any_bytes_as_facts_give_facts_or_findings(content):
    details, findings = read_details(content)
    assert (details is None) == any(finding.severity is Severity.ERROR for finding in findings)


NAMES = st.text(alphabet="ABCDEabcde '-", min_size=1, max_size=17).map(plain_text)
TEXTS = st.text(alphabet="ABCabc 019.", max_size=25).map(plain_text)
PLAYERS = st.builds(
    lambda number, first, last, **rest: ReportedPlayer(
        number=number, name=f"{first} {last}".strip(), first_name=first, last_name=last,
        federation_code={"nl": "NED", "RDF": "RUS", "CMR": "CMR"}[rest["federation"]],
        **rest,
    ),
    number=st.integers(1, 9999), first=NAMES, last=NAMES, fmjd_id=st.none() | st.integers(1, 99_999),
    local_id=st.sampled_from(["", "A 7", "000123"]), place=st.none() | st.integers(1, 9999),
    points_printed=st.integers(0, 999), federation=st.sampled_from(["nl", "RDF", "CMR"]),
    sex=st.sampled_from(["", "M", "W"]),
)  # fmt: skip
GAMES = st.builds(
    lambda turn, white, black, result, played: ReportedGame(turn, white, black, *result, played=played),
    st.integers(1, 30), st.integers(1, 9999), st.integers(1, 9999), st.sampled_from([(2, 0), (1, 1), (0, 2)]),
    st.booleans(),
) | st.builds(
    lambda turn, number, white: ReportedGame(
        turn, number if white else 0, 0 if white else number, 2 * white, 2 * (not white), played=False
    ),
    st.integers(1, 30),
    st.integers(1, 9999),
    st.booleans(),
)  # fmt: skip
INFOS = st.builds(
    ReportedInfo,
    name=TEXTS,
    played_from=st.none() | st.dates(FIRST_DAY, LAST_DAY),
    played_to=st.none() | st.dates(FIRST_DAY, LAST_DAY),
    system=st.sampled_from(["", "swiss", "round-robin", "teams", "other"]),
    national_championship=st.none() | st.booleans(),
    women_championship=st.none() | st.booleans(), referee=TEXTS, place=TEXTS, remarks=TEXTS, winner=TEXTS,
)  # fmt: skip


@settings(max_examples=200)
@given(INFOS, st.lists(PLAYERS, max_size=5), st.lists(GAMES, max_size=8))
def test_what_is_printed_is_read_again(info, players, games):
    read = read_report(write_fmjd(info, players, games).encode())
    assert (read.findings, read.unread) == ((), ())
    assert (read.info, read.players, read.games) == (info, tuple(players), tuple(games))


MEGABYTE = 1_000_000
FLOODS = {
    "letters": b"a" * MEGABYTE,
    "spaces": b" " * MEGABYTE + b"x",
    "games": b"round,date,white_id,white_name,black_id,black_name,result\n"
    + b"1,1/1/2026,,A,2,B,1-1\n" * (MEGABYTE // 23),
    "spaces alone": b" " * MEGABYTE,
    "letters and spaces": b"a " * (MEGABYTE // 2),
    "line ends": b"x" + b"\n" * MEGABYTE,
    "NULs in lines": b"\0\n" * (MEGABYTE // 2),
    "tabs": b"x" + b"\t" * MEGABYTE + b"x",
    "tag openings": b"<" * MEGABYTE,
    "tag openings with spaces": b"<section info>\nremarks = <remark>\n" + b"< / end " * (MEGABYTE // 8),
    "commas": b"<section players>\n" + b"," * MEGABYTE,
    "short results": b"<section results>\n" + b"1,1,2,9\n" * (MEGABYTE // 8),
    "accents": b"<section info>\n" + ("x\u0301\u0316" * 90_000 + "\n").encode() * 2,
    "heaps of accents": b"<section info>\n" + ("x" + "\u0301\u0316" * 40_000 + "\n").encode() * 5,
    "semicolons": b";Tournament table\nx\n" + b";" * MEGABYTE,
    "players by columns": b"001    1 " * (MEGABYTE // 9),
    "short lines by columns": b"001 \n" * (MEGABYTE // 5),
    "cells by columns": b"".join(
        b"001 %4d w    %-33s      NED             1980/00/00  0.5 %4d  %s\n"
        % (n, b"A, B", n, b"  ".join([b"%4d w H" % (n + 1)] * 30))
        for n in range(1, 2_001)
    ),
    "games by columns": b"".join(
        b"001 %4d w    %-33s      NED             1980/00/00  0.5 %4d  %s\n"
        % (n, b"A, B", n, b"  ".join([b"%4d w =" % (2_001 - n)] * 30))
        for n in range(1, 2_001)
    ),
    "cells with slashes": b"2/1 " * (MEGABYTE // 4),
    "short lines of a table": b"1 A B nl 2/1 2/1 2\n" + b"1\n" * (MEGABYTE // 2),
    "lines of a table": b"1 A B nl 2/1 2/1 4\n" * (MEGABYTE // 19),
    "cells of toernooibase": (b";2/1w" + b" " * 40) * (MEGABYTE // 45),
    "open cells of toernooibase": b"Pl;Sno;Name;Cn;"
    + b";".join(b"R%d" % n for n in range(1, 31))
    + b";Pt\n"
    + b"".join(b"%d;%d;A B;NED;%s;30\n" % (n, n, b";" * 29) for n in range(1, 2001)),
    "open games of a table": b"".join(
        b"%d A B nl %s %d\n" % (n, b" ".join([b"-/%d" % (n + n % 2 * 2 - 1)] * 30), 31 - n % 2)
        for n in range(1, 2001)
    ),
    "open cells": b";Tournament table\nx\nPlace;S.No.;Name;Fed.;"
    + b";".join(b"R%d" % n for n in range(1, 31))
    + b";Total\n"
    + b"".join(b"%d;%d;A, B;NED;%s;30\n" % (n, n, b";" * 29) for n in range(1, 2001)),
    "open games": b";Tournament table\nx\nPlace;S.No.;Name;Fed.;"
    + b";".join(b"R%d" % n for n in range(1, 31))
    + b";Total\n"
    + b"".join(
        b"%d;%d;A, B;NED;%s;%d\n"
        % (n, n, b";".join([b"%d%s-" % (n + n % 2 * 2 - 1, b"bw"[n % 2 :][:1])] * 30), 31 - n % 2)
        for n in range(1, 2001)
    ),
}


def beginning(content: bytes, part: int) -> bytes:
    """The first half, quarter …, without a letter that is cut in two: that would be another encoding."""
    return content[: len(content) // part].decode(errors="ignore").encode()


@pytest.mark.parametrize("content", FLOODS.values(), ids=FLOODS)
def test_a_flood_of_anything_costs_no_more_than_its_length(content):
    """Four times as much may take six times as many calls; to look back over all of it would take sixteen."""
    _, few = counted(lambda: everything_about(beginning(content, rounds(128, 64)), FMJD_FILE))
    _, more = counted(lambda: everything_about(beginning(content, rounds(32, 16)), FMJD_FILE))
    assert more < max(6 * few, 20_000)
    # A sixteenth has more faults than are listed; `make test-faults` reads the whole megabyte.
    assert len(read_report(beginning(content, rounds(16, 1))).findings) <= 1_002
