// Keeps the checkpoints and the results that a player's page has seen, in the browser, and checks by proofs that every
// later checkpoint extends them: the server cannot make another history without this page's warning. What is proved of a
// result verdict.js says (docs/proofs.md); which words are shown stands in the page.
"use strict";

(() => {
  const KEPT = 200; // checkpoints; each follows from the next one by a proof that was checked
  const DAYS_MS = 3 * 86_400_000; // an event of the same name next week is another one
  let place, newest;
  let kept;
  let unproved = []; // what the page shows now and nothing proves
  let line = Promise.resolve(); // what comes is looked at one after the other

  const OPEN = ["silent", "refused", "absent", "size", "older"]; // nothing is contradicted, and nothing proved

  const empty = () => ({ version: 2, seen: [], results: {}, broken: null });
  const name = () => `witness ${place.dataset.event}`;
  const last = () => kept.seen[kept.seen.length - 1];
  const element = (part) => place.querySelector(`[data-part="${part}"]`);

  function load() {
    try {
      const found = JSON.parse(localStorage.getItem(name()));
      // What an older page took for proved is proved anew.
      kept = { ...empty(), ...found, ...(found && found.version !== 2 ? { version: 2, results: {} } : {}) };
    } catch {
      kept = empty();
    }
    if (kept.seen.length && last().at_ms < Date.now() - DAYS_MS) kept = empty();
  }

  function store() {
    try {
      localStorage.setItem(name(), JSON.stringify(kept));
    } catch {
      // A private window may keep nothing; this page still checks as long as it is open.
    }
  }

  const clock = (ms) => new Date(ms).toLocaleTimeString(place.dataset.lang, { hour: "2-digit", minute: "2-digit", hour12: false });
  const say = (text, values) => text.replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);

  // null when the server cannot be reached, an Error's text when it answers that there is no such thing.
  async function fetched(path) {
    let answer;
    try {
      answer = await fetch(path, { credentials: "same-origin" });
      if (answer.status >= 500 || answer.status === 429) return null;
      return answer.ok ? await answer.json() : { refused: true };
    } catch {
      return answer && answer.ok ? { refused: true } : null;
    }
  }

  async function extended(before, after, told) {
    if (after.size < before.size) return false;
    if (told.before === before.size && proofs.extends(before.size, after.size, before.root, after.root, told.proof)) return true;
    if (before.size === after.size) return before.root === after.root;
    const found = await fetched(`/api/v1/checkpoint/consistency?first=${before.size}&second=${after.size}`);
    return found && proofs.extends(before.size, after.size, before.root, after.root, found.proof);
  }

  async function take(told) {
    const found = verdict.checkpoint(told.checkpoint);
    if (kept.broken || (found && last() && found.printed === last().printed)) {
      newest = kept.broken ? newest : found;
    } else {
      // One that its key has not signed is no history.
      const holds = Boolean(found) && (!last() || (await extended(last(), found, told)));
      if (holds === null) return; // asked again with the next one
      if (holds) {
        newest = found;
        kept.seen.push({ ...found, at_ms: Date.now() });
        kept.seen.splice(1, Math.max(0, kept.seen.length - KEPT));
      } else {
        kept.broken = { what: "history", before: last() && last().printed, after: String(told.checkpoint), at_ms: Date.now() };
      }
      store();
    }
    await lookAtResults();
    show();
  }

  // What somebody reads has to be what a program reads, or the deal has no points.
  const shownDeals = () => Array.from(document.querySelectorAll("[data-deal]"), (node) => {
    const [session, table, deal] = node.dataset.deal.split("-").map(Number);
    const heading = node.closest("tr")?.previousElementSibling?.querySelector("th")?.textContent.match(/\d+/) || [];
    const [number, points, ...rest] = [...heading, ...(node.textContent.match(/[+-]?\d+/g) || [])].slice(1).map(Number);
    const isSeen = Number(heading[0]) === session && number === deal && points === Number(node.dataset.points) && !rest.length;
    return { session, table, deal, points: isSeen ? points : NaN };
  });

  const keyOf = (one) => `${one.session}-${one.table}-${one.deal}`;
  const latest = (deal) => (kept.results[deal] || []).reduce((last, one) => (last && last.entry > one.entry ? last : one), null);

  // Every result on the page has to be what is known last of its deal, or be proved now. What is not is shown, and asked
  // for again with the next checkpoint.
  async function lookAtResults() {
    if (kept.broken) return;
    const fresh = shownDeals().filter((one) => latest(keyOf(one))?.points !== one.points);
    unproved = fresh.map((one) => ({ ...one, why: "silent" }));
    if (!fresh.length || !newest) return;
    const answers = [];
    for (const session of new Set(fresh.map((one) => one.session))) {
      const answer = await fetched(`/api/v1/checkpoint/results/${session}/${place.dataset.player}?size=${newest.size}`);
      answers.push({ session, answer: answer === null ? "silent" : answer.refused ? "refused" : answer });
    }
    const known = Object.entries(kept.results).flatMap(([deal, seen]) => {
      const [session, table, number] = deal.split("-").map(Number);
      return seen.map((one) => ({ session, table, deal: number, entry: one.entry, points: one.points }));
    });
    const player = Number(place.dataset.player);
    const found = verdict.verify({ about: "results", checkpoint: newest.printed, player, rows: fresh, answers, known });
    for (const one of [...found.proved, ...found.partly]) {
      const told = answers.find((each) => each.session === one.session).answer.results.find((each) => each.entry === one.entry);
      const { points, entry, seat, unit, missing } = one;
      (kept.results[keyOf(one)] ||= []).push({ points, entry, seat, unit, missing, leaf: proofs.leafOf(told), at_ms: Date.now() });
    }
    unproved = found.unproved;
    const wrong = unproved.find((one) => !OPEN.includes(one.why));
    if (wrong) {
      const after = `${keyOf(wrong)}: ${wrong.points} (${wrong.why})`;
      kept.broken = { what: "result", deal: keyOf(wrong), before: newest.printed, after, at_ms: Date.now() };
    }
    store();
  }

  // The proofs are asked for anew, and looked at here: what the server says of them counts for nothing.
  async function prove() {
    const held = Object.entries(kept.results).flatMap(([deal, seen]) => seen.map((one) => ({ deal, ...one })));
    for (const one of held) {
      const found = await fetched(`/api/v1/checkpoint/inclusion/${one.entry}?size=${newest.size}`);
      if (found === null) return null;
      if (!proofs.includes(one.entry - 1, newest.size, one.leaf, found.proof, newest.root)) {
        kept.broken = { what: "result", deal: one.deal, before: newest.printed, after: "", at_ms: Date.now() };
        store();
        return false;
      }
    }
    return true;
  }

  function show() {
    place.hidden = !kept.seen.length && !kept.broken;
    const alarm = document.getElementById("witness-alarm");
    alarm.hidden = !kept.broken;
    if (kept.broken) {
      const text = kept.broken.what === "history" ? place.dataset.history : place.dataset.result;
      alarm.querySelector("b").textContent = say(text, { time: clock(kept.broken.at_ms) });
      alarm.querySelector("code").textContent = [kept.broken.before, kept.broken.after].filter(Boolean).join("\n");
    }
    const held = Object.values(kept.results).flat();
    if (kept.seen.length) {
      const keys = [...new Set(kept.seen.map((one) => one.key))].join(", ");
      const values = { count: kept.seen.length, since: clock(kept.seen[0].at_ms), time: clock(last().at_ms), entries: last().size, key: keys };
      element("state").textContent = say(place.dataset.state, values);
    }
    element("state").hidden = Boolean(kept.broken);
    element("prove").hidden = Boolean(kept.broken) || !held.length;
    const lines = Object.entries(kept.results).flatMap(([deal, seen]) => seen.map((one) => ({ deal, ...one }))).map(lineOf);
    element("open").textContent = unproved.length ? say(place.dataset.open, { count: unproved.length, deals: unproved.map(keyOf).join(", ") }) : "";
    element("results").replaceChildren(...lines);
    element("seen").hidden = !lines.length;
    if (!lines.length) element("proved").textContent = "";
  }

  // A sentence of what is proved of a result, and of what is not.
  function lineOf(one) {
    const [session, table, deal] = one.deal.split("-");
    const missing = one.missing || [];
    const text = one.unit && missing.includes("table") ? place.dataset.board : place.dataset.seen;
    const points = (one.points > 0 ? "+" : "") + one.points;
    const seat = place.dataset.seats.split(" ")[one.seat];
    const item = document.createElement("li");
    item.textContent = say(text, { session, table, deal, points, seat, unit: one.unit, time: clock(one.at_ms), entry: one.entry });
    if (missing.length) item.append(` ${missing.includes("table") ? place.dataset.noPlace : place.dataset.noSeat}`);
    return item;
  }

  document.addEventListener("DOMContentLoaded", () => {
    place = document.getElementById("witness");
    load();
    show();
    element("forget").addEventListener("click", () => {
      kept = empty();
      store();
      element("proved").textContent = "";
      if (newest) kept.seen.push({ ...newest, at_ms: Date.now() });
      show();
    });
    element("prove").addEventListener("click", () => {
      line = line.then(async () => {
        const isSo = await prove();
        const values = { count: Object.values(kept.results).flat().length, time: clock(Date.now()), entries: newest ? newest.size : 0 };
        element("proved").textContent = isSo ? say(place.dataset.proved, values) : isSo === null ? place.dataset.away : "";
        show();
      });
    });
  });
  document.addEventListener("htmx:sseOpen", (event) => {
    event.detail.source.addEventListener("checkpoint", (told) => {
      line = line.then(() => take(JSON.parse(told.data)));
    });
  });
  document.addEventListener("htmx:sseMessage", (event) => {
    if (event.detail.type === "player") line = line.then(lookAtResults).then(show);
  });
})();
