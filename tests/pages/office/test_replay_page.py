"""The page of a replay: the form, what would differ under another edition, and its empty states."""

import re
from http import HTTPStatus
from typing import Any

import numpy as np
import pytest
from django.test import Client

from ratings.federations.fmjd.system import FmjdSystem
from ratings.models import Pool, RatingList
from ratings.office.selectors.recalculated.replay import ReplayedList, replay_lists, replayable_lists
from ratings.office.views.recalculated import replay as page_of_replay
from ratings.office.views.recalculated.replay import difference_charts
from ratings.published.views.statistics.charts import count_guides, difference_groups
from reporting.models import Role
from tests.editions import K_20
from tests.pages.office.office_pages import person, text_of
from tests.people import client_of

pytestmark = pytest.mark.django_db(transaction=True)

ADDRESS = "/office/pools/fmjd-100/replay/"
UNDER_K_20 = f"{ADDRESS}?rules={K_20.id}"


@pytest.fixture
def two_editions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FmjdSystem, "editions", (*FmjdSystem.editions, K_20))


def test_with_one_edition_the_page_says_how_a_second_one_is_added(client: Client) -> None:
    response = client.get(ADDRESS)
    said = text_of(response)
    assert "There is only one edition of the rules." in said
    assert "docs/how-to/add-an-edition.md" in said
    assert "annex-9-2024-04" in said
    assert "<select" not in response.content.decode()
    assert "No list has been calculated yet." in text_of(client.get("/office/pools/fmjd-64/replay/"))
    assert client.get("/office/pools/shoe/replay/").status_code == HTTPStatus.NOT_FOUND


def test_the_form_comes_first_and_calculates_nothing(
    client: Client, two_editions: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_of_replay, "replay_lists", None)
    page = client.get(ADDRESS).content.decode()
    assert [f'value="{rules.id}"' in page for rules in FmjdSystem.editions] == [True, True]
    assert f'value="{K_20.id}" selected' in page
    assert "<figure" not in page
    options = re.findall(r'<option value="(20\d\d-[0-9-]+)"[^>]*>([^<]*)<', page)
    assert options == [
        ("2026-04-01", "1 Apr 2026"), ("2026-07-01", "1 Jul 2026"), ("2026-10-01", "1 Oct 2026"),
    ]  # fmt: skip


def test_the_page_shows_every_figure_of_the_replay(client: Client, two_editions: None) -> None:
    """The figures themselves are worked out by hand in tests/services/test_replay.py."""
    pool = Pool.objects.get(code="fmjd-100")
    replayed = replay_lists(pool, K_20, replayable_lists(pool))
    assert len(replayed) == 3
    response = client.get(UNDER_K_20)
    said = text_of(response)
    for found in replayed:
        assert found.differing > 0
        up, down = found.largest
        assert f"{up.before} → {up.after}" in said
        assert f"{down.before} → {down.after}" in said
        assert f'<td class="table__num">{found.differing}</td>' in response.content.decode()
        assert f"{found.spread:.4f}" in said
    groups = difference_groups(replayed[-1].differences)
    drawn = difference_charts(replayed[-1], groups)
    assert drawn.title == "Differences on the list of 1 Oct 2026, in points"
    assert drawn.title in said
    assert all(group.label in said for group in groups if group.players)


def test_the_first_list_is_chosen_and_a_request_replays_a_limited_number(
    client: Client, two_editions: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    lists = RatingList.objects.filter(is_opening=False, state="published")
    days = sorted(lists.values_list("in_force", flat=True))

    def shown(address: str) -> int:
        return client.get(address).content.decode().count('<th scope="row" class="table__name">')

    assert shown(UNDER_K_20) == len(days) == 3
    assert shown(f"{UNDER_K_20}&from={days[1]}") == 2
    monkeypatch.setattr(page_of_replay, "PAGE_LISTS", 1)
    assert shown(UNDER_K_20) == 1
    assert client.get(f"{UNDER_K_20}&from={days[1]}").status_code == HTTPStatus.BAD_REQUEST


@pytest.mark.parametrize("query", ["?rules=annex-9-2031", "?rules=", f"?rules={K_20.id}&from=2026-02-30"])
def test_an_unknown_edition_or_list_is_refused(client: Client, two_editions: None, query: str) -> None:
    response = client.get(f"{ADDRESS}{query}")
    assert response.status_code == HTTPStatus.BAD_REQUEST
    assert "field--bad" in response.content.decode()


def test_under_the_edition_of_the_lists_there_is_nothing_to_draw(client: Client, two_editions: None) -> None:
    said = text_of(client.get(f"{ADDRESS}?rules=annex-9-2024-04"))
    assert "No rating differs on the newest list." in said


def test_the_dashboard_leads_rating_officers_to_it(client: Client) -> None:
    assert f'href="{ADDRESS}"' in client.get("/office/").content.decode()
    director = client_of(person("Dirk", Role.TOURNAMENT_DIRECTOR))
    assert f'href="{ADDRESS}"' not in director.get("/office/").content.decode()


# --- the drawing


def differing(*points: int) -> ReplayedList:
    rating_list: Any = RatingList.objects.latest("in_force")
    return ReplayedList(rating_list, np.array(points), None, None, 0, 0, 0, 0, 0)


def test_bars_group_players_by_points_and_never_mix_losses_with_gains(season: None) -> None:
    """At most eight bars a side: up to 40 points in steps of 5, so 1 to 5 is the first one above nothing."""
    found = differing(0, 0, 1, 5, 6, -1, -5, -40)
    groups = difference_groups(found.differences)
    players = {(group.first, group.last): group.players for group in groups if group.players}
    assert players == {(-40, -36): 1, (-5, -1): 2, (1, 5): 2, (6, 10): 1}
    assert len(groups) == 16
    labels = [group.label for group in groups if group.players]
    assert labels == [
        "−40 to −36: 1 player", "−5 to −1: 2 players", "+1 to +5: 2 players", "+6 to +10: 1 player",
    ]  # fmt: skip
    for chart in difference_charts(found, groups).charts:
        assert all(chart.left <= bar.x and bar.x + bar.width <= chart.right for bar in chart.bars)
        middle = (chart.left + chart.right) / 2
        assert [(bar.x < middle, bar.down) for bar in chart.bars] == [(True, True)] * 2 + [(False, False)] * 2
        assert [label.label for label in chart.labels] == ["−40", "−20", "0", "+20", "+40"]
    assert difference_groups(np.array([0, 0])) == difference_groups(np.array([], dtype=int)) == []
    assert [group.points for group in difference_groups(np.array([1, -1]))] == ["−1", "+1"]


def test_counts_are_at_round_numbers() -> None:
    assert count_guides(1) == [0, 1]
    assert count_guides(7) == [0, 2, 4, 6, 8]
    assert count_guides(120) == [0, 50, 100, 150]
