"""A UART of the chip, on the pins that it is given."""

import machine


class Port:
    """`any`, `read`, `readinto` and `write` are those of the UART; `buffer` bytes wait each way at the most.

    `is_sent` says that no byte is on its way, stop bit included."""

    def __init__(self, number: int, baud: int, tx: int, rx: int, buffer: int) -> None:
        # A constructor without arguments starts the UART on pins of its own choice, which then keep it.
        uart = machine.UART(number, baudrate=baud, tx=machine.Pin(tx), rx=machine.Pin(rx), txbuf=buffer, rxbuf=buffer)
        # Interrupts come within polls and make them longer. MicroPython lets one come with every fourth byte; whoever
        # asks for idle lines gets one with 24 bytes, or when no more come.
        uart.irq(None, machine.UART.IRQ_RXIDLE)
        self.any = uart.any
        self.read = uart.read
        self.readinto = uart.readinto
        self.write = uart.write
        self.is_sent = uart.txdone

    def take(self) -> bytes:
        """Return what has come, without waiting."""
        waiting = self.any()
        return self.read(waiting) or b"" if waiting else b""
