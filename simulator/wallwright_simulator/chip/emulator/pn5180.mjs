// A PN5180 on a node's SPI bus, with ISO 15693 tags before its antenna: what the node's firmware uses of it.
//
// Source: NXP, PN5180A0xx/C3,C4 product data sheet, 11.4 (host interface: SPI mode 0, BUSY) and 11.9 (registers);
// ISO/IEC 15693-3, 8 and 10: the times of the high data rate, 1 of 4 coding, one subcarrier. Left out: the EEPROM, the
// timers, other protocols. A command that it does not know is an error of the firmware and ends the run.
const SYSTEM_CONFIG = 0x00, IRQ_STATUS = 0x02, IRQ_CLEAR = 0x03, RX_STATUS = 0x13;
const TX_IRQ = 1 << 1, RX_IRQ = 1, SOF_DETECTED = 1 << 14, COLLISION = 1 << 18;
const BUSY_NANOS = 5e3; // until a transfer has been taken; estimate
const BYTE_NANOS = 302.08e3, SOF_NANOS = 75.52e3, EOF_NANOS = 37.76e3, T1_NANOS = 318.6e3;
const ANSWER_SOF_NANOS = 151.04e3, ANSWER_EOF_NANOS = 151.04e3;
const POWER_UP_NANOS = 1e6; // a tag in the field hears by then

export class Pn5180 {
  /** On the nets of `chip`: `select`, `busy`, `clock`, `mosi`, `miso`, `reset` are pins. */
  constructor(chip, pins, number) {
    this.chip = chip;
    this.pins = pins;
    this.name = `PN5180 ${number}`;
    this.tags = new Map(); // number in hexadecimal digits, highest first -> {since, quiet}
    this.isThere = true;
    this.looks = [];
    const { nets } = chip;
    this.busy = nets.addDriver(pins.busy, `${this.name} BUSY`, 0);
    this.miso = nets.addDriver(pins.miso, `${this.name} MISO`, null);
    this.isSelected = false;
    nets.listen(pins.select, (level) => this.selected(level === 0));
    nets.listen(pins.clock, (level) => level === 1 && this.clocked());
    nets.listen(pins.reset, (level) => {
      if (level === 0) this.restart();
      this.selected(nets.level(pins.select) === 0);
    });
    this.restart();
  }

  attach(clock) {
    this.free = clock.createAlarm(() => this.setBusy(0));
    this.restart();
  }

  /** Whether this front end is soldered in, or has failed. */
  fit(isThere) {
    this.isThere = isThere;
    this.setBusy(0);
  }

  restart() {
    this.registers = new Map([[SYSTEM_CONFIG, 0], [IRQ_STATUS, 0], [RX_STATUS, 0]]);
    this.field = null;
    this.config = null;
    this.received = [];
    this.events = [];
    for (const tag of this.tags.values()) tag.quiet = false;
    this.inBytes = [];
    this.outBytes = [];
    this.bit = 0;
  }

  get nanos() {
    return this.chip.nanos;
  }

  setBusy(level) {
    this.busy.level = this.isThere ? level : null;
    this.chip.nets.update(this.pins.busy);
  }

  selected(isLow) {
    const isSelected = isLow && this.chip.nets.level(this.pins.reset) === 1; // a chip in reset lets go of its pins
    if (isSelected === this.isSelected || !this.chip.isOn) return;
    this.isSelected = isSelected;
    const { nets } = this.chip;
    if (isSelected) {
      this.inBytes = [];
      this.word = this.bit = 0;
      this.shiftOut();
    } else {
      this.miso.level = null;
      nets.update(this.pins.miso);
      if (this.inBytes.length && !this.outBytes.length) this.command(this.inBytes);
      else this.outBytes = [];
      if (this.free) this.free.schedule(BUSY_NANOS);
    }
  }

  shiftOut() {
    const byte = this.outBytes[this.inBytes.length] ?? 0xff;
    this.miso.level = this.isThere ? (byte >> (7 - this.bit)) & 1 : null;
    this.chip.nets.update(this.pins.miso);
  }

  clocked() {
    if (!this.isSelected || !this.isThere) return;
    this.word = (this.word << 1) | this.chip.nets.level(this.pins.mosi);
    this.bit += 1;
    if (this.bit === 8) {
      this.inBytes.push(this.word & 0xff);
      this.word = this.bit = 0;
      this.setBusy(1);
    }
    this.shiftOut();
  }

  /** Let happen what was to happen by now. */
  catchUp() {
    while (this.events.length && this.events[0].at <= this.nanos) this.events.shift().act();
  }

  command(bytes) {
    this.catchUp();
    const [name, address] = bytes, value = () => new DataView(Uint8Array.from(bytes).buffer).getUint32(2, true);
    const old = this.registers.get(address) ?? 0;
    switch (name) {
      case 0x00: return this.write(address, value());
      case 0x01: return this.write(address, (old | value()) >>> 0);
      case 0x02: return this.write(address, (old & value()) >>> 0);
      case 0x04: {
        const word = this.registers.get(address) ?? 0;
        this.outBytes = [0, 8, 16, 24].map((shift) => (word >>> shift) & 0xff);
        return;
      }
      case 0x09: return this.send(bytes.slice(2));
      case 0x0a:
        this.outBytes = this.received.slice();
        return;
      case 0x11:
        this.config = [bytes[1], bytes[2]];
        return;
      case 0x16:
        this.field = this.nanos;
        for (const tag of this.tags.values()) tag.since = Math.max(tag.since, this.nanos);
        return;
    }
    throw new Error(`${this.name}: unknown command ${bytes.map((byte) => byte.toString(16))}`);
  }

  write(address, value) {
    if (address === IRQ_CLEAR) this.registers.set(IRQ_STATUS, (this.registers.get(IRQ_STATUS) & ~value) >>> 0);
    else this.registers.set(address, value);
  }

  /** A request goes out; what the tags answer is found when its time has come. */
  send(request) {
    if ((this.registers.get(SYSTEM_CONFIG) & 7) !== 3 || this.config?.join() !== '13,141' || this.field === null)
      throw new Error(`${this.name}: it is not set up to send to ISO 15693 tags`);
    this.events = [];
    this.received = [];
    this.looks.push(this.nanos);
    this.registers.set(RX_STATUS, 0);
    const sent = this.nanos + SOF_NANOS + (request.length + 2) * BYTE_NANOS + EOF_NANOS;
    this.events.push({ at: sent, act: () => this.answer(request, sent) });
  }

  raise(bits) {
    this.registers.set(IRQ_STATUS, (this.registers.get(IRQ_STATUS) | bits) >>> 0);
  }

  answer(request, sent) {
    this.raise(TX_IRQ);
    const answers = [];
    for (const [number, tag] of this.tags) {
      if (sent - tag.since < POWER_UP_NANOS) continue;
      const uid = number.match(/../g).map((digits) => parseInt(digits, 16)).reverse();
      const answer = hears(request, uid, tag);
      if (answer !== null) answers.push(answer);
    }
    if (!answers.length) return;
    const start = sent + T1_NANOS + ANSWER_SOF_NANOS;
    const end = start + (Math.max(...answers.map((each) => each.length)) + 2) * BYTE_NANOS + ANSWER_EOF_NANOS;
    this.events.push({ at: start, act: () => this.raise(SOF_DETECTED) });
    this.events.push({ at: end, act: () => {
      this.received = answers[0];
      this.registers.set(RX_STATUS, answers[0].length | (answers.length > 1 ? COLLISION : 0));
      this.raise(RX_IRQ);
    } });
  }

  /** These tags lie before the antenna from now on. */
  put(numbers) {
    const since = this.nanos;
    for (const number of [...this.tags.keys()]) if (!numbers.includes(number)) this.tags.delete(number);
    for (const number of numbers) if (!this.tags.has(number)) this.tags.set(number, { since, quiet: false });
  }
}

/** What a tag answers to a request, or null. `uid` has its lowest byte first, as it goes through the air. */
function hears(request, uid, tag) {
  const [flags, command] = request;
  if (flags === 0x26 && command === 0x01) {
    if (tag.quiet) return null;
    const length = request[2];
    for (let bit = 0; bit < length; bit++)
      if (((request[3 + (bit >> 3)] >> (bit & 7)) & 1) !== ((uid[bit >> 3] >> (bit & 7)) & 1)) return null;
    return [0, 0, ...uid];
  }
  if (flags !== 0x22 || !uid.every((byte, at) => request[2 + at] === byte)) return null;
  if (command === 0x02) {
    tag.quiet = true;
    return null;
  }
  return command === 0x20 ? [0, 0, 0, 0, 0] : null;
}
