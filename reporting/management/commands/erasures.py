"""The erased names, kept outside of the database, and erased again after an older backup was restored."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import CommandError
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_noop as _

from reporting.log.audit import OFFICER
from reporting.management.office import OfficeCommand
from reporting.models import Player
from reporting.models.register import ERASED_SORT_NAME
from reporting.register.services.erase_name import erase_name

REASON = "erasures.apply"  # its sentence is in reporting/log/labels.py


class Command(OfficeCommand):
    help = _(
        "Write the list of erased players to a file, to be kept next to the backups. With --apply, erase the names of"
        " such a list again after a restore."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help=gettext("One player a line: register and number."))
        parser.add_argument("--apply", action="store_true", help=gettext("Erase the names of the list."))

    def act(self, *, file: Path, apply: bool, **_: Any) -> None:
        if apply:
            self.apply(file)
            return
        erased = Player.objects.filter(sort_name=ERASED_SORT_NAME).order_by("pk")
        lines = sorted({line for player in erased for line in numbers_of(player)})
        draft = file.with_name(f".{file.name}.new")  # the old list stays until the new one is whole
        draft.write_text("".join(f"{line}\n" for line in lines))
        draft.replace(file)
        self.stdout.write(
            ngettext("%(count)s number written.", "%(count)s numbers written.", len(lines))
            % {"count": len(lines)}
        )

    def apply(self, file: Path) -> None:
        """Erase those that still have a name; who is not in the register yet needs nothing."""
        by = self.actor(OFFICER)
        erased, unknown = 0, []
        for place, line in enumerate(file.read_text().splitlines(), start=1):
            register, _space, number = line.strip().partition(" ")
            if not line.strip():
                continue
            if not number:
                raise CommandError(
                    gettext(
                        "Line %(line)s is %(text)s. Expected: a register and a number, as in: fmjd 10123."
                    )
                    % {"line": place, "text": repr(line[:80])}
                )
            player = Player.objects.filter(identities__register=register, identities__number=number).first()
            if player is None:
                unknown.append(line.strip())
            elif not player.is_erased:
                erased += len(erase_name(player=player, reason=REASON, by=by))
        self.stdout.write(
            ngettext("%(count)s name erased.", "%(count)s names erased.", erased) % {"count": erased}
        )
        if unknown:
            self.stdout.write(gettext("Not in this register: %(numbers)s.") % {"numbers": ", ".join(unknown)})


def numbers_of(player: Player) -> list[str]:
    """Its numbers in registers that count, as lines of the list: every player has one (the database holds it).

    Those of national registers are not unique.
    """
    return [f"{register} {number}" for register, number in player.numbers.items() if register != "national"]
