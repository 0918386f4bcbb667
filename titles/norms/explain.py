"""A search for norms in words: as lines for a terminal, and as JSON."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from django.utils.translation import gettext

from reporting.models import Player, ResultSet
from titles.federations.facet import FoundNorm, NormSearch
from titles.labels import asks_text, colour_text, found_text
from titles.models import Norm
from titles.rules.requirement import Requirement


def requirement_as_json(requirement: Requirement) -> dict[str, Any]:
    """A requirement in words: article, what it asks, what was found, and whether that meets it."""
    row: dict[str, Any] = {
        "article": requirement.article,
        "asks": asks_text(requirement),
        "found": found_text(requirement),
        "met": requirement.met,
    }
    return row | ({"colour": requirement.colour} if requirement.colour else {})


def search_as_json(search: NormSearch) -> dict[str, Any]:
    """Tournaments with their players, each with norms, automatic titles and every title examined. 2 queries."""
    names = _players(search)
    by_participation = _by_participation(search.found)
    people = search.people
    tournaments = []
    for place, tournament in enumerate(_tournaments(search)):
        players = []
        for participation in (people.tournament == place).nonzero()[0].tolist():
            player = names[int(people.player[participation])]
            found = by_participation.get(participation, ())
            players.append(
                {
                    "fmjd_id": player.number.value,
                    "name": player.printed_name,
                    "norms": [
                        {"title": norm.title, "colour": norm.colour, "kind": norm.kind}
                        for norm in found
                        if norm.origin == Norm.Origin.FOUND and norm.kind != Norm.Kind.TITLE
                    ],
                    "automatic_titles": [
                        {"title": norm.title, "article": norm.requirements[0].article}
                        for norm in found
                        if norm.origin == Norm.Origin.FOUND and norm.kind == Norm.Kind.TITLE
                    ],
                    "titles": [_examined(search, norm) for norm in search.examined(participation)],
                    "by_place": [
                        {
                            "title": norm.title,
                            "kind": norm.kind,
                            "origin": norm.origin,
                            "requirements": [requirement_as_json(row) for row in norm.requirements],
                        }
                        for norm in found
                        if norm.kind != Norm.Kind.RESULT
                    ],
                    "possible": [
                        {
                            "title": norm.title,
                            "colour": norm.colour,
                            "origin": norm.origin,
                            "requirements": [requirement_as_json(row) for row in norm.requirements],
                        }
                        for norm in found
                        if norm.origin == Norm.Origin.ON_REQUEST
                    ],
                }
            )
        tournaments.append({"tournament": tournament.code, "players": players})
    return {"edition": search.edition.id, "tournaments": tournaments}


def _examined(search: NormSearch, norm: FoundNorm) -> dict[str, Any]:
    shown = norm.evidence
    assert shown is not None  # noqa: S101 (a title that is examined has evidence)
    return {
        "title": norm.title,
        "rm": shown.average_rating,
        "category": search.categories[shown.category],
        "games": shown.games,
        "points_asked": shown.points_asked,
        "points_scored": shown.points_scored,
        "requirements": [requirement_as_json(row) for row in norm.requirements],
    }


def explained_search(search: NormSearch, *, with_requirements: bool) -> Iterator[str]:
    """A line for each norm found, possible or missed by one requirement; with its requirements below. 2 queries."""
    names = _players(search)
    people = search.people
    by_participation = _by_participation(search.found)
    for place, tournament in enumerate(_tournaments(search)):
        yield f"{tournament.code}: {tournament.name}"
        rows = [row for row in (people.tournament == place).nonzero()[0].tolist() if row in by_participation]
        if not rows:
            yield "  " + gettext("No norms.")
        for participation in rows:
            player = names[int(people.player[participation])]
            for norm in by_participation[participation]:
                yield f"  {player.number.value} {player.printed_name}: {norm_text(norm, search.categories)}"
                if with_requirements:
                    yield from table_of(norm.requirements)
                else:
                    for row in norm.requirements:
                        if not row.met and _is_asked(row, norm):
                            yield f"      {row.article}: {asks_text(row)} | {found_text(row)}"


def norm_text(norm: FoundNorm, categories: Sequence[str]) -> str:
    """A norm in one line: title, colour, how it was found, and its figures."""
    words = [norm.title, str(norm.kind.label).lower()]
    if norm.colour:
        words.append(colour_text("colour", norm.colour).lower())
    words.append(str(norm.origin.label).lower())
    text = ", ".join(words)
    if norm.evidence is not None:
        text += gettext(
            ": %(scored)s of %(asked)s points in %(games)s games, Rm %(rm)s, category %(category)s"
        ) % {
            "scored": norm.evidence.points_scored,
            "asked": norm.evidence.points_asked,
            "games": norm.evidence.games,
            "rm": norm.evidence.average_rating,
            "category": categories[norm.evidence.category] or "–",
        }
    return text


def _is_asked(row: Requirement, norm: FoundNorm) -> bool:
    return row.colour in ("", norm.colour)


def table_of(rows: Sequence[Requirement]) -> Iterator[str]:
    """Requirements as a table for a terminal."""
    head = (gettext("Met"), gettext("Article"), gettext("Asks"), gettext("Found"))
    lines = [
        (
            gettext("yes") if row.met else gettext("no"),
            row.article + (f" ({row.colour})" if row.colour else ""),
            asks_text(row),
            found_text(row),
        )
        for row in rows
    ]
    widths = [max(len(line[place]) for line in (head, *lines)) for place in range(len(head))]
    for line in (head, *lines):
        yield (
            "      " + "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        )


def _by_participation(found: Sequence[FoundNorm]) -> dict[int, tuple[FoundNorm, ...]]:
    return {row: tuple(norms) for row, norms in groupby(found, key=lambda norm: norm.participation)}


def _tournaments(search: NormSearch) -> list[ResultSet]:
    """The tournaments in the order of the columns. 1 query."""
    found = ResultSet.objects.in_bulk(search.tournaments.tolist())
    return [found[number] for number in search.tournaments.tolist()]


def _players(search: NormSearch) -> dict[int, Player]:
    """The players by id; a merged record is the surviving one. 1 query."""
    return Player.objects.in_bulk(search.people.player.tolist())
