"""The norms of a list. An upper app finds and decides them; it registers here what the steps of a list ask of it."""

from typing import Protocol

from ratings.inputs.calculation_inputs import CalculationInputs
from ratings.models import RatingList
from reporting.log.audit import Actor


class Norms(Protocol):
    """What the steps of a list ask of the app that finds norms."""

    def search(self, rating_list: RatingList, inputs: CalculationInputs) -> int:
        """Write the norms of a calculated draft, in its transaction; returns how many there are to decide or show."""

    def undecided(self, rating_list: RatingList) -> int:
        """How many norms of a draft wait for a decision."""

    def file(self, rating_list: RatingList) -> bytes:
        """The confirmed norms of a list as the published file `norms.csv`; empty where it has none."""

    def confirm(self, rating_list: RatingList, reason: str, by: Actor) -> None:
        """Confirm every norm of a draft that waits for a decision."""


class NoNorms:
    """Without an app of norms no list has any."""

    def search(self, rating_list: RatingList, inputs: CalculationInputs) -> int:  # noqa: ARG002
        return 0

    def undecided(self, rating_list: RatingList) -> int:  # noqa: ARG002
        return 0

    def file(self, rating_list: RatingList) -> bytes:  # noqa: ARG002
        return b""

    def confirm(self, rating_list: RatingList, reason: str, by: Actor) -> None: ...


_registered: list[Norms] = [NoNorms()]


def register_norms(norms: Norms) -> None:
    """Make the app of norms known. Called once, at start."""
    _registered[:] = [norms]


def list_norms() -> Norms:
    """The app that finds norms."""
    return _registered[0]
