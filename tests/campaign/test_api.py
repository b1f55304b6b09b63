"""Rows of requests to the API, each with what an answer before it has named."""

from pathlib import Path


def test_rows_of_requests_are_answered_as_described(tmp_path: Path, seed: int) -> None:
    # Every process of a run imports every module of tests, and this one brings schemathesis: 30 MB.
    from tests.campaign.api import Asking

    asking = Asking(tmp_path, seed)
    asking.ask(12)
    asking.close()
    assert len({path for path, _ in asking.asked}) > 15
    assert any(status == 200 and path.startswith("POST ") for path, status in asking.asked)
