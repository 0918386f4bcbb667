"""Which browser test asks axe about which page, by the name of its address: on a desktop in light colours, on a phone
in dark ones.

A page that is in no row and not exempt fails `test_examine.py`; a row that its module does not ask fails the module.
"""

PAGES = {
    "test_account_pages": frozenset({
        "account", "account-close-own", "account-sessions", "account-token-new", "account-tokens",
        "account-webhook", "account-webhook-new", "account-webhooks",
        "account-invitation", "account-mails", "account-name", "account-stop-mails",
        "account_change_password", "account_confirm_email", "account_email", "account_reauthenticate",
        "account_reset_password", "account_reset_password_done", "account_reset_password_from_key", "account-invite",
        "accounts", "mfa_activate_totp", "mfa_authenticate", "mfa_deactivate_totp", "mfa_generate_recovery_codes",
        "mfa_index", "mfa_reauthenticate", "mfa_view_recovery_codes",
    }),
    "test_accounts_managed_pages": frozenset({
        "account-close", "account-factor", "account-page", "account-reopen", "account-roles", "account-security",
        "audit-log",
    }),
    "test_check_report_file_pages": frozenset({
        "announcement-world-cup", "check-file", "report-announce", "report-announcement-change", "report-delete",
        "report-results-entry",
        "report-results-entry-players", "pair", "standings", "title-forecast", "title-forecast-running",
        "world-cup-event",
    }),
    "test_merge_layout": frozenset({"office-merge-undo", "office-player-merge"}),
    "test_messages_pages": frozenset({"mailbox", "messages"}),
    "test_office_layout": frozenset({
        "office-approve", "office-compare-rules", "office-correct", "office-dashboard", "office-differences",
        "office-championship", "office-championship-change", "office-championship-new", "office-championships",
        "office-champions", "office-declarations", "office-freeze", "office-title-match", "office-world-cup",
        "office-publication", "office-publications",
        "office-opening", "office-past-quarters", "office-period", "office-preview", "office-replay",
    }),
    "test_public_layout": frozenset({
        "accessibility", "account_login", "champions", "champions-federations", "champions-of-year",
        "championship-champions", "embed-list", "embed-player", "federation", "federations",
        "home", "list-earlier", "list-newest", "list-of-day", "list-print", "list-revision", "list-statistics",
        "list-tournaments", "list-variant", "lists", "lists-compare", "method", "method-calculator", "method-tables",
        "open-data", "player", "player-opponents", "player-tournaments", "players", "players-compare", "privacy",
        "records", "search", "title-points", "tournament", "tournament-card", "tournament-changes",
        "tournament-crosstable", "tournament-methods", "tournament-norms", "tournament-rounds", "tournaments",
        "tournaments-calendar", "tournaments-waiting", "what-must-i-score", "world-cup", "youth-teams",
        "youth-teams-years",
    }),
    "test_register_layout": frozenset({
        "office-player", "office-player-edit", "office-player-erase", "office-player-transfer", "office-players",
        "office-memberships", "office-players-import", "office-players-import-check",
    }),
    "test_report_layout": frozenset({
        "report", "report-changes", "report-details", "report-file", "report-new", "report-people", "report-preview",
        "report-submit", "reports",
    }),
    "test_request_layout": frozenset({"office-request", "office-requests", "request", "request-new"}),
    "test_results_entry_keyboard": frozenset({"report-results-entry-crosstable", "report-results-entry-round"}),
    "test_review_layout": frozenset({
        "office-decisions", "office-federation", "office-report", "office-reports", "office-tournament",
        "report-notes",
    }),
    "test_sources_layout": frozenset({"office-sources", "office-values"}),
    "test_title_story": frozenset({
        "norm", "norm-claim", "norm-drafts", "norms-of-draft", "title-application", "title-applications",
        "office-publish", "title-certificate", "title-certificates", "title-ledger", "title-ledgers", "title-norm",
        "titles",
    }),
    "test_toy_games_layout": frozenset({"club", "embed-club", "office-dates", "player-games"}),
}  # fmt: skip

ASKED: set[str] = set()
"""The names of the pages that the module has asked. Here, because pytest imports conftest.py a second time."""

EXEMPT = {
    "championship": "test_championship_pages looks at it, filled",
    "championship-participants": "the template of championship",
    "championship-reserves": "the template of championship",
    "championships": "a table of links, as office-championships",
    "list-differences": "no browser test publishes a revision",
    "office-reports-accept": "no browser test has clean reports waiting",
    "report-people-look-up": "a fragment of report-people",
    "title-forecast-of-report": "the template of title-forecast-running",
    "world-cup-open": "no browser test publishes a classification",
    "world-cup-women": "the template of world-cup-open",
}
