// Asking the server what a deal comes to, what may be mistyped in it, and entering it. A server that does not answer is
// asked again by itself, under the same key, so that nothing is entered twice; who is no longer signed in is led to do
// that and comes back to this deal.
"use strict";

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 8000;
// What stands between this page and the server may answer in its place while that is away.
const AWAY = [502, 504];

let wake = () => {};

function pause(wait_ms) {
  return new Promise((done) => {
    const timer = setTimeout(done, wait_ms);
    wake = () => {
      clearTimeout(timer);
      done();
    };
  });
}

addEventListener("online", () => wake());

// Ask until there is an answer; `isWanted` says whether there is still somebody who waits for it. Between the tries
// `tellWait` says that there is none yet.
async function askUntilAnswered(what, body, isWanted, tellWait) {
  for (let wait_ms = FIRST_WAIT_MS; ; wait_ms = Math.min(2 * wait_ms, LONGEST_WAIT_MS)) {
    try {
      const answer = await ask(`${setup.api}/${what}?lang=${desk.dataset.lang}`, "POST", body, key);
      if (!AWAY.includes(answer.status)) return answer;
    } catch {
      // Nobody is there; it may be on its way back.
    }
    if (!isWanted()) return null;
    tellWait();
    await pause(wait_ms);
    if (!isWanted()) return null;
  }
}

function signIn() {
  keep();
  location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
}

// Somebody has signed in anew since this page was shown: true when it can be asked again. Nobody has: to the door.
async function isTrustedAgain() {
  const session = await (await fetch("/api/v1/session", { credentials: "same-origin" })).json();
  if (!session.name) signIn();
  const meta = document.querySelector('meta[name="csrf"]');
  const isOld = meta.content !== session.csrf;
  meta.content = session.csrf;
  return Boolean(session.name) && isOld;
}

function bodyOf(record) {
  const body = { record };
  if (setup.corrects !== null) body.corrects = setup.corrects;
  return body;
}

async function preview(mine) {
  const answer = await askUntilAnswered(
    "preview", bodyOf(recordOf(deal, setup)), () => mine === asked, () => tell("problem", words.lost),
  );
  if (!answer || mine !== asked) return null;
  tell("problem", "");
  if (answer.status === 401) return signIn();
  const told = await answer.json();
  if (answer.ok) return told;
  if (answer.status === 403 && (await isTrustedAgain())) return preview(mine);
  if (told.doubts) showDoubts(told.doubts);
  else tell("problem", told.problem);
  return null;
}

// What costs somebody points by the tiles alone: mistyped, or so?
function showDoubts(doubts) {
  field("doubts").firstElementChild.replaceChildren(...doubts.map(askDoubt));
  field("doubts").hidden = !doubts.length;
}

function askDoubt(doubt) {
  const line = document.createElement("li");
  line.append(textIn("b", `${setup.players[doubt.seat]}: ${words.doubts[doubt.kind]}`), textIn("p", doubt.why));
  const acts = Object.assign(document.createElement("div"), { className: "acts" });
  const button = (text, act) => {
    const made = Object.assign(textIn("button", text), { type: "button" });
    made.addEventListener("click", act);
    acts.append(made);
  };
  button(words.mistyped, () => edit(doubtful(deal, doubt)));
  const answer = words.answers[doubt.kind];
  if (!answer) {
    line.append(acts);
    return line;
  }
  const referee = document.createElement("input");
  if (doubt.kind === "false_hu") {
    Object.assign(referee, { maxLength: 64, value: deal.referee, required: true, pattern: ".*\\S.*" });
    const label = textIn("label", words.which_referee);
    label.append(referee);
    line.append(label);
  }
  button(answer, () => {
    if (referee.reportValidity()) change(() => answerDoubt(deal, doubt, referee.value.trim()), true);
  });
  line.append(acts);
  return line;
}

async function enter() {
  if (pending) {
    wake();
    return;
  }
  if (!settled || !field("reason").reportValidity()) return;
  pending = { body: { ...bodyOf(recordOf(deal, setup)), version: setup.version, reason: deal.reason }, isUnsure: false };
  await resume();
}

// Enter what is pending until the server has said yes or no; meanwhile nothing of it can be changed.
async function resume() {
  keep();
  showPending();
  const mine = pending;
  const answer = await askUntilAnswered(
    "results", mine.body, () => pending === mine, () => tell("trying", words.trying),
  );
  if (!answer || pending !== mine) return;
  const told = await answer.json();
  if (answer.ok) {
    forget();
    location.assign(setup.next);
    return;
  }
  if (told.unanswered) {
    // The server died while it did this. Whether it was done, the table's version tells: it has another one then.
    key = fresh();
    pending.isUnsure = true;
    await resume();
    return;
  }
  if (answer.status === 403 && (await isTrustedAgain())) {
    await resume();
    return;
  }
  pending = null;
  showPending();
  key = fresh();
  keep();
  if (answer.status === 401) signIn();
  else if (told.doubts) showDoubts(told.doubts);
  else tell("problem", mine.isUnsure && answer.status === 409 ? words.unsure : told.problem);
}

function showPending() {
  field("form").inert = field("told").inert = field("reason").disabled = pending !== null;
  field("finish").hidden = pending === null && !settled;
  field("stop").hidden = pending === null;
  field("enter").textContent = pending ? words.try_now : words.enter;
  if (!pending) tell("trying", "");
}

field("enter").addEventListener("click", enter);
field("stop").addEventListener("click", () => {
  pending = null;
  wake();
  keep();
  showPending();
  settle();
});
