"""The working rules explained (ratings/federations/facet.py): rulings, items, the steps of changes and rows."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from ratings.federations.iccf.models import IccfChange, IccfListRow
from ratings.federations.iccf.rules.parameters import IccfRules
from ratings.federations.iccf.texts import (
    ANOMALY_LABELS,
    PARAMETER_LABELS,
    TEXTS,
    anomaly_text,
    change_sentence,
    parameter_text,
)
from ratings.models import GameChanges
from ratings.rules.values import ChangeSummary, ExplanationStep, RuleText
from reporting.rules.regulations.rulings import Ruling, read_rulings


class IccfExplanation:
    """The working rules in words."""

    regulations = "Working Rules"
    articles: Mapping[str, str] = {
        "person": "Working Rules item 8",
        "tournament": "Working Rules item 11; R93",
        "result": "Working Rules item 7; R93b",
        "rating": "Working Rules item 5, 6; R90, R91",
        "unchanged_rating": "Working Rules item 6",
        "closing": "Working Rules item 12, 13; R93a",
        "basis": "Working Rules item 8; R91",
    }
    texts: Mapping[str, RuleText] = TEXTS
    anomaly_kinds: Mapping[str, str] = ANOMALY_LABELS
    anomaly_text = staticmethod(anomaly_text)
    change_sentence = staticmethod(change_sentence)
    method = None

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        return read_rulings(Path(__file__).with_name("rulings.toml"))

    def parameter(self, rules: IccfRules, name: str) -> tuple[str, str]:
        return str(PARAMETER_LABELS[name]), parameter_text(rules.numbers[name], name)

    def steps(
        self,
        rules: IccfRules,  # noqa: ARG002
        change: IccfChange,  # noqa: ARG002
        time_control: str,  # noqa: ARG002 (correspondence chess has none)
        seconds: int | None,  # noqa: ARG002
    ) -> Sequence[ExplanationStep]:
        return ()

    def rating_steps(
        self,
        rules: IccfRules,  # noqa: ARG002
        changes: Sequence[IccfChange],  # noqa: ARG002
        row: IccfListRow,  # noqa: ARG002
        carried: int,  # noqa: ARG002 (nothing is carried: later lists are revised)
    ) -> Sequence[ExplanationStep]:
        return ()

    def change_summary(self, change: GameChanges | None) -> ChangeSummary:
        if change is None:
            return ChangeSummary({"games": 0}, self.articles["unchanged_rating"])
        values = {"games": change.games, "points": change.points, "added_e4": change.added_e4}
        return ChangeSummary(values, self.articles["rating"])
