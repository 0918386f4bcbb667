"""The pages of the register of players: search, download, and a player with the history of the record."""

import csv
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reporting.formats.tables.exported_cells import exported_cell
from reporting.log.actions import action_label
from reporting.models import LogEntry, Player, PlayerMerge, PlayerQuerySet, Sex, User
from reporting.policies import (
    can_see_all_players,
    check_can_change_register,
    check_can_edit_player,
    check_can_erase_names,
    check_can_import_register,
    check_can_see_inbox,
    check_can_see_register,
)
from reporting.register.selectors import records
from reporting.register.selectors.register import federation_names, visible_addresses, visible_players
from reporting.register.selectors.search import (
    NOT_KNOWN,
    Match,
    NumberMatch,
    RegisterFilters,
    filtered_players,
    players_found,
    register_page,
)
from reporting.register.selectors.titles import titles_of
from reporting.reports.selectors.rating_lists import rating_lists
from reporting.rules.names.name_search import MAX_SEARCH_LENGTH
from reporting.rules.names.plain_text import plain_text
from reporting.rules.register.registers import (
    first_register,
    number_label,
    registers,
    registers_of_systems,
)
from reporting.rules.register.titles import all_titles, discipline_titles
from reporting.web.access import OfficeRequest, refusal_message, require_access
from reporting.web.forms import StyledFormMixin, set_choices
from reporting.web.paging import build_pager
from reporting.web.panels import panels_at
from reporting.web.query_params import PageForm

ON_A_LIST, ON_NO_LIST = "yes", "no"


class PlayerSearchForm(StyledFormMixin, forms.Form):
    """The filters of the register; the page names invalid values and ignores them."""

    q = forms.CharField(label=_("Name or number"), max_length=MAX_SEARCH_LENGTH, required=False)
    federation = forms.ChoiceField(label=_("Federation"), required=False)
    sex = forms.ChoiceField(
        label=_("Sex"), required=False, choices=[("", _("All")), *Sex.choices, (NOT_KNOWN, _("Unknown"))]
    )
    title = forms.ChoiceField(
        label=_("Title"),
        required=False,
        choices=lambda: [
            ("", _("All")),
            *((title, title) for title in all_titles()),
            (NOT_KNOWN, _("No title")),
        ],
    )
    born = forms.IntegerField(label=_("Year of birth"), required=False, min_value=1, max_value=9999)
    listed = forms.ChoiceField(
        label=_("Newest lists"),
        required=False,
        choices=[("", _("All")), (ON_A_LIST, _("On one of them")), (ON_NO_LIST, _("On none"))],
    )
    number = forms.ChoiceField(required=False)

    def __init__(self, user: User, data: Mapping[str, str]) -> None:
        super().__init__({name: plain_text(data.get(name, "")) for name in self.base_fields})
        self.fields["q"].widget = forms.TextInput(
            attrs={
                "class": "field__input",
                "type": "search",
                "autocomplete": "off",
                "maxlength": MAX_SEARCH_LENGTH,
            }
        )
        self.fields["born"].widget = forms.TextInput(
            attrs={"class": "field__input", "inputmode": "numeric", "maxlength": 4}
        )
        self.fields["number"].label = capfirst(gettext(number_label()))
        choices = [("", gettext("All"))]
        for register in registers_of_systems():
            label = {"number": gettext(register.number_label)}
            of_register = "" if register == first_register() else f"-{register.code}"
            choices += [
                (f"yes{of_register}", gettext("With %(number)s") % label),
                (f"{NOT_KNOWN}{of_register}", gettext("Without %(number)s") % label),
            ]
        set_choices(self, "number", choices)
        if can_see_all_players(user):
            federations = federation_names()
            set_choices(
                self,
                "federation",
                [
                    ("", _("All")),
                    *((code, f"{name} ({code})") for code, name in federations),
                ],
            )
        else:
            del self.fields["federation"]
        self.full_clean()

    @property
    def filters(self) -> dict[str, str]:
        """The valid values, as in an address."""
        return {name: str(value) for name, value in self.cleaned_data.items() if value}

    @property
    def problems(self) -> list[str]:
        return [
            gettext("The filter “%(label)s” was ignored: its value is not valid.")
            % {"label": self.fields[name].label}
            for name in self.errors
        ]


def found_players(user: User, form: PlayerSearchForm) -> PlayerQuerySet:
    """The players that a person may see and that match the filters."""
    values = form.filters
    filters = RegisterFilters(
        values.get("federation", ""),
        values.get("sex", ""),
        values.get("title", ""),
        form.cleaned_data.get("born"),
        values.get("number", ""),
    )
    players = filtered_players(visible_players(user), filters)
    if "listed" in values:
        players = rating_lists().players_on_newest_lists(players, values["listed"] == ON_A_LIST)
    return players


def match_label(match: Match) -> str:
    """Why a search found a player, as a note next to the name; empty for an exact match."""
    if not isinstance(match, NumberMatch):
        return match
    label = gettext(match.register.number_label)
    if match.is_whole:
        return label
    if match.register == first_register():
        return gettext("%(number)s starts with these digits") % {"number": label}
    return gettext("%(number)s starts with it") % {"number": label}


@require_access(check_can_see_register, "GET", "HEAD")
def players(request: OfficeRequest) -> HttpResponse:
    """Players by name in any spelling, by number and by filters; 100 on a page."""
    user = request.user
    form = PlayerSearchForm(user, request.GET)
    typed = form.filters.get("q", "")
    page = register_page(found_players(user, form), typed, PageForm(request.GET).number or 1)
    lists, ratings = rating_lists().newest_ratings([found.player.pk for found in page.players])
    titles = titles_of([found.player.pk for found in page.players])

    def href(page: str) -> str:
        return "?" + urlencode(form.filters | ({"page": page} if page else {}))

    context = {
        "form": form,
        "players": [
            (
                found,
                match_label(found.match),
                ratings.get(found.player.pk, {}),
                next(iter(titles[found.player.pk].values()), ""),
            )
            for found in page.players
        ],
        "total": page.total,
        "typed": typed,
        "filtered": bool(form.filters),
        "sees_every_player": can_see_all_players(user),
        "lists": lists,
        "pager": build_pager(page.page, page.pages, page.total, href),
        "query": urlencode(form.filters),
        "can_import": not refusal_message(check_can_import_register, user),
        "has_clubs": any(register.has_clubs for register in registers_of_systems()),
    }
    return render(request, "reporting/register/register.html", context)


CSV_COLUMNS = ("last_name", "first_name", "federation", "sex", "born")


@require_access(check_can_see_register, "GET", "HEAD")
def players_csv(request: OfficeRequest) -> HttpResponse:
    """The found players with the columns of a register import and their other numbers; of births only the year."""
    user = request.user
    form = PlayerSearchForm(user, request.GET)
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="players.csv"'
    writer = csv.writer(response, lineterminator="\n")
    first, *others = (register.code for register in registers())
    writer.writerow([first_register().header, *CSV_COLUMNS, *discipline_titles(), *others])
    all_found = players_found(found_players(user, form), form.filters.get("q", ""))
    titles = titles_of([found.player.pk for found in all_found])
    for found in all_found:
        player = found.player
        cells = [
            player.numbers.get(first), player.last_name, player.first_name, player.federation_id, player.sex,
            player.birth_year,
            *(titles[player.pk].get(field) for field in discipline_titles()),
            *map(player.numbers.get, others),
        ]  # fmt: skip
        writer.writerow(map(exported_cell, cells))
    return response


# --- one player


FIELD_LABELS = {
    "last_name": _("Last name"), "first_name": _("First name"),
    "federation": _("Federation"), "federation_id": _("Federation"),
    "sex": _("Sex"), "birth_year": _("Year of birth"), "born": _("Date of birth"), "day of birth": _("Date of birth"),
    "titles_on": _("Titles count from"), "transferred_on": _("Day of transfer"),
    "decision": _("Decision"), "reason": _("Reason"),
    "merged_into": _("Merged into"), "merged_duplicate": _("Merged duplicate"),
}  # fmt: skip
"""Labels of the fields of a record, of its form and of its audit entries, but those of numbers."""
BIRTH_DATE_STATUS: Mapping[str, Promise] = {"known": _("known"), "changed": _("changed")}
"""Values of the date of birth in audit entries, which never have the date."""


def field_label(field: str) -> str:
    """The label of a field of a record, of its form or of an audit entry; a number's field is its register."""
    labels = {register.code: register.number_label for register in registers()}
    labels |= {name: of_discipline.label for name, of_discipline in discipline_titles().items()}
    return gettext(labels[field]) if field in labels else str(FIELD_LABELS.get(field, field))


def value_label(field: str, value: Any) -> str:
    """A value of a record, or of an audit entry about one, as the page shows it."""
    if field == "sex" and value in Sex.values:
        return str(Sex(value).label)
    of_discipline = discipline_titles().get(field)
    if of_discipline and value in of_discipline.titles:
        return f"{gettext(of_discipline.titles[value].label)} ({value})"
    if field == "day of birth" and value in BIRTH_DATE_STATUS:
        return str(BIRTH_DATE_STATUS[value])
    return gettext("none") if value in ("", None) else str(value)


@dataclass(frozen=True)
class ShownEntry:
    """An act of a player's history: its label, and the changed fields with label, value before and value after.

    The reason is empty where it is about a player that the reader may not see.
    """

    entry: LogEntry
    label: str
    changes: Sequence[tuple[str, str, str]]
    reason: str


def shown_entries(lines: Sequence[records.HistoryLine], known: Collection[str]) -> Iterator[ShownEntry]:
    """The acts for a reader who may see the players at these addresses."""
    for line in lines:
        yield ShownEntry(
            line.entry,
            action_label(line.entry.action),
            [
                (field_label(field), value_label(field, before), value_label(field, after))
                for field, before, after in line.changes
            ],
            line.entry.reason if set(line.merged_with) <= set(known) else "",
        )


@dataclass(frozen=True)
class ShownMerge:
    """A merge on the page of one of its records; `known` is false where the reader may see only the other number."""

    merge: PlayerMerge
    other: Player
    is_duplicate: bool
    known: bool


@require_access(check_can_see_register, "GET", "HEAD")
def player(request: OfficeRequest, address: str) -> HttpResponse:
    """A player in the register, the reports and the lists, with the history of the record."""
    user = request.user
    found = player_or_404(user, address)
    can_edit = not refusal_message(check_can_edit_player, user, found)
    record = records.record_of(found)
    lines = records.history_of(found)
    merges = [
        (merge, merge.surviving if merge.duplicate_id == found.pk else merge.duplicate)
        for merge in records.merges_of(found)
    ]
    duplicates = [merge.duplicate_id for merge, _ in merges if merge.surviving_id == found.pk]
    entries = records.entries_of([found.pk, *duplicates])
    counted = rating_lists().counted_in([reported.entry.result_set_id for reported in entries])
    is_merged = any(merge.duplicate_id == found.pk for merge, _ in merges)
    others = {other.address for _, other in merges}
    known = visible_addresses(user, others.union(*(line.merged_with for line in lines)))
    context = {
        "player": found,
        # A reader who cannot edit sees only the year of birth.
        "record": record if can_edit else replace(record, born=None),
        "titles": [
            (field_label(field), value_label(field, title) if title else "")
            for field, title in record.titles.items()
        ],
        "memberships": records.membership_history(found),
        "can_edit": can_edit,
        "can_transfer": not refusal_message(check_can_change_register, user),
        "panels": panels_at("office-player", found),
        "entries": [(reported, counted.get(reported.entry.result_set_id, [])) for reported in entries],
        "sees_reports": not refusal_message(check_can_see_inbox, user),
        "origin": records.register_origin(found),
        "history": list(shown_entries(lines, known)),
        "log_subject": records.subject_of(found),
        "panels_beneath": panels_at("office-player-beneath", found),
        "possible_duplicates": [] if is_merged else records.possible_duplicates(found, visible_players(user)),
        "is_merged": is_merged,
        "merges": [
            ShownMerge(merge, other, merge.duplicate_id == found.pk, other.address in known)
            for merge, other in merges
        ],
        "sees_every_player": can_see_all_players(user),
        "can_merge": not refusal_message(check_can_change_register, user),
        "can_erase": not refusal_message(check_can_erase_names, user),
    }
    return render(request, "reporting/register/register_player.html", context)


def player_or_404(user: User, address: str) -> Player:
    """The player of an address, if the person may see the player."""
    found = visible_players(user).select_related("federation").at_address(address)
    if found is None or found.address != address:
        raise Http404(gettext("There is no such player, or the player is of another federation."))
    return found
