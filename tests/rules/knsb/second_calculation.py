"""A KNSB list calculated a second time, straight from the regulation and rulings R80 to R84f, player by player.

Articles 2, 5, 7 to 13. Nothing of the engine is used but the names of its columns.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from decimal import Decimal, localcontext
from fractions import Fraction

from ratings.federations.knsb.rules.columns import SOURCES
from ratings.rules.columns import NO_DAY
from tests.rules.knsb.second_ratings import (
    DIGITS,
    E10,
    KLASSIEK,
    RAPID,
    SecondRatings,
    as_date,
    as_day,
    expected_e10,
    half_up,
    months_later,
    performance,
    records,
)

CLUBS = range(10_000, 200_000)
LISTED_KINDS = (CLUBS, range(260_000, 270_000), range(280_001, 280_003), range(290_001, 290_002))


class SecondCalculation(SecondRatings):
    """One list: `rows`, `held` and `changes` are dictionaries by player, of a row each and of a list of changes."""

    def __init__(self, columns):
        super().__init__(columns)
        self.bonus = dict(columns.bonus)
        self.has_memberships = columns.memberships is not None
        self.memberships = defaultdict(list)
        for row in records(columns.memberships) if self.has_memberships else ():
            self.memberships[row["player"]].append(row)
        self.rows, self.held, self.changes = {}, {}, {}
        for player in self.players:
            self.calculate(player)
        for row in self.rows.values():
            others = self.rows.values()
            row["rank"] = 1 + sum(other["rating"] > row["rating"] for other in others)
            row["position"] = row["rank"] + sum(
                other["rating"] == row["rating"] and other["register_number"] < row["register_number"]
                for other in others
            )

    def is_processed(self, game, player):
        """12.2 and 13 (R84e, R84f), by the list that the game's report belongs to."""
        event = game["tournament"]
        if event["is_abroad"] and (not event["is_fide_processed"] or self.players[player]["is_foreign"]):
            self.met("12.2 abroad, not processed")
            return False
        if event["is_admitted"]:
            self.met("13 admitted")
            return True
        if months_later(event["in_force"], -3) <= game["day"] < event["in_force"]:
            return True
        self.met("13 too old or not before the list")
        return False

    def processed_games(self, player):
        """The player's games of this and of earlier lists whose R_c is determined (R81c), in their order (R82a)."""
        games = []
        for game in self.games_of_player[player]:
            if self.is_processed(game, player):
                opponent, points = self.other_side(game, player)
                rating = self.opponent_rating(game, opponent)
                if rating:
                    games.append({**game, "opponent": opponent, "points": points, "r_c": rating})
        return sorted(games, key=self.place_of)

    @staticmethod
    def place_of(game):
        """R82a: where a game is among those of a player."""
        tournament = game["tournament"]
        return (
            game["calculation_day"], tournament["number"], tournament["part"], game["round"], game["line"],
        )  # fmt: skip

    def memberships_on_the_day(self, player):
        """Those of the day of the list, of every kind."""
        return [
            membership
            for membership in self.memberships[player]
            if membership["first_day"] <= self.in_force <= membership["last_day"]
        ]

    def is_listed_member(self, player):
        """11.2, R84b: a member of a listed kind on the day, or one who left a club not too long ago."""
        if not self.has_memberships:
            return True
        if any(
            membership["club"] in kind
            for membership in self.memberships_on_the_day(player)
            for kind in LISTED_KINDS
        ):
            return True
        for membership in self.memberships[player]:
            if membership["club"] in CLUBS and membership["last_day"] < self.in_force:
                left = as_date(membership["last_day"])
                october = left.year if left.month >= 10 else left.year - 1
                if as_date(self.in_force) < date(october + 1, 11, 1):
                    self.met("11.2 left a club after 1 October")
                    return True
        return False

    def has_lapsed(self, player, last_game):
        """Art. 10 and 10.1, R84a, decision 0186."""
        if not self.has_memberships:
            return False
        today = as_date(self.in_force)
        october = as_day(date(today.year - (1 if today.month >= 10 else 2), 10, 1))
        if self.players[player]["is_foreign"] and not any(
            membership["last_day"] >= october and membership["first_day"] <= self.in_force
            for membership in self.memberships[player]
        ):
            self.met("10 foreigner lapses")
            return True
        if self.tempo == KLASSIEK or not self.is_youth(player, self.in_force):
            return False
        if self.memberships_on_the_day(player) or last_game >= months_later(self.in_force, -36):
            return False
        self.met("10.1 youth lapses")
        return True

    def has_six_games(self, player, processed):
        """11.2, R84c: in the 24 months before the list, in all tempos."""
        since = months_later(self.in_force, -24)
        own = sum(game["calculation_day"] >= since for game in processed)
        elsewhere = self.players[player]["games_elsewhere"]
        if own < 6 <= own + elsewhere:
            self.met("11.2 six games with those of other tempos")
        return own + elsewhere >= 6

    def games_that_count(self, player, processed, valid):
        """Those of this list and, for a player who waited, of earlier ones while they wait (5.2, R81b)."""
        since = months_later(self.in_force, -24 if self.tempo == KLASSIEK else -12)
        waited = valid is None and not self.players[player]["was_published"]
        return [
            game
            for game in processed
            if game["tournament"]["in_force"] == self.in_force
            or (waited and game["calculation_day"] >= since)
        ]

    def calculate(self, player):
        """Articles 10 and 11: puts the player's row, or held row, and changes where they belong."""
        record = self.players[player]
        before = self.rows_of_lists.get((self.newest_list(self.tempo, self.previous_day), player))
        valid = self.valid_rating(player, self.in_force - 1)
        processed = self.processed_games(player)
        games = self.games_that_count(player, processed, valid)
        last_game = max([game["day"] for game in games] + [before["last_game"] if before else NO_DAY])
        if not record["register_number"]:
            self.met("11.1 no number")
            return
        if not record["was_published"] and not self.has_six_games(player, processed):
            self.met("11.2 fewer than six games")
            return
        if (before is None and not games) or self.has_lapsed(player, last_game):
            return
        row, changes = self.row(player, valid, games)
        row |= {
            "player": player,
            "register_number": record["register_number"],
            "previous": record["previous"],
            "change": row["rating"] - record["previous"] if record["previous"] else 0,
            "period_games": len(games),
            "games": len(games) + (before["games"] if before else 0),
            "last_game_day": last_game,
            "n_v": self.new_n_v(row["r_i_from"], row.pop("n_v_before"), len(games), last_game),
            "title": record["title"],
            "club": next((membership["club"] for membership in self.memberships_on_the_day(player)), 0),
        }
        if self.is_listed_member(player):
            if any(change["waited"] for change in changes):
                self.met("5.2 waiting games count")
            self.rows[player], self.changes[player] = row, changes
        elif before is None:
            self.met("11.2 no member: on no list")
        else:
            self.met("11.2 held with games" if games else "11.2 held")
            names = ("player", "register_number", "rating", "games", "last_game_day", "n_v")
            self.held[player] = {name: row[name] for name in names}

    def row(self, player, valid, games):
        """Art. 9 in the order of R82: what the row has of the rating; and the changes."""
        if not games:  # R82b
            self.met("9 no games")
            r_i = self.rating_on(self.newest_list(self.tempo, self.previous_day), player)
        elif valid is None:
            self.met("8 R_i is the start rating")
            r_i = self.start_rating(games)
        else:
            r_i = valid
        changes = self.changes_of(player, valid, games)
        r_tt = sum(change["added_e10"] for change in changes)
        figure, limit, lpr = r_i["rating"] * E10, 0, 0
        if games:
            lpr = self.lpr_e3(changes)
            figure, limit = self.limited(figure, r_tt, lpr * 10**7)
        bonus = self.bonus_of(player, figure)
        figure += bonus
        least = 400 if self.tempo == RAPID and self.is_youth(player, self.in_force) else 1200
        limit += 4 * (bonus > 0)
        if figure < least * E10:
            self.met(f"2 minimum {least}")
            figure = least * E10
            limit += 8
        row = {
            "rating": half_up(Fraction(figure, E10)), "n_v_before": r_i["n_v"], "r_i": r_i["rating"],
            "r_i_from": r_i["source"], "r_i_list": r_i["list"], "sum_e10": r_tt,
            "bonus_e4": half_up(Fraction(bonus, 10**6)), "lpr_e3": lpr, "limit": limit,
        }  # fmt: skip
        return row, changes

    def start_rating(self, games):
        """5.1 b, R81c: over games, whole, without a minimum; N_v 1 (R81a)."""
        mean = Fraction(sum(game["r_c"]["rating"] for game in games), len(games))
        score = Fraction(sum(game["points"] for game in games), 2)
        start = half_up(mean + 400 * (2 * score / len(games) - 1))
        return {"rating": start, "source": SOURCES.index("5.1b"), "list": 0, "n_v": Fraction(1)}

    def own_rating(self, player, day, valid, games):
        """R_o: art. 4, else 5.1."""
        own = self.valid_rating(player, day)
        if own:
            return own
        if valid:
            self.met("5.1 a")
            return {**valid, "source": SOURCES.index("5.1a"), "n_v": Fraction(1)}
        self.met("5.1 b")
        return self.start_rating(games)

    def factor_e6(self, player, own, game, *, is_negative):
        """Art. 7 and 7.1, R81 to R81e, R81h. `is_negative`: W − We < 0."""
        day, rating = game["calculation_day"], own["rating"]
        is_youth = self.is_youth(player, day)
        group = "youth" if is_youth else "adult"
        games, most, divisor = (30, 40, 10) if is_youth else (75, 25, 20)
        if own["n_v"] < games:
            self.met(f"7 {group}, few games")
            with localcontext(prec=DIGITS):
                k = Fraction(216 / (Decimal(own["n_v"].numerator) / own["n_v"].denominator).sqrt())
        elif rating <= 2100:
            self.met(f"7 {group}, up to 2100")
            k = Fraction(most)
        elif rating < 2400:
            self.met(f"7 {group}, between 2100 and 2400")
            k = most - Fraction(rating - 2100, divisor)
        else:
            self.met(f"7 {group}, from 2400")
            k = Fraction(10)
        if not is_youth and is_negative and self.is_youth(game["opponent"], day) and game["r_c"]["n_v"] < 100:
            self.met("7.1 halved")
            k /= 2
        return half_up(k * 10**6)

    def changes_of(self, player, valid, games):
        """Art. 2 and 9: a row each game."""
        changes = []
        for sequence, game in enumerate(games):
            own = self.own_rating(player, game["calculation_day"], valid, games)
            expected = expected_e10(own["rating"] - game["r_c"]["rating"])
            surplus = game["points"] * E10 // 2 - expected
            k_e6 = self.factor_e6(player, own, game, is_negative=surplus < 0)
            added = half_up(Fraction(abs(surplus) * k_e6, 10**6))
            changes.append(
                {
                    "player": player,
                    "sequence": sequence,
                    "tournament": game["tournament"]["result_set"],
                    "game": game["game"], "opponent": game["opponent"], "black": int(player == game["black"]),
                    "games": 1, "points": game["points"], "first_day": game["day"], "last_day": game["day"],
                    "calculation_day": game["calculation_day"], "own": own["rating"], "own_from": own["source"],
                    "own_list": own["list"], "opponent_rating": game["r_c"]["rating"],
                    "opponent_from": game["r_c"]["source"], "opponent_list": game["r_c"]["list"],
                    "n_v_e4": half_up(own["n_v"] * 10**4), "k_e6": k_e6, "expected_e10": expected,
                    "added_e10": added if surplus >= 0 else -added,
                    "waited": int(game["tournament"]["in_force"] < self.in_force),
                }
            )  # fmt: skip
        return changes

    def lpr_e3(self, changes):
        """9.2, R82a: with one draw against R_o of the last game at 0 or 100 %."""
        games = [(change["opponent_rating"], change["points"]) for change in changes]
        draws = []
        if sum(points for _, points in games) in (0, 2 * len(games)):
            self.met("9.2 0 or 100 %")
            draws = [changes[-1]["own"]]
        return performance(games, draws, 1000)

    def limited(self, r_i, r_tt, lpr):
        """9.2.1, then 9.2.2; all times 10¹⁰. The figure, and 1 or 2 where one of the articles changed it."""
        figure, twenty = r_i + r_tt, 20 * E10
        if r_tt > 0 and r_i < lpr:
            article, bit, limited = "9.2.1 rising", 1, min(figure, lpr + twenty)
        elif r_tt < 0 and r_i > lpr:
            article, bit, limited = "9.2.1 falling", 1, max(figure, lpr - twenty)
        elif r_tt == 0:
            article, bit, limited = "9.2 no change", 0, figure
        else:
            article, bit = ("9.2.1 equal", 1) if r_i == lpr else ("9.2.2", 2)
            limited = min(max(figure, r_i - twenty), r_i + twenty)
        self.met(f"{article}, {'inside' if limited == figure else 'cut'}")
        return limited, bit * (limited != figure)

    def bonus_of(self, player, figure):
        """9.1, times 10¹⁰: points by age, to no more than 1750."""
        points = self.bonus.get(self.age(player, self.in_force), 0)
        if not points or not self.is_youth(player, self.in_force) or figure >= 1750 * E10:
            return 0
        bonus = min(points * E10, 1750 * E10 - figure)
        self.met("9.1 bonus" if bonus == points * E10 else "9.1 up to 1750")
        return bonus

    def new_n_v(self, r_i_from, n_v_before, games, last_game):
        """R81g and R84: N_v of R_i, ten less for each year from the fifth, and the counted games; at most 100."""
        if r_i_from == SOURCES.index("5.1b"):
            return min(100, games)
        n_v = half_up(n_v_before)
        for years in range(5, 100):
            if (
                last_game != NO_DAY
                and self.previous_day < months_later(last_game, 12 * years) <= self.in_force
            ):
                self.met("10 N_v falls" if n_v > 18 else "10 N_v falls no further than nine")
                n_v = max(min(n_v, 9), n_v - 10)
        return min(100, n_v + games)
