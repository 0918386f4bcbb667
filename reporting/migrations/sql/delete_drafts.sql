-- A draft that was never submitted is deleted by the person who made it (docs/decisions/0060). Versions go only after
-- their report, and only this function deletes a report.
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
DROP TRIGGER reporting_reportversion_append_only ON reporting_reportversion;
CREATE TRIGGER reporting_reportversion_append_only BEFORE UPDATE OR DELETE ON reporting_reportversion
    FOR EACH ROW EXECUTE FUNCTION refuse_change_of_version();
ALTER TABLE reporting_reportversion ENABLE ALWAYS TRIGGER reporting_reportversion_append_only;
REVOKE DELETE ON reporting_report FROM app_web, app_worker;

-- The log is evidence of a submission: unlike the row of the report, the web cannot change it. Foreign keys are checked
-- at the end of the transaction: a report that anything else refers to stays.
CREATE FUNCTION delete_draft(draft bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    versions CONSTANT bigint[] := ARRAY(SELECT id FROM public.reporting_reportversion WHERE report_id = draft);
BEGIN
    DELETE FROM public.reporting_report
    WHERE id = draft AND public.is_acting(submitted_by_id)
      AND state = 'draft' AND first_submitted_at IS NULL AND tournament_id IS NULL
      AND NOT EXISTS (SELECT FROM public.reporting_logentry
                      WHERE action = 'report.submit' AND subject = 'report ' || draft);
    IF NOT FOUND THEN
        RAISE EXCEPTION 'report % is not a draft of the person who acts, or was submitted', draft
            USING ERRCODE = 'restrict_violation';
    END IF;
    DELETE FROM public.reporting_draftcomments WHERE report_id = draft;
    DELETE FROM public.reporting_matchedplayers WHERE version_id = ANY (versions);
    DELETE FROM public.reporting_reportversion WHERE report_id = draft;
END
$$;
REVOKE EXECUTE ON FUNCTION delete_draft(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION delete_draft(bigint) TO app_web;
