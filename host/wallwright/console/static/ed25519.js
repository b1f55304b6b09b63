// Checks signatures of Ed25519 (RFC 8032, 5.1.7, without the cofactor), for pages without https and browsers without
// it. Refused as well are encodings that are not canonical, and keys and R of small order: under such a key one
// signature fits any message.
"use strict";

const ed25519 = (() => {
  const P = 2n ** 255n - 19n;
  const L = 2n ** 252n + 27742317777372353535851937790883648493n;
  const mod = (value) => ((value % P) + P) % P;

  function power(base, exponent) {
    let found = 1n;
    for (; exponent; exponent >>= 1n, base = (base * base) % P) if (exponent & 1n) found = (found * base) % P;
    return found;
  }

  const D = mod(-121665n * power(121666n, P - 2n));
  const ROOT = power(2n, (P - 1n) / 4n); // of -1
  const little = (bytes) => bytes.reduceRight((found, byte) => (found << 8n) | BigInt(byte), 0n);

  // Points are [X, Y, Z, T] with x = X / Z, y = Y / Z, x y = T / Z (RFC 8032, 5.1.4).
  function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
    const [a, b] = [mod((y1 - x1) * (y2 - x2)), mod((y1 + x1) * (y2 + x2))];
    const [c, d] = [mod(2n * t1 * t2 * D), mod(2n * z1 * z2)];
    const [e, f, g, h] = [b - a, d - c, d + c, b + a];
    return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
  }

  function times(scalar, point) {
    let found = [0n, 1n, 1n, 0n];
    for (; scalar; scalar >>= 1n, point = add(point, point)) if (scalar & 1n) found = add(found, point);
    return found;
  }

  // The point of 32 bytes; null when they are not canonical, or none of the curve.
  function decoded(bytes) {
    const sign = BigInt(bytes[31] >> 7);
    const y = little(bytes) & (2n ** 255n - 1n);
    if (bytes.length !== 32 || y >= P) return null;
    const square = mod((y * y - 1n) * power(D * y * y + 1n, P - 2n));
    let x = power(square, (P + 3n) / 8n);
    if (mod(x * x - square)) x = mod(x * ROOT);
    if (mod(x * x - square) || (!x && sign)) return null;
    if ((x & 1n) !== sign) x = P - x;
    return [x, y, 1n, mod(x * y)];
  }

  const BASE = decoded(Uint8Array.from({ length: 32 }, (_, at) => (at ? 0x66 : 0x58)));
  const same = ([x1, y1, z1], [x2, y2, z2]) => !mod(x1 * z2 - x2 * z1) && !mod(y1 * z2 - y2 * z1);

  function isLarge(point) {
    return point !== null && !same(times(8n, point), [0n, 1n, 1n, 0n]);
  }

  // Whether 32 bytes are a key that may be believed.
  const isKey = (key) => isLarge(decoded(key));

  function verify(key, signature, message) {
    const [a, r, s] = [decoded(key), decoded(signature.subarray(0, 32)), little(signature.subarray(32))];
    if (signature.length !== 64 || !isLarge(a) || !isLarge(r) || s >= L) return false;
    const all = new Uint8Array(64 + message.length);
    all.set(signature.subarray(0, 32));
    all.set(key, 32);
    all.set(message, 64);
    return same(times(s, BASE), add(r, times(little(sha512(all)) % L, a)));
  }

  const WORD = 2n ** 64n - 1n;
  const K = [];
  const START = [];

  // The largest whole number whose power is not above a value.
  function root(value, exponent) {
    let found = 0n;
    for (let bit = 1n << 70n; bit; bit >>= 1n) if ((found | bit) ** exponent <= value) found |= bit;
    return found;
  }

  // The first 64 bits of the fractions of square and cube roots of the first primes (FIPS 180-4).
  for (let number = 2; K.length < 80; number++) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) isPrime = false;
    if (!isPrime) continue;
    if (START.length < 8) START.push(root(BigInt(number) << 128n, 2n) & WORD);
    K.push(root(BigInt(number) << 192n, 3n) & WORD);
  }

  const turn = (word, bits) => ((word >> bits) | (word << (64n - bits))) & WORD;

  function sha512(data) {
    const padded = new Uint8Array(Math.ceil((data.length + 17) / 128) * 128);
    padded.set(data);
    padded[data.length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setBigUint64(padded.length - 8, BigInt(data.length) * 8n);
    const state = [...START];
    for (let block = 0; block < padded.length; block += 128) {
      const w = Array.from({ length: 16 }, (_, at) => view.getBigUint64(block + at * 8));
      for (let at = 16; at < 80; at++) {
        const early = turn(w[at - 15], 1n) ^ turn(w[at - 15], 8n) ^ (w[at - 15] >> 7n);
        const late = turn(w[at - 2], 19n) ^ turn(w[at - 2], 61n) ^ (w[at - 2] >> 6n);
        w[at] = (w[at - 16] + early + w[at - 7] + late) & WORD;
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let at = 0; at < 80; at++) {
        const mixed = h + (turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n)) + ((e & f) ^ (~e & g)) + K[at] + w[at];
        const other = (turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c));
        [h, g, f, e, d, c, b, a] = [g, f, e, (d + mixed) & WORD, c, b, a, (mixed + other) & WORD];
      }
      [a, b, c, d, e, f, g, h].forEach((word, at) => (state[at] = (state[at] + word) & WORD));
    }
    const digest = new DataView(new ArrayBuffer(64));
    state.forEach((word, at) => digest.setBigUint64(at * 8, word));
    return new Uint8Array(digest.buffer);
  }

  return { isKey, verify };
})();
