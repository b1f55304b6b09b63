// What is at the far ends of a chip's serial lines: bytes that somebody sends to a pin, one after the other at a baud
// rate, and bytes that came out of a pin. They outlive the chip's resets; what comes while it starts is lost in it.

export class SerialLine {
  /** `baud` is that of the far end. */
  constructor(chip, rxPin, baud) {
    this.chip = chip;
    this.rxPin = rxPin;
    this.byteNanos = 10e9 / baud;
    this.baud = baud;
    this.coming = [];
    this.alarm = null;
  }

  /** The chip has a new clock. */
  attach(clock) {
    this.alarm = clock.createAlarm(() => this.deliver());
    if (this.coming.length) this.alarm.schedule(this.byteNanos);
  }

  send(bytes) {
    const isIdle = this.coming.length === 0;
    for (const byte of bytes) this.coming.push(byte);
    if (isIdle && this.coming.length && this.alarm !== null) this.alarm.schedule(this.byteNanos);
  }

  deliver() {
    this.chip.serialIn(this.rxPin, this.coming.shift(), this.baud);
    if (this.coming.length) this.alarm.schedule(this.byteNanos);
  }
}
