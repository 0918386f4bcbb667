"""All tie-breaks by key: name, article, direction, and how a column of it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np

from reporting.rules.standings import annex_5, fide, proposals, round_robin, teams
from reporting.rules.standings.cross_table import CrossTable, Integers
from reporting.rules.standings.exact import Column
from reporting.rules.standings.fide import Edition
from reporting.rules.standings.performance import performance
from reporting.rules.standings.unplayed import FACE_VALUE, IGNORE, OpponentScores, UnplayedMethod


@dataclass(frozen=True)
class Question:
    """What a tie-break is asked of: the games, and how the regulations of the tournament count.

    `groups` number the players by the classification so far, 0 for the best; equal players have equal numbers.
    """

    table: CrossTable
    method: UnplayedMethod = FACE_VALUE
    edition: Edition = Edition.E2026_03
    rating_differences_e2: Sequence[int] = ()
    groups: Integers = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    @cached_property
    def opponents(self) -> OpponentScores:
        """The scores of the opponents by the method for unplayed games."""
        return self.method.opponent_scores(self.table)


@dataclass(frozen=True)
class TieBreak:
    """A tie-break: `name` in plain English, the article it carries out, and its column.

    `ascending` is True where a low value is better. `face_value_only` says whether it is refused with a method for
    unplayed games other than face value (R60c), `of_group` whether it depends on who is tied, `teams_only` whether it
    needs the table of a team tournament.
    """

    key: str
    name: str
    article: str
    column: Callable[[Question], Column]
    ascending: bool = False
    face_value_only: bool = False
    of_group: bool = False
    teams_only: bool = False


def _annex_5(
    key: str,
    name: str,
    letter: str,
    column: Callable[[OpponentScores], Column],
    *,
    face_value_only: bool = False,
) -> TieBreak:
    return TieBreak(
        key,
        name,
        f"Annex 5 art. 3.1 {letter}",
        lambda question: column(question.opponents),
        face_value_only=face_value_only,
    )


def _ignoring(key: str, tie_break: TieBreak, column: Callable[[OpponentScores], Column]) -> TieBreak:
    """The tie-break, with its own formula where only games over the board count."""
    return TieBreak(
        key,
        tie_break.name,
        tie_break.article,
        lambda question: (
            column(question.opponents) if question.method is IGNORE else tie_break.column(question)
        ),
    )


def _of_table(
    key: str, name: str, article: str, column: Callable[[CrossTable], Column], *, ascending: bool = False
) -> TieBreak:
    return TieBreak(key, name, article, lambda question: column(question.table), ascending)


def _of_teams(key: str, name: str, article: str, column: Callable[[CrossTable], Column]) -> TieBreak:
    return TieBreak(key, name, article, lambda question: column(question.table), teams_only=True)


def _of_group(
    key: str,
    name: str,
    article: str,
    column: Callable[[CrossTable, Integers], Column],
    *,
    ascending: bool = False,
) -> TieBreak:
    return TieBreak(
        key, name, article, lambda question: column(question.table, question.groups), ascending, of_group=True
    )


def _of_edition(
    key: str, name: str, article: str, column: Callable[[CrossTable, Edition], Column]
) -> TieBreak:
    return TieBreak(key, name, article, lambda question: column(question.table, question.edition))


TIE_BREAKS: Mapping[str, TieBreak] = {
    tie_break.key: tie_break
    for tie_break in (
        _ignoring("solkoff", _annex_5("", "Solkoff", "a", annex_5.solkoff), proposals.ignore_solkoff),
        _ignoring(
            "median",
            _annex_5("", "Solkoff median", "b", annex_5.median),
            partial(proposals.ignore_solkoff, lowest=1, highest=1),
        ),
        _ignoring(
            "short",
            _annex_5("", "Short truncated Solkoff", "c", annex_5.short),
            partial(proposals.ignore_solkoff, lowest=1),
        ),
        _annex_5("full", "Full truncated Solkoff", "d", annex_5.full, face_value_only=True),
        _annex_5("plus", "Solkoff plus", "e", annex_5.plus, face_value_only=True),
        _annex_5("baliakin", "Solkoff Baliakin", "f", annex_5.baliakin, face_value_only=True),
        _ignoring(
            "sb",
            _annex_5("", "Sonneborn-Berger", "g", annex_5.sonneborn_berger),
            proposals.ignore_sonneborn_berger,
        ),
        _of_table("aro", "Average rating of opponents", "Annex 5 art. 3.1 h", annex_5.average_rating),
        TieBreak(
            "tpr",
            "Performance rating",
            "Annex 5 art. 3.1 i, App. D",
            lambda question: performance(question.table, question.rating_differences_e2),
        ),
        _of_table("wins", "Victories", "Annex 3 art. 5.11.1.2.1", round_robin.wins),
        _of_group("mutual", "Result between the tied players", "Annex 3 art. 5.11.1.2.1", round_robin.mutual),
        _of_group(
            "classification",
            "Results in the order of the classification",
            "Annex 3 art. 5.11.1.2.1",
            round_robin.classification,
        ),
        _of_group(
            "mutual-plus",
            "Result between the tied players, with plus draws",
            "Annex 17 art. 10",
            partial(round_robin.mutual, plus_draws=True),
        ),
        _of_group(
            "classification-plus",
            "Results in the order of the classification, with plus draws",
            "Annex 17 art. 10",
            partial(round_robin.classification, plus_draws=True),
        ),
        _of_group(
            "decided",
            "Tie-break games or lot of the tournament",
            "Annex 3 art. 5.10",
            round_robin.decided,
            ascending=True,
        ),
        _of_teams("individual", "Individual points", "Annex 3 art. 5.11.2.2.1", teams.individual),
        _of_teams("boards", "Points by boards", "Annex 3 art. 5.11.2.2.1", teams.boards),
        _of_table("own", "Own rating", "Annex 5 art. 3.1 j", annex_5.own_rating),
        _of_table("lot", "Lot", "Annex 5 art. 3.1 k", annex_5.lot, ascending=True),
        _of_table("sivakasi", "Sivakasi Buchholz", "Anantharam 2017", proposals.sivakasi),
        _of_table(
            "sivakasi-cut1",
            "Sivakasi Buchholz Cut-1",
            "Anantharam 2017",
            partial(proposals.sivakasi, cut=True),
        ),
        _of_table(
            "sivakasi-sb", "Sivakasi Sonneborn-Berger", "Anantharam 2017", proposals.sivakasi_sonneborn_berger
        ),
        _of_table("avb", "Average Buchholz", "Ucarcus 2014", proposals.average_buchholz),
        _of_table("aaso", "Average of average scores of opponents", "Vereshchagin 2017", proposals.aaso),
        _of_table(
            "aaso-cut1",
            "Average of average scores of opponents, Cut-1",
            "Vereshchagin 2017",
            partial(proposals.aaso, cut=True),
        ),
        _of_table(
            "aaso-sb",
            "Average of average scores, Sonneborn-Berger",
            "Vereshchagin 2017",
            proposals.aaso_sonneborn_berger,
        ),
        _of_edition("BH", "Buchholz", "C.07 art. 8.1", fide.buchholz),
        _of_edition("BH/C1", "Buchholz Cut-1", "C.07 art. 8.1, 14.1", partial(fide.buchholz, lowest=1)),
        _of_edition(
            "BH/M1", "Buchholz Median-1", "C.07 art. 8.1, 14.3", partial(fide.buchholz, lowest=1, highest=1)
        ),
        _of_edition("SB", "Sonneborn-Berger", "C.07 art. 9.1", fide.sonneborn_berger),
        _of_edition(
            "AOB", "Average of opponents' Buchholz", "C.07 art. 8.2", fide.average_opponents_buchholz
        ),
        _of_table("ARO", "Average rating of opponents", "C.07 art. 10.1", fide.average_rating),
        _of_table("TPR", "Tournament performance rating", "C.07 art. 10.2", fide.performance),
        _of_table("PTP", "Perfect tournament performance", "C.07 art. 10.3", fide.perfect_performance),
        _of_table(
            "APRO", "Average performance of opponents", "C.07 art. 10.4", fide.average_opponents_performance
        ),
        _of_group("DE", "Direct encounter", "C.07 art. 6", fide.direct_encounter, ascending=True),
        _of_table("WIN", "Number of wins", "C.07 art. 7.1", fide.wins),
        _of_table("WON", "Games won over the board", "C.07 art. 7.2", fide.games_won),
        _of_table("BPG", "Games played with black", "C.07 art. 7.3", fide.games_with_black),
        _of_table("PS", "Progressive scores", "C.07 art. 7.5", fide.progressive_score),
        _of_table("KS", "Koya system", "C.07 art. 9.2", fide.koya),
    )
}
"""The tie-breaks by key: those of the FMJD in lower case, those of FIDE in upper case (R50a)."""

DEFAULT_ROUND_ROBIN = ("wins", "mutual", "classification")
DEFAULT_WORLD_CHAMPIONSHIP = ("wins", "mutual-plus", "classification-plus")
"""Of a round robin that is a World Championship (Annex 17 art. 10; R52)."""
DEFAULT_SWISS = ("short", "plus", "baliakin", "full")
"""The order without regulations of the tournament (Annex 3 art. 5.11.1.2; R52)."""
DEFAULT_TEAMS = ("individual", "boards")
"""Of a round robin of teams (art. 5.11.2.2.1); in a Swiss teams are classified as players are."""

OF_ROUND_POINTS = frozenset(
    {"solkoff", "median", "short", "full", "plus", "baliakin", "sb", "aro", "own", "lot", "decided"}
    | {"wins", "mutual", "classification", "mutual-plus", "classification-plus", "individual", "boards"}
)
"""The tie-breaks that are defined where rounds have points of their own (Annex 3 art. 5.6a)."""
