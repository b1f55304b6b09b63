// The nets at the RP2040's pins. A net has a level, and what drives it: the pin itself by the function that it is muxed
// to, and parts outside. Two drivers are an error whatever their levels: on a board they would fight.
//
// A net that nothing drives is pulled by a resistor outside, or else by the pad's own, which is weaker.

const SPI = 1, UART = 2, I2C = 3, NONE = 0x1f;
const FUNCTIONS = { 4: 'PWM', 5: 'SIO', 6: 'PIO 0', 7: 'PIO 1', 8: 'clock', 9: 'USB' };
const SPI_ROLES = ['RX', 'CSn', 'SCK', 'TX'], UART_ROLES = ['TX', 'RX', 'CTS', 'RTS'];
export const PINS = 30;

/** Number of the SPI and of the UART that a pin belongs to (RP2040 datasheet 1.4.3). */
export const spiOf = (pin) => (pin >> 3) & 1;
export const uartOf = (pin) => ((pin + 4) >> 3) & 1;

export class WiringFault extends Error {}

class Net {
  constructor(pin) {
    this.pin = pin;
    this.name = `GP${pin}`;
    this.outside = [];
    this.pull = null;
    this.level = 0;
    this.listeners = [];
  }
}

export class Nets {
  constructor() {
    this.nets = Array.from({ length: PINS }, (_, pin) => new Net(pin));
    this.rp = null;
    this.spiLines = [{ sck: 0, tx: 0 }, { sck: 0, tx: 0 }];
    this.watch = () => {};
  }

  /** A part outside that may drive the net at `pin`: its `level` is 0, 1, or null while it does not. */
  addDriver(pin, name, level) {
    const driver = { name, level };
    this.nets[pin].outside.push(driver);
    return driver;
  }

  listen(pin, listener) {
    this.nets[pin].listeners.push(listener);
  }

  level(pin) {
    return this.nets[pin].level;
  }

  /** These are the pins of a chip that starts; null for one without power. */
  attach(rp) {
    this.rp = rp;
    for (const lines of this.spiLines) lines.sck = lines.tx = 0;
    if (rp !== null) {
      for (const gpio of rp.gpio) gpio.addListener(() => this.update(gpio.index));
      for (const address of [0x40014, 0x4001c]) this.follow(rp.peripherals[address]);
    }
    for (const net of this.nets) this.update(net.pin, true);
  }

  /** A write to this peripheral may change what a pin is muxed to or how its pad pulls. */
  follow(peripheral) {
    const write = peripheral.writeUint32.bind(peripheral);
    peripheral.writeUint32 = (offset, value) => {
      write(offset, value);
      for (let pin = 0; pin < PINS; pin++) this.update(pin);
    };
  }

  /** Whether the RP2040 drives this pin, and to which level: {name, level} or null. */
  ownDriver(pin) {
    if (this.rp === null) return null;
    const gpio = this.rp.gpio[pin], select = gpio.functionSelect, role = pin & 3;
    if (select === SPI) {
      if (role === 0) return null;
      const lines = this.spiLines[spiOf(pin)];
      const level = role === 1 ? 1 : role === 2 ? lines.sck : lines.tx;
      return { name: `GP${pin} (SPI ${spiOf(pin)} ${SPI_ROLES[role]})`, level };
    }
    if (select === UART) {
      if (role === 1 || role === 2) return null;
      return { name: `GP${pin} (UART ${uartOf(pin)} ${UART_ROLES[role]})`, level: 1 };
    }
    if (select === I2C || select === NONE || !gpio.outputEnable) return null;
    return { name: `GP${pin} (${FUNCTIONS[select] ?? `function ${select}`})`, level: gpio.outputValue ? 1 : 0 };
  }

  /** Work a net's level out anew; `all` tells the pin even when nothing has changed. */
  update(pin, all = false) {
    const net = this.nets[pin];
    let driver = this.ownDriver(pin);
    for (const part of net.outside) {
      if (part.level === null) continue;
      if (driver !== null) throw new WiringFault(`${driver.name} and ${part.name} both drive the net ${net.name}`);
      driver = part;
    }
    const level = driver === null ? this.pulled(net) : driver.level;
    if (level === net.level && !all) return;
    net.level = level;
    if (this.rp !== null) this.rp.gpio[pin].setInputValue(level === 1);
    this.watch(pin, level);
    for (const listener of net.listeners) listener(level);
  }

  pulled(net) {
    if (net.pull !== null) return net.pull;
    if (this.rp === null) return 0;
    const gpio = this.rp.gpio[net.pin];
    if (gpio.pullupEnabled) return gpio.pulldownEnabled ? net.level : 1;
    return gpio.pulldownEnabled ? 0 : net.level;
  }

  /** The pins that are muxed to function `select` and satisfy `fits`. */
  muxed(select, fits) {
    return this.nets.map((net) => net.pin).filter((pin) => this.rp.gpio[pin].functionSelect === select && fits(pin));
  }
}
