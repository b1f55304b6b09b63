// The RP2040's UART: an ARM PL011 with its FIFOs, levels, receive timeout, overrun and the time that a byte takes.
//
// Source: ARM DDI 0183G (PrimeCell UART), chapters 2.4 to 3.4; RP2040 datasheet 4.2. Left out: hardware flow control,
// IrDA, a break that is sent.
import { BasePeripheral } from './package.mjs';

const DR = 0x00, RSR = 0x04, FR = 0x18, IBRD = 0x24, FBRD = 0x28, LCR = 0x2c, CR = 0x30, IFLS = 0x34, IMSC = 0x38;
const RIS = 0x3c, MIS = 0x40, ICR = 0x44, DMACR = 0x48, ID = 0xfe0;
const IDS = [0x11, 0x10, 0x34, 0x00, 0x0d, 0xf0, 0x05, 0xb1];
const INT_RX = 1 << 4, INT_TX = 1 << 5, INT_TIMEOUT = 1 << 6, INT_FRAMING = 1 << 7, INT_OVERRUN = 1 << 10;
const FRAMING = 1 << 8, OVERRUN = 1 << 11; // beside the byte in DR
const LEVELS = [4, 8, 16, 24, 28, 28, 28, 28]; // of 32: 1/8, 1/4, 1/2, 3/4, 7/8
const TIMEOUT_BITS = 32;
const BAUD_TOLERANCE = 0.04; // ten bits sampled in their middle: half a bit is 5 %, less what the other end is off

export class Uart extends BasePeripheral {
  /** `send(byte, baud)` gets every byte when its stop bit is over; `spoilt(what)` is told what gets lost. */
  constructor(rp, { irq, dreq }, send, spoilt) {
    super(rp, 'UART');
    this.irq = irq;
    this.dreq = dreq;
    this.send = send;
    this.spoilt = spoilt;
    this.registers = new Map([[CR, 0x300], [IFLS, 0x12], [IMSC, 0], [LCR, 0], [IBRD, 0], [FBRD, 0], [DMACR, 0]]);
    this.raised = 0;
    this.tx = [];
    this.rx = [];
    this.shifting = null;
    this.overran = false;
    this.errors = 0;
    this.sent = rp.clock.createAlarm(() => this.finish());
    this.idle = rp.clock.createAlarm(() => this.raise(INT_TIMEOUT));
  }

  get baud() {
    const divider = this.registers.get(IBRD) + this.registers.get(FBRD) / 64;
    return divider ? this.rp2040.clkPeri / (16 * divider) : 0;
  }

  get depth() {
    return this.registers.get(LCR) & 0x10 ? 32 : 1;
  }

  level(shift) {
    return this.depth === 1 ? 1 : LEVELS[(this.registers.get(IFLS) >> shift) & 7];
  }

  /** Nanoseconds of one character: start bit, data, parity, stop bits. */
  get byteNanos() {
    const lcr = this.registers.get(LCR);
    const bits = 1 + 5 + ((lcr >> 5) & 3) + ((lcr >> 1) & 1) + 1 + ((lcr >> 3) & 1);
    return (bits * 1e9) / this.baud;
  }

  clkPeriChanged() {} // the baud rate is worked out when it is needed

  /** A character has come on the RX pin at this baud rate. */
  receive(byte, baud) {
    const control = this.registers.get(CR);
    if (!(control & 1) || !(control & 0x200) || !this.baud) {
      this.spoilt('unheard');
      return;
    }
    if (this.rx.length >= this.depth) {
      this.overran = true;
      this.errors |= 8;
      this.spoilt('overrun');
      this.raise(INT_OVERRUN);
      return;
    }
    let word = byte;
    if (Math.abs(baud / this.baud - 1) > BAUD_TOLERANCE) {
      word = (byte ^ 0xa5) | FRAMING;
      this.errors |= 1;
      this.spoilt('framing');
      this.raise(INT_FRAMING);
    }
    if (this.overran) word |= OVERRUN;
    this.overran = false;
    this.rx.push(word);
    if (this.rx.length === this.level(3)) this.raise(INT_RX);
    this.idle.schedule((TIMEOUT_BITS * 1e9) / this.baud);
    this.request();
  }

  finish() {
    const byte = this.shifting;
    this.shifting = null;
    this.send(byte, this.baud);
    this.start();
  }

  start() {
    const control = this.registers.get(CR);
    if (this.shifting !== null || !this.tx.length || !(control & 1) || !(control & 0x100) || !this.baud) return;
    this.shifting = this.tx.shift();
    if (this.tx.length === (this.depth === 1 ? 0 : this.level(0))) this.raise(INT_TX);
    this.sent.schedule(this.byteNanos);
    this.request();
  }

  raise(bits) {
    this.raised |= bits;
    this.check();
  }

  clear(bits) {
    this.raised &= ~bits;
    this.check();
  }

  check() {
    this.rp2040.setInterrupt(this.irq, (this.raised & this.registers.get(IMSC)) !== 0);
  }

  /** Tell the DMA whether there is something to fetch or room for more. */
  request() {
    const dma = this.rp2040.dma, enabled = this.registers.get(DMACR);
    const set = (line, wanted) => (wanted ? dma.setDREQ(line) : dma.clearDREQ(line));
    set(this.dreq.rx, enabled & 1 && this.rx.length > 0);
    set(this.dreq.tx, enabled & 2 && this.tx.length < this.depth);
  }

  readUint32(offset) {
    switch (offset) {
      case DR: {
        if (!this.rx.length) return 0;
        const word = this.rx.shift();
        if (this.rx.length < this.level(3)) this.clear(INT_RX);
        if (!this.rx.length) {
          this.idle.cancel();
          this.clear(INT_TIMEOUT);
        }
        this.request();
        return word;
      }
      case RSR:
        return this.errors;
      case FR:
        return (this.shifting !== null || this.tx.length ? 0x08 : 0) | (this.rx.length ? 0 : 0x10)
          | (this.tx.length >= this.depth ? 0x20 : 0) | (this.rx.length >= this.depth ? 0x40 : 0)
          | (this.tx.length ? 0 : 0x80);
      case RIS:
        return this.raised;
      case MIS:
        return this.raised & this.registers.get(IMSC);
      case ICR:
        return 0;
    }
    if (offset >= ID) return IDS[(offset - ID) >> 2] ?? 0;
    return this.registers.get(offset) ?? 0;
  }

  writeUint32(offset, value) {
    switch (offset) {
      case DR:
        if (this.tx.length < this.depth) this.tx.push(value & 0xff);
        else this.spoilt('unsent');
        if (this.tx.length > this.level(0)) this.clear(INT_TX);
        this.start();
        this.request();
        return;
      case RSR:
        this.errors = 0;
        return;
      case ICR:
        this.clear(value & 0x7ff);
        return;
    }
    if (!this.registers.has(offset)) return;
    this.registers.set(offset, value & 0xffff);
    if (offset === LCR && this.depth === 1) this.rx.length = Math.min(this.rx.length, 1);
    this.start();
    this.check();
    this.request();
  }
}
