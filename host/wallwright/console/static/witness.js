// Keeps the checkpoints and the results that a player's page has seen, in the browser, and checks by proofs that every
// later checkpoint extends them: the server cannot make another history without this page's warning. What the checks
// are is in proofs.js; which words are shown stands in the page.
"use strict";

(() => {
  const KEPT = 200; // checkpoints; each follows from the next one by a proof that was checked
  const DAYS_MS = 3 * 86_400_000; // an event of the same name next week is another one
  let place, newest;
  let kept;
  let line = Promise.resolve(); // what comes is looked at one after the other

  const empty = () => ({ seen: [], results: {}, broken: null });
  const name = () => `witness ${place.dataset.event}`;
  const last = () => kept.seen[kept.seen.length - 1];
  const element = (part) => place.querySelector(`[data-part="${part}"]`);

  function load() {
    try {
      kept = { ...empty(), ...JSON.parse(localStorage.getItem(name())) };
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
    const found = proofs.parse(told.checkpoint);
    if (kept.broken || (found && last() && found.printed === last().printed)) {
      newest = kept.broken ? newest : found;
    } else {
      const holds = found && (!last() || (await extended(last(), found, told)));
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

  const shownDeals = () => Array.from(document.querySelectorAll("[data-deal]"), ({ dataset }) => ({ ...dataset, points: Number(dataset.points) }));

  // Every result on the page that was not seen before has to be in the journal as it is shown.
  async function lookAtResults() {
    if (kept.broken || !newest) return;
    const fresh = shownDeals().filter((one) => !(kept.results[one.deal] || []).some((seen) => seen.points === one.points));
    for (const session of new Set(fresh.map((one) => one.session))) {
      const answer = await fetched(`/api/v1/checkpoint/results/${session}/${place.dataset.player}?size=${newest.size}`);
      if (!answer || answer.refused) continue; // the next checkpoint has it
      for (const one of fresh.filter((deal) => deal.session === session)) {
        const told = answer.results.find((found) => `${session}-${found.table}-${found.deal}` === one.deal);
        if (!told) continue;
        const leaf = proofs.leafOf(told);
        const said = JSON.parse(told.result);
        const isSo = said[0] === told.entry && said[6][told.seat] === one.points;
        if (isSo && proofs.includes(told.entry - 1, newest.size, leaf, told.proof, newest.root)) {
          (kept.results[one.deal] ||= []).push({ points: one.points, entry: told.entry, leaf, at_ms: Date.now() });
        } else {
          kept.broken = { what: "result", deal: one.deal, before: newest.printed, after: told.result, at_ms: Date.now() };
        }
      }
      store();
    }
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
      const values = { count: kept.seen.length, since: clock(kept.seen[0].at_ms), time: clock(last().at_ms), entries: last().size };
      element("state").textContent = say(place.dataset.state, values);
    }
    element("state").hidden = Boolean(kept.broken);
    element("prove").hidden = Boolean(kept.broken) || !held.length;
    const lines = Object.entries(kept.results).flatMap(([deal, seen]) => seen.map((one) => {
      const [session, table, number] = deal.split("-");
      const item = document.createElement("li");
      const points = (one.points > 0 ? "+" : "") + one.points;
      item.textContent = say(place.dataset.seen, { session, table, deal: number, points, time: clock(one.at_ms), entry: one.entry });
      return item;
    }));
    element("results").replaceChildren(...lines);
    element("seen").hidden = !lines.length;
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
