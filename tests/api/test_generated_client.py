"""A client that openapi-python-client writes from the OpenAPI file reads lists and sends a report."""

import importlib
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.management import call_command
from pytest_django.live_server_helper import LiveServer

from reporting.models import Report, Role
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
            Client=module("client").Client,
            AuthenticatedClient=module("client").AuthenticatedClient,
            File=module("types").File,
            endpoint=module,
            models=module("models"),
        )


def test_it_lists_and_filters_without_a_token(written: Any, live_server: LiveServer) -> None:
    reader = written.Client(base_url=live_server.url, raise_on_unexpected_status=True)
    entries = written.endpoint("api.lists.list_entries")
    asked_for = inspect.signature(entries.sync).parameters["client"].annotation
    assert asked_for == written.AuthenticatedClient | written.Client, "a token is not needed"
    in_force = written.endpoint("api.lists.retrieve_list_in_force").sync("fmjd-100", client=reader)
    assert in_force.in_force.isoformat() == "2026-10-01"
    page = entries.sync(
        "fmjd-100",
        in_force.in_force,
        in_force.revision,
        client=reader,
        variant="women",
        federation="NED",
        limit=3,
    )
    assert [(row.sex, row.federation) for row in page.results] == [("W", "NED")] * 3
    ratings = [row.rating for row in page.results]
    assert ratings == sorted(ratings, reverse=True)
    refused = written.endpoint("api.lists.retrieve_list_in_force").sync("fmjd-11", client=reader)
    assert refused.code == "not_found"


def test_it_uploads_completes_and_submits_a_report(written: Any, live_server: LiveServer) -> None:
    create_federation("NED")
    referee = create_user("piet@example.org", "Piet", roles=[Role.REFEREE], federation_id="NED")
    program = written.AuthenticatedClient(
        base_url=live_server.url, token=Program(referee).secret, raise_on_unexpected_status=True
    )

    def send(endpoint: str, body: str, *number: int, **sent: Any) -> Any:
        answered = written.endpoint(f"api.reports.{endpoint}").sync(
            *number, client=program, body=getattr(written.models, body)(**sent)
        )
        assert not isinstance(answered, written.models.Error), answered
        return answered

    details = written.models.TournamentDetails.from_dict({"discipline": "100"})
    file = written.File(payload=example_file("clean"), file_name="open.txt")
    uploaded = send("upload_report", "UploadReportBody", file=file, details=details)
    assert (uploaded.state, uploaded.version) == ("draft", 1)
    clock = written.models.TournamentDetails.from_dict({"time_control": "80+30"})
    completed = send("change_details", "ChangeDetailsBody", uploaded.number, version=1, details=clock)
    findings = written.endpoint("api.reports.list_report_findings").sync(uploaded.number, client=program)
    assert (completed.version, completed.errors) == (2, 0)
    kinds = {finding.code: "We did not know." for finding in findings.results}
    submitted = send(
        "submit_report", "SubmitReportBody", uploaded.number,
        version=2, kinds=written.models.SubmitReportBodyKinds.from_dict(kinds),
    )  # fmt: skip
    assert submitted.state == "submitted"
    assert Report.objects.get(pk=uploaded.number).state == Report.State.SUBMITTED
