/* The second verifier: written from PROTOCOL.md alone, shares no code with the first.
 *
 * verifyTable(text, anchor | null) and verifySet(text, seal | null) resolve to
 * {state, where, what, steps, dealt, ...} and never throw for content. Plain JavaScript on
 * WebCrypto; loads in a page and in Node. Sets in bulk are checked by verify_bulk.js.
 */
(function (root) {
"use strict";

const MOST_STEPS = 100000;
const MOST_EVENTS = 20000;
const NESTING = 64;
const WHOLE = Number.MAX_SAFE_INTEGER;
const NOBODY = 254;
const EVERYBODY = 255;

class NotVerified extends Error {
  constructor(where, what) {
    super(where + ": " + what);
    this.where = where;
    this.what = what;
  }
}

class CannotCheck extends Error {
  constructor(where, what) {
    super(where + ": " + what);
    this.where = where;
    this.what = what;
  }
}

function need(truth, where, what) {
  if (!truth) throw new NotVerified(where, what);
}

// ---- bytes

function ascii(text) {
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 255) throw new NotVerified("text", "character");
    out[i] = code;
  }
  return out;
}

function join(parts) {
  let size = 0;
  for (const part of parts) size += part.length;
  const out = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function same(a, b) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function hex(bytes) {
  let out = "";
  for (const b of bytes) out += (b < 16 ? "0" : "") + b.toString(16);
  return out;
}

function unhex(text) {
  const out = new Uint8Array(text.length / 2);
  for (let i = 0; i < out.length; i++) out[i] = parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return out;
}

function u32(value) {
  return new Uint8Array([value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]);
}

function u64(value) {
  let rest = BigInt(value);
  const out = new Uint8Array(8);
  for (let i = 7; i >= 0; i--) {
    out[i] = Number(rest & 255n);
    rest >>= 8n;
  }
  return out;
}

/** Standard base64 with padding, one spelling only; null when it is not. */
function unbase64(text) {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return null;
  const plain = atob(text);
  return btoa(plain) === text ? ascii(plain) : null;
}

// ---- canonical JSON

/** Reads the one spelling that the protocol allows; objects come back as Maps. */
function parse(text, where) {
  let at = 0;
  const fail = () => { throw new NotVerified(where, "canonical JSON"); };
  function string() {
    if (text[at++] !== '"') fail();
    let out = "";
    for (;;) {
      if (at >= text.length) fail();
      const c = text[at++];
      if (c === '"') return out;
      const code = c.charCodeAt(0);
      if (code < 0x20 || code > 0x7e) fail();
      if (c === "\\") {
        const next = text[at++];
        if (next !== '"' && next !== "\\") fail();
        out += next;
      } else out += c;
    }
  }
  function number() {
    const start = at;
    while (at < text.length && text[at] >= "0" && text[at] <= "9") at++;
    const digits = text.slice(start, at);
    if (digits.length > 16 || (digits.length > 1 && digits[0] === "0")) fail();
    const value = Number(digits);
    if (value > WHOLE) fail();
    return value;
  }
  function value(depth) {
    if (depth > NESTING) fail();
    const c = text[at];
    if (c === '"') return string();
    if (c >= "0" && c <= "9") return number();
    if (c === "[") {
      const out = [];
      at++;
      if (text[at] === "]") { at++; return out; }
      for (;;) {
        out.push(value(depth + 1));
        const next = text[at++];
        if (next === "]") return out;
        if (next !== ",") fail();
      }
    }
    if (c === "{") {
      const out = new Map();
      let last = null;
      at++;
      if (text[at] === "}") { at++; return out; }
      for (;;) {
        const name = string();
        if (last !== null && !(last < name)) fail();
        last = name;
        if (text[at++] !== ":") fail();
        out.set(name, value(depth + 1));
        const next = text[at++];
        if (next === "}") return out;
        if (next !== ",") fail();
      }
    }
    return fail();
  }
  const out = value(1);
  if (at !== text.length || encode(out) !== text) fail();
  return out;
}

function encode(value) {
  if (typeof value === "string") return '"' + value.replace(/["\\]/g, "\\$&") + '"';
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return "[" + value.map(encode).join(",") + "]";
  const names = [...value.keys()].sort();
  return "{" + names.map((n) => encode(n) + ":" + encode(value.get(n))).join(",") + "}";
}

// ---- form: a shape takes (value, where, path) and returns the checked value

const F = {
  whole: (low = 0, high = WHOLE) => (v, where, path) => {
    need(Number.isInteger(v) && v >= low && v <= high, where, path);
    return v;
  },
  text: (v, where, path) => {
    need(typeof v === "string", where, path);
    return v;
  },
  literal: (...wanted) => (v, where, path) => {
    need(wanted.includes(v), where, path);
    return v;
  },
  hex: (size) => (v, where, path) => {
    need(typeof v === "string" && /^[0-9a-f]*$/.test(v) && v.length % 2 === 0, where, path);
    need(size === null || v.length === 2 * size, where, path);
    return v;
  },
  list: (shape, least = 0, most = WHOLE) => (v, where, path) => {
    need(Array.isArray(v) && v.length >= least && v.length <= most, where, path);
    return v.map((x, i) => shape(x, where, path + "[" + i + "]"));
  },
  object: (shapes) => (v, where, path) => {
    need(v instanceof Map, where, path || "form");
    const dot = path ? path + "." : "";
    const out = Object.create(null);
    for (const [name, inner] of v) {
      need(Object.prototype.hasOwnProperty.call(shapes, name), where, dot + name);
      out[name] = shapes[name](inner, where, dot + name);
    }
    for (const name of Object.keys(shapes)) need(name in out, where, dot + name);
    return out;
  },
  either: (test, yes, no) => (v, where, path) => (test(v) ? yes : no)(v, where, path),
  raw: (v) => v,
  like: (pattern) => (v, where, path) => {
    need(typeof v === "string" && pattern.test(v), where, path);
    return v;
  },
};
const NAME = F.like(/^[a-z0-9][a-z0-9_-]{0,63}$/);
const SECONDS = F.whole(1, 604800);
const SEAT = F.whole(0, 77);
const hex32 = F.hex(32);
const signed = F.object({ body: F.hex(null), sig: F.hex(64) });
const noneOr = (shape) => F.either((v) => v === "none", F.text, shape);

const MANIFEST = F.object({
  alg: F.literal("fairdeal-table/1"), dealer: SEAT, forfeit: F.literal("loses the pack"),
  game: NAME, kind: F.literal("table"), last_opening: F.whole(), law: hex32, ledger_key: hex32,
  limits: F.object({ choice: SECONDS, commit: SECONDS, decide: SECONDS, open: SECONDS }),
  min_cut: F.whole(0, 39), nonce: hex32, opening: F.literal("pack", "session"), options: F.raw,
  origin: F.like(/^[!-*,-~]{1,200}$/), pack: F.whole(2, 78), packs: F.whole(1, 10000),
  quorum: F.whole(0, 32), relay: noneOr(F.whole(0, 31)), seat_nonces: F.list(hex32),
  seats: F.list(hex32, 2, 78), table: NAME, v: F.literal(1), voids: F.whole(1, 1000),
  witnesses: F.list(F.object({ key: hex32, name: F.like(/^[!-*,-~]{1,100}$/) }), 0, 32),
});
const ENTRY = {
  table: F.object({ kind: F.literal("table"), law: F.raw, manifest: MANIFEST, sigs: F.list(F.hex(64)) }),
  batch: F.object({ kind: F.literal("batch"), mh: hex32, root: hex32, size: F.whole(1, 10000000) }),
  call: F.object({
    batch: hex32, commitment: hex32, dealer: F.whole(), dealt: F.whole(), kind: F.literal("call"),
    mh: hex32, pack: F.whole(1), path: F.list(hex32), pone: F.whole(), prev: hex32,
  }),
  closing: F.object({ call: hex32, commits: F.list(signed), kind: F.literal("closing"), mh: hex32, pack: F.whole(1) }),
  root: F.object({
    closing: hex32, held: noneOr(signed), kind: F.literal("root"), mh: hex32, opens: F.list(signed),
    pack: F.whole(1), root: hex32,
  }),
  choices: F.object({
    after: hex32, kind: F.literal("choices"), mh: hex32, pack: F.whole(1),
    choices: F.list(F.object({ name: F.text, nonce: hex32, seat: F.whole(), value: F.whole() })),
  }),
  end: F.object({ items: F.whole(), kind: F.literal("end"), mh: hex32, pack: F.whole(1), th: hex32 }),
  opened: F.object({
    end: hex32, kind: F.literal("opened"), mh: hex32, pack: F.whole(1), secret: F.hex(64),
    discards: F.list(F.object({ item: F.whole(), leaves: F.list(F.whole()), nonce: hex32 })),
  }),
};
const KINDS = Object.keys(ENTRY);
const TRANSCRIPT = F.object({
  anchors: F.list(F.object({ consistency: F.list(hex32), root: hex32, size: F.whole() })),
  checkpoint: F.hex(null),
  entries: F.list(F.object({ entry: F.text, index: F.whole(), path: F.list(hex32) })),
  items: F.list(signed),
  kind: F.literal("fairdeal-transcript/1"),
});

// ---- hashes and signatures

const subtle = () => {
  const found = root.crypto && root.crypto.subtle;
  if (!found) throw new CannotCheck("browser", "WebCrypto is missing; open the saved page as a file or by https");
  return found;
};

async function H(...parts) {
  return new Uint8Array(await subtle().digest("SHA-256", join(parts)));
}

/** T(label, fields): a number is 8 bytes, a string its characters, bytes themselves. */
function T(label, ...fields) {
  const name = ascii("fairdeal/1/" + label);
  const parts = [new Uint8Array([name.length]), name];
  for (const field of fields) {
    const bytes = typeof field === "number" ? u64(field) : typeof field === "string" ? ascii(field) : field;
    parts.push(u32(bytes.length), bytes);
  }
  return join(parts);
}

async function hmac(key, data) {
  const made = await subtle().importKey("raw", key, { name: "HMAC", hash: "SHA-512" }, false, ["sign"]);
  return new Uint8Array(await subtle().sign("HMAC", made, data));
}

async function expand(key, info, size) {
  const made = await subtle().importKey("raw", key, { name: "HMAC", hash: "SHA-512" }, false, ["sign"]);
  const parts = [];
  let last = new Uint8Array(0);
  for (let i = 1; 64 * (i - 1) < size; i++) {
    const data = join([last, info, new Uint8Array([i])]);
    last = new Uint8Array(await subtle().sign("HMAC", made, data));
    parts.push(last);
  }
  return join(parts).slice(0, size);
}

async function signatureHolds(key, sig, data) {
  try {
    const made = await subtle().importKey("raw", key, { name: "Ed25519" }, false, ["verify"]);
    return await subtle().verify({ name: "Ed25519" }, made, sig, data);
  } catch (error) {
    if (error && error.name === "DataError") return false;
    throw error;
  }
}

const FIELD = 2n ** 255n - 19n;
/** y of the points of order 1, 2, 4 and 8, whose signatures fit many messages. */
const SMALL_ORDER = [
  1n, FIELD - 1n, 0n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
];

/** Whether nobody can hold this key: small order, or a second spelling of y. */
function weakKey(bytes) {
  let y = 0n;
  for (let i = 31; i >= 0; i--) y = (y << 8n) | BigInt(i === 31 ? bytes[i] & 127 : bytes[i]);
  return y >= FIELD || SMALL_ORDER.includes(y);
}

/** RFC 8032, 7.1, test 1: the browser has Ed25519, and it is Ed25519. */
async function needEd25519() {
  const key = unhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
  const sig = unhex("e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b");
  let holds = false;
  subtle();
  try {
    holds = await signatureHolds(key, sig, new Uint8Array(0));
  } catch (error) {
    holds = false;
  }
  if (!holds) throw new CannotCheck("browser", "Ed25519 is missing from this browser's WebCrypto");
}

// ---- trees (RFC 9162)

const leafHash = (bytes) => H(new Uint8Array([0]), bytes);
const nodeHash = (l, r) => H(new Uint8Array([1]), l, r);

async function treeRoot(leaves) {
  if (leaves.length === 0) return H();
  if (leaves.length === 1) return leaves[0];
  let half = 1;
  while (2 * half < leaves.length) half *= 2;
  return nodeHash(await treeRoot(leaves.slice(0, half)), await treeRoot(leaves.slice(half)));
}

/** RFC 9162, 2.1.3.2. */
async function included(leaf, index, size, path, wanted) {
  if (index >= size) return false;
  let fn = BigInt(index);
  let sn = BigInt(size) - 1n;
  let r = leaf;
  for (const p of path) {
    if (sn === 0n) return false;
    if ((fn & 1n) === 1n || fn === sn) {
      r = await nodeHash(p, r);
      while ((fn & 1n) === 0n && fn !== 0n) { fn >>= 1n; sn >>= 1n; }
    } else r = await nodeHash(r, p);
    fn >>= 1n;
    sn >>= 1n;
  }
  return sn === 0n && same(r, wanted);
}

/** RFC 9162, 2.1.4.2; a tree is consistent with itself by the empty path. */
async function consistent(first, second, firstRoot, secondRoot, given) {
  if (first < 1 || first > second) return false;
  if (first === second) return given.length === 0 && same(firstRoot, secondRoot);
  if (given.length === 0) return false;
  const path = Number.isInteger(Math.log2(first)) && (BigInt(first) & (BigInt(first) - 1n)) === 0n ? [firstRoot, ...given] : given.slice();
  let fn = BigInt(first) - 1n;
  let sn = BigInt(second) - 1n;
  while ((fn & 1n) === 1n) { fn >>= 1n; sn >>= 1n; }
  let fr = path[0];
  let sr = path[0];
  for (const c of path.slice(1)) {
    if (sn === 0n) return false;
    if ((fn & 1n) === 1n || fn === sn) {
      fr = await nodeHash(c, fr);
      sr = await nodeHash(c, sr);
      while ((fn & 1n) === 0n && fn !== 0n) { fn >>= 1n; sn >>= 1n; }
    } else sr = await nodeHash(sr, c);
    fn >>= 1n;
    sn >>= 1n;
  }
  return sn === 0n && same(fr, firstRoot) && same(sr, secondRoot);
}

// ---- signed notes

function readNote(bytes) {
  const fail = () => { throw new NotVerified("checkpoint", "note"); };
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    fail();
  }
  if (bytes.length > 65536 || /[\x00-\x09\x0b-\x1f]/.test(text)) fail();
  const cut = text.lastIndexOf("\n\n");
  if (cut < 0 || !text.endsWith("\n")) fail();
  const body = text.slice(0, cut + 1);
  const lines = body.split("\n");
  if (lines.length !== 4 || lines[0] === "") fail();
  if (!/^(0|[1-9][0-9]{0,15})$/.test(lines[1]) || Number(lines[1]) > WHOLE) fail();
  const head = unbase64(lines[2]);
  if (head === null || head.length !== 32) fail();
  const given = text.slice(cut + 2, -1).split("\n");
  if (given.length > 64) fail();
  const signatures = given.map((line) => {
    const found = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/=]+)$/u.exec(line);
    const blob = found && unbase64(found[2]);
    if (!blob || blob.length < 5) fail();
    return { name: found[1], id: blob.slice(0, 4), bytes: blob.slice(4) };
  });
  return { origin: lines[0], size: Number(lines[1]), root: head, body, signatures };
}

async function keyId(name, algorithm, key) {
  return (await H(new TextEncoder().encode(name), new Uint8Array([10, algorithm]), key)).slice(0, 4);
}

/** The ledger signed the note; returns how many named witnesses cosigned it. */
async function checkNote(note, manifest) {
  const text = new TextEncoder();
  const body = text.encode(note.body);
  need(note.origin === manifest.origin, "checkpoint", "signature");
  const ledger = unhex(manifest.ledger_key);
  const id = await keyId(manifest.origin, 1, ledger);
  const own = note.signatures.filter((s) => s.name === manifest.origin && same(s.id, id));
  need(own.length === 1 && own[0].bytes.length === 64, "checkpoint", "signature");
  need(await signatureHolds(ledger, own[0].bytes, body), "checkpoint", "signature");
  let count = 0;
  for (const witness of manifest.witnesses) {
    const key = unhex(witness.key);
    const theirs = await keyId(witness.name, 4, key);
    const lines = note.signatures.filter((s) => s.name === witness.name && same(s.id, theirs));
    if (lines.length === 0) continue;
    need(lines.length === 1 && lines[0].bytes.length === 72, "checkpoint", "cosignature");
    const time = new DataView(lines[0].bytes.buffer, lines[0].bytes.byteOffset, 8).getBigUint64(0);
    const signedText = text.encode("cosignature/v1\ntime " + time.toString() + "\n");
    need(time < 2n ** 63n, "checkpoint", "cosignature");
    const holds = await signatureHolds(key, lines[0].bytes.slice(8), join([signedText, body]));
    need(holds, "checkpoint", "cosignature");
    count++;
  }
  return count;
}

// ---- order, salts

async function extract(seed) {
  return hmac(ascii("fairdeal/1/extract"), seed);
}

async function orderOf(prk, cards) {
  return drawn(cards, new Uint8Array(0), 0, 0, (k) => expand(prk, T("order", k), 256));
}

/** An order by the words of block[at..end), then those of more(0), more(1), ... */
async function drawn(cards, block, at, end, more) {
  const a = Array.from({ length: cards }, (_, i) => i);
  let k = 0;
  for (let i = cards - 1; i >= 1; i--) {
    const bound = 4294967296 - (4294967296 % (i + 1));
    let x;
    do {
      if (at === end) {
        block = await more(k++);
        at = 0;
        end = block.length;
      }
      x = ((block[at] << 24) | (block[at + 1] << 16) | (block[at + 2] << 8) | block[at + 3]) >>> 0;
      at += 4;
    } while (x >= bound);
    const j = x % (i + 1);
    [a[i], a[j]] = [a[j], a[i]];
  }
  return a;
}

async function saltsOf(prk, cards) {
  const stream = await expand(await expand(prk, T("salt-key"), 64), T("salt"), 16 * cards);
  return Array.from({ length: cards }, (_, i) => stream.slice(16 * i, 16 * i + 16));
}

// ---- frames received

function unframe(bytes, label, lengths) {
  const name = ascii("fairdeal/1/" + label);
  need(bytes.length > name.length && bytes[0] === name.length && same(bytes.slice(1, 1 + name.length), name), label, "label");
  const fields = [];
  let at = 1 + name.length;
  while (at < bytes.length) {
    need(at + 4 <= bytes.length, label, "length");
    const size = ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0;
    at += 4;
    need(at + size <= bytes.length, label, "length");
    fields.push(bytes.slice(at, at + size));
    at += size;
  }
  need(fields.length === lengths.length, label, "length");
  lengths.forEach((size, i) => need(size === null || fields[i].length === size, label, "length"));
  return fields;
}

function integer(bytes, where, what) {
  let out = 0n;
  for (const b of bytes) out = (out << 8n) | BigInt(b);
  need(out <= BigInt(WHOLE), where, what);
  return Number(out);
}

function words(bytes, where, what) {
  for (const b of bytes) need(b >= 0x20 && b <= 0x7e, where, what);
  return String.fromCharCode(...bytes);
}

// ---- the law as data

const WHO = ["eldest", "pone", "dealer", "it", "lead", "next"];
const RULES = ["ace", "seven of diamonds", "suit", "winner"];
const PUBLIC = ["turnup", "board", "trick", "won"];

const zone = (...refused) => (v, where, path) => {
  need(typeof v === "string" && /^[a-z]{1,16}$/.test(v) && !refused.includes(v), where, path);
  return v;
};
const counted = zone("hand", "under");
const count = (v, where, path) => {
  if (Number.isInteger(v)) return v;
  need(v instanceof Map, where, path);
  if (v.has("named")) return F.object({ named: F.text })(v, where, path);
  if (v.has("above")) return F.object({ above: F.whole() })(v, where, path);
  if (v.has("size")) return F.object({ size: counted })(v, where, path);
  return F.object({ each: F.whole(), plus: F.whole() })(v, where, path);
};
const answer = (v, where, path) => {
  need(typeof v === "string" || Number.isInteger(v), where, path);
  return v;
};
const seatWord = F.literal(...WHO);
const steps = (v, where, path) => F.list(step)(v, where, path);
// A pick that is seen may also go to the hand of a named plan seat.
const seenTo = (v, where, path) =>
  typeof v === "string" && /^hand [1-9][0-9]?$/.test(v) ? v : zone("stock")(v, where, path);
// Steps that may say that the dealer sits out.
const OUT = ["deal", "each"];
const STEP = {
  deal: { cards: count, widow: F.whole() },
  lay: { to: zone("hand", "stock"), cards: count },
  draw: { who: seatWord, cards: count },
  ask: {
    who: F.literal(...WHO, "cards"), name: F.text, choices: F.list(F.text), seat: F.literal(0, 1),
    least: F.whole(), most: count, once: F.list(F.text),
  },
  pick: {
    who: seatWord, from: zone("stock", "under"), to: seenTo, hidden: F.literal(0, 1),
    cards: F.either((v) => v === "all", F.text, count),
  },
  when: { name: F.text, answers: F.list(answer), then: steps, else: steps },
  each: { from: seatWord, steps },
  again: {
    needs: count, most: F.either((v) => v === "any", F.text, F.whole()), steps,
    while: (v, where, path) => {
      need(v instanceof Map, where, path);
      for (const list of v.values()) F.list(answer)(list, where, path);
      return v;
    },
  },
  turn: {},
};

function step(v, where, path) {
  need(v instanceof Map && typeof v.get("step") === "string", where, path);
  const kind = v.get("step");
  need(Object.prototype.hasOwnProperty.call(STEP, kind), where, path + ".step");
  const out = OUT.includes(kind) && v.has("out") ? { out: F.literal(1) } : {};
  const read = F.object({ step: F.text, ...STEP[kind], ...out })(v, where, path);
  need(!(kind === "pick" && read.hidden === 1 && read.to.startsWith("hand ")), where, "hidden");
  return read;
}

const LAW = F.object({ id: F.text, pack: F.list(F.whole(0, 77), 2, 78), plan: steps, shown: F.list(F.text) });

const INNER = ["steps", "then", "else"];

/** Every step of a plan, those inside others too. */
function all(plan, found) {
  for (const s of plan) {
    found.push(s);
    for (const name of INNER) if (Array.isArray(s[name])) all(s[name], found);
  }
  return found;
}

/** Whether a step that stands in no `each` names the seat in turn. */
function itOutside(plan) {
  return plan.some((s) => s.who === "it" || (s.step === "each" && s.from === "it") ||
    (s.step !== "each" && INNER.some((name) => Array.isArray(s[name]) && itOutside(s[name]))));
}

function readLaw(value) {
  const law = LAW(value, "table", "law");
  for (let i = 1; i < law.pack.length; i++) need(law.pack[i - 1] < law.pack[i], "table", "law.pack");
  const every = all(law.plan, []);
  const asks = every.filter((s) => s.step === "ask");
  const picks = every.filter((s) => s.step === "pick");
  const hidden = picks.filter((s) => s.hidden === 1);
  const rules = [...new Set(asks.filter((s) => s.who === "cards").map((s) => s.name))].sort();
  for (const rule of rules) need(RULES.includes(rule), "table", "law.plan");
  need(encode(law.shown) === encode(rules), "table", "law.shown");
  for (const s of asks) need(s.seat === 0 || s.choices.length === 0, "table", "law.choices");
  need(!itOutside(law.plan), "table", "law.plan");
  for (const s of hidden) {
    const seen = PUBLIC.includes(s.to) || s.to === "hand" || s.to === "under";
    need(s.from === "hand" && !seen, "table", "law.hidden");
    need(!picks.some((p) => p.from === s.to), "table", "law.hidden");
  }
  const packets = asks.filter((s) => s.name === "packets");
  need(packets.length <= 1, "table", "law.packets");
  for (const s of packets) {
    const plain = law.plan.includes(s) && s.who === "dealer" && s.choices.length && !s.once.length;
    need(plain, "table", "law.packets");
  }
  law.packets = packets[0] || null;
  return law;
}

class Short extends Error {}

/** Follows a plan over the places 0..N-1 of the cut pack.
 *
 * Seats are plan seats 1..n. It is a generator of {ask | pick} questions, answered by a string,
 * a number, or the places moved; moves gather in `moves` until somebody takes them away.
 */
class Course {
  constructor(law, seats, cardAt, options) {
    this.law = law;
    this.n = seats;
    this.cardAt = cardAt;
    this.trump = options instanceof Map ? options.get("trump") : undefined;
    this.stock = Array.from({ length: law.pack.length }, (_, p) => p);
    this.hands = Array.from({ length: seats + 1 }, () => []);
    this.away = new Array(seats + 1).fill(0);
    this.seen = Array.from({ length: seats + 1 }, () => new Set());
    this.open = new Set();
    this.zones = new Map();
    this.blind = new Map();
    this.laid = [];
    this.answers = [];
    this.lead = 1;
    this.it = 0;
    this.taken = new Set();
    this.moves = [];
    this.stepsDone = 0;
    this.eventsDone = 0;
  }

  lawFault(what) {
    return new NotVerified("course", what);
  }

  /** One step begun, turn of `each`, or round of `again`. */
  tick() {
    if (++this.stepsDone > MOST_STEPS) throw this.lawFault("steps without end");
  }

  /** One move of cards, or one question. */
  event() {
    if (++this.eventsDone > MOST_EVENTS) throw this.lawFault("steps without end");
  }

  zone(name) {
    if (!this.zones.has(name)) this.zones.set(name, []);
    return this.zones.get(name);
  }

  seat(who) {
    if (who === "eldest") return 1;
    if (who === "pone") return Math.max(1, this.n - 1);
    if (who === "dealer") return this.n;
    if (who === "lead") return this.lead;
    if (who === "next") return (this.lead % this.n) + 1;
    return who === "it" ? this.it : 0;
  }

  size(zone, seat) {
    if (zone === "hand") {
      if (seat === 0) throw this.lawFault("count");
      return this.hands[seat].length - this.away[seat];
    }
    if (zone === "stock") return this.stock.length;
    return this.zone(zone).length + (this.blind.get(zone) || 0);
  }

  count(value, seat) {
    if (typeof value === "number") return value;
    if ("each" in value) return value.each * this.n + value.plus;
    if ("size" in value) return this.size(value.size, seat);
    if ("above" in value) return Math.max(0, this.size("hand", seat) - value.above);
    const last = this.last(value.named, seat);
    if (typeof last !== "number") throw this.lawFault("count");
    return last;
  }

  /** Last answer to a name: of the seat if it was ever asked (0: the cards), else of anybody. */
  last(name, seat) {
    const given = this.answers.filter((a) => a.name === name);
    const own = given.filter((a) => a.seat === seat);
    const found = (own.length ? own : given).pop();
    return found === undefined ? undefined : found.value;
  }

  /** Puts a place into a hand and says what that move is in a deal. */
  toHand(place, seat, fromStock) {
    this.hands[seat].push(place);
    if (!this.open.has(place) && !this.seen[seat].has(place)) {
      this.seen[seat].add(place);
      this.moves.push([place, seat]);
    } else if (fromStock) this.moves.push([place, NOBODY]);
  }

  toZone(place, name, fromStock) {
    if (name === "under") this.stock.push(place);
    else this.zone(name).push(place);
    if (PUBLIC.includes(name) && !this.open.has(place)) {
      this.open.add(place);
      this.moves.push([place, EVERYBODY]);
    } else if (fromStock) this.moves.push([place, NOBODY]);
  }

  take(cards) {
    if (this.stock.length < cards) throw new Short();
    if (cards) this.event();
    return this.stock.splice(0, cards);
  }

  * run() {
    try {
      yield* this.steps(this.law.plan);
    } catch (error) {
      if (!(error instanceof Short)) throw error;
    }
  }

  * steps(list) {
    for (const s of list) {
      this.tick();
      yield* this[s.step](s);
    }
  }

  * deal(s) {
    const each = this.count(s.cards, this.it);
    for (let seat = 1; seat <= this.n; seat++) {
      if (seat === this.n) for (const p of this.take(s.widow)) this.toZone(p, "widow", true);
      if (seat === this.n && s.out === 1) continue;
      for (const p of this.take(each)) this.toHand(p, seat, true);
    }
  }

  * lay(s) {
    for (const p of this.take(this.count(s.cards, this.it))) this.toZone(p, s.to, true);
  }

  * draw(s) {
    const seat = this.seat(s.who);
    for (const p of this.take(this.count(s.cards, seat))) this.toHand(p, seat, true);
  }

  * turn() {
    this.stock.reverse();
  }

  * when(s) {
    yield* this.steps(s.answers.includes(this.last(s.name, this.it)) ? s.then : s.else);
  }

  * each(s) {
    const first = this.seat(s.from);
    const before = this.it;
    for (let i = 0; i < this.n; i++) {
      const seat = ((first - 1 + i) % this.n) + 1;
      if (seat === this.n && s.out === 1) continue;
      this.tick();
      this.it = seat;
      yield* this.steps(s.steps);
    }
    this.it = before;
  }

  * again(s) {
    for (let round = 0; s.most === "any" || round < s.most; round++) {
      this.tick();
      if (this.stock.length < this.count(s.needs, this.it)) return;
      yield* this.steps(s.steps);
      for (const [name, given] of s.while) if (!given.includes(this.last(name, this.it))) return;
    }
  }

  * ask(s) {
    const seat = s.who === "cards" ? 0 : this.seat(s.who);
    let choices;
    if (s.choices.length) choices = s.choices.filter((c) => !this.taken.has(s.name + "\n" + c));
    else if (s.seat === 1) choices = Array.from({ length: this.n }, (_, i) => i + 1);
    else {
      const most = Math.min(this.count(s.most, seat), this.stock.length);
      const least = Math.min(s.least, most);
      choices = Array.from({ length: most - least + 1 }, (_, i) => least + i);
    }
    this.event();
    let value;
    if (seat === 0) {
      yield { kind: "cards" };
      value = this.rule(s.name);
      if (!choices.includes(value)) throw this.lawFault("rule");
    } else {
      const text = yield { kind: "ask", seat, name: s.name, choices: choices.map(String) };
      value = choices.find((c) => String(c) === text);
    }
    if (s.once.includes(value)) this.taken.add(s.name + "\n" + value);
    if (s.seat === 1) this.lead = value;
    this.answers.push({ name: s.name, seat, value });
  }

  /** The plan seat of a hand named by its number. */
  named(hand) {
    const seat = Number(hand.slice(5));
    if (seat > this.n) throw this.lawFault("plan");
    return seat;
  }

  * pick(s) {
    const seat = this.seat(s.who);
    const hand = s.from === "hand";
    const from = hand ? this.hands[seat] : this.zone(s.from);
    const unknown = hand ? this.away[seat] : this.blind.get(s.from) || 0;
    const move = (place) => {
      if (s.to === "hand") this.toHand(place, seat, false);
      else if (s.to.startsWith("hand ")) this.toHand(place, this.named(s.to), false);
      else this.toZone(place, s.to, false);
    };
    if (s.cards === "all") {
      if (this.size(s.from, seat) === 0) return;
      if (unknown) throw this.lawFault("hidden cards");
      this.event();
      for (const p of from.splice(0, from.length)) move(p);
      return;
    }
    const cards = Math.min(this.count(s.cards, seat), this.size(s.from, seat));
    if (cards === 0) return;
    const to = s.to === "hand" ? "hand " + seat : s.to;
    this.event();
    // The places that a hidden pick may have been; a card shown later was not laid away.
    const may = new Set(from);
    const places = yield { kind: "pick", seat, cards, to, hidden: s.hidden === 1, from: from.slice(), may };
    if (s.hidden === 1) {
      this.event();
      this.away[seat] += cards;
      this.laid.push({ seat, may, total: this.away[seat] });
      this.zone(s.to);
      this.blind.set(s.to, (this.blind.get(s.to) || 0) + cards);
      return;
    }
    if (hand) this.uncover(seat, places);
    this.event();
    for (const p of places) {
      from.splice(from.indexOf(p), 1);
      this.open.add(p);
      move(p);
    }
  }

  /** Shows places of a hand: for every hidden pick enough cards have to be left that it may be. */
  uncover(seat, places) {
    const mine = this.laid.filter((one) => one.seat === seat);
    for (const { may, total } of mine) {
      const left = may.size - places.filter((p) => may.has(p)).length;
      need(left >= total, "decide", "cards");
    }
    for (const { may } of mine) for (const p of places) may.delete(p);
  }

  /** What the public cards answer. */
  rule(name) {
    const cards = (zone) => this.zone(zone).map(this.cardAt);
    const suit = (card) => Math.floor(card / 13);
    if (name === "winner") {
      const trick = cards("trick");
      if (!trick.length) throw this.lawFault("rule");
      const named = this.trump || "";
      need(named === "" || ["S", "H", "D", "C"].includes(named), "manifest", "trump");
      const trump = named === "" ? -1 : "SHDC".indexOf(named);
      const ruling = trump >= 0 && trick.some((c) => suit(c) === trump) ? trump : suit(trick[0]);
      let best = -1;
      trick.forEach((c, i) => {
        if (suit(c) === ruling && (best < 0 || c > trick[best])) best = i;
      });
      return ((this.lead - 1 + best) % this.n) + 1;
    }
    const turned = cards("turnup");
    if (!turned.length) throw this.lawFault("rule");
    const last = turned[turned.length - 1];
    if (name === "suit") return suit(last) === suit(turned[0]) ? "same" : "new";
    if (name === "ace") return last % 13 === 12 ? "yes" : "no";
    return last === 2 * 13 + 5 ? "yes" : "no";
  }
}

// ---- the table, step by step

const STEPS = [
  ["form", "Form: canonical JSON, every field"],
  ["checkpoint", "Checkpoint: the ledger's signature and its witnesses"],
  ["inclusion", "Inclusion: every entry stands in the ledger"],
  ["table", "Law and manifest: hashes, limits, every seat's signature"],
  ["call", "Batch and call: the house's secret was fixed before"],
  ["closing", "Closing: every seat's commitment, signed"],
  ["openings", "Openings: what each seat committed to"],
  ["held", "Relay: it held all openings"],
  ["permutation", "Order: made from everybody's bytes, each card once"],
  ["root", "Root: the order was fixed before the cut"],
  ["choices", "Choices: the blind cut"],
  ["course", "Cards: the law's course, each delivery and decision"],
  ["end", "End: nothing left out"],
  ["opened", "Opened: the secret, the discards"],
  ["anchors", "Anchors: each ledger that a message named"],
  ["anchor", "Your own anchor"],
];

/** Reads an anchor: {size, root}, "size root" in hex or base64, or the text of a note. */
function readAnchor(given) {
  if (given === null || given === undefined || given === "") return null;
  if (typeof given === "object") given = given.size + " " + given.root;
  const words = given.trim().split(/\s+/);
  if (words.length === 2) {
    const root = /^[0-9a-f]{64}$/.test(words[1]) ? unhex(words[1]) : unbase64(words[1]);
    need(/^[1-9][0-9]{0,15}$/.test(words[0]) && Number(words[0]) <= WHOLE, "anchor", "size");
    need(root !== null && root.length === 32, "anchor", "root");
    return { size: Number(words[0]), root, note: null };
  }
  try {
    const note = readNote(new TextEncoder().encode(given.replace(/\r\n/g, "\n").trim() + "\n"));
    return { size: note.size, root: note.root, note };
  } catch (error) {
    throw new NotVerified("anchor", "note");
  }
}

function readJson(text, where) {
  try {
    return parse(text, where);
  } catch (error) {
    let plain = false;
    try {
      JSON.parse(text);
      plain = true;
    } catch (other) { /* not JSON at all */ }
    throw new NotVerified(where, plain ? "spelling" : "json");
  }
}

function readTranscript(text) {
  const t = TRANSCRIPT(readJson(text, "transcript"), "transcript", "");
  const entries = t.entries.map((e) => {
    const value = readJson(e.entry, "entry");
    const kind = value instanceof Map ? value.get("kind") : undefined;
    need(KINDS.includes(kind), "entry", "kind");
    const read = ENTRY[kind](value, kind, "");
    return { ...read, value, bytes: ascii(e.entry), index: e.index, proof: e.path.map(unhex) };
  });
  const kinds = entries.map((e) => e.kind);
  need(kinds.length >= 3 && kinds.length <= KINDS.length, "transcript", "entries");
  need(kinds.every((k, i) => k === KINDS[i]), "transcript", "entries");
  const by = Object.create(null);
  for (const e of entries) by[e.kind] = e;
  return { t, entries, by };
}

/** Checks what a manifest says before anybody signs it; gives the law that it binds. */
async function checkTerms(m, value) {
  need(hex(await H(T("law", ascii(encode(value))))) === m.law, "table", "manifest.law");
  const law = readLaw(value);
  need(law.id === m.game, "table", "law.id");
  need(m.pack === law.pack.length, "table", "manifest.pack");
  need(m.dealer < m.seats.length, "table", "manifest.dealer");
  need(2 * m.min_cut <= m.pack, "table", "manifest.min_cut");
  need(m.seat_nonces.length === m.seats.length, "table", "manifest.seat_nonces");
  const keys = [...m.seats, m.ledger_key, ...m.witnesses.map((w) => w.key)];
  need(new Set(keys).size === keys.length, "table", "keys");
  for (const key of keys) need(!weakKey(unhex(key)), "table", "keys");
  need(new Set(m.witnesses.map((w) => w.name)).size === m.witnesses.length, "table", "witnesses");
  need(m.relay === "none" || m.relay < m.witnesses.length, "table", "manifest.relay");
  need(m.options instanceof Map, "table", "manifest.options");
  for (const [name, v] of m.options) {
    need(/^[a-z0-9][a-z0-9_-]{0,63}$/.test(name), "table", "manifest.options");
    need(typeof v === "string" && v.length <= 64, "table", "manifest.options");
  }
  need(m.quorum <= m.witnesses.length, "table", "manifest.quorum");
  return law;
}

async function checkManifest(s) {
  const m = s.m;
  s.law = await checkTerms(m, s.by.table.value.get("law"));
  need(s.by.table.sigs.length === s.n, "table", "sigs");
  const text = T("sign-manifest", s.mh);
  for (let i = 0; i < s.n; i++) {
    need(await signatureHolds(unhex(m.seats[i]), unhex(s.by.table.sigs[i]), text), "table", "sigs[" + i + "]");
  }
}

async function checkCall(s) {
  const { batch, call } = s.by;
  const m = s.m;
  need(batch.size === m.packs, "batch", "size");
  need(call.pack <= m.packs, "call", "pack");
  need(call.batch === hex(await leafHash(batch.bytes)), "call", "batch");
  const commitment = await leafHash(unhex(call.commitment));
  const path = call.path.map(unhex);
  need(await included(commitment, call.pack - 1, batch.size, path, unhex(batch.root)), "call", "commitment");
  need(call.dealt < call.pack, "call", "dealt");
  need(call.dealer === (m.dealer + call.dealt) % s.n, "call", "dealer");
  need(call.pone === (call.dealer + s.n - 1) % s.n, "call", "pone");
  if (call.pack === 1) need(call.prev === hex(await leafHash(s.by.table.bytes)), "call", "prev");
  s.k = call.pack;
  s.SL = await leafHash(call.bytes);
  const th0 = await H(T("t0", s.mh, s.k, unhex(call.prev)));
  s.th = await thread(th0, "call", call.bytes);
  s.wanted = [[call.pone, "cut"]];
  if (s.law.packets) s.wanted.push([call.dealer, "packets"]);
}

const thread = (th, kind, bytes) => H(T("t", th, kind, bytes));

/** Checks a seat's signed message up to its payload, which it returns. */
async function message(s, given, seat, stepName, after, where, sigWhat) {
  const body = unhex(given.body);
  const f = unframe(body, "msg", [32, 8, 8, null, 32, 8, 32, null]);
  need(same(f[0], s.mh), where, "manifest");
  need(same(f[1], u64(s.k)), where, "pack");
  need(same(f[2], u64(seat)), where, "seat");
  need(same(f[3], ascii(stepName)), where, "step");
  need(same(f[4], s.th), where, "transcript");
  need(await signatureHolds(unhex(s.m.seats[seat]), unhex(given.sig), body), sigWhat[0], sigWhat[1]);
  const size = integer(f[5], where, "size");
  need(size > after, where, "size");
  s.named.push({ size, root: f[6] });
  return f[7];
}

async function checkClosing(s) {
  const closing = s.by.closing;
  need(closing.call === hex(s.SL), "closing", "call");
  need(closing.commits.length === s.n, "closing", "commits");
  s.commitments = [];
  for (let i = 0; i < s.n; i++) {
    const name = "commits[" + i + "]";
    const payload = await message(s, closing.commits[i], i, "commit", s.by.call.index, "commit of seat " + i, ["closing", name + ".sig"]);
    const count = 1 + s.wanted.filter((w) => w[0] === i).length;
    need(payload.length === 32 * count, "closing", name);
    s.commitments.push(Array.from({ length: count }, (_, j) => payload.slice(32 * j, 32 * j + 32)));
  }
  const own = s.commitments.map((c) => hex(c[0]));
  need(new Set(own).size === own.length, "closing", "commits");
  s.CL = await leafHash(closing.bytes);
  s.th = await thread(s.th, "closing", closing.bytes);
}

async function checkOpenings(s) {
  const entry = s.by.root;
  need(entry.closing === hex(s.CL), "root", "closing");
  need(entry.opens.length === s.n, "root", "opens");
  s.shares = [];
  for (let i = 0; i < s.n; i++) {
    const name = "opens[" + i + "]";
    const payload = await message(s, entry.opens[i], i, "open", s.by.closing.index, "open of seat " + i, ["root", name + ".sig"]);
    need(payload.length === 96 && same(payload.slice(0, 32), s.CL), "root", name);
    const share = payload.slice(32);
    need(same(await H(T("contrib", s.mh, s.k, i, s.SL, share)), s.commitments[i][0]), "root", name);
    s.shares.push(share);
  }
}

async function checkHeld(s) {
  const entry = s.by.root;
  if (s.m.relay === "none") {
    need(entry.held === "none", "root", "held");
    return null;
  }
  need(entry.held !== "none", "root", "held");
  const body = unhex(entry.held.body);
  const f = unframe(body, "held", [32, 8, 32, 32, 8]);
  const opens = await H(T("opens", ...entry.opens.flatMap((o) => [unhex(o.body), unhex(o.sig)])));
  need(same(f[0], s.mh) && same(f[1], u64(s.k)) && same(f[2], s.CL) && same(f[3], opens), "root", "held.body");
  integer(f[4], "root", "held.body");
  const key = unhex(s.m.witnesses[s.m.relay].key);
  need(await signatureHolds(key, unhex(entry.held.sig), body), "root", "held.sig");
  return "";
}

async function checkPermutation(s) {
  const secret = unhex(s.by.opened.secret);
  need(hex(await H(T("house", s.mh, s.k, secret))) === s.by.call.commitment, "opened", "secret");
  const prk = await extract(T("seed", s.mh, s.SL, s.CL, secret, ...s.shares));
  const N = s.m.pack;
  s.uncut = await orderOf(prk, N);
  s.salts = await saltsOf(prk, N);
  need(s.uncut.slice().sort((a, b) => a - b).every((c, i) => c === i), "permutation", "order");
}

async function checkRoot(s) {
  const leaves = [];
  for (let i = 0; i < s.uncut.length; i++) {
    leaves.push(await leafHash(T("card", s.mh, s.k, i, s.uncut[i], s.salts[i])));
  }
  need(hex(await treeRoot(leaves)) === s.by.root.root, "root", "root");
}

async function checkChoices(s) {
  const entry = s.by.choices;
  need(entry.after === hex(await leafHash(s.by.root.bytes)), "choices", "after");
  need(entry.choices.length === s.wanted.length, "choices", "choices");
  s.th = await thread(s.th, "root", s.by.root.bytes);
  for (let i = 0; i < s.wanted.length; i++) {
    const c = entry.choices[i];
    const [seat, name] = s.wanted[i];
    need(c.seat === seat && c.name === name, "choices", "choices[" + i + "]");
    const place = 1 + s.wanted.slice(0, i).filter((w) => w[0] === seat).length;
    const made = await H(T("choice", s.mh, s.k, seat, s.SL, name, c.value, unhex(c.nonce)));
    need(same(made, s.commitments[seat][place]), "choices", "choices[" + i + "]");
    if (name === "cut") {
      need(c.value >= s.m.min_cut && c.value <= s.m.pack - s.m.min_cut, "choices", "cut");
      s.depth = c.value;
    } else {
      need(c.value < s.law.packets.choices.length, "choices", "packets");
      s.packets = s.law.packets.choices[c.value];
    }
  }
  s.th = await thread(s.th, "choices", entry.bytes);
}

function cutPack(s) {
  const N = s.uncut.length;
  s.dealt = s.uncut.map((_, p) => s.law.pack[s.uncut[(s.depth + p) % N]]);
}

const pair = (item) => ascii(encode(new Map([["body", item.body], ["sig", item.sig]])));

/** Follows the plan and holds every item to what it must be. */
async function checkCourse(s) {
  const N = s.m.pack;
  const leafOf = (p) => (s.depth + p) % N;
  const placeOf = (leaf) => (leaf + N - s.depth) % N;
  const told = new Map();
  const lies = new Map();

  /** Takes the face of a place: the one of the order, or before the opening one card a place. */
  function checkFace(raw, p, where) {
    const f = unframe(raw, "face", [8, 8, 16]);
    const leaf = integer(f[0], where, "faces");
    const card = integer(f[1], where, "faces");
    need(leaf === leafOf(p) && card < N, where, "faces");
    if (s.uncut !== undefined) {
      need(card === s.uncut[leaf] && same(f[2], s.salts[leaf]), where, "faces");
      return;
    }
    if (!told.has(p)) told.set(p, raw);
    if (!lies.has(card)) lies.set(card, p);
    need(same(told.get(p), raw) && lies.get(card) === p, where, "faces");
    s.dealt[p] = s.law.pack[card];
  }

  const faceSize = T("face", 0, 0, new Uint8Array(16)).length;
  if (s.uncut === undefined) s.dealt = new Array(N).fill(-1);
  const tableSeat = (seat) => (s.by.call.dealer + seat) % s.n;
  const course = new Course(s.law, s.n, (p) => s.dealt[p], s.m.options);
  const house = unhex(s.m.ledger_key);
  let at = 0;
  s.shown = [];
  s.decisions = [];
  s.hides = [];

  /** Gives false where the items break off before the pack has an end. */
  async function deliver() {
    if (!course.moves.length) return true;
    const deal = course.moves.map(([p, to]) => [p, to === NOBODY || to === EVERYBODY ? to : tableSeat(to)]);
    course.moves = [];
    s.th = await thread(s.th, "deal", T("deal", ...deal.flat()));
    const targets = [...new Set(deal.map((d) => d[1]))].filter((to) => to !== NOBODY).sort((a, b) => a - b);
    for (const to of targets) {
      const where = to === EVERYBODY ? "delivery to all" : "delivery to seat " + to;
      const item = s.t.items[at];
      if (item === undefined && s.by.end === undefined) return false;
      need(item !== undefined, where, "delivery");
      at++;
      const body = unhex(item.body);
      const f = unframe(body, "deliver", [32, 8, 8, 32, null]);
      need(same(f[0], s.mh), where, "manifest");
      need(same(f[1], u64(s.k)), where, "pack");
      need(same(f[2], u64(to)), where, "seat");
      need(same(f[3], s.th), where, "transcript");
      need(await signatureHolds(house, unhex(item.sig), body), where, "signature");
      const places = deal.filter((d) => d[1] === to).map((d) => d[0]);
      need(f[4].length === faceSize * places.length, where, "faces");
      places.forEach((p, i) => checkFace(f[4].slice(faceSize * i, faceSize * (i + 1)), p, where));
      for (const p of places) s.shown.push({ place: p, card: s.dealt[p], to, by: "delivery" });
      if (to === EVERYBODY) s.after = await thread(s.th, "face", pair(item));
    }
    if (targets.includes(EVERYBODY)) s.th = s.after;
    return true;
  }

  function faces(bytes, cards, from, where) {
    const size = faceSize;
    need(bytes.length === cards * size, where, "faces");
    const places = [];
    for (let i = 0; i < cards; i++) {
      const one = bytes.slice(size * i, size * (i + 1));
      const f = unframe(one, "face", [8, 8, 16]);
      const leaf = integer(f[0], where, "faces");
      need(leaf < N, where, "faces");
      const p = placeOf(leaf);
      checkFace(one, p, where);
      need(from.includes(p) && !places.includes(p), where, "hand");
      places.push(p);
    }
    return places;
  }

  async function decide(q) {
    const seat = tableSeat(q.seat);
    const where = "decide of seat " + seat;
    const item = s.t.items[at++];
    need(item !== undefined, "items", "decide");
    const payload = await message(s, item, seat, "decide", s.by.choices.index, where, [where, "signature"]);
    let out;
    if (q.kind === "ask") {
      const f = unframe(payload, "answer", [null, null]);
      need(same(f[0], ascii(q.name)), where, "question");
      out = words(f[1], where, "answer");
      need(q.choices.includes(out), where, "answer");
      s.decisions.push({ seat, text: q.name + ": " + out });
    } else if (q.hidden) {
      const f = unframe(payload, "hide", [null, 8, 32]);
      need(same(f[0], ascii(q.to)), where, "zone");
      need(same(f[1], u64(q.cards)), where, "count");
      s.hides.push({ item: at - 1, seat, cards: q.cards, hash: f[2], may: q.may });
      s.decisions.push({ seat, text: "lays away " + q.cards + ", face down" });
    } else {
      const f = unframe(payload, "show", [null, null]);
      need(same(f[0], ascii(q.to)), where, "zone");
      out = faces(f[1], q.cards, q.from, where);
      for (const p of out) {
        s.shown.push({ place: p, card: s.dealt[p], to: EVERYBODY, by: "show" });
      }
      s.decisions.push({ seat, text: "shows", cards: out.map((p) => s.dealt[p]) });
    }
    s.th = await thread(s.th, "decide", pair(item));
    return out;
  }

  const walk = course.run();
  let reply;
  for (;;) {
    const { value: q, done } = walk.next(reply);
    reply = undefined;
    if (done) break;
    if (q.kind === "ask" && q.name === "packets") {
      reply = s.packets;
      continue;
    }
    if (!(await deliver())) return;
    if (q.kind === "cards") continue;
    if (s.t.items[at] === undefined && s.by.end === undefined) return;
    reply = await decide(q);
  }
  if (!(await deliver())) return;
  need(at === s.t.items.length, "items", "count");
}

async function checkEnd(s) {
  const end = s.by.end;
  need(end.items === s.t.items.length, "end", "items");
  need(end.th === hex(s.th), "end", "th");
}

async function checkOpened(s) {
  const opened = s.by.opened;
  need(opened.end === hex(await leafHash(s.by.end.bytes)), "opened", "end");
  const N = s.m.pack;
  const gone = new Map();
  let last = -1;
  for (let i = 0; i < opened.discards.length; i++) {
    const d = opened.discards[i];
    const name = "discards[" + i + "]";
    const hide = s.hides.find((h) => h.item === d.item);
    need(d.item > last && hide !== undefined, "opened", name + ".item");
    last = d.item;
    need(d.leaves.length === hide.cards && d.leaves.every((l) => l < N), "opened", name + ".leaves");
    const made = await H(T("discard", s.mh, s.k, hide.seat, unhex(d.nonce), ...d.leaves));
    need(same(made, hide.hash), "opened", name);
    for (const leaf of d.leaves) {
      const p = (leaf + N - s.depth) % N;
      need(hide.may.has(p) && !gone.has(p), "opened", name + ".leaves");
      gone.set(p, d.item);
    }
  }
  s.discards = [...gone].map(([p, item]) => ({ item, card: s.dealt[p] }));
  const shut = s.hides.length - opened.discards.length;
  return shut ? shut + " discards were not opened; the cards laid away are not known" : "";
}

async function checkAnchors(s) {
  s.proved = new Map([[s.note.size, hex(s.note.root)]]);
  for (const a of s.t.anchors) {
    need(a.size >= 1 && a.size <= s.note.size, "anchors", "sizes");
    const path = a.consistency.map(unhex);
    need(await consistent(a.size, s.note.size, unhex(a.root), s.note.root, path), "anchors", "path");
    s.proved.set(a.size, a.root);
  }
  for (const n of s.named) need(s.proved.get(n.size) === hex(n.root), "message", "checkpoint");
}

async function checkAnchor(s, anchor) {
  if (anchor.note !== null) {
    try {
      await checkNote(anchor.note, s.m);
    } catch (error) {
      if (error instanceof NotVerified) throw new NotVerified("anchor", error.what);
      throw error;
    }
  }
  need(anchor.size > s.by.call.index, "anchor", "size");
  need(s.proved.has(anchor.size), "anchor", "size");
  need(s.proved.get(anchor.size) === hex(anchor.root), "anchor", "root");
}

async function checkInclusion(s) {
  let last = -1;
  for (const e of s.entries) {
    need(e.index > last, e.kind, "index");
    last = e.index;
    need(await included(await leafHash(e.bytes), e.index, s.note.size, e.proof, s.note.root), e.kind, "path");
  }
  for (const e of s.entries.slice(1)) {
    need(e.mh === hex(s.mh), e.kind, "mh");
    if (e.kind !== "batch") need(e.pack === s.by.call.pack, e.kind, "pack");
  }
}

/** Runs named checks in order and turns the first failure into a verdict. */
async function runSteps(names, checks, after) {
  const out = { state: "", where: "", what: "", steps: [] };
  const list = names.map(([name, text]) => ({ name, title: text, ok: null, text: "not reached" }));
  out.steps = list;
  let current = 0;
  try {
    for (current = 0; current < names.length; current++) {
      const check = checks[names[current][0]];
      const said = check === undefined ? null : await check();
      list[current].ok = said === null ? null : true;
      list[current].text = said === null ? "not asked" : said || "holds";
    }
    Object.assign(out, after());
  } catch (error) {
    if (error instanceof NotVerified) {
      out.state = "does not verify";
      list[current].ok = false;
    } else if (error instanceof CannotCheck) out.state = "cannot check";
    else {
      out.state = "cannot check";
      error.where = "verifier";
      error.what = String(error && error.message);
    }
    out.where = error.where;
    out.what = error.what;
    list[current].text = error.where + ": " + error.what;
  }
  return out;
}

async function verifyTable(text, anchorGiven) {
  const s = { named: [] };
  let anchor = null;
  const opened = () => s.by.opened !== undefined;
  const has = (kind) => s.by[kind] !== undefined;
  const some = (check, kind) => async () => {
    if (kind !== undefined && !has(kind)) return null;
    const said = await check(s);
    return said === undefined ? "" : said;
  };
  const checks = {
    form: async () => {
      await needEd25519();
      Object.assign(s, readTranscript(text));
      anchor = readAnchor(anchorGiven);
      s.m = s.by.table.manifest;
      s.n = s.m.seats.length;
      s.mh = await H(T("manifest", ascii(encode(s.by.table.value.get("manifest")))));
      return "";
    },
    checkpoint: async () => {
      s.note = readNote(unhex(s.t.checkpoint));
      s.cosigned = await checkNote(s.note, s.m);
      need(s.m.quorum <= s.m.witnesses.length && s.cosigned >= s.m.quorum, "checkpoint", "quorum");
      return s.m.witnesses.length ? s.cosigned + " of " + s.m.witnesses.length + " witnesses" : "no witness: the order in time is the house's word";
    },
    inclusion: some(checkInclusion),
    table: some(checkManifest),
    call: some(checkCall),
    closing: some(checkClosing, "closing"),
    openings: some(checkOpenings, "root"),
    held: some(checkHeld, "root"),
    permutation: some(checkPermutation, "opened"),
    root: some(checkRoot, "opened"),
    choices: some(async () => {
      await checkChoices(s);
      if (opened()) cutPack(s);
    }, "choices"),
    course: async () => {
      if (!has("choices")) {
        need(s.t.items.length === 0, "items", "count");
        return null;
      }
      await checkCourse(s);
      return "";
    },
    end: some(checkEnd, "end"),
    opened: some(checkOpened, "opened"),
    anchors: some(checkAnchors),
    anchor: async () => {
      if (anchor === null) return null;
      await checkAnchor(s, anchor);
      return "";
    },
  };
  const out = await runSteps(STEPS, checks, () => {
    if (!opened()) return { state: "not opened yet" };
    return { state: anchor === null ? "agrees with itself" : "verified" };
  });
  out.seats = s.n || 0;
  out.dealt = [];
  out.shown = [];
  if (out.state === "verified" || out.state === "agrees with itself") {
    Object.assign(out, {
      dealt: s.dealt, shown: s.shown, decisions: s.decisions, discards: s.discards,
      dealer: s.by.call.dealer, pack: s.k, table: s.m.table, game: s.m.game,
      limits: s.m.witnesses.length ? [] : ["no witness: the order in time is the house's word"],
    });
  }
  return out;
}

// ---- sealed sets

const none = F.literal("none");
const MOST_VALUE = 1024;
const most = (size) => (v, where, path) => {
  need(typeof v === "string" && v.length <= size, where, path);
  return v;
};
const ENTROPY = F.object({
  bits: F.whole(0, 8192), corrected: F.literal("none", "first", "void"), late: F.literal("none", "wait", "void"),
  missing: F.literal("none", "void"), moment: F.whole(), pattern: most(1024), source: most(1100),
});
const SET_FIELDS = {
  deals: F.whole(1, 10000000), entropy: ENTROPY, game: NAME,
  kind: F.literal("set"), last_opening: none, law: F.like(/^[0-9A-Za-z][0-9A-Za-z.+-]{0,31}$/), ledger_key: none,
  limits: none, min_cut: F.whole(0, 39),
  nonce: hex32, origin: none, pack: F.whole(2, 78),
  place: F.object({ list: hex32, place: F.whole(1, 10000000), previous: hex32 }),
  players: F.whole(1, 78), quorum: none, seats: none, table: none, v: F.literal(1), voids: none, witnesses: none,
};
const SET_MANIFEST = F.object({ ...SET_FIELDS, alg: F.literal("fairdeal-set-hmac-hkdf-sha512/1") });
const SEAL = F.object({ kind: F.literal("fairdeal-set-seal/1"), manifest: SET_MANIFEST, root: hex32 });
const OPENED_SET = F.object({
  kind: F.literal("fairdeal-set-opened/1"), notes: F.list(F.text), seal: SEAL, value: F.hex(null),
  sessions: F.list(F.object({ deal: F.whole(1), key: F.hex(64), order: F.list(F.whole()), path: F.list(hex32) }), 1),
});

const IN_CLASS = /[A-Za-z0-9 _.,:/+=-]/;
const ALONE = /[A-Za-z0-9 _,:;/=@#%&!~'"<>-]/;

/** Items of a pattern: {codes: set of character codes, least, most}. */
function readPattern(text) {
  const bad = () => { throw new NotVerified("manifest", "entropy.pattern"); };
  const items = [];
  let at = 0;
  let longest = 0;
  const escape = (c) => {
    if (c === "d") return Array.from({ length: 10 }, (_, i) => 48 + i);
    if (c === "n") return [10];
    if (c === undefined || !".\\[]{}()*+?|^$-".includes(c)) bad();
    return [c.charCodeAt(0)];
  };
  while (at < text.length) {
    let codes = [];
    const c = text[at++];
    if (c === "\\") codes = escape(text[at++]);
    else if (c === "[") {
      while (text[at] !== "]") {
        if (at >= text.length || !IN_CLASS.test(text[at])) bad();
        const low = text.charCodeAt(at++);
        let high = low;
        if (text[at] === "-" && at + 1 < text.length && IN_CLASS.test(text[at + 1])) {
          high = text.charCodeAt(at + 1);
          at += 2;
        }
        if (high < low) bad();
        for (let x = low; x <= high; x++) codes.push(x);
      }
      at++;
      if (!codes.length) bad();
    } else if (!ALONE.test(c)) bad();
    else codes = [c.charCodeAt(0)];
    let least = 1;
    let most = 1;
    const times = /^\{([0-9]{1,4})(?:,([0-9]{1,4}))?\}/.exec(text.slice(at));
    if (times) {
      least = Number(times[1]);
      most = times[2] === undefined ? least : Number(times[2]);
      if (most < least || most < 1) bad();
      at += times[0].length;
    }
    longest += most;
    if (longest > MOST_VALUE) bad();
    items.push({ codes: new Set(codes), least, most });
  }
  return items;
}

/** The whole value matches: positions reachable after each item. */
function matches(items, value) {
  let here = new Set([0]);
  for (const item of items) {
    const next = new Set();
    for (const start of here) {
      for (let n = 0; n <= item.most; n++) {
        if (n >= item.least) next.add(start + n);
        if (start + n >= value.length || !item.codes.has(value[start + n])) break;
      }
    }
    here = next;
  }
  return here.has(value.length);
}

/** At most how many values a pattern has. */
function capacity(items) {
  let all = 1n;
  for (const item of items) {
    let sum = 0n;
    for (let n = item.least; n <= item.most; n++) sum += BigInt(item.codes.size) ** BigInt(n);
    all *= sum;
  }
  return all;
}

/** The name of the first field in which two read values differ, or "". */
function difference(a, b, path) {
  if (a !== null && typeof a === "object") {
    for (const name of Object.keys(a)) {
      const found = difference(a[name], b[name], path ? path + "." + name : name);
      if (found) return found;
    }
    return "";
  }
  return a === b ? "" : path;
}

const SET_STEPS = [
  ["form", "Form: canonical JSON, every field"],
  ["entropy", "Public value: its rules and its form"],
  ["seal", "Your own copy of the seal"],
  ["notes", "Notes: what the set cannot promise"],
  ["sessions", "Deals: each key was under the seal, and makes this order"],
];

/** file:PATTERN of the same pattern, beacon:NAME@ROUND or from:NAME. */
function knownSource(e) {
  return e.source === "file:" + e.pattern || /^beacon:[a-z0-9][a-z0-9_-]{0,63}@[0-9]{1,16}$/.test(e.source) || /^from:[a-z0-9][a-z0-9_-]{0,63}$/.test(e.source);
}

/** The checks that both forms of a set have in common; `shape` is that of its seal. */
function setChecks(s, sealGiven, shape) {
  return {
    entropy: async () => {
      const e = s.m.entropy;
      need((s.m.place.place === 1) === (s.m.place.previous === "00".repeat(32)), "manifest", "place.previous");
      s.value = unhex(s.opened.value);
      if (e.source === "none") {
        const empty = e.bits === 0 && e.moment === 0 && e.pattern === "none" && e.corrected === "none" && e.late === "none" && e.missing === "none";
        need(empty, "manifest", "entropy");
        need(s.value.length === 0, "opened", "value");
        return "no public value";
      }
      need(e.corrected !== "none" && e.late !== "none" && e.missing !== "none" && e.pattern !== "none", "manifest", "entropy");
      need(e.moment >= 1, "manifest", "entropy.moment");
      need(knownSource(e), "manifest", "entropy.source");
      const items = readPattern(e.pattern);
      need(2n ** BigInt(e.bits) <= capacity(items), "manifest", "entropy.bits");
      need(s.value.length <= MOST_VALUE && matches(items, s.value), "opened", "value");
      return "";
    },
    seal: async () => {
      if (sealGiven === null || sealGiven === undefined || sealGiven === "") return null;
      const kept = shape(readJson(sealGiven.trim(), "seal"), "seal", "");
      const differs = difference(kept, s.opened.seal, "") || difference(s.opened.seal, kept, "");
      need(!differs, "seal", differs);
      s.anchored = true;
      return "";
    },
    notes: async () => {
      const e = s.m.entropy;
      const notes = e.source === "none" ? ["the maker could have tried again"] : e.bits < 32 ? ["the maker could have searched"] : [];
      need(encode(notes) === encode(s.opened.notes), "opened", "notes");
      return notes.join("; ");
    },
  };
}

async function verifySet(text, sealGiven) {
  const s = {};
  const checks = {
    ...setChecks(s, sealGiven, SEAL),
    form: async () => {
      subtle();
      const value = readJson(text, "opened");
      s.opened = OPENED_SET(value, "opened", "");
      s.m = s.opened.seal.manifest;
      s.mh = await H(T("set-manifest", ascii(encode(value.get("seal").get("manifest")))));
      need(2 * s.m.min_cut <= s.m.pack, "manifest", "min_cut");
      return "";
    },
    sessions: async () => {
      let last = 0;
      const seal = unhex(s.opened.seal.root);
      for (let i = 0; i < s.opened.sessions.length; i++) {
        const one = s.opened.sessions[i];
        const where = "deal " + one.deal;
        need(one.deal > last && one.deal <= s.m.deals, "opened", "sessions[" + i + "].deal");
        last = one.deal;
        const key = unhex(one.key);
        const sorted = one.order.slice().sort((a, b) => a - b);
        need(sorted.length === s.m.pack && sorted.every((c, j) => c === j), where, "permutation");
        const c = await H(T("set-deal", s.mh, one.deal, key));
        need(await included(await leafHash(c), one.deal - 1, s.m.deals, one.path.map(unhex), seal), where, "commitment");
        const prk = await extract(T("set-seed", s.mh, seal, one.deal, key, s.value));
        need(same(await orderOf(prk, s.m.pack), one.order), where, "order");
      }
      return s.opened.sessions.length + " of " + s.m.deals + " deals opened";
    },
  };
  const out = await runSteps(SET_STEPS, checks, () => ({ state: s.anchored ? "verified" : "agrees with itself" }));
  out.deals = [];
  out.notes = [];
  if (out.state === "verified" || out.state === "agrees with itself") {
    out.deals = s.opened.sessions.map((one) => ({ deal: one.deal, dealt: one.order }));
    out.notes = s.opened.notes;
  }
  return out;
}

/** A seal alone: of its set nothing is opened. *shape* is the form of such a seal. */
async function sealForm(text, shape) {
  const form = async () => {
    const value = readJson(text, "seal");
    const { manifest } = shape(value, "seal", "");
    need(2 * manifest.min_cut <= manifest.pack, "manifest", "min_cut");
    return "";
  };
  return runSteps([["form", "Form: canonical JSON, every field"]], { form }, () => ({ state: "not opened yet" }));
}

const api = {
  verifyTable, verifySet, verifySeal: (text) => sealForm(text, SEAL),
  seatParts: {
    ENTRY, KINDS, MANIFEST, F, NotVerified, CannotCheck, NOBODY, EVERYBODY, need, ascii, join, same, u64, encode,
    H, leafHash, included, consistent, readNote, checkNote, readJson, readLaw, unframe, integer, words, thread,
    message, pair, weakKey, signatureHolds, needEd25519, checkManifest, checkCall, checkClosing,
    checkOpenings, checkHeld, checkChoices, checkTerms,
  },
  setParts: {
    F, NotVerified, need, ascii, encode, hex, unhex, subtle, H, T, extract, expand, leafHash, included, readJson,
    drawn, runSteps, sealForm, setChecks, SET_FIELDS, hex32,
  },
  parts: { T, hex, unhex, extract, orderOf, saltsOf, Course, parse, readLaw, weakKey },
};
root.fairdealVerify = api;
if (typeof module === "object" && module.exports) module.exports = api;
})(typeof globalThis === "object" ? globalThis : this);
