-- The web and the worker log in as roles that own nothing: what a table's owner alone may do (drop, truncate,
-- disable a trigger, detach a partition) is out of their reach whatever the application's code says.
-- In production the roles are made with passwords before the first migration (config/docker/roles.sh).
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'app_web') THEN
        CREATE ROLE app_web LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'app_worker') THEN
        CREATE ROLE app_worker LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE;
    END IF;
END
$$;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO app_web, app_worker;

-- The web defines nothing, no temporary object either: on a connection that is used again it would act while the next
-- person does.
CREATE FUNCTION refuse_definition_by_the_web() RETURNS event_trigger
LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
    IF current_user = 'app_web' THEN
        RAISE EXCEPTION 'the web defines nothing: % refused', tg_tag USING ERRCODE = 'insufficient_privilege';
    END IF;
END
$$;
CREATE EVENT TRIGGER refuse_definition_by_the_web ON ddl_command_start
    EXECUTE FUNCTION refuse_definition_by_the_web();
ALTER EVENT TRIGGER refuse_definition_by_the_web ENABLE ALWAYS;

-- Ordinary tables are read and written by both; the append-only and published ones take this back in
-- the files of their subjects.
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO app_web, app_worker;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO app_web, app_worker;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO app_web, app_worker;
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO app_web, app_worker;

-- What only migrations write.
REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM app_web, app_worker;
REVOKE INSERT, UPDATE, DELETE ON auth_group, auth_group_permissions, auth_permission, django_content_type FROM app_web;
