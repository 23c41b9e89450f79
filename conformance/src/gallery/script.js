
// The index is filtered by what is written in a row and by its grade.
(() => {
  const filter = document.getElementById("filter");
  if (!filter) return;
  const rows = Array.from(document.querySelectorAll(".implementations tbody tr"));
  const buttons = Array.from(filter.querySelectorAll("button[data-grade]"));
  const find = document.getElementById("name");
  const text = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  let grade = "";
  const show = () => {
    const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      row.hidden = !((!grade || row.dataset.grade === grade) && words.every((word) => text.get(row).includes(word)));
      shown += row.hidden ? 0 : 1;
    }
    document.getElementById("none").hidden = shown > 0;
    document.getElementById("shown").textContent = words.length > 0 || grade ? `${shown} of ${rows.length} shown` : "";
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      grade = button.dataset.grade;
      buttons.forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
      show();
    });
  }
  find.addEventListener("input", show);
  filter.hidden = false;
  show();
})();
