// Runs random instructions on our core and on the one of rp2040js, which share no code for them, and prints a JSON line
// for each that ends otherwise: node core_oracle.mjs SEED ROUNDS. Where rp2040js is known to be wrong it is not asked.
const room = new URL('../../simulator/wallwright_simulator/chip/emulator/', import.meta.url);
const { RP2040, ConsoleLogger, LogLevel } = await import(new URL('package.mjs', room));
const { Clock } = await import(new URL('clock.mjs', room));
const { makeCore } = await import(new URL('core.mjs', room));

const RAM = 0x20000000, CODE = 0x2000, DATA = 0x10000;
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
const core = makeCore(new Uint8Array(2 * 1024 * 1024), new Uint8Array(16384), 0);
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

let wrong = 0, asks = 0;
for (let round = 0; round < Number(process.argv[3]); round++) {
  const op = draw() & 0xffff;
  const second = op >> 11 === 0b11110 ? 0xd000 | (draw() & 0x2fff) : draw() & 0xffff;
  if (op >> 11 === 0b11101 || op >> 11 === 0b11111) continue;
  const registers = Array.from({ length: 16 }, value);
  const isMemory = (op >> 12 >= 5 && op >> 12 <= 9) || op >> 12 === 12 || op >> 9 === 0b1011110 || op >> 9 === 0b1011010;
  if (isMemory) for (let i = 0; i < 8; i++) registers[i] = RAM + DATA + ((draw() & 0xff) << 2);
  if (op >> 12 === 5) registers[(op >> 6) & 7] = (draw() & 0xff) << 2;
  if (op >> 12 === 5 && ((op >> 6) & 7) === ((op >> 3) & 7)) continue;
  registers[13] = RAM + DATA + 0x4000;
  registers[15] = RAM + CODE;
  const flags = draw() & 15;
  if ((flags & 12) === 12) continue; // N and Z together are in no result
  if (!asked(op, registers, flags)) continue;
  for (const rp of [ours, theirs]) {
    rp.core.registers.set(registers);
    Object.assign(rp.core, { N: !!(flags & 8), Z: !!(flags & 4), C: !!(flags & 2), V: !!(flags & 1), PM: false, waiting: false, interruptsUpdated: false });
    new DataView(rp.sram.buffer).setUint32(CODE, op | (second << 16), true);
  }
  const word = draw();
  for (const rp of [ours, theirs]) for (let at = 0; at < 0x500; at += 4) rp.sramView.setUint32(DATA + at, (word * (at + 1)) >>> 0, true);
  for (const rp of [ours, theirs]) for (let at = -64; at < 1024; at += 4) rp.sramView.setUint32(DATA + 0x4000 + at, (word ^ at) >>> 0, true);
  let says = null, spent = [0, 0];
  try {
    const before = ours.clock.nanos;
    core.execute(8, 1);
    asks += 1;
    spent = [(ours.clock.nanos - before) / 8, theirs.core.executeInstruction()];
  } catch (error) {
    says = error.message;
  }
  const see = (rp) => JSON.stringify([Array.from(rp.core.registers), rp.core.N, rp.core.Z, rp.core.C, rp.core.V]);
  const isSame = see(ours) === see(theirs) && Buffer.compare(ours.sram.subarray(CODE, 0x20000), theirs.sram.subarray(CODE, 0x20000)) === 0;
  if (says?.startsWith('there is no instruction')) continue; // rp2040js goes on with the next one
  if (says !== null || !isSame || spent[0] !== spent[1]) {
    console.log(JSON.stringify({ op: op.toString(16), second: second.toString(16), says, spent, before: registers, flags, ours: see(ours), theirs: see(theirs) }));
    theirs.sram.set(ours.sram);
    if (++wrong > 20) break;
  }
}
console.log(JSON.stringify({ asks }));
