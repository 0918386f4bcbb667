"""Statements about players, their numbers, memberships and merges."""

from django.utils.translation import gettext_noop as _

from reporting.log.invariants.registry import Invariant


def statements() -> tuple[Invariant, ...]:
    return (
        Invariant(
            "player-has-a-number",
            _("Each player has a number in a register."),
            """
            SELECT p.id FROM reporting_player p LEFT JOIN reporting_playeridentity i ON i.player_id = p.id
            WHERE i.id IS NULL
            """,
        ),
        Invariant(
            "player-shows-its-numbers",
            _("The numbers in the row of a player are those of the registers."),
            """
            SELECT p.id FROM reporting_player p
            LEFT JOIN LATERAL (
                SELECT count(*) AS numbers, bool_and(p.numbers ->> i.register IS NOT DISTINCT FROM i.number) AS same
                FROM reporting_playeridentity i WHERE i.player_id = p.id) AS identity ON true
            WHERE identity.numbers > 0 AND (NOT identity.same
                OR identity.numbers <> (SELECT count(*) FROM jsonb_object_keys(p.numbers)))
            """,
        ),
        Invariant(
            "number-of-one-player",
            _("A number of an international register belongs to one player."),
            """
            SELECT min(id) FROM reporting_playeridentity
            WHERE register <> 'national' GROUP BY register, number HAVING count(*) > 1
            """,
        ),
        Invariant(
            "birth-year-of-the-date",
            _("The year of birth of a player is that of the date of birth."),
            """
            SELECT d.player_id FROM reporting_personaldata d JOIN reporting_player p ON p.id = d.player_id
            WHERE p.birth_year IS DISTINCT FROM extract(year FROM d.born)
            """,
        ),
        Invariant(
            "erased-without-date-of-birth",
            _("An erased player has no date of birth."),
            """
            SELECT d.player_id FROM reporting_personaldata d JOIN reporting_player p ON p.id = d.player_id
            WHERE p.sort_name = 'erased player'
            """,
        ),
        Invariant(
            "erased-without-name",
            _("An erased player has no first name and no other last name."),
            """
            SELECT id FROM reporting_player
            WHERE sort_name = 'erased player' AND (last_name, first_name) <> ('Erased player', '')
            """,
        ),
        Invariant(
            "player-has-one-open-membership",
            _("Each player has one open membership, of the federation in the row of the player."),
            """
            SELECT p.id FROM reporting_player p
            WHERE 1 <> (SELECT count(*) FROM reporting_federationmembership m
            WHERE m.player_id = p.id AND m.until IS NULL)
               OR NOT EXISTS (SELECT FROM reporting_federationmembership m
                              WHERE m.player_id = p.id AND m.until IS NULL AND m.federation_id = p.federation_id)
            """,
        ),
        Invariant(
            "memberships-without-gaps",
            _("A membership that ends is followed by another one on the same day."),
            """
            SELECT m.id FROM reporting_federationmembership m
            WHERE m.since IS DISTINCT FROM m.until AND m.until IS NOT NULL AND NOT EXISTS (
                SELECT FROM reporting_federationmembership n
                WHERE n.player_id = m.player_id AND n.since = m.until AND n.until IS DISTINCT FROM n.since)
            """,
        ),
        Invariant(
            "player-is-spelt",
            _("Each player is found by the words of the name."),
            """
            SELECT p.id FROM reporting_player p LEFT JOIN reporting_playerspelling s ON s.player_id = p.id
            WHERE s.player_id IS NULL
            """,
        ),
        Invariant(
            "merge-of-two-records",
            _("A merged record is merged once, and no record is merged into it."),
            """
            SELECT m.id FROM reporting_playermerge m
            WHERE m.undone_at IS NULL AND EXISTS (
                SELECT FROM reporting_playermerge other
                WHERE other.undone_at IS NULL AND (other.surviving_id = m.duplicate_id
                    OR other.id <> m.id AND other.duplicate_id = m.duplicate_id))
            """,
        ),
        Invariant(
            "merge-undone-after-it",
            _("A merge is undone by a person, with a reason, after it was made."),
            """
            SELECT id FROM reporting_playermerge
            WHERE (undone_at IS NULL) <> (undone_by_id IS NULL) OR (undone_at IS NULL) <> (undone_reason = '')
               OR undone_at < merged_at
            """,
        ),
        Invariant(
            "player-of-an-accepted-report",
            _("A player whom a report entered is in the register since its acceptance."),
            """
            SELECT p.id FROM reporting_player p
            WHERE p.entered_by_report_id IS NOT NULL AND NOT EXISTS (
                SELECT FROM reporting_reportstep s JOIN reporting_reportversion v ON v.id = s.version_id
                WHERE v.report_id = p.entered_by_report_id AND s.move = 'accept')
            """,
        ),
        Invariant(
            "title-ends-after-it-begins",
            _("A title is registered before it is withdrawn."),
            "SELECT id FROM reporting_playertitle WHERE registered_on > withdrawn_on",
        ),
    )
