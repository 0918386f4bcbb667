"""Install the toy federation with its titles for a test."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

from django.test import modify_settings

from ratings.federations import registry as rating_registry
from reporting.federations.registry import report_rules
from reporting.rules.register.titles import DisciplineTitles, Title
from reporting.rules.regulations import decisive_places
from tests.toy_federation.installed import toy_installed
from titles import labels
from titles.federations import registry

TITLES = DisciplineTitles("toy", "", "toy_title", "Toy board", {"TM": Title("TM", "Toy master", 1)})


@contextmanager
def toy_titles_installed() -> Iterator[None]:
    """Both apps are in INSTALLED_APPS; what they registered is gone afterwards."""
    known = (
        registry._rules, decisive_places._of_system, rating_registry._method_links, rating_registry._more_rulings,
        labels._asks, labels._found, labels._lacks, labels._counts,
    )  # fmt: skip
    with ExitStack() as stack:
        for registered in known:
            stack.enter_context(patch.dict(registered))
        stack.enter_context(toy_installed())
        stack.enter_context(modify_settings(INSTALLED_APPS={"append": "tests.toy_federation.titles"}))
        stack.enter_context(patch.object(report_rules("toy"), "discipline_titles", (TITLES,)))
        yield
