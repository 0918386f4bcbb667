from django.apps import AppConfig


class FmjdTitlesConfig(AppConfig):
    """The norms and titles of the FMJD (Annex 10)."""

    name = "titles.federations.fmjd"
    label = "fmjd_titles"

    def ready(self) -> None:
        from ratings.federations.registry import register_sitemap_pages  # noqa: PLC0415
        from ratings.publishing.verification.other_publications import (  # noqa: PLC0415
            register_publications,
        )
        from ratings.worker.requested_work import register_work  # noqa: PLC0415
        from reporting.accounts.own_data import Section, register_sections  # noqa: PLC0415
        from reporting.web.panels import Panel, register_panel  # noqa: PLC0415
        from titles.federations.fmjd.champions.panels import register_panels  # noqa: PLC0415
        from titles.federations.fmjd.champions.registrations import register_champions  # noqa: PLC0415
        from titles.federations.fmjd.championships import labels as championships  # noqa: PLC0415
        from titles.federations.fmjd.championships import log_links as championship_links  # noqa: PLC0415
        from titles.federations.fmjd.championships.publication import (  # noqa: PLC0415
            PARTICIPANTS,
            RESERVES,
        )
        from titles.federations.fmjd.models import Publication  # noqa: PLC0415
        from titles.federations.fmjd.title_rules import FmjdTitleRules  # noqa: PLC0415 (it needs the models)
        from titles.federations.fmjd.world_cup.declarations import log_links  # noqa: PLC0415
        from titles.federations.fmjd.world_cup.events import labels as event_labels  # noqa: PLC0415
        from titles.federations.fmjd.world_cup.events import panels as event_panels  # noqa: PLC0415
        from titles.federations.fmjd.world_cup.publications import log_links as publication_links  # noqa: PLC0415
        from titles.federations.fmjd.world_cup.publications import panels, steps  # noqa: PLC0415
        from titles.federations.fmjd.world_cup.publications.classification import (  # noqa: PLC0415
            CLASSIFICATION,
        )
        from titles.federations.fmjd.world_cup.publications.kinds import register_kind  # noqa: PLC0415
        from titles.federations.fmjd.world_cup.publications.outdated import (  # noqa: PLC0415
            compare_publications,
            outdated_publications,
        )
        from titles.federations.fmjd.world_cup.publications.verify import verify_publications  # noqa: PLC0415
        from titles.federations.fmjd.world_cup.sharing.registrations import register_sharing  # noqa: PLC0415
        from titles.federations.registry import (  # noqa: PLC0415
            register_endpoints,
            register_pages,
            register_title_rules,
        )

        register_title_rules(FmjdTitleRules())
        for kind in (CLASSIFICATION, PARTICIPANTS, RESERVES):
            register_kind(kind)
        register_work(steps.calculate_requested)
        register_work(compare_publications)
        register_publications(verify_publications)
        publication_links.register()
        panels.register()
        event_labels.register()
        event_panels.register()
        register_sections(
            {
                "requested_publications": Section(
                    Publication,
                    "requested_by",
                    ("kind", "section", "women", "day", "championship", "revision", "reason", "requested_at"),
                )
            }
        )
        register_pages("titles.federations.fmjd.urls")
        register_champions()
        register_sharing()
        register_endpoints("titles.federations.fmjd.world_cup.youth_teams.api")
        register_sitemap_pages("world-cup", "what-must-i-score", "youth-teams-years", "championships")
        log_links.register()
        championships.register()
        championship_links.register()
        for page in ("office-dashboard", "norm-drafts"):
            register_panel(
                page,
                Panel("titles/world_cup/office_link.html", lambda _: {"outdated": outdated_publications()}),
            )
        register_panel("office-federation", Panel("titles/world_cup/declarations_link.html", lambda _: {}))
        for page in ("titles", "tournaments"):
            register_panel(page, Panel("titles/world_cup/links.html", lambda _: {}))
        register_panel(
            "player",
            Panel("titles/world_cup/score_link.html", lambda player: {"number": player.numbers.get("fmjd")}),
        )
        register_panels()
