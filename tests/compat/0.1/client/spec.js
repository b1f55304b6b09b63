// SPEC.md as data: its tables, and what follows from them by its own words. Nothing of the project's code is read.
//
//   node spec.js SPEC.md HEADER
//
// prints, as JSON, where the header says something else than the document.
"use strict";

const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");
const { crc32, fieldsOf, sizeOf } = require("./wire");

// The cells of the first table below a line that starts with `heading`, without its head.
function table(text, heading) {
  const at = text.indexOf(`\n${heading}`);
  if (at < 0) throw new Error(`SPEC.md has no ${heading}`);
  const lines = text.slice(text.indexOf("\n|", at) + 1).split("\n\n")[0].trimEnd().split("\n");
  return lines.slice(2).map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
}

const part = (text, from, to) => text.slice(text.indexOf(from), text.indexOf(to));

// Section 2: the heads of all bodies.
function headsOf(text) {
  const heads = {};
  for (const [heading, name, kind] of text.matchAll(/^### ([A-Z_]+) (0x\w\w), .*$/gm)) {
    const rows = table(text, heading).filter(([, type]) => type !== "payload");
    const format = rows.map(([, type]) => ({ u8: "B", u16: "H", u32: "I" })[type]).join("");
    heads[name] = rowOf(kind, format, rows.map(([field]) => field), () => "");
  }
  return heads;
}

function rowOf(id, format, written, unitOf) {
  const fields = fieldsOf(format, written).map((field, n) => ({ ...field, unit: unitOf(written[n]) }));
  return { id: Number(id), format, size: sizeOf(fields), fields };
}

// Section 8, by direction.
function messagesOf(text) {
  const units = new Map();
  for (const [messages, field, unit] of table(text, "| message | field | unit | meaning |")) {
    for (const one of messages.split(", ")) units.set(`${one === "status" ? "status status" : one} ${field}`, unit);
  }
  const found = { request: {}, reply: {}, event: {}, status: {} };
  for (const [id, name, direction, format, fields] of table(text, "## 8. Messages")) {
    if (direction === "reply" && !fields) continue;
    const written = fields ? fields.split(", ") : [];
    found[direction][name] = rowOf(id, format, written, (field) => units.get(`${name} ${direction} ${field}`));
  }
  return found;
}

// Section 10. What each side has gets a number by the words above its table.
function listsOf(text) {
  const lists = {};
  for (const [, heading] of text.matchAll(/^### (.*)$/gm)) {
    const rows = table(text, `### ${heading}\n`).map(([number, name]) => [name, Number(number)]);
    lists[heading.toLowerCase()] = Object.fromEntries(rows);
  }
  return lists;
}

function partsOf(text, lists, heading, others) {
  const words = text.slice(text.indexOf(`\n### ${heading}\n`));
  const [, first, step] = /(?:(\d+) \+ )?(\d+) × (?:side|seat) \+ kind/.exec(words);
  const names = [];
  for (const [name, kind] of Object.entries(lists[heading.toLowerCase()])) {
    for (const side of [0, 1, 2, 3]) names[Number(first || 0) + step * side + kind] = `${name}_${side}`;
  }
  for (const [name, number] of Object.entries(others)) names[number] = name;
  return names;
}

// Section 9.
function catalogOf(text, lists) {
  const rows = table(text, "## 8. Messages");
  const lines = rows.map(([id, ...cells]) => `${Number(id)} ${cells.slice(0, 3).join(" ")} ${cells[3].replaceAll(", ", ",")}`);
  for (const [heading, numbers] of Object.entries(lists)) {
    for (const [name, number] of Object.entries(numbers)) lines.push(`${heading} ${number} ${name}`);
  }
  return crc32(Buffer.from(lines.join("\n"), "ascii"));
}

function settingsOf(text) {
  const rows = table(text, "### Settings\n").map(([number, name, kind, unit, normal, limits, meaning]) => {
    const [lowest, highest] = limits.split(" to ").map(Number);
    return [name, { number: Number(number), kind, unit, default: Number(normal), lowest, highest, meaning }];
  });
  return Object.fromEntries(rows);
}

// What the header has to say.
function headerOf(text) {
  const numbers = part(text, "\n## 10. Numbers\n", "\n## 11.");
  const lists = listsOf(numbers);
  const messages = messagesOf(text);
  const forEver = part(text, "\n### What stays for ever\n", "\n### What nobody knows\n");
  const heads = Object.fromEntries([0, 1, 2, 3].map((side) => [`head_${side}`, side]));
  return {
    PROTOCOL_VERSION: Number(/`PROTOCOL_VERSION` is (\d+)\./.exec(text)[1]),
    CATALOG_HASH: catalogOf(text, lists),
    LIMITS: Object.fromEntries(table(text, "## 11. Limits").map(([name, value]) => [name, Number(value)])),
    HEADS: headsOf(text),
    REQUESTS: messages.request,
    REPLIES: messages.reply,
    EVENTS: messages.event,
    STATUSES: messages.status,
    FROZEN: Object.keys(messages.request).filter((name) => new RegExp(`\\b${name}\\b`).test(forEver)),
    LISTS: lists,
    SETTINGS: settingsOf(numbers),
    INPUTS: partsOf(numbers, lists, "Inputs of a side", lists["inputs of the table"]),
    DRIVES: partsOf(numbers, lists, "Drives of a side", lists["drives of the table"]),
    LAMPS: partsOf(numbers, lists, "Lamps of a side", {}),
    READERS: partsOf(numbers, lists, "Readers", heads),
  };
}

// Paths at which two values differ, with both.
function differences(one, other, at) {
  if (typeof one !== "object" || typeof other !== "object") return one === other ? [] : [`${at}: ${one}, not ${other}`];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) =>
    differences(one[key], other[key], `${at}/${key}`),
  );
}

async function main() {
  const [spec, header] = process.argv.slice(2);
  const wanted = headerOf(fs.readFileSync(spec, "utf8"));
  const found = { ...(await import(pathToFileURL(path.resolve(header)))) };
  for (const value of [wanted, found]) value.FROZEN = [...value.FROZEN].sort();
  process.stdout.write(`${JSON.stringify(differences(found, wanted, ""))}\n`);
}

main();
