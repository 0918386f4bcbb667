"""The second signature: another person publishes the list with the files of its draft, and it never changes."""

from django.db import connection, transaction
from django.db.models import Q
from django.db.models.functions import Now
from psycopg import sql

from ratings.models import Period, Pool, RatingList
from ratings.policies import check_can_publish
from ratings.production.correct_list import (
    request_waiting_calculation,
    request_waiting_of_other_pools,
    revise_next_list,
)
from ratings.production.request_calculation import refuse_stale
from ratings.publishing.list_files import refuse_without_files
from ratings.publishing.notifications import notify_list_published
from ratings.rules.derived_lists import DerivedList, birth_years
from ratings.rules.lifecycle import (
    LIST_LIFECYCLE,
    PERIOD_LIFECYCLE,
    ListMove,
    PeriodMove,
)
from reporting.log.audit import Actor, record
from reporting.refusals.domain_error import DomainError
from reporting.rules.lifecycle import move


@transaction.atomic
def publish_list(*, rating_list: RatingList, sha256: str, by: Actor) -> RatingList:
    """Publish an approved list whose digest is `sha256`.

    In one transaction: players' histories, the states of period and list. The worker has written the files from the
    rows in the database: the figures file must have the digest that was signed. After a revision that all later lists
    follow, the next of them is requested; after the last one, the list of the frozen period; and the lists of other
    pools that read this one and have waited for it. Raises
    DomainError `list_changed`, `files_missing`, `calculation_waiting`, `predecessor_changed`, `merges_changed`,
    `other_lists_changed`, `decisions_changed`, `correction_under_way`, `carry_impossible`, `wrong_state`,
    `same_person`, `busy`, `forbidden`.
    """
    # One publication or correction in a pool at a time, so that each sees what the other published, and in all pools of
    # a system whose lists read each other; then the period before its lists, in the order of a withdrawal.
    reads_pools = rating_list.declaration.reads_pools
    published_together = Q(system=rating_list.system) if reads_pools else Q(pk=rating_list.pool_id)
    list(Pool.objects.select_for_update(no_key=True).filter(published_together).order_by("pk"))
    period = None
    if rating_list.period_id is not None:
        period = Period.objects.select_for_update(no_key=True).get(pk=rating_list.period_id)
    rating_list = (
        RatingList.objects.select_for_update(of=("self",))
        .select_related("pool", "period", "correction__replaces", "correction__requested_by")
        .get(pk=rating_list.pk)
    )
    check_can_publish(by.user, rating_list)
    state = move(LIST_LIFECYCLE, rating_list.state, ListMove.PUBLISH, DomainError("wrong_state.list"))
    if sha256 != rating_list.sha256 or rating_list.approved_sha256 != sha256:
        raise DomainError("list_changed")
    refuse_stale(rating_list)
    refuse_without_files(rating_list)
    _write_histories(rating_list)
    if period is not None:
        period.state = move(PERIOD_LIFECYCLE, period.state, PeriodMove.PUBLISH)
        period.save(update_fields=["state"])
    rating_list.state = state
    rating_list.published_by = by.user
    rating_list.published_sha256 = sha256
    rating_list.published_at = Now()
    rating_list.by_command = rating_list.by_command or by.by_command
    rating_list.save()
    rating_list.refresh_from_db()
    record(
        by=by,
        action="list.publish",
        subject=f"list {rating_list.address}",
        before={"state": RatingList.State.APPROVED},
        after={"state": state, "sha256": sha256},
    )
    notify_list_published(rating_list)
    if rating_list.correction is not None and revise_next_list(rating_list, by) is None:
        request_waiting_calculation(rating_list.pool_id, by)
    request_waiting_of_other_pools(rating_list.pool, by)
    return rating_list


def _write_histories(rating_list: RatingList) -> None:
    """A row per player for the player's page; a revision replaces the rows of the list it replaces."""
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM ratings_playerhistory WHERE list_id IN ("
            " SELECT id FROM ratings_ratinglist WHERE pool_id = %s AND in_force = %s AND id <> %s)",
            [rating_list.pool_id, rating_list.in_force, rating_list.pk],
        )
        is_on_it = {derived.name: _is_on(derived, rating_list) for derived in rating_list.rules.derived_lists}
        cursor.execute(
            sql.SQL(HISTORIES).format(
                list=sql.Literal(rating_list.pk),
                in_force=sql.Literal(rating_list.in_force),
                rows=sql.Identifier(rating_list.rating_system.row_model._meta.db_table),
                higher=sql.SQL("").join(
                    sql.SQL(HIGHER).format(is_on_it=condition, name=sql.Identifier(name))
                    for name, condition in is_on_it.items()
                ),
                ranks=sql.SQL(", ").join(
                    sql.SQL("{name}, CASE WHEN {is_on_it} THEN 1 + coalesce(higher.{column}, 0) END").format(
                        name=sql.Literal(name), is_on_it=condition, column=sql.Identifier(name)
                    )
                    for name, condition in is_on_it.items()
                ),
            )
        )


# The ranks on derived lists follow from how many of their players have each rating: a rank() for each list would sort
# the whole list as often.
HISTORIES = """
WITH higher AS (
    SELECT rating{higher} FROM {rows} WHERE list_id = {list} GROUP BY rating
    WINDOW above AS (ORDER BY rating DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
)
INSERT INTO ratings_playerhistory (player_id, list_id, in_force, rating, change, period_games, games, category, rank,
    official_rank, federation_rank, derived_ranks)
SELECT player_id, list_id, {in_force}, rating, change, period_games, games, category, rank, official_rank,
    CASE WHEN official_position IS NOT NULL
        THEN rank() OVER (PARTITION BY official_position IS NULL, federation ORDER BY rating DESC) END,
    jsonb_strip_nulls(jsonb_build_object({ranks}))
FROM {rows} JOIN higher USING (rating) WHERE list_id = {list}
"""
HIGHER = ", sum(count(*) FILTER (WHERE {is_on_it})) OVER above AS {name}"


def _is_on(derived: DerivedList, rating_list: RatingList) -> sql.Composable:
    """Whether a row is on a derived list, which comes from the full list (R13).

    By the year of birth that the row prints, which says when a player leaves an age class.
    """
    first, last = birth_years(derived, rating_list.in_force.year)
    conditions = [
        sql.SQL(condition).format(sql.Literal(value))
        for condition, value in (
            ("sex = {}", derived.sex),
            ("birth_year >= {}", first),
            ("birth_year <= {}", last),
        )
        if value
    ]
    return sql.SQL(" AND ").join([sql.SQL("TRUE"), *conditions])
