/* One pack: where its entries stand, who is awaited, its transcript. */
(async function () {
"use strict";
const { byId, ask, askJson, make, link, facts, time } = globalThis.fairdealPages;
const [, , table, number] = location.pathname.split("/");
const door = "/api/tables/" + table;

async function offer() {
  const text = await ask(door + "/packs/" + number + "/transcript");
  const anchor = new TextDecoder().decode(Uint8Array.from(JSON.parse(text).checkpoint.match(/../g), (h) => parseInt(h, 16)));
  byId("download").href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  byId("download").download = table + "-pack-" + number + ".json";
  byId("download").hidden = false;
  byId("check").hidden = false;
  byId("check").addEventListener("click", () => {
    sessionStorage.setItem("fairdeal-transcript", JSON.stringify({ text, anchor: "" }));
    location.href = "/verify#kept";
  });
  return anchor;
}

try {
  const told = await askJson(door);
  const mine = told.entries.filter((e) => e.pack === Number(number));
  const now = told.pack === Number(number);
  const stage = now ? told.stage : mine.length ? mine[mine.length - 1].kind : "not called yet";
  byId("status").textContent = "Table " + table + ", pack " + number + ": " + stage + ".";
  facts(byId("facts"), [
    ["Game", told.game], ["Seats", told.players], ["Manifest", told.mh],
    ["Awaited", now && told.waiting.length ? "seat " + told.waiting.join(", ") : "nobody"],
    ["Deadline", now ? time(told.deadline) : "none"],
  ]);
  byId("entries").replaceChildren(...mine.map((e) => {
    const item = make("li");
    item.append(link(e.kind, "/api/entries?index=" + e.index), make("span", " \u2014 index " + e.index));
    return item;
  }));
  byId("packs").replaceChildren(...Array.from({ length: told.pack }, (_, i) => {
    const item = make("li");
    item.append(link("Pack " + (i + 1), "/packs/" + table + "/" + (i + 1)));
    return item;
  }));
  if (mine.some((e) => e.kind === "opened")) await offer();
} catch (error) {
  byId("status").textContent = "Cannot be shown: " + error.message;
}
})();
