"""Statements about tournaments, result sets and games."""

from django.utils.translation import gettext_noop as _

from reporting.log.invariants.registry import Invariant


def statements() -> tuple[Invariant, ...]:
    return (
        Invariant(
            "result-set-of-a-tournament",
            _("Each result set belongs to a tournament."),
            """
            SELECT s.id FROM reporting_resultset s LEFT JOIN reporting_tournament t ON t.code = s.code
            WHERE t.id IS NULL
            """,
        ),
        Invariant(
            "revisions-of-results-without-gaps",
            _("The result sets of a part of a tournament are numbered from 0 without gaps."),
            """
            SELECT s.id FROM reporting_resultset s
            WHERE s.revision <> 0 AND NOT EXISTS (
                SELECT FROM reporting_resultset before
                WHERE (before.code, before.part, before.revision) = (s.code, s.part, s.revision - 1))
            """,
        ),
        Invariant(
            "result-set-revision-once",
            _("No part of a tournament has two result sets of one revision."),
            "SELECT min(id) FROM reporting_resultset GROUP BY code, part, revision HAVING count(*) > 1",
        ),
        Invariant(
            "parts-accepted-in-order",
            _("An accepted part of a tournament has an accepted part before it, but the first."),
            """
            SELECT s.id FROM reporting_report r JOIN reporting_resultset s ON s.id = r.result_set_id
            WHERE r.state = 'accepted' AND s.part > 1 AND NOT EXISTS (
                SELECT FROM reporting_report o JOIN reporting_resultset before ON before.id = o.result_set_id
                WHERE o.state = 'accepted' AND (before.code, before.part) = (s.code, s.part - 1))
            """,
        ),
        Invariant(
            "result-set-has-games",
            _("An accepted result set has entries and games."),
            """
            SELECT r.result_set_id FROM reporting_report r
            WHERE r.state = 'accepted' AND NOT EXISTS (
                SELECT FROM reporting_game g JOIN reporting_entry e ON e.id IN (g.white_id, g.black_id)
                WHERE g.result_set_id = r.result_set_id)
            """,
        ),
        Invariant(
            "game-of-own-entries",
            _("The players of a game are entries of its result set."),
            """
            SELECT g.id FROM reporting_game g
            LEFT JOIN reporting_entry white ON white.id = g.white_id AND white.result_set_id = g.result_set_id
            LEFT JOIN reporting_entry black ON black.id = g.black_id AND black.result_set_id = g.result_set_id
            WHERE g.white_id IS NOT NULL AND white.id IS NULL OR g.black_id IS NOT NULL AND black.id IS NULL
            """,
        ),
        Invariant(
            "game-of-two-players",
            _("A played game has two different players."),
            """
            SELECT id FROM reporting_game
            WHERE white_id = black_id OR played AND (white_id IS NULL OR black_id IS NULL)
            """,
        ),
        Invariant(
            "game-shares-two-points",
            _("The players of a played game share two half points."),
            "SELECT id FROM reporting_game WHERE played AND white_points + black_points <> 2",
        ),
        Invariant(
            "game-in-a-round",
            _("Each game belongs to a round of its result set."),
            """
            SELECT g.id FROM reporting_game g
            LEFT JOIN reporting_round r ON r.result_set_id = g.result_set_id AND r.number = g.round WHERE r.id IS NULL
            """,
        ),
        Invariant(
            "one-game-at-a-time",
            _("No entry has two games of one number in a round."),
            """
            SELECT entry FROM reporting_game g, unnest(ARRAY[g.white_id, g.black_id]) AS side (entry)
            WHERE entry IS NOT NULL GROUP BY entry, g.round, g.number HAVING count(*) > 1
            """,
        ),
        Invariant(
            "entry-of-a-player",
            _("Each entry of an accepted result set is a player of the register."),
            """
            SELECT e.id FROM reporting_entry e JOIN reporting_report r ON r.result_set_id = e.result_set_id
            LEFT JOIN reporting_player p ON p.id = e.player_id
            WHERE r.state = 'accepted' AND p.id IS NULL
            """,
        ),
        Invariant(
            "entry-numbered-once",
            _("No two entries of a result set have one number."),
            "SELECT min(id) FROM reporting_entry GROUP BY result_set_id, number HAVING count(*) > 1",
        ),
        Invariant(
            "round-numbered-once",
            _("No two rounds of a result set have one number."),
            "SELECT min(id) FROM reporting_round GROUP BY result_set_id, number HAVING count(*) > 1",
        ),
        Invariant(
            "result-set-days-in-order",
            _("A tournament ends on or after the day on which it begins."),
            "SELECT id FROM reporting_resultset WHERE played_from > played_to",
        ),
        Invariant(
            "decision-on-a-known-item",
            _("A decision about a tournament is on an item that the office or the Council decides."),
            """
            SELECT d.id FROM reporting_tournamentdecision d LEFT JOIN decided_items i ON i.item = d.item
            WHERE i.item IS NULL
            """,
        ),
    )
