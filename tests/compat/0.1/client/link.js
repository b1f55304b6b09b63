// The host's end of the link, from SPEC.md sections 1 to 7. Bytes and times in, bytes and what happened out.
"use strict";

const crypto = require("crypto");
const { crc32 } = require("./wire");

const KIND = { HELLO: 0x01, REQUEST: 0x02, EVENT_ACK: 0x03, HELLO_REPLY: 0x81, REPLY: 0x82, EVENT: 0x83, STATUS: 0x84 };

// Section 1. Each piece up to a 00 is preceded by its length plus one.
function frame(body) {
  const crc = Buffer.alloc(4);
  crc.writeUInt32LE(crc32(body));
  const out = [];
  let piece = [];
  for (const byte of [...body, ...crc]) {
    if (byte) piece.push(byte);
    else {
      out.push(piece.length + 1, ...piece);
      piece = [];
    }
  }
  return Buffer.from([...out, piece.length + 1, ...piece, 0]);
}

// The body in a block without its 00, null when it is no frame.
function unframe(block) {
  const data = [];
  for (let at = 0; at < block.length; ) {
    const end = at + block[at];
    if (end > block.length) return null;
    data.push(...block.subarray(at + 1, end));
    at = end;
    if (at < block.length) data.push(0);
  }
  if (data.length < 5) return null;
  const bytes = Buffer.from(data);
  const body = bytes.subarray(0, -4);
  return crc32(body) === bytes.readUInt32LE(body.length) ? body : null;
}

class Decoder {
  constructor() {
    this.block = [];
    this.skipping = false;
    this.dropped = 0;
  }

  feed(data) {
    const bodies = [];
    for (const byte of data) {
      if (byte === 0) {
        if (!this.skipping && this.block.length) {
          const body = this.block.length < 6 ? null : unframe(Buffer.from(this.block));
          if (body) bodies.push(body);
          else this.dropped += 1;
        }
        this.block = [];
        this.skipping = false;
      } else if (!this.skipping) {
        this.block.push(byte);
        if (this.block.length === 246) {
          this.dropped += 1;
          this.skipping = true;
        }
      }
    }
    return bodies;
  }
}

// Fields after the kind, each u8, u16 or u32, by their widths.
function head(kind, ...fields) {
  const out = Buffer.alloc(1 + fields.reduce((sum, [width]) => sum + width, 0));
  out[0] = kind;
  let at = 1;
  for (const [width, value] of fields) at = out.writeUIntLE(value, at, width);
  return out;
}

const u32 = (value) => [4, value];
const u16 = (value) => [2, value];
const u8 = (value) => [1, value];

class Link {
  constructor(wire) {
    this.wire = wire;
    this.decoder = new Decoder();
    this.events = [];
    this.lost = 0;
    this.again = 0;
    this.status = null;
    this.others = [];
    this.isOpen = false;
    this.out = [];
    this.flight = null;
    this.ackDue = Infinity;
  }

  get due() {
    return Math.min(this.flight ? this.flight.due : Infinity, this.ackDue);
  }

  hello(now) {
    this.session = 1 + crypto.randomInt(2 ** 32 - 2);
    this.isOpen = false;
    this.sequence = 0;
    this.ackDue = Infinity;
    this.fly(now, this.helloBody(this.wire.version, this.wire.catalog, this.session), null);
  }

  helloBody(version, catalog, session) {
    return head(KIND.HELLO, u16(version), u32(catalog), u32(session));
  }

  request(now, name, ...values) {
    const row = this.wire.row(name, "request");
    this.sequence = (this.sequence + 1) % 65536;
    this.fly(now, this.requestBody(this.session, this.sequence, row.id, row.pack(values)), row.id);
  }

  requestBody(session, sequence, message, payload) {
    return Buffer.concat([head(KIND.REQUEST, u32(session), u16(sequence), u8(message)), payload]);
  }

  ackBody(session, bootId, received, stored) {
    return head(KIND.EVENT_ACK, u32(session), u32(bootId), u32(received), u32(stored));
  }

  fly(now, body, message) {
    this.flight = { bytes: frame(body), message, tries: 0, due: now, answer: null };
    this.poll(now);
  }

  // Sends what is due: a frame again (section 4), the heartbeat (section 6).
  poll(now) {
    const flight = this.flight;
    const { RETRY_MS, RETRY_CAP_MS, TRIES, HEARTBEAT_MS } = this.wire.limits;
    if (flight && !flight.answer && now >= flight.due) {
      if (flight.tries === TRIES) throw new Error(`no answer to message ${flight.message} in ${TRIES} tries`);
      this.out.push(flight.bytes);
      flight.due = now + Math.min(RETRY_MS * 2 ** flight.tries, RETRY_CAP_MS);
      flight.tries += 1;
    }
    if (this.isOpen && now >= this.ackDue) {
      this.out.push(frame(this.ackBody(this.session, this.bootId, this.received, this.received)));
      this.ackDue = now + HEARTBEAT_MS;
    }
  }

  take() {
    const bytes = Buffer.concat(this.out);
    this.out = [];
    return bytes;
  }

  receive(now, data) {
    let acknowledge = false;
    for (const body of this.decoder.feed(data)) {
      const kind = body[0];
      if (kind === KIND.HELLO_REPLY && body.length === 24) this.helloReply(now, body);
      else if (!this.isOpen || body.length < 5 || ![KIND.REPLY, KIND.EVENT, KIND.STATUS].includes(kind)) continue;
      else if (body.readUInt32LE(1) !== this.bootId) throw new Error("the board has started anew");
      else if (kind === KIND.REPLY && body.length >= 13) this.reply(body);
      else if (!this.wire.isBound) continue; // nobody knows yet what it says; the board sends events again
      else if (kind === KIND.EVENT && body.length >= 18) {
        this.event(body);
        acknowledge = true;
      } else if (kind === KIND.STATUS && body[5] === this.wire.row("status", "status").id) {
        this.status = this.wire.row("status", "status").unpack(body.subarray(6));
      }
    }
    if (acknowledge) this.ackDue = now;
    this.poll(now);
  }

  helloReply(now, body) {
    const [bootId, session] = [body.readUInt32LE(1), body.readUInt32LE(5)];
    const answer = { version: body.readUInt16LE(9), catalog: body.readUInt32LE(11), code: body[15], session };
    if (!this.flight || this.flight.message !== null || session !== this.session) {
      this.others.push(answer);
      return;
    }
    const ok = answer.version === this.wire.version && bootId !== 0;
    if (answer.code !== 0 || !ok) throw new Error(`no session: ${JSON.stringify(answer)}`);
    if (this.bootId !== undefined && this.bootId !== bootId) throw new Error("the board has started anew");
    this.bootId = bootId;
    this.received = body.readUInt32LE(16);
    this.isOpen = true;
    this.ackDue = now + this.wire.limits.HEARTBEAT_MS;
    this.flight.answer = answer;
  }

  reply(body) {
    const answer = { session: body.readUInt32LE(5), sequence: body.readUInt16LE(9), message: body[11], code: body[12] };
    answer.payload = body.subarray(13);
    const flight = this.flight;
    const own = answer.session === this.session && answer.sequence === this.sequence;
    const lost = answer.message === 0 && answer.code === this.wire.number("refusals", "unknown_session");
    if (answer.session === this.session && lost) throw new Error("the session is lost");
    if (flight && !flight.answer && own && answer.message === flight.message) flight.answer = answer;
    else this.others.push(answer);
  }

  // Section 5, the previous number.
  event(body) {
    const [seq, previous] = [body.readUInt32LE(5), body.readUInt32LE(9)];
    if (seq <= this.received || previous > this.received) {
      this.again += 1;
      return;
    }
    this.lost += seq - this.received - 1;
    this.received = seq;
    const row = this.wire.byId(body[17], "event");
    const known = row !== undefined && row.size === body.length - 18;
    this.events.push({ seq, name: known ? row.name : `event ${body[17]}`, ...(known ? row.unpack(body.subarray(18)) : {}) });
  }
}

module.exports = { KIND, Link, frame };
