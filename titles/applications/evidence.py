"""What an application is based on, as it is stored: the requirements and the norms of that moment."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from hashlib import sha256
from typing import Any

from titles.models import Norm, TitleApplication
from titles.queries.ledgers import DisciplineLedger, PlayerLedger
from titles.rules.requirement import Requirement, Statement


def due_evidence(
    ledger: DisciplineLedger, title: str
) -> tuple[TitleApplication.Basis, dict[str, Any]] | None:
    """The basis and the evidence for a title that is due in a discipline; None if it is not due."""
    for automatic in ledger.automatic:
        if automatic.norm.title == title:
            norm = automatic.norm
            return TitleApplication.Basis.AUTOMATIC, {
                "requirements": [asdict(each) for each in norm.requirements],
                "norms": _rows([norm]),
                "highest_rating": ledger.highest_rating,
            }
    for progress in ledger.titles:
        if progress.title == title and progress.is_due_by_norms:
            return TitleApplication.Basis.NORMS, {
                "requirements": [asdict(each) for each in progress.requirements],
                "norms": _rows(progress.norms),
                "highest_rating": ledger.highest_rating,
            }
        if progress.title == title and progress.is_due_by_rating:
            return TitleApplication.Basis.RATING, {
                "requirements": [asdict(each) for each in progress.by_rating],
                "norms": [],
                "highest_rating": ledger.highest_rating,
            }
    return None


def evidence_digest(ledger: PlayerLedger) -> str:
    """A digest of the evidence for every title that is due, the same until some of it changes."""
    titles = [
        (of_discipline, title)
        for of_discipline in ledger.disciplines
        for title in [
            *(automatic.norm.title for automatic in of_discipline.automatic),
            *(progress.title for progress in of_discipline.titles if progress.is_due),
        ]
    ]
    due = [
        (of_discipline.discipline, title, due_evidence(of_discipline, title))
        for of_discipline, title in titles
    ]
    return sha256(json.dumps(due, default=str).encode()).hexdigest()[:16]


def requirements_of(evidence: dict[str, Any]) -> list[Requirement]:
    """The stored requirements."""
    return [
        Requirement(
            row["article"],
            Statement(**row["asks"]),
            Statement(**row["found"]),
            row["met"],
            row.get("colour", ""),
        )
        for row in evidence["requirements"]
    ]


def _rows(norms: Iterable[Norm]) -> list[dict[str, Any]]:
    return [
        {
            "norm": norm.pk,
            "title": norm.title,
            "colour": norm.colour,
            "games": norm.games,
            "tournament": norm.result_set.name,
            "code": norm.result_set.code,
            "played_to": norm.result_set.played_to.isoformat(),
            "list": f"{norm.list.address}/r{norm.list.revision}",
        }
        for norm in norms
    ]
