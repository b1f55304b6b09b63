// Answers a case a line, in JSON, with the verdict of static/verdict.js: the folder of the scripts is the argument.
"use strict";

const fs = require("fs");
const path = require("path");
const readline = require("readline");
const vm = require("vm");

const NAMES = ["proofs.js", "ed25519.js", "verdict.js"];
const remember = fs.readFileSync(path.join(__dirname, "remember.js"), "utf8");

// A context in which `asked` answers a case, as JSON text. `texts` are those of the scripts, by name.
function loaded(texts, known, timeout) {
  const context = vm.createContext({ TextEncoder, atob, btoa, known });
  const asked = "globalThis.asked = (text) => JSON.stringify(verdict.verify(JSON.parse(text)));";
  vm.runInContext([...NAMES.map((name) => texts[name]), remember, asked].join("\n"), context, { timeout });
  return context;
}

if (require.main === module) {
  const texts = Object.fromEntries(NAMES.map((name) => [name, fs.readFileSync(path.join(process.argv[2], name), "utf8")]));
  const { asked } = loaded(texts, new Map());
  readline.createInterface({ input: process.stdin }).on("line", (line) => console.log(asked(line)));
}

module.exports = { loaded };
