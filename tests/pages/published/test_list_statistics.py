"""Lists compared, their statistics and records, and the figures of a federation are those of the rows of the lists."""

import itertools
import re
from collections import defaultdict

import pytest
from django.db import connection
from django.test import Client

from ratings.federations.fmjd.models import FmjdListRow
from ratings.models import RatingList
from ratings.published.selectors.federations import federation_ranks
from ratings.published.selectors.statistics.comparison import Part, compare_lists, compared_rows
from ratings.published.selectors.statistics.distribution import list_figures, movers, rating_classes
from ratings.published.selectors.statistics.federations import (
    players_by_derived_list,
    players_by_title,
    ranks_over_time,
)
from ratings.published.selectors.statistics.records import (
    activity_by_federation,
    activity_by_year,
    records_of_pool,
)
from reporting.models import PlayerMerge, User
from tests.pages.published.published_pages import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

LIST = "/lists/fmjd-100/2026-10-01/r1/"


@pytest.fixture
def lists(season_shared: None) -> list[RatingList]:
    """The four lists of a pool, oldest first; the first is its opening list."""
    of_pool = RatingList.objects.filter(state="published", pool__code="fmjd-100").select_related("pool")
    return list(of_pool.order_by("in_force"))


def rows_of(rating_list: RatingList) -> dict[int, FmjdListRow]:
    return {row.player_id: row for row in FmjdListRow.objects.filter(list_id=rating_list.pk)}


@pytest.mark.parametrize("way", [1, -1])
def test_every_player_of_two_lists_is_in_one_table(lists: list[RatingList], way: int) -> None:
    """From the second list to the last one, and back: then the new players are gone."""
    before, after = [lists[1], lists[3]][::way]
    old, new = rows_of(before), rows_of(after)
    both = {new[key].register_number: new[key].rating - old[key].rating for key in old.keys() & new.keys()}
    expected = {
        Part.GAINS: sorted((-points, number) for number, points in both.items() if points > 0),
        Part.LOSSES: sorted((points, number) for number, points in both.items() if points < 0),
        Part.NEW: sorted((-new[key].rating, new[key].register_number) for key in new.keys() - old.keys()),
        Part.GONE: sorted((-old[key].rating, old[key].register_number) for key in old.keys() - new.keys()),
    }
    counts = compare_lists(before, after)
    assert counts.unchanged == sum(points == 0 for points in both.values()) > 0
    for part, rows in expected.items():
        places = range(0, len(rows) + 1, 100)
        found = [row for first in places for row in compared_rows(before, after, part, first)]
        assert counts.players(part) == len(rows)
        if part in {Part.GAINS, Part.LOSSES}:
            assert [abs(row.difference) for row in found] == [abs(points) for points, _ in rows]
            assert {row.number: row.difference for row in found}.items() <= both.items()
        else:
            assert [(-(row.before or row.after or 0), row.number) for row in found] == rows
    assert counts.gains > 100 < counts.losses
    assert (counts.new, counts.gone)[::way][1] == 0 < (counts.new, counts.gone)[::way][0]


@pytest.mark.database_role("owner")
def test_a_duplicate_counts_as_its_surviving_record(lists: list[RatingList]) -> None:
    """Someone new on the last list turns out to be a player of the list before: not new, but with a difference."""
    before, after = lists[2:]
    old, new = rows_of(before), rows_of(after)
    surviving = next(row for key, row in new.items() if key not in old)
    duplicate = next(row for row in old.values() if row.rating != surviving.rating)
    as_it_is = compare_lists(before, after)
    merge = PlayerMerge.objects.create(
        duplicate_id=duplicate.player_id, surviving_id=surviving.player_id, reason="One person.",
        merged_by=User.objects.earliest("pk"),
    )  # fmt: skip
    after.merges = [merge.pk]
    merged = compare_lists(before, after)
    assert merged.new == as_it_is.new - 1
    assert merged.gone == as_it_is.gone  # the duplicate's row of the last list is that of the same person
    part = Part.GAINS if surviving.rating > duplicate.rating else Part.LOSSES
    found = [row for first in (0, 100) for row in compared_rows(before, after, part, first)]
    figures = {(row.number, row.before, row.after) for row in found}
    assert (surviving.register_number, duplicate.rating, surviving.rating) in figures


def test_the_page_compares_the_lists_that_are_asked_for(client: Client, lists: list[RatingList]) -> None:
    page = client.get("/lists/fmjd-100/compare/")
    lasting = "/lists/fmjd-100/compare/?a=2026-07-01-r1&amp;b=2026-10-01-r1"
    assert f'<a href="{lasting}">' in page.text
    same = client.get("/lists/fmjd-100/compare/?a=2026-10-01-r1&b=2026-10-01-r1").text
    assert "Choose two different lists." in same
    for query, problem in (
        ("a=2026-07-02-r1", "This pool has no such list."),
        ("part=ups", "Part: “ups” is not offered here. Choose one of the list."),
    ):
        refused = client.get(f"/lists/fmjd-100/compare/?{query}")
        assert refused.status_code == 400
        assert problem in refused.text
    assert client.get("/lists/fmjd-100/compare/?page=99").status_code == 404
    assert client.get("/lists/nothing/compare/").status_code == 404


def test_the_distribution_and_the_movers_of_a_list(client: Client, lists: list[RatingList]) -> None:
    rows = list(rows_of(lists[3]).values())
    classes = rating_classes(lists[3])
    for one in classes:
        own = [row for row in rows if one.first <= row.rating <= one.last]
        official = [row for row in own if row.official_position]
        assert (one.players, one.official) == (len(own), len(official))
        assert one.women == sum(row.sex == "W" for row in own)
    assert sum(one.players for one in classes) == len(rows)
    assert {later.first - one.first for one, later in itertools.pairwise(classes)} == {50}
    figures = list_figures(lists[3])
    assert figures is not None
    ratings = sorted(row.rating for row in rows)
    assert figures.median == ratings[len(ratings) // 2]  # an odd number of players
    assert len(ratings) % 2 == 1
    assert figures.active == sum(row.period_games > 0 for row in rows)
    assert figures.new == sum(row.change is None for row in rows)
    changes = sorted(row.change for row in rows if row.change is not None)
    assert [row["change"] for row in movers(lists[3])["losses"]] == changes[:10]
    assert [row["change"] for row in movers(lists[3])["gains"]] == changes[:-11:-1]
    text = client.get(f"{LIST}statistics/").text
    assert text.count('<rect class="plot__bar"') == 2 * sum(one.players > 0 for one in classes)
    # Who gained, lost and is new: the numbers lead to the tables that have as many.
    comparison = "/lists/fmjd-100/compare/?a=2026-07-01-r1&amp;b=2026-10-01-r1&amp;part="
    counts = compare_lists(lists[2], lists[3])
    for part in (Part.GAINS, Part.LOSSES, Part.NEW):
        assert f'<a href="{comparison}{part}">{counts.players(part)}</a>' in text
    # A bar for each mover, as long as the change; all on one scale, that of the largest change.
    bars = [int(change) for change in re.findall(r'd="M0 1H(-?[0-9]+)V13H0Z"', text)]
    assert bars == [*changes[:-11:-1], *changes[:10]]
    largest = max(-changes[0], changes[-1])
    boxes = [("0" if bar > 0 else f"-{largest}", str(largest)) for bar in bars]
    assert re.findall(r'viewBox="(\S+) 0 (\S+) 14"', text) == boxes
    assert "Largest changes" not in client.get("/lists/fmjd-100/2026-01-01/r1/statistics/").text


@pytest.mark.database_role("owner")
def test_records_are_of_all_lists_and_leave_with_an_erased_name(
    client: Client, lists: list[RatingList]
) -> None:
    ratings, climbs, days = defaultdict(list), defaultdict(list), {}
    for one in lists:
        for key, row in rows_of(one).items():
            ratings[key].append(row.rating)
            climbs[key].append(row.change or 0)
            days.setdefault((key, row.rating), one.in_force)
    found = records_of_pool(tuple(lists), ())
    peaks = {key: max(own) for key, own in ratings.items()}
    assert [record.value for record in found.peaks] == sorted(peaks.values(), reverse=True)[:10]
    for record in found.peaks:
        assert record.value == peaks[record.player.pk]
        assert record.rating_list.in_force == days[record.player.pk, record.value]
        assert record.federation == rows_of(record.rating_list)[record.player.pk].federation
    ranks = [1 + sum(other > record.value for other in peaks.values()) for record in found.peaks]
    assert [record.rank for record in found.peaks] == ranks
    best = sorted((max(own) for own in climbs.values()), reverse=True)[:10]
    assert [record.value for record in found.climbs] == best
    assert all(record.rating - (record.before or 0) == record.value for record in found.climbs)
    assert found.climbs_in_a_year == []  # the first list is nine months old
    games = sorted((row.games for row in rows_of(lists[3]).values()), reverse=True)
    assert [record.value for record in found.games] == games[:10]

    (year,) = activity_by_year(tuple(lists), ())
    played = {key for one in lists[1:] for key, row in rows_of(one).items() if row.period_games}
    assert (year.year, year.lists, year.players) == (2026, 3, len(played))
    assert year.games == sum(one.games for one in lists[1:])
    federations = activity_by_federation(lists, 2026)
    all_games = sum(row.period_games for one in lists[1:] for row in rows_of(one).values())
    assert sum(one.games for one in federations) == all_games

    leader = found.peaks[0].player
    assert f'href="/players/{leader.address}/?pool=fmjd-100"' in client.get("/records/").text
    with connection.cursor() as cursor:
        cursor.execute("select erase_player_name(%s)", [leader.pk])
        # With the name go the files that carry it; their hashes tell every page that it has changed.
        cursor.execute("update ratings_publishedfile set sha256 = repeat('0', 64) where has_names")
    assert leader.pk not in {record.player.pk for record in records_of_pool(tuple(lists), ("erased",)).peaks}
    assert f'href="/players/{leader.address}/?pool=fmjd-100"' not in client.get("/records/").text


def test_a_peak_is_of_the_oldest_list_with_it_whatever_its_key(lists: list[RatingList]) -> None:
    """A revision has a later key than the lists after it. Here the newest list has the smallest key."""
    by_age = lists[::-1]
    rows = [(one, rows_of(one)) for one in by_age]
    for record in records_of_pool(tuple(by_age), ("by age",)).peaks:
        key = record.player.pk
        reached = (one for one, own in rows if key in own and own[key].rating == record.value)
        assert record.rating_list == next(reached)


@pytest.mark.database_role("owner")
def test_a_merged_record_takes_no_place_of_another_player(lists: list[RatingList]) -> None:
    """The first two of a list turn out to be one person: the ten highest are the first of them and nine more."""
    july = lists[2]
    rows = sorted(rows_of(july).values(), key=lambda row: row.position)
    merge = PlayerMerge.objects.create(
        duplicate_id=rows[1].player_id, surviving_id=rows[0].player_id, reason="One person.",
        merged_by=User.objects.earliest("pk"),
    )  # fmt: skip
    july.merges = [merge.pk]
    found = records_of_pool((july,), ("merged",)).peaks
    assert [record.value for record in found] == [row.rating for row in (rows[0], *rows[2:11])]


def test_a_climb_in_a_year_is_against_the_list_in_force_a_year_before(lists: list[RatingList]) -> None:
    """As if the second list had come into force in September 2025: on 1 October 2025 it was the newest."""
    lists[0].in_force = lists[0].in_force.replace(year=2025, month=6)
    lists[1].in_force = lists[1].in_force.replace(year=2025, month=9)
    before, after = rows_of(lists[1]), rows_of(lists[3])
    of_year = sorted((after[key].rating - before[key].rating for key in before), reverse=True)[:10]
    found = records_of_pool(tuple(lists), ()).climbs_in_a_year
    later = [record for record in found if record.rating_list == lists[3]]
    assert later
    assert all(record.since == lists[1] for record in later)
    assert {record.value for record in later} <= set(of_year)
    # The list of July is compared with that of June, the one in force on 1 July 2025.
    assert {record.since for record in found} <= {lists[0], lists[1]}


def test_the_figures_of_a_federation_are_those_of_its_lists(client: Client, lists: list[RatingList]) -> None:
    ranks = ranks_over_time(tuple(lists), ())
    for place, one in enumerate(lists):
        ranked = [row for row in federation_ranks(one).all_players if row.rank]
        expected = {row.code: (row.rank, row.mean_e4) for row in ranked}
        of_list = {code: [r for r in rows if r.rating_list == one] for code, rows in ranks.items()}
        found = {code: (own[-1].rank, own[-1].mean_e4) for code, own in of_list.items() if own}
        assert found == expected, place
    own = [row for row in rows_of(lists[3]).values() if row.federation == "NED"]
    women = next(part for part in players_by_derived_list(lists[3], "NED") if part.derived.name == "women")
    of_women = [row.rating for row in own if row.sex == "W"]
    assert (women.players, women.highest) == (len(of_women), max(of_women))
    titles = dict(players_by_title(lists[3], "NED"))
    assert titles["GMI"] == sum(row.title == "GMI" for row in own)
    assert sum(titles.values()) == sum(bool(row.title) for row in own)
    text = text_of(client.get("/federations/NED/").text)
    assert f"Women {len(of_women)} {max(of_women)}" in text
    assert "Latest tournaments in this country" in text
    assert 'href="/tournaments/?country=NED"' in client.get("/federations/NED/").text


def test_the_archive_by_pool_and_year(client: Client, lists: list[RatingList]) -> None:
    every = client.get("/lists/?pool=fmjd-100&year=2026").text
    assert all(f'href="/lists/fmjd-100/{one.in_force}/r1/"' in every for one in lists)
    other = client.get("/lists/?pool=fmjd-64").text
    assert "No list of this pool came into force in this year." in other
    for query in ("pool=fmjd-65", "year=1925"):
        refused = client.get(f"/lists/?{query}")
        assert refused.status_code == 400
        assert f"{query.partition('=')[0].capitalize()}: " in refused.text
        assert "No list has been published yet." not in refused.text
        assert all(f'href="/lists/fmjd-100/{one.in_force}/r1/"' in refused.text for one in lists)
        assert client.get(f"/records/?{query}").status_code == 400
