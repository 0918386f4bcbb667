"""The titles of the ICCF, highest first; those of women have a ladder of their own."""

from django.utils.translation import gettext_noop

from reporting.rules.register.titles import WOMENS_LADDER, DisciplineTitles, Title

TITLES = (
    Title("GM", gettext_noop("Correspondence chess grandmaster"), 1),
    Title("SIM", gettext_noop("Senior international correspondence chess master"), 2),
    Title("IM", gettext_noop("International correspondence chess master"), 3),
    Title("CCM", gettext_noop("Correspondence chess master"), 4),
    Title("CCE", gettext_noop("Correspondence chess expert"), 5),
    Title("LGM", gettext_noop("Ladies correspondence chess grandmaster"), 6, WOMENS_LADDER),
    Title("LIM", gettext_noop("Ladies international correspondence chess master"), 7, WOMENS_LADDER),
)
DISCIPLINES = (
    DisciplineTitles(
        "iccf", "", "iccf_title", gettext_noop("ICCF title"), {title.code: title for title in TITLES}
    ),
)
"""One: the ICCF has no disciplines. With the field of the register's files and of the forms, and its label."""
