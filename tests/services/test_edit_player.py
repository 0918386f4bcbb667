"""A player's record is put right: who may change what, what is asked, what is logged, and who was faster."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.utils import timezone

from ratings.federations.fmjd.models import FmjdListRow
from reporting.log.audit import Actor
from reporting.models import LogEntry, PersonalData, Player, PlayerIdentity, PlayerTitle, Role
from reporting.refusals.domain_error import DomainError
from reporting.register.selectors.records import PlayerRecord, history_of, record_of
from reporting.register.services.edit_player import edit_player
from reporting.register.services.import_register import import_register
from reporting.rules.names.normalize_name import sort_name
from tests.concurrency import run_concurrently
from tests.people import create_federation, create_player, create_user
from tests.services.report_helpers import refusal

pytestmark = pytest.mark.django_db

BORN = date(1990, 2, 1)
MUELLER = b"fmjd_id,last_name,first_name,federation,sex,born\n12345,Mueller,Anna,NED,W,1990\n"


@pytest.fixture
def player() -> Player:
    name = {"last_name": "Müller", "first_name": "Anna", "sort_name": sort_name("Müller", "Anna")}
    made = create_player(number=12345, federation_id="NED", sex="W", birth_year=1990, **name)
    PersonalData.objects.create(player=made, born=BORN)
    PlayerIdentity.objects.create(player=made, register="national", number="NL-7")
    return made


def person(role: Role, federation: str | None = None) -> Actor:
    email = f"{role}.{federation}@example.org"
    return Actor(create_user(email, role.label, roles=[role], federation_id=federation))


@pytest.fixture
def officer() -> Actor:
    return person(Role.RATING_OFFICER)


def edit(player, by, *, reason="A letter of the federation", decision="", titles_on=None, **to):
    known = record_of(player)
    words = {"reason": reason, "decision": decision, "titles_on": titles_on}
    return edit_player(player=player, wanted=known.with_values(to), looked_at=known.digest, by=by, **words)


def refused(player: Player, by: Actor, **to) -> DomainError:
    before, acts = record_of(player), LogEntry.objects.count()
    error = refusal(edit, player, by, **to)
    assert (record_of(player), LogEntry.objects.count()) == (before, acts)
    return error


def codes(player: Player, by: Actor, **to) -> list[tuple[str, str]]:
    error = refused(player, by, **to)
    assert error.code == "edit_refused"
    return [(finding.code, finding.field or "") for finding in error.findings]


def test_an_edit_changes_the_record_and_says_who_what_and_why(player: Player, officer: Actor) -> None:
    edit(
        player, officer, last_name="Muller", federation="GER", sex="M", birth_year=1991, born=date(1991, 3, 4)
    )
    player.refresh_from_db()
    assert (player.last_name, player.sort_name, player.federation_id) == ("Muller", "muller, anna", "GER")
    titles = {"title": "", "title_64": "", "iccf_title": ""}
    numbers = {"national": "NL-7", "knsb": "", "fide": "", "iccf": ""}
    expected = PlayerRecord("Muller", "Anna", "GER", "M", 1991, date(1991, 3, 4), titles, numbers)
    assert record_of(player) == expected
    act = LogEntry.objects.get(action="player.edit")
    assert (act.subject, act.actor) == ("player fmjd 12345", officer.user)
    assert act.reason == "A letter of the federation"
    before = {"last_name": "Müller", "federation_id": "NED", "sex": "W", "birth_year": 1990}
    assert act.before == before | {"day of birth": "known"}
    after = {"last_name": "Muller", "federation_id": "GER", "sex": "M", "birth_year": 1991}
    assert act.after == after | {"day of birth": "changed"}


def test_a_day_of_birth_stands_in_no_log(player: Player, officer: Actor) -> None:
    edit(player, officer, born=date(1990, 11, 23))
    edit(player, officer, born=None)
    edit(player, officer, born=date(1990, 12, 24))
    logged = [(act.before, act.after) for act in LogEntry.objects.filter(action="player.edit").order_by("pk")]
    assert logged == [
        ({"day of birth": "known"}, {"day of birth": "changed"}),
        ({"day of birth": "known"}, {"day of birth": ""}),
        ({"day of birth": ""}, {"day of birth": "known"}),
    ]
    assert PersonalData.objects.get().born == date(1990, 12, 24)


def test_the_last_number_of_a_player_stays(officer: Actor) -> None:
    create_federation("NED")
    only = create_player(1503015, "fide", last_name="Kuil", sort_name="kuil, ", federation_id="NED")
    edit(only, officer, national="NL-7")
    assert codes(only, officer, fide="") == [("number-last", "fide")]
    edit(only, officer, fide="", iccf="4711")
    assert Player.objects.get(pk=only.pk).address == "iccf-4711"


def test_numbers_are_given_changed_and_taken(player: Player, officer: Actor) -> None:
    edit(player, officer, fide="1503014", national="")
    edit(player, officer, fide="1503015")
    numbers = PlayerIdentity.objects.exclude(register="fmjd").values_list("register", "number")
    assert list(numbers) == [("fide", "1503015")]
    other = create_player(12346, last_name="Kuil", sort_name="kuil, ", federation_id="NED")
    assert codes(other, officer, fide="1503015") == [("number-taken", "fide")]
    edit(other, officer, national="NL-7")  # a national number is its federation's own affair


@pytest.mark.parametrize(
    ("to", "expected"),
    [
        ({"last_name": ""}, ("name-missing", "last_name")),
        ({"last_name": "Çelik"}, ("name-outside-alphabet", "last_name")),
        ({"first_name": "Anna\x00"}, ("name-outside-alphabet", "first_name")),
        ({"first_name": "Annabellaclaudiana"}, ("name-too-long", "first_name")),  # 18 letters
        ({"first_name": "A."}, ("name-shortened", "first_name")),
        ({"last_name": "M"}, ("name-shortened", "last_name")),
        ({"last_name": "-"}, ("name-forbidden", "last_name")),
        ({"last_name": "M" * 61}, ("text-too-long", "last_name")),
        ({"federation": "XXX"}, ("federation-unknown", "federation")),
        ({"federation": ""}, ("federation-unknown", "federation")),
        ({"sex": "X"}, ("value-unknown", "sex")),
        ({"title": "GM", "decision": "Council"}, ("value-unknown", "title")),
        ({"birth_year": 1849, "born": None}, ("born-unlikely", "birth_year")),
        ({"birth_year": 9999, "born": None}, ("born-unlikely", "birth_year")),
        ({"birth_year": 1991}, ("born-differs", "birth_year")),
        ({"birth_year": None}, ("born-differs", "birth_year")),
        ({"born": date(1991, 2, 1)}, ("born-differs", "birth_year")),
        ({"born": date(1849, 2, 1), "birth_year": 1849}, ("born-unlikely", "born")),
        ({"fide": "12a"}, ("number-unreadable", "fide")),
        ({"fide": "3000000000"}, ("number-unreadable", "fide")),
        ({"national": "x" * 21}, ("number-unreadable", "national")),
        ({"national": "=1+1"}, ("number-unreadable", "national")),
        ({"sex": "M", "reason": " "}, ("reason-missing", "reason")),
        ({"sex": "M", "reason": "x" * 2001}, ("text-too-long", "reason")),
        ({"title": "GMI"}, ("decision-missing", "decision")),
        ({"title_64": "MIF", "decision": "  "}, ("decision-missing", "decision")),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_changes(player, officer, to: dict, expected) -> None:
    assert expected in codes(player, officer, **to)


def test_a_name_that_stands_there_already_is_not_judged_again(player: Player, officer: Actor) -> None:
    """`Müller` is no English spelling (R20), but no one touches it here."""
    edit(player, officer, first_name="Annie")
    assert record_of(player).last_name == "Müller"


def test_a_title_names_its_decision(player: Player, officer: Actor) -> None:
    edit(player, officer, title="MIF", decision="Executive Board, 3 May 2026")
    act = LogEntry.objects.get(action="player.edit")
    assert act.reason == "A letter of the federation (decision: Executive Board, 3 May 2026)"
    assert (act.before, act.after) == ({"title": ""}, {"title": "MIF"})


def test_a_title_counts_from_the_day_that_the_edit_names_or_from_today(player, officer) -> None:
    edit(player, officer, title="MF", decision="Board", titles_on=date(2025, 3, 15))
    assert LogEntry.objects.get(action="player.edit").after == {"title": "MF", "titles_on": "2025-03-15"}
    edit(player, officer, title="MI", title_64="MF", decision="Board")
    today = timezone.localdate()
    titles = PlayerTitle.objects.order_by("discipline", "registered_on")
    assert list(titles.values_list("discipline", "title", "registered_on", "withdrawn_on")) == [
        ("100", "MF", date(2025, 3, 15), today),
        ("100", "MI", today, None),
        ("64", "MF", today, None),
    ]
    # What came later no longer counts.
    edit(player, officer, title="", decision="Board", titles_on=date(2025, 6, 1))
    assert record_of(player).values["title"] == ""
    of_100 = titles.filter(discipline="100").values_list("title", "registered_on", "withdrawn_on")
    assert list(of_100) == [("MF", date(2025, 3, 15), date(2025, 6, 1)), ("MI", today, today)]


def test_a_title_counts_from_no_coming_day(player: Player, officer: Actor) -> None:
    for day, name in ((date(1899, 12, 31), "Annie"), (timezone.localdate() + timedelta(days=2), "Anna")):
        found = codes(player, officer, title="MF", decision="Board", titles_on=day)
        assert found == [("title-day-outside", "titles_on")]
        edit(player, officer, first_name=name, titles_on=day)  # no title changes


def test_another_federation_counts_from_today(player: Player, officer: Actor) -> None:
    edit(player, officer, federation="GER")
    days = player.memberships.order_by("pk").values_list("federation", "since", "until")
    today = timezone.localdate()
    assert list(days) == [("NED", None, today), ("GER", today, None)]


def test_the_same_again_is_no_edit(player: Player, officer: Actor) -> None:
    assert refused(player, officer).code == "nothing_changed"


# Who may change which field of a player of the Netherlands: the office everything, an official what is personal.
FIELDS = {
    "last_name": "Muller", "first_name": "Annie", "sex": "M", "born": date(1990, 5, 6), "national": "NL-8",
    "federation": "GER", "title": "MIF", "title_64": "MIF", "fide": "72", "iccf": "73",
}  # fmt: skip
PERSONAL = {"last_name", "first_name", "sex", "born", "national"}
WHO = {
    ("rating_officer", None): set(FIELDS),
    ("tournament_director", None): set(FIELDS),
    ("national_official", "NED"): PERSONAL,
    ("national_official", "SEN"): set(),
    ("national_official", None): set(),
    ("referee", "NED"): set(),
    ("releasing_officer", None): set(),
    ("title_council", None): set(),
    ("administrator", None): set(),
}


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("who", WHO)
def test_who_may_change_which_field(player: Player, who: tuple[str, str | None], field: str) -> None:
    by = person(Role(who[0]), who[1])
    to = {field: FIELDS[field], "decision": "Executive Board, 3 May 2026"}
    if field in WHO[who]:
        edit(player, by, **to)
        # A number that lists print is no field of the record once it is given.
        given = {"iccf": str(Player.objects.get(pk=player.pk).numbers.get("iccf"))}
        assert (record_of(player).values | given)[field] == FIELDS[field]
    else:
        assert refused(player, by, **to).code == "forbidden"


def test_a_person_who_looked_at_an_older_record_is_refused(player: Player, officer: Actor) -> None:
    looked_at = record_of(player)
    import_register(content=MUELLER, by=officer)
    values = {"wanted": looked_at.with_values({"first_name": "Annie"}), "reason": "x", "by": officer}
    error = refusal(edit_player, player=player, looked_at=looked_at.digest, **values)
    assert error.code == "record_changed"
    assert record_of(player).printed_name == "Mueller, Anna"


def test_the_history_reads_imports_and_edits_as_one(player: Player, officer: Actor) -> None:
    import_register(content=MUELLER, by=officer)
    edit(player, officer, last_name="Muller")
    edit(player, officer, knsb="77")
    of_knsb = b"id,last_name,first_name,federation,sex,born\n77,Muller,Annie,NED,W,\n"
    import_register(content=of_knsb, register="knsb", by=officer)
    player.refresh_from_db()
    lines = history_of(player)
    assert [(line.entry.action, line.changes) for line in lines] == [
        ("player.update", [("first_name", "Anna", "Annie")]),
        ("player.edit", [("knsb", "", "77")]),
        ("player.edit", [("last_name", "Mueller", "Muller")]),
        ("player.update", [("last_name", "Müller", "Mueller")]),
    ]


def logged(outcome: object) -> str:
    """`saved`, or the code of the refusal; anything else is raised."""
    if isinstance(outcome, Exception) and not isinstance(outcome, DomainError):
        raise outcome
    return outcome.code if isinstance(outcome, DomainError) else "saved"


@pytest.mark.django_db(transaction=True)
def test_of_two_edits_at_once_one_wins_and_the_other_is_refused(player: Player) -> None:
    by = [person(Role.RATING_OFFICER), person(Role.TOURNAMENT_DIRECTOR)]
    looked_at = record_of(player)

    def one(turn: int) -> object:
        values = {"wanted": replace(looked_at, first_name=f"Anna{'xy'[turn]}"), "by": by[turn]}
        return edit_player(player=player, looked_at=looked_at.digest, reason="at once", **values)

    outcomes = [logged(call) for call in run_concurrently(lambda: one(0), lambda: one(1))]
    assert sorted(outcomes) == ["record_changed", "saved"]
    assert LogEntry.objects.filter(action="player.edit").count() == 1


@pytest.mark.django_db(transaction=True)
def test_one_number_given_to_two_players_at_once_is_one_player_s(player: Player) -> None:
    by = person(Role.RATING_OFFICER)
    other = create_player(12346, last_name="Kuil", sort_name="kuil, ", federation_id="NED")
    both = run_concurrently(lambda: edit(player, by, fide="1503014"), lambda: edit(other, by, fide="1503014"))
    outcomes = [logged(call) for call in both]
    assert sorted(outcomes)[1] == "saved"
    assert sorted(outcomes)[0] in ("edit_refused", "number_taken")
    assert PlayerIdentity.objects.filter(register="fide").count() == 1


def test_published_rows_stay_as_they_are(season_shared: None) -> None:
    row = FmjdListRow.objects.filter(list__state="published").order_by("list_id", "position").first()
    assert row is not None
    before = list(FmjdListRow.objects.filter(player_id=row.player_id).order_by("list_id").values())
    player = Player.objects.get(pk=row.player_id)
    edit(player, person(Role.RATING_OFFICER), last_name="Otherwise")
    after = list(FmjdListRow.objects.filter(player_id=row.player_id).order_by("list_id").values())
    assert after == before
