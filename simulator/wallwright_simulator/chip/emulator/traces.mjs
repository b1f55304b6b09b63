// The machine that knows the opcodes beforehand: a run of instructions, a trace, as one function of WebAssembly. It gives
// the address that follows. A trace follows jumps and calls, and goes on where the condition of a jump does not hold.
//
// A trace begins when it is sure that neither time nor instructions end within it. An access to a register of a
// peripheral ends it before that instruction, which the interpreter then runs: the address is odd in this case.
import { OPS, TABLE } from './decode.mjs';
import { INSTRUCTIONS } from './instructions.mjs';
import { aligned, cell, isFlash, isTimeless, Machine, spend } from './machine.mjs';
import { AT, FLASH_MASK, RAM_BYTES, RAM_START } from './memory.mjs';
import { add, and, below, Body, differs, isZero, known, less, load, LOOP, moduleOf, ONE, or, same, shr, sub, ZERO } from './wasm.mjs';

const IMPORTS = [['touch', 1, 1], ['ask', 1, 1], ['tell', 2, 0]], TOUCH = 0, ASK = 1, TELL = 2;
const MOST = 48; // instructions
const FLAGS = { nz: AT.NZ, c: AT.C, v: AT.V };

class Trace extends Machine {
  /** `info` is where its limits are. */
  constructor(start, info, halfword, xipMiss) {
    super(new Body(0));
    Object.assign(this, { start, info, halfword, xipMiss });
    this.cycles = this.done = this.extra = 0; // extra: cycles that cache misses may add
    this.words = []; // addresses of the code
    this.registers = [];
    this.flagsNow = {};
    this.unsaved = new Set();
    this.line = null;
    this.isOver = this.isForeseen = false;
  }

  translate() {
    let pc = this.start;
    const { body } = this;
    body.within(LOOP, (again) => {
      this.again = again;
      while (!this.isOver && this.done < MOST) {
        this.at = pc;
        this.before = [this.cycles, this.done];
        this.op = known(this.fetch(pc));
        this.afterNumber = pc + 2;
        this.goesOn = null;
        this.cycles += 1;
        this.done += 1;
        INSTRUCTIONS[OPS[TABLE[this.op.value]]](this);
        pc = this.goesOn ?? this.afterNumber;
      }
      if (!this.isOver) this.end(known(pc));
    });
    body.put(0x00);
    return this;
  }

  get after() {
    return known(this.afterNumber);
  }

  fetch(at) {
    this.words.push(at);
    const line = at >>> 24 === 0x10 ? (at & FLASH_MASK) >> 3 : -1;
    if (this.xipMiss && line !== this.line) {
      const touch = () => {
        this.body.store(ZERO, AT.FETCHED, known(line));
        if (line >= 0) this.touch(known(line));
      };
      if (this.line === null) this.body.when(differs(cell(AT.FETCHED), known(line)), touch);
      else touch();
    }
    this.line = line;
    return this.halfword(at);
  }

  touch(line) {
    this.extra += this.xipMiss;
    spend(this.body, this.body.call(TOUCH, line));
  }

  /** Write down what has passed, and go to an address. */
  end(next, [cycles, done] = [this.cycles, this.done]) {
    const { body } = this;
    for (const name of this.unsaved) body.store(ZERO, FLAGS[name], this.flagsNow[name]);
    body.store(ZERO, AT.SPENT, add(cell(AT.SPENT), known(cycles)));
    body.store(ZERO, AT.LEFT, sub(cell(AT.LEFT), known(done)));
    if (next.value === this.start) this.repeat();
    body.leave(next);
  }

  /** Begin again if time and instructions are enough. */
  repeat() {
    const fits = and(less(add(cell(AT.SPENT), cell(this.info)), cell(AT.BUDGET)), less(cell(this.info + 4), cell(AT.LEFT)));
    this.body.when(fits, () => this.body.goto(this.again));
  }

  /** Let the interpreter run this instruction where the condition is not 0. */
  refuse(condition) {
    this.body.when(condition, () => this.end(known(this.at | 1), this.before));
    if (condition.value && this.body.depth === 1) this.isOver = true; // in no branch
  }

  when(condition, then, otherwise) {
    (condition.value ? then : otherwise)?.();
  }

  get(number) {
    return (this.registers[number.value] ??= this.keep(cell(AT.REGISTERS + 4 * number.value)));
  }

  set(number, value) {
    const now = (this.registers[number.value] = this.keep(value));
    this.body.store(ZERO, AT.REGISTERS + 4 * number.value, now);
  }

  get nz() {
    return (this.flagsNow.nz ??= this.keep(cell(AT.NZ)));
  }

  get c() {
    return (this.flagsNow.c ??= this.keep(cell(AT.C)));
  }

  get v() {
    return (this.flagsNow.v ??= this.keep(cell(AT.V)));
  }

  /** They are worked out where somebody needs them. */
  flags(nz, c, v) {
    for (const [name, value] of Object.entries({ nz, c, v })) {
      if (!value) continue;
      this.flagsNow[name] = value;
      this.unsaved.add(name);
    }
  }

  oneOf(which, choices) {
    return choices[Math.min(which.value, choices.length - 1)](this);
  }

  cost(cycles) {
    this.cycles += cycles;
  }

  read(address, bits) {
    const { body } = this, value = body.local(), offset = this.keep(sub(address, known(RAM_START)));
    body.when(below(offset, known(RAM_BYTES)), () => body.let(value, load(aligned(offset, bits), AT.RAM, bits)), () => {
      body.when(isFlash(address), () => {
        const inside = this.keep(and(address, known(FLASH_MASK)));
        if (this.xipMiss) this.touch(shr(inside, known(3)));
        body.let(value, load(aligned(inside, bits), AT.FLASH, bits));
      }, () => {
        this.timeless(address, bits);
        body.let(value, body.call(ASK, address));
      });
    });
    this.cycles += 1;
    return { ...value, isKept: true };
  }

  write(address, value, bits) {
    const offset = this.keep(sub(address, known(RAM_START)));
    this.body.when(below(offset, known(RAM_BYTES)), () => {
      this.refuse(load(shr(offset, known(2)), AT.CODE, 8));
      this.body.store(aligned(offset, bits), AT.RAM, value, bits);
    }, () => {
      this.timeless(address, bits);
      this.body.put(...this.body.call(TELL, address, value).bytes);
    });
    this.cycles += 1;
  }

  /** Go on with an access that takes no cycle beside that of its instruction; refuse one that takes others. */
  timeless(address, bits) {
    this.refuse(bits === 32 ? isZero(isTimeless(address)) : ONE);
    if (bits === 32) spend(this.body, known(-1));
  }

  reachRead(from, size) {
    this.refuse(isZero(below(sub(from, known(RAM_START)), known(RAM_BYTES - size.value + 1))));
  }

  reachWrite(from, size) {
    this.reachRead(from, size);
    const word = this.keep(shr(sub(from, known(RAM_START)), known(2)));
    const codes = Array.from({ length: size.value >> 2 }, (_, at) => load(word, AT.CODE + at, 8));
    if (codes.length) this.refuse(codes.reduce(or));
  }

  foresee(at) {
    this.refuseReturn(load(this.inRam(at), AT.RAM));
    this.isForeseen = true;
  }

  refuseReturn(value) {
    const to = this.keep(value);
    this.refuse(or(same(shr(to, known(28)), known(15)), isZero(and(to, ONE))));
  }

  /** An address that goes up or down from here, in memory. */
  count(from) {
    const base = this.inRam(from);
    let by = 0;
    return { up: () => ({ base, by: (by += 4) - 4 }), down: () => ({ base, by: (by -= 4) }) };
  }

  inRam(address) {
    const local = this.body.local();
    this.body.let(local, and(sub(address, known(RAM_START)), known(-4)));
    return local;
  }

  many({ base, by }, value) {
    this.body.store(base, AT.RAM + by, value);
    this.cycles += 1;
  }

  manyRead({ base, by }) {
    this.cycles += 1;
    return this.keep(load(base, AT.RAM + by));
  }

  low16() {
    const low = known(this.fetch(this.afterNumber));
    this.afterNumber += 2;
    return low;
  }

  jump(target) {
    if (target.value === undefined || this.words.includes(target.value)) {
      this.end(target);
      this.isOver = true;
    } else this.goesOn = target.value;
  }

  jumpIf(condition, target, cycles) {
    if (condition.value === undefined) this.body.when(condition, () => this.end(target, [this.cycles + cycles, this.done]));
    else if (condition.value) {
      this.cost(cycles);
      this.jump(target);
    }
  }

  thumb(to) {
    this.refuse(isZero(and(to, ONE)));
  }

  branch(to) {
    if (!this.isForeseen) this.refuseReturn(to);
    this.end(and(to, known(-2)));
    this.isOver = true;
  }

  rare() {
    this.refuse(ONE);
  }
}

/**
 * The traces that begin at these addresses, as a module that exports them by their number in this list, what each takes
 * at the most, and the addresses of its code, `words`. `halfword(at)` reads the program; `first` is the first one's place
 * in the table.
 */
export function translate(starts, first, halfword, pages, xipMiss) {
  const traces = starts.map((start, at) => new Trace(start, AT.INFO + 8 * (first + at), halfword, xipMiss).translate());
  return {
    module: moduleOf(pages, false, IMPORTS, traces.map(({ body }) => [body, 0, 1]), Object.fromEntries(starts.map((_, at) => [`${at}`, at]))),
    limits: traces.map((trace) => [trace.cycles + trace.extra, trace.done]),
    words: traces.map((trace) => trace.words),
  };
}
