"""A player is found, edited and shown again, by the links and forms of the pages."""

import pytest

from ratings.federations.fmjd.models import FmjdListRow
from reporting.models import PersonalData
from reporting.rules.names.normalize_name import sort_name
from tests.people import create_player, create_user
from tests.visitor import Visitor, text_of

pytestmark = [
    pytest.mark.database_role("web"), pytest.mark.usefixtures("season_shared", "cleared_rate_limits"),
]  # fmt: skip


def test_a_player_is_found_in_another_spelling_and_edited_with_a_history() -> None:
    player = create_player(
        number=98765, last_name="Müller", first_name="Annelotte", sort_name=sort_name("Müller", "Annelotte"),
        federation_id="NED", sex="W", birth_year=2001,
    )  # fmt: skip
    PersonalData.objects.create(player=player, born="2001-02-03")
    create_user(
        "nora@example.org", "Nora National", roles=["national_official"],
        federation_id="NED",
    )  # fmt: skip
    page = Visitor()
    page.log_in("nora@example.org", then="/office/players/")
    assert page.address == "/office/players/"
    assert page.link("Register", exact=True).get("aria-current") == "page"
    page.fill("Name or number", "annelot mueler")
    page.press("Show players")
    assert "1 player for “annelot mueler”" in page.text
    assert "spelt alike, in another order" in page.text
    page.open_link("Müller, Annelotte")
    page.open_link("Edit player")
    assert page.value("Last name") == "Müller"
    assert page.fields("Title") == []  # only for the office
    page.fill("Last name", "Möller")
    page.press("Show changes", status=400)
    assert "Write Moller, if that is the name." in page.text
    assert "The reason is missing." in page.text
    page.fill("Last name", "Moller")
    page.fill("Date of birth", "2001-02-04")
    page.fill("Reason", "Passport seen")
    page.press("Show changes")
    assert "The name changes from “Müller, Annelotte” to “Moller, Annelotte”." in page.text
    page.press("Back to the form")
    assert page.value("Reason") == "Passport seen"
    page.press("Show changes")
    page.press("Save changes")
    assert "Changes saved." in page.text
    tables = [text_of(table) for table in page.page.iter("table")]
    (history,) = (table for table in tables if table.startswith("Changes of the record, newest first"))
    for words in ("Nora National", "Passport seen", "Date of birth: known"):
        assert words in history, words
    assert "2001-02" not in history


def test_a_player_is_transferred_on_a_day_and_the_public_page_says_it() -> None:
    officer = create_user("olga@example.org", "Olga", roles=["rating_officer"])
    dutch = FmjdListRow.objects.filter(federation="NED", official_position__isnull=False)
    row = dutch.latest("list__in_force", "position")
    page = Visitor()
    page.log_in(officer.email, then=f"/office/players/{row.register_number}/")
    page.open_link("Transfer player")
    page.choose("New federation", "Belgium (BEL)", exact=True)
    page.fill("First day in the new federation", "2999-01-01")
    page.fill("Reason", "A letter of both federations")
    page.press("Show changes", status=409)
    assert "Nothing was changed. Enter a day from 1 Jan 1900 to" in page.text
    page.fill("First day in the new federation", "2026-03-03")
    page.press("Show changes")
    assert "Transfer from NED to BEL" in page.text
    for sentence in (
        "Lists with a closing date before 3 Mar 2026 keep the earlier federation, also when they are corrected.",
        "Lists with a closing date from 3 Mar 2026 on print BEL once they are calculated.",
        "published lists with a later closing date keep the federation that they printed.",
    ):
        assert sentence in page.text, sentence
    page.press("Back to the form")
    assert page.value("First day in the new federation") == "2026-03-03"
    page.press("Show changes")
    page.press("Transfer player")
    assert "Player transferred: BEL from 3 Mar 2026." in page.text
    assert "NED until 3 Mar 2026, then BEL" in page.text
    assert "Day of transfer" in page.text
    page.open(f"/players/{row.register_number}/")
    assert "Netherlands NED until 3 Mar 2026, then BEL" in page.text
    row.refresh_from_db()
    assert row.federation == "NED"
