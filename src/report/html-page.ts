import { createHash } from "node:crypto";
import { html, raw } from "hono/html";

/** HTML whose values are escaped; it may still contain pending parts. */
export type Html = ReturnType<typeof html>;

/**
 * A page in one file, which loads nothing: its policy allows only its own style and script. Without scripts all of it
 * is shown.
 */
export async function htmlPage(title: string, body: Html): Promise<string> {
  const policy = [
    "default-src 'none'",
    `style-src '${sourceHash(style)}'`,
    `script-src '${sourceHash(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const page = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
${body}
<script>${raw(script)}</script>
</body>
</html>
`;
  return `${page}`;
}

function sourceHash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

const style = `
:root { --fore: #1b1b1f; --dim: #55555e; --back: #ffffff; --panel: #f3f3f7; --line: #c9c9d2;
  --create: #0b57d0; --change: #1b1b1f; --swap: #7a2f9e; --delete: #b3261e; --bar: #8fb3ee; }
@media (prefers-color-scheme: dark) {
  :root { --fore: #e6e6ea; --dim: #b0b0ba; --back: #131316; --panel: #1f1f24; --line: #46464f;
    --create: #9cc0ff; --change: #e6e6ea; --swap: #dcaaf5; --delete: #ffaaa3; --bar: #33558c; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 84rem; padding: 1rem; background: var(--back); color: var(--fore);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
code, td, .mono { font-family: ui-monospace, monospace; font-size: .875rem; }
p, ul, ol { margin: .5rem 0; }
.verdict { font-weight: bold; }
.blocked { color: var(--delete); }
.dim { color: var(--dim); }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: .4rem; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; padding: .4rem .6rem; font-weight: bold; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-top: 1px solid var(--line); }
th { background: var(--panel); font-size: .875rem; white-space: nowrap; }
tbody th { background: none; white-space: normal; }
td, th { overflow-wrap: normal; }
td.number, th.number { text-align: right; white-space: nowrap; }
.long { min-width: 12rem; overflow-wrap: anywhere; }
tr.create .kind { color: var(--create); } tr.change .kind { color: var(--change); }
tr.swap .kind { color: var(--swap); } tr.delete .kind { color: var(--delete); }
.kind { font-weight: bold; white-space: nowrap; }
details { margin: .75rem 0; }
summary { cursor: pointer; padding: .3rem 0; }
.filter { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: .5rem 0; }
.filter[hidden] { display: none; }
input[type=search] { font: inherit; padding: .2rem .5rem; max-width: 100%; }
:focus-visible { outline: 2px solid var(--create); outline-offset: 2px; }
svg { display: block; max-width: 100%; height: auto; }
svg text { fill: var(--fore); font: 12px ui-monospace, monospace; }
svg .bar { fill: var(--bar); } svg .edge { stroke: var(--dim); fill: none; } svg .changed { font-weight: bold; }
@media (max-width: 40rem) {
  body { padding: .5rem; }
  th, td { padding: .25rem .4rem; }
  .cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .cards tr { display: block; border-top: 1px solid var(--line); padding: .4rem 0; }
  .cards tr[hidden] { display: none; }
  .cards td, .cards th { display: block; border: 0; text-align: left; overflow-wrap: anywhere; white-space: normal; }
  .cards td:empty { display: none; }
  .cards [data-label]::before { content: attr(data-label) " "; color: var(--dim); font-family: system-ui, sans-serif; }
}
@media print { .filter { display: none; } .scroll { overflow: visible; border: 0; } tr { break-inside: avoid; } }
`;

/** Filters the rows of changes by text and kind. */
const script = `
"use strict";
const form = document.querySelector(".filter");
if (form) {
  const rows = [...document.querySelectorAll("tr[data-kind]")];
  const update = () => {
    const text = form.elements.text.value.trim().toLowerCase();
    const kinds = new Set([...form.querySelectorAll("input[type=checkbox]:checked")].map((box) => box.value));
    let shown = 0;
    for (const row of rows) {
      row.hidden = !kinds.has(row.dataset.kind) || !row.textContent.toLowerCase().includes(text);
      if (!row.hidden) shown++;
    }
    for (const zone of document.querySelectorAll("details.zone"))
      zone.hidden = !zone.querySelector("tr[data-kind]:not([hidden])");
    form.querySelector("output").textContent = shown + " of " + rows.length + " changes";
  };
  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  update();
}
`;
