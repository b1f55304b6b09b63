// A Wallwright board around a chip: the chains of inputs and outputs, the line to the host and the one to the nodes.
import { BackChain, InputChain, OutputChain } from './registers.mjs';
import { LineEnd } from './line.mjs';
import { SerialLine } from './serial.mjs';
import { Trace } from './trace.mjs';

const PAUSE_NANOS = 300e3; // with no byte for this long a frame to the host is over

export class TableBoard {
  /** `pins` by the names of the firmware's table of pins, in lower case; `senses` registers, and whether the outputs
   *  come back at all. */
  constructor(chip, pins, hostBaud, lineBaud, senses, readsBack) {
    this.chip = chip;
    this.pins = pins;
    this.toHost = [];
    this.toUsb = [];
    this.stopsForHost = false;
    this.trace = new Trace();
    const names = new Map(Object.entries(pins).map(([name, pin]) => [pin, name]));
    chip.nets.watch = (pin, level) => names.has(pin) && this.trace.note(chip.nanos, names.get(pin), level);
    chip.onFeed = () => this.trace.note(chip.nanos, 'poll', 1);
    this.samples = { count: 0, last: null, longestNanos: 0, gaps: {} };
    this.inputs = new InputChain(chip.nets, { clock: pins.in_clock, load: pins.in_load, data: pins.in_data }, 6);
    this.inputs.onSample = () => this.sampled();
    this.switches = { on: 0, off: 0, supplied: true };
    const backPins = { latch: pins.out_latch, back: pins.out_back };
    this.back = readsBack ? new BackChain(chip.nets, backPins, senses, () => this.sensed()) : null;
    this.outputs = new OutputChain(
      chip.nets,
      { clock: pins.out_clock, data: pins.out_data, latch: pins.out_latch, enable: pins.out_enable },
      4,
      () => this.changed(),
      this.back,
    );
    this.pump = { level: 0, edges: 0, last: -1, longestNanos: 0 };
    chip.nets.listen(pins.pump, (level) => this.pumped(level));
    this.host = new SerialLine(chip, pins.host_rx, hostBaud);
    this.line = new LineEnd(chip, pins, lineBaud, () => chip.stop());
    chip.lines.push(this.host, this.line);
    chip.serialOut = (pin, byte) => this.heard(pin, byte);
    chip.heard = (bytes) => this.toUsb.push(...bytes);
    this.isPowered = false;
    chip.onPower = (on) => {
      this.isPowered = on;
      this.samples.last = null;
      this.pump.last = -1;
      this.outputs.scramble(() => chip.chance() & 0xff);
    };
    this.seen = 0;
  }

  /** The outputs as one number, the first byte of the chain highest; 0 while nothing drives them. */
  get driven() {
    if (!this.isPowered || !this.outputs.isEnabled) return 0;
    return this.outputs.latched.reduce((word, byte) => word * 256 + byte, 0);
  }

  /** Where there is voltage behind the switches of the drives, a byte for each register of senses. */
  sensed() {
    const { on, off, supplied } = this.switches;
    const terminals = supplied ? ((this.driven % 2 ** 24) | on) & ~off : 0;
    return this.back.held.map((_, at) => terminals >> (8 * at));
  }

  changed() {
    if (this.driven === this.seen) return;
    this.seen = this.driven;
    this.trace.note(this.chip.nanos, 'outputs', this.driven);
    this.chip.stop();
  }

  heard(pin, byte) {
    if (pin === this.pins.host_tx) {
      this.toHost.push(byte);
      if (this.stopsForHost) this.chip.stopIn(PAUSE_NANOS);
    } else if (pin === this.pins.line_tx) this.line.sent(byte);
  }

  /** An edge at the charge pump; `last` is its time in ns, -1 where none has come since the power. */
  pumped(level) {
    const { pump } = this, now = this.chip.nanos;
    if (level === pump.level) return;
    pump.level = level;
    pump.edges += 1;
    if (pump.last >= 0) pump.longestNanos = Math.max(pump.longestNanos, now - pump.last);
    pump.last = now;
  }

  sampled() {
    const { samples } = this, now = this.chip.nanos;
    samples.count += 1;
    if (samples.last !== null) {
      const gap = now - samples.last, ms = Math.round(gap / 1e6);
      samples.gaps[ms] = (samples.gaps[ms] ?? 0) + 1;
      samples.longestNanos = Math.max(samples.longestNanos, gap);
    }
    samples.last = now;
  }
}
