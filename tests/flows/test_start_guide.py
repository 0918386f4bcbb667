"""docs/how-to/start.md, word for word: from an empty database to the first published list.

The commands and the tables are the page's own; what it says is done in the browser is done by requests.
"""

import io
import re
import shlex
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from ratings.federations.fmjd.rules.calendar import period_of, previous_period
from ratings.federations.fmjd.rules.parameters import edition_in_force
from ratings.models import Anomaly, Period, RatingList
from ratings.production.periods.freeze_period import freeze_due_periods
from ratings.tasks import look_for_work
from reporting.log.audit import Actor
from reporting.messages.one_time_links import message_link
from reporting.models import LogEntry, Message, Report, User
from reporting.reports.services.submit import submit_report
from reporting.reports.services.upload import upload_report
from tests.pages.inbox.office_reports import decide
from tests.pages.office.office_pages import as_shown

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "start.md").read_text()
COMPOSE = (ROOT / "docker-compose.yml").read_text()
PASSWORD = "a-board-of-ten-by-ten"  # noqa: S105


def blocks(language: str = "") -> list[str]:
    found = re.findall(r"^```(\w*)\n(.+?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return [block for named, block in found if named == language]


def commands() -> list[list[str]]:
    """What is typed after `office`, in the page's order."""
    lines = [line for block in blocks() for line in block.splitlines()]
    return [shlex.split(line)[1:] for line in lines if line.startswith("office ")]


def last_list_before(today: date) -> date:
    """The day in force of the list before the period that is running: what the page's day was when it was written."""
    parameters = edition_in_force(today)
    return previous_period(parameters, period_of(parameters, today)).in_force


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs a command of the page in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(command: list[str]) -> str:
        out = io.StringIO()
        call_command(*command, stdout=out)
        return out.getvalue()

    return run


def table(name: str, text: str) -> dict[str, Any]:
    """The form of a table of the page."""
    return {"file": SimpleUploadedFile(name, text.encode())}


def open_account(path: str) -> None:
    """Follow a link from a mail and set a password."""
    guest = Client()
    page = guest.get(path, follow=True)
    data = {"new_password1": PASSWORD, "new_password2": PASSWORD}
    assert guest.post(page.redirect_chain[-1][0], data)["Location"] == "/login/"


def logged_in(email: str) -> Client:
    client = Client()
    assert client.post("/login/", {"login": email, "password": PASSWORD}).status_code == 302
    return client


def steps(client: Client, path: str = "/") -> list[str]:
    return re.findall(r'class="first-step first-step--(\w+)"', client.get(path).text)


def invite(client: Client, email: str, name: str, role: str, federation: str = "") -> None:
    invitation = {"email": email, "name": name, "role": role, "federation": federation}
    assert (
        f"Invitation for {name} sent to {email}."
        in client.post("/accounts/invite/", invitation, follow=True).text
    )
    open_account(message_link(Message.objects.filter(kind="invitation").latest("pk")))


def confirm_roles(client: Client) -> int:
    """Whatever waits for this administrator's confirmation; answers how many roles."""
    waiting = re.findall(r'href="(/accounts/\d+/)#roles"', client.get("/accounts/").text)
    for account in waiting:
        confirm = re.search(r'action="(/accounts/\d+/roles/\d+/confirm/)"', client.get(account).text)
        assert confirm is not None
        assert " confirmed: " in client.post(confirm[1], follow=True).text
    return len(waiting)


def report_of(referee: User, last: date) -> Report:
    """Four players of the page's register, all against all: 10001 beats all others, 10002 beats two, 10003 one."""
    first = last - timedelta(days=2)
    players = [line.split(",") for line in blocks("csv")[0].splitlines()[1:]]
    lines = [
        "<section Info>", "name = Harbour Open", f"played from = {first:%d/%m/%Y}", f"played to = {last:%d/%m/%Y}",
        "type = ROUND", "national championship = N", "women championship = N", "name of referee = Rosalind Ferrer",
        "place = Gouda", "country = NED", "remarks = <remark></end remark>",
        f"winner = {players[0][2]} {players[0][1]}", "</end info>", "<section players>",
    ]  # fmt: skip
    for place, (fmjd_id, family, given, federation, sex, *_) in enumerate(players, 1):
        lines.append(f"{fmjd_id},{place},,{place},{2 * (4 - place)},{given},{family},{federation},,{sex}")
    lines += [
        "</end players>", "<section results>", "1,1,2,2-0", "1,3,4,2-0", "2,3,1,0-2", "2,2,4,2-0", "3,1,4,2-0",
        "3,2,3,2-0", "</end results>",
    ]  # fmt: skip
    details = f'discipline = "100"\ntime_control = "80+30"\nannounced = {(first - timedelta(days=30)).isoformat()}\n'
    uploaded = upload_report(
        content=("\n".join(lines) + "\n").encode(), filename="harbour.txt", sidecar=details.encode(),
        by=Actor(referee),
    )  # fmt: skip
    findings = enumerate(uploaded.matching.findings)
    comments = {place: "As it was announced." for place, finding in findings if finding.severity == "warning"}
    return submit_report(report=uploaded.report, comments=comments, by=Actor(referee))


def load_register_and_opening_list(administrator: Client, officer: Client, releaser: Client) -> date:
    """Sections 4 and 5, with the tables of the page; answers the day of the list."""
    register, opening = blocks("csv")
    checked = administrator.post(
        "/office/players/import/", table("register.csv", register) | {"register": "fmjd"}, follow=True
    )
    digest = re.search(r'name="seen" value="(\w+)"', checked.text)
    assert digest is not None
    confirmed = {"seen": digest[1], "action": "import"}
    assert (
        "4 players created" in administrator.post(checked.redirect_chain[-1][0], confirmed, follow=True).text
    )
    day = last_list_before(timezone.localdate())
    opening_page = "/office/pools/fmjd-100/opening/"
    administrator.post(opening_page, table("opening.csv", opening) | {"in_force": day.isoformat()})
    look_for_work()
    first_draft = RatingList.objects.get()
    for signs, act in ((officer, "approve"), (releaser, "publish")):
        assert signs.post(f"{opening_page}{act}/", {"sha256": first_draft.sha256}).status_code == 302
    return day


def the_closing_date_passes(period: Period) -> None:
    """What the weeks until then do: yesterday was the closing date."""
    today = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    Period.objects.filter(pk=period.pk).update(
        closing=today.date() - timedelta(days=1), played_since=today - timedelta(days=90), played_before=today
    )


@pytest.mark.django_db(transaction=True)
def test_from_nothing_to_the_first_published_list(office: Any, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.OFFICE_URL = "https://ratings.example.org"
    administrator, verify = commands()
    assert [command[0] for command in (administrator, verify)] == ["create_administrator", "verify_lists"]
    look_for_work()
    assert steps(Client()) == ["next", "done", "done", *["later"] * 5]

    # 2. Two administrators
    links = re.findall(r"https://ratings\.example\.org(/\S+)", office(administrator))
    assert len(links) == 2
    for link in links:
        open_account(link)
    ada, bo = logged_in(administrator[1]), logged_in(administrator[3])

    # 3. The people
    invite(ada, "ruth@example.org", "Ruth Abara", "rating_officer")
    invite(ada, "leo@example.org", "Leo Sandrin", "releasing_officer")
    invite(ada, "nils@example.org", "Nils Offerman", "national_official", "NED")
    assert steps(ada, "/office/")[3] == "next", "they are not confirmed yet"
    assert confirm_roles(bo) == 2
    invite(logged_in("nils@example.org"), "rosalind@example.org", "Rosalind Ferrer", "referee", "NED")
    assert steps(ada, "/office/") == [*["done"] * 4, "next", *["later"] * 3]
    ruth, leo = logged_in("ruth@example.org"), logged_in("leo@example.org")

    # 4. and 5. Register and opening list
    day = load_register_and_opening_list(ada, ruth, leo)
    assert "2410" in Client().get(f"/lists/fmjd-100/{day}/").text
    assert steps(ada, "/office/") == [*["done"] * 6, "next", "later"]

    # 6. The first quarter: the scheduler opens the period
    freeze_due_periods()
    assert steps(ada, "/office/") == [*["done"] * 7, "next"]
    period = Period.objects.get()
    period_page = f"/office/lists/fmjd-100/{period.in_force}/"
    referee = User.objects.get(email="rosalind@example.org")
    report = report_of(referee, timezone.localdate() - timedelta(days=1))
    assert steps(ada, "/office/") == [], "the first report is there"
    accepted = ruth.get(decide(ruth, report, "accept")["Location"])
    assert "Report accepted. The referee gets a message." in accepted.text
    freeze = f"{period_page}freeze/"
    early = ruth.post(freeze, as_shown(ruth, freeze, reason="Too early", seen="on"))
    assert (early.status_code, "The period can be frozen from the following day." in early.text) == (
        409,
        True,
    )
    the_closing_date_passes(period)
    frozen = ruth.post(freeze, as_shown(ruth, freeze, reason="The first quarter", seen="on"), follow=True)
    assert "Frozen with 1 report." in frozen.text
    look_for_work()
    draft = RatingList.objects.get(period=period, state=RatingList.State.READY)
    for anomaly in Anomaly.objects.filter(list=draft):
        ruth.post(f"{period_page}anomalies/{anomaly.pk}/", {"text": "As it was played."})
    for signs, act in (
        (leo, "approve"),
        (ruth, "approve"),
        (ruth, "publish"),
        (ada, "publish"),
        (leo, "publish"),
    ):
        signs.post(f"{period_page}{act}/", {"sha256": draft.sha256})
    published = RatingList.objects.get(period=period, state=RatingList.State.PUBLISHED)
    assert (published.approved_by.name, published.published_by.name) == ("Ruth Abara", "Leo Sandrin")
    public = Client().get(f"/lists/fmjd-100/{period.in_force}/").text
    assert "Roelvink, Matthijs" in public
    assert "1994" in public
    assert "1994-05-02" not in public
    assert "no differences" in office(verify)

    # Every act is in the log
    log = ada.get("/office/log/", {"words": "Abara"}).text
    for words in ("Report accepted", "Period frozen", "List approved"):
        assert words in log
    assert LogEntry.objects.filter(by_command=True, action="account.invite").count() == 2


def test_the_settings_of_the_page_are_those_of_the_containers() -> None:
    (settings,) = (block for block in blocks() if "SECRET_KEY=" in block)
    names = re.findall(r"^([A-Z_]+)=", settings, re.MULTILINE)
    with_a_default = {
        "HTTP_PORT", "HTTPS_PORT", "BACKUPS", "WEB_WORKERS", "FIRST_REPORTS", "OFFICE_NAME", "SECRET_KEY_FALLBACKS",
        "DATA_LICENCE", "DATA_LICENCE_URL", "DATA_ATTRIBUTION", "CONTACT_EMAIL",  # docs/how-to/api.md
        "SIGNATURES_COPY",  # docs/how-to/verify.md
        "METRICS_BIND",  # docs/how-to/operation.md
    }  # fmt: skip
    assert set(names) == set(re.findall(r"\$\{([A-Z_]+):[-?]", COMPOSE)) - with_a_default
    for name in names:
        assert PAGE.count(name) > 1 or name.endswith("_PASSWORD"), f"{name} is explained"


def test_the_pools_of_the_page_are_those_there_are(db: None) -> None:
    from ratings.models import Pool

    assert set(re.findall(r"`((?:fmjd-|knsb-|iccf)[a-z0-9-]*)`", PAGE)) == set(
        Pool.objects.values_list("code", flat=True)
    )


def test_the_pages_it_leads_to_are_there() -> None:
    for path in re.findall(r"\]\(([^)#]+)\)", PAGE):
        assert (ROOT / "docs" / "how-to" / path).is_file(), path
