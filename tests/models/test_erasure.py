"""The one change of a sealed list: a person's name is erased by the owner's function, and nothing else.

Here by the owner; for the web a rating officer has to act: tests/pages/register/test_erasure_story.py.
"""

import gzip
import hashlib
import json

import brotli
import pytest
from django.db import connection
from psycopg.errors import InsufficientPrivilege, RestrictViolation

from ratings.federations.fmjd.models import FmjdListRow
from ratings.models import CompressedFile, PublishedFile, RatingList
from ratings.publishing.list_files import compress_files, fill_emptied_files
from ratings.publishing.published_files import published_files
from tests.models.sealed import ACCOUNTS, published_list, refused

DECOMPRESS = {"br": brotli.decompress, "gzip": gzip.decompress}


def all_rows() -> list[dict]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_jsonb(r) FROM fmjd_listrow r ORDER BY list_id, position")
        return [json.loads(row) for (row,) in cursor]


def erase(player_id: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT erase_player_name(%s)", [player_id])
        return cursor.fetchone()[0]


@pytest.mark.database_role("owner")
def test_erasing_a_person_takes_the_name_from_every_list_and_leaves_every_figure(season_shared):
    before = all_rows()
    person = (
        FmjdListRow.objects.filter(list=RatingList.objects.latest("in_force"))
        .order_by("position")[0]
        .player_id
    )
    listed = [row for row in before if row["player_id"] == person]
    assert len(listed) == 4  # the opening list and three quarters
    assert erase(person) == 4
    expected = [
        row | {"name": "Erased player", "sort_name": "erased player"} if row["player_id"] == person else row
        for row in before
    ]
    assert all_rows() == expected
    assert {row["name"] for row in listed} != {"Erased player"}


@pytest.mark.database_role("owner")
def test_after_an_erasure_the_figures_file_has_the_same_bytes_and_every_list_its_digest(season_shared):
    lists = list(RatingList.objects.select_related("pool").order_by("in_force"))
    assert len(lists) == 4
    for player in FmjdListRow.objects.filter(list=lists[-1], position__lte=20).values_list(
        "player_id", flat=True
    ):
        assert erase(player) > 0
    for rating_list in lists:
        again = {file.name: file for file in published_files(rating_list)}
        published = PublishedFile.objects.get(list=rating_list, name="figures.csv")
        assert bytes(again["figures.csv"].content) == bytes(published.content)
        assert again["figures.csv"].sha256 == published.sha256 == rating_list.sha256
        for name in ("games.csv", "tournaments.csv", "changes.csv"):
            assert again[name].sha256 == PublishedFile.objects.get(list=rating_list, name=name).sha256
        assert b"Erased player" in again["list.csv"].content  # made again, the files with names show it


@pytest.mark.database_role("owner")
def test_files_with_the_name_are_emptied_at_once_and_filled_without_it(season_shared):
    """A file that was read before another erasure is not filled in: its digest is another one by then.

    The compressed forms of these files go with the name, and are made of the new content.
    """
    compress_files()
    october, july = RatingList.objects.filter(state="published").order_by("-in_force")[:2]
    first, second = FmjdListRow.objects.filter(list=october).order_by("position")[:2]
    files = PublishedFile.objects.filter(list__in=[october, july]).order_by("pk")
    kept = {file.pk: bytes(file.content) for file in files if not file.has_names}
    assert erase(first.player_id) > 0
    emptied = list(files.filter(has_names=True))
    assert [(file.size, bytes(file.content)) for file in emptied] == [(0, b"")] * 8  # four forms of two lists
    assert not CompressedFile.objects.filter(file__in=emptied).exists()
    assert CompressedFile.objects.filter(file__in=kept).exists()
    assert erase(second.player_id) > 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT fill_emptied_file(%s, %s, 'x')", [emptied[0].pk, emptied[0].sha256])
        assert cursor.fetchone() == (False,)
    assert fill_emptied_files() >= 8
    assert fill_emptied_files() == 0
    # list.csv, list.json, list.txt of the four lists with them; not list.xlsx. Files of figures were compressed before.
    assert compress_files() == 12
    assert compress_files() == 0
    for file in files.all():
        content = bytes(file.content)
        for compressed in file.compressed.all():
            assert DECOMPRESS[compressed.encoding](bytes(compressed.content)) == content
        assert (file.size, file.sha256) == (len(content), hashlib.sha256(content).hexdigest())
        if file.has_names:
            assert first.name.encode() not in content
        else:
            assert content == kept[file.pk]
    assert b"Erased player" in bytes(files.get(list=october, name="list.csv").content)


@pytest.mark.database_role("owner")
def test_erasing_no_one_changes_nothing(season_shared):
    before = all_rows()
    assert erase(999_999_999) == 0
    assert all_rows() == before


@pytest.mark.parametrize(
    "change",
    [
        "name = 'Somebody Else'",
        "name = 'Erased player'",  # the sort name would still tell
        "name = 'Erased player', sort_name = 'erased player', rating = rating + 1",
        "name = 'Erased player', sort_name = 'erased player', birth_year = NULL",
        "name = 'Erased player', sort_name = 'erased player', player_id = player_id + 1",
        "name = 'Erased player', sort_name = 'erased player', position = position + 100000",
    ],
)
def test_even_the_owner_lets_through_the_erasure_and_nothing_next_to_it(session_of, change):
    with session_of("postgres") as owner:
        number = published_list(owner)
        one = f"UPDATE fmjd_listrow SET {{}} WHERE list_id = {number} AND position = 1"
        refused(owner, RestrictViolation, one.format(change))
        # The twin: the change that the function makes.
        assert owner.execute(one.format("name = 'Erased player', sort_name = 'erased player'")).rowcount == 1


def test_a_file_with_names_is_rewritten_by_the_owner_alone_and_the_signed_one_by_nobody(session_of):
    with session_of("postgres") as owner:
        number = published_list(owner)
        update = (
            f"UPDATE ratings_publishedfile SET content = 'x', sha256 = 'y', size = 1 WHERE list_id = {number}"
        )
        refused(owner, RestrictViolation, f"{update} AND name = 'figures.csv'")
        refused(owner, RestrictViolation, f"{update} AND name = 'changes.csv'")
        refused(
            owner,
            RestrictViolation,
            f"{update.replace('size = 1', 'size = 1, name = name')} AND NOT has_names",
        )
        assert owner.execute(f"{update} AND name = 'list.csv'").rowcount == 1
    for account in ACCOUNTS:
        with session_of(account) as session, pytest.raises(InsufficientPrivilege):
            session.execute(f"{update} AND name = 'list.csv'")
