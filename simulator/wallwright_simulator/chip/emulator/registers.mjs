// The shift registers of the board: a chain of 74HC165 that inputs come through, one of 74HC595 that outputs go through.
// They know nets and nothing of who moves them: SPI, PIO or a program that sets pins.

export class InputChain {
  /** `pins`: clock, load, data; `bytes` of the chain, the byte that comes out first is the first. One that `isWeak` has
   *  a resistor between its output and the net, so that whoever drives the net is heard in its place. */
  constructor(nets, pins, bytes, isWeak = false) {
    this.nets = nets;
    this.isWeak = isWeak;
    this.pins = pins;
    this.levels = new Uint8Array(bytes);
    this.held = new Uint8Array(bytes);
    this.at = 0;
    this.out = isWeak ? null : nets.addDriver(pins.data, '74HC165 (serial output)', 0);
    this.onSample = () => {};
    nets.listen(pins.load, (level) => level === 0 && this.load());
    nets.listen(pins.clock, (level) => level === 1 && this.shift());
  }

  /** The inputs stand like this from now on. */
  set(levels) {
    this.levels.set(levels);
    if (this.nets.level(this.pins.load) === 0) this.load();
  }

  load() {
    this.held.set(this.levels);
    this.at = 0;
    this.show();
  }

  shift() {
    if (this.nets.level(this.pins.load) === 0) return;
    this.at += 1;
    if (this.at === this.held.length * 8) this.onSample();
    this.show();
  }

  show() {
    const byte = this.at >> 3; // the serial input of the last one is tied to ground
    const level = byte < this.held.length ? (this.held[byte] >> (7 - (this.at & 7))) & 1 : 0;
    if (this.isWeak) this.nets.nets[this.pins.data].pull = level;
    else this.out.level = level;
    this.nets.update(this.pins.data);
  }
}

export class OutputChain {
  /** `pins`: clock, data, latch, enable, which a resistor pulls up; `bytes` of the chain, the farthest one first.
   *  `back`, a BackChain, is behind the last one. */
  constructor(nets, pins, bytes, changed, back = null) {
    this.nets = nets;
    this.pins = pins;
    this.changed = changed;
    this.back = back;
    this.stages = new Uint8Array(bytes);
    this.latched = new Uint8Array(bytes);
    this.writes = 0;
    nets.nets[pins.enable].pull = 1;
    nets.listen(pins.clock, (level) => level === 1 && this.shift());
    nets.listen(pins.latch, (level) => level === 1 && this.latch());
    nets.listen(pins.enable, () => this.changed());
  }

  /** Power has come: the flip-flops stand as chance has it. */
  scramble(chance) {
    for (let i = 0; i < this.stages.length; i++) {
      this.stages[i] = chance();
      this.latched[i] = chance();
    }
    this.back?.follow(this.last);
    this.changed();
  }

  get isEnabled() {
    return this.nets.level(this.pins.enable) === 0;
  }

  /** The level of QH' of the last one. */
  get last() {
    return this.stages[0] >> 7;
  }

  /** A bit changes by itself, in a shift register or behind the latch: that of output `place`. */
  flip(place, isLatched) {
    const registers = isLatched ? this.latched : this.stages;
    registers[registers.length - 1 - (place >> 3)] ^= 1 << (place & 7);
    this.back?.follow(this.last);
    this.changed();
  }

  shift() {
    let carry = this.nets.level(this.pins.data);
    for (let i = this.stages.length - 1; i >= 0; i--) {
      const out = this.stages[i] >> 7;
      this.stages[i] = (this.stages[i] << 1) | carry;
      carry = out;
    }
    this.back?.shift(carry, this.last);
  }

  latch() {
    this.latched.set(this.stages);
    this.writes += 1;
    this.changed();
  }
}

/** What comes back of the outputs: 74HC165 that sense them, behind the last of their registers; or that one's QH' alone. */
export class BackChain {
  /** `pins`: latch, back; `levels()` gives the byte of each sense register, the one behind the 74HC595 first. */
  constructor(nets, pins, bytes, levels) {
    this.nets = nets;
    this.pins = pins;
    this.levels = levels;
    this.held = new Uint8Array(bytes);
    this.out = nets.addDriver(pins.back, bytes ? '74HC165 (senses)' : "74HC595 (QH')", 0);
    if (bytes) nets.listen(pins.latch, (level) => level === 0 && this.load());
  }

  load() {
    this.held.set(this.levels());
    this.show(this.held.at(-1) >> 7);
  }

  /** The serial input is like this from now on. */
  follow(serial) {
    if (!this.held.length) this.show(serial);
  }

  /** The clock rises with `carry` at the serial input, after which `next` is there. */
  shift(carry, next) {
    this.follow(next);
    if (!this.held.length || this.nets.level(this.pins.latch) === 0) return;
    this.held.forEach((byte, at) => {
      this.held[at] = (byte << 1) | carry;
      carry = byte >> 7;
    });
    this.show(this.held.at(-1) >> 7);
  }

  show(level) {
    this.out.level = level;
    this.nets.update(this.pins.back);
  }
}
