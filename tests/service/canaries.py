"""Secrets of packs that are not opened, looked for wherever somebody might steal them.

    python -m tests.service.canaries --packs 1000

Seats play to some stage and stop. Then every secret that is not public yet is searched, raw,
in hex, in base64 and in decimal words, in the database with its journal and free pages, in log
lines, in what the other seats were answered, in refusals, in process arguments and in
temporary files.
"""

from __future__ import annotations

import argparse
import base64
import logging
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from audit.client import api as api_module
from audit.client.api import Api
from audit.client.refusal import Answered
from audit.client.seat import Seat
from audit.service.serve import JsonLines
from audit.service.waiting import waits_for
from audit.shuffle.messages import card_leaf
from audit.wire import Accepted, Health, Message
from tests.service.rig import House, house, seats_at, together

STAGES = ("commit", "open", "choice", "deal")


def spellings(secret: bytes) -> Iterator[bytes]:
    """Return the ways in which somebody might have written *secret* down."""
    yield secret
    yield secret.hex().encode()
    yield secret.hex().upper().encode()
    yield repr(secret).encode()[2:-1]
    for text in (base64.b64encode(secret), base64.urlsafe_b64encode(secret)):
        yield text.rstrip(b"=")
    # Base64 of a longer text shifts the groups of three.
    for shift in (1, 2):
        middle = base64.b64encode(secret[shift : shift + (len(secret) - shift) // 3 * 3])
        yield middle.rstrip(b"=")
    yield ",".join(map(str, secret)).encode()
    yield ", ".join(map(str, secret)).encode()


class Ear(logging.Handler):
    """Keeps every log line, as it would be written."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(JsonLines())
        self.heard: list[bytes] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(self.format(record).encode())
        self.heard.append(str(record.__dict__).encode())


def _play_to(seats: list[Seat], stage: str, made: House) -> None:
    """Let the seats play until the table stands at *stage*."""
    for seat in seats:
        while seat.seat.pack is None:
            seat.sync(1)
    seats[0].act()
    if stage == "commit":
        return
    room = made.hall.rooms[seats[0]._table]
    for _ in range(300):
        for seat in seats:
            if waits_for(room.house)[0] == stage:
                return
            seat.step(0)
    raise AssertionError(f"the table never stood at {stage}")


def hidden(made: House, seats: list[Seat]) -> tuple[list[bytes], dict[int, list[bytes]]]:
    """Return what nobody may know who has the database, and what each seat must not be told."""
    everybody: list[bytes] = []
    others: dict[int, list[bytes]] = {seat.seat.number: [] for seat in seats}
    room = made.hall.rooms[seats[0]._table]
    pack = room.house.pack
    assert pack is not None
    everybody += [secret for n, secret in room._secrets.items() if n >= pack.number]
    shown = {f.leaf for item in pack.items if item.to == 255 for f in item.faces}
    for leaf, salt in enumerate(pack.salts):
        if leaf not in shown:
            everybody.append(salt)
    for seat in seats:
        mine = seat.seat.mine()
        found = [nonce for _, nonce in mine.choices.values() if pack.play is None]
        if mine.data and not pack.root:
            found.append(mine.data)
        found += [nonce for nonce, _ in mine.hides.values()]
        found += [seat.seat.key.private_bytes_raw()]
        everybody += found
        known = {f.leaf for f in mine.faces.values()}
        unseen = [salt for leaf, salt in enumerate(pack.salts) if leaf not in known | shown]
        for other in others:
            others[other] += found if other != seat.seat.number else unseen
    if pack.order:
        book = room.book
        face = room.house._face
        everybody += [card_leaf(book.mh, pack.number, face(pack, 0))] if 0 not in shown else []
    return [one for one in everybody if one], others


WINDOW = 8
_BITS = 20
_ODD = np.uint64(0x9E3779B97F4A7C15)


def _mixed(windows: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    return (windows * _ODD) >> np.uint64(64 - _BITS)


def look(places: dict[str, bytes], secrets: list[bytes]) -> list[str]:
    """Return where some spelling of some secret stands; one pass over each place.

    A window of 8 bytes at every position is looked up among the beginnings of all spellings,
    each of which is longer than that.
    """
    begins: dict[bytes, list[bytes]] = {}
    for secret in secrets:
        for spelling in spellings(secret):
            assert len(spelling) >= WINDOW
            begins.setdefault(spelling[:WINDOW], []).append(spelling)
    if not begins:
        return []
    known = np.zeros(1 << _BITS, dtype=np.bool_)
    known[_mixed(np.frombuffer(b"".join(begins), dtype="<u8"))] = True
    return [name for name, data in places.items() if _stands(data, begins, known)]


def _stands(data: bytes, begins: dict[bytes, list[bytes]], known: npt.NDArray[np.bool_]) -> bool:
    for offset in range(min(WINDOW, len(data))):
        count = (len(data) - offset) // WINDOW
        windows = np.frombuffer(data, dtype="<u8", offset=offset, count=count)
        for found in np.flatnonzero(known[_mixed(windows)]).tolist():
            at = offset + WINDOW * found
            if any(data.startswith(one, at) for one in begins.get(data[at : at + WINDOW], ())):
                return True
    return False


def run(folder: Path, packs: int, game: str = "ecarte_foster", players: int = 2) -> int:
    """Play *packs* packs to a stage each; return how many secrets were looked for."""
    searched = 0
    answers: dict[int, list[bytes]] = {}
    plain = Api._call
    owner: dict[int, int] = {}

    def kept(self: Api, method: str, path: str, body: bytes | None) -> bytes:
        found = plain(self, method, path, body)
        if id(self) in owner:
            answers.setdefault(owner[id(self)], []).append(found)
        return found

    plain_line = Api._next_line

    def kept_line(self: Api, wait: float) -> bytes | None:
        found = plain_line(self, wait)
        if found is not None and id(self) in owner:
            answers.setdefault(owner[id(self)], []).append(found)
        return found

    ear = Ear()
    root = logging.getLogger()
    root.addHandler(ear)
    level = root.level
    root.setLevel(logging.DEBUG)
    api_module.Api._call = kept  # type: ignore[method-assign]
    api_module.Api._next_line = kept_line  # type: ignore[method-assign]
    temporary = folder / "temporary"
    temporary.mkdir()
    kept_place, tempfile.tempdir = tempfile.tempdir, str(temporary)
    try:
        with house(folder / "house") as made:
            for number in range(packs):
                answers.clear()
                owner.clear()
                table = made.table(game, players)
                seats = seats_at(made.url, table, folder / str(number), wait=0)
                owner.update({id(seat._api): seat.seat.number for seat in seats})
                together([seat.sit for seat in seats])
                _play_to(seats, STAGES[number % 4], made)
                problems = _provoke(made, seats)
                everybody, others = hidden(made, seats)
                places = _places(made, ear, temporary)
                places["refusals"] = b"\n".join(problems)
                for seat_client in seats:
                    seat_client.close()
                found = look(places, everybody)
                for seat, secrets in others.items():
                    told = {f"answers to seat {seat}": b"\n".join(answers.get(seat, []))}
                    found += look(told, secrets)
                assert not found, f"pack {number}: {sorted(set(found))}"
                searched += len(everybody) + sum(map(len, others.values()))
    finally:
        tempfile.tempdir = kept_place
        api_module.Api._call = plain  # type: ignore[method-assign]
        api_module.Api._next_line = plain_line  # type: ignore[method-assign]
        root.removeHandler(ear)
        root.setLevel(level)
    return searched


def _provoke(made: House, seats: list[Seat]) -> list[bytes]:
    """Send each seat's own secrets where they do not belong, and return the refusals."""
    found: list[bytes] = []
    api = Api(made.url)
    for seat in seats:
        mine = seat.seat.mine()
        if mine.commit is None:
            continue
        spoilt = mine.commit.body[:-2] + "00"
        body = Message(
            seat=seat.seat.number,
            step="open",
            signed=type(mine.commit)(body=spoilt, sig=mine.data.hex()),
        )
        try:
            api.post(f"/api/tables/{seat._table}/messages", body, Accepted)
        except Answered as err:
            found.append(repr(err.problem).encode())
    api.get("/health", Health)
    api.close()
    return found


def _places(made: House, ear: Ear, temporary: Path) -> dict[str, bytes]:
    places: dict[str, bytes] = {"log": b"\n".join(ear.heard)}
    for path in Path(made.settings.db).parent.iterdir():
        if path.name.startswith(Path(made.settings.db).name):
            places[path.name] = path.read_bytes()
    for name in ("cmdline", "environ"):
        places[name] = Path(f"/proc/self/{name}").read_bytes()
    for path in temporary.iterdir():
        if path.is_file():
            places[f"temporary {path.name}"] = path.read_bytes()
    return places


def main() -> None:
    """Run the long form."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--packs", type=int, default=1000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        searched = run(Path(folder), args.packs)
    print(f"{args.packs} packs, {searched} secrets, found nowhere")


if __name__ == "__main__":
    main()
