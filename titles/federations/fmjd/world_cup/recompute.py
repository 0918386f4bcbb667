"""Recalculate a published World Cup classification from its published files alone.

    python recompute.py https://OFFICE/world-cup/100/2026-12-31/r1/     # loads results.csv and figures.json
    python recompute.py FOLDER                                          # FOLDER/results.csv and FOLDER/figures.json

One file, Python 3.11 or later, nothing to install. It is written from Annex 18 and the rulings on it (R70 to R71b),
result by result; it shares nothing with the calculation of the rating office. It compares every cell of figures.json
but the federations' codes, which results.csv takes from the register, and the digest of results.csv. It prints how
many cells are the same and how many are different, and each difference, then the SHA-256 of figures.json.

Exit status: 0 all the same, 1 something is different, 2 files are missing.
"""

import csv
import hashlib
import io
import json
import sys
import urllib.error
import urllib.request
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

EDITION = "world-cup-2024-04"
BONUS = (100, 70, 50, 40, 35, 30, 26, 24, 22, 20)
FACTOR = {1: 1, 3: 3, 5: 5, 7: 10, 9: 15}
BEST_RESULTS, YEARS = 4, 2
Values = dict[str, Any]
Declared = dict[tuple[int, int], date]
CRITERIA = ("points", "first", "second", "third", "last_result", "wins")


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def load(place: str) -> list[bytes]:
    """The bytes of both files, from an address or a folder."""
    names = ("results.csv", "figures.json")
    if place.startswith(("http://", "https://")):
        found = []
        for name in names:
            with urllib.request.urlopen(place.rstrip("/") + "/" + name, timeout=60) as answer:  # noqa: S310
                found.append(answer.read())
        return found
    return [(Path(place) / name).read_bytes() for name in names]


def participations(lines: Iterable[Mapping[str, str]]) -> list[Values]:
    """The lines of results.csv about tournaments, with numbers and days."""
    numbers = ("number", "stars", "fmjd_id", "place", "points", "games", "wins", "year")
    flags = ("separate", "women_only", "woman", "absent")
    return [
        dict(line)
        | {name: int(line[name]) for name in numbers}
        | {name: line[name] == "1" for name in flags}
        | {name: date.fromisoformat(line[name]) for name in ("first_round", "last_round")}
        for line in lines
        if line["tournament"]
    ]


def valid_declarations(lines: Iterable[Mapping[str, str]], played: list[Values]) -> Declared:
    """Player and year, with the day, of declarations before the first round of the first tournament (R71b)."""
    found: Declared = {}
    for line in lines:
        if line["declared_on"]:
            player, year, day = (
                int(line["fmjd_id"]),
                int(line["year"]),
                date.fromisoformat(line["declared_on"]),
            )
            begun = [one["first_round"] for one in played if (one["fmjd_id"], one["year"]) == (player, year)]
            if day < min(begun, default=date.max):
                found[player, year] = day
    return found


def add_results(played: list[Values], declared: Declared) -> None:
    """What each participation brings (R70 to R70e): its classification, bonus place and points."""
    for one in played:
        is_declared = (one["fmjd_id"], one["year"]) in declared
        one["for_women"] = one["woman"] and not is_declared
        one["has_result"] = one["place"] > 0 and one["games"] > 0 and not (is_declared and one["women_only"])
        one["can_have_bonus"] = one["has_result"] and not (
            one["for_women"] and one["separate"] and not one["women_only"]
        )
    for one in played:
        rivals = [
            other["place"]
            for other in played
            if other["can_have_bonus"]
            and (other["tournament"], other["for_women"]) == (one["tournament"], one["for_women"])
        ]
        place = 1 + sum(other < one["place"] for other in rivals)
        has_bonus = one["can_have_bonus"] and not one["absent"] and place <= len(BONUS)
        one["bonus_place"] = place if has_bonus else None
        one["bonus"] = BONUS[place - 1] if has_bonus else 0
        one["factor"] = FACTOR[one["stars"]]
        one["total"] = 0 if one["absent"] else one["bonus"] + one["factor"] * one["points"]


def window_start(day: date) -> date:
    """The first day whose last rounds count (R71)."""
    before = day.replace(year=day.year - YEARS, day=28) if (day.month, day.day) == (2, 29) else None
    return (before or day.replace(year=day.year - YEARS)) + timedelta(days=1)


def classification(day: date, women: bool, played: list[Values], declared: Declared) -> list[Values]:
    """The rows of the classification as figures.json has them (R71 to R71b), without federations."""
    of_player: dict[int, list[Values]] = {}
    for one in played:
        is_open = declared.get((one["fmjd_id"], day.year), date.max) <= day
        listed = not is_open if women else is_open or not one["woman"]
        in_window = window_start(day) <= one["last_round"] <= day
        if listed and in_window and one["has_result"] and one["for_women"] == women:
            of_player.setdefault(one["fmjd_id"], []).append(one)
    rows: list[Values] = []
    for player, results in of_player.items():
        results.sort(
            key=lambda one: (
                one["absent"], -one["total"], one["bonus_place"] or len(BONUS) + 1, -one["last_round"].toordinal(),
                -one["number"], -one["wins"],
            )
        )  # fmt: skip
        counting = [one for one in results if not one["absent"]][:BEST_RESULTS]
        if not counting:
            continue
        latest = max(counting, key=lambda one: (one["last_round"], one["number"]))
        places = [one["bonus_place"] for one in counting]
        rows.append(
            {
                "fmjd_id": player,
                "points": sum(one["total"] for one in counting),
                "first": places.count(1),
                "second": places.count(2),
                "third": places.count(3),
                "last_result": latest["total"],
                "wins": sum(one["wins"] for one in counting),
                "results": [
                    {
                        "tournament": one["tournament"],
                        "last_round": one["last_round"].isoformat(),
                        "stars": one["stars"],
                        "place": one["place"],
                        "bonus_place": one["bonus_place"],
                        "tp": one["points"],
                        "factor": one["factor"],
                        "bonus": one["bonus"],
                        "points": one["total"],
                        "wins": one["wins"],
                        "counts": one in counting,
                        "absent": one["absent"],
                    }
                    for one in results
                ],
            }
        )
    rows.sort(key=lambda row: ([-row[name] for name in CRITERIA], row["fmjd_id"]))
    values = [[row[name] for name in CRITERIA] for row in rows]
    for row, own in zip(rows, values, strict=True):
        row["rank"] = 1 + values.index(own)
        row["equal"] = values.count(own) > 1
    return rows


def cells(rows: list[Values]) -> Values:
    """Each cell of the rows by its name."""
    found: Values = {"rows": len(rows)}
    for at, row in enumerate(rows, start=1):
        for name, value in row.items():
            if name == "results":
                found[f"row {at}: results"] = len(value)
                for nth, result in enumerate(value, start=1):
                    found.update({f"row {at}, result {nth}: {key}": cell for key, cell in result.items()})
            elif name != "federation":
                found[f"row {at}: {name}"] = value
    return found


def main(place: str) -> int:
    """Recalculate and print; the exit status."""
    try:
        content, figures = load(place)
    except (OSError, urllib.error.URLError) as error:
        say(f"missing: {error}")
        return 2
    published = json.loads(figures)
    if published["edition"] != EDITION:
        say(f"this program calculates by {EDITION}, the file by {published['edition']}")
        return 2
    lines = list(csv.DictReader(io.StringIO(content.decode())))
    played = participations(lines)
    declared = valid_declarations(lines, played)
    add_results(played, declared)
    rows = classification(date.fromisoformat(published["day"]), published["women"], played, declared)
    expected = cells(rows) | {"input_sha256": hashlib.sha256(content).hexdigest()}
    found = cells(published["rows"]) | {"input_sha256": published["input_sha256"]}
    different = [name for name in {**expected, **found} if expected.get(name) != found.get(name)]
    for name in different:
        say(f"{name}: published {found.get(name)}, recalculated {expected.get(name)}")
    say(f"{len(expected) - len(different)} cells the same, {len(different)} different")
    say(f"SHA-256 of figures.json: {hashlib.sha256(figures).hexdigest()}")
    return 1 if different else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        say(__doc__ or "")
        sys.exit(2)
    sys.exit(main(sys.argv[1]))
