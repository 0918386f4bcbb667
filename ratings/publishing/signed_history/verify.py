"""Check a folder of downloaded rating lists against the signed history of the office, without the office's site.

    pip install cryptography
    python verify.py FOLDER [--key KEY] [--key KEY]

FOLDER holds `signatures.jsonl` of the open data, and `figures.csv` of any lists, under any names. KEY is a public key
of the office in hexadecimal, from a place that a person who changes the site cannot: its repository, a letter, an
earlier download. Without one, the keys of the history itself are shown for you to compare.

Each line of `signatures.jsonl` is one statement with its Ed25519 signature. Statements are numbered without gaps, and
each states the SHA-256 of the one before, so none can be changed, dropped or added between others. A statement names a
published list with the SHA-256 of its `figures.csv`, or a new key of the office. It is signed by the key before; after
a loss by the new one, which you must give as KEY.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

HISTORY = "signatures.jsonl"
LIST, KEY, LOST_KEY = "list", "key", "lost key"


@dataclass
class History:
    """What a signed history states: the digest of each list by its address, its keys, its end, and what is wrong."""

    lists: dict[str, str] = field(default_factory=dict)
    keys: list[str] = field(default_factory=list)
    number: int = 0
    sha256: str = ""
    faults: list[str] = field(default_factory=list)

    @property
    def end(self) -> tuple[int, str]:
        return self.number, self.sha256


def read_history(lines: Iterable[str], trusted: Iterable[str] = ()) -> History:
    """Check each statement of a history: its number, the digest of the one before, and its signature.

    With `trusted` keys only these may sign. Every fault is found, not only the first.
    """
    history, key, known = History(), "", {one.lower() for one in trusted}
    for number, line in enumerate(lines, start=1):
        try:
            signed = json.loads(line)
            text, signature = signed["statement"], bytes.fromhex(signed["signature"])
            statement = json.loads(text)
            kind, signer = statement["kind"], statement["signed_by"]
            subject = [statement["list"], statement["sha256"]] if kind == LIST else [statement["key"]]
        except (KeyError, TypeError, ValueError) as error:
            history.faults.append(f"statement {number} cannot be read: {error!r}")
            continue
        if statement.get("number") != number:
            history.faults.append(f"statement {number} has the number {statement.get('number')}")
        if statement.get("previous") != history.sha256:
            history.faults.append(f"statement {number} does not follow the one before it")
        by_itself = kind == LOST_KEY or (kind == KEY and number == 1)
        expected = subject[0] if by_itself else key
        if signer != expected or not is_signed(text, signature, signer):
            history.faults.append(f"statement {number} is not signed by the key of the office")
        if by_itself and known and signer.lower() not in known:
            history.faults.append(f"statement {number} begins with the key {signer}, which you did not give")
        if kind == LIST:
            if subject[0] in history.lists:
                history.faults.append(f"statement {number} names {subject[0]} again")
            history.lists[subject[0]] = subject[1]
        else:
            key = subject[0]
            history.keys.append(key)
        history.number, history.sha256 = number, hashlib.sha256(text.encode()).hexdigest()
    return history


def is_signed(text: str, signature: bytes, key: str) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(signature, text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def figures_files(folder: Path) -> Iterator[tuple[Path, str, str]]:
    """Each figures file in a folder: its path, the address of its list as its revision knows it, its SHA-256."""
    for path in sorted(folder.rglob("*.csv")):
        content = path.read_bytes()
        header, _, rest = content.partition(b"\n")
        names = header.decode(errors="replace").strip().split(",")
        if "previous_sha256" in names:
            cells = rest.partition(b"\n")[0].decode(errors="replace").split(",")
            place = names.index("list") - len(names)  # from the end: a name before it may have a comma
            yield path, cells[place] if len(cells) >= len(names) else "?", hashlib.sha256(content).hexdigest()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--key", action="append", default=[], help="a public key of the office")
    asked = parser.parse_args()
    history = read_history((asked.folder / HISTORY).read_text(encoding="utf-8").splitlines(), asked.key)
    faults, found = list(history.faults), set()
    addresses = {digest: address for address, digest in history.lists.items()}
    for path, address, digest in figures_files(asked.folder):
        name = path.relative_to(asked.folder)
        if digest in addresses:
            found.add(addresses[digest])
            print(f"{name}: signed as {addresses[digest]}")
        else:
            faults.append(f"{name}: a list of {address} with this content was never signed")
    for address in sorted(history.lists.keys() - found):
        print(f"{address}: signed; its figures.csv is not in this folder")
    for key in history.keys:
        print(f"key of the office: {key}" + ("" if asked.key else " (compare it with one you trust)"))
    print(f"{history.number} statements, the last has the SHA-256 {history.sha256}")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
