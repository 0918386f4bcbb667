"""What is published with a list: chained, complete enough to calculate it again, and never at odds with the pages.

The quarters of the demonstration: about six hundred players, thirteen tournaments or so in each.
"""

import csv
import gzip
import hashlib
import io
import subprocess
import sys
from collections import defaultdict
from datetime import date
from fractions import Fraction

import brotli
import pytest

from ratings.federations.fmjd.models import FmjdChange, FmjdListRow
from ratings.federations.fmjd.recompute import MissingFilesError, load, main, recompute
from ratings.models import PlayerHistory, Pool, PublishedFile, RatingList
from ratings.production.correct_list import correct_list
from ratings.production.run_period import run_period
from ratings.publishing.list_files import compress_files
from ratings.publishing.published_files import published_files
from reporting.log.audit import Actor
from reporting.models import Entry, PersonalData, Player, User
from reporting.register.services.merge_players import merge_players, undo_merge
from tests.pages.published.published_pages import pass_closing_date
from tests.services.correction_helpers import published_files_by_list, unseen_alterations

# A test that asks for `season` too gets a copy of its own.
pytestmark = pytest.mark.usefixtures("season_shared")

NAMES = {
    "calculation.csv", "figures.csv", "games.csv", "tournaments.csv", "changes.csv", "list.csv", "list.json",
    "list.txt", "list.xlsx",
}  # fmt: skip


def names_of(rating_list):
    """Each quarter of the demonstration has confirmed norms."""
    return NAMES if rating_list.is_opening else NAMES | {"lists-read.csv", "norms.csv", "decisions.csv"}


def lists():
    found = list(RatingList.objects.select_related("pool").order_by("in_force"))
    assert [rating_list.in_force for rating_list in found] == [
        date(2026, month, 1) for month in (1, 4, 7, 10)
    ]
    return found


def content(rating_list, name):
    return bytes(PublishedFile.objects.get(list=rating_list, name=name).content)


def table(rating_list, name):
    return list(csv.DictReader(io.StringIO(content(rating_list, name).decode())))


def test_every_list_has_its_files_each_with_its_digest_and_size():
    for rating_list in lists():
        files = PublishedFile.objects.filter(list=rating_list)
        assert {file.name for file in files} == names_of(rating_list)
        for file in files:
            assert file.sha256 == hashlib.sha256(bytes(file.content)).hexdigest()
            assert file.size == len(file.content) > 0
            assert file.has_names == file.name.startswith("list.")


def test_a_file_is_sent_as_its_reader_accepts_it_with_an_etag_for_each_encoding(client):
    october = lists()[-1]
    files = f"/lists/{october.address}/r1/files"
    spreadsheet, figures = f"{files}/list.xlsx", f"{files}/figures.csv"

    def asked(address, accepted, **headers):
        return client.get(address, headers={"Accept-Encoding": accepted, **headers})

    before = asked(figures, "br, gzip")
    assert "Content-Encoding" not in before
    compress_files()
    assert "Content-Encoding" not in asked(spreadsheet, "br, gzip")
    whole, by_gzip, by_brotli = (asked(figures, accepted) for accepted in ("identity", "gzip", "br, gzip"))
    assert (by_gzip["Content-Encoding"], by_brotli["Content-Encoding"]) == ("gzip", "br")
    assert gzip.decompress(by_gzip.content) == brotli.decompress(by_brotli.content) == whole.content
    assert whole.content == before.content == content(october, "figures.csv")
    assert whole["ETag"] == before["ETag"] == f'"{october.sha256}"'
    assert len({whole["ETag"], by_gzip["ETag"], by_brotli["ETag"]}) == 3
    for answer in (whole, by_gzip, by_brotli):
        assert (answer["Vary"], int(answer["Content-Length"])) == ("Accept-Encoding", len(answer.content))
        assert answer["Content-Type"] == "text/csv; charset=utf-8"
    # One ETag is not good for another encoding; nor is a range one of what is compressed.
    assert asked(figures, "br", **{"If-None-Match": by_brotli["ETag"]}).status_code == 304
    assert asked(figures, "gzip", **{"If-None-Match": by_brotli["ETag"]}).content == by_gzip.content
    part = asked(figures, "br, gzip", Range="bytes=0-6")
    assert (part.status_code, part.getvalue(), part["ETag"]) == (206, b"fmjd_id", whole["ETag"])


def test_a_file_without_names_says_which_list_it_is_its_closing_date_and_its_digests():
    """Closing dates are the 15th of the month before (R10); the opening list is calculated from nothing."""
    opening, *_, october = lists()
    (line,) = table(october, "calculation.csv")
    assert line == {
        "list": "fmjd-100/2026-10-01/r1", "in_force": "2026-10-01", "closing": "2026-09-15", "system": "fmjd",
        "edition": "annex-9-2024-04", "players": str(october.players), "tournaments": str(october.tournaments),
        "games": str(october.games), "sha256": october.sha256, "previous_sha256": october.previous_sha256,
        "input_sha256": october.input_sha256,
    }  # fmt: skip
    (line,) = table(opening, "calculation.csv")
    assert (line["closing"], line["input_sha256"]) == (opening.closing.isoformat(), "")


def test_the_digest_of_the_figures_file_is_the_list_s_and_both_signatures():
    for rating_list in lists():
        figures = hashlib.sha256(content(rating_list, "figures.csv")).hexdigest()
        assert figures == rating_list.sha256 == rating_list.approved_sha256 == rating_list.published_sha256


def test_each_figures_file_binds_the_list_before_it():
    before = ""
    for rating_list in lists():
        rows = table(rating_list, "figures.csv")
        assert rating_list.previous_sha256 == before
        assert (rows[0]["list"], rows[0]["previous_sha256"]) == (f"fmjd-100/{rating_list.in_force}", before)
        assert {(row["list"], row["previous_sha256"]) for row in rows[1:]} == {("", "")}
        before = hashlib.sha256(content(rating_list, "figures.csv")).hexdigest()


def test_the_files_made_again_today_are_those_of_the_day_of_publication():
    for rating_list in lists():
        again = {file.name: bytes(file.content) for file in published_files(rating_list)}
        assert again == {name: content(rating_list, name) for name in names_of(rating_list)}


def test_the_change_of_each_row_is_its_rating_less_the_one_before():
    newcomers = 0
    earlier, *later = lists()
    assert not FmjdListRow.objects.filter(list=earlier, change__isnull=False).exists()
    for rating_list in later:
        before = dict(FmjdListRow.objects.filter(list=earlier).values_list("player_id", "rating"))
        for row in FmjdListRow.objects.filter(list=rating_list):
            if row.player_id in before:
                assert row.change == row.rating - before[row.player_id]
            else:
                assert row.change is None
                newcomers += 1
        assert set(before) <= set(rating_list.rows.values_list("player_id", flat=True))
        earlier = rating_list
    assert newcomers > 0


def test_what_a_player_gains_between_two_lists_is_the_sum_of_their_shown_changes():
    """Whole-number rating before + every ΔR shown = running value, rounded half upwards = rating after (R9). Where a
    performance is provisional the running value shown after it takes the place of the sum.
    """
    summed = provisional = 0
    for rating_list in lists()[1:]:
        rows = {row.player_id: row for row in FmjdListRow.objects.filter(list=rating_list)}
        changes = defaultdict(list)
        for change in FmjdChange.objects.filter(list=rating_list).order_by("player_id", "sequence"):
            changes[change.player_id].append(change)
        assert changes
        for player, row in rows.items():
            mine = changes.pop(player, [])
            running = (row.rating - row.change) * 10_000 if row.change is not None else None
            assert row.period_games == sum(change.games for change in mine)
            for place, change in enumerate(mine):
                assert (change.sequence, change.before_e4) == (place, running)
                if change.method == "change":
                    running += change.delta_e4
                    summed += 1
                else:
                    running = change.after_e4
                    provisional += 1
                assert change.after_e4 == running
            assert row.rating == (running + 5_000) // 10_000
        assert not changes  # no one has changes who is not on the list
    assert summed > 500
    assert provisional > 50


def test_the_published_table_of_changes_shows_the_same_figures_by_player():
    for rating_list in lists()[1:]:
        shown = table(rating_list, "changes.csv")
        stored = FmjdChange.objects.filter(list=rating_list).order_by("player__numbers__fmjd", "sequence")
        assert len(shown) == stored.count() > 0
        for line, change in zip(shown, stored.select_related("player", "result_set"), strict=True):
            assert (line["fmjd_id"], line["tournament"]) == (change.player.address, change.result_set.code)
            assert Fraction(line["after"]) * 10_000 == change.after_e4
            if change.method == "change":
                assert Fraction(line["delta"]) * 10_000 == change.delta_e4


# --- calculated again from the files alone


def test_anybody_can_calculate_all_lists_again_from_the_published_files_alone(client, tmp_path):
    """As a reader does: the program and the files are loaded, and it runs where nothing of the office is."""
    files = published_files_by_list()
    newest = max(files)
    loaded = load(f"/lists/{newest}/", lambda address: found(client.get(address)))
    assert loaded == {
        address: {name: content for name, content in of_list.items() if not name.startswith("list.")}
        for address, of_list in files.items()
    }
    program = tmp_path / "recompute.py"
    program.write_bytes(client.get("/method/fmjd/recompute.py").content)
    for address, of_list in loaded.items():
        # The newest one as in the addresses of its files.
        folder = tmp_path / address / ("files" if address == newest else "")
        folder.mkdir(parents=True)
        for name, content in of_list.items():
            (folder / name).write_bytes(content)
    run = subprocess.run(
        [sys.executable, "-I", "-S", program, "."], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
    figures_lines, given = run.stdout.split("Taken as given:\n")
    assert "games.csv: round date white_id black_id result game\n" in given
    *each, total = figures_lines.splitlines()
    assert [line.split(":")[0] for line in each] == sorted(files)
    figures = sum(
        len(table(rating_list, "figures.csv")) * 12 + len(table(rating_list, "changes.csv")) * 13
        for rating_list in lists()
    )
    same = int(total.split()[2])
    assert total == f"4 lists: {same} figures the same, 0 different"
    assert same > figures
    for rating_list in lists()[1:]:
        changes = table(rating_list, "changes.csv")
        assert sum(line["method"] == "change" for line in changes) > 100
        assert sum(line["method"] == "provisional" for line in changes) > 5


def found(response):
    return None if response.status_code == 404 else response.content


def test_files_that_are_missing_are_named(tmp_path, capsys):
    assert main(str(tmp_path)) == 2
    assert "no lists in" in capsys.readouterr().err
    files = published_files_by_list()
    july = sorted(files)[2]
    del files[july]
    with pytest.raises(MissingFilesError, match=f"needs {july}"):
        recompute(files)


def test_the_recalculation_sees_every_altered_cell_or_says_that_it_takes_it_as_given():
    files = published_files_by_list()
    assert unseen_alterations(files, max(files), [7]) == []


def by(name):
    return Actor(User.objects.get(email=f"{name}@office.invalid"), by_command=True)


def run(in_force):
    """The list of that day, published with its norms confirmed."""
    pool = Pool.objects.get(code="fmjd-100")
    pass_closing_date(pool, in_force)
    actors = {"by": by("officer"), "releaser": by("releaser")}
    return run_period(pool=pool, in_force=in_force, reason="a test", confirm_norms=True, **actors)


def test_so_can_it_a_revision_and_the_list_that_carried_what_it_changed(season):
    """July without one of its tournaments; October rests on July's first revision; January carries the difference."""
    july, october = (RatingList.objects.get(in_force=day) for day in (date(2026, 7, 1), date(2026, 10, 1)))
    excluded = ["2026-bologna-veterans-cup"]
    correct_list(
        rating_list=july, reason="March.", later="carry", by=by("officer"), excluded_tournaments=excluded
    )
    stored = {file.name: bytes(file.content) for file in july.files.all()}
    revision, january = run(july.in_force), run(date(2027, 1, 1))
    assert {file.name: bytes(file.content) for file in july.files.all()} == stored  # the first revision stays
    for rating_list, name in ((revision, "differences.csv"), (january, "carried.csv")):
        assert set(rating_list.files.values_list("name", flat=True)) == names_of(july) | {name}
    assert recompute(published_files_by_list()).different == []
    for rating_list in (july, october, revision, january):
        assert sum(line["method"] == "change" for line in table(rating_list, "changes.csv")) > 10

    old, new = (
        {row["fmjd_id"]: row for row in table(rating_list, "figures.csv")} for rating_list in (july, revision)
    )
    differences = table(revision, "differences.csv")
    columns = differences[0].keys() - {"fmjd_id"}
    assert len(columns) == 16
    compared = {column.rpartition("_")[0] for column in columns}
    no_line = defaultdict(str)
    expected = {}
    for fmjd_id in old.keys() | new.keys():
        before, after = old.get(fmjd_id, no_line), new.get(fmjd_id, no_line)
        if any(before[name] != after[name] for name in compared):
            cells = {f"{name}_before": before[name] for name in compared}
            expected[fmjd_id] = cells | {f"{name}_after": after[name] for name in compared}
    assert {line.pop("fmjd_id"): line for line in differences} == expected
    assert len(expected) > 10

    lines = table(january, "carried.csv")
    carried = {line["fmjd_id"]: (int(line["rating"]), int(line["games"])) for line in lines}
    assert {line["corrections"] for line in lines} == {"fmjd-100/2026-07-01/r2"}
    assert carried == {
        fmjd_id: tuple(
            int(cells[f"{name}_after"] or 0) - int(cells[f"{name}_before"] or 0)
            for name in ("rating", "games")
        )
        for fmjd_id, cells in expected.items()
        if any(cells[f"{name}_before"] != cells[f"{name}_after"] for name in ("rating", "games"))
    }


def test_so_can_it_a_list_read_with_merges_and_one_after_they_were_separated(season):
    """January reads four records as two persons, three of them with games in it; April has them as four again."""
    officer = by("officer")
    october = RatingList.objects.get(in_force=date(2026, 10, 1))
    listed = set(FmjdListRow.objects.filter(list=october).values_list("player_id", flat=True))
    waiting = Entry.objects.filter(result_set__manifest_lines=None, player__in=listed)
    playing = Player.objects.filter(pk__in=waiting.values("player")).order_by("numbers__fmjd")
    surviving, *others = playing
    merges = []
    for duplicate in others:
        met = Entry.objects.filter(player=duplicate, result_set__entries__player=surviving)
        if not met.exists() and len(merges) < 2:
            merges.append(merge_players(duplicate=duplicate, surviving=surviving, reason="One.", by=officer))
            surviving = playing.exclude(pk__in=[duplicate.pk, surviving.pk]).last()
    assert len(merges) == 2

    files = {file.pk: bytes(file.content) for file in PublishedFile.objects.all()}
    january = run(date(2027, 1, 1))
    assert {file.pk: bytes(file.content) for file in PublishedFile.objects.exclude(list=january)} == files
    merged = table(january, "merged.csv")
    assert [line["state"] for line in merged] == ["merged", "merged"]
    assert {line["fmjd_id"] for line in merged} == {merge.duplicate.address for merge in merges}
    assert sum(line["method"] == "change" for line in table(january, "changes.csv")) > 10
    for merge in merges:
        undo_merge(merge=merge, reason="Two.", by=officer)
    april = run(date(2027, 4, 1))
    assert [line["state"] for line in table(april, "merged.csv")] == ["undone", "undone"]
    assert recompute(published_files_by_list()).different == []
    # All games that October counted are counted still, and so are those of January.
    in_all = [
        sum(int(row["games"]) for row in table(rating_list, "figures.csv"))
        for rating_list in (october, january, april)
    ]
    of_january = sum(int(row["period_games"]) for row in table(january, "figures.csv"))
    assert in_all == [in_all[0], in_all[0] + of_january, in_all[0] + of_january]


# --- what is in them


def test_the_figures_and_every_file_without_names_hold_no_name():
    names = set(Player.objects.values_list("last_name", flat=True))
    assert len(names) > 100
    for rating_list in lists():
        for name in ("figures.csv", "games.csv", "changes.csv"):
            words = set(content(rating_list, name).decode().replace("\n", ",").split(","))
            assert not words & names
        assert names & {row["name"].split(", ")[0] for row in table(rating_list, "list.csv")}  # the twin


def test_no_file_holds_a_day_of_birth():
    """In four ways of writing it; the days of tournaments are in the same files, so a whole line is looked at."""
    days = {
        born.strftime(form)
        for born in PersonalData.objects.values_list("born", flat=True)
        for form in ("%Y-%m-%d", "%d/%m/%Y", "%d.%m.%Y", "%Y%m%d")
        if born.year < 2020
    }
    assert len(days) > 400
    for rating_list in lists():
        for name in names_of(rating_list) - {"list.xlsx"}:
            text = content(rating_list, name).decode()
            assert not [day for day in days if day in text]


def test_the_tournaments_are_those_of_the_manifest_with_the_digest_of_their_report():
    for rating_list in lists()[1:]:
        lines = table(rating_list, "tournaments.csv")
        shown = {(line["code"], line["report_sha256"], line["pool"]) for line in lines}
        manifest = rating_list.period.manifest.select_related("result_set", "version")
        assert shown == {
            (line.result_set.code, hashlib.sha256(bytes(line.version.content)).hexdigest(), "fmjd-100")
            for line in manifest
        }
        assert len(shown) == rating_list.tournaments


def test_a_player_s_history_repeats_every_published_list():
    columns = ("player_id", "rating", "change", "period_games", "games", "category", "rank", "official_rank")
    for rating_list in lists():
        rows = FmjdListRow.objects.filter(list=rating_list).values_list(*columns)
        assert set(PlayerHistory.objects.filter(list=rating_list).values_list(*columns)) == set(rows)
        assert PlayerHistory.objects.filter(list=rating_list).count() == rating_list.players


def test_a_list_counts_itself_rightly():
    for rating_list in lists():
        rows = FmjdListRow.objects.filter(list=rating_list)
        assert rating_list.players == rows.count()
        assert rating_list.official_players == rows.filter(official_position__isnull=False).count()
        played = [game for game in table(rating_list, "games.csv") if "-" in game["result"]]
        assert rating_list.games == sum(bool(game["white_id"] and game["black_id"]) for game in played)
        for name in ("position", "name_position", "official_position"):
            places = rows.filter(**{f"{name}__isnull": False}).values_list(name, flat=True)
            assert sorted(places) == list(range(1, len(places) + 1))
