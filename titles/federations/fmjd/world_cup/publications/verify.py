"""Compare every publication with itself and with what it follows from. Nothing is written."""

from collections.abc import Iterator, Sequence

from titles.federations.fmjd.models import Publication
from titles.federations.fmjd.world_cup.publications.files import digest, figures_json
from titles.federations.fmjd.world_cup.publications.kinds import address_of, key_of, kind_of
from titles.federations.fmjd.world_cup.publications.selectors import figures_of, published


def verify_publications() -> Iterator[tuple[str, Sequence[str]]]:
    """The address of each publication with what differs: digests, edition, order, and every recalculated figure.

    Damage that prevents a comparison is a difference too. Queries: 1, and 1 a publication.
    """
    for publication in published().order_by("pk"):
        try:
            found = list(_differences(publication))
        except Exception as error:  # damage of any kind is reported, and the other publications are compared
            found = [f"{type(error).__name__}: {error}"]
        yield address_of(publication), [f"{address_of(publication)}: {one}" for one in found]


def _differences(publication: Publication) -> Iterator[str]:
    rows = figures_of(publication)
    key = key_of(publication)
    kind = kind_of(key)
    compared = {
        "input_sha256": (publication.input_sha256, digest(publication.inputs.encode())),
        "sha256": (publication.sha256, digest(figures_json(publication, rows))),
        "approved_sha256": (publication.approved_sha256, publication.sha256),
        "edition": (publication.edition, kind.edition(key)),
        "rows": (len(rows), publication.rows.filter(position__lte=len(rows)).count()),
    }
    for name, (found, expected) in compared.items():
        if found != expected:
            yield f"{name}: {found}, not {expected}"
    recalculated = kind.calculate(key, publication.inputs)
    for position, (found, expected) in enumerate(zip(rows, recalculated, strict=False), start=1):
        for name in expected:
            if found.get(name) != expected[name]:
                yield f"row {position}, {name}: {found.get(name)}, not {expected[name]}"
    if len(rows) != len(recalculated):
        yield f"rows: {len(rows)}, not {len(recalculated)}"
