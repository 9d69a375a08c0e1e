"""Requests made from the service's own description, sound and broken; none may be a fault.

    python -m tests.service.fuzz --cases 5000

With `schemathesis` installed in some environment, `schemathesis run URL/openapi.json` does the
same from outside.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from tests.service.rig import House, house, seats_at, together

ODD: list[Any] = [None, True, -1, 2**63, 1.5, "", "\u0000", "é", [], {}, "0" * 70, "ff" * 40]
WORDS = ["seven_up_4", "commit", "open", "decide", "pack", "t-0", "00" * 32, "00" * 64, "00" * 16]


def value(schema: dict[str, Any], names: dict[str, Any], rng: random.Random, depth: int = 0) -> Any:
    """Return a value that mostly fits *schema*."""
    if rng.random() < 0.04 or depth > 6:
        return rng.choice(ODD)
    if "$ref" in schema:
        return value(names[schema["$ref"].rpartition("/")[2]], names, rng, depth + 1)
    for word in ("anyOf", "oneOf"):
        if word in schema:
            return value(rng.choice(schema[word]), names, rng, depth + 1)
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if "const" in schema:
        return schema["const"]
    kind = schema.get("type")
    if kind == "object":
        found = {}
        for name, inner in schema.get("properties", {}).items():
            if name in schema.get("required", ()) or rng.random() < 0.5:
                found[name] = value(inner, names, rng, depth + 1)
        if rng.random() < 0.03:
            found[rng.choice(WORDS)] = 1
        return found
    if kind == "array":
        inner = schema.get("items", {})
        if not isinstance(inner, dict):
            inner = {}
        low, high = schema.get("minItems", 0), min(4, schema.get("maxItems", 3))
        return [
            value(inner, names, rng, depth + 1) for _ in range(rng.randint(low, max(low, high)))
        ]
    if kind == "integer":
        low, high = schema.get("minimum", 0), schema.get("maximum", 100)
        return rng.choice([low, high, rng.randint(low, high), 1, 2])
    if kind == "string":
        pattern = schema.get("pattern", "")
        if "{64}" in pattern or "{128}" in pattern or "{32}" in pattern:
            width = int(pattern.partition("{")[2].partition("}")[0])
            return "".join(rng.choice("0123456789abcdef") for _ in range(width))
        if "{2}" in pattern:
            return bytes(rng.randrange(256) for _ in range(rng.randrange(40))).hex()
        return rng.choice(WORDS)
    return rng.choice(ODD)


def run(made: House, cases: int, seed: int) -> Counter[int]:
    """Send *cases* requests; return how many had which status.

    Raises: AssertionError for a fault, an undescribed status or a refusal of another form.
    """
    rng = random.Random(seed)
    draft, table = made.table("ecarte_foster", 2), made.table("ecarte_foster", 2)
    folder = Path(made.settings.db).parent / "fuzz"
    seats = seats_at(made.url, table, folder, wait=0)
    together([seat.sit for seat in seats])
    for seat in seats:
        seat.close()
    link = http.client.HTTPConnection("127.0.0.1", made.settings.port, timeout=30)
    link.request("GET", "/openapi.json")
    told = json.loads(link.getresponse().read())
    names = told["components"]["schemas"]
    operations = [(p, m, o) for p, ways in told["paths"].items() for m, o in ways.items()]
    found: Counter[int] = Counter()
    for _ in range(cases):
        path, method, operation = rng.choice(operations)
        for name in ("table", "pack", "tile"):
            choice = {
                "table": [table.table, table.table, draft.table, "t-0", "%00", "é".encode().hex()],
                "pack": ["1", "0", "-1", "99999999999", "x"],
                "tile": ["0/000", "entries/000.p/1", "9/999", "..%2f..%2fetc", "0/x001/000.p/256"],
            }[name]
            path = path.replace("{" + name + "}", rng.choice(choice))
        query = [
            f"{p['name']}={value(p['schema'], names, rng)}"
            for p in operation["parameters"]
            if p["in"] == "query" and p["name"] != "wait" and rng.random() < 0.8
        ]
        if query:
            path += "?" + "&".join(q.replace(" ", "%20") for q in query if q.isascii())
        body, headers = None, {}
        if "requestBody" in operation:
            kind = operation["requestBody"]["content"]["application/json"]["schema"]
            sent = _patient(value(kind, names, rng))
            body = json.dumps(sent).encode()
            headers = {"content-type": rng.choice(["application/json"] * 9 + ["text/plain"])}
            if rng.random() < 0.05:
                body = body[: len(body) // 2]
        verb = method.upper() if rng.random() < 0.97 else rng.choice(["PUT", "DELETE", "PATCH"])
        link.request(verb, path.replace("\u0000", "%00"), body, headers)
        answer = link.getresponse()
        data = answer.read()
        found[answer.status] += 1
        where = f"{verb} {path}"
        assert answer.status < 500, where
        known = {*operation["responses"], "405"}
        assert str(answer.status) in known, f"{where}: {answer.status} is not described"
        if answer.status >= 400:
            assert answer.headers["content-type"] == "application/problem+json", where
            assert json.loads(data)["status"] == answer.status, where
    link.close()
    return found


def _patient(sent: Any) -> Any:
    """Take long waits out of a body, so that the run does not stand still."""
    if isinstance(sent, dict):
        return {
            k: 0 if k == "wait" and isinstance(v, int) else _patient(v) for k, v in sent.items()
        }
    return [_patient(v) for v in sent] if isinstance(sent, list) else sent


def main() -> None:
    """Run the long form."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, house(Path(folder) / "house") as made:
        found = run(made, args.cases, args.seed)
    print(f"{args.cases} cases: " + ", ".join(f"{s}: {n}" for s, n in sorted(found.items())))


if __name__ == "__main__":
    main()
