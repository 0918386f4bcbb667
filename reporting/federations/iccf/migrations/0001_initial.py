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
                ("kind", models.CharField(max_length=30)),
                ("level", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("delivery", models.CharField(max_length=6)),
                ("registered", models.DateField(blank=True, null=True)),
            ],
            options={"abstract": False},
        ),
        RegisterOwnDetails("iccf_reports_resultsetdetails"),
    ]
