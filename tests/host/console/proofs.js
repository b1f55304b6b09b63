// Answers questions about static/proofs.js, one JSON line each: its path is the first argument.
"use strict";

const crypto = require("crypto");
const fs = require("fs");
const readline = require("readline");
const vm = require("vm");

const script = new vm.Script(fs.readFileSync(process.argv[2], "utf8") + "\nproofs;");
const proofs = script.runInNewContext({ TextEncoder });

const asked = {
  includes: (given) => proofs.includes(...given),
  extends: (given) => proofs.extends(...given),
  leafOf: (given) => proofs.leafOf(given),
  // Lengths around a block's end, and beyond; against the SHA-256 of node's own library.
  sha256: (lengths) => lengths.filter((length) => {
    const data = crypto.randomBytes(length);
    return proofs.hex(proofs.sha256(data)) !== crypto.createHash("sha256").update(data).digest("hex");
  }),
};

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const [what, given] = JSON.parse(line);
  console.log(JSON.stringify(asked[what](given)));
});
