// Loaded before the page is shown. A page's scripts come later, on a slow phone by seconds: what is pressed until then
// waits for them. Without this the browser would send a form by itself, with what was typed in the address of the page.
"use strict";

const early = new Map(); // each button or form that was used too early, and how it is used again

function hold(event) {
  const button = event.target.closest("button");
  if (event.type === "click" && !button) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (event.type === "click") early.set(button, () => button.click());
  else early.set(event.target, () => event.target.requestSubmit());
}

for (const type of ["click", "submit"]) document.addEventListener(type, hold, true);

// The scripts with `defer` have run by now; those that wait for the same event get their turn first.
document.addEventListener("DOMContentLoaded", () => {
  setTimeout(() => {
    for (const type of ["click", "submit"]) document.removeEventListener(type, hold, true);
    for (const [one, use] of early) if (one.isConnected) use();
    early.clear();
  });
});

// A form that no script has taken: a script did not arrive. The form stays as it is, and the page says so.
addEventListener("submit", (event) => {
  if (event.defaultPrevented) return;
  event.preventDefault();
  const place = event.target.querySelector(".problem") || document.getElementById("lost");
  place.textContent = document.body.dataset.unloaded;
  place.hidden = false;
});
