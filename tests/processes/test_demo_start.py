"""`make demo` for real: one process that brings the office up, and takes it down again."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from http.cookiejar import CookieJar
from pathlib import Path
from typing import ClassVar
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, HTTPRedirectHandler, Request, build_opener, urlopen

import psycopg
import pytest
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from config.demo.accounts import ACCOUNTS, DEMO_PASSWORD
from config.demo.tour.steps import TOURNAMENT
from config.embedded import servers
from config.embedded.broker_server import Broker
from config.embedded.postgres_server import Postgres
from ratings.federations.fmjd.recompute import main as recompute
from reporting.models import Role
from tests.concurrency import wait_until
from tests.ports import free_ports
from tests.visitor import Visitor, text_of
from titles.rules.lifecycle import ApplicationState

ROOT = Path(__file__).resolve().parent.parent.parent
ONE_WEB_WORKER = {"WEB_WORKERS": "1"}  # only the start with the season has as many as the office


def living_processes_that_name(text: str) -> list[str]:
    """Children carry the directory in their environment or command line; zombies have neither."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and int(process.name) != os.getpid():
            try:
                command = (process / "cmdline").read_bytes().replace(b"\0", b" ")
                if text.encode() in command + (process / "environ").read_bytes():
                    found.append(command.decode())
            except OSError:
                continue
    return found


class Demo:
    """`manage.py demo` in a process of its own, as the Makefile starts it."""

    started: ClassVar[list["Demo"]] = []

    def __init__(self, var: Path, environment: dict[str, str], *options: str) -> None:
        (self.port,) = free_ports(1)
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "demo", "--port", str(self.port), *options],
            cwd=ROOT,
            env=environment | {"RATING_OFFICE_VAR": str(var), "DEMO": "1"},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, process_group=0,
        )  # fmt: skip
        self.started.append(self)

    def wait_until_ready(self) -> str:
        return self.wait_for("Ready after")

    def wait_for(self, words: str) -> str:
        """Its output up to the line that begins with these words."""
        output = ""
        for line in self.process.stdout:
            output += line
            if line.startswith(words):
                return output
        raise AssertionError(f"the demo ended before it said {words!r}:\n{output}")

    def get(self, path: str) -> tuple[int, str]:
        with urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=20) as answer:
            page = answer.read().decode()  # without the port, which is another one at each start
        return answer.status, page.replace(f":{self.port}/", "/").replace(f"%3A{self.port}%2F", "%2F")

    def answers(self, path: str) -> bool:
        try:
            return self.get(path)[0] == 200
        except OSError:
            return False

    def ctrl_c(self) -> int:
        """As a terminal does it: to the whole process group."""
        os.killpg(self.process.pid, signal.SIGINT)
        self.process.communicate(timeout=60)
        return self.process.returncode


def refusal(var: Path, environment: dict[str, str], port: int) -> str:
    run = subprocess.run(
        [sys.executable, "manage.py", "demo", "--port", str(port)],
        cwd=ROOT,
        env=environment | {"RATING_OFFICE_VAR": str(var), "DEMO": "1"},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert run.returncode == 1
    return run.stderr


class Answer:
    """An answer as Django's test client gives it."""

    def __init__(self, response) -> None:
        self.status_code, self.headers, self.content = response.status, response.headers, response.read()

    def __getitem__(self, name: str) -> str:
        return self.headers[name]


class WithoutRedirect(HTTPRedirectHandler):
    def redirect_request(self, *_) -> None:
        return None  # the visitor follows


class Window:
    """Django's test client over the network, with the cookies of one window."""

    def __init__(self, demo: Demo) -> None:
        self.base = f"http://127.0.0.1:{demo.port}"
        self.opener = build_opener(HTTPCookieProcessor(CookieJar()), WithoutRedirect)

    def get(self, path: str) -> Answer:
        return self.ask(Request(self.base + path))  # noqa: S310 - our own server

    def post(self, path: str, data, content_type: str = MULTIPART_CONTENT) -> Answer:
        body = encode_multipart(BOUNDARY, data) if content_type == MULTIPART_CONTENT else data.encode()
        return self.ask(Request(self.base + path, data=body, headers={"Content-Type": content_type}))  # noqa: S310

    def ask(self, request: Request) -> Answer:
        try:
            return Answer(self.opener.open(request, timeout=20))
        except HTTPError as error:
            return Answer(error)


def visitor_of(demo: Demo, role: Role | None = None) -> Visitor:
    """A window of the demonstration; with a role its person is logged in, by password."""
    visitor = Visitor()
    visitor.client = Window(demo)
    if role:
        visitor.open("/login/")
        visitor.fill("E-mail address", ACCOUNTS[role][0])
        visitor.fill("Password", DEMO_PASSWORD)
        visitor.press("Log in", exact=True)
    return visitor


FORM = "application/x-www-form-urlencoded"
INBOX, DASHBOARD = "/office/reports/", "/office/"
HOORN = "link:Hoorn Harbour Open"
STATES = {
    "movers of 100 squares": (None, ["/lists/fmjd-100/"], r" \+\d+ .* −\d+ "),
    "movers of 64 squares": (None, ["/lists/fmjd-64/"], r" \+\d+ .* −\d+ "),
    "movers of rapid-blitz": (None, ["/lists/fmjd-100-rapidblitz/"], r" \+\d+ .* −\d+ "),
    "movers of 64 squares rapid-blitz": (None, ["/lists/fmjd-64-rapidblitz/"], r" \+\d+ .* −\d+ "),
    "a corrected list": (None, ["/lists/"], r"100 squares, rapid-blitz Changes in revision 2"),
    "norms to decide": (Role.TITLE_COUNCIL, ["/titles/norms/"], r"64 squares"),
    "a list to approve": (
        Role.RATING_OFFICER, [DASHBOARD], r"100 squares, rapid-blitz State Waiting for approval",
    ),
    "a list to publish": (
        Role.RELEASING_OFFICER, [DASHBOARD], r"64 squares, rapid-blitz State Waiting for publication",
    ),
    "a returned report": (
        Role.REFEREE, ["/reports/", "link:Alkmaar Club Masters"], r"The organiser’s page has another winner",
    ),
    "a late report": (Role.TOURNAMENT_DIRECTOR, [INBOX], r"Hoorn Harbour Open .* 7 days late"),
    "a look-alike": (Role.TOURNAMENT_DIRECTOR, [INBOX, HOORN], r"no FMJD-ID here, but looks like a registered"),
    "newcomers": (Role.TOURNAMENT_DIRECTOR, [INBOX, HOORN], r"3 players are not in the register"),
    "overdue reports": (Role.TOURNAMENT_DIRECTOR, [INBOX], r"8 days late .* Harbour Cities Cup .* 5 days late"),
    "a tournament twice": (
        Role.TOURNAMENT_DIRECTOR, [INBOX, "row:Nils Offerman"], r"This looks like .* which has been reported",
    ),
    "a merge done": (Role.TOURNAMENT_DIRECTOR, ["/office/log/?words=same+name"], r"Same name, same club"),
    "a merge to do": (
        Role.TOURNAMENT_DIRECTOR, ["/office/players/?q={duplicate}"],
        r"{duplicate}, .*{original}, .* spelt alike",
    ),
    "an open request": (Role.TOURNAMENT_DIRECTOR, ["/office/requests/"], r"My win of the last round"),
    "an answered request": (
        Role.TOURNAMENT_DIRECTOR, ["/office/requests/?state=answered"], r"My rating falls although",
    ),
    "an invitation": (Role.NATIONAL_OFFICIAL, ["/accounts/"], r"Wieke Nieuwland .* Invited"),
}  # fmt: skip
"""State of the office → who sees it, the way to its page (an address, then links), and what is read there."""


def check_states(demo: Demo, duplicate: str) -> None:
    windows: dict[Role | None, Visitor] = {}
    for state, (role, way, text) in STATES.items():
        if role not in windows:
            windows[role] = visitor_of(demo, role)
        visitor = windows[role]
        address, *links = way
        visitor.open(address.replace("{duplicate}", duplicate))
        for link in links:
            kind, name = link.split(":")
            if kind == "row":
                row = next(row for row in visitor.page.iter("tr") if name in text_of(row))
                visitor.open(visitor.links(within=row)[0].attrib["href"])
            else:
                visitor.open_link(name)
        wanted = text.replace("{duplicate}", duplicate).replace("{original}", duplicate[:-1])
        assert re.search(wanted, visitor.text), (state, visitor.address, visitor.text)


def banner(visitor: Visitor) -> str:
    (strip,) = (each for each in visitor.page.iter("aside") if each.get("class") == "demo-person")
    return text_of(strip)


def walk_the_seven_steps(demo: Demo) -> None:
    """By the button of each step; the password is never typed. Each step ticks itself."""
    visitor = visitor_of(demo)
    assert visitor.client.post("/demo/", "step=report", FORM).status_code == 403  # without its token

    def take_step(number: int, button: str) -> None:
        visitor.open("/demo/")
        states = [text_of(tag) for tag in visitor.page.iter("span") if tag.get("class", "").startswith("tag")]
        assert states == ["Done"] * (number - 1) + ["Next"] + ["To come"] * (7 - number)
        visitor.press(button)

    visitor.open("/demo/")
    assert banner(visitor) == "You are a visitor without account Demonstration in seven steps"
    (file,) = (link.attrib["href"] for link in visitor.links("report file", exact=True))
    content = visitor.client.get(file).content

    take_step(1, "Log in as Rosalind Ferrer and open the upload")
    assert banner(visitor) == "You are Rosalind Ferrer, Referee Demonstration in seven steps"
    visitor.attach("Report file", "report.txt", content)
    visitor.press("Upload report")
    assert "No errors in the file Ready to submit once you have commented on each warning." in visitor.text

    take_step(2, "Log in as Rosalind Ferrer and open the report")
    visitor.open_link("Next: Preview")
    visitor.open_link("Next: Submission")
    visitor.fill("Comment on", "The register is right: a typing error of the file.")
    visitor.press("Submit report")

    take_step(3, "Log in as Tomas Direk and open the review")
    visitor.press("Accept report")

    take_step(4, "Log in as Ruth Abara and open the period")
    visitor.open_link("Freeze period")
    visitor.fill("Reason", "A walk through the demonstration.")
    visitor.check("I have seen")
    visitor.press("Freeze period")

    def is_calculated() -> bool:
        visitor.open("/demo/")
        return bool(visitor.buttons("Log in as Ruth Abara and open the draft"))

    assert wait_until(is_calculated)
    take_step(5, "Log in as Ruth Abara and open the draft")
    while unanswered := [
        each for each in visitor.page.iter("section") if "callout--warn" in each.get("class", "")
    ]:
        visitor.fill("Answer, stored", "It counts in the next list.", within=unanswered[0])
        visitor.press("Save answer", within=unanswered[0])
    visitor.open_link("Approve list", exact=True)
    visitor.press("Approve list")

    take_step(6, "Log in as Leo Sandrin and open the approved list")
    visitor.open_link("Publish list", exact=True)
    visitor.press("Publish list")

    take_step(7, "Log out and open the published list")
    assert "Approved by Ruth Abara" in visitor.text
    assert TOURNAMENT in visitor.client.get(f"{visitor.address}tournaments/").content.decode()
    # The period was frozen early: the list prints its own closing date, and no figure of it differs.
    assert recompute(f"http://127.0.0.1:{demo.port}{visitor.address}") == 0
    visitor.open("/demo/")
    assert "Verified now: files, signatures and histories of" in visitor.text
    assert visitor.buttons("Log in as") == []


def compare_rules_at_a_click(demo: Demo) -> None:
    """Without log-in: the button makes the visitor the rating officer."""
    visitor = visitor_of(demo)
    visitor.open("/demo/")
    visitor.press("Open the comparison as Ruth Abara")
    assert visitor.address == "/office/compare-rules/?pool=fmjd-100&lists=3&with=iccf"
    assert "100 squares, classical by the rules of ICCF." in visitor.text
    assert "A player without a rating has the level of a friendly match, 1800 (item 11)." in visitor.text
    assert "Players with the largest differences" in visitor.text
    assert banner(visitor) == "You are Ruth Abara, Rating officer Demonstration in seven steps"


def outlive_a_silent_database(demo: Demo, var: Path) -> None:
    """One that lives and does not answer for seven seconds: pg_isready gives up after three."""
    postmaster = int(Path(Postgres(var, durable=True).data, "postmaster.pid").read_text().split()[0])
    os.kill(postmaster, signal.SIGSTOP)
    time.sleep(7)
    os.kill(postmaster, signal.SIGCONT)
    assert demo.process.poll() is None
    assert wait_until(lambda: demo.answers("/players/"))


@pytest.fixture(scope="module")
def installation():
    folder = Path(tempfile.mkdtemp(prefix="office-"))
    yield folder / "var"
    servers.remove(folder / "var")
    shutil.rmtree(folder)


@pytest.fixture
def var(installation):
    yield installation
    for demo in Demo.started:
        demo.process.kill()  # does nothing where the test came to its end
        demo.process.wait(20)
    Demo.started.clear()
    wait_until(lambda: not living_processes_that_name(str(installation)))


# One installation, started four times, because a start takes long: interrupted, empty, with the season, again.


def test_an_empty_office_goes_on_after_sigterm_and_ends_on_ctrl_c(var, environment):
    interrupted = Demo(var, environment, "--empty")
    interrupted.wait_for("  database")
    interrupted.process.terminate()
    output, _ = interrupted.process.communicate(timeout=60)
    assert interrupted.process.returncode == 0
    assert "Stopped." in output
    assert living_processes_that_name(str(var)) == []

    demo = Demo(var, environment | ONE_WEB_WORKER, "--empty")
    demo.wait_until_ready()
    assert demo.get("/ready/") == (200, "ready\n")
    assert "First steps" in demo.get("/")[1]
    assert demo.ctrl_c() == 0
    assert wait_until(lambda: living_processes_that_name(str(var)) == [])
    assert refusal(var, environment, free_ports(1)[0]).startswith(
        "CommandError: The office that is here has no season."
    )


def test_the_demo_outlives_a_dead_broker_and_a_kill_and_ends_with_a_dead_child(var, environment):
    def broker():
        return (var / "broker/pid").read_text().strip()

    demo = Demo(var, environment, "--reset")
    output = demo.wait_until_ready()
    assert "first start of the day" in output
    assert re.search(r"database +\d+\.\d s\n", output)
    assert demo.get("/")[0] == 200
    status, lists = demo.get("/lists/fmjd-100/")
    assert status == 200
    assert "Tulip Weekend" in demo.get("/tournaments/calendar/")[1]  # announced, still to come

    # Norms and titles in every state, by the accounts of the demonstration.
    host = str(Postgres(var, durable=True).socket_directory)
    with psycopg.connect(host=host, user="postgres", dbname="postgres") as office:
        states = office.execute("select distinct state from titles_titleapplication").fetchall()
        decided = office.execute(
            "select distinct account.name, action, by_command from reporting_logentry"
            " join reporting_user account on account.id = actor_id where action like 'norm.%' order by 2"
        ).fetchall()
        ((duplicate,),) = office.execute(
            "select copy.last_name from reporting_player copy join reporting_player other on"
            " copy.last_name = other.last_name || right(other.last_name, 1) and copy.first_name = other.first_name"
            " where copy.id not in (select duplicate_id from reporting_playermerge)"
        ).fetchall()
    assert {state for (state,) in states} == {str(state) for state in ApplicationState}
    assert decided == [("Clara Tielman", f"norm.{act}", False) for act in ("claim", "confirm", "refuse")]

    check_states(demo, duplicate)
    compare_rules_at_a_click(demo)
    walk_the_seven_steps(demo)
    administrator = visitor_of(demo, Role.ADMINISTRATOR)
    administrator.open("/accounts/security/")
    assert re.search(r"Logged in .*Leo Sandrin.* Logged in .*Ruth Abara", administrator.text)
    status, lists = demo.get("/lists/fmjd-100/")

    dead = broker()
    os.kill(int(dead), signal.SIGKILL)
    assert wait_until(lambda: broker() not in {"", dead})
    assert Broker(var).is_alive()
    assert demo.get("/ready/") == (200, "ready\n")

    # A killed database is a 503 on every page, and is started again. No restart of the web would help.
    os.kill(
        int(Path(Postgres(var, durable=True).data, "postmaster.pid").read_text().split()[0]),
        signal.SIGKILL,
    )
    with pytest.raises(HTTPError) as away:
        demo.get("/players/")
    assert (away.value.status, away.value.headers["Retry-After"]) == (503, "10")
    assert "The database does not respond." in away.value.read().decode()
    assert demo.get("/health/") == (200, "well\n")
    demo.process.send_signal(signal.SIGCONT)
    assert wait_until(lambda: demo.answers("/players/") and demo.answers("/ready/"))

    outlive_a_silent_database(demo, var)
    demo.process.kill()  # the supervisor takes its children along
    demo.process.communicate(timeout=60)
    again = Demo(var, environment | ONE_WEB_WORKER)
    assert "season" not in again.wait_until_ready()
    assert again.get("/ready/") == (200, "ready\n")
    assert again.get("/lists/fmjd-100/") == (status, lists)

    children = Path(f"/proc/{again.process.pid}/task/{again.process.pid}/children").read_text().split()
    (web,) = (pid for pid in children if b"gunicorn" in Path(f"/proc/{pid}/cmdline").read_bytes())
    os.kill(int(web), signal.SIGKILL)
    output, _ = again.process.communicate(timeout=60)
    assert again.process.returncode == 1
    assert "The web process ended by itself" in output
    assert living_processes_that_name(str(var)) == []


def test_a_busy_port_is_refused_with_one_sentence(tmp_path, environment):
    var = tmp_path / "var"
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        refused = refusal(var, environment, port)
    assert refused.startswith(f"CommandError: Port {port} is busy")
    assert "Traceback" not in refused
    assert not (var / "postgres.lock").exists()
