"""The opening list of a pool: upload its table, check the draft of the worker, sign it as two officers."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.models import Pool, RatingList
from ratings.office.forms import OpeningForm, SignForm
from ratings.office.selectors.drafts import users_with_role
from ratings.office.selectors.first_steps import last_list_before
from ratings.office.views.periods.office import office_page, pool_or_404
from ratings.policies import check_can_approve, check_can_import_list, check_can_publish, check_can_run_period
from ratings.production.approve_list import approve_list
from ratings.production.imports.import_list import OPTIONAL, REQUIRED
from ratings.production.imports.opening_list import discard_opening_list, request_opening_list
from ratings.production.publish_list import publish_list
from ratings.publishing.published_files import fits_a_sheet
from ratings.queries.lists import office_today, published
from ratings.queries.periods import opening_drafts, waiting_tables
from reporting.accounts.views.step_up import step_up
from reporting.models import Role
from reporting.policies import require_role
from reporting.refusals.domain_error import DomainError, refusal_catalogue
from reporting.rules.sentences import sentence
from reporting.web.access import TABLE_UPLOAD, OfficeRequest, actor, allow_large_body, refusal_message
from reporting.web.attempt import Attempt
from reporting.web.forms import ShownForm, shown_digest
from reporting.web.http_cache import in_place_of_page, requested_fragment
from reporting.web.paging import ROWS_PER_PAGE, build_pager, rows_on_page
from reporting.web.query_params import PageForm


def act_on_opening(act: str | Promise) -> Callable[..., str]:
    """An act in words, with `%(pool)s`, for the page that asks for the password."""
    return lambda _request, pool: str(act) % {"pool": pool_or_404(pool).name}


@allow_large_body(TABLE_UPLOAD)
@office_page("GET", "HEAD", "POST")
def opening(request: OfficeRequest, pool: str) -> HttpResponse:
    """The form of the table, the draft with its signatures, or what the worker does."""
    found = pool_or_404(pool)
    posted = request.method == "POST"
    if posted:
        check_can_import_list(request.user)
    form = OpeningForm(
        request.POST if posted else None,
        request.FILES if posted else None,
        initial={"in_force": last_list_before(office_today())},
    )
    attempt = Attempt(form)
    if attempt.is_valid:
        with attempt:
            file = form.cleaned_data["file"]
            request_opening_list(
                content=file.read(),
                filename=file.name,
                pool=found,
                in_force=form.cleaned_data["in_force"],
                by=actor(request),
            )
            return redirect("office-opening", pool)
    return opening_page(request, found, attempt, form)


def opening_page(
    request: OfficeRequest, pool: Pool, attempt: Attempt, form: OpeningForm | None = None
) -> HttpResponse:
    """The page of an opening list; after a refused act with the refusal and the form as sent."""
    waiting = waiting_tables(pool).first()
    is_polled = requested_fragment(request) == "progress"
    has_failed = waiting is not None and bool(waiting.refusal)
    if is_polled and waiting is not None and not has_failed:
        return render(request, "office/opening.html#progress", {"pool": pool, "waiting": waiting})
    oldest = published().filter(pool=pool).order_by("in_force").first()
    findings = getattr(attempt.refusal, "findings", ())
    system = pool.rating_system
    context: dict[str, Any] = {
        "pool": pool,
        "form": form or OpeningForm(initial={"in_force": last_list_before(office_today())}),
        "refusal": attempt.refusal,
        "findings": rows_on_page(None, findings, most=200) if findings else None,
        "waiting": waiting,
        "shown": shown_opening(pool),
        "failed": sentence(refusal_catalogue()[waiting.refusal["key"]], waiting.refusal["values"])
        if waiting is not None and waiting.refusal
        else "",
        "published": oldest,
        "may_upload": not refusal_message(check_can_import_list, request.user),
        "columns": ",".join((system.declaration.header("register_number"), *REQUIRED)),
        "optional": [*OPTIONAL, *system.declaration.opening_file],
    }
    draft = opening_drafts(pool).select_related("pool", "approved_by").first() if oldest is None else None
    if draft is not None:
        context |= draft_context(request, draft)
    if is_polled:
        is_ready = draft is not None and not has_failed
        context["live_status"] = gettext("The draft is ready.") if is_ready else gettext("No draft was made.")
    response = render(request, "office/opening.html", context, status=attempt.status)
    return in_place_of_page(response) if is_polled else response


def draft_context(request: OfficeRequest, draft: RatingList) -> dict[str, Any]:
    """The rows of the draft on pages of 100, and who may sign it."""
    pages = max(1, -(-draft.players // ROWS_PER_PAGE))
    page = min(PageForm(request.GET).number or 1, pages)
    first = (page - 1) * ROWS_PER_PAGE
    why_not_approve = refusal_message(check_can_approve, request.user, draft)
    why_not_publish = refusal_message(check_can_publish, request.user, draft)
    return {
        "draft": draft,
        "rows": draft.rows.filter(position__gt=first, position__lte=first + ROWS_PER_PAGE).order_by(
            "position"
        ),
        "pager": build_pager(page, pages, draft.players, lambda number: f"?page={number}" if number else "?"),
        "sign_form": SignForm(initial={"sha256": draft.sha256}),
        "fits_a_sheet": fits_a_sheet(draft),
        "is_approved": draft.state == RatingList.State.APPROVED,
        "why_not_approve": why_not_approve,
        "why_not_publish": why_not_publish,
        "officers": [
            user for user in users_with_role(Role.RATING_OFFICER) if user.pk != draft.imported_by_id
        ],
        "releasers": [
            user for user in users_with_role(Role.RELEASING_OFFICER) if user.pk != draft.approved_by_id
        ],
    }


@office_page("GET", "HEAD", "POST")
@step_up(act_on_opening(_("approve the opening list (%(pool)s)")))
def approve(request: OfficeRequest, pool: str) -> HttpResponse:
    """The first signature, for the figures on the page."""
    check_can_run_period(request.user)
    return sign(request, pool, approve_list, gettext("Approved. Another person publishes the list."))


@office_page("GET", "HEAD", "POST")
@step_up(act_on_opening(_("publish the opening list (%(pool)s)")))
def publish(request: OfficeRequest, pool: str) -> HttpResponse:
    """The second signature: the list is published."""
    require_role(request.user, Role.RELEASING_OFFICER)
    return sign(request, pool, publish_list, gettext("Opening list published."))


def sign(request: OfficeRequest, pool: str, act: Callable[..., RatingList], message: str) -> HttpResponse:
    """Sign the draft whose digest was on the page. The signatures are on the page of the list: a GET leads there."""
    found = pool_or_404(pool)
    if request.method != "POST":
        return redirect("office-opening", pool)
    form = SignForm(request.POST)
    attempt = Attempt(form)
    if not attempt.is_valid:
        attempt.refuse(DomainError("opening_unknown"))
        return opening_page(request, found, attempt)
    with attempt:
        draft = opening_drafts(found).first()
        if draft is None:
            raise DomainError("opening_unknown")
        signed = act(rating_list=draft, sha256=form.cleaned_data["sha256"], by=actor(request))
        messages.success(request, message)
        if signed.state == RatingList.State.PUBLISHED:
            return redirect("list-of-day", pool, signed.in_force)
        return redirect("office-opening", pool)
    return opening_page(request, found, attempt)


@office_page("POST")
def discard(request: OfficeRequest, pool: str) -> HttpResponse:
    """Remove the draft and a table that waits."""
    found = pool_or_404(pool)
    form = ShownForm(request.POST)
    attempt = Attempt(form)
    with attempt:
        discard_opening_list(
            pool=found,
            by=actor(request),
            unchanged=lambda: form.refuse_changed(shown_opening(found)),
        )
        messages.success(request, gettext("Draft discarded."))
        return redirect("office-opening", pool)
    return opening_page(request, found, attempt)


def shown_opening(pool: Pool) -> str:
    """A digest of the draft of an opening list with its state, and of the table that waits. 2 queries."""
    waiting = waiting_tables(pool).values_list("pk").first()
    return shown_digest(waiting, opening_drafts(pool).values_list("pk", "state").first())
