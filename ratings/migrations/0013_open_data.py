from django.db import migrations, models

# As in 0008, and the open data goes with the name (decision 0065).
ERASE = """
CREATE OR REPLACE FUNCTION erase_player_name(player bigint) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    parent name;
    erased integer := 0;
    more integer;
BEGIN
    FOR parent IN SELECT rows_table FROM public.ratings_systemtable LOOP
        EXECUTE format('UPDATE public.%I SET name = $1, sort_name = $2 WHERE player_id = $3', parent)
            USING 'Erased player', 'erased player', player;
        GET DIAGNOSTICS more = ROW_COUNT;
        erased := erased + more;
    END LOOP;
    IF erased > 0 THEN
        UPDATE public.ratings_export SET erasures = erasures + 1, stamp = '', made_at = NULL;
        DELETE FROM public.ratings_exportfile;
    END IF;
    RETURN erased;
END
$$;
"""
RIGHTS = """
INSERT INTO ratings_export (id, stamp, erasures) VALUES (1, '', 0);
REVOKE INSERT, UPDATE, DELETE ON ratings_export, ratings_exportfile FROM app_web;
REVOKE INSERT, DELETE ON ratings_export FROM app_worker;
REVOKE UPDATE ON ratings_exportfile FROM app_worker;
"""


class Migration(migrations.Migration):
    """Everything published, as files."""

    dependencies = [
        ('ratings', '0012_ranks_of_histories'),
    ]

    operations = [
        migrations.CreateModel(
            name='Export',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('stamp', models.CharField(blank=True, max_length=64)),
                ('erasures', models.PositiveIntegerField(default=0)),
                ('made_at', models.DateTimeField(null=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('pk', 1)), name='export_one_row')],
            },
        ),
        migrations.CreateModel(
            name='ExportFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, unique=True)),
                ('content_type', models.CharField(max_length=80)),
                ('compressed', models.BinaryField()),
                ('sha256', models.CharField(max_length=64)),
                ('size', models.PositiveBigIntegerField(help_text='Bytes.')),
                ('rows', models.PositiveBigIntegerField(help_text='Lines of the table; 0 for the SQLite file.')),
            ],
        ),
        migrations.RunSQL(RIGHTS, migrations.RunSQL.noop),
        migrations.RunSQL(ERASE, migrations.RunSQL.noop),
    ]
