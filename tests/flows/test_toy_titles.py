"""The titles of the toy federation, from report to published norm: nothing outside its folder knows its rule.

Who wins all games of a tournament, two at least, has a norm; two norms give the title of toy master.
"""

import csv
import io
from datetime import date
from unittest.mock import patch

import pytest
from django.core.management import call_command
from django.urls import reverse

from ratings.models import RatingList
from reporting.federations.registry import report_rules
from reporting.models import Player, Role
from tests.flows.test_toy_federation import assert_of_no_other_federation, logged_in, write_report
from tests.toy_federation.titles.installed import toy_titles_installed
from tests.visitor import Visitor
from titles.forecasts.forms import DetailsForm
from titles.models import Norm
from titles.norms.selectors import opponents_of
from titles.queries.ledgers import player_ledgers

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def toy(transactional_db, tmp_path):
    """The opening list, with 21 at 1000 and 22 at 1200."""
    with toy_titles_installed():
        (tmp_path / "register.csv").write_text(
            "toy_id,last_name,first_name,federation,sex,born\n"
            "21,Familya,Givena,NED,M,1990\n22,Familyb,Givenb,NED,W,1991\n"
        )
        (tmp_path / "list.csv").write_text("toy_id,rating,games\n21,1000,30\n22,1200,9\n")
        call_command("import_register", str(tmp_path / "register.csv"), "--register", "toy")
        call_command("import_list", str(tmp_path / "list.csv"), "--pool", "toy", "--in-force", "2025-01-01")
        yield


def report(tmp_path, name, first, games):
    folder = tmp_path / name
    write_report(
        folder, name, first, first, players=[(21, "a", ""), (22, "b", "")], games=games
    )  # fmt: skip
    call_command("import_reports", str(folder), "--accept")


def publish(tmp_path, name, first, in_force, games):
    report(tmp_path, name, first, games)
    return publish_draft(in_force)


def publish_draft(in_force):
    call_command("run_period", "toy", "--in-force", in_force, "--confirm-norms")
    return RatingList.objects.get(system="toy", in_force=in_force, state="published")


def progress():
    (ledger,) = player_ledgers([Player.objects.get(numbers__toy=21)])
    (of_discipline,) = ledger.disciplines
    (title,) = of_discipline.titles
    return title


@pytest.mark.usefixtures("toy", "cleared_rate_limits")
def test_a_toy_norm_goes_from_report_to_published_list_and_ledger(tmp_path, capsys):
    """21 wins both games in spring and in winter, and one of two in autumn: two norms, the title is due.

    A norm that is claimed for autumn is refused. No norm has a colour.
    """
    spring = publish(tmp_path, "Spring", date(2025, 2, 7), "2025-07-01", ["1,1,2,2-0", "2,2,1,0-2"])
    (row,) = csv.DictReader(io.StringIO(bytes(spring.files.get(name="norms.csv").content).decode()))
    assert (row["toy_id"], row["title"], row["games"], row["points_scored"]) == ("21", "TM", "2", "4")
    norm = Norm.objects.get(list=spring)
    assert [(met.round, met.player.numbers["toy"], met.points) for met in opponents_of(norm)] == [
        (1, 22, 2), (2, 22, 2)
    ]  # fmt: skip
    visitor = Visitor()
    visitor.open(reverse("title-norm", args=[norm.pk]))
    assert "2 games won, all that were played" in visitor.text
    assert visitor.page.find(".//h1").text == "Toy master (TM)"
    assert_of_no_other_federation(visitor)
    assert (progress().is_due, progress().missing) == (False, ["1 norm"])

    council = logged_in("Ada", Role.TITLE_COUNCIL)
    report(tmp_path, "Autumn", date(2025, 10, 3), ["1,1,2,2-0", "2,2,1,1-1"])
    call_command("run_period", "toy", "--in-force", "2026-01-01", "--draft")
    council.open(reverse("norm-claim", args=["toy", date(2026, 1, 1)]))
    assert council.page.find(".//select[@name='colour']") is None
    council.choose("Tournament", "Autumn (2025-autumn)")
    council.fill("Player number", "21")
    council.choose("Title", "TM")
    council.fill("Reason", "A draw was a win.")
    council.press("Claim norm")
    assert "1 won" in council.text
    council.fill("Reason", "It was a draw.")
    council.press("Refuse norm")
    autumn = publish_draft("2026-01-01")
    assert not autumn.files.filter(name="norms.csv").exists()
    publish(tmp_path, "Winter", date(2026, 2, 6), "2026-07-01", ["1,1,2,2-0", "2,2,1,0-2"])
    assert (progress().is_due, len(progress().norms)) == (True, 2)
    visitor.open("/players/toy-21/")
    assert "TM" in visitor.text
    visitor.open(reverse("title-points", args=["toy"]))
    assert "Those you know, with spaces between. " in visitor.text
    assert "Without a rating" not in visitor.text
    council.open(reverse("title-ledgers"))
    assert "Familya" in council.text
    council.open(reverse("title-ledger", args=["toy-21"]))
    assert "A norm counts for the toy master (toy 10)." in council.text
    assert_of_no_other_federation(council)
    with patch.object(report_rules("toy"), "disciplines", {"toy": "Toy board"}):
        form = DetailsForm()
        assert list(form.fields["discipline"].choices)[-1] == ("toy", "Toy board")
    call_command("find_norms", "--tournament", norm.result_set.code, "--explain")
    assert "2 games won, all that were played" in capsys.readouterr().out
    call_command("verify_lists", "--pool", "toy", "--recalculate")
    assert "4 lists, all as they were published" in capsys.readouterr().out
