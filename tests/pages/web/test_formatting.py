"""Figures, dates and drawings are printed as the house prints them."""

import itertools
from datetime import UTC, date, datetime
from types import SimpleNamespace

import pytest

from ratings.federations.fmjd.rules.edition import RULES
from ratings.federations.fmjd.texts import PARAMETER_LABELS, parameter_text
from ratings.federations.registry import rating_system
from ratings.models import RatingList
from ratings.published.views.list_query import variant_label
from ratings.published.views.statistics.charts import axis_ticks, label_places, rating_charts
from ratings.queries.list_rows import list_variants
from ratings.templatetags import regulations
from ratings.templatetags.changes import change_e4, four_decimals
from reporting.formats.detect import format_labels
from reporting.templatetags import reports
from reporting.templatetags import values as value_tags
from reporting.web import values
from reporting.web.paging import build_pager
from tests.formats.test_limits import FORMATS


@pytest.mark.parametrize(
    ("value", "printed"),
    [(7, '<span class="change change--up">+7</span>'), (-4, '<span class="change change--down">−4</span>'),
     (0, '<span class="change">0</span>'), (None, '<span class="change change--new">new</span>')],
)  # fmt: skip
def test_changes_have_a_sign_and_a_true_minus(value: int | None, printed: str) -> None:
    assert values.change(value) == printed


def test_scaled_figures_have_four_decimals() -> None:
    assert four_decimals(636842) == "63.6842"
    assert four_decimals(-22788) == "−2.2788"
    assert four_decimals(None) == ""
    assert ">+7.4150<" in change_e4(74150)


def test_days_mean_one_day_everywhere() -> None:
    assert values.day(date(2026, 10, 1)) == "1 Oct 2026"
    assert values.day(None) == ""
    assert values.on_day(date(2026, 10, 1)) == '<time datetime="2026-10-01">1 Oct 2026</time>'
    assert "23 Sep 2026, 14:05 UTC" in values.at_minute(datetime(2026, 9, 23, 14, 5, tzinfo=UTC))
    assert values.days(date(2026, 11, 6), date(2026, 11, 14)) == "6–14 Nov 2026"
    assert values.days(date(2026, 8, 22), date(2026, 9, 12)) == "22 Aug – 12 Sep 2026"
    assert values.days(date(2025, 12, 28), date(2026, 1, 3)) == "28 Dec 2025 – 3 Jan 2026"
    assert values.days(date(2026, 1, 3), date(2026, 1, 3)) == "3 Jan 2026"


def test_small_words() -> None:
    assert values.first_name_first("Verkade, Annelies") == "Annelies Verkade"
    assert values.first_name_first("Ronaldo") == "Ronaldo"
    assert value_tags.size(812) == "812 bytes"
    assert value_tags.size(36_400) == "36 KB"
    assert value_tags.size(1_440_000) == "1.4 MB"
    assert value_tags.short_hash("4f9c21ab" + "0" * 52 + "7e10") == "4f9c21ab…7e10"
    assert value_tags.file_kind("list.xlsx") == "XLSX"
    assert 'title="International master">MI<' in values.title_mark("MI")
    assert values.title_mark("") == ""


def test_signs_and_rulings() -> None:
    assert regulations.symbol("Pe") == "<var>P</var><sub>e</sub>"
    assert regulations.symbol("ΔR") == "Δ<var>R</var>"
    assert regulations.symbol("K") == "<var>K</var>"
    assert '<a href="/method/fmjd/#R2">R2</a>, <a' in regulations.ruling_links(("R2", "R3"))
    assert regulations.ruling_text("a `b*c*` <c> *d*") == "a <code>b*c*</code> &lt;c&gt; <em>d</em>"


def test_what_is_typed_stays_text() -> None:
    assert "&lt;script&gt;" in values.title_mark("<script>")
    assert "&lt;script&gt;" in regulations.ruling_links(("<script>",))


# --- the drawing of a history


@pytest.mark.parametrize("span", [0, 1, 5, 39, 41, 100, 333, 900])
def test_guides_stand_around_the_ratings(span: int) -> None:
    for lowest in range(1000, 2500, 7):
        ticks = axis_ticks(lowest, lowest + span, at_most=6)
        assert ticks[0] <= lowest
        assert ticks[-1] >= lowest + span
        assert 3 <= len(ticks) <= 6
        assert len({right - left for left, right in itertools.pairwise(ticks)}) == 1


def history(*ratings: int) -> list[SimpleNamespace]:
    quarters = [date(2020 + place // 4, 1 + 3 * (place % 4), 1) for place in range(len(ratings))]
    return [
        SimpleNamespace(in_force=day, rating=rating) for day, rating in zip(quarters, ratings, strict=True)
    ]


POOL = "100 squares, classical"
GOAL = (2300, "K = 10 once reached")


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 16, 61, 100])
def test_a_history_of_any_length_is_drawn(number: int) -> None:
    drawn = rating_charts(POOL, history(*(2250 + 13 * place % 97 for place in range(number))), GOAL)
    for plot in drawn.charts:
        (line,) = plot.lines
        assert line.path.count("L") == number - 1
        assert all(plot.left <= dot.x <= plot.right and 0 <= dot.y <= plot.height for dot in line.dots)
        assert len(line.dots) == (number if number <= 60 else 1)
        assert 1 <= len(plot.labels) <= 8
        gaps = [right.at - left.at for left, right in zip(plot.labels, plot.labels[1:], strict=False)]
        assert all(gap > 60 for gap in gaps)
    assert ("only list" in drawn.description) == (number == 1)


def test_the_line_of_2300_is_drawn_where_it_is_in_sight() -> None:
    assert all(plot.goal for plot in rating_charts(POOL, history(2290, 2310), GOAL).charts)
    assert not any(plot.goal for plot in rating_charts(POOL, history(2100, 2110), GOAL).charts)


def test_the_words_of_that_line_keep_out_of_the_ratings_way() -> None:
    for ratings in ((2315, 2308, 2299, 2299), (2290, 2299, 2305, 2312), (2290, 2310, 2290, 2310), (2301,)):
        for plot in rating_charts(POOL, history(*ratings), GOAL).charts:
            words = plot.goal_label
            assert words is not None
            near = words.x - 145 if words.ends else words.x
            inside = [dot.y for dot in plot.lines[0].dots if near <= dot.x <= near + 145]
            assert all(abs(y - (words.y - 4)) > 8 for y in inside), ratings


def test_days_are_written_from_the_last_one_back() -> None:
    assert label_places([0, 10, 20, 30], most=2, least_gap=15) == [1, 3]
    assert label_places([5], most=8, least_gap=15) == [0]


# --- pages and rulings


@pytest.mark.parametrize(
    ("page", "pages", "numbers"),
    [(1, 2, [1, 2]), (1, 9, [1, 2, 3, 0, 9]), (5, 9, [1, 2, 3, 4, 5, 6, 7, 8, 9]),
     (6, 20, [1, 0, 4, 5, 6, 7, 8, 0, 20]), (20, 20, [1, 0, 18, 19, 20])],
)  # fmt: skip
def test_pages_around_this_one(page: int, pages: int, numbers: list[int]) -> None:
    pager = build_pager(page, pages, pages * 100 - 40, lambda page: f"?page={page}")
    assert pager is not None
    assert [link.number for link in pager.links] == numbers
    assert [link.number for link in pager.links if link.current] == [page]
    assert pager.links[-1].last == pages * 100 - 40
    assert (pager.previous is None) == (page == 1)
    assert (pager.next is None) == (page == pages)


def test_one_page_needs_no_pager() -> None:
    assert build_pager(1, 1, 40, lambda page: page) is None


def test_every_number_a_ruling_settles_is_printed_in_words() -> None:
    for ruling in rating_system("fmjd").explanation.rulings:
        for name in ruling.values:
            assert PARAMETER_LABELS[name]
            assert parameter_text(RULES[-1].numbers[name], name)


def test_every_list_of_every_edition_has_a_label() -> None:
    for rules in rating_system("fmjd").editions:
        labels = [variant_label(RatingList(system="fmjd"), variant) for variant in list_variants(rules)]
        assert labels[:2] == ["Official", "Full"]
        assert all(labels)
        assert len(set(labels)) == len(labels) > 2


def test_the_method_page_has_an_anchor_for_every_ruling(client, db) -> None:
    page = client.get("/method/fmjd/").text
    for ruling in rating_system("fmjd").explanation.rulings:
        assert f'id="{ruling.id}"' in page
    for words in ("from 120 min 100 %", "up to 15 min 100 %, above 50 %", "15 Mar for 1 Apr"):
        assert words in page, words


def test_every_format_of_a_report_is_called_by_its_name() -> None:
    assert set(format_labels()) == {*FORMATS, "knsb", "iccf"}  # the files of results entry of federations
    assert reports.format_label("fmjd") == "Annex 9 art. 11"
    assert reports.format_label("") == ""
