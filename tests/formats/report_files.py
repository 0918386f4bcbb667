"""The fictional reports of tests/files, and ways to spoil them."""

import os
from datetime import date
from pathlib import Path

import pytest

from reporting.federations.fmjd.report_rules import FmjdReportRules
from reporting.formats.detect import read_report
from reporting.formats.tournament_details.sidecar import read_details, read_sidecar
from reporting.reports.reading import parse
from reporting.rules import checks
from reporting.rules.details.merge_tournament_details import complete_details
from reporting.rules.report import ReadReport, ReportedGame, ReportedInfo, ReportedPlayer

ROOT = Path(__file__).resolve().parents[2]
FILES = ROOT / "tests/files"
FMJD_FILE = FILES / "zonnebeek-lakes-2026.txt"
ARBITER_FILE = FILES / "kaba-tougan-2025.csv"
TOERNOOIBASE_FILE = FILES / "eikhaven-1951.csv"
NEW_TOERNOOIBASE_FILE = FILES / "sneekermeer-2025.csv"
MATCH_FILE = FILES / "wolvega-2025.csv"
TABLE_FILE = FILES / "hollebeke-open-2026.txt"
TRF16_FILE = FILES / "lindmarsh-open-2026.trf"
SPREADSHEET_FILE = FILES / "oostwaarde-2026.csv"
TODAY = date(2026, 11, 14)


def sample(name):
    """A real report outside the project, or a skipped test that says why."""
    folder = Path(os.environ.get("RATING_OFFICE_SAMPLES", ROOT.parent / "shared/samples"))
    path = folder / name
    if not path.exists():
        pytest.skip(f"{path} is not here; set RATING_OFFICE_SAMPLES to the folder of real reports")
    return path.read_bytes()


def read_submission(*, content, sidecar, today):
    """A file read with its tournament details, as an upload reads it."""
    details = read_sidecar(sidecar)
    reading = parse.read_upload(content=content, sidecar=details)
    return parse.read_submission(read=reading.read, sidecar=details, today=today)


def spoiled(path, edits, *, line_end="\n"):
    """The file with some lines replaced; None deletes a line, so later lines move up."""
    lines = path.read_text(encoding="utf-8").split("\n")
    for number, text in edits.items():
        lines[number - 1] = text
    return line_end.join(line for line in lines if line is not None).encode()


def edited(path, old, new):
    """The file with one piece of text replaced, which must be there once."""
    text = path.read_bytes().decode()
    assert text.count(old) == 1
    return text.replace(old, new).encode()


def details_of(path, more=""):
    """The tournament details of a file, with lines that replace those of the same name."""
    lines_left = [
        line
        for line in path.with_suffix(".toml").read_text(encoding="utf-8").split("\n")
        if not any(line.startswith(f"{key.partition('=')[0].strip()} =") for key in more.split("\n") if key)
    ]
    details, findings = read_details("\n".join([*more.split("\n"), *lines_left]).encode())
    assert findings == ()
    return details


def check_report(read, details, *, today, **others):
    """What the checks say by the rules of the FMJD, or with others in place of some of them."""
    rules = FmjdReportRules()
    vars(rules).update(others)
    return checks.check_report(read, details, today=today, rules=rules)


def all_findings(content, path=FMJD_FILE, more="", today=TODAY):
    """All findings of a file and its tournament details: of the reader, of their comparison, and of the checks."""
    read = read_report(content)
    details, differences = complete_details(details_of(path, more), read.info)
    checked = check_report(read, details, today=today)
    return read.grouped_findings((*read.findings, *differences, *checked))


def places(findings, code):
    """Line and column of each finding with this code."""
    return [(finding.line, finding.column) for finding in findings if finding.code == code]


def assert_complete(findings):
    """Each says what is there, what is expected, what to do, and by which article."""
    for finding in findings:
        assert finding.found, finding
        assert finding.expected, finding
        assert finding.suggestion, finding
        assert finding.article.startswith("Annex "), finding


def small(*games, system="swiss", players=4, **info):
    """A report of a few games, made without a file."""
    said = ReportedInfo(
        name="Small Open", system=system, played_from=date(2026, 11, 6), played_to=date(2026, 11, 7), **info
    )
    people = tuple(
        ReportedPlayer(number=number, name=f"Anna {number}", line=number) for number in range(1, players + 1)
    )
    read = tuple(
        ReportedGame(*game[:3], *game[3], played=game[4] if len(game) > 4 else True, lines=(line,))
        for line, game in enumerate(games, start=10)
    )
    return ReadReport(format="draughts-arbiter", encoding="utf-8", info=said, players=people, games=read)


def codes(read):
    return [finding.code for finding in check_report(read, None, today=TODAY)]
