"""The mails to the sender of a request: title and text of each, in the office's language."""

from datetime import timedelta
from typing import NamedTuple

from django.utils import timezone
from django.utils.translation import gettext

from reporting.messages.notifications import format_day, office_language
from reporting.models import CorrectionRequest, RequestEntry


class Mail(NamedTuple):
    """Title and text of a mail; the link to the page of the request is added when the mail leaves."""

    title: str
    text: str


@office_language()
def request_received(request: CorrectionRequest) -> Mail:
    """The first mail. It has no text of the visitor, because the address may be that of another person."""
    if request.figure == CorrectionRequest.Figure.ERASURE:
        asked = gettext(
            "Someone, probably you, asked the rating office to erase a name and gave this e-mail address."
        )
    else:
        asked = gettext(
            "Someone, probably you, reported an error in a published figure to the rating office and gave this e-mail"
            " address."
        )
    paragraphs = (
        asked,
        f"{request.about}\n{request.published_in}",
        gettext(
            "The link below opens the page of the request. Confirm there that you sent it. The page also shows the"
            " answers of the office, and you can reply there."
        ),
        gettext("If you did not send the request, do nothing."),
    )
    return Mail(gettext("Request %(number)s: received") % {"number": request.pk}, "\n\n".join(paragraphs))


@office_language()
def question_to_visitor(request: CorrectionRequest, entry: RequestEntry) -> Mail:
    """The office asks the visitor a question."""
    values = {"number": request.pk, "about": request.about}
    paragraphs = (
        gettext("The rating office has a question about your request %(number)s (%(about)s):") % values,
        entry.text,
        gettext("Reply on the page of the request. The link below opens it."),
    )
    return Mail(gettext("Request %(number)s: question") % values, "\n\n".join(paragraphs))


@office_language()
def answer_to_visitor(request: CorrectionRequest, entry: RequestEntry) -> Mail:
    """The answer of the office, with the last day on which the visitor can reopen the request, if any."""
    values = {"number": request.pk, "about": request.about, "outcome": entry.get_outcome_display().lower()}
    if request.reopened_at or request.closes_at is None:
        closing = gettext("This second answer closes the request. The link below opens its page.")
    else:
        last_day = timezone.localdate(request.closes_at) - timedelta(days=1)
        closing = gettext(
            "If the answer is wrong or incomplete, you can reopen the request once, until %(day)s. The link below opens"
            " its page."
        ) % {"day": format_day(last_day)}
    outcome = entry.get_outcome_display()
    paragraphs = (
        gettext("The rating office has answered your request %(number)s (%(about)s).") % values,
        f"{outcome}: {entry.basis}" if entry.basis else outcome,
        entry.text,
        closing,
    )
    return Mail(gettext("Request %(number)s: %(outcome)s") % values, "\n\n".join(paragraphs))
