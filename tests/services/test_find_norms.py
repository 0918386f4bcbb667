"""The search for norms from the database: a real tournament, and what is missing in one."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from ratings.models import Pool
from reporting.log.audit import OFFICER, Actor
from reporting.models import Entry, Game, Player, PlayerTitle, ResultSet, Round, User
from reporting.reports.decisions.services import decide_tournaments
from tests.databases import open_results
from tests.services.norm_helpers import accept_ouagadougou
from titles.models import Norm
from titles.queries.search_norms import norms_of_tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def ouagadougou(samples, tmp_path):
    accept_ouagadougou(samples, tmp_path)
    return ResultSet.objects.get()


def found_of(search, number):
    row = search.people.entry.tolist().index(Entry.objects.get(number=number).pk)
    return [norm for norm in search.found if norm.participation == row]


def unmet(norm):
    return [row.article for row in norm.requirements if not row.met and row.colour in ("", norm.colour)]


def test_the_winner_of_ouagadougou_has_a_black_norm_of_mi_and_lacks_one_gmi(ouagadougou):
    """Start number 2: 14 points of 18 against an average of 20066 / 9 = 2229.6, so Rm = 2230 (R31).

    X-2: 2230 is in category XII. X-3: MI in XII asks 47 %, 0.47 × 18 = 8.46, so 9; GMI in XII asks 69 %, 12.42, so 13.
    The opponents: one GMI, two MI of 2250 and more, three MF of 2210 and more, who count as one MI: three MI are
    one GMI, so 2 of the 3 GMI that art. 4.5.3 asks. 80 + 30 has 60 %: no red norm (art. 4.4).
    """
    found = found_of(norms_of_tournament(ouagadougou), 2)
    norms = {(norm.title, norm.origin, norm.colour): norm for norm in found}
    master = norms["MI", "found", "black"]
    assert master.games == 9
    assert (master.evidence.average_rating, master.evidence.category) == (2230, 12)
    assert (master.evidence.points_asked, master.evidence.points_scored) == (9, 14)
    assert unmet(master) == []
    grandmaster = norms["GMI", "near_miss", "black"]
    assert (grandmaster.evidence.points_asked, unmet(grandmaster)) == (13, ["4.5.3, 4.5.9, 4.5.10"])
    assert unmet(norms["MI", "near_miss", "red"]) == ["4.4"]


def test_an_unrated_opponent_of_unknown_sex_is_asked_for_and_not_guessed(ouagadougou):
    """Start number 16 met one player without a rating; the export prints no sexes (R31)."""
    norms = found_of(norms_of_tournament(ouagadougou), 16)
    missed = next(norm for norm in norms if norm.title == "MI" and norm.origin == Norm.Origin.NEAR_MISS)
    row = next(row for row in missed.requirements if not row.met)
    assert row.found.values["detail"] == "opponents_sex"
    assert not [norm for norm in norms if norm.origin == Norm.Origin.FOUND]
    Player.objects.update(sex="M")
    norms = found_of(norms_of_tournament(ouagadougou), 16)
    assert [norm for norm in norms if norm.origin == Norm.Origin.FOUND]


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        ({"referee_level": ""}, "referee_level"),
        ({"rounds": None}, "round_days"),
        ({"council_approved": "no"}, None),
    ],
    ids=["no level of the referee", "no days of the rounds", "not approved"],
)
def test_a_missing_detail_gives_no_norm_and_is_named(ouagadougou, change, detail):
    if "rounds" in change:
        open_results()
        Round.objects.all().delete()
    else:
        chosen = [(ouagadougou.code, item, value) for item, value in change.items()]
        by = Actor(User.objects.get(email=OFFICER), by_command=True)
        decide_tournaments(chosen=chosen, reason="A test.", by=by)
    search = norms_of_tournament(ouagadougou)
    found = [norm for norm in search.found if norm.origin == Norm.Origin.FOUND]
    assert not [norm for norm in found if norm.kind == Norm.Kind.RESULT]
    missed = [norm for norm in search.found if norm.title == "MI" and norm.origin == Norm.Origin.NEAR_MISS]
    rows = [row for norm in missed for row in norm.requirements if not row.met and not row.colour]
    assert rows
    if detail:
        assert {row.found.values.get("detail") for row in rows} >= {detail}


def test_a_title_counts_from_its_registration(ouagadougou):
    """Decides about opponents: with no title on the day of the first round there is no MI met (R33, R40)."""

    def found():
        norms = found_of(norms_of_tournament(ouagadougou), 2)
        kinds = (Norm.Origin.FOUND, Norm.Kind.RESULT)
        return [norm.title for norm in norms if (norm.origin, norm.kind) == kinds]

    def register(day):
        for title in titles:
            title.pk, title.registered_on = None, day
        PlayerTitle.objects.bulk_create(titles)

    titles = list(PlayerTitle.objects.all())
    PlayerTitle.objects.update(withdrawn_on="2022-11-19")
    assert found() == []
    register("2022-11-20")
    assert found() == []
    PlayerTitle.objects.filter(registered_on="2022-11-20").update(withdrawn_on="2022-11-20")
    register("2022-11-19")
    assert found() == ["MI", "MF"]
    PlayerTitle.objects.filter(registered_on="2022-11-19").update(withdrawn_on="2022-11-20")
    assert found() == ["MI", "MF"]


def test_the_command_prints_each_requirement_and_json(ouagadougou):
    printed, stored = io.StringIO(), io.StringIO()
    call_command("find_norms", "--tournament", ouagadougou.code, "--explain", stdout=printed)
    text = printed.getvalue()
    winner = "10001 Ndjofang, Jean Marc: MI, norm by result, black, found"
    assert f"{winner}: 14 of 9 points in 9 games, Rm 2230" in text
    assert "3 GMI met" in text
    assert "counted as 2 GMI" in text
    call_command("find_norms", "--tournament", ouagadougou.code, "--json", stdout=stored)
    (tournament,) = json.loads(stored.getvalue())["tournaments"]
    player = next(player for player in tournament["players"] if player["fmjd_id"] == 10001)
    assert player["norms"] == [
        {"title": "MI", "colour": "black", "kind": "result"},
        {"title": "MF", "colour": "black", "kind": "result"},
    ]
    # Men and those of unknown sex: six titles examined.
    assert [title["title"] for title in player["titles"]] == ["GMI", "MI", "MF", "GMIF", "MIF", "MFF"]
    examined = player["titles"][1]
    assert (examined["rm"], examined["category"]) == (2230, "XII")
    assert (examined["points_asked"], examined["points_scored"]) == (9, 14)
    assert set(examined["requirements"][0]) == {"article", "asks", "found", "met"}
    assert {"title": "CMF", "article": "3.11.4"} not in player["automatic_titles"]


def test_the_command_refuses_what_it_does_not_know(ouagadougou):
    for arguments, message in (
        (["--tournament", "2022-nowhere"], "There is no tournament"),
        (["--pool", "fmjd-100"], "--closing is required"),
        (["--pool", "nowhere", "--closing", "2022-12-15"], "There is no pool"),
        (["--pool", "fmjd-100", "--closing", "2022-12-15"], "has no period"),
    ):
        with pytest.raises(CommandError, match=message):
            call_command("find_norms", *arguments)


def test_the_search_takes_a_fixed_number_of_queries(ouagadougou, django_assert_max_num_queries):
    with django_assert_max_num_queries(20):
        norms_of_tournament(ouagadougou)


def test_rapid_games_bring_no_norms(ouagadougou):
    open_results()
    ResultSet.objects.update(seconds_for_60_moves=300, time_control="5")
    ouagadougou.refresh_from_db()
    assert norms_of_tournament(ouagadougou) is None
    assert Game.objects.exists()
    assert Pool.objects.filter(tempo="rapid-blitz").exists()
