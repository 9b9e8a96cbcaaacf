import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { escapeOnPage } from "../../diagnostics/escape.ts";
import { type PublicText, publicText } from "./public-text.ts";

/** Escaped HTML. Values in an `html` template are escaped unless they are such HTML. */
export type EscapedHtml = HtmlEscapedString | Promise<HtmlEscapedString>;

/** A text of a user, whose control characters become visible and whose direction does not affect its surroundings. */
export function userText(text: string): EscapedHtml {
  return html`<bdi>${escapeOnPage(text)}</bdi>`;
}

/** A text of a user with several lines, for an element that keeps line ends and tabs. */
export function userLines(text: string): EscapedHtml {
  return html`<bdi>${text.replace(/\r\n/g, "\n").replace(/[^\n\t]+/g, escapeOnPage)}</bdi>`;
}

/** The style of a page, with the hash by which its policy allows it. */
export interface StyleSheet {
  readonly text: string;
  readonly hash: string;
}

export function styleSheet(text: string): StyleSheet {
  return { text, hash: `sha256-${createHash("sha256").update(text).digest("base64")}` };
}

/** A page as a whole document. */
export interface Document {
  readonly status?: number;
  readonly title: string;
  readonly style: StyleSheet;
  readonly body: EscapedHtml;
  /**
   * Whether a form of the page leads to an application; by default it leads to this server alone. No policy can name
   * where an application leads on, and browsers apply it to all redirects after a form. An application that opened the
   * page in a window of its own can still watch that window.
   */
  readonly leadsToApplication?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A reply with a document. */
export async function respondWithDocument(document: Document): Promise<Response> {
  const { text, headers } = await renderDocument(document);
  return new Response(text, { status: document.status ?? 200, headers });
}

/** A page that is the same for everybody, with its headers. */
export interface PublicPage {
  readonly text: PublicText;
  readonly headers: Readonly<Record<string, string>>;
}

/** A page for everybody who is not signed in. */
export async function publicPage(document: Document): Promise<PublicPage> {
  const { text, headers } = await renderDocument(document);
  return { text: publicText(text), headers: { ...headers, Vary: "Cookie" } };
}

/** A page that loads nothing, runs no script, and cannot be shown in a frame of another site. */
async function renderDocument(document: Document): Promise<{ text: string; headers: Record<string, string> }> {
  const { title, style, body, leadsToApplication = false, headers } = document;
  const policy = [
    "default-src 'none'",
    `style-src '${style.hash}'`,
    "img-src data:",
    ...(leadsToApplication ? [] : ["form-action 'self'"]),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  const text = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeOnPage(title)} · zonewright</title>
<link rel="icon" href="data:,">
<style>${raw(style.text)}</style>
</head>
<body>
${body}
</body>
</html>
`;
  return {
    text: text.toString(),
    headers: {
      ...privateHeaders,
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy,
      "X-Frame-Options": "DENY",
      ...(!leadsToApplication && { "Cross-Origin-Opener-Policy": "same-origin" }),
      ...headers,
    },
  };
}

/** A redirect after a form, or to another page. */
export function redirectTo(location: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status: 303, headers: { ...privateHeaders, Location: location, ...headers } });
}

const privateHeaders = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};
