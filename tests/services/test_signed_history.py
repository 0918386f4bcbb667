"""The signed history: what a database owner changes, drops or adds is found, by the office and by anybody."""

import json
import subprocess
import sys
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import LazySettings
from django.db import IntegrityError, connection

from ratings.models import PublishedFile, RatingList, SignedStatement
from ratings.publishing.signed_history import verify
from ratings.publishing.signed_history.sign_lists import (
    history_lines,
    replace_key,
    sign_lists,
    signing_folder,
)
from ratings.publishing.signed_history.verify import read_history
from ratings.publishing.signed_history.verify_history import verify_history
from ratings.publishing.verification.nightly import verify_published
from reporting.models import LogEntry, Message, Role
from tests.databases import built_on
from tests.people import create_user
from tests.services.conftest import small_office
from tests.services.report_helpers import refusal

# The owner may switch triggers off; no one else could do what is done here.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database_role("owner")]

OPENING, APRIL, JULY = "fmjd-100/2026-01-01/r1", "fmjd-100/2026-04-01/r1", "fmjd-100/2026-07-01/r1"


@built_on("empty")
def lists_to_sign() -> None:
    """Opening list, April and July."""
    office = small_office()
    office.opening("fmjd_id rating games\n11 2050 100\n12 2050 100\n13 2050 100\n")
    office.accept("Spring", [11, 12, 13], ["1 1 2 2-0", "2 2 3 1-1"])
    office.run(date(2026, 4, 1))
    day = date(2026, 5, 10)
    office.accept("May", [11, 12, 13], ["1 1 2 1-1"], played_from=day, played_to=day)
    office.run(date(2026, 7, 1))


@pytest.fixture(name="lists_to_sign", autouse=True)
def _lists_to_sign(transactional_db: None, _database_of_its_own: None) -> None:
    """A copy of the database with these lists."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: LazySettings) -> Path:
    settings.SIGNING_FOLDER = str(tmp_path / "signing")
    settings.SIGNATURES_COPY = ""
    return tmp_path / "signing"


@pytest.fixture
def downloads(tmp_path: Path) -> Path:
    """A folder with the figures of all lists and the signed history."""
    sign_lists()
    found = tmp_path / "downloads"
    for file in PublishedFile.objects.filter(name="figures.csv").select_related("list__pool"):
        path = found / f"{file.list.address}/r{file.list.revision}/figures.csv"
        path.parent.mkdir(parents=True)
        path.write_bytes(bytes(file.content))
    (found / "signatures.jsonl").write_text("".join(f"{line}\n" for line in history_lines()))
    return found


def run_verify(downloads: Path, *options: str) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-I", str(Path(verify.__file__)), str(downloads), *options]
    return subprocess.run(program, capture_output=True, text=True, timeout=60, check=False)


def as_owner(statement: str, *values: Any) -> None:
    """What an owner of the database can do: the triggers of these tables are switched off."""
    tables = ("ratings_ratinglist", "ratings_signedstatement")
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
        cursor.execute(statement, values)
        for table in tables:
            cursor.execute(f"ALTER TABLE {table} ENABLE TRIGGER ALL")


def of(address: str) -> RatingList:
    day = address.split("/")[1]
    return RatingList.objects.get(in_force=day, state="published")


def test_the_history_begins_with_a_key_and_all_lists_and_is_added_to_once() -> None:
    assert sign_lists() == 3
    assert sign_lists() == 0
    contents = SignedStatement.objects.order_by("number").values_list("content", flat=True)
    statements = [json.loads(content) for content in contents]
    assert [one["number"] for one in statements] == [1, 2, 3, 4]
    assert [one.get("list") for one in statements] == [None, OPENING, APRIL, JULY]
    assert statements[2]["sha256"] == of(APRIL).sha256
    assert read_history(history_lines(), signing_folder().public_keys()).faults == []
    assert verify_history() == []


def test_officers_get_the_new_end_of_the_history_by_message() -> None:
    create_user("releaser@example.org", "Releaser", roles=[Role.RELEASING_OFFICER])
    sign_lists()
    message = Message.objects.get(kind="lists_signed")
    end = read_history(history_lines()).sha256
    assert f"ends with statement 4, whose SHA-256 is {end}." in message.text
    assert f"- {JULY}" in message.text.splitlines()


def test_anybody_checks_a_folder_of_downloads(downloads: Path) -> None:
    key = signing_folder().public_keys()[0]
    checked = run_verify(downloads, "--key", key)
    assert checked.returncode == 0, checked.stderr
    assert f"{APRIL}/figures.csv: signed as {APRIL}" in checked.stdout
    (downloads / APRIL / "figures.csv").unlink()
    assert f"{APRIL}: signed; its figures.csv is not in this folder" in run_verify(downloads).stdout


def changed_figure(downloads: Path) -> str:
    file = downloads / APRIL / "figures.csv"
    file.write_bytes(file.read_bytes().replace(b"2", b"3", 1))
    return f"{APRIL}/figures.csv: a list of fmjd-100/2026-04-01 with this content was never signed"


def another_list(downloads: Path) -> str:
    file = downloads / "more.csv"
    file.write_text("rating,list,previous_sha256\n2400,fmjd-100/2026-10-01,\n")
    return "more.csv: a list of fmjd-100/2026-10-01 with this content was never signed"


def dropped_statement(downloads: Path) -> str:
    file = downloads / "signatures.jsonl"
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:2] + lines[3:]))
    return "statement 3 does not follow the one before it"


def changed_statement(downloads: Path) -> str:
    file = downloads / "signatures.jsonl"
    file.write_text(file.read_text().replace(of(APRIL).sha256, "0" * 64))
    return "statement 3 is not signed by the key of the office"


def another_key(downloads: Path) -> str:
    """The whole history again, signed by somebody else."""
    stranger, file, before = Ed25519PrivateKey.generate(), downloads / "signatures.jsonl", ""
    public, lines = stranger.public_key().public_bytes_raw().hex(), []
    for line in file.read_text().splitlines():
        statement = json.loads(json.loads(line)["statement"]) | {"previous": before, "signed_by": public}
        if "key" in statement:
            statement["key"] = public
        text = json.dumps(statement)
        before = sha256(text.encode()).hexdigest()
        lines.append(json.dumps({"statement": text, "signature": stranger.sign(text.encode()).hex()}))
    file.write_text("\n".join(lines))
    return f"statement 1 begins with the key {public}, which you did not give"


FORGERIES = [changed_figure, another_list, dropped_statement, changed_statement, another_key]


@pytest.mark.parametrize("forge", FORGERIES)
def test_the_program_finds_forged_downloads(downloads: Path, forge: Any) -> None:
    expected = forge(downloads)
    checked = run_verify(downloads, "--key", signing_folder().public_keys()[0])
    assert checked.returncode == 1
    assert expected in checked.stderr.splitlines()


def test_the_program_names_a_line_that_it_cannot_read(downloads: Path) -> None:
    (downloads / "signatures.jsonl").write_text('{"statement": 1}\n[]\n')
    assert "statement 1 cannot be read: KeyError('signature')" in run_verify(downloads).stderr


def test_nightly_a_list_that_the_owner_changed_is_found() -> None:
    sign_lists()
    april = of(APRIL)
    as_owner(
        "UPDATE ratings_ratinglist SET (sha256, approved_sha256, published_sha256) = (%s, %s, %s) WHERE id = %s",
        *["f" * 64] * 3, april.pk,
    )  # fmt: skip
    expected = f"{APRIL} has the SHA-256 {'f' * 64}. Signed was {april.sha256}."
    assert verify_history() == [expected]
    create_user("officer@example.org", "Officer", roles=[Role.RATING_OFFICER])
    differences = verify_published()
    assert differences > 1  # `figures.csv` differs from it too
    entry = LogEntry.objects.get(action="published.verify")
    assert (entry.after, entry.by_command) == ({"differences": differences}, True)
    text = Message.objects.get(kind="published_differs").text
    assert expected in text
    assert (
        "list-has-its-figures-file: 1 row breaks this rule: A published list has a figures file of its SHA-256."
        f" Row: {april.pk}"
    ) in text


def test_nightly_a_list_that_the_owner_dropped_with_its_statement_is_found() -> None:
    sign_lists()
    as_owner("DELETE FROM ratings_signedstatement WHERE number = 4")
    as_owner("UPDATE ratings_ratinglist SET state = 'superseded' WHERE id = %s", of(JULY).pk)
    assert verify_history() == ["The history ends with statement 3. The worker wrote statement 4 last."]
    assert refusal(replace_key).code == "history_changed"


def test_nightly_a_list_that_the_owner_dropped_alone_is_found() -> None:
    sign_lists()
    as_owner("UPDATE ratings_ratinglist SET state = 'superseded' WHERE id = %s", of(JULY).pk)
    assert verify_history() == [f"{JULY} is signed and not published any more."]


def test_nightly_a_list_that_the_owner_added_is_found_and_the_worker_does_not_sign_it() -> None:
    july = of(JULY)
    as_owner("UPDATE ratings_ratinglist SET state = 'superseded' WHERE id = %s", july.pk)
    assert sign_lists() == 2
    as_owner(
        "UPDATE ratings_ratinglist SET state = 'published', published_at = now() - interval '25 hours' WHERE id = %s",
        july.pk,
    )
    assert sign_lists() == 0
    assert verify_history() == [f"{JULY} is published and was never signed."]
    assert sign_lists(also_older=True) == 1  # somebody looked at it
    assert verify_history() == []


def test_a_new_key_is_signed_by_the_one_before() -> None:
    sign_lists()
    (first,) = signing_folder().public_keys()
    second = replace_key()
    history = read_history(history_lines(), [first])
    assert history.faults == []
    assert history.keys == [first, second]
    assert signing_folder().key(first) is None
    assert verify_history() == []


def test_without_its_key_the_worker_signs_nothing_and_a_loss_is_stated(folder: Path) -> None:
    july = of(JULY)
    as_owner("UPDATE ratings_ratinglist SET state = 'superseded' WHERE id = %s", july.pk)
    sign_lists()
    (first,) = signing_folder().public_keys()
    for file in folder.iterdir():
        file.unlink()
    as_owner("UPDATE ratings_ratinglist SET state = 'published' WHERE id = %s", july.pk)
    assert refusal(sign_lists, also_older=True).code == "history_changed"  # its end is lost too
    second = replace_key(lost=True)
    assert sign_lists(also_older=True) == 1
    assert read_history(history_lines(), [first, second]).faults == []
    # Who knows the first key alone is told.
    (fault,) = read_history(history_lines(), [first]).faults
    assert fault == f"statement 4 begins with the key {second}, which you did not give"


def test_a_process_that_ended_before_or_after_the_commit_continues(folder: Path) -> None:
    sign_lists()
    end = read_history(history_lines()).end
    signing_folder().store_ends(end, (5, "e" * 64))  # what it meant to store
    assert verify_history() == []
    signing_folder().store_ends((3, "d" * 64), end)
    assert replace_key()


def test_each_statement_is_copied_to_the_second_place_and_compared(tmp_path, settings) -> None:
    copy = tmp_path / "share"
    copy.mkdir()
    settings.SIGNATURES_COPY = str(copy)
    sign_lists()
    assert sorted(file.name for file in copy.iterdir()) == [f"{number:06}.json" for number in range(1, 5)]
    assert verify_history() == []
    (copy / "000003.json").write_text("{}")
    (copy / "000004.json").unlink()
    assert verify_history() == [
        f"{copy}/000003.json is not as statement 3.",
        f"{copy}/000004.json is not as statement 4.",
    ]


def test_a_second_place_that_cannot_be_written_delays_no_signature(settings, tmp_path) -> None:
    settings.SIGNATURES_COPY = str(tmp_path / "missing")
    assert sign_lists() == 3


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE ratings_signedstatement SET content = content",
        "DELETE FROM ratings_signedstatement WHERE number = 4",
        "TRUNCATE ratings_signedstatement",
        "INSERT INTO ratings_signedstatement (number, content, signature) VALUES (6, '{}', repeat('0', 128))",
    ],
)
def test_statements_are_never_changed_and_have_no_gap(statement: str) -> None:
    sign_lists()
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # the owner, with ordinary triggers off
        with pytest.raises(IntegrityError, match=r"append-only|without gaps"):
            cursor.execute(statement)
        cursor.execute("SET session_replication_role = origin")


def test_only_the_worker_adds_statements() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT role, privilege FROM unnest(ARRAY['app_web', 'app_worker']) AS role,"
            " unnest(ARRAY['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) AS privilege"
            " WHERE has_table_privilege(role, 'ratings_signedstatement', privilege)"
        )
        assert cursor.fetchall() == [("app_worker", "INSERT")]
