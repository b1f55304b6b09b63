// The pages of a season: the search for players, what a link leads to, and the check of a day's proofs.
"use strict";

(() => {
  // Whoever follows a link to a deal sees it, though its table is folded.
  function unfold() {
    const found = location.hash && document.getElementById(location.hash.slice(1));
    const folded = found && found.closest("details");
    if (folded) {
      folded.open = true;
      found.scrollIntoView({ block: "center" });
    }
  }
  window.addEventListener("hashchange", unfold);
  unfold();

  // Names in any script: accents and case make no difference.
  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  for (const field of document.querySelectorAll("[data-search]")) {
    const rows = [...document.getElementById(field.dataset.search).children];
    const said = document.querySelector("[data-found]");
    field.addEventListener("input", () => {
      const words = plain(field.value).split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of rows) {
        const names = plain(row.dataset.names);
        row.hidden = !words.every((word) => names.includes(word));
        shown += !row.hidden;
      }
      said.textContent = shown ? "" : said.dataset.none;
    });
  }

  const say = (text, values) => Object.entries(values).reduce((told, [name, value]) => {
    // Words without a place for what is proved are not this page's.
    if (!told.includes(`{${name}}`)) throw new Error(`{${name}}`);
    return told.replaceAll(`{${name}}`, value);
  }, text);

  // The deals that somebody sees: all rows but those of the standings. What is no number is told as none.
  function rowsShown() {
    const rows = [...document.querySelectorAll("tr")].filter((row) => row.querySelector("td") && !row.closest("[data-standings]"));
    const whole = (text) => (/^[+-]?\d{1,15}$/.test(text) ? Number(text) : NaN);
    return rows.map((row) => {
      const heading = row.closest("details")?.querySelector("summary").textContent.match(/\d+/g) || [];
      const [deal, ...cells] = [...row.children].map((cell) => cell.textContent.trim());
      const [session, table, ...rest] = heading.map(Number);
      const [number, ...others] = deal.match(/\d+/g) || [];
      const isWhole = cells.length === 5 && !rest.length && !others.length;
      return { row, session, table, deal: isWhole ? Number(number) : NaN, points: cells.slice(0, 4).map(whole), entry: whole(cells[4] || "") };
    });
  }

  async function check(button, said) {
    const why = JSON.parse(button.dataset.why);
    const answer = await fetch(button.dataset.check).catch(() => null);
    if (!answer || !answer.ok) throw new Error(why.away);
    const rows = rowsShown();
    const checkpoint = document.getElementById("checkpoint").textContent.trim();
    const shown = rows.map(({ row, ...told }) => told);
    // A byte order mark is no part of what the hall has signed.
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await answer.arrayBuffer());
    const found = verdict.verify({ about: "day", text, key: null, checkpoint, rows: shown });
    if (!found.accepted) throw new Error(why[found.why]);
    const [proved, partly] = [found.proved.length, found.partly.length];
    const told = [say(button.dataset.holds, { count: proved + partly, size: found.size, key: found.key })];
    if (partly) told.push(say(button.dataset.partly, { count: partly }));
    said.textContent = `${told.join(" ")} ${button.dataset.open}`;
    said.className = "small proof";
    for (const { row } of rows) row.lastElementChild.classList.add("proof");
  }

  for (const button of document.querySelectorAll("[data-check]")) {
    button.addEventListener("click", async () => {
      const said = document.getElementById("checked");
      said.className = "small";
      said.textContent = button.dataset.running;
      for (const cell of document.querySelectorAll("td.proof")) cell.classList.remove("proof");
      try {
        await check(button, said);
      } catch (error) {
        said.textContent = button.dataset.fails.replace("{why}", error.message);
        said.className = "fails";
      }
    });
  }
})();
