import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models



# A merge says for ever what was merged and why; it can be parted, once. A record stands at one end of merges only, so
# that who he is takes one look: the service holds a lock, the trigger sees to it besides.
GUARDS = """
CREATE FUNCTION guard_player_merge() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, public AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.parted_at IS NULL AND EXISTS (
            SELECT FROM public.reporting_playermerge
            WHERE parted_at IS NULL AND (goes_id = NEW.kept_id OR kept_id = NEW.goes_id)
        ) THEN
            RAISE EXCEPTION 'a record is merged into one that stands by itself: refused'
                USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF TG_OP = 'UPDATE' AND OLD.parted_at IS NULL AND NEW.parted_at IS NOT NULL
        AND to_jsonb(NEW) - '{parted_at,parted_by_id,parted_reason}'::text[]
            = to_jsonb(OLD) - '{parted_at,parted_by_id,parted_reason}'::text[] THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'a merge stays as it was made: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER reporting_playermerge_guard BEFORE INSERT OR UPDATE OR DELETE ON reporting_playermerge
    FOR EACH ROW EXECUTE FUNCTION guard_player_merge();
CREATE TRIGGER reporting_playermerge_no_truncate BEFORE TRUNCATE ON reporting_playermerge
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE reporting_playermerge ENABLE ALWAYS TRIGGER reporting_playermerge_guard;
ALTER TABLE reporting_playermerge ENABLE ALWAYS TRIGGER reporting_playermerge_no_truncate;
REVOKE DELETE ON reporting_playermerge FROM app_web, app_worker;
"""


class Migration(migrations.Migration):

    dependencies = [
        ('reporting', '0011_correction_requests'),
    ]

    operations = [
        migrations.CreateModel(
            name='PlayerMerge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.TextField()),
                ('merged_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('parted_reason', models.TextField(blank=True)),
                ('parted_at', models.DateTimeField(null=True)),
                ('goes', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='merges', to='reporting.player')),
                ('kept', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='merged_records', to='reporting.player')),
                ('merged_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('parted_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('parted_at', None)), fields=('goes',), name='player_merged_into_one'), models.CheckConstraint(condition=models.Q(('goes', models.F('kept')), _negated=True), name='player_not_merged_into_himself'), models.CheckConstraint(condition=models.Q(('reason', ''), _negated=True), name='player_merge_has_reason'), models.CheckConstraint(condition=models.Q(models.Q(('parted_at', None), ('parted_by', None), ('parted_reason', '')), models.Q(('parted_at__isnull', False), ('parted_by__isnull', False), models.Q(('parted_reason', ''), _negated=True)), _connector='OR'), name='player_parted_by_someone')],
            },
        ),
        migrations.RunSQL(GUARDS, migrations.RunSQL.noop),
    ]
