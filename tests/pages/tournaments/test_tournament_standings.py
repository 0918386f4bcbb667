"""Standings of a published tournament: by its tie-breaks or chosen ones, by round, of one player, by every method."""

import re
from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse

from ratings.models import PlayerHistory
from ratings.published.views.tournaments.played import classified, played_or_404
from ratings.published.views.tournaments.standings import lines, regulations
from ratings.templatetags.published_values import has_page
from reporting.models import Entry, Game, Player, ResultSet
from reporting.reports.standings.labels import METHOD_LABELS
from reporting.rules.standings.unplayed import METHODS
from tests.cross_tables import cross_table
from tests.visitor import name_of, parse, text_of

pytestmark = [pytest.mark.database_role("web"), pytest.mark.usefixtures("season_shared")]

CODE = "2026-european-championship"
PAGE = f"/tournaments/{CODE}/"


def rows(text: str) -> list[list[str]]:
    (table,) = parse(text).iterfind(".//table")
    return [[name_of(cell) for cell in row] for row in table.iterfind("tbody/tr")]


def numbers(text: str) -> list[int]:
    """The players in the order of the standings, by the numbers of their pages."""
    return [int(number) for number in re.findall(rf'href="{PAGE}standings/(\d+)/', text)]


def headings(text: str) -> list[str]:
    (table,) = parse(text).iterfind(".//table")
    return [name_of(cell) for cell in table.iterfind("thead/tr/th")]


def points() -> dict[int, int]:
    """Points by tournament number, added up game by game."""
    entries = Entry.objects.filter(result_set__tournament__code=CODE)
    found = dict.fromkeys(entries.values_list("number", flat=True), 0)
    for game in Game.objects.filter(result_set__tournament__code=CODE).select_related("white", "black"):
        for entry, gained in ((game.white, game.white_points), (game.black, game.black_points)):
            if entry is not None:
                found[entry.number] += gained
    return found


def opponents(number: int) -> list[int | None]:
    games = Game.objects.filter(result_set__tournament__code=CODE).select_related("white", "black")
    found: list[int | None] = []
    for game in games.order_by("round"):
        for own, other in ((game.white, game.black), (game.black, game.white)):
            if own is not None and own.number == number:
                found.append(other.number if other else None)
    return found


def test_without_a_choice_a_swiss_has_the_tie_breaks_of_the_article(client: Client) -> None:
    page = client.get(PAGE)
    assert page.status_code == 200
    assert headings(page.text) == [
        "#", "Player", "Fed.", "Rating", "Points", "Short", "Plus", "Baliakin", "Full", "Change",
    ]  # fmt: skip
    found, scores = rows(page.text), points()
    shown = dict(zip(numbers(page.text), (row[4] for row in found), strict=True))
    assert shown == {number: str(score) for number, score in scores.items()}
    # Short truncated Solkoff of the first: the points of the opponents without the lowest (R50, R51).
    first = numbers(page.text)[0]
    counted = sorted(scores[other] if other else 0 for other in opponents(first))
    assert found[0][5] == str(sum(counted[1:]))
    # Marked where two neighbours equal in points and in the first tie-break are separated by a later one.
    equal = {row[1] for row in found if [other[4:6] for other in found].count(row[4:6]) > 1}
    lines_of_table = re.findall(r"<tr>.*?</tr>", page.text, re.DOTALL)[1:]
    assert {row[1] for row, line in zip(found, lines_of_table, strict=True) if "<mark>" in line} == equal


def test_the_old_address_of_the_standings_leads_to_the_tournament(client: Client) -> None:
    response = client.get(f"{PAGE}standings/", {"tie_break_1": "wins", "round": 2})
    assert (response.status_code, response["Location"]) == (301, f"{PAGE}?tie_break_1=wins&round=2")


def test_every_page_of_a_tournament_has_the_same_head(client: Client) -> None:
    def head(path: str) -> tuple[str, list[str]]:
        page = parse(client.get(path).text)
        (tabs,) = (nav for nav in page.iterfind(".//nav") if nav.get("class", "").startswith("tabs"))
        (block,) = (one for one in page.iterfind(".//div") if "title-block" in one.get("class", ""))
        return text_of(block), [name_of(link) for link in tabs.iterfind("a")]

    pages = [PAGE, *(f"{PAGE}{name}/" for name in ("crosstable", "rounds", "changes", "norms", "methods"))]
    assert len({str(head(path)) for path in pages}) == 1
    assert head(PAGE)[1] == [
        "Standings", "Crosstable", "Rounds", "Rating changes", "Norms", "Compare methods",
    ]  # fmt: skip


def test_chosen_tie_breaks_order_the_players_and_stay_in_the_links(client: Client) -> None:
    page = client.get(PAGE, {"tie_break_1": "solkoff", "tie_break_2": "wins"})
    found = rows(page.text)
    order = [(-int(row[4]), -int(row[5]), -int(row[6])) for row in found]
    assert order == sorted(order)
    link = reverse("tournament-card", args=[CODE, numbers(page.text)[0]])
    assert f'href="{link}?tie_break_1=solkoff&amp;tie_break_2=wins"' in page.text


def test_the_standings_after_a_round_count_no_later_game(client: Client) -> None:
    found = rows(client.get(PAGE, {"round": 2, "tie_break_1": "wins"}).text)
    assert max(int(row[4]) for row in found) == 4
    games = Game.objects.filter(result_set__tournament__code=CODE, round__lte=2)
    total = sum(sum(pair) for pair in games.values_list("white_points", "black_points"))
    assert sum(int(row[4]) for row in found) == total


def test_a_card_has_every_round_and_the_sum_behind_each_value(client: Client) -> None:
    number = numbers(client.get(PAGE).text)[0]
    page = client.get(f"{PAGE}standings/{number}/", {"tie_break_1": "solkoff"})
    scores, met = points(), opponents(number)
    found = rows(page.text)
    assert [row[0] for row in found] == [str(turn) for turn in range(1, len(met) + 1)]
    assert [row[3] for row in found] == [str(scores[other]) if other else "–" for other in met]
    total = sum(scores[other] if other else 0 for other in met)
    assert f'<b class="explanation__result">{total}</b>' in page.text


def test_a_card_leads_only_to_a_player_who_has_a_page(client: Client) -> None:
    """Who is on no published list has one only with a number that a federation, or the office, gives itself (U22)."""
    address = reverse("tournament-card", args=[CODE, 1])
    player = Entry.objects.get(result_set__tournament__code=CODE, number=1).player
    assert f'href="{reverse("player", args=[player.address])}"' in client.get(address).text
    unlisted = Player.objects.filter(numbers__has_key="fmjd").order_by("numbers__fmjd").first()
    assert unlisted is not None
    assert not PlayerHistory.objects.filter(player=unlisted).exists()
    office = Player(pk=unlisted.pk, last_name="A", numbers={"office": 7})
    association = Player(pk=unlisted.pk, last_name="A", numbers={"knsb": 8350001})
    assert list(map(has_page, (player, unlisted, office, association))) == [True, False, True, True]


def test_methods_are_side_by_side_and_what_differs_is_marked(client: Client) -> None:
    page = client.get(f"/tournaments/{CODE}/methods/", {"tie_break": "solkoff", "show": "all"})
    assert len(headings(page.text)) == 2 + len(METHODS) + 2
    assert headings(page.text)[2:4] + headings(page.text)[-2:] == ["Face", "Self", "FIDE 2023", "FIDE 2026"]
    found = rows(page.text)
    assert len(found) == Entry.objects.filter(result_set__tournament__code=CODE).count()
    marked = [[cell.endswith(" differs") for cell in row[3:]] for row in found]
    assert marked == [[cell.removesuffix(" differs") != row[2] for cell in row[3:]] for row in found]
    # Without what makes no difference: the players who change places, the methods by which they do.
    changed = [row[0] for row, marks in zip(found, marked, strict=True) if any(marks)]
    short = client.get(f"/tournaments/{CODE}/methods/", {"tie_break": "solkoff"}).text
    assert [row[0] for row in rows(short)] == changed
    assert f"{len(changed)} of {len(found)} players change places" in " ".join(short.split())
    alike = sum(not any(column) for column in zip(*marked, strict=True))
    assert len(headings(short)) == len(headings(page.text)) - alike


def test_without_an_edition_the_last_day_decides_on_pages_in_files_and_in_the_api() -> None:
    """R60e: all read their standings here. 1 beats 2 and 3, who draw, and misses a round: a dummy of 2, or of 1½."""
    table = cross_table(["2w2 3b2 -", "1b0 - 3w1", "- 1w0 2b1"], halves_a_point=2)
    played = replace(played_or_404(CODE), table=table)
    for day, buchholz in ((date(2026, 2, 28), Fraction(3)), (date(2026, 3, 1), Fraction(5, 2))):
        played.tournament.played_to = day
        assert classified(played, ["BH"], "", "").columns[0].value(0, 2) == buchholz
        assert classified(played, ["BH"], "", "2023").columns[0].value(0, 2) == 3


def test_the_tie_break_whose_methods_are_shown_is_the_one_in_the_form(client: Client) -> None:
    page = client.get(f"/tournaments/{CODE}/methods/")
    assert "FIDE’s Buchholz Cut-1, edition March 2026" in page.text
    choices = re.findall(r'<option value="(\w+)"( selected)?>', page.text)
    assert choices[0][0] == "short"  # what a select shows where nothing is chosen
    assert not any(selected for _, selected in choices)


def test_every_tournament_of_the_demonstration_has_these_pages(client: Client) -> None:
    for code in ResultSet.objects.filter(manifest_lines__isnull=False).values_list(
        "tournament__code", flat=True
    )[:12]:
        for name in ("tournament", "tournament-methods"):
            assert client.get(reverse(name, args=[code])).status_code == 200, (name, code)


@pytest.mark.parametrize(("address", "status", "said"), [
    (f"{PAGE}?tie_break_1=elo", 400, "elo"),
    (f"{PAGE}?unplayed=guess", 400, "guess"),
    (f"{PAGE}?round=0", 400, "1"),
    (f"{PAGE}?round=99", 400, "This tournament has 9 rounds."),
    (
        f"{PAGE}?tie_break_1=plus&unplayed=virtual",
        400,
        "Solkoff plus cannot be calculated with this choice",
    ),
    (f"{PAGE}?tie_break_1=boards", 400, "Points by boards cannot be calculated with this choice"),
    (f"{PAGE}?page=9", 404, "404"),
    (f"{PAGE}standings/999/", 404, "404"),
    (f"{PAGE}standings/1/?tie_break_1=elo", 400, "“elo” is not offered here."),
    ("/tournaments/no-such/", 404, "404"),
    (f"/tournaments/{CODE}/methods/?tie_break=aro", 400, "aro"),
    (f"/tournaments/{CODE}/methods/?page=2", 404, "404"),
])  # fmt: skip
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
    assert own["own_tie_breaks"] == ["Sonneborn-Berger", "Victories"]
    assert own["own_method"] == METHOD_LABELS["virtual"]
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
