"""Pairing without log-in: the next round with reasons, rounds judged, JSON; no queries, nothing typed lost."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from reporting.reports.pairing import views
from reporting.web.rate_limit import WINDOW_MINUTES

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]

PAIRING = """{"system":"rating","rounds":3,"players":[{"number":1,"rating":2300},{"number":2,"rating":2200},
{"number":3,"rating":2100},{"number":4,"rating":2000},{"number":5,"rating":1900},{"number":6,"rating":1800}],
"games":[{"round":1,"white":1,"black":4,"result":"2-0"},{"round":1,"white":5,"black":2,"result":"0-2"},
{"round":1,"white":3,"black":6,"result":"2-0"}]}"""
CHOICES = {"system": "rating", "colours": "none", "acceleration": "none", "floats": "yes", "first_round": ""}
TABLE = """Pl;Sno;p2;Title;Name;Cn;rating;R1;R2;Pt
1;1;;;Anna Alpha;nl;2000;2/3w;1/2b;3
2;2;;;Bert Beta;nl;1950;2/4b;1/1w;3
3;3;;;Carla Gamma;nl;1900;0/1b;1/4w;1
4;4;;;Dirk Delta;nl;1850;0/2w;1/3b;1
"""


@pytest.fixture
def asked(client, django_assert_num_queries):
    def ask(content, **values):
        file = SimpleUploadedFile("file", content.encode())
        with django_assert_num_queries(0):
            return client.post(reverse("pair"), CHOICES | {"file": file, "action": "pair"} | values)

    return ask


def test_the_next_round_of_a_file_with_its_reasons(asked):
    """1 2 3 have 2 points, 4 5 6 have 0: 3 floats to 4 (art. 3.5), 1-2, 5-6; 2 and 4 had Black, 6 too (R68)."""
    answer = asked(PAIRING)
    assert answer.status_code == 200
    pairs = [(pair.white.number, pair.black.number, pair.reasons) for pair in answer.context["pairs"]]
    floats = (("The score group is odd, so 3 floats to the next one.", "art. 3.5"),)
    assert pairs == [(2, 1, ()), (4, 3, floats), (6, 5, ())]
    assert b"The score group is odd" in answer.content
    assert answer["Cache-Control"] == "private, no-store"
    downloaded = asked(PAIRING, action="json")
    assert json.loads(downloaded.content)["pairs"][1]["black"] == 3
    assert downloaded["Content-Disposition"] == 'attachment; filename="round.json"'


def test_the_tournament_with_its_round_is_downloaded_as_trf16(asked):
    """Player 2 won round 1 with Black against 5, and meets 1 with White in round 2, which has no result yet."""
    downloaded = asked(PAIRING, action="trf")
    assert downloaded["Content-Disposition"] == 'attachment; filename="round.trf"'
    line = next(line for line in downloaded.content.decode().splitlines() if line.startswith("001    2"))
    assert (line[48:52], line[80:84], line[91:]) == ("2200", " 2.0", "   5 b 1     1 w")
    answer = asked(PAIRING.replace('"white":5', '"white":9'), action="trf")
    assert "nothing was paired" in answer.context["problem"]


def test_a_report_is_paired_and_its_rounds_are_judged(asked):
    """Round 3 of four players: 1 has met 3 and 2, so 4; round 2 should pair 1-2 and 3-4, as it does."""
    answer = asked(TABLE)
    names = [(pair.white.name, pair.black.name) for pair in answer.context["pairs"]]
    assert {frozenset(pair) for pair in names} == {
        frozenset(("Anna Alpha", "Dirk Delta")),
        frozenset(("Bert Beta", "Carla Gamma")),
    }
    judged = asked(TABLE, action="check").context["judged"]
    assert [(each.judged.round, each.judged.is_same) for each in judged] == [(1, True), (2, True)]
    first = asked(TABLE, round="1").context["answer"]
    assert (first.round, len(first.pairs)) == (1, 2)


def test_the_same_finding_of_many_players_is_shown_once(asked):
    players = ",\n".join(f'{{"number":{number}}}' for number in range(1, 7))
    answer = asked(f'{{"system":"rating","rounds":2,"players":[{players}]}}')
    found = [(each.code, each.line) for each in answer.context["findings"]]
    assert found == [("pairing-rating-missing", 1)]
    assert b"The same on lines 2, 3, 4, 5, 6." in answer.content


def test_a_pairing_that_takes_too_long_keeps_what_was_chosen(asked, monkeypatch):
    monkeypatch.setattr(views, "SECONDS_TO_PAIR", 0)
    for action in ("pair", "check", "json"):
        answer = asked(PAIRING, action=action, colours="strong")
        assert "takes too long for the page" in answer.context["problem"]
        assert answer.context["form"]["colours"].value() == "strong"


def test_a_file_above_the_limit_of_the_page_is_refused_unread(asked):
    answer = asked(PAIRING + " " * 1_000_000)
    assert (answer.status_code, list(answer.context["form"].errors)) == (400, ["file"])


def test_findings_keep_what_was_chosen(asked):
    answer = asked(PAIRING.replace('"white":5', '"white":9'), colours="strong")
    assert [(each.code, each.line) for each in answer.context["findings"]] == [("pairing-player-unknown", 3)]
    assert answer.context["form"]["colours"].value() == "strong"
    assert "nothing was paired" in answer.context["problem"]


@pytest.mark.parametrize(("content", "values", "problem"), [
    (TABLE.replace("1850", ""), {}, "Players without a rating: 4."),
    (PAIRING.replace('"rounds":3', '"rounds":1'), {}, "nothing was paired"),
    (
        '{"system":"kndb","rounds":2,"players":[{"number":1}],"games":[{"round":1,"white":1,"black":0,"result":"2-0"}]}',
        {},
        "Round 2 cannot be paired. Rules in the way: no player pauses twice.",
    ),
    ("nothing that is a report", {}, "nothing was paired"),
])  # fmt: skip
def test_what_cannot_be_paired_says_why(asked, content, values, problem):
    answer = asked(content, **values)
    assert problem in answer.context["problem"]


def test_before_round_1_many_rounds_and_few_of_an_official_competition_are_warnings(asked):
    """Art. 4.4: 3 rounds for 6 players; Annex 2 art. 3a: at least 7 rounds. The round is paired all the same."""
    answer = asked(
        PAIRING.split(',\n"games"', maxsplit=1)[0].replace('"rounds"', '"official":true,"rounds"') + "}"
    )
    codes = [finding.code for finding in answer.context["findings"]]
    assert codes == ["pairing-few-rounds", "pairing-many-rounds"]
    assert len(answer.context["pairs"]) == 3
    assert "at least 7 rounds" in answer.content.decode()


def test_a_round_without_pairs_says_what_to_do(asked):
    """One player pauses; two whose game the referee fixed have no other pair; a file without games has no rounds."""
    one = '{"system":"kndb","rounds":3,"players":[{"number":1}]}'
    page = asked(one).content.decode()
    assert "Fewer than two players take part in this round." in page
    assert "1 is the last one who can pause." in page
    two = '{"system":"kndb","rounds":3,"players":[{"number":1},{"number":2}],"fixed":[[2,1]]}'
    page = asked(two).content.decode()
    assert "Pairs fixed by the referee, White first: 2–1" in page
    assert "Fewer than two players" not in page
    problem = asked(two, action="check").context["problem"]
    assert problem == "The file has no games, so there is no round to check."


def test_without_a_file_the_form_says_so(client):
    answer = client.post(reverse("pair"), CHOICES | {"action": "pair"})
    assert answer.status_code == 400
    assert "Choose a file or paste its text." in answer.content.decode()


def test_too_many_players_and_requests_are_refused(asked, monkeypatch):
    monkeypatch.setattr(views, "MOST_PLAYERS", 5)
    assert "at most 5 players" in asked(PAIRING).context["problem"]
    monkeypatch.setattr(views, "MOST_PAIRINGS", 1)
    answer = asked(PAIRING)
    assert (answer.status_code, answer["Retry-After"]) == (429, str(WINDOW_MINUTES * 60))


@pytest.mark.parametrize(("page", "filled"), [
    ("check-file", {"discipline": "100", "time_control": "80+30"}),
    ("standings", {}),
    ("pair", CHOICES | {"action": "pair"}),
])  # fmt: skip
def test_a_file_with_errors_is_an_answer_and_a_form_without_a_file_is_not(client, page, filled):
    wrong = SimpleUploadedFile("file", b"nothing that is a report")
    assert client.post(reverse(page), filled | {"file": wrong}).status_code == 200
    assert client.post(reverse(page), filled).status_code == 400
