"""The way such an office is usually written: one player after the other through the ORM.

Plain, readable Django: a query for each related object, a save for each row, a transaction for each player. It
writes the same figures with the same exact arithmetic; ranks and orders, which need all players at once, are left
out, which flatters it. It knows one list before, the opening list.
"""

from datetime import date
from typing import cast

import psycopg
from django.db import transaction
from django.db.models import Q
from psycopg import sql

from ratings.federations.fmjd.models import FmjdChange, FmjdListRow
from ratings.federations.fmjd.rules import tables
from ratings.federations.fmjd.rules.development import development_percentage
from ratings.federations.fmjd.rules.parameters import Parameters, edition_in_force
from ratings.models import Period, PlayerHistory, RatingList
from ratings.rules.days import years_before
from reporting.models import Entry, Game, Player, Round

CountedGame = tuple[Game, int, date]


class PlayerByPlayer:
    """Rates players of a frozen period one at a time, into a list of its own."""

    def __init__(self, period: Period, opening: RatingList, new: RatingList) -> None:
        self.period, self.opening, self.new = period, opening, new
        self.parameters: Parameters = edition_in_force(period.in_force)
        self.recent = years_before(period.closing, self.parameters.recent_years)
        self.long_ago = years_before(period.closing, self.parameters.inactive_years)

    @transaction.atomic
    def rate(self, player: Player, place: int) -> None:
        """Save a change for each tournament with a counted game, and the player's row, as number `place`."""
        before = FmjdListRow.objects.filter(list=self.opening, player=player).first()
        running = before.rating * tables.E4 if before else 0
        games, period_games, games_3_years = (before.games if before else 0), 0, 0
        last_game = before.last_game if before else None
        if before and before.last_game and before.last_game > self.recent:
            games_3_years = before.games_3_years
        sequence = 0
        entries = Entry.objects.filter(player=player, result_set__manifest_lines__period=self.period)
        for entry in entries.order_by("result_set__played_to", "result_set__number", "result_set__pk"):
            counted = self._counted_games(entry)
            if not counted:
                continue
            change = self._change(entry, counted, running, games)
            change.sequence = sequence
            change.save(force_insert=True)
            sequence += 1
            running = change.after_e4
            games += change.games
            period_games += change.games
            games_3_years += sum(day > self.recent for _, _, day in counted)
            last_game = max(filter(None, (last_game, change.last_game)))
        if before is None and not sequence:
            return
        rating = int(tables.published(running))
        reached = rating >= self.parameters.k_reached_rating or self._reached(player)
        active = self.parameters.active_games if rating >= self.parameters.active_rating else 0
        total = games >= (
            self.parameters.category_games_below
            if rating < self.parameters.category_rating
            else self.parameters.category_games_from
        )
        category = "C"
        if last_game and last_game > self.recent:
            category = "A" if total and games_3_years >= active else "B"
        elif last_game and last_game > self.long_ago and total:
            category = "B"
        FmjdListRow(
            list=self.new,
            position=place,
            name_position=place,
            player=player,
            register_number=player.numbers["fmjd"],
            name=player.printed_name,
            sort_name=player.sort_name,
            federation=next(
                member for member in player.memberships.all() if member.includes(self.period.closing)
            ).federation.code,
            sex=player.sex,
            birth_year=player.birth_year,
            title=player.titles.held_on(self.period.closing)
            .filter(discipline=self.period.pool.discipline)
            .values_list("title", flat=True)
            .first()
            or "",
            rating=rating,
            change=rating - before.rating if before else None,
            period_games=period_games,
            games=games,
            games_3_years=games_3_years,
            last_game=last_game,
            reached_2300=reached,
            category=category,
            rank=place,
        ).save(force_insert=True)

    def _reached(self, player: Player) -> bool:
        shown = PlayerHistory.objects.filter(player=player, rating__gte=self.parameters.k_reached_rating)
        opening = FmjdListRow.objects.filter(list=self.opening, player=player, reached_2300=True)
        return shown.exists() or opening.exists()

    def _counted_games(self, entry: Entry) -> list[CountedGame]:
        """Each game against a rated opponent, with the opponent's rating and the day."""
        found = []
        for game in Game.objects.filter(Q(white=entry) | Q(black=entry), played=True):
            opponent = game.black if game.white_id == entry.pk else game.white
            assert opponent is not None  # noqa: S101 - a game that was played has two players
            listed = FmjdListRow.objects.filter(list=self.opening, player=opponent.player).first()
            if listed:
                turn = Round.objects.get(result_set=entry.result_set, number=game.round)
                found.append((game, listed.rating, turn.played_on or entry.result_set.played_to))
        return found

    def _change(
        self, entry: Entry, counted: list[CountedGame], running: int, games_before: int
    ) -> FmjdChange:
        listed = FmjdListRow.objects.filter(list=self.opening, player=entry.player).first()
        played = Game.objects.filter(Q(white=entry) | Q(black=entry), played=True).count()
        number = len(counted)
        opponents = sum(rating for _, rating, _ in counted)
        points = sum(
            game.white_points if game.white_id == entry.pk else game.black_points for game, _, _ in counted
        )
        days = [day for _, _, day in counted]
        performance = int(tables.performance_e4(opponents, number, points))
        change = FmjdChange(
            list=self.new,
            player=entry.player,
            result_set=entry.result_set,
            basis_list=self.opening,
            before_e4=running or None,
            games_before=games_before,
            games=number,
            unrated_games=played - number,
            opponents_sum=opponents,
            average_e4=int(tables.average_e4(opponents, number)),
            points=points,
            first_game=min(days),
            last_game=max(days),
        )
        parameters = self.parameters
        if games_before < parameters.provisional_games:
            limits = parameters.minimum_performance, parameters.maximum_performance
            limited = int(tables.limited_performance_e4(performance, *limits))
            change.method = "provisional"
            change.own_e4, change.own_is_running = running or None, running > 0
            change.performance_e4, change.performance_limited = limited, limited != performance
            change.after_e4 = int(tables.provisional_e4(games_before, running, number, limited))
            return change
        own = listed.rating * tables.E4 if listed else running
        percentage = int(tables.expected_percentage_e4(own, opponents, number))
        score = int(tables.expected_score_e4(percentage, number))
        k = parameters.k_reached if self._reached(entry.player) else parameters.k_standard
        if games_before < parameters.k_new_games:
            k = parameters.k_new
        development = int(
            development_percentage(parameters, cast(int, entry.result_set.seconds_for_60_moves))
        )
        change.method = "change"
        change.own_e4, change.own_is_running = own, listed is None
        change.expected_percentage_e4, change.expected_score_e4 = percentage, score
        change.k, change.development = k, development
        change.delta_e4 = int(tables.change_e4(points, score, k, development))
        change.performance_e4, change.performance_limited = performance, False
        change.after_e4 = running + change.delta_e4
        return change


def open_list(owner: psycopg.Connection, period: Period, opening: RatingList) -> RatingList:
    """A list whose partitions take single rows from the worker, as an ordinary table would."""
    new = RatingList.objects.create(
        pool=period.pool, system=period.pool.system, in_force=period.in_force, closing=period.closing, revision=0,
        is_opening=True, edition=opening.edition, input_sha256="", previous=opening,
    )  # fmt: skip
    for parent in ("fmjd_listrow", "fmjd_change"):
        names = {"parent": sql.Identifier(parent), "child": sql.Identifier(f"{parent}_{new.pk}"),
                 "list": sql.Literal(new.pk), "guard": sql.Identifier(f"{parent}_immutable")}  # fmt: skip
        for command in (
            "CREATE TABLE {child} PARTITION OF {parent} FOR VALUES IN ({list})",
            "ALTER TABLE {child} DISABLE TRIGGER {guard}",
            "GRANT INSERT ON {parent} TO app_worker",
        ):
            owner.execute(sql.SQL(command).format(**names))
    owner.commit()
    return new


def clear(owner: psycopg.Connection, new: RatingList) -> None:
    for parent in ("fmjd_listrow", "fmjd_change"):
        owner.execute(sql.SQL("TRUNCATE {}").format(sql.Identifier(f"{parent}_{new.pk}")))
    owner.commit()
