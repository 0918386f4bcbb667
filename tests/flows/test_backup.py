"""A drill: the demonstration is backed up, restored into a new cluster, and every published figure calculated again."""

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from pyrage import x25519

from config import embedded

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def manage(environment):
    """Run a command on the test's own database by its address, as in a container, or on the cluster of a directory."""
    tested = {
        "SECRET_KEY": "a-key-of-more-than-fifty-characters-for-the-check-only-0123456789",
        "DATABASE_URL": f"postgres://postgres@/{connection.settings_dict['NAME']}?host="
        f"{embedded.postgres(Path(settings.VAR), durable=False).socket_directory}",
        "BROKER_URL": "redis://127.0.0.1:1/0",
        "HTTPS": "false",
        "INSECURE": "1",
        "PATH": f"{embedded.postgres_programs()}:{environment['PATH']}",
    }

    def run(*command, var=None, role="owner"):
        here = {"RATING_OFFICE_VAR": str(var), "DATABASE_ROLE": role} if var else tested
        return subprocess.run(
            [sys.executable, "manage.py", *map(str, command)],
            cwd=ROOT,
            env=environment | here,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


@pytest.fixture
def new_cluster(tmp_path):
    var = tmp_path / "new"
    yield var
    embedded.remove(var)


@pytest.mark.django_db(transaction=True)
def test_what_is_restored_is_what_was_published(season, manage, new_cluster, tmp_path):
    identity = x25519.Identity.generate()
    (tmp_path / "key").write_text(f"# created today\n{identity}\n")
    file = tmp_path / "office.backup"
    written = manage("backup", file, "--recipient", identity.to_public())
    assert written.returncode == 0, written.stderr
    assert file.stat().st_mode & 0o777 == 0o600
    assert b"manifest" not in file.read_bytes()  # nothing is legible
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".backup")] == []

    without_key = manage("restore", file, var=new_cluster)
    assert without_key.returncode == 1
    assert "is encrypted: name the file with the secret key" in without_key.stderr
    (tmp_path / "wrong").write_text(str(x25519.Identity.generate()))
    wrong_key = manage("restore", file, "--identity", tmp_path / "wrong", var=new_cluster)
    assert wrong_key.returncode == 1
    assert "could not be decrypted with this key" in wrong_key.stderr

    restored = manage("restore", file, "--identity", tmp_path / "key", var=new_cluster)
    assert restored.returncode == 0, restored.stderr
    rows = written.stdout.split(": ")[1].split(" tables")[0]
    assert restored.stdout == f"{rows} tables restored, as in the manifest.\n"

    # the order of an installation: restored, then migrated, then used with the worker's and the web's own rights
    migrated = manage("migrate", "--check", var=new_cluster)
    assert migrated.returncode == 0, migrated.stdout + migrated.stderr
    verified = manage("verify_lists", "--recalculate", var=new_cluster, role="worker")
    assert verified.returncode == 0, verified.stderr
    assert "all as they were published" in verified.stdout
    denied = manage("shell", "-c", UPDATE, var=new_cluster, role="web")
    assert "permission denied" in denied.stderr or "published" in denied.stderr, denied.stderr

    again = manage("restore", file, "--identity", tmp_path / "key", var=new_cluster)
    assert again.returncode == 1
    assert "The database is not empty" in again.stderr


UPDATE = "from django.db import connection; connection.cursor().execute('UPDATE ratings_ratinglistrow SET rating = 1')"


@pytest.mark.django_db(transaction=True)
def test_a_damaged_file_is_refused_whole(manage, new_cluster, tmp_path):
    """A flipped byte of the dump or the manifest, a file cut short, and a file of something else."""
    file = tmp_path / "office.backup"
    written = manage("backup", file)
    assert written.returncode == 0, written.stderr
    with tarfile.open(file) as tar:
        places = [
            tar.getmember("database.dump").offset_data + 5000,
            tar.getmember("manifest.json").offset_data,
        ]
    flipped = [bytearray(file.read_bytes()) for _ in places]
    for content, place in zip(flipped, places, strict=True):
        content[place] ^= 1
    for damaged, reason in (
        (bytes(flipped[0]), "database.dump in damaged is damaged"),
        (bytes(flipped[1]), "manifest.json in damaged is damaged"),
        (file.read_bytes()[:20_000], "could not be read"),
        (b"something else", "could not be read"),
    ):
        (tmp_path / "damaged").write_bytes(damaged)
        refused = manage("restore", tmp_path / "damaged", var=new_cluster)
        assert refused.returncode == 1
        assert reason in refused.stderr
    empty = manage("dbshell", "--", "-Atc", "select count(*) from pg_class where relnamespace = 'public'::regnamespace",
                   var=new_cluster)  # fmt: skip
    assert empty.stdout.strip() == "0"


@pytest.mark.parametrize("recipient", ["nonsense", "AGE-SECRET-KEY-1X"])
@pytest.mark.django_db(transaction=True)
def test_a_wrong_recipient_is_refused_before_anything_is_written(manage, tmp_path, recipient):
    refused = manage("backup", tmp_path / "file", "--recipient", recipient)
    assert refused.returncode == 1
    assert "The recipient is no public key of age" in refused.stderr
    assert list(tmp_path.iterdir()) == []
