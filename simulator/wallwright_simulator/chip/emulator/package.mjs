// The parts of rp2040js that this room builds on. WALLWRIGHT_RP2040JS names the folder that npm has put it into: it is
// not beside these files, for they may lie in an installed wheel.
import { pathToFileURL } from 'node:url';

const folder = process.env.WALLWRIGHT_RP2040JS;
const load = (name) => import(pathToFileURL(`${folder}/dist/esm/${name}.js`).href);

export const { RP2040, USBCDC, ConsoleLogger, LogLevel } = await load('index');
export const { BasePeripheral } = await load('peripherals/peripheral');
