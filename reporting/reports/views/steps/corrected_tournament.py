"""The choice of the tournament that a report corrects, with a search."""

from dataclasses import dataclass

from django import forms
from django.utils.translation import gettext

from reporting.models import ResultSet
from reporting.reports.forms import TournamentDetailsForm, as_text
from reporting.reports.reading.open_report import OpenReport
from reporting.reports.selectors import reports as selectors
from reporting.reports.selectors.rating_lists import rating_lists
from reporting.reports.views.reports import may_change
from reporting.web.access import OfficeRequest
from reporting.web.values import day, days

MOST_OFFERED = 50
"""Tournaments offered as the corrected one; a search finds the others."""
MAX_SEARCH_LENGTH = 100
SEARCH, SAVE, CONTINUE = "search", "save", "continue"


@dataclass(frozen=True)
class Search:
    """A search for the tournament to correct: how many are offered, of how many."""

    words: str
    offered: int
    total: int

    @property
    def is_shown(self) -> bool:
        return bool(self.words) or self.offered < self.total


class SearchTournamentForm(forms.Form):
    """The words of a search for the tournament to correct, and the pressed button."""

    action = forms.ChoiceField(required=False, choices=[(SEARCH, SEARCH), (SAVE, SAVE), (CONTINUE, CONTINUE)])
    find = forms.CharField(required=False)

    @property
    def words(self) -> str:
        """The beginning of what was typed, without null characters."""
        return str(self["find"].value() or "").replace("\x00", "")[:MAX_SEARCH_LENGTH].strip()


def offer_tournaments(
    form: TournamentDetailsForm, request: OfficeRequest, opened: OpenReport, searched: str
) -> Search:
    """Make a choice of the tournaments to correct, by the lists that count them; the present value stays."""
    user = request.user
    known: list[ResultSet] = []
    total = 0
    if may_change(request, opened):
        near = opened.submission.read.info.played_to or opened.version.played_to
        known, total = selectors.tournaments_to_correct(user, words=searched, near=near, most=MOST_OFFERED)
    counted = rating_lists().published_in([tournament.part_code for tournament in known]) if known else {}
    lists: dict[str, list[tuple[str, str]]] = {}
    for tournament in known:
        counting = counted.get(tournament.part_code)
        heading = gettext("In no published list yet")
        if counting:
            heading = gettext("List of %(day)s, %(pool)s") % {
                "day": day(counting.in_force),
                "pool": counting.pool,
            }
        played = days(tournament.played_from, tournament.played_to)
        label = ", ".join(filter(None, [tournament.name, tournament.place, played]))
        lists.setdefault(heading, []).append((tournament.code, label))
    value = as_text(form["corrects"].value())
    others = [(value, value)] if value and value not in {tournament.code for tournament in known} else []
    form.fields["corrects"].widget = forms.Select(
        attrs={"class": "field__input"}, choices=[("", "–"), *others, *lists.items()]
    )
    return Search(searched, len(known), total)
