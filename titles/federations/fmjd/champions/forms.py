"""The forms of champions: which championships, a medal to enter, what happened to a title match."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reporting.models import Federation, Player
from reporting.register.selectors.register import federation_names
from reporting.rules.details.detail_kinds import MAX_NUMBER
from reporting.web.forms import DayField, StyledFormMixin, text_area
from reporting.web.query_params import LARGEST_NUMBER, WholeNumberField
from titles.federations.fmjd.champions.labels import AREAS, GROUPS, PLACES, SECTIONS, TEMPOS
from titles.federations.fmjd.champions.medals import Podium
from titles.federations.fmjd.champions.services import FIRST_YEAR
from titles.federations.fmjd.champions.title_matches import Move, TitleMatch
from titles.federations.fmjd.rules.championship_kinds import ChampionshipKind
from titles.federations.fmjd.world_cup.inputs import players_by_id

ALL_AGES, OPEN, WOMEN, TEAMS = "all-ages", "open", "women", "teams"
EVENTS = {OPEN: _("Individual, open"), WOMEN: _("Individual, women"), TEAMS: _("Teams")}


def _choices(labels: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [("", _("All")), *labels.items()]


class ChampionsForm(StyledFormMixin, forms.Form):
    """Which championships; what is left out does not filter."""

    area = forms.ChoiceField(label=_("Championship"), required=False, choices=_choices(AREAS))
    section = forms.ChoiceField(label=_("Discipline"), required=False, choices=_choices(SECTIONS))
    tempo = forms.ChoiceField(label=_("Tempo"), required=False, choices=_choices(TEMPOS))
    group = forms.ChoiceField(
        label=_("Age group"), required=False, choices=_choices({ALL_AGES: _("all ages"), **GROUPS})
    )
    event = forms.ChoiceField(label=_("Event"), required=False, choices=_choices(EVENTS))
    federation: forms.Field = forms.ChoiceField(
        label=_("Federation"),
        required=False,
        choices=lambda: [
            ("", _("All")),
            *((code, f"{name} ({code})") for code, name in federation_names()),
        ],
    )
    year = WholeNumberField(
        label=_("Year"),
        required=False,
        min_value=FIRST_YEAR,
        max_value=9999,
        widget=forms.TextInput(attrs={"inputmode": "numeric"}),
    )

    @property
    def values(self) -> dict[str, str]:
        """The valid values, as in an address."""
        return {name: str(value) for name, value in self.cleaned_data.items() if value}

    @property
    def problems(self) -> list[str]:
        """The filters that were ignored."""
        return [
            gettext("The filter “%(label)s” was ignored: its value is not valid.")
            % {"label": self.fields[name].label}
            for name in self.errors
        ]

    def admits(self, podium: Podium) -> bool:
        """Whether a championship fits; `federation` where it has a medal there."""
        filters, kind = self.cleaned_data, podium.kind
        event = TEAMS if kind.teams else WOMEN if kind.women else OPEN
        values = {
            "area": kind.area, "section": kind.section, "tempo": kind.tempo, "group": kind.group or ALL_AGES,
            "event": event, "year": podium.year,
        }  # fmt: skip
        federation = filters.get("federation")
        return all(not filters.get(name) or filters[name] == value for name, value in values.items()) and (
            not federation or any(medal.federation == federation for medal in podium.medals)
        )


class MedalForm(StyledFormMixin, forms.Form):
    """A medal of a championship without a report here."""

    area = forms.ChoiceField(label=_("Championship"), choices=AREAS.items())
    section = forms.ChoiceField(label=_("Discipline"), choices=SECTIONS.items())
    tempo = forms.ChoiceField(label=_("Tempo"), choices=TEMPOS.items())
    group = forms.ChoiceField(
        label=_("Age group"), required=False, choices=[("", _("all ages")), *GROUPS.items()]
    )
    event = forms.ChoiceField(label=_("Event"), choices=[*EVENTS.items(), ("women-teams", _("Teams, women"))])
    year = WholeNumberField(label=_("Year"), min_value=FIRST_YEAR, max_value=9999)
    place = forms.TypedChoiceField(
        label=_("Place"),
        coerce=int,
        choices=[(place, place) for place in PLACES],
        help_text=_("Players who share place 2 both have place 2."),
    )
    player = WholeNumberField(
        label=_("FMJD-ID of the player"),
        required=False,
        min_value=1,
        max_value=MAX_NUMBER,
        help_text=_("Of a person in the register."),
    )
    name = forms.CharField(
        label=_("Name"),
        required=False,
        max_length=80,
        help_text=_("As printed, of a person who is not in the register, or of a team."),
    )
    federation: forms.Field = forms.ChoiceField(
        label=_("Federation"),
        required=False,
        choices=lambda: [
            ("", _("None in the register")),
            *((code, f"{name} ({code})") for code, name in federation_names()),
        ],
        help_text=_("At that time. Of a player in the register it may be left out."),
    )
    source = forms.CharField(
        label=_("Source"), max_length=300, help_text=_("The publication and page, or the minutes.")
    )

    refused_fields = {  # noqa: RUF012 (as in Django)
        "source_missing": "source", "medallist_missing": "name", "medallist_twice": "name", "year_outside": "year",
    }  # fmt: skip

    def clean_player(self) -> Player | None:
        number = self.cleaned_data["player"]
        if number is None:
            return None
        found = players_by_id([number]).get(number)
        if found is None:
            raise forms.ValidationError(_("No player in the register has this number."))
        return found

    @property
    def medal(self) -> dict[str, Any]:
        """What the service takes, of valid values. 1 query with a federation."""
        values = self.cleaned_data
        event = values["event"]
        kind = ChampionshipKind(
            values["area"],
            values["section"],
            values["tempo"],
            values["group"],
            WOMEN in event,
            TEAMS in event,
        )
        code, player = values["federation"], values["player"]
        federation = Federation.objects.filter(code=code or (player.federation_id if player else "")).first()
        return {
            "kind": kind,
            "federation": federation,
            **{name: values[name] for name in ("year", "place", "player", "name", "source")},
        }


class ActionForm(forms.Form):
    """Which of the forms of the page was sent."""

    action = forms.ChoiceField(choices=[("enter", "enter"), ("withdraw", "withdraw")])


class WithdrawalForm(StyledFormMixin, forms.Form):
    """An entry to withdraw, with the reason."""

    medal = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=LARGEST_NUMBER)
    reason = text_area()


class TitleMatchForm(StyledFormMixin, forms.Form):
    """What happened to a title match."""

    move = forms.ChoiceField(
        label=_("What happened"),
        choices=[
            (Move.REFUSE.value, _("A player refused")),
            (Move.PLAY.value, _("The match was played")),
            (Move.CANCEL.value, _("The match is not played")),
            (Move.WITHDRAW.value, _("The last entry was wrong: withdraw it")),
        ],
    )
    player = forms.ChoiceField(
        label=_("Player"), required=False, help_text=_("Who refused, or who won the match.")
    )
    result = forms.CharField(
        label=_("Result"),
        required=False,
        max_length=40,
        help_text=_("Of a match that was played, the winner’s points first: 13–11."),
    )
    on = DayField(
        label=_("Day"),
        help_text=_("Of the refusal or the decision; of a match its last day."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    reason = text_area(
        help_text=_("Needed where the match is not played or an entry is withdrawn."), required=False
    )
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput, min_value=0, max_value=LARGEST_NUMBER)

    refused_fields = {  # noqa: RUF012 (as in Django)
        "result_missing": "result", "match_day_outside": "on", "no_right_to_match": "player",
        "match_player_missing": "player", "reason_missing": "reason",
    }  # fmt: skip

    def __init__(self, match: TitleMatch, data: Any = None) -> None:
        super().__init__(data, initial={"on": timezone.localdate().isoformat(), "seen": match.newest})
        self.people = {player.address: player for player in match.pair or ()}
        field = self.fields["player"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 (above)
        field.choices = [
            ("", gettext("None")),
            *((address, player.printed_name) for address, player in self.people.items()),
        ]

    @property
    def step(self) -> dict[str, Any]:
        """What the service takes, of valid values."""
        values = dict(self.cleaned_data)
        return values | {"move": Move(values["move"]), "player": self.people.get(values["player"])}
