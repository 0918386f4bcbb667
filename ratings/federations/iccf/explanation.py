"""The working rules explained (ratings/federations/facet.py): rulings, items, the steps of changes and rows."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path

import numpy as np

from ratings.federations.iccf.method import IccfMethod
from ratings.federations.iccf.models import IccfChange, IccfListRow
from ratings.federations.iccf.rules.explain import (
    EarlierGames,
    ExplainedGame,
    ExplainedList,
    Step,
    explain_game,
    explain_list,
)
from ratings.federations.iccf.rules.formulas import limited_opponent
from ratings.federations.iccf.rules.parameters import IccfRules
from ratings.federations.iccf.texts import (
    ANOMALY_LABELS,
    PARAMETER_LABELS,
    TEXTS,
    anomaly_text,
    change_sentence,
    parameter_text,
)
from ratings.inputs.in_force import merges_by_id
from ratings.models import GameChanges, RatingList
from ratings.rules.values import ChangeSummary, RuleText
from reporting.federations.iccf.models import ResultSetDetails
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
    method = IccfMethod()

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        return read_rulings(Path(__file__).with_name("rulings.toml"))

    def parameter(self, rules: IccfRules, name: str) -> tuple[str, str]:
        return str(PARAMETER_LABELS[name]), parameter_text(rules.numbers[name], name)

    def steps(
        self,
        rules: IccfRules,
        change: IccfChange,
        row: IccfListRow,
        time_control: str,  # noqa: ARG002 (correspondence chess has none)
        seconds: int | None,  # noqa: ARG002
    ) -> tuple[Step, ...]:
        own, game = change.result_set.own_details, change.game
        replaced = game.white_for if change.colour == "b" else game.black_for
        explained = replace(
            _explained(change),
            games_before=row.games - row.period_games,
            opponent_is_one_of_two=replaced is not None,
            kind=own.kind if isinstance(own, ResultSetDetails) else "",
            has_level=isinstance(own, ResultSetDetails) and own.level is not None,
        )
        return explain_game(rules, explained)

    def rating_steps(
        self,
        rules: IccfRules,
        changes: Sequence[IccfChange],
        row: IccfListRow,
        carried: int,  # noqa: ARG002 (nothing is carried: later lists are revised)
    ) -> tuple[Step, ...]:
        """1 query for the games of earlier lists that formula 5 counts, 1 more where the list is read with merges."""
        if not row.method:
            return ()
        figures = {
            one.name: getattr(row, one.name) for one in fields(ExplainedList) if one.name != "list_before"
        }
        before = row.list.previous
        games = [_explained(change) for change in changes]
        explained = ExplainedList(
            **figures, list_before=_address(before) if before and row.change is not None else ""
        )
        return explain_list(rules, explained, games, _earlier_games(rules, row))

    def change_summary(self, change: GameChanges | None) -> ChangeSummary:
        if change is None:
            return ChangeSummary({"games": 0}, self.articles["unchanged_rating"])
        values = {"games": change.games, "points": change.points, "added_e4": change.added_e4}
        return ChangeSummary(values, self.articles["rating"])


def _explained(change: IccfChange) -> ExplainedGame:
    of_change = {one.name for one in fields(ExplainedGame)} & {one.name for one in IccfChange._meta.fields}
    return ExplainedGame(**{name: getattr(change, name) for name in of_change})


def _address(rating_list: RatingList) -> str:
    return f"{rating_list.address}/r{rating_list.revision}"


def _earlier_games(rules: IccfRules, row: IccfListRow) -> list[EarlierGames]:
    """The games of the lists read that formula 5 over all games ever counts, by list (item 15)."""
    if row.method != "5-all" or row.formula_games == row.period_games:
        return []
    duplicates = [
        merge.duplicate_id for merge in merges_by_id(row.list.merges) if merge.surviving_id == row.player_id
    ]
    changes = (
        IccfChange.objects.filter(list__in=row.list.input_lists, player__in=[row.player_id, *duplicates])
        .select_related("list__pool")
        .order_by("list__in_force", "sequence")
    )
    return [
        EarlierGames(
            address,
            limited_opponent(
                rules,
                np.array([change.own_rating for change in of_list]),
                np.array([change.opponent_rating for change in of_list]),
            ).tolist(),
            sum(change.points for change in of_list),
        )
        for address, of_list in (
            (address, list(of_list))
            for address, of_list in groupby(changes, lambda change: _address(change.list))
        )
    ]
