from django.apps import AppConfig
from django.db.models.signals import post_migrate

from ratings.office import labels
from ratings.refusals import REFUSALS
from reporting.log.invariants.registry import register_invariants
from reporting.refusals.domain_error import register_refusals


class RatingsConfig(AppConfig):
    name = "ratings"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Fill the catalogues of this app and register what reporting must not import: lists, links."""
        from ratings.models import AnomalyAnswer, Webhook  # noqa: PLC0415
        from ratings.office.panels import register_panels  # noqa: PLC0415 (they need the models)
        from ratings.office.views import log_links  # noqa: F401, PLC0415
        from ratings.publishing import notifications  # noqa: F401, PLC0415
        from ratings.publishing.public_changes import of_lists, of_players, of_tournaments  # noqa: PLC0415
        from ratings.publishing.public_changes.registry import register_public_changes  # noqa: PLC0415
        from ratings.publishing.public_changes.webhooks.secrets import encrypt_webhooks_again  # noqa: PLC0415
        from ratings.publishing.verification.invariants import periods, published, rows  # noqa: PLC0415
        from reporting.accounts.own_data import Section, register_sections  # noqa: PLC0415

        register_refusals(REFUSALS)
        labels.register()
        register_panels()
        for statements in (periods.statements, rows.statements, published.statements):
            register_invariants(statements)
        for subject in (of_lists, of_players):
            register_public_changes(subject.ACTIONS, subject.find_changes)
        register_public_changes(of_tournaments.EVENTS, of_tournaments.find_changes)
        register_sections(
            {
                "answers_to_anomalies": Section(
                    AnomalyAnswer, "by", ("anomaly__list", "anomaly__kind", "text", "at")
                ),
                "webhooks": Section(Webhook, "account", ("url", "token__name", "created_at", "ended_at")),
            }
        )
        post_migrate.connect(encrypt_webhooks_again, sender=self)
