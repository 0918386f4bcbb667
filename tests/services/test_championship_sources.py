"""What a championship takes from the register, from reports and from title matches (R24, R74, R75, decision 0245)."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from reporting.log.audit import Actor
from reporting.models import Role
from reporting.register.services.merge_players import merge_players, undo_merge
from reporting.reports.decisions.services import decide_tournaments
from tests.pages.office.office_pages import text_of
from tests.people import client_of
from tests.services.conftest import Office
from tests.services.report_helpers import person, refusal
from tests.services.test_championships import (
    ONLY_DAYS,
    VALUES,
    Kind,
    filled,
    lot,
    move,
    name,
    player,
    register_world,
    reserves,
)
from tests.services.test_world_cup_commands import accept
from titles.federations.fmjd.champions.services import record_title_match
from titles.federations.fmjd.champions.title_matches import Move
from titles.federations.fmjd.championships.selectors import championship_page, given_championship
from titles.federations.fmjd.championships.services.save_championship import (
    change_championship,
    create_championship,
    values_of,
)
from titles.federations.fmjd.championships.title_match import differences
from titles.federations.fmjd.models import Championship
from titles.federations.fmjd.rules.championship_kinds import ChampionshipKind
from titles.rules.lifecycle import PlaceMove

pytestmark = pytest.mark.django_db


@pytest.fixture
def director(office: Office) -> Actor:
    register_world(office)
    return person("Dora Director", Role.TOURNAMENT_DIRECTOR)


@pytest.fixture
def world_20(director: Actor) -> Championship:
    return create_championship(kind=Kind.WORLD_20, values=VALUES, by=director)


def test_what_was_undone_while_two_records_were_one_stays_undone_after_the_merge(director, world_20):
    name(world_20, 4, [23, 24], director)
    move(world_20, 24, PlaceMove.CONFIRM, director)
    merges = [
        merge_players(duplicate=player(number), surviving=player(into), reason="One person", by=director)
        for number, into in ((23, 21), (24, 26))
    ]
    # 21 and 26 have the places of 23 and 24; the name of 21 is removed and the answer of 26 undone.
    move(world_20, 21, PlaceMove.REMOVE, director, reason="Named by mistake")
    move(world_20, 26, PlaceMove.UNDO, director, reason="A mistake")
    assert filled(championship_page(world_20))[3] == (4, 26, "named", "named")
    for merge in merges:
        undo_merge(merge=merge, reason="Two persons", by=director)
    # 24 has its place again and has not answered; 23 has none.
    africa = [row for row in filled(championship_page(world_20)) if row[0] == 4]
    assert africa == [(4, 24, "named", "named")]


def test_merged_players_have_one_place_and_one_row_of_the_list(director, world_20):
    def merge(number: int, into: int) -> None:
        merge_players(duplicate=player(number), surviving=player(into), reason="One person", by=director)

    # 11, number 1 of the list, is 26 now; 16 is 25, and the lot that put 17 before 16 holds for 25.
    lot(world_20, [17, 16], director)
    merge(11, 26)
    merge(16, 25)
    page = championship_page(world_20)
    by_rule = [
        (1, 26, "champion", "named"), (2, 12, "final-classification", "named"),
        (2, 13, "final-classification", "named"), (9, 14, "world-cup", "named"),
    ]  # fmt: skip
    assert filled(page) == [*by_rule, (9, 17, "reserve", "named")]
    assert reserves(page) == [(25, False)]
    # 17 is 25 too: of two rows of the list the first counts.
    merge(17, 25)
    page = championship_page(world_20)
    assert filled(page) == [*by_rule, (9, 25, "reserve", "named")]
    assert reserves(page) == []


def test_the_previous_championship_is_classical_of_the_same_section_and_of_women_for_women(office, director):
    accept(office, "Rapid", [11, 12, 13, 14], month=5, time_control='"15+5"')
    accept(office, "Squares", [11, 12, 13, 14], month=6, discipline='"64"')
    cases = ((Kind.WOMEN_20, "2026-cup"), (Kind.WORLD_20, "2026-rapid"), (Kind.WORLD_20, "2026-squares"))
    for kind, previous in cases:
        given = replace(ONLY_DAYS, previous=previous)
        refused = refusal(create_championship, kind=kind, values=given, by=director)
        assert (refused.code, refused.values["tournament"]) == ("previous_other_kind", previous)
    assert not Championship.objects.exists()


def test_a_championship_begins_with_the_title_match_of_champions_and_medals(office, director):
    accept(office, "World", [11, 12, 13, 14], month=9, competition='"world-championship"', official="true")
    chosen = [("2026-world", "competition", "world-championship")]
    decide_tournaments(chosen=chosen, reason="Calendar", by=office.officer)
    # 11 is the champion and 12 the second, who refuses; 13 has the right then, plays 11 and wins the title (R75).
    match = {"kind": ChampionshipKind.of("world-100-classic"), "year": 2026, "on": date(2026, 9, 20)}
    for number, values in ((12, {"move": Move.REFUSE}), (13, {"move": Move.PLAY, "result": "13–11"})):
        record_title_match(player=player(number), by=director, **match, **values)
    made = create_championship(kind=Kind.WORLD_20, values=ONLY_DAYS, by=director)
    found = values_of(made)
    assert (found.champion, found.opponent, found.match_played) == (13, 11, True)
    assert (found.refused, found.previous) == ([12], "2026-world")
    assert differences(given_championship(made)[0]) == []
    assert values_of(create_championship(kind=Kind.WOMEN_20, values=ONLY_DAYS, by=director)).champion is None
    # What the office says otherwise is named: the champion, the opponent, the match. The rest is the same.
    said = replace(found, champion=11, opponent=None, match_played=False)
    changed = change_championship(championship=made, values=said, by=director)
    assert differences(given_championship(changed)[0]) == [
        ("champion", 11, 13), ("opponent", None, 11), ("match_played", False, True),
    ]  # fmt: skip
    page = text_of(client_of(director.user).get("/office/championships/world-2027/"))
    champion, medallist = (player(number).printed_name for number in (11, 13))
    assert f"World champion: {champion} (11), by champions and medals {medallist} (13)" in page
