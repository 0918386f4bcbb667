"""What every test uses: a database with the rights of the application, Chromium, and the sample reports.

Migrations run as the owner. Afterwards tests connect as `app_worker`; `@pytest.mark.database_role("web")`
(or "owner") changes over, for the test's own connection and for a live server's threads. So every test also
proves the grants.

Published rows cannot be removed, not even by a test's teardown. A transactional test (`transaction=True`,
`transactional_db`, `live_server`) therefore works in a copy of the database, which is dropped afterwards: see
tests/databases.py.

The demonstration (register, opening list, three published quarters, reports waiting) is loaded once in a test run.
A test asks for it by `season_shared`, where what it writes is rolled back; by `season_read`, for a live server that
only reads; or by `season`, a copy of its own, for what commits: freezing, calculating, a live server.
"""

import gc
import os
import shutil
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import pytest
from django.conf import settings as django_settings
from django.core.cache import cache
from django.core.signals import setting_changed
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.dispatch import receiver
from django.test import TransactionTestCase
from django.test.client import ClientHandler, store_rendered_templates
from hypothesis import settings as hypothesis_settings
from psycopg.pq import TransactionStatus
from pytest_django.plugin import blocking_manager_key

from config.web.data_stack import in_one_chunk
from reporting.log.acting_person import Proof, innermost
from tests import databases

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = Path(os.environ.get("RATING_OFFICE_SAMPLES", ROOT.parent / "shared" / "samples"))
IN_TURN = ("processes", "flows", "browser", "firefox", "clients", "services", "pages")
SHORTEST = ("api", "formats", "models", "rules")
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ITEM = pytest.StashKey[pytest.Item]()
READY = pytest.StashKey[bool]()
LAST_SET: WeakKeyDictionary[Any, tuple[str, bool]] = WeakKeyDictionary()
"""Of a connection: what `outside_a_request` set last, and whether for the session rather than for a transaction."""

# Playwright's synchronous interface runs an event loop in this thread; Django would refuse every query.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

# The same examples on every machine and every run; a slow machine is no counter-example.
hypothesis_settings.register_profile("office", deadline=None, derandomize=True, database=None)
hypothesis_settings.load_profile("office")


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # until all is imported and collected
    config.addinivalue_line(
        "markers", 'database_role(name): connect as "web", "worker" (the default) or "owner".'
    )
    config.addinivalue_line(
        "markers", "twin: a guard off, so that its test is seen to fail; some need minutes."
    )
    TransactionTestCase._fixture_teardown = lambda self: None  # type: ignore[method-assign]  # noqa: ARG005


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A file of each folder in turn, and the shortest files at the end: so all processes of `make test` end together.

    In turn, because tests in `flows` wait for other processes and those in `pages` compute: three files of one folder
    at once wait together. A file is one process's work (`--dist loadfile`): its tests may disturb each other, but those
    of no other file. Within a file the order is that of pytest-django, which sorts before: what rolls back, then what
    commits.
    """
    files = sorted({item.path for item in items})
    folders = {path: path.relative_to(ROOT / "tests").parts[0] for path in files}
    turns: dict[Path, tuple[int, int, int]] = {}
    for folder in (*IN_TURN, *SHORTEST):
        own = [path for path in files if folders[path] == folder]
        for turn, path in enumerate(own):
            turns[path] = (SHORTEST.index(folder) + 1 if folder in SHORTEST else 0, turn, len(turns))
    items.sort(key=lambda item: turns[item.path])


def pytest_collection_finish() -> None:
    """What is imported and collected stays to the end, so the garbage collector skips it.

    A page of a large report makes hundreds of thousands of objects; with Python's own thresholds a process looks
    through all it has a hundred times meanwhile.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
    gc.enable()


# --- the database


def fixtures_of(item: pytest.Item) -> set[str]:
    return set(getattr(item, "fixturenames", ()))


def is_transactional(item: pytest.Item) -> bool:
    marker = item.get_closest_marker("django_db")
    return bool(
        (marker and (marker.kwargs.get("transaction") or (marker.args and marker.args[0])))
        or fixtures_of(item)
        & {"transactional_db", "live_server", "django_db_reset_sequences", *databases.BUILDS}
    )


def database_of(item: pytest.Item) -> str:
    """Which of this process's databases a test begins in."""
    if "season_read" in fixtures_of(item):
        return databases.shared("season", read_only=True)
    return databases.shared(begins_with(item))


def begins_with(item: pytest.Item) -> str:
    """What is built before a test that asks for it by `<name>_shared`."""
    return next((name for name in databases.BUILDS if f"{name}_shared" in fixtures_of(item)), "empty")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Before any fixture: the transaction of an ordinary test is opened by the first one.

    Where one test follows another in the same database under the same role, the connection stays open.
    """
    marker = item.get_closest_marker("database_role")
    databases.point_connections_at(
        USER=django_settings.DATABASE_USERS[marker.args[0] if marker else "worker"]
    )
    item.config.stash[ITEM] = item
    item.runtest = in_one_chunk(item.runtest)  # type: ignore[method-assign]
    if item.config.stash.get(READY, False) and "_django_db_helper" in fixtures_of(item) | asked_for_by_mark(
        item
    ):
        with item.config.stash[blocking_manager_key].unblock():
            databases.point_connections_at(NAME=database_of(item))


def asked_for_by_mark(item: pytest.Item) -> set[str]:
    return {"_django_db_helper"} if item.get_closest_marker("django_db") else set()


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest, django_test_environment: None, django_db_blocker: Any
) -> Iterator[None]:
    """This process's copy of the migrated database; other databases are built when a test asks for them."""
    with django_db_blocker.unblock():
        databases.begin()
        databases.point_connections_at(NAME=database_of(request.config.stash[ITEM]))
    request.config.stash[READY] = True
    yield
    with django_db_blocker.unblock():
        databases.end()


@receiver(connection_created)
def see_what_is_outside_a_request(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """In every thread: also of a live server, whose requests are bound to their person like all others."""
    if outside_a_request not in connection.execute_wrappers:
        # Below the wrapper of a request that connects: at its end Django takes the last one off.
        connection.execute_wrappers.insert(0, outside_a_request)


def outside_a_request(
    execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: dict[str, Any]
) -> Any:
    """Lets a test that connects as the web write in the name of any person, but not in its requests.

    A request has a wrapper that names its person, and so has a service that acts by a link. For them the transaction of
    an ordinary test is none, as outside the tests: a statement in no other one has no proof.
    """
    database = context["connection"]
    is_bound = innermost(database) is not None
    in_the_test_s_own = bool(database.atomic_blocks) and all(
        block._from_testcase for block in database.atomic_blocks
    )
    status = database.connection.info.transaction_status
    if (
        database.settings_dict["USER"] != django_settings.DATABASE_USERS["web"]
        or status == TransactionStatus.INERROR
        or str(sql).startswith("SET TRANSACTION")  # which nothing may come before
    ):
        LAST_SET.pop(database.connection, None)
        return execute(sql, params, many, context)
    # Once for the session where each statement is a transaction, else once in each transaction, and again after it is
    # undone to a savepoint: a setting is undone with it.
    begins = status == TransactionStatus.IDLE and not database.connection.autocommit
    setting = "off" if is_bound else "on", status == TransactionStatus.IDLE and not begins
    if begins or LAST_SET.get(database.connection) != setting:
        database.connection.execute("select set_config('tests.outside_a_request', %s, false)", setting[:1])
        LAST_SET[database.connection] = setting
    if str(sql).startswith("ROLLBACK TO"):
        del LAST_SET[database.connection]
    if not in_the_test_s_own:
        return execute(sql, params, many, context)
    end_proofs(database)
    database.in_atomic_block = False
    try:
        return execute(sql, params, many, context)
    finally:
        database.in_atomic_block = True


def end_proofs(database: Any) -> None:
    """What the end of a transaction does outside the tests."""
    left = [entry for entry in database.run_on_commit if not isinstance(entry[1], Proof)]
    if len(left) < len(database.run_on_commit):
        database.run_on_commit = left
        database.connection.execute("select set_config('office.acting_person', '', true)")


@pytest.fixture
def season(transactional_db: None, _database_of_its_own: None) -> None:
    """The test works in a copy of the loaded demonstration, its own: it may publish, freeze, import."""


@pytest.fixture
def season_with_draft(transactional_db: None, _database_of_its_own: None) -> None:
    """A copy of the demonstration with the draft of its open list."""


@pytest.fixture
def season_shared(db: None) -> None:
    """The test works in this process's copy of the demonstration, inside a transaction that is rolled back.

    A transactional test that asks for it has a copy of its own all the same.
    """


@pytest.fixture
def season_read(transactional_db: None) -> None:
    """The test and a live server read a copy of the demonstration that refuses to be written."""


@pytest.fixture(autouse=True)
def _database_of_its_own(request: pytest.FixtureRequest) -> Iterator[None]:
    asked = [name for name in databases.BUILDS if name in fixtures_of(request.node)]
    if not is_transactional(request.node) or ("season_read" in fixtures_of(request.node) and not asked):
        yield
        return
    request.getfixturevalue("transactional_db")
    copied = databases.begin_own(asked[-1] if asked else begins_with(request.node))
    databases.point_connections_at(NAME=copied)
    yield
    databases.point_connections_at(NAME=databases.shared("empty"))
    databases.end_own(copied)


def store_page(
    store: dict[str, Any], signal: Any, sender: Any, template: Any, context: Any, **_: Any
) -> None:
    """For `response.context`: what a view gave to its page; Django's own copies it again for each included template."""
    if context.template is template:
        store_rendered_templates(store, signal, sender, template, context)


@pytest.fixture(scope="session", autouse=True)
def _one_middleware_chain() -> Iterator[None]:
    """All test clients share one chain until a setting changes; each would read the static folder again."""
    load = ClientHandler.load_middleware
    loaded: dict[str, Any] = {}

    def load_once(handler: ClientHandler, is_async: bool = False) -> None:
        if not loaded:
            load(handler, is_async)
            loaded.update({name: value for name, value in vars(handler).items() if "middleware" in name})
        vars(handler).update(loaded)

    def forget(**_: Any) -> None:
        loaded.clear()

    setting_changed.connect(forget)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.test.client.store_rendered_templates", store_page)
        patch.setattr(ClientHandler, "load_middleware", load_once)
        yield
    setting_changed.disconnect(forget)


# --- Chromium


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium through Playwright, or a skip that says what is missing."""
    executable = os.environ.get("CHROMIUM_PATH") or next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if executable is None:
        pytest.skip(
            "no Chromium on this machine: install `chromium-headless-shell` or `chromium`, or set CHROMIUM_PATH"
        )
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=executable,
            args=[
                "--no-sandbox",  # tests run as root in containers
                "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
                "--disable-default-apps", "--disable-extensions", "--disable-gpu", "--disable-sync",
                "--no-first-run", "--font-render-hinting=none",
                # A page lives for a second: compiling axe for speed on each takes longer than it saves.
                "--js-flags=--no-opt --no-maglev --no-flush-bytecode",
            ],
        )  # fmt: skip
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A fresh window, British English, UTC; `page.console_errors` collects console errors and exceptions."""
    context = browser.new_context(locale="en-GB", timezone_id="UTC", viewport={"width": 1280, "height": 900})
    context.set_default_timeout(15_000)
    page = context.new_page()
    page.console_errors = []
    page.on("console", lambda line: page.console_errors.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: page.console_errors.append(str(error)))
    yield page
    context.close()


# --- processes of our own


@pytest.fixture
def environment() -> dict[str, str]:
    """The environment of a process started by a test: nothing of the test run's own settings.

    It keeps the bytecode of its modules: a process that compiles Django and the project takes twice as long to start.
    """
    ours = {
        "DJANGO_SETTINGS_MODULE", "DATABASE_ROLE", "RATING_OFFICE_VAR", "DJANGO_ALLOW_ASYNC_UNSAFE",
        "PYTHONDONTWRITEBYTECODE",
    }  # fmt: skip
    return {name: value for name, value in os.environ.items() if name not in ours}


# --- settings and files


@pytest.fixture(scope="session")
def samples() -> Path:
    """The federation's sample reports, which are not part of the project."""
    if not SAMPLES.is_dir():
        pytest.skip(f"no sample reports: {SAMPLES} is not there (RATING_OFFICE_SAMPLES)")
    return SAMPLES


@pytest.fixture
def demonstration(settings: Any) -> None:
    """Periods that are still running: only the demonstration freezes them today (R10, contract of the closing)."""
    import_module(settings.ROOT_URLCONF)  # first: its addresses are those of a start without DEMO
    settings.DEMO = True


@pytest.fixture
def cleared_rate_limits() -> Iterator[None]:
    """No password has been tried yet: attempts are counted in the cache."""
    cache.clear()
    yield
    cache.clear()
