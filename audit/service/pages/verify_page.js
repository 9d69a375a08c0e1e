/* The page around the verifier: reads the fields, shows steps and cards, as text only. */
(function () {
"use strict";

const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const SIGNS = ["\u2660", "\u2665", "\u2666", "\u2663"];
const SUITS = ["spades", "hearts", "diamonds", "clubs"];
const SENTENCES = {
  "verified": "Verified: every step holds, and the ledger is the one of your anchor.",
  "agrees with itself": "Agrees with itself, without an anchor: every step holds, but nothing shows when this was made.",
  "not opened yet": "Not opened yet: what can be checked now holds; the cards are checked after the opening.",
};
const LARGEST = 32 * 1024 * 1024;
const byId = (id) => document.getElementById(id);
let fromFile = null;

function make(tag, text, name) {
  const out = document.createElement(tag);
  if (text) out.textContent = text;
  if (name) out.className = name;
  return out;
}

function cardRow(cards) {
  const list = make("ul", "", "cards");
  for (const card of cards) {
    const suit = Math.floor(card / 13);
    const known = card >= 0 && suit < 4;
    const item = make("li");
    const face = make("span", known ? RANKS[card % 13] + SIGNS[suit] + "\ufe0e" : String(card), "card");
    if (suit === 1 || suit === 2) face.classList.add("red");
    face.setAttribute("role", "img");
    face.setAttribute("aria-label", known ? RANKS[card % 13] + " of " + SUITS[suit] : "card " + card);
    item.append(face);
    list.append(item);
  }
  return list;
}

function section(title) {
  const out = make("section");
  out.append(make("h2", title));
  byId("result").append(out);
  return out;
}

function sentence(result) {
  const found = SENTENCES[result.state];
  if (found) return found;
  const place = result.where + ", " + result.what + ".";
  return (result.state === "cannot check" ? "Cannot check here: " : "Does not verify: ") + place;
}

function showSteps(result) {
  const list = make("ol", "", "steps");
  for (const step of result.steps) {
    const item = make("li", "", step.ok === true ? "pass" : step.ok === false ? "fail" : "open");
    const words = step.ok === true ? "\u2713 pass" : step.ok === false ? "\u2717 fail" : "\u2013 open";
    item.append(make("span", words, "mark"), make("span", step.title));
    if (step.text && step.text !== "holds") item.append(make("span", " \u2014 " + step.text));
    list.append(item);
  }
  section("Steps").append(list);
}

function showTable(result) {
  const who = section("Who was shown which cards");
  for (let seat = 0; seat < result.seats; seat++) {
    const cards = result.shown.filter((s) => s.to === seat).map((s) => s.card);
    who.append(make("h3", "Seat " + seat + (seat === result.dealer ? ", dealer" : "")));
    who.append(cards.length ? cardRow(cards) : make("p", "none"));
  }
  const open = result.shown.filter((s) => s.to === 255).map((s) => s.card);
  who.append(make("h3", "Everybody"), open.length ? cardRow(open) : make("p", "none"));
  if (result.discards.length) {
    who.append(make("h3", "Laid away face down, opened afterwards"), cardRow(result.discards.map((d) => d.card)));
  }
  if (result.decisions.length) {
    const said = section("Decisions");
    const list = make("ol");
    for (const d of result.decisions) {
      const item = make("li", "Seat " + d.seat + ": " + d.text);
      if (d.cards) item.append(cardRow(d.cards));
      list.append(item);
    }
    said.append(list);
  }
  section("The dealt pack, top card first").append(cardRow(result.dealt));
}

function show(result) {
  byId("result").replaceChildren();
  showSteps(result);
  if (result.dealt && result.dealt.length) showTable(result);
  for (const note of [...(result.notes || []), ...(result.limits || [])]) section("Note").append(make("p", note));
  for (const deal of result.deals || []) section("Deal " + deal.deal + ", top card first").append(cardRow(deal.dealt));
  const verdict = byId("verdict");
  verdict.textContent = sentence(result);
  verdict.dataset.state = result.state;
}

/** What was pasted, without the empty lines that pasting adds; a deal's line has its newline. */
function pasted() {
  const text = byId("transcript").value.replace(/\n+$/, "");
  return text.includes("\n") ? text + "\n" : text;
}

async function check() {
  const text = fromFile !== null ? fromFile : pasted();
  const anchor = byId("anchor").value.trim();
  byId("verdict").textContent = "Checking \u2026";
  byId("verdict").dataset.state = "";
  const known = window.fairdealVerify;
  const kinds = {
    "set-opened": known.verifySet, "bulk-opened": known.verifyBulk,
    "set-seal": known.verifySeal, "bulk-seal": known.verifyBulkSeal,
  };
  const kind = Object.keys(kinds).find((name) => text.startsWith('{"kind":"fairdeal-' + name + '/1"'));
  const verify = kind === undefined ? known.verifyTable : kinds[kind];
  show(await verify(text, anchor || null));
}

async function take(file) {
  if (!file) return;
  if (file.size > LARGEST) {
    byId("verdict").textContent = "Cannot check here: the file is larger than 32 MiB.";
    byId("verdict").dataset.state = "cannot check";
    return;
  }
  let text = "";
  for (const b of new Uint8Array(await file.arrayBuffer())) text += String.fromCharCode(b);
  byId("transcript").value = text;
  fromFile = text;
}

byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  check();
});
byId("transcript").addEventListener("input", () => { fromFile = null; });
byId("file").addEventListener("change", (event) => take(event.target.files[0]));
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("over");
});
document.addEventListener("dragleave", () => document.body.classList.remove("over"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("over");
  take(event.dataTransfer.files[0]);
});
if (location.hash === "#kept") {
  try {
    const kept = JSON.parse(sessionStorage.getItem("fairdeal-transcript"));
    byId("transcript").value = kept.text;
    byId("anchor").value = kept.anchor;
    check();
  } catch (error) {
    byId("verdict").textContent = "Nothing was handed over; paste a transcript.";
  }
}
})();
