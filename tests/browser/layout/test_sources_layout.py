"""The pages of sources and of values of a list in a real browser: accessible, and they fit every screen."""

import io
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from ratings.models import Pool, SourceImport
from ratings.production.imports.import_source import import_source
from ratings.production.imports.requested_source import import_requested_sources, request_source
from ratings.production.periods.list_values import set_list_values
from reporting.log.audit import Actor
from reporting.models import Role, User
from tests.browser.conftest import check_page, main_text
from tests.formats.source_files import AYO, BOS, PLAYERS, source_text, zipped
from tests.people import create_user
from tests.toy_games.installed import league_installed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database_role("web")]

DAY = date(2025, 7, 1)


@pytest.fixture
def officer(transactional_db: None, settings: Any) -> Any:
    settings.DEMO = True
    with league_installed():
        yield create_user("rina@example.org", "Rina Officer", roles=[Role.RATING_OFFICER])


def test_source_pages_fit_and_keep_what_was_typed(officer: User, window: Callable[..., Any]) -> None:
    by = Actor(officer)
    for month in range(1, 7):
        file = io.BytesIO(zipped(source_text(*PLAYERS, AYO | {"ID Number": month})))
        import_source(
            source="fide", file=file, filename="players_list_foa.zip", in_force=date(2025, month, 1), by=by
        )
    page = window(officer)
    page.goto("/office/sources/")
    check_page(page, "sources")
    content = source_text(AYO | {"SRtng": "2x10"}, BOS, BOS)
    request_source(
        source="fide", kind="", in_force=DAY, file=SimpleUploadedFile("list.txt", content), filename="list.txt",
        by=by,
    )  # fmt: skip
    page.goto("/office/sources/")
    assert "The worker imports list.txt." in main_text(page)
    check_page(page, "waiting")
    import_requested_sources()
    page.get_by_text("list.txt was not imported.").wait_for()
    check_page(page, "refused")
    assert SourceImport.objects.get().refusal["key"] == "source_refused"

    pool = Pool.objects.get(code="league")
    set_list_values(pool=pool, in_force=DAY, content=b"born,rating\n2009,1200\n2010,1100\n", by=by)
    page.goto(f"/office/lists/league/{DAY}/values/")
    check_page(page, "values")
    page.get_by_label("Values", exact=True).fill("born,rating\n2010,11oo\n")
    page.get_by_role("button", name="Save values").click()
    assert "The value is not a number from 100 to 3000." in main_text(page)
    assert page.get_by_label("Values", exact=True).input_value() == "born,rating\n2010,11oo\n"
    check_page(page, "values with errors")
