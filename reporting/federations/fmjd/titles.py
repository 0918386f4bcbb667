"""The titles of the FMJD (Annex 10), highest first; the F titles are the women's."""

from django.utils.translation import gettext_noop

from reporting.rules.register.titles import WOMENS_LADDER, DisciplineTitles, Title

TITLES = (
    Title("GMI", gettext_noop("International grandmaster"), 1),
    Title("MI", gettext_noop("International master"), 2),
    Title("MF", gettext_noop("Federation master"), 3),
    Title("CMF", gettext_noop("Candidate federation master"), 4),
    Title("GMIF", gettext_noop("International grandmaster, women"), 5, WOMENS_LADDER),
    Title("MIF", gettext_noop("International master, women"), 6, WOMENS_LADDER),
    Title("MFF", gettext_noop("Federation master, women"), 7, WOMENS_LADDER),
    Title("CMFF", gettext_noop("Candidate federation master, women"), 8, WOMENS_LADDER),
)
DISCIPLINES = tuple(
    DisciplineTitles("fmjd", discipline, field, label, {title.code: title for title in TITLES})
    for discipline, field, label in (
        ("100", "title", gettext_noop("Title")),
        ("64", "title_64", gettext_noop("Title on 64 squares")),
    )
)
"""One for each discipline, with the field of the register's files and of the forms, and its label."""
