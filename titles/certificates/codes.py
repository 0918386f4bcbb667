"""The codes of norms, of the form of the codes of titles."""

from reporting.register.title_codes import check_of
from titles.models import Norm

NORM = "N"


def norm_code_of(norm: Norm) -> str:
    """The code of a norm of a published list: `N345-QZ2B7LLA`."""
    facts = (
        norm.player_id,
        norm.result_set_id,
        norm.list_id,
        norm.discipline,
        norm.title,
        norm.colour,
        norm.games,
    )
    return f"{NORM}{norm.pk}-{check_of(NORM, norm.pk, *facts)}"
