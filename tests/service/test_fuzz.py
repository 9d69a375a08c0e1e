"""The service answers whatever its description allows, and most of what it does not."""

from __future__ import annotations

import json
from pathlib import Path

from audit.client.api import Api
from audit.service.routes import ROUTES
from tests.service import fuzz
from tests.service.rig import house


def test_made_requests_are_answered_as_described(tmp_path: Path) -> None:
    with house(tmp_path / "house") as made:
        found = fuzz.run(made, 400, seed=1)
    assert {200, 400, 404, 409, 422} <= set(found)


def test_every_route_is_described_and_the_page_has_no_script(tmp_path: Path) -> None:
    with house(tmp_path / "house") as made:
        api = Api(made.url)
        told = json.loads(api.raw("/openapi.json"))
        page = api.raw("/docs").decode()
        metrics = api.raw("/metrics").decode()
        api.close()
    paths = {(p, m.upper()) for p, ways in told["paths"].items() for m in ways}
    assert paths == {(r.path.replace(":path", ""), r.method) for r in ROUTES}
    assert "<script" not in page
    assert "http" not in page.replace("HTTP", "")
    assert "fairdeal_ledger_entries 0" in metrics
