/* The page of a seat: asks its player, shows what was checked. */
(function () {
"use strict";
const { byId, make, facts, cardRow, cardName } = globalThis.fairdealPages;
const { Seat, randomBelow } = globalThis.fairdealSeat;
const given = new URLSearchParams(location.hash.slice(1));
// The relay's address stands before the #, for the service has to let this page reach it.
const relay = new URLSearchParams(location.search).get("relay") || "";
let free = null;

function question(title, fields, read) {
  return new Promise((done) => {
    const form = byId("ask");
    const send = make("button", "Send");
    const box = make("fieldset");
    box.append(make("legend", title), ...fields);
    form.replaceChildren(box, send);
    byId("status").textContent = "Your turn: " + title;
    form.onsubmit = (event) => {
      event.preventDefault();
      const answer = read(form);
      if (answer === null) return;
      form.replaceChildren(make("p", "Sent."));
      byId("status").textContent = "Sent; waiting for the others.";
      done(answer);
    };
    const first = form.querySelector("input");
    if (first) first.focus();
  });
}

function choice(kind, name, value, text) {
  const label = make("label");
  const input = make("input");
  Object.assign(input, { type: kind, name, value });
  label.append(input, make("span", text));
  return label;
}

const player = {
  async choose(name, low, high, choices) {
    if (choices) {
      const fields = choices.map((c, i) => choice("radio", "answer", String(i), c));
      return question("Packets", fields, (form) => {
        const found = form.querySelector("input:checked");
        return found ? Number(found.value) : null;
      });
    }
    const label = make("label", "Cards off the top, " + low + " to " + high + " ");
    const input = make("input");
    Object.assign(input, { type: "number", name: "depth", min: low, max: high, value: low + randomBelow(high - low + 1), required: true });
    label.append(input);
    return question("Cut", [label], () => Number(input.value));
  },
  async decide(q, hand) {
    if (q.kind === "ask") {
      const fields = q.choices.map((c) => choice("radio", "answer", c, c));
      return question(q.name, fields, (form) => {
        const found = form.querySelector("input:checked");
        return found ? found.value : null;
      });
    }
    const fields = hand.map((h) => choice("checkbox", "card", String(h.place), cardName(h.card)));
    const title = "Pick " + q.cards + " for " + q.to + (q.hidden ? ", face down" : "");
    return question(title, fields, (form) => {
      const picked = [...form.querySelectorAll("input:checked")].map((i) => Number(i.value));
      return picked.length === q.cards ? picked : null;
    });
  },
  told(text, cards) {
    const item = make("li", text);
    if (cards) item.append(cardRow(cards));
    byId("log").append(item);
  },
  show(seat) {
    const s = seat.pack;
    const rows = [["Table", seat.table], ["Seat", seat.number]];
    if (seat.m) rows.push(["Game", seat.m.game], ["Witnesses", seat.m.witnesses.length ? seat.cosigned + " of " + seat.m.witnesses.length : "none: the order in time is the house's word"]);
    if (seat.m && seat.m.relay !== "none") rows.push(["Relay", seat.relay + ", which is " + seat.m.witnesses[seat.m.relay].name]);
    if (seat.kept.head) rows.push(["Checkpoint", seat.kept.head[0] + " entries, root " + seat.kept.head[1]]);
    if (s) {
      rows.push(["Pack", s.k + " of " + seat.m.packs], ["Dealer", "seat " + s.by.call.dealer]);
      const who = s.asked && !s.due.length ? seat.tableSeat(s.asked.seat) : null;
      rows.push(["Asked now", who === null ? "nobody" : "seat " + who + (who === seat.number ? ", you" : "")]);
      if (s.course) {
        byId("hand").replaceChildren(cardRow(seat.hand().map((p) => s.law.pack[s.faces.get(p).card])));
        const open = [...s.course.open].filter((p) => s.faces.has(p));
        byId("open").replaceChildren(cardRow(open.map((p) => s.law.pack[s.faces.get(p).card])));
      }
    }
    facts(byId("facts"), rows);
  },
  verified(pack, text) {
    player.told("Pack " + pack + ": verified against the checkpoint kept here.");
    byId("status").textContent = "Pack " + pack + " verified.";
    offer(text, "-pack-" + pack + ".json", "Download the transcript");
  },
  proved(pack, text) {
    offer(text, "-dropped-" + pack + ".json", "Download the proof of what was left out");
  },
  early(pack, text) {
    offer(text, "-early-" + pack + ".json", "Download the relay's two statements");
  },
};

function offer(text, name, title) {
  if (free) URL.revokeObjectURL(free);
  free = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  byId("download").textContent = title;
  Object.assign(byId("download"), { href: free, download: given.get("table") + name, hidden: false });
}

function alarm(error) {
  byId("alarm").hidden = false;
  byId("alarm").textContent = error.where ? "Stopped. Does not verify: " + error.where + ", " + error.what + "." : "Stopped: " + error.message;
  byId("status").textContent = "Nothing more is sent from this page.";
}

async function main() {
  const [table, seat, token] = ["table", "seat", "token"].map((name) => given.get(name) || "");
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(table) || !/^[0-9]{1,2}$/.test(seat) || !/^[0-9a-f]{32}$/.test(token)) {
    byId("status").textContent = "This address names no seat; open the link you were given.";
    return;
  }
  if (relay && !globalThis.fairdealRelay.ORIGIN.test(relay)) {
    byId("status").textContent = "This link names no relay that a page can reach; ask for another.";
    return;
  }
  byId("status").textContent = "Sitting down \u2026";
  // One page at a time holds a seat, so that no step is said twice.
  await navigator.locks.request("seat " + table + "/" + seat, { ifAvailable: true }, async (lock) => {
    if (lock === null) {
      byId("status").textContent = "This seat is open in another page of this browser.";
      return;
    }
    await new Seat(table, Number(seat), token, player, relay).run();
    byId("status").textContent = "The table is closed; every pack was checked.";
    byId("ask").replaceChildren(make("p", "Nothing is asked of you any more."));
  });
}

main().catch(alarm);
})();
