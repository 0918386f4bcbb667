"""What the database itself holds to be impossible: each named constraint refuses its case and lets the next one by.

Every case is a pair: what is refused, and next to it what differs only in the point at issue and is taken.
"""

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction

from ratings.models import (
    Period,
    PeriodReport,
    Pool,
)
from tests.models.constraint_cases import CASES
from tests.models.rows import (
    FIGURES_OF_A_CHANGE,
    change,
    frozen,
    game,
    list_row,
    manifest_line,
    period,
    tournament,
    version,
)

BEHIND_A_GUARD = {
    "export_one_row",
    "periodreport_result_set_once", "periodreport_version_once", "role_assigned_once", "role_known",
    "role_ended_by_somebody", "role_given_by_two_others", "membership_days_in_order", "membership_no_overlap",
}  # fmt: skip


def constraint_of(refused):
    return refused.value.__cause__.diag.constraint_name


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.database_role("owner")) if name in BEHIND_A_GUARD else name
        for name in CASES
    ],
)
def test_the_constraint_refuses_its_case_and_takes_the_one_next_to_it(name):
    refused_case, taken_case = CASES[name]()
    with transaction.atomic():
        sid = transaction.savepoint()
        taken_case()
        transaction.savepoint_rollback(sid)
    with pytest.raises(IntegrityError) as refused, transaction.atomic():
        refused_case()
    # A partition's keys carry names of its own: fmjd_listrow_7_list_id_player_id_key.
    own_names = {
        "ratinglistrow_player_once": "_list_id_player_id_key",
        "ratinglistrow_name_position": "_list_id_name_position_key",
    }
    assert constraint_of(refused).endswith(own_names.get(name, name))


def test_no_named_constraint_of_the_models_is_without_a_case():
    named = {
        constraint.name
        for app in ("reporting", "ratings", "fmjd")
        for model in apps.get_app_config(app).get_models()
        for constraint in model._meta.constraints
    }
    assert named == set(CASES)


# --- more of the same constraints


@pytest.mark.django_db
@pytest.mark.parametrize(
    "possible",
    [(2, 0, True), (1, 1, True), (0, 2, True), (2, 0, False), (1, 1, False), (0, 2, False), (0, 0, False)],
)
def test_the_seven_results_of_the_form_are_the_games_that_can_be(possible):
    """Annex 9 art. 11: 2-0 1-1 0-2, and by decision 2x0 1x1 0x2 0x0."""
    white, black, played = possible
    game(white_points=white, black_points=black, played=played)


@pytest.mark.django_db
@pytest.mark.parametrize("impossible", [(2, 2), (2, 1), (1, 2), (1, 0), (0, 1), (0, 0)])
def test_a_game_that_was_played_shares_two_points(impossible):
    white, black = impossible
    with pytest.raises(IntegrityError) as refused:
        game(white_points=white, black_points=black)
    assert constraint_of(refused) == "game_played_shares_two_points"


@pytest.mark.django_db
@pytest.mark.parametrize("side", ["white", "black"])
def test_a_pause_is_never_a_game_that_was_played(side):
    with pytest.raises(IntegrityError) as refused:
        game(**{side: None})
    assert constraint_of(refused) == "game_played_shares_two_points"


@pytest.mark.django_db
def test_periods_of_different_pools_may_overlap_and_be_frozen_together():
    period(**frozen())
    period(pool=Pool.objects.get(code="fmjd-100"), **frozen())
    assert Period.objects.filter(state="frozen").count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize(
    "figure", ["own_e4", "expected_percentage_e4", "expected_score_e4", "k", "development", "delta_e4"]
)
def test_a_change_lacks_none_of_its_figures(figure):
    with pytest.raises(IntegrityError) as refused:
        change(**FIGURES_OF_A_CHANGE | {figure: None})
    assert constraint_of(refused) == "ratingchange_columns_of_method"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "figure", ["expected_percentage_e4", "expected_score_e4", "k", "development", "delta_e4"]
)
def test_a_provisional_performance_has_none_of_them(figure):
    with pytest.raises(IntegrityError) as refused:
        change(**{figure: 1})
    assert constraint_of(refused) == "ratingchange_columns_of_method"


@pytest.mark.django_db
def test_there_is_no_third_method():
    with pytest.raises(IntegrityError) as refused:
        change(**FIGURES_OF_A_CHANGE | {"method": "guess"})
    assert constraint_of(refused) == "ratingchange_columns_of_method"


@pytest.mark.django_db
@pytest.mark.parametrize("figure", ["position", "name_position", "rating"])
def test_positions_and_ratings_are_above_zero(figure):
    with pytest.raises(IntegrityError) as refused:
        list_row(**{figure: 0})
    assert constraint_of(refused) == "ratinglistrow_figures_possible"


@pytest.mark.django_db
def test_a_tournament_and_a_version_enter_one_list_only():
    one = period(**frozen())
    event = tournament()
    sent = manifest_line(period=one, result_set=event).version
    with pytest.raises(IntegrityError), transaction.atomic():
        PeriodReport.objects.create(period=one, result_set=event, version=version())
    with pytest.raises(IntegrityError), transaction.atomic():
        PeriodReport.objects.create(period=one, result_set=tournament(), version=sent)
    manifest_line(period=one)  # the twin


@pytest.mark.django_db
@pytest.mark.parametrize("state", ["open", "published"])
def test_a_report_enters_a_list_only_while_its_period_is_frozen(state):
    one = period(**frozen() | {"state": state})
    with pytest.raises(IntegrityError, match="when its period is frozen"):
        PeriodReport.objects.create(period=one, result_set=tournament(), version=version())
