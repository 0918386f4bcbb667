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
                ("fide_processed", models.BooleanField(default=False)),
            ],
            options={"abstract": False},
        ),
        RegisterOwnDetails("knsb_reports_resultsetdetails"),
    ]
