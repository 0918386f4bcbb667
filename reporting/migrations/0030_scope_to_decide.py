import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    """Programs of the office decide about tournaments (decision 0084)."""

    dependencies = [
        ('reporting', '0029_entries_of_one_player'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='apitoken',
            name='api_token_scopes_known',
        ),
        migrations.AlterField(
            model_name='apitoken',
            name='scopes',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(choices=[('reports:read', 'Read my reports and their findings'), ('reports:write', 'Upload files, change details, save comments'), ('reports:submit', 'Submit reports to the office'), ('tournaments:decide', 'Decide about tournaments, for the office')], max_length=20), size=None),
        ),
        migrations.AddConstraint(
            model_name='apitoken',
            constraint=models.CheckConstraint(condition=models.Q(('scopes__contained_by', ['reports:read', 'reports:write', 'reports:submit', 'tournaments:decide']), ('scopes__len__gt', 0)), name='api_token_scopes_known'),
        ),
    ]
