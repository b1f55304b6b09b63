// The board's end of the RS-485 line: a transceiver that drives the pair while its enable is high, and listens else.
// What the chip sends with the enable low nobody hears, and what comes while it is high is lost: both are counted.

export class LineEnd {
  /** `pins` are those of the chip: line_tx, line_rx, line_enable. `frameEnded()` is told of every 0x00 that went out. */
  constructor(chip, pins, baud, frameEnded) {
    this.chip = chip;
    this.pins = pins;
    this.baud = baud;
    this.frameEnded = frameEnded;
    this.out = [];
    this.coming = [];
    this.alarm = null;
    this.peers = [];
    this.counts = { undriven: 0, deaf: 0 };
    this.heardAt = null;
    this.delays = null; // a list: how long after what was heard last each frame began, in ns
  }

  get drives() {
    return this.chip.isOn && this.chip.nets.level(this.pins.line_enable) === 1;
  }

  /** The chip has a new clock; what was under way is lost in its start. */
  attach(clock) {
    this.coming = [];
    this.alarm = clock.createAlarm(() => this.deliver());
  }

  /** A byte has left the chip. */
  sent(byte) {
    if (!this.drives) {
      this.counts.undriven += 1;
      return;
    }
    if (this.heardAt !== null) this.delays?.push(this.chip.nanos - 10e9 / this.baud - this.heardAt);
    this.heardAt = null;
    this.out.push(byte);
    for (const peer of this.peers) peer.hear(byte);
    if (byte === 0) this.frameEnded();
  }

  /** Somebody else sends from `at` ns on; his first byte is over one byte later. */
  receive(at, bytes) {
    const byteNanos = 10e9 / this.baud;
    let over = at;
    for (const byte of bytes) this.coming.push({ over: (over += byteNanos), byte });
    this.coming.sort((one, other) => one.over - other.over);
    this.next();
  }

  next() {
    if (this.alarm !== null && this.coming.length) this.alarm.schedule(this.coming[0].over - this.chip.nanos);
  }

  deliver() {
    this.hear(this.coming.shift().byte);
    this.next();
  }

  /** A byte is over on the line. */
  hear(byte) {
    this.heardAt = this.chip.nanos;
    if (this.drives) this.counts.deaf += 1;
    else if (this.chip.isOn) this.chip.serialIn(this.pins.line_rx, byte, this.baud);
  }
}
