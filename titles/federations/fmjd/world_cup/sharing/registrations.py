"""What publications add to the feed of changes, endpoints, sitemap and open data of other apps."""

from ratings.federations.registry import register_sitemap_part
from ratings.publishing.open_data.other_tables import register_tables
from ratings.publishing.public_changes.registry import register_page_names, register_public_changes
from titles.federations.fmjd.world_cup.sharing import open_data, published_pages
from titles.federations.registry import register_endpoints


def register_sharing() -> None:
    """Register them. Called once, at start."""
    register_endpoints("titles.federations.fmjd.world_cup.sharing.api.urls")
    register_sitemap_part("world-cup", published_pages.sitemap_locations)
    register_public_changes(published_pages.ACTIONS, published_pages.find_changes)
    register_page_names(published_pages.page_names)
    register_tables(open_data.TABLES)
