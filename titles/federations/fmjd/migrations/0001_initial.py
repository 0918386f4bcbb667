from pathlib import Path

import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

SQL = Path(__file__).with_name("sql")


class Migration(migrations.Migration):
    """What the federation alone records for World Cup and championships."""

    initial = True

    dependencies = [
        ('reporting', '0002_second_factors'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='WorldCupDeclaration',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('year', models.PositiveSmallIntegerField()),
                ('declared_on', models.DateField()),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), editable=False)),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('withdrawal_reason', models.TextField(blank=True, default='')),
                ('by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
                ('withdrawn_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('withdrawn_at', None)), fields=('player', 'year'), name='world_cup_declaration_once'), models.CheckConstraint(condition=models.Q(('year', models.F('declared_on__year')), ('year', django.db.models.expressions.CombinedExpression(models.F('declared_on__year'), '+', models.Value(1))), _connector='OR'), name='world_cup_declaration_year'), models.CheckConstraint(condition=models.Q(models.Q(('withdrawal_reason', ''), ('withdrawn_at', None), ('withdrawn_by', None)), models.Q(('withdrawn_at__isnull', False), ('withdrawn_by__isnull', False), models.Q(('withdrawal_reason', ''), _negated=True)), _connector='OR'), name='world_cup_declaration_withdrawn_with_a_reason')],
            },
        ),
        *[migrations.RunSQL((SQL / f"{name}.sql").read_text()) for name in ("declarations",)],
    ]
