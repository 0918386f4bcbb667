"""People with a second factor, and the clock of its codes."""

from typing import Any

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP

from reporting.models import Role, User
from tests.pages.accounts.log_ins import HALF_MINUTE, SECRET, person


@pytest.fixture
def at_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of codes stands still: a code stays the code of its half minute."""
    clock = "allauth.mfa.totp.internal.auth.yield_hotp_counters_from_time"
    monkeypatch.setattr(clock, lambda: iter([HALF_MINUTE]))


@pytest.fixture
def ruth(db: None) -> User:
    """A rating officer with an authenticator and recovery codes."""
    account = person(Role.RATING_OFFICER, "ruth@example.org")
    TOTP.activate(account, SECRET)
    RecoveryCodes.activate(account)
    return account


@pytest.fixture
def factor_required(settings: Any) -> None:
    settings.SECOND_FACTOR_REQUIRED = True
