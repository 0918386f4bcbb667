"""A replay of the newest lists under another edition of the rules: what would differ, drawn and as tables."""

from collections.abc import Sequence
from http import HTTPStatus

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from ratings.office.forms import ReplayForm
from ratings.office.selectors.forecast import read_only_snapshot
from ratings.office.selectors.recalculated.replay import ReplayedList, replay_lists, replayable_lists
from ratings.office.views.periods.office import office_page, pool_or_404
from ratings.policies import check_can_run_period
from ratings.published.views.statistics.charts import Charts, Group, difference_groups, histogram
from reporting.web.access import OfficeRequest
from reporting.web.values import day

PAGE_LISTS = 8
"""A request replays so many lists at most, the newest ones; the command replays all."""


@office_page("GET", "HEAD")
def replay(request: OfficeRequest, pool: str) -> HttpResponse:
    """The form, and for an edition the comparison of each list, in one transaction that can only read."""
    check_can_run_period(request.user)
    with read_only_snapshot():
        found = pool_or_404(pool)
        lists = replayable_lists(found)[-PAGE_LISTS:]
        editions = {rules.id: rules for rules in found.rating_system.editions}
        context = {
            "pool": found,
            "lists": lists,
            "page_lists": PAGE_LISTS,
            "editions": list(editions.values()),
        }
        if len(editions) == 1 or not lists:
            return render(request, "office/replay.html", context)
        form = ReplayForm(
            request.GET or None,
            editions=list(editions),
            days=[rating_list.in_force for rating_list in lists],
        )
        context["form"] = form
        if not form.is_valid():
            status = HTTPStatus.BAD_REQUEST if form.is_bound else HTTPStatus.OK
            return render(request, "office/replay.html", context, status=status)
        rules, since = editions[form.cleaned_data["rules"]], form.cleaned_data["from"] or lists[0].in_force
        replayed = replay_lists(
            found, rules, [rating_list for rating_list in lists if rating_list.in_force >= since]
        )
        context |= {"rules": rules, "replayed": replayed}
        if groups := difference_groups(replayed[-1].differences):
            context |= {"groups": groups, "charts": difference_charts(replayed[-1], groups)}
        return render(request, "office/replay.html", context)


def difference_charts(found: ReplayedList, groups: Sequence[Group]) -> Charts:
    """How many players differ by how many points on a replayed list."""
    values = {"day": day(found.rating_list.in_force), "differing": found.differing, "players": found.players}
    title = gettext("Differences on the list of %(day)s, in points") % values
    description = gettext(
        "%(differing)s of %(players)s players differ. Losses are on the left, gains on the right. The table below"
        " has every figure."
    )
    return histogram(title, description % values, groups)
