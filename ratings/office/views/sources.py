"""The lists of sources: upload a file for the worker, see what is there and how much of the register it has."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from ratings.inputs.source_lists import newest_source_lists, waiting_imports
from ratings.models import SourceImport
from ratings.office.forms import SourceForm
from ratings.office.views.periods.office import office_page
from ratings.policies import check_can_import_list
from ratings.production.imports.import_source import sources_in_use
from ratings.production.imports.requested_source import players_read, request_source
from reporting.refusals.domain_error import refusal_catalogue
from reporting.rules.findings.finding_list import Finding
from reporting.rules.sentences import sentence
from reporting.web.access import SOURCE_UPLOAD, OfficeRequest, actor, allow_large_body, refusal_message
from reporting.web.attempt import Attempt
from reporting.web.http_cache import in_place_of_page, requested_fragment
from reporting.web.paging import rows_on_page


@allow_large_body(SOURCE_UPLOAD)
@office_page("GET", "HEAD", "POST")
def sources(request: OfficeRequest) -> HttpResponse:
    """The form of the file, what the worker does, and the lists, the newest day first.

    404 where no rating system reads lists of sources.
    """
    used = sources_in_use()
    if not used:
        raise Http404("No rating system here reads lists of sources.")
    posted = request.method == "POST"
    if posted:
        check_can_import_list(request.user)
    form = SourceForm(request.POST if posted else None, request.FILES if posted else None, sources=used)
    attempt = Attempt(form)
    if attempt.is_valid:
        with attempt:
            file = form.cleaned_data["file"]
            request_source(
                source=form.cleaned_data["source"],
                kind=form.cleaned_data["kind"],
                in_force=form.cleaned_data["in_force"],
                file=file,
                filename=file.name,
                by=actor(request),
            )
            messages.success(request, gettext("File uploaded. The worker imports it."))
            return redirect("office-sources")
    waiting = waiting_imports().first()
    is_polled = requested_fragment(request) == "progress"
    context: dict[str, Any] = {"waiting": waiting, "players_read": players_read(waiting) if waiting else 0}
    if is_polled and waiting is not None and not waiting.refusal:
        return render(request, "office/sources.html#progress", context)
    lists = newest_source_lists().select_related("imported_by").order_by("-in_force", "source", "kind", "-pk")
    context |= {
        "form": form,
        "refusal": attempt.refusal,
        "used": used,
        "may_upload": not refusal_message(check_can_import_list, request.user),
        "lists": rows_on_page(request, list(lists)),
        **failed_import(waiting),
    }
    if is_polled:
        is_refused = waiting is not None
        context["live_status"] = (
            gettext("The file was not imported.") if is_refused else gettext("The file is imported.")
        )
    response = render(request, "office/sources.html", context, status=attempt.status)
    return in_place_of_page(response) if is_polled else response


def failed_import(waiting: SourceImport | None) -> dict[str, Any]:
    """Why the worker did not import the last file: the sentence, and the findings if there are."""
    if waiting is None or not waiting.refusal:
        return {}
    stored = waiting.refusal
    findings = [Finding.from_json(found) for found in stored["findings"]]
    return {
        "failed": sentence(refusal_catalogue()[stored["key"]], stored["values"]),
        "findings": rows_on_page(None, findings, most=200) if findings else None,
    }
