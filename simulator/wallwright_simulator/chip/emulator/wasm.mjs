// WebAssembly, built by hand: expressions of 32 bits, which are worked out at once where all is known, bodies of
// functions, and modules. Source: WebAssembly core specification 1.0, chapter 5 (binary format).

const bytesOf = (n, isEnd) => {
  const bytes = [];
  for (;;) {
    const byte = n & 0x7f;
    n >>= 7;
    if (isEnd(n, byte)) return [...bytes, byte];
    bytes.push(byte | 0x80);
  }
};
const unsigned = (n) => bytesOf(n, (rest) => rest === 0);
const signed = (n) => bytesOf(n, (rest, byte) => rest === (byte & 0x40 ? -1 : 0));

export const known = (n) => ({ bytes: [0x41, ...signed(n | 0)], value: n | 0 });
export const ZERO = known(0), ONE = known(1);
const isKnown = (one) => one.value !== undefined;

function binary(code, work) {
  return (a, b) => (isKnown(a) && isKnown(b) ? known(work(a.value, b.value)) : { bytes: [...a.bytes, ...b.bytes, code] });
}

function unary(code, work) {
  return (a) => (isKnown(a) ? known(work(a.value)) : { bytes: [...a.bytes, code] });
}

export const add = binary(0x6a, (a, b) => a + b), sub = binary(0x6b, (a, b) => a - b), mul = binary(0x6c, Math.imul);
/** Quotients and remainders, whose divisor must not be 0, nor -1 below the least number. */
export const [over, overUnsigned, rest, restUnsigned] = [0x6d, 0x6e, 0x6f, 0x70].map((code) => (a, b) => ({ bytes: [...a.bytes, ...b.bytes, code] }));
export const and = binary(0x71, (a, b) => a & b), or = binary(0x72, (a, b) => a | b), xor = binary(0x73, (a, b) => a ^ b);
export const shl = binary(0x74, (a, b) => a << b), sar = binary(0x75, (a, b) => a >> b), shr = binary(0x76, (a, b) => a >>> b);
export const rotr = binary(0x78, (a, b) => (a >>> (b & 31)) | (a << (-b & 31)));
export const isZero = unary(0x45, (a) => a === 0), byteOf = unary(0xc0, (a) => (a << 24) >> 24), halfOf = unary(0xc1, (a) => (a << 16) >> 16);
export const same = binary(0x46, (a, b) => a === b), differs = binary(0x47, (a, b) => a !== b);
export const less = binary(0x48, (a, b) => a < b), notLess = binary(0x4e, (a, b) => a >= b);
export const below = binary(0x49, (a, b) => a >>> 0 < b >>> 0), notBelow = binary(0x4f, (a, b) => a >>> 0 >= b >>> 0);
export const not = (a) => xor(a, known(-1));

/** `a` where `condition` is not 0, else `b`; both are worked out. */
export function select(condition, a, b) {
  if (isKnown(condition)) return condition.value ? a : b;
  return { bytes: [...a.bytes, ...b.bytes, ...condition.bytes, 0x1b] };
}

const LOADS = { 8: [0x2d, 0], 16: [0x2f, 1], 32: [0x28, 2] }, STORES = { 8: [0x3a, 0], 16: [0x3b, 1], 32: [0x36, 2] };
const place = (at, base) => (isKnown(at) ? [ZERO, unsigned(base + at.value)] : [at, unsigned(base)]);

/** What the memory holds at `base` + `at`, without a sign. */
export function load(at, base = 0, bits = 32) {
  const [index, offset] = place(at, base);
  return { bytes: [...index.bytes, ...LOADS[bits], ...offset] };
}

/** The body of a function of so many arguments, whose locals all are numbers of 32 bits. */
export class Body {
  constructor(args) {
    this.args = this.next = this.most = args;
    this.bytes = [];
    this.depth = 0;
  }

  put(...bytes) {
    for (const byte of bytes) this.bytes.push(byte);
  }

  local() {
    const number = this.next++;
    this.most = Math.max(this.most, this.next);
    return { bytes: [0x20, ...unsigned(number)], number };
  }

  let(local, value) {
    this.put(...value.bytes, 0x21, ...unsigned(local.number));
  }

  /** An expression that has the value that this one has now. */
  keep(value) {
    if (isKnown(value) || value.isKept) return value;
    const local = this.local();
    this.let(local, value);
    return { ...local, isKept: true };
  }

  store(at, base, value, bits = 32) {
    const [index, offset] = place(at, base);
    this.put(...index.bytes, ...value.bytes, ...STORES[bits], ...offset);
  }

  call(number, ...args) {
    return { bytes: [...args.flatMap((one) => one.bytes), 0x10, ...unsigned(number)] };
  }

  /** Do `then` if the condition is not 0, or else `otherwise`. */
  when(condition, then, otherwise) {
    if (isKnown(condition)) {
      (condition.value ? then : otherwise)?.();
      return;
    }
    this.put(...condition.bytes);
    this.within(0x04, then, otherwise);
  }

  /** Put a block, a loop or a branch of an `if` around what `fill` puts; it gets the label to go to. */
  within(kind, fill, otherwise) {
    this.put(kind, 0x40);
    const label = this.depth++;
    fill(label);
    if (otherwise) {
      this.put(0x05);
      otherwise();
    }
    this.depth -= 1;
    this.put(0x0b);
  }

  goto(label) {
    this.put(0x0c, ...unsigned(this.depth - 1 - label));
  }

  /** Go to one of the labels of the blocks that are the innermost, by a number; the last one is for all others. */
  fan(number, count) {
    this.put(...number.bytes, 0x0e, ...unsigned(count - 1), ...Array.from({ length: count }, (_, at) => unsigned(at)).flat());
  }

  leave(value) {
    this.put(...value.bytes, 0x0f);
  }

  /** The function as a module has it. */
  get code() {
    const locals = this.most - this.args;
    const code = join([this.bytes, [0x0b]], locals ? [1, ...unsigned(locals), 0x7f] : [0]);
    return join([code], unsigned(code.length));
  }
}

export const BLOCK = 0x02, LOOP = 0x03;

/** Put lists of bytes one after the other behind `into`. */
function join(parts, into = []) {
  for (const part of parts) for (const byte of part) into.push(byte);
  return into;
}
const list = (items) => join(items, unsigned(items.length));
const section = (number, bytes) => join([unsigned(bytes.length), bytes], [number]);
const named = (text) => list([...text].map((letter) => [letter.charCodeAt(0)]));
const type = (args, results) => [0x60, ...list(Array(args).fill([0x7f])), ...list(Array(results).fill([0x7f]))];

/**
 * A module. `imports` are functions as [name, arguments, results] beside `memory` of so many pages and `table`, if it has
 * one; their numbers come before those of `bodies`, [body, arguments, results]. `names` has the numbers of bodies by the
 * names under which they are exported. Type 0 is that of the table's functions: it takes nothing and gives a number.
 */
export function moduleOf(pages, hasTable, imports, bodies, names) {
  const kinds = [[0, 1], ...imports.map(([, ...kind]) => kind), ...bodies.map(([, ...kind]) => kind)];
  const from = [
    [...named('env'), ...named('memory'), 2, 0, ...unsigned(pages)],
    ...(hasTable ? [[...named('env'), ...named('table'), 1, 0x70, 0, ...unsigned(0)]] : []),
    ...imports.map(([name], at) => [...named('env'), ...named(name), 0, ...unsigned(at + 1)]),
  ];
  const number = (at) => unsigned(imports.length + at);
  return new WebAssembly.Module(new Uint8Array(join([
    section(1, list(kinds.map((kind) => type(...kind)))),
    section(2, list(from)),
    section(3, list(bodies.map((_, at) => unsigned(imports.length + at + 1)))),
    section(7, list(Object.entries(names).map(([name, at]) => [...named(name), 0, ...number(at)]))),
    section(10, list(bodies.map(([body]) => body.code))),
  ], [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0])));
}
