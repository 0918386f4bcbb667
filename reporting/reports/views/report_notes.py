"""The notes on a report: the office and the people of the report write to each other there."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from reporting.policies import check_can_read_reports, check_can_review, check_can_submit
from reporting.refusals.domain_error import DomainError
from reporting.reports.selectors.inbox import has_note_to_answer
from reporting.reports.services.write_note import close_notes, write_note
from reporting.reports.views.reports import report_or_404
from reporting.web.access import OfficeRequest, actor, refusal_message, require_access
from reporting.web.attempt import Attempt
from reporting.web.error_summary import InvalidField
from reporting.web.forms import cleaned, typed_text


class NoteForm(forms.Form):
    """A note, or the end of the notes without an answer."""

    action = forms.ChoiceField(choices=[("write", "write"), ("close", "close")])
    text = typed_text()


@require_access(check_can_read_reports, "GET", "HEAD", "POST")
def report_notes(request: OfficeRequest, number: int) -> HttpResponse:
    """The notes on a report, oldest first, and the form of the next one."""
    opened, user = report_or_404(request, number), request.user
    form, attempt = NoteForm(request.POST or None), Attempt()
    if request.method == "POST":
        with attempt:
            values = cleaned(form)
            if values["action"] == "close":
                if values["text"].strip():
                    raise DomainError("note_not_sent")
                close_notes(report=opened.report, by=actor(request))
                messages.success(
                    request, gettext("Marked as answered. The inbox no longer shows these notes.")
                )
                return redirect("office-reports")
            note = write_note(report=opened.report, text=values["text"], by=actor(request))
            messages.success(
                request,
                gettext("Note sent. The referee gets a message.")
                if note.from_office
                else gettext("Note sent. The office reads it in its inbox."),
            )
            return redirect("report-notes", number)
    can_review = not refusal_message(check_can_review, user, opened.report)
    context = {
        "opened": opened,
        "report": opened.report,
        "notes": opened.report.notes.select_related("by").order_by("pk"),
        "can_write": opened.report.first_submitted_at is not None
        and not refusal_message(check_can_submit, user, opened.report),
        "can_review": can_review,
        "can_close": can_review and has_note_to_answer(opened.report),
        "text": form["text"].value() or "",
        "problem": attempt.refusal,
        "invalid_fields": [InvalidField("text", gettext("Note"), attempt.refusal.message)]
        if attempt.refusal and attempt.refusal.code in ("text_missing", "unreadable")
        else [],
    }
    return render(request, "reporting/reports/report_notes.html", context, status=attempt.status)
