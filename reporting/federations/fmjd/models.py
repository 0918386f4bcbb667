"""The details of result sets that only reports to the FMJD have."""

from django.db import models

from reporting.models import OwnDetails


class ResultSetDetails(OwnDetails):
    youth = models.CharField(max_length=12, blank=True)
    competition = models.CharField(max_length=24, blank=True)
    council_approved = models.BooleanField(default=False)
    rating_service_paid = models.BooleanField(default=False)
    world_cup_stars = models.PositiveSmallIntegerField(null=True, blank=True)
    world_cup_groups = models.CharField(max_length=8, blank=True, default="", db_default="")
    absent_from_closing = models.JSONField(
        default=list, db_default=[], blank=True, help_text="Tournament numbers."
    )
    referee_level = models.CharField(max_length=13, blank=True)
