"""The labels of what acts on norms write into the audit log: of actions and of fields."""

from django.utils.translation import gettext_lazy as _

from reporting.log.actions import register_actions, register_fields, register_values


def register_log_labels() -> None:
    """Add these actions and fields to their registries. Called once, at start."""
    register_actions(
        "norms",
        _("Norms and titles"),
        {
            "norm.confirm": _("Norm confirmed"),
            "norm.refuse": _("Norm refused"),
            "norm.claim": _("Norm claimed"),
        },
    )
    register_fields(
        {
            "norm": _("Norm"),
            "tournament": _("Tournament"),
            "title": _("Title"),
            "colour": _("Colour"),
            "confirmed": _("Confirmed"),
        }
    )
    register_values("colour", [("", _("None"))])
