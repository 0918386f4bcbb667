"""The ledger of a player from norms on published lists (art. 4.6 to 9; R33a, R38, R39)."""

from collections import defaultdict
from datetime import date

import pytest

from ratings.models import PlayerHistory
from reporting.log.audit import Actor
from reporting.models import Player, PlayerMerge, PlayerTitle, Role, User
from tests.norms import give_norm, give_norms, published_lists
from tests.people import create_user
from titles.applications.evidence import requirements_of
from titles.applications.submit_application import submit_application
from titles.federations.registry import rules_of_titles
from titles.ledger.selectors import players_with_norms
from titles.models import NormDecision
from titles.queries.ledgers import DisciplineLedger, TitleProgress, awards_on, player_ledgers

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("season_shared")]
FMJD_100 = {"awarded_by": "fmjd", "discipline": "100"}


@pytest.fixture
def council() -> User:
    return create_user("council@example.org", "Cleo Council", roles=[Role.TITLE_COUNCIL])


@pytest.fixture
def player() -> Player:
    """A man without a title whose highest rating is below 2250."""
    return player_of("M", below=2250)


def player_of(sex: str, below: int = 3000) -> Player:
    """A player of the newest list without norms and titles."""
    found = Player.objects.filter(sex=sex, titles=None, norms=None, history__list=published_lists()[-1])
    return found.filter(history__rating__lt=below).order_by("pk").first()


def ledger_of(player: Player, discipline: str = "100") -> DisciplineLedger:
    (found,) = player_ledgers([player])
    return next(each for each in found.disciplines if each.discipline == discipline)


def progress(player: Player, title: str) -> TitleProgress:
    return next(each for each in ledger_of(player).titles if each.title == title)


def test_a_player_without_norms_and_titles_has_no_ledger(player: Player) -> None:
    (found,) = player_ledgers([player])
    assert found.disciplines == []


def test_what_a_title_lacks_is_said_in_words(player: Player, council: User) -> None:
    """MI: 3 norms, 25 games, one of them red, 2250 once. There are 2 black norms of 9 + 10 games."""
    give_norms(player, "MI black 9", "MI black 10", by=council)
    found = progress(player, "MI")
    assert found.missing == ["1 norm", "6 games", "1 red norm", "a rating of 2250 once"]
    assert not found.is_due
    # MF: 3 norms, 20 games, no red one and no rating.
    assert progress(player, "MF").missing == ["1 norm", "1 game"]
    assert progress(player, "CMF").is_due_by_norms


def test_only_confirmed_norms_of_published_lists_count(player: Player, council: User) -> None:
    give_norm(player, "MF black 9", by=council, confirmed=None)
    give_norm(player, "MF black 9", by=council, confirmed=False)
    (found,) = player_ledgers([player])
    assert found.disciplines == []
    norm = give_norm(player, "MF black 9", by=council)
    assert ledger_of(player).norms == [norm]
    NormDecision.objects.create(norm=norm, is_confirmed=False, reason="A game was not played.", by=council)
    assert player_ledgers([player])[0].disciplines == []


def test_a_title_gained_through_norms_keeps_them(player: Player, council: User) -> None:
    """Art. 4.6: MF was gained by three MI norms, so MI needs new ones; a title from elsewhere uses none here."""
    from titles.models import TitleApplication

    norms = give_norms(player, "MI red 9", "MI black 9", "MI black 9", by=council)
    title = PlayerTitle.objects.create(player=player, title="MF", registered_on=date(2026, 9, 1), **FMJD_100)
    assert progress(player, "MI").missing == ["a rating of 2250 once"]
    TitleApplication.objects.create(
        player=player, federation_id=player.federation_id, title="MF", basis="norms", evidence={},
        state="registered", submitted_by=council, player_title=title, **FMJD_100,
    )  # fmt: skip
    found = progress(player, "MI")
    assert found.missing[:3] == ["3 norms", "25 games", "1 red norm"]
    assert {title: {norm.pk for norm in held} for title, held in found.held} == {"MF": {n.pk for n in norms}}
    assert ledger_of(player).serving == {norm.pk: "MF" for norm in norms}
    # A new MF norm frees one MI norm, so that two are missing; also one that was not needed when it was found (R41).
    spare = {"is_needed": False, "confirmed": None}
    freeing = give_norm(player, "MF black 9", by=council, **spare)
    assert progress(player, "MI").missing[0] == "2 norms"
    assert ledger_of(player).serving[freeing.pk] == "MF"
    # Not a CMF norm, nor one that was refused.
    give_norm(player, "CMF black 9", by=council, **spare)
    refused = give_norm(player, "MF black 9", by=council, is_needed=False, confirmed=False)
    assert progress(player, "MI").missing[0] == "2 norms"
    assert {norm.title for norm in ledger_of(player).norms} == {"MI", "MF"}
    assert refused not in ledger_of(player).norms


def test_an_open_norm_of_a_woman_counts_on_both_ladders(council: User) -> None:
    """R33a. Her titles MF and MFF are held next to each other."""
    woman = player_of("W")
    give_norms(woman, "MF black 9", "MFF black 9", "MF black 9", by=council)
    assert progress(woman, "MFF").is_due
    assert progress(woman, "MF").missing == ["1 norm", "2 games"]
    for title, ladder in (("MF", ""), ("MFF", "women")):
        PlayerTitle.objects.create(player=woman, title=title, ladder=ladder, **FMJD_100)
    assert {title.title for title in ledger_of(woman).held} == {"MF", "MFF"}
    assert [each.title for each in ledger_of(woman).titles] == ["MI", "GMI", "MIF", "GMIF"]


def test_the_rating_once_is_the_highest_on_any_list(council: User) -> None:
    lists = PlayerHistory.objects.filter(list__pool__code="fmjd-100").order_by("-rating", "in_force")
    best = lists.select_related("player").first()
    give_norms(best.player, "MI red 9", by=council)
    found = ledger_of(best.player)
    assert found.highest_rating == best.rating
    assert best.rating > 2300  # so that no title lacks a rating
    assert not any("rating" in text for each in found.titles for text in each.missing)


def test_a_rating_on_a_list_gives_the_title_of_candidate(council: User) -> None:
    """3.11.5, R37c: 2120 (CMFF 2020) on any published classical list, with 7 counted games in all."""
    expected = defaultdict(set)
    rows = PlayerHistory.objects.filter(list__pool__code="fmjd-100", player__titles=None, player__norms=None)
    figures = defaultdict(list)
    for row in rows.select_related("player"):
        figures[row.player].append((row.rating, row.games))
    for player, lists in figures.items():
        if max(games for _, games in lists) >= 7:
            highest = max(rating for rating, _ in lists)
            expected[player] |= {"CMF"} if highest >= 2120 else set()
            expected[player] |= {"CMFF"} if highest >= 2020 and player.sex == "W" else set()
    assert {frozenset(titles) for titles in expected.values()} >= {frozenset(), frozenset({"CMF"})}
    found = {}
    for ledger in player_ledgers(list(figures)):
        titles = [title for of_discipline in ledger.disciplines for title in of_discipline.titles]
        found[ledger.player] = {title.title for title in titles if title.is_due}
    assert found == {player: expected[player] for player in figures}
    official = Player.objects.filter(pk__in=[player.pk for player in figures])
    offered = {ledger.player for ledger in player_ledgers(players_with_norms(official)) if ledger.disciplines}
    assert offered == {player for player, titles in expected.items() if titles}

    player = next(player for player in offered if "CMF" in expected[player])
    person = {"roles": ["national_official"], "federation_id": player.federation_id}
    applicant = create_user("o@example.org", "Olga", **person)
    application = submit_application(player=player, discipline="100", title="CMF", by=Actor(applicant))
    assert (application.basis, application.evidence["norms"]) == ("rating", [])
    (row,) = requirements_of(application.evidence)
    assert (row.article, row.met, dict(row.asks.values)) == ("3.11.5", True, {"rating": 2120, "games": 7})
    assert row.found.values["rating"] == max(rating for rating, _ in figures[player])
    # A women's title leaves the open one; a title that is not above the one held is not listed (R37d).
    PlayerTitle.objects.create(player=player, title="MFF", ladder="women", **FMJD_100)
    assert player in players_with_norms(official)
    PlayerTitle.objects.create(player=player, title="CMF", **FMJD_100)
    assert not ledger_of(player).is_due
    assert player not in players_with_norms(official)


def test_an_automatic_title_above_the_one_held_is_due(player: Player, council: User) -> None:
    norm = give_norm(player, "MF automatic 9", by=council)
    assert [each.norm for each in ledger_of(player).automatic] == [norm]
    PlayerTitle.objects.create(player=player, title="MF", **FMJD_100)
    assert ledger_of(player).automatic == []


def test_norms_of_a_merged_record_are_those_of_the_person(player: Player, council: User) -> None:
    other = Player.objects.filter(titles=None, norms=None).exclude(pk=player.pk).order_by("pk").first()
    give_norms(other, "MF black 9", by=council)
    merge = {"reason": "One person.", "merged_by": council}
    PlayerMerge.objects.create(duplicate=other, surviving=player, **merge)
    assert [norm.player_id for norm in ledger_of(player).norms] == [other.pk]
    both = Player.objects.filter(pk__in=[player.pk, other.pk])
    assert players_with_norms(both) == [player]


def test_the_ledgers_of_players_take_a_fixed_number_of_queries(player, council, django_assert_num_queries):
    players = [player, player_of("W")]
    for each in players:
        give_norms(each, "MF black 9", "MI red 9", by=council)
    with django_assert_num_queries(6):
        some = Player.objects.filter(pk__in=[each.pk for each in players])
        found = player_ledgers(players_with_norms(some))
    assert {each.player.pk for each in found} == {each.pk for each in players}
    assert published_lists()


@pytest.mark.parametrize(("day", "is_held"), [(2, False), (3, True), (8, True), (9, False)])
def test_a_title_is_held_from_its_registration_until_the_day_before_its_withdrawal(day: int, is_held: bool):
    """Registered on 3 March, withdrawn on the 9th (R42)."""
    title = PlayerTitle(title="MF", registered_on=date(2026, 3, 3), withdrawn_on=date(2026, 3, 9))
    held, _ = awards_on(rules_of_titles("fmjd"), [title], date(2026, 3, day))
    assert bool(held) is is_held
