"""What a version of a report changed: its players, games and details, as the office compares it with the one before.

And whether what was stored of an accepted version is what the version says.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models.functions import Coalesce

from reporting.federations.registry import rules_of_report
from reporting.formats.tournament_details.sidecar import read_sidecar
from reporting.models import Entry, Game, Report, ReportVersion, ResultSet
from reporting.refusals.domain_error import DomainError
from reporting.reports.reading.open_report import OpenReport
from reporting.reports.reading.read_file import unpack_reading
from reporting.rules.details.detail_declaration import Detail
from reporting.rules.details.detail_kinds import Kind
from reporting.rules.details.known_details import detail_label, details_of, known_details
from reporting.rules.details.sessions import in_rounds
from reporting.rules.points import result_text
from reporting.rules.report import PAUSE, PointsScale, ReadReport, ReportedPlayer
from reporting.rules.sentences import sentence


@dataclass(frozen=True)
class Change:
    """A value before and after; empty where one of the versions has none."""

    about: str
    before: str
    after: str


@dataclass(frozen=True)
class VersionChanges:
    """The changes since the version of this number; `games` are named by round and players."""

    since: int
    details: Sequence[Change]
    players: Sequence[Change]
    games: Sequence[Change]

    @property
    def is_empty(self) -> bool:
        return not (self.details or self.players or self.games)


def version_changes(opened: OpenReport) -> VersionChanges | None:
    """The changes since the version before the newest; None for the first version. 1 query, 0 for the first version."""
    if opened.version.number == 1:
        return None
    before = ReportVersion.objects.only("reading", "sidecar").get(
        report=opened.report, number=opened.version.number - 1
    )
    details, rules, now = opened.submission.details, opened.submission.rules, opened.submission.read
    was = unpack_reading(bytes(before.reading)).read
    if details is not None:  # as the newest version is read
        was = in_rounds(was, details.session, has_rounds=rules.has_rounds)
    labels = details_of(rules.details)
    return VersionChanges(
        opened.version.number - 1,
        _changes(
            _texts(was.info.to_json() | dict(read_sidecar(bytes(before.sidecar)).values), labels),
            _texts(now.info.to_json() | dict(opened.sidecar.values), labels),
        ),
        _changes(_players(was), _players(now)),
        _changes(*(_games(read, opened.submission.points_scale) for read in (was, now))),
    )


def _changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[Change]:
    return [
        Change(about, before.get(about, ""), after.get(about, ""))
        for about in dict.fromkeys([*before, *after])
        if before.get(about, "") != after.get(about, "")
    ]


def _texts(values: Mapping[str, Any], known: Mapping[str, Detail]) -> dict[str, str]:
    """The values of details under their labels, as people read them; of values by player a line for each.

    The labels are those of the details that are `known` in reports of the federation; of others those of any.
    """
    texts: dict[str, str] = {}
    for name, value in values.items():
        about = sentence(known[name].label, {}) if name in known else detail_label(name)
        by_player = value if isinstance(value, Mapping) else {}
        texts |= {f"{about}: {number}": value_text(name, each) for number, each in by_player.items()}
        if value is not by_player:
            texts[about] = value_text(name, value)
    return texts


def value_text(name: str, value: Any) -> str:
    """A value of a tournament detail as people read it: `6 Nov 2026`, the labels of choices, lists with commas."""
    if isinstance(value, Mapping):
        return value_text(name, [*value.values()])
    if isinstance(value, list | tuple):
        return ", ".join(filter(None, (value_text(name, each) for each in value)))
    detail = known_details().get(name)
    if detail and detail.kind in (Kind.DAY, Kind.DAYS) and isinstance(value, str):
        value = Kind.DAY.parse(value)
    if isinstance(value, date):
        return sentence("{day:date}", {"day": value.isoformat()})
    if isinstance(value, bool):
        return sentence("Yes" if value else "No", {})
    text = "" if value is None else str(value)
    labels = dict(detail.labelled_choices()) if detail else {}
    return sentence(labels[text], {}) if text in labels else text


def _players(read: ReadReport) -> dict[str, str]:
    return {str(player.number): _player_text(player) for player in read.players}


def _player_text(player: ReportedPlayer) -> str:
    values = (player.name, player.federation, player.fmjd_id, player.born_year, player.sex, player.title)
    return ", ".join(str(value) for value in values if value)


def _games(read: ReadReport, scale: PointsScale) -> dict[str, str]:
    """The results by round, number of the game in it and players, `2: 3–7`; x for a result without a game."""
    return {
        f"{game.round}{f'.{game.number}' if game.number > 1 else ''}: {game.white}–{game.black}": result_text(
            game.white_points, game.black_points, scale, sign="-" if game.played or game.is_pause else "x"
        )
        for game in read.games
    }


def refuse_changed_results(reports: Iterable[Report]) -> None:
    """Refuse accepted reports whose lines and games are not those of the accepted version any more.

    Nothing of the application changes them after the acceptance; SQL could. Who of the register a line is was decided
    by the acceptance and is not in the file. 3 queries. Raises DomainError `results_changed`.
    """
    result_sets = {
        report.accepted_version_id: report.result_set
        for report in reports
        if report.accepted_version_id and report.result_set  # both are set for accepted reports
    }
    lines, games = _stored_results(result_sets.values())
    versions = ReportVersion.objects.filter(pk__in=result_sets).order_by("pk")
    for version, reading in versions.values_list("pk", "reading").iterator(chunk_size=50):
        stored = result_sets[version]
        rules = rules_of_report(stored.rating_system, stored.discipline)
        read = in_rounds(unpack_reading(bytes(reading)).read, stored.session, has_rounds=rules.has_rounds)
        _refuse_if_changed(stored, read, lines[stored.pk], games[stored.pk])


def refuse_changed_submission(result_set: ResultSet, read: ReadReport) -> None:
    """Refuse a report whose stored lines and games are not those that its submitted version has, in rounds.

    2 queries. Raises DomainError `results_changed`.
    """
    lines, games = _stored_results([result_set])
    _refuse_if_changed(result_set, read, lines[result_set.pk], games[result_set.pk])


_Game = tuple[int, int, int, int, int, int, bool]


def _stored_results(
    result_sets: Iterable[ResultSet],
) -> tuple[defaultdict[int, list[int]], defaultdict[int, list[_Game]]]:
    """The numbers of the lines and the games of result sets, by their keys. 2 queries."""
    keys = [result_set.pk for result_set in result_sets]
    lines, games = defaultdict(list), defaultdict(list)
    for key, number in Entry.objects.filter(result_set__in=keys).values_list("result_set", "number"):
        lines[key].append(number)
    for key, *game in Game.objects.filter(result_set__in=keys).values_list(
        "result_set",
        "round",
        "number",
        Coalesce("white__number", PAUSE),
        Coalesce("black__number", PAUSE),
        "white_points",
        "black_points",
        "played",
    ):
        games[key].append(tuple(game))
    return lines, games


def _refuse_if_changed(
    result_set: ResultSet, read: ReadReport, lines: Sequence[int], games: Sequence[_Game]
) -> None:
    reported = [
        (game.round, game.number, game.white, game.black, game.white_points, game.black_points, game.played)
        for game in read.games
    ]
    if sorted(lines) != sorted(player.number for player in read.players) or sorted(games) != sorted(reported):
        raise DomainError("results_changed", tournament=result_set.name)
