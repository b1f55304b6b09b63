// SPEC.md as data: its tables, and what follows from them by its own words. Nothing of the project's code is read.
"use strict";

const fs = require("fs");

const CRC_TABLE = Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

// Section 1: CRC-32 of IEEE 802.3.
function crc32(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = CRC_TABLE[(value ^ byte) & 0xff] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

// The cells of the first table below a line that starts with `heading`, without its head.
function table(text, heading) {
  const at = text.indexOf(`\n${heading}`);
  if (at < 0) throw new Error(`SPEC.md has no ${heading}`);
  const lines = text.slice(text.indexOf("\n|", at) + 1).split("\n\n")[0].trimEnd().split("\n");
  return lines.slice(2).map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
}

// Section 8: the letters of a format, as [letter, bytes of one item, count].
function itemsOf(format) {
  const widths = { B: 1, H: 2, I: 4 };
  return [...format.matchAll(/(\d*)([BHIs])/g)].map(([, count, letter]) =>
    letter === "s" ? ["s", Number(count), 1] : [letter, widths[letter], Number(count || 1)],
  );
}

class Row {
  constructor([id, name, direction, format, fields]) {
    this.id = Number(id);
    this.name = name;
    this.direction = direction;
    this.format = format;
    this.fields = fields ? fields.split(", ") : [];
    this.items = itemsOf(format);
    this.size = this.items.reduce((sum, [, width, count]) => sum + width * count, 0);
  }

  line() {
    return `${this.id} ${this.name} ${this.direction} ${this.format} ${this.fields.join(",")}`;
  }

  pack(values) {
    const payload = Buffer.alloc(this.size);
    let at = 0;
    this.items.forEach(([letter, width, count], n) => {
      const value = values[n];
      for (let k = 0; k < count; k += 1) {
        if (letter === "s") Buffer.from(value).copy(payload, at);
        else payload.writeUIntLE(count > 1 ? value[k] : value, at, width);
        at += width;
      }
    });
    return payload;
  }

  unpack(payload) {
    if (payload.length !== this.size) throw new Error(`${this.name} has ${payload.length} bytes, not ${this.size}`);
    const values = {};
    let at = 0;
    this.items.forEach(([letter, width, count], n) => {
      const [name, several] = this.fields[n].replace("]", "").split("[");
      const read = () => {
        const value = letter === "s" ? payload.subarray(at, at + width) : payload.readUIntLE(at, width);
        at += width;
        return value;
      };
      values[name] = several === undefined ? read() : Array.from({ length: count }, read);
    });
    return values;
  }
}

class Spec {
  constructor(path) {
    const text = fs.readFileSync(path, "utf8");
    this.rows = table(text, "## 8. Messages").map((cells) => new Row(cells));
    this.version = Number(/`PROTOCOL_VERSION` is (\d+)\./.exec(text)[1]);
    const section = text.slice(text.indexOf("\n## 10. Numbers\n"), text.indexOf("\n## 11."));
    this.lists = new Map();
    for (const [, heading] of section.matchAll(/^### (.*)$/gm)) {
      const rows = table(section, `### ${heading}\n`).map(([number, name]) => [Number(number), name]);
      this.lists.set(heading.toLowerCase(), rows);
    }
    this.limits = Object.fromEntries(table(text, "## 11. Limits").map(([name, value]) => [name, Number(value)]));
  }

  row(name, direction) {
    return this.rows.find((row) => row.name === name && row.direction === direction);
  }

  byId(id, direction) {
    return this.rows.find((row) => row.id === id && row.direction === direction);
  }

  number(list, name) {
    return this.lists.get(list).find((row) => row[1] === name)[0];
  }

  name(list, number) {
    const found = this.lists.get(list).find((row) => row[0] === number);
    return found ? found[1] : `${list} ${number}`;
  }

  // Section 9.
  catalog() {
    const lines = this.rows.map((row) => row.line());
    for (const [heading, rows] of this.lists) for (const [number, name] of rows) lines.push(`${heading} ${number} ${name}`);
    return crc32(Buffer.from(lines.join("\n"), "ascii"));
  }
}

module.exports = { Spec, crc32 };
