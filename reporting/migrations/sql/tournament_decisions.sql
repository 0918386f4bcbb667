-- What was decided of a tournament stays; a later decision is a row of its own (R78, decision 0082).
CREATE TRIGGER reporting_tournamentdecision_append_only BEFORE UPDATE OR DELETE ON reporting_tournamentdecision
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reporting_tournamentdecision_no_truncate BEFORE TRUNCATE ON reporting_tournamentdecision
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE reporting_tournamentdecision ENABLE ALWAYS TRIGGER reporting_tournamentdecision_append_only;
ALTER TABLE reporting_tournamentdecision ENABLE ALWAYS TRIGGER reporting_tournamentdecision_no_truncate;
REVOKE UPDATE, DELETE, TRUNCATE ON reporting_tournamentdecision FROM app_web, app_worker;
SELECT bind_to_acting_person('reporting_tournamentdecision', 'by_id');

-- Until now the acceptance of a report took what it proposed: what accepted reports say was decided by who accepted them.
INSERT INTO reporting_tournamentdecision (tournament_id, item, value, about, reason, by_id, at)
SELECT tournament.id, said.item, said.value, said.about, 'tournament.decided_before', accepted.actor_id, accepted.at
FROM reporting_report report
JOIN reporting_tournament tournament ON tournament.id = report.tournament_id
CROSS JOIN LATERAL (
    SELECT actor_id, at FROM reporting_logentry
    WHERE action = 'report.accept' AND subject = 'report ' || report.id ORDER BY id DESC LIMIT 1
) accepted
CROSS JOIN LATERAL (VALUES
    ('council_approved', CASE WHEN tournament.council_approved THEN 'yes' ELSE '' END, ''),
    ('official', CASE WHEN tournament.official THEN 'yes' ELSE '' END, ''),
    ('competition', tournament.competition, ''),
    ('world_cup_stars', coalesce(tournament.world_cup_stars::text, ''), ''),
    ('referee_level', tournament.referee_level, tournament.referee)
) AS said (item, value, about)
WHERE report.state = 'accepted' AND said.value <> ''
ORDER BY tournament.id;
