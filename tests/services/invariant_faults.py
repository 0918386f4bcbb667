"""For each rule that the stored data follow, a statement by which the owner of the database breaks that rule alone.

Accounts 1 to 4 act for commands: importer, officer, releaser, visitor. Lists 1 to 4 are the opening list and those of
three quarters.
"""

NEWEST_PLAYER = "(SELECT max(id) FROM reporting_player)"
SUBMITTED = "(SELECT max(id) FROM reporting_report WHERE state = 'submitted')"
ITS_VERSION = f"(SELECT max(id) FROM reporting_reportversion WHERE report_id = {SUBMITTED})"
ITS_RESULTS = f"(SELECT result_set_id FROM reporting_report WHERE id = {SUBMITTED})"
UNCOUNTED = (
    "(SELECT max(id) FROM reporting_report r WHERE state = 'accepted' AND NOT EXISTS"
    " (SELECT FROM ratings_periodreport m WHERE m.result_set_id = r.result_set_id)"
    " AND NOT EXISTS (SELECT FROM reporting_player p WHERE p.entered_by_report_id = r.id))"
)
UNCOUNTED_RESULTS = f"(SELECT result_set_id FROM reporting_report WHERE id = {UNCOUNTED})"
A_LINE = "(SELECT max(id) FROM ratings_periodreport)"
A_CHANGE = (
    "list_id = 4 AND player_id = (SELECT min(player_id) FROM fmjd_change WHERE list_id = 4) AND sequence = 0"
)
A_NORM = "(SELECT max(id) FROM titles_norm WHERE layout_id IS NOT NULL AND origin <> 'on_request')"


def latest(table: str) -> str:
    return f"id = (SELECT max(id) FROM {table})"


def of_list(change: str, number: int = 4) -> str:
    return f"UPDATE ratings_ratinglist SET {change} WHERE id = {number}"


def role(change: str, code: str = "rating_officer") -> str:
    return f"UPDATE reporting_roleassignment SET {change} WHERE role = '{code}'"


def period(closing: str, since: str, state: str = "open") -> str:
    """A period of the list of 1 Apr 2027; frozen by the officer where it is not open."""
    by = "NULL, NULL" if state == "open" else "now(), 2"
    return (
        "INSERT INTO ratings_period (pool_id, closing, in_force, played_since, played_before, freezes_at, state,"
        " frozen_at, frozen_by_id, freeze_reason)"
        f" VALUES (1, '{closing}', '2027-04-01', '{since}', '2027-03-16', '2027-03-23', '{state}', {by}, '')"
    )


def line(period_id: str, correction_id: str, begin: str = "") -> str:
    """One more line of a manifest, as the newest one but for period and correction."""
    return (
        f"{begin} INSERT INTO ratings_periodreport (period_id, correction_id, result_set_id, version_id)"
        f" SELECT {period_id}, {correction_id}, result_set_id, version_id FROM ratings_periodreport WHERE id = {A_LINE}"
    )


def correction(replaces: int, follows: str = "NULL") -> str:
    return (
        "INSERT INTO ratings_correction (replaces_id, reason, later, follows_id, requested_by_id)"
        f" VALUES ({replaces}, 'x', 'revise', {follows}, 2)"
    )


def merge(duplicate: int, surviving: int, undone_at: str = "NULL") -> str:
    return (
        "INSERT INTO reporting_playermerge (duplicate_id, surviving_id, reason, merged_by_id, undone_at, undone_reason)"
        f" VALUES ({duplicate}, {surviving}, 'x', 2, {undone_at}, '')"
    )


def application(state: str, *steps: tuple[str, str, int], with_title: bool = False) -> str:
    """An application for the newest title of the register, by account 1; a step is move, state and account."""
    made = (
        "INSERT INTO titles_titleapplication (player_id, federation_id, awarded_by, discipline, title, basis, evidence,"
        " state, submitted_by_id, player_title_id)"
        f" SELECT player_id, 'NED', awarded_by, discipline, title, 'norms', '{{}}', '{state}', 1,"
        f" {'id' if with_title else 'NULL'} FROM reporting_playertitle"
        " WHERE id = (SELECT max(id) FROM reporting_playertitle WHERE withdrawn_on IS NULL)"
    )
    if not steps:
        return made
    values = ", ".join(f"('{move}', '{after}', {by})" for move, after, by in steps)
    return (
        f"WITH made AS ({made} RETURNING id)"
        ' INSERT INTO titles_applicationstep (application_id, move, state, "on", reference, reason, by_id)'
        f" SELECT made.id, move, after, '2026-01-01', '', '', account"
        f" FROM made, (VALUES {values}) AS s (move, after, account)"
    )


SUBMIT = ("submit", "submitted", 1)

FAULTS = {
    # accounts, roles, messages, log
    "role-by-two-administrators": role("by_command = false, assigned_by_id = 4, confirmed_by_id = NULL"),
    "role-assigned-by-another": role("by_command = false, confirmed_by_id = NULL", "referee"),
    "role-confirmed-by-administrator": role("by_command = false, assigned_by_id = 4, confirmed_by_id = 3"),
    "role-instants-in-order": role("ended_at = assigned_at - interval '1 day', ended_by_id = 4"),
    "administrator-signs-nothing": role("account_id = 2, role = 'administrator'", "referee"),
    "account-of-commands-has-no-session": "INSERT INTO reporting_accountsession"
    " (session_key, session_data, expire_date, account_id, user_agent) VALUES ('x', '', now(), 1, '')",
    "account-opened-by-its-owner": "INSERT INTO reporting_invitation (account_id, invited_by_id, sent_at)"
    " VALUES (1, 2, now())",
    "account-address-once": "UPDATE reporting_user SET email = 'OFFICER@office.invalid' WHERE id = 4",
    "named-official-is-an-official": "INSERT INTO reporting_namedofficial (account_id, assignment_id) VALUES (1, 1)",
    "token-ends": "INSERT INTO reporting_apitoken (account_id, name, scopes, start, secret_sha256, expires_at)"
    " VALUES (0, 'x', '{}', '', '', now() + interval '367 days')",
    "message-has-a-recipient": "INSERT INTO reporting_message"
    " (kind, recipient_id, address, about, title, text, attempts)"
    " VALUES ('x', 0, '', '', '', '', 0)",
    "log-actor-exists": "UPDATE reporting_logentry SET actor_id = 0 WHERE action = 'register.import'",
    "log-not-of-the-future": "UPDATE reporting_logentry SET at = now() + interval '1 day'"
    " WHERE action = 'register.import'",
    # register
    "player-has-a-number": f"DELETE FROM reporting_playeridentity WHERE player_id = {NEWEST_PLAYER}",
    "player-shows-its-numbers": f"UPDATE reporting_player SET numbers = '{{}}' WHERE id = {NEWEST_PLAYER}",
    "number-of-one-player": "WITH one AS (UPDATE reporting_playeridentity SET number ="
    " (SELECT number FROM reporting_playeridentity ORDER BY id LIMIT 1)"
    f" WHERE player_id = {NEWEST_PLAYER} RETURNING player_id, register, number)"
    " UPDATE reporting_player SET numbers = jsonb_build_object(register, number) FROM one WHERE id = player_id",
    "birth-year-of-the-date": "UPDATE reporting_personaldata SET born = born + 3660"
    " WHERE player_id = (SELECT max(player_id) FROM reporting_personaldata)",
    "erased-without-date-of-birth": "UPDATE reporting_player SET last_name = 'Erased player', first_name = '',"
    " sort_name = 'erased player' WHERE id = (SELECT max(player_id) FROM reporting_personaldata)",
    "erased-without-name": "UPDATE reporting_player SET sort_name = 'erased player' WHERE id ="
    " (SELECT max(id) FROM reporting_player WHERE id NOT IN (SELECT player_id FROM reporting_personaldata))",
    "player-has-one-open-membership": f"DELETE FROM reporting_federationmembership WHERE player_id = {NEWEST_PLAYER}",
    "memberships-without-gaps": "INSERT INTO reporting_federationmembership (player_id, federation_id, since, until)"
    f" VALUES ({NEWEST_PLAYER}, 'NED', '2000-01-01', '2001-01-01')",
    "player-is-spelt": f"DELETE FROM reporting_playerspelling WHERE player_id = {NEWEST_PLAYER}",
    "merge-of-two-records": f"WITH first AS ({merge(1, 2)}) {merge(2, 3)}",
    "merge-undone-after-it": merge(1, 2, "now()"),
    "player-of-an-accepted-report": f"UPDATE reporting_player SET entered_by_report_id = {SUBMITTED}"
    f" WHERE id = {NEWEST_PLAYER}",
    "title-ends-after-it-begins": "UPDATE reporting_playertitle SET registered_on = '2020-01-02',"
    f" withdrawn_on = '2020-01-01' WHERE {latest('reporting_playertitle')}",
    # reports and requests
    "versions-without-gaps": f"UPDATE reporting_reportversion SET number = 3 WHERE report_id = {SUBMITTED}",
    "report-has-a-version": "INSERT INTO reporting_report (state, submitted_by_id, admitted_reason)"
    " VALUES ('draft', 1, '')",
    "version-has-its-digest": f"UPDATE reporting_reportversion SET content = 'x' WHERE report_id = {SUBMITTED}",
    "version-counts-its-findings": f"UPDATE reporting_reportversion SET warnings = 9 WHERE report_id = {SUBMITTED}",
    "accepted-version-of-its-report": "UPDATE reporting_report SET accepted_version_id = (SELECT r.accepted_version_id"
    f" FROM reporting_report r WHERE r.state = 'accepted' ORDER BY id LIMIT 1) WHERE id = {UNCOUNTED}",
    "accepted-by-a-step": "DELETE FROM reporting_reportstep WHERE move = 'accept'"
    f" AND version_id = (SELECT accepted_version_id FROM reporting_report WHERE id = {UNCOUNTED})",
    "accepted-by-another-than-its-referee": "UPDATE reporting_reportstep SET by_id = 1 WHERE id ="
    " (SELECT max(id) FROM reporting_reportstep WHERE move = 'accept')",
    "submitted-by-a-step": f"DELETE FROM reporting_reportstep WHERE version_id = {ITS_VERSION}",
    "comment-on-a-warning": "INSERT INTO reporting_warningcomment (version_id, finding, text, by_id)"
    f" VALUES ({ITS_VERSION}, 99, 'x', 1)",
    "each-warning-commented": "DELETE FROM reporting_warningcomment WHERE id = (SELECT max(c.id)"
    " FROM reporting_warningcomment c JOIN reporting_report r ON r.accepted_version_id = c.version_id)",
    "one-accepted-report": f"UPDATE reporting_report SET state = 'accepted', result_set_id = {UNCOUNTED_RESULTS}"
    f" WHERE id = {SUBMITTED}",
    "correction-of-its-tournament": "UPDATE reporting_report SET corrects_code ="
    f" (SELECT code FROM reporting_resultset WHERE id = {UNCOUNTED_RESULTS}) WHERE id = {SUBMITTED}",
    "request-answered": "INSERT INTO reporting_correctionrequest (figure, reference, pool, pool_name, published_values,"
    " article, error_description, proposed_value, evidence, name, email, state)"
    " VALUES ('rating', '', '', '', '{}', '', 'x', '', '', 'x', 'x', 'answered')",
    # tournaments, result sets, games
    "result-set-of-a-tournament": "UPDATE reporting_tournament SET code = 'x'"
    f" WHERE code = (SELECT code FROM reporting_resultset WHERE id = {ITS_RESULTS})",
    "revisions-of-results-without-gaps": f"UPDATE reporting_resultset SET revision = 2 WHERE id = {ITS_RESULTS}",
    "result-set-revision-once": "UPDATE reporting_resultset SET code ="
    f" (SELECT code FROM reporting_resultset WHERE id = {UNCOUNTED_RESULTS}) WHERE id = {ITS_RESULTS}",
    "parts-accepted-in-order": f"UPDATE reporting_resultset SET part = 3 WHERE id = {UNCOUNTED_RESULTS}",
    "result-set-has-games": f"DELETE FROM reporting_game WHERE result_set_id = {UNCOUNTED_RESULTS}",
    "game-of-own-entries": f"UPDATE reporting_game SET white_id = 0 WHERE {latest('reporting_game')}",
    "game-of-two-players": "UPDATE reporting_game SET black_id = NULL"
    " WHERE id = (SELECT max(id) FROM reporting_game WHERE played)",
    "game-shares-two-points": "UPDATE reporting_game SET white_points = 2, black_points = 1"
    " WHERE id = (SELECT max(id) FROM reporting_game WHERE played)",
    "game-in-a-round": f"UPDATE reporting_game SET round = 99 WHERE {latest('reporting_game')}",
    "one-game-at-a-time": "INSERT INTO reporting_game (result_set_id, round, white_id, black_id, white_points,"
    " black_points, played) SELECT result_set_id, round, white_id, black_id, white_points, black_points, played"
    f" FROM reporting_game WHERE {latest('reporting_game')}",
    "entry-of-a-player": "UPDATE reporting_entry SET player_id = NULL WHERE id ="
    f" (SELECT max(id) FROM reporting_entry WHERE result_set_id = {UNCOUNTED_RESULTS})",
    "entry-numbered-once": "UPDATE reporting_entry SET number = 1 WHERE number = 2 AND"
    f" result_set_id = {ITS_RESULTS}",
    "round-numbered-once": f"INSERT INTO reporting_round (result_set_id, number) VALUES ({ITS_RESULTS}, 1)",
    "result-set-days-in-order": f"UPDATE reporting_resultset SET played_from = '2099-01-01' WHERE id = {ITS_RESULTS}",
    "decision-on-a-known-item": "UPDATE reporting_tournamentdecision SET item = 'x'"
    f" WHERE {latest('reporting_tournamentdecision')}",
    # periods, manifests, calculations, corrections
    "manifest-of-an-accepted-version": f"UPDATE ratings_periodreport SET version_id = {ITS_VERSION}"
    f" WHERE id = {A_LINE}",
    "counted-report-stays-accepted": "UPDATE reporting_report SET state = 'returned'"
    f" WHERE result_set_id = (SELECT result_set_id FROM ratings_periodreport WHERE id = {A_LINE})",
    "manifest-ends-with-its-period": "UPDATE reporting_resultset SET counting_day = '2099-01-01'"
    f" WHERE id = (SELECT result_set_id FROM ratings_periodreport WHERE id = {A_LINE})",
    "manifest-of-a-frozen-period": line(
        "(SELECT id FROM open)", "NULL", f"WITH open AS ({period('2027-03-15', '2027-01-01')} RETURNING id)"
    ),
    "manifest-counts-once": line("period_id", "NULL"),
    "manifest-of-its-correction": line(
        "period_id", "(SELECT id FROM made)", f"WITH made AS ({correction(1)} RETURNING id)"
    ),
    "published-period-has-its-list": period("2027-03-15", "2027-01-01", "published"),
    "list-of-a-published-period": f"UPDATE ratings_period SET state = 'frozen' WHERE {latest('ratings_period')}",
    "period-frozen-by-a-person": f"UPDATE ratings_period SET frozen_by_id = NULL WHERE {latest('ratings_period')}",
    "periods-apart": period("2027-03-15", "2026-09-15"),
    "period-closes-before-its-list": period("2027-04-02", "2027-01-01"),
    "calculation-of-its-period": "UPDATE ratings_calculationrun SET period_id = (SELECT min(id) FROM ratings_period)"
    f" WHERE {latest('ratings_calculationrun')}",
    "list-of-a-calculation": f"DELETE FROM ratings_calculationrun WHERE {latest('ratings_calculationrun')}",
    "revision-follows-the-one-it-replaces": of_list("revision = 3"),
    "correction-follows-an-earlier-list": f"WITH first AS ({correction(4)} RETURNING id)"
    f" {correction(2, '(SELECT id FROM first)')}",
    "anomaly-of-a-list": f"UPDATE ratings_anomaly SET list_id = 0 WHERE {latest('ratings_anomaly')}",
    "anomaly-answered": f"DELETE FROM ratings_anomalyanswer WHERE {latest('ratings_anomalyanswer')}",
    # rows, changes, histories
    "list-counts-its-players": of_list("players = players + 1"),
    "list-positions-without-gaps": "UPDATE fmjd_listrow SET name_position = name_position + 1 WHERE list_id = 4"
    " AND name_position = (SELECT max(name_position) FROM fmjd_listrow WHERE list_id = 4)",
    "list-has-each-player-once": "WITH gone AS (DELETE FROM ratings_playerhistory WHERE list_id = 4 AND player_id ="
    " (SELECT max(player_id) FROM fmjd_listrow r WHERE list_id = 4 AND period_games = 0) RETURNING player_id)"
    " UPDATE fmjd_listrow r SET player_id = first.player_id, rating = first.rating, games = first.games"
    " FROM fmjd_listrow first, gone"
    " WHERE r.list_id = 4 AND r.player_id = gone.player_id AND first.list_id = 4 AND first.position = 1",
    "list-names-its-federations": of_list("federations = federations[2:]"),
    "row-of-a-player": "DELETE FROM reporting_player WHERE id = (SELECT max(player_id) FROM fmjd_listrow r"
    " WHERE list_id = 4 AND NOT EXISTS (SELECT FROM reporting_entry e WHERE e.player_id = r.player_id))",
    "held-player-on-no-list": "INSERT INTO ratings_heldrow (list_id, player_id, values)"
    " SELECT 4, min(player_id), '{}' FROM fmjd_listrow WHERE list_id = 4",
    "change-of-a-listed-player": f"UPDATE fmjd_change SET player_id = 0 WHERE {A_CHANGE}",
    "change-of-a-counted-result-set": f"UPDATE fmjd_change SET result_set_id = {ITS_RESULTS} WHERE {A_CHANGE}",
    "change-from-a-list-read": f"UPDATE fmjd_change SET basis_list_id = 4 WHERE {A_CHANGE}",
    "history-of-each-row": "DELETE FROM ratings_playerhistory WHERE list_id = 4 AND player_id ="
    " (SELECT max(player_id) FROM ratings_playerhistory WHERE list_id = 4)",
    "history-of-the-newest-revision": "INSERT INTO ratings_playerhistory (player_id, list_id, in_force, rating,"
    " period_games, games, category, rank) VALUES (0, 4, '2026-10-01', 2000, 0, 0, 'A', 1)",
    # published lists, files, feed, signed history
    "list-signed-by-two": of_list("approved_by_id = published_by_id"),
    "list-signed-as-it-is": of_list("approved_sha256 = 'x'"),
    "list-approved-by-another-than-its-importer": of_list("imported_by_id = approved_by_id"),
    "list-approved-before-it-is-published": of_list("approved_at = published_at + interval '1 day'"),
    "list-rests-on-a-published-list": of_list(
        "previous_id = 4, previous_sha256 = (SELECT sha256 FROM ratings_ratinglist WHERE id = 4)", 3
    ),
    "list-names-the-digest-before": of_list("previous_sha256 = 'x'"),
    "list-has-its-figures-file": "UPDATE ratings_publishedfile SET name = 'x' WHERE list_id = 4"
    " AND name = 'figures.csv'",
    "file-has-its-digest": "UPDATE ratings_publishedfile SET content = 'x', size = 1 WHERE list_id = 4"
    " AND name = 'list.txt'",
    "changes-without-gaps": "UPDATE ratings_publicchange SET number = number + 1"
    " WHERE number = (SELECT max(number) FROM ratings_publicchange)",
    "statements-without-gaps": "INSERT INTO ratings_signedstatement (number, content, signature) VALUES (2, '', '')",
    "list-read-published-lists": of_list("input_lists = input_lists || 0::bigint"),
    "list-read-other-pools": of_list("other_lists = input_lists"),
    "list-read-sources": of_list("source_lists = '{0}'"),
    "list-of-the-system-of-its-pool": of_list("system = 'x'"),
    "list-counts-known-decisions": of_list("decisions = '{0}'"),
    "list-read-with-known-merges": of_list("merges = '{0}'"),
    "carried-from-an-earlier-list": "INSERT INTO ratings_carriedcorrection (list_id, correction_id) VALUES (4, 0)",
    "list-has-its-files": "DELETE FROM ratings_publishedfile WHERE list_id = 4 AND name = 'list.txt'",
    "compressed-file-of-content": "INSERT INTO ratings_compressedfile (file_id, encoding, content) VALUES"
    " (0, 'gzip', '')",
    "publication-in-the-log": "UPDATE reporting_logentry SET actor_id = 1 WHERE id ="
    " (SELECT max(id) FROM reporting_logentry WHERE action = 'list.publish')",
    "publication-in-the-feed": "UPDATE ratings_publicchange SET list_id = 3 WHERE list_id = 4"
    " AND event = 'list.published'",
    "change-of-the-log": "UPDATE ratings_publicchange SET entry_id = 0"
    " WHERE number = (SELECT max(number) FROM ratings_publicchange)",
    "change-of-a-published-list": "INSERT INTO ratings_publicchange"
    " (number, entry_id, at, event, changed, list_id, title, discipline, page)"
    " SELECT number + 1, entry_id, at, 'list.published', '{}', 0, '', '', '' FROM ratings_publicchange"
    " WHERE number = (SELECT max(number) FROM ratings_publicchange)",
    "statement-of-a-published-list": "INSERT INTO ratings_signedstatement (number, content, signature, list_id)"
    " VALUES (1, '', '', 0)",
    # norms, applications, titles
    "norm-of-a-list": f"UPDATE titles_norm SET list_id = 0, layout_id = NULL WHERE id = {A_NORM}",
    "norm-of-a-counted-result-set": "UPDATE titles_norm n SET result_set_id = e.result_set_id FROM reporting_entry e"
    " JOIN ratings_periodreport m ON m.result_set_id = e.result_set_id, ratings_ratinglist l"
    " WHERE e.player_id = n.player_id AND l.id = n.list_id AND m.period_id <> l.period_id AND n.origin <> 'on_request'",
    "norm-of-an-entry": f"UPDATE titles_norm SET player_id = 0 WHERE id = {A_NORM}",
    "norm-decided": f"DELETE FROM titles_normdecision WHERE {latest('titles_normdecision')}",
    "norm-of-the-layout-of-its-list": f"UPDATE titles_norm SET layout_id = 0 WHERE id = {A_NORM}",
    "norm-ignores-a-game-of-its-result-set": "UPDATE titles_norm SET ignored_game_id = 0 WHERE origin = 'on_request'",
    "norm-claimed-with-a-reason": f"UPDATE titles_norm SET claim_reason = 'x' WHERE id = {A_NORM}",
    "application-in-the-state-of-its-last-step": application("submitted"),
    "application-begins-with-its-submission": application("paid", ("mark_paid", "paid", 2)),
    "application-decided-by-another": application("paid", SUBMIT, ("mark_paid", "paid", 1)),
    "application-registered-as-applied-for": application("registered", SUBMIT, ("register", "registered", 2)),
    "application-withdrawn-with-its-title": application(
        "title_withdrawn", SUBMIT, ("withdraw_title", "title_withdrawn", 2), with_title=True
    ),
}
