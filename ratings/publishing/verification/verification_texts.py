"""The catalogue of what a verification says: what was compared, and the words of a difference, each by its code."""

from dataclasses import dataclass

from reporting.rules.sentences import Plural, Template, Value, sentence

COMPARED: dict[str, Plural] = {
    "files": Plural("{count} file", "{count} files", "count"),
    "columns of the list": Plural("{count} column of the list", "{count} columns of the list", "count"),
    "rows": Plural("{count} row", "{count} rows", "count"),
    "carried": Plural("{count} carried difference", "{count} carried differences", "count"),
    "changes": Plural("{count} change", "{count} changes", "count"),
    "reports": Plural("{count} report", "{count} reports", "count"),
    "histories": Plural("{count} history", "{count} histories", "count"),
    "rows recalculated": Plural("{count} row recalculated", "{count} rows recalculated", "count"),
    "changes recalculated": Plural("{count} change recalculated", "{count} changes recalculated", "count"),
}

WORDS: dict[str, Template] = {
    "difference": "{list}: {where}, {column}: found {found}, expected {expected}",
    "difference_of_player": (
        "{list}: {where}, {label} {number}, {column}: found {found}, expected {expected}"
    ),
    "nothing": "nothing",
    "a_comparison": "a comparison",
    "a_file": "a file",
    "a_row": "a row",
    "bytes": "{content} at byte {place}",
    "no_difference": "no difference",
    "no_file": "none",
    "player": "{label} {number}",
    "player_at": "{label} {number} at {position}",
    "positions": "1 to {last}",
    "report": "report of {tournament}",
    # the step that was not finished, by the name of its function
    "verify_files": "files",
    "verify_list_itself": "list itself",
    "verify_order": "order",
    "verify_names": "names",
    "verify_sums": "sums",
    "verify_reports": "reports",
    "verify_histories": "histories",
    "verify_calculation": "calculation",
    "verify_by_files": "recalculation from the files",
}


@dataclass(frozen=True)
class Words:
    """A code of `WORDS` and its values. As text it is in the language in use."""

    code: str
    values: tuple[tuple[str, Value], ...] = ()

    def __str__(self) -> str:
        return sentence(WORDS[self.code], dict(self.values))


def words(code: str, **values: Value) -> Words:
    """Return the words of a code of `WORDS` with the values that they name."""
    return Words(code, tuple(values.items()))


Text = str | Words
"""A name or figure as it is stored, or words of the catalogue."""
