"""What pages of reports and of the register show of rating lists."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext, ngettext

from ratings.office.selectors.expected import expected_changes, weighed_games
from ratings.office.selectors.register import (
    ListedPlayer,
    NextList,
    counted_in,
    list_rows_of_player,
    newest_ratings,
    next_list,
    players_on_newest_lists,
    printed_names,
    published_since,
)
from ratings.queries.addresses import published_players
from ratings.queries.counted_results import published_in, uncounted_reports
from ratings.queries.counting import coming_lists, list_of_report
from ratings.queries.lists import newest_lists
from reporting.models import Player, Sex
from reporting.register.selectors.records import PlayerRecord
from reporting.register.services.edit_player import Change
from reporting.register.services.transfer_player import Transfer
from reporting.register.views.register import field_label
from reporting.reports.selectors.rating_lists import RatingLists, register_rating_lists
from reporting.rules.register.titles import discipline_of_titles, discipline_titles
from reporting.web.panels import Panel, register_panel
from reporting.web.values import day


def register_panels() -> None:
    """Register what pages below ask of lists, and the panels of the pages of the register."""
    register_rating_lists(
        RatingLists(
            published_players=published_players,
            newest_ratings=newest_ratings,
            players_on_newest_lists=players_on_newest_lists,
            published_in=published_in,
            counted_in=counted_in,
            list_of_report=list_of_report,
            coming_lists=coming_lists,
            uncounted_reports=uncounted_reports,
            expected_changes=expected_changes,
            weighed_games=weighed_games,
        )
    )
    register_panel(
        "office-player",
        Panel(
            "office/register_ratings.html",
            lambda player: {"rows": list_rows_of_player(newest_lists(), player)},
        ),
    )
    register_panel(
        "office-player-beneath",
        Panel("office/register_names.html", lambda player: {"names": printed_names(player)}),
    )
    register_panel(
        "office-player-edit",
        Panel("office/register_effects.html", lambda edit: {"effects": list(effects_of_edit(*edit))}),
    )
    register_panel(
        "office-player-transfer",
        Panel("office/register_effects.html", lambda about: {"effects": list(effects_of_transfer(*about))}),
    )


def effects_of_edit(player: Player, changes: Sequence[Change], wanted: PlayerRecord) -> Iterator[str]:
    """The differences of the next calculated list from the newest one, as sentences."""
    changed = {change.field for change in changes}
    lists = newest_lists()
    rows = list_rows_of_player(lists, player)
    if not rows:
        yield gettext(
            "The player is not on any of the newest lists. The changes apply once a tournament with the player counts."
        )
    if changed & {"last_name", "first_name"}:
        names = {"new": wanted.printed_name, "old": player.printed_name}
        yield gettext("The name changes from “%(old)s” to “%(new)s”.") % names
    for change in changes:
        if of_discipline := discipline_titles().get(change.field):
            values = {
                "discipline": gettext(discipline_of_titles(of_discipline.discipline)),
                "new": change.after or gettext("no title"),
                "old": change.before or gettext("no title"),
            }
            yield (gettext("On lists of %(discipline)s the title changes from %(old)s to %(new)s.") % values)
    if "birth_year" in changed:
        years = {
            "new": wanted.birth_year or gettext("no year"),
            "old": player.birth_year or gettext("no year"),
        }
        yield gettext("The year of birth changes from %(old)s to %(new)s.") % years
    yield from changes_of_derived_lists(player, wanted, next_list(lists))
    if changed & {"federation", *discipline_titles()}:
        yield gettext("A list prints the federation and the titles of its closing date.")
    if "federation" in changed:
        yield from changes_of_federation_ranking(player, wanted, rows)
    unprinted = [field_label(name) for name in ("born", *wanted.numbers) if name in changed]
    if unprinted:
        yield gettext("Not printed on any list: %(fields)s.") % {"fields": ", ".join(unprinted)}


def changes_of_derived_lists(player: Player, wanted: PlayerRecord, coming: NextList) -> Iterator[str]:
    """The lists of women, youth and veterans that gain or lose the player (R13)."""
    before = coming.derived_lists(player.sex, player.birth_year)
    after = coming.derived_lists(wanted.sex, wanted.birth_year)
    for added in (derived for derived in after if derived not in before):
        values = {"title": added.title, "year": coming.in_force.year}
        yield gettext("The player is added to the list “%(title)s” of %(year)s.") % values
    for removed in (derived for derived in before if derived not in after):
        values = {"title": removed.title, "year": coming.in_force.year}
        yield gettext("The player is removed from the list “%(title)s” of %(year)s.") % values
    if player.sex != wanted.sex and Sex.WOMAN in (player.sex, wanted.sex):
        if wanted.sex == Sex.WOMAN:
            yield gettext("The player counts in the women’s ranking of federations.")
        else:
            yield gettext("The player no longer counts in the women’s ranking of federations.")


def changes_of_federation_ranking(
    player: Player, wanted: PlayerRecord, rows: Sequence[ListedPlayer]
) -> Iterator[str]:
    """The federation for which the player counts, and the place in the old one (R13: the ten best of each)."""
    codes = {"new": wanted.federation, "old": player.federation_id}
    yield (
        gettext("In the ranking of federations the player counts for %(new)s, no longer for %(old)s.") % codes
    )
    for row in rows:
        if row.federation_place is not None:
            values = {
                "place": row.federation_place,
                "code": row.row.federation,
                "day": day(row.rating_list.in_force),
                "pool": row.rating_list.pool.name,
            }
            yield (
                gettext(
                    "The player is number %(place)s of %(code)s on the official list of %(day)s, %(pool)s."
                    " The ten best count."
                )
                % values
            )


def effects_of_transfer(player: Player, transfer: Transfer) -> Iterator[str]:
    """What a transfer changes on lists, and what it does not change, as sentences. 1 query."""
    codes = {"new": transfer.after, "day": day(transfer.on)}
    yield (
        gettext(
            "Lists with a closing date before %(day)s keep the earlier federation, also when they are corrected."
        )
        % codes
    )
    yield gettext("Lists with a closing date from %(day)s on print %(new)s once they are calculated.") % codes
    printed = published_since(player, transfer.on)
    if printed:
        yield ngettext(
            "%(count)s published list with a later closing date keeps the federation that it printed.",
            "%(count)s published lists with a later closing date keep the federation that they printed.",
            printed,
        ) % {"count": printed}
