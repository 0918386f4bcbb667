"""The benchmark at a small scale: it measures only what agrees, prints its table and leaves nothing behind."""

import os
import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from config.bench import limit, season
from config.bench.database import PREFIX, scratch_database
from config.bench.list_pages import measure_list_pages
from config.bench.norms import measure_norms
from ratings.models import RatingList

pytestmark = pytest.mark.django_db(transaction=True)


def bench() -> str:
    out = StringIO()
    call_command("bench_quarter", "--scale=300,1200", "--rounds=1", "--sample=30", stdout=out)
    return out.getvalue()


def databases_left() -> list[str]:
    """Of this process: another test run may be at the same benchmark."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE datname = %s", [f"{PREFIX}{os.getpid()}"])
        return [name for (name,) in cursor.fetchall()]


def test_the_ways_agree_and_the_table_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    # FMJD-IDs have five digits: of 300 players from here on, 200 are beyond them.
    monkeypatch.setattr(season, "FIRST_NUMBER", 99_900)
    before = (connection.settings_dict["NAME"], connection.settings_dict["USER"])
    printed = bench()
    assert "ours and the limit the same" in printed
    assert "the figures of 30 players, player by player and ours the same" in printed
    for stage in ("read", "calculate", "list rows", "changes", "keys, foreign keys", "commit"):
        assert re.search(rf"^{stage} .*\d+\.\d\d$", printed, re.MULTILINE), stage
    for way in ("the raw limit", "ours", "player by player"):
        assert re.search(rf"^{way} +[\d,]+ +[\d.,]+", printed, re.MULTILINE), way
    assert (connection.settings_dict["NAME"], connection.settings_dict["USER"]) == before
    assert databases_left() == []
    assert not RatingList.objects.exists()


def test_the_ways_to_search_norms_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(season, "FIRST_NUMBER", 99_000)
    with scratch_database() as owner:
        printed = "\n".join(measure_norms(owner, season.Scale(300, 1200), 1, 5))
    assert re.search(r"20 tournaments, \d+ participations; \d+ norms and near misses, the same", printed)
    for way in ("ratings, without norms", "the raw limit", "ours", "player by player"):
        assert re.search(rf"^{way} +[\d,]+ +[\d.,]+", printed, re.MULTILINE), way


def test_pages_of_a_longer_list_take_the_same_queries() -> None:
    head, *lines = measure_list_pages([300, 600], 1)
    assert re.fullmatch(r"entries +2\d\d  queries +5\d\d  queries   ratio", head)
    assert len(lines) == 16 + 2 + 16
    assert lines[17].split() == ["milliseconds", "kept", "known", "parts", "made", "no", "chunk"]
    assert all(re.fullmatch(r"\D+( +[\d.]+){5}", line) for line in lines[18:])
    for line in lines[:16]:
        queries = re.fullmatch(r"\D+[\d.]+ ms +(\d+) +[\d.]+ ms +(\d+) +[\d.]+", line)
        assert queries, line
        assert queries[1] == queries[2]


def test_nothing_is_measured_when_the_ways_disagree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        limit,
        "CHANGES_WITH_DAYS",
        limit.CHANGES_WITH_DAYS.replace(
            "games, unrated_games,", "games, unrated_games + 1 AS unrated_games,"
        ),
    )
    with pytest.raises(CommandError, match=r"disagree: .* fmjd_change differ"):
        bench()
    assert databases_left() == []
