import pytest
from fault_tools import ServiceProcesses

from tests.services.conftest import office  # noqa: F401 - the small office of the service tests


@pytest.fixture
def processes(environment, tmp_path):
    processes = ServiceProcesses(tmp_path, environment)
    yield processes
    processes.close()
