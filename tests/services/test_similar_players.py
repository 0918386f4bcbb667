"""Players are looked up by stored spellings; what is found is what the whole register would give (decision 0111)."""

from itertools import product
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from config.demo.people import read_federations
from reporting.models import Federation, Player, PlayerSpelling, SpeltWord
from reporting.register.selectors.search import find_players
from reporting.register.services.erase_name import erase_name
from reporting.register.similar_players import names_that_can_match, similar_players
from reporting.rules.names.look_alikes import Person, look_alikes, spelling
from reporting.rules.names.name_search import Grade, NameSearch
from reporting.rules.names.normalize_name import sort_name
from reporting.rules.register.registers import first_register
from tests.models.rows import player

pytestmark = pytest.mark.django_db

SYLLABLES = [
    "van", "ber", "gen", "sche", "ou", "iev", "alek", "jan", "kow", "zhu", "the", "mann", "ей", "щук",
]  # fmt: skip
FEDERATIONS = ("NED", "POL", "UKR")


def name_parts(chance: Random) -> list[str]:
    return [
        "".join(chance.choices(SYLLABLES, k=chance.randint(1, 4))) for _ in range(chance.choice([1, 1, 1, 2]))
    ]


def with_a_slip(word: str, chance: Random) -> str:
    """The word with a letter less, more or another one, or two letters exchanged."""
    at, letter = chance.randrange(len(word)), chance.choice("aeknrvz")
    return chance.choice([
        word[:at] + word[at + 1 :], word[:at] + letter + word[at:], word[:at] + letter + word[at + 1 :],
        word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :],
    ])  # fmt: skip


def like(known: Player, number: int, chance: Random) -> Person:
    """A person whose name is that of a player, or differs in some of the ways in which reports differ."""
    last, _, first = known.sort_name.partition(", ")
    for change in chance.choices(range(9), k=chance.randint(0, 3)):
        last, first = {
            0: (with_a_slip(last or "a", chance), first),
            1: (last, with_a_slip(first or "a", chance)),
            2: (first, last),
            3: (last, first[:1]),
            4: (f"{last} {chance.choice(SYLLABLES)}", first),
            5: (last.replace(" ", ""), first),
            6: (last + first, ""),
            7: (last[:1], first),
            8: (last, f"{first} {chance.choice(SYLLABLES)}"),
        }[change]
    born = chance.choice([None, known.birth_year, 1980])
    federation = chance.choice(["", known.federation_id, *FEDERATIONS])
    name = sort_name(last, first) if chance.random() < 0.6 else f"{first} {last}".strip()
    return Person(number, name, federation, born, chance.choice(["", known.sex, "W"]))


def registered(number: int, chance: Random) -> None:
    Federation.objects.bulk_create([Federation(code=code, name=code) for code in FEDERATIONS])
    names = [name_parts(chance) for _ in range(number // 3)]
    people = []
    for _ in range(number):
        last, first = " ".join(chance.choice(names)), " ".join(chance.choice([*names, ["j"], ["a", "b"], []]))
        people.append(
            Player(
                last_name=last, first_name=first, sort_name=sort_name(last, first),
                federation_id=chance.choice(FEDERATIONS), sex=chance.choice(["", "M", "W"]),
                birth_year=chance.choice([None, 0, *range(1975, 1985)]),
            )
        )  # fmt: skip
    numbers = chance.sample(range(10_000, 99_999), number)
    Player.objects.create_with_numbers(first_register(), zip(numbers, people, strict=True))


def test_the_same_are_found_as_among_the_whole_register_in_the_same_order():
    chance = Random(11)  # noqa: S311
    registered(700, chance)
    by_number = sorted(Player.objects.all(), key=lambda known: known.numbers[first_register().code])
    wanted = [like(known, place, chance) for place, known in enumerate(chance.choices(by_number, k=900))]
    everyone = [
        Person(place, known.sort_name, known.federation_id, known.birth_year, known.sex)
        for place, known in enumerate(by_number)
    ]
    expected = {
        number: [found._replace(number=by_number[found.number].pk) for found in similar]
        for number, similar in look_alikes(wanted, everyone).items()
    }
    alike, players = similar_players(wanted, Player.objects.all(), first_register())
    assert {
        number: [found._replace(number=players[found.number].pk) for found in similar]
        for number, similar in alike.items()
    } == expected
    assert {reason.code for similar in expected.values() for found in similar for reason in found.reasons} >= {
        "same-name", "exchanged", "spelling", "letter", "letters", "initial", "part", "split",
    }  # fmt: skip


def typed_for(known: Player, chance: Random) -> str:
    """A search for a player: the name, a part of it, or either with a slip, in another order, joined or split."""
    words = known.sort_name.replace(",", "").split()
    for change in chance.choices(range(7), k=chance.randint(0, 2)):
        word = chance.choice(words)
        words = {
            0: [with_a_slip(word, chance)],
            1: [word[: chance.randint(1, 4)]],
            2: [word[chance.randint(0, 3) :]] if len(word) > 5 else words,
            3: words[::-1],
            4: ["".join(words)],
            5: [word[:3], word[3:]],
            6: [*words[:-1], with_a_slip(words[-1], chance)],
        }[change]
        words = [word for word in words if word] or ["a"]
    return " ".join(words)


def test_a_search_finds_the_same_as_in_all_names_in_the_same_order():
    chance = Random(14)  # noqa: S311
    registered(700, chance)
    rows = list(Player.objects.order_by("pk").values_list("pk", "sort_name"))
    everyone = NameSearch([name for _, name in rows])
    searches = [typed_for(known, chance) for known in chance.choices(Player.objects.all(), k=300)]
    grades = set()
    for typed in (*searches, "'", "\\", "' | a:*", "^", "~", "漢"):
        expected = everyone.find(typed)
        grades |= {match.grade for match in expected}
        found = find_players(Player.objects.all(), typed)
        assert list(found.items()) == [(rows[match.place][0], match.reason) for match in expected], typed
    assert grades == set(Grade)


def test_the_database_spells_words_as_the_rules_do():
    chance = Random(12)  # noqa: S311
    letters = "abcdefghijklmnopqrstuvwxyzcszhjtabouieёйщжхцчшюяєљњџъьθχψəүғ٣漢"
    names = [name for one in read_federations().values() for name in (*one.first_men, *one.last)]
    words = {word for name in names for word in sort_name(name, "").replace(",", "").split()}
    words |= {"".join(parts) for parts in product(SYLLABLES, repeat=3)} | {"h", "ъ", "ьъ", "schtsch"}
    words |= {"".join(chance.choices(letters, k=chance.randint(1, 12))) for _ in range(3000)}
    with connection.cursor() as cursor:
        cursor.execute("SELECT word, spell_word(word) FROM unnest(%s::text[]) AS word", [list(words)])
        assert dict(cursor) == {word: spelling(word)[0] for word in words}


def test_a_register_of_any_size_is_asked_by_its_indexes():
    chance = Random(13)  # noqa: S311
    registered(3000, chance)
    wanted = [like(known, place, chance) for place, known in enumerate(Player.objects.all()[:68])]
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE reporting_playerspelling, reporting_speltword, reporting_player")
        with CaptureQueriesContext(connection) as asked:
            similar_players(wanted, Player.objects.all())
            names_that_can_match(Player.objects.all(), ["bergen alekjan"])
        plans = []
        for place in (0, 1, 3, 4):
            query = asked.captured_queries[place]
            cursor.execute(f"EXPLAIN {query['sql']}")
            plans.append("\n".join(line for (line,) in cursor))
    for plan, table, index in zip(
        plans,
        ("reporting_speltword", "reporting_playerspelling") * 2,
        ("spelt_word_keys", "player_spelling_words", "spelt_word_keys", "player_spelling_parts"),
        strict=True,
    ):
        assert f"Index Scan on {index}" in plan
        assert f"Seq Scan on {table}" not in plan


def words_of(known: Player) -> list[str]:
    return PlayerSpelling.objects.get(player=known).words


def test_a_changed_player_is_looked_up_by_the_new_values():
    known = player(last_name="Schouten", sort_name="schouten, wim", birth_year=None)
    assert words_of(known) == ["suten", "vim", "=eimnstuv", "@NED", "#NED"]
    Player.objects.filter(pk=known.pk).update(sort_name="schoute, wim", birth_year=1990)
    assert words_of(known) == ["sute", "vim", "=eimstuv", "@NED", "#1990"]
    assert SpeltWord.objects.filter(word__in=["sute", "vim"]).values_list("word", flat=True).get() == "sute"


def test_the_words_of_a_name_are_entered_in_one_order_whatever_its_parts():
    """Else two who enter it at the same time could wait for each other."""
    player(last_name="Zebra", sort_name="zebra, mammut alpaka")
    with connection.cursor() as cursor:
        cursor.execute("SELECT word FROM reporting_speltword ORDER BY ctid")
        assert [word for (word,) in cursor] == ["alpaka", "mamut", "mamutalpaka", "sebra"]


@pytest.mark.database_role("owner")
def test_an_erased_name_leaves_no_spelling_except_of_words_that_others_have(office):
    office.register(31)
    erased = Player.objects.get(numbers__fmjd=31)
    Player.objects.filter(pk=erased.pk).update(sort_name="onlyname, shared")
    player(last_name="Other", sort_name="other, shared")
    Player.objects.filter(pk=erased.pk).update(sort_name="lastname, shared")
    erased.refresh_from_db()
    (only, last, shared) = (spelling(word)[0] for word in ("onlyname", "lastname", "shared"))
    assert SpeltWord.objects.filter(word__in=[only, last, shared]).count() == 3
    erase_name(player=erased, reason="Asked for it.", by=office.officer)
    assert SpeltWord.objects.filter(word__in=[only, last, shared]).get().word == shared
    assert words_of(erased)[:2] == list(spelling("erased player"))
    SpeltWord.objects.create(word=only, keys=[])
    Player.objects.filter(pk=erased.pk).update(sort_name="erased player")
    assert SpeltWord.objects.filter(word=only).exists()  # only the erasure itself looks through all words
