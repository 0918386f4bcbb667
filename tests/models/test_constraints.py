"""What the database itself holds to be impossible: each named constraint refuses its case and lets the next one by.

Every case is a pair: what is refused, and next to it what differs only in the point at issue and is taken.
"""

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction

from ratings.models import Period, PeriodReport, Pool
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


FIGURES_OF_A_METHOD = ("expected_percentage_e4", "expected_score_e4", "k", "development", "delta_e4")
# What makes a row, the values that no row has, and the constraint that refuses them.
IMPOSSIBLE = [
    *((game, {"white_points": white, "black_points": black}, "game_played_shares_two_points")
      for white, black in ((2, 2), (2, 1), (1, 2), (1, 0), (0, 1), (0, 0))),
    # a pause is never a game that was played
    *((game, {side: None}, "game_played_shares_two_points") for side in ("white", "black")),
    # a change lacks none of its figures, a provisional performance has none of them, and there is no third method
    *((change, FIGURES_OF_A_CHANGE | {figure: None}, "ratingchange_columns_of_method")
      for figure in ("own_e4", *FIGURES_OF_A_METHOD)),
    *((change, {figure: 1}, "ratingchange_columns_of_method") for figure in FIGURES_OF_A_METHOD),
    (change, FIGURES_OF_A_CHANGE | {"method": "guess"}, "ratingchange_columns_of_method"),
    # positions and ratings are above zero
    *((list_row, {figure: 0}, "ratinglistrow_figures_possible") for figure in ("position", "name_position", "rating")),
]  # fmt: skip


@pytest.mark.django_db
@pytest.mark.parametrize(("make", "values", "constraint"), IMPOSSIBLE)
def test_what_no_row_has_is_refused(make, values, constraint):
    with pytest.raises(IntegrityError) as refused:
        make(**values)
    assert constraint_of(refused) == constraint


@pytest.mark.django_db
def test_periods_of_different_pools_may_overlap_and_be_frozen_together():
    period(**frozen())
    period(pool=Pool.objects.get(code="fmjd-100"), **frozen())
    assert Period.objects.filter(state="frozen").count() == 2


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
