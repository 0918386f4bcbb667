"""Addresses of the public pages of lists, and of the office's pages."""

from datetime import date

from django.contrib.auth.decorators import login_not_required
from django.urls import path, register_converter
from django.urls.converters import StringConverter
from django.views.generic import RedirectView

from ratings.federations.registry import rating_systems
from ratings.office.views import (
    corrections,
    dashboard,
    differences,
    drafts,
    merges,
    opening,
    preview,
    sources,
)
from ratings.office.views import requests as office_requests
from ratings.office.views.periods import chosen_dates, list_values, office, past_quarters
from ratings.office.views.recalculated import compare_rules, replay
from ratings.published.views import api_reference, home, open_data, requests
from ratings.published.views.lists import archive
from ratings.published.views.lists import differences as list_differences
from ratings.published.views.lists import files as list_files
from ratings.published.views.lists import page as lists
from ratings.published.views.method import calculator
from ratings.published.views.method import pages as method
from ratings.published.views.players import compare_players, player_pages, players
from ratings.published.views.sharing import embeds, feeds, images, webhooks
from ratings.published.views.statistics import clubs, compare_lists, federations, list_statistics, records
from ratings.published.views.tournaments import card, files, methods, standings, tables, tournament

FIRST_SYSTEM = rating_systems()[0].code
"""Whose method page the pages link to that belong to no list."""


class DayConverter:
    """A date as ISO 8601 writes it; a day that does not exist is no address."""

    regex = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"

    def to_python(self, value: str) -> date:
        return date.fromisoformat(value)

    def to_url(self, value: date | str) -> str:
        return str(value)


class NumberConverter:
    """A number from 1 that fits the database's integers."""

    regex = r"[1-9][0-9]{0,8}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)


class RevisionConverter(NumberConverter):
    """The revision of a list."""

    regex = r"[1-9][0-9]{0,3}"


class FileConverter(StringConverter):
    """The name of a published file: it begins with a letter, and no folder is in it."""

    regex = r"[A-Za-z][A-Za-z0-9.-]{0,39}"


class FederationConverter(StringConverter):
    """The code of a federation."""

    regex = r"[A-Z]{3}"


class VariantConverter(StringConverter):
    """The name of a variant of a list: a word, and for a list by a column its value: `club:020032`."""

    regex = r"[-a-zA-Z0-9_]+(?::[0-9A-Za-z]{1,20})?"


class ClubConverter(StringConverter):
    """The number of a club."""

    regex = r"[0-9]{6}"


register_converter(ClubConverter, "club")
register_converter(DayConverter, "day")
register_converter(NumberConverter, "number")
register_converter(RevisionConverter, "revision")
register_converter(FileConverter, "file")
register_converter(FederationConverter, "federation")
register_converter(VariantConverter, "variant")

OFFICE = "office/lists/<slug:pool>/<day:in_force>/"
LIST = "lists/<slug:pool>/<day:in_force>/r<revision:revision>/"

urlpatterns = [
    path("", home.home, name="home"),
    path("search/", home.search, name="search"),
    path("changes.atom", feeds.public_changes, name="changes-feed"),
    path("lists/", archive.archive, name="lists"),
    path("lists/feed.atom", feeds.lists, name="lists-feed"),
    path("lists/corrections.atom", feeds.corrections, name="lists-corrections-feed"),
    path("lists/<slug:pool>/", lists.rating_list, name="list-newest"),
    path("lists/<slug:pool>/<day:in_force>/", lists.rating_list, name="list-of-day"),
    path("lists/<slug:pool>/compare/", compare_lists.compare, name="lists-compare"),
    path("lists/<slug:pool>/<variant:variant>/", lists.variant_in_force, name="list-variant-in-force"),
    path(LIST, lists.rating_list, name="list-revision"),
    path(f"{LIST}tournaments/", lists.list_tournaments, name="list-tournaments"),
    path(f"{LIST}differences/", list_differences.list_differences, name="list-differences"),
    path(f"{LIST}earlier/", archive.earlier_lists, name="list-earlier"),
    path(f"{LIST}statistics/", list_statistics.list_statistics, name="list-statistics"),
    path(f"{LIST}files/<file:name>", list_files.published_file, name="list-file"),
    path(
        "lists/<slug:pool>/ratings/<day:day>.<slug:file_format>",
        list_files.ratings_file,
        name="list-ratings-file",
    ),
    path(f"{LIST}image.png", images.rating_list, name="list-image"),
    path(f"{LIST}<variant:variant>/image.png", images.rating_list, name="list-variant-image"),
    path(f"{LIST}print/<variant:variant>/", lists.list_to_print, name="list-print"),
    path(f"{LIST}<variant:variant>/", lists.rating_list, name="list-variant"),
    path("players/", players.players, name="players"),
    path("players/<player:address>/", players.player, name="player"),
    path("players/compare/", compare_players.compare, name="players-compare"),
    path("players/<player:address>/tournaments/", player_pages.played, name="player-tournaments"),
    path("players/<player:address>/opponents/", player_pages.opponents, name="player-opponents"),
    path(
        "players/<player:address>/games/<slug:pool>/<day:in_force>/<slug:code>/",
        player_pages.games,
        name="player-games",
    ),
    path("players/<player:address>/history.csv", player_pages.history_file, name="player-history-file"),
    path("players/<player:address>/games.csv", player_pages.games_file, name="player-games-file"),
    path("players/<player:address>/feed.atom", feeds.player, name="player-feed"),
    path("players/<player:address>/image.png", images.player, name="player-image"),
    path("tournaments/<slug:code>/image.png", images.tournament, name="tournament-image"),
    path("tournaments/", tables.calculated, name="tournaments"),
    path("tournaments/waiting/", tables.waiting, name="tournaments-waiting"),
    path("tournaments/calendar/", tables.calendar, name="tournaments-calendar"),
    path("tournaments/calendar.ics", tables.calendar_file, name="tournaments-calendar-file"),
    path("tournaments/<slug:code>/", standings.standings, name="tournament"),
    path("tournaments/<slug:code>/changes/", tournament.changes, name="tournament-changes"),
    path("tournaments/<slug:code>/crosstable/", tournament.crosstable, name="tournament-crosstable"),
    path("tournaments/<slug:code>/rounds/", tournament.rounds, name="tournament-rounds"),
    path("tournaments/<slug:code>/standings/", standings.moved_standings, name="tournament-standings"),
    path("tournaments/<slug:code>/standings/<number:number>/", card.card, name="tournament-card"),
    path("tournaments/<slug:code>/methods/", methods.methods, name="tournament-methods"),
    path("tournaments/<slug:code>/standings.csv", files.standings_file, name="tournament-standings-file"),
    path("tournaments/<slug:code>/files/<file:name>", files.report_file, name="tournament-file"),
    path("federations/", federations.federations, name="federations"),
    path("federations/<federation:code>/", federations.federation, name="federation"),
    path("federations/<federation:code>/feed.atom", feeds.federation, name="federation-feed"),
    path("clubs/<slug:register>-<club:club>/", clubs.club, name="club"),
    path("embed/clubs/<slug:register>-<club:club>/", clubs.embedded_club, name="embed-club"),
    path("embed/lists/<slug:pool>/", embeds.rating_list, name="embed-list"),
    path("embed/players/<player:address>/", embeds.player, name="embed-player"),
    path("records/", records.records, name="records"),
    path("method/", login_not_required(RedirectView.as_view(pattern_name="method")), name="method-index"),
    path(f"method/{FIRST_SYSTEM}/", method.method, {"system": FIRST_SYSTEM}, name="method"),
    path("method/<slug:system>/", method.method, name="method-of-system"),
    path("method/<slug:system>/calculator/", calculator.calculator, name="method-calculator"),
    path("method/<slug:system>/tables/", method.method_tables, name="method-tables"),
    path("method/<slug:system>/recompute.py", method.recompute_program, name="recompute-program"),
    path("reference/api/", api_reference.api_reference, name="reference-api"),
    path("reference/api/swagger/", api_reference.swagger, name="reference-swagger"),
    path("export/", open_data.open_data, name="open-data"),
    path("export/<file:name>", open_data.open_data_file, name="open-data-file"),
    path("account/webhooks/", webhooks.webhooks, name="account-webhooks"),
    path("account/webhooks/new/", webhooks.new_webhook, name="account-webhook-new"),
    path("account/webhooks/<number:number>/", webhooks.webhook, name="account-webhook"),
    path("requests/new/", requests.new_request, name="request-new"),
    path("requests/<str:key>/", requests.request_status, name="request"),
    path("office/requests/", office_requests.office_requests, name="office-requests"),
    path("office/requests/<int:number>/", office_requests.office_request, name="office-request"),
    path("office/players/<player:address>/merge/", merges.merge, name="office-player-merge"),
    path("office/merges/<number:number>/undo/", merges.undo_player_merge, name="office-merge-undo"),
    path("office/", dashboard.dashboard, name="office-dashboard"),
    path("office/sources/", sources.sources, name="office-sources"),
    path("office/federation/", dashboard.own_federation, name="office-federation"),
    path("office/pools/<slug:pool>/past-quarters/", past_quarters.past_quarters, name="office-past-quarters"),
    path("office/pools/<slug:pool>/dates/", chosen_dates.dates, name="office-dates"),
    path("office/pools/<slug:pool>/opening/", opening.opening, name="office-opening"),
    path("office/pools/<slug:pool>/opening/approve/", opening.approve, name="office-opening-approve"),
    path("office/pools/<slug:pool>/opening/publish/", opening.publish, name="office-opening-publish"),
    path("office/pools/<slug:pool>/opening/discard/", opening.discard, name="office-opening-discard"),
    path("office/pools/<slug:pool>/replay/", replay.replay, name="office-replay"),
    path("office/compare-rules/", compare_rules.compare, name="office-compare-rules"),
    path(
        "office/compare-rules/comparison.csv", compare_rules.comparison_file, name="office-compare-rules-csv"
    ),
    path(OFFICE, office.period, name="office-period"),
    path(f"{OFFICE}values/", list_values.values, name="office-values"),
    path(f"{OFFICE}freeze/", office.freeze, name="office-freeze"),
    path(f"{OFFICE}preview/", preview.preview, name="office-preview"),
    path(f"{OFFICE}differences/", differences.differences, name="office-differences"),
    path(f"{OFFICE}anomalies/<number:anomaly>/", drafts.answer, name="office-anomaly"),
    path(f"{OFFICE}calculate/", drafts.calculate, name="office-calculate"),
    path(f"{OFFICE}approve/", drafts.approve, name="office-approve"),
    path(f"{OFFICE}publish/", drafts.publish, name="office-publish"),
    path(f"{OFFICE}correct/", corrections.correct, name="office-correct"),
    path(f"{OFFICE}withdraw/", corrections.withdraw, name="office-withdraw"),
]
