"""No answer is kept from one test to the next, as for pages."""

from tests.pages.conftest import _fresh_pages

__all__ = ["_fresh_pages"]
