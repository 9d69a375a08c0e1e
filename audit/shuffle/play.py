"""The course of a pack at a table: which place goes to whom next, and who is asked.

Follows the law's plan over the cut pack; knows places, and of cards only those that
everybody sees.  House, seats and verifier each run their own.

Source: PROTOCOL.md, "The law as data" and "Cards"; design section 3, P5 and P13.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from audit.plan import PACKETS, Answer, Move, Question, Step, course, start
from audit.shuffle.entries import EVERYBODY, NOBODY
from audit.shuffle.refusal import NotVerified

OPEN_ZONES = frozenset({"turnup", "board", "trick", "won"})
MOST_EVENTS = 20_000
SEVEN_OF_DIAMONDS = 2 * 13 + 5
SUITS = "SHDC"


@lru_cache(maxsize=256)
def move_to_seat(hand: str) -> int:
    """Return the number in the name of a hand, 0 where there is none."""
    number = hand.removeprefix("hand ")
    return int(number) if number.isdecimal() and len(number) < 4 else 0


@dataclass(frozen=True, kw_only=True)
class Hidden:
    """A hidden pick that is not opened: *cards* of the places *may*, by plan seat *seat*.

    *may* are the places of the hand at that pick, without those that the seat has shown
    since; *total* is how many the seat has hidden up to and with this one.
    """

    seat: int
    cards: int
    total: int
    may: set[int]


class Play:
    """One pack as it is dealt. *dealer* is a seat of the table, *seats* their number.

    *packets* is the opened choice of packets, an index; 0 where the law has none.
    """

    def __init__(
        self,
        *,
        plan: Sequence[Step],
        pack: Sequence[int],
        seats: int,
        dealer: int,
        packets: int = 0,
        trump: str = "",
    ) -> None:
        self._pack, self._seats, self._dealer = tuple(pack), seats, dealer
        self._packets, self._trump = packets, trump
        self._state = start(seats, len(pack))
        self._course = course(tuple(plan), self._state)
        self._answer: Answer | None = None
        self._faces: dict[int, int] = {}
        self._seen: list[set[int]] = [set() for _ in range(seats)]
        self._unsure: dict[int, set[int]] = {}
        self._blurred: set[str] = set()
        self.hidden: list[Hidden] = []
        self._picked = False
        self._events = 0
        self.public: set[int] = set()
        self.question: Question | None = None
        self.over = False

    def seat_of(self, plan_seat: int) -> int:
        """Return the seat at the table of a seat in dealing order (eldest 1)."""
        return (self._dealer + plan_seat) % self._seats

    @property
    def short(self) -> bool:
        """Whether the stock could not serve the plan."""
        return self._state.short

    def hand(self, seat: int) -> list[int]:
        """Return the places of a seat's hand, as far as they are known without hidden picks."""
        plan_seat = (seat - self._dealer - 1) % self._seats + 1
        return list(self._state.zones[f"hand {plan_seat}"])

    def learn(self, place: int, card: int) -> None:
        """Tell the card number (place in the sorted pack) of a place that all have seen."""
        self._faces[place] = self._pack[card]

    def moves(self) -> list[tuple[int, int]]:
        """Go on to the next question of a seat or rule, or to the end; return the deal.

        Each pair is a place of the cut pack and the seat it is shown to, 255 all, 254 nobody.
        """
        found: list[tuple[int, int]] = []
        while not self.over:
            try:
                event = self._course.send(self._answer)
            except StopIteration:
                self.over = True
                break
            except (ValueError, KeyError, IndexError) as err:
                raise NotVerified("law", "plan", f"cannot be followed, {err}") from err
            self._answer = None
            self._events += 1
            if self._events > MOST_EVENTS:
                raise NotVerified("law", "plan", "does not come to an end")
            if isinstance(event, Move):
                found += self._shown(event)
            elif event.name == PACKETS:
                if self._packets >= len(event.choices):
                    raise NotVerified("choices", PACKETS, "is no choice of the law")
                self._answer = event.choices[self._packets]
            else:
                self.question = event
                break
        return found

    def _shown(self, move: Move) -> list[tuple[int, int]]:
        if move.source in self._blurred and not self._picked:
            raise NotVerified("law", "plan", "moves a hand of which nobody else knows the cards")
        self._picked = False
        found: list[tuple[int, int]] = []
        in_the_open = move.to in OPEN_ZONES
        seat = self._owner(move.to) if move.places and move.to.startswith("hand ") else -1
        for place in move.places:
            to = -1
            if in_the_open:
                if place not in self.public:
                    self.public.add(place)
                    to = EVERYBODY
            elif seat >= 0 and place not in self.public and place not in self._seen[seat]:
                self._seen[seat].add(place)
                to = seat
            if to < 0 and move.source == "stock":
                to = NOBODY
            if to >= 0:
                found.append((place, to))
        return found

    def _owner(self, hand: str) -> int:
        plan_seat = move_to_seat(hand)
        if not 1 <= plan_seat <= self._seats:
            raise NotVerified("law", "plan", "gives cards to nobody at the table", "", hand)
        return self.seat_of(plan_seat)

    @property
    def asked(self) -> int | None:
        """The seat whose decision is wanted now, None for a rule of public cards or the end."""
        if self.question is None or self.question.seat == 0:
            return None
        return self.seat_of(self.question.seat)

    def _wanted(self) -> Question:
        if self.question is None:
            raise NotVerified("decide", "question", "nobody is asked anything")
        return self.question

    def settle(self) -> bool:
        """Answer a question that the public cards answer; return whether there was one."""
        if self.question is None or self.question.seat != 0:
            return False
        self._give(self._rule(self.question))
        return True

    def _give(self, answer: Answer) -> None:
        self._answer, self.question = answer, None
        self._picked = isinstance(answer, tuple)

    def _rule(self, question: Question) -> Answer:
        try:
            return self._by_cards(question)
        except (KeyError, IndexError) as err:
            raise NotVerified("law", question.name, "asks cards that do not lie there") from err

    def _by_cards(self, question: Question) -> Answer:
        zones, faces = self._state.zones, self._faces
        turned = [faces[p] for p in zones.get("turnup", ())]
        match question.name:
            case "suit":
                return "same" if turned[-1] // 13 == turned[0] // 13 else "new"
            case "ace":
                return "yes" if turned[-1] % 13 == 12 else "no"
            case "seven of diamonds":
                return "yes" if turned[-1] == SEVEN_OF_DIAMONDS else "no"
            case "winner":
                if self._trump not in ("", *SUITS):
                    raise NotVerified("manifest", "trump", "is no suit", " ".join(SUITS))
                cards = [faces[p] for p in zones["trick"]]
                trump = SUITS.find(self._trump) if self._trump else -1
                led = cards[0] // 13

                def worth(at: int) -> tuple[int, int]:
                    suit, rank = divmod(cards[at], 13)
                    return (2 if suit == trump else 1 if suit == led else 0, rank)

                best = max(range(len(cards)), key=worth)
                return (self._state.lead - 1 + best) % self._seats + 1
        raise NotVerified("law", question.name, "is no rule of public cards")

    def answer(self, name: str, text: str) -> None:
        """Take a word or number of the seat that is asked.

        Raises: NotVerified where another question stands, or the law gives no such answer.
        """
        question = self._wanted()
        if question.places or question.name != name:
            raise NotVerified("decide", "name", "answers another question", question.name, name)
        found = [c for c in question.choices if str(c) == text]
        if not found:
            wanted = " ".join(map(str, question.choices))
            raise NotVerified("decide", name, "is no answer that the law allows", wanted, text)
        self._give(found[0])

    def show(self, zone: str, faces: Mapping[int, int]) -> None:
        """Take the places and card numbers that the seat shows, in the order picked."""
        question = self._pick(zone, len(faces), hidden=False)
        self._exchange(question, tuple(faces))
        for place, card in faces.items():
            self.public.add(place)
            self.learn(place, card)
        self._give(tuple(faces))

    def hide(self, zone: str, count: int, places: Sequence[int] | None = None) -> None:
        """Take a hidden pick; without *places* as many unknown ones of the hand.

        Where the places are not known it stands in `hidden` with those that they may be.
        """
        question = self._pick(zone, count, hidden=True)
        if places is None:
            unsure = self._unsure.setdefault(question.seat, set())
            may = unsure.union(question.places)
            unknown = [p for p in question.places if p not in self.public]
            known = [p for p in question.places if p in self.public]
            chosen = tuple(islice(unknown + known, count))
            unsure.update(chosen)
            self.hidden.append(Hidden(seat=question.seat, cards=count, total=len(unsure), may=may))
        else:
            chosen = tuple(places)
            if len(set(chosen)) != count or not set(chosen) <= set(question.places):
                raise NotVerified("discard", "leaves", "were not in that hand")
        self._blurred |= {f"hand {question.seat}"}
        self._give(chosen)

    def _pick(self, zone: str, count: int, *, hidden: bool) -> Question:
        question = self._wanted()
        name = f"pick {zone}"
        if not question.places or question.name != name or question.hidden != hidden:
            raise NotVerified("decide", "zone", "answers another question", question.name, name)
        if count != question.count:
            raise NotVerified(
                "decide", "count", "is not what the law says", str(question.count), str(count)
            )
        return question

    def _exchange(self, question: Question, places: tuple[int, ...]) -> None:
        """Put a shown place back that stood provisionally among the hidden ones.

        Any card of the hand may have been hidden, one that everybody knows as well, as long
        as enough are left for every hidden pick.  Hands at later picks hold all that is left
        of earlier ones, so counting is enough (Hall's condition for nested sets).
        """
        wanted = [p for p in places if p not in question.places]
        hand = self._state.zones[f"hand {question.seat}"]
        if question.places[0] not in hand:
            # Nothing is hidden in other zones.
            unsure, mine = set[int](), []
        else:
            unsure = self._unsure.get(question.seat, set())
            mine = [one for one in self.hidden if one.seat == question.seat]
        enough = all(len(one.may.difference(places)) >= one.total for one in mine)
        if not set(wanted) <= unsure or not enough:
            raise NotVerified("decide", "cards", "were not in that hand")
        for one in mine:
            one.may.difference_update(places)
        free = [p for p in hand if p not in places]
        for place, other in zip(wanted, free, strict=False):
            for zone in self._state.zones.values():
                if place in zone:
                    zone[zone.index(place)] = other
            hand[hand.index(other)] = place
            unsure.remove(place)
            unsure.add(other)
