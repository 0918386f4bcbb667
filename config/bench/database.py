"""A database of the benchmark's own, on the embedded server: made for one run, dropped after it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection, connections
from psycopg import sql

PREFIX = "bench_"


@contextmanager
def scratch_database(number: int = 0) -> Iterator[psycopg.Connection]:
    """An empty office: Django works in it as the worker; what is yielded is its owner's own connection.

    One process has several by their number, and works in the last one or where `work_in` points. Never touches another
    database. Raises CommandError where DATABASE_URL names a server.
    """
    if not settings.EMBEDDED_DATABASE:
        raise CommandError("The benchmark makes its own database on the embedded server: unset DATABASE_URL.")
    name = f"{PREFIX}{os.getpid()}_{number}"
    before = {key: connection.settings_dict[key] for key in ("NAME", "USER")}
    with _as_owner("postgres", autocommit=True) as cluster:
        _drop_left_behind(cluster)
        cluster.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    try:
        _point_at(NAME=name, USER=settings.DATABASE_USERS["owner"])
        call_command("migrate", verbosity=0)
        _point_at(NAME=name, USER=settings.DATABASE_USERS["worker"])
        with _as_owner(name) as owner:
            yield owner
    finally:
        _point_at(**before)
        with _as_owner("postgres", autocommit=True) as cluster:
            cluster.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def work_in(owner: psycopg.Connection) -> None:
    """Point Django at a scratch database again, by its owner's connection."""
    _point_at(NAME=owner.info.dbname)
    connection.ensure_connection()


def _as_owner(name: str, *, autocommit: bool = False) -> psycopg.Connection:
    host = connection.get_connection_params()["host"]
    return psycopg.connect(
        host=host, user=settings.DATABASE_USERS["owner"], dbname=name, autocommit=autocommit
    )


def _point_at(**changes: str) -> None:
    """In place: every open connection and those to come read the same dictionary."""
    connection.close()
    connections.settings["default"].update(changes)
    connection.settings_dict.update(changes)


def _drop_left_behind(cluster: psycopg.Connection) -> None:
    """Databases of benchmarks that were killed."""
    pattern = f"^{PREFIX}[0-9]+_[0-9]+$"
    for (name,) in cluster.execute("SELECT datname FROM pg_database WHERE datname ~ %s", [pattern]):
        try:
            os.kill(int(name.removeprefix(PREFIX).partition("_")[0]), 0)
        except ProcessLookupError:
            cluster.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
        except PermissionError:
            continue
