"""The examples of docs/how-to/api.md and send-reports.md, run as they are printed."""

import json
import re
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from reporting.models import Report, Role
from reporting.reports.views.check_file import example_file
from tests.people import create_federation, create_user
from tests.program import Program

HOW_TO = Path(__file__).parents[2] / "docs/how-to"


def examples(page: str) -> list[tuple[str, str]]:
    return re.findall(r"^```(sh|python)\n(.*?)^```", (HOW_TO / page).read_text(), re.DOTALL | re.MULTILINE)


def run(kind: str, example: str, office: str, folder: Path, **named: str) -> str:
    program = (
        ["bash", "-euc", example]
        if kind == "sh"
        else [sys.executable, "-c", f"OFFICE = {office!r}\n{example}"]
    )
    environment = {"PATH": "/usr/bin:/bin", "OFFICE": office, **named}
    done = subprocess.run(program, env=environment, cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, (example, done.stdout, done.stderr)
    return done.stdout.decode()


@pytest.mark.usefixtures("season_read")
def test_the_examples_answer_what_they_say(live_server: LiveServer, tmp_path: Path) -> None:
    answers = [run(kind, example, live_server.url, tmp_path) for kind, example in examples("api.md")]
    in_force, women, found, changes, titles, history, *others = answers
    (
        played, chosen, compared, searched, norms, crosstable, calendar, cups, standings, games, again, ratings,
        predicted, feed,
    ) = others  # fmt: skip
    assert json.loads(in_force)["in_force"] == "2026-10-01"
    rows: list[dict[str, Any]] = json.loads(women)["results"]
    assert {(row["sex"], row["federation"]) for row in rows} == {("W", "NED")}
    assert [row["rating"] for row in rows] == sorted((row["rating"] for row in rows), reverse=True)
    assert "Brasilino, Leandro" in [row["name"] for row in json.loads(found)["results"]]
    assert json.loads(changes)["rating"] == 2430
    assert {row["discipline"] for row in json.loads(titles)} == {"100"}
    assert {row["tournament"] for row in json.loads(norms)["results"]} == {"2026-european-championship"}
    assert [row["in_force"] for row in json.loads(history)][-1] == "2026-10-01"
    assert {game["list"]["in_force"][:4] for game in json.loads(played)["results"]} == {"2026"}
    assert {row["federation"] for row in json.loads(chosen)["results"]} == {"NED"}
    gains = [row["rating_after"] - row["rating_before"] for row in json.loads(compared)["results"]]
    assert gains == sorted(gains, reverse=True)
    assert [row["code"] for row in json.loads(searched)["federations"]] == ["NED"]
    assert len(json.loads(crosstable)["results"]) == 3
    assert list(json.loads(standings)[0]["tie_breaks"]) == ["solkoff", "sb", "wins"]
    assert {row["classification"] for row in json.loads(cups)["results"]} <= {"open"}
    announced = json.loads(calendar)
    assert announced["count"] == len(announced["results"])
    assert re.fullmatch(r"[1-9][0-9]+ games\n", games)
    assert again == "304"
    assert [player["games"] for player in json.loads(predicted)["players"]] == [1, 1]
    assert ratings.splitlines()[0] == "fmjd_id,name,title,federation,rating,sex,birth_year"
    lines = feed.splitlines()
    assert [line.partition(" ")[0] for line in lines] == [str(number) for number in range(1, len(lines) + 1)]
    assert "1 list.published /api/v1/lists/fmjd-100/2026-01-01/r1/" in lines


@pytest.mark.django_db(transaction=True)
@pytest.mark.database_role("web")
@pytest.mark.usefixtures("season_shared", "cleared_rate_limits")
def test_a_report_is_sent_by_the_examples(live_server: LiveServer, tmp_path: Path) -> None:
    create_federation("NED")
    referee = create_user("piet@example.org", "Piet", roles=[Role.REFEREE], federation_id="NED")
    secret = Program(referee).secret
    (tmp_path / "open.txt").write_bytes(example_file("clean"))
    asked, first = examples("send-reports.md"), date.today() + timedelta(days=60)
    named = {"TOKEN": secret, "FIRST": str(first), "LAST": str(first + timedelta(days=6))}
    checked, drafts, announced, tried, uploaded = [
        json.loads(run(kind, example, live_server.url, tmp_path, **named)) for kind, example in asked[:5]
    ]
    assert (checked["players"], checked["errors"], drafts["results"]) == (8, 0, [])
    assert (announced["state"], announced["in_time"]) == ("announced", True)
    assert [finding["field"] for finding in tried["findings"]] == ["time_control"]
    assert (uploaded["state"], uploaded["version"], uploaded["errors"]) == (
        "draft",
        1,
        1,
    )  # no time control yet
    completed, findings, commented, submitted = [
        json.loads(
            run(kind, example, live_server.url, tmp_path, TOKEN=secret, NUMBER=str(uploaded["number"]))
        )
        for kind, example in asked[5:9]
    ]
    assert (completed["version"], completed["errors"], completed["warnings"]) == (2, 0, 2)
    assert [row["code"] for row in findings["results"]] == ["not-announced", "late-report"]
    assert commented["missing"] == []
    assert submitted["state"] == "submitted"
    assert Report.objects.get(pk=uploaded["number"]).state == Report.State.SUBMITTED
    (tmp_path / "open.txt").write_bytes(example_file("clean") + b"\n")
    taken_back, corrected = [
        json.loads(
            run(kind, example, live_server.url, tmp_path, TOKEN=secret, NUMBER=str(uploaded["number"]))
        )
        for kind, example in asked[9:]
    ]
    assert (taken_back["version"], taken_back["state"]) == (2, "draft")
    assert (corrected["version"], corrected["state"]) == (3, "draft")
