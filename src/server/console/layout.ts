import { html, raw } from "hono/html";
import { count } from "../../diagnostics/quantities.ts";
import { type EscapedHtml, styleSheet, userText } from "../web/document.ts";

export interface ConsolePage {
  readonly title: string;
  readonly body: EscapedHtml;
}

/**
 * A table whose cells are texts of users or HTML. A wide one scrolls in its own box, whose edge is shaded where more
 * follows. Only words wider than the widest cell are broken.
 */
export function consoleTable(
  caption: string,
  head: readonly string[],
  rows: readonly (readonly (string | EscapedHtml)[])[],
): EscapedHtml {
  if (rows.length === 0) return html`<p>Nothing to show.</p>`;
  return html`<div class="wide" role="region" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption>
<thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${showValue(cell)}</td>`)}</tr>`)}</tbody>
</table></div>`;
}

/** A moment of the API, such as `2026-03-04T12:00:00`; its date and its time stay whole in narrow columns. */
export function momentHtml(text: string | null | undefined): EscapedHtml {
  if (text == null) return html``;
  const [date, time] = text.split("T");
  return html`<time datetime="${text}Z"><span>${date}</span> <span>${time} UTC</span></time>`;
}

function showValue(value: string | EscapedHtml): EscapedHtml {
  // Escaped HTML is a String object, or a promise of one.
  return typeof value === "string" ? userText(value) : value;
}

/** Texts of users, separated by commas. */
export function joinTexts(texts: readonly string[]): EscapedHtml {
  return html`${texts.map((text, index) => html`${index === 0 ? "" : ", "}${userText(text)}`)}`;
}

/** Names and values, one pair a line. */
export function properties(pairs: readonly (readonly [name: string, value: string | EscapedHtml])[]): EscapedHtml {
  return html`<dl>${pairs.map(([name, value]) => html`<dt>${name}</dt><dd>${showValue(value)}</dd>`)}</dl>`;
}

/** The place of a page in its list. */
interface ListPlace {
  readonly page: number;
  readonly pages: number;
  readonly results: number;
}

/** A page of a list, with links to others. `path` may have a query; `nothing` says that the list is empty. */
export function listPage(
  path: string,
  place: ListPlace,
  items: EscapedHtml,
  nothing = html`Nothing to show.`,
): EscapedHtml {
  if (place.results === 0) return html`<p>${nothing}</p>`;
  return html`${place.page > place.pages ? "" : items}
${pager(path, place)}`;
}

/** Links to the pages before and after this one; nothing for an empty list. `path` may have a query. */
export function pager(path: string, { page, pages, results }: ListPlace): EscapedHtml {
  if (results === 0) return html``;
  const to = (number: number) => `${path}${path.includes("?") ? "&" : "?"}page=${number}`;
  if (page > pages)
    return html`<nav class="pager" aria-label="Pages"><span>Page ${page} does not exist; the list has ${count(pages, "page")} (${results} total)</span>
<a rel="prev" href="${to(pages)}">Last page</a></nav>`;
  return html`<nav class="pager" aria-label="Pages"><span>Page ${page} of ${pages} (${results} total)</span>
${page > 1 ? html`<a rel="prev" href="${to(page - 1)}">Previous</a>` : ""}
${page < pages ? html`<a rel="next" href="${to(page + 1)}">Next</a>` : ""}</nav>`;
}

/** The sections of the console, by path. */
const sections: readonly (readonly [path: string, name: string])[] = [
  ["/", "Overview"],
  ["/domains", "Domains"],
  ["/events", "Events"],
  ["/tokens", "Tokens"],
  ["/tickets", "Tickets"],
  ["/health", "Health"],
  ["/api", "API"],
];

/** The page below the navigation. `aside` stands at the end of the navigation. */
export function layout({ title, body }: ConsolePage, path: string, aside: EscapedHtml): EscapedHtml {
  const section = `/${path.split("/")[1] ?? ""}`;
  const links = sections.map(
    ([to, name]) => html`<a href="${to}"${to === section ? raw(' aria-current="page"') : ""}>${name}</a>`,
  );
  return html`<header><nav aria-label="Console">${links}${aside}</nav></header>
<main>
<h1>${userText(title)}</h1>
${body}
</main>`;
}

export const style = styleSheet(`
:root { color-scheme: light dark; --text: #1d1d1f; --faint: #55555c; --line: #c8c8d0; --back: #fff; --band: #f2f2f6; --link: #0b57a4; }
@media (prefers-color-scheme: dark) {
  :root { --text: #ececf1; --faint: #b4b4be; --line: #4a4a55; --back: #18181c; --band: #24242a; --link: #8cc2ff; }
}
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); }
header { background: var(--band); border-bottom: 1px solid var(--line); }
header nav { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.25rem; padding: .75rem 1rem; }
.end { margin-left: auto; }
header form { margin: 0; }
main { max-width: 75rem; margin: 0 auto; padding: 1rem; }
a { color: var(--link); }
a[aria-current] { color: var(--text); font-weight: 600; text-decoration: none; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin-top: 2rem; }
h3 { overflow-wrap: anywhere; }
.wide { overflow-x: auto; background: no-repeat local left / 2rem 100% linear-gradient(to right, var(--back) 50%, transparent),
  no-repeat local right / 2rem 100% linear-gradient(to left, var(--back) 50%, transparent),
  no-repeat left / .75rem 100% linear-gradient(to right, var(--line), transparent),
  no-repeat right / .75rem 100% linear-gradient(to left, var(--line), transparent); }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; color: var(--faint); padding: .25rem 0; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); }
td { overflow-wrap: break-word; max-width: 30rem; }
@media (max-width: 40rem) { table { width: max-content; min-width: 100%; } td { max-width: 20rem; } td time { display: block; width: min-content; } }
time span { white-space: nowrap; }
pre { overflow-x: auto; padding: .75rem; background: var(--band); border: 1px solid var(--line); }
code, pre { font: .9rem/1.45 ui-monospace, monospace; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dt { color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
article { border-top: 1px solid var(--line); }
article h3 { color: var(--faint); font-size: 1rem; font-weight: normal; }
form[role="search"] { margin-bottom: 1rem; }
.contents { columns: 12rem; padding-left: 1.25rem; }
.pager { display: flex; gap: 1rem; margin: 1rem 0; }
input, button { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--faint); border-radius: .25rem; padding: .3rem .6rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
`);
