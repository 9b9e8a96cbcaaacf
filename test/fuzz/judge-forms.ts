import { formOf, type View } from "../server/browser.ts";
import type { FormRequest } from "./forms.ts";

/** The values that stand for the words of a request, by their names. */
export type Words = Map<string, string>;

/** Replies to applications, whose errors are those of RFC 6749 §5.2. */
const errorCodes = ["invalid_request", "invalid_client", "invalid_grant", "invalid_scope", "unsupported_grant_type"];
const tokenKeys = "scope scopes access_token refresh_token token_type expires_in";

/** Puts the values of its sender, and those of the other, in the place of the words of a text. */
export function fillWords(text: string, own: Words, other: Words): string {
  return text.replaceAll(/@(other-)?([a-z]+)/gi, (word, isOther: string | undefined, name: string) => {
    return (isOther ? other : own).get(name) ?? word;
  });
}

/** The request as it is sent. */
export function sentForm(
  { method, path, fields, encoding, session, isBasic }: FormRequest,
  own: Words,
  other: Words,
): Request {
  const filled = fields.map(([name, value]): [string, string] => [name, fillWords(value, own, other)]);
  const headers = new Headers();
  const cookie = { own: own.get("session"), other: other.get("session"), unknown: "0".repeat(64), none: undefined };
  if (cookie[session] !== undefined) headers.set("Cookie", `zonewright=${cookie[session]}`);
  if (isBasic) headers.set("Authorization", `Basic ${btoa(`${own.get("client")}:${own.get("secret")}`)}`);
  const isClient = ([name]: [string, string]) => name === "client_id" || name === "client_secret";
  const sent = isBasic ? filled.filter((field) => !isClient(field)) : filled;
  if (method === "GET") return new Request(`http://api${path}?${new URLSearchParams(sent)}`, { headers });
  return new Request(`http://api${path}`, { method, headers, body: bodyOf(sent, encoding) });
}

function bodyOf(fields: [string, string][], encoding: FormRequest["encoding"]): string | URLSearchParams | FormData {
  if (encoding === "json") return JSON.stringify(Object.fromEntries(fields));
  if (encoding === "urlencoded") return new URLSearchParams(fields);
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

/** Why a reply to an application is not as RFC 6749 has it; undefined if it is. */
export function faultOfTokenReply(path: string, { status, headers, html: text }: View): string | undefined {
  if (headers.get("Content-Type") !== "application/json") return "is not JSON by its header";
  if (headers.get("Cache-Control") !== "no-store") return "may be stored by caches";
  const reply = JSON.parse(text);
  if (status === 200) {
    const wanted = path === "/oauth/token" ? tokenKeys : "";
    return Object.keys(reply).join(" ") === wanted ? undefined : "has other keys than a reply with tokens";
  }
  const isKnown = errorCodes.includes(reply.error) && status === (reply.error === "invalid_client" ? 401 : 400);
  return isKnown && typeof reply.error_description === "string" ? undefined : "is not an error of RFC 6749";
}

/** Why a page or a redirect is unsafe; undefined if it is safe. Redirects lead to this server or to `client`. */
export function faultOfPage({ status, headers, html, location }: View, client: string): string | undefined {
  if (headers.get("Cache-Control") !== "no-store") return "may be stored by caches";
  if (status === 303) {
    const isLocal = /^\/(?![/\\])/.test(location ?? "");
    const isLoopback = /^http:\/\/127\.0\.0\.1:\d+\//.test(location ?? "");
    return isLocal || isLoopback || location?.startsWith(client) ? undefined : "redirects to another site";
  }
  if (![200, 400, 403, 429].includes(status)) return "has an unexpected status";
  if (headers.get("Content-Type") !== "text/html; charset=utf-8") return "is not HTML by its header";
  const policy = headers.get("Content-Security-Policy") ?? "";
  if (!policy.startsWith("default-src 'none'; ") || !policy.includes("; frame-ancestors 'none'"))
    return "has no strict Content-Security-Policy";
  return /<(?:script|img)/i.test(html) ? "shows HTML of a request" : undefined;
}

/** Keeps the values that a reply gives to a person, for requests to come; the secrets among them are returned. */
export function keepValues({ headers, html: text, location }: View, words: Words): string[] {
  const keep = (name: string, value: string | null | undefined) => {
    if (!value) return [];
    words.set(name, value);
    return [value];
  };
  if (headers.get("Content-Type") === "application/json") {
    const { access_token, refresh_token } = JSON.parse(text);
    return [...keep("access", access_token), ...keep("refresh", refresh_token)];
  }
  for (const [name, action] of [
    ["consent", "/oauth/authorize"],
    ["signIn", "/sign-in"],
    ["signOut", "/sign-out"],
  ] as const) {
    if (!text.includes(`action="${action}"`)) continue;
    const { fields } = formOf({ html: text }, action);
    keep(name, fields.token);
    keep("request", fields.request);
    if (name === "signOut") keep("leave", fields.to);
  }
  const [, session] = /^zonewright=([0-9a-f]+)/.exec(headers.get("Set-Cookie") ?? "") ?? [];
  const code = location && URL.canParse(location) ? new URL(location).searchParams.get("code") : undefined;
  return [...keep("session", session), ...keep("code", code)];
}
