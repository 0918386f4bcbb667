"""Tournaments and their players for pages."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, Sum

from reporting.models import Entry, Game, ResultSet
from reporting.rules.details.tournament_details import NationalChampionship
from reporting.rules.points import draw_sign, places_with_fewer_points
from reporting.rules.register.registers import Register
from reporting.rules.report import PAUSE, ReadReport, ReportedGame, ReportedInfo, ReportedPlayer


@dataclass(frozen=True)
class Cell:
    """One player's game of one round: points, colour and opponent; `sign` is + of a plus draw, − of a minus draw."""

    game: Game
    points: int
    white: bool
    opponent: Entry | None
    sign: str = ""

    @property
    def played(self) -> bool:
        return self.game.played


@dataclass(frozen=True)
class Line:
    """A player's line of the crosstable: the games by round, in the order of `Crosstable.rounds`."""

    entry: Entry
    points: int
    cells: Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class Crosstable:
    """A tournament round by round, its players by place, then points, then number.

    `lines` are those of some players, from `first` on, counted from 0; `numbers` are the line numbers of all entries in
    the whole table, from 1; `games` is the number of played games of the whole tournament. `contradictions` are the
    places whose players have fewer points than a later place: place → the first such place.
    """

    rounds: Sequence[int]
    lines: Sequence[Line]
    first: int
    numbers: Mapping[int, int]
    games: int
    contradictions: Mapping[int, int]


def crosstable(tournament: ResultSet, first: int = 0, most: int | None = None) -> Crosstable:
    """The games of the players by rounds, of `most` players from place `first` on, of all where none is given.

    5 queries; only the games of those players are read. A round of one player may hold several games
    (mini-matches). Points are the sum of the games, a pause included; the place is the report's.
    """
    entries = list(
        Entry.objects.filter(result_set_id=tournament.pk).select_related("player").order_by("number")
    )
    games = Game.objects.filter(result_set_id=tournament.pk).order_by()
    points = Counter[int]()
    for side in ("white", "black"):
        points.update(dict(games.exclude(**{side: None}).values_list(side).annotate(Sum(f"{side}_points"))))
    counted = dict(games.values_list("round").annotate(number=Count("pk", filter=Q(played=True))))
    entries.sort(key=lambda entry: (entry.place or len(entries) + 1, -points[entry.pk], entry.number))
    by_key = {entry.pk: entry for entry in entries}
    shown = entries[first : None if most is None else first + most]
    keys = {entry.pk for entry in shown}
    of_shown = games if most is None else games.filter(Q(white__in=keys) | Q(black__in=keys))
    rounds = sorted(counted)
    plus_draws = frozenset(map(tuple, tournament.plus_draws))
    cells: dict[tuple[int, int], list[Cell]] = {}
    for game in of_shown.order_by("round", "number", "pk"):
        for own, other, gained, white in (
            (game.white_id, game.black_id, game.white_points, True),
            (game.black_id, game.white_id, game.black_points, False),
        ):
            if own in keys:
                opponent = None if other is None else by_key[other]
                sign = ""
                if opponent is not None:
                    sign = draw_sign(plus_draws, game.round, game.number, by_key[own].number, opponent.number)
                cell = Cell(game, gained, white, opponent, sign)
                cells.setdefault((own, game.round), []).append(cell)
    lines = [
        Line(entry, points[entry.pk], [cells.get((entry.pk, turn), []) for turn in rounds]) for entry in shown
    ]
    numbers = {entry.pk: number for number, entry in enumerate(entries, 1)}
    placed = [(entry.place, points[entry.pk]) for entry in entries if entry.place]
    return Crosstable(rounds, lines, first, numbers, sum(counted.values()), places_with_fewer_points(placed))


def stored_report(
    tournament: ResultSet, entries: Sequence[Entry], register: Register | None = None
) -> ReadReport:
    """The players and games of a tournament in the form in which a report is read. 1 query.

    With the numbers of the players in a register.
    """
    numbers = {entry.pk: entry.number for entry in entries}
    games = Game.objects.filter(result_set=tournament.pk).order_by("round", "number", "pk")
    return ReadReport(
        format="stored",
        encoding="",
        info=ReportedInfo(
            name=tournament.name,
            place=tournament.place,
            country=tournament.country_id or "",
            country_code=tournament.country_id or "",
            played_from=tournament.played_from,
            played_to=tournament.played_to,
            system=tournament.system,
            national_championship=tournament.national_championship == NationalChampionship.FINAL,
            women_championship=tournament.women_only,
            referee=tournament.referee,
            time_control=tournament.time_control,
        ),
        players=tuple(
            ReportedPlayer(
                number=entry.number,
                fmjd_id=entry.player.number_in(register) if register else None,
                name=entry.player.printed_name,
                first_name=entry.player.first_name,
                last_name=entry.player.last_name,
                sex=entry.player.sex,
                born_year=entry.player.birth_year,
                place=entry.place,
                federation_code=entry.player.federation_id,
                rating_printed=entry.reported_rating,
            )
            for entry in entries
        ),
        games=tuple(
            ReportedGame(
                round=game.round,
                number=game.number,
                white=numbers.get(game.white_id or 0, PAUSE),
                black=numbers.get(game.black_id or 0, PAUSE),
                white_points=game.white_points,
                black_points=game.black_points,
                played=game.played,
            )
            for game in games
        ),
    )
