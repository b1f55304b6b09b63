// Checks what a server says of a journal's past: SHA-256 (FIPS 180-4), and the proofs of RFC 9162, section 2.1.3.2 and
// 2.1.4.2. Plain functions that touch no page. The browser's own SHA-256 is there for https alone, and halls have http.
"use strict";

const proofs = (() => {
  const K = new Uint32Array(64);
  const START = new Uint32Array(8);

  // The first 32 bits of the fractions of square and cube roots of the first primes, as the standard defines them.
  for (let number = 2, count = 0; count < 64; number++) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) isPrime = false;
    if (!isPrime) continue;
    const fraction = (value) => (value - Math.floor(value)) * 2 ** 32;
    if (count < 8) START[count] = fraction(Math.sqrt(number));
    K[count++] = fraction(Math.cbrt(number));
  }

  const turn = (word, bits) => (word >>> bits) | (word << (32 - bits));

  function sha256(data) {
    const blocks = Math.ceil((data.length + 9) / 64);
    const padded = new Uint8Array(blocks * 64);
    padded.set(data);
    padded[data.length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 8, Math.floor(data.length / 2 ** 29));
    view.setUint32(padded.length - 4, data.length << 3);
    const state = Uint32Array.from(START);
    const w = new Uint32Array(64);
    for (let block = 0; block < blocks; block++) {
      for (let at = 0; at < 16; at++) w[at] = view.getUint32(block * 64 + at * 4);
      for (let at = 16; at < 64; at++) {
        const early = turn(w[at - 15], 7) ^ turn(w[at - 15], 18) ^ (w[at - 15] >>> 3);
        const late = turn(w[at - 2], 17) ^ turn(w[at - 2], 19) ^ (w[at - 2] >>> 10);
        w[at] = w[at - 16] + early + w[at - 7] + late;
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let at = 0; at < 64; at++) {
        const mixed = (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + h + K[at] + w[at];
        const other = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + mixed) | 0, c, b, a, (mixed + other) | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((word, at) => (state[at] += word));
    }
    const digest = new DataView(new ArrayBuffer(32));
    state.forEach((word, at) => digest.setUint32(at * 4, word));
    return new Uint8Array(digest.buffer);
  }

  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

  function bytes(text) {
    if (typeof text !== "string" || !/^([0-9a-f]{2})*$/.test(text)) throw new Error("no hexadecimal text");
    return Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));
  }

  function joined(...parts) {
    const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }

  const HASH = /^[0-9a-f]{64}$/;
  const areHashes = (found) => Array.isArray(found) && found.every((one) => typeof one === "string" && HASH.test(one));
  const isCount = (number) => Number.isSafeInteger(number) && number >= 0;
  const half = (number) => Math.floor(number / 2);
  const leaf = (data) => hex(sha256(joined([0], data)));
  const node = (left, right) => hex(sha256(joined([1], bytes(left), bytes(right))));

  // Whether the leaf at `index`, from 0, is under the root of `size` leaves. Hashes are hexadecimal.
  function includes(index, size, leafHash, path, root) {
    if (!isCount(index) || !isCount(size) || index >= size || !areHashes([leafHash, root]) || !areHashes(path)) return false;
    let [at, last, found] = [index, size - 1, leafHash];
    for (const sibling of path) {
      if (last === 0) return false;
      if (at % 2 === 1 || at === last) {
        found = node(sibling, found);
        while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)];
      } else {
        found = node(found, sibling);
      }
      [at, last] = [half(at), half(last)];
    }
    return last === 0 && found === root;
  }

  // Whether the tree of `second` leaves begins with the leaves of that of `first`.
  function extends_(first, second, firstRoot, secondRoot, path) {
    if (!isCount(first) || !isCount(second) || first < 1 || second < first) return false;
    if (!areHashes([firstRoot, secondRoot]) || !areHashes(path)) return false;
    if (first === second) return path.length === 0 && firstRoot === secondRoot;
    if (path.length === 0) return false;
    let [at, last] = [first - 1, second - 1];
    while (at % 2 === 1) [at, last] = [half(at), half(last)];
    // A whole first tree is a node of the second one, and its root the proof's first hash.
    const nodes = at === 0 ? [firstRoot, ...path] : path;
    let [older, newer] = [nodes[0], nodes[0]];
    for (const sibling of nodes.slice(1)) {
      if (last === 0) return false;
      if (at % 2 === 1 || at === last) {
        older = node(sibling, older);
        newer = node(sibling, newer);
        while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)];
      } else {
        newer = node(newer, sibling);
      }
      [at, last] = [half(at), half(last)];
    }
    return last === 0 && older === firstRoot && newer === secondRoot;
  }

  // The leaf of a shown result, which has `commitment`, `key` and the text `result`.
  function leafOf(shown) {
    const own = sha256(joined(bytes(shown.key), new TextEncoder().encode(shown.result)));
    return leaf(joined(bytes(shown.commitment), own));
  }

  return { sha256, hex, bytes, leaf, node, includes, extends: extends_, leafOf };
})();
