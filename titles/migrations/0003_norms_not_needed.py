from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("titles", "0002_applications"),
    ]

    operations = [
        migrations.AddField(
            model_name="norm",
            name="is_needed",
            field=models.BooleanField(
                db_default=True,
                default=True,
                help_text="Not where the player held this title or a higher one at the closing date of the list (R41).",
            ),
        ),
        migrations.AlterField(
            model_name="titleapplication",
            name="basis",
            field=models.CharField(
                choices=[
                    ("norms", "Norms"),
                    ("automatic", "Automatic title"),
                    ("rating", "Rating on a list"),
                ],
                max_length=9,
            ),
        ),
    ]
