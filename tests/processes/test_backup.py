"""A drill: the demonstration is backed up, restored into a new cluster, and every published figure calculated again."""

import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import pyrage
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from pyrage import x25519

from config import backup
from config.backup import BackupError, verify_backup, write_backup
from config.embedded import servers
from config.embedded.postgres_server import Postgres, postgres_programs
from ratings.federations.fmjd.models import FmjdListRow
from reporting.log.audit import OFFICER, Actor
from reporting.models import LogEntry, Player, User
from reporting.register.services.erase_name import erase_name

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def manage(environment):
    """Run a command on the test's own database by its address, as in a container, or on the cluster of a directory."""
    tested = {
        "SECRET_KEY": "a-key-of-more-than-fifty-characters-for-the-check-only-0123456789",
        "DATABASE_URL": f"postgres://postgres@/{connection.settings_dict['NAME']}?host="
        f"{servers.postgres(Path(settings.VAR), durable=False).socket_directory}",
        "BROKER_URL": "redis://127.0.0.1:1/0",
        "HTTPS": "false",
        "INSECURE": "1",
        "PATH": f"{postgres_programs()}:{environment['PATH']}",
    }

    def run(*command, var=None, role="owner"):
        here = {"RATING_OFFICE_VAR": str(var), "DATABASE_ROLE": role} if var else tested
        return subprocess.run(
            [sys.executable, "manage.py", *map(str, command)],
            cwd=ROOT, env=environment | here, capture_output=True, text=True, check=False,
        )  # fmt: skip

    return run


@pytest.fixture
def new_cluster(tmp_path):
    """The directory of a cluster that runs for the whole test, so that each command finds it started."""
    var = tmp_path / "new"
    server = Postgres(var, durable=True).acquire()
    yield var
    server.release()
    servers.remove(var)


@pytest.fixture
def identity(tmp_path):
    made = x25519.Identity.generate()
    (tmp_path / "key").write_text(f"# created today\n{made}\n")
    return made


UPDATE = "from django.db import connection; connection.cursor().execute('UPDATE fmjd_listrow SET rating = 1')"
# What is done after the restore, in one process: a start takes longer than all of it.
AFTERWARDS = """
from django.core.management import CommandError, call_command
from ratings.federations.fmjd.models import FmjdListRow
from reporting.models import Player

def names():
    rows = FmjdListRow.objects.filter(player={player})
    print(Player.objects.get(pk={player}).last_name, set(rows.values_list("name", flat=True)), flush=True)

def refused(*command):
    try:
        call_command(*command)
    except CommandError as error:
        print(error)

names()
for _ in range(2):
    call_command("erasures", "{folder}/erasures.txt", apply=True)
names()
refused("erasures", "--apply", "{folder}/wrong.txt")
call_command("migrate", check=True, verbosity=0)
refused("restore", "{folder}/office.backup")
"""


@pytest.mark.database_role("owner")
@pytest.mark.django_db(transaction=True)
def test_what_is_restored_is_what_was_published(season, manage, new_cluster, identity, tmp_path):
    file = tmp_path / "office.backup"
    written = manage("backup", file, "--recipient", identity.to_public())
    assert written.returncode == 0, written.stderr
    restored = manage("restore", file, "--identity", tmp_path / "key", var=new_cluster)
    assert restored.returncode == 0, restored.stderr
    rows = written.stdout.split(": ")[1].split(" tables")[0]
    assert restored.stdout == f"{rows} tables restored, as in the manifest.\n"

    # the order of an installation: restored, then migrated, then used with the worker's and the web's own rights
    verified = manage("verify_lists", "--recalculate", var=new_cluster, role="worker")
    assert verified.returncode == 0, verified.stderr
    assert "all as they were published" in verified.stdout
    denied = manage("shell", "--no-imports", "-c", UPDATE, var=new_cluster, role="web")
    assert "permission denied" in denied.stderr or "published" in denied.stderr, denied.stderr

    # A name erased after the backup has come back with it, and is erased again by the list that was kept outside of it,
    # once. The migrations of this release are all there, and a second restore is refused.
    player = Player.objects.filter(sort_name__startswith="a").order_by("pk").first()
    listed = set(FmjdListRow.objects.filter(player=player).values_list("name", flat=True))
    erase_name(player=player, reason="on request", by=Actor(User.objects.get(email=OFFICER), by_command=True))
    kept = manage("erasures", tmp_path / "erasures.txt")
    assert kept.stdout == "1 number written.\n", kept.stderr
    assert (tmp_path / "erasures.txt").read_text() == f"fmjd {player.numbers['fmjd']}\n"
    (tmp_path / "wrong.txt").write_text("Jansen\n")
    script = AFTERWARDS.format(player=player.pk, folder=tmp_path)
    done = manage("shell", "--no-imports", "-c", script, var=new_cluster)
    *said, wrong, again = done.stdout.splitlines()
    assert said == [
        f"{player.last_name} {listed}", "1 name erased.", "0 names erased.", "Erased player {'Erased player'}"
    ], done.stderr  # fmt: skip
    assert "Line 1 is 'Jansen'. Expected: a register and a number" in wrong
    assert "The database is not empty" in again


# --- without a restore


@pytest.mark.database_role("owner")
@pytest.mark.django_db(transaction=True)
def test_with_a_key_no_plain_byte_is_ever_written(identity, tmp_path, monkeypatch):
    """Whatever this process and pg_dump open for writing is looked at; only the encrypted file is a new one."""
    folder, others = tmp_path / "target", tmp_path / "tmp"
    folder.mkdir()
    others.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(others))
    monkeypatch.setenv("TMPDIR", str(others))
    seen = []
    put = pyrage.encrypt_io

    def looked_at(source, file, recipients):
        put(source, file, recipients)
        file.flush()
        seen.extend(path.read_bytes() for path in (*folder.iterdir(), *others.iterdir()))

    monkeypatch.setattr(pyrage, "encrypt_io", looked_at)
    write_backup(folder / "office.backup", recipient=str(identity.to_public()))
    assert [content[:21] for content in seen] == [b"age-encryption.org/v1"]
    assert [path.name for path in folder.iterdir()] == ["office.backup"]
    assert list(others.iterdir()) == []
    assert (folder / "office.backup").stat().st_mode & 0o777 == 0o600
    content = (folder / "office.backup").read_bytes()
    assert all(word not in content for word in (b"manifest", b"database.dump", b"PGDMP", b"create role"))


@pytest.mark.database_role("owner")
@pytest.mark.django_db(transaction=True)
def test_a_backup_of_many_pieces_is_read_back_whole(identity, tmp_path, monkeypatch):
    monkeypatch.setattr(backup, "PIECE", 10_000)
    file = tmp_path / "office.backup"
    written = write_backup(file, recipient=str(identity.to_public()))
    entry = LogEntry.objects.get(action="backup.write")
    assert (entry.after, entry.by_command) == ({"bytes": file.stat().st_size, "encrypted": True}, True)
    roles, rows = verify_backup(file, identity=tmp_path / "key")
    assert (roles, rows) == (backup.ROLES.encode(), written.rows)


@pytest.mark.database_role("owner")
@pytest.mark.django_db(transaction=True)
def test_without_its_key_it_is_not_read(identity, tmp_path):
    file = tmp_path / "office.backup"
    write_backup(file, recipient=str(identity.to_public()))
    (tmp_path / "wrong").write_text(str(x25519.Identity.generate()))
    with pytest.raises(BackupError, match="is encrypted: name the file with the secret key"):
        verify_backup(file)
    with pytest.raises(BackupError, match="could not be decrypted with this key"):
        verify_backup(file, identity=tmp_path / "wrong")


@pytest.mark.database_role("owner")
@pytest.mark.django_db(transaction=True)
def test_a_damaged_file_is_refused_whole(identity, tmp_path):
    """A flipped byte of the dump or the manifest, a file cut short, and a file of something else."""
    file = tmp_path / "office.backup"
    write_backup(file)
    with tarfile.open(file) as tar:
        places = [
            tar.getmember("database.dump.000000").offset_data + 5000,
            tar.getmember("manifest.json").offset_data,
        ]
    whole = file.read_bytes()
    flipped = [bytearray(whole) for _ in places]
    for content, place in zip(flipped, places, strict=True):
        content[place] ^= 1
    write_backup(file, recipient=str(identity.to_public()))
    secret = bytearray(file.read_bytes())
    secret[len(secret) // 2] ^= 1
    for damaged, reason in (
        (bytes(flipped[0]), "database.dump in damaged is damaged"),
        (bytes(flipped[1]), "manifest.json in damaged is damaged"),
        (whole[:20_000], "could not be read"),
        (whole[: places[1] - 512], "was cut short"),
        (b"something else", "could not be read"),
        (bytes(secret), "could not be decrypted with this key, or is damaged"),
        (bytes(file.read_bytes()[:-100]), "could not be decrypted with this key, or is damaged"),
    ):
        (tmp_path / "damaged").write_bytes(damaged)
        with pytest.raises(BackupError, match=reason):
            verify_backup(tmp_path / "damaged", identity=tmp_path / "key")


@pytest.mark.parametrize("recipient", ["nonsense", "AGE-SECRET-KEY-1X"])
@pytest.mark.database_role("owner")
@pytest.mark.django_db(transaction=True)
def test_a_wrong_recipient_is_refused_before_anything_is_written(tmp_path, recipient):
    with pytest.raises(BackupError, match="The recipient is no public key of age"):
        write_backup(tmp_path / "file", recipient=recipient)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.database_role("owner")
@pytest.mark.django_db(transaction=True)
def test_where_pg_dump_fails_nothing_is_left(tmp_path, monkeypatch, identity):
    monkeypatch.setenv("PGOPTIONS", "-c role=nobody")  # no such role: it cannot connect
    with pytest.raises(BackupError, match=r"pg_dump failed\.\n.*nobody"):
        write_backup(tmp_path / "file", recipient=str(identity.to_public()))
    assert [path.name for path in tmp_path.iterdir()] == ["key"]
    assert not LogEntry.objects.filter(action="backup.write").exists()


@pytest.mark.database_role("owner")
@pytest.mark.django_db(transaction=True)
def test_on_a_full_disk_nothing_is_left_and_the_last_backup_stays(identity, tmp_path, monkeypatch):
    """/dev/full takes no byte, as a full disk: ENOSPC from the kernel at each write."""
    file = tmp_path / "office.backup"
    file.write_bytes(b"that of yesterday")

    def full(**_):
        (tmp_path / ".backup-full").touch()
        return os.open("/dev/full", os.O_WRONLY), str(tmp_path / ".backup-full")

    monkeypatch.setattr(tempfile, "mkstemp", full)
    with pytest.raises(CommandError, match="No space left on device"):
        call_command("backup", file, recipient=str(identity.to_public()))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["key", "office.backup"]
    assert file.read_bytes() == b"that of yesterday"
    assert not LogEntry.objects.filter(action="backup.write").exists()
