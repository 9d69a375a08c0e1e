// The orders of sealed sets in plain Node, from PROTOCOL.md and Node's own crypto alone.
//
//   node orders.js orders < requests   one JSON object a line, {"extract", "alg", "cards", "deal"};
//                                      writes its order, one a line
//   node orders.js rate N              writes CPU microseconds a deal of 52 cards: {"each", "bulk"}
"use strict";
const crypto = require("crypto");
const readline = require("readline");

function u(bytes, value) {
  const out = Buffer.alloc(bytes);
  let rest = BigInt(value);
  for (let i = bytes - 1; i >= 0; i--, rest >>= 8n) out[i] = Number(rest & 255n);
  return out;
}

function T(label, ...fields) {
  const name = Buffer.from("fairdeal/1/" + label);
  const parts = [u(1, name.length), name];
  for (const field of fields) {
    const body = Buffer.isBuffer(field) ? field : u(8, field);
    parts.push(u(4, body.length), body);
  }
  return Buffer.concat(parts);
}

function expand(key, info, size) {
  let last = Buffer.alloc(0);
  const parts = [];
  for (let i = 1; 64 * (i - 1) < size; i++) {
    last = crypto.createHmac("sha512", key).update(last).update(info).update(u(1, i)).digest();
    parts.push(last);
  }
  return Buffer.concat(parts).subarray(0, size);
}

function bulkBlocks(extract, alg, cards) {
  const length = 16 * Math.ceil((4 * (cards - 1)) / 16);
  if (alg === "fairdeal-set-bulk-aes256ctr/1") {
    const data = expand(extract, T("bulk-aes"), 48);
    const start = BigInt("0x" + data.subarray(32).toString("hex"));
    return (first, count) => {
      const counter = u(16, (start + (BigInt(first) * BigInt(length)) / 16n) % (1n << 128n));
      const cipher = crypto.createCipheriv("aes-256-ctr", data.subarray(0, 32), counter);
      return cipher.update(Buffer.alloc(count * length));
    };
  }
  const key = expand(extract, T("bulk-shake"), 64);
  return (first, count) => {
    const parts = [];
    const low = Math.floor(first / 32);
    for (let part = low; 32 * part < first + count; part++) {
      const hash = crypto.createHash("shake256", { outputLength: 32 * length });
      parts.push(hash.update(T("bulk-order", key, part)).digest());
    }
    const start = (first - 32 * low) * length;
    return Buffer.concat(parts).subarray(start, start + count * length);
  };
}

/** One order: words of `data` from `at` to `end`, then those of more(0), more(1), .. */
function order(cards, data, at, end, more) {
  const out = new Uint8Array(cards);
  for (let i = 0; i < cards; i++) out[i] = i;
  let block = 0;
  for (let i = cards - 1; i > 0; i--) {
    const k = i + 1;
    const limit = 2 ** 32 - (2 ** 32 % k);
    let word;
    do {
      if (at === end) {
        data = more(block++);
        at = 0;
        end = data.length;
      }
      word = data.readUInt32BE(at);
      at += 4;
    } while (word >= limit);
    const j = word % k;
    const held = out[i];
    out[i] = out[j];
    out[j] = held;
  }
  return out;
}

function bulkOrder(extract, alg, cards, deal) {
  const data = bulkBlocks(extract, alg, cards)(deal, 1);
  return order(cards, data, 0, data.length, (block) => expand(extract, T("bulk-more", deal, block), 256));
}

function seconds(work) {
  const start = process.cpuUsage();
  work();
  const used = process.cpuUsage(start);
  return used.user + used.system;
}

function rate(count) {
  const seed = Buffer.alloc(200);
  const none = Buffer.alloc(0);
  const each = () => {
    for (let deal = 0; deal < count; deal++) {
      seed.writeUInt32BE(deal, 0);
      const key = crypto.createHmac("sha512", "fairdeal/1/extract").update(seed).digest();
      order(52, none, 0, 0, (block) => expand(key, T("order", block), 256));
    }
  };
  const many = 20 * count;
  const bulk = () => {
    const blocks = bulkBlocks(Buffer.alloc(64), "fairdeal-set-bulk-aes256ctr/1", 52);
    for (let first = 0; first < many; first += 2048) {
      const data = blocks(first, 2048);
      for (let i = 0; i < 2048; i++) {
        order(52, data, 208 * i, 208 * (i + 1), (block) =>
          expand(Buffer.alloc(64), T("bulk-more", first + i, block), 256));
      }
    }
  };
  const best = (work, deals) => Math.min(...[0, 1, 2].map(() => seconds(work))) / deals;
  return { each: best(each, count), bulk: best(bulk, 2048 * Math.ceil(many / 2048)) };
}

async function main() {
  if (process.argv[2] === "rate") {
    process.stdout.write(JSON.stringify(rate(Number(process.argv[3]))) + "\n");
    return;
  }
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const asked = JSON.parse(line);
    const made = bulkOrder(Buffer.from(asked.extract, "hex"), asked.alg, asked.cards, asked.deal);
    process.stdout.write(JSON.stringify([...made]) + "\n");
  }
}

main();
