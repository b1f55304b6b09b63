// A deal that is noted as the record that the server settles, and a record as what was noted. rules/core/form.py says
// what `form.record` means; no rule of a game is here.
"use strict";

// The questions whose answers go to one place, each with the name that the draft has for it.
const questionsTo = (form, to) => Object.entries(form.questions).filter(([, question]) => question.to === to);

function bareDeal(setup) {
  const { form } = setup;
  const noted = notedOf(setup.start || {}, form);
  const begin = {};
  for (const [name, { key, first }] of questionsTo(form, "deal")) {
    begin[name] = (setup.start || setup.kept)[key] ?? first;
  }
  return {
    ...noted, begin, dealer: setup.dealer, deal: setup.deal, voids: {}, draft: bareDraft(form, noted.end ? "end" : "hu", setup.referee),
    editing: null, reason: "", referee: setup.referee,
  };
}

// What was noted when a record came to be. A deal that its winners or an event have ended has no other end.
function notedOf(start, form) {
  if (form.record === "winner") return notedOfWinner(structuredClone(start), form);
  const { events = [], hands = [], end = "" } = structuredClone(start);
  return { events, hands, end: form.ends.includes(end) ? end : "" };
}

function notedOfWinner(start, form) {
  const events = start.events || [];
  const hands = (start.hands || []).map((hand, seat) => hand && { seat, ...hand });
  const won = start.winner ?? null;
  if (won !== null) {
    const event = { type: "hu", by: start.by, winners: [hands[won]] };
    if ((start.from ?? null) !== null) event.from = start.from;
    if (start.after_kong) event.after_kong = true;
    events.push(event);
  }
  const end = won === null && "winner" in start ? form.ends[0] : "";
  return { events, hands: hands.filter((hand, seat) => hand && seat !== won), end };
}

// What the server settles: the whole deal, or, until its end is noted, what it has come to so far.
function recordOf(deal, setup) {
  const { form } = setup;
  const whole = isWhole(deal, setup);
  const record = form.record === "winner" ? winnerRecord(deal) : { events: deal.events };
  if (form.record !== "winner") record.end = whole || isOver(deal, form) ? endOf(deal, form) : form.so_far;
  if (form.record !== "winner" && form.hands_at.length) record.hands = whole ? deal.hands : [];
  for (const [name, { key }] of questionsTo(form, "deal")) if (deal.begin[name]) record[key] = deal.begin[name];
  if (deal.dealer !== setup.dealer) record[form.dealer_key] = deal.dealer;
  if (deal.deal !== setup.deal) record.deal = deal.deal;
  return record;
}

function winnerRecord(deal) {
  const hu = deal.events.find((event) => event.type === "hu");
  const others = deal.events.filter((event) => event !== hu);
  const record = { winner: hu ? hu.winners[0].seat : null };
  if (hu) {
    const { type, winners, ...how } = hu;
    const hands = [null, null, null, null];
    for (const { seat, ...hand } of [...deal.hands, winners[0]]) hands[seat] = hand;
    Object.assign(record, how, { hands });
  }
  if (others.length) record.events = others;
  return record;
}
