"""Whole quarters through the database, each figure worked out by hand from Annex 9: register, opening list, report,
freeze, calculation, release. The players of a case who are not spoken of are there to be opponents.
"""

from datetime import date, timedelta
from itertools import product

import pytest

pytestmark = pytest.mark.django_db(transaction=True)

# One against seven who do not meet each other: four won, one drawn, two lost = 9 points in 7 games.
NINE_OF_SEVEN = ["1 1 2 2-0", "2 3 1 0-2", "3 1 4 2-0", "4 5 1 0-2", "5 1 6 1-1", "6 7 1 2-0", "7 1 8 0-2"]
SEVEN_OF_2050 = "\n".join(f"{number} 2050 100" for number in range(12, 19))
ALL_EIGHT = [11, *range(12, 19)]


# Annex 9's worked example (R3): own 2150, opponents 2050: Pe = 63 + (100 − 94,80) / (102,40 − 94,80) = 63,6842;
# We = 63,6842 × 2 × 7 / 100 = 8,915788 → 8,9158; W − We = 9 − 8,9158 = 0,0842.
EXAMPLES = [
    # games before, has reached 2300, time control, K, development, ΔR, new rating
    (100, 0, "120+0", 15, 100, 6315, 2151),  # ΔR = 0,5 × 15 × 0,0842 = 0,6315; 2150,6315 → 2151
    (100, 1, "120+0", 10, 100, 4210, 2150),  # ΔR = 0,5 × 10 × 0,0842 = 0,4210; 2150,4210 → 2150
    (25, 1, "120+0", 25, 100, 10525, 2151),  # fewer than 30 games: ΔR = 0,5 × 25 × 0,0842 = 1,0525
    (100, 0, "80+30", 15, 60, 3789, 2150),  # 80 + 60 × 0,5 = 110 minutes; 0,5 × 15 × 0,6 × 0,0842 = 0,3789
    (100, 0, "60+0", 15, 40, 2526, 2150),  # 0,5 × 15 × 0,4 × 0,0842 = 0,2526
    (100, 0, "30+0", 15, 20, 1263, 2150),  # 0,5 × 15 × 0,2 × 0,0842 = 0,1263
]


def test_the_regulation_s_own_example_goes_through_the_database(office):
    """Each example is a tournament of eight of its own. For the seven of the first, own 2050 against 2150, K = 15:

    Pe = 100 − 63,6842 = 36,3158; We = 36,3158 × 2 / 100 = 0,726316 → 0,7263.
      lost:  7,5 × (0 − 0,7263) = −5,44725, a half: away from zero → −5,4473;  2044,5527 → 2045
      drawn: 7,5 × (1 − 0,7263) =  2,05275 → 2,0528;  2052,0528 → 2052
      won:   7,5 × (2 − 0,7263) =  9,55275 → 9,5528;  2059,5528 → 2060
    """
    eights = [range(first, first + 8) for first in range(11, 11 + 8 * len(EXAMPLES), 8)]
    lines = ["fmjd_id rating games reached_2300"]
    for (games, reached, *_), (one, *seven) in zip(EXAMPLES, eights, strict=True):
        lines += [f"{one} 2150 {games} {reached}", *(f"{number} 2050 100 0" for number in seven)]
    office.opening("\n".join(lines))
    for (_, _, time_control, *_), eight in zip(EXAMPLES, eights, strict=True):
        office.accept(f"Example {eight[0]}", eight, NINE_OF_SEVEN, time_control=f'"{time_control}"')
    published = office.run()
    for (games, _, _, k, development, delta_e4, rating), (one, *_) in zip(EXAMPLES, eights, strict=True):
        (change,) = office.changes(published, one)
        assert (change.method, change.own_e4, change.own_is_running) == ("change", 21_500_000, False)
        assert (change.games, change.opponents_sum, change.average_e4) == (7, 14_350, 20_500_000)
        assert (change.points, change.expected_percentage_e4) == (9, 636_842)
        assert change.expected_score_e4 == 89_158
        assert (change.k, change.development, change.delta_e4) == (k, development, delta_e4)
        assert (change.before_e4, change.after_e4) == (21_500_000, 21_500_000 + delta_e4)
        # Rp = 2050 + D(9/14): P = 64,2857…; D = 102,40 + 0,285714 × (110,11 − 102,40) = 104,602857 → 2154,6029 (R4)
        assert (change.performance_e4, change.performance_limited) == (21_546_029, False)
        row = office.row(published, one)
        assert (row.rating, row.change, row.period_games, row.games) == (rating, rating - 2150, 7, games + 7)
    lost, drawn, won = (-54_473, 2045), (20_528, 2052), (95_528, 2060)
    for number, expected in zip(range(12, 19), (lost, lost, lost, lost, drawn, won, won), strict=True):
        (change,) = office.changes(published, number)
        assert (change.expected_percentage_e4, change.expected_score_e4) == (363_158, 7_263)
        assert (change.delta_e4, office.row(published, number).rating) == expected


def test_a_newcomer_gets_their_performance_and_their_opponents_nothing(office):
    """9 of 14 against 2050: 2154,6029 → 2155, one number above the largest; these games count for no one else."""
    office.opening("fmjd_id rating games\n" + SEVEN_OF_2050)
    office.accept("Example", [office.newcomer("Nova", "Kometa"), *range(12, 19)], NINE_OF_SEVEN)
    published = office.run()
    (change,) = office.changes(published, 19)
    assert (change.method, change.games_before) == ("provisional", 0)
    assert (change.own_e4, change.before_e4) == (None, None)
    assert (change.performance_e4, change.after_e4) == (21_546_029, 21_546_029)
    assert (change.expected_percentage_e4, change.k, change.delta_e4) == (None, None, None)
    row = office.row(published, 19)
    assert (row.name, row.rating, row.change) == ("Kometa, Nova", 2155, None)
    assert (row.period_games, row.games) == (7, 7)
    for fmjd_id in range(12, 19):
        assert office.changes(published, fmjd_id) == []
        row = office.row(published, fmjd_id)
        assert (row.rating, row.change, row.period_games, row.games) == (2050, 0, 0, 100)


def test_a_first_result_stays_within_the_limits(office):
    """2050 + D(100) = 2050 + 935 = 2985, above the limit of 2400 (R4); 2050 − 935 = 1115, below that of 1900."""
    office.opening("fmjd_id rating games\n" + SEVEN_OF_2050)
    for name, result in (("Won", "2-0"), ("Lost", "0-2")):
        games = [f"{number} 1 {number + 1} {result}" for number in range(1, 8)]
        office.accept(name, [office.newcomer(f"Nova{name.lower()}", "Kometa"), *range(12, 19)], games)
    published = office.run()
    for number, rating in ((19, 2400), (20, 1900)):
        (change,) = office.changes(published, number)
        assert (change.performance_e4, change.performance_limited) == (rating * 10_000, True)
        assert office.row(published, number).rating == rating


def test_a_provisional_rating_is_weighed_with_the_games_behind_it(office):
    """10 games at 2000 and 7 at 2154,6029: (10 × 2000 + 7 × 2154,6029) / 17 = 35 082,2203 / 17 = 2063,6600 → 2064."""
    office.opening("fmjd_id rating games\n11 2000 10\n" + SEVEN_OF_2050)
    office.accept("Example", ALL_EIGHT, NINE_OF_SEVEN)
    published = office.run()
    (change,) = office.changes(published, 11)
    assert (change.method, change.own_e4, change.own_is_running) == ("provisional", 20_000_000, True)
    assert (change.games_before, change.after_e4) == (10, 20_636_600)
    row = office.row(published, 11)
    assert (row.rating, row.change, row.games) == (2064, 64, 17)


def test_the_method_changes_within_a_quarter_when_the_twenty_fifth_game_is_played(office):
    """20 games at 2000. First 5 games against 2000, 6 points of 10; then 2 games against 2000, 3 points.

    First: P = 60, D = 72,37; Rp = 2072,37; (20 × 2000 + 5 × 2072,37) / 25 = 50 361,85 / 25 = 2014,4740.
    Then 25 games stand: ΔR with the list's rating 2000: Pe 50, We = 2, K = 25: 12,5 × (3 − 2) = 12,5.
    2014,4740 + 12,5 = 2026,9740 → 2027.
    """
    office.opening("fmjd_id rating games\n11 2000 20\n" + "\n".join(f"{n} 2000 100" for n in range(12, 19)))
    five = ["1 1 2 2-0", "2 3 1 0-2", "3 1 4 2-0", "4 5 1 2-0", "5 1 6 0-2"]
    office.accept("First", [11, 12, 13, 14, 15, 16], five)
    two = ["1 1 2 2-0", "2 3 1 1-1"]
    office.accept("Second", [11, 17, 18], two, played_from=date(2026, 2, 14), played_to=date(2026, 2, 15))
    published = office.run()
    first, second = office.changes(published, 11)
    assert (first.method, first.performance_e4, first.after_e4) == ("provisional", 20_723_700, 20_144_740)
    assert (second.method, second.k) == ("change", 25)
    assert (second.own_e4, second.own_is_running) == (20_000_000, False)
    assert (second.games_before, second.before_e4, second.delta_e4) == (25, 20_144_740, 125_000)
    assert second.after_e4 == 20_269_740
    assert office.row(published, 11).rating == 2027


TWO_WINS, TWO_DRAWS = ["1 1 2 2-0", "2 3 1 0-2"], ["1 1 2 1-1", "2 3 1 1-1"]
MARCH = {"played_from": date(2026, 3, 13), "played_to": date(2026, 3, 16)}


def test_the_thirtieth_game_ends_k_25_in_the_order_of_the_events(office):
    """28 games before, two wins (W − We = 4 − 2 = 2) and two draws (0) against equal opponents, each case by five.

    The wins first: K = 25, 12,5 × 2 = 25 → 2025. The draws first bring the 30th game: K = 15, 7,5 × 2 = 15 → 2015.
    """
    earlier = {"played_to": date(2026, 2, 7)}
    cases = [
        # Both on one day: without numbers the reports are numbered as they are submitted (R5, U6).
        (("Wins", {}), ("Draws", {}), 2025),
        (("Draws", {}), ("Wins", {}), 2015),
        # With numbers the order of submission changes nothing.
        (("Wins", {"number": "27"}), ("Draws", {"number": "23"}), 2015),
        (("Draws", {"number": "33"}), ("Wins", {"number": "37"}), 2015),
        (("Wins", {"number": "43"}), ("Draws", {"number": "47"}), 2025),
        (("Draws", {"number": "57"}), ("Wins", {"number": "53"}), 2025),
        # The day of the last round comes before the number.
        (("Wins", {"number": "61"}), ("Draws", {"number": "62"} | earlier), 2015),
    ]
    fives = [range(first, first + 5) for first in range(11, 11 + 5 * len(cases), 5)]
    lines = [f"{one} 2000 28\n" + "\n".join(f"{n} 2000 100" for n in four) for one, *four in fives]
    office.opening("fmjd_id rating games\n" + "\n".join(lines))
    for (one, *four), (*events, _) in zip(fives, cases, strict=True):
        players = {"Wins": ([one, *four[:2]], TWO_WINS), "Draws": ([one, *four[2:]], TWO_DRAWS)}
        for name, details in events:
            office.accept(f"{name} {one}", *players[name], **details)
    published = office.run()
    for (one, *_), (*_, rating) in zip(fives, cases, strict=True):
        assert (office.row(published, one).rating, one) == (rating, one)
        assert [change.games_before for change in office.changes(published, one)] == [28, 30]


def test_k_is_10_once_an_earlier_list_showed_2300_and_not_before(office):
    """A list shows 2300, no point more, for the first time on 1 April: an event begun before has K = 15, one
    begun then 10.

    First quarter: 2285, two wins against 2285: 7,5 × (4 − 2) = 15 → 2300. Second quarter, two wins each, equal
    opponents (2285 on the list of 1 January, 2300 against 2300 on that of 1 April).
      began 13 March (list of 1 January, own 2285, opponents 2285): 7,5 × 2 = 15
      began 3 April (list of 1 April, own 2300, opponents 2300): 5 × 2 = 10
      2300 + 15 + 10 = 2325
    """
    office.opening("fmjd_id rating games\n11 2285 100\n" + "\n".join(f"{n} 2285 100" for n in range(12, 16))
                   + "\n16 2300 100\n17 2300 100")  # fmt: skip
    office.accept("Winter", [11, 12, 13], TWO_WINS)
    first = office.run()
    assert (office.row(first, 11).rating, office.row(first, 11).reached_2300) == (2300, True)
    office.accept("March", [11, 14, 15], TWO_WINS, **MARCH)
    office.accept("April", [11, 16, 17], TWO_WINS, played_from=date(2026, 4, 3), played_to=date(2026, 4, 5))
    second = office.run(date(2026, 7, 1))
    march, april = office.changes(second, 11)
    assert (march.basis_list.in_force, march.own_e4) == (date(2026, 1, 1), 22_850_000)
    assert (march.k, march.delta_e4) == (15, 150_000)
    assert (april.basis_list.in_force, april.own_e4) == (date(2026, 4, 1), 23_000_000)
    assert (april.k, april.delta_e4) == (10, 100_000)
    assert office.row(second, 11).rating == 2325


def test_who_is_not_on_the_event_s_list_uses_their_running_value(office):
    """A newcomer of the first quarter plays an event that began before their first list, after 25 games.

    First quarter: 25 draws against 2000: 2000 and 25 games, on the list of 1 April. The event of March began under
    the list of 1 January, where they are not; they have 25 games, so ΔR with their running value 2000 (R8):
    one win against 2000, K = 25: 12,5 × (2 − 1) = 12,5 → 2012,5 → 2013, half upwards.
    """
    office.opening("fmjd_id rating games\n" + "\n".join(f"{n} 2000 100" for n in range(12, 38)))
    draws = [f"{number} 1 {number + 1} 1-1" for number in range(1, 26)]
    office.accept("Winter", [office.newcomer("Nova", "Kometa"), *range(12, 37)], draws)
    first = office.run()
    newcomer = office.row(first, 38)
    assert (newcomer.rating, newcomer.games) == (2000, 25)
    office.names[38] = ("Nova", "Kometa")
    office.accept("March", [38, 37], ["1 1 2 2-0"], **MARCH)
    second = office.run(date(2026, 7, 1))
    (change,) = office.changes(second, 38)
    assert (change.method, change.own_e4, change.own_is_running, change.k) == ("change", 20_000_000, True, 25)
    assert (change.delta_e4, change.after_e4) == (125_000, 20_125_000)
    assert (office.row(second, 38).rating, office.row(second, 38).change) == (2013, 13)
    assert office.changes(second, 37) == []  # their opponent is not on that list: no counted game


def test_what_was_not_played_counts_for_no_one(office):
    """Forfeits, double forfeits and pauses: none of the seven; one game played and drawn: nothing gained."""
    office.opening("fmjd_id rating games\n11 2000 100\n12 2000 100\n13 2000 100")
    unplayed = ["1 1 2 2x0", "2 1 3 0x2", "3 2 1 1x1", "4 3 1 0x0", "5 1 0 2-0", "6 2 3 1-1"]
    office.accept("Example", [11, 12, 13], unplayed)
    published = office.run()
    assert office.changes(published, 11) == []
    row = office.row(published, 11)
    assert (row.rating, row.change, row.last_game) == (2000, 0, date(2025, 12, 31))
    assert (row.period_games, row.games) == (0, 100)
    (change,) = office.changes(published, 12)
    assert (change.games, change.unrated_games, change.delta_e4) == (1, 0, 0)


def test_a_game_against_an_unrated_player_is_shown_but_not_counted(office):
    office.opening("fmjd_id rating games\n11 2000 100\n12 2000 100")
    players = [11, 12, office.newcomer("Nova", "Kometa")]
    office.accept("Example", players, ["1 1 2 1-1", "2 1 3 2-0", "3 3 1 1-1"])
    published = office.run()
    (change,) = office.changes(published, 11)
    assert (change.games, change.unrated_games, change.points, change.delta_e4) == (1, 2, 1, 0)


# --- the opening list's games and the three years


def test_the_opening_list_s_games_count_in_all_and_in_three_years_until_its_last_game_falls_out(office):
    """Last game 10 June 2023: inside the three years before 15 March 2026, outside those before 15 June 2026."""
    office.opening(
        "fmjd_id rating games last_game games_3_years\n11 2000 40 2023-06-10 6\n12 2000 40 2023-06-15 7\n"
        "13 2000 40 2023-06-16 8\n14 2000 40 - -"
    )
    first = office.run()
    second = office.run(date(2026, 7, 1))

    def shown(rating_list):
        rows = {number: office.row(rating_list, number) for number in (11, 12, 13, 14)}
        return {
            number: (row.games, row.games_3_years, row.last_game, row.category, row.official_position is not None)
            for number, row in rows.items()
        }  # fmt: skip

    assert shown(first) == {
        11: (40, 6, date(2023, 6, 10), "A", True),
        12: (40, 7, date(2023, 6, 15), "A", True),
        13: (40, 8, date(2023, 6, 16), "A", True),
        14: (40, 40, date(2025, 12, 31), "A", True),  # empty: all games, on the day before the list
    }
    # On 15 June 2026 the game of 15 June 2023 is outside: the same day of the month does not count (R12).
    # With the total and the last game three to five years ago: B.
    assert shown(second) == {
        11: (40, 0, date(2023, 6, 10), "B", False),
        12: (40, 0, date(2023, 6, 15), "B", False),
        13: (40, 8, date(2023, 6, 16), "A", True),
        14: (40, 40, date(2025, 12, 31), "A", True),
    }


def test_of_an_event_across_the_boundary_the_games_after_it_count(office):
    """Rounds on 14, 15, 16, 17 and 18 March 2022; three years before 15 March 2025 is 15 March 2022, outside.

    Number 11 plays a rated opponent on the 14th, 15th and 16th, wins by forfeit on the 17th and plays a newcomer on
    the 18th: three counted games, of which one, the 16th, is still inside on 15 March 2025. The newcomer plays rated
    opponents on the 14th and the 18th: two counted, one inside. Number 12 plays on the 14th only: none inside.
    """
    office.opening(
        "fmjd_id rating games last_game games_3_years\n"
        + "\n".join(f"{n} 2000 40 2019-01-01 0" for n in range(11, 16)),
        in_force=date(2022, 4, 1),
    )
    begins, ends = date(2022, 3, 14), date(2022, 3, 18)
    days = ", ".join((begins + timedelta(days=day)).isoformat() for day in range(5))
    office.accept(
        "Across",
        [11, 12, 13, 14, 15, office.newcomer("Nova", "Kometa")],
        ["1 1 2 1-1", "1 3 6 1-1", "2 3 1 1-1", "3 1 4 1-1", "4 5 1 0x2", "5 1 6 1-1"],
        played_from=begins, played_to=ends, rounds=f"[{days}]",
    )  # fmt: skip

    def shown(rating_list):
        rows = {number: office.row(rating_list, number) for number in (11, 12, 13, 16)}
        return {number: (row.games, row.games_3_years) for number, row in rows.items()}

    published = office.run(date(2022, 7, 1))
    assert shown(published) == {11: (43, 3), 12: (41, 1), 13: (41, 1), 16: (2, 2)}
    assert office.row(published, 11).last_game == date(2022, 3, 16)
    assert office.row(published, 16).last_game == date(2022, 3, 18)
    for year, month in [(2022, 10), *product((2023, 2024), (1, 4, 7, 10)), (2025, 1)]:
        published = office.run(date(year, month, 1))
    assert shown(published) == {11: (43, 3), 12: (41, 1), 13: (41, 1), 16: (2, 2)}
    published = office.run(date(2025, 4, 1))
    assert shown(published) == {11: (43, 1), 12: (41, 0), 13: (41, 0), 16: (2, 1)}
