// The machine that is told each opcode while it runs, as one function of WebAssembly. It runs the traces of what it
// meets often, and by itself what has none: rare code, the last instructions before a limit, registers of peripherals.
import { OPS } from './decode.mjs';
import { INSTRUCTIONS } from './instructions.mjs';
import { aligned, cell, isFlash, isTimeless, Machine, spend } from './machine.mjs';
import { AT, DIVIDER_BYTES, FLASH_MASK, RAM_BYTES, RAM_START, ROM_BYTES, SETS, SIO, TIMELESS_AT, TRACES_OF_RAM, TRACES_OF_ROM } from './memory.mjs';
import {
  add, and, below, BLOCK, Body, differs, isZero, known, less, load, LOOP, moduleOf, ONE, or, over, overUnsigned, rest, restUnsigned, same, select, shl,
  shr, sub, xor, ZERO,
} from './wasm.mjs';

const IMPORTS = [['read', 2, 1], ['write', 3, 0], ['leave', 2, 1], ['rare', 3, 1], ['away', 1, 1], ['hot', 1, 0], ['changed', 1, 0]];
const BITS = [8, 16, 32];
/** The numbers of functions, imports and own ones. */
const OWN = ['touch', 'ask', 'tell', ...BITS.map((bits) => `read${bits}`), ...BITS.map((bits) => `write${bits}`), 'fetch', 'run'];
const F = Object.fromEntries([...IMPORTS.map(([name]) => name), ...OWN].map((name, at) => [name, at]));
export const HOT = 100; // so often a place is come to before it is worth a trace
const arg = (number) => ({ bytes: [0x20, number], number, isKept: true });

/** What an access to this line of the flash's cache costs beyond its cycle. */
function touch(xipMiss) {
  const body = new Body(1), line = arg(0), set = body.keep(and(line, known(SETS - 1)));
  const at = body.keep(shl(set, known(3)));
  for (const way of [0, 1])
    body.when(same(load(at, AT.TAGS + 4 * way), line), () => {
      body.store(set, AT.OLDER, known(1 - way), 8);
      body.leave(ZERO);
    });
  const older = body.keep(load(set, AT.OLDER, 8));
  body.store(add(at, shl(older, known(2))), AT.TAGS, line);
  body.store(set, AT.OLDER, xor(older, ONE), 8);
  body.put(...known(xipMiss).bytes);
  return body;
}

const [DIVIDEND, DIVISOR, QUOTIENT, REMAINDER, STATE] = [0, 4, 16, 20, 24].map((at) => AT.DIVIDER + at);
const DIRTY = 2, DONE = 3; // of its state
const LEAST = known(1 << 31);

/** What a register of the SIO holds that costs nothing. */
function ask() {
  const body = new Body(1), address = arg(0), at = body.keep(sub(address, known(SIO + TIMELESS_AT)));
  body.when(below(at, known(DIVIDER_BYTES)), () => {
    body.when(same(at, known(QUOTIENT - AT.DIVIDER)), () => body.store(ZERO, STATE, and(cell(STATE), known(~DIRTY))));
    body.leave(load(aligned(at, 32), AT.DIVIDER));
  });
  body.put(...body.call(F.read, address, known(32)).bytes);
  return body;
}

/** Write to such a register. The divider works out its results at once, as rp2040js has it. */
function tell() {
  const body = new Body(2), address = arg(0), value = arg(1), at = body.keep(sub(address, known(SIO + TIMELESS_AT)));
  const give = (quotient, remainder) => {
    body.store(ZERO, QUOTIENT, quotient);
    body.store(ZERO, REMAINDER, remainder);
  };
  body.when(below(at, known(STATE - AT.DIVIDER)), () => {
    body.store(at, AT.DIVIDER, value);
    body.store(ZERO, STATE, known(DONE));
    body.when(below(at, known(QUOTIENT - AT.DIVIDER)), () => {
      body.store(xor(at, known(8)), AT.DIVIDER, value); // one register for numbers with a sign, one for those without
      const a = body.keep(cell(DIVIDEND)), b = body.keep(cell(DIVISOR)), isSigned = and(at, known(8));
      body.when(isZero(b), () => give(select(a, known(-1), ONE), a), () =>
        body.when(isZero(isSigned), () => give(overUnsigned(a, b), restUnsigned(a, b)), () =>
          body.when(and(same(a, LEAST), same(b, known(-1))), () => give(a, ZERO), () => give(over(a, b), rest(a, b)))));
    });
  }, () => body.put(...body.call(F.write, address, value, known(32)).bytes));
  return body;
}

function read(bits, xipMiss) {
  const body = new Body(1), address = arg(0), offset = body.keep(sub(address, known(RAM_START)));
  body.when(below(offset, known(RAM_BYTES)), () => {
    spend(body, ONE);
    body.leave(load(aligned(offset, bits), AT.RAM, bits));
  });
  body.when(isFlash(address), () => {
    const inside = body.keep(and(address, known(FLASH_MASK)));
    spend(body, xipMiss ? add(body.call(F.touch, shr(inside, known(3))), ONE) : ONE);
    body.leave(load(aligned(inside, bits), AT.FLASH, bits));
  });
  if (bits === 32) body.when(isTimeless(address), () => body.leave(body.call(F.ask, address)));
  body.put(...body.call(F.read, address, known(bits)).bytes);
  return body;
}

function write(bits) {
  const body = new Body(2), address = arg(0), value = arg(1), offset = body.keep(sub(address, known(RAM_START)));
  body.when(below(offset, known(RAM_BYTES)), () => {
    const inside = body.keep(aligned(offset, bits)), mask = bits === 32 ? -1 : (1 << bits) - 1;
    spend(body, ONE);
    body.when(load(shr(inside, known(2)), AT.CODE, 8), () => {
      body.when(differs(load(inside, AT.RAM, bits), and(value, known(mask))), () => body.put(...body.call(F.changed, address).bytes));
    });
    body.store(inside, AT.RAM, value, bits);
  }, () => {
    const elsewhere = () => body.put(...body.call(F.write, address, value, known(bits)).bytes);
    if (bits === 32) body.when(isTimeless(address), () => body.put(...body.call(F.tell, address, value).bytes), elsewhere);
    else elsewhere();
  });
  return body;
}

function fetch(xipMiss) {
  const body = new Body(1), address = arg(0);
  body.when(isFlash(address), () => {
    const inside = body.keep(and(address, known(FLASH_MASK)));
    if (xipMiss) {
      const line = body.keep(shr(inside, known(3)));
      body.when(differs(line, cell(AT.FETCHED)), () => {
        body.store(ZERO, AT.FETCHED, line);
        spend(body, body.call(F.touch, line));
      });
    }
    body.leave(load(inside, AT.FLASH, 16));
  });
  body.store(ZERO, AT.FETCHED, known(-1));
  const offset = body.keep(sub(address, known(RAM_START)));
  body.when(below(offset, known(RAM_BYTES)), () => body.leave(load(offset, AT.RAM, 16)));
  body.when(below(address, known(ROM_BYTES)), () => body.leave(load(address, AT.ROM, 16)));
  body.put(...body.call(F.away, address).bytes);
  return body;
}

class Interpreter extends Machine {
  constructor(body, op, after) {
    super(body);
    Object.assign(this, { op, after });
  }

  when(condition, then, otherwise) {
    this.body.when(condition, then, otherwise);
  }

  get(number) {
    return this.keep(load(shl(number, known(2)), AT.REGISTERS));
  }

  set(number, value) {
    this.body.store(shl(number, known(2)), AT.REGISTERS, value);
  }

  get nz() {
    return this.keep(cell(AT.NZ));
  }

  get c() {
    return this.keep(cell(AT.C));
  }

  get v() {
    return this.keep(cell(AT.V));
  }

  flags(nz, c, v) {
    [[AT.NZ, nz], [AT.C, c], [AT.V, v]].forEach(([at, value]) => value && this.body.store(ZERO, at, value));
  }

  oneOf(which, choices) {
    return choices.map((choice) => choice(this)).reduceRight((rest, one, number) => select(same(which, known(number)), one, rest));
  }

  cost(cycles) {
    spend(this.body, known(cycles));
  }

  read(address, bits) {
    return this.keep(this.body.call(F[`read${bits}`], address));
  }

  write(address, value, bits) {
    this.body.put(...this.body.call(F[`write${bits}`], address, value).bytes);
  }

  reachRead() {}

  reachWrite() {}

  foresee() {}

  /** An address that goes up or down from here. */
  count(from) {
    const { body } = this, at = body.local();
    body.let(at, from);
    const step = (by) => body.let(at, add(at, known(by)));
    return {
      up: () => {
        const now = { ...body.local(), isKept: true };
        body.let(now, at);
        step(4);
        return now;
      },
      down: () => {
        step(-4);
        return at;
      },
    };
  }

  many(at, value) {
    this.write(at, value, 32);
  }

  manyRead(at) {
    return this.read(at, 32);
  }

  low16() {
    const low = this.keep(this.body.call(F.fetch, this.after));
    this.body.let(this.after, add(this.after, known(2)));
    return low;
  }

  jump(target) {
    this.body.let(this.after, target);
  }

  jumpIf(condition, target, cycles) {
    this.when(condition, () => {
      this.cost(cycles);
      this.jump(target);
    });
  }

  thumb(to) {
    this.when(isZero(and(to, ONE)), () => this.jump(this.body.call(F.leave, to, this.after)));
  }

  branch(to) {
    const isCommon = and(differs(shr(to, known(28)), known(15)), and(to, ONE));
    this.when(isCommon, () => this.jump(and(to, known(-2))), () => this.jump(this.body.call(F.leave, to, this.after)));
  }

  rare(low) {
    this.jump(this.body.call(F.rare, this.op, low, this.after));
  }
}

/** Run from an address on until time or instructions are used up; return the address that follows. */
function run() {
  const body = new Body(1), pc = arg(0), op = body.local(), after = body.local(), entered = body.local(), slot = body.local(), at = body.local();
  const ranOut = or(isZero(less(cell(AT.SPENT), cell(AT.BUDGET))), less(cell(AT.LEFT), ONE));
  body.within(LOOP, (again) => {
    body.when(ranOut, () => body.leave(pc));
    body.when(entered, () => {
      body.let(at, known(AT.NOWHERE));
      const inRam = sub(pc, known(RAM_START)), twice = (offset) => shl(offset, ONE);
      body.when(isFlash(pc), () => body.let(at, add(twice(and(pc, known(FLASH_MASK))), known(AT.TRACES))), () => {
        body.when(below(inRam, known(RAM_BYTES)), () => body.let(at, add(twice(inRam), known(TRACES_OF_RAM))));
        body.when(below(pc, known(ROM_BYTES)), () => body.let(at, add(twice(pc), known(TRACES_OF_ROM))));
      });
      body.let(slot, load(at));
      body.when(less(ZERO, slot), () => {
        const info = shl(slot, known(3));
        const fits = and(less(add(cell(AT.SPENT), load(info, AT.INFO)), cell(AT.BUDGET)), less(load(info, AT.INFO + 4), cell(AT.LEFT)));
        body.when(fits, () => {
          body.put(...slot.bytes, 0x11, 0, 0);
          body.let(pc, { bytes: [] });
          body.when(isZero(and(pc, ONE)), () => body.goto(again));
          body.let(pc, sub(pc, ONE));
          body.let(entered, known(2));
        });
      }, () => {
        body.store(at, 0, sub(slot, ONE));
        body.when(same(slot, known(-HOT)), () => body.put(...body.call(F.hot, pc).bytes));
      });
    });
    body.let(op, body.call(F.fetch, pc));
    body.let(after, add(pc, known(2)));
    body.store(ZERO, AT.LEFT, sub(cell(AT.LEFT), ONE));
    spend(body, ONE);
    const machine = new Interpreter(body, op, after), first = body.next;
    const cases = (number, done) => {
      if (number < 0) body.fan(load(op, AT.KINDS, 8), OPS.length);
      else {
        body.within(BLOCK, () => cases(number - 1, done));
        body.next = first;
        INSTRUCTIONS[OPS[number]](machine);
        body.goto(done);
      }
    };
    body.within(BLOCK, (done) => cases(OPS.length - 1, done));
    body.let(entered, or(same(entered, known(2)), differs(after, add(pc, known(2)))));
    body.let(pc, after);
    body.goto(again);
  });
  body.put(0x00);
  return body;
}

/** The module of a core whose cache takes so many cycles for a miss. */
export function interpreter(pages, xipMiss) {
  const bodies = [[touch(xipMiss), 1, 1], [ask(), 1, 1], [tell(), 2, 0], ...BITS.map((bits) => [read(bits, xipMiss), 1, 1]), ...BITS.map((bits) => [write(bits), 2, 0])];
  return moduleOf(pages, true, IMPORTS, [...bodies, [fetch(xipMiss), 1, 1], [run(), 1, 1]], { touch: 0, ask: 1, tell: 2, run: bodies.length + 1 });
}
