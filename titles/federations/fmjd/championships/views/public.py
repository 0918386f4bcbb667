"""The public pages of championships: days, and the lists that were published, in their revisions, with files."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from ratings.queries.addresses import published_players
from reporting.web.http_cache import generated_file, public_page
from reporting.web.paging import rows_on_page
from reporting.web.query_params import PageForm, declare_parameters
from titles.federations.fmjd.championships.labels import SOURCES, STATES, due_rows
from titles.federations.fmjd.championships.publication import key_of_list
from titles.federations.fmjd.championships.selectors import (
    championships,
    championships_stamp,
    find_championship,
)
from titles.federations.fmjd.models import Championship, Publication
from titles.federations.fmjd.rules.world_cup.due_days import due_days
from titles.federations.fmjd.rules.world_cup.parameters import edition_in_force
from titles.federations.fmjd.rules.world_cup.qualification import Source
from titles.federations.fmjd.world_cup.inputs import players_by_id
from titles.federations.fmjd.world_cup.publications.files import figures_csv, figures_json
from titles.federations.fmjd.world_cup.publications.kinds import address_of, key_of, kind_of
from titles.federations.fmjd.world_cup.publications.selectors import (
    differences,
    figures_of,
    named_rows,
    publications_stamp,
    published_revisions,
)
from titles.federations.fmjd.world_cup.views.rows import shown_changes
from titles.rules.lifecycle import PlaceState

LISTS = (Publication.Kind.PARTICIPANTS, Publication.Kind.RESERVES)
FILES = {"figures.json": "application/json", "figures.csv": "text/csv", "inputs.json": "application/json"}
"""The files of a list with their content types."""


@login_not_required
@require_safe
@declare_parameters()
def all_championships(request: HttpRequest) -> HttpResponseBase:
    """All championships, the newest first. 5 queries."""

    def render_page() -> str:
        return render_to_string(
            "titles/championships/championships.html", {"championships": championships()}, request
        )

    return public_page(request, ("championships", *championships_stamp(), *publications_stamp()), render_page)


@login_not_required
@require_safe
@declare_parameters("page")
def championship(request: HttpRequest, code: str) -> HttpResponseBase:
    """A championship: days, the newest list of participants and the newest reserve list. 17 queries at most."""
    found = _championship(code)
    of_kind = {kind: published_revisions(key_of_list(kind, code)) for kind in LISTS}

    def render_page() -> str:
        newest = [of[0] for of in of_kind.values() if of]
        lists = [
            _shown(request, one, of_kind[Publication.Kind(one.kind)])
            | {
                "is_older": any(
                    one.requested_at < other.requested_at and one.input_sha256 != other.input_sha256
                    for other in newest
                )
            }
            for one in newest
        ]
        return _page(request, found, lists)

    page = PageForm(request.GET).number_or_400
    return public_page(
        request, ("championship", page, *championships_stamp(), *publications_stamp()), render_page
    )


@login_not_required
@require_safe
@declare_parameters("page")
def published_list(request: HttpRequest, code: str, revision: int, *, kind: str) -> HttpResponseBase:
    """A revision of a list of participants or a reserve list, with its reason and differences. 15 queries at most."""
    found = _championship(code)
    revisions = published_revisions(key_of_list(kind, code))
    shown = next((one for one in revisions if one.revision == revision), None)
    if shown is None:
        raise Http404

    def render_page() -> str:
        return _page(request, found, [_shown(request, shown, revisions)])

    page = PageForm(request.GET).number_or_400
    return public_page(
        request, ("list", shown.pk, page, *championships_stamp(), *publications_stamp()), render_page
    )


@login_not_required
@require_safe
def file(request: HttpRequest, code: str, revision: int, name: str, *, kind: str) -> HttpResponseBase:
    """A file of a published list: figures without names, and what they follow from. 2 queries."""
    revisions = published_revisions(key_of_list(kind, code))
    shown = next((one for one in revisions if one.revision == revision), None)
    if shown is None or name not in FILES:
        raise Http404

    def content() -> bytes:
        if name == "inputs.json":
            return shown.inputs.encode()
        make = figures_json if name == "figures.json" else figures_csv
        return make(shown, figures_of(shown))

    filename = f"{code}-{kind}-r{revision}-{name}"
    return generated_file(request, (kind, shown.pk), filename, FILES[name], content)


def _page(request: HttpRequest, found: Championship, lists: Sequence[dict[str, Any]]) -> str:
    context = {
        "championship": found,
        "due": due_rows(due_days(edition_in_force(date(found.year, 1, 1)), found.first_day)),
        "lists": lists,
        "files": FILES,
    }
    return render_to_string("titles/championships/championship.html", context, request)


def _shown(request: HttpRequest, shown: Publication, revisions: Sequence[Publication]) -> dict[str, Any]:
    """A published list for the page: rows with names and labels, revisions, what differs from the one before."""
    named, players = named_rows(shown)
    withdrawn = players_by_id({one for row in named for one in row.get("withdrawn", ())})
    before = next((one for one in revisions if one.revision == shown.revision - 1), None)
    changes = differences(figures_of(before), figures_of(shown)) if before else []
    kind = kind_of(key_of(shown))
    items = kind.items(key_of(shown))
    lines = [
        {
            **row,
            "player": players.get(row["fmjd_id"]),
            "item_name": items.get(row.get("item", 0), ""),
            "source_label": SOURCES[Source(row["source"])],
            "state_label": STATES[PlaceState(row["state"])] if "state" in row else "",
            "withdrew": [withdrawn[one].printed_name for one in row.get("withdrawn", ())],
        }
        for row in named
    ]
    is_reserves = shown.kind == Publication.Kind.RESERVES
    return {
        "publication": shown,
        "is_reserves": is_reserves,
        "notes": kind.notes(shown, named),
        "rows": rows_on_page(request, lines) if is_reserves else lines,
        "published": published_players({player.pk for player in players.values()}),
        "address": address_of(shown),
        "newest": revisions[0] if revisions[0].pk != shown.pk else None,
        "newest_address": address_of(revisions[0]),
        "revisions": [(one, address_of(one)) for one in revisions if one.pk != shown.pk],
        "before": before,
        "changes": shown_changes(key_of(shown), changes),
    }


def _championship(code: str) -> Championship:
    try:
        return find_championship(code)
    except Championship.DoesNotExist as missing:
        raise Http404 from missing
