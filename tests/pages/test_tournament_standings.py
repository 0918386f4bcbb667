"""Standings of a published tournament: by its tie-breaks or chosen ones, by round, of one player, by every method."""

import re

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse

from ratings.published.views.tournaments.standings import classified, lines, played_or_404, regulations
from reporting.models import Entry, Game, Tournament
from reporting.rules.standings.unplayed import METHODS
from reporting.standings.labels import METHOD_LABELS
from tests.visitor import name_of, parse

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season_shared"),
]

CODE = "2026-european-championship"
PAGE = f"/tournaments/{CODE}/standings/"


def rows(text: str) -> list[list[str]]:
    (table,) = parse(text).iterfind(".//table")
    return [[name_of(cell) for cell in row] for row in table.iterfind("tbody/tr")]


def headings(text: str) -> list[str]:
    (table,) = parse(text).iterfind(".//table")
    return [name_of(cell) for cell in table.iterfind("thead/tr/th")]


def points() -> dict[int, int]:
    """Points by tournament number, added up game by game."""
    found = dict.fromkeys(Entry.objects.filter(tournament__code=CODE).values_list("number", flat=True), 0)
    for game in Game.objects.filter(tournament__code=CODE).select_related("white", "black"):
        for entry, gained in ((game.white, game.white_points), (game.black, game.black_points)):
            if entry is not None:
                found[entry.number] += gained
    return found


def opponents(number: int) -> list[int | None]:
    games = Game.objects.filter(tournament__code=CODE).select_related("white", "black").order_by("round")
    found: list[int | None] = []
    for game in games:
        for own, other in ((game.white, game.black), (game.black, game.white)):
            if own is not None and own.number == number:
                found.append(other.number if other else None)
    return found


def test_without_a_choice_a_swiss_has_the_tie_breaks_of_the_article(client: Client) -> None:
    page = client.get(PAGE)
    assert page.status_code == 200
    assert headings(page.text)[4:] == ["short", "plus", "baliakin", "full"]
    found, scores = rows(page.text), points()
    assert {int(row[1]): row[3] for row in found} == {number: str(score) for number, score in scores.items()}
    # Short truncated Solkoff of the first: the points of the opponents without the lowest (R50, R51).
    first = int(found[0][1])
    counted = sorted(scores[other] if other else 0 for other in opponents(first))
    assert found[0][4] == str(sum(counted[1:]))


def test_chosen_tie_breaks_order_the_players_and_stay_in_the_links(client: Client) -> None:
    page = client.get(PAGE, {"tie_break_1": "solkoff", "tie_break_2": "wins"})
    found = rows(page.text)
    order = [(-int(row[3]), -int(row[4]), -int(row[5])) for row in found]
    assert order == sorted(order)
    link = reverse("tournament-card", args=[CODE, int(found[0][1])])
    assert f'href="{link}?tie_break_1=solkoff&amp;tie_break_2=wins"' in page.text


def test_the_standings_after_a_round_count_no_later_game(client: Client) -> None:
    found = rows(client.get(PAGE, {"round": 2, "tie_break_1": "wins"}).text)
    assert max(int(row[3]) for row in found) == 4
    total = sum(
        sum(pair)
        for pair in Game.objects.filter(tournament__code=CODE, round__lte=2).values_list(
            "white_points", "black_points"
        )
    )
    assert sum(int(row[3]) for row in found) == total


def test_a_card_has_every_round_and_the_sum_behind_each_value(client: Client) -> None:
    number = int(rows(client.get(PAGE).text)[0][1])
    page = client.get(f"{PAGE}{number}/", {"tie_break_1": "solkoff"})
    scores, met = points(), opponents(number)
    found = rows(page.text)
    assert [row[0] for row in found] == [str(turn) for turn in range(1, len(met) + 1)]
    assert [row[3] for row in found] == [str(scores[other]) if other else "–" for other in met]
    total = sum(scores[other] if other else 0 for other in met)
    assert f'<b class="explanation__result">{total}</b>' in page.text


def test_methods_are_side_by_side_and_what_differs_is_marked(client: Client) -> None:
    page = client.get(f"/tournaments/{CODE}/methods/", {"tie_break": "solkoff"})
    assert headings(page.text)[2:] == [*METHODS, "BH 2023", "BH 2026-03"]
    found = rows(page.text)
    differing = sum(
        cell.removesuffix(" differs") != row[2].removesuffix(" differs") for row in found for cell in row[3:]
    )
    assert page.text.count("<mark>") == differing
    said = re.search(r"(\d+) places? differs? from face value", page.text)
    assert said is not None
    assert int(said[1]) == differing


def test_the_tie_break_whose_methods_are_shown_is_the_one_in_the_form(client: Client) -> None:
    page = client.get(f"/tournaments/{CODE}/methods/")
    assert headings(page.text)[-2:] == ["BH/C1 2023", "BH/C1 2026-03"]
    choices = re.findall(r'<option value="(\w+)"( selected)?>', page.text)
    assert choices[0][0] == "short"  # what a select shows where nothing is chosen
    assert not any(selected for _, selected in choices)


def test_every_tournament_of_the_demonstration_has_these_pages(client: Client) -> None:
    for code in Tournament.objects.filter(manifest_lines__isnull=False).values_list("code", flat=True)[:12]:
        for name in ("tournament-standings", "tournament-methods"):
            assert client.get(reverse(name, args=[code])).status_code == 200, (name, code)


@pytest.mark.parametrize(
    ("address", "status", "said"),
    [
        (f"{PAGE}?tie_break_1=elo", 400, "elo"),
        (f"{PAGE}?unplayed=guess", 400, "guess"),
        (f"{PAGE}?round=0", 400, "1"),
        (f"{PAGE}?round=99", 200, "Points"),
        (f"{PAGE}?tie_break_1=plus&unplayed=virtual", 400, "plus cannot be calculated with this choice"),
        (f"{PAGE}?tie_break_1=boards", 400, "boards cannot be calculated with this choice"),
        (f"{PAGE}?page=9", 404, "404"),
        (f"{PAGE}999/", 404, "404"),
        (f"{PAGE}1/?tie_break_1=elo", 400, "elo is not one of the available choices"),
        ("/tournaments/no-such/standings/", 404, "404"),
        (f"/tournaments/{CODE}/methods/?tie_break=aro", 400, "aro"),
        (f"/tournaments/{CODE}/methods/?page=2", 404, "404"),
    ],
)
def test_a_wrong_address_says_what_is_wrong(client: Client, address: str, status: int, said: str) -> None:
    page = client.get(address)
    assert page.status_code == status
    assert said in page.text or status == 404


def test_the_tie_breaks_of_the_details_hold_where_none_are_chosen() -> None:
    played = played_or_404(CODE)
    played.tournament.standings = ["sb", "solkoff-of-old", "wins"]
    played.tournament.unplayed = "virtual"
    assert [each.key for each in classified(played, [], "", "").tie_breaks] == ["sb", "wins"]
    own = regulations(played)
    assert (own["own_keys"], own["own_method"]) == (["sb", "wins"], METHOD_LABELS["virtual"])
    assert [each.key for each in classified(played, ["solkoff"], "", "").tie_breaks] == ["solkoff"]


def test_a_tie_on_which_a_title_depends_is_to_be_played(client: Client) -> None:
    """European Championship: 1 to 3, 4 to 6, 7 to 9 and 10 bring different titles (Annex 10 art. 3.1, X-1; R52)."""
    played = played_or_404(CODE)
    request = RequestFactory().get(PAGE)
    by_points_alone = classified(played, ["lot"], "", "")
    shown = lines(request, played, by_points_alone, 1, {})["players"]
    totals = sorted(points().values(), reverse=True)
    for player, _, to_be_played in shown:
        first, size = player.place, totals.count(totals[player.place - 1])
        assert to_be_played == any(first <= place < first + size - 1 for place in (1, 3, 6, 9, 10))
    assert any(to_be_played for _, _, to_be_played in shown)
    # Not where a visitor chose the tie-breaks.
    chosen = lines(request, played, by_points_alone, 1, {"tie_break_1": "lot"})["players"]
    assert not any(to_be_played for _, _, to_be_played in chosen)
