// The core that executes: a Cortex-M0+ (ARMv6-M, ARM DDI 0419E), many times as fast as the one of rp2040js, whose object
// keeps registers, exceptions and interrupts. The instructions are WebAssembly, of `interpreter.mjs` and `traces.mjs`.
// Cycles: ARM DDI 0484C, table 3-1; a word of memory or flash costs one more, a register of a peripheral three or four,
// one of the SIO none. An exception takes 15 cycles to enter.
//
// With a price for misses the flash's cache is modelled: 16 KiB, two ways, lines of 8 bytes (RP2040 datasheet 2.6.3).
import { OPS, system, TABLE } from './decode.mjs';
import { FLASH_BYTES } from './flash.mjs';
import { HOT, interpreter } from './interpreter.mjs';
import {
  AT, DIVIDER_BYTES, FLASH_MASK, MOST_TRACES, PAGES, RAM_BYTES, RAM_START, ROM_BYTES, SETS, SIO, TIMELESS_AT, TIMELESS_BYTES, TRACES_OF_RAM, TRACES_OF_ROM,
} from './memory.mjs';
import { translate } from './traces.mjs';

const ENTRY_CYCLES = 15;
const LONGEST = 1 << 29; // cycles at a stretch
const BATCH = 64, PATIENCE = 1000; // traces that become one module; runs of the core that the first of them waits at the most
const NO_INSTRUCTION = 0xde00, PAGE = 12;
const isTimeless = (address) => (address - SIO - TIMELESS_AT) >>> 0 < TIMELESS_BYTES || address >>> 0 === SIO;

/**
 * Return a core whose memory outlives the chips that it belongs to, one after the other: `attach(rp)` lends it to rp,
 * `reset()` makes it that of a new board. What it has translated it keeps as long as the program is the same.
 * `execute(nanosPerCycle, most)` runs until the clock's limit, a wait, or so many instructions; it returns how many.
 */
export function makeCore(rom, xipMiss) {
  const memory = new WebAssembly.Memory({ initial: PAGES, maximum: PAGES }), { buffer } = memory;
  const table = new WebAssembly.Table({ initial: MOST_TRACES, element: 'anyfunc' });
  const registers = new Uint32Array(buffer, AT.REGISTERS, 16), cells = new Int32Array(buffer, 0, 32);
  const [NZ, C, V, SPENT, BUDGET, LEFT, FETCHED] = ['NZ', 'C', 'V', 'SPENT', 'BUDGET', 'LEFT', 'FETCHED'].map((name) => AT[name] >> 2);
  const ram = new Uint8Array(buffer, AT.RAM, RAM_BYTES), flash = new Uint8Array(buffer, AT.FLASH, FLASH_BYTES);
  const halfwords = new Uint16Array(buffer), isCode = new Uint8Array(buffer, AT.CODE, RAM_BYTES >> 2);
  const memory32 = new Int32Array(buffer);
  const pages = new Map(); // number of a page of the flash -> what it held when code of it was translated
  const known = new Map(); // where a trace of memory begins -> its place in the table, its code as [address, halfword]
  new Uint8Array(buffer, AT.ROM, ROM_BYTES).set(rom);
  new Uint8Array(buffer, AT.KINDS, TABLE.length).set(TABLE);
  let rp = null, core = null, clock = null;
  let start = 0, cycle = 8, debt = 0; // `start` is when the run began, SPENT is in cycles since
  let isKept = false; // the flags are in `core` already
  let waiting = [], waited = 0, following = 1, isRewritten = false;

  const now = () => (clock.nanos = start + cells[SPENT] * cycle);

  function bound() {
    cells[BUDGET] = core.interruptsUpdated ? 0 : Math.ceil(Math.min((clock.limit - start) / cycle, LONGEST)) | 0;
  }

  function charge(address, cycles) {
    const region = address >>> 28;
    cells[SPENT] += region === 13 ? 0 : region === 4 ? cycles : 1;
    bound();
  }

  function keep() {
    core.N = cells[NZ] < 0;
    core.Z = cells[NZ] === 0;
    core.C = cells[C] === 1;
    core.V = cells[V] === 1;
  }

  function see() {
    cells[NZ] = core.Z ? 0 : core.N ? -1 : 1;
    cells[C] = core.C ? 1 : 0;
    cells[V] = core.V ? 1 : 0;
  }

  /** Do what changes the flags where rp2040js has them, and end the run. */
  function outside(act) {
    keep();
    act();
    see();
    isKept = true;
    cells[BUDGET] = 0;
  }

  const rare = {
    CPS(op) {
      core.PM = (op & 16) !== 0;
      if (core.PM) return;
      core.interruptsUpdated = true;
      cells[BUDGET] = 0;
    },
    BKPT(op) {
      now();
      rp.onBreak(op & 255);
      cells[BUDGET] = 0;
    },
    HINT(op) {
      const hint = (op >> 4) & 15;
      if (hint === 4) core.eventRegistered = true;
      if (hint !== 2 && hint !== 3) return;
      cells[SPENT] += 1; // WFE, WFI
      if (hint === 2 && core.eventRegistered) core.eventRegistered = false;
      else {
        core.waiting = true;
        cells[BUDGET] = 0;
      }
    },
    SVC() {
      core.pendingSVCall = true;
      core.interruptsUpdated = true;
      cells[BUDGET] = 0;
    },
    WIDE(op, low) {
      outside(() => system(core, op, low));
    },
    UNDEFINED(op, _, after) {
      throw new Error(`there is no instruction 0x${op.toString(16)} (at 0x${(after - 2).toString(16)})`);
    },
  };

  const functions = {
    memory,
    table,
    /** What a register of a peripheral gives or takes, in bits: it has to know the time, and may change it. */
    read(address, bits) {
      if (bits === 32 && isTimeless(address)) return rp.sio.readUint32((address - SIO) >>> 0) | 0;
      now();
      const at = address >>> 0, value = bits === 32 ? rp.readUint32(at) | 0 : bits === 16 ? rp.readUint16(at) : rp.readUint8(at);
      charge(address, 3);
      return value;
    },
    write(address, value, bits) {
      if (bits === 32 && isTimeless(address)) {
        rp.sio.writeUint32((address - SIO) >>> 0, value >>> 0);
        return;
      }
      now();
      const at = address >>> 0;
      if (bits === 32) rp.writeUint32(at, value >>> 0);
      else if (bits === 16) rp.writeUint16(at, value & 0xffff);
      else rp.writeUint8(at, value & 0xff);
      charge(address, 4);
    },
    /** Go to an address that is none of a program; out of a handler it is the way back. */
    leave(to) {
      if (to >>> 28 === 15 && core.IPSR !== 0) {
        now();
        outside(() => core.exceptionReturn(to & 0x0fffffff));
        return registers[15];
      }
      if ((to & 1) === 0) throw new Error(`the program leaves the Thumb state: it goes to 0x${(to >>> 0).toString(16)}`);
      return to & ~1;
    },
    rare(op, low, after) {
      registers[15] = after;
      rare[OPS[TABLE[op]]](op, low, after);
      return after;
    },
    away(at) {
      throw new Error(`the program has run away to 0x${(at >>> 0).toString(16)}`);
    },
    hot(at) {
      if (region(at) !== null && !isLinked(at) && waiting.push(at) >= BATCH) translateFrom(waiting);
    },
    changed: () => forgetRam(),
  };
  const { touch, ask, tell, run } = new WebAssembly.Instance(interpreter(PAGES, xipMiss), { env: functions }).exports;

  /** Which memory an address is in, how far in it, and where the traces of that memory are; null if it is in none. */
  function region(at) {
    if (at >>> 24 === 0x10) return [AT.FLASH, at & FLASH_MASK, AT.TRACES];
    if ((at - RAM_START) >>> 0 < RAM_BYTES) return [AT.RAM, at - RAM_START, TRACES_OF_RAM];
    return at >>> 0 < ROM_BYTES ? [AT.ROM, at, TRACES_OF_ROM] : null;
  }

  function halfword(at) {
    const found = region(at);
    return found === null ? NO_INSTRUCTION : halfwords[(found[0] + found[1]) >> 1];
  }

  /** Make traces of what begins at these addresses. */
  function translateFrom(starts) {
    waiting = [];
    waited = 0;
    if (following + starts.length > MOST_TRACES) return;
    const { module, limits, words } = translate(starts, following, halfword, PAGES, xipMiss);
    const { exports } = new WebAssembly.Instance(module, { env: { memory, touch, ask, tell } });
    starts.forEach((_, number) => table.set(following + number, exports[number]));
    limits.forEach((limit, number) => memory32.set(limit, (AT.INFO >> 2) + 2 * (following + number)));
    words.forEach((code, number) => {
      for (const at of code) {
        const found = region(at), page = found?.[1] >> PAGE;
        if (found?.[0] === AT.FLASH && !pages.has(page)) pages.set(page, pageOf(page).slice());
      }
      const isOfRam = region(starts[number])[0] === AT.RAM;
      if (isOfRam) known.set(starts[number], { place: following, code: code.map((at) => [at, halfword(at)]) });
      link(starts[number], following++, isOfRam ? code : []);
    });
  }

  function link(start, place, code) {
    const [, offset, traces] = region(start);
    memory32[(traces + 2 * offset) >> 2] = place;
    for (const at of code) if (region(at)?.[0] === AT.RAM) isCode[region(at)[1] >> 2] = 1;
  }

  /** Link the trace of memory that was known here before a start of the chip, if it still is the program's. */
  function isLinked(start) {
    const trace = known.get(start);
    if (!trace?.code.every(([at, was]) => halfword(at) === was)) return false;
    link(start, trace.place, trace.code.map(([at]) => at));
    return true;
  }

  /** Code in the memory has changed, or may have; the interpreter asks `hot` when it comes where a trace is known. */
  function forgetRam() {
    isCode.fill(0);
    memory32.fill(0, TRACES_OF_RAM >> 2, TRACES_OF_ROM >> 2);
    for (const start of known.keys()) memory32[(TRACES_OF_RAM + 2 * (start - RAM_START)) >> 2] = -HOT;
    waiting = waiting.filter((at) => region(at)[0] !== AT.RAM);
  }

  const pageOf = (page) => flash.subarray(page << PAGE, (page + 1) << PAGE);

  /** The flash may hold something else from here on, so many bytes. */
  function rewritten(from, size) {
    for (let page = from >> PAGE; page <= (from + size - 1) >> PAGE; page++) isRewritten ||= pages.has(page);
  }

  function lookAtFlash() {
    isRewritten = false;
    if ([...pages].every(([page, was]) => Buffer.compare(was, pageOf(page)) === 0)) return;
    pages.clear();
    memory32.fill(0, AT.TRACES >> 2, TRACES_OF_RAM >> 2);
    waiting = waiting.filter((at) => region(at)[0] !== AT.FLASH);
  }

  /** Let this core forget what others of the chip write over its code: DMA, a store into the flash. */
  function watch(write) {
    return (address, value) => {
      const offset = (address - RAM_START) >>> 0;
      if (offset < RAM_BYTES && isCode[offset >> 2]) forgetRam();
      write(address, value);
      if (address >>> 24 !== 0x10) return;
      rewritten(address & FLASH_MASK, 4);
      if (isRewritten) lookAtFlash();
    };
  }

  function attach(chip) {
    ({ core, clock } = rp = chip);
    rp.sram = ram;
    rp.sramView = new DataView(buffer, AT.RAM, RAM_BYTES);
    rp.bootrom = new Uint32Array(buffer, AT.ROM, ROM_BYTES >> 2);
    for (const name of ['writeUint32', 'writeUint16', 'writeUint8']) rp[name] = watch(rp[name].bind(rp));
    core.registers = registers.fill(0);
    core.SP = rp.bootrom[0];
    debt = 0;
    cells.fill(0, AT.DIVIDER >> 2, (AT.DIVIDER + DIVIDER_BYTES) >> 2);
    for (const at of [4, 12]) cells[(AT.DIVIDER + at) >> 2] = 1;
    flush();
    forgetRam();
    const enter = core.exceptionEntry.bind(core);
    core.exceptionEntry = (number) => {
      debt += ENTRY_CYCLES;
      enter(number);
    };
  }

  /** Be that of a new chip. */
  function reset() {
    flash.fill(0xff);
    isRewritten = true;
    flush();
  }

  /** Forget what the cache holds, as the ROM's flush does. */
  function flush() {
    new Int32Array(buffer, AT.TAGS, 2 * SETS).fill(-1);
    cells[FETCHED] = -1;
  }

  return {
    reset,
    attach,
    flush,
    rewritten,
    translateFrom,
    registers,
    ram,
    flash,
    execute(nanosPerCycle, most) {
      cycle = nanosPerCycle;
      start = clock.nanos;
      cells[SPENT] = 0;
      if (isRewritten) lookAtFlash();
      if (waiting.length && (waited += 1) > PATIENCE) translateFrom(waiting);
      let done = 0;
      do {
        if (core.interruptsUpdated && core.checkForInterrupts()) core.waiting = false;
        cells[SPENT] += debt;
        debt = 0;
        bound();
        const left = (cells[LEFT] = most - done);
        see();
        isKept = false;
        registers[15] = run(registers[15] & ~1);
        if (!isKept) keep();
        done += left - cells[LEFT];
      } while (core.interruptsUpdated && !core.waiting && done < most && start + cells[SPENT] * cycle < clock.limit);
      now();
      return done;
    },
  };
}
