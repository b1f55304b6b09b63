// A deal as far as it has been noted, and the form before it becomes the next item of it: plain values, no page.
// What can have happened, what belongs to it and what it is worth, only the server says: `setup.form` is what
// rules/core/form.py describes, and no rule of a game is here.
"use strict";

function bareDraft(form, way, referee = "") {
  const answers = Object.entries(form.questions).map(([name, { choices, first }]) => [name, choices.length ? first : false]);
  return {
    way, seat: null, kind: "concealed", by: "self_drawn", from: null, same: false, after_kong: false, sea: false,
    robbed: false, chain: false, given: form.given[way] || "tiles", items: [], roots: 0, value: null, referee, void: "", found: false, only: false,
    mode: "standing", standing: [], melds: [], winning: "", flowers: [], ...Object.fromEntries(answers),
  };
}

// Every kong, breach, winner and hand by itself, as it is listed.
function itemsOf(deal) {
  const items = [];
  deal.events.forEach((event, at) => {
    if (event.type !== "hu") items.push({ list: "events", at, one: event });
    else event.winners.forEach((one, winner) => items.push({ list: "events", at, winner, one, event }));
  });
  deal.hands.forEach((one, at) => items.push({ list: "hands", at, one }));
  return items;
}

function outBefore(deal, at = deal.events.length) {
  return deal.events.slice(0, at).flatMap((event) => (event.winners || []).map((winner) => winner.seat));
}

// Who is still in the deal.
function playing(deal, form) {
  const out = form.winners_leave ? outBefore(deal) : [];
  return [0, 1, 2, 3].filter((seat) => !out.includes(seat));
}

// An event that ends the deal by itself.
const ender = (deal, form) => deal.events.find((event) => event.type in form.enders);

const isOver = (deal, form) => outBefore(deal).length >= form.winners || ender(deal, form) !== undefined;

function endOf(deal, form) {
  const last = ender(deal, form);
  return last ? form.enders[last.type] : isOver(deal, form) ? form.over : deal.end;
}

const handsOpen = (deal, form) => playing(deal, form).filter((seat) => !deal.hands.some((hand) => hand.seat === seat));

function handsMissing(deal, { form }) {
  return form.hands_at.includes(endOf(deal, form)) ? handsOpen(deal, form) : [];
}

function isWhole(deal, setup) {
  return endOf(deal, setup.form) !== "" && handsMissing(deal, setup).length === 0;
}

function lastBefore(deal, at, form) {
  return deal.events.slice(0, at).findLast((event) => !form.parts_nothing.includes(event.type));
}

function place(deal) {
  return deal.editing ? deal.editing.at : deal.events.length;
}

// The Hu on whose tile another one may follow.
function sameTile(deal, form) {
  const last = deal.events.at(-1);
  const isOpen = form.many ? outBefore(deal).length < 3 : !isOver(deal, form);
  return !deal.editing && last && last.type === "hu" && !form.own.includes(last.by) && isOpen ? last : null;
}

const hasKong = (event, seat) => event.type === "kong" && event.seat === seat && !event.robbed;

// What the conditions of the form are held against; rules/core/form.py says what each fact is.
function factsOf(deal, setup) {
  const { form } = setup;
  const { draft } = deal;
  const end = endOf(deal, form);
  const shares = sameTile(deal, form);
  const shared = draft.same ? shares : null;
  const { by, after_kong } = shared || draft;
  const last = lastBefore(deal, place(deal), form);
  const isEnded = draft.way === "end" && end !== "";
  const facts = {
    ...draft, by, after_kong: after_kong === true, same: shared !== null, shares: shares !== null, editing: deal.editing !== null,
    end: deal.end, over: isOver(deal, form),
    shown: deal.editing !== null || (isEnded && handsOpen(deal, form).length > 0),
    missing: handsMissing(deal, setup).length > 0,
    last: last ? last.type : "",
    last_own: last !== undefined && last.seat === draft.seat,
    last_turn: last !== undefined && last.seat === (form.own.includes(by) ? draft.seat : draft.from),
    last_lost: last !== undefined && last.robbed === true && last.chain !== true,
  };
  for (const { type } of Object.values(form.sets)) {
    if (type) facts[`has_${type}`] = deal.events.some((one) => hasKong(one, draft.seat) && one.kind === type);
  }
  return facts;
}

const fits = (condition, facts) =>
  condition.some((all) => Object.entries(all).every(([name, values]) => values.includes(facts[name])));

// Which parts of the form belong to what is being noted.
function partsOf(deal, setup) {
  const facts = factsOf(deal, setup);
  return Object.fromEntries(Object.entries(setup.form.parts).map(([name, part]) => [name, fits(part.shown, facts)]));
}

// The items that follow from what is noted besides the hand: declared kongs, and how the winning tile came.
function impliedItems(deal, setup) {
  const facts = factsOf(deal, setup);
  const kongs = deal.events.slice(0, place(deal)).filter((one) => hasKong(one, deal.draft.seat));
  return setup.form.implied.flatMap((one) => (one.per_kong ? kongs.map(() => one) : fits(one.applies, facts) ? [one] : []));
}

// An item that may be there several times is counted, and there is one such at most.
function itemsOfDraft(draft, form) {
  const counted = Object.keys(form.items).find((name) => form.items[name].most > 1);
  return [...Array(draft.roots).fill(counted), ...draft.items];
}

function fansOf(deal, setup) {
  const own = itemsOfDraft(deal.draft, setup.form).map((name) => setup.form.items[name]);
  return [...own, ...impliedItems(deal, setup)].reduce((sum, one) => sum + one.fans, 0);
}

// Whether a hand cannot have an item beside those that it has.
function isApart(deal, setup, name) {
  const { items } = setup.form;
  const names = [...itemsOfDraft(deal.draft, setup.form), ...impliedItems(deal, setup).map((one) => one.item)];
  const apart = (one) => (items[one] ? items[one].apart : []);
  return names.some((one) => one !== name && (apart(name).includes(one) || apart(one).includes(name)));
}

// With an item come those that it brings, and without one of them it goes.
function toggleItem(draft, name, on, form) {
  const others = draft.items.filter((one) => one !== name && (on || !form.items[one].brings.includes(name)));
  const brought = on ? form.items[name].brings.filter((one) => !others.includes(one)) : [];
  draft.items = on ? [...others, name, ...brought] : others;
}

// Which of the choices of the form cannot be meant now.
function isClosed(deal, name, value, setup) {
  const { form } = setup;
  if (name === "seat" || name === "from") return isSeatClosed(deal, name, Number(value), form);
  const closed = form.parts[name] && form.parts[name].closed[value];
  return closed !== undefined && fits(closed, factsOf(deal, setup));
}

function isSeatClosed(deal, name, seat, form) {
  const { draft } = deal;
  const leave = form.winners_leave && (draft.way === "hu" || draft.way === "end" || form.record !== "winner");
  const out = leave ? outBefore(deal, deal.editing && draft.way !== "end" ? place(deal) : undefined) : [];
  if (name === "seat" && draft.way === "end") {
    return out.includes(seat) || (!deal.editing && deal.hands.some((hand) => hand.seat === seat));
  }
  return (!(deal.editing && draft.way === "hu") && out.includes(seat)) || (name === "from" && seat === draft.seat);
}

function tileCount(draft) {
  return draft.standing.length + 3 * draft.melds.length;
}

function isWholeHand(draft, form) {
  return tileCount(draft) === form.hand && (draft.way !== "hu" || draft.winning !== "");
}

// Tiles as the rules write them, 123m55s, one by one: 1m 2m 3m 5s 5s.
const kindsOf = (text) =>
  Array.from((text || "").matchAll(/(\d+)([a-z])/g)).flatMap(([, ranks, suit]) => Array.from(ranks, (rank) => rank + suit));

function written(kinds, form) {
  const suits = [...new Set(form.tiles.flat().map(([kind]) => kind[1]))];
  const ranks = (suit) => kinds.filter((kind) => kind[1] === suit).map((kind) => kind[0]).join("");
  return suits.map((suit) => (ranks(suit) ? ranks(suit) + suit : "")).join("");
}

// The tiles that a tap adds: one, or those of a set that begins with it.
function tapped(draft, kind, form) {
  const set = form.sets[draft.mode];
  if (!set || kind[1] === form.beside) return [kind];
  return Array.from({ length: set.run }, (_, more) => Array(set.alike).fill(Number(kind[0]) + more + kind[1])).flat();
}

// Whether a tap would take more tiles of a kind than there are.
function isUsedUp(draft, kind, form) {
  const there = Object.fromEntries(form.tiles.flat());
  const winning = draft.winning && draft.mode !== "winning" ? [draft.winning] : [];
  const set = form.sets[draft.mode];
  if (set && kind[1] !== form.beside && !set.letters.includes(kind[1])) return true;
  const held = [...draft.standing, ...draft.flowers, ...draft.melds.flatMap((meld) => kindsOf(meld.tiles)), ...winning];
  const all = [...held, ...tapped(draft, kind, form)];
  return tapped(draft, kind, form).some((one) => all.filter((other) => other === one).length > (there[one] || 0));
}

// A tap on a tile: into the hand, and on to what is wanted next.
function addTile(draft, kind, form) {
  const set = form.sets[draft.mode];
  const order = form.tiles.flat().map(([one]) => one);
  if (kind[1] === form.beside) draft.flowers = order.filter((one) => one === kind || draft.flowers.includes(one));
  else if (set) {
    const meld = { kind: set.kind, tiles: written(tapped(draft, kind, form), form) };
    draft.melds.push(set.type ? { ...meld, type: set.type } : meld);
  } else if (draft.mode === "winning") draft.winning = kind;
  else {
    draft.standing.push(kind);
    draft.standing.sort((one, other) => order.indexOf(one) - order.indexOf(other));
  }
  if (draft.given !== "sets") draft.mode = draft.way === "hu" && tileCount(draft) >= form.hand ? "winning" : "standing";
}

function shownHand(draft, form, parts) {
  const hand = { seat: draft.seat };
  if (draft.given === "tiles") hand.standing = written(draft.standing, form);
  if (draft.given === "tiles" && draft.way === "hu") hand.winning = draft.winning;
  if (["tiles", "sets"].includes(draft.given)) {
    if (draft.melds.length) hand.melds = draft.melds;
    if (draft.void) hand.void = draft.void;
  }
  if (draft.given === "tiles" && draft.flowers.length) hand.flowers = draft.flowers;
  if (draft.given === "items") hand.items = itemsOfDraft(draft, form);
  if (draft.given === "value") hand[form.value_key] = draft.value;
  if (draft.given === "zero") hand.value = 0;
  for (const [name, { key }] of questionsTo(form, "hand")) if (parts[name] && draft[name]) hand[key] = draft[name];
  const conditions = questionsTo(form, "conditions").filter(([name]) => parts[name] && draft[name]);
  if (conditions.length) hand.conditions = conditions.map(([, { key }]) => key);
  return hand;
}

// What is missing in the form before it can be noted, as the name of a sentence; empty when nothing is.
function lacks(deal, setup) {
  const { draft } = deal;
  const isFilled = {
    end: () => deal.end !== "",
    seat: () => draft.seat !== null && !isClosed(deal, "seat", draft.seat, setup),
    from: () => draft.from !== null && draft.from !== draft.seat,
    value: () => draft.value !== null,
    referee: () => draft.referee.trim() !== "",
    ...Object.fromEntries(questionsTo(setup.form, "deal").map(([name]) => [name, () => deal.begin[name] !== ""])),
    hand: () => draft.given !== "tiles" || (tileCount(draft) > 0 && (draft.way !== "hu" || draft.winning !== "")),
  };
  const parts = partsOf(deal, setup);
  const open = Object.keys(isFilled).find((name) => (parts[name] || name === "seat") && !isFilled[name]());
  return open ? setup.form.parts[open].needs : "";
}

// The form becomes an item: a new one at the end, or the one that is edited.
function noteDraft(deal, setup) {
  const parts = partsOf(deal, setup);
  const draft = deal.draft;
  const edited = deal.editing;
  const put = (list, item) => (edited ? list.splice(edited.at, 1, item) : list.push(item));
  if (draft.seat !== null && draft.void) deal.voids[draft.seat] = draft.void;
  if (draft.way === "end") {
    const hand = shownHand(draft, setup.form, parts);
    if (parts.only && draft.only) hand.only_void_discards = true;
    put(deal.hands, hand);
  } else if (draft.way === "hu") noteHu(deal, parts, setup.form);
  else {
    const event = { type: draft.way, seat: draft.seat };
    for (const name of ["kind", "from"]) if (parts[name]) event[name] = draft[name];
    for (const name of ["robbed", "chain"]) if (parts[name] && draft[name]) event[name] = true;
    put(deal.events, answered(event, draft, parts, setup.form));
  }
  if (setup.form.shown_kongs) noteShownKongs(deal, draft);
}

// An event with the answers that belong to it.
function answered(event, draft, parts, form) {
  for (const [name, { key }] of questionsTo(form, "event")) if (parts[name] && draft[name]) event[key] = draft[name];
  return event;
}

// Every kong that a hand shows and that has not been noted is noted now.
function noteShownKongs(deal, draft) {
  const noted = deal.events.filter((event) => event.type === "kong" && event.seat === draft.seat).map((event) => event.kind);
  for (const { type } of draft.given === "tiles" ? draft.melds.filter((meld) => meld.kind === "kong") : []) {
    const at = noted.indexOf(type);
    if (at < 0) deal.events.push({ type: "kong", seat: draft.seat, kind: type });
    else noted.splice(at, 1);
  }
}

function noteHu(deal, parts, form) {
  const draft = deal.draft;
  const winner = shownHand(draft, form, parts);
  if (parts.sea && draft.sea) winner.conditions = ["under_the_sea"];
  if (parts.referee) {
    Object.assign(winner, { false: true, referee: draft.referee.trim() });
    deal.referee = winner.referee;
  }
  if (parts.same && draft.same) {
    sameTile(deal, form).winners.push(winner);
    return;
  }
  const event = { type: "hu", by: draft.by };
  if (parts.from) event.from = draft.from;
  if (parts.after_kong && draft.after_kong) event.after_kong = true;
  answered(event, draft, parts, form);
  if (deal.editing) {
    event.winners = deal.events[deal.editing.at].winners.with(deal.editing.winner, winner);
    deal.events.splice(deal.editing.at, 1, event);
  } else deal.events.push({ ...event, winners: [winner] });
}

function removeItem(deal, item) {
  const list = deal[item.list];
  if (item.winner !== undefined && list[item.at].winners.length > 1) list[item.at].winners.splice(item.winner, 1);
  else list.splice(item.at, 1);
}

// An item back in the form, to be changed.
function draftOf(item, { form }, referee) {
  const { one, event } = item;
  const draft = bareDraft(form, item.list === "hands" ? "end" : one.type || "hu", one.referee || referee);
  draft.seat = one.seat;
  if (one.type) Object.assign(draft, { kind: one.kind || draft.kind, from: one.from ?? null });
  for (const [name, { key }] of questionsTo(form, "event")) draft[name] = (event || one)[key] ?? draft[name];
  for (const [name, { key }] of questionsTo(form, "hand")) draft[name] = one[key] ?? draft[name];
  for (const [name, { key }] of questionsTo(form, "conditions")) draft[name] = (one.conditions || []).includes(key);
  for (const name of ["robbed", "chain"]) draft[name] = one[name] === true;
  if (event) Object.assign(draft, { by: event.by, from: event.from ?? null, after_kong: event.after_kong === true });
  draft.sea = (one.conditions || []).includes("under_the_sea");
  draft.found = one.false === true && "standing" in one;
  draft.only = one.only_void_discards === true;
  draft.void = one.void || "";
  draft.melds = structuredClone(one.melds || []);
  draft.standing = kindsOf(one.standing);
  draft.winning = one.winning || "";
  draft.flowers = (one.flowers || []).flatMap(kindsOf);
  if (event && tileCount(draft) >= form.hand) draft.mode = "winning";
  draft.value = one[form.value_key] ?? null;
  draft.items = (one.items || []).filter((name) => form.items[name].most === 1);
  draft.roots = (one.items || []).length - draft.items.length;
  if (one.items) draft.given = "items";
  else if (one.value === 0) draft.given = "zero";
  else if (draft.value !== null) draft.given = "value";
  else draft.given = one.standing !== undefined ? "tiles" : event ? "false" : "sets";
  return draft;
}

// What the server asks of a hand is answered: it is so.
function answerDoubt(deal, doubt, referee) {
  const { one } = doubtful(deal, doubt);
  if (doubt.kind === "false_hu") {
    Object.assign(one, { false: true, referee });
    deal.referee = referee;
  } else one[{ not_ready: "not_ready", forbidden_suit: "holds_void" }[doubt.kind]] = true;
}

function doubtful(deal, doubt) {
  return itemsOf(deal).find(({ list, at, one }) =>
    one.seat === doubt.seat && (doubt.event === null ? list === "hands" : list === "events" && at === doubt.event));
}
