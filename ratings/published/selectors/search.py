"""The search over players, tournaments and federations, in any spelling."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ratings.models import ListRow, RatingList
from ratings.published.selectors.players import FoundPlayer, found_players
from ratings.published.selectors.tournaments.tables import IndexedTournament, tournament_index
from ratings.queries.list_rows import federation_names
from reporting.rules.names.name_search import NameSearch
from reporting.rules.names.normalize_name import normalize_name
from reporting.rules.register.countries import country_code, find_country


@dataclass(frozen=True)
class Found:
    """What a search finds: the first of each kind, the likeliest first, and the number of all."""

    players: Sequence[FoundPlayer] = ()
    player_total: int = 0
    tournaments: Sequence[IndexedTournament] = ()
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
    tournaments, _ = tournament_index(stamp).find(typed)
    known, names = federation_index(tuple(lists), stamp)
    code = country_code(typed)
    federations = dict.fromkeys([one for one in known if one[0] == code])
    federations |= dict.fromkeys(known[found.place] for found in names.find(typed))
    return Found(players, player_total, tournaments[:most], len(tournaments), [*federations][:most])


@lru_cache(maxsize=2)
def federation_index(
    lists: tuple[RatingList, ...],
    stamp: tuple[str, ...],  # noqa: ARG001
) -> tuple[Sequence[tuple[str, str]], NameSearch]:
    """Code and name of the federations on these lists, and the search in them. 1 query."""
    codes = {code for rating_list in lists for code in rating_list.federations}
    federations = list(federation_names(codes).items())
    countries = {code: find_country(code) for code, _ in federations}
    texts = [
        f"{name} {country.searched_text if (country := countries[code]) else code}"
        for code, name in federations
    ]
    return federations, NameSearch(list(map(normalize_name, texts)))


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
