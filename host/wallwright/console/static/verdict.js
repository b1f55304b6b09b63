// Says what a player's page or a day of a season proves: docs/proofs.md is its specification, and says what each word of
// a verdict means. The same verifier in Python is wallwright.season.verdict. It touches no page and asks nobody.
"use strict";

const verdict = (() => {
  const RESULTS = ["deal_result", "result_recorded", "result_corrected"];
  const OPEN_OF_RESULTS = ["newest", "all", "name"];
  const OPEN_OF_DAY = ["all", "counts", "names", "standings"];
  const PLACE = ["session", "table", "deal"];
  const RESULT = ["at_ms", "deal", "dealer", "entry", "fines", "kind", "next_dealer", "points", "reason", "session", "table", "told", "unit", "winners"];
  const EXTRACT = ["checkpoint", "entries", "keys", "leaves", "openings", "proof", "results", "since", "stated"];
  const DEPTH = 64;

  class Refused extends Error {}
  function need(isSo, why) {
    if (!isSo) throw new Refused(why);
  }

  const isWhole = Number.isSafeInteger;
  const isNumber = (value) => isWhole(value) && value >= 1;
  const isText = (value) => typeof value === "string" && !/\p{Cs}/u.test(value);
  const isUnit = (value) => value === null || isText(value);
  const isList = (value, isOne) => Array.isArray(value) && value.every(isOne);
  const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
  const arePoints = (value) => isList(value, isWhole) && value.length === 4;
  const isHash = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
  const areHashes = (value) => isList(value, isHash);
  const has = (value, names) => isObject(value) && Object.keys(value).sort().join() === names.join();
  const hasPlace = (row) => isObject(row) && PLACE.every((name) => isNumber(row[name]));
  const placeOf = (row) => PLACE.map((name) => row[name]).join();
  const encoded = (text) => new TextEncoder().encode(text);

  function commitment(key, text) {
    const [salt, told] = [proofs.bytes(key), encoded(text)];
    const all = new Uint8Array(salt.length + told.length);
    all.set(salt);
    all.set(told, salt.length);
    return proofs.sha256(all);
  }

  const wholeLeaf = (key, text) => proofs.leaf(commitment(key, text));

  function byCodePoints(one, other) {
    const [left, right] = [[...one], [...other]];
    const at = left.findIndex((letter, index) => letter !== right[index]);
    return at < 0 ? left.length - right.length : at < right.length ? left[at].codePointAt(0) - right[at].codePointAt(0) : 1;
  }

  // The one JSON text of a value; only whole numbers and whole characters have one.
  function canonical(value, depth = 0) {
    need(typeof value !== "object" || value === null || depth < DEPTH, "form");
    if (Array.isArray(value)) return `[${value.map((one) => canonical(one, depth + 1)).join(",")}]`;
    if (isObject(value)) {
      const fields = Object.keys(value).sort(byCodePoints).map((name) => `${canonical(name)}:${canonical(value[name], depth + 1)}`);
      return `{${fields.join(",")}}`;
    }
    need(value === null || typeof value === "boolean" || isWhole(value) || isText(value), "form");
    return JSON.stringify(value);
  }

  function parsed(text) {
    try {
      return JSON.parse(text);
    } catch {
      throw new Refused("form");
    }
  }

  // A checkpoint that its key has signed: its printed form, size, root in hexadecimal, and key as printed.
  function checkpointOf(printed, why = ["checkpoint", "key", "signature"]) {
    const found = /^WALLWRIGHT2:([1-9]\d{0,15}):([A-Z2-7]{52}):([A-Z2-7]{52}):([A-Z2-7]{103})$/.exec(printed);
    need(typeof printed === "string" && found && isWhole(Number(found[1])), why[0]);
    const [size, key] = [Number(found[1]), found[3]];
    const [root, keyBytes, signature] = found.slice(2).map((part) => base32(part, why[0]));
    const message = `Wallwright checkpoint 2\n${size}\n${proofs.hex(root)}\n`;
    need(ed25519.verify(keyBytes, signature, encoded(message)), why[ed25519.isKey(keyBytes) ? 2 : 1]);
    return { printed, size, root: proofs.hex(root), key, keyBytes };
  }

  function base32(text, why) {
    const found = new Uint8Array(Math.floor((text.length * 5) / 8));
    let [held, bits, at] = [0, 0, 0];
    for (const letter of text) {
      held = ((held << 5) | "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter)) & 0xfff;
      bits += 5;
      if (bits >= 8) found[at++] = (held >>> (bits -= 8)) & 0xff;
    }
    need((held & ((1 << bits) - 1)) === 0, why);
    return found;
  }

  function parts(text, size) {
    need(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text), "count");
    const all = atob(text);
    need(btoa(all) === text, "count");
    need(all.length % size === 0, "count");
    const bytes = Uint8Array.from(all, (letter) => letter.charCodeAt(0));
    return Array.from({ length: all.length / size }, (_, at) => proofs.hex(bytes.subarray(at * size, at * size + size)));
  }

  function verify(given) {
    const about = isObject(given) && given.about === "results" ? results : day;
    try {
      need(isObject(given) && ["results", "day"].includes(given.about), "form");
      return about(given);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const shown = about === results && Array.isArray(given.rows) ? given.rows.filter(isObject) : [];
      const unproved = shown.map((row) => ({ ...row, why: error.message }));
      const open = about === results ? OPEN_OF_RESULTS : OPEN_OF_DAY;
      return said(null, error.message, null, [], [], unproved, [...open, "event"]);
    }
  }

  const said = (checkpoint, why, event, proved, partly, unproved, open) => ({
    accepted: why === "",
    why,
    key: checkpoint && checkpoint.key,
    size: checkpoint && checkpoint.size,
    root: checkpoint && checkpoint.root,
    event,
    proved,
    partly,
    unproved,
    not_proved: open,
  });

  // A player's page.

  function results(given) {
    const isRow = (row) => hasPlace(row) && isWhole(row.points);
    need(isNumber(given.player) && isList(given.rows, isRow), "form");
    need(isList(given.known, (one) => isRow(one) && isNumber(one.entry)), "form");
    need(isList(given.answers, (one) => isObject(one) && isNumber(one.session)), "form");
    const answers = new Map(given.answers.map((one) => [one.session, one.answer]));
    need(answers.size === given.answers.length, "form");
    const checkpoint = checkpointOf(given.checkpoint);
    const places = given.rows.map(placeOf);
    const isDouble = (place) => places.indexOf(place) !== places.lastIndexOf(place);
    const told = [...answers.values()].flatMap((one) => (isObject(one) && Array.isArray(one.results) ? one.results : []));
    const isShared = (entry) => told.filter((one) => isObject(one) && one.entry === entry).length > 1;
    const [proved, partly, unproved, events] = [[], [], [], new Set()];
    given.rows.forEach((row, at) => {
      try {
        need(!isDouble(places[at]), "twice");
        const answer = answers.has(row.session) ? answers.get(row.session) : "silent";
        need(!["silent", "refused"].includes(answer), answer);
        const opened = openedOf(answer, checkpoint);
        need(answer.size === checkpoint.size, "size");
        const fits = answer.results.filter((one) => one.table === row.table && one.deal === row.deal);
        need(fits.length < 2 && !(fits.length && isShared(fits[0].entry)), "twice");
        need(fits.length, "absent");
        const found = proof(row, fits[0], checkpoint, given.known);
        const missing = found.kind === "deal_result" ? [...PLACE, "seat"] : seatOf(opened, found) === given.player ? [] : ["seat"];
        events.add(eventOf(opened.map((one) => [one[5], () => parsed(one[6])])));
        if (missing.length) partly.push({ ...found, missing });
        else proved.push(found);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        unproved.push({ ...row, why: error.message });
      }
    });
    const event = events.size === 1 ? [...events][0] : null;
    const why = unproved.length ? unproved[0].why : partly.length ? "partly" : "";
    return said(checkpoint, why, event, proved, partly, unproved, event === null ? [...OPEN_OF_RESULTS, "event"] : OPEN_OF_RESULTS);
  }

  // The values of the entries that an answer shows whole; the answer has the form of one.
  function openedOf(answer, checkpoint) {
    const isResult = (one) =>
      isObject(one) && [one.table, one.deal, one.entry].every(isNumber) && [0, 1, 2, 3].includes(one.seat) &&
      [one.commitment, one.key].every(isHash) && isText(one.result) && areHashes(one.proof);
    need(isObject(answer) && isNumber(answer.size) && isList(answer.results, isResult), "form");
    if (answer.opened === undefined || answer.size !== checkpoint.size) return [];
    need(Array.isArray(answer.opened), "form");
    return answer.opened.map((one) => {
      need(isObject(one) && isNumber(one.entry) && isHash(one.key), "form");
      const row = parsed(one.text);
      need(Array.isArray(row) && row.length === 7 && JSON.stringify(row) === one.text, "form");
      need(row[0] === one.entry && isWhole(row[1]) && isUnit(row[2]) && row[3] === null && row[4] === null, "form");
      need(isText(row[5]) && isText(row[6]) && !RESULTS.includes(row[5]), "form");
      need(isHeld(one.entry, wholeLeaf(one.key, one.text), one.proof, checkpoint), "form");
      return row;
    });
  }

  const isHeld = (entry, leaf, path, checkpoint) => proofs.includes(entry - 1, checkpoint.size, leaf, path, checkpoint.root);

  // What is proved of a row by what was told of it.
  function proof(row, told, checkpoint, known) {
    const text = parsed(told.result);
    need(isList(text, () => true) && text.length === 7 && JSON.stringify(text) === told.result, "form");
    const [entry, kind, unit, session, table, deal, points] = text;
    need(arePoints(points) && isUnit(unit) && [session, table, deal].every((one) => one === null || isWhole(one)), "form");
    need(entry === told.entry, "entry");
    const isTables = kind === "deal_result";
    need(RESULTS.includes(kind) && !(isTables && unit === null), "kind");
    need(isHeld(entry, proofs.leafOf(told), told.proof, checkpoint), "leaf");
    const isThere = isTables ? session === null && table === null : placeOf({ session, table, deal }) === placeOf(row);
    need(isThere, "place");
    need(points[told.seat] === row.points, "points");
    const isOlder = (one) => one.entry > entry || (one.entry === entry && one.points !== row.points);
    need(!known.some((one) => placeOf(one) === placeOf(row) && isOlder(one)), "older");
    return { session: row.session, table: row.table, deal: row.deal, entry, kind, unit, points: row.points, seat: told.seat };
  }

  // The player who sits, by the latest plan of seats before its entry, where a result is said to be.
  function seatOf(opened, found) {
    let [latest, player] = [0, null];
    for (const [entry, , , , , kind, text] of opened) {
      if (kind !== "seats_planned" || entry >= found.entry || entry <= latest) continue;
      const plan = parsed(text);
      need(isObject(plan) && isNumber(plan.first) && Array.isArray(plan.sessions), "form");
      const session = plan.sessions[found.session - plan.first];
      if (session === undefined) continue;
      need(isObject(session) && isList(session.tables, (four) => isList(four, isNumber) && four.length === 4), "form");
      [latest, player] = [entry, (session.tables[found.table - 1] || [])[found.seat]];
    }
    return player;
  }

  // The name in the one `event_created`; null where there is none, or another number of them. Bodies are read late.
  function eventOf(entries) {
    const bodies = entries.filter(([kind]) => kind === "event_created").map(([, body]) => body());
    const name = bodies.length === 1 && isObject(bodies[0]) && isObject(bodies[0].format) ? bodies[0].format.name : null;
    return isText(name) ? name : null;
  }

  // A day: its extract, and what its page shows of it.

  function day(given) {
    const isPrinted = (value) => value === null || typeof value === "string";
    need(isText(given.text) && isPrinted(given.key) && isPrinted(given.checkpoint), "form");
    need(given.rows === null || Array.isArray(given.rows), "form");
    const { extract } = signedOf(given.text);
    const checkpoint = checkpointOf(extract.checkpoint);
    need(given.key === null || given.key === checkpoint.key, "key");
    need(given.checkpoint === null || given.checkpoint === checkpoint.printed, "checkpoint");
    const { signature } = parsed(given.text);
    const message = `Wallwright extract 1\n${proofs.hex(proofs.sha256(encoded(canonical(extract))))}\n`;
    need(ed25519.verify(checkpoint.keyBytes, proofs.bytes(signature), encoded(message)), "signature");
    const leaves = leavesOf(extract);
    need(rootOf(leaves, checkpoint.size, parts(extract.proof, 32)) === checkpoint.root, "leaf");
    for (const one of extract.since) {
      const before = checkpointOf(one.checkpoint, ["since", "since", "since"]);
      need(proofs.extends(before.size, checkpoint.size, before.root, checkpoint.root, parts(one.proof, 32)), "since");
    }
    extract.results.forEach((one) => checkPlace(one, extract));
    const all = rowsOf(extract);
    const shown = given.rows === null ? all : matched(given.rows, all);
    const [proved, partly] = [shown.filter((one) => !one.missing), shown.filter((one) => one.missing)];
    const event = eventOf(extract.entries.map(([, , , kind, body]) => [kind, () => body]));
    const open = [...OPEN_OF_DAY, ...(event === null ? ["event"] : []), ...(given.rows === null ? ["rows"] : [])];
    return said(checkpoint, "", event, proved, partly, [], open);
  }

  function signedOf(text) {
    const signed = parsed(text);
    need(has(signed, ["extract", "signature"]) && has(signed.extract, EXTRACT), "form");
    need(typeof signed.signature === "string" && /^[0-9a-f]{128}$/.test(signed.signature), "form");
    const { checkpoint, since, entries, stated, results, ...packed } = signed.extract;
    const isSaid = (one) =>
      isList(one, () => true) && one.length === 5 && isNumber(one[0]) && isWhole(one[1]) && isUnit(one[2]) && isText(one[3]) && isObject(one[4]);
    const isSince = (one) => has(one, ["checkpoint", "proof"]) && isText(one.checkpoint) && isText(one.proof);
    const isTold = (value) => isList(value, (one) => one === null || isWhole(one)) && value.length === 3;
    const isResult = (one) =>
      has(one, RESULT) && hasPlace(one) && isNumber(one.entry) && RESULTS.includes(one.kind) && isUnit(one.unit) && isTold(one.told) &&
      arePoints(one.points) && isList(one.winners, isWhole) && [one.at_ms, one.dealer, one.fines, one.next_dealer].every(isWhole) && isText(one.reason);
    need(isText(checkpoint) && isList(since, isSince) && isList(results, isResult), "form");
    need([entries, stated].every((list) => isList(list, isSaid)) && Object.values(packed).every(isText), "form");
    need(`${canonical(signed)}\n` === text, "text");
    return signed;
  }

  // By index from 0: the leaves of all that an extract shows, or states by its leaf.
  function leavesOf(extract) {
    const { entries, results, stated } = extract;
    const [keys, openings, leaves] = [parts(extract.keys, 32), parts(extract.openings, 64), parts(extract.leaves, 32)];
    need(keys.length === entries.length && openings.length === results.length && leaves.length === stated.length, "count");
    const told = [...entries, ...stated];
    const numbers = new Set([...told.map(([entry]) => entry), ...results.map((one) => one.entry)]);
    need(numbers.size === told.length + results.length, "double");
    need(!told.some(([, , , kind]) => RESULTS.includes(kind)), "kind");
    const found = new Map();
    entries.forEach(([entry, at, unit, kind, body], index) => {
      const text = JSON.stringify([entry, at, unit, null, null, kind, canonical(body)]);
      found.set(entry - 1, wholeLeaf(keys[index], text));
    });
    results.forEach((one, index) => {
      const result = JSON.stringify([one.entry, one.kind, one.unit, ...one.told, one.points]);
      found.set(one.entry - 1, proofs.leafOf({ commitment: openings[index].slice(0, 64), key: openings[index].slice(64), result }));
    });
    stated.forEach(([entry], index) => found.set(entry - 1, leaves[index]));
    return found;
  }

  // The root of a tree of so many leaves of which these are known, with the other hashes from the left to the right.
  function rootOf(leaves, size, hashes) {
    const known = [...leaves.keys()].sort((one, other) => one - other);
    need(known[known.length - 1] < size, "leaf");
    let next = 0;
    function between(start, end, low, high) {
      if (low === high) {
        need(next < hashes.length, "leaf");
        return hashes[next++];
      }
      if (end - start === 1) return leaves.get(start);
      let half = 1;
      while (half * 2 < end - start) half *= 2;
      let cut = low;
      while (known[cut] < start + half) cut++;
      return proofs.node(between(start, start + half, low, cut), between(start + half, end, cut, high));
    }
    const root = between(0, size, 0, known.length);
    need(next === hashes.length, "leaf");
    return root;
  }

  function checkPlace(one, { entries, stated }) {
    if (one.kind !== "deal_result") return need(one.told.join() === placeOf(one), "place");
    const isBound = ([entry, , , kind, body]) =>
      entry < one.entry && kind === "table_bound" && body.unit === one.unit && body.table === one.table;
    need(one.unit !== null && one.told[0] === null && one.told[1] === null && [...entries, ...stated].some(isBound), "place");
  }

  // The rows that there are, in the order of entries: docs/proofs.md, "Which rows are all".
  function rowsOf({ entries, results, stated }) {
    const undone = new Set([...entries, ...stated].filter(([, , , kind]) => kind === "act_undone").flatMap(([, , , , { entries }]) => (Array.isArray(entries) ? entries : [])));
    const annulled = stated.filter(([, , , kind]) => kind === "deal_annulled").map(([entry, , unit, kind, body]) => ({ ...body, entry, unit, kind }));
    need(annulled.every((one) => hasPlace(one) && arePoints(one.points)), "form");
    const all = [...results, ...annulled].filter((one) => !undone.has(one.entry)).sort((one, other) => one.entry - other.entry);
    const [standing, found] = [new Map(), []];
    for (const one of all) {
      const [place, replays] = [placeOf(one), one.rule === "replay"];
      const before = standing.get(place);
      if (one.kind !== "deal_annulled") need((one.kind === "result_corrected") === Boolean(before), "order");
      if (before && replays) found.push(before);
      standing.set(place, one);
      if (!replays) continue;
      found.push(one);
      standing.delete(place);
    }
    return [...found, ...standing.values()].sort((one, other) => one.entry - other.entry).map(shownOf);
  }

  function shownOf({ session, table, deal, entry, kind, unit, points }) {
    const missing = kind === "deal_annulled" ? [...PLACE, "points"] : kind === "deal_result" ? PLACE : [];
    return { session, table, deal, entry, kind, unit, points, ...(missing.length ? { missing } : {}) };
  }

  // Of each row that is shown, in its order, what is there of it; all have to be shown, once.
  function matched(rows, all) {
    const found = new Map(all.map((one) => [one.entry, one]));
    need(rows.length === all.length, "rows");
    return rows.map((row) => {
      need(hasPlace(row) && arePoints(row.points), "rows");
      const one = found.get(row.entry);
      need(one && placeOf(one) === placeOf(row) && one.points.join() === row.points.join(), "rows");
      found.delete(row.entry);
      return one;
    });
  }

  // What a printed checkpoint says that its key has signed; null for any other text.
  function checkpoint(printed) {
    try {
      const { keyBytes, ...found } = checkpointOf(printed);
      return found;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return null;
    }
  }

  return { verify, checkpoint };
})();
