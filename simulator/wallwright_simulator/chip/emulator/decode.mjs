// The 16-bit Thumb instructions of ARMv6-M as a table: opcode -> operation. Source: ARM DDI 0419E, A5.2 and A6.7.

/** Operations in the order of their numbers. */
export const OPS = [
  'LSL', 'LSR', 'ASR', 'ADD_REG', 'SUB_REG', 'ADD_IMM3', 'SUB_IMM3', 'MOV_IMM', 'CMP_IMM', 'ADD_IMM', 'SUB_IMM',
  'AND', 'EOR', 'LSL_REG', 'LSR_REG', 'ASR_REG', 'ADC', 'SBC', 'ROR', 'TST', 'RSB', 'CMP', 'CMN', 'ORR', 'MUL', 'BIC', 'MVN',
  'ADD_HIGH', 'CMP_HIGH', 'MOV_HIGH', 'BX', 'BLX', 'LDR_LITERAL',
  'STR_REG', 'STRH_REG', 'STRB_REG', 'LDRSB_REG', 'LDR_REG', 'LDRH_REG', 'LDRB_REG', 'LDRSH_REG',
  'STR', 'LDR', 'STRB', 'LDRB', 'STRH', 'LDRH', 'STR_SP', 'LDR_SP', 'ADR', 'ADD_SP', 'MOVE_SP',
  'SXTH', 'SXTB', 'UXTH', 'UXTB', 'PUSH', 'POP', 'CPS', 'REV', 'REV16', 'REVSH', 'BKPT', 'HINT', 'STM', 'LDM',
  'B_COND', 'SVC', 'B', 'WIDE', 'UNDEFINED',
];

const number = Object.fromEntries(OPS.map((name, at) => [name, at]));
// Bits as they are printed: x is any.
const PATTERNS = [
  ['00000xxxxxxxxxxx', 'LSL'], ['00001xxxxxxxxxxx', 'LSR'], ['00010xxxxxxxxxxx', 'ASR'],
  ['0001100xxxxxxxxx', 'ADD_REG'], ['0001101xxxxxxxxx', 'SUB_REG'],
  ['0001110xxxxxxxxx', 'ADD_IMM3'], ['0001111xxxxxxxxx', 'SUB_IMM3'],
  ['00100xxxxxxxxxxx', 'MOV_IMM'], ['00101xxxxxxxxxxx', 'CMP_IMM'], ['00110xxxxxxxxxxx', 'ADD_IMM'], ['00111xxxxxxxxxxx', 'SUB_IMM'],
  ['0100000000xxxxxx', 'AND'], ['0100000001xxxxxx', 'EOR'], ['0100000010xxxxxx', 'LSL_REG'], ['0100000011xxxxxx', 'LSR_REG'],
  ['0100000100xxxxxx', 'ASR_REG'], ['0100000101xxxxxx', 'ADC'], ['0100000110xxxxxx', 'SBC'], ['0100000111xxxxxx', 'ROR'],
  ['0100001000xxxxxx', 'TST'], ['0100001001xxxxxx', 'RSB'], ['0100001010xxxxxx', 'CMP'], ['0100001011xxxxxx', 'CMN'],
  ['0100001100xxxxxx', 'ORR'], ['0100001101xxxxxx', 'MUL'], ['0100001110xxxxxx', 'BIC'], ['0100001111xxxxxx', 'MVN'],
  ['01000100xxxxxxxx', 'ADD_HIGH'], ['01000101xxxxxxxx', 'CMP_HIGH'], ['01000110xxxxxxxx', 'MOV_HIGH'],
  ['010001110xxxxxxx', 'BX'], ['010001111xxxxxxx', 'BLX'], ['01001xxxxxxxxxxx', 'LDR_LITERAL'],
  ['0101000xxxxxxxxx', 'STR_REG'], ['0101001xxxxxxxxx', 'STRH_REG'], ['0101010xxxxxxxxx', 'STRB_REG'], ['0101011xxxxxxxxx', 'LDRSB_REG'],
  ['0101100xxxxxxxxx', 'LDR_REG'], ['0101101xxxxxxxxx', 'LDRH_REG'], ['0101110xxxxxxxxx', 'LDRB_REG'], ['0101111xxxxxxxxx', 'LDRSH_REG'],
  ['01100xxxxxxxxxxx', 'STR'], ['01101xxxxxxxxxxx', 'LDR'], ['01110xxxxxxxxxxx', 'STRB'], ['01111xxxxxxxxxxx', 'LDRB'],
  ['10000xxxxxxxxxxx', 'STRH'], ['10001xxxxxxxxxxx', 'LDRH'], ['10010xxxxxxxxxxx', 'STR_SP'], ['10011xxxxxxxxxxx', 'LDR_SP'],
  ['10100xxxxxxxxxxx', 'ADR'], ['10101xxxxxxxxxxx', 'ADD_SP'], ['10110000xxxxxxxx', 'MOVE_SP'],
  ['1011001000xxxxxx', 'SXTH'], ['1011001001xxxxxx', 'SXTB'], ['1011001010xxxxxx', 'UXTH'], ['1011001011xxxxxx', 'UXTB'],
  ['1011010xxxxxxxxx', 'PUSH'], ['1011110xxxxxxxxx', 'POP'], ['10110110011x0010', 'CPS'],
  ['1011101000xxxxxx', 'REV'], ['1011101001xxxxxx', 'REV16'], ['1011101011xxxxxx', 'REVSH'],
  ['10111110xxxxxxxx', 'BKPT'], ['10111111xxxx0000', 'HINT'], ['11000xxxxxxxxxxx', 'STM'], ['11001xxxxxxxxxxx', 'LDM'],
  ['11011111xxxxxxxx', 'SVC'], ['11011110xxxxxxxx', 'UNDEFINED'], ['1101xxxxxxxxxxxx', 'B_COND'], ['11100xxxxxxxxxxx', 'B'],
  ['11101xxxxxxxxxxx', 'WIDE'], ['11110xxxxxxxxxxx', 'WIDE'], ['11111xxxxxxxxxxx', 'WIDE'],
];

/** The number of the operation of each of the 65,536 first halfwords; of patterns that overlap the first holds. */
export const TABLE = new Uint8Array(65536).fill(number.UNDEFINED);
for (const [pattern, name] of [...PATTERNS].reverse()) {
  const mask = parseInt(pattern.replace(/[01]/g, '1').replace(/x/g, '0'), 2);
  const bits = parseInt(pattern.replace(/x/g, '0'), 2);
  for (let opcode = 0; opcode < 65536; opcode++) if ((opcode & mask) === bits) TABLE[opcode] = number[name];
}

/** MRS, MSR and the barriers, the instructions of two halfwords beside BL, on the object that keeps the registers. */
export function system(core, first, second) {
  if (first === 0xf3ef && second >> 12 === 8) core.registers[(second >> 8) & 15] = core.readSpecialRegister(second & 255);
  else if (first >> 4 === 0xf38) core.writeSpecialRegister(second & 255, core.registers[first & 15]);
  else if (first !== 0xf3bf) throw new Error(`there is no instruction 0x${first.toString(16)} 0x${second.toString(16)}`);
}
