"""A page at tables with a relay: an honest one, and houses and relays that lie."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from audit.client import box
from audit.client.log import View
from audit.client.receipts import check_dropped
from audit.keyfile import read_private
from audit.shuffle.entries import HOUSE, Entry, Limits, RootEntry, Signed, VoidEntry, read_entry
from audit.shuffle.framing import frame
from audit.shuffle.house import House as Dealer
from audit.shuffle.house import Pack
from audit.shuffle.messages import held, missing, public_hex, sign
from audit.shuffle.refusal import NotVerified
from audit.shuffle.relay import Relay
from audit.wire import Done, Taking, Tokens
from tests.browser.second import CHROMIUM, chromium
from tests.browser.table import others, play, seat_url, shown_at
from tests.service.rig import House, Watch, house, seats_at
from tests.shuffle.forge import STRANGER

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium here")
Lie = Callable[[Dealer, Pack, Ed25519PrivateKey], list[Entry]]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as started:
        yield started


class Place:
    """A house with one witness that is a relay too; *key* is the witness's own."""

    def __init__(self, made: House, watch: Watch, key: Ed25519PrivateKey) -> None:
        self.made, self.watch, self.key = made, watch, key

    @property
    def relay(self) -> str:
        assert self.watch.url is not None
        return self.watch.url

    def table(self, packs: int = 1, **limits: int) -> Tokens:
        return self.made.table("seven_up_2", 2, packs=packs, relay=0, limits=Limits(**limits))

    def url(self, tokens: Tokens) -> str:
        return seat_url(self.made, tokens, 0, self.relay)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    watch = Watch(tmp_path / "witness", relay=True)
    with house(tmp_path / "house", witnesses=(watch.key,), quorum=1) as made:
        watch.start(made)
        try:
            yield Place(made, watch, read_private(tmp_path / "witness" / "witness.key"))
        finally:
            watch.stop()


def test_two_packs_between_a_page_and_a_client_with_a_relay(
    browser: Any, place: Place, tmp_path: Path
) -> None:
    tokens = place.table(packs=2)
    with (
        others(place.made, tokens, tmp_path, 0, packs=2, relay=place.relay) as failed,
        shown_at(browser, place.url(tokens)) as shown,
    ):
        play(shown, "Pack 1: verified")
        shown.reload()
        play(shown, "Pack 2: verified")
        log = shown.inner_text("#log")
        assert "The relay had held every opening" in log
        assert place.relay in shown.inner_text("#facts")
        assert "1 of 1" in shown.inner_text("#facts")
        play(shown, "The table is closed; every pack was checked.")
    assert failed == []
    assert place.watch.failure is None


def test_each_seat_gives_its_cut_to_the_relay(browser: Any, place: Place, tmp_path: Path) -> None:
    """Over two packs the page is once the pone; the house gets no choice from it."""
    tokens = place.table(packs=2)
    asked: list[str] = []
    with (
        others(place.made, tokens, tmp_path, 0, packs=2, relay=place.relay) as failed,
        shown_at(browser, f"{place.made.url}/") as shown,
    ):
        shown.on("request", lambda request: asked.append(request.url))
        shown.goto(place.url(tokens))
        titles = play(shown, "Pack 2: verified")
        assert "opening and choice, sealed" in shown.inner_text("#log")
    assert titles.count("Cut") == 1
    assert failed == []
    assert f"{place.relay}/relay/open" in asked
    assert not [url for url in asked if url.endswith(("/chosen", "/messages/open"))]


def spoil_key(shown: Any, place: Place, told: list[Signed]) -> None:
    """Let the relay answer with the keys *told*, one after another, before its own."""

    def change(route: Any) -> None:
        answer = route.fetch()
        if told:
            key = msgspec.to_builtins(told.pop(0))
            route.fulfill(response=answer, json={"key": key})
        else:
            route.fulfill(response=answer)

    shown.route(f"{place.relay}/relay/key", change)


def test_a_relay_that_was_started_again_is_asked_for_its_new_key(
    browser: Any, place: Place, tmp_path: Path
) -> None:
    tokens = place.table()
    old = [box.announce(place.key, X25519PrivateKey.generate()) for _ in range(3)]
    with (
        others(place.made, tokens, tmp_path, 0, relay=place.relay) as failed,
        shown_at(browser, f"{place.made.url}/") as shown,
    ):
        spoil_key(shown, place, old)
        shown.goto(place.url(tokens))
        play(shown, "Pack 1: verified")
    assert old == []
    assert failed == []


def test_nothing_is_signed_for_a_relay_that_cannot_be_reached_or_is_another(
    browser: Any, place: Place, tmp_path: Path
) -> None:
    stranger = box.announce(STRANGER, X25519PrivateKey.generate())
    for relay, told, said in (
        (None, [], "relay, address is not in the link"),
        (place.relay, [stranger], "relay, signature"),
    ):
        tokens = place.table()
        with (
            others(place.made, tokens, tmp_path / str(relay)[-2:], 0, stay=0.1, relay=place.relay),
            shown_at(browser, f"{place.made.url}/") as shown,
        ):
            spoil_key(shown, place, told)
            shown.goto(seat_url(place.made, tokens, 0, relay))
            play(shown, said)
            assert tokens.table in place.made.hall.drafts.tables


def test_a_box_that_everybody_could_open_is_not_sent(
    browser: Any, place: Place, tmp_path: Path
) -> None:
    tokens = place.table()
    weak = sign(place.key, frame("relay-key", bytes(32)))
    with (
        others(place.made, tokens, tmp_path, 0, stay=0.1, relay=place.relay),
        shown_at(browser, f"{place.made.url}/") as shown,
    ):
        spoil_key(shown, place, [weak, weak])
        shown.goto(place.url(tokens))
        play(shown, "relay, key is one that everybody can open")
    with pytest.raises(NotVerified, match="everybody can open"):
        box.seal(bytes(32), b"", b"")


def root_of(dealer: Dealer, pack: Pack) -> RootEntry | None:
    """Return the honest root entry when the relay has spoken."""
    due = HONEST_OPEN(dealer, pack, 0)
    return due[0] if due and isinstance(due[0], RootEntry) else None


HONEST_OPEN = Dealer._due_open
HONEST_CHOICE = Dealer._due_choice


def held_anew(change: Callable[[RootEntry, Pack, Ed25519PrivateKey, bytes], Any]) -> Lie:
    def lie(dealer: Dealer, pack: Pack, key: Ed25519PrivateKey) -> list[Entry]:
        root, book = root_of(dealer, pack), dealer.book
        if root is None or book is None:
            return []
        return [msgspec.structs.replace(root, held=change(root, pack, key, book.mh))]

    return lie


def voided(key_of: str, parties: tuple[int, ...], said: tuple[int, ...]) -> Lie:
    """A void of the house's own, with a statement signed by relay or house."""

    def lie(dealer: Dealer, pack: Pack, key: Ed25519PrivateKey) -> list[Entry]:
        assert dealer.book is not None
        signer = key if key_of == "relay" else dealer._key
        statement = sign(signer, missing(dealer.book.mh, pack.number, pack.cl, 5, said))
        void = dealer._void(pack, "open", parties, 5, ())
        assert isinstance(void, VoidEntry)
        return [msgspec.structs.replace(void, missing=statement)]

    return lie


def unfinished(stage: str, parties: tuple[int, ...]) -> Lie:
    def lie(dealer: Dealer, pack: Pack, key: Ed25519PrivateKey) -> list[Entry]:
        return [dealer._unfinished(pack, stage, parties or (pack.call.pone,), 5)]

    return lie


OPEN: dict[str, tuple[Lie, str]] = {
    "held by a stranger": (
        held_anew(
            lambda root, pack, key, mh: sign(
                STRANGER, held(mh, pack.number, pack.cl, root.opens, 5)
            )
        ),
        "root, held.sig",
    ),
    "held by the relay of other openings": (
        held_anew(
            lambda root, pack, key, mh: sign(
                key, held(mh, pack.number, pack.cl, root.opens[::-1], 5)
            )
        ),
        "root, held.body",
    ),
    "held by nobody": (held_anew(lambda root, pack, key, mh: "none"), "root, held"),
    "void by the house's word": (voided("house", (1,), (1,)), "missing, signature"),
    "void of another than the relay says": (voided("relay", (0,), (1,)), "void, parties"),
    "void of nobody at the table": (voided("relay", (1,), (7,)), "missing, seats"),
    "unfinished at opening": (unfinished("open", (1, HOUSE)), "unfinished, stage"),
}
CHOICE: dict[str, tuple[Lie, str]] = {
    "void by a relay that held": (voided("relay", (1,), (1,)), "void, comes after the root"),
    "unfinished, the pone": (unfinished("choice", ()), "unfinished, parties"),
}


@pytest.mark.parametrize("name", [*OPEN, *CHOICE])
def test_a_lying_house_is_caught_by_name(
    browser: Any, place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """House and perhaps relay lie; whatever they sign, the page stops by name."""
    lie, said = {**OPEN, **CHOICE}[name]
    step = "_due_open" if name in OPEN else "_due_choice"
    monkeypatch.setattr(Dealer, step, lambda self, pack, now: lie(self, pack, place.key))
    tokens = place.table()
    with (
        others(place.made, tokens, tmp_path, 0, stay=60, relay=place.relay) as failed,
        shown_at(browser, place.url(tokens)) as shown,
    ):
        play(shown, said)
        log = shown.inner_text("#log")
    assert "verified" not in log
    # The client in Python stops at the same lie.
    assert len(failed) == 1


def silent(seat: Any) -> None:
    """Let a client commit and never open."""
    seat._hand_over = lambda mine, made, signed: None


def test_silence_before_the_relay_holds_everything_is_a_void(
    browser: Any, place: Place, tmp_path: Path
) -> None:
    tokens = place.table(packs=2, open=1)
    with (
        others(place.made, tokens, tmp_path, 0, stay=0.1, relay=place.relay, change=silent),
        shown_at(browser, place.url(tokens)) as shown,
    ):
        play(shown, "Pack 1 ended void; named: seat 1.")
        assert "The relay has this seat's opening" in shown.inner_text("#log")
        # Two voids by one party close the table.
        play(shown, "Pack 2 ended void; named: seat 1.")
        play(shown, "The table is closed; every pack was checked.")


def test_a_relay_that_takes_an_opening_and_denies_it_is_named_on_the_page(
    browser: Any, place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pack is void before anybody knows it: all that such a relay gets is the void."""

    def speak(self: Relay, mh: bytes, pack: int, now: int) -> Signed | None:
        one = self.packs[mh, pack]
        if one.statement is None and 0 in one.opens:
            one.statement = sign(self._key, missing(mh, pack, one.cl, now, [0]))
        return one.statement

    monkeypatch.setattr(Relay, "speak", speak)
    tokens = place.table(packs=2)
    with (
        others(place.made, tokens, tmp_path, 0, stay=0.1, relay=place.relay),
        shown_at(browser, place.url(tokens)) as shown,
    ):
        play(shown, "void, leaves out the open of seat 0, for which there is a signed receipt")
        with shown.expect_download() as download:
            shown.click("#download")
        breach = check_dropped(Path(download.value.path()).read_bytes())
    assert (breach.who, breach.step, breach.seat) == ("relay", "open", 0)
    assert breach.key == place.watch.key.public.hex()


@pytest.mark.parametrize("again", [False, True], ids=["at once", "page opened again"])
def test_an_early_word_of_the_relay_is_caught_by_its_own_cosignature(
    browser: Any, place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, again: bool
) -> None:
    """It has a minute from the closing and does not wait for it, nor tell its receipts."""
    spoken = threading.Event()

    def speak(self: Relay, mh: bytes, pack: int, now: int) -> Signed | None:
        one = self.packs[mh, pack]
        if one.statement is None and spoken.is_set():
            one.statement = sign(self._key, missing(mh, pack, one.cl, now, [1]))
        return one.statement

    monkeypatch.setattr(Relay, "speak", speak)
    tokens = place.table(packs=2, open=60)
    with (
        others(
            place.made, tokens, tmp_path, 0, stay=10, relay=place.relay, change=silent
        ) as failed,
        shown_at(browser, place.url(tokens)) as shown,
    ):
        play(shown, "The relay has this seat's opening")
        if again:
            shown.reload()
            play(shown, "ours stands as sent")
        spoken.set()
        play(shown, "missing, time is within the limit by the relay's own cosignature")
        with shown.expect_download() as download:
            shown.click("#download")
        told = msgspec.json.decode(Path(download.value.path()).read_bytes())
    assert ["within the limit" in text for text in failed] == [True]
    view = View(place.made.key, [place.watch.key], 1)
    size, _ = view.check(bytes.fromhex(told["note"]), ())
    when = view.time_of(place.watch.key.public.hex())
    void = read_entry(told["entry"].encode())
    assert isinstance(void, VoidEntry)
    assert when is not None
    assert void.deadline <= when + 60
    assert size <= 3, "table, batch and call, and not the closing"


def test_a_client_without_the_relays_address_signs_nothing(place: Place, tmp_path: Path) -> None:
    tokens = place.table()
    first, second = seats_at(place.made.url, tokens, tmp_path, wait=1)
    try:
        # The other seat is taken, so that there is a manifest to sign.
        first._send(f"/api/tables/{tokens.table}/seats", taking(first, tokens), Done)
        with pytest.raises(NotVerified, match="give it with --relay"):
            second.sit()
        assert second._sig == ""
        assert tokens.table in place.made.hall.drafts.tables
    finally:
        first.close()
        second.close()


def taking(seat: Any, tokens: Tokens) -> Taking:
    one = seat.seat
    return Taking(
        seat=one.number,
        token=tokens.tokens[one.number],
        key=public_hex(one.key),
        nonce=one.nonce.hex(),
    )


def test_a_page_may_reach_one_relay_and_no_other_text_gets_into_the_policy(place: Place) -> None:
    def policy(query: str) -> str:
        with urlopen(f"{place.made.url}/seat{query}") as answer:
            return str(answer.headers["content-security-policy"])

    plain = policy("")
    good = policy("?relay=https://relay.example:8443")
    assert good == plain.replace(
        "connect-src 'self'", "connect-src 'self' https://relay.example:8443"
    )
    assert good != plain
    for hostile in (
        "https://a.example;script-src%20*",
        "https://a.example/%20*",
        "*",
        "https:",
        "https://a.example,b",
        "javascript:1",
        "https://a.example%0d%0aset-cookie:a",
    ):
        assert policy(f"?relay={hostile}") == plain


def test_the_relays_door_lets_pages_of_any_house_ask(place: Place) -> None:
    asked = Request(f"{place.relay}/relay/open", method="OPTIONS")
    with urlopen(asked) as answer:
        assert answer.status == 204
        assert answer.headers["access-control-allow-origin"] == "*"
        assert answer.headers["access-control-allow-headers"] == "content-type"
