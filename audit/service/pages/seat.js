/* A seat in the browser: own key, own bytes, every check made at once.
 *
 * What is signed is stored before it is sent and is sent again verbatim; what does not extend
 * the checkpoint kept stops everything. Written from PROTOCOL.md; checks are those of verify.js.
 */
(function (root) {
"use strict";
const { parts, seatParts, verifyTable } = root.fairdealVerify;
const { T, hex, unhex, Course } = parts;
const {
  ENTRY, MANIFEST, NOBODY, EVERYBODY, need, ascii, join, same, u64, encode, H, leafHash, included,
  consistent, readNote, checkNote, readJson, readLaw, unframe, integer, words, thread, message, pair,
  checkManifest, checkCall, checkClosing, checkOpenings, checkHeld, checkChoices, checkTerms, F,
} = seatParts;
const relaying = root.fairdealRelay;
const { ask, askJson, Refused } = root.fairdealPages;
const RECEIPT = F.object({ body: F.hex(null), sig: F.hex(64) });
const ENDINGS = {
  void: F.object({
    after: F.hex(32), commits: F.raw, deadline: F.whole(), kind: F.text, mh: F.hex(32), missing: F.raw,
    pack: F.whole(1), parties: F.list(F.whole(0, 255), 1), secret: F.hex(64), stage: F.literal("commit", "open"),
  }),
  unfinished: F.object({
    after: F.hex(32), deadline: F.whole(), items: F.whole(), kind: F.text, mh: F.hex(32), pack: F.whole(1),
    parties: F.list(F.whole(0, 255), 1), stage: F.literal("open", "choice", "decide"), th: F.hex(32),
  }),
  closed: F.object({
    kind: F.text, last: F.hex(32), mh: F.hex(32), opened: F.whole(), packs: F.whole(),
    unfinished: F.whole(), void: F.whole(),
  }),
};

// ---- what is kept, in IndexedDB

function request(made) {
  return new Promise((done, failed) => {
    made.onsuccess = () => done(made.result);
    made.onerror = () => failed(made.error);
  });
}

async function openStore(name) {
  const opening = indexedDB.open("fairdeal-seats", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("seats");
  const db = await request(opening);
  return {
    read: () => request(db.transaction("seats").objectStore("seats").get(name)),
    write: (value) => new Promise((done, failed) => {
      const work = db.transaction("seats", "readwrite", { durability: "strict" });
      work.objectStore("seats").put(value, name);
      work.oncomplete = () => done();
      work.onabort = () => failed(work.error);
    }),
  };
}

const random = (size) => crypto.getRandomValues(new Uint8Array(size));

function randomBelow(count) {
  const bound = 4294967296 - (4294967296 % count);
  for (;;) {
    const x = crypto.getRandomValues(new Uint32Array(1))[0];
    if (x < bound) return x % count;
  }
}

class Seat {
  /** Seat *number* of *table*; *player* has choose(name, low, high), decide(q, hand), told(text),
   * proved(pack, text), early(pack, text).
   *
   * *relay* is the relay's own address, "" where the link gave none.
   */
  constructor(table, number, token, player, relay) {
    Object.assign(this, { table, number, token, player, relay });
    this.door = "/api/tables/" + table;
    this.next = 0;
    this.batch = null;
    this.pack = null;
    this.ended = [];
    this.unopened = new Map();
    this.times = new relaying.Times();
    this.closed = false;
    this.transcript = "";
  }

  async open() {
    await seatParts.needEd25519();
    this.store = await openStore(this.table + "/" + this.number);
    this.kept = await this.store.read();
    if (this.kept !== undefined) return;
    const pair = await crypto.subtle.generateKey({ name: "Ed25519" }, false, ["sign", "verify"]);
    const key = hex(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey)));
    this.kept = { private: pair.privateKey, key, nonce: hex(random(32)), mh: "", sig: "", head: null, packs: {} };
    await this.save();
  }

  save() {
    return this.store.write(this.kept);
  }

  async sign(body) {
    const sig = await crypto.subtle.sign({ name: "Ed25519" }, this.kept.private, body);
    return { body: hex(body), sig: hex(new Uint8Array(sig)) };
  }

  /** Sends, again and verbatim, until there is an answer; null where it is not due. */
  async send(path, body) {
    for (let turn = 0; ; turn++) {
      try {
        return await askJson(path, body);
      } catch (error) {
        if (error instanceof Refused) {
          if (error.status === 409 && !error.told.refused) return null;
          if ((error.status !== 429 && error.status !== 503) || turn > 60) throw error;
        } else if (!(error instanceof TypeError) || turn > 60) throw error;
      }
      await new Promise((done) => setTimeout(done, 500));
    }
  }

  // ---- sitting down

  async sit() {
    if (!this.kept.sig) {
      const { key, nonce } = this.kept;
      await this.send(this.door + "/seats", { seat: this.number, token: this.token, key, nonce });
      let draft = null;
      while (draft === null) {
        try {
          draft = await ask(this.door + "/manifest?wait=20");
        } catch (error) {
          if (!(error instanceof Refused) || error.status !== 409) throw error;
        }
      }
      await this.checkDraft(JSON.parse(draft), draft);
    }
    const { sig } = this.kept;
    await this.send(this.door + "/signatures", { seat: this.number, token: this.token, sig });
  }

  async checkDraft(draft) {
    const law = readJson(draft.law, "law");
    const sorted = (v) => {
      if (Array.isArray(v)) return v.map(sorted);
      if (v === null || typeof v !== "object") return v;
      return new Map(Object.keys(v).sort().map((name) => [name, sorted(v[name])]));
    };
    const text = encode(sorted(draft.manifest));
    const m = MANIFEST(readJson(text, "manifest"), "manifest", "");
    need(m.table === this.table, "manifest", "table");
    need(m.seats[this.number] === this.kept.key, "manifest", "seat " + this.number);
    need(m.seat_nonces[this.number] === this.kept.nonce, "manifest", "seat_nonces");
    await checkTerms(m, law);
    if (m.relay !== "none") {
      // A seat that cannot reach the relay would stand as the one whose opening was missing.
      need(this.relay !== "", "relay", "address is not in the link");
      await relaying.needX25519();
      this.player.told("The relay is asked for its key.");
      await this.until(() => this.boxKey(m), () => false);
    }
    const mh = await H(T("manifest", ascii(text)));
    this.kept.sig = (await this.sign(T("sign-manifest", mh))).sig;
    this.kept.mh = hex(mh);
    await this.save();
  }

  // ---- the relay

  /** The relay's key for boxes; a relay that was started again has another one. */
  async boxKey(m) {
    return relaying.readAnnounced(await askJson(this.relay + "/relay/key"), m);
  }

  /** Does *work* again while the relay does not answer or it is not due there, or until *over*. */
  async until(work, over) {
    for (let turn = 0; !over(); turn++) {
      try {
        return await work();
      } catch (error) {
        // A box that does not open was sealed to the key before this one.
        const again = error instanceof TypeError || (error instanceof Refused &&
          ([409, 429, 503].includes(error.status) || error.told.where === "box"));
        if (!again) throw error;
        if (turn === 10) this.player.told("The relay does not take it yet; this page goes on asking.");
      }
      await new Promise((done) => setTimeout(done, 200));
      if (this.m !== undefined) await this.sync(0);
    }
    return null;
  }

  /** Gives opening and choices to the relay, until they are taken or the pack goes on without. */
  async handOver(s, mine) {
    const given = new Map([["chosen", this.chosen(s, mine)], ["signed", new Map(Object.entries(mine.open))]]);
    const bound = ascii(hex(s.mh) + "|" + s.k);
    const taken = await this.until(async () => {
      const box = await relaying.seal(await this.boxKey(s.m), ascii(encode(given)), bound);
      return askJson(this.relay + "/relay/open", { table: this.table, pack: s.k, seat: this.number, box: hex(box) });
    }, () => s.root !== undefined || Boolean(s.ended));
    if (taken === null) return;
    await this.keepReceipt(s, "open", mine.open, taken.receipt, s.m.witnesses[s.m.relay].key);
    this.player.told("The relay has this seat's opening" + (given.get("chosen").length ? " and choice" : "") + ", sealed.");
  }

  chosen(s, mine) {
    return Object.entries(mine.choices).map(([name, c]) =>
      hex(T("chosen", s.mh, s.k, this.number, name, c.value, unhex(c.nonce))));
  }

  // ---- the ledger

  async checkHead(told) {
    const raw = told.checkpoint;
    if (this.note === raw) return;
    const note = readNote(unhex(raw));
    const cosigned = await checkNote(note, this.m);
    need(cosigned >= this.m.quorum, "checkpoint", "quorum");
    const head = this.kept.head;
    if (head !== null) {
      need(note.size >= head[0], "checkpoint", "is smaller than the one kept");
      const path = told.consistency.map(unhex);
      need(await consistent(head[0], note.size, unhex(head[1]), note.root, path), "checkpoint", "does not extend the one kept");
    }
    this.kept.head = [note.size, hex(note.root)];
    this.cosigned = cosigned;
    this.head = note;
    this.note = raw;
    await this.times.see(note, raw, this.m);
    await this.save();
  }

  async sync(wait) {
    const start = this.kept.head === null ? 0 : this.kept.head[0];
    let told = null;
    while (told === null) {
      try {
        told = await askJson(this.door + "/log?after=" + this.next + "&start=" + start + "&wait=" + wait);
      } catch (error) {
        const again = error instanceof TypeError || [409, 429, 503].includes(error.status);
        if (!again) throw error;
        await new Promise((done) => setTimeout(done, 300));
      }
    }
    if (this.m === undefined) {
      if (!told.entries.length) return false;
      await this.firstEntry(told.entries[0]);
    }
    await this.checkHead(told);
    for (const e of told.entries) {
      need(e.index >= this.next, "log", "index");
      const path = e.path.map(unhex);
      const bytes = ascii(e.entry);
      need(await included(await leafHash(bytes), e.index, this.head.size, path, this.head.root), "log", "path");
      this.next = e.index + 1;
      await this.feed(e.entry, bytes, e.index, { path, checkpoint: told.checkpoint });
    }
    return told.entries.length > 0;
  }

  async firstEntry(e) {
    const value = readJson(e.entry, "table");
    const entry = ENTRY.table(value, "table", "");
    this.mh = await H(T("manifest", ascii(encode(value.get("manifest")))));
    need(hex(this.mh) === this.kept.mh, "table", "manifest is not the one that was signed");
    this.m = entry.manifest;
    this.n = this.m.seats.length;
  }

  async feed(text, bytes, index, place) {
    const value = readJson(text, "entry");
    const kind = value instanceof Map ? value.get("kind") : undefined;
    const shape = ENTRY[kind] || ENDINGS[kind];
    need(shape !== undefined, "entry", "kind");
    const e = { ...shape(value, kind, ""), value, text, bytes, index };
    const leaf = hex(await leafHash(bytes));
    if (kind === "table") {
      need(this.tableEntry === undefined, "table", "stands twice");
      this.tableEntry = e;
      this.prev = leaf;
      await checkManifest({ m: this.m, n: this.n, mh: this.mh, by: { table: e } });
      this.player.told("Table: law, manifest and every seat's signature hold.");
      return;
    }
    need(e.mh === hex(this.mh), kind, "mh");
    await this.checkLeftOut(e, text, place);
    need(!this.closed, kind, "comes after the table was closed");
    if (kind === "batch") {
      need(this.batch === null, "batch", "stands twice");
      this.batch = e;
    } else if (kind === "call") await this.called(e);
    else if (kind === "opened") await this.opened(e, leaf);
    else if (kind === "closed") this.closeTable(e);
    else await this.goOn(e, leaf);
  }

  async called(e) {
    const k = this.ended.length + 1;
    need(this.batch !== null, "call", "stands before its batch");
    need(this.pack === null || this.pack.ended, "call", "comes before the last pack ended");
    const atOnce = this.m.opening === "pack" || this.ended[k - 2] === "unfinished";
    need(!(this.unopened.has(k - 1) && atOnce), "call", "comes before the last pack was opened");
    need(e.pack === k, "call", "pack");
    need(e.dealt === this.ended.filter((how) => how !== "void").length, "call", "dealt");
    need(e.prev === this.prev, "call", "prev");
    const s = { m: this.m, n: this.n, mh: this.mh, named: [], by: { table: this.tableEntry, batch: this.batch, call: e } };
    s.law = readLaw(this.tableEntry.value.get("law"));
    await checkCall(s);
    this.pack = Object.assign(s, { last: hex(s.SL), ended: "", items: 0, faces: new Map(), due: [], asked: null, over: false, seen: 0, dealt: [], shut: new Set() });
    if (this.kept.packs[k] === undefined) this.kept.packs[k] = { hides: {}, sent: {}, decided: {} };
    this.mine = this.kept.packs[k];
    this.player.told("Pack " + k + ": the house's secret was fixed before; dealer is seat " + e.dealer + ".");
  }

  async goOn(e, leaf) {
    const s = this.pack;
    need(s !== null && e.pack === s.k, e.kind, "pack");
    need(!s.ended, e.kind, "comes after the end of the pack");
    if (e.after !== undefined) need(e.after === s.last, e.kind, "after");
    if (["closing", "root", "choices"].includes(e.kind)) {
      need(s.by[e.kind] === undefined, e.kind, "is the second one for this pack");
      s.by[e.kind] = e;
    }
    if (e.kind === "closing") {
      need(this.mine.commit !== undefined, "closing", "stands before this seat committed");
      const own = e.commits[this.number];
      need(own !== undefined && own.body === this.mine.commit.body && own.sig === this.mine.commit.sig, "closing", "seat " + this.number + " is not what this seat sent");
      if (this.mine.cl) need(this.mine.cl === leaf, "closing", "is another one than was opened over");
      await checkClosing(s);
      const before = this.times.before(e.index);
      if (before !== undefined) {
        // Kept, for a page that is opened again sees newer checkpoints only.
        this.mine.before = before;
        await this.save();
      }
      this.player.told("Closing: every seat's commitment is there and signed; ours stands as sent.");
    } else if (e.kind === "root") {
      need(s.by.closing !== undefined, "root", "stands before the closing");
      await checkOpenings(s);
      await checkHeld(s);
      const own = e.opens[this.number];
      need(this.mine.open !== undefined && own.body === this.mine.open.body && own.sig === this.mine.open.sig, "root", "seat " + this.number + " is not what this seat opened");
      s.root = unhex(e.root);
      const held = this.m.relay === "none" ? "" : " The relay had held every opening, and gave them out together.";
      this.player.told("Root: the order is fixed, before the cut is known." + held);
    } else if (e.kind === "choices") {
      need(s.root !== undefined, "choices", "stand before the root");
      await checkChoices(s);
      this.player.told("Cut: " + s.depth + " cards.");
      await this.begin(s);
    } else if (e.kind === "end") {
      // What this page checked before it was opened again is not asked for a second time.
      if (this.mine.done !== leaf) {
        need(s.course !== undefined, "end", "comes before the choices");
        if (!s.over) await this.catchUp();
        need(s.over && !s.due.length, "end", "comes before the deal is over");
        need(e.items === s.items && e.th === hex(s.th), "end", "th");
        this.mine.done = leaf;
        await this.save();
      }
      this.finish(s, "opened", leaf);
    } else {
      await this.checkEnding(s, e);
      this.player.told("Pack " + s.k + " ended " + e.kind + "; named: " + e.parties.map((p) => p === 255 ? "house" : "seat " + p).join(", ") + ".");
      this.finish(s, e.kind, leaf);
    }
    s.last = leaf;
  }

  async checkEnding(s, e) {
    const rising = e.parties.every((p, i) => (p < s.n || p === 255) && (i === 0 || e.parties[i - 1] < p));
    need(rising, e.kind, "parties");
    if (e.kind === "void") {
      need(s.root === undefined, "void", "comes after the root");
      need(hex(await H(T("house", s.mh, s.k, unhex(e.secret)))) === s.by.call.commitment, "void", "secret");
      if (s.by.closing !== undefined) {
        await this.checkMissing(s, e);
        await this.checkEarly(e);
        return;
      }
      need(e.stage === "commit" && e.missing === "none", "void", "stage");
      let last = -1;
      for (const one of F.list(F.object({ body: F.hex(null), sig: F.hex(64) }))(e.commits, "void", "commits")) {
        const f = unframe(unhex(one.body), "msg", [32, 8, 8, null, 32, 8, 32, null]);
        const seat = integer(f[2], "void", "commits");
        need(seat > last && seat < s.n && !e.parties.includes(seat), "void", "commits");
        last = seat;
        await message(s, one, seat, "commit", s.by.call.index, "void", ["void", "commits"]);
      }
      return;
    }
    const stage = s.course ? "decide" : s.root ? "choice" : s.by.closing ? "open" : "";
    need(e.stage === stage, "unfinished", "stage");
    if (stage === "open") {
      need(this.m.relay === "none", "unfinished", "stage is the relay's to say");
      need(e.parties[e.parties.length - 1] === 255, "unfinished", "parties");
    }
    if (stage === "choice") {
      // What the relay held before the root no seat can keep back.
      const may = this.m.relay === "none" ? s.wanted.map((w) => w[0]) : [255];
      need(e.parties.every((p) => may.includes(p)), "unfinished", "parties");
    }
    if (stage === "decide" && e.items === s.items && s.asked) {
      need(e.parties.length === 1 && e.parties[0] === this.tableSeat(s.asked.seat), "unfinished", "parties");
    }
  }

  /** After the closing nothing is void but by the relay's word that openings had not come. */
  async checkMissing(s, e) {
    need(this.m.relay !== "none" && e.missing !== "none", "void", "comes after the closing");
    need(e.stage === "open", "void", "stage");
    const { time, seats } = await relaying.readMissing(s, e.missing);
    need(e.deadline === time && encode(e.parties) === encode(seats), "void", "parties are others than the relay says");
  }

  /** Refuses a void on the relay's word before the deadline, and keeps what shows that it was. */
  async checkEarly(e) {
    const before = this.mine.before;
    if (before === undefined || BigInt(e.deadline) > before.time + BigInt(this.m.limits.open)) return;
    this.kept.early = encode(new Map([["entry", e.text], ["note", before.note]]));
    await this.save();
    this.player.early(e.pack, this.kept.early);
    need(false, "missing", "time is within the limit by the relay's own cosignature");
  }

  finish(s, how, leaf) {
    s.ended = how;
    this.ended.push(how);
    this.prev = leaf;
    if (how !== "void") this.unopened.set(s.k, { end: leaf, commitment: s.by.call.commitment });
  }

  async opened(e, leaf) {
    const waits = this.unopened.get(e.pack);
    need(waits !== undefined, "opened", "is none that waits to be opened");
    need(e.end === waits.end, "opened", "end");
    need(hex(await H(T("house", this.mh, e.pack, unhex(e.secret)))) === waits.commitment, "opened", "secret");
    this.unopened.delete(e.pack);
    if (e.pack === this.pack.k) this.prev = leaf;
    if (this.ended[e.pack - 1] === "opened") await this.verify(e.pack);
  }

  closeTable(e) {
    const count = (how) => this.ended.filter((x) => x === how).length;
    need(!this.unopened.size && e.packs === this.ended.length && e.opened === count("opened") &&
      e.void === count("void") && e.unfinished === count("unfinished") && e.last === this.prev, "closed", "counts");
    this.closed = true;
    this.player.told("The table is closed.");
  }

  async verify(k) {
    const [size, head] = this.kept.head;
    let text = null;
    for (let turn = 0; text === null; turn++) {
      try {
        text = await ask(this.door + "/packs/" + k + "/transcript?anchor=" + size);
      } catch (error) {
        if (error.status !== 503 || turn > 60) throw error;
        await new Promise((done) => setTimeout(done, 300));
      }
    }
    const found = await verifyTable(text, { size, root: head });
    need(found.state === "verified", found.where || "transcript", found.what || found.state);
    need(found.pack === k && found.table === this.table, "transcript", "is of another pack");
    this.kept.packs[k].transcript = text;
    await this.save();
    this.transcript = text;
    this.player.verified(k, text, found);
  }

  // ---- cards

  tableSeat(seat) {
    return (this.pack.by.call.dealer + seat) % this.n;
  }

  async begin(s) {
    s.cut = (p) => (s.depth + p) % s.m.pack;
    s.course = new Course(s.law, s.n, (p) => s.law.pack[s.faces.get(p).card], s.m.options);
    s.walk = s.course.run();
    await this.proceed();
  }

  /** Goes on to the next delivery or question of a seat. */
  async proceed(reply) {
    const s = this.pack;
    for (;;) {
      const { value: q, done } = s.walk.next(reply);
      reply = undefined;
      if (!done && q.kind === "ask" && q.name === "packets") {
        reply = s.packets;
        continue;
      }
      s.asked = done ? null : q;
      s.last_step = done;
      const deal = s.course.moves.map(([p, to]) => [p, to >= NOBODY ? to : this.tableSeat(to)]);
      s.course.moves = [];
      if (deal.length) s.th = await thread(s.th, "deal", T("deal", ...deal.flat()));
      const others = new Set(deal.map((d) => d[1]).filter((to) => to < NOBODY && to !== this.number));
      s.items += others.size;
      s.due = deal.filter((d) => d[1] === this.number || d[1] === EVERYBODY);
      if (s.due.length || !s.asked || q.kind !== "cards") break;
    }
    s.over = s.last_step && !s.due.length;
  }

  async face(raw, paths, where) {
    const s = this.pack;
    const f = unframe(raw, "face", [8, 8, 16]);
    const leaf = integer(f[0], where, "faces");
    const card = integer(f[1], where, "faces");
    need(leaf < s.m.pack && card < s.m.pack, where, "faces");
    const made = await leafHash(T("card", s.mh, s.k, leaf, card, f[2]));
    need(await included(made, leaf, s.m.pack, (paths.get(leaf) || []).map(unhex), s.root), where, "card is not in the pack");
    return { leaf, card, raw, place: (leaf + s.m.pack - s.depth) % s.m.pack };
  }

  async faces(bytes, paths, where) {
    const size = T("face", 0, 0, new Uint8Array(16)).length;
    need(bytes.length % size === 0, where, "faces");
    const out = [];
    for (let at = 0; at < bytes.length; at += size) out.push(await this.face(bytes.slice(at, at + size), paths, where));
    return out;
  }

  async receive(item, paths) {
    const s = this.pack;
    need(s.due.length > 0, "delivery", "is not due");
    const to = Math.min(...s.due.map((d) => d[1]));
    const where = to === EVERYBODY ? "delivery to all" : "delivery to seat " + to;
    const body = unhex(item.body);
    const f = unframe(body, "deliver", [32, 8, 8, 32, null]);
    need(same(f[0], s.mh) && same(f[1], u64(s.k)) && same(f[2], u64(to)), where, "is bound to another seat or pack");
    need(same(f[3], s.th), where, "transcript");
    need(await seatParts.signatureHolds(unhex(s.m.ledger_key), unhex(item.sig), body), where, "signature");
    const places = s.due.filter((d) => d[1] === to).map((d) => d[0]);
    const got = await this.faces(f[4], paths, where);
    need(got.length === places.length && got.every((g, i) => g.place === places[i]), where, "leaves are not the ones that follow");
    for (const g of got) s.faces.set(g.place, g);
    if (to === EVERYBODY) s.th = await thread(s.th, "face", pair(item));
    s.items += 1;
    s.due = s.due.filter((d) => d[1] !== to);
    if (!s.due.length && s.asked && s.asked.kind === "cards") await this.proceed();
    s.over = s.last_step && !s.due.length;
  }

  async follow(item, paths) {
    const s = this.pack;
    const q = s.asked;
    need(q !== null && !s.due.length && q.kind !== "cards", "decide", "is not due");
    const seat = this.tableSeat(q.seat);
    const where = "decide of seat " + seat;
    const payload = await message(s, item, seat, "decide", s.by.choices.index, where, [where, "signature"]);
    let reply;
    if (q.kind === "ask") {
      const f = unframe(payload, "answer", [null, null]);
      need(same(f[0], ascii(q.name)), where, "question");
      reply = words(f[1], where, "answer");
      need(q.choices.includes(reply), where, "answer");
      this.player.told("Seat " + seat + ", " + q.name + ": " + reply);
    } else if (q.hidden) {
      const f = unframe(payload, "hide", [null, 8, 32]);
      need(same(f[0], ascii(q.to)) && same(f[1], u64(q.cards)), where, "hide");
      if (seat === this.number) {
        const own = this.mine.hides[s.items];
        need(own !== undefined, where, "hide is not what this seat sent");
        for (const leaf of own.leaves) s.shut.add((leaf + s.m.pack - s.depth) % s.m.pack);
      }
      this.player.told("Seat " + seat + " lays away " + q.cards + ", face down");
    } else {
      const f = unframe(payload, "show", [null, null]);
      need(same(f[0], ascii(q.to)), where, "zone");
      const got = await this.faces(f[1], paths, where);
      reply = got.map((g) => g.place);
      need(reply.length === q.cards && new Set(reply).size === q.cards && reply.every((p) => q.from.includes(p)), where, "hand");
      for (const g of got) s.faces.set(g.place, g);
      this.player.told("Seat " + seat + " shows " + q.cards, got.map((g) => s.law.pack[g.card]));
    }
    s.items += 1;
    s.th = await thread(s.th, "decide", pair(item));
    await this.proceed(reply);
  }

  async catchUp(wait = 0) {
    const s = this.pack;
    const now = Math.floor(Date.now() / 1000);
    const asking = await this.sign(T("ask", s.mh, s.k, this.number, "cards", s.th, now));
    const told = await this.send(this.door + "/cards", { ask: asking, after: s.seen, wait });
    if (told === null) return false;
    for (const item of told.items) {
      const paths = new Map(item.leaves.map((l) => [l.leaf, l.path]));
      if (item.to === this.number || item.to === EVERYBODY) await this.receive(item.signed, paths);
      else await this.follow(item.signed, paths);
    }
    s.seen = Math.max(s.seen, told.count);
    return told.items.length > 0;
  }

  hand() {
    const s = this.pack;
    if (!s || !s.course) return [];
    for (let seat = 1; seat <= s.n; seat++) {
      if (this.tableSeat(seat) !== this.number) continue;
      return s.course.hands[seat].filter((p) => s.faces.has(p) && !s.shut.has(p));
    }
    return [];
  }

  // ---- what this seat says

  say(step, payload) {
    const s = this.pack;
    return this.sign(T("msg", s.mh, s.k, this.number, step, s.th, this.head.size, this.head.root, payload));
  }

  /** Stores what *make* signs, then sends it; what was stored is sent again as it is. */
  async commit() {
    const s = this.pack;
    const mine = this.mine;
    if (mine.commit === undefined) {
      const data = random(64);
      let payload = await H(T("contrib", s.mh, s.k, this.number, s.SL, data));
      const choices = {};
      for (const [seat, name] of s.wanted) {
        if (seat !== this.number) continue;
        const cut = name === "cut";
        const low = cut ? s.m.min_cut : 0;
        const high = cut ? s.m.pack - s.m.min_cut : s.law.packets.choices.length - 1;
        const value = await this.player.choose(name, low, high, cut ? null : s.law.packets.choices);
        const nonce = random(32);
        choices[name] = { value, nonce: hex(nonce) };
        payload = join([payload, await H(T("choice", s.mh, s.k, this.number, s.SL, name, value, nonce))]);
      }
      const signed = await this.say("commit", payload);
      Object.assign(mine, { data: hex(data), choices, commit: signed });
      await this.save();
    }
    await this.message("commit", mine.commit);
  }

  async message(step, signed) {
    const told = await this.send(this.door + "/messages", { seat: this.number, step, signed });
    if (told === null) return;
    await this.keepReceipt(this.pack, step, signed, told.receipt, this.m.ledger_key);
  }

  /** Checks that *key* signed the receipt for exactly this message, and keeps both. */
  async keepReceipt(s, step, signed, receipt, key) {
    const where = "receipt for the " + step;
    need(receipt !== null && typeof receipt === "object", where, "did not come, and the message was taken");
    const given = RECEIPT(new Map(Object.entries(receipt)), where, "form");
    const body = unhex(given.body);
    const wanted = T("receipt", s.mh, s.k, this.number, await H(unhex(signed.body)));
    need(same(body, wanted), where, "is of another message");
    need(await seatParts.signatureHolds(unhex(key), unhex(given.sig), body), where, "signature");
    const kept = this.kept.packs[s.k].receipts || (this.kept.packs[s.k].receipts = []);
    if (kept.some((one) => one.message.body === signed.body)) return;
    kept.push({ step, message: signed, receipt: given });
    await this.save();
  }

  /** Whether entry *e* stands where the message had to be in it, or says that it had not come. */
  leavesOut(e, step, message) {
    // A receipt is for the bytes said, whichever of the signatures under them an entry holds.
    const absent = (list) => !list.some((one) => one.body === message.body);
    const named = Boolean(e.parties) && e.parties.includes(this.number);
    const late = e.kind === "unfinished" && e.stage === step && named;
    const relayed = this.m.relay !== "none";
    if (step === "commit") {
      if (e.kind === "closing") return absent(e.commits);
      return e.kind === "void" && e.stage === step && (named || absent(F.list(RECEIPT)(e.commits, "void", "commits")));
    }
    if (step === "open") {
      // Only a void on the relay's word can be held against the relay's receipt.
      if (relayed) return e.kind === "void" && e.stage === step && named;
      return late || (e.kind === "root" && absent(e.opens));
    }
    return late && e.th === hex(unframe(unhex(message.body), "msg", [32, 8, 8, null, 32, 8, 32, null])[4]);
  }

  /** Refuses an entry that leaves out what there is a receipt for, and keeps the proof. */
  async checkLeftOut(e, text, place) {
    const mine = e.pack === undefined ? undefined : this.kept.packs[e.pack];
    for (const one of (mine && mine.receipts) || []) {
      if (!this.leavesOut(e, one.step, one.message)) continue;
      if (one.step === "open" && e.kind === "void") {
        // The house may have written what the relay never said.
        const { seats } = await relaying.readMissing(this.pack, e.missing);
        if (!seats.includes(this.number)) continue;
      }
      const path = place.path.map((step) => btoa(String.fromCharCode(...step)) + "\n").join("");
      const head = ascii("c2sp.org/tlog-proof@v1\nindex " + e.index + "\n" + path + "\n");
      this.kept.proof = encode(new Map([
        ["entry", text], ["kind", "fairdeal-dropped/1"], ["manifest", this.tableEntry.value.get("manifest")],
        ["message", new Map(Object.entries(one.message))], ["proof", hex(join([head, unhex(place.checkpoint)]))],
        ["receipt", new Map(Object.entries(one.receipt))],
      ]));
      await this.save();
      this.player.proved(e.pack, this.kept.proof);
      need(false, e.kind, "leaves out the " + one.step + " of seat " + this.number + ", for which there is a signed receipt");
    }
  }

  async act() {
    const s = this.pack;
    if (s === null || (s.ended && s.ended !== "opened")) return;
    const sent = this.sentNow || (this.sentNow = new Set());
    const once = (name) => {
      const key = s.k + name;
      if (sent.has(key)) return false;
      sent.add(key);
      return true;
    };
    if (s.ended) {
      if (this.unopened.has(s.k)) await this.discard(s, once);
    } else if (s.by.closing === undefined) {
      if (once("commit")) await this.commit();
    } else if (s.root === undefined) {
      if (!once("open")) return;
      if (this.mine.open === undefined) {
        this.mine.open = await this.say("open", join([s.CL, unhex(this.mine.data)]));
        this.mine.cl = hex(s.CL);
        await this.save();
      }
      if (s.m.relay === "none") await this.message("open", this.mine.open);
      else await this.handOver(s, this.mine);
    } else if (s.course === undefined) {
      // With a relay the choices went to it with the opening, and come from it.
      if (s.m.relay !== "none" || !once("chosen")) return;
      const chosen = this.chosen(s, this.mine);
      if (chosen.length) await this.send(this.door + "/chosen", { chosen });
    } else if (!s.over) await this.play(s);
    else await this.discard(s, once);
  }

  async discard(s, once) {
    const hides = Object.entries(this.mine.hides);
    if (!hides.length || !once("discard")) return;
    const discards = hides.map(([item, d]) => ({ item: Number(item), leaves: d.leaves, nonce: d.nonce }));
    await this.send(this.door + "/discards", { pack: s.k, discards });
  }

  async play(s) {
    const mineNow = () => s.asked && !s.due.length && s.asked.kind !== "cards" && this.tableSeat(s.asked.seat) === this.number;
    this.player.show(this);
    if (mineNow()) await this.decide(s);
    await this.catchUp(mineNow() ? 0 : 5);
    this.player.show(this);
  }

  async decide(s) {
    const q = s.asked;
    const th = hex(s.th);
    if (this.mine.decided[th] === undefined) {
      const answer = await this.player.decide(q, this.hand().map((p) => ({ place: p, card: s.law.pack[s.faces.get(p).card] })));
      let payload;
      if (q.kind === "ask") payload = T("answer", q.name, answer);
      else if (q.hidden) {
        const leaves = answer.map(s.cut);
        const nonce = random(32);
        this.mine.hides[s.items] = { leaves, nonce: hex(nonce) };
        payload = T("hide", q.to, q.cards, await H(T("discard", s.mh, s.k, this.number, nonce, ...leaves)));
      } else payload = T("show", q.to, join(answer.map((p) => s.faces.get(p).raw)));
      this.mine.decided[th] = await this.say("decide", payload);
      await this.save();
    }
    await this.message("decide", this.mine.decided[th]);
  }

  async run() {
    await this.open();
    this.player.told("Key made here; only its public half leaves this browser.");
    await this.sit();
    while (!this.closed) {
      const busy = this.pack !== null && this.pack.course !== undefined && !this.pack.over;
      const moved = await this.sync(busy || this.fresh ? 0 : 5);
      this.fresh = moved;
      await this.act();
      this.player.show(this);
    }
  }
}

root.fairdealSeat = { Seat, randomBelow };
})(globalThis);
