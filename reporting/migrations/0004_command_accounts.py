from django.db import migrations

# The office's commands act through these three; none has a password, none can log in.
ACCOUNTS = [
    ("importer@office.invalid", "Importer", ["referee", "tournament_director"]),
    ("officer@office.invalid", "Rating officer by command", ["rating_officer"]),
    ("releaser@office.invalid", "Releasing officer by command", ["releasing_officer"]),
]


def create_accounts(apps, schema_editor):
    user = apps.get_model("reporting", "User")
    user.objects.bulk_create(
        user(email=email, name=name, roles=roles, acts_by_command=True, password="!") for email, name, roles in ACCOUNTS
    )


class Migration(migrations.Migration):
    dependencies = [("reporting", "0003_append_only")]

    operations = [migrations.RunPython(create_accounts, migrations.RunPython.noop)]
