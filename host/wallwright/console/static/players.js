// Finds a player in the list by what is typed, by club, and by first letter.
"use strict";

const wanted = document.getElementById("wanted");
const club = document.getElementById("club");
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const initial = (line) => Array.from(plain(line.querySelector("bdi").textContent).toUpperCase())[0] || "";
const lines = Array.from(document.querySelectorAll("#players li"), (line) => [line, plain(line.textContent), initial(line)]);
const MOST_LETTERS = 60;
let letter = "";

function find() {
  const words = plain(wanted.value).split(/\s+/).filter(Boolean);
  let found = 0;
  for (const [line, text, first] of lines) {
    const isOfClub = !club || !club.value || line.dataset.club === club.value;
    const fits = isOfClub && (!letter || first === letter) && words.every((word) => text.includes(word));
    line.hidden = !fits;
    found += fits;
  }
  document.getElementById("nobody").hidden = found > 0;
}

document.getElementById("find").addEventListener("submit", (event) => {
  event.preventDefault();
  const first = lines.find(([line]) => !line.hidden);
  if (first) first[0].querySelector("a").click();
});
document.getElementById("find").addEventListener("input", find);

const letters = Array.from(new Set(lines.map(([, , first]) => first))).filter(Boolean);
for (const one of letters.length > 1 && letters.length <= MOST_LETTERS ? letters : []) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: one });
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => {
    letter = letter === one ? "" : one;
    for (const other of button.parentElement.children)
      other.setAttribute("aria-pressed", String(other.textContent === letter));
    find();
  });
  document.getElementById("letters").append(button);
}
find();
