// What happened last on a board, for a picture after a failure: levels of nets, inputs, outputs, polls and flash writes.

const KEPT = 1 << 16; // changes; 100 ms of a chain that is sampled every ms have some 20,000

export class Trace {
  constructor() {
    this.times = new Float64Array(KEPT);
    this.signals = new Array(KEPT).fill('');
    this.values = new Float64Array(KEPT);
    this.count = 0;
  }

  note(nanos, signal, value) {
    const at = this.count % KEPT;
    this.times[at] = nanos;
    this.signals[at] = signal;
    this.values[at] = value;
    this.count += 1;
  }

  /** All that is kept, oldest first: [[ns, signal, value], ...]. */
  all() {
    const first = Math.max(0, this.count - KEPT);
    return Array.from({ length: this.count - first }, (_, i) => {
      const at = (first + i) % KEPT;
      return [this.times[at], this.signals[at], this.values[at]];
    });
  }
}
