
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

  // Failures are filtered by weight, outcome, expectation, and by what is written of them; remarks by the same.
  const tools = document.getElementById("tools");
  let unfilter = () => {};
  if (tools) {
    tools.hidden = false;
    const items = all(".case, .row");
    const groups = all(".cause, .more");
    const wanted = { force: "", outcome: "", known: "" };
    const find = document.getElementById("find");
    const count = document.getElementById("count");
    const said = new Map();
    const text = (item) => {
      if (!said.has(item)) {
        const around = all(":scope > summary [data-find]", item.closest(".cause, .fold > .more"));
        said.set(item, all("[data-find]", item).concat(around).map((part) => part.textContent).join("\n").toLowerCase());
      }
      return said.get(item);
    };
    const opened = new Set();
    const show = () => {
      const part = find.value.trim().toLowerCase();
      const narrow = part || Object.values(wanted).some(Boolean);
      let shown = 0;
      for (const item of items) {
        const holds = Object.entries(wanted).every(([name, value]) => !value || item.dataset[name] === value);
        item.hidden = !(holds && (!part || text(item).includes(part)));
        shown += item.hidden ? 0 : 1;
      }
      // What holds nothing that is shown is hidden too; what holds something is open as long as there is a search.
      for (const group of groups) group.hidden = !group.querySelector(".case:not([hidden]), .row:not([hidden])");
      const open = (group) => { if (!group.open) { group.open = true; opened.add(group); } };
      if (part) for (const item of items) if (!item.hidden) for (let up = item.parentElement.closest("details"); up; up = up.parentElement.closest("details")) open(up);
      if (!part) { opened.forEach((group) => { group.open = false; }); opened.clear(); }
      count.textContent = narrow ? `${shown} of ${items.length} shown` : "";
    };
    for (const name of Object.keys(wanted)) {
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
    unfilter = () => {
      find.value = "";
      for (const name of Object.keys(wanted)) {
        wanted[name] = "";
        all(`button[data-${name}]`, tools).forEach((button) => button.setAttribute("aria-pressed", String(!button.dataset[name])));
      }
      show();
    };
    // The failures of one law: the link leads to the first of them and the others come with it.
    for (const link of all("a[data-law]")) {
      link.addEventListener("click", () => { unfilter(); find.value = `${link.dataset.law}/`; show(); });
    }
    const open = document.getElementById("open");
    open.addEventListener("click", () => {
      const opens = open.textContent === "Open all";
      const folds = all("details.fold").filter((item) => item.querySelector(".row"));
      all("details.cause, details.case, details.more").concat(folds).forEach((item) => { if (!item.hidden) item.open = opens; });
      opened.clear();
      open.textContent = opens ? "Close all" : "Open all";
    });
  }

  // An address that ends in # and an id, of today or a former one, opens the card of that case and all that is around it.
  const visit = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const card = target && target.closest(".case, .row, .cause");
    if (!card) return;
    if (card.hidden) unfilter();
    for (let up = card; up; up = up.parentElement.closest("details")) if (up.matches("details")) up.open = true;
    card.scrollIntoView();
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
