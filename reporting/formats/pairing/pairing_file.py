"""The file of a pairing: a Swiss tournament before a round, as JSON (docs/reference/pairing-file.md)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from reporting.formats.pairing.json_reader import JsonReader
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

RESULTS: Final = {str(result): result for result in Result}


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
    reader = _Reader(findings, round_, is_finished=is_finished, least_rounds=least_rounds)
    tournament = reader.read(content, reader.tournament)
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
        findings: FindingList,
        round_: int | None,
        *,
        is_finished: bool,
        least_rounds: int,
    ) -> None:
        super().__init__(findings)
        self.round = round_
        self.is_finished = is_finished
        self.least_rounds = least_rounds

    # --- the tournament

    def tournament(self, root: list[Any]) -> Tournament | None:
        values = self.entries(root, 0, TOURNAMENT, ("system", "rounds", "players"), "")
        players = self.players(values)

        def read(name: str, reader: Callable[[dict[str, Any], str], Any], default: Any) -> Any:
            return reader(values, name) if name in values else default

        system = read("system", partial(self.choice, SYSTEMS), None)
        rounds = read("rounds", partial(self.whole, 1, MAX_ROUNDS), None)
        listed = self.items(values, "games")
        games = [game for place in range(len(listed)) if (game := self.game(listed, place)) is not None]
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
                values,
                "round" if "round" in values else "rounds",
                "round",
                found=str(round_),
                rounds=rounds,
            )
        has_floats = read("floats", self.flag, True)
        is_official = read("official", self.flag, False)
        if round_ == 1 and rounds is not None:
            if 2 * rounds >= len(players):
                self.note(
                    "pairing-many-rounds", values, "rounds", "rounds", rounds=rounds, players=len(players)
                )
            if is_official and rounds < self.least_rounds:
                self.note(
                    "pairing-few-rounds",
                    values,
                    "rounds",
                    "rounds",
                    rounds=rounds,
                    min_rounds=self.least_rounds,
                )
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
            "parts": read("parts", self.parts, 4),
        }
        by_number = {player.number: player for player in players}
        self.check_games(games, by_number, round_)
        if system is not None and (
            system.by_rating or first_round or options["acceleration"] is not Acceleration.NONE
        ):
            self.check_ratings(values)
        forbidden = self.pairs(values, "forbidden", by_number)
        fixed = self.pairs(values, "fixed", by_number, round_=None if self.is_finished else round_)
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

    def flag(self, holder: Any, key: str) -> bool:
        value = holder[key]
        if not isinstance(value, bool):
            self.wrong(holder, key, key, "true, false")
            return False
        return value

    def parts(self, holder: Any, key: str) -> int | None:
        value = holder[key]
        if isinstance(value, bool) or value not in (4, 6, 8):
            self.wrong(holder, key, key, "4, 6, 8")
            return None
        return int(value)

    def players(self, values: dict[str, Any]) -> list[PairingPlayer]:
        listed = self.items(values, "players")
        if len(listed) > MAX_PLAYERS:
            self.wrong(values, "players", "players", f"1–{MAX_PLAYERS}")
            return []
        players: list[PairingPlayer] = []
        numbers: set[int] = set()
        lots: set[int] = set()
        for place in range(len(listed)):
            entries = self.entries(listed, place, PLAYER, ("number",), "players")
            number = self.whole(1, MAX_NUMBER, entries, "number") if "number" in entries else None
            lot = self.whole(1, MAX_NUMBER, entries, "lot") if "lot" in entries else number
            rounds = self.items(entries, "absent")
            absent = [self.whole(1, MAX_ROUNDS, rounds, turn, "absent") for turn in range(len(rounds))]
            from_round = self.whole(1, MAX_ROUNDS, entries, "from_round") if "from_round" in entries else 1
            rating = None if entries.get("rating") is None else self.whole(1, MAX_RATING, entries, "rating")
            withdrawn_after = (
                None
                if entries.get("withdrawn_after") is None
                else self.whole(0, MAX_ROUNDS, entries, "withdrawn_after")
            )
            if number is None or lot is None:
                continue
            for value, taken, name in ((number, numbers, "number"), (lot, lots, "lot")):
                if value in taken:
                    key = name if name in entries else "number"
                    self.note("pairing-number-repeated", entries, key, name, found=str(value))
                taken.add(value)
            players.append(
                PairingPlayer(
                    number=number,
                    rating=rating,
                    lot=lot,
                    federation=self.text("NED", entries, "federation"),
                    from_round=from_round or 1,
                    absent=frozenset(turn for turn in absent if turn),
                    withdrawn_after=withdrawn_after,
                )
            )
        return players

    def check_ratings(self, values: dict[str, Any]) -> None:
        """Systems by rating need an estimate of the referee where there is no rating (App. A a)."""
        listed = self.items(values, "players")
        for place, player in enumerate(listed):
            if isinstance(player, dict) and player.get("rating") is None:
                self.note("pairing-rating-missing", listed, place, "rating", found="")

    def game(self, listed: list[Any], place: int) -> tuple[PairedGame, dict[str, Any]] | None:
        entries = self.entries(listed, place, GAME, GAME, "games")
        round_ = self.whole(1, MAX_ROUNDS, entries, "round") if "round" in entries else None
        white = self.whole(1, MAX_NUMBER, entries, "white") if "white" in entries else None
        black = self.whole(0, MAX_NUMBER, entries, "black") if "black" in entries else None
        result = self.choice(RESULTS, entries, "result") if "result" in entries else None
        if round_ is None or white is None or black is None or result is None:
            return None
        if black == PAUSE and result is not Result.WHITE_WINS:
            self.wrong(entries, "result", "result", '"2-0"')
            return None
        return PairedGame(round_, white, black, result), entries

    def check_games(
        self,
        games: Iterable[tuple[PairedGame, dict[str, Any]]],
        players: Mapping[int, PairingPlayer],
        round_: int | None,
    ) -> None:
        """Numbers that no player has, a player twice in a round, and rounds that are not there yet (R64)."""
        seen: set[tuple[int, int]] = set()
        for game, entries in games:
            if round_ is not None and game.round >= round_:
                self.note("pairing-game-late", entries, "round", "round", found=str(game.round), round=round_)
            if game.white == game.black:
                self.wrong(entries, "black", "black", "1–9999, 0")
            for name, number in (("white", game.white), ("black", game.black)):
                if number == PAUSE:
                    continue
                if number not in players:
                    self.note("pairing-player-unknown", entries, name, name, found=str(number))
                elif (game.round, number) in seen and game.white != game.black:
                    self.note(
                        "pairing-player-twice", entries, name, name, found=str(number), round=game.round
                    )
                elif not players[number].takes_part(game.round):
                    self.note(
                        "pairing-player-absent", entries, name, name, found=str(number), round=game.round
                    )
                seen.add((game.round, number))

    def pairs(
        self,
        values: dict[str, Any],
        key: str,
        players: Mapping[int, PairingPlayer],
        round_: int | None = None,
    ) -> list[tuple[int, int]]:
        """Pairs of known players; with a round all of them take part in it, once (R69c)."""
        found: list[tuple[int, int]] = []
        taken: set[int] = set()
        listed = self.items(values, key)
        for place, pair in enumerate(listed):
            if (
                not isinstance(pair, list)
                or len(pair) != 2
                or any(type(number) is not int for number in pair)
                or pair[0] == pair[1]
            ):
                self.wrong(listed, place, key, "[1, 2]")
                continue
            for side, number in enumerate(pair):
                if number not in players:
                    self.note("pairing-player-unknown", pair, side, key, found=str(number))
                elif round_ is not None and not players[number].takes_part(round_):
                    self.note("pairing-player-absent", pair, side, key, found=str(number), round=round_)
                elif round_ is not None and number in taken:
                    self.note("pairing-player-twice", pair, side, key, found=str(number), round=round_)
                taken.add(number)
            found.append((pair[0], pair[1]))
        return found
