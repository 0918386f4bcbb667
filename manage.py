#!/usr/bin/env python
"""Django's command line."""

import os
import sys

# What changes tables, or looks after them, runs as their owner; everything else with the worker's rights.
OWNER_COMMANDS = {
    "backup",
    "dbshell",
    "demo",
    "flush",
    "makemigrations",
    "migrate",
    "restore",
    "showmigrations",
    "sqlmigrate",
    "test",
}

if __name__ == "__main__":
    command = sys.argv[1] if len(sys.argv) > 1 else ""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("DATABASE_ROLE", "owner" if command in OWNER_COMMANDS else "worker")

    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)
