-- The web begins reports of open accounts alone, never in the name of commands; who submitted one stays.
CREATE FUNCTION refuse_report_of_commands() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF current_user = 'app_web' AND NOT EXISTS (
        SELECT FROM public.reporting_user u WHERE u.id = NEW.submitted_by_id AND u.is_active AND NOT u.acts_by_command
    ) THEN
        RAISE EXCEPTION 'the web begins reports of open accounts alone' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER reporting_report_own_name
    BEFORE INSERT ON reporting_report FOR EACH ROW EXECUTE FUNCTION refuse_report_of_commands();
ALTER TABLE reporting_report ENABLE ALWAYS TRIGGER reporting_report_own_name;
CREATE TRIGGER reporting_report_submitter_once BEFORE UPDATE ON reporting_report FOR EACH ROW
    WHEN (OLD.submitted_by_id IS DISTINCT FROM NEW.submitted_by_id) EXECUTE FUNCTION refuse_change();
ALTER TABLE reporting_report ENABLE ALWAYS TRIGGER reporting_report_submitter_once;

-- When a report was first submitted decides if it is late (R11): once, at that moment. A rating officer admits. What was
-- accepted is changed by the office alone.
CREATE FUNCTION guard_report() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    is_new CONSTANT boolean := TG_OP = 'INSERT';
BEGIN
    IF NEW.first_submitted_at IS NOT NULL AND (is_new OR OLD.first_submitted_at IS NULL) THEN
        NEW.first_submitted_at := statement_timestamp();
    ELSIF NOT is_new AND NEW.first_submitted_at IS DISTINCT FROM OLD.first_submitted_at THEN
        RAISE EXCEPTION 'a report is first submitted once' USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.admitted_reason <> '' AND (is_new OR NEW.admitted_reason <> OLD.admitted_reason)
            AND NOT public.is_acting_as(ARRAY['rating_officer'])
        OR (NEW.state = 'accepted' OR NOT is_new AND OLD.state = 'accepted')
            AND NOT public.is_acting_as(ARRAY['rating_officer', 'tournament_director']) THEN
        RAISE EXCEPTION 'a report is accepted and admitted by the office' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER reporting_report_by_the_office BEFORE INSERT OR UPDATE ON reporting_report
    FOR EACH ROW WHEN (session_user = 'app_web') EXECUTE FUNCTION guard_report();
ALTER TABLE reporting_report ENABLE ALWAYS TRIGGER reporting_report_by_the_office;

-- A version is written once: it goes only after its report, and only delete_draft() deletes a report.
CREATE FUNCTION refuse_change_of_version() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM public.reporting_report WHERE id = OLD.report_id) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER reporting_reportversion_append_only BEFORE UPDATE OR DELETE ON reporting_reportversion
    FOR EACH ROW EXECUTE FUNCTION refuse_change_of_version();
ALTER TABLE reporting_reportversion ENABLE ALWAYS TRIGGER reporting_reportversion_append_only;
CREATE TRIGGER reporting_reportversion_no_truncate BEFORE TRUNCATE ON reporting_reportversion
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE reporting_reportversion ENABLE ALWAYS TRIGGER reporting_reportversion_no_truncate;
REVOKE UPDATE, DELETE ON reporting_reportversion FROM app_web, app_worker;

-- Versions are numbered in the order in which they are made: what came after the last acceptance is told by it.
CREATE FUNCTION require_next_number() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.number <> 1 + coalesce(
        (SELECT max(number) FROM public.reporting_reportversion WHERE report_id = NEW.report_id), 0) THEN
        RAISE EXCEPTION 'a version has the number after the newest one: % refused', NEW.number
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER reporting_reportversion_next_number BEFORE INSERT ON reporting_reportversion
    FOR EACH ROW WHEN (session_user = 'app_web') EXECUTE FUNCTION require_next_number();
ALTER TABLE reporting_reportversion ENABLE ALWAYS TRIGGER reporting_reportversion_next_number;
REVOKE DELETE ON reporting_report FROM app_web, app_worker;

-- A draft that was never submitted is deleted by the person who made it or the office.
-- The log is evidence of a submission: unlike the row of the report, the web cannot change it. Foreign keys are checked
-- at the end of the transaction: a report that anything else refers to stays.
CREATE FUNCTION delete_draft(draft bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    versions CONSTANT bigint[] := ARRAY(SELECT id FROM public.reporting_reportversion WHERE report_id = draft);
BEGIN
    DELETE FROM public.reporting_report
    WHERE id = draft AND (
          public.is_acting(submitted_by_id)
          OR coalesce(
              public.holds_role(public.acting_person(), 'rating_officer', 'tournament_director'), false))
      AND state = 'draft' AND first_submitted_at IS NULL AND result_set_id IS NULL
      AND NOT EXISTS (SELECT FROM public.reporting_logentry
                      WHERE action = 'report.submit' AND subject = 'report ' || draft);
    IF NOT FOUND THEN
        RAISE EXCEPTION 'report % is not a draft that the person who acts can delete, or was submitted', draft
            USING ERRCODE = 'restrict_violation';
    END IF;
    DELETE FROM public.reporting_draftcomments WHERE report_id = draft;
    DELETE FROM public.reporting_matchedplayers WHERE version_id = ANY (versions);
    DELETE FROM public.reporting_reportversion WHERE report_id = draft;
END
$$;
REVOKE EXECUTE ON FUNCTION delete_draft(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION delete_draft(bigint) TO app_web;

-- Who submitted and who accepted which version is a step (docs/decisions/0095): a version is accepted only by a person who
-- did not act on the report since its last acceptance, nor on its announcement; and the newest version alone.
CREATE FUNCTION refuse_own_acceptance() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    of_report CONSTANT bigint := (SELECT report_id FROM public.reporting_reportversion WHERE id = NEW.version_id);
    last_step bigint;
    last_number integer;
BEGIN
    SELECT coalesce(max(s.id), 0), coalesce(max(v.number), 0) INTO last_step, last_number
    FROM public.reporting_reportstep s JOIN public.reporting_reportversion v ON v.id = s.version_id
    WHERE v.report_id = of_report AND s.move = 'accept';
    IF EXISTS (SELECT FROM public.reporting_report WHERE id = of_report AND submitted_by_id = NEW.by_id)
        OR EXISTS (
            SELECT FROM public.reporting_reportversion v WHERE v.report_id = of_report AND v.number > last_number
            AND (v.created_by_id = NEW.by_id OR EXISTS (
                SELECT FROM public.reporting_warningcomment c WHERE c.version_id = v.id AND c.by_id = NEW.by_id)))
        OR EXISTS (
            SELECT FROM public.reporting_reportstep s JOIN public.reporting_reportversion v ON v.id = s.version_id
            WHERE v.report_id = of_report AND s.move = 'submit' AND s.by_id = NEW.by_id AND s.id > last_step)
        OR EXISTS (
            SELECT FROM public.reporting_report r WHERE r.id = of_report
            AND public.has_part_in_announcement(r.announcement_id, NEW.by_id)) THEN
        RAISE EXCEPTION 'who acted on report % does not accept it', of_report USING ERRCODE = 'restrict_violation';
    END IF;
    IF EXISTS (
        SELECT FROM public.reporting_reportversion newer JOIN public.reporting_reportversion v ON v.id = NEW.version_id
        WHERE newer.report_id = v.report_id AND newer.number > v.number) THEN
        RAISE EXCEPTION 'the newest version of report % is accepted alone', of_report
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER reporting_reportstep_by_another BEFORE INSERT ON reporting_reportstep
    FOR EACH ROW WHEN (NEW.move = 'accept') EXECUTE FUNCTION refuse_own_acceptance();
ALTER TABLE reporting_reportstep ENABLE ALWAYS TRIGGER reporting_reportstep_by_another;

-- A report becomes accepted only by a step of the same transaction, on a version of its own: not by the step of an
-- acceptance that was undone since, nor by that of another report. At the end of the transaction: the report may have been
-- moved again.
CREATE FUNCTION require_accepting_step() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF OLD.state = 'accepted' AND OLD.accepted_version_id = NEW.accepted_version_id THEN
            RETURN NULL;
        END IF;
    END IF;
    IF EXISTS (
        SELECT FROM public.reporting_report r WHERE r.id = NEW.id AND r.state = 'accepted' AND NOT EXISTS (
            SELECT FROM public.reporting_reportstep s JOIN public.reporting_reportversion v ON v.id = s.version_id
            WHERE s.version_id = r.accepted_version_id AND s.move = 'accept' AND v.report_id = r.id
                AND s.at >= transaction_timestamp())) THEN
        RAISE EXCEPTION 'the accepted version of report % has no step that accepted it', NEW.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER reporting_report_accepted_by_a_step AFTER INSERT OR UPDATE ON reporting_report
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.state = 'accepted') EXECUTE FUNCTION require_accepting_step();
ALTER TABLE reporting_report ENABLE ALWAYS TRIGGER reporting_report_accepted_by_a_step;
