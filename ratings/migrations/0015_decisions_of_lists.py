import django.contrib.postgres.fields
from django.db import migrations, models

# As the other inputs of a draft (guard_rating_list); a published list's row refuses every change.
GUARD = """
CREATE TRIGGER ratings_ratinglist_decisions BEFORE UPDATE ON ratings_ratinglist FOR EACH ROW
    WHEN (OLD.sha256 <> '' AND OLD.decisions IS DISTINCT FROM NEW.decisions) EXECUTE FUNCTION refuse_change();
ALTER TABLE ratings_ratinglist ENABLE ALWAYS TRIGGER ratings_ratinglist_decisions;
"""


class Migration(migrations.Migration):
    """The decisions on its tournaments that a list counts (R78)."""

    dependencies = [
        ('ratings', '0013_open_data'),
        ('reporting', '0027_tournament_decisions'),
    ]

    operations = [
        migrations.AddField(
            model_name='ratinglist',
            name='decisions',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), help_text='The decisions on its tournaments that it counts (R78); none before decisions were recorded.', null=True, size=None),
        ),
        migrations.RunSQL(GUARD, migrations.RunSQL.noop),
    ]
