"""Addresses of the API, below `/api/v1/`."""

from django.urls import path

from ratings.published.api import (
    changes,
    federations,
    lists,
    player_games,
    players,
    reference,
    search,
    sources,
    webhooks,
)
from ratings.published.api.tournaments import coming, entries, facts, games, standings

LIST = "lists/<slug:pool>/<day:in_force>/r<revision:revision>/"

urlpatterns = [
    path("", reference.IndexView.as_view(), name="api-index"),
    path("pools/", lists.PoolsView.as_view(), name="api-pools"),
    path("lists/", lists.ListsView.as_view(), name="api-lists"),
    path("lists/<slug:pool>/", lists.ListInForceView.as_view(), name="api-list-in-force"),
    path("lists/<slug:pool>/<day:in_force>/", lists.ListOfDayView.as_view(), name="api-list"),
    path("lists/<slug:pool>/compare/", lists.ComparisonView.as_view(), name="api-lists-compare"),
    path(LIST, lists.ListView.as_view(), name="api-list-revision"),
    path(f"{LIST}entries/", lists.EntriesView.as_view(), name="api-entries"),
    path(f"{LIST}differences/", lists.DifferencesView.as_view(), name="api-differences"),
    path(f"{LIST}federations/", lists.RankingView.as_view(), name="api-ranking"),
    path("players/", players.PlayersView.as_view(), name="api-players"),
    path("players/<player:address>/", players.PlayerView.as_view(), name="api-player"),
    path("players/<player:address>/history/", players.HistoryView.as_view(), name="api-player-history"),
    path(
        "players/<player:address>/changes/<slug:pool>/<day:in_force>/",
        players.ExplanationView.as_view(),
        name="api-player-changes",
    ),
    path(
        "players/<player:address>/tournaments/",
        player_games.PlayerTournamentsView.as_view(),
        name="api-player-tournaments",
    ),
    path("players/<player:address>/games/", player_games.PlayerGamesView.as_view(), name="api-player-games"),
    path(
        "players/<player:address>/opponents/",
        player_games.PlayerOpponentsView.as_view(),
        name="api-player-opponents",
    ),
    path(
        "players/<player:address>/records/",
        player_games.PlayerRecordsView.as_view(),
        name="api-player-records",
    ),
    path("sources/", sources.SourcesView.as_view(), name="api-sources"),
    path("search/", search.SearchView.as_view(), name="api-search"),
    path("tournaments/", facts.TournamentsView.as_view(), name="api-tournaments"),
    path("tournaments/waiting/", coming.WaitingView.as_view(), name="api-waiting"),
    path("tournaments/<slug:code>/", facts.TournamentView.as_view(), name="api-tournament"),
    path(
        "tournaments/<slug:code>/entries/",
        entries.TournamentEntriesView.as_view(),
        name="api-tournament-entries",
    ),
    path(
        "tournaments/<slug:code>/standings/",
        standings.StandingsView.as_view(),
        name="api-tournament-standings",
    ),
    path("tournaments/<slug:code>/games/", games.GamesView.as_view(), name="api-tournament-games"),
    path(
        "tournaments/<slug:code>/crosstable/",
        entries.CrosstableView.as_view(),
        name="api-tournament-crosstable",
    ),
    path("calendar/", coming.CalendarView.as_view(), name="api-calendar"),
    path("changes/", changes.ChangesView.as_view(), name="api-changes"),
    path("webhooks/", webhooks.WebhooksView.as_view(), name="api-webhooks"),
    path("webhooks/<number:number>/", webhooks.OneWebhookView.as_view(), name="api-webhook"),
    path("webhooks/<number:number>/test/", webhooks.WebhookTestView.as_view(), name="api-webhook-test"),
    path("federations/", federations.FederationsView.as_view(), name="api-federations"),
    path("federations/<federation:code>/", federations.FederationView.as_view(), name="api-federation"),
    path("findings/", reference.FindingsView.as_view(), name="api-findings"),
    path("refusals/", reference.RefusalsView.as_view(), name="api-refusals"),
    path("rulings/", reference.RulingsView.as_view(), name="api-rulings"),
    path("parameters/", reference.ParametersView.as_view(), name="api-parameters"),
    path("openapi.json", reference.SchemaView.as_view(), name="api-schema"),
]
