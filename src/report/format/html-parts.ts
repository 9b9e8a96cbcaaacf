import { html } from "hono/html";
import { count } from "../../diagnostics/quantities.ts";
import type { Html } from "./html-page.ts";

/** A part of a page below a heading, and the link to it. */
export interface PageSection {
  readonly id: string;
  readonly title: string;
  readonly content: Html;
}

export function sectionOf(title: string, content: Html): PageSection {
  return { id: title.toLowerCase().replaceAll(" ", "-"), title, content };
}

export function sectionHtml({ id, title, content }: PageSection): Html {
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}
</section>`;
}

/** Links to the sections of a page. */
export function contentsHtml(sections: readonly PageSection[]): Html {
  return html`<nav aria-label="Contents"><ul>${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>`;
}

export interface Table {
  /** Names the table for screen readers; shown unless the heading above says the same. */
  readonly caption: string;
  readonly isCaptionShown?: boolean;
  readonly columns: readonly Column[];
  readonly rows: readonly Html[];
  readonly className: string;
}

export interface Column {
  readonly title: string;
  readonly className?: string;
  /** Below the title. */
  readonly scale?: Html;
}

export function tableHtml({ caption, isCaptionShown = false, columns, rows, className }: Table): Html {
  const head = columns.map(
    ({ title, className = "", scale = "" }) => html`<th scope="col" class="${className}">${title}${scale}</th>`,
  );
  return html`<table class="${className}">
<caption class="${isCaptionShown ? "" : "hidden-text"}">${caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>${rows}</tbody>
</table>`;
}

/** The number of rows that a table or picture leaves out; nothing if it has all. */
export function notShown(number: number, what: string, where: string): Html | "" {
  return number > 0 ? html`<p>${count(number, `more ${what}`)} ${number === 1 ? "is" : "are"} ${where}</p>` : "";
}
