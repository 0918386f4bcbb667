"""Merge two records and undo it on the office's pages: who may, what is shown first, what a refusal keeps."""

import re
from datetime import date
from html import unescape
from http import HTTPStatus
from typing import Any

import pytest
from django.test import Client

from ratings.federations.fmjd.models import FmjdListRow
from ratings.models import PlayerHistory, PublishedFile, RatingList
from ratings.queries.merges import MergeNote
from ratings.templatetags.published_values import other_record
from reporting.log.audit import Actor
from reporting.models import Entry, LogEntry, Player, PlayerMerge, Role, User
from reporting.register.services.import_register import import_register
from reporting.register.services.merge_players import merge_players
from tests.pages.office.office_pages import as_shown
from tests.pages.published.published_pages import next_list
from tests.people import create_player, create_user, logged_in

pytestmark = [pytest.mark.django_db, pytest.mark.database_role("worker")]

REASON = "The new passport has <b>another</b> spelling."


def text_of(response: Any) -> str:
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))
    return unescape(re.sub(r" (?=[,.:;?])", "", words))


def people(count: int) -> list[Player]:
    """Players of the newest list who did not meet each other and play in no report still to be counted."""
    newest = RatingList.objects.filter(state="published", pool__code="fmjd-100").latest("in_force")
    played = FmjdListRow.objects.filter(list=newest, period_games__gt=0)
    rows = played.order_by("-position").select_related("player")
    uncounted = Entry.objects.filter(result_set__manifest_lines=None, player__isnull=False)
    waiting = uncounted.values_list("player", flat=True)
    chosen: list[Player] = []
    for row in rows.exclude(player__in=waiting.values("player")):
        met = Entry.objects.filter(
            player=row.player_id, result_set__entries__player__in=[player.pk for player in chosen]
        )
        if not met.exists():
            chosen.append(row.player)
        if len(chosen) == count:
            break
    return chosen


@pytest.fixture
def pair(season: None) -> tuple[Player, Player]:
    """Two records of the demonstration, the one with the lower number first."""
    first, second = sorted(people(2), key=lambda person: person.numbers["fmjd"])
    return first, second


def address(player: Player) -> str:
    return f"/office/players/{player.address}/merge/"


def row(player: Player) -> FmjdListRow:
    return FmjdListRow.objects.filter(player=player, list__pool__code="fmjd-100").latest("list__in_force")


def test_a_merge_is_forecast_done_published_and_undone(pair: tuple[Player, Player]) -> None:
    surviving, duplicate = pair
    officer = logged_in(Role.RATING_OFFICER)
    own, other = row(surviving), row(duplicate)
    files = {file.pk: bytes(file.content) for file in PublishedFile.objects.all()}
    lists = PlayerHistory.objects.filter(player=duplicate).count()

    page = officer.get(address(duplicate), {"with": surviving.address})
    shown = text_of(page)
    # The lower number is surviving unless asked otherwise.
    assert f"Merge {duplicate.address} into {surviving.address}" in shown
    # Neither plays in the running period: the rating stays that of the record surviving, the games are added.
    assert f"{own.rating} {own.games + other.games} games" in shown
    assert "No other player’s rating changes." in shown
    assert f"Published lists {PlayerHistory.objects.filter(player=surviving).count()} {lists} " in shown
    query = {"with": surviving.address, "surviving": duplicate.address}
    swapped = text_of(officer.get(address(duplicate), query))
    assert f"Merge {surviving.address} into {duplicate.address} " in swapped
    assert f"{other.rating} {own.games + other.games} games" in swapped

    typed = {"with": surviving.address, "surviving": surviving.address, "reason": REASON}
    stale = officer.post(address(duplicate), typed | {"shown": "0123456789abcdef"})
    assert (stale.status_code, PlayerMerge.objects.count()) == (HTTPStatus.CONFLICT, 0)
    assert "What this page shows has changed since you opened it." in text_of(stale)
    sent = as_shown(officer, address(duplicate), **typed)
    done = officer.post(address(duplicate), sent, follow=True)
    assert done.redirect_chain == [(f"/office/players/{surviving.address}/", HTTPStatus.FOUND)]
    assert f"Merged duplicate: {duplicate.printed_name}, {duplicate.address}; by Somebody" in text_of(done)
    assert REASON in text_of(done)
    merged = text_of(officer.get(f"/office/players/{duplicate.address}/"))
    assert f"Merged into: {surviving.printed_name}" in merged
    assert ["Possible duplicates" in page for page in (merged, text_of(done))] == [False, True]
    assert LogEntry.objects.filter(action="player.merge", reason=REASON).count() == 2
    # Public pages do not show it before a list was read with it.
    public = Client()
    assert "records merged" not in text_of(public.get(f"/players/{duplicate.address}/"))

    winter = next_list(RatingList.objects.get(pk=own.list_id).in_force.replace(year=2027, month=1))
    assert {file.pk: bytes(file.content) for file in PublishedFile.objects.exclude(list=winter)} == files
    assert row(surviving).games == own.games + other.games
    assert not FmjdListRow.objects.filter(list=winter, player=duplicate).exists()
    gone = text_of(public.get(f"/players/{duplicate.address}/?pool=fmjd-100"))
    assert "from the list of 1 Jan 2027, the games of this record count for" in gone
    linked = f'<a href="/players/{duplicate.address}/tournaments/">[^<]+</a> count for this record'
    assert re.search(linked, public.get(f"/players/{surviving.address}/").text)
    assert "1 duplicate record counts" in text_of(public.get(f"/lists/fmjd-100/{winter.in_force}/r1/"))

    undo_page = f"/office/merges/{PlayerMerge.objects.get().pk}/undo/"
    asked = text_of(officer.get(undo_page))
    assert f"Undo merge of {duplicate.address} into {surviving.address}" in asked
    assert REASON in asked
    sent = as_shown(officer, undo_page, reason="They met in Utrecht.")
    undone = officer.post(undo_page, sent, follow=True)
    assert undone.redirect_chain == [(f"/office/players/{duplicate.address}/", HTTPStatus.FOUND)]
    assert f"Merged into: {surviving.printed_name}" not in text_of(undone)
    assert "The merge is undone." in text_of(public.get(f"/players/{surviving.address}/"))
    again = officer.post(undo_page, {"reason": "Once more."})
    assert (again.status_code, "already undone" in text_of(again)) == (HTTPStatus.CONFLICT, True)


def test_each_value_that_differs_is_named_before_a_merge(season: None) -> None:
    """A value that one record lacks is not named: it contradicts nothing."""
    table = (
        "fmjd_id,last_name,first_name,federation,sex,born,title\n99001,Bakker,Jan,NED,M,1971,MF\n"
        "99002,Cisse,Awa,CIV,W,1990,MI\n99003,Bakker,Jan,NED,,,\n"
    )
    administrator = create_user("ada@example.org", "Ada", roles=[Role.ADMINISTRATOR])
    import_register(content=table.encode(), by=Actor(administrator))
    first, other, similar = Player.objects.filter(numbers__fmjd__gt=99000).order_by("numbers__fmjd")
    officer = logged_in(Role.RATING_OFFICER)
    shown = text_of(officer.get(address(first), {"with": other.address}))
    assert "The records differ in: Name, Federation, Sex, Year of birth, Titles." in shown
    assert "norms of both count for 99001" in shown
    assert "The records differ in" not in text_of(officer.get(address(first), {"with": similar.address}))
    assert "Player number of the other record" in text_of(officer.get(address(first)))


def test_a_merged_record_of_no_list_has_no_page_and_is_no_link() -> None:
    other = Player(last_name="Le<b>e", first_name="Ann", numbers={"fmjd": 19638})
    shown = [
        other_record(MergeNote(other, False, date(2026, 7, 1), None, listed)) for listed in (False, True)
    ]
    assert shown == [
        "Ann Le<b>e, 19638",  # the page escapes it
        '<a href="/players/19638/tournaments/">Ann Le&lt;b&gt;e, 19638</a>',
    ]


def test_an_unusable_number_is_refused_and_stays_in_the_form(pair: tuple[Player, Player]) -> None:
    surviving, _ = pair
    entry = Entry.objects.filter(player=surviving).first()
    assert entry is not None
    others = Entry.objects.filter(result_set=entry.result_set_id).exclude(player=surviving)
    met, client = others.select_related("player")[0].player.address, logged_in(Role.RATING_OFFICER)
    for typed, said in (
        ("99998", "No player has the player number “99998”."),
        ("0", "No player has"),
        ("eleven", "No player has the player number “eleven”."),
        ("1\x002", "No player has"),
        ("9" * 30, "No player has"),
        ("-7", "No player has"),
        (surviving.address, "These are not two records"),
        (met, "Both records play in"),
    ):
        for answer in (
            client.get(address(surviving), {"with": typed}),
            client.post(address(surviving), {"with": typed, "surviving": "x", "reason": REASON}),
        ):
            assert (answer.status_code, said in text_of(answer)) == (HTTPStatus.CONFLICT, True), typed
    assert PlayerMerge.objects.count() == 0


def test_nothing_is_merged_without_a_reason_that_can_be_stored(pair: tuple[Player, Player]) -> None:
    surviving, duplicate = pair
    client = logged_in(Role.TOURNAMENT_DIRECTOR)
    for reason in ("", " \n", "x" * 2001, "a\x00b"):
        post = {"with": duplicate.address, "surviving": duplicate.address, "reason": reason}
        answer = client.post(address(surviving), post)
        assert answer.status_code == HTTPStatus.BAD_REQUEST
        # The choice is not lost.
        assert f"Merge {surviving.address} into {duplicate.address} " in text_of(answer)
    assert PlayerMerge.objects.count() == 0


def test_unknown_records_and_merges_are_not_found(season: None) -> None:
    client = logged_in(Role.RATING_OFFICER)
    for path in ("/office/players/99998/merge/", "/office/merges/77/undo/", "/office/players/r999999/merge/"):
        assert client.get(path).status_code == HTTPStatus.NOT_FOUND


def test_games_of_a_duplicate_are_shown_and_can_be_questioned_with_the_surviving_record(season: None) -> None:
    """An accepted report of the open period has the duplicate; the next list counts it for the surviving record."""
    entry = (
        Entry.objects.filter(
            result_set__manifest_lines=None, result_set__seconds_for_60_moves__gte=1800,
            result_set__reports__state="accepted",
            player__in=FmjdListRow.objects.filter(games__gt=30).values("player"),
        )
        .select_related("player", "result_set")
        .first()
    )  # fmt: skip
    assert entry is not None
    duplicate = entry.player
    (surviving,) = (person for person in people(3)[-1:])
    officer = User.objects.get(email="officer@office.invalid")
    merge_players(duplicate=duplicate, surviving=surviving, reason=REASON, by=Actor(officer))
    newest = RatingList.objects.filter(state="published").latest("in_force")
    winter = next_list(newest.in_force.replace(year=2027, month=1))
    client = Client()
    of_player = client.get(f"/players/{surviving.address}/?list={winter.in_force}")
    assert entry.result_set.name in text_of(of_player)
    of_tournament = client.get(f"/tournaments/{entry.result_set.code}/")
    assert f"/players/{surviving.address}/" in of_tournament.content.decode()
    assert f"/players/{duplicate.address}/" not in of_tournament.content.decode()
    links = set(re.findall(r'/requests/new/\?about=[^"#]+', unescape(of_player.content.decode())))
    assert any(entry.result_set.code in link for link in links)
    for link in links:
        form = client.get(link)
        assert form.status_code == HTTPStatus.OK, link
    change = f"change:fmjd-100:{winter.in_force}:1:{entry.result_set.code}:{surviving.address}"
    doubted = client.get(f"/requests/new/?about={change}")
    assert doubted.status_code == HTTPStatus.OK


def test_the_page_says_which_merge_is_undone_first(season: None) -> None:
    surviving, first, second = people(3)
    office = Actor(create_user("office@example.org", "O", "x", roles=["rating_officer"]))
    merged = merge_players(duplicate=first, surviving=surviving, reason="x", by=office)
    merge_players(duplicate=second, surviving=surviving, reason="x", by=office)
    client, path = logged_in("rating_officer"), f"/office/merges/{merged.pk}/undo/"
    said = f"{second.address} was merged into {surviving.address} after this merge. Undo that merge first;"
    assert said in text_of(client.get(path))
    refused = client.post(path, as_shown(client, path, reason=REASON))
    assert refused.status_code == HTTPStatus.CONFLICT
    assert said in text_of(refused)
    assert "another&lt;/b&gt; spelling" in refused.content.decode()
    merged.refresh_from_db()
    assert merged.undone_at is None
    # The surviving record shows the reports of all three, a duplicate its own.
    for player, records in ((surviving, [surviving, first, second]), (first, [first])):
        reports = Entry.objects.filter(player__in=records).count()
        said = f"{reports} report Accepted" if reports == 1 else f"{reports} reports Accepted"
        assert reports > 0
        assert said in text_of(client.get(f"/office/players/{player.address}/"))


def test_the_surviving_record_has_the_number_that_lists_print(season: None) -> None:
    listed, _ = people(2)
    other = create_player(
        4711, "fide", last_name="Andernummer", first_name="Piet", sort_name="andernummer, piet",
        federation=listed.federation,
    )  # fmt: skip
    client = logged_in("rating_officer")
    path = "/office/players/fide-4711/merge/"
    assert other.address == "fide-4711"
    wrong_way = {"with": listed.address, "surviving": "fide-4711"}
    for refused in (client.get(path, wrong_way), client.post(path, wrong_way | {"reason": REASON})):
        assert refused.status_code == HTTPStatus.CONFLICT
        said = f"FIDE 4711 has no FMJD-ID, by which lists identify players. Keep the record {listed.address} instead."
        assert said in text_of(refused)
    assert not PlayerMerge.objects.exists()
    # Without a choice the record with that number survives, from the page of either.
    for address, typed in (("fide-4711", listed.address), (listed.address, "FIDE 4711")):
        shown = client.get(f"/office/players/{address}/merge/", {"with": typed})
        assert f"Merge FIDE 4711 into {listed.address}" in text_of(shown)
    done = client.post(path, as_shown(client, path, **{"with": listed.address}, reason=REASON))
    assert done.status_code == HTTPStatus.FOUND
    merge = PlayerMerge.objects.get()
    assert (merge.duplicate, merge.surviving) == (other, listed)


def test_a_record_with_duplicates_survives_even_with_the_higher_number(season: None) -> None:
    low, middle, high = sorted(people(3), key=lambda person: person.numbers["fmjd"])
    office = Actor(create_user("office@example.org", "O", "x", roles=["rating_officer"]))
    client = logged_in("rating_officer")
    path = f"/office/players/{high.address}/merge/"
    assert f"Merge {high.address} into {low.address}" in text_of(client.get(path, {"with": low.address}))
    merge_players(duplicate=middle, surviving=high, reason="x", by=office)
    shown = client.get(path, {"with": low.address})
    assert shown.status_code == HTTPStatus.OK
    assert f"Merge {low.address} into {high.address}" in text_of(shown)
