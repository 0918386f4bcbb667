"""Statements about norms, applications and registered titles."""

from django.utils.translation import gettext_noop as _

from reporting.log.invariants.registry import Invariant


def statements() -> tuple[Invariant, ...]:
    return (
        Invariant(
            "norm-of-a-list",
            _("Each norm belongs to a list."),
            """
            SELECT n.id FROM titles_norm n LEFT JOIN ratings_ratinglist l ON l.id = n.list_id WHERE l.id IS NULL
            """,
        ),
        Invariant(
            "norm-of-a-counted-result-set",
            _("A norm of a published list is from a result set that the list counts."),
            """
            SELECT n.id FROM titles_norm n JOIN ratings_ratinglist l ON l.id = n.list_id
            LEFT JOIN ratings_periodreport m ON m.period_id = l.period_id AND m.result_set_id = n.result_set_id
                AND m.correction_id IS NOT DISTINCT FROM l.correction_id
            WHERE l.state = 'published' AND m.id IS NULL
            """,
        ),
        Invariant(
            "norm-of-an-entry",
            _("A norm is of a player with an entry in its result set."),
            """
            SELECT n.id FROM titles_norm n
            WHERE NOT EXISTS (
                SELECT FROM reporting_entry e LEFT JOIN reporting_playermerge merge ON merge.duplicate_id = e.player_id
                WHERE e.result_set_id = n.result_set_id AND n.player_id IN (e.player_id, merge.surviving_id))
            """,
        ),
        Invariant(
            "norm-decided",
            _("Each needed norm that was found or claimed is decided before its list is approved."),
            """
            SELECT n.id FROM titles_norm n JOIN ratings_ratinglist l ON l.id = n.list_id
            WHERE l.state IN ('approved', 'published') AND n.is_needed AND n.origin IN ('found', 'claimed')
              AND NOT EXISTS (
                SELECT FROM titles_normdecision d WHERE d.norm_id = n.id AND d.at <= l.approved_at)
            """,
        ),
        Invariant(
            "norm-of-the-layout-of-its-list",
            _("What the figures of a norm mean is written with its own list."),
            """
            SELECT n.id FROM titles_norm n LEFT JOIN titles_normlayout y ON y.id = n.layout_id AND y.list_id = n.list_id
            WHERE n.layout_id IS NOT NULL AND y.id IS NULL
            """,
        ),
        Invariant(
            "norm-ignores-a-game-of-its-result-set",
            _("The game that a norm needs ignored is of its result set."),
            """
            SELECT n.id FROM titles_norm n
            LEFT JOIN reporting_game g ON g.id = n.ignored_game_id AND g.result_set_id = n.result_set_id
            WHERE (n.origin = 'on_request') <> (g.id IS NOT NULL)
            """,
        ),
        Invariant(
            "norm-claimed-with-a-reason",
            _("A claimed norm has a person who claimed it and a reason."),
            """
            SELECT n.id FROM titles_norm n LEFT JOIN reporting_user u ON u.id = n.claimed_by_id
            WHERE (n.origin = 'claimed') <> (u.id IS NOT NULL) OR (n.origin = 'claimed') <> (n.claim_reason <> '')
            """,
        ),
        Invariant(
            "application-in-the-state-of-its-last-step",
            _("An application for a title is in the state of its last step."),
            """
            SELECT a.id FROM titles_titleapplication a WHERE a.state IS DISTINCT FROM (
                SELECT s.state FROM titles_applicationstep s WHERE s.application_id = a.id ORDER BY s.id DESC LIMIT 1)
            """,
        ),
        Invariant(
            "application-begins-with-its-submission",
            _("The first step of an application, and no other one, is its submission."),
            """
            SELECT s.id FROM titles_applicationstep s
            WHERE (s.move = 'submit') <> (s.id = (
                SELECT min(first.id) FROM titles_applicationstep first WHERE first.application_id = s.application_id))
            """,
        ),
        Invariant(
            "application-decided-by-another",
            _("Who submitted an application takes no later step but to withdraw it."),
            """
            SELECT s.id FROM titles_applicationstep s JOIN titles_titleapplication a ON a.id = s.application_id
            WHERE s.by_id = a.submitted_by_id AND s.move NOT IN ('submit', 'withdraw')
            """,
        ),
        Invariant(
            "application-registered-as-applied-for",
            _("A registered application has a title of its player, awarder, discipline and name."),
            """
            SELECT a.id FROM titles_titleapplication a
            LEFT JOIN reporting_playertitle t ON t.id = a.player_title_id AND t.player_id = a.player_id
                AND t.awarded_by = a.awarded_by AND t.discipline = a.discipline AND t.title = a.title
            WHERE (a.state IN ('registered', 'title_withdrawn')) <> (t.id IS NOT NULL)
            """,
        ),
        Invariant(
            "application-withdrawn-with-its-title",
            _("A title withdrawn by its application has a last day."),
            """
            SELECT a.id FROM titles_titleapplication a JOIN reporting_playertitle t ON t.id = a.player_title_id
            WHERE a.state = 'title_withdrawn' AND t.withdrawn_on IS NULL
            """,
        ),
    )
