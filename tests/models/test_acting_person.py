"""The web writes rows only in the name of the person who acts, whatever SQL it sends."""

import time

import psycopg
import pytest
from django.conf import settings
from django.db import models
from psycopg.errors import InsufficientPrivilege, RestrictViolation

from ratings.models import Correction
from reporting.log.acting_person import Proof, acting_key, signed, write_acting_key
from reporting.models import User
from tests.models.sealed import ACCOUNTS, rolled_back

SET = "SELECT set_config('office.acting_person', %s, true)"


def act_as(session: psycopg.Connection, person: int) -> None:
    """As the web does before it writes."""
    session.execute(SET, [signed(Proof(person, int(time.time()) + 60), session.info.backend_pid)])


def two_people(session: psycopg.Connection) -> tuple[int, int]:
    """Two open accounts of persons: Rita, whose request it is, and Olga."""
    found = session.execute(
        "SELECT id FROM reporting_user WHERE is_active AND NOT acts_by_command ORDER BY id LIMIT 2"
    )
    (rita,), (olga,) = found.fetchall()
    return rita, olga
