from django.db import migrations, models


class Migration(migrations.Migration):
    """Announcements of official tournaments and national championships."""

    dependencies = [
        ('reporting', '0016_draft_comments'),
    ]

    operations = [
        migrations.AddField(
            model_name='announcement',
            name='official',
            field=models.BooleanField(default=False, help_text='Tournament of FMJD or of a confederation, as the office says.'),
        ),
        migrations.AddField(
            model_name='announcement',
            name='national_championship',
            field=models.CharField(blank=True, help_text="As its federation's official or the office says; empty: not said.", max_length=13),
        ),
    ]
