// A deal as far as it has been noted, and the form before it becomes the next item of it: plain values, no page.
// What can have happened, and what it is worth, only the server says.
"use strict";

const KONGS = ["concealed", "melded", "promoted", "postponed"];

function bareDraft(way, referee = "") {
  return {
    way, seat: null, kind: "concealed", by: "self_drawn", from: null, same: false, after_kong: false, sea: false,
    robbed: false, chain: false, given: way === "end" ? "value" : "items", items: [], roots: 0, value: null, referee, void: "", found: false, only: false,
    mode: "standing", standing: [], melds: [], winning: "",
  };
}

function bareDeal(setup) {
  const start = setup.start || { events: [], hands: [], end: "" };
  const end = start.end === "three_hu" ? "" : start.end;
  return {
    events: structuredClone(start.events), hands: structuredClone(start.hands), end,
    dealer: setup.dealer, deal: setup.deal, voids: {}, draft: bareDraft(end ? "end" : "hu", setup.referee), editing: null, reason: "",
    referee: setup.referee,
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

function playing(deal) {
  const out = outBefore(deal);
  return [0, 1, 2, 3].filter((seat) => !out.includes(seat));
}

const isThird = (deal) => outBefore(deal).length >= 3;

const handsOpen = (deal) => playing(deal).filter((seat) => !deal.hands.some((hand) => hand.seat === seat));

function handsMissing(deal, setup) {
  const needed = isThird(deal) ? setup.hands_after_three : deal.end === "wall";
  return needed ? handsOpen(deal) : [];
}

function isWhole(deal, setup) {
  return (isThird(deal) || deal.end !== "") && handsMissing(deal, setup).length === 0;
}

// A breach is the discard itself and parts nothing.
function lastBefore(deal, at) {
  return deal.events.slice(0, at).findLast((event) => event.type !== "breach");
}

function place(deal) {
  return deal.editing ? deal.editing.at : deal.events.length;
}

function sameTile(deal) {
  const last = deal.events.at(-1);
  return !deal.editing && last && last.type === "hu" && last.by !== "self_drawn" && !isThird(deal) ? last : null;
}

// Which parts of the form belong to what is being noted.
function partsOf(deal, setup) {
  const draft = deal.draft;
  const is = (way) => draft.way === way;
  const last = lastBefore(deal, place(deal));
  const kong = last && last.type === "kong" ? last : null;
  const isShown = is("end") && (deal.editing !== null || ((deal.end !== "" || isThird(deal)) && handsOpen(deal).length > 0));
  const same = is("hu") && draft.same && sameTile(deal) !== null;
  const isHand = is("hu") || isShown;
  const from = is("kong") ? draft.kind === "melded" : is("hu") && !same && draft.by !== "self_drawn";
  const turn = draft.by === "self_drawn" ? draft.seat : draft.from;
  const given = isHand && ["tiles", "sets"].includes(draft.given);
  return {
    way: !deal.editing,
    same: is("hu") && sameTile(deal) !== null,
    end: is("end") && !isThird(deal),
    third: is("end") && isThird(deal),
    spare: isShown && handsMissing(deal, setup).length === 0 && deal.end !== "wall",
    seat: !is("end") || isShown,
    kind: is("kong"),
    by: is("hu") && !same,
    from,
    robbed: is("kong") && ["promoted", "postponed"].includes(draft.kind),
    chain: is("kong") && draft.kind !== "melded" && kong !== null && kong.seat === draft.seat,
    after_kong: is("hu") && !same && kong !== null && kong.seat === turn && (!kong.robbed || kong.chain === true),
    sea: is("hu") && ["tiles", "items"].includes(draft.given),
    items: is("hu") && draft.given === "items",
    given: isHand,
    value: isHand && draft.given === "value",
    hand: given,
    void: given,
    mode: given,
    found: is("hu") && draft.given === "tiles",
    referee: is("hu") && isFalse(draft),
    only: isShown && draft.given === "tiles" && setup.exempt && draft.void !== "",
    dealer: true,
  };
}

// A referee has found the Hu false, with its tiles or without.
const isFalse = (draft) => draft.given === "false" || (draft.given === "tiles" && draft.found);

// The items that follow from what is noted besides the hand: declared kongs, and how the winning tile came.
function impliedItems(deal, setup) {
  const draft = deal.draft;
  const { by, after_kong: afterKong } = draft.same && sameTile(deal) ? sameTile(deal) : draft;
  const before = deal.events.slice(0, place(deal));
  const items = before.filter((one) => one.type === "kong" && one.seat === draft.seat && !one.robbed).map(() => "kong");
  if (afterKong && by === "self_drawn") items.push("win_after_kong");
  if (by === "robbed_kong") items.push("robbing_the_kong");
  if (afterKong && (by === "discard" || (by === "robbed_kong" && setup.chain_rob_shoots))) items.push("shoot_after_kong");
  if (draft.sea) items.push("under_the_sea");
  return items;
}

function itemsOfDraft(draft) {
  return [...Array(draft.roots).fill("root"), ...draft.items];
}

function fansOf(deal, setup) {
  const own = itemsOfDraft(deal.draft).reduce((sum, name) => sum + setup.items[name], 0);
  return own + impliedItems(deal, setup).length;
}

// Whether a hand cannot have an item beside those that it has.
function isApart(deal, setup, name) {
  const there = [...itemsOfDraft(deal.draft), ...impliedItems(deal, setup)].filter((one) => one !== name);
  return there.some((one) => (setup.apart[name] || []).includes(one) || (setup.apart[one] || []).includes(name));
}

// A golden wait has all pungs as well.
function toggleItem(draft, name, on) {
  const others = draft.items.filter((one) => one !== name && (on || name !== "all_pungs" || one !== "golden_wait"));
  draft.items = on ? [...others, name] : others;
  if (on && name === "golden_wait" && !draft.items.includes("all_pungs")) draft.items.push("all_pungs");
}

// Which of the choices of the form cannot be meant now.
function isClosed(deal, name, value) {
  const draft = deal.draft;
  const out = outBefore(deal, place(deal));
  const gone = deal.editing && draft.way === "hu" ? [] : deal.editing ? out : outBefore(deal);
  if (name === "seat") {
    const shown = draft.way === "end" && !deal.editing && deal.hands.some((hand) => hand.seat === Number(value));
    return shown || (draft.way === "end" ? outBefore(deal) : gone).includes(Number(value));
  }
  if (name === "from") return gone.includes(Number(value)) || Number(value) === draft.seat;
  if (name === "given") return { zero: "hu", sets: "hu", false: "end", items: "end" }[value] === draft.way;
  if (name === "way") return value !== "end" && isThird(deal);
  if (name === "mode" && KONGS.includes(value))
    return !deal.events.some((one) => one.type === "kong" && one.seat === draft.seat && one.kind === value && !one.robbed);
  if (name === "mode") return value === "winning" ? draft.way !== "hu" : value === "standing" && draft.given === "sets";
  return false;
}

function tileCount(draft) {
  return draft.standing.length + 3 * draft.melds.length;
}

function isWholeHand(draft) {
  return tileCount(draft) === 13 && (draft.way !== "hu" || draft.winning !== "");
}

function copiesOf(draft, kind) {
  const inSets = draft.melds.filter((meld) => meld.tiles[0] + meld.tiles.at(-1) === kind);
  const inHand = draft.standing.filter((one) => one === kind).length + (draft.winning === kind ? 1 : 0);
  return inSets.reduce((sum, meld) => sum + meld.tiles.length - 1, inHand);
}

// A tap on a tile: into the hand, and on to what is wanted next.
function addTile(draft, kind) {
  const [number, suit] = kind;
  if (draft.mode === "standing") {
    draft.standing.push(kind);
    draft.standing.sort((one, other) => (one[1] + one[0] < other[1] + other[0] ? -1 : 1));
  } else if (draft.mode === "winning") draft.winning = kind;
  else if (draft.mode === "pung") draft.melds.push({ kind: "pung", tiles: number.repeat(3) + suit });
  else draft.melds.push({ kind: "kong", tiles: number.repeat(4) + suit, type: draft.mode });
  if (draft.given !== "sets") draft.mode = draft.way === "hu" && tileCount(draft) >= 13 ? "winning" : "standing";
}

// Tiles as the rules read them: 123m55s.
function written(kinds) {
  const ranks = (suit) => kinds.filter((kind) => kind[1] === suit).map((kind) => kind[0]).join("");
  return Array.from("mps", (suit) => (ranks(suit) ? ranks(suit) + suit : "")).join("");
}

function shownHand(draft) {
  const hand = { seat: draft.seat };
  if (draft.given === "tiles") hand.standing = written(draft.standing);
  if (draft.given === "tiles" && draft.way === "hu") hand.winning = draft.winning;
  if (["tiles", "sets"].includes(draft.given)) {
    if (draft.melds.length) hand.melds = draft.melds;
    if (draft.void) hand.void = draft.void;
  }
  if (draft.given === "items") hand.items = itemsOfDraft(draft);
  if (draft.given === "value") hand.value = draft.value;
  if (draft.given === "zero") hand.value = 0;
  return hand;
}

// What is missing in the form before it can be noted, as the name of a sentence; empty when nothing is.
function lacks(deal, parts) {
  const draft = deal.draft;
  if (draft.way === "end" && !parts.third && deal.end === "") return "how";
  if (draft.seat === null || isClosed(deal, "seat", draft.seat)) return "who";
  if (parts.from && (draft.from === null || draft.from === draft.seat)) return "whose";
  if (parts.value && draft.value === null) return "which";
  if (parts.referee && !draft.referee.trim()) return "referee";
  if (draft.way === "hu" && draft.given === "tiles" && (!draft.winning || !tileCount(draft))) return "tiles";
  return draft.way === "end" && draft.given === "tiles" && !tileCount(draft) ? "tiles" : "";
}

// The form becomes an item: a new one at the end, or the one that is edited.
function noteDraft(deal, parts) {
  const draft = deal.draft;
  const edited = deal.editing;
  const put = (list, item) => (edited ? list.splice(edited.at, 1, item) : list.push(item));
  if (draft.seat !== null && draft.void) deal.voids[draft.seat] = draft.void;
  if (draft.way === "kong") {
    const event = { type: "kong", seat: draft.seat, kind: draft.kind };
    if (parts.from) event.from = draft.from;
    for (const name of ["robbed", "chain"]) if (parts[name] && draft[name]) event[name] = true;
    put(deal.events, event);
  } else if (draft.way === "breach") put(deal.events, { type: "breach", seat: draft.seat });
  else if (draft.way === "end") {
    const hand = shownHand(draft);
    if (parts.only && draft.only) hand.only_void_discards = true;
    put(deal.hands, hand);
  } else noteHu(deal, parts);
}

function noteHu(deal, parts) {
  const draft = deal.draft;
  const winner = shownHand(draft);
  if (parts.sea && draft.sea) winner.conditions = ["under_the_sea"];
  if (parts.referee) {
    Object.assign(winner, { false: true, referee: draft.referee.trim() });
    deal.referee = winner.referee;
  }
  if (parts.same && draft.same) {
    sameTile(deal).winners.push(winner);
    return;
  }
  const event = { type: "hu", by: draft.by };
  if (parts.from) event.from = draft.from;
  if (parts.after_kong && draft.after_kong) event.after_kong = true;
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
function draftOf(item, referee) {
  const { one, event } = item;
  const draft = bareDraft(item.list === "hands" ? "end" : one.type || "hu", one.referee || referee);
  draft.seat = one.seat;
  if (one.type === "kong") Object.assign(draft, { kind: one.kind, from: one.from ?? null });
  for (const name of ["robbed", "chain"]) draft[name] = one[name] === true;
  if (event) Object.assign(draft, { by: event.by, from: event.from ?? null, after_kong: event.after_kong === true });
  draft.sea = (one.conditions || []).includes("under_the_sea");
  draft.found = one.false === true && "standing" in one;
  draft.only = one.only_void_discards === true;
  draft.void = one.void || "";
  draft.melds = structuredClone(one.melds || []);
  draft.standing = Array.from((one.standing || "").matchAll(/(\d+)([mps])/g)).flatMap(([, ranks, suit]) =>
    Array.from(ranks, (rank) => rank + suit),
  );
  draft.winning = one.winning || "";
  if (event && tileCount(draft) >= 13) draft.mode = "winning";
  draft.value = one.value ?? null;
  draft.items = (one.items || []).filter((name) => name !== "root");
  draft.roots = (one.items || []).length - draft.items.length;
  if (one.items) draft.given = "items";
  else if (one.value === 0) draft.given = "zero";
  else if (one.value !== undefined) draft.given = "value";
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

// What the server settles: the whole deal, or, until its end is noted, what it has come to so far.
function recordOf(deal, setup) {
  const whole = isWhole(deal, setup);
  const end = whole && !isThird(deal) ? deal.end : isThird(deal) ? "three_hu" : "time_up";
  const record = { events: deal.events, hands: whole ? deal.hands : [], end };
  if (deal.dealer !== setup.dealer) record.dealer = deal.dealer;
  if (deal.deal !== setup.deal) record.deal = deal.deal;
  return record;
}
