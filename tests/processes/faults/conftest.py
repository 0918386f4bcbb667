import pytest
from fault_tools import ServiceProcesses, rounds

from tests.services.conftest import office  # noqa: F401 - the small office of the service tests


def pytest_collection_modifyitems(config, items):
    """Without a guard workers kill themselves again and again: that it shows is for `make test-faults`."""
    left_out = [item for item in items if item.get_closest_marker("twin") and rounds(True, False)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


@pytest.fixture
def processes(environment, tmp_path):
    processes = ServiceProcesses(tmp_path, environment)
    yield processes
    processes.close()
