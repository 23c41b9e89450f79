
"use strict";
// Everything here adds to a page that is complete without it.
(() => {
  const root = document.documentElement;
  const all = (selector, from = document) => Array.from(from.querySelectorAll(selector));
  const say = (text) => { document.getElementById("status").textContent = text; };

  // Light and dark: what the system prefers, until the reader chooses.
  const theme = document.getElementById("theme");
  const prefers = window.matchMedia("(prefers-color-scheme: dark)");
  const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : prefers.matches);
  const label = () => { theme.textContent = dark() ? "Light" : "Dark"; theme.setAttribute("aria-label", dark() ? "Use light colours" : "Use dark colours"); };
  theme.hidden = false;
  theme.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; label(); });
  prefers.addEventListener("change", label);
  label();

  // Tables are sorted by the column whose head is pressed: numbers largest first, names from a to z.
  const value = (row, index) => { const cell = row.cells[index]; return cell.dataset.value ?? cell.textContent.trim(); };
  for (const table of all("table.sortable")) {
    const heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach((head, index) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      const numeric = head.classList.contains("n");
      button.addEventListener("click", () => {
        const was = head.getAttribute("aria-sort");
        const down = was ? was === "ascending" : numeric;
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const body = table.tBodies[0];
        const rows = Array.from(body.rows, (row) => [value(row, index), row]);
        rows.sort(([a], [b]) => (numeric ? Number(a) - Number(b) : a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1));
        body.append(...rows.map(([, row]) => row));
        say(`Sorted by ${button.textContent}, ${down ? "descending" : "ascending"}.`);
      });
    });
  }

  // Failures are filtered by outcome, by expectation and by a part of their id.
  const tools = document.getElementById("tools");
  if (tools) {
    tools.hidden = false;
    const items = all(".failure, tr.row");
    const wanted = { outcome: "", known: "" };
    const find = document.getElementById("find");
    const count = document.getElementById("count");
    const show = () => {
      const part = find.value.trim().toLowerCase();
      let shown = 0;
      for (const item of items) {
        const { id, outcome, known } = item.dataset;
        item.hidden = !((!wanted.outcome || outcome === wanted.outcome) && (!wanted.known || known === wanted.known) && id.toLowerCase().includes(part));
        shown += item.hidden ? 0 : 1;
      }
      count.textContent = shown === items.length ? "" : `${shown} of ${items.length} shown`;
    };
    for (const name of ["outcome", "known"]) {
      const buttons = all(`button[data-${name}]`, tools);
      for (const button of buttons) {
        button.addEventListener("click", () => {
          wanted[name] = button.dataset[name];
          buttons.forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
          show();
        });
      }
    }
    find.addEventListener("input", show);
    const open = document.getElementById("open");
    open.addEventListener("click", () => {
      const opens = open.textContent === "Open all";
      all("details.failure:not([hidden])").forEach((item) => { item.open = opens; });
      open.textContent = opens ? "Close all" : "Open all";
    });
  }

  // An address that ends in # and an id opens the card of that case; a former id stands right before it.
  const visit = () => {
    let card = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    while (card && card.matches("span") && card.nextElementSibling) card = card.nextElementSibling;
    if (card && card.matches("details.failure")) { card.open = true; card.scrollIntoView(); }
  };
  window.addEventListener("hashchange", visit);
  visit();

  // Copying; where a page may not use the clipboard, the command is selected instead.
  for (const button of all(".copy")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const code = button.parentElement.querySelector("code");
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
        say("Copied.");
        setTimeout(() => { button.textContent = "Copy"; }, 1500);
      } catch {
        getSelection().selectAllChildren(code);
        say("Selected: copy it with the keyboard.");
      }
    });
  }

  // What is folded must be on paper too.
  let closed = [];
  window.addEventListener("beforeprint", () => { closed = all("details:not([open])"); closed.forEach((item) => { item.open = true; }); });
  window.addEventListener("afterprint", () => { closed.forEach((item) => { item.open = false; }); });
})();
