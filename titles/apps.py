from django.apps import AppConfig


class TitlesConfig(AppConfig):
    """Norms and titles, found in the lists of the rating systems that have rules of titles."""

    name = "titles"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from ratings.publishing.list_norms import register_norms  # noqa: PLC0415
        from ratings.publishing.public_changes.registry import register_public_changes  # noqa: PLC0415
        from reporting.accounts.own_data import Section, register_sections  # noqa: PLC0415
        from reporting.log.invariants.registry import register_invariants  # noqa: PLC0415
        from reporting.refusals.domain_error import register_refusals  # noqa: PLC0415
        from reporting.reports.decisions.selectors import register_waiting_for_council  # noqa: PLC0415
        from titles.applications import labels, log_links, public_changes  # noqa: F401, PLC0415
        from titles.ledger.panels import register_panels  # noqa: PLC0415
        from titles.models import ApplicationStep, NormDecision  # noqa: PLC0415
        from titles.norms.log_labels import register_log_labels  # noqa: PLC0415
        from titles.norms.selectors import waiting_for_council  # noqa: PLC0415
        from titles.norms.services.list_norms import ListNorms  # noqa: PLC0415
        from titles.queries import invariants  # noqa: PLC0415
        from titles.refusals import REFUSALS  # noqa: PLC0415

        register_refusals(REFUSALS)
        labels.register()
        register_sections(
            {
                "decisions_on_norms": Section(NormDecision, "by", ("norm", "is_confirmed", "reason", "at")),
                "steps_of_applications": Section(
                    ApplicationStep, "by", ("application", "move", "on", "reference", "reason", "at")
                ),
            }
        )
        register_norms(ListNorms())
        register_panels()
        register_invariants(invariants.statements)
        register_waiting_for_council(waiting_for_council)
        register_log_labels()
        register_public_changes(public_changes.EVENTS, public_changes.find_changes)
