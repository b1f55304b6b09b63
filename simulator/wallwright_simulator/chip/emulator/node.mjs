// A node of the line around a chip of its own: PN5180s, address bridges, the display's I2C, the claim key.
import { LineEnd } from './line.mjs';
import { Pn5180 } from './pn5180.mjs';

const DISPLAY = 0x3e;
const BYTE_NANOS = 22.5e3; // nine bits at 400 kHz

export class NodeBoard {
  /** `pins` are those of the line and of `node_pins`; `antennas` is a mask. */
  constructor(chip, pins, lineBaud, address, antennas) {
    this.chip = chip;
    this.text = '';
    this.line = new LineEnd(chip, pins, lineBaud, () => {});
    this.line.delays = [];
    chip.lines.push(this.line);
    this.antennas = pins.selects.map((select, at) => {
      const { clock, mosi, miso, reset } = pins;
      const front = new Pn5180(chip, { select, busy: pins.busies[at], clock, mosi, miso, reset }, at);
      front.fit(((antennas >> at) & 1) === 1);
      chip.lines.push(front);
      return front;
    });
    pins.address.forEach((pin, at) => {
      if ((address >> at) & 1) chip.nets.addDriver(pin, 'address bridge', 0);
    });
    this.key = chip.nets.addDriver(pins.key, 'claim key', null);
    chip.serialOut = (pin, byte) => pin === pins.line_tx && this.line.sent(byte);
    chip.lines.push({ attach: () => this.tieDisplay(chip.rp.i2c[0]) });
    this.pins = pins;
  }

  press(down) {
    this.key.level = down ? 0 : null;
    this.chip.nets.update(this.pins.key);
  }

  /** An ST7032: behind the control byte 0x80 comes an instruction, behind 0x40 all are characters. */
  tieDisplay(i2c) {
    let bytes = [], here = false;
    const taken = this.chip.rp.clock.createAlarm(() => i2c.completeWrite(here));
    i2c.onStart = () => i2c.completeStart();
    i2c.onConnect = (address) => {
      here = address === DISPLAY;
      bytes = [];
      i2c.completeConnect(here);
    };
    i2c.onWriteByte = (value) => {
      bytes.push(value);
      taken.schedule(BYTE_NANOS);
    };
    i2c.onReadByte = () => i2c.completeRead(0xff);
    i2c.onStop = () => {
      const at = bytes.findIndex((byte, number) => number % 2 === 0 && byte !== 0x80);
      if (bytes[at] === 0x40) this.text = String.fromCharCode(...bytes.slice(at + 1));
      i2c.completeStop();
    };
  }
}
