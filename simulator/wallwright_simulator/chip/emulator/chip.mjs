// One RP2040 with its flash chip, its pins' nets and its serial lines; it starts, runs, is reset and loses its power.
import { ConsoleLogger, LogLevel, RP2040 } from './package.mjs';
import { clockPio, tieSpi } from './buses.mjs';
import { Clock } from './clock.mjs';
import { makeCore } from './core.mjs';
import { Flash } from './flash.mjs';
import { Nets, uartOf } from './nets.mjs';
import { Oscillator } from './oscillator.mjs';
import { POWER_ON, RUN_PIN, Supply, Watchdog } from './resets.mjs';
import { Uart } from './uart.mjs';
import { UsbHost } from './usb.mjs';

const UART = 2;
const UARTS = [{ irq: 20, dreq: { tx: 20, rx: 21 } }, { irq: 21, dreq: { tx: 22, rx: 23 } }];
const UART_ADDRESSES = [0x40034, 0x40038];
const START = 0x10000000;
const MANY = 1 << 30;
const LOST_IN_A_SAG = 1021; // words of memory, of which a brown-out spoils one

const cores = new Map();

/** Return a core that no chip needs any more: the one for this `role`, whose program probably is the same as before. */
export function coreFor(role, rom, xipMiss) {
  const name = `${role} ${xipMiss}`;
  if (!cores.has(name)) cores.set(name, makeCore(Flash.patch(rom), xipMiss));
  const core = cores.get(name);
  core.reset();
  return core;
}

export class Chip {
  /** `options`: core (of coreFor), id (8 bytes), seed, noise (bytes), eraseMs, worn, usb, nanos (now). */
  constructor({ core, id, seed, noise, eraseMs, worn, usb = true, nanos = 0 }) {
    this.hasUsb = usb;
    this.core = core;
    const { flash: bytes, rewritten } = core;
    this.flash = new Flash({ id, eraseMs, worn, bytes, rewritten });
    this.nets = new Nets();
    this.kept = { reason: 0, scratch: new Uint32Array(8) };
    this.noise = { bytes: noise, at: 0 };
    this.state = (seed * 2654435761 + 0x9e3779b9) >>> 0 || 1;
    this.base = nanos;
    this.rp = null;
    this.lines = [];
    this.serialOut = () => {};
    this.heard = () => {};
    this.onFeed = () => {};
    this.onPower = () => {};
    this.counts = { instructions: 0, resets: 0, feeds: 0, idleNanos: 0, overrun: 0, framing: 0, unheard: 0, unsent: 0, unrouted: 0 };
    this.wakeUp = null;
    this.stopped = false;
    this.instructionLimit = this.instructionMark = Infinity;
    this.sagNanos = 0;
    this.backAt = Infinity;
  }

  /** Chance for what the hardware leaves to chance: 32 bits (xorshift, Marsaglia 2003). */
  chance() {
    let x = this.state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.state = x >>> 0;
    return this.state;
  }

  get nanos() {
    return this.rp === null ? this.base : this.base + this.rp.clock.nanos;
  }

  get memory() {
    const { ram } = this.core;
    return new Uint32Array(ram.buffer, ram.byteOffset, ram.length >> 2);
  }

  get isOn() {
    return this.rp !== null;
  }

  powerOn() {
    if (this.rp !== null) return;
    this.backAt = Infinity;
    this.kept = { reason: 0, scratch: new Uint32Array(8) };
    this.memory.forEach((_, at, memory) => (memory[at] = this.chance()));
    this.onPower(true);
    this.start(POWER_ON);
  }

  powerOff() {
    if (!this.isOn && this.backAt === Infinity) return;
    this.backAt = Infinity;
    this.stand();
    this.onPower(false);
  }

  /** The supply falls below what the core needs, for so many ns from where it stands now on. */
  sag(nanos) {
    this.sagNanos = nanos;
  }

  /** The brown-out detector holds the chip in reset: no pin drives, what is under way in the flash is cut. */
  brownOut() {
    this.counts.resets += 1;
    this.backAt = this.nanos + this.sagNanos;
    this.sagNanos = 0;
    this.stand();
  }

  stand() {
    if (this.isOn) {
      this.flash.cut(() => this.chance());
      this.base = this.nanos;
    }
    this.rp = null;
    this.nets.attach(null);
  }

  /** The supply is back. Memory holds what it held, but for a word here and there; CHIP_RESET tells a power-on. */
  comeBack() {
    this.backAt = Infinity;
    this.kept = { reason: 0, scratch: new Uint32Array(8) };
    const { memory } = this;
    for (let at = this.chance() % LOST_IN_A_SAG; at < memory.length; at += LOST_IN_A_SAG) memory[at] = this.chance();
    this.start(POWER_ON);
  }

  /** Somebody pulls the RUN pin low for a moment. */
  pressReset() {
    if (this.rp !== null) this.restart(RUN_PIN);
  }

  restart(cause) {
    this.counts.resets += 1;
    this.flash.cut(() => this.chance());
    this.base = this.nanos;
    if (cause === RUN_PIN) this.kept = { reason: 0, scratch: new Uint32Array(8) };
    this.start(cause);
  }

  start(cause) {
    const clock = new Clock();
    const rp = this.rp = new RP2040(clock);
    this.isBitten = false;
    this.cause = cause;
    rp.logger = new ConsoleLogger(LogLevel.Error, true);
    this.flash.attach(rp, this.base);
    this.core.attach(rp);
    this.flash.onFlush = () => this.core.flush();
    rp.peripherals[0x40060] = new Oscillator(rp, this.noise);
    rp.peripherals[0x40064] = new Supply(rp, cause);
    rp.peripherals[0x40058] = new Watchdog(rp, this.kept, () => this.bite(), () => this.fed());
    UARTS.forEach((numbers, number) => {
      const spoilt = (what) => (this.counts[what] += 1);
      rp.uart[number] = new Uart(rp, numbers, (byte, baud) => this.sent(number, byte, baud), spoilt);
      rp.peripherals[UART_ADDRESSES[number]] = rp.uart[number];
    });
    for (const pio of rp.pio) clockPio(rp, pio);
    for (const number of [0, 1]) tieSpi(rp, number, this.nets);
    this.usb = this.hasUsb ? new UsbHost(rp, (bytes) => this.heard(bytes)) : null;
    this.nets.attach(rp);
    for (const line of this.lines) line.attach(clock);
    this.wakeUp = clock.createAlarm(() => this.stop());
    rp.core.PC = START;
  }

  bite() {
    this.isBitten = true;
    this.stop();
  }

  fed() {
    this.counts.feeds += 1;
    this.onFeed();
  }

  /** Whoever runs this chip shall look at it. */
  stop() {
    this.stopped = true;
    if (this.rp !== null) this.rp.clock.stopAt(this.rp.clock.nanos);
  }

  /** Likewise, in so many ns. */
  stopIn(nanos) {
    this.wakeUp.schedule(nanos);
  }

  sent(number, byte, baud) {
    const pins = this.nets.muxed(UART, (pin) => uartOf(pin) === number && (pin & 3) === 0);
    if (!pins.length) this.counts.unrouted += 1;
    for (const pin of pins) this.serialOut(pin, byte, baud);
  }

  serialIn(pin, byte, baud) {
    if (this.rp !== null && this.rp.gpio[pin].functionSelect === UART) this.rp.uart[uartOf(pin)].receive(byte, baud);
    else this.counts.unheard += 1;
  }

  /** Let the power fail when so many instructions more have run. */
  cutAfter(instructions) {
    this.instructionLimit = this.counts.instructions + instructions;
  }

  /** Stop when so many instructions more have run; return how many that are in all. */
  stopAfter(instructions) {
    this.instructionMark = this.counts.instructions + instructions;
    return this.instructionMark;
  }

  /** Run to the time `until`, or to what stops it. */
  run(until) {
    this.stopped = false;
    while (!this.stopped && this.nanos < until) {
      if (this.counts.instructions >= this.instructionLimit) {
        this.instructionLimit = Infinity;
        this.powerOff();
      }
      if (this.counts.instructions >= this.instructionMark) {
        this.instructionMark = Infinity;
        this.stop();
        return;
      }
      if (this.sagNanos && this.isOn) this.brownOut();
      else if (this.isOn) this.turn(until - this.base);
      else {
        this.base = Math.min(until, this.backAt);
        if (this.base === this.backAt) this.comeBack();
      }
      if (this.isBitten) this.restart(this.cause);
    }
  }

  turn(end) {
    const { clock, core } = this.rp;
    clock.stopAt(end);
    if (this.flash.act !== null) {
      clock.rest(Math.min(end, this.flash.busyUntil));
      if (clock.nanos >= this.flash.busyUntil) this.flash.finish();
    } else if (core.waiting) {
      const since = clock.nanos;
      clock.rest(Math.min(end, clock.first === null ? end : clock.first.nanos));
      this.counts.idleNanos += clock.nanos - since;
    } else this.execute(clock);
  }

  execute(clock) {
    const left = Math.min(Math.min(this.instructionLimit, this.instructionMark) - this.counts.instructions, MANY);
    this.counts.instructions += this.core.execute(1e9 / this.rp.clkSys, left);
    clock.ring();
  }
}
