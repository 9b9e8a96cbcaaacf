import { count } from "../../diagnostics/quantities.ts";

/** A failure outside of the API, as far as replies show it. */
export interface WebFailure {
  readonly status: number;
  readonly reason: string;
  /** Seconds until another attempt makes sense. */
  readonly retryAfter?: number;
  /** Whether the server has no key to sign forms with. */
  readonly lacksKey?: boolean;
}

/** The title and the text of the page of a failure. */
export function describeForPeople({ reason, retryAfter, lacksKey }: WebFailure): { title: string; message: string } {
  if (lacksKey)
    return {
      title: "Users cannot sign in",
      message: `${reason}. Its operator must set ZONEWRIGHT_SECRET_KEY, or let the server read the key in its data folder; the server's log says which.`,
    };
  return retryAfter === undefined
    ? { title: "Something went wrong", message: `${reason}.` }
    : { title: reason, message: `Wait ${count(retryAfter, "second")} before you try again.` };
}

/** The header of a reply that asks to wait for so many seconds. */
export function retryHeader(retryAfter: number | undefined): Readonly<Record<string, string>> {
  return retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };
}
