/* A seat's dealings with the relay: a box that nobody else opens, and the relay's statements.
 *
 * Openings go to the relay itself and not through the house. The box is X25519, HKDF-SHA256 and
 * AES-256-GCM with one key a box; the relay signs its fresh X25519 key with its key in the manifest.
 */
(function (root) {
"use strict";
const { T, hex, unhex } = root.fairdealVerify.parts;
const { F, NotVerified, CannotCheck, H, need, ascii, join, same, u64, unframe, integer, signatureHolds } =
  root.fairdealVerify.seatParts;
const SIGNED = F.object({ body: F.hex(null), sig: F.hex(64) });
const ORIGIN = /^https?:\/\/[a-z0-9.-]{1,253}(:[0-9]{1,5})?$/;
const CURVE = { name: "X25519" };
const COSIGNATURE = 4;
const KEPT = 16;

/** Checks what came as plain JSON: {body, sig} in hex. */
function signed(value, where) {
  const plain = value !== null && typeof value === "object" ? Object.entries(value) : [];
  return SIGNED(new Map(plain), where, "form");
}

/** RFC 7748, 6.1: the browser has X25519, and it is X25519. */
async function needX25519() {
  const raw = "302e020100300506032b656e0422042077076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a";
  const other = unhex("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f");
  let shared = "";
  try {
    const own = await crypto.subtle.importKey("pkcs8", unhex(raw), CURVE, false, ["deriveBits"]);
    const their = await crypto.subtle.importKey("raw", other, CURVE, false, []);
    shared = hex(new Uint8Array(await crypto.subtle.deriveBits({ name: "X25519", public: their }, own, 256)));
  } catch (error) {
    shared = "";
  }
  if (shared !== "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742") {
    throw new CannotCheck("browser", "X25519 is missing from this browser's WebCrypto; sit with the command line at a table with a relay");
  }
}

/** The relay's fresh key for boxes, signed by its key in the manifest. */
async function readAnnounced(told, manifest) {
  const { body, sig } = signed(told && told.key, "relay");
  const raw = unhex(body);
  const [key] = unframe(raw, "relay-key", [32]);
  need(await signatureHolds(unhex(manifest.witnesses[manifest.relay].key), unhex(sig), raw), "relay", "signature");
  return key;
}

/** *data* for the holder of *theirs* alone. */
async function seal(theirs, data, associated) {
  const subtle = crypto.subtle;
  const own = await subtle.generateKey(CURVE, false, ["deriveBits"]);
  const mine = new Uint8Array(await subtle.exportKey("raw", own.publicKey));
  let shared;
  try {
    const key = await subtle.importKey("raw", theirs, CURVE, false, []);
    shared = await subtle.deriveBits({ name: "X25519", public: key }, own.privateKey, 256);
  } catch (error) {
    // RFC 7748, 6.1: an all-zero secret is shared with everybody.
    throw new NotVerified("relay", "key is one that everybody can open");
  }
  need(new Uint8Array(shared).some((b) => b !== 0), "relay", "key is one that everybody can open");
  const secret = await subtle.importKey("raw", shared, "HKDF", false, ["deriveKey"]);
  const how = { name: "HKDF", hash: "SHA-256", salt: join([mine, theirs]), info: ascii("fairdeal/1/box") };
  const key = await subtle.deriveKey(how, secret, { name: "AES-GCM", length: 256 }, false, ["encrypt"]);
  const cipher = { name: "AES-GCM", iv: new Uint8Array(12), additionalData: associated };
  return join([mine, new Uint8Array(await subtle.encrypt(cipher, key, data))]);
}

/** Time and seats of the relay's statement that openings to the closing of *s* had not come. */
async function readMissing(s, given) {
  const { body, sig } = SIGNED(given, "missing", "form");
  const raw = unhex(body);
  const count = (raw.length - T("missing", s.mh, s.k, s.CL, 0).length) / 12;
  need(Number.isInteger(count) && count >= 1 && count <= s.n, "missing", "seats");
  const f = unframe(raw, "missing", [32, 8, 32, 8, ...new Array(count).fill(8)]);
  need(same(f[0], s.mh) && same(f[1], u64(s.k)) && same(f[2], s.CL), "missing", "closing");
  const time = integer(f[3], "missing", "time");
  const seats = f.slice(4).map((one) => integer(one, "missing", "seats"));
  need(seats.every((seat, i) => seat < s.n && (i === 0 || seats[i - 1] < seat)), "missing", "seats");
  need(await signatureHolds(unhex(s.m.witnesses[s.m.relay].key), unhex(sig), raw), "missing", "signature");
  return { time, seats };
}

/** When the relay cosigned a note whose signatures were checked, in seconds; null where it did not. */
async function cosignedAt(note, manifest) {
  const { name, key } = manifest.witnesses[manifest.relay];
  const id = (await H(new TextEncoder().encode(name), new Uint8Array([10, COSIGNATURE]), unhex(key))).slice(0, 4);
  const line = note.signatures.find((s) => s.name === name && same(s.id, id));
  if (line === undefined) return null;
  return new DataView(line.bytes.buffer, line.bytes.byteOffset, 8).getBigUint64(0);
}

/** The relay's own times, as they came with the checkpoints that were accepted.
 *
 * Its cosignatures never fall in time as the ledger grows, and it counts the limit from the one
 * over the closing. So a checkpoint without the closing that it cosigned at t, and a *missing* of
 * a time up to t + limit, are two statements of one key that no honest relay makes.
 */
class Times {
  constructor() {
    this.seen = [];
  }

  /** Takes a checkpoint that was accepted; *raw* is its note in hex. */
  async see(note, raw, manifest) {
    if (manifest.relay === "none" || !manifest.quorum) return;
    const time = await cosignedAt(note, manifest);
    if (time === null) return;
    this.seen = [...this.seen, { size: note.size, time, note: raw }].slice(-KEPT);
  }

  /** The newest of them that does not hold the entry at *index*; undefined where there is none. */
  before(index) {
    return this.seen.filter((one) => one.size <= index).pop();
  }
}

root.fairdealRelay = { ORIGIN, needX25519, readAnnounced, seal, readMissing, Times };
})(globalThis);
