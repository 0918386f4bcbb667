"""The anomaly of an admitted report names the reason: late, incomplete, unannounced, unpaid (R11)."""

from html import unescape

import pytest
from django.template.loader import render_to_string
from django.utils.html import strip_tags

from ratings.models import Anomaly, RatingList
from reporting.models import Report, ResultSet
from reporting.reports.reading.clean_reports import ADMISSION_CODES

LATE = {"received": "2026-02-16", "due": "2026-02-15", "days": 8}
IN_TIME = {"received": "2026-02-09", "due": "2026-02-15", "days": 1}


CASES = [
    (LATE, ["late-report"], "Gouda Open: late", "Received 16 Feb 2026, due 15 Feb 2026"),
    (IN_TIME, ["not-announced"], "Gouda Open: not announced in time", "Not announced in time"),
    (IN_TIME, ["round-missing"], "Gouda Open: incomplete", "A round or a result is missing"),
    (IN_TIME, ["result-missing"], "Gouda Open: incomplete", "A round or a result is missing"),
    (IN_TIME, ["service-not-paid"], "Gouda Open: not paid", "Payment of the rating service is not confirmed"),
]


def question(receipt: dict, *codes: str) -> str:
    figures = receipt | {"findings": list(codes), "admitted_reason": "a friendly match", "players": 2}
    report = Report(result_set=ResultSet(name="Gouda Open"))
    anomaly = Anomaly(list=RatingList(system="fmjd"), kind="late", report=report, data=figures)
    shown = render_to_string("office/anomaly.html", {"question": {"anomaly": anomaly, "answers": []}})
    return " ".join(unescape(strip_tags(shown)).split())


@pytest.mark.parametrize(("receipt", "codes", "title", "says"), CASES)
def test_a_question_names_the_true_reason_and_no_other(receipt, codes, title, says):
    shown = question(receipt, *codes)
    assert title in shown
    assert says in shown
    assert "Admitted report" in shown
    assert "Admitted: a friendly match" in shown
    assert ("late" in shown.lower()) == ("late-report" in codes)


def test_two_reasons_are_both_named():
    shown = question(LATE, "late-report", "not-announced", "round-missing", "result-missing")
    assert "Gouda Open: late, not announced in time, incomplete" in shown


def test_each_finding_that_asks_for_admission_has_a_case():
    assert {code for _, codes, _, _ in CASES for code in codes} == set(ADMISSION_CODES)
