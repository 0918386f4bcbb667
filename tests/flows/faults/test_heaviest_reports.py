"""The heaviest legal report, previewed by ten and checked by eight at once: the memory of the web.

What a memory group counts is added up from /proc: private memory of each process, and what they share once.
"""

import os

import pytest

from tests.bench_uploads import demonstration, heaviest, peaks, words


@pytest.mark.skipif("MANY_FAULTS" not in os.environ, reason="two minutes: only in make test-faults")
def test_the_heaviest_reports_leave_the_web_within_its_memory(environment: dict[str, str]) -> None:
    with demonstration(environment) as (port, process):
        answered, lists, together = heaviest(port, process)
        largest = peaks(process)
    print(f"answers {dict(answered)}; list page {words(lists)}; together {max(together)} MB; each {largest}")  # noqa: T201
    assert set(answered) <= {200, 503}
    assert answered[200] > 1
    assert max(largest["web"]) < 300
    assert max(largest["readers"]) < 200
    assert max(together) < 1024
