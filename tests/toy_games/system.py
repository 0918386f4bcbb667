"""The toy league as a rating system: what the rest of the application may ask (ratings/federations/facet.py)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
from django.db.models import Q
from psycopg import sql

from ratings.federations.facet import Replay
from ratings.inputs.calculation_inputs import CalculationInputs
from ratings.inputs.held_rows import held_rows
from ratings.inputs.read_columns import read_columns
from ratings.inputs.register import register_of
from ratings.inputs.source_lists import source_figures
from ratings.inputs.starting_ratings import starting_ratings
from ratings.models import GameChanges, Pool, RatingList
from ratings.rules.columns import NO_DAY
from ratings.rules.days import day_number
from ratings.rules.scaled_numbers import MINUS, decimals, rounded, signed
from ratings.rules.values import AnomalyText, ChangeSummary, ExpectedChange, RuleText
from reporting.models import Entry, Game, Player, ResultSet
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.regulations.rulings import Ruling
from reporting.rules.report import ReadReport
from tests.toy_games import rules as league
from tests.toy_games.models import LeagueChange, LeagueListRow


class LeagueExplanation:
    """The rules of the toy league in words."""

    regulations = "League rules"
    articles: Mapping[str, str] = {
        "rating": "League rules art. 1; G1",
        "unchanged_rating": "League rules art. 1; G1",
    }
    texts: Mapping[str, RuleText] = {
        "closing": RuleText("Games reported by the closing date belong to the list"),
        "ranks": RuleText("Equal ratings share a rank"),
        "basis": RuleText("It is the list before", rulings=("G1",)),
    }
    rulings = (
        Ruling(
            "G1",
            "1",
            "A game changes a rating by 10 × (W − We), by the ratings of the list before.",
            ("points_a_game", "first_rating", "largest_difference"),
        ),
    )
    anomaly_kinds: Mapping[str, str] = {}
    method = None

    def parameter(self, rules: league.LeagueRules, name: str) -> tuple[str, str]:
        return name.replace("_", " ").capitalize(), str(getattr(rules, name))

    def anomaly_text(self, kind: str, subject: str, values: Mapping[str, Any]) -> AnomalyText:
        raise NotImplementedError(kind)

    def steps(
        self,
        rules: league.LeagueRules,
        change: LeagueChange,
        row: LeagueListRow,
        time_control: str,
        seconds: int | None,
    ) -> Sequence[league.Step]:
        expected = decimals(change.expected_e10, 10)
        working = f"{rules.points_a_game} × ({change.points / 2:g} {MINUS} {expected})"
        return [
            league.Step(
                "expected",
                "Expected score",
                f"{change.own_rating} against {change.opponent_rating}",
                expected,
                list_read=change.own_list,
            ),
            league.Step("change", "Change of the rating", working, signed(change.added_e10, 10)),
        ]

    def rating_steps(
        self, rules: league.LeagueRules, changes: Sequence[LeagueChange], row: LeagueListRow, carried: int
    ) -> Sequence[league.Step]:
        if not changes:
            return ()
        start, added = changes[0].own_rating, sum(change.added_e10 for change in changes)
        working = f"{start} {signed(added, 10)} = {decimals(start * league.E10 + added, 10)}"
        return [
            league.Step("start", "Rating before", "", str(start)),
            league.Step("sum", "Sum of the changes", "", signed(added, 10)),
            league.Step("new_rating", "New rating", working, str(row.rating)),
        ]

    def change_summary(self, change: GameChanges | None) -> ChangeSummary:
        values = {"games": change.games, "points": change.points} if change else {"games": 0}
        return ChangeSummary(values, "League rules art. 1; G1")

    def change_sentence(self, values: Mapping[str, Any]) -> str:
        if not values["games"]:
            return "no change: no counted game"
        return f"{values['points'] / 2:g} points in {values['games']} games"


OF_HOUSE, OF_FIDE = 1, 2
"""The places of the list before and of FIDE's newest among the lists of an input."""


def registered(inputs: CalculationInputs, players: Collection[int]) -> list[tuple[int, int, int, int]]:
    """Of these players key, number of the league and of FIDE, year of birth; 0 for none."""
    query = sql.SQL(
        "SELECT id, coalesce((numbers->>'league')::int, 0), coalesce((numbers->>'fide')::int, 0),"
        " coalesce(birth_year, 0) FROM {} record"
    ).format(register_of(inputs, players))
    return list(zip(*(column.tolist() for column in read_columns(query, 4, rising=1)), strict=True))


def newcomers(inputs: CalculationInputs, players: Sequence[int]) -> dict[int, tuple[int, int]]:
    """The rating at which players without one start, and the place of its list: FIDE's, else by the year of birth.

    0 is the rating of the edition, and the place of no list.
    """
    known = registered(inputs, players)
    by_year = dict(inputs.values)
    start = {player: (by_year.get(born, 0), 0) for player, *_, born in known}
    if inputs.sources:
        numbers = np.array([number for _, _, number, _ in known], dtype=np.int64)
        (of_fide,) = source_figures(inputs.sources[-1], numbers, "rating")
        start |= {
            player: (rating, OF_FIDE)
            for (player, *_), rating in zip(known, of_fide.tolist(), strict=True)
            if rating
        }
    return start


def earlier_result_sets(inputs: CalculationInputs) -> list[int]:
    """The result sets of earlier lists with games that may have waited."""
    return list(
        ResultSet.objects.filter(manifest_lines__in=[line for one in inputs.lists for line in one.manifest])
        .exclude(pk__in=inputs.tournaments)
        .values_list("pk", flat=True)
    )


def players_replaced(result_sets: Sequence[int]) -> dict[int | None, int]:
    """Number in the register → the player whom a substitute replaces in one of these result sets."""
    games = Game.objects.filter(result_set__in=result_sets)
    named = {number for pair in games.values_list("white_for", "black_for") for number in pair if number}
    return dict(Player.objects.filter(numbers__league__in=named).values_list("numbers__league", "pk"))


class LeagueSystem:
    """Every game of a player changes the rating."""

    code = "league"
    calendar = None
    declaration = league.DECLARATION
    row_model = LeagueListRow
    change_model = LeagueChange
    carries_corrections = False
    editions = (league.RULES,)
    explanation = LeagueExplanation()
    comparison = None
    recomputation = None
    opening_list = staticmethod(league.opening_list)
    arranged = staticmethod(league.arranged)
    check_rows = staticmethod(league.check_rows)

    def waiting_games(
        self, pool: Pool, player: Player, counted: Mapping[int, date]
    ) -> Mapping[int, date | None]:
        """Games without a point wait without end; a newcomer with a point is on a list."""
        if "league" not in player.numbers:
            return {}
        games = Game.objects.filter(Q(white__player=player) | Q(black__player=player), result_set__in=counted)
        return dict.fromkeys(games.values_list("pk", flat=True))

    def read_input(self, inputs: CalculationInputs, replay: Replay | None = None) -> league.LeagueInput:
        """With one edition a replay reads what was published."""
        persons = {merge.duplicate_id: merge.surviving_id for merge in inputs.merges}
        begun = starting_ratings(inputs)
        listed = {row.player_id: row for row in inputs.previous.rows}
        result_sets = [*inputs.tournaments, *earlier_result_sets(inputs)]
        entries = dict(Entry.objects.filter(result_set__in=result_sets).values_list("pk", "player_id"))
        of = {entry: persons.get(player, player) for entry, player in entries.items()}
        replaced = players_replaced(result_sets)
        of_list = {*listed, *of.values(), *begun.start, *replaced.values()}
        players = {
            player: league.Player(player, number, 0, 0, NO_DAY, born=born)
            for player, number, _, born in registered(inputs, of_list - set(persons))
        }
        for player, row in listed.items():
            own = players.get(persons.get(player, player))
            if own is None:
                continue
            own.last_game = max(own.last_game, day_number(row.last_game) if row.last_game else NO_DAY)
            if player in players:
                own.previous = row.rating
                if player not in begun.ends:
                    own.rating, own.games = row.rating, row.games
        for player, (rating, games) in begun.start.items():
            players[player] = replace(players[player], rating=rating, games=games)
        last_games = {row["player_id"]: row["last_game"] for row in held_rows(inputs.previous)}
        for merge in inputs.undone_merges():
            stood = begun.standing[merge.duplicate_id]
            shown = {row.player_id: row.last_game for row in stood.list.rows}
            shown |= {row["player_id"]: row["last_game"] for row in held_rows(stood.list)}
            last_games[merge.duplicate_id] = shown[merge.duplicate_id]
            if begun.resumed[merge.surviving_id] == stood.replaced:  # its own held row again
                players[merge.surviving_id].last_game = NO_DAY
                last_games[merge.surviving_id] = shown[merge.surviving_id]
        for record, day in last_games.items():
            player = persons.get(record, record)
            players[player].last_game = max(
                players[player].last_game, day_number(date.fromisoformat(str(day)))
            )
        for own in players.values():
            own.own_list = OF_HOUSE if own.rating else 0
        unrated = [pk for pk, own in players.items() if not own.rating]
        for player, (start, own_list) in newcomers(inputs, unrated).items():
            players[player].start, players[player].own_list = start, own_list
        for player, club in inputs.clubs_on(inputs.period.in_force).items():
            if player in players:
                players[player].club = club
        in_order = list(
            Game.objects.filter(result_set__in=result_sets)
            .select_related("result_set")
            .order_by("result_set__played_to", "result_set__number", "pk")
        )
        own_games = [game for game in in_order if game.result_set_id in inputs.tournaments]
        return league.LeagueInput(
            closing=inputs.period.closing,
            players=[players[player] for player in sorted(players)],
            games=[
                league.Game(
                    game.pk, game.result_set_id,
                    day_number(game.finished_on or game.started_on or game.result_set.counting_day),
                    replaced.get(game.white_for, of[game.white_id]),
                    replaced.get(game.black_for, of[game.black_id]),
                    game.white_points, game.black_points, game.result_set_id not in inputs.tournaments,
                )
                for game in in_order
                if game.played and game.white_id and game.black_id
            ],
            tournament_count=len(inputs.tournaments),
            game_count=len(own_games),
            lists=(
                "",
                f"{inputs.previous.address}/r{inputs.previous.revision}",
                *(source.address for source in inputs.sources[-1:]),
            ),
        )  # fmt: skip

    def expected_changes(
        self,
        basis: Sequence[RatingList],
        details: TournamentDetails,
        read: ReadReport,
        players: Mapping[int, Player | None],
        ratings: Mapping[int, int],
    ) -> dict[int, ExpectedChange]:
        on_list = {
            row.player_id: row.rating
            for row in basis[-1].rows.filter(player__in=[player.pk for player in players.values() if player])
        }
        own = {number: on_list.get(player.pk) if player else None for number, player in players.items()}
        start = {number: rating or league.RULES.first_rating for number, rating in own.items()}
        added = dict.fromkeys(players, 0)
        counted = dict.fromkeys(players, 0)
        for game in read.games:
            for player, opponent, points in (
                (game.white, game.black, game.white_points), (game.black, game.white, game.black_points),
            ):  # fmt: skip
                if game.played:
                    added[player] += league.RULES.added_e10(start[player], start[opponent], points)
                    counted[player] += 1
        after = {number: start[number] + rounded(added[number], 10, 0) for number in players}
        return {
            number: ExpectedChange(
                own=rating,
                rating=rating,
                games=counted[number],
                performance_e4=0,
                change=after[number] - rating if rating else None,
                after=after[number],
                provisional=rating is None,
            )
            for number, rating in own.items()
            if counted[number]
        }
