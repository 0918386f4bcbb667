"""Annex 9 explained (ratings/federations/facet.py): its rulings and articles, the steps of stored changes."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from ratings.federations.fmjd.method import FmjdMethod
from ratings.federations.fmjd.models import FmjdChange
from ratings.federations.fmjd.rules.columns import CHANGE, METHODS, PROVISIONAL
from ratings.federations.fmjd.rules.edition import FmjdRules
from ratings.federations.fmjd.rules.explain import ExplainedChange, Step, explain, explain_new_rating
from ratings.federations.fmjd.texts import (
    ANOMALY_LABELS,
    PARAMETER_LABELS,
    TEXTS,
    anomaly_text,
    change_sentence,
    parameter_text,
)
from ratings.models import PlayerHistory
from ratings.rules.scaled_numbers import E4
from ratings.rules.values import ChangeSummary, RuleText
from reporting.rules.regulations.rulings import Ruling, read_rulings


class FmjdExplanation:
    """Annex 9 in words."""

    regulations = "Annex 9"
    articles: Mapping[str, str] = {
        "person": "Annex 9 art. 4, 5.1, 11; R21",
        "tournament": "Annex 9 art. 1.2, 4.1; R6, R10",
        "result": "Annex 9 art. 4, 11; R20",
        "rating": "Annex 9 art. 3.3.1, 6.2; R9",
        "unchanged_rating": "Annex 9 art. 5.2, 5.3; R8",
        "announcement": "Annex 9 art. 1.2.1.3; R11",
        "closing": "R11",
        "late": "R11",
        "merge": "R24",
        "official": "R13",
        "tempo": "Annex 9 art. 1.2.2; R6",
        "order": "R5",
        "basis": "R8",
    }
    texts: Mapping[str, RuleText] = TEXTS
    anomaly_kinds: Mapping[str, str] = ANOMALY_LABELS
    anomaly_text = staticmethod(anomaly_text)
    change_sentence = staticmethod(change_sentence)
    method = FmjdMethod()

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        return read_rulings(Path(__file__).with_name("rulings.toml"))

    def parameter(self, rules: FmjdRules, name: str) -> tuple[str, str]:
        return str(PARAMETER_LABELS[name]), parameter_text(rules.numbers[name], name)

    def steps(
        self,
        rules: FmjdRules,
        change: FmjdChange,
        row: PlayerHistory,  # noqa: ARG002 (a change has every figure of its formula)
        time_control: str,
        seconds: int | None,
    ) -> tuple[Step, ...]:
        assert seconds is not None  # noqa: S101 (the checks of a report ask for a clock, art. 4.1.1d)
        return explain(_explained(change, time_control, seconds), rules.parameters)

    def rating_steps(
        self,
        rules: FmjdRules,  # noqa: ARG002 (no number of the edition is in the sum)
        changes: Sequence[FmjdChange],
        row: PlayerHistory,
        carried: int,
    ) -> tuple[Step, ...]:
        if not changes and not carried:
            return ()
        start = (changes[0].before_e4 or 0) // E4 if changes else row.rating
        explained = [_explained(change) for change in changes]
        return (explain_new_rating(start - carried, explained, row.rating, carried),)

    def change_summary(self, change: FmjdChange | None) -> ChangeSummary:
        if change is None:
            return ChangeSummary({"games": 0}, self.articles["unchanged_rating"])
        names = ("delta_e4", "performance_e4", "points", "games", "average_e4", "after_e4")
        return ChangeSummary(
            {name: getattr(change, name) for name in names},
            "Annex 9 art. 3.1, 3.3.2; R4, R7, R8"
            if change.delta_e4 is None
            else "Annex 9 art. 3.2; R2, R3, R5, R6, R8",
        )


def _explained(change: FmjdChange, time_control: str = "", seconds: int = 0) -> ExplainedChange:
    """A stored change as `explain` takes it: 0 where a figure does not belong to the method."""
    return ExplainedChange(
        method=PROVISIONAL if change.method == METHODS[PROVISIONAL] else CHANGE,
        own_e4=change.own_e4 or 0,
        own_is_running=change.own_is_running,
        games=change.games,
        opponents_sum=change.opponents_sum,
        average_e4=change.average_e4,
        points=change.points,
        expected_percentage_e4=change.expected_percentage_e4 or 0,
        expected_score_e4=change.expected_score_e4 or 0,
        k=change.k or 0,
        development=change.development or 0,
        delta_e4=change.delta_e4 or 0,
        performance_e4=change.performance_e4,
        performance_limited=change.performance_limited,
        games_before=change.games_before,
        unrated_games=change.unrated_games,
        before_e4=change.before_e4 or 0,
        after_e4=change.after_e4,
        list_in_force=change.basis_list.in_force,
        time_control=time_control,
        seconds_for_60_moves=seconds,
    )
