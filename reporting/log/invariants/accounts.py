"""Statements about accounts, roles and messages."""

from django.utils.translation import gettext_noop as _

from reporting.log.invariants.registry import Invariant


def statements() -> tuple[Invariant, ...]:
    return (
        Invariant(
            "role-by-two-administrators",
            _(
                "A role that decides or signs is confirmed by another person than who assigned it and who has it."
            ),
            """
            SELECT id FROM reporting_roleassignment
            WHERE NOT by_command AND confirmed_at IS NOT NULL
              AND (role IN ('rating_officer', 'releasing_officer', 'title_council', 'administrator')
                   OR role = 'tournament_director' AND ended_at IS NULL)
              AND (confirmed_by_id IS NULL OR confirmed_by_id IN (assigned_by_id, account_id))
            """,
        ),
        Invariant(
            "role-assigned-by-another",
            _("No one assigns a role to their own account."),
            "SELECT id FROM reporting_roleassignment WHERE NOT by_command AND assigned_by_id = account_id",
        ),
        Invariant(
            "role-confirmed-by-administrator",
            _("Who confirms a role is an administrator at that moment."),
            """
            SELECT id FROM reporting_roleassignment given
            WHERE NOT by_command AND confirmed_by_id IS NOT NULL AND NOT EXISTS (
                SELECT FROM reporting_roleassignment held
                WHERE held.account_id = given.confirmed_by_id AND held.role = 'administrator'
                  AND held.confirmed_at <= given.confirmed_at
                  AND (held.ended_at IS NULL OR held.ended_at >= given.confirmed_at))
            """,
        ),
        # One act gives the instants of its transaction and of its statement, so they differ a little.
        Invariant(
            "role-instants-in-order",
            _("A role is assigned before it is confirmed and before it ends."),
            """
            SELECT id FROM reporting_roleassignment
            WHERE least(confirmed_at, ended_at) < assigned_at - interval '1 hour'
            """,
        ),
        Invariant(
            "administrator-signs-nothing",
            _("No account is administrator and at the same time signs lists or decides about norms."),
            """
            SELECT held.account_id FROM reporting_roleassignment held
            JOIN reporting_roleassignment other USING (account_id)
            WHERE held.role = 'administrator' AND held.ended_at IS NULL AND other.ended_at IS NULL
              AND other.role IN ('rating_officer', 'releasing_officer', 'title_council')
            """,
        ),
        Invariant(
            "account-of-commands-has-no-session",
            _("An account that acts for commands has no session, token or second factor."),
            """
            SELECT id FROM reporting_user u
            WHERE acts_by_command AND (
                EXISTS (SELECT FROM reporting_accountsession s WHERE s.account_id = u.id)
                OR EXISTS (SELECT FROM reporting_apitoken t WHERE t.account_id = u.id)
                OR EXISTS (SELECT FROM mfa_authenticator f WHERE f.user_id = u.id))
            """,
        ),
        Invariant(
            "account-opened-by-its-owner",
            _("An invited account is closed until the invitation is accepted."),
            """
            SELECT account_id FROM reporting_invitation i JOIN reporting_user u ON u.id = i.account_id
            WHERE u.is_active AND i.accepted_at IS NULL AND i.withdrawn_at IS NULL
            """,
        ),
        Invariant(
            "account-address-once",
            _("No two accounts have one e-mail address, in upper or lower case."),
            "SELECT min(id) FROM reporting_user GROUP BY lower(email) HAVING count(*) > 1",
        ),
        Invariant(
            "named-official-is-an-official",
            _("Who chose to be named in public has been assigned the role of a national ratings official."),
            """
            SELECT n.id FROM reporting_namedofficial n
            LEFT JOIN reporting_roleassignment a ON a.id = n.assignment_id AND a.account_id = n.account_id
                AND a.role = 'national_official'
            WHERE a.id IS NULL
            """,
        ),
        Invariant(
            "token-ends",
            _("A token of the API ends within 366 days."),
            "SELECT id FROM reporting_apitoken WHERE expires_at > created_at + interval '366 days'",
        ),
        Invariant(
            "message-has-a-recipient",
            _("A message goes to an account or to the sender of a request, who exists."),
            """
            SELECT m.id FROM reporting_message m
            LEFT JOIN reporting_user u ON u.id = m.recipient_id
            LEFT JOIN reporting_correctionrequest r ON r.id = m.correction_request_id
            WHERE (u.id IS NULL) = (r.id IS NULL)
            """,
        ),
        Invariant(
            "log-actor-exists",
            _("Who did what the log says has an account."),
            """
            SELECT l.id FROM reporting_logentry l LEFT JOIN reporting_user u ON u.id = l.actor_id WHERE u.id IS NULL
            """,
        ),
        Invariant(
            "log-not-of-the-future",
            _("The log has no entry of a coming moment."),
            "SELECT id FROM reporting_logentry WHERE at > clock_timestamp()",
        ),
    )
