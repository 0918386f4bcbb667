import django.db.models.deletion
from django.db import migrations, models

from ratings.federations.table_operations import CreatePartitionedModel, RegisterSystemTables


def create_pool(apps, schema_editor):
    apps.get_model("ratings", "Pool").objects.create(
        code="toy", system="toy", discipline="", tempo="any", name="Toy board"
    )


class Migration(migrations.Migration):
    """Written by makemigrations; then CreateModel became CreatePartitionedModel, and the last two lines were added."""

    initial = True

    dependencies = [
        ('ratings', '0001_initial'),
    ]

    operations = [
        CreatePartitionedModel(
            name='ToyChange',
            fields=[
                ('pk', models.CompositePrimaryKey('list_id', 'player_id', 'sequence', blank=True, editable=False, primary_key=True, serialize=False)),
                ('sequence', models.SmallIntegerField(help_text='0, 1, … in the order of the calculation.')),
                ('before_e4', models.IntegerField(help_text='Running value before; empty = none.', null=True)),
                ('games_before', models.IntegerField()),
                ('games', models.IntegerField(help_text='N, counted.')),
                ('points', models.IntegerField(help_text='W, in halves: 2-1-0.')),
                ('after_e4', models.IntegerField(help_text='Running value after.')),
                ('first_game', models.DateField()),
                ('last_game', models.DateField()),
                ('halves_over', models.IntegerField(help_text='Half points over a draw in every counted game, below zero too.')),
                ('basis_list', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.ratinglist')),
                ('list', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.ratinglist')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
                ('result_set', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.resultset')),
            ],
            options={
                'db_table': 'toy_change',
            },
        ),
        CreatePartitionedModel(
            name='ToyListRow',
            fields=[
                ('pk', models.CompositePrimaryKey('list_id', 'position', blank=True, editable=False, primary_key=True, serialize=False)),
                ('position', models.IntegerField(help_text='1, 2, … by rating, then number in the register.')),
                ('name_position', models.IntegerField(help_text='1, 2, … by name (R13: the full list is alphabetical).')),
                ('official_position', models.IntegerField(help_text='1, 2, … on the official list; empty = not on it.', null=True)),
                ('register_number', models.IntegerField(help_text="In the register of its system.")),
                ('name', models.CharField(max_length=130)),
                ('sort_name', models.CharField(max_length=130)),
                ('federation', models.CharField(max_length=3)),
                ('sex', models.CharField(max_length=1)),
                ('birth_year', models.SmallIntegerField(null=True)),
                ('title', models.CharField(max_length=4)),
                ('rating', models.IntegerField()),
                ('change', models.IntegerField(help_text='Against the list before; empty for a new player.', null=True)),
                ('period_games', models.IntegerField()),
                ('games', models.IntegerField()),
                ('last_game', models.DateField(null=True)),
                ('category', models.CharField(db_default='', help_text='A letter; empty in a system without categories.', max_length=1)),
                ('rank', models.IntegerField()),
                ('official_rank', models.IntegerField(null=True)),
                ('wins', models.IntegerField(help_text='Counted games won in the period.')),
                ('list', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.ratinglist')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
            ],
            options={
                'db_table': 'toy_listrow',
                'constraints': [models.CheckConstraint(condition=models.Q(('wins__gte', 0)), name='toy_listrow_wins')],
            },
        ),
        RegisterSystemTables("toy", rows_table="toy_listrow", changes_table="toy_change"),
        migrations.RunPython(create_pool, migrations.RunPython.noop),
    ]
