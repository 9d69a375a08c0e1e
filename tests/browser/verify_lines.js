// Reads one JSON object a line, {"kind", "text", "anchor"}, and writes one verdict a line.
"use strict";
const path = require("path");
const readline = require("readline");
const { verifyTable, verifySet, verifyBulk } = require(
  path.join(__dirname, "..", "..", "audit", "service", "pages", "verify_bulk.js"),
);

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const given = JSON.parse(line);
    const verify = { set: verifySet, bulk: verifyBulk, table: verifyTable }[given.kind];
    process.stdout.write(JSON.stringify(await verify(given.text, given.anchor)) + "\n");
  }
}

main();
