"""Valid ratings and performances of KNSB a second time, straight from the regulation and rulings R80 to R84f.

Articles 3, 4, 6 and 9.2. Nothing of the engine is used but the names of its columns. Every figure is a whole number, a
fraction or a decimal of 60 digits; only the performance adds doubles, far finer than what it rounds.
"""

from __future__ import annotations

from bisect import bisect_right
from calendar import monthrange
from collections import Counter, defaultdict
from dataclasses import fields
from datetime import date, timedelta
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from math import erfc, floor, fsum, sqrt

from ratings.federations.knsb.rules.columns import SOURCES
from ratings.rules.columns import NO_DAY

E10 = 10**10
DIGITS = 60
KLASSIEK, RAPID, BLITZ, FIDE_KLASSIEK, FIDE_RAPID, FIDE_BLITZ = range(6)
KNSB_ORDER = {KLASSIEK: (KLASSIEK,), RAPID: (RAPID, KLASSIEK), BLITZ: (BLITZ, KLASSIEK)}
FIDE_ORDER = {
    KLASSIEK: (FIDE_KLASSIEK,),
    RAPID: (FIDE_KLASSIEK, FIDE_RAPID),
    BLITZ: (FIDE_KLASSIEK, FIDE_BLITZ),
}
FOREIGN_LIMIT = {FIDE_KLASSIEK: 2300, FIDE_RAPID: 2000, FIDE_BLITZ: 2000}


def half_up(value):
    """A whole number; halves go up."""
    return floor(Fraction(value) + Fraction(1, 2))


def as_date(day):
    """The date of a day since 1 January 1970."""
    return date(1970, 1, 1) + timedelta(day)


def as_day(when):
    """Days since 1 January 1970."""
    return (when - date(1970, 1, 1)).days


def months_later(day, months):
    """The same day of another month, or that month's last day where it is shorter."""
    when = as_date(day)
    year, month = divmod(when.year * 12 + when.month - 1 + months, 12)
    return as_day(date(year, month + 1, min(when.day, monthrange(year, month + 1)[1])))


def records(columns):
    """The rows of a table as dictionaries of Python's own numbers, without words that all rows share."""
    names = [field.name for field in fields(columns) if field.name != "lists"]
    rows = zip(*(getattr(columns, name).tolist() for name in names), strict=True)
    return [dict(zip(names, row, strict=True)) for row in rows]


@cache
def normal_e10(difference):
    """Art. 3, R80: Φ of a difference not below 0, deviation 2000/7, times 10¹⁰, by the series of the integral.

    Φ(z) = 1/2 + e^(−z²/2) / √(2π) · (z + z³/3 + z⁵/(3·5) + …).
    """
    with localcontext(prec=DIGITS):
        pi = Decimal("3.14159265358979323846264338327950288419716939937510582097494")
        z = Decimal(difference) * 7 / 2000
        term = total = z
        odd = 1
        while term > Decimal(10) ** -40:
            odd += 2
            term = term * z * z / odd
            total += term
        phi = Decimal("0.5") + (-z * z / 2).exp() / (2 * pi).sqrt() * total
        return half_up(Fraction(phi * E10))


def expected_e10(difference):
    """Art. 3, R80: the higher rated has Φ, the other what is left of 1."""
    return normal_e10(difference) if difference >= 0 else E10 - normal_e10(-difference)


def performance(games, draws, scale):
    """9.2: the rating whose expected total is the score, times `scale`, halves up. `games`: (rating, points of 2).

    `draws` are the ratings of fictitious draws. Found by halving: the last step whose lower half-way mark x has
    Σ Φ(x − R_c) not above W. 10⁻¹³ of a point is what doubles may miss where both are equal.
    """
    score = fsum([points / 2 for _, points in games] + [0.5] * len(draws))
    opponents = [float(rating) for rating, _ in games] + [float(rating) for rating in draws]

    def is_beyond(step):
        x = (step - 0.5) / scale
        return fsum([erfc((rating - x) * 7 / 2000 / sqrt(2)) / 2 for rating in opponents] + [-score]) > 1e-13

    lowest = floor(min(opponents) - 4000) * scale
    steps = range(lowest, floor(max(opponents) + 4000) * scale)
    return lowest + bisect_right(steps, 0, key=is_beyond) - 1


class SecondRatings:
    """What articles 4 and 6 say of each player on each day. A rating is a dictionary: `rating`, `source` and `list` as
    in changes, `n_v`, `kind` of the list. `branches` counts the cases of the articles that were met.
    """

    def __init__(self, columns):
        self.tempo, self.in_force, self.previous_day = columns.tempo, columns.in_force, columns.previous_day
        self.branches = Counter()
        self.lists = columns.lists
        self.players = {row["player"]: row for row in records(columns.players)}
        self.rows_of_lists = {(row["list"], row["player"]): row for row in records(columns.ratings)}
        self.games_of_event = defaultdict(list)
        self.games_of_player = defaultdict(list)
        events = records(columns.events)
        games = records(columns.games)
        for game in games:
            game["tournament"] = events[game["event"]]
            self.games_of_event[game["event"]].append(game)
            self.games_of_player[game["white"]].append(game)
            self.games_of_player[game["black"]].append(game)
        for game in games:
            game["calculation_day"] = self.calculation_day(game)

    def met(self, branch):
        """Counts a case of an article."""
        self.branches[branch] += 1

    def newest_list(self, kind, day):
        """R80b: the place of the newest list of a kind on or before the day, else of the earliest; None without one."""
        places = [place for place, read in enumerate(self.lists) if read.kind == kind]
        before = [place for place in places if self.lists[place].day <= day]
        if places and not before:
            self.met("4 before the earliest list")
            return places[0]
        return before[-1] if before else None

    def rating_on(self, place, player):
        """The rating of a player on a list with its N_v (R81), or None."""
        row = self.rows_of_lists.get((place, player))
        if row is None:
            return None
        kind = self.lists[place].kind
        n_v = row["n_v"] if kind <= BLITZ else Fraction(1000, row["k_factor"] or 20)
        return {
            "rating": row["rating"], "source": SOURCES.index(SOURCES[1:7][kind]), "list": place + 1,
            "n_v": Fraction(min(100, max(1, n_v))), "kind": kind,
        }  # fmt: skip

    def knsb_rating(self, player, day):
        """Art. 4 and b: the first KNSB rating in the order of the pool."""
        for kind in KNSB_ORDER[self.tempo]:
            rating = self.rating_on(self.newest_list(kind, day), player)
            if rating and kind != self.tempo and rating["rating"] < 1300:
                self.met("4 b klassiek under 1300")
            elif rating:
                return rating
        return None

    def fide_rating(self, player, day):
        """Art. 4 and a, R80c: the first FIDE rating in the order of the pool that was there at the list before."""
        for kind in FIDE_ORDER[self.tempo]:
            rating = self.rating_on(self.newest_list(kind, day), player)
            if rating and not self.rating_on(self.newest_list(kind, self.previous_day), player):
                self.met("4 a FIDE rating too new")
            elif rating:
                return rating
        return None

    def valid_rating(self, player, day):
        """Art. 4 with 4.2 for foreigners; None where the procedure gives none."""
        knsb, fide = self.knsb_rating(player, day), self.fide_rating(player, day)
        rating = knsb or fide
        if knsb and fide and self.players[player]["is_foreign"] and self.is_fide_first(player, knsb, fide):
            rating = fide
        self.met(f"4 {SOURCES[rating['source']]}" if rating else "4 none")
        return rating

    def is_fide_first(self, player, knsb, fide):
        """4.2, R80e, R80f: whether a foreigner with both ratings has that of FIDE."""
        if fide["rating"] > FOREIGN_LIMIT[fide["kind"]]:
            self.met("4.2 FIDE rating over its limit")
            return True
        rows = (
            self.rows_of_lists.get((place, player))
            for place, read in enumerate(self.lists)
            if read.kind == knsb["kind"]
        )
        newest = [row for row in rows if row][-1]
        if newest["last_game"] < months_later(self.in_force, -24):
            self.met("4.2 no games in two years")
            return True
        self.met("4.2 the KNSB rating")
        return False

    def calculation_day(self, game):
        """4.1, R80d."""
        event = game["tournament"]
        if self.tempo == KLASSIEK and event["last_day"] - event["first_day"] + 1 <= 30:
            self.met("4.1 first day")
            return event["first_day"]
        if game["planned_day"] != NO_DAY:
            self.met("4.1 planned day of the round")
            return game["planned_day"]
        self.met("4.1 earliest game of the round")
        return min(
            other["day"] for other in self.games_of_event[game["event"]] if other["round"] == game["round"]
        )

    def age(self, player, day):
        """R81d: on 31 December of the day's year; None where the birth is not known."""
        birth_year = self.players[player]["birth_year"]
        return as_date(day).year - birth_year if birth_year else None

    def is_youth(self, player, day):
        """R81: up to category A, 18 or younger."""
        age = self.age(player, day)
        return age is not None and age <= 18

    def holder_rating(self, player, day):
        """R_c of a rating holder: by article 4, with 6.5 (R83b) and 6.4; else None."""
        rating = self.valid_rating(player, day)
        if rating is None:
            return None
        knsb, fide = self.knsb_rating(player, day), self.fide_rating(player, day)
        if self.players[player]["is_foreign"] and knsb and fide and fide["rating"] > knsb["rating"]:
            if rating["source"] == knsb["source"]:
                self.met("6.5 the higher FIDE rating")
            rating = fide
        return self.at_least_1200(player, day, rating)

    def at_least_1200(self, player, day, rating):
        """6.4: rapid counts no senior below 1200."""
        if self.tempo == RAPID and not self.is_youth(player, day) and rating["rating"] < 1200:
            self.met("6.4 senior below 1200")
            return {**rating, "rating": 1200}
        return rating

    def opponent_rating(self, game, opponent):
        """R_c; None where the game does not count (6.1)."""
        day = game["calculation_day"]
        rating = self.holder_rating(opponent, day)
        if rating:
            return rating
        if self.tempo == KLASSIEK:
            self.met("6.1.a klassiek without a rating")
            return None
        known = self.rating_on(self.players[opponent]["last_known_list"], opponent)
        if known:
            self.met("6.1.b last known rating")
            return self.at_least_1200(opponent, day, {**known, "source": SOURCES.index("6.1b")})
        tlpr = self.tlpr(game["event"], opponent, day)
        if tlpr is None:
            self.met("6.1.b fewer than three rating holders")
            return None
        rating = {"rating": tlpr, "source": SOURCES.index("6.3"), "list": 0, "n_v": Fraction(0)}  # n_v: R81e
        return self.at_least_1200(opponent, day, rating)

    @staticmethod
    def other_side(game, player):
        """The opponent, and the player's own points of 2."""
        if player == game["white"]:
            return game["black"], game["white_points"]
        return game["white"], 2 - game["white_points"]

    def tlpr(self, event, player, day):
        """6.1.b b, 6.2, 6.3, R83: None against fewer than three rating holders."""
        against = []
        for game in self.games_of_event[event]:
            if player in (game["white"], game["black"]):
                other, points = self.other_side(game, player)
                rating = self.holder_rating(other, game["calculation_day"])
                if rating:
                    against.append((rating["rating"], points))
        if len(against) < 3:
            return None
        draw = Fraction(sum(rating for rating, _ in against), len(against))
        if self.tempo == RAPID and self.is_youth(player, day):
            draw = min(max(500, self.age(player, day) * 100), 1200)
            self.met("6.2 age rating")
        if len(against) < 6:
            self.met("6.1.b filled up to six")
            draws = 6 - len(against)
        elif sum(points for _, points in against) in (0, 2 * len(against)):
            self.met("6.3 0 or 100 %")
            draws = 1
        else:
            self.met("6.3 six or more")
            draws = 0
        rating, least = performance(against, [draw] * draws, 1), 400 if self.tempo == RAPID else 1200
        if rating < least:
            self.met("6.3 least TLPR")
        return max(least, rating)
