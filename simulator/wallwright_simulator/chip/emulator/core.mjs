// The core that executes: a Cortex-M0+ (ARMv6-M, ARM DDI 0419E) some times as fast as the one of rp2040js, whose object
// keeps registers, exceptions and interrupts. Cycles: ARM DDI 0484C, table 3-1; a word of memory or flash costs one
// more, a register of a peripheral three or four, one of the SIO none. An exception takes 15 cycles to enter.
//
// With a price for misses the flash's cache is modelled: 16 KiB, two ways, lines of 8 bytes (RP2040 datasheet 2.6.3).
import { FLASH_BYTES } from './flash.mjs';
import { system, TABLE } from './decode.mjs';

const ENTRY_CYCLES = 15;
const SETS = 1024;
const RAM_BYTES = 264 * 1024, FLASH_MASK = FLASH_BYTES - 1;
const TIMELESS = 0xd0000060, TIMELESS_AT = 0x60, TIMELESS_BYTES = 0x120; // SIO: divider, interpolators, spin locks
const LONGEST = 1 << 29; // cycles at a stretch: a small integer, which V8 keeps out of the heap

/**
 * Return a core whose memory outlives the chips that it belongs to, one after the other: `attach(rp)` lends both to rp.
 * `execute(nanosPerCycle, most)` runs until the clock's limit, a wait, or so many instructions; it returns how many.
 */
export function makeCore(flash8, rom, xipMiss) {
  const registers = new Uint32Array(16), R = new Int32Array(registers.buffer);
  const ram8 = new Uint8Array(RAM_BYTES), ram16 = new Uint16Array(ram8.buffer), ram32 = new Int32Array(ram8.buffer);
  const flash16 = new Uint16Array(flash8.buffer), flash32 = new Int32Array(flash8.buffer);
  const rom16 = new Uint16Array(rom.buffer);
  let rp = null, core = null, clock = null;
  const tags = new Int32Array(2 * SETS).fill(-1), older = new Uint8Array(SETS);
  const counts = { misses: 0 };
  // Since `start`, in cycles. A `budget` of 0 or less ends the run at once, -1 after something that changed the flags.
  let start = 0, spent = 0, budget = 0, cycle = 8, fetched = -1, debt = 0;

  /** What an access to this line costs. */
  function touch(line) {
    const set = line & (SETS - 1), at = set << 1;
    if (tags[at] === line) older[set] = 1;
    else if (tags[at + 1] === line) older[set] = 0;
    else {
      tags[at + older[set]] = line;
      older[set] ^= 1;
      counts.misses += 1;
      return 1 + xipMiss;
    }
    return 1;
  }

  function bound() {
    budget = core.interruptsUpdated ? 0 : Math.ceil(Math.min((clock.limit - start) / cycle, LONGEST)) | 0;
  }

  /** What a register of a peripheral gives or takes, in bits of 32, 16 or 8: it has to know the time, and may change it. */
  function readRegister(address, bits) {
    clock.nanos = start + spent * cycle;
    const at = address >>> 0, value = bits === 32 ? rp.readUint32(at) | 0 : bits === 16 ? rp.readUint16(at) : rp.readUint8(at);
    charge(address, 3);
    return value;
  }

  function writeRegister(address, value, bits) {
    clock.nanos = start + spent * cycle;
    const at = address >>> 0;
    if (bits === 32) rp.writeUint32(at, value >>> 0);
    else if (bits === 16) rp.writeUint16(at, value & 0xffff);
    else rp.writeUint8(at, value & 0xff);
    charge(address, 4);
  }

  function charge(address, cycles) {
    const region = address >>> 28;
    spent += region === 13 ? 0 : region === 4 ? cycles : 1;
    bound();
  }

  function fetch(at) {
    if (at >>> 24 === 0x10) {
      const offset = at & FLASH_MASK;
      if (xipMiss > 0 && offset >> 3 !== fetched) spent += touch((fetched = offset >> 3)) - 1;
      return flash16[offset >> 1];
    }
    fetched = -1;
    const offset = (at - 0x20000000) >>> 0;
    if (offset < RAM_BYTES) return ram16[offset >> 1];
    if (at >= 0 && at < 0x4000) return rom16[at >> 1];
    throw new Error(`the program has run away to 0x${(at >>> 0).toString(16)}`);
  }

  function read32(address) {
    const offset = (address - 0x20000000) >>> 0;
    if (offset < RAM_BYTES) {
      spent += 1;
      return ram32[offset >> 2];
    }
    if (address >>> 24 === 0x10) {
      spent += xipMiss > 0 ? touch((address & FLASH_MASK) >> 3) : 1;
      return flash32[(address & FLASH_MASK) >> 2];
    }
    const register = (address - TIMELESS) >>> 0;
    if (register < TIMELESS_BYTES) return rp.sio.readUint32(register + TIMELESS_AT) | 0;
    return readRegister(address, 32);
  }

  function read16(address) {
    const offset = (address - 0x20000000) >>> 0;
    if (offset < RAM_BYTES) {
      spent += 1;
      return ram16[offset >> 1];
    }
    if (address >>> 24 === 0x10) {
      spent += xipMiss > 0 ? touch((address & FLASH_MASK) >> 3) : 1;
      return flash16[(address & FLASH_MASK) >> 1];
    }
    return readRegister(address, 16);
  }

  function read8(address) {
    const offset = (address - 0x20000000) >>> 0;
    if (offset < RAM_BYTES) {
      spent += 1;
      return ram8[offset];
    }
    if (address >>> 24 === 0x10) {
      spent += xipMiss > 0 ? touch((address & FLASH_MASK) >> 3) : 1;
      return flash8[address & FLASH_MASK];
    }
    return readRegister(address, 8);
  }

  function write32(address, value) {
    const offset = (address - 0x20000000) >>> 0;
    if (offset < RAM_BYTES) {
      spent += 1;
      ram32[offset >> 2] = value;
      return;
    }
    const register = (address - TIMELESS) >>> 0;
    if (register < TIMELESS_BYTES) rp.sio.writeUint32(register + TIMELESS_AT, value >>> 0);
    else writeRegister(address, value, 32);
  }

  function write16(address, value) {
    const offset = (address - 0x20000000) >>> 0;
    if (offset < RAM_BYTES) {
      spent += 1;
      ram16[offset >> 1] = value;
    } else writeRegister(address, value, 16);
  }

  function write8(address, value) {
    const offset = (address - 0x20000000) >>> 0;
    if (offset < RAM_BYTES) {
      spent += 1;
      ram8[offset] = value;
    } else writeRegister(address, value, 8);
  }

  function thumb(to) {
    if ((to & 1) === 0) throw new Error(`the program leaves the Thumb state: it goes to 0x${(to >>> 0).toString(16)}`);
    return to & ~1;
  }

  /** Go to an address that a register or the stack holds; out of a handler it may be the way back. */
  function branch(to) {
    if (to >>> 28 !== 15 || core.IPSR === 0) return thumb(to);
    clock.nanos = start + spent * cycle;
    core.exceptionReturn(to & 0x0fffffff);
    budget = -1;
    return R[15];
  }

  function keep(nz, c, v) {
    core.N = nz < 0;
    core.Z = nz === 0;
    core.C = c === 1;
    core.V = v === 1;
  }

  function run(most) {
    let left = most, pc = R[15] & ~1;
    let nz = core.Z ? 0 : core.N ? -1 : 1, c = core.C ? 1 : 0, v = core.V ? 1 : 0;
    while (spent < budget && left > 0) {
      left -= 1;
      const op = fetch(pc);
      pc += 2;
      spent += 1;
      switch (TABLE[op]) {
        case 0: { // LSL
          const n = (op >> 6) & 31, x = R[(op >> 3) & 7]; if (n !== 0) c = (x >>> (32 - n)) & 1;
          nz = R[op & 7] = x << n;
          break; }
        case 1: { // LSR
          const n = (op >> 6) & 31, x = R[(op >> 3) & 7]; c = (x >>> (n === 0 ? 31 : n - 1)) & 1;
          nz = R[op & 7] = n === 0 ? 0 : x >>> n;
          break; }
        case 2: { // ASR
          const n = (op >> 6) & 31, x = R[(op >> 3) & 7]; c = (x >> (n === 0 ? 31 : n - 1)) & 1;
          nz = R[op & 7] = x >> (n === 0 ? 31 : n);
          break; }
        case 3: { // ADD_REG
          const a = R[(op >> 3) & 7], b = R[(op >> 6) & 7], r = (a + b) | 0; c = r >>> 0 < a >>> 0 ? 1 : 0;
          v = ((a ^ r) & (b ^ r)) >>> 31; nz = R[op & 7] = r;
          break; }
        case 4: { // SUB_REG
          const a = R[(op >> 3) & 7], b = R[(op >> 6) & 7], r = (a - b) | 0; c = a >>> 0 >= b >>> 0 ? 1 : 0;
          v = ((a ^ b) & (a ^ r)) >>> 31; nz = R[op & 7] = r;
          break; }
        case 5: { // ADD_IMM3
          const a = R[(op >> 3) & 7], b = (op >> 6) & 7, r = (a + b) | 0; c = r >>> 0 < a >>> 0 ? 1 : 0;
          v = (~a & r) >>> 31; nz = R[op & 7] = r;
          break; }
        case 6: { // SUB_IMM3
          const a = R[(op >> 3) & 7], b = (op >> 6) & 7, r = (a - b) | 0; c = a >>> 0 >= b ? 1 : 0;
          v = (a & ~r) >>> 31; nz = R[op & 7] = r;
          break; }
        case 7: /* MOV_IMM */ nz = R[(op >> 8) & 7] = op & 255; break;
        case 8: { // CMP_IMM
          const a = R[(op >> 8) & 7], b = op & 255; nz = (a - b) | 0; c = a >>> 0 >= b ? 1 : 0;
          v = (a & ~nz) >>> 31;
          break; }
        case 9: { // ADD_IMM
          const a = R[(op >> 8) & 7], r = (a + (op & 255)) | 0; c = r >>> 0 < a >>> 0 ? 1 : 0;
          v = (~a & r) >>> 31; nz = R[(op >> 8) & 7] = r;
          break; }
        case 10: { // SUB_IMM
          const a = R[(op >> 8) & 7], b = op & 255, r = (a - b) | 0; c = a >>> 0 >= b ? 1 : 0;
          v = (a & ~r) >>> 31; nz = R[(op >> 8) & 7] = r;
          break; }
        case 11: /* AND */ nz = R[op & 7] &= R[(op >> 3) & 7]; break;
        case 12: /* EOR */ nz = R[op & 7] ^= R[(op >> 3) & 7]; break;
        case 13: { // LSL_REG
          const n = R[(op >> 3) & 7] & 255, x = R[op & 7]; if (n !== 0) c = n > 32 ? 0 : (x >>> (32 - n)) & 1;
          nz = R[op & 7] = n > 31 ? 0 : x << n;
          break; }
        case 14: { // LSR_REG
          const n = R[(op >> 3) & 7] & 255, x = R[op & 7]; if (n !== 0) c = n > 32 ? 0 : (x >>> (n - 1)) & 1;
          nz = R[op & 7] = n > 31 ? 0 : (x >>> n) | 0;
          break; }
        case 15: { // ASR_REG
          const n = R[(op >> 3) & 7] & 255, x = R[op & 7]; if (n !== 0) c = (x >> (n > 31 ? 31 : n - 1)) & 1;
          nz = R[op & 7] = x >> (n > 31 ? 31 : n);
          break; }
        case 16: { // ADC
          const a = R[op & 7], b = R[(op >> 3) & 7], r = (a + b + c) | 0;
          c = (a >>> 0) + (b >>> 0) + c > 0xffffffff ? 1 : 0; v = ((a ^ r) & (b ^ r)) >>> 31;
          nz = R[op & 7] = r;
          break; }
        case 17: { // SBC
          const a = R[op & 7], b = ~R[(op >> 3) & 7], r = (a + b + c) | 0;
          c = (a >>> 0) + (b >>> 0) + c > 0xffffffff ? 1 : 0; v = ((a ^ r) & (b ^ r)) >>> 31;
          nz = R[op & 7] = r;
          break; }
        case 18: { // ROR
          const n = R[(op >> 3) & 7] & 255, x = R[op & 7]; nz = R[op & 7] = (x >>> (n & 31)) | (x << (-n & 31));
          if (n !== 0) c = nz >>> 31;
          break; }
        case 19: /* TST */ nz = R[op & 7] & R[(op >> 3) & 7]; break;
        case 20: { // RSB
          const a = R[(op >> 3) & 7], r = -a | 0; c = a === 0 ? 1 : 0; v = (a & r) >>> 31; nz = R[op & 7] = r;
          break; }
        case 21: { // CMP
          const a = R[op & 7], b = R[(op >> 3) & 7]; nz = (a - b) | 0; c = a >>> 0 >= b >>> 0 ? 1 : 0;
          v = ((a ^ b) & (a ^ nz)) >>> 31;
          break; }
        case 22: { // CMN
          const a = R[op & 7], b = R[(op >> 3) & 7]; nz = (a + b) | 0; c = nz >>> 0 < a >>> 0 ? 1 : 0;
          v = ((a ^ nz) & (b ^ nz)) >>> 31;
          break; }
        case 23: /* ORR */ nz = R[op & 7] |= R[(op >> 3) & 7]; break;
        case 24: /* MUL */ nz = R[op & 7] = Math.imul(R[op & 7], R[(op >> 3) & 7]); break;
        case 25: /* BIC */ nz = R[op & 7] &= ~R[(op >> 3) & 7]; break;
        case 26: /* MVN */ nz = R[op & 7] = ~R[(op >> 3) & 7]; break;
        case 27: { // ADD_HIGH
          const d = ((op >> 4) & 8) | (op & 7), m = (op >> 3) & 15;
          const r = ((d === 15 ? pc + 2 : R[d]) + (m === 15 ? pc + 2 : R[m])) | 0;
          if (d === 15) { pc = r & ~1; spent += 1; } else R[d] = d === 13 ? r & ~3 : r;
          break; }
        case 28: { // CMP_HIGH
          const d = ((op >> 4) & 8) | (op & 7), m = (op >> 3) & 15;
          const a = d === 15 ? pc + 2 : R[d], b = m === 15 ? pc + 2 : R[m];
          nz = (a - b) | 0; c = a >>> 0 >= b >>> 0 ? 1 : 0; v = ((a ^ b) & (a ^ nz)) >>> 31;
          break; }
        case 29: { // MOV_HIGH
          const d = ((op >> 4) & 8) | (op & 7), m = (op >> 3) & 15, x = m === 15 ? pc + 2 : R[m];
          if (d === 15) { pc = x & ~1; spent += 1; } else R[d] = d === 13 ? x & ~3 : x;
          break; }
        case 30: { // BX
          spent += 1;
          pc = branch(R[(op >> 3) & 15]);
          break; }
        case 31: { /* BLX */ const to = R[(op >> 3) & 15]; R[14] = pc | 1; pc = thumb(to); spent += 1; break; }
        case 32: /* LDR_LITERAL */ R[(op >> 8) & 7] = read32(((pc + 2) & ~3) + ((op & 255) << 2)); break;
        case 33: /* STR_REG */ write32((R[(op >> 3) & 7] + R[(op >> 6) & 7]) | 0, R[op & 7]); break;
        case 34: /* STRH_REG */ write16((R[(op >> 3) & 7] + R[(op >> 6) & 7]) | 0, R[op & 7]); break;
        case 35: /* STRB_REG */ write8((R[(op >> 3) & 7] + R[(op >> 6) & 7]) | 0, R[op & 7]); break;
        case 36: /* LDRSB_REG */ R[op & 7] = (read8((R[(op >> 3) & 7] + R[(op >> 6) & 7]) | 0) << 24) >> 24; break;
        case 37: /* LDR_REG */ R[op & 7] = read32((R[(op >> 3) & 7] + R[(op >> 6) & 7]) | 0); break;
        case 38: /* LDRH_REG */ R[op & 7] = read16((R[(op >> 3) & 7] + R[(op >> 6) & 7]) | 0); break;
        case 39: /* LDRB_REG */ R[op & 7] = read8((R[(op >> 3) & 7] + R[(op >> 6) & 7]) | 0); break;
        case 40: /* LDRSH_REG */ R[op & 7] = (read16((R[(op >> 3) & 7] + R[(op >> 6) & 7]) | 0) << 16) >> 16; break;
        case 41: /* STR */ write32((R[(op >> 3) & 7] + ((op >> 4) & 124)) | 0, R[op & 7]); break;
        case 42: /* LDR */ R[op & 7] = read32((R[(op >> 3) & 7] + ((op >> 4) & 124)) | 0); break;
        case 43: /* STRB */ write8((R[(op >> 3) & 7] + ((op >> 6) & 31)) | 0, R[op & 7]); break;
        case 44: /* LDRB */ R[op & 7] = read8((R[(op >> 3) & 7] + ((op >> 6) & 31)) | 0); break;
        case 45: /* STRH */ write16((R[(op >> 3) & 7] + ((op >> 5) & 62)) | 0, R[op & 7]); break;
        case 46: /* LDRH */ R[op & 7] = read16((R[(op >> 3) & 7] + ((op >> 5) & 62)) | 0); break;
        case 47: /* STR_SP */ write32((R[13] + ((op & 255) << 2)) | 0, R[(op >> 8) & 7]); break;
        case 48: /* LDR_SP */ R[(op >> 8) & 7] = read32((R[13] + ((op & 255) << 2)) | 0); break;
        case 49: /* ADR */ R[(op >> 8) & 7] = ((pc + 2) & ~3) + ((op & 255) << 2); break;
        case 50: /* ADD_SP */ R[(op >> 8) & 7] = R[13] + ((op & 255) << 2); break;
        case 51: /* MOVE_SP */ R[13] += op & 128 ? -((op & 127) << 2) : (op & 127) << 2; break;
        case 52: /* SXTH */ R[op & 7] = (R[(op >> 3) & 7] << 16) >> 16; break;
        case 53: /* SXTB */ R[op & 7] = (R[(op >> 3) & 7] << 24) >> 24; break;
        case 54: /* UXTH */ R[op & 7] = R[(op >> 3) & 7] & 0xffff; break;
        case 55: /* UXTB */ R[op & 7] = R[(op >> 3) & 7] & 0xff; break;
        case 56: { // PUSH
          let at = R[13]; if (op & 256) write32((at -= 4), R[14]);
          for (let i = 7; i >= 0; i--) if (op & (1 << i)) write32((at -= 4), R[i]); R[13] = at;
          break; }
        case 57: { // POP
          let at = R[13]; for (let i = 0; i < 8; i++) if (op & (1 << i)) { R[i] = read32(at); at += 4; }
          if (op & 256) { const to = read32(at); R[13] = at + 4; spent += 2; pc = branch(to); } else R[13] = at;
          break; }
        case 58: { // CPS
          core.PM = (op & 16) !== 0; if (!core.PM) { core.interruptsUpdated = true; budget = 0; }
          break; }
        case 59: { // REV
          const x = R[(op >> 3) & 7];
          R[op & 7] = (x << 24) | ((x & 0xff00) << 8) | ((x >>> 8) & 0xff00) | (x >>> 24);
          break; }
        case 60: { // REV16
          const x = R[(op >> 3) & 7]; R[op & 7] = ((x & 0x00ff00ff) << 8) | ((x >>> 8) & 0x00ff00ff);
          break; }
        case 61: { // REVSH
          const x = R[(op >> 3) & 7]; R[op & 7] = (((x & 0xff) << 24) >> 16) | ((x >>> 8) & 0xff);
          break; }
        case 62: /* BKPT */ R[15] = pc; clock.nanos = start + spent * cycle; rp.onBreak(op & 255); budget = 0; break;
        case 63: { // HINT
          const hint = (op >> 4) & 15; if (hint === 4) core.eventRegistered = true;
          else if (hint === 2 || hint === 3) { // WFE, WFI
            spent += 1;
            if (hint === 2 && core.eventRegistered) core.eventRegistered = false;
            else {
              core.waiting = true;
              budget = 0;
            }
          }
          break; }
        case 64: { // STM
          const n = (op >> 8) & 7; let at = R[n];
          for (let i = 0; i < 8; i++) if (op & (1 << i)) { write32(at, R[i]); at += 4; } R[n] = at;
          break; }
        case 65: { // LDM
          const n = (op >> 8) & 7; let at = R[n];
          for (let i = 0; i < 8; i++) if (op & (1 << i)) { R[i] = read32(at); at += 4; }
          if (!(op & (1 << n))) R[n] = at;
          break; }
        case 66: { // B_COND
          let is;
          switch ((op >> 9) & 7) {
            case 0: is = nz === 0; break;
            case 1: is = c === 1; break;
            case 2: is = nz < 0; break;
            case 3: is = v === 1; break;
            case 4: is = c === 1 && nz !== 0; break;
            case 5: is = nz < 0 === (v === 1); break;
            default: is = nz < 0 === (v === 1) && nz !== 0;
          }
          if (is !== ((op & 256) !== 0)) { pc += ((op << 24) >> 23) + 2; spent += 1; }
          break; }
        case 67: /* SVC */ core.pendingSVCall = true; core.interruptsUpdated = true; budget = 0; break;
        case 68: /* B */ pc += ((op << 21) >> 20) + 2; spent += 1; break;
        case 69: { // WIDE
          const low = fetch(pc); R[15] = pc += 2;
          spent += 2;
          if ((op & 0xf800) === 0xf000 && (low & 0xd000) === 0xd000) { // BL
            const s = (op >> 10) & 1, i1 = ~((low >> 13) ^ s) & 1, i2 = ~((low >> 11) ^ s) & 1;
            R[14] = pc | 1;
            pc += (-s << 24) | (i1 << 23) | (i2 << 22) | ((op & 0x3ff) << 12) | ((low & 0x7ff) << 1);
          } else {
            keep(nz, c, v);
            system(core, op, low);
            budget = -1;
          }
          break; }
        case 70: { // UNDEFINED
          throw new Error(`there is no instruction 0x${op.toString(16)} (at 0x${(pc - 2).toString(16)})`);
          break; }
      }
    }
    if (budget !== -1) keep(nz, c, v);
    R[15] = pc;
    return most - left;
  }

  function attach(chip) {
    ({ core, clock } = rp = chip);
    rp.sram = ram8;
    rp.sramView = new DataView(ram8.buffer);
    rp.bootrom = new Uint32Array(rom.buffer);
    core.registers = registers.fill(0);
    core.SP = rp.bootrom[0];
    debt = 0;
    flush();
    const enter = core.exceptionEntry.bind(core);
    core.exceptionEntry = (number) => {
      debt += ENTRY_CYCLES;
      enter(number);
    };
  }

  /** Forget what the cache holds, as the ROM's flush does. */
  function flush() {
    tags.fill(-1);
    fetched = -1;
  }

  return {
    counts,
    attach,
    flush,
    registers: R,
    ram: ram8,
    execute(nanosPerCycle, most) {
      cycle = nanosPerCycle;
      start = clock.nanos;
      spent = 0;
      let done = 0;
      do {
        if (core.interruptsUpdated && core.checkForInterrupts()) core.waiting = false;
        spent += debt;
        debt = 0;
        bound();
        done += run(most - done);
      } while (core.interruptsUpdated && !core.waiting && done < most && start + spent * cycle < clock.limit);
      clock.nanos = start + spent * cycle;
      return done;
    },
  };
}
