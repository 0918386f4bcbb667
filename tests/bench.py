"""All benchmarks one after another, for `make bench`; with names, only those: ``python -m tests.bench quarter pages``.

What one prints becomes its block of figures in docs/reference/speed.md, with the day, the machine and how much else it
had to do.
"""

import os
import re
import subprocess
import sys
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference" / "speed.md"
WITH_DJANGO = "import django; django.setup(); from tests.{} import main; main()"
BENCHES = {
    "quarter": ("manage.py", "bench_quarter"),
    "norms": ("manage.py", "bench_norms"),
    "sources": ("manage.py", "bench_sources"),
    "knsb": ("manage.py", "bench_knsb"),
    "iccf": ("manage.py", "bench_iccf"),
    "compare-rules": ("manage.py", "bench_compare_rules"),
    "list-pages": ("manage.py", "bench_list_pages"),
    "standings": ("-m", "tests.bench_standings"),
    "world-cup": ("-m", "tests.bench_world_cup"),
    "pages": ("-m", "tests.bench_pages"),
    "reading": ("-c", WITH_DJANGO.format("bench_reading")),
    "uploads": ("-c", WITH_DJANGO.format("bench_uploads")),
    "pairing": ("-c", WITH_DJANGO.format("bench_pairing")),
}
APART = {"pairing"}
"""Has a target of its own: half an hour, and nothing else changes its figures."""


def run(name: str) -> str:
    """What a benchmark prints, which is shown meanwhile. Raises CalledProcessError for one that refuses to measure."""
    environment = os.environ | {"BENCH": "1", "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, *BENCHES[name]]
    lines = [
        f"{date.today():%-d %B %Y}, {os.cpu_count()} cores, load at the start {os.getloadavg()[0]:.1f}\n"
    ]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as bench:
        assert bench.stdout is not None
        for line in bench.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()
            lines.append(line)
    if bench.returncode:
        raise subprocess.CalledProcessError(bench.returncode, command)
    return "".join(lines)


def with_block(page: str, name: str, figures: str) -> str:
    """The page with these figures in the block that follows the mark of a benchmark. Raises ValueError without one."""
    mark = re.compile(rf"(<!-- make bench: {re.escape(name)} -->\n```\n).*?(```\n)", re.DOTALL)
    written, blocks = mark.subn(lambda found: found[1] + figures + found[2], page)
    if blocks != 1:
        raise ValueError(f"{PAGE} has {blocks} blocks for {name}")
    return written


def main(names: list[str]) -> None:
    for name in names or [each for each in BENCHES if each not in APART]:
        figures = run(name)
        PAGE.write_text(with_block(PAGE.read_text(), name, figures))


if __name__ == "__main__":
    main(sys.argv[1:])
