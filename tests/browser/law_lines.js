// Reads {"law", "seats", "dealer", "trump", "order", "seed"} a line, follows the law, writes
// {"refused", "trace"}: deals as [place, to, ..] and questions, answered by counting.
"use strict";
const path = require("path");
const readline = require("readline");
const { parts } = require(
  path.join(__dirname, "..", "..", "audit", "service", "pages", "verify.js"),
);

function follow(given) {
  const trace = [];
  try {
    const law = parts.readLaw(parts.parse(given.law, "law"));
    const options = new Map([["trump", given.trump]]);
    const cardAt = (p) => law.pack[given.order[p]];
    const course = new parts.Course(law, given.seats, cardAt, options);
    const tableSeat = (s) => (s > 250 ? s : (given.dealer + s) % given.seats);
    const walk = course.run();
    let reply;
    let turn = 0;
    const take = () => {
      if (course.moves.length) trace.push(course.moves.map(([p, to]) => [p, tableSeat(to)]));
      course.moves = [];
    };
    for (;;) {
      const { value: q, done } = walk.next(reply);
      reply = undefined;
      if (done) break;
      if (q.kind === "ask" && q.name === "packets") {
        reply = law.packets.choices[0];
        continue;
      }
      take();
      if (q.kind === "cards") continue;
      turn += 1;
      if (q.kind === "ask") {
        trace.push([tableSeat(q.seat), q.name, q.choices]);
        if (!q.choices.length) throw new Error("no choice");
        reply = q.choices[(given.seed + 7 * turn) % q.choices.length];
      } else {
        trace.push([tableSeat(q.seat), "pick " + q.to, q.cards, q.hidden ? 1 : 0]);
        const shut = (p) => (course.open.has(p) ? 0 : 1);
        reply = q.from.slice().sort((a, b) => shut(a) - shut(b) || a - b).slice(0, q.cards);
      }
    }
    take();
    return { refused: "", trace };
  } catch (error) {
    return { refused: String(error.message), trace };
  }
}

async function main() {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    process.stdout.write(JSON.stringify(follow(JSON.parse(line))) + "\n");
  }
}

main();
