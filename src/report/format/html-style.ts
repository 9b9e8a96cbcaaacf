/** Colours on a light background, which paper has as well. */
const light = `color-scheme: light; --fore: #1b1b1f; --dim: #55555e; --back: #ffffff; --panel: #f4f4f8; --line: #d3d3dc;
  --create: #0b57d0; --change: #1b1b1f; --swap: #7a2f9e; --delete: #b3261e; --good: #1a6b35;
  --bar: #7da7ea; --none: #f6c6c2; --removed: #fbe0dd; --added: #d8e6fd;`;
const dark = `color-scheme: dark; --fore: #e6e6ea; --dim: #b0b0ba; --back: #131316; --panel: #1f1f24; --line: #3d3d46;
  --create: #9cc0ff; --change: #e6e6ea; --swap: #dcaaf5; --delete: #ffaaa3; --good: #8fd6a4;
  --bar: #3f66a6; --none: #6e2f2b; --removed: #4d2320; --added: #1d3a66;`;
/** The colours of the system, if it forces them on all pages. */
const forced = `--fore: CanvasText; --dim: CanvasText; --back: Canvas; --panel: Canvas; --line: CanvasText;
  --create: CanvasText; --change: CanvasText; --swap: CanvasText; --delete: CanvasText; --good: CanvasText;
  --bar: Highlight; --none: Canvas; --removed: Canvas; --added: Canvas;`;

/**
 * The style of every page. Nothing moves or fades. Colour never carries meaning alone: kinds have signs and words, and
 * what differs in a value is underlined.
 */
export const pageStyle = `
:root { ${light} }
@media (prefers-color-scheme: dark) { :root { ${dark} } }
@media (forced-colors: active) { :root { ${forced} } }
* { box-sizing: border-box; }
html { scroll-padding-top: 3rem; text-size-adjust: 100%; -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 88rem; padding: 1.5rem; background: var(--back); color: var(--fore);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.625rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 2.5rem 0 .5rem; }
h3 { font-size: 1rem; margin: 0; }
p, ul, ol, pre { margin: .5rem 0; }
ul { padding-left: 1.25rem; }
a { color: var(--create); text-underline-offset: .15em; }
code, .mono { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .875rem; }
code, bdi, td, th { unicode-bidi: isolate; }
bdi { white-space: pre-wrap; }
pre { white-space: pre-wrap; background: var(--panel); border: 1px solid var(--line); border-radius: .3rem; padding: .5rem .75rem; }
.dim { color: var(--dim); }
.hidden-text { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.verdict { display: inline-block; margin: 0; padding: .15rem .7rem; border: 2px solid; border-radius: 1rem; font-weight: bold; color: var(--good); }
.verdict.blocked { color: var(--delete); }
.facts { margin: .6rem 0 0; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .15rem 1.25rem; padding: 0; margin: .75rem 0 0; }
.card { border: 1px solid var(--line); border-left: 4px solid var(--delete); border-radius: .3rem; padding: .75rem 1rem; margin: .75rem 0; }

table { border-collapse: collapse; width: 100%; }
caption { text-align: left; padding: .4rem 0; color: var(--dim); }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line);
  font-size: .875rem; }
thead th { background: var(--panel); color: var(--dim); border-top: 1px solid var(--line); }
tbody th { font-weight: 600; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.compact { width: auto; min-width: min(100%, 44rem); }
.kind { font-weight: bold; white-space: nowrap; color: var(--change); }
.create .kind, .kind.create { color: var(--create); } .swap .kind, .kind.swap { color: var(--swap); }
.delete .kind, .kind.delete { color: var(--delete); }
.gap, .mark { color: var(--delete); }
.mark { font-weight: bold; }
del, ins { text-decoration: underline; text-decoration-thickness: 1px; text-underline-offset: .2em; border-radius: .15rem; }
del { background: var(--removed); } ins { background: var(--added); }
.place { display: block; font-weight: normal; font-size: .75rem; color: var(--dim); }

details { margin: .75rem 0; }
summary { cursor: pointer; padding: .35rem .6rem; margin: 0 -.6rem; border-radius: .3rem; }
summary:hover { background: var(--panel); }
summary strong { margin-right: .75rem; }
.changes, .timeline, .caches { table-layout: fixed; }
.step { width: 3.75rem; } .action { width: 6.25rem; } .type { width: 5rem; } .ttl { width: 5.25rem; } .time { width: 8.5rem; }
.changes .name { width: 20%; } .changes .why { width: 19%; } .timeline .name, .caches .name { width: 28%; }
.lazy { content-visibility: auto; contain-intrinsic-block-size: auto 8rem; }
.lazy.full { contain-intrinsic-block-size: auto 1200rem; }
@media screen and (min-width: 48.01rem) { .changes thead th { position: sticky; top: 0; z-index: 1; } }
.filter { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center; margin: .75rem 0; }
.filter[hidden] { display: none; }
.filter fieldset { border: 0; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
.filter legend { float: left; padding: 0; margin-right: .75rem; color: var(--dim); }
.filter label { display: inline-flex; align-items: center; gap: .4rem; min-height: 1.75rem; }
input, button { font: inherit; color: inherit; }
input[type=search] { padding: .25rem .6rem; width: 18rem; max-width: 100%; background: var(--back);
  border: 1px solid var(--dim); border-radius: .3rem; }
input[type=checkbox] { width: 1.1rem; height: 1.1rem; margin: 0; accent-color: var(--create); }
button { padding: .25rem .8rem; background: var(--panel); border: 1px solid var(--dim); border-radius: .3rem; cursor: pointer; }
output { font-weight: 600; }
:focus-visible { outline: 3px solid var(--create); outline-offset: 2px; }

svg { display: block; }
.plot svg { width: 100%; overflow: visible; }
.timeline .plot { width: 30%; }
svg text { fill: var(--fore); font: 12px ui-monospace, "DejaVu Sans Mono", monospace; }
svg .tick { fill: var(--dim); } svg .grid { stroke: var(--line); }
svg .old { fill: var(--bar); } svg .none { fill: var(--none); stroke: var(--delete); stroke-dasharray: 3 2; }
svg .edge { stroke: var(--dim); fill: none; } svg .tip { fill: var(--dim); }
svg .node { fill: var(--panel); stroke: var(--line); } svg .changed { stroke: var(--create); stroke-width: 2; }
svg .gone { stroke: var(--delete); stroke-width: 2; stroke-dasharray: 4 2; }
svg .write { fill: var(--change); } .create .write { fill: var(--create); } .swap .write { fill: var(--swap); }
.delete .write { fill: var(--delete); }
.key { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; list-style: none; font-size: .875rem; }
.key li { display: flex; align-items: center; gap: .4rem; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: .3rem; padding: .5rem; }

@media screen and (max-width: 48rem) {
  body { padding: .75rem; }
  h1 { font-size: 1.375rem; }
  .cards { min-width: 0; }
  .cards, .cards tbody, .cards tr, .cards tbody th { display: block; }
  .cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .cards tr { border: 1px solid var(--line); border-radius: .3rem; padding: .5rem .75rem; margin: .5rem 0; }
  .cards tr[hidden] { display: none; }
  .cards td, .cards tbody th { border: 0; padding: .1rem 0; width: auto; text-align: left; white-space: normal; }
  .cards td { display: inline-block; margin-right: 1rem; }
  .cards td.wide { display: block; margin: 0; }
  .cards [data-label] > div:first-child { display: inline; }
  .cards td:empty, .cards td.wide:empty { display: none; }
  .cards [data-label]::before { content: attr(data-label) " "; color: var(--dim); font: .8125rem system-ui, sans-serif; }
  input[type=search] { width: 100%; }
  .filter label:has(input[type=search]) { width: 100%; flex-wrap: wrap; }
  .filter label { min-height: 2.25rem; }
}

@media print {
  :root { ${light} --fore: #000; --dim: #333; --change: #000; --panel: #fff; }
  @page { margin: 14mm; }
  html { font-size: 11px; }
  body { padding: 0; max-width: none; }
  h2 { margin-top: 1.5rem; }
  th, td { padding: .2rem .4rem; }
  h2, h3, summary, caption { break-after: avoid; }
  tr, .card { break-inside: avoid; }
  thead { display: table-header-group; }
  nav, .filter:not([data-active]), .filter > :not(output) { display: none; }
  summary { list-style: none; margin: 0; padding: .2rem 0; }
  details::details-content { content-visibility: visible; block-size: auto; }
  .lazy { content-visibility: visible; }
  .scroll { overflow: visible; border: 0; padding: 0; }
  .scroll svg { max-width: 100%; height: auto; }
  svg .old, svg .none, svg .write, del, ins { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  a { color: inherit; text-decoration: none; }
}
`;
