"""The places of a championship: named, confirmed, withdrawn, replaced (Annexes 12 and 17; R72a, R74 to R74c)."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from io import StringIO

import pytest
from django.utils.timezone import localdate as today

from reporting.log.audit import Actor
from reporting.models import Federation, LogEntry, Player, Role
from reporting.register.services.import_register import import_register
from tests.concurrency import run_concurrently
from tests.pages.office.office_pages import text_of
from tests.services.conftest import REGISTER_HEADER, Office
from tests.services.report_helpers import person, refusal
from tests.services.test_world_cup_commands import CUP, accept, answer_of
from titles.federations.fmjd.championships.labels import handed_on_notes
from titles.federations.fmjd.championships.publication import key_of_list, notes
from titles.federations.fmjd.championships.selectors import ChampionshipPage, championship_page
from titles.federations.fmjd.championships.services.decide_standing import decide_standing
from titles.federations.fmjd.championships.services.record_lot import record_lot
from titles.federations.fmjd.championships.services.record_places import move_place, name_players
from titles.federations.fmjd.championships.services.save_championship import (
    ChampionshipValues,
    change_championship,
    create_championship,
)
from titles.federations.fmjd.models import Championship, DrawnLot, PlaceStep, Publication
from titles.federations.fmjd.world_cup.inputs import players_by_id
from titles.federations.fmjd.world_cup.publications.kinds import kind_of
from titles.federations.fmjd.world_cup.publications.outdated import differences_now
from titles.federations.fmjd.world_cup.publications.selectors import figures_of
from titles.federations.fmjd.world_cup.publications.steps import (
    approve_publication,
    calculate_publication,
    publish_publication,
    request_publication,
)
from titles.rules.lifecycle import PlaceMove

COUNCIL_DAY = date(2026, 10, 1)
BEFORE, AFTER = date(2026, 9, 30), COUNCIL_DAY
AFRICANS = {21: "SEN", 22: "SEN", 23: "CIV", 24: "CMR", 25: "MLI", 26: "BFA"}
VALUES = ChampionshipValues(
    place="Dakar", first_day=date(2027, 9, 28), council_day=COUNCIL_DAY, champion=11, previous="2026-cup"
)
ONLY_DAYS = ChampionshipValues(first_day=VALUES.first_day, council_day=COUNCIL_DAY)
Kind = Championship.Kind


def register_world(office: Office) -> None:
    """A World Cup of 11 M, 12 W, 13 M and 14 M, a list, and players of Africa.

    All of the Cup are of NED. 13 was absent from the closing ceremony: the World Cup has 11 and 14. The list has 11,
    then 16 and 17 with 60 games each.
    """
    office.opening(
        "fmjd_id rating games last_game games_3_years\n11 2300 90 2024-12-01 60\n16 2250 90 2024-12-01 60\n"
        "17 2250 90 2024-12-01 60",
        in_force=date(2025, 1, 1),
    )
    office.register(13, 14)
    office.register(12, sex="W")
    africans = "\n".join(
        f"{number},African{'abcdef'[number - 21]},Player,{code},M,1990," for number, code in AFRICANS.items()
    )
    import_register(content=f"{REGISTER_HEADER}\n{africans}".encode(), by=office.officer)
    accept(office, "Cup", [11, 12, 13, 14], absent_from_closing="[3]", **CUP)


@pytest.fixture
def director(office: Office) -> Actor:
    register_world(office)
    return person("Dora Director", Role.TOURNAMENT_DIRECTOR)


@pytest.fixture
def world_20(director: Actor) -> Championship:
    return create_championship(kind=Kind.WORLD_20, values=VALUES, by=director)


def player(number: int) -> Player:
    return players_by_id([number])[number]


def move(championship: Championship, number: int, made: PlaceMove, by: Actor, on: date = BEFORE, **other):
    return move_place(championship=championship, player=player(number), move=made, on=on, by=by, **other)


def name(championship: Championship, item: int, numbers: list[int], by: Actor, **other: object):
    return name_players(championship=championship, item=item, numbers=numbers, on=BEFORE, by=by, **other)


def filled(page: ChampionshipPage) -> list[tuple[object, ...]]:
    """The places that have or had a player: item, player, source, state, who withdrew."""
    found = []
    for row in page.places:
        if row.holder or row.withdrawn:
            withdrawn = [int(holder.player.numbers["fmjd"]) for holder in row.withdrawn]
            found.append((row.item.item, row.place.player, str(row.place.source), str(row.state), *withdrawn))
    return found


def findings(page: ChampionshipPage) -> list[tuple[object, ...]]:
    return [
        (str(row.finding.code) if row.finding else "", int(row.player.numbers["fmjd"]))
        for row in page.findings
    ]


def reserves(page: ChampionshipPage) -> list[tuple[object, ...]]:
    return [(row.reserve.player, row.reserve.by_lot) for row in page.reserves]


@pytest.mark.django_db
def test_the_places_of_twenty_are_filled_by_rule_named_confirmed_and_replaced(director, world_20):
    # By rule: 1: 11. 2: 12 and 13, next in the Cup's final places. 8: number 1 is 11, qualified, so 9 has two places:
    # 14 of the World Cup, and the reserve list, whose first is 16, equal with 17 until a lot is drawn.
    page = championship_page(world_20)
    by_rule = [
        (1, 11, "champion", "named"), (2, 12, "final-classification", "named"),
        (2, 13, "final-classification", "named"), (9, 14, "world-cup", "named"), (9, 16, "reserve", "named"),
    ]  # fmt: skip
    assert (len(page.places), filled(page), reserves(page)) == (20, by_rule, [(17, True)])
    # Africa has four places and a limit of one in group B: 22 is of the federation of 21, 26 is one too many.
    name(world_20, 4, [21, 22, 23], director)
    name(world_20, 4, [24, 25, 26], director)
    page = championship_page(world_20)
    africa = [(4, number, "named", "named") for number in (21, 23, 24, 25)]
    assert filled(page) == [*by_rule[:3], *africa, *by_rule[3:]]
    assert findings(page) == [("federation-limit", 22), ("too-many", 26)]
    # Before the Council's day 23 is followed by 26, the next name within the limit; 12 from that day on by the list.
    move(world_20, 21, PlaceMove.CONFIRM, director)
    move(world_20, 23, PlaceMove.DECLINE, director)
    move(world_20, 12, PlaceMove.DECLINE, director, on=AFTER)
    page = championship_page(world_20)
    assert filled(page) == [
        (1, 11, "champion", "named"), (2, 17, "reserve", "named", 12), by_rule[2],
        (4, 21, "named", "confirmed"), (4, 26, "named", "named", 23), (4, 24, "named", "named"),
        (4, 25, "named", "named"), *by_rule[3:],
    ]  # fmt: skip
    assert (findings(page), reserves(page)) == ([("federation-limit", 22)], [])
    replaced = page.places[1].withdrawn[0]
    assert (replaced.state, replaced.step.on, replaced.step.by) == ("replaced", AFTER, director.user)
    # No player follows 17: the place is without a player, and so is the reserve list.
    move(world_20, 17, PlaceMove.DECLINE, director, on=AFTER)
    assert filled(championship_page(world_20))[1] == (2, None, "reserve", "declined", 12, 17)
    move(world_20, 17, PlaceMove.UNDO, director, reason="A mistake")
    assert filled(championship_page(world_20))[1] == (2, 17, "reserve", "named", 12)
    actions = LogEntry.objects.filter(subject="championship world-2027").order_by("pk")
    assert [entry.action.partition(".")[2] for entry in actions] == [
        "create", *["name"] * 6, "confirm", "decline", "decline", "decline", "undo",
    ]  # fmt: skip


@pytest.mark.django_db
def test_a_championship_of_forty_half_named_has_open_places_and_its_groups(office, director):
    for year in (2025, 2026):
        accept(
            office, f"Final {year}", [11, 12, 13, 14], year=year, month=10, national_championship='"final"',
            country='"NED"',
        )  # fmt: skip
    championship = create_championship(kind=Kind.WORLD_40, values=VALUES, by=director)
    name(championship, 3, [21, 16], director)
    name(championship, 4, [21, 22, 24, 25], director)
    page = championship_page(championship)
    # 2: four places, the Cup has 12, 13 and 14. 4: 21 is named by the organiser already, which is out of the limit.
    # 8: 11 and 16 are qualified, 17 is number 3. 9: two and the two of item 8; the World Cup has no other player.
    assert len(page.places) == 40
    assert filled(page) == [
        (1, 11, "champion", "named"), *((2, number, "final-classification", "named") for number in (12, 13, 14)),
        (3, 21, "named", "named"), (3, 16, "named", "named"),
        *((4, number, "named", "named") for number in (22, 24, 25)),
        (8, 17, "rating", "named"),
    ]  # fmt: skip
    assert sum(row.state == "open" for row in page.places) == 30
    assert findings(page) == [("already-qualified", 21)]
    assert (page.found.group_a, sorted(page.found.finals["NED"])) == (["NED"], [2025, 2026])


@pytest.mark.django_db
def test_wrong_names_are_refused_with_their_numbers_and_nothing_is_stored(director, world_20):
    women = create_championship(kind=Kind.WOMEN_20, values=ONLY_DAYS, by=director)
    cases = [
        (world_20, 4, [21, 98, 99], "name_unknown", "98, 99"), (world_20, 4, [21, 23, 21], "named_twice", "21"),
        (world_20, 4, [21, 13, 14], "name_other_continent", "13, 14"), (women, 3, [12, 13], "name_other_sex", "13"),
    ]  # fmt: skip
    for championship, item, numbers, code, named in cases:
        refused = refusal(name, championship, item, numbers, director)
        assert (refused.code, str(refused.values["players"])) == (code, named)
    name(world_20, 4, [23], director)
    assert refusal(name, world_20, 4, [23], director).code == "named_twice"
    assert refusal(name, world_20, 2, [23], director).code == "item_not_named"
    assert PlaceStep.objects.count() == 1


@pytest.mark.django_db
def test_what_the_office_cannot_record_is_refused(office, director, world_20):
    name(world_20, 4, [23], director)
    other = Actor(office.referee.user)
    tomorrow = today() + timedelta(1)
    version = Championship.objects.get().version
    for expected, act in (
        ("forbidden", lambda: name(world_20, 4, [24], other)),
        ("forbidden", lambda: create_championship(kind=Kind.WORLD_40, values=VALUES, by=other)),
        ("championship_exists", lambda: create_championship(kind=Kind.WORLD_40, values=VALUES, by=director)),
        ("no_place", lambda: move(world_20, 24, PlaceMove.CONFIRM, director)),
        ("no_place", lambda: move(world_20, 17, PlaceMove.CONFIRM, director)),  # on the reserve list only
        ("wrong_state", lambda: move(world_20, 23, PlaceMove.UNDO, director, reason="x")),
        ("wrong_state", lambda: move(world_20, 23, PlaceMove.REPLACE, director)),
        ("wrong_state", lambda: move(world_20, 11, PlaceMove.REMOVE, director, reason="x")),  # not named
        ("reason_missing", lambda: move(world_20, 23, PlaceMove.REMOVE, director, reason=" ")),
        ("day_in_future", lambda: move(world_20, 23, PlaceMove.DECLINE, director, on=tomorrow)),
        ("preview_changed", lambda: move(world_20, 23, PlaceMove.CONFIRM, director, seen=version - 1)),
        ("lot_not_equal", lambda: lot(world_20, [17, 14], director)),
        ("lot_not_equal", lambda: lot(world_20, [16, 17, 16], director)),
    ):
        assert refusal(act).code == expected
    for values, code in (
        ({"first_day": date(2028, 1, 1)}, "championship_year"),
        ({"council_day": date(2027, 9, 29)}, "championship_council_day"),
        ({"match_played": True}, "championship_match"), ({"opponent": 11}, "championship_match"),
        ({"champion": 99}, "name_unknown"), ({"previous": "2020-none"}, "previous_unknown"),
    ):  # fmt: skip
        given = replace(VALUES, **values)
        assert refusal(change_championship, championship=world_20, values=given, by=director).code == code
    assert Championship.objects.get().version == version


def lot(championship: Championship, players: list[int], by: Actor) -> DrawnLot:
    drawn = {"source": DrawnLot.Source.RATING, "players": players, "on": BEFORE}
    return record_lot(championship=championship, by=by, **drawn)


@pytest.mark.django_db
def test_a_recorded_lot_orders_equal_players(director, world_20):
    # 16 and 17 are equal: 16 takes the place of item 9 until the lot puts 17 first.
    marked = [row.place.player for row in championship_page(world_20).places if row.by_lot]
    assert marked == [16]
    lot(world_20, [17, 16], director)
    page = championship_page(world_20)
    assert filled(page)[-1] == (9, 17, "reserve", "named")
    assert reserves(page) == [(16, False)]
    assert not any(row.by_lot for row in page.places)


@pytest.mark.django_db
def test_a_name_is_removed_and_a_refused_match_goes_to_the_reserve_list(director, world_20):
    name(world_20, 4, [23, 24], director)
    move(world_20, 23, PlaceMove.REMOVE, director, reason="Named by mistake")
    values = replace(VALUES, opponent=12, refused=(12,))
    change_championship(championship=world_20, values=values, by=director)
    page = championship_page(Championship.objects.get())
    # 12 refused the match: that place of item 2 goes to the reserve list, 16; then 9 has 14 and 17.
    assert filled(page) == [
        (1, 11, "champion", "named"), (2, 16, "reserve", "named"), (2, 13, "final-classification", "named"),
        (4, 24, "named", "named"), (9, 14, "world-cup", "named"), (9, 17, "reserve", "named"),
    ]  # fmt: skip
    version = Championship.objects.get().version
    assert change_championship(championship=world_20, values=values, by=director).version == version
    changed = LogEntry.objects.get(action="championship.change")
    assert changed.before == {"opponent": None, "refused": []}
    assert changed.after == {"opponent": 12, "refused": [12]}


@pytest.mark.django_db
def test_withdrawals_of_one_day_are_in_the_order_given(director, world_20):
    # 13 confirmed before 12 withdrew, and withdrew after: 12 is replaced first, by 17, the last of the reserve list.
    move(world_20, 13, PlaceMove.CONFIRM, director, on=AFTER)
    move(world_20, 12, PlaceMove.DECLINE, director, on=AFTER)
    move(world_20, 13, PlaceMove.DECLINE, director, on=AFTER)
    assert filled(championship_page(world_20))[1:3] == [
        (2, 17, "reserve", "named", 12), (2, None, "reserve", "declined", 13),
    ]  # fmt: skip


@pytest.mark.django_db
def test_who_confirmed_a_place_that_is_lost_is_named(director, world_20):
    move(world_20, 13, PlaceMove.CONFIRM, director)
    change_championship(championship=world_20, values=replace(VALUES, previous=""), by=director)
    assert findings(championship_page(Championship.objects.get())) == [("", 13)]


@pytest.mark.django_db
def test_players_of_a_federation_that_is_not_in_good_standing_are_marked(director, world_20):
    name(world_20, 4, [23], director)
    ivory_coast = Federation.objects.get(pk="CIV")

    def decide(year: int, *, is_good: bool, reason: str = "Fee not paid"):
        return decide_standing(federation=ivory_coast, year=year, is_good=is_good, reason=reason, by=director)

    def marked() -> list[int]:
        rows = championship_page(world_20).places
        return [row.place.player for row in rows if row.holder and not row.holder.in_good_standing]

    assert refusal(decide, 2027, is_good=False, reason=" ").code == "reason_missing"
    decide(2026, is_good=False)
    assert marked() == []
    decide(2027, is_good=False)
    assert marked() == [23]
    assert refusal(decide, 2027, is_good=False).code == "standing_known"
    decide(2027, is_good=True, reason="Fee paid")
    assert marked() == []


@pytest.mark.django_db(transaction=True)
def test_of_two_officers_who_name_one_place_at_once_one_does(office):
    office.register(11, 12)
    first, second = person("First", Role.RATING_OFFICER), person("Second", Role.TOURNAMENT_DIRECTOR)
    championship = create_championship(kind=Kind.WORLD_20, values=ONLY_DAYS, by=first)
    federation = Federation.objects.get(pk="NED")
    outcomes = run_concurrently(
        lambda: name(championship, 3, [11], first, seen=1),
        lambda: name(championship, 3, [12], second, seen=1),
    )
    refused = [getattr(outcome, "code", "") for outcome in outcomes]
    assert sorted(refused) == ["", "preview_changed"]
    assert PlaceStep.objects.count() == LogEntry.objects.filter(action="championship.name").count() == 1
    outcomes = run_concurrently(*(
        lambda by=by: decide_standing(federation=federation, year=2027, is_good=False, reason="Fee", by=by)
        for by in (first, second)
    ))  # fmt: skip
    assert sorted(getattr(outcome, "code", "") for outcome in outcomes) == ["", "standing_known"]


ADDRESS = "/championships/world-2027/"


def publish(kind: str, director: Actor, releaser: Actor, reason: str = "") -> Publication:
    requested = request_publication(key=key_of_list(kind, "world-2027"), reason=reason, by=director)
    draft = calculate_publication(publication=requested)
    approved = approve_publication(publication=draft, sha256=draft.sha256, by=director)
    return publish_publication(publication=approved, sha256=draft.sha256, by=releaser)


@pytest.mark.django_db
def test_a_player_of_a_published_list_withdraws_and_is_replaced_in_a_revision(client, director, world_20):
    releaser = person("Rolf", Role.RELEASING_OFFICER)
    name(world_20, 4, [21, 23], director)
    move(world_20, 21, PlaceMove.CONFIRM, director)
    assert "No list is published yet." in text_of(client.get(ADDRESS))
    first = publish("participants", director, releaser)
    reserves = publish("reserves", director, releaser)
    # As test_championships: 12 and 13 of the Cup, 14 by the World Cup, 16 of the reserve list; 17 is left on it.
    rows = figures_of(first)
    assert [(row["item"], row["fmjd_id"], row["source"], row["state"]) for row in rows if row["fmjd_id"]] == [
        (1, 11, "champion", "named"), (2, 12, "final-classification", "named"),
        (2, 13, "final-classification", "named"), (4, 21, "named", "confirmed"), (4, 23, "named", "named"),
        (9, 14, "world-cup", "named"), (9, 16, "reserve", "named"),
    ]  # fmt: skip
    assert len(rows) == 20
    assert [row["fmjd_id"] for row in rows if row["by_lot"]] == [16]
    assert [(row["position"], row["source"], row["rank"], row["fmjd_id"]) for row in figures_of(reserves)] == [
        (1, "rating", 3, 17)
    ]  # fmt: skip
    shown = text_of(client.get(f"{ADDRESS}participants/r1/"))
    assert "A lot that is not drawn yet decides 1 row." in shown
    # Number 1 of the list is 11, the champion: the one place of item 8 is the second of item 9.
    handed_on = (
        "From item 8, 1 place went to item 9: a player of the rating list who is qualified already takes none"
    )
    assert handed_on in shown
    assert handed_on not in text_of(client.get(f"{ADDRESS}reserves/r1/"))
    not_final = "Made before 1 Jan 2027, so not final: by the newest list and the World Cup as they were"
    for requested_on, said in (
        (date(2026, 12, 31), not_final),
        (date(2027, 1, 1), "By the list in force on 1 Jan 2027 and the World Cup on 31 Dec 2026."),
    ):
        first.requested_at = datetime.combine(requested_on, time(12), UTC)
        assert notes(first, [])[0].startswith(said)
    # After the Council's day 12 is replaced by the reserve list: 17. What is published stays until the revision.
    move(world_20, 12, PlaceMove.DECLINE, director, on=AFTER)
    text = text_of(client.get(ADDRESS))
    assert "Revision 1, approved by" in text
    assert "withdrew" not in text
    # The reserve list was requested after the list of participants, and from the same inputs: 17 has no place yet.
    older = "Older than the list of participants: players with a place may still be on it."
    assert older not in text
    second = publish("participants", director, releaser, reason="12 withdrew")
    replaced = figures_of(second)[1]
    assert (replaced["fmjd_id"], replaced["source"], replaced["withdrawn"]) == (17, "reserve", [12])
    shown = text_of(client.get(ADDRESS))
    assert "Reason: 12 withdrew" in shown
    assert shown.count(older) == 1
    before, after = (player(number).printed_name for number in (12, 17))
    assert (
        f"What Before Now 2. Title match and previous championship {before}: Previous championship, not confirmed yet"
        f" {after}: Reserve list, not confirmed yet" in shown
    )
    # Of the two open places of Africa the one that is filled differs, and the one of 23, who confirms.
    name(world_20, 4, [24], director)
    move(world_20, 23, PlaceMove.CONFIRM, director)
    assert [
        (change.before["number"], change.before["fmjd_id"], change.after["fmjd_id"], change.after["state"])
        for change in differences_now(second)
    ] == [(7, 23, 23, "confirmed"), (8, None, 24, "named")]
    old = text_of(client.get(f"{ADDRESS}participants/r1/"))
    assert "This revision was replaced. Show revision 2" in old
    assert client.get(f"{ADDRESS}participants/r3/").status_code == 404
    # The files have no names; the rows follow from the inputs alone.
    figures = json.loads(client.get(f"{ADDRESS}participants/r2/figures.json").content)
    assert figures["rows"][1]["fmjd_id"] == 17
    table = list(csv.DictReader(StringIO(client.get(f"{ADDRESS}reserves/r1/figures.csv").text)))
    assert [(row["position"], row["fmjd_id"]) for row in table] == [("1", "17")]
    inputs = client.get(f"{ADDRESS}participants/r2/inputs.json").content.decode()
    assert "Family" not in inputs
    key = key_of_list("participants", "world-2027")
    assert kind_of(key).calculate(key, inputs) == figures_of(second)
    assert text_of(client.get("/championships/")).count("World Championship, 20 players, 2027") == 1


@pytest.mark.django_db
def test_extra_places_are_named_by_the_organiser_and_filled_by_the_reserve_list(client, director) -> None:
    values = replace(VALUES, extra_places=8)
    for kind, wrong in ((Kind.WORLD_20, 8), (Kind.WORLD_40, 7), (Kind.WOMEN_20, 5)):
        given = replace(VALUES, champion=None, extra_places=wrong)
        refused = refusal(create_championship, kind=kind, values=given, by=director)
        assert refused.code == "championship_extra_places"
    world_40 = create_championship(kind=Kind.WORLD_40, values=values, by=director)
    name(world_40, 10, [21, 22, 23, 24, 25], director)
    page = championship_page(world_40)
    # By rule: 11; of the Cup 12, 13 and 14; of the list 16 and 17, whose number 1 has a place: item 9 has three places,
    # and no player is left for them. Option 48: four of the eight extra places are the organiser's, 25 is one too many.
    assert (len(page.places), findings(page), reserves(page)) == (48, [("too-many", 25)], [])
    assert [row for row in filled(page) if row[0] > 2] == [
        (8, 16, "rating", "named"), (8, 17, "rating", "named"),
        *((10, number, "named", "named") for number in (21, 22, 23, 24)),
    ]  # fmt: skip
    # Of the three places of item 8, number 1 gives one to item 9; numbers 2 and 3 take theirs.
    [note] = handed_on_notes(page.given.items, [row.place.kind for row in page.places])
    assert note.startswith("From item 8, 1 place went to item 9")
    assert not handed_on_notes(page.given.items, ["rating-leader"] * 3)
    assert [(row.item.item, str(row.place.source)) for row in page.places[-5:]] == [
        (10, "named"), *[(11, "reserve")] * 4,
    ]  # fmt: skip
    # A place that becomes free goes to the reserve list, on which no player is left; what is published has its rule.
    move(world_40, 22, PlaceMove.DECLINE, director)
    publish("participants", director, person("Rolf", Role.RELEASING_OFFICER))
    text = text_of(client.get(ADDRESS))
    assert f"41 10. Extra places of the organiser {player(21).printed_name} SEN" in text
    # In a cell, and for phones below the player.
    assert text.count("11. Extra places of the reserve list") == 8
    free = championship_page(world_40).places[41]
    assert (free.state, str(free.place.source)) == ("declined", "reserve")


@pytest.mark.django_db
def test_the_command_leaves_out_who_has_a_place_in_the_championship_of_the_year(world_20) -> None:
    # 11 to 14 and 16 have a place: 17 alone is left. Another year has no championship: no player is qualified.
    assert [row["fmjd_id"] for row in answer_of("reserve_list", "2027")["rows"]] == [17]
    assert len(answer_of("reserve_list", "2028")["rows"]) == 4  # 11, 16, 14, 17
