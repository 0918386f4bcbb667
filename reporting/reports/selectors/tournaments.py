"""Tournaments and their players for pages."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, Sum

from reporting.federations.registry import rules_of_report
from reporting.models import Entry, Game, Player, ResultSet
from reporting.rules.details.sessions import in_rounds
from reporting.rules.details.shared_details import NationalChampionship
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
    has_places: bool
    contradictions: Mapping[int, int]


@dataclass(frozen=True)
class Entrants:
    """The players of a tournament; of one in parts a player has one entry for all parts.

    `results` are the keys of its result sets in the order of the parts. `entries` are in the order of their numbers;
    `of` has for the key of each stored entry the one that represents its player.
    """

    results: Sequence[int]
    entries: Sequence[Entry]
    of: Mapping[int, Entry]


def entrants(results: Sequence[int], persons: Mapping[int, Player]) -> Entrants:
    """The entries of these result sets, joined by player; `persons` are read instead of records merged into them.

    A player has the number of the first part, or the next free one, and the place of the last part that has one. No
    players are joined within a part. 1 query.
    """
    stored = list(Entry.objects.filter(result_set__in=results).select_related("player").order_by("number"))
    stored.sort(key=lambda entry: results.index(entry.result_set_id))
    entries: list[Entry] = []
    of: dict[int, Entry] = {}
    first: dict[int | None, Entry] = {}
    taken: set[int] = set()
    for entry in stored:
        entry.player = persons.get(entry.player_id or 0, entry.player)
        known = first.setdefault(entry.player_id, entry)
        if known.result_set_id != entry.result_set_id:
            known.place = entry.place or known.place
            of[entry.pk] = known
            continue
        if entry.number in taken:
            entry.number = max(taken) + 1
        taken.add(entry.number)
        entries.append(entry)
        of[entry.pk] = entry
    return Entrants(results, sorted(entries, key=lambda entry: entry.number), of)


def crosstable(
    players: Entrants, plus_draws: Collection[Sequence[int]], first: int = 0, most: int | None = None
) -> Crosstable:
    """The games of the players by rounds, of `most` players from place `first` on, of all where none is given.

    4 queries; only the games of those players are read. A round of one player may hold several games
    (mini-matches). Points are the sum of the games, a pause included; the place is the report's.
    """
    entries = list(players.entries)
    games = Game.objects.filter(result_set__in=players.results).order_by()
    points = Counter[int]()
    for side in ("white", "black"):
        gained = games.exclude(**{side: None}).values_list(side).annotate(Sum(f"{side}_points"))
        for key, halves in gained:
            points[players.of[key].pk] += halves
    counted = dict(games.values_list("round").annotate(number=Count("pk", filter=Q(played=True))))
    entries.sort(key=lambda entry: (entry.place or len(entries) + 1, -points[entry.pk], entry.number))
    shown = entries[first : None if most is None else first + most]
    places = {entry.pk for entry in shown}
    keys = {key for key, entry in players.of.items() if entry.pk in places}
    of_shown = games if most is None else games.filter(Q(white__in=keys) | Q(black__in=keys))
    rounds = sorted(counted)
    signs = frozenset(map(tuple, plus_draws))
    cells: dict[tuple[int, int], list[Cell]] = {}
    for game in of_shown.order_by("round", "number", "pk"):
        for own, other, halves, white in (
            (game.white_id, game.black_id, game.white_points, True),
            (game.black_id, game.white_id, game.black_points, False),
        ):
            if own in keys:
                entry, opponent = players.of[own], None if other is None else players.of[other]
                sign = ""
                if opponent is not None:
                    sign = draw_sign(signs, game.round, game.number, entry.number, opponent.number)
                cell = Cell(game, halves, white, opponent, sign)
                cells.setdefault((entry.pk, game.round), []).append(cell)
    lines = [
        Line(entry, points[entry.pk], [cells.get((entry.pk, turn), []) for turn in rounds]) for entry in shown
    ]
    numbers = {entry.pk: number for number, entry in enumerate(entries, 1)}
    placed = [(entry.place, points[entry.pk]) for entry in entries if entry.place]
    contradictions = places_with_fewer_points(placed)
    return Crosstable(rounds, lines, first, numbers, sum(counted.values()), bool(placed), contradictions)


def stored_report(tournament: ResultSet, players: Entrants, register: Register | None = None) -> ReadReport:
    """The players and games of a tournament in the form in which a report is read. 1 query.

    With the numbers of the players in a register, and those of FIDE. Where a system has no rounds, the games of several
    parts in one round have numbers in it together (`in_rounds`).
    """
    rules = rules_of_report(tournament.rating_system, tournament.discipline)
    numbers = {key: entry.number for key, entry in players.of.items()}
    games = Game.objects.filter(result_set__in=players.results).order_by("round", "number", "pk")
    report = ReadReport(
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
                other_numbers={"fide": fide} if (fide := entry.player.numbers.get("fide")) else {},
                name=entry.player.printed_name,
                first_name=entry.player.first_name,
                last_name=entry.player.last_name,
                sex=entry.player.sex,
                born_year=entry.player.birth_year,
                place=entry.place,
                federation_code=entry.player.federation_id,
                rating_printed=entry.reported_rating,
            )
            for entry in players.entries
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
                white_for=game.white_for,
                black_for=game.black_for,
            )
            for game in games
        ),
    )
    return in_rounds(report, (), has_rounds=rules.has_rounds)
