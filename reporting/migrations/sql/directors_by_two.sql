-- A tournament director accepts results: the role is given by two administrators, like those that sign (docs/decisions/0100).
-- Who has it from one alone waits for the confirmation of another one.
UPDATE reporting_roleassignment SET confirmed_at = NULL
WHERE role = 'tournament_director' AND ended_at IS NULL AND confirmed_by_id IS NULL AND NOT by_command;

-- A role for an account. Administrators assign every role to others; other inviters, what their invitation may assign.
-- Roles that accept, decide or sign, and administrators, wait for confirm_role(): since migration 0032 the tournament
-- director too.
CREATE OR REPLACE FUNCTION assign_role(account bigint, wanted text, by_person bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    second_person CONSTANT boolean :=
        wanted IN ('rating_officer', 'releasing_officer', 'title_council', 'tournament_director', 'administrator');
    made bigint;
BEGIN
    PERFORM public.hold_accounts(account, by_person);
    IF account = by_person OR NOT (
        public.holds_role(by_person, 'administrator')
        OR public.never_opened(account) AND (
            public.holds_role(by_person, 'rating_officer', 'tournament_director')
                AND wanted IN ('referee', 'national_official')
            OR public.holds_role(by_person, 'national_official') AND wanted = 'referee'
                AND (SELECT federation_id FROM public.reporting_user WHERE id = account)
                  = (SELECT federation_id FROM public.reporting_user WHERE id = by_person))
    ) THEN
        RAISE EXCEPTION 'person % may not give the role % to account %', by_person, wanted, account
            USING ERRCODE = 'restrict_violation';
    END IF;
    IF EXISTS (
        SELECT FROM public.reporting_roleassignment
        WHERE account_id = account AND ended_at IS NULL
          AND (role = 'administrator' AND wanted IN ('rating_officer', 'releasing_officer', 'title_council')
               OR wanted = 'administrator' AND role IN ('rating_officer', 'releasing_officer', 'title_council'))
    ) THEN
        RAISE EXCEPTION 'an administrator signs nothing' USING ERRCODE = 'restrict_violation';
    END IF;
    INSERT INTO public.reporting_roleassignment (account_id, role, assigned_by_id, confirmed_at, by_command)
    VALUES (account, wanted, by_person, CASE WHEN second_person THEN NULL ELSE now() END, false)
    RETURNING id INTO made;
    RETURN made;
END
$$;
