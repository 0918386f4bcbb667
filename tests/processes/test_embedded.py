"""The embedded PostgreSQL and broker: first starts at once, kills, Ctrl-C, a clone made again."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

import pytest

from config.embedded import servers
from config.embedded.broker_server import Broker, broker_socket
from config.embedded.postgres_server import MEMORY, MIN_FREE_MEMORY_FOR_TESTS, Postgres
from config.embedded.shared_server import MAX_SOCKET_PATH, EmbeddedServerError, private_directory

ROOT = Path(__file__).resolve().parent.parent.parent
HOLD = """
import sys
from pathlib import Path
from config.embedded import servers
var = Path(sys.argv[1])
services = {
    "postgres": lambda: servers.postgres(var),
    "postgres of tests": lambda: servers.postgres(var, durable=False),
    "broker": lambda: servers.broker(var),
}
server = services[sys.argv[2]]()
print("holding", flush=True)
sys.stdin.readline()
"""


class Holder:
    """A process that uses a server until it is asked to release it."""

    living: ClassVar[list["Holder"]] = []

    def __init__(self, var: Path, service: str, **options) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", HOLD, str(var), service],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            **options,
        )  # fmt: skip
        self.living.append(self)

    def holds(self) -> bool:
        return self.process.stdout.readline() == "holding\n"

    @classmethod
    def holding(cls, var: Path, service: str, **options) -> "Holder":
        holder = cls(var, service, **options)
        assert holder.holds()
        return holder

    def let_go(self) -> int:
        self.process.communicate("\n", timeout=20)
        return self.process.returncode

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(20)


@pytest.fixture(autouse=True)
def _no_process_left():
    yield
    for holder in Holder.living:  # those that a failed test left
        holder.kill()
    Holder.living.clear()


@contextmanager
def a_folder():
    """Not under pytest's own directory: the path of a socket has to be short."""
    folder = Path(tempfile.mkdtemp(prefix="office-"))
    yield folder / "var"
    servers.remove(folder / "var")
    shutil.rmtree(folder)


@pytest.fixture
def var(_no_process_left):
    """Where nothing was started yet."""
    with a_folder() as var:
        yield var
        for holder in Holder.living:
            holder.kill()


@pytest.fixture(scope="module")
def installed():
    """One cluster for all tests that do not check how it is made, so that its files are made once."""
    with a_folder() as var:
        yield var


def ask(var: Path, question: str) -> str:
    """With psql, not psycopg: the test must not hold the server."""
    server = Postgres(var, durable=True)
    return subprocess.run(
        [server.programs / "psql", "-h", server.socket_directory, "-U", "postgres", "-At", "-c", question],
        check=True, capture_output=True, text=True,
    ).stdout.strip()  # fmt: skip


def is_alive(var: Path, service: str) -> bool:
    server = Broker(var) if service == "broker" else Postgres(var, durable=True)
    return server.is_alive()


@pytest.mark.parametrize("service", ["postgres", "broker"])
def test_five_first_starts_at_once_share_one_server_and_the_last_one_out_stops_it(var, service):
    holders = [Holder(var, service) for _ in range(5)]
    assert all(holder.holds() for holder in holders)
    for holder in holders[:4]:
        assert holder.let_go() == 0
        assert is_alive(var, service)
    assert holders[4].let_go() == 0
    assert not is_alive(var, service)


COUNT = """
import sys
from pathlib import Path
import django
django.setup()
from config.embedded.cache import EmbeddedCache
from config.embedded.broker_server import broker_socket
var, key, seconds, times = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
cache = EmbeddedCache(f"unix://{broker_socket(var)}", {"OPTIONS": {"var": var}})
print(*(cache.count(key, seconds)[0] for _ in range(times)))
print(*cache.count(key, seconds, -1), *cache.count(key, seconds, 0))
print(cache._cache.get_client(write=True).ttl(cache.make_key(key)))
"""


def test_the_cache_counts_from_the_first_one_on(installed):
    """By two processes, which share the counts; the time runs from the first count and no later one prolongs it.

    Each process takes its last count back, and asks for the count without counting.
    """
    holder = Holder.holding(installed, "broker")

    def count(key: str, seconds: int, times: int) -> tuple[str, str, str]:
        asked = [sys.executable, "-c", COUNT, str(installed), key, str(seconds), str(times)]
        counts, taken_back, left = subprocess.run(
            asked, cwd=ROOT, check=True, capture_output=True, text=True
        ).stdout.splitlines()
        return counts, taken_back, left

    assert count("a", 600, 3)[0] == "1 2 3"
    counts, taken_back, left = count("a", 90_000, 2)
    assert (counts, 0 < int(left) <= 600) == ("3 4", True)
    number, first_left, again, _ = map(int, taken_back.split())
    assert (number, again, 0 < first_left <= 600) == (3, 3, True)
    assert count("b", 600, 1)[0] == "1"
    assert holder.let_go() == 0


@pytest.mark.parametrize("service", ["postgres", "broker"])
def test_a_killed_holder_blocks_no_other(installed, service):
    Holder.holding(installed, service).kill()
    following = Holder.holding(installed, service)  # finds the server running, and stops it at its end
    assert following.let_go() == 0
    assert not is_alive(installed, service)


def test_a_killed_database_starts_again_with_its_data(installed):
    var = installed
    first = Holder.holding(var, "postgres")
    ask(var, "create table stored as select 1 as id")
    server = Postgres(var, durable=True)
    os.kill(int((server.data / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)
    first.kill()
    second = Holder.holding(var, "postgres")
    assert ask(var, "select count(*) from stored") == "1"
    assert second.let_go() == 0


def test_the_data_stay_between_two_starts(installed):
    for _ in range(2):
        holder = Holder.holding(installed, "postgres")
        ask(installed, "create table if not exists counted (id int); insert into counted values (1)")
        rows = ask(installed, "select count(*) from counted")
        assert holder.let_go() == 0
    assert rows == "2"


def test_a_clone_deleted_and_made_again_at_the_same_place_starts_with_a_fresh_cluster(var):
    first = Holder.holding(var, "postgres")
    ask(var, "create table from_the_old_clone (id int)")
    old = Postgres(var, durable=True).home
    assert first.let_go() == 0
    shutil.rmtree(var)  # as `rm -rf` of the clone does, without the launcher

    second = Holder.holding(var, "postgres")
    assert ask(var, "select to_regclass('from_the_old_clone') is null") == "t"
    assert second.let_go() == 0
    if os.geteuid() == 0:
        assert Postgres(var, durable=True).home != old
        shutil.rmtree(old)


def test_removing_takes_the_directory_outside_var_along(var):
    holder = Holder.holding(var, "postgres")
    home = Postgres(var, durable=True).home
    with pytest.raises(EmbeddedServerError, match="in use"):
        servers.remove(var)
    assert holder.let_go() == 0
    servers.remove(var)
    assert not home.exists()
    assert not var.exists()


def test_a_cluster_of_tests_lies_in_memory_where_there_is_room_and_is_removed_with_the_rest(var, monkeypatch):
    holder = Holder.holding(var, "postgres of tests")
    server = Postgres(var, durable=False)
    room = MEMORY.is_dir() and shutil.disk_usage(MEMORY).total >= MIN_FREE_MEMORY_FOR_TESTS
    assert server.data.is_relative_to(MEMORY) == room
    assert (server.data / "PG_VERSION").exists()
    holder.kill()  # no process stops the server
    assert server.is_alive()
    servers.remove(var)
    assert not server.data.parent.exists()
    monkeypatch.setattr("config.embedded.postgres_server.MIN_FREE_MEMORY_FOR_TESTS", 2**60)
    on_disk = Postgres(var, durable=False)
    assert on_disk.data == Postgres(var, durable=True).data == on_disk.home / "pg"


def test_ctrl_c_reaches_the_holder_and_not_the_servers(installed):
    """A terminal signals the whole process group, and the worker still needs broker and database."""
    services = ("postgres", "broker")
    holders = [Holder.holding(installed, service, process_group=0) for service in services]
    witness = [Holder.holding(installed, service) for service in services]
    for holder in holders:
        os.killpg(holder.process.pid, signal.SIGINT)
        holder.process.communicate(timeout=20)
    assert all(is_alive(installed, service) for service in services)
    assert [holder.let_go() for holder in witness] == [0, 0]


def test_data_of_another_version_are_left_alone_with_a_sentence(installed):
    assert Holder.holding(installed, "postgres").let_go() == 0
    server = Postgres(installed, durable=True)
    version = server.data / "PG_VERSION"
    version.write_text("15\n")
    with pytest.raises(EmbeddedServerError, match="were written by PostgreSQL 15"):
        server.start()
    version.write_text("18\n")


def test_a_half_made_cluster_is_made_again(var):
    """initdb was killed: what it left is not taken for a cluster."""
    half = Postgres(var, durable=True).home / "pg.new"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    assert Holder.holding(var, "postgres").let_go() == 0


def test_a_directory_of_another_user_is_refused(tmp_path):
    tmp_path.chmod(0o777)
    with pytest.raises(EmbeddedServerError, match="another user"):
        private_directory(tmp_path, {os.geteuid()})
    link = tmp_path / "link"
    link.symlink_to(tmp_path)
    with pytest.raises(EmbeddedServerError, match="another user"):
        private_directory(link, {os.geteuid()})


def test_a_socket_with_a_long_or_odd_path_goes_elsewhere(tmp_path):
    assert broker_socket(Path("/srv/office/var")) == Path("/srv/office/var/broker/socket")
    for odd in (tmp_path / ("long" * 40), Path("/srv/my office/var")):
        path = broker_socket(odd)
        assert odd not in path.parents
        assert len(str(path)) <= MAX_SOCKET_PATH


def test_services_run_under_a_path_with_spaces(var):
    odd = (
        var / "the office of the federation, its second floor and the third room on the left of the corridor"
    )
    for service in ("postgres", "broker"):
        assert Holder.holding(odd, service).let_go() == 0
    servers.remove(odd)


@pytest.mark.django_db
def test_only_the_test_cluster_does_without_fsync(var, settings):
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("show fsync")
        assert cursor.fetchone() == ("off",)
    from config import settings as settings_of_use

    assert settings.DATABASES["default"]["EMBEDDED"]["durable"] is False
    assert '"durable": True' in Path(settings_of_use.__file__).read_text()
