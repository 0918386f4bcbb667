"""The settings of the test run: the same, on a database cluster of its own that need not survive a crash."""

import os
from pathlib import Path

os.environ.setdefault("RATING_OFFICE_VAR", str(Path(__file__).resolve().parent.parent / "var" / "test"))
for name in ("DATABASE_URL", "BROKER_URL", "DATABASE_NAME", "DEMO", "BENCH", "DEBUG"):
    os.environ.pop(name, None)
os.environ["DATABASE_ROLE"] = (
    "owner"  # migrations run as the owner; tests/conftest.py changes over to the worker
)

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, INSTALLED_APPS  # noqa: E402

INSTALLED_APPS += ["config.demo", "config.bench"]

DATABASES["default"]["EMBEDDED"]["durable"] = False

# Messages to the worker are dropped: the state is the queue, and tests call services and tasks themselves.
CELERY_BROKER_URL = "memory://"
CACHES = {"default": {"BACKEND": "tests.memory_cache.MemoryCache"}}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Tests of the second factor (tests/pages/accounts/test_second_factor.py) require it; in the others officers need none.
SECOND_FACTOR_REQUIRED = False
