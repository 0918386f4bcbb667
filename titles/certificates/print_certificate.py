"""A certificate as PDF, set by typst from certificate.typ."""

from collections.abc import Mapping
from pathlib import Path

import typst

TEMPLATE = Path(__file__).parent / "certificate.typ"


def certificate_pdf(texts: Mapping[str, str]) -> bytes:
    """The PDF of a certificate with these texts, by the names of certificate.typ. They are data, never markup."""
    pdf: bytes = typst.compile(TEMPLATE.read_bytes(), sys_inputs=dict(texts), ignore_system_fonts=True)
    return pdf
