"""The details of result sets that only reports to the ICCF have."""

from django.db import models

from reporting.models import OwnDetails


class ResultSetDetails(OwnDetails):
    kind = models.CharField(max_length=30)
    level = models.PositiveSmallIntegerField(null=True, blank=True)
    delivery = models.CharField(max_length=6)
    registered = models.DateField(null=True, blank=True)
