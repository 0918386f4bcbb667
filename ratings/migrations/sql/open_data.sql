-- Everything published, as files (docs/decisions/0065): the worker writes them, the one row says of which state.
INSERT INTO ratings_export (id, stamp, erasures) VALUES (1, '', 0);
REVOKE INSERT, UPDATE, DELETE ON ratings_export, ratings_exportfile FROM app_web;
REVOKE INSERT, DELETE ON ratings_export FROM app_worker;
REVOKE UPDATE ON ratings_exportfile FROM app_worker;
