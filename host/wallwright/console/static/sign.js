// A player looks at the results of the table and signs them. The PIN is in this page alone, and goes with each question.
"use strict";

const box = document.getElementById("sign");
const [look, pin, code, results, problem, question, yes] = ["sign-look", "pin", "code", "sign-results", "sign-problem", "sign-ask", "sign-yes"].map(
  (id) => document.getElementById(id),
);
let version = 0;

function cell(tag, text, name) {
  const made = document.createElement(tag);
  made.textContent = text;
  if (name) made.className = name;
  return made;
}

function points(value) {
  return cell("td", value > 0 ? `+${value}` : String(value), `right ${value > 0 ? "plus" : value < 0 ? "minus" : ""}`);
}

function line(label, values) {
  const made = document.createElement("tr");
  const head = cell("th", label);
  head.scope = "row";
  made.append(head, ...values);
  return made;
}

function show(told) {
  const words = box.dataset;
  version = told.version;
  const table = document.createElement("table");
  const names = told.names.map((name, seat) => {
    const head = cell("th", "", "right");
    head.scope = "col";
    head.append(cell("small", told.seats[seat]), " ", cell("bdi", name));
    return head;
  });
  const first = document.createElement("tr");
  const corner = cell("th", words.deal);
  corner.scope = "col";
  first.append(corner, ...names);
  table.createTHead().append(first);
  const body = table.createTBody();
  for (const deal of told.deals)
    body.append(line(deal.counts ? deal.deal : `${deal.deal} (${words.void})`, deal.points.map(points)));
  body.append(line(words.total, told.points.map(points)));
  const said = [];
  if (told.signed.length) said.push(cell("p", words.signed.replace("{names}", told.signed.join(", "))));
  if (told.is_signed_off) said.push(cell("p", words.done, "good"));
  else if (told.has_signed) said.push(cell("p", words.own, "good"));
  results.replaceChildren(cell("h2", told.place), table, ...said);
  results.hidden = false;
  look.hidden = true;
  tell(told.is_signed_off ? "" : told.problem);
  question.hidden = Boolean(told.problem) || told.has_signed || told.is_signed_off;
}

function tell(text) {
  problem.textContent = text;
  problem.hidden = !text;
}

async function put(path, fields, button) {
  button.disabled = true;
  try {
    const answer = await ask(`/api/v1/event/players/${box.dataset.player}/${path}`, "POST", fields, fresh());
    const told = await answer.json();
    if (answer.ok) show(told);
    else tell(told.problem);
  } catch {
    tell(document.body.dataset.unknown);
  }
  button.disabled = false;
}

look.addEventListener("submit", (event) => {
  event.preventDefault();
  put("table", { pin: pin.value, code: code.value }, look.querySelector("button"));
});
yes.addEventListener("click", () => put("sign", { pin: pin.value, code: code.value, version }, yes));

// A slip's picture has PIN and code behind its address, where no server sees it; it does not stay in sight.
const slip = /^#([0-9]{6})([2-9A-Z-]*)$/.exec(location.hash);
if (slip) {
  [, pin.value, code.value] = slip;
  history.replaceState(null, "", location.pathname + location.search);
  look.requestSubmit();
}
