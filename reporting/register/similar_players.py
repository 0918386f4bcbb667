"""Look up the players who look like given persons, or whose name matches a search, without reading the register.

Who looks like whom is decided in `rules/names/look_alikes.py`, what matches in `rules/names/name_search.py`. The
database only finds, by indexes, those who can: the answer is the same as for the whole register (docs/decisions/0111,
0136).
"""

from collections.abc import Collection, Mapping, Sequence
from math import inf

from django.contrib.postgres.search import SearchQueryField
from django.db import connection
from django.db.models import BooleanField, F, Func, Value
from django.db.models.functions import Cast

from reporting.models import Player, PlayerQuerySet
from reporting.rules.names.look_alikes import (
    MAX_NAME_LENGTH,
    MAX_WORDS,
    TYPO_WORD_LENGTHS,
    LookAlike,
    Person,
    find_slips,
    look_alikes,
    spelling,
)
from reporting.rules.names.name_search import MIN_PART_LENGTH, runs_joined, search_words
from reporting.rules.names.name_search import find_slips as find_search_slips
from reporting.rules.register.registers import Register

SIMILAR_WORDS = """
SELECT DISTINCT known.word
FROM unnest(%(words)s::text[]) AS wanted JOIN reporting_speltword AS known ON known.keys && word_keys(wanted)
WHERE abs(length(known.word) - length(wanted)) <= 2
    AND (left(known.word, 1) = left(wanted, 1) OR substr(known.word, 2, 2) = substr(wanted, 2, 2))
"""

NEAR_WORDS = """
SELECT DISTINCT known.word
FROM unnest(%(words)s::text[]) AS wanted JOIN reporting_speltword AS known ON known.keys && word_keys(wanted)
"""

# Two names that look alike have the same letters; or two words of them are the same, slips of each other, or one is an
# initial, and then federation or year of birth are the same. Of several words each is looked up with the later ones.
SIMILAR_PLAYERS = """
WITH wanted AS MATERIALIZED (
    SELECT person, letters, CASE
        WHEN birth_year IS NULL THEN ARRAY['@' || federation]
        ELSE ARRAY['#' || birth_year, '#' || federation]
    END AS alike
    FROM unnest(%(persons)s::int[], %(letters)s::text[], %(federations)s::text[], %(birth_years)s::int[])
        AS wanted (person, letters, federation, birth_year)
), pair AS MATERIALIZED (
    SELECT person, string_to_array(words, ' ') AS words, string_to_array(later_words, ' ') AS later_words
    FROM unnest(%(of_persons)s::int[], %(first_words)s::text[], %(later_words)s::text[])
        AS pair (person, words, later_words)
)
SELECT spelling.player_id
FROM wanted JOIN reporting_playerspelling AS spelling ON spelling.words && ARRAY[wanted.letters]
UNION
SELECT spelling.player_id
FROM wanted JOIN pair USING (person) JOIN reporting_playerspelling AS spelling
    ON spelling.words && pair.words AND spelling.words && pair.later_words AND spelling.words && wanted.alike
"""


def similar_players(
    wanted: Sequence[Person], players: PlayerQuerySet, register: Register | None = None
) -> tuple[Mapping[int, Sequence[LookAlike]], Mapping[int, Player]]:
    """For each wanted number the look-alikes among these players, best first, and the players that they number.

    The same as `look_alikes` of all of them. Equally similar ones are in the order of their numbers in the register,
    those without one last, or in that of their keys. 3 queries; none if no one is wanted.
    """
    if not wanted:
        return {}, {}

    def order(player: Player) -> tuple[float, int]:
        number = player.number_in(register) if register else None
        return (inf if number is None else number, player.pk)

    found = sorted(players.filter(pk__in=_candidates(wanted)), key=order)
    persons = [
        Person(place, player.sort_name, player.federation_id, player.birth_year, player.sex)
        for place, player in enumerate(found)
    ]
    return look_alikes(wanted, persons), dict(enumerate(found))


def _candidates(wanted: Sequence[Person]) -> Collection[int]:
    """The keys of all players who can look like one of these persons, and of some who do not. 2 queries."""
    persons = [person for person in wanted if len(person.sort_name) <= MAX_NAME_LENGTH]
    spelt = [spelling(person.sort_name.replace(", ", " ")) for person in persons]
    words = {word for name in spelt for word in name}
    with connection.cursor() as cursor:
        cursor.execute(
            SIMILAR_WORDS, {"words": [word for word in words if len(word) >= TYPO_WORD_LENGTHS[0]]}
        )
        similar = find_slips(words, [word for (word,) in cursor])
        matching = {word: " ".join((word, word[0], *similar.get(word, ()))) for word in words}
        pairs = []
        for person, name in zip(persons, spelt, strict=True):
            # The longest words are the rarest.
            full = sorted({word for word in name if len(word) > 1}, key=lambda word: (-len(word), word))
            full = full[:MAX_WORDS]
            pairs += [
                (person.number, matching[word], " ".join(matching[later] for later in full[place:]))
                for place, word in enumerate(full[:-1], 1)
            ]
            if len(full) == 1 < len(name):  # with an initial, or a word twice
                pairs.append((person.number, full[0], full[0]))
        of_persons, first_words, later_words = zip(*pairs, strict=True) if pairs else ((), (), ())
        cursor.execute(
            SIMILAR_PLAYERS,
            {
                "persons": [person.number for person in persons],
                "letters": ["=" + "".join(sorted("".join(name))) for name in spelt],
                "federations": [person.federation for person in persons],
                "birth_years": [person.birth_year or None for person in persons],
                "of_persons": list(of_persons),
                "first_words": list(first_words),
                "later_words": list(later_words),
            },
        )
        return [player for (player,) in cursor]


def names_that_can_match(players: PlayerQuerySet, searches: Sequence[str]) -> list[tuple[int, str]]:
    """The keys and sort names of these players that one of the searches can find, by key. At most 2 queries.

    `NameSearch` finds in them what it finds in the names of all these players.
    """
    wanted = [words for words in map(search_words, searches) if words]
    if not wanted:
        return []
    spelt = {word: spelling(word)[0] for words in wanted for word in words}
    near: list[str] = []
    if long := [key for key in spelt.values() if len(key) >= TYPO_WORD_LENGTHS[0]]:
        with connection.cursor() as cursor:
            cursor.execute(NEAR_WORDS, {"words": long})
            near = [word for (word,) in cursor]
    parts = {word: _parts(word, key, find_search_slips(key, near)) for word, key in spelt.items()}
    asked = " | ".join(
        way
        for words in wanted
        for way in (
            " & ".join(parts[word] for word in words),
            *(
                " & ".join([
                    *(parts[word] for word in before), _lexeme(f"~{spelling(run)[0]}"),
                    *(parts[word] for word in after),
                ])
                for before, run, after in runs_joined(words)
            ),
        )
    )  # fmt: skip
    matches = Func(
        F("spelling__parts"),
        Cast(Value(asked), SearchQueryField()),
        template="(%(expressions)s)",
        arg_joiner=" @@ ",
        output_field=BooleanField(),
    )
    return list(players.filter(matches).order_by("pk").values_list("pk", "sort_name"))


def _parts(word: str, key: str, slips: Collection[str]) -> str:
    """The query for names with a word that begins with this one or has it within, or is spelt so but for slips."""
    begins = _lexeme(word if len(word) >= MIN_PART_LENGTH else f"^{word}") + ":*"
    spelt = _lexeme(f"~{key}") + (":*" if len(key) >= MIN_PART_LENGTH else "")
    return f"({' | '.join((begins, spelt, *(_lexeme(f'~{other}') for other in slips)))})"


def _lexeme(text: str) -> str:
    """A quoted word of a text search query."""
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'"
