import django.db.models.deletion
from django.db import migrations, models

from reporting.federations.table_operations import RegisterOwnDetails


class Migration(migrations.Migration):
    """The table of what only its reports say."""

    dependencies = [("toy", "0002_draws"), ("reporting", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="ToyResultSetDetails",
            fields=[
                (
                    "result_set",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="own_%(app_label)s",
                        serialize=False,
                        to="reporting.resultset",
                    ),
                ),
                ("pieces", models.CharField(blank=True, max_length=7)),
                ("registered", models.DateField(blank=True, null=True)),
            ],
            options={"db_table": "toy_resultset"},
        ),
        RegisterOwnDetails("toy_resultset"),
    ]
