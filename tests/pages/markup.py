"""Pages compared without regard to how their templates are indented."""

import re


def tight(page: str) -> str:
    """The page without white space around tags."""
    return re.sub(r"\s*(<[^>]+>)\s*", r"\1", " ".join(page.split()))
