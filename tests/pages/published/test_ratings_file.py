"""The ratings of a day as one file, for pairing programs."""

import csv
import io

import pytest
from django.test import Client

from ratings.models import RatingList
from reporting.log.acting_person import acting_as
from reporting.log.audit import Actor
from reporting.models import Player, Role
from reporting.models.register import ERASED_NAME
from reporting.register.services.erase_name import erase_name
from tests.pages.published.published_pages import revised
from tests.people import create_user

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("web")]


def address(day: str, file_format: str = "csv") -> str:
    return f"/lists/fmjd-100/ratings/{day}.{file_format}"


def test_it_has_every_player_of_the_list_in_force_on_the_day(client: Client, season_shared: None) -> None:
    """Lists come into force on 1 January, April, July and October 2026."""
    answer = client.get(address("2026-09-30"))
    assert answer["Content-Disposition"] == 'attachment; filename="fmjd-100_2026-07-01_r1_ratings.csv"'
    assert (answer["Content-Type"], answer["Access-Control-Allow-Origin"]) == ("text/csv; charset=utf-8", "*")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert list(rows[0]) == ["fmjd_id", "name", "title", "federation", "rating", "sex", "birth_year"]
    july = RatingList.objects.get(pool__code="fmjd-100", in_force="2026-07-01")
    stored = {row.register_number: row for row in july.rows.all()}
    ratings = {int(row["fmjd_id"]): int(row["rating"]) for row in rows}
    assert ratings == {number: row.rating for number, row in stored.items()}
    assert [row["name"] for row in rows] == [row.name for row in july.rows.order_by("name_position")]
    # The first day of the next list has that one; a coming day the newest.
    for day in ("2026-10-01", "2031-01-01"):
        assert "2026-10-01_r1" in client.get(address(day))["Content-Disposition"]
    known = client.get(address("2026-09-30"), headers={"If-None-Match": answer["ETag"]})
    assert known.status_code == 304
    for missing in (
        address("2025-12-31"), "/lists/fmjd-11/ratings/2026-10-01.csv", address("2026-10-01", "xml"),
    ):  # fmt: skip
        assert client.get(missing).status_code == 404


def test_as_text_it_has_the_columns_of_the_list_of_fide(client: Client, season_shared: None) -> None:
    head, *lines = client.get(address("2026-10-01", "txt")).text.splitlines()
    # As FIDE prints it: 15 characters, 61, 4, 4, 5, 5, 15, 4, 6, 4, 3, 6.
    assert head == (
        "ID Number      Name                                                         Fed Sex Tit  WTit OTit"
        "           FOA SRtng SGm SK B-day Flag"
    )
    player = Player.objects.at_address("13368")
    assert player is not None
    newest = RatingList.objects.get(pool__code="fmjd-100", in_force="2026-10-01")
    row = newest.rows.get(player=player)
    (line,) = (line for line in lines if line.startswith("13368 "))
    columns = (line[0:15], line[15:76], line[76:80], line[80:84], line[84:89], line[113:119], line[126:132])
    assert [column.strip() for column in columns] == [
        "13368", row.name, row.federation, "M", row.title, str(row.rating), str(row.birth_year),
    ]  # fmt: skip
    assert {line[80:84].strip() for line in lines} == {"M", "F"}


@pytest.mark.database_role("worker")
def test_a_correction_gives_the_newest_revision(client: Client, season: None) -> None:
    before = client.get(address("2026-10-01"))
    revised(RatingList.objects.get(pool__code="fmjd-100", in_force="2026-10-01"))
    corrected = client.get(address("2026-10-01"))
    assert "2026-10-01_r2" in corrected["Content-Disposition"]
    assert corrected["ETag"] != before["ETag"]


def test_an_erased_player_is_left_out(client: Client, season: None) -> None:
    assert "\n13368," in client.get(address("2026-10-01")).text
    player = Player.objects.at_address("13368")
    assert player is not None
    officer = create_user("o@example.org", "Olga", roles=[Role.RATING_OFFICER])
    with acting_as(officer):
        erase_name(player=player, reason="asked for by letter", by=Actor(officer))
    after = client.get(address("2026-10-01")).text
    assert ("\n13368," in after, ERASED_NAME in after) == (False, False)
