"""Names held together: the reasons to take two persons for one, and what is no reason (R21, R24)."""

import pytest

from reporting.rules.names.look_alikes import MAX_CANDIDATES, Person, look_alikes, spelling
from reporting.rules.names.normalize_name import normalize_name, sort_name
from tests.call_count import counted


def person(number, last, first="", *, federation="NED", born=1990, sex="M"):
    return Person(number, sort_name(last, first) if first else normalize_name(last), federation, born, sex)


def reasons(wanted, *known):
    (found,) = look_alikes([wanted], known).values()
    return {person.number: tuple(map(str, person.reasons)) for person in found}


@pytest.mark.parametrize(
    "written",
    [
        "Müller Mueller Muller", "Sergey Sergei Sergej Serhii Serhiy Sergii Сергей",
        "Chizhov Tsjizjov Tschischow Čižov Чижов", "Shvartsman Sjvartsman Schwartzman Шварцман",
        "Georgiev Gueorguiev Georgijev Георгиев", "Yevgeny Evgeny Jevgenij Евгений", "Boubacar Bubakar",
        "Ivanov Ivanoff Iwanow Иванов", "Igor Ihor Игорь", "Aleksey Alexei Алексей",
        "Christiaan Kristiaan Kristian", "Jurij Yuri Iouri Юрий", "Šķēle Skele", "Papadopoulos Παπαδόπουλος",
        "Janssen Jansen",
    ],
)  # fmt: skip
def test_the_usual_spellings_of_a_name_are_one(written):
    assert len({spelling(normalize_name(name)) for name in written.split()}) == 1


@pytest.mark.parametrize("names", ["Ivanov Popov", "Sy Si Sow", "Jan Jaap", "Peters Pieterse", "Anna Hanna"])
def test_other_names_are_others(names):
    first, *_, last = names.split()
    assert spelling(normalize_name(first)) != spelling(normalize_name(last))


KNOWN = person(11, "Müller", "Sergey")
SAME = ("the same year of birth", "the same federation")


@pytest.mark.parametrize(
    ("wanted", "known", "said"),
    [
        (("Muller", "Sergey"), ("Müller", "Sergey"), "the same name"),
        (("Mueller", "Sergei"), ("Müller", "Sergey"), "another spelling (Mueller, Muller; Sergei, Sergey)"),
        (("Чижов", "Алексей"), ("Chizhov", "Aleksej"), "another spelling (Чижов, Chizhov; Алексеи, Aleksej)"),
        (("Sergey", "Muller"), ("Müller", "Sergey"), "first name and surname exchanged"),
        (("Dijkstra", "Hendrik"), ("Dykstro", "Hendrik"), "a letter differs (Dijkstra, Dykstro)"),
        (("Dijkstra", "Hednrik"), ("Dijkstra", "Hendrik"), "a letter differs (Hednrik, Hendrik)"),
        (("Valneriksen", "Piet"), ("Valmeriksan", "Piet"), "two letters differ (Valneriksen, Valmeriksan)"),
        (("Silva", "Jose"), ("Silva Santos", "Jose"), "an additional part of the name (Santos)"),
        (("Silva", "Jose Maria"), ("Silva", "Jose"), "an additional part of the name (Maria)"),
        (("Berg", "Jan"), ("van der Berg", "Jan"), "an additional part of the name (Van Der)"),
        (("Obrien", "Patrick"), ("O'Brien", "Patrick"), "the same letters, split into other words"),
        (("Bosma", "P"), ("Bosma", "Piet"), "an initial (P, Piet)"),
        (("Bosma", "Piet"), ("Bosma", "P"), "an initial (Piet, P)"),
    ],
)
def test_a_look_alike_is_given_with_its_reasons(wanted, known, said):
    assert reasons(person(1, *wanted), person(11, *known)) == {11: (said, *SAME)}


def test_a_name_that_is_not_split_is_held_word_by_word():
    assert reasons(person(1, "Sergey Muller"), KNOWN) == {11: ("the same name", *SAME)}


@pytest.mark.parametrize(
    ("wanted", "known"),
    [
        (("Muller", "Sergey"), ("Müller", "Boris")),  # a surname alone
        (("Bosma", "Jan"), ("Posma", "Jaap")),
        (("Sow", "Ali"), ("Sou", "Ali")),  # three letters forgive none
        (("Bosma", "Jan Piet"), ("Bosma", "Jan Klaas")),  # a part more on both sides
        (("Dijkstra", "Hednrik"), ("Dykstro", "Hendrki")),  # three letters in all
        (("Bosma", "P"), ("Bosma", "Klaas")),
    ],
)
def test_a_name_that_is_only_half_alike_is_none(wanted, known):
    assert reasons(person(1, *wanted), person(11, *known)) == {}


def test_the_same_name_counts_whatever_else_differs_and_the_reasons_say_only_what_is_the_same():
    other = person(11, "Müller", "Sergey", federation="UKR", born=1955, sex="W")
    assert reasons(person(1, "Muller", "Sergey"), other) == {11: ("the same name",)}


@pytest.mark.parametrize(
    "details",
    [{"born": 1991}, {"federation": "BEL", "born": None}, {"sex": "W"}],
    ids=["another year", "nothing speaks for it", "another sex"],
)
def test_a_slip_is_taken_for_one_only_where_birth_or_federation_speaks_for_it_and_nothing_against_it(details):
    wanted = person(1, "Dijkstro", "Hendrik")
    assert reasons(wanted, person(11, "Dijkstra", "Hendrik")) != {}  # the twin
    assert reasons(wanted, person(11, "Dijkstra", "Hendrik", **details)) == {}


def test_at_most_five_are_given_best_first_and_always_in_one_order():
    known = [
        person(20, "Dijkstra", "Hendrik", federation="BEL", born=1950), person(13, "Dijkstro", "Hendrik"),
        person(12, "Hendrik", "Dijkstra"), person(11, "Dijkstra", "Hendrik"), person(10, "Dijkstra", "Hendrik Jan"),
        person(15, "Dykstra", "Hendrik"), person(14, "Dijkstra", "Hendrik", federation="BEL"),
    ]  # fmt: skip
    wanted = person(1, "Dijkstra", "Hendrik")
    found = list(reasons(wanted, *known))
    assert len(found) == MAX_CANDIDATES
    assert found[:2] == [11, 12]  # as written, then exchanged
    assert found == list(reasons(wanted, *reversed(known)))


def test_each_of_several_players_gets_their_own():
    known = [person(11, "Dijkstra", "Hendrik"), person(12, "Bosma", "Piet")]
    found = look_alikes([person(2, "Bosma", "Piet"), person(1, "Nova", "Kometa")], known)
    assert {number: [look_alike.number for look_alike in several] for number, several in found.items()} == {
        2: [12],
        1: [],
    }
    assert look_alikes([person(1, "")], known) == {1: []}


def test_a_name_longer_than_any_of_the_register_is_not_looked_for():
    known = [person(11, "Dijkstra", "Hendrik")]
    assert reasons(person(1, "Dijkstra Hendrik " + "x" * 113), *known) == {
        11: (f"an additional part of the name ({'X' + 'x' * 112})", *SAME)
    }
    assert reasons(person(1, "Dijkstra Hendrik " + "x" * 114), *known) == {}


def test_a_thousand_players_are_held_against_fifteen_thousand_without_asking_each_of_each():
    """Each has a slip in the last letter of the surname, and is found."""
    parts = ["ba", "de", "fo", "gu", "ki", "la", "me", "no", "pu", "ri", "sa", "te", "vo", "zu"]
    surnames = [a + b + c + d + "nov" for a in parts for b in parts for c in parts for d in parts[:6]]
    known = [
        person(
            number, surnames[number], parts[number % 14] + parts[number // 7 % 14] + "s", born=1950 + number % 60,
        )
        for number in range(15_000)
    ]  # fmt: skip
    wanted = [
        look_alike._replace(sort_name=look_alike.sort_name.replace("nov,", "nok,"), number=turn)
        for turn, look_alike in enumerate(known[::15])
    ]
    found, calls = counted(lambda: look_alikes(wanted, known))
    assert all(turn * 15 in [look_alike.number for look_alike in several] for turn, several in found.items())
    assert calls < len(wanted) * len(known) / 10
