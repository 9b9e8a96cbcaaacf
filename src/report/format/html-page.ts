import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import { pageScript } from "./html-script.ts";
import { pageStyle } from "./html-style.ts";

/** HTML whose values are escaped; it may still contain pending parts. */
export type Html = ReturnType<typeof html>;

/**
 * A page in one file, which loads nothing: its policy allows only its own style and script. Without scripts all of it
 * is shown. Browsers of phones are told to make no links from numbers and addresses in values.
 */
export async function htmlPage(title: string, body: Html): Promise<string> {
  const policy = [
    "default-src 'none'",
    `style-src '${sourceHash(pageStyle)}'`,
    `script-src '${sourceHash(pageScript)}'`,
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
<meta name="referrer" content="no-referrer">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${title}</title>
<style>${raw(pageStyle)}</style>
</head>
<body>
${body}
<script>${raw(pageScript)}</script>
</body>
</html>
`;
  return `${page}`;
}

function sourceHash(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
