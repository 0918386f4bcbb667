"""What the tests of the inbox and of a report's page share: who looks, what is typed, three players and their games."""

from typing import Any

from django.test import Client
from django.urls import reverse

from reporting.models import Report, ReportVersion

OPENING = "fmjd_id rating games\n11 2000 100\n12 2000 100\n13 2000 100"
PLAYERS, GAMES = [11, 12, 13], ["1 1 2 2-0", "1 3 0 2-0", "2 1 3 1-1", "2 0 2 0-2"]


def text(response: Any) -> str:
    return " ".join(response.content.decode().split())


def decide(client: Client, report: Report, act: str, **words: Any) -> Any:
    """Press the button of an act; `words` are its own text, next to that of the other acts."""
    if "words" in words:
        words[f"words-{act}"] = words.pop("words")
    newest = report.versions.latest("number").number
    address = reverse("office-report", args=[report.pk])
    shown = client.get(address).context if act == "accept" else None
    seen = shown["seen"] if shown and "seen" in shown else ""
    return client.post(address, {"action": act, "based_on": newest, "seen": seen} | words)


def newest_comments(report: Report) -> dict[int, str]:
    findings = report.versions.latest("number").findings
    return {place: "so it is" for place, finding in enumerate(findings) if finding["severity"] == "warning"}


def newest(report: Report) -> ReportVersion:
    return report.versions.latest("number")


def content_of(report: Report) -> str:
    return bytes(newest(report).content).decode()
