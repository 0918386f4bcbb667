-- The first reports of an account are left to a person who did not invite it and gave it no role (docs/decisions/0098).

-- How many; `migrate` writes the function again with FIRST_REPORTS (reporting/accounts/services/first_reports.py).
CREATE FUNCTION first_reports() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 3';

-- A report is of the accounts that sent it, submitted it or made a version of it.
CREATE VIEW reports_of_accounts AS
    SELECT submitted_by_id AS account_id, id AS report_id FROM reporting_report
    UNION SELECT created_by_id, report_id FROM reporting_reportversion
    UNION SELECT s.by_id, v.report_id FROM reporting_reportstep s JOIN reporting_reportversion v ON v.id = s.version_id
        WHERE s.move = 'submit';
REVOKE ALL ON reports_of_accounts FROM app_web, app_worker;
GRANT SELECT ON reports_of_accounts TO app_web, app_worker;

-- The accounts with a part in a report whose first reports a person leaves to others: the person invited the account or
-- gave it a role, or one who did was invited by the person, and so on; and of the reports of the account others accepted
-- fewer than first_reports(). Commands invite no one of their own will.
CREATE FUNCTION new_accounts_in(of_report bigint, person bigint) RETURNS bigint[]
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
    WITH RECURSIVE parts (account) AS (
        SELECT account_id FROM public.reports_of_accounts WHERE report_id = of_report
    ), above (account, giver) AS (
        SELECT account, account FROM parts
        UNION
        SELECT above.account, given.giver FROM above CROSS JOIN LATERAL (
            SELECT invited_by_id FROM public.reporting_invitation WHERE account_id = above.giver
            UNION ALL SELECT assigned_by_id FROM public.reporting_roleassignment WHERE account_id = above.giver
        ) AS given (giver)
    )
    SELECT coalesce(array_agg(above.account ORDER BY above.account), '{}') FROM above
    JOIN public.reporting_user giver ON giver.id = above.giver AND NOT giver.acts_by_command
    WHERE above.giver = person AND above.account <> person AND public.first_reports() > (
        SELECT count(*) FROM public.reporting_report r
        WHERE r.state = 'accepted'
          AND r.id IN (SELECT report_id FROM public.reports_of_accounts WHERE account_id = above.account)
          AND NOT EXISTS (
              SELECT FROM public.reporting_reportstep s
              WHERE s.version_id = r.accepted_version_id AND s.move = 'accept' AND s.by_id = person))
$$;

CREATE FUNCTION refuse_acceptance_of_new_account() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    of_report CONSTANT bigint := (SELECT report_id FROM public.reporting_reportversion WHERE id = NEW.version_id);
BEGIN
    IF public.new_accounts_in(of_report, NEW.by_id) <> '{}' THEN
        RAISE EXCEPTION 'who brought an account in does not accept its first reports (%)', of_report
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER reporting_reportstep_not_by_inviter BEFORE INSERT ON reporting_reportstep
    FOR EACH ROW WHEN (NEW.move = 'accept') EXECUTE FUNCTION refuse_acceptance_of_new_account();
ALTER TABLE reporting_reportstep ENABLE ALWAYS TRIGGER reporting_reportstep_not_by_inviter;

-- What only the federation can say is never decided by a person with a part in a report of the tournament (R78), nor by
-- one who leaves a report of it to others. Saved comments are in the log alone: the policy asks for them.
CREATE FUNCTION refuse_own_decision() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT FROM public.reporting_report r
        JOIN public.reporting_resultset t ON t.id = r.result_set_id
        WHERE t.code = NEW.tournament_code
          AND (NEW.by_id = r.submitted_by_id
            OR public.has_part_in_announcement(r.announcement_id, NEW.by_id)
            OR EXISTS (
                SELECT FROM public.reporting_reportversion v WHERE v.report_id = r.id
                AND (v.created_by_id = NEW.by_id
                    OR EXISTS (SELECT FROM public.reporting_warningcomment c
                               WHERE c.version_id = v.id AND c.by_id = NEW.by_id)
                    OR EXISTS (SELECT FROM public.reporting_reportstep s
                               WHERE s.version_id = v.id AND s.move = 'submit' AND s.by_id = NEW.by_id)))
            OR public.new_accounts_in(r.id, NEW.by_id) <> '{}')
    ) THEN
        RAISE EXCEPTION 'who had a part in a report of tournament % does not decide about it', NEW.tournament_code
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER reporting_tournamentdecision_by_another BEFORE INSERT ON reporting_tournamentdecision
    FOR EACH ROW EXECUTE FUNCTION refuse_own_decision();
ALTER TABLE reporting_tournamentdecision ENABLE ALWAYS TRIGGER reporting_tournamentdecision_by_another;

REVOKE EXECUTE ON FUNCTION
    first_reports(), new_accounts_in(bigint, bigint), refuse_acceptance_of_new_account(), refuse_own_decision()
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION first_reports(), new_accounts_in(bigint, bigint) TO app_web, app_worker;
