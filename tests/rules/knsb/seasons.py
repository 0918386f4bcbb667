"""Made-up seasons of KNSB: the columns of one list, small, from a seed, with every case of the articles.

Lists of three pools and of three kinds of FIDE over two and a half years, with gaps; members, leavers, returners,
foreigners, youth of all ages, unknown births, guests without a rating or a number; tournaments, leagues in parts,
admitted and too old games, tournaments abroad, games of earlier lists that wait.
"""

from datetime import date, timedelta
from random import Random

import numpy as np

from ratings.federations.knsb.rules.columns import KINDS
from ratings.federations.knsb.rules.engine_input import (
    EventColumns,
    GameColumns,
    KnsbColumns,
    ListRead,
    MembershipColumns,
    PlayerColumns,
    RatingColumns,
)
from ratings.rules.columns import NEVER, NO_DAY
from ratings.rules.days import day_number, months_before

PLAYERS = 44
IN_POOL = ("pool", "returner", "lapsed", "stopped", "limit")
GUESTS = ("new", "fide", "late fide", "lapsed")
PLAYING = ("pool", "returner", "klassiek", "limit")
STORIES = (*IN_POOL, *GUESTS, *PLAYING, "pool", "new")
"""Which lists players are on; those who stopped play no game, those at the limit have FIDE ratings at that of 4.2."""
CLUBS = (20_032, 10_000, 199_999, 260_000, 269_999, 280_001, 280_002, 290_001)
"""Numbers of clubs and kinds of membership, at the edges of those that 11.2 lists."""
NOT_LISTED = (9_999, 200_000, 259_999, 270_000, 280_000, 280_003, 290_000, 290_002)
"""Those just outside."""


def table(columns, rows):
    """The rows, dictionaries, as columns of a type."""
    names = columns.__dataclass_fields__
    return columns(*(np.array([row[name] for row in rows]) for name in names))


class Season:
    """The pieces of one made-up list, put together by `columns`."""

    def __init__(self, seed):
        self.random = Random(seed)  # noqa: S311
        self.tempo = seed % 3
        month = self.random.choice([1, 2, 2, 4, 7, 9, 10, 10, 11, 11, 12])
        self.publication = date(self.random.randint(2024, 2026), month, 1)
        if seed % 7 == 6:
            self.publication = date(self.publication.year, 5, 31)
        self.in_force = day_number(self.publication)
        self.make_lists()
        self.make_players()
        self.make_ratings()
        self.make_tournaments()

    def make_lists(self):
        """Of each kind one every one to four months; those of FIDE may begin late."""
        self.lists = []
        for kind in range(len(KINDS)):
            day, days = self.publication, []
            earliest = self.publication - timedelta(
                self.random.choice([20, 300, 900, 900]) if kind > 2 else 900
            )
            while True:
                back = self.random.choice([28, 31, 61, 92] if kind <= 2 else [15, 30, 31, 62])
                day = (day - timedelta(back)).replace(day=1)
                if day < earliest and days:
                    break
                days.append(day_number(day))
            name = KINDS[kind] if kind <= 2 else "fide"
            for day in reversed(days):
                when = date(1970, 1, 1) + timedelta(day)
                self.lists.append(ListRead(kind, day, f"{name}/{when}/r1" if kind <= 2 else f"fide/{when}"))
        self.pool_days = [read.day for read in self.lists if read.kind == self.tempo]

    def make_players(self):
        """Their numbers, births, memberships; `story` says which lists they are on."""
        choice = self.random.choice
        self.players, self.memberships = [], []
        for number in range(1, PLAYERS + 1):
            is_even = number <= 6  # players of one rating, so that a performance equals R_i
            age = choice([None, *range(4, 21), *range(4, 21), *range(21, 70)])
            if is_even:
                age = 15 if number % 2 else 40
            story = "pool" if is_even else choice(STORIES)
            is_foreign = not is_even and (story == "limit" or self.random.random() < 0.3)
            has_number = story in IN_POOL or self.random.random() < 0.8
            self.players.append(
                {
                    "player": 3 * number + 1,
                    "register_number": 8_000_000 + (number * 37) % 101 if has_number else 0,
                    "fide_number": 1_000_000 + number
                    if story == "limit" or self.random.random() < 0.6
                    else 0,
                    "birth_year": 0 if age is None else self.publication.year - age,
                    "is_foreign": is_foreign,
                    "story": story,
                    "level": 1600 if is_even else 1900 if story == "limit" else self.level(age),
                    "is_even": is_even,
                    "games_elsewhere": choice([0, 0, 1, 2, 3, 4, 5, 6]),
                    "title": choice([0, 0, 0, 1, 2]),
                }
            )
            self.make_memberships(self.players[-1])
        self.has_memberships = self.random.random() < 0.85

    def level(self, age):
        """About how strong a player of an age is."""
        if age is not None and age < 11:
            return self.random.choice([410, 410, 430, 500, 900, 1735])
        if age is not None and age < 19:
            return self.random.choice([500, 900, 1250, 1500, 1735, 1745, 2100, 2150, 2399, 2400])
        return self.random.choice(
            [1000, 1299, 1300, 1700, 1950, 2000, 2001, 2100, 2101, 2150, 2300, 2301, 2399, 2400]
        )

    def make_memberships(self, player):
        """None, one that lasts, one that ended near a 1 October, one with a return."""
        october = date(self.publication.year - self.random.choice([0, 1, 1, 2]), 10, 1)
        left = day_number(october) + self.random.choice([-200, -1, 0, 30, 100])
        began = self.in_force - self.random.choice([10, 200, 2000])
        club = self.random.choice(CLUBS if self.random.random() < 0.85 else NOT_LISTED)
        stories = ["lasts"] * 5 + ["none", "none", "left", "left", "back", "late"]
        story = self.random.choice(stories[5:] if player["story"] == "stopped" else stories)
        if player["is_even"]:
            club, story = CLUBS[0], "lasts"
        spans = {
            "none": [],
            "lasts": [(began, NEVER)],
            "left": [(left - 700, left)],
            "back": [(left - 700, left), (max(left + 1, self.in_force - 40), NEVER)],
            "late": [(self.in_force, NEVER)],
        }[story]
        for first_day, last_day in spans:
            self.memberships.append(
                {"player": player["player"], "club": club, "first_day": first_day, "last_day": last_day}
            )

    def make_ratings(self):
        """Rows of the lists; each player's story says of which."""
        self.ratings = []
        for player in self.players:
            player["first"] = self.in_force - self.random.choice([1000, 1000, 1000, 500, 100])
            player["last"] = self.in_force - (
                self.random.choice([150, 300]) if player["story"] == "lapsed" else 0
            )
            player["idle"] = self.random.choice([0, 0, 0, 0, 2, 2, 3, 4, 5, 6, 8])
            if player["story"] == "stopped":
                player["idle"] = self.random.choice([3, 3, 4, 5, 6])
            player["limit_kind"] = self.random.choice([3, 3 + self.tempo])
            player["last_known_list"], player["last_known_rating"], player["previous"] = -1, 0, 0
            player["k_factor"] = self.random.choice([40, 40, 20, 20, 30, 15, 10, 0])
            player["n_v"] = self.random.choice([1, 4, 8, 12, 18, 19, 29, 29, 30, 60, 74, 74, 75, 99, 100])
            if player["is_even"]:
                player["n_v"] = self.random.choice([1, 2, 4])
        for place, read in enumerate(self.lists):
            for player in self.players:
                if not self.is_on(player, read):
                    continue
                jitter = (
                    0 if player["is_even"] or self.random.random() < 0.6 else self.random.randint(-40, 40)
                )
                rating = player["level"] + jitter
                is_fide = read.kind > 2
                fide_rating = rating + self.random.choice([-150, 0, 0, 0, 50, 100])
                if player["story"] == "limit":
                    fide_rating = (2300 if read.kind == 3 else 2000) + self.random.randint(0, 1)
                n_v = 0 if is_fide else player["n_v"]
                self.ratings.append(
                    {
                        "list": place, "player": player["player"], "rating": fide_rating if is_fide else rating,
                        "n_v": n_v, "k_factor": player["k_factor"] if is_fide else 0,
                        "games": 0 if is_fide else n_v + 3,
                        "last_game": NO_DAY if is_fide else self.last_game(player, read.day),
                    }
                )  # fmt: skip
                if read.kind == self.tempo:
                    player["last_known_list"], player["last_known_rating"] = place, rating
                if read.kind == self.tempo and read.day == self.pool_days[-1]:
                    player["previous"] = self.random.choice([0, rating, rating, rating])  # 0: held
        for player in self.players:
            player["was_published"] = player["last_known_list"] >= 0

    def is_on(self, player, read):
        """Whether a player is on a list."""
        story, random = player["story"], self.random.random()
        if read.kind > 2 and story == "limit":
            return read.kind == player["limit_kind"]
        if read.kind > 2:
            since = self.in_force - 75 if story == "late fide" else player["first"]
            likely = {"fide": 0.95, "late fide": 1, "pool": 0.9, "returner": 0.9, "lapsed": 0.6}.get(story, 0)
            has_fide = player["fide_number"] > 0 and not player["is_even"]
            return has_fide and read.day >= since and random < likely
        if not player["register_number"] or not player["first"] <= read.day < player["last"]:
            return False
        if read.kind == self.tempo:
            return story in IN_POOL and (story != "returner" or random < 0.8)
        return read.kind == 0 and story in ("klassiek", "pool", "stopped") and not player["is_even"]

    def last_game(self, player, day):
        """On or before the day of a list; years ago for those who stopped."""
        if not player["idle"]:
            return day - self.random.randint(1, 120)
        when = self.publication.replace(year=self.publication.year - player["idle"])
        return min(day - 1, day_number(when) + self.random.choice([-1, 0, 0, 1]))

    def make_tournaments(self):
        """Of this list, and of earlier ones for those who wait."""
        self.events, self.games = [], []
        number = 100
        for _ in range(7):
            number += self.random.randint(1, 9)
            self.make_event(number, 1, self.in_force)
        for _ in range(3):
            number += self.random.randint(1, 9)
            self.make_event(number, 1, self.random.choice(self.pool_days[1:]))
        for months in (12, 24, 24):
            number += 1
            self.make_old_event(number, months)
        number += 1
        self.make_league(number)
        number += 1
        self.make_even_event(number)

    def group(self, size):
        """Participants: of all sorts, a guest or more among them."""
        guests = [player for player in self.players if player["story"] in GUESTS]
        others = [player for player in self.players if player["story"] in PLAYING and not player["is_even"]]
        few = min(len(guests), size // 2)
        return self.random.sample(guests, few) + self.random.sample(others, min(len(others), size - few))

    def make_event(self, number, part, in_force):
        """A tournament of some days, at home or abroad; now and then with old games that are admitted or not."""
        kind = self.random.choice(
            ["home", "home", "home", "long", "old", "admitted", "abroad", "FIDE abroad"]
        )
        first_day = in_force - self.random.randint(12, 80) - (70 if kind in ("old", "admitted") else 0)
        length = self.random.choice([30, 30, 31, 31, 75]) if kind == "long" else self.random.randint(1, 12)
        is_school = self.random.random() < 0.2
        if is_school and self.publication.month == 2 and in_force == self.in_force:  # over New Year
            first_day, length = day_number(date(self.publication.year, 1, 1)) - 2, 5
        self.add_event(number, part, in_force, days=(first_day, first_day + length - 1), kind=kind)
        rounds = self.random.choice([3, 4, 5, 7])
        planned = self.random.random() < 0.4
        group = self.group(self.random.choice([6, 8, 10]))
        if is_school:
            group = sorted(self.players, key=lambda player: player["level"])[:8]
        for round_ in range(1, rounds + 1):
            day = first_day + (round_ - 1) * (length - 1) // max(1, rounds - 1)
            self.add_round(round_, group, day, day if planned else NO_DAY, spread=2 if length > 12 else 0)

    def make_league(self, number):
        """A league in three parts, one for each of the newest lists: the third for this one."""
        in_force = [*self.pool_days[-2:], self.in_force]
        first_day, last_day = in_force[0] - 60, self.in_force + 90
        group = self.group(10)
        for part, day in enumerate(in_force, start=1):
            self.add_event(number, part, day, days=(first_day, last_day), kind="home")
            planned = self.random.random() < 0.6
            for round_ in (2 * part - 1, 2 * part):
                when = day - self.random.randint(3, 25)
                self.add_round(round_, group, when, when - 2 if planned else NO_DAY, spread=6)

    def make_old_event(self, number, months):
        """A tournament of the first day on which games can wait or count for 11.2, or of the day before."""
        day = day_number(months_before(self.publication, months)) - self.random.randint(0, 1)
        in_force = next((later for later in self.pool_days if later > day), self.in_force)
        self.add_event(number, 1, in_force, days=(day, day), kind="home")
        group = self.group(12)
        for round_ in range(1, 4):
            self.add_round(round_, group, day, NO_DAY, spread=0)

    def make_even_event(self, number):
        """Six players of one rating in every list."""
        first_day = self.in_force - 20
        self.add_event(number, 1, self.in_force, days=(first_day, first_day + 5), kind="home")
        for round_ in range(1, 3):
            self.add_round(round_, self.players[:6], first_day + round_, NO_DAY, spread=0)

    def add_event(self, number, part, in_force, *, days, kind):
        self.events.append(
            {
                "result_set": 5000 + len(self.events), "number": number, "part": part, "first_day": days[0],
                "last_day": days[1], "in_force": in_force, "is_abroad": kind in ("abroad", "FIDE abroad"),
                "is_fide_processed": kind == "FIDE abroad", "is_admitted": kind == "admitted",
            }
        )  # fmt: skip

    def add_round(self, round_, group, day, planned_day, spread):
        """Games of half of the group against the other half, each on a day of its own; the stronger wins more often."""
        players = self.random.sample(group, len(group))
        line = 10 * round_
        for white, black in zip(players[::2], players[1::2], strict=False):
            line += 1
            edge = (white["level"] - black["level"]) / 400
            points = min(2, max(0, round(1 + self.random.gauss(edge, 1))))
            self.games.append(
                {
                    "game": 90_000 + len(self.games), "event": len(self.events) - 1, "round": round_, "line": line,
                    "white": white["player"], "black": black["player"], "white_points": points,
                    "planned_day": planned_day, "day": day + self.random.randint(0, spread),
                }
            )  # fmt: skip

    def columns(self):
        """All of it as the engine's input."""
        return KnsbColumns(
            tempo=self.tempo, in_force=self.in_force, previous_day=self.pool_days[-1],
            players=table(PlayerColumns, self.players),
            memberships=table(MembershipColumns, self.memberships) if self.has_memberships else None,
            lists=tuple(self.lists), ratings=table(RatingColumns, self.ratings),
            events=table(EventColumns, self.events), games=table(GameColumns, self.games),
            bonus=((8, 30), (9, 25), (10, 20), (12, 10), (14, 8), (16, 15)),
        )  # fmt: skip


def season(seed):
    """The columns of one made-up list."""
    return Season(seed).columns()
