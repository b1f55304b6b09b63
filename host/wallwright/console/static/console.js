// What the pages do beyond htmx: forms that speak to the API, the dialog before a command, filters, and the age of
// every table's last word. Nothing here decides anything; the server does.
"use strict";

const csrf = () => document.querySelector('meta[name="csrf"]').content;

function fresh() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function say(text, bad) {
  const line = document.createElement("p");
  line.textContent = text;
  if (bad) line.className = "bad";
  document.getElementById("said").append(line);
  setTimeout(() => line.remove(), bad ? 12000 : 5000);
}

// A checkpoint stays in the director's sight, from page to page, until it is printed or copied and closed.
function showCheckpoint() {
  const place = document.getElementById("kept");
  const text = sessionStorage.getItem("checkpoint");
  place.replaceChildren();
  if (!text) return;
  const box = document.createElement("section");
  box.className = "kept";
  box.setAttribute("role", "status");
  const heading = document.createElement("h2");
  heading.textContent = place.dataset.heading;
  const code = document.createElement("code");
  code.textContent = text;
  const acts = document.createElement("div");
  acts.className = "acts";
  const button = (label, act) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = label;
    made.addEventListener("click", act);
    acts.append(made);
  };
  button(place.dataset.print, () => {
    document.body.classList.add("prints-kept");
    window.print();
    document.body.classList.remove("prints-kept");
  });
  button(place.dataset.close, () => {
    localStorage.setItem("closed-checkpoint", text);
    sessionStorage.removeItem("checkpoint");
    showCheckpoint();
  });
  box.append(heading, code, acts);
  place.append(box);
}

// The director sees it too when somebody else took the last signature.
function takeCheckpoint() {
  const found = document.querySelector("[data-checkpoint]");
  if (!found || found.dataset.checkpoint === localStorage.getItem("closed-checkpoint")) return;
  if (found.dataset.checkpoint === sessionStorage.getItem("checkpoint")) return;
  sessionStorage.setItem("checkpoint", found.dataset.checkpoint);
  showCheckpoint();
}

// The same key goes with every try, so that a command whose answer was lost is not done twice.
async function ask(path, method, body, key) {
  const headers = { "X-CSRF-Token": csrf(), "Idempotency-Key": key };
  if (body) headers["Content-Type"] = "application/json";
  const options = { method, headers, body: body && JSON.stringify(body), credentials: "same-origin" };
  try {
    return await fetch(path, options);
  } catch {
    await new Promise((done) => setTimeout(done, 800));
    return fetch(path, options);
  }
}

async function send(form) {
  const data = new FormData(form);
  const fields = Object.fromEntries(data);
  for (const [name, value] of data) if (value instanceof File) fields[name] = await value.text();
  const named = (kind) => (form.dataset[kind] || "").split(" ").filter(Boolean);
  for (const name of named("numbers")) {
    if (fields[name]) fields[name] = Number(fields[name]);
    else delete fields[name]; // what was left empty is not said
  }
  for (const name of named("numberLists")) fields[name] = data.getAll(name).map(Number);
  for (const name of named("flags")) fields[name] = fields[name] === "true";
  const body = Object.keys(fields).length ? fields : null;
  form.dataset.key ||= fresh();
  const button = form.querySelector("button");
  button.disabled = true;
  const dialog = form.closest("dialog");
  try {
    const answer = await ask(form.dataset.api, form.dataset.method || "POST", body, form.dataset.key);
    delete form.dataset.key;
    const told = answer.status === 204 ? null : await answer.json();
    if (!answer.ok) {
      const place = form.querySelector(".problem");
      if (place && form.isConnected) {
        place.textContent = told.problem;
        place.hidden = false;
      } else {
        say(told.problem, true);
      }
    } else if (told && told.lines && told.lines.length && "next" in form.dataset) {
      sessionStorage.setItem("lines", JSON.stringify(told.lines));
      location.assign(form.dataset.next || location.href);
    } else if (told && told.checkpoint && "mine" in document.getElementById("kept").dataset) {
      sessionStorage.setItem("checkpoint", told.checkpoint);
      showCheckpoint();
      if ("next" in form.dataset) location.assign(form.dataset.next || location.href);
    } else if ("next" in form.dataset) {
      location.assign(form.dataset.next || location.href);
      return;
    } else {
      for (const one of Array.isArray(told) ? told : []) if (one.problem) say(one.problem, true);
      const points = form.dataset.tells ? told[form.dataset.tells] : [];
      const values = points.map((value) => ` ${value > 0 ? "+" : ""}${value}`).join("");
      say("✓ " + (dialog ? dialog.querySelector("h2").textContent : button.ariaLabel || button.textContent) + values);
      form.reset(); // or it would be sent again by a second tap
    }
    if (answer.ok && told && told.lines && !("next" in form.dataset)) for (const text of told.lines) say(text, true);
    if (dialog) dialog.close();
  } catch {
    say(document.body.dataset.unknown, true);
  }
  button.disabled = false;
}

document.addEventListener("submit", (event) => {
  if (!event.target.dataset.api) return;
  event.preventDefault();
  send(event.target);
});

function remember(name, value) {
  document.cookie = `${name}=${value}; path=/; max-age=31536000; samesite=strict`;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if ("close" in button.dataset) button.closest("dialog").close();
  if ("printPage" in button.dataset) window.print();
  if (button.dataset.setLang) {
    remember("lang", button.dataset.setLang);
    location.reload();
  }
  if ("setTheme" in button.dataset) {
    const root = document.documentElement;
    const isDark = getComputedStyle(root).colorScheme === "dark";
    root.dataset.theme = isDark ? "light" : "dark";
    remember("theme", root.dataset.theme);
  }
  if (button.dataset.filter) {
    button.closest(".hall").dataset.show = button.dataset.filter;
    mark();
  }
});

// The arrow keys step through a deal, as its links do.
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  const link = rel && document.querySelector(`a[rel="${rel}"]`);
  if (link && !event.target.closest("input, select, textarea, dialog[open]")) link.click();
});

function mark() {
  const hall = document.getElementById("hall");
  if (!hall) return;
  for (const chip of document.querySelectorAll("[data-filter]"))
    chip.setAttribute("aria-pressed", String(chip.dataset.filter === hall.dataset.show));
}

let ages = [];
function showAges() {
  for (const place of document.querySelectorAll("[data-age]")) {
    const age = ages[Number(place.dataset.age)];
    place.textContent = age === undefined || age === null ? "" : document.body.dataset.seconds.replace("{seconds}", age);
    place.classList.toggle("old", age > 3);
  }
}

// A region that the server draws anew keeps what a person has chosen, typed or unfolded in it, but for a form that is
// being sent.
let entered = new Map();
let unfolded = [];
const summary = (details) => details.querySelector("summary").textContent;
const controls = (place) => Array.from(place.querySelectorAll("form[data-api] [name]:not([type=file])"));
const which = (one) => [one.form.dataset.api, one.name, /box|radio/.test(one.type) && one.value].join();

function isEntered(one) {
  if (one.form.querySelector("button").disabled) return false;
  if (one.options) return Array.from(one.options).some((option) => option.selected !== option.defaultSelected);
  return one.value !== one.defaultValue || one.checked !== one.defaultChecked;
}

function takeEntries(region) {
  unfolded = Array.from(region.querySelectorAll("details[open]"), summary);
  entered = new Map(controls(region).filter(isEntered).map((one) => [which(one), one]));
}

function putEntries(region) {
  for (const one of controls(region)) {
    const old = entered.get(which(one));
    if (!old || old === one) continue;
    if (old.form.dataset.key) one.form.dataset.key = old.form.dataset.key;
    one.checked = old.checked;
    one.value = old.value;
    if (one.selectedIndex === -1) one.selectedIndex = 0; // it is offered no longer
  }
  for (const details of region.querySelectorAll("details")) details.open ||= unfolded.includes(summary(details));
}

document.addEventListener("htmx:sseBeforeMessage", (event) => {
  document.getElementById("lost").hidden = true;
  takeEntries(event.target);
});
document.addEventListener("htmx:sseOpen", (event) => {
  document.getElementById("lost").hidden = true;
  event.detail.source.addEventListener("ages", (told) => {
    ages = JSON.parse(told.data);
    showAges();
  });
  event.detail.source.addEventListener("since", (told) => {
    const waits = JSON.parse(told.data);
    for (const place of document.querySelectorAll("[data-wait]"))
      place.textContent = waits[place.dataset.wait] || place.textContent;
  });
});
document.addEventListener("htmx:sseError", () => {
  const lost = document.getElementById("lost");
  lost.textContent = document.body.dataset.lost;
  lost.hidden = false;
});
document.addEventListener("htmx:afterSwap", (event) => {
  const dialog = document.getElementById("dialog");
  if (event.detail.target === dialog) dialog.showModal();
});
document.addEventListener("htmx:sseMessage", (event) => {
  putEntries(event.target);
  showAges();
  mark();
  takeCheckpoint();
  const titled = document.querySelector("[data-title]");
  if (titled) document.title = `${titled.dataset.title} · Wallwright`;
});
document.addEventListener("htmx:responseError", (event) => {
  if (event.detail.xhr.status === 401) location.assign(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
  else say(document.body.dataset.unknown, true);
});
document.addEventListener("htmx:sendError", () => say(document.body.dataset.unknown, true));
// On a narrow screen the menu is moved sideways; an arrow says where it goes on.
function showMenuGoesOn(menu) {
  const left = menu.scrollWidth - menu.clientWidth - menu.scrollLeft;
  menu.dataset.more = `${menu.scrollLeft > 8 ? "before" : ""} ${left > 8 ? "after" : ""}`.trim();
}
document.addEventListener("DOMContentLoaded", () => {
  const menu = document.querySelector(".rooms");
  if (menu) {
    menu.addEventListener("scroll", () => showMenuGoesOn(menu), { passive: true });
    new ResizeObserver(() => showMenuGoesOn(menu)).observe(menu);
  }
  showCheckpoint();
  takeCheckpoint();
  for (const text of JSON.parse(sessionStorage.getItem("lines") || "[]")) say(text);
  sessionStorage.removeItem("lines");
  if (document.getElementById("hall")) mark();
});
