-- Webhooks (docs/decisions/0141-feed-of-changes.md): people register and delete their own, the worker delivers and ends them.
SELECT bind_to_acting_person('ratings_webhook', 'account_id');
SELECT bind_to_moment('ratings_webhook', 'created_at');
REVOKE UPDATE ON ratings_webhook, ratings_webhookdelivery FROM app_web;
REVOKE UPDATE ON ratings_webhook FROM app_worker;
GRANT UPDATE (queued, ended_at) ON ratings_webhook TO app_worker;
