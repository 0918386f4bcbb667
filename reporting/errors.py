from collections.abc import Sequence

from reporting.rules.findings import Finding


class DomainError(Exception):
    """A refusal: what was asked can't be done in this state or by this person. Nothing was changed.

    `code` is stable, for the API and for tests; the message is a sentence for people; `findings` say what in
    the data stands against it, where that is the reason.
    """

    def __init__(self, code: str, message: str, findings: Sequence[Finding] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.findings = tuple(findings)
