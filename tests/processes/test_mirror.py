"""The program of docs/how-to/mirror.md follows an office: publication, correction, merge, erasure, forgery."""

import json
import re
import sqlite3
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from ratings.models import RatingList
from ratings.production.correct_list import correct_list
from ratings.publishing.public_changes.number_changes import number_changes
from ratings.publishing.public_changes.selectors import newest_number
from ratings.publishing.signed_history.sign_lists import sign_lists, signing_folder
from ratings.tasks import make_export
from reporting.models import Player
from reporting.register.services.erase_name import erase_name
from reporting.register.services.merge_players import merge_players
from tests.services.conftest import Office, office  # noqa: F401 - the small office of the service tests

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database_role("owner"),
    pytest.mark.usefixtures("cleared_rate_limits"),
]
HOW_TO = Path(__file__).parents[2] / "docs/how-to/mirror.md"
OPENING, APRIL = "fmjd-100/2026-01-01/r1", "fmjd-100/2026-04-01/r1"


@pytest.fixture(autouse=True)
def _signing(tmp_path: Path, settings: LazySettings) -> None:
    settings.SIGNING_FOLDER = str(tmp_path / "signing")
    settings.SIGNATURES_COPY = ""


class Mirror:
    """The mirror in a folder: runs its program, and reads its database."""

    def __init__(self, folder: Path, address: str) -> None:
        self.folder, self.address = folder, address
        (program,) = re.findall(r"^```python\n(.*?)^```", HOW_TO.read_text(), re.DOTALL | re.MULTILINE)
        assert program.count("\n") <= 60
        (folder / "mirror.py").write_text(program)

    def run(self, *keys: str) -> subprocess.CompletedProcess[str]:
        (self.folder / "verify.py").write_bytes(Client().get("/export/verify.py").getvalue())
        command = [
            sys.executable, "mirror.py", self.address, "lists.sqlite",
            *(keys or signing_folder().public_keys()),
        ]  # fmt: skip
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with sqlite3.connect(self.folder / "lists.sqlite") as database:
            return database.execute(query).fetchall()


def the_worker_works() -> None:
    """What the worker does within a minute of an act."""
    number_changes()
    sign_lists()
    make_export()


def player(number: int) -> Player:
    return Player.objects.get(numbers__fmjd=number)


def test_a_mirror_keeps_up_and_copies_only_what_is_signed(
    office: Office,  # noqa: F811
    live_server: LiveServer,
    tmp_path: Path,
) -> None:
    mirror = Mirror(tmp_path, live_server.url)
    office.opening("fmjd_id rating games\n11 2000 100\n12 2000 100\n13 2000 100")
    the_worker_works()
    assert mirror.run("ab" * 32).returncode == 1  # the key of someone else
    assert mirror.rows("SELECT * FROM entry") == []
    assert mirror.run().returncode == 0
    assert mirror.rows("SELECT list, player, rating FROM entry ORDER BY number") == [
        (OPENING, "11", 2000), (OPENING, "12", 2000), (OPENING, "13", 2000),
    ]  # fmt: skip

    # A publication: first without its signature.
    office.accept("Spring", [11, 12], ["1 1 2 2-0"])
    april = office.run(date(2026, 4, 1))
    number_changes()
    early = mirror.run()
    assert (early.returncode, "not signed yet" in early.stderr) == (1, True)
    the_worker_works()
    assert mirror.run().returncode == 0
    published = dict(april.rows.values_list("register_number", "rating"))
    assert published[11] > 2000 > published[12]
    assert dict(mirror.rows(f"SELECT number, rating FROM entry WHERE list = '{APRIL}'")) == published

    # A correction: the tournament is excluded, so the ratings are those of the opening list again.
    correct_list(
        rating_list=april, reason="Not played.", later="carry", excluded_tournaments=["2026-spring"],
        by=office.officer,
    )  # fmt: skip
    office.run(date(2026, 4, 1))
    the_worker_works()
    assert mirror.run().returncode == 0
    assert mirror.rows("SELECT number, rating FROM entry WHERE list = 'fmjd-100/2026-04-01/r2' ORDER BY number") == [
        (11, 2000), (12, 2000), (13, 2000),
    ]  # fmt: skip
    assert dict(mirror.rows(f"SELECT number, rating FROM entry WHERE list = '{APRIL}'")) == published

    # A merge comes with the first list that reads it.
    merge_players(duplicate=player(13), surviving=player(11), reason="one person", by=office.officer)
    office.run(date(2026, 7, 1))
    the_worker_works()
    assert mirror.run().returncode == 0
    assert mirror.rows("SELECT * FROM merged") == [("13", "11")]
    assert mirror.rows("SELECT number FROM entry WHERE list = 'fmjd-100/2026-07-01/r1' ORDER BY number") == [
        (11,), (12,),
    ]  # fmt: skip

    # An erasure.
    name = player(12).sort_name
    erase_name(player=player(12), reason="Asked for it.", by=office.officer)
    the_worker_works()
    assert mirror.run().returncode == 0
    assert {name for (name,) in mirror.rows("SELECT name FROM entry WHERE number = 12")} == {"Erased player"}
    assert name not in json.dumps(mirror.rows("SELECT lower(name) FROM entry"))
    assert mirror.rows("PRAGMA user_version") == [(newest_number(),)]

    # A forgery: the owner of the database raises a rating of the next list.
    october = office.run(date(2026, 10, 1))
    the_worker_works()
    raise_rating(october, 11)
    forged = mirror.run()
    assert (forged.returncode, forged.stderr) == (
        1, "fmjd-100/2026-10-01/r1 is not the list that was signed.\n",
    )  # fmt: skip
    assert mirror.rows("SELECT * FROM entry WHERE list = 'fmjd-100/2026-10-01/r1'") == []


def raise_rating(rating_list: RatingList, number: int) -> None:
    table = f"fmjd_listrow_{rating_list.pk}"
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
        cursor.execute(f"UPDATE {table} SET rating = rating + 50 WHERE register_number = %s", [number])
        cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER ALL")
