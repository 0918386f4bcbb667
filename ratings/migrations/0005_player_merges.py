import django.contrib.postgres.fields
from django.db import migrations, models



# With which merges a list is read is settled in its calculation (refuse_change: reporting/migrations/sql/append_only.sql).
GUARD = """
CREATE TRIGGER ratings_ratinglist_merges BEFORE UPDATE ON ratings_ratinglist
    FOR EACH ROW WHEN (OLD.merges IS DISTINCT FROM NEW.merges) EXECUTE FUNCTION refuse_change();
ALTER TABLE ratings_ratinglist ENABLE ALWAYS TRIGGER ratings_ratinglist_merges;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0004_corrections'),
        ('reporting', '0012_player_merges'),
    ]

    operations = [
        migrations.AddField(
            model_name='ratinglist',
            name='merges',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, help_text="The merges of players' records that it and the lists it was calculated from are read with (R24).", size=None),
        ),
        migrations.RunSQL(GUARD, migrations.RunSQL.noop),
    ]
