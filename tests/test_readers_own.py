"""The two native readers: any bytes give records or flaws, never a traceback."""

from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.readers import READERS
from audit.record import Counts, Deal, Flaw, Other

SAMPLE = {
    "jsonl": b'{"game":"seven_up_2","number":"1","dealer":"ann","turnups":"JC"}\n{"game":7}\n',
    "secretary": b"deal,dealer,turnup,hand_1\n1,ann,JC,2S 3S\n2,bob,??,\n",
}


@pytest.mark.parametrize("name", sorted(SAMPLE))
@given(noise=st.binary(max_size=200), at=st.integers(0, 120))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_any_bytes_are_records_or_flaws(name: str, noise: bytes, at: int) -> None:
    data = SAMPLE[name][:at] + noise + SAMPLE[name][at:]
    for record in READERS[name].read(BytesIO(data), "x"):
        assert isinstance(record, Deal | Flaw | Counts | Other)


@pytest.mark.parametrize("name", sorted(SAMPLE))
def test_one_good_row_and_one_flaw_are_both_kept(name: str) -> None:
    kinds = [type(r).__name__ for r in READERS[name].read(BytesIO(SAMPLE[name]), "x")]
    assert kinds == ["Deal", "Flaw"]


@pytest.mark.parametrize(
    "line",
    [
        b'{"game":"bridge","players":-1}',
        b'{"game":"bridge","players":99999999999}',
        b'{"game":"bridge","hands":"AS"}x',
        b'{"game":"bridge","surprise":1}',
        b'{"game":null}',
        b"[" * 100,
    ],
)
def test_a_line_that_is_no_deal_is_one_flaw(line: bytes) -> None:
    records = list(READERS["jsonl"].read(BytesIO(line), "x"))
    assert [type(r).__name__ for r in records] == ["Flaw"]
