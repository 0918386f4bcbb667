import pytest
from fault_tools import Machinery

from tests.services.conftest import office  # noqa: F401 - the small office of the service tests


@pytest.fixture
def machinery(environment, tmp_path):
    machinery = Machinery(tmp_path, environment)
    yield machinery
    machinery.close()
