// The ring oscillator, of which programs read RANDOMBIT: bits come from a noise source outside, eight a byte, and round
// again when they are used up. Source: RP2040 datasheet 2.17.8.
import { BasePeripheral } from './package.mjs';

const STATUS = 0x18, RANDOM_BIT = 0x1c;
const STABLE_AND_ON = 0x80001000;

export class Oscillator extends BasePeripheral {
  /** `noise` is {bytes, at}: at counts bits, and outlives this object. */
  constructor(rp, noise) {
    super(rp, 'ROSC');
    this.noise = noise;
    this.registers = new Map();
  }

  readUint32(offset) {
    if (offset === STATUS) return STABLE_AND_ON;
    if (offset !== RANDOM_BIT) return this.registers.get(offset) ?? 0;
    const { bytes, at } = this.noise;
    this.noise.at = (at + 1) % (bytes.length * 8);
    return (bytes[at >> 3] >> (at & 7)) & 1;
  }

  writeUint32(offset, value) {
    this.registers.set(offset, value >>> 0);
  }
}
