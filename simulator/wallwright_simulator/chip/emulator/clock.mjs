// Virtual time of one chip in nanoseconds, with alarms; the interface is the one that rp2040js asks of a clock.
//
// `limit` is the time up to which the core may run without looking up: the next alarm, or where the caller wants it to
// stop. It moves when an alarm is set, so a register that an instruction writes may bring it nearer.

class Alarm {
  constructor(clock, callback) {
    this.clock = clock;
    this.callback = callback;
    this.nanos = Infinity;
    this.next = null;
    this.isSet = false;
  }

  schedule(inNanos) {
    this.cancel();
    this.clock.insert(this, this.clock.nanos + Math.max(0, inNanos));
  }

  cancel() {
    if (this.isSet) this.clock.remove(this);
  }
}

export class Clock {
  constructor() {
    this.nanos = 0;
    this.limit = Infinity;
    this.stop = Infinity;
    this.first = null;
  }

  get micros() {
    return this.nanos / 1000;
  }

  createAlarm(callback) {
    return new Alarm(this, callback);
  }

  /** Let nobody run past `stop`. */
  stopAt(stop) {
    this.stop = stop;
    this.bound();
  }

  insert(alarm, at) {
    alarm.nanos = at;
    alarm.isSet = true;
    let before = null;
    let after = this.first;
    // Alarms of one time come in the order in which they were set.
    while (after !== null && after.nanos <= at) {
      before = after;
      after = after.next;
    }
    alarm.next = after;
    if (before === null) {
      this.first = alarm;
      this.bound();
    } else before.next = alarm;
  }

  remove(alarm) {
    alarm.isSet = false;
    if (this.first === alarm) {
      this.first = alarm.next;
      this.bound();
      return;
    }
    let before = this.first;
    while (before.next !== alarm) before = before.next;
    before.next = alarm.next;
  }

  bound() {
    const alarm = this.first === null ? Infinity : this.first.nanos;
    this.limit = alarm < this.stop ? alarm : this.stop;
  }

  /** Ring every alarm that is due by now. */
  ring() {
    while (this.first !== null && this.first.nanos <= this.nanos) {
      const alarm = this.first;
      this.first = alarm.next;
      alarm.isSet = false;
      this.bound();
      alarm.callback();
    }
  }

  /** Let time pass up to `until`, with nothing that runs; an alarm may stop it by `stopAt`. */
  rest(until) {
    while (this.first !== null && this.first.nanos <= until && this.first.nanos <= this.stop) {
      this.nanos = Math.max(this.nanos, this.first.nanos);
      this.ring();
    }
    this.nanos = Math.max(this.nanos, Math.min(until, this.stop));
  }
}
