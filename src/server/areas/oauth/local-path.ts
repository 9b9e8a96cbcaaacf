import { PageError } from "./errors.ts";

/** A placeholder for the origin of this server. */
const origin = "http://local.invalid";

/**
 * The path and query of this server to which a sign-in leads, as browsers read them.
 * @throws {PageError} 400 for anything that could lead to another site.
 */
export function readLocalPath(text: string): string {
  const url = text.startsWith("/") && URL.canParse(text, origin) ? new URL(text, origin) : undefined;
  const path = url && url.pathname + url.search;
  // `/.//host` is normalised to `//host`, which names another site.
  if (url?.origin === origin && path !== undefined && !path.startsWith("//")) return path;
  throw new PageError(400, "This link is not valid", "A sign-in can only lead to a page of this server.");
}
