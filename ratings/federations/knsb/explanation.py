"""The Rekenregels explained (ratings/federations/facet.py): rulings, articles, the steps of changes and rows."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cached_property
from pathlib import Path

from ratings.federations.knsb.method import KnsbMethod
from ratings.federations.knsb.models import KnsbChange, KnsbListRow
from ratings.federations.knsb.rules.explain import (
    ExplainedGame,
    ExplainedList,
    Step,
    explain_game,
    explain_list,
)
from ratings.federations.knsb.rules.parameters import KnsbRules
from ratings.federations.knsb.texts import (
    ANOMALY_LABELS,
    PARAMETER_LABELS,
    TEXTS,
    anomaly_text,
    change_sentence,
    parameter_text,
)
from ratings.models import GameChanges
from ratings.rules.values import ChangeSummary, RuleText
from reporting.rules.regulations.rulings import Ruling, read_rulings


class KnsbExplanation:
    """The Rekenregels in words."""

    regulations = "Rekenregels"
    articles: Mapping[str, str] = {
        "person": "Rekenregels art. 11.1; R84d",
        "tournament": "Rekenregels art. 4.1, 12; R80a, R80d",
        "result": "Rekenregels art. 13; R80g",
        "rating": "Rekenregels art. 2, 9; R82",
        "unchanged_rating": "Rekenregels art. 8, 9; R82b",
        "closing": "Rekenregels art. 13; R84f",
        "official": "Rekenregels art. 11.2; R84b",
        "tempo": "R80a",
        "order": "R82a",
        "basis": "Rekenregels art. 4, 4.1; R80b, R80d",
    }
    texts: Mapping[str, RuleText] = TEXTS
    anomaly_kinds: Mapping[str, str] = ANOMALY_LABELS
    anomaly_text = staticmethod(anomaly_text)
    change_sentence = staticmethod(change_sentence)
    method = KnsbMethod()

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        return read_rulings(Path(__file__).with_name("rulings.toml"))

    def parameter(self, rules: KnsbRules, name: str) -> tuple[str, str]:
        return str(PARAMETER_LABELS[name]), parameter_text(rules.numbers[name], name)

    def steps(
        self,
        rules: KnsbRules,
        change: KnsbChange,
        row: KnsbListRow,  # noqa: ARG002 (a change has every figure of its formula)
        time_control: str,  # noqa: ARG002 (a game counts whole in its pool)
        seconds: int | None,
    ) -> tuple[Step, ...]:
        return explain_game(rules, _explained(change), rules.tempo(seconds))

    def rating_steps(
        self,
        rules: KnsbRules,
        changes: Sequence[KnsbChange],
        row: KnsbListRow,
        carried: int,  # noqa: ARG002 (nothing is carried: later lists are revised)
    ) -> tuple[Step, ...]:
        if row.r_i is None:
            return ()
        figures = {one.name: getattr(row, one.name) for one in fields(ExplainedList)}
        games = [_explained(change) for change in changes]
        return explain_list(rules, ExplainedList(**figures), games, None if games else _fallen_n_v(row))

    def change_summary(self, change: GameChanges | None) -> ChangeSummary:
        if change is None:
            return ChangeSummary({"games": 0}, self.articles["unchanged_rating"])
        values = {"games": change.games, "points": change.points, "added_e4": change.added_e4}
        return ChangeSummary(values, "Rekenregels art. 2, 9; R80, R81h")


def _fallen_n_v(row: KnsbListRow) -> tuple[int, int] | None:
    """N_v before and after, where it is less than on the previous list; None else. 1 query."""
    before = (
        KnsbListRow.objects.filter(list=row.list.previous_id, player=row.player_id)
        .values_list("n_v", flat=True)
        .first()
    )
    return (before, row.n_v) if before is not None and before > row.n_v else None


def _explained(change: KnsbChange) -> ExplainedGame:
    return ExplainedGame(**{one.name: getattr(change, one.name) for one in fields(ExplainedGame)})
