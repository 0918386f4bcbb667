"""Compare the signed history with the published lists, the worker's folder and the second place. Nothing is written."""

from pathlib import Path

from django.conf import settings
from django.db.models.functions import Now
from django.utils.translation import gettext

from ratings.models import RatingList
from ratings.publishing.signed_history.sign_lists import SIGNED_WITHIN, history_lines, signing_folder
from ratings.publishing.signed_history.verify import read_history


def verify_history() -> list[str]:
    """A sentence for each difference: a list changed, dropped or added, a statement that the second place lacks.

    Each published list has a statement with its digest, a day after its publication at the latest; the history ends
    where the worker left it, and only keys of the worker's folder have signed. 3 queries.
    """
    folder, lines = signing_folder(), list(history_lines())
    history = read_history(lines, folder.public_keys())
    faults = list(history.faults)
    ends = folder.ends()
    if ends and history.end not in ends:
        faults.append(
            gettext(
                "The history ends with statement %(found)s. The worker wrote statement %(expected)s last."
            )
            % {"found": history.number, "expected": ends[-1][0]}
        )
    published = RatingList.objects.filter(state=RatingList.State.PUBLISHED).select_related("pool")
    lists = {f"{one.address}/r{one.revision}": one for one in published}
    late = set(published.filter(published_at__lt=Now() - SIGNED_WITHIN).values_list("pk", flat=True))
    for address in sorted(history.lists.keys() - lists.keys()):
        faults.append(gettext("%(list)s is signed and not published any more.") % {"list": address})
    for address, rating_list in sorted(lists.items()):
        signed = history.lists.get(address)
        values = {"list": address, "found": rating_list.sha256, "expected": signed}
        if signed is None and rating_list.pk in late:
            faults.append(gettext("%(list)s is published and was never signed.") % values)
        elif signed is not None and signed != rating_list.sha256:
            faults.append(gettext("%(list)s has the SHA-256 %(found)s. Signed was %(expected)s.") % values)
    if settings.SIGNATURES_COPY:
        for number, line in enumerate(lines, start=1):
            file = Path(settings.SIGNATURES_COPY) / f"{number:06}.json"
            if not file.exists() or file.read_text() != line + "\n":
                faults.append(
                    gettext("%(file)s is not as statement %(number)s.") % {"file": file, "number": number}
                )
    return faults
