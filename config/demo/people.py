"""The register and the opening list: fictional people with believable strengths, ages and titles."""

from __future__ import annotations

import csv
import io
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from random import Random

from config.demo.records import DemoTitles, Person

NAMES_FILE = Path(__file__).with_name("names.toml")
RATED_PLAYERS = 560
PLAYERS_64 = 150
PLAYERS_RAPID = 260
PLAYERS_64_RAPID = 90
STRONGEST = 2440
LONGEST_NAME = 25  # first and last name together: the field `winner` of Annex 9 art. 11 holds no more
NEAR_THE_LIMITS = (2298, 2299, 2300, 2301, 2302, 2348, 2349, 2350, 2351, 2352)
OPEN_TITLES = (("GMI", 2335), ("MI", 2275), ("MF", 2215), ("CMF", 2150))
WOMEN_TITLES = (("GMIF", 2230), ("MIF", 2160), ("MFF", 2090), ("CMFF", 2020))
YEARS_OF_TITLES = 14  # whose days are known
YOUNGEST_TITLED = 13
OPEN_AGE = (23, 56)  # neither in a youth nor in a veterans' tournament of the season
AGE_GROUPS = ((8, 13, 0.06), (14, 16, 0.055), (17, 19, 0.05), (20, 39, 0.36), (40, 59, 0.32), (60, 79, 0.155))


@dataclass(frozen=True)
class Federation:
    """A national federation of the demonstration and the names its players bear."""

    code: str
    iso2: str
    region: str
    players: int
    women: int
    strength: int
    first_men: tuple[str, ...]
    first_women: tuple[str, ...]
    last: tuple[str, ...]
    last_women: tuple[str, ...]


def read_federations() -> dict[str, Federation]:
    """The federations of names.toml by their code."""
    with NAMES_FILE.open("rb") as file:
        entries = tomllib.load(file)["federation"]
    return {
        entry["code"]: Federation(
            code=entry["code"],
            iso2=entry["iso2"],
            region=entry["region"],
            players=entry["players"],
            women=entry["women"],
            strength=entry["strength"],
            first_men=tuple(entry["first_men"]),
            first_women=tuple(entry["first_women"]),
            last=tuple(entry["last"]),
            last_women=tuple(entry.get("last_women", entry["last"])),
        )
        for entry in entries
    }


class NameGiver:
    """Gives every person another name."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._given: set[tuple[str, str]] = set()

    def give(self, federation: Federation, sex: str) -> tuple[str, str]:
        """A first and a last name that no person has yet."""
        firsts = federation.first_women if sex == "W" else federation.first_men
        lasts = federation.last_women if sex == "W" else federation.last
        while True:
            name = self._rng.choice(firsts), self._rng.choice(lasts)
            if name not in self._given and len(" ".join(name)) <= LONGEST_NAME:
                self._given.add(name)
                return name


def build_people(
    rng: Random, federations: dict[str, Federation], names: NameGiver, opening_closing: date
) -> list[Person]:
    """All registered players, in the order of their FMJD-ID."""
    people = []
    for federation in federations.values():
        women = (federation.players * federation.women + 50) // 100
        sexes = ["W"] * women + ["M"] * (federation.players - women)
        people += [_person(rng, federation, names, sex, opening_closing.year + 1) for sex in sexes]
    _rate(rng, people)
    _give_experience(rng, people, opening_closing)
    _give_titles(rng, people)
    _give_ids(rng, people)
    return people


def newcomer(
    rng: Random, federation: Federation, names: NameGiver, *, sex: str, ages: tuple[int, int], year: int
) -> Person:
    """A player who is not in the register yet."""
    first_name, last_name = names.give(federation, sex)
    age = rng.randint(*ages)
    strength = round(1980 + _age_effect(age) - (80 if sex == "W" else 0) + rng.gauss(0, 90))
    birthday = _birthday(rng, year - age)
    return Person(0, last_name, first_name, federation.code, sex, birthday, strength)


def register_csv(people: Sequence[Person], titles: Mapping[int, str] | None = None) -> bytes:
    """The register as `import_register` reads it, with the players' titles or with other ones (by FMJD-ID)."""
    header = ("fmjd_id", "last_name", "first_name", "federation", "sex", "born", "title", "title_64")
    rows = [
        (
            p.fmjd_id,
            p.last_name,
            p.first_name,
            p.federation,
            p.sex,
            p.born,
            p.title if titles is None else titles.get(p.fmjd_id, ""),
            p.title_64,
        )
        for p in people
    ]
    return _csv(header, rows)


def title_history(
    rng: Random, people: list[Person], opening_closing: date
) -> tuple[bytes, tuple[DemoTitles, ...]]:
    """The register with the titles of unknown day, and what was registered on one day of each year before the opening.

    The last title of a player is the one of `register_csv`; the ones below it came first.
    """
    days = sorted(
        opening_closing - timedelta(days=365 * year + rng.randint(20, 200)) for year in range(YEARS_OF_TITLES)
    )
    registered: dict[date, list[tuple[Person, str]]] = {day: [] for day in days}
    undated: dict[int, str] = {}
    for person in people:
        if not person.title:
            continue
        born = person.birthday.year
        possible = [day for day in days if day.year - born >= YOUNGEST_TITLED]
        if not possible or rng.random() < (opening_closing.year - born) / 140:
            undated[person.fmjd_id] = person.title
            continue
        ladder = next(titles for titles in (OPEN_TITLES, WOMEN_TITLES) if person.title in dict(titles))
        steps = [title for title, _ in reversed(ladder)]
        steps = steps[: steps.index(person.title) + 1]
        count = min(len(steps), len(possible), rng.randint(1, 3))
        for day, title in zip(sorted(rng.sample(possible, count)), steps[-count:], strict=True):
            registered[day].append((person, title))
    return register_csv(people, undated), tuple(
        DemoTitles(
            day,
            register_csv(
                [person for person, _ in gained], {person.fmjd_id: title for person, title in gained}
            ),
        )
        for day, gained in registered.items()
        if gained
    )


def opening_list_64(rng: Random, people: list[Person]) -> list[Person]:
    """Players who know the other board too, with a rating and often a title of their own there."""
    chosen = sorted(rng.sample([p for p in people if p.rating], PLAYERS_64), key=lambda p: p.fmjd_id)
    return [
        replace(
            person,
            rating=max(person.seed_rating + round(rng.gauss(-20, 45)), 1450),
            title_64=person.title_64 or (person.title if rng.random() < 0.8 else ""),
        )
        for person in chosen
    ]


def opening_list_rapid(rng: Random, people: list[Person], players: int) -> list[Person]:
    """Players who also play rapid and blitz, with another rating and fewer games there."""
    chosen = sorted(rng.sample([p for p in people if p.rating], players), key=lambda p: p.fmjd_id)
    return [
        replace(
            person,
            rating=max(person.seed_rating + round(rng.gauss(-10, 40)), 1450),
            games=(person.games + 3) // 4,
            games_three_years=(person.games_three_years + 3) // 4,
        )
        for person in chosen
    ]


def opening_list_csv(people: list[Person]) -> bytes:
    """The opening list as `import_list` reads it; reached_2300 is 1 or 0, as in the figures file."""
    header = ("fmjd_id", "rating", "games", "reached_2300", "last_game", "games_3_years")
    rows = [
        (
            p.fmjd_id,
            p.rating,
            p.games,
            int(p.reached_2300),
            p.last_game.isoformat() if p.last_game else "",
            p.games_three_years,
        )
        for p in people
        if p.rating is not None
    ]
    return _csv(header, rows)


def _csv(header: tuple[str, ...], rows: Sequence[tuple[object, ...]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue().encode()


def _person(rng: Random, federation: Federation, names: NameGiver, sex: str, year: int) -> Person:
    first_name, last_name = names.give(federation, sex)
    group = rng.choices(AGE_GROUPS, weights=[share for _, _, share in AGE_GROUPS])[0]
    age = rng.randint(group[0], group[1])
    mean = 2088 + federation.strength + _age_effect(age) - (85 if sex == "W" else 0)
    strength = mean + rng.gauss(0, 134)
    if strength > 2290:
        strength = 2290 + (strength - 2290) * 0.7
    birthday = _birthday(rng, year - age)
    person = Person(0, last_name, first_name, federation.code, sex, birthday, round(strength))
    if OPEN_AGE[0] <= age <= OPEN_AGE[1]:
        person.birth_known = rng.choices(("day", "year", "no"), weights=(90, 7, 3))[0]
    person.activity = rng.choice((0.3, 0.6, 1.0, 1.0, 1.6, 2.5))
    return person


def _age_effect(age: int) -> float:
    if age < 20:
        return -32.0 * (20 - age)
    return -4.0 * (age - 60) - 25 if age >= 60 else 0.0


def _birthday(rng: Random, year: int) -> date:
    return date(year, 1, 1) + timedelta(days=rng.randrange(365))


def _rate(rng: Random, people: list[Person]) -> None:
    """Ratings near the strength, behind it for the young; forty registered players have none."""
    newest = max(person.birthday.year for person in people)
    weaker = [person for person in people if person.strength < 2150]
    unrated = {id(person) for person in rng.sample(weaker, len(people) - RATED_PLAYERS)}
    for person in people:
        if id(person) in unrated:
            continue
        young = newest - person.birthday.year < 12
        rating = person.strength + rng.gauss(-40 if young else 0, 26)
        person.rating = min(max(round(rating), 1450), STRONGEST)
    free = [person for person in people if person.rating is not None]
    for limit in NEAR_THE_LIMITS:
        nearest = min(free, key=lambda person: (abs(person.seed_rating - limit), person.name))
        nearest.rating = limit
        free.remove(nearest)


def _give_experience(rng: Random, people: list[Person], closing: date) -> None:
    """Games, last game and activity; some have not played for three or for five years, some are new."""
    rated = [person for person in people if person.rating is not None]
    strong = [person for person in rated if person.seed_rating >= 2280]
    others = [person for person in rated if person.seed_rating < 2280]
    away = rng.sample(strong, 3) + rng.sample(others, 62)
    long_away = {id(person) for person in away[1::5] + away[2::5]}
    away_ids = {id(person) for person in away}
    for person in rated:
        age = closing.year - person.birthday.year
        years = max(1, min(age - 9, rng.randint(2, 35)))
        person.games = max(5, round(years * rng.uniform(5, 22)))
        if person.seed_rating < 2200 and rng.random() < 0.08:
            person.games = rng.randint(4, 24)
        person.games_three_years = min(person.games, round(3 * person.activity * rng.uniform(4, 18)) + 1)
        person.last_game = closing - timedelta(days=min(round(rng.expovariate(1 / 160)), 1050))
        if id(person) in away_ids:
            first, last = (1840, 3600) if id(person) in long_away else (1110, 1815)
            person.last_game = closing - timedelta(days=rng.randint(first, last))
            person.games_three_years = 0
            person.activity = 0.02
        peak = person.seed_rating + (rng.randint(0, 90) if age > 50 else rng.randint(0, 15))
        person.reached_2300 = person.seed_rating >= 2300 or (peak >= 2300 and person.games > 60)


def _give_titles(rng: Random, people: list[Person]) -> None:
    """Titles in line with the strength a player has or (older players) once had."""
    for person in people:
        if person.rating is None or person.games < 20:
            continue
        once = 40 if person.birthday.year < 1972 else 0
        best = person.rating + once + rng.randint(-25, 15)
        person.title = next((title for title, limit in OPEN_TITLES if best >= limit), "")
        if person.sex == "W" and person.title in ("", "CMF", "MF"):
            title = next((title for title, limit in WOMEN_TITLES if best >= limit), "")
            person.title = title or person.title
        if person.title and rng.random() < 0.06:
            person.title_64 = person.title


def _give_ids(rng: Random, people: list[Person]) -> None:
    """FMJD-IDs of five digits, roughly in the order in which people began to play."""
    people.sort(key=lambda person: (person.birthday.year + rng.randint(0, 14), person.name))
    for person, fmjd_id in zip(people, sorted(rng.sample(range(10100, 19600), len(people))), strict=True):
        person.fmjd_id = fmjd_id
        person.local_id = str(200000 + fmjd_id * 7 % 99991)
