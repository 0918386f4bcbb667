"""A title in the browser, from the norms that a worker finds to the certificate that a visitor verifies (art. 15, R40).

The worker is a process of its own, woken through a broker. On the way every page of norms and titles is without a
barrier and never scrolls sideways. What each role may do, and wrong input: tests/pages/titles/test_norm_pages.py,
test_title_pages.py.
"""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from config.celery import app
from ratings.models import Pool, RatingList
from ratings.production.answer_anomaly import answer_anomaly
from ratings.production.periods.freeze_period import ensure_period
from reporting.log.audit import Actor
from reporting.models import LogEntry, Player, Role, User
from tests.browser.conftest import check_page
from tests.people import create_user
from tests.processes.faults.fault_tools import ServiceProcesses, wait_until
from titles.models import Norm

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season"),
]

DRAFT = ("fmjd-100", date(2027, 1, 1))
OFFICE = "/office/lists/fmjd-100/2027-01-01/"


@pytest.fixture
def worker(
    environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> Any:
    """A broker and a worker on the database of the test; the web wakes them, and freezes as a demonstration today."""
    settings.DEMO = True
    processes = ServiceProcesses(tmp_path, environment)
    assert app.conf.broker_url == "memory://"  # the first reader replaces the object on which it is set
    monkeypatch.setattr(app.conf, "broker_write_url", processes.url)
    processes.start()
    yield processes
    processes.close()


def person(name: str, role: Role, federation: str | None = None) -> User:
    return create_user(f"{name.lower()}@titles.example", name, roles=[role], federation_id=federation)


def press(page: Any, button: str, **fields: str) -> None:
    for label, value in fields.items():
        page.get_by_label(label.replace("_", " ")).fill(value)
    page.get_by_role("button", name=button, exact=True).click()


def decide_norms(page: Any) -> Player:
    """The council refuses a norm and confirms the others; the player whose title this brings."""
    page.goto("/titles/norms/")
    check_page(page, "drafts", opened=True)
    page.get_by_role("link", name="100 squares").click()
    check_page(page, "norms", opened=True)
    page.get_by_role("link", name="Claim a norm").click()
    check_page(page, "claim", opened=True)
    page.go_back()
    refused = Norm.objects.filter(origin=Norm.Origin.FOUND, is_needed=True, list__in_force=DRAFT[1]).earliest(
        "pk"
    )
    page.get_by_role("row", name=f"{refused.title}: {refused.player.printed_name}").get_by_role(
        "link"
    ).click()
    check_page(page, "a norm", opened=True)
    press(page, "Refuse norm")
    expect(page.get_by_text("Enter a reason.", exact=True)).to_be_visible()
    press(page, "Refuse norm", Reason="The referee was not there in round 3.")
    expect(page.get_by_text("Refused, Clara")).to_be_visible()
    page.get_by_role("link", name="Norms of the list of").click()
    page.wait_for_load_state()
    press(page, "Select all")
    press(page, "Confirm selected")
    expect(page.get_by_text("All norms are decided.")).to_be_visible()
    # The third MF norm of this player, who had CMF only before.
    return Norm.objects.get(player__last_name="Djoumbessi", list__in_force=DRAFT[1], origin="found").player


def publish(office: Any, other: Any) -> None:
    for page, act, done in (
        (office, "Approve list", "Approved. Another person publishes the list."),
        (other, "Publish list", "Published: the list of"),
    ):
        # After the approval the worker writes the norms that were decided into the files.
        assert wait_until(
            lambda page=page, act=act: page.goto(OFFICE) and page.get_by_role("link", name=act).count()
        )
        page.get_by_role("link", name=act).click()
        check_page(page, act)
        press(page, act)
        expect(page.get_by_text(done)).to_be_visible()


def apply(page: Any, player: Player) -> str:
    """The official's way to the ledger, and one click there; the address of the application."""
    page.goto("/")
    page.get_by_role("link", name="Norms by player", exact=True).click()
    check_page(page, "ledgers", opened=True)
    page.get_by_role("link", name=player.printed_name).click()
    check_page(page, "a ledger", opened=True)
    press(page, "Apply for MF")
    expect(page.get_by_text("Application submitted.")).to_be_visible()
    return str(page.url)


def decide_application(window: Callable[..., Any], application: str, player: Player) -> str:
    """Fee, Council, General Assembly, registration, each by another person; the code of the certificate."""
    director, council, administrator = (
        window(person(name, role))
        for name, role in (
            ("Dora", Role.TOURNAMENT_DIRECTOR),
            ("Karl", Role.TITLE_COUNCIL),
            ("Ada", Role.ADMINISTRATOR),
        )
    )
    director.goto(application)
    director.get_by_role("textbox", name="Number of the payment").fill("2026/17")
    press(director, "Mark fee as paid")
    council.goto("/titles/applications/")
    check_page(council, "applications", opened=True)
    council.get_by_role("link", name=player.printed_name).click()
    check_page(council, "an application", opened=True)
    press(council, "Approve application")
    expect(council.get_by_role("row", name="Approved by the Council")).to_be_visible()
    administrator.goto(application)
    confirmation = administrator.locator("form", has=administrator.get_by_text("Record confirmation"))
    confirmation.get_by_label("Number of the minutes").fill("GA 2026, 7")
    press(administrator, "Record confirmation")
    expect(administrator.get_by_role("row", name="GA 2026, 7")).to_be_visible()
    director.goto(application)
    press(director, "Register title")
    expect(director.get_by_role("row", name="Title registered")).to_be_visible()
    return str(director.get_by_role("definition").get_by_role("link").inner_text())


def verify(page: Any, player: Player, code: str) -> None:
    """What a visitor finds: the title in the register, the certificate as a file, and its code at its address."""
    page.goto("/titles/?former=on")
    check_page(page, "titles", opened=True)
    press(page, "Show titles", Name_or_number=player.last_name)
    row = page.get_by_role("row", name=player.printed_name).filter(has_text="MF")
    row.get_by_role("link", name=code).click()
    expect(page.get_by_text("Valid.")).to_be_visible()
    check_page(page, "certificate", opened=True)
    address = page.get_by_role("link", name="Certificate as PDF").get_attribute("href")
    file = page.request.get(address)
    assert (file.headers["content-type"], file.body()[:5]) == ("application/pdf", b"%PDF-")
    page.get_by_role("link", name="Verify a certificate").click()
    changed = code[:-1] + ("A" if code[-1] != "A" else "B")
    for typed, said in (
        (code, "Valid."),
        (changed, "No certificate has this code."),
        ("T12", "Code of the certificate: A code has a letter"),
    ):
        page.goto("/titles/certificates/")
        press(page, "Verify certificate", Code_of_the_certificate=typed)
        expect(page.get_by_text(said)).to_be_visible()
    check_page(page, "wrong code", opened=True)


def test_from_the_norm_to_the_certificate(window: Callable[..., Any], worker: Any) -> None:
    officer = person("Olga", Role.RATING_OFFICER)
    ensure_period(pool=Pool.objects.get(code="fmjd-100"), in_force=DRAFT[1], by=Actor(officer))

    office = window(officer)
    office.goto(f"{OFFICE}freeze/")
    office.get_by_label("I have seen").check()
    assert wait_until(lambda: worker.count_in_log("ready.")), worker.log.read_text()[-3000:]
    press(office, "Freeze period", Reason="The congress meets before the scheduler runs.")
    expect(office.get_by_role("heading", name="Biggest movers")).to_be_visible()  # the worker has calculated

    council = window(person("Clara", Role.TITLE_COUNCIL))
    player = decide_norms(council)
    for anomaly in RatingList.objects.get(in_force=DRAFT[1]).anomalies.all():
        answer_anomaly(anomaly=anomaly, text="Checked.", by=Actor(officer))
    publish(office, window(person("Rolf", Role.RELEASING_OFFICER)))
    application = apply(window(person("Otto", Role.NATIONAL_OFFICIAL, "CMR")), player)
    code = decide_application(window, application, player)
    visitor = window()
    verify(visitor, player, code)
    norm = Norm.objects.filter(player=player, list__in_force=DRAFT[1]).earliest("pk")
    for path in (f"/players/{player.address}/", f"/titles/norms/{norm.pk}/requirements/"):
        visitor.goto(path)
        check_page(visitor, path, opened=True)

    decided = LogEntry.objects.filter(action__startswith="norm.", by_command=False)
    assert set(decided.values_list("actor__name", "action")) == {
        ("Clara", "norm.confirm"),
        ("Clara", "norm.refuse"),
    }
    # The browser logs the two answers that are no success: a missing reason, an unknown code.
    assert [error for error in council.console_errors if "400 (Bad Request)" not in error] == []
    assert [error for error in visitor.console_errors if "404 (Not Found)" not in error] == []
