"""Which list a tournament counts in."""

from datetime import date

from ratings.models import Period, Pool, RatingList
from ratings.rules.fmjd.development import tempo
from ratings.rules.fmjd.parameters import edition_in_force
from ratings.rules.fmjd.periods import next_period, period_of
from reporting.models import Tournament


def pool_of(tournament: Tournament) -> Pool:
    """The pool of a tournament, by its discipline and its time for 60 moves (R6). 1 query."""
    parameters = edition_in_force(tournament.played_to)
    return Pool.objects.get(
        federation="fmjd",
        discipline=tournament.discipline,
        tempo=tempo(parameters, tournament.seconds_for_60_moves),
    )


def day_of_list(tournament: Tournament, pool: Pool) -> date:
    """The day from which the list is in force that a tournament accepted now counts in (R10, R11). 2 queries.

    Its period's, or the first later one that is not closed yet.
    """
    closed = [
        *Period.objects.filter(pool=pool).exclude(state=Period.State.OPEN).values_list("in_force", flat=True),
        *RatingList.objects.filter(pool=pool, state=RatingList.State.PUBLISHED).values_list(
            "in_force", flat=True
        ),
    ]
    period = period_of(edition_in_force(tournament.played_to), tournament.played_to)
    while closed and period.in_force <= max(closed):
        period = next_period(edition_in_force(period.in_force), period)
    return period.in_force
