"""Published lists replayed under another edition: every figure by hand, and nothing differs under the same edition.

All play at 120 minutes (100 % of K) with 100 games or more, so ΔR = 0.5 × K × (W − We) (Annex 9 art. 3.2). Two wins are
4 points; against an equal 2 are expected.
"""

import io
from datetime import date

import pytest
from django.core.management import CommandError, call_command

from ratings.federations.fmjd.rules.edition import FmjdRules
from ratings.federations.fmjd.rules.parameters import ANNEX_9_2024_04
from ratings.federations.fmjd.system import FmjdSystem
from ratings.models import Pool, RatingList
from ratings.office.selectors.forecast import read_only_snapshot
from ratings.office.selectors.recalculated.replay import replay_lists, replayable_lists
from reporting.models import LogEntry, Player
from reporting.register.services.merge_players import merge_players
from tests.editions import K_20, edition
from tests.services.correction_helpers import APRIL, JULY, MAY, OCTOBER, SPRING, TWO_WINS, correct, ratings
from tests.services.report_helpers import whole


def replayed(rules=K_20, since=APRIL):
    """The replay of the pool under an edition: a comparison a list, by the day it came into force."""
    pool = Pool.objects.get(code="fmjd-100")
    with read_only_snapshot():
        lists = [rating_list for rating_list in replayable_lists(pool) if rating_list.in_force >= since]
        return {found.rating_list.in_force: found for found in replay_lists(pool, rules, lists)}


def moved(rating):
    """The FMJD-ID, published and replayed rating of a largest difference."""
    return rating and (rating.player.numbers["fmjd"], rating.before, rating.after)


def official_moves(found):
    return (found.moved_by_1, found.moved_by_2_to_5, found.moved_by_more,
            found.new_on_official, found.removed_from_official)  # fmt: skip


@whole
def test_a_later_list_starts_from_the_replayed_one_and_reads_its_ratings(april_list, office):
    """April: 11 beats 12 twice: 7.5 × 2 = 15, so 2015 and 1985; with K = 20 10 × 2 = 20, so 2020 and 1980.

    July: 11 beats 13 (2000) twice.
      published: D = 15, Pe = 52 + (15 − 14.34) / 7.14 = 52.0924, We = 2.0837; 7.5 × 1.9163 = 14.3723:
                 2029.3723 → 2029, and 13: 1985.6277 → 1986
      replayed:  D = 20, Pe = 52 + (20 − 14.34) / 7.14 = 52.7927, We = 2.1117; 10 × 1.8883 = 18.883:
                 2038.883 → 2039, and 13: 1981.117 → 1981
    Six players: April +5, −5 and four of 0, spread √(50 / 6); July +10, −5, −5 and three of 0, spread √(150 / 6) = 5.
    """
    office.accept("May", [11, 13], TWO_WINS, **MAY)
    assert ratings(office.run(JULY), 11, 12, 13) == (2029, 1985, 1986)
    found = replayed()
    assert list(found) == [APRIL, JULY]
    april, july = found.values()
    assert (april.players, april.differing, april.mean) == (6, 2, 0)
    assert april.spread == pytest.approx((50 / 6) ** 0.5)
    assert (moved(april.largest_up), moved(april.largest_down)) == ((11, 2015, 2020), (12, 1985, 1980))
    assert (july.players, july.differing, july.mean, july.spread) == (6, 3, 0, 5)
    assert (moved(july.largest_up), moved(july.largest_down)) == ((11, 2029, 2039), (12, 1985, 1980))
    assert official_moves(july) == (0, 0, 0, 0, 0)


@whole
def test_lists_before_the_first_replayed_one_are_read_as_published(april_list, office):
    """July from the published April: 10 × 1.9163 = 19.163: 11 2034.163 → 2034, 13 1980.837 → 1981.

    Then 12 (1985) is before 13 on the official list: two players move by one position.
    """
    office.accept("May", [11, 13], TWO_WINS, **MAY)
    office.run(JULY)
    ((day, july),) = replayed(since=JULY).items()
    assert day == JULY
    assert (moved(july.largest_up), moved(july.largest_down)) == ((11, 2029, 2034), (13, 1986, 1981))
    assert official_moves(july) == (2, 0, 0, 0, 0)


@whole
@pytest.mark.parametrize(
    ("k", "start", "published", "result"),
    [
        # 2290 + 15 = 2305 reached 2300; with K = 8 2290 + 8 = 2298 did not. July, against 2298:
        # published K = 10: D = 7, Pe = 50.9804, We = 2.0392; 5 × 1.9608 = 9.804: 2314.804 → 2315
        # replayed K = 8: equals; 4 × 2 = 8: 2306
        (8, (2290, 2298), 2315, 2306),
        # 2280 + 15 = 2295 did not; with K = 20 2280 + 20 = 2300 did. July, against 2300:
        # published K = 15: D = −5, Pe = 100 − 50.7003 = 49.2997, We = 1.9720; 7.5 × 2.028 = 15.21: 2310.21 → 2310
        # replayed K = 10: equals; 5 × 2 = 10: 2310 as well, where K = 20 gives 2320
        (20, (2280, 2300), 2310, 2310),
    ],
)
def test_who_reached_2300_follows_from_the_replayed_lists(office, k, start, published, result):
    own, other = start
    opening = f"fmjd_id rating games\n11 {own} 100\n12 {own} 100\n13 {other} 100"
    office.opening(opening, in_force=date(2025, 1, 1))
    office.accept("Spring", [11, 12], TWO_WINS, **SPRING)
    office.run(APRIL)
    office.accept("May", [11, 13], TWO_WINS, **MAY)
    assert ratings(office.run(JULY), 11) == (published,)
    july = replayed(edition(k_standard=k))[JULY]
    player = Player.objects.get(numbers__fmjd=11).pk
    players = RatingList.objects.get(in_force=JULY).rows.order_by("player").values_list("player", flat=True)
    assert july.differences[list(players).index(player)] == result - published


@whole
def test_a_merged_record_starts_from_the_replayed_rating_of_its_duplicate(office):
    """21 beats 12 twice, then is merged into 11, who has no rating: 11 starts from 2015, replayed from 2020."""
    office.register(11)
    office.opening("fmjd_id rating games\n12 2000 100\n21 2000 100", in_force=date(2025, 1, 1))
    office.accept("Spring", [21, 12], TWO_WINS, **SPRING)
    office.run(APRIL)
    surviving, duplicate = (Player.objects.get(numbers__fmjd=number) for number in (11, 21))
    merge_players(surviving=surviving, duplicate=duplicate, reason="One person.", by=office.officer)
    assert ratings(office.run(JULY), 11, 12) == (2015, 1985)
    july = replayed()[JULY]
    assert (moved(july.largest_up), moved(july.largest_down)) == ((11, 2015, 2020), (12, 1985, 1980))


@whole
def test_a_list_of_a_replaced_revision_starts_from_the_replay_of_that_one(july_list, office):
    """A revision of April without the Spring is carried into October: 15 points back, as they were published.

    Replayed: April, revision 2, all equal. July rests on revision 1: 11 and 13 2020, 12 and 14 1980. October carries
    −15 to 11 and +15 to 12: 2005 and 1995.
    """
    april, _ = july_list
    code = april.period.manifest.get().result_set.code
    correct(office, april, excluded_tournaments=[code])
    office.run(APRIL)
    assert ratings(office.run(OCTOBER), 11, 12, 13, 14) == (2000, 2000, 2015, 1985)
    found = replayed()
    assert [(one.rating_list.in_force, one.rating_list.revision) for one in found.values()] == [
        (APRIL, 2), (JULY, 1), (OCTOBER, 1),
    ]  # fmt: skip
    assert [one.differences.tolist() for one in found.values()] == [
        [0, 0, 0, 0, 0, 0], [5, -5, 5, -5, 0, 0], [5, -5, 5, -5, 0, 0],
    ]  # fmt: skip


@whole
def test_other_limits_of_the_official_list_take_players_off_it(april_list):
    """No player has 1,000 games in three years, and all six are on the published list."""
    april = replayed(edition(official_games=1000))[APRIL]
    assert (april.differing, april.largest_up, april.largest_down) == (0, None, None)
    assert official_moves(april) == (0, 0, 0, 0, 6)


def test_the_same_edition_differs_nowhere(season):
    """On all lists of the demonstration, and nothing is written."""
    pool = Pool.objects.get(code="fmjd-100")
    entries = LogEntry.objects.count()
    found = replayed(FmjdRules(ANNEX_9_2024_04), date(2000, 1, 1))
    assert [one.rating_list for one in found.values()] == replayable_lists(pool)
    assert len(found) == 3
    for one in found.values():
        assert one.players == one.rating_list.players
        assert (one.differing, official_moves(one)) == (0, (0, 0, 0, 0, 0))
    assert LogEntry.objects.count() == entries


@whole
def test_the_command_prints_a_line_for_each_list(april_list, office, monkeypatch):
    monkeypatch.setattr(FmjdSystem, "editions", (*FmjdSystem.editions, K_20))
    office.accept("May", [11, 13], TWO_WINS, **MAY)
    office.run(JULY)
    out = io.StringIO()
    call_command("replay", "fmjd-100", "--rules", K_20.id, stdout=out)
    title, head, *lines = [line.split("  ") for line in out.getvalue().splitlines()]
    assert title == ["fmjd-100, annex-9-k-20: 2 lists replayed. Nothing is stored."]
    assert [[cell.strip() for cell in line if cell] for line in (head, *lines)] == [
        ["list", "players", "differ", "mean", "spread", "largest up", "largest down", "moved by 1", "by 2 to 5",
         "by more", "new", "removed"],
        ["2025-04-01/r1", "6", "2", "+0.00", "2.89", "11: 2015 → 2020", "12: 1985 → 1980", "0", "0", "0", "0", "0"],
        ["2025-07-01/r1", "6", "3", "+0.00", "5.00", "11: 2029 → 2039", "12: 1985 → 1980", "0", "0", "0", "0", "0"],
        ["Moved, new, removed: positions on the official list. A carried correction adds the points that it added when"
         " it was published."],
    ]  # fmt: skip

    out = io.StringIO()
    call_command("replay", "fmjd-100", "--rules", K_20.id, "--from", "2025-07-01", stdout=out)
    assert [line.split()[0] for line in out.getvalue().splitlines()[1:-1]] == ["list", "2025-07-01/r1"]


@pytest.mark.django_db
def test_the_command_refuses_an_unknown_edition_and_names_the_known_ones():
    with pytest.raises(CommandError, match=r"no edition annex-9-2031\. Known editions: annex-9-2024-04"):
        call_command("replay", "fmjd-100", "--rules", "annex-9-2031")
    with pytest.raises(CommandError, match="There is no pool shoe"):
        call_command("replay", "shoe", "--rules", "annex-9-2024-04")
