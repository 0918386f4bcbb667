"""The labels of what publications write: actions and states in the audit log."""

from django.utils.translation import gettext_lazy as _

from reporting.log.actions import register_actions, register_values
from titles.federations.fmjd.models import Publication


def register() -> None:
    """Add the actions and states of publications to their registries. Called once, at start."""
    register_actions(
        "publications",
        _("World Cup and championships"),
        {
            "publication.request": _("Publication requested"),
            "publication.approve": _("Publication approved"),
            "publication.publish": _("Publication published"),
            "publication.withdraw": _("Draft of a publication withdrawn"),
        },
    )
    register_values("state", Publication.State.choices)
