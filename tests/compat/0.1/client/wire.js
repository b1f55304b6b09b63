// The layouts of the header with the numbers of a board, as SPEC.md, section 9, has a host bind them by their names.
"use strict";

const zlib = require("zlib");

const TABLES = { request: "REQUESTS", reply: "REPLIES", event: "EVENTS", status: "STATUSES" };

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

const widthOf = (item) => ({ B: 1, H: 2, I: 4 })[item] || parseInt(item, 10);
const sizeOf = (fields) => fields.reduce((sum, { item, length }) => sum + widthOf(item) * (length || 1), 0);

// Section 8: the fields of a row, each where it is.
function fieldsOf(format, written) {
  const items = [...format.matchAll(/(\d*)([BHIs])/g)].flatMap(([, count, letter]) =>
    letter === "s" ? [`${count}s`] : Array(Number(count || 1)).fill(letter),
  );
  const fields = [];
  for (const one of written) {
    const [, name, count] = /^(\w+)(?:\[(\d+)\])?$/.exec(one);
    const [item] = items.splice(0, Number(count || 1));
    fields.push({ name, at: sizeOf(fields), item, length: Number(count || 0) });
  }
  return fields;
}

// A message of a board: the fields that the header has too, of one that it lacks all; `absent` are those of the header alone.
class Row {
  constructor(id, name, direction, size, fields, absent) {
    Object.assign(this, { id, name, direction, size, fields, absent });
  }

  pack(values) {
    const { fields, absent, name } = this;
    if (values.length !== fields.length + absent.length) throw new Error(`${name} takes other values than ${values}`);
    const lacked = absent.find((_, n) => values[fields.length + n]);
    if (lacked) throw new Error(`this board has no ${lacked.name} of ${name}`);
    const payload = Buffer.alloc(this.size);
    fields.forEach(({ at, item, length }, n) => {
      const width = widthOf(item);
      if (item.endsWith("s")) Buffer.from(values[n]).copy(payload, at);
      else (length ? values[n] : [values[n]]).forEach((value, k) => payload.writeUIntLE(value, at + k * width, width));
    });
    return payload;
  }

  unpack(payload) {
    if (payload.length !== this.size) throw new Error(`${this.name} has ${payload.length} bytes, not ${this.size}`);
    const values = Object.fromEntries(this.absent.map(({ name }) => [name, 0]));
    for (const { name, at, item, length } of this.fields) {
      const width = widthOf(item);
      const read = (_, k) => payload.readUIntLE(at + k * width, width);
      if (item.endsWith("s")) values[name] = payload.subarray(at, at + width);
      else values[name] = length ? Array.from({ length }, read) : read(null, 0);
    }
    return values;
  }
}

// Until `bind` its rows and lists are the header's own: of these only what stays for ever may be used.
class Wire {
  constructor(header) {
    this.header = header;
    this.isBound = false;
    this.version = header.PROTOCOL_VERSION;
    this.limits = header.LIMITS;
    this.catalog = header.CATALOG_HASH;
    this.lists = new Map(Object.entries(header.LISTS).map(([heading, rows]) => [heading, new Map(Object.entries(rows))]));
    this.rows = Object.entries(TABLES).flatMap(([direction, table]) =>
      Object.entries(header[table]).map(([name, { id, size, fields }]) => new Row(id, name, direction, size, fields, [])),
    );
  }

  // Goes by the dictionary that a board has handed out.
  bind(packed, catalog) {
    const text = zlib.inflateSync(packed);
    if (crc32(text) !== catalog) throw new Error(`the dictionary is another than ${catalog}`);
    this.isBound = true;
    this.catalog = catalog;
    this.lists = new Map();
    this.rows = [];
    for (const line of text.toString("ascii").split("\n")) {
      const number = /^([a-z ]+) (\d+) (\w+)$/.exec(line);
      if (!number) this.rows.push(this.bound(...line.split(" ")));
      else this.lists.set(number[1], (this.lists.get(number[1]) || new Map()).set(number[3], Number(number[2])));
    }
  }

  bound(id, name, direction, format, written) {
    const theirs = fieldsOf(format, written ? written.split(",") : []);
    const { fields } = this.header[TABLES[direction]][name] || { fields: theirs };
    const both = theirs.slice(0, fields.length);
    const place = (field) => [field.name, field.at, field.item, field.length].join();
    if (both.every((field, n) => place(field) === place(fields[n]))) {
      return new Row(Number(id), name, direction, sizeOf(theirs), both, fields.slice(both.length));
    }
    return new Row(Number(id), `another ${name}`, direction, sizeOf(theirs), theirs, []);
  }

  row(name, direction) {
    const found = this.rows.find((row) => row.name === name && row.direction === direction);
    if (!found) throw new Error(`this board has no ${name}`);
    return found;
  }

  byId(id, direction) {
    return this.rows.find((row) => row.id === id && row.direction === direction);
  }

  number(list, name) {
    if (!this.lists.get(list).has(name)) throw new Error(`this board has no ${name} among its ${list}`);
    return this.lists.get(list).get(name);
  }

  name(list, number) {
    const found = [...this.lists.get(list)].find((row) => row[1] === number);
    return found ? found[0] : `${list} ${number}`;
  }
}

module.exports = { Wire, crc32, fieldsOf, sizeOf };
