import django.db.models.deletion
from django.db import migrations, models

from ratings.federations.table_operations import CreatePartitionedModel, RegisterSystemTables
from reporting.federations.table_operations import RegisterOwnDetails


def create_pool(apps, schema_editor):
    apps.get_model("ratings", "Pool").objects.create(
        code="league", system="league", discipline="", tempo="any", name="Toy league"
    )


class Migration(migrations.Migration):
    """Written by makemigrations; then CreateModel became CreatePartitionedModel, and the last three lines were added."""

    initial = True

    dependencies = [
        ('ratings', '0001_initial'),
    ]

    operations = [
        CreatePartitionedModel(
            name='LeagueChange',
            fields=[
                ('pk', models.CompositePrimaryKey('list_id', 'player_id', 'sequence', blank=True, editable=False, primary_key=True, serialize=False)),
                ('sequence', models.SmallIntegerField(help_text='0, 1, … in the order of the calculation.')),
                ('games', models.IntegerField(help_text='N, counted.')),
                ('points', models.IntegerField(help_text='W, in halves: 2-1-0.')),
                ('first_game', models.DateField()),
                ('last_game', models.DateField()),
                ('colour', models.CharField(help_text='w or b.', max_length=1)),
                ('own_rating', models.IntegerField(help_text='Rating of the player before the list.')),
                ('own_list', models.CharField(help_text='The list that has it; empty for none.', max_length=40)),
                ('opponent_rating', models.IntegerField(help_text='That of the opponent.')),
                ('expected_e10', models.BigIntegerField(help_text='We.')),
                ('added_e10', models.BigIntegerField(help_text='10 × (W − We).')),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.game')),
                ('opponent', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
                ('list', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.ratinglist')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
                ('result_set', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.resultset')),
            ],
            options={
                'db_table': 'league_change',
            },
        ),
        CreatePartitionedModel(
            name='LeagueListRow',
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
                ('club', models.CharField(help_text='Of the player on the day of the list; empty for none.', max_length=6)),
                ('sum_e10', models.BigIntegerField(help_text='Rating before it is rounded; empty without a game.', null=True)),
                ('marks', models.CharField(help_text='new, won, both or none.', max_length=7)),
                ('list', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='ratings.ratinglist')),
                ('player', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='reporting.player')),
            ],
            options={
                'db_table': 'league_listrow',
            },
        ),
        migrations.CreateModel(
            name='LeagueResultSetDetails',
            fields=[
                ('result_set', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='own_%(app_label)s', serialize=False, to='reporting.resultset')),
                ('division', models.CharField(blank=True, max_length=6)),
            ],
            options={
                'db_table': 'league_resultset',
            },
        ),
        RegisterSystemTables("league", rows_table="league_listrow", changes_table="league_change"),
        RegisterOwnDetails("league_resultset"),
        migrations.RunPython(create_pool, migrations.RunPython.noop),
    ]
