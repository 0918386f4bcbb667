"""The details of result sets that only reports to the KNSB have."""

from django.db import models

from reporting.models import OwnDetails


class ResultSetDetails(OwnDetails):
    fide_processed = models.BooleanField(default=False)
