from django.db import migrations, models


class Migration(migrations.Migration):
    """A pool, and each of its lists, names the rating system whose rules it follows."""

    dependencies = [("ratings", "0006_stored_values")]

    operations = [
        migrations.RemoveConstraint(model_name="pool", name="pool_once"),
        migrations.RenameField(model_name="pool", old_name="federation", new_name="system"),
        migrations.AlterField(
            model_name="pool",
            name="system",
            field=models.CharField(max_length=10, help_text="The rating system: fmjd."),
        ),
        migrations.AddConstraint(
            model_name="pool",
            constraint=models.UniqueConstraint(fields=["system", "discipline", "tempo"], name="pool_once"),
        ),
        migrations.AddField(
            model_name="ratinglist",
            name="system",
            field=models.CharField(max_length=10, help_text="The rating system of its pool.", default="fmjd"),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name="ratinglist",
            name="edition",
            field=models.CharField(max_length=40, help_text="Edition of the rules of the rating system."),
        ),
    ]
