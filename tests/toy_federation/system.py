"""The toy federation as a rating system: what the rest of the application may ask (ratings/federations/facet.py)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from ratings.federations.facet import Replay
from ratings.inputs.calculation_inputs import CalculationInputs
from ratings.inputs.starting_ratings import starting_ratings
from ratings.models import PlayerHistory, RatingList
from ratings.rules.columns import NO_DAY
from ratings.rules.days import day_number
from ratings.rules.running_values import check_running_values
from ratings.rules.scaled_numbers import E4, MINUS
from ratings.rules.values import AnomalyText, ChangeSummary, ExpectedChange, RuleText
from reporting.models import Entry, Game, Player
from reporting.rules.details.tournament_details import TournamentDetails
from reporting.rules.regulations.rulings import Ruling
from reporting.rules.report import ReadReport
from tests.toy_federation import rules as toy
from tests.toy_federation.models import ToyChange, ToyListRow


class ToyExplanation:
    """The rules of the toy federation in words."""

    regulations = "Toy rules"
    articles: Mapping[str, str] = {
        "person": "Toy rules art. 2",
        "tournament": "Toy rules art. 3",
        "result": "Toy rules art. 3",
        "rating": "Toy rules art. 1; T1",
        "unchanged_rating": "Toy rules art. 1; T1",
        "closing": "art. 4; T1",
    }
    texts: Mapping[str, RuleText] = {
        "closing": RuleText(
            "Reports whose last game or registration is by the closing date belong to the list"
        ),
        "ranks": RuleText("Equal ratings share a rank"),
        "basis": RuleText("It is the list before", rulings=("T1",)),
        "provisional": RuleText("first result"),
        "provisional_rating": RuleText("first result: no rating on the list before"),
    }
    rulings = (
        Ruling(
            "T1",
            "1",
            "A half point over a draw is 5 points, a half point below it costs 5.",
            ("points_per_half",),
        ),
        Ruling("T2", "2", "A game counts for a year from the day of its result.", ("days_counted",)),
    )
    anomaly_kinds: Mapping[str, str] = {"high": "High rating"}
    method = None

    def parameter(self, rules: toy.ToyRules, name: str) -> tuple[str, str]:
        return name.replace("_", " ").capitalize(), str(getattr(rules, name))

    def anomaly_text(self, kind: str, subject: str, values: Mapping[str, Any]) -> AnomalyText:
        note = RuleText(f"Ratings over {toy.HIGH} are looked at", rulings=("T1",))
        return AnomalyText(f"{subject} has {values['rating']}", (note,))

    def steps(
        self,
        rules: toy.ToyRules,
        change: ToyChange,
        row: PlayerHistory,
        time_control: str,
        seconds: int | None,
    ) -> Sequence[toy.Step]:
        start = rules.first_rating if change.before_e4 is None else change.before_e4 // E4
        sign = MINUS if change.halves_over < 0 else "+"
        working = f"{start} {sign} {rules.points_per_half} × {abs(change.halves_over)}"
        return [toy.Step("after", "Rating after the tournament", working, str(change.after_e4 // E4))]

    def rating_steps(
        self, rules: toy.ToyRules, changes: Sequence[ToyChange], row: PlayerHistory, carried: int
    ) -> Sequence[toy.Step]:
        steps = [f"{change.after_e4 // E4}" for change in changes] + ([f"{carried:+}"] if carried else [])
        return [toy.Step("new_rating", "New rating", " → ".join(steps), str(row.rating))] if steps else []

    def change_summary(self, change: ToyChange | None) -> ChangeSummary:
        if change is None:
            return ChangeSummary({"games": 0}, "Toy rules art. 1; T1")
        values = {"games": change.games, "halves_over": change.halves_over, "after_e4": change.after_e4}
        return ChangeSummary(values, "Toy rules art. 1; T1")

    def change_sentence(self, values: Mapping[str, Any]) -> str:
        if not values["games"]:
            return "no change: no counted game"
        return f"{values['halves_over']:+} half points over a draw in {values['games']} games"


class ToySystem:
    """A rating moves by 5 points for each half point over a draw."""

    code = "toy"
    calendar = toy.ToyCalendar()
    declaration = toy.DECLARATION
    row_model = ToyListRow
    change_model = ToyChange
    carries_corrections = True
    editions = (toy.RULES,)
    explanation = ToyExplanation()
    comparison = None
    recomputation = None
    opening_list = staticmethod(toy.opening_list)
    arranged = staticmethod(toy.arranged)
    check_rows = staticmethod(check_running_values)

    def waiting_games(self, *_: Any) -> Mapping[int, date | None]:
        return {}

    def read_input(self, inputs: CalculationInputs, replay: Replay | None = None) -> toy.ToyInput:
        """Seven queries, and those of `starting_ratings`. With one edition a replay reads what was published."""
        persons = {merge.duplicate_id: merge.surviving_id for merge in inputs.merges}
        begun = starting_ratings(inputs)
        listed = {row.player_id: row for row in inputs.previous.rows}
        entries = dict(Entry.objects.filter(result_set__in=inputs.tournaments).values_list("pk", "player_id"))
        of = {entry: persons.get(player, player) for entry, player in entries.items()}
        wanted = {*listed, *of.values(), *begun.start, *(one.player for one in begun.differences)}
        players = {
            player: toy.Player(player, number or 0, 0, 0, NO_DAY)
            for player, number in Player.objects.filter(pk__in=wanted - set(persons)).values_list(
                "pk", "numbers__toy"
            )
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
        for difference in begun.differences:
            players[difference.player].rating += difference.rating
            players[difference.player].games += difference.games
        games = Game.objects.filter(result_set__in=inputs.tournaments).select_related("result_set")
        in_order = list(
            games.order_by("result_set__played_to", "result_set__number", "round", "white_id", "pk")
        )
        return toy.ToyInput(
            closing=inputs.period.closing,
            basis=inputs.previous.pk,
            players=[players[player] for player in sorted(players)],
            rated=frozenset(persons.get(player, player) for player in listed),
            games=[
                toy.Game(
                    game.result_set_id, day_number(game.finished_on or game.result_set.played_to),
                    of[game.white_id], of[game.black_id], game.white_points, game.black_points,
                )
                for game in in_order
                if game.played and game.white_id and game.black_id
            ],
            tournament_count=len(inputs.tournaments),
            game_count=len(in_order),
            differences=tuple(begun.differences),
        )  # fmt: skip

    def expected_changes(
        self,
        basis: Sequence[RatingList],
        details: TournamentDetails,
        read: ReadReport,
        players: Mapping[int, Player | None],
        ratings: Mapping[int, int],
    ) -> dict[int, ExpectedChange]:
        listed = {
            row.player_id: row
            for row in basis[-1].rows.filter(player__in=[player.pk for player in players.values() if player])
        }
        rows = {number: listed.get(player.pk) if player else None for number, player in players.items()}
        over = dict.fromkeys(players, 0)
        counted = dict.fromkeys(players, 0)
        for game in read.games:
            for own, opponent, points in (
                (game.white, game.black, game.white_points), (game.black, game.white, game.black_points),
            ):  # fmt: skip
                if game.played and rows.get(opponent) is not None:
                    over[own] += points - 1
                    counted[own] += 1
        return {
            number: ExpectedChange(
                own=row.rating if row else None,
                rating=row.rating if row else None,
                games=counted[number],
                performance_e4=0,
                change=5 * over[number] if row else None,
                after=(row.rating if row else toy.RULES.first_rating) + 5 * over[number],
                provisional=row is None,
            )
            for number, row in rows.items()
            if counted[number]
        }
