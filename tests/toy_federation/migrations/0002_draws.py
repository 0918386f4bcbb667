from django.db import migrations, models


class Migration(migrations.Migration):
    """A column that lists have since 2026. Published lists keep their rows: they have no value."""

    dependencies = [("toy", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="toylistrow",
            name="draws",
            field=models.IntegerField(
                help_text="Counted draws in the period; none on lists before 2026, which did not have them.",
                null=True,
            ),
        ),
    ]
