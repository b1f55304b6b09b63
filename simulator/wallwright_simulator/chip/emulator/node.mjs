// A node of the line around a chip of its own: PN5180s, address bridges, the display's I2C, the claim key; and where it
// sorts, the registers of its solenoids and end switches.
import { LineEnd } from './line.mjs';
import { Pn5180 } from './pn5180.mjs';
import { InputChain, OutputChain } from './registers.mjs';

const DISPLAY = 0x3e;
const BYTE_NANOS = 22.5e3; // nine bits at 400 kHz
const MARK = 0b101 << 5; // D5 to D7 of the 74HC165

export class NodeBoard {
  /** `pins` are those of the line and of `node_pins`; `antennas` is a mask. One that `sorts` has a front end more.
   *  `onMove` is told when its registers drive something else. */
  constructor(chip, pins, lineBaud, address, antennas, sorts, onMove) {
    this.chip = chip;
    this.onMove = onMove;
    this.text = '';
    this.frames = []; // what it has said: [ns at the end of the frame, bytes in base 64]
    this.moves = []; // what its registers drive: [ns, word]
    this.seen = 0;
    this.line = new LineEnd(chip, pins, lineBaud, () => this.said());
    this.line.delays = [];
    chip.lines.push(this.line);
    const { clock, mosi, miso, reset } = pins;
    const frontEnd = (select, busy, number) => {
      const front = new Pn5180(chip, { select, busy, clock, mosi, miso, reset }, number);
      chip.lines.push(front);
      return front;
    };
    this.antennas = pins.selects.map((select, at) => frontEnd(select, pins.busies[at], at));
    this.antennas.forEach((front, at) => front.fit(((antennas >> at) & 1) === 1));
    this.outputs = null;
    if (sorts) {
      this.antennas.push(frontEnd(pins.mouth_select, pins.mouth_busy, 'mouth'));
      const latch = pins.parts_latch, enable = pins.parts_enable;
      this.outputs = new OutputChain(chip.nets, { clock, data: mosi, latch, enable }, 3, () => this.moved());
      this.outputs.scramble(() => chip.chance() & 0xff);
      this.inputs = new InputChain(chip.nets, { clock, load: latch, data: miso }, 1, true);
      this.reach(0);
    }
    pins.address.forEach((pin, at) => {
      if ((address >> at) & 1) chip.nets.addDriver(pin, 'address bridge', 0);
    });
    this.key = chip.nets.addDriver(pins.key, 'claim key', null);
    chip.serialOut = (pin, byte) => pin === pins.line_tx && this.line.sent(byte);
    chip.lines.push({ attach: () => this.tieDisplay(chip.rp.i2c[0]) });
    this.pins = pins;
  }

  /** These end switches are reached from now on. */
  reach(switches) {
    this.inputs.set([MARK | switches]);
  }

  said() {
    this.frames.push([this.chip.nanos, Buffer.from(this.line.out.splice(0)).toString('base64')]);
  }

  moved() {
    if (this.parts === this.seen) return;
    this.seen = this.parts;
    this.moves.push([this.chip.nanos, this.seen]);
    this.onMove();
  }

  /** What the registers of the solenoids drive, the first one lowest; 0 while nothing drives them. */
  get parts() {
    if (!this.chip.isOn || !this.outputs.isEnabled) return 0;
    return this.outputs.latched.reduce((word, byte) => word * 256 + byte, 0);
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
