import django.db.models.deletion
from django.db import migrations, models

from reporting.federations.table_operations import RegisterOwnDetails


class Migration(migrations.Migration):
    initial = True

    dependencies = [("reporting", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="ResultSetDetails",
            fields=[
                ("result_set", models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name="own_%(app_label)s", serialize=False, to="reporting.resultset")),
                ("youth", models.CharField(blank=True, max_length=12)),
                ("competition", models.CharField(blank=True, max_length=24)),
                ("council_approved", models.BooleanField(default=False)),
                ("rating_service_paid", models.BooleanField(default=False)),
                ("world_cup_stars", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("referee_level", models.CharField(blank=True, max_length=13)),
            ],
            options={"abstract": False},
        ),
        RegisterOwnDetails(
            "fmjd_reports_resultsetdetails",
            council=["council_approved"],
            office=["competition", "world_cup_stars", "referee_level"],
        ),
    ]
