#!/bin/bash
# Runs once, when the database is made: the accounts of the web and the worker, with their passwords.
# What they may do is granted by the migrations.
set -eu
psql --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" \
  --set=web_password="$WEB_PASSWORD" --set=worker_password="$WORKER_PASSWORD" <<'SQL'
create role app_web login password :'web_password';
create role app_worker login password :'worker_password';
SQL
