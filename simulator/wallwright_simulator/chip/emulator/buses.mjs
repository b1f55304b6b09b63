// SPI and PIO in the chip's own time. rp2040js sends a byte of SPI at once and to nobody's pins; it runs the PIO on the
// clock of the wall, without dividers.
import { spiOf } from './nets.mjs';

const SPI = 1;
const CTRL = 0x000;
const SHIFTCTRL = 0x0d0 - 0x0c8; // among the registers of one state machine
const JOINED = 0xc0000000;

/** Let SPI `number` take its time and move the nets that are muxed to it, in mode 0, the highest bit first. */
export function tieSpi(rp, number, nets) {
  const spi = rp.spi[number], lines = nets.spiLines[number];
  const pins = (role) => nets.muxed(SPI, (pin) => spiOf(pin) === number && (pin & 3) === role);
  let value = 0;
  const done = rp.clock.createAlarm(() => {
    const [data, clock, out] = [pins(0), pins(2), pins(3)];
    let received = 0;
    for (let bit = spi.dataBits - 1; bit >= 0; bit--) {
      lines.tx = (value >> bit) & 1;
      for (const pin of out) nets.update(pin);
      received = (received << 1) | (data.length ? nets.level(data[0]) : 0);
      for (const level of [1, 0]) {
        lines.sck = level;
        for (const pin of clock) nets.update(pin);
      }
    }
    spi.completeTransmit(received);
  });
  spi.onTransmit = (word) => {
    value = word;
    done.schedule((spi.dataBits * 1e9) / (spi.clockFrequency || 1e6));
  };
}

/** Let every state machine of a PIO step by an alarm of its own; one that waits sleeps until what it waits for comes. */
export function clockPio(rp, pio) {
  const { clock } = rp;
  pio.run = () => {};
  for (const machine of pio.machines) {
    let since = 0; // a tick of its divided clock
    const period = () => ((machine.clockDivInt || 65536) + machine.clockDivFrac / 256) * (1e9 / rp.clkSys);
    const next = (ticks) => {
      const length = period(), past = Math.floor((clock.nanos - since) / length + 1e-6);
      since += past * length;
      machine.alarm.schedule(since + ticks * length - clock.nanos);
    };
    machine.alarm = clock.createAlarm(() => {
      if (!machine.enabled) return;
      const before = machine.cycles;
      machine.step();
      pio.checkChangedPins();
      if (!machine.waiting) next(Math.max(1, machine.cycles - before));
    });
    const check = machine.checkWait.bind(machine);
    machine.checkWait = () => {
      const waited = machine.waiting, before = machine.cycles;
      check();
      if (waited && !machine.waiting && machine.enabled && !machine.alarm.isSet) next(1 + machine.cycles - before);
    };
    machine.clkDivRestart = () => {
      since = clock.nanos;
    };
    const put = machine.writeUint32.bind(machine);
    machine.writeUint32 = (offset, value) => {
      // A change of FJOIN empties both FIFOs (RP2040 datasheet 3.7, SM0_SHIFTCTRL).
      if (offset === SHIFTCTRL && (machine.shiftCtrl ^ value) & JOINED) {
        machine.txFIFO.reset();
        machine.rxFIFO.reset();
      }
      put(offset, value);
    };
    machine.follow = () => {
      if (!machine.enabled) machine.alarm.cancel();
      else if (!machine.alarm.isSet && !machine.waiting) next(1);
    };
  }
  const write = pio.writeUint32.bind(pio);
  pio.writeUint32 = (offset, value) => {
    write(offset, value);
    pio.checkChangedPins();
    if (offset === CTRL) for (const machine of pio.machines) machine.follow();
  };
}
