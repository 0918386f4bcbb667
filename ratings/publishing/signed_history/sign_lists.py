"""The signed history: the worker signs each published list, with a key that no other process has (decision 0143).

The folder of `settings.SIGNING_FOLDER` is the worker's alone. It holds the private key, all public keys that were ever
used, and the end of the history as the worker last wrote it, which the owner of the database cannot take back.
"""

import json
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from django.conf import settings
from django.db import connection, transaction
from django.db.models.functions import Now

from ratings.models import RatingList, SignedStatement
from ratings.publishing.notifications import notify_signed
from ratings.publishing.signed_history.verify import KEY, LIST, LOST_KEY, History, read_history
from reporting.refusals.domain_error import DomainError

logger = logging.getLogger(__name__)

HISTORY_LOCK = 9_091_021
SIGNED_WITHIN = timedelta(days=1)
"""After publication. The worker signs no older list by itself: none is to be put in between the others."""


@dataclass(frozen=True)
class SigningFolder:
    """The worker's files: each private key named after its public one, all public keys, the end of the history."""

    path: Path

    def key(self, public: str) -> Ed25519PrivateKey | None:
        """The private key of a public one; None where it is not there, or not of it."""
        file = self.path / f"{public}.pem"
        key = load_pem_private_key(file.read_bytes(), password=None) if file.exists() else None
        return key if isinstance(key, Ed25519PrivateKey) and public_key(key) == public else None

    def new_key(self) -> Ed25519PrivateKey:
        """Make and store a key, beside those there are."""
        key = Ed25519PrivateKey.generate()
        self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = self.path / f"{public_key(key)}.pem"
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as target:
            target.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        self.trust(public_key(key))
        return key

    def trust(self, *public: str) -> None:
        """Add to the public keys those that are not there."""
        self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        keys = dict.fromkeys([*self.public_keys(), *public])
        (self.path / "public-keys.txt").write_text("".join(f"{one}\n" for one in keys))

    def public_keys(self) -> list[str]:
        """Every public key that was ever used, in hexadecimal, oldest first."""
        file = self.path / "public-keys.txt"
        return file.read_text().split() if file.exists() else []

    def ends(self) -> list[tuple[int, str]]:
        """Number and SHA-256 of the last statement; of two where a process ended before it knew which was stored."""
        file = self.path / "end-of-history.json"
        return [(number, sha256) for number, sha256 in json.loads(file.read_text())] if file.exists() else []

    def store_ends(self, *ends: tuple[int, str]) -> None:
        draft = self.path / "end-of-history.new"
        draft.write_text(json.dumps(ends))
        draft.replace(self.path / "end-of-history.json")


def signing_folder() -> SigningFolder:
    return SigningFolder(Path(settings.SIGNING_FOLDER))


def public_key(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes_raw().hex()


def history_lines() -> Iterator[str]:
    """The lines of `signatures.jsonl`, in the order of their numbers. 1 query."""
    rows = SignedStatement.objects.order_by("number").values_list("content", "signature")
    for content, signature in rows.iterator():
        yield json.dumps({"statement": content, "signature": signature}, ensure_ascii=False)


def sign_lists(*, also_older: bool = False) -> int:
    """Sign the published lists that are not signed yet, oldest first; returns how many. May run any number of times.

    The first call begins the history with a new key and all lists published so far. Afterwards a list is signed within
    a day of its publication, an older one only with `also_older`, by a person who looked at it. Raises DomainError
    `no_signing_key` without the key, `history_changed` where the history is not as the worker left it.
    """
    waiting = RatingList.objects.filter(state=RatingList.State.PUBLISHED, signed=None)
    if not waiting.exists():
        return 0
    with _history_to_continue() as history:
        key = _key(history)
        if history.number == 0:
            _add(history, key, {"kind": KEY, "key": public_key(key)})
        elif not also_older:
            waiting = waiting.filter(published_at__gte=Now() - SIGNED_WITHIN)
        lists = list(waiting.select_related("pool").order_by("published_at", "pk"))
        for rating_list in lists:
            published_at = rating_list.published_at
            assert published_at is not None  # noqa: S101 (a constraint: every published list has one)
            subject = {
                "kind": LIST,
                "list": f"{rating_list.address}/r{rating_list.revision}",
                "sha256": rating_list.sha256,
                "published_at": published_at.isoformat(timespec="seconds"),
            }
            _add(history, key, subject, rating_list)
        if lists:
            notify_signed(list(history.lists)[-len(lists) :], history.number, history.sha256)
    return len(lists)


def replace_key(*, lost: bool = False) -> str:
    """Make a new key, stated in the history and signed by the one before; after a loss by itself. The new public key.

    Raises DomainError `no_signing_key` where the key is not there and `lost` is not said, `history_changed` as
    `sign_lists` does.
    """
    folder = signing_folder()
    with _history_to_continue(after_loss=lost) as history:
        before = None if lost or not history.number else _key(history)
        folder.trust(*history.keys)  # after a loss they may be gone with the key
        new = folder.new_key()
        _add(history, before or new, {"kind": LOST_KEY if lost else KEY, "key": public_key(new)})
    if before:
        (folder.path / f"{public_key(before)}.pem").unlink()
    return public_key(new)


@contextmanager
def _history_to_continue(*, after_loss: bool = False) -> Iterator[History]:
    """The history as the worker left it, for one process at a time. What is added to it is stored and copied.

    After a loss its end may be lost too.
    """
    folder = signing_folder()
    with transaction.atomic(durable=True):
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [HISTORY_LOCK])
        history = read_history(history_lines(), folder.public_keys())
        before, ends = history.end, folder.ends()
        if history.faults or (before not in ends if ends else history.number and not after_loss):
            raise DomainError("history_changed", number=history.number)
        yield history
        folder.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder.store_ends(before, history.end)
    folder.store_ends(history.end)
    copy_history()


def _key(history: History) -> Ed25519PrivateKey:
    """The key that signs; a new one for a history that begins. Raises DomainError `no_signing_key`."""
    if not history.keys:
        return signing_folder().new_key()
    key = signing_folder().key(history.keys[-1])
    if key is None:
        raise DomainError("no_signing_key", public=history.keys[-1])
    return key


def copy_history() -> None:
    """Write each statement that is not there yet to the second place, one file each; nothing where none is set."""
    if not settings.SIGNATURES_COPY:
        return
    try:
        for number, line in enumerate(history_lines(), start=1):
            with (
                suppress(FileExistsError),
                (Path(settings.SIGNATURES_COPY) / f"{number:06}.json").open("x") as file,
            ):
                file.write(line + "\n")
    except OSError:  # the nightly verification names what is missing there
        logger.exception("the signed history was not copied")


def _add(
    history: History, key: Ed25519PrivateKey, subject: dict[str, Any], rating_list: RatingList | None = None
) -> None:
    """Add a statement to the database, and to the history as it is after it."""
    statement = {
        "office": settings.OFFICE_URL.rstrip("/") or settings.DATA_ATTRIBUTION,
        "number": history.number + 1,
        "previous": history.sha256,
        **subject,
        "signed_by": public_key(key),
    }
    content = json.dumps(statement, ensure_ascii=False)
    signature = key.sign(content.encode()).hex()
    SignedStatement.objects.create(
        number=history.number + 1, list=rating_list, content=content, signature=signature
    )
    if rating_list is None:
        history.keys.append(subject["key"])
    else:
        history.lists[subject["list"]] = subject["sha256"]
    history.number, history.sha256 = history.number + 1, sha256(content.encode()).hexdigest()
