"""The addresses that are no page for a reader: tests of pages leave them out."""

WITHOUT_PAGE = {
    **dict.fromkeys((
        "account-confirm-role", "account-resend-invitation", "account-withdraw", "account_logout",
        "office-anomaly", "office-calculate", "office-opening-approve", "office-opening-discard",
        "office-opening-publish", "office-report-remind", "office-withdraw", "report-announcement",
        "report-announcement-withdraw", "report-detail", "report-correct", "report-restore",
        "report-take-back", "report-withdraw",
    ), "only the target of a form"),
    **dict.fromkeys((
        "account-data", "audit-log-file", "check-file-example", "check-file-template-csv",
        "check-file-template-xlsx", "list-file", "open-data-file", "player-games-file", "player-history-file",
        "recompute-program", "office-compare-rules-csv", "office-players-csv",
        "report-original", "title-certificate-file", "title-feed",
        "changes-feed", "lists-feed", "lists-corrections-feed", "list-image", "list-variant-image", "player-feed",
        "player-image", "tournament-image", "federation-feed", "list-ratings-file", "oembed",
        "robots", "security-txt", "sitemap", "sitemap-part",
        "tournament-file", "tournament-standings-file", "tournaments-calendar-file",
        "champions-file", "championship-participants-file", "championship-reserves-file", "world-cup-open-file",
        "world-cup-recompute", "world-cup-women-file", "youth-teams-file",
    ), "a file"),
    **dict.fromkeys((
        "list-variant-in-force", "method-index", "tournament-standings",
    ), "leads to another address"),
    "ready": "one word for a machine",
    "method-of-system": "the first system answers at the address of the method page",
    "reference-swagger": "a program of others on the OpenAPI file",
    "reference-api": "the OpenAPI file, which has one language",
}  # fmt: skip
