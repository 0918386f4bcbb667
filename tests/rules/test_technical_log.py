"""The technical log names pages, never the keys in their addresses."""

import logging

import pytest

from config.json_lines import JsonLines


@pytest.mark.parametrize(
    ("address", "logged"),
    [
        ("/requests/7.canary-Canary_1/", "/requests/7.…"),
        ("/account/invitation/MQ/canary-1f/", "/account/invitation/…"),
        ("/account/reset/1-canary-1f/", "/account/reset/…"),
        ("/account/email/Mg:canary:canary_-/", "/account/email/…"),
        ("/account/forgotten/", "/account/forgotten/"),
        ("/requests/new/", "/requests/new/"),
    ],
)
def test_a_key_is_left_out(address: str, logged: str) -> None:
    record = logging.makeLogRecord({"msg": "Not Found: %s (asked)", "args": (address,), "levelno": 30})
    line = JsonLines().format(record)
    assert f"Not Found: {logged} (asked)" in line
    assert "canary" not in line
