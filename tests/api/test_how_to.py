"""The examples of docs/how-to/api.md, run as they are printed."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

EXAMPLES = re.findall(
    r"^```(sh|python)\n(.*?)^```",
    (Path(__file__).parents[2] / "docs/how-to/api.md").read_text(),
    re.DOTALL | re.MULTILINE,
)


def run(kind: str, example: str, office: str) -> str:
    program = (
        ["bash", "-euc", example]
        if kind == "sh"
        else [sys.executable, "-c", f"OFFICE = {office!r}\n{example}"]
    )
    done = subprocess.run(
        program, env={"PATH": "/usr/bin:/bin", "OFFICE": office}, capture_output=True, check=True
    )
    return done.stdout.decode()


@pytest.mark.usefixtures("season_read")
def test_the_examples_answer_what_they_say(live_server: LiveServer) -> None:
    answers = [run(kind, example, live_server.url) for kind, example in EXAMPLES]
    in_force, women, found, changes, games, again = answers
    assert json.loads(in_force)["in_force"] == "2026-10-01"
    rows: list[dict[str, Any]] = json.loads(women)["results"]
    assert {(row["sex"], row["federation"]) for row in rows} == {("W", "NED")}
    assert [row["rating"] for row in rows] == sorted((row["rating"] for row in rows), reverse=True)
    assert "Brasilino, Leandro" in [row["name"] for row in json.loads(found)["results"]]
    assert json.loads(changes)["rating"] == 2430
    assert re.fullmatch(r"[1-9][0-9]+ games\n", games)
    assert again == "304"
