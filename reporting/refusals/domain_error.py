from collections.abc import Mapping, Sequence
from datetime import date

from reporting.rules.findings.finding_list import Finding
from reporting.rules.sentences import Listed, Plural, sentence

Sentence = str | Plural


class DomainError(Exception):
    """A refusal: what was asked can't be done in this state or by this person. Nothing was changed.

    `key` is a key of the catalogue of refusals (`docs/reference/refusals.md`): a stable `code`, for the API and for
    tests, and where a code has several sentences the case after a full stop. `values` are what its sentence names;
    `findings` say which data is the reason, where it is the data. Raises KeyError for a key outside the catalogue.
    """

    def __init__(
        self, key: str, findings: Sequence[Finding] = (), **values: str | int | date | Listed | None
    ) -> None:
        super().__init__(key)
        self.template = _catalogue[key]
        self.key = key
        self.values = {
            name: value.isoformat() if isinstance(value, date) else "" if value is None else value
            for name, value in values.items()
        }
        self.findings = tuple(findings)

    @property
    def code(self) -> str:
        return self.key.partition(".")[0]

    @property
    def message(self) -> str:
        """The sentence for people, in the language of the page."""
        return sentence(self.template, self.values)

    def __str__(self) -> str:
        return self.message


_catalogue: dict[str, Sentence] = {}


def register_refusals(refusals: Mapping[str, Sentence]) -> None:
    """Add an app's refusals to the catalogue, each by its key."""
    _catalogue.update(refusals)


def refusal_catalogue() -> Mapping[str, Sentence]:
    """Every registered refusal by its key."""
    return dict(sorted(_catalogue.items()))
