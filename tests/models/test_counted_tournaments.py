"""What a published list was calculated from stays as it was, also for the accounts of the web and the worker."""

import pytest
from django.db import IntegrityError, connection, transaction

from ratings.models import RatingList
from ratings.queries.counted_results import counted_result_sets
from reporting.models import Game, ResultSet

COUNTED = "(SELECT min(result_set_id) FROM ratings_periodreport)"
CHANGES = [
    f"UPDATE reporting_resultset SET name = 'Other' WHERE id = {COUNTED}",
    f"UPDATE reporting_resultset SET played_to = played_to + 1 WHERE id = {COUNTED}",
    f"DELETE FROM reporting_resultset WHERE id = {COUNTED}",
    f"UPDATE reporting_game SET white_points = 1, black_points = 1 WHERE result_set_id = {COUNTED}",
    f"UPDATE reporting_game SET played = false WHERE result_set_id = {COUNTED}",
    f"DELETE FROM reporting_game WHERE result_set_id = {COUNTED}",
    "INSERT INTO reporting_game (result_set_id, round, white_id, black_id, white_points, black_points, played)"
    f" SELECT result_set_id, 30, white_id, black_id, 2, 0, true FROM reporting_game WHERE result_set_id = {COUNTED}"
    " AND played LIMIT 1",
    f"UPDATE reporting_entry SET player_id = player_id + 1 WHERE result_set_id = {COUNTED}",
    f"DELETE FROM reporting_entry WHERE result_set_id = {COUNTED}",
    f"UPDATE fmjd_reports_resultsetdetails SET youth = 'hopes' WHERE result_set_id = {COUNTED}",
    f"DELETE FROM fmjd_reports_resultsetdetails WHERE result_set_id = {COUNTED}",
    f"UPDATE reporting_round SET played_on = played_on + 1 WHERE result_set_id = {COUNTED}",
    f"INSERT INTO reporting_round (result_set_id, number) SELECT {COUNTED}, 31",
    f"UPDATE reporting_report SET state = 'submitted', accepted_version_id = NULL WHERE result_set_id = {COUNTED}",
    "UPDATE reporting_report SET result_set_id = (SELECT max(id) FROM reporting_resultset)"
    f" WHERE result_set_id = {COUNTED}",
]


@pytest.mark.parametrize("account", ["worker", pytest.param("web", marks=pytest.mark.database_role("web"))])
@pytest.mark.parametrize("change", CHANGES)
def test_a_counted_tournament_refuses_worker_and_web(season_shared, account, change):
    with (
        pytest.raises(IntegrityError, match=r"of an accepted report|a list counts"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(change)


def test_twin_a_tournament_whose_report_is_not_accepted_can_be_mended(season_shared):
    tournament = ResultSet.objects.filter(reports__state="submitted").exclude(games=None).first()
    assert Game.objects.filter(result_set=tournament).update(round=9) > 0
    tournament.name = "Changed"
    tournament.save()
    assert ResultSet.objects.get(pk=tournament.pk).name == "Changed"


def test_an_opening_list_counts_no_tournament_although_some_are_on_no_list(season_shared):
    assert ResultSet.objects.filter(manifest_lines=None).exists()
    opening = RatingList.objects.get(is_opening=True, pool__code="fmjd-100")
    assert not counted_result_sets(opening).exists()
