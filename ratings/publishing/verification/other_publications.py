"""What apps above this one publish, verified with the lists."""

from collections.abc import Callable, Iterator, Sequence

Verify = Callable[[], Iterator[tuple[str, Sequence[str]]]]
"""Gives the address of each publication with its differences; reads only."""

_verified: dict[Verify, None] = {}


def register_publications(verify: Verify) -> None:
    """Have `verify_lists` and the verification of every night call `verify` too."""
    _verified[verify] = None


def verify_other_publications() -> Iterator[tuple[str, Sequence[str]]]:
    """The address and the differences of each, of all apps."""
    for verify in _verified:
        yield from verify()
