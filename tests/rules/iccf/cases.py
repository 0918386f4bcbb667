"""Case files of the ICCF's rules (tests/cases/iccf) as the engine's input, and its answer as they print it."""

from __future__ import annotations

from datetime import date
from typing import Any

from ratings.federations.iccf.rules.columns import FROM, METHODS, SUBSTITUTES
from ratings.federations.iccf.rules.engine import IccfCalculation
from ratings.federations.iccf.rules.engine_input import (
    EventColumns,
    GameColumns,
    IccfColumns,
    ListRead,
    ParticipantColumns,
    PlayerColumns,
    RatingColumns,
)
from ratings.federations.iccf.rules.parameters import KINDS
from ratings.rules.columns import NO_DAY
from ratings.rules.days import day_number, day_of_number

POINTS = {"1-0": 2, "½-½": 1, "0-1": 0}
SCALES = {"k_e6": 6, "expected_e2": 2, "added_e8": 8}
NAMES = {"k": "k_e6", "we": "expected_e2", "change": "added_e8"}
WORDS = {"method": METHODS, "own_from": FROM, "opponent_from": FROM, "substitute": SUBSTITUTES}


def columns(case: dict[str, Any]) -> IccfColumns:
    """A case as columns.

    `lists` are `DAY: PLAYER=RATING/GAMES …`, rising, 80 games by default; the last one is the list before. `past` are
    `PLAYER GAMES OPPONENTS POINTS` of all games before, by default draws against the rating. `guests` have no number.
    Games are `WHITE BLACK RESULT xTIMES`, a substitute for another player is `PLAYER/REPLACED`; they have the `began`
    and `finished` of their event, by default its first day, and are of a tournament of the open class.
    """
    lists, ratings, games_before = [], [], {}
    for place, line in enumerate(case.get("lists", [])):
        day, _, entries = line.partition(":")
        lists.append(ListRead(day_number(date.fromisoformat(day)), f"iccf/{day}/r1"))
        for entry in entries.split():
            player, _, value = entry.partition("=")
            rating, _, games = value.partition("/")
            ratings.append((place, int(player), int(rating)))
            games_before[int(player)] = int(games or 80)
    ratings.sort()
    events, participants, games = [], set(), []
    for place, event in enumerate(case["events"]):
        first = day_number(event["first"])
        kind = KINDS.index(event.get("kind", "open-class"))
        events.append(
            (place + 101, event.get("number", place + 1), event.get("part", 1), event.get("earlier_parts", 0),
             first, kind, event.get("level", 0))
        )  # fmt: skip
        participants |= {(place, player) for player in event.get("participants", [])}
        began = day_number(event.get("began", event["first"]))
        finished = day_number(event.get("finished", event.get("began", event["first"])))
        for line in event["games"]:
            white, black, result, *times = line.split()
            (white, _, white_for), (black, _, black_for) = white.partition("/"), black.partition("/")
            players = tuple(int(player or 0) for player in (white, black, white_for, black_for))
            participants |= {(place, player) for player in players if player}
            for _ in range(int(times[0][1:]) if times else 1):
                line_number = len(games) + 1
                games.append((line_number, place, 1, line_number, *players, POINTS[result], began, finished))
    last = {player: rating for place, player, rating in ratings if place == len(lists) - 1}
    past = {int(line.split()[0]): tuple(map(int, line.split()[1:])) for line in case.get("past", [])}
    players = []
    for player in sorted({row[1] for row in ratings} | {player for _, player in participants}):
        rating = last.get(player, 0)
        count = games_before[player] if rating else 0
        players.append(
            (player, 0 if player in case.get("guests", []) else player, rating, rating, count,
             lists[-1].day - 30 if rating else NO_DAY, *past.get(player, (count, count * rating, count)))
        )  # fmt: skip
    return IccfColumns(
        in_force=day_number(case["in_force"]), players=PlayerColumns(*arrays(players, 9)), lists=tuple(lists),
        ratings=RatingColumns(*arrays(ratings, 3)), events=EventColumns(*arrays(events, 7)),
        participants=ParticipantColumns(*arrays(sorted(participants), 2)),
        games=GameColumns(*arrays(games, 11)),
    )  # fmt: skip


def arrays(rows: list[tuple[int, ...]], width: int) -> list[list[int]]:
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(width)]


def answers(calculation: IccfCalculation, expected: dict[str, Any]) -> dict[str, Any]:
    """What the engine says of each value that a case expects, printed with as many decimals.

    Of a player for whom the case expects changes it names all, in their order; `times` is the number of equal ones.
    """
    found: dict[str, Any] = {}
    rows, changes = calculation.rows, calculation.changes
    if "listed" in expected:
        found["listed"] = sorted(rows.player.tolist())
    for row in expected.get("row", []):
        place = rows.player.tolist().index(row["player"])
        found.setdefault("row", []).append({name: printed(rows, name, place, row[name]) for name in row})
    places = {change["player"]: [] for change in expected.get("change", [])}
    for place, player in enumerate(changes.player.tolist()):
        if player in places:
            places[player].append(place)
    for change in expected.get("change", []):
        own = places[change["player"]]
        times = change.get("times", 1)
        same = [
            {
                name: times if name == "times" else printed(changes, name, place, change[name])
                for name in change
            }
            for place in own[:times]
        ]
        assert len(same) == times
        del own[:times]
        found.setdefault("change", []).append(next((one for one in same if one != change), same[0]))
    assert not any(places.values())
    return found


def printed(table: Any, name: str, place: int, like: Any) -> Any:
    column = name if hasattr(table, name) else NAMES.get(name, name)
    value = int(getattr(table, column)[place])
    if name in WORDS:
        return WORDS[name][value]
    if name.endswith("_list"):
        return table.lists[value]
    if name.endswith("_day"):
        return day_of_number(value)
    if column in SCALES:
        decimals = len(like.partition(".")[2])
        value, rest = divmod(value, 10 ** (SCALES[column] - decimals))
        assert rest == 0
        return (
            f"{'-' if value < 0 else ''}{abs(value) // 10**decimals}.{abs(value) % 10**decimals:0{decimals}}"
        )
    return value
