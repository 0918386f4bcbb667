"""A name is erased: pages about tournaments and other players forget it, and answer no reader with 304 who has it."""

import io

import pytest
from django.core.management import call_command

from ratings.federations.fmjd.models import FmjdListRow
from reporting.log.actions import reason_label
from reporting.models import LogEntry, Player, PlayerIdentity, ResultSet
from reporting.register.services.erase_name import erase_name

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database_role("owner")]


@pytest.mark.parametrize("erased", [31, 12])
def test_no_page_about_others_keeps_an_erased_name(office, client, erased):
    """31 is on no list: 11 won by forfeit, and the game with 32, who was not rated, counts for none of them (R8)."""
    office.opening("fmjd_id rating games\n11 2000 100\n12 2050 100")
    office.register(31, 32)
    office.accept("Open", [11, 12, 31, 32], ["1 1 2 2-0", "1 3 4 2-0", "2 1 3 2x0", "2 2 4 1-1"])
    office.run()
    player = Player.objects.get(numbers__fmjd=erased)
    assert FmjdListRow.objects.filter(player=player).exists() == (erased == 12)
    tournament = f"/tournaments/{ResultSet.objects.get().code}/"
    paths = [
        *(f"{tournament}{page}" for page in ("", "crosstable/", "rounds/", "changes/", "standings/1/")),
        *(f"{tournament}{page}" for page in ("standings.csv", "files/games.trf", "files/report.txt")),
        *(f"/api/v1{tournament}{page}/" for page in ("entries", "games", "standings", "crosstable")),
        *(f"/players/11/{page}" for page in ("", "tournaments/", "opponents/", "games.csv", "feed.atom")),
        *(f"/api/v1/players/11/{page}" for page in ("", "history/", "changes/fmjd-100/2026-04-01/")),
    ]
    before = {path: client.get(path) for path in paths}
    assert {answer.status_code for answer in before.values()} == {200}
    named = [path for path, answer in before.items() if player.last_name in answer.text]
    assert {f"{tournament}crosstable/", f"{tournament}standings.csv", "/players/11/"} <= {*named}
    erase_name(player=player, reason="Asked for it.", by=office.officer)
    for path in named:
        answer = client.get(path, headers={"If-None-Match": before[path]["ETag"]})
        assert answer.status_code == 200, path
        assert player.last_name not in answer.text, path


def test_names_erased_again_after_a_restore_have_a_reason_with_a_label(office, tmp_path):
    office.register(31)
    PlayerIdentity.objects.create(player=Player.objects.get(), register="national", number="7")
    erase_name(player=Player.objects.get(), reason="Asked for it.", by=office.officer)
    call_command("erasures", str(tmp_path / "list"), stdout=io.StringIO())
    assert (tmp_path / "list").read_text() == "fmjd 31\n"  # a national number is not unique
    Player.objects.update(last_name="Restored", sort_name="restored")
    call_command("erasures", "--apply", str(tmp_path / "list"), stdout=io.StringIO())
    entry = LogEntry.objects.latest("pk")
    assert (entry.reason, entry.subject) == ("erasures.apply", "player fmjd 31")
    assert str(reason_label(entry.reason)).startswith("Erased before; a backup")
