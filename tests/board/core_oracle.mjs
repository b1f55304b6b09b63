// Runs random instructions on our core and on the one of rp2040js, which share no code for them, and prints a JSON line
// for each that ends otherwise: node core_oracle.mjs SEED ROUNDS BATCHES. Where rp2040js is known to be wrong it is not asked.
const room = new URL('../../simulator/wallwright_simulator/chip/emulator/', import.meta.url);
const { RP2040, ConsoleLogger, LogLevel } = await import(new URL('package.mjs', room));
const { Clock } = await import(new URL('clock.mjs', room));
const { makeCore } = await import(new URL('core.mjs', room));

const RAM = 0x20000000, CODE = 0x2000, DATA = 0x10000;
const BATCH = 64, SIZE = 16, OVER = 0xe000, STAY = 0xe7fe;
let state = Number(process.argv[2]) >>> 0 || 1;
const draw = () => {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>>= 0);
};

function chip() {
  const rp = new RP2040(new Clock());
  rp.logger = new ConsoleLogger(LogLevel.Error, true);
  return rp;
}

const ours = chip(), theirs = chip();
const core = makeCore(new Uint8Array(16384), 0);
core.reset();
core.attach(ours);
theirs.sram.set(core.ram);
const VALUES = [0, 1, 2, 31, 32, 33, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff];
const value = () => (draw() & 1 ? VALUES[draw() % VALUES.length] : draw());

/** Whether rp2040js follows the architecture here; see the list in test_core.py. */
function asked(op, registers, flags) {
  const kind = op >> 6;
  const shift = registers[(op >> 3) & 7] & 255;
  if (kind === 0b0100000010) return shift <= 32; // LSL by a register: C beyond 32
  if (kind === 0b0100000011) return shift > 0; // LSR by 0 changes C
  if (kind === 0b0100000100) return shift > 0; // ASR by 0 changes C
  if (kind === 0b0100000111) return shift > 0; // ROR by 0 changes C
  if (kind === 0b0100000101) return !(flags & 2 && registers[op & 7] === 0x7fffffff); // ADC: V
  if (kind === 0b0100000110) return !(flags & 2) ? registers[(op >> 3) & 7] !== 0x7fffffff && registers[(op >> 3) & 7] !== 0xffffffff : true; // SBC: V
  if (op >> 9 === 0b1011110 && op & 256) return false; // POP with PC: cycles, and the stack is random
  if (op >> 9 === 0b1011010 && op & 256) return false; // PUSH with LR: cycles
  if (op >> 8 === 0b10111110 || op >> 8 >= 0b11011110 && op >> 8 <= 0b11011111) return false; // BKPT, UDF, SVC
  if (op >> 8 === 0b10111111) return op === 0xbf00;
  if (op >> 8 === 0b01000111) return false; // BX and BLX to a random place
  if (op >> 11 === 0b11000 && op & (1 << ((op >> 8) & 7))) return false; // STM of its own base does not write back
  return true;
}

/** An instruction, and with which registers and flags it begins; null where rp2040js is not asked. */
function example(start) {
  const op = draw() & 0xffff;
  const second = op >> 11 === 0b11110 ? 0xd000 | (draw() & 0x2fff) : draw() & 0xffff;
  if (op >> 11 === 0b11101 || op >> 11 === 0b11111) return null;
  const registers = Array.from({ length: 16 }, value);
  const isMemory = (op >> 12 >= 5 && op >> 12 <= 9) || op >> 12 === 12 || op >> 9 === 0b1011110 || op >> 9 === 0b1011010;
  if (isMemory) for (let i = 0; i < 8; i++) registers[i] = RAM + DATA + ((draw() & 0xff) << 2);
  if (op >> 12 === 5) registers[(op >> 6) & 7] = (draw() & 0xff) << 2;
  if (op >> 12 === 5 && ((op >> 6) & 7) === ((op >> 3) & 7)) return null;
  registers[13] = RAM + DATA + 0x4000;
  registers[15] = RAM + start;
  const flags = draw() & 15;
  if ((flags & 12) === 12) return null; // N and Z together are in no result
  return asked(op, registers, flags) ? { op, second, registers, flags } : null;
}

/** Bring both to the same state. */
function set({ registers, flags }) {
  const word = draw();
  for (const rp of [ours, theirs]) {
    rp.core.registers.set(registers);
    Object.assign(rp.core, { N: !!(flags & 8), Z: !!(flags & 4), C: !!(flags & 2), V: !!(flags & 1), PM: false, waiting: false, interruptsUpdated: false });
    for (let at = 0; at < 0x500; at += 4) rp.sramView.setUint32(DATA + at, (word * (at + 1)) >>> 0, true);
    for (let at = -64; at < 1024; at += 4) rp.sramView.setUint32(DATA + 0x4000 + at, (word ^ at) >>> 0, true);
  }
}

let wrong = 0;
const see = (rp) => JSON.stringify([Array.from(rp.core.registers), rp.core.N, rp.core.Z, rp.core.C, rp.core.V]);

/** Let both execute so many instructions; say whether ours knew them all, and print how they differ. */
function compare(one, most) {
  let says = null, spent = [0, 0];
  try {
    const before = ours.clock.nanos;
    core.execute(8, most);
    spent = [(ours.clock.nanos - before) / 8, 0];
    for (let i = 0; i < most; i++) spent[1] += theirs.core.executeInstruction();
  } catch (error) {
    says = error.message;
  }
  const isSame = see(ours) === see(theirs) && Buffer.compare(ours.sram.subarray(CODE, 0x20000), theirs.sram.subarray(CODE, 0x20000)) === 0;
  if (/^(there is no instruction|the program has run away)/.test(says)) return false; // rp2040js goes on
  if (says !== null || !isSame || spent[0] !== spent[1]) {
    console.log(JSON.stringify({ ...one, op: one.op.toString(16), most, says, spent, ours: see(ours), theirs: see(theirs) }));
    theirs.sram.set(ours.sram);
    if (++wrong > 20) process.exit(1);
  }
  return true;
}

let asks = 0, traced = 0;
for (let round = 0; round < Number(process.argv[3]); round++) {
  const one = example(CODE);
  if (one === null) continue;
  for (const rp of [ours, theirs]) rp.sramView.setUint32(CODE, one.op | (one.second << 16), true);
  set(one);
  if (compare(one, 1)) asks += 1;
}

/** The halfwords around an instruction: a jump to it, so that the core looks for a trace, and two behind it that stay
 *  where they are, which end the trace. A jump goes to the second of these. */
function around({ op, second }) {
  if (op >> 11 === 0b11110) return [OVER, STAY, ...(second >> 12 === 13 || second >> 12 === 15 ? [0xf000, 0xf800] : [op, second]), STAY];
  return [OVER, STAY, op >> 12 === 13 || op >> 11 === 0b11100 ? op & 0xff00 & ~(op >> 11 === 0b11100 ? 0x700 : 0) : op, STAY, STAY];
}

// Likewise by traces, many at a time.
for (let batch = 0; batch < Number(process.argv[4]); batch++) {
  const examples = [...Array(BATCH).keys()].map((at) => example(CODE + SIZE * at)).filter((one) => one !== null);
  for (const rp of [ours, theirs])
    for (const one of examples)
      around(one).forEach((word, at) => rp.sramView.setUint16(one.registers[15] - RAM + 2 * at, word, true));
  core.attach(ours);
  core.translateFrom(examples.map(({ registers }) => registers[15] + 4));
  for (const one of examples) {
    set(one);
    if (compare(one, 4)) traced += 1;
  }
}
console.log(JSON.stringify({ asks, traced }));
