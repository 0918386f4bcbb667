from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Warning, register
from django.utils import formats, translation

from reporting.errors import register_refusals
from reporting.refusals import REFUSALS
from reporting.rules.sentences import Translation, use_translation


class ReportingConfig(AppConfig):
    name = "reporting"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect the receivers of log-ins, which are edges and import everything below."""
        register_refusals(REFUSALS)
        use_translation(
            Translation(
                translation.gettext, translation.ngettext, lambda day: formats.date_format(day, "j M Y")
            )
        )
        from reporting.accounts.views import allauth_adapters, office_sessions  # noqa: F401, PLC0415 (once models are there)


@register
def links_lead_somewhere(**_: Any) -> list[CheckMessage]:
    """Warn of an office that sends mail and does not know its own address: links that open an account need it."""
    if settings.EMAIL_BACKEND.endswith("smtp.EmailBackend") and not settings.OFFICE_URL:
        return [
            Warning("Mail is sent, but OFFICE_URL is empty: its links lead nowhere.", id="reporting.W001")
        ]
    return []
