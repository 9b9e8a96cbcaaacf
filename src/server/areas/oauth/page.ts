import { html } from "hono/html";
import type { PublicContext } from "../../entities/context.ts";
import { type Document, type EscapedHtml, respondWithDocument, styleSheet } from "../../web/document.ts";
import { type Session, sessionCookie } from "./session.ts";

/** A page of a sign-in or an authorization. */
interface Page extends Omit<Document, "style"> {
  /** The browser, which gets its cookie if it has none. */
  readonly session?: Session;
}

/** A reply with a page of one panel below its title. */
export function respondWithPage({ session, ...page }: Page, context: PublicContext): Promise<Response> {
  const { title, body } = page;
  const cookie = session?.isNew ? { "Set-Cookie": sessionCookie(session.key, context) } : {};
  return respondWithDocument({
    ...page,
    style,
    body: html`<main>
<h1>${title}</h1>
${body}
</main>`,
    headers: { ...cookie, ...page.headers },
  });
}

/** A message that screen readers announce. */
export function alertHtml(text: string): EscapedHtml {
  return html`<p class="alert" role="alert">${text}</p>`;
}

const style = styleSheet(`
:root { color-scheme: light; --fore: #1b1b1f; --dim: #55555e; --back: #f4f4f8; --panel: #ffffff; --line: #8c8c96;
  --accent: #0b57d0; --on-accent: #ffffff; --alert: #b3261e; }
@media (prefers-color-scheme: dark) { :root { color-scheme: dark; --fore: #e6e6ea; --dim: #b0b0ba; --back: #131316;
  --panel: #1f1f24; --line: #7a7a86; --accent: #9cc0ff; --on-accent: #10203f; --alert: #ffaaa3; } }
* { box-sizing: border-box; }
html { text-size-adjust: 100%; -webkit-text-size-adjust: 100%; }
body { margin: 0; padding: 1rem; background: var(--back); color: var(--fore); font: 1rem/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere; }
main { max-width: 30rem; margin: 2rem auto; padding: 1.5rem; background: var(--panel); border: 1px solid var(--line);
  border-radius: .5rem; }
h1 { font-size: 1.375rem; line-height: 1.3; margin: 0 0 1rem; }
p, ul { margin: .75rem 0; }
ul { padding-left: 1.25rem; }
label { display: block; margin-top: 1rem; }
input { width: 100%; padding: .5rem; font: inherit; color: inherit; background: var(--panel);
  border: 1px solid var(--line); border-radius: .3rem; }
button { min-height: 2.75rem; padding: .5rem 1.25rem; margin: 1rem .5rem 0 0; font: inherit; border-radius: .3rem;
  border: 1px solid var(--accent); color: var(--accent); background: var(--panel); cursor: pointer; }
button.main { color: var(--on-accent); background: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
bdi { font-weight: 600; white-space: pre-wrap; }
.dim { color: var(--dim); }
.alert { border-left: 4px solid var(--alert); padding-left: .75rem; color: var(--alert); }
`);
