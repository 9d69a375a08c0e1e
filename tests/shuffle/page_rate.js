// CPU seconds in which the page's verifier checks an opened set, the best of three:
// node page_rate.js set|bulk < opened
"use strict";
const fs = require("fs");
const path = require("path");
const { verifySet, verifyBulk } = require(
  path.join(__dirname, "..", "..", "audit", "service", "pages", "verify_bulk.js"),
);

async function main() {
  const text = fs.readFileSync(0, "latin1");
  const verify = process.argv[2] === "set" ? verifySet : verifyBulk;
  let best = Infinity;
  for (let turn = 0; turn < 3; turn++) {
    const start = process.cpuUsage();
    const told = await verify(text, null);
    const used = process.cpuUsage(start);
    if (told.state !== "agrees with itself") throw new Error(told.where + ": " + told.what);
    best = Math.min(best, (used.user + used.system) / 1e6);
  }
  process.stdout.write(best + "\n");
}

main();
