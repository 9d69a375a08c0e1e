/* Tables and their stage, and the newest checkpoint with its lines. */
(async function () {
"use strict";
const { byId, ask, askJson, make, link, facts } = globalThis.fairdealPages;

function lineOf(told) {
  const item = make("li");
  const name = told.pack ? link(told.table, "/packs/" + told.table + "/" + told.pack) : make("strong", told.table);
  const words = [told.game, told.players + " seats", told.stage];
  if (told.packs) words.push("pack " + told.pack + " of " + told.packs);
  if (told.waiting.length) words.push("awaited: seat " + told.waiting.join(", "));
  item.append(name, make("span", " \u2014 " + words.join(" \u00b7 ")));
  return item;
}

async function showTables() {
  const { tables } = await askJson("/api/tables");
  const told = await Promise.all(tables.slice(0, 100).map((name) => askJson("/api/tables/" + name)));
  byId("tables").replaceChildren(...told.map(lineOf));
  const more = tables.length > 100 ? "; the first 100 are shown" : "";
  byId("status").textContent = tables.length + " open tables" + more + ".";
}

async function showLedger() {
  const note = await ask("/checkpoint");
  const lines = note.split("\n");
  const signers = lines.filter((l) => l.startsWith("\u2014 ")).map((l) => l.split(" ")[1]);
  const witnesses = signers.filter((name) => name !== lines[0]);
  facts(byId("ledger"), [
    ["Ledger", lines[0]], ["Entries", lines[1]], ["Root", lines[2]],
    ["Cosigned by", witnesses.join(", ") || "no witness: the order in time is the house's word"],
  ]);
  byId("note").textContent = note;
}

try {
  await Promise.all([showTables(), showLedger()]);
} catch (error) {
  byId("status").textContent = "Cannot be shown: " + error.message;
}
})();
