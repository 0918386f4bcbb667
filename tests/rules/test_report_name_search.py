"""Who is found by what somebody types, in which order, and why: written by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reporting.rules.names.name_search import MAX_SEARCH_LENGTH, NameSearch
from reporting.rules.names.normalize_name import sort_name

PEOPLE = [
    ("Müller", "Anna"), ("Muller", "Zoe"), ("Mueller", "Adam"), ("Mullerova", "Eva"), ("Miller", "Tom"),
    ("Baker", "Muller"), ("Shvartsman", "Alexander"), ("Schwarz", "Ivan"), ("N'Diaye", "Awa"), ("Ndiaye", "Samba"),
    ("van der Wal", "Jannes"), ("van der Waals", "Johannes"), ("Waldman", "Derk"), ("Étienne", "Paul"),
    ("Stefan", "Etien"), ("Łukasz", "Kosobudzki"), ("Łukaszewski", "Jan"), ("Dybman", "Mark"),
    ("Tchizhov", "Alexei"), ("Chub", "Fedor"), ("Kouogueu Kouomou", "Léopold"), ("Kouame", "Joel"),
    ("de Jong", "Piet"), ("Dejong", "Klaas"), ("Sijbrands", "Ton"), ("Sybrandy", "Auke"), ("Çelik", "Ömer"),
    ("Georgiev", "Alexander"), ("Guerra", "Luis"), ("Öztürk", "Ayşe"), ("Ström", "Åsa"), ("Straub", "Asa"),
    ("Groß", "Karl"), ("Gros", "Guillaume"), ("Grosman", "Karl"), ("Jensen", "Søren"), ("Janssen", "Sören"),
    ("Kuijken", "Jean-Marie"), ("Fillip", "Jeanne"), ("Philippe", "Marie Jeanne"), ("Anna", "Mulder"),
    ("O'Brien", "Sean"), ("Nguyễn", "Văn Ba"), ("Ivanov", "Ivan"), ("Ivanova", "Ivana"), ("Иванов", "Пётр"),
]  # fmt: skip
NAMES = [sort_name(*person) for person in PEOPLE]
SEARCH = NameSearch(NAMES)


def found(typed: str) -> list[str]:
    return [", ".join(PEOPLE[match.place]) for match in SEARCH.find(typed)]


def reason(typed: str, name: str) -> str:
    return next(match.reason for match in SEARCH.find(typed) if ", ".join(PEOPLE[match.place]) == name)


# What is typed, and whom it finds.
FOUND = [
    ("Muller", "Müller, Anna"), ("Müller", "Muller, Zoe"), ("mueler", "Müller, Anna"), ("MUELLER", "Müller, Anna"),
    ("Mueller", "Muller, Zoe"), ("muler", "Mueller, Adam"), ("Anna Muller", "Müller, Anna"),
    ("Muller, Anna", "Müller, Anna"), ("muller a", "Müller, Anna"), ("a muller", "Müller, Anna"),
    ("Schwarzman", "Shvartsman, Alexander"), ("Шварцман", "Shvartsman, Alexander"),
    ("Shwartsman", "Shvartsman, Alexander"), ("Alexander Schwarzman", "Shvartsman, Alexander"),
    ("NDiaye", "N'Diaye, Awa"), ("N'Diaye", "Ndiaye, Samba"), ("n diaye samba", "Ndiaye, Samba"),
    ("ndiaye awa", "N'Diaye, Awa"), ("Wal van der", "van der Wal, Jannes"), ("vanderwal", "van der Wal, Jannes"),
    ("wal", "van der Wal, Jannes"), ("Jannes van der Wal", "van der Wal, Jannes"), ("Etienne", "Étienne, Paul"),
    ("ETIENNE PAUL", "Étienne, Paul"), ("Lukasz", "Łukasz, Kosobudzki"), ("Chizhov", "Tchizhov, Alexei"),
    ("Чижов", "Tchizhov, Alexei"), ("Kouogeu", "Kouogueu Kouomou, Léopold"),
    ("Kuogueu", "Kouogueu Kouomou, Léopold"), ("Leopold Kouogueu", "Kouogueu Kouomou, Léopold"),
    ("de jong", "Dejong, Klaas"), ("dejong piet", "de Jong, Piet"), ("Sybrands", "Sijbrands, Ton"),
    ("Celik", "Çelik, Ömer"), ("Ozturk", "Öztürk, Ayşe"), ("Asa Strom", "Ström, Åsa"), ("Gross", "Groß, Karl"),
    ("Soren Jensen", "Jensen, Søren"), ("Kuyken", "Kuijken, Jean-Marie"),
    ("jean marie kuijken", "Kuijken, Jean-Marie"), ("Filippe", "Philippe, Marie Jeanne"),
    ("obrien", "O'Brien, Sean"), ("Nguyen", "Nguyễn, Văn Ba"), ("Ivanov Petr", "Иванов, Пётр"),
    ("uller", "Müller, Anna"), ("budz", "Łukasz, Kosobudzki"),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "name"), FOUND)
def test_a_name_is_found_in_another_spelling(typed: str, name: str) -> None:
    assert name in found(typed)


# What is typed, who comes first, and who is found, if at all, only after them.
NOT_FIRST = [
    ("Muller", "Müller, Anna", "Mueller, Adam"), ("Muller", "Müller, Anna", "Mullerova, Eva"),
    ("Muller", "Müller, Anna", "Baker, Muller"), ("Muller", "Müller, Anna", "Miller, Tom"),
    ("Mueller", "Mueller, Adam", "Müller, Anna"), ("Miller", "Miller, Tom", "Müller, Anna"),
    ("Anna Muller", "Müller, Anna", "Anna, Mulder"), ("Ivanov", "Ivanov, Ivan", "Ivanova, Ivana"),
    ("Ivan", "Ivanov, Ivan", "Ivanova, Ivana"), ("Ndiaye", "Ndiaye, Samba", "N'Diaye, Awa"),
    ("van der Wal", "van der Wal, Jannes", "van der Waals, Johannes"),
    ("Wal", "van der Wal, Jannes", "Waldman, Derk"), ("Lukasz", "Łukasz, Kosobudzki", "Łukaszewski, Jan"),
    ("de Jong", "de Jong, Piet", "Dejong, Klaas"), ("Etienne", "Étienne, Paul", "Stefan, Etien"),
    ("Sijbrands", "Sijbrands, Ton", "Sybrandy, Auke"), ("Gros", "Gros, Guillaume", "Grosman, Karl"),
    ("Jensen Soren", "Jensen, Søren", "Janssen, Sören"),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "first", "later"), NOT_FIRST)
def test_who_is_less_likely_does_not_come_first(typed: str, first: str, later: str) -> None:
    names = found(typed)
    assert names[0] == first
    assert later not in names or names.index(later) > 0


# Two names that no search takes for each other.
OTHERS = [
    ("Schwarzman", "Schwarz, Ivan"),
    ("Chub", "Tchizhov, Alexei"),
    ("Georgiev", "Guerra, Luis"),
    ("Anna Mallor", "Müller, Anna"),  # two letters of six
    ("Zoe Mueller", "Mueller, Adam"), ("Wal Jannes", "van der Waals, Johannes"), ("Strom", "Straub, Asa"),
    ("Muller Muller", "Müller, Anna"), ("Kouame Leopold", "Kouogueu Kouomou, Léopold"), ("jo", "Dejong, Klaas"),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "name"), OTHERS)
def test_others_are_not_found(typed: str, name: str) -> None:
    assert name not in found(typed)


def test_the_order_is_as_typed_begun_spelt_alike_a_letter_wrong() -> None:
    # As typed, who is called so before whose first name it is; begun; the same sounds; one letter: i for u, d for l.
    assert found("muller") == [
        "Müller, Anna", "Muller, Zoe", "Baker, Muller", "Mullerova, Eva", "Mueller, Adam", "Miller, Tom",
        "Anna, Mulder",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("typed", "name", "why"),
    [
        ("muller", "Müller, Anna", ""), ("mull", "Müller, Anna", ""), ("muller", "Mueller, Adam", "spelt alike"),
        ("muller", "Miller, Tom", "a letter differs"), ("anna muller", "Müller, Anna", "in another order"),
        ("anna mueler", "Müller, Anna", "spelt alike, in another order"),
        ("sjvartsm", "Shvartsman, Alexander", "begins alike in another spelling"),
        ("n'diaye", "Ndiaye, Samba", "the same letters, split into other words"),
        ("uller", "Mullerova, Eva", "within the name"),
    ],
)  # fmt: skip
def test_the_reason_says_what_is_not_plain(typed: str, name: str, why: str) -> None:
    assert reason(typed, name) == why


@pytest.mark.parametrize("typed", ["", " ", "'", "…", "x" * (MAX_SEARCH_LENGTH + 1), "\x00"])
def test_what_is_no_name_finds_nobody(typed: str) -> None:
    assert SEARCH.find(typed) == []


def test_an_empty_register_finds_nobody() -> None:
    assert NameSearch([]).find("muller") == []


@given(st.sampled_from(range(len(PEOPLE))), st.booleans())
def test_everybody_is_found_by_their_own_name_either_way_round(place: int, turned: bool) -> None:
    last, first = PEOPLE[place]
    names = SEARCH.find(f"{first} {last}" if turned else f"{last}, {first}")
    assert names[0].place == place


@given(st.text(max_size=90), st.lists(st.text(max_size=20), max_size=4))
def test_no_text_breaks_the_search(typed: str, names: list[str]) -> None:
    folded = [sort_name(name, typed) for name in names]
    found = NameSearch(folded).find(typed)
    assert len({finding.place for finding in found}) == len(found) <= len(names)
