"""nginx before the application, with the configuration of docker-compose.yml: Debian's nginx, gunicorn, PostgreSQL."""

import gzip
import html
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPSConnection
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.request import urlopen

import brotli
import pytest
from django.conf import settings
from django.db import connection
from django.urls import URLResolver, get_resolver

from config.embedded import servers
from config.processes import WEB, with_this_python
from config.web.middleware import MAX_BODY_BYTES
from ratings.federations.fmjd.models import FmjdListRow
from reporting.log.audit import OFFICER, Actor
from reporting.models import Player, User
from reporting.register.services.erase_name import erase_name
from reporting.web.access import LARGE_FORM, SOURCE_UPLOAD, TABLE_UPLOAD, UPLOAD
from tests.ports import free_ports

ROOT = Path(__file__).resolve().parent.parent.parent
TEMPLATE = ROOT / "config/docker/front.conf.template"
HALF = b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 50000\r\n\r\nhalf"

FORM = {"Content-Type": "application/x-www-form-urlencoded"}

pytestmark = pytest.mark.django_db(transaction=True)


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + 60
    while not answers(port):
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < until, log.read_text()
        time.sleep(0.05)


def configuration(folder: Path, web: int, http: int, https: int, networks: int) -> Path:
    """The template with its values, included as the image of nginx includes it."""
    values = {
        "OFFICE_WEB": f"127.0.0.1:{web}", "FRONT_HTTP": f"127.0.0.1:{http}", "FRONT_HTTPS": f"127.0.0.1:{https}",
        "FRONT_CACHE": str(folder / "cache"), "FRONT_CERTIFICATES": str(folder),
    }  # fmt: skip
    front = re.sub(r"\$\{(\w+)\}", lambda found: values[found[1]], TEMPLATE.read_text())
    (folder / "front.conf").write_text(front.replace("/dev/stdout", str(folder / "access.log")))
    (folder / "cache").mkdir()
    temporary = "\n".join(
        f"{name}_temp_path {folder}/{name};" for name in ("proxy", "fastcgi", "uwsgi", "scgi")
    )
    # Answers with whose connections are counted, for an address that the test names.
    asked = (
        f"server {{ listen {networks} proxy_protocol; set_real_ip_from 127.0.0.1; real_ip_header proxy_protocol;"
        " return 200 $network; }"
    )
    whole = folder / "nginx.conf"
    user = "user root;" if os.geteuid() == 0 else ""  # others may not enter the folder of a test
    whole.write_text(
        f"{user} daemon off; pid {folder}/pid; error_log {folder}/error.log warn; worker_processes 1;"
        f"events {{}} http {{ {temporary}\n include {folder}/front.conf; {asked} }}"
    )
    return whole


@pytest.fixture
def front(season: None, environment: dict[str, str], tmp_path_factory: Any) -> Iterator[SimpleNamespace]:
    """One web process of five threads behind nginx, both for real."""
    nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    assert nginx, "nginx is missing: `make test-processes` installs nginx-light where it may; else install it"
    folder = tmp_path_factory.mktemp("front")
    web, http, https, networks = free_ports(4)
    certificate = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost"
        " -addext subjectAltName=DNS:localhost -keyout privkey.pem -out fullchain.pem"
    )
    subprocess.run(certificate.split(), cwd=folder, check=True, capture_output=True)
    host = servers.postgres(Path(settings.VAR), durable=False).socket_directory
    installation = {
        "SECRET_KEY": "a-key-of-more-than-fifty-characters-for-the-check-only-0123456789",
        "DATABASE_URL": f"postgres://app_web@/{connection.settings_dict['NAME']}?host={host}",
        "BROKER_URL": "redis://127.0.0.1:1/0",  # no broker: public pages do not need one
        "RATING_OFFICE_VAR": str(folder / "var"), "STATIC_ROOT": str(folder / "static"),
        "TRUST_FORWARDED_PROTO": "true", "WEB_BIND": f"127.0.0.1:{web}", "WEB_WORKERS": "1",
    }  # fmt: skip
    with (folder / "log").open("ab") as log, ExitStack() as running:
        collect = (
            "python", "manage.py", "collectstatic", "--no-input", "--ignore", "redoc", "--verbosity", "0",
        )  # fmt: skip
        own = {"cwd": ROOT, "env": environment | installation, "stdout": log, "stderr": subprocess.STDOUT}
        subprocess.run(with_this_python(collect), check=True, **own)
        processes: list[subprocess.Popen[bytes]] = []
        for port, command in (
            (web, with_this_python(WEB)),
            (https, [nginx, "-c", str(configuration(folder, web, http, https, networks)), "-p", str(folder)]),
        ):
            process = subprocess.Popen(command, **own)
            processes.append(process)
            running.callback(process.wait, 20)
            running.callback(process.terminate)
            wait_for(port, process, folder / "log")
        context = ssl.create_default_context(cafile=str(folder / "fullchain.pem"))

        def ask(method: str, address: str, **more: Any) -> tuple[int, dict[str, str], bytes]:
            line = HTTPSConnection("localhost", https, context=context, timeout=60)
            line.request(method, address, **more)
            answer = line.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()

        def connect(closed_by: ExitStack) -> ssl.SSLSocket:
            line = socket.create_connection(("127.0.0.1", https))
            return closed_by.enter_context(context.wrap_socket(line, server_hostname="localhost"))

        def log_until(text: str) -> str:
            until = time.monotonic() + 30
            while text not in (log := (folder / "access.log").read_text()) and time.monotonic() < until:
                time.sleep(0.02)
            return log

        yield SimpleNamespace(
            ask=ask, connect=connect, log_until=log_until, http=http, https=https, web=web, networks=networks,
            context=context, folder=folder, web_process=processes[0],
        )  # fmt: skip


def check_sizes(front: SimpleNamespace) -> None:
    """Too large before the application sees anything: for all, and for strangers."""
    session, token = {"Cookie": "sessionid=unknown"}, {"Authorization": "Bearer unknown"}
    for address, most, credentials in (
        ("/login/", MAX_BODY_BYTES, {}),
        ("/check/", UPLOAD, {}),
        ("/titles/forecast/report/", UPLOAD, {}),
        ("/standings/", UPLOAD, {}),
        ("/pair/", UPLOAD, {}),
        ("/api/v1/check/", UPLOAD, {}),
        ("/reports/1/details/", LARGE_FORM, session),
        ("/reports/new/", UPLOAD, session),
        ("/office/players/import/", TABLE_UPLOAD, session),
        ("/office/pools/fmjd-100/opening/", TABLE_UPLOAD, session),
        ("/office/sources/", SOURCE_UPLOAD, session),
        ("/api/v1/reports/", UPLOAD, token),
        ("/api/v1/reports/1/versions/", UPLOAD, token),
        ("/api/v1/reports/1/details/", LARGE_FORM, token),
    ):
        large = front.ask("POST", address, body=b"x" * (most + 1), headers=FORM | credentials)
        assert large[0] == 413, address
        assert address.startswith("/api/") is (large[1]["Content-Type"] == "application/json"), address
        if address.startswith("/api/"):
            assert json.loads(large[2])["code"] == "too_large"
            assert large[1]["Access-Control-Allow-Origin"] == "*"
        text = {"Content-Type": "text/plain"}
        fits = front.ask("POST", address, body=b"x" * most, headers=text | credentials)
        assert fits[0] != 413, address
        if credentials:  # without them 64 KB at most, and nothing of unknown length
            assert front.ask("POST", address, body=b"x" * (MAX_BODY_BYTES + 1), headers=text)[0] == 413, (
                address
            )
            assert front.ask("POST", address, body=b"x" * MAX_BODY_BYTES, headers=text)[0] != 413, address
            stranger = front.ask("POST", address, body=iter([b"x"]), headers=text, encode_chunked=True)
            assert stranger[0] == 413, address


def check_connections(front: SimpleNamespace) -> None:
    """Bodies that stop half-way wait on the disk, four of one network at a time."""
    line = "POST /check/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 4000000\r\n\r\n"
    with ExitStack() as senders:
        for _ in range(4):
            front.connect(senders).sendall(line.encode() + b"x" * 1_000_000)
        fifth = front.connect(senders)
        fifth.sendall(line.encode())  # refused by its head: a body on its way might reset the connection
        assert fifth.recv(1024).startswith(b"HTTP/1.1 503")
        bodies = str(front.folder / "cache/bodies")
        waiting = [link for link in map(target, Path("/proc").glob("[0-9]*/fd/*")) if link.startswith(bodies)]
        assert len(waiting) == 4

    # whose connections are counted together
    for address, network in (
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2:"),
        ("2001:db8:1:2::9", "2001:db8:1:2:"),
        ("2001:db8::9", "2001:db8::"),
        ("2001:db8::a:b:c:d", "2001:db8::"),
        ("::1", ":"),
    ):
        with socket.create_connection(("127.0.0.1", front.networks)) as asked:
            family = "TCP6" if ":" in address else "TCP4"
            asked.sendall(f"PROXY {family} {address} {address} 1 1\r\nGET / HTTP/1.0\r\n\r\n".encode())
            answer = b"".join(iter(lambda: asked.recv(4096), b""))
        assert answer.decode().rpartition("\r\n\r\n")[2] == network, address


def target(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:  # closed meanwhile, or of another person's process
        return ""


def check_encodings(front: SimpleNamespace, page: str) -> None:
    """Each encoding is kept apart by the front, and compressed by the application alone."""
    ask = front.ask
    plain = ask("GET", page)
    for encoding, decompress in (("br", brotli.decompress), ("gzip", gzip.decompress)):
        accepted = {"Accept-Encoding": encoding}
        for _ in range(2):
            status, heads, body = ask("GET", page, headers=accepted)
            assert (status, heads["Content-Encoding"], decompress(body)) == (200, encoding, plain[2])
        assert heads["X-Cache"] in {"HIT", "REVALIDATED"}
        assert ask("GET", page, headers=accepted | {"If-None-Match": heads["ETag"]})[0] == 304
    time.sleep(2)
    assert ask("GET", page, headers=accepted)[1]["X-Cache"] == "REVALIDATED"
    heads = ask("GET", page)[1]
    assert (heads["X-Cache"], "Content-Encoding" in heads) == ("REVALIDATED", False)


def check_operation(front: SimpleNamespace) -> None:
    """That the web answers is public; what it lacks, and its metrics, are not."""
    addresses = ("/health/", "/ready/", "/metrics", "/metrics/")
    assert [front.ask("GET", address)[0] for address in addresses] == [200, *[404] * 3]
    with urlopen(f"http://127.0.0.1:{front.web}/ready/") as answer:
        assert answer.read() == b"ready\n"


def check_erased_name(front: SimpleNamespace, page: str) -> None:
    """A name is erased: the front serves it no more, its copy is gone, and what no reader asks for goes in minutes."""
    row = FmjdListRow.objects.filter(list__in_force="2026-10-01", list__pool__code="fmjd-100").order_by(
        "position"
    )[0]
    name = html.escape(row.name).encode()

    def copies() -> list[Path]:
        kept = (path for path in (front.folder / "cache").rglob("*") if path.is_file())
        return [path for path in kept if name in path.read_bytes()]

    assert name in front.ask("GET", page)[2]
    assert copies()
    erase_name(
        player=Player.objects.get(pk=row.player_id),
        reason="on request",
        by=Actor(User.objects.get(email=OFFICER), by_command=True),
    )
    time.sleep(2.1)  # s-maxage, in whole seconds of nginx
    for address in (page, "/lists/fmjd-100/"):
        assert name not in front.ask("GET", address)[2]
    assert copies() == []
    (minutes,) = re.findall(r"inactive=(\d+)m", TEMPLATE.read_text())
    assert int(minutes) <= 10


@pytest.mark.database_role("owner")
def test_nginx_in_front_of_the_office(front: SimpleNamespace) -> None:
    """One start for all questions: TLS, the cache, sizes, senders who stop half-way, an application that is gone."""
    ask = front.ask

    # plain HTTP is redirected to TLS, which sends HSTS
    with socket.create_connection(("127.0.0.1", front.http)) as line:
        line.sendall(b"GET /lists/?page=2 HTTP/1.1\r\nHost: ratings.example.org\r\n\r\n")
        answer = line.recv(4096).decode()
    assert answer.startswith("HTTP/1.1 308")
    assert "Location: https://ratings.example.org/lists/?page=2\r\n" in answer
    status, heads, _ = ask("GET", "/lists/fmjd-100/")
    assert (status, heads["Strict-Transport-Security"][:16]) == (200, "max-age=31536000")
    assert "nginx/" not in heads["Server"]

    # published pages and files come from the cache the second time; nothing that a reader with a session sees does;
    # a page older than a second is asked for with its ETag
    page, file = "/lists/fmjd-100/2026-10-01/r1/", "/lists/fmjd-100/2026-10-01/r1/files/figures.csv"
    for address, again in ((file, {"HIT"}), (page, {"HIT", "REVALIDATED"})):
        first, second = ask("GET", address), ask("GET", address)
        assert (first[0], first[1]["X-Cache"]) == (200, "MISS")
        assert (second[0], second[2]) == (200, first[2])
        assert second[1]["X-Cache"] in again
        with_session = ask("GET", address, headers={"Cookie": "sessionid=unknown"})
        assert (with_session[0], with_session[1]["X-Cache"]) == (200, "BYPASS")
        assert ask("GET", address)[1]["X-Cache"] in again
    for _ in range(2):
        assert ask("GET", "/login/")[1]["X-Cache"] == "MISS"
    check_operation(front)
    check_encodings(front, page)
    check_erased_name(front, page)

    check_sizes(front)
    chunks = ask("POST", "/check/", body=iter([b"example=clean"]), headers=FORM, encode_chunked=True)
    assert chunks[0] == 200  # buffered, and passed on with its length
    assert ask("PUT", "/lists/")[0] == 405

    check_connections(front)

    # no key of a link is in a log
    for address in ("requests/7.", "account/reset/1-", "account/invitation/MQ/", "account/email/Mg:"):
        ask("GET", f"/{address}canary-of-a-key/")
    log = front.log_until('"address":"/account/email/..."')  # nginx writes a line after it has answered
    assert '"cache":"HIT"' in log
    assert "sessionid" not in log
    assert "canary" not in log
    for shown in ("/requests/7....", "/account/reset/...", "/account/invitation/...", "/account/email/..."):
        assert f'"address":"{shown}"' in log

    # forty senders who stop half-way hold no thread of the application, which has five
    with ExitStack() as senders:
        halves = []
        for _ in range(40):
            line = front.connect(senders)
            line.sendall(HALF)
            halves.append(line)
        assert ask("GET", "/tournaments/")[0] == 200
        for line in halves:
            line.setblocking(False)
            with pytest.raises(ssl.SSLWantReadError):  # still open, and not answered
                line.recv(1)

    # the application gone: files from the cache, a plain 503 elsewhere
    front.web_process.terminate()
    front.web_process.wait(20)
    assert ask("GET", file)[1]["X-Cache"] == "HIT"
    status, headers, body = ask("GET", "/federations/")
    assert (status, headers["Retry-After"], body[:13]) == (503, "10", b"Rating Office")
    status, headers, body = ask("GET", "/api/v1/federations/")
    assert (status, json.loads(body)["code"]) == (503, "unavailable")
    assert {"Retry-After": "10", "Access-Control-Allow-Origin": "*"}.items() <= dict(headers).items()


LOCATION = re.compile(
    r"location (?:(=|~) )?(\S+) \{((?:(?!location )[^{}]|\{[^{}]*\})*?client_max_body_size (\d+);)"
)
EXAMPLES = {"number": 7, "pool": "fmjd-100", "in_force": "2026-01-01", "code": "2026-open", "address": 7}


def test_nginx_lets_through_what_each_view_takes() -> None:
    """Each address of the application against the location that answers it; the twin is an address without its own."""
    template = TEMPLATE.read_text().partition("server_name office;")[2]
    locations = [
        (re.compile(re.escape(path) if kind == "=" else path), int(most))
        for kind, path, _, most in LOCATION.findall(template)
    ]
    assert len(locations) == 8

    def limit(path: str) -> int:
        return next((most for path_of, most in locations if path_of.match(path)), MAX_BODY_BYTES)

    large = {}
    for pattern, view in every_view():
        path = "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda found: str(EXAMPLES.get(found[1], 1)), pattern)
        most = getattr(view, "largest_body", MAX_BODY_BYTES)
        assert limit(path) >= most, path
        if most > MAX_BODY_BYTES:
            large[path] = most
    assert len(large) > 20
    assert max(large.values()) == max(most for _, most in locations)
    assert limit("/elsewhere/") < UPLOAD


def every_view(resolver: URLResolver | None = None, before: str = "") -> Iterator[tuple[str, Any]]:
    for entry in (resolver or get_resolver()).url_patterns:
        path = before + str(entry.pattern).lstrip("^")
        if isinstance(entry, URLResolver):
            yield from every_view(entry, path)
        else:
            yield path, entry.callback
