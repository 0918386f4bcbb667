"""What is done with a draft: its questions answered, calculated again, approved, released; and its differences."""

from datetime import date
from http import HTTPStatus

from django.contrib import messages
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from ratings.forms import SignForm
from ratings.models import Anomaly, RatingList
from ratings.selectors import drafts as selectors
from ratings.services.answer_anomaly import answer_anomaly
from ratings.services.approve_list import approve_list
from ratings.services.calculate import request_calculation
from ratings.services.publish_list import release_list
from ratings.views.answers import fragment_asked
from ratings.views.list_query import address, pager_of
from ratings.views.office import (
    anomalies_context,
    answer_form,
    office_page,
    period_or_404,
    period_page,
    sign_off_context,
)
from ratings.views.questions import page_in
from reporting.errors import DomainError
from reporting.views.guarded import actor, status_of

LIST_CHANGED = DomainError("list_changed", "The list has changed since you looked at it: look again.")
UNREADABLE = DomainError(
    "unreadable", "The page did not say which list you looked at: look again and press once more."
)


@office_page("POST")
def answer(request: HttpRequest, pool: str, in_force: date, anomaly: int) -> HttpResponse:
    """A word to one question of the draft; by htmx only the question and the signatures come back."""
    found = period_or_404(pool, in_force)
    asked = Anomaly.objects.filter(pk=anomaly, list__period=found).select_related("list").first()
    if asked is None:
        raise Http404("There is no such question.")
    form = answer_form(asked, request.POST)
    status = HTTPStatus.OK
    if not form.is_valid():
        status = HTTPStatus.BAD_REQUEST
    else:
        try:
            answer_anomaly(anomaly=asked, text=form.cleaned_data["text"], by=actor(request))
        except DomainError as refusal:
            form.add_error("text", refusal.message)
            status = status_of(refusal)
    typed: dict[int, BaseForm] = {} if status == HTTPStatus.OK else {asked.pk: form}
    if fragment_asked(request) == f"question-{asked.pk}":
        return question_fragment(request, asked, typed, status)
    if status != HTTPStatus.OK:
        return period_page(request, found, status=status, typed=typed)
    messages.success(request, "Your answer is kept.")
    response = redirect("office-list", pool, in_force)
    response["Location"] += "#anomalies"
    return response


def question_fragment(
    request: HttpRequest, asked: Anomaly, typed: dict[int, BaseForm], status: int
) -> HttpResponse:
    assert asked.list.period is not None  # noqa: S101 (an opening list asks nothing)
    (standing,) = selectors.standings_of([asked.list.period])
    context = {**sign_off_context(request, standing, asked.list), **anomalies_context(asked.list, typed)}
    context["question"], context["form"] = next(
        each for each in context["questions"] if each[0].anomaly.pk == asked.pk
    )
    return render(request, "office/period.html#answered", context, status=status)


@office_page("POST")
def calculate(request: HttpRequest, pool: str, in_force: date) -> HttpResponse:
    """Ask for the calculation once more."""
    found = period_or_404(pool, in_force)
    try:
        request_calculation(period=found, by=actor(request))
    except DomainError as refusal:
        return period_page(request, found, status=status_of(refusal), refusal=refusal)
    messages.success(request, "The calculation is asked for.")
    return redirect("office-list", pool, in_force)


@office_page("POST")
def approve(request: HttpRequest, pool: str, in_force: date) -> HttpResponse:
    """The first signature, under the figures that were on the page."""
    found = period_or_404(pool, in_force)
    form = SignForm(request.POST)
    if not form.is_valid():
        return period_page(request, found, status=HTTPStatus.BAD_REQUEST, refusal=UNREADABLE)
    try:
        approve_list(
            rating_list=current_list(found.pk), sha256=form.cleaned_data["sha256"], by=actor(request)
        )
    except DomainError as refusal:
        return period_page(request, found, status=status_of(refusal), refusal=refusal)
    messages.success(request, "Approved. Another person releases the list.")
    return redirect("office-list", pool, in_force)


@office_page("POST")
def release(request: HttpRequest, pool: str, in_force: date) -> HttpResponse:
    """The second signature: the list is published."""
    found = period_or_404(pool, in_force)
    form = SignForm(request.POST)
    if not form.is_valid():
        return period_page(request, found, status=HTTPStatus.BAD_REQUEST, refusal=UNREADABLE)
    try:
        released = release_list(
            rating_list=current_list(found.pk), sha256=form.cleaned_data["sha256"], by=actor(request)
        )
    except DomainError as refusal:
        return period_page(request, found, status=status_of(refusal), refusal=refusal)
    messages.success(request, f"Published: the list of {released.in_force}, revision {released.revision}.")
    return redirect("office-list", pool, in_force)


def current_list(period_id: int) -> RatingList:
    """The draft of a period, or its published list where there is none. Raises DomainError `list_changed`."""
    lists = RatingList.objects.filter(period=period_id).exclude(state=RatingList.State.SUPERSEDED)
    found = lists.order_by("-revision", "-pk").first()
    if found is None:
        raise LIST_CHANGED
    return found


# --- the full difference

SHOW_WORDS = {
    "all": "Everybody who differs",
    "up": "Rating up",
    "down": "Rating down",
    "new": "New on the list",
    "left": "Left the list",
    "category": "Other category",
    "person": "Other name or federation",
}
HEADINGS = (
    ("name", "Player", ""),
    ("federation", "Fed.", "table__wide"),
    ("before", "Before", "table__num"),
    ("rating", "Now", "table__num"),
    ("change", "Change", "table__num"),
    ("games", "Games", "table__num table__wide"),
)


@office_page("GET", "HEAD")
def differences(request: HttpRequest, pool: str, in_force: date) -> HttpResponse:
    """Row by row what the draft says otherwise than the last list, or than the one it replaces."""
    found = period_or_404(pool, in_force)
    (standing,) = selectors.standings_of([found])
    draft = standing.draft
    if draft is None:
        raise Http404("There is no draft to compare.")
    query = request.GET
    others = {"last": draft.previous, "replaced": draft.correction.replaces if draft.correction else None}
    against = query.get("against") or ("replaced" if others["replaced"] else "last")
    show, sort = query.get("show") or "all", query.get("sort") or "-change"
    other = others.get(against)
    if other is None or show not in selectors.SHOWN or sort.removeprefix("-") not in selectors.SORTS:
        raise Http404("There is no such difference.")
    page = page_in(query)
    difference = selectors.differences(draft, other, show=show, sort=sort, page=page)
    if page > 1 and not difference.rows:
        raise Http404("There is no such page.")

    def href(**changes: str) -> str:
        return address(
            request.path, {"against": query.get("against", ""), "show": show, "sort": sort, **changes}
        )

    columns = []
    for key, words, style in HEADINGS:
        current = sort.removeprefix("-") == key
        falls = sort.startswith("-")
        falls_next = not falls if current else key not in {"name", "federation"}
        columns.append(
            {
                "words": words,
                "style": style,
                "href": href(sort=f"{'-' if falls_next else ''}{key}"),
                "direction": ("descending" if falls else "ascending") if current else "",
            }
        )
    context = {
        "period": found,
        "draft": draft,
        "other": other,
        "against": against,
        "shows": [(word, words, href(show=word), word == show) for word, words in SHOW_WORDS.items()],
        "show_words": SHOW_WORDS[show],
        "columns": columns,
        "difference": difference,
        "pager": pager_of(page, difference.pages, difference.total, href),
    }
    return render(request, "office/differences.html", context)
