// Answers a case a line, in JSON, with the verdict of static/verdict.js: the folder of the scripts is the argument.
"use strict";

const fs = require("fs");
const readline = require("readline");
const vm = require("vm");

const text = ["proofs.js", "ed25519.js", "verdict.js"].map((name) => fs.readFileSync(`${process.argv[2]}/${name}`, "utf8"));
const context = vm.createContext({ TextEncoder, atob, btoa });
const verify = new vm.Script(`${text.join("\n")}\n(line) => JSON.stringify(verdict.verify(JSON.parse(line)));`).runInContext(context);

readline.createInterface({ input: process.stdin }).on("line", (line) => console.log(verify(line)));
