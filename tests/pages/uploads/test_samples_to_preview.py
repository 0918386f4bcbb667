"""The federation's own files, uploaded in the browser's way, are read without loss up to the preview."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from reporting.models import Report, Role
from tests.people import create_user

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]


@pytest.mark.parametrize(("name", "players", "games"), [
    # 68 players in 9 rounds are 306 games, two of them decided without a game.
    ("draughts-arbiter-2022-ouagadougou.csv", 68, 304),
    ("toernooibase-1948-world-championship.csv", 11, 110),
    ("toernooibase-1960-world-championship.csv", 14, 182),
])  # fmt: skip
def test_every_player_of_a_sample_has_the_printed_points_in_the_preview(
    client: Client, samples: Path, name: str, players: int, games: int
) -> None:
    client.force_login(create_user("r@example.org", "R", roles=[Role.REFEREE]))
    file = SimpleUploadedFile(name, (samples / name).read_bytes())
    assert client.post(reverse("report-new"), {"file": file}).status_code == 302
    report = Report.objects.get()
    version: Any = report.versions.get()
    assert (version.players, version.games) == (players, games)
    response = client.get(reverse("report-preview", args=[report.pk]))
    lines = response.context["lines"]
    assert len(lines) == players
    assert [line for line in lines if line.player.points_printed != line.summed] == []
    assert response.content.decode().count('<th scope="row" class="crosstable__stay') == players
