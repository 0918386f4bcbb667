"""Time controls as referees write them, worked out to the time for the first 60 moves (R6).

The grammar, spaces being allowed between any two signs::

    control    = whole game | sessions ;
    whole game = minutes , [ "+" , seconds , [ "@" , move ] ] ;
    sessions   = session , { "+" , session } , [ "+" , minutes ] , [ "+" , seconds , "@" , move ] ;
    session    = minutes , "/" , moves ;
    minutes    = number , [ ".5" ] ;
    seconds    = number ;
    moves      = number ;
    move       = number ;
    number     = digit , { digit } ;          (at most four digits)

``80+30`` is 80 minutes for the game and 30 seconds for every move. After a session, ``+30`` is 30 minutes
for the rest of the game: ``120/50+30``. ``+30@46`` is always seconds, for every move from the 46th on:
``90/45+30+30@46``. Without minutes for the rest, the last session is repeated as often as the game
needs: ``120/50+60/25``. Fischer time and delay have the same form, since they count in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from reporting.rules.sentences import Plural, Value, sentence, use_labels

COUNTED_MOVES: Final = 60
"""The time for the first 60 moves counts."""

_SIGNS = re.compile(r"\s*(?:(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<mark>[/+@])|(?P<other>\S))")


class TimeControlError(ValueError):
    """A time control that cannot be read: column from 1, what was found and what was expected, as a template."""

    def __init__(self, column: int, found: str, expected: str) -> None:
        self.column = column
        self.found = found
        self.expected = expected
        super().__init__(f"column {column}: found {found or 'the end'}, expected {expected}")


@dataclass(frozen=True, slots=True)
class Session:
    """Part of a time control: its seconds and its moves; ``moves`` is ``None`` for the rest of the game."""

    seconds: int
    moves: int | None


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A time control: its sessions in order, and the seconds added for each move from ``added_from`` on.

    If the last session has a number of moves, it is repeated.
    """

    sessions: tuple[Session, ...]
    added_seconds: int = 0
    added_from: int = 1

    @property
    def seconds_for_60_moves(self) -> int:
        """Seconds per player for the first 60 moves (R6), exact.

        The sum of every session that begins by move 60, whole, plus the seconds added for the moves
        that are among the first 60.
        """
        return sum(session.seconds for _, session in self._counted()) + self.added_seconds * self._added_moves

    @property
    def in_seconds(self) -> TimeControl | None:
        """The same numbers as whole or half minutes of seconds, ``900+10`` as ``15+10`` (R26).

        None where the grammar has no such time control.
        """
        if any(session.seconds % (30 * 60) for session in self.sessions):
            return None
        sessions = tuple(Session(session.seconds // 60, session.moves) for session in self.sessions)
        return TimeControl(sessions, self.added_seconds, self.added_from)

    def __str__(self) -> str:
        """The time control in the grammar above, without spaces."""
        parts = [
            _number(session.seconds) + (f"/{session.moves}" if session.moves else "")
            for session in self.sessions
        ]
        if self.added_seconds:
            at = "" if self._is_one_for_all else f"@{self.added_from}"
            parts.append(f"{self.added_seconds}{at}")
        return "+".join(parts)

    @property
    def words(self) -> str:
        """The time control in the language in use: ``80 min + 30 s``, ``120 min for 50 moves + 30 min``."""
        parts = []
        for place, session in enumerate(self.sessions):
            is_last = place == len(self.sessions) - 1
            template = (
                "{minutes} min"
                if session.moves is None
                else "{minutes} min for each {moves} moves"
                if is_last
                else "{minutes} min for {moves} moves"
            )
            values: dict[str, Value] = {"minutes": _number(session.seconds), "moves": session.moves or 0}
            parts.append(sentence(template, values))
        if self.added_seconds:
            template = "{seconds} s" if self.added_from == 1 else "{seconds} s from move {move}"
            parts.append(sentence(template, {"seconds": self.added_seconds, "move": self.added_from}))
        return " + ".join(parts)

    def calculation_text(self) -> str:
        """The sum in the language in use: ``80 min + 60 moves × 30 s = 110 min for 60 moves``."""
        parts = [
            sentence(
                "{minutes} min (moves {first} to {last})"
                if session.moves
                else "{minutes} min (from move {first})"
                if first > 1
                else "{minutes} min",
                {
                    "minutes": _number(session.seconds),
                    "first": first,
                    "last": first + (session.moves or 0) - 1,
                },
            )
            for first, session in self._counted()
        ]
        if self._added_moves and self.added_seconds:
            parts.append(
                sentence(
                    Plural("{moves} move × {seconds} s", "{moves} moves × {seconds} s", by="moves"),
                    {"moves": self._added_moves, "seconds": self.added_seconds},
                )
            )
        return sentence(
            "{sum} = {minutes} for {moves} moves",
            {
                "sum": " + ".join(parts),
                "minutes": minutes_text(self.seconds_for_60_moves),
                "moves": COUNTED_MOVES,
            },
        )

    @property
    def _is_one_for_all(self) -> bool:
        return self.added_from == 1 and self.sessions[0].moves is None

    @property
    def _added_moves(self) -> int:
        return max(COUNTED_MOVES - self.added_from + 1, 0)

    def _counted(self) -> Iterator[tuple[int, Session]]:
        """The sessions that begin by move 60, each with its first move."""
        first, place = 1, 0
        while first <= COUNTED_MOVES:
            session = self.sessions[min(place, len(self.sessions) - 1)]
            yield first, session
            if session.moves is None:
                return
            first, place = first + session.moves, place + 1


def minutes_text(seconds: int) -> str:
    """A time in minutes as people write it: ``110 min``, ``127.5 min``, ``107 min 35 s``."""
    minutes, rest = divmod(seconds, 60)
    if rest in {0, 30}:
        return f"{_number(seconds)} min"
    return f"{minutes} min {rest} s"


def parse_time_control(text: str) -> TimeControl:
    """Read a time control written by the grammar of this module (R6).

    Raises ``TimeControlError`` at the first sign that does not fit, with its column and what is expected there; also
    for a control without any time for a player.
    """
    reader = _Reader(text)
    sessions: list[Session] = []
    while True:
        start = reader.column
        seconds = reader.minutes()
        if reader.take("/"):
            sessions.append(Session(seconds, reader.count("a number of moves above zero", least=1)))
            if reader.at_end():
                return _with_time(TimeControl(tuple(sessions)), start)
            reader.expect("+", "+ or the end")
            continue
        if sessions and reader.take("@"):  # seconds from a move on, only after sessions
            added = reader.reread_whole_number("whole seconds", start)
            return _with_time(reader.finish(sessions, added), start)
        sessions.append(Session(seconds, None))
        break
    if reader.at_end():
        return _with_time(TimeControl(tuple(sessions)), 1)
    reader.expect("+", "+ or the end" if len(sessions) > 1 else "/, + or the end")
    added = reader.count("whole seconds for each move")
    if reader.take("@"):
        return _with_time(reader.finish(sessions, added), 1)
    if len(sessions) > 1:
        reader.fail("@ and the move from which the seconds are added")
    reader.end()
    return _with_time(TimeControl(tuple(sessions), added), 1)


def _with_time(control: TimeControl, column: int) -> TimeControl:
    if control.seconds_for_60_moves == 0:
        raise TimeControlError(column, str(control), "a time above zero for the first 60 moves")
    return control


use_labels("clock", lambda text: parse_time_control(text).words)


def _number(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"{minutes}.5" if rest else str(minutes)


class _Reader:
    """The signs of a time control, one after another."""

    def __init__(self, text: str) -> None:
        self._signs = [
            (match.start(match.lastgroup or 0) + 1, match.lastgroup or "", match[match.lastgroup or 0])
            for match in _SIGNS.finditer(text)
        ]
        self._signs.append((len(text.rstrip()) + 1, "end", ""))
        self._place = 0

    @property
    def column(self) -> int:
        return self._signs[self._place][0]

    def fail(self, expected: str) -> None:
        column, _, found = self._signs[self._place]
        raise TimeControlError(column, found, expected)

    def at_end(self) -> bool:
        return self._signs[self._place][1] == "end"

    def end(self) -> None:
        if not self.at_end():
            self.fail("the end")

    def take(self, mark: str) -> bool:
        found = self._signs[self._place][1:] == ("mark", mark)
        self._place += found
        return found

    def expect(self, mark: str, expected: str) -> None:
        if not self.take(mark):
            self.fail(expected)

    def minutes(self) -> int:
        """A number of minutes, whole or with a half, in seconds."""
        _, kind, found = self._signs[self._place]
        whole, _, half = found.partition(".")
        if kind != "number" or len(whole) > 4 or half not in {"", "5"}:
            self.fail("minutes, whole or with .5, of at most four digits")
        self._place += 1
        return int(whole) * 60 + (30 if half else 0)

    def count(self, expected: str, least: int = 0) -> int:
        _, kind, found = self._signs[self._place]
        if kind != "number" or not found.isdigit() or len(found) > 4 or int(found) < least:
            self.fail(expected)
        self._place += 1
        return int(found)

    def reread_whole_number(self, expected: str, column: int) -> int:
        """The number two signs back, read once more as a whole number: @ shows that it was seconds."""
        _, _, found = self._signs[self._place - 2]
        if not found.isdigit():
            raise TimeControlError(column, found, expected)
        return int(found)

    def finish(self, sessions: list[Session], added: int) -> TimeControl:
        """The move after @, and the end."""
        first = self.count("the number of a move, 1 or more", least=1)
        self.end()
        return TimeControl(tuple(sessions), added, first)
