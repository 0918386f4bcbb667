"""The season of the demonstration in one file: made once for a state of the code and a day, whole or not at all."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from datetime import date, timedelta
from pathlib import Path

import psycopg
import pytest

from config.demo.management import kept_season
from config.embedded import servers
from config.embedded.postgres_server import Postgres

ROOT = Path(__file__).resolve().parent.parent.parent
TODAY = date(2026, 11, 20)
# A start that waits while it makes a season.
START = """
import sys
from datetime import date, timedelta
from pathlib import Path
import django
django.setup()
from config.demo.management.kept_season import begin_with_season
from tests.processes.test_kept_season import make

def make_slowly(folder):
    print("making", flush=True)
    make(folder)
    sys.stdin.readline()

begin_with_season(Path(sys.argv[1]), date.fromisoformat(sys.argv[2]), make_slowly)
"""


def make(folder):
    """A season: a table of one row, in the cluster of the folder."""
    with office_of(folder) as office:
        office.execute("create table season as select now() as made")


def office_of(folder):
    host = str(Postgres(folder, durable=True).socket_directory)
    return psycopg.connect(host=host, user="postgres", dbname="postgres")


def start(var, today):
    """Start in this process. Returns whether it made a season, instead of using the file."""
    made = []
    kept_season.begin_with_season(var, today, lambda folder: made.append(make(folder)))
    return bool(made)


@pytest.fixture
def var():
    """Not under pytest's own directory: the path of a socket has to be short."""
    folder = Path(tempfile.mkdtemp(prefix="office-"))
    yield folder / "var"
    servers.remove(folder / "var" / "season")
    servers.remove(folder / "var")
    shutil.rmtree(folder)


def first_start(var):
    return subprocess.Popen(
        [sys.executable, "-c", START, str(var), str(TODAY)],
        cwd=ROOT,
        env=os.environ
        | {"DEMO": "1", "DJANGO_SETTINGS_MODULE": "config.settings", "RATING_OFFICE_VAR": str(var)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


def reset(var):
    servers.remove(var, but=kept_season.KEPT)


def made_at(var):
    server = Postgres(var, durable=True).acquire()
    try:
        with office_of(var) as office:
            return office.execute("select made from season").fetchone()
    finally:
        server.release()


def ended(start):
    output, _ = start.communicate("\n", timeout=60)
    assert start.returncode == 0
    return output


def test_a_season_is_made_once_for_a_day_and_again_where_its_file_is_broken(var):
    tomorrow = TODAY + timedelta(days=1)
    assert start(var, TODAY)
    made = made_at(var)
    assert not start(var, TODAY)  # its cluster is there
    reset(var)
    assert not start(var, TODAY)
    assert made_at(var) == made
    assert not (var / kept_season.MAKING).exists()

    reset(var)
    assert start(var, tomorrow)
    assert made_at(var) > made

    whole = (var / kept_season.FILE).read_bytes()
    middle = len(whole) // 2
    for broken in (whole[:-4], whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]):
        reset(var)
        (var / kept_season.FILE).write_bytes(broken)
        assert start(var, tomorrow)
        assert made_at(var)


def test_two_first_starts_make_one_season_and_a_killed_one_leaves_none(var):
    killed = first_start(var)
    assert killed.stdout.readline() == "making\n"
    killed.send_signal(signal.SIGKILL)
    killed.communicate(timeout=60)
    assert not (var / kept_season.FILE).exists()

    starts = [first_start(var) for _ in range(2)]
    for start in starts:
        start.stdin.write("\n")
        start.stdin.flush()
    assert sorted(ended(start) for start in starts) == ["", "making\n"]
    assert made_at(var)


def test_other_code_is_another_season(tmp_path):
    for folder in ("config", "reporting/migrations/sql", "config/web/npm/node_modules"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "requirements.lock").write_text("django==5.2")
    found = {kept_season.digest_of_season(tmp_path, TODAY)}
    for changed in ("config/names.toml", "reporting/migrations/sql/roles.sql", "requirements.lock"):
        (tmp_path / changed).write_text("other")
        found.add(kept_season.digest_of_season(tmp_path, TODAY))
    (tmp_path / "config/names.toml").rename(tmp_path / "config/renamed.toml")
    found.add(kept_season.digest_of_season(tmp_path, TODAY))
    assert len(found) == 5
    for without_influence in ("config/cached.pyc", "config/web/npm/node_modules/axe.js", "readme.md"):
        (tmp_path / without_influence).write_text("other")
        assert kept_season.digest_of_season(tmp_path, TODAY) in found
