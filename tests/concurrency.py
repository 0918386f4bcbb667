"""Several acts started at the same moment, each in a thread and on a connection of its own."""

import time
from collections.abc import Callable
from threading import Barrier, Thread

from django.db import connection


def run_concurrently(*acts: Callable[[], object]) -> list[object]:
    """What each act returned or raised, in their order."""
    barrier = Barrier(len(acts))
    outcomes: list[object] = [None] * len(acts)

    def run(place: int, act: Callable[[], object]) -> None:
        try:
            connection.ensure_connection()
            barrier.wait(30)
            outcomes[place] = act()
        except Exception as error:
            outcomes[place] = error
        finally:
            connection.close()

    threads = [Thread(target=run, args=numbered) for numbered in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return outcomes


def wait_until(condition: Callable[[], bool], seconds: float = 60) -> bool:
    """A machine may be busy: the wait is long, and nothing is judged by time."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.05)
    return condition()  # after the end too: this process itself may have been held up


def wait_for_lock(number: int = 1) -> None:
    """Until so many connections to this test's database wait for a lock; other tests have theirs on the same server."""
    with connection.cursor() as cursor:

        def waiting() -> int:
            cursor.execute("SELECT pg_stat_clear_snapshot()")  # a transaction sees the first one to its end
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            return int(cursor.fetchone()[0])

        assert wait_until(lambda: waiting() >= number), f"fewer than {number} connections wait for a lock"
