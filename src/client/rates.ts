import type { AnnouncedLimit, Rate } from "./rate.ts";

/** The rate of each client. */
export const rates = new WeakMap<object, Rate>();

/**
 * The last rate limit that the service announced to this client; undefined before the first reply, and if `client` was
 * not made by `createClient`.
 */
export function readAnnouncedLimit(client: object): AnnouncedLimit | undefined {
  return rates.get(client)?.announced;
}
