"""Standings of a report file without log-in: every value explained, nothing stored, nothing typed lost."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from reporting.reports.standings import views
from reporting.reports.standings.labels import METHOD_LABELS, TIE_BREAK_GROUPS
from reporting.rules.standings.registry import TIE_BREAKS
from reporting.rules.standings.unplayed import METHODS
from reporting.web.rate_limit import WINDOW_MINUTES

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

TABLE = """Pl;Sno;p2;Title;Name;Cn;rating;R1;R2;R3;Pt
1;1;;;Anna Alpha;nl;2000;2/2w;1/3b;2/4w;5
2;2;;;Bert Beta;nl;1950;0/1b;2/4w;1/3b;3
3;3;;;Carla Gamma;nl;1900;1/4w;1/1w;1/2w;3
4;4;;;Dirk Delta;nl;1850;1/3b;0/2b;0/1b;1
"""


def asked(client, django_assert_num_queries, **values):
    with django_assert_num_queries(0):
        return client.post(reverse("standings"), values)


def test_a_file_is_classified_and_each_value_has_its_sum(client, django_assert_num_queries):
    """Short truncated Solkoff of 1: 3 + 3 + 1 without the 1; Sonneborn-Berger: 2·3 + 1·3 + 2·1 = 11."""
    file = SimpleUploadedFile("small.csv", TABLE.encode())
    answer = asked(client, django_assert_num_queries, file=file, tie_break_1="short", tie_break_2="sb")
    assert answer.status_code == 200
    first = answer.context["players"][0]
    assert (first.place, first.name, first.points, first.values) == (1, "Anna Alpha", "5", ["6", "11"])
    parts = [(part.text, part.kept) for part in first.sums[0].parts]
    assert parts == [("3", True), ("3", True), ("1", False)]
    assert [part.text for part in first.sums[1].parts] == ["2×3", "1×3", "2×1"]
    assert answer["Cache-Control"] == "private, no-store"
    assert not answer.cookies


def test_pasted_text_is_read_and_stays_in_its_field(client, django_assert_num_queries):
    answer = asked(client, django_assert_num_queries, text=TABLE, system="round-robin")
    assert [each.key for each in answer.context["tie_breaks"]] == ["wins", "mutual", "classification"]
    assert answer.context["players"][0].name == "Anna Alpha"
    assert "Carla Gamma;nl;1900" in answer.content.decode()


def test_rounds_and_ties_that_count_in_another_way_are_fields_of_their_own(client, django_assert_num_queries):
    """3-0 for a win, 1-1 for a draw: 3 + 1 + 3 = 7 of 1, 0 + 3 + 1 = 4 of 2, 1 + 1 + 1 = 3 of 3, 1 + 0 + 0 = 1 of 4."""
    own = {"round_scores": "3-0, 1-1", "plus_draws": "2: 3-1, 3: 2-3"}
    answer = asked(client, django_assert_num_queries, text=TABLE, tie_break_1="solkoff", **own)
    assert [(each.number, each.points) for each in answer.context["players"]] == [
        (1, "7"), (2, "4"), (3, "3"), (4, "1"),
    ]  # fmt: skip
    assert answer.context["players"][0].values == ["8"]  # 4 + 3 + 1
    # 2 and 3 have 3 points in 2-1-0; a drawn lot placed 3 before 2.
    answer = asked(client, django_assert_num_queries, text=TABLE, tie_break_1="lot", decided_ties="3-2")
    assert [each.number for each in answer.context["players"]] == [1, 3, 2, 4]
    answer = asked(client, django_assert_num_queries, text=TABLE, plus_draws="1: 1-2")
    assert "plus-draw-differs" in {each.code for each in answer.context["findings"]}
    assert "players" not in answer.context


@pytest.mark.parametrize(("values", "status", "said"), [
    ({}, 400, "Choose a file or paste its text."),
    ({"text": TABLE, "tie_break_1": "elo"}, 400, "elo"),
    ({"text": TABLE, "tie_break_1": "plus", "unplayed": "virtual"}, 409, "there is no plus"),
    ({"text": TABLE, "round_scores": "3-0", "plus_draws": "4-7"}, 400, "for example 3: 4-7"),
    ({"text": TABLE, "tie_break_1": "BH", "round_scores": "2-0"}, 409, "BH is not defined"),
    ({"text": TABLE, "tie_break_1": "boards"}, 409, "Only a team tournament has boards"),
    ({"text": TABLE.replace(";5\n", ";6\n")}, 200, "has no standings"),
    ({"text": "nothing that is a report"}, 200, "has no standings"),
    ({"text": TABLE + "\x00"}, 400, "character that cannot be stored"),
])  # fmt: skip
def test_what_is_wrong_is_said_and_nothing_typed_is_lost(
    client, django_assert_num_queries, values, status, said
):
    answer = asked(client, django_assert_num_queries, **values)
    assert answer.status_code == status
    assert said in answer.content.decode()
    assert "players" not in answer.context
    if "text" in values and "\x00" not in values["text"]:
        assert values["text"].splitlines()[0] in answer.content.decode()


def test_an_address_asks_so_often_and_no_more(client, cleared_rate_limits, monkeypatch):
    monkeypatch.setattr(views, "MOST_STANDINGS", 2)
    for _ in range(3):
        answer = client.post(reverse("standings"), {})
    assert answer.status_code == 429
    assert answer["Retry-After"] == str(60 * WINDOW_MINUTES)


def test_every_tie_break_and_method_is_offered_once():
    offered = [key for _, keys in TIE_BREAK_GROUPS for key in keys]
    assert sorted(offered) == sorted(TIE_BREAKS)
    assert list(METHOD_LABELS) == list(METHODS)
