from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ratings', '0005_player_merges'),
        ('reporting', '0014_look_alike_decisions'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='anomaly',
            name='anomaly_has_its_subject',
        ),
        migrations.AlterField(
            model_name='anomaly',
            name='kind',
            field=models.CharField(choices=[('jump', 'Large jump'), ('few_games', 'Few games'), ('late', 'Late report'), ('left_out', 'Left out'), ('corrected', 'Corrected report'), ('alike', 'Looks like another')], max_length=9),
        ),
        migrations.AddConstraint(
            model_name='anomaly',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('kind__in', ['jump', 'few_games']), ('player__isnull', False), ('report__isnull', True)), models.Q(('kind__in', ['late', 'left_out', 'corrected', 'alike']), ('player__isnull', True), ('report__isnull', False)), _connector='OR'), name='anomaly_has_its_subject'),
        ),
    ]
