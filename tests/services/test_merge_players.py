"""Two records of one person: what a merge does to the next list, what it leaves alone, and how it is undone (R24).

Ratings by hand: all play at 120 minutes (100 % of K), with over 30 games and under 2300, so K = 15 and
ΔR = 7.5 × (W − We) (Annex 9 art. 3.2). Against an equal two wins are 4 points where 2 are expected: 15 up, 15 down.
21 is the second record of 11.
"""

import hashlib
from datetime import date
from functools import partial

import pytest
from django.db import IntegrityError, transaction

from ratings.federations.fmjd.models import FmjdChange, FmjdListRow
from ratings.models import CarriedDifference, PlayerHistory, PublishedFile, RatingList
from ratings.production.approve_list import approve_list, open_for_approval
from ratings.publishing.verification.verify_lists import verify_lists
from reporting.models import Entry, LogEntry, Player, PlayerMerge
from reporting.refusals.domain_error import DomainError
from reporting.register.services.merge_players import merge_players, undo_merge
from tests.concurrency import run_concurrently
from tests.people import create_player
from tests.services.correction_helpers import correct
from tests.services.report_helpers import refusal, whole

APRIL, JULY, OCTOBER = date(2025, 4, 1), date(2025, 7, 1), date(2025, 10, 1)
SPRING = {"played_from": date(2025, 2, 7), "played_to": date(2025, 2, 9)}
MAY = {"played_from": date(2025, 5, 2), "played_to": date(2025, 5, 4)}
TWO_WINS, ONE_EACH = ["1 1 2 2-0", "2 2 1 0-2"], ["1 1 2 2-0", "2 2 1 2-0"]

pytestmark = pytest.mark.usefixtures("two_records_shared")
quick = pytest.mark.django_db


def player(fmjd_id):
    return Player.objects.get(numbers__fmjd=fmjd_id)


def merge(office, duplicate=21, surviving=11, **more):
    values = {"reason": "They wrote that both are theirs.", "by": office.officer} | more
    return merge_players(duplicate=player(duplicate), surviving=player(surviving), **values)


def undo(office, merged, **more):
    values = {"reason": "A father and a son.", "by": office.officer} | more
    return undo_merge(merge=merged, **values)


def standing(rating_list):
    """FMJD-ID → rating, games."""
    rows = FmjdListRow.objects.filter(list=rating_list)
    return {number: figures for number, *figures in rows.values_list("register_number", "rating", "games")}


def file(rating_list, name):
    return bytes(PublishedFile.objects.get(list=rating_list, name=name).content).decode()


def published():
    """Every published byte and row: what no merge may touch."""
    lists = RatingList.objects.filter(state="published")
    digest = hashlib.sha256()
    for model in (PublishedFile, FmjdListRow, FmjdChange, PlayerHistory, CarriedDifference):
        for values in model.objects.filter(list__in=lists).order_by("pk").values_list():
            plain = [bytes(value) if isinstance(value, memoryview) else value for value in values]
            digest.update(repr(plain).encode())
    digest.update(repr(list(lists.order_by("pk").values_list())).encode())
    return digest.hexdigest()


def verified():
    """Every published list agrees with itself and, calculated again, with its details."""
    return [finding for verify_list in verify_lists(recalculate=True) for finding in verify_list.differences]


@whole
def test_games_and_lists_of_both_records_count_for_the_one_kept(office):
    office.accept("Spring", [21, 12], TWO_WINS, **SPRING)
    before = published()
    merge(office)
    assert published() == before

    april = office.run(APRIL)
    # 21's two wins against 12 are 11's, at 11's own 2000: 2015. Games: 100 + 40 + 2.
    assert standing(april) == {11: [2015, 142], 12: [1985, 102], 13: [2000, 100]}
    row = office.row(april, 11)
    assert (row.change, row.period_games, row.games_3_years) == (15, 2, 142)
    (change,) = office.changes(april, 11)
    assert (change.own_e4, change.games_before, change.points) == (2000_0000, 140, 4)
    assert Entry.objects.filter(player=player(21)).count() == 1  # what was reported stays as it was reported
    assert file(april, "merged.csv") == (
        "order,fmjd_id,surviving_fmjd_id,state,rating_of,rating,games,list\n1,21,11,merged,11,,,\n"
    )
    games = file(april, "games.csv").splitlines()[1:]
    counted = [line.split(",")[3:] for line in games]
    assert counted == [["11", "12", "2-0", "both"], ["12", "11", "0-2", "both"]]
    # 40 + 3 × 100 before, and two games for each of two.
    assert sum(games for _, games in standing(april).values()) == 344
    assert verified() == []

    # On the lists after it nothing is left to do.
    july = office.run(JULY)
    assert standing(july) == standing(april)
    assert verified() == []


@whole
def test_a_record_without_a_rating_takes_up_that_of_the_one_that_goes(office):
    office.register(31)
    office.accept("Spring", [31, 12], TWO_WINS, **SPRING)
    merge(office, duplicate=21, surviving=31)
    april = office.run(APRIL)
    # 21 stood at 2000 with 40 games on the list the Spring takes its ratings from: 31 plays at 2000, not provisionally.
    assert standing(april) == {31: [2015, 42], 12: [1985, 102], 11: [2000, 100], 13: [2000, 100]}
    assert office.row(april, 31).change is None  # the opening list does not have 31 (U9)
    assert verified() == []


@whole
def test_two_records_merged_into_one_without_a_rating_give_it_that_of_the_first(office):
    opening = "fmjd_id rating games\n11 2050 60\n12 2000 100\n13 2000 100\n21 2000 40"
    office.opening(opening, in_force=date(2025, 1, 1), pool="fmjd-64")
    office.register(31)
    merge(office, duplicate=21, surviving=31)
    merge(office, duplicate=11, surviving=31)
    april = office.run(APRIL, pool="fmjd-64")
    assert standing(april) == {31: [2000, 100], 12: [2000, 100], 13: [2000, 100]}
    assert verified() == []


@whole
def test_a_merge_undone_before_any_list_leaves_nothing_behind(office):
    office.accept("Spring", [21, 12], TWO_WINS, **SPRING)
    before = published()
    undo(office, merge(office))
    assert published() == before
    april = office.run(APRIL)
    assert standing(april) == {11: [2000, 100], 12: [1985, 102], 13: [2000, 100], 21: [2015, 42]}
    assert not PublishedFile.objects.filter(list=april, name="merged.csv").exists()


@whole
def test_separated_after_a_list_each_goes_on_with_their_own_and_the_list_stays_to_the_byte(office):
    office.accept("Spring", [21, 12], TWO_WINS, **SPRING)
    merged = merge(office)
    office.run(APRIL)
    before = published()
    undo(office, merged)
    assert published() == before

    office.accept("May", [21, 13], TWO_WINS, **MAY)
    july = office.run(JULY)
    # 21 begins with the 2000 and 40 games of the opening list and beats 13 (2000) twice; 11 gives those 40 games back
    # and keeps what April counted for them. April, in force in May, has no 21: for 13 these games count nothing (R8).
    assert standing(july) == {11: [2015, 102], 12: [1985, 102], 13: [2000, 100], 21: [2015, 42]}
    assert file(july, "merged.csv").splitlines()[1:] == ["1,21,11,undone,,2000,40,fmjd-100/2025-01-01/r1"]
    assert sum(games for _, games in standing(july).values()) == 344 + 2
    assert verified() == []
    # And merged again.
    merge(office)
    october = office.run(OCTOBER)
    assert standing(october) == {11: [2015, 144], 12: [1985, 102], 13: [2000, 100]}
    assert verified() == []


@whole
def test_separated_again_a_record_that_lived_by_the_others_games_leaves_the_list(office):
    office.register(31)
    merged = merge(office, duplicate=21, surviving=31)
    april = office.run(APRIL)
    assert standing(april)[31] == [2000, 40]
    undo(office, merged)
    july = office.run(JULY)
    assert standing(july) == {11: [2000, 100], 12: [2000, 100], 13: [2000, 100], 21: [2000, 40]}
    assert verified() == []


@whole
@pytest.mark.parametrize("later", ["carry", "revise"])
def test_a_correction_of_a_list_from_before_the_merge_reaches_the_record_kept(office, april_of_21, later):
    assert standing(april_of_21) == {11: [2000, 100], 12: [1985, 102], 13: [2000, 100], 21: [2015, 42]}
    merge(office)
    july = office.run(JULY)
    assert standing(july) == {11: [2000, 142], 12: [1985, 102], 13: [2000, 100]}

    # April without the Spring: 21 and 12 are at 2000. 11's own rating never came from 21's; their games go back by two.
    correct(office, april_of_21, later=later, excluded_tournaments=["2025-spring"])
    revision = office.run(APRIL)
    assert standing(revision) == {11: [2000, 100], 12: [2000, 100], 13: [2000, 100], 21: [2000, 40]}
    if later == "revise":
        assert standing(office.run(JULY)) == {11: [2000, 140], 12: [2000, 100], 13: [2000, 100]}
    october = office.run(OCTOBER)
    assert standing(october) == {11: [2000, 140], 12: [2000, 100], 13: [2000, 100]}
    assert verified() == []


@whole
@pytest.mark.parametrize("named", [21, 31])
@pytest.mark.parametrize("later", ["carry", "revise"])
def test_a_corrected_report_from_before_a_merge_is_of_the_record_it_names(office, april_of_21, later, named):
    office.register(31)
    july = office.run(JULY)
    assert standing(july)[21] == [2015, 42]
    merge(office, duplicate=21, surviving=31)
    # The Spring was one win each. If it was 31's, they take up the 2000 and the 40 games of 21 in April, too.
    again = office.accept("Spring", [named, 12], ONE_EACH, corrects='"2025-spring"', **SPRING)
    correct(office, april_of_21, later=later, included_reports=[again.pk])
    others = {11: [2000, 100], 12: [2000, 102], 13: [2000, 100]}
    assert standing(office.run(APRIL)) == others | {named: [2000, 42]}
    if later == "revise":
        assert standing(office.run(JULY)) == others | {named: [2000, 42]}
    october = office.run(OCTOBER)
    assert standing(october) == others | {31: [2000, 42]}
    carried = CarriedDifference.objects.filter(list=october)
    differences = set(carried.values_list("player__numbers__fmjd", "rating", "games"))
    assert differences == ({(31, -15, 0), (12, 15, 0)} if later == "carry" else set())
    assert verified() == []


@whole
def test_a_draft_from_before_a_merge_or_a_parting_is_not_signed(office):
    draft = office.run(APRIL, publish=False)
    merged = merge(office)
    open_for_approval(rating_list=draft, by=office.officer)
    signing = {"rating_list": draft, "sha256": draft.sha256, "by": office.officer}
    assert refusal(approve_list, **signing).code == "merges_changed"
    newer = office.run(APRIL, publish=False)
    undo(office, merged)
    signing = {"rating_list": newer, "sha256": newer.sha256, "by": office.officer}
    open_for_approval(rating_list=newer, by=office.officer)
    assert refusal(approve_list, **signing).code == "merges_changed"
    # A merge of two who are on no list of the pool and in no report of it is no matter of its drafts.
    again = office.run(APRIL, publish=False)
    office.register(41, 42)
    merge(office, duplicate=42, surviving=41)
    open_for_approval(rating_list=again, by=office.officer)
    assert approve_list(rating_list=again, sha256=again.sha256, by=office.officer).state == "approved"


@whole
def test_a_report_with_the_number_that_went_is_the_kept_ones_with_a_question(office):
    merge(office)
    uploaded = office.upload("Spring", [21, 12], TWO_WINS, **SPRING)
    assert uploaded.matching.players[1] == player(11)
    (asked,) = [finding for finding in uploaded.matching.findings if finding.code == "fmjd-id-merged"]
    assert (asked.found, asked.expected, asked.severity) == ("21", "11", "warning")
    both = office.upload("Other", [21, 11], TWO_WINS, **MAY)
    assert "player-entered-twice" in {finding.code for finding in both.matching.findings}
    office.accept("Third", [21, 12], TWO_WINS, **SPRING)
    assert set(Entry.objects.values_list("player__numbers__fmjd", flat=True)) == {21, 12}  # as they are named
    assert standing(office.run(APRIL)) == {11: [2015, 142], 12: [1985, 102], 13: [2000, 100]}


@quick
def test_what_cant_be_one_person_is_refused_and_says_why(office):
    office.register(31)
    office.accept("Spring", [11, 13], TWO_WINS, **SPRING)
    before = (PlayerMerge.objects.count(), LogEntry.objects.count())
    for more, code in (
        ({"by": office.referee}, "forbidden"),
        ({"by": office.releaser}, "forbidden"),
        ({"reason": " \n"}, "reason_missing"),
        ({"duplicate": 11}, "same_record"),
        ({"duplicate": 13}, "played_together"),
    ):
        assert refusal(merge, office, **more).code == code
    name = {"last_name": "Andernummer", "first_name": "Piet", "sort_name": "andernummer, piet"}
    other = create_player(4711, "knsb", federation_id="NED", **name)
    refused = refusal(merge_players, duplicate=player(11), surviving=other, reason="x", by=office.officer)
    # Each lacks the number of the other's lists: the other way round is no way out.
    assert refused.key == "number_missing.both"
    assert str(refused) == (
        f"{other.number} has no FMJD-ID and {player(11).number} has no KNSB number: lists identify players by both."
        " The two records cannot be merged."
    )
    assert "in Spring, 7 Feb 2025 to 9 Feb 2025, in" in str(refusal(merge, office, duplicate=13))
    assert (PlayerMerge.objects.count(), LogEntry.objects.count()) == before

    merged = merge(office)
    # Gone, gone, into a gone one, one that another was merged into.
    for duplicate, surviving in ((21, 12), (21, 11), (12, 21), (11, 12)):
        assert refusal(merge, office, duplicate=duplicate, surviving=surviving).code == "already_merged"
    third = merge(office, duplicate=31)  # a third record of the same person
    # 13 played against 11, and so against the person who is 11.
    assert refusal(merge, office, duplicate=13).code == "played_together"

    for more, code in (({"by": office.referee}, "forbidden"), ({"reason": ""}, "reason_missing")):
        assert refusal(undo, office, merged, **more).code == code
    assert refusal(undo, office, merged).code == "merged_since"
    undo(office, third)
    undo(office, merged, by=office.director)
    assert refusal(undo, office, merged).code == "already_undone"


@quick
def test_a_merge_and_its_parting_stand_in_the_history_of_both(office):
    undo(office, merge(office), by=office.director)
    more = LogEntry.objects.filter(action__in=["player.merge", "player.undo_merge"]).order_by("pk")
    assert list(more.values_list("action", "subject", "before", "after")) == [
        ("player.merge", "player fmjd 21", {}, {"merged_into": "11"}),
        ("player.merge", "player fmjd 11", {}, {"merged_duplicate": "21"}),
        ("player.undo_merge", "player fmjd 21", {"merged_into": "11"}, {}),
        ("player.undo_merge", "player fmjd 11", {"merged_duplicate": "21"}, {}),
    ]
    officer, director = office.officer.user.pk, office.director.user.pk
    assert list(more.values_list("reason", "actor")) == [
        ("They wrote that both are theirs.", officer),
        ("They wrote that both are theirs.", officer),
        ("A father and a son.", director),
        ("A father and a son.", director),
    ]


@whole
def test_of_two_who_merge_crosswise_at_once_one_is_refused(office):
    outcomes = run_concurrently(lambda: merge(office, 21, 11), lambda: merge(office, 11, 21))
    merged, refused = sorted(outcomes, key=lambda outcome: isinstance(outcome, DomainError))
    assert (type(merged), refused.code) == (PlayerMerge, "already_merged")
    assert PlayerMerge.objects.count() == 1


@quick
def test_the_database_keeps_a_merge_as_it_was_made(office):
    merged = merge(office)
    create = partial(PlayerMerge.objects.create, reason="x", merged_by=office.officer.user)
    row = PlayerMerge.objects.filter(pk=merged.pk)
    for write in (
        lambda: row.update(reason="another"),
        lambda: row.update(surviving=player(12)),
        row.delete,
        lambda: create(duplicate=player(12), surviving=player(21)),
        lambda: create(duplicate=player(11), surviving=player(12)),
    ):
        with pytest.raises(Exception, match=r"refused|permission denied"), transaction.atomic():
            write()
    undo(office, merged)
    with pytest.raises(IntegrityError, match="refused"), transaction.atomic():
        row.update(undone_at=None, undone_by=None, undone_reason="")


@quick
def test_two_entries_of_one_tournament_are_one_person_s_only_if_no_round_has_both(office):
    """R24a: found later, the office merges the records; 13 and 14 share round 2 by a pause with points."""
    office.register(14)
    games = ["1 1 2 2-0", "1 3 4 2-0", "2 1 3 1-1"]
    office.accept("Spring", [11, 12, 13, 14], [*games, "2 4 0 2-0"], **SPRING)
    refused = refusal(merge, office, duplicate=14, surviving=13)
    assert (refused.code, refused.values["rounds"]) == ("played_together", "1, 2")
    assert refusal(merge, office, duplicate=12, surviving=14).values["rounds"] == "1"


@quick
def test_records_that_follow_each_other_in_a_tournament_are_merged(office):
    office.register(14)
    office.accept("Spring", [11, 12, 13, 14], ["1 1 2 2-0", "2 1 4 1-1"], **SPRING)
    assert merge(office, duplicate=14, surviving=12).duplicate == player(14)
