// Tries mutants of the scripts that verify proofs: reads {scripts, cases, mutants} as JSON, and prints a line for each
// mutant, what noticed it or nothing. What the unchanged ed25519.js says of a signature is asked once.
"use strict";

const fs = require("fs");
const vm = require("vm");
const { loaded } = require("../../tests/proofs/verdicts.js");

const { scripts, cases, mutants } = JSON.parse(fs.readFileSync(0, "utf8"));
const LIMIT_MS = 20_000;

const known = new Map();
const texts = cases.map((one) => JSON.stringify(one));
const wanted = texts.map(loaded(scripts, known).asked);

function noticedBy(script, changed) {
  try {
    const context = loaded({ ...scripts, [script]: changed }, script === "ed25519.js" ? new Map() : known, LIMIT_MS);
    Object.assign(context, { texts, wanted });
    const differs = "texts.findIndex((text, at) => asked(text) !== wanted[at])";
    const at = vm.runInContext(differs, context, { timeout: LIMIT_MS });
    return at < 0 ? "" : `case ${at}`;
  } catch (error) {
    return String(error.message).split("\n")[0];
  }
}

for (const { script, changed } of mutants) console.log(noticedBy(script, changed));
