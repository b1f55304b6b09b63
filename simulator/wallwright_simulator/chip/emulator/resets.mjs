// Why the chip starts: the watchdog with its scratch registers, which outlive its bite, and the supply's register.
//
// Sources: RP2040 datasheet 4.7 (watchdog), 2.12.8 (CHIP_RESET), erratum RP2040-E1: the counter loses two a microsecond.
import { BasePeripheral } from './package.mjs';

const CTRL = 0x00, LOAD = 0x04, REASON = 0x08, SCRATCH = 0x0c, TICK = 0x2c;
const TRIGGER = 0x80000000, ENABLE = 0x40000000;
const BY_TIMER = 1, BY_FORCE = 2;
const LOSES_PER_US = 2;
export const POWER_ON = 1 << 8, RUN_PIN = 1 << 16; // bits of CHIP_RESET

export class Watchdog extends BasePeripheral {
  /** `kept` is {reason, scratch} and outlives this object; `bite()` is called when the chip must start again. */
  constructor(rp, kept, bite, fed) {
    super(rp, 'WATCHDOG');
    this.kept = kept;
    this.bite = bite;
    this.fed = fed;
    this.control = 0x07000000;
    this.tick = 0x200;
    this.count = 0;
    this.alarm = rp.clock.createAlarm(() => this.reset(BY_TIMER));
  }

  get isOn() {
    return (this.control & ENABLE) !== 0 && (this.tick & 0x200) !== 0;
  }

  reset(reason) {
    this.kept.reason = reason;
    this.bite();
  }

  left() {
    if (!this.isOn) return this.count;
    return Math.max(0, Math.floor(((this.alarm.nanos - this.rp2040.clock.nanos) / 1000) * LOSES_PER_US));
  }

  start() {
    if (this.isOn) this.alarm.schedule((this.count * 1000) / LOSES_PER_US);
    else this.alarm.cancel();
  }

  readUint32(offset) {
    if (offset === CTRL) return (this.control | (this.left() & 0xffffff)) >>> 0;
    if (offset === REASON) return this.kept.reason;
    if (offset === TICK) return this.tick | (this.tick & 0x200 ? 0x400 : 0);
    if (offset >= SCRATCH && offset < TICK) return this.kept.scratch[(offset - SCRATCH) >> 2];
    return 0;
  }

  writeUint32(offset, value) {
    if (offset === CTRL) {
      this.count = this.left();
      this.control = value & 0x47000000;
      if (value & TRIGGER) this.reset(BY_FORCE);
      else this.start();
    } else if (offset === LOAD) {
      this.count = value & 0xffffff;
      this.start();
      this.fed();
    } else if (offset === TICK) {
      this.count = this.left();
      this.tick = value & 0x3ff;
      this.start();
    } else if (offset >= SCRATCH && offset < TICK) this.kept.scratch[(offset - SCRATCH) >> 2] = value;
  }
}

// The regulator and CHIP_RESET, of which only the cause of the last cold start is modelled.
export class Supply extends BasePeripheral {
  constructor(rp, cause) {
    super(rp, 'VREG_AND_CHIP_RESET');
    this.registers = new Map([[0x00, 0x10b1], [0x04, 0x91]]);
    this.cause = cause;
  }

  readUint32(offset) {
    return offset === 0x08 ? this.cause : this.registers.get(offset) ?? 0;
  }

  writeUint32(offset, value) {
    this.registers.set(offset, value >>> 0);
  }
}
