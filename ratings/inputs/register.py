"""What a list reads of the register: as it is now, or as the list that is recalculated or revised has read it."""

from collections.abc import Collection

from psycopg import sql

from ratings.inputs.calculation_inputs import CalculationInputs
from ratings.inputs.read_columns import numbers


def register_of(inputs: CalculationInputs, players: Collection[int]) -> sql.Composable:
    """The records of these players, as a table for a query: id, numbers, birth_year, federation (of the closing day).

    As the list `inputs.register_of` has read them; those that it did not read as they are now. What a system reads of
    the register it reads here: it is stored with the list (decision 0200).
    """
    inputs.players_read.update(players)
    return sql.SQL(RECORDS).format(
        list=sql.Literal(inputs.register_of and inputs.register_of.pk),
        closing=sql.Literal(inputs.period.closing),
        players=numbers([*players]),
    )


# A membership that ended later was the one of the closing day, else it is the player's.
RECORDS = """(
    SELECT p.id,
        CASE WHEN stored.list_id IS NULL THEN p.numbers ELSE stored.numbers END AS numbers,
        CASE WHEN stored.list_id IS NULL THEN p.birth_year ELSE stored.birth_year END AS birth_year,
        coalesce(stored.federation, member.federation_id, p.federation_id) AS federation
    FROM reporting_player p
    LEFT JOIN ratings_registerrow stored ON stored.list_id = {list} AND stored.player_id = p.id
    LEFT JOIN reporting_federationmembership member ON member.player_id = p.id
        AND member.until > {closing} AND coalesce(member.since <= {closing}, true)
    WHERE p.id = ANY({players})
)"""
