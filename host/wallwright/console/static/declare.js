// A deal as a scorer taps it in: kongs, Hu and hands become the record that the API settles. What can have happened, and
// what it is worth, only the server says.
"use strict";

const desk = document.getElementById("declare");
const field = (name) => document.getElementById(name);
const chosen = (name) => field(name).selectedOptions[0].textContent;
const seat = (name) => Number(field(name).value);

let told = { events: [], hands: [], lines: [] };
const before = [];
let hand = bare();
let key = "";

function bare() {
  return { standing: [], melds: [], winning: null };
}

function picture(kind) {
  const button = document.createElement("button");
  button.type = "button";
  button.setAttribute("aria-label", kind);
  button.innerHTML = `<svg class="tile" aria-hidden="true"><use href="/static/tiles.svg#${kind}"/></svg>`;
  return button;
}

// A tile of the hand that is touched goes away again.
function showHand() {
  const place = field("hand");
  place.replaceChildren();
  const put = (kinds, away) => {
    const group = document.createElement("span");
    group.className = "tiles";
    for (const kind of kinds) {
      const button = picture(kind);
      button.addEventListener("click", () => {
        away(kind);
        showHand();
      });
      group.append(button);
    }
    if (kinds.length) place.append(group);
  };
  put(hand.standing, (kind) => hand.standing.splice(hand.standing.indexOf(kind), 1));
  hand.melds.forEach((meld, at) => {
    const kinds = Array.from(meld.tiles.slice(0, -1), (number) => number + meld.tiles.slice(-1));
    put(kinds, () => hand.melds.splice(at, 1));
  });
  if (hand.winning) put([hand.winning], () => (hand.winning = null));
}

function tap(kind) {
  const [number, suit] = kind;
  const mode = desk.querySelector("input[name=mode]:checked").value;
  if (mode === "standing") {
    hand.standing.push(kind);
    hand.standing.sort((one, other) => (one[1] + one[0] < other[1] + other[0] ? -1 : 1));
  } else if (mode === "winning") hand.winning = kind;
  else if (mode === "pung") hand.melds.push({ kind: "pung", tiles: number.repeat(3) + suit });
  else hand.melds.push({ kind: "kong", tiles: number.repeat(4) + suit, type: mode });
  showHand();
}

function shownHand() {
  const shown = { seat: seat("hand-seat"), standing: hand.standing.join("") };
  if (hand.melds.length) shown.melds = hand.melds;
  if (field("hand-void").value) shown.void = field("hand-void").value;
  return shown;
}

function note(line, change) {
  before.push(JSON.stringify(told));
  change();
  told.lines.push(line);
  hand = bare();
  showHand();
  showTold();
}

function showTold() {
  field("told").replaceChildren(
    ...told.lines.map((line) => {
      const item = document.createElement("li");
      item.textContent = line;
      return item;
    }),
  );
  field("settled").hidden = true;
}

function kong() {
  const event = { type: "kong", seat: seat("kong-seat"), kind: field("kong-kind").value };
  if (event.kind === "melded") event.from = seat("kong-from");
  if (field("kong-robbed").checked) event.robbed = true;
  if (field("kong-chain").checked) event.chain = true;
  note(`${chosen("kong-seat")}: ${chosen("kong-kind")}`, () => told.events.push(event));
  field("kong-robbed").checked = field("kong-chain").checked = false;
}

function hu() {
  const winner = { ...shownHand(), winning: hand.winning || "" };
  if (field("hu-sea").checked) winner.conditions = ["under_the_sea"];
  const event = { type: "hu", by: field("hu-by").value, winners: [winner] };
  if (event.by !== "self_drawn") event.from = seat("hu-from");
  if (field("hu-kong").checked) event.after_kong = true;
  const last = told.events.at(-1);
  const isSame = field("hu-same").checked && last && last.type === "hu";
  note(`${chosen("hand-seat")}: ${chosen("hu-by")} ${winner.winning}`, () =>
    isSame ? last.winners.push(winner) : told.events.push(event),
  );
  for (const name of ["hu-sea", "hu-kong", "hu-same"]) field(name).checked = false;
}

function atEnd() {
  const shown = shownHand();
  if (field("hand-only").checked) shown.only_void_discards = true;
  note(`${chosen("hand-seat")}: ${shown.standing}`, () => told.hands.push(shown));
  field("hand-only").checked = false;
}

function notReady() {
  note(`${chosen("hand-seat")}: 0`, () => told.hands.push({ seat: seat("hand-seat"), value: 0 }));
}

function back() {
  if (before.length) told = JSON.parse(before.pop());
  showTold();
}

function record() {
  return { events: told.events, hands: told.hands, end: field("end").value };
}

async function post(what, body) {
  const problem = field("declare-problem");
  problem.hidden = true;
  try {
    if (desk.dataset.corrects) body.corrects = Number(desk.dataset.corrects);
    const answer = await ask(`${desk.dataset.api}/${what}`, "POST", body, key);
    const found = await answer.json();
    if (answer.ok) return found;
    problem.textContent = found.problem;
    problem.hidden = false;
  } catch {
    say(document.body.dataset.unknown, true);
  }
  return null;
}

async function settle() {
  key = fresh();
  const found = await post("preview", { record: record() });
  if (!found) return;
  field("lines").replaceChildren(
    ...[...found.lines, ...found.irregular].map((line) => {
      const item = document.createElement("li");
      item.textContent = line;
      return item;
    }),
  );
  field("declare-reason").required = found.irregular.length > 0 || "corrects" in desk.dataset;
  field("settled").hidden = false;
}

async function enter() {
  if (!field("declare-reason").reportValidity()) return;
  const body = { record: record(), version: Number(desk.dataset.version), reason: field("declare-reason").value };
  if (await post("results", body)) location.assign(desk.dataset.next);
}

for (const [name, act] of Object.entries({
  "add-kong": kong, "add-hu": hu, "add-hand": atEnd, "add-not-ready": notReady, back, settle, enter,
}))
  field(name).addEventListener("click", act);
for (const button of desk.querySelectorAll("[data-kind]"))
  button.addEventListener("click", () => tap(button.dataset.kind));
field("end").addEventListener("change", showTold);
