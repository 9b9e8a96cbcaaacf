/**
 * Filters the rows of changes by words and kinds, and opens everything for printing. A row matches if its zone, its
 * full name or its cells contain each word. Without scripts the filter stays hidden.
 */
export const pageScript = `
"use strict";
const form = document.querySelector("form.filter");
if (form) {
  const rows = [...document.querySelectorAll("tr[data-kind]")];
  const zones = [...document.querySelectorAll("details.zone")];
  const parts = [...document.querySelectorAll(".part")];
  const result = form.querySelector("output");
  const textOf = (row) => {
    const zone = row.closest("details").querySelector("summary strong").textContent;
    const name = row.querySelector("th").firstElementChild.textContent;
    const cells = [...row.cells].map((cell) => cell.textContent);
    return [...cells, name === "@" ? zone : name + "." + zone, zone].join(" ").toLowerCase();
  };
  let texts;
  const update = () => {
    const words = form.elements.text.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const kinds = new Set([...form.querySelectorAll("input[type=checkbox]:checked")].map((box) => box.value));
    if (words.length > 0) texts ??= rows.map(textOf);
    let shown = 0;
    rows.forEach((row, index) => {
      row.hidden = !kinds.has(row.dataset.kind) || !words.every((word) => texts[index].includes(word));
      if (!row.hidden) shown++;
    });
    for (const part of [...parts, ...zones]) part.hidden = !part.querySelector("tr[data-kind]:not([hidden])");
    const isActive = shown < rows.length;
    if (isActive) for (const zone of zones) zone.open = true;
    form.toggleAttribute("data-active", isActive);
    const all = rows.length + (rows.length === 1 ? " change" : " changes");
    result.textContent = !isActive ? all : shown === 0 ? "No change matches" : shown + " of " + all;
  };
  form.addEventListener("input", update);
  const showAll = () => {
    form.reset();
    update();
  };
  form.querySelector("button").addEventListener("click", showAll);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    showAll();
  });
  form.hidden = false;
  update();
}
let closed = [];
addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll("details:not([open])")];
  for (const part of closed) part.open = true;
});
addEventListener("afterprint", () => {
  for (const part of closed) part.open = false;
});
`;
