import { scryptSync } from "node:crypto";
import type { Server } from "../../src/server/http/router.ts";
import type { Store } from "../../src/server/store/store.ts";

/** Gives the user this password, stored as the server stores it but at a cost that tests can afford. */
export async function givePassword(store: Store, username: string, password: string): Promise<void> {
  const salt = Buffer.from("salt of a test");
  const derived = scryptSync(password, salt, 32, { N: 2, r: 1, p: 1 });
  const stored = `scrypt$1$1$1$${salt.toString("base64")}$${derived.toString("base64")}`;
  await store.write((db) =>
    db.updateTable("users").set({ password: stored }).where("username", "=", username).execute(),
  );
}

/** A reply as a browser shows it. */
export interface View {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  readonly location: string | null;
}

/** A form of a page, with the fields that it would send. */
export interface Form {
  readonly action: string;
  readonly fields: Record<string, string>;
}

/** A browser with cookies and without scripts; it follows no redirects by itself. */
export class Browser {
  cookies = new Map<string, string>();
  address = "192.0.2.99";
  isEncrypted = false;
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
  }

  get(path: string): Promise<View> {
    return this.#send(path, {});
  }

  post(path: string, fields: Record<string, string> | URLSearchParams, signal?: AbortSignal): Promise<View> {
    return this.#send(path, { method: "POST", body: new URLSearchParams(fields), ...(signal && { signal }) });
  }

  /** Fills in a form and sends it; the browser hangs up when the signal is aborted. */
  submit({ action, fields }: Form, filled: Record<string, string> = {}, signal?: AbortSignal): Promise<View> {
    return this.post(action, { ...fields, ...filled }, signal);
  }

  /** Signs in on the page that asks for it; the reply leads to where the user wanted to go. */
  async signIn(path: string, username: string, password: string): Promise<View> {
    return this.submit(formOf(await this.get(path), "/sign-in"), { username, password });
  }

  async #send(path: string, init: RequestInit): Promise<View> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const scheme = this.isEncrypted ? "https" : "http";
    const request = new Request(`${scheme}://api${path}`, {
      ...init,
      headers: { Accept: "text/html", ...(cookie !== "" && { Cookie: cookie }) },
    });
    const reply = await this.#server(request, { remoteAddress: this.address, isEncrypted: this.isEncrypted });
    for (const set of reply.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      this.cookies.set(name, value);
    }
    const { status, headers } = reply;
    return { status, headers, html: await reply.text(), location: headers.get("Location") };
  }
}

/** The form of a page with this action. */
export function formOf({ html }: Pick<View, "html">, action: string): Form {
  const form = new RegExp(`<form method="post" action="${action}">(.*?)</form>`, "s").exec(html)?.[1];
  if (form === undefined) throw new Error(`no form ${action} in ${html}`);
  const inputs = [...form.matchAll(/<input[^>]*? name="([^"]*)"[^>]*? value="([^"]*)"/g)];
  return { action, fields: Object.fromEntries(inputs.map(([, name = "", value = ""]) => [name, unescapeHtml(value)])) };
}

function unescapeHtml(text: string): string {
  const characters: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => characters[name] ?? "");
}

/** The end of the page that asks for a password, as `textOf` shows it. */
export const signInEnd =
  "User name Password Sign in The operator of this server sets passwords with zonewright server user password.";

/** The text that a page shows below its title. */
export function textOf({ html }: View): string {
  const main = /<main>(.*)<\/main>/s.exec(html)?.[1] ?? html;
  return unescapeHtml(main.replace(/<[^>]*>/g, " "))
    .replace(/\s+/g, " ")
    .replace(/ ([.,?])/g, "$1")
    .trim();
}
