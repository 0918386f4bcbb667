"""A publication reaches a mirror: a real worker and scheduler, and a program that receives and checks."""

import base64
import hmac
import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from config.processes import BEAT, WORKER
from ratings.publishing.public_changes.webhooks.manage_webhooks import register_webhook
from reporting.accounts.services.tokens import create_token
from reporting.models import Scope
from tests.processes.faults.fault_tools import SECRET_KEY, ServiceProcesses, wait_until
from tests.receiver import listening
from tests.services.conftest import Office, office  # noqa: F401 - the small office of the service tests


@pytest.mark.django_db(transaction=True)
def test_what_is_published_reaches_a_mirror_signed_and_the_feed_has_the_same(
    office: Office,  # noqa: F811
    environment: dict[str, str],
    tmp_path: Path,
    client: Client,
    settings: Any,
) -> None:
    settings.WEBHOOKS_TO_ANY_ADDRESS, settings.SECRET_KEY = True, SECRET_KEY
    token = create_token(name="Mirror", scopes=[Scope.WEBHOOKS], days=30, by=office.referee).token
    processes = ServiceProcesses(tmp_path, environment)
    with listening() as receiver:
        created = register_webhook(url=receiver.url(), token=token, by=office.referee)
        for command in (WORKER, BEAT):
            processes.start(command, fault="webhooks to this machine")
        try:
            office.opening("fmjd_id rating games\n11 2000 100\n12 2000 100")
            office.accept("Spring", [11, 12], ["1 1 2 2-0"])
            assert wait_until(lambda: len(receiver.received) >= 2), processes.log.read_text()[-3000:]
            receiver.answer = (500, {})  # the mirror is away for a moment
            office.run()
            assert wait_until(lambda: len(receiver.received) >= 4), processes.log.read_text()[-3000:]
            receiver.answer = (204, {})
            assert wait_until(lambda: len(receiver.received) >= 6), processes.log.read_text()[-3000:]
        finally:
            processes.close()
    key = base64.b64decode(created.secret.removeprefix("whsec_"))
    told = {}
    for _, headers, body in receiver.received:
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        expected = base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
        assert headers["webhook-signature"] == f"v1,{expected}"
        told[headers["webhook-id"]] = json.loads(body)["data"]
    feed = client.get("/api/v1/changes/").json()["results"]
    assert [change["event"] for change in feed] == [
        "list.published", "tournament.accepted", "list.published", "tournament.calculated",
    ]  # fmt: skip
    assert told == {f"change_{change['number']}": change for change in feed}
