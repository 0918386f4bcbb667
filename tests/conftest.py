"""What every test stands on: a database with the rights of use, Chromium, and the sample reports.

Migrations run as the owner. Afterwards tests connect as `app_worker`; `@pytest.mark.database_role("web")`
(or "owner") changes over, for the test's own connection and for a live server's threads. So every test also
proves the grants.

Published rows cannot be removed, not even by a test's teardown. A transactional test (`transaction=True`,
`transactional_db`, `live_server`) therefore works in a copy of the database, which is dropped afterwards.

The demonstration (register, opening list, three published quarters, reports waiting) is loaded once in a test run.
A test asks for it by `season_shared`, where what it writes is rolled back, or by `season`, a copy of its own (0.3 s)
for what commits or runs beside it: freezing, calculating, a live server.
"""

import io
import os
import shutil
from collections.abc import Iterator
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings as django_settings
from django.core.cache import cache
from django.core.management import call_command
from django.db import connections, transaction
from django.test import TransactionTestCase
from hypothesis import settings as hypothesis_settings
from psycopg import sql

ROOT = Path(__file__).resolve().parent.parent
COPIES = count(1)
ROLE = pytest.StashKey[str]()

# Playwright's synchronous interface runs an event loop in this thread; Django would refuse every query.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")

# The same examples on every machine and every run; a slow machine is no counter-example.
hypothesis_settings.register_profile("office", deadline=None, derandomize=True, database=None)
hypothesis_settings.load_profile("office")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", 'database_role(name): connect as "web", "worker" (the default) or "owner".'
    )
    TransactionTestCase._fixture_teardown = lambda self: None  # type: ignore[method-assign]  # noqa: ARG005


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What kills, races and measures time goes to one worker of `make test`: it would disturb itself."""
    for item in items:
        if item.path.is_relative_to(ROOT / "tests" / "flows"):
            item.add_marker(pytest.mark.xdist_group("flows"))


# --- the database


def point_connections_at(**changes: str) -> None:
    """Change user or database for this thread and for every thread that connects later.

    `connections.settings` holds the dictionary that new connections get; an open connection has the same one.
    """
    database = connections.settings["default"]
    if all(database[key] == value for key, value in changes.items()):
        return
    for connection in connections.all(initialized_only=True):
        connection.close()
        connection.settings_dict.update(changes)
    database.update(changes)


def as_owner() -> psycopg.Connection:
    """To the maintenance database, as superuser: where databases are made and dropped."""
    return psycopg.connect(
        host=connections["default"].get_connection_params()["host"],
        user="postgres",
        dbname="postgres",
        autocommit=True,
    )


def is_transactional(item: pytest.Item) -> bool:
    marker = item.get_closest_marker("django_db")
    names = set(getattr(item, "fixturenames", ()))
    return bool(
        (marker and (marker.kwargs.get("transaction") or (marker.args and marker.args[0])))
        or names & {"transactional_db", "live_server", "django_db_reset_sequences", "season", "season_shared"}
    )


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Before any fixture: the transaction of an ordinary test is opened by the first one."""
    marker = item.get_closest_marker("database_role")
    item.config.stash[ROLE] = django_settings.DATABASE_USERS[marker.args[0] if marker else "worker"]
    point_connections_at(USER=item.config.stash[ROLE])


@pytest.fixture(scope="session")
def django_db_modify_db_settings() -> None:
    """Just before the test database is made: that is the owner's business."""
    point_connections_at(USER=django_settings.DATABASE_USERS["owner"])
    with as_owner() as cluster:
        for (name,) in cluster.execute("select datname from pg_database where datname ~ '^test_[0-9]+'"):
            try:
                os.kill(int(name.split("_")[1]), 0)
            except ProcessLookupError:  # left by a killed test run
                drop_database(name)
            except PermissionError:
                continue


@pytest.fixture(scope="session")
def django_db_setup(request: pytest.FixtureRequest, django_db_setup: None) -> Iterator[None]:
    """The migrated database, and then no longer as its owner."""
    point_connections_at(USER=request.config.stash[ROLE])
    yield
    point_connections_at(USER=django_settings.DATABASE_USERS["owner"])


def drop_database(name: str) -> None:
    with as_owner() as cluster:
        cluster.execute(sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(name)))


def copy_database(template: str, copy: str) -> None:
    connections.close_all()  # a database with a connection is no template
    with as_owner() as cluster:
        cluster.execute(
            sql.SQL("create database {} template {} strategy wal_log").format(
                sql.Identifier(copy), sql.Identifier(template)
            )
        )


@pytest.fixture(scope="session")
def season_template(django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    """The name of a database loaded by `load_demo --seed 1 --today 2026-11-20`, once in a test run."""
    before = {key: connections.settings["default"][key] for key in ("NAME", "USER")}
    name = f"{before['NAME']}_season"
    with django_db_blocker.unblock():
        copy_database(before["NAME"], name)
        point_connections_at(NAME=name, USER=django_settings.DATABASE_USERS["worker"])
        call_command("load_demo", seed=1, today=date(2026, 11, 20), stdout=io.StringIO())
        point_connections_at(**before)
    yield name
    drop_database(name)


@pytest.fixture
def season(transactional_db: None, _database_of_its_own: None) -> None:
    """The test works in a copy of the loaded demonstration, its own: it may publish, freeze, import."""


@pytest.fixture
def season_shared(transactional_db: None, _database_of_its_own: None) -> None:
    """The test works in the loaded demonstration itself, inside a transaction that is rolled back."""


@pytest.fixture(autouse=True)
def _database_of_its_own(request: pytest.FixtureRequest) -> Iterator[None]:
    if not is_transactional(request.node):
        yield
        return
    request.getfixturevalue("transactional_db")
    empty = connections.settings["default"]["NAME"]
    wanted = {"season", "season_shared"} & set(request.node.fixturenames)
    template = request.getfixturevalue("season_template") if wanted else empty
    if wanted == {"season_shared"}:
        point_connections_at(NAME=template)
        with transaction.atomic():
            yield
            transaction.set_rollback(True)
        point_connections_at(NAME=empty)
        return
    copy = f"{empty}_{next(COPIES)}"
    copy_database(template, copy)
    point_connections_at(NAME=copy)
    yield
    point_connections_at(NAME=empty)
    drop_database(copy)


# --- Chromium


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium through Playwright, or a skip that says what is missing."""
    executable = os.environ.get("CHROMIUM_PATH") or next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    if executable is None:
        pytest.skip("no Chromium on this machine: install `chromium` or set CHROMIUM_PATH")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=executable,
            args=[
                "--no-sandbox",  # tests run as root in containers
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-default-apps",
                "--disable-extensions",
                "--disable-gpu",
                "--disable-sync",
                "--no-first-run",
                "--font-render-hinting=none",
            ],
        )
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A fresh window, British English, UTC; `page.troubles` collects console errors and exceptions."""
    context = browser.new_context(locale="en-GB", timezone_id="UTC", viewport={"width": 1280, "height": 900})
    context.set_default_timeout(15_000)
    page = context.new_page()
    page.troubles = []
    page.on("console", lambda said: page.troubles.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: page.troubles.append(str(error)))
    yield page
    context.close()


# --- processes of our own


@pytest.fixture
def environment() -> dict[str, str]:
    """The environment of a process started by a test: nothing of the test run's own settings."""
    ours = {"DJANGO_SETTINGS_MODULE", "DATABASE_ROLE", "RATING_OFFICE_VAR", "DJANGO_ALLOW_ASYNC_UNSAFE"}
    return {name: value for name, value in os.environ.items() if name not in ours}


# --- files


@pytest.fixture(scope="session")
def samples() -> Path:
    """The federation's sample reports, which are not part of the project."""
    folder = Path(os.environ.get("RATING_OFFICE_SAMPLES", ROOT.parent / "shared" / "samples"))
    if not folder.is_dir():
        pytest.skip(f"no sample reports: {folder} is not there (RATING_OFFICE_SAMPLES)")
    return folder


@pytest.fixture
def no_attempts_before() -> Iterator[None]:
    """Nobody has tried a password yet: attempts are counted in the cache."""
    cache.clear()
    yield
    cache.clear()
