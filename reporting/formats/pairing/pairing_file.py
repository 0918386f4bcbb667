"""The file of a pairing: a Swiss tournament before a round, as JSON (docs/reference/pairing-file.md)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from reporting.formats.pairing.json_places import Lines, Placed
from reporting.formats.pairing.json_reader import JsonReader, read_json_file
from reporting.rules.findings.finding_list import Finding, FindingList, Severity, in_file_order
from reporting.rules.pairing.tournament import (
    PAUSE,
    SYSTEMS,
    Acceleration,
    Colours,
    PairedGame,
    PairingPlayer,
    Result,
    Tournament,
)

MAX_PLAYERS: Final = 2_000
MAX_ROUNDS: Final = 50
MAX_NUMBER: Final = 9_999
MAX_RATING: Final = 3_999

TOURNAMENT: Final = (
    "system", "colours", "floats", "acceleration", "parts", "first_round", "rounds", "round", "players", "games",
    "forbidden", "fixed", "official",
)  # fmt: skip
PLAYER: Final = ("number", "rating", "lot", "federation", "from_round", "absent", "withdrawn_after")
GAME: Final = ("round", "white", "black", "result")


@dataclass(frozen=True)
class PairingFile:
    """What was read: the tournament, None where a finding is an error, and the findings in the order of the file.

    Warnings before round 1 say that there are many rounds (art. 4.4; R69c), or few for an official competition.

    `names` are those of players of a report by number; a file of a pairing has none.
    """

    tournament: Tournament | None
    findings: tuple[Finding, ...]
    names: Mapping[int, str] = field(default_factory=dict)


def read_pairing_file(
    content: bytes, *, round_: int | None = None, is_finished: bool = False, least_rounds: int = 0
) -> PairingFile:
    """Read a tournament from JSON in UTF-8: every finding at once, with line and column.

    With `round_` it is that of before this round, whatever the file says, without later games. A tournament that
    `is_finished` may have its games in all rounds. Official competitions have at least `least_rounds`.
    """
    findings = FindingList()
    placed = read_json_file(content, findings)
    if placed is None:
        return PairingFile(None, tuple(findings))
    reader = _Reader(placed.lines, findings, round_, is_finished=is_finished, least_rounds=least_rounds)
    tournament = reader.tournament(placed.value)
    ordered = in_file_order(findings)
    has_error = any(each.severity is Severity.ERROR for each in ordered)
    return PairingFile(None if has_error else tournament, ordered)


def write_pairing_file(tournament: Tournament) -> str:
    """Return a tournament as the JSON that `read_pairing_file` reads: its players and games, a line each."""

    def one_a_line(items: Iterable[Any]) -> str:
        lines = [json.dumps(item, ensure_ascii=False, separators=(",", ":")) for item in items]
        return "[\n" + ",\n".join(lines) + "\n]"

    values = {
        "system": tournament.system.key,
        "colours": tournament.colours,
        "floats": tournament.has_floats,
        "acceleration": tournament.acceleration,
        "parts": tournament.parts,
        "first_round": "rating" if tournament.first_round_by_rating else "lot",
        "rounds": tournament.rounds,
    }
    head = ",\n".join(f"{json.dumps(name)}:{json.dumps(value)}" for name, value in values.items())
    players = one_a_line(
        {
            "number": player.number,
            "rating": player.rating,
            "lot": player.lot,
            "federation": player.federation,
            "from_round": player.from_round,
            "absent": sorted(player.absent),
            "withdrawn_after": player.withdrawn_after,
        }
        for player in tournament.players
    )
    games = one_a_line(
        {"round": game.round, "white": game.white, "black": game.black, "result": game.result}
        for game in tournament.games
    )
    return f'{{{head},\n"players":{players},\n"games":{games},\n"forbidden":{json.dumps(tournament.forbidden)}}}\n'


class _Reader(JsonReader):
    """Reads a tournament; what is wrong becomes None and is not judged again."""

    def __init__(
        self,
        lines: Lines,
        findings: FindingList,
        round_: int | None,
        *,
        is_finished: bool,
        least_rounds: int,
    ) -> None:
        super().__init__(lines, findings)
        self.round = round_
        self.is_finished = is_finished
        self.least_rounds = least_rounds

    # --- the tournament

    def tournament(self, placed: Placed) -> Tournament | None:
        values = self.entries(placed, TOURNAMENT, ("system", "rounds", "players"), "")
        players = self.players(values.get("players"))

        def read(name: str, reader: Callable[[str, Placed], Any], default: Any) -> Any:
            return reader(name, values[name]) if name in values else default

        system = read("system", partial(self.choice, SYSTEMS), None)
        rounds = read("rounds", partial(self.whole, 1, MAX_ROUNDS), None)
        games = [game for game in map(self.game, self.items(values.get("games"), "games")) if game]
        following = max((game.round for game, _ in games), default=0) + 1
        round_ = read("round", partial(self.whole, 1, MAX_ROUNDS), following)
        if self.round is not None:
            round_ = self.round
            games = [(game, entries) for game, entries in games if game.round < round_]
        if self.is_finished:
            round_ = following
        elif rounds is not None and round_ is not None and round_ > rounds:
            self.note(
                "pairing-round-late",
                values["round" if "round" in values else "rounds"].offset,
                "round",
                found=str(round_),
                rounds=rounds,
            )
        has_floats = read("floats", self.flag, True)
        is_official = read("official", self.flag, False)
        if round_ == 1 and rounds is not None:
            at = values["rounds"].offset
            if 2 * rounds >= len(players):
                self.note("pairing-many-rounds", at, "rounds", rounds=rounds, players=len(players))
            if is_official and rounds < self.least_rounds:
                self.note("pairing-few-rounds", at, "rounds", rounds=rounds, min_rounds=self.least_rounds)
        first_round = read(
            "first_round",
            partial(self.choice, {"rating": True, "lot": False}),
            system is not None and system.by_rating,
        )
        options = {
            "colours": read(
                "colours", partial(self.choice, {str(each): each for each in Colours}), Colours.NONE
            ),
            "acceleration": read(
                "acceleration",
                partial(self.choice, {str(each): each for each in Acceleration}),
                Acceleration.NONE,
            ),
            "parts": self.parts(values.get("parts")),
        }
        by_number = {player.number: player for player in players}
        self.check_games(games, by_number, round_)
        if system is not None and (
            system.by_rating or first_round or options["acceleration"] is not Acceleration.NONE
        ):
            self.check_ratings(values.get("players"))
        forbidden = self.pairs(values.get("forbidden"), "forbidden", by_number)
        fixed = self.pairs(
            values.get("fixed"), "fixed", by_number, round_=None if self.is_finished else round_
        )
        if system is None or rounds is None or round_ is None:
            return None
        return Tournament(
            system=system,
            players=tuple(players),
            games=tuple(game for game, _ in games),
            round=round_,
            rounds=rounds,
            has_floats=has_floats,
            first_round_by_rating=bool(first_round),
            forbidden=tuple(forbidden),
            fixed=tuple(fixed),
            **options,
        )

    def flag(self, field: str, placed: Placed) -> bool:
        if not isinstance(placed.value, bool):
            self.wrong(placed, field, "true, false")
            return False
        return placed.value

    def parts(self, placed: Placed | None) -> int | None:
        if placed is None:
            return 4
        if isinstance(placed.value, bool) or placed.value not in (4, 6, 8):
            self.wrong(placed, "parts", "4, 6, 8")
            return None
        return int(placed.value)

    def players(self, placed: Placed | None) -> list[PairingPlayer]:
        listed = self.items(placed, "players")
        if len(listed) > MAX_PLAYERS and placed is not None:
            self.wrong(placed, "players", f"1–{MAX_PLAYERS}")
            return []
        players: list[PairingPlayer] = []
        numbers: set[int] = set()
        lots: set[int] = set()
        for item in listed:
            entries = self.entries(item, PLAYER, ("number",), "players")
            number = self.whole(1, MAX_NUMBER, "number", entries["number"]) if "number" in entries else None
            lot = self.whole(1, MAX_NUMBER, "lot", entries["lot"]) if "lot" in entries else number
            rating = entries.get("rating")
            withdrawn = entries.get("withdrawn_after")
            absent = [
                self.whole(1, MAX_ROUNDS, "absent", turn)
                for turn in self.items(entries.get("absent"), "absent")
            ]
            from_round = (
                self.whole(1, MAX_ROUNDS, "from_round", entries["from_round"])
                if "from_round" in entries
                else 1
            )
            own_rating = (
                None
                if rating is None or rating.value is None
                else self.whole(1, MAX_RATING, "rating", rating)
            )
            withdrawn_after = (
                None
                if withdrawn is None or withdrawn.value is None
                else self.whole(0, MAX_ROUNDS, "withdrawn_after", withdrawn)
            )
            if number is None or lot is None:
                continue
            for value, taken, name in ((number, numbers, "number"), (lot, lots, "lot")):
                if value in taken:
                    at = entries.get(name, entries["number"]).offset
                    self.note("pairing-number-repeated", at, name, found=str(value))
                taken.add(value)
            players.append(
                PairingPlayer(
                    number=number,
                    rating=own_rating,
                    lot=lot,
                    federation=self.text("NED", "federation", entries.get("federation")),
                    from_round=from_round or 1,
                    absent=frozenset(each for each in absent if each),
                    withdrawn_after=withdrawn_after,
                )
            )
        return players

    def check_ratings(self, placed: Placed | None) -> None:
        """Systems by rating need an estimate of the referee where there is no rating (App. A a)."""
        for item in self.items(placed, "players"):
            if isinstance(item.value, dict):
                rating = item.value.get("rating")
                if rating is None or rating[1].value is None:
                    self.note("pairing-rating-missing", item.offset, "rating", found="")

    def game(self, placed: Placed) -> tuple[PairedGame, dict[str, Placed]] | None:
        entries = self.entries(placed, GAME, GAME, "games")
        values = {
            "round": self.whole(1, MAX_ROUNDS, "round", entries["round"]) if "round" in entries else None,
            "white": self.whole(1, MAX_NUMBER, "white", entries["white"]) if "white" in entries else None,
            "black": self.whole(0, MAX_NUMBER, "black", entries["black"]) if "black" in entries else None,
            "result": self.choice({str(each): each for each in Result}, "result", entries["result"])
            if "result" in entries
            else None,
        }
        if None in values.values():
            return None
        game = PairedGame(**values)  # type: ignore[arg-type]
        if game.black == PAUSE and game.result is not Result.WHITE_WINS:
            self.wrong(entries["result"], "result", '"2-0"')
            return None
        return game, entries

    def check_games(
        self,
        games: Iterable[tuple[PairedGame, dict[str, Placed]]],
        players: Mapping[int, PairingPlayer],
        round_: int | None,
    ) -> None:
        """Numbers that no player has, a player twice in a round, and rounds that are not there yet (R64)."""
        seen: set[tuple[int, int]] = set()
        for game, entries in games:
            if round_ is not None and game.round >= round_:
                self.note(
                    "pairing-game-late", entries["round"].offset, "round", found=str(game.round), round=round_
                )
            if game.white == game.black:
                self.wrong(entries["black"], "black", "1–9999, 0")
            for name, number in (("white", game.white), ("black", game.black)):
                if number == PAUSE:
                    continue
                at = entries[name].offset
                if number not in players:
                    self.note("pairing-player-unknown", at, name, found=str(number))
                elif (game.round, number) in seen and game.white != game.black:
                    self.note("pairing-player-twice", at, name, found=str(number), round=game.round)
                elif not players[number].takes_part(game.round):
                    self.note("pairing-player-absent", at, name, found=str(number), round=game.round)
                seen.add((game.round, number))

    def pairs(
        self,
        placed: Placed | None,
        field: str,
        players: Mapping[int, PairingPlayer],
        round_: int | None = None,
    ) -> list[tuple[int, int]]:
        """Pairs of known players; with a round all of them take part in it, once (R69c)."""
        found: list[tuple[int, int]] = []
        taken: set[int] = set()
        for item in self.items(placed, field):
            two = item.value if isinstance(item.value, list) else []
            numbers = [each.value for each in two]
            if (
                len(numbers) != 2
                or any(type(each) is not int for each in numbers)
                or numbers[0] == numbers[1]
            ):
                self.wrong(item, field, "[1, 2]")
                continue
            for placed_number in two:
                if placed_number.value not in players:
                    self.note(
                        "pairing-player-unknown", placed_number.offset, field, found=str(placed_number.value)
                    )
                elif round_ is not None and not players[placed_number.value].takes_part(round_):
                    self.note(
                        "pairing-player-absent",
                        placed_number.offset,
                        field,
                        found=str(placed_number.value),
                        round=round_,
                    )
                elif round_ is not None and placed_number.value in taken:
                    self.note(
                        "pairing-player-twice",
                        placed_number.offset,
                        field,
                        found=str(placed_number.value),
                        round=round_,
                    )
                taken.add(placed_number.value)
            found.append((numbers[0], numbers[1]))
        return found
