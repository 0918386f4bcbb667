from django.db import migrations
from django.db.models.functions import Now

# The commands of the office act through three of these, visitors without an account through the fourth. None has a
# password, none can log in.
ACCOUNTS = [
    ("importer@office.invalid", "Importer", ["referee", "tournament_director"]),
    ("officer@office.invalid", "Rating officer by command", ["rating_officer"]),
    ("releaser@office.invalid", "Releasing officer by command", ["releasing_officer"]),
    ("visitor@office.invalid", "Visitor", []),
]


def create_accounts(apps, schema_editor):
    user = apps.get_model("reporting", "User")
    assignment = apps.get_model("reporting", "RoleAssignment")
    for email, name, roles in ACCOUNTS:
        account = user.objects.create(email=email, name=name, acts_by_command=True, password="!")
        assignment.objects.bulk_create(
            assignment(
                account=account, role=role, assigned_by=account, confirmed_by=account, confirmed_at=Now(), by_command=True
            )
            for role in roles
        )


class Migration(migrations.Migration):
    dependencies = [("reporting", "0003_guards")]

    operations = [migrations.RunPython(create_accounts, migrations.RunPython.noop)]
