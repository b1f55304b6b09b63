// Frames that no host may send, to a table whose walls are ready; by SPEC.md it is certain what each of them does.
"use strict";

const { KIND, frame } = require("./link");

const BATCH = 250;

// A small generator of random numbers, so that a run can be repeated: mulberry32.
function generator(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return (((value ^ (value >>> 14)) >>> 0) / 2 ** 32) * below >>> 0;
  };
}

// Each returns the bytes, what the board answers (null: nothing), and by how much frame_errors grows.
function attacks(host, random) {
  const { link, wire } = host;
  const bytes = (length, lowest = 0) => Buffer.from(Array.from({ length }, () => lowest + random(256 - lowest)));
  const refusal = (name) => wire.number("refusals", name);
  const known = new Set(wire.rows.filter((row) => row.direction === "request").map((row) => row.id));
  const messages = (is) => Array.from({ length: 256 }, (_, id) => id).filter((id) => known.has(id) === is);
  const one = (list) => list[random(list.length)];
  const other = () => (link.session ^ (1 + random(2 ** 31))) >>> 0;
  const asked = (name, values) => ({ id: wire.row(name, "request").id, payload: wire.row(name, "request").pack(values) });
  const nothing = (body) => ({ data: frame(body), answer: null, errors: 0 });
  const next = (message, payload, code, check) => {
    link.sequence = (link.sequence + 1) % 65536;
    const body = link.requestBody(link.session, link.sequence, message, payload);
    return { data: frame(body), answer: { session: link.session, sequence: link.sequence, message, code }, errors: 0, check };
  };
  const ask = (name, values, code) => {
    const { id, payload } = asked(name, values);
    return next(id, payload, refusal(code));
  };
  return [
    () => ({ data: Buffer.concat([bytes(1 + random(5), 1), Buffer.alloc(1)]), answer: null, errors: 1 }),
    () => ({ data: Buffer.concat([bytes(6 + random(240), 1), Buffer.alloc(1)]), answer: null, errors: 1 }),
    () => ({ data: Buffer.concat([bytes(246 + random(300), 1), Buffer.alloc(1)]), answer: null, errors: 1 }),
    () => ({ data: Buffer.alloc(1 + random(9)), answer: null, errors: 0 }),
    () => {
      const { id, payload } = asked("stop", []);
      const data = frame(link.requestBody(link.session, (link.sequence + 1) % 65536, id, payload));
      const at = random(data.length - 1);
      data[at] = 1 + ((data[at] + random(254)) % 255);
      return { data, answer: null, errors: 1 };
    },
    () => nothing(Buffer.concat([Buffer.from([one([0, 4, 5, 0x80, 0x81, 0x82, 0x83, 0x84, 0xff])]), bytes(random(60))])),
    () => nothing(Buffer.concat([Buffer.from([KIND.HELLO]), bytes(one([0, 1, 9, 11, 40]))])),
    () => nothing(Buffer.concat([Buffer.from([KIND.REQUEST]), bytes(random(7))])),
    () => nothing(Buffer.concat([Buffer.from([KIND.EVENT_ACK]), bytes(one([0, 4, 15, 17, 99]))])),
    () => {
      const [session, sequence, message] = [other(), random(65536), random(256)];
      const data = frame(link.requestBody(session, sequence, message, bytes(random(30))));
      return { data, answer: { session, sequence, message, code: refusal("unknown_session") }, errors: 0 };
    },
    () => {
      const session = other();
      const data = frame(link.ackBody(session, random(2 ** 32), random(2 ** 32), random(2 ** 32)));
      return { data, answer: { session, sequence: 0, message: 0, code: refusal("unknown_session") }, errors: 0 };
    },
    () => nothing(link.requestBody(link.session, (link.sequence + 65536 - 1 - random(32766)) % 65536, 0x18, Buffer.alloc(0))),
    () => {
      const session = other();
      const version = (wire.version + 1 + random(65535)) % 65536;
      const answer = { version: wire.version, catalog: wire.catalog, code: refusal("version_mismatch"), session };
      return { data: frame(link.helloBody(version, wire.catalog, session)), answer, errors: 0 };
    },
    () => {
      const answer = { version: wire.version, catalog: wire.catalog, code: refusal("bad_argument"), session: 0 };
      return { data: frame(link.helloBody(wire.version, wire.catalog, 0)), answer, errors: 0 };
    },
    () => next(one(messages(false)), bytes(random(40)), refusal("unknown_message")),
    () => {
      const id = one(messages(true));
      return next(id, bytes(wire.byId(id, "request").size + 1 + random(20)), refusal("wrong_length"));
    },
    () => ask("roll_dice", [4 + random(252), 0, 0], "bad_argument"),
    () => ask("set_plan", [[random(256), 20, random(256), random(256)], random(256), random(256), random(256)], "bad_argument"),
    () => ask("contribute", [1000 + random(2 ** 31), bytes(16)], "bad_argument"),
    () => ask("jog", [24 + random(232), random(65536)], "bad_argument"),
    () => ask("get_drive", [24 + random(232)], "bad_argument"),
    () => ask("set_setting", [100 + random(156), random(65536)], "bad_argument"),
    () => ask(one(["start_build", "raise_walls", "lower_lifts", "clear_fault", "end_service"]), [], "wrong_state"),
    () => ask("jog", [random(24), 1 + random(100)], "wrong_state"),
    () => ask(one(["get_info", "get_status", "get_inputs", "get_counters", "get_readers"]), [], "ok"),
  ];
}

// Sends `count` frames, and returns how many were answered; throws when anything is not as SPEC.md has it.
async function hostile(host, count, seed) {
  const { link, port, wire } = host;
  const random = generator(seed);
  const all = attacks(host, random);
  await host.until("rest", () => link.status && wire.name("states", link.status.state) === "ready" && !link.status.drives);
  const before = await host.do("get_status");
  let [errors, answered] = [0, 0];
  for (let sent = 0; sent < count; ) {
    const wanted = [];
    for (; sent < count && wanted.length < BATCH; sent += 1) {
      const attack = all[random(all.length)]();
      link.out.push(attack.data);
      errors += attack.errors;
      wanted.push(attack.answer);
    }
    const answers = wanted.filter((answer) => answer !== null);
    await host.until("answers", () => link.others.length >= answers.length);
    const got = link.others.splice(0);
    answers.forEach((answer, n) => {
      for (const [name, value] of Object.entries(answer)) {
        if (got[n][name] !== value) throw new Error(`${JSON.stringify(got[n])} is no answer like ${JSON.stringify(answer)}`);
      }
      if (got[n].code !== 0 && got[n].payload !== undefined && got[n].payload.length) throw new Error("a refusal says more");
    });
    if (got.length !== answers.length) throw new Error(`${got.length - answers.length} answers that nobody asked for`);
    answered += answers.length;
    await host.step(port.now() + 50);
  }
  const after = await host.do("get_status");
  const counted = (after.frame_errors - before.frame_errors + 65536) % 65536;
  if (counted !== errors % 65536) throw new Error(`${counted} frame errors, not ${errors}`);
  for (const field of ["state", "fault", "plan", "stacks", "deal", "dealer", "dice", "set_whole", "drives"]) {
    if (String(after[field]) !== String(before[field])) throw new Error(`${field} was ${before[field]}, is ${after[field]}`);
  }
  return answered;
}

module.exports = { hostile };
