"""Work out again the numbers of a fairdeal report from the counts that it carries.

    python3 recheck.py report.json

Standard library only, and no code of the program: mixtures and tails are written out a second
time.  Each line names a finding and says whether its e-values (after the last deal, and at
their highest) and its p follow from its counts, and its sentence tells the same count; and
which numbers carry no counts.  Evidence is rounded down deal by deal, so that it may lie a
little below what is found here, never above; else ln of what is told and of what is found
agree to 1 in 10^7.  A p that is a bound is held to the same bound.  Exit code 0 when every
number that carries counts follows, 1 when one does not, 2 when the file is no report.
"""

import json
import math
import re
import sys
from fractions import Fraction

#: Each bet of a deal may have been rounded down by this much, in ln.
STEP = 2.0**-20
NEVER = -math.inf
#: Counts above this would take the summing of a tail too long.
MOST = 1 << 30
#: The program bounds the tail of a sum of more deals, and of more trials of unlike chances.
EXACT, UNLIKE = 128, 1 << 10
#: No pack has more cards.
LARGEST = 104


def ratio(text):
    """The fraction that *text* writes, of a length that can be reckoned with."""
    if not isinstance(text, str) or not re.fullmatch(r"-?[0-9]{1,400}(/[0-9]{1,400})?", text):
        raise ValueError("no fraction")
    return Fraction(text)


def mixed(logs, weights=()):
    """ln of the sum of weights times e^logs, of their mean without weights."""
    weights = [ratio(w) for w in weights] or [Fraction(1, len(logs))] * len(logs)
    if sum(weights) > 1 or min(weights) < 0:
        raise ValueError("weights of a mixture above 1")
    parts = [log + math.log(w) for log, w in zip(logs, weights, strict=True) if w]
    top = max(parts)
    return NEVER if top == NEVER else top + math.log(math.fsum(math.exp(p - top) for p in parts))


def times(count, chance):
    """Count times ln chance, 0 where there is nothing to count."""
    return 0.0 if not count else NEVER if chance <= 0 else count * math.log(chance)


def rate(row):
    fair, hits, misses = ratio(row["fair"]), row["hits"], row["deals"] - row["hits"]
    rates = [ratio(r) for r in row["rates"]]
    if not all(0 < r < 1 for r in (fair, *rates)):
        raise ValueError("a rate outside 0 to 1")
    logs = [times(hits, r / fair) + times(misses, (1 - r) / (1 - fair)) for r in rates]
    return mixed(logs, row["weights"]), row["deals"]


def faces(row):
    counts, total = row["counts"], sum(row["counts"])
    logs = []
    for weight in row["concentrations"]:
        one = weight / len(counts)
        face = math.fsum(math.lgamma(one + c) - math.lgamma(one) for c in counts)
        whole = math.lgamma(weight + total) - math.lgamma(weight)
        logs.append(face - whole + total * math.log(len(counts)))
    return mixed(logs), 0


def absent(row):
    size, logs, deals = row["size"], [], 0
    for share in map(ratio, row["shares"]):
        log, deals = 0.0, 0
        for shown, of, seen in row["rows"]:
            if not 0 < shown < size or not 0 <= seen <= of:
                raise ValueError("counts that cannot be")
            miss = 1 - share + share * Fraction(size, size - shown)
            log += times(seen, 1 - share) + times(of - seen, miss)
            deals += of
        logs.append(log)
    return mixed(logs, row["weights"]), deals


def bets(row):
    log = mixed([s / row["scale"] for s in row["sums"]], row["weights"])
    return log + left_out(*row.get("shown", [0] * 4)), 0


def left_out(shown, missing, first, first_missing):
    """ln of a bet on which orders are *missing*: 1 in 8 of a first deal's, and of the others none
    at all, by 15 chances in 16, or else a share that is Beta(1/2, 1)."""
    log = times(first, Fraction(7, 8)) + times(first_missing, Fraction(1, 8))
    some = math.lgamma(missing + 0.5) + math.lgamma(shown + 1) - math.lgamma(missing + shown + 1.5)
    some += math.lgamma(1.5) - math.lgamma(0.5)
    return log + mixed([NEVER if missing else 0.0, some], ["15/16", "1/16"])


def tilts(row):
    """Cards of each group in each part of the pack, each bet on at each of the odds."""
    logs, deals, size = [], row["deals"], row["size"]
    cells = [(marked, drawn) for marked in row["marked"] for drawn in row["drawn"]]
    if deals != row["shown"][0] + row["shown"][2] or size > LARGEST:
        raise ValueError("counts that cannot be")
    for (marked, drawn), held in zip(cells, row["held"], strict=True):
        law = hypergeometric(size, marked, drawn)
        for odds in map(ratio, row["odds"]):
            mean = sum(w * odds**x for x, w in enumerate(law)) / sum(law)
            logs.append(times(held, odds) - times(deals, mean))
    return mixed(logs) + left_out(*row["shown"]), deals


def repeats(row):
    """Deals again that stood before, where a share of all is; "gain" is ln of the ways to deal."""
    shares = [ratio(q) for q in row["shares"]]
    logs = [times(row["fresh"], 1 - q) + times(row["again"], q) for q in shares]
    return mixed(logs) + row["gain"], 0


RULES = {rule.__name__: rule for rule in (rate, faces, absent, bets, tilts, repeats)}


def upper(deals, hits, chance):
    """ln P(at least *hits* of *deals*), summed term by term from the largest."""
    if not 0 <= hits <= deals <= MOST:
        raise ValueError("counts that cannot be")
    p, mean = float(chance), deals * float(chance)
    if p >= 1 or not hits:
        return 0.0
    # Terms forty deviations below the mean, or past the largest that counts, add nothing.
    wide = int(40 * math.sqrt(mean) + 1000)
    logs, hits = [], max(hits, int(mean) - wide)
    for k in range(hits, min(deals, max(hits, int(mean)) + wide) + 1):
        ways = math.lgamma(deals + 1) - math.lgamma(k + 1) - math.lgamma(deals - k + 1)
        logs.append(ways + k * math.log(p) + (deals - k) * math.log1p(-p))
    top = max(logs)
    return min(0.0, top + math.log(math.fsum(math.exp(x - top) for x in logs)))


def product(one, other):
    """The law of a sum of two scores; a law is its least score and the chances from there on."""
    out = [0.0] * (len(one[1]) + len(other[1]) - 1)
    for i, x in enumerate(one[1]):
        for j, y in enumerate(other[1]):
            out[i + j] += x * y
    kept = [k for k, x in enumerate(out) if x > 1e-40]
    return one[0] + other[0] + kept[0], out[kept[0] : kept[-1] + 1]


def above(laws, total, exact):
    """ln P(sum >= total) of independent scores, or Chernoff's bound of it where not *exact*.

    *laws* are (weights of the scores 0, 1, ..., how many scores).  Each score s is made e^(ts)
    times as likely, with the t >= 0 that lifts the mean to *total* where it lies below: then no
    number is too small for a float, and what `product` drops is nothing beside what counts.
    """
    laws = [(law[: max(s for s, w in enumerate(law) if w) + 1], n) for law, n in laws]
    if total > sum(n * (len(law) - 1) for law, n in laws):
        return NEVER
    laws = [([w / sum(law) for w in law], n) for law, n in laws]

    def tilted(t):
        for law, n in laws:
            row = [w * math.exp(t * (s - len(law) + 1)) for s, w in enumerate(law)]
            yield [w / sum(row) for w in row], n, n * (math.log(sum(row)) + t * (len(law) - 1))

    low, high = 0.0, 700.0
    for _ in range(40):
        t = (low + high) / 2
        mean = math.fsum(n * s * w for row, n, _ in tilted(t) for s, w in enumerate(row))
        low, high = (t, high) if mean < total else (low, t)
    log, whole = -low * total, (0, [1.0])
    for row, times, mass in tilted(low):
        log, power, n = log + mass, (0, row), times if exact else 0
        while n:
            whole = product(whole, power) if n & 1 else whole
            power, n = product(power, power) if n > 1 else power, n >> 1
    if exact:
        scores = enumerate(whole[1], start=whole[0])
        log += math.log(math.fsum(x * math.exp(low * (total - s)) for s, x in scores if s >= total))
    return min(0.0, log)


def falls(n):
    """Circles of n cards by how many cards lie before the one below them: Eulerian numbers."""
    row = [0, 1]
    for m in range(2, n):
        row = [0, *(k * row[k] + (m - k + 1) * row[k - 1] for k in range(1, m)), 1]
    return row


def kept(n):
    """Circles of n cards by how many follow the one that they followed.

    Those taken with it the others make a smaller circle where none does: inclusion and exclusion.
    """
    none = [(-1) ** m for m in range(n + 1)]
    for m in range(n + 1):
        none[m] += sum((-1) ** j * math.comb(m, j) * math.factorial(m - j - 1) for j in range(m))
    return [math.comb(n, k) * none[n - k] for k in range(n + 1)]


def hypergeometric(n, marked, drawn):
    """Hands of so many cards of n by how many marked ones they hold."""
    most = range(min(marked, drawn) + 1)
    return [math.comb(marked, x) * math.comb(n - marked, drawn - x) for x in most]


LAWS = {law.__name__: law for law in (falls, kept, hypergeometric)}


def summed(row):
    """ln p of a total of equal laws; deals that are lost hold what is worst for the finding."""
    if max(row["of"]) > LARGEST:
        raise ValueError("no pack")
    law, deals = LAWS[row["law"]](*row["of"]), row["deals"] + row["lost"]
    up = above([(law, deals)], row["total"], deals <= EXACT)
    rest = (len(law) - 1) * row["deals"] - row["total"]
    down = above([(law[::-1], deals)], rest, deals <= EXACT)
    return {"upper": up, "lower": down, "both": math.log(2) + min(up, down)}[row["way"]]


def trials(row):
    """ln of a bound of P(so many hits): [k, m] are m trials of chance 1.05^-(k+1) to 1.05^-k.

    The binomial tail at the mean chance bounds it from one above the mean on (Hoeffding 1956,
    theorem 4), the tail at the larger chances always.
    """
    n, mean = row["deals"], Fraction(row["units"], row["unit"] * row["deals"])
    low = [(1.05 ** -(k + 1) if k < 470 else 0.0, m) for k, m in row["steps"]]
    high = [(1.05**-k, m) for k, m in row["steps"]]
    least, most = (sum(p * m for p, m in steps) / n for steps in (low, high))
    fits = least - 1e-9 < mean < most + 1e-9 and sum(m for _, m in high) == n
    if not fits or min(m for _, m in high) < 0:
        raise ValueError("chances that do not fit the trials")

    def bound(hits, chance, steps):
        out = [0.0, upper(n, hits, chance)] if hits >= n * chance + 1 else [0.0]
        if len(steps) == 1 or n > UNLIKE:
            return min(out + [upper(n, hits, p) for p, _ in steps if len(steps) == 1])
        return min(*out, above([((1 - p, p), m) for p, m in steps], hits, exact=True))

    log = bound(row["hits"], min(1, mean + Fraction(1, row["unit"])), high)
    if row["both"]:
        # Chances are stored rounded up by less than 1 in 2^32.
        chance, low = min(1, 1 - mean + Fraction(1, 1 << 32)), [(1 - p, m) for p, m in low]
        log = math.log(2) + min(log, bound(n - row["hits"] - row["hidden"], chance, low))
    return log


def tail(row):
    """ln p of a count, times the kinds of which it is the best; None where the rule has none."""
    kinds, log = row.get("kinds", 1), None
    if kinds < 1 or min(row.get("lost", 0), row.get("deals", 0)) < 0:
        raise ValueError("counts that cannot be")
    if row["rule"] in ("sum", "trials"):
        log = summed(row) if row["rule"] == "sum" else trials(row)
    elif row["rule"] == "rate":
        log = upper(row["deals"] + row.get("lost", 0), row["hits"], ratio(row["fair"]))
    elif row["rule"] == "faces":
        kinds = len(row["counts"])
        log = upper(sum(row["counts"]), max(row["counts"]), Fraction(1, kinds))
    elif row["rule"] == "absent" and not any(seen for _, _, seen in row["rows"]):
        log = math.fsum(of * math.log1p(-n / row["size"]) for n, of, _ in row["rows"])
    return None if log is None else min(0.0, log + math.log(kinds))


def differs(told, found, loss):
    """Whether *told* (log10) does not follow from *found* (ln); *loss* is what rounding took."""
    if told is None or found is None:
        return told is not None or (found is not None and found > NEVER)
    slack = 1e-7 * (1 + abs(found))
    return not found - loss - slack <= told * math.log(10) <= found + slack


def faults(finding):
    """The names of the numbers of *finding* that do not follow from its counts."""
    out, rows = [], finding["recheck"]
    for name, key in (("last", "log10_e"), ("highest", "log10_e_max")):
        if name in rows:
            found, deals = RULES[rows[name]["rule"]](rows[name])
            if differs(finding[key], found, deals * STEP):
                out.append(key)
    p, p_told = tail(rows.get("p") or rows["last"]), finding["log10_p"]
    if p is not None and (p_told is not None or "p" in rows) and differs(p_told, p, 0):
        out.append("log10_p")
    if "p" in rows and not says(finding["message"], finding["deals"], rows["p"]):
        out.append("message")
    return out + flag(finding)


def says(message, deals, row):
    """Whether the *message* tells the counts behind a p, as they are or for each deal."""
    words = re.findall(r"(?<![\w.])[0-9.]*[0-9](?!\w)", message)
    count, hidden = row.get("hits", row.get("total")), row.get("hidden")
    each = row.get("law") in ("falls", "kept")
    forms = {f"{count / deals:.1f}", f"{count / deals:.2f}"} if each else {str(count)}
    return row["deals"] == deals and bool(forms & {*words}) and str(hidden or "") in {"", *words}


def uncounted(finding):
    """Which numbers that *finding* tells were not worked out again, as it carries no counts."""
    rows, told = finding.get("recheck") or {}, finding.get("log10_p") is not None
    p = told and "p" not in rows and ("last" not in rows or tail(rows["last"]) is None)
    return [key for key, out in (("e", "last" not in rows), ("p", p)) if out]


def holm(rows, tests, every):
    """Whether an adjusted p is none that so many *tests* can make, or *every* one does not."""
    worst = NEVER
    for place, f in enumerate(sorted(rows, key=lambda f: f.get("log10_p") or 0.0)):
        p, joint = f.get("log10_p"), f.get("log10_p_holm")
        worst = max(worst, min(0.0, (p or 0.0) + math.log10(max(tests - place, 1))))
        most = worst if every else min(0.0, (p or 0.0) + math.log10(max(tests, 1)))
        slack = 1e-9 * (1 + abs(most))
        if joint is not None and (
            p is None or not (most if every else p) - slack <= joint <= most + slack
        ):
            return True
    return False


def flag(finding):
    """What of a finding's flag does not follow from its evidence and its weight."""
    weight, top = ratio(finding["weight"]), finding["log10_e_max"]
    if not 0 < weight <= 1:
        raise ValueError("a weight outside 0 to 1")
    over = top is not None and top + math.log10(weight) >= 3
    out = ["flagged"] if over != finding["flagged"] else []
    last = finding["log10_e"]
    # The highest evidence is not below the last.
    if last is not None and not (top is not None and top >= last - 1e-6):
        out.append("log10_e_max")
    return out


def whole(report, rows):
    """What the report says as a whole and does not follow from its findings."""
    out, top = [], report["flag"]["sum_log10"]
    least = [
        f["log10_e_max"] + math.log10(ratio(f["weight"]))
        for f in rows
        if f["log10_e_max"] is not None
    ]
    standing = ratio(report["flag"].get("standing", "0"))
    if standing < 0 or sum(ratio(f["weight"]) for f in rows) + standing > 1:
        out.append("weights above 1")
    names = [json.dumps([f["code"], f["detector"], f["subject"]], sort_keys=True) for f in rows]
    if len(set(names)) < len(names):
        out.append("a hypothesis named twice")
    # The weighted sum is at least each of its parts.
    if least and not (top is not None and top >= max(least) - 1e-6):
        out.append("sum_log10")
    every, fallen = report["flag"].get("hypotheses", len(rows)), report["flag"].get("fallen", 0)
    if every < len(rows) or fallen < 0:
        out.append("hypotheses")
    tests = every + fallen
    if holm(rows, tests, every == len(rows)):
        out.append("log10_p_holm")
    if standing and not (top is not None and top >= math.log10(standing) - 1e-6):
        out.append("sum_log10")
    # Where all hypotheses are told, it is at most what stands and the highest of each.
    if report["flag"].get("hypotheses") == len(rows):
        most = [*least, math.log10(standing)] if standing else least
        high = max(most, default=0.0)
        most = high + math.log10(math.fsum(10 ** (x - high) for x in most) or 1.0)
        if top is not None and top > most + 1e-6:
            out.append("sum_log10")
    if report["verdict"] == ("clear" if (top or 0) >= 3 else "flagged"):
        out.append("verdict")
    return out


def main(path):
    try:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        rows = [f for f in report["findings"] if f["kind"] == "evidence"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as err:
        print(f"{path}: no report: {err}", file=sys.stderr)
        return 2
    try:
        bad = whole(report, rows)
    except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError) as err:
        bad = [f"the report ({err})"]
    wrong = bool(bad)
    if bad:
        print(f"the report does not follow from its findings: {', '.join(bad)}")
    for finding in rows:
        name = "a finding"
        try:
            name = f"{finding['detector']} {' '.join(map(str, finding['subject'].values()))}"
            counted = bool(finding.get("recheck"))
            bad = faults(finding) if counted else flag(finding)
        except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError) as err:
            bad, counted = [f"counts ({err})"], True
        wrong |= bool(bad)
        if bad:
            print(f"{name}: does not follow: {', '.join(bad)}")
        else:
            left = " and ".join(uncounted(finding))
            follows = "follows" if counted else "not rechecked"
            print(f"{name}: {follows}{f', but no counts are told for its {left}' if left else ''}")
    if wrong:
        return 1
    if not any(f["flagged"] for f in rows) and (report["flag"]["sum_log10"] or 0) >= 3:
        print("flagged by the weighted sum of all, which no single finding shows")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else print(__doc__) or 2)
