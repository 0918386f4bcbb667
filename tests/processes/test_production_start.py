"""An installation on a real database does not start in a way that only a demonstration may."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
INSTALLATION = {
    "SECRET_KEY": "a-key-of-more-than-fifty-characters-for-the-check-only-0123456789",
    "DATABASE_URL": "postgres://app_web:secret@database:5432/office",
    "BROKER_URL": "redis://broker:6379/0",
    "ALLOWED_HOSTS": "ratings.example.org",
}


def start(environment: dict[str, str], **settings: str) -> subprocess.CompletedProcess[str]:
    """Load the settings as every process of the office does."""
    return subprocess.run(
        [sys.executable, "-c", "import config.settings"],
        cwd=ROOT, env=environment | INSTALLATION | settings, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_it_starts_with_https_and_a_long_key(environment):
    assert start(environment).returncode == 0


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"DEMO": "1"}, "DEMO=1 is set"),
        ({"DEBUG": "1"}, "DEBUG=1 is set"),
        ({"SECRET_KEY": "x" * 49}, "SECRET_KEY is shorter than 50 characters"),
        ({"HTTPS": "false"}, "HTTPS=false is set"),
    ],
)
def test_it_refuses_to_start_unsafe(environment, settings, reason):
    started = start(environment, **settings)
    assert started.returncode != 0
    assert reason in started.stderr


def test_every_reason_is_given_at_once(environment):
    errors = start(environment, **{"DEMO": "1", "DEBUG": "1", "SECRET_KEY": "short", "HTTPS": "false"}).stderr
    for reason in ("DEMO=1", "DEBUG=1", "SECRET_KEY is shorter", "HTTPS=false"):
        assert reason in errors


def test_without_https_it_starts_where_that_is_said_to_be_meant(environment):
    assert start(environment, HTTPS="false", INSECURE="1").returncode == 0


def test_the_demonstration_starts_on_its_own_database(environment, tmp_path):
    settings = {"DATABASE_URL": "", "BROKER_URL": "", "SECRET_KEY": "", "RATING_OFFICE_VAR": str(tmp_path)}
    assert start(environment, DEMO="1", **settings).returncode == 0
