"""An entry of the catalogue of findings."""

from dataclasses import dataclass

from reporting.rules.sentences import Template

NOTHING = "nothing"
"""What is found where the place is empty."""


@dataclass(frozen=True)
class Code:
    """A code of the catalogue, or one of its cases.

    A key is a code, or a code and a case after a full stop where a code has several sentences. A case gives only the
    sentences that differ from those of its code. ``about`` is for the reference page.
    ``severity`` is error, warning or note, unless the call site gives another one; a note needs nothing to be done.
    ``step`` is the page of a report on which it is corrected; empty: the file's where it has a line, else the details'.
    ``message`` says what is wrong, ``expected`` and ``suggestion`` what belongs there and what to do. ``found`` is a
    sentence where it is not text of the file. ``article`` is the page of docs that a finding cites which is not about a
    report; those about reports cite an article of their federation.
    """

    about: str
    message: Template = ""
    expected: Template = ""
    suggestion: Template = ""
    found: Template = ""
    step: str = ""
    severity: str = "error"
    article: str = ""


TABLE = "docs/how-to/first-quarter.md"
