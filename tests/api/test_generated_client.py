"""A client that openapi-python-client writes from the OpenAPI file reads what is published, and sends reports."""

import importlib
import inspect
import subprocess
import sys
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import call_command
from pytest_django.live_server_helper import LiveServer

from reporting.models import Report, Role, User
from reporting.reports.views.check_file import example_file
from tests.people import create_federation, create_user
from tests.program import Program

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("web"),
    pytest.mark.usefixtures("season_shared", "cleared_rate_limits"),
]

PACKAGE = "office_client"


def test_it_is_written_without_a_warning(tmp_path: Path) -> None:
    """Also with the settings that the generator has by itself, where each value of an enum needs a name."""
    write(tmp_path, "")


def write(folder: Path, settings: str) -> None:
    """Write the package into a folder; a warning is a failure."""
    document = folder / "openapi.json"
    call_command("spectacular", "--format", "openapi-json", "--file", str(document), "--api-version", "1")
    (folder / "settings.yaml").write_text(f"post_hooks: []\n{settings}")
    program = Path(sys.executable).parent / "openapi-python-client"
    done = subprocess.run(
        [
            program, "generate", "--path", "openapi.json", "--config", "settings.yaml", "--meta", "none",
            "--output-path", PACKAGE, "--fail-on-warning",
        ],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, "warning" in done.stdout.lower()) == (0, False), done.stdout + done.stderr


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The package, written without a warning: `Client`, `AuthenticatedClient`, its endpoints and bodies by name."""
    folder = tmp_path_factory.mktemp("written")
    write(folder, "literal_enums: true\n")

    def module(name: str) -> Any:
        return importlib.import_module(f"{PACKAGE}.{name}")

    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        yield SimpleNamespace(
            Client=module("client").Client, AuthenticatedClient=module("client").AuthenticatedClient,
            File=module("types").File, endpoint=module, models=module("models"),
        )  # fmt: skip


def test_it_lists_and_filters_without_a_token(written: Any, live_server: LiveServer) -> None:
    reader = written.Client(base_url=live_server.url, raise_on_unexpected_status=True)
    entries = written.endpoint("api.lists.list_entries")
    asked_for = inspect.signature(entries.sync).parameters["client"].annotation
    assert asked_for == written.AuthenticatedClient | written.Client, "a token is not needed"
    in_force = written.endpoint("api.lists.retrieve_list_in_force").sync("fmjd-100", client=reader)
    assert in_force.in_force.isoformat() == "2026-10-01"
    page = entries.sync(
        "fmjd-100", in_force.in_force, in_force.revision, client=reader, variant="women", federation="NED", limit=3,
    )  # fmt: skip
    assert [(row.sex, row.federation) for row in page.results] == [("W", "NED")] * 3
    ratings = [row.rating for row in page.results]
    assert ratings == sorted(ratings, reverse=True)
    refused = written.endpoint("api.lists.retrieve_list_in_force").sync("fmjd-11", client=reader)
    assert refused.code == "not_found"


def test_it_reads_history_games_and_changes_as_typed_values(written: Any, live_server: LiveServer) -> None:
    reader = written.Client(base_url=live_server.url, raise_on_unexpected_status=True)

    def read(endpoint: str, *parts: Any, **query: Any) -> Any:
        return written.endpoint(f"api.{endpoint}").sync(*parts, client=reader, **query)

    history = read("players.list_player_history", "13368")
    last = history[-1]
    assert last.in_force == date(2026, 10, 1)
    explained = read("players.retrieve_rating_explanation", "13368", last.pool, last.in_force)
    (change,) = explained.changes
    figures = change.figures
    assert isinstance(figures, written.models.FmjdFigures)
    # Art. 3.2: K by its percentage, times W less We, of which a win is 2.
    exact = figures.k * figures.development / 100 * (figures.points - figures.we) / 2
    assert abs(figures.delta - exact) < 0.0001
    assert figures.after == round(figures.own + figures.delta, 4)
    games = read("players.list_player_games", "13368", year=2026, limit=100)
    own = [game for game in games.results if game.tournament == change.tournament]
    assert [(game.opponent_player, game.points) for game in own] == [
        (game.opponent_player, game.points) for game in change.games
    ]
    followed, since = [], 0
    while since is not None:
        page = read("changes.list_changes", since=since, limit=7)
        followed += [change.number for change in page.results]
        since = followed[-1] if page.next_ else None
    assert followed == [*range(1, page.newest + 1)]


class Sender:
    """A program with the written package and a token: sends a body of the package to an endpoint."""

    def __init__(self, written: Any, address: str, owner: User) -> None:
        self.written = written
        self.client = written.AuthenticatedClient(
            base_url=address, token=Program(owner).secret, raise_on_unexpected_status=True
        )

    def ask(self, endpoint: str, *number: int, **named: Any) -> Any:
        answered = self.written.endpoint(f"api.{endpoint}").sync(*number, client=self.client, **named)
        assert not isinstance(answered, self.written.models.Error), answered
        return answered

    def send(self, endpoint: str, body: str, *number: int, **sent: Any) -> Any:
        return self.ask(endpoint, *number, body=getattr(self.written.models, body)(**sent))

    def submit(self, number: int, version: int) -> Any:
        """Submit with one comment for each kind of warning."""
        findings = self.ask("reports.list_report_findings", number).results
        assert [finding.code for finding in findings if finding.severity == "error"] == []
        kinds = {finding.code: "We did not know." for finding in findings}
        return self.send(
            "reports.submit_report", "SubmitReportBody", number,
            version=version, kinds=self.written.models.SubmitReportBodyKinds.from_dict(kinds),
        )  # fmt: skip


def test_it_announces_uploads_completes_and_submits_a_report(written: Any, live_server: LiveServer) -> None:
    create_federation("NED")
    referee = create_user("piet@example.org", "Piet", roles=[Role.REFEREE], federation_id="NED")
    program = Sender(written, live_server.url, referee)
    announced = program.send(
        "announcements.announce_tournament", "AnnounceTournamentBody",
        name="Harbour Open", country="NED", place="Hoorn", discipline="100", time_control="80+30",
        played_from=date.today() + timedelta(days=60), played_to=date.today() + timedelta(days=62),
    )  # fmt: skip
    (listed,) = program.ask("announcements.list_announcements", state="announced").results
    assert (listed.number, listed.name) == (announced.number, "Harbour Open")

    details = written.models.TournamentDetails.from_dict({"discipline": "100"})
    file = written.File(payload=example_file("clean"), file_name="open.txt")
    uploaded = program.send("reports.upload_report", "UploadReportBody", file=file, details=details)
    assert (uploaded.state, uploaded.version) == ("draft", 1)
    clock = written.models.TournamentDetails.from_dict({"time_control": "80+30"})
    completed = program.send(
        "reports.change_details", "ChangeDetailsBody", uploaded.number, version=1, details=clock
    )
    assert (completed.version, completed.errors) == (2, 0)
    assert program.submit(uploaded.number, 2).state == "submitted"
    assert Report.objects.get(pk=uploaded.number).state == Report.State.SUBMITTED


def test_it_corrects_an_accepted_report(written: Any, live_server: LiveServer) -> None:
    code = "2026-utrecht-spring-open"
    first = Report.objects.select_related("submitted_by").get(result_set__tournament__code=code)
    version = first.accepted_version
    assert version is not None
    create_federation("NED")
    referee = create_user("piet@example.org", "Piet", roles=[Role.REFEREE], federation_id="NED")
    program = Sender(written, live_server.url, referee)
    details = written.models.TournamentDetails.from_dict(
        {"corrects": code, "discipline": "100", "time_control": "30+0"}
    )
    file = written.File(payload=bytes(version.content), file_name=version.filename)
    corrected = program.send("reports.upload_report", "UploadReportBody", file=file, details=details)
    assert (corrected.corrects, corrected.state) == (code, "draft")
    assert program.submit(corrected.number, corrected.version).state == "submitted"
