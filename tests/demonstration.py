"""A demonstration as `make demo` starts it, with a database of its own; imports no Django."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from config.embedded import servers
from tests.ports import free_ports

ROOT = Path(__file__).resolve().parent.parent


@contextmanager
def demonstration(environment: Mapping[str, str] = os.environ) -> Iterator[tuple[int, int, Path]]:
    """The port, the process and the data of a demonstration with a database of its own."""
    (port,) = free_ports(1)
    # Each process of the demonstration has a role of its own in the database.
    inherited = {name: value for name, value in environment.items() if name != "DATABASE_ROLE"}
    with tempfile.TemporaryDirectory() as folder:
        var = Path(folder) / "var"
        demo = subprocess.Popen(
            [sys.executable, "manage.py", "demo", "--port", str(port)],
            cwd=ROOT, env={**inherited, "RATING_OFFICE_VAR": str(var), "DEMO": "1"}, stdout=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        try:
            assert demo.stdout is not None
            assert any(line.startswith("Ready after") for line in demo.stdout)
            yield port, demo.pid, var
        finally:
            demo.terminate()
            demo.wait(60)
            servers.remove(var)
