-- Roles are written by these functions alone: neither the web nor the worker has a right to the table but to read it.
-- Each asks the database itself who acts; in the row locks of the accounts, so that who is being closed no longer gives.
REVOKE INSERT, UPDATE, DELETE ON reporting_roleassignment FROM app_web, app_worker;

CREATE TRIGGER reporting_roleassignment_kept
    BEFORE DELETE ON reporting_roleassignment FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER reporting_roleassignment_no_truncate
    BEFORE TRUNCATE ON reporting_roleassignment FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE reporting_roleassignment ENABLE ALWAYS TRIGGER reporting_roleassignment_kept;
ALTER TABLE reporting_roleassignment ENABLE ALWAYS TRIGGER reporting_roleassignment_no_truncate;

CREATE FUNCTION holds_role(person bigint, VARIADIC wanted text[]) RETURNS boolean
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (
        SELECT FROM public.reporting_roleassignment held JOIN public.reporting_user u ON u.id = held.account_id
        WHERE u.id = person AND u.is_active AND NOT u.acts_by_command
          AND held.role = ANY (wanted) AND held.confirmed_at IS NOT NULL AND held.ended_at IS NULL)
$$;

CREATE FUNCTION never_opened(person bigint) RETURNS boolean
LANGUAGE sql SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT EXISTS (SELECT FROM public.reporting_user u WHERE u.id = person AND NOT u.is_active)
       AND NOT EXISTS (SELECT FROM public.reporting_invitation i
                       WHERE i.account_id = person AND i.accepted_at IS NOT NULL)
$$;

-- The accounts an act is about, held in one order until it ends.
CREATE FUNCTION hold_accounts(VARIADIC people bigint[]) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM FROM public.reporting_user WHERE id = ANY (people) ORDER BY id FOR NO KEY UPDATE;
    IF EXISTS (SELECT FROM public.reporting_user WHERE id = people[1] AND acts_by_command) THEN
        RAISE EXCEPTION 'account % acts for commands: its roles never change', people[1]
            USING ERRCODE = 'restrict_violation';
    END IF;
END
$$;

-- A role for an account. Administrators assign every role to others; other inviters, what their invitation may assign.
-- Roles that accept, decide or sign, and administrators, wait for confirm_role() (docs/decisions/0098).
CREATE FUNCTION assign_role(account bigint, wanted text, by_person bigint) RETURNS bigint
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

-- Another administrator than the one who gave a role and than the one who gets it. What is not waiting is refused.
CREATE FUNCTION confirm_role(assignment bigint, by_person bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    PERFORM public.hold_accounts(
        (SELECT account_id FROM public.reporting_roleassignment WHERE id = assignment), by_person);
    UPDATE public.reporting_roleassignment SET confirmed_by_id = by_person, confirmed_at = now()
    WHERE id = assignment AND confirmed_at IS NULL AND ended_at IS NULL
      AND by_person NOT IN (account_id, assigned_by_id) AND public.holds_role(by_person, 'administrator');
    IF NOT FOUND THEN
        RAISE EXCEPTION 'person % may not confirm role assignment %', by_person, assignment
            USING ERRCODE = 'restrict_violation';
    END IF;
END
$$;

-- Administrators end every role of others; an inviter, those of a withdrawn invitation that is sent again.
CREATE FUNCTION end_role(assignment bigint, by_person bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    account CONSTANT bigint := (SELECT account_id FROM public.reporting_roleassignment WHERE id = assignment);
BEGIN
    PERFORM public.hold_accounts(account, by_person);
    UPDATE public.reporting_roleassignment SET ended_by_id = by_person, ended_at = now()
    WHERE id = assignment AND ended_at IS NULL AND account_id <> by_person AND (
        public.holds_role(by_person, 'administrator')
        OR public.holds_role(by_person, 'rating_officer', 'tournament_director', 'national_official')
            AND public.never_opened(account)
            AND EXISTS (SELECT FROM public.reporting_invitation
                        WHERE account_id = account AND withdrawn_at IS NOT NULL));
    IF NOT FOUND THEN
        RAISE EXCEPTION 'person % may not end role assignment %', by_person, assignment
            USING ERRCODE = 'restrict_violation';
    END IF;
END
$$;

-- By command, for accounts that were never opened: an office has two administrators from then on, never a third
-- one in this way. Those invited before and not asked for again lose the role.
CREATE FUNCTION assign_first_administrators(accounts bigint[], by_person bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    LOCK TABLE public.reporting_roleassignment IN SHARE ROW EXCLUSIVE MODE;
    PERFORM public.hold_accounts(VARIADIC accounts);
    UPDATE public.reporting_roleassignment SET ended_by_id = by_person, ended_at = now()
    WHERE role = 'administrator' AND by_command AND ended_at IS NULL
      AND account_id <> ALL (accounts) AND public.never_opened(account_id);
    IF EXISTS (SELECT FROM unnest(accounts) each WHERE public.never_opened(each) IS NOT TRUE)
       OR NOT EXISTS (SELECT FROM public.reporting_user WHERE id = by_person AND acts_by_command)
       OR 2 < cardinality(accounts) + (
           SELECT count(DISTINCT account_id) FROM public.reporting_roleassignment
           WHERE role = 'administrator' AND public.holds_role(account_id, 'administrator'))
    THEN
        RAISE EXCEPTION 'there are administrators: they invite everybody else' USING ERRCODE = 'restrict_violation';
    END IF;
    UPDATE public.reporting_roleassignment SET ended_by_id = by_person, ended_at = now()
    WHERE account_id = ANY (accounts) AND ended_at IS NULL;
    INSERT INTO public.reporting_roleassignment
        (account_id, role, assigned_by_id, confirmed_by_id, confirmed_at, by_command)
    SELECT DISTINCT each, 'administrator', by_person, by_person, now(), true FROM unnest(accounts) each;
END
$$;

REVOKE EXECUTE ON FUNCTION
    holds_role(bigint, text[]), never_opened(bigint), hold_accounts(bigint[]), assign_role(bigint, text, bigint),
    confirm_role(bigint, bigint), end_role(bigint, bigint), assign_first_administrators(bigint[], bigint)
    FROM PUBLIC;
GRANT EXECUTE ON FUNCTION assign_role(bigint, text, bigint), confirm_role(bigint, bigint), end_role(bigint, bigint)
    TO app_web, app_worker;
GRANT EXECUTE ON FUNCTION assign_first_administrators(bigint[], bigint) TO app_worker;
