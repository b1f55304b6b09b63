// The emulator's process: commands come on standard input, each gets one answer on standard output. A message is its
// length in four bytes, lowest first, then a byte that names it, then what belongs to it:
//
//   F at:u32 bytes               put bytes into the flash                    -> what = 'f'
//   D                            the whole flash                             -> 'd' bytes
//   G until:f64 stops:u8 inputs:6 bytes of the chain, rx: the rest           -> 'g' (see answerGo)
//   J JSON {"do": name, ...}     everything that is rare                     -> 'j' JSON
//
// Whatever goes wrong is answered by 'e' and a text. J {"do": "make", ...} comes first, and again for
// another chip in the place of the one until then.
import fs from 'node:fs';
import { Chip, coreFor } from './chip.mjs';
import { NodeBoard } from './node.mjs';
import { TableBoard } from './table.mjs';

const STOP_FOR_HOST = 1;
const QUANTUM_NANOS = 20e3; // a byte of the line: by so much board and node may be apart
let chip = null, board = null, node = null, lineEnds = null;

const acts = {
  make({ rom, noise, pins, hostBaud, lineBaud, xipMiss, senses, readsBack, ...options }) {
    const bytes = (text) => new Uint8Array(Buffer.from(text, 'base64'));
    chip = new Chip({ ...options, core: coreFor('board', bytes(rom), xipMiss), noise: bytes(noise) });
    node = null;
    board = new TableBoard(chip, pins, hostBaud, lineBaud, senses, readsBack);
    lineEnds = { pins, lineBaud, rom: bytes(rom), noise: bytes(noise) };
  },
  /** A node with a chip of its own: its flash as [[offset, bytes], ...], address, antennas as a mask, node_pins. */
  node({ flash, pins, address, antennas, seed, sorts }) {
    const { rom, noise, lineBaud } = lineEnds;
    const id = [...Array(8).keys()].map((at) => 0x40 + 16 * address + at);
    const own = new Chip({ core: coreFor('node', rom, 0), noise, id, seed, eraseMs: 45, worn: [], usb: false, nanos: chip.nanos });
    node = new NodeBoard(own, { ...lineEnds.pins, ...pins }, lineBaud, address, antennas, sorts, () => chip.stop());
    for (const [at, bytes] of flash) own.flash.put(at, Buffer.from(bytes, 'base64'));
    board.line.peers.push(node.line);
    node.line.peers.push(board.line);
  },
  nodePower({ on }) {
    if (on) node.chip.powerOn();
    else node.chip.powerOff();
  },
  nodeTags({ tags }) {
    tags.forEach((numbers, at) => node.antennas[at].put(numbers));
  },
  /** The node's end switches are reached like this from now on; answers what its registers drive. */
  nodeParts({ switches }) {
    node.reach(switches);
    return node.parts;
  },
  nodePress({ down }) {
    node.press(down);
  },
  nodeState() {
    return { text: node.text, counts: { ...node.chip.counts, ...node.line.counts }, nanos: node.chip.nanos,
      lamps: node.pins.lamps.map((pin) => node.chip.nets.level(pin)), drives: node.line.drives,
      frames: node.frames.splice(0), moves: node.moves.splice(0), delays: node.line.delays.splice(0),
      looks: node.antennas.map((one) => one.looks.splice(0)) };
  },
  power({ on }) {
    if (on) chip.powerOn();
    else chip.powerOff();
  },
  reset() {
    chip.pressReset();
  },
  sag({ nanos }) {
    chip.sag(nanos);
  },
  bite() {
    chip.rp.peripherals[0x40058].reset(1);
  },
  /** A node sends these bytes from `at` ns on; all others hear it. */
  line({ at, bytes }) {
    for (const end of [board.line, ...board.line.peers]) end.receive(at, Buffer.from(bytes, 'base64'));
  },
  type({ text }) {
    chip.usb.type(Buffer.from(text, 'latin1'));
  },
  noise({ bytes }) {
    chip.noise.bytes = new Uint8Array(Buffer.from(bytes, 'base64'));
    chip.noise.at = 0;
  },
  /** What the flash's acts do from now on, see Flash.note; `noted` has it since then, cells in base 64. */
  note({ cuts }) {
    chip.flash.note(cuts, () => chip.chance());
  },
  noted() {
    const text = ({ cells, ...rest }) => ({ ...rest, cells: Buffer.from(cells).toString('base64') });
    return chip.flash.noted.map(({ cuts, ...act }) => ({ ...text(act), cuts: cuts.map(text) }));
  },
  wear({ worn, dead }) {
    chip.flash.wear(worn, dead);
  },
  /** The program's hook for a failure of kind `how`: the watchdog's second scratch register, of which the firmware uses
   *  the first. */
  crash({ how = 1 }) {
    chip.kept.scratch[1] = how;
  },
  /** A bit of an output register changes, in the one that shifts or in the one behind the latch. */
  flip({ place, latched }) {
    board.outputs.flip(place, latched);
  },
  /** Switches of drives that are on or off whatever their register says, as masks, and whether they have a supply. */
  switches(state) {
    board.switches = state;
  },
  stopAfter({ instructions }) {
    return chip.stopAfter(instructions);
  },
  cutAfter({ instructions }) {
    chip.cutAfter(instructions);
  },
  trace() {
    return board.trace.all();
  },
  isOn() {
    return chip.isOn;
  },
  counts() {
    const { erases, pages } = chip.flash;
    return { ...chip.counts, erases, pages, samples: board.samples, pump: board.pump, writes: board.outputs.writes, ...board.line.counts };
  },
  functions() {
    return chip.rp.gpio.map((pin) => pin.functionSelect);
  },
};

function run(until) {
  if (node === null) {
    chip.run(until);
    return;
  }
  while (chip.nanos < until) {
    chip.run(Math.min(until, chip.nanos + QUANTUM_NANOS));
    node.chip.run(chip.nanos); // what it moves stops the board's chip too
    if (chip.stopped) return;
  }
}

function answerGo(body) {
  const until = body.readDoubleLE(0);
  board.stopsForHost = (body[8] & STOP_FOR_HOST) !== 0;
  board.inputs.set(body.subarray(9, 15));
  board.host.send(body.subarray(15));
  run(until);
  // now:f64 driven:u32 is enabled:u8 resets:u32 last edge at the pump:f64, then three times a length:u16 and bytes: host, UART 1, USB
  const parts = [board.toHost, board.line.out, board.toUsb].map((list) => Buffer.from(list.splice(0, 65535)));
  const head = Buffer.alloc(25);
  head.writeDoubleLE(chip.nanos, 0);
  head.writeUInt32LE(board.driven, 8);
  head[12] = board.isPowered && board.outputs.isEnabled ? 1 : 0;
  head.writeUInt32LE(chip.counts.resets, 13);
  head.writeDoubleLE(board.pump.last, 17);
  const lengths = parts.map((part) => Buffer.from([part.length & 255, part.length >> 8]));
  return Buffer.concat([head, ...parts.flatMap((part, at) => [lengths[at], part])]);
}

function answer(kind, body) {
  switch (kind) {
    case 'F':
      chip.flash.put(body.readUInt32LE(0), body.subarray(4));
      return ['f', Buffer.alloc(0)];
    case 'D':
      return ['d', Buffer.from(chip.flash.bytes)];
    case 'G':
      return ['g', answerGo(body)];
    case 'J': {
      const command = JSON.parse(body.toString());
      return ['j', Buffer.from(JSON.stringify(acts[command.do](command) ?? null))];
    }
  }
  throw new Error(`no such command: ${kind}`);
}

function readExactly(size) {
  const buffer = Buffer.alloc(size);
  for (let have = 0; have < size; ) {
    const got = fs.readSync(0, buffer, have, size - have, null);
    if (got === 0) process.exit(0);
    have += got;
  }
  return buffer;
}

function write(kind, body) {
  const message = Buffer.alloc(5 + body.length);
  message.writeUInt32LE(body.length + 1, 0);
  message.write(kind, 4, 'latin1');
  body.copy(message, 5);
  for (let sent = 0; sent < message.length; ) sent += fs.writeSync(1, message, sent);
}

for (;;) {
  const message = readExactly(readExactly(4).readUInt32LE(0));
  try {
    write(...answer(String.fromCharCode(message[0]), message.subarray(1)));
  } catch (error) {
    write('e', Buffer.from(error.constructor === Error || error.constructor.name === 'WiringFault' ? error.message : error.stack));
  }
}
