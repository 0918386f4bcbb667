"""Django's PostgreSQL engine on the embedded server, which starts at the first connection."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.db.backends.postgresql import base
from django.db.backends.postgresql.client import DatabaseClient as PostgreSQLClient

from config.embedded import servers
from config.embedded.postgres_server import postgres_programs


class DatabaseClient(PostgreSQLClient):
    def runshell(self, parameters: Iterable[str]) -> None:
        self.connection.ensure_connection()
        self.executable_name = str(postgres_programs() / "psql")
        super().runshell(parameters)


class DatabaseWrapper(base.DatabaseWrapper):
    client_class = DatabaseClient

    def get_connection_params(self) -> dict[str, Any]:
        server = self.settings_dict["EMBEDDED"]
        # In place, never a copy: the thread of a live server reads the same dictionary, and a change of
        # user or database must reach it (a private copy let it work as superuser in the template database).
        self.settings_dict["HOST"] = str(
            servers.postgres(Path(server["var"]), durable=server["durable"]).socket_directory
        )
        return super().get_connection_params()
