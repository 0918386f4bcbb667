from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_noop as _

from ratings.publishing.signed_history.sign_lists import replace_key, sign_lists, signing_folder
from reporting.management.office import OfficeCommand


class Command(OfficeCommand):
    help = _(
        "Sign the published lists that are not signed yet, also those published more than a day ago, which the worker"
        " leaves: look at them first. To be run where the key is."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        key = parser.add_mutually_exclusive_group()
        key.add_argument(
            "--new-key",
            action="store_true",
            help=gettext("First replace the key by a new one, signed by it."),
        )
        key.add_argument(
            "--lost-key",
            action="store_true",
            help=gettext(
                "First state that the key is lost, and make a new one. Publish its public half elsewhere too."
            ),
        )

    def act(self, *, new_key: bool, lost_key: bool, **_: Any) -> None:
        if new_key or lost_key:
            replace_key(lost=lost_key)
        signed = sign_lists(also_older=True)
        self.stdout.write(
            ngettext("%(count)s list signed.", "%(count)s lists signed.", signed) % {"count": signed}
        )
        for key in signing_folder().public_keys()[-1:]:
            self.stdout.write(gettext("Public key: %(key)s") % {"key": key})
