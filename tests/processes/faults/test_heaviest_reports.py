"""The heaviest legal report, previewed by ten and checked by eight at once: the memory of the web.

What a memory group counts is added up from /proc: private memory of each process, and what they share once.
"""

import os
from pathlib import Path

import pytest

from tests.bench_uploads import heaviest, peaks, words
from tests.demonstration import ROOT, demonstration

many_faults = pytest.mark.skipif(
    "MANY_FAULTS" not in os.environ, reason="two minutes: only in make test-faults"
)
# Every Python of the demonstration reads it at its start, but for the readers, which are isolated.
WITHOUT_PLACES = """
import sys
sys.path.insert(0, {root!r})
from reporting.reports.reading import read_file
read_file._take_place = read_file._at_work.append
"""


@many_faults
def test_the_heaviest_reports_leave_the_web_within_its_memory(environment: dict[str, str]) -> None:
    """Sent twice: what the first leaves in the processes would add up."""
    with demonstration(environment) as (port, process, _):
        for _batch in range(2):
            answered, lists, together = heaviest(port, process)
            largest = peaks(process)
            print(  # noqa: T201
                f"answers {dict(answered)}; list page {words(lists)}; together {max(together)} MB; each {largest}"
            )
    assert set(answered) <= {200, 503}
    assert answered[200] > 1
    assert max(largest["web"]) < 300
    assert max(largest["readers"]) < 200
    assert max(together) < 1024


@many_faults
@pytest.mark.twin
def test_twin_without_places_readers_wait_for_heavy_reports(
    environment: dict[str, str], tmp_path: Path
) -> None:
    """The guard off: none is refused, all threads are taken, and four readers of a process work at once."""
    (tmp_path / "sitecustomize.py").write_text(WITHOUT_PLACES.format(root=str(ROOT)))
    with demonstration(environment | {"PYTHONPATH": str(tmp_path)}) as (port, process, _):
        answered, lists, together = heaviest(port, process)
    print(f"answers {dict(answered)}; list page {words(lists)}; together {max(together)} MB")  # noqa: T201
    assert set(answered) == {200}
    assert max(lists) > 1
