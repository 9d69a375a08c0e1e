/* Sets in bulk, for the second verifier: written from PROTOCOL.md alone.
 *
 * verifyBulk(text, seal | null) resolves as verifySet does; `deals` holds the first of the
 * deals, `count` how many held.
 */
(function (root) {
"use strict";

const base = root.fairdealVerify || require("./verify.js");
const {
  F, NotVerified, need, ascii, encode, unhex, subtle, H, T, extract, expand, leafHash, included, readJson,
  drawn, runSteps, sealForm, setChecks, SET_FIELDS, hex32,
} = base.setParts;

const AES = "fairdeal-set-bulk-aes256ctr/1";
const SHAKE = "fairdeal-set-bulk-shake256/1";
const MOST_AES = 57;
const MOST_SESSIONS = 10000;
const MOST_DEALS = 10000000;
const TOGETHER = 2048;
const SHAKE_DEALS = 32;
const SHOWN = 100;

// ---- SHAKE-256 (FIPS 202), which WebCrypto lacks; lanes as two halves of 32 bits

const ROTATIONS = [];
const LANES = [];
for (let t = 0, x = 1, y = 0; t < 24; t++) {
  [x, y] = [y, (2 * x + 3 * y) % 5];
  LANES.push(x + 5 * y);
  ROTATIONS.push((((t + 1) * (t + 2)) / 2) % 64);
}
const CONSTANTS = [];
for (let round = 0, lfsr = 1; round < 24; round++) {
  const both = [0, 0];
  for (let j = 0; j < 7; j++) {
    const bit = 2 ** j - 1;
    if (lfsr & 1) both[bit >>> 5] ^= 1 << (bit & 31);
    lfsr = (lfsr << 1) ^ (lfsr & 128 ? 0x171 : 0);
  }
  CONSTANTS.push(both);
}

function permute(s) {
  const c = new Uint32Array(10);
  for (let round = 0; round < 24; round++) {
    for (let i = 0; i < 10; i++) c[i] = s[i] ^ s[i + 10] ^ s[i + 20] ^ s[i + 30] ^ s[i + 40];
    for (let x = 0; x < 5; x++) {
      const l = 2 * ((x + 4) % 5);
      const r = 2 * ((x + 1) % 5);
      const low = c[l] ^ ((c[r] << 1) | (c[r + 1] >>> 31));
      const high = c[l + 1] ^ ((c[r + 1] << 1) | (c[r] >>> 31));
      for (let i = 2 * x; i < 50; i += 10) {
        s[i] ^= low;
        s[i + 1] ^= high;
      }
    }
    let low = s[2];
    let high = s[3];
    for (let t = 0; t < 24; t++) {
      const at = 2 * LANES[t];
      const n = ROTATIONS[t] & 31;
      if (ROTATIONS[t] & 32) [low, high] = [high, low];
      const turned = n === 0 ? [low, high] : [(low << n) | (high >>> (32 - n)), (high << n) | (low >>> (32 - n))];
      low = s[at];
      high = s[at + 1];
      s[at] = turned[0];
      s[at + 1] = turned[1];
    }
    for (let y = 0; y < 50; y += 10) {
      for (let i = 0; i < 10; i++) c[i] = s[y + i];
      for (let i = 0; i < 10; i++) s[y + i] = c[i] ^ (~c[(i + 2) % 10] & c[(i + 4) % 10]);
    }
    s[0] ^= CONSTANTS[round][0];
    s[1] ^= CONSTANTS[round][1];
  }
}

function shake256(data, size) {
  const rate = 136;
  const s = new Uint32Array(50);
  const put = (at, byte) => { s[at >>> 2] ^= byte << (8 * (at & 3)); };
  let at = 0;
  for (const byte of data) {
    put(at++, byte);
    if (at === rate) {
      permute(s);
      at = 0;
    }
  }
  put(at, 0x1f);
  put(rate - 1, 0x80);
  const out = new Uint8Array(size);
  for (let i = 0; i < size; i++) {
    if (i % rate === 0) permute(s);
    out[i] = s[(i % rate) >>> 2] >>> (8 * (i & 3));
  }
  return out;
}

// ---- the stream of a session

function counterAt(start, blocks) {
  let value = 0n;
  for (const byte of start) value = (value << 8n) | BigInt(byte);
  value = (value + BigInt(blocks)) % (1n << 128n);
  const out = new Uint8Array(16);
  for (let i = 15; i >= 0; i--, value >>= 8n) out[i] = Number(value & 255n);
  return out;
}

/** (first, count) => bytes: AES-256-CTR from a counter of 128 bits on. */
async function aesBlocks(key, start, length) {
  const made = await subtle().importKey("raw", key, { name: "AES-CTR" }, false, ["encrypt"]);
  return async (first, count) => {
    const how = { name: "AES-CTR", counter: counterAt(start, first * (length / 16)), length: 128 };
    return new Uint8Array(await subtle().encrypt(how, made, new Uint8Array(count * length)));
  };
}

function shakeBlocks(key, length) {
  return async (first, count) => {
    const low = Math.floor(first / SHAKE_DEALS);
    const high = Math.ceil((first + count) / SHAKE_DEALS);
    const whole = SHAKE_DEALS * length;
    const out = new Uint8Array((high - low) * whole);
    for (let part = low; part < high; part++) {
      out.set(shake256(T("bulk-order", key, part), whole), (part - low) * whole);
    }
    const start = (first - low * SHAKE_DEALS) * length;
    return out.subarray(start, start + count * length);
  };
}

/** (first, count) => orders of the deals of a session, numbered from 0. */
async function sessionOrders(prk, cards, alg) {
  const length = 16 * Math.ceil((4 * (cards - 1)) / 16);
  const data = await expand(prk, T(alg === AES ? "bulk-aes" : "bulk-shake"), alg === AES ? 48 : 64);
  const blocks = alg === AES ? await aesBlocks(data.slice(0, 32), data.slice(32), length) : shakeBlocks(data, length);
  return async (first, count) => {
    const bytes = await blocks(first, count);
    const out = [];
    for (let i = 0; i < count; i++) {
      const made = quick(cards, bytes, i * length);
      const more = (k) => expand(prk, T("bulk-more", first + i, k), 256);
      out.push(made || (await drawn(cards, bytes, i * length, (i + 1) * length, more)));
    }
    return out;
  };
}

/** The order by the first words of a block; null when one of them is thrown away. */
function quick(cards, bytes, at) {
  const a = new Uint8Array(cards);
  for (let i = 0; i < cards; i++) a[i] = i;
  for (let i = cards - 1; i >= 1; i--, at += 4) {
    const x = ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0;
    if (x >= 4294967296 - (4294967296 % (i + 1))) return null;
    const j = x % (i + 1);
    const held = a[i];
    a[i] = a[j];
    a[j] = held;
  }
  return a;
}

// ---- the set

const MANIFEST = F.object({
  ...SET_FIELDS, alg: F.literal(AES, SHAKE), deals: F.whole(1, MOST_DEALS), session: F.whole(1, MOST_DEALS),
});
const SEAL = F.object({ kind: F.literal("fairdeal-bulk-seal/1"), manifest: MANIFEST, root: hex32 });
const OPENED = F.object({
  kind: F.literal("fairdeal-bulk-opened/1"), notes: F.list(F.text), seal: SEAL, value: F.hex(null),
  sessions: F.list(F.object({ key: F.hex(64), path: F.list(hex32, 0, 24), session: F.whole(1) }), 1),
});
const STEPS = [
  ["form", "Form: canonical JSON, every field"],
  ["entropy", "Public value: its rules and its form"],
  ["seal", "Your own copy of the seal"],
  ["notes", "Notes: what the set cannot promise"],
  ["sessions", "Sessions: each key was under the seal"],
  ["deals", "Deals: each is a permutation, and the one that its session's key makes"],
];

function digit(code) {
  if (code >= 48 && code <= 57) return code - 48;
  return code >= 97 && code <= 102 ? code - 87 : -1;
}

/** The cards of the line at `at`; refuses other signs, and cards that are no permutation. */
function readLine(text, at, cards, where) {
  const a = new Uint8Array(cards);
  const seen = new Uint8Array(cards);
  need(text.charCodeAt(at + 2 * cards) === 10, where, "line");
  for (let i = 0; i < cards; i++) {
    const high = digit(text.charCodeAt(at + 2 * i));
    const low = digit(text.charCodeAt(at + 2 * i + 1));
    need(high >= 0 && low >= 0, where, "line");
    a[i] = 16 * high + low;
  }
  for (const card of a) {
    need(card < cards && !seen[card], where, "permutation");
    seen[card] = 1;
  }
  return a;
}

function alike(a, b) {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** [first, past the last] of the deals of session `number`. */
function spanOf(m, number) {
  return [(number - 1) * m.session + 1, Math.min(number * m.session, m.deals) + 1];
}

/** Calls look(deal, order) for each deal opened, in their order, until it returns true. */
async function eachOrder(s, look) {
  for (const one of s.opened.sessions) {
    const seed = T("bulk-seed", s.mh, unhex(s.opened.seal.root), one.session, unhex(one.key), s.value);
    const orders = await sessionOrders(await extract(seed), s.m.pack, s.m.alg);
    const [first, end] = spanOf(s.m, one.session);
    for (let deal = first; deal < end; deal += TOGETHER) {
      const made = await orders(deal - first, Math.min(TOGETHER, end - deal));
      for (let i = 0; i < made.length; i++) if (look(deal + i, made[i])) return;
    }
  }
}

async function verifyBulk(text, sealGiven) {
  const s = { shown: [], count: 0 };
  const checks = {
    ...setChecks(s, sealGiven, SEAL),
    form: async () => {
      subtle();
      const end = text.indexOf("\n");
      const value = readJson(end < 0 ? text : text.slice(0, end), "opened");
      s.opened = OPENED(value, "opened", "");
      need(end >= 0, "opened", "deals");
      s.at = end + 1;
      s.m = s.opened.seal.manifest;
      s.mh = await H(T("set-manifest", ascii(encode(value.get("seal").get("manifest")))));
      need(2 * s.m.min_cut <= s.m.pack, "manifest", "min_cut");
      need(s.m.alg === (s.m.pack <= MOST_AES ? AES : SHAKE), "manifest", "alg");
      s.many = Math.ceil(s.m.deals / s.m.session);
      need(s.m.session <= s.m.deals && s.many <= MOST_SESSIONS, "manifest", "session");
      return "";
    },
    sessions: async () => {
      let last = 0;
      const seal = unhex(s.opened.seal.root);
      for (const one of s.opened.sessions) {
        const where = "session " + one.session;
        need(one.session > last, "opened", "session");
        last = one.session;
        need(one.session <= s.many, where, "session");
        const c = await H(T("bulk-session", s.mh, one.session, unhex(one.key)));
        need(await included(await leafHash(c), one.session - 1, s.many, one.path.map(unhex), seal), where, "key or path");
      }
      return s.opened.sessions.length + " of " + s.many + " sessions opened";
    },
    deals: async () => {
      let at = s.at;
      let wrong = null;
      await eachOrder(s, (deal, order) => {
        need(at < text.length, "opened", "deals");
        const line = readLine(text, at, s.m.pack, "deal " + deal);
        if (!alike(line, order)) {
          wrong = { deal, line };
          return true;
        }
        if (s.shown.length < SHOWN) s.shown.push({ deal, dealt: [...order] });
        s.count += 1;
        at += 2 * s.m.pack + 1;
        return false;
      });
      if (wrong !== null) {
        let place = false;
        await eachOrder(s, (deal, order) => (place = alike(wrong.line, order)));
        throw new NotVerified("deal " + wrong.deal, place ? "place" : "order");
      }
      need(at === text.length, "opened", "deals");
      return s.count + " of " + s.m.deals + " deals opened";
    },
  };
  const out = await runSteps(STEPS, checks, () => ({ state: s.anchored ? "verified" : "agrees with itself" }));
  const holds = out.state === "verified" || out.state === "agrees with itself";
  out.count = holds ? s.count : 0;
  out.deals = holds ? s.shown : [];
  out.notes = holds ? s.opened.notes : [];
  if (out.count > out.deals.length) {
    out.limits = ["the first " + out.deals.length + " of " + out.count + " deals are shown; all were checked"];
  }
  return out;
}

base.verifyBulk = verifyBulk;
base.verifyBulkSeal = (text) => sealForm(text, SEAL);
base.bulkParts = { shake256, sessionOrders, aesBlocks, drawn };
if (typeof module === "object" && module.exports) module.exports = base;
})(typeof globalThis === "object" ? globalThis : this);
