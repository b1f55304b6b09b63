// A host of a table, written from SPEC.md and its header: deals with dice that it recomputes, and hostile frames. It goes
// by the dictionary of the board that it meets.
//
//   node client.js HEADER PORT stepped|PACE DEALS HOSTILE SEED
//
// Keys and hands at the table, and in `stepped` runs the time as well, belong to whoever has started it: a line of JSON
// on the standard output asks, a line on the standard input answers. The last line is {"result": ...}.
"use strict";

const crypto = require("crypto");
const net = require("net");
const path = require("path");
const readline = require("readline");
const { pathToFileURL } = require("url");
const { Link } = require("./link");
const { Wire } = require("./wire");
const { hostile } = require("./hostile");

const LONGEST_MS = 120_000;

// What has started this program, one question at a time.
class Starter {
  constructor() {
    this.waiting = [];
    readline.createInterface({ input: process.stdin }).on("line", (line) => this.waiting.shift()(JSON.parse(line)));
  }

  ask(question) {
    process.stdout.write(`${JSON.stringify(question)}\n`);
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

// Bytes to and from the port, and its time in ms: real, `pace` times as fast, or that of whoever has started this.
class Port {
  constructor(socket, starter, pace) {
    this.socket = socket;
    this.starter = starter;
    this.pace = pace;
    this.chunks = [];
    this.sent = 0;
    this.got = 0;
    this.time = 0;
    this.begin = Date.now();
    this.wake = () => {};
    socket.on("data", (data) => {
      this.chunks.push(data);
      this.got += data.length;
      this.wake();
    });
    socket.on("close", () => {
      this.closed = true;
      this.wake();
    });
  }

  now() {
    return this.pace ? Math.floor((Date.now() - this.begin) * this.pace) : this.time;
  }

  write(data) {
    if (data.length) this.socket.write(data);
    this.sent += data.length;
  }

  async read(until) {
    if (this.pace) {
      if (!this.chunks.length && !this.closed && until > this.now()) await this.news((until - this.now()) / this.pace);
    } else {
      const answer = await this.starter.ask({ until, sent: this.sent });
      while (this.got < answer.sent && !this.closed) await this.news();
      this.time = answer.now;
    }
    if (this.closed) throw new Error("the port is closed");
    return Buffer.concat(this.chunks.splice(0));
  }

  news(ms) {
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, Math.ceil(ms));
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

class Host {
  constructor(wire, port, starter) {
    this.wire = wire;
    this.port = port;
    this.starter = starter;
    this.link = new Link(wire);
    this.seen = 0;
    this.contributions = new Map();
    this.commitments = new Map();
    this.rolls = [];
  }

  async step(until) {
    const { link, port } = this;
    port.write(link.take());
    const data = await port.read(Math.min(until, link.due));
    link.receive(port.now(), data);
    port.write(link.take());
  }

  async until(what, done) {
    const end = this.port.now() + LONGEST_MS;
    for (let found = done(); ; found = done()) {
      if (found) return found;
      if (this.port.now() >= end) throw new Error(`no ${what}; the state is ${this.stateName()}`);
      await this.step(end);
    }
  }

  async hello() {
    this.link.hello(this.port.now());
    const { catalog } = await this.until("handshake", () => this.link.flight.answer);
    this.link.flight = null;
    const parts = [];
    for (let [size, had] = [1, 0]; had < size; had += parts[parts.length - 1].length) {
      const answer = await this.do("get_dictionary", had);
      size = answer.size;
      parts.push(answer.part.subarray(0, size - had));
    }
    this.wire.bind(Buffer.concat(parts), catalog);
  }

  async ask(name, ...values) {
    this.link.request(this.port.now(), name, ...values);
    const answer = await this.until(`answer to ${name}`, () => this.link.flight.answer);
    this.link.flight = null;
    const refusal = this.wire.name("refusals", answer.code);
    const row = this.wire.row(name, "reply");
    return { refusal, ...(answer.code === 0 ? row.unpack(answer.payload) : {}) };
  }

  async do(name, ...values) {
    const answer = await this.ask(name, ...values);
    if (answer.refusal !== "ok") throw new Error(`${name} is refused: ${answer.refusal}, the state is ${this.stateName()}`);
    return answer;
  }

  async key(line) {
    const { problem } = await this.starter.ask({ key: line, now: this.port.now() });
    if (problem) throw new Error(problem);
  }

  stateName() {
    const states = this.link.events.filter((event) => event.name === "state_changed");
    return states.length ? this.wire.name("states", states[states.length - 1].state) : "not known";
  }

  async state(name) {
    await this.until(`state ${name}`, () => this.stateName() === name);
  }

  // The first event of that name since the last call, after the dice's events were looked at.
  async event(name) {
    const found = await this.until(`event ${name}`, () => this.link.events.slice(this.seen).find((one) => one.name === name));
    this.seen = this.link.events.indexOf(found) + 1;
    return found;
  }

  async contribute() {
    const find = () => this.link.events.filter((event) => event.name === "dice_committed").pop();
    const rolled = this.rolls.length;
    const committed = await this.until("commitment", () => (find() && find().roll > rolled ? find() : null));
    const part = crypto.randomBytes(16);
    this.commitments.set(committed.roll, committed.commitment.toString("hex"));
    const answer = await this.ask("contribute", committed.roll, part);
    if (answer.refusal !== "ok") throw new Error(`contribute is refused: ${answer.refusal}`);
    this.contributions.set(committed.roll, part.toString("hex"));
  }
}

const sha256 = (...parts) => crypto.createHash("sha256").update(Buffer.concat(parts)).digest();

function u32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

// Section 8: the dice that follow.
function diceOf(roll, seed, contribution, count) {
  let digest = sha256(Buffer.from("wallwright dice 1"), u32(roll), seed, contribution);
  for (let more = 1; ; more += 1) {
    const good = [...digest].filter((byte) => byte < 252);
    if (good.length >= count) return good.slice(0, count).map((byte) => (byte % 6) + 1);
    digest = sha256(digest, u32(more));
  }
}

function checkRoll(host, rolled) {
  const { roll, seed, contribution, contributed, dice } = rolled;
  const commitment = sha256(Buffer.from("wallwright seed 1"), u32(roll), seed).toString("hex");
  const given = contributed ? contribution : Buffer.alloc(0);
  const thrown = dice.filter((die) => die);
  const problem =
    (commitment !== host.commitments.get(roll) && "another seed than the one committed to") ||
    (contribution.toString("hex") !== host.contributions.get(roll) && "another contribution than mine") ||
    (String(diceOf(roll, seed, given, thrown.length)) !== String(thrown) && `other dice than ${diceOf(roll, seed, given, thrown.length)}`);
  if (problem) throw new Error(`roll ${roll}: ${problem}`);
  host.rolls.push({ roll, dice });
}

// Section 8, set_plan: the wash is that of the setting.
const AS_SET = 255;

// Section 8, get_info and set_plan: the 14s at the dealer and opposite.
const planOf = (dealer) => [0, 1, 2, 3].map((side) => ((side - dealer) % 2 === 0 ? 14 : 13));

async function deal(host, number) {
  const dealer = number % 4;
  const byKeys = number % 2 === 1;
  if (number === 0) {
    await host.do("set_plan", planOf(dealer), dealer, host.wire.number("plan modes", "fixed"), AS_SET);
    await host.do("start_build");
  }
  const built = await host.event("build_done");
  if (String(built.stacks) !== String(planOf(dealer))) throw new Error(`deal ${number}: the walls are ${built.stacks}`);
  await host.state("ready");
  await (byKeys ? host.key(`l${dealer}`) : host.do("open_lid"));
  await host.state("lid_open");
  await host.key("p");
  await (byKeys ? host.key(`l${(dealer + 1) % 4}`) : host.do("raise_walls"));
  const up = await host.event("walls_up");
  if (up.deal !== number + 1) throw new Error(`deal ${number}: ${up.deal} walls have gone up`);
  await host.contribute();
  await host.key("w");
  const next = (dealer + 1) % 4;
  await host.do("set_plan", planOf(next), next, host.wire.number("plan modes", "fixed"), AS_SET);
  const reply = byKeys ? null : await host.do("roll_dice", dealer, 0, 0);
  await (byKeys ? host.key(`d${dealer}`) : host.do("lower_lifts"));
  const rolled = await host.event("dice_rolled");
  checkRoll(host, rolled);
  if (reply && String([reply.dice, reply.roll]) !== String([rolled.dice, rolled.roll])) throw new Error("the reply has other dice");
  if (rolled.seat !== dealer) throw new Error(`deal ${number}: rolled for ${rolled.seat}`);
}

async function main() {
  const [header, number, pace, deals, frames, seed] = process.argv.slice(2);
  const wire = new Wire(await import(pathToFileURL(path.resolve(header))));
  const starter = new Starter();
  const socket = net.connect(Number(number), "127.0.0.1");
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  socket.setNoDelay(true);
  const port = new Port(socket, starter, pace === "stepped" ? 0 : Number(pace));
  const host = new Host(wire, port, starter);
  await host.hello();
  const info = await host.do("get_info");
  for (let n = 0; n < Number(deals) - 1; n += 1) await deal(host, n);
  let answers = 0;
  if (Number(frames)) {
    await host.until("walls", () => host.stateName() === "ready");
    answers = await hostile(host, Number(frames), Number(seed));
  }
  if (Number(deals)) await deal(host, Number(deals) - 1);
  const status = await host.do("get_status");
  const result = {
    unit: info.unit.toString("latin1").replace(/\0+$/, ""),
    catalog: wire.catalog,
    deals: status.deal,
    frame_errors: status.frame_errors,
    rolls: host.rolls,
    events: host.link.events.length,
    lost: host.link.lost,
    again: host.link.again,
    dropped: host.link.decoder.dropped,
    answers,
  };
  process.stdout.write(`${JSON.stringify({ result })}\n`);
  process.exit(0);
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
