"""Which youth teams: the tempos, and the discipline."""

from django import forms
from django.utils.translation import gettext_lazy as _

from titles.federations.fmjd.world_cup.forms import SECTIONS

TEMPOS = {"classic": _("Classic"), "rapid": _("Rapid"), "blitz": _("Blitz")}


class SectionForm(forms.Form):
    """The discipline of youth teams, 100 squares where none is asked for."""

    section = forms.ChoiceField(
        choices=SECTIONS, required=False, help_text="The discipline; 100 squares where it is left out."
    )

    def clean_section(self) -> str:
        return str(self.cleaned_data["section"] or SECTIONS[0][0])
