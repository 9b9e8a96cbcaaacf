import type { Profile } from "../../entities/context.ts";

/** Longer ones do not fit into the head of a reply with a state. */
const longest = 2048;

const schemes = /^(?:https?:\/\/|[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:)/;

/** A name or an address, and a port: nothing that has a meaning in a header or before an `@`. */
const authority = /^https?:\/\/(?:[\w-]+(?:\.[\w-]+)*\.?|\[[0-9a-f:.]+\])(?::\d+)?(?:[/?]|$)/;

/** The characters of a URI without a fragment (RFC 3986 §2). */
const characters = /^(?:[\w.~:/?[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$/;

/**
 * Whether a text can be the redirect URI of an OAuth client: absolute, without a fragment, of the scheme http or https
 * or one with a dot (RFC 6749 §3.1.2, RFC 8252 §7.1). It must be written as browsers write it, so that it means the
 * same to all of them.
 */
export function isRedirectUri(text: string): boolean {
  if (text.length > longest || !schemes.test(text) || !characters.test(text)) return false;
  const isWeb = /^https?:/.test(text);
  if (isWeb && !authority.test(text)) return false;
  // The path of a host alone may be left out.
  const whole = isWeb ? text.replace(/^(https?:\/\/[^/?]+)(?=\?|$)/, "$1/") : text;
  return URL.canParse(whole) && new URL(whole).href === whole;
}

/** A loopback address, its port, and the rest of the URI. */
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::\d{1,5})?([/?].*)?$/;

/** Segments of a path that mean the same to every server. */
const plainPath = /^(?:[\w~!$&'()*+,;=:@.-]+\/)*[\w~!$&'()*+,;=:@.-]*$/;

/**
 * Whether a client may ask for a redirect to this URI: its registered one, on a loopback address also with another port
 * (RFC 8252 §7.3), in profile live also one below its path.
 */
export function matchesRedirectUri(registered: string, requested: string, profile: Profile): boolean {
  if (requested === registered) return true;
  if (!isRedirectUri(requested)) return false;
  const [, host, rest] = loopback.exec(registered) ?? [];
  const [, requestedHost, requestedRest] = loopback.exec(requested) ?? [];
  if (host !== undefined && host === requestedHost && rest === requestedRest) return true;
  const folder = `${registered.replace(/\/$/, "")}/`;
  return (
    profile === "live" &&
    /^https?:/.test(registered) &&
    !registered.includes("?") &&
    requested.startsWith(folder) &&
    plainPath.test(requested.slice(folder.length))
  );
}
