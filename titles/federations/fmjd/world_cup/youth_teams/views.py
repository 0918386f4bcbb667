"""The public pages of youth teams: the years, one year and tempo, and its files."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from ratings.formats.tables import csv_file
from reporting.register.selectors.register import federation_names
from reporting.web.http_cache import generated_file, public_page
from reporting.web.query_params import declare_parameters
from titles.federations.fmjd.rules.world_cup.parameters import edition_in_force
from titles.federations.fmjd.world_cup.forms import SECTIONS
from titles.federations.fmjd.world_cup.inputs import FIRST_YEAR, LAST_YEAR
from titles.federations.fmjd.world_cup.selectors import stamp
from titles.federations.fmjd.world_cup.youth_teams.forms import TEMPOS, SectionForm
from titles.federations.fmjd.world_cup.youth_teams.selectors import (
    championships,
    published_teams,
    shown_teams,
)

SUMS = ("rank", "federation", "points", "first", "second", "third")
RESULTS = ("tournament", "fmjd_id", "place", "tp", "percent", "bonus", "points")
FILES = {"teams.csv": "text/csv", "results.csv": "text/csv", "teams.json": "application/json"}
"""The files of a year and tempo with their content types."""


@login_not_required
@require_safe
@declare_parameters()
def years(request: HttpRequest) -> HttpResponseBase:
    """The years with world youth championships, each with its tempos and disciplines. 7 queries."""

    def render_page() -> str:
        of_year: dict[int, dict[str, list[tuple[str, int]]]] = {}
        for (year, tempo, section), groups in championships().items():
            if tempo:
                of_year.setdefault(year, {}).setdefault(tempo, []).append((section, groups))
        rows = [(year, [(code, tempos.get(code, ())) for code in TEMPOS]) for year, tempos in of_year.items()]
        context = {"rows": rows, "tempos": TEMPOS.values()}
        return render_to_string("titles/world_cup/youth_years.html", context, request)

    return public_page(request, ("youth teams", *stamp()), render_page)


@login_not_required
@require_safe
@declare_parameters(SectionForm, lasting=["section"])
def teams(request: HttpRequest, year: int, tempo: str) -> HttpResponseBase:
    """The team classification of a year and tempo, each federation with its players. 17 queries."""
    section = section_or_404(request, year, tempo)

    def render_page() -> str:
        shown = shown_teams(year, tempo, section)
        names = dict(federation_names())
        ranks = Counter(team["rank"] for team in shown.rows)
        context = {
            "year": year,
            "tempo": tempo,
            "tempos": TEMPOS.items(),
            "section": section,
            "sections": SECTIONS,
            "teams": [
                (team, names.get(team["federation"], team["federation"]), ranks[team["rank"]] > 1)
                for team in shown.rows
            ],
            "published": shown.published,
            "tournaments": shown.tournaments,
            "best": edition_in_force(date(year, 12, 31)).team_players,
            "files": FILES,
        }
        return render_to_string("titles/world_cup/youth_teams.html", context, request)

    return public_page(request, ("youth teams", *stamp()), render_page)


@login_not_required
@require_safe
@declare_parameters(SectionForm, lasting=["section"])
def file(request: HttpRequest, year: int, tempo: str, name: str) -> HttpResponseBase:
    """A file of a year and tempo: teams, or the results of all players. 13 queries."""
    section = section_or_404(request, year, tempo)
    if name not in FILES:
        raise Http404

    def content() -> bytes:
        rows = published_teams(year, tempo, section)
        if name == "teams.json":
            answer = {"year": year, "tempo": tempo, "section": section, "rows": rows}
            return json.dumps(answer, ensure_ascii=False, indent=1).encode()
        if name == "teams.csv":
            return csv_file(SUMS, ([str(row[column]) for column in SUMS] for row in rows))
        return csv_file(("federation", *RESULTS, "counts"), map(_cells, _results(rows)))

    filename = f"youth-teams-{year}-{tempo}-{section}-{name}"
    return generated_file(request, ("youth teams", section, *stamp()), filename, FILES[name], content)


def section_or_404(request: HttpRequest, year: int, tempo: str) -> str:
    """The discipline that an address of youth teams asks for; 404 for what there can be none of."""
    form = SectionForm(request.GET)
    if tempo not in TEMPOS or not FIRST_YEAR <= year <= LAST_YEAR or not form.is_valid():
        raise Http404
    section: str = form.cleaned_data["section"]
    return section


def _results(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"federation": row["federation"], **result, "counts": counts}
        for row in rows
        for counts, results in (("yes", row["results"]), ("no", row["others"]))
        for result in results
    ]


def _cells(result: dict[str, Any]) -> list[str]:
    return [str(value) for value in result.values()]
