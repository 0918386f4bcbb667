"""Messages to the official about an application, written in the transaction of the step."""

from django.utils.translation import gettext

from reporting.messages.notifications import create_message, format_day, office_language
from titles.models import ApplicationStep

TITLE_APPLICATION = "title_application"


@office_language()
def notify_step(step: ApplicationStep) -> None:
    """Tell the official who applied about a step that another person recorded."""
    application = step.application
    if step.by_id == application.submitted_by_id:
        return
    values = {
        "player": application.player.printed_name,
        "title": application.title,
        "day": format_day(step.on),
        "step": step.get_move_display(),
        "reference": step.reference,
        "reason": step.reason,
    }
    sentences = [gettext("Your application for the title %(title)s of %(player)s has a new step.") % values]
    sentences.append(gettext("%(step)s on %(day)s.") % values)
    if step.reference:
        sentences.append(gettext("Reference: %(reference)s.") % values)
    if step.move == ApplicationStep.Move.REGISTER:
        sentences.append(gettext("The title counts from that day. Lists that close later print it.") % values)
    text = " ".join(sentences)
    if step.reason:
        text += "\n\n" + gettext("Reason: %(reason)s") % values
    create_message(
        kind=TITLE_APPLICATION,
        recipient=application.submitted_by,
        about=f"{application.address}#step-{step.pk}",
        title=gettext("%(step)s: %(title)s, %(player)s") % values,
        text=text,
    )
