"""The newest lists of a pool by the rules of another pool: what is read, the command's formats, and what it refuses.

By hand (Annex 9 art. 3.2): six players of 2000 with 100 games. April: 11 beats 12 twice, 7.5 × 2 = 15: 2015 and 1985.
July: 11 beats 13 twice: 2029 and 1986 (tests/services/test_replay.py).
"""

import csv
import io
import json

import pytest
from django.core.management import CommandError, call_command

from ratings.inputs.compared_games import read_compared_games
from ratings.inputs.in_force import lists_in_force
from ratings.models import Pool, RatingList
from ratings.office.selectors.forecast import read_only_snapshot
from ratings.office.selectors.recalculated.compare_rules import compare_rules
from reporting.models import LogEntry, Player
from reporting.refusals.domain_error import DomainError
from tests.services.correction_helpers import APRIL, JULY, MAY, OCTOBER, TWO_WINS, correct
from tests.services.report_helpers import whole
from tests.services.test_merge_players import merge

COLUMNS = ["id", "name", "federation", "games", "rating", "other", "difference"]


def compared(pool, other, periods):
    pools = {one.code: one for one in Pool.objects.all()}
    with read_only_snapshot():
        return compare_rules(pools[pool], pools[other], periods)


def by_plain_columns(pool="fmjd-100"):
    """Published rating and that of plain columns by the pool's own system, of all on the newest list, by number."""
    lists = lists_in_force(Pool.objects.get(code=pool).pk)
    system = lists[-1].rating_system
    players, days, games = read_compared_games(lists, "")
    found = system.comparison.compare(lists[-1].rules, lists[-1].pool.tempo, players, days, games)
    rating = dict(zip(players.player.tolist(), found.tolist(), strict=True))
    return {row.register_number: (row.rating, rating[row.player_id]) for row in lists[-1].rows}


def run(*arguments):
    out = io.StringIO()
    call_command("compare_rules", *arguments, stdout=out)
    return out.getvalue()


def test_a_pool_by_its_own_rules_differs_in_nothing(season):
    """On all lists of the demonstration, at all their time controls; the other discipline has the same rules."""
    entries = LogEntry.objects.count()
    lists = RatingList.objects.filter(pool__code="fmjd-100", state="published")
    newest = lists.latest("in_force", "revision")
    for other in ("fmjd-100", "fmjd-64"):
        found = compared("fmjd-100", other, 3)
        assert (found.players, found.changed, found.without_rating) == (newest.players, 0, 0)
        assert (found.mean, found.standard_deviation, found.assumptions) == (0, 0, ())
    assert LogEntry.objects.count() == entries


@whole
def test_plain_columns_give_the_published_ratings_where_all_is_as_assumed(april_list, office):
    """All games at 100 %, each tournament begun after the list before: games, days, and a newcomer's performance.

    17 is new and beats 13 and 14 twice: 2000 + 677 is over the most for a provisional rating, 2400.
    """
    office.accept("May", [11, 13], TWO_WINS, **MAY)
    new = office.newcomer("Nina", "Nieuw")
    office.accept("Fun", [new, 13, 14], ["1 1 2 2-0", "2 3 1 0-2", "3 1 3 2-0"], **MAY)
    office.run(JULY)
    found = by_plain_columns()
    assert len(found) == 7
    assert found[11] == (2029, 2029)
    assert 2400 in {rating for rating, _ in found.values()}
    assert all(published == other for published, other in found.values())


@whole
def test_the_newest_revisions_are_read(july_list, office):
    """April, revision 2, leaves the Spring out: all equal. July has 13 and 14; October carries the difference."""
    april, _ = july_list
    code = april.period.manifest.get().result_set.code
    correct(office, april, excluded_tournaments=[code])
    office.run(APRIL)
    office.run(OCTOBER)
    found = by_plain_columns()
    expected = {11: (2000, 2000), 12: (2000, 2000), 13: (2015, 2015), 14: (1985, 1985)}
    assert {number: found[number] for number in expected} == expected
    assert compared("fmjd-100", "fmjd-100", 3).changed == 0


@whole
def test_games_of_a_merged_record_count_for_the_surviving_one(april_of_21, office):
    """21, who has beaten 12 twice in April, is merged into 11: 11 has the games, from the own rating of 2000.

    On the opening list 11 has 100 games and 21 has 40: together 140 (R24).
    """
    merge(office, duplicate=21, surviving=11)
    office.run(JULY)
    found = by_plain_columns()
    assert {number: other for number, (_, other) in found.items()} == {11: 2015, 12: 1985, 13: 2000}
    players, _, _ = read_compared_games(lists_in_force(Pool.objects.get(code="fmjd-100").pk), "")
    surviving = Player.objects.get(numbers__fmjd=11).pk
    assert players.games[players.player == surviving].tolist() == [140]


@whole
def test_the_command_prints_figures_rows_and_assumptions(april_list, office):
    """Klassiek, R81: 2000 with N_v 100, k 25: two wins over an equal are 25 × 2 × 0.5 = 25: 2025 and 1975.

    Against 2015 and 1985 the differences are +10 and −10: mean 0, deviation √(200 / 6) = 5.7735.
    """
    arguments = ("--pool", "fmjd-100", "--periods", "1", "--with", "knsb-klassiek")
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv"))))
    assert list(rows[0]) == COLUMNS
    assert [row["id"] for row in rows] == ["11", "12", "13", "14", "15", "16"]
    assert list(rows[0].values()) == ["11", "Familyal, Givenal", "NED", "102", "2015", "2025", "10"]
    assert [row["difference"] for row in rows] == ["10", "-10", "0", "0", "0", "0"]

    found = json.loads(run(*arguments, "--format", "json"))
    assert {name: found[name] for name in found if name not in ("rows", "largest", "assumptions")} == {
        "pool": "fmjd-100", "with": "knsb-klassiek", "lists": ["2025-04-01"], "players": 6, "mean": 0.0,
        "standard_deviation": 5.7735, "changed": 2,
        "distribution": [
            *({"from": points, "to": points + 1, "players": int(points == -10)} for points in range(-10, 0, 2)),
            {"from": 0, "to": 0, "players": 4},
            *({"from": points - 1, "to": points, "players": int(points == 10)} for points in range(2, 11, 2)),
        ],
    }  # fmt: skip
    assert found["rows"] == found["largest"]
    assert found["rows"][1]["difference"] == -10
    assert "No FIDE list is read (article 4), and no bonus is added (article 9.1)." in found["assumptions"]

    title, figures, head, first, second, *assumptions = run(*arguments).splitlines()
    assert title == "fmjd-100 by the rules of knsb-klassiek: 1 list recalculated. Nothing is stored."
    assert figures == "Players: 6. Different: 2. Mean: +0.00. Standard deviation: 5.77."
    assert head.split() == COLUMNS
    assert (first.split()[-2:], second.split()[-2:]) == (["2025", "+10"], ["1975", "-10"])
    assert [line[2:] for line in assumptions] == found["assumptions"]


@whole
def test_players_without_a_rating_by_the_other_rules_are_left_out_and_counted(april_list, office):
    """A newcomer of three games has a rating of the FMJD, and none of the KNSB, which asks for six (art. 11.2)."""
    new = office.newcomer("Nina", "Nieuw")
    office.accept("Fun", [new, 13, 14], ["1 1 2 2-0", "2 3 1 0-2", "3 1 3 2-0"], **MAY)
    office.run(JULY)
    found = json.loads(run("--pool=fmjd-100", "--periods=2", "--with=knsb-klassiek", "--format=json"))
    assert (found["players"], len(found["rows"])) == (6, 6)
    assert found["assumptions"][-1] == "1 player without a rating by these rules is left out."


@whole
def test_a_comparison_of_more_lists_than_there_are_says_how_many_there_are(july_list):
    for periods in (0, 3):
        with pytest.raises(CommandError, match=f"^too_few_lists: fmjd-100 has 2 lists .* not {periods}"):
            run("--pool", "fmjd-100", "--periods", str(periods), "--with", "iccf")
    with pytest.raises(DomainError, match="fmjd-64 has 0 lists"):
        compared("fmjd-64", "fmjd-100", 1)


@pytest.mark.django_db
def test_unknown_pools_are_refused_with_the_known_ones():
    with pytest.raises(CommandError, match=r"There is no pool shoe\. Known pools: fmjd-100, "):
        run("--pool", "shoe", "--periods", "1", "--with", "fmjd-100")
    with pytest.raises(CommandError, match=r"There is no pool shoe\. Known pools: fmjd-100, "):
        run("--pool", "fmjd-100", "--periods", "1", "--with", "shoe")
