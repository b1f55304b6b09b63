// The pages of a season: the search for players, what a link leads to, and the check of a day's proofs.
"use strict";

(() => {
  // Whoever follows a link to a deal sees it, though its table is folded.
  function unfold() {
    const found = location.hash && document.getElementById(location.hash.slice(1));
    const folded = found && found.closest("details");
    if (folded) {
      folded.open = true;
      found.scrollIntoView({ block: "center" });
    }
  }
  window.addEventListener("hashchange", unfold);
  unfold();

  // Names in any script: accents and case make no difference.
  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  for (const field of document.querySelectorAll("[data-search]")) {
    const rows = [...document.getElementById(field.dataset.search).children];
    const said = document.querySelector("[data-found]");
    field.addEventListener("input", () => {
      const words = plain(field.value).split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const names = plain(row.dataset.names);
        row.hidden = !words.every((word) => names.includes(word));
        shown += !row.hidden;
      }
      said.textContent = shown ? "" : said.dataset.none;
    });
  }

  const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

  function parts(text, size) {
    const all = bytesOf(text);
    if (all.length % size) throw new Error("cut");
    return Array.from({ length: all.length / size }, (_, at) => proofs.hex(all.subarray(at * size, at * size + size)));
  }

  // The one JSON text of a value: sorted keys, no spaces.
  function canonical(value) {
    if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    const fields = Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
    return `{${fields.join(",")}}`;
  }

  function commitment(key, text) {
    const told = new TextEncoder().encode(text);
    const all = new Uint8Array(32 + told.length);
    all.set(proofs.bytes(key));
    all.set(told, 32);
    return proofs.sha256(all);
  }

  // By index from 0: the leaves of all that an extract shows, or states by its leaf.
  function leavesOf(extract) {
    const leaves = new Map();
    const keys = parts(extract.keys, 32);
    const openings = parts(extract.openings, 64);
    const stated = parts(extract.leaves, 32);
    const counts = [keys.length, openings.length, stated.length];
    const wanted = [extract.entries.length, extract.results.length, extract.stated.length];
    if (counts.some((count, at) => count !== wanted[at])) throw new Error("parts and proofs are not as many");
    extract.entries.forEach(([entry, at, unit, kind, body], index) => {
      const text = JSON.stringify([entry, at, unit, null, null, kind, canonical(body)]);
      leaves.set(entry - 1, proofs.leaf(commitment(keys[index], text)));
    });
    extract.results.forEach((one, index) => {
      const shown = { commitment: openings[index].slice(0, 64), key: openings[index].slice(64) };
      shown.result = JSON.stringify([one.entry, one.kind, one.unit, ...one.told, one.points]);
      leaves.set(one.entry - 1, proofs.leafOf(shown));
    });
    extract.stated.forEach(([entry], index) => leaves.set(entry - 1, stated[index]));
    return leaves;
  }

  // The root of a tree of so many leaves of which these are known, with the other hashes from the left to the right.
  function rootOf(leaves, size, hashes) {
    const known = [...leaves.keys()].sort((one, other) => one - other);
    let next = 0;
    function between(start, end, low, high) {
      if (low === high) {
        if (next >= hashes.length) throw new Error("a hash is missing");
        return hashes[next++];
      }
      if (end - start === 1) return leaves.get(start);
      let half = 1;
      while (half * 2 < end - start) half *= 2;
      let cut = low;
      while (cut < high && known[cut] < start + half) cut++;
      return proofs.node(between(start, start + half, low, cut), between(start + half, end, cut, high));
    }
    const root = between(0, size, 0, known.length);
    if (next !== hashes.length) throw new Error("there are hashes that nobody wants");
    return root;
  }

  // Whether the checkpoint's signature is by its key; null where the browser cannot tell.
  async function isSigned(checkpoint) {
    if (!window.crypto || !crypto.subtle) return null;
    const part = checkpoint.printed.split(":");
    const bytes = (text, size) => proofs.bytes(base32(text, size));
    try {
      const key = await crypto.subtle.importKey("raw", bytes(part[3], 32), "Ed25519", false, ["verify"]);
      const message = `Wallwright checkpoint 2\n${checkpoint.size}\n${checkpoint.root}\n`;
      return await crypto.subtle.verify("Ed25519", key, bytes(part[4], 64), new TextEncoder().encode(message));
    } catch {
      return null;
    }
  }

  function base32(text, size) {
    const found = new Uint8Array(size);
    let [held, bits, at] = [0, 0, 0];
    for (const letter of text) {
      held = ((held << 5) | "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter)) & 0xfff;
      bits += 5;
      if (bits >= 8 && at < size) found[at++] = (held >>> (bits -= 8)) & 0xff;
    }
    return proofs.hex(found);
  }

  // The points that somebody sees in a row: not those that only a program would read.
  const shownIn = (row) => [...row.children].slice(1, 5).map((cell) => Number(cell.textContent)).join(",");

  async function check(button, said) {
    const checkpoint = proofs.parse(button.dataset.checkpoint);
    const answer = await fetch(button.dataset.check);
    if (!answer.ok) throw new Error(`${answer.status}`);
    const { extract } = JSON.parse(await answer.text());
    if (extract.checkpoint !== checkpoint.printed) throw new Error("it is under another checkpoint");
    if (rootOf(leavesOf(extract), checkpoint.size, parts(extract.proof, 32)) !== checkpoint.root) {
      throw new Error("what is shown is not what the checkpoint signs");
    }
    const points = new Map(extract.results.map((one) => [one.entry, one.points.join(",")]));
    const rows = [...document.querySelectorAll("tr[id^=e]")];
    const wrong = rows.find((row) => points.get(Number(row.id.slice(1))) !== shownIn(row));
    if (wrong) throw new Error(`${wrong.id.slice(1)}: ${shownIn(wrong)}`);
    for (const row of rows) row.lastElementChild.classList.add("proof");
    const signed = await isSigned(checkpoint);
    if (signed === false) throw new Error("another key has signed it");
    const holds = button.dataset.holds.replace("{count}", rows.length);
    said.textContent = `${holds} ${signed ? button.dataset.signed : button.dataset.unsigned}`;
    said.className = "small proof";
  }

  for (const button of document.querySelectorAll("[data-check]")) {
    button.addEventListener("click", async () => {
      const said = document.getElementById("checked");
      said.className = "small";
      said.textContent = button.dataset.running;
      try {
        await check(button, said);
      } catch (error) {
        said.textContent = button.dataset.fails.replace("{why}", error.message);
        said.className = "fails";
      }
    });
  }
})();
