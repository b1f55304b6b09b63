// A list of players is looked at before it is taken: what was understood of it, with the columns to be chosen. The server
// reads it and says what it is worth.
"use strict";

const playersForm = document.getElementById("players");

function line(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

function row(cells) {
  const made = document.createElement("tr");
  made.append(...cells);
  return made;
}

function listed(told) {
  const words = playersForm.dataset;
  const shown = [];
  if (told.problems.length) {
    const list = document.createElement("ul");
    list.className = "problem";
    list.append(...told.problems.map((problem) => line("li", problem)));
    shown.push(line("p", words.wrong), list);
  } else {
    shown.push(line("p", words.found.replace("{count}", told.players.length).replace("{clashes}", told.clashes)));
    if (told.spare) shown.push(line("p", words.spare));
  }
  shown.push(...told.notes.map((note) => line("p", note)));
  const list = document.createElement("ol");
  list.className = "names";
  for (const player of told.players) {
    const item = document.createElement("li");
    item.append(line("bdi", player.name), player.club ? " · " : "", line("bdi", player.club));
    list.append(item);
  }
  return [...shown, list];
}

// The ways to read a list of which there are doubts, each with a button that chooses it.
function waysOf(told, choose) {
  const words = playersForm.dataset;
  const shown = [line("p", `${words.doubt} ${told.doubts.join(" ")}`)];
  for (const way of told.readings) {
    const list = document.createElement("ul");
    const more = way.count - way.players.length;
    list.append(...[...way.players, ...(more > 0 ? [`… +${more}`] : [])].map((player) => line("li", player)));
    const button = line("button", words.way);
    button.type = "button";
    button.addEventListener("click", () => choose(way.choice));
    shown.push(list, button);
  }
  return shown;
}

if (playersForm) {
  const [file, text, look, take, place, reading, encoding, delimiter, header, columns] = [
    "file", "text", "look", "take", "found", "reading", "encoding", "delimiter", "header", "columns",
  ].map((name) => document.getElementById(`players-${name}`));
  const roles = document.getElementById("roles");
  let data = ""; // of the file that was chosen, as Base64; a text that is typed takes its place
  let read = {}; // what somebody has chosen themselves of how it is read
  let asked = 0; // previews so far: an answer to an earlier one says nothing of what is chosen now
  const body = () => ({
    ...(data ? { data } : { text: text.value }),
    ...read,
    source: data && file.files.length ? file.files[0].name.slice(0, 200) : "",
  });
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
  const choose = (changes) => {
    read = { ...read, ...changes };
    preview();
  };
  const role = (column, at) => {
    const select = document.createElement("select");
    select.append(roles.content.cloneNode(true));
    select.value = column.role;
    select.id = `column-${at}`;
    select.ariaLabel = playersForm.dataset.role.replace("{number}", at + 1) + (column.label ? `: ${column.label}` : "");
    select.addEventListener("change", () => {
      const now = Array.from(columns.querySelectorAll("select"), (one) => one.value);
      // A column that another one takes the place of is not used; only one can be the club.
      choose({ columns: now.map((value, other) => (other !== at && value === select.value ? "-" : value)) });
    });
    return select;
  };
  const showReading = (told) => {
    reading.hidden = false;
    document.getElementById("encoding-label").hidden = !data;
    const known = Array.from(encoding.options).find((one) => one.textContent.startsWith(told.encoding));
    encoding.value = told.encoding && known ? known.value : read.encoding || "";
    if (told.delimiter) delimiter.value = told.delimiter;
    header.checked = told.has_header;
    const focused = document.activeElement && document.activeElement.id;
    columns.tHead.replaceChildren(
      row(
        told.columns.map((column, at) => {
          const cell = line("th", column.label);
          cell.scope = "col";
          cell.append(role(column, at));
          return cell;
        }),
      ),
    );
    const lines = Math.max(0, ...told.columns.map((column) => column.cells.length));
    const rows = Array.from({ length: lines }, (_, at) => row(told.columns.map((column) => line("td", column.cells[at]))));
    columns.tBodies[0].replaceChildren(...rows);
    if (focused && focused.startsWith("column-")) document.getElementById(focused)?.focus();
  };
  const preview = () => {
    const number = ++asked;
    press(look, "/api/v1/event/players/preview", body(), fresh(), (told) => {
      if (number !== asked) return;
      showReading(told);
      place.replaceChildren(...(told.doubts.length ? waysOf(told, choose) : listed(told)));
      take.hidden = told.problems.length + told.doubts.length > 0;
      take.dataset.key = fresh();
    });
  };
  const changed = () => {
    read = {};
    asked += 1;
    take.hidden = true;
    reading.hidden = true;
    place.replaceChildren();
  };
  text.addEventListener("input", () => {
    data = "";
    file.value = "";
    changed();
  });
  file.addEventListener("change", async () => {
    changed();
    data = "";
    if (!file.files.length) return;
    text.value = "";
    const bytes = new Uint8Array(await file.files[0].arrayBuffer());
    data = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    preview();
  });
  encoding.addEventListener("change", () => choose({ encoding: encoding.value, columns: [] }));
  delimiter.addEventListener("change", () => choose({ delimiter: delimiter.value, columns: [] }));
  header.addEventListener("change", () => choose({ header: header.checked }));
  look.addEventListener("click", preview);
  take.addEventListener("click", () => {
    const fields = { ...body(), version: Number(playersForm.dataset.version) };
    press(take, "/api/v1/event/players", fields, take.dataset.key, () => location.reload());
  });
}
