"""Readers of foreign logs: PBN, PHH, a server's stock of deals, counts of turn-ups."""

from __future__ import annotations

import re
import time
from collections import Counter
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.cards import parse, show
from audit.format import Reader
from audit.readers import dealstock, pbn, phh, turnup_counts
from audit.record import Counts, Deal, Flaw, Other, Record

READERS = [module.READER for module in (pbn, phh, dealstock, turnup_counts)]
SHARED = Path(__file__).parents[2] / "shared"
real = pytest.mark.skipif(not SHARED.exists(), reason="../shared is absent")

HANDS = "AKQJ.T98.765.432 T98.765.432.AKQJ 765.432.AKQJ.T98 432.AKQJ.T98.765"
PBN = f"""% PBN 2.1
[Event "A"]
[Board "1"]
[Dealer "N"]
[Deal "N:{HANDS}"]
[Contract "1NT"]
[Table "7"]

[Event "#"]
[Board "2"]
[Dealer "E"]
[Deal "E:{HANDS}"]
[ScoreTable "Rank\\\\2R;Name"]
 1 "x"
[Note "1:a"]
[Note "1:b"]
"""
PHH = """[1]
variant = 'NT'
starting_stacks = [100, 100, 100]
actions = ['d dh p1 TcQc', 'd dh p2 8s4c', 'd dh p3 9c3d', 'p3 f', 'd db 7d5h9d', 'd db Qs']
hand = 8

[3]
variant = 'FT'
starting_stacks = [100, 200]
actions = ['d dh p1 ????', 'd dh p2 AhAd', 'p2 f']
hand = 'a9'

[4]
variant = 'PO'
starting_stacks = [100, 200]
actions = ['d dh p1 AcAdAhAs']
"""
PACK = "9C 1C JC QC KC AC 9D 1D JD QD KD AD 9H 1H JH QH KH AH 9S 1S JS QS KS AS"
STOCK = f"# stock\n1;D;{PACK} \n2;J;{PACK}\n"
COUNTS = "stock,deals,card,turned\na,10,9C,4\na,10,TC,6\nb,5,9C,4\n"
SAMPLES = {"pbn": PBN, "phh": PHH, "dealstock": STOCK, "turnup_counts": COUNTS}
SUFFIX = {reader.id: "x" + reader.suffixes[0] for reader in READERS}


#: A comment that has no lines of its own makes the whole text go the careful way.
CAREFUL = "\nx {}\n"


def rows(reader: Reader, text: str | bytes) -> list[Record]:
    data = text.encode() if isinstance(text, str) else text
    return list(reader.read(BytesIO(data), "x"))


def deals(reader: Reader, text: str | bytes) -> list[Deal]:
    found = rows(reader, text)
    assert all(isinstance(row, Deal) for row in found), found
    return [row for row in found if isinstance(row, Deal)]


def test_pbn_record() -> None:
    one, two = deals(pbn.READER, PBN)
    assert (one.line, one.number, one.table, one.dealer_seat, one.players) == (5, "1", "7", 1, 4)
    assert show(one.hands[0]) == "AS KS QS JS TH 9H 8H 7D 6D 5D 4C 3C 2C"
    assert (two.line, two.number, two.table, two.dealer_seat) == (12, "2", None, 2)
    assert two.hands == (one.hands[3], *one.hands[:3])


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.replace("\n", "\r\n"),
        lambda t: "\ufeff" + t,
        lambda t: t.replace("[Contract", "{PAR of the deal: 3H}\n[Contract"),
        lambda t: t.replace("[Contract", '{ [Deal "x"]\n\n[Board "9"] }\n[Contract'),
        lambda t: t.replace("[Contract", '; [Deal "N:x"]\n[Contract'),
        lambda t: t.replace("[Contract", '%[Deal "N:x"]\n[Contract'),
        lambda t: t.replace("[Contract", ' [ Contract2\n"1"\n] [A "b"] ; rest\n[Contract'),
        lambda t: t + "Generated 2922 hands\n14  39\n",
        lambda t: t.replace('1 "x"', '1 "[x"'),
        lambda t: t.replace("\n\n", "\n"),
        lambda t: t.replace("\n\n", "\n \t\n"),
        lambda t: t.replace("AKQJ", "akqj").replace("T98", "1098"),
        lambda t: t.rstrip("\n"),
    ],
)
def test_pbn_same_deals(change) -> None:  # type: ignore[no-untyped-def]
    wanted = [(d.number, d.table, d.dealer_seat, d.hands) for d in deals(pbn.READER, PBN)]
    found = deals(pbn.READER, change(PBN))
    assert [(d.number, d.table, d.dealer_seat, d.hands) for d in found] == wanted


def test_pbn_latin_1_and_header_only() -> None:
    assert len(deals(pbn.READER, PBN.replace('"A"', '"\xe9"').encode("latin-1"))) == 2
    assert rows(pbn.READER, "% PBN 2.1\r\n% EXPORT\r\n") == []
    assert rows(pbn.READER, "") == []


def test_pbn_suit_letters_in_fields() -> None:
    letters = " ".join(
        ".".join(s + f for s, f in zip("SHDC", hand.split("."), strict=True))
        for hand in HANDS.split()
    )
    (plain,) = deals(pbn.READER, f'[Deal "S:{HANDS}"]')
    (found,) = deals(pbn.READER, f'[Deal "S:{letters}"]')
    assert found == plain
    (flaw,) = rows(pbn.READER, '[Deal "N:DA... - - -"]')
    assert isinstance(flaw, Flaw)
    assert "suit letter D" in flaw.why


def test_pbn_results_of_one_board() -> None:
    text = f"""[North "a"]
[Board "1"]
[Dealer "S"]
[Deal "N:{HANDS}"]

[Auction "S"]
AP

[North "b"]
[Declarer "N"]

[Board "2"]
[North "c"]
[Deal "W:{HANDS}"]

[Board "2"]
[Deal "#"]
[North "d"]"""
    found = deals(pbn.READER, text)
    assert [(d.number, d.line, d.dealer_seat) for d in found] == [
        ("1", 4, 3),
        ("1", 9, 3),
        ("2", 14, None),
        ("2", 17, None),
    ]
    assert len({d.hands for d in found}) == 2
    assert found == deals(pbn.READER, "{}" + text)


def test_pbn_inheritance() -> None:
    text = f"""[Board "##4"]
[Table "##9"]
[Dealer "W"]
[Deal "N:{HANDS}"]

[Dealer "#"]
[Deal "#"]

[Dealer "#"]
[Table "3"]
[Deal "#"]
"""
    found = deals(pbn.READER, text)
    assert [(d.number, d.table, d.dealer_seat) for d in found] == [
        ("4", "9", 4),
        ("4", "9", 4),
        ("4", "3", 4),
    ]
    (flaw,) = rows(pbn.READER, '[Deal "#"]')
    assert isinstance(flaw, Flaw)
    assert flaw.field == "Deal"


def test_pbn_odd_hands() -> None:
    (deal,) = deals(pbn.READER, '[Deal "W:- .63.AKQ987.A9732 - J973.J98742.3.K4"]')
    assert [len(hand) for hand in deal.hands] == [13, 0, 13, 0]
    (deal,) = deals(pbn.READER, '[Deal "N:AA.2.. ... - 3..."]')
    assert [len(hand) for hand in deal.hands] == [3, 0, 0, 1]
    (other,) = rows(pbn.READER, '[Board "1"]\n[Deal ""]')
    assert isinstance(other, Other)


@pytest.mark.parametrize(
    "value", ["S:.........AKQJT98765432", "X:- - - -", "N:- - -", "N:A.B.. - - -", "N", 'N:- -\n"']
)
def test_pbn_broken_deal(value: str) -> None:
    text = f'[Board "1"]\n[Deal "{value}"]\n\n{PBN}'
    first, *rest = rows(pbn.READER, text)
    assert isinstance(first, Flaw)
    assert (first.line, first.field) == (2, "Deal")
    assert len(rest) == 2
    assert all(isinstance(row, Deal) for row in rest)


PBN_LINES = (
    [f'[Deal "{seat}:{HANDS}"]' for seat in "NE"]
    + [f'[{name} "{value}"]' for name in ("Board", "Event", "Dealer") for value in ("", "N", "#")]
    + ['[Deal "#"]', '[Deal ""]', '[Deal "N:x"]', '[Board "##4"]', '[Table "##9"]', '[Time "t"]']
    + ['[North "b"]', '[Note "1:a"]', '[Note "2:[a"]', '[Time "\\""]', '[Deal\n"N:- - - -"]']
    + ["Pass X", "[Foo", '"x"', "]", ' [Board "3"]', '1 [Board "5"]', '; [Board "6"]', "%x"]
)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from([*PBN_LINES, "", "", "{c}", "{ \n\n[Deal }"]), max_size=24))
def test_pbn_quick_and_careful_agree(lines: list[str]) -> None:
    text = "\n".join(lines)
    careful = rows(pbn.READER, text + CAREFUL)
    assert rows(pbn.READER, text + "\n{}\n") == careful
    # Without the comment a record may be read by its lines, so only where all are usual.
    usual = [line for line in lines if line.startswith(("[", "Pass")) or not line]
    text = "\n".join(line for line in usual if line not in ("[Foo", '[Deal\n"N:- - - -"]'))
    assert rows(pbn.READER, text) == rows(pbn.READER, text + CAREFUL)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(PBN_LINES), min_size=1, max_size=12), st.integers(2, 4))
def test_pbn_blank_lines_part_records(lines: list[str], count: int) -> None:
    record = "\n".join(f'[Deal "{seat}:{HANDS}"]' for seat in "N") + "\n" + "\n".join(lines)
    text = "\n \t\n".join([record] * count)
    assert rows(pbn.READER, text) == rows(pbn.READER, text + CAREFUL)


@pytest.mark.parametrize(
    "text",
    [
        f'{{c}}\n[Board "1"]\n[Deal\n\n"N:{HANDS}"]\n',
        f'{{c}}\n[Board\n\n"1"]\n[Deal "N:{HANDS}"]\n',
        f'{{c}}\n[\n\nBoard "1"]\n[Deal "N:{HANDS}"]\n',
        f'{{c}}\n[Deal "N:{HANDS}"]\n \n[Time "t"]\n',
        f'{{c}}\n[Board "1"]\n \n[Deal "N:{HANDS}"]\n',
        f'[Deal "N:{HANDS}"]\n \n[Deal "E:{HANDS}"]\n[Board\n \n"1"]\n',
    ],
)
def test_pbn_tags_about_an_empty_line(text: str) -> None:
    assert rows(pbn.READER, text) == rows(pbn.READER, text + CAREFUL)


def test_phh_hands() -> None:
    one, two, three = rows(phh.READER, PHH)
    assert isinstance(one, Deal)
    assert isinstance(two, Deal)
    assert isinstance(three, Other)
    assert one.hands == (parse("TC QC"), parse("8S 4C"), parse("9C 3D"))
    assert (one.board, one.number, one.line) == (parse("7D 5H 9D QS"), "8", 1)
    assert (one.players, one.dealer_seat, one.cut_short) == (3, 3, False)
    assert (two.hands, two.number, two.line) == ((b"", parse("AH AD")), "a9", 7)
    assert (two.dealer_seat, two.cut_short) == (2, True)
    assert (three.kind, three.line) == ("variant PO", 13)


def test_phh_fast_and_slow_agree() -> None:
    slow = PHH.replace("'d dh p1", "  'd dh p1").replace("d db Qs'", "d db Qs', # river\n")
    fast = rows(phh.READER, PHH)
    keep = [(type(r), getattr(r, "hands", 0), getattr(r, "board", 0)) for r in fast]
    found = rows(phh.READER, slow)
    assert keep == [(type(r), getattr(r, "hands", 0), getattr(r, "board", 0)) for r in found]
    assert fast == rows(phh.READER, PHH.replace("\n", "\r\n"))


def test_phh_single_and_flaws() -> None:
    single = PHH.partition("\n[3]")[0].partition("\n")[2]
    (deal,) = deals(phh.READER, "# a comment\n" + single)
    assert deal.players == 3
    for old, new in (("TcQc", "TcXx"), ("p3 9c3d", "p9 9c3d"), ("'NT'", "'NT"), ("100, ", "")):
        (flaw,) = rows(phh.READER, single.replace(old, new))
        assert isinstance(flaw, Flaw), old
    assert rows(phh.READER, "# only\n\n") == []
    assert [type(r) for r in rows(phh.READER, "[1]\n\n" + PHH)] == [Flaw, Deal, Deal, Other]


_ACTIONS = st.lists(
    st.sampled_from(
        [
            "d dh p1 AcAd",
            "d dh p2 ????",
            "d dh p3 2c3c4c",
            "d dh p1",
            "d dh p12 As",
            "d db 7d5h9d",
            "d db",
            "p",
            "p1 f",
            "d  dh p1 As",
            "d dh p1 As # x",
            "p3 sm # 'd db 2c'",
            "d dh p1 Xx",
            " d db 2c",
            "d dh p1 A",
            "p2 it's",
            "",
            "d dh p1 As more",
            "d dh p1234",
            "d db\t2c",
        ]
    ),
    max_size=6,
)
_SCALARS = st.sampled_from(
    [
        "1",
        "01",
        "+1",
        "-0",
        "1.5",
        "1.",
        "1e3",
        "true",
        "'y'",
        '"x"',
        "00:00:26",
        "25:00:00",
        "[1]",
        "2009-01-01",
        "{a = 1}",
        "1_000",
        "inf",
        "''",
        "'''z'''",
        '"a\\"b"',
        '"\x7f"',
        "NT",
        "1111111111111111111",
    ]
)
_COMMENTS = st.sampled_from(
    ["", "", "", " # it's", "# 'd db Qs'", '#"d dh p1 As"', "\t", "#\x01", " #]"]
)


@st.composite
def toml_hands(draw: st.DrawFn) -> str:
    """Return a hand as TOML of some form, right or wrong."""
    quote = draw(st.sampled_from("'\""))
    space = draw(st.sampled_from([" ", "\n", "\n  ", "\n\n"]))
    actions = "".join(
        f"{space}{quote}{action}{quote},{draw(_COMMENTS) if space[0] != ' ' else ''}"
        for action in draw(_ACTIONS)
    )
    fields = [
        draw(
            st.sampled_from(["variant = 'NT'", 'variant = "FT"', "variant = 'PO'", "variant = 1"])
        ),
        draw(st.sampled_from(["starting_stacks = [9, 8.50, 9]", "starting_stacks = [9, 0_9]"])),
        f"actions = [{actions}{space}]",
        f"hand = {draw(_SCALARS)}",
        f"{draw(st.sampled_from(['year', 'hand', '_x', 'a-b', 'a.b', ' y']))} = {draw(_SCALARS)}",
        f"players = ['P1', {draw(_SCALARS)},]{draw(_COMMENTS)}",
        "# by hand",
    ]
    kept = draw(st.lists(st.sampled_from(fields), min_size=3, max_size=7, unique=True))
    return "\n".join(fields[:3] + kept[3:] if draw(st.booleans()) else kept)


@settings(max_examples=1500, deadline=None, derandomize=True)
@given(toml_hands())
def test_phh_plain_toml_is_read_as_the_parser_reads_it(text: str) -> None:
    found = phh._sure(text, 1)
    assert found is None or found == phh._slow(text, 1)


def test_phh_plain_toml_needs_no_parser() -> None:
    one = PHH.partition("\n[3]")[0].partition("\n")[2]
    several = one.replace("['d", "[\n  # It's before the flop\n\n  'd").replace(
        ", 'd", ",  # a\n 'd"
    )
    for text in (several, several.replace("'", '"').replace('It"s', "It's"), "# x\n" + several):
        found = phh._sure(text, 1)
        assert isinstance(found, Deal)
        assert found == phh._slow(text, 1)
    for extra in (
        "hand = 8",
        "'a' = 1",
        "a = '''\n'''",
        "a = [[1]]",
        "a = 01",
        "a = '\x01'",
        "[1]",
    ):
        assert phh._sure(several + "\n" + extra, 1) is None


def test_dealstock_rows() -> None:
    bad = "x;D;9C\n3;K;9C\n4;D;9C\n5;D;TC\n6;D\n"
    deal, draw, *flaws = rows(dealstock.READER, STOCK + bad)
    assert isinstance(deal, Deal)
    assert isinstance(draw, Other)
    assert (deal.number, deal.line, deal.options) == ("1", 2, {"pack": "24"})
    assert (deal.players, deal.dealt_by, deal.dealer_seat) == (4, "machine", None)
    assert deal.hands[0] == parse("9C TC JC QC KC")
    assert len(deal.hands) == 4
    assert deal.widow == parse("JS QS KS AS")
    assert deal.turnups == parse("JS")
    assert draw.kind == "first-Jack draw"
    assert [f.field for f in flaws if isinstance(f, Flaw)] == [
        "number",
        "purpose",
        "cards",
        "cards",
        "row",
    ]


def test_turnup_counts() -> None:
    a, flaw, b = rows(turnup_counts.READER, COUNTS)
    assert isinstance(a, Counts)
    assert isinstance(flaw, Flaw)
    assert isinstance(b, Counts)
    assert (a.stock, a.deals, a.line, len(a.turned)) == ("a", 10, 2, 52)
    assert (a.turned[parse("9C")[0]], a.turned[parse("TC")[0]], sum(a.turned)) == (4, 6, 10)
    assert (flaw.field, b.deals, b.stock) == ("deals", 4, "b")
    (plain,) = rows(turnup_counts.READER, "card,turned\nAS,3\n2D,1\n")
    assert isinstance(plain, Counts)
    assert (plain.deals, plain.turned[12]) == (4, 3)


@pytest.mark.parametrize("row", ["a,10,XX,1", "a,10,KC,-1", "a,11,KC,1", "a,10,9C,1", "a,1"])
def test_turnup_counts_bad_row(row: str) -> None:
    found = rows(turnup_counts.READER, COUNTS + row + "\n")
    # What the row said of its stock is not known; a row of no stock may be of any.
    last = Counts if row.count(",") == 3 else Flaw
    assert [type(r) for r in found] == [Flaw, Flaw, Flaw, last]


@pytest.mark.parametrize("text", [*SAMPLES.values(), "", "{}", '[{"a": 1}]', "card\n", "\0" * 99])
def test_sniff_one_claim(text: str) -> None:
    for name in ("x", *SUFFIX.values()):
        claims = [r.id for r in READERS if r.sniff(text.encode(), name)]
        assert claims == [key for key, sample in SAMPLES.items() if sample == text]


def test_sniff_leaves_kin_alone() -> None:
    kin = f'[Event "x"]\n[GameCode "Euchre"]\n[Deal "N:{HANDS}"]\n'
    chess = '[Event "x"]\n[White "a"]\n\n1. e4 e5\n'
    assert not any(r.sniff(t.encode(), "x.txt") for r in READERS for t in (kin, chess))


@pytest.mark.parametrize("reader", READERS, ids=lambda r: r.id)
def test_long_line_is_a_flaw(reader: Reader) -> None:
    sample = SAMPLES[reader.id]
    plain = rows(reader, sample)
    long = "\n[9]\n" if reader is phh.READER else "\n"
    found = rows(reader, sample + long + "x" * (1 << 20) + "x\n")
    flaws = [r for r in found if isinstance(r, Flaw) and r.field == "line"]
    assert len(flaws) == 1
    assert len(found) == len(plain) + 1


@pytest.mark.parametrize("piece", ["{", "[", "[Deal", '[Deal "', "[ ", "\\", '["', "\n[A", "[1]\n"])
@pytest.mark.parametrize("reader", READERS, ids=lambda r: r.id)
def test_hostile_repeats_stay_quick(reader: Reader, piece: str) -> None:
    start = time.process_time()
    for text in (piece * 30_000, PBN + piece * 30_000 + "}"):
        assert all(isinstance(r, Record) for r in rows(reader, text))
        reader.sniff(text.encode(), SUFFIX[reader.id])
    assert time.process_time() - start < 2


@pytest.mark.parametrize("reader", READERS, ids=lambda r: r.id)
@settings(max_examples=80, deadline=None, derandomize=True)
@given(data=st.data())
def test_any_bytes(reader: Reader, data: st.DataObject) -> None:
    sample = SAMPLES[reader.id].encode()
    noise = st.binary(max_size=60) | st.text(
        "[]{}\"'#;%,=.:\\\n\r \t019AKTDdhp?-", max_size=30
    ).map(str.encode)
    content = data.draw(noise)
    if data.draw(st.booleans()):
        at = data.draw(st.integers(0, len(sample)))
        to = data.draw(st.integers(at, min(len(sample), at + 40)))
        content = sample[:at] + content + sample[to:]
    reader.sniff(content, "x")
    for row in reader.read(BytesIO(content), "x"):
        assert isinstance(row, Record)
        assert row.line >= 1


@real
def test_real_pbn() -> None:
    wanted = {
        "bermuda_1955_a": (220, 110),
        "club_warsaw_20130808": (295, 27),
        "constrained_2C_opening": (500, 500),
        "realbridge_2021_open_r2": (299, 10),
        "shared_deals": (4, 2),
        "womens_pairs_1970": (442, 30),
        "zd_empty": (0, 0),
    }
    for path in sorted((SHARED / "data" / "bridge-pbn").iterdir()):
        data = path.read_bytes()
        found = list(pbn.READER.read(BytesIO(data), path.name))
        flaws = [row for row in found if isinstance(row, Flaw)]
        assert len(flaws) == (2 if path.stem == "olympiad_2000_onehand" else 0), path.stem
        if path.stem in wanted:
            kinds = {row.hands for row in found if isinstance(row, Deal)}
            assert (len(found), len(kinds)) == wanted[path.stem]
        for tail in (CAREFUL.encode(), b"\n{}\n"):
            assert list(pbn.READER.read(BytesIO(data + tail), path.name)) == found, path.stem


@real
def test_real_phh() -> None:
    total: Counter[str] = Counter()
    for path in sorted((SHARED / "data" / "poker-phh").iterdir()):
        data = path.read_bytes()
        found = list(phh.READER.read(BytesIO(data), path.name))
        total.update(type(row).__name__ for row in found)
        for text in re.split(r"^\[[0-9]+\]\n", data.decode(), flags=re.MULTILINE)[:40]:
            if text:
                assert phh._sure(text, 1) == phh._slow(text, 1), path.name
        if path.stem.startswith("pluribus"):
            assert len(found) == 1072
            assert not any(row.cut_short for row in found if isinstance(row, Deal))
    assert total["Flaw"] == 0
    assert total["Deal"] > 1080


@real
def test_real_stock_and_counts() -> None:
    folder = SHARED / "data" / "euchre-dealstock"
    for name, wanted in (("stock_2022_sample", (1000, 0)), ("stock_2024_sample_a", (1500, 100))):
        found = rows(dealstock.READER, (folder / f"{name}.txt").read_bytes())
        kinds = Counter(type(row) for row in found)
        assert (kinds[Deal], kinds[Other], kinds[Flaw]) == (*wanted, 0)
    counts = rows(turnup_counts.READER, (folder / "turn_up_counts.csv").read_bytes())
    assert [type(row) for row in counts] == [Counts] * 3


@real
def test_real_files_have_one_claim() -> None:
    for path in sorted((SHARED / "data").rglob("*.*")):
        if path.is_file():
            head = path.read_bytes()[:65536]
            claims = [r.id for r in READERS if r.sniff(head, path.name)]
            foreign = path.parent.name not in ("bridge-pbn", "poker-phh", "euchre-dealstock")
            assert len(claims) == (0 if foreign else 1), path.name


def test_pbn_records_whose_cards_cannot_be_known_are_counted() -> None:
    text = (
        '[Event "x"]\n[Board "1"]\n[Dealer "N"]\n\n[Event "x"]\n[Board "2"]\n[Deal "-"]\n\n' + PBN
    )
    kinds = [type(row).__name__ for row in rows(pbn.READER, text)]
    assert kinds == ["Other", "Other", "Deal", "Deal"]
