"""A published figure by its reference: as a list has it, and as the newest revision of that list has it.

A link "Report an error" carries a reference, and a request stores it:

    person:POOL:DAY:REVISION:NUMBER           rating:POOL:DAY:REVISION:NUMBER
    erasure:POOL:DAY:REVISION:NUMBER
    tournament:POOL:DAY:REVISION:CODE          change:POOL:DAY:REVISION:CODE:NUMBER
    result:POOL:DAY:REVISION:CODE:NUMBER:ROUND

NUMBER is the player's number in the register of the list. After a CODE comes the part of a tournament in parts, from 2
on (`part_code`); without one the first part that the list counts is meant, for all results those of all parts. Every
value comes from published rows; nothing of a reference is shown. A request stores the values of its figure;
ratings/templatetags/published_values.py makes the sentence.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, TypeVar

from django.db.models import Q
from django.utils import timezone

from ratings.models import RatingList, by_clock
from ratings.queries.counted_results import counted_result_sets
from ratings.queries.list_rows import federation_names
from ratings.queries.lists import NotPublishedError, published
from ratings.queries.merges import records_of, replace_merged_players, surviving_players
from ratings.queries.time_controls import time_control_label
from ratings.queries.tournaments import counted_tournament
from reporting.models import CorrectionRequest, Entry, Game, Player, PlayerTitle, ResultSet
from reporting.models.register import ERASED_NAME
from reporting.rules.details.known_details import has_parts
from reporting.rules.register.titles import titles_by_rank

Figure = CorrectionRequest.Figure
Found = TypeVar("Found")

_LIST = ("pool", "in_force", "revision")
_THING: Mapping[str, tuple[str, ...]] = {
    "person": ("number",),
    "erasure": ("number",),
    "rating": ("number",),
    "tournament": ("code",),
    "change": ("code", "number"),
    "results": ("code", "number"),
    "result": ("code", "number", "round"),
}
_FORMS = {
    "pool": re.compile(r"[a-z0-9-]{1,30}"),
    "in_force": re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}"),
    "revision": re.compile(r"[1-9][0-9]{0,3}"),
    "code": re.compile(r"[-a-zA-Z0-9_]{1,80}"),
    "part": re.compile(r"[1-9][0-9]?"),
    "number": re.compile(r"[1-9][0-9]{0,8}"),
    "round": re.compile(r"[1-9][0-9]{0,3}"),
}


@dataclass(frozen=True)
class Reference:
    """The parts of a reference; `subject` is what follows the list."""

    figure: str
    pool: str
    in_force: date
    revision: int
    subject: Mapping[str, str]

    def __str__(self) -> str:
        return ":".join(
            (self.figure, self.pool, self.in_force.isoformat(), str(self.revision), *self.subject.values())
        )


def read_reference(text: str) -> Reference:
    """The parts of a reference. Raises `NotPublishedError` for any other text."""
    figure, *parts = text.split(":")
    about = _THING.get(figure, ())
    if about[:1] == ("code",) and len(parts) == len(_LIST) + len(about) + 1:
        about = ("code", "part", *about[1:])
    names = (*_LIST, *about)
    if not about or len(parts) != len(names):
        raise NotPublishedError("no reference")
    parts_by_name = dict(zip(names, parts, strict=True))
    if not all(_FORMS[name].fullmatch(part) for name, part in parts_by_name.items()):
        raise NotPublishedError("no reference")
    try:
        in_force = date.fromisoformat(parts_by_name["in_force"])
    except ValueError:
        raise NotPublishedError("no such day") from None
    subject = {name: parts_by_name[name] for name in about}
    return Reference(figure, parts_by_name["pool"], in_force, int(parts_by_name["revision"]), subject)


def find_figure(text: str) -> CorrectionRequest:
    """The figure of a reference as an unsaved request: its value and its page. 3 to 5 queries.

    Raises `NotPublishedError`, also for an erased person.
    """
    reference = read_reference(text)
    if reference.figure not in Figure.values:
        raise NotPublishedError("not one figure")
    return _read(reference, _list_of(reference))


def results_of(text: str) -> list[CorrectionRequest]:
    """A player's results in a tournament by rounds, as unsaved requests. 5 queries, of one in parts more.

    For a reference `results:POOL:DAY:REVISION:CODE:NUMBER`. Raises `NotPublishedError`.
    """
    reference = read_reference(text)
    if reference.figure != "results":
        raise NotPublishedError("not all results")
    rating_list = _list_of(reference)
    subject = reference.subject
    counted = [(rating_list, _tournament(reference, rating_list))]
    if "part" not in subject and has_parts(rating_list.report_rules.details):
        parts = counted_tournament(subject["code"]).parts
        counted = [(part.rating_list, part.tournament) for part in parts] if len(parts) > 1 else counted
    player = _player(reference, rating_list)
    results = []
    for one, tournament in counted:
        part = {"part": str(tournament.part)} if tournament.part > 1 else {}
        games = _games(one, tournament, player)
        for number in sorted({game.round for game in games}):
            about = {"code": subject["code"], **part, "number": subject["number"], "round": str(number)}
            of_round = Reference("result", one.pool.code, one.in_force, one.revision, about)
            played = [game for game in games if game.round == number]
            results.append(_result(of_round, one, tournament, player, played))
    return results


@dataclass(frozen=True)
class FigureNow:
    """A figure on the list of its reference and on the newest revision; None where it is not on it.

    For a person's data the newest list of the pool counts, and `in_register` is what the next list will print: the
    same figure with the values of the register, None for other figures.
    """

    then: CorrectionRequest | None
    now: CorrectionRequest | None
    rating_list: RatingList
    in_register: CorrectionRequest | None = None

    @property
    def has_changed(self) -> bool:
        return self.then is not None and (
            self.now is None or self.now.published_values != self.then.published_values
        )

    @property
    def differs_in_register(self) -> bool:
        return self.in_register is not None and (
            self.now is None or self.now.published_values != self.in_register.published_values
        )


def figure_now(text: str) -> FigureNow:
    """The present state of a figure. 5 to 9 queries. Raises `NotPublishedError`."""
    reference = read_reference(text)
    lists = published().filter(pool__code=reference.pool)
    if reference.figure not in {Figure.PERSON, Figure.ERASURE}:
        lists = lists.filter(in_force=reference.in_force)
    newest = lists.select_related("correction__follows__replaces").order_by("-in_force", "-revision").first()
    if newest is None:
        raise NotPublishedError("no such list")
    found: list[CorrectionRequest | None] = []
    for rating_list in (_list_of(reference), newest):
        try:
            found.append(_read(reference, rating_list))
        except NotPublishedError:
            found.append(None)
    registered = None
    if reference.figure == Figure.PERSON:
        player = _player(reference, newest)
        titles = PlayerTitle.objects.held_on(timezone.localdate()).filter(
            player=player, awarded_by=newest.system, discipline=newest.pool.discipline
        )
        held = set(titles.values_list("title", flat=True))
        ranked = titles_by_rank(newest.system, newest.pool.discipline)
        title = next((title for title in ranked if title in held), min(held, default=""))
        values = _person_values(player.printed_name, player.federation_id, title, player.birth_year)
        registered = _about(reference, newest, values, player=player)
    return FigureNow(found[0], found[1], newest, registered)


def _list_of(reference: Reference) -> RatingList:
    found = published().filter(
        pool__code=reference.pool, in_force=reference.in_force, revision=reference.revision
    )
    return _or_refuse(found.first())


def _read(reference: Reference, rating_list: RatingList) -> CorrectionRequest:
    """The figure on one list, which need not be the list of the reference."""
    match reference.figure:
        case Figure.PERSON | Figure.RATING | Figure.ERASURE:
            return _of_row(reference, rating_list)
        case Figure.TOURNAMENT:
            return _details(reference, rating_list, _tournament(reference, rating_list))
        case Figure.CHANGE:
            return _change(reference, rating_list)
        case _:
            tournament, player = _tournament(reference, rating_list), _player(reference, rating_list)
            games = [
                game
                for game in _games(rating_list, tournament, player)
                if game.round == int(reference.subject["round"])
            ]
            return _result(reference, rating_list, tournament, player, games)


def _of_row(reference: Reference, rating_list: RatingList) -> CorrectionRequest:
    player = _player(reference, rating_list)
    row = _or_refuse(rating_list.rows.filter(player_id=player.pk).first())
    if row.name == ERASED_NAME:
        raise NotPublishedError("erased")
    if reference.figure == Figure.ERASURE:  # a name stored here would outlive its erasure
        return _about(reference, rating_list, {}, player=player)
    if reference.figure == Figure.PERSON:
        values = _person_values(row.name, row.federation, row.title, row.birth_year)
        article = rating_list.rating_system.explanation.articles.get("person", "")
        return _about(reference, rating_list, values, article, player=player)
    values = {"rating": row.rating, "change": row.change, "games": row.games}
    if rating_list.declaration.has_categories:
        values["category"] = row.category
    if rating_list.is_opening:
        article = ""
        values["is_opening"] = True
    else:
        subject = "rating" if row.period_games else "unchanged_rating"
        article = rating_list.rating_system.explanation.articles.get(subject, "")
    return _about(reference, rating_list, values, article, player=player)


def _change(reference: Reference, rating_list: RatingList) -> CorrectionRequest:
    tournament, player = _tournament(reference, rating_list), _player(reference, rating_list)
    records = records_of(player, surviving_players(rating_list))
    changes = list(
        rating_list.changes.filter(player_id=player.pk, result_set_id=tournament.pk).order_by("sequence")
    )
    # A player whom a substitute replaced has a change and no entry.
    if not changes and not Entry.objects.filter(result_set=tournament, player__in=records).exists():
        raise NotPublishedError("not in this tournament")
    figures = by_clock(rating_list, changes) if changes else {}
    summary = rating_list.rating_system.explanation.change_summary(next(iter(figures.values()), None))
    return _about(
        reference, rating_list, summary.values, summary.article, player=player, result_set=tournament
    )


def _details(reference: Reference, rating_list: RatingList, tournament: ResultSet) -> CorrectionRequest:
    values = {
        "name": tournament.name,
        "place": tournament.place,
        "country": tournament.country_id or "",
        "played_from": tournament.played_from.isoformat(),
        "played_to": tournament.played_to.isoformat(),
        "system": tournament.system,
        "time_control": time_control_label(tournament),
        "referee": tournament.referee,
    }
    article = rating_list.rating_system.explanation.articles.get("tournament", "")
    return _about(reference, rating_list, values, article, result_set=tournament)


def _result(
    reference: Reference,
    rating_list: RatingList,
    tournament: ResultSet,
    player: Player,
    games: Sequence[Game],
) -> CorrectionRequest:
    if not games:
        raise NotPublishedError("no such result")
    values = {
        "round": int(reference.subject["round"]),
        "games": [
            {
                "white": game.white.player.printed_name if game.white else None,
                "black": game.black.player.printed_name if game.black else None,
                "result": game.result_in(tournament.points),
            }
            for game in games
        ],
    }
    article = rating_list.rating_system.explanation.articles.get("result", "")
    return _about(reference, rating_list, values, article, player=player, result_set=tournament)


def _about(
    reference: Reference,
    rating_list: RatingList,
    values: Mapping[str, Any],
    article: str = "",
    *,
    player: Player | None = None,
    result_set: ResultSet | None = None,
) -> CorrectionRequest:
    return CorrectionRequest(
        figure=reference.figure,
        reference=str(reference),
        player=player,
        result_set=result_set,
        pool=rating_list.pool.code,
        pool_name=rating_list.pool.name,
        published_values=values,
        article=article,
    )


def _or_refuse(found: Found | None) -> Found:
    if found is None:
        raise NotPublishedError("not published")
    return found


def _player(reference: Reference, rating_list: RatingList) -> Player:
    """The player with the number of the reference in the register of the list."""
    register = rating_list.report_rules.register
    return _or_refuse(Player.objects.with_numbers(register, [reference.subject["number"]]).first())


def _tournament(reference: Reference, rating_list: RatingList) -> ResultSet:
    if rating_list.period_id is None:
        raise NotPublishedError("an opening list counts no tournament")
    subject = reference.subject
    counted = Q(pk__in=counted_result_sets(rating_list).values("pk"))
    if rating_list.is_by_game:  # a game of an earlier report may have waited for this list
        counted |= Q(pk__in=rating_list.changes.order_by().values("result_set"))
    found = ResultSet.objects.filter(counted, tournament__code=subject["code"])
    if "part" in subject:
        found = found.filter(part=subject["part"])
    return _or_refuse(found.order_by("part").first())


def _games(rating_list: RatingList, tournament: ResultSet, player: Player) -> list[Game]:
    persons = surviving_players(rating_list)
    records = records_of(player, persons)
    own = Q(white__player__in=records) | Q(black__player__in=records)
    games = list(
        Game.objects.filter(own, result_set=tournament)
        .select_related("white__player", "black__player")
        .order_by("round", "number", "pk")
    )
    replace_merged_players((entry for game in games for entry in (game.white, game.black)), persons)
    return games


def _person_values(name: str, federation: str, title: str, birth_year: int | None) -> dict[str, Any]:
    country = federation_names([federation]).get(federation, federation)
    return {
        "name": name,
        "federation": federation,
        "country": country,
        "title": title,
        "birth_year": birth_year,
    }
