// Tapping a deal in: the form, the list of what is noted, and the points so far. What is noted is kept on this device
// until it is entered, so that a reload, a lost connection or a closed phone loses nothing.
"use strict";

const desk = document.getElementById("declare");
const setup = JSON.parse(desk.dataset.setup);
const words = JSON.parse(desk.dataset.words);
const field = (name) => document.getElementById(name);
const KEPT_MS = 24 * 3600 * 1000;
// Counts up with what is kept of a deal, so that an older page's is not read.
const KEPT_FORM = 3;

let deal = bareDeal(setup);
let key = fresh();
let asked = 0;
let settled = null;
// What is being entered, under which key, until there is an answer.
let pending = null;

function keep() {
  try {
    localStorage.setItem(setup.keep, JSON.stringify({ form: KEPT_FORM, at: Date.now(), dealer: setup.dealer, deal, key, pending }));
  } catch {
    // A browser that keeps nothing still enters deals.
  }
}

function restore() {
  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem(setup.keep));
  } catch {
    return;
  }
  if (!kept || kept.form !== KEPT_FORM || Date.now() - kept.at > KEPT_MS) return;
  ({ deal, key, pending = null } = kept);
  // Whose turn it is to deal may have changed with a correction meanwhile.
  if (deal.dealer === kept.dealer) deal.dealer = setup.dealer;
  field("restored").hidden = false;
}

function forget() {
  try {
    localStorage.removeItem(setup.keep);
  } catch {
    // Nothing was kept.
  }
}

function tell(place, text) {
  field(place).textContent = text;
  field(place).hidden = !text;
}

function tile(kind) {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("class", "tile");
  picture.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `/static/tiles.svg#${kind}`);
  picture.append(use);
  return picture;
}

const spoken = (kind) => desk.querySelector(`[data-kind="${kind}"]`).getAttribute("aria-label");

function sayItem({ list, one, event }) {
  if (one.type && one.type !== "kong") {
    return one.from === undefined ? words[one.type] : `${words[one.type]} ← ${setup.players[one.from]}`;
  }
  if (one.type === "kong") return `${words[one.kind]}${one.robbed ? `, ${words.robbed}` : ""}`;
  if (list === "hands") {
    const told = one.value === 0 ? words.not_ready : one[setup.form.value_key] === undefined ? "" : `${words.value} ${one[setup.form.value_key]}`;
    return told || (one.standing === undefined ? words.sets : words.hand);
  }
  const items = one.items && one.items.map((name) => words.items[name]).join(" ");
  const value = one[setup.form.value_key];
  const worth = value !== undefined ? `, ${words.value} ${value}` : items ? `, ${items}` : "";
  return `${one.false ? words.false : words.hu}, ${words[event.by]}${worth}`;
}

function textIn(name, text) {
  return Object.assign(document.createElement(name), { textContent: text });
}

function showTold() {
  const items = itemsOf(deal).map((item) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(textIn("small", setup.players[item.one.seat]), textIn("span", sayItem(item)));
    button.title = words.change;
    button.setAttribute("aria-pressed", String(isEdited(item)));
    if (item.one.winning) button.lastChild.append(tile(item.one.winning));
    button.addEventListener("click", () => edit(item));
    const line = document.createElement("li");
    line.append(button);
    return line;
  });
  field("told").replaceChildren(...(items.length ? items : [textIn("li", words.nothing)]));
  field("told").scrollTop = field("told").scrollHeight;
  const missing = handsMissing(deal, setup).map((seat) => setup.players[seat]);
  tell("missing", missing.length ? `${words.missing} ${missing.join(", ")}` : "");
}

function isEdited(item) {
  const { list, at, winner } = deal.editing || {};
  return list === item.list && at === item.at && winner === item.winner;
}

// A tile of the hand that is touched goes away again.
function showHand() {
  const draft = deal.draft;
  const groups = [];
  const put = (kinds, away) => {
    const group = document.createElement("span");
    for (const kind of kinds) {
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("aria-label", spoken(kind));
      button.append(tile(kind));
      button.addEventListener("click", () => change(() => away(kind)));
      group.append(button);
    }
    if (kinds.length) groups.push(group);
  };
  put(draft.flowers, (kind) => draft.flowers.splice(draft.flowers.indexOf(kind), 1));
  put(draft.standing, (kind) => {
    draft.standing.splice(draft.standing.indexOf(kind), 1);
    draft.mode = "standing";
  });
  draft.melds.forEach((meld, at) => {
    put(kindsOf(meld.tiles), () => {
      draft.melds.splice(at, 1);
      draft.mode = "standing";
    });
  });
  if (draft.winning && draft.way === "hu") {
    put([draft.winning], () => (draft.winning = ""));
    groups.at(-1).className = "won";
  }
  field("hand").replaceChildren(...groups);
  const isHu = draft.way === "hu";
  const count = tileCount(draft) + (isHu && draft.winning ? 1 : 0);
  field("count").textContent = draft.given === "sets" ? "" : `${count} / ${setup.form.hand + (isHu ? 1 : 0)}`;
  for (const button of desk.querySelectorAll("[data-kind]")) {
    button.disabled = isUsedUp(draft, button.dataset.kind, setup.form);
  }
}

function show() {
  const parts = partsOf(deal, setup);
  for (const part of desk.querySelectorAll("[data-part]")) {
    const name = part.dataset.part;
    part.hidden = !parts[name];
    for (const input of part.querySelectorAll(`input[name="${name}"]`)) {
      const value = name === "end" || name === "dealer" ? deal[name] : name in deal.begin ? deal.begin[name] : deal.draft[name];
      if (input.type === "number") {
        if (input !== document.activeElement) input.value = value ?? "";
        continue;
      }
      input.checked = input.type === "checkbox" ? value === true : String(value) === input.value && value !== null;
      input.disabled = isClosed(deal, name, input.value, setup);
      if (name === "given" || name === "mode") input.parentElement.hidden = input.disabled;
      if (name === "seat") input.parentElement.classList.toggle("deals", Number(input.value) === deal.dealer);
    }
  }
  showHand();
  showItems(parts);
  desk.classList.toggle("tapping", parts.hand || deal.editing !== null);
  field("note").textContent = deal.editing ? words.save : words.note[deal.draft.way] || words.note_it;
  field("note").hidden = deal.draft.way === "end" && !parts.seat;
  field("drop").hidden = field("leave").hidden = !deal.editing;
  if (field("deal")) field("deal").value = deal.deal;
  field("reason").value = deal.reason;
  field("referee").value = deal.draft.referee;
}

// The items of the hand with what they come to, those that follow from what was noted before among them.
function showItems(parts) {
  for (const input of desk.querySelectorAll("[name=item]")) {
    input.checked = deal.draft.items.includes(input.value);
    input.disabled = !input.checked && isApart(deal, setup, input.value);
  }
  for (const input of desk.querySelectorAll("[name=roots]")) {
    input.checked = Number(input.value) === deal.draft.roots;
    input.disabled = input.value !== "0" && isApart(deal, setup, input.dataset.item);
  }
  if (!parts.items) return;
  const fans = fansOf(deal, setup);
  const implied = impliedItems(deal, setup).map(({ item }) => words.items[item]);
  const told = fans === 1 ? words.fan : words.fans.replace("{fans}", fans);
  field("worth-sum").textContent = `${told} = ${setup.form.worth[Math.min(fans, setup.form.worth.length - 1)]}`;
  field("worth-implied").textContent = implied.length ? `${words.implied} ${implied.join(", ")}` : "";
}

// Something of the form or the deal has changed; `isDeal` when it may come to other points.
function change(act, isDeal) {
  act();
  tell("form-problem", "");
  keep();
  show();
  if (isDeal) {
    key = fresh();
    showTold();
    settle();
  }
}

function nextDraft() {
  const missing = handsMissing(deal, setup);
  const way = endOf(deal, setup.form) ? "end" : "hu";
  deal.draft = bareDraft(setup.form, way, deal.referee);
  deal.editing = null;
  if (way === "end" && missing.length) choose(missing[0]);
}

function choose(seat) {
  deal.draft.seat = seat;
  if (!deal.draft.void) deal.draft.void = deal.voids[seat] || "";
}

function note() {
  const lack = lacks(deal, setup);
  if (lack) {
    tell("form-problem", words[lack]);
    return;
  }
  change(() => {
    noteDraft(deal, setup);
    nextDraft();
  }, true);
  field("what-title").scrollIntoView({ block: "nearest" });
}

function edit(item) {
  change(() => {
    deal.draft = draftOf(item, setup, deal.referee);
    deal.editing = { list: item.list, at: item.at, winner: item.winner };
  });
  showTold();
  field("what-title").scrollIntoView({ block: "start" });
}

async function settle() {
  const mine = ++asked;
  settled = null;
  field("finish").hidden = true;
  showDoubts([]);
  if (isOver(deal, setup.form) && !isWhole(deal, setup)) {
    field("points").hidden = true;
    return;
  }
  tell("problem", "");
  const found = await preview(mine);
  if (mine !== asked) return;
  field("points").hidden = !found;
  if (!found) return;
  const isEnd = isWhole(deal, setup);
  field("points-title").textContent = isEnd ? words.result : words.so_far;
  field("points").querySelectorAll("b").forEach((place, seat) => {
    const points = found.points[seat];
    place.textContent = points > 0 ? `+${points}` : points;
    place.className = points > 0 ? "plus" : points < 0 ? "minus" : "";
  });
  if (!isEnd) return;
  settled = found;
  const lines = (texts) => texts.map((text) => textIn("li", text));
  const allowed = [...found.irregular, ...found.unproved];
  field("lines").replaceChildren(...lines(found.lines));
  field("irregular").replaceChildren(...lines(allowed));
  field("irregular").hidden = !allowed.length;
  field("reason").required = found.irregular.length > 0 || setup.corrects !== null;
  field("why-part").hidden = !field("reason").required;
  field("approval").hidden = !allowed.length && setup.corrects === null;
  field("finish").hidden = false;
}

const acts = {
  way: (value) => {
    deal.draft = bareDraft(setup.form, value, deal.referee);
    if (value === "end") nextEnd();
    else deal.draft.same = isOver(deal, setup.form) && sameTile(deal, setup.form) !== null && value === "hu";
  },
  end: (value) => {
    deal.end = value;
    nextEnd();
  },
  seat: (value) => choose(Number(value)),
  from: (value) => (deal.draft.from = Number(value)),
  value: (value) => (deal.draft.value = Number(value)),
  item: (value, on) => toggleItem(deal.draft, value, on, setup.form),
  roots: (value) => (deal.draft.roots = Number(value)),
  dealer: (value) => (deal.dealer = Number(value)),
  same: (_, on) => {
    deal.draft.same = on;
    if (on) deal.draft.winning = sameTile(deal, setup.form).winners[0].winning || "";
  },
  given: (value) => {
    deal.draft.given = value;
    deal.draft.mode = value === "sets" ? "pung" : "standing";
  },
};

function nextEnd() {
  const missing = handsMissing(deal, setup);
  if (missing.length) choose(missing[0]);
}

desk.addEventListener("change", (event) => {
  const { name, value, type, checked, id } = event.target;
  if (id === "deal") change(() => (deal.deal = Number(value)), true);
  else if (name in deal.begin) change(() => (deal.begin[name] = value), true);
  else if (type === "number") return;
  else if (name in acts) change(() => acts[name](value, checked), name === "end" || name === "dealer");
  else if (name && name !== "referee") change(() => (deal.draft[name] = type === "checkbox" ? checked : value));
});
// At once, not when it is left: what moves then would move from under the finger.
field("referee").addEventListener("input", (event) => {
  deal.draft.referee = event.target.value;
  tell("form-problem", "");
  keep();
});
for (const input of desk.querySelectorAll("input[type=number][name=value]"))
  input.addEventListener("input", () => change(() => (deal.draft.value = input.value === "" ? null : Number(input.value))));
field("reason").addEventListener("input", (event) => {
  deal.reason = event.target.value;
  key = fresh();
  keep();
});
for (const button of desk.querySelectorAll("[data-kind]"))
  button.addEventListener("click", () => {
    change(() => addTile(deal.draft, button.dataset.kind, setup.form));
    if (isWholeHand(deal.draft, setup.form)) field("note").scrollIntoView({ block: "center" });
  });
field("note").addEventListener("click", note);
field("drop").addEventListener("click", () =>
  change(() => {
    removeItem(deal, deal.editing);
    nextDraft();
  }, true),
);
field("leave").addEventListener("click", () => {
  change(nextDraft);
  showTold();
});
field("anew").addEventListener("click", () => {
  forget();
  location.reload();
});


document.addEventListener("DOMContentLoaded", () => {
  restore();
  show();
  showTold();
  if (pending) resume();
  else settle();
});
