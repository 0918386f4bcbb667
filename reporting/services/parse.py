"""From bytes to values and findings: what the file and the facts beside it say, before the register is asked."""

from dataclasses import dataclass
from datetime import date

from reporting.formats.detect import read_report
from reporting.formats.values import ReadReport
from reporting.rules.checks import check_report
from reporting.rules.facts import TournamentFacts, merge, read_choices, read_facts
from reporting.rules.findings import Finding, in_file_order


@dataclass(frozen=True)
class Submission:
    """A report file with its facts, read.

    `facts` are those of the sidecar, supplied by the file where the sidecar is silent; None where they can't be
    told. `findings` are all findings that need no register, in the order of the file (R20 to R22).
    """

    read: ReadReport
    facts: TournamentFacts | None
    findings: tuple[Finding, ...]


def read_submission(*, content: bytes, sidecar: bytes, today: date) -> Submission:
    """Read a report of any known form. Never raises for what is in the bytes; the form is told by content.

    Its code page and the scale of its points are those of the facts, so that it reads alike whenever it is read.
    `today` is the day, in the office's zone, on which a report whose facts name no other counts as handed in.
    """
    encoding, points = read_choices(sidecar)
    read = read_report(content, encoding=encoding, points=points)
    facts, findings = read_facts(sidecar)
    found = [*read.findings, *findings]
    if facts is not None:
        facts, differences = merge(facts, read.info)
        found += read.name_cells(differences)
    found += read.name_cells(check_report(read, facts, today=today))
    return Submission(read, facts, in_file_order(found))
