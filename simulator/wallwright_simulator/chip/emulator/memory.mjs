// Where everything lies in the memory that the core's WebAssembly works on: the chip's own memory, flash and boot ROM,
// registers, flags and times, and what is known of each address as code.
import { FLASH_BYTES } from './flash.mjs';

export const RAM_START = 0x20000000, RAM_BYTES = 264 * 1024, ROM_BYTES = 0x4000;
/** Registers of the SIO that cost no cycle and know no time: the core's number; divider, interpolators and spin locks. */
export const SIO = 0xd0000000, TIMELESS_AT = 0x60, TIMELESS_BYTES = 0x120, DIVIDER_BYTES = 0x1c;
export const FLASH_MASK = FLASH_BYTES - 1;
export const SETS = 1024; // of the flash's cache: 16 KiB, two ways, lines of 8 bytes (RP2040 datasheet 2.6.3)
export const MOST_TRACES = 1 << 16;

/**
 * Offsets. SPENT and BUDGET are cycles since the run began, LEFT is how many instructions may follow, N and Z are the
 * sign of NZ. KINDS has the operation of each opcode, CODE a byte for each word of RAM that has been translated, INFO
 * the cycles and instructions that a trace takes at the most, TRACES for each halfword the trace that begins there, or
 * how often the interpreter has come there, below 0. DIVIDER has the registers of the SIO's divider as it has them. NOWHERE stands for the places that have no memory.
 */
export const AT = {
  REGISTERS: 0, NZ: 64, C: 68, V: 72, SPENT: 76, BUDGET: 80, LEFT: 84, FETCHED: 88, NOWHERE: 92, DIVIDER: 96,
  OLDER: 0x400, TAGS: 0x800, KINDS: 0x10000, RAM: 0x20000, CODE: 0x62000, ROM: 0x74000, INFO: 0x80000,
  FLASH: 0x100000, TRACES: 0x300000,
};
export const TRACES_OF_RAM = AT.TRACES + 2 * FLASH_BYTES, TRACES_OF_ROM = TRACES_OF_RAM + 2 * RAM_BYTES;
export const PAGES = Math.ceil((TRACES_OF_ROM + 2 * ROM_BYTES) / 65536);
