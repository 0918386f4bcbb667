"""The page that compares the rules of two pools: the form, what it shows, its file, and its errors."""

import csv
import io
import re
from http import HTTPStatus

import pytest
from django.test import Client

from ratings.models import Pool, RatingList
from ratings.office.selectors.recalculated.compare_rules import compare_rules
from ratings.office.views.recalculated import compare_rules as page_of_rules
from reporting.models import Role
from tests.pages.office.office_pages import figures_on, person, text_of
from tests.people import client_of

pytestmark = pytest.mark.django_db(transaction=True)

ADDRESS = "/office/compare-rules/"
BY_KNSB = f"{ADDRESS}?pool=fmjd-100&lists=3&with=knsb-klassiek"


def test_the_form_comes_first_and_calculates_nothing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_of_rules, "compare_rules", None)
    response = client.get(ADDRESS)
    page = response.content.decode()
    for pool in Pool.objects.all():
        assert f'<option value="{pool.code}"' in page
    assert "<figure" not in page
    assert "Nothing is stored, and published lists do not change." in text_of(response)


def test_the_page_shows_figures_assumptions_charts_and_the_largest_differences(client: Client) -> None:
    """The figures themselves are worked out by hand in tests/services/test_compare_rules.py."""
    pools = {pool.code: pool for pool in Pool.objects.all()}
    found = compare_rules(pools["fmjd-100"], pools["knsb-klassiek"], 3)
    response = client.get(BY_KNSB)
    page, said = response.content.decode(), text_of(response)
    shown = figures_on(page)
    assert shown["Players with both ratings"] == str(found.players)
    assert shown["Different"] == str(found.changed)
    assert shown["Standard deviation"] == f"{found.standard_deviation:.4f}"
    assert f"{found.without_rating} more players have no rating by the other rules." in said
    assert [sentence in said for sentence in found.assumptions] == [True] * 5
    assert [f'id="{name}-plot-desktop"' in page for name in ("differences", "ratings")] == [True, True]
    largest = page[page.index('id="largest"') :]
    rows = re.findall(r'<th scope="row".*?</tr>', largest, re.DOTALL)
    assert len(rows) == 20
    first = found.rows(1)[0]
    cells = re.findall(r'table__num">([^<]+)<', rows[0])
    assert cells == [str(first.rating), str(first.other), f"−{-first.difference}"]
    assert sum(one.players for one in found.classes()) == found.players


def test_the_file_has_every_player(client: Client) -> None:
    page = client.get(BY_KNSB).content.decode()
    href = re.search(r'href="(/office/compare-rules/comparison\.csv[^"]*)"', page)
    assert href
    response = client.get(href[1].replace("&amp;", "&"))
    name = "fmjd-100-by-knsb-klassiek-2026-10-01.csv"
    assert response["Content-Disposition"] == f'attachment; filename="{name}"'
    rows = list(csv.DictReader(io.StringIO(response.content.decode())))
    sizes = [abs(int(row["difference"])) for row in rows]
    assert sizes == sorted(sizes, reverse=True)
    newest = RatingList.objects.filter(pool__code="fmjd-100", state="published").latest("in_force")
    assert 600 < len(rows) <= newest.players
    assert all(int(row["other"]) - int(row["rating"]) == int(row["difference"]) for row in rows)


def test_by_its_own_rules_there_is_nothing_to_draw(client: Client) -> None:
    response = client.get(f"{ADDRESS}?pool=fmjd-100&lists=3&with=fmjd-100")
    said = text_of(response)
    assert "No rating differs." in said
    assert "None: both pools have the same rules." in said
    assert "<figure" not in response.content.decode()


@pytest.mark.parametrize(("query", "said"), [
    ("pool=fmjd-100&lists=4&with=iccf", "fmjd-100 has 3 lists that can be compared, not 4."),
    ("pool=fmjd-64&lists=1&with=iccf", "fmjd-64 has 0 lists that can be compared, not 1."),
    ("pool=fmjd-100&lists=0&with=iccf", "Enter at least 1."),
    ("pool=fmjd-100&lists=9&with=iccf", "Enter at most 8."),
    ("pool=fmjd-100&lists=x&with=iccf", "This is no whole number."),
    ("pool=shoe&lists=1&with=iccf", "“shoe” is not offered here."),
    ("pool=fmjd-100&lists=1&with=shoe", "“shoe” is not offered here."),
    ("pool=fmjd-100", "Fill this in."),
])  # fmt: skip
@pytest.mark.parametrize("address", [ADDRESS, f"{ADDRESS}comparison.csv"])
def test_what_cannot_be_compared_is_refused(client: Client, address: str, query: str, said: str) -> None:
    response = client.get(f"{address}?{query}")
    assert response.status_code == HTTPStatus.BAD_REQUEST
    assert said in text_of(response)
    assert "field--bad" in response.content.decode()


def test_the_dashboard_leads_officers_to_it(client: Client) -> None:
    assert f'href="{ADDRESS}"' in client.get("/office/").content.decode()
    director = client_of(person("Dirk", Role.TOURNAMENT_DIRECTOR))
    assert f'href="{ADDRESS}"' not in director.get("/office/").content.decode()
    assert director.get(ADDRESS).status_code == HTTPStatus.FORBIDDEN
    releaser = client_of(person("Rita", Role.RELEASING_OFFICER))
    assert releaser.get(ADDRESS).status_code == HTTPStatus.OK
