// The far end of the chip's own USB: a host that has opened the board's serial port.
import { USBCDC } from './package.mjs';

export class UsbHost {
  /** `heard(bytes)` gets what the program prints. */
  constructor(rp, heard) {
    this.isOpen = false;
    this.typed = [];
    const cdc = this.cdc = new USBCDC(rp.usbCtrl);
    cdc.onSerialData = heard;
    cdc.onDeviceConnected = () => {
      this.isOpen = true;
      this.pass();
    };
    // rp2040js answers every read with an empty packet at once: an interrupt each 10 us for ever. A host says NAK.
    const answer = rp.usbCtrl.onEndpointRead;
    this.wanted = null;
    rp.usbCtrl.onEndpointRead = (endpoint, size) => {
      if (endpoint === cdc.outEndpoint && cdc.txFIFO.empty) this.wanted = size;
      else answer(endpoint, size);
    };
    this.answer = (size) => answer(cdc.outEndpoint, size);
  }

  type(bytes) {
    this.typed.push(...bytes);
    this.pass();
  }

  pass() {
    if (!this.isOpen) return;
    while (this.typed.length && !this.cdc.txFIFO.full) this.cdc.sendSerialByte(this.typed.shift());
    if (this.wanted === null || this.cdc.txFIFO.empty) return;
    const size = this.wanted;
    this.wanted = null;
    this.answer(size);
  }
}
