"""The titles of the toy federation (titles/federations/facet.py): who wins all games, two at least, has a norm.

Two norms give the title of toy master (TM), which asks no rating. No game can be ignored, and nothing is near a norm.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

import numpy as np
from django.utils.translation import gettext_lazy

from ratings.federations.registry import MoreRulings
from ratings.inputs.result_columns import ResultColumns
from reporting.models import Entry, Game, ResultSet, Sex
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.sentences import Plural
from titles.federations.facet import (
    FOUND,
    NO_GAME,
    RESULT,
    AwardedTitle,
    Entrant,
    Evidence,
    ForecastRow,
    FoundColumns,
    FoundNorm,
    NormSearch,
    OpponentColumns,
    SearchedColumns,
    TitleTexts,
)
from titles.models import Norm
from titles.rules.forecast import PointsNeeded
from titles.rules.ledger import Award, LedgerNorm, Share, TitleLedger
from titles.rules.requirement import Condition, Requirement, Statement

NORMS_ASKED = 2
TITLE = 0


class ToySearch(NormSearch):
    def by_result(self, participation: int, title: str) -> FoundNorm:
        (conditions,) = self.asked
        won = conditions[0].found["won"][participation]
        games = conditions[0].asks["games"][participation]
        return FoundNorm(
            participation, title, Norm.Kind.RESULT, Norm.Origin.CLAIMED, "", int(games),
            Evidence(0, 0, 2 * int(games), 2 * int(won), int(games)), None, conditions, participation,
        )  # fmt: skip

    def examined(self, participation: int) -> Iterator[FoundNorm]:
        yield self.by_result(participation, "TM")


class ToyTitleEdition:
    id = "toy-titles"
    least_rounds = 1
    least_games = 2
    unrated_text = ""
    titles_by_rating = ()
    titles_by_result = ("TM",)
    points_source = ""

    def find_norms(self, *, results: ResultColumns, persons: Mapping[int, int], **_: Any) -> ToySearch:
        found = list(ResultSet.objects.filter(pk__in=results.result_sets).order_by("pk"))
        rows = {tournament.pk: row for row, tournament in enumerate(found)}
        entries = list(
            Entry.objects.filter(result_set__in=results.result_sets).select_related("player").order_by("pk")
        )
        people = {entry.pk: row for row, entry in enumerate(entries)}
        player = np.array([persons.get(entry.player_id, entry.player_id) for entry in entries], np.int64)
        games = list(
            Game.objects.filter(result_set__in=results.result_sets, played=True)
            .exclude(white=None)
            .exclude(black=None)
        )
        met = np.array(
            [
                (people[mine], row, people[other], points)
                for row, game in enumerate(games)
                for mine, other, points in (
                    (game.white_id, game.black_id, game.white_points),
                    (game.black_id, game.white_id, game.black_points),
                )
            ],
            np.int64,
        ).reshape(-1, 4)
        played = np.bincount(met[:, 0], minlength=len(entries))
        won = np.bincount(met[met[:, 3] == 2, 0], minlength=len(entries))
        condition = Condition(
            "toy.won", "9", (won == played) & (played >= self.least_games), {"games": played}, {"won": won}
        )
        row = np.flatnonzero(condition.met)
        nothing = np.zeros_like(met[:, 0])
        none = np.zeros_like(row)
        return ToySearch(
            edition=self,
            titles=("TM",),
            colours=("",),
            categories=ToyTitleRules.categories,
            tournaments=np.array([tournament.pk for tournament in found], np.int64),
            disciplines=[tournament.discipline for tournament in found],
            people=SearchedColumns(
                entry=np.array(list(people), np.int64),
                tournament=np.array([rows[entry.result_set_id] for entry in entries], np.int64),
                player=player,
                is_woman=np.array([entry.player.sex == Sex.WOMAN for entry in entries], bool),
                counts_on_ladders=np.zeros(len(entries), bool),
            ),
            games=np.array([game.pk for game in games], np.int64),
            opponents=OpponentColumns(
                met[:, 0], met[:, 1], player[met[:, 2]], met[:, 3], nothing, nothing, nothing
            ),
            federations={},
            columns=FoundColumns(
                participation=row,
                title=none + TITLE,
                kind=none + RESULT,
                origin=none + FOUND,
                colour=none,
                games=played[row],
                points_scored=2 * won[row],
                points_asked=2 * played[row],
                average_rating=none,
                category=none,
                ignored_game=none + NO_GAME,
                asked=none,
                group=row,
            ),
            asked=((condition,),),
        )

    def ledger(
        self,
        norms: Iterable[LedgerNorm],
        awards: Iterable[Award],
        highest_rating: int,
        games: int,
        *,
        woman: bool,
    ) -> Sequence[TitleLedger]:
        if list(awards):
            return ()
        mine = tuple(sorted(norms))
        share = Share(TITLE, mine, max(NORMS_ASKED - len(mine), 0))
        asked, found = (Statement("ledger.norms", {"norms": number}) for number in (NORMS_ASKED, len(mine)))
        return [TitleLedger(TITLE, share, (), (Requirement("10", asked, found, not share.norms_missing),))]

    def spare_norms_needed(
        self,
        norms: Iterable[LedgerNorm],
        spare: Collection[LedgerNorm],
        awards: Iterable[Award],
        *,
        woman: bool,
    ) -> frozenset[LedgerNorm]:
        return frozenset()

    def forecast(self, entrants: Sequence[Entrant], *_: Any) -> list[ForecastRow]:
        return [ForecastRow(entrant, 0, ()) for entrant in entrants]

    def points_needed(self, title: str, games: int, ratings: Sequence[int]) -> Sequence[PointsNeeded]:
        return (PointsNeeded("", 0, 2 * games, 0, is_reached=True),)


class ToyTitleRules:
    system = "toy"
    tempo = "any"
    titles = (AwardedTitle("TM", 1),)
    colours = ()
    categories = ("",)
    texts = TitleTexts(
        asks={
            "toy.won": "{games} games won, all that were played",
            "ledger.norms": Plural("{norms} norm", "{norms} norms", "norms"),
        },
        found={"toy.won": "{won} won", "ledger.norms": "{norms}"},
        lacks={},
        counts={"ledger.norms": Plural("{norms} norm", "{norms} norms", "norms")},
        words={},
        pages={"one_title": "A norm counts for the toy master (toy 10)."},
    )
    forecast_details: Mapping[str, str] = {}
    rulings = MoreRulings(gettext_lazy("Rulings on norms and titles"), ())

    def edition_on(self, day: date) -> ToyTitleEdition:
        return ToyTitleEdition()

    def is_covered(self, title: Any, is_title: Any, levels: Mapping[str, Any]) -> Any:
        """Whether the title is held; there is one ladder."""
        return title + 1 <= levels[""]

    def decisive_places(self, details: TournamentDetails, participants: int) -> frozenset[int]:
        return frozenset()

    def reference_pages(self, print_rulings: Any) -> Mapping[str, str]:
        return {}
