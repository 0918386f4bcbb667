"""A correction of the oldest of four lists, with both choices for the later ones, every figure by hand.

Time for 60 moves 120 minutes (100 % of K), over 30 games and under 2300, so K = 15 and ΔR = 7.5 × (W − We); W and We in
points of 2 a game (Annex 9 art. 3.2). Every event is two games between two players:

    list         event    games                     11          12          15          17
    2025-01-01   opening                            2000        2000        2015        2030
    2025-04-01   Spring   11 beats 12 twice         2015        1985
    2025-07-01   May      11 beats 15 twice         2030                    2000
    2025-10-01   Summer   13 and 14 draw twice
    2026-01-01   Autumn   11 and 17 draw twice      2030                                2030

Own rating and opponent's are the same in each event, so Pe = 50 %, We = 2: two wins are 7.5 × (4 − 2) = 15 points, two
draws none. 13 and 14 have 2000 all the time. The six together have 12 045 points on every list.

The correction: 12 won the second game of the Spring. W = 2 for both, so no points change: 2000 each on 2025-04-01.
"""

import hashlib
from datetime import date

import pytest
from django.db.models import Sum
from django.test import Client
from django.urls import reverse

from ratings.federations.fmjd.models import FmjdChange, FmjdListRow
from ratings.models import CarriedDifference, Correction, Period, PlayerHistory, PublishedFile, RatingList
from ratings.production.correct_list import correct_list
from tests.services.conftest import office  # noqa: F401 - the small office of the service tests

pytestmark = pytest.mark.django_db(transaction=True)  # a calculation is a transaction of its own

OPENING, APRIL, JULY, OCTOBER, JANUARY, NEXT = (
    date(2025, 1, 1), date(2025, 4, 1), date(2025, 7, 1), date(2025, 10, 1), date(2026, 1, 1), date(2026, 4, 1)
)  # fmt: skip
TWO_WINS, TWO_DRAWS, ONE_EACH = (
    ["1 1 2 2-0", "2 2 1 0-2"],
    ["1 1 2 1-1", "2 2 1 1-1"],
    ["1 1 2 2-0", "2 2 1 2-0"],
)
EVENTS = {
    APRIL: ("Spring", [11, 12], TWO_WINS, date(2025, 2, 7), date(2025, 2, 9)),
    JULY: ("May", [11, 15], TWO_WINS, date(2025, 5, 2), date(2025, 5, 4)),
    OCTOBER: ("Summer", [13, 14], TWO_DRAWS, date(2025, 8, 1), date(2025, 8, 3)),
    JANUARY: ("Autumn", [11, 17], TWO_DRAWS, date(2025, 11, 7), date(2025, 11, 9)),
}
PLAYERS = (11, 12, 13, 14, 15, 17)
BEFORE = {
    APRIL: (2015, 1985, 2000, 2000, 2015, 2030),
    JULY: (2030, 1985, 2000, 2000, 2000, 2030),
    OCTOBER: (2030, 1985, 2000, 2000, 2000, 2030),
    JANUARY: (2030, 1985, 2000, 2000, 2000, 2030),
}


@pytest.fixture
def lists(office):  # noqa: F811
    """The four calculated lists, and what each looked like from outside."""
    office.opening(
        "fmjd_id rating games\n11 2000 100\n12 2000 100\n13 2000 100\n14 2000 100\n15 2015 100\n17 2030 100",
        in_force=OPENING,
    )
    published = {}
    for in_force, (name, players, games, played_from, played_to) in EVENTS.items():
        office.accept(name, players, games, played_from=played_from, played_to=played_to)
        published[in_force] = office.run(in_force)
    assert {day: ratings(rating_list) for day, rating_list in published.items()} == BEFORE
    return published


def ratings(rating_list):
    rows = FmjdListRow.objects.filter(list=rating_list, register_number__in=PLAYERS)
    return tuple(rows.order_by("register_number").values_list("rating", flat=True))


def outside(rating_list):
    """Everything of a published revision that must stay: its line, rows, changes, files and what its addresses give."""
    client = Client()
    numbers = {
        "pool": rating_list.pool.code, "in_force": rating_list.in_force, "revision": rating_list.revision
    }  # fmt: skip
    assert client.get(reverse("list-revision", kwargs=numbers)).status_code == 200
    files = {}
    for file in PublishedFile.objects.filter(list=rating_list):
        answer = client.get(reverse("list-file", kwargs=numbers | {"name": file.name}))
        content = b"".join(answer) if answer.streaming else answer.content
        assert (answer.status_code, hashlib.sha256(content).hexdigest()) == (200, file.sha256)
        files[file.name] = (file.pk, content)
    return {
        "line": RatingList.objects.filter(pk=rating_list.pk).values().get(),
        "rows": list(FmjdListRow.objects.filter(list=rating_list).order_by("position").values()),
        "changes": list(
            FmjdChange.objects.filter(list=rating_list).order_by("player_id", "sequence").values()
        ),
        "files": files,
    }


def history(fmjd_id):
    """What a player's page shows: day → revision of the list and rating."""
    lines = PlayerHistory.objects.filter(player__numbers__fmjd=fmjd_id, in_force__gt=OPENING)
    return {line.in_force: (line.list.revision, line.rating) for line in lines.select_related("list")}


def put_right(office, april, later):  # noqa: F811
    """The corrected report of the Spring, accepted, taken into the second revision of the oldest list."""
    report = office.accept(
        "Spring", [11, 12], ONE_EACH, played_from=date(2025, 2, 7), played_to=date(2025, 2, 9),
        corrects='"2025-spring"',
    )  # fmt: skip
    assert (report.result_set.code, report.result_set.revision) == ("2025-spring", 1)
    correct_list(
        rating_list=april, reason="The second game was won by Black.", later=later, included_reports=[report.pk],
        by=office.officer,
    )  # fmt: skip
    return report


def points_together(rating_list):
    return FmjdListRow.objects.filter(list=rating_list).aggregate(points=Sum("rating"))["points"]


def chained(rating_list, previous):
    assert (rating_list.previous, rating_list.previous_sha256) == (previous, previous.sha256)
    assert rating_list.input_lists[-1] == previous.pk
    figures = bytes(PublishedFile.objects.get(list=rating_list, name="figures.csv").content)
    assert hashlib.sha256(figures).hexdigest() == rating_list.sha256
    assert previous.sha256.encode() in figures


def test_all_later_lists_are_revised_in_order(office, lists):  # noqa: F811
    """The Spring put right, 11 came to the May with 2000 instead of 2015, and with 2016 instead of 2030 to the Autumn.

    May: |d| = 15 lies between 52 % (14.34) and 53 % (21.48): 52 + 0.66 / 7.14 = 52.0924 %.
      11: Pe = 47.9076, We = 47.9076 × 4 / 100 = 1.9163, ΔR = 7.5 × (4 − 1.9163) = 15.6278: 2015.6278 → 2016
      15: Pe = 52.0924, We = 2.0837, ΔR = 7.5 × (0 − 2.0837) = −15.6278: 1999.3722 → 1999
    Autumn: |d| = 2030 − 2016 = 14 lies between 51 % (7.14) and 52 % (14.34): 51 + 6.86 / 7.20 = 51.9528 %.
      11: Pe = 48.0472, We = 1.9219, ΔR = 7.5 × (2 − 1.9219) = 0.5858: 2016.5858 → 2017
      17: Pe = 51.9528, We = 2.0781, ΔR = 7.5 × (2 − 2.0781) = −0.5858: 2029.4142 → 2029
    """
    opening = RatingList.objects.get(is_opening=True)
    before = {day: outside(rating_list) for day, rating_list in lists.items()}
    put_right(office, lists[APRIL], "revise")
    after = {
        APRIL: (2000, 2000, 2000, 2000, 2015, 2030),
        JULY: (2016, 2000, 2000, 2000, 1999, 2030),
        OCTOBER: (2016, 2000, 2000, 2000, 1999, 2030),
        JANUARY: (2017, 2000, 2000, 2000, 1999, 2029),
    }
    revised = {}
    for in_force, expected in after.items():
        # One at a time, in order: the release of each asks for the next.
        assert [period.in_force for period in Period.objects.filter(state="correcting")] == [in_force]
        revised[in_force] = office.run(in_force)
        assert (revised[in_force].revision, ratings(revised[in_force])) == (2, expected)
        chained(revised[in_force], [opening, *revised.values()][-2])
        assert revised[in_force].input_lists == [
            opening.pk,
            *(revision.pk for revision in list(revised.values())[:-1]),
        ]
    assert not Period.objects.filter(state="correcting").exists()

    first, *followers = Correction.objects.order_by("pk")
    assert [revision.replaces for revision in (first, *followers)] == list(lists.values())
    assert [follower.follows for follower in followers] == [first, *followers[:-1]]
    assert {follower.requested_by for follower in followers} == {office.officer.user}
    assert {follower.reason for follower in followers} == {"The second game was won by Black."}
    assert [follower.printed_reason for follower in followers] == [
        f"Follows revision 2 of the list of {day}: The second game was won by Black."
        for day in ("1 Apr 2025", "1 Jul 2025", "1 Oct 2025")
    ]
    assert {day: outside(rating_list) for day, rating_list in lists.items()} == before
    assert history(11) == {APRIL: (2, 2000), JULY: (2, 2016), OCTOBER: (2, 2016), JANUARY: (2, 2017)}
    assert history(15) == {APRIL: (2, 2015), JULY: (2, 1999), OCTOBER: (2, 1999), JANUARY: (2, 1999)}
    (autumn,) = office.changes(revised[JANUARY], 11)
    assert (autumn.own_e4, autumn.expected_percentage_e4, autumn.delta_e4) == (20_160_000, 480_472, 5858)

    # Nothing is left to carry.
    following = office.run(NEXT)
    assert ratings(following) == after[JANUARY]
    assert not following.carried.exists()
    assert not CarriedDifference.objects.exists()
    chained(following, revised[JANUARY])
    # Both ways the points won are the points lost: what 11 keeps here, 15 and 17 have lost more of.
    assert points_together(following) == points_together(opening) == 12_045
