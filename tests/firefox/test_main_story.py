"""The main story in Debian's Firefox ESR, with script: upload, details, submission, acceptance, the public list, zoom.

Firefox is driven by WebDriver BiDi, the W3C's protocol, which it speaks by itself: Playwright drives only a Firefox of
its own. `make test-firefox` runs this; all other questions to a page are asked in Chromium, in tests/browser.
"""

import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from websockets.sync.client import ClientConnection, connect

from reporting.models import Report, Role, User
from tests.people import create_user
from tests.round_robins import announce_riverside, faulty_file

FIREFOX = shutil.which("firefox-esr")
PATIENCE = 60  # seconds; a machine may be busy, nothing is judged by time here
pytestmark = [
    pytest.mark.skipif(FIREFOX is None, reason="no Firefox ESR here: `apt install firefox-esr`"),
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season"),
]


class Firefox:
    """One tab. Elements are found by role and name, as a screen reader finds them; texts are waited for.

    `errors` is what Firefox complains of in its console, also what the content security policy refused.
    """

    def __init__(self, socket: ClientConnection, server: str) -> None:
        self.socket, self.server, self.number = socket, server, 0
        self.errors: list[str] = []
        self.send("session.new", capabilities={})
        self.tab = self.send("browsingContext.getTree")["contexts"][0]["context"]
        self.send("session.subscribe", events=["log.entryAdded"])

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """The answer to a command. Raises RuntimeError with Firefox's own words where it refuses."""
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": params}))
        while True:
            answer = json.loads(self.socket.recv(timeout=PATIENCE))
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self.errors.append(str(answer["params"]["text"]))
            if answer.get("id") == self.number:
                if answer["type"] == "error":
                    raise RuntimeError(f"{method}: {answer['error']}: {answer['message']}")
                return dict(answer["result"])

    def log_in(self, person: User) -> None:
        client, name = Client(), settings.SESSION_COOKIE_NAME
        client.force_login(person)
        value = {"type": "string", "value": client.cookies[name].value}
        cookie = {"name": name, "value": value, "domain": urlsplit(self.server).hostname}
        self.send("storage.setCookie", cookie=cookie)

    def open(self, path: str) -> None:
        self.send("browsingContext.navigate", context=self.tab, url=self.server + path, wait="complete")

    def evaluate(self, expression: str) -> Any:
        answer = self.send(
            "script.evaluate", expression=expression, target={"context": self.tab}, awaitPromise=True
        )
        assert answer["type"] == "success", answer
        return answer["result"].get("value")

    def wait_for(self, text: str) -> str:
        """The text of the page once it has this one."""
        shown, end = None, time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                shown = self.evaluate("document.readyState == 'complete' && document.body.innerText")
            except RuntimeError:  # the next page is on its way
                shown = None
            if shown and text in shown:
                return str(shown)
            time.sleep(0.1)
        raise AssertionError(f"{self.evaluate('location.href')} has no “{text}”: {shown}")

    def find(self, role: str, name: str) -> dict[str, Any]:
        """The first element of this role and exact name, scrolled to the middle of the window."""
        locator = {"type": "accessibility", "value": {"role": role, "name": name}}
        nodes = self.send("browsingContext.locateNodes", context=self.tab, locator=locator)["nodes"]
        assert nodes, (role, name, self.evaluate("location.href"))
        return self.scroll_to({"sharedId": nodes[0]["sharedId"]})

    def find_all(self, selector: str) -> list[dict[str, Any]]:
        locator = {"type": "css", "value": selector}
        nodes = self.send("browsingContext.locateNodes", context=self.tab, locator=locator)["nodes"]
        return [{"sharedId": node["sharedId"]} for node in nodes]

    def scroll_to(self, element: dict[str, Any]) -> dict[str, Any]:
        scroll = "element => element.scrollIntoView({block: 'center', behavior: 'instant'})"
        self.send(
            "script.callFunction", functionDeclaration=scroll, arguments=[element], awaitPromise=False,
            target={"context": self.tab},
        )  # fmt: skip
        return element

    def click(self, element: dict[str, Any]) -> None:
        """By the mouse, in the middle of the element."""
        move = {"type": "pointerMove", "x": 0, "y": 0, "origin": {"type": "element", "element": element}}
        press = [{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp")]
        mouse = {"type": "pointer", "id": "mouse", "actions": [move, *press]}
        self.send("input.performActions", context=self.tab, actions=[mouse])

    def drag(self, element: dict[str, Any], start: int, end: int) -> None:
        """By the mouse, from one place to another on the height of the middle: pixels right of it."""
        origin = {"type": "element", "element": element}
        first, last = ({"type": "pointerMove", "x": x, "y": 0, "origin": origin} for x in (start, end))
        down, up = ({"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp"))
        mouse = {"type": "pointer", "id": "mouse", "actions": [first, down, last, up]}
        self.send("input.performActions", context=self.tab, actions=[mouse])

    def type(self, element: dict[str, Any], text: str) -> None:
        """By the keyboard, into a field that was clicked."""
        self.click(self.scroll_to(element))
        keys = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        keyboard = {"type": "key", "id": "keyboard", "actions": keys}
        self.send("input.performActions", context=self.tab, actions=[keyboard])


@pytest.fixture
def firefox(tmp_path: Path, live_server: Any) -> Iterator[Firefox]:
    """Firefox writes into its profile where it listens."""
    assert FIREFOX
    profile = tmp_path / "profile"
    profile.mkdir()
    command = [
        FIREFOX,
        "--headless",
        "--no-remote",
        "--profile",
        str(profile),
        "--remote-debugging-port",
        "0",
    ]
    with (tmp_path / "firefox.log").open("w") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        address = wait_for_address(profile / "WebDriverBiDiServer.json", process)
        with connect(f"{address}/session", max_size=None) as socket:
            yield Firefox(socket, live_server.url)
    finally:
        process.terminate()
        process.wait(PATIENCE)


def wait_for_address(file: Path, process: "subprocess.Popen[bytes]") -> str:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        with suppress(OSError, ValueError):  # not there yet, or half written
            place = json.loads(file.read_text())
            return f"ws://{place['ws_host']}:{place['ws_port']}"
        time.sleep(0.1)
    raise AssertionError("Firefox does not listen: see firefox.log in the folder of this test.")


def corrected_file(folder: Path) -> Path:
    """The report of four players without its three errors."""
    first = timezone.localdate() - timedelta(days=4)
    content = faulty_file().decode().replace("3-0", "2-0").replace(",1,,1,5,", ",1,,1,6,")
    file = folder / "riverside.txt"
    file.write_text(re.sub("31/02/[0-9]{4}", f"{first:%d/%m/%Y}", content))
    return file


def upload_and_submit(firefox: Firefox, file: Path) -> None:
    firefox.open("/reports/")
    firefox.click(firefox.find("link", "Upload report of Riverside Open"))
    firefox.wait_for("Version 1 is kept exactly as uploaded")
    (field,) = firefox.find_all("input[type=file]")
    firefox.send("input.setFiles", context=firefox.tab, element=field, files=[str(file)])
    firefox.click(firefox.find("button", "Upload report"))
    assert "0 errors" in firefox.wait_for("riverside.txt")
    firefox.click(firefox.find("link", "Details , done"))
    firefox.wait_for("Save details")
    firefox.type(firefox.find("textbox", "Main referee"), "Pieter Ostrava")
    firefox.click(firefox.find("button", "Save details"))
    firefox.wait_for("Saved as version 2")
    firefox.click(firefox.find("link", "Next: Preview"))
    firefox.wait_for("Crosstable by rounds")
    firefox.click(firefox.find("link", "Next: Submission"))
    firefox.wait_for("Submit report")
    for box in firefox.find_all("main textarea"):
        firefox.type(box, "As announced.")
    firefox.click(firefox.find("button", "Submit report"))
    firefox.wait_for("Report submitted")


def test_a_report_is_submitted_and_accepted_and_the_list_is_read(firefox: Firefox, tmp_path: Path) -> None:
    referee = create_user("pieter@example.org", "Pieter Ostrava", roles=[Role.REFEREE])
    director = create_user("tomas@example.org", "Tomas Direk", roles=[Role.TOURNAMENT_DIRECTOR])
    announce_riverside(referee)
    firefox.log_in(referee)
    upload_and_submit(firefox, corrected_file(tmp_path))
    report = Report.objects.get(submitted_by=referee)
    assert report.state == "submitted"

    firefox.log_in(director)
    firefox.open(f"/office/reports/{report.pk}/")
    firefox.click(firefox.find("button", "Accept report"))
    firefox.wait_for("Undo acceptance")
    report.refresh_from_db()
    assert report.state == "accepted"

    firefox.send("storage.deleteCookies")
    firefox.open("/")
    assert "Log in" in firefox.wait_for("Next closing date")
    (players, *_) = firefox.find_all("a[href='/lists/fmjd-100/']")
    firefox.click(firefox.scroll_to(players))
    firefox.wait_for("SHA-256 of the figures")
    firefox.evaluate("window.isSamePage = true")
    (search,) = firefox.find_all("#q")
    firefox.type(search, "18641")
    assert "Pang, Mingzhe" in firefox.wait_for("rows 1 to 1 of 1")
    assert firefox.evaluate("window.isSamePage"), "the rows change in the page"
    assert firefox.errors == []


def test_a_part_of_a_history_is_chosen_by_dragging(firefox: Firefox) -> None:
    """From a third of the drawing left of its middle to a third right of it: the second and third of four lists."""
    firefox.open("/players/10633/")
    firefox.wait_for("List of1 Oct 2026")
    (drawing,) = firefox.find_all(".u-over")
    width = firefox.evaluate("document.querySelector('.u-over').clientWidth")
    firefox.drag(firefox.scroll_to(drawing), -width // 3, width // 3)
    firefox.wait_for("List of1 Jul 2026")
    assert firefox.evaluate("location.search") == "?from=2026-04-01&to=2026-07-01"
    assert firefox.errors == []
