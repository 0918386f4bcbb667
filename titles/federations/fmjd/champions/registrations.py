"""What champions add to pages, endpoints, sitemap, log and data of other apps."""

from ratings.federations.registry import register_sitemap_pages
from reporting.accounts.own_data import Section, register_sections
from reporting.log.actions import register_actions, register_fields
from titles.federations.fmjd.champions import labels, log_links
from titles.federations.fmjd.models import EnteredMedal, MedalWithdrawal, TitleMatchStep
from titles.federations.registry import register_endpoints, register_pages


def register_champions() -> None:
    """Register pages, the endpoint, labels and the data of an account. Called once, at start."""
    register_pages("titles.federations.fmjd.champions.urls")
    register_endpoints("titles.federations.fmjd.champions.api")
    register_sitemap_pages("champions", "champions-federations")
    register_actions("titles", labels.LOG_GROUP, labels.LOG_ACTIONS)
    register_fields(labels.LOG_FIELDS)
    log_links.register()
    register_sections(
        {
            "entered_medals": Section(
                EnteredMedal,
                "by",
                ("championship", "year", "place", "player", "name", "federation", "source", "at"),
            ),
            "withdrawn_medals": Section(MedalWithdrawal, "by", ("medal", "reason", "at")),
            "steps_of_title_matches": Section(
                TitleMatchStep,
                "by",
                ("championship", "year", "move", "player", "opponent", "result", "on", "reason", "at"),
            ),
        }
    )
