// What each instruction of ARMv6-M does (ARM DDI 0419E, A6.7), written once for a machine that either is told the opcode
// while it runs, as `interpreter.mjs` has it, or knows it beforehand, as `traces.mjs` does. Expressions are those of
// `wasm.mjs`. Cycles beyond the first: ARM DDI 0484C, table 3-1.
import {
  add, and, below, byteOf, differs, halfOf, isZero, known, less, mul, not, notBelow, ONE, or, rotr, same, select, shl, shr, sar, sub, xor, ZERO,
} from './wasm.mjs';

const [TWO, HIGH, SP, LR, PC] = [2, 31, 13, 14, 15].map(known);
const WORD = known(4), ALL = 0xff;
const top = (value) => shr(value, HIGH);

function sum(m, a, b) {
  const r = m.keep(add(a, b));
  m.flags(r, below(r, a), top(and(xor(a, r), xor(b, r))));
  return r;
}

function difference(m, a, b) {
  const r = m.keep(sub(a, b));
  m.flags(r, notBelow(a, b), top(and(xor(a, b), xor(a, r))));
  return r;
}

function sumWithCarry(m, a, b) {
  const carry = m.c, half = m.keep(add(a, b)), r = m.keep(add(half, carry));
  m.flags(r, or(below(half, a), below(r, half)), top(and(xor(a, r), xor(b, r))));
  return r;
}

/** An instruction whose result goes to the register in the lowest bits, and to N and Z. */
const logic = (work) => (m) => {
  const r = m.keep(work(m.low, m.second));
  m.flags(r);
  m.set(m.field(0, 3), r);
};

/** Likewise one that shifts by a register; `work(x, n, c)` gives result and carry. */
const shift = (work) => (m) => {
  const n = m.keep(and(m.second, known(ALL))), [value, carry] = work(m.low, n, m);
  const r = m.keep(value);
  m.flags(r, select(n, typeof carry === 'function' ? carry(r) : carry, m.c));
  m.set(m.field(0, 3), r);
};

const above = (n, most) => below(known(most), n);
const bit = (value) => and(value, ONE);

/** The register that four bits name, as a value: the program counter is ahead of its instruction. */
const any = (m, number) => select(same(number, PC), add(m.after, TWO), m.get(number));
const wide = (m) => [m.keep(or(and(shr(m.op, WORD), known(8)), m.field(0, 3))), m.field(3, 4)];

function put(m, d, value) {
  m.when(same(d, PC), () => {
    m.cost(1);
    m.jump(and(value, known(-2)));
  }, () => m.set(d, select(same(d, SP), and(value, known(-4)), value)));
}

const byTwo = (m) => m.keep(add(m.second, m.get(m.field(6, 3))));
const ahead = (m, from, bits, less) => m.keep(add(m.second, shl(m.field(from, bits), known(less))));
const stack = (m) => m.keep(add(m.get(SP), shl(m.field(0, 8), TWO)));
const literal = (m) => m.keep(add(and(add(m.after, TWO), known(-4)), shl(m.field(0, 8), TWO)));
const loads = (where, bits, change = (value) => value) => (m) => m.set(m.field(0, 3), change(m.read(where(m), bits)));
const stores = (where, bits) => (m) => m.write(where(m), m.low, bits);
const words = (where) => (m) => ahead(m, 6, 5, where);

/** How many registers of the eight in the lowest bits are listed. */
const listed = (m) => Array.from({ length: 8 }, (_, i) => m.field(i, 1)).reduce(add);
const each = (m, act) => {
  for (let i = 0; i < 8; i++) m.when(m.field(i, 1), () => act(known(i), m.field(i, 1)));
};

const agree = (m) => isZero(xor(less(m.nz, ZERO), m.v));
const CONDITIONS = [
  (m) => isZero(m.nz), (m) => m.c, (m) => less(m.nz, ZERO), (m) => m.v,
  (m) => and(m.c, differs(m.nz, ZERO)), agree, (m) => and(agree(m), differs(m.nz, ZERO)),
];
const holds = (m) => m.oneOf(m.field(9, 3), CONDITIONS);

export const INSTRUCTIONS = {
  LSL(m) {
    const n = m.field(6, 5), x = m.second, r = m.keep(shl(x, n));
    m.flags(r, select(n, bit(shr(x, sub(known(32), n))), m.c));
    m.set(m.field(0, 3), r);
  },
  LSR(m) {
    const n = m.field(6, 5), x = m.second, r = m.keep(select(n, shr(x, n), ZERO));
    m.flags(r, bit(shr(x, sub(n, ONE))));
    m.set(m.field(0, 3), r);
  },
  ASR(m) {
    const n = m.field(6, 5), x = m.second, r = m.keep(sar(x, select(n, n, HIGH)));
    m.flags(r, bit(shr(x, sub(n, ONE))));
    m.set(m.field(0, 3), r);
  },
  ADD_REG: (m) => m.set(m.field(0, 3), sum(m, m.second, m.get(m.field(6, 3)))),
  SUB_REG: (m) => m.set(m.field(0, 3), difference(m, m.second, m.get(m.field(6, 3)))),
  ADD_IMM3: (m) => m.set(m.field(0, 3), sum(m, m.second, m.field(6, 3))),
  SUB_IMM3: (m) => m.set(m.field(0, 3), difference(m, m.second, m.field(6, 3))),
  MOV_IMM(m) {
    const r = m.field(0, 8);
    m.flags(r);
    m.set(m.field(8, 3), r);
  },
  CMP_IMM: (m) => void difference(m, m.get(m.field(8, 3)), m.field(0, 8)),
  ADD_IMM: (m) => m.set(m.field(8, 3), sum(m, m.get(m.field(8, 3)), m.field(0, 8))),
  SUB_IMM: (m) => m.set(m.field(8, 3), difference(m, m.get(m.field(8, 3)), m.field(0, 8))),
  AND: logic(and),
  EOR: logic(xor),
  LSL_REG: shift((x, n) => [select(above(n, 31), ZERO, shl(x, n)), select(above(n, 32), ZERO, bit(shr(x, sub(known(32), n))))]),
  LSR_REG: shift((x, n) => [select(above(n, 31), ZERO, shr(x, n)), select(above(n, 32), ZERO, bit(shr(x, sub(n, ONE))))]),
  ASR_REG: shift((x, n) => [sar(x, select(above(n, 31), HIGH, n)), bit(sar(x, select(above(n, 31), HIGH, sub(n, ONE))))]),
  ADC: (m) => m.set(m.field(0, 3), sumWithCarry(m, m.low, m.second)),
  SBC: (m) => m.set(m.field(0, 3), sumWithCarry(m, m.low, m.keep(not(m.second)))),
  ROR: shift((x, n) => [rotr(x, n), (r) => top(r)]),
  TST: (m) => m.flags(m.keep(and(m.low, m.second))),
  RSB: (m) => m.set(m.field(0, 3), difference(m, ZERO, m.second)),
  CMP: (m) => void difference(m, m.low, m.second),
  CMN: (m) => void sum(m, m.low, m.second),
  ORR: logic(or),
  MUL: logic(mul),
  BIC: logic((a, b) => and(a, not(b))),
  MVN: logic((_, b) => not(b)),
  ADD_HIGH(m) {
    const [d, n] = wide(m);
    put(m, d, m.keep(add(any(m, d), any(m, n))));
  },
  CMP_HIGH(m) {
    const [d, n] = wide(m);
    difference(m, m.keep(any(m, d)), m.keep(any(m, n)));
  },
  MOV_HIGH(m) {
    const [d, n] = wide(m);
    put(m, d, m.keep(any(m, n)));
  },
  BX(m) {
    m.cost(1);
    m.branch(m.get(m.field(3, 4)));
  },
  BLX(m) {
    const to = m.get(m.field(3, 4));
    m.thumb(to);
    m.set(LR, or(m.after, ONE));
    m.cost(1);
    m.jump(and(to, known(-2)));
  },
  LDR_LITERAL: (m) => m.set(m.field(8, 3), m.read(literal(m), 32)),
  STR_REG: stores(byTwo, 32),
  STRH_REG: stores(byTwo, 16),
  STRB_REG: stores(byTwo, 8),
  LDRSB_REG: loads(byTwo, 8, byteOf),
  LDR_REG: loads(byTwo, 32),
  LDRH_REG: loads(byTwo, 16),
  LDRB_REG: loads(byTwo, 8),
  LDRSH_REG: loads(byTwo, 16, halfOf),
  STR: stores(words(2), 32),
  LDR: loads(words(2), 32),
  STRB: stores(words(0), 8),
  LDRB: loads(words(0), 8),
  STRH: stores(words(1), 16),
  LDRH: loads(words(1), 16),
  STR_SP: (m) => m.write(stack(m), m.get(m.field(8, 3)), 32),
  LDR_SP: (m) => m.set(m.field(8, 3), m.read(stack(m), 32)),
  ADR: (m) => m.set(m.field(8, 3), literal(m)),
  ADD_SP: (m) => m.set(m.field(8, 3), stack(m)),
  MOVE_SP(m) {
    const by = shl(m.field(0, 7), TWO);
    m.set(SP, m.keep(select(m.field(7, 1), sub(m.get(SP), by), add(m.get(SP), by))));
  },
  SXTH: (m) => m.set(m.field(0, 3), halfOf(m.second)),
  SXTB: (m) => m.set(m.field(0, 3), byteOf(m.second)),
  UXTH: (m) => m.set(m.field(0, 3), and(m.second, known(0xffff))),
  UXTB: (m) => m.set(m.field(0, 3), and(m.second, known(0xff))),
  PUSH(m) {
    const size = shl(add(listed(m), m.field(8, 1)), TWO), start = m.keep(sub(m.get(SP), size));
    m.reachWrite(start, size);
    const at = m.count(m.get(SP));
    m.when(m.field(8, 1), () => m.many(at.down(WORD), m.get(LR)));
    for (let i = 7; i >= 0; i--) m.when(m.field(i, 1), () => m.many(at.down(WORD), m.get(known(i))));
    m.set(SP, start);
  },
  POP(m) {
    const count = listed(m), base = m.get(SP), end = m.keep(add(base, shl(count, TWO)));
    m.reachRead(base, shl(add(count, m.field(8, 1)), TWO));
    m.when(m.field(8, 1), () => m.foresee(end));
    const at = m.count(base);
    each(m, (i) => m.set(i, m.manyRead(at.up(WORD))));
    m.when(m.field(8, 1), () => {
      const to = m.manyRead(at.up(WORD));
      m.set(SP, m.keep(add(end, WORD)));
      m.cost(2);
      m.branch(to);
    }, () => m.set(SP, end));
  },
  REV(m) {
    const x = m.second;
    m.set(m.field(0, 3), or(and(rotr(x, known(24)), known(0x00ff00ff)), and(rotr(x, known(8)), known(0xff00ff00))));
  },
  REV16(m) {
    const x = m.second;
    m.set(m.field(0, 3), or(shl(and(x, known(0x00ff00ff)), known(8)), and(shr(x, known(8)), known(0x00ff00ff))));
  },
  REVSH(m) {
    const x = m.second;
    m.set(m.field(0, 3), or(shl(byteOf(x), known(8)), and(shr(x, known(8)), known(0xff))));
  },
  STM(m) {
    const n = m.field(8, 3), base = m.get(n), size = shl(listed(m), TWO);
    m.reachWrite(base, size);
    const at = m.count(base);
    each(m, (i) => m.many(at.up(WORD), m.get(i)));
    m.set(n, m.keep(add(base, size)));
  },
  LDM(m) {
    const n = m.field(8, 3), base = m.get(n), size = shl(listed(m), TWO);
    m.reachRead(base, size);
    const at = m.count(base);
    each(m, (i) => m.set(i, m.manyRead(at.up(WORD))));
    m.when(isZero(and(shr(m.op, n), ONE)), () => m.set(n, m.keep(add(base, size))));
  },
  B_COND: (m) => m.jumpIf(xor(holds(m), m.field(8, 1)), add(add(m.after, TWO), shl(byteOf(m.op), ONE)), 1),
  B(m) {
    m.cost(1);
    m.jump(add(add(m.after, TWO), sar(shl(m.op, known(21)), known(20))));
  },
  WIDE(m) {
    const low = m.low16();
    m.cost(2);
    m.when(and(same(and(m.op, known(0xf800)), known(0xf000)), same(and(low, known(0xd000)), known(0xd000))), () => {
      const s = and(shr(m.op, known(10)), ONE), i1 = bit(not(xor(shr(low, known(13)), s))), i2 = bit(not(xor(shr(low, known(11)), s)));
      const by = [
        shl(sub(ZERO, s), known(24)), shl(i1, known(23)), shl(i2, known(22)), shl(and(m.op, known(0x3ff)), known(12)),
        shl(and(low, known(0x7ff)), ONE),
      ];
      m.set(LR, or(m.after, ONE));
      m.jump(add(m.after, by.reduce(or)));
    }, () => m.rare(low));
  },
};

/** The others change what no expression reaches: interrupts, events, the state of the chip around the core. */
for (const name of ['CPS', 'BKPT', 'HINT', 'SVC', 'UNDEFINED']) INSTRUCTIONS[name] = (m) => m.rare(ZERO);
