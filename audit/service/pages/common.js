/* What the pages of the service share: asking, and showing data as text. */
(function (root) {
"use strict";

const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const SIGNS = ["\u2660", "\u2665", "\u2666", "\u2663"];
const SUITS = ["spades", "hearts", "diamonds", "clubs"];
const byId = (id) => document.getElementById(id);

class Refused extends Error {
  constructor(status, told) {
    super([told.where, told.what, told.why].filter(Boolean).join(" ") || told.title || "refused");
    this.status = status;
    this.told = told;
  }
}

/** Sends a request; gives the text of the answer. Raises Refused, or TypeError without network. */
async function ask(path, body) {
  const how = { cache: "no-store", credentials: "omit" };
  if (body !== undefined) {
    Object.assign(how, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  }
  const answer = await fetch(path, how);
  const text = await answer.text();
  if (answer.ok) return text;
  let told = {};
  try {
    told = JSON.parse(text);
  } catch (error) {
    told = { title: "refused" };
  }
  throw new Refused(answer.status, told);
}

const askJson = async (path, body) => JSON.parse(await ask(path, body));

function make(tag, text, name) {
  const out = document.createElement(tag);
  if (text) out.textContent = text;
  if (name) out.className = name;
  return out;
}

function link(text, href) {
  const out = make("a", text);
  out.href = href;
  return out;
}

function facts(list, rows) {
  list.replaceChildren(...rows.flatMap(([name, value]) => [make("dt", name), make("dd", String(value))]));
}

const cardName = (card) => card < 52 ? RANKS[card % 13] + " of " + SUITS[Math.floor(card / 13)] : "card " + card;

function cardFace(card) {
  const suit = Math.floor(card / 13);
  const face = make("span", card < 52 ? RANKS[card % 13] + SIGNS[suit] + "\ufe0e" : String(card), "card");
  if (suit === 1 || suit === 2) face.classList.add("red");
  face.setAttribute("role", "img");
  face.setAttribute("aria-label", cardName(card));
  return face;
}

function cardRow(cards) {
  const list = make("ul", "", "cards");
  for (const card of cards) {
    const item = make("li");
    item.append(cardFace(card));
    list.append(item);
  }
  return list;
}

const time = (seconds) => seconds ? new Date(1000 * seconds).toISOString().replace(".000Z", " UTC").replace("T", " ") : "none";

root.fairdealPages = { byId, ask, askJson, make, link, facts, cardFace, cardName, cardRow, time, Refused };
})(globalThis);
