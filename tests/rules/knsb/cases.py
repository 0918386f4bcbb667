"""Case files of the KNSB's rules (tests/cases/knsb) as the engine's input, and its answer as they print it."""

from __future__ import annotations

from datetime import date
from typing import Any

from ratings.federations.knsb.rules.columns import KINDS, LIMITS, SOURCES
from ratings.federations.knsb.rules.engine import KnsbCalculation
from ratings.federations.knsb.rules.engine_input import (
    EventColumns,
    GameColumns,
    KnsbColumns,
    ListRead,
    MembershipColumns,
    PlayerColumns,
    RatingColumns,
)
from ratings.federations.knsb.rules.parameters import TEMPOS
from ratings.rules.columns import NEVER, NO_DAY
from ratings.rules.days import day_number, day_of_number
from ratings.rules.scaled_numbers import rounded

POINTS = {"1-0": 2, "½-½": 1, "0-1": 0}
SCALES = {
    "n_v_e4": 4, "k_e6": 6, "expected_e10": 10, "added_e10": 10, "sum_e10": 10, "bonus_e4": 4, "lpr_e3": 3,
}  # fmt: skip
NAMES = {"n_v": "n_v_e4", "k": "k_e6", "we": "expected_e10", "change": "added_e10"}
ROW_NAMES = {"sum": "sum_e10", "bonus": "bonus_e4", "lpr": "lpr_e3"}


def columns(case: dict[str, Any]) -> KnsbColumns:
    """A case as columns.

    `lists` are `KIND DAY: PLAYER=RATING/N_v@LAST_GAME …`, of FIDE `PLAYER=RATING/K`; a `!` before a player means a held
    row. `players` are `PLAYER WORD …`: born=YEAR, foreign, guest (no number), published, elsewhere=GAMES.
    `memberships` are `PLAYER CLUB FIRST LAST`, LAST may be missing. Games are `WHITE BLACK RESULT xTIMES`, with the
    `round`, `day` and `planned` of their event or of one of its `rounds`.
    """
    in_force = day_number(case["in_force"])
    previous = day_number(case["previous"])
    tempo = TEMPOS.index(case["tempo"])
    read = sorted((KINDS.index(line.split()[0]), line.split()[1].rstrip(":"), line) for line in case["lists"])
    lists = [
        ListRead(kind, day_number(date.fromisoformat(day)), f"{line.split()[0]}/{day}")
        for kind, day, line in read
    ]
    ratings, held = [], set()
    for place, (kind, _, line) in enumerate(read):
        for entry in line.split(": ", 1)[1].split():
            name, _, value = entry.partition("=")
            value, _, last = value.partition("@")
            rating, _, basis = value.partition("/")
            player = int(name.lstrip("!"))
            if name.startswith("!"):
                held.add((place, player))
            n_v, k = (int(basis or 80), 0) if kind < 3 else (0, int(basis or 20))
            last_game = day_number(date.fromisoformat(last)) if last else lists[place].day - 30
            ratings.append((place, player, int(rating), n_v, k, n_v, last_game if kind < 3 else NO_DAY))
    ratings.sort()
    words = {int(line.split()[0]): line.split()[1:] for line in case.get("players", [])}
    events, games = [], []
    for number, event in enumerate(case["events"], start=1):
        first, last = event["first"], event.get("last", event["first"])
        events.append(
            (number + 100, event.get("number", number), event.get("part", 1), day_number(first), day_number(last),
             day_number(event.get("in_force", case["in_force"])), event.get("abroad", False),
             event.get("fide_processed", False), event.get("admitted", False))
        )  # fmt: skip
        for played in event.get("rounds", [event]):
            for line in played["games"]:
                white, black, result, *times = line.split()
                for _ in range(int(times[0][1:]) if times else 1):
                    games.append(
                        (len(games) + 1, number - 1, played.get("round", 1), len(games), int(white), int(black),
                         POINTS[result], day_number(played["planned"]) if "planned" in played else NO_DAY,
                         day_number(played.get("day", first)))
                    )  # fmt: skip
    everyone = sorted(
        {row[1] for row in ratings} | {player for game in games for player in game[4:6]} | set(words)
    )
    own = [place for place, one in enumerate(lists) if one.kind == tempo and one.day < in_force]
    on_own = {row[:2]: row[2] for row in ratings if row[0] in own}
    players = []
    for player in everyone:
        word = words.get(player, [])
        values = dict(one.split("=") for one in word if "=" in one)
        known = [place for place in own if (place, player) in on_own]
        shown = [place for place in known if lists[place].day == previous and (place, player) not in held]
        players.append(
            (player, 0 if "guest" in word else player, 0, int(values.get("born", 0)), "foreign" in word,
             bool(known) or "published" in word, on_own[shown[0], player] if shown else 0,
             known[-1] if known else -1, on_own[known[-1], player] if known else 0,
             int(values.get("elsewhere", 0)), 0)
        )  # fmt: skip
    members = None
    if "memberships" in case:
        rows = [line.split() for line in case["memberships"]]
        members = MembershipColumns(
            [int(row[0]) for row in rows],
            [int(row[1]) for row in rows],
            [day_number(date.fromisoformat(row[2])) for row in rows],
            [day_number(date.fromisoformat(row[3])) if len(row) > 3 else NEVER for row in rows],
        )
    return KnsbColumns(
        tempo=tempo, in_force=in_force, previous_day=previous, players=PlayerColumns(*arrays(players, 11)),
        memberships=members, lists=tuple(lists), ratings=RatingColumns(*arrays(ratings, 7)),
        events=EventColumns(*arrays(events, 9)), games=GameColumns(*arrays(games, 9)),
        bonus=tuple((int(age), points) for age, points in case.get("bonus", {}).items()),
    )  # fmt: skip


def arrays(rows: list[tuple[Any, ...]], width: int) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(width)]


def answers(calculation: KnsbCalculation, expected: dict[str, Any]) -> dict[str, Any]:
    """What the engine says of each value that a case expects, printed with as many decimals."""
    found: dict[str, Any] = {}
    players = calculation.rows.player.tolist()
    if "listed" in expected:
        found["listed"] = sorted(players)
    if "held" in expected:
        held = calculation.held
        found["held"] = [
            one | {name: int(getattr(held, name)[held.player.tolist().index(one["player"])]) for name in one}
            for one in expected["held"]
        ]
        assert len(held) == len(expected["held"])
    for row in expected.get("row", []):
        place = players.index(row["player"])
        found.setdefault("row", []).append(
            {
                name: printed(calculation.rows, ROW_NAMES.get(name, name), place, value)
                for name, value in row.items()
            }
        )
    of_player = {
        player: [place for place, one in enumerate(calculation.changes.player.tolist()) if one == player]
        for player in {change["player"] for change in expected.get("change", [])}
    }
    seen = dict.fromkeys(of_player, 0)
    for change in expected.get("change", []):
        player = change["player"]
        place = of_player[player][seen[player]]
        seen[player] += change.get("times", 1)
        found.setdefault("change", []).append(
            {
                name: value
                if name == "times"
                else printed(calculation.changes, NAMES.get(name, name), place, value)
                for name, value in change.items()
            }
        )
    assert {player: len(places) for player, places in of_player.items()} == seen
    return found


def printed(found: Any, name: str, place: int, like: Any) -> Any:
    value = int(getattr(found, name)[place])
    if name.endswith("_from"):
        return SOURCES[value]
    if name.endswith("_list"):
        return found.lists[value]
    if name.endswith("_day"):
        return day_of_number(value)
    if name == "limit":
        return " ".join(article for bit, article in enumerate(LIMITS) if value >> bit & 1)
    if name in SCALES:
        decimals = len(like.partition(".")[2])
        value = rounded(value, SCALES[name], decimals)
        whole, rest = divmod(abs(value), 10**decimals)
        return f"{'-' if value < 0 else ''}{whole}.{rest:0{decimals}}"
    return value
