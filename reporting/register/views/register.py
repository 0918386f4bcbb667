"""The register of players for those who keep it: found, downloaded, and each player with his history."""

import csv
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast
from urllib.parse import urlencode

from django import forms
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from ratings.office.selectors import register as listed
from ratings.published.selectors.lists import newest_lists
from reporting.accounts.views.accounts import StyledFormMixin
from reporting.formats.exported_cells import exported_cell
from reporting.log.actions import action_label
from reporting.models import Federation, LogEntry, Player, PlayerIdentity, PlayerMerge, Sex, Title, User
from reporting.policies import (
    can_see_all_players,
    check_can_change_register,
    check_can_edit_player,
    check_can_see_inbox,
    check_can_see_register,
)
from reporting.register import selectors
from reporting.register.selectors import NOT_KNOWN, RegisterFilters
from reporting.rules.name_search import MAX_SEARCH_LENGTH
from reporting.web.access import refusal_message, require_access

ON_A_LIST, ON_NO_LIST = "yes", "no"


class PlayerSearchForm(StyledFormMixin, forms.Form):
    """Whom to look for; an answer that cannot be used is left out and told."""

    q = forms.CharField(label="Name or number", max_length=MAX_SEARCH_LENGTH, required=False)
    federation = forms.ChoiceField(label="Federation", required=False)
    sex = forms.ChoiceField(
        label="Sex", required=False, choices=[("", "All"), *Sex.choices, (NOT_KNOWN, "Not known")]
    )
    title = forms.ChoiceField(
        label="Title",
        required=False,
        choices=[("", "All"), *((each, each) for each in Title.values), (NOT_KNOWN, "No title")],
    )
    born = forms.IntegerField(label="Year of birth", required=False, min_value=1, max_value=9999)
    listed = forms.ChoiceField(
        label="Newest lists",
        required=False,
        choices=[("", "All"), (ON_A_LIST, "On one of them"), (ON_NO_LIST, "On none")],
    )
    fmjd_id = forms.ChoiceField(
        label="FMJD-ID", required=False, choices=[("", "All"), ("yes", "With"), (NOT_KNOWN, "Without")]
    )

    def __init__(self, user: User, data: Mapping[str, str]) -> None:
        super().__init__({name: data.get(name, "").strip() for name in self.base_fields})
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
        if can_see_all_players(user):
            federations = Federation.objects.order_by("name").values_list("code", "name")
            self.fields["federation"].choices = [  # type: ignore[attr-defined]
                ("", "All"),
                *((code, f"{name} ({code})") for code, name in federations),
            ]
        else:
            del self.fields["federation"]
        self.full_clean()

    @property
    def asked(self) -> dict[str, str]:
        """The answers that can be used, as they stand in an address."""
        return {name: str(value) for name, value in self.cleaned_data.items() if value}

    @property
    def problems(self) -> list[str]:
        return [f"{self.fields[name].label} was left out: it cannot be used." for name in self.errors]


def found_players(user: User, form: PlayerSearchForm) -> QuerySet[Player]:
    """The players a person may look at, and whom the filters leave."""
    asked = form.asked
    filters = RegisterFilters(
        asked.get("federation", ""),
        asked.get("sex", ""),
        asked.get("title", ""),
        form.cleaned_data.get("born"),
        asked.get("fmjd_id", ""),
    )
    players = selectors.filtered_players(selectors.visible_players(user), filters)
    if "listed" in asked:
        players = listed.players_on_lists(players, newest_lists(), present=asked["listed"] == ON_A_LIST)
    return players


@require_access(check_can_see_register, "GET", "HEAD")
def players(request: HttpRequest) -> HttpResponse:
    """Players by name in any spelling, by number and by filters; a hundred a page."""
    user = cast(User, request.user)
    form = PlayerSearchForm(user, request.GET.dict())
    page = selectors.register_page(
        found_players(user, form), form.asked.get("q", ""), requested_page(request)
    )
    lists = newest_lists()

    def href(number: int) -> str:
        return "?" + urlencode(form.asked | {"page": str(number)})

    context = {
        "form": form,
        "found": page,
        "typed": form.asked.get("q", ""),
        "filtered": bool(form.asked),
        "everybody": can_see_all_players(user),
        "lists": lists,
        "ratings": listed.ratings_on(lists, [each.player.pk for each in page.players]),
        "previous": href(page.page - 1) if page.page > 1 else "",
        "next": href(page.page + 1) if page.page < page.pages else "",
        "query": urlencode(form.asked),
    }
    return render(request, "reporting/register.html", context)


def requested_page(request: HttpRequest) -> int:
    page = str(request.GET.get("page", "1"))
    return int(page) if page.isascii() and page.isdigit() and 0 < len(page) < 7 and int(page) else 1


CSV_COLUMNS = ("fmjd_id", "last_name", "first_name", "federation", "sex", "born", "title", "title_64")


@require_access(check_can_see_register, "GET", "HEAD")
def players_csv(request: HttpRequest) -> HttpResponse:
    """The players found, with the columns of a register to import and their other numbers; of births the year."""
    user = cast(User, request.user)
    form = PlayerSearchForm(user, request.GET.dict())
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="players.csv"'
    writer = csv.writer(response, lineterminator="\n")
    writer.writerow([*CSV_COLUMNS, *PlayerIdentity.Register.values])
    for each in selectors.players_found(found_players(user, form), form.asked.get("q", "")):
        player = each.player
        numbers = {identity.register: identity.number for identity in each.numbers}
        cells = [
            player.fmjd_id, player.last_name, player.first_name, player.federation_id, player.sex,
            player.birth_year, player.title, player.title_64,
            *(numbers.get(register) for register in PlayerIdentity.Register.values),
        ]  # fmt: skip
        writer.writerow(map(exported_cell, cells))
    return response


# --- one player


FIELD_LABELS = {
    "last_name": "Last name", "first_name": "First name", "federation": "Federation", "federation_id": "Federation",
    "sex": "Sex", "birth_year": "Year of birth", "born": "Date of birth", "day of birth": "Date of birth",
    "title": "Title", "title_64": "Title on 64 squares", "national": "National number", "knsb": "KNSB number",
    "fide": "FIDE number", "iccf": "ICCF number",
}  # fmt: skip


def value_label(field: str, value: Any) -> str:
    """A value of a record as a reader sees it."""
    if field == "sex" and value in Sex.values:
        return str(Sex(value).label)
    if field in ("title", "title_64") and value in Title.values:
        return f"{Title(value).label} ({value})"
    return "nothing" if value in ("", None) else str(value)


@dataclass(frozen=True)
class ShownEntry:
    """An act of a player's history in words: its name, and each field with what stood there and what came.

    Without the reason where it tells of somebody whom the reader may not know.
    """

    entry: LogEntry
    words: str
    changes: Sequence[tuple[str, str, str]]
    reason: str


def shown_entries(
    lines: Sequence[selectors.HistoryLine], known: Collection[int | None]
) -> Iterator[ShownEntry]:
    """The acts for a reader who may know the owners of these FMJD-IDs."""
    for line in lines:
        yield ShownEntry(
            line.entry,
            action_label(line.entry.action),
            [
                (FIELD_LABELS.get(field, field), value_label(field, before), value_label(field, after))
                for field, before, after in line.changes
            ],
            line.entry.reason if set(line.merged_with) <= set(known) else "",
        )


@dataclass(frozen=True)
class ShownMerge:
    """A merge on the page of one of its records; of the other its reader may know everything or the FMJD-ID alone."""

    merge: PlayerMerge
    other: Player
    known: bool


@require_access(check_can_see_register, "GET", "HEAD")
def player(request: HttpRequest, address: str) -> HttpResponse:
    """Everything the register, the reports and the lists say of a player, and what was done to his record."""
    user = cast(User, request.user)
    found = player_or_404(user, address)
    keeps = not refusal_message(check_can_edit_player, user, found)
    record = selectors.record_of(found)
    numbers = selectors.numbers_of([found]).get(found.pk, [])
    entries = selectors.entries_of(found)
    counted = listed.current_manifest_lines_of([each.entry.tournament_id for each in entries])
    lists = newest_lists()
    lines = selectors.history_of(found, numbers)
    merges = [
        (each, each.surviving if each.duplicate_id == found.pk else each.duplicate)
        for each in selectors.merges_of(found)
    ]
    others = {other.fmjd_id for _, other in merges}
    known = selectors.visible_fmjd_ids(user, others.union(*(line.merged_with for line in lines)))
    context = {
        "player": found,
        # Whoever only looks on sees the year alone.
        "record": record if keeps else replace(record, born=None),
        "keeps": keeps,
        "numbers": numbers,
        "rows": listed.list_rows_of_player(lists, found),
        "entries": [(each, counted.get(each.entry.tournament_id)) for each in entries],
        "sees_reports": not refusal_message(check_can_see_inbox, user),
        "entered": selectors.register_origin(found),
        "acts": list(shown_entries(lines, known)),
        "names": listed.printed_names(found),
        "look_alike": selectors.possible_duplicates(found, selectors.visible_players(user)),
        "merges": [ShownMerge(each, other, other.fmjd_id in known) for each, other in merges],
        "sees_every_player": can_see_all_players(user),
        "merges_records": found.fmjd_id is not None and not refusal_message(check_can_change_register, user),
    }
    return render(request, "reporting/register_player.html", context)


def player_or_404(user: User, address: str) -> Player:
    """The player of an address, if the person may look at him."""
    own = {"pk": int(address[1:])} if address.startswith("r") else {"fmjd_id": int(address)}
    found = selectors.visible_players(user).select_related("federation").filter(**own).first()
    if found is None or found.address != address:
        raise Http404("There is no such player, or he is not of your federation.")
    return found
