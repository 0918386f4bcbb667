"""One fault gives few findings, in every format: what follows from a cause has no finding of its own (R22)."""

from collections import Counter

import pytest

from reporting.rules.findings.finding_list import Severity, finding
from reporting.rules.report import ReadReport, ReportedGame
from tests.formats.report_files import (
    ARBITER_FILE,
    FILES,
    FMJD_FILE,
    NEW_TOERNOOIBASE_FILE,
    SPREADSHEET_FILE,
    TABLE_FILE,
    TODAY,
    TOERNOOIBASE_FILE,
    TRF16_FILE,
    read_submission,
    sample,
    spoiled,
)

REPORTS = sorted(path for path in FILES.iterdir() if path.suffix != ".toml")
SAMPLES = (
    "draughts-arbiter-2022-ouagadougou.csv",
    "toernooibase-1948-world-championship.csv",
    "toernooibase-1960-world-championship.csv",
)
MOST_ERRORS, MOST_WARNINGS = 5, 4
"""Of one line that is gone. Two games are lost in a deleted result, so two players have other points and colours."""


def grouped(content, sidecar=b""):
    submission = read_submission(content=content, sidecar=sidecar, today=TODAY)
    return submission.read.grouped_findings(submission.findings)


def sidecar_of(path):
    return path.with_suffix(".toml").read_bytes()


def more(findings, whole):
    """Codes and severities of a spoiled file beyond those of the whole one."""
    count = Counter((finding.severity, finding.code) for finding in findings)
    return count - Counter((finding.severity, finding.code) for finding in whole)


def hold_the_bound(content, sidecar=b""):
    whole = grouped(content, sidecar)
    lines = content.split(b"\n")
    for turn, line in enumerate(lines):
        findings = grouped(b"\n".join(lines[:turn] + lines[turn + 1 :]), sidecar)
        added = more(findings, whole)
        errors = sum(count for (severity, _), count in added.items() if severity is Severity.ERROR)
        assert errors <= MOST_ERRORS, (turn + 1, line, added)
        assert added.total() - errors <= MOST_WARNINGS, (turn + 1, line, added)
        # None says again what another one says.
        shown = [(finding.code, finding.message, finding.found) for finding in findings]
        assert max(Counter(shown).values(), default=0) <= 3, (turn + 1, line)


@pytest.mark.parametrize("path", REPORTS, ids=lambda path: path.name)
def test_a_deleted_line_gives_few_findings(path):
    hold_the_bound(path.read_bytes(), sidecar_of(path))


@pytest.mark.parametrize("name", SAMPLES)
def test_a_deleted_line_of_a_real_export_gives_few_findings(name):
    hold_the_bound(sample(name))


FAULTS = [
    # file, the lines spoiled, and all findings more than of the whole file
    (FMJD_FILE, {1: None}, {"section-missing": 1}),
    (FMJD_FILE, {16: None}, {"section-missing": 1}),
    (FMJD_FILE, {32: None}, {"section-missing": 1}),
    (FMJD_FILE, {30: None}, {"section-not-closed": 1}),
    (FMJD_FILE, {16: "<section player>"}, {"tag-unknown": 1}),
    (FMJD_FILE, {17: None}, {"number-unknown": 1}),  # seven results name number 1
    (FMJD_FILE, {17: "11285,1,,2,9,Willem,Zonnebeek,nl,"}, {"field-count": 1}),
    (FMJD_FILE, {17: "1,,2,9,Willem,Zonnebeek,nl,,,"}, {"columns-shifted": 1}),
    (SPREADSHEET_FILE, {2: None}, {"section-missing": 1}),
    (SPREADSHEET_FILE, {15: None}, {"section-missing": 1}),
    (SPREADSHEET_FILE, {25: None}, {"section-missing": 1}),
    (SPREADSHEET_FILE, {16: None}, {"header-missing": 1}),
    (SPREADSHEET_FILE, {26: None}, {"header-missing": 1}),
    (SPREADSHEET_FILE, {17: None}, {"number-unknown": 1}),
    (ARBITER_FILE, {3: None}, {"header-missing": 1}),
    (ARBITER_FILE, {8: None}, {"place-out-of-order": 1}),
    (ARBITER_FILE, {20: None}, {"opponent-unknown": 1}),  # the last place: no gap, but seven cells name it
    (TOERNOOIBASE_FILE, {7: None}, {"place-out-of-order": 1}),
    (NEW_TOERNOOIBASE_FILE, {9: None}, {"place-out-of-order": 1}),
    (TRF16_FILE, {15: None}, {"opponent-unknown": 1, "player-count-differs": 1}),
    (TABLE_FILE, {4: None}, {"cells-disagree": 1}),  # every line has moved
]


@pytest.mark.parametrize(("path", "edits", "codes"), FAULTS)
def test_a_line_a_tag_or_a_header_that_is_missing_is_reported_once(path, edits, codes):
    added = more(
        grouped(spoiled(path, edits), sidecar_of(path)), grouped(path.read_bytes(), sidecar_of(path))
    )
    assert {code: count for (_, code), count in added.items()} == codes


def shifted(path, number, separator=b";"):
    """The file with a line whose results have moved one round forward."""
    lines = path.read_bytes().split(b"\n")
    fields = lines[number - 1].split(separator)
    lines[number - 1] = separator.join([*fields[:6], *fields[7:-1], b"", fields[-1]])
    return b"\n".join(lines)


def test_cells_that_have_moved_are_reported_once_for_their_line():
    (finding,) = grouped(shifted(NEW_TOERNOOIBASE_FILE, 8), sidecar_of(NEW_TOERNOOIBASE_FILE))[:1]
    assert (finding.code, finding.line) == ("cells-disagree", 8)
    assert finding.message.startswith(
        "Number 3 (Rytis Obelauskas): The line contradicts those of the opponents in 3"
    )
    added = more(
        grouped(shifted(NEW_TOERNOOIBASE_FILE, 8), sidecar_of(NEW_TOERNOOIBASE_FILE)),
        grouped(NEW_TOERNOOIBASE_FILE.read_bytes(), sidecar_of(NEW_TOERNOOIBASE_FILE)),
    )
    assert sum(count for (severity, _), count in added.items() if severity is Severity.ERROR) <= 3


def test_seven_lines_that_say_the_same_are_one_finding_with_all_their_players():
    lines = FMJD_FILE.read_text().split("\n")
    edits = {n: lines[n - 1].replace(",nl,", ",XX,").replace(",pl,", ",XX,") for n in (17, 18)}
    edits |= {n: lines[n - 1].replace(country, "XX") for n, country in {19: ",sn,", 20: ",ua,"}.items()}
    edits = {n: text if ",XX," in text else text.replace("XX", ",XX,") for n, text in edits.items()}
    (finding,) = [
        finding for finding in grouped(spoiled(FMJD_FILE, edits)) if finding.code == "country-unknown"
    ]
    assert (finding.line, finding.column, finding.found) == (17, 31, "XX")
    assert finding.message == (
        "Numbers 1 (Willem Zonnebeek), 2 (Marek Tarnobrzeski), 3 (Ousmane Dieng-Sarr), 4 (Viktoria Sechenenko): "
        "This country is unknown. The same on lines 18, 19, 20."
    )


@pytest.mark.parametrize(
    ("path", "edits", "code", "begins"),
    [
        (FMJD_FILE, {17: "11285,1,,2,8,Willem,Zonnebeek,nl,,"}, "points-differ",
         "Number 1 (Willem Zonnebeek): The"),
        (FMJD_FILE, {34: "1,1,2,2-2"}, "result-unknown",
         "Numbers 1 (Willem Zonnebeek), 2 (Marek Tarnobrzeski): The format"),
        (SPREADSHEET_FILE, {18: "2;21002;Sokolinska;Danuta;;POL;W;;1;10"}, "points-differ",
         "Number 2 (Danuta Sokolinska): "),
        (ARBITER_FILE, {9: "6;8;;Arkhangelova, Anastasia;RDF;A 2047;1b1;8w1;2w1;7w2;13b2;3b1;10w1;9;49"},
         "cells-disagree", "Numbers 7 (Negbreau, Biagnon Elsa), 8 (Arkhangelova, Anastasia): The two cells"),
    ],
)  # fmt: skip
def test_a_finding_about_a_player_or_a_pair_names_them(path, edits, code, begins):
    (finding,) = [
        finding for finding in grouped(spoiled(path, edits), sidecar_of(path)) if finding.code == code
    ]
    assert finding.message.startswith(begins)


def test_grouped_findings_are_not_grouped_again():
    findings = grouped(spoiled(FMJD_FILE, {17: "11285,1,,2,8,Willem,Zonnebeek,nl,,"}), sidecar_of(FMJD_FILE))
    assert ReadReport("fmjd", "utf-8").grouped_findings(findings) == findings


def test_a_finding_names_the_round_of_the_one_game_at_its_place():
    """In a list of results the line is one game; in a crosstable the column is, and the line is a player."""
    listed = ReadReport(
        "fmjd", "utf-8", games=(ReportedGame(3, 1, 2, 2, 0, played=True, lines=(9,), columns=(5,)),)
    )
    assert listed.round_of(finding("points-differ", line=9, column=1)) == 3
    assert listed.round_of(finding("points-differ", line=8, column=5)) is None
    crosstable = ReadReport(
        "trf16", "utf-8", games=(ReportedGame(2, 1, 2, 2, 0, played=True, lines=(4, 5), columns=(20, 22)),)
    )
    assert crosstable.round_of(finding("points-differ", line=5, column=22)) == 2
    assert crosstable.round_of(finding("points-differ", line=5, column=1)) is None
