from dataclasses import replace

from django.apps import AppConfig
from django.conf import settings
from django.utils.translation import gettext_lazy


class TitlesConfig(AppConfig):
    """Norms and titles, found in the lists of the rating systems that have rules of titles."""

    name = "titles"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from ratings.federations.registry import (  # noqa: PLC0415
            MethodLink,
            MoreRulings,
            register_method_link,
            register_rulings,
        )
        from ratings.publishing.list_norms import register_norms  # noqa: PLC0415
        from ratings.rules.rulings import read_rulings  # noqa: PLC0415
        from reporting.accounts.own_data import Section, register_sections  # noqa: PLC0415
        from reporting.refusals.domain_error import register_refusals  # noqa: PLC0415
        from reporting.rules.regulations.decisive_places import register_decisive_places  # noqa: PLC0415
        from titles.applications import labels, log_links  # noqa: F401, PLC0415
        from titles.federations.fmjd.rules.parameters import EDITIONS  # noqa: PLC0415
        from titles.log_labels import register_log_labels  # noqa: PLC0415
        from titles.models import ApplicationStep, NormDecision  # noqa: PLC0415
        from titles.norms.decisive_places import places_of_titles  # noqa: PLC0415
        from titles.norms.list_norms import ListNorms  # noqa: PLC0415
        from titles.norms.title_rules import awarding_systems, register_title_rules  # noqa: PLC0415
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
        register_log_labels()
        federation = "fmjd"
        register_title_rules(federation, "classical", EDITIONS)
        of_titles = tuple(
            replace(ruling, article=f"Annex 10 art. {ruling.article}")
            for ruling in read_rulings(settings.BASE_DIR / "titles/federations" / federation / "rulings.toml")
        )
        register_rulings(federation, MoreRulings(gettext_lazy("Rulings on norms and titles"), of_titles))
        for system in awarding_systems():
            register_decisive_places(system, places_of_titles)
            register_method_link(system, MethodLink(gettext_lazy("Points for a norm"), "title-points"))
