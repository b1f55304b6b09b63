// Accounts: what ends something asks first; the link that hands an account over is shown once, as a QR code too.
"use strict";

const box = document.getElementById("dialog");

function open(template, fill) {
  box.replaceChildren(document.getElementById(template).content.cloneNode(true));
  fill(box);
  box.showModal();
}

function sure(button) {
  if (!button.dataset.sure) return Promise.resolve(true);
  return new Promise((decide) => {
    open("be-sure", () => {
      box.querySelector("h2").textContent = button.ariaLabel;
      box.querySelector("p").textContent = button.dataset.sure;
      const yes = box.querySelector("[data-yes]");
      yes.textContent = button.textContent;
      yes.addEventListener("click", () => {
        box.close("yes");
      });
    });
    box.returnValue = "";
    box.addEventListener("close", () => decide(box.returnValue === "yes"), { once: true });
  });
}

async function tell(form, path, done) {
  const button = form.querySelector("button");
  if (!(await sure(button))) return;
  button.disabled = true;
  try {
    const answer = await ask(path, "POST", Object.fromEntries(new FormData(form)), fresh());
    const told = await answer.json();
    if (answer.ok) done(told);
    else say(told.problem, true);
  } catch {
    say(document.body.dataset.unknown, true);
  }
  button.disabled = false;
}

document.addEventListener("submit", (event) => {
  const { handsOver, removes } = event.target.dataset;
  if (!handsOver && !removes) return;
  event.preventDefault();
  if (removes) {
    tell(event.target, removes, () => location.reload());
    return;
  }
  tell(event.target, handsOver, (told) => {
    open("handed-over", () => {
      box.querySelector("h2").textContent = told.name;
      box.querySelector("img").src = `${told.path}/qr.svg`;
      box.querySelector("code").textContent = location.origin + told.path;
      box.querySelector("[data-done]").addEventListener("click", () => box.close());
    });
    box.addEventListener("close", () => location.reload(), { once: true });
  });
});
