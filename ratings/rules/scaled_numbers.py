"""Figures times 10,000 as they are shown."""

from typing import Final

E4: Final = 10_000
MINUS: Final = "−"  # the true minus, U+2212


def decimals(value_e4: int) -> str:
    """A figure with its 4 decimals and a true minus: ``63.6842``, ``−2.2788``."""
    whole, rest = divmod(abs(value_e4), E4)
    return f"{MINUS if value_e4 < 0 else ''}{whole}.{rest:04}"


def signed(value_e4: int) -> str:
    """A change with its sign: ``+0.6315``, ``−2.2788``, ``0.0000``."""
    return ("+" if value_e4 > 0 else "") + decimals(value_e4)
