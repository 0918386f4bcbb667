"""The labels of what this app writes: actions and fields of the audit log, and the kind of its messages."""

from django.utils.translation import gettext_lazy as _

from reporting.log.actions import register_actions, register_fields, register_values
from reporting.messages.kinds import MessageKind, register_message_kinds


def register() -> None:
    """Add the actions, fields and kinds of messages of applications to their registries. Called once, at start."""
    from titles.applications.notifications import TITLE_APPLICATION  # noqa: PLC0415 (needs the apps)
    from titles.models import ApplicationStep, TitleApplication  # noqa: PLC0415

    register_actions(
        "titles", _("Titles"), {f"application.{move.value}": move.label for move in ApplicationStep.Move}
    )
    register_fields({"on": _("Day"), "reference": _("Reference"), "discipline": _("Discipline")})
    register_values("state", TitleApplication.State.choices)
    register_values("basis", TitleApplication.Basis.choices)
    register_message_kinds(
        {TITLE_APPLICATION: MessageKind(_("Application for a title"), "stamp", _("Open application"))}
    )
