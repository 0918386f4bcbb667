"""The search over players, tournaments and federations, in any spelling."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from ratings.models import ListRow, RatingList, rows_of_lists
from ratings.published.selectors.list_rows import federation_names
from ratings.published.selectors.players import FoundPlayer, found_players
from ratings.published.selectors.tournaments.published import published_tournaments
from reporting.rules.names.name_search import NameSearch
from reporting.rules.names.normalize_name import normalize_name
from reporting.rules.register.countries import country_code


@dataclass(frozen=True)
class FoundTournament:
    """A tournament of a published list."""

    code: str
    name: str
    place: str
    country: str
    played_from: date
    played_to: date


@dataclass(frozen=True)
class Found:
    """What a search finds: the first of each kind, the likeliest first, and the number of all."""

    players: Sequence[FoundPlayer] = ()
    player_total: int = 0
    tournaments: Sequence[FoundTournament] = ()
    tournament_total: int = 0
    federations: Sequence[tuple[str, str]] = ()

    @property
    def total(self) -> int:
        return self.player_total + self.tournament_total + len(self.federations)


def search(
    lists: Sequence[RatingList], stamp: tuple[str, ...], words: Sequence[str], number: int | None, most: int
) -> Found:
    """At most so many players, tournaments and federations by words, or players by their number.

    1 query; 4 more once the stamp, that of these lists, has changed.
    """
    typed = " ".join(words)
    players, player_total = found_players(lists, stamp, typed, number, most=most)
    if number is not None:
        return Found(players, player_total)
    index = search_index(tuple(lists), stamp)
    names = sorted(index.tournament_names.find(typed), key=lambda found: (found.grade, found.place))
    tournaments = [index.tournaments[found.place] for found in names]  # of equal matches the newest first
    places = [found.place for found in index.federation_names.find(typed)]
    code = country_code(typed)
    federations = dict.fromkeys([one for one in index.federations if one[0] == code])
    federations |= dict.fromkeys(index.federations[place] for place in places)
    return Found(players, player_total, tournaments[:most], len(tournaments), [*federations][:most])


@dataclass(frozen=True)
class SearchIndex:
    """The names of tournaments and federations, each in the order of its rows."""

    tournaments: Sequence[FoundTournament]
    tournament_names: NameSearch
    federations: Sequence[tuple[str, str]]
    federation_names: NameSearch


@lru_cache(maxsize=2)
def search_index(lists: tuple[RatingList, ...], stamp: tuple[str, ...]) -> SearchIndex:  # noqa: ARG001
    """The tournaments, the newest first, and the federations on these lists. 2 queries, 1 more a rating system."""
    columns = ("code", "name", "place", "country__name", "played_from", "played_to")
    rows = published_tournaments().order_by("-played_to", "-number").values_list(*columns)
    tournaments = [FoundTournament(*row) for row in dict.fromkeys(rows)]  # a session is in several pools
    codes = {
        code
        for on_lists in rows_of_lists(lists)
        for code in on_lists.values_list("federation", flat=True).distinct()
    }
    federations = list(federation_names(codes).items())
    return SearchIndex(
        tournaments,
        NameSearch([normalize_name(_words_of(one)) for one in tournaments]),
        federations,
        NameSearch([normalize_name(f"{name} {code}") for code, name in federations]),
    )


def _words_of(tournament: FoundTournament) -> str:
    one = tournament
    return (
        f"{one.name} {one.place} {one.country or ''} {one.played_from.year} {one.played_to.year} {one.code}"
    )


def found_rows(
    rating_list: RatingList,
    lists: Sequence[RatingList],
    stamp: tuple[str, ...],
    typed: str,
    number: int | None,
    *,
    most: int,
) -> list[ListRow]:
    """The rows on one list of the likeliest players on `lists`, by name or by number, as `found_players` finds them.

    3 queries; 2 for a name once the names are read.
    """
    found, _ = found_players(lists, stamp, typed, number, most=most)
    keys = [player.row["player_id"] for player in found]
    rows = {row.player_id: row for row in rating_list.rows.filter(player_id__in=keys)}
    return [rows[key] for key in keys if key in rows]
