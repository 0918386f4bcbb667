-- Who submitted and who accepted which version of a report (docs/decisions/0095): rows are never changed, and a version is
-- accepted only by a person who did not act on the report since its last acceptance.
SELECT bind_to_acting_person('reporting_reportstep', 'by_id');
CREATE TRIGGER reporting_reportstep_append_only BEFORE UPDATE OR DELETE ON reporting_reportstep
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reporting_reportstep_no_truncate BEFORE TRUNCATE ON reporting_reportstep
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE reporting_reportstep ENABLE ALWAYS TRIGGER reporting_reportstep_append_only;
ALTER TABLE reporting_reportstep ENABLE ALWAYS TRIGGER reporting_reportstep_no_truncate;
REVOKE UPDATE, DELETE ON reporting_reportstep FROM app_web, app_worker;

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
            WHERE v.report_id = of_report AND s.move = 'submit' AND s.by_id = NEW.by_id AND s.id > last_step) THEN
        RAISE EXCEPTION 'who acted on report % does not accept it', of_report USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER reporting_reportstep_by_another BEFORE INSERT ON reporting_reportstep
    FOR EACH ROW WHEN (NEW.move = 'accept') EXECUTE FUNCTION refuse_own_acceptance();
ALTER TABLE reporting_reportstep ENABLE ALWAYS TRIGGER reporting_reportstep_by_another;

-- At the end of the transaction: the report may have been moved again.
CREATE FUNCTION require_accepting_step() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF EXISTS (
        SELECT FROM public.reporting_report r WHERE r.id = NEW.id AND r.state = 'accepted' AND NOT EXISTS (
            SELECT FROM public.reporting_reportstep s WHERE s.version_id = r.accepted_version_id AND s.move = 'accept')) THEN
        RAISE EXCEPTION 'the accepted version of report % has no step that accepted it', NEW.id
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER reporting_report_accepted_by_a_step AFTER INSERT OR UPDATE ON reporting_report
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.state = 'accepted') EXECUTE FUNCTION require_accepting_step();
ALTER TABLE reporting_report ENABLE ALWAYS TRIGGER reporting_report_accepted_by_a_step;
