// The flash chip, a W25Q16JV: what it holds outlives the RP2040's resets and its power.
//
// The boot ROM's functions that erase and program work on registers of a controller that rp2040js does not have. Their
// first instruction is replaced by a breakpoint; what they do is done here, and takes its time: the CPU stands, for it
// fetches from this very chip, while DMA, PIO, UARTs and timers go on. Times: datasheet W25Q16JV, 9.6: a sector of
// 4 KiB 45 ms typically and 400 at the most, a page of 256 bytes 0.4 and 3 ms.
import { BasePeripheral } from './package.mjs';

export const FLASH_BYTES = 2 * 1024 * 1024;
const SECTOR = 4096, PAGE = 256;
const PAGE_NANOS = 0.4e6;
const BREAK = 0xbe00, RETURN = 0x4770;
const FUNCTIONS = { IF: 0xf0, EX: 0xf0, FC: 0xf3, CX: 0xf0, RE: 0xf1, RP: 0xf2 };
const ERASE = 0xf1, PROGRAM = 0xf2, FLUSH = 0xf3;

export class Flash {
  /** `options`: id (8 bytes), eraseMs, worn (numbers of sectors that have lost bits, by which LittleFS knows them),
   *  bytes (what it holds), rewritten(from, size) (told of every change). */
  constructor({ id, eraseMs = 45, worn = [], bytes, rewritten }) {
    this.bytes = bytes;
    this.rewritten = rewritten;
    this.id = id;
    this.eraseNanos = eraseMs * 1e6;
    this.worn = new Set(worn);
    this.dead = new Set();
    this.erases = 0;
    this.pages = 0;
    this.act = null;
    this.noted = [];
    this.noteCuts = () => [];
    this.onFlush = () => {};
  }

  /** Let a chip that starts at `origin` ns read this flash and call the functions below. */
  attach(rp, origin) {
    this.rp = rp;
    this.origin = origin;
    this.act = null;
    rp.flash = this.bytes;
    rp.flash16 = new Uint16Array(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length >> 1);
    rp.flashView = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length);
    rp.onBreak = (code) => this.call(code, rp.core.registers);
    const lines = new ChipSelect(rp);
    rp.peripherals[0x40018] = lines;
    rp.peripherals[0x18000] = new Commands(rp, lines, this.id);
  }

  /** From now on it holds these bytes from there on. */
  put(from, bytes) {
    this.bytes.set(bytes, from);
    this.rewritten(from, bytes.length);
  }

  /** Return the boot ROM with the breakpoints. */
  static patch(original) {
    const bytes = original.slice(), rom = new DataView(bytes.buffer);
    for (let at = rom.getUint16(0x14, true); rom.getUint16(at, true); at += 4) {
      const name = String.fromCharCode(rom.getUint8(at), rom.getUint8(at + 1));
      const start = rom.getUint16(at + 2, true) & ~1;
      if (name in FUNCTIONS) {
        rom.setUint16(start, BREAK | FUNCTIONS[name], true);
        rom.setUint16(start + 2, RETURN, true);
      }
    }
    return bytes;
  }

  /** When the CPU may go on, in ns of the chip's clock. */
  get busyUntil() {
    return this.act === null ? 0 : this.act.until;
  }

  call(code, registers) {
    if (code === ERASE) this.begin(registers[0], registers[1], null);
    else if (code === PROGRAM) {
      const data = new Uint8Array(registers[2]);
      for (let i = 0; i < data.length; i++) data[i] = this.rp.readUint8(registers[1] + i);
      this.begin(registers[0], data.length, data);
    } else if (code === FLUSH) this.onFlush();
    else if (code < 0xf0) throw new Error(`the program has met a breakpoint (${code}) at 0x${this.rp.core.PC.toString(16)}`);
  }

  begin(from, size, data) {
    const now = this.rp.clock.nanos;
    const takes = data === null ? Math.ceil(size / SECTOR) * this.eraseNanos : Math.ceil(size / PAGE) * PAGE_NANOS;
    this.act = { from, size, data, since: now, until: now + takes };
  }

  /** Keep of every act from now on what it has done, and what `cuts` power cuts at moments that chance draws leave. */
  note(cuts, chance) {
    this.noted = [];
    this.noteCuts = ({ from, size, since, until }) =>
      Array.from({ length: cuts }, () => {
        const before = this.bytes.slice(from, from + size), at = since + ((until - since) * chance()) / 2 ** 32;
        this.spoil(at, chance);
        const cells = this.bytes.slice(from, from + size);
        this.bytes.set(before, from);
        return { at: this.origin + at, cells };
      });
  }

  /** The time has come: the cells are as they were wanted. */
  finish() {
    const { from, size, data } = this.act, cuts = this.noteCuts(this.act);
    this.apply(from, size, data);
    const cells = () => this.bytes.slice(from, from + size);
    if (cuts.length) this.noted.push({ from, at: this.origin + this.act.until, cuts, cells: cells() });
    if (data === null) this.erases += Math.ceil(size / SECTOR);
    else this.pages += Math.ceil(size / PAGE);
    this.act = null;
  }

  /** The power fails now. */
  cut(chance) {
    if (this.act === null) return;
    this.spoil(this.rp.clock.nanos, chance);
    this.act = null;
  }

  /** Of what is under way, do what is done when the power fails at `nanos`; `chance` gives cells that are neither. */
  spoil(nanos, chance) {
    const { from, size, data, since, until } = this.act;
    const done = Math.floor((size * (nanos - since)) / (until - since));
    if (data !== null) this.apply(from, done, data.subarray(0, done));
    else for (let at = from; at < from + size; at++) if (!this.isDead(at)) this.bytes[at] |= chance() & 0xff;
    this.rewritten(from, size);
  }

  /** From now on these sectors lose a bit a byte of what is written, and those neither erase nor program any more. */
  wear(worn, dead) {
    this.worn = new Set(worn);
    this.dead = new Set(dead);
  }

  isDead(at) {
    return this.dead.has(Math.floor(at / SECTOR));
  }

  apply(from, size, data) {
    for (let i = 0; i < size; i++) {
      const at = from + i;
      if (this.isDead(at)) continue;
      const wears = this.worn.has(Math.floor(at / SECTOR)) ? 0xef : 0xff;
      this.bytes[at] = (data === null ? 0xff : this.bytes[at] & data[i]) & wears;
    }
    this.rewritten(from, size);
  }
}

// The pads of the flash chip; the one that selects it begins a command.
class ChipSelect extends BasePeripheral {
  constructor(rp) {
    super(rp, 'IO_QSPI');
    this.registers = new Map();
    this.onSelect = () => {};
  }

  readUint32(offset) {
    return this.registers.get(offset) ?? 0;
  }

  writeUint32(offset, value) {
    this.registers.set(offset, value >>> 0);
    if (offset === 0x0c) this.onSelect((value >> 8) & 3);
  }
}

// The serial controller, for commands that a program sends by hand: read status, read the unique id, read the maker.
class Commands extends BasePeripheral {
  constructor(rp, select, id) {
    super(rp, 'SSI');
    this.registers = new Map();
    this.id = id;
    this.sent = [];
    this.answers = [];
    this.isHeld = false;
    select.onSelect = (forced) => {
      this.isHeld = forced === 2; // driven low
      this.sent = [];
      this.answers = [];
    };
  }

  readUint32(offset) {
    if (offset === 0x28) return 0x0e; // room to send, nothing under way, something to read
    if (offset === 0x60) return this.answers.shift() ?? 0;
    return this.registers.get(offset) ?? 0;
  }

  writeUint32(offset, value) {
    if (offset !== 0x60) {
      this.registers.set(offset, value >>> 0);
      return;
    }
    // Without a hold the controller selects by itself; the second stage of the boot sends two bytes then.
    if (!this.isHeld && this.sent.length >= 2) this.sent = [];
    this.sent.push(value & 0xff);
    this.answers.push(this.answer());
  }

  answer() {
    const at = this.sent.length - 1;
    if (at === 0) return 0xff;
    switch (this.sent[0]) {
      case 0x35: return 0x02; // four lines are enabled
      case 0x4b: return at < 5 ? 0 : this.id[(at - 5) & 7];
      case 0x9f: return [0xff, 0xef, 0x40, 0x15][at] ?? 0;
    }
    return 0;
  }
}
