"""Work out again the numbers of a fairdeal report from the counts that it carries.

    python3 recheck.py report.json

Standard library only, and no code of the program: mixtures and tails are written out a second
time.  Each line names a finding and says whether its e-values (after the last deal, and at
their highest) and its p follow from its counts.  Evidence is rounded down deal by deal, so
that it may lie a little below what is found here, never above.  Exit code 0 when every
number follows, 1 when one does not, 2 when the file is no report.
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


def ratio(text):
    """The fraction that *text* writes, of a length that can be reckoned with."""
    if not isinstance(text, str) or not re.fullmatch(r"-?[0-9]{1,400}(/[0-9]{1,400})?", text):
        raise ValueError("no fraction")
    return Fraction(text)


def mixed(logs, weights):
    """ln of the sum of weights times e^logs."""
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
    return mixed(logs, [ratio(w) for w in row["weights"]]), row["deals"]


def faces(row):
    counts, total = row["counts"], sum(row["counts"])
    logs = []
    for weight in row["concentrations"]:
        one = weight / len(counts)
        face = math.fsum(math.lgamma(one + c) - math.lgamma(one) for c in counts)
        whole = math.lgamma(weight + total) - math.lgamma(weight)
        logs.append(face - whole + total * math.log(len(counts)))
    return mixed(logs, [Fraction(1, len(logs))] * len(logs)), 0


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
    return mixed(logs, [ratio(w) for w in row["weights"]]), deals


def bets(row):
    logs = [s / row["scale"] for s in row["sums"]]
    return mixed(logs, [ratio(w) for w in row["weights"]]), 0


RULES = {"rate": rate, "faces": faces, "absent": absent, "bets": bets}


def upper(deals, hits, chance):
    """ln P(at least *hits* of *deals*), summed term by term from the largest."""
    if not 0 <= hits <= deals <= MOST:
        raise ValueError("counts that cannot be")
    p, mean = float(chance), deals * float(chance)
    # Terms forty deviations below the mean, or past the largest that counts, add nothing.
    wide = int(40 * math.sqrt(mean) + 1000)
    hits = max(hits, int(mean) - wide)
    logs = [
        math.lgamma(deals + 1) - math.lgamma(k + 1) - math.lgamma(deals - k + 1)
        + k * math.log(p) + (deals - k) * math.log1p(-p)
        for k in range(hits, min(deals, max(hits, int(mean)) + wide) + 1)
    ]
    top = max(logs)
    return min(0.0, top + math.log(math.fsum(math.exp(x - top) for x in logs)))


def tail(row):
    """ln p of a count, None where the rule has none."""
    if row["rule"] == "rate":
        return upper(row["deals"], row["hits"], ratio(row["fair"]))
    if row["rule"] == "faces":
        count, total = len(row["counts"]), sum(row["counts"])
        return min(0.0, math.log(count) + upper(total, max(row["counts"]), Fraction(1, count)))
    if row["rule"] == "absent" and not any(seen for _, _, seen in row["rows"]):
        return math.fsum(of * math.log1p(-n / row["size"]) for n, of, _ in row["rows"])
    return None


def differs(told, found, loss):
    """Whether *told* (log10) does not follow from *found* (ln); *loss* is what rounding took."""
    if told is None or found is None:
        return told is not None or (found is not None and found > NEVER)
    slack = 1e-7 * (1 + abs(found))
    return not found - loss - slack <= told * math.log(10) <= found + slack


def faults(finding):
    """The names of the numbers of *finding* that do not follow from its counts."""
    out = []
    for name, key in (("last", "log10_e"), ("highest", "log10_e_max")):
        row = finding["recheck"][name]
        found, deals = RULES[row["rule"]](row)
        if differs(finding[key], found, deals * STEP):
            out.append(key)
    p = tail(finding["recheck"]["last"])
    if p is not None and finding["log10_p"] is not None and differs(finding["log10_p"], p, 0):
        out.append("log10_p")
    return out + flag(finding)


def holm(finding, tests):
    """Whether Holm's p lies outside what any order of so many *tests* can make of the p."""
    p, joint = finding.get("log10_p"), finding.get("log10_p_holm")
    if p is None or joint is None:
        return joint is not None
    return not p - 1e-9 <= joint <= min(0.0, p + math.log10(max(tests, 1))) + 1e-9


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
    tests = report["flag"].get("hypotheses", len(rows)) + report["flag"].get("fallen", 0)
    if any(holm(f, tests) for f in rows):
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
    except (ValueError, KeyError, TypeError, ZeroDivisionError) as err:
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
            print(f"{name}: {'follows' if counted else 'carries no counts, not rechecked'}")
    if wrong:
        return 1
    if not any(f["flagged"] for f in rows) and (report["flag"]["sum_log10"] or 0) >= 3:
        print("flagged by the weighted sum of all, which no single finding shows")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else print(__doc__) or 2)
