"""The benchmark at a small scale: it measures only what agrees, prints its table and leaves nothing behind."""

import os
import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from config.bench import limit, season
from config.bench.by_game import iccf
from config.bench.by_game.engines import measure_engines
from config.bench.by_game.whole_list import measure_list
from config.bench.database import PREFIX, scratch_database
from config.bench.list_pages import measure_list_pages
from config.bench.management.commands.bench_compare_rules import measure_comparisons
from config.bench.norms import measure_norms
from config.bench.sources import measure_sources
from ratings.models import RatingList
from tests import bench, bench_pages, bench_uploads
from tests.demonstration import demonstration

pytestmark = pytest.mark.django_db(transaction=True)


def bench_quarter() -> str:
    out = StringIO()
    call_command("bench_quarter", "--scale=300,1200", "--rounds=1", "--sample=30", stdout=out)
    return out.getvalue()


def databases_left() -> list[str]:
    """Of this process: another test run may be at the same benchmark."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [f"{PREFIX}{os.getpid()}_%"])
        return [name for (name,) in cursor.fetchall()]


def test_the_ways_agree_and_the_table_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    # FMJD-IDs have five digits: of 300 players from here on, 200 are beyond them.
    monkeypatch.setattr(season, "FIRST_NUMBER", 99_900)
    before = (connection.settings_dict["NAME"], connection.settings_dict["USER"])
    printed = bench_quarter()
    assert "ours and the limit the same" in printed
    assert "the figures of 30 players, player by player and ours the same" in printed
    for stage in ("read", "calculate", "list rows", "changes", "keys, foreign keys", "norms", "commit"):
        assert re.search(rf"^{stage} .*\d+\.\d\d$", printed, re.MULTILINE), stage
    ways = ("the raw limit", "ours", "player by player, without norms", "publish", "files of the list")
    for way in ways:
        assert re.search(rf"^{way} +[\d,]+ +[\d.,]+", printed, re.MULTILINE), way
    assert re.search(r"^change row a game: [\d,]+ rows/s +\d+\.\d\d ×", printed, re.MULTILINE)
    assert (connection.settings_dict["NAME"], connection.settings_dict["USER"]) == before
    assert databases_left() == []
    assert not RatingList.objects.exists()


def test_the_ways_to_search_norms_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(season, "FIRST_NUMBER", 99_000)
    with scratch_database() as owner:
        printed = "\n".join(measure_norms(owner, season.Scale(300, 1200), 1, 5))
    assert re.search(r"20 tournaments, \d+ participations; \d+ norms and near misses, the same", printed)
    for way in ("the raw limit", "ours", "player by player"):
        assert re.search(rf"^{way} +[\d,]+ +[\d.,]+", printed, re.MULTILINE), way


def test_a_list_of_a_source_is_read_as_it_was_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(season, "FIRST_NUMBER", 99_000)
    with scratch_database() as owner:
        printed = "\n".join(measure_sources(owner, season.Scale(300, 1200), 3_000, 1))
    assert "3,000 lines" in printed
    assert re.search(r"^import, three lists +[\d,.]+ ms +[\d.]+ × splitting", printed, re.MULTILINE)


def test_a_pool_by_its_own_rules_is_measured_beside_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(season, "FIRST_NUMBER", 99_000)
    with scratch_database() as owner:
        head, one, *others = measure_comparisons(owner, season.Scale(300, 2_400), 1)
    assert re.fullmatch(
        r"4 lists of \d+ players, 2,400 games in 40 tournaments; .* differs in nothing\.", head
    )
    assert re.fullmatch(r"one calculation, .* ms", one)
    assert len(others) == 5
    assert all(
        re.fullmatch(r"by the rules of \S+ +[\d,]+ ms +[\d.]+ × \(at most 6\)", line) for line in others
    )


def test_the_engines_of_two_federations_rate_the_same_games() -> None:
    *_, printed = measure_engines(season.Scale(500, 3_000), 1)
    assert re.search(r"^the KNSB's engine, LPR included +[\d,.]+ ms +[\d.]+ × ", printed)


def test_a_list_by_game_and_the_raw_limit_of_its_rows_agree() -> None:
    with scratch_database() as owner:
        head, *_, whole = measure_list(owner, season.Scale(300, 1_200), 1)
    assert "ours and the limit the same, row by row" in head
    assert re.search(r"^whole way, ms +[\d.]+ +[\d.]+ +[\d.]+ × ", whole)


def test_an_iccf_quarter_has_the_sums_of_all_games_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    with scratch_database() as owner:
        head, *_, whole = iccf.measure_quarter(owner, season.Scale(300, 1_200), iccf.Past(4_800, 12), 1)
    assert "with 4,800 past games on 12 lists" in head
    assert re.search(r"^whole way +[\d,]+ ms +[\d.]+ × ", whole)
    other = iccf.PAST.replace("array_agg(opponent_rating)", "array_agg(opponent_rating + 1)")
    monkeypatch.setattr(iccf, "PAST", other)
    with (
        pytest.raises(CommandError, match="are not those of their columns"),
        scratch_database() as owner,
    ):
        list(iccf.measure_quarter(owner, season.Scale(300, 1_200), iccf.Past(4_800, 12), 1))


def test_pages_of_a_longer_list_take_the_same_queries() -> None:
    head, *lines = measure_list_pages([300, 600], 1)
    assert re.fullmatch(r"entries +2\d\d  queries +5\d\d  queries   ratio", head)
    assert len(lines) == 18 + 2 + 18
    assert lines[19].split() == ["milliseconds", "kept", "known", "parts", "made", "no", "chunk"]
    assert all(re.fullmatch(r"\D+( +[\d.]+){5}", line) for line in lines[20:])
    for line in lines[:18]:
        queries = re.fullmatch(r"\D+[\d.]+ ms +(\d+) +[\d.]+ ms +(\d+) +[\d.]+", line)
        assert queries, line
        assert queries[1] == queries[2], line


def test_nothing_is_measured_when_the_ways_disagree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        limit,
        "CHANGES_WITH_DAYS",
        limit.CHANGES_WITH_DAYS.replace(
            "games, unrated_games,", "games, unrated_games + 1 AS unrated_games,"
        ),
    )
    with pytest.raises(CommandError, match=r"disagree: .* fmjd_change differ"):
        bench_quarter()
    assert databases_left() == []


def test_the_benches_of_a_demonstration_run_to_their_end(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]
) -> None:
    for name, few in {
        "UPLOADS": 2,
        "PLAYERS": 50,
        "READS": 6,
        "PREVIEWS": 1,
        "CHECKS": 1,
        "TIMES": 1,
    }.items():
        monkeypatch.setattr(bench_uploads, name, few)
    # `make bench` sets up Django, which leaves its role of the database in the environment.
    with demonstration(environment | {"DATABASE_ROLE": "worker"}) as (port, process, var):
        with bench_pages.web_process(var, environment) as (measured, web):
            head, *lines = bench_pages.measure(measured, web, var, seconds=0.1, rounds=1)
        uploads = list(bench_uploads.measure(port, process))
    assert head.split() == ["requests/s", "CPU", "ms", "of", "empty"]
    many = lines.pop(21)
    assert many.split() == ["64", "readers", "at", "once", "median", "ms", "99", "of", "100", "ratio"]
    assert len(lines) == 21 + 5
    assert all(re.fullmatch(r"\D+ +\d+ +[\d.]+ +[\d.]+", line) for line in lines), lines
    assert uploads[3].startswith("2 files of 50 players at once: ")
    assert uploads[4].endswith("answers {200: 2}")


def test_the_benches_of_reading_and_of_standings_run_to_their_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.run("reading").count(" s\n") == 38
    assert "21 of the sums, player by player" in bench.run("standings")


def test_every_bench_has_one_block_of_figures_in_the_page() -> None:
    page = bench.PAGE.read_text()
    for name in bench.BENCHES:
        assert bench.with_block(page, name, "figures\n").count("```\nfigures\n```") == 1, name
    with pytest.raises(ValueError, match="0 blocks for other"):
        bench.with_block(page, "other", "")
