-- As in delete_drafts.sql; now the office deletes drafts of others that were never submitted too (docs/decisions/0105).
CREATE OR REPLACE FUNCTION delete_draft(draft bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    versions CONSTANT bigint[] := ARRAY(SELECT id FROM public.reporting_reportversion WHERE report_id = draft);
BEGIN
    DELETE FROM public.reporting_report
    WHERE id = draft AND (
          public.is_acting(submitted_by_id)
          OR coalesce(
              public.holds_role(public.acting_person(), 'rating_officer', 'tournament_director'), false))
      AND state = 'draft' AND first_submitted_at IS NULL AND tournament_id IS NULL
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
