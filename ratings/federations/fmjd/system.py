"""Annex 9 as a rating system: what the rest of the application may ask (ratings/federations/facet.py)."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

from django.utils.translation import gettext

from ratings.federations.facet import AnomalyText, ChangeSummary, ExpectedChange, PageNote, Place, Replay
from ratings.federations.fmjd.expected import expected_changes
from ratings.federations.fmjd.inputs import EngineInput, read_engine_input
from ratings.federations.fmjd.labels import (
    ANOMALY_LABELS,
    PARAMETER_LABELS,
    anomaly_text,
    change_sentence,
    page_notes,
    parameter_text,
    rating_goal,
)
from ratings.federations.fmjd.method import FmjdMethod
from ratings.federations.fmjd.models import DECLARATION, FmjdChange, FmjdListRow
from ratings.federations.fmjd.recompute import load, recompute
from ratings.federations.fmjd.rules.edition import RULES, FmjdCalendar, FmjdRules, rules_on
from ratings.inputs.calculation_inputs import CalculationInputs
from ratings.models import RatingList
from reporting.models import Player
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.report import ReadReport
from reporting.rules.rulings import Ruling, read_rulings


class FmjdSystem:
    """The ratings of the FMJD: per tournament, in quarters."""

    code = "fmjd"
    regulations = "Annex 9"
    articles: Mapping[str, str] = {
        "person": "Annex 9 art. 4, 5.1, 11; R21",
        "tournament": "Annex 9 art. 1.2, 4.1; R6, R10",
        "result": "Annex 9 art. 4, 11; R20",
        "announcement": "Annex 9 art. 1.2.1.3; R11",
        "closing": "R11",
        "late": "R11",
        "merge": "R24",
        "official": "R13",
        "tempo": "Annex 9 art. 1.2.2; R6",
        "order": "R5",
        "basis": "R8",
    }
    anomaly_kinds: Mapping[str, str] = ANOMALY_LABELS
    calendar = FmjdCalendar()
    declaration = DECLARATION
    row_model = FmjdListRow
    change_model = FmjdChange
    editions = RULES
    method = FmjdMethod()
    recompute_program = Path(__file__).with_name("recompute.py")
    opening_columns: Mapping[str, type[int] | type[bool]] = {"reached_2300": bool, "games_3_years": int}

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        return read_rulings(Path(__file__).with_name("rulings.toml"))

    @property
    def provisional_label(self) -> str:
        return gettext("provisional")

    def anomaly_text(self, kind: str, player: str, values: Mapping[str, int]) -> AnomalyText:
        return anomaly_text(kind, player, values)

    def rules_on(self, day: date) -> FmjdRules:
        return rules_on(day)

    def parameter(self, rules: FmjdRules, name: str) -> tuple[str, str]:
        return str(PARAMETER_LABELS[name]), parameter_text(rules.numbers[name], name)

    def page_notes(self, place: Place, rules: FmjdRules, *, seconds: int = 0) -> Sequence[PageNote]:
        return page_notes(place, rules.parameters, seconds)

    def rating_goal(self, rules: FmjdRules) -> tuple[int, str]:
        return rating_goal(rules.parameters)

    def change_summary(self, change: FmjdChange | None) -> ChangeSummary:
        if change is None:
            return ChangeSummary({"games": 0}, "Annex 9 art. 5.2, 5.3; R8")
        names = ("delta_e4", "performance_e4", "points", "games", "average_e4", "after_e4")
        return ChangeSummary(
            {name: getattr(change, name) for name in names},
            "Annex 9 art. 3.1, 3.3.2; R4, R7, R8"
            if change.delta_e4 is None
            else "Annex 9 art. 3.2; R2, R3, R5, R6, R8",
        )

    def change_sentence(self, values: Mapping[str, Any]) -> str:
        return change_sentence(values)

    def rating_article(self, *, has_games: bool) -> str:
        return "Annex 9 art. 3.3.1, 6.2; R9" if has_games else "Annex 9 art. 5.2, 5.3; R8"

    def read_input(self, inputs: CalculationInputs, replay: Replay | None = None) -> EngineInput:
        return read_engine_input(inputs, replay)

    def recompute(self, address: str, get: Callable[[str], bytes | None]) -> Sequence[str]:
        return recompute(load(f"/lists/{address}", get), only=address).different

    def expected_changes(
        self,
        lists: Sequence[RatingList],
        details: TournamentDetails,
        read: ReadReport,
        players: Mapping[int, Player | None],
    ) -> dict[int, ExpectedChange]:
        return expected_changes(lists, details, read, players)
