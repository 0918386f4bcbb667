"""Figures times ten to a power, mostly times 10,000, as they are shown."""

from typing import Final

E4: Final = 10_000
MINUS: Final = "−"  # the true minus, U+2212


def decimals(value: int, places: int = 4) -> str:
    """A figure with its decimals and a true minus: ``63.6842``, ``−2.2788``."""
    whole, rest = divmod(abs(value), 10**places)
    return f"{MINUS if value < 0 else ''}{whole}.{rest:0{places}}"


def signed(value: int, places: int = 4) -> str:
    """A change with its sign: ``+0.6315``, ``−2.2788``, ``0.0000``."""
    return ("+" if value > 0 else "") + decimals(value, places)


def rounded(value: int, places: int, to: int) -> int:
    """A figure with fewer decimals, halves away from 0, as rounding is written on paper."""
    step: int = 10 ** (places - to)
    return (abs(value) + step // 2) // step * (-1 if value < 0 else 1)
