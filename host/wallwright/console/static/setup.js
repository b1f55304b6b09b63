// A list of players is looked at before it is taken; every table has the same boards to choose from; seats are printed.
// The server says what a list is worth.
"use strict";

const playersForm = document.getElementById("players");

function line(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

function showPlayers(place, told) {
  const words = playersForm.dataset;
  place.replaceChildren();
  if (told.problems.length) {
    const list = document.createElement("ul");
    list.className = "problem";
    list.append(...told.problems.map((problem) => line("li", problem)));
    place.append(line("p", words.wrong), list);
    return;
  }
  const found = words.found.replace("{count}", told.players.length).replace("{clashes}", told.clashes);
  const list = document.createElement("ol");
  list.className = "names";
  for (const player of told.players) {
    const item = document.createElement("li");
    item.append(line("bdi", player.name), player.club ? " · " : "", line("bdi", player.club));
    list.append(item);
  }
  place.append(line("p", found), ...(told.spare ? [line("p", words.spare)] : []), list);
}

if (playersForm) {
  const [file, text, look, take, place] = ["file", "text", "look", "take", "found"].map((name) =>
    document.getElementById(`players-${name}`),
  );
  const changed = () => {
    take.hidden = true;
    place.replaceChildren();
  };
  const body = () => ({ text: text.value, source: file.files.length ? file.files[0].name.slice(0, 200) : "" });
  const press = async (button, path, fields, key, done) => {
    button.disabled = true;
    try {
      const answer = await ask(path, "POST", fields, key);
      const told = await answer.json();
      if (answer.ok) done(told);
      else say(told.problem, true);
    } catch {
      say(document.body.dataset.unknown, true);
    }
    button.disabled = false;
  };
  text.addEventListener("input", changed);
  file.addEventListener("change", async () => {
    changed();
    if (!file.files.length) return;
    try {
      text.value = new TextDecoder("utf-8", { fatal: true }).decode(await file.files[0].arrayBuffer());
    } catch {
      text.value = "";
      say(playersForm.dataset.unreadable, true);
    }
  });
  look.addEventListener("click", () =>
    press(look, "/api/v1/event/players/preview", body(), fresh(), (told) => {
      showPlayers(place, told);
      take.hidden = told.problems.length > 0;
      take.dataset.key = fresh();
    }),
  );
  take.addEventListener("click", () => {
    const fields = { ...body(), version: Number(playersForm.dataset.version) };
    press(take, "/api/v1/event/players", fields, take.dataset.key, () => location.reload());
  });
}

const units = document.getElementById("units");
for (const choice of units ? document.querySelectorAll("select[name='unit']") : [])
  for (const option of units.content.children)
    if (option.value !== choice.value) choice.append(option.cloneNode(true));

for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => window.print());
