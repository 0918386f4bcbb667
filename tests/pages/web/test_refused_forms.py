"""After a refused form the focus is on what was refused, and each field says what is wrong with it."""

import re
from typing import Any
from xml.etree.ElementTree import Element

import pytest
from django.test import Client
from django.urls import reverse

from reporting.log.audit import Actor
from reporting.models import Report, Role
from reporting.reports.services.upload import upload_report
from reporting.reports.views.check_file import example_file
from tests.people import create_user
from tests.visitor import parse, text_of

pytestmark = [pytest.mark.database_role("web"), pytest.mark.usefixtures("season_shared")]

FIELDS = {"input", "select", "textarea"}
UNREADABLE = dict.fromkeys(("reason", "words", "name", "email", "new_email", "birth_date", "action"), "a\0b")
PERIOD = {"pool": "fmjd-100", "in_force": "2026-10-01"}

# Each form sent empty, and with null characters in its texts: how many fields need attention; 0 where the form is
# refused as a whole, None where it is taken or shown as it was.
EXPECTED: dict[str, tuple[dict[str, Any], int | None, int | None]] = {
    "account_login": ({}, 2, 2),
    "account_reset_password": ({}, 1, 1),
    "standings": ({}, 1, 1),
    "title-forecast": ({}, 7, 7),
    "check-file": ({}, 1, 2),
    "account_reauthenticate": ({}, 1, 1),
    "account_change_password": ({}, 3, 3),
    "mfa_activate_totp": ({}, 1, 1),
    "account-name": ({}, None, 1),
    "account_email": ({}, None, 1),
    "account-invite": ({}, None, 3),
    "office-memberships": ({}, 2, 2),
    "office-players-import": ({}, 2, 2),
    "office-player-edit": ({"address": "13368"}, 0, 1),
    "office-player-transfer": ({"address": "13368"}, 3, 3),
    "office-player-erase": ({"address": "13368"}, 2, 2),
    "report-new": ({}, 1, 1),
    "report-results-entry": ({}, None, 1),
    "report-results-entry-players": ({"number": "draft"}, None, 1),
    "report-announce": ({}, 6, 1),
    "report-details": ({"number": "draft"}, 0, 1),
    "report-people": ({"number": "draft"}, 0, 0),
    "report-file": ({"number": "draft"}, 0, 0),
    "report-submit": ({"number": "draft"}, 0, 0),
    "report-withdraw": ({"number": "submitted"}, 1, 1),
    "report-notes": ({"number": "submitted"}, 1, 1),
    "office-report": ({"number": "submitted"}, 0, 0),
    "office-correct": (PERIOD, 1, 1),
    "office-freeze": (PERIOD, 0, 0),
    "office-calculate": (PERIOD, 0, 0),
}
OF_VISITORS = {"account_login", "account_reset_password", "standings", "title-forecast", "check-file"}


def described_by(field: Element, ids: dict[str, Element], parents: dict[Element, Element]) -> list[Element]:
    """The hint and the message of a field; those of a choice are at its fieldset."""
    names = field.get("aria-describedby", "").split()
    while not names and field.tag != "form":
        field = parents[field]
        names = field.get("aria-describedby", "").split() if field.tag == "fieldset" else []
    return [ids[name] for name in names]


def attention(page: str) -> int:
    """How many fields need attention. Each is marked, has its message, and a link in the summary with the focus."""
    tree = parse(page)
    everything = [*tree.iter()]
    parents = {child: parent for parent in everything for child in parent}
    ids = {element.attrib["id"]: element for element in everything if "id" in element.attrib}
    focus = next((element for element in everything if "autofocus" in element.attrib), None)
    assert focus is not None, "nothing has the focus"
    marked = [element for element in everything if element.get("aria-invalid") == "true"]
    if not marked or "error-summary" not in ids:
        assert (focus.get("role"), focus.get("tabindex")) == ("alert", "-1")
        return 0
    for field in marked:
        assert text_of(described_by(field, ids, parents)[-1]), field.attrib
    assert (focus.get("id"), focus.get("tabindex")) == ("error-summary", "-1")
    links = [*focus.iter("a")]
    linked = [ids[link.attrib["href"].removeprefix("#")] for link in links]
    assert all(field.tag in FIELDS and field in marked for field in linked)
    assert all(text_of(link) for link in links), "a link without a label"
    assert {field.attrib["name"] for field in linked} == {field.attrib["name"] for field in marked}
    counted = text_of(ids[focus.attrib["aria-labelledby"]])
    assert counted == f"{len(links)} field{'s need' if len(links) > 1 else ' needs'} attention"
    return len(links)


def test_the_summary_of_a_refused_form_has_the_focus_and_leads_to_each_field() -> None:
    user = create_user("all@example.org", "All", roles=[*Role.values])
    upload_report(content=example_file("newcomer"), filename="a.txt", sidecar=b"", by=Actor(user))
    numbers = {state: Report.objects.filter(state=state).latest("pk").pk for state in ("draft", "submitted")}
    found: dict[str, tuple[dict[str, Any], int | None, int | None]] = {}
    for name, (values, *_) in EXPECTED.items():
        client = Client()
        if name not in OF_VISITORS:
            client.force_login(user)
        kwargs = values | ({"number": numbers[values["number"]]} if "number" in values else {})
        answers = [client.post(reverse(name, kwargs=kwargs), sent) for sent in ({}, UNREADABLE)]
        empty, unreadable = (
            attention(answer.text) if " autofocus" in answer.text or answer.status_code >= 400 else None
            for answer in answers
        )
        found[name] = (values, empty, unreadable)
    assert found == EXPECTED


def test_a_refusal_about_one_input_leads_to_it() -> None:
    """What a service refuses, and what is saved with an error, has the same summary as a field of a form."""
    user = create_user("all@example.org", "All", roles=[*Role.values])
    upload_report(content=example_file("newcomer"), filename="a.txt", sidecar=b"", by=Actor(user))
    client = Client()
    client.force_login(user)
    draft, submitted = (Report.objects.filter(state=state).latest("pk") for state in ("draft", "submitted"))
    details = {"time_control": "fast", "played_from": "2026-11-08", "played_to": "2026-11-07"}
    for name, report, sent, links in (
        ("office-report", submitted, {"action": "reject"}, ["reject"]),
        ("office-report", submitted, {"action": "return"}, ["remarks-general"]),
        ("office-report", submitted, {"action": "return", "line-2": "x", "remark-2": "Where?"}, ["line-2"]),
        ("report-notes", submitted, {"action": "write"}, ["text"]),
        ("report-details", draft, details | {"action": "continue"}, ["id_time_control", "id_played_to"]),
    ):
        version = report.versions.latest("number").number
        page = client.post(reverse(name, args=[report.pk]), sent | {"based_on": version})
        assert attention(page.text) == len(links), name
        summary, _, _ = page.text.partition("error-summary")[2].partition("</section>")
        assert re.findall(r'<li><a href="#([^"]+)"', summary) == links


def test_a_refused_search_leads_to_its_field() -> None:
    for address, field in (
        ("/titles/certificates/?code=T12", "id_code"),
        ("/players/compare/?first=13368", "id_second"),
        ("/players/compare/?first=13368&second=13368", "id_second"),
        ("/players/compare/?first=999999999&second=13368", "id_first"),
        ("/lists/fmjd-100/compare/?a=1", "id_a"),
    ):
        page = Client().get(address).text
        assert attention(page) == 1, address
        assert re.findall(r'<li><a href="#([^"]+)"', page) == [field]
