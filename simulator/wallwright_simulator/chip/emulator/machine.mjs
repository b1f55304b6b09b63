// Shared by the two machines that `instructions.mjs` works on: the fields of an opcode, and where an address lies.
import { AT, SIO, TIMELESS_AT, TIMELESS_BYTES } from './memory.mjs';
import { add, and, below, known, load, or, same, shr, sub, ZERO } from './wasm.mjs';

export const cell = (at) => load(ZERO, at);
export const aligned = (offset, bits) => (bits === 8 ? offset : and(offset, known(-bits >> 3)));
export const spend = (body, cycles) => body.store(ZERO, AT.SPENT, add(cell(AT.SPENT), cycles));
export const isFlash = (address) => same(shr(address, known(24)), known(0x10));
export const isTimeless = (address) => or(below(sub(address, known(SIO + TIMELESS_AT)), known(TIMELESS_BYTES)), same(address, known(SIO)));

/** A machine has `op`, the opcode, and reads a register by `get`; `body` is the function that it writes. */
export class Machine {
  constructor(body) {
    this.body = body;
  }

  field(from, bits) {
    return and(shr(this.op, known(from)), known((1 << bits) - 1));
  }

  get low() {
    return this.get(this.field(0, 3));
  }

  get second() {
    return this.get(this.field(3, 3));
  }

  keep(value) {
    return this.body.keep(value);
  }
}
